/* Source: generated worlds, or the worlds of a problem and how they are shared out.
 *
 * Runs ask for worlds by number and never see the difference.  Which worlds or labels are held out is decided
 * once, by a fixed seed, so that all runs on the same facts, and later tests of their models, agree on it.
 *
 * Example: ten worlds of facts, a tenth held out.
 *
 *     worlds[0..8]           learned from;  worlds[9] is held out
 *     numbers 0..8           all nine, in the order of pass 0
 *     numbers 9..17          all nine again, in the order of pass 1
 *     WORLD_SOURCE_HELD_OUT  the tenth
 *
 * A single world is split in two: worlds[0] has nine tenths of the labels, worlds[1] the others.  With
 * `parts` a third, worlds[2], has the labels of the hidden part. */
#include "learn/world_source.h"

#include "machine/evaluator.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "task/task.h"
#include "world/world.h"

enum {
    FEW_WORLDS = 4,    /* so many or fewer are not put into another order with each pass */
    FEW_POSITIVES = 5, /* of fewer, none is held out */
    CANDIDATES = 16,   /* for a deep world */
    MOST_DRAWS = 100   /* of a world that should have a true tuple: sizes may allow none */
};
#define SPLIT_SEED 0x5b1f0e6d2c9a7d43u      /* of what is held out, the same for all runs */
#define PART_STREAMS ((uint64_t)1 << 32)    /* of its random numbers, for parts */
#define POSITIVE_WORLDS ((uint64_t)1 << 24) /* and for worlds of one file that have a true label */

/* ---- parts ---- */

/* Deals out things to parts, so that of every `parts` in a row each part gets one. */
struct dealer {
    random_stream random;
    int parts, dealt;
    int order[NLM_MAX_PARTS];
};

static void dealer_start(struct dealer *dealer, int parts, uint64_t stream)
{
    dealer->parts = parts;
    dealer->dealt = 0;
    random_start(&dealer->random, SPLIT_SEED, PART_STREAMS + stream);
    for (int p = 0; p < parts; p++)
        dealer->order[p] = p;
}

/* The part of the next thing, from 1; 0 without parts. */
static int deal(struct dealer *dealer)
{
    if (dealer->parts == 0)
        return 0;
    const int place = dealer->dealt++ % dealer->parts;
    if (place == 0)
        random_shuffle(&dealer->random, dealer->order, dealer->parts);
    return 1 + dealer->order[place];
}

/* ---- several worlds: some are held out ---- */

/* Whether a tuple of any target has the label, as one of its own or by default. */
static bool has_label(const nlm_world *world, nlm_label label)
{
    for (int target = 0; target < nlm_world_targets(world); target++) {
        const signed char *labels;
        nlm_label by_default;
        size_t count = nlm_world_labels(world, target, NULL, &labels, &by_default);
        for (size_t i = 0; i < count; i++)
            if (labels[i] == label)
                return true;
        if (by_default == label)
            return true;
    }
    return false;
}

/* Worlds of one class, whose share is to be held out. */
struct world_class {
    bool any;         /* every world is of it */
    bool positive;    /* or those that have a true label, or those that have none */
    uint64_t stream;  /* of its random numbers */
    int hidden, rest; /* worlds of the hidden part, and others */
};

static bool is_of_class(const struct world_source *source, int world, const struct world_class *class)
{
    return class->any || has_label(nlm_problem_world(source->problem, world), NLM_TRUE) == class->positive;
}

/* Marks the worlds of the hidden part as 2; of the others `held_out` as 1, those that come first in a random
 * order. */
static void hide_worlds(struct world_source *source, int worlds, const nlm_settings *settings,
                        struct world_class *class, char *kind)
{
    struct dealer dealer;
    dealer_start(&dealer, settings->parts, class->stream);
    class->hidden = class->rest = 0;
    for (int w = 0; w < worlds; w++) {
        if (!is_of_class(source, w, class))
            continue;
        if (settings->parts > 0 && deal(&dealer) == settings->hidden_part)
            kind[w] = 2;
        class->hidden += kind[w] == 2;
        class->rest += kind[w] == 0;
    }
}

static void hold_out_worlds(struct world_source *source, int worlds, const struct world_class *class,
                            int held_out, char *kind)
{
    random_stream random;
    int *order = source->order; /* any pass begins with its own */
    random_start(&random, SPLIT_SEED, class->stream);
    for (int w = 0; w < worlds; w++)
        order[w] = w;
    random_shuffle(&random, order, worlds);
    for (int i = 0; held_out > 0; i++)
        if (kind[order[i]] == 0 && is_of_class(source, order[i], class)) {
            kind[order[i]] = 1;
            held_out--;
        }
}

/* The worlds of one file mostly have one label each: true and false ones are shared out apart.  At least one
 * world is held out if any share is, and at least one left to learn from. */
static void choose_worlds(struct world_source *source, int worlds, const nlm_settings *settings, char *kind)
{
    const bool apart = nlm_problem_split(source->problem);
    struct world_class class[] = {{.any = !apart}, {.positive = true, .stream = POSITIVE_WORLDS}};
    for (int c = 0; c <= apart; c++) {
        hide_worlds(source, worlds, settings, &class[c], kind);
        source->hidden += class[c].hidden;
    }
    if (source->hidden == worlds) {
        source->hidden--;
        class[!is_of_class(source, 0, &class[0])].rest++;
        kind[0] = 0;
    }
    const int rest = worlds - source->hidden;
    for (int c = 0; c <= apart; c++) {
        int held_out = (int)lround(settings->held_out * class[c].rest);
        if (source->held_out + held_out < 1 && settings->held_out > 0 && (c == apart || class[1].rest == 0))
            held_out = 1;
        if (source->held_out + held_out >= rest)
            held_out = rest - 1 - source->held_out;
        if (held_out > class[c].rest)
            held_out = class[c].rest;
        hold_out_worlds(source, worlds, &class[c], held_out, kind);
        source->held_out += held_out;
    }
    source->learned = rest - source->held_out;
}

/* All three lists keep the order of the problem. */
static nlm_status split_worlds(struct world_source *source, int worlds, const nlm_settings *settings,
                               nlm_error *error)
{
    char *kind = memory_new((size_t)worlds, 1);
    if (!kind)
        return error_no_memory(error);
    choose_worlds(source, worlds, settings, kind);
    int place[3] = {0, source->learned, source->learned + source->held_out};
    for (int w = 0; w < worlds; w++)
        source->worlds[place[(int)kind[w]]++] = nlm_problem_world(source->problem, w);
    INVARIANT(source->learned > 0 && source->held_out >= 0);
    memory_free(kind);
    return NLM_OK;
}

/* ---- a single world: some of its labels are held out ---- */

/* Each label of a target, [objects]^arity, goes to one of the worlds.  First those of the hidden part.  Of n
 * labels of a kind that remain, the nearest whole number to share * n are held out, chosen at random.
 *
 * Selection sampling: a label is taken with probability wanted / left of those that remain, which takes
 * exactly as many as are wanted, each subset being equally likely.  True and false labels are counted apart,
 * since true ones are rare and might all land on one side. */
static nlm_status share_out(const nlm_world *world, int target, const nlm_settings *settings,
                            signed char *labels, nlm_world *const split[3], nlm_error *error)
{
    const int objects = nlm_world_objects(world), arity = nlm_world_target_arity(world, target);
    const size_t tuples = nlm_tuple_count(objects, arity);
    int tuple[NLM_MAX_BREADTH];
    size_t left[2] = {0}, wanted[2]; /* of NLM_FALSE and NLM_TRUE */
    struct dealer dealer[2];
    nlm_status status = NLM_OK;
    for (int label = NLM_FALSE; label <= NLM_TRUE; label++)
        dealer_start(&dealer[label], settings->parts, 2 * (uint64_t)target + 1 + (uint64_t)label);
    nlm_world_all_labels(world, target, labels);
    for (size_t index = 0; index < tuples && !status; index++) {
        const nlm_label label = (nlm_label)labels[index];
        if (label == NLM_UNLABELLED || !nlm_tuple_at(objects, arity, index, tuple))
            continue;
        if (settings->parts > 0 && deal(&dealer[label]) == settings->hidden_part) {
            status = nlm_world_add_label(split[2], target, tuple, label, error);
            labels[index] = NLM_UNLABELLED;
        } else {
            left[label]++;
        }
    }
    for (int label = NLM_FALSE; label <= NLM_TRUE; label++)
        wanted[label] = (size_t)(settings->held_out * (double)left[label] + 0.5);
    if (left[NLM_TRUE] < FEW_POSITIVES)
        wanted[NLM_TRUE] = 0;
    random_stream random;
    random_start(&random, SPLIT_SEED, (uint64_t)target + 1);
    for (size_t index = 0; index < tuples && !status; index++) {
        const nlm_label label = (nlm_label)labels[index];
        if (label == NLM_UNLABELLED || !nlm_tuple_at(objects, arity, index, tuple))
            continue;
        const bool held_out = random_unit(&random) * (double)left[label] < (double)wanted[label];
        left[label]--;
        wanted[label] -= held_out;
        status = nlm_world_add_label(split[held_out], target, tuple, label, error);
    }
    return status;
}

/* Copies of the world with all its facts; a label is in one of them and unknown in the others.  So a machine
 * sees the same facts in training and in the exam, but is asked about other tuples. */
static nlm_status split_labels(struct world_source *source, const nlm_settings *settings, nlm_error *error)
{
    const nlm_world *whole = nlm_problem_world(source->problem, 0);
    nlm_status status = NLM_OK;
    source->learned = source->held_out = 1;
    source->hidden = settings->parts > 0;
    for (int part = 0; part < 2 + source->hidden && !status; part++) {
        status = nlm_world_new(&source->split[part], error);
        if (!status)
            status = world_copy(source->split[part], whole, false, error);
        source->worlds[part] = source->split[part];
    }
    for (int t = 0; t < nlm_world_targets(whole) && !status; t++) {
        signed char *labels =
            memory_new(nlm_tuple_count(nlm_world_objects(whole), nlm_world_target_arity(whole, t)) + 1, 1);
        status =
            labels ? share_out(whole, t, settings, labels, source->split, error) : error_no_memory(error);
        memory_free(labels);
    }
    return status;
}

/* ---- a large world ---- */

static nlm_status draw_from_world(struct world_source *source, const nlm_settings *settings, nlm_error *error)
{
    const struct neighbourhood_settings near = {.most = settings->neighbourhood,
                                                .radius = settings->radius,
                                                .reach = settings->spec.depth,
                                                .held_out = settings->held_out,
                                                .parts = settings->parts,
                                                .hidden_part = settings->hidden_part};
    nlm_status status = nlm_world_new(&source->drawn, error);
    if (!status)
        status = neighbourhoods_new(nlm_problem_world(source->problem, 0), &near, &source->near, error);
    if (status)
        return status;
    source->learned = neighbourhoods_count(source->near, SIDE_LEARNED);
    source->held_out = neighbourhoods_count(source->near, SIDE_HELD_OUT);
    source->hidden = neighbourhoods_count(source->near, SIDE_HIDDEN);
    if (source->learned == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "no label is left to learn from");
    source->worlds[0] = nlm_problem_world(source->problem, 0);
    memory_free(source->order);
    source->order = memory_new((size_t)source->learned, sizeof *source->order);
    return source->order ? NLM_OK : error_no_memory(error);
}

nlm_status world_source_name(struct world_source *source, int target, const int *tuple, uint64_t *number,
                             nlm_error *error)
{
    int place;
    const nlm_status status = neighbourhoods_name(source->near, target, tuple, &place, error);
    *number = WORLD_SOURCE_NAMED + (uint64_t)place;
    return status;
}

int world_source_labelled(const struct world_source *source, bool all)
{
    return source->near ? 1 : source->learned + (all ? source->held_out : 0);
}

/* ---- life ---- */

/* A single world can only be divided by its labels; without a share to hold out it stays whole. */
nlm_status world_source_init(struct world_source *source, const nlm_settings *training, nlm_error *error)
{
    *source = (struct world_source){.task = training->task,
                                    .problem = training->problem,
                                    .kind = training->kind,
                                    .shift = training->shift,
                                    .balanced = training->problem && training->positives > 0 &&
                                                nlm_problem_split(training->problem)};
    if (!training->problem)
        return NLM_OK;
    const int worlds = nlm_problem_worlds(training->problem);
    source->worlds = memory_new((size_t)worlds + 2, sizeof *source->worlds); /* a single one makes up to 3 */
    source->order = memory_new((size_t)worlds + 1, sizeof *source->order);
    nlm_status status = NLM_OK;
    if (!source->worlds || !source->order)
        status = error_no_memory(error);
    else if (training->neighbourhood > 0)
        status = draw_from_world(source, training, error);
    else if (worlds == 1 && (training->held_out > 0 || training->parts > 0))
        status = split_labels(source, training, error);
    else
        status = split_worlds(source, worlds, training, error);
    if (status)
        world_source_release(source);
    return status;
}

/* Worlds of the problem itself stay; only the two of a split are the source's. */
void world_source_release(struct world_source *source)
{
    for (int part = 0; part < 3; part++)
        nlm_world_free(source->split[part]);
    neighbourhoods_free(source->near);
    nlm_world_free(source->drawn);
    memory_free(source->worlds);
    memory_free(source->order);
    *source = (struct world_source){0};
}

/* ---- worlds ---- */

/* The world in the list of those to learn from, held out, hidden and named, or the neighbourhood of the side.
 */
static nlm_status world_at(struct world_source *source, int side, uint64_t place, const nlm_world **world,
                           nlm_error *error)
{
    const int before[] = {0, source->learned, source->learned + source->held_out};
    if (!source->near) {
        *world = source->worlds[(uint64_t)before[side] + place];
        return NLM_OK;
    }
    *world = source->drawn;
    return neighbourhoods_draw(source->near, side, (int)place, source->drawn, error);
}

/* Kinds of numbers: of a generated world, of one hidden or held out, of one to learn from.  Only the last
 * changes the source (the order of the pass), so only sources of tasks may be shared by threads. */
nlm_status world_source_world(struct world_source *source, uint64_t seed, uint64_t number, int objects,
                              nlm_world *scratch, const nlm_world **world, nlm_error *error)
{
    *world = scratch;
    if (source->task) {
        /* the shift is a setting of the run; a test has its own source, with shift 0 */
        nlm_task task = *source->task;
        task.shift = source->shift;
        return nlm_task_generate(&task, source->kind, seed, number, objects, scratch, error);
    }
    if (number >= WORLD_SOURCE_NAMED && source->near)
        return world_at(source, SIDE_NAMED, number - WORLD_SOURCE_NAMED, world, error);
    if (number >= WORLD_SOURCE_HIDDEN) {
        if (number - WORLD_SOURCE_HIDDEN >= (uint64_t)source->hidden)
            return error_set(error, NLM_BAD_ARGUMENT, "only %d worlds are hidden", source->hidden);
        return world_at(source, SIDE_HIDDEN, number - WORLD_SOURCE_HIDDEN, world, error);
    }
    if (number >= WORLD_SOURCE_HELD_OUT) {
        if (number - WORLD_SOURCE_HELD_OUT >= (uint64_t)source->held_out)
            return error_set(error, NLM_BAD_ARGUMENT, "only %d worlds are held out", source->held_out);
        return world_at(source, SIDE_HELD_OUT, number - WORLD_SOURCE_HELD_OUT, world, error);
    }
    /* Pass p over the worlds has its own order, a function of seed and p.  The order of the last pass asked
     * for is kept, as numbers come mostly one after the other; any other number works too, only slower. */
    const uint64_t learned = (uint64_t)source->learned;
    if (!source->ordered || source->seed != seed || source->pass != number / learned) {
        random_stream random;
        random_start(&random, seed, number / learned);
        for (int w = 0; w < source->learned; w++)
            source->order[w] = w;
        if (source->learned > FEW_WORLDS)
            random_shuffle(&random, source->order, source->learned);
        source->seed = seed;
        source->pass = number / learned;
        source->ordered = true;
    }
    return world_at(source, SIDE_LEARNED, (uint64_t)source->order[number % learned], world, error);
}

/* So few worlds are never reordered, and a batch takes all of them: every batch is the same. */
bool world_source_is_fixed(const struct world_source *source, int batch)
{
    return source->problem && source->learned == batch && batch <= FEW_WORLDS;
}

/* ---- chosen worlds ---- */

/* The next world, drawn again until it has a true tuple if `positive` asks for one; of worlds of one file,
 * which have one label each, until it has a false one if not.  After MOST_DRAWS the last is taken as it is.
 *  All numbers that were drawn are used up, so nlm_epoch.drawn counts them. */
static nlm_status draw_candidate(struct world_source *source, uint64_t seed, uint64_t *next, int objects,
                                 bool positive, nlm_world *scratch, uint64_t *number, const nlm_world **world,
                                 nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int draw = 0; draw < MOST_DRAWS && !status; draw++) {
        *number = (*next)++;
        status = world_source_world(source, seed, *number, objects, scratch, world, error);
        if (!status &&
            ((!positive && !source->balanced) || has_label(*world, positive ? NLM_TRUE : NLM_FALSE)))
            break;
    }
    return status;
}

/* The deepest of several candidates, the first of them if there are more.  Only its number is kept, since the
 * scratch world is overwritten by the next candidate; it is generated once more at the end. */
nlm_status world_source_draw(struct world_source *source, uint64_t seed, uint64_t *next, int objects,
                             bool positive, bool deep, nlm_world *scratch, uint64_t *number,
                             const nlm_world **world, nlm_error *error)
{
    if (!deep || !source->task)
        return draw_candidate(source, seed, next, objects, positive, scratch, number, world, error);
    int deepest = -1;
    for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        uint64_t drawn;
        int depth;
        nlm_status status =
            draw_candidate(source, seed, next, objects, positive, scratch, &drawn, world, error);
        if (!status)
            status = task_depth(source->task, scratch, &depth, error);
        if (status)
            return status;
        if (depth <= deepest)
            continue;
        deepest = depth;
        *number = drawn;
    }
    return world_source_world(source, seed, *number, objects, scratch, world, error);
}

/* ---- answers ---- */

/* For exams and tests: one world, answers without training. */
nlm_status world_source_compare(struct world_source *source, uint64_t seed, uint64_t number, int objects,
                                nlm_world *scratch, nlm_evaluator *evaluator, nlm_bce_result *result,
                                nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = world_source_world(source, seed, number, objects, scratch, &world, error);
    nlm_evaluator_clear(evaluator);
    if (!status)
        status = nlm_evaluator_add(evaluator, world, error);
    return status ? status : evaluator_compare(evaluator, false, result, error);
}

/* Plain accuracy is high for a machine that always answers "false", since most tuples are false; this is one
 * half for it. */
double balanced_accuracy(size_t tuples, size_t wrong, size_t positives, size_t wrong_positives)
{
    const size_t negatives = tuples - positives, right = positives - wrong_positives;
    const double of_true = positives ? (double)right / (double)positives : 0;
    const double of_false = negatives ? (double)(tuples - wrong - right) / (double)negatives : 0;
    const int kinds = (positives > 0) + (negatives > 0);
    return kinds ? (of_true + of_false) / kinds : 1.0;
}
