/* What follows from rules (datalog.h): stratum by stratum, in rounds.
 *
 * Invariant: in a round a goal of the stratum at hand is asked for the tuples of the last round, [from, to),
 * and every other one for all; so each conclusion that is new to a round is found in it. */
#include "facts/datalog_parts.h"

#include <string.h>
#include "base/error.h"

/* ---- strata ---- */

/* A rule's stratum is no lower than those it reads, and higher than those it negates. */
static nlm_status find_strata(evaluation *of, int *stratum)
{
    for (bool more = true; more;) {
        more = false;
        for (int r = 0; r < of->rules->rule_count; r++) {
            datalog_rule *rule = datalog_rule_at(of->rules, r);
            int *own = &stratum[rule->predicate];
            for (int g = 0; g < rule->goals; g++) {
                const datalog_goal *goal = datalog_goal_at(of->rules, rule, g);
                if (goal->kind != DATALOG_ATOM && goal->kind != DATALOG_NOT)
                    continue;
                const int least = stratum[goal->predicate] + (goal->kind == DATALOG_NOT);
                if (*own >= least)
                    continue;
                *own = least;
                more = true;
                if (*own > of->rules->rule_count)
                    return message_refuse(
                        of->error, rule->file, rule->line,
                        "%s/%d depends on its own negation: such rules have no single meaning; "
                        "negate a predicate that does not depend on this one",
                        message_cut_text(names_at(&of->draft->predicates, rule->predicate)->text).text,
                        rule->arity);
            }
        }
    }
    for (int r = 0; r < of->rules->rule_count; r++) {
        datalog_rule *rule = datalog_rule_at(of->rules, r);
        rule->stratum = stratum[rule->predicate];
        of->strata = rule->stratum + 1 > of->strata ? rule->stratum + 1 : of->strata;
    }
    return NLM_OK;
}

/* The tuples since the last round are the new ones; whether there are any. */
static bool begin_round(evaluation *of)
{
    bool more = false;
    for (int p = 0; p < of->relations; p++) {
        relation *in = relation_at(of, p);
        in->from = in->to;
        in->to = in->tuples.count;
        more |= in->to > in->from;
    }
    return more;
}

static nlm_status evaluate_stratum(evaluation *of, int stratum)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < of->relations; p++)
        relation_at(of, p)->to = relation_at(of, p)->tuples.count;
    for (int r = 0; r < of->rules->rule_count && !status; r++)
        if (datalog_rule_at(of->rules, r)->stratum == stratum)
            status = datalog_apply(of, datalog_rule_at(of->rules, r), ANY_GOAL);
    while (!status && begin_round(of))
        for (int r = 0; r < of->rules->rule_count; r++) {
            const datalog_rule *rule = datalog_rule_at(of->rules, r);
            for (int g = 0; g < rule->goals && rule->stratum == stratum && !status; g++) {
                const datalog_goal *goal = datalog_goal_at(of->rules, rule, g);
                if (goal->kind == DATALOG_ATOM &&
                    relation_at(of, goal->predicate)->to > relation_at(of, goal->predicate)->from)
                    status = datalog_apply(of, rule, g);
            }
        }
    return status;
}

/* ---- facts ---- */

static nlm_status add_to_domain(evaluation *of, const draft_statement *statement, bool *known)
{
    if (buffer_reserve(&of->domain, of->domain_count + (size_t)statement->arity, sizeof(int), true))
        return error_no_memory(of->error);
    for (int k = 0; k < statement->arity; k++)
        if (!known[statement->atoms[k]]) {
            known[statement->atoms[k]] = true;
            ((int *)of->domain.data)[of->domain_count++] = statement->atoms[k];
        }
    return NLM_OK;
}

static void note_uses(evaluation *of)
{
    for (int r = 0; r < of->rules->rule_count; r++) {
        const datalog_rule *rule = datalog_rule_at(of->rules, r);
        relation *head = relation_at(of, rule->predicate);
        head->used = head->closed = true;
        head->rule = head->rule ? head->rule : rule;
        for (int g = 0; g < rule->goals; g++) {
            const datalog_goal *goal = datalog_goal_at(of->rules, rule, g);
            if (goal->kind == DATALOG_ATOM || goal->kind == DATALOG_NOT)
                relation_at(of, goal->predicate)->used = true;
        }
    }
}

/* The world's facts into the relations that rules speak of. */
static nlm_status load(evaluation *of)
{
    const draft_world *world = draft_world_at(of->draft, of->draft->world_count - 1);
    bool *known = memory_new((size_t)of->draft->atoms.count + 1, sizeof *known);
    draft_statement statement;
    nlm_status status = known ? NLM_OK : error_no_memory(of->error);
    note_uses(of);
    for (int p = 0; p < of->relations; p++) {
        relation *in = relation_at(of, p);
        in->arity = names_at(&of->draft->predicates, p)->arity;
        tuple_set_clear(&in->tuples, in->arity);
        in->closed |= draft_at(of->draft, p)->body || draft_at(of->draft, p)->head;
    }
    for (size_t at = 0; !status && draft_next(of->draft, world, &at, &statement);) {
        relation *in = relation_at(of, statement.predicate);
        status = add_to_domain(of, &statement, known);
        if (!status && in->used && statement.kind == DRAFT_FACT)
            status = datalog_add_tuple(of, in, statement.atoms);
    }
    for (int p = 0; p < of->relations; p++)
        relation_at(of, p)->facts = relation_at(of, p)->tuples.count;
    memory_free(known);
    return status;
}

/* A predicate that a rule asks for and that nothing is about: a slip of the pen, perhaps. */
static nlm_status note_missing(evaluation *of)
{
    nlm_status status = NLM_OK;
    for (int r = 0; r < of->rules->rule_count && !status; r++) {
        const datalog_rule *rule = datalog_rule_at(of->rules, r);
        for (int g = 0; g < rule->goals && !status; g++) {
            const datalog_goal *goal = datalog_goal_at(of->rules, rule, g);
            relation *in = relation_at(of, goal->predicate);
            if ((goal->kind != DATALOG_ATOM && goal->kind != DATALOG_NOT) || in->closed ||
                in->tuples.count > 0)
                continue;
            in->closed = true;
            const name_entry *name = names_at(&of->draft->predicates, goal->predicate);
            status = notes_add(&of->draft->notes, of->error,
                               "%.200s:%zu: %s/%d has neither facts nor rules: taken as empty", rule->file,
                               goal->line, message_cut(name->text, name->length).text, name->arity);
        }
    }
    return status;
}

/* New tuples join the world's facts. */
static nlm_status store(evaluation *of)
{
    nlm_status status = NLM_OK;
    size_t count = 0;
    for (int p = 0; p < of->relations; p++) {
        relation *in = relation_at(of, p);
        for (size_t n = in->facts; n < in->tuples.count && !status; n++, count++)
            status =
                draft_add_known(of->draft, draft_world_at(of->draft, of->draft->world_count - 1), DRAFT_FACT,
                                p, tuple_set_at(&in->tuples, n), in->rule->file, in->rule->line, of->error);
    }
    const int rules = of->rules->rule_count;
    return status ? status
                  : notes_add(&of->draft->notes, of->error, "%.200s: %zu fact%s from %d rule%s",
                              datalog_rule_at(of->rules, 0)->file, count,
                              count == 1 ? " follows" : "s follow", rules, rules == 1 ? "" : "s");
}

static void release(evaluation *of)
{
    for (int p = 0; p < of->relations && of->relation; p++) {
        tuple_set_free(&of->relation[p].tuples);
        for (int k = 0; k < NLM_MAX_FACT_ARITY; k++) {
            buffer_free(&of->relation[p].first[k]);
            buffer_free(&of->relation[p].next[k]);
        }
    }
    memory_free(of->relation);
    buffer_free(&of->domain);
}

nlm_status datalog_evaluate(draft *in, nlm_error *error)
{
    if (!in->rules)
        return NLM_OK;
    evaluation of = {.draft = in, .rules = in->rules, .relations = in->predicates.count, .error = error};
    of.relation = memory_new((size_t)of.relations, sizeof *of.relation);
    int *stratum = memory_new((size_t)of.relations, sizeof *stratum);
    nlm_status status = of.relation && stratum ? load(&of) : error_no_memory(error);
    if (!status)
        status = find_strata(&of, stratum);
    if (!status)
        status = note_missing(&of);
    for (int s = 0; s < of.strata && !status; s++)
        status = evaluate_stratum(&of, s);
    if (!status)
        status = store(&of);
    release(&of);
    memory_free(stratum);
    datalog_free(in->rules);
    in->rules = NULL;
    return status;
}
