/* The course of the loss over a run, as much of it as is needed to say what it did and what to try. */
#ifndef CLI_CURVE_H
#define CLI_CURVE_H

enum { CURVE_RECENT = 10 };

typedef struct curve {
    int epochs; /* seen here */
    double first, least;
    double recent[CURVE_RECENT]; /* of epoch e at [e % CURVE_RECENT] */
} curve;

typedef enum curve_shape {
    CURVE_SHORT,   /* too few epochs to tell */
    CURVE_FLAT,    /* never came down from where it began */
    CURVE_JUMPED,  /* was much lower before */
    CURVE_FALLING, /* still coming down */
    CURVE_STUCK    /* came down, and has not moved since */
} curve_shape;

void curve_add(curve *of, double loss);
curve_shape curve_shape_of(const curve *of);
/* "is still falling" */
const char *curve_shape_text(curve_shape shape);

#endif
