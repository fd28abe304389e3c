/* MNIST's IDX files, plain or gzipped.
 *
 *     images   0x00000803, count, 28, 28 (big-endian words of 32 bits), then a byte per pixel
 *     labels   0x00000801, count, then a byte per label, 0..9
 *
 * What a file claims is held against its size before memory is taken for it. */
#ifndef PERCEPTION_IDX_H
#define PERCEPTION_IDX_H

#include <stddef.h>
#include "perception/images.h"

enum { IDX_MOST = 1000000 }; /* images in a file */

enum idx_set { IDX_TRAIN, IDX_TEST };

/* The training or the test images of a folder, with their labels.  The files have the usual names,
 *     train-images-idx3-ubyte  train-labels-idx1-ubyte  t10k-images-idx3-ubyte  t10k-labels-idx1-ubyte
 * or '.' in place of '-' before idx; any of them may end in .gz. */
nlm_status idx_read(const char *folder, enum idx_set set, struct images *images, nlm_error *error);

/* The content of one file, in memory; `name` stands for it in messages.  The result is the caller's, to be
 * freed with memory_free. */
nlm_status idx_parse_images(const void *bytes, size_t size, const char *name, uint8_t **pixels, int *count,
                            nlm_error *error);
nlm_status idx_parse_labels(const void *bytes, size_t size, const char *name, uint8_t **labels, int *count,
                            nlm_error *error);

#endif
