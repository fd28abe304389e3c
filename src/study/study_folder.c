/* The folder of a study: what is in it, and results.json.
 *
 * results.json is written before anything is trained, so that a folder always tells its settings; a folder
 * of other settings is refused, not mixed.
 *
 * Several processes can have the folder open.  A run's files are written by the one that has its claim
 * (nlm/run_pool.h); results.json and results.md by all, each of all results that it has seen.  The last to
 * end has seen every one. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "nlm/tools.h"
#include "nlm/version.h"
#include "study/study.h"

/* ---- the study itself ---- */

nlm_status nlm_study_new(const nlm_study_plan *plan, nlm_study **study, nlm_error *error)
{
    REQUIRE(plan && study, error);
    *study = memory_new(1, sizeof **study);
    if (*study == NULL)
        return error_no_memory(error);
    (*study)->plan = *plan;
    (*study)->begun = nlm_clock();
    subjects_list(*study);
    return NLM_OK;
}

void nlm_study_free(nlm_study *study)
{
    if (study == NULL)
        return;
    for (int i = 0; study->templates != NULL && i < study->count; i++)
        nlm_templates_free(study->templates[i]);
    memory_free(study->templates);
    free(study->runs);
    nlm_lock_release(study->lock);
    memory_free(study);
}

void nlm_study_want(nlm_study *study, const nlm_subject *subject)
{
    study->wanted[subject - study->subjects] = true;
}

int nlm_study_runs(const nlm_study *study)
{
    return study->count;
}

const nlm_study_run *nlm_study_run_at(const nlm_study *study, int index)
{
    return &study->runs[index];
}

double study_seconds(const nlm_study *study)
{
    return study->before + nlm_clock() - study->begun;
}

nlm_status nlm_study_settings(nlm_study *study, int index, nlm_settings *settings, nlm_error *error)
{
    REQUIRE(study && settings, error);
    const nlm_study_run *run = &study->runs[index];
    nlm_templates_free(study->templates[index]);
    const nlm_status status =
        subject_settings(study, run->subject, settings, &study->templates[index], error);
    settings->seed = run->result.seed;
    return status;
}

nlm_status nlm_study_check(nlm_study *study, int index, nlm_error *error)
{
    REQUIRE(study, error);
    char path[NLM_STUDY_PATH];
    nlm_settings wanted, found;
    nlm_machine *machine = NULL;
    if (study->runs[index].recorded) /* which was compared when it was read */
        return NLM_OK;
    nlm_status status = nlm_study_settings(study, index, &wanted, error);
    if (status == NLM_OK)
        status = nlm_study_path(study, index, "nlm", path, error);
    if (status == NLM_OK)
        status = nlm_machine_load(path, &machine, error);
    if (status == NLM_OK)
        status = nlm_settings_of_machine(machine, path, &found, error);
    if (status == NLM_OK)
        status = nlm_settings_compare(&found, &wanted, path, error);
    nlm_machine_free(machine);
    return status;
}

/* ---- paths ---- */

bool run_path(const nlm_study *study, const nlm_study_run *run, const char *ending, char path[NLM_STUDY_PATH])
{
    return snprintf(path, NLM_STUDY_PATH, "%s/%s/seed-%llu.%s", study->plan.folder, run->subject->name,
                    (unsigned long long)run->result.seed, ending) < NLM_STUDY_PATH;
}

static bool folder_path(const nlm_study *study, const char *name, char path[NLM_STUDY_PATH])
{
    return snprintf(path, NLM_STUDY_PATH, "%s/%s", study->plan.folder, name) < NLM_STUDY_PATH;
}

static nlm_status too_long(const nlm_study *study, nlm_error *error)
{
    return error_set(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", study->plan.folder);
}

nlm_status nlm_study_path(const nlm_study *study, int index, const char *ending, char path[NLM_STUDY_PATH],
                          nlm_error *error)
{
    REQUIRE(study && path, error);
    const nlm_study_run *run = &study->runs[index];
    const bool fits =
        ending != NULL ? run_path(study, run, ending, path) : folder_path(study, run->subject->name, path);
    return fits ? NLM_OK : too_long(study, error);
}

/* ---- results of runs ---- */

nlm_study_run run_named(const nlm_study *study, const nlm_subject *subject, uint64_t seed, bool wanted)
{
    nlm_study_run run = {.subject = subject,
                         .wanted = wanted,
                         .result = {.seed_known = true,
                                    .seed = seed,
                                    .kind = subject_kind(study, subject),
                                    .worlds = subject_worlds(study, subject)}};
    snprintf(run.result.task, sizeof run.result.task, "%s", subject->what);
    snprintf(run.result.model, sizeof run.result.model, "%s", subject->model);
    snprintf(run.result.protocol, sizeof run.result.protocol, "%s",
             nlm_protocol_name(subject_protocol(study, subject)));
    return run;
}

static bool is_of_run(const nlm_study_run *run, const nlm_result *found)
{
    nlm_protocol protocol;
    if (!found->complete || strcmp(found->task, run->subject->what) != 0 || found->seed != run->result.seed ||
        strcmp(found->model, run->subject->model) != 0 || !found->seed_known || found->worlds < 0 ||
        !nlm_protocol_find(found->protocol, &protocol))
        return false;
    for (int size = 0; size < found->tests; size++) {
        if (found->test[size].objects != run->subject->sizes[size] ||
            (found->rich_tests > 0 && found->rich[size].objects != run->subject->sizes[size]))
            return false;
    }
    return true;
}

/* Whether it was made by the same protocol, from the same kind of worlds, with the same tests and budget;
 * where nobody tells the budget, it is the usual one, and of a run that is not wanted any will do. */
static bool is_made_alike(const nlm_study *study, const nlm_study_run *run, const nlm_result *found)
{
    const bool counts = run->wanted && found->budget > 0 && subject_is(run->subject, "memnn");
    return strcmp(found->protocol, run->result.protocol) == 0 && found->kind == run->result.kind &&
           found->worlds == run->result.worlds &&
           (!counts || found->budget == subject_budget(study, run->subject));
}

result_found run_read_from(const nlm_study *study, nlm_study_run *run, const char *path, json_t **object)
{
    nlm_result found;
    const char *wrong;
    run->result.finished = false;
    *object = NULL;
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return RESULT_NONE;
    *object = json_load_file(path, 0, NULL);
    if (*object == NULL || !result_read(*object, &found, &wrong) || !is_of_run(run, &found))
        return RESULT_BROKEN;
    if (!is_made_alike(study, run, &found))
        return RESULT_OTHER;
    for (int size = 0; size < found.tests; size++) {
        if (found.test[size].asked != found.worlds ||
            (found.rich_tests > 0 && found.rich[size].asked != found.worlds))
            return RESULT_BROKEN;
    }
    run->result = found;
    return RESULT_READ;
}

result_found run_read_result(const nlm_study *study, nlm_study_run *run)
{
    char path[NLM_STUDY_PATH];
    json_t *object;
    run->result.finished = false;
    if (!run_path(study, run, "json", path))
        return RESULT_NONE;
    const result_found found = run_read_from(study, run, path, &object);
    json_decref(object);
    return found;
}

void nlm_study_end_run(nlm_study *study, int index, const nlm_result *reached)
{
    nlm_study_run *run = &study->runs[index];
    nlm_result *to = &run->result;
    char path[NLM_STUDY_PATH];
    nlm_error error;
    *to = *reached;
    to->complete = to->finished;
    if (to->finished && run_path(study, run, "json", path) && nlm_result_save(to, path, &error) != NLM_OK) {
        to->finished = false;
        snprintf(to->error, sizeof to->error, "%.*s", NLM_RESULT_TEXT - 1, error.message);
    }
    if (to->finished && nlm_study_record(study, index, &error) != NLM_OK)
        snprintf(to->error, sizeof to->error, "%.*s", NLM_RESULT_TEXT - 1, error.message);
}

/* ---- results.json and results.md ---- */

/* ", "moves": [8, 45]", or nothing where nothing was published. */
static void write_figures(FILE *file, const char *key, const double figures[NLM_TEST_SIZES])
{
    if (figures[0] >= 0)
        fprintf(file, ", \"%s\": [%g, %g]", key, figures[0], figures[1]);
}

/* How many graduated is known of the machine only, from the paper's own tasks. */
static void write_paper(FILE *file, const nlm_subject *subject)
{
    const published found = published_about(subject);
    const bool game = subject->game != NULL;
    fprintf(file, "\"%s\": {", subject->name);
    if (found.graduation >= 0)
        fprintf(file, "\"graduation\": %g, ", found.graduation);
    if (!subject_is(subject, "dilp") && !subject->ilp)
        fprintf(file, "\"%s\": %d, ", game ? "episodes" : "examples", subject_paper_budget(subject));
    fprintf(file, "\"objects\": [%d, %d]", subject->sizes[0], subject->sizes[1]);
    write_figures(file, game ? "success" : "accuracy", found.share);
    write_figures(file, "macro_accuracy", found.macro);
    write_figures(file, "moves", found.moves);
    if (found.solved >= 0)
        fprintf(file, ", \"solved\": %g", found.solved);
    putc('}', file);
}

static void write_head(FILE *file, const nlm_study *study)
{
    char text[NLM_RESULT_TEXT], command[STUDY_COMMAND];
    fprintf(file,
            "{\"version\": \"%s\", \"protocol\": \"%s\", \"worlds\": %d,\n \"processor\": ", nlm_version(),
            nlm_protocol_name(study->plan.protocol), study->plan.worlds);
    study_processor(text);
    if (text[0] != '\0')
        nlm_json_text(file, text);
    else
        fputs("null", file);
    fprintf(file, ", \"cores\": %d,\n \"command\": ", study_cores());
    nlm_json_text(file, study_command(study, command));
    study_date(text);
    fprintf(file, ",\n \"date\": \"%s\", \"seconds\": %.1f,\n \"paper\": {", text, study_seconds(study));
}

static void write_results(FILE *file, const void *context)
{
    const nlm_study *study = context;
    const char *parted = "\n  ";
    write_head(file, study);
    for (int i = 0; i < study->count; i++) {
        if (i > 0 && study->runs[i].subject == study->runs[i - 1].subject)
            continue;
        fputs(parted, file);
        write_paper(file, study->runs[i].subject);
        parted = ",\n  ";
    }
    fputs("},\n \"runs\": [", file);
    for (int i = 0; i < study->count; i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", file);
        result_write(file, &study->runs[i].result);
    }
    fputs("]}\n", file);
}

static void write_markdown(FILE *file, const void *context)
{
    nlm_study_write(context, file, true);
}

nlm_status nlm_study_save(nlm_study *study, nlm_error *error)
{
    REQUIRE(study, error);
    char path[NLM_STUDY_PATH];
    nlm_status json = NLM_OK, markdown = NLM_OK;
    if (folder_path(study, "results.json", path))
        json = nlm_file_write(path, write_results, study, error);
    if (folder_path(study, "results.md", path))
        markdown = nlm_file_write(path, write_markdown, study, json == NLM_OK ? error : NULL);
    return json != NLM_OK ? json : markdown;
}

/* ---- what is there ---- */

void study_say(const nlm_study *study, const char *format, ...)
{
    char line[NLM_STUDY_PATH + 100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (study->note != NULL)
        study->note(study->context, line);
}

/* The settings of an earlier command, and the time it took. */
static nlm_status read_results(nlm_study *study, nlm_error *error)
{
    char path[NLM_STUDY_PATH];
    nlm_found_setting head;
    nlm_protocol protocol;
    if (!folder_path(study, "results.json", path) || access(path, F_OK) != 0)
        return NLM_OK;
    json_t *object = json_load_file(path, 0, NULL);
    const bool known = object != NULL && results_read_head(object, &head) && head.worlds >= 0 &&
                       nlm_protocol_find(head.protocol, &protocol);
    json_decref(object);
    if (!known) {
        study_say(study, "%s is damaged; it is written anew", path);
        return NLM_OK;
    }
    study->before = isnan(head.seconds) ? 0 : head.seconds;
    if (protocol == study->plan.protocol && head.worlds == study->plan.worlds)
        return NLM_OK;
    return error_set(error, NLM_BAD_ARGUMENT,
                     "%.200s has runs with --protocol %s --worlds %d, not --protocol %s --worlds %d; choose "
                     "another folder with --out",
                     study->plan.folder, nlm_protocol_name(protocol), head.worlds,
                     nlm_protocol_name(study->plan.protocol), study->plan.worlds);
}

static nlm_status add_run(nlm_study *study, const nlm_subject *subject, uint64_t seed, bool wanted,
                          nlm_error *error)
{
    for (int i = 0; i < study->count; i++) {
        if (study->runs[i].subject == subject && study->runs[i].result.seed == seed)
            return NLM_OK;
    }
    nlm_study_run *more = realloc(study->runs, ((size_t)study->count + 1) * sizeof *more);
    if (more == NULL)
        return error_no_memory(error);
    study->runs = more;
    study->runs[study->count++] = run_named(study, subject, seed, wanted);
    return NLM_OK;
}

/* Whether a file is of a run, and of which seed. */
static bool is_file_of_run(const char *file, unsigned long long *seed)
{
    static const char *const endings[] = {"nlm", "nlm.checkpoint", "jsonl", "json"};
    char name[64];
    if (sscanf(file, "seed-%20llu.", seed) != 1)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "seed-%llu.%s", *seed, endings[i]);
        if (strcmp(file, name) == 0)
            return true;
    }
    return false;
}

/* Runs of earlier commands, by any of their files, in the study's folder or among its records. */
static nlm_status add_runs_of_folder(nlm_study *study, const nlm_subject *subject, const char *folder,
                                     nlm_error *error)
{
    char path[NLM_STUDY_PATH];
    nlm_status status = NLM_OK;
    const bool fits =
        folder != NULL && snprintf(path, sizeof path, "%s/%s", folder, subject->name) < (int)sizeof path;
    DIR *files = fits ? opendir(path) : NULL;
    for (struct dirent *entry; status == NLM_OK && files != NULL && (entry = readdir(files)) != NULL;) {
        unsigned long long seed;
        if (is_file_of_run(entry->d_name, &seed))
            status = add_run(study, subject, seed, false, error);
    }
    if (files != NULL)
        closedir(files);
    return status;
}

static int compare_runs(const void *a, const void *b)
{
    const nlm_study_run *left = a, *right = b;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    return left->result.seed < right->result.seed ? -1 : left->result.seed > right->result.seed;
}

static nlm_status find_runs(nlm_study *study, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int s = 0; s < study->subject_count && status == NLM_OK; s++) {
        const nlm_subject *subject = &study->subjects[s];
        const int seeds =
            study->plan.seeds > 0 ? study->plan.seeds : subject_seeds(subject, study->plan.quick);
        for (int seed = 1; seed <= seeds && study->wanted[s] && status == NLM_OK; seed++)
            status = add_run(study, subject, (uint64_t)seed, true, error);
        if (status == NLM_OK)
            status = add_runs_of_folder(study, subject, study->plan.folder, error);
        if (status == NLM_OK)
            status = add_runs_of_folder(study, subject, study->plan.records, error);
    }
    if (status != NLM_OK)
        return status;
    if (study->count > 1)
        qsort(study->runs, (size_t)study->count, sizeof *study->runs, compare_runs);
    study->templates = memory_new((size_t)study->count, sizeof *study->templates);
    return study->templates != NULL ? NLM_OK : error_no_memory(error);
}

bool run_lacks_search(const nlm_study *study, const nlm_study_run *run)
{
    return nlm_study_finds_rules(study, run->subject) && run->result.graduated && !run->result.program.sought;
}

nlm_status run_refuse(const nlm_study *study, const char *path, const char *option, nlm_error *error)
{
    return error_set(
        error, NLM_BAD_ARGUMENT,
        "%.250s was made with another protocol, kind of worlds, number of test worlds or budget than "
        "--protocol %s --worlds %d%s; choose another folder with %s",
        path, nlm_protocol_name(study->plan.protocol), study->plan.worlds,
        study->plan.quick ? " --quick" : "", option);
}

/* Whether a result that was read is of a model that is there, and has all that is wanted.  The result of a
 * model that is gone is not that of the next one. */
static bool is_whole(const nlm_study *study, const nlm_study_run *run)
{
    char model[NLM_STUDY_PATH];
    if (!run->result.finished || run->result.refused[0] != '\0')
        return run->result.finished;
    return run_path(study, run, "nlm", model) && access(model, F_OK) == 0 && !run_lacks_search(study, run);
}

bool nlm_study_found(nlm_study *study, int index)
{
    nlm_study_run found = study->runs[index];
    nlm_error error;
    if (run_read_result(study, &found) != RESULT_READ || !is_whole(study, &found))
        return false;
    study->runs[index] = found;
    if (nlm_study_record(study, index, &error) != NLM_OK)
        snprintf(study->runs[index].result.error, NLM_RESULT_TEXT, "%.*s", NLM_RESULT_TEXT - 1,
                 error.message);
    return true;
}

/* `alone`: no other process can be making the run. */
static nlm_status read_result_of(const nlm_study *study, nlm_study_run *run, bool alone, nlm_error *error)
{
    char path[NLM_STUDY_PATH], model[NLM_STUDY_PATH];
    if (!run_path(study, run, "json", path) || !run_path(study, run, "nlm", model))
        return NLM_OK; /* too long: said when it is made */
    const result_found found = run_read_result(study, run);
    if (found == RESULT_OTHER)
        return run_refuse(study, path, "--out", error);
    if (found == RESULT_BROKEN)
        study_say(study, "%s is damaged; the run %s", path,
                  run->wanted ? "is tested again" : "counts as not finished");
    const bool learned = run->result.finished && run->result.refused[0] == '\0';
    if (!learned || !run->wanted)
        return NLM_OK;
    run->result.finished =
        is_whole(study, run); /* a run without a search goes on with it, and is tested again */
    if (access(model, F_OK) == 0)
        return NLM_OK;
    study_say(study, "%s is missing; the run is made again", model);
    if (!alone || unlink(path) == 0)
        return NLM_OK;
    return error_set(error, NLM_IO_ERROR, "%.300s: cannot remove: %s", path, strerror(errno));
}

/* ---- opening ---- */

/* What commands that were killed have left behind of files that begin like this. */
static void remove_temporary(const char *folder, const char *beginning)
{
    DIR *files = opendir(folder);
    size_t length;
    for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;)
        if (strncmp(entry->d_name, beginning, strlen(beginning)) == 0 &&
            file_is_temporary(entry->d_name, &length))
            unlinkat(dirfd(files), entry->d_name, 0); /* no harm if it stays */
    if (files != NULL)
        closedir(files);
}

/* The folders of all that is wanted; without the temporary files of earlier commands, if no other process
 * could be writing them. */
static nlm_status make_folders(const nlm_study *study, bool alone, nlm_error *error)
{
    char path[NLM_STUDY_PATH];
    nlm_status status = NLM_OK;
    for (int s = 0; s < study->subject_count && status == NLM_OK; s++) {
        if (!study->wanted[s])
            continue;
        if (!folder_path(study, study->subjects[s].name, path))
            return too_long(study, error);
        status = nlm_folder_make(path, error);
        if (status == NLM_OK && alone)
            remove_temporary(path, "seed-");
    }
    return status;
}

nlm_status nlm_study_open(nlm_study *study, nlm_note note, void *context, nlm_error *error)
{
    REQUIRE(study, error);
    study->note = note;
    study->context = context;
    if (study->plan.notes != NULL && access(study->plan.notes, R_OK) != 0)
        return error_set(error, NLM_IO_ERROR, "%.300s: %s", study->plan.notes, strerror(errno));
    bool alone = false;
    nlm_status status = nlm_folder_make(study->plan.folder, error);
    if (status == NLM_OK)
        status = nlm_lock_join(study->plan.folder, &study->lock, &alone, error);
    if (status == NLM_OK)
        status = read_results(study, error);
    if (status == NLM_OK)
        status = make_folders(study, alone, error);
    if (status == NLM_OK && alone) {
        remove_temporary(study->plan.folder, "results.");
        remove_temporary(study->plan.folder, "report.html.");
    }
    if (status == NLM_OK)
        status = find_runs(study, error);
    for (int i = 0; i < study->count && status == NLM_OK; i++) {
        if (study->plan.records != NULL)
            status = record_take(study, i, error);
        if (status == NLM_OK && !study->runs[i].recorded)
            status = read_result_of(study, &study->runs[i], alone, error);
    }
    nlm_lock_share(study->lock);
    return status;
}
