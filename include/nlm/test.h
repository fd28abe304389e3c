/* Tests: a model on worlds or instances that no training has met, or on the labels of facts.
 *
 *     nlm_test    a test that is going on, part by part
 *     nlm_score   its result so far
 *
 * A score does not depend on the number of threads, nor on how a test was divided into parts. */
#ifndef NLM_TEST_H
#define NLM_TEST_H

#include "nlm/game.h"
#include "nlm/pass.h"
#include "nlm/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_test nlm_test;

typedef struct nlm_score {
    int objects;       /* of each world or instance; of a problem: the most of any */
    int asked;         /* worlds or instances */
    int failed;        /* worlds with an error, or instances not solved */
    int first_failure; /* number, from 0, of the first of these; -1: none */
    double right;      /* fraction of the answers that are right, or of the instances solved */
    double seconds;

    /* answers, of tasks and problems; of games -1 where it is a double, else 0 */
    size_t tuples, wrong;
    size_t positives, wrong_positives; /* the true ones among them */
    double balanced;                   /* mean of the fraction right among true and among false tuples */
    double macro;                      /* mean over worlds of nlm_pass_macro */
    double squared_error;              /* mean over tuples of (probability - truth)^2 */

    /* moves, of games; of others 0, -1, -1, 0 and 0 */
    double moves;         /* mean over the solved instances; 0 if there are none */
    double optimal_moves; /* mean of the least number of moves over the same; -1 where it is not known */
    double
        baseline_moves; /* mean of the moves of the game's baseline over the same; -1 where there is none */
    int below_baseline; /* instances solved in fewer moves than the baseline's */
    int returned;       /* episodes in which an agent that remembers came back to a position */
} nlm_score;

/* A machine with one head on the task's arity, and the worlds of a kind and a seed: none of them is a
 * training world of any seed.  The machine must outlive the test and stay as it is; so must the task, and its
 * gallery.
 */
nlm_status nlm_test_of_task(nlm_machine *machine, const nlm_task *task, nlm_world_kind kind, int objects,
                            uint64_t seed, const nlm_options *options, nlm_test **test, nlm_error *error);
/* A machine that plays instances of a seed as the paper's tests draw them.  The agent does as nlm_agent_next
 * says, in as many moves as nlm_agent_moves allows. */
nlm_status nlm_test_of_game(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                            const nlm_options *options, nlm_test **test, nlm_error *error);
/* A machine on the worlds of a problem: those that a run with these settings learns from, or what it holds
 * out.  There are only so many of them. */
nlm_status nlm_test_of_problem(nlm_machine *machine, const nlm_settings *training, bool held_out,
                               const nlm_options *options, nlm_test **test, nlm_error *error);
/* One of these: that of a run with these settings at the first or the second of its sizes (nlm_run_sizes), of
 * a task on worlds of this kind. */
nlm_status nlm_test_of_run(nlm_machine *machine, const nlm_settings *settings, nlm_world_kind kind, int size,
                           const nlm_options *options, nlm_test **test, nlm_error *error);
void nlm_test_free(nlm_test *test);

/* Of games: another limit of moves than the game's, from 1 on, for all episodes to come; 0: the game's. */
void nlm_test_allow(nlm_test *test, int moves);

/* Of games: agents work as the settings say, in place of the machine's own (nlm_settings_at_work). */
void nlm_test_use(nlm_test *test, const nlm_settings *settings);

/* Looks at a test that is going on, about ten times a second; false ends it. */
typedef bool (*nlm_test_watch)(void *context, const nlm_score *so_far);
/* So many more worlds or instances, options->threads of them, or groups of episodes, at a time.  With a
 * watch in slices; without (NULL) at once.  After a failure the rest is skipped. */
nlm_status nlm_test_run(nlm_test *test, int count, nlm_test_watch watch, void *context, nlm_error *error);
nlm_score nlm_test_score(const nlm_test *test);

/* What no failure, or few, say about all other worlds: with this confidence (0..1) the share of worlds that
 * fail is at most the result.  The paper's way: Chernoff's bound in its two-sided multiplicative form,
 * Pr(|X - mu| >= d mu) <= 2 exp(-d^2 mu / 3), solved for mu. */
double nlm_test_bound(int asked, int failed, double confidence);

#ifdef __cplusplus
}
#endif
#endif
