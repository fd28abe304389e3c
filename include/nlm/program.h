/* Programs of logic: what a machine computes, as definitions that people can read.
 *
 *     uncle(X, Y) :- father(X, Z), p1(Z, Y).
 *
 * A program defines predicates by others, without cycles, down to the predicates of a world (inputs).  It and
 * a machine are two forms of one thing: nlm_program_compile makes the machine of a program, nlm_program_of
 * the program of a machine whose units compute with 0 and 1 only, and nlm_prove shows that they are equal in
 * every world. */
#ifndef NLM_PROGRAM_H
#define NLM_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include "nlm/facts.h"
#include "nlm/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_program nlm_program;

void nlm_program_free(nlm_program *program);

/* ---- clauses ---- */

/* Clauses in Prolog's syntax, from a file ("-": standard input) or a text that `name` stands for in messages:
 *
 *     head(X, Y) :- p(X, Z), \+ q(Z, Y), X \= Y, forall(r(X, W), s(W)).
 *
 * Predicates without clauses are inputs; the target is the predicate that no other uses, or those that
 * `targets` names ("uncle/2", "uncle"; NULL: none named).  `signature` gives the inputs and their order
 * (NULL: in the order of their appearance, by arity).  What is no such program is NLM_BAD_FILE with line and
 * reason. */
typedef struct nlm_program_reading {
    const char *const *targets;
    int target_count;
    const nlm_signature *signature;
    bool definitions;   /* all definitions are kept, none is a target: for nlm_program_with_names */
    bool false_targets; /* targets of the signature without clauses are never true, and no error */
} nlm_program_reading;

nlm_status nlm_program_read(const char *path, const nlm_program_reading *reading, nlm_program **program,
                            nlm_error *error);
nlm_status nlm_program_parse(const char *text, size_t size, const char *name,
                             const nlm_program_reading *reading, nlm_program **program, nlm_error *error);

typedef enum nlm_language {
    NLM_PROLOG,  /* as SWI-Prolog loads it */
    NLM_ASP,     /* clingo */
    NLM_DATALOG, /* Souffle */
    NLM_SQL,     /* one query for each target, on tables of the predicates' names with columns a, b, ... */
    NLM_ENGLISH, /* one sentence for a clause */
    NLM_JSON,
    NLM_CLAUSES /* Prolog's clauses alone, without declarations: for reading */
} nlm_language;

nlm_status nlm_program_print(FILE *stream, const nlm_program *program, nlm_language language,
                             nlm_error *error);

/* The same as a text, which the caller frees with free(). */
nlm_status nlm_program_text(const nlm_program *program, nlm_language language, char **text, nlm_error *error);

/* The program in words that `names` defines (read as `definitions`): what says the same as one of these
 * becomes an atom of it, a definition or a part of one.  *used becomes the number of names that the targets
 * need.  At most 200 names: else NLM_BAD_ARGUMENT. */
nlm_status nlm_program_with_names(const nlm_program *program, const nlm_program *names, int *used,
                                  nlm_program **made, nlm_error *error);

/* Clauses and their literals, heads included; `inequalities` of them say that two variables stand for
 * different objects. */
typedef struct nlm_program_size {
    int clauses, literals, inequalities;
} nlm_program_size;

nlm_program_size nlm_program_measure(const nlm_program *program);

/* ---- machines ---- */

/* The machine of a program: as few layers and predicates as its formulas allow, weights that are whole
 * multiples of one number, units that are exactly 0 or 1.  In every world the target is above one half where
 * the program says so, and below elsewhere.  NLM_BAD_ARGUMENT, with the reason, if it needs more variables at
 * once than `breadth` (0: NLM_MAX_BREADTH), or more layers or predicates than a machine can have. */
nlm_status nlm_program_compile(const nlm_program *program, int breadth, nlm_machine **machine,
                               nlm_error *error);
/* The names of a program's inputs and targets, for its machine's metadata. */
nlm_status nlm_program_signature(const nlm_program *program, nlm_signature **signature, nlm_error *error);
/* The program of a machine: a definition for each live predicate; the signature names inputs and targets.
 * NLM_BAD_ARGUMENT, with the unit, if some predicate reads more than 16 others. */
nlm_status nlm_program_of(const nlm_machine *machine, const nlm_signature *signature, nlm_program **program,
                          nlm_error *error);

/* ---- worlds ---- */

/* The truth of every tuple of a target, [objects]^arity by number (nlm/world.h), 1 or 0, by evaluating the
 * formulas; tuples that repeat an object are 0.  Inputs are found by name and arity; one that the world does
 * not have is false everywhere.  A fact counts when its value is above one half. */
nlm_status nlm_program_evaluate(const nlm_program *program, const nlm_world *world, int target,
                                signed char *truth, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
