/* Metrics of a run as JSON Lines: one object per round, that is per epoch or exam, flushed as it is written.
 *
 * A run that was interrupted repeats the rounds after its last checkpoint; the log keeps each of them once.
 */
#ifndef CLI_METRICS_H
#define CLI_METRICS_H

#include <stdio.h>
#include "nlm/nlm.h"

/* Whether a log can be written there: what it holds is left alone. */
nlm_status metrics_check(const char *path, nlm_error *error);
/* Open a log for a run that has `rounds` behind it: their lines, which begin with the number of the round
 * under its name ("epoch" or "exam"), are kept, all others dropped. */
nlm_status metrics_open(const char *path, const char *round, int rounds, FILE **log, nlm_error *error);
nlm_status metrics_write_epoch(FILE *log, const char *path, const nlm_epoch *epoch, long epoch_examples,
                               nlm_error *error);
nlm_status metrics_write_exam(FILE *log, const char *path, const nlm_exam *exam, nlm_error *error);

#endif
