/* Time, for measuring how long something took. */
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
