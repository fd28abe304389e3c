/* The picture of conclusions about pairs or single objects, and what it is drawn from. */
#ifndef REPORT_MATRIX_H
#define REPORT_MATRIX_H

#include "report/asking.h"
#include "report/page.h"

/* What became of a tuple. */
#define CELL_TRUE '+'       /* true, and concluded */
#define CELL_FALSE '.'      /* false, and not concluded */
#define CELL_MISSED 'o'     /* true, but not concluded */
#define CELL_INVENTED 'x'   /* false, but concluded */
#define CELL_UNLABELLED '?' /* nobody knows */
#define CELL_NONE '-'       /* it repeats an object: no tuple */
#define CELL_KINDS "+.ox?-"

/* The conclusions about one target: tuples by number, the last object first to change. */
typedef struct confusion {
    const nlm_signature *signature;
    const nlm_world *world;
    int target, objects, arity;
    size_t count;
    char *kind;
    float *probability;
    size_t counts[sizeof CELL_KINDS];
} confusion;

/* "uncle(p3, p7): truth yes, concluded no, 0.12" */
void confusion_said(const confusion *of, size_t number, char *text, size_t size);

/* Whether it can be drawn: pairs or single objects, and not too many. */
bool matrix_fits(const confusion *of);
void matrix_put(page *p, const confusion *of);

#endif
