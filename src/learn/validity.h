/* Validity: a memory of legal and illegal moves, and the loss of predicting which is which.
 *
 * The latest pairs of a state and a move are kept, up to VALIDITY_MOST of each kind, at the largest size met
 * so far.  The paper has this auxiliary loss for the blocks world, where most random moves are illegal and
 * rewards alone teach little about it (docs/maths.md, section 8). */
#ifndef LEARN_VALIDITY_H
#define LEARN_VALIDITY_H

#include "learn/actor.h"

/* Legal and illegal; pairs kept of each; pairs learned from in each step of Adam. */
enum { VALIDITY_KINDS = 2, VALIDITY_MOST = 5000, VALIDITY_BATCH = 4 };

/* Two rings in one buffer.  Invariants: next == count until a ring is full; every pair is a position of the
 * game with `objects` objects, and a move in it. */
struct validity {
    int objects;               /* of all states in it; 0 when it is empty */
    int size;                  /* numbers per pair: the packed state, then the move */
    int count[VALIDITY_KINDS]; /* legal, illegal */
    int next[VALIDITY_KINDS];  /* where the next one goes */
    buffer pairs;              /* float [kind][VALIDITY_MOST][size] */
    nlm_position *position;    /* to unpack into */
};

nlm_status validity_init(struct validity *validity, const nlm_game *game, nlm_error *error);
void validity_release(struct validity *validity);
/* Room for pairs of a size; forgets the pairs so far. */
nlm_status validity_reset(struct validity *validity, int objects, nlm_error *error);

/* The pairs of a kind, count * size numbers. */
float *validity_pairs(const struct validity *validity, int kind);
/* Whether counts, places and pairs, which come from a file, are as validity_remember leaves them. */
nlm_status validity_check(struct validity *validity, nlm_error *error);

/* Remember the steps of an episode. */
nlm_status validity_remember(struct validity *validity, const struct actor *actor,
                             const struct episode *episode, nlm_error *error);
/* Add the gradient of `weight` times the mean cross-entropy of the machine's second head on a few pairs, half
 * of them legal where there are both kinds; presentation is the worlds' (nlm_batch_present). */
nlm_status validity_learn(struct validity *validity, struct actor *actor, random_stream *random,
                          double weight, uint64_t presentation, nlm_error *error);

#endif
