/* Gradients against central differences of a function in floats.
 *
 * The function is a sum over outputs with fixed random weights, taken in double.  Where a maximum or a ReLU
 * changes sides within h, a difference says nothing about the gradient, so it is taken again with smaller h:
 * that gets past a change of sides, while a wrong gradient is wrong with every h.  Rounding of the function
 * grows as h shrinks, so entries are compared relative to the largest of their tensor. */
#ifndef TESTS_PERCEPTION_DIFFERENCES_H
#define TESTS_PERCEPTION_DIFFERENCES_H

#include <math.h>
#include "test.h"

#include "base/random.h"

typedef double (*difference_function)(void *context);

static inline void random_floats(random_stream *random, float *values, size_t count, float lo, float hi)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_uniform(random, lo, hi);
}

static inline double weighted_sum(const float *values, const float *weights, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)values[i] * (double)weights[i];
    return sum;
}

static inline double difference(difference_function function, void *context, float *value, float h)
{
    float before = *value;
    *value = before + h;
    double above = function(context), high = (double)*value;
    *value = before - h;
    double below = function(context), low = (double)*value;
    *value = before;
    return (above - below) / (high - low);
}

/* The gradient of `function` by `values`, of which about `tries` are looked at, spread evenly. */
static inline void assert_differences(const char *what, difference_function function, void *context,
                                      float *values, const float *gradient, size_t count, size_t tries,
                                      float h, double tolerance)
{
    double largest = 0.0;
    size_t step = count > tries ? count / tries : 1;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)gradient[i]));
    for (size_t i = 0; i < count; i += step) {
        double wanted = (double)gradient[i], found = 0.0;
        bool agrees = false;
        for (int k = 0; k < 3 && !agrees; k++) {
            found = difference(function, context, &values[i], ldexpf(h, -2 * k));
            agrees = fabs(found - wanted) <= tolerance * fmax(largest, 1e-2);
        }
        if (!agrees)
            fail_msg("%s, entry %zu: gradient %g, difference %g, largest %g", what, i, wanted, found,
                     largest);
    }
}

#endif
