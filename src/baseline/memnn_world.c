/* Memory network: the names of a world's objects, its slots and the questions about it.
 *
 *     slot       name x (bits), name y (bits), properties, relations        pairs first, then single objects
 *     question   name x (bits), name y (bits)                               the second is 0 for one object
 *
 * Names are the only link between slots and questions: a network finds facts about x by the bits of x's name.
 * They are drawn anew at each presentation, so no name has a meaning of its own (docs/maths.md, section 13).
 */
#include "baseline/memnn.h"

#include <string.h>
#include "base/random.h"

enum { NAMES_STREAM = 0x6e616d65 }; /* "name" */

/* Ordered pairs of different objects. */
static int pairs(int objects)
{
    return objects * (objects - 1);
}

/* Pair `number` of pairs(objects), the second variable fastest. */
static struct memnn_pair pair_of(int objects, int number)
{
    int x = number / (objects - 1), y = number % (objects - 1);
    return (struct memnn_pair){x, y < x ? y : y + 1};
}

/* Objects have slots of their own only where they have properties. */
int memnn_slots(const struct memnn *m, int objects)
{
    return pairs(objects) + (m->properties ? objects : 0);
}

int memnn_questions(const struct memnn *m, enum memnn_kind kind, int objects)
{
    if (!m->asked[kind])
        return 0;
    return kind == MEMNN_UNARY ? objects : pairs(kind == MEMNN_TWINS ? objects / 2 : objects);
}

/* Twin heads ask about the first half of the objects. */
struct memnn_pair memnn_question(enum memnn_kind kind, int objects, int number)
{
    if (kind == MEMNN_UNARY)
        return (struct memnn_pair){number, -1};
    return pair_of(kind == MEMNN_TWINS ? objects / 2 : objects, number);
}

/* All 255 names are shuffled whatever the size of the world, so the names of the first n objects are a
 * function of the seed alone. */
void memnn_draw_names(uint64_t seed, int names[MEMNN_MOST_THINGS])
{
    random_stream random;
    random_start(&random, seed, NAMES_STREAM);
    for (int i = 0; i < MEMNN_MOST_THINGS; i++)
        names[i] = i + 1;
    random_shuffle(&random, names, MEMNN_MOST_THINGS);
}

/* The lowest bit first; the half that a twin is of comes last. */
static void put_name(const struct memnn *m, int objects, const int *names, int object, float *row)
{
    int half = m->twins && object >= objects / 2 ? 1 : 0;
    int name = names[object - half * (objects / 2)] | half << MEMNN_BITS;
    for (int b = 0; b < m->bits; b++)
        row[b] = (float)(name >> b & 1);
}

/* Slots 0..pairs-1 are pairs, those after them objects; absent parts of a slot are 0. */
void memnn_put_slots(const struct memnn *m, const struct baseline_world *world, const int *names, int first,
                     int count, float *rows)
{
    int n = world->objects, size = m->key.size[0];
    memset(rows, 0, (size_t)count * (size_t)size * sizeof *rows);
    for (int s = first; s < first + count; s++, rows += size) {
        /* properties, then relations */
        float *facts = rows + 2 * m->bits;
        if (s >= pairs(n)) {
            int x = s - pairs(n);
            put_name(m, n, names, x, rows);
            memcpy(facts, world->inputs[1] + (size_t)x * (size_t)m->properties,
                   (size_t)m->properties * sizeof *facts);
            continue;
        }
        struct memnn_pair p = pair_of(n, s);
        put_name(m, n, names, p.x, rows);
        put_name(m, n, names, p.y, rows + m->bits);
        if (m->relations)
            memcpy(facts + m->properties, world->inputs[2] + (size_t)(p.x * n + p.y) * (size_t)m->relations,
                   (size_t)m->relations * sizeof *facts);
    }
}

/* A name is never 0, so an absent second object is not mistaken for one. */
void memnn_put_questions(const struct memnn *m, const struct baseline_world *world, const int *names,
                         enum memnn_kind kind, int first, int count, float *rows)
{
    memset(rows, 0, (size_t)count * (size_t)(2 * m->bits) * sizeof *rows);
    for (int q = first; q < first + count; q++, rows += 2 * m->bits) {
        struct memnn_pair p = memnn_question(kind, world->objects, q);
        put_name(m, world->objects, names, p.x, rows);
        if (p.y >= 0)
            put_name(m, world->objects, names, p.y, rows + m->bits);
    }
}
