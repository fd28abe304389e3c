/* Clauses on views of values. */
#include "baseline/dilp_view.h"

#include <string.h>

/* ---- views ---- */

size_t dilp_view_size(int arity, size_t objects)
{
    return arity == 2 ? objects * (2 * objects + 1) : arity == 1 ? objects : 1;
}

void dilp_view_fill(float *view, const float *values, int arity, size_t objects)
{
    size_t count = arity == 2 ? objects * objects : dilp_view_size(arity, objects);
    memcpy(view, values, count * sizeof *view);
    if (arity < 2)
        return;
    float *transposed = view + count, *diagonal = transposed + count;
    for (size_t x = 0; x < objects; x++) {
        for (size_t y = 0; y < objects; y++)
            transposed[x * objects + y] = values[y * objects + x];
        diagonal[x] = values[x * objects + x];
    }
}

void dilp_view_backward(float *dvalues, const float *dview, int arity, size_t objects)
{
    size_t count = arity == 2 ? objects * objects : dilp_view_size(arity, objects);
    for (size_t i = 0; i < count; i++)
        dvalues[i] += dview[i];
    if (arity < 2)
        return;
    const float *dtransposed = dview + count, *ddiagonal = dtransposed + count;
    for (size_t x = 0; x < objects; x++) {
        for (size_t y = 0; y < objects; y++)
            dvalues[x * objects + y] += dtransposed[y * objects + x];
        dvalues[x * objects + x] += ddiagonal[x];
    }
}

/* ---- loops ---- */

/* Steps of an atom along each variable, of which `inner` is the last one of the head; its first number. */
static size_t steps_of(const struct dilp_atom *atom, int arity, int inner, size_t place, size_t objects,
                       size_t steps[DILP_MOST_VARIABLES])
{
    int a = atom->variables[0], b = atom->variables[1];
    if (arity == 1)
        steps[a] = 1;
    if (arity < 2)
        return place;
    if (a == b) {
        steps[a] = 1;
        return place + 2 * objects * objects;
    }
    bool transposed = a == inner;
    steps[a] = transposed ? 1 : objects;
    steps[b] = transposed ? objects : 1;
    return place + (transposed ? objects * objects : 0);
}

struct dilp_nest dilp_nest_of(const struct dilp_clause *clause, const struct dilp_predicate *predicates,
                              const size_t *place, size_t objects)
{
    int arity = predicates[clause->head].arity, inner = arity - 1;
    struct dilp_nest nest = {arity == 2 ? objects : 1, arity > 0 ? objects : 1, 1, 1, {{0}, {0}}};
    for (int b = 0; b < 2; b++) {
        const struct dilp_atom *atom = &clause->body[b];
        size_t steps[DILP_MOST_VARIABLES] = {0};
        nest.body[b].first =
            steps_of(atom, predicates[atom->predicate].arity, inner, place[atom->predicate], objects, steps);
        nest.body[b].outer = arity == 2 ? steps[0] : 0;
        nest.body[b].inner = arity > 0 ? steps[inner] : 0;
        nest.body[b].z = clause->existential > 0 ? steps[arity] : 0;
        nest.body[b].w = clause->existential > 1 ? steps[arity + 1] : 0;
    }
    /* a variable that is in neither atom changes nothing */
    nest.z = nest.body[0].z || nest.body[1].z ? objects : 1;
    nest.w = nest.body[0].w || nest.body[1].w ? objects : 1;
    return nest;
}

/* Where an atom of the body is for the first atom of a row of the head, and one substitution. */
static size_t at(const struct dilp_nest *nest, int body, size_t outer, size_t z, size_t w)
{
    return nest->body[body].first + outer * nest->body[body].outer + z * nest->body[body].z +
           w * nest->body[body].w;
}

/* ---- forward ---- */

static void raise_by_scaled(float *restrict row, const float *a, float scale, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * scale;
        row[y] = product > row[y] ? product : row[y];
    }
}

static void raise_by_product(float *restrict row, const float *a, const float *b, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * b[y];
        row[y] = product > row[y] ? product : row[y];
    }
}

static void raise_by_number(float *restrict row, float number, size_t count)
{
    for (size_t y = 0; y < count; y++)
        row[y] = number > row[y] ? number : row[y];
}

/* Values are not negative, so a factor of 0 raises nothing. */
static void raise(float *row, const float *a, size_t a_step, const float *b, size_t b_step, size_t count)
{
    if (a_step && b_step)
        raise_by_product(row, a, b, count);
    else if (a_step && *b > 0.0f)
        raise_by_scaled(row, a, *b, count);
    else if (b_step && *a > 0.0f)
        raise_by_scaled(row, b, *a, count);
    else if (!a_step && !b_step && *a * *b > 0.0f)
        raise_by_number(row, *a * *b, count);
}

void dilp_clause_forward(float *consequence, const float *view, const struct dilp_nest *nest)
{
    memset(consequence, 0, nest->outer * nest->inner * sizeof *consequence);
    for (size_t x = 0; x < nest->outer; x++)
        for (size_t z = 0; z < nest->z; z++)
            for (size_t w = 0; w < nest->w; w++)
                raise(consequence + x * nest->inner, view + at(nest, 0, x, z, w), nest->body[0].inner,
                      view + at(nest, 1, x, z, w), nest->body[1].inner, nest->inner);
}

/* ---- backward ---- */

/* As raise, and remember the number of the substitution that gave the largest product. */

static void choose_scaled(float *restrict best, int *restrict argument, int number, const float *a,
                          float scale, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * scale;
        argument[y] = product > best[y] ? number : argument[y];
        best[y] = product > best[y] ? product : best[y];
    }
}

static void choose_product(float *restrict best, int *restrict argument, int number, const float *a,
                           const float *b, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * b[y];
        argument[y] = product > best[y] ? number : argument[y];
        best[y] = product > best[y] ? product : best[y];
    }
}

static void choose_number(float *restrict best, int *restrict argument, int number, float product,
                          size_t count)
{
    for (size_t y = 0; y < count; y++) {
        argument[y] = product > best[y] ? number : argument[y];
        best[y] = product > best[y] ? product : best[y];
    }
}

static void choose(float *best, int *argument, int number, const float *a, size_t a_step, const float *b,
                   size_t b_step, size_t count)
{
    if (a_step && b_step)
        choose_product(best, argument, number, a, b, count);
    else if (a_step && *b > 0.0f)
        choose_scaled(best, argument, number, a, *b, count);
    else if (b_step && *a > 0.0f)
        choose_scaled(best, argument, number, b, *a, count);
    else if (!a_step && !b_step && *a * *b > 0.0f)
        choose_number(best, argument, number, *a * *b, count);
}

static void choose_all(float *best, int *argument, const float *view, const struct dilp_nest *nest, size_t x)
{
    memset(best, 0, nest->inner * sizeof *best);
    memset(argument, 0, nest->inner * sizeof *argument);
    if (nest->z * nest->w == 1)
        return;
    for (size_t z = 0; z < nest->z; z++)
        for (size_t w = 0; w < nest->w; w++)
            choose(best, argument, (int)(z * nest->w + w), view + at(nest, 0, x, z, w), nest->body[0].inner,
                   view + at(nest, 1, x, z, w), nest->body[1].inner, nest->inner);
}

static bool all_zero(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] != 0.0f)
            return false;
    return true;
}

void dilp_clause_backward(float *dview, const float *dconsequence, const float *view,
                          const struct dilp_nest *nest, float *best, int *argument)
{
    for (size_t x = 0; x < nest->outer; x++, dconsequence += nest->inner) {
        if (all_zero(dconsequence, nest->inner))
            continue;
        choose_all(best, argument, view, nest, x);
        for (size_t y = 0; y < nest->inner; y++) {
            if (dconsequence[y] == 0.0f)
                continue;
            size_t z = (size_t)argument[y] / nest->w, w = (size_t)argument[y] % nest->w;
            size_t i = at(nest, 0, x, z, w) + y * nest->body[0].inner;
            size_t j = at(nest, 1, x, z, w) + y * nest->body[1].inner;
            dview[i] += dconsequence[y] * view[j];
            dview[j] += dconsequence[y] * view[i];
        }
    }
}
