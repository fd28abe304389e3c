/* All senses, by name. */
#include <string.h>
#include "perception/sense.h"

static const struct sense *const senses[] = {&lenet_sense};

const struct sense *sense_find(const char *name)
{
    for (size_t s = 0; name && s < sizeof senses / sizeof *senses; s++)
        if (!strcmp(senses[s]->name, name))
            return senses[s];
    return NULL;
}

size_t sense_tensor_count(const struct sense_tensor *tensor)
{
    size_t count = 1;
    for (int d = 0; d < tensor->dimensions; d++)
        count *= (size_t)tensor->shape[d];
    return count;
}
