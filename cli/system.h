/* The operating system, as far as commands meet it.  The environment chooses the kernels and the structure:
 *
 *     NLM_KERNEL      best (the default), reference, generic, avx2 or avx512
 *     NLM_STRUCTURE   lift (the default) or identity
 *
 * Results agree within rounding whatever is chosen; it is for measuring and for hunting bugs. */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <stdbool.h>
#include "nlm/options.h"

/* Set options->kernel and options->lifting; false after an error line when a value is not one of the above or
 * this processor cannot run the kernel. */
bool system_options(nlm_options *options);

/* How many threads can run at once here, at most 1024: on the processors that this process may use, shared
 * with the other ranks on this machine. */
int system_processors(void);

/* Which process this is of those that one mpirun, mpiexec or srun has started, by what Open MPI, MPICH and
 * its kin, and SLURM put into the environment; 0 of 1 if there is none.  nlm needs nothing else of MPI: ranks
 * share runs out by claims in a folder that all of them see. */
typedef struct system_rank {
    int rank, ranks;
} system_rank;

system_rank system_find_rank(void);

/* Whether a file is a terminal that can be redrawn, and the columns and rows that may be written to: after
 * writing into the last column, some terminals go on in the next line, so it stays free. */
bool system_is_terminal(int file);
void system_terminal_size(int file, int *columns, int *rows);

/* Bytes of memory that are free here. */
double system_free_memory(void);
/* From now on this process cannot take much more than that: allocations fail, and nobody is killed. */
void system_limit_memory(void);

/* From now on an interrupt, a request to end or a lost terminal is only noted; a second one ends the process
 * at once. */
void interrupt_catch(void);
/* The signal that came, or 0. */
int interrupt_seen(void);

/* A word for those who wait for work that cannot tell how far it has come: one line on standard error once it
 * takes longer than two seconds.  Where standard error is no terminal nobody waits, and nothing is written:
 * output in files does not depend on the clock.  Uses the alarm of the process; one wait at a time. */
void waiting_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void waiting_end(void);

#endif
