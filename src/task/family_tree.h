/* Family trees: generators of worlds of parents and children. */
#ifndef TASK_FAMILY_TREE_H
#define TASK_FAMILY_TREE_H

#include "base/random.h"
#include "nlm/world.h"

/* The predicates of a world that is no small family; in order. */
enum { FATHER, MOTHER, SON, DAUGHTER, FAMILY_PREDICATES };

/* The families of the paper, which grow on a timeline. */
nlm_status family_generate(nlm_world *world, random_stream *random, nlm_error *error);
/* The same with customs of their own and facts that are forgotten. */
nlm_status family_generate_rich(nlm_world *world, random_stream *random, nlm_error *error);
/* Small families from one couple: all facts of the world's predicates, which are some of father, mother,
 * parent, brother, sister, daughter, husband and aunt.  People who are told about by `parent` are two
 * families, each with at least a third of them. */
nlm_status family_generate_small(nlm_world *world, random_stream *random, nlm_error *error);

#endif
