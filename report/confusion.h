/* What a machine concludes about the tuples of a world, against the truth. */
#ifndef REPORT_CONFUSION_H
#define REPORT_CONFUSION_H

#include "nlm/facts.h"
#include "nlm/machine.h"
#include "nlm/program.h"
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
    const nlm_program *program; /* that concludes it, or NULL */
    bool *explained; /* of each tuple, with a program: whether its derivation is below (derivations.h) */
    int figure;      /* its number on the page, for anchors */
} confusion;

/* "uncle(p3, p7): truth yes, concluded no, 0.12"; returns the text. */
enum { CONCLUSION_SIZE = 480 };
const char *conclusion_text(const confusion *of, size_t number, char text[CONCLUSION_SIZE]);

/* Each target of the world, whose labels are the truth: a matrix of the pairs of objects, a strip of single
 * ones, counts and the first errors for anything else.  `title` is any text.  A world that is too large, or
 * that the machine does not fit, is an error and leaves the page as it was.  With the program of the machine
 * (else NULL) the derivations of conclusions are shown; *figures counts the figures of the page. */
nlm_status confusion_put(page *p, nlm_machine *machine, const nlm_signature *signature,
                         const nlm_world *world, const nlm_program *program, int *figures, const char *title,
                         nlm_error *error);
/* The picture of conclusions about pairs or single objects. */
void matrix_put(page *p, const confusion *of);

#endif
