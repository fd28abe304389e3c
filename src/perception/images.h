/* Labelled images of digits, as they come from files (idx.h) or from a generator (digits.h). */
#ifndef PERCEPTION_IMAGES_H
#define PERCEPTION_IMAGES_H

#include <stdint.h>
#include "nlm/status.h"

enum { IMAGES_SIDE = 28, IMAGES_PIXELS = IMAGES_SIDE * IMAGES_SIDE, IMAGES_LABELS = 10 };

struct images {
    int count;
    uint8_t *pixels; /* [count, 28, 28]; 0 is paper, 255 is ink */
    uint8_t *labels; /* [count], below IMAGES_LABELS */
};

/* Room for so many images; all pixels and labels are 0. */
nlm_status images_new(int count, struct images *images, nlm_error *error);
/* Frees what it holds, and leaves no images. */
void images_free(struct images *images);

/* The pixels of one image as numbers in [0, 1]. */
void images_floats(const struct images *images, int number, float *pixels);

#endif
