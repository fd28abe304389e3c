/* A varied world has some objects that hang together by facts. What is changed is drawn for each world, so
 * that some worlds differ from the examples in one way only:
 *
 *     forgotten   all facts about a pair of objects; single facts of one predicate more often than of others
 *     moved       all facts about a pair (x, y) say y' in the place of y
 *     added       facts about any objects
 *     made one    two objects: the facts of both are about one of them */
#include "learn/varied_worlds.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

typedef struct variation {
    const nlm_world *from;
    nlm_world *into;
    random_stream *random;
    int objects;                /* of `into` */
    int *place;                 /* of an object of `from` in `into`; -1: left out */
    uint32_t pair_seed;         /* what happens to a pair is drawn from this and the pair */
    uint32_t forget, move, add; /* per cent */
} variation;

static bool happens(random_stream *random, uint32_t percent)
{
    return random_below(random, 100) < percent;
}

/* Object by object: of those taken, facts lead to others.  Where none does, any object is taken. */
static void choose_objects(variation *in)
{
    const int all = nlm_world_objects(in->from);
    const int most = all < VARIED_OBJECTS ? all : VARIED_OBJECTS;
    for (int i = 0; i < all; i++)
        in->place[i] = -1;
    while (in->objects < most) {
        const int before = in->objects;
        for (int p = 0; p < nlm_world_predicates(in->from) && in->objects > 0; p++) {
            const int *tuples, arity = nlm_world_predicate_arity(in->from, p);
            const size_t count = nlm_world_facts(in->from, p, &tuples, NULL);
            for (size_t f = 0; f < count && arity > 1; f++)
                for (int i = 0; i < arity && in->objects < most; i++) {
                    const int a = tuples[f * (size_t)arity + (size_t)i];
                    const int b = tuples[f * (size_t)arity + (size_t)((i + 1) % arity)];
                    if (in->place[a] >= 0 && in->place[b] < 0 && random_below(in->random, 2))
                        in->place[b] = in->objects++;
                }
        }
        if (in->objects == before) {
            int next = (int)random_below(in->random, (uint32_t)all);
            while (in->place[next] >= 0)
                next = (next + 1) % all;
            in->place[next] = in->objects++;
        }
    }
}

/* Two objects become one; the other stays, without facts. */
static void make_one(variation *in)
{
    const int all = nlm_world_objects(in->from);
    const int gone = (int)random_below(in->random, (uint32_t)in->objects);
    const int stays = (int)random_below(in->random, (uint32_t)in->objects);
    for (int i = 0; i < all; i++)
        if (in->place[i] == gone)
            in->place[i] = stays;
}

/* A number below 100 that depends on the pair alone, in any order. */
static uint32_t of_pair(const variation *in, int a, int b, uint32_t salt)
{
    const uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    uint32_t hash = in->pair_seed ^ salt * 0x9e3779b9u;
    hash = (hash ^ low) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13 ^ high) * 0xc2b2ae35u;
    return (hash ^ hash >> 16) % 100;
}

/* The tuple of a fact in the new world; false if it is forgotten. */
static bool vary(const variation *in, const int *fact, int arity, uint32_t forget, int *tuple)
{
    for (int i = 0; i < arity; i++)
        if ((tuple[i] = in->place[fact[i]]) < 0)
            return false;
    if (happens(in->random, forget))
        return false;
    if (arity != 2)
        return true;
    if (of_pair(in, tuple[0], tuple[1], 1) < in->forget)
        return false;
    if (of_pair(in, tuple[0], tuple[1], 2) < in->move) { /* the larger number is exchanged */
        const int which = tuple[1] > tuple[0];
        tuple[which] = (tuple[which] + 1 + (int)of_pair(in, tuple[0], tuple[1], 3)) % in->objects;
    }
    return true;
}

static bool repeats(const int *tuple, int arity)
{
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < i; k++)
            if (tuple[i] == tuple[k])
                return true;
    return false;
}

static nlm_status vary_predicate(variation *in, int predicate, uint32_t forget, nlm_error *error)
{
    const int *tuples, arity = nlm_world_predicate_arity(in->from, predicate);
    const float *values;
    const size_t count = nlm_world_facts(in->from, predicate, &tuples, &values);
    int tuple[NLM_MAX_BREADTH];
    nlm_status status = NLM_OK;
    for (size_t f = 0; f < count && !status; f++)
        if (vary(in, tuples + f * (size_t)arity, arity, forget, tuple) && !repeats(tuple, arity))
            status = nlm_world_add_fact(in->into, predicate, tuple, values[f], error);
    const uint32_t added = in->add * (uint32_t)in->objects / 100;
    for (uint32_t f = 0; f < added && !status && arity > 0; f++) {
        for (int i = 0; i < arity; i++)
            tuple[i] = (int)random_below(in->random, (uint32_t)in->objects);
        if (!repeats(tuple, arity))
            status = nlm_world_add_fact(in->into, predicate, tuple, 1, error);
    }
    return status;
}

nlm_status varied_world(const nlm_world *from, random_stream *random, nlm_world *into, nlm_error *error)
{
    static const uint32_t shares[] = {0, 0, 5, 15, 30, 50};
    enum { SHARES = sizeof shares / sizeof *shares, MOST_MADE_ONE = 3 };
    variation in = {.from = from, .into = into, .random = random, .pair_seed = random_u32(random)};
    in.forget = shares[random_below(random, SHARES)];
    in.move = shares[random_below(random, SHARES)];
    in.add = random_below(random, 4) ? 0 : shares[random_below(random, SHARES)];
    in.place = memory_new((size_t)nlm_world_objects(from) + 1, sizeof *in.place);
    if (!in.place)
        return error_no_memory(error);
    choose_objects(&in);
    for (uint32_t pairs = random_below(random, MOST_MADE_ONE + 1); pairs > 0 && in.objects > 0; pairs--)
        make_one(&in);
    nlm_world_clear(into);
    nlm_status status = nlm_world_add_objects(into, "o", in.objects, error);
    for (int p = 0; p < nlm_world_predicates(from) && !status; p++) {
        const uint32_t forget = shares[random_below(random, SHARES)];
        status = nlm_world_add_predicate(into, nlm_world_predicate_name(from, p),
                                         nlm_world_predicate_arity(from, p), NULL, error);
        if (!status)
            status = vary_predicate(&in, p, forget, error);
    }
    memory_free(in.place);
    return status;
}
