/* The tables of the tasks of Dong et al. 2019. */
#include "task/registry.h"

#include "task/family.h"

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

/* Handwriting is never learned to the last digit: what is left is noise. */
static const nlm_preset OF_PICTURES[] = {
    {"positives", "3"}, {"patience", "4"}, {"shift", "1"}, {"lr_decay", "0.97"}, {NULL, NULL}};
static const nlm_recipe READING[] = {{"best", NULL, OF_PICTURES}, {NULL, NULL, NULL}};

/* Name, question, target and its arity, inputs, sizes; the paper's depth, breadth, residual, threshold,
 * budget and share of graduated runs, our gain, width, sense, gallery, shift, origin, solved, recipes; kind,
 * oracle and its parameter.
 */
/* clang-format off */
static const task_entry TASKS[] = {
    {{"has-father", "x has a father",
      "has_father", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL}, &FAMILY, family_label, FAMILY_HAS_FATHER},
    {{"has-sister", "x's father has a daughter other than x",
      "has_sister", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL}, &FAMILY, family_label, FAMILY_HAS_SISTER},
    {{"grandparent", "y is a parent of a parent of x",
      "grandparent", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-7, 100000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL}, &FAMILY, family_label, FAMILY_GRANDPARENT},
    {{"uncle", "y is a son of a grandparent of x and not x's father",
      "uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 100000, 0.9, 10, 8, NULL, NULL, 0, NULL, 0, NULL}, &FAMILY, family_label, FAMILY_UNCLE},
    {{"mg-uncle", "y is a son of the mother of a grandmother of x",
      "mg_uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 200000, 0.2, 10, 8, NULL, NULL, 0, NULL, 0, NULL}, &FAMILY, family_label, FAMILY_MG_UNCLE},
    {{"adjacent-to-red", "an edge leads from x to a red node",
      "adjacent_to_red", 1, {0, 4, 1}, 10, 50, 4, 3, false, 1e-5, 100000, 0.9, 3, 8, NULL, NULL, 0, NULL, 0, NULL}, &COLOURED_GRAPH, graph_label_adjacent, 0},
    {{"4-connectivity", "a path of at most 4 edges leads from x to y",
      "connectivity4", 2, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, NULL}, &EDGE_GRAPH, graph_label_connected, 4},
    {{"6-connectivity", "a path of at most 6 edges leads from x to y",
      "connectivity6", 2, {0, 0, 1}, 10, 50, 8, 3, true, 1e-6, 50000, 0.6, 3, 8, NULL, NULL, 0, NULL, 0, NULL}, &NEAREST_GRAPH, graph_label_connected, 6},
    {{"1-outdegree", "exactly 1 edge leaves x",
      "outdegree1", 1, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, NULL}, &EDGE_GRAPH, graph_label_degree, 1},
    {{"2-outdegree", "exactly 2 edges leave x",
      "outdegree2", 1, {0, 0, 1}, 10, 50, 5, 4, true, 1e-5, 100000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, NULL}, &EDGE_GRAPH, graph_label_degree, 2},
    {{"adjacent-to-zero", "an edge leads from x to a node that shows a 0",
      "adjacent_to_zero", 1, {0, 10, 1}, 10, 50, 2, 2, true, 0, 100000, 0, 3, 16, "lenet", NULL, 0, NULL, 0, READING},
     &DIGIT_GRAPH, graph_label_adjacent, 0},
};
/* clang-format on */

enum { OWN = sizeof TASKS / sizeof *TASKS };

int registry_count(void)
{
    return OWN + ilp_count();
}

const task_entry *registry_at(int index)
{
    return index < OWN ? &TASKS[index] : ilp_at(index - OWN);
}
