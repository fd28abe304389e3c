/* Conclusions of a model on worlds of facts: what `nlm infer` prints, and `nlm test` compares with labels.
 *
 *     concluder of;
 *     concluder_begin(&of, "infer", "uncle.nlm", NULL, &options);
 *     concluder_load(&of, "family.pl", &problem);
 *     concluder_ask(&of, problem, 0, "family.pl");
 *     concluder_logits(&of, target, &logits);
 *     concluder_end(&of);
 *
 * Functions that return false have printed an error line.  One world at a time, and of its results the logits
 * of one target at a time are in memory. */
#ifndef CLI_CONCLUDE_H
#define CLI_CONCLUDE_H

#include <stdbool.h>
#include "nlm/nlm.h"

typedef struct concluder {
    const char *command, *model; /* for messages */
    const char *images;          /* folder of what objects show, if the machine has a sense */
    nlm_machine *machine;
    nlm_signature *signature;
    nlm_options options;
    double memory;          /* bytes that were free at the beginning: what one world takes serves the next */
    const nlm_world *world; /* that was asked about last: the problem's or, with images, `shown` */
    nlm_world *shown;
    nlm_structure *structure;
    nlm_pass *pass;
    float *logits;
    size_t room; /* of these, in numbers */
    char *text;  /* of the last fact */
    size_t text_size;
} concluder;

/* `images` is the folder of what objects show (show_images.h), if the model has a sense, and else NULL. */
bool concluder_begin(concluder *of, const char *command, const char *model, const char *images,
                     const nlm_options *options);
/* Also of one that did not begin. */
void concluder_end(concluder *of);

/* Read facts for the model. */
bool concluder_load(const concluder *of, const char *path, nlm_problem **problem);
/* World number `world` of a problem; `name` stands for it in messages. */
bool concluder_ask(concluder *of, const nlm_problem *problem, int world, const char *name);
/* [objects]^arity numbers, in the order of the objects; they hold until the next call. */
bool concluder_logits(concluder *of, int target, const float **logits);
/* "uncle(a, b)"; holds until the next call. */
const char *concluder_fact(concluder *of, int target, const int *tuple);

double probability_of(float logit);

/* ---- tuples by number, [objects]^arity of them ---- */

/* 0 if there are more than can be counted. */
size_t tuple_count(int objects, int arity);
size_t tuple_number(int objects, int arity, const int *tuple);
/* False if the tuple repeats an object. */
bool tuple_at(int objects, int arity, size_t number, int *tuple);

#endif
