/* A build that does not use OpenBLAS, wherever it is installed. */
#include <stddef.h>
#include "perception/openblas.h"

product_function *openblas_load(void)
{
    return NULL;
}
