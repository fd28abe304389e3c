/* Programs in words that people give: definitions such as
 *
 *     parent(X, Y) :- father(X, Y).
 *     parent(X, Y) :- mother(X, Y).
 *
 * whose heads take the place of what says the same.  Two things of a program say the same if they are equal
 * formulas: a definition whose formula, down to inputs, is that of a name, in any order of its arguments; and
 * a part of a formula that is the name's body up to the names of variables. */
#include <string.h>
#include "base/error.h"
#include "logic/program.h"

enum {
    NOT_THERE = -1,
    MOST_EXPANDED = 500,    /* literals of a definition down to inputs; longer ones keep their names */
    PLACEHOLDERS = 1 << 24, /* predicates from here on stand for definitions that a name replaces */
    MOST_PERMUTED_ARITY = 3,
    MOST_NAMES = 200
};

typedef struct renaming {
    const nlm_program *from, *names;
    nlm_program *made;
    int *name_number, *number; /* in the made program, of predicates of both; NOT_THERE: not in it */
    formula *name_full;        /* of names, down to inputs; FORMULA_FALSE: not known */
    formula *instead; /* of definitions of `from`: the atom that takes their place, or FORMULA_FALSE */
} renaming;

/* ---- inputs ---- */

static bool is_same_input(const program_predicate *a, const program_predicate *b)
{
    return a->arity == b->arity && a->written == b->written && a->is_type == b->is_type &&
           !strcmp(a->name, b->name) && !memcmp(a->place, b->place, (size_t)a->written * sizeof *a->place);
}

/* Parts of `and` and `or` stand in the order in which they were built: first that of the program, whatever
 * the names say. */
static void keep_order(renaming *in)
{
    for (int d = in->from->input_count; d < in->from->predicate_count; d++)
        in->number[d] = PLACEHOLDERS + 1 + d;
    for (int d = in->from->input_count; d < in->from->predicate_count; d++)
        formula_copy(&in->made->store, &in->from->store, program_at(in->from, d)->body, in->number);
}

/* All inputs of the program; those of the names that are among them. */
static bool take_inputs(renaming *in)
{
    const nlm_program *from = in->from;
    for (int a = 0; a < from->attribute_count; a++)
        if (program_add_attribute(in->made, program_attribute_at(from, a)) < 0)
            return false;
    for (int i = 0; i < from->input_count; i++) {
        const program_predicate *input = program_at(from, i);
        in->number[i] = program_add_input(in->made, input->name, input->arity);
        if (in->number[i] < 0)
            return false;
        program_predicate *made = program_at(in->made, in->number[i]);
        made->written = input->written;
        made->is_type = input->is_type;
        made->comparison = input->comparison;
        memcpy(made->place, input->place, sizeof made->place);
    }
    for (int n = 0; n < in->names->input_count; n++) {
        in->name_number[n] = NOT_THERE;
        for (int i = 0; i < from->input_count; i++)
            if (is_same_input(program_at(from, i), program_at(in->names, n)))
                in->name_number[n] = i;
    }
    keep_order(in);
    return true;
}

/* ---- names ---- */

/* Whether the definition has its whole vocabulary in the made program, and says more than one literal. */
static bool is_usable(const renaming *in, int name)
{
    const program_predicate *of = program_at(in->names, name);
    int atoms, equalities;
    formula_count(&in->names->store, of->body, &atoms, &equalities);
    for (int p = 0; p < name; p++)
        if (in->name_number[p] == NOT_THERE && formula_has(&in->names->store, of->body, p))
            return false;
    for (int t = 0; t < in->from->target_count; t++) {
        const program_predicate *target = program_at(in->from, in->from->target[t]);
        if (target->arity == of->arity && !strcmp(target->name, of->name))
            return false;
    }
    return atoms > 0;
}

/* Definitions replaced by what they say, from the last to the first, as long as it stays short. */
static formula down_to_inputs(nlm_program *made, formula f, int below)
{
    formula_store *store = &made->store;
    for (int p = below - 1; p >= made->input_count; p--) {
        int atoms, equalities;
        if (!formula_has(store, f, p))
            continue;
        f = formula_expand(store, f, p, program_at(made, p)->body);
        formula_count(store, f, &atoms, &equalities);
        if (atoms + equalities > MOST_EXPANDED)
            return FORMULA_FALSE;
    }
    return f;
}

static bool take_names(renaming *in)
{
    for (int n = in->names->input_count; n < in->names->predicate_count; n++) {
        const program_predicate *name = program_at(in->names, n);
        in->name_number[n] = NOT_THERE;
        in->name_full[n] = FORMULA_FALSE;
        if (!is_usable(in, n))
            continue;
        const formula body = formula_copy(&in->made->store, &in->names->store, name->body, in->name_number);
        in->name_number[n] = program_add_definition(in->made, name->name, name->arity, body);
        if (in->name_number[n] < 0)
            return false;
        in->name_full[n] = down_to_inputs(in->made, body, in->name_number[n]);
    }
    return true;
}

/* ---- whole definitions ---- */

/* The next order of 0 ... count - 1; false after the last. */
static bool next_order(int *order, int count)
{
    int i = count - 2;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0)
        return false;
    int k = count - 1;
    while (order[k] < order[i])
        k--;
    for (int kept = order[i]; k >= 0; k = -1) {
        order[i] = order[k];
        order[k] = kept;
    }
    for (int a = i + 1, b = count - 1; a < b; a++, b--) {
        const int kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

/* The atom of a name that says what the formula does, with these arguments first that are in order. */
static formula atom_instead(renaming *in, formula full, int arity)
{
    formula_store *store = &in->made->store;
    const formula_node top = *formula_at(store, full);
    int order[FORMULA_VARIABLES];
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        order[v] = v;
    do
        for (int n = in->names->input_count; n < in->names->predicate_count; n++)
            if (in->name_number[n] != NOT_THERE && in->name_full[n] != FORMULA_FALSE &&
                program_at(in->names, n)->arity == arity &&
                formula_at(store, in->name_full[n])->kind == top.kind &&
                formula_at(store, in->name_full[n])->count == top.count &&
                formula_rename(store, in->name_full[n], order) == full)
                return program_atom(in->made, in->name_number[n], order);
    while (arity <= MOST_PERMUTED_ARITY && next_order(order, arity));
    return FORMULA_FALSE;
}

static bool is_target(const nlm_program *program, int predicate)
{
    for (int t = 0; t < program->target_count; t++)
        if (program->target[t] == predicate)
            return true;
    return false;
}

/* ---- parts ---- */

static bool is_literal(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    return node->kind != FORMULA_AND && node->kind != FORMULA_OR && node->kind != FORMULA_EXISTS &&
           (node->kind != FORMULA_NOT || is_literal(store, node->part));
}

/* Parts that are the body of a name become its atom. */
static formula with_name(renaming *in, formula f, int name)
{
    formula_store *store = &in->made->store;
    const formula body = program_at(in->made, in->name_number[name])->body;
    const int arity = program_at(in->names, name)->arity;
    int variable[FORMULA_VARIABLES], place[FORMULA_VARIABLES] = {0}, count;
    if (is_literal(store, body))
        return f;
    const formula like = formula_canonical(store, body, variable, &count);
    if (count != arity)
        return f;
    for (int i = 0; i < count; i++)
        place[variable[i]] = i;
    const formula found = formula_abstract(store, f, like, PLACEHOLDERS);
    if (found == f || store->failed)
        return f;
    return formula_expand(store, found, PLACEHOLDERS, program_atom(in->made, in->name_number[name], place));
}

static formula with_names(renaming *in, formula f)
{
    for (int n = in->names->input_count; n < in->names->predicate_count; n++)
        if (in->name_number[n] != NOT_THERE)
            f = with_name(in, f, n);
    return f;
}

/* ---- the program ---- */

static bool take_definition(renaming *in, int d)
{
    formula_store *store = &in->made->store;
    const program_predicate *of = program_at(in->from, d);
    formula body = formula_copy(store, &in->from->store, of->body, in->number);
    for (int p = in->from->input_count; p < d; p++)
        if (in->instead[p] != FORMULA_FALSE && formula_has(store, body, in->number[p]))
            body = formula_expand(store, body, in->number[p], in->instead[p]);
    const bool target = is_target(in->from, d);
    const formula full = down_to_inputs(in->made, body, in->made->predicate_count);
    in->instead[d] = target || full == FORMULA_FALSE ? FORMULA_FALSE : atom_instead(in, full, of->arity);
    if (in->instead[d] != FORMULA_FALSE)
        return !store->failed; /* its number stays that of a placeholder */
    const formula named = with_names(in, body);
    if (formula_at(store, named)->kind != FORMULA_ATOM) /* not only another name for all of it */
        body = named;
    in->number[d] = program_add_definition(in->made, of->name, of->arity, body);
    if (in->number[d] < 0)
        return false;
    program_at(in->made, in->number[d])->unnamed = of->unnamed;
    program_at(in->made, in->number[d])->written = of->written;
    memcpy(program_at(in->made, in->number[d])->place, of->place, sizeof of->place);
    return !store->failed;
}

/* The names that targets need. */
static bool count_used(const renaming *in, int *used)
{
    const nlm_program *made = in->made;
    bool *needed = memory_new((size_t)made->predicate_count, sizeof *needed);
    *used = 0;
    for (int t = 0; t < made->target_count && needed; t++)
        needed[made->target[t]] = true;
    for (int p = made->predicate_count - 1; p >= made->input_count && needed; p--)
        for (int d = made->input_count; d < p && needed[p]; d++)
            needed[d] = needed[d] || formula_has(&made->store, program_at(made, p)->body, d);
    for (int n = in->names->input_count; n < in->names->predicate_count && needed; n++)
        *used += in->name_number[n] != NOT_THERE && needed[in->name_number[n]];
    memory_free(needed);
    return needed != NULL;
}

nlm_status nlm_program_with_names(const nlm_program *program, const nlm_program *names, int *used,
                                  nlm_program **made, nlm_error *error)
{
    REQUIRE(program && names && used && made, error);
    const size_t count = (size_t)program->predicate_count, others = (size_t)names->predicate_count;
    renaming in = {.from = program, .names = names};
    *made = NULL;
    if (names->predicate_count - names->input_count > MOST_NAMES)
        return error_set(error, NLM_BAD_ARGUMENT, "at most %d names can be given", MOST_NAMES);
    nlm_status status = program_new(&in.made, error);
    if (status != NLM_OK)
        return status;
    in.number = memory_new(count, sizeof *in.number);
    in.instead = memory_new(count, sizeof *in.instead);
    in.name_number = memory_new(others, sizeof *in.name_number);
    in.name_full = memory_new(others, sizeof *in.name_full);
    bool good =
        in.number && in.instead && in.name_number && in.name_full && take_inputs(&in) && take_names(&in);
    for (int d = program->input_count; d < program->predicate_count && good; d++)
        good = take_definition(&in, d);
    for (int t = 0; t < program->target_count && good; t++)
        in.made->target[in.made->target_count++] = in.number[program->target[t]];
    if (good)
        good = count_used(&in, used);
    memory_free(in.number);
    memory_free(in.instead);
    memory_free(in.name_number);
    memory_free(in.name_full);
    if (good && !in.made->store.failed) {
        *made = in.made;
        return NLM_OK;
    }
    nlm_program_free(in.made);
    return error_no_memory(error);
}
