/* Runs of training, found in folders and files. */
#include "study/found.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "facts/folder.h"

enum { DEPTH_MOST = 3, ENTRIES_MOST = 20000, RUNS_MOST = 2000, RESULTS_BYTES = 16 << 20 };

nlm_status nlm_found_new(nlm_note note, void *context, nlm_found_runs **runs, nlm_error *error)
{
    REQUIRE(runs, error);
    *runs = memory_new(1, sizeof **runs);
    if (!*runs)
        return error_no_memory(error);
    (*runs)->note = note;
    (*runs)->context = context;
    return NLM_OK;
}

void nlm_found_free(nlm_found_runs *runs)
{
    if (!runs)
        return;
    for (int i = 0; i < runs->count; i++)
        nlm_log_release(&found_at(runs, i)->log);
    buffer_free(&runs->runs);
    buffer_free(&runs->settings);
    text_free(&runs->texts);
    memory_free(runs);
}

void found_say(nlm_found_runs *list, const char *format, ...)
{
    char line[FOUND_NOTE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!list->first_note[0])
        strcpy(list->first_note, line);
    if (list->note)
        list->note(list->context, line);
}

int nlm_found_count(const nlm_found_runs *runs)
{
    return runs->count;
}

const nlm_found_run *nlm_found_at(const nlm_found_runs *runs, int index)
{
    return found_at(runs, index);
}

int nlm_found_settings(const nlm_found_runs *runs)
{
    return runs->setting_count;
}

const nlm_found_setting *nlm_found_setting_at(const nlm_found_runs *runs, int index)
{
    return (const nlm_found_setting *)runs->settings.data + index;
}

/* ---- one run ---- */

/* Where the run is, whatever way the path takes; NULL without memory. */
static const char *make_key(nlm_found_runs *list, const char *folder, const char *name)
{
    char real[PATH_MAX];
    return folder_join(&list->texts, realpath(folder, real) ? real : folder, name);
}

static nlm_found_run *find_run(const nlm_found_runs *list, const char *key)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(found_at(list, i)->key, key))
            return found_at(list, i);
    return NULL;
}

/* Into the list, unless it is full. */
static nlm_status keep_run(nlm_found_runs *list, nlm_found_run *run, nlm_error *error)
{
    if (list->count == RUNS_MOST) {
        list->full = true;
        found_say(list, "more than %d runs: %.200s/%.100s and the rest are left out", RUNS_MOST, run->folder,
                  run->name);
        nlm_log_release(&run->log);
        return NLM_OK;
    }
    if (buffer_reserve(&list->runs, (size_t)list->count + 1, sizeof *run, true)) {
        nlm_log_release(&run->log);
        return error_no_memory(error);
    }
    *found_at(list, list->count++) = *run;
    return NLM_OK;
}

/* The run called so, unless it is there already; *found also counts that. */
static nlm_status add_run(nlm_found_runs *list, const char *folder, const char *name, const char *log,
                          const char *model, int *found, nlm_error *error)
{
    nlm_found_run run =
        found_nothing(make_key(list, folder, name), text_keep(&list->texts, folder, strlen(folder)),
                      text_keep(&list->texts, name, strlen(name)));
    bool read = false;
    if (!run.key || !run.folder || !run.name)
        return error_no_memory(error);
    if (find_run(list, run.key)) {
        ++*found;
        return NLM_OK;
    }
    if (found_read(list, &run, log, model, &read)) {
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
static nlm_status add_named(nlm_found_runs *list, const char *folder, const char *name, int *found,
                            nlm_error *error)
{
    char log[FOUND_PATH], model[FOUND_PATH];
    if (!found_path(folder, name, ".jsonl", log) || !found_path(folder, name, ".nlm", model))
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

/* ---- folders ---- */

/* A result without files of its own is a run, too. */
static nlm_status add_result(nlm_found_runs *list, const char *folder, const char *path,
                             const nlm_result *result, int *found, nlm_error *error)
{
    char of_task[FOUND_PATH], below[2 * NLM_RESULT_NAME + 32];
    const char *by = strcmp(result->model, "nlm") ? result->model : "", *parted = by[0] ? "-" : "";
    snprintf(below, sizeof below, "%s%s%s/seed-%" PRIu64, result->task, parted, by, result->seed);
    if (snprintf(of_task, FOUND_PATH, "%s/%s%s%s", folder, result->task, parted, by) >= FOUND_PATH)
        return NLM_OK;
    const char *name = strrchr(below, '/') + 1;
    const char *key = folder_is(of_task) ? make_key(list, of_task, name) : make_key(list, folder, below);
    nlm_found_run *known = key ? find_run(list, key) : NULL;
    nlm_found_run run = found_nothing(key, text_keep(&list->texts, of_task, strlen(of_task)),
                                      text_keep(&list->texts, name, strlen(name)));
    if (!key || !run.folder || !run.name)
        return error_no_memory(error);
    nlm_found_run *to = known ? known : &run;
    ++*found;
    if (to->has_result || !found_is_meant(list, to, result, path))
        return NLM_OK;
    const char *error_of = result->refused[0] ? result->refused : result->error;
    if (error_of[0])
        found_say(list, "%.200s, seed %" PRIu64 ": %.300s", of_task, result->seed, error_of);
    to->result = *result;
    to->has_result = true;
    if (found_take_result(list, to))
        return error_no_memory(error);
    return known ? NLM_OK : keep_run(list, &run, error);
}

/* Once for each folder, whatever way the path takes. */
static nlm_status keep_setting(nlm_found_runs *list, nlm_found_setting *setting, const char *folder,
                               nlm_error *error)
{
    setting->key = make_key(list, folder, "");
    setting->folder = text_keep(&list->texts, folder, strlen(folder));
    if (!setting->key || !setting->folder ||
        buffer_reserve(&list->settings, (size_t)list->setting_count + 1, sizeof *setting, true))
        return error_no_memory(error);
    for (int i = 0; i < list->setting_count; i++)
        if (!strcmp(nlm_found_setting_at(list, i)->key, setting->key))
            return NLM_OK;
    ((nlm_found_setting *)list->settings.data)[list->setting_count++] = *setting;
    return NLM_OK;
}

static nlm_status add_results(nlm_found_runs *list, const char *folder, const char *path,
                              const json_t *object, int *found, nlm_error *error)
{
    const json_t *runs = json_object_get(object, "runs");
    nlm_found_setting setting;
    if (!results_read_head(object, &setting)) {
        found_say(list, "%.300s: no results in it: left out", path);
        return NLM_OK;
    }
    nlm_status status = keep_setting(list, &setting, folder, error);
    for (size_t i = 0; i < json_array_size(runs) && !list->full && !status; i++) {
        nlm_result result;
        const char *wrong;
        if (result_read(json_array_get(runs, i), &result, &wrong) && result.seed_known)
            status = add_result(list, folder, path, &result, found, error);
        if (wrong)
            found_say(list, "%.300s: %s is out of range: left out", path, wrong);
    }
    return status;
}

/* FOLDER/results.json, if there is one: after the runs of the folder, which may have results of their own. */
static nlm_status read_results(nlm_found_runs *list, const char *folder, int *found, nlm_error *error)
{
    char path[FOUND_PATH];
    bool there = false;
    nlm_status status = NLM_OK;
    json_t *object = NULL;
    if (snprintf(path, FOUND_PATH, "%s/results.json", folder) < FOUND_PATH)
        object = found_read_json(list, path, RESULTS_BYTES, &there);
    if (there)
        status = add_results(list, folder, path, object, found, error);
    json_decref(object);
    return status;
}

static nlm_status walk(nlm_found_runs *list, const char *folder, int depth, int *found, nlm_error *error);

static nlm_status visit(nlm_found_runs *list, const char *folder, const char *name, int depth, int *found,
                        nlm_error *error)
{
    char path[FOUND_PATH], stem[NAME_MAX + 1];
    const size_t length = stem_length(name);
    if (name[0] == '.' || snprintf(path, FOUND_PATH, "%s/%s", folder, name) >= FOUND_PATH)
        return NLM_OK;
    if (++list->entries > ENTRIES_MOST) {
        list->full = true;
        found_say(list, "more than %d files and folders: %.300s and the rest are left out", ENTRIES_MOST,
                  path);
        return NLM_OK;
    }
    if (folder_is(path) && depth < DEPTH_MOST)
        return walk(list, path, depth + 1, found, error);
    if (folder_is(path) && !list->deep) {
        list->deep = true;
        found_say(list, "%.300s: folders this far down are not looked into", path);
    }
    if (folder_is(path))
        return NLM_OK;
    if (length == 0 || length > NAME_MAX || !strcmp(name, "results.json"))
        return NLM_OK;
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    return add_named(list, folder, stem, found, error);
}

static nlm_status walk(nlm_found_runs *list, const char *folder, int depth, int *found, nlm_error *error)
{
    folder_list entries;
    nlm_error cause = {0};
    nlm_status status = folder_read(&entries, folder, &cause);
    if (status && depth > 1) {
        found_say(list, "%.400s: left out", cause.message);
        folder_free(&entries);
        return NLM_OK;
    }
    if (status && error)
        *error = cause;
    const char *before = NULL;
    for (int i = 0; i < entries.count && !status && !list->full; i++) {
        const char *name = folder_at(&entries, i);
        const size_t length = stem_length(name); /* a run has several files, and is read with the first */
        if (!before || length == 0 || stem_length(before) != length || strncmp(before, name, length))
            status = visit(list, folder, name, depth, found, error);
        before = name;
    }
    folder_free(&entries);
    if (!status)
        status = read_results(list, folder, found, error);
    return status;
}

/* ---- files ---- */

/* A file by name; one without a usual ending is taken for a log or a model, whichever it can be read as. */
static nlm_status add_file(nlm_found_runs *list, const char *path, int *found, nlm_error *error)
{
    char folder[FOUND_PATH], stem[FOUND_PATH];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = stem_length(name);
    if (strlen(path) >= FOUND_PATH)
        return error_set(error, NLM_BAD_FILE, "%.60s...: the name is too long", path);
    if (slash)
        snprintf(folder, FOUND_PATH, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        strcpy(folder, ".");
    snprintf(stem, FOUND_PATH, "%.*s", (int)(length ? length : strlen(name)), name);
    if (length)
        return add_named(list, folder, stem, found, error);
    nlm_machine *machine = NULL;
    const bool model = nlm_machine_load(path, &machine, NULL) == NLM_OK;
    nlm_machine_free(machine);
    return add_run(list, folder, stem, model ? "" : path, model ? path : "", found, error);
}

nlm_status nlm_found_add(nlm_found_runs *list, const char *path, nlm_error *error)
{
    REQUIRE(list && path, error);
    struct stat about;
    int found = 0;
    if (list->full) /* which is noted */
        return NLM_OK;
    list->first_note[0] = '\0';
    if (stat(path, &about) != 0)
        return error_set(error, NLM_IO_ERROR, "%.200s: %s", path, strerror(errno));
    const bool folder = S_ISDIR(about.st_mode);
    if (!folder && !S_ISREG(about.st_mode))
        return error_set(error, NLM_BAD_FILE, "%.200s: neither a folder nor a regular file", path);
    const nlm_status status =
        folder ? walk(list, path, 1, &found, error) : add_file(list, path, &found, error);
    if (status || found > 0)
        return status;
    return error_set(error, NLM_BAD_FILE, "%.200s: no run here: %s%s%.200s", path,
                     folder ? "neither models (NAME.nlm) nor logs (NAME.jsonl)"
                            : "neither a model nor a log of one",
                     list->first_note[0] ? "; " : "", list->first_note);
}

/* ---- order ---- */

static int rank(const nlm_found_run *run)
{
    for (int i = 0; run->task && i < nlm_tasks(); i++)
        if (nlm_task_at(i) == run->task)
            return i;
    for (int i = 0; run->game && i < nlm_games(); i++)
        if (nlm_game_at(i) == run->game)
            return nlm_tasks() + i;
    return nlm_tasks() + nlm_games() + (run->log.kind == NLM_LOG_OF_EXAMS);
}

static int compare_kinds(const nlm_found_run *x, const nlm_found_run *y)
{
    int order = rank(x) - rank(y);
    if (!order)
        order = strcmp(x->title, y->title);
    if (!order)
        order = strcmp(x->by, y->by);
    if (!order)
        order = strcmp(x->protocol, y->protocol);
    return order ? order : strcmp(x->differs, y->differs);
}

static int compare_runs(const void *a, const void *b)
{
    const nlm_found_run *x = a, *y = b;
    int order = compare_kinds(x, y);
    if (!order)
        order = y->seed_known - x->seed_known;
    if (!order)
        order = (x->seed > y->seed) - (x->seed < y->seed);
    return order ? order : strcmp(x->key, y->key);
}

/* A run of which only log or result is there was made as the others in its folder. */
static void adopt_protocols(nlm_found_runs *list)
{
    for (int i = 0; i < list->count; i++) {
        nlm_found_run *run = found_at(list, i);
        const bool unseen = !run->model && !run->checkpoint;
        for (int j = 0; j < list->count; j++) {
            const nlm_found_run *other = found_at(list, j);
            if (strcmp(other->folder, run->folder) || strcmp(other->title, run->title))
                continue;
            if (!run->protocol[0])
                run->protocol = other->protocol;
            if (unseen && !run->differs[0])
                run->differs = other->differs;
        }
    }
}

void nlm_found_sort(nlm_found_runs *list)
{
    adopt_protocols(list);
    if (list->count > 1)
        qsort(list->runs.data, (size_t)list->count, sizeof(nlm_found_run), compare_runs);
}

bool nlm_found_same_task(const nlm_found_run *a, const nlm_found_run *b)
{
    return rank(a) == rank(b) && !strcmp(a->title, b->title);
}

int nlm_found_group_end(const nlm_found_runs *runs, int first)
{
    int end = first + 1;
    while (end < runs->count && !compare_kinds(found_at(runs, first), found_at(runs, end)))
        end++;
    return end;
}
