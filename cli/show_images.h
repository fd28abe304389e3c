/* Images of a folder for the objects of a world, for models with a sense. */
#ifndef CLI_SHOW_IMAGES_H
#define CLI_SHOW_IMAGES_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* A copy of the world, the caller's to free, whose objects show the images of the folder, NAME.pgm or
 * NAME.png each, that are called like them.  Images of no object of the world make objects of their own,
 * after the others, in the order of their names.
 *
 * The folder is `folder`/`below`, or if there is one the folder `images` in that; `below` is "" for the only
 * world of a file or folder, else its name.  `name` stands for the world in messages.  False after an error
 * line: every object must have one image. */
bool show_images(const char *command, const char *folder, const char *below, const char *name,
                 const nlm_world *world, nlm_world **shown);

#endif
