/* The outcome of a run: what it showed, as JSON in a file, and back.
 *
 * A file that cannot be read, or does not say all that it should, counts as not there: the run is then
 * tested again, and its model is all that it takes. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "nlm/tools.h"
#include "reproduce.h"

bool outcome_path(const reproduction *of, const outcome *one, const char *ending, char path[REPRODUCE_PATH])
{
    return snprintf(path, REPRODUCE_PATH, "%s/%s/seed-%llu.%s", of->folder, reproduce_name(one->subject),
                    (unsigned long long)one->seed, ending) < REPRODUCE_PATH;
}

/* ---- from a run ---- */

/* The time that the last whole line of a log tells; below 0 if there is none. */
static double logged_seconds(const char *path)
{
    static const char key[] = "\"elapsed\": ";
    double seconds = -1;
    char *line = NULL;
    size_t size = 0;
    FILE *log = fopen(path, "r");
    while (log != NULL && getline(&line, &size, log) > 0) {
        const char *found = strstr(line, key);
        if (found != NULL && strchr(line, '\n') != NULL)
            seconds = strtod(found + strlen(key), NULL);
    }
    free(line);
    if (log != NULL)
        fclose(log);
    return isfinite(seconds) ? seconds : -1;
}

void outcome_take(outcome *to, const crew_run *from)
{
    const report *result = &from->result;
    const bool game = from->run.subject.kind == &learner_of_games;
    const bool refused = reproduce_model_of(to->subject) != REPRODUCE_NLM && from->result.refused;
    to->finished = refused || crew_finished(from);
    to->error[0] = to->refused[0] = '\0';
    if (from->status != NLM_OK)
        snprintf(refused ? to->refused : to->error, REPRODUCE_TEXT, "%.*s", REPRODUCE_TEXT - 1,
                 from->error.message);
    if (!to->finished || refused)
        return;
    to->budget = reproduce_budget(&from->run.subject);
    to->graduated = result->stage == NLM_GRADUATED;
    to->rounds = result->rounds;
    to->restarts = game ? result->exam.restarts : result->epoch.restarts;
    to->learned = game ? result->exam.episodes : result->epoch.examples;
    to->seconds = game ? result->exam.elapsed : result->epoch.elapsed;
    if (result->was_done)
        to->seconds = logged_seconds(from->log);
    to->test_seconds = from->test_seconds;
    memcpy(to->tests, from->scores, sizeof to->tests);
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

static void write_test(FILE *file, const nlm_score *test, int objects, bool game)
{
    fprintf(file, "{\"objects\": %d, \"asked\": %d, \"share\": %.15g, \"flawless\": %s", objects, test->asked,
            test->right, test->first_failure < 0 ? "true" : "false");
    write_known(file, "first_failure", test->first_failure, "%.0f");
    if (!game) {
        write_known(file, "macro_accuracy", test->macro, "%.15g");
        write_known(file, "squared_error", test->squared_error, "%.15g");
    } else {
        write_known(file, "moves", test->right > 0 ? test->moves : -1, "%.15g");
        write_known(file, "optimal_moves", test->right > 0 ? test->optimal_moves : -1, "%.15g");
    }
    putc('}', file);
}

void outcome_write(FILE *file, const reproduction *of, const outcome *one)
{
    const bool game = reproduce_subject(one->subject).game != NULL;
    int sizes[LEARNER_SIZES];
    reproduce_sizes(one->subject, sizes);
    fprintf(file,
            "{\"task\": \"%s\", \"model\": \"%s\", \"seed\": %llu, \"protocol\": \"%s\", \"worlds\": %d",
            reproduce_task(one->subject), reproduce_model_name(reproduce_model_of(one->subject)),
            (unsigned long long)one->seed, nlm_protocol_name(reproduce_protocol(of, one->subject)),
            reproduce_worlds(of, one->subject));
    if (one->refused[0] != '\0') {
        fputs(", \"refused\": ", file);
        nlm_json_text(file, one->refused);
        putc('}', file);
        return;
    }
    write_known(file, "budget", one->budget > 0 ? one->budget : -1, "%.0f");
    fprintf(file, ", \"graduated\": %s, \"%s\": %d, \"restarts\": %d, \"%s\": %ld",
            one->graduated ? "true" : "false", game ? "exams" : "epochs", one->rounds, one->restarts,
            game ? "episodes" : "examples", one->learned);
    write_known(file, "seconds", one->seconds, "%.3f");
    write_known(file, "test_seconds", one->test_seconds, "%.3f");
    fputs(", \"tests\": [", file);
    for (int size = 0; size < LEARNER_SIZES; size++) {
        fputs(size > 0 ? ", " : "", file);
        write_test(file, &one->tests[size], sizes[size], game);
    }
    fputs("]}", file);
}

/* ---- and back ---- */

/* Each takes one value and leaves *good alone, or makes it false. */

static double get_number(const json_t *object, const char *key, double least, double most, bool *good)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= least && number <= most))
        *good = false;
    return *good ? number : 0;
}

static int get_int(const json_t *object, const char *key, int most, bool *good)
{
    *good = *good && json_is_integer(json_object_get(object, key));
    return (int)get_number(object, key, 0, most, good);
}

/* -1 for null, and where the key may be missing. */
static double get_known(const json_t *object, const char *key, bool *good)
{
    const json_t *value = json_object_get(object, key);
    return value == NULL || json_is_null(value) ? -1 : get_number(object, key, 0, 1e15, good);
}

static bool get_bool(const json_t *object, const char *key, bool *good)
{
    const json_t *value = json_object_get(object, key);
    *good = *good && json_is_boolean(value);
    return json_is_true(value);
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *found = json_string_value(json_object_get(object, key));
    return found != NULL && strcmp(found, text) == 0;
}

/* What a test shows must not contradict itself. */
static bool is_consistent(const nlm_score *test, bool flawless, bool game)
{
    return flawless == (test->first_failure < 0) && flawless == (test->right >= 1) &&
           (!game || test->right <= 0 || test->moves >= 0);
}

static void get_test(const json_t *object, int objects, bool game, int worlds, nlm_score *test, bool *good)
{
    *test = (nlm_score){.asked = get_int(object, "asked", worlds, good),
                        .right = get_number(object, "share", 0, 1, good),
                        .first_failure = (int)fmin(get_known(object, "first_failure", good), worlds),
                        .moves = get_known(object, "moves", good),
                        .optimal_moves = get_known(object, "optimal_moves", good),
                        .macro = get_known(object, "macro_accuracy", good),
                        .squared_error = get_known(object, "squared_error", good)};
    const bool flawless = get_bool(object, "flawless", good);
    const bool same = get_int(object, "objects", INT_MAX, good) == objects && test->asked == worlds;
    *good = *good && same && test->first_failure < worlds && test->macro <= 1 &&
            is_consistent(test, flawless, game);
}

static bool get_outcome(const json_t *object, const reproduction *of, outcome *one)
{
    const bool game = reproduce_subject(one->subject).game != NULL;
    const json_t *tests = json_object_get(object, "tests");
    bool good = json_array_size(tests) == LEARNER_SIZES;
    int sizes[LEARNER_SIZES];
    reproduce_sizes(one->subject, sizes);
    one->graduated = get_bool(object, "graduated", &good);
    one->rounds = get_int(object, game ? "exams" : "epochs", INT_MAX, &good);
    one->restarts = get_int(object, "restarts", 1000000, &good);
    one->learned = (long)get_number(object, game ? "episodes" : "examples", 0, 1e15, &good);
    one->seconds = get_known(object, "seconds", &good);
    one->test_seconds = get_known(object, "test_seconds", &good);
    for (size_t size = 0; size < LEARNER_SIZES; size++)
        get_test(json_array_get(tests, size), sizes[size], game, reproduce_worlds(of, one->subject),
                 &one->tests[size], &good);
    return good;
}

/* Files of earlier versions do not tell the model: it was the machine. */
static bool is_of_model(const json_t *object, reproduce_model model)
{
    return json_object_get(object, "model") == NULL ? model == REPRODUCE_NLM
                                                    : is_text(object, "model", reproduce_model_name(model));
}

/* Where nobody tells, it is the usual one; false of a run that is wanted with another. */
static bool has_budget(const json_t *object, const reproduction *of, outcome *one, bool *good)
{
    subject wanted;
    const double budget = get_known(object, "budget", good);
    one->budget = budget > 0 ? (int)fmin(budget, INT_MAX) : 0;
    return one->budget == 0 || !one->wanted || reproduce_model_of(one->subject) != REPRODUCE_MEMNN ||
           reproduce_make(of, one->subject, &wanted, NULL) != NLM_OK ||
           one->budget == reproduce_budget(&wanted);
}

/* Whether it tells of a training that cannot begin, and why. */
static bool get_refused(const json_t *object, outcome *one)
{
    const char *why = json_string_value(json_object_get(object, "refused"));
    snprintf(one->refused, sizeof one->refused, "%.*s", REPRODUCE_TEXT - 1, why != NULL ? why : "");
    return one->refused[0] != '\0';
}

static outcome_found judge(const json_t *object, const reproduction *of, outcome *one)
{
    bool good = true;
    const json_t *worlds = json_object_get(object, "worlds");
    nlm_protocol protocol;
    const char *named = json_string_value(json_object_get(object, "protocol"));
    const json_int_t seed = json_integer_value(json_object_get(object, "seed"));
    if (!is_text(object, "task", reproduce_task(one->subject)) ||
        !is_of_model(object, reproduce_model_of(one->subject)) || seed < 0 || (uint64_t)seed != one->seed ||
        named == NULL || !nlm_protocol_find(named, &protocol) || !json_is_integer(worlds))
        return OUTCOME_BROKEN;
    if (protocol != reproduce_protocol(of, one->subject) ||
        json_integer_value(worlds) != reproduce_worlds(of, one->subject) ||
        !has_budget(object, of, one, &good))
        return OUTCOME_OTHER;
    return good && (get_refused(object, one) || get_outcome(object, of, one)) ? OUTCOME_READ : OUTCOME_BROKEN;
}

outcome_found outcome_read(const reproduction *of, outcome *one)
{
    char path[REPRODUCE_PATH];
    if (!outcome_path(of, one, "json", path) || (access(path, F_OK) != 0 && errno == ENOENT))
        return OUTCOME_NONE;
    json_t *object = json_load_file(path, 0, NULL);
    const outcome_found found = object != NULL ? judge(object, of, one) : OUTCOME_BROKEN;
    json_decref(object);
    one->finished = found == OUTCOME_READ;
    return found;
}
