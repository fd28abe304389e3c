/* Worlds and instances of tests: where they begin, and which of them failed first. */
#ifndef LEARN_FRESH_H
#define LEARN_FRESH_H

#include <stdint.h>
#include "nlm/task.h"

/* A run would have to draw as many to meet one of them. */
#define FIRST_WORLD NLM_TEST_WORLDS
#define FIRST_INSTANCE ((uint64_t)1 << 40)

/* The smaller of two numbers of failures, either of which may be -1: none. */
static inline int first_failure_of(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

#endif
