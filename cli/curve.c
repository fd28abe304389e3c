/* The course of the loss over a run. */
#include "curve.h"

void curve_add(curve *of, double loss)
{
    if (of->epochs == 0)
        of->first = of->least = loss;
    if (loss < of->least)
        of->least = loss;
    of->recent[of->epochs++ % CURVE_RECENT] = loss;
}

curve_shape curve_shape_of(const curve *of)
{
    if (of->epochs < CURVE_RECENT)
        return CURVE_SHORT;
    const double last = of->recent[(of->epochs - 1) % CURVE_RECENT];
    const double before = of->recent[of->epochs % CURVE_RECENT];
    if (last > 10 * of->least)
        return CURVE_JUMPED;
    if (last < 0.8 * before)
        return CURVE_FALLING;
    return last > 0.8 * of->first ? CURVE_FLAT : CURVE_STUCK;
}

const char *curve_shape_text(curve_shape shape)
{
    switch (shape) {
    case CURVE_SHORT:
        return "has had too few epochs to tell much";
    case CURVE_FLAT:
        return "has hardly moved from where it began";
    case CURVE_JUMPED:
        return "was much lower before and jumped up";
    case CURVE_FALLING:
        return "is still falling";
    case CURVE_STUCK:
        break;
    }
    return "came down and has not moved lately";
}
