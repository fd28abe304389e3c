/* What the files of neighbourhoods share: neighbourhood_graph.c finds what is near, neighbourhood_centres.c
 * chooses labels, neighbourhoods.c draws worlds.
 *
 * Memory: the graph of the facts as lists of adjacent objects, facts by their first object, labels in the
 * order of their tuples' numbers, and the centres.  A neighbourhood itself is made when it is asked for. */
#ifndef LEARN_NEIGHBOURHOOD_PARTS_H
#define LEARN_NEIGHBOURHOOD_PARTS_H

#include "base/memory.h"
#include "learn/label_table.h"
#include "learn/neighbourhoods.h"

#define CENTRE_SEED 0x9d2c5680b1e7f4a3u /* of all choices: the same for all runs */

struct centre {
    int target;
    int tuple[NLM_MAX_BREADTH];
};

struct centres {
    struct centre *list;
    int count;
};

/* Objects by object. */
struct graph {
    size_t *first; /* [objects + 1], into */
    int *other;
};

struct neighbourhoods {
    const nlm_world *world;
    struct neighbourhood_settings settings;
    int objects, radius, most;
    struct graph adjacent, partners; /* in a fact; in a label that is true */
    size_t **fact_first;             /* of each predicate: [objects + 1], into */
    size_t **fact;                   /* numbers of facts by their first object */
    size_t **number_first, **number; /* of each attribute, likewise */
    struct label_table *labels;      /* of each target */
    struct centres side[SIDES];
    buffer named; /* struct centre */
    int names;
    /* scratch: stamps say in which search an object was met */
    int *met, stamp;
    int *found;              /* objects of the last search, nearest first */
    int *place;              /* in the world that is drawn, or -1 */
    int *chosen, count;      /* its objects */
    unsigned char *distance; /* [NLM_MAX_BREADTH][objects] */
    struct ranked *ranked;
};

/* An object of a ball that is sampled. */
struct ranked {
    int sum, least; /* of the distances from the centre's objects */
    uint32_t random;
    int object;
};

/* Graph, facts by object; labels are there already. */
nlm_status neighbourhood_index(struct neighbourhoods *of, nlm_error *error);
/* Objects within `radius` steps of the given ones into of->found, nearest first; ends at more than `most`. */
int neighbourhood_ball(struct neighbourhoods *of, const int *from, int count, int radius, int most);

/* The centres of all sides; then radius and size, where they were not given. */
nlm_status neighbourhood_choose_centres(struct neighbourhoods *of, nlm_error *error);
void neighbourhood_choose_size(struct neighbourhoods *of);
int neighbourhood_side(const struct neighbourhoods *of, int target, const int *tuple, bool is_true);

#endif
