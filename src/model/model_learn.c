/* Learning in one call: settings from a text, a run with its files, and the model that comes of it.
 *
 * A run that is to find its program needs files (nlm_run_open).  Without a path of the caller's they are in a
 * folder of their own below /tmp, which is removed in the end. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "facts/problem.h"
#include "model/model.h"
#include "nlm/needs.h"
#include "nlm/tools.h"

#define LOOK_SECONDS 0.1 /* between two calls of a watch */
#define USUAL_MEMORY 4e9 /* bytes for a look at what facts need */

enum { MOST_BREADTH = 4, NAME_SIZE = 48, VALUE_SIZE = 48, PATH_SIZE = 64 };

/* ---- how ---- */

/* The caller's struct, which may be shorter or longer than this version's. */
static nlm_status take(const nlm_learning *how, nlm_learning *taken, nlm_error *error)
{
    *taken = (nlm_learning){.size = sizeof *taken};
    if (!how)
        return NLM_OK;
    if (how->size < sizeof how->size)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "nlm_learning.size is not set: begin with {.size = sizeof(nlm_learning)}");
    memcpy(taken, how, how->size < sizeof *taken ? how->size : sizeof *taken);
    return NLM_OK;
}

static nlm_status find_protocol(const nlm_learning *how, nlm_protocol *protocol, nlm_error *error)
{
    const bool other = how->model && strcmp(how->model, nlm_model_name(0));
    *protocol =
        other ? NLM_PROTOCOL_PAPER : NLM_PROTOCOL_BEST; /* others are compared as the paper compares */
    if (how->protocol && !nlm_protocol_find(how->protocol, protocol))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no protocol '%.40s'", how->protocol);
    return NLM_OK;
}

/* ---- settings as a text ---- */

static bool is_gap(char c)
{
    return isspace((unsigned char)c) || c == ',';
}

/* The next "name=value" of the text; false at its end. */
static nlm_status next_pair(const char **at, char name[NAME_SIZE], char value[VALUE_SIZE], bool *found,
                            nlm_error *error)
{
    while (is_gap(**at))
        ++*at;
    *found = **at != '\0';
    if (!*found)
        return NLM_OK;
    const char *begin = *at;
    while (**at && !isspace((unsigned char)**at) &&
           !(**at == ',' && strchr(*at, '=') && !isdigit((unsigned char)(*at)[1])))
        ++*at;
    const size_t length = (size_t)(*at - begin);
    const char *equals = memchr(begin, '=', length);
    if (!equals || equals == begin || equals - begin >= NAME_SIZE ||
        (size_t)(begin + length - equals) > VALUE_SIZE)
        return error_set(error, NLM_BAD_ARGUMENT, "settings: '%.*s' is not NAME=VALUE",
                         (int)(length < 60 ? length : 60), begin);
    snprintf(name, NAME_SIZE, "%.*s", (int)(equals - begin), begin);
    snprintf(value, VALUE_SIZE, "%.*s", (int)(begin + length - equals - 1), equals + 1);
    for (char *c = name; *c; c++)
        if (*c == '-')
            *c = '_';
    return NLM_OK;
}

static const nlm_setting *find_setting(const char *name)
{
    for (int i = 0; i < nlm_setting_count(); i++)
        if (!strcmp(nlm_setting_at(i)->name, name))
            return nlm_setting_at(i);
    return NULL;
}

/* The last value that the text gives a setting. */
static nlm_status value_in(const char *text, const char *wanted, char value[VALUE_SIZE], bool *given,
                           nlm_error *error)
{
    char name[NAME_SIZE], read[VALUE_SIZE];
    bool found = true;
    *given = false;
    for (;;) {
        const nlm_status status = next_pair(&text, name, read, &found, error);
        if (status || !found)
            return status;
        if (!wanted && !find_setting(name))
            return error_set(error, NLM_BAD_ARGUMENT, "settings: there is no setting '%s'", name);
        if (wanted && !strcmp(name, wanted)) {
            memcpy(value, read, VALUE_SIZE);
            *given = true;
        }
    }
}

/* In the order of the rows, in which later ones depend on earlier ones. */
static nlm_status apply(const char *text, nlm_settings *settings, nlm_error *error)
{
    char value[VALUE_SIZE];
    bool given;
    if (!text)
        return NLM_OK;
    nlm_status status = value_in(text, NULL, value, &given, error);
    for (int i = 0; i < nlm_setting_count() && !status; i++) {
        const char *name = nlm_setting_at(i)->name;
        status = value_in(text, name, value, &given, error);
        if (!status && given)
            status = nlm_settings_set(settings, name, value, error);
    }
    return status;
}

/* ---- runs ---- */

struct workshop {
    const nlm_learning *how;
    char folder[PATH_SIZE]; /* "" : none */
    char model[PATH_SIZE], stopped[PATH_SIZE];
    nlm_run *run;
    bool cancelled;
};

static void close_workshop(struct workshop *of)
{
    static const char *const names[] = {"model", "model.checkpoint", "model.lock", "stopped"};
    char path[2 * PATH_SIZE];
    nlm_run_free(of->run);
    for (size_t n = 0; n < sizeof names / sizeof *names && *of->folder; n++) {
        snprintf(path, sizeof path, "%s/%s", of->folder, names[n]);
        unlink(path);
    }
    if (*of->folder)
        rmdir(of->folder);
}

static nlm_status open_workshop(struct workshop *of, const nlm_settings *settings, nlm_error *error)
{
    const nlm_learning *how = of->how;
    snprintf(of->folder, sizeof of->folder, "%.40s/nlm-XXXXXX", P_tmpdir);
    if (!mkdtemp(of->folder)) {
        *of->folder = '\0';
        return error_set(error, NLM_IO_ERROR, "no folder for the files of a run can be made in " P_tmpdir);
    }
    snprintf(of->model, sizeof of->model, "%.40s/model", of->folder);
    snprintf(of->stopped, sizeof of->stopped, "%.40s/stopped", of->folder);
    const nlm_options options = {.threads = how->threads};
    const nlm_run_files files = {.model = how->output ? how->output : of->model,
                                 .log = how->log,
                                 .resume = how->resume,
                                 .force = how->replace,
                                 .rules = !how->without_rules,
                                 .validate = !how->without_rules};
    return nlm_run_open(settings, &options, &files, &of->run, error);
}

static bool goes_on(struct workshop *of)
{
    nlm_progress progress;
    char line[NLM_PROGRESS_LINE];
    if (!of->how->watch)
        return true;
    nlm_run_progress(of->run, &progress);
    return of->how->watch(of->how->context, &progress, nlm_run_line(of->run, line));
}

static nlm_status work(struct workshop *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    double looked = nlm_clock();
    while (!status && !of->cancelled && nlm_run_stage(of->run) == NLM_LEARNING) {
        bool ended = false;
        status = nlm_run_step(of->run, &ended, error);
        const double now = of->how->watch ? nlm_clock() : 0;
        if (status || (!ended && now - looked < LOOK_SECONDS))
            continue;
        looked = now;
        of->cancelled = !goes_on(of);
    }
    return status;
}

/* What was learned, from the file that has it. */
static nlm_status collect(struct workshop *of, const char *name, nlm_model **model, nlm_error *error)
{
    nlm_progress progress;
    const char *path = of->how->output ? of->how->output : of->model;
    nlm_run_progress(of->run, &progress);
    nlm_status status = NLM_OK;
    if (of->cancelled && !progress.finding_rules && nlm_run_stage(of->run) == NLM_LEARNING) {
        path = of->stopped;
        status = nlm_run_save_model(of->run, path, error);
    }
    if (!status)
        status = model_of_file(path, of->how->output ? of->how->output : name, model, error);
    if (!status)
        nlm_run_line(of->run, (*model)->line);
    return status;
}

/* The machine's size and all else are settled: learn. */
static nlm_status learn(nlm_settings *settings, const nlm_learning *how, const char *name, nlm_model **model,
                        nlm_error *error)
{
    nlm_templates *templates = NULL;
    struct workshop of = {.how = how};
    nlm_status status = nlm_settings_choose_model(settings, how->model ? how->model : nlm_model_name(0), NULL,
                                                  &templates, error);
    if (!status)
        status = apply(how->settings, settings, error);
    if (!status)
        status = open_workshop(&of, settings, error);
    if (!status)
        status = work(&of, error);
    if (!status)
        status = collect(&of, name, model, error);
    close_workshop(&of);
    nlm_templates_free(templates);
    return status;
}

/* ---- what is learned ---- */

nlm_status nlm_settings_usual(const nlm_problem *problem, const nlm_learning *how, nlm_settings *settings,
                              nlm_error *error)
{
    REQUIRE(problem && settings, error);
    nlm_learning taken;
    nlm_needs needs;
    nlm_protocol protocol;
    nlm_status status = take(how, &taken, error);
    const nlm_options options = {.threads = taken.threads};
    if (!status)
        status = find_protocol(&taken, &protocol, error);
    if (!status)
        status = nlm_problem_needs(problem, MOST_BREADTH, (size_t)USUAL_MEMORY / 4, &options, &needs, error);
    return status ? status : nlm_settings_of_problem(problem, &needs, protocol, settings, error);
}

nlm_status nlm_learn_problem(const nlm_problem *problem, const nlm_learning *how, nlm_model **model,
                             nlm_error *error)
{
    REQUIRE(model, error);
    nlm_learning taken;
    nlm_settings settings;
    *model = NULL;
    REQUIRE(problem, error);
    nlm_status status = take(how, &taken, error);
    if (!status)
        status = problem_check_learnable(problem, error);
    if (!status)
        status = nlm_settings_usual(problem, &taken, &settings, error);
    return status ? status : learn(&settings, &taken, "facts", model, error);
}

nlm_status nlm_learn(const char *path, const nlm_learning *how, nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    nlm_learning taken;
    nlm_problem *problem = NULL;
    *model = NULL;
    REQUIRE(path, error);
    nlm_status status = take(how, &taken, error);
    if (!status)
        status = nlm_problem_read(path, taken.reading, &problem, error);
    if (!status)
        status = nlm_learn_problem(problem, &taken, model, error);
    nlm_problem_free(problem);
    return status;
}

nlm_status nlm_learn_worlds(const nlm_world *const *worlds, int count, const nlm_learning *how,
                            nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    nlm_learning taken;
    nlm_problem *problem = NULL;
    *model = NULL;
    REQUIRE(worlds, error);
    nlm_status status = take(how, &taken, error);
    if (!status)
        status = nlm_problem_of_worlds(worlds, count, taken.reading, &problem, error);
    if (!status)
        status = nlm_learn_problem(problem, &taken, model, error);
    nlm_problem_free(problem);
    return status;
}

nlm_status nlm_learn_task(const nlm_task *task, const nlm_learning *how, nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    nlm_learning taken;
    nlm_settings settings;
    nlm_protocol protocol;
    *model = NULL;
    REQUIRE(task, error);
    nlm_status status = take(how, &taken, error);
    if (!status)
        status = find_protocol(&taken, &protocol, error);
    if (!status)
        status = nlm_settings_of_task(task, protocol, &settings, error);
    return status ? status : learn(&settings, &taken, task->name, model, error);
}

nlm_status nlm_learn_game(const nlm_game *game, const nlm_learning *how, nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    nlm_learning taken;
    nlm_settings settings;
    nlm_protocol protocol;
    *model = NULL;
    REQUIRE(game, error);
    nlm_status status = take(how, &taken, error);
    if (!status)
        status = find_protocol(&taken, &protocol, error);
    taken.without_rules = taken.without_rules || game->draw; /* programs are of the library's games */
    if (!status)
        status = nlm_settings_of_game(game, protocol, &settings, error);
    return status ? status : learn(&settings, &taken, game->name, model, error);
}
