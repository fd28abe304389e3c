/* What `nlm check` looks at, shared by its parts: what is in a problem (check.c), what looks wrong
 * (check_warnings.c), what learning from it needs (check_needs.c), and whether its templates will do
 * (check_templates.c).
 *
 * Each part prints for people or, with `json`, members of one JSON object. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <stdbool.h>
#include "nlm/nlm.h"

enum { CHECK_TEXT = 200 }; /* of a fact or predicate; longer ones are cut */

/* Of one target in all worlds; tuples that do not have its types do not count. */
typedef struct target_count {
    double positive, negative, unlabelled;
} target_count;

typedef struct check {
    const char *argument, *path; /* as it was given, and as people are told of it */
    const nlm_problem *problem;
    const nlm_signature *signature;
    nlm_options options;
    bool json;
    size_t *facts; /* of each input, in all worlds */
    target_count targets[NLM_MAX_HEADS];
    int warnings; /* printed so far */
} check;

/* ---- parts ---- */

/* False after an error line. */
bool check_warnings(check *of);
/* What cannot be found out is an error line too, but the rest of the output stands. */
void check_needs(const check *of);
/* Nothing where there are none. */
void check_templates(const check *of);

/* ---- texts ---- */

/* "uncle/2" */
const char *check_predicate(const nlm_predicate *predicate, char text[CHECK_TEXT]);
/* An object's name, and a world's with `before` it, both fit for a line; nothing for a world without a name.
 */
const char *check_object(const check *of, const nlm_world *world, int object, char text[CHECK_TEXT]);
const char *check_world(const check *of, const char *before, int world, char text[CHECK_TEXT]);
/* "uncle(a, b)", and " of w1" where worlds have names. */
const char *check_fact(const check *of, int world, int target, const int *tuple, char text[CHECK_TEXT]);

/* Whether the facts of an input are the user's own. */
bool check_is_own(const nlm_predicate *input);

#endif
