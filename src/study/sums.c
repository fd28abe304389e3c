/* Sums over the seeds of a subject. */
#include <string.h>
#include "study/study.h"

#define SOLVED_ERROR                                                                                         \
    1e-4 /* of Evans and Grefenstette: the mean squared error of a run that solves a task                    \
          */

static bool are_flawless(const nlm_score *tests, int count)
{
    for (int size = 0; size < count; size++) {
        if (tests[size].failed > 0 || tests[size].first_failure >= 0)
            return false;
    }
    return count == NLM_TEST_SIZES;
}

bool nlm_result_is_exact(const nlm_result *result)
{
    return result->finished && result->graduated && are_flawless(result->test, result->tests);
}

bool nlm_result_is_solved(const nlm_result *result)
{
    const double error = result->tests == NLM_TEST_SIZES ? result->test[1].squared_error : -1;
    if (!result->finished || result->refused[0] != '\0')
        return false;
    return strcmp(result->model, "dilp") == 0 ? error >= 0 && error < SOLVED_ERROR
                                              : are_flawless(result->test, result->tests);
}

static void add_tests(nlm_means *to, const nlm_result *result)
{
    to->runs++;
    for (int size = 0; size < result->tests; size++) {
        const nlm_score *test = &result->test[size];
        if (test->right < 0)
            continue;
        to->tested[size]++;
        to->share[size] += test->right;
        to->macro[size] = test->macro < 0 || to->macro[size] < 0 ? -1 : to->macro[size] + test->macro;
        if (test->right <= 0 || test->moves < 0)
            continue;
        to->solving[size]++;
        to->moves[size] += test->moves;
        to->optimal[size] += test->optimal_moves;
    }
}

static void divide(nlm_means *by)
{
    for (int size = 0; size < NLM_TEST_SIZES; size++) {
        if (by->tested[size] > 0) {
            by->share[size] /= by->tested[size];
            by->macro[size] /= by->macro[size] >= 0 ? by->tested[size] : 1;
        }
        if (by->solving[size] > 0) {
            by->moves[size] /= by->solving[size];
            by->optimal[size] /= by->solving[size];
        }
    }
}

void nlm_sums_add(nlm_sums *sums, const nlm_result *result)
{
    sums->runs++;
    sums->finished += result->finished;
    if (result->finished && result->refused[0] != '\0') {
        sums->refused++;
    } else if (result->finished) {
        sums->exact += nlm_result_is_exact(result);
        sums->solved += nlm_result_is_solved(result);
        sums->rich += result->rich_tests > 0;
        sums->rich_exact += result->graduated && are_flawless(result->rich, result->rich_tests);
        sums->graduated += result->graduated;
        sums->timed += result->seconds >= 0;
        sums->seconds += result->seconds >= 0 ? result->seconds : 0;
        add_tests(&sums->all, result);
        if (result->graduated)
            add_tests(&sums->graduates, result);
        if (result->graduated && result->drawn > 0 && result->learned > 0) {
            sums->drawing++;
            sums->drawn += (double)result->drawn / (double)result->learned;
        }
    }
}

void nlm_sums_end(nlm_sums *sums)
{
    divide(&sums->all);
    divide(&sums->graduates);
    if (sums->drawing > 0)
        sums->drawn /= sums->drawing;
    if (sums->timed > 0)
        sums->seconds /= sums->timed;
}

nlm_sums subject_sums(const nlm_study *study, const nlm_subject *subject)
{
    nlm_sums sums = {0};
    for (int i = 0; i < study->count; i++) {
        if (study->runs[i].subject == subject)
            nlm_sums_add(&sums, &study->runs[i].result);
    }
    nlm_sums_end(&sums);
    return sums;
}
