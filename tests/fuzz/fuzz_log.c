/* Any bytes as a log, and as results: points that are in order and numbers that can be drawn, or notes of one
 * line. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "nlm/log.h"
#include "report/remarks.h"
#include "report/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_notes(const remarks *noted)
{
    for (int i = 0; i < noted->kept.count; i++) {
        const char *note = remarks_at(noted, i);
        require(!strncmp(note, "fuzz: ", 6));
        for (; *note; note++)
            require((unsigned char)*note >= ' ' && *note != 0x7f);
    }
}

static void check_log(const char *text, size_t size)
{
    remarks noted = {0};
    nlm_log log;
    require(nlm_log_parse(text, size, "fuzz", remarks_take, &noted, &log) == NLM_OK);
    require((log.kind == NLM_LOG_EMPTY) == (log.count == 0));
    for (int i = 0; i < log.count; i++) {
        const nlm_log_point *point = &log.points[i];
        require(point->at >= 0 && point->at <= 1e15);
        require(i == 0 || point->at >= log.points[i - 1].at);
        require(!isinf(point->loss) && !isinf(point->entropy) && !isinf(point->elapsed));
        require(isnan(point->score) || (point->score >= 0 && point->score <= 1));
        require(point->restarts >= 0 && point->lesson >= 0);
    }
    check_notes(&noted);
    remarks_release(&noted);
    nlm_log_release(&log);
}

static void check_result(const run_result *result)
{
    require(result->there && result->tests >= 0 && result->tests <= RESULT_TESTS);
    require(strlen(result->task) < RESULT_NAME && result->task[0]);
    for (int t = 0; t < result->tests; t++)
        require(result->test[t].objects >= 0 && result->test[t].first_failure >= -1);
}

static void check_results(const char *text, size_t size)
{
    run_result result;
    folder_result folder;
    json_t *value = result_parse(text, size);
    if (value && result_read(value, &result))
        check_result(&result);
    if (value && result_read_folder(value, &folder)) {
        const json_t *runs = json_object_get(value, "runs");
        for (size_t i = 0; i < json_array_size(runs); i++)
            if (result_read(json_array_get(runs, i), &result))
                check_result(&result);
    }
    json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_log((const char *)data, size);
    check_results((const char *)data, size);
    return 0;
}
