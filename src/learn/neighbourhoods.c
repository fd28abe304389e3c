/* Memory: the graph of the facts as lists of adjacent objects, facts by their first object, labels in the
 * order of their tuples' numbers, and the centres.  A neighbourhood itself is made when it is asked for.
 *
 * Centres of a target, as far as there are so many: half of them true, a quarter false and near, a quarter
 * false and anywhere.  Near is a true tuple with one object exchanged for another within NEAR steps of it:
 * most tuples are false for no interesting reason, and these are the hard ones. */
#include "learn/neighbourhoods.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "learn/label_table.h"
#include "world/world.h"

enum {
    CENTRES = 1000, /* to learn from, of all targets together */
    EXAM_CENTRES = 200,
    LEAST_CENTRES = 40, /* of a target and side */
    LEAST_FALSE = 50,   /* where few are true */
    NEAR = 2,
    TRIES = 50, /* for each centre */
    MOST_CORE = 16,
    MOST_CORE_TUPLES = 1500,
    CORE_TRIES = 24,
    STRANGER_TRIES = 4,
    RADIUS_CENTRES = 64 /* that the radius is chosen by */
};
#define RADIUS_FITS 0.75 /* share of balls that must fit */
#define SPACE 1.6        /* times as many objects in a neighbourhood as in a ball */
#define CENTRE_SEED 0x9d2c5680b1e7f4a3u
#define GROWTH_STREAMS ((uint64_t)1 << 32)

struct centre {
    int target;
    int tuple[NLM_MAX_BREADTH];
};

struct centres {
    struct centre *list;
    int count;
};

/* Objects by object. */
struct graph {
    size_t *first; /* [objects + 1], into */
    int *other;
};

struct neighbourhoods {
    const nlm_world *world;
    struct neighbourhood_settings settings;
    int objects, radius, most;
    struct graph adjacent, partners; /* in a fact; in a label that is true */
    size_t **fact_first;             /* of each predicate: [objects + 1], into */
    size_t **fact;                   /* numbers of facts by their first object */
    size_t **number_first, **number; /* of each attribute, likewise */
    struct label_table *labels;      /* of each target */
    struct centres side[SIDES];
    buffer named; /* struct centre */
    int names;
    /* scratch: stamps say in which search an object was met */
    int *met, stamp;
    int *found;              /* objects of the last search, nearest first */
    int *place;              /* in the world that is drawn, or -1 */
    int *chosen, count;      /* its objects */
    unsigned char *distance; /* [NLM_MAX_BREADTH][objects] */
    struct ranked *ranked;
};

/* An object of a ball that is sampled. */
struct ranked {
    int sum, least; /* of the distances from the centre's objects */
    uint32_t random;
    int object;
};

/* ---- the graph ---- */

/* Counts become places: first[i] is where the entries of i begin. */
static void begin_lists(size_t *first, int count)
{
    size_t sum = 0;
    for (int i = 0; i <= count; i++) {
        const size_t own = i < count ? first[i] : 0;
        first[i] = sum;
        sum += own;
    }
}

/* Filling in moved each beginning to that of the next list. */
static void end_lists(size_t *first, int count)
{
    for (int i = count; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

/* Facts or numbers by the first object. */
static nlm_status list_by_first(const int *tuples, size_t count, int arity, int objects, size_t **first,
                                size_t **list, nlm_error *error)
{
    *first = memory_new((size_t)objects + 2, sizeof **first);
    *list = memory_new(count + 1, sizeof **list);
    if (!*first || !*list)
        return error_no_memory(error);
    for (size_t f = 0; f < count && arity > 0; f++)
        (*first)[tuples[f * (size_t)arity]]++;
    begin_lists(*first, objects);
    for (size_t f = 0; f < count && arity > 0; f++)
        (*list)[(*first)[tuples[f * (size_t)arity]]++] = f;
    end_lists(*first, objects);
    return NLM_OK;
}

/* Every two objects of a tuple, in both directions: counted while there is no room for them. */
static void add_pairs(struct graph *graph, const int *tuple, int arity)
{
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < arity; k++)
            if (i != k && graph->other)
                graph->other[graph->first[tuple[i]]++] = tuple[k];
            else if (i != k)
                graph->first[tuple[i]]++;
}

/* Pairs of objects that a fact is about. */
static void add_facts_to(const struct neighbourhoods *of, struct graph *graph)
{
    for (int p = 0; p < nlm_world_predicates(of->world); p++) {
        const int *tuples, arity = nlm_world_predicate_arity(of->world, p);
        const size_t count = nlm_world_facts(of->world, p, &tuples, NULL);
        for (size_t f = 0; f < count; f++)
            add_pairs(graph, tuples + f * (size_t)arity, arity);
    }
}

/* Pairs of objects that a label that is true is about. */
static void add_labels_to(const struct neighbourhoods *of, struct graph *graph)
{
    for (int t = 0; t < nlm_world_targets(of->world); t++) {
        const struct label_table *labels = &of->labels[t];
        int tuple[NLM_MAX_BREADTH];
        for (size_t i = 0; i < labels->count; i++)
            if (labels->list[i].label == NLM_TRUE &&
                nlm_tuple_at(of->objects, labels->arity, labels->list[i].number, tuple))
                add_pairs(graph, tuple, labels->arity);
    }
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Each object once in a list. */
static void drop_repeated(const struct neighbourhoods *of, struct graph *graph)
{
    size_t kept = 0, begin = 0;
    for (int o = 0; o < of->objects; o++) {
        const size_t end = graph->first[o + 1];
        qsort(graph->other + begin, end - begin, sizeof *graph->other, by_number);
        graph->first[o] = kept;
        for (size_t i = begin; i < end; i++)
            if (i == begin || graph->other[i] != graph->other[i - 1])
                graph->other[kept++] = graph->other[i];
        begin = end;
    }
    graph->first[of->objects] = kept;
}

/* `add` is asked twice: to count, and to fill in. */
static nlm_status make_graph(const struct neighbourhoods *of, struct graph *graph,
                             void (*add)(const struct neighbourhoods *of, struct graph *graph),
                             nlm_error *error)
{
    graph->first = memory_new((size_t)of->objects + 2, sizeof *graph->first);
    if (!graph->first)
        return error_no_memory(error);
    add(of, graph);
    begin_lists(graph->first, of->objects);
    graph->other = memory_new(graph->first[of->objects] + 1, sizeof *graph->other);
    if (!graph->other)
        return error_no_memory(error);
    add(of, graph);
    end_lists(graph->first, of->objects);
    drop_repeated(of, graph);
    return NLM_OK;
}

static nlm_status make_lists(struct neighbourhoods *of, nlm_error *error)
{
    const int predicates = nlm_world_predicates(of->world), attributes = nlm_world_attributes(of->world);
    of->fact_first = memory_new((size_t)predicates + 1, sizeof *of->fact_first);
    of->fact = memory_new((size_t)predicates + 1, sizeof *of->fact);
    of->number_first = memory_new((size_t)attributes + 1, sizeof *of->number_first);
    of->number = memory_new((size_t)attributes + 1, sizeof *of->number);
    if (!of->fact_first || !of->fact || !of->number_first || !of->number)
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    const int *tuples;
    for (int p = 0; p < predicates && !status; p++) {
        const size_t count = nlm_world_facts(of->world, p, &tuples, NULL);
        status = list_by_first(tuples, count, nlm_world_predicate_arity(of->world, p), of->objects,
                               &of->fact_first[p], &of->fact[p], error);
    }
    for (int a = 0; a < attributes && !status; a++) {
        const size_t count = nlm_world_numbers(of->world, a, &tuples, NULL);
        status = list_by_first(tuples, count, nlm_world_attribute_arity(of->world, a), of->objects,
                               &of->number_first[a], &of->number[a], error);
    }
    return status;
}

/* Objects within `radius` steps of the given ones into of->found, nearest first; ends at more than `most`. */
static int find_ball(struct neighbourhoods *of, const int *from, int count, int radius, int most)
{
    int found = 0, layer_end;
    of->stamp++;
    for (int i = 0; i < count; i++)
        if (of->met[from[i]] != of->stamp) {
            of->met[from[i]] = of->stamp;
            of->found[found++] = from[i];
        }
    for (int step = 0, next = 0; step < radius && next < found; step++)
        for (layer_end = found; next < layer_end; next++) {
            const int object = of->found[next];
            for (size_t i = of->adjacent.first[object]; i < of->adjacent.first[object + 1]; i++) {
                const int other = of->adjacent.other[i];
                if (of->met[other] == of->stamp)
                    continue;
                if (found > most)
                    return found;
                of->met[other] = of->stamp;
                of->found[found++] = other;
            }
        }
    return found;
}

/* ---- sides ---- */

/* A number that is as good as random, of a target and a tuple. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int side_of(const struct neighbourhoods *of, int target, const int *tuple, bool is_true)
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
        if (!listener(context, side_of(of, target, tuple, label == NLM_TRUE), tuple, label == NLM_TRUE))
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
            !listener(context, side_of(of, target, tuple, is_true), tuple, is_true))
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
    if (side_of(in->of, in->target, tuple, is_true) != in->side ||
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
            const int found = find_ball(in->of, tuple, labels->arity, NEAR, in->of->objects);
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

static nlm_status make_centres(struct neighbourhoods *of, nlm_error *error)
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
        sizes[asked] = find_ball(of, centre->tuple, of->labels[centre->target].arity, radius, of->objects);
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
        find_ball(of, centre->tuple, 1, 2 * of->radius + 1, of->objects);
        bool all = true;
        for (int k = 1; k < labels->arity; k++)
            all = all && of->met[centre->tuple[k]] == of->stamp;
        connected += all;
        asked++;
    }
    return asked > 0 ? (double)connected / asked : 1;
}

/* ---- drawing ---- */

static void take(struct neighbourhoods *of, int object)
{
    if (of->place[object] < 0) {
        of->place[object] = of->count;
        of->chosen[of->count++] = object;
    }
}

/* The ball of an object, if there is room for all of it. */
static bool take_ball(struct neighbourhoods *of, int object)
{
    const int found = find_ball(of, &object, 1, of->radius, of->most);
    int fresh = 0;
    if (found > of->most)
        return false;
    for (int i = 0; i < found; i++)
        fresh += of->place[of->found[i]] < 0;
    if (of->count + fresh > of->most)
        return false;
    for (int i = 0; i < found; i++)
        take(of, of->found[i]);
    return true;
}

static bool is_in(const int *list, int count, int object)
{
    for (int i = 0; i < count; i++)
        if (list[i] == object)
            return true;
    return false;
}

/* An object that may join the core: in turn one that makes a true label with an object of the core, and one
 * next to it; -1 if there is none. */
static int draw_candidate(const struct neighbourhoods *of, const int *core, int count, int try,
                          random_stream *random)
{
    const struct graph *graph = try % 2 ? &of->adjacent : &of->partners;
    const int from = core[random_below(random, (uint32_t)count)];
    const size_t others = graph->first[from + 1] - graph->first[from];
    return others > 0 ? graph->other[graph->first[from] + random_below(random, (uint32_t)others)] : -1;
}

/* More objects whose balls fit: in every second neighbourhood one from anywhere, so that rules about any
 * objects, near or not, meet such; then objects that have true labels, and that are near. */
static int grow_core(struct neighbourhoods *of, int *core, int count, int most, int number)
{
    random_stream random;
    random_start(&random, CENTRE_SEED, GROWTH_STREAMS + (uint64_t)number);
    for (int try = 0; try < STRANGER_TRIES && number % 2 && count < most; try++) {
        const int object = (int)random_below(&random, (uint32_t)of->objects);
        if (of->place[object] < 0 && take_ball(of, object)) {
            core[count++] = object;
            break;
        }
    }
    for (int try = 0; try < CORE_TRIES && count < most; try++) {
        const int object = draw_candidate(of, core, count, try, &random);
        if (object >= 0 && !is_in(core, count, object) && take_ball(of, object))
            core[count++] = object;
    }
    return count;
}

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    if (x->least != y->least)
        return x->least < y->least ? -1 : 1;
    if (x->random != y->random)
        return x->random < y->random ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

/* Of a ball that does not fit, what is nearest to all objects of the centre: what connects them first. */
static void sample_ball(struct neighbourhoods *of, const int *tuple, int arity, int number)
{
    const int far = of->radius + 1;
    const size_t objects = (size_t)of->objects;
    random_stream random;
    random_start(&random, CENTRE_SEED, GROWTH_STREAMS + (uint64_t)number);
    for (int k = 0; k < arity; k++) {
        unsigned char *distance = of->distance + (size_t)k * objects;
        memset(distance, far, objects);
        for (int step = of->radius; step >= 0; step--) { /* of each step, those within it */
            const int found = find_ball(of, &tuple[k], 1, step, of->objects);
            for (int i = 0; i < found; i++)
                distance[of->found[i]] = (unsigned char)step;
        }
    }
    const int found = find_ball(of, tuple, arity, of->radius, of->objects);
    for (int i = 0; i < found; i++) {
        struct ranked *r = &of->ranked[i];
        *r = (struct ranked){.least = far, .random = random_u32(&random), .object = of->found[i]};
        for (int k = 0; k < arity; k++) {
            const int distance = of->distance[(size_t)k * objects + (size_t)r->object];
            r->sum += distance;
            r->least = distance < r->least ? distance : r->least;
        }
    }
    qsort(of->ranked, (size_t)found, sizeof *of->ranked, by_rank);
    for (int k = 0; k < arity; k++)
        take(of, tuple[k]);
    for (int i = 0; i < found && of->count < of->most; i++)
        take(of, of->ranked[i].object);
}

/* ---- the world ---- */

/* The tuple in the numbers of the world that is drawn; false if an object is not in it. */
static bool translate(const struct neighbourhoods *of, const int *tuple, int arity, int *own)
{
    for (int k = 0; k < arity; k++)
        if ((own[k] = of->place[tuple[k]]) < 0)
            return false;
    return true;
}

/* Facts of one predicate, in the order of the objects; of no objects, all. */
static nlm_status add_facts(const struct neighbourhoods *of, int p, nlm_world *into, nlm_error *error)
{
    const int *tuples, arity = nlm_world_predicate_arity(of->world, p);
    const float *values;
    const size_t count = nlm_world_facts(of->world, p, &tuples, &values);
    int own[NLM_MAX_BREADTH] = {0};
    nlm_status status =
        nlm_world_add_predicate(into, nlm_world_predicate_name(of->world, p), arity, NULL, error);
    for (size_t f = 0; f < count && arity == 0 && !status; f++)
        status = nlm_world_add_fact(into, p, own, values[f], error);
    for (int i = 0; i < of->count && arity > 0 && !status; i++) {
        const size_t *first = of->fact_first[p] + of->chosen[i];
        for (size_t at = first[0]; at < first[1] && !status; at++) {
            const size_t f = of->fact[p][at];
            if (translate(of, tuples + f * (size_t)arity, arity, own))
                status = nlm_world_add_fact(into, p, own, values[f], error);
        }
    }
    return status;
}

static nlm_status add_numbers(const struct neighbourhoods *of, int a, nlm_world *into, nlm_error *error)
{
    const int *tuples, arity = nlm_world_attribute_arity(of->world, a);
    const double *numbers;
    const size_t count = nlm_world_numbers(of->world, a, &tuples, &numbers);
    int own[NLM_MAX_BREADTH] = {0};
    nlm_status status =
        nlm_world_add_attribute(into, nlm_world_attribute_name(of->world, a), arity, NULL, error);
    for (size_t f = 0; f < count && arity == 0 && !status; f++)
        status = nlm_world_add_number(into, a, own, numbers[f], error);
    for (int i = 0; i < of->count && arity > 0 && !status; i++) {
        const size_t *first = of->number_first[a] + of->chosen[i];
        for (size_t at = first[0]; at < first[1] && !status; at++) {
            const size_t f = of->number[a][at];
            if (translate(of, tuples + f * (size_t)arity, arity, own))
                status = nlm_world_add_number(into, a, own, numbers[f], error);
        }
    }
    return status;
}

/* Labels to learn from, of all tuples over the core. */
static nlm_status add_core_labels(const struct neighbourhoods *of, int target, const int *core, int count,
                                  nlm_world *into, nlm_error *error)
{
    const struct label_table *labels = &of->labels[target];
    const size_t tuples = nlm_tuple_count(count, labels->arity);
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < tuples && !status; i++) {
        int tuple[NLM_MAX_BREADTH], own[NLM_MAX_BREADTH];
        if (!nlm_tuple_at(count, labels->arity, i, tuple))
            continue;
        for (int k = 0; k < labels->arity; k++)
            tuple[k] = core[tuple[k]];
        const nlm_label label = label_table_find(labels, tuple);
        if (label == NLM_UNLABELLED || side_of(of, target, tuple, label == NLM_TRUE) != SIDE_LEARNED)
            continue;
        translate(of, tuple, labels->arity, own);
        status = nlm_world_add_label(into, target, own, label, error);
    }
    return status;
}

static nlm_status add_world(const struct neighbourhoods *of, nlm_world *into, nlm_error *error)
{
    nlm_status status = NLM_OK;
    nlm_world_clear(into);
    for (int i = 0; i < of->count && !status; i++)
        status = nlm_world_add_object(into, nlm_world_object_name(of->world, of->chosen[i]), NULL, error);
    for (int p = 0; p < nlm_world_predicates(of->world) && !status; p++)
        status = add_facts(of, p, into, error);
    for (int a = 0; a < nlm_world_attributes(of->world) && !status; a++)
        status = add_numbers(of, a, into, error);
    for (int t = 0; t < nlm_world_targets(of->world) && !status; t++)
        status = nlm_world_add_target(into, nlm_world_target_name(of->world, t), of->labels[t].arity,
                                      NLM_UNLABELLED, NULL, error);
    return status;
}

/* Objects of a core, so that its tuples are not too many for any target. */
static int core_of(const struct neighbourhoods *of)
{
    int most = MOST_CORE;
    for (int t = 0; t < nlm_world_targets(of->world); t++)
        while (nlm_tuple_count(most, of->labels[t].arity) > MOST_CORE_TUPLES)
            most--;
    return most;
}

nlm_status neighbourhoods_draw(struct neighbourhoods *of, int side, int number, nlm_world *into,
                               nlm_error *error)
{
    const struct centre *centre = side == SIDE_NAMED
                                      ? (struct centre *)of->named.data + number
                                      : &of->side[side == SIDE_ALONE ? SIDE_LEARNED : side].list[number];
    const int arity = of->labels[centre->target].arity;
    int core[MOST_CORE + NLM_MAX_BREADTH], count = arity;
    memcpy(core, centre->tuple, (size_t)arity * sizeof *core);
    of->count = 0;
    const bool labels_core = side == SIDE_LEARNED || side == SIDE_NAMED;
    bool whole = true;
    for (int k = 0; k < arity && whole; k++)
        whole = take_ball(of, core[k]);
    if (!whole) {
        for (int i = 0; i < of->count; i++)
            of->place[of->chosen[i]] = -1;
        of->count = 0;
        sample_ball(of, centre->tuple, arity, number);
    } else if (labels_core) {
        count = grow_core(of, core, count, core_of(of), number);
    }
    nlm_status status = add_world(of, into, error);
    if (whole && labels_core) {
        for (int t = 0; t < nlm_world_targets(of->world) && !status; t++)
            status = add_core_labels(of, t, core, count, into, error);
    } else if (!status) {
        int own[NLM_MAX_BREADTH];
        translate(of, centre->tuple, arity, own);
        status = nlm_world_add_label(into, centre->target, own,
                                     label_table_find(&of->labels[centre->target], centre->tuple), error);
    }
    for (int i = 0; i < of->count; i++)
        of->place[of->chosen[i]] = -1;
    return status;
}

/* ---- life ---- */

static nlm_status make_scratch(struct neighbourhoods *of, nlm_error *error)
{
    const size_t objects = (size_t)of->objects + 1;
    of->met = memory_new(objects, sizeof *of->met);
    of->found = memory_new(objects + 1, sizeof *of->found);
    of->place = memory_new(objects, sizeof *of->place);
    of->chosen = memory_new(objects, sizeof *of->chosen);
    of->distance = memory_new(objects, NLM_MAX_BREADTH);
    of->ranked = memory_new(objects, sizeof *of->ranked);
    if (!of->met || !of->found || !of->place || !of->chosen || !of->distance || !of->ranked)
        return error_no_memory(error);
    for (int i = 0; i < of->objects; i++)
        of->place[i] = -1;
    return NLM_OK;
}

nlm_status neighbourhoods_new(const nlm_world *world, const struct neighbourhood_settings *settings,
                              struct neighbourhoods **made, nlm_error *error)
{
    struct neighbourhoods *of = memory_new(1, sizeof *of);
    *made = NULL;
    if (!of)
        return error_no_memory(error);
    of->world = world;
    of->settings = *settings;
    of->objects = nlm_world_objects(world);
    const int targets = nlm_world_targets(world);
    of->labels = memory_new((size_t)targets + 1, sizeof *of->labels);
    nlm_status status = of->labels ? make_scratch(of, error) : error_no_memory(error);
    if (!status)
        status = make_lists(of, error);
    for (int t = 0; t < targets && !status; t++)
        status = label_table_init(&of->labels[t], world, t, error);
    if (!status)
        status = make_graph(of, &of->adjacent, add_facts_to, error);
    if (!status)
        status = make_graph(of, &of->partners, add_labels_to, error);
    if (!status)
        status = make_centres(of, error);
    if (status) {
        neighbourhoods_free(of);
        return status;
    }
    of->most = settings->most > 0 ? settings->most : USUAL_NEIGHBOURHOOD;
    of->radius = settings->radius > 0 ? settings->radius : choose_radius(of);
    if (settings->most == 0)
        of->most = choose_most(of);
    *made = of;
    return NLM_OK;
}

static void free_lists(size_t **lists, int count)
{
    for (int i = 0; i < count && lists; i++)
        memory_free(lists[i]);
    memory_free(lists);
}

void neighbourhoods_free(struct neighbourhoods *of)
{
    if (!of)
        return;
    free_lists(of->fact_first, nlm_world_predicates(of->world));
    free_lists(of->fact, nlm_world_predicates(of->world));
    free_lists(of->number_first, nlm_world_attributes(of->world));
    free_lists(of->number, nlm_world_attributes(of->world));
    for (int t = 0; t < nlm_world_targets(of->world) && of->labels; t++)
        label_table_release(&of->labels[t]);
    for (int side = 0; side < SIDES; side++)
        memory_free(of->side[side].list);
    buffer_free(&of->named);
    memory_free(of->labels);
    memory_free(of->adjacent.first);
    memory_free(of->adjacent.other);
    memory_free(of->partners.first);
    memory_free(of->partners.other);
    memory_free(of->met);
    memory_free(of->found);
    memory_free(of->place);
    memory_free(of->chosen);
    memory_free(of->distance);
    memory_free(of->ranked);
    memory_free(of);
}

nlm_status neighbourhoods_name(struct neighbourhoods *of, int target, const int *tuple, int *number,
                               nlm_error *error)
{
    if (buffer_reserve(&of->named, (size_t)of->names + 1, sizeof(struct centre), true))
        return error_no_memory(error);
    struct centre *centre = (struct centre *)of->named.data + of->names;
    *centre = (struct centre){.target = target};
    memcpy(centre->tuple, tuple, (size_t)of->labels[target].arity * sizeof *tuple);
    *number = of->names++;
    return NLM_OK;
}

/* A label about no object is about the whole world. */
int neighbourhood_usual(const nlm_problem *problem)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    if (nlm_problem_worlds(problem) != 1 || nlm_world_objects(nlm_problem_world(problem, 0)) <= LARGE_WORLD)
        return 0;
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        if (nlm_signature_target(signature, t)->objects == 0)
            return 0;
    return USUAL_NEIGHBOURHOOD;
}

int neighbourhoods_most(const struct neighbourhoods *of)
{
    return of->most;
}

int neighbourhoods_radius(const struct neighbourhoods *of)
{
    return of->radius;
}

int neighbourhoods_count(const struct neighbourhoods *of, int side)
{
    return of->side[side].count;
}
