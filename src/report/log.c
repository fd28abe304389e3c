/* The log of one run: JSON Lines. */
#include "report/log.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include "report/values.h"

enum { LINE_MOST = 1 << 16, POINTS_MOST = 1000000, NOTED_LINES = 3 };

/* What is wrong with a line; NULL if nothing is. */
typedef const char *complaint;

static complaint read_exam(const json_t *line, const run_log *log, log_point *point)
{
    const log_point *before = log->count > 0 ? log_at(log, log->count - 1) : NULL;
    point->at = value_number(line, "episodes", 0, VALUE_MOST);
    point->score = value_number(line, "success", 0, 1);
    point->lesson = value_whole(line, "lesson", 0);
    point->candidate = json_is_true(json_object_get(line, "candidate"));
    point->passed = json_is_true(json_object_get(line, "passed"));
    if (before && point->at <= before->at) /* nothing was learned since */
        point->loss = point->entropy = NAN;
    return isnan(point->at) ? "has no number of episodes" : NULL;
}

static complaint read_epoch(const json_t *line, log_point *point)
{
    point->at = value_number(line, "examples", 0, VALUE_MOST);
    point->score = value_number(line, "accuracy", 0, 1);
    return isnan(point->at) ? "has no number of examples" : NULL;
}

static complaint read_object(const json_t *line, run_log *log, log_point *point)
{
    const bool exam = json_object_get(line, "exam"), epoch = json_object_get(line, "epoch");
    const log_kind kind = exam ? LOG_OF_EXAMS : LOG_OF_EPOCHS;
    if (!exam && !epoch)
        return "is about neither an epoch nor an exam";
    if (log->kind != LOG_EMPTY && log->kind != kind)
        return "is of another kind than those before";
    *point = (log_point){.loss = value_number(line, "loss", -VALUE_MOST, VALUE_MOST),
                         .entropy = value_number(line, "entropy", 0, VALUE_MOST),
                         .elapsed = value_number(line, "elapsed", 0, VALUE_MOST),
                         .round = value_whole(line, exam ? "exam" : "epoch", 0),
                         .restarts = value_whole(line, "restarts", 0)};
    complaint wrong = exam ? read_exam(line, log, point) : read_epoch(line, point);
    if (!wrong && log->count > 0 && point->at < log_at(log, log->count - 1)->at)
        wrong = "goes back behind the line before";
    if (!wrong)
        log->kind = kind;
    return wrong;
}

static complaint read_line(const char *text, size_t length, bool ended, run_log *log, log_point *point)
{
    if (length > LINE_MOST)
        return "is too long";
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    complaint wrong = ended ? "is damaged" : "is cut off";
    if (json_is_object(line))
        wrong = read_object(line, log, point);
    json_decref(line);
    return wrong;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

static nlm_status add_point(run_log *log, const log_point *point)
{
    if (buffer_reserve(&log->points, (size_t)log->count + 1, sizeof *point, true))
        return NLM_NO_MEMORY;
    ((log_point *)log->points.data)[log->count++] = *point;
    return NLM_OK;
}

nlm_status log_read(run_log *log, const char *text, size_t size, const char *name, remarks *noted)
{
    int broken = 0, number = 0;
    nlm_status status = NLM_OK;
    *log = (run_log){0};
    for (size_t at = 0; at < size && !status && log->count < POINTS_MOST;) {
        const char *newline = memchr(text + at, '\n', size - at);
        const size_t length = newline ? (size_t)(newline - text) - at : size - at;
        log_point point;
        number++;
        if (!is_blank(text + at, length)) {
            complaint wrong = read_line(text + at, length, newline != NULL, log, &point);
            if (!wrong)
                status = add_point(log, &point);
            else if (broken++ < NOTED_LINES)
                remarks_add(noted, "%.200s: line %d %s: left out", name, number, wrong);
        }
        at += length + 1;
    }
    if (broken > NOTED_LINES)
        remarks_add(noted, "%.200s: %d more lines are left out", name, broken - NOTED_LINES);
    if (log->count == POINTS_MOST)
        remarks_add(noted, "%.200s: only its first %d lines are read", name, POINTS_MOST);
    return status;
}

void log_release(run_log *log)
{
    buffer_free(&log->points);
    *log = (run_log){0};
}
