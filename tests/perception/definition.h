/* LeNet by its definition, in double and without any cleverness: what the real one is held against.
 *
 * In double a difference can be taken over 1e-6, within which hardly any maximum or ReLU changes sides; in
 * floats, with some thousand maxima per image, there is no such distance that rounding would not drown. */
#ifndef TESTS_PERCEPTION_DEFINITION_H
#define TESTS_PERCEPTION_DEFINITION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "perception/lenet.h"

enum { DEFINITION_IMAGES = 9, DEFINITION_VALUES = 21960 };

struct definition {
    bool training;
    double values[DEFINITION_VALUES]; /* as those of the LeNet */
    double images[DEFINITION_IMAGES][1][28][28];
    double maps1[DEFINITION_IMAGES][10][24][24], features1[DEFINITION_IMAGES][10][12][12];
    double maps2[DEFINITION_IMAGES][20][8][8], features2[DEFINITION_IMAGES][20][4][4];
    double outputs[DEFINITION_IMAGES][LENET_OUTPUTS];
};

/* x and y: one image, [from, side, side] and [to, side - 4, side - 4]. */
static inline void define_convolution(const double *x, int from, int side, const double *weight,
                                      const double *bias, double *y, int to)
{
    int out = side - 4;
    for (int o = 0; o < to; o++)
        for (int r = 0; r < out; r++)
            for (int c = 0; c < out; c++) {
                double sum = bias[o];
                for (int k = 0; k < from; k++)
                    for (int tap = 0; tap < 25; tap++)
                        sum += weight[(o * from + k) * 25 + tap] *
                               x[(k * side + r + tap / 5) * side + c + tap % 5];
                y[(o * out + r) * out + c] = sum;
            }
}

/* Normalises channel c of [images, channels, pixels] in place; ReLU after it. */
static inline void define_norm(double *x, int channels, int c, int pixels, bool training, double weight,
                               double shift, double mean, double variance)
{
    double count = (double)(DEFINITION_IMAGES * pixels), sum = 0.0, square = 0.0;
    for (int i = 0; i < DEFINITION_IMAGES; i++)
        for (int p = 0; p < pixels; p++)
            sum += x[(i * channels + c) * pixels + p];
    mean = training ? sum / count : mean;
    for (int i = 0; i < DEFINITION_IMAGES; i++)
        for (int p = 0; p < pixels; p++) {
            double d = x[(i * channels + c) * pixels + p] - mean;
            square += d * d;
        }
    variance = training ? square / count : variance;
    for (int i = 0; i < DEFINITION_IMAGES; i++)
        for (int p = 0; p < pixels; p++) {
            double *v = &x[(i * channels + c) * pixels + p];
            *v = fmax(0.0, weight * (*v - mean) / sqrt(variance + 1e-5) + shift);
        }
}

/* [maps, side, side] to [maps, side / 2, side / 2]. */
static inline void define_pool(const double *x, int maps, int side, double *y)
{
    int half = side / 2;
    for (int m = 0; m < maps; m++)
        for (int p = 0; p < half * half; p++) {
            const double *upper = x + (m * side + p / half * 2) * side + p % half * 2;
            *y++ = fmax(fmax(upper[0], upper[1]), fmax(upper[side], upper[side + 1]));
        }
}

static inline void define_linear(const double *x, int in, const double *weight, const double *bias, double *y,
                                 int out)
{
    for (int o = 0; o < out; o++) {
        y[o] = bias[o];
        for (int k = 0; k < in; k++)
            y[o] += weight[o * in + k] * x[k];
    }
}

static inline void define_norms(struct definition *d, const size_t *offset, double *maps, int channels,
                                int pixels, int norm, int mean)
{
    for (int c = 0; c < channels; c++)
        define_norm(maps, channels, c, pixels, d->training, d->values[offset[norm] + (size_t)c],
                    d->values[offset[norm + 1] + (size_t)c], d->values[offset[mean] + (size_t)c],
                    d->values[offset[mean + 1] + (size_t)c]);
}

/* Fills the outputs. */
static inline void define_outputs(struct definition *d, const size_t *offset)
{
    const double *v = d->values;
    for (int i = 0; i < DEFINITION_IMAGES; i++)
        define_convolution(&d->images[i][0][0][0], 1, 28, v + offset[CONV1_WEIGHT], v + offset[CONV1_BIAS],
                           &d->maps1[i][0][0][0], 10);
    define_norms(d, offset, &d->maps1[0][0][0][0], 10, 576, NORM1_WEIGHT, NORM1_MEAN);
    define_pool(&d->maps1[0][0][0][0], DEFINITION_IMAGES * 10, 24, &d->features1[0][0][0][0]);
    for (int i = 0; i < DEFINITION_IMAGES; i++)
        define_convolution(&d->features1[i][0][0][0], 10, 12, v + offset[CONV2_WEIGHT],
                           v + offset[CONV2_BIAS], &d->maps2[i][0][0][0], 20);
    define_norms(d, offset, &d->maps2[0][0][0][0], 20, 64, NORM2_WEIGHT, NORM2_MEAN);
    define_pool(&d->maps2[0][0][0][0], DEFINITION_IMAGES * 20, 8, &d->features2[0][0][0][0]);
    for (int i = 0; i < DEFINITION_IMAGES; i++) {
        double hidden[50];
        define_linear(&d->features2[i][0][0][0], 320, v + offset[LINEAR1_WEIGHT], v + offset[LINEAR1_BIAS],
                      hidden, 50);
        for (int k = 0; k < 50; k++)
            hidden[k] = fmax(0.0, hidden[k]);
        define_linear(hidden, 50, v + offset[LINEAR2_WEIGHT], v + offset[LINEAR2_BIAS], d->outputs[i], 10);
        for (int k = 0; k < LENET_OUTPUTS; k++)
            d->outputs[i][k] = 1.0 / (1.0 + exp(-d->outputs[i][k]));
    }
}

#endif
