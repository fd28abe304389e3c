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

static bool runs_avx2(void)
{
#ifdef NLM_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool runs_avx512(void)
{
#ifdef NLM_X86
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#else
    return false;
#endif
}

nlm_kernel kernel_resolve(nlm_kernel kernel)
{
    if (kernel != NLM_KERNEL_BEST)
        return kernel;
    if (runs_avx512())
        return NLM_KERNEL_AVX512;
    return runs_avx2() ? NLM_KERNEL_AVX2 : NLM_KERNEL_GENERIC;
}

bool nlm_kernel_available(nlm_kernel kernel)
{
    switch (kernel) {
    case NLM_KERNEL_BEST:
    case NLM_KERNEL_REFERENCE:
    case NLM_KERNEL_GENERIC:
        return true;
    case NLM_KERNEL_AVX2:
        return runs_avx2();
    case NLM_KERNEL_AVX512:
        return runs_avx512();
    }
    return false;
}

const struct kernel_table *kernel_choose(nlm_kernel kernel)
{
    static const struct kernel_table *const tables[KERNELS] = {
        [NLM_KERNEL_REFERENCE] = &kernel_reference,
        KERNEL_VARIANTS(&kernel_vector_),
    };
    return nlm_kernel_available(kernel) ? tables[kernel_resolve(kernel)] : NULL;
}
