/* Tests: a machine against a task's oracle or the labels of a problem, or as an agent in games; several
 * worlds, or groups of episodes, at a time.
 *
 * A part is one world, or GROUP episodes played side by side.  Each thread keeps only sums and the smallest
 * number of a failure, so the score does not depend on which thread had which part.
 *
 * Three kinds, which differ in where the questions come from:
 *
 *     task      worlds NLM_TEST_WORLDS, NLM_TEST_WORLDS + 1, ... of the seed, labelled by the oracle
 *     problem   the worlds that a run learns from, or those (or the labels) that it holds out
 *     game      instances NLM_TEST_INSTANCES, ... of the seed, played greedily by the rules of the model's
 * file
 *
 * No run draws so many worlds, so tests of tasks and games never meet one that was learned from. */
#include "nlm/test.h"

#include <math.h>
#include <stdatomic.h>
#include "nlm/tools.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/team.h"
#include "learn/actor.h"
#include "learn/world_source.h"
#include "machine/evaluator.h"
#include "task/game.h"
#include "task/task.h"
#include "nlm/play.h"
#include "nlm/run.h"

#define SLICE_SECONDS 0.1 /* between two looks of a watch */

/* Episodes of a part; worlds or instances of one call, and of one slice between two looks. */
enum { GROUP = 8, MOST_AT_ONCE = 1000000, MOST_SLICE = 10000 };

/* What one thread works with; of a game actor and episodes, else the first two. */
struct member {
    nlm_world *scratch;
    nlm_evaluator *evaluator;
    struct actor actor;
    struct episode episode[GROUP];
    nlm_score sums; /* balanced and right are worked out at the end; means are sums until then */
    nlm_status status;
    nlm_error error;
};

/* A test that is going on.  It owns its members, its team and, of a problem, the source; machine, task and
 * game are the caller's.  Worlds and instances are numbered from 0 in the order in which they are asked;
 * those of tasks and games come from numbers that no run reaches (NLM_TEST_WORLDS, NLM_TEST_INSTANCES). */
struct nlm_test {
    const nlm_game *game;       /* or ... */
    struct world_source source; /* ... of worlds, ... */
    uint64_t first_world;       /* ... from this number on, ... */
    int worlds;                 /* ... so many; -1: no end of them */
    uint64_t seed;
    int objects;
    int limit;         /* of moves; 0: the game's */
    nlm_settings work; /* how its agents work */
    int part;          /* worlds or episodes of a part */
    int members;
    struct member *member;
    struct team *team;
    int asked;        /* by earlier jobs */
    int first, count; /* of the current job */
    atomic_bool failed;
    double seconds;
};

/* ---- life ---- */

/* A test like `like`, of a problem if there are settings, with members for the threads of the options. Worlds
 * of tasks and episodes are independent, so each member takes its own and computes with one thread.  Of a
 * problem there is one member, whose pass uses all threads. */
static nlm_status new_test(nlm_test like, const nlm_settings *problem, nlm_machine *machine,
                           const nlm_options *options, nlm_test **test, nlm_error *error)
{
    nlm_test *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    *made = like;
    made->part = like.game ? GROUP : 1;
    nlm_status status = problem ? world_source_init(&made->source, problem, error) : NLM_OK;
    if (problem)
        made->worlds = like.first_world ? made->source.held_out : made->source.learned;
    nlm_options own = options ? *options : (nlm_options){0};
    const int threads = own.threads > 1 ? own.threads : 1;
    const int members = problem ? 1 : threads; /* the order of a problem's worlds is kept in the source */
    own.threads = problem ? threads : 1;
    made->member = memory_new((size_t)members, sizeof *made->member);
    if (!made->member && !status)
        status = error_no_memory(error);
    while (made->members < members && !status) {
        struct member *member = &made->member[made->members++];
        member->sums.first_failure = -1;
        if (made->game)
            status = actor_init(&member->actor, machine, made->game, &own, error);
        else if (!(status = nlm_world_new(&member->scratch, error)))
            status = nlm_evaluator_new(machine, &own, &member->evaluator, error);
        for (int e = 0; made->game && e < GROUP && !status; e++)
            status = episode_init(&member->episode[e], made->game, error);
    }
    if (!status && team_new(members, &made->team))
        status = error_no_memory(error);
    if (status)
        nlm_test_free(made);
    else
        *test = made;
    return status;
}

/* The machine has one head that answers the task, and reads its predicates. */
static nlm_status check_task(const nlm_machine *machine, const nlm_task *task, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    int inputs[NLM_MAX_BREADTH + 1];
    task_inputs(task, inputs);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int reads = r <= spec->breadth ? spec->inputs[r] : 0;
        if (reads != inputs[r])
            return error_set(error, NLM_BAD_SHAPE,
                             "the machine reads %d predicates of arity %d, the worlds of %s have %d", reads,
                             r, task->name, inputs[r]);
    }
    if (nlm_machine_heads(machine) != 1)
        return error_set(error, NLM_BAD_SHAPE, "the machine has %d heads, %s needs one",
                         nlm_machine_heads(machine), task->name);
    const nlm_head_spec *head = nlm_machine_head(machine, 0);
    if (head->arity != task->arity || head->outputs != 1)
        return error_set(error, NLM_BAD_SHAPE,
                         "the machine answers %d question%s of arity %d, %s asks one of arity %d",
                         head->outputs, head->outputs == 1 ? "" : "s", head->arity, task->name, task->arity);
    return NLM_OK;
}

/* Any number of objects: machines are often tested on larger worlds than those they learned from. */
nlm_status nlm_test_of_task(nlm_machine *machine, const nlm_task *task, nlm_world_kind kind, int objects,
                            uint64_t seed, const nlm_options *options, nlm_test **test, nlm_error *error)
{
    REQUIRE(test, error);
    *test = NULL;
    REQUIRE(machine && task, error);
    if (!task_is_known(task))
        return error_set(error, NLM_BAD_ARGUMENT, "a test needs a machine and a task");
    if (objects < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: worlds of %d objects do not exist", task->name,
                         objects);
    if (!nlm_task_has_worlds(task, kind))
        return error_set(error, NLM_BAD_ARGUMENT, "%s has no %s worlds", task->name,
                         nlm_world_kind_name(kind));
    const nlm_test like = {.source = {.task = task, .kind = kind},
                           .first_world = NLM_TEST_WORLDS,
                           .worlds = -1,
                           .seed = seed,
                           .objects = objects};
    nlm_status status = check_task(machine, task, error);
    return status ? status : new_test(like, NULL, machine, options, test, error);
}

/* The source is made from the same settings as the run's, so what is held out here was held out there. */
nlm_status nlm_test_of_problem(nlm_machine *machine, const nlm_settings *training, bool held_out,
                               const nlm_options *options, nlm_test **test, nlm_error *error)
{
    REQUIRE(test, error);
    *test = NULL;
    REQUIRE(machine && training, error);
    if (!training->problem)
        return error_set(error, NLM_BAD_ARGUMENT, "a test on what was learned needs a machine and a problem");
    const nlm_test like = {.first_world = held_out ? WORLD_SOURCE_HELD_OUT : 0,
                           .seed = training->seed,
                           .objects = training->objects};
    return new_test(like, training, machine, options, test, error);
}

/* One instance is drawn at once, so that a size that the game cannot have is refused here and not in the
 * middle of the test.  nlm_test_score later asks that position whether the least number of moves is known. */
nlm_status nlm_test_of_game(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                            const nlm_options *options, nlm_test **test, nlm_error *error)
{
    REQUIRE(test, error);
    *test = NULL;
    REQUIRE(machine && game, error);
    if (!game_is_known(game))
        return error_set(error, NLM_BAD_ARGUMENT, "a test needs a machine and a game");
    nlm_test like = {.game = game, .worlds = -1, .seed = seed, .objects = objects};
    nlm_status status = actor_fits(machine, game, error);
    like.limit = status ? 0 : nlm_agent_moves(nlm_machine_spec(machine), game) * objects;
    if (!status)
        status = nlm_settings_at_work(machine, game, &like.work, error);
    if (!status)
        status = new_test(like, NULL, machine, options, test, error);
    if (!status) /* is there such an instance at all? */
        status = nlm_position_draw((*test)->member[0].episode[0].start, seed, NLM_TEST_INSTANCES, objects,
                                   true, error);
    if (status) {
        nlm_test_free(*test);
        *test = NULL;
    }
    return status;
}

/* The tests that follow a run, for whoever does not want to know what was learned. */
nlm_status nlm_test_of_run(nlm_machine *machine, const nlm_settings *settings, nlm_world_kind kind, int size,
                           const nlm_options *options, nlm_test **test, nlm_error *error)
{
    REQUIRE(settings && test, error);
    int sizes[NLM_RUN_SIZES];
    *test = NULL;
    if (size < 0 || size >= NLM_RUN_SIZES)
        return error_set(error, NLM_BAD_ARGUMENT, "a test needs settings and one of their sizes");
    nlm_run_sizes(settings, sizes);
    if (settings->game)
        return nlm_test_of_game(machine, settings->game, sizes[size], settings->seed, options, test, error);
    if (settings->task)
        return nlm_test_of_task(machine, settings->task, kind, sizes[size], settings->seed, options, test,
                                error);
    return nlm_test_of_problem(machine, settings, size > 0, options, test, error);
}

void nlm_test_free(nlm_test *test)
{
    if (!test)
        return;
    team_free(test->team);
    for (int m = 0; m < test->members; m++) {
        nlm_evaluator_free(test->member[m].evaluator);
        nlm_world_free(test->member[m].scratch);
        actor_release(&test->member[m].actor);
        for (int e = 0; e < GROUP; e++)
            episode_release(&test->member[m].episode[e]);
    }
    world_source_release(&test->source);
    memory_free(test->member);
    memory_free(test);
}

void nlm_test_allow(nlm_test *test, int moves)
{
    test->limit = moves;
}

void nlm_test_use(nlm_test *test, const nlm_settings *settings)
{
    test->work = *settings;
}

/* ---- worlds ---- */

/* The smaller of two numbers of failures, either of which may be -1: none. */
static int first_failure_of(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The same for worlds and for instances. */
static void count_asked(nlm_score *sums, bool failed, int number)
{
    sums->asked++;
    sums->failed += failed;
    sums->first_failure = first_failure_of(sums->first_failure, failed ? number : -1);
}

/* Numbers of worlds are rounded to multiples of 2^-26, so that their sum is the same in any order: a double
 * holds such sums exactly while they stay below 2^27.  Threads may then take worlds as they like. */
static double on_grid(double number)
{
    static const double grain = 0x1p-26;
    return round(number / grain) * grain;
}

/* One world.  The macro accuracy of a world without errors is 1; it is computed only where there are some. */
static nlm_status ask_world(nlm_test *test, struct member *member, int number)
{
    nlm_bce_result r;
    double macro = 1.0;
    nlm_status status =
        world_source_compare(&test->source, test->seed, test->first_world + (uint64_t)number, test->objects,
                             member->scratch, member->evaluator, &r, &member->error);
    if (!status && r.correct != r.labelled)
        status = evaluator_macro(member->evaluator, &macro, &member->error);
    if (status)
        return status;
    nlm_score *sums = &member->sums;
    count_asked(sums, r.correct != r.labelled, number);
    sums->tuples += r.labelled;
    sums->wrong += r.labelled - r.correct;
    sums->positives += r.positives;
    sums->wrong_positives += r.positives - r.correct_positives;
    sums->squared_error += on_grid(r.squared_error);
    sums->macro += on_grid(macro);
    return NLM_OK;
}

/* ---- episodes ---- */

/* GROUP episodes as one batch: a pass on eight small worlds costs little more than on one.  Episodes of tests
 * are greedy, so their random streams are never used. */
static nlm_status play_group(const nlm_test *test, struct member *member, int first, int count)
{
    nlm_status status = NLM_OK;
    for (int e = 0; e < count && !status; e++) {
        struct episode *episode = &member->episode[e];
        episode->greedy = true;
        episode->avoids_repeats = test->work.no_repeat || test->work.repeat_penalty < 1;
        episode->trace.no_repeat = test->work.no_repeat;
        episode->trace.penalty = (float)test->work.repeat_penalty;
        status = nlm_position_draw(episode->start, test->seed, NLM_TEST_INSTANCES + (uint64_t)(first + e),
                                   test->objects, true, &member->error);
        if (!status && test->limit > 0)
            nlm_position_allow(episode->start, test->limit);
        if (!status)
            status = episode_begin(episode, test->seed, 0, &member->error);
    }
    if (!status)
        status = actor_play(&member->actor, member->episode, count, &member->error);
    for (int e = 0; e < count && !status; e++) {
        const struct episode *episode = &member->episode[e];
        const bool solved = episode_solved(episode);
        count_asked(&member->sums, !solved, first + e);
        member->sums.returned += episode->trace.returned;
        member->sums.moves += solved ? episode_moves(episode) : 0;
        member->sums.optimal_moves += solved ? nlm_position_optimum(episode->position) : 0;
        const int baseline = nlm_position_baseline(episode->start);
        member->sums.baseline_moves += solved ? baseline : 0;
        member->sums.below_baseline += solved && episode_moves(episode) < baseline;
    }
    return status;
}

/* ---- running ---- */

/* One part, for the team. */
static void run_part(void *context, int part, int thread)
{
    nlm_test *test = context;
    struct member *member = &test->member[thread];
    /* an error somewhere makes the whole score useless: do not go on for minutes */
    if (atomic_load(&test->failed))
        return;
    const int done = part * test->part, left = test->count - done;
    member->status = test->game ? play_group(test, member, test->first + done, left < GROUP ? left : GROUP)
                                : ask_world(test, member, test->first + done);
    if (member->status)
        atomic_store(&test->failed, true);
}

/* The next `count` worlds or instances, or as many as are left.  After an error in one thread the others stop
 * at their next part; the scores so far are then of no use, and the status says so. */
static nlm_status run_slice(nlm_test *test, int count, nlm_error *error)
{
    if (test->worlds >= 0 && count > test->worlds - test->asked)
        count = test->worlds - test->asked;
    if (count < 0 || count > MOST_AT_ONCE)
        return error_set(error, NLM_BAD_ARGUMENT, "cannot test on %d %s at a time, only 0 to %d", count,
                         test->game ? "instances" : "worlds", MOST_AT_ONCE);
    const double start = nlm_clock();
    test->first = test->asked;
    test->count = count;
    atomic_store(&test->failed, false);
    for (int m = 0; m < test->members; m++)
        test->member[m].status = NLM_OK;
    team_run(test->team, (count + test->part - 1) / test->part, run_part, test);
    test->seconds += nlm_clock() - start;
    test->asked += count;
    for (int m = 0; m < test->members; m++)
        if (test->member[m].status) {
            if (error)
                *error = test->member[m].error;
            return test->member[m].status;
        }
    return NLM_OK;
}

/* How many more take as long as a watch waits, if `done` took `seconds`: a multiple of `least`, so that every
 * thread gets as many. */
static int next_slice(int done, double seconds, int least)
{
    const double fitting = done * SLICE_SECONDS / fmax(seconds, 1e-6);
    const int slice = (int)fmin(fmin(fitting, 4.0 * done), MOST_SLICE);
    return slice > least ? slice - slice % least : least;
}

/* Slices adapt to the time that the one before took, so that a watch sees the test about ten times a second
 * whatever a world costs.  How a test is cut has no influence on its score. */
nlm_status nlm_test_run(nlm_test *test, int count, nlm_test_watch watch, void *context, nlm_error *error)
{
    REQUIRE(test, error);
    if (!watch)
        return run_slice(test, count, error);
    const int least = test->part * test->members;
    const int left = test->worlds >= 0 ? test->worlds - test->asked : count;
    const int end_at = test->asked + (left < count ? left : count);
    nlm_status status = NLM_OK;
    for (int slice = least; !status && test->asked < end_at;) {
        const double before = test->seconds;
        const int rest = end_at - test->asked;
        status = run_slice(test, slice < rest ? slice : rest, error);
        const nlm_score so_far = nlm_test_score(test);
        if (!status && !watch(context, &so_far))
            break;
        slice = next_slice(slice, test->seconds - before, least);
    }
    return status;
}

/* ---- scores ---- */

/* Sums over the members, then means.  All sums are whole numbers or on the grid, so the order of members does
 * not matter. */
nlm_score nlm_test_score(const nlm_test *test)
{
    nlm_score sum = {.objects = test->objects, .first_failure = -1, .seconds = test->seconds};
    for (int m = 0; m < test->members; m++) {
        const nlm_score *more = &test->member[m].sums;
        sum.asked += more->asked;
        sum.failed += more->failed;
        sum.first_failure = first_failure_of(sum.first_failure, more->first_failure);
        sum.tuples += more->tuples;
        sum.wrong += more->wrong;
        sum.positives += more->positives;
        sum.wrong_positives += more->wrong_positives;
        sum.squared_error += more->squared_error;
        sum.macro += more->macro;
        sum.moves += more->moves;
        sum.optimal_moves += more->optimal_moves;
        sum.baseline_moves += more->baseline_moves;
        sum.below_baseline += more->below_baseline;
        sum.returned += more->returned;
    }
    if (test->game) {
        const int solved = sum.asked - sum.failed;
        /* a property of the game: any position will do */
        const bool known = nlm_position_optimum(test->member[0].episode[0].start) >= 0;
        sum.right = sum.asked ? (double)solved / sum.asked : 0.0;
        sum.moves /= solved ? solved : 1;
        sum.optimal_moves = known ? sum.optimal_moves / (solved ? solved : 1) : -1;
        sum.baseline_moves = test->game->baseline ? sum.baseline_moves / (solved ? solved : 1) : -1;
        sum.balanced = sum.macro = sum.squared_error = -1;
        return sum;
    }
    sum.right = sum.tuples ? (double)(sum.tuples - sum.wrong) / (double)sum.tuples : 1.0;
    sum.balanced = balanced_accuracy(sum.tuples, sum.wrong, sum.positives, sum.wrong_positives);
    sum.macro = sum.asked ? sum.macro / sum.asked : 1.0;
    sum.squared_error = sum.tuples ? sum.squared_error / (double)sum.tuples : 0.0;
    sum.optimal_moves = sum.baseline_moves = -1;
    return sum;
}

/* ---- bounds ---- */

/* With X failures seen and mu expected, X = (1 - d) mu: the probability is at most 2 exp(-(mu - X)^2 / 3 mu).
 * That equals 1 - confidence at the larger root of (mu - X)^2 = 3 L mu, with L = log(2 / (1 - confidence)).
 * Example: no failure in 1,000 worlds says, with confidence 0.99, at most 3 log(200) / 1000 = 1.6 % fail. */
double nlm_test_bound(int asked, int failed, double confidence)
{
    if (asked <= 0 || failed < 0 || !(confidence < 1.0))
        return 1.0;
    double l = 3.0 * log(2.0 / (1.0 - fmax(confidence, 0.0))), x = (double)failed;
    double mu = x + (l + sqrt(l * l + 4.0 * l * x)) / 2.0;
    return fmin(1.0, mu / (double)asked);
}
