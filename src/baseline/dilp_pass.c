/* Steps of inference, forward and backward.
 *
 * A stage is T steps for the predicates of that stage; values of others stay as they are.  For each step:
 *
 *     view      values of all predicates, laid out for clauses          fill_views
 *     F_c       consequences of all clauses that count                  conclude
 *     b         sum over pairs of clauses                               dilp_pairs_forward
 *     a'        a + b - a b
 *
 * Backward repeats view, F and b of a step before it takes their gradients: only values are kept.
 *
 * Layout: values [step][atom], atoms of all predicates one after the other; consequences [row][atom of the
 * head], where the rows of a definition are the clauses of its first template, then those of the second.
 * Gradients have the same layouts. */
#include "baseline/dilp_pass.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "baseline/dilp_view.h"

void dilp_pass_free(struct dilp_pass *pass)
{
    buffer *all[] = {&pass->values, &pass->view,         &pass->dview,        &pass->kinds,   &pass->counts,
                     &pass->kind,   &pass->sum,          &pass->consequence,  &pass->example, &pass->gradient,
                     &pass->dsum,   &pass->dconsequence, &pass->dprobability, &pass->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buffer_free(all[i]);
    dilp_room_free(&pass->room);
}

/* ---- places ---- */

/* Ground atoms of a predicate in this world. */
static size_t cells_of(const struct dilp_pass *pass, int predicate)
{
    return dilp_cells(pass->objects, pass->dilp->predicates[predicate].arity);
}

/* Rows of consequences are padded with zeros, which compare equal and add nothing. */
static size_t width_of(const struct dilp_pass *pass, const struct dilp_definition *definition)
{
    return (cells_of(pass, definition->predicate) + DILP_LANES - 1) / DILP_LANES * DILP_LANES;
}

static float *values_at(const struct dilp_pass *pass, int step)
{
    return (float *)pass->values.data + (size_t)step * pass->atoms;
}

float *dilp_first_values(const struct dilp_pass *pass, int predicate)
{
    return values_at(pass, 0) + pass->offset[predicate];
}

const float *dilp_last_values(const struct dilp_pass *pass, int predicate)
{
    return values_at(pass, pass->dilp->stages * pass->steps) + pass->offset[predicate];
}

/* One definition during one step, as pointers into the pass.  Made anew where it is needed: it is small, and
 * the pass stays the only owner. */
struct work {
    /* ground atoms of the head, and their first value */
    size_t cells, offset;
    struct dilp_pairs pairs;
    bool *counts[2];   /* which clauses of each template do */
    float *sum, *dsum; /* the latter is NULL where nothing is learned, like gradients of rows */
};

/* Rows of the first template come before those of the second, in all arrays over rows. */
static struct work work_of(const struct dilp_pass *pass, int number, const float *folded)
{
    const struct dilp_definition *definition = &pass->dilp->definitions[number];
    const size_t row = pass->start[number].row, consequence = pass->start[number].consequence;
    struct work work = {.cells = cells_of(pass, definition->predicate),
                        .offset = pass->offset[definition->predicate]};
    size_t width = work.pairs.width = width_of(pass, definition);
    work.pairs.probability = folded + definition->folded_offset;
    for (int t = 0; t < 2; t++) {
        /* rows of the first template come first */
        size_t before = t == 1 ? definition->folded[0] : 0;
        float *gradients = pass->dconsequence.data;
        work.pairs.rows[t] = (struct dilp_rows){
            .count = definition->folded[t],
            .values = (float *)pass->consequence.data + consequence + before * width,
            .gradients = gradients ? gradients + consequence + before * width : NULL,
            .kinds = (size_t *)pass->kinds.data + 2 * number + t,
            .kind = (int *)pass->kind.data + row + before,
            .example = (int *)pass->example.data + row + before,
        };
        work.counts[t] = (bool *)pass->counts.data + row + before;
    }
    work.sum = (float *)pass->sum.data + pass->start[number].sum;
    work.dsum = pass->dsum.data ? (float *)pass->dsum.data + pass->start[number].sum : NULL;
    return work;
}

/* ---- start ---- */

/* Places of predicates (in values and in a view) and of definitions; sizes of all buffers follow. */
static void lay_out(struct dilp_pass *pass)
{
    const struct dilp *dilp = pass->dilp;
    pass->atoms = pass->seen = pass->rows = pass->consequences = pass->sums = 0;
    for (int p = 0; p < dilp->givens + dilp->defined; p++) {
        pass->offset[p] = pass->atoms;
        pass->place[p] = pass->seen;
        pass->atoms += cells_of(pass, p);
        pass->seen += dilp_view_size(dilp->predicates[p].arity, (size_t)pass->objects);
    }
    for (int d = 0; d < dilp->defined; d++) {
        const struct dilp_definition *definition = &dilp->definitions[d];
        size_t rows = definition->folded[0] + definition->folded[1], width = width_of(pass, definition);
        pass->start[d].row = pass->rows;
        pass->start[d].consequence = pass->consequences;
        pass->start[d].sum = pass->sums;
        pass->rows += rows;
        pass->consequences += rows * width;
        pass->sums += width;
    }
}

/* Places first, then everything whose size follows from them.  Without training no
 * room is made for gradients, and nobody reads them. */
static nlm_status reserve(struct dilp_pass *pass, bool training)
{
    const struct dilp *dilp = pass->dilp;
    lay_out(pass);
    size_t states = (size_t)dilp->stages * (size_t)pass->steps + 1;
    const struct {
        buffer *buffer;
        size_t count, size;
        bool for_training;
    } all[] = {
        {&pass->values, states * pass->atoms, sizeof(float), false},
        {&pass->view, pass->seen, sizeof(float), false},
        {&pass->consequence, pass->consequences, sizeof(float), false},
        {&pass->kinds, 2 * (size_t)dilp->defined, sizeof(size_t), false},
        {&pass->kind, pass->rows, sizeof(int), false},
        {&pass->example, pass->rows, sizeof(int), false},
        {&pass->counts, pass->rows, sizeof(bool), false},
        {&pass->sum, pass->sums, sizeof(float), false},
        {&pass->dview, pass->seen, sizeof(float), true},
        {&pass->gradient, pass->atoms, sizeof(float), true},
        {&pass->dconsequence, pass->consequences, sizeof(float), true},
        {&pass->dsum, pass->sums, sizeof(float), true},
        {&pass->dprobability, dilp->folded, sizeof(double), true},
        {&pass->scratch, (size_t)pass->objects, sizeof(float), true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((training || !all[i].for_training) &&
            buffer_reserve(all[i].buffer, all[i].count, all[i].size, false))
            return NLM_NO_MEMORY;
    return dilp_room_reserve(&pass->room, pass->rows, dilp->folded, training);
}

/* Values of all steps, views, consequences and probabilities: the buffers of `reserve` without gradients. */
double dilp_pass_memory(const void *model, int objects)
{
    const struct dilp *dilp = model;
    double n = objects, states = (double)dilp->stages * dilp_steps(dilp, objects) + 1.0;
    double floats = states * dilp_atoms(dilp, objects);
    for (int p = 0; p < dilp->givens + dilp->defined; p++) {
        int arity = dilp->predicates[p].arity;
        floats += arity == 2 ? n * (2.0 * n + 1.0) : pow(n, arity); /* of its view */
    }
    for (int d = 0; d < dilp->defined; d++) {
        const struct dilp_definition *definition = &dilp->definitions[d];
        floats += pow(n, dilp->predicates[definition->predicate].arity) *
                  (double)(definition->folded[0] + definition->folded[1] + 1);
    }
    return sizeof(float) * (floats + (double)dilp->folded + (double)dilp->weights);
}

/* Sizes that a computer could not hold anyway are refused before anything is multiplied.  Consequences begin
 * as 0: rows of clauses that are passed over, and the padding of rows, are never written. */
nlm_status dilp_pass_start(struct dilp_pass *pass, const struct dilp *dilp, int objects, bool training,
                           nlm_error *error)
{
    const double most = 1e10; /* values and objects, which keep sizes far from overflow */
    const int most_objects = 40000;
    pass->dilp = dilp;
    pass->objects = objects;
    pass->training = training;
    pass->steps = dilp_steps(dilp, objects);
    if (objects > most_objects ||
        dilp_atoms(dilp, objects) * ((double)dilp->stages * dilp_steps(dilp, objects) + 1.0) > most ||
        reserve(pass, training))
        return error_no_memory(error);
    memset(values_at(pass, 0), 0, pass->atoms * sizeof(float));
    memset(pass->consequence.data, 0, pass->consequences * sizeof(float));
    if (training)
        memset(pass->gradient.data, 0, pass->atoms * sizeof(float));
    return NLM_OK;
}

/* Rows and columns of clauses that never hold are added up in the last row and column.  Live clauses come
 * first in a template, so their row stays the same. */
void dilp_fold(const struct dilp *dilp, const float *probability, float *folded)
{
    memset(folded, 0, dilp->folded * sizeof *folded);
    for (int d = 0; d < dilp->defined; d++) {
        const struct dilp_definition *definition = &dilp->definitions[d];
        const float *p = probability + definition->offset;
        for (size_t j = 0; j < definition->rows; j++) {
            size_t row = j < definition->clauses[0].live ? j : definition->clauses[0].live;
            float *to = folded + definition->folded_offset + row * definition->folded[1];
            for (size_t k = 0; k < definition->columns; k++)
                to[k < definition->clauses[1].live ? k : definition->clauses[1].live] += *p++;
        }
    }
}

/* ---- clauses ---- */

/* Views of all predicates from the values of a step.  All clauses of the step read them, so that transposing
 * is done once per predicate and not once per clause. */
static void fill_views(const struct dilp_pass *pass, const float *values)
{
    for (int p = 0; p < pass->dilp->givens + pass->dilp->defined; p++)
        dilp_view_fill((float *)pass->view.data + pass->place[p], values + pass->offset[p],
                       pass->dilp->predicates[p].arity, (size_t)pass->objects);
}

/* Probabilities of a template's clauses: sums of rows, or of columns, of the folded matrix. */
static void clause_probabilities(float *probability, const struct dilp_pairs *pairs, int t)
{
    size_t rows = pairs->rows[0].count, columns = pairs->rows[1].count;
    memset(probability, 0, pairs->rows[t].count * sizeof *probability);
    for (size_t j = 0; j < rows; j++)
        for (size_t k = 0; k < columns; k++)
            probability[t == 0 ? j : k] += pairs->probability[j * columns + k];
}

/* Where nothing is learned, clauses below a bound are passed over: the bound is lowered until all of them
 * together have at most DILP_TINY.  A trained program has a handful of others. */
static void choose_clauses(struct dilp_pass *pass, const struct work *work, int t)
{
    const size_t count = work->pairs.rows[t].count;
    float *probability = pass->room.by_kind.data;
    memset(work->counts[t], true, count * sizeof(bool));
    if (pass->training)
        return;
    clause_probabilities(probability, &work->pairs, t);
    /* a hundred thousand clauses of 1e-7 each would add up to 1e-2: the bound is on their sum */
    float bound = DILP_TINY, left_out = 1.0f;
    while (left_out > DILP_TINY && bound > FLT_MIN) {
        left_out = 0.0f;
        for (size_t c = 0; c < count; c++)
            left_out += probability[c] < bound ? probability[c] : 0.0f;
        if (left_out > DILP_TINY)
            bound /= 4.0f;
    }
    for (size_t c = 0; c < count; c++)
        work->counts[t][c] = probability[c] >= bound;
}

/* Consequences of the template's clauses that may hold; the row after them, which stands for all clauses that
 * never do, is all 0 from the start. */
static void conclude(struct dilp_pass *pass, const struct dilp_definition *definition, struct work *work,
                     int t)
{
    const struct dilp_clauses *clauses = &definition->clauses[t];
    for (size_t c = 0; c < clauses->live; c++) {
        if (!work->counts[t][c])
            continue; /* its row is all 0 from the start */
        struct dilp_nest nest =
            dilp_nest_of(&clauses->items[c], pass->dilp->predicates, pass->place, (size_t)pass->objects);
        dilp_clause_forward(work->pairs.rows[t].values + c * work->pairs.width, pass->view.data, &nest);
    }
    dilp_rows_compare(&work->pairs.rows[t], work->pairs.width, &pass->room);
}

/* Whether the predicate's values come from weights, so that its gradient matters: defined ones, and negations
 * of helpers. */
static bool depends(const struct dilp *dilp, const struct dilp_predicate *predicate)
{
    return predicate->defined || (predicate->negates >= 0 && dilp->predicates[predicate->negates].defined);
}

/* Through clauses to the view.  A clause of inputs alone has nothing to hand on to.  All clauses of a step
 * add to the one view; views_backward then takes it to the values. */
static void conclude_backward(const struct dilp_pass *pass, const struct dilp_definition *definition,
                              const struct work *work, int t)
{
    const struct dilp_predicate *predicates = pass->dilp->predicates;
    const struct dilp_clauses *clauses = &definition->clauses[t];
    for (size_t c = 0; c < clauses->live; c++) {
        const struct dilp_clause *clause = &clauses->items[c];
        if (!depends(pass->dilp, &predicates[clause->body[0].predicate]) &&
            !depends(pass->dilp, &predicates[clause->body[1].predicate]))
            continue;
        struct dilp_nest nest = dilp_nest_of(clause, predicates, pass->place, (size_t)pass->objects);
        size_t row = c * work->pairs.width;
        dilp_clause_backward(pass->dview.data, work->pairs.rows[t].gradients + row,
                             work->pairs.rows[t].values + row, pass->view.data, &nest, pass->scratch.data);
    }
}

/* Adds the gradients of views to those of values; those of inputs are not needed. */
static void views_backward(const struct dilp_pass *pass)
{
    for (int p = 0; p < pass->dilp->givens + pass->dilp->defined; p++)
        if (depends(pass->dilp, &pass->dilp->predicates[p]))
            dilp_view_backward((float *)pass->gradient.data + pass->offset[p],
                               (const float *)pass->dview.data + pass->place[p],
                               pass->dilp->predicates[p].arity, (size_t)pass->objects);
    memset(pass->dview.data, 0, pass->seen * sizeof(float));
}

/* ---- negations ---- */

/* Negations that are known from this stage on, 0 where p(x, x) repeats an object.  Backward: d(1 - x) = -dx,
 * into helpers only, since inputs need no gradient. */
static void negate(const struct dilp_pass *pass, int stage, float *numbers, bool backward)
{
    for (int p = 0; p < pass->dilp->givens; p++) {
        const struct dilp_predicate *predicate = &pass->dilp->predicates[p];
        if (predicate->negates < (backward ? pass->dilp->givens : 0) || predicate->stage != stage)
            continue;
        float *is = numbers + pass->offset[predicate->negates], *is_not = numbers + pass->offset[p];
        for (size_t i = 0; i < cells_of(pass, p); i++) {
            const bool repeats = dilp_repeats(pass->objects, predicate->arity, i);
            if (backward)
                is[i] -= repeats ? 0.0f : is_not[i];
            else
                is_not[i] = repeats ? 0.0f : 1.0f - is[i];
        }
    }
}

/* ---- stages ---- */

/* Each definition belongs to one stage.  What is computed once per stage (rows of constant templates, sums of
 * constant definitions) therefore stays valid until backward comes to that stage. */
static bool is_in(const struct dilp_pass *pass, int definition, int stage)
{
    return pass->dilp->predicates[pass->dilp->definitions[definition].predicate].stage == stage;
}

/* The clauses of both templates read given predicates alone: b is the same in all steps of the stage. */
static bool is_constant(const struct dilp_definition *definition)
{
    return definition->constant[0] && definition->constant[1];
}

/* The parts that all steps of a stage share: the clauses that count, and consequences of given predicates. */
static void begin_stage(struct dilp_pass *pass, int stage, const float *folded)
{
    fill_views(pass, values_at(pass, stage * pass->steps));
    for (int d = 0; d < pass->dilp->defined; d++) {
        const struct dilp_definition *definition = &pass->dilp->definitions[d];
        struct work work = work_of(pass, d, folded);
        if (!is_in(pass, d, stage))
            continue;
        for (int t = 0; t < 2; t++) {
            choose_clauses(pass, &work, t);
            if (definition->constant[t])
                conclude(pass, definition, &work, t);
        }
        if (is_constant(definition))
            dilp_pairs_forward(work.sum, &work.pairs, &pass->room);
    }
}

/* The parts that change with a step: consequences and b of one definition.  Steps are counted over all
 * stages: only at the very first are all defined predicates false, and their clauses need not be computed. */
static void conclude_step(struct dilp_pass *pass, const struct dilp_definition *definition, struct work *work,
                          int step)
{
    for (int t = 0; t < 2; t++) {
        struct dilp_rows *rows = &work->pairs.rows[t];
        if (definition->constant[t])
            continue;
        if (step > 0) {
            conclude(pass, definition, work, t);
        } else { /* nothing is concluded yet of defined predicates */
            memset(rows->values, 0, rows->count * work->pairs.width * sizeof(float));
            dilp_rows_compare(rows, work->pairs.width, &pass->room);
        }
    }
    if (!is_constant(definition))
        dilp_pairs_forward(work->sum, &work->pairs, &pass->room);
}

/* A stage begins with its negations, whose predicates the stage before has concluded.  All definitions of a
 * step read the values before it and write those after it, so their order does not matter. */
void dilp_forward(struct dilp_pass *pass, const float *folded)
{
    const struct dilp *dilp = pass->dilp;
    for (int t = 0; t < dilp->stages * pass->steps; t++) {
        float *values = values_at(pass, t), *later = values_at(pass, t + 1);
        int stage = t / pass->steps;
        if (t % pass->steps == 0) {
            negate(pass, stage, values, false);
            begin_stage(pass, stage, folded);
        }
        fill_views(pass, values);
        memcpy(later, values, pass->atoms * sizeof *later);
        /* predicates of other stages keep the values that were copied */
        for (int d = 0; d < dilp->defined; d++) {
            struct work work = work_of(pass, d, folded);
            if (!is_in(pass, d, stage))
                continue;
            conclude_step(pass, &dilp->definitions[d], &work, t);
            /* a' = a + b - a b, the probabilistic or: values stay in [0, 1] and never fall */
            for (size_t x = 0; x < work.cells; x++)
                later[work.offset + x] += work.sum[x] * (1.0f - values[work.offset + x]);
        }
    }
}

/* One definition in one step: from the gradients of its values after the step to those before it.
 *     db = (1 - a) da',   da = (1 - b) da'
 * Where b is constant its gradient is summed over all steps and taken through the pairs once
 * (begin_stage_backward). */
static void step_backward(struct dilp_pass *pass, int number, int step, const float *folded)
{
    const float *values = values_at(pass, step);
    const struct dilp_definition *definition = &pass->dilp->definitions[number];
    struct work work = work_of(pass, number, folded);
    float *gradient = (float *)pass->gradient.data + work.offset;
    bool constant = is_constant(definition);
    /* b of this step once more; forward has overwritten it by those of later steps */
    conclude_step(pass, definition, &work, step);
    for (size_t x = 0; x < work.cells; x++) {
        float dsum = gradient[x] * (1.0f - values[work.offset + x]);
        work.dsum[x] = constant ? work.dsum[x] + dsum : dsum;
        gradient[x] *= 1.0f - work.sum[x];
    }
    if (constant)
        return;
    for (int t = 0; t < 2; t++) {
        struct dilp_rows *rows = &work.pairs.rows[t];
        if (definition->constant[t] ? step < pass->steps : step == 0)
            rows->gradients = NULL; /* they do not come from weights */
        else if (!definition->constant[t])
            memset(rows->gradients, 0, rows->count * work.pairs.width * sizeof(float));
    }
    dilp_pairs_backward((double *)pass->dprobability.data + definition->folded_offset, work.dsum, &work.pairs,
                        &pass->room);
    for (int t = 0; t < 2 && step > 0; t++)
        if (!definition->constant[t])
            conclude_backward(pass, definition, &work, t);
}

/* The parts that all steps of a stage share, after its first step.  In the first stage given predicates do
 * not depend on weights; in the second, negations of helpers do. */
static void begin_stage_backward(struct dilp_pass *pass, int stage, const float *folded)
{
    for (int d = 0; d < pass->dilp->defined; d++) {
        const struct dilp_definition *definition = &pass->dilp->definitions[d];
        struct work work = work_of(pass, d, folded);
        if (!is_in(pass, d, stage))
            continue;
        for (int t = 0; t < 2 && stage == 0; t++)
            work.pairs.rows[t].gradients = NULL;
        if (is_constant(definition))
            dilp_pairs_backward((double *)pass->dprobability.data + definition->folded_offset, work.dsum,
                                &work.pairs, &pass->room);
        for (int t = 0; t < 2 && stage > 0; t++)
            if (definition->constant[t])
                conclude_backward(pass, definition, &work, t);
    }
    views_backward(pass);
    negate(pass, stage, pass->gradient.data, true);
}

float *dilp_target_gradients(const struct dilp_pass *pass)
{
    return (float *)pass->gradient.data + pass->offset[pass->dilp->givens];
}

/* Steps in reverse.  `gradient` holds da' before a step is visited and da after it.  The gradients of what a
 * stage computes once are collected over its steps, and taken on when its first step is reached. */
void dilp_backward(struct dilp_pass *pass, const float *folded)
{
    const struct dilp *dilp = pass->dilp;
    memset(pass->dprobability.data, 0, dilp->folded * sizeof(double));
    memset(pass->dview.data, 0, pass->seen * sizeof(float));
    memset(pass->dconsequence.data, 0, pass->consequences * sizeof(float));
    memset(pass->dsum.data, 0, pass->sums * sizeof(float));
    for (int t = dilp->stages * pass->steps - 1; t >= 0; t--) {
        int stage = t / pass->steps;
        fill_views(pass, values_at(pass, t));
        for (int d = 0; d < dilp->defined; d++)
            if (is_in(pass, d, stage))
                step_backward(pass, d, t, folded);
        views_backward(pass);
        if (t % pass->steps == 0)
            begin_stage_backward(pass, stage, folded);
    }
}
