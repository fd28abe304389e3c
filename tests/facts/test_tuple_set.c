/* Sets of tuples against a plain list, and patterns against their definition. */
#include "facts/files.h"
#include "base/random.h"
#include "facts/pattern.h"
#include "facts/tuple_set.h"

enum { MOST = 3000, OBJECTS = 12 };

static void check_arity(tuple_set *set, int arity)
{
    static int tuples[MOST][NLM_MAX_FACT_ARITY];
    static uint8_t marks[MOST];
    size_t count = 0;
    random_stream random;
    random_start(&random, 3, (uint64_t)arity);
    tuple_set_clear(set, arity);
    for (int round = 0; round < MOST; round++) {
        int tuple[NLM_MAX_FACT_ARITY] = {0};
        uint8_t mark = (uint8_t)(1 + random_below(&random, 2));
        for (int k = 0; k < arity; k++)
            tuple[k] = (int)random_below(&random, OBJECTS);
        size_t at = 0;
        while (at < count && memcmp(tuples[at], tuple, sizeof tuple))
            at++;
        assert_int_equal(tuple_set_marks(set, tuple), at < count ? marks[at] : 0);
        assert_int_equal(tuple_set_add(set, tuple, mark), NLM_OK);
        if (at == count) {
            memcpy(tuples[count++], tuple, sizeof tuple);
            marks[at] = 0;
        }
        marks[at] |= mark;
    }
    assert_int_equal(set->count, count);
    for (size_t i = 0; i < count; i++) {
        if (arity > 0)
            assert_memory_equal(tuple_set_at(set, i), tuples[i], (size_t)arity * sizeof(int));
        assert_int_equal(tuple_set_marks_at(set, i), marks[i]);
    }
}

static void sets_hold_each_tuple_once(void **state)
{
    (void)state;
    tuple_set set = {0};
    for (int arity = NLM_MAX_FACT_ARITY; arity >= 0; arity--)
        check_arity(&set, arity);
    tuple_set_free(&set);
}

static void patterns_have_codes(void **state)
{
    (void)state;
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++) {
        static const int patterns[] = {1, 1, 2, 5, 15}; /* Bell's numbers */
        bool seen[PATTERN_CODES] = {false};
        int count = 0, zero[NLM_MAX_FACT_ARITY] = {0};
        for (int tuple = 0; tuple < 256; tuple++) {
            int atoms[NLM_MAX_FACT_ARITY], first[NLM_MAX_FACT_ARITY], place[NLM_MAX_FACT_ARITY], objects;
            for (int k = 0; k < NLM_MAX_FACT_ARITY; k++)
                atoms[k] = tuple >> 2 * k & 3;
            int code = pattern_of(atoms, zero, arity, first, &objects);
            assert_true(code >= 0 && code < PATTERN_CODES);
            assert_int_equal(pattern_places(code, arity, place), objects);
            assert_true(pattern_is_valid(place, arity));
            assert_int_equal(pattern_code(place, arity), code);
            for (int k = 0; k < arity; k++)
                assert_int_equal(atoms[first[place[k]]], atoms[k]);
            assert_true((code == pattern_plain(arity)) == (objects == arity));
            count += !seen[code];
            seen[code] = true;
        }
        assert_int_equal(count, patterns[arity]);
    }
    static const int atoms[] = {1, 1}, types[] = {1, 2};
    int first[2], objects;
    assert_int_equal(pattern_of(atoms, types, 2, first, &objects), pattern_plain(2));
    assert_int_equal(objects, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_hold_each_tuple_once),
        cmocka_unit_test(patterns_have_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
