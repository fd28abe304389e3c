/* What was published: tables 1 and 2 of Dong et al. 2019, and of Evans and Grefenstette 2018 the shares of
 * runs that solve their tasks, which nlm_task has. */
#include <string.h>
#include "study/study.h"

#define NONE -1
#define NO_MOVES                                                                                             \
    {                                                                                                        \
        NONE, NONE                                                                                           \
    }

/* Memory networks, at the smaller and at the larger size, in percent; of games solved and moves. */
static const struct {
    const char *task;
    double share[NLM_TEST_SIZES], macro[NLM_TEST_SIZES], moves[NLM_TEST_SIZES];
} of_memnn[] = {
    {"has-father", {99.9, 59.8}, {99.9, 65.2}, NO_MOVES},
    {"has-sister", {86.3, 59.8}, {85.5, 66.4}, NO_MOVES},
    {"grandparent", {96.5, 97.7}, {84.7, 63.7}, NO_MOVES},
    {"uncle", {96.3, 96.0}, {85.8, 64.0}, NO_MOVES},
    {"mg-uncle", {99.7, 98.4}, {98.4, 81.7}, NO_MOVES},
    {"adjacent-to-red", {95.2, 93.1}, {94.6, 91.9}, NO_MOVES},
    {"4-connectivity", {92.3, 81.3}, {90.5, 88.0}, NO_MOVES},
    {"6-connectivity", {67.6, 43.9}, {58.8, 67.9}, NO_MOVES},
    {"1-outdegree", {99.8, 78.6}, {99.7, 81.2}, NO_MOVES},
    {"2-outdegree", {81.4, 96.7}, {61.8, 87.7}, NO_MOVES},
    {"sort", {100, 90}, {NONE, NONE}, {22, 986.6}},
    {"path", {45, 12}, {NONE, NONE}, {13.3, 42.7}},
    {"blocks", {0, 0}, {NONE, NONE}, NO_MOVES},
};

static void take_memnn(const nlm_subject *subject, published *to)
{
    for (size_t i = 0; i < sizeof of_memnn / sizeof *of_memnn; i++) {
        if (strcmp(of_memnn[i].task, subject->what) != 0)
            continue;
        for (int size = 0; size < NLM_TEST_SIZES; size++) {
            const double macro = of_memnn[i].macro[size];
            to->share[size] = of_memnn[i].share[size] / 100;
            to->macro[size] = macro >= 0 ? macro / 100 : NONE;
            to->moves[size] = of_memnn[i].moves[size];
        }
    }
}

/* All is right; 2-outdegree is beyond differentiable ILP, which has no predicates of three objects. */
static void take_all_right(const nlm_subject *subject, published *to)
{
    const nlm_game *game = subject->game;
    if (subject_is(subject, "nlm"))
        to->graduation = game != NULL ? game->graduation : subject->task->graduation;
    if (subject_is(subject, "dilp") && strcmp(subject->what, "2-outdegree") == 0)
        return;
    for (int size = 0; size < NLM_TEST_SIZES; size++) {
        to->share[size] = 1;
        to->macro[size] = game != NULL ? NONE : 1;
        to->moves[size] = game != NULL ? game->test_moves[size] : NONE;
    }
}

published published_about(const nlm_subject *subject)
{
    published found = {{NONE, NONE}, {NONE, NONE}, NO_MOVES, NONE, NONE};
    if (subject->pictures) {
        found.share[1] = 0.994;
    } else if (subject->ilp) {
        if (subject_is(subject, "dilp"))
            found.solved = subject->task->solved;
    } else if (subject_is(subject, "memnn")) {
        take_memnn(subject, &found);
    } else {
        take_all_right(subject, &found);
    }
    return found;
}
