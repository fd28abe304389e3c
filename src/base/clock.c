/* Time, for measuring how long something took. */
#include <time.h>
#include "nlm/tools.h"

double nlm_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
