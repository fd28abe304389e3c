/* Assertions of internal invariants: conditions that hold whatever a caller or a file says.
 *
 * On in builds of type Debug (presets dev, asan, tsan and their like), where a broken one ends the program;
 * compiled but not evaluated in Release.  Mistakes of callers and files are errors with a status, never
 * these. */
#ifndef BASE_INVARIANT_H
#define BASE_INVARIANT_H

#ifdef NLM_CHECKS
#undef NDEBUG
#include <assert.h>
#define INVARIANT(condition) assert(condition)
enum { INVARIANTS_CHECKED = 1 };
#else
#define INVARIANT(condition) ((void)sizeof(!(condition)))
enum { INVARIANTS_CHECKED = 0 };
#endif

#endif
