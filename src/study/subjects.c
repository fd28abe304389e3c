/* What there is to reproduce: which model learns which task or game, with how many seeds, in what time. */
#include <string.h>
#include "study/study.h"

enum { QUICK_SHARE = 10 }; /* of the budget of memory networks, which take hours for it */

/* ---- the list ---- */

bool subject_is(const nlm_subject *subject, const char *model)
{
    return strcmp(subject->model, model) == 0;
}

static void add(nlm_study *to, const char *model, const nlm_task *task, const nlm_game *game)
{
    nlm_subject *made = &to->subjects[to->subject_count++];
    *made = (nlm_subject){.what = task != NULL ? task->name : game->name,
                          .model = model,
                          .task = task,
                          .game = game,
                          .ilp = task != NULL && task->origin != NULL,
                          .pictures = task != NULL && task->sense != NULL,
                          .sizes = {task != NULL ? task->train_objects : game->test_objects[0],
                                    task != NULL ? task->test_objects : game->test_objects[1]}};
    const bool machine = strcmp(model, "nlm") == 0;
    snprintf(made->name, sizeof made->name, "%s%s%s", made->what, machine ? "" : "-", machine ? "" : model);
}

static void add_tasks(nlm_study *to, const char *model, bool ilp)
{
    for (int i = 0; i < nlm_tasks(); i++) {
        const nlm_task *task = nlm_task_at(i);
        if (task->sense == NULL && (task->origin != NULL) == ilp)
            add(to, model, task, NULL);
    }
}

void subjects_list(nlm_study *study)
{
    static const char *const players[] = {"nlm", "memnn"};
    for (int m = 0; m < 2; m++) {
        add_tasks(study, players[m], false);
        for (int i = 0; i < nlm_games(); i++)
            add(study, players[m], NULL, nlm_game_at(i));
    }
    add_tasks(study, "dilp", false);
    add_tasks(study, "dilp", true);
    add_tasks(study, "nlm", true);
    for (int i = 0; i < nlm_tasks(); i++) {
        const nlm_task *task = nlm_task_at(i), *given = study->plan.pictured;
        if (task->sense != NULL)
            add(study, "nlm", given != NULL && strcmp(given->name, task->name) == 0 ? given : task, NULL);
    }
}

const nlm_subject *subject_by(const nlm_study *study, const nlm_subject *subject, const char *model)
{
    for (int s = 0; s < study->subject_count; s++) {
        const nlm_subject *other = &study->subjects[s];
        if (subject_is(other, model) && other->task == subject->task && other->game == subject->game)
            return other;
    }
    return NULL;
}

int nlm_study_subjects(const nlm_study *study)
{
    return study->subject_count;
}

const nlm_subject *nlm_study_subject(const nlm_study *study, int index)
{
    return &study->subjects[index];
}

/* ---- settings ---- */

int subject_seeds(const nlm_subject *subject, bool quick)
{
    return quick                                         ? 1
           : subject_is(subject, "memnn")                ? 3
           : subject->pictures                           ? 5
           : subject_is(subject, "dilp") && subject->ilp ? 20
                                                         : 10;
}

nlm_protocol subject_protocol(const nlm_study *study, const nlm_subject *subject)
{
    return subject_is(subject, "nlm") ? study->plan.protocol : NLM_PROTOCOL_PAPER;
}

bool nlm_study_finds_rules(const nlm_study *study, const nlm_subject *subject)
{
    return study->plan.rules && subject_is(subject, "nlm");
}

nlm_world_kind subject_kind(const nlm_study *study, const nlm_subject *subject)
{
    nlm_settings settings = {.kind = NLM_WORLDS_PAPER};
    const nlm_protocol protocol = subject_protocol(study, subject);
    const bool known =
        subject->task != NULL && nlm_settings_of_task(subject->task, protocol, &settings, NULL) == NLM_OK;
    return known ? settings.kind : NLM_WORLDS_PAPER;
}

int subject_worlds(const nlm_study *study, const nlm_subject *subject)
{
    enum { MEMNN_SHARE = 10, MEMNN_PAIRS_SHARE = 100 }; /* the latter where each move is one of all pairs */
    int worlds = study->plan.worlds;
    if (subject_is(subject, "memnn"))
        worlds /= subject->game != NULL && subject->game->arity > 1 ? MEMNN_PAIRS_SHARE : MEMNN_SHARE;
    return worlds > 0 ? worlds : 1;
}

static int *budget_of(nlm_settings *settings)
{
    return settings->game != NULL ? &settings->episodes : &settings->epochs;
}

nlm_status subject_settings(const nlm_study *study, const nlm_subject *subject, nlm_settings *settings,
                            nlm_templates **templates, nlm_error *error)
{
    const nlm_protocol protocol = subject_protocol(study, subject);
    nlm_status status = subject->game != NULL
                            ? nlm_settings_of_game(subject->game, protocol, settings, error)
                            : nlm_settings_of_task(subject->task, protocol, settings, error);
    *templates = NULL;
    if (status == NLM_OK)
        status = nlm_settings_choose_model(settings, subject->model, NULL, templates, error);
    if (status != NLM_OK || !subject_is(subject, "memnn"))
        return status;
    settings->spec.hidden_layers = 0; /* as in its authors' release, which made what is published */
    int *budget = budget_of(settings);
    if (study->plan.quick)
        *budget = *budget < QUICK_SHARE ? 1 : *budget / QUICK_SHARE;
    return status;
}

int subject_paper_budget(const nlm_subject *subject)
{
    nlm_settings paper;
    if (subject->task != NULL)
        return subject->task->examples;
    return nlm_settings_of_game(subject->game, NLM_PROTOCOL_PAPER, &paper, NULL) == NLM_OK ? paper.episodes
                                                                                           : 0;
}

int subject_budget(const nlm_study *study, const nlm_subject *subject)
{
    nlm_settings settings;
    nlm_templates *templates;
    const nlm_status status = subject_settings(study, subject, &settings, &templates, NULL);
    nlm_templates_free(templates);
    return status == NLM_OK ? *budget_of(&settings) : 0;
}

bool subject_is_quick(const nlm_study *study, const nlm_subject *subject, int budget)
{
    const nlm_study whole = {.plan.protocol = study->plan.protocol};
    return subject_is(subject, "memnn") && budget > 0 && budget < subject_budget(&whole, subject);
}

/* ---- costs ---- */

/* Rough: seed 1 of the best protocol, measured beside other work; blocks and the paper's protocol are guessed
 * from docs/experiments.md.  Tests are of 1,000 worlds of each size; games that are not solved go on to the
 * last move that is allowed, and most of memory networks' are not. */
static const struct {
    const char *name;      /* of the subject */
    double train[2], test; /* best, paper */
    double share[2];       /* of the budget */
    double rules;          /* to find the program */
} costs[] = {
    {"has-father", {2.3, 5}, 4, {0.14, 0.8}, 3},
    {"has-sister", {2.4, 5}, 5, {0.15, 0.84}, 6},
    {"grandparent", {5, 20}, 7, {0.11, 0.84}, 14},
    {"uncle", {5, 30}, 7, {0.15, 1}, 23},
    {"mg-uncle", {14, 60}, 8, {0.16, 0.9}, 20},
    {"adjacent-to-red", {1.5, 5}, 0.8, {0.09, 0.46}, 1},
    {"4-connectivity", {3, 8}, 1.2, {0.25, 0.95}, 2},
    {"6-connectivity", {7, 25}, 16, {0.25, 1}, 27},
    {"1-outdegree", {1.2, 5}, 0.5, {0.17, 0.93}, 0.5},
    {"2-outdegree", {5.5, 30}, 24, {0.09, 0.6}, 7},
    {"sort", {0.15, 1}, 3, {0.27, 0.9}, 5},
    {"path", {25, 40}, 4, {0.4, 0.9}, 30},
    {"blocks", {150, 100}, 200, {0.4, 0.4}, 1},
    {"sort-memnn", {120, 120}, 12000, {1, 1}, 0},
    {"path-memnn", {30, 30}, 300, {1, 1}, 0},
    {"blocks-memnn", {40, 40}, 38000, {1, 1}, 0},
    {"ilp-length-dilp", {170, 170}, 12, {1, 1}, 0},
    {"mg-uncle-dilp", {55, 55}, 60, {1, 1}, 0},
    {"uncle-dilp", {15, 15}, 30, {1, 1}, 0},
    {"ilp-relatedness-dilp", {34, 34}, 10, {1, 1}, 0},
    {"ilp-fizz-dilp", {27, 27}, 14, {1, 1}, 0},
    {"ilp-member-dilp", {23, 23}, 10, {1, 1}, 0},
    {"ilp-less-than-dilp", {9, 9}, 3, {1, 1}, 0},
    {"grandparent-dilp", {5, 5}, 10, {1, 1}, 0},
    {"6-connectivity-dilp", {4, 4}, 5, {1, 1}, 0},
    {"adjacent-to-zero", {160, 160}, 20, {1, 1}, 0},
};

/* Milliseconds for each world: every question looks at every slot, of which each takes some time itself. */
static double memnn_milliseconds(const nlm_task *task, int objects, double asking)
{
    const double slots = (double)objects * objects, questions = task->arity == 1 ? objects : slots;
    return asking * questions * slots + 2e-3 * slots;
}

static nlm_cost cost_of_memnn(const nlm_task *task)
{
    return (nlm_cost){task->examples / 1000.0 * memnn_milliseconds(task, task->train_objects, 3.5e-5),
                      memnn_milliseconds(task, task->train_objects, 7e-6) +
                          memnn_milliseconds(task, task->test_objects, 7e-6),
                      0, 1, true};
}

nlm_cost nlm_study_cost(const nlm_study *study, const nlm_subject *subject)
{
    const nlm_protocol protocol = study->plan.protocol;
    const bool memnn = subject_is(subject, "memnn");
    nlm_cost cost = {10, 10, 10, 0.5, false};
    if (memnn && subject->task != NULL)
        cost = cost_of_memnn(subject->task);
    else if (subject_is(subject, "dilp"))
        cost = (nlm_cost){2, 2, 0, 1, true}; /* most take seconds */
    else if (subject->ilp)
        cost = (nlm_cost){protocol == NLM_PROTOCOL_BEST ? 4 : 10, 2, 3, 0.3, true};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        if (strcmp(costs[i].name, subject->name) == 0)
            cost = (nlm_cost){costs[i].train[protocol], costs[i].test, costs[i].rules,
                              costs[i].share[protocol], true};
    }
    cost.train /= memnn && study->plan.quick ? QUICK_SHARE : 1;
    cost.test = cost.test * subject_worlds(study, subject) / STUDY_WORLDS;
    cost.rules *= nlm_study_finds_rules(study, subject);
    return cost;
}
