#include "learn/policy_shorten.h"
#include <string.h>
#include "base/error.h"
#include "logic/simplify.h"

enum {
    MOST_TESTS = 20000, /* of simplifying one rule */
    MOST_ROUNDS = 12,   /* of counterexamples to a list */
    JOINING = 8         /* of them */
};

static void remove_rule(struct policy_program *list, int at)
{
    list->rules--;
    memmove(&list->rule[at], &list->rule[at + 1], (size_t)(list->rules - at) * sizeof *list->rule);
}

/* Rules that no instance needs, the last first. */
static nlm_status drop_rules(struct policy_set *set, struct policy_program *list, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int at = list->rules - 1; at >= 0 && list->rules > 1 && !status; at--) {
        const int rule = list->rule[at];
        bool right = false;
        remove_rule(list, at);
        status = policy_set_test(set, &list->player, &right, error);
        if (!right) {
            memmove(&list->rule[at + 1], &list->rule[at], (size_t)(list->rules - at) * sizeof rule);
            list->rule[at] = rule;
            list->rules++;
        }
    }
    return status;
}

/* ---- simplifying ---- */

/* A rule that is simplified, in its list. */
struct trying {
    struct policy_program *list;
    struct policy_set *set;
};

static nlm_status agrees(void *context, formula f, bool *yes, nlm_error *error)
{
    struct trying *of = context;
    of->list->trial = f;
    *yes = false;
    const nlm_status status = policy_set_test(of->set, &of->list->player, yes, error);
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status; /* too large for tables: another formula may fit */
}

static void forget(void *context)
{
    policy_program_forget(((struct trying *)context)->list);
}

/* Negated atoms in a formula. */
static int negations(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    int count = node->kind == FORMULA_NOT && formula_at(store, node->part)->kind == FORMULA_ATOM;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        return count + negations(store, node->part);
    for (uint32_t i = 0; i < node->count; i++)
        count += negations(store, formula_parts(store, f)[i]);
    return count;
}

/* f with an atom of `second` in the place of each negated one of `first`, its arguments turned round or not.
 */
static formula exchanged(nlm_program *program, formula f, int first, int second, bool turned)
{
    formula_store *store = &program->store;
    const formula_node node = *formula_at(store, f);
    if (node.kind == FORMULA_NOT) {
        const formula_node atom = *formula_at(store, node.part);
        if (atom.kind != FORMULA_ATOM || atom.predicate != first)
            return formula_not(store, exchanged(program, node.part, first, second, turned));
        int variable[FORMULA_MOST_ARITY];
        for (int k = 0; k < atom.arity; k++)
            variable[k] = atom.variable[turned ? atom.arity - 1 - k : k];
        return program_atom(program, second, variable);
    }
    if (node.kind == FORMULA_EXISTS)
        return formula_exists(store, node.bound, exchanged(program, node.part, first, second, turned));
    if (node.kind != FORMULA_AND && node.kind != FORMULA_OR)
        return f;
    formula sum = node.kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    for (uint32_t i = 0; i < node.count; i++) {
        const formula part = exchanged(program, formula_parts(store, f)[i], first, second, turned);
        sum = node.kind == FORMULA_AND ? formula_and2(store, sum, part) : formula_or2(store, sum, part);
    }
    return sum;
}

/* What a game shows often has opposites, before and after, and a rule without "not" reads better: negated
 * atoms of a predicate become those of another where that agrees. */
static nlm_status prefer_positive(struct trying *of, int arity, formula *f, nlm_error *error)
{
    nlm_program *program = of->list->program;
    simplification by = {.program = program, .arity = arity};
    nlm_status status = NLM_OK;
    for (int a = 0; a < program->input_count; a++)
        for (int b = 0; b < program->input_count && formula_has(&program->store, *f, a) && !status; b++)
            for (int turned = 0; turned < 2 && !status; turned++) {
                bool yes = false;
                if (b == a || program_at(program, b)->arity != program_at(program, a)->arity)
                    continue;
                const formula g = exchanged(program, *f, a, b, turned);
                if (negations(&program->store, g) < negations(&program->store, *f) &&
                    simplify_cost(&by, g) <= simplify_cost(&by, *f))
                    status = agrees(of, g, &yes, error);
                if (yes)
                    *f = g;
            }
    return status;
}

static nlm_status simplify_rule(struct policy_set *set, struct policy_program *list, int at, nlm_error *error)
{
    struct trying of = {list, set};
    program_predicate *rule = program_at(list->program, list->rule[at]);
    simplification by = {list->program, rule->arity, agrees, forget, &of, MOST_TESTS, 0};
    formula f = rule->body;
    list->tried = at;
    list->trial = f;
    nlm_status status = simplify(&by, &f, error);
    if (!status)
        status = prefer_positive(&of, rule->arity, &f, error);
    list->tried = -1;
    program_at(list->program, list->rule[at])->body = f;
    return status;
}

/* Fresh instances; those that the list fails on join the set.  Then all begins again with the list as it was
 * read, which solves them. */
static nlm_status verify(struct policy_fresh *fresh, struct policy_set *set, struct policy_program *list,
                         int *failures, nlm_error *error)
{
    int failure[JOINING], asked;
    nlm_status status = policy_fresh_verify(fresh, &list->player, set->position, NULL, JOINING, failure,
                                            &asked, failures, error);
    for (int i = 0; i < *failures && !status; i++) {
        struct policy_instance instance;
        status = policy_fresh_instance(fresh, failure[i], &instance, error);
        if (!status)
            status = policy_set_add(set, instance, error);
    }
    return status;
}

/* One round; *failures counts the counterexamples that were found. */
static nlm_status shorten_once(struct policy_fresh *fresh, struct policy_set *set,
                               struct policy_program *list, bool *right, int *failures, nlm_error *error)
{
    nlm_status status = policy_set_test(set, &list->player, right, error);
    if (status || !*right)
        return status;
    status = drop_rules(set, list, error);
    for (int at = 0; at < list->rules && !status; at++)
        status = simplify_rule(set, list, at, error);
    if (!status)
        status = drop_rules(set, list, error);
    return status ? status : verify(fresh, set, list, failures, error);
}

nlm_status policy_shorten(struct policy_fresh *fresh, struct policy_set *set, nlm_program **program,
                          struct policy_program *list, bool *found, nlm_error *error)
{
    nlm_program *original = NULL;
    int rule[POLICY_MOST_RULES], failures = 1;
    const int rules = list->rules;
    memcpy(rule, list->rule, sizeof rule);
    nlm_status status = program_copy(*program, &original, error);
    bool right = true;
    for (int round = 0; round < MOST_ROUNDS && failures > 0 && right && !status; round++) {
        if (round > 0) {
            policy_program_release(list);
            nlm_program_free(*program);
            *program = NULL;
            status = program_copy(original, program, error);
            if (!status)
                status = policy_program_init(list, *program, error);
            memcpy(list->rule, rule, sizeof rule);
            list->rules = rules;
        }
        if (!status)
            status = shorten_once(fresh, set, list, &right, &failures, error);
    }
    *found = !status && right && failures == 0;
    nlm_program_free(original);
    return status;
}
