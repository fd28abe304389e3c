/* Gzipped bytes, inflated: by zlib (inflater.c) or, in a build without it, refused (no_inflater.c). */
#ifndef PERCEPTION_INFLATER_H
#define PERCEPTION_INFLATER_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/status.h"

typedef struct inflater inflater;

/* The bytes, at most UINT_MAX of them, must outlive it; `name` stands for them in messages, and must too. */
nlm_status inflater_open(const void *bytes, size_t size, const char *name, inflater **made, nlm_error *error);
void inflater_close(inflater *in); /* NULL is fine */
/* The next inflated bytes, fewer than wanted only at the end. */
nlm_status inflater_take(inflater *in, void *to, size_t want, size_t *got, nlm_error *error);
/* Bytes that were not looked at yet. */
size_t inflater_left(const inflater *in);
/* Whether the end was seen, and its check sum was right. */
bool inflater_ended(const inflater *in);

#endif
