/* Tests: a machine against a task's oracle on fresh worlds, several at a time.
 *
 * Only counts and the smallest number of a failure are kept, so the result does not depend on who tested
 * which world. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/team.h"
#include "learn/examiner.h"
#include "learn/fresh.h"

struct member {
    struct examiner examiner;
    nlm_test_result counts;
    nlm_status status;
    nlm_error error;
};

struct nlm_tester {
    struct world_source source;
    uint64_t seed;
    int objects;
    int members;
    struct member *member;
    struct team *team;
    int asked; /* worlds */
    int first; /* world of the current job */
    atomic_bool failed;
    double seconds;
};

static nlm_status init_members(nlm_tester *tester, nlm_machine *machine, const nlm_options *options,
                               nlm_error *error)
{
    int members = options && options->threads > 1 ? options->threads : 1;
    tester->member = memory_new((size_t)members, sizeof *tester->member);
    if (!tester->member)
        return error_no_memory(error);
    nlm_options alone = options ? *options : (nlm_options){0};
    alone.threads = 1;
    for (; tester->members < members; tester->members++) {
        struct member *member = &tester->member[tester->members];
        member->counts.first_failure = -1;
        nlm_status status = examiner_init(&member->examiner, machine, &tester->source, &alone, error);
        if (status)
            return status;
    }
    return team_new(members, &tester->team) ? error_no_memory(error) : NLM_OK;
}

nlm_status nlm_tester_new(nlm_machine *machine, const nlm_task *task, int objects, uint64_t seed,
                          const nlm_options *options, nlm_tester **tester, nlm_error *error)
{
    *tester = NULL;
    if (!machine || !task || !nlm_task_find(task->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a test needs a machine and a task");
    if (objects < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: worlds of %d objects do not exist", task->name,
                         objects);
    nlm_status status = examiner_fits(machine, task, error);
    if (status)
        return status;
    nlm_tester *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->seed = seed;
    made->objects = objects;
    made->source = world_source_of_task(task);
    status = init_members(made, machine, options, error);
    if (status)
        nlm_tester_free(made);
    else
        *tester = made;
    return status;
}

void nlm_tester_free(nlm_tester *tester)
{
    if (!tester)
        return;
    team_free(tester->team);
    for (int m = 0; m < tester->members; m++)
        examiner_release(&tester->member[m].examiner);
    memory_free(tester->member);
    memory_free(tester);
}

/* Numbers of worlds are rounded to multiples of a power of two, so that their sum is the same in any order.
 */
static double on_grid(double number)
{
    static const double grain = 0x1p-26;
    return round(number / grain) * grain;
}

/* The world that was asked about last. */
static nlm_status count_world(nlm_test_result *counts, struct examiner *examiner, const nlm_bce_result *r,
                              int number, nlm_error *error)
{
    double macro = 1.0;
    nlm_status status = r->correct != r->labelled ? examiner_macro(examiner, &macro, error) : NLM_OK;
    if (status)
        return status;
    counts->worlds++;
    if (r->correct != r->labelled) {
        counts->worlds_with_errors++;
        counts->first_failure = first_failure_of(counts->first_failure, number);
    }
    counts->tuples += r->labelled;
    counts->wrong += r->labelled - r->correct;
    counts->positives += r->positives;
    counts->wrong_positives += r->positives - r->correct_positives;
    counts->squared_error += on_grid(r->squared_error);
    counts->macro_accuracy += on_grid(macro);
    return NLM_OK;
}

/* Squared errors and the accuracies of worlds have been summed up so far. */
static void work_out_shares(nlm_test_result *sum)
{
    sum->macro_accuracy = sum->worlds ? sum->macro_accuracy / sum->worlds : 1.0;
    sum->squared_error = sum->tuples ? sum->squared_error / (double)sum->tuples : 0.0;
    sum->accuracy = sum->tuples ? (double)(sum->tuples - sum->wrong) / (double)sum->tuples : 1.0;
    sum->balanced_accuracy = balanced_accuracy(sum->tuples, sum->wrong, sum->positives, sum->wrong_positives);
}

/* One world, for the team. */
static void ask_world(void *context, int part, int thread)
{
    nlm_tester *tester = context;
    struct member *member = &tester->member[thread];
    if (atomic_load(&tester->failed))
        return;
    nlm_bce_result r;
    member->status =
        examiner_ask(&member->examiner, tester->seed, FIRST_WORLD + (uint64_t)(tester->first + part),
                     tester->objects, &r, &member->error);
    if (!member->status)
        member->status =
            count_world(&member->counts, &member->examiner, &r, tester->first + part, &member->error);
    if (member->status)
        atomic_store(&tester->failed, true);
}

nlm_status nlm_tester_run(nlm_tester *tester, int worlds, nlm_error *error)
{
    enum { MOST_PARTS = 1000000 };
    if (worlds < 0 || worlds > MOST_PARTS)
        return error_set(error, NLM_BAD_ARGUMENT, "cannot test on %d worlds at a time, only 0 to %d", worlds,
                         MOST_PARTS);
    double start = clock_seconds();
    tester->first = tester->asked;
    atomic_store(&tester->failed, false);
    for (int m = 0; m < tester->members; m++)
        tester->member[m].status = NLM_OK;
    team_run(tester->team, worlds, ask_world, tester);
    tester->seconds += clock_seconds() - start;
    tester->asked += worlds;
    for (int m = 0; m < tester->members; m++)
        if (tester->member[m].status) {
            if (error)
                *error = tester->member[m].error;
            return tester->member[m].status;
        }
    return NLM_OK;
}

nlm_test_result nlm_tester_result(const nlm_tester *tester)
{
    nlm_test_result sum = {.objects = tester->objects, .first_failure = -1, .seconds = tester->seconds};
    for (int m = 0; m < tester->members; m++) {
        const nlm_test_result *counts = &tester->member[m].counts;
        sum.worlds += counts->worlds;
        sum.worlds_with_errors += counts->worlds_with_errors;
        sum.first_failure = first_failure_of(sum.first_failure, counts->first_failure);
        sum.tuples += counts->tuples;
        sum.wrong += counts->wrong;
        sum.positives += counts->positives;
        sum.wrong_positives += counts->wrong_positives;
        sum.squared_error += counts->squared_error;
        sum.macro_accuracy += counts->macro_accuracy;
    }
    work_out_shares(&sum);
    return sum;
}

/* ---- problems ---- */

nlm_status nlm_training_test(const nlm_training *training, nlm_machine *machine, bool held_out,
                             const nlm_options *options, nlm_test_result *result, nlm_error *error)
{
    const nlm_options plain = {.threads = 1};
    struct world_source source;
    struct examiner examiner = {0};
    nlm_test_result sum = {.objects = training->objects, .first_failure = -1};
    const double start = clock_seconds();
    if (!training->problem)
        return error_set(error, NLM_BAD_ARGUMENT, "a test on what was learned needs a problem");
    nlm_status status = world_source_init(&source, training, error);
    if (status)
        return status;
    status = examiner_init(&examiner, machine, &source, options ? options : &plain, error);
    const int worlds = held_out ? source.held_out : source.learned;
    for (int w = 0; w < worlds && !status; w++) {
        nlm_bce_result r;
        status = examiner_ask(&examiner, training->seed, (held_out ? WORLD_SOURCE_HELD_OUT : 0) + (uint64_t)w,
                              0, &r, error);
        if (!status)
            status = count_world(&sum, &examiner, &r, w, error);
    }
    examiner_release(&examiner);
    world_source_release(&source);
    work_out_shares(&sum);
    sum.seconds = clock_seconds() - start;
    *result = sum;
    return status;
}

/* ---- bounds ---- */

/* With X failures seen and mu expected, X = (1 - d) mu: the probability is at most 2 exp(-(mu - X)^2 / 3 mu).
 * That equals 1 - confidence at the larger root of (mu - X)^2 = 3 L mu, with L = log(2 / (1 - confidence)).
 */
double nlm_test_bound(int worlds, int worlds_with_errors, double confidence)
{
    if (worlds <= 0 || worlds_with_errors < 0 || !(confidence < 1.0))
        return 1.0;
    double l = 3.0 * log(2.0 / (1.0 - fmax(confidence, 0.0))), x = (double)worlds_with_errors;
    double mu = x + (l + sqrt(l * l + 4.0 * l * x)) / 2.0;
    return fmin(1.0, mu / (double)worlds);
}
