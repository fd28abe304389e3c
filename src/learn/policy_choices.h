/* What a trained agent holds to be good moves, as bits: rules are fitted to it (learn/policy_fit.h).
 *
 * A move is good in a position if the agent, greedy, needs no more moves after it than from the position
 * itself.  All other moves are bad, those that are not legal among them.
 *
 *     set of a position    a word: bit x is object x
 *     row (p, x)           a word for each object x of a position p: bit y is the pair (x, y)
 *
 * Unary inputs and moves of one number are words by position, binary inputs and moves of two numbers words
 * by row.  Invariant: rows of a position follow each other, in the order of its objects. */
#ifndef LEARN_POLICY_CHOICES_H
#define LEARN_POLICY_CHOICES_H

#include "learn/policy_teacher.h"

enum { CHOICE_OBJECTS = 64, CHOICE_INPUTS = 16 };

typedef struct choice_position {
    int first, objects; /* rows */
    uint64_t all;       /* its objects */
} choice_position;

typedef struct policy_choices {
    struct policy_teacher *teacher;
    int arity;     /* of a move */
    int inputs[2]; /* unary, and binary after them */
    int positions, rows;
    buffer position;                        /* choice_position */
    buffer owner;                           /* int, [rows]: the position */
    buffer facts[CHOICE_INPUTS], good, bad; /* uint64_t */
    long asked;                             /* moves that the teacher was asked about */
    nlm_world *world;
    nlm_position *at, *after; /* scratch */
} policy_choices;

/* NLM_BAD_ARGUMENT of a game whose positions are not of this kind. */
nlm_status policy_choices_init(policy_choices *choices, struct policy_teacher *teacher, nlm_error *error);
void policy_choices_release(policy_choices *choices);
/* All positions that a player comes to in an instance.  One that has too many objects is left out, and a
 * position from which the teacher does not come to the end. */
nlm_status policy_choices_add(policy_choices *choices, const struct policy_player *player,
                              struct policy_instance instance, nlm_error *error);

static inline const choice_position *choice_position_at(const policy_choices *choices, int position)
{
    return (const choice_position *)choices->position.data + position;
}
/* Words of moves, and the first of a position. */
static inline int choice_words(const policy_choices *choices)
{
    return choices->arity == 1 ? choices->positions : choices->rows;
}

#endif
