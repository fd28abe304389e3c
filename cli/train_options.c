/* The command line of nlm train: its own options, and those that the library's settings make.
 *
 * Some options are for all runs, some for tasks, facts or games only; given for another, they are refused.
 * Settings that were not given stay as the protocol has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "commands.h"
#include "system.h"
#include "find_task.h"
#include "task_images.h"
#include "message.h"
#include "options.h"
#include "read_facts.h"
#include "setting_options.h"
#include "train.h"

enum { THREADS_BY_DEFAULT = 4, TEST_WORLDS = 1000, NAME_MOST = 300, PATH_MOST = 4096, MODELS_MOST = 8 };

/* ---- the options ---- */

static struct {
    const char *output, *log, *templates, *images, *worlds_by;
    char *targets;
    fact_lists lists;
    int model, protocol, seeds, worlds, kind, threads;
    bool resume, force, quiet, closed_world, no_rules;
} given = {.protocol = -1, .worlds = -1, .kind = -1};

/* Names, from the library, NULL after the last. */
static const char *models[MODELS_MOST + 1], *protocols[NLM_PROTOCOLS + 1];
static const char *const world_kinds[] = {NLM_WORLD_KIND_NAMES, NULL};

/* Options that are no settings, and the runs that have them. */
static const struct own_option {
    unsigned runs;
    option_row row;
} own_options[] = {
    {NLM_OF_ALL,
     {"output", "FILE", "the model (TASK.nlm or PATH's name), or with --seeds a folder", OPTION_TEXT,
      &given.output, .letter = 'o'}},
    {NLM_OF_ALL,
     {"model", NULL, "nlm (the machine, the default); to compare: memnn, dilp", OPTION_WORD, &given.model,
      .words = models}},
    {NLM_OF_ALL,
     {"protocol", NULL, "best (ours, the default of nlm) or paper", OPTION_WORD, &given.protocol,
      .words = protocols}},
    {NLM_OF_ALL,
     {"seeds", "N", "train N seeds side by side, then test each", OPTION_INT, &given.seeds, .least = 1,
      .most = 10000}},
    {NLM_OF_ALL,
     {"threads", "N", "threads to compute with (all, at most 4 for one run)", OPTION_INT, &given.threads,
      .least = 1, .most = 1024}},
    {NLM_OF_ALL,
     {"log", "FILE", "metrics of every epoch or exam as JSON Lines", OPTION_TEXT, .value = &given.log}},
    {NLM_OF_ALL,
     {"worlds", "N", "worlds of each test after --seeds (1000); paper, rich: as --kind", OPTION_INT,
      &given.worlds, .least = 1, .most = 1000000, .words = world_kinds, .word = &given.kind}},
    {NLM_OF_ALL,
     {"no-rules", NULL, "keep the trained machine; do not look for its program", OPTION_FLAG,
      .value = &given.no_rules}},
    {NLM_OF_ALL, {"resume", NULL, "continue a run that was stopped", OPTION_FLAG, .value = &given.resume}},
    {NLM_OF_ALL,
     {"force", NULL, "start over although a stopped run is there", OPTION_FLAG, .value = &given.force}},
    {NLM_OF_ALL,
     {"quiet", NULL, "print nothing but errors (and the table of --seeds)", OPTION_FLAG,
      .value = &given.quiet}},
    {NLM_OF_EXAMPLES,
     {"templates", "FILE", "of dilp: forms of clauses (the task's, or templates.pl by the facts)",
      OPTION_TEXT, .value = &given.templates}},
    {NLM_OF_TASKS,
     {"images", "DIR", "MNIST's files for adjacent-to-zero (~/.cache/nlm/mnist), or: drawn", OPTION_TEXT,
      .value = &given.images}},
    {NLM_OF_FACTS,
     {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt (default: by bias.pl)", OPTION_TEXT,
      .value = &given.targets}},
    {NLM_OF_FACTS,
     {"closed-world", NULL, "every tuple of a target that is not listed is false", OPTION_FLAG,
      .value = &given.closed_world}},
    {NLM_OF_FACTS, WORLDS_BY_OPTION(&given.worlds_by)},
    {NLM_OF_FACTS, NUMBERS_OPTION(&given.lists.numbers)},
    {NLM_OF_FACTS, CONSTANTS_OPTION(&given.lists.constants)},
    {NLM_OF_FACTS, COLUMNS_OPTION(&given.lists.columns)},
};
enum { OWN_OPTIONS = sizeof own_options / sizeof *own_options };

/* The groups of options, in the order of their headings; the first has none. */
static const unsigned groups[] = {NLM_OF_ALL, NLM_OF_EXAMPLES, NLM_OF_TASKS, NLM_OF_FACTS, NLM_OF_GAMES};
enum { GROUPS = sizeof groups / sizeof *groups };

static option_row rows[OPTIONS_MOST];
static int row_count;
static char headings[GROUPS][NAME_MOST];
static setting_options settings;

static void add_row(const option_row *row, int group)
{
    rows[row_count] = *row;
    if (headings[group][0] == '\0' && group > 0) {
        snprintf(headings[group], sizeof headings[group], "for %s", nlm_runs_name(groups[group]));
        rows[row_count].heading = headings[group];
    }
    row_count++;
}

static void make_rows(void)
{
    for (int m = 0; m < MODELS_MOST && nlm_model_name(m) != NULL; m++)
        models[m] = nlm_model_name(m);
    for (int p = 0; p < NLM_PROTOCOLS; p++)
        protocols[p] = nlm_protocol_name((nlm_protocol)p);
    for (int g = 0; g < GROUPS; g++) {
        for (int i = 0; i < OWN_OPTIONS; i++)
            if (own_options[i].runs == groups[g])
                add_row(&own_options[i].row, g);
        for (int i = 0; i < nlm_setting_count(); i++) {
            const nlm_setting *setting = nlm_setting_at(i);
            option_row made[SETTING_ROWS];
            if ((setting->runs & ~setting->fixed) != groups[g])
                continue;
            const int count = setting_option_rows(setting, &settings.option[i], made);
            for (int r = 0; r < count; r++)
                add_row(&made[r], g);
        }
    }
}

/* A kind of worlds that was given as --worlds is the setting. */
static void take_kind(void)
{
    for (int i = 0; i < nlm_setting_count() && given.kind >= 0; i++)
        if (strcmp(nlm_setting_at(i)->name, "kind") == 0)
            settings.option[i].text = world_kinds[given.kind];
}

/* ---- what does not go together ---- */

/* Options that are for another kind of run; false after an error line. */
static bool are_applicable(const train_request *request)
{
    const unsigned runs = request->settings.game != NULL   ? NLM_OF_GAMES
                          : request->settings.task != NULL ? NLM_OF_TASKS
                                                           : NLM_OF_FACTS;
    for (int i = 0; i < OWN_OPTIONS; i++) {
        const option_row *row = &own_options[i].row;
        const bool is_given = row->kind == OPTION_FLAG   ? *(const bool *)row->value
                              : row->kind == OPTION_TEXT ? *(char *const *)row->value != NULL
                                                         : false;
        if (!is_given || (own_options[i].runs & runs))
            continue;
        message_error("train: --%s is for %s, not for %s", row->name, nlm_runs_name(own_options[i].runs),
                      request->name);
        return false;
    }
    return true;
}

/* Combinations that no single option can be blamed for; false after an error line. */
static bool makes_sense(void)
{
    const char *what = NULL;
    if (given.resume && given.force)
        what = "--resume and --force exclude each other: one continues the run, the other starts over";
    else if (given.seeds == 0 && given.worlds >= 0)
        what = "--worlds is for the tests after --seeds; one model is tested with 'nlm test'";
    else if (given.seeds > 0 && given.log != NULL)
        what = "--log is for one run; with --seeds each has its log in the folder";
    if (what != NULL)
        message_error("train: %s", what);
    return what == NULL;
}

/* Others are compared as the paper compares. */
static nlm_protocol protocol_to_use(void)
{
    return given.protocol >= 0 ? (nlm_protocol)given.protocol
           : given.model > 0   ? NLM_PROTOCOL_PAPER
                               : NLM_PROTOCOL_BEST;
}

/* False after an error line. */
static bool set_model(train_request *request, const char *name)
{
    char path[PATH_MOST];
    nlm_error error;
    const bool has_templates = nlm_model_has_templates(models[given.model]) && request->settings.game == NULL;
    if (given.templates != NULL && !has_templates) {
        message_error("train: --templates is for --model dilp");
        return false;
    }
    const char *templates = given.templates; /* or those in the facts' folder; NULL: those of the task */
    if (has_templates && templates == NULL && request->problem != NULL) {
        problem_templates(name, path, sizeof path);
        templates = path;
    }
    const nlm_status status = nlm_settings_choose_model(&request->settings, models[given.model], templates,
                                                        &request->templates, &error);
    if (status == NLM_IO_ERROR && given.templates == NULL)
        message_error("train: %s; differentiable ILP needs templates, there or in --templates FILE",
                      error.message);
    else if (status != NLM_OK)
        message_error("train: %s", error.message);
    return status == NLM_OK;
}

/* False after an error line. */
static bool make_task_or_game(const char *name, train_request *request)
{
    task_or_game what;
    nlm_error error;
    if (!find_task_or_game("train", name, &what) ||
        (what.task != NULL && !images_find("train", given.images, &what.task)))
        return false;
    request->name = name;
    const nlm_status status =
        what.game != NULL ? nlm_settings_of_game(what.game, protocol_to_use(), &request->settings, &error)
                          : nlm_settings_of_task(what.task, protocol_to_use(), &request->settings, &error);
    return message_ok("train", status, &error);
}

/* Labels that no machine can tell apart: the largest breadth that was tried says how many. */
static void warn_of_alike(const nlm_needs *needs)
{
    for (int breadth = NLM_MAX_BREADTH; breadth > 0 && needs->best_breadth == 0; breadth--) {
        const nlm_need *need = &needs->breadth[breadth];
        if (need->separation != NLM_INSEPARABLE)
            continue;
        message_note(
            "%s of %s cases have both true and false labels, which the facts do not tell apart: something "
            "that they depend on is missing there, or labels are wrong ('nlm check' shows two)",
            text_of_count(need->mixed), text_of_count(need->classes));
        return;
    }
}

/* What no training can mend is said before it.  Needs are those of the machine, not of other models. */
static void warn_of_labels(const train_request *request)
{
    size_t classes;
    const bool is_machine = given.model == 0;
    const nlm_needs *needs = &request->needs;
    if (request->quiet || !is_machine || request->problem == NULL)
        return;
    const int both = nlm_problem_contradictions(request->problem);
    if (both > 0)
        message_note("%d label%s listed as true and as false, and taken to be true: 'nlm check' lists them",
                     both, both == 1 ? " is" : "s are");
    if ((needs->true_labels == 0) != (needs->false_labels == 0))
        message_note("all labels are %s: '%s' is all that can be learned; add labels of the other kind",
                     needs->true_labels > 0 ? "true" : "false",
                     needs->true_labels > 0 ? "always true" : "always false");
    warn_of_alike(needs);
    if (nlm_needs_by_heart(needs, &classes))
        message_note(
            "%s labels are %s different cases: most would be learned by heart; more labels, or facts that "
            "several of them share, would help",
            text_of_count(request->needs.true_labels + request->needs.false_labels), text_of_count(classes));
}

/* A table of which nobody said what is to be learned: ask whoever sits there, or say what there is.  The name
 * in `answer`; false after an error line. */
static bool ask_target(const char *path, const nlm_problem *problem, char answer[NAME_MOST])
{
    int count;
    const char *list = problem_candidates(problem, &count);
    if (count == 0) {
        message_error(
            "train: %s: no column can be learned: one of true and false, or of few values, is needed", path);
        return false;
    }
    if (!system_is_terminal(STDIN_FILENO) || !system_is_terminal(STDERR_FILENO)) {
        message_error("train: %s: which column is to be learned? name it with --target: %s", path, list);
        return false;
    }
    fprintf(stderr, "which column is to be learned? (%s): ", list);
    if (fgets(answer, NAME_MOST, stdin) == NULL || answer[strspn(answer, " \n")] == '\0') {
        message_error("train: no column was named");
        return false;
    }
    answer[strcspn(answer, "\n")] = '\0';
    return true;
}

/* A problem with targets, which it may have to be asked for; false after an error line. */
static bool load_facts(const char *path, target_list *targets, train_request *request)
{
    static char answer[NAME_MOST];
    if (!problem_load("train", path, &targets->reading, request->quiet, &request->problem))
        return false;
    if (nlm_signature_targets(nlm_problem_signature(request->problem)) > 0 ||
        nlm_problem_columns(request->problem) == 0)
        return true;
    const bool asked = ask_target(path, request->problem, answer);
    nlm_problem_free(request->problem);
    request->problem = NULL;
    if (!asked)
        return false;
    targets->targets[0] = answer;
    targets->reading.target_count = 1;
    return problem_load("train", path, &targets->reading, true, &request->problem);
}

/* How one large world is learned from. */
static void tell_neighbourhood(const train_request *request)
{
    const nlm_settings *of = &request->settings;
    if (!request->quiet && of->problem != NULL && of->neighbourhood > 0)
        message_note("the world has %s objects: learning from neighbourhoods of up to %d of them "
                     "(--neighbourhood 0: from all at once)",
                     text_of_count((size_t)of->objects), of->neighbourhood);
}

/* The facts, and a machine of the size that they need; false after an error line. */
static bool make_facts(const char *path, train_request *request)
{
    target_list targets;
    if (!target_list_read("train", given.targets, given.closed_world, given.worlds_by, &targets) ||
        !target_list_more("train", &given.lists, &targets) || !load_facts(path, &targets, request) ||
        !problem_find_needs("train", request->problem, &request->options, &request->needs))
        return false;
    request->name = problem_name(path);
    nlm_error error;
    const nlm_status status = nlm_settings_of_problem(request->problem, &request->needs, protocol_to_use(),
                                                      &request->settings, &error);
    return message_ok("train", status, &error);
}

/* False after an error line. */
static bool make_settings(const char *name, train_request *request)
{
    if ((problem_is_path(name) ? !make_facts(name, request) : !make_task_or_game(name, request)) ||
        !set_model(request, name) || !are_applicable(request))
        return false;
    warn_of_labels(request);
    if (!setting_options_apply("train", &settings, &request->settings))
        return false;
    tell_neighbourhood(request);
    return true;
}

/* ---- the command line ---- */

static const char help[] =
    "Learns a task from random worlds until an epoch's mean loss is below the task's threshold and an\n"
    "exam finds no error (graduated), or its budget of epochs is used up.  A game is learned by playing:\n"
    "lessons of increasing size with exams between them, until the final exam is passed without a\n"
    "failure, or its budget of episodes is used up.  'nlm tasks' lists both.  Settings that are not\n"
    "given are the task's own.  The same seed gives the same machine, bit by bit, with the same kernel.\n"
    "\n"
    "PATH is a folder or file with facts of your own (docs/formats.md).  Some of its worlds, or some\n"
    "labels of a single world, are held out for testing after every epoch.  The depth and breadth of\n"
    "the machine are those that separate the labels; see 'nlm check PATH'.\n"
    "\n"
    "After every epoch or exam a checkpoint is written beside the model, FILE.checkpoint.  A run that\n"
    "was stopped, even killed, continues with --resume and ends with the same bits.";

bool train_read(int argc, char **argv, train_request *request, int *status)
{
    static char output[NAME_MOST];
    make_rows();
    const command_usage usage = {"train", "TASK|PATH", help, rows, row_count, 1, 1};
    int first;
    if (!options_read(&usage, argc, argv, &first, status))
        return false;
    *status = EXIT_USAGE;
    take_kind();
    if (!makes_sense() || !setting_options_check("train", &settings))
        return false;
    *request = (train_request){.output = given.output,
                               .log = given.log,
                               .seeds = given.seeds,
                               .worlds = given.worlds > 0 ? given.worlds : TEST_WORLDS,
                               .resume = given.resume,
                               .rules = !given.no_rules,
                               .force = given.force,
                               .quiet = given.quiet};
    const int all = system_processors();
    request->options.threads = given.threads > 0                              ? given.threads
                               : given.seeds == 0 && all > THREADS_BY_DEFAULT ? THREADS_BY_DEFAULT
                                                                              : all;
    if (!system_options(&request->options))
        return false;
    if (!make_settings(argv[first], request)) {
        train_release(request);
        return false;
    }
    if (request->output == NULL) {
        snprintf(output, sizeof output, request->seeds > 0 ? "%s-seeds" : "%s.nlm", request->name);
        request->output = output;
    }
    return true;
}

void train_release(train_request *request)
{
    nlm_problem_free(request->problem);
    request->problem = NULL;
    nlm_templates_free(request->templates);
    request->templates = NULL;
    images_release();
}
