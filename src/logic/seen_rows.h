/* Rows: which combinations of values the parts of a program had in its examples.
 *
 * A *unit* is a Boolean function in a target's formula: the body of the target, or of a quantifier, whose
 * inputs are atoms, equalities and the quantified formulas in it.  A row is a combination of values of its
 * inputs, of which examples are counted.
 *
 *     uncle(X, Y) :- exists Z: [ (father(X, Z) or mother(X, Z)) and brother(Z, Y) ]        8 rows of 3 inputs
 *
 * A unit rises in inputs that it has without negation and falls in those that it has negated.  A row that
 * never occurred is *open* if its value does not follow from rows that did: it is true if a row below it was
 * seen and is true, false if a row above it was seen and is false.  No example decides open rows.  With them
 * a target lies between two programs, which agree with all examples as it does: `least`, true only where that
 * does not depend on open rows, and `most`, false only there (docs/maths.md, section 16).
 *
 * A unit of more than ROWS_MOST_INPUTS inputs is taken apart: each part of its `and` or `or` is one. */
#ifndef LOGIC_SEEN_ROWS_H
#define LOGIC_SEEN_ROWS_H

#include "logic/truth.h"

/* Metadata of a model: {"worlds": 1040, "program": "...", "units": [[row, count, ...], ...]} */
#define ROWS_KEY "rules_seen"

enum {
    ROWS_MOST_INPUTS = TRUTH_MOST_PARTS,
    ROWS_MOST_UNITS = 1024,
    ROWS_MOST_LITERALS = 4000, /* of a target, with what it uses in its place */
    ROWS_MOST_CASES = 32
};

typedef struct rows rows;

/* The units of a program, no row of which is seen yet.  *made is NULL if it is too large for that. */
nlm_status rows_new(const nlm_program *program, rows **made, nlm_error *error);
void rows_free(rows *of);
/* In whose store the formulas are. */
nlm_program *rows_program(rows *of);
int rows_units(const rows *of);
/* Units that are not counted since their tables are too large. */
int rows_uncounted(const rows *of);
/* Adds the worlds of a group, which is about that program. */
nlm_status rows_count(rows *of, truth *group, nlm_error *error);
void rows_add_worlds(rows *of, long worlds);
long rows_worlds(const rows *of);
/* The target's formula, and the two that it lies between. */
formula rows_own(const rows *of, int target);
nlm_status rows_bounds(rows *of, int target, formula *least, formula *most, nlm_error *error);

/* What no example decides: sentences ("exists X: ...") of a target that are true where
 * a row is open, the shortest first; their number. */
nlm_status rows_cases(rows *of, int target, formula cases[ROWS_MOST_CASES], int *count, nlm_error *error);

/* As metadata; to be freed with free(). */
nlm_status rows_text(const rows *of, char **text, nlm_error *error);
/* The text of a file that nobody vouches for, about the program that the file has. */
nlm_status rows_parse(const char *text, const char *name, const nlm_program *program, rows **made,
                      nlm_error *error);

#endif
