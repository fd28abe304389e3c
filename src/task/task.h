/* Tasks, inside the library: how deep a world is. */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include "nlm/task.h"

/* Of a world that nlm_task_generate made: the longest line of ancestors in a family, the longest of all
 * shortest paths in a graph.  Deep worlds show a rule in more surroundings than most worlds of their size. */
nlm_status task_depth(const nlm_task *task, nlm_world *world, int *depth, nlm_error *error);

#endif
