/* Number lines: one generator, and oracles that count.
 *
 * The oracles read the world's facts and nothing else.  What they label is the least model of
 *
 *     predecessor(X,Y) :- succ(Y,X).
 *     less_than(X,Y) :- succ(X,Y).                    less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
 *     even(X) :- zero(X).  even(X) :- succ(Y,X), odd(Y).  odd(X) :- succ(Y,X), even(Y).
 *     fizz(X) :- zero(X).  fizz(X) :- fizz(Y), plus3(Y,X).  plus3(X,Y) :- succ(X,Z), plus2(Z,Y).
 *                                                           plus2(X,Y) :- succ(X,Z), succ(Z,Y).
 *     buzz(X) :- zero(X).  buzz(X) :- buzz(Y), plus5(Y,X).  plus5(X,Y) :- plus2(X,Z), plus3(Z,Y).
 *
 * For buzz plus2 and plus3 are given, as the two that fizz has to invent are in the original: then one more
 * is enough. */
#include "task/ilp_numbers.h"

#include "task/relation.h"
#include "task/walk.h"

/* ---- generator ---- */

/* y is x + step, wherever both are there. */
static nlm_status add_sums(nlm_world *world, int predicate, int step, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int x = 0; x < nlm_world_objects(world) - step && !status; x++) {
        const int tuple[] = {x, x + step};
        status = nlm_world_add_fact(world, predicate, tuple, 1, error);
    }
    return status;
}

nlm_status ilp_numbers_generate(nlm_world *world, random_stream *unused, nlm_error *error)
{
    (void)unused;
    const int zero = 0;
    nlm_status status = nlm_world_add_fact(world, ILP_NUMBERS_ZERO, &zero, 1, error);
    return status ? status : add_sums(world, ILP_NUMBERS_SUCC, 1, error);
}

nlm_status ilp_numbers_generate_sums(nlm_world *world, random_stream *unused, nlm_error *error)
{
    nlm_status status = ilp_numbers_generate(world, unused, error);
    if (!status)
        status = add_sums(world, ILP_NUMBERS_PLUS2, 2, error);
    return status ? status : add_sums(world, ILP_NUMBERS_PLUS3, 3, error);
}

nlm_status ilp_numbers_depth(nlm_world *world, int *depth, nlm_error *error)
{
    const int predicate = ILP_NUMBERS_SUCC;
    return walk_longest(world, &predicate, 1, depth, error);
}

/* ---- oracles ---- */

nlm_status ilp_numbers_label_predecessor(nlm_world *world, const int *predicates, int unused, int target,
                                         nlm_error *error)
{
    (void)unused;
    relation succ;
    int *spare;
    nlm_status status = relations_read(world, &predicates[ILP_NUMBERS_SUCC], 1, &succ, 0, &spare, error);
    for (int y = 0; y < nlm_world_objects(world) && !status; y++)
        for (int at = succ.starts[y]; at < succ.starts[y + 1] && !status; at++)
            status = relation_label_pair(world, target, succ.items[at], y, error);
    return status;
}

nlm_status ilp_numbers_label_less(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error)
{
    (void)unused;
    return walk_label_connected(world, predicates[ILP_NUMBERS_SUCC], nlm_world_objects(world), target, error);
}

enum { MAX_TURN = 3, MAX_STEPPED = 2 };

/* The steps from one multiple to the next, over and over: which of the relations below is followed. */
typedef struct counting {
    int steps;
    int step[MAX_TURN];
    int predicates[MAX_STEPPED];
    int count; /* of the predicates */
} counting;

static const counting TURNS[] = {
    [2] = {2, {0, 0}, {ILP_NUMBERS_SUCC}, 1},
    [3] = {3, {0, 0, 0}, {ILP_NUMBERS_SUCC}, 1},
    [5] = {2, {0, 1}, {ILP_NUMBERS_PLUS2, ILP_NUMBERS_PLUS3}, 2},
};

/* All that a walk from the zeros reaches, as steps * number + the steps made since the last multiple; `found`
 * begins with the `count` zeros. */
static int walk_in_turns(const counting *turn, const relation *relations, int *found, int count, int *seen)
{
    for (int i = 0; i < count; i++)
        seen[found[i]] = 1;
    for (int done = 0; done < count; done++) {
        int from = found[done] / turn->steps, made = found[done] % turn->steps;
        const relation *next = &relations[turn->step[made]];
        for (int at = next->starts[from]; at < next->starts[from + 1]; at++) {
            int reached = turn->steps * next->items[at] + (made + 1) % turn->steps;
            if (!seen[reached])
                found[count++] = reached;
            seen[reached] = 1;
        }
    }
    return count;
}

nlm_status ilp_numbers_label_multiple(nlm_world *world, const int *predicates, int divisor, int target,
                                      nlm_error *error)
{
    const counting *turn = &TURNS[divisor];
    int numbers = nlm_world_objects(world), stepped[MAX_STEPPED];
    for (int k = 0; k < turn->count; k++)
        stepped[k] = predicates[turn->predicates[k]];
    relation relations[MAX_STEPPED];
    int *zeros, states = turn->steps * numbers;
    nlm_status status = relations_read(world, stepped, turn->count, relations,
                                       (size_t)numbers + 2 * (size_t)states, &zeros, error);
    if (status)
        return status;
    int *found = zeros + numbers, count = 0;
    relation_read_set(world, predicates[ILP_NUMBERS_ZERO], zeros);
    for (int x = 0; x < numbers; x++)
        if (zeros[x])
            found[count++] = turn->steps * x;
    count = walk_in_turns(turn, relations, found, count, found + states);
    for (int i = 0; i < count && !status; i++)
        if (found[i] % turn->steps == 0)
            status = relation_label(world, target, found[i] / turn->steps, error);
    return status;
}
