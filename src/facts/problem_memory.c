/* Problems of what is in memory: texts, and worlds.  Both become drafts, so that they mean what files mean.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/datalog.h"
#include "facts/fact_files.h"
#include "facts/problem.h"

#define MOST_BYTES ((size_t)2 << 30) /* of a text */
enum { NAME_SIZE = 64 };

/* ---- texts ---- */

/* A text of the last world.  The reader works on a copy that it may change. */
static nlm_status read_text(draft *to, bool examples, const char *text, const char *name, nlm_error *error)
{
    const size_t size = strlen(text);
    char *copy = size < MOST_BYTES ? memory_copy_text(text) : NULL;
    if (!copy)
        return error_no_memory(error);
    char title[NAME_SIZE];
    snprintf(title, sizeof title, "%.40s%s%s", name, *name ? ": " : "", examples ? "examples" : "facts");
    const char *kept = text_keep(&to->texts, title, strlen(title));
    nlm_status status =
        kept ? fact_files_text(to, examples, copy, size, kept, error) : error_no_memory(error);
    memory_free(copy);
    return status;
}

nlm_status nlm_problem_parse(const nlm_world_text *worlds, int count, const nlm_reading *reading,
                             nlm_problem **problem, nlm_error *error)
{
    REQUIRE(problem, error);
    static const nlm_reading plain = {0};
    *problem = NULL;
    REQUIRE(worlds && count > 0, error);
    draft in;
    nlm_status status = draft_start(&in, error);
    for (int w = 0; w < count && !status; w++) {
        const char *name = worlds[w].name ? worlds[w].name : "";
        status = draft_begin_world(&in, name, error);
        if (!status && worlds[w].facts)
            status = read_text(&in, false, worlds[w].facts, name, error);
        if (!status && worlds[w].examples)
            status = read_text(&in, true, worlds[w].examples, name, error);
        if (!status)
            status = datalog_evaluate(&in, error);
    }
    if (!status)
        status = problem_of_draft(&in, reading ? reading : &plain, "facts", problem, error);
    draft_free(&in);
    return status;
}

/* ---- worlds ---- */

/* A statement about objects of the world, by their names. */
static nlm_status add(draft *to, draft_kind kind, const char *predicate, int arity, const nlm_world *world,
                      const int *tuple, nlm_error *error)
{
    prolog_fact fact = {.name = {predicate, strlen(predicate)}, .arity = arity};
    for (int k = 0; k < arity; k++) {
        const char *name = nlm_world_object_name(world, tuple[k]);
        fact.argument[k] = (prolog_name){name, strlen(name)};
    }
    nlm_status status = draft_add(to, kind, &fact, "facts", error);
    if (!status && kind != DRAFT_FACT)
        draft_at(to, to->last)->example = true;
    return status;
}

static nlm_status check_arity(const char *name, int arity, nlm_error *error)
{
    return arity <= NLM_MAX_FACT_ARITY
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT, "%.60s/%d: facts have at most %d arguments", name, arity,
                           NLM_MAX_FACT_ARITY);
}

static nlm_status add_facts(draft *to, const nlm_world *world, int predicate, nlm_error *error)
{
    const int *tuples, arity = nlm_world_predicate_arity(world, predicate);
    const float *values;
    const char *name = nlm_world_predicate_name(world, predicate);
    const size_t count = nlm_world_facts(world, predicate, &tuples, &values);
    nlm_status status = check_arity(name, arity, error);
    for (size_t f = 0; f < count && !status; f++) {
        if (values[f] == 1)
            status = add(to, DRAFT_FACT, name, arity, world, tuples + f * (size_t)arity, error);
        else if (values[f] != 0)
            status =
                error_set(error, NLM_BAD_ARGUMENT, "a fact of %.60s/%d has the value %g: facts are true (1)",
                          name, arity, (double)values[f]);
    }
    return status;
}

static nlm_status add_labels(draft *to, const nlm_world *world, int target, nlm_error *error)
{
    const int *tuples, arity = nlm_world_target_arity(world, target);
    const signed char *labels;
    const char *name = nlm_world_target_name(world, target);
    const size_t count = nlm_world_labels(world, target, &tuples, &labels, NULL);
    nlm_status status = check_arity(name, arity, error);
    to->examples = draft_world_at(to, to->world_count - 1)->examples = true;
    for (size_t f = 0; f < count && !status; f++)
        if (labels[f] != NLM_UNLABELLED)
            status = add(to, labels[f] == NLM_TRUE ? DRAFT_TRUE : DRAFT_FALSE, name, arity, world,
                         tuples + f * (size_t)arity, error);
    return status;
}

/* Objects first, so that they keep their numbers and those without facts are there; a model is asked about
 * facts alone. */
static nlm_status add_world(draft *to, const nlm_world *world, int number, bool labelled, nlm_error *error)
{
    char name[NAME_SIZE] = "";
    if (number > 0)
        snprintf(name, sizeof name, "world %d", number);
    nlm_status status = draft_begin_world(to, name, error);
    if (!status && nlm_world_attributes(world) > 0)
        status = error_set(error, NLM_BAD_ARGUMENT, "worlds with attributes are read from files or texts");
    for (int o = 0; o < nlm_world_objects(world) && !status; o++)
        status = add(to, DRAFT_FACT, "object", 1, world, &o, error);
    for (int p = 0; p < nlm_world_predicates(world) && !status; p++)
        status = add_facts(to, world, p, error);
    for (int t = 0; t < nlm_world_targets(world) && !status && labelled; t++)
        status = add_labels(to, world, t, error);
    return status;
}

nlm_status nlm_problem_of_worlds(const nlm_world *const *worlds, int count, const nlm_reading *reading,
                                 nlm_problem **problem, nlm_error *error)
{
    REQUIRE(problem, error);
    nlm_reading wanted = reading ? *reading : (nlm_reading){0};
    draft in;
    *problem = NULL;
    REQUIRE(worlds && count > 0, error);
    nlm_status status = draft_start(&in, error);
    for (int w = 0; w < count && !status; w++) {
        if (!worlds[w])
            status = error_set(error, NLM_BAD_ARGUMENT, "world %d is missing (NULL)", w);
        for (int t = 0; !status && t < nlm_world_targets(worlds[w]) && !wanted.signature; t++) {
            nlm_label by_default;
            nlm_world_labels(worlds[w], t, NULL, NULL, &by_default);
            wanted.closed_world = wanted.closed_world || by_default == NLM_FALSE;
        }
        if (!status)
            status = add_world(&in, worlds[w], count > 1 ? w + 1 : 0, !wanted.signature, error);
    }
    if (!status)
        status = problem_of_draft(&in, &wanted, "worlds", problem, error);
    draft_free(&in);
    return status;
}
