/* Galleries, inside the library: a picture for every object of a world. */
#ifndef TASK_GALLERY_H
#define TASK_GALLERY_H

#include "base/random.h"
#include "nlm/gallery.h"
#include "nlm/world.h"

/* Every object gets a random image of the gallery, from those to test with or those to learn from; without a
 * gallery (NULL), a digit drawn for it alone.  Predicate `zero` is true of those that show a 0. */
nlm_status gallery_show(const nlm_gallery *gallery, bool test, random_stream *random, nlm_world *world,
                        int zero, nlm_error *error);

#endif
