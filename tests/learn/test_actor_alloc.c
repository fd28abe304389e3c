/* Memory of agents and trials: whichever allocation fails, the call says so; everything can be freed, or
 * tried again; and an agent that has seen a size allocates nothing. */
#include "failing_malloc.h"
#include "learn/agents.h"

enum { MOVES = 8, EPISODES = 11 };
static const int objects[GAMES] = {6, 7, 5};

/* The status is out of memory if an allocation failed, and all is well if none did. */
static void check_status(const char *what, int number, nlm_status status, const nlm_error *error)
{
    const bool failed = allocation_failed();
    fail_allocation(-1);
    if (status != (failed ? NLM_NO_MEMORY : NLM_OK))
        fail_msg("%s: allocation %d: status %d, %s", what, number, status, error->message);
    assert_int_equal(error->status, status);
    assert_true(!status || (error->message[0] && !strchr(error->message, '\n')));
}

static void agents_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        nlm_agent *agent = NULL;
        int number = 0;
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_error error = {NLM_OK, ""};
            agent = (nlm_agent *)machine;
            fail_allocation(number);
            status = nlm_agent_new(machine, nlm_game_at(g), NULL, &agent, &error);
            check_status("a new agent", number, status, &error);
            assert_true((agent == NULL) == (status != NLM_OK));
        }
        assert_true(number > 5);
        nlm_agent_free(agent);
        nlm_machine_free(machine);
    }
}

/* After a failure the same question has the same answer. */
static void choices_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        nlm_position *position = new_position(game_names[g]);
        nlm_choice expected[MOVES] = {{.probability = 0}}, choices[MOVES] = {{.probability = 0}};
        int number = 0, count, expected_count;
        draw(position, 1, 1, objects[g], true);
        nlm_agent *agent = make_agent(machine, nlm_game_at(g));
        CHECK(nlm_agent_choices(agent, position, expected, MOVES, &expected_count, &check_error));
        nlm_agent_free(agent);
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_error error = {NLM_OK, ""};
            agent = make_agent(machine, nlm_game_at(g));
            fail_allocation(number);
            status = nlm_agent_choices(agent, position, choices, MOVES, &count, &error);
            check_status("choices", number, status, &error);
            assert_true(!status || count == 0);
            if (status)
                CHECK(nlm_agent_choices(agent, position, choices, MOVES, &count, &check_error));
            assert_int_equal(count, expected_count);
            assert_memory_equal(choices, expected, sizeof choices);
            nlm_agent_free(agent);
        }
        assert_true(number > 10);
        nlm_position_free(position);
        nlm_machine_free(machine);
    }
}

static void an_agent_stops_allocating(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        nlm_agent *agent = make_agent(machine, nlm_game_at(g));
        nlm_position *position = new_position(game_names[g]);
        for (int round = 0; round < 2; round++) {
            random_stream random;
            random_start(&random, 1, 0);
            fail_allocation(-1);
            for (uint64_t index = 0; index < 20; index++) {
                draw(position, 1, index, objects[g], false);
                while (!nlm_position_over(position)) {
                    nlm_choice choice;
                    int count;
                    CHECK(nlm_agent_choices(agent, position, &choice, 1, &count, &check_error));
                    move_at_random(position, &random);
                }
            }
            assert_true(round == 1 || allocations > 0);
        }
        assert_int_equal(allocations, 0);
        nlm_position_free(position);
        nlm_agent_free(agent);
        nlm_machine_free(machine);
    }
}

static void new_trials_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int threads = 1; threads <= 2; threads++) {
            const nlm_options options = {.threads = threads};
            nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
            nlm_test *trials = NULL;
            int number = 0;
            for (nlm_status status = NLM_NO_MEMORY; status; number++) {
                nlm_error error = {NLM_OK, ""};
                trials = (nlm_test *)machine;
                fail_allocation(number);
                status = nlm_test_of_game(machine, nlm_game_at(g), objects[g], 1, &options, &trials, &error);
                check_status("new trials", number, status, &error);
                assert_true((trials == NULL) == (status != NLM_OK));
            }
            assert_true(number > 20);
            nlm_test_free(trials);
            nlm_machine_free(machine);
        }
}

/* A run that failed counts the episodes that it played to their end; the next one plays all of its own. */
static void trials_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int threads = 1; threads <= 2; threads++) {
            const nlm_options options = {.threads = threads};
            nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
            int number = 0;
            for (nlm_status status = NLM_NO_MEMORY; status; number++) {
                nlm_error error = {NLM_OK, ""};
                nlm_test *trials;
                CHECK(nlm_test_of_game(machine, nlm_game_at(g), objects[g], 1, &options, &trials,
                                       &check_error));
                fail_allocation(number);
                status = nlm_test_run(trials, EPISODES, NULL, NULL, &error);
                check_status("trials", number, status, &error);
                const int played = nlm_test_score(trials).asked;
                assert_true(status ? played < EPISODES : played == EPISODES);
                CHECK(nlm_test_run(trials, EPISODES, NULL, NULL, &check_error));
                nlm_score result = nlm_test_score(trials);
                assert_int_equal(result.asked, played + EPISODES);
                assert_in_range((result.asked - result.failed), 0, result.asked);
                nlm_test_free(trials);
            }
            assert_true(number > 20);
            nlm_machine_free(machine);
        }
}

int main(void)
{
    fail_allocation(-1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_survive_each_failing_allocation),
        cmocka_unit_test(choices_survive_each_failing_allocation),
        cmocka_unit_test(an_agent_stops_allocating),
        cmocka_unit_test(new_trials_survive_each_failing_allocation),
        cmocka_unit_test(trials_survive_each_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
