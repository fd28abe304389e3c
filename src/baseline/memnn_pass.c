/* Memory network, forwards: all slots become keys and values, then all questions are answered.
 *
 * Two jobs are shared out, each in blocks of MEMNN_ROWS rows of one world: slots (fill_slots) and, when all
 * are done, questions (answer_questions).  Blocks depend on the worlds alone and write to their own places,
 * so the result does not depend on the number of threads.
 *
 * Numbers per question and round, kept for training: query 16, peak and share of the softmax, read 32, gates
 * 4 w, cell w, state w, for width w.  Scores are not kept: n^2 questions of n^2 slots would be too many. */
#include "baseline/memnn_pass.h"

#include <string.h>
#include "base/denormals.h"
#include "base/error.h"
#include "perception/linear.h"

/* The best kernel of this processor, as passes of machines take by default. */
nlm_status memnn_open(const void *model, void **work, nlm_error *error)
{
    struct memnn_work *w = memory_new(1, sizeof *w);
    *work = w;
    if (!w)
        return error_no_memory(error);
    w->model = model;
    w->smooth = smooth_choose(NLM_KERNEL_BEST);
    return NLM_OK;
}

/* The model is the machine's and stays. */
void memnn_close(void *work)
{
    struct memnn_work *w = work;
    if (!w)
        return;
    buffer *all[] = {&w->names,   &w->places,       &w->blocks,          &w->memory,         &w->trace,
                     &w->scratch, &w->group_worlds, &w->group_gradients, &w->group_dmemories};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buffer_free(all[i]);
    memory_free(w);
}

/* A job for memnn_run: what team_run's context has to carry. */
struct parts {
    team_part part;
    struct memnn_work *work;
};

/* Denormal numbers are a setting of the thread: off for the part, then as it was. */
static void run_part(void *context, int number, int thread)
{
    const struct parts *parts = context;
    const uint64_t before = denormals_off();
    parts->part(parts->work, number, thread);
    denormals_restore(before);
}

void memnn_run(struct memnn_work *w, struct team *team, int count, team_part part)
{
    struct parts parts = {part, w};
    team_run(team, count, run_part, &parts);
}

/* ---- sizes ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t memnn_most_mlp(const struct memnn *m)
{
    return larger(mlp_floats(&m->question), larger(mlp_floats(&m->key), mlp_floats(&m->value)));
}

int memnn_most_outputs(const struct memnn *m)
{
    int most = 0;
    for (int h = 0; h < m->heads; h++)
        most = m->head[h].outputs > most ? m->head[h].outputs : most;
    return most;
}

/* Scratch of one thread: rows of an MLP (a question is a part of a slot), its outputs, and for questions
 * scores, logits and, when no trace is kept, one round. */
struct scratch {
    float *x, *y, *scores, *logits, *round;
};

/* Arrays one after the other, in the sizes that memnn_forward_scratch adds up. */
static struct scratch scratch_of(const struct memnn_work *w, int thread)
{
    const struct memnn *m = w->model;
    struct scratch d;
    d.x = (float *)w->scratch.data + (size_t)thread * memnn_forward_scratch(m);
    d.y = d.x + MEMNN_ROWS * (size_t)m->key.size[0];
    d.scores = d.y + MEMNN_ROWS * memnn_most_mlp(m);
    d.logits = d.scores + attention_scratch();
    d.round = d.logits + MEMNN_ROWS * (size_t)memnn_most_outputs(m);
    return d;
}

size_t memnn_forward_scratch(const struct memnn *m)
{
    return attention_scratch() + MEMNN_ROWS * ((size_t)m->key.size[0] + memnn_most_mlp(m) +
                                               (size_t)memnn_most_outputs(m) + memnn_round_floats(m));
}

/* ---- places ---- */

static struct memnn_place *place_of(const struct memnn_work *w, int world)
{
    return (struct memnn_place *)w->places.data + world;
}

const int *memnn_names_of(const struct memnn_work *w, int world)
{
    return (const int *)w->names.data + (size_t)world * MEMNN_MOST_THINGS;
}

/* Four arrays over the slots of all worlds, one after the other in `memory`: columns of keys, values and, for
 * training, keys and columns of values.  A world's part of each begins at its first slot.  Forward needs
 * scores (columns of keys) and reads (rows of values); backward needs both the other way round as well. */
static struct memnn_memory memory_of(const struct memnn_work *w, int world)
{
    const struct memnn_place *place = place_of(w, world);
    struct memnn_memory m = {.key_columns = w->memory.data};
    m.values = m.key_columns + w->padded_slots * ATTENTION_KEY;
    if (w->training) {
        m.keys = m.values + w->slots * ATTENTION_VALUE;
        m.value_columns = m.keys + w->slots * ATTENTION_KEY;
        m.keys += place->first_slot * ATTENTION_KEY;
        m.value_columns += place->first_padded * ATTENTION_VALUE;
    }
    m.key_columns += place->first_padded * ATTENTION_KEY;
    m.values += place->first_slot * ATTENTION_VALUE;
    return m;
}

struct attention memnn_attention_of(const struct memnn_work *w, int world)
{
    struct memnn_memory m = memory_of(w, world);
    return (struct attention){w->smooth,      place_of(w, world)->slots, m.key_columns, m.values, m.keys,
                              m.value_columns};
}

/* `before` counts the questions of all blocks before this one, and a question has a trace of fixed size. */
float *memnn_trace_of(const struct memnn_work *w, const struct memnn_block *block)
{
    return (float *)w->trace.data + block->before * (size_t)w->model->rounds * memnn_round_floats(w->model);
}

/* The arrays of a round follow each other: query, peak, share, read, gates, cell, state. */
struct memnn_round memnn_round_at(const struct memnn *m, float *trace, int rows, int round)
{
    size_t n = (size_t)rows, width = (size_t)m->width;
    struct memnn_round r;
    r.query = trace + (size_t)round * n * memnn_round_floats(m);
    r.peak = r.query + n * ATTENTION_KEY;
    r.share = r.peak + n;
    r.read = r.share + n;
    r.gates = r.read + n * ATTENTION_VALUE;
    r.after.cell = r.gates + n * 4 * width;
    r.after.state = r.after.cell + n * width;
    return r;
}

/* Logits of pairs are dense over x and y; the diagonal is never asked about. */
size_t memnn_tuple(const struct memnn_work *w, const struct memnn_block *block, int row)
{
    int objects = w->worlds[block->world].objects;
    struct memnn_pair p = memnn_question(block->kind, objects, block->first + row);
    if (block->kind == MEMNN_UNARY)
        return (size_t)p.x;
    return (size_t)p.x * (size_t)(block->kind == MEMNN_TWINS ? objects / 2 : objects) + (size_t)p.y;
}

/* ---- sharing out ---- */

static int blocks_of(int rows)
{
    return (rows + MEMNN_ROWS - 1) / MEMNN_ROWS;
}

/* Fills in a world's place and adds its numbers to those of the batch.  Worlds are counted in order, so the
 * numbers of the batch so far are where this world begins. */
static void count_world(struct memnn_work *w, int world)
{
    struct memnn_place *place = place_of(w, world);
    int objects = w->worlds[world].objects;
    *place = (struct memnn_place){.slots = memnn_slots(w->model, objects),
                                  .first_slot = w->slots,
                                  .first_padded = w->padded_slots,
                                  .first_block = w->question_blocks,
                                  .first_group = w->groups};
    if (world > 0) {
        const struct memnn_place *last = place - 1;
        place->first_copy = last->first_copy + (size_t)last->groups * (size_t)last->slots;
    }
    for (enum memnn_kind kind = 0; kind < MEMNN_KINDS; kind++) {
        int questions = memnn_questions(w->model, kind, objects);
        w->questions += (size_t)questions;
        place->blocks += blocks_of(questions);
    }
    /* groups are for backward: each adds up gradients of its own */
    place->groups = place->blocks < MEMNN_MOST_GROUPS ? place->blocks : MEMNN_MOST_GROUPS;
    w->slots += (size_t)place->slots;
    w->padded_slots += attention_padded((size_t)place->slots);
    w->question_blocks += place->blocks;
    w->slot_blocks += blocks_of(place->slots);
    w->groups += place->groups;
}

/* Blocks of one world and kind; the last one may be shorter. */
static struct memnn_block *put_blocks(struct memnn_block *block, int world, enum memnn_kind kind, int rows,
                                      size_t *before)
{
    for (int first = 0; first < rows; first += MEMNN_ROWS, block++) {
        int left = rows - first;
        *block = (struct memnn_block){world, kind, first, left < MEMNN_ROWS ? left : MEMNN_ROWS, *before};
        *before += (size_t)block->rows;
    }
    return block;
}

/* Count first, so that all arrays have their final size; then list the blocks: questions of all worlds, then
 * slots. */
static nlm_status share_out(struct memnn_work *w)
{
    w->questions = w->slots = w->padded_slots = 0;
    w->question_blocks = w->slot_blocks = w->groups = 0;
    if (buffer_reserve(&w->places, (size_t)w->count, sizeof(struct memnn_place), false))
        return NLM_NO_MEMORY;
    for (int world = 0; world < w->count; world++)
        count_world(w, world);
    if (buffer_reserve(&w->blocks, (size_t)w->question_blocks + (size_t)w->slot_blocks,
                       sizeof(struct memnn_block), false))
        return NLM_NO_MEMORY;
    struct memnn_block *block = w->blocks.data;
    size_t before = 0;
    for (int world = 0; world < w->count; world++)
        for (enum memnn_kind kind = 0; kind < MEMNN_KINDS; kind++)
            block = put_blocks(block, world, kind, memnn_questions(w->model, kind, w->worlds[world].objects),
                               &before);
    for (int world = 0; world < w->count; world++)
        block = put_blocks(block, world, 0, place_of(w, world)->slots, &before);
    return NLM_OK;
}

/* Twins share a name, so there are names for half of the objects.  Names that are given are for tests against
 * another implementation. */
static nlm_status give_names(struct memnn_work *w, const int *const *names)
{
    if (buffer_reserve(&w->names, (size_t)w->count * MEMNN_MOST_THINGS, sizeof(int), false))
        return NLM_NO_MEMORY;
    int *given = w->names.data;
    for (int world = 0; world < w->count; world++, given += MEMNN_MOST_THINGS) {
        int objects = w->worlds[world].objects;
        if (names)
            memcpy(given, names[world], (size_t)(w->model->twins ? objects / 2 : objects) * sizeof *given);
        else
            memnn_draw_names(w->worlds[world].names, given);
    }
    return NLM_OK;
}

/* The trace of all questions in all rounds is kept for training only.  With 20 objects, 380 questions, 4
 * rounds and width 64 it has 380 * 4 * (16 + 2 + 32 + 6 * 64) floats, 2.6 MB. */
static nlm_status reserve(struct memnn_work *w, struct team *team, bool training)
{
    const struct memnn *m = w->model;
    size_t threads = (size_t)team_threads(team), kept = training ? w->questions * (size_t)m->rounds : 0;
    /* columns are padded to full tiles, rows are not */
    size_t keys = training ? w->padded_slots + w->slots : w->padded_slots;
    size_t values = training ? w->padded_slots + w->slots : w->slots;
    if (buffer_reserve(&w->memory, keys * ATTENTION_KEY + values * ATTENTION_VALUE, sizeof(float), false) ||
        buffer_reserve(&w->trace, kept * memnn_round_floats(m), sizeof(float), false) ||
        buffer_reserve(&w->scratch, threads * memnn_forward_scratch(m), sizeof(float), false))
        return NLM_NO_MEMORY;
    return NLM_OK;
}

/* ---- forward ---- */

/* Keys and values of a block of slots.  Blocks of one world may share a tile of columns, never a column. */
static void fill_slots(void *context, int number, int thread)
{
    struct memnn_work *w = context;
    const struct memnn *m = w->model;
    const struct memnn_block *b = (const struct memnn_block *)w->blocks.data + w->question_blocks + number;
    size_t first = (size_t)b->first, rows = (size_t)b->rows;
    struct memnn_memory to = memory_of(w, b->world);
    struct scratch d = scratch_of(w, thread);
    memnn_put_slots(m, &w->worlds[b->world], memnn_names_of(w, b->world), b->first, b->rows, d.x);
    mlp_forward(&m->key, b->rows, d.y, d.x, w->values);
    const float *made = mlp_output(&m->key, b->rows, d.y);
    attention_put_columns(to.key_columns, made, ATTENTION_KEY, first, rows);
    if (w->training)
        memcpy(to.keys + first * ATTENTION_KEY, made, rows * ATTENTION_KEY * sizeof *made);
    mlp_forward(&m->value, b->rows, d.y, d.x, w->values);
    made = mlp_output(&m->value, b->rows, d.y);
    memcpy(to.values + first * ATTENTION_VALUE, made, rows * ATTENTION_VALUE * sizeof *made);
    if (w->training)
        attention_put_columns(to.value_columns, made, ATTENTION_VALUE, first, rows);
}

/* Logits of the heads that have questions of the block's kind, computed without gaps and then spread to where
 * the tuples are. */
static void write_logits(const struct memnn_work *w, const struct memnn_block *b, const float *state,
                         float *logits)
{
    for (int h = 0; h < w->model->heads; h++) {
        const struct memnn_head *head = &w->model->head[h];
        struct linear linear = {w->model->width, head->outputs};
        size_t outputs = (size_t)head->outputs;
        if (head->kind != b->kind)
            continue;
        linear_forward(&linear, b->rows, logits, state, w->values + head->weight, w->values + head->bias);
        for (int row = 0; row < b->rows; row++)
            memcpy(w->worlds[b->world].logits[h] + memnn_tuple(w, b, row) * outputs,
                   logits + (size_t)row * outputs, outputs * sizeof *logits);
    }
}

/* A block of questions through all rounds.  Without a trace each round overwrites the one before:
 * lstm_forward allows that, and attention reads the query only. */
static void answer_questions(void *context, int number, int thread)
{
    struct memnn_work *w = context;
    const struct memnn *m = w->model;
    const struct memnn_block *b = (const struct memnn_block *)w->blocks.data + number;
    struct attention attention = memnn_attention_of(w, b->world);
    struct linear next_query = {m->width, ATTENTION_KEY};
    struct scratch d = scratch_of(w, thread);
    struct lstm_state state = {NULL, NULL};
    memnn_put_questions(m, &w->worlds[b->world], memnn_names_of(w, b->world), b->kind, b->first, b->rows,
                        d.x);
    mlp_forward(&m->question, b->rows, d.y, d.x, w->values);
    for (int t = 0; t < m->rounds; t++) {
        /* for training each round has its own place, to be read by backward */
        struct memnn_round r = w->training ? memnn_round_at(m, memnn_trace_of(w, b), b->rows, t)
                                           : memnn_round_at(m, d.round, b->rows, 0);
        if (t == 0)
            memcpy(r.query, mlp_output(&m->question, b->rows, d.y),
                   (size_t)b->rows * ATTENTION_KEY * sizeof *r.query);
        else
            linear_forward(&next_query, b->rows, r.query, state.state, w->values + m->query_weight,
                           w->values + m->query_bias);
        attention_forward(&attention, b->rows, r.read, r.peak, r.share, r.query, d.scores);
        lstm_forward(&m->lstm, w->smooth, b->rows, r.after, r.gates, r.read, state, w->values);
        state = r.after;
    }
    write_logits(w, b, state.state, d.logits);
}

/* `training` is set last: after a failure there is no trace to go back through. */
nlm_status memnn_forward(void *work, struct team *team, const float *values,
                         const struct baseline_world *worlds, int count, const int *const *names,
                         bool training, nlm_error *error)
{
    struct memnn_work *w = work;
    /* whatever fails below, backward finds no trace */
    w->training = false;
    for (int world = 0; world < count; world++) {
        nlm_status status = memnn_admit(w->model, worlds[world].objects, error);
        if (status)
            return status;
    }
    w->values = values;
    w->worlds = worlds;
    w->count = count;
    if (share_out(w) || give_names(w, names) || reserve(w, team, training))
        return error_no_memory(error);
    w->training = training;
    /* questions read the slots of their whole world: one job must be complete before the other begins */
    memnn_run(w, team, w->slot_blocks, fill_slots);
    memnn_run(w, team, w->question_blocks, answer_questions);
    return NLM_OK;
}
