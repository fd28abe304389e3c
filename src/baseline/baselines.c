/* All models besides the machine's own, by name.  A new model is a line here. */
#include <string.h>
#include "baseline/baseline.h"

static const struct baseline *const baselines[] = {&memnn_baseline, &dilp_baseline};

const struct baseline *baseline_at(int index)
{
    return index < (int)(sizeof baselines / sizeof *baselines) ? baselines[index] : NULL;
}

const struct baseline *baseline_find(const char *name)
{
    int b = 0;
    while (name && baseline_at(b) && strcmp(baseline_at(b)->name, name) != 0)
        b++;
    return name ? baseline_at(b) : NULL;
}
