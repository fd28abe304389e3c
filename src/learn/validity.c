/* Validity: a memory of state-move pairs, legal and illegal, and learning from a few of them.
 *
 * Each kind is a ring of VALIDITY_MOST pairs: the oldest is overwritten.  All states have the same number of
 * objects, the largest met so far; when a larger one comes, the memory starts anew.
 *
 * Layout of a pair: the packed state (game_pack), then NLM_MAX_MOVE numbers of the move, all floats, so that
 * a checkpoint can store both rings as tensors.
 *
 * Example: 3 blocks, the first on the second, to be moved to the ground; in the target all stand on the
 * ground. Below 1, 2, 3 are 2, 0, 0; in the target 0, 0, 0; the move is (1, 0): 2 0 0 0 0 0 1 0.
 *
 * The loss is 0.1 times the mean over four pairs of -log p where a move is legal and -log(1 - p) where it is
 * not, p being the sigmoid of the second head's logit for that move. */
#include "learn/validity.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "task/game.h"

/* The two rings, in the order of memory and of files. */
enum { LEGAL, ILLEGAL };

/* No memory of pairs is taken before the first is remembered; a run without this loss never takes any. */
nlm_status validity_init(struct validity *validity, const nlm_game *game, nlm_error *error)
{
    *validity = (struct validity){0};
    return nlm_position_new(game, &validity->position, error);
}

void validity_release(struct validity *validity)
{
    nlm_position_free(validity->position);
    buffer_free(&validity->pairs);
    *validity = (struct validity){0};
}

/* Room for full rings of both kinds at once, so remembering allocates only when a larger size comes. */
nlm_status validity_reset(struct validity *validity, int objects, nlm_error *error)
{
    const int size = game_packed_size(validity->position, objects) + NLM_MAX_MOVE;
    validity->objects = 0;
    if (buffer_reserve(&validity->pairs, (size_t)VALIDITY_KINDS * VALIDITY_MOST * (size_t)size, sizeof(float),
                       false))
        return error_no_memory(error);
    validity->objects = objects;
    validity->size = size;
    for (int kind = 0; kind < VALIDITY_KINDS; kind++)
        validity->count[kind] = validity->next[kind] = 0;
    return NLM_OK;
}

/* Pair `index` of a kind: the packed state, then the move. */
static float *pair_at(const struct validity *validity, int kind, int index)
{
    return (float *)validity->pairs.data +
           ((size_t)kind * VALIDITY_MOST + (size_t)index) * (size_t)validity->size;
}

float *validity_pairs(const struct validity *validity, int kind)
{
    return pair_at(validity, kind, 0);
}

/* Numbers from a file: whole, in range, and two different objects. */
static bool is_move(const struct validity *validity, const float *move)
{
    for (int k = 0; k < NLM_MAX_MOVE; k++)
        if (!(move[k] >= 0 && move[k] <= (float)validity->objects) || move[k] != floorf(move[k]))
            return false;
    return move[0] != move[1];
}

/* A file could claim anything: each pair must be a position of the game and a move in it.  All are tried
 * once, when a checkpoint is read, so that a bad one is reported with the name of the file. */
nlm_status validity_check(struct validity *validity, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int kind = 0; kind < VALIDITY_KINDS; kind++) {
        const int count = validity->count[kind];
        /* until a ring is full, the next place is the one after the last pair */
        if (count < VALIDITY_MOST && validity->next[kind] != count)
            return error_set(error, NLM_BAD_FILE, "the next of %d pairs cannot be number %d", count,
                             validity->next[kind]);
        for (int i = 0; i < count && !status; i++) {
            const float *pair = pair_at(validity, kind, i);
            if (!is_move(validity, pair + validity->size - NLM_MAX_MOVE))
                return error_set(error, NLM_BAD_FILE, "numbers that are no move");
            status = game_unpack(validity->position, validity->objects, pair, error);
        }
    }
    return status;
}

/* The episode is replayed from its start; smaller states than those in memory are not kept. */
nlm_status validity_remember(struct validity *validity, const struct actor *actor,
                             const struct episode *episode, nlm_error *error)
{
    const int objects = nlm_position_objects(episode->start);
    if (objects < validity->objects)
        return NLM_OK;
    nlm_status status = objects > validity->objects ? validity_reset(validity, objects, error) : NLM_OK;
    if (!status)
        status = nlm_position_copy(actor->replayed, episode->start, error);
    for (int t = 0; t < episode_moves(episode) && !status; t++) {
        const int *move = episode->moves + (size_t)t * (size_t)actor->game->arity;
        /* the rules decide whether a move is legal, not its effect */
        const int kind = nlm_position_legal(actor->replayed, move) ? LEGAL : ILLEGAL;
        float *pair = pair_at(validity, kind, validity->next[kind]);
        game_pack(actor->replayed, pair);
        for (int k = 0; k < NLM_MAX_MOVE; k++)
            pair[validity->size - NLM_MAX_MOVE + k] = (float)move[k];
        validity->next[kind] = (validity->next[kind] + 1) % VALIDITY_MOST;
        validity->count[kind] += validity->count[kind] < VALIDITY_MOST;
        status = nlm_position_move(actor->replayed, move, NULL, error);
    }
    return status;
}

/* The gradient of the cross-entropy of one pair, the only one of its world. */
static nlm_status add_gradient(struct actor *actor, int world, int kind, const int *move, size_t choices,
                               double weight, nlm_error *error)
{
    /* a dense array over all moves, of which one gets a gradient */
    const size_t cells = choices * choices;
    const size_t cell = (size_t)move[0] * choices + (size_t)move[1];
    if (buffer_reserve(&actor->probabilities, cells, sizeof(float), false))
        return error_no_memory(error);
    float *values = actor->probabilities.data;
    nlm_status status = nlm_pass_logits(actor->evaluator->pass, world, 1, values, error);
    if (status)
        return status;
    /* cross-entropy of one logit: its gradient is p - [legal] */
    const double probability = 1 / (1 + exp(-(double)values[cell]));
    memset(values, 0, cells * sizeof *values);
    values[cell] = (float)(weight * (probability - (kind == LEGAL)));
    return nlm_pass_add_logit_gradient(actor->evaluator->pass, world, 1, values, error);
}

/* Pairs are the worlds of a batch of their own, kinds in turn; if one kind is empty the other takes its
 * place.  Gradients are added to those of the policy, which actor_learn has just computed: one step of Adam
 * follows both. */
nlm_status validity_learn(struct validity *validity, struct actor *actor, random_stream *random,
                          double weight, uint64_t presentation, nlm_error *error)
{
    int kinds[VALIDITY_BATCH], moves[VALIDITY_BATCH][NLM_MAX_MOVE];
    nlm_status status = NLM_OK;
    nlm_batch *batch = actor_clear(actor);
    for (int b = 0; b < VALIDITY_BATCH && !status; b++) {
        /* half of the pairs legal, where there are both kinds */
        kinds[b] = b % VALIDITY_KINDS;
        if (validity->count[kinds[b]] == 0)
            kinds[b] = !kinds[b];
        if (validity->count[kinds[b]] == 0)
            return NLM_OK;
        const int index = (int)random_below(random, (uint32_t)validity->count[kinds[b]]);
        const float *pair = pair_at(validity, kinds[b], index);
        for (int k = 0; k < NLM_MAX_MOVE; k++)
            moves[b][k] = (int)pair[validity->size - NLM_MAX_MOVE + k];
        status = game_unpack(validity->position, validity->objects, pair, error);
        if (!status)
            status = nlm_batch_add_position(batch, validity->position, error);
        nlm_batch_present(batch, b, presentation);
    }
    if (!status)
        status = nlm_evaluator_run(actor->evaluator, true, error);
    /* blocks, and the ground */
    const size_t choices = (size_t)validity->objects + 1;
    for (int b = 0; b < VALIDITY_BATCH && !status; b++)
        status = add_gradient(actor, b, kinds[b], moves[b], choices, weight / VALIDITY_BATCH, error);
    return status ? status : nlm_pass_backward(actor->evaluator->pass, error);
}
