/* Numbering the tuples of a batch of worlds.
 *
 * An unordered tuple of arity r is written sorted, x[0] < ... < x[r-1], and has colexicographic rank
 * C(x[0],1) + ... + C(x[r-1],r) inside its world, which does not depend on the number of objects.  Its index
 * in the batch adds the tuples of the worlds before.  Tuples that differ only in x[0] follow each other (a
 * *run*), and so do those of their sub-tuples that keep x[0]; that is what makes inner loops contiguous. */
#ifndef WORLD_TUPLES_H
#define WORLD_TUPLES_H

#include <stddef.h>
#include <stdint.h>
#include "base/invariant.h"
#include "base/memory.h"
#include "nlm/world.h"

/* Where counting stops: a sum of two still fits, and it is more than a code of 31 bits can name. */
#define TUPLES_TOO_MANY (SIZE_MAX / 3)

struct tuples {
    int worlds;
    int most_objects; /* of any world so far, the width of `choose` */
    buffer objects;   /* int per world */
    buffer offsets;   /* size_t [worlds + 1][NLM_MAX_BREADTH + 1]: index of a world's first tuple */
    buffer choose;    /* size_t [NLM_MAX_BREADTH + 1][most_objects + 1]: C(n, k), capped */
};

/* Tuple number i of a list of a world; one of arity 0 has no objects, nor has its list memory. */
static inline const int *tuple_listed(const int *tuples, size_t i, int arity)
{
    return arity > 0 ? tuples + i * (size_t)arity : NULL;
}

void tuples_free(struct tuples *tuples);
void tuples_clear(struct tuples *tuples);
nlm_status tuples_add_world(struct tuples *tuples, int objects, nlm_error *error);
/* Make `copy` the same as `tuples`. */
nlm_status tuples_copy(struct tuples *copy, const struct tuples *tuples);

static inline int tuples_objects(const struct tuples *tuples, int world)
{
    INVARIANT(world >= 0 && world < tuples->worlds);
    return ((const int *)tuples->objects.data)[world];
}

static inline size_t tuples_offset(const struct tuples *tuples, int world, int arity)
{
    INVARIANT(world >= 0 && world <= tuples->worlds && arity >= 0 && arity <= NLM_MAX_BREADTH);
    return ((const size_t *)tuples->offsets.data)[(size_t)world * (NLM_MAX_BREADTH + 1) + (size_t)arity];
}

/* Unordered tuples of all worlds. */
static inline size_t tuples_count(const struct tuples *tuples, int arity)
{
    return tuples->worlds ? tuples_offset(tuples, tuples->worlds, arity) : 0;
}

/* The row of C(., k). */
static inline const size_t *tuples_choose(const struct tuples *tuples, int k)
{
    INVARIANT(k >= 0 && k <= NLM_MAX_BREADTH);
    return (const size_t *)tuples->choose.data + (size_t)k * ((size_t)tuples->most_objects + 1);
}

/* Index of a sorted tuple. */
static inline size_t tuples_index(const struct tuples *tuples, int world, const int *sorted, int arity)
{
    size_t index = tuples_offset(tuples, world, arity);
    for (int k = 0; k < arity; k++) {
        INVARIANT(sorted[k] >= 0 && sorted[k] < tuples_objects(tuples, world));
        INVARIANT(k == 0 || sorted[k - 1] < sorted[k]);
        index += tuples_choose(tuples, k + 1)[sorted[k]];
    }
    return index;
}

/* Index of any tuple of distinct objects, and the number of the order that makes it from the sorted one. */
size_t tuples_find(const struct tuples *tuples, int world, const int *tuple, int arity, int *order);

/* Walking over all tuples in the order of their index, run by run. */
struct tuple_walk {
    const struct tuples *tuples;
    int arity, world;
    int x[NLM_MAX_BREADTH]; /* the first tuple of the run */
    size_t index;           /* its index */
    size_t run;             /* tuples in the run: x[0], x[0] + 1, ...; 0 when the walk is over */
};

/* Start at tuple `index`, which may lie inside a run. */
struct tuple_walk tuple_walk_start(const struct tuples *tuples, int arity, size_t index);
void tuple_walk_next_run(struct tuple_walk *walk);

#endif
