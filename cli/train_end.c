/* The last lines of nlm train: how a run ended and what to try, or the table of several seeds. */
#include <stdio.h>
#include <string.h>
#include "train.h"
#include "message.h"

/* ---- one run ---- */

/* A task without a threshold is learned as long as the budget lasts. */
static bool has_goal(const nlm_settings *settings)
{
    return settings->task == NULL || settings->threshold > 0;
}

/* "12 epochs, 12,000 examples and 2.1 s, 1 restart among them", or of a game "31,000 episodes, 34 exams ...";
 * without the time if the model was there already. */
static void print_length(const nlm_settings *settings, const nlm_progress *end)
{
    char count[NLM_NUMBER_TEXT];
    const int restarts = settings->game != NULL ? end->exam.restarts : end->epoch.restarts;
    if (settings->game != NULL)
        printf("%s episodes, %d exam%s", nlm_count_text((size_t)end->exam.episodes, count), end->rounds,
               plural(end->rounds));
    else
        printf("%d epoch%s", end->rounds, plural(end->rounds));
    if (settings->task != NULL)
        printf(", %s examples", nlm_count_text((size_t)end->epoch.examples, count));
    if (!end->was_done)
        printf(" and %.1f s", end->elapsed);
    if (restarts > 0 && end->stage == NLM_GRADUATED)
        printf(", %d restart%s among them", restarts, plural(restarts));
}

/* Of facts. */
static void print_accuracies(const nlm_epoch *epoch)
{
    char wrong[NLM_NUMBER_TEXT], tuples[NLM_NUMBER_TEXT], failed[NLM_NUMBER_TEXT], asked[NLM_NUMBER_TEXT];
    if (epoch->tuples == 0)
        return;
    printf("learned from: %s of %s answers wrong in the last epoch; ", nlm_count_text(epoch->wrong, wrong),
           nlm_count_text(epoch->tuples, tuples));
    if (epoch->asked > 0)
        printf("held out: %s of %s answers wrong\n", nlm_count_text(epoch->failed, failed),
               nlm_count_text(epoch->asked, asked));
    else
        puts("nothing was held out");
}

static void print_graduated(const train_request *request, const nlm_progress *end)
{
    const nlm_settings *settings = &request->settings;
    const char *model = request->output;
    char number[NLM_NUMBER_TEXT];
    printf("%s: %s ", request->name, has_goal(settings) ? "graduated after" : "learned for");
    print_length(settings, end);
    if (settings->game != NULL) { /* who has graduated has solved all of the final exam */
        nlm_count_text((size_t)settings->final_exam, number);
        printf("; lesson %d, the final exam %s of %s\n", end->exam.lesson, number, number);
        printf("%s%s; try it: nlm test %s, nlm play %s\n", model, end->was_done ? " was there already" : "",
               model, model);
        return;
    }
    printf("; loss %.1e", end->epoch.loss);
    if (settings->problem != NULL && settings->spec.model == NULL)
        printf(", depth %d, breadth %d", settings->spec.depth, settings->spec.breadth);
    if (!has_goal(settings) && end->epoch.tuples > 0)
        printf(", and in the last epoch %s of the answers were right",
               nlm_percent_text(end->epoch.accuracy, number));
    putchar('\n');
    if (settings->problem != NULL)
        print_accuracies(&end->epoch);
    printf("%s%s; %s %s%s\n", model, end->was_done ? " was there already" : "",
           settings->problem != NULL ? "use it: nlm infer" : "try it: nlm test", model,
           settings->problem != NULL ? " FACTS" : "");
}

static void print_failed_game(const nlm_settings *settings, const nlm_exam *exam)
{
    char asked[NLM_NUMBER_TEXT], solved[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT], enough[NLM_NUMBER_TEXT];
    printf("; lesson %d of %d to %d%s\n", exam->lesson, settings->first_lesson, settings->last_lesson,
           exam->episodes < settings->episodes ? ", and its patience is over" : "");
    if (exam->asked > 0)
        printf("the %s exam solved %s of %s instances, %s; enough is %s\n",
               exam->candidate ? "final" : "last", nlm_count_text((size_t)exam->solved, solved),
               nlm_count_text((size_t)exam->asked, asked), nlm_percent_text(exam->success, share),
               nlm_percent_text(exam->threshold, enough));
}

static void print_failed_task(const nlm_settings *settings, const nlm_epoch *epoch, const char *loss)
{
    char wrong[NLM_NUMBER_TEXT], tuples[NLM_NUMBER_TEXT];
    const bool low = epoch->loss < settings->threshold;
    printf("; loss %.1e, %s %.0e%s\n", epoch->loss, low ? "below" : "not below", settings->threshold,
           low ? ", but the exam found errors" : "");
    if (epoch->tuples > 0)
        printf("the loss %s; in the last epoch %s of %s answers were wrong\n", loss,
               nlm_count_text(epoch->wrong, wrong), nlm_count_text(epoch->tuples, tuples));
}

/* "depth=5 breadth=3" as " --depth 5 --breadth 3". */
static void print_options(const char *settings)
{
    while (*settings != '\0') {
        const int length = (int)strcspn(settings, " "), name = (int)strcspn(settings, "=");
        printf(" --%.*s %.*s", name, settings, length - name - 1, settings + name + 1);
        settings += length + (settings[length] == ' ');
    }
}

static void print_advice(const train_request *request, const nlm_run *run)
{
    nlm_advice advice[NLM_MOST_ADVICE];
    const int count = nlm_run_advice(run, request->problem != NULL ? &request->needs : NULL, advice);
    for (int i = 0; i < count; i++) {
        if (advice[i].is_reason)
            printf("why: %s\n", advice[i].text);
    }
    puts("what to try:");
    for (int i = 0; i < count; i++) {
        if (advice[i].is_reason)
            continue;
        printf("  - %s%s%s", advice[i].text, advice[i].settings[0] != '\0' ? ":" : "",
               advice[i].resume ? " the same command with --resume" : "");
        print_options(advice[i].settings);
        puts(strncmp(advice[i].settings, "seed=", 5) == 0 ? ", or several at once: --seeds 10" : "");
    }
}

void train_print_end(const train_request *request, const nlm_run *run)
{
    const nlm_settings *settings = &request->settings;
    nlm_progress end;
    nlm_run_progress(run, &end);
    if (end.stage == NLM_GRADUATED || !has_goal(settings)) {
        print_graduated(request, &end);
        return;
    }
    printf("%s: not graduated after ", request->name);
    print_length(settings, &end);
    if (settings->game != NULL) {
        print_failed_game(settings, &end.exam);
    } else if (settings->task != NULL) {
        print_failed_task(settings, &end.epoch, nlm_run_loss_text(run));
    } else {
        printf("; loss %.1e, the loss %s\n", end.epoch.loss, nlm_run_loss_text(run));
        print_accuracies(&end.epoch);
    }
    print_advice(request, run);
    if (end.kept > 0 && end.kept < end.rounds)
        printf("%s has the machine of epoch %d, the best of them\n", request->output, end.kept);
    else
        printf("%s has the machine as it is\n", request->output);
}

/* ---- several seeds ---- */

static void print_head(const nlm_settings *settings)
{
    char heads[NLM_RUN_SIZES][NLM_NUMBER_TEXT] = {"right learned", "right held out"};
    int sizes[NLM_RUN_SIZES];
    nlm_run_sizes(settings, sizes);
    for (int size = 0; size < NLM_RUN_SIZES && settings->problem == NULL; size++)
        snprintf(heads[size], NLM_NUMBER_TEXT, "%s at %d", settings->game != NULL ? "solved" : "right",
                 sizes[size]);
    if (settings->game != NULL)
        printf("%6s  %-9s  %9s  %5s  %8s  %7s  %12s  %6s  %12s  %6s\n", "seed", "graduated", "episodes",
               "exams", "restarts", "seconds", heads[0], "moves", heads[1], "moves");
    else if (settings->task != NULL)
        printf("%6s  %-9s  %6s  %8s  %9s  %7s  %12s  %12s\n", "seed", "graduated", "epochs", "restarts",
               "examples", "seconds", heads[0], heads[1]);
    else
        printf("%6s  %-9s  %6s  %8s  %7s  %12s  %14s\n", "seed", "graduated", "epochs", "restarts", "seconds",
               heads[0], heads[1]);
}

static void print_row(const nlm_settings *settings, const nlm_job *job)
{
    const nlm_progress *end = &job->progress;
    const nlm_score *scores = job->scores;
    char count[NLM_NUMBER_TEXT], seconds[NLM_NUMBER_TEXT] = "-", right[NLM_RUN_SIZES][NLM_NUMBER_TEXT];
    if (!end->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", end->elapsed);
    for (int size = 0; size < NLM_RUN_SIZES; size++)
        nlm_percent_text(scores[size].right, right[size]);
    printf("%6llu  %-9s", (unsigned long long)job->settings.seed,
           end->stage == NLM_GRADUATED ? "yes"
           : has_goal(settings)        ? "no"
                                       : "-");
    if (settings->game != NULL) {
        printf("  %9s  %5d  %8d  %7s", nlm_count_text((size_t)end->exam.episodes, count), end->rounds,
               end->exam.restarts, seconds);
        for (int size = 0; size < NLM_RUN_SIZES; size++) {
            char moves[NLM_NUMBER_TEXT] = "-";
            if (scores[size].right > 0)
                snprintf(moves, sizeof moves, "%.2f", scores[size].moves);
            printf("  %12s  %6s", right[size], moves);
        }
        putchar('\n');
    } else if (settings->task != NULL) {
        printf("  %6d  %8d  %9s  %7s  %12s  %12s\n", end->rounds, end->epoch.restarts,
               nlm_count_text((size_t)end->epoch.examples, count), seconds, right[0], right[1]);
    } else {
        printf("  %6d  %8d  %7s  %13s  %14s\n", end->rounds, end->epoch.restarts, seconds, right[0],
               right[1]);
    }
}

static void print_sum(const train_request *request, int graduated, int flawless)
{
    const nlm_settings *settings = &request->settings;
    char asked[NLM_NUMBER_TEXT];
    nlm_count_text((size_t)request->worlds, asked);
    if (!has_goal(settings)) {
        printf("%s: %d seeds, tested on %s worlds of each size\n", request->name, request->seeds, asked);
        return;
    }
    printf("%s: %d of %d graduated, %d of them ", request->name, graduated, request->seeds, flawless);
    if (settings->problem != NULL) {
        puts("without any error");
    } else if (settings->task != NULL) {
        printf("without any error on %s worlds of each size\n", asked);
    } else {
        const int moves = nlm_agent_moves(&settings->spec, settings->game);
        printf("solve all of %s instances of each size", asked);
        if (moves > 0)
            printf("; up to %d moves for each object", moves);
        putchar('\n');
    }
}

void train_print_table(const train_request *request, const nlm_job *jobs)
{
    int graduated = 0, flawless = 0;
    print_head(&request->settings);
    for (int i = 0; i < request->seeds; i++) {
        const nlm_job *job = &jobs[i];
        if (!job->tested) {
            printf("%6llu  not finished\n", (unsigned long long)job->settings.seed);
            continue;
        }
        print_row(&request->settings, job);
        if (job->progress.stage != NLM_GRADUATED)
            continue;
        graduated++;
        flawless += job->scores[0].first_failure < 0 && job->scores[1].first_failure < 0;
    }
    print_sum(request, graduated, flawless);
}
