/* Vectors of eight floats for the vector kernels.
 *
 * GNU vector types: where the machine has narrower registers, the compiler splits them.  Intrinsics only
 * where the language lacks the operation. */
#ifndef KERNEL_LANES_H
#define KERNEL_LANES_H

#include <stdint.h>
#ifdef __AVX__
#include <immintrin.h>
#endif
#include "kernel/kernel.h"

/* NAME_VARIANT, of a variant that is a macro itself. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define INLINE static inline __attribute__((always_inline))

typedef float vec __attribute__((vector_size(32)));
typedef int32_t ivec __attribute__((vector_size(32)));
/* The same for loads and stores of float and int32_t memory that is only aligned to its element. */
typedef float memory_vec __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t memory_ivec __attribute__((vector_size(32), aligned(4), may_alias));

enum { LANES = KERNEL_LANES };

INLINE vec load(const float *p)
{
    return *(const memory_vec *)p;
}

INLINE void store(float *p, vec x)
{
    *(memory_vec *)p = x;
}

INLINE void store_int(int32_t *p, ivec x)
{
    *(memory_ivec *)p = x;
}

INLINE vec splat(float x)
{
    return (vec){x, x, x, x, x, x, x, x};
}

INLINE ivec splat_int(int32_t x)
{
    return (ivec){x, x, x, x, x, x, x, x};
}

/* mask is all ones or all zeros per lane.  C has no ?: on vectors; where the compiler would spend three
 * instructions on it, name the one there is. */
INLINE vec choose(ivec mask, vec yes, vec no)
{
#ifdef __AVX__
    return (vec)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
#endif
}

INLINE ivec choose_int(ivec mask, ivec yes, ivec no)
{
    return (ivec)choose(mask, (vec)yes, (vec)no);
}

/* Hold a value in a register: otherwise the compiler may load it again for every use. */
INLINE vec held(vec x)
{
#ifdef __AVX__
    __asm__("" : "+x"(x));
#endif
    return x;
}

INLINE vec larger(vec a, vec b)
{
#ifdef __AVX__
    return (vec)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return choose(a > b, a, b);
#endif
}

INLINE vec smaller(vec a, vec b)
{
#ifdef __AVX__
    return (vec)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return choose(a < b, a, b);
#endif
}

/* exp for x in [-87, 87]: 2^n * p(r), x = n ln 2 + r, |r| <= ln 2 / 2; relative error below 2e-7. */
INLINE vec exponential(vec x)
{
    const vec magic = splat(12582912.0f); /* 1.5 * 2^23: adding it rounds to an integer */
    vec n = x * splat(1.44269504f) + magic;
    ivec exponent = (ivec)n - (ivec)magic;
    n -= magic;
    vec r = x - n * splat(0.693359375f);
    r -= n * splat(-2.12194440e-4f);
    vec p = splat(1.9875691500e-4f);
    p = p * r + splat(1.3981999507e-3f);
    p = p * r + splat(8.3334519073e-3f);
    p = p * r + splat(4.1665795894e-2f);
    p = p * r + splat(1.6666665459e-1f);
    p = p * r + splat(5.0000001201e-1f);
    p = p * (r * r) + r + splat(1.0f);
    return (vec)((ivec)p + (exponent << 23));
}

/* Exactly 0 from -87 downwards and exactly 1 from 17 upwards: units with large weights are true or false. */
INLINE vec sigmoid(vec x)
{
    const vec y = smaller(larger(x, splat(-87.0f)), splat(87.0f));
    return choose(x > splat(-87.0f), splat(1.0f) / (splat(1.0f) + exponential(-y)), splat(0.0f));
}

/* log(1 + x) for x in [0, 1], as 2 artanh(x / (2 + x)); relative error below 2e-7, however small x is. */
INLINE vec log_one_plus(vec x)
{
    vec s = x / (splat(2.0f) + x), q = s * s;
    vec series = splat(1.0f / 13.0f);
    for (int n = 11; n >= 1; n -= 2)
        series = series * q + splat(1.0f / (float)n);
    return splat(2.0f) * s * series;
}

#endif
