/* nlm train: a machine for a task, a game or a user's facts, from nothing to graduation; one run, or those of
 * several seeds side by side, each followed by its tests. */
#include "train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "doubts.h"
#include "message.h"
#include "progress.h"
#include "system.h"
#include "train_evidence.h"

/* ---- the end of a run: its result, and what to try ---- */

/* A task without a threshold is learned as long as the budget lasts. */
static bool has_goal(const nlm_settings *settings)
{
    return settings->task == NULL || settings->threshold > 0;
}

/* "12 epochs, 12,000 examples and 2.1 s, 1 restart among them", or of a game "31,000 episodes, 34 exams ...";
 * without the time if the model was there already. */
static void print_length(const nlm_settings *settings, const nlm_progress *end)
{
    const int restarts = settings->game != NULL ? end->exam.restarts : end->epoch.restarts;
    if (settings->game != NULL)
        printf("%s episodes, %d exam%s", text_of_count(end->exam.episodes), end->rounds, plural(end->rounds));
    else
        printf("%d epoch%s", end->rounds, plural(end->rounds));
    if (settings->task != NULL)
        printf(", %s examples", text_of_count(end->epoch.examples));
    if (!end->was_done)
        printf(" and %.1f s", end->elapsed);
    if (restarts > 0 && end->stage == NLM_GRADUATED)
        printf(", %d restart%s among them", restarts, plural(restarts));
}

/* `evidence` of facts, or NULL. */
static void print_graduated(const train_request *request, const nlm_progress *end,
                            const nlm_evidence *evidence)
{
    const nlm_settings *settings = &request->settings;
    const char *model = request->output;
    const bool noisy = evidence != NULL && evidence->noisy, clauses = evidence != NULL && evidence->clauses;
    printf("%s: %s ", request->name,
           noisy                ? "a program that contradicts some labels was chosen after"
           : clauses            ? "clauses without errors were found after"
           : has_goal(settings) ? "graduated after"
                                : "learned for");
    print_length(settings, end);
    if (settings->game != NULL) { /* who has graduated has solved all of the final exam */
        const char *all = text_of_count(settings->final_exam);
        printf("; lesson %d, the final exam %s of %s\n", end->exam.lesson, all, all);
        printf("%s%s; try it: nlm test %s, nlm play %s\n", model, end->was_done ? " was there already" : "",
               model, model);
        return;
    }
    printf("; loss %.1e", end->epoch.loss);
    if (settings->problem != NULL && settings->spec.model == NULL)
        printf(", depth %d, breadth %d", settings->spec.depth, settings->spec.breadth);
    if (!has_goal(settings) && end->epoch.tuples > 0)
        printf(", and in the last epoch %s of the answers were right", text_of_percent(end->epoch.accuracy));
    putchar('\n');
    if (evidence != NULL)
        evidence_print_answers(evidence);
    printf("%s%s; %s %s%s\n", model, end->was_done ? " was there already" : "",
           settings->problem != NULL ? "use it: nlm infer" : "try it: nlm test", model,
           settings->problem != NULL ? " FACTS" : "");
}

static void print_failed_game(const nlm_settings *settings, const nlm_exam *exam)
{
    printf("; lesson %d of %d to %d%s\n", exam->lesson, settings->first_lesson, settings->last_lesson,
           exam->episodes < settings->episodes ? ", and its patience is over" : "");
    if (exam->asked > 0)
        printf("the %s exam solved %s of %s instances, %s; enough is %s\n",
               exam->candidate ? "final" : "last", text_of_count(exam->solved), text_of_count(exam->asked),
               text_of_percent(exam->success), text_of_percent(exam->threshold));
}

static void print_failed_task(const nlm_settings *settings, const nlm_epoch *epoch, const char *loss)
{
    const bool low = epoch->loss < settings->threshold;
    printf("; loss %.1e, %s %.0e%s\n", epoch->loss, low ? "below" : "not below", settings->threshold,
           low ? ", but the exam found errors" : "");
    if (epoch->tuples > 0)
        printf("the loss %s; in the last epoch %s of %s answers were wrong\n", loss,
               text_of_count(epoch->wrong), text_of_count(epoch->tuples));
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

/* The program that was found, or why there is none. */
static void print_rules(const train_request *request, const nlm_run *run)
{
    nlm_machine *machine;
    nlm_program *program;
    nlm_error error;
    if (!request->rules)
        return;
    if (nlm_run_no_rules(run)[0] != '\0') {
        printf("no rules: %s; the model is the trained machine\n", nlm_run_no_rules(run));
        return;
    }
    if (!message_ok("train", nlm_machine_load(request->output, &machine, &error), &error))
        return;
    if (nlm_machine_has_program(machine) &&
        message_ok("train", nlm_program_in(machine, request->output, &program, &error), &error)) {
        const nlm_program_size size = nlm_program_measure(program);
        printf("rules: the model is a program of %d literal%s: nlm rules %s, nlm prove %s\n", size.literals,
               plural(size.literals), request->output, request->output);
        message_ok("train", nlm_program_print(stdout, program, NLM_CLAUSES, &error), &error);
        nlm_program_free(program);
    }
    nlm_machine_free(machine);
}

static void print_end(const train_request *request, const nlm_run *run, const nlm_evidence *evidence)
{
    const nlm_settings *settings = &request->settings;
    nlm_progress end;
    nlm_run_progress(run, &end);
    if (end.stage == NLM_GRADUATED || !has_goal(settings)) {
        print_graduated(request, &end, evidence);
        print_rules(request, run);
        if (evidence != NULL && evidence->noisy)
            doubts_print_first(request->output, request->problem, &request->options);
        if (evidence != NULL)
            evidence_print_outcome(request->problem, evidence);
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
    }
    if (evidence != NULL)
        evidence_print_answers(evidence);
    print_advice(request, run);
    if (end.kept > 0 && end.kept < end.rounds)
        printf("%s has the machine of epoch %d, the best of them\n", request->output, end.kept);
    else
        printf("%s has the machine as it is\n", request->output);
    if (evidence != NULL)
        evidence_print_outcome(request->problem, evidence);
}

/* The last lines, and the exit status. */
static int end_run(const train_request *request, const nlm_run *run)
{
    nlm_evidence evidence;
    nlm_error error;
    const bool facts = request->problem != NULL;
    if (facts && !message_ok("train", nlm_run_evidence(run, &evidence, &error), &error))
        return EXIT_FAILURE;
    if (!request->quiet)
        print_end(request, run, facts ? &evidence : NULL);
    return facts ? evidence_exit(&evidence) : EXIT_SUCCESS;
}

/* ---- the table of several seeds ---- */

/* Tests of a task are on the paper's worlds, then on rich ones. */
static void print_heading(const nlm_settings *settings, bool rich)
{
    const char *heads[NLM_RUN_SIZES] = {"right learned", "right held out"};
    int sizes[NLM_RUN_SIZES];
    nlm_run_sizes(settings, sizes);
    for (int size = 0; size < NLM_RUN_SIZES && settings->problem == NULL; size++)
        heads[size] = text_of("%s at %d", settings->game != NULL ? "solved" : "right", sizes[size]);
    if (settings->game != NULL)
        printf("%6s  %-9s  %9s  %5s  %8s  %7s  %12s  %6s  %12s  %6s\n", "seed", "graduated", "episodes",
               "exams", "restarts", "seconds", heads[0], "moves", heads[1], "moves");
    else if (settings->task != NULL)
        printf("%6s  %-9s  %6s  %8s  %9s  %7s  %12s  %12s%s\n", "seed", "graduated", "epochs", "restarts",
               "examples", "seconds", heads[0], heads[1],
               rich
                   ? text_of("  %12s  %12s", text_of("rich at %d", sizes[0]), text_of("rich at %d", sizes[1]))
                   : "");
    else
        printf("%6s  %-9s  %6s  %8s  %7s  %12s  %14s\n", "seed", "graduated", "epochs", "restarts", "seconds",
               heads[0], heads[1]);
}

static void print_row(const nlm_settings *settings, const nlm_job *job)
{
    const nlm_progress *end = &job->progress;
    const nlm_score *scores = job->scores;
    const char *seconds = end->was_done ? "-" : text_of("%.1f", end->elapsed);
    const char *right[] = {text_of_percent(scores[0].right), text_of_percent(scores[1].right)};
    printf("%6llu  %-9s", (unsigned long long)job->settings.seed,
           end->stage == NLM_GRADUATED ? "yes"
           : has_goal(settings)        ? "no"
                                       : "-");
    if (settings->game != NULL) {
        printf("  %9s  %5d  %8d  %7s", text_of_count(end->exam.episodes), end->rounds, end->exam.restarts,
               seconds);
        for (int size = 0; size < NLM_RUN_SIZES; size++)
            printf("  %12s  %6s", right[size],
                   scores[size].right > 0 ? text_of("%.2f", scores[size].moves) : "-");
        putchar('\n');
    } else if (settings->task != NULL) {
        printf("  %6d  %8d  %9s  %7s  %12s  %12s", end->rounds, end->epoch.restarts,
               text_of_count(end->epoch.examples), seconds, right[0], right[1]);
        for (int size = 0; size < NLM_RUN_SIZES && job->rich[size].asked > 0; size++)
            printf("  %12s", text_of_percent(job->rich[size].right));
        putchar('\n');
    } else {
        printf("  %6d  %8d  %7s  %13s  %14s\n", end->rounds, end->epoch.restarts, seconds, right[0],
               right[1]);
    }
}

static void print_sum(const train_request *request, int graduated, int flawless, bool rich)
{
    const nlm_settings *settings = &request->settings;
    const char *asked = text_of_count(request->worlds);
    if (!has_goal(settings)) {
        printf("%s: %d seeds, tested on %s worlds of each size\n", request->name, request->seeds, asked);
        return;
    }
    printf("%s: %d of %d graduated, %d of them ", request->name, graduated, request->seeds, flawless);
    if (settings->problem != NULL) {
        puts("without any error");
    } else if (settings->task != NULL) {
        printf("without any error on %s worlds of each size%s\n", asked,
               rich ? ", and on as many rich ones" : "");
    } else {
        const int moves = nlm_agent_moves(&settings->spec, settings->game);
        printf("solve all of %s instances of each size", asked);
        if (moves > 0)
            printf("; up to %d moves for each object", moves);
        putchar('\n');
    }
}

static void print_table(const train_request *request, const nlm_job *jobs)
{
    int graduated = 0, flawless = 0;
    bool rich = false;
    for (int i = 0; i < request->seeds; i++)
        rich = rich || jobs[i].rich[0].asked > 0;
    print_heading(&request->settings, rich);
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
        bool errors = false;
        for (int size = 0; size < NLM_RUN_SIZES; size++)
            errors = errors || job->scores[size].first_failure >= 0 ||
                     (job->rich[size].asked > 0 && job->rich[size].first_failure >= 0);
        flawless += !errors;
    }
    print_sum(request, graduated, flawless, rich);
}

/* ---- one run ---- */

/* Until it ends or is interrupted. */
static nlm_status learn(nlm_run *run, progress *line, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (bool begun = false; status == NLM_OK && nlm_run_stage(run) == NLM_LEARNING && !interrupt_seen();) {
        nlm_progress now;
        char text[NLM_PROGRESS_LINE];
        status = nlm_run_step(run, NULL, error);
        if (begun && !progress_due(line))
            continue;
        nlm_run_progress(run, &now);
        if (!begun)
            progress_resume(line, now.fraction);
        begun = true;
        if (progress_due(line))
            progress_show(line, now.fraction, "%s", nlm_run_line(run, text));
    }
    return status;
}

/* Settings that are refused are the fault of the command line. */
static int fail(nlm_status status, const nlm_error *error)
{
    message_error("train: %s", error->message);
    return status == NLM_BAD_ARGUMENT || status == NLM_BAD_SHAPE ? EXIT_USAGE : EXIT_FAILURE;
}

static int train_one(const train_request *request)
{
    const nlm_run_files files = {.model = request->output,
                                 .log = request->log,
                                 .resume = request->resume,
                                 .force = request->force,
                                 .rules = request->rules,
                                 .validate = request->rules};
    nlm_run *run;
    nlm_error error;
    progress line;
    nlm_status status = nlm_run_open(&request->settings, &request->options, &files, &run, &error);
    if (status == NLM_NO_MEMORY) {
        message_error("train: not enough memory for this machine; try less --width, --depth or --hidden");
        return EXIT_FAILURE;
    }
    if (status != NLM_OK)
        return fail(status, &error);
    progress_begin(&line, request->name, request->quiet);
    status = learn(run, &line, &error);
    progress_end(&line);
    int result = EXIT_SUCCESS;
    if (status != NLM_OK) {
        message_error("train: %s", error.message);
        result = EXIT_FAILURE;
    } else if (nlm_run_stage(run) == NLM_LEARNING) {
        nlm_progress so_far;
        nlm_run_progress(run, &so_far);
        message_error("train: %s: stopped after %s %d; continue with the same command and --resume",
                      request->name, request->settings.game != NULL ? "exam" : "epoch", so_far.rounds);
        result = EXIT_SIGNAL + interrupt_seen();
    } else {
        result = end_run(request, run);
    }
    nlm_run_free(run);
    return result;
}

/* ---- several seeds ---- */

typedef struct watcher {
    progress line;
    int seeds;
} watcher;

static bool look(void *context, const nlm_job_progress *jobs)
{
    watcher *watching = context;
    double sum = 0;
    int done = 0;
    for (int i = 0; i < watching->seeds; i++) {
        sum += jobs[i].fraction;
        done += jobs[i].finished;
    }
    progress_show(&watching->line, sum / watching->seeds, "%d of %d seeds done", done, watching->seeds);
    return interrupt_seen() == 0;
}

/* In the thread of the run. */
static void save_result(void *context, nlm_job *job)
{
    (void)context;
    nlm_result result;
    nlm_result_of_job(job, &result);
    if (job->tested)
        job->status = nlm_result_save(&result, job->result, &job->error);
}

/* In any thread: another rank has written it. */
static bool find_result(void *context, nlm_job *job)
{
    (void)context;
    nlm_job found = *job;
    return nlm_job_read_result(&found);
}

/* The first rank speaks for all; of the others, what failed on their machines. */
static int end_seeds(const train_request *request, system_rank rank, nlm_job *jobs)
{
    int result = EXIT_SUCCESS;
    for (int i = 0; i < request->seeds; i++) {
        if (jobs[i].elsewhere)
            nlm_job_read_result(&jobs[i]);
        if (jobs[i].status == NLM_OK || (jobs[i].refused && rank.rank > 0))
            continue;
        message_error("train: seed %llu: %s", (unsigned long long)jobs[i].settings.seed,
                      jobs[i].error.message);
        result = EXIT_FAILURE;
    }
    if (rank.rank > 0)
        return interrupt_seen() ? EXIT_SIGNAL + interrupt_seen() : EXIT_SUCCESS;
    print_table(request, jobs);
    if (interrupt_seen() == 0)
        return result;
    message_error("train: stopped; continue with the same command and --resume");
    return EXIT_SIGNAL + interrupt_seen();
}

static int train_jobs(const train_request *request, nlm_job *jobs)
{
    const system_rank rank = system_find_rank();
    const bool shared = rank.ranks > 1, quiet = request->quiet || rank.rank > 0;
    const nlm_run_files files = {.resume = request->resume || shared,
                                 .force = request->force,
                                 .rules = request->rules,
                                 .shared = shared};
    watcher watching = {.seeds = request->seeds};
    const nlm_pool_options how = {.threads = request->options.threads,
                                  .look = look,
                                  .ended = save_result,
                                  .found = find_result,
                                  .silent = quiet,
                                  .context = &watching};
    nlm_error error;
    nlm_status status = NLM_OK;
    for (int i = 0; i < request->seeds && status == NLM_OK; i++) {
        status = nlm_job_init(&jobs[i], &request->settings, &request->options, &files, request->output,
                              request->settings.seed + (uint64_t)i, &error);
        jobs[i].worlds = request->worlds;
    }
    if (status != NLM_OK)
        return fail(status, &error);
    progress_begin(&watching.line, request->name, quiet);
    status = nlm_run_pool(jobs, request->seeds, &how, &error);
    progress_end(&watching.line);
    return status == NLM_OK ? end_seeds(request, rank, jobs) : fail(status, &error);
}

static int train_seeds(const train_request *request)
{
    nlm_error error;
    if (request->force && system_find_rank().ranks > 1) {
        message_error("train: --force is not for several ranks, each of which would start over; remove %s",
                      request->output);
        return EXIT_USAGE;
    }
    if (nlm_folder_make(request->output, &error) != NLM_OK) {
        message_error("train: %s; with --seeds, -o names a folder", error.message);
        return EXIT_FAILURE;
    }
    nlm_job *jobs = calloc((size_t)request->seeds, sizeof *jobs);
    if (jobs == NULL) {
        message_error("train: not enough memory");
        return EXIT_FAILURE;
    }
    const int status = train_jobs(request, jobs);
    for (int i = 0; i < request->seeds; i++)
        nlm_job_release(&jobs[i]);
    free(jobs);
    return status;
}

/* ---- the command ---- */

int command_train(int argc, char **argv)
{
    train_request request;
    int status;
    if (!train_read(argc, argv, &request, &status))
        return status;
    interrupt_catch();
    status = request.seeds > 0 ? train_seeds(&request) : train_one(&request);
    train_release(&request);
    return status;
}
