/* Sources: which files a path stands for, read into a draft. */
#ifndef FACTS_FACT_FILES_H
#define FACTS_FACT_FILES_H

#include "facts/draft.h"

/* Read a file of facts ("-": standard input), or a folder of one of the forms of nlm_problem_read.  Without
 * `use_bias` no bias.pl is read. */
nlm_status fact_files_read(draft *to, const char *path, bool use_bias, nlm_error *error);

/* The text of one file, ended by 0, as facts or as examples. */
nlm_status fact_files_text(draft *to, bool examples, char *text, size_t size, const char *file,
                           nlm_error *error);

#endif
