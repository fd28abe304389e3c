/* Derivations of conclusions, printed with them. */
#ifndef CLI_INFER_WHY_H
#define CLI_INFER_WHY_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct derivations {
    const nlm_signature *signature; /* NULL: none are printed */
    nlm_program *program;
    nlm_why *why; /* of the world that is asked about */
} derivations;

/* Of a model, which must be a program; false after an error line.  The signature is that of the worlds. */
bool derivations_begin(const char *command, const char *model, nlm_machine *machine,
                       const nlm_signature *signature, derivations *of);
bool derivations_world(const char *command, derivations *of, const nlm_world *world);
void derivations_end(derivations *of);

/* Below a conclusion, as lines of comment; a derivation that takes too many steps is a line that says so. */
nlm_status derivations_comment(const derivations *of, const nlm_conclusion *conclusion, nlm_error *error);
/* As a member of a JSON object: , "why": {...}; null if it takes too many steps. */
nlm_status derivations_json(const derivations *of, const nlm_conclusion *conclusion, nlm_error *error);

#endif
