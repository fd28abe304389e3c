/* Which predicates of a draft end in numbers, so that they are attributes of the objects before these. */
#ifndef FACTS_ATTRIBUTES_H
#define FACTS_ATTRIBUTES_H

#include "facts/meaning.h"

/* Fill in `numbers` of all roles but targets, whose types must be there, and note what was found.  Facts that
 * do not end in numbers as they should are refused. */
nlm_status attributes_find(meaning *found, draft *in, const nlm_reading *reading, const char *path,
                           nlm_error *error);
/* Refuse facts that do not end in as many numbers as the roles say; also of a model's signature. */
nlm_status attributes_check(const meaning *found, const draft *in, const char *path, nlm_error *error);
/* NLM_BAD_FILE for the statement at a place of a world's log: "bk.pl:3: size(p1, nan): reason". */
nlm_status attributes_refuse(const draft *in, const draft_world *world, size_t at, const char *path,
                             nlm_error *error, const char *reason, ...) __attribute__((format(printf, 6, 7)));

#endif
