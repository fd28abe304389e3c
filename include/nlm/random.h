/* Random numbers for tasks and games of a program's own: the same seed, the same numbers, on every machine.
 */
#ifndef NLM_RANDOM_H
#define NLM_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stream of one world or instance, while it is drawn; the library makes it.  It belongs to the thread
 * that is given it. */
typedef struct nlm_random nlm_random;

/* Uniform in 0..n-1, without bias; 0 when n is 0. */
uint32_t nlm_random_below(nlm_random *random, uint32_t n);
/* Uniform in [0, 1). */
double nlm_random_unit(nlm_random *random);

#ifdef __cplusplus
}
#endif
#endif
