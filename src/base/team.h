/* A team of threads that shares out the parts of a job.
 *
 * The parts are chosen by the caller from the sizes of the data alone, never from the number of threads, and
 * each part writes to its own place: that is why results are the same bits for any number of threads.
 *
 * Jobs here last microseconds and follow each other closely, so idle members watch for the next one a while
 * before they sleep.  Nobody waits for a member that has not begun a part: on a busy machine a team of two is
 * at worst as slow as one thread.  (OpenMP's teams meet at a barrier after each job, and one thread kept from
 * its processor stalls all; measured at up to a hundred times slower.) */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "nlm/status.h"

struct team;

typedef void (*team_part)(void *context, int part, int thread);

/* `threads` at least 2, the caller included; fewer give a NULL team, which is fine everywhere. */
nlm_status team_new(int threads, struct team **team);
void team_free(struct team *team);
/* How many threads there are, 1 for NULL. */
int team_threads(const struct team *team);

/* run(context, part, thread) once for each part in 0..parts-1; `thread` is below team_threads and names the
 * member, for scratch memory.  Returns when all parts are done.  One caller at a time. */
void team_run(struct team *team, int parts, team_part run, void *context);

#endif
