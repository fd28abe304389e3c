/* A graph whose nodes show digits, and what a machine concludes about each node. */
#ifndef REPORT_DIGIT_GRAPH_H
#define REPORT_DIGIT_GRAPH_H

#include "nlm/machine.h"
#include "report/page.h"
#include "report/sense_outputs.h"

typedef struct digit_graph {
    const nlm_world *world;
    int nodes, predicates, wrong; /* wrong: conclusions that are not the truth */
    float *probability;           /* [nodes] */
    signed char *truth;           /* [nodes], an nlm_label */
    float *sensed;                /* [nodes, predicates]: what the sense makes of a node's image */
    int *place;                   /* [nodes]: where it is drawn, counted round the ring */
    int edges;                    /* the predicate */
} digit_graph;

/* The machine's conclusions about a world with images, of which its first target is of arity 1 and its first
 * predicate of arity 2 the edges; NLM_BAD_SHAPE if it is none such.  To be released whatever the status. */
nlm_status digit_graph_find(digit_graph *found, nlm_machine *machine, const nlm_world *world,
                            nlm_error *error);
void digit_graph_release(digit_graph *of);
/* As a figure; `title` is any text. */
void digit_graph_put(page *p, const digit_graph *of, const sense_outputs *outputs, const char *title);

#endif
