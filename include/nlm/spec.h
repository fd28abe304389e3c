/* Specs: what a machine, or another model, looks like.  nlm/machine.h says what it computes. */
#ifndef NLM_SPEC_H
#define NLM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_MAX_DEPTH 64
#define NLM_MAX_HIDDEN 4
#define NLM_MAX_HEADS 8
#define NLM_MAX_WIDTH 4096
#define NLM_MAX_DIMENSIONS 4 /* of a tensor */

/* What differentiable ILP (the model "dilp") is made of.  Given predicates are the inputs, those of arity 0
 * first, in order, and then, where asked for, what is false of them; the defined ones are the target and what
 * helps to define it.  The clauses of a definition are those that its templates allow: one or two bodies of
 * two atoms each, with so many variables beside the head's.
 */
typedef struct nlm_given {
    const char *name;
    int arity;    /* 0..2 */
    bool negated; /* true where the predicate of that name and arity is false */
} nlm_given;

/* What clauses call it, "father" or "not_father", of a name in quotes "'not_father of'"; cut to `size` bytes
 * with the final 0.  The result is the length of the whole. */
size_t nlm_given_text(const nlm_given *given, char *text, size_t size);

/* The predicates of the two atoms.  The first two are those of Evans and Grefenstette; with the others a
 * clause does not call its head, and has nothing given in place of a helper. */
typedef enum nlm_body {
    NLM_BODY_GIVEN,   /* "given": given ones */
    NLM_BODY_DEFINED, /* "defined": at least one that is defined */
    NLM_BODY_MIXED,   /* "mixed": a given one, and one that is defined after the head */
    NLM_BODY_HELPERS, /* "helpers": two that are defined after the head */
} nlm_body;

typedef struct nlm_template {
    int variables; /* 0..2 */
    nlm_body body;
} nlm_template;

/* As templates.pl and model files call it; NULL if there is no such body. */
const char *nlm_body_name(nlm_body body);

typedef struct nlm_definition {
    const char *name;
    int arity;
    int templates; /* 1 or 2 */
    nlm_template form[2];
} nlm_definition;

typedef struct nlm_program_template {
    int givens, definitions;
    const nlm_given *given;
    const nlm_definition *definition; /* the target first */
    bool steps_by_objects; /* a world takes as many steps as it has objects, not the spec's depth */
} nlm_program_template;

/* A clause that such a model has learned; listeners are called with one after the other, until one fails. */
typedef struct nlm_clause {
    const char *text; /* "even(X) :- zero(X).", while it is told */
    const char *predicate;
    int arity;
    int template_number; /* 0 or 1 */
    double probability;  /* of all pairs of clauses that it is in */
} nlm_clause;

typedef nlm_status (*nlm_clause_listener)(void *context, const nlm_clause *clause, nlm_error *error);

typedef struct nlm_spec {
    int depth;                       /* layers, 1 .. NLM_MAX_DEPTH */
    int breadth;                     /* largest arity, 1 .. NLM_MAX_BREADTH */
    int inputs[NLM_MAX_BREADTH + 1]; /* input predicates per arity */
    int width;                       /* output predicates of every unit ... */
    bool own_widths;                 /* ... unless this is set: then widths[layer][arity], 0 for no unit */
    int widths[NLM_MAX_DEPTH][NLM_MAX_BREADTH + 1];
    int hidden_layers; /* hidden layers of every unit's MLP, with ReLU, and their sizes */
    int hidden[NLM_MAX_HIDDEN];
    bool residual;     /* a layer's output is its input followed by its new predicates */
    unsigned outputs;  /* bit r set: the output group of arity r is wanted */
    const char *sense; /* NULL, or the network ("lenet") that makes the first inputs[1] of what objects show
                          (nlm_world_set_percept); its tensors are the machine's too */

    /* NULL for the machine itself, or another model to compare it with:
     * "memnn"  a memory network of `depth` rounds with a state of `width` numbers; its MLPs have the hidden
     *          layers above
     * "dilp"   differentiable ILP of a program in `depth` steps */
    const char *model;
    const nlm_program_template *program;
} nlm_spec;

/* What a sense reads of an object, numbers of a percept, and the predicates that it makes of them; false if
 * there is no sense of that name. */
bool nlm_sense_find(const char *name, int *numbers, int *predicates);

typedef struct nlm_head_spec {
    const char *name; /* the tensors are called <name>.weight and <name>.bias */
    int arity;        /* the output group it reads, which must be wanted */
    int outputs;      /* logits per tuple */
    bool twins;       /* a twin head: arity is 2, and the output group it reads is that of arity 1 */
} nlm_head_spec;

#ifdef __cplusplus
}
#endif
#endif
