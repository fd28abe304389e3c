/* Classification: turn a key per tuple into a partition.
 *
 * A key is `width` words; tuples are alike if their keys are equal.  The key of a tuple in another order is a
 * function of its key (docs/maths.md, Lemma 2), given as `reorder`.  So only sorted tuples are visited, and a
 * new key enters the keys of all its reorderings at once: a tuple alike to a reordered one is found by a
 * single look-up.
 *
 * Tuples are cut into chunks by number.  Three steps:
 *     1. each chunk numbers its own keys                  in parallel
 *     2. the distinct keys of the chunks are merged       one thread, in the order of the chunks
 *     3. the chunks' numbers are replaced by codes        in parallel
 * Chunks depend on the number of tuples alone, so the partition does not depend on the number of threads. */
#ifndef STRUCTURE_CLASSIFY_H
#define STRUCTURE_CLASSIFY_H

#include "structure/structure.h"

struct classify_chunk;

/* One classification.  The caller fills all but `codes`, which classify sets. */
struct classification {
    struct nlm_structure *structure;
    int arity;
    size_t width; /* words per key */
    size_t chunk; /* tuples per chunk */
    /* Number the keys of the tuples of a chunk: for each, classify_tuple(job, chunk, tuple, key, width). */
    void (*number)(struct classification *job, struct classify_chunk *chunk);
    /* The key of the tuple in another order. */
    void (*reorder)(const struct classification *job, const int32_t *key, int order, int32_t *out);
    /* for the two functions above */
    void *context;
    /* per tuple: its number within the chunk after step 1, its code after step 3 */
    int32_t *codes;
    /* where the partition is built; unused if the identity is chosen */
    struct partition *out;
};

/* Tuples begin..end-1, while one thread numbers them. */
struct classify_chunk {
    size_t begin, end;
    /* the hash table of the thread, with room for all keys of the chunk */
    struct intern *local;
    /* per number: the first tuple with that key */
    int32_t *firsts;
    /* for scratch memory of the key functions */
    int thread;
};

/* Step 1 for one tuple.  A number equal to the former count is a new key, and the tuple its first one. */
static inline __attribute__((always_inline)) void classify_tuple(struct classification *job,
                                                                 struct classify_chunk *chunk, size_t tuple,
                                                                 const int32_t *key, size_t width)
{
    INVARIANT(tuple >= chunk->begin && tuple < chunk->end);
    int32_t known = chunk->local->count;
    int32_t number = intern_add(chunk->local, key, width);
    job->codes[tuple] = number;
    if (number == known)
        chunk->firsts[number] = (int32_t)tuple;
}

/* After classify, unless the identity was chosen: the key of an orbit's representative. */
const int32_t *classify_orbit_key(const struct classification *job, size_t orbit);

/* Fill job->out; *part is that, or the identity partition where lifting would not pay. */
nlm_status classify(struct classification *job, const struct partition **part);

/* Tuples per chunk: a fixed share of the work, neither too small to be worth a thread nor too large to
 * balance. */
size_t classify_chunk_size(size_t tuples, size_t least);

#endif
