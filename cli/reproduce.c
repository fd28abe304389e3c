/* nlm reproduce: the paper's tables, from nothing.
 *
 * What is finished has its outcome in the folder and is not touched again; what is left is trained and tested
 * side by side, longest first.  Every moment is safe to be killed at: an outcome is written after the tests
 * of its run, whole or not at all, and run.c goes on from checkpoints. */
#include "reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "commands.h"
#include "engine.h"
#include "message.h"
#include "nlm/tools.h"
#include "options.h"
#include "waiting.h"

enum { SEEDS_MOST = 1000, WORLDS_MOST = 1000000, THREADS_MOST = 1024, QUICK_WORLDS = 100, NAME_MOST = 64 };

#define RESULTS_SECONDS 60 /* a command that is killed loses so much of the time it took, at most */

/* ---- the runs ---- */

/* What the crew works on, beside what the folder knows. */
typedef struct work {
    reproduction *all;
    nlm_options options;
    outcome **outcomes; /* of the runs of the crew */
    crew crew;
    reproduce_screen screen;
    double written; /* results.json, by the main thread, as nlm_clock has it */
} work;

typedef struct one_outcome {
    const reproduction *all;
    const outcome *one;
} one_outcome;

static void write_outcome(FILE *file, const void *context)
{
    const one_outcome *of = context;
    outcome_write(file, of->all, of->one);
    putc('\n', file);
}

/* To its file, if the run is finished; if that fails, it is not. */
static void keep_outcome(const reproduction *all, outcome *one)
{
    const one_outcome written = {all, one};
    char path[REPRODUCE_PATH];
    nlm_error error;
    if (one->finished && outcome_path(all, one, "json", path) &&
        nlm_file_write(path, write_outcome, &written, &error) != NLM_OK) {
        one->finished = false;
        snprintf(one->error, sizeof one->error, "%.*s", REPRODUCE_TEXT - 1, error.message);
    }
}

/* In the thread of the run. */
static void end_run(void *context, crew_run *ended)
{
    work *of = context;
    outcome *one = of->outcomes[ended - of->crew.runs];
    outcome_take(one, ended);
    keep_outcome(of->all, one);
    folder_write_results(of->all);
}

static void look(void *context, crew *all)
{
    work *of = context;
    reproduce_screen_show(&of->screen, all);
    if (nlm_clock() < of->written + RESULTS_SECONDS)
        return;
    pthread_mutex_lock(&all->ending);
    folder_write_results(of->all);
    pthread_mutex_unlock(&all->ending);
    of->written = nlm_clock();
}

/* What a run is to train, with the settings of today. */
static nlm_status wanted_subject(const reproduction *all, const outcome *one, subject *made, nlm_error *error)
{
    const nlm_status status = reproduce_make(all, one->subject, made, error);
    if (status == NLM_OK)
        subject_set_seed(made, one->seed);
    return status;
}

/* An error line if there is an error; whether there is none. */
static bool is_accepted(nlm_status status, const nlm_error *error)
{
    if (status != NLM_OK)
        message_error("reproduce: %s%s", error->message,
                      status == NLM_NO_MEMORY ? "" : "; move it away, or choose another folder with --out");
    return status == NLM_OK;
}

/* A model that cannot learn the task at all: that is what comes out. */
static void refuse(const reproduction *all, outcome *one, const nlm_error *error)
{
    snprintf(one->refused, sizeof one->refused, "%.*s", REPRODUCE_TEXT - 1, error->message);
    one->finished = true;
    keep_outcome(all, one);
}

/* Takes up what is there, or refuses it with an error line. */
static bool place_run(work *of, outcome *one)
{
    run like = {.options = of->options, .resume = true};
    char folder[REPRODUCE_PATH];
    nlm_error error;
    nlm_status status = wanted_subject(of->all, one, &like.subject, &error);
    if (status == NLM_BAD_ARGUMENT && reproduce_model_of(one->subject) != REPRODUCE_NLM) {
        refuse(of->all, one, &error);
        return true;
    }
    if (status == NLM_OK)
        one->budget = reproduce_budget(&like.subject);
    if (status == NLM_OK && folder_path(of->all, reproduce_name(one->subject), folder))
        status = crew_place(&of->crew.runs[of->crew.count], &like, folder, one->seed, &error);
    if (status == NLM_OK) {
        of->crew.runs[of->crew.count].worlds = reproduce_worlds(of->all, one->subject);
        of->outcomes[of->crew.count++] = one;
    }
    return is_accepted(status, &error);
}

/* That the model of a finished run is what the run would make today; false after an error line. */
static bool check_finished(const reproduction *all, const outcome *one)
{
    char path[REPRODUCE_PATH];
    subject wanted;
    nlm_machine *machine = NULL;
    nlm_error error;
    if (one->refused[0] != '\0')
        return true;
    nlm_status status = wanted_subject(all, one, &wanted, &error);
    if (status == NLM_OK && outcome_path(all, one, "nlm", path)) {
        status = nlm_machine_load(path, &machine, &error);
        if (status == NLM_OK)
            status = subject_check(&wanted, machine, path, &error);
        nlm_machine_free(machine);
    }
    return is_accepted(status, &error);
}

/* The subjects, those that take longest first. */
static void order_subjects(const reproduction *all, int order[REPRODUCE_NAMES])
{
    double cost[REPRODUCE_NAMES];
    for (int s = 0; s < reproduce_subjects(); s++) {
        const reproduce_cost of = reproduce_cost_of(all, s);
        int place = s;
        for (; place > 0 && cost[place - 1] < of.train + of.test; place--) {
            cost[place] = cost[place - 1];
            order[place] = order[place - 1];
        }
        cost[place] = of.train + of.test;
        order[place] = s;
    }
}

/* All that is wanted and not finished; what is finished is compared.  False after an error line. */
static bool place_runs(work *of)
{
    int order[REPRODUCE_NAMES];
    order_subjects(of->all, order);
    for (int s = 0; s < reproduce_subjects(); s++) {
        for (int i = 0; i < of->all->count; i++) {
            outcome *one = &of->all->runs[i];
            if (one->subject != order[s] || !one->wanted)
                continue;
            if (one->finished ? !check_finished(of->all, one) : !place_run(of, one))
                return false;
        }
    }
    return true;
}

/* ---- the end ---- */

/* FOLDER/report.html, also when only a part is done; what goes wrong in it is said in a line and fails
 * nothing else. */
static void write_report(const reproduction *all)
{
    char path[REPRODUCE_PATH];
    nlm_report *made;
    nlm_error error;
    if (!folder_path(all, "report.html", path))
        return;
    if (!all->quiet)
        waiting_begin("reproduce: running the models once more, for %.200s", path);
    nlm_status status = nlm_report_new(&made, &error);
    if (status == NLM_OK)
        status = nlm_report_add(made, all->folder, &error);
    if (status == NLM_OK)
        status = nlm_report_save(made, path, &error);
    nlm_report_free(made);
    waiting_end();
    if (status != NLM_OK)
        message_note("reproduce: no report: %s", error.message);
    else if (!all->quiet)
        printf("\n%s shows all of it in a browser\n", path);
}

/* Where nothing was left to do, the tables are all that is asked for: a folder that cannot be written is
 * worth a note then, and no failure. */
static int end(reproduction *all, bool idle)
{
    int failed = 0;
    folder_write_results(all);
    tables_write(stdout, all, false);
    fflush(stdout);
    for (int i = 0; i < all->count; i++) {
        const outcome *one = &all->runs[i];
        failed += one->error[0] != '\0';
        if (one->error[0] != '\0')
            message_error("reproduce: %s, seed %llu: %s", reproduce_name(one->subject),
                          (unsigned long long)one->seed, one->error);
    }
    if (all->trouble.status != NLM_OK)
        (idle ? message_note : message_error)("reproduce: %s", all->trouble.message);
    write_report(all);
    if (run_interrupted()) {
        message_error("reproduce: stopped; the same command goes on");
        return EXIT_SIGNAL + run_interrupted();
    }
    return failed || (all->trouble.status != NLM_OK && !idle) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the command ---- */

static int train_and_test(work *of)
{
    reproduction *all = of->all;
    of->crew.threads = all->threads;
    of->crew.worlds = all->worlds;
    of->crew.ended = end_run;
    of->crew.look = look;
    of->crew.context = of;
    if (!place_runs(of))
        return EXIT_FAILURE;
    if (of->crew.count == 0)
        return end(all, true);
    folder_write_results(all); /* its settings, before anything else; and whether it can be written */
    if (all->trouble.status != NLM_OK) {
        message_error("reproduce: %s", all->trouble.message);
        return EXIT_FAILURE;
    }
    of->written = nlm_clock();
    reproduce_screen_begin(&of->screen, all, of->outcomes);
    const bool worked = crew_work(&of->crew);
    reproduce_screen_end(&of->screen);
    if (worked)
        return end(all, false);
    message_error("reproduce: cannot start a thread");
    return EXIT_FAILURE;
}

static int reproduce(reproduction *all, const nlm_options *options)
{
    work of = {.all = all, .options = *options};
    nlm_lock *lock;
    int status = EXIT_FAILURE;
    all->begun = nlm_clock();
    if (folder_open(all, &lock)) {
        of.crew.runs = calloc((size_t)all->count, sizeof *of.crew.runs);
        of.outcomes = calloc((size_t)all->count, sizeof *of.outcomes);
        if (of.crew.runs != NULL && of.outcomes != NULL)
            status = train_and_test(&of);
        else
            message_error("reproduce: not enough memory");
    }
    for (int i = 0; i < of.crew.count; i++)
        crew_release(&of.crew.runs[i]);
    free(of.crew.runs);
    free(of.outcomes);
    free(all->runs);
    subject_free_templates();
    nlm_lock_release(lock);
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

/* "uncle,sort,ilp"; false after an error line. */
static bool read_tasks(const char *list, bool wanted[REPRODUCE_NAMES])
{
    char name[NAME_MOST];
    task_or_game found;
    while (list != NULL) {
        const bool ilp = strcmp(next_name(&list, name), "ilp") == 0;
        if (!ilp && !find_task_or_game("reproduce", name, &found))
            return false;
        if (!ilp && found.task != NULL && found.task->sense != NULL) {
            message_error("reproduce: %s needs pictures and is not among them; nlm train %s --seeds 5", name,
                          name);
            return false;
        }
        for (int s = 0; s < reproduce_subjects(); s++)
            wanted[s] = wanted[s] || (ilp ? reproduce_is_ilp(s) : strcmp(reproduce_task(s), name) == 0);
    }
    return true;
}

/* "nlm,memnn"; false after an error line. */
static bool read_models(const char *list, bool wanted[REPRODUCE_MODELS])
{
    char name[NAME_MOST];
    while (list != NULL) {
        bool known = false;
        next_name(&list, name);
        for (int m = 0; m < REPRODUCE_MODELS; m++) {
            const bool same = strcmp(reproduce_model_name((reproduce_model)m), name) == 0;
            wanted[m] = wanted[m] || same;
            known = known || same;
        }
        if (!known) {
            message_error("reproduce: --models wants some of nlm, memnn, dilp, not '%s'", name);
            return false;
        }
    }
    return true;
}

/* What the lists name, or everything where there is none; false after an error line. */
static bool choose(const char *tasks, const char *models, bool wanted[REPRODUCE_NAMES])
{
    bool of_models[REPRODUCE_MODELS] = {false};
    int chosen = 0;
    if (!read_tasks(tasks, wanted) || !read_models(models, of_models))
        return false;
    for (int s = 0; s < reproduce_subjects(); s++) {
        wanted[s] = (wanted[s] || tasks == NULL) && (of_models[reproduce_model_of(s)] || models == NULL);
        chosen += wanted[s];
    }
    if (chosen == 0)
        message_error("reproduce: nothing to do: none of %s learns any of %s", models, tasks);
    return chosen > 0;
}

#define REPRODUCE_HELP                                                                                       \
    "Trains and tests every task and game of the paper, and the twenty tasks of differentiable ILP, with\n"  \
    "several seeds and three models: the Neural Logic Machine (nlm), memory networks (memnn) and\n"          \
    "differentiable ILP (dilp).  Runs go on in parallel.  Writes the paper's tables beside ours to\n"        \
    "FOLDER/results.md, results.json and report.html; models, logs and the outcome of each run to\n"         \
    "FOLDER/TASK/, TASK-memnn/ and TASK-dilp/.\n"                                                            \
    "\n"                                                                                                     \
    "It can be stopped or killed at any time: the same command continues, and finished runs are kept.\n"     \
    "Tasks and seeds can be added to a folder; another protocol or other tests need another folder."

/* The name without slashes at its end, in the caller's room if it fits. */
static const char *without_slashes(const char *name, char text[REPRODUCE_PATH])
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    if (length >= REPRODUCE_PATH)
        return name;
    snprintf(text, REPRODUCE_PATH, "%.*s", (int)length, name);
    return text;
}

int command_reproduce(int argc, char **argv)
{
    static const char *const protocols[] = {"best", "paper", NULL};
    const char *tasks = NULL, *models = NULL;
    char folder[REPRODUCE_PATH];
    bool worlds_given = false;
    int protocol = NLM_PROTOCOL_BEST;
    nlm_options options = {.threads = 1};
    reproduction all = {.folder = "reproduced", .worlds = REPRODUCE_WORLDS, .threads = engine_processors()};
    const option_row rows[] = {
        {"models", "LIST", "comma-separated: nlm, memnn, dilp (all three)", OPTION_TEXT, .value = &models},
        {"tasks", "LIST", "comma-separated tasks and games; ilp: the twenty of dilp (all)", OPTION_TEXT,
         .value = &tasks},
        {"seeds", "N", "seeds per task, 1 to N (nlm and dilp 10, memnn 3, dilp on ilp 20)", OPTION_INT,
         &all.seeds, .least = 1, .most = SEEDS_MOST},
        {"protocol", NULL, "of nlm: best (ours, the default) or paper", OPTION_WORD, &protocol,
         .words = protocols},
        {"out", "FOLDER", "folder for all files (reproduced)", OPTION_TEXT, &all.folder, .letter = 'o'},
        {"quick", NULL, "one seed, 100 worlds per test, a tenth of memnn's budget", OPTION_FLAG,
         .value = &all.quick},
        {"worlds", "N", "worlds or instances per test (1000)", OPTION_INT, &all.worlds, .least = 1,
         .most = WORLDS_MOST, .given = &worlds_given},
        {"threads", "N", "runs in parallel (one per processor)", OPTION_INT, &all.threads, .least = 1,
         .most = THREADS_MOST},
        {"quiet", NULL, "print nothing but errors and the tables", OPTION_FLAG, .value = &all.quiet},
    };
    const command_usage usage = {"reproduce", "", REPRODUCE_HELP, rows, sizeof rows / sizeof rows[0], 0, 0};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (all.quick && !worlds_given)
        all.worlds = QUICK_WORLDS;
    all.protocol = (nlm_protocol)protocol;
    if (!choose(tasks, models, all.wanted) || !engine_from_environment(&options))
        return EXIT_USAGE;
    if (all.folder[0] == '\0') {
        message_error("reproduce: --out needs a name");
        return EXIT_USAGE;
    }
    all.folder = without_slashes(all.folder, folder);
    run_catch_signals();
    return reproduce(&all, &options);
}
