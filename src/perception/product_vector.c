/* Products of matrices on vectors of eight floats, compiled once per instruction set (KERNEL_VARIANT names
 * it).
 *
 * Sixteen columns of b at a time are copied into a panel, DEEP rows of it; six rows of y are then added up in
 * registers.  Sums are in the order of the inner index, DEEP terms at a time, whatever the number of rows. */
#include "perception/product.h"

#include <string.h>
#include "kernel/lanes.h"

enum { WIDE = 2 * LANES, DEEP = 256, TALL = 6 };

/* Rows of a from the inner index of a panel on; where their numbers are. */
struct rows {
    const float *first;
    size_t next_row, next_inner;
};

/* The panel's columns from `column` on, and inner indices from `inner` on; missing columns are 0. */
static void fill(float *panel, const struct product *s, const float *b, int column, int columns, int inner,
                 int deep)
{
    const size_t stride = (size_t)(s->b_transposed ? s->inner : s->columns);
    if (columns < WIDE)
        memset(panel, 0, (size_t)deep * WIDE * sizeof *panel);
    if (s->b_transposed)
        for (int c = 0; c < columns; c++)
            for (int k = 0; k < deep; k++)
                panel[k * WIDE + c] = b[(size_t)(column + c) * stride + (size_t)(inner + k)];
    else
        for (int k = 0; k < deep; k++)
            memcpy(panel + k * WIDE, b + (size_t)(inner + k) * stride + column,
                   (size_t)columns * sizeof *panel);
}

/* Where sums go: rows of y, of which the panel may have less than it is wide. */
struct place {
    float *first;
    size_t next_row;
    int columns;
    bool add;
};

INLINE void put(struct place y, size_t row, vec left, vec right)
{
    float sum[WIDE], *to = y.first + row * y.next_row;
    if (y.columns == WIDE) {
        store(to, y.add ? load(to) + left : left);
        store(to + LANES, y.add ? load(to + LANES) + right : right);
        return;
    }
    store(sum, left);
    store(sum + LANES, right);
    for (int c = 0; c < y.columns; c++)
        to[c] = y.add ? to[c] + sum[c] : sum[c];
}

/* `tall`, a constant, rows. */
INLINE void multiply_rows(struct place y, struct rows a, const float *panel, int deep, int tall)
{
    vec left[TALL], right[TALL];
    for (int r = 0; r < tall; r++)
        left[r] = right[r] = splat(0.0f);
    for (int k = 0; k < deep; k++) {
        vec x = held(load(panel + k * WIDE)), z = held(load(panel + k * WIDE + LANES));
        for (int r = 0; r < tall; r++) {
            vec factor = splat(a.first[(size_t)k * a.next_inner + (size_t)r * a.next_row]);
            left[r] += factor * x;
            right[r] += factor * z;
        }
    }
    for (int r = 0; r < tall; r++)
        put(y, (size_t)r, left[r], right[r]);
}

static void multiply(struct place y, struct rows a, const float *panel, int deep, int rows)
{
    for (; rows > TALL; rows -= TALL) {
        multiply_rows(y, a, panel, deep, TALL);
        y.first += TALL * y.next_row;
        a.first += TALL * a.next_row;
    }
    switch (rows) {
    case TALL:
        multiply_rows(y, a, panel, deep, TALL);
        break;
    case 5:
        multiply_rows(y, a, panel, deep, 5);
        break;
    case 4:
        multiply_rows(y, a, panel, deep, 4);
        break;
    case 3:
        multiply_rows(y, a, panel, deep, 3);
        break;
    case 2:
        multiply_rows(y, a, panel, deep, 2);
        break;
    case 1:
        multiply_rows(y, a, panel, deep, 1);
        break;
    }
}

void JOIN(product_, KERNEL_VARIANT)(struct product s, const float *a, const float *b, float *y)
{
    float panel[DEEP * WIDE];
    if (s.inner == 0 && !s.add)
        memset(y, 0, (size_t)s.rows * (size_t)s.columns * sizeof *y);
    for (int column = 0; column < s.columns; column += WIDE)
        for (int inner = 0; inner < s.inner; inner += DEEP) {
            const int columns = s.columns - column < WIDE ? s.columns - column : WIDE;
            const int deep = s.inner - inner < DEEP ? s.inner - inner : DEEP;
            struct rows rows = {a, (size_t)s.inner, 1};
            if (s.a_transposed)
                rows = (struct rows){a, 1, (size_t)s.rows};
            rows.first += (size_t)inner * rows.next_inner;
            fill(panel, &s, b, column, columns, inner, deep);
            struct place to = {y + column, (size_t)s.columns, columns, s.add || inner > 0};
            multiply(to, rows, panel, deep, s.rows);
        }
}
