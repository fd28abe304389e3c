/* Galleries, inside the library: a picture for every object of a world. */
#ifndef TASK_GALLERY_H
#define TASK_GALLERY_H

#include "base/random.h"
#include "nlm/gallery.h"
#include "nlm/world.h"

struct showing {
    const nlm_gallery *gallery; /* NULL: each object has a digit drawn for it alone */
    bool test;                  /* images to test with, or those to learn from, which are ... */
    int shift;                  /* ... moved by up to so many pixels each way */
};

/* Every object gets a random image.  Predicate `zero` is true of those that show a 0. */
nlm_status gallery_show(const struct showing *showing, random_stream *random, nlm_world *world, int zero,
                        nlm_error *error);

#endif
