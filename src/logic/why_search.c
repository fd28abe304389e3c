#include "logic/why_search.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

#define MOST_STEPS ((uint64_t)50 * 1000 * 1000) /* of an answer */
#define MISS_STEPS ((uint64_t)1000 * 1000)      /* of the nearest miss of a clause */
enum { MOST_KEPT = 1 << 24 };                   /* tuples of a predicate whose truth is kept */

/* ---- facts ---- */

static size_t number_of(const why_search *search, const int *tuple, int arity)
{
    size_t number = 0;
    for (int i = 0; i < arity; i++)
        number = number * (size_t)search->objects + (size_t)tuple[i];
    return number;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Facts above one half.  One that was added again replaces the earlier one: the last of a number counts. */
static nlm_status read_facts(why_search *search, int input, nlm_error *error)
{
    const program_predicate *of = program_at(search->names->program, input);
    char *name = program_world_name(of);
    const int *tuples = NULL;
    const float *values = NULL;
    if (!name)
        return error_no_memory(error);
    const int number = nlm_world_find_predicate(search->world, name, of->arity);
    memory_free(name);
    const size_t count = number < 0 ? 0 : nlm_world_facts(search->world, number, &tuples, &values);
    why_facts *facts = &search->facts[input];
    /* pairs of tuple and place, by which the last of equal tuples is found */
    size_t *pairs = malloc((2 * count + 1) * sizeof *pairs);
    facts->numbers = malloc((count + 1) * sizeof *facts->numbers);
    if (!pairs || !facts->numbers) {
        free(pairs);
        return error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = number_of(search, tuples + i * (size_t)of->arity, of->arity);
        pairs[2 * i + 1] = i;
    }
    qsort(pairs, count, 2 * sizeof *pairs, ascending);
    for (size_t i = 0; i < count;) {
        const size_t tuple = pairs[2 * i];
        size_t last = pairs[2 * i + 1];
        for (; i < count && pairs[2 * i] == tuple; i++)
            last = pairs[2 * i + 1] > last ? pairs[2 * i + 1] : last;
        if (values[last] > 0.5f)
            facts->numbers[facts->count++] = tuple;
    }
    free(pairs);
    return NLM_OK;
}

static bool is_fact(const why_search *search, int input, const int *tuple)
{
    const int arity = program_at(search->names->program, input)->arity;
    const why_facts *facts = &search->facts[input];
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < i; k++)
            if (tuple[i] == tuple[k])
                return false;
    const size_t number = number_of(search, tuple, arity);
    return bsearch(&number, facts->numbers, facts->count, sizeof number, ascending);
}

/* ---- life ---- */

static nlm_status take_clauses(why_search *search, printing *names, nlm_error *error)
{
    const clauses *made = &names->made;
    size_t used = 0;
    search->clauses = calloc((size_t)made->count + 1, sizeof *search->clauses);
    if (!search->clauses)
        return error_no_memory(error);
    for (uint32_t c = 0; c < made->count; c++) {
        print_clause prepared;
        if (!print_prepare(names, clauses_at(made, c), &prepared) ||
            buffer_reserve(&search->literals, used + (size_t)prepared.count, sizeof(clause_literal), true) !=
                NLM_OK)
            return error_no_memory(error);
        memcpy((clause_literal *)search->literals.data + used, prepared.literals,
               (size_t)prepared.count * sizeof(clause_literal));
        search->clauses[search->clause_count++] =
            (why_clause){.head = prepared.of->head, .count = prepared.count, .variables = prepared.variables};
        used += (size_t)prepared.count;
    }
    const clause_literal *literals = search->literals.data;
    for (int c = 0; c < search->clause_count; c++) {
        search->clauses[c].literals = literals;
        literals += search->clauses[c].count;
    }
    return NLM_OK;
}

nlm_status why_search_open(why_search *search, printing *names, const nlm_world *world, nlm_error *error)
{
    const size_t predicates = (size_t)names->predicates;
    *search = (why_search){.names = names, .world = world, .objects = nlm_world_objects(world)};
    search->facts = calloc(predicates + 1, sizeof *search->facts);
    search->known = calloc(predicates + 1, sizeof *search->known);
    if (!search->facts || !search->known)
        return error_no_memory(error);
    nlm_status status = take_clauses(search, names, error);
    for (int i = 0; i < names->program->input_count && status == NLM_OK; i++)
        status = read_facts(search, i, error);
    return status;
}

void why_search_close(why_search *search)
{
    for (int i = 0; search->names && i < search->names->predicates; i++) {
        if (search->facts)
            free(search->facts[i].numbers);
        if (search->known)
            free(search->known[i]);
    }
    free(search->facts);
    free(search->known);
    free(search->clauses);
    buffer_free(&search->literals);
}

void why_search_begin(why_search *search)
{
    search->steps = 0;
    search->stopped = false;
}

/* ---- truth ---- */

static bool solve_from(why_search *search, const why_clause *of, int at, int *value);

static bool step(why_search *search)
{
    search->stopped |= ++search->steps > MOST_STEPS;
    return !search->stopped;
}

/* Where the truth of a tuple is kept, or NULL. */
static signed char *kept(why_search *search, int predicate, const int *tuple)
{
    const int arity = clauses_arity(&search->names->made, predicate);
    size_t count = 1;
    for (int i = 0; i < arity; i++)
        if ((count *= (size_t)search->objects) > MOST_KEPT)
            return NULL;
    if (!search->known[predicate] && (search->known[predicate] = malloc(count)))
        memset(search->known[predicate], -1, count);
    return search->known[predicate] ? search->known[predicate] + number_of(search, tuple, arity) : NULL;
}

static bool solve_clause(why_search *search, const why_clause *of, const int *tuple, int *value)
{
    const int arity = clauses_arity(&search->names->made, of->head);
    for (int v = 0; v < CLAUSE_VARIABLES; v++)
        value[v] = v < arity ? tuple[v] : WHY_NOBODY;
    return solve_from(search, of, 0, value);
}

static bool atom_holds(why_search *search, int predicate, const int *tuple)
{
    if (predicate < search->names->program->input_count)
        return is_fact(search, predicate, tuple);
    signed char *known = kept(search, predicate, tuple);
    if (known && *known >= 0)
        return *known;
    bool holds = false;
    int value[CLAUSE_VARIABLES];
    for (int c = 0; c < search->clause_count && !holds; c++)
        holds =
            search->clauses[c].head == predicate && solve_clause(search, &search->clauses[c], tuple, value);
    if (known && !search->stopped)
        *known = holds;
    return holds;
}

bool why_solve(why_search *search, int predicate, const int *tuple, why_solution *solution)
{
    for (int c = 0; c < search->clause_count; c++) {
        solution->clause = &search->clauses[c];
        if (solution->clause->head == predicate &&
            solve_clause(search, solution->clause, tuple, solution->value))
            return true;
    }
    return false;
}

bool why_is_bound(const clause_literal *literal, const int *value)
{
    for (int i = 0; i < literal->arity; i++)
        if (literal->variable[i] == CLAUSE_ANONYMOUS || value[literal->variable[i]] == WHY_NOBODY)
            return false;
    return true;
}

/* Whether the atom holds for some objects in the place of anonymous variables. */
static bool matches(why_search *search, const clause_literal *literal, int *tuple, int at)
{
    if (at == literal->arity)
        return atom_holds(search, literal->predicate, tuple);
    if (tuple[at] != WHY_NOBODY)
        return matches(search, literal, tuple, at + 1);
    bool any = false;
    for (int o = 0; o < search->objects && !any && step(search); o++) {
        tuple[at] = o;
        any = matches(search, literal, tuple, at + 1);
    }
    tuple[at] = WHY_NOBODY;
    return any;
}

bool why_literal_holds(why_search *search, const clause_literal *literal, const int *value)
{
    int tuple[FORMULA_VARIABLES];
    for (int i = 0; i < literal->arity; i++) {
        const uint8_t v = literal->variable[i];
        tuple[i] = v == CLAUSE_ANONYMOUS ? WHY_NOBODY : value[v];
        if (v != CLAUSE_ANONYMOUS && tuple[i] == WHY_NOBODY)
            return literal->negated;
    }
    if (literal->predicate == PRINT_OBJECT)
        return true;
    if (literal->predicate == CLAUSE_EQUAL)
        return (tuple[0] == tuple[1]) != literal->negated;
    return matches(search, literal, tuple, 0) != literal->negated;
}

/* ---- binding ---- */

/* Called with values that make a positive literal true; true ends the walk. */
typedef bool (*binder)(void *context, int *value);

/* The variables of a literal that fit a fact; false if it does not. */
static bool fit(const clause_literal *literal, const int *tuple, int *value, uint64_t *bound)
{
    *bound = 0;
    for (int i = 0; i < literal->arity; i++) {
        const uint8_t v = literal->variable[i];
        if (value[v] == WHY_NOBODY) {
            value[v] = tuple[i];
            *bound |= (uint64_t)1 << v;
        } else if (value[v] != tuple[i])
            return false;
    }
    return true;
}

static void unbind(int *value, uint64_t bound)
{
    for (int v = 0; v < CLAUSE_VARIABLES; v++)
        if (bound >> v & 1)
            value[v] = WHY_NOBODY;
}

static bool each_fact(why_search *search, const clause_literal *literal, int *value, binder call,
                      void *context)
{
    const why_facts *facts = &search->facts[literal->predicate];
    for (size_t f = 0; f < facts->count && step(search); f++) {
        int tuple[FORMULA_MOST_ARITY];
        size_t number = facts->numbers[f];
        uint64_t bound;
        for (int i = literal->arity - 1; i >= 0; i--) {
            tuple[i] = (int)(number % (size_t)search->objects);
            number /= (size_t)search->objects;
        }
        if (fit(literal, tuple, value, &bound) && call(context, value))
            return true;
        unbind(value, bound);
    }
    return false;
}

/* All objects for one variable after the other. */
static bool each_object(why_search *search, const clause_literal *literal, int *value, binder call,
                        void *context)
{
    int v = -1;
    for (int i = 0; i < literal->arity && v < 0; i++)
        if (value[literal->variable[i]] == WHY_NOBODY)
            v = literal->variable[i];
    if (v < 0)
        return why_literal_holds(search, literal, value) && call(context, value);
    for (int o = 0; o < search->objects && step(search); o++) {
        value[v] = o;
        if (each_object(search, literal, value, call, context))
            return true;
    }
    value[v] = WHY_NOBODY;
    return false;
}

/* Equalities bind their other side. */
static bool each_equal(const clause_literal *literal, int *value, binder call, void *context)
{
    const int a = literal->variable[0], b = literal->variable[1];
    const int unbound = value[a] == WHY_NOBODY ? a : b;
    value[unbound] = value[unbound == a ? b : a];
    if (call(context, value))
        return true;
    value[unbound] = WHY_NOBODY;
    return false;
}

static bool each_binding(why_search *search, const clause_literal *literal, int *value, binder call,
                         void *context)
{
    if (why_is_bound(literal, value))
        return why_literal_holds(search, literal, value) && call(context, value);
    if (literal->predicate == CLAUSE_EQUAL &&
        (value[literal->variable[0]] != WHY_NOBODY || value[literal->variable[1]] != WHY_NOBODY))
        return each_equal(literal, value, call, context);
    if (literal->predicate >= 0 && literal->predicate < search->names->program->input_count)
        return each_fact(search, literal, value, call, context);
    return each_object(search, literal, value, call, context);
}

/* ---- clauses that hold ---- */

typedef struct solving {
    why_search *search;
    const why_clause *of;
    int at;
} solving;

static bool solve_rest(void *context, int *value)
{
    const solving *from = context;
    return solve_from(from->search, from->of, from->at + 1, value);
}

static bool solve_from(why_search *search, const why_clause *of, int at, int *value)
{
    if (!step(search))
        return false;
    if (at == of->count)
        return true;
    const clause_literal *literal = &of->literals[at];
    solving from = {search, of, at};
    if (literal->negated)
        return why_literal_holds(search, literal, value) && solve_rest(&from, value);
    return each_binding(search, literal, value, solve_rest, &from);
}

/* ---- clauses that come near ---- */

typedef struct nearing {
    why_search *search;
    const why_clause *of;
    int at, failed;
    why_miss *best;
    uint64_t *steps;
} nearing;

static bool near_from(const nearing *from, int *value);

static bool near_rest(void *context, int *value)
{
    nearing rest = *(const nearing *)context;
    rest.at++;
    return near_from(&rest, value);
}

/* Goes on with fewer misses than the best; true ends the walk. */
static bool near_from(const nearing *from, int *value)
{
    if (from->failed >= from->best->failed || ++*from->steps > MISS_STEPS || from->search->stopped)
        return *from->steps > MISS_STEPS || from->search->stopped;
    if (from->at == from->of->count) {
        from->best->failed = from->failed;
        memcpy(from->best->value, value, sizeof from->best->value);
        return from->failed <= 1;
    }
    const clause_literal *literal = &from->of->literals[from->at];
    nearing rest = *from;
    const bool skipped = literal->predicate == PRINT_OBJECT;
    if (literal->negated || skipped) {
        rest.failed += !skipped && !why_literal_holds(from->search, literal, value);
        return near_rest(&rest, value);
    }
    if (each_binding(from->search, literal, value, near_rest, &rest))
        return true;
    rest.failed++; /* the literal is given up */
    return near_rest(&rest, value);
}

int why_nearest(why_search *search, int predicate, const int *tuple, why_miss *misses, int most)
{
    const int arity = clauses_arity(&search->names->made, predicate);
    int count = 0;
    for (int c = 0; c < search->clause_count; c++) {
        const why_clause *of = &search->clauses[c];
        why_miss miss = {.clause = of, .failed = of->count + 1};
        int value[CLAUSE_VARIABLES];
        uint64_t steps = 0;
        if (of->head != predicate)
            continue;
        for (int l = 0; l < of->count; l++)
            miss.literals += of->literals[l].predicate != PRINT_OBJECT;
        for (int v = 0; v < CLAUSE_VARIABLES; v++)
            value[v] = miss.value[v] = v < arity ? tuple[v] : WHY_NOBODY;
        near_from(&(nearing){search, of, 0, 0, &miss, &steps}, value);
        int place = count;
        while (place > 0 && misses[place - 1].failed > miss.failed)
            place--;
        if (place == most)
            continue;
        count += count < most;
        memmove(misses + place + 1, misses + place, (size_t)(count - 1 - place) * sizeof *misses);
        misses[place] = miss;
    }
    return count;
}
