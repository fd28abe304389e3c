/* Lists: two generators, and oracles that go along.
 *
 * The oracles read the world's facts and nothing else.  What they label is the least model of
 *
 *     member(X,Y) :- value(Y,X).             member(X,Y) :- cons(Y,Z), member(X,Z).
 *     length(X,Y) :- zero(X), zero(Y).       length(X,Y) :- cons(X,Z), one_more(Z,Y).
 *                                            one_more(X,Y) :- length(X,Z), succ(Z,Y).
 */
#include "task/ilp_lists.h"

#include "task/relation.h"
#include "task/walk.h"

/* ---- generators ---- */

enum { MOST_MEASURED_VALUES = 3 };

/* Objects are numbered in this order: the empty list, the values, the nodes of both lists.  Lists that are
 * measured have the number 0 in its place, among their values, and end in an object after the nodes. */
typedef struct list_sizes {
    int values; /* they begin at 1 */
    int first_node, nodes;
    int nil;
} list_sizes;

static list_sizes plain_sizes(int objects)
{
    int values = objects < 3 ? 0 : (objects + 1) / 4;
    return (list_sizes){values, 1 + values, objects - 1 - values, 0};
}

static list_sizes measured_sizes(int objects)
{
    int nodes = objects > 1 ? (objects - 1) / 2 : 0, numbers = objects > 1 ? objects - 1 - nodes : objects;
    int values = numbers - 1 < MOST_MEASURED_VALUES ? numbers - 1 : MOST_MEASURED_VALUES;
    return (list_sizes){values, numbers, nodes, objects - 1};
}

nlm_status ilp_lists_add_objects(nlm_world *world, int objects, nlm_error *error)
{
    list_sizes sizes = plain_sizes(objects);
    nlm_status status = nlm_world_add_object(world, "nil", NULL, error);
    if (!status)
        status = nlm_world_add_objects(world, "value", sizes.values, error);
    return status ? status : nlm_world_add_objects(world, "node", sizes.nodes, error);
}

nlm_status ilp_lists_add_measured(nlm_world *world, int objects, nlm_error *error)
{
    list_sizes sizes = measured_sizes(objects);
    nlm_status status = nlm_world_add_objects(world, "", sizes.first_node, error);
    if (!status)
        status = nlm_world_add_objects(world, "node", sizes.nodes, error);
    return status || objects < 2 ? status : nlm_world_add_object(world, "nil", NULL, error);
}

/* Nodes follow each other by number.  The first list has at least a third of them, and so has the second. */
static nlm_status add_lists(nlm_world *world, list_sizes sizes, random_stream *random, nlm_error *error)
{
    const int nil = sizes.nil, end = sizes.first_node + sizes.nodes, third = sizes.nodes / 3;
    int cut = sizes.first_node + third + (int)random_below(random, (uint32_t)(sizes.nodes - 2 * third + 1));
    nlm_status status = NLM_OK;
    for (int node = sizes.first_node; node < end && !status; node++) {
        const int next[] = {node, node + 1 == cut || node + 1 == end ? nil : node + 1};
        status = nlm_world_add_fact(world, ILP_LISTS_CONS, next, 1, error);
        if (status || sizes.values == 0)
            continue;
        const int value[] = {node, 1 + (int)random_below(random, (uint32_t)sizes.values)};
        status = nlm_world_add_fact(world, ILP_LISTS_VALUE, value, 1, error);
    }
    return status;
}

nlm_status ilp_lists_generate(nlm_world *world, random_stream *random, nlm_error *error)
{
    return add_lists(world, plain_sizes(nlm_world_objects(world)), random, error);
}

nlm_status ilp_lists_generate_measured(nlm_world *world, random_stream *random, nlm_error *error)
{
    list_sizes sizes = measured_sizes(nlm_world_objects(world));
    const int zero = 0;
    nlm_status status = nlm_world_add_fact(world, ILP_LISTS_ZERO, &zero, 1, error);
    if (!status && sizes.nil != zero)
        status = nlm_world_add_fact(world, ILP_LISTS_ZERO, &sizes.nil, 1, error);
    for (int number = 0; number + 1 < sizes.first_node && !status; number++) {
        const int tuple[] = {number, number + 1};
        status = nlm_world_add_fact(world, ILP_LISTS_SUCC, tuple, 1, error);
    }
    return status ? status : add_lists(world, sizes, random, error);
}

nlm_status ilp_lists_depth(nlm_world *world, int *depth, nlm_error *error)
{
    const int predicate = ILP_LISTS_CONS;
    return walk_longest(world, &predicate, 1, depth, error);
}

/* ---- oracles ---- */

nlm_status ilp_lists_label_member(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error)
{
    (void)unused;
    int objects = nlm_world_objects(world);
    const int read[] = {predicates[ILP_LISTS_CONS], predicates[ILP_LISTS_VALUE]};
    relation relations[2];
    int *memory;
    nlm_status status = relations_read(world, read, 2, relations, 4 * (size_t)objects, &memory, error);
    if (status)
        return status;
    int *nodes = memory, *values = nodes + objects, *seen = values + objects, *seen_values = seen + objects;
    for (int y = 0; y < objects && !status; y++) {
        int farthest, count = walk_reach(relations, 1, y, objects, nodes, seen, &farthest);
        count = walk_step(&relations[1], 1, nodes, count, values, seen_values, y + 1);
        for (int i = 0; i < count && !status; i++)
            if (values[i] != y)
                status = relation_label_pair(world, target, values[i], y, error);
    }
    return status;
}

/* The lengths of lists, found from their ends: pairs objects * x + y, each of them once. */
static int measure(const relation *before, const relation *succ, const int *zeros, int objects, int *pairs,
                   int *seen)
{
    int count = 0;
    for (int pair = 0; pair < objects * objects; pair++)
        if (zeros[pair / objects] && zeros[pair % objects]) {
            pairs[count++] = pair;
            seen[pair] = 1;
        }
    for (int done = 0; done < count; done++) {
        int z = pairs[done] / objects, length = pairs[done] % objects;
        for (int i = before->starts[z]; i < before->starts[z + 1]; i++)
            for (int k = succ->starts[length]; k < succ->starts[length + 1]; k++) {
                int pair = objects * before->items[i] + succ->items[k];
                if (!seen[pair])
                    pairs[count++] = pair;
                seen[pair] = 1;
            }
    }
    return count;
}

nlm_status ilp_lists_label_length(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error)
{
    (void)unused;
    int objects = nlm_world_objects(world);
    const int read[] = {predicates[ILP_LISTS_CONS], predicates[ILP_LISTS_SUCC]};
    size_t pairs = (size_t)objects * (size_t)objects;
    size_t reversed = (size_t)objects + 1 + nlm_world_facts(world, read[0], NULL, NULL);
    relation relations[2], before;
    int *zeros;
    nlm_status status =
        relations_read(world, read, 2, relations, (size_t)objects + reversed + 2 * pairs, &zeros, error);
    if (status)
        return status;
    int *memory = zeros + objects, *found = memory + reversed;
    relation_read_set(world, predicates[ILP_LISTS_ZERO], zeros);
    relation_reverse(&relations[0], objects, memory, &before);
    int count = measure(&before, &relations[1], zeros, objects, found, found + pairs);
    for (int i = 0; i < count && !status; i++)
        if (found[i] / objects != found[i] % objects)
            status = relation_label_pair(world, target, found[i] / objects, found[i] % objects, error);
    return status;
}
