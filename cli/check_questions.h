/* Questions that facts pose to a model: nlm check with --model. */
#ifndef CLI_CHECK_QUESTIONS_H
#define CLI_CHECK_QUESTIONS_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* Atoms of the facts whose truth would tell the model's program from its alternatives, the most telling
 * first; false after an error line. */
bool check_questions(const char *path, const char *model, const nlm_options *options, bool json);

#endif
