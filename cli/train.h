/* The request of `nlm train`, shared by its command line and its runs. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct train_request {
    nlm_settings settings; /* with the first seed */
    const char *name;      /* of the task or game, or of the facts' folder or file */
    nlm_options options;
    const char *output; /* the model's file, or the folder for several seeds */
    const char *log;
    int seeds;  /* how many, 0 for one run */
    int worlds; /* or instances, of each test after several seeds */
    bool resume, force, quiet;
    bool rules; /* look for the program of a machine that has graduated */
    /* of facts: the settings point to them */
    nlm_problem *problem;
    nlm_needs needs;
    nlm_templates *templates; /* of differentiable ILP, likewise */
} train_request;

/* From a command line; false when there is nothing to run, and *status is the exit status. */
bool train_read(int argc, char **argv, train_request *request, int *status);
void train_release(train_request *request);

#endif
