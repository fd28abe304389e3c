/* Settings of a course, inside the library. */
#ifndef LEARN_COURSE_H
#define LEARN_COURSE_H

#include "learn/settings.h"
#include "nlm/play.h"

enum { COURSE_MOST_BATCH = 1024, COURSE_MOST_POOL = 10000 };

/* The game, the protocol and the spec are not among the numbers. */
extern const struct settings_table course_table;

/* Settings that a run can begin with. */
nlm_status course_check(const nlm_course *course, nlm_error *error);

#endif
