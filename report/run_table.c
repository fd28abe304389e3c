/* A row for each run, to be sorted by any column (assets/report.js). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/report.h"
#include "report/words.h"

const char *run_label(const nlm_found_run *run, char text[RUN_LABEL])
{
    if (run->seed_known)
        snprintf(text, RUN_LABEL, "seed %" PRIu64, run->seed);
    else
        snprintf(text, RUN_LABEL, "%.40s", run->name);
    return text;
}

void run_title_put(page *p, const nlm_found_run *run)
{
    page_text(p, run->title);
    if (run->by[0]) {
        page_wrap(p, " (", run->by, ")");
    }
    const bool named = run->protocol[0] && strcmp(run->protocol, "best");
    if (!named && !run->differs[0])
        return;
    page_print(p, " <small>%s", named ? "protocol " : "");
    page_text(p, named ? run->protocol : "");
    page_put(p, named && run->differs[0] ? ", " : "");
    page_text(p, run->differs);
    page_put(p, "</small>");
}

/* A cell with the number that it is sorted by. */
static void put_number(page *p, double number, const char *text, const char *class)
{
    page_print(p, "<td%s%s%s", class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    if (!isnan(number))
        page_print(p, " data-key=\"%.9g\"", number);
    page_wrap(p, ">", text, "</td>");
}

static void put_test(page *p, const nlm_found_run *run, int test)
{
    char text[WORD_SIZE + 8], word[WORD_SIZE];
    const bool there = run->has_result && test < run->result.tests;
    const nlm_score *of = &run->result.test[test];
    const double share = there && of->right >= 0 ? of->right : NAN;
    const double moves = there && of->moves >= 0 ? of->moves : NAN;
    const bool failed = there && of->failed > 0;
    snprintf(text, sizeof text, "%s%s", failed ? "\xe2\x9c\x97 " : "", word_share(share, word));
    put_number(p, share, text, failed ? "bad" : NULL);
    put_number(p, moves, word_mean(moves, word), NULL);
}

/* "9 literals, proved", sorted by size; "none" where the search found none. */
static void put_program(page *p, const nlm_found_run *run)
{
    const nlm_job_program *program = &run->result.program;
    char text[WORD_SIZE];
    if (!run->has_result || !program->sought) {
        put_number(p, NAN, "-", NULL);
        return;
    }
    snprintf(text, sizeof text, "%d literal%s%s", program->literals, program->literals == 1 ? "" : "s",
             program->proved ? ", proved" : "");
    put_number(p, program->found ? (double)program->literals : (double)NAN, program->found ? text : "none",
               program->found ? NULL : "bad");
}

static const char *const outcomes[] = {
    [NLM_FOUND_GRADUATED] = "<td class=\"good\" data-key=\"0\">\xe2\x9c\x93 graduated</td>",
    [NLM_FOUND_NOT_GRADUATED] = "<td class=\"bad\" data-key=\"3\">\xe2\x9c\x97 did not graduate</td>",
    [NLM_FOUND_LEARNED] = "<td data-key=\"0\">trained for the whole budget</td>",
    [NLM_FOUND_GOING] = "<td data-key=\"1\">\xe2\x80\xa6 not finished</td>",
    [NLM_FOUND_FAILED] = "<td class=\"bad\" data-key=\"4\">\xe2\x9c\x97 failed</td>",
    [NLM_FOUND_UNKNOWN] = "<td data-key=\"2\">not recorded</td>",
};

static void put_row(page *p, const nlm_found_run *run)
{
    char text[WORD_SIZE], label[RUN_LABEL];
    page_put(p, "<tr><td>");
    run_title_put(p, run);
    page_put(p, "</td>");
    run_label(run, label);
    put_number(p, run->seed_known ? (double)run->seed : NAN, run->seed_known ? label + 5 : label, NULL);
    page_put(p, outcomes[run->state]);
    put_number(p, run->rounds, word_count(run->rounds, text), NULL);
    put_number(p, run->amount, word_count(run->amount, text), NULL);
    put_number(p, run->restarts, word_count(run->restarts, text), NULL);
    put_number(p, run->seconds, word_seconds(run->seconds, text), NULL);
    put_program(p, run);
    for (int test = 0; test < NLM_TEST_SIZES; test++)
        put_test(p, run, test);
    page_put(p, "</tr>\n");
}

void run_table_put(page *p, const nlm_found_runs *list)
{
    static const char *const columns[] = {
        "task",     "seed",  "outcome", "epochs or exams", "examples or episodes",
        "restarts", "time",  "program", "smaller",         "moves",
        "larger",   "moves", NULL};
    page_put(p, "<section id=\"runs\">\n<h2>All runs</h2>\n");
    page_table(p, "all runs", " class=\"sortable\"", NULL, columns);
    for (int i = 0; i < nlm_found_count(list); i++)
        put_row(p, nlm_found_at(list, i));
    page_put(p, PAGE_TABLE_END
             "<p class=\"dim\">Smaller, larger: share right or solved in the tests of that "
             "size; for facts, on the training data and on the held-out data; \xe2\x9c\x97: with "
             "errors.  Program: its size, heads included; proved: the model computes it in every "
             "world.</p>\n</section>\n");
}
