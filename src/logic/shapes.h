/* Names for what formulas say, such as parent or has_father: a table of common shapes.
 *
 * A name says no more than the formula does.  Whether father(X, Y) means that X is Y's father or that Y is
 * X's, nobody knows; so there are only names that are right both ways: grandparent for a parent's parent, but
 * no sibling for children of one parent, who might as well be parents of one child (shares_parent). */
#ifndef LOGIC_SHAPES_H
#define LOGIC_SHAPES_H

#include "logic/program.h"

enum { SHAPE_NAME = 64 };

/* Of a formula whose arguments are the variables 0 ... arity - 1; "" if it has no common shape, or too long a
 * name. */
void shape_name(const nlm_program *program, formula body, int arity, char name[SHAPE_NAME]);

#endif
