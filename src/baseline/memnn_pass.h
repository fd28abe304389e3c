/* Inside a pass of the memory network: shared by forward (memnn_pass.c) and backward (memnn_back.c).
 *
 * Slots and questions are shared out in blocks of MEMNN_ROWS.  For training a trace is kept of each question:
 * what went on in every round; otherwise a thread has one for the block that it works on, and a round writes
 * over the one before. */
#ifndef BASELINE_MEMNN_PASS_H
#define BASELINE_MEMNN_PASS_H

#include "base/memory.h"
#include "baseline/memnn.h"

/* Rows per block, and groups per world: each group has a copy of the gradients, so there must not be many. */
enum { MEMNN_ROWS = 128, MEMNN_MOST_GROUPS = 8 };

/* Some slots of a world, or questions of one kind. */
struct memnn_block {
    int world;
    enum memnn_kind kind;
    /* the first slot or question, and how many */
    int first, rows;
    size_t before; /* questions of the batch before these */
};

/* The place of a world in the batch: its slots, and blocks of questions, in groups that collect their
 * own gradients. */
struct memnn_place {
    /* slots of this world; its first slot among those of the batch, and among slots padded to full tiles */
    int slots;
    size_t first_slot, first_padded;
    /* blocks of questions, and their groups, each with the first among those of the batch */
    int blocks, first_block;
    int groups, first_group;
    size_t first_copy; /* slots before those of group 0, when each group has all slots of its world */
};

/* A round of a block: query [rows, 16], peak and share of its softmax [rows], read [rows, 32], gates [rows, 4
 * width]; cell and state after the round, [rows, width]. */
struct memnn_round {
    float *query, *peak, *share, *read, *gates;
    struct lstm_state after;
};

/* Keys and values as attention takes them; the last two for training only. */
struct memnn_memory {
    float *key_columns, *values, *keys, *value_columns;
};

/* A pass.  Sizes and places follow from the worlds' numbers of objects; buffers are kept from step to
 * step. */
struct memnn_work {
    const struct memnn *model;
    const struct smooth *smooth;

    /* of the last forward, or of the backward that goes on */
    const float *values;
    const struct baseline_world *worlds;
    int count;
    bool training; /* and done: there is a trace of all questions */
    /* numbers of the whole batch */
    size_t questions, slots, padded_slots;
    int question_blocks, slot_blocks, groups;
    buffer names;                            /* [count, MEMNN_MOST_THINGS] */
    buffer places;                           /* struct memnn_place [count] */
    buffer blocks;                           /* struct memnn_block: of questions, then of slots */
    buffer memory;                           /* of all slots: see struct memnn_memory */
    buffer trace;                            /* block after block, rounds within */
    buffer scratch;                          /* per thread */
    buffer group_worlds;                     /* int [groups]: the world of each */
    buffer group_gradients, group_dmemories; /* of the parameters; of each group's keys, then values */
    float *gradients;
};

/* Parts of a pass, as team_run has them, without denormal numbers: of sharp attention and of gates that are
 * all but 0 or 1 hardly anything else would be left, and it would take several times as long. */
void memnn_run(struct memnn_work *work, struct team *team, int parts, team_part part);

static inline size_t memnn_round_floats(const struct memnn *m)
{
    return ATTENTION_KEY + 2 + ATTENTION_VALUE + 6 * (size_t)m->width;
}

/* Round `round` of a block whose trace begins at `trace`. */
struct memnn_round memnn_round_at(const struct memnn *model, float *trace, int rows, int round);
float *memnn_trace_of(const struct memnn_work *work, const struct memnn_block *block);
struct attention memnn_attention_of(const struct memnn_work *work, int world);
const int *memnn_names_of(const struct memnn_work *work, int world);
/* The tuple that row `row` of a block asks about: where its logits stand, if there is one for each. */
size_t memnn_tuple(const struct memnn_work *work, const struct memnn_block *block, int row);
int memnn_most_outputs(const struct memnn *model);
/* Floats per row of all that one of the MLPs gives, at most. */
size_t memnn_most_mlp(const struct memnn *model);

#endif
