/* An episode as JSON (docs/formats.md): steps are noted as they are made, the file is written at the end,
 * whole or not at all. */
#ifndef CLI_PLAY_RECORD_H
#define CLI_PLAY_RECORD_H

#include <stdio.h>
#include "play.h"

typedef struct record {
    FILE *steps; /* of the texts below */
    char *text;
    size_t size;
    char *instance; /* the position at the beginning */
} record;

/* Refuse a file that could not be written later: before the episode is played. */
nlm_status record_check(const char *path, nlm_error *error);

/* At the beginning of an episode. */
nlm_status record_begin(record *taken, nlm_position *position, nlm_error *error);
void record_free(record *taken);
/* The move that is about to be made, the first of the choices. */
nlm_status record_step(record *taken, const play_moment *moment, nlm_error *error);
/* At the end: to request->json, by way of a temporary file in the same folder, or to standard output. */
nlm_status record_save(record *taken, const play_request *request, nlm_position *position, nlm_error *error);

#endif
