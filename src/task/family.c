/* Families: the generator mimics a family that grows on a timeline, the oracle follows relations.
 *
 * The oracle reads the world's facts and nothing else, so that it labels worlds written by hand as well. */
#include "task/family.h"

#include <stdbool.h>
#include <string.h>
#include "task/relation.h"
#include "task/walk.h"
#include "world/world.h"

/* ---- generator ---- */

enum { MAN, WOMAN, GENDERS };
enum { NOBODY = -1 };

/* Couples are for life, so two people with the same father are full siblings. */
typedef struct family_tree {
    int *order;   /* people by birth */
    int *fathers; /* by person, NOBODY for who came from outside; the same for both parents */
    int *mothers;
    int *husbands, *wives; /* by couple */
    int couples;
    int *singles[GENDERS];
    int single_count[GENDERS];
} family_tree;

static nlm_status family_start(family_tree *tree, nlm_world *world, random_stream *random, nlm_error *error)
{
    size_t people = (size_t)nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, 7 * people * sizeof(int), &block, error);
    if (status)
        return status;
    int *memory = block;
    int **parts[] = {&tree->order, &tree->fathers,      &tree->mothers,       &tree->husbands,
                     &tree->wives, &tree->singles[MAN], &tree->singles[WOMAN]};
    for (size_t part = 0; part < 7; part++)
        *parts[part] = memory + part * people;
    tree->couples = 0;
    tree->single_count[MAN] = tree->single_count[WOMAN] = 0;
    for (int person = 0; person < (int)people; person++) {
        tree->order[person] = person;
        tree->fathers[person] = tree->mothers[person] = NOBODY;
    }
    random_shuffle(random, tree->order, (int)people);
    return NLM_OK;
}

static bool are_siblings(const family_tree *tree, int a, int b)
{
    return tree->fathers[a] != NOBODY && tree->fathers[a] == tree->fathers[b];
}

/* Siblings, uncle and niece, aunt and nephew, or cousins.  Whoever came from outside is related only to
 * descendants, and has none while single. */
static bool closely_related(const family_tree *tree, int a, int b)
{
    if (tree->fathers[a] == NOBODY || tree->fathers[b] == NOBODY)
        return false;
    const int parents_a[] = {tree->fathers[a], tree->mothers[a]};
    const int parents_b[] = {tree->fathers[b], tree->mothers[b]};
    if (are_siblings(tree, a, b))
        return true;
    for (int i = 0; i < 2; i++) {
        if (are_siblings(tree, parents_a[i], b) || are_siblings(tree, a, parents_b[i]))
            return true;
        for (int j = 0; j < 2; j++)
            if (are_siblings(tree, parents_a[i], parents_b[j]))
                return true;
    }
    return false;
}

static int take_single(family_tree *tree, int gender, int at)
{
    int *singles = tree->singles[gender];
    int person = singles[at];
    singles[at] = singles[--tree->single_count[gender]];
    return person;
}

/* One man and one woman are drawn; if they may not marry, nobody does this time. */
static void marry_somebody(family_tree *tree, random_stream *random)
{
    if (tree->single_count[MAN] == 0 || tree->single_count[WOMAN] == 0)
        return;
    int at_man = (int)random_below(random, (uint32_t)tree->single_count[MAN]);
    int at_woman = (int)random_below(random, (uint32_t)tree->single_count[WOMAN]);
    if (closely_related(tree, tree->singles[MAN][at_man], tree->singles[WOMAN][at_woman]))
        return;
    tree->husbands[tree->couples] = take_single(tree, MAN, at_man);
    tree->wives[tree->couples] = take_single(tree, WOMAN, at_woman);
    tree->couples++;
}

static nlm_status add_child(nlm_world *world, int child, int gender, int father, int mother, nlm_error *error)
{
    int child_is = gender == MAN ? FAMILY_SON : FAMILY_DAUGHTER;
    const struct {
        int predicate, tuple[2];
    } facts[] = {{FAMILY_FATHER, {child, father}},
                 {FAMILY_MOTHER, {child, mother}},
                 {child_is, {father, child}},
                 {child_is, {mother, child}}};
    nlm_status status = NLM_OK;
    for (int fact = 0; fact < 4 && !status; fact++)
        status = nlm_world_add_fact(world, facts[fact].predicate, facts[fact].tuple, 1, error);
    return status;
}

nlm_status family_generate(nlm_world *world, random_stream *random, nlm_error *error)
{
    family_tree tree;
    nlm_status status = family_start(&tree, world, random, error);
    if (status)
        return status;
    int people = nlm_world_objects(world);
    for (int born = 0; born < people; born++) {
        int person = tree.order[born];
        int gender = (int)random_below(random, GENDERS);
        int parents = (int)random_below(random, (uint32_t)tree.couples + 1);
        if (parents < tree.couples) { /* the one choice more is: none */
            tree.fathers[person] = tree.husbands[parents];
            tree.mothers[person] = tree.wives[parents];
            status = add_child(world, person, gender, tree.fathers[person], tree.mothers[person], error);
            if (status)
                return status;
        }
        tree.singles[gender][tree.single_count[gender]++] = person;
        marry_somebody(&tree, random);
    }
    return NLM_OK;
}

/* ---- oracle ---- */

enum { MAX_STEPS = 4 };

/* A question as a path from x, one set of relations per step: uncle is parent, parent, son. */
typedef struct kin_path {
    int steps;
    unsigned relations[MAX_STEPS]; /* bit k: predicate k may be followed */
    bool unary;                    /* asks whether the path leads to anybody else than x */
    bool not_father;               /* x's father does not count */
} kin_path;

#define FATHER (1u << FAMILY_FATHER)
#define MOTHER (1u << FAMILY_MOTHER)
#define PARENT (FATHER | MOTHER)
#define SON (1u << FAMILY_SON)
#define DAUGHTER (1u << FAMILY_DAUGHTER)

static const kin_path PATHS[] = {
    [FAMILY_HAS_FATHER] = {1, {FATHER}, true, false},
    [FAMILY_HAS_SISTER] = {2, {FATHER, DAUGHTER}, true, false},
    [FAMILY_GRANDPARENT] = {2, {PARENT, PARENT}, false, false},
    [FAMILY_UNCLE] = {3, {PARENT, PARENT, SON}, false, true},
    [FAMILY_MG_UNCLE] = {4, {PARENT, MOTHER, MOTHER, SON}, false, false},
};

static bool holds(const relation *facts, int x, int y)
{
    for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
        if (facts->items[at] == y)
            return true;
    return false;
}

/* Label what is true of x, given the people at the end of the path. */
static nlm_status label_reached(nlm_world *world, const kin_path *path, const relation *fathers, int x,
                                const int *reached, int count, int target, nlm_error *error)
{
    for (int i = 0; i < count; i++) {
        int y = reached[i];
        if (y == x || (path->not_father && holds(fathers, x, y)))
            continue;
        if (path->unary)
            return relation_label(world, target, x, error);
        nlm_status status = relation_label_pair(world, target, x, y, error);
        if (status)
            return status;
    }
    return NLM_OK;
}

nlm_status family_label(nlm_world *world, const int *predicates, int question, int target, nlm_error *error)
{
    const kin_path *path = &PATHS[question];
    int people = nlm_world_objects(world);
    relation relations[FAMILY_PREDICATES];
    int *memory;
    nlm_status status =
        relations_read(world, predicates, FAMILY_PREDICATES, relations, 3 * (size_t)people, &memory, error);
    if (status)
        return status;
    int *seen = memory;
    for (int x = 0; x < people; x++) {
        int *from = memory + people;
        int *to = from + people;
        from[0] = x;
        int count = 1;
        for (int step = 0; step < path->steps; step++) {
            count =
                walk_step(relations, path->relations[step], from, count, to, seen, MAX_STEPS * x + step + 1);
            int *reached = to;
            to = from;
            from = reached;
        }
        status = label_reached(world, path, &relations[FAMILY_FATHER], x, from, count, target, error);
        if (status)
            return status;
    }
    return NLM_OK;
}

/* ---- depth ---- */

/* One generation more for every child whose parent has come as far as the child; whether there was any. */
static bool raise_children(const nlm_world *world, int parent, int *generation)
{
    const int *pairs;
    size_t facts = nlm_world_facts(world, parent, &pairs, NULL);
    bool raised = false;
    for (size_t fact = 0; fact < facts; fact++) {
        int child = pairs[2 * fact], before = generation[pairs[2 * fact + 1]] + 1;
        if (generation[child] >= before)
            continue;
        generation[child] = before;
        raised = true;
    }
    return raised;
}

/* Nobody is an ancestor of themselves, so the rounds end: at the latest after as many as there are people. */
nlm_status family_depth(nlm_world *world, int *depth, nlm_error *error)
{
    int people = nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, (size_t)people * sizeof(int), &block, error);
    if (status)
        return status;
    int *generation = memset(block, 0, (size_t)people * sizeof *generation);
    bool raised = true;
    for (int round = 0; raised && round < people; round++) {
        raised = raise_children(world, FAMILY_FATHER, generation);
        raised = raise_children(world, FAMILY_MOTHER, generation) || raised;
    }
    *depth = 0;
    for (int x = 0; x < people; x++)
        *depth = generation[x] > *depth ? generation[x] : *depth;
    return NLM_OK;
}
