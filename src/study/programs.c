/* The programs that the machine's runs ended with: their sizes beside those of people's definitions, proofs,
 * wrong answers in tests, and what the search took beyond training.  Then the runs that are no proved
 * program.
 *
 * Sizes are literals as nlm_program_measure counts them, heads included, for programs and definitions alike.
 */
#include <stdlib.h>
#include <string.h>
#include "nlm/program.h"
#include "nlm/tools.h"
#include "study/human.h"
#include "study/layout.h"
#include "study/study.h"

#define MEDIAN_MOST 1.25 /* times the human definition; programs above this, or above the next, are named */
#define LARGEST_MOST 2.0

/* ---- definitions by people ---- */

/* Literals of the definition; 0 where there is none. */
static int human_literals(const char *task)
{
    const struct human_rules *rules = human_rules;
    nlm_program *program;
    while (rules->task != NULL && strcmp(rules->task, task) != 0)
        rules++;
    const nlm_program_reading reading = {0};
    if (rules->task == NULL || nlm_program_parse(rules->clauses, strlen(rules->clauses), rules->task,
                                                 &reading, &program, NULL) != NLM_OK)
        return 0;
    const int literals = nlm_program_measure(program).literals;
    nlm_program_free(program);
    return literals;
}

/* ---- figures of a subject ---- */

/* A figure of a run; below 0: it has none. */
typedef double figure(const nlm_result *result);

static double literals_of(const nlm_result *result)
{
    return result->program.found ? result->program.literals : -1;
}

static double training_of(const nlm_result *result)
{
    return result->program.sought ? result->seconds : -1;
}

static double search_of(const nlm_result *result)
{
    return result->program.sought ? result->program.seconds : -1;
}

static double processor_of(const nlm_result *result)
{
    return result->program.sought ? result->program.processor_seconds : -1;
}

typedef struct spread {
    int count;
    double least, median, most;
} spread;

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Over the finished runs of a subject that have the figure; the median of an even number is the mean of the
 * middle two. */
static spread spread_of(const nlm_study *of, const nlm_subject *subject, figure *take)
{
    double *values = malloc(((size_t)of->count + 1) * sizeof *values);
    spread found = {0};
    for (int i = 0; values != NULL && i < of->count; i++) {
        const nlm_study_run *one = &of->runs[i];
        const double value = one->subject == subject && one->result.finished ? take(&one->result) : -1;
        if (value >= 0)
            values[found.count++] = value;
    }
    if (found.count > 0) {
        qsort(values, (size_t)found.count, sizeof *values, compare_numbers);
        found.least = values[0];
        found.median = (values[(found.count - 1) / 2] + values[found.count / 2]) / 2;
        found.most = values[found.count - 1];
    }
    free(values);
    return found;
}

/* How many runs of the subject there are, looked for a program, found one, and have it proved. */
typedef struct tally {
    int runs, sought, found, proved;
} tally;

static tally tally_of(const nlm_study *of, const nlm_subject *subject)
{
    tally made = {0};
    for (int i = 0; i < of->count; i++) {
        const nlm_result *result = &of->runs[i].result;
        if (of->runs[i].subject != subject)
            continue;
        made.runs++;
        made.sought += result->finished && result->program.sought;
        made.found += result->finished && result->program.found;
        made.proved += result->finished && result->program.found && result->program.proved;
    }
    return made;
}

/* ---- cells ---- */

static void add_sizes(layout *to, const spread *sizes)
{
    const double values[] = {sizes->least, sizes->median, sizes->most};
    for (int i = 0; i < 3; i++) {
        if (sizes->count > 0)
            layout_add(to, "%g", values[i]);
        else
            layout_skip(to);
    }
}

static void add_time(layout *to, const nlm_study *of, const nlm_subject *subject, figure *take)
{
    const spread times = spread_of(of, subject, take);
    if (times.count > 0)
        layout_add(to, "%.1f (%.1f)", times.median, times.most);
    else
        layout_skip(to);
}

/* "0", or "7 in 1 of 10": wrong answers of all programs in one of their tests. */
static void add_wrong(layout *to, const nlm_study *of, const nlm_subject *subject, bool rich, int size)
{
    size_t wrong = 0;
    int tested = 0, erring = 0;
    char text[NLM_NUMBER_TEXT];
    for (int i = 0; i < of->count; i++) {
        const nlm_result *result = &of->runs[i].result;
        const nlm_score *test = rich ? &result->rich[size] : &result->test[size];
        if (of->runs[i].subject != subject || !result->finished || !result->program.found ||
            (rich ? result->rich_tests : result->tests) <= size || test->wrong == NLM_WRONG_UNKNOWN)
            continue;
        tested++;
        erring += test->wrong > 0;
        wrong += test->wrong;
    }
    nlm_count_text(wrong, text);
    if (tested == 0)
        layout_skip(to);
    else if (erring == 0)
        layout_add(to, "%s", text);
    else
        layout_add(to, "%s in %d of %d", text, erring, tested);
}

/* "10 of 10; 7.07": programs that solve all instances of a test, and the moves that they need. */
static void add_solved(layout *to, const nlm_study *of, const nlm_subject *subject, int size)
{
    int tested = 0, solving = 0;
    double moves = 0;
    for (int i = 0; i < of->count; i++) {
        const nlm_result *result = &of->runs[i].result;
        if (of->runs[i].subject != subject || !result->finished || !result->program.found ||
            result->tests <= size)
            continue;
        tested++;
        solving += result->test[size].first_failure < 0;
        moves += result->test[size].first_failure < 0 ? result->test[size].moves : 0;
    }
    if (solving > 0)
        layout_add(to, "%d of %d; %.2f", solving, tested, moves / solving);
    else if (tested > 0)
        layout_add(to, "0 of %d", tested);
    else
        layout_skip(to);
}

static void add_row(layout *to, const nlm_study *of, const nlm_subject *subject)
{
    const spread sizes = spread_of(of, subject, literals_of);
    const tally runs = tally_of(of, subject);
    const int human = human_literals(subject->what);
    layout_add(to, "%s", subject->what);
    if (subject->game == NULL && human > 0)
        layout_add(to, "%d", human);
    else if (subject->game == NULL)
        layout_skip(to);
    add_sizes(to, &sizes);
    layout_add(to, "%d of %d", runs.found, runs.runs);
    layout_add(to, "%d of %d", runs.proved, runs.runs);
    for (int test = 0; test < NLM_WORLD_KINDS * NLM_TEST_SIZES && subject->game == NULL; test++)
        add_wrong(to, of, subject, test >= NLM_TEST_SIZES, test % NLM_TEST_SIZES);
    for (int size = 0; size < NLM_TEST_SIZES && subject->game != NULL; size++)
        add_solved(to, of, subject, size);
    add_time(to, of, subject, training_of);
    add_time(to, of, subject, search_of);
    add_time(to, of, subject, processor_of);
    layout_end_row(to);
}

/* ---- tables ---- */

static bool is_row(const nlm_study *of, const nlm_subject *subject)
{
    return subject_is(subject, "nlm") && tally_of(of, subject).sought > 0;
}

/* "Median above 1.25 times the human definition: uncle (1.40)." */
static void write_larger(FILE *file, const nlm_study *of, bool largest, double most)
{
    const char *parted = "";
    fprintf(file, "%s above %g times the human definition: ", largest ? "Largest" : "Median", most);
    for (int s = 0; s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        const int human = is_row(of, subject) ? human_literals(subject->what) : 0;
        const spread sizes = spread_of(of, subject, literals_of);
        const double ratio = human > 0 ? (largest ? sizes.most : sizes.median) / human : 0;
        if (ratio <= most)
            continue;
        fprintf(file, "%s%s (%.2f)", parted, subject->what, ratio);
        parted = ", ";
    }
    fprintf(file, "%s.\n", parted[0] != '\0' ? "" : "none");
}

static bool write_table(FILE *file, const nlm_study *of, bool games, bool markdown)
{
    static const char *const heads[2][15] = {
        {"task", "human", "smallest", "median", "largest", "programs", "proved", "wrong: paper, small",
         "paper, large", "rich, small", "rich, large", "s training", "s search", "processor s", NULL},
        {"game", "smallest", "median", "largest", "programs", "proved", "all solved, small; moves",
         "all solved, large; moves", "s training", "s search", "processor s", NULL}};
    layout table;
    layout_begin(&table, heads[games]);
    for (int s = 0; s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        if (is_row(of, subject) && (subject->game != NULL) == games)
            add_row(&table, of, subject);
    }
    return layout_end(&table, file, markdown, games ? "Programs: games" : "Programs: tasks", "");
}

static void write_legend(FILE *file, const nlm_study *of, bool tasks)
{
    if (tasks)
        fprintf(file, "Training: as in tables 1 and 3: on worlds of the smaller size, by %s.\n",
                tables_training(of, false));
    else
        fprintf(file, "Training: as in table 2, by protocol %s.\n", nlm_protocol_name(of->plan.protocol));
    fputs("smallest, median, largest: literals of the programs, heads included.  programs, proved: runs "
          "whose model is\n"
          "a program, and is proved to compute it in every world (nlm prove).  s training, s search, "
          "processor s:\n"
          "seconds of training, and beyond it of the search for the program, by the clock and of the "
          "processor (one\n"
          "thread a run); the median and, in brackets, the most.\n",
          file);
    if (tasks) {
        fputs("human: literals of a definition by hand.  wrong: answers of all these programs in the tests, "
              "on the paper's\n"
              "and on rich worlds of both sizes.\n",
              file);
        write_larger(file, of, false, MEDIAN_MOST);
        write_larger(file, of, true, LARGEST_MOST);
    }
    putc('\n', file);
}

/* ---- what is no program ---- */

/* Why a run is no proved program; NULL if it is one, or is not finished. */
static const char *shortcoming(const nlm_study *of, const nlm_study_run *one)
{
    const nlm_job_program *program = &one->result.program;
    if (!one->result.finished || !is_row(of, one->subject) || (program->found && program->proved))
        return NULL;
    return program->found               ? "not proved"
           : program->reason[0] != '\0' ? program->reason
           : one->result.graduated      ? "none was looked for"
                                        : "not graduated";
}

static bool is_alike(const nlm_study *of, const nlm_study_run *one, const nlm_study_run *other)
{
    const char *reason = shortcoming(of, other);
    return other->subject == one->subject && reason != NULL && strcmp(reason, shortcoming(of, one)) == 0;
}

/* "- path, seed 10: not graduated", once for all seeds of a subject that have it in common. */
static void write_shortcoming(FILE *file, const nlm_study *of, const nlm_study_run *one)
{
    int count = 0;
    for (const nlm_study_run *other = of->runs; other < of->runs + of->count; other++) {
        if (other < one && is_alike(of, one, other))
            return;
        count += is_alike(of, one, other);
    }
    fprintf(file, "- %s, seed%s", one->subject->name, count == 1 ? "" : "s");
    for (const nlm_study_run *other = one; other < of->runs + of->count; other++) {
        if (is_alike(of, one, other))
            fprintf(file, " %llu", (unsigned long long)other->result.seed);
    }
    fprintf(file, ": %s\n", shortcoming(of, one));
}

static void write_shortcomings(FILE *file, const nlm_study *of, bool markdown)
{
    bool any = false;
    for (int i = 0; i < of->count; i++) {
        if (shortcoming(of, &of->runs[i]) == NULL)
            continue;
        if (!any)
            fprintf(file, "%sNo proved program\n\n", markdown ? "## " : "");
        any = true;
        write_shortcoming(file, of, &of->runs[i]);
    }
    if (any)
        putc('\n', file);
}

void programs_write(FILE *file, const nlm_study *of, bool markdown)
{
    if (write_table(file, of, false, markdown))
        write_legend(file, of, true);
    if (write_table(file, of, true, markdown))
        write_legend(file, of, false);
    write_shortcomings(file, of, markdown);
}
