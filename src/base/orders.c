/* Tables of permutations.  Sizes are tiny (5! at most), so clarity wins over speed. */
#include "base/orders.h"

#include <string.h>

/* The number is the Lehmer code, read in the factorial number system. */
int orders_number(const uint8_t *order, int arity)
{
    int number = 0;
    for (int i = 0; i < arity; i++) {
        int smaller = 0;
        for (int j = i + 1; j < arity; j++)
            smaller += order[j] < order[i];
        number = number * (arity - i) + smaller;
    }
    return number;
}

static void order_unrank(int number, int arity, uint8_t *order)
{
    uint8_t left[ORDERS_MAX_ARITY];
    int block = 1;
    for (int i = 0; i < arity; i++) {
        left[i] = (uint8_t)i;
        block *= i + 1;
    }
    for (int i = 0; i < arity; i++) {
        block /= arity - i;
        int pick = number / block;
        number %= block;
        order[i] = left[pick];
        memmove(left + pick, left + pick + 1, (size_t)(arity - i - pick - 1));
    }
}

static void fill_products(struct orders *orders)
{
    uint8_t product[ORDERS_MAX_ARITY];
    int r = orders->arity <= ORDERS_MAX_ARITY ? orders->arity : 0;
    for (int a = 0; a < orders->count; a++) {
        for (int b = 0; b < orders->count; b++) {
            for (int k = 0; k < r; k++)
                product[k] = orders->order[a][orders->order[b][k]];
            int number = orders_number(product, r);
            orders->times[a][b] = orders->before[b][a] = (uint8_t)number;
            if (number == 0)
                orders->inverse[a] = (uint8_t)b;
        }
    }
}

static void fill_drops(struct orders *orders)
{
    uint8_t rest[ORDERS_MAX_ARITY] = {0}, moved[ORDERS_MAX_ARITY] = {0};
    int r = orders->arity <= ORDERS_MAX_ARITY ? orders->arity : 0;
    for (int b = 0; b < orders->count; b++) {
        const uint8_t *order = orders->order[b];
        for (int k = 0; k < r; k++) {
            int n = 0;
            for (int l = 0; l < r; l++)
                if (l != k)
                    rest[n++] = (uint8_t)(order[l] - (order[l] > order[k]));
            int number = orders_number(rest, r - 1);
            orders->drop[b][k] = (uint8_t)number;
            /* (t without order[b][k]) in order `number`, then t[order[b][k]] at the end */
            for (int l = 0; l < r - 1; l++)
                moved[l] = (uint8_t)(rest[l] + (rest[l] >= order[k]));
            moved[r - 1] = order[k];
            orders->drop_to_last[order[k]][number] = (uint8_t)orders_number(moved, r);
        }
    }
}

static void fill_last(struct orders *orders)
{
    uint8_t order[ORDERS_MAX_ARITY] = {0};
    int r = orders->arity <= ORDERS_MAX_ARITY ? orders->arity : 0;
    for (int q = 0; q < r; q++) {
        for (int k = 0; k < r - 1; k++)
            order[k] = (uint8_t)(k + (k >= q));
        order[r - 1] = (uint8_t)q;
        orders->last[q] = (uint8_t)orders_number(order, r);
    }
    int smaller = r > 0 ? orders->count / r : 0;
    for (int p = 0; p < smaller; p++) {
        order_unrank(p, r - 1, order);
        order[r - 1] = (uint8_t)(r - 1);
        orders->extend[p] = (uint8_t)orders_number(order, r);
    }
}

void orders_fill(struct orders *orders, int arity)
{
    memset(orders, 0, sizeof *orders);
    if (arity < 0 || arity > ORDERS_MAX_ARITY)
        return; /* never asked for; tells the compiler how far the tables go */
    orders->arity = arity;
    orders->count = 1;
    for (int i = 2; i <= arity; i++)
        orders->count *= i;
    while ((1 << orders->shift) < orders->count)
        orders->shift++;
    orders->mask = (1 << orders->shift) - 1;
    for (int a = 0; a < orders->count; a++)
        order_unrank(a, arity, orders->order[a]);
    fill_products(orders);
    fill_drops(orders);
    fill_last(orders);
}
