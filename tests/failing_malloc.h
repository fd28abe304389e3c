/* For tests whose name ends in _alloc: their build links these in place of the C library's allocation, so
 * that allocations of the library are counted and one of them can fail.
 *
 * Libraries that are linked dynamically keep their own, but for Jansson, whose is replaced by
 * fail_jansson_too.  Threads may allocate at the same time. */
#ifndef TESTS_FAILING_MALLOC_H
#define TESTS_FAILING_MALLOC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <jansson.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

static atomic_int allocations; /* so far */
static int failing = -1;       /* number of the allocation that fails, from 0; -1 for none */

static bool allowed(void)
{
    return atomic_fetch_add(&allocations, 1) != failing;
}

void *__wrap_malloc(size_t size)
{
    return allowed() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allowed() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    return allowed() ? __real_realloc(block, size) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return allowed() ? __real_aligned_alloc(alignment, size) : NULL;
}

/* Count from 0 again; allocation `number` will fail. */
static inline void fail_allocation(int number)
{
    atomic_store(&allocations, 0);
    failing = number;
}

/* The allocation that was to fail has failed. */
static inline bool allocation_failed(void)
{
    return failing >= 0 && atomic_load(&allocations) > failing;
}

/* Jansson's parser does not notice that the text of a token could not grow, and stumbles over its own
 * assertion (2.14, lex_save in load.c).  These blocks, whose sizes are powers of two, are therefore given. */
static void *jansson_malloc(size_t size)
{
    return size & (size - 1) ? __wrap_malloc(size) : __real_malloc(size);
}

static inline void fail_jansson_too(void)
{
    json_set_alloc_funcs(jansson_malloc, free);
}

#endif
