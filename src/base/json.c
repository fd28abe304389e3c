/* Values of JSON that nobody vouches for. */
#include "base/json.h"

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

const char *value_out_of_range(const json_t *object, const value_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(object, ranges[i].key);
        const double number = json_is_number(value) ? json_number_value(value) : ranges[i].least;
        if (!(number >= ranges[i].least && number <= ranges[i].most))
            return ranges[i].key;
    }
    return NULL;
}

void value_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
}
