/* The whole of results.md: a heading, the papers' tables, the machine's runs in detail, its programs, and
 * what did not go well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "nlm/tools.h"
#include "nlm/version.h"
#include "study/layout.h"
#include "study/study.h"

/* ---- cells ---- */

static void add_shares(layout *to, const nlm_sums *sum)
{
    const double *shares = sum->graduates.share;
    char small[NLM_NUMBER_TEXT], large[NLM_NUMBER_TEXT];
    if (sum->graduated > 0)
        layout_add(to, "%s, %s", nlm_percent_text(shares[0], small), nlm_percent_text(shares[1], large));
    else
        layout_skip(to);
}

static void add_mean(layout *to, int runs, double mean)
{
    if (runs > 0)
        layout_add(to, "%.1f", mean);
    else
        layout_skip(to);
}

/* "8,000 12,000r -", in the order of the seeds. */
static void add_learned(layout *to, const nlm_study *of, const nlm_subject *subject)
{
    char *text = NULL, count[NLM_NUMBER_TEXT];
    size_t size;
    const char *parted = "";
    FILE *list = open_memstream(&text, &size);
    for (int i = 0; list != NULL && i < of->count; i++) {
        const nlm_study_run *one = &of->runs[i];
        if (one->subject != subject)
            continue;
        const bool counted = one->result.finished && one->result.graduated;
        fprintf(list, "%s%s", parted,
                counted                ? nlm_count_text((size_t)one->result.learned, count)
                : one->result.finished ? "-"
                                       : "?");
        for (int r = 0; one->result.finished && r < one->result.restarts; r++)
            putc('r', list);
        parted = " ";
    }
    if (list != NULL)
        fclose(list);
    layout_add(to, "%s", text != NULL ? text : "");
    free(text);
}

static void add_pair(layout *to, const double values[NLM_TEST_SIZES], const int counts[NLM_TEST_SIZES],
                     int digits)
{
    char texts[NLM_TEST_SIZES][NLM_NUMBER_TEXT];
    for (int size = 0; size < NLM_TEST_SIZES; size++) {
        if (counts[size] > 0)
            snprintf(texts[size], NLM_NUMBER_TEXT, "%.*f", digits, values[size]);
        else
            snprintf(texts[size], NLM_NUMBER_TEXT, "-");
    }
    if (counts[0] > 0 || counts[1] > 0)
        layout_add(to, "%s, %s", texts[0], texts[1]);
    else
        layout_skip(to);
}

/* ---- rows ---- */

static void add_row(layout *to, const nlm_study *of, const nlm_subject *subject, const nlm_sums *sum)
{
    const nlm_means *of_graduates = &sum->graduates;
    char budget[NLM_NUMBER_TEXT];
    layout_add(to, "%s", subject->what);
    layout_add(to, "%d, %d", subject->sizes[0], subject->sizes[1]);
    layout_add(to, "%.0f %%", 100 * published_about(subject).graduation);
    layout_add(to, "%d/%d", sum->graduated, sum->runs);
    layout_add(to, "%d/%d", sum->exact, sum->runs);
    layout_add(to, "100 %%, 100 %%");
    add_shares(to, sum);
    if (!subject->game && sum->rich > 0)
        layout_add(to, "%d/%d", sum->rich_exact, sum->rich);
    else if (!subject->game)
        layout_skip(to);
    if (subject->game) {
        double ratio[NLM_TEST_SIZES] = {0};
        int known[NLM_TEST_SIZES] = {0};
        for (int size = 0; size < NLM_TEST_SIZES; size++) {
            known[size] = of_graduates->solving[size] > 0 && of_graduates->optimal[size] > 0;
            ratio[size] = known[size] ? of_graduates->moves[size] / of_graduates->optimal[size] : 0;
        }
        layout_add(to, "%g, %g", subject->game->test_moves[0], subject->game->test_moves[1]);
        add_pair(to, of_graduates->moves, of_graduates->solving, 2);
        add_pair(to, ratio, known, 3);
    }
    add_mean(to, sum->timed, sum->seconds);
    layout_add(to, "%s", nlm_count_text((size_t)subject_paper_budget(subject), budget));
    add_mean(to, sum->drawing, sum->drawn); /* worlds or instances drawn for each one learned from */
    add_learned(to, of, subject);
    layout_end_row(to);
}

/* Whether there is such a table. */
static bool write_table(FILE *file, const nlm_study *of, bool games, bool markdown)
{
    static const char *const heads[2][15] = {
        {"task", "objects", "paper: graduated", "graduated", "exact", "paper: right", "right", "rich worlds",
         "seconds", "budget", "drawn", "examples", NULL},
        {"game", "objects", "paper: graduated", "graduated", "exact", "paper: solved", "solved",
         "paper: moves", "moves", "to optimum", "seconds", "budget", "drawn", "episodes", NULL}};
    layout table;
    layout_begin(&table, heads[games]);
    for (int s = 0; s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        const nlm_sums sum = subject_sums(of, subject);
        if (!subject_is(subject, "nlm") || subject->ilp || subject->pictures || sum.runs == 0 ||
            (subject->game != NULL) != games)
            continue;
        add_row(&table, of, subject, &sum);
    }
    return layout_end(&table, file, markdown, games ? "NLM: games" : "NLM: tasks", "");
}

/* ---- what did not go well ---- */

/* " at 10 objects 100 % right, at 50 objects 99.90 % right (the first failure is world 437)" */
static void write_failures(FILE *file, const nlm_study_run *one)
{
    const bool game = one->subject->game != NULL;
    char share[NLM_NUMBER_TEXT];
    for (int size = 0; size < NLM_TEST_SIZES; size++) {
        const nlm_score *test = &one->result.test[size];
        fprintf(file, "%s at %d objects %s %s", size > 0 ? "," : "", one->subject->sizes[size],
                nlm_percent_text(test->right, share), game ? "solved" : "right");
        if (test->first_failure >= 0)
            fprintf(file, " (the first failure is %s %d)", game ? "instance" : "world", test->first_failure);
    }
}

static void write_trouble(FILE *file, const nlm_study_run *one)
{
    fprintf(file, "- %s, seed %llu: ", one->subject->name, (unsigned long long)one->result.seed);
    if (one->result.error[0] != '\0')
        fprintf(file, "error: %s", one->result.error);
    else if (!one->result.finished)
        fputs("not finished", file);
    else {
        fprintf(file, one->result.graduated ? "graduated, but makes errors:" : "not graduated;");
        write_failures(file, one);
    }
    putc('\n', file);
}

/* Seeds that have something in common: each once, after the words that say what. */
typedef bool among(const nlm_study_run *one);

static bool is_refused(const nlm_study_run *one)
{
    return one->result.finished && one->result.refused[0] != '\0';
}

static bool is_bad(const nlm_study_run *one)
{
    if (!one->result.finished || one->result.error[0] != '\0' || is_refused(one) || one->subject->pictures)
        return false;
    return one->subject->ilp ? !nlm_result_is_solved(&one->result) : !nlm_result_is_exact(&one->result);
}

/* "- ilp-fizz-dilp: 18 of 20 not solved: seeds 1 2 3" */
static void write_seeds(FILE *file, const nlm_study *of, const nlm_subject *subject, among *which,
                        const char *words)
{
    const int runs = subject_sums(of, subject).runs;
    const nlm_study_run *first = NULL;
    int count = 0;
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject != subject || !which(&of->runs[i]))
            continue;
        first = first != NULL ? first : &of->runs[i];
        count++;
    }
    if (count == 0)
        return;
    fprintf(file, "- %s: %d of %d %s: seed%s", subject->name, count, runs, words, count == 1 ? "" : "s");
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject == subject && which(&of->runs[i]))
            fprintf(file, " %llu", (unsigned long long)of->runs[i].result.seed);
    }
    fprintf(file, "%s%s\n", first->result.refused[0] != '\0' ? "; " : "", first->result.refused);
}

/* Whether a run has a line of its own among the failures. */
static bool has_own_line(const nlm_study_run *one)
{
    if (one->result.error[0] != '\0' || (!one->result.finished && !subject_is(one->subject, "memnn")))
        return true;
    return subject_is(one->subject, "nlm") && is_bad(one);
}

static bool has_runs_of(const nlm_study *of, const char *model)
{
    for (int i = 0; i < of->count; i++) {
        if (subject_is(of->runs[i].subject, model))
            return true;
    }
    return false;
}

/* Memory networks are not expected to graduate: one line tells how many did. */
static void write_memnn(FILE *file, const nlm_study *of, const char *parted)
{
    nlm_sums sum = {0};
    for (int i = 0; i < of->count; i++) {
        if (subject_is(of->runs[i].subject, "memnn"))
            nlm_sums_add(&sum, &of->runs[i].result);
    }
    if (sum.runs == 0)
        return;
    fprintf(file, "%sOf %d run%s of memory networks %d graduated", parted, sum.runs, sum.runs == 1 ? "" : "s",
            sum.graduated);
    if (sum.graduated > 0)
        fprintf(file, ", %d of these without any error in both tests", sum.exact);
    if (sum.finished < sum.runs)
        fprintf(file, "; %d %s not finished", sum.runs - sum.finished,
                sum.runs - sum.finished == 1 ? "is" : "are");
    fputs(".\n", file);
}

static void write_troubles(FILE *file, const nlm_study *of, bool markdown)
{
    char *text = NULL;
    size_t size;
    FILE *list = open_memstream(&text, &size);
    for (int s = 0; list != NULL && s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        for (int i = 0; i < of->count; i++) {
            if (of->runs[i].subject == subject && has_own_line(&of->runs[i]))
                write_trouble(list, &of->runs[i]);
        }
        if (!subject_is(subject, "dilp"))
            continue;
        /* Differentiable ILP fails often, and in one way: a line for all seeds. */
        write_seeds(list, of, subject, is_refused, "refused");
        write_seeds(list, of, subject, is_bad,
                    subject->ilp ? "not solved" : "not graduated, or with errors in a test");
    }
    if (list != NULL)
        fclose(list);
    const char *parted = "";
    const bool machine = has_runs_of(of, "nlm"), dilp = has_runs_of(of, "dilp");
    if (text != NULL && text[0] != '\0') {
        fprintf(file, "%sFailures\n\n%s", markdown ? "## " : "", text);
        parted = "\n";
    } else if (machine || dilp) {
        fprintf(file, "No run of %s%s%s failed.\n", machine ? "the machine" : "",
                machine && dilp ? " or of " : "", dilp ? "differentiable ILP" : "");
        parted = "\n";
    }
    write_memnn(file, of, parted);
    free(text);
}

/* ---- all of it ---- */

/* "4 seeds", "1 to 4 seeds" */
static const char *seeds_text(const nlm_study *of, char text[NLM_NUMBER_TEXT])
{
    int least = 0, most = 0;
    for (int s = 0; s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        const int runs = subject_sums(of, subject).runs;
        most = runs > most ? runs : most;
        least = runs > 0 && (least == 0 || runs < least) ? runs : least;
    }
    if (least == most)
        snprintf(text, NLM_NUMBER_TEXT, "%d seed%s", most, most == 1 ? "" : "s");
    else
        snprintf(text, NLM_NUMBER_TEXT, "%d to %d seeds", least, most);
    return text;
}

/* Whether results were made elsewhere, as records may have been. */
static bool has_records(const nlm_study *of)
{
    return of->plan.records != NULL;
}

/* Of commands that worked on the folder; with records, of all their runs, one after another. */
static double seconds_of_all(const nlm_study *of)
{
    double seconds = 0;
    for (int i = 0; i < of->count; i++) {
        const nlm_result *result = &of->runs[i].result;
        if (!result->finished || result->refused[0] != '\0')
            continue;
        seconds += fmax(result->seconds, 0) + fmax(result->test_seconds, 0);
        seconds += result->program.sought ? fmax(result->program.seconds, 0) : 0;
    }
    return has_records(of) ? seconds : study_seconds(of);
}

static void write_heading(FILE *file, const nlm_study *of, bool markdown)
{
    char command[STUDY_COMMAND], machine[NLM_RESULT_TEXT], date[64];
    char seeds[NLM_NUMBER_TEXT], worlds[NLM_NUMBER_TEXT], took[NLM_NUMBER_TEXT];
    const time_t now = time(NULL);
    struct tm utc = {0};
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    study_command(of, command);
    fputs(markdown ? "# Results of nlm reproduce\n\n" : "", file);
    fprintf(file, "Generated by %s%s%s, nlm %s, %s.\n", markdown ? "`" : "", command, markdown ? "`" : "",
            nlm_version(), date);
    fprintf(file, "%s%s%s, tests on %s worlds or instances of each size; %s in all%s.\n\n",
            has_records(of) ? "" : study_machine(machine), has_records(of) ? "" : "; ", seeds_text(of, seeds),
            nlm_count_text((size_t)of->plan.worlds, worlds), nlm_time_text(seconds_of_all(of), took),
            has_records(of) ? ", if one run follows another" : "");
}

/* ---- where runs are from ---- */

/* Of the same day and machine; those that do not record it are alike. */
static bool is_same_origin(const nlm_result *a, const nlm_result *b)
{
    return strncmp(a->date, b->date, 10) == 0 && strcmp(a->machine, b->machine) == 0;
}

/* The first finished run of its day and machine. */
static bool is_first(const nlm_study *of, int index)
{
    for (int i = 0; i < index; i++) {
        if (of->runs[i].result.finished && is_same_origin(&of->runs[i].result, &of->runs[index].result))
            return false;
    }
    return of->runs[index].result.finished;
}

/* "- 2026-11-18, AMD EPYC, 2 cores: has-father, sort-memnn" */
static void write_origin(FILE *file, const nlm_study *of, const nlm_result *like)
{
    const nlm_subject *last = NULL;
    if (like->date[0] != '\0')
        fprintf(file, "- %.10s, %s:", like->date, like->machine);
    else
        fputs("- day and machine not recorded:", file);
    for (int i = 0; i < of->count; i++) {
        const nlm_study_run *one = &of->runs[i];
        if (!one->result.finished || one->subject == last || !is_same_origin(&one->result, like))
            continue;
        fprintf(file, "%s%s", last != NULL ? ", " : " ", one->subject->name);
        last = one->subject;
    }
    putc('\n', file);
}

/* Nothing where all runs are of one day and of the machine that the heading names. */
static void write_origins(FILE *file, const nlm_study *of)
{
    int origins = 0;
    for (int i = 0; i < of->count; i++)
        origins += is_first(of, i);
    if (origins == 0 || (origins == 1 && !has_records(of)))
        return;
    fputs(origins > 1 ? "Runs of several days or machines:\n\n" : "Day and machine of the runs:\n\n", file);
    for (int i = 0; i < of->count; i++) {
        if (is_first(of, i))
            write_origin(file, of, &of->runs[i].result);
    }
    putc('\n', file);
}

/* ---- notes written by hand ---- */

static void write_notes(FILE *file, const char *path)
{
    FILE *notes = path != NULL ? fopen(path, "r") : NULL;
    if (notes == NULL)
        return;
    fputs("\n<!-- notes: written by hand, not by this command -->\n\n", file);
    for (int c; (c = getc(notes)) != EOF;)
        putc(c, file);
    fclose(notes);
    fputs("\n<!-- end of notes -->\n", file);
}

static void write_legend(FILE *file, const nlm_study *of)
{
    fprintf(
        file,
        "Protocol: %s%s.\n"
        "exact: graduated, and no error in both tests.  right, solved, moves: means over the graduated "
        "runs.\nrich worlds: graduated, and no error in two more tests on rich worlds, of the runs so "
        "tested.\n"
        "seconds: mean training time.  budget: the paper's number of examples (worlds) or episodes to learn\n"
        "from.  drawn, if recorded: worlds or instances drawn per one learned from; the others were not\n"
        "selected, or served in exams.  examples, episodes: number learned from, for each seed in order;\n"
        "-: not graduated, r: restarted with new weights, ?: not finished.\n\n",
        nlm_protocol_name(of->plan.protocol),
        of->plan.protocol == NLM_PROTOCOL_BEST
            ? ".  In tasks it learns from rich worlds, if there are any, and selects part of those drawn"
            : "");
}

/* How agents choose their moves in tests, the same in all games. */
static void write_work(FILE *file)
{
    nlm_settings settings;
    char text[NLM_WORK_TEXT];
    if (nlm_settings_of_game(nlm_game_at(0), NLM_PROTOCOL_PAPER, &settings, NULL) == NLM_OK)
        fprintf(file, "Agents in tests: %s\n\n", nlm_work_text(&settings, text));
}

void nlm_study_write(const nlm_study *study, FILE *stream, bool markdown)
{
    write_heading(stream, study, markdown);
    write_origins(stream, study);
    tables_write(stream, study, markdown);
    const bool tasks = write_table(stream, study, false, markdown);
    const bool games = write_table(stream, study, true, markdown);
    if (games || tasks)
        write_legend(stream, study);
    if (games)
        write_work(stream);
    programs_write(stream, study, markdown);
    write_troubles(stream, study, markdown);
    if (markdown)
        write_notes(stream, study->plan.notes);
}
