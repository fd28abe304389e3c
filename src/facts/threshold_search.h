/* The comparison that tells examples apart best: "some case within reach, of which the conditions are true,
 * has a value of at least a and below b", or no case has. */
#ifndef FACTS_THRESHOLD_SEARCH_H
#define FACTS_THRESHOLD_SEARCH_H

#include "facts/threshold_view.h"

enum { FOUND_CONDITIONS = 2 };

typedef struct threshold_found {
    int measure, reach;
    int condition[FOUND_CONDITIONS]; /* -1: none */
    bool has_end[2];                 /* whether there is a lower, an upper end ... */
    double end[2];                   /* ... and where */
    double gain;                     /* share of true minus share of false examples that have such a case */
    double score;                    /* its size, less a price for each part */
} threshold_found;

/* The best, by the weights of the examples; score 0 if there is none. */
nlm_status threshold_search(threshold_view *view, threshold_found *best);
/* hits[example]: whether it has such a case. */
nlm_status threshold_hits(threshold_view *view, const threshold_found *of, bool *hits);
/* The number in (below, from] that is read most easily: 0, an integer, or few digits near the middle. */
double threshold_between(double below, double from, bool whole);

#endif
