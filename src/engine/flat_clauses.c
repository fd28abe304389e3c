/* Expanding clauses.
 *
 *     uncle(X, Y) :- parent(X, Z), son(Z, Y).     uncle(X, Y) :- father(X, Z), son(Z, Y).
 *     parent(X, Y) :- father(X, Y).           ->  uncle(X, Y) :- mother(X, Z), son(Z, Y).
 *     parent(X, Y) :- mother(X, Y).
 *
 * Definitions have no cycles, so this ends; their number is bounded, since they multiply. */
#include "engine/flat_clauses.h"

#include <string.h>
#include "base/error.h"

enum { MOST_FLAT = 256 /* clauses of one definition */ };

static nlm_status too_many(const joins *in, int predicate, nlm_error *error)
{
    const bool named = predicate < in->print.program->predicate_count;
    return error_set(error, NLM_BAD_ARGUMENT, "the rules of %.100s take more than %d joins or %d variables",
                     named ? program_at(in->print.program, predicate)->name : "a helper", MOST_FLAT,
                     CLAUSE_VARIABLES);
}

static bool is_definition(const joins *in, const clause_literal *literal)
{
    return literal->predicate >= in->print.program->input_count;
}

/* The first positive literal that is a definition, or -1. */
static int find_definition(const joins *in, const clause *c)
{
    const clause_literal *literals = clause_literals(&in->print.made, c);
    for (uint32_t l = 0; l < c->count; l++)
        if (!literals[l].negated && is_definition(in, &literals[l]))
            return (int)l;
    return -1;
}

static nlm_status reserve(joins *in, size_t literals, nlm_error *error)
{
    clauses *made = &in->print.made;
    if (buffer_reserve(&in->flat, (size_t)in->flat_count + 2, sizeof(clause), true) ||
        buffer_reserve(&made->literals, made->literal_count + literals, sizeof(clause_literal), true))
        return error_no_memory(error);
    return NLM_OK;
}

/* `outer` with literal number l replaced by the body of `inner`, at the end of the list. */
static nlm_status append_expanded(joins *in, clause outer, int l, clause inner, int predicate,
                                  nlm_error *error)
{
    nlm_status status = reserve(in, outer.count + inner.count, error);
    if (status)
        return status;
    clauses *made = &in->print.made;
    clause_literal *all = made->literals.data;
    const clause_literal replaced = all[outer.first + (uint32_t)l];
    clause whole = {.head = outer.head, .first = made->literal_count, .variables = outer.variables};
    int number[CLAUSE_VARIABLES];
    for (int v = 0; v < inner.variables; v++)
        number[v] = v < replaced.arity ? replaced.variable[v] : whole.variables++;
    if (whole.variables >= CLAUSE_VARIABLES)
        return too_many(in, predicate, error);
    for (uint32_t k = 0; k < outer.count; k++)
        if (k != (uint32_t)l)
            all[made->literal_count++] = all[outer.first + k];
    for (uint32_t k = 0; k < inner.count; k++) {
        clause_literal literal = all[inner.first + k];
        for (int i = 0; i < literal.arity; i++)
            if (literal.variable[i] != CLAUSE_ANONYMOUS)
                literal.variable[i] = (uint8_t)number[literal.variable[i]];
        all[made->literal_count++] = literal;
    }
    whole.count = made->literal_count - whole.first;
    ((clause *)in->flat.data)[in->flat_count++] = whole;
    return NLM_OK;
}

/* All expansions of flat clause number c by its literal l take its place, in their order. */
static nlm_status expand(joins *in, int c, int l, int predicate, nlm_error *error)
{
    const clause outer = *flat_at(in, c);
    const int definition = clause_literals(&in->print.made, &outer)[l].predicate, before = in->flat_count;
    nlm_status status = NLM_OK;
    for (int d = in->print.first[definition]; d >= 0 && !status; d = in->print.next[d])
        status = append_expanded(in, outer, l, *clauses_at(&in->print.made, (uint32_t)d), predicate, error);
    const int added = in->flat_count - before;
    if (status || added == 0) { /* a definition without clauses is false */
        memmove((clause *)in->flat.data + c, (clause *)in->flat.data + c + 1,
                (size_t)(in->flat_count - c - 1) * sizeof(clause));
        in->flat_count--;
        return status;
    }
    ((clause *)in->flat.data)[c] = *flat_at(in, --in->flat_count);
    return NLM_OK;
}

nlm_status flat_clauses(joins *in, int predicate, flat_range *range, nlm_error *error)
{
    flat_range *known = &in->flat_of[predicate];
    nlm_status status = NLM_OK;
    *range = *known;
    if (known->made)
        return NLM_OK;
    known->first = in->flat_count;
    for (int c = in->print.first[predicate]; c >= 0 && !status; c = in->print.next[c]) {
        status = reserve(in, 0, error);
        if (!status)
            ((clause *)in->flat.data)[in->flat_count++] = *clauses_at(&in->print.made, (uint32_t)c);
    }
    for (int c = known->first; c < in->flat_count && !status;) {
        const int l = find_definition(in, flat_at(in, c));
        if (l < 0)
            c++;
        else if (in->flat_count - known->first > MOST_FLAT)
            status = too_many(in, predicate, error);
        else
            status = expand(in, c, l, predicate, error);
    }
    known->count = in->flat_count - known->first;
    known->made = !status;
    *range = *known;
    return status;
}
