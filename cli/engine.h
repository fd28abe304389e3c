/* How the commands run the library: the environment chooses the kernels and the structure.
 *
 *     NLM_KERNEL      best (the default), reference, generic, avx2 or avx512
 *     NLM_STRUCTURE   lift (the default) or identity
 *
 * Results agree within rounding whatever is chosen; it is for measuring and for hunting bugs. */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include <stdbool.h>
#include "nlm/pass.h"

/* Set options->kernel and options->lifting; false after an error line when a value is not one of the above or
 * this processor cannot run the kernel. */
bool engine_from_environment(nlm_options *options);

/* How many threads can run at once here, at most 1024. */
int engine_processors(void);

#endif
