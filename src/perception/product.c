/* Products of matrices: whose. */
#include "perception/product.h"

#include <cblas.h>
#include <string.h>
#include "kernel/kernel.h"

product_function *product_choose(nlm_kernel kernel)
{
    static product_function *const functions[KERNELS] = {KERNEL_VARIANTS(product_)};
    return nlm_kernel_available(kernel) ? functions[kernel_resolve(kernel)] : NULL;
}

static void product_openblas(struct product s, const float *a, const float *b, float *y)
{
    cblas_sgemm(CblasRowMajor, s.a_transposed ? CblasTrans : CblasNoTrans,
                s.b_transposed ? CblasTrans : CblasNoTrans, s.rows, s.columns, s.inner, 1.0f, a,
                s.a_transposed ? s.rows : s.inner, b, s.b_transposed ? s.inner : s.columns,
                s.add ? 1.0f : 0.0f, y, s.columns);
}

bool product_is_unknown_processor(const char *core)
{
    return strcmp(core, "Prescott") == 0 && nlm_kernel_available(NLM_KERNEL_AVX2);
}

void product_run(struct product shape, const float *a, const float *b, float *y)
{
    if (product_is_unknown_processor(openblas_get_corename()))
        product_choose(NLM_KERNEL_BEST)(shape, a, b, y);
    else
        product_openblas(shape, a, b, y);
}

void product_use_one_thread(void)
{
    openblas_set_num_threads(1);
}
