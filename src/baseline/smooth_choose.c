/* Which table of smooth functions goes with which kernels. */
#include "baseline/smooth.h"

#include "kernel/kernel.h"

const struct smooth *smooth_choose(nlm_kernel kernel)
{
    static const struct smooth *const tables[KERNELS] = {KERNEL_VARIANTS(&smooth_)};
    return nlm_kernel_available(kernel) ? tables[kernel_resolve(kernel)] : NULL;
}
