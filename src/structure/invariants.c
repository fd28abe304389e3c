/* What structure.h says about partitions, levels and ranges, asserted of a finished structure.
 *
 * Only builds with INVARIANTS_CHECKED call this; there every structure of every test goes through it.  It
 * checks that codes, links and sets are well formed and canonical.  That alike tuples share a class, and no
 * others do, is checked against a second definition in tests/structure. */
#include "base/invariant.h"
#include "structure/structure.h"

/* A code names an order of an orbit of its partition. */
static void check_code(const struct nlm_structure *s, const struct partition *part, int32_t code)
{
    const struct orders *orders = &s->plan->orders[part->arity];
    INVARIANT(code >= 0 && (size_t)(code >> orders->shift) < part->orbits);
    INVARIANT((code & orders->mask) < orders->count);
}

/* Among equal orders the code names the smallest, so that alike tuples have equal codes. */
static void check_smallest(const struct nlm_structure *s, const struct partition *part, int32_t code)
{
    const struct orders *orders = &s->plan->orders[part->arity];
    check_code(s, part, code);
    INVARIANT(!part->same || part->same[orders_row(orders, code)] == (code & orders->mask));
}

/* Tuple n is orbit n in order 0, and no two orders are equal. */
static void check_identity(const struct nlm_structure *s, const struct partition *part)
{
    const struct orders *orders = &s->plan->orders[part->arity];
    INVARIANT(part->orbits == tuples_count(&s->tuples, part->arity) && !part->same);
    for (size_t t = 0; t < part->orbits; t++)
        INVARIANT(part->codes[t] == (int32_t)(t << orders->shift));
}

/* Orbits are numbered in the order of their representatives, which carry their own values. */
static void check_partition(const struct nlm_structure *s, const struct partition *part)
{
    const struct orders *orders = &s->plan->orders[part->arity];
    const size_t tuples = tuples_count(&s->tuples, part->arity), count = (size_t)orders->count;
    size_t classes = 0;
    if (part->identity) {
        check_identity(s, part);
        return;
    }
    for (size_t t = 0; t < tuples; t++)
        check_smallest(s, part, part->codes[t]);
    for (size_t o = 0; o < part->orbits; o++) {
        const uint8_t *same = part->same + o * count;
        INVARIANT(part->first[o] >= 0 && (size_t)part->first[o] < tuples);
        INVARIANT(o == 0 || part->first[o - 1] < part->first[o]);
        INVARIANT(part->codes[part->first[o]] == (int32_t)(o << orders->shift));
        for (size_t p = 0; p < count; p++) {
            INVARIANT(same[p] <= p && same[same[p]] == same[p]);
            classes += same[p] == p;
        }
    }
    INVARIANT(part->classes == classes);
}

/* Links lead into the partitions of the layer below; own and range are NULL where that is this partition. */
static void check_links(const struct nlm_structure *s, int layer, int arity)
{
    const struct level *level = &s->levels[layer][arity];
    for (size_t o = 0; o < level->part->orbits; o++) {
        if (level->own)
            check_smallest(s, s->levels[layer - 1][arity].part, level->own[o]);
        if (level->range)
            check_smallest(s, s->ranges[layer - 1][arity].part, level->range[o]);
        for (int k = 0; level->sub && k < arity; k++)
            check_smallest(s, s->levels[layer - 1][arity - 1].part,
                           level->sub[o * (size_t)arity + (size_t)k]);
    }
}

/* Sets follow each other; those of a lifted range have each element once, in order. */
static void check_range(const struct nlm_structure *s, int layer, int arity)
{
    const struct range *range = &s->ranges[layer][arity];
    const size_t orbits = range->part->orbits;
    INVARIANT(range->streamed == s->levels[layer][arity + 1].streamed);
    INVARIANT(!range->streamed || range->part->identity);
    for (size_t o = 0; range->parent && o < orbits; o++)
        check_code(s, s->ranges[layer - 1][arity].part, range->parent[o]);
    INVARIANT(range->streamed || range->start[0] == 0);
    for (size_t o = 0; !range->streamed && o < orbits; o++) {
        INVARIANT(range->start[o] <= range->start[o + 1]);
        for (int32_t e = range->start[o]; e < range->start[o + 1]; e++) {
            check_code(s, s->levels[layer][arity + 1].part, range->elements[e]);
            INVARIANT(range->part->identity || e == range->start[o] ||
                      range->elements[e - 1] < range->elements[e]);
        }
    }
}

/* A group is live exactly if its level has a partition or is streamed, never both. */
void structure_check(const struct nlm_structure *s)
{
    for (int i = 0; i <= s->depth; i++)
        for (int r = 0; r <= s->breadth; r++) {
            const struct level *level = &s->levels[i][r];
            INVARIANT(!(level->part && level->streamed) &&
                      (level->part || level->streamed) == s->plan->live[i][r]);
            if (level->part) {
                check_partition(s, level->part);
                check_links(s, i, r);
            }
            if (s->ranges[i][r].part) {
                check_partition(s, s->ranges[i][r].part);
                check_range(s, i, r);
            }
        }
}
