/* Values of JSON that nobody vouches for. */
#include "report/values.h"

#include <math.h>
#include <stdio.h>

double value_number(const json_t *object, const char *key, double least, double most)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_is_number(value) ? json_number_value(value) : NAN;
    return number >= least && number <= most ? number : NAN;
}

int value_whole(const json_t *object, const char *key, int if_missing)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    return number >= 0 && number <= 1000000000 ? (int)number : if_missing;
}

void value_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
}
