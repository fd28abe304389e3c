/* Lists of neighbours from the facts of a world, by a counting sort on the first object: linear in objects
 * and facts, so that oracles also serve large worlds.  Walks: one step for a set of objects, or breadth first
 * as far as there is a way. */
#include "task/oracle.h"

#include <limits.h>
#include <string.h>
#include "base/error.h"
#include "world/world.h"

static const float TRUE_ABOVE = 0.5f;

/* ---- reading ---- */

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

/* members[x] = whether the unary predicate is true of x. */
static void read_members(const nlm_world *world, int predicate, int *members)
{
    const int *objects;
    const float *values;
    size_t facts = nlm_world_facts(world, predicate, &objects, &values);
    memset(members, 0, (size_t)nlm_world_objects(world) * sizeof *members);
    for (size_t fact = 0; fact < facts; fact++)
        members[objects[fact]] = values[fact] > TRUE_ABOVE;
}

nlm_status oracle_read(oracle *o, const int *predicates, int count, bool pairs)
{
    size_t objects = (size_t)nlm_world_objects(o->world);
    size_t most = 0, total = 0, zeros = SPARE_ROWS * objects + (pairs ? 2 * objects * objects : 0);
    for (int k = 0; k < count; k++) {
        size_t facts = nlm_world_facts(o->world, predicates[k], NULL, NULL);
        if (facts > INT_MAX / 2)
            return error_set(o->error, NLM_NO_MEMORY, "%s/%d: too many facts to label the world (%zu)",
                             nlm_world_predicate_name(o->world, predicates[k]),
                             nlm_world_predicate_arity(o->world, predicates[k]), facts);
        total += facts + objects + 1;
        most = facts > most ? facts : most;
    }
    void *block;
    nlm_status status =
        world_scratch(o->world, (total + most + objects + 1 + zeros) * sizeof(int), &block, o->error);
    if (status)
        return status;
    o->objects = (int)objects;
    o->room = block; /* while facts are read: their order, and the last row of each object */
    int *next = o->room + most + objects + 1;
    for (int k = 0; k < count; k++) {
        if (nlm_world_predicate_arity(o->world, predicates[k]) == 1) {
            read_members(o->world, predicates[k], next);
            o->facts[k] = (relation){NULL, next};
            next += objects;
            continue;
        }
        int *starts = next, *items = starts + objects + 1;
        next = items + nlm_world_facts(o->world, predicates[k], NULL, NULL);
        sort_facts(o->world, predicates[k], starts, items, o->room, o->room + most);
        o->facts[k] = (relation){starts, items};
    }
    o->spare = memset(next, 0, zeros * sizeof(int));
    o->pairs = o->spare + SPARE_ROWS * objects;
    return NLM_OK;
}

bool relation_holds(const relation *facts, int x, int y)
{
    for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
        if (facts->items[at] == y)
            return true;
    return false;
}

bool relation_meets(const relation *facts, int x, const int *marked, int mark)
{
    for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
        if (marked[facts->items[at]] == mark)
            return true;
    return false;
}

relation oracle_reverse(const oracle *o, const relation *facts)
{
    int *starts = o->room, *items = o->room + o->objects + 1;
    memset(starts, 0, ((size_t)o->objects + 1) * sizeof *starts);
    for (int at = 0; at < facts->starts[o->objects]; at++)
        starts[facts->items[at]]++;
    for (int y = 0; y < o->objects; y++)
        starts[y + 1] += starts[y];
    /* Now starts[y] is where row y ends; it moves to where it begins. */
    for (int x = o->objects - 1; x >= 0; x--)
        for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
            items[--starts[facts->items[at]]] = x;
    return (relation){starts, items};
}

/* ---- walks ---- */

int walk_step(const relation *relations, unsigned which, const int *from, int from_count, int *to, int *seen,
              int stamp)
{
    int count = 0;
    for (int k = 0; which >> k; k++) {
        if (!(which >> k & 1u))
            continue;
        const relation *next = &relations[k];
        for (int i = 0; i < from_count; i++)
            for (int at = next->starts[from[i]]; at < next->starts[from[i] + 1]; at++) {
                int y = next->items[at];
                if (seen[y] != stamp)
                    to[count++] = y;
                seen[y] = stamp;
            }
    }
    return count;
}

int walk_reach(const relation *relations, unsigned which, int x, int length, int *reached, int *seen,
               int *farthest)
{
    int count = 1, done = 0, step = 0;
    reached[0] = x;
    seen[x] = x + 1;
    for (; step < length && done < count; step++) {
        const int end = count;
        count += walk_step(relations, which, reached + done, end - done, reached + end, seen, x + 1);
        done = end;
    }
    *farthest = done < count ? step : step - 1;
    return count;
}

nlm_status oracle_longest_walk(nlm_world *world, const int *predicates, int count, int *length,
                               nlm_error *error)
{
    oracle o = {.world = world, .error = error};
    nlm_status status = oracle_read(&o, predicates, count, false);
    *length = 0;
    for (int x = 0; x < o.objects && !status; x++) {
        int farthest;
        walk_reach(o.facts, (1u << count) - 1, x, o.objects, o.spare, o.spare + o.objects, &farthest);
        *length = farthest > *length ? farthest : *length;
    }
    return status;
}

/* ---- labels ---- */

nlm_status oracle_label(const oracle *o, int x, int y)
{
    const int tuple[] = {x, y};
    return nlm_world_add_label(o->world, o->target, tuple, NLM_TRUE, o->error);
}

nlm_status oracle_label_reached(const oracle *o, int x, const int *reached, int count)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++) {
        if (reached[i] == x)
            continue;
        status = oracle_label(o, x, reached[i]);
        if (o->arity == 1)
            break;
    }
    return status;
}

static nlm_status label_walks(const oracle *o, const relation *relations, unsigned which)
{
    const int length = o->parameter > 0 ? o->parameter : o->objects;
    int *reached = o->spare, *seen = o->spare + o->objects;
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++) {
        int farthest, count = walk_reach(relations, which, x, length, reached, seen, &farthest);
        status = oracle_label_reached(o, x, reached, count);
    }
    return status;
}

nlm_status oracle_label_connected(oracle *o)
{
    return label_walks(o, o->facts, o->along);
}

nlm_status oracle_label_linked(oracle *o)
{
    const relation links[] = {o->facts[0], oracle_reverse(o, &o->facts[0])};
    return label_walks(o, links, 3);
}
