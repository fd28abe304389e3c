/* One display for the runs of nlm reproduce, by whom ever they are made.
 *
 * On a terminal a bar and a line for every run that goes on, redrawn in place; elsewhere a plain line now and
 * then.  A run counts as much as it costs, so the time left follows from what is left. */
#ifndef CLI_REPRODUCE_SCREEN_H
#define CLI_REPRODUCE_SCREEN_H

#include "nlm/study.h"
#include "progress.h"

typedef struct run_screen {
    progress line;
    const nlm_study *study;
    const int *runs; /* the study's numbers of the jobs */
    int jobs;
    int done_before, all; /* runs */
    double cost_before, cost_all;
    int rows; /* on the terminal */
} run_screen;

/* Training, search and tests. */
double run_cost(nlm_cost cost);

void run_screen_begin(run_screen *screen, const nlm_study *study, const int *runs, int jobs, bool quiet);
/* If it is time to. */
void run_screen_show(run_screen *screen, const nlm_job_progress *jobs);
void run_screen_end(run_screen *screen);

#endif
