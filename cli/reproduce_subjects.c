/* What there is to reproduce: which model learns which task or game, with how many seeds, in what time. */
#include <pthread.h>
#include <string.h>
#include "reproduce.h"

enum { QUICK_SHARE = 10 }; /* of the budget of memory networks, which take hours for it */

/* ---- the list ---- */

typedef struct entry {
    reproduce_model model;
    task_or_game what;
    char name[REPRODUCE_NAME];
} entry;

static entry entries[REPRODUCE_NAMES];
static int entry_count;
static pthread_once_t entries_made = PTHREAD_ONCE_INIT;

const char *reproduce_model_name(reproduce_model model)
{
    static const char *const names[REPRODUCE_MODELS] = {"nlm", "memnn", "dilp"};
    return names[model];
}

static void add(reproduce_model model, task_or_game what)
{
    entry *made = &entries[entry_count++];
    const char *name = what.task != NULL ? what.task->name : what.game->name;
    made->model = model;
    made->what = what;
    if (model == REPRODUCE_NLM)
        snprintf(made->name, REPRODUCE_NAME, "%s", name);
    else
        snprintf(made->name, REPRODUCE_NAME, "%s-%s", name, reproduce_model_name(model));
}

/* Those with a sense need pictures, and nobody graduates from them. */
static void add_tasks(reproduce_model model, bool ilp)
{
    for (int i = 0; i < nlm_tasks(); i++) {
        const nlm_task *task = nlm_task_at(i);
        if (task->sense == NULL && (task->origin != NULL) == ilp)
            add(model, (task_or_game){.task = task});
    }
}

static void add_games(reproduce_model model)
{
    for (int i = 0; i < nlm_games(); i++)
        add(model, (task_or_game){.game = nlm_game_at(i)});
}

static void make_entries(void)
{
    add_tasks(REPRODUCE_NLM, false);
    add_games(REPRODUCE_NLM);
    add_tasks(REPRODUCE_MEMNN, false);
    add_games(REPRODUCE_MEMNN);
    add_tasks(REPRODUCE_DILP, false);
    add_tasks(REPRODUCE_DILP, true);
    add_tasks(REPRODUCE_NLM, true);
}

static const entry *entry_at(int index)
{
    pthread_once(&entries_made, make_entries);
    return &entries[index];
}

int reproduce_subjects(void)
{
    entry_at(0);
    return entry_count;
}

task_or_game reproduce_subject(int index)
{
    return entry_at(index)->what;
}

reproduce_model reproduce_model_of(int index)
{
    return entry_at(index)->model;
}

const char *reproduce_task(int index)
{
    const task_or_game what = reproduce_subject(index);
    return what.task != NULL ? what.task->name : what.game->name;
}

const char *reproduce_name(int index)
{
    return entry_at(index)->name;
}

bool reproduce_is_ilp(int index)
{
    const task_or_game what = reproduce_subject(index);
    return what.task != NULL && what.task->origin != NULL;
}

int reproduce_find(task_or_game what, reproduce_model model)
{
    for (int s = 0; s < reproduce_subjects(); s++) {
        const entry *of = entry_at(s);
        if (of->model == model && of->what.task == what.task && of->what.game == what.game)
            return s;
    }
    return -1;
}

void reproduce_sizes(int index, int sizes[LEARNER_SIZES])
{
    const task_or_game what = reproduce_subject(index);
    sizes[0] = what.game != NULL ? what.game->test_objects[0] : what.task->train_objects;
    sizes[1] = what.game != NULL ? what.game->test_objects[1] : what.task->test_objects;
}

/* ---- settings ---- */

int reproduce_seeds(int index, bool quick)
{
    static const int seeds[REPRODUCE_MODELS][2] = {
        /* of the paper's tasks, of differentiable ILP's */
        [REPRODUCE_NLM] = {10, 10},
        [REPRODUCE_MEMNN] = {3},
        [REPRODUCE_DILP] = {10, 20},
    };
    return quick ? 1 : seeds[reproduce_model_of(index)][reproduce_is_ilp(index)];
}

nlm_protocol reproduce_protocol(const reproduction *of, int index)
{
    return reproduce_model_of(index) == REPRODUCE_NLM ? of->protocol : NLM_PROTOCOL_PAPER;
}

int reproduce_worlds(const reproduction *of, int index)
{
    enum { MEMNN_SHARE = 10, MEMNN_PAIRS_SHARE = 100 }; /* the latter where each move is one of all pairs */
    const nlm_game *game = reproduce_subject(index).game;
    int worlds = of->worlds;
    if (reproduce_model_of(index) == REPRODUCE_MEMNN)
        worlds /= game != NULL && game->arity > 1 ? MEMNN_PAIRS_SHARE : MEMNN_SHARE;
    return worlds > 0 ? worlds : 1;
}

static int *budget_of(subject *of)
{
    return of->kind == &learner_of_games ? &of->course.episodes : &of->training.epochs;
}

int reproduce_budget(const subject *of)
{
    subject copy = *of;
    return *budget_of(&copy);
}

nlm_status reproduce_make(const reproduction *of, int index, subject *made, nlm_error *error)
{
    const reproduce_model model = reproduce_model_of(index);
    nlm_status status = subject_default(reproduce_subject(index), reproduce_protocol(of, index), made, error);
    if (status == NLM_OK && model != REPRODUCE_NLM)
        status = subject_use_model(made, reproduce_model_name(model), error);
    if (status == NLM_OK && model == REPRODUCE_MEMNN)
        subject_spec(made)->hidden_layers = 0; /* as in its authors' release, which made what is published */
    if (status == NLM_OK && model == REPRODUCE_MEMNN && of->quick) {
        int *budget = budget_of(made);
        *budget = *budget < QUICK_SHARE ? 1 : *budget / QUICK_SHARE;
    }
    return status;
}

bool reproduce_is_quick(const reproduction *of, int index, int budget)
{
    const reproduction whole = {.protocol = of->protocol};
    subject usual;
    return reproduce_model_of(index) == REPRODUCE_MEMNN && budget > 0 &&
           reproduce_make(&whole, index, &usual, NULL) == NLM_OK && budget < reproduce_budget(&usual);
}

/* ---- costs ---- */

/* Rough: seed 1 of the best protocol, measured beside other work; blocks and the paper's protocol are guessed
 * from docs/experiments.md.  Tests are of 1,000 worlds of each size. */
static const struct {
    const char *name;
    double train[2], test; /* best, paper */
    double share[2];       /* of the budget */
} costs[] = {
    {"has-father", {2.3, 5}, 4, {0.14, 0.8}},      {"has-sister", {2.4, 5}, 5, {0.15, 0.84}},
    {"grandparent", {5, 20}, 7, {0.11, 0.84}},     {"uncle", {5, 30}, 7, {0.15, 1}},
    {"mg-uncle", {14, 60}, 8, {0.16, 0.9}},        {"adjacent-to-red", {1.5, 5}, 0.8, {0.09, 0.46}},
    {"4-connectivity", {3, 8}, 1.2, {0.25, 0.95}}, {"6-connectivity", {7, 25}, 16, {0.25, 1}},
    {"1-outdegree", {1.2, 5}, 0.5, {0.17, 0.93}},  {"2-outdegree", {5.5, 30}, 24, {0.09, 0.6}},
    {"sort", {0.15, 1}, 3, {0.27, 0.9}},           {"path", {25, 40}, 4, {0.4, 0.9}},
    {"blocks", {150, 100}, 200, {0.4, 0.4}},
};

/* Of 1,000 worlds in a test, as the next ones. */
static reproduce_cost cost_of_machine(int index, nlm_protocol protocol)
{
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        if (strcmp(costs[i].name, reproduce_task(index)) == 0)
            return (reproduce_cost){costs[i].train[protocol], costs[i].test, costs[i].share[protocol], true};
    }
    return reproduce_is_ilp(index) ? (reproduce_cost){protocol == NLM_PROTOCOL_BEST ? 4 : 10, 2, 0.3, true}
                                   : (reproduce_cost){10, 10, 0.5, false};
}

/* Milliseconds for each world: every question looks at every slot, of which each takes some time itself. */
static double memnn_milliseconds(const nlm_task *task, int objects, double asking)
{
    const double slots = (double)objects * objects, questions = task->arity == 1 ? objects : slots;
    return asking * questions * slots + 2e-3 * slots;
}

/* Games that are not solved go on to the last move that is allowed, and most are not. */
static reproduce_cost cost_of_memnn(int index, bool quick)
{
    static const struct {
        const char *name;
        double train, test;
    } games[] = {{"sort", 120, 12000}, {"path", 30, 300}, {"blocks", 40, 38000}};
    const nlm_task *task = reproduce_subject(index).task;
    const double part = quick ? 1.0 / QUICK_SHARE : 1;
    if (task != NULL)
        return (reproduce_cost){part * task->examples / 1000 *
                                    memnn_milliseconds(task, task->train_objects, 3.5e-5),
                                memnn_milliseconds(task, task->train_objects, 7e-6) +
                                    memnn_milliseconds(task, task->test_objects, 7e-6),
                                1, true};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        if (strcmp(games[i].name, reproduce_task(index)) == 0)
            return (reproduce_cost){part * games[i].train, games[i].test, 1, true};
    }
    return (reproduce_cost){100, 1000, 1, false};
}

/* Most take seconds. */
static reproduce_cost cost_of_dilp(int index)
{
    static const struct {
        const char *name;
        double train, test;
    } slow[] = {
        {"ilp-length", 170, 12},     {"mg-uncle", 55, 60},   {"uncle", 15, 30},
        {"ilp-relatedness", 34, 10}, {"ilp-fizz", 27, 14},   {"ilp-member", 23, 10},
        {"ilp-less-than", 9, 3},     {"grandparent", 5, 10}, {"6-connectivity", 4, 5},
    };
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        if (strcmp(slow[i].name, reproduce_task(index)) == 0)
            return (reproduce_cost){slow[i].train, slow[i].test, 1, true};
    }
    return (reproduce_cost){2, 2, 1, true};
}

reproduce_cost reproduce_cost_of(const reproduction *of, int index)
{
    reproduce_cost cost = cost_of_dilp(index);
    if (reproduce_model_of(index) == REPRODUCE_NLM)
        cost = cost_of_machine(index, of->protocol);
    if (reproduce_model_of(index) == REPRODUCE_MEMNN)
        cost = cost_of_memnn(index, of->quick);
    cost.test = cost.test * reproduce_worlds(of, index) / REPRODUCE_WORLDS;
    return cost;
}
