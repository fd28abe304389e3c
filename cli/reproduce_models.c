/* The paper's tables 1 and 2, and the tasks of differentiable ILP: all models, each beside what was
 * published. */
#include <string.h>
#include "nlm/tools.h"
#include "reproduce.h"
#include "reproduce_layout.h"

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

/* Empty where a model does not learn it at all: there is nothing to compare. */
static sums sums_of_model(const reproduction *of, task_or_game what, reproduce_model model)
{
    const int index = reproduce_find(what, model);
    return index >= 0 ? sums_of(of, index) : (sums){0};
}

static void add_published(layout *to, task_or_game what, reproduce_model model, int size)
{
    const int index = reproduce_find(what, model);
    char share[NLM_NUMBER_TEXT], macro[NLM_NUMBER_TEXT], moves[NLM_NUMBER_TEXT] = "-";
    const published found = reproduce_published(index);
    if (found.moves[size] >= 0)
        snprintf(moves, sizeof moves, "%g", found.moves[size]);
    if (found.share[size] < 0)
        layout_add(to, "-");
    else if (what.game != NULL)
        layout_add(to, "%s, %s", rounded(found.share[size], share), moves);
    else
        layout_add(to, "%s / %s", rounded(found.share[size], share), rounded(found.macro[size], macro));
}

/* "97.70 / 63.70", or of a game "90.00, 986.60"; in the caller's room. */
static const char *reached(const means *of, int size, bool game, char text[NLM_NUMBER_TEXT])
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
static void add_reached(layout *to, const reproduction *of, task_or_game what, reproduce_model model,
                        int size)
{
    const sums sum = sums_of_model(of, what, model);
    const bool all = model == REPRODUCE_MEMNN;
    char text[NLM_NUMBER_TEXT];
    const char *figures = reached(all ? &sum.all : &sum.graduates, size, what.game != NULL, text);
    if (sum.runs == 0)
        layout_add(to, "-");
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

static bool has_runs(const reproduction *of, task_or_game what)
{
    for (int m = 0; m < REPRODUCE_MODELS; m++) {
        if (sums_of_model(of, what, (reproduce_model)m).runs > 0)
            return true;
    }
    return false;
}

static void begin_table(layout *to, const char *const *heads)
{
    *to = (layout){0};
    for (; *heads != NULL; heads++)
        layout_add(to, "%s", *heads);
    layout_end_row(to);
}

/* Nothing of a table without rows. */
static void end_table(layout *of, FILE *file, bool markdown, const char *title, const char *legend)
{
    if (of->rows > 1) {
        fprintf(file, "%s%s\n\n", markdown ? "## " : "", title);
        layout_write(of, file, markdown);
        fprintf(file, "\n%s\n", legend);
    }
    layout_free(of);
}

static void add_rows(layout *to, const reproduction *of, int index, const reproduce_model *models, int count)
{
    const task_or_game what = reproduce_subject(index);
    int sizes[LEARNER_SIZES];
    reproduce_sizes(index, sizes);
    for (int size = 0; size < LEARNER_SIZES; size++) {
        layout_add(to, "%s", reproduce_task(index));
        layout_add(to, "%d", sizes[size]);
        for (int m = 0; m < count; m++) {
            add_published(to, what, models[m], size);
            add_reached(to, of, what, models[m], size);
        }
        layout_end_row(to);
    }
}

/* The subjects of the machine, which learns everything. */
static bool is_row(const reproduction *of, int index, bool game, bool ilp)
{
    const task_or_game what = reproduce_subject(index);
    return reproduce_model_of(index) == REPRODUCE_NLM && (what.game != NULL) == game &&
           reproduce_is_ilp(index) == ilp && has_runs(of, what);
}

static void write_tasks(FILE *file, const reproduction *of, bool markdown)
{
    static const char *const heads[] = {"task", "objects",    "paper: MemNN", "MemNN", "paper: dILP",
                                        "dILP", "paper: NLM", "NLM",          NULL};
    static const reproduce_model models[] = {REPRODUCE_MEMNN, REPRODUCE_DILP, REPRODUCE_NLM};
    layout table;
    begin_table(&table, heads);
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (is_row(of, s, false, false))
            add_rows(&table, of, s, models, 3);
    }
    end_table(
        &table, file, markdown, "Table 1: micro / macro accuracy, in percent",
        "micro: answers that are right; macro: the mean of that among true and among false ones, of each x\n"
        "for itself (with one variable of each world), as in the paper.  MemNN: means over all seeds; one\n"
        "layer as in its authors' release, a tenth of the worlds in tests (of sort, blocks a hundredth).\n"
        "dILP (differentiable ILP), NLM: means over the graduated, as in the paper, and how many graduated.\n"
        "-: none, ?: not finished, refused: see below.\n");
}

enum { LEGEND_SIZE = 400 };

/* What memory networks have otherwise than the machine. */
static void write_legend_of_games(char *legend, size_t size)
{
    const nlm_game *sort = nlm_game_find("sort");
    const nlm_spec memnn = {.model = "memnn"};
    nlm_settings course;
    char episodes[NLM_NUMBER_TEXT] = "more";
    if (nlm_settings_of_game(sort, NLM_PROTOCOL_PAPER, &course, NULL) == NLM_OK &&
        nlm_settings_use_model(&course, memnn.model, NULL) == NLM_OK)
        nlm_count_text((size_t)course.episodes, episodes);
    snprintf(legend, size,
             "moves: of the instances solved, on average.  MemNN may make %d for each object, in sort %d, "
             "which it\n"
             "learns from %s episodes.  All else as in table 1; differentiable ILP does not play.\n",
             nlm_agent_moves(&memnn, nlm_game_find("path")), nlm_agent_moves(&memnn, sort), episodes);
}

static void write_games(FILE *file, const reproduction *of, bool markdown)
{
    static const char *const heads[] = {"game", "objects", "paper: MemNN", "MemNN", "paper: NLM",
                                        "NLM",  NULL};
    static const reproduce_model models[] = {REPRODUCE_MEMNN, REPRODUCE_NLM};
    char legend[LEGEND_SIZE];
    layout table;
    begin_table(&table, heads);
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (is_row(of, s, true, false))
            add_rows(&table, of, s, models, 2);
    }
    write_legend_of_games(legend, sizeof legend);
    end_table(&table, file, markdown, "Table 2: solved, in percent, and moves", legend);
}

static void add_solved(layout *to, const sums *sum)
{
    if (sum->runs == 0)
        layout_add(to, "-");
    else if (sum->refused == sum->runs)
        layout_add(to, "refused");
    else
        layout_add(to, "%d/%d", sum->solved, sum->runs);
}

static void add_right(layout *to, const sums *sum)
{
    char text[NLM_NUMBER_TEXT];
    layout_add(to, "%s", sum->all.runs > 0 ? nlm_percent_text(sum->all.share[1], text) : "-");
}

static void write_ilp(FILE *file, const reproduction *of, bool markdown)
{
    static const char *const heads[] = {"task",        "objects",     "published",  "dILP: solved",
                                        "NLM: solved", "dILP: right", "NLM: right", NULL};
    layout table;
    begin_table(&table, heads);
    for (int s = 0; s < reproduce_subjects(); s++) {
        const task_or_game what = reproduce_subject(s);
        if (!is_row(of, s, false, true))
            continue;
        const sums dilp = sums_of_model(of, what, REPRODUCE_DILP), nlm = sums_of(of, s);
        layout_add(&table, "%s", reproduce_task(s));
        layout_add(&table, "%d, %d", what.task->train_objects, what.task->test_objects);
        layout_add(&table, "%g %%", 100 * what.task->solved);
        add_solved(&table, &dilp);
        add_solved(&table, &nlm);
        add_right(&table, &dilp);
        add_right(&table, &nlm);
        layout_end_row(&table);
    }
    end_table(
        &table, file, markdown, "Table 3: tasks of differentiable ILP",
        "published: the share of runs that solve it (Evans and Grefenstette 2018).  dILP solves a task if "
        "the\n"
        "mean squared error on the larger worlds is below 1e-4, NLM if there is no error at either size.\n"
        "right: at the larger size, means over all runs.\n");
}

/* ---- budgets ---- */

/* Runs of memory networks with less than the paper's budget. */
static void write_budget(FILE *file, const reproduction *of)
{
    int runs = 0, cut = 0;
    for (int i = 0; i < of->count; i++) {
        const outcome *one = &of->runs[i];
        if (reproduce_model_of(one->subject) != REPRODUCE_MEMNN || !one->finished || one->budget == 0)
            continue;
        runs++;
        cut += reproduce_is_quick(of, one->subject, one->budget);
    }
    if (cut == 0)
        return;
    if (cut == runs)
        fputs("MemNN", file);
    else
        fprintf(file, "MemNN in %d of %d runs", cut, runs);
    fputs(" had a tenth of the paper's examples or episodes to learn from (--quick): not to be\n"
          "compared with the paper's figures.\n\n",
          file);
}

void tables_write_models(FILE *file, const reproduction *of, bool markdown)
{
    write_tasks(file, of, markdown);
    write_games(file, of, markdown);
    write_budget(file, of);
    write_ilp(file, of, markdown);
}
