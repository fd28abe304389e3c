/* Neighbourhoods: small worlds to learn from, drawn from one large world.
 *
 * A machine of breadth 3 looks at all triples of objects, a thousand million of them in a world of 1,000.  A
 * label mostly depends on the facts near its tuple, so small worlds are drawn around labelled tuples, each
 * with all facts of the large world about its objects.
 *
 * Words: two objects are *adjacent* if a fact is about both; the *ball* of a tuple is all objects within
 * `radius` steps of one of its objects.  A neighbourhood has a *centre*, a labelled tuple, and a *core*,
 * objects whose balls lie within it, those of the centre first.  Labels of tuples over the core are given,
 * and no others: by docs/maths.md, section 19, programs that reach no farther than the radius have the same
 * truth there as in the large world.
 *
 * A ball of more than `most` objects is sampled: of its objects stay those nearest to all of the centre's
 * objects, and only the centre is labelled.
 *
 * Example: grandparent in 1,000 people, at most 40 objects.  The centre is (ann, eve), the radius 2: parents
 * and grandparents, children and grandchildren, siblings of both.  There is room for the balls of ann's
 * mother and of eve's son, so all pairs of these four are labelled. */
#ifndef LEARN_NEIGHBOURHOODS_H
#define LEARN_NEIGHBOURHOODS_H

#include <stdint.h>
#include "nlm/facts.h"

/* Labels that are learned from, held out and, for cross-validation, hidden.  The side of a label depends on
 * its tuple alone, and is the same for all runs. */
enum {
    SIDE_LEARNED,
    SIDE_HELD_OUT,
    SIDE_HIDDEN,
    SIDES,
    SIDE_NAMED = SIDES, /* of those learned from, named by neighbourhoods_name */
    SIDE_ALONE          /* those learned from, each its ball alone with the label of its centre */
};

/* Objects of a neighbourhood for a problem that is one world of more than LARGE_WORLD objects, else 0. */
enum { LARGE_WORLD = 150, USUAL_NEIGHBOURHOOD = 40 };
int neighbourhood_usual(const nlm_problem *problem);

struct neighbourhood_settings {
    int most;   /* objects of a neighbourhood; 0: room for most balls and some more objects */
    int radius; /* 0: the largest up to `reach` at which most balls fit */
    int reach;
    double held_out;
    int parts, hidden_part; /* nlm_settings */
};

struct neighbourhoods;

/* The world must outlive them. */
nlm_status neighbourhoods_new(const nlm_world *world, const struct neighbourhood_settings *settings,
                              struct neighbourhoods **made, nlm_error *error);
void neighbourhoods_free(struct neighbourhoods *of);

int neighbourhoods_radius(const struct neighbourhoods *of);
int neighbourhoods_most(const struct neighbourhoods *of);
/* The share of true centres whose objects are connected within their balls.  Rules about objects that hang
 * together see how only where it is as large as with larger radii. */
double neighbourhoods_connected(struct neighbourhoods *of);
int neighbourhoods_count(const struct neighbourhoods *of, int side);
/* Number `number` of a side in the place of what `into` has; objects keep their names.  Changes scratch
 * memory only: the same number gives the same world.  Those held out and hidden have the label of their
 * centre alone. */
nlm_status neighbourhoods_draw(struct neighbourhoods *of, int side, int number, nlm_world *into,
                               nlm_error *error);

/* A label to learn from as a centre; its number among those named. */
nlm_status neighbourhoods_name(struct neighbourhoods *of, int target, const int *tuple, int *number,
                               nlm_error *error);

/* Every label of a target in the large world, until the listener returns false.  Where there would be more
 * than LABELS_MOST tuples: those listed one by one, and as many as LABELS_SAMPLED of the others, chosen at
 * random. */
enum { LABELS_MOST = 20000000, LABELS_SAMPLED = 1000000 };
typedef bool (*label_listener)(void *context, int side, const int *tuple, bool is_true);
void neighbourhoods_labels(const struct neighbourhoods *of, int target, label_listener listener,
                           void *context);

#endif
