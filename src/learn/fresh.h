/* Where the worlds and instances of tests begin: a run would have to draw as many to meet one of them. */
#ifndef LEARN_FRESH_H
#define LEARN_FRESH_H

#include <stdint.h>

#define FIRST_WORLD ((uint64_t)1 << 40)
#define FIRST_INSTANCE ((uint64_t)1 << 40)

#endif
