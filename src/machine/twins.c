/* Twin heads: logits of pairs of twins.
 *
 * A twin head is linear in its concatenated inputs (nlm/machine.h), so its weight falls apart into four
 * blocks for objects, A, A', B, B', and two for inputs, P, P':
 *
 *     logit(i, j) = u(i) A + u(i+n) A' + u(j) B + u(j+n) B' + in(i, j) P + in(i+n, j+n) P' + bias
 *
 * All products are made on the rows that the values have.  Those of objects are a head on the unary group
 * with four times the columns, [A | A' | B | B'] and the bias with A (table `logits`, made in pass.c); those
 * of inputs stand on the rows of level (0, 2), [P | P'] (table `pairs`).  Pairs only add up six rows, when
 * they are asked for.
 *
 *     table     rows             columns, each `outputs` wide
 *     logits    level (D, 1)     A + bias | A' | B | B'
 *     pairs     level (0, 2)     P | P'
 *
 * Of 50 blocks and the ground there are 51 * 50 moves, but few classes of objects and pairs, hence few
 * products. */
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

/* Objects i and i + n of a world of 2n objects are twins, so every world needs an even number of them. */
nlm_status twins_check(const struct nlm_machine *machine, const struct nlm_structure *structure,
                       nlm_error *error)
{
    const char *name = NULL;
    for (int h = 0; h < machine->head_count; h++)
        if (machine->heads[h].twins)
            name = machine->heads[h].name;
    for (int w = 0; name && w < structure->tuples.worlds; w++) {
        int objects = tuples_objects(&structure->tuples, w);
        if (objects % 2)
            return error_set(error, NLM_BAD_SHAPE,
                             "world %d has %d objects, which are not two halves of twins for head '%s'", w,
                             objects, name);
    }
    return NLM_OK;
}

/* ---- products of inputs ---- */

/* The products of the binary inputs: a chain of the single block (0, 2). */
static struct chain pairs_chain(const struct nlm_pass *pass, int head)
{
    return (struct chain){
        .top = 0,
        .arity = 2,
        .first_pack = pass->pairs_pack[head],
        .columns = kernel_pad(TWIN_HALVES * pass->machine->heads[head].outputs),
    };
}

/* Table `pairs`: one row per row of level (0, 2). */
nlm_status twins_forward(struct nlm_pass *pass, int head)
{
    struct chain chain = pairs_chain(pass, head);
    struct value_table *pairs = &pass->pairs[head];
    size_t rows = level_rows(pass, chain.top, chain.arity);
    float *y;
    if (chain_forward(pass, &chain, pass->scratch.forward[SOURCE_OWN], &y) ||
        value_table_reserve(pairs, rows, chain.columns, pass->training, 0))
        return NLM_NO_MEMORY;
    memcpy(pairs->values, y, rows * (size_t)chain.columns * sizeof(float));
    return NLM_OK;
}

/* Gradients of `pairs` were added by twins_scatter. */
nlm_status twins_backward(struct nlm_pass *pass, int head)
{
    struct chain chain = pairs_chain(pass, head);
    return chain_backward(pass, &chain, pass->scratch.back[SOURCE_OWN],
                          value_table_gradients(&pass->pairs[head]));
}

/* ---- pairs ---- */

/* Where the terms of a world's logits are: strides of both tables, and codes of the world's objects and
 * pairs. */
struct terms {
    int twins; /* objects of the first half */
    size_t outputs, object_stride, pair_stride;
    const struct tuples *tuples;
    const struct orders *unary, *binary;
    const int32_t *objects, *pairs; /* codes of the world's objects and pairs */
};

/* Codes of a world's objects at the last layer and of its pairs at layer 0. */
static struct terms find_terms(const struct nlm_pass *pass, int world, int head)
{
    const struct nlm_structure *s = pass->structure;
    const struct plan *plan = &pass->machine->plan;
    return (struct terms){
        .twins = tuples_objects(&s->tuples, world) / 2,
        .outputs = (size_t)pass->machine->heads[head].outputs,
        .object_stride = (size_t)pass->logits[head].stride,
        .pair_stride = (size_t)pass->pairs[head].stride,
        .tuples = &s->tuples,
        .unary = &plan->orders[1],
        .binary = &plan->orders[2],
        .objects = s->levels[plan->spec.depth][1].part->codes + tuples_offset(&s->tuples, world, 1),
        .pairs = s->levels[0][2].part->codes + tuples_offset(&s->tuples, world, 2),
    };
}

/* Part `part` of an object's row: 0 for A, 1 for A', 2 for B, 3 for B'. */
static size_t object_term(const struct terms *t, int object, size_t part)
{
    return orders_row(t->unary, t->objects[object]) * t->object_stride + part * t->outputs;
}

/* Half `half` of a pair's row: 0 for P, 1 for P'.  The code is that of the sorted pair, then the order of the
 * pair. */
static size_t pair_term(const struct terms *t, int first, int second, size_t half)
{
    int low = first < second ? first : second, high = first < second ? second : first;
    int32_t code = t->pairs[tuples_choose(t->tuples, 2)[high] + (size_t)low];
    return orders_row(t->binary, orders_then(t->binary, code, first > second)) * t->pair_stride +
           half * t->outputs;
}

/* logit(i, j) for all pairs i != j of the first half: six rows are added up for each. */
void twins_gather(const struct nlm_pass *pass, int world, int head, size_t width, float *logits)
{
    const struct terms t = find_terms(pass, world, head);
    const float *objects = pass->logits[head].values, *pairs = pass->pairs[head].values;
    for (int i = 0; i < t.twins; i++) {
        const float *a = objects + object_term(&t, i, 0), *a2 = objects + object_term(&t, i + t.twins, 1);
        for (int j = 0; j < t.twins; j++, logits += width) {
            if (i == j)
                continue;
            const float *b = objects + object_term(&t, j, 2), *b2 = objects + object_term(&t, j + t.twins, 3);
            const float *p = pairs + pair_term(&t, i, j, 0);
            const float *p2 = pairs + pair_term(&t, i + t.twins, j + t.twins, 1);
            /* the bias is in `a`: it was added to the part of A alone */
            for (size_t h = 0; h < width; h++)
                logits[h] = a[h] + a2[h] + b[h] + b2[h] + p[h] + p2[h];
        }
    }
}

/* The transpose: each of the six rows gets the gradient of the logit. */
void twins_scatter(struct nlm_pass *pass, int world, int head, size_t width, const float *gradient)
{
    const struct terms t = find_terms(pass, world, head);
    float *objects = value_table_gradients(&pass->logits[head]),
          *pairs = value_table_gradients(&pass->pairs[head]);
    for (int i = 0; i < t.twins; i++) {
        /* several pairs may share rows, so gradients are added one pair after the other */
        float *a = objects + object_term(&t, i, 0), *a2 = objects + object_term(&t, i + t.twins, 1);
        for (int j = 0; j < t.twins; j++, gradient += width) {
            if (i == j)
                continue;
            float *b = objects + object_term(&t, j, 2), *b2 = objects + object_term(&t, j + t.twins, 3);
            float *p = pairs + pair_term(&t, i, j, 0);
            float *p2 = pairs + pair_term(&t, i + t.twins, j + t.twins, 1);
            for (size_t h = 0; h < width; h++) {
                a[h] += gradient[h];
                a2[h] += gradient[h];
                b[h] += gradient[h];
                b2[h] += gradient[h];
                p[h] += gradient[h];
                p2[h] += gradient[h];
            }
        }
    }
}
