/* Names that a mistyped one may have meant. */
#include "test.h"
#include "nlm/tools.h"

static const char *listed(const void *context, int index)
{
    return ((const char *const *)context)[index];
}

static const char *const fruit[] = {"apple", "pear", "sour-cherry", "sweet-cherry", "plum", NULL};

static int near(const char *name, const char **nearest, int most)
{
    return nlm_nearest_names(name, (nlm_name_list){listed, fruit}, nearest, most);
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
    assert_int_equal(nlm_nearest_names("uncel", (nlm_name_list){listed, kin}, nearest, 4), 2);
    assert_string_equal(nearest[0], "uncle");
    assert_string_equal(nearest[1], "mg-uncle");
    assert_int_equal(nlm_nearest_names("x", (nlm_name_list){listed, kin}, nearest, 4), 0);
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
        const int found = nlm_nearest_names(name, (nlm_name_list){listed, itself}, nearest, 4);
        assert_int_equal(found, length <= 64);
        name[length] = kept;
    }
    free(name);
}

static void an_empty_list_has_no_names(void **state)
{
    (void)state;
    const char *nearest;
    assert_int_equal(nlm_nearest_names("apple", (nlm_name_list){listed, fruit + 5}, &nearest, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_mistakes_are_near),    cmocka_unit_test(other_names_are_far),
        cmocka_unit_test(parts_count_after_the_whole), cmocka_unit_test(names_may_have_any_length),
        cmocka_unit_test(an_empty_list_has_no_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
