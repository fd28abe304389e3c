/* Scopes: how many variables a formula relates at once, and orders of its quantifiers that need fewer.
 *
 *     exists Y: exists Z: exists W: p(X, Y), q(Y, Z), r(Y, W)
 *
 * relates X, Y, Z and W if Y goes first, two variables at a time if it goes last.  The number of variables at
 * once is the breadth of the machine. */
#ifndef LOGIC_SCOPES_H
#define LOGIC_SCOPES_H

#include "logic/program.h"

typedef struct scopes {
    nlm_program *program;
    buffer measured;    /* uint8_t by formula: variables at once + 1, 0: not known yet */
    buffer definitions; /* uint8_t by predicate: the same of its body */
    uint32_t count;     /* of `measured` */
    int distributions;  /* formulas that scopes_distribute may still make */
    bool failed;
} scopes;

/* The program's store gets more nodes; its definitions must not change. */
nlm_status scopes_start(scopes *of, nlm_program *program, nlm_error *error);
void scopes_free(scopes *of);

int scopes_measure(scopes *of, formula f);
/* A formula equal to f, an `exists`, that relates fewer variables at once; f if none was found. */
formula scopes_order(scopes *of, formula f);
/* The same for every `exists` in f. */
formula scopes_order_all(scopes *of, formula f);
/* The same of an `exists` by exists Z: a and (b or c) = exists Z: a and b, or exists Z: a and c. */
formula scopes_distribute(scopes *of, formula f);

#endif
