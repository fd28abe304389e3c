/* Digits drawn with strokes, for where handwritten ones cannot be had.
 *
 * Image `number` of a seed is a function of both, the same on every machine: a digit, shifted, slanted and
 * stretched, with a pen of some thickness, on paper that is not quite clean. */
#ifndef PERCEPTION_DIGITS_H
#define PERCEPTION_DIGITS_H

#include "perception/images.h"

/* Fills 28 x 28 pixels and returns the digit, 0..9, each as likely. */
uint8_t digits_draw(uint64_t seed, uint64_t number, uint8_t *pixels);

/* Images first .. first + count - 1. */
nlm_status digits_make(uint64_t seed, uint64_t first, int count, struct images *images, nlm_error *error);

#endif
