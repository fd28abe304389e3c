/* Families (family_tree.c): oracles that follow relations, tasks.
 *
 * In the families of Dong et al. father(x, y) says that y is x's father, son(x, y) that y is x's son.  In the
 * small ones of Evans and Grefenstette relations are read from the left, father(x, y): x is y's father.  Of
 * these the oracles label the least model of
 *
 *     son(X,Y) :- father(Y,X), male(X).      male(X) :- brother(X,Z).       male(X) :- father(X,Z).
 *     grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
 *                                            parent(X,Y) :- father(X,Y).    parent(X,Y) :- mother(X,Y).
 *     husband(X,Y) :- father(X,Z), daughter(Z,Y).
 *     uncle(X,Y) :- brother(X,Z), parent(Z,Y).   with the same two clauses for parent
 *     related(X,Y) :- link(X,Y).             related(X,Y) :- related(X,Z), related(Z,Y).
 *                                            link(X,Y) :- parent(X,Y).      link(X,Y) :- parent(Y,X).
 *     father(X,Y) :- husband(X,Z), mother(Z,Y).
 *
 * but for husband(X,X) and related(X,X).  So it is the facts that count: a couple whose children are all sons
 * is not known to husband, nor a son without siblings and children to son. */
#include <string.h>
#include "task/family_tree.h"
#include "task/registry.h"
#include "world/world.h"

/* ---- oracles ---- */

enum { MAX_STEPS = 4, PARENT = 1 << FATHER | 1 << MOTHER };

enum question {
    HAS_FATHER,
    HAS_SISTER,
    GRANDPARENT,
    UNCLE,
    MG_UNCLE,
    ILP_GRANDPARENT,
    ILP_TWO_STEPS,
    ILP_UNCLE
};

/* A question as a path from x, one set of relations per step: uncle is parent, parent, son.  A target of one
 * variable asks whether the path leads to anybody else than x. */
static const struct kin_path {
    int steps;
    unsigned relations[MAX_STEPS]; /* bit k: predicate k may be followed */
    bool not_father;               /* x's father does not count */
} PATHS[] = {
    [HAS_FATHER] = {1, {1u << FATHER}, false},
    [HAS_SISTER] = {2, {1u << FATHER, 1u << DAUGHTER}, false},
    [GRANDPARENT] = {2, {PARENT, PARENT}, false},
    [UNCLE] = {3, {PARENT, PARENT, 1u << SON}, true},
    [MG_UNCLE] = {4, {PARENT, 1u << MOTHER, 1u << MOTHER, 1u << SON}, false},
    /* of father and mother; of the first predicate, then the second; of father, mother and brother */
    [ILP_GRANDPARENT] = {2, {3, 3}, false},
    [ILP_TWO_STEPS] = {2, {1, 2}, false},
    [ILP_UNCLE] = {2, {4, 3}, false},
};

static nlm_status label_path(oracle *o)
{
    const struct kin_path *path = &PATHS[o->parameter];
    int *seen = o->spare;
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++) {
        int *from = o->spare + o->objects, *to = from + o->objects, count = 1;
        from[0] = x;
        for (int step = 0; step < path->steps; step++) {
            count =
                walk_step(o->facts, path->relations[step], from, count, to, seen, MAX_STEPS * x + step + 1);
            int *reached = to;
            to = from;
            from = reached;
        }
        int kept = 0;
        for (int i = 0; i < count; i++)
            if (!path->not_father || !relation_holds(&o->facts[FATHER], x, from[i]))
                from[kept++] = from[i];
        status = oracle_label_reached(o, x, from, kept);
    }
    return status;
}

/* y is x's father, and x is somebody's brother or father; of father and brother. */
static nlm_status label_son(oracle *o)
{
    const int *fathers = o->facts[0].starts, *brothers = o->facts[1].starts;
    nlm_status status = NLM_OK;
    for (int y = 0; y < o->objects && !status; y++)
        for (int at = fathers[y]; at < fathers[y + 1] && !status; at++) {
            int x = o->facts[0].items[at];
            if (fathers[x] < fathers[x + 1] || brothers[x] < brothers[x + 1])
                status = oracle_label(o, x, y);
        }
    return status;
}

/* The longest line of ancestors, in generations before a person.  Every round raises the generation of
 * children whose parent has come as far as they.  Nobody is an ancestor of themselves, so the rounds end: at
 * the latest after as many as there are people. */
static nlm_status family_depth(nlm_world *world, int *depth, nlm_error *error)
{
    int people = nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, (size_t)people * sizeof(int), &block, error);
    if (status)
        return status;
    int *generation = memset(block, 0, (size_t)people * sizeof *generation);
    bool raised = true;
    *depth = 0;
    for (int round = 0; raised && round < people; round++) {
        raised = false;
        for (int parent = FATHER; parent <= MOTHER; parent++) {
            const int *pairs;
            size_t facts = nlm_world_facts(world, parent, &pairs, NULL);
            for (size_t fact = 0; fact < facts; fact++) {
                int child = pairs[2 * fact], before = generation[pairs[2 * fact + 1]] + 1;
                if (generation[child] >= before)
                    continue;
                generation[child] = before;
                *depth = before > *depth ? before : *depth;
                raised = true;
            }
        }
    }
    return NLM_OK;
}

/* ---- tasks ---- */

/* Prefix of objects or how they are added; most objects; draws; pairs; predicates to walk along; depth;
 * generators of both kinds of worlds; predicates. */
/* clang-format off */
static const task_kind FAMILY = {
    "person", NULL, MAX_PEOPLE, 0, false, 0, family_depth, family_generate, family_generate_rich, FAMILY_PREDICATES,
    {{"father", 2}, {"mother", 2}, {"son", 2}, {"daughter", 2}}};
static const task_kind SON_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 1, NULL, family_generate_small, NULL, 3,
    {{"father", 2}, {"brother", 2}, {"sister", 2}}};
static const task_kind GRANDPARENT_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 3, NULL, family_generate_small, NULL, 2,
    {{"father", 2}, {"mother", 2}}};
static const task_kind HUSBAND_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 1, NULL, family_generate_small, NULL, 3,
    {{"father", 2}, {"daughter", 2}, {"brother", 2}}};
static const task_kind UNCLE_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 3, NULL, family_generate_small, NULL, 3,
    {{"father", 2}, {"mother", 2}, {"brother", 2}}};
static const task_kind RELATED_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 1, NULL, family_generate_small, NULL, 1,
    {{"parent", 2}}};
static const task_kind FATHER_FAMILY = {
    "person", NULL, MAX_NODES, DRAWS, false, 2, NULL, family_generate_small, NULL, 4,
    {{"husband", 2}, {"mother", 2}, {"brother", 2}, {"aunt", 2}}};
/* clang-format on */

/* Name, question, target and its arity, inputs, sizes; the paper's depth, breadth, residual, threshold,
 * budget and share of graduated runs, our gain, width, sense, gallery, shift, origin, solved, recipes; kind,
 * oracle and its parameter. */
/* clang-format off */
const task_entry family_tasks[FAMILY_TASKS] = {
    {{"has-father", "x has a father",
      "has_father", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &FAMILY, label_path, HAS_FATHER},
    {{"has-sister", "x's father has a daughter other than x",
      "has_sister", 1, {0, 0, 4}, 20, 100, 4, 3, false, 1e-5, 50000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &FAMILY, label_path, HAS_SISTER},
    {{"grandparent", "y is a parent of a parent of x",
      "grandparent", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-7, 100000, 1.0, 10, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &FAMILY, label_path, GRANDPARENT},
    {{"uncle", "y is a son of a grandparent of x and not x's father",
      "uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 100000, 0.9, 10, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &FAMILY, label_path, UNCLE},
    {{"mg-uncle", "y is a son of the mother of a grandmother of x",
      "mg_uncle", 2, {0, 0, 4}, 20, 100, 4, 3, false, 1e-8, 200000, 0.2, 10, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &FAMILY, label_path, MG_UNCLE},
};
/* clang-format on */

/* As in graph.c; depth to budget are our own, and `solved` is the share of runs that solved it. */
/* clang-format off */
const task_entry ilp_family_tasks[ILP_FAMILY_TASKS] = {
    {{"ilp-son", "x is a son of y",
      "son", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &SON_FAMILY, label_son, 0},
    {{"ilp-grandparent", "x is a parent of a parent of y",
      "grandparent", 2, {0, 0, 2}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 0.965, NULL, NULL, NULL, NULL, NULL},
     &GRANDPARENT_FAMILY, label_path, ILP_GRANDPARENT},
    {{"ilp-husband", "x is the father of a daughter of y",
      "husband", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &HUSBAND_FAMILY, label_path, ILP_TWO_STEPS},
    {{"ilp-uncle", "x is a brother of a parent of y",
      "uncle", 2, {0, 0, 3}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 0.7, NULL, NULL, NULL, NULL, NULL},
     &UNCLE_FAMILY, label_path, ILP_UNCLE},
    {{"ilp-relatedness", "x and y are of the same family",
      "related", 2, {0, 0, 1}, 9, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &RELATED_FAMILY, oracle_label_linked, 0},
    {{"ilp-father", "x is the husband of y's mother",
      "father", 2, {0, 0, 4}, 9, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &FATHER_FAMILY, label_path, ILP_TWO_STEPS},
};
/* clang-format on */
