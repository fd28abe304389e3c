/* Counter-based random numbers: Philox4x32-10 of Random123.
 *
 * A draw is a pure function of (seed, stream, number of the draw): the key is the seed, the counter holds the
 * stream and the block.  The same seed and stream give the same sequence on every machine and for any number
 * of threads, and streams that differ are independent of each other. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>
#include "nlm/random.h"

typedef struct random_stream {
    uint64_t seed;
    uint64_t stream;
    uint64_t block;    /* the next block to compute; a block is four words */
    uint32_t words[4]; /* the block computed last */
    int left;          /* how many of `words` are still to be handed out, the last ones */
} random_stream;

/* What functions of a program's own are given. */
struct nlm_random {
    random_stream stream;
};

void random_start(random_stream *random, uint64_t seed, uint64_t stream);

uint32_t random_u32(random_stream *random);
uint64_t random_u64(random_stream *random);
/* Uniform in 0..n-1, without bias; 0 when n is 0. */
uint32_t random_below(random_stream *random, uint32_t n);
/* A multiple of 2^-53, uniform in [0, 1). */
double random_unit(random_stream *random);
/* Uniform in [lo, hi), for lo < hi; lo when they are equal. */
float random_uniform(random_stream *random, float lo, float hi);
/* All orders of the items are equally likely. */
void random_shuffle(random_stream *random, int *items, int count);

#endif
