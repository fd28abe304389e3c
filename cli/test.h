/* What `nlm test` was asked to do, shared by the tests on random worlds and on facts. */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include "nlm/nlm.h"
#include "options.h"
#include "setting_options.h"

typedef struct test_request {
    nlm_options options;
    option_list objects; /* the sizes; none for the task's own */
    int worlds;          /* or instances of a game, per size */
    uint64_t seed;
    const char *model, *task_name;
    const char *images;   /* --images, or NULL */
    const char *facts;    /* the user's own, in place of random worlds; or NULL */
    int moves;            /* for each object that an episode may take; 0: as the game says */
    work_options work;    /* how agents are to work, and ... */
    nlm_settings at_work; /* ... how they do, of a game */
    bool json, show_errors;
} test_request;

/* A model against the labels of facts; returns the exit status of the process. */
int test_facts(const test_request *request);

#endif
