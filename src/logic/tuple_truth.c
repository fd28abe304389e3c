/* Invariants: value[v] is the object that variable v stands for, or UNBOUND.  Candidates of a variable are
 * objects on a stack; all for which a formula holds are among them, and perhaps others. */
#include "logic/tuple_truth.h"

#include <string.h>
#include "base/error.h"
#include "logic/sorted_facts.h"

enum {
    UNBOUND = -1,
    ANY = -1,  /* candidates: every object */
    KNOWN = 1, /* what is kept of a part: a bit that says so, and the answer */
    HOLDS = 2,
    FEW = 8,              /* candidates, fewer of which are not looked for */
    MOST_KEPT = 1 << 24,  /* answers of a part */
    ALL_KEPT = 1 << 28,   /* of all parts */
    MOST_STEPS = 1 << 30, /* objects tried for one tuple */
};

/* The true facts of an input, each once, and by the object at each place. */
typedef struct relation {
    int arity;
    size_t count;
    int *tuples;                       /* sorted */
    size_t *first[FORMULA_MOST_ARITY]; /* [objects + 1], into */
    size_t *fact[FORMULA_MOST_ARITY];
} relation;

struct tuple_truth {
    const nlm_program *program;
    int objects;
    relation *inputs;
    buffer kept; /* unsigned char *, by formula; NULL: nothing is kept */
    size_t formulas, bytes;
    buffer stack; /* of candidates, int */
    size_t top, steps;
    bool failed; /* no memory */
};

typedef int assignment[FORMULA_VARIABLES];

/* ---- facts ---- */

static nlm_status index_place(relation *of, int k, int objects, nlm_error *error)
{
    size_t *first = of->first[k] = memory_new((size_t)objects + 2, sizeof *first);
    size_t *fact = of->fact[k] = memory_new(of->count + 1, sizeof *fact);
    if (!first || !fact)
        return error_no_memory(error);
    for (size_t f = 0; f < of->count; f++)
        first[of->tuples[f * (size_t)of->arity + (size_t)k] + 2]++;
    for (int o = 0; o <= objects; o++)
        first[o + 1] += first[o];
    for (size_t f = 0; f < of->count; f++)
        fact[first[of->tuples[f * (size_t)of->arity + (size_t)k] + 1]++] = f;
    return NLM_OK;
}

static nlm_status read_input(relation *of, const program_predicate *input, const nlm_world *world,
                             nlm_error *error)
{
    of->arity = input->arity;
    nlm_status status = sorted_facts(world, input, &of->tuples, &of->count, error);
    for (int k = 0; k < of->arity && !status; k++)
        status = index_place(of, k, nlm_world_objects(world), error);
    return status;
}

nlm_status tuple_truth_new(const nlm_program *program, const nlm_world *world, tuple_truth **made,
                           nlm_error *error)
{
    tuple_truth *of = memory_new(1, sizeof *of);
    *made = NULL;
    if (!of)
        return error_no_memory(error);
    of->program = program;
    of->objects = nlm_world_objects(world);
    of->formulas = program->store.node_count;
    of->inputs = memory_new((size_t)program->input_count + 1, sizeof *of->inputs);
    nlm_status status =
        of->inputs ? buffer_reserve(&of->kept, of->formulas + 1, sizeof(char *), false) : NLM_NO_MEMORY;
    if (status)
        (void)error_no_memory(error);
    else
        memset(of->kept.data, 0, (of->formulas + 1) * sizeof(char *));
    for (int i = 0; i < program->input_count && !status; i++)
        status = read_input(&of->inputs[i], program_at(program, i), world, error);
    if (status)
        tuple_truth_free(of);
    else
        *made = of;
    return status;
}

void tuple_truth_free(tuple_truth *of)
{
    if (!of)
        return;
    for (int i = 0; of->inputs && i < of->program->input_count; i++) {
        memory_free(of->inputs[i].tuples);
        for (int k = 0; k < FORMULA_MOST_ARITY; k++) {
            memory_free(of->inputs[i].first[k]);
            memory_free(of->inputs[i].fact[k]);
        }
    }
    for (size_t f = 0; of->kept.data && f < of->formulas; f++)
        memory_free(((unsigned char **)of->kept.data)[f]);
    memory_free(of->inputs);
    buffer_free(&of->kept);
    buffer_free(&of->stack);
    memory_free(of);
}

/* ---- candidates ---- */

static void push(tuple_truth *of, int object)
{
    if (buffer_reserve(&of->stack, of->top + 1, sizeof(int), true))
        of->failed = true;
    else
        ((int *)of->stack.data)[of->top++] = object;
}

/* Numbers of candidates on top of the stack, or ANY, which leaves nothing there. */
static int find_candidates(tuple_truth *of, formula f, int variable, const int *value);

/* By the place whose object is in the fewest facts; of places that are all unbound, every fact. */
static int of_facts(tuple_truth *of, const formula_node *atom, int variable, const int *value)
{
    const relation *input = &of->inputs[atom->predicate];
    const size_t before = of->top, arity = (size_t)input->arity;
    size_t count = input->count, at = 0;
    const size_t *list = NULL;
    int place = UNBOUND;
    for (int k = 0; k < input->arity; k++) {
        const int object = atom->variable[k] == variable ? UNBOUND : value[atom->variable[k]];
        if (atom->variable[k] == variable)
            place = k;
        if (object == UNBOUND)
            continue;
        const size_t begin = input->first[k][object], own = input->first[k][object + 1] - begin;
        if (own < count || !list) {
            list = input->fact[k];
            at = begin;
            count = own;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const int *tuple = input->tuples + (list ? list[at + i] : i) * arity;
        bool fits = true;
        for (int k = 0; k < input->arity && fits; k++) {
            const int bound = atom->variable[k] == variable ? tuple[place] : value[atom->variable[k]];
            fits = bound == UNBOUND || bound == tuple[k];
        }
        if (fits)
            push(of, tuple[place]);
    }
    return (int)(of->top - before);
}

/* Of a definition: those of its body, in which the variable is one of the arguments. */
static int of_definition(tuple_truth *of, const formula_node *atom, int variable, const int *value)
{
    assignment inner;
    int own = UNBOUND;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        inner[v] = UNBOUND;
    for (int k = 0; k < atom->arity; k++) {
        if (atom->variable[k] == variable && own != UNBOUND)
            return ANY;
        if (atom->variable[k] == variable)
            own = k;
        else
            inner[k] = value[atom->variable[k]];
    }
    const formula body = program_at(of->program, atom->predicate)->body;
    return formula_free(&of->program->store, body) >> own & 1 ? find_candidates(of, body, own, inner) : ANY;
}

/* Of all parts together; ANY if one of them says nothing about the variable. */
static int of_any_part(tuple_truth *of, formula f, int variable, const int *value)
{
    const formula_store *store = &of->program->store;
    const size_t before = of->top;
    for (uint32_t p = 0; p < formula_at(store, f)->count; p++) {
        const formula part = formula_parts(store, f)[p];
        if (!(formula_free(store, part) >> variable & 1) ||
            find_candidates(of, part, variable, value) == ANY) {
            of->top = before;
            return ANY;
        }
    }
    return (int)(of->top - before);
}

/* Of the part that has the fewest; the search ends at few. */
static int of_one_part(tuple_truth *of, formula f, int variable, const int *value)
{
    const formula_store *store = &of->program->store;
    const size_t before = of->top;
    int best = ANY;
    for (uint32_t p = 0; p < formula_at(store, f)->count && (best == ANY || best > FEW); p++) {
        const formula part = formula_parts(store, f)[p];
        if (!(formula_free(store, part) >> variable & 1))
            continue;
        const size_t from = of->top;
        const int count = find_candidates(of, part, variable, value);
        if (count == ANY || (best != ANY && count >= best)) {
            of->top = from;
            continue;
        }
        int *stack = of->stack.data;
        if (count > 0 && from > before)
            memmove(stack + before, stack + from, (size_t)count * sizeof *stack);
        of->top = before + (size_t)count;
        best = count;
    }
    return best;
}

static int find_candidates(tuple_truth *of, formula f, int variable, const int *value)
{
    const formula_node *node = formula_at(&of->program->store, f);
    assignment inner;
    switch ((formula_kind)node->kind) {
    case FORMULA_ATOM:
        return node->predicate < of->program->input_count ? of_facts(of, node, variable, value)
                                                          : of_definition(of, node, variable, value);
    case FORMULA_EQUAL: {
        const int other = node->variable[0] == variable ? node->variable[1] : node->variable[0];
        if (other == variable || value[other] == UNBOUND)
            return ANY;
        push(of, value[other]);
        return 1;
    }
    case FORMULA_AND:
        return of_one_part(of, f, variable, value);
    case FORMULA_OR:
        return of_any_part(of, f, variable, value);
    case FORMULA_EXISTS:
        memcpy(inner, value, sizeof inner);
        inner[node->bound] = UNBOUND;
        return find_candidates(of, node->part, variable, inner);
    case FORMULA_NOT:
    case FORMULA_CONSTANT:
        break;
    }
    return ANY;
}

/* ---- truth ---- */

static bool holds(tuple_truth *of, formula f, int *value);

static bool is_fact(const relation *input, const formula_node *atom, const int *value)
{
    size_t low = 0, high = input->count;
    int tuple[FORMULA_MOST_ARITY];
    for (int k = 0; k < input->arity; k++)
        tuple[k] = value[atom->variable[k]];
    if (input->arity > 0) { /* among those of the first object: facts are sorted */
        low = input->first[0][tuple[0]];
        high = input->first[0][tuple[0] + 1];
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = tuple_compare(input->tuples + middle * (size_t)input->arity, tuple, input->arity);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool atom_holds(tuple_truth *of, const formula_node *atom, const int *value)
{
    if (atom->predicate < of->program->input_count)
        return is_fact(&of->inputs[atom->predicate], atom, value);
    assignment inner;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        inner[v] = v < atom->arity ? value[atom->variable[v]] : UNBOUND;
    return holds(of, program_at(of->program, atom->predicate)->body, inner);
}

static bool exists(tuple_truth *of, const formula_node *node, int *value)
{
    const size_t before = of->top;
    const int outer = value[node->bound];
    bool found = false;
    value[node->bound] = UNBOUND;
    const int count = find_candidates(of, node->part, node->bound, value);
    const int tried = count == ANY ? of->objects : count;
    for (int i = 0; i < tried && !found && !of->failed && of->steps < MOST_STEPS; i++, of->steps++) {
        value[node->bound] = count == ANY ? i : ((const int *)of->stack.data)[before + (size_t)i];
        found = holds(of, node->part, value);
    }
    value[node->bound] = outer;
    of->top = before;
    return found;
}

/* Where the answer about these values is kept, or NULL: of formulas of one or two variables, while there is
 * room. */
static unsigned char *kept_at(tuple_truth *of, formula f, const formula_node *node, const int *value)
{
    unsigned char **kept = of->kept.data;
    size_t place = 0, size = 1;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (node->free >> v & 1) {
            place = place * (size_t)of->objects + (size_t)value[v];
            size *= (size_t)of->objects;
            if (size > MOST_KEPT)
                return NULL;
        }
    if (!kept[f] && of->bytes + size <= ALL_KEPT && (kept[f] = memory_new(size, 1)) != NULL)
        of->bytes += size;
    return kept[f] ? kept[f] + place : NULL;
}

static bool exists_or_kept(tuple_truth *of, formula f, const formula_node *node, int *value)
{
    unsigned char *kept = kept_at(of, f, node, value);
    if (kept && *kept & KNOWN)
        return *kept & HOLDS;
    const bool found = exists(of, node, value);
    if (kept)
        *kept = (unsigned char)(KNOWN | (found ? HOLDS : 0));
    return found;
}

static bool holds(tuple_truth *of, formula f, int *value)
{
    const formula_store *store = &of->program->store;
    const formula_node *node = formula_at(store, f);
    switch ((formula_kind)node->kind) {
    case FORMULA_CONSTANT:
        return f == FORMULA_TRUE;
    case FORMULA_ATOM:
        return atom_holds(of, node, value);
    case FORMULA_EQUAL:
        return value[node->variable[0]] == value[node->variable[1]];
    case FORMULA_NOT:
        return !holds(of, node->part, value);
    case FORMULA_EXISTS:
        return exists_or_kept(of, f, node, value);
    case FORMULA_AND:
    case FORMULA_OR:
        break;
    }
    const bool is_and = node->kind == FORMULA_AND;
    for (uint32_t p = 0; p < node->count; p++)
        if (holds(of, formula_parts(store, f)[p], value) != is_and)
            return !is_and;
    return is_and;
}

nlm_status tuple_truth_ask(tuple_truth *of, formula f, const int *tuple, bool *answer, nlm_error *error)
{
    assignment value;
    const uint32_t own = formula_free(&of->program->store, f);
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        value[v] = own >> v & 1 ? tuple[v] : UNBOUND;
    of->steps = 0;
    *answer = holds(of, f, value);
    if (of->failed) {
        of->failed = false;
        return error_no_memory(error);
    }
    return of->steps < MOST_STEPS
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT, "a rule takes too many steps in a world of %d objects",
                           of->objects);
}

nlm_status tuple_truth_values(tuple_truth *of, formula f, int arity, signed char *values, nlm_error *error)
{
    const size_t tuples = nlm_tuple_count(of->objects, arity);
    nlm_status status = NLM_OK;
    for (size_t t = 0; t < tuples && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        bool holds = false;
        if (nlm_tuple_at(of->objects, arity, t, tuple))
            status = tuple_truth_ask(of, f, tuple, &holds, error);
        values[t] = holds;
    }
    return status;
}
