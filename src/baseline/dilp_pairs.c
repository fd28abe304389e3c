/* Kinds of rows, and sums over pairs of them.
 *
 *     sum[x] = sum over kinds (j, k) of P[j][k] max(F_j[x], F_k[x])        P: probabilities added up by kinds
 *
 * Atoms are taken in blocks of BLOCK, so that the rows of all kinds stay in the cache while all pairs are
 * visited.
 *
 * Adding up by kinds first changes the order of additions, not their result beyond rounding; the order
 * depends on the rows alone, so results are the same bits at every call. */
#include "baseline/dilp_pairs.h"

#include <string.h>

enum { BLOCK = 256 }; /* atoms of which all pairs are looked at before the next ones */

void dilp_room_free(struct dilp_room *room)
{
    buffer *all[] = {&room->hash, &room->by_kind, &room->probability, &room->dprobability};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buffer_free(all[i]);
}

/* `pairs` bounds kinds x rows and kinds x kinds alike: there are no more kinds than rows. */
nlm_status dilp_room_reserve(struct dilp_room *room, size_t rows, size_t pairs, bool training)
{
    if (buffer_reserve(&room->hash, rows, sizeof(uint64_t), false) ||
        buffer_reserve(&room->by_kind, pairs, sizeof(float), false) ||
        buffer_reserve(&room->probability, pairs, sizeof(float), false) ||
        (training && buffer_reserve(&room->dprobability, pairs, sizeof(double), false)))
        return NLM_NO_MEMORY;
    return NLM_OK;
}

/* ---- kinds ---- */

/* Of the bits of a row, eight lanes at a time, which the compiler turns into vectors.  Equal rows have equal
 * hashes; rows with equal hashes are compared in full. */
static uint64_t hash_of(const float *row, size_t width)
{
    uint32_t lanes[DILP_LANES] = {0};
    uint64_t hash = 0;
    for (size_t x = 0; x < width; x += DILP_LANES) {
        uint32_t bits[DILP_LANES];
        memcpy(bits, row + x, sizeof bits);
        for (size_t l = 0; l < DILP_LANES; l++)
            lanes[l] = (lanes[l] << 5) - lanes[l] + bits[l];
    }
    for (size_t l = 0; l < DILP_LANES; l++)
        hash = (hash ^ lanes[l]) * 0x9e3779b97f4a7c15u;
    return hash;
}

/* Which rows are equal.  Kinds are few, so a linear search by hash is enough.  Rows are compared by their
 * bits: values are never negative, so there is no -0. */
void dilp_rows_compare(struct dilp_rows *rows, size_t width, struct dilp_room *room)
{
    uint64_t *known = room->hash.data;
    size_t kinds = 0;
    for (size_t r = 0; r < rows->count; r++) {
        const float *row = rows->values + r * width;
        uint64_t hash = hash_of(row, width);
        size_t k = 0;
        while (k < kinds && (known[k] != hash || memcmp(rows->values + (size_t)rows->example[k] * width, row,
                                                        width * sizeof *row) != 0))
            k++;
        if (k == kinds) {
            rows->example[kinds] = (int)r;
            known[kinds++] = hash;
        }
        rows->kind[r] = (int)k;
    }
    *rows->kinds = kinds;
}

/* The consequences of a kind. */
static const float *example(const struct dilp_pairs *pairs, int t, size_t kind)
{
    return pairs->rows[t].values + (size_t)pairs->rows[t].example[kind] * pairs->width;
}

/* ---- probabilities ---- */

/* Probabilities added up over the first rows of a kind: [kinds of the first][rows of the second]. */
static float *gather_first(const struct dilp_pairs *pairs, struct dilp_room *room)
{
    const struct dilp_rows *rows = pairs->rows;
    float *to = room->by_kind.data;
    memset(to, 0, *rows[0].kinds * rows[1].count * sizeof *to);
    for (size_t j = 0; j < rows[0].count; j++)
        for (size_t k = 0; k < rows[1].count; k++)
            to[(size_t)rows[0].kind[j] * rows[1].count + k] += pairs->probability[j * rows[1].count + k];
    return to;
}

/* Rows of probabilities added up over the second rows of a kind: [rows][kinds of the second]. */
static float *gather_columns(float *to, const float *from, size_t count, const struct dilp_rows *second)
{
    size_t kinds = *second->kinds;
    memset(to, 0, count * kinds * sizeof *to);
    for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < second->count; k++)
            to[j * kinds + (size_t)second->kind[k]] += from[j * second->count + k];
    return to;
}

/* ---- forward ---- */

/* sum += p max(f, g) */
static void add_larger(float *restrict sum, const float *f, const float *g, float p, size_t count)
{
    for (size_t x = 0; x < count; x++)
        sum[x] += p * (f[x] > g[x] ? f[x] : g[x]);
}

/* Work is kinds x kinds x atoms in place of rows x rows x atoms. */
void dilp_pairs_forward(float *sum, const struct dilp_pairs *pairs, struct dilp_room *room)
{
    const float *probability = gather_columns(room->probability.data, gather_first(pairs, room),
                                              *pairs->rows[0].kinds, &pairs->rows[1]);
    size_t kinds[2] = {*pairs->rows[0].kinds, *pairs->rows[1].kinds};
    memset(sum, 0, pairs->width * sizeof *sum);
    for (size_t start = 0; start < pairs->width; start += BLOCK) {
        size_t count = pairs->width - start < BLOCK ? pairs->width - start : BLOCK;
        for (size_t j = 0; j < kinds[0]; j++)
            for (size_t k = 0; k < kinds[1]; k++)
                add_larger(sum + start, example(pairs, 0, j) + start, example(pairs, 1, k) + start,
                           probability[j * kinds[1] + k], count);
        for (size_t x = start; x < start + count; x++)
            sum[x] = sum[x] > 1.0f ? 1.0f : sum[x]; /* rounding must not lead out of [0, 1]; NaN stays */
    }
}

/* ---- backward ---- */

/* The sum of dsum * max(f, g), in eight lanes. */
static double total_of(const float *dsum, const float *f, const float *g, size_t count)
{
    float lanes[DILP_LANES] = {0};
    double total = 0.0;
    for (size_t x = 0; x < count; x += DILP_LANES)
        for (size_t l = 0; l < DILP_LANES; l++)
            lanes[l] += dsum[x + l] * (f[x + l] > g[x + l] ? f[x + l] : g[x + l]);
    for (size_t l = 0; l < DILP_LANES; l++)
        total += (double)lanes[l];
    return total;
}

/* dP[j][k] = sum over x of dsum[x] max(F_j[x], F_k[x]), computed per pair of kinds, given to each pair of
 * rows.  Blocks are summed in float, their sums in double: with thousands of atoms float alone would lose
 * the small terms. */
static void probabilities_backward(double *dprobability, const float *dsum, const struct dilp_pairs *pairs,
                                   struct dilp_room *room)
{
    const struct dilp_rows *rows = pairs->rows;
    size_t kinds[2] = {*rows[0].kinds, *rows[1].kinds};
    double *of_kinds = room->dprobability.data;
    memset(of_kinds, 0, kinds[0] * kinds[1] * sizeof *of_kinds);
    for (size_t start = 0; start < pairs->width; start += BLOCK) {
        size_t count = pairs->width - start < BLOCK ? pairs->width - start : BLOCK;
        for (size_t j = 0; j < kinds[0]; j++)
            for (size_t k = 0; k < kinds[1]; k++)
                of_kinds[j * kinds[1] + k] +=
                    total_of(dsum + start, example(pairs, 0, j) + start, example(pairs, 1, k) + start, count);
    }
    for (size_t j = 0; j < rows[0].count; j++)
        for (size_t k = 0; k < rows[1].count; k++)
            *dprobability++ += of_kinds[(size_t)rows[0].kind[j] * kinds[1] + (size_t)rows[1].kind[k]];
}

/* Adds p where the row is the one that counts: of two that are equal, that is the first. */
static void add_where_larger(float *restrict share, const float *row, const float *other, float p, bool first,
                             size_t count)
{
    if (first)
        for (size_t x = 0; x < count; x++)
            share[x] += row[x] >= other[x] ? p : 0.0f;
    else
        for (size_t x = 0; x < count; x++)
            share[x] += row[x] > other[x] ? p : 0.0f;
}

/* dF_j[x] = dsum[x] * sum over k with F_j[x] >= F_k[x] of P[j][k]: each row of one template against the kinds
 * of the other. */
static void rows_backward(const float *dsum, const struct dilp_pairs *pairs, struct dilp_room *room, int t)
{
    const struct dilp_rows *rows = &pairs->rows[t];
    const size_t kinds = *pairs->rows[1 - t].kinds;
    const float *probability =
        t == 0 ? gather_columns(room->by_kind.data, pairs->probability, rows->count, &pairs->rows[1])
               : gather_first(pairs, room);
    /* [rows][kinds] for the first template, [kinds][rows] for the second */
    const size_t row_step = t == 0 ? kinds : 1, kind_step = t == 0 ? 1 : rows->count;
    /* the sum of P over the kinds that this row beats, atom by atom; dsum is multiplied once at the end */
    float share[BLOCK];
    for (size_t start = 0; start < pairs->width; start += BLOCK) {
        size_t count = pairs->width - start < BLOCK ? pairs->width - start : BLOCK;
        for (size_t r = 0; r < rows->count; r++) {
            float *gradients = rows->gradients + r * pairs->width + start;
            memset(share, 0, sizeof share);
            for (size_t k = 0; k < kinds; k++)
                add_where_larger(share, rows->values + r * pairs->width + start,
                                 example(pairs, 1 - t, k) + start, probability[r * row_step + k * kind_step],
                                 t == 0, count);
            for (size_t x = 0; x < count; x++)
                gradients[x] += dsum[start + x] * share[x];
        }
    }
}

/* Kinds must still be those of the values (dilp_rows_compare).  Rows without gradients are passed over. */
void dilp_pairs_backward(double *dprobability, const float *dsum, const struct dilp_pairs *pairs,
                         struct dilp_room *room)
{
    probabilities_backward(dprobability, dsum, pairs, room);
    for (int t = 0; t < 2; t++)
        if (pairs->rows[t].gradients)
            rows_backward(dsum, pairs, room, t);
}
