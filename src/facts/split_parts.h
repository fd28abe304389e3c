/* One file, many worlds: what finding them (split.c) and making them (split_make.c) share. */
#ifndef FACTS_SPLIT_PARTS_H
#define FACTS_SPLIT_PARTS_H

#include "facts/meaning.h"

enum { NOWHERE = -1 };

typedef struct split_object {
    int atom, type, next; /* 1 + the next object of the atom */
    int column;           /* where it was first */
    int world, level;     /* steps from the object that names the world */
    int stamp;            /* 1 + the world that was last given it */
} split_object;

typedef struct split_statement {
    size_t at;            /* in the log */
    int places;           /* its first object in `places` */
    int predicate, arity; /* objects: the numbers of an attribute are none, */
    int length;           /* but stand in the log */
    bool label;
    int stamp;
} split_statement;

struct split {
    draft *draft;
    meaning *what;
    const nlm_reading *reading;
    const char *path;
    buffer first;      /* int per atom: 1 + its newest object */
    buffer objects;    /* split_object */
    buffer statements; /* split_statement */
    buffer places;     /* int: objects */
    int object_count, statement_count, place_count;
    buffer parent;      /* int per column: union-find of sorts */
    buffer share;       /* int per column: nlm_share */
    buffer start, uses; /* int: uses[start[o] .. start[o + 1]) are the statements of object o */
    buffer queue;       /* int: objects, in the order in which they are reached */
    buffer named;       /* int: the object that names a world */
    buffer labelled;    /* bool per world */
    int worlds, labelled_worlds;
    nlm_error *error;
};

static inline split_object *object_at(const struct split *in, int object)
{
    return (split_object *)in->objects.data + object;
}

static inline split_statement *statement_at(const struct split *in, int statement)
{
    return (split_statement *)in->statements.data + statement;
}

static inline const int *objects_of(const struct split *in, const split_statement *statement)
{
    return (const int *)in->places.data + statement->places;
}

/* Make the worlds in->worlds, of which those without labels may be left out, of the draft's first, which
 * goes.
 */
nlm_status split_make(struct split *in);

#endif
