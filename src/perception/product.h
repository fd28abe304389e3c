/* Products of matrices, by OpenBLAS where it is installed.  All matrices are row-major and without gaps; y is
 * [rows, columns].
 *
 * An OpenBLAS that is older than the processor takes it for one of 2004, a Prescott, and is several times
 * slower than it need be: then products are made by product_vector.c, as they are without
 * OpenBLAS or memory for it.  The choice is made once for the process: the bits of results depend on it.
 *
 * OpenBLAS works with one thread here, which it keeps for the whole process: what is shared out is the
 * images, in parts that depend on nothing but their number, so that results are the same bits for any number
 * of threads. */
#ifndef PERCEPTION_PRODUCT_H
#define PERCEPTION_PRODUCT_H

#include <stdbool.h>
#include "nlm/options.h"

struct product {
    int rows, inner, columns;
    bool a_transposed; /* a is [inner, rows], otherwise [rows, inner] */
    bool b_transposed; /* b is [columns, inner], otherwise [inner, columns] */
    bool add;          /* to y, or overwrite it */
};

typedef void product_function(struct product shape, const float *a, const float *b, float *y);

product_function product_run;

/* Our own, as product_vector.c has them for each instruction set. */
product_function product_generic;
#ifdef NLM_X86
product_function product_avx2, product_avx512;
#endif
/* That of a choice of kernels, of which it must have vectors; NULL if this processor or build cannot run it.
 */
product_function *product_choose(nlm_kernel kernel);

/* Whether OpenBLAS, which says what it takes the processor for, does not know it. */
bool product_is_unknown_processor(const char *core);

#endif
