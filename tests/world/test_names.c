/* Names: numbers in order, found by text, length and arity; texts that stay where they are. */
#include "test.h"

#include "world/names.h"

static void names_are_numbered_in_order(void **state)
{
    (void)state;
    text_store store = {0};
    name_table names = {0};
    assert_int_equal(names_find(&names, "a", 1, 0), -1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5000; i++) {
            char name[16];
            int length = snprintf(name, sizeof name, "n%d", i / 2);
            assert_int_equal(names_intern(&names, &store, name, (size_t)length, i % 2), i);
            assert_int_equal(names_intern(&names, &store, name, (size_t)length, i % 2), i);
        }
        assert_int_equal(names.count, 5000);
        assert_int_equal(names_find(&names, "n12345", 3, 1), 25); /* n12 */
        assert_int_equal(names_find(&names, "n12", 3, 2), -1);
        assert_string_equal(names_at(&names, 25)->text, "n12");
        names_drop_last(&names);
        assert_int_equal(names_find(&names, "n2499", 5, 1), -1);
        assert_int_equal(names_find(&names, "n2499", 5, 0), 4998);
        names_clear(&names);
        text_clear(&store);
        assert_int_equal(names_find(&names, "n1", 2, 0), -1);
    }
    names_free(&names);
    text_free(&store);
}

static void texts_stay_where_they_are(void **state)
{
    (void)state;
    enum { TEXTS = 300 };
    static const char *kept[TEXTS];
    static char long_text[20000];
    memset(long_text, 'x', sizeof long_text - 1);
    text_store store = {0};
    for (int i = 0; i < TEXTS; i++)
        kept[i] = text_keep(&store, long_text, (size_t)(i * 50));
    for (int i = 0; i < TEXTS; i++) {
        assert_int_equal(strlen(kept[i]), i * 50);
        assert_memory_equal(kept[i], long_text, (size_t)(i * 50));
    }
    text_free(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_numbered_in_order),
        cmocka_unit_test(texts_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
