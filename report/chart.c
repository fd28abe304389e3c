/* A chart of several runs. */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"
#include "report/svg.h"
#include "report/words.h"

enum { WIDTH = 420, HEIGHT = 230, LEFT = 64, RIGHT = 18, TOP = 14, BOTTOM = 34, FEW_RUNS = 5, APART = 2 };

/* ---- axes ---- */

axis axis_make(double least, double most, bool logarithmic, double low, double high)
{
    axis made = {.from = least, .to = most, .low = low, .high = high, .logarithmic = logarithmic};
    if (logarithmic) {
        made.from = floor(log10(least) + 1e-9);
        made.to = ceil(log10(most) - 1e-9);
        if (made.to <= made.from)
            made.to = made.from + 1;
        return made;
    }
    if (!(most - least > 1e-9 * fmax(fabs(most), fabs(least)))) {
        const double room = most != 0 ? 0.5 * fabs(most) : 0.5;
        made.from = least - room;
        made.to = most + room;
    }
    return made;
}

double axis_place(const axis *of, double value)
{
    const double at = of->logarithmic ? log10(value) : value;
    return of->low + (at - of->from) / (of->to - of->from) * (of->high - of->low);
}

double axis_step(const axis *of, int most)
{
    const double span = of->to - of->from;
    const int wanted = most < TICKS_MOST ? most - 1 : TICKS_MOST - 1;
    if (of->logarithmic)
        return ceil(span / wanted);
    /* 1, 2 or 5 times a power of ten, so that about `wanted` steps fill the span */
    const double rough = span / wanted, power = pow(10, floor(log10(rough))), digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

int axis_ticks(const axis *of, int most, double ticks[TICKS_MOST])
{
    const double span = of->to - of->from, step = axis_step(of, most);
    int count = 0;
    for (double k = ceil(of->from / step - 1e-6); k * step <= of->to + 1e-6 * span && count < TICKS_MOST; k++)
        ticks[count++] = of->logarithmic ? pow(10, k * step) : k * step;
    return count;
}

static int power_of_ten(double value)
{
    return (int)floor(log10(fabs(value)) + 1e-9);
}

const char *tick_text(double value, double step, bool logarithmic, bool share, char text[TICK_SIZE])
{
    enum { DIGITS_MOST = 12 };
    const double unit = share ? 0.01 : fabs(value) >= 1e6 ? 1e6 : fabs(value) >= 1e3 ? 1e3 : 1;
    const char *name = share ? " %" : unit == 1e6 ? "M" : unit == 1e3 ? "k" : "";
    if (logarithmic) {
        snprintf(text, TICK_SIZE, value == 1 ? "1" : "1e%.0f", log10(value));
        return text;
    }
    if (fabs(value) < 1e-6 * step) {
        snprintf(text, TICK_SIZE, "0%s", name);
        return text;
    }
    const int whole = power_of_ten(value / unit) + 1, needed = whole - power_of_ten(step / unit);
    const int digits = needed > whole ? needed : whole;
    snprintf(text, TICK_SIZE, "%.*g%s",
             digits < 1             ? 1
             : digits > DIGITS_MOST ? DIGITS_MOST
                                    : digits,
             value / unit, name);
    return text;
}

/* ---- points ---- */

int chart_thin(double *x, double *y, int count, int most)
{
    const int stretches = most / 2;
    if (count <= most)
        return count;
    int kept = 0;
    for (int s = 0; s < stretches; s++) {
        const int begin = (int)((long)count * s / stretches), end = (int)((long)count * (s + 1) / stretches);
        int low = begin, high = begin;
        for (int i = begin; i < end; i++) {
            low = y[i] < y[low] ? i : low;
            high = y[i] > y[high] ? i : high;
        }
        const int first = s == 0 ? begin : low < high ? low : high; /* where a line begins and ends, stays */
        const int last = s == stretches - 1 ? end - 1 : low < high ? high : low;
        for (int k = 0; k < (first == last ? 1 : 2); k++, kept++) {
            x[kept] = x[k ? last : first];
            y[kept] = y[k ? last : first];
        }
    }
    return kept;
}

double chart_value(const chart_run *run, double x)
{
    int below = -1, above = run->count; /* the last point up to x lies between these */
    while (above - below > 1) {
        const int middle = below + (above - below) / 2;
        if (run->x[middle] <= x)
            below = middle;
        else
            above = middle;
    }
    if (below < 0)
        return NAN;
    if (above == run->count || run->x[below] == x)
        return run->y[below];
    const double part = (x - run->x[below]) / (run->x[above] - run->x[below]);
    return run->y[below] + part * (run->y[above] - run->y[below]);
}

/* ---- what is in the picture ---- */

/* At each x: median, and the lowest and highest of all runs or, of many, of the middle half. */
typedef struct summary {
    int count;
    double x[CHART_POINTS], low[CHART_POINTS], median[CHART_POINTS], high[CHART_POINTS];
} summary;

typedef struct picture {
    const chart *shown;
    axis across, up;
    bool logarithmic;
    summary middle;
} picture;

/* Where the runs have points, unless these are too many: then in equal steps. */
static nlm_status choose_places(summary *middle, const chart *shown, double first, double last)
{
    int all = 0;
    for (int r = 0; r < shown->runs; r++)
        all += shown->run[r].count;
    double *x = storage_new((size_t)all, sizeof *x);
    if (!x)
        return NLM_NO_MEMORY;
    all = 0;
    for (int r = 0; r < shown->runs; r++)
        for (int i = 0; i < shown->run[r].count; i++)
            x[all++] = shown->run[r].x[i];
    sorted_share(x, all, 0);
    for (int i = 0; i < all && middle->count <= CHART_POINTS; i++)
        if (i == 0 || x[i] > x[i - 1]) {
            if (middle->count < CHART_POINTS)
                middle->x[middle->count] = x[i];
            middle->count++;
        }
    free(x);
    if (middle->count <= CHART_POINTS)
        return NLM_OK;
    middle->count = CHART_POINTS;
    for (int i = 0; i < CHART_POINTS; i++)
        middle->x[i] = first + (last - first) * i / (CHART_POINTS - 1);
    return NLM_OK;
}

static nlm_status summarise(picture *of, double first, double last)
{
    summary *middle = &of->middle;
    const bool many = of->shown->runs > FEW_RUNS;
    double *values = storage_new((size_t)of->shown->runs, sizeof *values);
    nlm_status status = values ? choose_places(middle, of->shown, first, last) : NLM_NO_MEMORY;
    for (int i = 0; i < middle->count && !status; i++) {
        int count = 0;
        for (int r = 0; r < of->shown->runs; r++) {
            const double value = chart_value(&of->shown->run[r], middle->x[i]);
            if (!isnan(value))
                values[count++] = value;
        }
        middle->median[i] = sorted_share(values, count, 0.5);
        middle->low[i] = sorted_share(values, count, many ? 0.25 : 0);
        middle->high[i] = sorted_share(values, count, many ? 0.75 : 1);
    }
    free(values);
    return status;
}

/* ---- drawing ---- */

static void put_axes(page *p, const picture *of)
{
    const chart *shown = of->shown;
    double ticks[TICKS_MOST];
    char text[TICK_SIZE];
    const double up = axis_step(&of->up, 6), across = axis_step(&of->across, 6);
    svg_group(p, "axes", 0, 0);
    for (int i = 0, count = axis_ticks(&of->up, 6, ticks); i < count; i++) {
        const double y = axis_place(&of->up, ticks[i]);
        svg_line(p, NULL, LEFT, y, WIDTH - RIGHT, y);
        svg_text(p, NULL, LEFT - 6, y + 4, "end",
                 tick_text(ticks[i], up, of->logarithmic, shown->shares, text));
    }
    for (int i = 0, count = axis_ticks(&of->across, 6, ticks); i < count; i++) {
        const double x = axis_place(&of->across, ticks[i]);
        svg_text(p, NULL, x, HEIGHT - BOTTOM + 16, "middle", tick_text(ticks[i], across, false, false, text));
    }
    svg_text(p, NULL, WIDTH - RIGHT, HEIGHT - 4, "end", shown->across);
    svg_group_end(p);
}

/* The points of a line, forward or backward. */
static void put_points(page *p, const picture *of, const double *x, const double *y, int count, bool back)
{
    for (int k = 0; k < count; k++) {
        const int i = back ? count - 1 - k : k;
        if (!isnan(y[i]))
            svg_path_point(p, axis_place(&of->across, x[i]), axis_place(&of->up, y[i]));
    }
}

static void put_line(page *p, const picture *of, const char *class, const double *x, const double *y,
                     int count)
{
    svg_path_begin(p, class);
    put_points(p, of, x, y, count, false);
    svg_path_end(p, false);
}

static void put_lines(page *p, const picture *of)
{
    const chart *shown = of->shown;
    const summary *middle = &of->middle;
    if (shown->runs > 1) {
        svg_path_begin(p, "band");
        put_points(p, of, middle->x, middle->high, middle->count, false);
        put_points(p, of, middle->x, middle->low, middle->count, true);
        svg_path_end(p, true);
    }
    for (int r = 0; r < shown->runs; r++) {
        const chart_run *run = &shown->run[r];
        if (run->count == 1)
            svg_circle(p, "single", axis_place(&of->across, run->x[0]), axis_place(&of->up, run->y[0]), 2);
        else if (run->count > 0)
            put_line(p, of, shown->runs > 1 ? "single" : "median", run->x, run->y, run->count);
    }
    if (shown->runs > 1)
        put_line(p, of, "median", middle->x, middle->median, middle->count);
}

/* Lessons as vertical lines with their numbers, where these have room; new beginnings as triangles.  What is
 * too near to the one before is not seen anyway. */
static void put_marks(page *p, const picture *of)
{
    const chart *shown = of->shown;
    double free_from = 0, before = -APART;
    for (int i = 0; i < shown->marks; i++) {
        const double x = axis_place(&of->across, shown->mark[i].x);
        if (x < before + APART)
            continue;
        before = x;
        svg_line(p, "lesson", x, TOP, x, HEIGHT - BOTTOM);
        if (x >= free_from) {
            svg_integer(p, "lesson", x, TOP - 3, shown->mark[i].number);
            free_from = x + 14;
        }
    }
    for (int r = 0; r < shown->runs; r++) {
        before = -APART;
        for (int i = 0; i < shown->run[r].restarts; i++) {
            const double x = axis_place(&of->across, shown->run[r].restart[i]);
            if (x < before + APART)
                continue;
            before = x;
            page_print(p, "<path class=\"restart\" d=\"M%.1f %dl-4 7h8Z\">", x, HEIGHT - BOTTOM);
            page_wrap(p, "<title>", shown->run[r].name, ": new weights</title></path>\n");
        }
    }
}

/* ---- numbers for the script ---- */

static void put_values(page *p, const char *name, const double *values, int count, bool first)
{
    page_put(p, first ? "{\"name\":" : ",{\"name\":");
    page_json(p, name);
    page_put(p, ",\"y\":[");
    for (int i = 0; i < count; i++)
        if (isnan(values[i]))
            page_put(p, i ? ",null" : "null");
        else
            page_print(p, "%s%.12g", i ? "," : "", values[i]);
    page_put(p, "]}");
}

static void put_numbers(page *p, const picture *of)
{
    const summary *middle = &of->middle;
    double values[CHART_POINTS];
    page_put(p, "<script type=\"application/json\">{\"across\":");
    page_json(p, of->shown->across);
    page_print(p, ",\"share\":%s,\"left\":%d,\"right\":%d,\"top\":%d,\"bottom\":%d,\"from\":%.9g,\"to\":%.9g",
               of->shown->shares ? "true" : "false", LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM,
               of->across.from, of->across.to);
    page_put(p, ",\"x\":[");
    for (int i = 0; i < middle->count; i++)
        page_print(p, "%s%.12g", i ? "," : "", middle->x[i]);
    page_put(p, "],\"lines\":[");
    if (of->shown->runs <= FEW_RUNS) {
        for (int r = 0; r < of->shown->runs; r++) {
            for (int i = 0; i < middle->count; i++)
                values[i] = chart_value(&of->shown->run[r], middle->x[i]);
            put_values(p, of->shown->run[r].name, values, middle->count, r == 0);
        }
    } else {
        put_values(p, "median", middle->median, middle->count, true);
        put_values(p, "lower quartile", middle->low, middle->count, false);
        put_values(p, "upper quartile", middle->high, middle->count, false);
    }
    page_put(p, "]}</script>\n");
}

/* ---- the figure ---- */

static void put_figure(page *p, const picture *of)
{
    const chart *shown = of->shown;
    char label[160];
    snprintf(label, sizeof label, "%.60s over %.60s, %d run%s", shown->title, shown->across, shown->runs,
             shown->runs == 1 ? "" : "s");
    page_wrap(p, "<figure class=\"chart\"><figcaption>", shown->title,
              of->logarithmic ? " <small>(logarithmic)</small>" : "");
    if (shown->marks > 0)
        page_print(p, " <small>(dashed: %s)</small>", shown->of_marks);
    page_wrap(p, "</figcaption><div class=\"plot\" role=\"group\" aria-label=\"", label, "\">\n");
    svg_begin(p, WIDTH, HEIGHT, false, NULL, label);
    put_axes(p, of);
    put_lines(p, of);
    put_marks(p, of);
    svg_end(p);
    put_numbers(p, of);
    page_put(p, "</div></figure>\n");
}

nlm_status chart_put(page *p, const chart *shown)
{
    double range_x[] = {INFINITY, -INFINITY}, range_y[] = {INFINITY, -INFINITY};
    for (int r = 0; r < shown->runs; r++)
        for (int i = 0; i < shown->run[r].count; i++) {
            const double x = shown->run[r].x[i], y = shown->run[r].y[i];
            range_x[0] = fmin(range_x[0], x);
            range_x[1] = fmax(range_x[1], x);
            range_y[0] = fmin(range_y[0], y);
            range_y[1] = fmax(range_y[1], y);
        }
    if (range_x[1] < range_x[0]) /* there is no value */
        return NLM_OK;
    picture *of = storage_new(1, sizeof *of);
    if (!of)
        return NLM_NO_MEMORY;
    of->shown = shown;
    of->logarithmic = shown->logarithmic && range_y[0] > 0;
    of->across = axis_make(0, range_x[1] > 0 ? range_x[1] : 1, false, LEFT, WIDTH - RIGHT);
    of->up = axis_make(range_y[0], range_y[1], of->logarithmic, HEIGHT - BOTTOM, TOP);
    if (shown->shares && (of->up.to > 1 || of->up.from < 0)) /* no value is beyond these */
        of->up = axis_make(range_y[0] < 1 ? range_y[0] : 0, 1, false, HEIGHT - BOTTOM, TOP);
    const nlm_status status = summarise(of, range_x[0], range_x[1]);
    if (!status)
        put_figure(p, of);
    free(of);
    return status;
}
