/* What finished runs reached. */
#include "report/result.h"

#include <math.h>
#include <string.h>
#include "base/json.h"

static const value_range of_result[] = {{"epochs", 0, VALUE_MOST},   {"exams", 0, VALUE_MOST},
                                        {"examples", 0, VALUE_MOST}, {"episodes", 0, VALUE_MOST},
                                        {"restarts", 0, VALUE_MOST}, {"seconds", 0, VALUE_MOST}};
static const value_range of_test[] = {{"share", 0, 1},
                                      {"moves", 0, VALUE_MOST},
                                      {"asked", 0, VALUE_MOST},
                                      {"objects", 0, VALUE_MOST},
                                      {"first_failure", 0, VALUE_MOST}};

static run_test read_test(const json_t *object)
{
    const int failure = value_whole(object, "first_failure", -1);
    return (run_test){.objects = value_whole(object, "objects", 0),
                      .asked = value_number(object, "asked", 0, VALUE_MOST),
                      .share = value_number(object, "share", 0, 1),
                      .moves = value_number(object, "moves", 0, VALUE_MOST),
                      .flawless = json_is_true(json_object_get(object, "flawless")),
                      .first_failure = failure};
}

/* Epochs or exams, examples or episodes: whichever it has. */
static double either(const json_t *object, const char *one, const char *other)
{
    const double value = value_number(object, one, 0, VALUE_MOST);
    return isnan(value) ? value_number(object, other, 0, VALUE_MOST) : value;
}

bool result_read(const json_t *object, run_result *result)
{
    const json_t *seed = json_object_get(object, "seed"), *tests = json_object_get(object, "tests");
    const bool finished = json_is_boolean(json_object_get(object, "graduated"));
    *result = (run_result){.finished = finished};
    value_text(object, "task", result->task, sizeof result->task);
    value_text(object, "model", result->by, sizeof result->by);
    if (!strcmp(result->by, "nlm"))
        result->by[0] = '\0';
    value_text(object, "refused", result->error, sizeof result->error);
    const bool refused = result->error[0] != '\0';
    if (!result->task[0] || (!finished && !refused && !json_is_false(json_object_get(object, "finished"))))
        return false;
    if (!refused)
        value_text(object, "error", result->error, sizeof result->error);
    value_text(object, "protocol", result->protocol, sizeof result->protocol);
    result->seed_known = json_is_integer(seed) && json_integer_value(seed) >= 0;
    result->seed = result->seed_known ? (uint64_t)json_integer_value(seed) : 0;
    result->graduated = json_is_true(json_object_get(object, "graduated"));
    result->rounds = either(object, "epochs", "exams");
    result->amount = either(object, "examples", "episodes");
    result->restarts = value_number(object, "restarts", 0, VALUE_MOST);
    result->seconds = value_number(object, "seconds", 0, VALUE_MOST);
    result->wrong = value_out_of_range(object, of_result, sizeof of_result / sizeof *of_result);
    for (size_t i = 0; i < json_array_size(tests) && result->tests < RESULT_TESTS; i++) {
        const json_t *test = json_array_get(tests, i);
        if (!result->wrong)
            result->wrong = value_out_of_range(test, of_test, sizeof of_test / sizeof *of_test);
        if (json_is_object(test))
            result->test[result->tests++] = read_test(test);
    }
    result->there = true;
    return true;
}

bool result_read_folder(const json_t *object, folder_result *result)
{
    *result = (folder_result){0};
    if (!json_is_object(object) || !json_is_array(json_object_get(object, "runs")))
        return false;
    value_text(object, "version", result->version, sizeof result->version);
    value_text(object, "protocol", result->protocol, sizeof result->protocol);
    value_text(object, "processor", result->processor, sizeof result->processor);
    value_text(object, "command", result->command, sizeof result->command);
    result->cores = value_whole(object, "cores", 0);
    result->worlds = value_number(object, "worlds", 0, VALUE_MOST);
    result->there = true;
    return true;
}

json_t *result_parse(const char *text, size_t size)
{
    return json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
}
