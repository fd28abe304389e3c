/* Alternatives of a learned program: other programs that agree with every example that it was found from.
 *
 * Where all of them agree with the model's program about a tuple, its answer is covered by the examples;
 * where one differs, it is beyond them (docs/maths.md, section 16).  They are found when the program is, a
 * bounded number for each target, and are kept in the model file.  With most comes its case: clauses
 *
 *     case :- mother(X, Y), \+ father(X, _).
 *
 * that are true in no example, and without which the two programs are the same. */
#ifndef NLM_ALTERNATIVES_H
#define NLM_ALTERNATIVES_H

#include "nlm/program.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NLM_MAX_ALTERNATIVES = 32 }; /* of a target */

typedef struct nlm_alternatives nlm_alternatives;

typedef struct nlm_alternative {
    int target;                /* of the model's signature */
    const nlm_program *rules;  /* which have that target alone */
    const nlm_program *differ; /* its case; NULL: not known */
    const char *words;         /* of the case: "mother(X, Y) without father(X, Z)"; "" */
    nlm_program_size size;     /* of the rules */
} nlm_alternative;

/* Those that a model file has; NLM_BAD_FILE if they are broken.  *alternatives is NULL where it has none:
 * then it is not known what its examples leave open.  `name` stands for the model in messages. */
nlm_status nlm_alternatives_in(const nlm_machine *machine, const char *name, nlm_alternatives **alternatives,
                               nlm_error *error);
void nlm_alternatives_free(nlm_alternatives *alternatives);
/* Target by target, in each the smallest first. */
int nlm_alternatives_count(const nlm_alternatives *alternatives);
const nlm_alternative *nlm_alternatives_at(const nlm_alternatives *alternatives, int number);
/* Example worlds with which all of them were compared. */
long nlm_alternatives_worlds(const nlm_alternatives *alternatives);

#ifdef __cplusplus
}
#endif
#endif
