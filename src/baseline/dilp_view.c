/* Clauses on views of values: F(x) = max over z, w of a(x, z, w) b(x, z, w), forward and backward.
 *
 * The head has outer x inner atoms.  Along the inner variable each body atom moves by 1 or stays (its view is
 * chosen so), which leaves three inner loops: product of two rows, a row times a number, a number. */
#include "baseline/dilp_view.h"

#include <string.h>

/* ---- views ---- */

size_t dilp_view_size(int arity, size_t objects)
{
    return arity == 2 ? objects * (2 * objects + 1) : arity == 1 ? objects : 1;
}

/* n^2 values, n^2 transposed, n of the diagonal. */
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

/* The transpose of filling: a value gets the gradients of all its copies. */
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

/* Example: p(X,Y) :- e(X,Z), f(Z,Y).  Outer loop X, inner loop Y, and Z as substitution.  e moves by n along
 * X, by 1 along Z and not at all along Y; f moves by n along Z and by 1 along Y.  So for each (X, Z) a row of
 * f times one number of e raises a row of the head.  With f(Y,Z) in place of f(Z,Y) the transposed values are
 * read, and the inner step is 1 again. */
/* Steps of an atom along each variable, given that `inner` is the last variable of the head; returns its
 * first number.  A view has the values, the transposed values and the diagonal: whichever makes the inner
 * step 1 or 0. */
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

/* The loops of a clause and the steps of its two atoms in each.  A step of 0 means that the atom does not
 * have the variable.  Loops over existential variables that occur in no atom are left out. */
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

/* Where an atom of the body is for the first atom of a row of the head, and the first substitution. */
static size_t at(const struct dilp_nest *nest, int body, size_t outer)
{
    return nest->body[body].first + outer * nest->body[body].outer;
}

/* ---- forward ---- */

/* Along a row of the head an atom of the body has a value for each (`a` and `b`), or one for all. */

static void raise_by_product(float *restrict row, const float *a, const float *b, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * b[y];
        row[y] = product > row[y] ? product : row[y];
    }
}

static void raise_by_scaled(float *restrict row, const float *a, float scale, size_t count)
{
    for (size_t y = 0; y < count; y++) {
        float product = a[y] * scale;
        row[y] = product > row[y] ? product : row[y];
    }
}

static void raise_by_number(float *restrict row, float number, size_t count)
{
    for (size_t y = 0; y < count; y++)
        row[y] = number > row[y] ? number : row[y];
}

/* row[y] = max(row[y], a * b).  Values are not negative, so a factor of 0 raises nothing: most values are 0,
 * and rows with such a factor are skipped whole. */
static void raise_row(float *row, const float *a, size_t a_step, const float *b, size_t b_step, size_t count)
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

/* Values are at least 0, so an empty maximum is 0. */
void dilp_clause_forward(float *consequence, const float *view, const struct dilp_nest *nest)
{
    memset(consequence, 0, nest->outer * nest->inner * sizeof *consequence);
    for (size_t x = 0; x < nest->outer; x++, consequence += nest->inner) {
        const float *a = view + at(nest, 0, x), *b = view + at(nest, 1, x);
        for (size_t z = 0; z < nest->z; z++, a += nest->body[0].z, b += nest->body[1].z)
            for (size_t w = 0; w < nest->w; w++)
                raise_row(consequence, a + w * nest->body[0].w, nest->body[0].inner, b + w * nest->body[1].w,
                          nest->body[1].inner, nest->inner);
    }
}

/* ---- backward ---- */

/* The gradient of one body atom along a row of the head: that of the product times the value of the other
 * atom. */
static void atom_backward(float *restrict dvalue, size_t step, const float *other, size_t other_step,
                          const float *gradient, size_t count)
{
    float sum = 0.0f;
    if (step && other_step) {
        for (size_t y = 0; y < count; y++)
            dvalue[y] += gradient[y] * other[y];
    } else if (step && *other > 0.0f) {
        for (size_t y = 0; y < count; y++)
            dvalue[y] += gradient[y] * *other;
    } else if (other_step) {
        for (size_t y = 0; y < count; y++)
            sum += gradient[y] * other[y];
        *dvalue += sum;
    } else if (*other > 0.0f) {
        for (size_t y = 0; y < count; y++)
            sum += gradient[y];
        *dvalue += sum * *other;
    }
}

/* Where all products are 0, and where there is but one, the first substitution is the largest.  Its gradient
 * is not 0 even where the product is: da = dF b, and b may be above 0. */
static void first_backward(float *dview, const float *gradient, const float *view,
                           const struct dilp_nest *nest, size_t x)
{
    size_t a = at(nest, 0, x), b = at(nest, 1, x);
    size_t a_step = nest->body[0].inner, b_step = nest->body[1].inner;
    atom_backward(dview + a, a_step, view + b, b_step, gradient, nest->inner);
    atom_backward(dview + b, b_step, view + a, a_step, gradient, nest->inner);
}

/* The first substitution with a product that is known to be the largest.  The comparison is exact: the same
 * two factors give the same product as in forward. */
static void largest_backward(float *dview, float gradient, float largest, const float *view,
                             const struct dilp_nest *nest, size_t x, size_t y)
{
    size_t a = at(nest, 0, x) + y * nest->body[0].inner, b = at(nest, 1, x) + y * nest->body[1].inner;
    for (size_t z = 0; z < nest->z; z++, a += nest->body[0].z, b += nest->body[1].z) {
        for (size_t w = 0; w < nest->w; w++) {
            size_t i = a + w * nest->body[0].w, j = b + w * nest->body[1].w;
            if (view[i] * view[j] < largest)
                continue;
            dview[i] += gradient * view[j];
            dview[j] += gradient * view[i];
            return;
        }
    }
}

/* Gradients of those that are 0, others left out; returns whether there is any of each.  Most consequences
 * are 0, and these are done for a whole row at once. */
static void split_zeros(float *restrict zeros, const float *gradient, const float *consequence, size_t count,
                        bool any[2])
{
    int zero = 0, other = 0;
    for (size_t y = 0; y < count; y++) {
        zeros[y] = consequence[y] > 0.0f ? 0.0f : gradient[y];
        zero |= zeros[y] != 0.0f;
        other |= consequence[y] > 0.0f;
    }
    any[0] = zero;
    any[1] = other;
}

/* The argument of the maximum is found again by comparing products with the maximum.  Where that is 0, or
 * there is one substitution only, it is the first, for a whole row at once; the others are searched atom by
 * atom. */
void dilp_clause_backward(float *dview, const float *dconsequence, const float *consequence,
                          const float *view, const struct dilp_nest *nest, float *scratch)
{
    bool single = nest->z * nest->w == 1;
    for (size_t x = 0; x < nest->outer; x++, dconsequence += nest->inner, consequence += nest->inner) {
        bool any[2] = {true, false};
        if (!single)
            split_zeros(scratch, dconsequence, consequence, nest->inner, any);
        if (any[0])
            first_backward(dview, single ? dconsequence : scratch, view, nest, x);
        for (size_t y = 0; any[1] && y < nest->inner; y++)
            if (consequence[y] > 0.0f && dconsequence[y] != 0.0f)
                largest_backward(dview, dconsequence[y], consequence[y], view, nest, x, y);
    }
}
