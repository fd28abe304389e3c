/* A text file being written: atoms, facts and fields of tables. */
#ifndef FACTS_OUTPUT_H
#define FACTS_OUTPUT_H

#include "base/file.h"
#include "nlm/facts.h"
#include "syntax/prolog.h"

typedef struct output {
    file_writer *writer;
    const char *path;
    buffer space;      /* where an atom or fact is put together */
    nlm_status status; /* of the first failure; what comes after it does nothing */
    nlm_error *error;
} output;

/* Open a writer and write to it. */
void output_open(output *out, file_writer *writer, const char *path, nlm_error *error);
/* Close the writer, which is then to be committed or aborted; nothing is left behind if anything failed. */
nlm_status output_close(output *out);

void output_text(output *out, const char *text);
void output_part(output *out, prolog_name part);
void output_atom(output *out, const char *atom);
void output_predicate(output *out, const char *name);
/* likes(a, 'Bart S.') */
void output_fact(output *out, const nlm_signature *signature, const nlm_predicate *predicate,
                 const nlm_world *world, const int *tuple);
/* A field of CSV, in quotes where it must be, or of TSV, which may not hold tabs and ends of lines. */
void output_field(output *out, const char *text, bool tabs);

#endif
