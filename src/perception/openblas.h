/* OpenBLAS as a source of products, in builds that have it (openblas.c) and others (no_openblas.c). */
#ifndef PERCEPTION_OPENBLAS_H
#define PERCEPTION_OPENBLAS_H

#include "perception/product.h"

/* NULL where it is not installed, there is no memory for it, or it does not know the processor.  Not from two
 * threads at once. */
product_function *openblas_load(void);

#endif
