/* Differentiable ILP (Evans and Grefenstette 2018): a program whose clauses are chosen by weights.
 *
 * Given predicates are a world's inputs and, where asked for, their negations.  Defined ones, the target
 * first, have one or two clause templates each; a predicate's weights are a matrix W over pairs of clauses,
 * one from each template, and pair (j, k) has the probability softmax(W)[j][k], the softmax over the whole
 * matrix.  Without a second template the matrix has one column.  The conclusions of the weights from a world
 * are computed by a pass (dilp_pass.h); dilp_baseline.c is the model that machines have.
 *
 * The negation of a defined predicate may be given as well.  Then the predicate is concluded in a stage of
 * its own before the others, from inputs, their negations and predicates of that stage alone.
 *
 *     dilp_clause.c     clauses that a template allows
 *     dilp.c            programs: predicates, definitions, sizes, clauses in words
 *     dilp_pass.c       steps of inference, forward and backward
 *     dilp_view.c       what one clause concludes
 *     dilp_pairs.c      what pairs of clauses conclude, weighted
 *     dilp_baseline.c   the table of functions that machines use */
#ifndef BASELINE_DILP_H
#define BASELINE_DILP_H

#include "baseline/dilp_clause.h"

/* Limits for programs from files. */
enum { DILP_MOST_PREDICATES = 256, DILP_MOST_NAME = 300 };

/* By dilp_estimate.  A constant: the programs that can be learned must not depend on the computer. */
#define DILP_MOST_BYTES 16e9

/* A defined predicate and its matrix W over pairs of clauses, one of each template.  Clauses that never hold
 * conclude the same, nothing: for computing they are folded into one, the last row or column. */
struct dilp_definition {
    int predicate;
    int templates;
    bool constant[2]; /* a template's clauses have given predicates alone: steps do not change them */
    struct dilp_clauses clauses[2]; /* the second may be empty */
    size_t rows, columns;           /* of W; columns is 1 without a second template */
    size_t offset;                  /* of W in the program's weights */
    size_t folded[2];               /* as rows and columns, where clauses that never hold are one */
    size_t folded_offset;
};

/* A program.  Predicates are numbered: givens 0..givens-1, the target `givens`, then its helpers.  Definition
 * d is that of predicate givens + d. */
struct dilp {
    struct dilp_predicate *predicates; /* given ones, then the target, then its helpers */
    int givens, defined;
    struct dilp_definition *definitions; /* one for each defined predicate */
    size_t weights, folded;              /* pairs of all definitions */
    int steps, stages;                   /* steps of each stage; 0: the number of objects */
    double most_bytes;                   /* worlds to train with have a dilp_estimate of at most this */
};

/* `inputs` are input predicates per arity, 0..NLM_MAX_BREADTH.  Refused are programs whose givens are not
 * these, in order, and then negations; arities over 2, names used twice, templates that allow no clause, and
 * more than DILP_MOST_PAIRS pairs of clauses.  The negation of p is called not_p. */
nlm_status dilp_new(struct dilp **dilp, const nlm_program_template *program, const int *inputs, int steps,
                    nlm_error *error);
void dilp_free(void *dilp);

/* Steps of each stage in a world of this number of objects. */
static inline int dilp_steps(const struct dilp *dilp, int objects)
{
    return dilp->steps > 0 ? dilp->steps : objects > 0 ? objects : 1;
}

/* Ground atoms of a predicate: objects^arity, the last variable fastest. */
static inline size_t dilp_cells(int objects, int arity)
{
    size_t cells = 1;
    while (arity-- > 0)
        cells *= (size_t)objects;
    return cells;
}

/* Whether that atom is p(x, x). */
static inline bool dilp_repeats(int objects, int arity, size_t cell)
{
    return arity == 2 && cell / (size_t)objects == cell % (size_t)objects;
}

/* Ground atoms of all predicates over this number of objects, as a double since it may be large. */
double dilp_atoms(const struct dilp *dilp, int objects);
/* Bytes that the paper's way of computing needs: with n ground atoms, C objects, T steps and S pairs of
 * clauses, 2nTS + 3nCS floats.  A pass needs less, but training refuses by this measure. */
double dilp_estimate(const struct dilp *dilp, int objects);
nlm_status dilp_refuse_large(const struct dilp *dilp, int objects, nlm_error *error);
/* Whether worlds of this size can be learned from: they fit the limit of memory, and every predicate can be
 * concluded by some clause. */
nlm_status dilp_admit(const void *dilp, int objects, nlm_error *error);

/* softmax(W) of one definition, rows x columns. */
void dilp_probabilities(const struct dilp *dilp, const float *weights, int definition, float *probability);

/* nlm_machine_clauses.  `model` was made by dilp_baseline. */
nlm_status dilp_read(const void *model, const float *weights, double least, nlm_clause_listener listener,
                     void *context, nlm_error *error);

#endif
