/* What nlm show tells about the sense of a machine. */
#include "show_sense.h"

#include <stdio.h>
#include <string.h>
#include "numbers.h"

#define PREFIX "sense." /* of the names of its tensors */

enum { SHAPE_SIZE = 64 };

static bool is_of_sense(const nlm_tensor *tensor)
{
    return strncmp(tensor->name, PREFIX, strlen(PREFIX)) == 0;
}

const char *show_sense_title(const char *name)
{
    return strcmp(name, "lenet") == 0 ? "LeNet" : name;
}

size_t show_sense_parameters(nlm_machine *machine)
{
    size_t count = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        count += is_of_sense(&tensor) ? tensor.count : 0;
    }
    return count;
}

/* "20 x 10 x 5 x 5"; averages are not learned, but follow. */
static void shape_text(const nlm_tensor *tensor, char text[SHAPE_SIZE])
{
    size_t used = 0;
    for (int d = 0; d < tensor->dimensions && used < SHAPE_SIZE; d++)
        used +=
            (size_t)snprintf(text + used, SHAPE_SIZE - used, "%s%d", d > 0 ? " x " : "", tensor->shape[d]);
    if (strstr(tensor->name, "running_") != NULL && used < SHAPE_SIZE)
        snprintf(text + used, SHAPE_SIZE - used, ", not learned");
}

void show_sense_tensors(nlm_machine *machine)
{
    char shape[SHAPE_SIZE], count[NUMBER_TEXT];
    const char *name = nlm_machine_spec(machine)->sense;
    if (name == NULL)
        return;
    printf("\n  %-20s   %-32s %10s\n", show_sense_title(name), "shape", "parameters");
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (!is_of_sense(&tensor))
            continue;
        shape_text(&tensor, shape);
        printf("  %-20s   %-32s %10s\n", tensor.name + strlen(PREFIX), shape,
               number_count_text(tensor.count, count));
    }
}
