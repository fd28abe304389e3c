/* For the tests of labels that are wrong: people with departments and managers, a bonus for those whose
 * manager is in department it, and some labels flipped. */
#ifndef TESTS_LEARN_NOISY_FACTS_H
#define TESTS_LEARN_NOISY_FACTS_H

#include "facts/files.h"

#include "learn/fit_clauses.h"
#include "learn/clause_program.h"
#include "nlm/settings.h"

/* Facts and examples as two files of a folder. */
static inline nlm_problem *noisy_read(const char *facts, const char *examples)
{
    files_write("noisy/bk.pl", facts);
    files_write("noisy/exs.pl", examples);
    return files_read("noisy", NULL);
}

static inline nlm_problem *noisy_problem(int people, const int *flipped, int count)
{
    static char facts[1 << 14], examples[1 << 14];
    char *fact = facts, *example = examples;
    for (int i = 0; i < people; i++) {
        const int manager = (i * 7 + 3) % people;
        bool bonus = manager % 5 < 2;
        for (int f = 0; f < count; f++)
            bonus ^= flipped[f] == i;
        fact += sprintf(fact, "%s(p%d).\n", i % 5 < 2 ? "it" : i % 5 < 4 ? "sales" : "legal", i);
        if (manager != i)
            fact += sprintf(fact, "manager(p%d, p%d).\n", i, manager);
        example += sprintf(example, "%s(bonus(p%d)).\n", bonus ? "pos" : "neg", i);
    }
    return noisy_read(facts, examples);
}

/* Without errors: with `validate` all labels are learned from and asked. */
static inline nlm_status exact_search(const nlm_problem *problem, bool validate, struct team *team,
                                      clause_program *found, nlm_error *error)
{
    const nlm_settings settings = {.problem = problem, .seed = 1};
    struct rule_worlds worlds;
    nlm_status status = rule_worlds_init(&worlds, &settings, 0, error);
    if (!status)
        status =
            clause_program_find_exact(&worlds, validate, nlm_problem_signature(problem), team, found, error);
    rule_worlds_release(&worlds);
    return status;
}

static inline clause_program exact_find(const nlm_problem *problem, bool validate, int threads)
{
    clause_program found;
    struct team *team;
    CHECK(team_new(threads, &team));
    CHECK(exact_search(problem, validate, team, &found, &check_error));
    team_free(team);
    return found;
}

/* All labels are learned from. */
static inline nlm_status noisy_search(const nlm_problem *problem, struct team *team, clause_program *found,
                                      nlm_error *error)
{
    const nlm_settings settings = {.problem = problem, .seed = 1};
    struct rule_worlds worlds;
    nlm_status status = rule_worlds_init(&worlds, &settings, 0, error);
    if (!status)
        status = clause_program_find(&worlds, true, nlm_problem_signature(problem), team, found, error);
    rule_worlds_release(&worlds);
    return status;
}

static inline clause_program noisy_find(const nlm_problem *problem, int threads)
{
    clause_program found;
    struct team *team;
    CHECK(team_new(threads, &team));
    CHECK(noisy_search(problem, team, &found, &check_error));
    team_free(team);
    return found;
}

#endif
