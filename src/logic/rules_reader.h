/* Reading rules: what the parts of the reader share. */
#ifndef LOGIC_RULES_READER_H
#define LOGIC_RULES_READER_H

#include "logic/rules.h"

typedef struct reader {
    rules *to;
    prolog in;
    nlm_error *error;
    int begin;                               /* the first goal of the clause */
    int variables, nesting;                  /* of the clause; of the goal */
    prolog_name variable[FORMULA_VARIABLES]; /* "" for a place of the head that repeats one */
} reader;

/* Why the token, at which something else was expected, cannot be there. */
nlm_status reader_refuse(const reader *r, const char *expected);
/* A new goal's number. */
nlm_status reader_add_goal(reader *r, rule_kind kind, size_t line, int *goal);
/* Two goals as parts of a new one. */
nlm_status reader_add_pair(reader *r, rule_kind kind, int a, int b, int *goal);
/* A new variable, or that of the name. */
nlm_status reader_find_variable(reader *r, prolog_name name, uint8_t *variable);

/* A comparison of numbers, of which `first` has been read if it is not NULL, up to the token behind it. */
nlm_status rules_read_numbers(reader *r, const prolog_name *first, int *goal);

#endif
