/* Games: tasks that are solved move by move.
 *
 *     nlm_game       the rules, and recipes to learn them: sort, path, blocks
 *     nlm_position   one instance being played: draw or read it, look at it, move
 *
 * A move is a tuple of `arity` numbers: sort swaps two slots, path goes to a node, blocks moves the first
 * block onto the second (0 is the ground).  A move that is not legal changes nothing, and counts.
 *
 * A game is a table of values and functions.  The library has three (nlm_game_at), and a program may pass in
 * its own: it fills in name, description, arity, inputs, predicates, least_objects, test_objects and the
 * functions below.  The table must outlive whatever was made with it.
 *
 * Tables are only read, so threads may share them; different positions are independent of each other, one
 * position belongs to one thread at a time. */
#ifndef NLM_GAME_H
#define NLM_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "nlm/pass.h"
#include "nlm/random.h"
#include "nlm/recipe.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_MAX_MOVE 2          /* numbers in a move */
#define NLM_REWARD_SOLVED 1.0   /* of the move that solves an instance */
#define NLM_REWARD_STEP (-0.01) /* of every other */

typedef struct nlm_game nlm_game;
struct nlm_game {
    const char *name;                /* "blocks" */
    const char *description;         /* what has to be done, in one line */
    int arity;                       /* of a move */
    bool twins;                      /* moves are scored by a head with twins (nlm_head_spec) */
    int inputs[NLM_MAX_BREADTH + 1]; /* predicates that a machine sees, per arity */
    const char *const *predicates;   /* their names, in rules: those of arity 0 first */
    int least_objects;               /* of an instance */

    bool tells_legal; /* legal moves can be predicted (setting validity) */

    const nlm_recipe *recipes; /* how to learn it: the paper's, and what our protocol changes in that */
    const char *baseline;      /* a simple strategy that agents are compared with, or NULL ... */
    const char *baseline_text; /* ... and what it does, in one line */
    int moves_of_models;       /* for each object, that tests allow models other than the machine */
    int test_objects[2];       /* sizes of the paper's tests ... */
    double test_moves[2];      /* ... and its mean number of moves there; all its tests succeed */
    double graduation;         /* the share of the paper's runs that graduated */

    /* ---- of a game of a program's own; the library's have NULL here ----
     *
     * A state is an array of ints, which the library copies, compares and remembers. */

    int (*state_size)(const nlm_game *game, int objects); /* ints */
    /* A random instance, all of it from `random`; false asks for another draw.  One that is solved already is
     * none. */
    bool (*draw)(const nlm_game *game, int *state, int objects, nlm_random *random, bool test);
    bool (*legal)(const nlm_game *game, const int *state, int objects, const int *move); /* NULL: all are */
    void (*move)(const nlm_game *game, int *state, int objects, const int *move);        /* a legal one */
    bool (*solved)(const nlm_game *game, const int *state, int objects);
    /* Of an instance: moves that may be made (NULL: twice the objects), and the least number that solves it,
     * or -1 (NULL: not known). */
    int (*limit)(const nlm_game *game, const int *state, int objects);
    int (*optimum)(const nlm_game *game, const int *state, int objects);
    /* What a machine sees: values[r] is [objects]^r x inputs[r], all 0, to be filled; tuples by number
     * (nlm/world.h).  Predicates have arity 1 or 2. */
    void (*see)(const nlm_game *game, const int *state, int objects, float *const *values);
    const void *context; /* for these functions */
};

/* The registry, and a game by name (NULL if there is none). */
int nlm_games(void);
const nlm_game *nlm_game_at(int index);
const nlm_game *nlm_game_find(const char *name);

/* ---- positions ---- */

typedef struct nlm_position nlm_position;

/* Nothing can be asked of a position before it was drawn, read or copied into. */
nlm_status nlm_position_new(const nlm_game *game, nlm_position **position, nlm_error *error);
void nlm_position_free(nlm_position *position);

/* The number of the first instance of tests: a run would have to draw as many to meet it. */
#define NLM_TEST_INSTANCES ((uint64_t)1 << 40)

/* Begin instance number `index` of a seed: always the same one, and never one that is solved already.
 * `test` draws as the paper's tests do: paths of 4 edges, in place of 1 to 5. */
nlm_status nlm_position_draw(nlm_position *position, uint64_t seed, uint64_t index, int objects, bool test,
                             nlm_error *error);
/* Begin the instance that a JSON text describes (docs/formats.md); `name` stands for it in messages.  An
 * instance that is solved already is none.  What fails leaves the position as it was. */
nlm_status nlm_position_read(nlm_position *position, const char *text, size_t length, const char *name,
                             nlm_error *error);
/* The same from a file, "-" for standard input. */
nlm_status nlm_position_read_file(nlm_position *position, const char *path, nlm_error *error);
/* The position as such a text, with the present state as the instance's.  It holds until the next call. */
nlm_status nlm_position_write(nlm_position *position, const char **text, nlm_error *error);
/* Make `to`, a position of the same game, the same as `from`. */
nlm_status nlm_position_copy(nlm_position *to, const nlm_position *from, nlm_error *error);

const nlm_game *nlm_position_game(const nlm_position *position);
int nlm_position_objects(const nlm_position *position);
/* Numbers that a move may consist of are below this: objects, and the ground of the blocks world. */
int nlm_position_choices(const nlm_position *position);
/* Whether the rules allow the move; false also for what is no move at all. */
bool nlm_position_legal(const nlm_position *position, const int *move);
/* Make a move.  The reward is 1 if it solves the instance and -0.01 if not.  A move of other numbers, or
 * after the end, is NLM_BAD_ARGUMENT. */
nlm_status nlm_position_move(nlm_position *position, const int *move, double *reward, nlm_error *error);

bool nlm_position_solved(const nlm_position *position);
/* Solved, or no move left. */
bool nlm_position_over(const nlm_position *position);
int nlm_position_moves(const nlm_position *position); /* made so far */
int nlm_position_limit(const nlm_position *position); /* that may be made */
/* Another limit than the game's, from 1 on; the next instance that is drawn or read has the game's again. */
void nlm_position_allow(nlm_position *position, int moves);
/* The least number of moves from the instance's beginning, or -1 where nobody knows it cheaply (blocks). */
int nlm_position_optimum(const nlm_position *position);

/* The number of moves of the game's baseline from here to the end; -1 if the game has none. */
int nlm_position_baseline(const nlm_position *position);

/* Add what a machine sees to a batch. */
nlm_status nlm_batch_add_position(nlm_batch *batch, const nlm_position *position, nlm_error *error);
/* The same as a world, in place of what it was: the objects are numbers, the predicates have the game's
 * names. */
nlm_status nlm_position_world(const nlm_position *position, nlm_world *world, nlm_error *error);

/* ---- what there is to see ---- */

/* sort: the number in a slot, 0..objects-1; the aim is slot i holding i. */
int nlm_sort_value(const nlm_position *position, int slot);

/* path: undirected edges, and where one is. */
bool nlm_path_edge(const nlm_position *position, int x, int y);
int nlm_path_start(const nlm_position *position);
int nlm_path_current(const nlm_position *position);
int nlm_path_target(const nlm_position *position);

/* blocks: what is under block 1..objects, 0 for the ground, in the operating world or in the target. */
int nlm_blocks_below(const nlm_position *position, bool target, int block);

#ifdef __cplusplus
}
#endif
#endif
