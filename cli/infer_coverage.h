/* Which conclusions the examples of a model cover, as nlm infer prints it. */
#ifndef CLI_INFER_COVERAGE_H
#define CLI_INFER_COVERAGE_H

#include "nlm/nlm.h"

enum { COVERAGE_CASES = 3, COVERAGE_WORDS = 600 };

typedef struct coverage_report {
    nlm_coverage_basis basis; /* of none nothing is printed */
    const nlm_alternatives *alternatives;
    const char *model;
    nlm_coverage_count count;
    size_t *first; /* tuples beyond the examples, for each alternative that is the first to differ */
    char never_seen[COVERAGE_CASES][COVERAGE_WORDS]; /* in examples: what worlds have; then "" */
    int unknown;                                     /* worlds */
} coverage_report;

/* False after an error line. */
bool coverage_begin(const char *command, const char *model, const nlm_inference *inference,
                    coverage_report *report);
void coverage_end(coverage_report *report);

/* "covered", "beyond" or "unknown". */
const char *coverage_name(const nlm_conclusion *conclusion);
/* What follows a fact: a comment if it is beyond the examples, or nothing. */
const char *coverage_comment(const nlm_conclusion *conclusion);
/* , "coverage": "beyond", "no_example_had": "..." */
void coverage_json(const coverage_report *report, const nlm_conclusion *conclusion);

/* The world that was asked about last. */
nlm_status coverage_add(coverage_report *report, nlm_inference *inference, nlm_error *error);
/* How many are beyond the examples, and which examples would decide them: one note. */
void coverage_note(const coverage_report *report);

#endif
