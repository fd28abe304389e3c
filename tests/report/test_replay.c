/* Replays: the data of a page are the library's positions; titles do no harm; graphs are laid out. */
#include "episodes.h"
#include <jansson.h>
#include "report/assets.h"

static const char *const names[] = {"sort", "path", "blocks"};
enum { GAMES = COUNT(names) };

static char *saved(const nlm_replay *replay)
{
    char path[] = "/tmp/nlm-replay-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    CHECK(nlm_replay_save(replay, path, &check_error));
    return take_file(path);
}

/* The data of the only replay in a page. */
static json_t *data_of(const char *text)
{
    static const char begin[] = "class=\"replay-data\">";
    assert_int_equal(count_of(text, begin), 1);
    const char *first = strstr(text, begin) + strlen(begin), *end = strstr(first, "</script>");
    json_t *data = json_loadb(first, (size_t)(end - first), 0, NULL);
    assert_non_null(data);
    return data;
}

static int number_at(const json_t *list, int index)
{
    return (int)json_integer_value(json_array_get(list, (size_t)index));
}

static void assert_state(const nlm_position *position, const json_t *numbers)
{
    const int objects = nlm_position_objects(position);
    const char *name = nlm_position_game(position)->name;
    if (strcmp(name, "path") == 0) {
        assert_int_equal(json_array_size(numbers), 1);
        assert_int_equal(number_at(numbers, 0), nlm_path_current(position));
        return;
    }
    assert_int_equal(json_array_size(numbers), objects);
    for (int i = 0; i < objects; i++)
        assert_int_equal(number_at(numbers, i), strcmp(name, "sort") == 0
                                                    ? nlm_sort_value(position, i)
                                                    : nlm_blocks_below(position, false, i + 1));
}

/* Play the steps of a page again: each move leads to the next state. */
static void assert_steps(nlm_position *position, const json_t *steps)
{
    for (int i = 0; i < (int)json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, (size_t)i), *top = json_object_get(step, "top");
        assert_state(position, json_object_get(step, "state"));
        if (json_array_size(top) == 0) {
            assert_int_equal(i, json_array_size(steps) - 1);
            continue;
        }
        assert_int_equal(json_array_size(top), 3);
        const json_t *made = json_array_get(top, 0), *numbers = json_array_get(made, 0);
        const int move[NLM_MAX_MOVE] = {number_at(numbers, 0), number_at(numbers, 1)};
        assert_int_equal(json_array_size(numbers), nlm_position_game(position)->arity);
        assert_true(json_real_value(json_array_get(made, 1)) == 0.5);
        assert_int_equal(number_at(made, 2), nlm_position_legal(position, move));
        CHECK(nlm_position_move(position, move, NULL, &check_error));
    }
}

static void pages_hold_all_positions(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int objects = 5; objects <= 12; objects += 7) {
            nlm_position *position = new_position(names[g]), *again = new_position(names[g]);
            draw(position, 1, 2, objects, true);
            CHECK(nlm_position_copy(again, position, &check_error));
            nlm_replay *replay = play_at_random(position, "title", 1000);
            char *text = saved(replay);
            json_t *data = data_of(text);
            const json_t *steps = json_object_get(data, "steps");
            assert_string_equal(json_string_value(json_object_get(data, "game")), names[g]);
            assert_int_equal(json_integer_value(json_object_get(data, "limit")),
                             nlm_position_limit(position));
            assert_int_equal(json_array_size(steps), nlm_position_moves(position) + 1);
            assert_steps(again, steps);
            assert_true(json_is_true(json_object_get(data, "solved")) == nlm_position_solved(position));
            assert_int_equal(count_of(text, "<li>"), nlm_position_moves(position));
            json_decref(data);
            free(text);
            nlm_replay_free(replay);
            nlm_position_free(position);
            nlm_position_free(again);
        }
}

static void targets_are_in_the_page(void **state)
{
    (void)state;
    nlm_position *blocks = position_of("blocks", "{\"start\": [[1, 2], [3]], \"target\": [[3, 1], [2]]}");
    nlm_position *path =
        position_of("path", "{\"nodes\": 4, \"edges\": [[0, 1], [1, 2]], \"start\": 0, \"target\": 2}");
    nlm_replay *replays[] = {play_at_random(blocks, "", 0), play_at_random(path, "", 0)};
    char *texts[] = {saved(replays[0]), saved(replays[1])};
    assert_non_null(strstr(texts[0], "\"target\":[3,0,0]"));
    assert_non_null(strstr(texts[0], "data-step=\"0\" data-state=\"[0,1,0]\" data-solved=\"false\""));
    assert_non_null(strstr(texts[1], "\"start\":0,\"target\":2,\"edges\":[0,1,1,2],\"points\":["));
    assert_non_null(strstr(texts[1], "stopped after 0 moves"));
    for (int i = 0; i < 2; i++) {
        free(texts[i]);
        nlm_replay_free(replays[i]);
    }
    nlm_position_free(blocks);
    nlm_position_free(path);
}

/* Two moves that solve it, the second thought of with no number at all. */
static void solved_episodes_say_so(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"array\": [2, 0, 1]}");
    static const nlm_choice moves[] = {{{0, 1}, 0.98}, {{1, 2}, NAN}};
    nlm_replay *replay;
    CHECK(nlm_replay_new(nlm_position_game(position), "", &replay, &check_error));
    for (int i = 0; i < 2; i++) {
        CHECK(nlm_replay_add(replay, position, &moves[i], 1, &check_error));
        nlm_replay_rule(replay, 1 - i);
        CHECK(nlm_position_move(position, moves[i].move, NULL, &check_error));
    }
    CHECK(nlm_replay_add(replay, position, NULL, 0, &check_error));
    nlm_replay_rule(replay, 1); /* no move was made there */
    char *text = saved(replay);
    assert_int_equal(count_of(text, "solved in 2 moves (limit 6, optimum 2)"), 2);
    assert_non_null(strstr(text, "<li>swap slots 0 and 1, probability 0.98, by move_1</li>"));
    assert_non_null(strstr(text, "<li>swap slots 1 and 2, probability 0.00, as no rule holds</li>"));
    assert_non_null(strstr(text, "{\"state\":[0,2,1],\"top\":[[[1,2],0,1]],\"rule\":0}"));
    free(text);
    nlm_replay_free(replay);
    nlm_position_free(position);
}

static void titles_do_no_harm(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"array\": [1, 0]}");
    nlm_replay *replay = play_at_random(position, "</title><script>alert(1)</script>\" x='\xff", 1);
    char *text = saved(replay);
    assert_int_equal(count_of(text, "alert(1)"), 3); /* title, heading, label */
    assert_int_equal(count_of(text, "&lt;/title&gt;&lt;script&gt;alert(1)"), 3);
    assert_int_equal(count_of(text, "<script>"), 2);
    assert_int_equal(count_of(text, "http://") + count_of(text, "https://"), 0);
    free(text);
    nlm_replay_free(replay);
    nlm_position_free(position);
}

/* Scripts and style are plain ASCII, and end no element. */
static void assets_are_plain(void **state)
{
    (void)state;
    const char *const assets[] = {asset_style.text, asset_pictures.text, asset_replay.text,
                                  asset_report.text};
    for (size_t i = 0; i < COUNT(assets); i++) {
        assert_null(strstr(assets[i], "</"));
        assert_null(strstr(assets[i], "<!--"));
        for (const char *c = assets[i]; *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
    }
}

static void what_does_not_follow_is_refused(void **state)
{
    (void)state;
    nlm_error error;
    nlm_position *small = new_position("sort"), *large = new_position("sort"), *path = new_position("path");
    nlm_replay *replay;
    const nlm_choice choice = {{0, 1}, 1};
    CHECK(nlm_replay_new(game_called("sort"), "t", &replay, &check_error));
    (void)nlm_replay_save(replay, "/tmp/nlm-never", &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "there is no position to show");
    (void)nlm_replay_add(replay, small, &choice, 1, &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "without an instance");
    draw(small, 1, 1, 3, true);
    draw(large, 1, 1, 4, true);
    draw(path, 1, 1, 6, true);
    (void)nlm_replay_add(replay, path, &choice, 1, &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "a position of path, not of sort");
    (void)nlm_replay_add(replay, small, &choice, -1, &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "-1 choices");
    CHECK(nlm_replay_add(replay, small, &choice, 1, &check_error));
    (void)nlm_replay_add(replay, large, &choice, 1, &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "4 objects after one of 3");
    CHECK(nlm_replay_add(replay, small, NULL, 0, &check_error));
    (void)nlm_replay_add(replay, small, &choice, 1, &error);
    assert_said(&error, NLM_BAD_ARGUMENT, "after the last");
    nlm_replay_free(replay);
    nlm_replay_free(NULL);
    nlm_position_free(small);
    nlm_position_free(large);
    nlm_position_free(path);
}

/* Large enough to be worth a budget: 50 blocks and 90 moves stay below 250 KB. */
static void pages_stay_small(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 1, 2, 50, true);
        nlm_replay *replay = play_at_random(position, "title", 90);
        char *text = saved(replay);
        assert_true(strlen(text) < 250000);
        free(text);
        nlm_replay_free(replay);
        nlm_position_free(position);
    }
}

/* Within the picture, none near another, the same each time. */
static void nodes_find_their_places(void **state)
{
    (void)state;
    enum { NODES = 50 };
    replay_point points[NODES], again[NODES];
    int edges[2 * NODES];
    nlm_error error;
    for (int e = 0; e < NODES - 1; e++) {
        edges[2 * e] = e / 3; /* a tree */
        edges[2 * e + 1] = e + 1;
    }
    for (int count = 0; count < NODES; count += NODES - 1) {
        assert_int_equal(replay_layout(NODES, edges, count, 0, NODES - 1, points, &error), NLM_OK);
        assert_int_equal(replay_layout(NODES, edges, count, 0, NODES - 1, again, &error), NLM_OK);
        assert_memory_equal(points, again, sizeof points);
        assert_true(points[0].x < points[NODES - 1].x);
        for (int x = 0; x < NODES; x++) {
            assert_true(points[x].x >= 0 && points[x].x <= 1 && points[x].y >= 0 && points[x].y <= 1);
            for (int y = 0; y < x; y++)
                assert_true(hypot(points[x].x - points[y].x, points[x].y - points[y].y) > 0.4 / sqrt(NODES));
        }
    }
    assert_int_equal(replay_layout(1, NULL, 0, 0, 0, points, &error), NLM_OK);
    assert_true(points[0].x == 0.5 && points[0].y == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_hold_all_positions), cmocka_unit_test(targets_are_in_the_page),
        cmocka_unit_test(solved_episodes_say_so),   cmocka_unit_test(titles_do_no_harm),
        cmocka_unit_test(assets_are_plain),         cmocka_unit_test(what_does_not_follow_is_refused),
        cmocka_unit_test(pages_stay_small),         cmocka_unit_test(nodes_find_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
