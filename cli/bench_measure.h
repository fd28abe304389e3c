/* Measuring one machine: what a training step and an inference take.
 *
 *     training step   ground 4 worlds, structure, forward, loss, backward, Adam
 *     inference       ground 1 world, structure, forward, logits of all tuples
 *
 * No hidden layer, one head with one output.  The worlds are made beforehand; their structure is
 * computed anew in every step.  Worlds differ in cost, so whole cycles over all of them are timed, and a
 * step's time is the mean over the best cycle. */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include <stdbool.h>
#include "nlm/nlm.h"

enum { MEASURE_BATCH = 4 };

typedef struct measure_machine {
    const char *name;
    const char
        *task; /* whose worlds; NULL for worlds of random real numbers, in which no two tuples are alike */
    int depth, breadth;
    bool residual;
    int inputs[NLM_MAX_BREADTH + 1];
    int arity; /* of the output */
    int train_objects, infer_objects;
    int width;
    const char *sense;
} measure_machine;

typedef struct measure_result {
    double train_ms;        /* one step */
    double structure_share; /* the part of it that the structure takes, 0..1 */
    double infer_ms;
    double max_rss_mb; /* of the process, so measure one machine per process */
} measure_result;

/* Time a machine, each of the two measurements for at least `seconds`. */
nlm_status measure_run(const measure_machine *machine, const nlm_options *options, double seconds,
                       measure_result *result, nlm_error *error);

/* Print the levels of the structure of a batch of training worlds, and of one world to infer from. */
nlm_status measure_summary(const measure_machine *machine, const nlm_options *options, nlm_error *error);

#endif
