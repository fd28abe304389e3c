/* The time, in seconds, on a clock that never goes back. */
#ifndef CLI_NOW_H
#define CLI_NOW_H

double now_seconds(void);

#endif
