/* Traces: with no_repeat a move is not made twice in the same position, as long as there is another; with a
 * penalty moves made in others count less. */
#include "learn/agents.h"
#include "learn/actor.h"

static void read_position(nlm_position *position, const char *text)
{
    CHECK(nlm_position_read(position, text, strlen(text), "test", &check_error));
}

static size_t choose_cell(struct trace *trace, const nlm_position *position, const float *probabilities,
                          size_t cells)
{
    size_t cell = SIZE_MAX;
    assert_int_equal(trace_choose(trace, position, probabilities, cells, &cell), NLM_OK);
    return cell;
}

static void the_most_probable_moves_come_one_after_the_other(void **state)
{
    (void)state;
    const float probabilities[] = {0.0f, 0.25f, 0.5f, 0.25f};
    const size_t expected[] = {2, 1, 3, 2, 2};
    struct trace trace = {.no_repeat = true, .penalty = 1};
    nlm_position *position = new_position("sort");
    read_position(position, "{\"array\": [1, 0]}");
    for (size_t n = 0; n < COUNT(expected); n++) {
        assert_int_equal(trace.returned, n > 1);
        assert_int_equal(choose_cell(&trace, position, probabilities, 4), expected[n]);
    }
    trace_forget(&trace);
    assert_false(trace.returned);
    assert_int_equal(choose_cell(&trace, position, probabilities, 4), 2);
    trace_release(&trace);
    nlm_position_free(position);
}

static void other_positions_have_moves_of_their_own(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"{\"array\": [1, 0, 2]}", "{\"array\": [1, 2, 0]}"},
        {"{\"start\": [[1, 2]], \"target\": [[2, 1]]}", "{\"start\": [[1], [2]], \"target\": [[2, 1]]}"},
        {"{\"nodes\": 4, \"edges\": [[0, 1], [1, 2], [2, 3]], \"start\": 0, \"target\": 3}",
         "{\"nodes\": 4, \"edges\": [[0, 1], [1, 2], [2, 3]], \"start\": 1, \"target\": 3}"}};
    static const char *const games[] = {"sort", "blocks", "path"};
    const float probabilities[] = {0.1f, 0.6f, 0.3f};
    for (size_t g = 0; g < COUNT(games); g++) {
        struct trace trace = {.no_repeat = true, .penalty = 1};
        nlm_position *one = new_position(games[g]), *other = new_position(games[g]);
        read_position(one, pairs[g][0]);
        read_position(other, pairs[g][1]);
        assert_int_equal(choose_cell(&trace, one, probabilities, 3), 1);
        assert_int_equal(choose_cell(&trace, other, probabilities, 3), 1);
        assert_false(trace.returned);
        assert_int_equal(choose_cell(&trace, one, probabilities, 3), 2);
        assert_true(trace.returned);
        trace_release(&trace);
        nlm_position_free(one);
        nlm_position_free(other);
    }
}

static void moves_made_before_count_less(void **state)
{
    (void)state;
    static const char *const arrays[] = {"{\"array\": [0, 2, 1]}", "{\"array\": [1, 0, 2]}",
                                         "{\"array\": [1, 2, 0]}", "{\"array\": [2, 0, 1]}",
                                         "{\"array\": [2, 1, 0]}"};
    const float probabilities[] = {0.1f, 0.7f, 0.15f, 0.05f};
    const size_t expected[2][COUNT(arrays)] = {{1, 1, 1, 1, 1}, {1, 1, 2, 0, 3}};
    for (int less = 0; less < 2; less++) {
        struct trace trace = {.no_repeat = true, .penalty = less > 0 ? 0.25f : 1};
        nlm_position *position = new_position("sort");
        for (size_t n = 0; n < COUNT(arrays); n++) {
            read_position(position, arrays[n]);
            assert_int_equal(choose_cell(&trace, position, probabilities, 4), expected[less][n]);
        }
        trace_forget(&trace);
        assert_int_equal(choose_cell(&trace, position, probabilities, 4), 1); /* another episode */
        assert_int_equal(choose_cell(&trace, position, probabilities, 4), 2); /* the same position */
        trace_release(&trace);
        nlm_position_free(position);
    }
}

/* A penalty of 1 and moves that may repeat: the most probable move, always. */
static void without_rules_the_most_probable_move_is_made(void **state)
{
    (void)state;
    const float probabilities[] = {0.1f, 0.7f, 0.2f};
    struct trace plain = {.penalty = 1}, halved = {.penalty = 0.5f};
    const size_t expected[] = {1, 1, 2, 1, 0};
    nlm_position *position = new_position("sort");
    read_position(position, "{\"array\": [1, 0]}");
    for (size_t n = 0; n < COUNT(expected); n++) {
        assert_int_equal(choose_cell(&plain, position, probabilities, 3), 1);
        assert_int_equal(choose_cell(&halved, position, probabilities, 3), expected[n]);
    }
    assert_true(plain.returned);
    trace_release(&plain);
    trace_release(&halved);
    nlm_position_free(position);
}

/* What an agent does next is first among its choices, and the others are as probable as ever. */
static void agents_do_not_go_round_in_circles(void **state)
{
    (void)state;
    enum { MOVES = 9 };
    const nlm_game *game = game_called("blocks");
    nlm_machine *machine = make_agent_machine(game, 3, 1);
    nlm_agent *agent = make_agent(machine, game);
    nlm_position *position = new_position("blocks");
    nlm_choice plain[MOVES], next[MOVES];
    int plain_count, count;
    read_position(position, "{\"start\": [[1], [2]], \"target\": [[1, 2]]}");
    CHECK(nlm_agent_choices(agent, position, plain, MOVES, &plain_count, &check_error));
    for (int n = 0; n < plain_count + 1; n++) { /* asked again and again about a position that stays */
        read_position(position, "{\"start\": [[1], [2]], \"target\": [[1, 2]]}");
        const int onto_ground[NLM_MAX_MOVE] = {1, 0};
        CHECK(nlm_position_move(position, onto_ground, NULL, &check_error)); /* changes nothing, but counts */
        CHECK(nlm_agent_next(agent, position, next, MOVES, &count, &check_error));
        assert_int_equal(count, plain_count);
        assert_memory_equal(next[0].move, plain[n % plain_count].move, sizeof next[0].move);
        assert_true(next[0].probability == plain[n % plain_count].probability);
        for (int k = 2; k < count; k++)
            assert_true(next[k].probability <= next[k - 1].probability);
    }
    read_position(position, "{\"start\": [[1], [2]], \"target\": [[1, 2]]}");
    CHECK(nlm_agent_next(agent, position, next, MOVES, &count, &check_error)); /* another episode */
    assert_memory_equal(next[0].move, plain[0].move, sizeof next[0].move);
    nlm_position_free(position);
    nlm_agent_free(agent);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_probable_moves_come_one_after_the_other),
        cmocka_unit_test(other_positions_have_moves_of_their_own),
        cmocka_unit_test(moves_made_before_count_less),
        cmocka_unit_test(without_rules_the_most_probable_move_is_made),
        cmocka_unit_test(agents_do_not_go_round_in_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
