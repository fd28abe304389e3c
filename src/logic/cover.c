/* Quine and McCluskey's method: rows that differ in one input are joined until none can be, then a cover is
 * chosen.  With at most 16 inputs there are at most 3^16 terms; functions that units compute (sums against a
 * threshold) have far fewer. */
#include "logic/cover.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 1 << 20 };

typedef struct term_list {
    cover_term *at;
    size_t count, room;
} term_list;

static bool push(term_list *list, cover_term term)
{
    if (list->count == list->room) {
        const size_t room = list->room ? list->room * 2 : 256;
        cover_term *more = room <= MOST_TERMS ? realloc(list->at, room * sizeof *more) : NULL;
        if (!more)
            return false;
        list->at = more;
        list->room = room;
    }
    list->at[list->count++] = term;
    return true;
}

static int by_care(const void *a, const void *b)
{
    const cover_term *x = a, *y = b;
    if (x->care != y->care)
        return x->care < y->care ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static const cover_term *find(const term_list *list, cover_term term)
{
    return bsearch(&term, list->at, list->count, sizeof term, by_care);
}

static void sort_once(term_list *list)
{
    if (list->count == 0)
        return;
    qsort(list->at, list->count, sizeof *list->at, by_care);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (by_care(&list->at[i], &list->at[i - 1]) != 0)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

/* Terms of one size that no neighbour joins are prime; the joined ones are the next size. */
static bool find_primes(const bool *truth, int inputs, term_list *primes)
{
    term_list now = {0}, next = {0};
    bool fits = true;
    for (uint32_t row = 0; fits && row < (uint32_t)1 << inputs; row++)
        if (truth[row])
            fits = push(&now, (cover_term){row, ((uint32_t)1 << inputs) - 1});
    while (fits && now.count) {
        sort_once(&now);
        next.count = 0;
        for (size_t i = 0; fits && i < now.count; i++) {
            bool joined = false;
            for (int b = 0; fits && b < inputs; b++) {
                const uint32_t bit = (uint32_t)1 << b;
                if (now.at[i].care & bit && find(&now, (cover_term){now.at[i].value ^ bit, now.at[i].care})) {
                    joined = true;
                    fits = push(&next, (cover_term){now.at[i].value & ~bit, now.at[i].care & ~bit});
                }
            }
            if (fits && !joined)
                fits = push(primes, now.at[i]);
        }
        const term_list kept = now;
        now = next;
        next = kept;
    }
    free(now.at);
    free(next.at);
    return fits;
}

static bool covers(cover_term term, uint32_t row)
{
    return (row & term.care) == term.value;
}

/* Rows that the term covers and `open` has not lost yet. */
static size_t gain(cover_term term, const bool *open, uint32_t rows)
{
    size_t count = 0;
    for (uint32_t row = 0; row < rows; row++)
        count += open[row] && covers(term, row);
    return count;
}

static bool take(cover_term term, bool *open, uint32_t rows, term_list *chosen)
{
    for (uint32_t row = 0; row < rows; row++)
        if (covers(term, row))
            open[row] = false;
    return push(chosen, term);
}

/* First the primes that alone cover a row, then the one with the largest gain, of equal ones the shortest. */
static bool choose_primes(const term_list *primes, bool *open, uint32_t rows, term_list *chosen)
{
    for (uint32_t row = 0; row < rows; row++) {
        size_t only = 0, count = 0;
        for (size_t i = 0; open[row] && count < 2 && i < primes->count; i++)
            if (covers(primes->at[i], row))
                only = i, count++;
        if (count == 1 && !take(primes->at[only], open, rows, chosen))
            return false;
    }
    for (;;) {
        size_t best = 0, most = 0;
        for (size_t i = 0; i < primes->count; i++) {
            const size_t own = gain(primes->at[i], open, rows);
            if (own > most ||
                (own == most && own &&
                 __builtin_popcount(primes->at[i].care) < __builtin_popcount(primes->at[best].care)))
                most = own, best = i;
        }
        if (most == 0)
            return true;
        if (!take(primes->at[best], open, rows, chosen))
            return false;
    }
}

/* The list becomes the content of the buffer; their number, or -1 if there is no memory. */
static int put_terms(const term_list *list, buffer *terms)
{
    if (buffer_reserve(terms, list->count, sizeof *list->at, false) != NLM_OK)
        return -1;
    if (list->count)
        memcpy(terms->data, list->at, list->count * sizeof *list->at);
    return (int)list->count;
}

int cover_primes(const bool *truth, int inputs, buffer *terms)
{
    term_list primes = {0};
    const int count = find_primes(truth, inputs, &primes) ? put_terms(&primes, terms) : -1;
    free(primes.at);
    return count;
}

int cover_find(const bool *truth, int inputs, buffer *terms)
{
    const uint32_t rows = (uint32_t)1 << inputs;
    term_list primes = {0}, chosen = {0};
    bool *open = malloc(rows * sizeof *open);
    bool fits = open && find_primes(truth, inputs, &primes);
    if (fits) {
        memcpy(open, truth, rows * sizeof *open);
        fits = choose_primes(&primes, open, rows, &chosen);
    }
    const int count = fits ? put_terms(&chosen, terms) : -1;
    free(open);
    free(primes.at);
    free(chosen.at);
    return count;
}
