/* What an oracle works with: the true facts of a world as lists of neighbours, walks along them, labels.
 *
 * Oracles read the world's facts and nothing else, so that they label worlds written by hand as well. */
#ifndef TASK_ORACLE_H
#define TASK_ORACLE_H

#include <stdbool.h>
#include "nlm/world.h"

enum { MAX_PREDICATES = 5, SPARE_ROWS = 6 };

/* Binary: p(x, y) is true for the objects y in items[starts[x]] .. items[starts[x + 1] - 1], each of them
 * once.  Unary: no starts; items[x] says whether p(x) is true. */
typedef struct relation {
    const int *starts;
    const int *items;
} relation;

/* All arrays are the world's scratch memory. */
typedef struct oracle {
    nlm_world *world;
    int objects;
    int target, arity; /* of the target */
    int parameter;     /* which question, how long a path, how many edges */
    unsigned along;    /* bit k: walks may follow predicate k */
    relation facts[MAX_PREDICATES];
    int *spare; /* SPARE_ROWS rows of one zero per object */
    int *pairs; /* two zeros per pair of objects, where asked for */
    int *room;  /* for oracle_reverse */
    nlm_error *error;
} oracle;

/* Read `count` predicates of the world into `facts`, and make room.  A fact is true when its value is above
 * one half; of a fact added again the last value counts. */
nlm_status oracle_read(oracle *o, const int *predicates, int count, bool pairs);

/* Whether p(x, y) is true; whether it is for a y that has the mark. */
bool relation_holds(const relation *facts, int x, int y);
bool relation_meets(const relation *facts, int x, const int *marked, int mark);

/* The same facts read backwards: y's neighbours x for p(x, y).  There is room for one relation. */
relation oracle_reverse(const oracle *o, const relation *facts);

/* Everything reached by one step from the objects in `from`, each of them once: `seen` holds the stamp of the
 * last step that reached an object.  `which` says which of several relations may be followed: bit k stands
 * for relations[k]. */
int walk_step(const relation *relations, unsigned which, const int *from, int from_count, int *to, int *seen,
              int stamp);

/* All objects within `length` steps of x in the order of their distance, x first, and the distance of the
 * farthest.  `seen` holds 1 + the object from which an object was last reached. */
int walk_reach(const relation *relations, unsigned which, int x, int length, int *reached, int *seen,
               int *farthest);

/* Label one more tuple as true: x, or x and y, as the target has one or two variables. */
nlm_status oracle_label(const oracle *o, int x, int y);
/* Label (x, y) for all y reached that are not x; with a target of one variable, x if there is any. */
nlm_status oracle_label_reached(const oracle *o, int x, const int *reached, int count);

/* Oracle: a walk of at most `parameter` facts, 0 for any number, leads from x to y along `along`. */
nlm_status oracle_label_connected(oracle *o);
/* Oracle: the same along predicate 0, forwards or backwards at each step. */
nlm_status oracle_label_linked(oracle *o);

/* The longest of all shortest walks along the facts of these predicates of a world. */
nlm_status oracle_longest_walk(nlm_world *world, const int *predicates, int count, int *length,
                               nlm_error *error);

#endif
