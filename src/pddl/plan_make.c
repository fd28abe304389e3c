/* From moves of the game to actions of a domain.
 *
 * A move puts a block from one place onto another.  Which actions do that is not looked up by their names but
 * found by trying: all actions of the domain on the objects of the move (the block, what it leaves, what it
 * comes to stand on, the table), one action or two in a row.  Those are right after which the block stands
 * there and nothing else has moved.  So pick-up, unstack, put-down, stack and a single move are all one case.
 */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "nlm/pddl.h"
#include "pddl/towers.h"
#include "task/game.h"

enum { MOST_STEPS = 2, MOST_OBJECTS = 4 };

struct nlm_pddl_plan {
    const struct nlm_pddl *of;
    struct towers towers;
    struct atom_set state;
    struct strips_change change[MOST_STEPS];
    struct strips_list text; /* characters; the last is 0 once the text was asked for */
    int actions, moves;
    bool done;
};

/* A move, and the actions that are tried for it. */
struct attempt {
    struct nlm_pddl_plan *plan;
    int block, from, onto;    /* numbers of blocks, 0 for the table */
    int object[MOST_OBJECTS]; /* that actions may have */
    int objects;
    int steps;
    int action[MOST_STEPS], argument[MOST_STEPS][STRIPS_MOST_PARAMETERS];
    bool found;
};

/* ---- positions ---- */

nlm_status nlm_pddl_position(const nlm_pddl *pddl, nlm_position *position, nlm_error *error)
{
    REQUIRE(pddl && position, error);
    struct towers towers;
    buffer packed = {0};
    if (position->rules != &blocks_rules)
        return error_set(error, NLM_BAD_ARGUMENT, "%s is not read from PDDL: only blocks is",
                         position->rules->game.name);
    nlm_status status = towers_read(pddl, &towers, error);
    if (status)
        return status;
    if (buffer_reserve(&packed, 2 * (size_t)towers.blocks, sizeof(float), false))
        status = error_no_memory(error);
    float *numbers = packed.data;
    for (int b = 1; b <= towers.blocks && !status; b++) {
        numbers[b - 1] = (float)towers.start[b];
        numbers[towers.blocks + b - 1] = (float)towers.target[b];
    }
    if (!status)
        status = game_unpack(position, towers.blocks, numbers, error);
    buffer_free(&packed);
    towers_release(&towers);
    return status;
}

int nlm_pddl_free_blocks(const nlm_pddl *pddl)
{
    struct towers towers;
    if (!pddl || towers_read(pddl, &towers, NULL))
        return -1;
    const int count = towers.free;
    towers_release(&towers);
    return count;
}

const nlm_game *nlm_pddl_game(void)
{
    return &blocks_rules.game;
}

const char *nlm_pddl_block(const nlm_pddl *pddl, int block)
{
    const int table = strips_find_object(pddl, "table");
    const int object = block - 1 + (table >= 0 && block - 1 >= table);
    return block >= 1 && object < pddl->objects.count ? STRIPS_ITEM(object, pddl->objects, object)->name : "";
}

const char *nlm_pddl_domain(const nlm_pddl *pddl)
{
    return pddl->domain;
}

const char *nlm_pddl_domain_file(const nlm_pddl *pddl)
{
    return pddl->domain_text.file;
}

/* ---- life ---- */

nlm_status nlm_pddl_plan_new(const nlm_pddl *pddl, nlm_pddl_plan **plan, nlm_error *error)
{
    REQUIRE(plan, error);
    *plan = NULL;
    REQUIRE(pddl, error);
    nlm_pddl_plan *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->of = pddl;
    nlm_status status = towers_read(pddl, &made->towers, error);
    if (!status)
        status = strips_begin(pddl, &made->state, error);
    if (status) {
        nlm_pddl_plan_free(made);
        return status;
    }
    made->done = !strips_open_goal(pddl, &made->state);
    *plan = made;
    return NLM_OK;
}

void nlm_pddl_plan_free(nlm_pddl_plan *plan)
{
    if (!plan)
        return;
    towers_release(&plan->towers);
    atom_set_release(&plan->state);
    for (int s = 0; s < MOST_STEPS; s++)
        strips_change_release(&plan->change[s]);
    buffer_free(&plan->text.items);
    memory_free(plan);
}

bool nlm_pddl_plan_done(const nlm_pddl_plan *plan)
{
    return plan->done;
}

int nlm_pddl_plan_actions(const nlm_pddl_plan *plan)
{
    return plan->actions;
}

int nlm_pddl_plan_moves(const nlm_pddl_plan *plan)
{
    return plan->moves;
}

/* ---- moves ---- */

static bool holds(const struct nlm_pddl_plan *plan, int predicate, int first, int second)
{
    const struct strips_literal literal = {.predicate = predicate, .argument = {first, second}};
    return strips_holds(plan->of, &plan->state, &literal, NULL);
}

/* Whether a block stands on another in the state, 0 for the table. */
static bool stands_on(const struct nlm_pddl_plan *plan, int block, int below)
{
    const struct tower_words *words = &plan->towers.words;
    const int object = plan->towers.object[block];
    if (below > 0)
        return holds(plan, words->on, object, plan->towers.object[below]);
    return (words->on_table >= 0 && holds(plan, words->on_table, object, 0)) ||
           (words->table >= 0 && holds(plan, words->on, object, words->table));
}

/* Whether the state is that after the move, as far as the objects of the move are concerned; nothing else can
 * have changed but by effects on constants. */
static bool is_made(const struct attempt *try)
{
    const int blocks[] = {try->block, try->from, try->onto};
    const struct nlm_pddl_plan *plan = try->plan;
    for (int i = 0; i < 3; i++) {
        const int below = i == 0 ? try->onto : blocks[i] > 0 ? plan->towers.start[blocks[i]] : 0;
        for (int j = 0; j < 3 && blocks[i] > 0; j++)
            if (blocks[j] != blocks[i] && stands_on(plan, blocks[i], blocks[j]) != (blocks[j] == below))
                return false;
        if (blocks[i] > 0 &&
            (stands_on(plan, blocks[i], 0) != (below == 0) || !stands_on(plan, blocks[i], below)))
            return false;
    }
    return true;
}

static nlm_status try_steps(struct attempt *try, int steps, nlm_error *error);

/* Apply an action if that is possible, and go on; the state is as before unless the move was found. */
static nlm_status try_action(struct attempt *try, int steps, int action, const int *argument,
                             nlm_error *error)
{
    struct nlm_pddl_plan *plan = try->plan;
    const struct strips_action *made = STRIPS_ITEM(action, plan->of->actions, action);
    for (int p = 0; p < made->parameters; p++)
        if (!strips_is_a(plan->of, STRIPS_ITEM(object, plan->of->objects, argument[p])->type,
                         made->parameter[p].type))
            return NLM_OK;
    if (strips_open_condition(plan->of, &plan->state, action, argument))
        return NLM_OK;
    struct strips_change *change = &plan->change[try->steps];
    try->action[try->steps] = action;
    memcpy(try->argument[try->steps], argument, sizeof try->argument[0]);
    nlm_status status = strips_apply(plan->of, &plan->state, action, argument, change, error);
    try->steps++;
    if (!status)
        status = try_steps(try, steps - 1, error);
    if (status || try->found)
        return status;
    try->steps--;
    return strips_undo(&plan->state, change, error);
}

/* All actions with all objects, `steps` more of them; recursion is as deep as an action has parameters. */
static nlm_status try_arguments(struct attempt *try, int steps, int action, int given, int *argument,
                                nlm_error *error)
{
    if (given == STRIPS_ITEM(action, try->plan->of->actions, action)->parameters)
        return try_action(try, steps, action, argument, error);
    nlm_status status = NLM_OK;
    for (int o = 0; o < try->objects && !status && !try->found; o++) {
        argument[given] = try->object[o];
        status = try_arguments(try, steps, action, given + 1, argument, error);
    }
    return status;
}

static nlm_status try_steps(struct attempt *try, int steps, nlm_error *error)
{
    int argument[STRIPS_MOST_PARAMETERS] = {0};
    nlm_status status = NLM_OK;
    if (steps == 0) {
        try->found = is_made(try);
        return NLM_OK;
    }
    for (int action = 0; action < try->plan->of->actions.count && !status && !try->found; action++)
        if (STRIPS_ITEM(action, try->plan->of->actions, action)->parameters <= MOST_OBJECTS)
            status = try_arguments(try, steps, action, 0, argument, error);
    return status;
}

static nlm_status add_text(struct nlm_pddl_plan *plan, const char *text, nlm_error *error)
{
    const size_t length = strlen(text);
    if (buffer_reserve(&plan->text.items, (size_t)plan->text.count + length + 1, 1, true))
        return error_no_memory(error);
    memcpy((char *)plan->text.items.data + plan->text.count, text, length + 1);
    plan->text.count += (int)length;
    return NLM_OK;
}

/* The actions that were found, as lines; the state is already that after them. */
static nlm_status add_actions(struct attempt *try, nlm_error *error)
{
    struct nlm_pddl_plan *plan = try->plan;
    char text[STRIPS_TEXT];
    nlm_status status = NLM_OK;
    for (int s = 0; s < try->steps && !status; s++) {
        status = add_text(plan, strips_action_text(plan->of, try->action[s], try->argument[s], text), error);
        if (!status)
            status = add_text(plan, "\n", error);
        plan->actions++;
    }
    return status;
}

static nlm_status refuse_move(const struct attempt *try, nlm_error *error)
{
    const struct nlm_pddl *of = try->plan->of;
    const int *object = try->plan->towers.object;
    return pddl_refuse(
        &of->problem_text, PDDL_NONE, error,
        "no one or two actions of the domain %s put %.60s onto %.60s, with nothing on either; is the "
        "hand empty in the beginning?",
        of->domain, STRIPS_ITEM(object, of->objects, object[try->block])->name,
        try->onto > 0 ? STRIPS_ITEM(object, of->objects, object[try->onto])->name : "the table");
}

/* towers.start is where the blocks stand now. */
nlm_status nlm_pddl_plan_move(nlm_pddl_plan *plan, const nlm_position *position, const int *move,
                              nlm_error *error)
{
    REQUIRE(plan && position && move, error);
    struct towers *towers = &plan->towers;
    if (plan->done || !nlm_position_legal(position, move) ||
        nlm_blocks_below(position, false, move[0]) == move[1])
        return NLM_OK;
    if (nlm_position_objects(position) != towers->blocks ||
        nlm_blocks_below(position, false, move[0]) != towers->start[move[0]])
        return error_set(error, NLM_BAD_ARGUMENT, "the position is not that after the plan");
    struct attempt try = {.plan = plan, .block = move[0], .from = towers->start[move[0]], .onto = move[1]};
    const int objects[] = {towers->object[try.block], try.from > 0 ? towers->object[try.from] : -1,
                           try.onto > 0 ? towers->object[try.onto] : -1, towers->words.table};
    for (int o = 0; o < MOST_OBJECTS; o++)
        if (objects[o] >= 0)
            try.object[try.objects++] = objects[o];
    nlm_status status = NLM_OK;
    for (int steps = 1; steps <= MOST_STEPS && !status && !try.found; steps++)
        status = try_steps(&try, steps, error);
    if (!status)
        status = try.found ? add_actions(&try, error) : refuse_move(&try, error);
    if (status)
        return status;
    towers->start[try.block] = try.onto;
    plan->moves++;
    plan->done = !strips_open_goal(plan->of, &plan->state);
    return NLM_OK;
}

/* ---- the text ---- */

nlm_status nlm_pddl_plan_text(nlm_pddl_plan *plan, const char **text, nlm_error *error)
{
    REQUIRE(text, error);
    *text = NULL;
    REQUIRE(plan, error);
    char cost[64];
    const int length = plan->text.count;
    snprintf(cost, sizeof cost, "; cost = %d (unit cost)\n", plan->actions);
    nlm_status status = add_text(plan, cost, error);
    const nlm_pddl_text made = {plan->text.items.data, (size_t)plan->text.count, "the plan"};
    plan->text.count = length; /* more actions may follow */
    if (!status)
        status = nlm_pddl_validate(plan->of, &made, NULL, error);
    if (!status)
        *text = plan->text.items.data;
    return status;
}
