/* Tables of bits: whether something is true of each tuple of k objects of one world.
 *
 * A table has a bit for each of objects^k tuples, the last place fastest; each row of the last place begins a
 * new word.  Of no places it is one word, 0 or 1.  Places stand for the variables of a set in ascending
 * order. */
#ifndef LOGIC_BIT_TABLES_H
#define LOGIC_BIT_TABLES_H

#include "logic/formula.h"

enum { BITS_MOST_WORDS = 1 << 24 }; /* 128 MiB */

typedef uint64_t word;

static inline int bits_in(uint32_t set)
{
    return __builtin_popcount(set);
}

static inline size_t bits_row_words(int objects)
{
    return ((size_t)objects + 63) / 64;
}

/* The bits of a row that stand for objects, in word number `i` of it. */
static inline word bits_row_mask(int objects, size_t i)
{
    const size_t left = (size_t)objects - i * 64;
    return left >= 64 ? ~(word)0 : ((word)1 << left) - 1;
}

static inline bool bits_at(const word *row, int object)
{
    return row[object / 64] >> (object % 64) & 1;
}

/* Words of a table of k places; 0 if they are too many. */
size_t bits_words(int objects, int k);
/* All true: rows of `width` words for n objects. */
void bits_fill(word *to, size_t words, size_t width, int n);

/* Where an entry of one table stands in another whose variables are among the first one's. */
typedef struct bits_placing {
    int k;                            /* variables of the first table */
    size_t stride[FORMULA_VARIABLES]; /* words in the other table for a step of variable i */
    int bit; /* number of the variable that is the other's last, which a row of bits is for; -1: none */
} bits_placing;

bits_placing bits_place(uint32_t of, uint32_t other, int objects);
/* The bit of the other table for a tuple of the first. */
bool bits_value(const word *table, const bits_placing *p, const int *tuple);
/* `to` becomes to and from, or to or from, where from has some of the variables of `to`. */
void bits_merge(word *to, uint32_t to_free, const word *from, uint32_t from_free, int n, bool is_and);
/* exists over the variable at place j of the k that `from` has. */
void bits_exists(word *to, const word *from, int n, int k, int j);
/* `to`, all false before, becomes the table of an atom; `from` is that of its predicate, all arguments in
 * order. Those of the atom may be permuted and, of definitions, repeated. */
void bits_atom(word *to, const formula_node *node, const word *from, int n);

#endif
