/* The registry, inside src/task: what the library knows of a task beyond nlm_task, and the tables.
 *
 * An entry names its predicates in order; a generated world has exactly these, numbered as in the table. */
#ifndef TASK_REGISTRY_H
#define TASK_REGISTRY_H

#include "base/random.h"
#include "nlm/task.h"
#include "task/graph.h"

enum { MAX_PREDICATES = GRAPH_PREDICATES };

/* The size of a family's facts is linear in its people, that of a graph's quadratic in its nodes. */
#define MAX_PEOPLE 1000000
#define MAX_NODES 10000

/* What the tasks of one kind share. */
typedef struct task_kind {
    const char *object_prefix;
    nlm_status (*add_objects)(nlm_world *world, int objects, nlm_error *error); /* in place of the prefix */
    int max_objects; /* more would take hours or more memory than a machine has */
    int draws;       /* up to so many worlds are drawn until some label is true and some false; 0: one is */
    int predicates;
    int hidden; /* so many of them, the last, are not given to machines: objects show a picture instead */
    struct {
        const char *name;
        int arity;
    } predicate[MAX_PREDICATES];
    nlm_status (*generate)(nlm_world *world, random_stream *random, nlm_error *error);
    nlm_status (*depth)(nlm_world *world, int *depth, nlm_error *error);
} task_kind;

typedef struct task_entry {
    nlm_task task;
    const task_kind *kind;
    nlm_status (*label)(nlm_world *world, const int *predicates, int parameter, int target, nlm_error *error);
    int parameter; /* which question of the family, how long a path, how many edges */
} task_entry;

/* All tasks: those of Dong et al. 2019, then those of Evans and Grefenstette 2018. */
int registry_count(void);
const task_entry *registry_at(int index); /* 0 to registry_count() - 1 */

/* The latter alone. */
int ilp_count(void);
const task_entry *ilp_at(int index);

#endif
