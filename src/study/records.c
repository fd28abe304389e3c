/* Records: the results of runs alone, small enough to be kept beside the code and to be carried to another
 * machine, where they count as finished runs.
 *
 *     RECORDS/NAME/seed-N.json    {"task": ..., the result ..., "record": 1, "settings": {"depth": "4", ...}}
 *
 * A result in the folder of its run has the model beside it, which tells what it was trained with.  A record
 * has no model, so it names all settings itself, and with them those of a new run are compared.  A record
 * that is there is never written again, but for one that is damaged or lacks the search for a program. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "learn/settings.h"
#include "machine/program_template.h"
#include "nlm/version.h"
#include "study/study.h"

enum { FORMAT = 1 };

bool record_path(const nlm_study *study, const nlm_study_run *run, char path[NLM_STUDY_PATH])
{
    return snprintf(path, NLM_STUDY_PATH, "%s/%s/seed-%llu.json", study->plan.records, run->subject->name,
                    (unsigned long long)run->result.seed) < NLM_STUDY_PATH;
}

/* ---- writing ---- */

typedef struct record {
    const nlm_result *result;
    const nlm_settings *settings; /* NULL of a run that is refused */
} record;

static void write_templates(FILE *file, const nlm_program_template *program)
{
    json_t *json = program_to_json(program);
    fputs(", \"templates\": ", file);
    if (json == NULL || json_dumpf(json, file, JSON_COMPACT) != 0)
        fputs("null", file);
    json_decref(json);
}

static void write_settings(FILE *file, const nlm_settings *settings)
{
    const struct settings_table table = settings_table_of(settings);
    const char *parted = "";
    fputs(",\n \"settings\": {", file);
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        char text[NLM_SETTING_TEXT];
        setting_print(row, settings, text);
        if (row->seldom && strcmp(text, row->absent) == 0)
            continue;
        fprintf(file, "%s\"%s\": \"%s\"", parted, row->name, text);
        parted = ", ";
    }
    putc('}', file);
    if (settings->data != 0)
        fprintf(file, ", \"data\": \"%llu\"", (unsigned long long)settings->data);
    if (settings->spec.program != NULL)
        write_templates(file, settings->spec.program);
}

static void write_record(FILE *file, const void *context)
{
    const record *of = context;
    result_write_keys(file, of->result);
    fprintf(file, ",\n \"record\": %d, \"version\": \"%s\"", FORMAT, nlm_version());
    if (of->settings != NULL)
        write_settings(file, of->settings);
    fputs("}\n", file);
}

nlm_status nlm_study_record(nlm_study *study, int index, nlm_error *error)
{
    REQUIRE(study, error);
    nlm_study_run *run = &study->runs[index];
    char path[NLM_STUDY_PATH];
    nlm_settings settings;
    record made = {&run->result, NULL};
    if (study->plan.records == NULL || run->recorded || !run->result.finished)
        return NLM_OK;
    if (!record_path(study, run, path))
        return error_set(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", study->plan.records);
    nlm_status status = NLM_OK;
    if (run->result.refused[0] == '\0') {
        status = nlm_study_settings(study, index, &settings, error);
        made.settings = &settings;
    }
    *strrchr(path, '/') = '\0';
    if (status == NLM_OK)
        status = nlm_folder_make(study->plan.records, error);
    if (status == NLM_OK)
        status = nlm_folder_make(path, error);
    path[strlen(path)] = '/';
    if (status == NLM_OK)
        status = nlm_file_write(path, write_record, &made, error);
    run->recorded = status == NLM_OK;
    return status;
}

/* ---- reading ---- */

/* The settings of the record; false if one is missing or cannot be. */
static bool read_settings(const json_t *object, const nlm_settings *wanted, nlm_settings *found)
{
    const struct settings_table table = settings_table_of(wanted);
    const json_t *settings = json_object_get(object, "settings");
    *found = *wanted;
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        const char *text = json_string_value(json_object_get(settings, row->name));
        text = text != NULL ? text : row->absent;
        if (text == NULL || setting_set(row, found, text, NULL) != NLM_OK)
            return false;
    }
    const char *data = json_string_value(json_object_get(object, "data"));
    found->data = 0;
    return data == NULL || study_seed(data, &found->data);
}

static bool same_templates(const json_t *object, const nlm_settings *wanted)
{
    json_t *here = wanted->spec.program != NULL ? program_to_json(wanted->spec.program) : NULL;
    const json_t *there = json_object_get(object, "templates");
    const bool same = here == NULL ? there == NULL : json_equal(here, there);
    json_decref(here);
    return same;
}

nlm_status record_compare(const json_t *object, const nlm_settings *wanted, const char *path,
                          nlm_error *error)
{
    nlm_settings found;
    if (!read_settings(object, wanted, &found))
        return error_set(error, NLM_BAD_FILE, "%.300s: its settings are damaged", path);
    if (found.data != wanted->data)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%.300s: learned from other pictures than those that are here", path);
    if (!same_templates(object, wanted))
        return error_set(error, NLM_BAD_ARGUMENT, "%.300s: learned with other templates", path);
    return settings_compare_rows(settings_table_of(wanted), &found, wanted, path, error);
}

/* That a result of the right run is a record, and that the run would be made alike today.  Of a run that is
 * not wanted nobody knows what it is to be made with: its pictures may be elsewhere. */
static nlm_status check(nlm_study *study, int index, const nlm_result *found, const json_t *object,
                        const char *path, nlm_error *error)
{
    const json_t *value = json_object_get(object, "record");
    nlm_settings wanted;
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return error_set(error, NLM_BAD_FILE,
                         "%.300s is a result and no record: it does not name its settings; move it away",
                         path);
    if (json_integer_value(value) > FORMAT)
        return error_set(error, NLM_BAD_FILE, "%.300s was written by a later version of nlm; this one is %s",
                         path, nlm_version());
    if (!study->runs[index].wanted || found->refused[0] != '\0')
        return NLM_OK;
    nlm_status status = nlm_study_settings(study, index, &wanted, error);
    nlm_error cause;
    if (status != NLM_OK || record_compare(object, &wanted, path, &cause) == NLM_OK)
        return status;
    return error_set(error, cause.status, "%s; move it away, or choose another folder with --records",
                     cause.message);
}

nlm_status record_take(nlm_study *study, int index, nlm_error *error)
{
    nlm_study_run *run = &study->runs[index], found = *run;
    char path[NLM_STUDY_PATH];
    json_t *object;
    if (!record_path(study, run, path))
        return error_set(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", study->plan.records);
    const result_found kind = run_read_from(study, &found, path, &object);
    nlm_status status = NLM_OK;
    if (kind == RESULT_OTHER)
        status = run_refuse(study, path, "--records", error);
    else if (kind == RESULT_BROKEN)
        study_say(study, "%s is damaged; it does not count", path);
    else if (kind == RESULT_READ)
        status = check(study, index, &found.result, object, path, error);
    json_decref(object);
    if (status != NLM_OK || kind != RESULT_READ || (run->wanted && run_lacks_search(study, &found)))
        return status;
    run->result = found.result;
    run->recorded = true;
    return NLM_OK;
}
