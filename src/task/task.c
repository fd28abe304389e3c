/* The registry of tasks: a table, and the two things to do with an entry.
 *
 * An entry names its predicates in order; a generated world has exactly these, numbered as in the table. */
#include "task/task.h"

#include <string.h>
#include "base/error.h"
#include "base/random.h"
#include "task/family.h"
#include "task/gallery.h"
#include "task/graph.h"
#include "world/world.h"

/* Random streams of worlds start here, far from the small numbers that others use with the same seed. */
#define WORLD_STREAMS 0x776f726c64000000u /* "world" */

enum { MAX_PREDICATES = GRAPH_PREDICATES };

/* What the tasks of one kind share. */
typedef struct task_kind {
    const char *object_prefix;
    int max_objects; /* more would take hours or more memory than a machine has */
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

/* The size of a family's facts is linear in its people, that of a graph's quadratic in its nodes. */
#define MAX_PEOPLE 1000000
#define MAX_NODES 10000

static const task_kind FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_PEOPLE,
    .predicates = FAMILY_PREDICATES,
    .predicate = {[FAMILY_FATHER] = {"father", 2},
                  [FAMILY_MOTHER] = {"mother", 2},
                  [FAMILY_SON] = {"son", 2},
                  [FAMILY_DAUGHTER] = {"daughter", 2}},
    .generate = family_generate,
    .depth = family_depth,
};

static const task_kind COLOURED_GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .predicates = GRAPH_PREDICATES,
    .predicate = {[GRAPH_EDGE] = {"has_edge", 2},
                  [GRAPH_RED] = {"red", 1},
                  [GRAPH_GREEN] = {"green", 1},
                  [GRAPH_BLUE] = {"blue", 1},
                  [GRAPH_YELLOW] = {"yellow", 1}},
    .generate = graph_generate_coloured,
    .depth = graph_depth,
};

static const task_kind EDGE_GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .predicates = 1,
    .predicate = {[GRAPH_EDGE] = {"has_edge", 2}},
    .generate = graph_generate_edge,
    .depth = graph_depth,
};

/* Which nodes show a zero is for the oracle alone. */
static const task_kind DIGIT_GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .predicates = 2,
    .hidden = 1,
    .predicate = {[GRAPH_EDGE] = {"has_edge", 2}, [GRAPH_RED] = {"zero", 1}},
    .generate = graph_generate_edge,
    .depth = graph_depth,
};

static const task_kind NEAREST_GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .predicates = 1,
    .predicate = {[GRAPH_EDGE] = {"has_edge", 2}},
    .generate = graph_generate_nearest,
    .depth = graph_depth,
};

/* Name, question, target and its arity, inputs, sizes; the paper's depth, breadth, residual, threshold,
 * budget and share of graduated runs, our gain, width, sense, gallery, shift; kind, oracle and its parameter.
 */
/* clang-format off */
static const task_entry TASKS[] = {
    {{"has-father", "x has a father",
      "has_father", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0}, &FAMILY, family_label, FAMILY_HAS_FATHER},
    {{"has-sister", "x's father has a daughter other than x",
      "has_sister", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0}, &FAMILY, family_label, FAMILY_HAS_SISTER},
    {{"grandparent", "y is a parent of a parent of x",
      "grandparent", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-7, 100000, 1.0, 10, 8, NULL, NULL, 0}, &FAMILY, family_label, FAMILY_GRANDPARENT},
    {{"uncle", "y is a son of a grandparent of x and not x's father",
      "uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 100000, 0.9, 10, 8, NULL, NULL, 0}, &FAMILY, family_label, FAMILY_UNCLE},
    {{"mg-uncle", "y is a son of the mother of a grandmother of x",
      "mg_uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 200000, 0.2, 10, 8, NULL, NULL, 0}, &FAMILY, family_label, FAMILY_MG_UNCLE},
    {{"adjacent-to-red", "an edge leads from x to a red node",
      "adjacent_to_red", 1, {0, 4, 1}, 10, 50, 4, 3, false, 1e-5, 100000, 0.9, 3, 8, NULL, NULL, 0}, &COLOURED_GRAPH, graph_label_adjacent, 0},
    {{"4-connectivity", "a path of at most 4 edges leads from x to y",
      "connectivity4", 2, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0}, &EDGE_GRAPH, graph_label_connected, 4},
    {{"6-connectivity", "a path of at most 6 edges leads from x to y",
      "connectivity6", 2, {0, 0, 1}, 10, 50, 8, 3, true, 1e-6, 50000, 0.6, 3, 8, NULL, NULL, 0}, &NEAREST_GRAPH, graph_label_connected, 6},
    {{"1-outdegree", "exactly 1 edge leaves x",
      "outdegree1", 1, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0}, &EDGE_GRAPH, graph_label_degree, 1},
    {{"2-outdegree", "exactly 2 edges leave x",
      "outdegree2", 1, {0, 0, 1}, 10, 50, 5, 4, true, 1e-5, 100000, 1.0, 3, 8, NULL, NULL, 0}, &EDGE_GRAPH, graph_label_degree, 2},
    {{"adjacent-to-zero", "an edge leads from x to a node that shows a 0",
      "adjacent_to_zero", 1, {0, 10, 1}, 10, 50, 2, 2, true, 0, 100000, 0, 3, 16, "lenet", NULL, 0},
     &DIGIT_GRAPH, graph_label_adjacent, 0},
};
/* clang-format on */

int nlm_tasks(void)
{
    return (int)(sizeof TASKS / sizeof *TASKS);
}

const nlm_task *nlm_task_at(int index)
{
    return index >= 0 && index < nlm_tasks() ? &TASKS[index].task : NULL;
}

/* By name, so that a caller's copy of an nlm_task serves as well as the registry's own. */
static const task_entry *find_entry(const char *name)
{
    for (int index = 0; name && index < nlm_tasks(); index++)
        if (strcmp(TASKS[index].task.name, name) == 0)
            return &TASKS[index];
    return NULL;
}

const nlm_task *nlm_task_find(const char *name)
{
    const task_entry *entry = find_entry(name);
    return entry ? &entry->task : NULL;
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
    int target;
    nlm_status status =
        nlm_world_add_target(world, entry->task.target, entry->task.arity, NLM_FALSE, &target, error);
    if (status)
        return status;
    status = entry->label(world, predicates, entry->parameter, target, error);
    if (status)
        world_drop_target(world);
    return status;
}

nlm_status nlm_task_label(const nlm_task *task, nlm_world *world, nlm_error *error)
{
    const task_entry *entry;
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

static nlm_status fill_world(const task_entry *entry, const struct showing *showing, random_stream *random,
                             int objects, nlm_world *world, nlm_error *error)
{
    const task_kind *kind = entry->kind;
    nlm_status status = nlm_world_add_objects(world, kind->object_prefix, objects, error);
    int predicates[MAX_PREDICATES];
    for (int k = 0; k < kind->predicates && !status; k++)
        status = nlm_world_add_predicate(world, kind->predicate[k].name, kind->predicate[k].arity,
                                         &predicates[k], error);
    if (!status)
        status = kind->generate(world, random, error);
    if (!status && entry->task.sense)
        status = gallery_show(showing, random, world, predicates[kind->predicates - 1], error);
    if (!status)
        status = add_labels(entry, world, predicates, error);
    for (int k = 0; k < kind->hidden && !status; k++)
        world_drop_predicate(world);
    return status;
}

nlm_status nlm_task_generate(const nlm_task *task, uint64_t seed, uint64_t index, int objects,
                             nlm_world *world, nlm_error *error)
{
    const task_entry *entry;
    nlm_status status = check_task(task, world, &entry, error);
    if (status)
        return status;
    if (objects < 1 || objects > entry->kind->max_objects)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: cannot generate a world of %d objects, only 1 to %d",
                         entry->task.name, objects, entry->kind->max_objects);
    if (task->shift < 0 || task->shift > NLM_IMAGE_SIDE)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: pictures cannot be moved by %d pixels",
                         entry->task.name, task->shift);
    random_stream random;
    random_start(&random, seed, WORLD_STREAMS + index);
    nlm_world_clear(world);
    const struct showing showing = {
        .gallery = task->gallery, .test = index >= NLM_TEST_WORLDS, .shift = task->shift};
    status = fill_world(entry, &showing, &random, objects, world, error);
    if (status)
        nlm_world_clear(world);
    return status;
}

nlm_status task_depth(const nlm_task *task, nlm_world *world, int *depth, nlm_error *error)
{
    const task_entry *entry;
    nlm_status status = check_task(task, world, &entry, error);
    return status ? status : entry->kind->depth(world, depth, error);
}
