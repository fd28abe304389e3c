/* Sums over the seeds of a subject. */
#include "reproduce.h"

#define SOLVED_ERROR                                                                                         \
    1e-4 /* of Evans and Grefenstette: the mean squared error of a run that solves a task                    \
          */

static bool is_flawless(const outcome *one)
{
    return one->tests[0].first_failure < 0 && one->tests[1].first_failure < 0;
}

bool outcome_is_exact(const outcome *one)
{
    return one->finished && one->graduated && is_flawless(one);
}

bool outcome_is_solved(const outcome *one)
{
    const double error = one->tests[LEARNER_SIZES - 1].squared_error;
    if (!one->finished || one->refused[0] != '\0')
        return false;
    return reproduce_model_of(one->subject) == REPRODUCE_DILP ? error >= 0 && error < SOLVED_ERROR
                                                              : is_flawless(one);
}

static void add_tests(means *to, const outcome *one)
{
    to->runs++;
    for (int size = 0; size < LEARNER_SIZES; size++) {
        const nlm_score *test = &one->tests[size];
        to->share[size] += test->right;
        if (test->macro < 0 || to->macro[size] < 0)
            to->macro[size] = -1;
        else
            to->macro[size] += test->macro;
        if (test->right <= 0)
            continue;
        to->solving[size]++;
        to->moves[size] += test->moves;
        to->optimal[size] += test->optimal_moves;
    }
}

static void divide(means *by)
{
    for (int size = 0; size < LEARNER_SIZES; size++) {
        if (by->runs > 0) {
            by->share[size] /= by->runs;
            by->macro[size] /= by->macro[size] >= 0 ? by->runs : 1;
        }
        if (by->solving[size] > 0) {
            by->moves[size] /= by->solving[size];
            by->optimal[size] /= by->solving[size];
        }
    }
}

static void add_run(sums *to, const outcome *one)
{
    to->runs++;
    to->finished += one->finished;
    if (one->finished && one->refused[0] != '\0')
        to->refused++;
    else if (one->finished) {
        to->exact += outcome_is_exact(one);
        to->solved += outcome_is_solved(one);
        to->graduated += one->graduated;
        to->timed += one->seconds >= 0;
        to->seconds += one->seconds >= 0 ? one->seconds : 0;
        add_tests(&to->all, one);
        if (one->graduated)
            add_tests(&to->graduates, one);
    }
}

sums sums_of(const reproduction *of, int index)
{
    sums sum = {0};
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject == index)
            add_run(&sum, &of->runs[i]);
    }
    divide(&sum.all);
    divide(&sum.graduates);
    if (sum.timed > 0)
        sum.seconds /= sum.timed;
    return sum;
}
