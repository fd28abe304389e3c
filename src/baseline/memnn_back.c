/* Memory network, backwards: from the logits through the rounds to the first query, the keys and the values,
 * and from these to the slots' MLPs (docs/maths.md, section 13).
 *
 * Each group of blocks of questions adds up gradients of its own, of the parameters and of its world's keys
 * and values; they are added in the order of the groups.  A world has at most MEMNN_MOST_GROUPS groups,
 * whatever the number of threads: the same bits for any number.  Three jobs follow each other:
 *
 *     questions_back  per group: questions to parameters, keys and values
 *     slots_back      per group, a share of the slots: keys and values, summed over groups, to parameters
 *     add_gradients   per range of parameters: the sum over all groups */
#include "baseline/memnn_pass.h"

#include <string.h>
#include "base/error.h"
#include "perception/linear.h"

/* Parameters of one part of add_gradients. */
enum { PARAMETERS_AT_A_TIME = 4096 };

/* ---- places ---- */

/* Scratch of one thread: rows of an MLP, its outputs and their gradients; scores and their gradients; the
 * gradients of a round's arrays, and of logits. */
struct scratch {
    float *x, *y, *dy, *scores;
    float *dgates, *dread, *dquery, *dlogits, *more;
    struct lstm_state gradient;
};

/* As scratch_of lays it out. */
static size_t scratch_floats(const struct memnn *m)
{
    return attention_back_scratch(MEMNN_ROWS) +
           MEMNN_ROWS * ((size_t)m->key.size[0] + 2 * memnn_most_mlp(m) + 7 * (size_t)m->width +
                         ATTENTION_VALUE + ATTENTION_KEY + (size_t)memnn_most_outputs(m));
}

/* Forward's scratch is in the same buffer and is no longer needed. */
static struct scratch scratch_of(const struct memnn_work *w, int thread)
{
    const struct memnn *m = w->model;
    size_t width = (size_t)m->width;
    struct scratch d;
    /* arrays of MEMNN_ROWS rows each, one after the other */
    d.x = (float *)w->scratch.data + (size_t)thread * scratch_floats(m);
    d.y = d.x + MEMNN_ROWS * (size_t)m->key.size[0];
    d.dy = d.y + MEMNN_ROWS * memnn_most_mlp(m);
    d.scores = d.dy + MEMNN_ROWS * memnn_most_mlp(m);
    d.dgates = d.scores + attention_back_scratch(MEMNN_ROWS);
    d.gradient.cell = d.dgates + MEMNN_ROWS * 4 * width;
    d.gradient.state = d.gradient.cell + MEMNN_ROWS * width;
    d.more = d.gradient.state + MEMNN_ROWS * width;
    d.dread = d.more + MEMNN_ROWS * width;
    d.dquery = d.dread + MEMNN_ROWS * ATTENTION_VALUE;
    d.dlogits = d.dquery + MEMNN_ROWS * ATTENTION_KEY;
    return d;
}

/* Where a group adds up gradients: of parameters, and of the keys and values of all slots of its world. */
struct group {
    int world, number; /* number among those of its world */
    const struct memnn_place *place;
    float *gradients, *dkeys, *dvalues;
};

/* Slots of all groups, each having all of its world. */
static size_t copies(const struct memnn_work *w)
{
    if (w->count == 0)
        return 0;
    const struct memnn_place *last = (const struct memnn_place *)w->places.data + w->count - 1;
    return last->first_copy + (size_t)last->groups * (size_t)last->slots;
}

/* Arrays of groups follow each other; keys of all groups come before values of all groups. */
static struct group group_of(const struct memnn_work *w, int group)
{
    struct group g = {.world = ((const int *)w->group_worlds.data)[group]};
    g.place = (const struct memnn_place *)w->places.data + g.world;
    g.number = group - g.place->first_group;
    size_t slot = g.place->first_copy + (size_t)g.number * (size_t)g.place->slots;
    g.gradients = (float *)w->group_gradients.data + (size_t)group * w->model->parameters;
    g.dkeys = (float *)w->group_dmemories.data + slot * ATTENTION_KEY;
    g.dvalues = (float *)w->group_dmemories.data + copies(w) * ATTENTION_KEY + slot * ATTENTION_VALUE;
    return g;
}

/* The first of `count` things that is for a group: they are shared out evenly. */
static int share(int count, int group, int groups)
{
    return (int)((long long)count * group / groups);
}

/* Gradients of each group's own: parameters, keys and values of its world. */
static nlm_status reserve(struct memnn_work *w, struct team *team)
{
    size_t groups = (size_t)w->groups, threads = (size_t)team_threads(team);
    if (buffer_reserve(&w->group_worlds, groups, sizeof(int), false) ||
        buffer_reserve(&w->group_gradients, groups * w->model->parameters, sizeof(float), false) ||
        buffer_reserve(&w->group_dmemories, copies(w) * (ATTENTION_KEY + ATTENTION_VALUE), sizeof(float),
                       false) ||
        buffer_reserve(&w->scratch, threads * scratch_floats(w->model), sizeof(float), false))
        return NLM_NO_MEMORY;
    int *world_of = w->group_worlds.data;
    for (int world = 0; world < w->count; world++)
        for (int g = 0; g < ((const struct memnn_place *)w->places.data)[world].groups; g++)
            *world_of++ = world;
    return NLM_OK;
}

/* ---- questions ---- */

static void add_to(float *y, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += x[i];
}

/* The gradient of the last state, from the logits. */
static void logits_back(const struct memnn_work *w, const struct memnn_block *b, float *gradients,
                        const struct scratch *d, const float *state)
{
    size_t numbers = (size_t)b->rows * (size_t)w->model->width;
    memset(d->gradient.state, 0, numbers * sizeof(float));
    for (int h = 0; h < w->model->heads; h++) {
        const struct memnn_head *head = &w->model->head[h];
        struct linear linear = {w->model->width, head->outputs};
        size_t outputs = (size_t)head->outputs;
        const float *dlogits = w->worlds[b->world].dlogits[h];
        if (head->kind != b->kind)
            continue;
        for (int row = 0; row < b->rows; row++)
            memcpy(d->dlogits + (size_t)row * outputs, dlogits + memnn_tuple(w, b, row) * outputs,
                   outputs * sizeof *dlogits);
        linear_backward(&linear, b->rows, gradients + head->weight, gradients + head->bias, d->more,
                        d->dlogits, state, w->values + head->weight);
        add_to(d->gradient.state, d->more, numbers);
    }
}

/* One round; the gradient of the query of the next round, if any, is in dquery, which becomes that of this
 * round's.  The state of round t is read by the next query and by the next cell: lstm_backward has left the
 * gradient of the latter in gradient.state, that of the former is added first. */
static void round_back(const struct memnn_work *w, const struct memnn_block *b, const struct group *g,
                       const struct scratch *d, int t)
{
    const struct memnn *m = w->model;
    float *trace = memnn_trace_of(w, b);
    struct attention attention = memnn_attention_of(w, b->world);
    struct memnn_round r = memnn_round_at(m, trace, b->rows, t);
    struct lstm_state before = {NULL, NULL};
    if (t > 0)
        before = memnn_round_at(m, trace, b->rows, t - 1).after;
    /* the last round's state leads to no query */
    if (t < m->rounds - 1) {
        struct linear next_query = {m->width, ATTENTION_KEY};
        linear_backward(&next_query, b->rows, g->gradients + m->query_weight, g->gradients + m->query_bias,
                        d->more, d->dquery, r.after.state, w->values + m->query_weight);
        add_to(d->gradient.state, d->more, (size_t)b->rows * (size_t)m->width);
    }
    lstm_backward(&m->lstm, w->smooth, b->rows, g->gradients, d->gradient, d->dread, d->dgates, r.after,
                  r.gates, r.read, before, w->values);
    attention_backward(&attention, b->rows, g->dkeys, g->dvalues, d->dquery, d->dread, r.read, r.peak,
                       r.share, r.query, d->scores);
}

/* One block of questions, from its logits to the MLP of the questions.  That MLP is run again: its outputs
 * are not kept.  The gradient of the last cell is 0, since heads read the state only. */
static void block_back(const struct memnn_work *w, const struct memnn_block *b, const struct group *g,
                       const struct scratch *d)
{
    const struct memnn *m = w->model;
    size_t rows = (size_t)b->rows;
    struct memnn_round last = memnn_round_at(m, memnn_trace_of(w, b), b->rows, m->rounds - 1);
    memset(d->gradient.cell, 0, rows * (size_t)m->width * sizeof(float));
    logits_back(w, b, g->gradients, d, last.after.state);
    for (int t = m->rounds - 1; t >= 0; t--)
        round_back(w, b, g, d, t);
    memnn_put_questions(m, &w->worlds[b->world], memnn_names_of(w, b->world), b->kind, b->first, b->rows,
                        d->x);
    mlp_forward(&m->question, b->rows, d->y, d->x, w->values);
    memcpy(mlp_output(&m->question, b->rows, d->dy), d->dquery, rows * ATTENTION_KEY * sizeof(float));
    mlp_backward(&m->question, b->rows, g->gradients, d->dy, d->y, d->x, w->values);
}

/* All blocks of one group, one after the other.  A group's blocks are consecutive, and which they are follows
 * from the number of blocks alone. */
static void questions_back(void *context, int number, int thread)
{
    struct memnn_work *w = context;
    struct group g = group_of(w, number);
    struct scratch d = scratch_of(w, thread);
    const struct memnn_block *blocks = (const struct memnn_block *)w->blocks.data + g.place->first_block;
    size_t slots = (size_t)g.place->slots;
    memset(g.gradients, 0, w->model->parameters * sizeof(float));
    memset(g.dkeys, 0, slots * ATTENTION_KEY * sizeof(float));
    memset(g.dvalues, 0, slots * ATTENTION_VALUE * sizeof(float));
    int last = share(g.place->blocks, g.number + 1, g.place->groups);
    for (int b = share(g.place->blocks, g.number, g.place->groups); b < last; b++)
        block_back(w, &blocks[b], &g, &d);
}

/* ---- slots ---- */

/* The gradients of some slots' keys or values, summed over the groups of a world, always in the order of the
 * groups: `first` is the array of group 0, and those of the others follow it. */
static void sum_groups(const struct group *g, const float *first, size_t slot, size_t size, size_t rows,
                       float *sum)
{
    size_t stride = (size_t)g->place->slots * size;
    memcpy(sum, first + slot * size, rows * size * sizeof *sum);
    for (int other = 1; other < g->place->groups; other++)
        add_to(sum, first + (size_t)other * stride + slot * size, rows * size);
}

/* A group takes a share of its world's slots; the sums over groups are complete, since all questions_back are
 * done.  Outputs of the MLPs are computed again, as in forward; gradients go to the group's own copy. */
static void slots_back(void *context, int number, int thread)
{
    struct memnn_work *w = context;
    const struct memnn *m = w->model;
    struct group g = group_of(w, number), zero = group_of(w, g.place->first_group);
    struct scratch d = scratch_of(w, thread);
    int last = share(g.place->slots, g.number + 1, g.place->groups);
    for (int s = share(g.place->slots, g.number, g.place->groups); s < last; s += MEMNN_ROWS) {
        int rows = last - s < MEMNN_ROWS ? last - s : MEMNN_ROWS;
        memnn_put_slots(m, &w->worlds[g.world], memnn_names_of(w, g.world), s, rows, d.x);
        mlp_forward(&m->key, rows, d.y, d.x, w->values);
        sum_groups(&g, zero.dkeys, (size_t)s, ATTENTION_KEY, (size_t)rows, mlp_output(&m->key, rows, d.dy));
        mlp_backward(&m->key, rows, g.gradients, d.dy, d.y, d.x, w->values);
        mlp_forward(&m->value, rows, d.y, d.x, w->values);
        sum_groups(&g, zero.dvalues, (size_t)s, ATTENTION_VALUE, (size_t)rows,
                   mlp_output(&m->value, rows, d.dy));
        mlp_backward(&m->value, rows, g.gradients, d.dy, d.y, d.x, w->values);
    }
}

/* One range of parameters, over all groups in order. */
static void add_gradients(void *context, int number, int thread)
{
    struct memnn_work *w = context;
    size_t first = (size_t)number * PARAMETERS_AT_A_TIME, left = w->model->parameters - first;
    (void)thread;
    for (int g = 0; g < w->groups; g++)
        add_to(w->gradients + first, group_of(w, g).gradients + first,
               left < PARAMETERS_AT_A_TIME ? left : PARAMETERS_AT_A_TIME);
}

/* Each of the three jobs reads what all parts of the one before have written. */
nlm_status memnn_backward(void *work, struct team *team, const float *values,
                          const struct baseline_world *worlds, int count, float *gradients, nlm_error *error)
{
    struct memnn_work *w = work;
    if (!w->training || count != w->count)
        return error_set(error, NLM_BAD_ARGUMENT, "backward without a forward for training before it");
    if (reserve(w, team))
        return error_no_memory(error);
    w->values = values;
    w->worlds = worlds;
    w->gradients = gradients;
    memnn_run(w, team, w->groups, questions_back);
    memnn_run(w, team, w->groups, slots_back);
    memnn_run(w, team, (int)((w->model->parameters + PARAMETERS_AT_A_TIME - 1) / PARAMETERS_AT_A_TIME),
              add_gradients);
    return NLM_OK;
}
