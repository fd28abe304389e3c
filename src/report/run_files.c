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
#include "nlm/facts.h"
#include "report/runs.h"

enum { LOG_BYTES = 64 << 20, RESULT_BYTES = 1 << 20, TITLE_SIZE = 256 };

bool run_path(const char *folder, const char *name, const char *ending, char path[RUN_PATH])
{
    const bool here = !strcmp(folder, ".");
    return snprintf(path, RUN_PATH, "%s%s%s%s", here ? "" : folder, here ? "" : "/", name, ending) < RUN_PATH;
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool run_read_text(run_list *list, const char *path, size_t most, buffer *text, size_t *size)
{
    nlm_error error = {0};
    if (!is_there(path))
        return false;
    if (!file_read_all(path, most, text, size, &error))
        return true;
    remarks_add(&list->noted, "%.400s: left out", error.message);
    return false;
}

static const char *keep(run_list *list, const char *text)
{
    return text_keep(&list->texts, text, strlen(text));
}

/* ---- log and result ---- */

static nlm_status read_log(run_list *list, report_run *run, const char *path, bool *found)
{
    buffer text = {0};
    size_t size = 0;
    nlm_status status = NLM_OK;
    if (run_read_text(list, path, LOG_BYTES, &text, &size)) {
        status = nlm_log_parse(text.data, size, path, remarks_take, &list->noted, &run->log);
        if (!status && run->log.count == 0)
            remarks_add(&list->noted, "%.300s: no epoch and no exam in it", path);
        *found |= run->log.count > 0;
    }
    buffer_free(&text);
    return status;
}

bool run_is_meant(run_list *list, const report_run *run, const run_result *result, const char *path)
{
    if (result->wrong) {
        remarks_add(&list->noted, "%.300s: %s is out of range: left out", path, result->wrong);
        return false;
    }
    if (!run->model && !run->checkpoint)
        return true;
    if (run->title && !run->of_facts && strcmp(run->title, result->task))
        remarks_add(&list->noted, "%.300s: a result of %s, but the model is of %.100s: left out", path,
                    result->task, run->title);
    else if (strcmp(run->by, result->by))
        remarks_add(&list->noted, "%.300s: a result of %.60s, but the model is of %.60s: left out", path,
                    result->by[0] ? result->by : "nlm", run->by[0] ? run->by : "nlm");
    else if (run->seed_known && result->seed_known && run->seed != result->seed)
        remarks_add(&list->noted,
                    "%.300s: a result of seed %" PRIu64 ", but the model is of seed %" PRIu64 ": left out",
                    path, result->seed, run->seed);
    else
        return true;
    return false;
}

/* Other files may be called so, too. */
static void read_result(run_list *list, report_run *run, const char *path, bool *found)
{
    buffer text = {0};
    size_t size = 0;
    if (run_read_text(list, path, RESULT_BYTES, &text, &size)) {
        json_t *object = result_parse(text.data, size);
        run_result result;
        if (!object && *found)
            remarks_add(&list->noted, "%.300s: no result, as it is no JSON: left out", path);
        if (object && result_read(object, &result) && run_is_meant(list, run, &result, path)) {
            run->result = result;
            *found = true;
            if (result.error[0])
                remarks_add(&list->noted, "%.300s: %.300s", path, result.error);
        }
        json_decref(object);
    }
    buffer_free(&text);
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
static nlm_status make_usual(const report_run *run, nlm_protocol protocol, nlm_settings *usual,
                             nlm_templates **templates)
{
    nlm_status status = nlm_settings_of_task(run->task, protocol, usual, NULL);
    if (status || !run->by[0])
        return status;
    if (strcmp(run->by, "dilp") != 0)
        return nlm_settings_use_model(usual, run->by, NULL);
    status = nlm_templates_of_task(run->task, templates, NULL);
    return status ? status : nlm_settings_use_templates(usual, *templates, NULL);
}

static bool is_usual_training(const nlm_machine *machine, nlm_protocol protocol, report_run *run)
{
    nlm_settings found, usual;
    nlm_templates *templates = NULL;
    bool same = !nlm_settings_of_machine(machine, run->name, &found, NULL) &&
                !make_usual(run, protocol, &usual, &templates);
    if (same) {
        usual.seed = found.seed;
        usual.data = found.data;
        run->budget = found.epochs != usual.epochs ? found.epochs : 0;
        same = nlm_settings_compare(&found, &usual, run->name, NULL) == NLM_OK;
    }
    nlm_templates_free(templates);
    return same;
}

/* Whether seed and budget are all that was chosen; then the budget is kept. */
static bool has_usual_settings(const nlm_machine *machine, report_run *run)
{
    nlm_protocol protocol;
    if (!nlm_protocol_find(run->protocol, &protocol))
        return false;
    if (run->task)
        return is_usual_training(machine, protocol, run);
    nlm_settings found, usual;
    if (!run->game || nlm_settings_of_machine(machine, run->name, &found, NULL) ||
        nlm_settings_of_game(run->game, protocol, &usual, NULL) ||
        (run->by[0] && nlm_settings_use_model(&usual, run->by, NULL)))
        return false;
    usual.seed = found.seed;
    run->budget = found.episodes != usual.episodes ? found.episodes : 0;
    return nlm_settings_compare(&found, &usual, run->name, NULL) == NLM_OK;
}

/* "niece/2, uncle/2": what a model of facts concludes. */
static void name_targets(const nlm_machine *machine, const report_run *run, char title[TITLE_SIZE])
{
    nlm_signature *signature;
    size_t used = 0;
    if (nlm_signature_of_model(machine, run->name, &signature, NULL))
        return;
    for (int t = 0; t < nlm_signature_targets(signature) && used + 3 < TITLE_SIZE; t++) {
        used += (size_t)snprintf(title + used, TITLE_SIZE - used, "%s", t ? ", " : "");
        used += nlm_predicate_text(nlm_signature_target(signature, t), title + used, TITLE_SIZE - used);
    }
    nlm_signature_free(signature);
}

/* Digits alone, of a number that fits. */
static bool parse_seed(const char *text, uint64_t *seed)
{
    if (!text[0] || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    if (errno == 0)
        *seed = number;
    return errno == 0;
}

static nlm_status take_name(run_list *list, report_run *run, const char *name)
{
    run->task = nlm_task_find(name);
    run->game = nlm_game_find(name);
    run->title = keep(list, name);
    return run->title ? NLM_OK : NLM_NO_MEMORY;
}

/* What the objects of a task showed. */
static void take_images(report_run *run, const nlm_machine *machine)
{
    const char *data = nlm_machine_metadata(machine, "data");
    if (run->task && run->task->sense && data && parse_seed(data, &run->data))
        run->drawn = run->data == 0;
}

static nlm_status take_metadata(run_list *list, report_run *run, const nlm_machine *machine)
{
    const char *task = nlm_machine_metadata(machine, "task"), *seed = nlm_machine_metadata(machine, "seed");
    const char *protocol = nlm_machine_metadata(machine, "protocol");
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
    if (status || !run->by || !run->protocol)
        return NLM_NO_MEMORY;
    if (seed)
        run->seed_known = parse_seed(seed, &run->seed);
    const double epochs = number_of(machine, "epoch"), examples = number_of(machine, "examples");
    run->rounds = isnan(epochs) ? number_of(machine, "exams") : epochs;
    run->amount = isnan(examples) ? number_of(machine, "learned_episodes") : examples;
    run->restarts = number_of(machine, "restarts");
    run->has_none = run->task && number_of(machine, "threshold") <= 0;
    run->has_goal = !run->has_none;
    run->usual = has_usual_settings(machine, run);
    take_images(run, machine);
    return NLM_OK;
}

/* A model, or the checkpoint of a run; one that cannot be read is noted. */
static nlm_machine *load(run_list *list, const char *path)
{
    nlm_machine *machine = NULL;
    nlm_error error = {0};
    if (!is_there(path))
        return NULL;
    if (nlm_machine_load(path, &machine, &error))
        remarks_add(&list->noted, "%.400s: left out", error.message);
    return machine;
}

/* Without graduating. */
static run_state used_up(const report_run *run)
{
    const bool usually_none = run->task && run->task->threshold <= 0;
    return run->has_none || (usually_none && !run->has_goal) ? RUN_LEARNED : RUN_NOT_GRADUATED;
}

static nlm_status read_model(run_list *list, report_run *run, const char *path, bool *found)
{
    nlm_machine *machine = load(list, path);
    if (!machine)
        return NLM_OK;
    nlm_status status = take_metadata(list, run, machine);
    run->model = keep(list, path);
    run->state = says(machine, "graduated", "yes")  ? RUN_GRADUATED
                 : says(machine, "graduated", "no") ? used_up(run)
                                                    : RUN_UNKNOWN;
    *found = true;
    nlm_machine_free(machine);
    return status || !run->model ? NLM_NO_MEMORY : NLM_OK;
}

/* The checkpoint of a run that has ended and left its model tells nothing new. */
static nlm_status read_checkpoint(run_list *list, report_run *run, const char *path, bool *found)
{
    nlm_machine *machine = load(list, path);
    nlm_status status = NLM_OK;
    if (!machine)
        return NLM_OK;
    const bool ended = says(machine, "stage", "graduated") || says(machine, "stage", "exhausted");
    if (!ended || !run->model) {
        status = take_metadata(list, run, machine);
        run->checkpoint = keep(list, path);
        run->state = !ended ? RUN_GOING : says(machine, "stage", "graduated") ? RUN_GRADUATED : used_up(run);
        *found = true;
    }
    nlm_machine_free(machine);
    return status || (*found && !ended && !run->checkpoint) ? NLM_NO_MEMORY : NLM_OK;
}

/* ---- what follows ---- */

nlm_status run_take_result(run_list *list, report_run *run)
{
    const run_result *result = &run->result;
    if (!result->there)
        return NLM_OK;
    nlm_status status = run->of_facts ? NLM_OK : take_name(list, run, result->task);
    run->by = keep(list, result->by);
    if (result->protocol[0])
        run->protocol = keep(list, result->protocol);
    if (result->seed_known) {
        run->seed = result->seed;
        run->seed_known = true;
    }
    if (result->finished)
        run->state = result->graduated ? RUN_GRADUATED : used_up(run);
    else if (run->state == RUN_UNKNOWN || run->state == RUN_GOING)
        run->state = result->error[0] ? RUN_FAILED : RUN_GOING;
    run->rounds = isnan(result->rounds) ? run->rounds : result->rounds;
    run->amount = isnan(result->amount) ? run->amount : result->amount;
    run->restarts = isnan(result->restarts) ? run->restarts : result->restarts;
    run->seconds = isnan(result->seconds) ? run->seconds : result->seconds;
    return status || !run->by || !run->protocol ? NLM_NO_MEMORY : NLM_OK;
}

/* How far it has come, if no other file tells. */
static void take_log(report_run *run)
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
static void take_model(report_run *run, char part[TITLE_SIZE])
{
    static const char *const models[] = {"memnn", "dilp"};
    char *dash = strrchr(part, '-');
    for (int i = 0; dash && i < 2; i++) {
        if (strcmp(dash + 1, models[i]))
            continue;
        *dash = '\0';
        if (nlm_task_find(part) || nlm_game_find(part))
            run->by = models[i];
        else
            *dash = '-';
        return;
    }
}

/* Where no file tells what was learned, the folder's name may, or else the file's. */
static nlm_status guess(run_list *list, report_run *run)
{
    char part[TITLE_SIZE];
    if (!run->seed_known && !strncmp(run->name, "seed-", 5))
        run->seed_known = parse_seed(run->name + 5, &run->seed);
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

static nlm_status read_files(run_list *list, report_run *run, const char *log, const char *model, bool *found)
{
    char path[RUN_PATH];
    nlm_status status = read_log(list, run, log, found);
    if (!status)
        status = read_model(list, run, model, found);
    if (!status && snprintf(path, sizeof path, "%s.checkpoint", model) < RUN_PATH)
        status = read_checkpoint(list, run, path, found);
    if (!status && run_path(run->folder, run->name, ".json", path))
        read_result(list, run, path, found);
    return status;
}

nlm_status run_read(run_list *list, report_run *run, const char *log, const char *model, bool *found)
{
    *found = false;
    run->by = run->protocol = "";
    run->state = RUN_UNKNOWN;
    run->rounds = run->amount = run->restarts = run->seconds = NAN;
    nlm_status status = read_files(list, run, log, model, found);
    if (status || !*found)
        return status;
    take_log(run);
    status = run_take_result(list, run);
    return status ? status : guess(list, run);
}
