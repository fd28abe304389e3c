/* Runs of training, found in folders and files. */
#include "report/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "facts/folder.h"

enum { DEPTH_MOST = 3, ENTRIES_MOST = 20000, RUNS_MOST = 2000, RESULTS_BYTES = 16 << 20 };

void runs_release(run_list *list)
{
    for (int i = 0; i < list->count; i++)
        nlm_log_release(&runs_at(list, i)->log);
    buffer_free(&list->runs);
    buffer_free(&list->settings);
    text_free(&list->texts);
    remarks_release(&list->noted);
    *list = (run_list){0};
}

/* ---- one run ---- */

/* Where the run is, whatever way the path takes; NULL without memory. */
static const char *make_key(run_list *list, const char *folder, const char *name)
{
    char real[PATH_MAX];
    return folder_join(&list->texts, realpath(folder, real) ? real : folder, name);
}

static report_run *find_run(const run_list *list, const char *key)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(runs_at(list, i)->key, key))
            return runs_at(list, i);
    return NULL;
}

/* Into the list, unless it is full. */
static nlm_status keep_run(run_list *list, report_run *run, nlm_error *error)
{
    if (list->count == RUNS_MOST) {
        list->full = true;
        remarks_add(&list->noted, "more than %d runs: %.200s/%.100s and what comes after it is left out",
                    RUNS_MOST, run->folder, run->name);
        nlm_log_release(&run->log);
        return NLM_OK;
    }
    if (buffer_reserve(&list->runs, (size_t)list->count + 1, sizeof *run, true)) {
        nlm_log_release(&run->log);
        return error_no_memory(error);
    }
    *runs_at(list, list->count++) = *run;
    return NLM_OK;
}

/* The run called so, unless it is there already; *found also counts that. */
static nlm_status add_run(run_list *list, const char *folder, const char *name, const char *log,
                          const char *model, int *found, nlm_error *error)
{
    report_run run = {.key = make_key(list, folder, name),
                      .folder = text_keep(&list->texts, folder, strlen(folder)),
                      .name = text_keep(&list->texts, name, strlen(name))};
    bool read = false;
    if (!run.key || !run.folder || !run.name)
        return error_no_memory(error);
    if (find_run(list, run.key)) {
        ++*found;
        return NLM_OK;
    }
    if (run_read(list, &run, log, model, &read)) {
        nlm_log_release(&run.log);
        return error_no_memory(error);
    }
    *found += read;
    if (read)
        return keep_run(list, &run, error);
    nlm_log_release(&run.log);
    return NLM_OK;
}

/* The run of folder/name, whose files have their usual names. */
static nlm_status add_named(run_list *list, const char *folder, const char *name, int *found,
                            nlm_error *error)
{
    char log[RUN_PATH], model[RUN_PATH];
    if (!run_path(folder, name, ".jsonl", log) || !run_path(folder, name, ".nlm", model))
        return error_set(error, NLM_BAD_FILE, "%.60s...: the name is too long", folder);
    return add_run(list, folder, name, log, model, found, error);
}

/* ---- names ---- */

static const char *const endings[] = {".nlm.checkpoint", ".nlm", ".jsonl", ".json"};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* The length of a file's name without the ending that makes it a file of a run; 0 if it has none. */
static size_t stem_length(const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < ENDINGS; i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && !strcmp(name + length - ending, endings[i]))
            return length - ending;
    }
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* ---- folders ---- */

/* A result without files of its own is a run, too. */
static nlm_status add_result(run_list *list, const char *folder, const char *path, const run_result *result,
                             int *found, nlm_error *error)
{
    char of_task[RUN_PATH], below[2 * RESULT_NAME + 32];
    const char *parted = result->by[0] ? "-" : "";
    snprintf(below, sizeof below, "%s%s%s/seed-%" PRIu64, result->task, parted, result->by, result->seed);
    if (snprintf(of_task, RUN_PATH, "%s/%s%s%s", folder, result->task, parted, result->by) >= RUN_PATH)
        return NLM_OK;
    const char *name = strrchr(below, '/') + 1;
    const char *key = is_folder(of_task) ? make_key(list, of_task, name) : make_key(list, folder, below);
    report_run *known = key ? find_run(list, key) : NULL;
    report_run run = {.key = key,
                      .folder = text_keep(&list->texts, of_task, strlen(of_task)),
                      .name = text_keep(&list->texts, name, strlen(name)),
                      .by = "",
                      .protocol = "",
                      .state = RUN_UNKNOWN,
                      .rounds = NAN,
                      .amount = NAN,
                      .restarts = NAN,
                      .seconds = NAN};
    if (!key || !run.folder || !run.name)
        return error_no_memory(error);
    report_run *to = known ? known : &run;
    ++*found;
    if (to->result.there || !run_is_meant(list, to, result, path))
        return NLM_OK;
    if (result->error[0])
        remarks_add(&list->noted, "%.200s, seed %" PRIu64 ": %.300s", of_task, result->seed, result->error);
    to->result = *result;
    if (run_take_result(list, to))
        return error_no_memory(error);
    return known ? NLM_OK : keep_run(list, &run, error);
}

/* Once for each folder, whatever way the path takes. */
static nlm_status keep_setting(run_list *list, const char *folder, const folder_result *result,
                               nlm_error *error)
{
    const char *key = make_key(list, folder, "");
    if (!key)
        return error_no_memory(error);
    for (int i = 0; i < list->setting_count; i++)
        if (!strcmp(runs_setting(list, i)->key, key))
            return NLM_OK;
    const run_setting kept = {key, text_keep(&list->texts, folder, strlen(folder)), *result};
    if (!kept.folder || buffer_reserve(&list->settings, (size_t)list->setting_count + 1, sizeof kept, true))
        return error_no_memory(error);
    ((run_setting *)list->settings.data)[list->setting_count++] = kept;
    return NLM_OK;
}

static nlm_status add_results(run_list *list, const char *folder, const char *path, const json_t *object,
                              int *found, nlm_error *error)
{
    const json_t *runs = json_object_get(object, "runs");
    folder_result setting;
    if (!result_read_folder(object, &setting)) {
        remarks_add(&list->noted, "%.300s: no results in it: left out", path);
        return NLM_OK;
    }
    nlm_status status = keep_setting(list, folder, &setting, error);
    for (size_t i = 0; i < json_array_size(runs) && !list->full && !status; i++) {
        run_result result;
        if (result_read(json_array_get(runs, i), &result) && result.seed_known)
            status = add_result(list, folder, path, &result, found, error);
    }
    return status;
}

/* FOLDER/results.json, if there is one: after the runs of the folder, which may have results of their own. */
static nlm_status read_results(run_list *list, const char *folder, int *found, nlm_error *error)
{
    char path[RUN_PATH];
    buffer text = {0};
    size_t size = 0;
    nlm_status status = NLM_OK;
    if (snprintf(path, RUN_PATH, "%s/results.json", folder) < RUN_PATH &&
        run_read_text(list, path, RESULTS_BYTES, &text, &size)) {
        json_t *object = result_parse(text.data, size);
        status = add_results(list, folder, path, object, found, error);
        json_decref(object);
    }
    buffer_free(&text);
    return status;
}

static nlm_status walk(run_list *list, const char *folder, int depth, int *found, nlm_error *error);

static nlm_status visit(run_list *list, const char *folder, const char *name, int depth, int *found,
                        nlm_error *error)
{
    char path[RUN_PATH], stem[NAME_MAX + 1];
    const size_t length = stem_length(name);
    if (name[0] == '.' || snprintf(path, RUN_PATH, "%s/%s", folder, name) >= RUN_PATH)
        return NLM_OK;
    if (++list->entries > ENTRIES_MOST) {
        list->full = true;
        remarks_add(&list->noted,
                    "more than %d files and folders: %.300s and what comes after it is left out",
                    ENTRIES_MOST, path);
        return NLM_OK;
    }
    if (is_folder(path) && depth < DEPTH_MOST)
        return walk(list, path, depth + 1, found, error);
    if (is_folder(path) && !list->deep) {
        list->deep = true;
        remarks_add(&list->noted, "%.300s: folders this far down are not looked into", path);
    }
    if (is_folder(path))
        return NLM_OK;
    if (length == 0 || length > NAME_MAX || !strcmp(name, "results.json"))
        return NLM_OK;
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    return add_named(list, folder, stem, found, error);
}

/* A run has several files, and is read with the first of them. */
static bool same_stem(const char *before, const char *name)
{
    const size_t length = stem_length(name);
    return before && length > 0 && stem_length(before) == length && !strncmp(before, name, length);
}

static nlm_status walk(run_list *list, const char *folder, int depth, int *found, nlm_error *error)
{
    folder_list entries;
    nlm_error cause = {0};
    nlm_status status = folder_read(&entries, folder, &cause);
    if (status && depth > 1) {
        remarks_add(&list->noted, "%.400s: left out", cause.message);
        folder_free(&entries);
        return NLM_OK;
    }
    if (status && error)
        *error = cause;
    const char *before = NULL;
    for (int i = 0; i < entries.count && !status && !list->full; i++) {
        if (!same_stem(before, folder_at(&entries, i)))
            status = visit(list, folder, folder_at(&entries, i), depth, found, error);
        before = folder_at(&entries, i);
    }
    folder_free(&entries);
    if (!status)
        status = read_results(list, folder, found, error);
    return status;
}

/* ---- files ---- */

/* A file by name; one without a usual ending is taken for a log or a model, whichever it can be read as. */
static nlm_status add_file(run_list *list, const char *path, int *found, nlm_error *error)
{
    char folder[RUN_PATH], stem[RUN_PATH];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = stem_length(name);
    if (strlen(path) >= RUN_PATH)
        return error_set(error, NLM_BAD_FILE, "%.60s...: the name is too long", path);
    if (slash)
        snprintf(folder, RUN_PATH, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        strcpy(folder, ".");
    snprintf(stem, RUN_PATH, "%.*s", (int)(length ? length : strlen(name)), name);
    if (length)
        return add_named(list, folder, stem, found, error);
    nlm_machine *machine = NULL;
    const bool model = nlm_machine_load(path, &machine, NULL) == NLM_OK;
    nlm_machine_free(machine);
    return add_run(list, folder, stem, model ? "" : path, model ? path : "", found, error);
}

nlm_status runs_add(run_list *list, const char *path, nlm_error *error)
{
    struct stat about;
    int found = 0;
    if (list->full) /* which is noted */
        return NLM_OK;
    const int noted = list->noted.kept.count;
    if (stat(path, &about) != 0)
        return error_set(error, NLM_IO_ERROR, "%.200s: %s", path, strerror(errno));
    const bool folder = S_ISDIR(about.st_mode);
    if (!folder && !S_ISREG(about.st_mode))
        return error_set(error, NLM_BAD_FILE, "%.200s: neither a folder nor a regular file", path);
    const nlm_status status =
        folder ? walk(list, path, 1, &found, error) : add_file(list, path, &found, error);
    if (status || found > 0)
        return status;
    const char *note = remarks_at(&list->noted, noted);
    if (folder)
        return error_set(error, NLM_BAD_FILE,
                         "%.200s: no run here: neither models (NAME.nlm) nor logs (NAME.jsonl)%s%.200s", path,
                         note ? "; " : "", note ? note : "");
    return error_set(error, NLM_BAD_FILE, "%.200s: no run here: neither a model nor a log of one%s%.200s",
                     path, note ? "; " : "", note ? note : "");
}

/* ---- order ---- */

static int rank(const report_run *run)
{
    for (int i = 0; run->task && i < nlm_tasks(); i++)
        if (nlm_task_at(i) == run->task)
            return i;
    for (int i = 0; run->game && i < nlm_games(); i++)
        if (nlm_game_at(i) == run->game)
            return nlm_tasks() + i;
    return nlm_tasks() + nlm_games() + (run->log.kind == NLM_LOG_OF_EXAMS);
}

static int compare_kinds(const report_run *x, const report_run *y)
{
    int order = rank(x) - rank(y);
    if (!order)
        order = strcmp(x->title, y->title);
    if (!order)
        order = strcmp(x->by, y->by);
    return order ? order : strcmp(x->protocol, y->protocol);
}

static int compare_runs(const void *a, const void *b)
{
    const report_run *x = a, *y = b;
    int order = compare_kinds(x, y);
    if (!order)
        order = y->seed_known - x->seed_known;
    if (!order)
        order = (x->seed > y->seed) - (x->seed < y->seed);
    return order ? order : strcmp(x->key, y->key);
}

/* A run of which only the log is there was made as the others in its folder. */
static void adopt_protocols(run_list *list)
{
    for (int i = 0; i < list->count; i++) {
        report_run *run = runs_at(list, i);
        for (int j = 0; j < list->count && !run->protocol[0]; j++) {
            const report_run *other = runs_at(list, j);
            if (!strcmp(other->folder, run->folder) && !strcmp(other->title, run->title))
                run->protocol = other->protocol;
        }
    }
}

void runs_sort(run_list *list)
{
    adopt_protocols(list);
    if (list->count > 1)
        qsort(list->runs.data, (size_t)list->count, sizeof(report_run), compare_runs);
}

bool runs_of_one_task(const report_run *a, const report_run *b)
{
    return rank(a) == rank(b) && !strcmp(a->title, b->title);
}

bool runs_alike(const report_run *a, const report_run *b)
{
    return compare_kinds(a, b) == 0;
}

int runs_group_end(const run_list *list, int first)
{
    int end = first + 1;
    while (end < list->count && runs_alike(runs_at(list, first), runs_at(list, end)))
        end++;
    return end;
}

const char *run_label(const report_run *run, char text[RUN_LABEL])
{
    if (run->seed_known)
        snprintf(text, RUN_LABEL, "seed %" PRIu64, run->seed);
    else
        snprintf(text, RUN_LABEL, "%.40s", run->name);
    return text;
}
