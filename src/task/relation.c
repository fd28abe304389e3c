/* Lists of neighbours from the facts of a world, by a counting sort on the first object: linear in objects
 * and facts, so that oracles also serve large worlds. */
#include "task/relation.h"

#include <limits.h>
#include <string.h>
#include "base/error.h"
#include "world/world.h"

static const float TRUE_ABOVE = 0.5f;

/* Put the facts of one predicate into `starts` (objects + 1 ints) and `items` (one int per fact).  `order`
 * has room for one int per fact, `last_row` for one int per object. */
static void sort_facts(const nlm_world *world, int predicate, int *starts, int *items, int *order,
                       int *last_row)
{
    int objects = nlm_world_objects(world);
    const int *tuples;
    const float *values;
    int facts = (int)nlm_world_facts(world, predicate, &tuples, &values);

    memset(starts, 0, ((size_t)objects + 1) * sizeof *starts);
    for (int fact = 0; fact < facts; fact++)
        starts[tuples[2 * fact] + 1]++;
    for (int x = 0; x < objects; x++)
        starts[x + 1] += starts[x];
    for (int fact = facts - 1; fact >= 0; fact--)
        order[--starts[tuples[2 * fact] + 1]] = fact;
    /* Now starts[x + 1] is where row x begins; rows are squeezed together from the front. */

    for (int x = 0; x < objects; x++)
        last_row[x] = -1;
    int kept = 0;
    starts[0] = 0;
    for (int x = 0; x < objects; x++) {
        int begin = starts[x + 1];
        int end = x + 1 < objects ? starts[x + 2] : facts;
        /* From the last fact to the first: the last value of a repeated fact is the one that counts. */
        for (int at = end - 1; at >= begin; at--) {
            int y = tuples[2 * order[at] + 1];
            if (last_row[y] != x && values[order[at]] > TRUE_ABOVE)
                items[kept++] = y;
            last_row[y] = x;
        }
        starts[x + 1] = kept;
    }
}

nlm_status relations_read(nlm_world *world, const int *predicates, int count, relation *relations,
                          size_t spare_count, int **spare, nlm_error *error)
{
    size_t objects = (size_t)nlm_world_objects(world);
    size_t most = 0, total = 0;
    for (int k = 0; k < count; k++) {
        size_t facts = nlm_world_facts(world, predicates[k], NULL, NULL);
        if (facts > INT_MAX / 2)
            return error_set(error, NLM_NO_MEMORY, "%s/2: too many facts to label the world (%zu)",
                             nlm_world_predicate_name(world, predicates[k]), facts);
        total += facts + objects + 1;
        most = facts > most ? facts : most;
    }
    void *block;
    nlm_status status =
        world_scratch(world, (total + most + objects + spare_count) * sizeof(int), &block, error);
    if (status)
        return status;
    int *order = block;
    int *last_row = order + most;
    int *next = last_row + objects;
    for (int k = 0; k < count; k++) {
        int *starts = next;
        int *items = starts + objects + 1;
        next = items + nlm_world_facts(world, predicates[k], NULL, NULL);
        sort_facts(world, predicates[k], starts, items, order, last_row);
        relations[k] = (relation){starts, items};
    }
    *spare = memset(next, 0, spare_count * sizeof(int));
    return NLM_OK;
}

void relation_reverse(const relation *facts, int objects, int *memory, relation *back)
{
    int *starts = memory, *items = memory + objects + 1;
    memset(starts, 0, ((size_t)objects + 1) * sizeof *starts);
    for (int at = 0; at < facts->starts[objects]; at++)
        starts[facts->items[at]]++;
    for (int y = 0; y < objects; y++)
        starts[y + 1] += starts[y];
    /* Now starts[y] is where row y ends; it moves to where it begins. */
    for (int x = objects - 1; x >= 0; x--)
        for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
            items[--starts[facts->items[at]]] = x;
    *back = (relation){starts, items};
}

void relation_read_set(const nlm_world *world, int predicate, int *members)
{
    const int *objects;
    const float *values;
    size_t facts = nlm_world_facts(world, predicate, &objects, &values);
    for (size_t fact = 0; fact < facts; fact++)
        members[objects[fact]] = values[fact] > TRUE_ABOVE;
}

nlm_status relation_label(nlm_world *world, int target, int x, nlm_error *error)
{
    return nlm_world_add_label(world, target, &x, NLM_TRUE, error);
}

nlm_status relation_label_pair(nlm_world *world, int target, int x, int y, nlm_error *error)
{
    int tuple[2] = {x, y};
    return nlm_world_add_label(world, target, tuple, NLM_TRUE, error);
}
