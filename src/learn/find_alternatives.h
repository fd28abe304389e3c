/* Finding the alternatives of a program: other programs that no example tells apart from it.
 *
 * From the program on, formulas one change away are tried (logic/neighbours.h); those that agree with all
 * judged worlds are alternatives.  From the most general and the most special of these the search goes on,
 * so that changes in several places are met.  What two programs differ in is seen in varied worlds
 * (learn/varied_worlds.h): alternatives that differ nowhere there are equal, and of all those found the ones
 * stay that together differ in most tuples.  At last they are compared with fresh examples. */
#ifndef LEARN_FIND_ALTERNATIVES_H
#define LEARN_FIND_ALTERNATIVES_H

#include "learn/rule_judge.h"
#include "logic/alternatives.h"

/* Those of one target, into the list; the judge is that of the target.  Its worlds may become more. */
nlm_status find_alternatives(const nlm_program *program, int head, struct rule_judge *judge, uint64_t seed,
                             nlm_alternatives *into, nlm_error *error);

#endif
