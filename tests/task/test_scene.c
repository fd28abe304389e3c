/* Positions as text: sheets, and what each game looks like in rooms of different sizes. */
#include "drawn_positions.h"

static nlm_error error;

static void assert_drawn(nlm_scene *scene, const nlm_position *position, const int *move, int rows, int width,
                         const char *wanted)
{
    nlm_sheet paper;
    nlm_sheet_begin(&paper, width);
    nlm_scene_show(scene, position, move, rows, &paper);
    char *text = text_of(&paper);
    assert_string_equal(text, wanted);
    free(text);
    nlm_sheet_free(&paper);
}

/* The first drawing of a position. */
static void assert_first(const char *game, const char *instance, const int *move, int rows, int width,
                         const char *wanted)
{
    nlm_position *position = read_position(game, instance);
    nlm_scene *scene;
    assert_int_equal(nlm_scene_new(position, &scene, &error), NLM_OK);
    assert_drawn(scene, position, move, rows, width, wanted);
    nlm_scene_free(scene);
    nlm_position_free(position);
}

/* ---- sheets ---- */

static void sheets_cut_what_is_too_wide(void **state)
{
    (void)state;
    nlm_sheet paper;
    nlm_sheet_begin(&paper, 5);
    nlm_sheet_put(&paper, 2, 3, "%s", "abc");
    nlm_sheet_put(&paper, 0, 1, "%d", 12);
    nlm_sheet_put(&paper, 0, 9, "x");
    nlm_sheet_line(&paper, "%s", "last one");
    char *text = text_of(&paper);
    assert_string_equal(text, " 12\n\n   ab\nlast\n");
    assert_int_equal(paper.wanted, 10);
    free(text);
    nlm_sheet_free(&paper);
}

static void sheets_have_bounds(void **state)
{
    (void)state;
    nlm_sheet paper;
    nlm_sheet_begin(&paper, -3);
    assert_int_equal(paper.width, 1);
    nlm_sheet_begin(&paper, 1000000);
    assert_int_equal(paper.width, NLM_SHEET_WIDEST);
    nlm_sheet_put(&paper, NLM_SHEET_MOST_ROWS, 0, "x");
    assert_true(paper.failed);
    assert_int_equal(paper.rows, 0);
    nlm_sheet_free(&paper);
}

/* ---- moves ---- */

static void moves_are_told_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        int move[NLM_MAX_MOVE];
        const char *text;
    } cases[] = {{"sort", {2, 5}, "swap slots 2 and 5"},
                 {"path", {4, 0}, "go to node 4"},
                 {"blocks", {7, 3}, "move 7 onto 3"},
                 {"blocks", {1000, 0}, "move 1000 onto the ground"},
                 {"blocks", {0, 3}, "move the ground onto 3"}};
    char text[NLM_MOVE_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(nlm_move_text(nlm_game_find(cases[i].game), cases[i].move, text), cases[i].text);
}

/* ---- sort ---- */

static void arrays_are_bars(void **state)
{
    (void)state;
    static const char instance[] = "{\"array\": [3, 1, 0, 2]}";
    assert_first("sort", instance, (int[]){0, 3}, 20, 80,
                 "      ##\n"
                 "      ##       ##\n"
                 "      ## ##    ##\n"
                 "      ## ## ## ##\n"
                 "value 3  1  0  2\n"
                 "slot  0  1  2  3\n"
                 "      ^        ^\n");
    assert_first("sort", instance, NULL, 5, 80,
                 "      ##       ##\n"
                 "      ## ## ## ##\n"
                 "value 3  1  0  2\n"
                 "slot  0  1  2  3\n"
                 "\n");
}

static void long_arrays_are_narrow_bars_and_rows(void **state)
{
    (void)state;
    static const char instance[] = "{\"array\": [3, 1, 0, 2, 4, 5]}";
    assert_first("sort", instance, (int[]){1, 2}, 6, 21,
                 "    ##\n"
                 "#   ##\n"
                 "## ###\n"
                 "######\n"
                 "slots 0..2:  3 [1][0]\n"
                 "slots 3..5:  2  4  5\n");
    assert_first("sort", instance, (int[]){1, 2}, 3, 21,
                 "slots 0..2:  3 [1][0]\n"
                 "slots 3..5:  2  4  5\n");
    assert_first("sort", instance, NULL, 0, 5, "slots\nslots\nslots\nslots\nslots\nslots\n");
}

/* ---- path ---- */

static const char line_of_nodes[] = "{\"nodes\": 7, \"edges\": [[0, 1], [1, 2], [2, 3], [1, 4], [3, 5]],"
                                    " \"start\": 0, \"target\": 3}";

static void paths_show_the_way_and_the_nodes_around(void **state)
{
    (void)state;
    nlm_position *position = read_position("path", line_of_nodes);
    nlm_scene *scene;
    assert_int_equal(nlm_scene_new(position, &scene, &error), NLM_OK);
    assert_drawn(scene, position, NULL, 30, 80,
                 "start 0, target 3, 0 edges walked: 0\n"
                 "\n"
                 "   node  to go  edges lead to\n"
                 ">     0      3  1\n"
                 "      1      2  0 2 4\n"
                 "      2      1  1 3*\n"
                 "      4      3  1\n"
                 " *    3      0  2 5\n"
                 "      5      1  3*\n"
                 "not shown: 1 farther away\n");
    assert_int_equal(nlm_position_move(position, (int[]){1}, NULL, &error), NLM_OK);
    assert_drawn(scene, position, NULL, 8, 80,
                 "start 0, target 3, 1 edge walked: 0 - 1\n"
                 "\n"
                 "   node  to go  edges lead to\n"
                 ">     1      2  0 2 4\n"
                 "      0      3  1\n"
                 "      2      1  1 3*\n"
                 " *    3      0  2 5\n"
                 "not shown: 3 farther away\n");
    assert_int_equal(nlm_position_move(position, (int[]){1}, NULL, &error), NLM_OK); /* to itself: illegal */
    assert_int_equal(nlm_position_move(position, (int[]){2}, NULL, &error), NLM_OK);
    assert_drawn(scene, position, NULL, 0, 44,
                 "start 0, target 3, 2 edges walked: 0 - 1 - 2\n"
                 "\n"
                 "   node  to go  edges lead to\n"
                 ">     2      1  1 3*\n"
                 " *    3      0  2 5\n"
                 "not shown: 5 farther away\n");
    assert_drawn(scene, position, NULL, 0, 43,
                 "start 0, target 3, 2 edges walked: ... - 2\n"
                 "\n"
                 "   node  to go  edges lead to\n"
                 ">     2      1  1 3*\n"
                 " *    3      0  2 5\n"
                 "not shown: 5 farther away\n");
    nlm_scene_free(scene);
    nlm_position_free(position);
}

static void edges_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    assert_first("path",
                 "{\"nodes\": 9, \"edges\": [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [0, 7], [0, 8]],"
                 " \"start\": 0, \"target\": 8}",
                 NULL, 0, 36,
                 "start 0, target 8, 0 edges walked: 0\n"
                 "\n"
                 "   node  to go  edges lead to\n"
                 ">     0      1  1 2 and 6 more\n"
                 " *    8      0  0\n"
                 "not shown: 7 farther away\n");
}

/* ---- blocks ---- */

static const char towers[] = "{\"start\": [[1], [3, 2], [4]], \"target\": [[1, 2], [3, 4]]}";

static void worlds_are_beside_each_other(void **state)
{
    (void)state;
    assert_first("blocks", towers, NULL, 20, 31,
                 "now: 2 of 4 in place    target\n"
                 "    (2)                 [2] [4]\n"
                 "[1] [3] (4)             [1] [3]\n"
                 "-----------             -------\n");
    assert_first("blocks", towers, NULL, 20, 30,
                 "now: 2 of 4 in place    target\n"
                 "   (2)                  [2][4]\n"
                 "[1][3](4)               [1][3]\n"
                 "---------               ------\n");
}

static void narrow_worlds_are_below_each_other(void **state)
{
    (void)state;
    assert_first("blocks", towers, NULL, 20, 20,
                 "now: 2 of 4 in place\n"
                 "   (2)\n"
                 "[1][3](4)\n"
                 "---------\n"
                 "\n"
                 "target\n"
                 "[2][4]\n"
                 "[1][3]\n"
                 "------\n");
    assert_first("blocks", towers, NULL, 20, 7,
                 "now: 2\n"
                 "   (2)\n"
                 "[1][3]\n"
                 "------\n"
                 "(4)\n"
                 "---\n"
                 "\n"
                 "target\n"
                 "[2][4]\n"
                 "[1][3]\n"
                 "------\n");
}

static void wide_worlds_have_rows_of_towers(void **state)
{
    (void)state;
    assert_first("blocks",
                 "{\"start\": [[1], [2], [3], [4], [5], [6], [7], [8], [9, 10], [11], [12]],"
                 " \"target\": [[1, 2, 3, 4, 5, 6], [12], [11], [10], [9], [8], [7]]}",
                 NULL, 20, 60,
                 "now: 6 of 12 in place           target\n"
                 "                                [ 6]\n"
                 "                                [ 5]\n"
                 "[ 1]( 2)( 3)( 4)( 5)( 6)[ 7]    [ 4]\n"
                 "----------------------------    [ 3]\n"
                 "    (10)                        [ 2]\n"
                 "[ 8][ 9][11][12]                [ 1][ 7][ 8][ 9][10][11][12]\n"
                 "----------------                ----------------------------\n");
}

static void towers_keep_their_places(void **state)
{
    (void)state;
    nlm_position *position = read_position("blocks", towers);
    nlm_scene *scene;
    assert_int_equal(nlm_scene_new(position, &scene, &error), NLM_OK);
    nlm_sheet paper;
    nlm_sheet_begin(&paper, 40);
    nlm_scene_show(scene, position, NULL, 20, &paper);
    nlm_sheet_free(&paper);
    assert_int_equal(nlm_position_move(position, (int[]){1, 4}, NULL, &error), NLM_OK);
    assert_drawn(scene, position, NULL, 20, 40,
                 "now: 1 of 4 in place    target\n"
                 "    (2) (1)             [2] [4]\n"
                 "    [3] (4)             [1] [3]\n"
                 "-----------             -------\n");
    assert_int_equal(nlm_position_move(position, (int[]){2, 0}, NULL, &error), NLM_OK);
    assert_drawn(scene, position, NULL, 20, 40,
                 "now: 1 of 4 in place    target\n"
                 "        (1)             [2] [4]\n"
                 "(2) [3] (4)             [1] [3]\n"
                 "-----------             -------\n");
    nlm_scene_free(scene);
    nlm_position_free(position);
}

/* ---- all games ---- */

/* Whatever the room, lines are plain and no longer than it allows. */
static void assert_plain(const nlm_sheet *paper)
{
    assert_false(paper->failed);
    for (int row = 0; row < paper->rows; row++) {
        int length;
        const char *line = nlm_sheet_row(paper, row, &length);
        assert_true(length <= paper->width);
        for (int i = 0; i < length; i++)
            assert_true(line[i] >= ' ' && line[i] <= '~');
    }
}

static void all_games_fit_any_room(void **state)
{
    (void)state;
    static const int sizes[] = {5, 10, 27, 60};
    for (int g = 0; g < nlm_games(); g++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            nlm_position *position = draw_position(nlm_game_at(g), sizes[s]);
            nlm_scene *scene;
            assert_int_equal(nlm_scene_new(position, &scene, &error), NLM_OK);
            for (int width = 1; width < 160; width += 3) {
                for (int rows = -5; rows < 40; rows += 5) {
                    nlm_sheet paper;
                    nlm_sheet_begin(&paper, width);
                    nlm_scene_show(scene, position, (int[]){1, 2}, rows, &paper);
                    assert_plain(&paper);
                    nlm_sheet_free(&paper);
                }
            }
            nlm_scene_free(scene);
            nlm_position_free(position);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_cut_what_is_too_wide),
        cmocka_unit_test(sheets_have_bounds),
        cmocka_unit_test(moves_are_told_in_words),
        cmocka_unit_test(arrays_are_bars),
        cmocka_unit_test(long_arrays_are_narrow_bars_and_rows),
        cmocka_unit_test(paths_show_the_way_and_the_nodes_around),
        cmocka_unit_test(edges_that_do_not_fit_are_counted),
        cmocka_unit_test(worlds_are_beside_each_other),
        cmocka_unit_test(narrow_worlds_are_below_each_other),
        cmocka_unit_test(wide_worlds_have_rows_of_towers),
        cmocka_unit_test(towers_keep_their_places),
        cmocka_unit_test(all_games_fit_any_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
