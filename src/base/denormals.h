/* Denormal numbers: floats below 1.2e-38, of which processors take many times as long.
 *
 * While they are off, they count as 0, as what is read and as what comes out; only in the thread that says
 * so, until it restores what was. */
#ifndef BASE_DENORMALS_H
#define BASE_DENORMALS_H

#include <stdint.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

static inline uint64_t denormals_off(void)
{
    uint64_t before = 0;
#if defined __SSE__
    enum { RESULTS = 0x8000, OPERANDS = 0x0040 };
    before = _mm_getcsr();
    _mm_setcsr((unsigned)before | RESULTS | OPERANDS);
#elif defined __aarch64__
    const uint64_t both = 1 << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | both));
#endif
    return before;
}

static inline void denormals_restore(uint64_t before)
{
#if defined __SSE__
    _mm_setcsr((unsigned)before);
#elif defined __aarch64__
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}

#endif
