/* Families: a generator of family trees and what the five family tasks ask. */
#ifndef TASK_FAMILY_H
#define TASK_FAMILY_H

#include "base/random.h"
#include "nlm/world.h"

/* The predicates, all binary: father(x, y) says that y is x's father, son(x, y) that y is x's son. */
enum { FAMILY_FATHER, FAMILY_MOTHER, FAMILY_SON, FAMILY_DAUGHTER, FAMILY_PREDICATES };

typedef enum family_question {
    FAMILY_HAS_FATHER,  /* x has a father */
    FAMILY_HAS_SISTER,  /* x's father has a daughter other than x */
    FAMILY_GRANDPARENT, /* y is a parent of a parent of x */
    FAMILY_UNCLE,       /* y is a son of a grandparent of x and not x's father */
    FAMILY_MG_UNCLE     /* y is a son of the mother of a grandmother of x */
} family_question;

/* Let a family grow among the objects of a world without facts, whose predicates 0..3 are the family's. */
nlm_status family_generate(nlm_world *world, random_stream *random, nlm_error *error);

/* The longest line of ancestors, in generations before a person; predicates as family_generate wants them. */
nlm_status family_depth(nlm_world *world, int *depth, nlm_error *error);

/* Label the true tuples of a target by the world's facts; predicates[k] is the number of predicate k in the
 * world, `question` a family_question. */
nlm_status family_label(nlm_world *world, const int *predicates, int question, int target, nlm_error *error);

#endif
