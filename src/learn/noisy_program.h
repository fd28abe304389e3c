/* A program for labels of which some are wrong: chosen by literals + errors (fit_clauses.h), for all targets.
 *
 * Only labels that are learned from count; those held out are not looked at. */
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

nlm_status noisy_program_find(struct rule_worlds *worlds, const nlm_signature *signature, struct team *team,
                              noisy_program *found, nlm_error *error);
/* The same for a program that contradicts no label (fit_exact.h), or none. */
nlm_status exact_program_find(struct rule_worlds *worlds, const nlm_signature *signature, struct team *team,
                              noisy_program *found, nlm_error *error);
/* Whether cross-validation shows a rule and not chance: what it says is true is so more often than the rest.
 */
bool noisy_program_is_supported(const noisy_program *found);

#endif
