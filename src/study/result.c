/* The result of a run as JSON, to a file and back, and the beginning of results.json; docs/formats.md has all
 * keys; where and when it was made, and the result of a job.
 *
 * Files may come from anywhere.  A number that is missing or null is not known; one that is no such number or
 * cannot be makes the whole result unusable, and so does a test that contradicts itself. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/json.h"
#include "learn/settings.h"
#include "nlm/facts.h"
#include "nlm/tools.h"
#include "study/study.h"

/* ---- when, and where ---- */

void study_date(char text[NLM_RESULT_NAME])
{
    const time_t now = time(NULL);
    struct tm utc = {0};
    gmtime_r(&now, &utc);
    strftime(text, NLM_RESULT_NAME, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void study_processor(char text[NLM_RESULT_TEXT])
{
    char line[NLM_RESULT_TEXT];
    text[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, NLM_RESULT_TEXT, "%s", colon + 1 + strspn(colon + 1, " "));
    }
    if (file != NULL)
        fclose(file);
}

int study_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

const char *study_machine(char text[NLM_RESULT_TEXT])
{
    char processor[NLM_RESULT_TEXT];
    study_processor(processor);
    const int cores = study_cores();
    snprintf(text, NLM_RESULT_TEXT, "%.400s, %d core%s",
             processor[0] != '\0' ? processor : "unknown processor", cores, cores == 1 ? "" : "s");
    return text;
}

/* ---- to a file ---- */

/* The number, or null when it is below 0. */
static void write_known(FILE *file, const char *key, double number, const char *format)
{
    fprintf(file, ", \"%s\": ", key);
    if (number >= 0)
        fprintf(file, format, number);
    else
        fputs("null", file);
}

static void write_text(FILE *file, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(file, ", \"%s\": ", key);
    nlm_json_text(file, text);
}

static void write_test(FILE *file, const nlm_score *test, bool game)
{
    fprintf(file, "{\"objects\": %d, \"asked\": %d, \"share\": %.15g, \"flawless\": %s", test->objects,
            test->asked, test->right, test->first_failure < 0 ? "true" : "false");
    write_known(file, "first_failure", test->first_failure, "%.0f");
    if (!game) {
        write_known(file, "macro_accuracy", test->macro, "%.15g");
        write_known(file, "squared_error", test->squared_error, "%.15g");
        if (test->wrong != NLM_WRONG_UNKNOWN)
            fprintf(file, ", \"wrong\": %zu", test->wrong);
    } else {
        write_known(file, "moves", test->right > 0 ? test->moves : -1, "%.15g");
        write_known(file, "optimal_moves", test->right > 0 ? test->optimal_moves : -1, "%.15g");
    }
    putc('}', file);
}

static void write_tests(FILE *file, const char *key, const nlm_score *tests, int count, bool game)
{
    fprintf(file, ", \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", file);
        write_test(file, &tests[i], game);
    }
    putc(']', file);
}

static void write_program(FILE *file, const nlm_job_program *program)
{
    fprintf(file, ", \"program\": {\"found\": %s", program->found ? "true" : "false");
    if (program->found)
        fprintf(file, ", \"literals\": %d, \"proved\": %s", program->literals,
                program->proved ? "true" : "false");
    write_text(file, "reason", program->found ? "" : program->reason);
    write_known(file, "seconds", program->seconds, "%.3f");
    write_known(file, "processor_seconds", program->processor_seconds, "%.3f");
    putc('}', file);
}

static void write_reached(FILE *file, const nlm_result *result, bool game)
{
    write_known(file, "budget", result->budget > 0 ? result->budget : -1, "%.0f");
    fprintf(file, ", \"graduated\": %s, \"%s\": %d, \"restarts\": %d, \"%s\": %ld",
            result->graduated ? "true" : "false", game ? "exams" : "epochs", result->rounds, result->restarts,
            game ? "episodes" : "examples", result->learned);
    write_known(file, "drawn", (double)result->drawn, "%.0f");
    write_known(file, "seconds", result->seconds, "%.3f");
    write_known(file, "test_seconds", result->test_seconds, "%.3f");
    write_text(file, "date", result->date);
    write_text(file, "machine", result->machine);
    write_tests(file, "tests", result->test, result->tests, game);
    if (result->rich_tests > 0)
        write_tests(file, "rich_tests", result->rich, result->rich_tests, game);
    if (result->program.sought)
        write_program(file, &result->program);
}

void result_write_keys(FILE *file, const nlm_result *result)
{
    fputs("{\"task\": ", file);
    nlm_json_text(file, result->task);
    write_text(file, "model", result->model);
    const char *quote = result->seed > INT64_MAX ? "\"" : ""; /* too large for a number of JSON */
    fprintf(file, ", \"seed\": %s%llu%s", quote, (unsigned long long)result->seed, quote);
    if (!result->finished) {
        fputs(", \"finished\": false", file);
        write_text(file, "error", result->error);
    } else {
        write_text(file, "protocol", result->protocol);
        write_text(file, "kind", result->kind == NLM_WORLDS_PAPER ? "" : nlm_world_kind_name(result->kind));
        write_known(file, "worlds", result->worlds, "%.0f");
        write_text(file, "refused", result->refused);
        if (result->refused[0] == '\0')
            write_reached(file, result, nlm_game_find(result->task) != NULL);
    }
}

void result_write(FILE *file, const nlm_result *result)
{
    result_write_keys(file, result);
    putc('}', file);
}

static void write_result(FILE *file, const void *context)
{
    result_write(file, context);
    putc('\n', file);
}

nlm_status nlm_result_save(nlm_result *result, const char *path, nlm_error *error)
{
    REQUIRE(result && path, error);
    study_date(result->date);
    study_machine(result->machine);
    return nlm_file_write(path, write_result, result, error);
}

/* ---- of a job ---- */

void study_targets(const nlm_signature *signature, char *text, size_t size)
{
    char name[4 * NLM_RESULT_NAME];
    size_t used = 0;
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        if (used + nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name) + 3 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Seconds as the file has them, so that tables of a run and of its file are the same. */
static double in_file(double seconds)
{
    return round(seconds * 1000) / 1000;
}

void nlm_result_of_job(const nlm_job *job, nlm_result *result)
{
    const nlm_progress *progress = &job->progress;
    const nlm_settings *settings = &job->settings;
    const bool game = settings->game != NULL;
    *result = (nlm_result){.seed_known = true,
                           .seed = settings->seed,
                           .kind = settings->kind,
                           .worlds = settings->problem == NULL ? job->worlds : -1,
                           .finished = job->refused || job->tested,
                           .complete = job->refused || job->tested,
                           .budget = game ? settings->episodes : settings->epochs,
                           .graduated = progress->stage == NLM_GRADUATED,
                           .rounds = progress->rounds,
                           .restarts = game ? progress->exam.restarts : progress->epoch.restarts,
                           .learned = game ? progress->exam.episodes : progress->epoch.examples,
                           .drawn = game ? progress->exam.drawn : progress->epoch.drawn,
                           .test_seconds = in_file(job->test_seconds),
                           .test = {job->scores[0], job->scores[1]},
                           .rich_tests = job->rich[1].asked > 0 ? NLM_TEST_SIZES : 0,
                           .rich = {job->rich[0], job->rich[1]},
                           .program = job->program};
    snprintf(result->task, sizeof result->task, "%s", settings_learned_name(settings));
    if (settings->problem != NULL)
        study_targets(nlm_problem_signature(settings->problem), result->task, sizeof result->task);
    while (result->tests < NLM_TEST_SIZES && job->scores[result->tests].asked > 0)
        result->tests++;
    snprintf(result->model, sizeof result->model, "%s", settings->spec.model ? settings->spec.model : "nlm");
    snprintf(result->protocol, sizeof result->protocol, "%s", nlm_protocol_name(settings->protocol));
    if (job->status != NLM_OK)
        snprintf(job->refused ? result->refused : result->error, NLM_RESULT_TEXT, "%.*s", NLM_RESULT_TEXT - 1,
                 job->error.message);
    nlm_log_point last;
    double seconds = progress->elapsed;
    if (progress->was_done || progress->elapsed <= 0) { /* nothing was learned here: its log knows these */
        const bool logged = job->files.log && nlm_log_last(job->files.log, &last);
        seconds = logged && last.elapsed >= 0 ? last.elapsed : -1;
        result->drawn = logged && last.drawn >= 0 ? (long)last.drawn : -1;
    }
    result->seconds = in_file(seconds);
    result->program.seconds = in_file(result->program.seconds);
    result->program.processor_seconds = in_file(result->program.processor_seconds);
}

/* ---- and back ---- */

bool study_seed(const char *text, uint64_t *seed)
{
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    if (!text[0] || strspn(text, "0123456789") != strlen(text) || errno != 0)
        return false;
    *seed = number;
    return true;
}

/* Each takes one value; *wrong becomes its key if there is a value that cannot be, unless it is set. */

static double take_number(const json_t *object, const char *key, double most, const char **wrong)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_is_number(value) ? json_number_value(value) : NAN;
    if (number >= 0 && number <= most)
        return number;
    if (value != NULL && !json_is_null(value) && *wrong == NULL)
        *wrong = key;
    return -1;
}

static int take_whole(const json_t *object, const char *key, const char **wrong)
{
    const double number = take_number(object, key, INT_MAX, wrong);
    if (number >= 0 && !json_is_integer(json_object_get(object, key)) && *wrong == NULL)
        *wrong = key;
    return (int)number;
}

/* -1 if it is missing. */
static int take_bool(const json_t *object, const char *key, const char **wrong)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_boolean(value) && *wrong == NULL)
        *wrong = key;
    return value == NULL ? -1 : json_is_true(value);
}

static void take_text(const json_t *object, const char *key, char *text, size_t size, const char **wrong)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && (!json_is_string(value) || json_string_length(value) >= size) && *wrong == NULL)
        *wrong = key;
    value_text(object, key, text, size);
}

/* Files of earlier versions do not tell it; of a test without failure it is 0. */
static size_t take_wrong(const json_t *object, const nlm_score *test, const char **wrong)
{
    const bool known = take_number(object, "wrong", VALUE_MOST, wrong) >= 0;
    const size_t count = known ? (size_t)json_integer_value(json_object_get(object, "wrong")) : 0;
    if (known && (!json_is_integer(json_object_get(object, "wrong")) || (count > 0) != (test->failed > 0)) &&
        *wrong == NULL)
        *wrong = "wrong";
    return known || !test->failed ? count : NLM_WRONG_UNKNOWN;
}

/* Whether nothing is missing. */
static bool take_test(const json_t *object, bool game, nlm_score *test, const char **wrong)
{
    const int flawless = take_bool(object, "flawless", wrong);
    *test = (nlm_score){.objects = take_whole(object, "objects", wrong),
                        .asked = take_whole(object, "asked", wrong),
                        .right = take_number(object, "share", 1, wrong),
                        .failed = flawless != 1,
                        .first_failure = take_whole(object, "first_failure", wrong),
                        .moves = take_number(object, "moves", VALUE_MOST, wrong),
                        .optimal_moves = take_number(object, "optimal_moves", VALUE_MOST, wrong),
                        .macro = take_number(object, "macro_accuracy", 1, wrong),
                        .squared_error = take_number(object, "squared_error", VALUE_MOST, wrong)};
    test->wrong = game ? 0 : take_wrong(object, test, wrong);
    const bool whole = test->objects > 0 && test->asked > 0 && test->right >= 0 && flawless >= 0;
    if (whole && *wrong == NULL &&
        (flawless != (test->first_failure < 0) || flawless != (test->right >= 1) ||
         test->first_failure >= test->asked || (game && test->right > 0 && test->moves < 0)))
        *wrong = "flawless";
    return whole;
}

/* Whether none of them lacks anything. */
static bool take_tests(const json_t *object, const char *key, bool game, nlm_score test[NLM_TEST_SIZES],
                       int *count, const char **wrong)
{
    const json_t *tests = json_object_get(object, key);
    bool whole = true;
    if (tests != NULL && (!json_is_array(tests) || json_array_size(tests) > NLM_TEST_SIZES))
        *wrong = key;
    for (size_t i = 0; *wrong == NULL && i < json_array_size(tests); i++) {
        if (!json_is_object(json_array_get(tests, i)))
            *wrong = key;
        else
            whole &= take_test(json_array_get(tests, i), game, &test[(*count)++], wrong);
    }
    return whole;
}

/* Files of versions that had no rich worlds do not name the kind. */
static nlm_world_kind take_kind(const json_t *object, const char **wrong)
{
    char text[NLM_RESULT_NAME] = "";
    take_text(object, "kind", text, sizeof text, wrong);
    for (nlm_world_kind kind = NLM_WORLDS_PAPER; kind < NLM_WORLD_KINDS; kind++)
        if (strcmp(text, nlm_world_kind_name(kind)) == 0)
            return kind;
    if (text[0] != '\0' && *wrong == NULL)
        *wrong = "kind";
    return NLM_WORLDS_PAPER;
}

/* There is none in files of earlier versions, and of runs that do not look for one. */
static bool take_program(const json_t *object, nlm_job_program *program, const char **wrong)
{
    const json_t *from = json_object_get(object, "program");
    if (from == NULL)
        return true;
    if (!json_is_object(from) && *wrong == NULL)
        *wrong = "program";
    const int found = take_bool(from, "found", wrong), proved = take_bool(from, "proved", wrong);
    *program = (nlm_job_program){
        .sought = true,
        .found = found == 1,
        .proved = proved == 1,
        .literals = take_whole(from, "literals", wrong),
        .seconds = take_number(from, "seconds", VALUE_MOST, wrong),
        .processor_seconds = take_number(from, "processor_seconds", VALUE_MOST, wrong),
    };
    take_text(from, "reason", program->reason, sizeof program->reason, wrong);
    return found == 0 || (found == 1 && proved >= 0 && program->literals > 0);
}

static void take_reached(const json_t *object, nlm_result *result, const char **wrong)
{
    const bool game = nlm_task_find(result->task) == NULL &&
                      (nlm_game_find(result->task) != NULL || json_object_get(object, "exams") != NULL);
    const int budget = take_whole(object, "budget", wrong);
    result->budget = budget > 0 ? budget : 0;
    result->rounds = take_whole(object, game ? "exams" : "epochs", wrong);
    result->restarts = take_whole(object, "restarts", wrong);
    result->learned = (long)take_number(object, game ? "episodes" : "examples", VALUE_MOST, wrong);
    result->drawn = (long)take_number(object, "drawn", VALUE_MOST, wrong);
    result->seconds = take_number(object, "seconds", VALUE_MOST, wrong);
    result->test_seconds = take_number(object, "test_seconds", VALUE_MOST, wrong);
    take_text(object, "date", result->date, sizeof result->date, wrong);
    take_text(object, "machine", result->machine, sizeof result->machine, wrong);
    const bool whole = take_tests(object, "tests", game, result->test, &result->tests, wrong) &&
                       take_tests(object, "rich_tests", game, result->rich, &result->rich_tests, wrong) &&
                       take_program(object, &result->program, wrong);
    result->complete = whole && result->tests == NLM_TEST_SIZES &&
                       (result->rich_tests == 0 || result->rich_tests == NLM_TEST_SIZES) &&
                       result->rounds >= 0 && result->restarts >= 0 && result->learned >= 0;
}

bool result_read(const json_t *object, nlm_result *result, const char **wrong)
{
    const json_t *seed = json_object_get(object, "seed");
    *wrong = NULL;
    *result = (nlm_result){
        .rounds = -1, .restarts = -1, .learned = -1, .drawn = -1, .seconds = -1, .test_seconds = -1};
    take_text(object, "task", result->task, sizeof result->task, wrong);
    const char *refused = json_string_value(json_object_get(object, "refused"));
    const bool ended =
        json_object_get(object, "graduated") != NULL || (refused != NULL && refused[0] != '\0');
    if (result->task[0] == '\0' || (!ended && !json_is_false(json_object_get(object, "finished"))))
        return false;
    result->finished = ended;
    take_text(object, "model", result->model, sizeof result->model, wrong);
    if (json_object_get(object, "model") == NULL) /* as earlier versions left it: it was the machine */
        snprintf(result->model, sizeof result->model, "nlm");
    take_text(object, "protocol", result->protocol, sizeof result->protocol, wrong);
    result->kind = take_kind(object, wrong);
    result->worlds = take_whole(object, "worlds", wrong);
    if (json_is_string(seed)) {
        result->seed_known = study_seed(json_string_value(seed), &result->seed) && result->seed > INT64_MAX;
    } else if (json_is_integer(seed) && json_integer_value(seed) >= 0) {
        result->seed_known = true;
        result->seed = (uint64_t)json_integer_value(seed);
    }
    if (seed != NULL && !result->seed_known && *wrong == NULL)
        *wrong = "seed";
    take_text(object, "error", result->error, sizeof result->error, wrong);
    take_text(object, "refused", result->refused, sizeof result->refused, wrong);
    result->graduated = take_bool(object, "graduated", wrong) == 1;
    if (result->refused[0] != '\0')
        result->complete = true;
    else
        take_reached(object, result, wrong);
    return *wrong == NULL;
}

/* ---- into a job ---- */

/* Whether a result is of this run, as far as a result tells; settings were compared when the job was made. */
static bool is_result_of(const nlm_job *job, const nlm_result *found)
{
    nlm_result own;
    nlm_result_of_job(job, &own);
    return found->complete && found->refused[0] == '\0' && found->seed_known && found->seed == own.seed &&
           found->worlds == own.worlds && found->budget == own.budget && found->kind == own.kind &&
           strcmp(found->task, own.task) == 0 && strcmp(found->model, own.model) == 0 &&
           strcmp(found->protocol, own.protocol) == 0 && access(job->files.model, F_OK) == 0;
}

bool nlm_job_read_result(nlm_job *job)
{
    nlm_result found;
    const char *wrong;
    json_t *object = job != NULL ? json_load_file(job->result, 0, NULL) : NULL;
    const bool read = object != NULL && result_read(object, &found, &wrong) && is_result_of(job, &found);
    json_decref(object);
    if (!read)
        return false;
    const nlm_stage stage = found.graduated ? NLM_GRADUATED : NLM_EXHAUSTED;
    job->progress = (nlm_progress){.stage = stage, .rounds = found.rounds, .elapsed = fmax(found.seconds, 0)};
    job->progress.epoch.restarts = job->progress.exam.restarts = found.restarts;
    job->progress.epoch.examples = job->progress.exam.episodes = found.learned;
    for (int size = 0; size < NLM_RUN_SIZES; size++) {
        job->scores[size] = found.test[size];
        job->rich[size] = found.rich[size];
    }
    job->test_seconds = fmax(found.test_seconds, 0);
    job->program = found.program;
    return job->tested = true;
}

/* ---- results.json ---- */

bool results_read_head(const json_t *object, nlm_found_setting *head)
{
    if (!json_is_object(object) || !json_is_array(json_object_get(object, "runs")))
        return false;
    value_text(object, "version", head->version, sizeof head->version);
    value_text(object, "protocol", head->protocol, sizeof head->protocol);
    value_text(object, "processor", head->processor, sizeof head->processor);
    value_text(object, "command", head->command, sizeof head->command);
    head->cores = value_whole(object, "cores", 0);
    head->worlds = value_whole(object, "worlds", -1);
    head->seconds = value_number(object, "seconds", 0, 1e12);
    return true;
}
