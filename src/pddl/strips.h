/* What a PDDL domain and problem say: types, predicates, actions, objects, facts and a goal.
 *
 * Everything has a number.  Objects are the constants of the domain, then those of the problem.  A ground
 * atom is one number: the predicate in the highest byte, then 12 bits for each argument (an object's number +
 * 1), so that different atoms have different numbers, and none is 0. */
#ifndef PDDL_STRIPS_H
#define PDDL_STRIPS_H

#include <stdint.h>
#include "pddl/atom_set.h"
#include "pddl/pddl_tree.h"

enum {
    STRIPS_MOST_ARITY = 4,      /* of a predicate */
    STRIPS_MOST_PARAMETERS = 8, /* of an action */
    STRIPS_MOST_OBJECTS = 4000,
    STRIPS_MOST_ENTRIES = 250, /* predicates, types and actions */
    STRIPS_EQUAL = -1,         /* the predicate "=" */
    STRIPS_OBJECT = 0          /* the type of all */
};

struct strips_type {
    const char *name;
    int above; /* the type that it is one of; of object itself: object */
};

/* An object, a constant, or a parameter of an action. */
struct strips_object {
    const char *name;
    int type;
};

struct strips_predicate {
    const char *name;
    int arity;
    int type[STRIPS_MOST_ARITY];
};

/* Arguments are numbers of objects, or ~p for parameter number p. */
struct strips_literal {
    int predicate;
    bool negative;
    int argument[STRIPS_MOST_ARITY];
    size_t line;
};

/* With conditions: the effect happens only if they hold before the action. */
struct strips_effect {
    struct strips_literal literal;
    int first_condition, conditions;
};

struct strips_action {
    const char *name;
    int parameters;
    struct strips_object parameter[STRIPS_MOST_PARAMETERS];
    int first_condition, conditions; /* preconditions, among the domain's */
    int first_effect, effects;
};

/* A list that grows. */
struct strips_list {
    buffer items;
    int count;
};

/* A domain, and with it a problem.  Names point into the trees. */
struct nlm_pddl {
    struct pddl_tree domain_text, problem_text;
    const char *domain;         /* its name */
    struct strips_list types;   /* struct strips_type; the first is object */
    struct strips_list objects; /* struct strips_object */
    struct strips_list predicates, actions;
    struct strips_list conditions; /* struct strips_literal: of actions and of effects */
    struct strips_list effects;
    struct strips_list goal;  /* struct strips_literal, all ground */
    struct strips_list facts; /* struct strips_literal, all ground */
};

#define STRIPS_ITEM(kind, list, number) ((struct strips_##kind *)(list).items.data + (number))

/* Room for one item more of a list, which is then counted; NULL without memory. */
void *strips_add(struct strips_list *list, size_t size);
/* Numbers by name; -1 if there is none. */
int strips_find_type(const struct nlm_pddl *of, const char *name);
int strips_find_object(const struct nlm_pddl *of, const char *name);
int strips_find_predicate(const struct nlm_pddl *of, const char *name);
int strips_find_action(const struct nlm_pddl *of, const char *name);
/* Whether a type is another or below it. */
bool strips_is_a(const struct nlm_pddl *of, int type, int other);

/* ---- reading (strips_domain.c, strips_problem.c) ---- */

/* The list (define (KIND name) ...) of a file that has nothing else. */
nlm_status strips_find_define(const struct pddl_tree *tree, const char *kind, int *define, const char **name,
                              nlm_error *error);
/* Objects or constants, "a b - block c", of which `from` is the first node. */
nlm_status strips_read_objects(struct nlm_pddl *of, const struct pddl_tree *tree, int from, nlm_error *error);
/* An atom or (not atom); of an action, its variables are parameters, else (NULL) there are none. */
nlm_status strips_read_literal(struct nlm_pddl *of, const struct pddl_tree *tree, int node,
                               const struct strips_action *action, struct strips_literal *literal,
                               nlm_error *error);
/* A literal, (and ...) of them or (), added to a list. */
nlm_status strips_read_condition(struct nlm_pddl *of, const struct pddl_tree *tree, int node,
                                 const struct strips_action *action, struct strips_list *list,
                                 nlm_error *error);
nlm_status strips_read_domain(struct nlm_pddl *of, nlm_error *error);
nlm_status strips_read_problem(struct nlm_pddl *of, nlm_error *error);

/* ---- states (strips_state.c) ---- */

/* What an action has changed. */
struct strips_change {
    struct strips_list deleted, added; /* uint64_t */
};

/* "(on a b)", "(not (on a b))"; objects in place of the parameters, or NULL for a ground literal. */
enum { STRIPS_TEXT = 800 };
const char *strips_literal_text(const struct nlm_pddl *of, const struct strips_literal *literal,
                                const int *objects, char text[STRIPS_TEXT]);
/* "(stack a b)" */
const char *strips_action_text(const struct nlm_pddl *of, int action, const int *objects,
                               char text[STRIPS_TEXT]);

/* The state in the beginning. */
nlm_status strips_begin(const struct nlm_pddl *of, struct atom_set *state, nlm_error *error);
bool strips_holds(const struct nlm_pddl *of, const struct atom_set *state,
                  const struct strips_literal *literal, const int *objects);
/* The first literal of the goal that does not hold; NULL if all do. */
const struct strips_literal *strips_open_goal(const struct nlm_pddl *of, const struct atom_set *state);
/* The first precondition that does not hold; NULL if the action can be applied.  Objects have the right
 * types. */
const struct strips_literal *strips_open_condition(const struct nlm_pddl *of, const struct atom_set *state,
                                                   int action, const int *objects);
/* Apply an action that can be: what it deletes first, then what it adds.  `change` is cleared first. */
nlm_status strips_apply(const struct nlm_pddl *of, struct atom_set *state, int action, const int *objects,
                        struct strips_change *change, nlm_error *error);
/* Back to the state before. */
nlm_status strips_undo(struct atom_set *state, const struct strips_change *change, nlm_error *error);
void strips_change_release(struct strips_change *change);

#endif
