/* Frames of an episode: title, position and moves in rooms of different sizes. */
#include "drawn_positions.h"
#include "play_screen.h"

static nlm_error error;

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

static const char towers[] = "{\"start\": [[1], [3, 2], [4]], \"target\": [[1, 2], [3, 4]]}";

static play_moment moment_of(nlm_position *position)
{
    return (play_moment){
        position, {{{2, 0}, 0.9}, {{1, 0}, 0.05}, {{3, 2}, 0.04}, {{4, 1}, 0.01}, {{4, 2}, 0}}, 5, -1};
}

static char *frame_text(frame_maker *maker, const play_moment *moment, int rows, int width)
{
    nlm_sheet frame;
    nlm_sheet_begin(&frame, width);
    if (rows > 0)
        frame_for_screen(maker, moment, rows, &frame);
    else
        frame_for_file(maker, moment, &frame);
    assert_plain(&frame);
    char *text = text_of(&frame);
    nlm_sheet_free(&frame);
    return text;
}

static void frames_tell_moves_and_their_probabilities(void **state)
{
    (void)state;
    nlm_position *position = read_position("blocks", towers);
    play_moment moment = moment_of(position);
    frame_maker maker;
    assert_true(frame_begin(&maker, "the title", position));
    char *text = frame_text(&maker, &moment, 24, 79);
    assert_string_equal(text, "the title\n"
                              "\n"
                              "now: 2 of 4 in place    target\n"
                              "    (2)                 [2] [4]\n"
                              "[1] [3] (4)             [1] [3]\n"
                              "-----------             -------\n"
                              "\n"
                              "     1/16  move 2 onto the ground        90.00 %\n"
                              "       or  move 1 onto the ground         5.00 %\n"
                              "       or  move 3 onto 2                  4.00 %  illegal\n"
                              "       or  move 4 onto 1                  1.00 %\n");
    free(text);
    moment.choices[0] = (nlm_choice){{3, 0}, 1};
    moment.count = 1;
    text = frame_text(&maker, &moment, 0, 79);
    assert_string_equal(text,
                        "now: 2 of 4 in place    target\n"
                        "    (2)                 [2] [4]\n"
                        "[1] [3] (4)             [1] [3]\n"
                        "-----------             -------\n"
                        "\n"
                        "     1/16  move 3 onto the ground          100 %  illegal: it changes nothing\n");
    free(text);
    moment.count = 0;
    text = frame_text(&maker, &moment, 10, 20);
    assert_string_equal(text, "the title\n"
                              "\n"
                              "(and 9 more rows)\n"
                              "\n");
    free(text);
    frame_end(&maker);
    nlm_position_free(position);
}

static void frames_leave_room_and_say_what_is_missing(void **state)
{
    (void)state;
    for (int g = 0; g < nlm_games(); g++) {
        nlm_position *position = draw_position(nlm_game_at(g), 30);
        const play_moment moment = moment_of(position);
        for (int rows = 1; rows < 50; rows++) {
            for (int width = 1; width < 130; width += 4) {
                frame_maker maker;
                nlm_sheet frame;
                assert_true(frame_begin(&maker, "title", position));
                nlm_sheet_begin(&frame, width);
                frame_for_screen(&maker, &moment, rows, &frame);
                assert_plain(&frame);
                assert_true(frame.rows <= (rows > 2 ? rows - 2 : 1));
                nlm_sheet_free(&frame);
                frame_end(&maker);
            }
        }
        nlm_position_free(position);
    }
}

static void frames_keep_their_height(void **state)
{
    (void)state;
    nlm_position *position = read_position("blocks", "{\"start\": [[1, 2, 3]], \"target\": [[1], [2], [3]]}");
    const play_moment moment = moment_of(position);
    frame_maker maker;
    assert_true(frame_begin(&maker, "title", position));
    free(frame_text(&maker, &moment, 24, 60));
    assert_int_equal(nlm_position_move(position, (int[]){3, 0}, NULL, &error), NLM_OK);
    char *text = frame_text(&maker, &moment, 24, 60);
    assert_memory_equal(text, "title\n\n\nnow: 2 of 3 in place", 28);
    free(text);
    frame_end(&maker);
    nlm_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_tell_moves_and_their_probabilities),
        cmocka_unit_test(frames_leave_room_and_say_what_is_missing),
        cmocka_unit_test(frames_keep_their_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
