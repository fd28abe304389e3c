/* A program for labels of which some are wrong: chosen by literals + errors (fit_clauses.h), for all targets.
 *
 * Cross-validation says what it is worth, so that no labels need to be held out. */
#ifndef LEARN_NOISY_PROGRAM_H
#define LEARN_NOISY_PROGRAM_H

#include "base/team.h"
#include "learn/rule_worlds.h"
#include "nlm/evidence.h"
#include "nlm/program.h"

typedef struct noisy_program {
    nlm_program *program;  /* owned; NULL: none is worth anything, or no machine can have it */
    int literals, errors;  /* sum of all targets; labels that it contradicts */
    nlm_answers validated; /* of cross-validation */
    char reason[200];      /* why there is none */
} noisy_program;

/* From the labels that are learned from, or with `all` from those held out, too. */
nlm_status noisy_program_find(struct rule_worlds *worlds, bool all, const nlm_signature *signature,
                              struct team *team, noisy_program *found, nlm_error *error);
/* Whether cross-validation shows a rule and not chance: what it says is true is so more often than the rest.
 */
bool noisy_program_is_supported(const noisy_program *found);

#endif
