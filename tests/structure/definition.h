/* The classes of tuples by their definition, worked out by nested loops over ordered tuples:
 *
 *     layer 0   the input predicates agree on the tuples and on all their reorderings
 *     layer i   at layer i-1 they have the same own class, the same classes of their sub-tuples, and the same
 *               set of classes in the range of the reduction; each as far as the unit reads it */
#ifndef TESTS_STRUCTURE_DEFINITION_H
#define TESTS_STRUCTURE_DEFINITION_H

#include "test.h"

#include "base/random.h"
#include "machine/machine.h"
#include "nlm/nlm.h"
#include "structure/structure.h"

enum { MOST_TUPLES = 6800, MOST_WORLDS = 8, MOST_OBJECTS = 7, MOST_ARITY = 4, MOST_LAYERS = 6 };
enum { MOST_PLACES = MOST_WORLDS * 7 * 7 * 7 * 7 };

struct ordered {
    int world, x[NLM_MAX_BREADTH];
};

struct definition {
    const nlm_machine *machine;
    const nlm_structure *given; /* if set, levels that it did not lift are taken as they are */
    int count[MOST_ARITY + 1];
    struct ordered tuples[MOST_ARITY + 1][MOST_TUPLES];
    int number[MOST_ARITY + 1][MOST_PLACES]; /* of a tuple, by its world and objects */
    int classes[MOST_LAYERS + 1][MOST_ARITY + 1][MOST_TUPLES];
    int distinct[MOST_LAYERS + 1][MOST_ARITY + 1];
};
static struct definition definition;

static inline int *number_of(int world, const int *x, int arity)
{
    int place = world;
    for (int k = 0; k < arity; k++)
        place = place * MOST_OBJECTS + x[k];
    return &definition.number[arity][place];
}

static inline bool contains(const struct ordered *t, int arity, int object)
{
    for (int k = 0; k < arity; k++)
        if (t->x[k] == object)
            return true;
    return false;
}

static inline void add_tuple(const struct ordered *t, int arity)
{
    assert_true(definition.count[arity] < MOST_TUPLES);
    *number_of(t->world, t->x, arity) = definition.count[arity];
    definition.tuples[arity][definition.count[arity]++] = *t;
}

/* The tuples of one world, each arity from the one before. */
static inline void list_tuples(int world, int objects, int breadth)
{
    add_tuple(&(struct ordered){.world = world}, 0);
    for (int r = 0; r < breadth; r++)
        for (int n = 0; n < definition.count[r]; n++) {
            struct ordered t = definition.tuples[r][n];
            for (t.x[r] = 0; t.world == world && t.x[r] < objects; t.x[r]++)
                if (!contains(&t, r, t.x[r]))
                    add_tuple(&t, r + 1);
        }
}

/* A key is a list of numbers. */
struct key {
    int count, words[100];
};

static inline void add_word(struct key *key, int word)
{
    assert_true(key->count < (int)COUNT(key->words));
    key->words[key->count++] = word;
}

static inline int compare_words(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* The inputs of a tuple in all its orders, as bits. */
static inline void input_key(const nlm_batch *batch, int arity, int n, struct key *key)
{
    const struct ordered *t = &definition.tuples[arity][n];
    const struct orders *orders = &definition.machine->plan.orders[arity];
    for (int b = 0; b < orders->count; b++) {
        int x[NLM_MAX_BREADTH], order;
        for (int k = 0; k < arity; k++)
            x[k] = t->x[orders->order[b][k]];
        size_t index = tuples_find(&batch->tuples, t->world, x, arity, &order);
        for (int c = 0; c < batch->inputs[arity]; c++) {
            const float *values = batch->values[arity].data;
            int bits;
            memcpy(&bits,
                   values + (index * (size_t)orders->count + (size_t)order) * (size_t)batch->inputs[arity] +
                       c,
                   sizeof bits);
            add_word(key, bits);
        }
    }
}

static inline void add_range(const int *classes, int objects, const struct ordered *t, int arity,
                             struct key *key)
{
    int set[MOST_OBJECTS], count = 0;
    for (int z = 0; z < objects; z++)
        if (!contains(t, arity, z)) {
            struct ordered more = *t;
            more.x[arity] = z;
            set[count++] = classes[*number_of(t->world, more.x, arity + 1)];
        }
    qsort(set, (size_t)count, sizeof *set, compare_words);
    for (int e = 0; e < count; e++)
        if (e == 0 || set[e] != set[e - 1])
            add_word(key, set[e]);
}

static inline void layer_key(const nlm_batch *batch, int layer, int arity, int n, struct key *key)
{
    const struct plan *plan = &definition.machine->plan;
    const struct ordered *t = &definition.tuples[arity][n];
    int(*below)[MOST_TUPLES] = definition.classes[layer - 1];
    if (plan->group[layer - 1][arity] > 0)
        add_word(key, below[arity][n]);
    if (plan->block[layer][arity] == 0)
        return;
    for (int k = 0; k < arity && plan->group[layer - 1][arity - 1] > 0; k++) {
        int sub[NLM_MAX_BREADTH];
        for (int l = 0, at = 0; l < arity; l++)
            if (l != k)
                sub[at++] = t->x[l];
        add_word(key, below[arity - 1][*number_of(t->world, sub, arity - 1)]);
    }
    if (arity < plan->spec.breadth && plan->group[layer - 1][arity + 1] > 0)
        add_range(below[arity + 1], nlm_batch_objects(batch, t->world), t, arity, key);
}

static inline void define_level(const nlm_batch *batch, int layer, int arity)
{
    static struct key keys[MOST_TUPLES];
    int distinct = 0, *classes = definition.classes[layer][arity];
    bool apart = definition.given && nlm_structure_level_at(definition.given, layer, arity).identity;
    for (int n = 0; n < definition.count[arity]; n++) {
        struct key *key = &keys[distinct];
        key->count = 0;
        if (apart)
            add_word(key, n);
        else if (layer == 0)
            input_key(batch, arity, n, key);
        else
            layer_key(batch, layer, arity, n, key);
        int c = 0;
        while (c < distinct && (keys[c].count != key->count ||
                                memcmp(keys[c].words, key->words, (size_t)key->count * sizeof(int))))
            c++;
        classes[n] = c;
        distinct += c == distinct;
    }
    definition.distinct[layer][arity] = distinct;
}

/* Classes of all levels that exist. */
static inline void define(const nlm_machine *machine, const nlm_batch *batch, const nlm_structure *given)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    definition.machine = machine;
    definition.given = given;
    memset(definition.count, 0, sizeof definition.count);
    for (int w = 0; w < nlm_batch_worlds(batch); w++) {
        assert_true(w < MOST_WORLDS && nlm_batch_objects(batch, w) <= MOST_OBJECTS);
        list_tuples(w, nlm_batch_objects(batch, w), spec->breadth);
    }
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            if (machine->plan.group[i][r] > 0)
                define_level(batch, i, r);
}

#endif
