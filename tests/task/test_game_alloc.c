/* Memory of positions: every allocation in turn fails, the call says so, and can be tried again; a loop over
 * sizes that have been seen allocates nothing. */
#include "failing_malloc.h"
#include "positions.h"

static const char *const names[] = {"sort", "path", "blocks"};
enum { GAMES = COUNT(names), SMALL = 5, LARGE = 40 };

/* What an instance is: its text, which a failure may not have changed. */
static char *text_of(nlm_position *position)
{
    char *text = strdup(written(position));
    assert_non_null(text);
    return text;
}

static void assert_text(nlm_position *position, const char *text)
{
    assert_string_equal(written(position), text);
}

/* The status of a call during which allocation `number` fails. */
#define FAILING(number, status, call)                                                                        \
    do {                                                                                                     \
        nlm_error error = {NLM_OK, ""};                                                                      \
        fail_allocation(number);                                                                             \
        status = call;                                                                                       \
        const bool failed = allocation_failed();                                                             \
        fail_allocation(-1);                                                                                 \
        if (status != (failed ? NLM_NO_MEMORY : NLM_OK))                                                     \
            fail_msg("%s: allocation %d: status %d, %s", #call, number, status, error.message);              \
        assert_int_equal(error.status, status);                                                              \
        assert_true(!status || (error.message[0] && !strchr(error.message, '\n')));                          \
    } while (0)

static void a_new_position_may_not_be_had(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = NULL;
        nlm_status status = NLM_NO_MEMORY;
        for (int number = 0; status; number++) {
            position = (nlm_position *)state;
            FAILING(number, status, nlm_position_new(nlm_game_at(g), &position, &error));
            assert_true((position == NULL) == (status != NLM_OK));
        }
        nlm_position_free(position);
    }
}

/* Without an instance, and with a smaller one. */
static void drawing_survives_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int before = 0; before < 2; before++) {
            nlm_position *expected = new_position(names[g]);
            int number = 0;
            draw(expected, 1, 2, LARGE, true);
            for (nlm_status status = NLM_NO_MEMORY; status; number++) {
                nlm_position *position = new_position(names[g]);
                if (before)
                    draw(position, 1, 1, SMALL, true);
                FAILING(number, status, nlm_position_draw(position, 1, 2, LARGE, true, &error));
                if (status)
                    draw(position, 1, 2, LARGE, true);
                assert_text(position, written(expected));
                nlm_position_free(position);
            }
            assert_true(number > (g == 1 ? 5 : 1));
            nlm_position_free(expected);
        }
}

/* A position that could not be read is still what it was, in the middle of its episode.  Jansson does not
 * always tell why it failed, so the status may, but for the first and most others, be another where it is the
 * one without memory. */
static int read_with_failures(nlm_position *position, const char *new, bool jansson_too)
{
    char *old = text_of(position);
    const int moves = nlm_position_moves(position), objects = nlm_position_objects(position);
    int number = 0, mistaken = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        if (jansson_too) {
            fail_allocation(number);
            status = nlm_position_read(position, new, strlen(new), "text", NULL);
            assert_int_equal(status != NLM_OK, allocation_failed());
            fail_allocation(-1);
            assert_true(!status || status == NLM_NO_MEMORY || (status == NLM_BAD_FILE && number > 0));
            mistaken += status == NLM_BAD_FILE;
        } else {
            FAILING(number, status, nlm_position_read(position, new, strlen(new), "text", &error));
        }
        assert_text(position, status ? old : new);
        assert_int_equal(nlm_position_moves(position), status ? moves : 0);
        assert_true(!status || nlm_position_objects(position) == objects);
    }
    assert_true(mistaken < 6);
    free(old);
    return number;
}

static void reading_survives_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int objects = SMALL; objects <= LARGE; objects += LARGE - SMALL) {
            nlm_position *source = new_position(names[g]), *position = new_position(names[g]);
            draw(source, 3, 1, objects, true);
            for (int jansson_too = 0; jansson_too < 2; jansson_too++) {
                draw(position, 3, 2, 12, true);
                move(position, 1, 2);
                json_set_alloc_funcs(jansson_too ? jansson_malloc : __real_malloc, free);
                int tries = read_with_failures(position, written(source), jansson_too);
                fail_jansson_too();
                assert_true(tries > (jansson_too ? 5 : 2));
            }
            nlm_position_free(source);
            nlm_position_free(position);
        }
}

/* Whether the text is whole is known from the text that was written without a failure. */
static void writing_survives_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 4, 1, 12, true);
        char *expected = text_of(position);
        int number = 0;
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            const char *text = expected;
            FAILING(number, status, nlm_position_write(position, &text, &error));
            if (status)
                assert_null(text);
            else
                assert_string_equal(text, expected);
            assert_int_equal(nlm_position_objects(position), 12);
        }
        assert_true(number > 5); /* of 32 bits, more of Jansson's blocks have sizes that never fail */
        free(expected);
        nlm_position_free(position);
    }
}

static void copying_survives_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *from = new_position(names[g]);
        draw(from, 5, 1, LARGE, true);
        move(from, 1, 0);
        char *old, *new = text_of(from);
        int number = 0;
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_position *to = new_position(names[g]);
            draw(to, 5, 2, SMALL, true);
            old = text_of(to);
            FAILING(number, status, nlm_position_copy(to, from, &error));
            assert_text(to, status ? old : new);
            assert_int_equal(nlm_position_moves(to), status ? 0 : 1);
            assert_text(from, new);
            free(old);
            nlm_position_free(to);
        }
        assert_int_equal(number, 2);
        free(new);
        nlm_position_free(from);
    }
}

/* A batch without a position is as it was, and takes it at the second try. */
static void batches_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        const nlm_game *game = game_called(names[g]);
        nlm_position *small = new_position(names[g]), *large = new_position(names[g]);
        nlm_batch *expected;
        int number = 0;
        draw(small, 6, 1, SMALL, true);
        draw(large, 6, 2, 30, true);
        CHECK(nlm_batch_new(game->inputs, 2, &expected, &check_error));
        CHECK(nlm_batch_add_position(expected, small, &check_error));
        CHECK(nlm_batch_add_position(expected, large, &check_error));
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_batch *batch;
            CHECK(nlm_batch_new(game->inputs, 2, &batch, &check_error));
            CHECK(nlm_batch_add_position(batch, small, &check_error));
            FAILING(number, status, nlm_batch_add_position(batch, large, &error));
            assert_int_equal(nlm_batch_worlds(batch), status ? 1 : 2);
            if (status)
                CHECK(nlm_batch_add_position(batch, large, &check_error));
            assert_same_batches(game, batch, expected);
            nlm_batch_free(batch);
        }
        assert_true(number > 1);
        nlm_batch_free(expected);
        nlm_position_free(small);
        nlm_position_free(large);
    }
}

/* Drawing, copying, playing and looking, as learning does all the time. */
static void a_loop_stops_allocating(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *start = new_position(names[g]), *position = new_position(names[g]);
        nlm_batch *batch;
        CHECK(nlm_batch_new(game_called(names[g])->inputs, 2, &batch, &check_error));
        for (int round = 0; round < 2; round++) {
            random_stream random;
            random_start(&random, 7, 0);
            fail_allocation(-1);
            for (uint64_t index = 0; index < 100; index++) {
                draw(start, 7, index, 5 + (int)(index * 7 % 20), index % 2);
                CHECK(nlm_position_copy(position, start, &check_error));
                nlm_batch_clear(batch);
                while (!nlm_position_over(position)) {
                    CHECK(nlm_batch_add_position(batch, position, &check_error));
                    move_at_random(position, &random);
                }
            }
            assert_true(round == 1 || allocations > 0);
        }
        assert_int_equal(allocations, 0);
        nlm_batch_free(batch);
        nlm_position_free(start);
        nlm_position_free(position);
    }
}

int main(void)
{
    fail_jansson_too();
    fail_allocation(-1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_position_may_not_be_had),
        cmocka_unit_test(drawing_survives_each_failing_allocation),
        cmocka_unit_test(reading_survives_each_failing_allocation),
        cmocka_unit_test(writing_survives_each_failing_allocation),
        cmocka_unit_test(copying_survives_each_failing_allocation),
        cmocka_unit_test(batches_survive_each_failing_allocation),
        cmocka_unit_test(a_loop_stops_allocating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
