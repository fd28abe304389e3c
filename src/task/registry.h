/* The registry, inside src/task: what the library knows of a task beyond nlm_task, and the tables.
 *
 * A kind names its predicates in order; a generated world has exactly these, numbered as in the table. */
#ifndef TASK_REGISTRY_H
#define TASK_REGISTRY_H

#include "base/random.h"
#include "nlm/task.h"
#include "task/oracle.h"

/* The size of a family's facts is linear in its people, that of a graph's quadratic in its nodes. */
#define MAX_PEOPLE 1000000
#define MAX_NODES 10000

/* For the tasks of Evans and Grefenstette: worlds without a positive are as frequent as one in two, but only
 * where they are tiny. */
enum { DRAWS = 20 };

/* What the tasks of one kind share. */
typedef struct task_kind {
    const char *object_prefix;
    nlm_status (*add_objects)(nlm_world *world, int objects, nlm_error *error); /* in place of the prefix */
    int max_objects; /* more would take hours or more memory than a machine has */
    int draws;       /* up to so many worlds are drawn until some label is true and some false; 0: one is */
    bool pairs;      /* the oracle works with all pairs of objects */
    unsigned along;  /* a world is as deep as the longest of all shortest walks along these predicates ... */
    nlm_status (*depth)(nlm_world *world, int *depth, nlm_error *error); /* ... or as this says */
    nlm_status (*generate)(nlm_world *world, random_stream *random, nlm_error *error);
    nlm_status (*generate_rich)(nlm_world *world, random_stream *random, nlm_error *error); /* or NULL */
    int predicates; /* the last is hidden where objects show a picture: it is for the oracle alone */
    struct {
        const char *name;
        int arity;
    } predicate[MAX_PREDICATES];
} task_kind;

typedef struct task_entry {
    nlm_task task;
    const task_kind *kind;
    nlm_status (*label)(oracle *o); /* adds the true tuples of the target */
    int parameter;                  /* of the oracle */
} task_entry;

/* The tasks of Dong et al. 2019, then those of Evans and Grefenstette 2018, "Learning explanatory rules from
 * noisy data".  The predicates of the latter are theirs, worlds are drawn at random in the spirit of the ones
 * they give.  Tuples repeat no object here: edges from a node to itself, connected(x, x) and the like are
 * left out. */
enum { FAMILY_TASKS = 5, GRAPH_TASKS = 6, ILP_NUMBER_TASKS = 8, ILP_FAMILY_TASKS = 6, ILP_GRAPH_TASKS = 6 };
extern const task_entry family_tasks[FAMILY_TASKS], graph_tasks[GRAPH_TASKS],
    ilp_number_tasks[ILP_NUMBER_TASKS], ilp_family_tasks[ILP_FAMILY_TASKS], ilp_graph_tasks[ILP_GRAPH_TASKS];

#endif
