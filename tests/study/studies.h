/* A study made by hand, whose runs and subjects tests name. */
#ifndef TESTS_STUDY_STUDIES_H
#define TESTS_STUDY_STUDIES_H

#include "test.h"
#include "study/study.h"

static nlm_study all;

/* Anew, without runs. */
static inline void begin_study(nlm_study_plan plan)
{
    all = (nlm_study){.plan = plan};
    subjects_list(&all);
}

static inline const nlm_subject *subject_named(const char *name)
{
    for (int s = 0; s < all.subject_count; s++) {
        if (strcmp(all.subjects[s].name, name) == 0)
            return &all.subjects[s];
    }
    fail_msg("no subject %s", name);
    return NULL;
}

static inline nlm_study_run run_of(const char *name, uint64_t seed)
{
    return run_named(&all, subject_named(name), seed, false);
}

#endif
