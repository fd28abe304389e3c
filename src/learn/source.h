/* Source: the worlds of a run, by number.
 *
 * A task generates world `number` of a seed.  A problem has its worlds in a list: numbers stand for the
 * worlds to learn from, pass after pass over all of them, each pass in an order of its own; numbers from
 * SOURCE_HELD_OUT on stand for those held out, which nothing is learned from.  A problem of several worlds
 * holds out some of them; one of a single world holds out some of its labels, the same share of the true and
 * of the false ones.  What is held out does not depend on a seed. */
#ifndef LEARN_SOURCE_H
#define LEARN_SOURCE_H

#include "nlm/learn.h"

#define SOURCE_HELD_OUT ((uint64_t)1 << 40)

struct source {
    const nlm_task *task; /* or ... */
    const nlm_problem *problem;
    int shift;                /* of a task's pictures */
    int learned, held_out;    /* worlds of a problem */
    const nlm_world **worlds; /* those to learn from, then those held out */
    nlm_world *split[2];      /* of a single world: the two with their shares of the labels */
    int *order;               /* of the present pass, which is number ... */
    uint64_t pass, seed;      /* ... of this seed */
    bool ordered;             /* the three above are set */
};

/* A source that generates; it holds no memory. */
static inline struct source source_of_task(const nlm_task *task)
{
    return (struct source){.task = task};
}

/* Of a training's task or problem. */
nlm_status source_init(struct source *source, const nlm_training *training, nlm_error *error);
void source_release(struct source *source);

/* World `number`, in `scratch` if it has to be made; `objects` counts for tasks only. */
nlm_status source_world(struct source *source, uint64_t seed, uint64_t number, int objects,
                        nlm_world *scratch, const nlm_world **world, nlm_error *error);

/* Whether every batch of so many consecutive numbers has the same worlds in the same order. */
bool source_is_fixed(const struct source *source, int batch);

#endif
