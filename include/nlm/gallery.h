/* Galleries: pictures for tasks whose objects show one.
 *
 * Labelled images of digits, 28 x 28 pixels, some to learn from and others to test with; and files of one
 * image. */
#ifndef NLM_GALLERY_H
#define NLM_GALLERY_H

#include <stdbool.h>
#include <stdint.h>
#include "nlm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_IMAGE_SIDE 28
#define NLM_IMAGE_PIXELS (NLM_IMAGE_SIDE * NLM_IMAGE_SIDE)

typedef struct nlm_gallery nlm_gallery;

/* MNIST's four files of a folder, plain or gzipped, under their usual names. */
nlm_status nlm_gallery_read(const char *folder, nlm_gallery **gallery, nlm_error *error);
/* Digits drawn with strokes, so many to learn from and so many others. */
nlm_status nlm_gallery_draw(int train, int test, nlm_gallery **gallery, nlm_error *error);
void nlm_gallery_free(nlm_gallery *gallery);

int nlm_gallery_images(const nlm_gallery *gallery, bool test);
/* Pixels in [0, 1], 0 for paper and 1 for ink; returns the digit, or -1 if there is no such image. */
int nlm_gallery_image(const nlm_gallery *gallery, bool test, int number, float *pixels);
/* A number that differs between galleries whose pixels or digits do. */
uint64_t nlm_gallery_digest(const nlm_gallery *gallery);

/* One image of a file, PGM (P5, P2) or PNG of any kind, as grey; its size must be NLM_IMAGE_SIDE x
 * NLM_IMAGE_SIDE.  0 is black: as MNIST has it, digits are bright on a dark ground. */
nlm_status nlm_image_read(const char *path, float pixels[NLM_IMAGE_PIXELS], nlm_error *error);
/* As PGM with 256 values; the file is whole or not there. */
nlm_status nlm_image_write(const char *path, const float pixels[NLM_IMAGE_PIXELS], nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
