/* Number lines and lists, after Evans and Grefenstette 2018: generators, oracles that count, tasks.
 *
 * The oracles label the least model of
 *
 *     predecessor(X,Y) :- succ(Y,X).
 *     less_than(X,Y) :- succ(X,Y).                    less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
 *     even(X) :- zero(X).  even(X) :- succ(Y,X), odd(Y).  odd(X) :- succ(Y,X), even(Y).
 *     fizz(X) :- zero(X).  fizz(X) :- fizz(Y), plus3(Y,X).  plus3(X,Y) :- succ(X,Z), plus2(Z,Y).
 *                                                           plus2(X,Y) :- succ(X,Z), succ(Z,Y).
 *     buzz(X) :- zero(X).  buzz(X) :- buzz(Y), plus5(Y,X).  plus5(X,Y) :- plus2(X,Z), plus3(Z,Y).
 *     member(X,Y) :- value(Y,X).             member(X,Y) :- cons(Y,Z), member(X,Z).
 *     length(X,Y) :- zero(X), zero(Y).       length(X,Y) :- cons(X,Z), one_more(Z,Y).
 *                                            one_more(X,Y) :- length(X,Z), succ(Z,Y).
 *
 * For buzz plus2 and plus3 are given, as the two that fizz has to invent are in the original: then one more
 * is enough. */
#include "task/registry.h"

/* ---- number lines: object k is the number k ---- */

/* zero(x); succ(x, y): y is x + 1; plus2(x, y): y is x + 2; plus3(x, y): y is x + 3.  Apart from zero, the
 * number of a predicate is its step. */
enum { ZERO, SUCC, PLUS2, PLUS3 };

/* All numbers below the number of objects: there is only one such world of each size. */
static nlm_status generate_numbers(nlm_world *world, random_stream *unused, nlm_error *error)
{
    (void)unused;
    const int zero = 0;
    nlm_status status = nlm_world_add_fact(world, ZERO, &zero, 1, error);
    for (int step = SUCC; step < nlm_world_predicates(world); step++)
        for (int x = 0; x < nlm_world_objects(world) - step && !status; x++) {
            const int tuple[] = {x, x + step};
            status = nlm_world_add_fact(world, step, tuple, 1, error);
        }
    return status;
}

/* y comes before x. */
static nlm_status label_predecessor(oracle *o)
{
    const relation *succ = &o->facts[SUCC];
    nlm_status status = NLM_OK;
    for (int y = 0; y < o->objects && !status; y++)
        for (int at = succ->starts[y]; at < succ->starts[y + 1] && !status; at++)
            status = oracle_label(o, succ->items[at], y);
    return status;
}

/* The steps from one multiple of 2, 3 or 5 to the next, over and over. */
static const struct turn {
    int steps;
    int predicates[3];
} TURNS[] = {[2] = {2, {SUCC, SUCC}}, [3] = {3, {SUCC, SUCC, SUCC}}, [5] = {2, {PLUS2, PLUS3}}};

/* x is a multiple of `parameter`.  What a walk from the zeros reaches is noted as steps * number + the steps
 * made since the last multiple. */
static nlm_status label_multiple(oracle *o)
{
    const struct turn *turn = &TURNS[o->parameter];
    const int steps = turn->steps;
    int *found = o->spare, *seen = found + steps * o->objects, count = 0;
    for (int x = 0; x < o->objects; x++)
        if (o->facts[ZERO].items[x]) {
            found[count++] = steps * x;
            seen[steps * x] = 1;
        }
    for (int done = 0; done < count; done++) {
        int from = found[done] / steps, made = found[done] % steps;
        const relation *next = &o->facts[turn->predicates[made]];
        for (int at = next->starts[from]; at < next->starts[from + 1]; at++) {
            int reached = steps * next->items[at] + (made + 1) % steps;
            if (!seen[reached])
                found[count++] = reached;
            seen[reached] = 1;
        }
    }
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++)
        if (found[i] % steps == 0)
            status = oracle_label(o, found[i] / steps, 0);
    return status;
}

/* ---- lists: nodes that follow each other, each with a value ---- */

/* cons(x, y): the node after x is y; value(x, y): the value of node x is y.  Where lists are measured also
 * zero(x); succ(x, y): y is x + 1. */
enum { CONS, VALUE, LIST_ZERO, LIST_SUCC };

/* The lengths of lists are found among all pairs. */
enum { MAX_MEASURED = 1000, MOST_MEASURED_VALUES = 3 };

/* Two lists of random values, and of random lengths that are not too unequal.
 *
 * Plain: the empty list, nil, in which both end; a quarter of the objects are values, the rest nodes.
 * To be measured: half of the objects are numbers and half are nodes, but for nil, which is a zero like the
 * number 0; values are numbers from 1 to 3.
 *
 * Objects are numbered in this order: the empty list, the values, the nodes of both lists.  Lists that are
 * measured have the number 0 in its place, among their values, and end in an object after the nodes. */
struct lists {
    bool measured;
    int values; /* they begin at 1 */
    int first_node, nodes;
    int nil;
};

static struct lists lists_of(const nlm_world *world, int objects)
{
    if (nlm_world_predicates(world) <= LIST_ZERO) {
        int values = objects < 3 ? 0 : (objects + 1) / 4;
        return (struct lists){false, values, 1 + values, objects - 1 - values, 0};
    }
    int nodes = objects > 1 ? (objects - 1) / 2 : 0, numbers = objects > 1 ? objects - 1 - nodes : objects;
    int values = numbers - 1 < MOST_MEASURED_VALUES ? numbers - 1 : MOST_MEASURED_VALUES;
    return (struct lists){true, values, numbers, nodes, objects - 1};
}

static nlm_status add_list_objects(nlm_world *world, int objects, nlm_error *error)
{
    const struct lists lists = lists_of(world, objects);
    nlm_status status;
    if (lists.measured) {
        status = nlm_world_add_objects(world, "", lists.first_node, error);
    } else {
        status = nlm_world_add_object(world, "nil", NULL, error);
        if (!status)
            status = nlm_world_add_objects(world, "value", lists.values, error);
    }
    if (!status)
        status = nlm_world_add_objects(world, "node", lists.nodes, error);
    if (!status && lists.measured && objects > 1)
        status = nlm_world_add_object(world, "nil", NULL, error);
    return status;
}

/* Nodes follow each other by number.  The first list has at least a third of them, and so has the second. */
static nlm_status generate_lists(nlm_world *world, random_stream *random, nlm_error *error)
{
    const struct lists lists = lists_of(world, nlm_world_objects(world));
    const int zeros[] = {0, lists.nil}, end = lists.first_node + lists.nodes, third = lists.nodes / 3;
    nlm_status status = NLM_OK;
    for (int k = 0; lists.measured && k < 1 + (lists.nil != 0) && !status; k++)
        status = nlm_world_add_fact(world, LIST_ZERO, &zeros[k], 1, error);
    for (int number = 0; lists.measured && number + 1 < lists.first_node && !status; number++) {
        const int tuple[] = {number, number + 1};
        status = nlm_world_add_fact(world, LIST_SUCC, tuple, 1, error);
    }
    int cut = lists.first_node + third + (int)random_below(random, (uint32_t)(lists.nodes - 2 * third + 1));
    for (int node = lists.first_node; node < end && !status; node++) {
        const int next[] = {node, node + 1 == cut || node + 1 == end ? lists.nil : node + 1};
        status = nlm_world_add_fact(world, CONS, next, 1, error);
        if (status || lists.values == 0)
            continue;
        const int value[] = {node, 1 + (int)random_below(random, (uint32_t)lists.values)};
        status = nlm_world_add_fact(world, VALUE, value, 1, error);
    }
    return status;
}

/* x is a value in the list that begins with node y. */
static nlm_status label_member(oracle *o)
{
    int *nodes = o->spare, *values = nodes + o->objects, *seen = values + o->objects;
    int *seen_values = seen + o->objects;
    nlm_status status = NLM_OK;
    for (int y = 0; y < o->objects && !status; y++) {
        int farthest, count = walk_reach(o->facts, 1u << CONS, y, o->objects, nodes, seen, &farthest);
        count = walk_step(o->facts, 1u << VALUE, nodes, count, values, seen_values, y + 1);
        for (int i = 0; i < count && !status; i++)
            if (values[i] != y)
                status = oracle_label(o, values[i], y);
    }
    return status;
}

/* The list that begins with x, a node or nil, has y nodes.  Lengths are found from the ends of lists, as
 * pairs objects * x + y, each of them once. */
static nlm_status label_length(oracle *o)
{
    const int objects = o->objects, *zeros = o->facts[LIST_ZERO].items;
    const size_t all = (size_t)objects * (size_t)objects;
    const relation *succ = &o->facts[LIST_SUCC], before = oracle_reverse(o, &o->facts[CONS]);
    int *pairs = o->pairs, *seen = pairs + all, count = 0;
    for (int pair = 0; pair < objects * objects; pair++)
        if (zeros[pair / objects] && zeros[pair % objects]) {
            pairs[count++] = pair;
            seen[pair] = 1;
        }
    for (int done = 0; done < count; done++) {
        int z = pairs[done] / objects, length = pairs[done] % objects;
        for (int i = before.starts[z]; i < before.starts[z + 1]; i++)
            for (int k = succ->starts[length]; k < succ->starts[length + 1]; k++) {
                int pair = objects * before.items[i] + succ->items[k];
                if (!seen[pair])
                    pairs[count++] = pair;
                seen[pair] = 1;
            }
    }
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++)
        if (pairs[i] / objects != pairs[i] % objects)
            status = oracle_label(o, pairs[i] / objects, pairs[i] % objects);
    return status;
}

/* ---- tasks ---- */

/* Prefix of objects or how they are added; most objects; draws; pairs; predicates to walk along; depth;
 * generators of both kinds of worlds; predicates. */
/* clang-format off */
static const task_kind NUMBERS = {
    "", NULL, MAX_NODES, 0, false, 1u << SUCC, NULL, generate_numbers, NULL, 2,
    {{"zero", 1}, {"succ", 2}}};
static const task_kind SUMS = {
    "", NULL, MAX_NODES, 0, false, 1u << SUCC, NULL, generate_numbers, NULL, 4,
    {{"zero", 1}, {"succ", 2}, {"plus2", 2}, {"plus3", 2}}};
static const task_kind LISTS = {
    NULL, add_list_objects, MAX_NODES, DRAWS, false, 1u << CONS, NULL, generate_lists, NULL, 2,
    {{"cons", 2}, {"value", 2}}};
static const task_kind MEASURED_LISTS = {
    NULL, add_list_objects, MAX_MEASURED, DRAWS, true, 1u << CONS, NULL, generate_lists, NULL, 4,
    {{"cons", 2}, {"value", 2}, {"zero", 1}, {"succ", 2}}};
/* clang-format on */

/* As in graph.c; depth to budget are our own, and `solved` is the share of runs that solved it. */
/* clang-format off */
const task_entry ilp_number_tasks[ILP_NUMBER_TASKS] = {
    {{"ilp-predecessor", "y is the number before x",
      "predecessor", 2, {0, 1, 1}, 10, 20, 4, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &NUMBERS, label_predecessor, 0},
    {{"ilp-even-odd", "x is even (odd is to be invented)",
      "even", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &NUMBERS, label_multiple, 2},
    {{"ilp-even-succ2", "x is even (the number after the next is to be invented)",
      "even", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.485, NULL, NULL, NULL, NULL, NULL},
     &NUMBERS, label_multiple, 2},
    {{"ilp-less-than", "x is less than y",
      "less_than", 2, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &NUMBERS, oracle_label_connected, 0},
    {{"ilp-fizz", "x is divisible by 3",
      "fizz", 1, {0, 1, 1}, 10, 20, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.1, NULL, NULL, NULL, NULL, NULL},
     &NUMBERS, label_multiple, 3},
    {{"ilp-buzz", "x is divisible by 5",
      "buzz", 1, {0, 1, 3}, 11, 22, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.14, NULL, NULL, NULL, NULL, NULL},
     &SUMS, label_multiple, 5},
    {{"ilp-member", "x is a value in the list that begins with y",
      "member", 2, {0, 0, 2}, 12, 24, 7, 3, false, 1e-5, 50000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &LISTS, label_member, 0},
    {{"ilp-length", "the list that begins with x has y nodes",
      "length", 2, {0, 1, 3}, 12, 24, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.925, NULL, NULL, NULL, NULL, NULL},
     &MEASURED_LISTS, label_length, 0},
};
/* clang-format on */
