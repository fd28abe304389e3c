/* Images of a folder for the objects of a world, for models with a sense. */
#ifndef INFER_OBJECT_IMAGES_H
#define INFER_OBJECT_IMAGES_H

#include "nlm/world.h"

enum { OBJECT_IMAGES_NOTE = 512 };

/* Make an empty world a copy of `world` whose objects show the images of a folder (nlm/infer.h says which).
 * Every object must have one image.  `below` is the name of the world, or ""; `title` stands for it in
 * messages; `note` tells which files were ignored, "" if none was. */
nlm_status object_images_show(const char *folder, const char *below, const char *title,
                              const nlm_world *world, nlm_world *shown, char note[OBJECT_IMAGES_NOTE],
                              nlm_error *error);

#endif
