/* Programs of logic: predicates that a world gives (inputs), and predicates defined by formulas.
 *
 * Definition i may use inputs and definitions before it: there are no cycles.  A definition of arity n is a
 * formula whose free variables are among 0..n-1, its arguments.
 *
 * Worlds have atoms of different objects only (nlm/facts.h: likes(A,A) is a predicate of its own, about one
 * object).  So an input of a program is false where an argument is repeated, and building a program's
 * formulas with program_atom knows that.  Targets are asked for different objects only; other definitions are
 * what their formula says, for repeated arguments too. */
#ifndef LOGIC_PROGRAM_H
#define LOGIC_PROGRAM_H

#include "logic/formula.h"
#include "nlm/program.h"

typedef struct program_predicate {
    char *name; /* "father" */
    int arity;  /* of different objects */
    /* As facts write it: likes(A,A) has written 2, arity 1, place {0, 0}. */
    int written, place[FORMULA_MOST_ARITY];
    bool is_input, is_type; /* is_type: holds for the objects of type `name` (signature) */
    bool unnamed;           /* a definition whose name nobody gave: printed under one that says its shape */
    nlm_comparison comparison; /* of an input with terms, whose attributes are the program's */
    formula body;              /* of a definition */
    size_t line;               /* of its first clause; 0: not from a file */
} program_predicate;

struct nlm_program {
    formula_store store;
    buffer predicates; /* program_predicate: inputs first, in the machine's order, then definitions */
    int predicate_count, input_count;
    buffer attributes; /* nlm_attribute, with names of their own */
    int attribute_count;
    int target[NLM_MAX_HEADS], target_count; /* numbers of definitions; one for each head of a machine */
    bool is_policy; /* the targets are the rules of an agent, in their order (logic/policy.h) */
};

static inline program_predicate *program_at(const nlm_program *program, int predicate)
{
    return (program_predicate *)program->predicates.data + predicate;
}

nlm_status program_new(nlm_program **program, nlm_error *error);
/* A new input or definition; names are copied.  Inputs come before definitions.  -1 without memory. */
int program_add_input(nlm_program *program, const char *name, int arity);
int program_add_definition(nlm_program *program, const char *name, int arity, formula body);
/* An attribute, whose name is copied; its types do not count.  -1 without memory. */
int program_add_attribute(nlm_program *program, const nlm_attribute *attribute);
static inline const nlm_attribute *program_attribute_at(const nlm_program *program, int number)
{
    return (const nlm_attribute *)program->attributes.data + number;
}
/* The input of a comparison of its attributes: the one that is there, or a new one; -1 without memory. */
int program_add_comparison(nlm_program *program, const nlm_comparison *of);
/* The number of a predicate, or -1. */
int program_find(const nlm_program *program, const char *name, int arity);
/* An atom, false where it is an input with a repeated argument. */
formula program_atom(nlm_program *program, int predicate, const int *variables);
/* The inputs of a signature; only for a program that has no predicates yet. */
nlm_status program_add_signature(nlm_program *program, const nlm_signature *signature, nlm_error *error);
/* What files and rules call it: its name, or for a type that an input shares its name with, type_NAME.  To be
 * freed; NULL without memory. */
char *program_written_name(const nlm_program *program, int predicate);
/* What a world calls an input: father, likes(A,A), type(person).  To be freed; NULL without memory. */
char *program_world_name(const program_predicate *input);
/* The program of a hard machine that scores tuples: definitions move_1, move_2, ... are its last ones, each
 * true where the score is above a threshold.  No targets. */
nlm_status program_of_scores(const nlm_machine *machine, const nlm_signature *signature,
                             const double *thresholds, int count, nlm_program **program, nlm_error *error);
/* The formula of a definition with all earlier ones in their places; *fits is false if it gets more than so
 * many literals. */
formula program_inlined(nlm_program *program, int definition, int most, bool *fits);
nlm_status program_copy(const nlm_program *from, nlm_program **program, nlm_error *error);

#endif
