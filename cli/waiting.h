/* A word for those who wait for work that cannot tell how far it has come: one line on standard error once it
 * takes longer than two seconds.  Where standard error is no terminal nobody waits, and nothing is written:
 * output in files does not depend on the clock.
 *
 *     waiting_begin("generating %d worlds", worlds);
 *     ...
 *     waiting_end();
 */
#ifndef CLI_WAITING_H
#define CLI_WAITING_H

/* Uses the alarm of the process; one wait at a time. */
void waiting_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void waiting_end(void);

#endif
