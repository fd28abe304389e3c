/* Numbers as people read them, each in the room that the caller gives, and returned. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stddef.h>

enum { NUMBER_TEXT = 32 };

/* 1,234,567 */
const char *number_count_text(size_t count, char text[NUMBER_TEXT]);
/* A share of 0 to 1 as 99.90 %, rounded down.  100 % is for 1 itself; what is less has as many digits as it
 * takes to show it: 99.99990 %. */
const char *number_percent_text(double share, char text[NUMBER_TEXT]);

#endif
