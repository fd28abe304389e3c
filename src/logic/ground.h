/* The question "do a machine and a program differ?" as clauses about named objects.
 *
 * A variable of the clauses stands for a part of the machine or of the program at a tuple of objects: an
 * input, a formula, a unit's function, a quantifier.  Its clauses say what follows if it is true, or what
 * makes it true, whichever is asked for ("polarity"), so that the truth of the whole needs no more than it
 * must.  Two ways to name objects:
 *
 *     worlds of n objects     the objects are all there are.  An answer is a world on which the two differ;
 *                             no answer: there is no such world of n objects.
 *     proofs                  the first objects are the target's arguments.  Where an answer makes "exists"
 *                             true, a new object is named for which it holds (a witness), and what holds for
 *                             all objects is said of it.  Objects may be equal.  No answer: the two do not
 *                             differ in any world, of any size. */
#ifndef LOGIC_GROUND_H
#define LOGIC_GROUND_H

#include "logic/hard_units.h"
#include "logic/program.h"
#include "logic/sat.h"

enum { GROUND_OBJECTS = 48, GROUND_TUPLE = 14 /* most free variables of a formula */ };

typedef struct ground ground;

typedef struct ground_question {
    const hard_units *units;
    int head;
    const nlm_program *program;
    int definition;   /* of the program; its arity is the head's */
    const int *input; /* for each input of the program, the machine's predicate */
    bool machine;     /* true: the machine concludes it and the program does not; false: the converse */
} ground_question;

/* Of worlds of `objects` objects or, with 0, of proofs.  NULL without memory. */
ground *ground_new(const ground_question *question, int objects);
void ground_free(ground *of);

/* SAT_SATISFIABLE: of worlds, there is one; of proofs, none was found.  SAT_UNSATISFIABLE: none, proved.
 * SAT_STOPPED: the bounds on work and memory were met. */
sat_answer ground_answer(ground *of);
/* Whether an input holds in the world that was found; tuples of different objects. */
bool ground_fact(const ground *of, int predicate, const int *tuple);
int ground_objects(const ground *of);

#endif
