/* What `nlm play` was asked to do, and one moment of the episode: shared by what shows it and what records
 * it. */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include <stdbool.h>
#include <stdint.h>
#include "setting_options.h"
#include "nlm/nlm.h"

enum { PLAY_CHOICES = 10 }; /* of a position, the most probable ones */

typedef struct play_request {
    nlm_options options;
    const char *model, *task_name;
    const char *instance; /* a file, "-" for standard input, or NULL: then one is drawn */
    const char *json;     /* where the episode goes, "-" for standard output, or NULL */
    const char *html;     /* where its page goes, or NULL */
    int objects;          /* of the instance to draw; 0 for the paper's smaller size */
    uint64_t seed;
    double fps;
    work_options work;
} play_request;

/* A position and what the agent thinks of it; no choices when the episode is over. */
typedef struct play_moment {
    nlm_position *position;
    nlm_choice choices[PLAY_CHOICES]; /* the first is the move it makes */
    int count;
} play_moment;

#endif
