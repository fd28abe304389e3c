/* The search: for every measure, reach and condition the best interval of values.
 *
 * The cases are sorted by value.  A scan lets one end of the interval move over all values while the other
 * stays; an example counts from the first of its cases on.  Half-open intervals are scans from an end of the
 * list; for others one end starts at some quantiles, and then each end is moved in turn.  A threshold goes
 * between the values of the nearest examples: a scan keeps the whole stretch in which no example changes
 * sides, and the threshold is put in its middle. */
#include "facts/threshold_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syntax/number.h"

enum {
    QUANTILES = 24, /* where one end of an interval starts */
    BEAM = 8        /* single conditions that are joined with others */
};

#define MOST_WORK 4e8   /* cases looked at */
#define DIRECT 1e-6     /* of equal ones, what true examples have goes before what they lack */
#define PART_EXAMPLES 2 /* so many examples of the rarer kind must be gained by another part */

/* Positions i .. j - 1 of the sorted cases are inside; `stretch` are the end's other positions that are as
 * good. */
typedef struct scan_result {
    double gain;
    size_t end, stretch[2];
} scan_result;

typedef struct search {
    threshold_view *view;
    const within *cases; /* sorted */
    size_t count;
    int *seen; /* of each example: the last scan that met it */
    int scan;
    double total[2]; /* weight of the false and of the true examples */
    double price, work;
    threshold_found *best;
    threshold_found beam[BEAM];
    int beam_count;
} search;

static int by_value(const void *a, const void *b)
{
    const within *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : x->example - y->example;
}

/* Lets the end that is not `fixed` move away from it; upwards, or downwards. */
static scan_result scan(search *in, size_t fixed, bool up)
{
    scan_result best = {.gain = 0};
    double inside[2] = {0}, gain = 0;
    const int number = ++in->scan;
    bool running = false;
    const size_t steps = up ? in->count - fixed : fixed;
    for (size_t s = 0; s < steps; s++) {
        const within *one = &in->cases[up ? fixed + s : fixed - 1 - s];
        const size_t end = up ? fixed + s + 1 : fixed - 1 - s;
        if (in->seen[one->example] != number) {
            const example *of = example_at(in->view, one->example);
            in->seen[one->example] = number;
            inside[of->positive] += of->weight;
        }
        if (end == 0 || end == in->count || in->cases[end - 1].value == in->cases[end].value) {
            if (end == 0 || end == in->count) { /* an end that is none */
                gain = inside[1] / in->total[1] - inside[0] / in->total[0];
                if (fabs(gain) > fabs(best.gain) + 1e-9)
                    best = (scan_result){gain, end, {end, end}};
            }
            continue;
        }
        gain = inside[1] / in->total[1] - inside[0] / in->total[0];
        if (fabs(gain) > fabs(best.gain) + 1e-9) {
            best = (scan_result){gain, end, {end, end}};
            running = true;
        } else if (running && fabs(gain - best.gain) < 1e-9) {
            best.stretch[1] = end;
        } else {
            running = false;
        }
    }
    in->work += (double)steps;
    return best;
}

double threshold_between(double below, double from, bool whole)
{
    if (below < 0 && from >= 0)
        return 0;
    const double middle = below + (from - below) / 2;
    if (whole)
        return ceil(middle) <= from && ceil(middle) > below ? ceil(middle) : from;
    const double low = below + (from - below) / 4, high = below + (from - below) / 4 * 3;
    for (int digits = 1; digits <= 17; digits++) {
        char text[NUMBER_SIZE];
        double number = 0;
        number_shortened(middle, digits, text);
        if (number_read(text, &number) && number > low && number < high)
            return number;
    }
    return middle > below && middle <= from ? middle : from;
}

/* The number of an end that stands before case `end`; as good are those of the stretch. */
static double number_at(const search *in, const scan_result *of, bool whole)
{
    const size_t first = of->stretch[0] < of->stretch[1] ? of->stretch[0] : of->stretch[1];
    const size_t last = of->stretch[0] < of->stretch[1] ? of->stretch[1] : of->stretch[0];
    return threshold_between(in->cases[first - 1].value, in->cases[last].value, whole);
}

static int parts_of(const threshold_view *view, const threshold_found *of)
{
    int parts = measure_at(view, of->measure)->form.terms - 2;
    for (int c = 0; c < FOUND_CONDITIONS; c++)
        parts += of->condition[c] >= 0;
    return parts + of->has_end[0] + of->has_end[1];
}

static void put_in_beam(search *in, const threshold_found *found)
{
    int at = in->beam_count < BEAM ? in->beam_count++ : BEAM;
    while (at > 0 && in->beam[at - 1].score < found->score) {
        if (at < BEAM)
            in->beam[at] = in->beam[at - 1];
        at--;
    }
    if (at < BEAM)
        in->beam[at] = *found;
}

static void offer(search *in, threshold_found found, const scan_result ends[2], threshold_found *locally)
{
    const bool whole = measure_at(in->view, found.measure)->whole;
    found.has_end[0] = ends[0].end > 0;
    found.has_end[1] = ends[1].end < in->count;
    if ((!found.has_end[0] && !found.has_end[1]) || ends[1].end == 0) /* no end gains anything */
        return;
    for (int k = 0; k < 2; k++)
        if (found.has_end[k])
            found.end[k] = number_at(in, &ends[k], whole);
    found.gain = ends[1].gain;
    found.score = fabs(found.gain) - in->price * parts_of(in->view, &found) + (found.gain > 0 ? DIRECT : 0);
    if (found.score > locally->score + 1e-9)
        *locally = found;
}

/* The best interval of the cases that are there now. */
static void search_interval(search *in, threshold_found about)
{
    const scan_result none[2] = {{.end = 0}, {.end = in->count}};
    threshold_found locally = {.score = 0};
    scan_result ends[2];
    if (in->count < 2)
        return;
    ends[0] = none[0];
    ends[1] = scan(in, 0, true);
    offer(in, about, ends, &locally);
    ends[0] = scan(in, in->count, false);
    ends[1] = none[1];
    ends[1].gain = ends[0].gain;
    offer(in, about, ends, &locally);
    scan_result best = {.gain = 0};
    for (size_t q = 1; q < QUANTILES; q++) {
        const scan_result one = scan(in, in->count * q / QUANTILES, true);
        if (fabs(one.gain) > fabs(best.gain) + 1e-9)
            best = one;
    }
    if (best.end > 0) {
        for (int turn = 0; turn < 3; turn++) {
            ends[0] = scan(in, turn ? ends[1].end : best.end, false);
            ends[1] = scan(in, ends[0].end, true);
        }
        offer(in, about, ends, &locally);
    }
    if (locally.score > in->best->score + 1e-9)
        *in->best = locally;
    if (about.condition[1] < 0 && locally.score > 0)
        put_in_beam(in, &locally);
}

/* ---- conditions ---- */

static const uint8_t *truth_of(const measure *of, int number)
{
    return (const uint8_t *)of->conditions.data + (size_t)number * of->count;
}

static bool holds(const measure *of, const int conditions[FOUND_CONDITIONS], size_t at)
{
    for (int c = 0; c < FOUND_CONDITIONS; c++)
        if (conditions[c] >= 0 && !truth_of(of, conditions[c])[at])
            return false;
    return true;
}

/* The interval among the cases of which the conditions are true, if these are neither none nor all. */
static nlm_status search_conditions(search *in, threshold_found about, const within *all, size_t count,
                                    buffer *filtered)
{
    const measure *of = measure_at(in->view, about.measure);
    if (in->work > MOST_WORK)
        return NLM_OK;
    if (buffer_reserve(filtered, count, sizeof(within), false))
        return error_no_memory(in->view->error);
    within *list = filtered->data;
    in->count = 0;
    for (size_t i = 0; i < count; i++)
        if (holds(of, about.condition, all[i].at))
            list[in->count++] = all[i];
    in->work += (double)count;
    in->cases = list;
    if (about.condition[0] < 0 || in->count < count)
        search_interval(in, about);
    return NLM_OK;
}

static nlm_status sorted_within(search *in, int m, int r, buffer *list, size_t *count)
{
    const nlm_status status = threshold_view_within(in->view, measure_at(in->view, m),
                                                    (const reach *)in->view->reaches.data + r, list, count);
    if (!status && *count > 0)
        qsort(list->data, *count, sizeof(within), by_value);
    return status;
}

/* Each measure and reach with none or one condition. */
static nlm_status search_all(search *in, buffer *list, buffer *filtered)
{
    nlm_status status = NLM_OK;
    size_t count;
    for (int m = 0; m < in->view->measure_count && !status; m++)
        for (int r = 0; r < in->view->reach_count && !status; r++) {
            status = sorted_within(in, m, r, list, &count);
            for (int c = -1; c < measure_at(in->view, m)->condition_count && !status && count > 1; c++)
                status =
                    search_conditions(in, (threshold_found){.measure = m, .reach = r, .condition = {c, -1}},
                                      list->data, count, filtered);
        }
    return status;
}

/* The best of these with another condition. */
static nlm_status search_beam(search *in, buffer *list, buffer *filtered)
{
    nlm_status status = NLM_OK;
    size_t count;
    for (int b = 0; b < in->beam_count && !status; b++) {
        threshold_found about = in->beam[b];
        if (about.condition[0] < 0)
            continue;
        status = sorted_within(in, about.measure, about.reach, list, &count);
        for (int c = 0; c < measure_at(in->view, about.measure)->condition_count && !status; c++) {
            about.condition[1] = c;
            if (c != about.condition[0])
                status = search_conditions(in, about, list->data, count, filtered);
        }
    }
    return status;
}

nlm_status threshold_search(threshold_view *view, threshold_found *best)
{
    search in = {.view = view, .best = best};
    int kinds[2] = {0};
    *best = (threshold_found){.score = 0};
    for (int e = 0; e < view->example_count; e++) {
        in.total[example_at(view, e)->positive] += example_at(view, e)->weight;
        kinds[example_at(view, e)->positive]++;
    }
    if (kinds[0] == 0 || kinds[1] == 0)
        return NLM_OK;
    const int rarer = kinds[0] < kinds[1] ? kinds[0] : kinds[1];
    in.price = rarer > 10 * PART_EXAMPLES ? PART_EXAMPLES / (double)rarer : 0.1;
    in.seen = memory_new((size_t)view->example_count, sizeof *in.seen);
    if (!in.seen)
        return error_no_memory(view->error);
    buffer list = {0}, filtered = {0};
    nlm_status status = search_all(&in, &list, &filtered);
    if (!status)
        status = search_beam(&in, &list, &filtered);
    buffer_free(&list);
    buffer_free(&filtered);
    memory_free(in.seen);
    return status;
}

nlm_status threshold_hits(threshold_view *view, const threshold_found *of, bool *hits)
{
    const measure *about = measure_at(view, of->measure);
    buffer list = {0};
    size_t count;
    nlm_status status =
        threshold_view_within(view, about, (const reach *)view->reaches.data + of->reach, &list, &count);
    memset(hits, 0, (size_t)view->example_count * sizeof *hits);
    for (size_t i = 0; i < count && !status; i++) {
        const within *one = (const within *)list.data + i;
        if (holds(about, of->condition, one->at) && (!of->has_end[0] || one->value >= of->end[0]) &&
            (!of->has_end[1] || one->value < of->end[1]))
            hits[one->example] = true;
    }
    buffer_free(&list);
    return status;
}
