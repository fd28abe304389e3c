#include "logic/seen_rows.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/cover.h"
#include "logic/scopes.h"

typedef struct unit {
    formula f;
    uint32_t distinct; /* of its free variables: the target's, which stand for different objects */
    int target, count;
    formula input[ROWS_MOST_INPUTS];
    uint32_t rises, falls; /* inputs that occur without negation, and negated; some do both */
    bool is_uncounted, has_bounds;
    formula least, most;
    uint64_t *seen; /* by row */
} unit;

struct rows {
    nlm_program *program;
    formula own[NLM_MAX_HEADS];
    buffer units;
    int count;
    long worlds;
    bool too_many;
};

typedef struct bounds {
    formula least, most;
} bounds;

static unit *unit_at(const rows *of, int number)
{
    return (unit *)of->units.data + number;
}

/* ---- units ---- */

static bool is_function(const formula_store *store, formula f)
{
    const int kind = formula_at(store, f)->kind;
    return kind == FORMULA_AND || kind == FORMULA_OR;
}

static bool add_input(unit *into, formula f, bool negated)
{
    int i = 0;
    while (i < into->count && into->input[i] != f)
        i++;
    if (i == ROWS_MOST_INPUTS)
        return false;
    into->input[i] = f;
    into->count += i == into->count;
    *(negated ? &into->falls : &into->rises) |= (uint32_t)1 << i;
    return true;
}

/* The inputs of the function f; false if they are too many. */
static bool gather(const formula_store *store, formula f, bool negated, unit *into)
{
    const formula_node *node = formula_at(store, f);
    if (node->kind == FORMULA_NOT)
        return gather(store, node->part, !negated, into);
    if (!is_function(store, f))
        return add_input(into, f, negated);
    for (uint32_t p = 0; p < node->count; p++)
        if (!gather(store, formula_parts(store, f)[p], negated, into))
            return false;
    return true;
}

static unit *find_unit(const rows *of, int target, formula f, uint32_t arguments)
{
    const uint32_t distinct = arguments & formula_free(&of->program->store, f);
    for (int i = 0; i < of->count; i++)
        if (unit_at(of, i)->f == f && unit_at(of, i)->distinct == distinct &&
            unit_at(of, i)->target == target)
            return unit_at(of, i);
    return NULL;
}

static nlm_status add_unit(rows *of, unit made, nlm_error *error)
{
    of->too_many |= of->count == ROWS_MOST_UNITS;
    if (of->too_many)
        return NLM_OK;
    if (buffer_reserve(&of->units, (size_t)of->count + 1, sizeof made, true) != NLM_OK ||
        !(made.seen = memory_new((size_t)1 << made.count, sizeof *made.seen)))
        return error_no_memory(error);
    *unit_at(of, of->count++) = made;
    return NLM_OK;
}

/* All units of f.  `arguments`: the target's variables, without those that a quantifier around f binds. */
static nlm_status add_units(rows *of, int target, formula f, uint32_t arguments, nlm_error *error)
{
    const formula_store *store = &of->program->store;
    const formula_node *node = formula_at(store, f);
    nlm_status status = NLM_OK;
    if (node->kind == FORMULA_EXISTS)
        return add_units(of, target, node->part, arguments & ~((uint32_t)1 << node->bound), error);
    if (node->kind == FORMULA_NOT)
        return add_units(of, target, node->part, arguments, error);
    if (!is_function(store, f) || of->too_many || find_unit(of, target, f, arguments))
        return NLM_OK;
    unit made = {.f = f, .distinct = arguments & node->free, .target = target};
    const bool fits = gather(store, f, false, &made);
    if (fits)
        status = add_unit(of, made, error);
    for (uint32_t p = 0; p < node->count && !fits && !status; p++)
        status = add_units(of, target, formula_parts(store, f)[p], arguments, error);
    for (int i = 0; i < made.count && fits && !status; i++)
        status = add_units(of, target, made.input[i], arguments, error);
    return status;
}

/* Quantifiers go where they relate few variables at once, so that tables are small. */
static nlm_status take_targets(rows *of, bool *fits, nlm_error *error)
{
    nlm_program *program = of->program;
    scopes orders;
    nlm_status status = scopes_start(&orders, program, error);
    *fits = true;
    for (int t = 0; t < program->target_count && *fits && !status; t++) {
        const int number = program->target[t];
        const formula whole = program_inlined(program, number, ROWS_MOST_LITERALS, fits);
        if (*fits)
            of->own[t] = scopes_order_all(&orders, whole);
        if (orders.failed || program->store.failed)
            status = error_no_memory(error);
        if (*fits && !status)
            status =
                add_units(of, t, of->own[t], ((uint32_t)1 << program_at(program, number)->arity) - 1, error);
        *fits &= !of->too_many;
    }
    scopes_free(&orders);
    return status;
}

nlm_status rows_new(const nlm_program *program, rows **made, nlm_error *error)
{
    bool fits = false;
    rows *of = *made = memory_new(1, sizeof *of);
    nlm_status status = of ? program_copy(program, &of->program, error) : error_no_memory(error);
    if (!status)
        status = take_targets(of, &fits, error);
    if (!status && fits)
        return NLM_OK;
    rows_free(of);
    *made = NULL;
    return status;
}

void rows_free(rows *of)
{
    if (!of)
        return;
    for (int i = 0; i < of->count; i++)
        memory_free(unit_at(of, i)->seen);
    buffer_free(&of->units);
    nlm_program_free(of->program);
    memory_free(of);
}

nlm_program *rows_program(rows *of)
{
    return of->program;
}

int rows_units(const rows *of)
{
    return of->count;
}

int rows_uncounted(const rows *of)
{
    int count = 0;
    for (int i = 0; i < of->count; i++)
        count += unit_at(of, i)->is_uncounted;
    return count;
}

void rows_add_worlds(rows *of, long worlds)
{
    of->worlds += worlds;
}

long rows_worlds(const rows *of)
{
    return of->worlds;
}

formula rows_own(const rows *of, int target)
{
    return of->own[target];
}

/* ---- counting ---- */

/* That the variables stand for different objects. */
static formula all_different(formula_store *store, uint32_t set)
{
    int variable[FORMULA_VARIABLES];
    const int count = formula_variables(set, variable);
    formula f = FORMULA_TRUE;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            f = formula_and2(store, f, formula_not(store, formula_equal(store, variable[k], variable[i])));
    return f;
}

nlm_status rows_count(rows *of, truth *group, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < of->count && !status; i++) {
        unit *one = unit_at(of, i);
        if (one->is_uncounted)
            continue;
        const formula domain = all_different(&of->program->store, one->distinct);
        status = of->program->store.failed
                     ? error_no_memory(error)
                     : truth_rows(group, domain, one->input, one->count, one->seen, error);
        if (status == NLM_BAD_ARGUMENT) { /* too large for tables */
            one->is_uncounted = true;
            status = NLM_OK;
        }
    }
    return status;
}

/* ---- bounds ---- */

/* The value of f, a function of the unit's inputs, in a row. */
static bool value_in(const formula_store *store, const unit *of, formula f, uint32_t row)
{
    const formula_node *node = formula_at(store, f);
    if (node->kind == FORMULA_NOT)
        return !value_in(store, of, node->part, row);
    if (!is_function(store, f)) {
        int i = 0;
        while (of->input[i] != f)
            i++;
        return row >> i & 1;
    }
    for (uint32_t p = 0; p < node->count; p++)
        if (value_in(store, of, formula_parts(store, f)[p], row) == (node->kind == FORMULA_OR))
            return node->kind == FORMULA_OR;
    return node->kind == FORMULA_AND;
}

/* The rows in which the unit has this value whatever open rows have: those seen, and for true what is above
 * them, for false what is below. */
static void decided(const rows *of, const unit *one, bool value, bool *rows_of)
{
    const uint32_t all = (uint32_t)1 << one->count;
    for (uint32_t row = 0; row < all; row++)
        rows_of[row] = one->seen[row] > 0 && value_in(&of->program->store, one, one->f, row) == value;
    for (int i = 0; i < one->count; i++) {
        const uint32_t bit = (uint32_t)1 << i;
        if (one->rises & one->falls & bit)
            continue;
        const uint32_t to = ((one->rises & bit) != 0) == value ? bit : 0;
        for (uint32_t row = 0; row < all; row++)
            if ((row & bit) == to)
                rows_of[row] |= rows_of[row ^ bit];
    }
}

/* A conjunction of inputs, each of them certain: true in `least`, or false in `most`. */
static formula certain(formula_store *store, const unit *of, const bounds *inputs, cover_term term)
{
    formula parts[ROWS_MOST_INPUTS];
    size_t count = 0;
    for (int i = 0; i < of->count; i++)
        if (term.care >> i & 1)
            parts[count++] = term.value >> i & 1 ? inputs[i].least : formula_not(store, inputs[i].most);
    return formula_and(store, parts, count);
}

/* Where the unit has this value whatever open rows have.  Of inputs that are open all prime
 * conjunctions count; otherwise some that cover the rows are the same. */
static nlm_status follows(rows *of, const unit *one, const bounds *inputs, bool value, formula *result,
                          nlm_error *error)
{
    formula_store *store = &of->program->store;
    const uint32_t all = (uint32_t)1 << one->count;
    buffer terms = {0};
    bool open = false;
    bool *takes = memory_new(all, sizeof *takes);
    if (!takes)
        return error_no_memory(error);
    decided(of, one, value, takes);
    for (int i = 0; i < one->count; i++)
        open |= inputs[i].least != inputs[i].most;
    const int count = (open ? cover_primes : cover_find)(takes, one->count, &terms);
    formula f = FORMULA_FALSE;
    for (int i = 0; i < count; i++)
        f = formula_or2(store, f, certain(store, one, inputs, ((const cover_term *)terms.data)[i]));
    buffer_free(&terms);
    memory_free(takes);
    *result = f;
    return count < 0 || store->failed ? error_no_memory(error) : NLM_OK;
}

static nlm_status find_bounds(rows *of, int target, formula f, uint32_t arguments, bounds *result,
                              nlm_error *error);

/* Parts of a function that is no unit, each by itself. */
static nlm_status bounds_of_parts(rows *of, int target, formula f, uint32_t arguments, bounds *result,
                                  nlm_error *error)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f);
    const bool is_and = node.kind == FORMULA_AND;
    nlm_status status = NLM_OK;
    *result = is_and ? (bounds){FORMULA_TRUE, FORMULA_TRUE} : (bounds){FORMULA_FALSE, FORMULA_FALSE};
    for (uint32_t p = 0; p < node.count && !status; p++) {
        bounds part;
        status = find_bounds(of, target, formula_parts(store, f)[p], arguments, &part, error);
        if (status)
            break;
        result->least = is_and ? formula_and2(store, result->least, part.least)
                               : formula_or2(store, result->least, part.least);
        result->most = is_and ? formula_and2(store, result->most, part.most)
                              : formula_or2(store, result->most, part.most);
    }
    return status;
}

/* Rows that are decided neither way; their number, or -1 without memory. */
static int open_rows(const rows *of, const unit *one, bool *is_open)
{
    const uint32_t all = (uint32_t)1 << one->count;
    bool *either = memory_new(all, sizeof *either);
    int count = 0;
    if (!either)
        return -1;
    decided(of, one, true, is_open);
    decided(of, one, false, either);
    for (uint32_t row = 0; row < all; row++)
        count += is_open[row] = !is_open[row] && !either[row];
    memory_free(either);
    return count;
}

static nlm_status bounds_of_unit(rows *of, unit *one, uint32_t arguments, nlm_error *error)
{
    bounds inputs[ROWS_MOST_INPUTS];
    bool row_is_open[1 << ROWS_MOST_INPUTS];
    const int count = open_rows(of, one, row_is_open);
    bool open = count > 0;
    nlm_status status = count < 0 ? error_no_memory(error) : NLM_OK;
    for (int i = 0; i < one->count && !status; i++) {
        status = find_bounds(of, one->target, one->input[i], arguments, &inputs[i], error);
        open |= !status && inputs[i].least != inputs[i].most;
    }
    one->least = one->most = one->f;
    if (!status && open)
        status = follows(of, one, inputs, true, &one->least, error);
    if (!status && open)
        status = follows(of, one, inputs, false, &one->most, error);
    if (!status && open)
        one->most = formula_not(&of->program->store, one->most);
    one->has_bounds = !status;
    return status;
}

static nlm_status find_bounds(rows *of, int target, formula f, uint32_t arguments, bounds *result,
                              nlm_error *error)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f);
    nlm_status status = NLM_OK;
    *result = (bounds){f, f};
    if (node.kind == FORMULA_NOT) {
        status = find_bounds(of, target, node.part, arguments, result, error);
        *result = (bounds){formula_not(store, result->most), formula_not(store, result->least)};
    } else if (node.kind == FORMULA_EXISTS) {
        status = find_bounds(of, target, node.part, arguments & ~((uint32_t)1 << node.bound), result, error);
        *result = (bounds){formula_exists(store, node.bound, result->least),
                           formula_exists(store, node.bound, result->most)};
    } else if (is_function(store, f)) {
        unit *one = find_unit(of, target, f, arguments);
        if (!one || one->is_uncounted)
            return bounds_of_parts(of, target, f, arguments, result, error);
        if (!one->has_bounds)
            status = bounds_of_unit(of, one, arguments, error);
        *result = (bounds){one->least, one->most};
    }
    return status;
}

nlm_status rows_bounds(rows *of, int target, formula *least, formula *most, nlm_error *error)
{
    const int arity = program_at(of->program, of->program->target[target])->arity;
    bounds result;
    const nlm_status status =
        find_bounds(of, target, of->own[target], ((uint32_t)1 << arity) - 1, &result, error);
    if (status || of->program->store.failed)
        return status ? status : error_no_memory(error);
    *least = result.least;
    *most = result.most;
    return NLM_OK;
}

/* ---- what no example decides ---- */

static formula sentence(formula_store *store, formula f)
{
    for (int v = FORMULA_VARIABLES - 1; v >= 0; v--)
        if (formula_free(store, f) >> v & 1)
            f = formula_exists(store, v, f);
    return f;
}

static int size_of(const formula_store *store, formula f)
{
    int atoms, equalities;
    formula_count(store, f, &atoms, &equalities);
    return atoms + equalities;
}

/* One more, in its place; of too many the longest leaves. */
static void insert_case(const formula_store *store, formula f, formula cases[ROWS_MOST_CASES], int *count)
{
    int at = 0;
    for (int i = 0; i < *count; i++)
        if (cases[i] == f)
            return;
    while (at < *count && size_of(store, cases[at]) <= size_of(store, f))
        at++;
    if (at == ROWS_MOST_CASES)
        return;
    *count += *count < ROWS_MOST_CASES;
    memmove(cases + at + 1, cases + at, (size_t)(*count - 1 - at) * sizeof *cases);
    cases[at] = f;
}

/* The open rows of a unit, as few conjunctions. */
static nlm_status add_cases(rows *of, const unit *one, formula cases[ROWS_MOST_CASES], int *count,
                            nlm_error *error)
{
    formula_store *store = &of->program->store;
    bounds inputs[ROWS_MOST_INPUTS];
    buffer terms = {0};
    bool row_is_open[1 << ROWS_MOST_INPUTS];
    if (open_rows(of, one, row_is_open) < 0)
        return error_no_memory(error);
    for (int i = 0; i < one->count; i++)
        inputs[i] = (bounds){one->input[i], one->input[i]};
    const int found = cover_find(row_is_open, one->count, &terms);
    for (int i = 0; i < found; i++) {
        formula f = certain(store, one, inputs, ((const cover_term *)terms.data)[i]);
        f = formula_and2(store, f, all_different(store, one->distinct));
        f = sentence(store, f);
        if (f != FORMULA_FALSE)
            insert_case(store, f, cases, count);
    }
    buffer_free(&terms);
    return found < 0 || store->failed ? error_no_memory(error) : NLM_OK;
}

nlm_status rows_cases(rows *of, int target, formula cases[ROWS_MOST_CASES], int *count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    *count = 0;
    for (int i = 0; i < of->count && !status; i++)
        if (unit_at(of, i)->target == target && !unit_at(of, i)->is_uncounted)
            status = add_cases(of, unit_at(of, i), cases, count, error);
    return status;
}

/* ---- as text ---- */

enum { DIGEST_TEXT = 17 };

static uint64_t mix(uint64_t digest, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8)
        digest = (digest ^ (value & 0xff)) * 0x100000001b3u;
    return digest;
}

/* Of f as it is: kinds, predicates, variables, and parts in their order. */
static uint64_t digest_of(const formula_store *store, formula f, uint64_t digest)
{
    const formula_node *node = formula_at(store, f);
    digest = mix(digest, (uint64_t)node->kind << 32 | (uint64_t)node->bound << 16 | node->arity);
    digest = mix(digest, node->kind == FORMULA_ATOM ? (uint64_t)node->predicate : f == FORMULA_TRUE);
    for (int i = 0; i < node->arity; i++)
        digest = mix(digest, node->variable[i]);
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        return digest_of(store, node->part, digest);
    for (uint32_t p = 0; p < node->count; p++)
        digest = digest_of(store, formula_parts(store, f)[p], digest);
    return mix(digest, node->count);
}

static void put_digest(const rows *of, char text[DIGEST_TEXT])
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (int t = 0; t < of->program->target_count; t++)
        digest = digest_of(&of->program->store, of->own[t], digest);
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, digest);
}

/* [row, count, row, count, ...]; null of a unit that is not counted. */
static json_t *unit_json(const unit *one)
{
    if (one->is_uncounted)
        return json_null();
    json_t *list = json_array();
    for (size_t row = 0; row < (size_t)1 << one->count; row++)
        if (one->seen[row] > 0 && (json_array_append_new(list, json_integer((json_int_t)row)) ||
                                   json_array_append_new(list, json_integer((json_int_t)one->seen[row])))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

nlm_status rows_text(const rows *of, char **text, nlm_error *error)
{
    char digest[DIGEST_TEXT];
    json_t *units = json_array();
    bool good = units != NULL;
    put_digest(of, digest);
    for (int i = 0; i < of->count; i++)
        good &= json_array_append_new(units, unit_json(unit_at(of, i))) == 0;
    json_t *all =
        json_pack("{s:I, s:s, s:o}", "worlds", (json_int_t)of->worlds, "program", digest, "units", units);
    *text = all && good ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    return *text ? NLM_OK : error_no_memory(error);
}

#define REFUSE(...) error_in_file(error, NLM_BAD_FILE, name, "metadata '" ROWS_KEY "': " __VA_ARGS__)

static nlm_status parse_unit(const json_t *list, const char *name, int number, unit *into, nlm_error *error)
{
    into->is_uncounted = json_is_null(list);
    if (into->is_uncounted)
        return NLM_OK;
    if (!json_is_array(list) || json_array_size(list) % 2 != 0)
        return REFUSE("unit %d is no list of rows and counts", number);
    for (size_t i = 0; i < json_array_size(list); i += 2) {
        const json_t *row = json_array_get(list, i), *count = json_array_get(list, i + 1);
        const json_int_t at = json_integer_value(row);
        if (!json_is_integer(row) || !json_is_integer(count) || at < 0 || at >> into->count != 0 ||
            json_integer_value(count) < 1)
            return REFUSE("unit %d has a row that is not one of its %d, or was seen less than once", number,
                          1 << into->count);
        into->seen[at] = (uint64_t)json_integer_value(count);
    }
    return NLM_OK;
}

static nlm_status parse_all(const json_t *all, const char *name, rows *into, nlm_error *error)
{
    const json_t *worlds = json_object_get(all, "worlds"), *units = json_object_get(all, "units");
    const char *program = json_string_value(json_object_get(all, "program"));
    char digest[DIGEST_TEXT];
    nlm_status status = NLM_OK;
    put_digest(into, digest);
    if (!json_is_integer(worlds) || json_integer_value(worlds) < 0 || !program || !json_is_array(units))
        return REFUSE("is not {worlds, program, units: [...]}");
    if (strcmp(program, digest) != 0 || json_array_size(units) != (size_t)into->count)
        return REFUSE("is about another program than 'rules'");
    into->worlds = (long)json_integer_value(worlds);
    for (int i = 0; i < into->count && !status; i++)
        status = parse_unit(json_array_get(units, (size_t)i), name, i, unit_at(into, i), error);
    return status;
}

nlm_status rows_parse(const char *text, const char *name, const nlm_program *program, rows **made,
                      nlm_error *error)
{
    json_error_t cause;
    nlm_status status = rows_new(program, made, error);
    if (status)
        return status;
    if (!*made)
        return REFUSE("is about a program of too many parts");
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &cause);
    status = parse_all(all, name, *made, error);
    json_decref(all);
    if (status) {
        rows_free(*made);
        *made = NULL;
    }
    return status;
}
