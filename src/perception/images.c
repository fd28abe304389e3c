/* Labelled images of digits. */
#include "perception/images.h"

#include <stddef.h>
#include "base/error.h"
#include "base/memory.h"

nlm_status images_new(int count, struct images *images, nlm_error *error)
{
    *images = (struct images){
        .count = count,
        .pixels = memory_new((size_t)count, IMAGES_PIXELS),
        .labels = memory_new((size_t)count, 1),
    };
    if (images->pixels && images->labels)
        return NLM_OK;
    images_free(images);
    return error_no_memory(error);
}

void images_free(struct images *images)
{
    memory_free(images->pixels);
    memory_free(images->labels);
    *images = (struct images){0};
}

void images_floats(const struct images *images, int number, float *pixels)
{
    const uint8_t *from = images->pixels + (size_t)number * IMAGES_PIXELS;
    for (int i = 0; i < IMAGES_PIXELS; i++)
        pixels[i] = (float)from[i] / 255.0f;
}
