/* The task or game that a command line names, and how targets are written. */
#include "test.h"
#include "find_task.h"

static void tasks_and_games_are_found_by_name(void **state)
{
    (void)state;
    task_or_game found;
    for (int i = 0; i < nlm_tasks(); i++) {
        assert_true(find_task_or_game("test", nlm_task_at(i)->name, &found));
        assert_ptr_equal(found.task, nlm_task_at(i));
        assert_null(found.game);
    }
    for (int i = 0; i < nlm_games(); i++) {
        assert_true(find_task_or_game("test", nlm_game_at(i)->name, &found));
        assert_ptr_equal(found.game, nlm_game_at(i));
        assert_null(found.task);
    }
    static const char *const others[] = {"uncel", "blosk", "x", ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(find_task_or_game("test", others[i], &found));
        assert_true(found.task == NULL && found.game == NULL);
    }
    found = task_or_game_of(NULL);
    assert_true(found.task == NULL && found.game == NULL);
}

static void targets_have_variables(void **state)
{
    (void)state;
    char text[TASK_TARGET_SIZE];
    assert_string_equal(task_target_text(nlm_task_find("has-father"), text), "has_father(x)");
    assert_string_equal(task_target_text(nlm_task_find("uncle"), text), "uncle(x, y)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_and_games_are_found_by_name),
        cmocka_unit_test(targets_have_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
