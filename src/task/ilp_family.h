/* Small families, after Evans and Grefenstette 2018.  There relations are read from the left, father(x, y): x
 * is y's father, while the families of family.h have it the other way round. */
#ifndef TASK_ILP_FAMILY_H
#define TASK_ILP_FAMILY_H

#include "base/random.h"
#include "nlm/world.h"

/* Each task has predicates of its own, in this order. */
enum { ILP_SON_FATHER, ILP_SON_BROTHER, ILP_SON_SISTER, ILP_SON_PREDICATES };
enum { ILP_GRANDPARENT_FATHER, ILP_GRANDPARENT_MOTHER, ILP_GRANDPARENT_PREDICATES };
enum { ILP_HUSBAND_FATHER, ILP_HUSBAND_DAUGHTER, ILP_HUSBAND_BROTHER, ILP_HUSBAND_PREDICATES };
enum { ILP_UNCLE_FATHER, ILP_UNCLE_MOTHER, ILP_UNCLE_BROTHER, ILP_UNCLE_PREDICATES };
enum { ILP_RELATED_PARENT, ILP_RELATED_PREDICATES };
enum { ILP_FATHER_HUSBAND, ILP_FATHER_MOTHER, ILP_FATHER_BROTHER, ILP_FATHER_AUNT, ILP_FATHER_PREDICATES };

/* A family grows from one couple: somebody new is a child of one of its couples, or marries one of its
 * children.  The people of `related` are two such families. */
nlm_status ilp_family_generate_son(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_family_generate_grandparent(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_family_generate_husband(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_family_generate_uncle(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_family_generate_related(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_family_generate_father(nlm_world *world, random_stream *random, nlm_error *error);
/* The longest line of descent that the facts tell: along father, mother and parent, those of them there are.
 */
nlm_status ilp_family_depth(nlm_world *world, int *depth, nlm_error *error);

/* Questions that are a path from x to y. */
enum { ILP_FAMILY_GRANDPARENT, ILP_FAMILY_HUSBAND, ILP_FAMILY_UNCLE, ILP_FAMILY_FATHER };

/* Label the true tuples of a target by the world's facts, with `unused` where there is one question only. */
nlm_status ilp_family_label_path(nlm_world *world, const int *predicates, int question, int target,
                                 nlm_error *error);
/* y is x's father, and x is somebody's brother or father. */
nlm_status ilp_family_label_son(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error);
/* Steps from parent to child or from child to parent lead from x to y.  From x to x there is no label. */
nlm_status ilp_family_label_related(nlm_world *world, const int *predicates, int unused, int target,
                                    nlm_error *error);

#endif
