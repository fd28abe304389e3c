/* Games: the registry, and what all positions have in common: life, copies, drawing, texts and batches. */
#include "positions.h"

#include <jansson.h>

static const char *const names[] = {"sort", "path", "blocks"};
static const int most_objects[] = {2000, 1000, 1000};
enum { GAMES = COUNT(names) };

/* ---- the registry ---- */

static void games_are_found_by_number_and_name(void **state)
{
    (void)state;
    assert_int_equal(nlm_games(), GAMES);
    for (int g = 0; g < GAMES; g++) {
        assert_string_equal(nlm_game_at(g)->name, names[g]);
        assert_ptr_equal(nlm_game_find(names[g]), nlm_game_at(g));
        assert_true(strlen(nlm_game_at(g)->description) > 10);
    }
    assert_null(nlm_game_at(-1));
    assert_null(nlm_game_at(GAMES));
    assert_null(nlm_game_find("chess"));
    assert_null(nlm_game_find(""));
    assert_null(nlm_game_find(NULL));
}

/* The paper's tables, written out a second time; its settings are in tests/learn/test_course.c. */
static void games_have_the_papers_results(void **state)
{
    (void)state;
    static const struct {
        int arity, inputs[3], moves[2];
        double graduation;
    } paper[GAMES] = {
        {2, {0, 0, 6}, {8, 45}, 1.0},
        {1, {0, 2, 2}, {4, 4}, 0.6},
        {2, {0, 0, 12}, {12, 84}, 0.4},
    };
    for (int g = 0; g < GAMES; g++) {
        const nlm_game *game = nlm_game_at(g);
        assert_int_equal(game->arity, paper[g].arity);
        assert_int_equal(game->twins, g == 2);
        for (int r = 0; r <= NLM_MAX_BREADTH; r++)
            assert_int_equal(game->inputs[r], r <= 2 ? paper[g].inputs[r] : 0);
        assert_int_equal(game->least_objects, 2);
        assert_true(game->test_objects[0] == 10 && game->test_objects[1] == 50);
        assert_true(game->test_moves[0] == paper[g].moves[0] && game->test_moves[1] == paper[g].moves[1]);
        assert_true(game->graduation == paper[g].graduation && game->tells_legal == (g == 2));
    }
}

static void positions_of_no_game_are_refused(void **state)
{
    (void)state;
    const nlm_game unknown = {.name = "chess"}, nameless = {0};
    nlm_position *position = (nlm_position *)state;
    nlm_error error;
    assert_int_equal(nlm_position_new(&unknown, &position, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "there is no game 'chess'");
    assert_null(position);
    assert_int_equal(nlm_position_new(&nameless, &position, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_position_new(NULL, &position, &error), NLM_BAD_ARGUMENT);
    assert_null(position);
    nlm_position_free(NULL);
}

/* ---- positions without an instance ---- */

static void assert_empty(nlm_position *position)
{
    nlm_error error;
    const int zeros[NLM_MAX_MOVE] = {0, 0};
    const char *text = names[0];
    nlm_batch *batch;
    const nlm_game *game = nlm_position_game(position);
    assert_int_equal(nlm_position_objects(position), 0);
    assert_false(nlm_position_legal(position, zeros));
    assert_int_equal(nlm_position_move(position, zeros, NULL, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "no such move");
    assert_int_equal(nlm_position_write(position, &text, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "the position has no instance yet");
    assert_null(text);
    CHECK(nlm_batch_new(game->inputs, 2, &batch, &check_error));
    assert_int_equal(nlm_batch_add_position(batch, position, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "the position has no instance yet");
    assert_int_equal(nlm_batch_worlds(batch), 0);
    nlm_batch_free(batch);
}

static void nothing_can_be_done_without_an_instance(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]), *copy = new_position(names[g]);
        assert_ptr_equal(nlm_position_game(position), nlm_game_at(g));
        assert_empty(position);
        assert_true(nlm_position_over(position));
        draw(copy, 1, 1, 5, false);
        CHECK(nlm_position_copy(copy, position, &check_error)); /* the same as it: nothing */
        assert_empty(copy);
        draw(copy, 1, 1, 5, false);
        assert_int_equal(nlm_position_objects(copy), 5);
        nlm_position_free(position);
        nlm_position_free(copy);
    }
}

/* ---- copies ---- */

static void assert_same_position(nlm_position *a, nlm_position *b)
{
    assert_string_equal(written(a), written(b));
    assert_int_equal(nlm_position_objects(a), nlm_position_objects(b));
    assert_int_equal(nlm_position_moves(a), nlm_position_moves(b));
    assert_int_equal(nlm_position_limit(a), nlm_position_limit(b));
    assert_int_equal(nlm_position_optimum(a), nlm_position_optimum(b));
    assert_int_equal(nlm_position_solved(a), nlm_position_solved(b));
    assert_int_equal(nlm_position_over(a), nlm_position_over(b));
    assert_int_equal(nlm_path_start(a), nlm_path_start(b));
    for (int i = 0; i < nlm_position_choices(a); i++)
        for (int j = 0; j < nlm_position_choices(a); j++)
            assert_int_equal(is_legal(a, i, j), is_legal(b, i, j));
}

/* Smaller, larger and equal to what was there; then each goes its own way. */
static void copies_are_the_same_and_then_independent(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 1, 1);
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]), *copy = new_position(names[g]);
        for (uint64_t index = 0; index < 60; index++) {
            draw(position, 2, index, 2 + (int)(index * 7 % 15), false);
            for (uint64_t m = 0; m < index % 5 && !nlm_position_over(position); m++)
                move_at_random(position, &random);
            CHECK(nlm_position_copy(copy, position, &check_error));
            assert_same_position(copy, position);
            char *before = strdup(written(position));
            int moves = nlm_position_moves(position);
            while (!nlm_position_over(copy))
                move_at_random(copy, &random);
            assert_string_equal(written(position), before);
            assert_int_equal(nlm_position_moves(position), moves);
            free(before);
        }
        nlm_position_free(position);
        assert_true(nlm_position_objects(copy) > 0 && strlen(written(copy)) > 0);
        nlm_position_free(copy);
    }
}

static void a_position_is_copied_to_itself(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks");
    draw(position, 2, 3, 5, false);
    char *before = strdup(written(position));
    CHECK(nlm_position_copy(position, position, &check_error));
    assert_string_equal(written(position), before);
    free(before);
    nlm_position_free(position);
}

static void games_cannot_be_copied_to_each_other(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *from = new_position(names[g]), *to = new_position(names[(g + 1) % GAMES]);
        nlm_error error;
        draw(from, 1, 1, 4, false);
        draw(to, 1, 2, 7, false);
        char *before = strdup(written(to));
        assert_int_equal(nlm_position_copy(to, from, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, names[g]);
        assert_string_equal(written(to), before);
        free(before);
        nlm_position_free(from);
        nlm_position_free(to);
    }
}

/* ---- drawing ---- */

static void an_instance_depends_on_its_number_alone(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *one = new_position(names[g]), *other = new_position(names[g]);
        for (uint64_t index = 0; index < 40; index++) {
            const int m = 5 + (int)index % 20;
            const uint64_t far = index % 3 ? index : index << 40;
            draw(one, 17, far, m, index % 2);
            draw(other, index, 5, 4, false); /* what was there before does not matter */
            draw(other, 17, far, m, index % 2);
            assert_same_position(one, other);
            assert_int_equal(nlm_position_moves(one), 0);
        }
        nlm_position_free(one);
        nlm_position_free(other);
    }
}

/* All of them different, by index and by seed. */
static void other_numbers_give_other_instances(void **state)
{
    (void)state;
    enum { INSTANCES = 60 };
    for (int g = 0; g < GAMES; g++) {
        char *texts[INSTANCES];
        nlm_position *position = new_position(names[g]);
        for (uint64_t i = 0; i < INSTANCES; i++) {
            draw(position, i < 40 ? 1 : i, i < 20 ? i : i < 40 ? i << 40 : 1, 12, false);
            texts[i] = strdup(written(position));
            for (uint64_t j = 0; j < i; j++)
                if (!strcmp(texts[i], texts[j]))
                    fail_msg("%s: instances %d and %d are the same", names[g], (int)i, (int)j);
        }
        for (int i = 0; i < INSTANCES; i++)
            free(texts[i]);
        nlm_position_free(position);
    }
}

static void no_instance_is_solved_at_the_beginning(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        for (int m = 2; m <= 6; m++)
            for (uint64_t index = 0; index < 500; index++) {
                draw(position, 18, index, m, false);
                assert_false(nlm_position_solved(position) || nlm_position_over(position));
                assert_int_equal(nlm_position_moves(position), 0);
                assert_int_equal(nlm_position_objects(position), m);
            }
        nlm_position_free(position);
    }
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        const int sizes[] = {0, 1, -1, INT32_MIN, most_objects[g] + 1, INT32_MAX};
        nlm_position *position = new_position(names[g]);
        for (size_t s = 0; s < COUNT(sizes); s++) {
            char cause[128];
            nlm_error error;
            snprintf(cause, sizeof cause, "%s: an instance has 2 to %d objects, not %d", names[g],
                     most_objects[g], sizes[s]);
            assert_int_equal(nlm_position_draw(position, 1, 1, sizes[s], false, &error), NLM_BAD_ARGUMENT);
            assert_said(&error, NLM_BAD_ARGUMENT, cause);
            assert_int_equal(nlm_position_draw(position, 1, 1, sizes[s], true, NULL), NLM_BAD_ARGUMENT);
        }
        draw(position, 1, 1, 2, false);
        nlm_position_free(position);
    }
}

static void the_largest_instances_can_be_had(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g += 2) { /* the search for a path among so many nodes takes seconds */
        nlm_position *position = new_position(names[g]), *copy = new_position(names[g]);
        draw(position, 1, 1, most_objects[g], false);
        read_text(copy, written(position));
        assert_string_equal(written(copy), written(position));
        nlm_position_free(position);
        nlm_position_free(copy);
    }
}

/* ---- texts ---- */

/* What is written of an episode at any time reads as the same state, without its history. */
static void texts_survive_being_read(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 2, 2);
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]), *read = new_position(names[g]);
        for (uint64_t index = 0; index < 200; index++) {
            draw(position, 4, index, 2 + (int)(index % 14), false);
            for (;;) {
                read_text(read, written(position));
                assert_string_equal(written(read), written(position));
                assert_int_equal(nlm_position_moves(read), 0);
                assert_int_equal(nlm_path_current(read), nlm_path_current(position));
                if (g != 1) /* what is left of a path has a limit of its own */
                    assert_int_equal(nlm_position_limit(read), nlm_position_limit(position));
                move_at_random(position, &random);
                if (nlm_position_over(position))
                    break;
            }
        }
        nlm_position_free(position);
        nlm_position_free(read);
    }
}

/* Other keys of an episode, and of the instance in it, do not matter. */
static void an_episode_holds_its_instance(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        char text[4096];
        nlm_position *position = new_position(names[g]), *read = new_position(names[g]);
        draw(position, 5, 1, 9, false);
        snprintf(text, sizeof text, "{\"moves\": [[0, 1]], \"task\": 7, \"instance\": %s, \"array\": \"no\"}",
                 written(position));
        read_text(read, text);
        assert_string_equal(written(read), written(position));
        nlm_position_free(position);
        nlm_position_free(read);
    }
}

/* A text is JSON with the task's name, and holds until the next one is written. */
static void texts_say_what_they_are(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 5, 2, 6, false);
        const char *text = written(position);
        char *before = strdup(text);
        json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_string_equal(json_string_value(json_object_get(json, "task")), names[g]);
        json_decref(json);
        assert_null(strchr(text, '\n'));
        draw(position, 5, 3, 6, false);
        assert_string_equal(text, before);
        free(before);
        nlm_position_free(position);
    }
}

/* The task first, edges and towers in order, whatever the order they were read in. */
static void texts_are_these(void **state)
{
    (void)state;
    static const struct {
        const char *read, *written;
    } texts[GAMES] = {
        {"{\"array\": [2, 0, 1]}", "{\"task\": \"sort\", \"array\": [2, 0, 1]}"},
        {"{\"start\": 2, \"target\": 0, \"edges\": [[3, 1], [2, 1], [1, 2], [0, 3]], \"nodes\": 4}",
         "{\"task\": \"path\", \"nodes\": 4, \"edges\": [[0, 3], [1, 2], [1, 3]], \"start\": 2, \"target\": "
         "0}"},
        {"{\"target\": [[3, 1], [4, 2]], \"start\": [[3], [1, 2], [], [4]]}",
         "{\"task\": \"blocks\", \"start\": [[1, 2], [3], [4]], \"target\": [[3, 1], [4, 2]]}"},
    };
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = position_of(names[g], texts[g].read);
        assert_string_equal(written(position), texts[g].written);
        read_text(position, texts[g].written);
        assert_string_equal(written(position), texts[g].written);
        nlm_position_free(position);
    }
}

/* ---- batches ---- */

static void a_batch_of_other_inputs_is_refused(void **state)
{
    (void)state;
    static const int inputs[][NLM_MAX_BREADTH + 1] = {{0, 0, 5}, {0, 1, 6}, {1, 2, 2}, {0, 2, 2, 1}, {0}};
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 1, 1, 4, false);
        for (size_t i = 0; i < COUNT(inputs); i++) {
            nlm_batch *batch;
            nlm_error error;
            CHECK(nlm_batch_new(inputs[i], 3, &batch, &check_error));
            assert_int_equal(nlm_batch_add_position(batch, position, &error), NLM_BAD_SHAPE);
            assert_said(&error, NLM_BAD_SHAPE, "the machine reads ");
            assert_non_null(strstr(error.message, names[g]));
            assert_int_equal(nlm_batch_worlds(batch), 0);
            nlm_batch_free(batch);
        }
        nlm_position_free(position);
    }
}

/* Between other worlds, and in a machine of larger breadth. */
static void positions_are_worlds_among_others(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        nlm_batch *batch;
        draw(position, 1, 1, 4, false);
        const int objects = g == 2 ? 10 : 4;
        CHECK(nlm_batch_new(nlm_game_at(g)->inputs, 3, &batch, &check_error));
        for (int w = 0; w < 3; w++) {
            CHECK(nlm_batch_add_position(batch, position, &check_error));
            assert_int_equal(nlm_batch_worlds(batch), w + 1);
            assert_int_equal(nlm_batch_objects(batch, w), objects);
        }
        nlm_batch_free(batch);
        nlm_position_free(position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_found_by_number_and_name),
        cmocka_unit_test(games_have_the_papers_results),
        cmocka_unit_test(positions_of_no_game_are_refused),
        cmocka_unit_test(nothing_can_be_done_without_an_instance),
        cmocka_unit_test(copies_are_the_same_and_then_independent),
        cmocka_unit_test(a_position_is_copied_to_itself),
        cmocka_unit_test(games_cannot_be_copied_to_each_other),
        cmocka_unit_test(an_instance_depends_on_its_number_alone),
        cmocka_unit_test(other_numbers_give_other_instances),
        cmocka_unit_test(no_instance_is_solved_at_the_beginning),
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(the_largest_instances_can_be_had),
        cmocka_unit_test(texts_survive_being_read),
        cmocka_unit_test(an_episode_holds_its_instance),
        cmocka_unit_test(texts_say_what_they_are),
        cmocka_unit_test(texts_are_these),
        cmocka_unit_test(a_batch_of_other_inputs_is_refused),
        cmocka_unit_test(positions_are_worlds_among_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
