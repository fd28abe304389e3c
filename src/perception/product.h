/* Products of matrices, by OpenBLAS.  All matrices are row-major and without gaps; y is [rows, columns].
 *
 * OpenBLAS works with one thread here: what is shared out is the images, in parts that depend on nothing but
 * their number, so that results are the same bits for any number of threads. */
#ifndef PERCEPTION_PRODUCT_H
#define PERCEPTION_PRODUCT_H

#include <stdbool.h>

struct product {
    int rows, inner, columns;
    bool a_transposed; /* a is [inner, rows], otherwise [rows, inner] */
    bool b_transposed; /* b is [columns, inner], otherwise [inner, columns] */
    bool add;          /* to y, or overwrite it */
};

void product_run(struct product shape, const float *a, const float *b, float *y);

/* OpenBLAS keeps its number of threads for the whole process. */
void product_use_one_thread(void);

#endif
