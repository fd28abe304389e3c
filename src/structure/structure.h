/* Structure: classes of tuples, layer by layer, and the classes that each of them reads.
 *
 * A partition of the unordered tuples of one arity is given by a code per tuple (base/orders.h): the tuple,
 * in sorted order, carries the values of row `code`.  All r! orders of a representative form one orbit of
 * rows, so the code of a reordered tuple follows by a look-up.  Two tuples have equal codes only if they
 * carry equal values whatever the weights; docs/maths.md has the proof.
 *
 *     level (i, r)  the rows of block (i, r), and for each orbit the codes it reads at layer i-1
 *     range (i, r)  the distinct sets of rows of level (i, r+1) over which (i+1, r) reduces
 *
 * An example of level (0, 2), with one input "father" and three objects, where 0 is the father of 1 and of 2:
 *
 *     tuple   inputs in orders 0, 1    code
 *     {0, 1}  father(0,1)=1, 0         orbit 0, order 0      representative of orbit 0
 *     {0, 2}  father(0,2)=1, 0         orbit 0, order 0      alike
 *     {1, 2}  0, 0                     orbit 1, order 0      same: both orders are equal, one class
 *
 * Had 2 been the father of 1, {1, 2} would be orbit 0 in order 1.  An identity would have three orbits and
 * six rows; here two orbits have four rows and three classes.
 *
 * A streamed level has no rows: the reduction that reads it computes its values on the fly.
 *
 *     structure.c    building layer by layer, copies of the batch's data
 *     classify.c     from keys to a partition, in parallel; intern.h is its hash table
 *     levels.c       keys and links of levels
 *     ranges.c       keys and elements of ranges
 *     rows.c         rows of (t, z) for all z
 *     invariants.c   assertions of a finished structure
 *
 * Nothing here depends on weights, so one structure serves any number of passes.  Apart from the copies of
 * inputs and percepts it is integers.  Numbers of tuples and codes have 31 bits, so an arity may have
 * STRUCTURE_MOST_TUPLES unordered tuples, and a partition of them 2^31 >> shift orbits: all tuples, where
 * each is its own orbit (STRUCTURE_MOST_ORBITS). */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "base/team.h"
#include "nlm/batch.h"
#include "nlm/options.h"
#include "plan/plan.h"
#include "structure/intern.h"
#include "world/batch.h"
#include "world/tuples.h"

#define STRUCTURE_MOST_TUPLES ((size_t)INT32_MAX)
#define STRUCTURE_MOST_ORBITS(orders) ((size_t)(INT32_MAX >> (orders)->shift))

/* A partition of the tuples of one arity into classes.
 *
 *     code = orbit << shift | order       the tuple has the values of the representative in this order
 *     row  = orbit * r! + order           where these values are
 *
 * Invariant: two tuples with equal codes are alike in all orders; alike tuples have equal codes,
 * since among equal orders of an orbit the code names the smallest (`same`).  An orbit has r! rows even if
 * some of its orders are equal.  Partitions are owned by the structure (`store` of a level or range,
 * `identity`); `part` pointers of several levels may lead to one partition. */
struct partition {
    int arity;
    bool identity; /* code of tuple number n is n << shift */
    size_t orbits;
    size_t classes;       /* of ordered tuples */
    uint64_t tag;         /* partitions with equal tags divide the tuples alike */
    const int32_t *codes; /* per unordered tuple */
    const int32_t *first; /* per orbit: the tuple that is its representative, in sorted order */
    const uint8_t *same;  /* per row: the smallest order of the orbit whose row is equal; NULL for identity */
    /* Rows of all ordered tuples, [objects]^arity per world, and where each world begins; NULL until asked
     * for (rows.h). */
    const int32_t *dense;
    const size_t *dense_worlds;
    buffer code_store, first_store, same_store, dense_store, dense_world_store;
};

/* Level (i, r).  For a live unit the links say where the rows of layer i are computed from.
 *
 * Links are kept for order 0 of each orbit only.  Those of order b follow: own and range in order b, and
 * for the sub-tuples the table `drop` of base/orders.h (docs/maths.md, section 5, the gather). */
struct level {
    const struct partition *part; /* NULL: nothing here, or streamed */
    bool linked;                  /* the codes below are known */
    bool streamed;
    /* Per orbit of part: codes at layer i-1.  NULL (own and range only): the partition read is this very one,
     * code = orbit << shift. */
    const int32_t *own;
    const int32_t *sub; /* [orbit][r]: of the representative without its k-th variable */
    const int32_t *range;
    struct partition store;
    buffer own_store, sub_store, range_store;
};

/* Range (i, r): the sets over which unit (i+1, r) reduces.  The elements of orbit o are elements[start[o]] ..
 * elements[start[o + 1] - 1].  If streamed, there are no elements and the partition is the identity. */
struct range {
    const struct partition *part; /* of the r-tuples; NULL if no unit reduces here */
    bool streamed;
    const int32_t *parent;   /* per orbit: code in range (i-1, r); NULL if it is the same partition */
    const int32_t *start;    /* per orbit, orbits + 1 of them: its elements, which are ... */
    const int32_t *elements; /* ... codes of level (i, r+1), of (representative, z) in that order */
    struct partition store;
    buffer parent_store, start_store, element_store;
};

/* The classes of one batch for all machines of one plan, and the data of the batch that passes need.
 *
 * It is built by one thread (with its team) and then only read; a later build overwrites it.  Passes compare
 * `build` and `signature` with what they saw in forward, and refuse another. */
struct nlm_structure {
    const struct plan *plan; /* of the machine given to build; only read during build */
    nlm_options options;
    struct team *team; /* NULL for one thread */
    struct tuples tuples;
    int depth, breadth;
    uint64_t build;     /* counts builds, so that a pass notices a new one */
    uint64_t signature; /* of the plan; 0 until built.  A pass checks that its machine has the same. */
    struct level levels[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
    struct range ranges[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
    struct partition identity[NLM_MAX_BREADTH + 1];
    uint64_t next_tag;
    int beyond; /* the arity of a partition that has more orbits than codes; 0: none */
    /* Copied from the batch: a number per world; inputs per row of level 0; labels per tuple and order. */
    buffer presentations;
    buffer values[NLM_MAX_BREADTH + 1];
    int perceived;   /* of the inputs of arity 1, which are then not lifted: passes make them of ... */
    buffer percepts; /* ... these, as in the batch */
    int targets;
    int target_arity[BATCH_MAX_TARGETS];
    buffer labels[BATCH_MAX_TARGETS];
    /* Scratch of classification (classify.c) and of ranges (`bits`, `places`). */
    struct intern merged;
    struct intern *local; /* one per thread */
    int locals, local_room;
    buffer chunk_keys, chunk_counts, chunk_firsts, chunk_map, merged_codes, orbit_keys, reordered, bits,
        places;
};

/* The structure of a batch for machines of this plan. */
nlm_status structure_build(struct nlm_structure *structure, const struct plan *plan,
                           const struct nlm_batch *batch, const nlm_options *options, nlm_error *error);

/* The same in steps, for those who want to look in between: begin; then, layer by layer from 0, all levels in
 * any order (those that are not live are passed over) and then the ranges.  A pass takes only what
 * structure_build made. */
nlm_status structure_begin(struct nlm_structure *structure, const struct plan *plan,
                           const struct nlm_batch *batch, const nlm_options *options, nlm_error *error);
nlm_status structure_add_level(struct nlm_structure *structure, const struct nlm_batch *batch, int layer,
                               int arity);
nlm_status structure_add_ranges(struct nlm_structure *structure, int layer);

/* Asserts the invariants above of a structure that was just built; costs a walk over all of it. */
void structure_check(const struct nlm_structure *structure);

/* The partition in which every tuple is its own orbit. */
nlm_status structure_identity(struct nlm_structure *structure, int arity, const struct partition **part);

/* Level 0: tuples are alike if their inputs are, in all orders. */
nlm_status structure_classify_inputs(struct nlm_structure *structure, int arity, const float *values);
/* Level i > 0: tuples are alike if they read alike. */
nlm_status structure_classify_level(struct nlm_structure *structure, int layer, int arity);
/* The codes that the orbits of a level read, once its partition is known. */
nlm_status structure_link_level(struct nlm_structure *structure, int layer, int arity);
/* Range (layer, arity). */
nlm_status structure_classify_range(struct nlm_structure *structure, int layer, int arity);

/* A source of unit (layer, arity) exists and is read. */
bool structure_reads_sub(const struct plan *plan, int layer, int arity);
bool structure_reads_own(const struct plan *plan, int layer, int arity);
bool structure_reads_range(const struct plan *plan, int layer, int arity);
/* With NLM_LIFT, level (layer, arity) is streamed unless it takes over a partition with few classes. */
bool structure_may_stream(const struct plan *plan, int layer, int arity);
/* Whether tuples of an arity have numbers with NLM_LIFT: not where all of its units are streamed, which is
 * how programs over large worlds can be computed. */
bool structure_numbers(const struct plan *plan, int arity);

#endif
