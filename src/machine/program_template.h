/* Programs of differentiable ILP: copies, and JSON for model files.
 *
 * nlm_program_template is a struct with pointers that a caller may fill from anywhere.  Machines keep a copy
 * of their own in one block, so that neither the caller's memory nor a file has to outlive them. */
#ifndef MACHINE_PROGRAM_TEMPLATE_H
#define MACHINE_PROGRAM_TEMPLATE_H

#include <jansson.h>
#include "nlm/machine.h"

/* A copy in one piece of memory, for memory_free; NLM_BAD_ARGUMENT if there is no target to copy. */
nlm_status program_template_copy(const nlm_program_template *program, nlm_program_template **copy);

/* The body of that name, `length` bytes long; false if there is none. */
bool program_find_body(const char *name, size_t length, nlm_body *body);

/* {"given": [{"name": "succ", "arity": 2, "negated": false}, ...],
 *  "defined": [{"name": "even", "arity": 1, "templates": [[0, "given"], [1, "defined"]]}, ...]}
 * NULL without memory, or where a name is not UTF-8. */
json_t *program_to_json(const nlm_program_template *program);
/* Also in one piece.  NLM_BAD_FILE if it has another form; its meaning is not checked. */
nlm_status program_from_json(const json_t *json, nlm_program_template **program);

#endif
