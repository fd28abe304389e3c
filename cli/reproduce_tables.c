/* The paper's tables with ours beside them, the machine's in detail, and below what did not go well; as
 * Markdown or as text. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "engine.h"
#include "nlm/tools.h"
#include "reproduce.h"
#include "reproduce_layout.h"

/* ---- cells ---- */

static void add_shares(layout *to, const sums *sum)
{
    const double *shares = sum->graduates.share;
    char small[NLM_NUMBER_TEXT], large[NLM_NUMBER_TEXT];
    if (sum->graduated > 0)
        layout_add(to, "%s, %s", nlm_percent_text(shares[0], small), nlm_percent_text(shares[1], large));
    else
        layout_add(to, "-");
}

static void add_seconds(layout *to, const sums *sum)
{
    if (sum->timed > 0)
        layout_add(to, "%.1f", sum->seconds);
    else
        layout_add(to, "-");
}

/* "8,000 12,000r -", in the order of the seeds. */
static void add_learned(layout *to, const reproduction *of, int index)
{
    char *text = NULL, count[NLM_NUMBER_TEXT];
    size_t size;
    const char *parted = "";
    FILE *list = open_memstream(&text, &size);
    for (int i = 0; list != NULL && i < of->count; i++) {
        const outcome *one = &of->runs[i];
        if (one->subject != index)
            continue;
        const bool counted = one->finished && one->graduated;
        fprintf(list, "%s%s", parted,
                counted         ? nlm_count_text((size_t)one->learned, count)
                : one->finished ? "-"
                                : "?");
        for (int r = 0; one->finished && r < one->restarts; r++)
            putc('r', list);
        parted = " ";
    }
    if (list != NULL)
        fclose(list);
    layout_add(to, "%s", text != NULL ? text : "");
    free(text);
}

static void add_pair(layout *to, const double values[LEARNER_SIZES], const int counts[LEARNER_SIZES],
                     int digits)
{
    char texts[LEARNER_SIZES][NLM_NUMBER_TEXT];
    for (int size = 0; size < LEARNER_SIZES; size++) {
        if (counts[size] > 0)
            snprintf(texts[size], NLM_NUMBER_TEXT, "%.*f", digits, values[size]);
        else
            snprintf(texts[size], NLM_NUMBER_TEXT, "-");
    }
    layout_add(to, "%s, %s", texts[0], texts[1]);
}

/* ---- rows ---- */

static void add_heads(layout *to, const char *const *heads)
{
    for (; *heads != NULL; heads++)
        layout_add(to, "%s", *heads);
    layout_end_row(to);
}

static void add_beginning(layout *to, int index, const sums *sum)
{
    const task_or_game what = reproduce_subject(index);
    int sizes[LEARNER_SIZES];
    reproduce_sizes(index, sizes);
    layout_add(to, "%s", reproduce_task(index));
    layout_add(to, "%d, %d", sizes[0], sizes[1]);
    layout_add(to, "%.0f %%", 100 * (what.game != NULL ? what.game->graduation : what.task->graduation));
    layout_add(to, "%d/%d", sum->graduated, sum->runs);
    layout_add(to, "%d/%d", sum->exact, sum->runs);
    layout_add(to, "100 %%, 100 %%");
    add_shares(to, sum);
}

static void add_task(layout *to, const reproduction *of, int index, const sums *sum)
{
    char budget[NLM_NUMBER_TEXT];
    add_beginning(to, index, sum);
    add_seconds(to, sum);
    layout_add(to, "%s", nlm_count_text((size_t)reproduce_subject(index).task->examples, budget));
    add_learned(to, of, index);
    layout_end_row(to);
}

static void add_game(layout *to, const reproduction *of, int index, const sums *sum)
{
    const nlm_game *game = reproduce_subject(index).game;
    const means *of_graduates = &sum->graduates;
    char budget[NLM_NUMBER_TEXT];
    double ratio[LEARNER_SIZES] = {0};
    int known[LEARNER_SIZES] = {0};
    for (int size = 0; size < LEARNER_SIZES; size++) {
        known[size] = of_graduates->solving[size] > 0 && of_graduates->optimal[size] > 0;
        ratio[size] = known[size] ? of_graduates->moves[size] / of_graduates->optimal[size] : 0;
    }
    add_beginning(to, index, sum);
    layout_add(to, "%g, %g", game->test_moves[0], game->test_moves[1]);
    add_pair(to, of_graduates->moves, of_graduates->solving, 2);
    add_pair(to, ratio, known, 3);
    add_seconds(to, sum);
    layout_add(to, "%s", nlm_count_text((size_t)paper_settings(game).episodes, budget));
    add_learned(to, of, index);
    layout_end_row(to);
}

/* Whether there is such a table. */
static bool write_table(FILE *file, const reproduction *of, bool games, bool markdown)
{
    static const char *const task_heads[] = {
        "task",  "objects", "paper: graduated", "graduated", "exact", "paper: right",
        "right", "seconds", "budget",           "examples",  NULL};
    static const char *const game_heads[] = {
        "game",         "objects", "paper: graduated", "graduated", "exact",  "paper: solved", "solved",
        "paper: moves", "moves",   "to optimum",       "seconds",   "budget", "episodes",      NULL};
    layout table = {0};
    add_heads(&table, games ? game_heads : task_heads);
    for (int s = 0; s < reproduce_subjects(); s++) {
        const sums sum = sums_of(of, s);
        if (reproduce_model_of(s) != REPRODUCE_NLM || reproduce_is_ilp(s) || sum.runs == 0 ||
            (reproduce_subject(s).game != NULL) != games)
            continue;
        if (games)
            add_game(&table, of, s, &sum);
        else
            add_task(&table, of, s, &sum);
    }
    const bool any = table.rows > 1;
    if (any) {
        fprintf(file, "%sNLM: %s\n\n", markdown ? "## " : "", games ? "games" : "tasks");
        layout_write(&table, file, markdown);
        putc('\n', file);
    }
    layout_free(&table);
    return any;
}

/* ---- what did not go well ---- */

/* " at 10 objects 100 % right, at 50 objects 99.90 % right (the first failure is world 437)" */
static void write_failures(FILE *file, const outcome *one)
{
    const bool game = reproduce_subject(one->subject).game != NULL;
    char share[NLM_NUMBER_TEXT];
    int sizes[LEARNER_SIZES];
    reproduce_sizes(one->subject, sizes);
    for (int size = 0; size < LEARNER_SIZES; size++) {
        const nlm_score *test = &one->tests[size];
        fprintf(file, "%s at %d objects %s %s", size > 0 ? "," : "", sizes[size],
                nlm_percent_text(test->right, share), game ? "solved" : "right");
        if (test->first_failure >= 0)
            fprintf(file, " (the first failure is %s %d)", game ? "instance" : "world", test->first_failure);
    }
}

static void write_trouble(FILE *file, const outcome *one)
{
    fprintf(file, "- %s, seed %llu: ", reproduce_name(one->subject), (unsigned long long)one->seed);
    if (one->error[0] != '\0')
        fprintf(file, "error: %s", one->error);
    else if (!one->finished)
        fputs("not finished", file);
    else {
        fprintf(file, one->graduated ? "graduated, but makes errors:" : "not graduated;");
        write_failures(file, one);
    }
    putc('\n', file);
}

/* Seeds that have something in common: each once, after the words that say what. */
typedef bool among(const outcome *one);

static bool is_refused(const outcome *one)
{
    return one->finished && one->refused[0] != '\0';
}

static bool is_bad(const outcome *one)
{
    if (!one->finished || one->error[0] != '\0' || is_refused(one))
        return false;
    return reproduce_is_ilp(one->subject) ? !outcome_is_solved(one) : !outcome_is_exact(one);
}

/* "- ilp-fizz-dilp: 18 of 20 not solved: seeds 1 2 3" */
static void write_seeds(FILE *file, const reproduction *of, int index, among *which, const char *words)
{
    const int runs = sums_of(of, index).runs;
    const outcome *first = NULL;
    int count = 0;
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject != index || !which(&of->runs[i]))
            continue;
        first = first != NULL ? first : &of->runs[i];
        count++;
    }
    if (count == 0)
        return;
    fprintf(file, "- %s: %d of %d %s: seed%s", reproduce_name(index), count, runs, words,
            count == 1 ? "" : "s");
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject == index && which(&of->runs[i]))
            fprintf(file, " %llu", (unsigned long long)of->runs[i].seed);
    }
    fprintf(file, "%s%s\n", first->refused[0] != '\0' ? "; " : "", first->refused);
}

/* Differentiable ILP fails often, and in one way: a line for all seeds. */
static void write_seeds_of_dilp(FILE *file, const reproduction *of, int index)
{
    write_seeds(file, of, index, is_refused, "refused");
    write_seeds(file, of, index, is_bad,
                reproduce_is_ilp(index) ? "not solved" : "not graduated, or with errors in a test");
}

/* Whether a run has a line of its own. */
static bool is_told(const outcome *one)
{
    if (one->error[0] != '\0' || (!one->finished && reproduce_model_of(one->subject) != REPRODUCE_MEMNN))
        return true;
    return reproduce_model_of(one->subject) == REPRODUCE_NLM && is_bad(one);
}

static bool has_runs_of(const reproduction *of, reproduce_model model)
{
    for (int i = 0; i < of->count; i++) {
        if (reproduce_model_of(of->runs[i].subject) == model)
            return true;
    }
    return false;
}

/* Memory networks are not expected to graduate: one line tells how many did. */
static void write_memnn(FILE *file, const reproduction *of, const char *parted)
{
    sums sum = {0};
    for (int s = 0; s < reproduce_subjects(); s++) {
        const sums one = sums_of(of, s);
        if (reproduce_model_of(s) != REPRODUCE_MEMNN)
            continue;
        sum.runs += one.runs;
        sum.finished += one.finished;
        sum.graduated += one.graduated;
        sum.exact += one.exact;
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

/* All lines; NULL without memory. */
static char *troubles_text(const reproduction *of)
{
    char *text = NULL;
    size_t size;
    FILE *list = open_memstream(&text, &size);
    for (int s = 0; list != NULL && s < reproduce_subjects(); s++) {
        for (int i = 0; i < of->count; i++) {
            if (of->runs[i].subject == s && is_told(&of->runs[i]))
                write_trouble(list, &of->runs[i]);
        }
        if (reproduce_model_of(s) == REPRODUCE_DILP)
            write_seeds_of_dilp(list, of, s);
    }
    if (list != NULL)
        fclose(list);
    return text;
}

static void write_troubles(FILE *file, const reproduction *of, bool markdown)
{
    char *text = troubles_text(of);
    const char *parted = "";
    const bool machine = has_runs_of(of, REPRODUCE_NLM), dilp = has_runs_of(of, REPRODUCE_DILP);
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
static const char *seeds_text(const reproduction *of, char text[NLM_NUMBER_TEXT])
{
    int least = 0, most = 0;
    for (int s = 0; s < reproduce_subjects(); s++) {
        const int runs = sums_of(of, s).runs;
        most = runs > most ? runs : most;
        least = runs > 0 && (least == 0 || runs < least) ? runs : least;
    }
    if (least == most)
        snprintf(text, NLM_NUMBER_TEXT, "%d seed%s", most, most == 1 ? "" : "s");
    else
        snprintf(text, NLM_NUMBER_TEXT, "%d to %d seeds", least, most);
    return text;
}

static void write_heading(FILE *file, const reproduction *of, bool markdown)
{
    char command[REPRODUCE_COMMAND], processor[REPRODUCE_TEXT], date[64];
    char seeds[NLM_NUMBER_TEXT], worlds[NLM_NUMBER_TEXT], took[NLM_NUMBER_TEXT];
    const time_t now = time(NULL);
    struct tm utc = {0};
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    reproduce_command(of, command);
    reproduce_processor(processor);
    fputs(markdown ? "# Reproduced\n\n" : "", file);
    fprintf(file, "Generated by %s%s%s, nlm %s, %s.\n", markdown ? "`" : "", command, markdown ? "`" : "",
            nlm_version(), date);
    fprintf(file, "%s, %d core%s; %s, tests on %s worlds or instances of each size; %s in all.\n\n",
            processor[0] != '\0' ? processor : "unknown processor", engine_processors(),
            engine_processors() == 1 ? "" : "s", seeds_text(of, seeds),
            nlm_count_text((size_t)of->worlds, worlds), progress_time_text(reproduce_seconds(of), took));
}

void tables_write(FILE *file, const reproduction *of, bool markdown)
{
    write_heading(file, of, markdown);
    tables_write_models(file, of, markdown);
    const bool tasks = write_table(file, of, false, markdown);
    if (write_table(file, of, true, markdown) || tasks)
        fputs("exact: graduated, and without any error in both tests.  right, solved, moves: means over the\n"
              "graduated.  seconds: of training, on average.  examples, episodes: of each seed in order; -: "
              "not\n"
              "graduated, r: a new beginning, ?: not finished.\n\n",
              file);
    write_troubles(file, of, markdown);
}
