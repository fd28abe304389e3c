/* Products of matrices, by OpenBLAS. */
#include "perception/product.h"

#include <cblas.h>

void product_run(struct product s, const float *a, const float *b, float *y)
{
    cblas_sgemm(CblasRowMajor, s.a_transposed ? CblasTrans : CblasNoTrans,
                s.b_transposed ? CblasTrans : CblasNoTrans, s.rows, s.columns, s.inner, 1.0f, a,
                s.a_transposed ? s.rows : s.inner, b, s.b_transposed ? s.inner : s.columns,
                s.add ? 1.0f : 0.0f, y, s.columns);
}

void product_use_one_thread(void)
{
    openblas_set_num_threads(1);
}
