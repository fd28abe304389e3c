/* Files of one grey image, 28 x 28 pixels: PGM (P5 and P2) and PNG.
 *
 *     PGM   "P5" or "P2", width, height and the largest value in decimal, between them spaces and comments
 *           (# to the end of the line); then after one space a byte per pixel, or two, high first, if values
 *           go beyond 255 (P5), or decimal numbers (P2)
 *     PNG   every colour type and depth, interlaced or not
 *
 * Colours are weighed as Rec. 601 has it, 0.299 red + 0.587 green + 0.114 blue; what is transparent lies on
 * black.  What a file claims is checked before anything is done for it: no file takes much memory or time. */
#ifndef PERCEPTION_PICTURE_H
#define PERCEPTION_PICTURE_H

#include <stddef.h>
#include <stdint.h>
#include "base/file.h"
#include "perception/images.h"

/* The content of a file, in memory, as IMAGES_PIXELS numbers in [0, 1]; `name` stands for it in messages.
 * After a failure the pixels are undefined. */
nlm_status picture_parse(const void *bytes, size_t size, const char *name, float *pixels, nlm_error *error);
nlm_status picture_read(const char *path, float *pixels, nlm_error *error);
/* As PGM, a byte per pixel, into a writer that is opened here and closed, to be committed. */
nlm_status picture_write(file_writer *writer, const char *path, const float *pixels, nlm_error *error);

/* ---- between the files of this module ---- */

/* The size that images have; else NLM_BAD_FILE. */
nlm_status picture_check_size(const char *name, uint32_t width, uint32_t height, nlm_error *error);
nlm_status picture_cut_off(const char *name, nlm_error *error);
nlm_status picture_parse_png(const uint8_t *bytes, size_t size, const char *name, float *pixels,
                             nlm_error *error);

#endif
