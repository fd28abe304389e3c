/* Signatures, inside the library: how they are put together. */
#ifndef FACTS_SIGNATURE_H
#define FACTS_SIGNATURE_H

#include "base/memory.h"
#include "nlm/facts.h"
#include "world/names.h"

enum { SIGNATURE_INPUTS, SIGNATURE_TARGETS, SIGNATURE_SIDES };

#define SIGNATURE_NAME_SPACE 16 /* bytes that the name of a pattern or type needs beyond its own */

struct nlm_signature {
    text_store texts;
    buffer predicates[SIGNATURE_SIDES]; /* nlm_predicate */
    int count[SIGNATURE_SIDES];
    buffer attributes; /* nlm_attribute; those of one predicate follow each other */
    int attribute_count;
    bool typed;
    char *text; /* of nlm_signature_text, once it is finished; Jansson's */
};

nlm_status signature_new(nlm_signature **signature, nlm_error *error);
nlm_status signature_copy(const nlm_signature *from, nlm_signature **copy, nlm_error *error);
/* Append a copy of a predicate, whose type[k] may be NULL for none. */
nlm_status signature_add(nlm_signature *signature, int side, const nlm_predicate *predicate,
                         nlm_error *error);
/* Append the attributes of a predicate, of which `first` describes the first; its types may be NULL. */
nlm_status signature_add_attributes(nlm_signature *signature, const nlm_attribute *first, nlm_error *error);
static inline const nlm_attribute *signature_attribute_at(const nlm_signature *signature, int number)
{
    return (const nlm_attribute *)signature->attributes.data + number;
}
/* The first attribute of a predicate of that name and arity, or -1. */
int signature_find_attribute(const nlm_signature *signature, const char *name, int arity);
/* What a network sees in the picture of an object, output `number` from 0: sees_1, sees_2, ...; returns
 * `name`. */
enum { SIGNATURE_SIGHT_NAME = 24 };
const char *signature_sight_name(int number, char name[SIGNATURE_SIGHT_NAME]);
/* A signature with so many of these before its other inputs. */
nlm_status signature_with_sights(const nlm_signature *from, int sights, nlm_signature **made,
                                 nlm_error *error);
/* After the last predicate: make the text. */
nlm_status signature_finish(nlm_signature *signature, nlm_error *error);
/* Whether it has no facts of its own, but follows from others: a type, a comparison. */
static inline bool signature_is_derived(const nlm_predicate *predicate)
{
    return predicate->is_type || predicate->comparison.terms > 0;
}
const nlm_predicate *signature_at(const nlm_signature *signature, int side, int number);
/* The predicate of that name, arity and pattern, or -1. */
int signature_find(const nlm_signature *signature, int side, const char *name, int arity, int code);
int signature_code(const nlm_predicate *predicate);
/* The type of the object that is number `object` of the predicate's different ones. */
const char *signature_object_type(const nlm_predicate *predicate, int object);

/* Whether that object tells worlds of one file apart. */
bool signature_tells_world(const nlm_predicate *predicate, int object);

/* Add its predicates and targets to an empty world, by the names father, likes(A,A) and type(person). Targets
 * are unlabelled by default, those whose bits are set in `closed` false. */
nlm_status signature_start_world(const nlm_signature *signature, unsigned closed, nlm_world *world,
                                 nlm_error *error);

/* That of the text in a model's metadata, which is not trusted; `name` stands for the model. */
nlm_status signature_parse(const char *text, const char *name, nlm_signature **signature, nlm_error *error);

#endif
