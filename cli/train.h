/* What `nlm train` was asked to do, shared by the run of one seed and of several. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include <stdbool.h>
#include "learner.h"
#include "nlm/nlm.h"

typedef struct train_request {
    subject subject; /* with the first seed */
    nlm_options options;
    const char *output; /* the model's file, or the folder for several seeds */
    const char *log;
    int seeds;  /* how many, 0 for one run */
    int worlds; /* or instances, of each test after several seeds */
    bool resume, force, quiet;
    /* what the subject points to, if it is facts */
    nlm_problem *problem;
    nlm_needs needs;
} train_request;

/* From a command line; false when there is nothing to run, and *status is the exit status. */
bool train_read(int argc, char **argv, train_request *request, int *status);
void train_release(train_request *request);

/* Both return the exit status of the process. */
int train_one(const train_request *request);
int train_seeds(const train_request *request);

#endif
