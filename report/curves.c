/* Curves of a group of runs, and the lessons and exams of a game: a row for each run, from its first episode
 * to its last.
 *
 *     |    an exam that was not passed      2    the lesson that begins here, by its number of objects
 *     o    one that was                     r    new weights */
#include <math.h>
#include <stdio.h>
#include "report/chart.h"
#include "report/report.h"
#include "report/svg.h"
#include "report/words.h"

/* The curves, in the order in which they are shown. */
typedef enum measure { LOSS, SCORE, ENTROPY } measure;

/* ---- lines ---- */

typedef struct line_store {
    storage runs, names, numbers, marks;
    int run_count, mark_count;
} line_store;

static chart_run make_line(const nlm_found_run *run, measure value, double *room, char *name)
{
    const nlm_log *log = &run->log;
    chart_run line = {
        .name = run_label(run, name), .x = room, .y = room + log->count, .restart = room + 2 * log->count};
    for (int i = 0; i < log->count; i++) {
        const nlm_log_point *point = &log->points[i];
        const double y = value == LOSS ? point->loss : value == SCORE ? point->score : point->entropy;
        if (isnan(y))
            continue;
        line.x[line.count] = point->at;
        line.y[line.count++] = y;
    }
    line.count = chart_thin(line.x, line.y, line.count, CHART_POINTS);
    for (int i = 1; i < log->count; i++) /* new weights, as the points after their beginning tell */
        if (log->points[i].restarts > log->points[i - 1].restarts)
            line.restart[line.restarts++] = log->points[i - 1].at;
    return line;
}

static nlm_status make_lines(line_store *to, const nlm_found_runs *list, int first, int end, measure value)
{
    const size_t runs = (size_t)(end - first);
    size_t points = 1;
    for (int i = first; i < end; i++)
        points += (size_t)nlm_found_at(list, i)->log.count;
    if (storage_reserve(&to->runs, runs, sizeof(chart_run), false) ||
        storage_reserve(&to->names, runs, RUN_LABEL, false) ||
        storage_reserve(&to->marks, points, sizeof(chart_mark), false) ||
        storage_reserve(&to->numbers, 3 * points, sizeof(double), false))
        return NLM_NO_MEMORY;
    double *room = to->numbers.data;
    to->run_count = 0;
    for (int i = first; i < end; i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        if (run->log.count == 0)
            continue;
        char *name = (char *)to->names.data + (size_t)to->run_count * RUN_LABEL;
        ((chart_run *)to->runs.data)[to->run_count++] = make_line(run, value, room, name);
        room += 3 * (size_t)run->log.count;
    }
    return NLM_OK;
}

/* The lessons of a single run: where each began. */
static void mark_lessons(line_store *to, const nlm_log *log)
{
    chart_mark *marks = to->marks.data;
    for (int i = 0; i < log->count; i++) {
        const nlm_log_point *point = &log->points[i];
        if (i > 0 && point->lesson != log->points[i - 1].lesson)
            marks[to->mark_count++] = (chart_mark){point->at, point->lesson};
    }
}

static nlm_status put_chart(page *p, line_store *store, const nlm_found_runs *list, int first, int end,
                            chart shown, measure value)
{
    nlm_status status = make_lines(store, list, first, end, value);
    if (status)
        return status;
    store->mark_count = 0;
    if (end - first == 1 && nlm_found_at(list, first)->log.kind == NLM_LOG_OF_EXAMS)
        mark_lessons(store, &nlm_found_at(list, first)->log);
    shown.of_marks = "start of a lesson, by number of objects";
    shown.runs = store->run_count;
    shown.run = store->runs.data;
    shown.marks = store->mark_count;
    shown.mark = store->marks.data;
    return chart_put(p, &shown);
}

/* ---- lessons and exams ---- */

enum {
    WIDTH = 420,
    LEFT = 70,
    RIGHT = 22,
    TOP = 8,
    ROW = 26,
    BOTTOM = 34,
    ROOM = 11,
    APART = 2,
    NAME_SHOWN = 9
};

/* All exams that were passed, or that failed, as one path; those too near to the one before are not seen
 * anyway. */
static void put_exams(page *p, const nlm_log *log, const axis *across, double y, bool passed)
{
    double before = -1;
    page_print(p, "<path class=\"%s\" d=\"", passed ? "passed" : "failed");
    for (int i = 0; i < log->count; i++) {
        const double x = axis_place(across, log->points[i].at);
        if (log->points[i].passed != passed || x < before + (passed ? 1 : 2))
            continue;
        if (passed)
            page_print(p, "M%.1f %.1fa3 3 0 1 0 6 0a3 3 0 1 0-6 0", x - 3, y);
        else
            page_print(p, "M%.1f %.1fv8", x, y - 4);
        before = x;
    }
    page_put(p, "\"/>\n");
}

/* Numbers of lessons above the row, where there is room for them, and new beginnings. */
static void put_numbers(page *p, const nlm_log *log, const axis *across, double y)
{
    double free_from = 0, before = -APART;
    int lesson = -1, restarts = 0;
    for (int i = 0; i < log->count; i++) {
        const nlm_log_point *point = &log->points[i];
        const double x = axis_place(across, point->at);
        const bool again = point->restarts > restarts;
        if (again && x >= before + APART) {
            svg_text(p, "restart", x, y + 12, "middle", "r");
            before = x;
        }
        if ((point->lesson != lesson || again) && x >= free_from) {
            svg_integer(p, "lesson", x, y - 6, point->lesson);
            free_from = x + ROOM;
        }
        lesson = point->lesson;
        restarts = point->restarts;
    }
}

static void put_lesson_row(page *p, const nlm_found_run *run, const axis *across, double y)
{
    const nlm_log *log = &run->log;
    char label[RUN_LABEL], shown[CUT_SIZE]; /* as much as has room beside the row; all under the pointer */
    run_label(run, label);
    page_print(p, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, y + 4);
    page_wrap(p, "<title>", run->seed_known ? label : run->name, "</title>");
    page_wrap(p, "", word_cut(label, NAME_SHOWN, shown), "</text>\n");
    if (log->count == 0)
        return;
    const double end = axis_place(across, log->points[log->count - 1].at);
    svg_line(p, "way", across->low, y, end, y);
    put_exams(p, log, across, y, false);
    put_exams(p, log, across, y, true);
    put_numbers(p, log, across, y);
    if (run->state == NLM_FOUND_GRADUATED)
        svg_text(p, "good", end + 5, y + 4, "start", "\xe2\x9c\x93");
    if (run->state == NLM_FOUND_NOT_GRADUATED)
        svg_text(p, "bad", end + 5, y + 4, "start", "\xe2\x9c\x97");
}

static void put_lessons(page *p, const nlm_found_runs *list, int first, int end)
{
    double last = 1;
    for (int i = first; i < end; i++) {
        const nlm_log *log = &nlm_found_at(list, i)->log;
        last = log->count > 0 ? fmax(last, log->points[log->count - 1].at) : last;
    }
    const double height = TOP + ROW * (end - first) + BOTTOM;
    const axis across = axis_make(0, last, false, LEFT, WIDTH - RIGHT);
    double ticks[TICKS_MOST];
    char text[TICK_SIZE];
    const double step = axis_step(&across, 6);
    page_put(p, "<figure class=\"chart\"><figcaption>lessons and exams <small>(a number: a lesson with this "
                "number of objects begins; "
                "<span class=\"passed\">\xe2\x97\x8f</span> passed, <span class=\"failed\">|</span> "
                "failed, r: restarted)</small></figcaption>\n");
    svg_begin(p, WIDTH, height, false, "lessons", "lessons and exams of each run over its episodes");
    svg_group(p, "axes", 0, 0);
    for (int i = 0, count = axis_ticks(&across, 6, ticks); i < count; i++) {
        const double x = axis_place(&across, ticks[i]);
        svg_line(p, NULL, x, TOP, x, height - BOTTOM);
        svg_text(p, NULL, x, height - BOTTOM + 16, "middle", tick_text(ticks[i], step, false, false, text));
    }
    svg_text(p, NULL, WIDTH - RIGHT, height - 4, "end", "episodes");
    svg_group_end(p);
    for (int i = first; i < end; i++)
        put_lesson_row(p, nlm_found_at(list, i), &across, TOP + ROW * (i - first) + 0.65 * ROW);
    svg_end(p);
    page_put(p, "</figure>\n");
}

/* ---- all of them ---- */

nlm_status curves_put(page *p, const nlm_found_runs *list, int first, int end)
{
    nlm_log_kind kind = NLM_LOG_EMPTY;
    for (int i = first; i < end; i++)
        kind = nlm_found_at(list, i)->log.kind != NLM_LOG_EMPTY ? nlm_found_at(list, i)->log.kind : kind;
    if (kind == NLM_LOG_EMPTY)
        return NLM_OK;
    const bool exams = kind == NLM_LOG_OF_EXAMS;
    const char *across = exams ? "episodes" : "examples";
    line_store store = {0};
    page_put(p, "<div class=\"charts\">\n");
    const chart shown[] = {
        [LOSS] = {.title = "loss", .across = across, .logarithmic = true},
        [SCORE] = {.title = exams ? "success in exams" : "accuracy while learning",
                   .across = across,
                   .shares = true},
        [ENTROPY] = {.title = "entropy of the moves", .across = across},
    };
    nlm_status status = NLM_OK;
    for (measure value = LOSS; value <= (exams ? ENTROPY : SCORE) && !status; value++)
        status = put_chart(p, &store, list, first, end, shown[value], value);
    if (!status && exams)
        put_lessons(p, list, first, end);
    page_put(p, "</div>\n");
    storage_free(&store.runs);
    storage_free(&store.names);
    storage_free(&store.numbers);
    storage_free(&store.marks);
    return status;
}
