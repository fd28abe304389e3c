/* Source: the worlds of a run, by number.
 *
 * A task generates world `number` of a seed.  A problem has its worlds in a list: numbers stand for the
 * worlds to learn from, pass after pass over all of them, each pass in an order of its own; numbers from
 * WORLD_SOURCE_HELD_OUT on stand for those held out, which nothing is learned from.  A problem of several
 * worlds holds out some of them; one of a single world holds out some of its labels, the same share of the
 * true and of the false ones.  What is held out does not depend on a seed.
 *
 * With settings that have a `neighbourhood`, the worlds of a large one are small ones drawn from it
 * (neighbourhoods.h).
 *
 * Of settings with `parts`, one part of the problem is hidden first (nlm/settings.h): its numbers are those
 * from WORLD_SOURCE_HIDDEN on.  A run neither learns from it nor looks at it. */
#ifndef LEARN_WORLD_SOURCE_H
#define LEARN_WORLD_SOURCE_H

#include "nlm/evaluator.h"
#include "nlm/settings.h"
#include "learn/neighbourhoods.h"

/* Numbers from here on name what is held out; a run would have to draw as many worlds to reach them. */
#define WORLD_SOURCE_HELD_OUT ((uint64_t)1 << 40)
#define WORLD_SOURCE_HIDDEN ((uint64_t)1 << 41)
/* And from here on neighbourhoods of labels that were named (world_source_name). */
#define WORLD_SOURCE_NAMED ((uint64_t)1 << 42)

/* The worlds of a task or of a problem.  It owns the two lists and the split worlds; task and problem are the
 * caller's.  The order of a pass is a cache: it changes while worlds are asked for, not what they are. */
struct world_source {
    const nlm_task *task; /* or ... */
    const nlm_problem *problem;
    nlm_world_kind kind;           /* of a task's worlds */
    int shift;                     /* of its pictures */
    int learned, held_out, hidden; /* worlds of a problem */
    const nlm_world **worlds;      /* those to learn from, then those held out, then those hidden */
    nlm_world *split[3];           /* of a single world: those with their shares of the labels */
    struct neighbourhoods *near;   /* or it is large, and this draws the worlds, ... */
    nlm_world *drawn;              /* ... the last one here */
    int *order;                    /* of the present pass, which is number ... */
    uint64_t pass, seed;           /* ... of this seed */
    bool ordered;                  /* the three above are set */
    bool balanced;                 /* worlds of one label: where none with a true one is asked for, a false */
};

/* Of a training's task or problem.  One with nothing but a task generates, and holds no memory. */
nlm_status world_source_init(struct world_source *source, const nlm_settings *training, nlm_error *error);
void world_source_release(struct world_source *source);

/* World `number`, in `scratch` if a task makes it; `objects` counts for tasks only.  A neighbourhood holds
 * until the next is asked for. */
nlm_status world_source_world(struct world_source *source, uint64_t seed, uint64_t number, int objects,
                              nlm_world *scratch, const nlm_world **world, nlm_error *error);

/* The next world to learn from, *next being its number, and the one after it from then on: drawn again until
 * it has a true tuple if `positive` asks for one, the deepest of several if `deep` does (of tasks only). */
nlm_status world_source_draw(struct world_source *source, uint64_t seed, uint64_t *next, int objects,
                             bool positive, bool deep, nlm_world *scratch, uint64_t *number,
                             const nlm_world **world, nlm_error *error);

/* The evaluator's answers on that world alone, against its labels (evaluator_compare).  Several threads may
 * ask one source of a task, each with a scratch and an evaluator of its own. */
nlm_status world_source_compare(struct world_source *source, uint64_t seed, uint64_t number, int objects,
                                nlm_world *scratch, nlm_evaluator *evaluator, nlm_bce_result *result,
                                nlm_error *error);
/* How many of `worlds`, from the first, have the labels that are learned from, with `all` also those held
 * out. A large world is one of them, whole: it has all labels. */
int world_source_labelled(const struct world_source *source, bool all);
/* The number of the neighbourhood of a label that is learned from, for as long as the source lives. */
nlm_status world_source_name(struct world_source *source, int target, const int *tuple, uint64_t *number,
                             nlm_error *error);
/* Mean of the fractions right among the true and among the false tuples, of those kinds there are. */
double balanced_accuracy(size_t tuples, size_t wrong, size_t positives, size_t wrong_positives);

/* Whether every batch of so many consecutive numbers has the same worlds in the same order. */
bool world_source_is_fixed(const struct world_source *source, int batch);

#endif
