/* Games, inside the library: what each of them supplies.
 *
 * A position's state is one block of bytes whose layout is the game's own; copying a position copies it. */
#ifndef TASK_GAME_H
#define TASK_GAME_H

#include <jansson.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "nlm/scene.h"
#include "world/batch.h"

struct game_rules {
    nlm_game game;
    int most_objects;
    size_t (*state_size)(int objects);
    /* A random instance; false asks for another draw (solved already, or no such instance came out). */
    nlm_status (*draw)(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error);
    /* The number of objects of a JSON instance, and, with room for so many, its state. */
    nlm_status (*read_size)(const json_t *instance, const char *name, int *objects, nlm_error *error);
    nlm_status (*read)(nlm_position *position, const json_t *instance, const char *name, nlm_error *error);
    json_t *(*write)(const nlm_position *position); /* NULL when there is no memory */
    /* What follows from a new state: solved, limit, optimum. */
    void (*begin)(nlm_position *position);
    int (*baseline)(const nlm_position *position); /* NULL: the game has none */
    bool (*legal)(const nlm_position *position, const int *move);
    void (*move)(nlm_position *position, const int *move); /* a legal one; sets solved */
    int (*depth)(const nlm_position *position);            /* NULL: all instances of a size are as deep */
    /* The bytes in which positions of one episode differ; how many there are. */
    size_t (*changing)(const nlm_position *position, const void **bytes);
    /* States as numbers, where they have to be remembered; unpack does not trust them. */
    int (*packed_size)(int objects);
    void (*pack)(const nlm_position *position, float *packed);
    bool (*unpack)(nlm_position *position, const float *packed);
    void (*see)(const nlm_position *position, float *const *values);
    /* The position on an empty sheet, and a move in words (nlm/scene.h). */
    void (*show)(nlm_scene *scene, const nlm_position *position, const int *move, int rows, nlm_sheet *sheet);
    void (*move_text)(const int *move, char text[NLM_MOVE_TEXT]);
};

struct nlm_position {
    const struct game_rules *rules; /* of the library, or `own` */
    struct game_rules own;          /* of a game of a program's own */
    int objects;
    int moves, limit, optimum;
    bool solved;
    buffer state; /* state_bytes of it are in use */
    size_t state_bytes;
    nlm_world *world; /* where path grows its graphs */
    char *text;       /* of nlm_position_write */
};

extern const struct game_rules sort_rules, path_rules, blocks_rules;

/* ---- games of a program's own (own_game.c) ---- */

/* Whether the library has it, or it has functions of its own. */
bool game_is_known(const nlm_game *game);
/* Whether its table can be used. */
nlm_status own_game_check(const nlm_game *game, nlm_error *error);
/* The rules that call the table's functions. */
void own_game_rules(const nlm_game *game, struct game_rules *rules);
/* Bytes of a state. */
nlm_status own_game_size(const nlm_game *game, int objects, size_t *bytes, nlm_error *error);
/* What a machine sees of a position, as one more world of a batch. */
nlm_status own_game_add(nlm_batch *batch, const nlm_position *position, nlm_error *error);

/* ---- positions ---- */

/* A number that differs, in all likelihood, for different positions of one episode. */
uint64_t game_key(const nlm_position *position);

/* How deep an instance is: the height of the tallest tower of blocks; 0 in other games. */
int game_depth(const nlm_position *position);

/* Objects of the world that a machine sees of an instance. */
int game_machine_objects(const nlm_game *game, int objects);

/* A state as numbers, and a position from them; only blocks has this. */
int game_packed_size(const nlm_position *position, int objects);
void game_pack(const nlm_position *position, float *packed);
nlm_status game_unpack(nlm_position *position, int objects, const float *packed, nlm_error *error);

/* A whole number of a JSON object in low..high. */
nlm_status game_read_int(const json_t *value, const char *what, int low, int high, const char *name,
                         int *number, nlm_error *error);
/* The list with one item more; takes over both, and is NULL when either is or there is no memory. */
json_t *game_append(json_t *list, json_t *item);

#endif
