/* The papers' tables: tasks, games, and the tasks of differentiable ILP; all models, each beside what was
 * published. */
#include <string.h>
#include "nlm/play.h"
#include "nlm/tools.h"
#include "study/layout.h"
#include "study/study.h"

/* ---- cells ---- */

/* "97.70" */
static const char *percent(double share, char text[NLM_NUMBER_TEXT])
{
    if (share < 0)
        return "-";
    nlm_percent_text(share, text);
    text[strcspn(text, " ")] = '\0';
    return text;
}

/* "97.7" */
static const char *rounded(double share, char text[NLM_NUMBER_TEXT])
{
    if (share < 0)
        return "-";
    snprintf(text, NLM_NUMBER_TEXT, "%.*f", share < 1, 100 * share);
    return text;
}

static void add_published(layout *to, const nlm_subject *subject, int size)
{
    char share[NLM_NUMBER_TEXT], macro[NLM_NUMBER_TEXT], moves[NLM_NUMBER_TEXT] = "-";
    const published found = published_about(subject);
    if (found.moves[size] >= 0)
        snprintf(moves, sizeof moves, "%g", found.moves[size]);
    if (found.share[size] < 0)
        layout_skip(to);
    else if (subject->game != NULL)
        layout_add(to, "%s, %s", rounded(found.share[size], share), moves);
    else
        layout_add(to, "%s / %s", rounded(found.share[size], share), rounded(found.macro[size], macro));
}

/* "97.70 / 63.70", or of a game "90.00, 986.60"; in the caller's room. */
static const char *reached(const nlm_means *of, int size, bool game, char text[NLM_NUMBER_TEXT])
{
    char share[NLM_NUMBER_TEXT], macro[NLM_NUMBER_TEXT], moves[NLM_NUMBER_TEXT] = "-";
    if (of->runs == 0)
        return "-";
    if (of->solving[size] > 0)
        snprintf(moves, sizeof moves, "%.2f", of->moves[size]);
    snprintf(text, NLM_NUMBER_TEXT, game ? "%.12s, %.12s" : "%.12s / %.12s", percent(of->share[size], share),
             game ? moves : percent(of->macro[size], macro));
    return text;
}

/* Memory networks are compared by all of their runs, as hardly any graduates. */
static void add_reached(layout *to, const nlm_study *of, const nlm_subject *subject, int size)
{
    const nlm_sums sum = subject_sums(of, subject);
    const bool all = subject_is(subject, "memnn");
    char text[NLM_NUMBER_TEXT];
    const char *figures = reached(all ? &sum.all : &sum.graduates, size, subject->game != NULL, text);
    if (sum.runs == 0)
        layout_skip(to);
    else if (sum.refused == sum.runs)
        layout_add(to, "refused");
    else if (sum.finished == 0)
        layout_add(to, "?");
    else if (all)
        layout_add(to, "%s", figures);
    else
        layout_add(to, "%s (%d of %d)", figures, sum.graduated, sum.runs);
}

/* ---- tables ---- */

/* The machine learns everything: its subjects are the rows, if there are runs of any model. */
static bool is_row(const nlm_study *of, const nlm_subject *subject, bool game, bool ilp)
{
    if (!subject_is(subject, "nlm") || (subject->game != NULL) != game || subject->ilp != ilp ||
        subject->pictures)
        return false;
    for (int i = 0; i < of->count; i++) {
        const nlm_subject *other = of->runs[i].subject;
        if (other->task == subject->task && other->game == subject->game)
            return true;
    }
    return false;
}

/* A row for each size, with two cells for each model. */
static void write_paper(FILE *file, const nlm_study *of, bool games, bool markdown, const char *title,
                        const char *legend)
{
    static const char *const heads[2][9] = {
        {"task", "objects", "paper: MemNN", "MemNN", "paper: dILP", "dILP", "paper: NLM", "NLM", NULL},
        {"game", "objects", "paper: MemNN", "MemNN", "paper: NLM", "NLM", NULL}};
    static const char *const models[] = {"memnn", "dilp", "nlm"};
    layout table;
    layout_begin(&table, heads[games]);
    for (int row = 0; row < NLM_TEST_SIZES * of->subject_count; row++) {
        const nlm_subject *subject = &of->subjects[row / NLM_TEST_SIZES];
        const int size = row % NLM_TEST_SIZES;
        if (!is_row(of, subject, games, false))
            continue;
        layout_add(&table, "%s", subject->what);
        layout_add(&table, "%d", subject->sizes[size]);
        for (int m = 0; m < 3; m++) {
            const nlm_subject *by = subject_by(of, subject, models[m]);
            if (by == NULL)
                continue;
            add_published(&table, by, size);
            add_reached(&table, of, by, size);
        }
        layout_end_row(&table);
    }
    layout_end(&table, file, markdown, title, legend);
}

enum { LEGEND_SIZE = 1200 };

const char *tables_training(const nlm_study *of, bool ilp)
{
    return of->plan.protocol != NLM_PROTOCOL_BEST ? "protocol paper, which trains on every world drawn"
           : ilp
               ? "protocol best, which selects its training worlds from a larger number drawn"
               : "protocol best, which selects its training worlds from a larger number of rich worlds drawn";
}

static void write_tasks(FILE *file, const nlm_study *of, bool markdown)
{
    char legend[LEGEND_SIZE], worlds[NLM_NUMBER_TEXT];
    snprintf(
        legend, sizeof legend,
        "Training: on worlds of the smaller size: NLM %s, the others the paper's.\n"
        "Tests: on %s new worlds of each size, the paper's; of MemNN a tenth.\n"
        "NLM: %s.\n"
        "MemNN, dILP (differentiable ILP): protocol paper; MemNN with one layer per MLP, as released.\n"
        "micro: share of correct answers.  macro, as in the paper: the mean of that share among true and\n"
        "among false tuples, first for each x (for each world, if the target has one variable), then over "
        "all.\n"
        "NLM, dILP: means over the graduated runs, as in the paper, and their number.  MemNN: over all "
        "runs.\n"
        "-: none.  ?: not finished.  refused: reason below.\n",
        of->plan.protocol == NLM_PROTOCOL_BEST
            ? "on rich ones (unknown parents, half-siblings, one-way edges, ...)"
            : "on the paper's",
        nlm_count_text((size_t)of->plan.worlds, worlds), tables_training(of, false));
    write_paper(file, of, false, markdown, "Table 1: micro / macro accuracy, in percent", legend);
}

/* "sort 10, path 12, blocks 12": the largest instances to learn from. */
static void write_lessons(char *text, size_t size)
{
    nlm_settings settings;
    size_t end = 0;
    for (int i = 0; i < nlm_games() && end < size; i++)
        if (!nlm_settings_of_game(nlm_game_at(i), NLM_PROTOCOL_PAPER, &settings, NULL))
            end += (size_t)snprintf(text + end, size - end, "%s%s %d", end > 0 ? ", " : "",
                                    settings.game->name, settings.last_lesson);
}

/* Also the settings in which memory networks differ from the machine. */
static void write_games(FILE *file, const nlm_study *of, bool markdown)
{
    const nlm_game *sort = nlm_game_find("sort");
    const nlm_spec memnn = {.model = "memnn"};
    nlm_settings machine = {0}, course;
    char episodes[NLM_NUMBER_TEXT] = "more", worlds[NLM_NUMBER_TEXT], legend[LEGEND_SIZE];
    char rule[NLM_WORK_TEXT], other[NLM_WORK_TEXT], lessons[NLM_WORK_TEXT] = "";
    write_lessons(lessons, sizeof lessons);
    nlm_status status = nlm_settings_of_game(sort, NLM_PROTOCOL_PAPER, &machine, NULL);
    course = machine;
    if (!status && !nlm_settings_use_model(&course, memnn.model, NULL))
        nlm_count_text((size_t)course.episodes, episodes);
    snprintf(
        legend, sizeof legend,
        "Training: on instances of at most this number of objects: %s.  NLM: protocol %s.\n"
        "Tests: on %s new instances of each size, of MemNN a hundredth (in path a tenth).\n"
        "moves: mean over the solved instances.  Limit of MemNN: %d moves per object, in sort %d.  MemNN\n"
        "learns sort from %s episodes.  Differentiable ILP does not play games.  The rest as in table 1.\n"
        "NLM in tests: %s\nMemNN in tests: %s\n"
        "To test without these rules: nlm test MODEL --no-repeat 0 --repeat-penalty 1.\n",
        lessons, nlm_protocol_name(of->plan.protocol), nlm_count_text((size_t)of->plan.worlds, worlds),
        nlm_agent_moves(&memnn, nlm_game_find("path")), nlm_agent_moves(&memnn, sort), episodes,
        nlm_work_text(&machine, rule), nlm_work_text(&course, other));
    write_paper(file, of, true, markdown, "Table 2: solved, in percent, and moves", legend);
}

static void add_solved(layout *to, const nlm_sums *sum)
{
    if (sum->runs == 0)
        layout_skip(to);
    else if (sum->refused == sum->runs)
        layout_add(to, "refused");
    else
        layout_add(to, "%d/%d", sum->solved, sum->runs);
}

static void add_right(layout *to, const nlm_sums *sum)
{
    char text[NLM_NUMBER_TEXT];
    if (sum->all.runs > 0)
        layout_add(to, "%s", nlm_percent_text(sum->all.share[1], text));
    else
        layout_skip(to);
}

static void write_ilp(FILE *file, const nlm_study *of, bool markdown)
{
    static const char *const heads[] = {"task",        "objects",     "published",  "dILP: solved",
                                        "NLM: solved", "dILP: right", "NLM: right", NULL};
    layout table;
    layout_begin(&table, heads);
    for (int s = 0; s < of->subject_count; s++) {
        const nlm_subject *subject = &of->subjects[s];
        if (!is_row(of, subject, false, true))
            continue;
        const nlm_sums dilp = subject_sums(of, subject_by(of, subject, "dilp")),
                       nlm = subject_sums(of, subject);
        layout_add(&table, "%s", subject->what);
        layout_add(&table, "%d, %d", subject->sizes[0], subject->sizes[1]);
        layout_add(&table, "%g %%", 100 * subject->task->solved);
        add_solved(&table, &dilp);
        add_solved(&table, &nlm);
        add_right(&table, &dilp);
        add_right(&table, &nlm);
        layout_end_row(&table);
    }
    char legend[LEGEND_SIZE];
    snprintf(legend, sizeof legend,
             "Training: on worlds of the smaller size.  dILP: protocol paper.\n"
             "NLM: %s.\n"
             "published: share of runs that solve the task (Evans and Grefenstette 2018).\n"
             "solved: dILP has a mean squared error below 1e-4 on the larger worlds, NLM has no error at "
             "either size.\n"
             "right: share of correct answers at the larger size, mean over all runs.\n",
             tables_training(of, true));
    layout_end(&table, file, markdown, "Table 3: tasks of differentiable ILP", legend);
}

/* The task with pictures has columns of its own: there is no graduation, and only the machine learns it. */
static void write_pictures(FILE *file, const nlm_study *of, bool markdown)
{
    static const char *const heads[] = {"task", "objects", "paper: right", "right", "seeds", NULL};
    layout table;
    layout_begin(&table, heads);
    for (int row = 0; row < NLM_TEST_SIZES * of->subject_count; row++) {
        const nlm_subject *subject = &of->subjects[row / NLM_TEST_SIZES];
        const int size = row % NLM_TEST_SIZES;
        const nlm_sums sum = subject_sums(of, subject);
        char text[NLM_NUMBER_TEXT];
        if (!subject->pictures || sum.runs == 0)
            continue;
        layout_add(&table, "%s", subject->what);
        layout_add(&table, "%d", subject->sizes[size]);
        layout_add(&table, "%s", percent(published_about(subject).share[size], text));
        layout_add(&table, "%s", sum.all.runs > 0 ? nlm_percent_text(sum.all.share[size], text) : "?");
        layout_add(&table, "%d", sum.all.runs);
        layout_end_row(&table);
    }
    char legend[LEGEND_SIZE];
    snprintf(
        legend, sizeof legend,
        "Training: on worlds of the smaller size.  NLM: protocol %s.\n"
        "right: share of correct answers about nodes, mean over all seeds; test images are not training\n"
        "images.  The task has no graduation: a run always uses its whole budget.\n",
        nlm_protocol_name(of->plan.protocol));
    layout_end(&table, file, markdown, "Table 4: pictures of digits", legend);
}

/* Runs of memory networks with less than the paper's budget. */
static void write_budget(FILE *file, const nlm_study *of)
{
    int runs = 0, cut = 0;
    for (int i = 0; i < of->count; i++) {
        const nlm_result *result = &of->runs[i].result;
        if (!subject_is(of->runs[i].subject, "memnn") || !result->finished || result->budget == 0)
            continue;
        runs++;
        cut += subject_is_quick(of, of->runs[i].subject, result->budget);
    }
    if (cut == 0)
        return;
    if (cut == runs)
        fputs("MemNN", file);
    else
        fprintf(file, "MemNN in %d of %d runs", cut, runs);
    fputs(" learned from a tenth of the paper's examples or episodes (--quick): do not compare\n"
          "with the paper's figures.\n\n",
          file);
}

void tables_write(FILE *file, const nlm_study *of, bool markdown)
{
    write_tasks(file, of, markdown);
    write_games(file, of, markdown);
    write_budget(file, of);
    write_ilp(file, of, markdown);
    write_pictures(file, of, markdown);
}
