/* What a machine computes if all its inputs are 0 or 1: the checker's own reading of a model.
 *
 * It is made of the spec and the tensors by name, after docs/maths.md (sections 2 and 15), and shares nothing
 * with the code that finds or compiles programs: what it says can be used to check these.
 *
 * A predicate of a unit, and a head, is a threshold function of the columns whose weights are not 0.  It is
 * hard if for every combination of these the sum of weights and bias is at least UNITS_TRUE or at most
 * -UNITS_FALSE, rounding included; then sigmoid gives exactly 1 or 0 (docs/maths.md, section 15).  Only
 * predicates that a head depends on count. */
#ifndef LOGIC_HARD_UNITS_H
#define LOGIC_HARD_UNITS_H

#include "base/memory.h"
#include "nlm/facts.h"

#define UNITS_TRUE 17.0   /* sigmoid is exactly 1 from here on, in floats */
#define UNITS_FALSE 104.0 /* and exactly 0 below the negative of this, with every kernel */

enum {
    UNITS_MOST_INPUTS = 24,  /* of a predicate */
    UNITS_MOST_NODES = 4096, /* of a predicate's function */
    UNITS_MOST_VISITS = 1 << 22,
    UNITS_NO = 0, /* nodes that are constants */
    UNITS_YES = 1
};

/* A column with a weight: predicate `source` at the tuple u, u[k] = t[place[k]].  For NLM_EXISTS and
 * NLM_FORALL u is followed by an object z that is none of t. */
typedef struct unit_input {
    nlm_operation operation;
    double weight;
    int source, arity; /* arity: of u, without z */
    unsigned char place[NLM_MAX_BREADTH];
} unit_input;

/* A function of inputs: that of `low` where the input is false, of `high` where it is true.  An input with a
 * positive weight never makes the function false, one with a negative weight never true. */
typedef struct unit_node {
    int input, low, high;
} unit_node;

/* Of layer 0: an input of the machine.  Of layer depth + 1: a head. */
typedef struct unit_predicate {
    int layer, arity, number;
    bool reached;
    int first, count; /* inputs */
    int root;         /* node; meaningless if it is not hard */
} unit_predicate;

typedef struct hard_units {
    nlm_machine *machine;
    const nlm_signature *signature; /* names; NULL for a game */
    bool ranks; /* the predicates of the last layer stand for heads: of an agent that is a list of rules */
    int block[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]; /* predicates that a unit computes */
    int first[NLM_MAX_DEPTH + 2][NLM_MAX_BREADTH + 1]; /* the number of its first one */
    int head[NLM_MAX_HEADS], head_count;
    buffer predicates, inputs, nodes;
    int predicate_count, input_count, node_count;
    int reached;         /* predicates of units and heads that count */
    int soft;            /* of these, not hard */
    double margin;       /* the least distance from 0 of a sum, of those that are hard */
    char complaint[512]; /* about the first one that is not hard; "" if all are */
} hard_units;

/* Of an agent whose head only adds up the predicates of the last layer, all with one weight above 0, the
 * signature may have a target for each of these: they then stand for heads, in their order.
 *
 * NLM_BAD_ARGUMENT for a model that this says nothing about, with the reason.  The machine computes with 0
 * and 1 only if `soft` is 0.  Without a signature heads are scores of moves, and only units count. */
nlm_status hard_units_read(hard_units *units, nlm_machine *machine, const nlm_signature *signature,
                           nlm_error *error);
void hard_units_free(hard_units *units);

static inline unit_predicate *unit_predicate_at(const hard_units *units, int predicate)
{
    return (unit_predicate *)units->predicates.data + predicate;
}
static inline const unit_input *unit_input_at(const hard_units *units, int input)
{
    return (const unit_input *)units->inputs.data + input;
}
static inline const unit_node *unit_node_at(const hard_units *units, int node)
{
    return (const unit_node *)units->nodes.data + node;
}

#endif
