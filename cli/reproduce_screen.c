/* The display of nlm reproduce. */
#include "reproduce_screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "message.h"
#include "system.h"

enum { ROWS_MOST = 9, SCREEN_SIZE = ROWS_MOST * (PROGRESS_TEXT + 8), STATE_SIZE = 320 };

#define DRAW_SECONDS 0.1
#define NEARLY 0.95 /* what takes longer than usual stays here */

/* What the runs are doing. */
typedef struct view {
    int done, failed, running;
    double cost, cost_at_begin; /* done here; and before, of runs that were taken up again */
    char states[ROWS_MOST][STATE_SIZE];
} view;

/* Of so much of the budget. */
static double training_cost(nlm_cost cost, double fraction)
{
    return cost.train * (fraction < 1 ? fmin(fraction / cost.share, NEARLY) : 1);
}

double run_cost(nlm_cost cost)
{
    return cost.train + cost.rules + cost.test;
}

static double cost_so_far(const nlm_job_progress *of, nlm_cost cost, double now)
{
    switch (of->state) {
    case NLM_JOB_WAITING:
        return 0;
    case NLM_JOB_LEARNING:
    case NLM_JOB_ELSEWHERE:
        return training_cost(cost, of->fraction);
    case NLM_JOB_FINDING_RULES:
        return cost.train + fmin(now - of->since, NEARLY * cost.rules);
    case NLM_JOB_TESTING:
        return cost.train + cost.rules + fmin(now - of->since, NEARLY * cost.test);
    default:
        return run_cost(cost);
    }
}

/* "blocks 3: lesson 7/12  12,000/50,000 episodes" */
static void describe(const nlm_job_progress *of, const char *name, unsigned long long seed, double now,
                     char text[STATE_SIZE])
{
    char time[NLM_NUMBER_TEXT];
    const char *facts = of->line[0] != '\0' ? of->line : "beginning";
    if (of->state == NLM_JOB_ELSEWHERE)
        snprintf(text, STATE_SIZE, "%s %llu: %s  by %s", name, seed, facts, of->holder);
    else if (of->state == NLM_JOB_TESTING)
        snprintf(text, STATE_SIZE, "%s %llu: testing for %s", name, seed,
                 nlm_time_text(now - of->since, time));
    else
        snprintf(text, STATE_SIZE, "%s %llu: %s", name, seed, facts);
}

static void take_view(const run_screen *screen, const nlm_job_progress *jobs, view *seen)
{
    const double now = nlm_clock();
    *seen = (view){0};
    for (int i = 0; i < screen->jobs; i++) {
        const nlm_job_progress *of = &jobs[i];
        const nlm_study_run *run = nlm_study_run_at(screen->study, screen->runs[i]);
        const nlm_subject *what = run->subject;
        const nlm_cost cost = nlm_study_cost(screen->study, what);
        seen->cost += cost_so_far(of, cost, now);
        if (of->state != NLM_JOB_WAITING)
            seen->cost_at_begin += training_cost(cost, of->from);
        seen->done += of->finished;
        seen->failed += of->failed;
        if (of->state == NLM_JOB_WAITING || of->state == NLM_JOB_DONE)
            continue;
        if (seen->running < ROWS_MOST)
            describe(of, what->name, run->result.seed, now, seen->states[seen->running]);
        seen->running++;
    }
}

/* To the beginning of what is there; the cursor is at its end. */
static const char *go_back(const run_screen *screen)
{
    return screen->rows > 1 ? text_of("\r\033[%dA", screen->rows - 1) : "\r";
}

/* The bar, and as many runs below it as there is room for. */
static void draw(run_screen *screen, const view *seen, const progress_facts *facts)
{
    char text[SCREEN_SIZE], bar[PROGRESS_TEXT];
    int columns, rows;
    system_terminal_size(STDERR_FILENO, &columns, &rows);
    columns = columns < PROGRESS_WIDEST ? columns : PROGRESS_WIDEST;
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s\033[K", go_back(screen),
                                   progress_bar_text(facts, columns, bar));
    int shown = seen->running < ROWS_MOST - 1 ? seen->running : ROWS_MOST - 1;
    if (shown > rows - 1)
        shown = rows - 1;
    for (int i = 0; i < shown; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "\n%.*s\033[K", columns, seen->states[i]);
    used += (size_t)snprintf(text + used, sizeof text - used, "\033[J");
    fwrite(text, 1, used, stderr);
    screen->rows = 1 + shown;
}

/* "blocks 3: lesson 7/12  sort 1: testing for 0:02": the first fact of each. */
static void join_states(const view *seen, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < seen->running && i < ROWS_MOST && used < size; i++) {
        const char *state = seen->states[i], *end = strstr(state, "  ");
        const int length = end != NULL ? (int)(end - state) : (int)strlen(state);
        used += (size_t)snprintf(text + used, size - used, "  %.*s", length, state);
    }
}

void run_screen_show(run_screen *screen, const nlm_job_progress *jobs)
{
    progress *line = &screen->line;
    view seen;
    char states[PROGRESS_TEXT], details[PROGRESS_TEXT + 80];
    const double now = nlm_clock();
    if (!progress_due(line))
        return;
    take_view(screen, jobs, &seen);
    const double fraction = (screen->cost_before + seen.cost) / screen->cost_all;
    const int done = screen->done_before + seen.done;
    const int left = screen->all - done - seen.failed - seen.running;
    progress_resume(line, (screen->cost_before + seen.cost_at_begin) / screen->cost_all);
    const int used = snprintf(details, sizeof details, "%d of %d done  %d running  %d waiting", done,
                              screen->all, seen.running, left);
    if (seen.failed > 0)
        snprintf(details + used, sizeof details - (size_t)used, "  %d failed", seen.failed);
    if (line->form == PROGRESS_BAR) {
        const progress_facts facts = {line->title, fraction, details,
                                      progress_time_left(now - line->begun, line->from, fraction)};
        draw(screen, &seen, &facts);
        line->due = now + DRAW_SECONDS;
        return;
    }
    join_states(&seen, states, sizeof states);
    progress_show(line, fraction, "%s%s", details, states);
}

void run_screen_begin(run_screen *screen, const nlm_study *study, const int *runs, int jobs, bool quiet)
{
    *screen = (run_screen){.study = study, .runs = runs, .jobs = jobs};
    for (int i = 0; i < nlm_study_runs(study); i++) {
        const nlm_study_run *one = nlm_study_run_at(study, i);
        const nlm_cost cost = nlm_study_cost(study, one->subject);
        if (!one->wanted)
            continue;
        screen->all++;
        screen->cost_all += run_cost(cost);
        screen->done_before += one->result.finished;
        screen->cost_before += one->result.finished ? run_cost(cost) : 0;
    }
    progress_begin(&screen->line, "reproduce", quiet);
}

void run_screen_end(run_screen *screen)
{
    if (screen->rows == 0)
        return;
    fprintf(stderr, "%s\033[J", go_back(screen));
    screen->rows = 0;
}
