/* Tasks of a program's own: what the library adds to their functions. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "task/task.h"

enum { MOST_OBJECTS = 1000000, MOST_PREDICATES = 64 };

bool task_is_known(const nlm_task *task)
{
    return task && (task->generate || nlm_task_find(task->name));
}

void task_inputs(const nlm_task *task, int inputs[NLM_MAX_BREADTH + 1])
{
    memcpy(inputs, task->inputs, sizeof task->inputs);
    if (!task->generate)
        return;
    memset(inputs, 0, sizeof task->inputs);
    for (const nlm_declaration *row = task->predicates; row->name; row++)
        inputs[row->arity]++;
}

static nlm_status check_predicates(const nlm_task *task, nlm_error *error)
{
    int count = 0;
    for (const nlm_declaration *row = task->predicates; row && row->name; row++, count++) {
        if (row->arity < 0 || row->arity > NLM_MAX_BREADTH)
            return error_set(error, NLM_BAD_ARGUMENT, "task %.60s: predicate %.60s has arity %d, not 0 to %d",
                             task->name, row->name, row->arity, NLM_MAX_BREADTH);
        if (count == MOST_PREDICATES)
            return error_set(error, NLM_BAD_ARGUMENT, "task %.60s: more than %d predicates", task->name,
                             MOST_PREDICATES);
    }
    return count > 0
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT, "task %.60s: its worlds have no predicates", task->name);
}

nlm_status own_task_check(const nlm_task *task, nlm_error *error)
{
    if (!task->name || !*task->name || !task->target || !*task->target)
        return error_set(error, NLM_BAD_ARGUMENT, "a task needs a name and a target");
    if (nlm_task_find(task->name))
        return error_set(error, NLM_BAD_ARGUMENT, "task %.60s: the library has one of this name", task->name);
    if (task->arity < 0 || task->arity > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "task %.60s: its target has arity %d, not 0 to %d",
                         task->name, task->arity, NLM_MAX_BREADTH);
    if (task->sense || task->gallery)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "task %.60s: pictures are for the library's own tasks; make predicates of them",
                         task->name);
    if (task->train_objects < 1 || task->train_objects > MOST_OBJECTS)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "task %.60s: worlds of %d objects (train_objects), not 1 to %d", task->name,
                         task->train_objects, MOST_OBJECTS);
    return check_predicates(task, error);
}

nlm_status own_task_generate(const nlm_task *task, random_stream random, int objects, nlm_world *world,
                             nlm_error *error)
{
    nlm_random given = {random};
    nlm_status status = own_task_check(task, error);
    if (!status && (objects < 1 || objects > MOST_OBJECTS))
        status =
            error_set(error, NLM_BAD_ARGUMENT, "%.60s: cannot generate a world of %d objects, only 1 to %d",
                      task->name, objects, MOST_OBJECTS);
    if (!status)
        status = nlm_world_add_objects(world, "object", objects, error);
    for (const nlm_declaration *row = task->predicates; !status && row->name; row++)
        status = nlm_world_add_predicate(world, row->name, row->arity, NULL, error);
    if (!status)
        status = nlm_world_add_target(world, task->target, task->arity, NLM_FALSE, NULL, error);
    if (!status) { /* a function that fails without a word is not silent here */
        nlm_error cause = {0};
        status = task->generate(task, &given, objects, world, &cause);
        if (status)
            status = error_set(error, status, "task %.60s: %.300s", task->name,
                               *cause.message ? cause.message : nlm_status_name(status));
    }
    if (!status && (nlm_world_objects(world) != objects || nlm_world_targets(world) != 1))
        status =
            error_set(error, NLM_BAD_ARGUMENT, "task %.60s: generate added objects or targets", task->name);
    return status;
}
