/* Which classes of tuples the examples of a machine had (infer/seen_classes.h). */
#ifndef LEARN_COUNT_CLASSES_H
#define LEARN_COUNT_CLASSES_H

#include "nlm/settings.h"

/* As metadata, from the examples of rule_worlds_example; to be freed with free().  *text is NULL for machines
 * whose classes have no names or hardly repeat, and if one world's would take too much memory. */
nlm_status count_classes(nlm_machine *machine, const nlm_settings *settings, const nlm_options *options,
                         char **text, nlm_error *error);

#endif
