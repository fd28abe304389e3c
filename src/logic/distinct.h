/* Programs as gates.  Variables of a formula may stand for the same object, those of a gate may not, so that
 * every quantifier of a formula is divided into cases:
 *
 *     exists Z: f(X, Y, Z)  =  some Z other than X and Y: f(X, Y, Z),  or f(X, Y, X),  or f(X, Y, Y)
 *
 * Variables that are different make X = Y false.  Targets are asked for different objects. */
#ifndef LOGIC_DISTINCT_H
#define LOGIC_DISTINCT_H

#include "logic/gates.h"
#include "logic/program.h"

/* A wire for each target, in the place of a variable the number of an argument.  A formula of more variables
 * at once than `breadth` becomes GATE_REFUSED.  The program's store gets more nodes. */
nlm_status distinct_gates(nlm_program *program, int breadth, gate_store *gates, gate_wire *targets,
                          nlm_error *error);

#endif
