/* Worlds that a program is found from.
 *
 * Numbers of a task's worlds are divided so that nobody meets the worlds of another:
 *
 *     0 ...                training
 *     2^38 + u 2^28 ...    user u of this file: hardening, eliminations
 *     2^40 ...             tests (NLM_TEST_WORLDS) */
#include "learn/rule_worlds.h"

#include <limits.h>
#include "machine/evaluator.h"

/* Training would have to draw as many worlds to meet one of these; tests begin at NLM_TEST_WORLDS, far
 * behind. */
#define FIRST_RULE_WORLD ((uint64_t)1 << 38)
/* Worlds that a user may draw before it meets those of the next. */
#define WORLDS_OF_A_USER ((uint64_t)1 << 28)

enum {
    VERIFY_BATCH = 8, /* worlds of a pass: a few share classes of tuples, more would cost memory */
    EXAMPLES = 1000,
    LARGE_EXAMPLES = 40
};

/* The settings of the run give the task or the problem, the seed and the size; what a problem holds out is
 * held out here too. */
nlm_status rule_worlds_init(struct rule_worlds *worlds, const nlm_settings *settings, int user,
                            nlm_error *error)
{
    *worlds = (struct rule_worlds){
        .seed = settings->seed,
        .next = FIRST_RULE_WORLD + (uint64_t)(user % RULE_MOST_USERS) * WORLDS_OF_A_USER,
        .objects = settings->objects,
    };
    nlm_status status = world_source_init(&worlds->source, settings, error);
    return status ? status : nlm_world_new(&worlds->scratch, error);
}

void rule_worlds_release(struct rule_worlds *worlds)
{
    nlm_world_free(worlds->scratch);
    world_source_release(&worlds->source);
}

int rule_worlds_count(const struct rule_worlds *worlds)
{
    return worlds->source.problem ? worlds->source.learned : INT_MAX;
}

nlm_status rule_worlds_add(struct rule_worlds *worlds, uint64_t number, nlm_evaluator *evaluator,
                           nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = world_source_world(&worlds->source, worlds->seed, number, worlds->objects,
                                           worlds->scratch, &world, error);
    return status ? status : nlm_evaluator_add(evaluator, world, error);
}

nlm_status rule_worlds_draw(struct rule_worlds *worlds, int slot, nlm_evaluator *evaluator, uint64_t *number,
                            nlm_error *error)
{
    const nlm_world *world;
    nlm_status status =
        world_source_draw(&worlds->source, worlds->seed, &worlds->next, worlds->objects, slot % 4 != 0,
                          slot % 4 >= 2, worlds->scratch, number, &world, error);
    return status ? status : nlm_evaluator_add(evaluator, world, error);
}

int rule_worlds_examples(const struct rule_worlds *worlds)
{
    return worlds->source.problem ? worlds->source.learned : EXAMPLES + LARGE_EXAMPLES;
}

nlm_status rule_worlds_example(struct rule_worlds *worlds, int slot, uint64_t *number, int *objects,
                               const nlm_world **world, nlm_error *error)
{
    *number = (uint64_t)slot;
    *objects = slot < EXAMPLES || worlds->source.problem ? worlds->objects : 2 * worlds->objects;
    if (worlds->source.problem)
        return world_source_world(&worlds->source, worlds->seed, *number, *objects, worlds->scratch, world,
                                  error);
    return world_source_draw(&worlds->source, worlds->seed, &worlds->next, *objects, slot % 4 != 0,
                             slot % 4 >= 2, worlds->scratch, number, world, error);
}

/* Which of the worlds of a batch with errors have them: each is asked alone. */
static nlm_status find_failures(struct rule_worlds *worlds, const uint64_t *numbers, int count,
                                nlm_evaluator *evaluator, struct rule_failures *failures, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int w = 0; w < count && failures->count < RULE_MOST_FAILURES && !status; w++) {
        nlm_bce_result result;
        status = world_source_compare(&worlds->source, worlds->seed, numbers[w], worlds->objects,
                                      worlds->scratch, evaluator, &result, error);
        if (status || result.correct == result.labelled)
            continue;
        failures->number[failures->count++] = numbers[w];
        failures->errors += result.labelled - result.correct;
    }
    return status;
}

/* Batches until enough were asked or enough failures are known: a few counterexamples are all that is needed.
 * The evaluator's batch is lost. */
nlm_status rule_worlds_verify(struct rule_worlds *worlds, int count, nlm_evaluator *evaluator,
                              struct rule_failures *failures, nlm_error *error)
{
    *failures = (struct rule_failures){0};
    const bool fixed = worlds->source.problem != NULL;
    if (fixed)
        count = worlds->source.learned;
    while (failures->asked < count && failures->count < RULE_MOST_FAILURES) {
        uint64_t numbers[VERIFY_BATCH];
        nlm_bce_result result;
        nlm_status status = NLM_OK;
        int w = 0;
        nlm_evaluator_clear(evaluator);
        for (; w < VERIFY_BATCH && failures->asked < count && !status; w++, failures->asked++) {
            numbers[w] = (uint64_t)failures->asked;
            status = fixed ? rule_worlds_add(worlds, numbers[w], evaluator, error)
                           : rule_worlds_draw(worlds, w, evaluator, &numbers[w], error);
        }
        if (!status)
            status = evaluator_compare(evaluator, false, &result, error);
        if (!status && result.correct != result.labelled)
            status = find_failures(worlds, numbers, w, evaluator, failures, error);
        if (status)
            return status;
    }
    return NLM_OK;
}
