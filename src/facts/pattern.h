/* Patterns: which places of a fact hold the same object.
 *
 * place[k] numbers the objects in the order they first occur: likes(a, b) is {0, 1}, likes(a, a) is {0, 0}.
 * A pattern's code has place[k], which is at most k, as its digit of base k + 1. */
#ifndef FACTS_PATTERN_H
#define FACTS_PATTERN_H

#include <stdbool.h>
#include "nlm/facts.h"

enum { PATTERN_CODES = 24 }; /* 1 * 2 * 3 * 4 */

static inline int pattern_code(const int *place, int arity)
{
    static const int weight[NLM_MAX_FACT_ARITY] = {0, 1, 2, 6};
    int code = 0;
    for (int k = 1; k < arity; k++)
        code += place[k] * weight[k];
    return code;
}

/* The places of a code; the result is the number of different objects. */
static inline int pattern_places(int code, int arity, int *place)
{
    int objects = 0;
    for (int k = 0; k < arity; k++) {
        place[k] = code % (k + 1);
        code /= k + 1;
        objects = place[k] >= objects ? place[k] + 1 : objects;
    }
    return objects;
}

/* The code of the pattern in which no object is repeated. */
static inline int pattern_plain(int arity)
{
    static const int code[NLM_MAX_FACT_ARITY + 1] = {0, 0, 1, 5, 23};
    return code[arity];
}

/* Whether each place repeats an earlier object or holds the next one. */
static inline bool pattern_is_valid(const int *place, int arity)
{
    int objects = 0;
    for (int k = 0; k < arity; k++) {
        if (place[k] < 0 || place[k] > objects)
            return false;
        objects += place[k] == objects;
    }
    return true;
}

/* The pattern of a fact whose places have these atoms and types: its code, and the place in which each
 * different object is first. */
static inline int pattern_of(const int *atoms, const int *types, int arity, int *first, int *objects)
{
    int place[NLM_MAX_FACT_ARITY], count = 0;
    for (int k = 0; k < arity; k++) {
        int same = 0;
        while (same < count && (atoms[first[same]] != atoms[k] || types[first[same]] != types[k]))
            same++;
        place[k] = same;
        if (same == count)
            first[count++] = k;
    }
    *objects = count;
    return pattern_code(place, arity);
}

#endif
