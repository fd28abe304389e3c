/* Instances of a game that a player has to solve in so many moves, and tests whether it does.
 *
 * A player chooses a move for a position: a machine by its scores (policy_player.h), a list of rules by the
 * first that holds.  Whoever changes a player a little, thousands of times, asks the set again each time.  So
 * the set keeps the moves by which each instance was solved last: a player is asked about all positions along
 * them at once, and plays on from the first where it chooses otherwise. */
#ifndef LEARN_POLICY_SET_H
#define LEARN_POLICY_SET_H

#include "base/memory.h"
#include "nlm/game.h"

struct policy_instance {
    uint64_t index; /* of nlm_position_draw */
    int objects;
    int moves; /* that it has to be solved in */
};

/* What chooses moves.  A cell is a move's number (learn/actor.h). */
struct policy_player {
    void *context;
    /* The cell of a position. */
    nlm_status (*choose)(void *context, const nlm_position *position, size_t *cell, nlm_error *error);
    /* The cells of all positions of case number `slot`, which are the same as long as `version` is. */
    nlm_status (*follow)(void *context, int slot, int version, nlm_position *const *positions, int count,
                         size_t *cells, nlm_error *error);
};

struct policy_case {
    struct policy_instance instance;
    int length, version;      /* of the way that solved it last; version 0: none yet */
    nlm_position **positions; /* along it, `length` of them */
    size_t *cells;            /* the moves in these */
};

struct policy_set {
    const nlm_game *game;
    uint64_t seed;
    buffer cases; /* struct policy_case */
    int count;
    buffer order;                   /* int: cases, the last to show a failure first */
    nlm_position *position, *start; /* scratch */
    buffer cells;                   /* size_t, scratch */
    buffer changed;                 /* size_t: ways of the present test, not yet kept */
    int changed_count;
    long moves; /* made in tests; for measuring */
};

nlm_status policy_set_init(struct policy_set *set, const nlm_game *game, uint64_t seed, nlm_error *error);
void policy_set_release(struct policy_set *set);
/* Another instance, first in order. */
nlm_status policy_set_add(struct policy_set *set, struct policy_instance instance, nlm_error *error);
static inline struct policy_case *policy_set_at(const struct policy_set *set, int slot)
{
    return (struct policy_case *)set->cases.data + slot;
}

/* Whether the player solves every instance in its number of moves.  It ends at the first that it does not. */
nlm_status policy_set_test(struct policy_set *set, const struct policy_player *player, bool *right,
                           nlm_error *error);

/* From a position to its end: the number of moves that solved it, those before included, or -1 if it was not
 * solved within its limit, or a move was illegal. */
nlm_status policy_play_on(const struct policy_player *player, nlm_position *position, int *moves,
                          nlm_error *error);
/* The same for an instance, played from its beginning in `position`, within `most` moves (0: the game's
 * limit). */
nlm_status policy_play(const struct policy_player *player, nlm_position *position, uint64_t seed,
                       struct policy_instance instance, int most, int *moves, nlm_error *error);
/* The move of a cell; cells are [choices]^arity. */
void policy_move_of(const nlm_position *position, size_t cell, int *move);
size_t policy_cells(const nlm_position *position);
/* Whether the cell is a move at all: not of the same number twice. */
static inline bool policy_is_move(const nlm_position *position, size_t cell)
{
    const size_t choices = (size_t)nlm_position_choices(position);
    return nlm_position_game(position)->arity < 2 || cell / choices != cell % choices;
}

#endif
