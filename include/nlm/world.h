/* Worlds: named objects, named predicates, facts, and labels to learn from.
 *
 * A world is what a task's generator or a user's file describes.  Facts that are not added are false (0).
 * A target is a predicate to be concluded: each of its tuples is true, false or unlabelled; tuples that were
 * not labelled one by one have the target's default label.  Tuples repeat no object. */
#ifndef NLM_WORLD_H
#define NLM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_MAX_BREADTH 5 /* largest arity anywhere */

typedef enum nlm_label { NLM_UNLABELLED = -1, NLM_FALSE = 0, NLM_TRUE = 1 } nlm_label;

typedef struct nlm_world nlm_world;

nlm_status nlm_world_new(nlm_world **world, nlm_error *error);
void nlm_world_free(nlm_world *world);
/* Forget everything, keep the memory for the next world. */
void nlm_world_clear(nlm_world *world);

/* Names are copied; objects, predicates and targets are numbered from 0 in the order they are added.  The
 * number's pointer may be NULL.  Adding a name twice (for predicates and targets: name and arity) is
 * NLM_BAD_ARGUMENT; a predicate and a target may share a name.  Whatever fails leaves the world as it was. */
nlm_status nlm_world_add_object(nlm_world *world, const char *name, int *object, nlm_error *error);
nlm_status nlm_world_add_predicate(nlm_world *world, const char *name, int arity, int *predicate,
                                   nlm_error *error);
nlm_status nlm_world_add_target(nlm_world *world, const char *name, int arity, nlm_label by_default,
                                int *target, nlm_error *error);
/* `count` objects called prefix0, prefix1, ... */
nlm_status nlm_world_add_objects(nlm_world *world, const char *prefix, int count, nlm_error *error);

/* predicate(tuple[0], ..., tuple[arity-1]) = value; 1 is true, any finite number is accepted.  A fact added
 * again replaces the earlier value when the world is grounded. */
nlm_status nlm_world_add_fact(nlm_world *world, int predicate, const int *tuple, float value,
                              nlm_error *error);
nlm_status nlm_world_add_label(nlm_world *world, int target, const int *tuple, nlm_label label,
                               nlm_error *error);

/* An attribute says a number of some tuples, such as size(bob) = 3.76; of the others nothing is known, which
 * is not 0.  Machines do not read attributes, but predicates that compare them (nlm/facts.h).  The same names
 * and rules as for predicates; a tuple has at most one number of an attribute. */
nlm_status nlm_world_add_attribute(nlm_world *world, const char *name, int arity, int *attribute,
                                   nlm_error *error);
nlm_status nlm_world_add_number(nlm_world *world, int attribute, const int *tuple, double number,
                                nlm_error *error);

/* What an object looks or sounds like: `count` finite numbers, as many for every object that has a percept.
 * They are copied; given again they replace what was there. */
nlm_status nlm_world_set_percept(nlm_world *world, int object, const float *numbers, int count,
                                 nlm_error *error);
/* Those numbers until the world is next changed; NULL if the object has none. */
const float *nlm_world_percept(const nlm_world *world, int object, int *count);

int nlm_world_objects(const nlm_world *world);
int nlm_world_predicates(const nlm_world *world);
int nlm_world_attributes(const nlm_world *world);
int nlm_world_targets(const nlm_world *world);
/* Names hold until the world is cleared or freed.  A number that the world does not have gives NULL, or -1
 * for an arity. */
const char *nlm_world_object_name(const nlm_world *world, int object);
const char *nlm_world_predicate_name(const nlm_world *world, int predicate);
const char *nlm_world_attribute_name(const nlm_world *world, int attribute);
const char *nlm_world_target_name(const nlm_world *world, int target);
int nlm_world_predicate_arity(const nlm_world *world, int predicate);
int nlm_world_attribute_arity(const nlm_world *world, int attribute);
int nlm_world_target_arity(const nlm_world *world, int target);
/* Numbers by name, or -1. */
int nlm_world_find_object(const nlm_world *world, const char *name);
int nlm_world_find_predicate(const nlm_world *world, const char *name, int arity);
int nlm_world_find_target(const nlm_world *world, const char *name, int arity);

/* The facts of one predicate: `*tuples` holds count * arity objects, `*values` count numbers.  The pointers
 * hold until the world is next changed, and may be asked for or not (NULL).  A number that the world does not
 * have has no facts. */
size_t nlm_world_facts(const nlm_world *world, int predicate, const int **tuples, const float **values);
/* The numbers of one attribute, likewise. */
size_t nlm_world_numbers(const nlm_world *world, int attribute, const int **tuples, const double **numbers);
/* The labels of one target that were set one by one, and the default of all others. */
size_t nlm_world_labels(const nlm_world *world, int target, const int **tuples, const signed char **labels,
                        nlm_label *by_default);
/* The label of every tuple of a target, by number (see below). */
void nlm_world_all_labels(const nlm_world *world, int target, signed char *labels);

/* ---- tuples by number ----
 *
 * The numbers of dense results: [objects]^arity of them, in the order of the objects, the last one fastest.
 * Numbers of tuples that repeat an object are counted too, and belong to no tuple. */

/* objects^arity; SIZE_MAX where that is more than can be counted. */
size_t nlm_tuple_count(int objects, int arity);
size_t nlm_tuple_number(int objects, int arity, const int *tuple);
/* The tuple of a number; false if it repeats an object. */
bool nlm_tuple_at(int objects, int arity, size_t number, int *tuple);

#ifdef __cplusplus
}
#endif
#endif
