/* Curves of a group of runs. */
#include "report/curves.h"

#include <math.h>
#include <string.h>
#include "report/chart.h"
#include "report/report.h"

typedef double (*measure)(const nlm_log_point *point);

static double loss_of(const nlm_log_point *point)
{
    return point->loss;
}

static double score_of(const nlm_log_point *point)
{
    return point->score;
}

static double entropy_of(const nlm_log_point *point)
{
    return point->entropy;
}

/* ---- lines ---- */

typedef struct line_store {
    storage runs, names, numbers, marks;
    int run_count, mark_count;
} line_store;

static void release(line_store *of)
{
    storage_free(&of->runs);
    storage_free(&of->names);
    storage_free(&of->numbers);
    storage_free(&of->marks);
}

static size_t count_points(const nlm_found_runs *list, int first, int end)
{
    size_t count = 0;
    for (int i = first; i < end; i++)
        count += (size_t)nlm_found_at(list, i)->log.count;
    return count;
}

static nlm_status reserve(line_store *of, size_t runs, size_t points)
{
    nlm_status status = storage_reserve(&of->runs, runs, sizeof(chart_run), false);
    if (!status)
        status = storage_reserve(&of->names, runs, RUN_LABEL, false);
    if (!status)
        status = storage_reserve(&of->marks, points, sizeof(chart_mark), false);
    return status ? status : storage_reserve(&of->numbers, 3 * points, sizeof(double), false);
}

/* Where new weights were begun with, as the points after it tell. */
static void add_restarts(chart_run *line, const nlm_log *log)
{
    for (int i = 1; i < log->count; i++)
        if (log->points[i].restarts > log->points[i - 1].restarts)
            line->restart[line->restarts++] = log->points[i - 1].at;
}

static chart_run make_line(const nlm_found_run *run, measure value, double *room, char *name)
{
    const nlm_log *log = &run->log;
    chart_run line = {
        .name = run_label(run, name), .x = room, .y = room + log->count, .restart = room + 2 * log->count};
    for (int i = 0; i < log->count; i++) {
        const double y = value(&log->points[i]);
        if (isnan(y))
            continue;
        line.x[line.count] = log->points[i].at;
        line.y[line.count++] = y;
    }
    line.count = chart_thin(line.x, line.y, line.count, CHART_POINTS);
    add_restarts(&line, log);
    return line;
}

static nlm_status make_lines(line_store *to, const nlm_found_runs *list, int first, int end, measure value)
{
    if (reserve(to, (size_t)(end - first), count_points(list, first, end) + 1))
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
    shown.of_marks = "lessons, by their objects";
    shown.runs = store->run_count;
    shown.run = store->runs.data;
    shown.marks = store->mark_count;
    shown.mark = store->marks.data;
    return chart_put(p, &shown);
}

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
    const chart score = {
        .title = exams ? "success in exams" : "accuracy while learning", .across = across, .shares = true};
    const chart loss = {.title = "loss", .across = across, .logarithmic = true};
    const chart entropy = {.title = "entropy of the moves", .across = across};
    nlm_status status = put_chart(p, &store, list, first, end, loss, loss_of);
    if (!status)
        status = put_chart(p, &store, list, first, end, score, score_of);
    if (!status && exams)
        status = put_chart(p, &store, list, first, end, entropy, entropy_of);
    if (!status && exams)
        lessons_put(p, list, first, end);
    page_put(p, "</div>\n");
    release(&store);
    return status;
}
