/* A pass: the values and gradients of one machine on one structure.
 *
 *     block (i, r)   the values of unit (i, r) (i = 0: the inputs), one row per row of level (i, r)
 *     pool (i, r)    block (i, r+1) reduced, one row per row of range (i, r): [exists | forall]
 *     hidden         outputs of the hidden layers of a unit's MLP, kept for backward
 *
 * Forward, for layers 0..D: blocks (from tables of products, chain.c), then pools over them; at last heads.
 * Backward is the same in reverse.  A row of gradients is the sum over all tuples that share the row, which
 * is all that gradients of parameters need (docs/maths.md, section 6).
 *
 * Weights are used in packed form: per unit, source and block, [order][channel][column] (kernel_product),
 * made from the parameters at every forward; their gradients are unpacked at the end of backward.
 *
 * States of a pass: no structure (new, or after a failure), forward done, forward done for training, backward
 * done.  pass_check and `training` guard the functions that need one of them.
 *
 *     pass.c         order of forward and backward       chain.c     products of groups
 *     unit.c         one unit                            stream.c    a unit inside a reduction
 *     pack.c         weights for products                jobs.c      kernels shared out over threads
 *     value_table.c  rows of values and gradients        twins.c     heads for pairs of twins
 *     dense.c        rows to tuples and back             loss.c, macro.c   losses and accuracies
 *     model_pass.c   the same for another model
 *
 * A pass belongs to one thread at a time and uses the team of its structure.  Several passes may work on one
 * machine at the same time while nobody changes its parameters: forward only reads them.  Backward adds to
 * the machine's gradients, so only one pass may do that at a time. */
#ifndef MACHINE_PASS_H
#define MACHINE_PASS_H

#include "base/memory.h"
#include "kernel/kernel.h"
#include "machine/machine.h"
#include "structure/structure.h"

/* Rows of numbers, and optionally gradients of the same shape.  Columns are padded to `stride`.  Gradients
 * are cleared lazily: `written` is false after a forward, and the first to ask for them clears them. */
struct value_table {
    size_t rows;
    int stride;
    float *values, *gradients; /* gradients only through value_table_gradients */
    bool written;              /* the gradients hold something */
    int32_t *arg;              /* pools: the rows that each value came from, one or more per value */
    buffer value_store, gradient_store, arg_store;
};

/* The three groups that a unit reads: its own arity, one less (expand), one more (reduce). */
enum source { SOURCE_OWN, SOURCE_SUB, SOURCE_RANGE, SOURCES };

/* Packed weights of one linear map, [orders][channels][columns], and their transposes for backward,
 * [orders][columns][padded_channels]. */
struct pack {
    const struct orders *orders; /* over which it sums */
    int channels, columns;
    int padded_channels;        /* columns of the transposed map */
    size_t weights, transposed; /* offsets into the pass's packed arrays */
};

/* Arrays by [layer][arity] are used where the plan has a live group.  All tables keep their memory from step
 * to step. */
struct nlm_pass {
    /* The machine, and the state of the last forward, to which all results refer. */
    nlm_machine *machine;
    const struct nlm_structure *structure; /* of the last forward pass, or NULL */
    uint64_t build;                        /* the structure's, at that time */
    const struct kernel_table *kernels;
    /* training: gradients will be asked for; input_gradients: those of the inputs too (the structure's
     * option) */
    bool training, input_gradients;
    bool backward_done; /* backward is done: the gradients of the inputs are there */

    /* Values by layer and arity. */
    struct value_table blocks[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
    struct value_table pools[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
    struct value_table hidden[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1][NLM_MAX_HIDDEN];
    /* Results of heads.  `pairs` is used by twin heads alone. */
    struct value_table logits[NLM_MAX_HEADS]; /* of twin heads: the terms of objects (twins.c) */
    /* of twin heads: the terms of pairs.  With another model, all of it: a row for each place, world after
     * world */
    struct value_table pairs[NLM_MAX_HEADS];

    /* Packed weights.  The packs of a source are consecutive, one per block of the group it reads, oldest
     * first. */
    int pack_count, pack_room;
    struct pack *packs;
    /* Numbers of packs, and places of biases, by unit and by head. */
    int unit_pack[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1][SOURCES]; /* of the source's first block */
    int mlp_pack[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];           /* of the second linear layer */
    int head_pack[NLM_MAX_HEADS];
    int pairs_pack[NLM_MAX_HEADS];
    size_t unit_bias[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]
                    [NLM_MAX_HIDDEN + 1]; /* offsets into packed weights */
    size_t head_bias[NLM_MAX_HEADS];
    /* Arrays over all packs: the parameter behind each number, the weights, their gradients, the transposed
     * weights. */
    size_t packed_size, transposed_size;
    int32_t *packed_map, *transposed_map; /* parameter behind each packed number */
    float *packed, *packed_gradient, *transposed;

    /* Work areas of the sense and of another model, made when the pass is made. */
    void *sense; /* work area of the machine's sense; NULL without one */
    void *model; /* work area of another model; NULL for the machine's own */

    /* Scratch is shared by all units: they run one after the other, each with all threads. */
    struct {
        buffer forward[SOURCES][2]; /* products of a unit's sources */
        buffer back[SOURCES][2];
        buffer gradient[2]; /* of a unit's rows */
        buffer copies;      /* of gradient tables, one per part of a job */
        buffer row_scratch; /* rows that streamed units read */
        buffer counts;      /* labels per row */
        buffer tallies;     /* of answers per group */
        buffer policy;      /* logits and chances of a world's actions */
        buffer perceived;   /* gradients of the sense's predicates */
        buffer worlds;      /* struct baseline_world, of another model */
        buffer dense;       /* their inputs, and logits or gradients of these */
    } scratch;
};

/* Whether backward computes gradients of the inputs of an arity. */
static inline bool pass_goes_to_inputs(const struct nlm_pass *pass, int arity)
{
    return pass->training && (pass->input_gradients || (arity == 1 && pass->sense));
}

/* ---- pack.c ---- */

/* Packs and maps, once per pass: they depend on the plan alone. */
nlm_status pack_plan(struct nlm_pass *pass);
/* Fill the packed weights from the parameters; for training also the transposed ones, and clear the
 * gradients. */
void pack_weights(struct nlm_pass *pass, bool training);
/* Add the packed gradients to the machine's. */
void pack_gradients(struct nlm_pass *pass);

/* ---- jobs.c: kernels shared out over threads ---- */

/* Run a kernel over all orbits, cut into parts by size.  Those that return a status need memory for
 * copies. */
void job_product(const struct nlm_pass *pass, const struct kernel_product *job, size_t orbits);
nlm_status job_outer(struct nlm_pass *pass, const struct kernel_outer *job, size_t orbits);
void job_gather(const struct nlm_pass *pass, const struct kernel_gather *job, size_t orbits);
void job_map(const struct nlm_pass *pass, const struct kernel_map *job, size_t orbits);
void job_reduce(const struct nlm_pass *pass, const struct kernel_reduce *job, size_t orbits);
nlm_status job_activate_back(struct nlm_pass *pass, float *gradient, const float *y, float *bias_gradient,
                             int width, enum kernel_activation activation, size_t rows);

/* The product tables of a unit's three sources, as gradients.  Parts of a job add to copies of their own,
 * which are summed in order.  Sizes in floats; a table of size 0 is absent. */
struct gradient_tables {
    float *table[SOURCES];
    size_t size[SOURCES];
};
typedef void (*scatter_part)(void *context, const struct gradient_tables *tables, float *bias, int part,
                             int parts, int thread);
/* Zero the tables and run the parts; `items` sizes the job.  bias has `width` floats, added to. */
nlm_status job_scatter(struct nlm_pass *pass, const struct gradient_tables *tables, float *bias, int width,
                       size_t items, size_t work, scatter_part run, void *context);

/* ---- chain.c: products of a group's blocks, each on its own rows ---- */

/* The input of a unit or head from one group: sum over its blocks of values times packed weights.  Used for
 * units (three chains, one per source), for heads, and for the inputs of twin heads. */
struct chain {
    bool pooled;    /* pools instead of blocks */
    int top, arity; /* the group (of ranges if pooled) */
    int first_pack;
    bool reordered; /* rows meet in all orders (units), or each for itself (heads) */
    int columns;
};

/* *y: one row per row of the group's partition, in one of the two scratch buffers, valid until these are used
 * again. */
nlm_status chain_forward(struct nlm_pass *pass, const struct chain *chain, buffer scratch[2], float **y);
/* Gradients of the chain's weights, and of the values of its blocks where these have any.  dy is used up. */
nlm_status chain_backward(struct nlm_pass *pass, const struct chain *chain, buffer scratch[2], float *dy);

/* ---- unit.c, stream.c ---- */

/* Values of unit (layer, arity) from layer - 1, or of its pool if it is streamed; and the way back. */
nlm_status unit_forward(struct nlm_pass *pass, int layer, int arity);
nlm_status unit_backward(struct nlm_pass *pass, int layer, int arity);

struct unit_tables { /* products of the three sources, NULL where there is none */
    const float *table[SOURCES];
    const float *bias;
    int width;
};
/* For a streamed unit: the pool (layer, arity - 1) from the tables of the unit's sources, and the way
 * back. */
nlm_status stream_forward(struct nlm_pass *pass, int layer, int arity, const struct unit_tables *tables);
nlm_status stream_backward(struct nlm_pass *pass, int layer, int arity, const struct gradient_tables *tables,
                           float *bias);

/* NLM_BAD_ARGUMENT unless there was a forward pass and its structure is as it was ... */
nlm_status pass_check(const struct nlm_pass *pass, nlm_error *error);
/* ... and the world and the head exist. */
nlm_status pass_check_world(const struct nlm_pass *pass, int world, nlm_error *error);
nlm_status pass_check_head(const struct nlm_pass *pass, int head, nlm_error *error);
/* ... and that a target of the last structure is one that the output of a head can answer. */
nlm_status pass_check_target(const struct nlm_pass *pass, int head, int output, int target, nlm_error *error);
/* The partition that says which row of the head's logits a tuple has. */
const struct partition *pass_head_part(const struct nlm_pass *pass, int head);

/* ---- dense.c: logits by tuple, [objects]^arity x width, the first `width` of each ---- */

/* Places of a dense tensor over all objects of a world: objects^arity. */
size_t dense_cells(const struct nlm_pass *pass, int world, int arity);
/* Objects that a head's tuples of a world are made of, and places in the dense tensor. */
int dense_objects(const struct nlm_pass *pass, int world, int head);
size_t dense_places(const struct nlm_pass *pass, int world, int head);
/* Places of tuples that repeat an object are neither written nor read. */
void dense_logits(const struct nlm_pass *pass, int world, int head, size_t width, float *logits);
void dense_add_gradient(struct nlm_pass *pass, int world, int head, size_t width, const float *gradient);

/* Values of block (layer, arity), all of them; places of tuples that repeat an object become 0. */
void dense_block(const struct nlm_pass *pass, int world, int layer, int arity, float *values);

/* The other way round, for another model: inputs of a world, and its logits. */
void dense_inputs(const struct nlm_pass *pass, int world, int arity, float *inputs);
void dense_set_logits(struct nlm_pass *pass, int world, int head, const float *logits);

/* ---- model_pass.c: passes of a machine whose spec names another model ---- */

/* In place of units and heads: the baseline computes the logits of all worlds, and takes their gradients. */
nlm_status model_forward(struct nlm_pass *pass, nlm_error *error);
nlm_status model_backward(struct nlm_pass *pass, nlm_error *error);
/* The first row of a world in the table of a twin head. */
size_t model_twin_row(const struct nlm_pass *pass, int world, int head);

/* ---- twins.c: twin heads ---- */

/* NLM_BAD_SHAPE if there is a twin head and a world has objects without twins. */
nlm_status twins_check(const struct nlm_machine *machine, const struct nlm_structure *structure,
                       nlm_error *error);
/* The terms of pairs' inputs in the logits; those of objects are made in pass.c. */
nlm_status twins_forward(struct nlm_pass *pass, int head);
nlm_status twins_backward(struct nlm_pass *pass, int head);
/* dense_logits and dense_add_gradient. */
void twins_gather(const struct nlm_pass *pass, int world, int head, size_t width, float *logits);
void twins_scatter(struct nlm_pass *pass, int world, int head, size_t width, const float *gradient);

/* ---- value_table.c ---- */

/* `args` rows of origin per value, usually 0 or 1. */
nlm_status value_table_reserve(struct value_table *table, size_t rows, int stride, bool gradients,
                               size_t args);
void value_table_free(struct value_table *table);
/* The gradients, to be read or added to: 0 where nothing was written yet. */
float *value_table_gradients(struct value_table *table);
/* Rows of the partition that group (layer, arity) stands on. */
size_t level_rows(const struct nlm_pass *pass, int layer, int arity);
size_t range_rows(const struct nlm_pass *pass, int layer, int arity);

#endif
