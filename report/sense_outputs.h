/* What the sense of a machine has learned: its outputs on images whose digits are known. */
#ifndef REPORT_SENSE_OUTPUTS_H
#define REPORT_SENSE_OUTPUTS_H

#include "nlm/gallery.h"
#include "nlm/machine.h"
#include "report/page.h"

enum { SENSE_DIGITS = 10 };

/* The predicate that tells one digit from all others best: it is above the bound, or with `below` below it,
 * for that digit. */
typedef struct digit_detector {
    int predicate, digit;
    bool below;
    float bound;    /* halfway between the mean for the digit and that for the others */
    double on, off; /* these means */
    double right;   /* how often that is right: the mean of the share of the digit and the share of others */
} digit_detector;

typedef struct sense_outputs {
    const nlm_gallery *gallery;
    int images, predicates;
    float *values;                /* [images, predicates] */
    int *digits;                  /* [images] */
    double (*mean)[SENSE_DIGITS]; /* of a predicate over the images of a digit */
    int count[SENSE_DIGITS];      /* images of each */
    digit_detector best;
} sense_outputs;

/* The name of a sense as people write it. */
const char *sense_title(const char *name);

/* Asks the machine's sense about the first test images of the gallery, which stays until release.
 * NLM_BAD_SHAPE if it does not read images.  To be released whatever the status. */
nlm_status sense_outputs_find(sense_outputs *found, nlm_machine *machine, const nlm_gallery *gallery,
                              nlm_error *error);
void sense_outputs_release(sense_outputs *of);
/* Whether the best predicate is good enough to say of an image that it is taken for the digit; and whether it
 * says so, given all predicates of the image. */
bool sense_outputs_reliable(const sense_outputs *of);
bool sense_outputs_accept(const sense_outputs *of, const float *predicates);

/* The figure: a table of means, and images; `images` names these: "images of MNIST". */
void sense_outputs_put(page *p, const sense_outputs *of, const char *sense, const char *images);

#endif
