/* Lessons and exams: a row for each run, from its first episode to its last.
 *
 *     |    an exam that was not passed      2    the lesson that begins here, by its number of objects
 *     o    one that was                     r    new weights */
#include <stdio.h>
#include "report/report.h"
#include "report/chart.h"
#include "report/curves.h"
#include "report/svg.h"
#include "report/words.h"

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

static double last_of_all(const nlm_found_runs *list, int first, int end)
{
    double last = 1;
    for (int i = first; i < end; i++) {
        const nlm_log *log = &nlm_found_at(list, i)->log;
        if (log->count > 0 && log->points[log->count - 1].at > last)
            last = log->points[log->count - 1].at;
    }
    return last;
}

/* All exams that failed as one path; those nearer than two places to the one before are not seen anyway. */
static void put_failed(page *p, const nlm_log *log, const axis *across, double y)
{
    double before = -1;
    page_put(p, "<path class=\"failed\" d=\"");
    for (int i = 0; i < log->count; i++) {
        const double x = axis_place(across, log->points[i].at);
        if (log->points[i].passed || x < before + 2)
            continue;
        page_print(p, "M%.1f %.1fv8", x, y - 4);
        before = x;
    }
    page_put(p, "\"/>\n");
}

static void put_passed(page *p, const nlm_log *log, const axis *across, double y)
{
    double before = -1;
    page_put(p, "<path class=\"passed\" d=\"");
    for (int i = 0; i < log->count; i++) {
        const double x = axis_place(across, log->points[i].at);
        if (!log->points[i].passed || x < before + 1)
            continue;
        page_print(p, "M%.1f %.1fa3 3 0 1 0 6 0a3 3 0 1 0-6 0", x - 3, y);
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
        char text[16];
        const bool again = point->restarts > restarts;
        if (again && x >= before + APART) {
            svg_text(p, "restart", x, y + 12, "middle", "r");
            before = x;
        }
        if ((point->lesson != lesson || again) && x >= free_from) {
            snprintf(text, sizeof text, "%d", point->lesson);
            svg_text(p, "lesson", x, y - 6, "middle", text);
            free_from = x + ROOM;
        }
        lesson = point->lesson;
        restarts = point->restarts;
    }
}

/* As much as has room beside the row; all of it under the pointer. */
static void put_name(page *p, const nlm_found_run *run, double y)
{
    char label[RUN_LABEL], shown[CUT_SIZE];
    run_label(run, label);
    page_print(p, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\"><title>", LEFT - 6, y + 4);
    page_text(p, run->seed_known ? label : run->name);
    page_put(p, "</title>");
    page_text(p, word_cut(label, NAME_SHOWN, shown));
    page_put(p, "</text>\n");
}

static void put_row(page *p, const nlm_found_run *run, const axis *across, double y)
{
    const nlm_log *log = &run->log;
    put_name(p, run, y);
    if (log->count == 0)
        return;
    const double end = axis_place(across, log->points[log->count - 1].at);
    svg_line(p, "way", across->low, y, end, y);
    put_failed(p, log, across, y);
    put_passed(p, log, across, y);
    put_numbers(p, log, across, y);
    if (run->state == NLM_FOUND_GRADUATED)
        svg_text(p, "good", end + 5, y + 4, "start", "\xe2\x9c\x93");
    if (run->state == NLM_FOUND_NOT_GRADUATED)
        svg_text(p, "bad", end + 5, y + 4, "start", "\xe2\x9c\x97");
}

void lessons_put(page *p, const nlm_found_runs *list, int first, int end)
{
    const double height = TOP + ROW * (end - first) + BOTTOM;
    const axis across = axis_make(0, last_of_all(list, first, end), false, LEFT, WIDTH - RIGHT);
    double ticks[TICKS_MOST];
    char text[TICK_SIZE];
    const double step = axis_step(&across, 6);
    page_put(p,
             "<figure class=\"chart\"><figcaption>lessons and exams <small>(number: a lesson begins, by its "
             "objects; <span class=\"passed\">\xe2\x97\x8f</span> passed, <span class=\"failed\">|</span> "
             "failed, r new weights)</small></figcaption>\n");
    svg_begin(p, WIDTH, height, "lessons", "lessons and exams of each run over its episodes");
    svg_group(p, "axes", 0, 0);
    for (int i = 0, count = axis_ticks(&across, 6, ticks); i < count; i++) {
        const double x = axis_place(&across, ticks[i]);
        svg_line(p, NULL, x, TOP, x, height - BOTTOM);
        svg_text(p, NULL, x, height - BOTTOM + 16, "middle", tick_text(ticks[i], step, false, false, text));
    }
    svg_text(p, NULL, WIDTH - RIGHT, height - 4, "end", "episodes");
    svg_group_end(p);
    for (int i = first; i < end; i++)
        put_row(p, nlm_found_at(list, i), &across, TOP + ROW * (i - first) + 0.65 * ROW);
    svg_end(p);
    page_put(p, "</figure>\n");
}
