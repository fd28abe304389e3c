/* Memory of replays: every allocation in turn fails, the call says so, and no file is left. */
#include "failing_malloc.h"
#include "episodes.h"

static const char *const names[] = {"sort", "path", "blocks"};
enum { GAMES = COUNT(names) };

static nlm_status new_and_add(const nlm_position *position, nlm_replay **replay, nlm_error *error)
{
    const nlm_choice choices[] = {{{0, 1}, 0.5}, {{1, 0}, 0.25}};
    nlm_status status = nlm_replay_new(nlm_position_game(position), "title", replay, error);
    if (!status)
        status = nlm_replay_add(*replay, position, choices, 2, error);
    return status;
}

static void replays_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 1, 2, 9, true);
        nlm_status status = NLM_NO_MEMORY;
        int number = 0;
        for (; status; number++) {
            nlm_replay *replay = NULL;
            nlm_error error = {NLM_OK, ""};
            fail_allocation(number);
            status = new_and_add(position, &replay, &error);
            assert_int_equal(status, allocation_failed() ? NLM_NO_MEMORY : NLM_OK);
            fail_allocation(-1);
            assert_int_equal(error.status, status);
            if (replay) /* and can be tried again, where that was not the end */
                CHECK(nlm_replay_add(replay, position, NULL, 0, &check_error));
            nlm_replay_free(replay);
        }
        assert_true(number > 5);
        nlm_position_free(position);
    }
}

static void pages_survive_each_failing_allocation(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/nlm-replay-alloc-%ld", (long)getpid());
    for (int g = 0; g < GAMES; g++) {
        nlm_position *position = new_position(names[g]);
        draw(position, 1, 2, 9, true);
        nlm_replay *replay = play_at_random(position, "title", 4);
        nlm_status status = NLM_NO_MEMORY;
        for (int number = 0; status; number++) {
            nlm_error error = {NLM_OK, ""};
            fail_allocation(number);
            status = nlm_replay_save(replay, path, &error);
            assert_int_equal(status, allocation_failed() ? NLM_NO_MEMORY : NLM_OK);
            fail_allocation(-1);
            assert_int_equal(access(path, F_OK), status ? -1 : 0);
        }
        free(take_file(path));
        nlm_replay_free(replay);
        nlm_position_free(position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_survive_each_failing_allocation),
        cmocka_unit_test(pages_survive_each_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
