/* Parallel parts on OpenMP.  Static scheduling: neighbouring parts share memory pages. */
#include "base/parallel.h"

#include <omp.h>

void parallel_run(int threads, int parts, parallel_part run, void *context)
{
    if (threads <= 1 || parts <= 1) {
        for (int part = 0; part < parts; part++)
            run(context, part, 0);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < parts; part++)
        run(context, part, omp_get_thread_num());
}
