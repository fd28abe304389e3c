/* One file, many worlds: the worlds of a draft whose only world holds many that share no object.
 *
 * Popper's folders have a thousand trains in one bk.pl.  An argument tells them apart, the first one of
 * has_car; cars and loads belong to the train that leads to them; what several trains lead to, such as a
 * number, is shared.  Each world gets the statements about its own objects, and those about shared ones that
 * lie within two steps of what it mentions. */
#ifndef FACTS_SPLIT_H
#define FACTS_SPLIT_H

#include "facts/meaning.h"

/* Replace the only world of the draft by those in it, if there are any or the reading asks for them; tell the
 * signature what its places hold, and add a note.  NLM_BAD_ARGUMENT if what is asked for cannot be done. */
nlm_status split_worlds_of(draft *in, meaning *what, const nlm_reading *reading, const char *path,
                           bool *is_split, nlm_error *error);

#endif
