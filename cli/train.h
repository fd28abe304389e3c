/* What `nlm train` was asked to do, shared by the run of one seed and of several. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct train_request {
    nlm_training training; /* with the first seed */
    nlm_options options;
    const char *output; /* the model's file, or the folder for several seeds */
    const char *log;
    int seeds;  /* how many, 0 for one run */
    int worlds; /* of the tests after several seeds */
    bool resume, force, quiet;
} train_request;

/* Both return the exit status of the process. */
int train_one(const train_request *request);
int train_seeds(const train_request *request);

/* "epoch 12/100  loss 3.2e-05  accuracy 100 %  5,900 examples/s", and how far the budget is used, 0..1. */
enum { TRAIN_FACTS_SIZE = 160 };
double train_facts(const nlm_trainer *trainer, char text[TRAIN_FACTS_SIZE]);

#endif
