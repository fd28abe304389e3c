/* For the tests of learning with other models: small runs of both, and their templates. */
#ifndef TESTS_LEARN_OTHERS_H
#define TESTS_LEARN_OTHERS_H

#include "learn/runs.h"

enum { MEMNN, DILP, MODELS };

/* A run of moments, and what its settings point to. */
typedef struct other_run {
    nlm_settings training;
    nlm_templates *templates; /* NULL without any */
    nlm_problem *problem;     /* NULL: of a task */
} other_run;

static inline void make_small(nlm_settings *training)
{
    if (training->spec.program == NULL) {
        training->spec.depth = 2;
        training->spec.width = 6;
        training->spec.hidden[0] = 5;
        training->batch = 2;
    }
    training->batches = 4;
    training->epochs = 2;
    training->threshold = NEVER;
}

/* On worlds that the task makes or, if there are some, on a problem of so many. */
static inline other_run small_other(int kind, const char *task, int objects, int worlds)
{
    other_run made = {0};
    const nlm_task *of = nlm_task_find(task);
    CHECK(nlm_settings_of_task(of, NLM_PROTOCOL_PAPER, &made.training, &check_error));
    made.training.objects = objects;
    if (worlds > 0) {
        CHECK(nlm_problem_generate(of, NLM_WORLDS_PAPER, 3, 0, objects, worlds, &made.problem, &check_error));
        CHECK(nlm_settings_of_problem(made.problem, NULL, NLM_PROTOCOL_PAPER, &made.training, &check_error));
    }
    if (kind == DILP) {
        CHECK(nlm_templates_of_task(of, &made.templates, &check_error));
        CHECK(nlm_settings_use_templates(&made.training, made.templates, &check_error));
    } else {
        CHECK(nlm_settings_use_model(&made.training, "memnn", &check_error));
    }
    make_small(&made.training);
    return made;
}

static inline void free_other(other_run *made)
{
    nlm_templates_free(made->templates);
    nlm_problem_free(made->problem);
}

#endif
