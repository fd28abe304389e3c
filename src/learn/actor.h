/* Actor: a machine that plays positions of a game, and learns from what it played.
 *
 * Several episodes are played side by side: their present positions are the worlds of one batch.  What an
 * episode does depends on its own random numbers and on the machine, not on its neighbours in the batch. */
#ifndef LEARN_ACTOR_H
#define LEARN_ACTOR_H

#include "base/memory.h"
#include "base/random.h"
#include "machine/evaluator.h"
#include "nlm/game.h"

/* Trace: the positions of an episode and the moves made in them.
 *
 * A greedy player makes the same move whenever it comes back to the same position, and so would go round in a
 * circle for ever.  With a trace it makes the most probable of the moves that it has not made there yet
 * (no_repeat), and turns away from moves made in other positions (penalty): few plans need the same move
 * again.
 *
 * Example with penalty 0.25: moves a, b, c have probabilities 0.7, 0.2, 0.1, and a was made once before, in
 * another position.  a counts 0.175, b 0.2: b is made.  Had a been made in this very position, no_repeat
 * would exclude it whatever its probability. */
struct trace {
    buffer steps; /* struct trace_step */
    int count;
    bool no_repeat; /* no move is made twice in a position */
    float penalty;  /* factor of a move's probability for each time that it was made; 1: none */
    bool returned;  /* a position came again */
};

/* A step of an episode: positions are compared by their keys (game_key), moves by their cells. */
struct trace_step {
    uint64_t key; /* of the position */
    size_t cell;  /* of the move */
};

void trace_release(struct trace *trace);
void trace_forget(struct trace *trace);
/* The move that counts as most probable, the first of several, of those that may be made; the most probable
 * of all when every one was made.  It is remembered. */
nlm_status trace_choose(struct trace *trace, const nlm_position *position, const float *probabilities,
                        size_t cells, size_t *cell);

/* One instance being played, with all that learning from it needs: the start, the moves, their probabilities
 * when they were made, and their advantages.  Positions in between are not stored; they are replayed from the
 * start.  The three arrays point into the stores, which grow to the longest episode so far. */
struct episode {
    nlm_position *start, *position;
    uint64_t stream;      /* its number among all episodes, or 0 ... */
    random_stream random; /* ... for choosing moves, and of the names that objects have before each */
    bool greedy;          /* the most probable move, the first of several, in place of a random one ... */
    bool avoids_repeats;  /* ... with less or no probability for moves made before: see `trace` */
    bool stuck;           /* greedy, may repeat, and its last move changed nothing: so would all others */
    struct trace trace;   /* the moves made before, if it avoids repeats */
    int *moves;           /* made so far, game->arity numbers each */
    buffer move_store;
    double *advantages; /* of each move, for learning */
    buffer advantage_store;
    float *probabilities; /* of the moves when they were made */
    buffer probability_store;
};

/* A machine at play.  The evaluator and all buffers are its own; the machine is shared, and stays as it is
 * while anyone plays.  `replayed` is scratch: a position that is moved along an episode once more. */
struct actor {
    nlm_machine *machine;
    const nlm_game *game;
    nlm_evaluator *evaluator;
    nlm_position *replayed;
    bool holds_episodes; /* the batch has the positions of the episodes that were learned from last */
    buffer probabilities;
    buffer actions, action_advantages, action_probabilities; /* of a batch being learned from */
};

/* Whether the machine reads the game's predicates and its first head scores moves. */
nlm_status actor_fits(const nlm_machine *machine, const nlm_game *game, nlm_error *error);

/* The machine and the game must outlive the actor. */
nlm_status actor_init(struct actor *actor, nlm_machine *machine, const nlm_game *game,
                      const nlm_options *options, nlm_error *error);
void actor_release(struct actor *actor);

nlm_status episode_init(struct episode *episode, const nlm_game *game, nlm_error *error);
void episode_release(struct episode *episode);
bool episode_over(const struct episode *episode);
int episode_moves(const struct episode *episode);
bool episode_solved(const struct episode *episode);
/* Begin at `start`, with random numbers of a stream. */
nlm_status episode_begin(struct episode *episode, uint64_t seed, uint64_t stream, nlm_error *error);

/* Moves as the cells of a dense array, [choices]^arity; how many cells there are, and the move of a cell. */
size_t actor_cells(const struct actor *actor, const nlm_position *position);
void actor_move_of(const struct actor *actor, const nlm_position *position, size_t cell, int *move);
/* The actor's batch, empty, for other positions. */
nlm_batch *actor_clear(struct actor *actor);
/* Fill actor->probabilities for one position: a number per cell, 0 for cells that are no move.  They hold
 * until the actor is used again. */
nlm_status actor_look(struct actor *actor, const nlm_position *position, nlm_error *error);

/* Play all episodes to their end.  In each round the batch has the positions of those that are not over yet,
 * so it gets smaller towards the end. */
nlm_status actor_play(struct actor *actor, struct episode *episodes, int count, nlm_error *error);

/* Gradients of the mean over all steps of -(advantage log p(move) + beta H(p)), in place of what was there.
 * `again`: not for the first time from these episodes.  Advantages are then weighted by how probable the
 * moves have become, and the positions and their structure are kept from the last time, if they are still
 * there. */
nlm_status actor_learn(struct actor *actor, const struct episode *episodes, int count, double beta,
                       bool again, nlm_policy_result *result, nlm_error *error);

#endif
