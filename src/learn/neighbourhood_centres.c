/* The labels of a large world: which side each is on, and which are the centres of neighbourhoods.
 *
 * Centres of a target, as far as there are so many: half of them true, a quarter false and near, a quarter
 * false and anywhere.  Near is a true tuple with one object exchanged for another within NEAR steps of it:
 * most tuples are false for no interesting reason, and these are the hard ones. */
#include "learn/neighbourhood_parts.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/random.h"

enum {
    CENTRES = 1000, /* to learn from, of all targets together */
    EXAM_CENTRES = 200,
    LEAST_CENTRES = 40, /* of a target and side */
    LEAST_FALSE = 50,   /* where few are true */
    NEAR = 2,
    TRIES = 50,         /* for each centre */
    RADIUS_CENTRES = 64 /* that the radius is chosen by */
};
#define RADIUS_FITS 0.75 /* share of balls that must fit */
#define SPACE 1.6        /* times as many objects in a neighbourhood as in a ball */

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* ---- sides ---- */

/* A number that is as good as random, of a target and a tuple. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

int neighbourhood_side(const struct neighbourhoods *of, int target, const int *tuple, bool is_true)
{
    const struct neighbourhood_settings *settings = &of->settings;
    const struct label_table *labels = &of->labels[target];
    const uint64_t random = mixed(label_table_number(labels, tuple) * NLM_MAX_BREADTH + (uint64_t)target + 1);
    if (settings->parts > 0 && (int)(random % (uint64_t)settings->parts) + 1 == settings->hidden_part)
        return SIDE_HIDDEN;
    if (is_true && labels->few_true)
        return SIDE_LEARNED;
    return (double)(mixed(random) >> 11) * 0x1p-53 < settings->held_out ? SIDE_HELD_OUT : SIDE_LEARNED;
}

/* The labels that are listed, or all; false if the listener has heard enough. */
static bool tell_labels(const struct neighbourhoods *of, int target, bool listed, label_listener listener,
                        void *context)
{
    const struct label_table *labels = &of->labels[target];
    const size_t count = listed ? labels->count : nlm_tuple_count(of->objects, labels->arity);
    int tuple[NLM_MAX_BREADTH];
    size_t next = 0; /* of those listed, which have the order of the numbers */
    for (size_t i = 0; i < count; i++) {
        const size_t number = listed ? labels->list[i].number : i;
        nlm_label label = labels->by_default;
        if (next < labels->count && labels->list[next].number == number)
            label = labels->list[next++].label;
        if (label == NLM_UNLABELLED || !nlm_tuple_at(of->objects, labels->arity, number, tuple))
            continue;
        if (!listener(context, neighbourhood_side(of, target, tuple, label == NLM_TRUE), tuple,
                      label == NLM_TRUE))
            return false;
    }
    return true;
}

void neighbourhoods_labels(const struct neighbourhoods *of, int target, label_listener listener,
                           void *context)
{
    const struct label_table *labels = &of->labels[target];
    const bool closed = labels->by_default != NLM_UNLABELLED;
    const bool sampled = closed && nlm_tuple_count(of->objects, labels->arity) > LABELS_MOST;
    if (!tell_labels(of, target, !closed || sampled, listener, context))
        return;
    random_stream random;
    random_start(&random, CENTRE_SEED, (uint64_t)target);
    for (int i = 0; i < LABELS_SAMPLED && sampled; i++) {
        int tuple[NLM_MAX_BREADTH];
        const bool is_true = labels->by_default == NLM_TRUE;
        for (int k = 0; k < labels->arity; k++)
            tuple[k] = (int)random_below(&random, (uint32_t)of->objects);
        if (!label_table_repeats(tuple, labels->arity) && !label_table_is_listed(labels, tuple) &&
            !listener(context, neighbourhood_side(of, target, tuple, is_true), tuple, is_true))
            return;
    }
}

/* ---- centres ---- */

/* What is being chosen: centres of one target and side. */
struct choice {
    struct neighbourhoods *of;
    const struct label_table *labels;
    int target, side;
    random_stream random;
    struct label_set used;
    int *order;             /* of the listed labels, at random */
    struct centre *list[3]; /* true; false and near; false and anywhere */
    int count[3];
};

enum { KIND_TRUE, KIND_NEAR, KIND_ANY, KINDS };

/* A labelled tuple of the side becomes a centre, unless it is one. */
static void choose(struct choice *in, int kind, const int *tuple, bool is_true)
{
    if (neighbourhood_side(in->of, in->target, tuple, is_true) != in->side ||
        !label_set_add(&in->used, label_table_number(in->labels, tuple)))
        return;
    struct centre *centre = &in->list[kind][in->count[kind]++];
    *centre = (struct centre){.target = in->target};
    memcpy(centre->tuple, tuple, (size_t)in->labels->arity * sizeof *tuple);
}

/* Of the labels that are listed. */
static void choose_listed(struct choice *in, int kind, int most)
{
    const struct label_table *labels = in->labels;
    const nlm_label wanted = kind == KIND_TRUE ? NLM_TRUE : NLM_FALSE;
    int tuple[NLM_MAX_BREADTH];
    for (size_t i = 0; i < labels->count && in->count[kind] < most; i++) {
        const struct listed_label *label = &labels->list[in->order[i]];
        if (label->label == wanted && nlm_tuple_at(in->of->objects, labels->arity, label->number, tuple))
            choose(in, kind, tuple, kind == KIND_TRUE);
    }
}

/* Of all tuples with the label: at random, or near a centre that is true. */
static void choose_any(struct choice *in, int kind, int most)
{
    const struct label_table *labels = in->labels;
    const nlm_label wanted = kind == KIND_TRUE ? NLM_TRUE : NLM_FALSE;
    const bool near = kind == KIND_NEAR && in->count[KIND_TRUE] > 0;
    int tuple[NLM_MAX_BREADTH] = {0};
    for (int try = 0; try < TRIES * most && in->count[kind] < most; try++) {
        for (int k = 0; k < labels->arity; k++)
            tuple[k] = (int)random_below(&in->random, (uint32_t)in->of->objects);
        if (near) {
            const uint32_t which = random_below(&in->random, (uint32_t)in->count[KIND_TRUE]);
            const uint32_t place = random_below(&in->random, (uint32_t)labels->arity);
            memcpy(tuple, in->list[KIND_TRUE][which].tuple, (size_t)labels->arity * sizeof *tuple);
            const int found = neighbourhood_ball(in->of, tuple, labels->arity, NEAR, in->of->objects);
            tuple[place] = in->of->found[random_below(&in->random, (uint32_t)found)];
        }
        if (!label_table_repeats(tuple, labels->arity) && label_table_find(labels, tuple) == wanted)
            choose(in, kind, tuple, kind == KIND_TRUE);
    }
}

/* Two true ones, a near false one and any false one, in turn, while there are such. */
static void deal_out(struct choice *in, struct centres *to)
{
    static const int turns[] = {KIND_TRUE, KIND_NEAR, KIND_TRUE, KIND_ANY};
    int next[KINDS] = {0}, left = in->count[0] + in->count[1] + in->count[2];
    for (int turn = 0; left > 0; turn = (turn + 1) % 4) {
        const int kind = turns[turn];
        if (next[kind] == in->count[kind])
            continue;
        to->list[to->count++] = in->list[kind][next[kind]++];
        left--;
    }
}

static nlm_status choose_centres(struct neighbourhoods *of, int target, int side, int quota, nlm_error *error)
{
    const struct label_table *labels = &of->labels[target];
    struct choice in = {.of = of, .labels = labels, .target = target, .side = side};
    random_start(&in.random, CENTRE_SEED, (uint64_t)(1 + target * SIDES + side) << 8);
    nlm_status status = label_set_init(&in.used, (size_t)quota, error);
    in.order = memory_new(labels->count + 1, sizeof *in.order);
    for (int kind = 0; kind < KINDS; kind++)
        if (!(in.list[kind] = memory_new((size_t)quota + LEAST_FALSE, sizeof **in.list)) && !status)
            status = error_no_memory(error);
    if (!in.order && !status)
        status = error_no_memory(error);
    if (!status) {
        for (size_t i = 0; i < labels->count; i++)
            in.order[i] = (int)i;
        random_shuffle(&in.random, in.order, (int)labels->count);
        choose_listed(&in, KIND_TRUE, quota / 2);
        if (labels->by_default == NLM_TRUE)
            choose_any(&in, KIND_TRUE, quota / 2);
        int most = quota / 4; /* of each kind of false ones */
        if (most > LEAST_FALSE && most > in.count[KIND_TRUE])
            most = in.count[KIND_TRUE] > LEAST_FALSE ? in.count[KIND_TRUE] : LEAST_FALSE;
        choose_any(&in, KIND_NEAR, most);
        if (labels->by_default == NLM_FALSE)
            choose_any(&in, KIND_ANY, most);
        choose_listed(&in, KIND_ANY, 2 * most - in.count[KIND_NEAR]);
        deal_out(&in, &of->side[side]);
    }
    for (int kind = 0; kind < KINDS; kind++)
        memory_free(in.list[kind]);
    memory_free(in.order);
    label_set_release(&in.used);
    return status;
}

nlm_status neighbourhood_choose_centres(struct neighbourhoods *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    const int targets = nlm_world_targets(of->world);
    for (int side = 0; side < SIDES && !status; side++) {
        const int all = side == SIDE_LEARNED ? CENTRES : EXAM_CENTRES;
        const int quota = all / targets > LEAST_CENTRES ? all / targets : LEAST_CENTRES;
        of->side[side].list =
            memory_new((size_t)(quota + LEAST_FALSE) * (size_t)targets * 2 + 1, sizeof *of->side[side].list);
        if (!of->side[side].list)
            return error_no_memory(error);
        if ((side == SIDE_HELD_OUT && of->settings.held_out <= 0) ||
            (side == SIDE_HIDDEN && of->settings.parts == 0))
            continue;
        for (int t = 0; t < targets && !status; t++)
            status = choose_centres(of, t, side, quota, error);
    }
    return status;
}

/* Objects of a ball: so many or fewer in RADIUS_FITS of the centres. */
static int ball_size(struct neighbourhoods *of, int radius)
{
    const struct centres *centres = &of->side[SIDE_LEARNED];
    int sizes[RADIUS_CENTRES], asked = 0;
    for (; asked < centres->count && asked < RADIUS_CENTRES; asked++) {
        const struct centre *centre = &centres->list[asked];
        sizes[asked] =
            neighbourhood_ball(of, centre->tuple, of->labels[centre->target].arity, radius, of->objects);
    }
    qsort(sizes, (size_t)asked, sizeof *sizes, by_number);
    return asked > 0 ? sizes[(int)(RADIUS_FITS * (asked - 1))] : 0;
}

/* The largest radius at which most balls fit, or 1. */
static int choose_radius(struct neighbourhoods *of)
{
    int radius = of->settings.reach;
    while (radius > 1 && ball_size(of, radius) > of->most)
        radius--;
    return radius > 1 ? radius : 1;
}

/* Room for most balls and for objects beside them, or for a sample where they are too large. */
static int choose_most(struct neighbourhoods *of)
{
    static const int sizes[] = {20, 30, 40, 60, 80, 120, 160};
    const double wanted = SPACE * ball_size(of, of->radius);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] >= wanted)
            return sizes[i];
    return USUAL_NEIGHBOURHOOD;
}

double neighbourhoods_connected(struct neighbourhoods *of)
{
    const struct centres *centres = &of->side[SIDE_LEARNED];
    int asked = 0, connected = 0;
    for (int c = 0; c < centres->count && asked < RADIUS_CENTRES; c++) {
        const struct centre *centre = &centres->list[c];
        const struct label_table *labels = &of->labels[centre->target];
        if (labels->arity < 2 || label_table_find(labels, centre->tuple) != NLM_TRUE)
            continue;
        /* balls around both ends meet, or have adjacent objects */
        neighbourhood_ball(of, centre->tuple, 1, 2 * of->radius + 1, of->objects);
        bool all = true;
        for (int k = 1; k < labels->arity; k++)
            all = all && of->met[centre->tuple[k]] == of->stamp;
        connected += all;
        asked++;
    }
    return asked > 0 ? (double)connected / asked : 1;
}

void neighbourhood_choose_size(struct neighbourhoods *of)
{
    const struct neighbourhood_settings *settings = &of->settings;
    of->most = settings->most > 0 ? settings->most : USUAL_NEIGHBOURHOOD;
    of->radius = settings->radius > 0 ? settings->radius : choose_radius(of);
    if (settings->most == 0)
        of->most = choose_most(of);
}
