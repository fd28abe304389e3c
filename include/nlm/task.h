/* Tasks: a generator of random worlds and an oracle that labels them.
 *
 * World number `index` of a seed and a kind is always the same, whatever was generated before it.
 *
 * A task is a table of values and functions.  The library has some (nlm_task_at), and a program may pass in
 * its own: it fills in name, description, target, arity, train_objects, predicates and generate; of the
 * others 0 stands for what is usual.  The table must outlive whatever was made with it.
 *
 * Tables are only read, so threads may share them; functions of a program's own are called by one thread at a
 * time for each world, and by several at once for different worlds. */
#ifndef NLM_TASK_H
#define NLM_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include "nlm/gallery.h"
#include "nlm/random.h"
#include "nlm/recipe.h"
#include "nlm/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A predicate of the worlds of a task of a program's own. */
typedef struct nlm_declaration {
    const char *name;
    int arity;
} nlm_declaration;

typedef struct nlm_task nlm_task;
struct nlm_task {
    const char *name;                /* "grandparent" */
    const char *description;         /* what the target asks, in one line */
    const char *target;              /* name of the target predicate */
    int arity;                       /* of the target */
    int inputs[NLM_MAX_BREADTH + 1]; /* input predicates per arity */
    int train_objects, test_objects; /* sizes of the paper; our own where origin is "ilp" */

    /* How the paper learns it, with no hidden layers; where origin is "ilp", how we do. */
    int depth, breadth;
    bool residual;
    double threshold;  /* a run has graduated when an epoch's mean loss is below this; 0: none ever does */
    int examples;      /* the budget, in worlds */
    double graduation; /* the share of the paper's runs that graduated; these made no error in tests.  0 where
                          none ever does, and where it has none */
    double gain;       /* our own protocol's size of the initial weights, in multiples of the paper's */
    int width;         /* predicates per arity and layer */

    /* Of a task whose objects show something: the sense that makes the first inputs of arity 1, and in a copy
     * of the task the pictures to choose from.  Without (NULL) they are drawn for each object.  Worlds to
     * test with (from number NLM_TEST_WORLDS on) have pictures of their own; in others pictures are moved by
     * up to `shift` pixels each way. */
    const char *sense;
    const nlm_gallery *gallery;
    int shift;

    const char *origin; /* NULL: a task of Dong et al. 2019; "ilp": one of Evans and Grefenstette 2018 */
    double solved;      /* of the latter: the share of differentiable ILP's runs that solved it, as published.
                           0 where none was */
    const nlm_recipe *recipes; /* where our protocol is not the same as for other tasks, or NULL */

    /* ---- of a task of a program's own; the library's have NULL here ---- */

    const nlm_declaration *predicates; /* that facts are about, ended by a row without a name */
    /* Add facts and labels to a world that has `objects` objects, the predicates, numbered as above, and the
     * target, number 0, of which everything is false that is not labelled.  All that is random comes from
     * `random`, so that the same world comes out again. */
    nlm_status (*generate)(const nlm_task *task, nlm_random *random, int objects, nlm_world *world,
                           nlm_error *error);
    /* How deep a world is, such as the longest path that its labels need; deep ones are looked for, as they
     * teach most.  NULL: all are alike. */
    int (*depth_of)(const nlm_task *task, const nlm_world *world);
    const void *context; /* for these functions */
};

/* The number of the first world of tests: a run would have to draw as many to meet it. */
#define NLM_TEST_WORLDS ((uint64_t)1 << 40)

/* The worlds of a task.  Those of the paper are families in which everybody has both parents or none, for
 * instance, and graphs whose edges lead both ways: many rules coincide there with the task's own.  Rich ones
 * also have the cases that tell such rules apart (src/task/family_tree.c and graph.c list them). */
typedef enum nlm_world_kind { NLM_WORLDS_PAPER, NLM_WORLDS_RICH, NLM_WORLD_KINDS } nlm_world_kind;

#define NLM_WORLD_KIND_NAMES "paper", "rich"
const char *nlm_world_kind_name(nlm_world_kind kind);

/* The registry, and a task by name (NULL if there is none). */
int nlm_tasks(void);
const nlm_task *nlm_task_at(int index);
const nlm_task *nlm_task_find(const char *name);
/* Whether the task has worlds of that kind: all have the paper's, those of families and graphs by Dong et al.
 * without pictures also rich ones. */
bool nlm_task_has_worlds(const nlm_task *task, nlm_world_kind kind);

/* Replace the content of `world` by a random world of `objects` objects with the labels of the task.  A kind
 * or a number of objects that the task cannot have (under 1, or absurdly large) is NLM_BAD_ARGUMENT and
 * leaves the world as it was; a later failure leaves it empty.  In a loop with one world this soon stops
 * allocating.
 */
nlm_status nlm_task_generate(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t index,
                             int objects, nlm_world *world, nlm_error *error);
/* Add the task's target to a world that has the task's predicates, in any order and among others, and label
 * all its tuples: those that follow from the world's facts are true, all others false.  A fact counts when
 * its value is above one half.  A failure leaves the world as it was. */
nlm_status nlm_task_label(const nlm_task *task, nlm_world *world, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
