/* The tables of the twenty tasks of Evans and Grefenstette 2018, "Learning explanatory rules from noisy
 * data".
 *
 * The predicates are theirs, worlds are drawn at random in the spirit of the ones they give.  Tuples repeat
 * no object here: edges from a node to itself, connected(x, x) and the like are left out. */
#include "task/registry.h"

#include "task/ilp_family.h"
#include "task/ilp_graph.h"
#include "task/ilp_lists.h"
#include "task/ilp_numbers.h"

/* Worlds without a positive are as frequent as one in two, but only where they are tiny. */
enum { DRAWS = 20 };

/* The lengths of lists are found among all pairs. */
#define MAX_MEASURED 1000

static const task_kind NUMBERS = {
    .object_prefix = "",
    .max_objects = MAX_NODES,
    .predicates = ILP_NUMBERS_PLAIN,
    .predicate = {[ILP_NUMBERS_ZERO] = {"zero", 1}, [ILP_NUMBERS_SUCC] = {"succ", 2}},
    .generate = ilp_numbers_generate,
    .depth = ilp_numbers_depth,
};

static const task_kind SUMS = {
    .object_prefix = "",
    .max_objects = MAX_NODES,
    .predicates = ILP_NUMBERS_PREDICATES,
    .predicate = {[ILP_NUMBERS_ZERO] = {"zero", 1},
                  [ILP_NUMBERS_SUCC] = {"succ", 2},
                  [ILP_NUMBERS_PLUS2] = {"plus2", 2},
                  [ILP_NUMBERS_PLUS3] = {"plus3", 2}},
    .generate = ilp_numbers_generate_sums,
    .depth = ilp_numbers_depth,
};

static const task_kind LISTS = {
    .add_objects = ilp_lists_add_objects,
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_LISTS_PLAIN,
    .predicate = {[ILP_LISTS_CONS] = {"cons", 2}, [ILP_LISTS_VALUE] = {"value", 2}},
    .generate = ilp_lists_generate,
    .depth = ilp_lists_depth,
};

static const task_kind MEASURED_LISTS = {
    .add_objects = ilp_lists_add_measured,
    .max_objects = MAX_MEASURED,
    .draws = DRAWS,
    .predicates = ILP_LISTS_PREDICATES,
    .predicate = {[ILP_LISTS_CONS] = {"cons", 2},
                  [ILP_LISTS_VALUE] = {"value", 2},
                  [ILP_LISTS_ZERO] = {"zero", 1},
                  [ILP_LISTS_SUCC] = {"succ", 2}},
    .generate = ilp_lists_generate_measured,
    .depth = ilp_lists_depth,
};

static const task_kind SON_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_SON_PREDICATES,
    .predicate = {[ILP_SON_FATHER] = {"father", 2},
                  [ILP_SON_BROTHER] = {"brother", 2},
                  [ILP_SON_SISTER] = {"sister", 2}},
    .generate = ilp_family_generate_son,
    .depth = ilp_family_depth,
};

static const task_kind GRANDPARENT_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_GRANDPARENT_PREDICATES,
    .predicate = {[ILP_GRANDPARENT_FATHER] = {"father", 2}, [ILP_GRANDPARENT_MOTHER] = {"mother", 2}},
    .generate = ilp_family_generate_grandparent,
    .depth = ilp_family_depth,
};

static const task_kind HUSBAND_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_HUSBAND_PREDICATES,
    .predicate = {[ILP_HUSBAND_FATHER] = {"father", 2},
                  [ILP_HUSBAND_DAUGHTER] = {"daughter", 2},
                  [ILP_HUSBAND_BROTHER] = {"brother", 2}},
    .generate = ilp_family_generate_husband,
    .depth = ilp_family_depth,
};

static const task_kind UNCLE_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_UNCLE_PREDICATES,
    .predicate = {[ILP_UNCLE_FATHER] = {"father", 2},
                  [ILP_UNCLE_MOTHER] = {"mother", 2},
                  [ILP_UNCLE_BROTHER] = {"brother", 2}},
    .generate = ilp_family_generate_uncle,
    .depth = ilp_family_depth,
};

static const task_kind RELATED_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_RELATED_PREDICATES,
    .predicate = {[ILP_RELATED_PARENT] = {"parent", 2}},
    .generate = ilp_family_generate_related,
    .depth = ilp_family_depth,
};

static const task_kind FATHER_FAMILY = {
    .object_prefix = "person",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_FATHER_PREDICATES,
    .predicate = {[ILP_FATHER_HUSBAND] = {"husband", 2},
                  [ILP_FATHER_MOTHER] = {"mother", 2},
                  [ILP_FATHER_BROTHER] = {"brother", 2},
                  [ILP_FATHER_AUNT] = {"aunt", 2}},
    .generate = ilp_family_generate_father,
    .depth = ilp_family_depth,
};

static const task_kind GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = 1,
    .predicate = {[ILP_GRAPH_EDGE] = {"edge", 2}},
    .generate = ilp_graph_generate,
    .depth = ilp_graph_depth,
};

static const task_kind NEQ_GRAPH = {
    .object_prefix = "node",
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = 2,
    .predicate = {[ILP_GRAPH_EDGE] = {"edge", 2}, [ILP_GRAPH_NEQ] = {"neq", 2}},
    .generate = ilp_graph_generate_neq,
    .depth = ilp_graph_depth,
};

static const task_kind COLOURED_GRAPH = {
    .add_objects = ilp_graph_add_coloured,
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = 2,
    .predicate = {[ILP_GRAPH_EDGE] = {"edge", 2}, [ILP_GRAPH_COLOUR] = {"colour", 2}},
    .generate = ilp_graph_generate_coloured,
    .depth = ilp_graph_depth,
};

static const task_kind RED_GRAPH = {
    .add_objects = ilp_graph_add_coloured,
    .max_objects = MAX_NODES,
    .draws = DRAWS,
    .predicates = ILP_GRAPH_PREDICATES,
    .predicate = {[ILP_GRAPH_EDGE] = {"edge", 2},
                  [ILP_GRAPH_COLOUR] = {"colour", 2},
                  [ILP_GRAPH_RED] = {"red", 1},
                  [ILP_GRAPH_GREEN] = {"green", 1}},
    .generate = ilp_graph_generate_red,
    .depth = ilp_graph_depth,
};

/* As in registry.c: name, question, target and its arity, inputs, sizes; depth, breadth, residual, threshold,
 * budget, no share of graduated runs, gain, width, sense, gallery, shift, origin, the share of runs that
 * solved it; kind, oracle and its parameter.
 */
/* clang-format off */
static const task_entry TASKS[] = {
    {{"ilp-predecessor", "y is the number before x",
      "predecessor", 2, {0, 1, 1}, 10, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &NUMBERS, ilp_numbers_label_predecessor, 0},
    {{"ilp-even-odd", "x is even (odd is to be invented)",
      "even", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &NUMBERS, ilp_numbers_label_multiple, 2},
    {{"ilp-even-succ2", "x is even (the number after the next is to be invented)",
      "even", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.485, NULL},
     &NUMBERS, ilp_numbers_label_multiple, 2},
    {{"ilp-less-than", "x is less than y",
      "less_than", 2, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &NUMBERS, ilp_numbers_label_less, 0},
    {{"ilp-fizz", "x is divisible by 3",
      "fizz", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.1, NULL},
     &NUMBERS, ilp_numbers_label_multiple, 3},
    {{"ilp-buzz", "x is divisible by 5",
      "buzz", 1, {0, 1, 3}, 11, 22, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.14, NULL},
     &SUMS, ilp_numbers_label_multiple, 5},
    {{"ilp-member", "x is a value in the list that begins with y",
      "member", 2, {0, 0, 2}, 12, 24, 7, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &LISTS, ilp_lists_label_member, 0},
    {{"ilp-length", "the list that begins with x has y nodes",
      "length", 2, {0, 1, 3}, 12, 24, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.925, NULL},
     &MEASURED_LISTS, ilp_lists_label_length, 0},
    {{"ilp-son", "x is a son of y",
      "son", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &SON_FAMILY, ilp_family_label_son, 0},
    {{"ilp-grandparent", "x is a parent of a parent of y",
      "grandparent", 2, {0, 0, 2}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 0.965, NULL},
     &GRANDPARENT_FAMILY, ilp_family_label_path, ILP_FAMILY_GRANDPARENT},
    {{"ilp-husband", "x is the father of a daughter of y",
      "husband", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &HUSBAND_FAMILY, ilp_family_label_path, ILP_FAMILY_HUSBAND},
    {{"ilp-uncle", "x is a brother of a parent of y",
      "uncle", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 0.7, NULL},
     &UNCLE_FAMILY, ilp_family_label_path, ILP_FAMILY_UNCLE},
    {{"ilp-relatedness", "x and y are of the same family",
      "related", 2, {0, 0, 1}, 9, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &RELATED_FAMILY, ilp_family_label_related, 0},
    {{"ilp-father", "x is the husband of y's mother",
      "father", 2, {0, 0, 4}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &FATHER_FAMILY, ilp_family_label_path, ILP_FAMILY_FATHER},
    {{"ilp-undirected-edge", "an edge leads from x to y or from y to x",
      "undirected_edge", 2, {0, 0, 1}, 5, 10, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &GRAPH, ilp_graph_label_undirected, 0},
    {{"ilp-adjacent-to-red", "an edge leads from x to a node whose colour is red",
      "adjacent_to_red", 1, {0, 2, 2}, 7, 14, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.505, NULL},
     &RED_GRAPH, ilp_graph_label_red, 0},
    {{"ilp-two-children", "edges lead from x to two nodes or more",
      "two_children", 1, {0, 0, 2}, 5, 10, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.95, NULL},
     &NEQ_GRAPH, ilp_graph_label_two, 0},
    {{"ilp-graph-colouring", "an edge leads from x to a node of the same colour",
      "same_colour_neighbour", 1, {0, 0, 2}, 7, 14, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.945, NULL},
     &COLOURED_GRAPH, ilp_graph_label_same, 0},
    {{"ilp-connectedness", "a path leads from x to y",
      "connected", 2, {0, 0, 1}, 5, 10, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &GRAPH, ilp_graph_label_connected, 0},
    {{"ilp-cyclic", "a path leads from x back to x",
      "cyclic", 1, {0, 0, 1}, 6, 12, 7, 3, false, 1e-5, 100000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL},
     &GRAPH, ilp_graph_label_cyclic, 0},
};
/* clang-format on */

int ilp_count(void)
{
    return (int)(sizeof TASKS / sizeof *TASKS);
}

const task_entry *ilp_at(int index)
{
    return &TASKS[index];
}
