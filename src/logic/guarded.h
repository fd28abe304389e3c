/* Whether a formula speaks of near objects only (docs/maths.md, section 19). */
#ifndef LOGIC_GUARDED_H
#define LOGIC_GUARDED_H

#include "logic/program.h"

/* How many steps, from object to object by facts, lead from a formula's free variables to every object that
 * its truth depends on; -1 if there is no such number, since a quantified variable is not connected to the
 * others by facts that must hold. */
int formula_reach(const nlm_program *program, formula f);

#endif
