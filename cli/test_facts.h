/* nlm test: what was asked for, and the test of a model on the labels of facts. */
#ifndef CLI_TEST_FACTS_H
#define CLI_TEST_FACTS_H

#include "commands.h"
#include "find_task.h"
#include "options.h"
#include "setting_options.h"

enum { PROOF_SIZE = 512 };

typedef struct test_request {
    nlm_options options;
    option_list objects; /* the sizes; none for the task's own */
    int worlds;          /* or instances of a game, per kind and size */
    int kind;            /* of worlds; -1: all that the task has */
    uint64_t seed;
    const char *model, *task_name;
    const char *images; /* --images, or NULL */
    const char *facts;  /* the user's own, in place of random worlds; or NULL */
    const char *worlds_by;
    int moves;            /* for each object that an episode may take; 0: as the game says */
    setting_options work; /* how agents are to work, and ... */
    nlm_settings at_work; /* ... how they do, of a game */
    bool json, show_errors;
    const char *domain, *plans; /* of PDDL */
    bool force, plays;
    nlm_machine *machine;
    task_or_game what; /* it was trained for */
    bool has_program, proved;
    char proof[PROOF_SIZE]; /* a line about program and machine; of models that are programs */
} test_request;

/* Whether the model is proved to compute its program.  What remains to be tested is whether that is the task.
 * False after an error line. */
bool test_find_proof(test_request *of);
/* The end of a line of JSON; "proved" is there for models that are programs. */
void test_end_json(const test_request *of);
/* The exit status. */
int test_facts(test_request *request);

#endif
