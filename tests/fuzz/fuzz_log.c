/* Any bytes as a log: points that are in order and numbers that can be drawn, or notes of one line. */
#include <math.h>

#include "fuzz.h"
#include "nlm/log.h"

static void check_note(void *context, const char *note)
{
    ++*(int *)context;
    require(!strncmp(note, "fuzz: ", 6));
    check_line(note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int notes = 0;
    nlm_log log;
    require(nlm_log_parse((const char *)data, size, "fuzz", check_note, &notes, &log) == NLM_OK);
    require((log.kind == NLM_LOG_EMPTY) == (log.count == 0));
    require(notes <= 5);
    for (int i = 0; i < log.count; i++) {
        const nlm_log_point *point = &log.points[i];
        require(point->at >= 0 && point->at <= 1e15);
        require(i == 0 || point->at >= log.points[i - 1].at);
        require(!isinf(point->loss) && !isinf(point->entropy) && !isinf(point->elapsed));
        require(isnan(point->score) || (point->score >= 0 && point->score <= 1));
        require(point->restarts >= 0 && point->lesson >= 0);
    }
    nlm_log_release(&log);
    return 0;
}
