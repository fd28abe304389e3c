/* What `nlm check` looks at, shared by its parts: what is in a problem and what looks wrong
 * (check.c), what learning from it needs (check_needs.c), and whether its templates will do
 * (check_templates.c).
 *
 * Each part prints for people or, with `json`, members of one JSON object. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <stdbool.h>
#include "nlm/nlm.h"

enum { CHECK_TEXT = 200 }; /* of a fact or predicate; longer ones are cut */

typedef struct check {
    const char *argument, *path; /* as it was given, and as people are told of it */
    const nlm_problem *problem;
    const nlm_signature *signature;
    nlm_options options;
    bool json;
    int warnings; /* printed so far */
} check;

/* ---- parts ---- */

/* What cannot be found out is an error line too, but the rest of the output stands. */
void check_needs(const check *of);
/* Nothing where there are none. */
void check_templates(const check *of);

/* ---- texts ---- */

/* "uncle/2" */
const char *check_predicate(const nlm_predicate *predicate, char text[CHECK_TEXT]);
#endif
