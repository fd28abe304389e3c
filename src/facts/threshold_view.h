/* What thresholds are chosen from: labelled examples, numbers within their reach, and what is true of the
 * objects that have these.
 *
 *     measure    a number of objects: size(A), size(A) - size(B), x(A) + y(A); its cases are tuples and
 * values reach      which cases an example is about: its own objects, those linked to them, all of its world
 *     condition  what is true of a case: red(A), some Y with contact(A, Y), ... */
#ifndef FACTS_THRESHOLD_VIEW_H
#define FACTS_THRESHOLD_VIEW_H

#include "facts/comparison.h"
#include "facts/problem.h"

typedef struct example {
    int world, tuple[NLM_MAX_FACT_ARITY];
    bool positive;
    double weight;
} example;

typedef struct measure {
    nlm_comparison form; /* without order and number */
    int objects;
    bool whole;    /* all values are integers */
    buffer start;  /* size_t per world, and the end: its cases */
    buffer tuples; /* int */
    buffer values; /* double */
    size_t count;
    buffer conditions; /* uint8_t[condition_count][count] */
    int condition_count;
} measure;

typedef enum reach_kind { REACH_OWN, REACH_LINKED, REACH_WITH, REACH_ALL } reach_kind;

typedef struct reach {
    reach_kind kind;
    int place[2];             /* of the example's tuple */
    int predicate, direction; /* linked: place `direction` of the predicate holds the example's object */
} reach;

/* An example and a case within its reach. */
typedef struct within {
    double value;
    int example;
    size_t at; /* the case */
} within;

/* A predicate of arity 1 or 2 that conditions are made of: an input, or a comparison chosen before. */
typedef struct view_predicate {
    int arity, input; /* -1: a comparison, with its own facts */
    int chosen;       /* its number among those chosen; -1: an input */
    buffer start, tuples;
    size_t count;
} view_predicate;

/* What holds of one object A: predicate(A); or some Y with predicate(A, Y), or (Y, A), and perhaps inner(Y).
 */
typedef struct property {
    int predicate, direction, inner; /* inner -1: none */
} property;

enum { CONDITION_OBJECT, CONDITION_PAIR };

/* A property of object `place`, or a predicate of arity 2 of both, in one direction or the other. */
typedef struct condition {
    int kind, place, property; /* of a pair: the predicate */
} condition;

typedef struct threshold_view {
    const nlm_problem *problem;
    const nlm_world *const *labels; /* for each world one that has its labels, or NULL; NULL: the worlds */
    buffer examples;
    int example_count, example_objects; /* objects: the target's */
    buffer measures;
    int measure_count;
    buffer predicates;
    int predicate_count;
    buffer properties;
    int property_count;
    buffer conditions[3]; /* by the objects of measures */
    int condition_count[3];
    buffer reaches;
    int reach_count;
    buffer first;  /* int per world, and the end: its examples */
    buffer marked; /* work */
    nlm_error *error;
} threshold_view;

static inline measure *measure_at(const threshold_view *view, int number)
{
    return (measure *)view->measures.data + number;
}
static inline example *example_at(const threshold_view *view, int number)
{
    return (example *)view->examples.data + number;
}
static inline view_predicate *view_predicate_at(const threshold_view *view, int number)
{
    return (view_predicate *)view->predicates.data + number;
}
static inline const property *property_at(const threshold_view *view, int number)
{
    return (const property *)view->properties.data + number;
}
static inline const condition *condition_at(const threshold_view *view, int objects, int number)
{
    return (const condition *)view->conditions[objects].data + number;
}

/* Of a problem's numbers; to be freed, also after a failure. */
nlm_status threshold_view_open(threshold_view *view, const nlm_problem *problem,
                               const nlm_world *const *labels, nlm_error *error);
void threshold_view_free(threshold_view *view);
/* The examples of a target, and what is within their reach. */
nlm_status threshold_view_target(threshold_view *view, int target);
/* A comparison as a predicate that conditions may mention; `chosen` is its number for the caller. */
nlm_status threshold_view_add(threshold_view *view, const nlm_comparison *of, int chosen);
/* After the last predicate: which conditions there are, and of which cases each is true. */
nlm_status threshold_view_conditions(threshold_view *view);
/* The cases within reach, into a list of `within`; more than there is room for are none. */
nlm_status threshold_view_within(const threshold_view *view, const measure *of, const reach *by, buffer *list,
                                 size_t *count);

#endif
