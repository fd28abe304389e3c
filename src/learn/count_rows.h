/* Counting which rows of a program's units its examples have (logic/seen_rows.h). */
#ifndef LEARN_COUNT_ROWS_H
#define LEARN_COUNT_ROWS_H

#include "learn/rule_worlds.h"
#include "logic/seen_rows.h"

/* Of the program as the file of a model with that signature keeps it, in the examples of rule_worlds_example.
 * *made is NULL if it is too large. */
nlm_status count_rows(const nlm_program *program, const nlm_signature *signature, struct rule_worlds *worlds,
                      rows **made, nlm_error *error);

#endif
