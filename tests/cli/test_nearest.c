/* Names that a mistyped one may have meant, and the task that a command line names. */
#include "test.h"
#include "find_task.h"
#include "nearest.h"

static const char *listed(const void *context, int index)
{
    return ((const char *const *)context)[index];
}

static const char *const fruit[] = {"apple", "pear", "sour-cherry", "sweet-cherry", "plum", NULL};

static int near(const char *name, const char **nearest, int most)
{
    return nearest_names(name, (name_list){listed, fruit}, nearest, most);
}

static void typing_mistakes_are_near(void **state)
{
    (void)state;
    const char *nearest[4];
    static const char *const mistakes[] = {"aple", "appple", "appel", "appke", "Apple", "apple"};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(near(mistakes[i], nearest, 4), 1);
        assert_string_equal(nearest[0], "apple");
    }
}

static void other_names_are_far(void **state)
{
    (void)state;
    const char *nearest[4];
    static const char *const others[] = {"", "x", "a", "xylophone", "cabbage", "-", "--", "applepearplum"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(near(others[i], nearest, 4), 0);
}

static void parts_count_after_the_whole(void **state)
{
    (void)state;
    const char *nearest[4];
    assert_int_equal(near("chery", nearest, 4), 2);
    assert_string_equal(nearest[0], "sour-cherry");
    assert_string_equal(nearest[1], "sweet-cherry");
    assert_int_equal(near("chery", nearest, 1), 1);
    assert_string_equal(nearest[0], "sour-cherry");
    assert_int_equal(near("sweetcherry", nearest, 4), 1);
    assert_string_equal(nearest[0], "sweet-cherry");
    static const char *const kin[] = {"mg-uncle", "uncle", "1-aunt", NULL};
    assert_int_equal(nearest_names("uncel", (name_list){listed, kin}, nearest, 4), 2);
    assert_string_equal(nearest[0], "uncle");
    assert_string_equal(nearest[1], "mg-uncle");
    assert_int_equal(nearest_names("x", (name_list){listed, kin}, nearest, 4), 0);
}

static void names_may_have_any_length(void **state)
{
    (void)state;
    const char *nearest[4];
    enum { LENGTH = 100000 };
    char *name = malloc(LENGTH + 1);
    assert_non_null(name);
    memset(name, 'a', LENGTH);
    for (size_t length = 8; length <= LENGTH; length = length < 300 ? length + 1 : 2 * length) {
        const char kept = name[length];
        name[length] = '\0';
        assert_int_equal(near(name, nearest, 4), 0);
        const char *const itself[] = {name, NULL};
        const int found = nearest_names(name, (name_list){listed, itself}, nearest, 4);
        assert_int_equal(found, length <= 64);
        name[length] = kept;
    }
    free(name);
}

static void an_empty_list_has_no_names(void **state)
{
    (void)state;
    const char *nearest;
    assert_int_equal(nearest_names("apple", (name_list){listed, fruit + 5}, &nearest, 1), 0);
}

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
        cmocka_unit_test(typing_mistakes_are_near),    cmocka_unit_test(other_names_are_far),
        cmocka_unit_test(parts_count_after_the_whole), cmocka_unit_test(names_may_have_any_length),
        cmocka_unit_test(an_empty_list_has_no_names),  cmocka_unit_test(tasks_and_games_are_found_by_name),
        cmocka_unit_test(targets_have_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
