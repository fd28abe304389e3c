/* One rule at a time: its goals are asked one after the other, each in all ways in which it holds, and each
 * way that is left at the end is a conclusion.  Which goal is next depends on what is bound: tests first. */
#include "facts/datalog_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/number.h"

/* ---- relations ---- */

static nlm_status chain(evaluation *of, relation *to, int place, int atom, size_t number)
{
    const size_t atoms = (size_t)of->draft->atoms.count, had = to->first[place].capacity / sizeof(int);
    if (had < atoms && buffer_reserve(&to->first[place], atoms, sizeof(int), true))
        return error_no_memory(of->error);
    const size_t has = to->first[place].capacity / sizeof(int);
    if (has > had)
        memset((int *)to->first[place].data + had, 0, (has - had) * sizeof(int));
    if (buffer_reserve(&to->next[place], number + 1, sizeof(int), true))
        return error_no_memory(of->error);
    ((int *)to->next[place].data)[number] = ((int *)to->first[place].data)[atom];
    ((int *)to->first[place].data)[atom] = (int)number + 1;
    return NLM_OK;
}

nlm_status datalog_add_tuple(evaluation *of, relation *to, const int *tuple)
{
    const size_t number = to->tuples.count;
    nlm_status status = tuple_set_add(&to->tuples, tuple, 1) ? error_no_memory(of->error) : NLM_OK;
    if (to->tuples.count == number)
        return status;
    for (int k = 0; k < to->arity && !status; k++)
        status = chain(of, to, k, tuple[k], number);
    if (!status && ++of->facts > DATALOG_MOST_FACTS && of->rule)
        return message_refuse(of->error, of->rule->file, of->rule->line,
                              "more than %d facts follow from the rules: does a number grow without end?",
                              DATALOG_MOST_FACTS);
    return status;
}

/* ---- values ---- */

static int value_of(const evaluation *of, datalog_term term)
{
    return term_is_variable(term) ? of->value[term] : -1 - term;
}

static bool number_of_atom(const evaluation *of, int atom, double *number)
{
    const char *text = names_at(&of->draft->atoms, atom)->text;
    return number_of(text) != NUMBER_NONE && number_read(text, number);
}

/* False if a variable is no number or the result is none. */
static bool compute(const evaluation *of, int expression, double *result)
{
    const datalog_expression *e = (const datalog_expression *)of->rules->expressions.data + expression;
    double a = 0, b = 0;
    if (e->operation == 'n') {
        *result = e->number;
        return true;
    }
    if (e->operation == 'v')
        return number_of_atom(of, of->value[e->variable], result);
    if (!compute(of, e->left, &a) || (e->operation != 'a' && !compute(of, e->right, &b)))
        return false;
    switch (e->operation) {
    case '+':
        *result = a + b;
        break;
    case '-':
        *result = a - b;
        break;
    case '*':
        *result = a * b;
        break;
    case '/':
        *result = a / b;
        break;
    case 'd':
        *result = trunc(a / b);
        break;
    case 'm':
        *result = a - b * floor(a / b);
        break;
    case 'a':
        *result = fabs(a);
        break;
    case '<':
        *result = fmin(a, b);
        break;
    default:
        *result = fmax(a, b);
        break;
    }
    return isfinite(*result);
}

static bool compare(const evaluation *of, const datalog_goal *goal)
{
    double a, b;
    if (!compute(of, goal->left, &a) || !compute(of, goal->right, &b))
        return false;
    switch (goal->kind) {
    case DATALOG_LESS:
        return a < b;
    case DATALOG_MORE:
        return a > b;
    case DATALOG_AT_MOST:
        return a <= b;
    case DATALOG_AT_LEAST:
        return a >= b;
    case DATALOG_SAME:
        return !(a < b) && !(a > b);
    default:
        return a < b || a > b;
    }
}

/* The atom that a number is written as. */
static nlm_status atom_of_number(evaluation *of, double number, int *atom)
{
    char text[NUMBER_SIZE];
    if (number == trunc(number) && fabs(number) < 1e15)
        snprintf(text, sizeof text, "%.0f", number + 0.0);
    else
        number_text(number, text);
    *atom = draft_atom(of->draft, text, strlen(text));
    return *atom < 0 ? error_no_memory(of->error) : NLM_OK;
}

static bool has_kind(const evaluation *of, datalog_kind kind, int atom)
{
    const number_kind number = number_of(names_at(&of->draft->atoms, atom)->text);
    return kind == DATALOG_IS_NUMBER    ? number != NUMBER_NONE
           : kind == DATALOG_IS_INTEGER ? number == NUMBER_INTEGER
                                        : number == NUMBER_NONE;
}

/* ---- goals ---- */

static nlm_status next_goal(evaluation *of);

static nlm_status conclude(evaluation *of)
{
    int tuple[NLM_MAX_FACT_ARITY];
    for (int k = 0; k < of->rule->arity; k++)
        tuple[k] = value_of(of, of->rule->term[k]);
    return datalog_add_tuple(of, relation_at(of, of->rule->predicate), tuple);
}

/* Give the terms of a goal a tuple's atoms; *bound becomes the variables that had no value.  False if one has
 * another. */
static bool bind(evaluation *of, const datalog_goal *goal, const int *tuple, uint32_t *bound)
{
    *bound = 0;
    for (int k = 0; k < goal->arity; k++) {
        const int value = value_of(of, goal->term[k]);
        if (value == UNBOUND) {
            of->value[goal->term[k]] = tuple[k];
            *bound |= 1u << goal->term[k];
        } else if (value != tuple[k])
            return false;
    }
    return true;
}

static void unbind(evaluation *of, uint32_t bound)
{
    for (; bound; bound &= bound - 1)
        of->value[__builtin_ctz(bound)] = UNBOUND;
}

static nlm_status count_step(evaluation *of)
{
    if (++of->steps <= DATALOG_MOST_STEPS)
        return NLM_OK;
    return message_refuse(
        of->error, of->rule->file, of->rule->line,
        "the rules up to this one take more than %d steps: give the facts that follow from them",
        DATALOG_MOST_STEPS);
}

/* The place of a goal with a value whose chain can be followed; -1: none. */
static int bound_place(const evaluation *of, const datalog_goal *goal)
{
    for (int k = 0; k < goal->arity; k++)
        if (value_of(of, goal->term[k]) != UNBOUND)
            return k;
    return -1;
}

/* The number behind the last tuple with the goal's atom at a place, and that of the one before a tuple. */
static size_t chain_first(const evaluation *of, const relation *in, const datalog_goal *goal, int place)
{
    const size_t atom = (size_t)value_of(of, goal->term[place]);
    return atom < in->first[place].capacity / sizeof(int) ? (size_t)((const int *)in->first[place].data)[atom]
                                                          : 0;
}

typedef nlm_status (*tuple_use)(evaluation *of, bool *more);

static nlm_status go_on(evaluation *of, bool *more)
{
    (void)more;
    return next_goal(of);
}

static nlm_status stop_there(evaluation *of, bool *more)
{
    (void)of;
    *more = false;
    return NLM_OK;
}

/* All tuples of the goal's relation from `from` to `to` that fit, until *more is false. */
static nlm_status for_tuples(evaluation *of, const datalog_goal *goal, size_t from, size_t to, tuple_use use,
                             bool *more)
{
    relation *in = relation_at(of, goal->predicate);
    const int place = bound_place(of, goal);
    nlm_status status = NLM_OK;
    size_t after = place < 0 ? to : chain_first(of, in, goal, place);
    while (after > from && *more && !status) {
        const size_t number = after - 1;
        uint32_t bound = 0;
        int tuple[NLM_MAX_FACT_ARITY] = {0};
        if (goal->arity)
            memcpy(tuple, tuple_set_at(&in->tuples, number), (size_t)goal->arity * sizeof *tuple);
        status = count_step(of);
        if (!status && number < to && bind(of, goal, tuple, &bound))
            status = use(of, more);
        unbind(of, bound);
        after = place < 0 ? number : (size_t)((const int *)in->next[place].data)[number];
    }
    return status;
}

static nlm_status ask_atom(evaluation *of, const datalog_goal *goal, bool is_new)
{
    const relation *in = relation_at(of, goal->predicate);
    bool more = true;
    return for_tuples(of, goal, is_new ? in->from : 0, is_new ? in->to : in->tuples.count, go_on, &more);
}

static nlm_status ask_negation(evaluation *of, const datalog_goal *goal)
{
    bool none = true;
    const nlm_status status =
        for_tuples(of, goal, 0, relation_at(of, goal->predicate)->tuples.count, stop_there, &none);
    return status || !none ? status : next_goal(of);
}

static nlm_status with_value(evaluation *of, datalog_term term, int value)
{
    const int before = value_of(of, term);
    if (before != UNBOUND)
        return before == value ? next_goal(of) : NLM_OK;
    of->value[term] = value;
    const nlm_status status = next_goal(of);
    of->value[term] = UNBOUND;
    return status;
}

static nlm_status ask_kind(evaluation *of, const datalog_goal *goal)
{
    const int value = value_of(of, goal->term[0]);
    nlm_status status = NLM_OK;
    if (value != UNBOUND)
        return has_kind(of, goal->kind, value) ? next_goal(of) : NLM_OK;
    for (size_t i = 0; i < of->domain_count && !status; i++) {
        const int atom = ((const int *)of->domain.data)[i];
        status = count_step(of);
        if (!status && has_kind(of, goal->kind, atom))
            status = with_value(of, goal->term[0], atom);
    }
    return status;
}

static nlm_status ask(evaluation *of, const datalog_goal *goal, bool is_new)
{
    const int left = goal->arity > 0 ? value_of(of, goal->term[0]) : UNBOUND;
    double number;
    int atom;
    nlm_status status;
    switch (goal->kind) {
    case DATALOG_ATOM:
        return ask_atom(of, goal, is_new);
    case DATALOG_NOT:
        return ask_negation(of, goal);
    case DATALOG_EQUAL:
        return left == UNBOUND ? with_value(of, goal->term[0], value_of(of, goal->term[1]))
                               : with_value(of, goal->term[1], left);
    case DATALOG_DIFFERENT:
        return left == value_of(of, goal->term[1]) ? NLM_OK : next_goal(of);
    case DATALOG_IS:
        if (!compute(of, goal->right, &number))
            return NLM_OK;
        status = atom_of_number(of, number, &atom);
        return status ? status : with_value(of, goal->term[0], atom);
    case DATALOG_IS_NUMBER:
    case DATALOG_IS_INTEGER:
    case DATALOG_IS_NAME:
        return ask_kind(of, goal);
    case DATALOG_FAIL:
        return NLM_OK;
    default:
        return compare(of, goal) ? next_goal(of) : NLM_OK;
    }
}

static uint32_t bound_now(const evaluation *of)
{
    uint32_t bound = 0;
    for (int v = 0; v < of->rule->variables && v < DATALOG_VARIABLES; v++)
        bound |= (uint32_t)(of->value[v] != UNBOUND) << v;
    return bound;
}

/* How soon a goal should be asked: tests first, then facts with something bound, then all others; 0: not yet.
 */
static int urgency(const evaluation *of, const datalog_goal *goal, uint32_t bound)
{
    const uint32_t open = goal->variables & ~bound;
    switch (goal->kind) {
    case DATALOG_ATOM:
        return !open ? 5 : goal->variables & bound || bound_place(of, goal) >= 0 ? 3 : 2;
    case DATALOG_NOT:
        return (open & ~of->rule->apart) == 0 ? 4 : 0;
    case DATALOG_EQUAL:
        return (open & (open - 1)) == 0 ? 6 : 0;
    case DATALOG_IS:
        return (open & ~(1u << goal->term[0])) == 0 ? 6 : 0;
    case DATALOG_IS_NUMBER:
    case DATALOG_IS_INTEGER:
    case DATALOG_IS_NAME:
        return open ? 1 : 6;
    default:
        return open ? 0 : 6;
    }
}

/* The next goal of the rule, or its conclusion.  There always is one that can be asked (datalog_read.c). */
static nlm_status next_goal(evaluation *of)
{
    const uint32_t bound = bound_now(of);
    int best = -1, most = 0;
    for (int g = 0; g < of->rule->goals; g++) {
        const int urgent = of->done >> g & 1 ? 0
                           : g == of->delta  ? 7
                                             : urgency(of, datalog_goal_at(of->rules, of->rule, g), bound);
        if (urgent > most) {
            most = urgent;
            best = g;
        }
    }
    if (best < 0)
        return conclude(of);
    of->done |= (uint64_t)1 << best;
    const nlm_status status = ask(of, datalog_goal_at(of->rules, of->rule, best), best == of->delta);
    of->done &= ~((uint64_t)1 << best);
    return status;
}

nlm_status datalog_apply(evaluation *of, const datalog_rule *rule, int delta)
{
    of->rule = rule;
    of->delta = delta;
    of->done = 0;
    for (int v = 0; v < DATALOG_VARIABLES; v++)
        of->value[v] = UNBOUND;
    return next_goal(of);
}
