/* A chart: lines of several runs over examples or episodes, the median and a band around it, and the numbers
 * behind the picture for the script (assets/report.js), which shows those under the pointer. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/page.h"

enum { CHART_POINTS = 120 }; /* of a line, at most */

/* The values of a run in the order of x; those that are NaN are left out. */
typedef struct chart_run {
    const char *name; /* any text */
    int count;
    double *x, *y;
    int restarts;
    double *restart; /* where it began again */
} chart_run;

/* A vertical mark with a number. */
typedef struct chart_mark {
    double x;
    int number;
} chart_mark;

typedef struct chart {
    const char *title, *across; /* "loss", "examples" */
    const char *of_marks;       /* "lesson" */
    bool shares;                /* values are shares of 1 */
    bool logarithmic;           /* unless a value is not above 0 */
    int runs, marks;
    const chart_run *run;
    const chart_mark *mark;
} chart;

/* A figure; nothing if there is no value at all. */
nlm_status chart_put(page *p, const chart *shown);

/* ---- parts, also of other pictures ---- */

/* A scale: values from..to are places low..high of the picture. */
typedef struct axis {
    double from, to, low, high;
    bool logarithmic;
} axis;

/* An axis that shows values least..most, with a step between its ticks that is easy to count in; a
 * logarithmic one has whole powers of ten at its ends. */
axis axis_make(double least, double most, bool logarithmic, double low, double high);
double axis_place(const axis *of, double value);
/* The ticks, at most `most` of them, most >= 2; their number. */
enum { TICKS_MOST = 12 };
int axis_ticks(const axis *of, int most, double ticks[TICKS_MOST]);
/* How far these are apart, unless the axis is logarithmic. */
double axis_step(const axis *of, int most);
/* "20k" for 20000, "1e-6" on a logarithmic axis, "50 %"; with digits enough to tell ticks that are a step
 * apart. */
enum { TICK_SIZE = 24 };
const char *tick_text(double value, double step, bool logarithmic, bool share, char text[TICK_SIZE]);

/* At most `most` of the points of a run: of each stretch the lowest and the highest.  Points are moved to the
 * front; returns how many. */
int chart_thin(double *x, double *y, int count, int most);

/* The value of a run at x, between two points if need be: NaN before the first, the last one's after it. */
double chart_value(const chart_run *run, double x);

#endif
