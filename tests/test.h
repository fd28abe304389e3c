/* What every test begins with: cmocka and the headers that it wants before it, and a few short words. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "nlm/status.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Fails the test with the library's own words. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        nlm_error check_error;                                                                               \
        if (call)                                                                                            \
            fail_msg("%s: %s", #call, check_error.message);                                                  \
    } while (0)

#endif
