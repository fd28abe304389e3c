/* Settings as texts: what the metadata of models and checkpoints say about a training. */
#ifndef LEARN_TRAINING_H
#define LEARN_TRAINING_H

#include "nlm/learn.h"

enum { TRAINING_MOST_BATCH = 4096, TRAINING_TEXT_SIZE = 32, TRAINING_NUMBERS = 15 };

/* Each setting that is a number has a name; the task, the protocol and the spec are not among them. */
const char *training_number_name(int number);
/* A text from which training_set_number gets the very same value. */
void training_print_number(const nlm_training *training, int number, char text[TRAINING_TEXT_SIZE]);
/* False if the text is no such number, or the value is one that no training has. */
bool training_set_number(nlm_training *training, int number, const char *text);
bool training_number_equal(const nlm_training *a, const nlm_training *b, int number);
/* Whether a run may go on with another value: only the budget. */
bool training_number_may_change(int number);

/* Settings that a run can begin with. */
nlm_status training_check(const nlm_training *training, nlm_error *error);

#endif
