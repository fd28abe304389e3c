/* What the rest of the library may do with a world beyond nlm/world.h. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <stddef.h>
#include "nlm/world.h"

/* Working memory of `bytes` bytes for whoever fills the world.  It stays with the world, as all its memory
 * does, so that generating worlds in a loop soon stops allocating.  The content is undefined; the block holds
 * until the next call and is not touched by other changes of the world. */
nlm_status world_scratch(nlm_world *world, size_t bytes, void **block, nlm_error *error);

/* Take back the target that was added last, with its labels; the predicate, with its facts. */
void world_drop_target(nlm_world *world);
void world_drop_predicate(nlm_world *world);

/* Add the objects, facts and targets of a world, without percepts, to an empty one; `labelled`: and the
 * labels of the targets. */
nlm_status world_copy(nlm_world *to, const nlm_world *from, bool labelled, nlm_error *error);

/* The object that tells the world from others of its file, or -1: a label's object at the place that does so
 * can be no other (facts/split.h). */
void world_set_named(nlm_world *world, int object);
int world_named(const nlm_world *world);

/* Room for `count` facts of a predicate that the world has, so that adding them one by one moves none. */
nlm_status world_expect_facts(nlm_world *world, int predicate, size_t count, nlm_error *error);

#endif
