/* Tasks and games of a program's own: worlds and instances by seed and number, refused tables, positions as
 * texts. */
#include "test.h"

#include "nlm/nlm.h"

/* ---- tasks ---- */

static int depth_of_world(const nlm_task *task, const nlm_world *world)
{
    (void)task;
    return nlm_world_objects(world);
}

static nlm_status generate(const nlm_task *task, nlm_random *random, int objects, nlm_world *world,
                           nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (task->context)
        return NLM_IO_ERROR; /* without a word */
    for (int i = 0; i + 1 < objects && !status; i++)
        if (nlm_random_below(random, 2) > 0)
            status = nlm_world_add_fact(world, 0, (int[]){i, i + 1}, 1, error);
    return status ? status : nlm_world_add_label(world, 0, (int[]){objects - 1}, NLM_TRUE, error);
}

static const nlm_declaration predicates[] = {{"next", 2}, {"red", 1}, {NULL, 0}};
static const nlm_task good = {.name = "own",
                              .description = "last",
                              .target = "last",
                              .arity = 1,
                              .train_objects = 5,
                              .predicates = predicates,
                              .generate = generate,
                              .depth_of = depth_of_world};

static uint64_t digest_of(uint64_t seed, uint64_t index)
{
    nlm_world *world;
    const int *tuples;
    uint64_t digest = 0;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_task_generate(&good, NLM_WORLDS_PAPER, seed, index, 20, world, &check_error));
    assert_int_equal(nlm_world_objects(world), 20);
    assert_int_equal(nlm_world_find_predicate(world, "red", 1), 1);
    const size_t count = nlm_world_facts(world, 0, &tuples, NULL);
    for (size_t i = 0; i < 2 * count; i++)
        digest = 31 * digest + (uint64_t)tuples[i];
    nlm_world_free(world);
    return digest;
}

static void worlds_follow_from_seed_and_number(void **state)
{
    (void)state;
    assert_true(digest_of(1, 7) == digest_of(1, 7));
    assert_true(digest_of(1, 7) != digest_of(1, 8));
    assert_true(digest_of(1, 7) != digest_of(2, 7));
}

static void tables_of_tasks_are_checked(void **state)
{
    (void)state;
    static const nlm_declaration wide[] = {{"far", 9}, {NULL, 0}}, none[] = {{NULL, 0}};
    nlm_task broken[7];
    for (size_t i = 0; i < COUNT(broken); i++)
        broken[i] = good;
    broken[0].name = "uncle";
    broken[1].arity = 9;
    broken[2].predicates = wide;
    broken[3].predicates = none;
    broken[4].train_objects = 0;
    broken[5].target = NULL;
    broken[6].sense = "lenet";
    nlm_settings settings;
    nlm_error error;
    for (size_t i = 0; i < COUNT(broken); i++)
        assert_int_equal(nlm_settings_of_task(&broken[i], NLM_PROTOCOL_BEST, &settings, &error),
                         NLM_BAD_ARGUMENT);
    CHECK(nlm_settings_of_task(&good, NLM_PROTOCOL_BEST, &settings, &check_error));
    assert_int_equal(settings.spec.inputs[2], 1);
    assert_int_equal(settings.spec.inputs[1], 1);
    assert_true(settings.deep > 0 && settings.epochs > 0);
}

static void a_silent_failure_is_named(void **state)
{
    (void)state;
    nlm_task failing = good;
    failing.context = "fail";
    nlm_world *world;
    nlm_error error;
    CHECK(nlm_world_new(&world, &check_error));
    assert_int_equal(nlm_task_generate(&failing, NLM_WORLDS_PAPER, 1, 0, 5, world, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "task own: input/output error");
    assert_int_equal(nlm_world_objects(world), 0);
    assert_int_equal(nlm_task_generate(&good, NLM_WORLDS_RICH, 1, 0, 5, world, &error), NLM_BAD_ARGUMENT);
    nlm_world_free(world);
}

/* ---- games ---- */

static int state_size(const nlm_game *game, int objects)
{
    (void)game;
    return objects;
}

static bool draw(const nlm_game *game, int *state, int objects, nlm_random *random, bool test)
{
    (void)test;
    for (int i = 0; i < objects; i++)
        state[i] = !game->context && nlm_random_below(random, 2) > 0;
    return true;
}

static bool is_off(const nlm_game *game, const int *state, int objects, const int *move)
{
    (void)game, (void)objects;
    return state[*move] == 1;
}

static void move(const nlm_game *game, int *state, int objects, const int *move)
{
    (void)game, (void)objects;
    state[*move] = 0;
}

static bool solved(const nlm_game *game, const int *state, int objects)
{
    (void)game;
    int on = 0;
    for (int i = 0; i < objects; i++)
        on += state[i];
    return on == 0;
}

static void see(const nlm_game *game, const int *state, int objects, float *const *values)
{
    (void)game;
    for (int x = 0; x < objects; x++) {
        values[1][x] = (float)state[x];
        for (int y = 0; y < objects; y++)
            values[2][x * objects + y] = y == x + 1;
    }
}

static const char *const names[] = {"on", "next"};
static const nlm_game lamps = {.name = "lamps",
                               .description = "off",
                               .arity = 1,
                               .inputs = {0, 1, 1},
                               .predicates = names,
                               .least_objects = 2,
                               .test_objects = {4, 8},
                               .state_size = state_size,
                               .draw = draw,
                               .legal = is_off,
                               .move = move,
                               .solved = solved,
                               .see = see};

static void positions_are_played_copied_and_written(void **state)
{
    (void)state;
    nlm_position *position, *copy;
    double reward;
    CHECK(nlm_position_new(&lamps, &position, &check_error));
    CHECK(nlm_position_new(&lamps, &copy, &check_error));
    CHECK(nlm_position_draw(position, 1, 0, 6, false, &check_error));
    assert_int_equal(nlm_position_limit(position), 12);
    assert_int_equal(nlm_position_optimum(position), -1);
    const char *text;
    CHECK(nlm_position_write(position, &text, &check_error));
    CHECK(nlm_position_read(copy, text, strlen(text), "text", &check_error));
    CHECK(nlm_position_copy(copy, position, &check_error));
    int moves = 0;
    for (int lamp = 0; lamp < 6; lamp++)
        if (nlm_position_legal(copy, &lamp)) {
            CHECK(nlm_position_move(copy, &lamp, &reward, &check_error));
            moves++;
        }
    assert_true(nlm_position_solved(copy) && !nlm_position_solved(position) && reward == NLM_REWARD_SOLVED);
    assert_int_equal(nlm_position_moves(copy), moves);
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_position_world(position, world, &check_error));
    assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), moves);
    assert_int_equal(nlm_world_facts(world, 1, NULL, NULL), 5);
    nlm_world_free(world);
    nlm_position_free(position);
    nlm_position_free(copy);
}

static void tables_of_games_are_checked(void **state)
{
    (void)state;
    nlm_game broken[7];
    for (size_t i = 0; i < COUNT(broken); i++)
        broken[i] = lamps;
    broken[0].name = "sort";
    broken[1].see = NULL;
    broken[2].arity = 3;
    broken[3].inputs[3] = 1;
    broken[4].least_objects = 0;
    broken[5].twins = true;
    broken[6].predicates = NULL;
    nlm_position *position;
    nlm_settings settings;
    nlm_error error;
    for (size_t i = 1; i < COUNT(broken); i++)
        assert_int_equal(nlm_position_new(&broken[i], &position, &error), NLM_BAD_ARGUMENT);
    for (size_t i = 0; i < COUNT(broken); i++)
        assert_int_equal(nlm_settings_of_game(&broken[i], NLM_PROTOCOL_BEST, &settings, &error),
                         NLM_BAD_ARGUMENT);
    nlm_game never = lamps; /* all its instances are solved already */
    never.context = "solved";
    CHECK(nlm_position_new(&never, &position, &check_error));
    assert_int_equal(nlm_position_draw(position, 1, 0, 4, false, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "draws gave no instance"));
    nlm_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_follow_from_seed_and_number),
        cmocka_unit_test(tables_of_tasks_are_checked),
        cmocka_unit_test(a_silent_failure_is_named),
        cmocka_unit_test(positions_are_played_copied_and_written),
        cmocka_unit_test(tables_of_games_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
