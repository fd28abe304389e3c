/* Names that a mistyped one may have meant: the distance of Levenshtein, over a name and over its parts. */
#include "base/nearest.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include "nlm/tools.h"

enum { NOT_NEAR = INT_MAX };

int nearest_distance(const char *a, int a_length, const char *b, int b_length)
{
    int row[NEAREST_LETTERS + 1];
    if (b_length > NEAREST_LETTERS)
        return NOT_NEAR;
    for (int j = 0; j <= b_length; j++)
        row[j] = j;
    for (int i = 1; i <= a_length; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

/* The least distance over all sequences of parts, of which each is one farther than the whole; NOT_NEAR when
 * none is near. */
static int name_distance(const char *name, const char *listed)
{
    const int length = (int)strnlen(listed, NEAREST_LETTERS + 1);
    const int own = (int)strnlen(name, 2 * NEAREST_LETTERS + 1), most = own > 1 ? (own + 2) / 3 : 0;
    int least = NOT_NEAR;
    if (length > NEAREST_LETTERS || own > 2 * NEAREST_LETTERS) /* a third less leaves such a name too long */
        return least;
    for (int first = 0; first < length; first++) {
        if (first > 0 && listed[first - 1] != '-')
            continue;
        for (int last = first + 1; last <= length; last++) {
            if (last < length && listed[last] != '-')
                continue;
            const bool whole = first == 0 && last == length;
            const int changes = nearest_distance(name, own, listed + first, last - first);
            if (changes <= most && changes + !whole < least)
                least = changes + !whole;
        }
    }
    return least;
}

int nlm_nearest_names(const char *name, nlm_name_list list, const char **nearest, int most)
{
    int least = NOT_NEAR;
    for (int i = 0; list.at(list.context, i) != NULL; i++) {
        const int found = name_distance(name, list.at(list.context, i));
        if (found < least)
            least = found;
    }
    int count = 0;
    for (int wanted = least; least < NOT_NEAR && wanted <= least + 1; wanted++) {
        for (int i = 0; count < most && list.at(list.context, i) != NULL; i++) {
            if (name_distance(name, list.at(list.context, i)) == wanted)
                nearest[count++] = list.at(list.context, i);
        }
    }
    return count;
}
