/* What `nlm test` was asked to do, shared by the tests of tasks, of facts and of games. */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include "nlm/nlm.h"
#include "options.h"

#define TEST_CONFIDENCE 0.997 /* the paper's */

typedef struct test_request {
    nlm_options options;
    option_list objects; /* the sizes; none for the task's own */
    int worlds;          /* or instances of a game, per size */
    uint64_t seed;
    const char *model, *task_name;
    const char *images; /* --images, or NULL */
    const char *facts;  /* the user's own, in place of random worlds; or NULL */
    int moves;          /* for each object that an episode may take; 0: as the game says */
    bool json, show_errors;
} test_request;

/* A model against the labels of facts; returns the exit status of the process. */
int test_facts(const test_request *request);

/* Games.  Moves that an episode may take for each object; 0: as the game says. */
int test_moves_allowed(const test_request *request, const nlm_machine *machine, const nlm_game *game);
/* The exit status after an error line if the game has no such instances; to be known before the first size,
 * which may take long. */
int test_check_sizes(const nlm_game *game, const option_list *sizes, uint64_t seed);
/* One size, after a heading before the first; then what the result says about all other instances. */
void test_print_game(const test_request *request, const nlm_machine *machine, const nlm_game *game,
                     bool first, const nlm_score *score);
void test_print_game_bound(const nlm_score *score);

#endif
