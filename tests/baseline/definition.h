/* The memory network by its definition, in double, one question at a time and without any cleverness: what
 * the real one is held against. */
#ifndef TESTS_BASELINE_DEFINITION_H
#define TESTS_BASELINE_DEFINITION_H

#include "memnns.h"

enum { DEFINITION_SLOTS = 16 * 16, DEFINITION_SIZE = 64 };

struct definition {
    const struct memnn *model;
    const double *values;
    const struct baseline_world *world;
    int names[MEMNN_MOST_THINGS];
    int slots;
    double key[DEFINITION_SLOTS][16], value[DEFINITION_SLOTS][32];
};

static inline void define_linear(const double *x, int in, const double *weight, const double *bias, double *y,
                                 int out)
{
    for (int o = 0; o < out; o++) {
        y[o] = bias[o];
        for (int k = 0; k < in; k++)
            y[o] += weight[o * in + k] * x[k];
    }
}

static inline void define_mlp(const struct mlp *m, const double *values, const double *x, double *y)
{
    double a[DEFINITION_SIZE], b[DEFINITION_SIZE];
    memcpy(a, x, (size_t)m->size[0] * sizeof *a);
    for (int l = 0; l < m->layers; l++) {
        define_linear(a, m->size[l], values + m->weight[l], values + m->bias[l], b, m->size[l + 1]);
        for (int k = 0; k < m->size[l + 1]; k++)
            a[k] = l < m->layers - 1 ? fmax(0.0, b[k]) : b[k];
    }
    memcpy(y, a, (size_t)m->size[m->layers] * sizeof *y);
}

/* Twins have the name of their thing, and a bit for the half they are of. */
static inline void define_name(const struct definition *d, int object, double *bits)
{
    int n = d->world->objects, thing = d->model->twins ? object % (n / 2) : object;
    for (int b = 0; b < 8; b++)
        bits[b] = d->names[thing] & 1 << b ? 1.0 : 0.0;
    if (d->model->twins)
        bits[8] = object < n / 2 ? 0.0 : 1.0;
}

static inline void define_slot(struct definition *d, const double *row)
{
    define_mlp(&d->model->key, d->values, row, d->key[d->slots]);
    define_mlp(&d->model->value, d->values, row, d->value[d->slots++]);
}

static inline void define_slots(struct definition *d)
{
    const struct memnn *m = d->model;
    int n = d->world->objects, names = 2 * m->bits;
    d->slots = 0;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            double row[DEFINITION_SIZE] = {0.0};
            define_name(d, x, row);
            define_name(d, y, row + m->bits);
            for (int k = 0; k < m->relations; k++)
                row[names + m->properties + k] = (double)d->world->inputs[2][(x * n + y) * m->relations + k];
            if (x != y)
                define_slot(d, row);
        }
    for (int x = 0; m->properties && x < n; x++) {
        double row[DEFINITION_SIZE] = {0.0};
        define_name(d, x, row);
        for (int k = 0; k < m->properties; k++)
            row[names + k] = (double)d->world->inputs[1][x * m->properties + k];
        define_slot(d, row);
    }
}

static inline void define_read(const struct definition *d, const double *query, double *read)
{
    double sum = 0.0;
    memset(read, 0, 32 * sizeof *read);
    for (int s = 0; s < d->slots; s++) {
        double score = 0.0;
        for (int k = 0; k < 16; k++)
            score += query[k] * d->key[s][k];
        double weight = exp(score);
        sum += weight;
        for (int k = 0; k < 32; k++)
            read[k] += weight * d->value[s][k];
    }
    for (int k = 0; d->slots && k < 32; k++)
        read[k] /= sum;
}

static inline void define_lstm(const struct definition *d, const double *read, double *cell, double *state)
{
    const struct lstm *l = &d->model->lstm;
    double gates[4 * DEFINITION_SIZE], more[4 * DEFINITION_SIZE], none[4 * DEFINITION_SIZE] = {0.0};
    int width = l->width;
    define_linear(read, 32, d->values + l->weight_input, d->values + l->bias, gates, 4 * width);
    define_linear(state, width, d->values + l->weight_hidden, none, more, 4 * width);
    for (int k = 0; k < width; k++) {
        double in = 1.0 / (1.0 + exp(-gates[k] - more[k]));
        double forget = 1.0 / (1.0 + exp(-gates[width + k] - more[width + k]));
        double news = tanh(gates[2 * width + k] + more[2 * width + k]);
        double out = 1.0 / (1.0 + exp(-gates[3 * width + k] - more[3 * width + k]));
        cell[k] = forget * cell[k] + in * news;
        state[k] = out * tanh(cell[k]);
    }
}

/* Logits of a head for a question about x, or x and y; y is -1 where there is none. */
static inline void define_logits(const struct definition *d, int head, int x, int y, double *logits)
{
    const struct memnn *m = d->model;
    double row[DEFINITION_SIZE] = {0.0}, query[16], read[32];
    double cell[DEFINITION_SIZE] = {0.0}, state[DEFINITION_SIZE] = {0.0};
    define_name(d, x, row);
    if (y >= 0)
        define_name(d, y, row + m->bits);
    define_mlp(&m->question, d->values, row, query);
    for (int t = 0; t < m->rounds; t++) {
        if (t > 0)
            define_linear(state, m->width, d->values + m->query_weight, d->values + m->query_bias, query, 16);
        define_read(d, query, read);
        define_lstm(d, read, cell, state);
    }
    define_linear(state, m->width, d->values + m->head[head].weight, d->values + m->head[head].bias, logits,
                  m->head[head].outputs);
}

/* For each question of each head in turn: look(context, head, place of its logits, logits). */
typedef void (*definition_look)(void *context, int head, size_t place, const double *logits);

static inline void define_all(struct definition *d, definition_look look, void *context)
{
    define_slots(d);
    for (int h = 0; h < d->model->heads; h++) {
        const struct memnn_head *head = &d->model->head[h];
        int n = head->kind == MEMNN_TWINS ? d->world->objects / 2 : d->world->objects;
        for (int x = 0; x < n; x++)
            for (int y = 0; y < (head->kind == MEMNN_UNARY ? 1 : n); y++) {
                double logits[DEFINITION_SIZE];
                bool unary = head->kind == MEMNN_UNARY;
                if (!unary && x == y)
                    continue;
                define_logits(d, h, x, unary ? -1 : y, logits);
                look(context, h, (size_t)((unary ? x : x * n + y) * head->outputs), logits);
            }
    }
}

#endif
