/* Why a conclusion of a program is true or false in a world: its derivation, with facts at its leaves, or the
 * literals that fail. */
#ifndef NLM_WHY_H
#define NLM_WHY_H

#include <stdio.h>
#include "nlm/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_why nlm_why;

/* Program, signature and world must outlive it.  The signature is that of the world. */
nlm_status nlm_why_new(const nlm_program *program, const nlm_signature *signature, const nlm_world *world,
                       nlm_why **why, nlm_error *error);
void nlm_why_free(nlm_why *why);

/* The target and the different objects of an atom, "uncle(ann, bob)".  NLM_BAD_ARGUMENT names what is not
 * there. */
nlm_status nlm_why_atom(const nlm_why *why, const char *text, int *target, int tuple[NLM_MAX_BREADTH],
                        nlm_error *error);

/* The atom as an indented tree or, with `json`, as one JSON object {"literal", "holds", "because"}.  Of a
 * true atom: a clause whose literals hold, and why each of them does.  Of a false one: its clauses, those
 * first of which fewest literals fail, with the objects for which that is so.  `holds` may be NULL. */
nlm_status nlm_why_write(nlm_why *why, int target, const int *tuple, bool json, FILE *stream, bool *holds,
                         nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
