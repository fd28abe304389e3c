/* The log of one run: JSON Lines. */
#include "report/log.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include "report/values.h"

enum { LINE_MOST = 1 << 16, POINTS_MOST = 1000000, NOTED_LINES = 3 };

/* What is wrong with a line; NULL if nothing is. */
typedef const char *complaint;

/* The loss of a game has rewards in it, and may be negative. */
static complaint check_ranges(const json_t *line, bool exam)
{
    static const value_range of_epoch[] = {{"accuracy", 0, 1}, {"loss", 0, VALUE_MOST}},
                             of_exam[] = {{"success", 0, 1}, {"entropy", 0, VALUE_MOST}},
                             of_both[] = {{"epoch", 0, VALUE_MOST},
                                          {"exam", 0, VALUE_MOST},
                                          {"lesson", 0, VALUE_MOST},
                                          {"restarts", 0, VALUE_MOST},
                                          {"elapsed", 0, VALUE_MOST}};
    const bool wrong = value_out_of_range(line, of_both, sizeof of_both / sizeof *of_both) ||
                       value_out_of_range(line, exam ? of_exam : of_epoch, 2);
    return wrong ? "has a number that is out of its range" : NULL;
}

static complaint read_exam(const json_t *line, log_point *point)
{
    point->at = value_number(line, "episodes", 0, VALUE_MOST);
    point->score = value_number(line, "success", 0, 1);
    point->lesson = value_whole(line, "lesson", 0);
    point->candidate = json_is_true(json_object_get(line, "candidate"));
    point->passed = json_is_true(json_object_get(line, "passed"));
    return isnan(point->at) ? "has no number of episodes" : NULL;
}

static complaint read_epoch(const json_t *line, log_point *point)
{
    point->at = value_number(line, "examples", 0, VALUE_MOST);
    point->score = value_number(line, "accuracy", 0, 1);
    return isnan(point->at) ? "has no number of examples" : NULL;
}

static bool goes_back(const run_log *log, double at)
{
    return log->count > 0 && at < log_at(log, log->count - 1)->at;
}

/* Whether the last point is the odd one, as it lies beyond both of its neighbours. */
static bool is_last_odd(const run_log *log, double at)
{
    return goes_back(log, at) && (log->count < 2 || at >= log_at(log, log->count - 2)->at);
}

static complaint read_object(const json_t *line, run_log *log, log_point *point)
{
    const bool exam = json_object_get(line, "exam"), epoch = json_object_get(line, "epoch");
    const log_kind kind = exam ? LOG_OF_EXAMS : LOG_OF_EPOCHS;
    if (!exam && !epoch)
        return "is about neither an epoch nor an exam";
    if (log->kind != LOG_EMPTY && log->kind != kind)
        return "is of another kind than those before";
    const complaint range = check_ranges(line, exam);
    if (range)
        return range;
    *point = (log_point){.loss = value_number(line, "loss", -VALUE_MOST, VALUE_MOST),
                         .entropy = value_number(line, "entropy", 0, VALUE_MOST),
                         .elapsed = value_number(line, "elapsed", 0, VALUE_MOST),
                         .round = value_whole(line, exam ? "exam" : "epoch", 0),
                         .restarts = value_whole(line, "restarts", 0)};
    complaint wrong = exam ? read_exam(line, point) : read_epoch(line, point);
    if (!wrong && goes_back(log, point->at) && !is_last_odd(log, point->at))
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

static nlm_status add_point(run_log *log, log_point *point)
{
    const log_point *before = log->count > 0 ? log_at(log, log->count - 1) : NULL;
    if (log->kind == LOG_OF_EXAMS && before && point->at <= before->at) /* nothing was learned since */
        point->loss = point->entropy = NAN;
    if (buffer_reserve(&log->points, (size_t)log->count + 1, sizeof *point, true))
        return NLM_NO_MEMORY;
    ((log_point *)log->points.data)[log->count++] = *point;
    return NLM_OK;
}

/* A log while it is read. */
typedef struct reader {
    run_log *log;
    const char *name;
    remarks *noted;
    int number, last; /* of the line; of the one that the last point is from */
    int broken;
} reader;

static void complain(reader *in, int number, complaint wrong)
{
    if (in->broken++ < NOTED_LINES)
        remarks_add(in->noted, "%.200s: line %d %s: left out", in->name, number, wrong);
}

static nlm_status take_line(reader *in, const char *text, size_t length, bool ended)
{
    log_point point;
    complaint wrong = read_line(text, length, ended, in->log, &point);
    if (wrong) {
        complain(in, in->number, wrong);
        return NLM_OK;
    }
    if (is_last_odd(in->log, point.at)) {
        complain(in, in->last, "lies beyond the line after it");
        in->log->count--;
    }
    in->last = in->number;
    return add_point(in->log, &point);
}

nlm_status log_read(run_log *log, const char *text, size_t size, const char *name, remarks *noted)
{
    reader in = {.log = log, .name = name, .noted = noted};
    nlm_status status = NLM_OK;
    *log = (run_log){0};
    for (size_t at = 0; at < size && !status && log->count < POINTS_MOST;) {
        const char *newline = memchr(text + at, '\n', size - at);
        const size_t length = newline ? (size_t)(newline - text) - at : size - at;
        in.number++;
        if (!is_blank(text + at, length))
            status = take_line(&in, text + at, length, newline != NULL);
        at += length + 1;
    }
    const int more = in.broken - NOTED_LINES;
    if (more > 0)
        remarks_add(noted, "%.200s: %d more line%s left out", name, more, more == 1 ? " is" : "s are");
    if (log->count == POINTS_MOST)
        remarks_add(noted, "%.200s: only its first %d lines are read", name, POINTS_MOST);
    return status;
}

void log_release(run_log *log)
{
    buffer_free(&log->points);
    *log = (run_log){0};
}
