/* Numbering tuples: binomial tables, ranking and walking. */
#include "world/tuples.h"

#include <stdint.h>
#include <string.h>
#include "base/error.h"
#include "base/orders.h"

enum { ARITIES = NLM_MAX_BREADTH + 1 };

void tuples_free(struct tuples *tuples)
{
    buffer_free(&tuples->objects);
    buffer_free(&tuples->offsets);
    buffer_free(&tuples->choose);
}

void tuples_clear(struct tuples *tuples)
{
    tuples->worlds = 0;
}

static size_t capped_sum(size_t a, size_t b)
{
    return a + b > TUPLES_TOO_MANY ? TUPLES_TOO_MANY : a + b;
}

/* Pascal's triangle up to C(objects, NLM_MAX_BREADTH). */
static nlm_status reserve_choose(struct tuples *tuples, int objects)
{
    if (tuples->choose.data && objects <= tuples->most_objects)
        return NLM_OK;
    size_t columns = (size_t)objects + 1;
    if (buffer_reserve(&tuples->choose, columns * ARITIES, sizeof(size_t), false))
        return NLM_NO_MEMORY;
    size_t *choose = tuples->choose.data;
    for (size_t k = 0; k < ARITIES; k++)
        for (size_t n = 0; n < columns; n++) {
            size_t *cell = choose + k * columns + n;
            if (k == 0)
                *cell = 1;
            else
                *cell = n == 0 ? 0 : capped_sum(cell[-1], choose[(k - 1) * columns + n - 1]);
        }
    tuples->most_objects = objects;
    return NLM_OK;
}

nlm_status tuples_add_world(struct tuples *tuples, int objects, nlm_error *error)
{
    if (objects < 1 || objects > 1000000)
        return error_set(error, NLM_BAD_ARGUMENT, "a world of %d objects: 1 to 1000000 are possible",
                         objects);
    size_t worlds = (size_t)tuples->worlds;
    if (reserve_choose(tuples, objects) || buffer_reserve(&tuples->objects, worlds + 1, sizeof(int), true) ||
        buffer_reserve(&tuples->offsets, (worlds + 2) * ARITIES, sizeof(size_t), true))
        return error_no_memory(error);
    size_t *offset = (size_t *)tuples->offsets.data + worlds * ARITIES;
    for (int r = 0; r < ARITIES; r++) {
        if (worlds == 0)
            offset[r] = 0;
        offset[ARITIES + r] = capped_sum(offset[r], tuples_choose(tuples, r)[objects]);
    }
    ((int *)tuples->objects.data)[worlds] = objects;
    tuples->worlds++;
    return NLM_OK;
}

nlm_status tuples_copy(struct tuples *copy, const struct tuples *tuples)
{
    size_t worlds = (size_t)tuples->worlds;
    copy->worlds = 0;
    if (reserve_choose(copy, tuples->most_objects) ||
        buffer_reserve(&copy->objects, worlds, sizeof(int), false) ||
        buffer_reserve(&copy->offsets, (worlds + 1) * ARITIES, sizeof(size_t), false))
        return NLM_NO_MEMORY;
    if (worlds) {
        memcpy(copy->objects.data, tuples->objects.data, worlds * sizeof(int));
        memcpy(copy->offsets.data, tuples->offsets.data, (worlds + 1) * ARITIES * sizeof(size_t));
    }
    copy->worlds = tuples->worlds;
    return NLM_OK;
}

/* ---- tuples by number ---- */

size_t nlm_tuple_count(int objects, int arity)
{
    size_t count = 1;
    for (int k = 0; k < arity; k++)
        if (!memory_multiply(count, (size_t)objects, &count))
            return SIZE_MAX;
    return count;
}

size_t nlm_tuple_number(int objects, int arity, const int *tuple)
{
    size_t number = 0;
    for (int k = 0; k < arity; k++)
        number = number * (size_t)objects + (size_t)tuple[k];
    return number;
}

bool nlm_tuple_at(int objects, int arity, size_t number, int *tuple)
{
    for (int k = arity - 1; k >= 0; k--) {
        tuple[k] = (int)(number % (size_t)objects);
        number /= (size_t)objects;
        for (int later = k + 1; later < arity; later++)
            if (tuple[later] == tuple[k])
                return false;
    }
    return true;
}

/* ---- sorted tuples of a batch ---- */

size_t tuples_find(const struct tuples *tuples, int world, const int *tuple, int arity, int *order)
{
    int sorted[NLM_MAX_BREADTH];
    uint8_t places[NLM_MAX_BREADTH] = {0};
    for (int k = 0; k < arity; k++) {
        int smaller = 0;
        for (int l = 0; l < arity; l++)
            smaller += tuple[l] < tuple[k];
        places[k] = (uint8_t)smaller;
        sorted[smaller] = tuple[k];
    }
    *order = orders_number(places, arity);
    return tuples_index(tuples, world, sorted, arity);
}

/* Length of the run that begins at the walk's tuple. */
static void measure_run(struct tuple_walk *walk)
{
    const int *x = walk->x;
    if (walk->arity == 0)
        walk->run = 1;
    else if (walk->arity == 1)
        walk->run = (size_t)(tuples_objects(walk->tuples, walk->world) - x[0]);
    else
        walk->run = (size_t)(x[1] - x[0]);
    INVARIANT(walk->run > 0);
}

/* The first tuple of the next world that has one. */
static void enter_world(struct tuple_walk *walk, int world)
{
    const struct tuples *tuples = walk->tuples;
    while (world < tuples->worlds && tuples_objects(tuples, world) < walk->arity)
        world++;
    walk->world = world;
    walk->run = 0;
    if (world == tuples->worlds)
        return;
    for (int k = 0; k < walk->arity; k++)
        walk->x[k] = k;
    measure_run(walk);
}

struct tuple_walk tuple_walk_start(const struct tuples *tuples, int arity, size_t index)
{
    struct tuple_walk walk = {.tuples = tuples, .arity = arity, .index = index};
    int world = 0;
    while (world < tuples->worlds && tuples_offset(tuples, world + 1, arity) <= index)
        world++;
    enter_world(&walk, world);
    if (!walk.run)
        return walk;
    size_t rank = index - tuples_offset(tuples, walk.world, arity);
    int above = tuples_objects(tuples, walk.world);
    for (int k = arity - 1; k >= 0; k--) { /* the largest x with C(x, k+1) <= rank, by bisection */
        const size_t *choose = tuples_choose(tuples, k + 1);
        int low = k, high = above;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (choose[middle] <= rank)
                low = middle;
            else
                high = middle;
        }
        walk.x[k] = above = low;
        rank -= choose[low];
    }
    INVARIANT(tuples_index(tuples, walk.world, walk.x, arity) == walk.index);
    measure_run(&walk);
    return walk;
}

void tuple_walk_next_run(struct tuple_walk *walk)
{
    int objects = tuples_objects(walk->tuples, walk->world);
    walk->index += walk->run;
    for (int k = 1; k < walk->arity; k++) {
        int limit = k + 1 < walk->arity ? walk->x[k + 1] : objects;
        if (walk->x[k] + 1 < limit) {
            walk->x[k]++;
            for (int l = 0; l < k; l++)
                walk->x[l] = l;
            INVARIANT(tuples_index(walk->tuples, walk->world, walk->x, walk->arity) == walk->index);
            measure_run(walk);
            return;
        }
    }
    enter_world(walk, walk->world + 1);
}
