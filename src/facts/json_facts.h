/* JSON Lines of facts: {"predicate": "father", "arguments": ["homer", "bart"]}, an object in each line.
 *
 * "target" may stand in place of "predicate", as `nlm infer --json` prints it.  All lines are about one
 * world, so "world" is the same wherever it is.  Blank lines are skipped. */
#ifndef FACTS_JSON_FACTS_H
#define FACTS_JSON_FACTS_H

#include "facts/draft.h"

/* The facts of a text of `size` bytes, ended by 0, into the last world. */
nlm_status json_facts_read(draft *to, char *text, size_t size, const char *file, nlm_error *error);

#endif
