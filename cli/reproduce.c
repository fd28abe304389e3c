/* nlm reproduce: the paper's tables, from nothing.
 *
 * What is finished has its outcome in the folder and is not touched again; what is left is trained and tested
 * side by side, longest first.  Every moment is safe to be killed at: an outcome is written after the tests
 * of its run, whole or not at all, and run.c goes on from checkpoints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "commands.h"
#include "find_task.h"
#include "system.h"
#include "task_images.h"
#include "message.h"
#include "options.h"
#include "reproduce_screen.h"
#include "nlm/report.h"

enum {
    SEEDS_MOST = 1000,
    WORLDS = 1000,
    WORLDS_MOST = 1000000,
    THREADS_MOST = 1024,
    QUICK_WORLDS = 100,
    NAME_MOST = 64
};

#define RESULTS_SECONDS 60 /* a command that is killed loses so much of the time it took, at most */

/* ---- the runs ---- */

/* The study, and those of its runs that are left to be made. */
typedef struct work {
    nlm_study *study;
    const char *folder;
    nlm_options options;
    int threads, worlds;
    const char *images; /* folder, or NULL */
    bool quiet;
    system_rank rank; /* only the first one of several writes tables, and speaks of more than its own runs */
    nlm_job *jobs;
    int count;
    int *runs; /* the study's numbers of the jobs */
    run_screen screen;
    double written;    /* results.json, by the main thread, as nlm_clock has it */
    nlm_error trouble; /* the last file that could not be written; no message: none */
} work;

static void save(work *of)
{
    of->trouble = (nlm_error){0};
    if (of->rank.rank > 0)
        of->trouble.status = NLM_OK;
    else if (nlm_study_save(of->study, &of->trouble) == NLM_OK)
        of->trouble.status = NLM_OK;
}

/* In the thread of the run. */
static void end_run(void *context, nlm_job *ended)
{
    work *of = context;
    nlm_result result;
    nlm_result_of_job(ended, &result);
    nlm_study_end_run(of->study, of->runs[ended - of->jobs], &result);
    save(of);
}

/* In any thread. */
static bool find_run(void *context, nlm_job *job)
{
    work *of = context;
    return nlm_study_found(of->study, of->runs[job - of->jobs]);
}

static bool look(void *context, const nlm_job_progress *jobs)
{
    work *of = context;
    run_screen_show(&of->screen, jobs);
    if (nlm_clock() >= of->written + RESULTS_SECONDS) {
        save(of);
        of->written = nlm_clock();
    }
    return interrupt_seen() == 0;
}

/* An error line if there is an error; whether there is none. */
static bool is_accepted(nlm_status status, const nlm_error *error)
{
    if (status != NLM_OK)
        message_error("reproduce: %s%s", error->message,
                      status == NLM_NO_MEMORY ? "" : "; move it away, or choose another folder with --out");
    return status == NLM_OK;
}

/* Takes up what is there, or refuses it with an error line. */
static bool place_run(work *of, int index)
{
    const nlm_study_run *wanted = nlm_study_run_at(of->study, index);
    const nlm_run_files files = {
        .resume = true, .shared = true, .rules = nlm_study_finds_rules(of->study, wanted->subject)};
    nlm_settings like;
    char folder[NLM_STUDY_PATH];
    nlm_error error;
    nlm_status status = nlm_study_settings(of->study, index, &like, &error);
    if (status == NLM_BAD_ARGUMENT) {
        nlm_result refused = wanted->result; /* the model cannot learn the task at all */
        refused.finished = true;
        snprintf(refused.refused, sizeof refused.refused, "%.*s", NLM_RESULT_TEXT - 1, error.message);
        nlm_study_end_run(of->study, index, &refused);
        return true;
    }
    if (status == NLM_OK)
        status = nlm_study_path(of->study, index, NULL, folder, &error);
    if (status == NLM_OK)
        status = nlm_job_init(&of->jobs[of->count], &like, &of->options, &files, folder, wanted->result.seed,
                              &error);
    if (status == NLM_OK) {
        of->jobs[of->count].worlds = wanted->result.worlds;
        of->runs[of->count++] = index;
    }
    return is_accepted(status, &error);
}

static double cost_of(const work *of, int index)
{
    return run_cost(nlm_study_cost(of->study, nlm_study_subject(of->study, index)));
}

/* A finished run is compared with what it would be today, and added to the records. */
static bool keep_run(work *of, int index)
{
    nlm_error error;
    if (nlm_study_run_at(of->study, index)->result.refused[0] == '\0' &&
        !is_accepted(nlm_study_check(of->study, index, &error), &error))
        return false;
    return message_ok("reproduce", nlm_study_record(of->study, index, &error), &error);
}

/* What is wanted and not finished, the subjects that take longest first.  False after an error line. */
static bool place_runs(work *of)
{
    int order[NLM_STUDY_SUBJECTS];
    const int count = nlm_study_subjects(of->study);
    for (int s = 0; s < count; s++) {
        int place = s;
        for (; place > 0 && cost_of(of, order[place - 1]) < cost_of(of, s); place--)
            order[place] = order[place - 1];
        order[place] = s;
    }
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < nlm_study_runs(of->study); i++) {
            const nlm_study_run *one = nlm_study_run_at(of->study, i);
            if (one->subject != nlm_study_subject(of->study, order[s]) || !one->wanted)
                continue;
            if (!(one->result.finished ? keep_run(of, i) : place_run(of, i)))
                return false;
        }
    }
    return true;
}

/* ---- the end ---- */

/* FOLDER/report.html, also when only a part is done; what goes wrong in it is said in a line and fails
 * nothing else. */
static void write_report(const work *of)
{
    char path[NLM_STUDY_PATH];
    nlm_report *made;
    nlm_error error;
    if (snprintf(path, sizeof path, "%s/report.html", of->folder) >= NLM_STUDY_PATH)
        return;
    if (!of->quiet)
        waiting_begin("reproduce: running the models once more, for %.200s", path);
    nlm_status status = nlm_report_new(&made, &error);
    if (status == NLM_OK)
        status = nlm_report_add(made, of->folder, &error);
    if (status == NLM_OK && of->images != NULL && nlm_report_needs_images(made))
        status = nlm_report_add_images(made, of->images, false, &error);
    if (status == NLM_OK)
        status = nlm_report_save(made, path, &error);
    nlm_report_free(made);
    waiting_end();
    if (status != NLM_OK)
        message_note("reproduce: no report: %s", error.message);
    else if (!of->quiet)
        printf("\n%s shows all of it in a browser\n", path);
}

/* Where nothing was left to do, the tables are all that is asked for: a folder that cannot be written is
 * worth a note then, and no failure. */
static int end(work *of, bool idle)
{
    int failed = 0;
    save(of);
    if (of->rank.rank == 0)
        nlm_study_write(of->study, stdout, false);
    fflush(stdout);
    for (int i = 0; i < nlm_study_runs(of->study); i++) {
        const nlm_study_run *one = nlm_study_run_at(of->study, i);
        failed += one->result.error[0] != '\0';
        if (one->result.error[0] != '\0')
            message_error("reproduce: %s, seed %llu: %s", one->subject->name,
                          (unsigned long long)one->result.seed, one->result.error);
    }
    if (of->rank.rank > 0) /* the first rank has seen all runs, or has failed itself */
        return interrupt_seen() ? EXIT_SIGNAL + interrupt_seen() : EXIT_SUCCESS;
    if (of->trouble.status != NLM_OK)
        (idle ? message_note : message_error)("reproduce: %s", of->trouble.message);
    write_report(of);
    if (interrupt_seen()) {
        message_error("reproduce: stopped; the same command continues");
        return EXIT_SIGNAL + interrupt_seen();
    }
    return failed || (of->trouble.status != NLM_OK && !idle) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the command ---- */

static int train_and_test(work *of)
{
    const nlm_pool_options how = {.threads = of->threads,
                                  .look = look,
                                  .ended = end_run,
                                  .found = find_run,
                                  .silent = of->quiet,
                                  .context = of};
    nlm_error error;
    if (!place_runs(of))
        return EXIT_FAILURE;
    if (of->count == 0)
        return end(of, true);
    save(of); /* its settings, before anything else; and whether it can be written */
    if (!message_ok("reproduce", of->trouble.status, &of->trouble))
        return EXIT_FAILURE;
    of->written = nlm_clock();
    run_screen_begin(&of->screen, of->study, of->runs, of->count, of->quiet);
    const nlm_status status = nlm_run_pool(of->jobs, of->count, &how, &error);
    run_screen_end(&of->screen);
    return message_ok("reproduce", status, &error) ? end(of, false) : EXIT_FAILURE;
}

static void take_note(void *context, const char *line)
{
    (void)context;
    message_note("reproduce: %s", line);
}

static int reproduce(work *of)
{
    nlm_error error;
    int status = EXIT_FAILURE;
    if (message_ok("reproduce", nlm_study_open(of->study, take_note, NULL, &error), &error)) {
        const size_t count = (size_t)nlm_study_runs(of->study);
        of->jobs = calloc(count, sizeof *of->jobs);
        of->runs = calloc(count, sizeof *of->runs);
        if (of->jobs != NULL && of->runs != NULL)
            status = train_and_test(of);
        else
            message_error("reproduce: not enough memory");
    }
    for (int i = 0; i < of->count; i++)
        nlm_job_release(&of->jobs[i]);
    free(of->jobs);
    free(of->runs);
    return status;
}

/* The next name of a list with commas, cut to what names can have; *list is NULL after the last. */
static const char *next_name(const char **list, char name[NAME_MOST])
{
    const char *comma = strchr(*list, ',');
    const size_t length = comma != NULL ? (size_t)(comma - *list) : strlen(*list);
    snprintf(name, NAME_MOST, "%.*s", length < NAME_MOST ? (int)length : NAME_MOST - 1, *list);
    *list = comma != NULL ? comma + 1 : NULL;
    return name;
}

/* Whether a name is in a list with commas; everything is in a list that is not there. */
static bool is_named(const char *list, const char *wanted)
{
    char name[NAME_MOST];
    const bool all = list == NULL;
    bool found = false;
    while (list != NULL)
        found |= strcmp(next_name(&list, name), wanted) == 0;
    return all || found;
}

/* False after an error line. */
static bool check_tasks(const char *list)
{
    char name[NAME_MOST];
    task_or_game found;
    while (list != NULL) {
        if (strcmp(next_name(&list, name), "ilp") == 0)
            continue;
        if (!find_task_or_game("reproduce", name, &found))
            return false;
    }
    return true;
}

/* What the lists name, or everything where there is none; false after an error line. */
static bool choose(nlm_study *study, const char *tasks, const char *models, bool pictures)
{
    char name[NAME_MOST];
    int chosen = 0;
    if (!check_tasks(tasks))
        return false;
    for (const char *left = models; left != NULL;) {
        if (is_named("nlm,memnn,dilp", next_name(&left, name)))
            continue;
        message_error("reproduce: --models wants some of nlm, memnn, dilp, not '%s'", name);
        return false;
    }
    for (int s = 0; s < nlm_study_subjects(study); s++) {
        const nlm_subject *one = nlm_study_subject(study, s);
        if (!is_named(models, one->model) ||
            (!is_named(tasks, one->what) && !(one->ilp && is_named(tasks, "ilp"))))
            continue;
        if (one->pictures && !pictures) {
            message_note(
                "reproduce: %s is left out: its pictures are not there (tools/get-mnist, or --images)",
                one->what);
            continue;
        }
        nlm_study_want(study, one);
        chosen++;
    }
    if (chosen == 0)
        message_error("reproduce: nothing to do: none of %s learns any of %s", models, tasks);
    return chosen > 0;
}

/* The task with the pictures of a folder, or of the usual one if it has them; false if there are none, after
 * an error line where they were named. */
static bool find_pictures(const char *named, const nlm_task **task, work *of)
{
    static char usual[IMAGES_FOLDER];
    for (int i = 0; i < nlm_tasks(); i++)
        if (nlm_task_at(i)->sense != NULL)
            *task = nlm_task_at(i);
    if (named == NULL && (!images_usual_folder(usual) || access(usual, R_OK) != 0))
        return false;
    if (!images_find("reproduce", named, task))
        return false;
    of->images = (*task)->gallery == NULL ? NULL : named != NULL ? named : usual;
    return true;
}

static const char help[] =
    "Trains and tests every task and game of the paper, and the twenty tasks of differentiable ILP, with\n"
    "several seeds and three models: the Neural Logic Machine (nlm), memory networks (memnn) and\n"
    "differentiable ILP (dilp).  Runs are parallel; those of the machine end with the search for its\n"
    "program.  Writes the paper's tables beside ours to FOLDER/results.md, results.json and report.html;\n"
    "models, logs and the outcome of each run to\n"
    "FOLDER/TASK/, TASK-memnn/ and TASK-dilp/.\n"
    "\n"
    "It can be stopped or killed at any time: the same command continues, and finished runs are kept.\n"
    "Tasks and seeds can be added to a folder; another protocol or other tests need another folder.";

int command_reproduce(int argc, char **argv)
{
    const char *const protocols[] = {nlm_protocol_name(NLM_PROTOCOL_BEST),
                                     nlm_protocol_name(NLM_PROTOCOL_PAPER), NULL};
    const char *tasks = NULL, *models = NULL, *images = NULL;
    char folder[NLM_STUDY_PATH];
    bool worlds_given = false, no_rules = false;
    int protocol = NLM_PROTOCOL_BEST;
    nlm_study_plan plan = {.folder = "reproduced", .worlds = WORLDS};
    work of = {.options.threads = 1, .threads = system_processors()};
    const option_row rows[] = {
        {"models", "LIST", "comma-separated: nlm, memnn, dilp (all three)", OPTION_TEXT, .value = &models},
        {"tasks", "LIST", "comma-separated tasks and games; ilp: the twenty of dilp (all)", OPTION_TEXT,
         .value = &tasks},
        {"seeds", "N", "seeds per task, 1 to N (nlm and dilp 10, memnn 3, dilp on ilp 20)", OPTION_INT,
         &plan.seeds, .least = 1, .most = SEEDS_MOST},
        {"protocol", NULL, "of nlm: best (ours, the default) or paper", OPTION_WORD, &protocol,
         .words = protocols},
        {"out", "FOLDER", "folder for all files (reproduced)", OPTION_TEXT, &plan.folder, .letter = 'o'},
        {"records", "FOLDER", "results to count as done, without models; new ones are added", OPTION_TEXT,
         .value = &plan.records},
        {"quick", NULL, "one seed, 100 worlds per test, a tenth of memnn's budget", OPTION_FLAG,
         .value = &plan.quick},
        {"worlds", "N", "worlds or instances per test (1000)", OPTION_INT, &plan.worlds, .least = 1,
         .most = WORLDS_MOST, .given = &worlds_given},
        {"images", "DIR", "MNIST's files for adjacent-to-zero (~/.cache/nlm/mnist), or: drawn", OPTION_TEXT,
         .value = &images},
        {"notes", "FILE", "notes written by hand, added to results.md", OPTION_TEXT, .value = &plan.notes},
        {"no-rules", NULL, "do not look for the programs that the machines compute", OPTION_FLAG,
         .value = &no_rules},
        {"threads", "N", "runs in parallel (one per processor)", OPTION_INT, &of.threads, .least = 1,
         .most = THREADS_MOST},
        {"quiet", NULL, "print nothing but errors and the tables", OPTION_FLAG, .value = &of.quiet},
    };
    const command_usage usage = {"reproduce", "", help, rows, sizeof rows / sizeof rows[0], 0, 0};
    int first, status;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (plan.quick && !worlds_given)
        plan.worlds = QUICK_WORLDS;
    plan.protocol = (nlm_protocol)protocol;
    plan.rules = !no_rules;
    if (plan.folder[0] == '\0' || (plan.records != NULL && plan.records[0] == '\0')) {
        message_error("reproduce: %s needs a name", plan.folder[0] == '\0' ? "--out" : "--records");
        return EXIT_USAGE;
    }
    size_t length = strlen(plan.folder); /* without slashes at its end */
    while (length > 1 && plan.folder[length - 1] == '/')
        length--;
    if (length < sizeof folder) {
        snprintf(folder, sizeof folder, "%.*s", (int)length, plan.folder);
        plan.folder = folder;
    }
    of.folder = plan.folder;
    of.rank = system_find_rank();
    of.quiet |= of.rank.rank > 0;
    of.worlds = plan.worlds;
    const bool pictures = find_pictures(images, &plan.pictured, &of);
    if (images != NULL && !pictures)
        return EXIT_FAILURE;
    if (!message_ok("reproduce", nlm_study_new(&plan, &of.study, &error), &error))
        return EXIT_FAILURE;
    status = EXIT_USAGE;
    if (choose(of.study, tasks, models, pictures) && system_options(&of.options)) {
        interrupt_catch();
        status = reproduce(&of);
    }
    nlm_study_free(of.study);
    images_release();
    return status;
}
