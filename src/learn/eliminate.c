/* Elimination: removals, tests, undoing.
 *
 * All changes of weights go through change(), which keeps the old value: a removal that errs is undone at
 * once, and counterexamples undo the latest removals one after the other.  Undoing passes through machines
 * that made no error in all earlier worlds, so only the new ones are asked about.
 *
 * Why it is fast: the set of worlds is kept as structures, which do not depend on weights, so a test is a
 * forward pass and a comparison.  Most removals err, and mostly in the same worlds: the structure that showed
 * the last error is asked first.
 *
 *     round     predicates --> blocks --> single weights, again while some can be removed --> verification
 *     after it  no error: done.  Errors: these worlds join the set, removals are undone, the next round
 * begins */
#include "learn/eliminate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/weight_map.h"
#include "machine/evaluator.h"
#include "machine/machine.h"

enum {
    SET_WORLDS = 60,      /* worlds that removals are tested on at first */
    VERIFY_WORLDS = 1000, /* fresh ones */
    MOST_JOINING = 8,     /* counterexamples of one verification that join the set */
    MOST_ROUNDS = 40
};

#define ORDER_STREAMS 0x656c696d00000000u /* "elim": of the random numbers, apart from those of worlds */

/* A weight of the queue.  Those of a row have one rank while blocks are tried, and then follow each other by
 * size; single weights have ranks of their own. */
struct weight {
    int matrix, row, column;
    uint32_t rank; /* by which they are tried; weights of equal rank by size */
    float size;
};

struct span { /* weights of the queue */
    int first, end;
};

/* What change() has overwritten. */
struct change {
    float *place, other; /* the value before, or if it was undone the value afterwards */
    int removal;         /* that it belongs to */
};

/* ---- changes ---- */

/* The list is never cut but by undo(), so it leads back to the machine of the beginning. */
static nlm_status change(struct elimination *e, float *place, float value)
{
    if (buffer_reserve(&e->changes, (size_t)e->change_count + 1, sizeof(struct change), true))
        return NLM_NO_MEMORY;
    ((struct change *)e->changes.data)[e->change_count++] = (struct change){place, *place, e->removals};
    *place = value;
    return NLM_OK;
}

static void exchange(struct change *change)
{
    const float value = *change->place;
    *change->place = change->other;
    change->other = value;
}

/* Undo the changes of the last removal, the latest first, since a place may have changed twice (a bias). They
 * are kept behind the others, for redo(). */
static void undo(struct elimination *e)
{
    struct change *changes = e->changes.data;
    for (; e->change_count > 0 && changes[e->change_count - 1].removal == e->removals; e->change_count--)
        exchange(&changes[e->change_count - 1]);
    e->removals--;
}

/* Make changes again, up to this number of them, that were just undone. */
static void redo(struct elimination *e, int change_count, int removals)
{
    struct change *changes = e->changes.data;
    while (e->change_count < change_count)
        exchange(&changes[e->change_count++]);
    e->removals = removals;
}

/* Set a weight to 0; if what it reads is to be true for ever, the bias takes it over. */
static nlm_status remove_weight(struct elimination *e, const struct weight_matrix *matrix, int row,
                                int column, bool is_true)
{
    float *weight = &matrix->weights[row * matrix->columns + column], *bias = &matrix->biases[row];
    nlm_status status = is_true ? change(e, bias, *bias + *weight) : NLM_OK;
    return status ? status : change(e, weight, 0.0f);
}

/* All that read a predicate take it for a constant. */
static nlm_status make_constant(struct elimination *e, int predicate, bool is_true)
{
    nlm_status status = NLM_OK;
    for (int m = 0; m < e->map->count; m++) {
        const struct weight_matrix *matrix = &e->map->matrix[m];
        for (int c = 0; c < matrix->columns; c++)
            for (int r = 0; r < matrix->rows && matrix->reads[c] == predicate && !status; r++)
                if (matrix->weights[r * matrix->columns + c] != 0.0f)
                    status = remove_weight(e, matrix, r, c, is_true);
    }
    return status;
}

/* Weights of a row that are not 0. */
static int row_weights(const struct weight_matrix *matrix, int row)
{
    int count = 0;
    for (int c = 0; c < matrix->columns; c++)
        count += matrix->weights[row * matrix->columns + c] != 0.0f;
    return count;
}

/* Without a change of any answer: a predicate without weights is a constant, one that nobody reads goes. Both
 * may make further predicates so, hence the loop.  It counts as a removal of its own, to be undone as one. */
static nlm_status tidy(struct elimination *e)
{
    bool *used = memory_new((size_t)e->map->predicates, sizeof *used);
    nlm_status status = used ? NLM_OK : NLM_NO_MEMORY;
    int before;
    e->removals++;
    do {
        before = e->change_count;
        for (int m = 0; m < e->map->count && !status; m++) {
            const struct weight_matrix *matrix = &e->map->matrix[m];
            weight_map_used(e->map, used);
            for (int r = 0; r < matrix->rows && matrix->first >= 0 && !status; r++) {
                const bool is_used = used[matrix->first + r];
                if (is_used && row_weights(matrix, r) == 0)
                    status = make_constant(e, matrix->first + r, matrix->biases[r] > 0.0f);
                for (int c = 0; c < matrix->columns && !is_used && !status; c++)
                    if (matrix->weights[r * matrix->columns + c] != 0.0f)
                        status = remove_weight(e, matrix, r, c, false);
            }
        }
    } while (e->change_count > before && !status);
    memory_free(used);
    e->weights = weight_map_left(e->map);
    return status;
}

/* ---- tests ---- */

/* Errors in the worlds of one structure. */
static nlm_status count_errors(struct elimination *e, const nlm_structure *structure, size_t *errors,
                               nlm_error *error)
{
    nlm_bce_result result = {0};
    nlm_status status = nlm_pass_forward(e->evaluator->pass, structure, false, error);
    if (!status)
        status = pass_compare(e->evaluator->pass, &result, error);
    *errors = result.labelled - result.correct;
    return status;
}

/* Whether the machine makes no error in the set.  It ends at the first world with an error, which moves to
 * the front. */
static nlm_status test(struct elimination *e, bool *right, nlm_error *error)
{
    nlm_structure **structures = e->set.data;
    nlm_status status = NLM_OK;
    size_t errors = 0;
    e->tests++;
    if (e->judge)
        return e->judge->test(e->judge->context, right, error);
    for (int w = 0; w < e->worlds_of_set && errors == 0 && !status; w++) {
        nlm_structure *structure = structures[w];
        status = count_errors(e, structure, &errors, error);
        if (errors > 0) {
            memmove(structures + 1, structures, (size_t)w * sizeof *structures);
            structures[0] = structure;
        }
    }
    *right = errors == 0;
    return status;
}

/* The world of the evaluator's batch joins the set, before all others. */
static nlm_status add_world(struct elimination *e, nlm_error *error)
{
    nlm_structure *made, **structures;
    if (buffer_reserve(&e->set, (size_t)e->worlds_of_set + 1, sizeof made, true))
        return error_no_memory(error);
    nlm_status status = nlm_structure_new(&made, error);
    if (status)
        return status;
    structures = e->set.data;
    memmove(structures + 1, structures, (size_t)e->worlds_of_set * sizeof *structures);
    structures[0] = made;
    e->worlds_of_set++;
    return nlm_structure_build(made, e->machine, e->evaluator->batch, &e->options, error);
}

/* Of the first worlds those without an error. */
static nlm_status make_set(struct elimination *e, nlm_error *error)
{
    const int all = rule_worlds_count(&e->worlds), asked = all < SET_WORLDS ? all : SET_WORLDS;
    nlm_status status = NLM_OK;
    for (int w = 0; w < asked && !status; w++) {
        nlm_bce_result result = {0};
        uint64_t number = (uint64_t)w;
        nlm_evaluator_clear(e->evaluator);
        status = e->worlds.source.problem ? rule_worlds_add(&e->worlds, number, e->evaluator, error)
                                          : rule_worlds_draw(&e->worlds, w, e->evaluator, &number, error);
        if (!status)
            status = evaluator_compare(e->evaluator, false, &result, error);
        if (!status && result.correct == result.labelled)
            status = add_world(e, error);
    }
    return status;
}

/* ---- life ---- */

/* A round begins with the predicates, in random order; what nobody reads is passed over when its turn comes.
 */
static nlm_status begin_round(struct elimination *e)
{
    nlm_status status = tidy(e);
    for (int p = 0; p < e->map->predicates; p++)
        e->predicates[p] = p;
    random_shuffle(&e->random, e->predicates, e->map->predicates);
    e->queued = e->map->predicates;
    e->next = 0;
    e->stage = ELIMINATING_PREDICATES;
    return status;
}

/* Two copies: the machine that is changed, and the weights of the hard one, to be asked in doubt (ask_hard).
 */
static nlm_status copy_machine(struct elimination *e, const nlm_machine *hard, nlm_error *error)
{
    nlm_status status =
        nlm_machine_new(nlm_machine_spec(hard), hard->heads, hard->head_count, &e->machine, error);
    if (!status)
        memcpy(e->machine->values, hard->values, hard->parameters * sizeof *hard->values);
    return status;
}

/* What does not depend on who is asked. */
static nlm_status prepare(struct elimination *e, const nlm_machine *hard, uint64_t seed, int order,
                          nlm_error *error)
{
    nlm_status status = copy_machine(e, hard, error);
    if (!status)
        status = weight_map_new(e->machine, &e->map, error);
    e->predicates = status ? NULL : memory_new((size_t)e->map->predicates, sizeof(int));
    if (!status && !e->predicates)
        status = error_no_memory(error);
    random_start(&e->random, seed, ORDER_STREAMS + (uint64_t)order);
    return status;
}

static nlm_status begin_first_round(struct elimination *e, nlm_status status, nlm_error *error)
{
    if (!status && begin_round(e))
        status = error_no_memory(error);
    if (status)
        elimination_end(e);
    return status;
}

nlm_status elimination_begin(struct elimination *e, const nlm_machine *hard, const nlm_settings *settings,
                             int order, const nlm_options *options, nlm_error *error)
{
    *e = (struct elimination){.options = options ? *options : (nlm_options){0}};
    nlm_status status = prepare(e, hard, settings->seed, order, error);
    if (!status)
        status = rule_worlds_init(&e->worlds, settings, order + 1, error);
    if (!status)
        status = nlm_evaluator_new(e->machine, options, &e->evaluator, error);
    if (!status)
        status = make_set(e, error);
    return begin_first_round(e, status, error);
}

nlm_status elimination_begin_judged(struct elimination *e, const nlm_machine *hard,
                                    const struct elimination_judge *judge, uint64_t seed, int order,
                                    nlm_error *error)
{
    *e = (struct elimination){.judge = judge};
    nlm_status status = prepare(e, hard, seed, order, error);
    if (!status)
        status = judge->begin(judge->context, e->machine, error);
    return begin_first_round(e, status, error);
}

void elimination_end(struct elimination *e)
{
    for (int w = 0; w < e->worlds_of_set; w++)
        nlm_structure_free(((nlm_structure **)e->set.data)[w]);
    buffer_free(&e->set);
    memory_free(e->predicates);
    buffer_free(&e->changes);
    buffer_free(&e->weight_queue);
    buffer_free(&e->stack);
    weight_map_free(e->map);
    nlm_evaluator_free(e->evaluator);
    rule_worlds_release(&e->worlds);
    nlm_machine_free(e->machine);
    *e = (struct elimination){.stage = e->stage};
}

/* ---- predicates ---- */

/* As a constant 0, then as a constant 1; the first that makes no error stays. */
static nlm_status try_predicate(struct elimination *e, int predicate, nlm_error *error)
{
    nlm_status status = NLM_OK;
    bool right = false;
    for (int value = 0; value < 2 && !right && !status; value++) {
        const int before = e->change_count;
        e->removals++;
        if (make_constant(e, predicate, value == 1))
            return error_no_memory(error);
        right = e->change_count == before; /* nobody reads it */
        if (!right)
            status = test(e, &right, error);
        if (!right)
            undo(e);
    }
    e->weights = weight_map_left(e->map);
    return status;
}

/* ---- weights ---- */

/* A total order, so that qsort gives the same result everywhere. */
static int by_rank(const void *left, const void *right)
{
    const struct weight *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->size < b->size || a->size > b->size)
        return a->size < b->size ? -1 : 1;
    if (a->matrix != b->matrix)
        return a->matrix - b->matrix;
    return a->row != b->row ? a->row - b->row : a->column - b->column;
}

/* All weights into the queue, those of a row together or one by one, and their ranges onto the stack. */
static nlm_status queue_weights(struct elimination *e, bool singles)
{
    const size_t left = weight_map_left(e->map);
    if (buffer_reserve(&e->weight_queue, left, sizeof(struct weight), false) ||
        buffer_reserve(&e->stack, left, sizeof(struct span), false))
        return NLM_NO_MEMORY;
    struct weight *queue = e->weight_queue.data;
    struct span *spans = e->stack.data;
    int count = 0;
    for (int m = 0; m < e->map->count; m++) {
        const struct weight_matrix *matrix = &e->map->matrix[m];
        for (int r = 0; r < matrix->rows; r++) {
            uint32_t rank = random_u32(&e->random);
            for (int c = 0; c < matrix->columns; c++) {
                const float weight = matrix->weights[r * matrix->columns + c];
                if (weight == 0.0f)
                    continue;
                queue[count++] = (struct weight){m, r, c, rank, fabsf(weight)};
                rank = singles ? random_u32(&e->random) : rank;
            }
        }
    }
    qsort(queue, (size_t)count, sizeof *queue, by_rank);
    e->ranges = 0;
    for (int end = count, w = count - 1; w >= 0; w--) /* the first range is the top of the stack */
        if (singles || w == 0 || queue[w - 1].matrix != queue[w].matrix || queue[w - 1].row != queue[w].row) {
            spans[e->ranges++] = (struct span){w, end};
            end = w;
        }
    e->found = false;
    e->stage = singles ? ELIMINATING_WEIGHTS : ELIMINATING_BLOCKS;
    return NLM_OK;
}

/* All weights of a range at once: set to 0, or taken over by the bias.  Undone unless it is right. */
static nlm_status try_removal(struct elimination *e, struct span span, bool is_true, bool *right,
                              nlm_error *error)
{
    const struct weight *queue = e->weight_queue.data;
    nlm_status status = NLM_OK;
    e->removals++;
    for (int w = span.first; w < span.end && !status; w++)
        status = remove_weight(e, &e->map->matrix[queue[w].matrix], queue[w].row, queue[w].column, is_true);
    status = status ? error_no_memory(error) : test(e, right, error);
    if (!*right)
        undo(e);
    return status;
}

/* Remove the weights of a range; if that errs, its halves are next, of a single weight the other way. */
static nlm_status try_range(struct elimination *e, struct span span, nlm_error *error)
{
    const int middle = (span.first + span.end) / 2;
    struct span *stack = e->stack.data;
    bool right = false;
    nlm_status status = try_removal(e, span, false, &right, error);
    if (!right && !status && span.end - span.first > 1) {
        stack[e->ranges++] = (struct span){middle, span.end};
        stack[e->ranges++] = (struct span){span.first, middle};
    } else if (!right && !status) {
        status = try_removal(e, span, true, &right, error);
    }
    e->found |= right;
    if (right)
        e->weights = weight_map_left(e->map);
    return status;
}

/* ---- verification ---- */

/* Whether the machine makes no error in the world of the evaluator's batch or, with a judge, in the case of a
 * failure. */
static nlm_status knows(struct elimination *e, int failure, bool *right, nlm_error *error)
{
    if (e->judge)
        return e->judge->knows(e->judge->context, failure, right, error);
    size_t errors = 0;
    nlm_status status = nlm_evaluator_prepare(e->evaluator, error);
    if (!status)
        status = count_errors(e, e->evaluator->structure, &errors, error);
    *right = errors == 0;
    return status;
}

/* Removals are undone until the machine knows a case, and all others that have joined the set since; then it
 * joins the set too.  If there is no such machine, all stays. */
static nlm_status learn_case(struct elimination *e, int failure, bool *joined, nlm_error *error)
{
    const int changes = e->change_count, removals = e->removals;
    bool known = false, right = false;
    nlm_status status = knows(e, failure, &right, error);
    for (known = right; !known && e->removals > 0 && !status;) {
        undo(e);
        status = knows(e, failure, &right, error);
        if (right && !status)
            status = test(e, &known, error);
    }
    *joined = known && !status;
    if (*joined)
        return e->judge ? e->judge->join(e->judge->context, failure, error) : add_world(e, error);
    redo(e, changes, removals);
    e->unknown++;
    return status;
}

/* Fresh worlds. */
static nlm_status ask_worlds(struct elimination *e, uint64_t *numbers, int *count, nlm_error *error)
{
    struct rule_failures failures;
    const nlm_status status = rule_worlds_verify(&e->worlds, VERIFY_WORLDS, e->evaluator, &failures, error);
    e->asked = failures.asked;
    e->errors = failures.errors;
    *count = failures.count;
    memcpy(numbers, failures.number, sizeof failures.number);
    return status;
}

static nlm_status ask_judge(struct elimination *e, int *count, nlm_error *error)
{
    const nlm_status status = e->judge->verify(e->judge->context, &e->asked, count, error);
    e->errors = (size_t)*count;
    return status;
}

/* What was removed since the machine that knew all counterexamples is tried again. */
static nlm_status verify(struct elimination *e, nlm_error *error)
{
    uint64_t numbers[RULE_MOST_FAILURES];
    int count = 0;
    bool joined = false, again = false;
    nlm_status status = e->judge ? ask_judge(e, &count, error) : ask_worlds(e, numbers, &count, error);
    for (int f = 0; f < count && f < MOST_JOINING && !status; f++) {
        if (!e->judge) {
            nlm_evaluator_clear(e->evaluator);
            status = rule_worlds_add(&e->worlds, numbers[f], e->evaluator, error);
        }
        if (!status)
            status = learn_case(e, f, &joined, error);
        again |= joined;
    }
    if (status)
        return status;
    if (again && ++e->round < MOST_ROUNDS)
        return begin_round(e) ? error_no_memory(error) : NLM_OK;
    e->stage = count == 0 ? ELIMINATED : NOT_ELIMINATED;
    return NLM_OK;
}

/* All weights that are left were tried: on with single ones, until no more can be removed. */
static nlm_status end_pass(struct elimination *e, nlm_error *error)
{
    const bool again = e->stage != ELIMINATING_WEIGHTS || e->found;
    const bool singles = e->stage != ELIMINATING_PREDICATES;
    e->stage = ELIMINATION_VERIFYING;
    if (tidy(e) || (again && queue_weights(e, singles)))
        return error_no_memory(error);
    return NLM_OK;
}

/* ---- steps ---- */

nlm_status elimination_step(struct elimination *e, nlm_error *error)
{
    switch (e->stage) {
    case ELIMINATING_PREDICATES:
        return e->next < e->queued ? try_predicate(e, e->predicates[e->next++], error) : end_pass(e, error);
    case ELIMINATING_BLOCKS:
    case ELIMINATING_WEIGHTS:
        return e->ranges > 0 ? try_range(e, ((struct span *)e->stack.data)[--e->ranges], error)
                             : end_pass(e, error);
    case ELIMINATION_VERIFYING:
        return verify(e, error);
    default:
        return NLM_OK;
    }
}
