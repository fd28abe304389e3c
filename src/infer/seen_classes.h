/* Classes that the examples of a machine had: what tuples it was taught, for machines that are no programs.
 *
 * The machine answers equally about all tuples of one class (structure/tuple_names.h).  Where a class had
 * labels among the examples and the machine answers as they say, it is certain to answer so about that class
 * in any world.  About other classes the examples say nothing. */
#ifndef INFER_SEEN_CLASSES_H
#define INFER_SEEN_CLASSES_H

#include "machine/machine.h"
#include "nlm/evaluator.h"

/* Metadata of a model: {"worlds": 1040, "classes": ["0123456789abcdef...", ...]}, for each target the names
 * of its classes, 16 digits each, in ascending order. */
#define CLASSES_KEY "classes_seen"

enum { CLASSES_MOST = 1 << 14 /* of a target that are kept: the most frequent ones */ };

typedef struct seen_classes seen_classes;

/* No class is seen yet.  *made is NULL for a machine whose classes have no names: one with a sense. */
nlm_status seen_classes_new(const nlm_machine *machine, seen_classes **made, nlm_error *error);
void seen_classes_free(seen_classes *of);
/* Adds the labelled tuples of a world, which the machine's evaluator has just run on, alone. */
nlm_status seen_classes_count(seen_classes *of, nlm_evaluator *evaluator, const nlm_world *world,
                              nlm_error *error);
/* As metadata; to be freed with free().  *text is NULL where classes hardly repeat, so that nearly all tuples
 * of any other world would be of classes that no example had. */
nlm_status seen_classes_text(seen_classes *of, char **text, nlm_error *error);
/* The text of a file that nobody vouches for. */
nlm_status seen_classes_parse(const char *text, const char *name, const nlm_machine *machine,
                              seen_classes **made, nlm_error *error);

/* About the world of the evaluator from now on, unless that takes more than so many bytes: then nothing is
 * known. */
nlm_status seen_classes_ask(seen_classes *of, nlm_evaluator *evaluator, double memory, nlm_error *error);
bool seen_classes_is_known(const seen_classes *of);
/* Whether the class of a tuple, given by its number, was seen. */
bool seen_classes_have(const seen_classes *of, int target, size_t tuple);

#endif
