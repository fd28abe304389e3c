/* The summary: setting, and the paper's tables with what was reached beside them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"
#include "report/report.h"
#include "report/words.h"

/* ---- tallies ---- */

static double median_of(const nlm_found_runs *list, int first, int end, bool seconds, double *room)
{
    int count = 0;
    for (int i = first; i < end; i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        const double value = seconds ? run->seconds : run->amount;
        if (!isnan(value))
            room[count++] = value;
    }
    return sorted_share(room, count, 0.5);
}

static void count_state(tally *of, nlm_found_state state)
{
    of->runs++;
    of->graduated += state == NLM_FOUND_GRADUATED;
    of->learned += state == NLM_FOUND_LEARNED;
    of->going += state == NLM_FOUND_GOING;
    of->failed += state == NLM_FOUND_FAILED;
}

nlm_status tally_make(const nlm_found_runs *list, int first, int end, tally *made)
{
    double *room = storage_new((size_t)(end - first), sizeof *room);
    nlm_sums sums = {0};
    *made = (tally){0};
    if (!room)
        return NLM_NO_MEMORY;
    for (int i = first; i < end; i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        count_state(made, run->state);
        made->tested += run->has_result && run->result.tests > 0;
        made->sought += run->has_result && run->result.program.sought;
        made->programs += run->has_result && run->result.program.found;
        if (run->has_result)
            nlm_sums_add(&sums, &run->result);
    }
    nlm_sums_end(&sums);
    made->exact = sums.exact;
    /* Of graduates, as in the paper; of all where there are none to be, or hardly any: of memory networks. */
    const bool of_all = made->learned > 0 || !strcmp(nlm_found_at(list, first)->by, "memnn");
    const nlm_means *means = of_all ? &sums.all : &sums.graduates;
    for (int t = 0; t < NLM_TEST_SIZES; t++) {
        made->share[t] = means->tested[t] > 0 ? means->share[t] : NAN;
        made->moves[t] = means->solving[t] > 0 ? means->moves[t] : NAN;
    }
    made->amount = median_of(list, first, end, false, room);
    made->seconds = median_of(list, first, end, true, room);
    free(room);
    return NLM_OK;
}

/* ---- the setting ---- */

enum { FACT_SIZE = NLM_RESULT_TEXT + 64 };
typedef enum fact { PROTOCOL, TESTS, MACHINE, VERSION, COMMAND, FACTS } fact;
static const char *const fact_names[FACTS] = {"Protocol", "Tests", "Machine", "Version", "Repeat it"};

/* "" if the folder does not tell. */
static const char *fact_text(const nlm_found_setting *of, fact which, char text[FACT_SIZE])
{
    char count[WORD_SIZE];
    snprintf(text, FACT_SIZE, "%s",
             which == PROTOCOL  ? of->protocol
             : which == MACHINE ? of->processor
             : which == VERSION ? of->version
             : which == COMMAND ? of->command
                                : "");
    if (which == TESTS && of->worlds >= 0)
        snprintf(text, FACT_SIZE, "%s new worlds or instances of each size for every run",
                 word_count(of->worlds, count));
    if (which == MACHINE && of->cores > 0)
        snprintf(text, FACT_SIZE, "%s%s%d core%s", of->processor, of->processor[0] ? ", " : "", of->cores,
                 of->cores == 1 ? "" : "s");
    return text;
}

/* Once if all folders agree, else for each folder that tells. */
static void put_fact(page *p, const nlm_found_runs *list, fact which)
{
    char first[FACT_SIZE] = "", text[FACT_SIZE];
    bool agreed = true, any = false;
    for (int i = 0; i < nlm_found_settings(list); i++) {
        fact_text(nlm_found_setting_at(list, i), which, i == 0 ? first : text);
        agreed &= i == 0 || !strcmp(first, text);
        any |= (i == 0 ? first : text)[0] != '\0';
    }
    if (!any)
        return;
    page_print(p, "<dt>%s</dt>", fact_names[which]);
    for (int i = 0; i < (agreed ? 1 : nlm_found_settings(list)); i++) {
        fact_text(nlm_found_setting_at(list, i), which, text);
        page_put(p, "<dd>");
        if (!agreed)
            page_wrap(p, "", nlm_found_setting_at(list, i)->folder, ": ");
        if (which == COMMAND && text[0])
            page_wrap(p, "<code>", text, "</code></dd>\n");
        else
            page_wrap(p, "", text[0] ? text : "\xe2\x80\x93", "</dd>\n");
    }
}

/* Runs whose model and log are elsewhere, as those of records may be. */
static int count_bare(const nlm_found_runs *list)
{
    int bare = 0;
    for (int i = 0; i < nlm_found_count(list); i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        bare += run->has_result && !run->model && !run->checkpoint && run->log.count == 0;
    }
    return bare;
}

static void put_setting(page *p, const nlm_report *report)
{
    const nlm_found_runs *list = report->runs;
    const int tasks = nlm_report_tasks(report);
    tally all = {0};
    for (int i = 0; i < nlm_found_count(list); i++)
        count_state(&all, nlm_found_at(list, i)->state);
    page_put(p, "<dl class=\"setting\">\n");
    page_print(p, "<dt>Runs</dt><dd>%d of %d task%s", all.runs, tasks, tasks == 1 ? "" : "s");
    if (all.learned < all.runs)
        page_print(p, ", %d graduated", all.graduated);
    if (all.learned > 0)
        page_print(p, ", %d trained for the whole budget", all.learned);
    if (all.going > 0)
        page_print(p, ", %d not finished", all.going);
    if (all.failed > 0)
        page_print(p, ", %d ended with an error", all.failed);
    page_put(p, "</dd>\n");
    const int bare = count_bare(list);
    if (bare > 0)
        page_print(
            p,
            "<dd>%d of them known by the results alone: with neither model nor log here, no curve, machine "
            "or example below is of them</dd>\n",
            bare);
    for (fact which = 0; which < FACTS; which++)
        put_fact(p, list, which);
    page_put(p, "</dl>\n");
}

/* ---- the paper's tables ---- */

static void put_cell(page *p, const char *text)
{
    page_wrap(p, "<td>", text, "</td>");
}

static void put_of(page *p, int count, int all, bool known)
{
    if (known)
        page_print(p, "<td%s>%d / %d</td>", count < all ? " class=\"bad\"" : "", count, all);
    else
        put_cell(p, word_count(NAN, (char[WORD_SIZE]){0}));
}

/* The paper's figures are of the machine: there are none of other models. */
static void put_row(page *p, const nlm_found_runs *list, int first, const tally *of, bool games)
{
    const nlm_found_run *run = nlm_found_at(list, first);
    const nlm_task *task = run->by[0] ? NULL : run->task;
    const nlm_game *game = run->by[0] ? NULL : run->game;
    char text[WORD_SIZE], anchor[ANCHOR_SIZE];
    page_print(p, "<tr><th scope=\"row\"><a href=\"#%s\">", section_anchor(first, anchor));
    run_title_put(p, run);
    page_put(p, "</a></th>");
    const double graduation = game ? game->graduation : task && task->graduation > 0 ? task->graduation : NAN;
    put_cell(p, word_share(graduation, text));
    put_of(p, of->graduated, of->runs, games || of->learned == 0);
    put_of(p, of->exact, of->runs, of->tested > 0 && (games || of->learned == 0));
    for (int t = 0; t < NLM_TEST_SIZES; t++) {
        /* Shares below 1 are failures, with a mark, not only a colour; unless errors are to be expected. */
        const bool bad = of->share[t] < 1 && (games || of->learned == 0);
        page_wrap(p, bad ? "<td class=\"bad\">\xe2\x9c\x97 " : "<td>", word_share(of->share[t], text),
                  "</td>");
        if (games) {
            put_cell(p, word_mean(of->moves[t], text));
            put_cell(p, word_mean(game ? game->test_moves[t] : NAN, text));
        }
    }
    put_of(p, of->programs, of->runs, of->sought > 0);
    put_cell(p, word_count(of->amount, text));
    put_cell(p, word_seconds(of->seconds, text));
    page_put(p, "</tr>\n");
}

static bool is_game(const nlm_found_run *run)
{
    return run->game || (!run->task && run->log.kind == NLM_LOG_OF_EXAMS);
}

static const char *const task_columns[] = {
    "task",     "paper: graduated", "graduated", "exact", "right, smaller size", "right, larger size",
    "programs", "examples",         "time",      NULL};
static const char *const game_columns[] = {"game",
                                           "paper: graduated",
                                           "graduated",
                                           "exact",
                                           "solved, smaller size",
                                           "moves",
                                           "paper: moves",
                                           "solved, larger size",
                                           "moves",
                                           "paper: moves",
                                           "programs",
                                           "episodes",
                                           "time",
                                           NULL};

static nlm_status put_table(page *p, const nlm_found_runs *list, bool games)
{
    nlm_status status = NLM_OK;
    bool begun = false;
    for (int first = 0, end; first < nlm_found_count(list) && !status; first = end) {
        tally of;
        end = nlm_found_group_end(list, first);
        if (is_game(nlm_found_at(list, first)) != games)
            continue;
        if (!begun)
            page_table(p, games ? "results of games" : "results of tasks", "", games ? "Games" : "Tasks",
                       games ? game_columns : task_columns);
        begun = true;
        status = tally_make(list, first, end, &of);
        if (!status)
            put_row(p, list, first, &of, games);
    }
    if (begun)
        page_put(p, games ? PAGE_TABLE_END "<p class=\"dim\">Training, unless a heading says otherwise: sort "
                                           "on instances of up to 10 objects, path and blocks up to 12.</p>\n"
                          : PAGE_TABLE_END
                        "<p class=\"dim\">Training, unless a heading says otherwise: tasks on worlds of the "
                        "smaller size (protocol best: rich worlds, selected from a larger number drawn); "
                        "facts on the worlds given, without the held-out part.</p>\n");
    return status;
}

static bool works_alike(const nlm_found_run *a, const nlm_found_run *b)
{
    return a->game && b->game && !strcmp(a->at_work, b->at_work) && !strcmp(a->by, b->by);
}

/* How agents choose moves, each way once. */
static void put_work(page *p, const nlm_found_runs *list)
{
    for (int i = 0; i < nlm_found_count(list); i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        int first = 0;
        while (first < i && !works_alike(nlm_found_at(list, first), run))
            first++;
        if (!run->game || !run->at_work[0] || first < i)
            continue;
        page_put(p, "<p class=\"dim\">Agents in tests");
        if (run->by[0]) {
            page_put(p, " (");
            page_text(p, run->by);
            page_put(p, ")");
        }
        page_put(p, ": ");
        page_text(p, run->at_work);
        page_put(p, " To test without these rules: <code>nlm test MODEL --no-repeat 0 --repeat-penalty "
                    "1</code>.</p>\n");
    }
}

nlm_status summary_put(page *p, const nlm_report *report)
{
    const nlm_found_runs *list = report->runs;
    put_setting(p, report);
    nlm_status status = put_table(p, list, false);
    if (!status)
        status = put_table(p, list, true);
    put_work(p, list);
    page_put(
        p,
        "<p class=\"dim\">Exact: runs that graduated and made no error in both tests. Tests of facts are on "
        "the training data (in place of the smaller size) and on the held-out data. Right, solved, moves: "
        "means "
        "over the graduated runs; for memory networks (memnn), over all runs. Examples, episodes, time: "
        "medians over all runs. \xe2\x80\x93: not known, or not tested.</p>\n");
    return status;
}
