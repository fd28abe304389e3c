/* Any bytes as the result of a run, and as results.json: refused, or numbers that can be.  A result that was
 * read and is complete is written and read again, and is the same. */
#include <math.h>

#include "fuzz.h"
#include "study/study.h"

static void check_numbers(const nlm_result *result)
{
    require(result->task[0] && memchr(result->task, 0, sizeof result->task) != NULL);
    require(result->tests >= 0 && result->tests <= NLM_TEST_SIZES);
    require(result->rounds >= -1 && result->restarts >= -1 && result->learned >= -1 && result->budget >= 0);
    require(result->seconds >= -1 && result->seconds <= 1e15 && result->worlds >= -1);
    for (int t = 0; t < result->tests; t++) {
        const nlm_score *test = &result->test[t];
        require(test->objects >= -1 && test->asked >= -1 && test->first_failure >= -1 && test->failed >= 0);
        require(test->right <= 1 && (test->right >= 0 || test->right == -1));
        require(test->macro <= 1 && test->moves <= 1e15 && test->squared_error <= 1e15);
    }
}

static void check_again(const nlm_result *result)
{
    char *text = NULL, *again = NULL;
    size_t size, size_again;
    nlm_result read;
    const char *wrong;
    json_error_t error;
    FILE *file = open_memstream(&text, &size);
    result_write(file, result);
    fclose(file);
    json_t *object = json_loadb(text, size, 0, &error);
    require(object != NULL && result_read(object, &read, &wrong) && read.complete);
    file = open_memstream(&again, &size_again);
    result_write(file, &read);
    fclose(file);
    require(size == size_again && memcmp(text, again, size) == 0);
    json_decref(object);
    free(text);
    free(again);
}

/* The settings of a record are those of a run, or the error says what differs. */
static void check_record(const json_t *object, const nlm_task *task)
{
    nlm_settings wanted;
    nlm_error error = {0};
    if (task == NULL || nlm_settings_of_task(task, NLM_PROTOCOL_BEST, &wanted, NULL) != NLM_OK)
        return;
    const nlm_status status = record_compare(object, &wanted, "a.json", &error);
    require(status == NLM_OK || (error.message[0] != '\0' && strncmp(error.message, "a.json: ", 8) == 0));
}

static void check_result(const json_t *object)
{
    nlm_result result;
    nlm_sums sums = {0};
    const char *wrong;
    if (!result_read(object, &result, &wrong))
        return;
    require(wrong == NULL);
    check_numbers(&result);
    nlm_sums_add(&sums, &result);
    nlm_sums_end(&sums);
    require(sums.runs == 1 && sums.exact <= sums.graduated && isfinite(sums.all.share[0]));
    const bool known = nlm_task_find(result.task) != NULL || nlm_game_find(result.task) != NULL;
    if (result.finished && result.complete && known)
        check_again(&result);
    check_record(object, nlm_task_find(result.task));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_found_setting head;
    json_t *value = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (value != NULL) {
        check_result(value);
        if (results_read_head(value, &head)) {
            const json_t *runs = json_object_get(value, "runs");
            require(head.cores >= 0 && head.worlds >= -1);
            for (size_t i = 0; i < json_array_size(runs); i++)
                check_result(json_array_get(runs, i));
        }
    }
    json_decref(value);
    return 0;
}
