/* What every fuzz target begins with: the function that a fuzzer calls, promises, and refusals of one line.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nlm/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static inline void require(int holds)
{
    if (!holds)
        abort();
}

/* One line, and fit for a terminal. */
static inline void check_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        require(*c >= ' ' && *c != 0x7F);
}

/* A bad file, which the message names first. */
static inline void check_refusal(const nlm_error *error, const char *file)
{
    require(error->status == NLM_BAD_FILE && !strncmp(error->message, file, strlen(file)));
    check_line(error->message);
}

/* The same where a file may ask for more memory than there is. */
static inline void check_refusal_or_memory(const nlm_error *error, const char *file)
{
    if (error->status == NLM_NO_MEMORY)
        check_line(error->message);
    else
        check_refusal(error, file);
}

/* A copy of exactly this size and a 0, so that a sanitizer sees any read beyond it.  Free it. */
static inline char *copy_text(const void *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
