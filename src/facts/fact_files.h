/* Sources: which files a path stands for, read into a draft. */
#ifndef FACTS_FACT_FILES_H
#define FACTS_FACT_FILES_H

#include "facts/draft.h"

/* Read a file of facts ("-": standard input), a table, or a folder of one of the forms of nlm_problem_read.
 * With a model's signature no bias.pl is read. */
nlm_status fact_files_read(draft *to, const char *path, const nlm_reading *reading, nlm_error *error);

/* The text of one file, ended by 0, as facts or as examples. */
nlm_status fact_files_text(draft *to, bool examples, char *text, size_t size, const char *file,
                           nlm_error *error);

#endif
