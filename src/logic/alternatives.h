/* Alternatives of programs: the list that a search fills and a model file keeps.
 *
 *     {"worlds": 1184,
 *      "alternatives": [{"target": 0, "rules": "uncle(X, Y) :- ...", "case": "case :- ..."}]}
 *
 * Rules and cases are clauses in Prolog's syntax. */
#ifndef LOGIC_ALTERNATIVES_H
#define LOGIC_ALTERNATIVES_H

#include "logic/program.h"
#include "nlm/alternatives.h"

#define ALTERNATIVES_KEY "alternatives" /* metadata of a model */
#define ALTERNATIVES_CASE "case"        /* what a case defines */

nlm_status alternatives_new(long worlds, nlm_alternatives **alternatives, nlm_error *error);
/* One more; its programs are taken over, whatever the status.  `differ` may be NULL. */
nlm_status alternatives_add(nlm_alternatives *to, int target, nlm_program *rules, nlm_program *differ,
                            nlm_error *error);
/* A program of the same inputs that has this definition alone.  Of an alternative the definition has the
 * name, arity and places of `target`; with NULL it is a case, which has no arguments. */
nlm_status alternatives_program(const nlm_program *from, const program_predicate *target, formula body,
                                nlm_program **program, nlm_error *error);
/* A case in words; to be freed with free(). */
nlm_status alternatives_words(const nlm_program *differ, char **words, nlm_error *error);
/* One program of the same inputs, which `own` has too: definition i, the number of inputs on, is alternative
 * i, with what its rules define put in its place. */
nlm_status alternatives_joined(const nlm_alternatives *of, const nlm_program *own, nlm_program **program,
                               nlm_error *error);
/* As metadata (NULL of none); to be freed with free(). */
nlm_status alternatives_text(const nlm_alternatives *alternatives, char **text, nlm_error *error);
/* The text of a file that nobody vouches for. */
nlm_status alternatives_parse(const char *text, const char *name, const nlm_signature *signature,
                              nlm_alternatives **alternatives, nlm_error *error);

#endif
