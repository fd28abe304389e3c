/* The summary: setting, and the paper's tables with what was reached beside them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"
#include "report/report.h"
#include "report/words.h"

/* ---- tallies ---- */

/* Of graduates, as in the paper; of all where there are none to be, or hardly any: of memory networks. */
static void take_means(const nlm_sums *sums, bool of_all, tally *made)
{
    const nlm_means *means = of_all ? &sums->all : &sums->graduates;
    made->exact = sums->exact;
    for (int t = 0; t < NLM_TEST_SIZES; t++) {
        made->share[t] = means->tested[t] > 0 ? means->share[t] : NAN;
        made->moves[t] = means->solving[t] > 0 ? means->moves[t] : NAN;
    }
}

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

nlm_status tally_make(const nlm_found_runs *list, int first, int end, tally *made)
{
    double *room = storage_new((size_t)(end - first), sizeof *room);
    nlm_sums sums = {0};
    *made = (tally){.runs = end - first};
    if (!room)
        return NLM_NO_MEMORY;
    for (int i = first; i < end; i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        made->graduated += run->state == NLM_FOUND_GRADUATED;
        made->learned += run->state == NLM_FOUND_LEARNED;
        made->going += run->state == NLM_FOUND_GOING;
        made->failed += run->state == NLM_FOUND_FAILED;
        made->tested += run->has_result && run->result.tests > 0;
        if (run->has_result)
            nlm_sums_add(&sums, &run->result);
    }
    nlm_sums_end(&sums);
    take_means(&sums, made->learned > 0 || !strcmp(nlm_found_at(list, first)->by, "memnn"), made);
    made->amount = median_of(list, first, end, false, room);
    made->seconds = median_of(list, first, end, true, room);
    free(room);
    return NLM_OK;
}

/* ---- the setting ---- */

enum { FACT_SIZE = NLM_RESULT_TEXT + 64 };
typedef void fact_writer(const nlm_found_setting *of, char text[FACT_SIZE]);

static void write_protocol(const nlm_found_setting *of, char text[FACT_SIZE])
{
    snprintf(text, FACT_SIZE, "%s", of->protocol);
}

static void write_tests(const nlm_found_setting *of, char text[FACT_SIZE])
{
    char count[WORD_SIZE];
    if (of->worlds >= 0)
        snprintf(text, FACT_SIZE, "%s fresh worlds or instances of each size for every run",
                 word_count(of->worlds, count));
}

static void write_machine(const nlm_found_setting *of, char text[FACT_SIZE])
{
    if (of->cores > 0)
        snprintf(text, FACT_SIZE, "%s%s%d core%s", of->processor, of->processor[0] ? ", " : "", of->cores,
                 of->cores == 1 ? "" : "s");
    else
        snprintf(text, FACT_SIZE, "%s", of->processor);
}

static void write_version(const nlm_found_setting *of, char text[FACT_SIZE])
{
    snprintf(text, FACT_SIZE, "%s", of->version);
}

static void write_command(const nlm_found_setting *of, char text[FACT_SIZE])
{
    snprintf(text, FACT_SIZE, "%s", of->command);
}

static void put_value(page *p, const char *value, const char *element)
{
    if (element)
        page_print(p, "<%s>", element);
    page_text(p, value);
    if (element)
        page_print(p, "</%s>", element);
}

/* Once if all folders agree, else for each folder that tells. */
static void put_fact(page *p, const nlm_found_runs *list, const char *name, fact_writer *write,
                     const char *element)
{
    char first[FACT_SIZE] = "", text[FACT_SIZE];
    bool agreed = true, any = false;
    for (int i = 0; i < nlm_found_settings(list); i++) {
        text[0] = '\0';
        write(nlm_found_setting_at(list, i), text);
        if (i == 0)
            strcpy(first, text);
        agreed &= !strcmp(first, text);
        any |= text[0] != '\0';
    }
    if (!any)
        return;
    page_print(p, "<dt>%s</dt>", name);
    for (int i = 0; i < (agreed ? 1 : nlm_found_settings(list)); i++) {
        text[0] = '\0';
        write(nlm_found_setting_at(list, i), text);
        page_put(p, "<dd>");
        if (!agreed) {
            page_text(p, nlm_found_setting_at(list, i)->folder);
            page_put(p, ": ");
        }
        put_value(p, text[0] ? text : "\xe2\x80\x93", text[0] ? element : NULL);
        page_put(p, "</dd>\n");
    }
}

static void put_counts(page *p, const nlm_report *report)
{
    const nlm_found_runs *list = report->runs;
    const int tasks = nlm_report_tasks(report);
    int graduated = 0, learned = 0, going = 0, failed = 0;
    for (int i = 0; i < nlm_found_count(list); i++) {
        graduated += nlm_found_at(list, i)->state == NLM_FOUND_GRADUATED;
        learned += nlm_found_at(list, i)->state == NLM_FOUND_LEARNED;
        going += nlm_found_at(list, i)->state == NLM_FOUND_GOING;
        failed += nlm_found_at(list, i)->state == NLM_FOUND_FAILED;
    }
    page_print(p, "<dt>Runs</dt><dd>%d of %d task%s", nlm_found_count(list), tasks, tasks == 1 ? "" : "s");
    if (learned < nlm_found_count(list))
        page_print(p, ", %d graduated", graduated);
    if (learned > 0)
        page_print(p, ", %d learned for the whole budget", learned);
    if (going > 0)
        page_print(p, ", %d not finished", going);
    if (failed > 0)
        page_print(p, ", %d ended with an error", failed);
    page_put(p, "</dd>\n");
}

static void put_setting(page *p, const nlm_report *report)
{
    const nlm_found_runs *list = report->runs;
    page_put(p, "<dl class=\"setting\">\n");
    put_counts(p, report);
    put_fact(p, list, "Protocol", write_protocol, NULL);
    put_fact(p, list, "Tests", write_tests, NULL);
    put_fact(p, list, "Machine", write_machine, NULL);
    put_fact(p, list, "Version", write_version, NULL);
    put_fact(p, list, "Repeat it", write_command, "code");
    page_put(p, "</dl>\n");
}

/* ---- the paper's tables ---- */

static void put_cell(page *p, const char *text)
{
    page_put(p, "<td>");
    page_text(p, text);
    page_put(p, "</td>");
}

/* Shares below 1 are failures: with a mark, not only a colour. */
static void put_share(page *p, double share)
{
    char text[WORD_SIZE];
    page_put(p, share < 1 ? "<td class=\"bad\">\xe2\x9c\x97 " : "<td>");
    page_text(p, word_share(share, text));
    page_put(p, "</td>");
}

static void put_of(page *p, int count, int all, bool known)
{
    if (known)
        page_print(p, "<td%s>%d / %d</td>", count < all ? " class=\"bad\"" : "", count, all);
    else
        put_cell(p, word_count(NAN, (char[WORD_SIZE]){0}));
}

static void put_name(page *p, const nlm_found_runs *list, int first)
{
    char anchor[ANCHOR_SIZE];
    page_print(p, "<tr><th scope=\"row\"><a href=\"#%s\">", subject_anchor(first, anchor));
    run_title_put(p, nlm_found_at(list, first));
    page_put(p, "</a></th>");
}

static void put_task_row(page *p, const nlm_found_runs *list, int first, const tally *of)
{
    const nlm_found_run *run = nlm_found_at(list, first);
    const nlm_task *task = run->by[0] ? NULL : run->task; /* the paper's figures are of the machine */
    char text[WORD_SIZE];
    put_name(p, list, first);
    put_cell(p, word_share(task && task->graduation > 0 ? task->graduation : NAN, text));
    put_of(p, of->graduated, of->runs, of->learned == 0);
    put_of(p, of->exact, of->runs, of->tested > 0 && of->learned == 0);
    for (int t = 0; t < NLM_TEST_SIZES; t++) {
        if (of->learned > 0) /* errors are to be expected */
            put_cell(p, word_share(of->share[t], text));
        else
            put_share(p, of->share[t]);
    }
    put_cell(p, word_count(of->amount, text));
    put_cell(p, word_seconds(of->seconds, text));
    page_put(p, "</tr>\n");
}

static void put_game_row(page *p, const nlm_found_runs *list, int first, const tally *of)
{
    const nlm_found_run *run = nlm_found_at(list, first);
    const nlm_game *game = run->by[0] ? NULL : run->game; /* the paper's figures are of the machine */
    char text[WORD_SIZE];
    put_name(p, list, first);
    put_cell(p, word_share(game ? game->graduation : NAN, text));
    put_of(p, of->graduated, of->runs, true);
    put_of(p, of->exact, of->runs, of->tested > 0);
    for (int t = 0; t < NLM_TEST_SIZES; t++) {
        put_share(p, of->share[t]);
        put_cell(p, word_mean(of->moves[t], text));
        put_cell(p, game ? word_mean(game->test_moves[t], text) : word_mean(NAN, text));
    }
    put_cell(p, word_count(of->amount, text));
    put_cell(p, word_seconds(of->seconds, text));
    page_put(p, "</tr>\n");
}

static bool is_game(const nlm_found_run *run)
{
    return run->game || (!run->task && run->log.kind == NLM_LOG_OF_EXAMS);
}

static const char task_head[] =
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"results of "
    "tasks\"><table>\n<caption>Tasks</caption>\n<thead><tr><th "
    "scope=\"col\">task</th><th scope=\"col\">paper: graduated</th><th scope=\"col\">graduated</th><th "
    "scope=\"col\">exact</th><th scope=\"col\">right, smaller size</th><th scope=\"col\">right, larger "
    "size</th><th scope=\"col\">examples</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n";
static const char game_head[] =
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"results of "
    "games\"><table>\n<caption>Games</caption>\n<thead><tr><th "
    "scope=\"col\">game</th><th scope=\"col\">paper: graduated</th><th scope=\"col\">graduated</th><th "
    "scope=\"col\">exact</th><th "
    "scope=\"col\">solved, smaller size</th><th scope=\"col\">moves</th><th scope=\"col\">paper: "
    "moves</th><th scope=\"col\">solved, larger size</th><th scope=\"col\">moves</th><th "
    "scope=\"col\">paper: moves</th><th scope=\"col\">episodes</th><th "
    "scope=\"col\">time</th></tr></thead>\n<tbody>\n";

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
            page_put(p, games ? game_head : task_head);
        begun = true;
        status = tally_make(list, first, end, &of);
        if (!status && games)
            put_game_row(p, list, first, &of);
        else if (!status)
            put_task_row(p, list, first, &of);
    }
    if (begun)
        page_put(p, "</tbody></table></div>\n");
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
        page_put(p, "</p>\n");
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
    page_put(p, "<p class=\"dim\">Exact: of all runs, those that graduated and made no error in tests of "
                "both sizes. Right, solved, "
                "moves: means over the graduated, of memory networks (memnn) over all. Examples, episodes "
                "and time: the median of all runs. "
                "\xe2\x80\x93: not known, or not tested.</p>\n");
    return status;
}
