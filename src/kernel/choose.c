/* Which kernels this processor can run. */
#include "kernel/kernel.h"

#include <string.h>

static const struct {
    nlm_kernel kernel;
    const char *name;
} names[] = {
    {NLM_KERNEL_BEST, "best"}, {NLM_KERNEL_REFERENCE, "reference"}, {NLM_KERNEL_GENERIC, "generic"},
    {NLM_KERNEL_AVX2, "avx2"}, {NLM_KERNEL_AVX512, "avx512"},
};

const char *nlm_kernel_name(nlm_kernel kernel)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kernel == kernel)
            return names[i].name;
    return "unknown";
}

bool nlm_kernel_find(const char *name, nlm_kernel *kernel)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name)) {
            *kernel = names[i].kernel;
            return true;
        }
    return false;
}

static const struct kernel_table *avx2(void)
{
#ifdef NLM_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kernel_vector_avx2;
#endif
    return NULL;
}

static const struct kernel_table *avx512(void)
{
#ifdef NLM_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return &kernel_vector_avx512;
#endif
    return NULL;
}

const struct kernel_table *kernel_choose(nlm_kernel kernel)
{
    const struct kernel_table *table = NULL;
    switch (kernel) {
    case NLM_KERNEL_BEST:
        table = avx512();
        if (!table)
            table = avx2();
        return table ? table : &kernel_vector_generic;
    case NLM_KERNEL_REFERENCE:
        return &kernel_reference;
    case NLM_KERNEL_GENERIC:
        return &kernel_vector_generic;
    case NLM_KERNEL_AVX2:
        return avx2();
    case NLM_KERNEL_AVX512:
        return avx512();
    }
    return NULL;
}

bool nlm_kernel_available(nlm_kernel kernel)
{
    return kernel_choose(kernel) != NULL;
}
