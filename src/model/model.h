/* A model inside the library: a model file in memory, and what was made of it.
 *
 * `bytes` never change; everything else is made from them when it is first asked for. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/memory.h"
#include "nlm/model.h"
#include "nlm/why.h"

struct nlm_model {
    char *name; /* in messages: where it was loaded from, or what it learned */
    buffer bytes;
    size_t size; /* of them */
    nlm_machine *machine;
    nlm_inference *inference; /* NULL until it was asked */
    nlm_signature *signature; /* likewise */
    nlm_program *program;     /* likewise */
    char line[NLM_PROGRESS_LINE];
};

/* Takes over the bytes, whatever the status. */
nlm_status model_of_bytes(buffer *bytes, size_t size, const char *name, nlm_model **model, nlm_error *error);
/* The model of a file, under another name. */
nlm_status model_of_file(const char *path, const char *name, nlm_model **model, nlm_error *error);

#endif
