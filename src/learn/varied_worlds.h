/* Worlds unlike the examples: parts of example worlds in which facts are forgotten, moved or added at random.
 * They say where two formulas differ that agree with every example. */
#ifndef LEARN_VARIED_WORLDS_H
#define LEARN_VARIED_WORLDS_H

#include "base/random.h"
#include "nlm/world.h"

enum { VARIED_OBJECTS = 10 }; /* most of a varied world */

/* `into` becomes one, without labels. */
nlm_status varied_world(const nlm_world *from, random_stream *random, nlm_world *into, nlm_error *error);

#endif
