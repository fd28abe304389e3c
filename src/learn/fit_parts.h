/* What searches for sets of clauses share: labels dealt out to parts, and the labels that clauses hold for.
 */
#ifndef LEARN_FIT_PARTS_H
#define LEARN_FIT_PARTS_H

#include "learn/fit_clauses.h"

/* Labels to find clauses by; all others are asked. */
typedef struct fit_labels {
    const clause_data *data;
    uint64_t *used; /* owned */
} fit_labels;

static inline bool fit_has(const uint64_t *set, int label)
{
    return set[label / 64] >> (label % 64) & 1;
}

static inline bool fit_is_true(const clause_data *data, int label)
{
    return ((const bool *)data->truth.data)[label];
}

/* Parts that each leave out some labels, and one more, the last, that leaves out none.  True and false labels
 * are dealt out apart, in random order, the same in all runs.  To be freed whatever the status. */
nlm_status fit_deal(const clause_data *data, fit_labels labels[FIT_PARTS + 1], nlm_error *error);
void fit_add_answers(nlm_answers *to, nlm_answers more);

/* Sets of labels: of each clause, of all together, and one that a new clause is put into. */
typedef struct covers {
    size_t words;
    uint64_t *of[FIT_CLAUSES], *together, *spare;
} covers;

nlm_status covers_make(covers *made, const clause_data *data, nlm_error *error);
void covers_free(covers *of);
/* `together` becomes the labels of all clauses but one (-1: all). */
void covers_join(covers *of, int count, int without);
/* Clause c and its set go. */
void covers_drop(covers *of, fitted_clauses *fitted, int c);
/* Literals, errors, and answers about labels that are not used. */
void covers_measure(const fit_labels *labels, fitted_clauses *fitted, covers *of);
/* Wrong answers about labels that are used, by the set `together`. */
int covers_errors(const fit_labels *labels, const covers *of);

#endif
