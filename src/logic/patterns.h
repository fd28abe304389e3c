/* Patterns in rules: likes(A,A) is a predicate of its own, about one object (logic/program.h), and what rules
 * say of likes/2 is said of both. */
#ifndef LOGIC_PATTERNS_H
#define LOGIC_PATTERNS_H

#include "logic/program.h"
#include "nlm/facts.h"

/* The input of a pattern that a definition is only another name of, as printed programs have it, or -1:
 *
 *     likes_aa(A) :- likes(A, A).
 *     likes_ab(A, B) :- likes(A, B), A \= B. */
int pattern_alias(nlm_program *program, formula body, int arity);
/* A definition of the target: what another one (-1: none, it is never true) says of objects in the target's
 * places, which are different.  Its number, or -1 without memory. */
int pattern_target(nlm_program *program, const nlm_predicate *target, int definition);

#endif
