/* Which table of smooth functions goes with which kernels. */
#include "baseline/smooth.h"

#include "kernel/kernel.h"

const struct smooth *smooth_choose(nlm_kernel kernel)
{
    const struct kernel_table *kernels = kernel_choose(kernel);
    if (kernels == &kernel_vector_generic)
        return &smooth_generic;
#ifdef NLM_X86
    if (kernels == &kernel_vector_avx2)
        return &smooth_avx2;
    if (kernels == &kernel_vector_avx512)
        return &smooth_avx512;
#endif
    return NULL;
}
