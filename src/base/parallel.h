/* Running independent parts of a job on several threads.
 *
 * The parts are chosen by the caller from the sizes of the data alone, never from the number of threads, and
 * each part writes to its own place: that is why results are the same bits for any number of threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

typedef void (*parallel_part)(void *context, int part, int thread);

/* run(context, part, thread) for part = 0..parts-1; `thread` is below `threads` and names the worker, for
 * scratch memory. */
void parallel_run(int threads, int parts, parallel_part run, void *context);

#endif
