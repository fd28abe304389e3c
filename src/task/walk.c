/* Walks: one step for a set of objects, or breadth first as far as there is a way. */
#include "task/walk.h"

enum { MAX_RELATIONS = 4 };

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

nlm_status walk_label_connected(nlm_world *world, int predicate, int length, int target, nlm_error *error)
{
    int objects = nlm_world_objects(world);
    relation facts;
    int *memory;
    nlm_status status = relations_read(world, &predicate, 1, &facts, 2 * (size_t)objects, &memory, error);
    if (status)
        return status;
    int *reached = memory, *seen = memory + objects;
    for (int x = 0; x < objects; x++) {
        int farthest, count = walk_reach(&facts, 1, x, length, reached, seen, &farthest);
        for (int i = 1; i < count; i++) {
            status = relation_label_pair(world, target, x, reached[i], error);
            if (status)
                return status;
        }
    }
    return NLM_OK;
}

nlm_status walk_longest(nlm_world *world, const int *predicates, int count, int *length, nlm_error *error)
{
    int objects = nlm_world_objects(world);
    relation relations[MAX_RELATIONS];
    int *memory;
    nlm_status status =
        relations_read(world, predicates, count, relations, 2 * (size_t)objects, &memory, error);
    if (status)
        return status;
    int *reached = memory, *seen = memory + objects;
    *length = 0;
    for (int x = 0; x < objects; x++) {
        int farthest;
        walk_reach(relations, (1u << count) - 1, x, objects, reached, seen, &farthest);
        *length = farthest > *length ? farthest : *length;
    }
    return NLM_OK;
}
