/* A row for each run, to be sorted by any column (assets/report.js). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/report.h"
#include "report/words.h"

static const char *const columns[] = {
    "task",    "seed",  "outcome", "epochs or exams", "examples or episodes", "restarts", "time",
    "smaller", "moves", "larger",  "moves",
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void run_title_put(page *p, const report_run *run)
{
    page_text(p, run->title);
    if (run->by[0]) {
        page_put(p, " (");
        page_text(p, run->by);
        page_put(p, ")");
    }
    if (!run->protocol[0] || !strcmp(run->protocol, "best"))
        return;
    page_put(p, " <small>protocol ");
    page_text(p, run->protocol);
    page_put(p, "</small>");
}

static const char *outcome(const report_run *run)
{
    switch (run->state) {
    case RUN_GRADUATED:
        return "<td class=\"good\" data-key=\"0\">\xe2\x9c\x93 graduated</td>";
    case RUN_NOT_GRADUATED:
        return "<td class=\"bad\" data-key=\"3\">\xe2\x9c\x97 did not graduate</td>";
    case RUN_LEARNED:
        return "<td data-key=\"0\">learned for the whole budget</td>";
    case RUN_GOING:
        return "<td data-key=\"1\">\xe2\x80\xa6 not finished</td>";
    case RUN_FAILED:
        return "<td class=\"bad\" data-key=\"4\">\xe2\x9c\x97 failed</td>";
    case RUN_UNKNOWN:
        break;
    }
    return "<td data-key=\"2\">not recorded</td>";
}

/* A cell with the number that it is sorted by. */
static void put_number(page *p, double number, const char *text, const char *class)
{
    page_print(p, "<td%s%s%s", class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    if (!isnan(number))
        page_print(p, " data-key=\"%.9g\"", number);
    page_put(p, ">");
    page_text(p, text);
    page_put(p, "</td>");
}

static void put_test(page *p, const report_run *run, int test)
{
    char text[WORD_SIZE + 8], word[WORD_SIZE];
    const bool there = run->result.there && test < run->result.tests;
    const run_test *of = &run->result.test[test];
    const double share = there ? of->share : NAN, moves = there ? of->moves : NAN;
    const bool failed = there && !of->flawless;
    snprintf(text, sizeof text, "%s%s", failed ? "\xe2\x9c\x97 " : "", word_share(share, word));
    put_number(p, share, text, failed ? "bad" : NULL);
    put_number(p, moves, word_mean(moves, word), NULL);
}

static void put_row(page *p, const report_run *run)
{
    char text[WORD_SIZE], label[RUN_LABEL];
    page_put(p, "<tr><td>");
    run_title_put(p, run);
    page_put(p, "</td>");
    run_label(run, label);
    put_number(p, run->seed_known ? (double)run->seed : NAN, run->seed_known ? label + 5 : label, NULL);
    page_put(p, outcome(run));
    put_number(p, run->rounds, word_count(run->rounds, text), NULL);
    put_number(p, run->amount, word_count(run->amount, text), NULL);
    put_number(p, run->restarts, word_count(run->restarts, text), NULL);
    put_number(p, run->seconds, word_seconds(run->seconds, text), NULL);
    for (int test = 0; test < RESULT_TESTS; test++)
        put_test(p, run, test);
    page_put(p, "</tr>\n");
}

void run_table_put(page *p, const run_list *list)
{
    page_put(p,
             "<section id=\"runs\">\n<h2>All runs</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
             "aria-label=\"all runs\"><table "
             "class=\"sortable\">\n<thead><tr>");
    for (int c = 0; c < COLUMNS; c++)
        page_print(p, "<th scope=\"col\">%s</th>", columns[c]);
    page_put(p, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < list->count; i++)
        put_row(p, runs_at(list, i));
    page_put(p, "</tbody></table></div>\n<p class=\"dim\">Smaller, larger: right or solved in tests of the "
                "smaller and the larger size; \xe2\x9c\x97 with any error.</p>\n</section>\n");
}
