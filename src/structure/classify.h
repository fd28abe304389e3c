/* Classification: turn a key per tuple into a partition.
 *
 * Tuples are cut into chunks by number.  Each chunk numbers its own keys (in parallel), the chunks' distinct
 * keys are merged in order, and the chunks' numbers are replaced by codes (in parallel): the result does not
 * depend on the number of threads.  A merged key becomes a new orbit and all its r! reorderings are entered
 * at once, so a tuple alike to a reordered one is found by a single look-up. */
#ifndef STRUCTURE_CLASSIFY_H
#define STRUCTURE_CLASSIFY_H

#include "structure/structure.h"

struct classify_chunk;

struct classification {
    struct nlm_structure *structure;
    int arity;
    size_t width; /* words per key */
    size_t chunk; /* tuples per chunk */
    /* Number the keys of tuples begin..end-1: for each, classify_tuple(job, chunk, tuple, key, width). */
    void (*number)(struct classification *job, struct classify_chunk *chunk);
    /* The key of the tuple in another order. */
    void (*reorder)(const struct classification *job, const int32_t *key, int order, int32_t *out);
    void *context;
    int32_t *codes;
    struct partition *out;
};

struct classify_chunk {
    size_t begin, end;
    struct intern *local;
    int32_t *firsts;
    int thread;
};

static inline __attribute__((always_inline)) void classify_tuple(struct classification *job,
                                                                 struct classify_chunk *chunk, size_t tuple,
                                                                 const int32_t *key, size_t width)
{
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
