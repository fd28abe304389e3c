/* What the measurements of nlm bench share. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct bench_request {
    nlm_options options;
    double seconds;
    const char *only, *model;
    int objects; /* of the inference; 0 for the machine's own */
    bool json, summary, moves;
} bench_request;

typedef nlm_status (*step_function)(void *context, int step, nlm_error *error);

/* Milliseconds per step of the best cycle of `steps` steps, and the part of it that *inner counts in seconds.
 */
nlm_status time_cycles(step_function step, void *context, int steps, double seconds, double *inner,
                       double *ms, double *share, nlm_error *error);

/* A model that is a program, and the trained machine that it was made of; false after an error line. */
bool bench_program(const bench_request *request);

#endif
