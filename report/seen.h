/* What the sense of a machine came to see: its predicates on images whose digits are known. */
#ifndef REPORT_SEEN_H
#define REPORT_SEEN_H

#include "nlm/gallery.h"
#include "nlm/machine.h"
#include "report/page.h"

enum { SEEN_DIGITS = 10 };

/* The predicate that tells one digit from all others best: it is above the bound, or with `below` below it,
 * for that digit. */
typedef struct seen_best {
    int predicate, digit;
    bool below;
    float bound;    /* halfway between the mean for the digit and that for the others */
    double on, off; /* these means */
    double right;   /* how often that is right: the mean of the share of the digit and the share of others */
} seen_best;

typedef struct sightings {
    const nlm_gallery *gallery;
    int images, predicates;
    float *values;               /* [images, predicates] */
    int *digits;                 /* [images] */
    double (*mean)[SEEN_DIGITS]; /* of a predicate over the images of a digit */
    int count[SEEN_DIGITS];      /* images of each */
    seen_best best;
} sightings;

/* The name of a sense as people write it. */
const char *sense_title(const char *name);

/* Asks the machine's sense about the first test images of the gallery, which stays until release.
 * NLM_BAD_SHAPE if it does not read images.  To be released whatever the status. */
nlm_status seen_find(sightings *found, nlm_machine *machine, const nlm_gallery *gallery, nlm_error *error);
void seen_release(sightings *of);
/* Whether the best predicate is good enough to say of an image that it is taken for the digit; and whether it
 * says so, given all predicates of the image. */
bool seen_tells(const sightings *of);
bool seen_takes(const sightings *of, const float *predicates);

/* The figure: a table of means, and images; `images` names these: "images of MNIST". */
void seen_put(page *p, const sightings *of, const char *sense, const char *images);

#endif
