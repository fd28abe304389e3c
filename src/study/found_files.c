/* The files of one run: what each tells, and what follows from all. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/file.h"
#include "facts/folder.h"
#include "learn/settings.h"
#include "nlm/facts.h"
#include "study/found.h"

enum { LOG_BYTES = 64 << 20, RESULT_BYTES = 1 << 20, TITLE_SIZE = 256, DIFFERS_SIZE = 600 };

bool found_path(const char *folder, const char *name, const char *ending, char path[FOUND_PATH])
{
    const bool here = !strcmp(folder, ".");
    return snprintf(path, FOUND_PATH, "%s%s%s%s", here ? "" : folder, here ? "" : "/", name, ending) <
           FOUND_PATH;
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool read_text(nlm_found_runs *list, const char *path, size_t most, buffer *text, size_t *size)
{
    nlm_error error = {0};
    if (!is_there(path))
        return false;
    if (!file_read_all(path, most, text, size, &error))
        return true;
    found_say(list, "%.400s: left out", error.message);
    return false;
}

static const char *keep(nlm_found_runs *list, const char *text)
{
    return text_keep(&list->texts, text, strlen(text));
}

/* ---- log and result ---- */

static void pass_on(void *list, const char *line)
{
    found_say(list, "%s", line);
}

static nlm_status read_log(nlm_found_runs *list, nlm_found_run *run, const char *path, bool *found)
{
    buffer text = {0};
    size_t size = 0;
    nlm_status status = NLM_OK;
    if (read_text(list, path, LOG_BYTES, &text, &size)) {
        status = nlm_log_parse(text.data, size, path, pass_on, list, &run->log);
        if (!status && run->log.count == 0)
            found_say(list, "%.300s: no epoch and no exam in it", path);
        *found |= run->log.count > 0;
    }
    buffer_free(&text);
    return status;
}

/* What the run's title says of results is "" for the machine. */
static const char *by_of(const nlm_result *result)
{
    return strcmp(result->model, "nlm") ? result->model : "";
}

bool found_is_meant(nlm_found_runs *list, const nlm_found_run *run, const nlm_result *result,
                    const char *path)
{
    if (!run->model && !run->checkpoint)
        return true;
    if (run->title && !run->of_facts && strcmp(run->title, result->task))
        found_say(list, "%.300s: a result of %s, but the model is of %.100s: left out", path, result->task,
                  run->title);
    else if (strcmp(run->by, by_of(result)))
        found_say(list, "%.300s: a result of %.60s, but the model is of %.60s: left out", path, result->model,
                  run->by[0] ? run->by : "nlm");
    else if (run->seed_known && result->seed_known && run->seed != result->seed)
        found_say(list,
                  "%.300s: a result of seed %" PRIu64 ", but the model is of seed %" PRIu64 ": left out",
                  path, result->seed, run->seed);
    else
        return true;
    return false;
}

json_t *found_read_json(nlm_found_runs *list, const char *path, size_t most, bool *there)
{
    buffer text = {0};
    size_t size = 0;
    *there = read_text(list, path, most, &text, &size);
    json_t *object = *there ? json_loadb(text.data, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    buffer_free(&text);
    return object;
}

/* Other files may be called so, too. */
static void read_result(nlm_found_runs *list, nlm_found_run *run, const char *path, bool *found)
{
    bool there;
    nlm_result result;
    const char *wrong = NULL;
    json_t *object = found_read_json(list, path, RESULT_BYTES, &there);
    if (there && !object && *found)
        found_say(list, "%.300s: no result, as it is no JSON: left out", path);
    if (object && result_read(object, &result, &wrong) && found_is_meant(list, run, &result, path)) {
        const char *error = result.refused[0] ? result.refused : result.error;
        run->result = result;
        run->has_result = *found = true;
        if (error[0])
            found_say(list, "%.300s: %.300s", path, error);
    }
    if (wrong)
        found_say(list, "%.300s: %s is out of range: left out", path, wrong);
    json_decref(object);
}

/* ---- models ---- */

static double number_of(const nlm_machine *machine, const char *key)
{
    const char *text = nlm_machine_metadata(machine, key);
    char *end;
    const double number = text ? strtod(text, &end) : NAN;
    return text && end != text && !*end && number >= 0 && number < 1e15 ? number : NAN;
}

static bool says(const nlm_machine *machine, const char *key, const char *expected)
{
    const char *text = nlm_machine_metadata(machine, key);
    return text && !strcmp(text, expected);
}

/* What 'nlm train TASK' has without further options; the templates, if there are any, are to be freed. */
static nlm_status make_usual(const nlm_found_run *run, nlm_protocol protocol, nlm_settings *usual,
                             nlm_templates **templates)
{
    nlm_status status = run->game ? nlm_settings_of_game(run->game, protocol, usual, NULL)
                                  : nlm_settings_of_task(run->task, protocol, usual, NULL);
    if (status || !run->by[0])
        return status;
    return nlm_settings_choose_model(usual, run->by, NULL, templates, NULL);
}

/* "depth 5, lr 0.01": what is not as usual, seed and budget left out. */
static void list_differences(const nlm_settings *found, const nlm_settings *usual, char differs[DIFFERS_SIZE])
{
    const struct settings_table table = settings_table_of(found);
    char text[NLM_SETTING_TEXT];
    for (const nlm_setting *row = setting_next(&table, NULL); row; row = setting_next(&table, row)) {
        if (row->may_change || !strcmp(row->name, "seed") || setting_equal(row, found, usual))
            continue;
        const size_t used = strlen(differs);
        setting_print(row, found, text);
        snprintf(differs + used, DIFFERS_SIZE - used, "%s%s %s", used ? ", " : "", row->name, text);
    }
}

/* How the run's settings differ from what is usual; of facts, which have nothing usual, the machine's size.
 */
static nlm_status take_settings(nlm_found_runs *list, nlm_found_run *run, const nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    nlm_settings found, usual;
    nlm_templates *templates = NULL;
    nlm_protocol protocol;
    char differs[DIFFERS_SIZE] = "";
    if (run->of_facts && !run->by[0]) {
        snprintf(differs, sizeof differs, "depth %d, breadth %d, width %d", spec->depth, spec->breadth,
                 spec->width);
    } else if ((run->task || run->game) && nlm_protocol_find(run->protocol, &protocol) &&
               !nlm_settings_of_machine(machine, run->name, &found, NULL) &&
               !make_usual(run, protocol, &usual, &templates)) {
        const int budget = run->game ? found.episodes : found.epochs;
        usual.seed = found.seed;
        usual.data = found.data;
        run->budget = budget != (run->game ? usual.episodes : usual.epochs) ? budget : 0;
        run->usual = nlm_settings_compare(&found, &usual, run->name, NULL) == NLM_OK;
        if (!run->usual)
            list_differences(&found, &usual, differs);
    }
    nlm_templates_free(templates);
    run->differs = keep(list, differs);
    return run->differs ? NLM_OK : NLM_NO_MEMORY;
}

/* What a model of facts concludes. */
static void name_targets(const nlm_machine *machine, const nlm_found_run *run, char title[TITLE_SIZE])
{
    nlm_signature *signature;
    if (nlm_signature_of_model(machine, run->name, &signature, NULL))
        return;
    study_targets(signature, title, TITLE_SIZE);
    nlm_signature_free(signature);
}

static nlm_status take_name(nlm_found_runs *list, nlm_found_run *run, const char *name)
{
    run->task = nlm_task_find(name);
    run->game = nlm_game_find(name);
    run->title = keep(list, name);
    return run->title ? NLM_OK : NLM_NO_MEMORY;
}

/* How agents choose their moves, in tests too. */
static const char *work_of(nlm_found_runs *list, const nlm_found_run *run, const nlm_machine *machine)
{
    nlm_settings work;
    char text[NLM_WORK_TEXT];
    const bool known = run->game && !nlm_settings_at_work(machine, run->game, &work, NULL);
    return keep(list, known ? nlm_work_text(&work, text) : "");
}

static nlm_status take_metadata(nlm_found_runs *list, nlm_found_run *run, const nlm_machine *machine)
{
    const char *task = nlm_machine_metadata(machine, "task"), *seed = nlm_machine_metadata(machine, "seed");
    const char *protocol = nlm_machine_metadata(machine, "protocol");
    const char *data = nlm_machine_metadata(machine, "data");
    char title[TITLE_SIZE] = "";
    nlm_status status = NLM_OK;
    run->of_facts = nlm_machine_metadata(machine, "signature") != NULL;
    if (run->of_facts)
        name_targets(machine, run, title);
    if (title[0] || task)
        status = take_name(list, run, title[0] ? title : task);
    if (run->of_facts) { /* whatever its targets are called */
        run->task = NULL;
        run->game = NULL;
    }
    const char *model = nlm_machine_spec(machine)->model;
    run->by = keep(list, model ? model : "");
    run->protocol = keep(list, protocol ? protocol : "");
    run->at_work = work_of(list, run, machine);
    if (status || !run->by || !run->protocol || !run->at_work)
        return NLM_NO_MEMORY;
    if (seed)
        run->seed_known = study_seed(seed, &run->seed);
    const double epochs = number_of(machine, "epoch"), examples = number_of(machine, "examples");
    run->rounds = isnan(epochs) ? number_of(machine, "exams") : epochs;
    run->amount = isnan(examples) ? number_of(machine, "learned_episodes") : examples;
    run->restarts = number_of(machine, "restarts");
    run->has_none = run->task && number_of(machine, "threshold") <= 0;
    run->has_goal = !run->has_none;
    if (run->task && run->task->sense && data && study_seed(data, &run->data))
        run->drawn = run->data == 0; /* what its objects showed */
    return take_settings(list, run, machine);
}

/* A model, or the checkpoint of a run; one that cannot be read is noted. */
static nlm_machine *load(nlm_found_runs *list, const char *path)
{
    nlm_machine *machine = NULL;
    nlm_error error = {0};
    if (!is_there(path))
        return NULL;
    if (nlm_machine_load(path, &machine, &error))
        found_say(list, "%.400s: left out", error.message);
    return machine;
}

/* Without graduating. */
static nlm_found_state used_up(const nlm_found_run *run)
{
    const bool usually_none = run->task && run->task->threshold <= 0;
    return run->has_none || (usually_none && !run->has_goal) ? NLM_FOUND_LEARNED : NLM_FOUND_NOT_GRADUATED;
}

static nlm_status read_model(nlm_found_runs *list, nlm_found_run *run, const char *path, bool *found)
{
    nlm_machine *machine = load(list, path);
    if (!machine)
        return NLM_OK;
    nlm_status status = take_metadata(list, run, machine);
    run->model = keep(list, path);
    run->state = says(machine, "graduated", "yes")  ? NLM_FOUND_GRADUATED
                 : says(machine, "graduated", "no") ? used_up(run)
                                                    : NLM_FOUND_UNKNOWN;
    *found = true;
    nlm_machine_free(machine);
    return status || !run->model ? NLM_NO_MEMORY : NLM_OK;
}

/* The checkpoint of a run that has ended and left its model tells nothing new. */
static nlm_status read_checkpoint(nlm_found_runs *list, nlm_found_run *run, const char *path, bool *found)
{
    nlm_machine *machine = load(list, path);
    nlm_status status = NLM_OK;
    if (!machine)
        return NLM_OK;
    const bool ended = says(machine, "stage", "graduated") || says(machine, "stage", "exhausted");
    if (!ended || !run->model) {
        status = take_metadata(list, run, machine);
        run->checkpoint = keep(list, path);
        run->state = !ended                                ? NLM_FOUND_GOING
                     : says(machine, "stage", "graduated") ? NLM_FOUND_GRADUATED
                                                           : used_up(run);
        *found = true;
    }
    nlm_machine_free(machine);
    return status || (*found && !ended && !run->checkpoint) ? NLM_NO_MEMORY : NLM_OK;
}

/* ---- what follows ---- */

/* Of a run without a file of its settings: whether it learned from the worlds that are usual for its
 * protocol. Results of versions that had no rich worlds count as learned from the paper's. */
static bool has_usual_kind(const nlm_found_run *run)
{
    nlm_settings usual;
    nlm_templates *templates = NULL;
    nlm_protocol protocol;
    const bool known = run->task && nlm_protocol_find(run->result.protocol, &protocol) &&
                       make_usual(run, protocol, &usual, &templates) == NLM_OK;
    nlm_templates_free(templates);
    return !known || usual.kind == run->result.kind;
}

nlm_status found_take_result(nlm_found_runs *list, nlm_found_run *run)
{
    const nlm_result *result = &run->result;
    if (!run->has_result)
        return NLM_OK;
    nlm_status status = run->of_facts ? NLM_OK : take_name(list, run, result->task);
    run->by = keep(list, by_of(result));
    if (result->protocol[0])
        run->protocol = keep(list, result->protocol);
    if (result->seed_known) {
        run->seed = result->seed;
        run->seed_known = true;
    }
    if (result->refused[0])
        run->state = NLM_FOUND_FAILED;
    else if (result->finished)
        run->state = result->graduated ? NLM_FOUND_GRADUATED : used_up(run);
    else if (run->state == NLM_FOUND_UNKNOWN || run->state == NLM_FOUND_GOING)
        run->state = result->error[0] ? NLM_FOUND_FAILED : NLM_FOUND_GOING;
    run->rounds = result->rounds < 0 ? run->rounds : (double)result->rounds;
    run->amount = result->learned < 0 ? run->amount : (double)result->learned;
    run->restarts = result->restarts < 0 ? run->restarts : (double)result->restarts;
    run->seconds = result->seconds < 0 ? run->seconds : (double)result->seconds;
    if (status || !run->by || !run->protocol)
        return NLM_NO_MEMORY;
    if (!run->model && !run->checkpoint && !has_usual_kind(run))
        run->differs = result->kind == NLM_WORLDS_PAPER ? "kind paper" : "kind rich";
    return NLM_OK;
}

/* How far it has come, if no other file tells. */
static void take_log(nlm_found_run *run)
{
    if (run->log.count == 0)
        return;
    const nlm_log_point *last = &run->log.points[run->log.count - 1];
    run->seconds = last->elapsed;
    if (isnan(run->rounds))
        run->rounds = last->round;
    if (isnan(run->amount))
        run->amount = last->at;
    if (isnan(run->restarts))
        run->restarts = last->restarts;
}

/* The last part of a path, without the slashes after it. */
static void last_part(const char *path, char part[TITLE_SIZE])
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    snprintf(part, TITLE_SIZE, "%.*s", (int)(end - begin < TITLE_SIZE ? end - begin : TITLE_SIZE - 1),
             path + begin);
}

/* "uncle-memnn" is "uncle" by a memory network, as nlm reproduce has it. */
static void take_model(nlm_found_run *run, char part[TITLE_SIZE])
{
    char *dash = strrchr(part, '-');
    int model = 1; /* after the machine */
    while (dash && nlm_model_name(model) && strcmp(dash + 1, nlm_model_name(model)) != 0)
        model++;
    if (!dash || !nlm_model_name(model))
        return;
    *dash = '\0';
    if (nlm_task_find(part) || nlm_game_find(part))
        run->by = nlm_model_name(model);
    else
        *dash = '-';
}

/* Where no file tells what was learned, the folder's name may, or else the file's. */
static nlm_status guess(nlm_found_runs *list, nlm_found_run *run)
{
    char part[TITLE_SIZE];
    if (!run->seed_known && !strncmp(run->name, "seed-", 5))
        run->seed_known = study_seed(run->name + 5, &run->seed);
    if (run->title)
        return NLM_OK;
    last_part(run->folder, part);
    take_model(run, part);
    const bool known = nlm_task_find(part) || nlm_game_find(part);
    const nlm_status status = take_name(list, run, known || run->seed_known ? part : run->name);
    if (run->log.kind == NLM_LOG_OF_EXAMS) /* a log of exams is not of a task, whatever its name */
        run->task = NULL;
    if (run->log.kind == NLM_LOG_OF_EPOCHS)
        run->game = NULL;
    return status;
}

nlm_found_run found_nothing(const char *key, const char *folder, const char *name)
{
    return (nlm_found_run){.key = key,
                           .folder = folder,
                           .name = name,
                           .by = "",
                           .protocol = "",
                           .differs = "",
                           .at_work = "",
                           .state = NLM_FOUND_UNKNOWN,
                           .rounds = NAN,
                           .amount = NAN,
                           .restarts = NAN,
                           .seconds = NAN};
}

nlm_status found_read(nlm_found_runs *list, nlm_found_run *run, const char *log, const char *model,
                      bool *found)
{
    *found = false;
    char path[FOUND_PATH];
    nlm_status status = read_log(list, run, log, found);
    if (!status)
        status = read_model(list, run, model, found);
    if (!status && snprintf(path, sizeof path, "%s.checkpoint", model) < FOUND_PATH)
        status = read_checkpoint(list, run, path, found);
    if (!status && found_path(run->folder, run->name, ".json", path))
        read_result(list, run, path, found);
    if (status || !*found)
        return status;
    take_log(run);
    status = found_take_result(list, run);
    return status ? status : guess(list, run);
}
