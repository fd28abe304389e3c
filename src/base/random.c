/* Counter-based random numbers: Philox4x32-10 of Random123.
 *
 * Invariant: words[4 - left ..] of block number `block - 1` are the next to be handed out.  Nothing here
 * depends on the processor: integers throughout, and the one sum of floating-point numbers is an explicit
 * fma, so a compiler has nothing to contract. */
#include "base/random.h"

#include <math.h>
#include <Random123/philox.h>

void random_start(random_stream *random, uint64_t seed, uint64_t stream)
{
    *random = (random_stream){.seed = seed, .stream = stream};
}

static void next_block(random_stream *random)
{
    philox4x32_key_t key = {{(uint32_t)random->seed, (uint32_t)(random->seed >> 32)}};
    philox4x32_ctr_t counter = {{(uint32_t)random->block, (uint32_t)(random->block >> 32),
                                 (uint32_t)random->stream, (uint32_t)(random->stream >> 32)}};
    philox4x32_ctr_t words = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        random->words[i] = words.v[i];
    random->block++;
    random->left = 4;
}

uint32_t random_u32(random_stream *random)
{
    if (random->left == 0)
        next_block(random);
    return random->words[4 - random->left--];
}

uint64_t random_u64(random_stream *random)
{
    uint64_t low = random_u32(random);
    return (uint64_t)random_u32(random) << 32 | low;
}

/* Lemire's multiplication: the high word of draw * n is the result.  Low words under 2^32 mod n belong to the
 * results that would come up once too often, so these draws are thrown away. */
uint32_t random_below(random_stream *random, uint32_t n)
{
    uint64_t product = (uint64_t)random_u32(random) * n;
    if ((uint32_t)product < n) {
        uint32_t surplus = (uint32_t)-n % n;
        while ((uint32_t)product < surplus)
            product = (uint64_t)random_u32(random) * n;
    }
    return (uint32_t)(product >> 32);
}

double random_unit(random_stream *random)
{
    return (double)(random_u64(random) >> 11) * 0x1p-53;
}

float random_uniform(random_stream *random, float lo, float hi)
{
    double unit = (double)(random_u32(random) >> 8) * 0x1p-24;
    float value = (float)fma((double)hi - (double)lo, unit, (double)lo);
    /* Rounding to float can reach hi, which the range leaves out. */
    return value < hi || lo == hi ? value : nextafterf(hi, lo);
}

void random_shuffle(random_stream *random, int *items, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int other = (int)random_below(random, (uint32_t)i + 1);
        int item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
}

uint32_t nlm_random_below(nlm_random *random, uint32_t n)
{
    return random ? random_below(&random->stream, n) : 0;
}

double nlm_random_unit(nlm_random *random)
{
    return random ? random_unit(&random->stream) : 0;
}
