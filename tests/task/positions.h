/* What the tests of games share: positions made by hand or drawn, moves, and what a machine sees of them. */
#ifndef TESTS_TASK_POSITIONS_H
#define TESTS_TASK_POSITIONS_H

#include <math.h>
#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"
#include "world/batch.h"

static const double SUCCESS = 1.0, STEP = -0.01;

/* ---- positions ---- */

static inline const nlm_game *game_called(const char *name)
{
    const nlm_game *game = nlm_game_find(name);
    assert_non_null(game);
    return game;
}

static inline nlm_position *new_position(const char *game)
{
    nlm_position *position;
    CHECK(nlm_position_new(game_called(game), &position, &check_error));
    return position;
}

static inline void read_text(nlm_position *position, const char *text)
{
    CHECK(nlm_position_read(position, text, strlen(text), "hand", &check_error));
}

static inline nlm_position *position_of(const char *game, const char *text)
{
    nlm_position *position = new_position(game);
    read_text(position, text);
    return position;
}

static inline void draw(nlm_position *position, uint64_t seed, uint64_t index, int objects, bool test)
{
    CHECK(nlm_position_draw(position, seed, index, objects, test, &check_error));
}

static inline const char *written(nlm_position *position)
{
    const char *text;
    CHECK(nlm_position_write(position, &text, &check_error));
    assert_non_null(text);
    return text;
}

/* One line that says `part`. */
static inline void assert_said(const nlm_error *error, nlm_status status, const char *part)
{
    if (error->status != status)
        fail_msg("status %d instead of %d: %s", error->status, status, error->message);
    if (!strstr(error->message, part))
        fail_msg("\"%s\" does not say \"%s\"", error->message, part);
    for (const char *c = error->message; *c; c++)
        assert_true((unsigned char)*c >= ' ' && *c != 0x7F);
}

/* ---- moves ---- */

/* A move that must be possible, legal or not; returns the reward.  `second` is not read in games whose moves
 * are one number. */
static inline double move(nlm_position *position, int first, int second)
{
    double reward = NAN;
    const int numbers[NLM_MAX_MOVE] = {first, second}, before = nlm_position_moves(position);
    CHECK(nlm_position_move(position, numbers, &reward, &check_error));
    assert_int_equal(nlm_position_moves(position), before + 1);
    assert_true(reward == (nlm_position_solved(position) ? SUCCESS : STEP));
    assert_int_equal(nlm_position_over(position),
                     nlm_position_solved(position) || before + 1 == nlm_position_limit(position));
    return reward;
}

static inline bool is_legal(const nlm_position *position, int first, int second)
{
    return nlm_position_legal(position, (const int[NLM_MAX_MOVE]){first, second});
}

/* A legal move, made. */
static inline double move_legally(nlm_position *position, int first, int second)
{
    if (!is_legal(position, first, second))
        fail_msg("%s: (%d, %d) is not legal in %s", nlm_position_game(position)->name, first, second,
                 written(position));
    return move(position, first, second);
}

/* An illegal move, made: it counts, and changes nothing. */
static inline void move_in_vain(nlm_position *position, int first, int second)
{
    char *before = strdup(written(position));
    assert_non_null(before);
    assert_false(is_legal(position, first, second));
    assert_true(move(position, first, second) == STEP);
    assert_false(nlm_position_solved(position));
    assert_string_equal(written(position), before);
    free(before);
}

/* A move that is none is refused, and does not even count. */
static inline void assert_no_move(nlm_position *position, int first, int second, const char *cause)
{
    nlm_error error = {NLM_OK, ""};
    double reward = 7;
    const int numbers[NLM_MAX_MOVE] = {first, second}, moves = nlm_position_moves(position);
    char *before = strdup(written(position));
    assert_non_null(before);
    assert_int_equal(nlm_position_move(position, numbers, &reward, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, cause);
    assert_non_null(strstr(error.message, nlm_position_game(position)->name));
    assert_int_equal(nlm_position_move(position, numbers, NULL, NULL), NLM_BAD_ARGUMENT);
    assert_true(reward == 7);
    assert_int_equal(nlm_position_moves(position), moves);
    assert_string_equal(written(position), before);
    free(before);
}

static inline void move_at_random(nlm_position *position, random_stream *random)
{
    uint32_t choices = (uint32_t)nlm_position_choices(position);
    int first = (int)random_below(random, choices), second = (int)random_below(random, choices);
    move(position, first, second);
}

/* ---- what a machine sees ---- */

/* A position's definition: tensors[r] is [objects]^r x inputs[r], freed by free_view. */
typedef struct view {
    int objects;
    float *tensors[NLM_MAX_BREADTH + 1];
} view;

/* Tensors full of a number that no definition has, to be overwritten but for the diagonal. */
static inline view new_view(const nlm_game *game, int objects)
{
    view made = {.objects = objects};
    size_t cells = 1;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++, cells *= (size_t)objects) {
        if (game->inputs[r] == 0)
            continue;
        size_t count = cells * (size_t)game->inputs[r];
        made.tensors[r] = malloc(count * sizeof(float));
        assert_non_null(made.tensors[r]);
        for (size_t i = 0; i < count; i++)
            made.tensors[r][i] = 0.125f;
    }
    return made;
}

static inline void free_view(view *seen)
{
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        free(seen->tensors[r]);
}

/* How a game's positions are defined to look. */
typedef view define_view(const nlm_position *position);

/* The dense outputs of all worlds and arities of a machine on a batch; returns how many numbers. */
static inline size_t run_machine(nlm_machine *machine, const nlm_batch *batch, float *outputs)
{
    nlm_structure *structure;
    nlm_pass *pass;
    const nlm_options options = {.threads = 1};
    size_t count = 0;
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    CHECK(nlm_structure_build(structure, machine, batch, &options, &check_error));
    CHECK(nlm_pass_forward(pass, structure, false, &check_error));
    for (int world = 0; world < nlm_batch_worlds(batch); world++) {
        size_t cells = 1, objects = (size_t)nlm_batch_objects(batch, world);
        for (int r = 0; r <= 2; r++, cells *= objects) {
            CHECK(nlm_pass_output(pass, world, r, outputs + count, &check_error));
            count += cells * (size_t)nlm_machine_output_width(machine, r);
        }
    }
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    return count;
}

/* The two batches hold the same numbers, and a random machine computes the same from them. */
static inline void assert_same_batches(const nlm_game *game, const nlm_batch *seen, const nlm_batch *defined)
{
    enum { ROOM = 1 << 18 };
    static float outputs[2][ROOM];
    const nlm_spec spec = {.depth = 2,
                           .breadth = 2,
                           .inputs = {game->inputs[0], game->inputs[1], game->inputs[2]},
                           .width = 3,
                           .outputs = 7};
    nlm_machine *machine;
    assert_int_equal(nlm_batch_worlds(seen), nlm_batch_worlds(defined));
    for (int r = 0; r <= 2; r++) {
        size_t tuples = tuples_offset(&seen->tuples, nlm_batch_worlds(seen), r);
        size_t count = tuples * (size_t)batch_orders(r) * (size_t)game->inputs[r];
        assert_int_equal(tuples, tuples_offset(&defined->tuples, nlm_batch_worlds(seen), r));
        for (size_t i = 0; i < count; i++)
            if (((float *)seen->values[r].data)[i] != ((float *)defined->values[r].data)[i])
                fail_msg("%s: number %zu of arity %d is %g, not %g", game->name, i, r,
                         (double)((float *)seen->values[r].data)[i],
                         (double)((float *)defined->values[r].data)[i]);
    }
    CHECK(nlm_machine_new(&spec, NULL, 0, &machine, &check_error));
    nlm_machine_initialise(machine, 5);
    size_t count = run_machine(machine, seen, outputs[0]);
    assert_true(count <= ROOM);
    assert_int_equal(run_machine(machine, defined, outputs[1]), count);
    assert_memory_equal(outputs[0], outputs[1], count * sizeof(float));
    nlm_machine_free(machine);
}

/* Batches of several positions: as drawn, and after some moves. */
static inline void assert_seen_as_defined(const char *name, define_view *define, const int *sizes, int worlds)
{
    const nlm_game *game = game_called(name);
    nlm_position *position = new_position(name);
    random_stream random;
    nlm_batch *seen, *defined;
    random_start(&random, 11, 0);
    CHECK(nlm_batch_new(game->inputs, 2, &seen, &check_error));
    CHECK(nlm_batch_new(game->inputs, 2, &defined, &check_error));
    for (uint64_t round = 0; round < 20; round++) {
        nlm_batch_clear(seen);
        nlm_batch_clear(defined);
        for (int w = 0; w < worlds; w++) {
            draw(position, 3, round * (uint64_t)worlds + (uint64_t)w, sizes[w], false);
            for (uint64_t m = 0; m < round && !nlm_position_over(position); m++)
                move_at_random(position, &random);
            view by_definition = define(position);
            CHECK(nlm_batch_add_position(seen, position, &check_error));
            CHECK(nlm_batch_add_tensors(defined, by_definition.objects,
                                        (const float *const *)by_definition.tensors, &check_error));
            free_view(&by_definition);
        }
        assert_same_batches(game, seen, defined);
    }
    nlm_batch_free(seen);
    nlm_batch_free(defined);
    nlm_position_free(position);
}

/* ---- frequencies ---- */

/* Counts that come from these probabilities, or chi-square would be five deviations off its mean.  Seeds are
 * fixed: what passes once passes always. */
static inline void assert_frequencies(const char *what, const int *counts, const double *probabilities,
                                      int cells)
{
    double all = 0, sum = 0, chi = 0;
    for (int c = 0; c < cells; c++) {
        all += counts[c];
        sum += probabilities[c];
    }
    assert_true(fabs(sum - 1) < 1e-9);
    for (int c = 0; c < cells; c++) {
        double expected = all * probabilities[c];
        assert_true(expected >= 5);
        chi += (counts[c] - expected) * (counts[c] - expected) / expected;
    }
    double freedom = cells - 1;
    if (chi > freedom + 5 * sqrt(2 * freedom))
        fail_msg("%s: chi-square is %g with %g degrees of freedom", what, chi, freedom);
}

static inline void assert_uniform(const char *what, const int *counts, int cells)
{
    double probabilities[64];
    assert_true(cells > 1 && cells <= 64);
    for (int c = 0; c < cells; c++)
        probabilities[c] = 1.0 / cells;
    assert_frequencies(what, counts, probabilities, cells);
}

#endif
