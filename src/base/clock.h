/* Time, for measuring how long something took. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds on a clock that never goes back. */
double clock_seconds(void);

#endif
