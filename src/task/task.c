/* What is done with a task of the registry: generate a world, label one, say how deep it is. */
#include "task/task.h"

#include <string.h>
#include "base/error.h"
#include "task/gallery.h"
#include "task/registry.h"
#include "world/world.h"

/* Random streams of worlds start here, far from the small numbers that others use with the same seed. */
#define WORLD_STREAMS 0x776f726c64000000u /* "world" */

static const struct {
    const task_entry *entries;
    int count;
} GROUPS[] = {{family_tasks, FAMILY_TASKS},
              {graph_tasks, GRAPH_TASKS},
              {ilp_number_tasks, ILP_NUMBER_TASKS},
              {ilp_family_tasks, ILP_FAMILY_TASKS},
              {ilp_graph_tasks, ILP_GRAPH_TASKS}};

int nlm_tasks(void)
{
    return FAMILY_TASKS + GRAPH_TASKS + ILP_NUMBER_TASKS + ILP_FAMILY_TASKS + ILP_GRAPH_TASKS;
}

const char *nlm_world_kind_name(nlm_world_kind kind)
{
    static const char *const names[NLM_WORLD_KINDS] = {NLM_WORLD_KIND_NAMES};
    return kind < NLM_WORLD_KINDS ? names[kind] : "unknown";
}

static const task_entry *entry_at(int index)
{
    int group = 0;
    while (index >= GROUPS[group].count)
        index -= GROUPS[group++].count;
    return &GROUPS[group].entries[index];
}

const nlm_task *nlm_task_at(int index)
{
    return index >= 0 && index < nlm_tasks() ? &entry_at(index)->task : NULL;
}

/* By name, so that a caller's copy of an nlm_task serves as well as the registry's own. */
static const task_entry *find_entry(const char *name)
{
    for (int index = 0; name && index < nlm_tasks(); index++)
        if (strcmp(entry_at(index)->task.name, name) == 0)
            return entry_at(index);
    return NULL;
}

const nlm_task *nlm_task_find(const char *name)
{
    const task_entry *entry = find_entry(name);
    return entry ? &entry->task : NULL;
}

bool nlm_task_has_worlds(const nlm_task *task, nlm_world_kind kind)
{
    if (task && task->generate)
        return kind == NLM_WORLDS_PAPER;
    const task_entry *entry = task ? find_entry(task->name) : NULL;
    return entry && (kind == NLM_WORLDS_PAPER || (kind == NLM_WORLDS_RICH && entry->kind->generate_rich));
}

static nlm_status check_task(const nlm_task *task, const nlm_world *world, const task_entry **entry,
                             nlm_error *error)
{
    if (!task)
        return error_set(error, NLM_BAD_ARGUMENT, "no task (NULL)");
    *entry = find_entry(task->name);
    if (!*entry)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no task '%s'", task->name ? task->name : "");
    if (!world)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: no world (NULL)", task->name);
    return NLM_OK;
}

/* Add the entry's target with all its labels, or leave the world as it was. */
static nlm_status add_labels(const task_entry *entry, nlm_world *world, const int *predicates,
                             nlm_error *error)
{
    oracle o = {.world = world,
                .arity = entry->task.arity,
                .parameter = entry->parameter,
                .along = entry->kind->along,
                .error = error};
    nlm_status status = nlm_world_add_target(world, entry->task.target, o.arity, NLM_FALSE, &o.target, error);
    if (status)
        return status;
    status = oracle_read(&o, predicates, entry->kind->predicates, entry->kind->pairs);
    if (!status)
        status = entry->label(&o);
    if (status)
        world_drop_target(world);
    return status;
}

nlm_status nlm_task_label(const nlm_task *task, nlm_world *world, nlm_error *error)
{
    REQUIRE(world, error);
    const task_entry *entry = NULL;
    nlm_status status = check_task(task, world, &entry, error);
    if (status)
        return status;
    const task_kind *kind = entry->kind;
    int predicates[MAX_PREDICATES];
    for (int k = 0; k < kind->predicates; k++) {
        predicates[k] = nlm_world_find_predicate(world, kind->predicate[k].name, kind->predicate[k].arity);
        if (predicates[k] < 0)
            return error_set(error, NLM_BAD_ARGUMENT, "%s: the world has no predicate %s/%d",
                             entry->task.name, kind->predicate[k].name, kind->predicate[k].arity);
    }
    return add_labels(entry, world, predicates, error);
}

static nlm_status fill_world(const task_entry *entry, bool rich, const struct showing *showing,
                             random_stream *random, int objects, nlm_world *world, nlm_error *error)
{
    const task_kind *kind = entry->kind;
    int predicates[MAX_PREDICATES];
    nlm_status status = NLM_OK;
    for (int k = 0; k < kind->predicates && !status; k++)
        status = nlm_world_add_predicate(world, kind->predicate[k].name, kind->predicate[k].arity,
                                         &predicates[k], error);
    if (!status)
        status = kind->add_objects ? kind->add_objects(world, objects, error)
                                   : nlm_world_add_objects(world, kind->object_prefix, objects, error);
    if (!status)
        status = (rich ? kind->generate_rich : kind->generate)(world, random, error);
    if (!status && entry->task.sense)
        status = gallery_show(showing, random, world, predicates[kind->predicates - 1], error);
    if (!status)
        status = add_labels(entry, world, predicates, error);
    if (!status && entry->task.sense)
        world_drop_predicate(world);
    return status;
}

/* Whether some tuple of a world of the task is true and some is false. */
static bool labels_differ(const nlm_task *task, const nlm_world *world)
{
    size_t objects = (size_t)nlm_world_objects(world);
    size_t tuples = task->arity == 2 ? objects * (objects - 1) : objects;
    size_t positives = nlm_world_labels(world, 0, NULL, NULL, NULL);
    return positives > 0 && positives < tuples;
}

static nlm_status generate_own(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t index,
                               int objects, nlm_world *world, nlm_error *error)
{
    random_stream random;
    if (!nlm_task_has_worlds(task, kind))
        return error_set(error, NLM_BAD_ARGUMENT, "%.60s has no %s worlds", task->name ? task->name : "",
                         nlm_world_kind_name(kind));
    random_start(&random, seed, WORLD_STREAMS + index);
    nlm_world_clear(world);
    const nlm_status status = own_task_generate(task, random, objects, world, error);
    if (status)
        nlm_world_clear(world);
    return status;
}

nlm_status nlm_task_generate(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t index,
                             int objects, nlm_world *world, nlm_error *error)
{
    REQUIRE(world, error);
    const task_entry *entry = NULL;
    if (task && task->generate)
        return generate_own(task, kind, seed, index, objects, world, error);
    nlm_status status = check_task(task, world, &entry, error);
    if (status)
        return status;
    if (!nlm_task_has_worlds(task, kind))
        return error_set(error, NLM_BAD_ARGUMENT, "%s has no %s worlds", entry->task.name,
                         nlm_world_kind_name(kind));
    if (objects < 1 || objects > entry->kind->max_objects)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: cannot generate a world of %d objects, only 1 to %d",
                         entry->task.name, objects, entry->kind->max_objects);
    if (task->shift < 0 || task->shift > NLM_IMAGE_SIDE)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: pictures cannot be moved by %d pixels",
                         entry->task.name, task->shift);
    random_stream random;
    random_start(&random, seed, WORLD_STREAMS + index);
    const struct showing showing = {
        .gallery = task->gallery, .test = index >= NLM_TEST_WORLDS, .shift = task->shift};
    int draws = 0;
    do {
        nlm_world_clear(world);
        status = fill_world(entry, kind == NLM_WORLDS_RICH, &showing, &random, objects, world, error);
    } while (!status && ++draws < entry->kind->draws && !labels_differ(&entry->task, world));
    if (status)
        nlm_world_clear(world);
    return status;
}

nlm_status task_depth(const nlm_task *task, nlm_world *world, int *depth, nlm_error *error)
{
    const task_entry *entry = NULL;
    if (task->generate) {
        *depth = task->depth_of ? task->depth_of(task, world) : 0;
        return NLM_OK;
    }
    nlm_status status = check_task(task, world, &entry, error);
    if (status)
        return status;
    if (entry->kind->depth)
        return entry->kind->depth(world, depth, error);
    int predicates[MAX_PREDICATES], count = 0;
    for (int k = 0; k < entry->kind->predicates; k++)
        if (entry->kind->along >> k & 1u)
            predicates[count++] = k;
    return oracle_longest_walk(world, predicates, count, depth, error);
}
