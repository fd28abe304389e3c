/* Drawing of neighbourhoods: balls, cores, samples, and the world that comes of them. */
#include "learn/neighbourhood_parts.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/random.h"
#include "world/world.h"

enum { MOST_CORE = 16, MOST_CORE_TUPLES = 1500, CORE_TRIES = 24, STRANGER_TRIES = 4 };
#define GROWTH_STREAMS ((uint64_t)1 << 32)

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
    const int found = neighbourhood_ball(of, &object, 1, of->radius, of->most);
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
            const int found = neighbourhood_ball(of, &tuple[k], 1, step, of->objects);
            for (int i = 0; i < found; i++)
                distance[of->found[i]] = (unsigned char)step;
        }
    }
    const int found = neighbourhood_ball(of, tuple, arity, of->radius, of->objects);
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
        if (label == NLM_UNLABELLED ||
            neighbourhood_side(of, target, tuple, label == NLM_TRUE) != SIDE_LEARNED)
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
    for (int t = 0; t < targets && !status; t++)
        status = label_table_init(&of->labels[t], world, t, error);
    if (!status)
        status = neighbourhood_index(of, error);
    if (!status)
        status = neighbourhood_choose_centres(of, error);
    if (status) {
        neighbourhoods_free(of);
        return status;
    }
    neighbourhood_choose_size(of);
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
