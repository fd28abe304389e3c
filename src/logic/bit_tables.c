#include "logic/bit_tables.h"
#include <string.h>

size_t bits_words(int objects, int k)
{
    size_t words = k ? bits_row_words(objects) : 1;
    for (int i = 1; i < k; i++) {
        if (words > BITS_MOST_WORDS / (size_t)objects)
            return 0;
        words *= (size_t)objects;
    }
    return words;
}

void bits_fill(word *to, size_t words, size_t width, int n)
{
    for (size_t i = 0; i < width; i++) {
        const word mask = bits_row_mask(n, i);
        for (size_t at = i; at < words; at += width)
            to[at] = mask;
    }
}

/* ---- where the variables of one table are in another ---- */

bits_placing bits_place(uint32_t of, uint32_t other, int objects)
{
    int first[FORMULA_VARIABLES], second[FORMULA_VARIABLES];
    bits_placing p = {.k = formula_variables(of, first), .bit = -1};
    const int k = formula_variables(other, second);
    for (int i = 0; i < p.k; i++) {
        for (int j = 0; j < k; j++)
            if (first[i] == second[j]) {
                if (j == k - 1) {
                    p.bit = i;
                    continue;
                }
                p.stride[i] = bits_row_words(objects);
                for (int later = j + 1; later < k - 1; later++)
                    p.stride[i] *= (size_t)objects;
            }
    }
    return p;
}

bool bits_value(const word *table, const bits_placing *p, const int *tuple)
{
    const word *row = table;
    for (int i = 0; i < p->k; i++)
        row += (size_t)tuple[i] * p->stride[i];
    return p->bit < 0 ? (bool)(*row & 1) : bits_at(row, tuple[p->bit]);
}

/* ---- and, or ---- */

/* A row and the words of `other`: each itself (aligned), or a bit of one of them for the whole row. */
static void merge_row(word *to, const word *from, size_t width, int n, bool is_and, bool aligned, bool bit)
{
    for (size_t i = 0; i < width; i++) {
        const word other = aligned ? from[i] : bit ? bits_row_mask(n, i) : 0;
        to[i] = is_and ? to[i] & other : to[i] | other;
    }
}

/* The rows of the last digit but one, of which each is a word: most worlds have at most 64 objects, and most
 * of the work is here. */
static void merge_words(word *to, const word *from, size_t stride, int n, bool is_and, bool aligned,
                        int shift, int step)
{
    const word full = bits_row_mask(n, 0);
    for (int d = 0; d < n; d++, from += stride, shift += step) {
        const word other = aligned ? *from : (0 - (*from >> shift & 1)) & full;
        to[d] = is_and ? to[d] & other : to[d] | other;
    }
}

void bits_merge(word *to, uint32_t to_free, const word *from, uint32_t from_free, int n, bool is_and)
{
    const bits_placing p = bits_place(to_free, from_free, n);
    const size_t width = p.k ? bits_row_words(n) : 1, rows = bits_words(n, p.k) / width;
    const bool aligned = p.k == 0 || p.bit == p.k - 1;
    const int inner = width == 1 && p.k > 1 ? n : 1; /* rows at once */
    int digit[FORMULA_VARIABLES] = {0};
    for (size_t row = 0; row < rows; row += (size_t)inner, to += width * (size_t)inner) {
        const word *source = from;
        for (int i = 0; i + 1 < p.k; i++)
            source += (size_t)digit[i] * p.stride[i];
        if (inner > 1) {
            const bool runs = p.bit == p.k - 2; /* the digit that runs is the bit's */
            merge_words(to, source, p.stride[p.k - 2], n, is_and, aligned,
                        runs || p.bit < 0 ? 0 : digit[p.bit], runs);
        } else {
            merge_row(to, source, width, n, is_and, aligned,
                      aligned || (p.bit < 0 ? (bool)(*source & 1) : bits_at(source, digit[p.bit])));
        }
        for (int i = p.k - (inner > 1 ? 3 : 2); i >= 0 && ++digit[i] == n; i--)
            digit[i] = 0;
    }
}

/* ---- exists, atoms ---- */

void bits_exists(word *to, const word *from, int n, int k, int j)
{
    const size_t width = bits_row_words(n), rows = bits_words(n, k) / width;
    if (j == k - 1 && width == 1 && k > 1) { /* rows of one word become bits */
        for (size_t row = 0; row < rows; row += (size_t)n, from += n) {
            word bits = 0;
            for (int d = 0; d < n; d++)
                bits |= (word)(from[d] != 0) << d;
            *to++ = bits;
        }
        return;
    }
    if (j == k - 1) { /* a row becomes a bit */
        const size_t result = bits_words(n, k - 1);
        memset(to, 0, result * sizeof *to);
        for (size_t row = 0; row < rows; row++) {
            word any = 0;
            for (size_t i = 0; i < width; i++)
                any |= from[row * width + i];
            const size_t digit = k == 1 ? 0 : row % (size_t)n;
            word *target = k == 1 ? to : to + row / (size_t)n * width + digit / 64;
            *target |= (word)(any != 0) << (digit % 64);
        }
        return;
    }
    size_t inner = width; /* words of what follows place j */
    for (int i = j + 1; i < k - 1; i++)
        inner *= (size_t)n;
    const size_t outer = rows * width / (inner * (size_t)n);
    for (size_t o = 0; o < outer; o++, to += inner) {
        memcpy(to, from, inner * sizeof *to);
        from += inner;
        for (size_t d = 1; d < (size_t)n; d++, from += inner)
            for (size_t i = 0; i < inner; i++)
                to[i] |= from[i];
    }
}

void bits_atom(word *to, const formula_node *node, const word *from, int n)
{
    int variable[FORMULA_VARIABLES], digit[FORMULA_VARIABLES] = {0};
    const int k = formula_variables(node->free, variable);
    if (node->arity == 0) {
        *to = *from;
        return;
    }
    int place_of[FORMULA_MOST_ARITY];
    for (int i = 0; i < node->arity; i++)
        for (int j = 0; j < k; j++)
            if (variable[j] == node->variable[i])
                place_of[i] = j;
    const size_t width = bits_row_words(n), rows = bits_words(n, k) / width;
    for (size_t row = 0; row < rows; row++, to += width) {
        for (digit[k - 1] = 0; digit[k - 1] < n; digit[k - 1]++) {
            size_t source = 0;
            for (int i = 0; i + 1 < node->arity; i++)
                source = source * (size_t)n + (size_t)digit[place_of[i]];
            if (bits_at(from + source * width, digit[place_of[node->arity - 1]]))
                to[digit[k - 1] / 64] |= (word)1 << (digit[k - 1] % 64);
        }
        digit[k - 1] = 0;
        for (int i = k - 2; i >= 0 && ++digit[i] == n; i--)
            digit[i] = 0;
    }
}
