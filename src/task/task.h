/* Tasks, inside the library: how deep a world is. */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include "nlm/task.h"
#include "base/random.h"

/* Whether the library has it, or it has functions of its own (own_task.c). */
bool task_is_known(const nlm_task *task);
/* Predicates of its worlds by arity. */
void task_inputs(const nlm_task *task, int inputs[NLM_MAX_BREADTH + 1]);

/* ---- of a program's own ---- */

/* Whether its table can be used. */
nlm_status own_task_check(const nlm_task *task, nlm_error *error);
/* A world of it, into an empty one. */
nlm_status own_task_generate(const nlm_task *task, random_stream random, int objects, nlm_world *world,
                             nlm_error *error);

/* Of a world that nlm_task_generate made: the longest line of ancestors in a family, the longest of all
 * shortest paths in a graph.  Deep worlds show a rule in more surroundings than most worlds of their size. */
nlm_status task_depth(const nlm_task *task, nlm_world *world, int *depth, nlm_error *error);

#endif
