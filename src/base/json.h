/* Values of JSON that nobody vouches for: of the wrong type or out of range they count as missing. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define VALUE_MOST 1e15

/* NaN if it is missing. */
double value_number(const json_t *object, const char *key, double least, double most);
/* A whole number from 0 to a thousand million. */
int value_whole(const json_t *object, const char *key, int if_missing);
/* The first of the keys whose number is out of its range; NULL if there is none.  What is missing, null or no
 * number is in no range. */
typedef struct value_range {
    const char *key;
    double least, most;
} value_range;
const char *value_out_of_range(const json_t *object, const value_range *ranges, size_t count);
/* Cut to `size`; "" if it is missing. */
void value_text(const json_t *object, const char *key, char *text, size_t size);

#endif
