/* What a machine concludes about the tuples of a world, against the truth. */
#ifndef REPORT_CONFUSION_H
#define REPORT_CONFUSION_H

#include "report/asking.h"
#include "report/page.h"

/* Each target of the world, whose labels are the truth: a matrix of the pairs of objects, a strip of single
 * ones, counts and the first errors for anything else.  `title` is any text.  A world that is too large, or
 * that the machine does not fit, is an error and leaves the page as it was. */
nlm_status confusion_put(page *p, nlm_machine *machine, const nlm_signature *signature,
                         const nlm_world *world, const char *title, nlm_error *error);

#endif
