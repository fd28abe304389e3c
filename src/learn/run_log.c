/* Logs of runs: the one place that knows their lines.  The tables of docs/formats.md are the format.
 *
 * Writing.  Every line is flushed when it is written, before the checkpoint of its round.  A log may thus be
 * ahead of the checkpoint by one line, never behind it; nlm_log_open cuts that line off.
 *
 * Reading.  Logs may be edited, joined or cut off, so lines are read without trust.  A line that is wrong is
 * left out and noted, and the rest is read: a page with a gap is better than none.  The points that are kept
 * never go back in the number of examples or episodes.
 *
 *     {"epoch": 1, "loss": 0.246260302, "accuracy": 0.95355, ..., "examples": 1000, ..., "elapsed": 0.192}
 *     {"exam": 1, "lesson": 3, "candidate": false, "passed": true, "episodes": 200, ..., "elapsed": 1.204} */
#include "nlm/log.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

/* ---- writing ---- */

/* errno is still that of the call that failed. */
static nlm_status fail(nlm_error *error, const char *path)
{
    return error_set(error, NLM_IO_ERROR, "%.200s: cannot write the log: %s", path, strerror(errno));
}

/* Opening for appending neither reads nor changes what is there; a log that was not there is now empty. */
nlm_status nlm_log_check(const char *path, nlm_error *error)
{
    REQUIRE(path, error);
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return NLM_OK; /* opening a pipe twice would leave its reader */
    FILE *log = fopen(path, "a");
    return log != NULL && fclose(log) == 0 ? NLM_OK : fail(error, path);
}

/* The offset after the whole lines of the first `rounds` rounds.  It ends at the first line that is of
 * another kind, of a later round, or without a newline: the run was killed while it was written. */
static long skip_lines(FILE *log, const char *round, int rounds)
{
    long end = 0;
    /* only the beginning of a line is parsed, {"epoch": 12 or {"exam": 12, and the rest skipped */
    char name[16];
    int number;
    while (fscanf(log, "{\"%15[a-z]\": %d", name, &number) == 2 && strcmp(name, round) == 0 &&
           number <= rounds) {
        int c;
        while ((c = fgetc(log)) != EOF && c != '\n')
            continue;
        if (c == EOF)
            break;
        end = ftell(log);
    }
    return end;
}

/* A run that begins empties the file; one that is resumed keeps the lines of its rounds.  What is no regular
 * file, a pipe or a device, has nothing to be kept. */
nlm_status nlm_log_open(const char *path, const char *round, int rounds, FILE **log, nlm_error *error)
{
    REQUIRE(path && round && log, error);
    /* "r+" keeps what is there and allows to cut it; a run that begins empties the file */
    *log = fopen(path, rounds > 0 ? "r+" : "w");
    if (*log == NULL && rounds > 0 && errno == ENOENT)
        *log = fopen(path, "w");
    if (*log == NULL)
        return fail(error, path);
    struct stat about;
    if (rounds == 0 || (fstat(fileno(*log), &about) == 0 && !S_ISREG(about.st_mode)))
        return NLM_OK;
    /* what follows `end` is of rounds that will be computed again */
    const long end = skip_lines(*log, round, rounds);
    if (end >= 0 && fseek(*log, end, SEEK_SET) == 0 && ftruncate(fileno(*log), (off_t)end) == 0)
        return NLM_OK;
    const nlm_status status = fail(error, path);
    fclose(*log);
    *log = NULL;
    return status;
}

/* A full disk shows when the line is flushed, not before. */
static nlm_status end_line(FILE *log, const char *path, nlm_error *error)
{
    return fflush(log) == 0 && !ferror(log) ? NLM_OK : fail(error, path);
}

/* Nine digits tell all floats apart; times have milliseconds, being the only numbers that differ from one run
 * to the next.  The number of the round comes first: skip_lines looks for it there. */
nlm_status nlm_log_write_epoch(FILE *log, const char *path, const nlm_epoch *epoch, long epoch_examples,
                               nlm_error *error)
{
    REQUIRE(log && path && epoch, error);
    const double speed = epoch->seconds > 0 ? (double)epoch_examples / epoch->seconds : 0;
    fprintf(
        log,
        "{\"epoch\": %d, \"loss\": %.9g, \"accuracy\": %.9g, \"balanced_accuracy\": %.9g, \"wrong\": %zu, "
        "\"tuples\": %zu, \"examples\": %ld, \"drawn\": %ld, \"examples_per_second\": %.1f, "
        "\"gradient_norm\": %.9g, "
        "\"restarts\": %d, \"failures\": %d, \"exam_tuples\": %zu, \"exam_wrong\": %zu, "
        "\"elapsed\": %.3f}\n",
        epoch->epoch, epoch->loss, epoch->accuracy, epoch->balanced_accuracy, epoch->wrong, epoch->tuples,
        epoch->examples, epoch->drawn, speed, epoch->gradient_norm, epoch->restarts, epoch->failures,
        epoch->asked, epoch->failed, epoch->elapsed);
    return end_line(log, path, error);
}

nlm_status nlm_log_write_exam(FILE *log, const char *path, const nlm_exam *exam, nlm_error *error)
{
    REQUIRE(log && path && exam, error);
    fprintf(log,
            "{\"exam\": %d, \"lesson\": %d, \"candidate\": %s, \"passed\": %s, \"episodes\": %ld, "
            "\"drawn\": %ld, \"restarts\": %d, \"asked\": %d, \"solved\": %d, \"success\": %.9g, "
            "\"threshold\": %.9g, \"moves\": %.9g, \"train_success\": %.9g, \"loss\": %.9g, "
            "\"entropy\": %.9g, \"elapsed\": %.3f}\n",
            exam->exam, exam->lesson, exam->candidate ? "true" : "false", exam->passed ? "true" : "false",
            exam->episodes, exam->drawn, exam->restarts, exam->asked, exam->solved, exam->success,
            exam->threshold, exam->moves, exam->train_success, exam->loss, exam->entropy, exam->elapsed);
    return end_line(log, path, error);
}

/* ---- reading ---- */

/* Bytes of a log and of a line, points of a log, notes about single lines, bytes of a note.  Files beyond
 * these limits are no logs, and must not cost memory or fill a screen. */
enum { LOG_MOST = 64 << 20, LINE_MOST = 1 << 16, POINTS_MOST = 1000000, NOTED_LINES = 3, LINE_SAID = 600 };

/* What is wrong with a line; NULL if nothing is. */
typedef const char *complaint;

static bool goes_back(const nlm_log *log, double at)
{
    return log->count > 0 && at < log->points[log->count - 1].at;
}

/* Whether the last point is the odd one, as it lies beyond both of its neighbours: one damaged number, say
 * 90000 in place of 9000, must not make all lines after it look as if they went back. */
static bool is_last_odd(const nlm_log *log, double at)
{
    return goes_back(log, at) && (log->count < 2 || at >= log->points[log->count - 2].at);
}

/* One line as a point.  Numbers that are missing become NaN (value_number); the number of examples or
 * episodes must be there, as it is the axis of all curves.  The first good line decides the log's kind. */
static complaint read_object(const json_t *line, nlm_log *log, nlm_log_point *point)
{
    const bool exam = json_object_get(line, "exam"), epoch = json_object_get(line, "epoch");
    const nlm_log_kind kind = exam ? NLM_LOG_OF_EXAMS : NLM_LOG_OF_EPOCHS;
    if (!exam && !epoch)
        return "is about neither an epoch nor an exam";
    if (log->kind != NLM_LOG_EMPTY && log->kind != kind)
        return "is of another kind than those before";
    /* the loss of a game has rewards in it, and may be negative */
    static const value_range ranges[] = {
        {"loss", 0, VALUE_MOST},   {"accuracy", 0, 1},          {"success", 0, 1},
        {"epoch", 0, VALUE_MOST},  {"exam", 0, VALUE_MOST},     {"entropy", 0, VALUE_MOST},
        {"lesson", 0, VALUE_MOST}, {"restarts", 0, VALUE_MOST}, {"elapsed", 0, VALUE_MOST}};
    /* of exams, the row of the loss is skipped */
    if (value_out_of_range(line, ranges + exam, sizeof ranges / sizeof *ranges - exam))
        return "has a number that is out of its range";
    *point = (nlm_log_point){.at = value_number(line, exam ? "episodes" : "examples", 0, VALUE_MOST),
                             .score = value_number(line, exam ? "success" : "accuracy", 0, 1),
                             .loss = value_number(line, "loss", -VALUE_MOST, VALUE_MOST),
                             .entropy = value_number(line, "entropy", 0, VALUE_MOST),
                             .elapsed = value_number(line, "elapsed", 0, VALUE_MOST),
                             .drawn = value_number(line, "drawn", 0, VALUE_MOST),
                             .round = value_whole(line, exam ? "exam" : "epoch", 0),
                             .restarts = value_whole(line, "restarts", 0),
                             .lesson = exam ? value_whole(line, "lesson", 0) : 0,
                             .candidate = exam && json_is_true(json_object_get(line, "candidate")),
                             .passed = exam && json_is_true(json_object_get(line, "passed"))};
    if (isnan(point->at))
        return exam ? "has no number of episodes" : "has no number of examples";
    if (goes_back(log, point->at) && !is_last_odd(log, point->at))
        return "goes back behind the line before";
    log->kind = kind;
    return NULL;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

/* A log while it is read. */
typedef struct reader {
    nlm_log *log;
    buffer points; /* of the log */
    const char *name;
    nlm_note note;
    void *context;
    int number, last; /* of the line; of the one that the last point is from */
    int broken;
} reader;

static void __attribute__((format(printf, 2, 3))) say(const reader *in, const char *format, ...)
{
    char line[LINE_SAID];
    const int used = snprintf(line, sizeof line, "%.200s: ", in->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    if (in->note)
        in->note(in->context, line);
}

static void complain(reader *in, int number, complaint wrong)
{
    if (in->broken++ < NOTED_LINES)
        say(in, "line %d %s: left out", number, wrong);
}

/* Adds the point of a line, or complains about the line.  Fails for want of memory only. */
static nlm_status take_line(reader *in, const char *text, size_t length, bool ended)
{
    nlm_log *log = in->log;
    nlm_log_point point;
    complaint wrong = "is too long";
    if (length <= LINE_MOST) {
        json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
        wrong = json_is_object(line) ? read_object(line, log, &point) : ended ? "is damaged" : "is cut off";
        json_decref(line);
    }
    if (wrong) {
        complain(in, in->number, wrong);
        return NLM_OK;
    }
    /* drop the line before, and blame it by its own number */
    if (is_last_odd(log, point.at)) {
        complain(in, in->last, "lies beyond the line after it");
        log->count--;
    }
    in->last = in->number;
    /* an exam that followed another at once has the means of no updates, written as 0 */
    if (log->kind == NLM_LOG_OF_EXAMS && log->count > 0 && point.at <= log->points[log->count - 1].at)
        point.loss = point.entropy = NAN; /* nothing was learned since */
    if (buffer_reserve(&in->points, (size_t)log->count + 1, sizeof point, true))
        return NLM_NO_MEMORY;
    log->points = in->points.data;
    log->points[log->count++] = point;
    return NLM_OK;
}

/* Lines end with '\n'; the last may lack it, and is then "cut off" if it is no object.  Notes about single
 * lines are limited, the rest is counted. */
nlm_status nlm_log_parse(const char *text, size_t size, const char *name, nlm_note note, void *context,
                         nlm_log *log)
{
    REQUIRE(text && name && log, NULL);
    reader in = {.log = log, .name = name, .note = note, .context = context};
    nlm_status status = NLM_OK;
    *log = (nlm_log){0};
    /* blank lines count, so that numbers in notes are those of an editor */
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
        say(&in, "%d more line%s left out", more, more == 1 ? " is" : "s are");
    if (log->count == POINTS_MOST)
        say(&in, "only its first %d lines are read", POINTS_MOST);
    return status;
}

void nlm_log_release(nlm_log *log)
{
    memory_free(log->points);
    *log = (nlm_log){0};
}

/* For who only wants to know how far a run came: problems of the file are not reported. */
bool nlm_log_last(const char *path, nlm_log_point *point)
{
    buffer text = {0};
    size_t size = 0;
    nlm_log log = {0};
    if (!file_read_all(path, LOG_MOST, &text, &size, NULL) &&
        !nlm_log_parse(text.data, size, path, NULL, NULL, &log) && log.count > 0)
        *point = log.points[log.count - 1];
    const bool found = log.count > 0;
    nlm_log_release(&log);
    buffer_free(&text);
    return found;
}
