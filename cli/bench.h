/* What `nlm bench` was asked to do. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct bench_request {
    nlm_options options;
    double seconds;
    const char *only;
    int objects; /* of the inference; 0 for the machine's own */
    bool json, summary, moves;
} bench_request;

/* The time of one move of each game; false after an error line. */
bool bench_moves(const bench_request *request);

#endif
