/* Products of matrices: which function makes them. */
#include "perception/product.h"

#include <pthread.h>
#include <string.h>
#include "kernel/kernel.h"
#include "perception/openblas.h"

/* Set once for the process, by choose(). */
static pthread_once_t chosen = PTHREAD_ONCE_INIT;
static product_function *run;

product_function *product_choose(nlm_kernel kernel)
{
    static product_function *const functions[KERNELS] = {KERNEL_VARIANTS(product_)};
    return nlm_kernel_available(kernel) ? functions[kernel_resolve(kernel)] : NULL;
}

bool product_is_unknown_processor(const char *core)
{
    return strcmp(core, "Prescott") == 0 && nlm_kernel_available(NLM_KERNEL_AVX2);
}

static void choose(void)
{
    run = openblas_load();
    if (!run)
        run = product_choose(NLM_KERNEL_BEST);
}

void product_run(struct product shape, const float *a, const float *b, float *y)
{
    pthread_once(&chosen, choose);
    run(shape, a, b, y);
}
