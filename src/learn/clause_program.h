/* A program of clauses (fit_clauses.h), for all targets: without errors; or, for labels of which some are
 * wrong, chosen by literals + errors.
 *
 * Cross-validation says what the second is worth, so that no labels need to be held out. */
#ifndef LEARN_CLAUSE_PROGRAM_H
#define LEARN_CLAUSE_PROGRAM_H

#include "base/team.h"
#include "learn/rule_worlds.h"
#include "nlm/evidence.h"
#include "nlm/program.h"

/* Clauses are looked for after hardening and elimination; or nothing else is, of a machine that has not
 * learned its labels: without errors, or by literals and errors. */
typedef enum rule_clauses { RULE_CLAUSES_LAST, RULE_CLAUSES_EXACT, RULE_CLAUSES_NOISY } rule_clauses;

typedef struct clause_program {
    nlm_program *program;  /* owned; NULL: none is worth anything, or no machine can have it */
    int literals, errors;  /* sum of all targets; labels that it contradicts */
    nlm_answers validated; /* of cross-validation; all 0: there was none */
    char reason[200];      /* why there is none */
} clause_program;

/* From the labels that are learned from, or with `all` from those held out, too. */
nlm_status clause_program_find(struct rule_worlds *worlds, bool all, const nlm_signature *signature,
                               struct team *team, clause_program *found, nlm_error *error);
/* From these worlds, which have the inputs and the targets of the signature. */
nlm_status clause_program_of_worlds(const nlm_world *const *worlds, int count, const nlm_signature *signature,
                                    struct team *team, clause_program *found, nlm_error *error);
/* Without errors about the labels that are learned from, and none about those held out; with `validate` all
 * labels are learned from then, and asked in cross-validation. */
nlm_status clause_program_find_exact(struct rule_worlds *worlds, bool validate,
                                     const nlm_signature *signature, struct team *team, clause_program *found,
                                     nlm_error *error);
/* Whether cross-validation shows a rule and not chance: what it says is true is so more often than the rest.
 */
bool clause_program_is_supported(const clause_program *found);

#endif
