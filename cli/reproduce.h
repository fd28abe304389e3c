/* nlm reproduce: the runs of a study (nlm/study.h) side by side, and how far they are. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include "nlm/nlm.h"
#include "progress.h"

typedef struct reproduce_screen {
    progress line;
    const nlm_study *study;
    const int *runs; /* the study's numbers of the jobs */
    int jobs;
    int done_before, all; /* runs */
    double cost_before, cost_all;
    int rows; /* on the terminal */
} reproduce_screen;

void reproduce_screen_begin(reproduce_screen *screen, const nlm_study *study, const int *runs, int jobs,
                            bool quiet);
void reproduce_screen_show(reproduce_screen *screen, const nlm_job_progress *jobs);
void reproduce_screen_end(reproduce_screen *screen);

#endif
