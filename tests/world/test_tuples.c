/* Tuples: their numbering and walks over them, against a plain enumeration, for worlds of different sizes,
 * among them worlds with fewer objects than the arity. */
#include "test.h"

#include "base/orders.h"
#include "world/tuples.h"

/* ---- the definition: all sorted tuples, world by world, in colexicographic order ---- */

typedef struct place {
    int world;
    int x[NLM_MAX_BREADTH];
} place;

typedef struct listing {
    place *places;
    size_t count;
} listing;

/* The last element counts most; all tuples here have `arity` elements and the rest 0. */
static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->world != b->world)
        return a->world - b->world;
    for (int k = NLM_MAX_BREADTH - 1; k >= 0; k--)
        if (a->x[k] != b->x[k])
            return a->x[k] - b->x[k];
    return 0;
}

static void list_from(listing *list, place *at, int position, int arity, int objects)
{
    if (position == arity || position == NLM_MAX_BREADTH) {
        list->places[list->count++] = *at;
        return;
    }
    for (int x = position ? at->x[position - 1] + 1 : 0; x < objects; x++) {
        at->x[position] = x;
        list_from(list, at, position + 1, arity, objects);
    }
    at->x[position] = 0;
}

static listing list_tuples(const int *objects, int worlds, int arity)
{
    enum { MOST = 1 << 14 };
    listing list = {test_malloc(MOST * sizeof(place)), 0};
    for (int w = 0; w < worlds; w++) {
        place at = {.world = w};
        list_from(&list, &at, 0, arity, objects[w]);
    }
    assert_true(list.count < MOST);
    qsort(list.places, list.count, sizeof(place), compare_places);
    return list;
}

/* ---- batches of worlds ---- */

static const struct {
    int objects[8], worlds;
} batches[] = {
    {{1}, 1},          {{9}, 1},          {{3, 1, 7, 2, 5}, 5}, {{1, 1, 1}, 3},
    {{2, 1, 4, 3}, 4}, {{8, 1, 1, 8}, 4}, {{5, 6, 5}, 3},       {{1, 2, 3, 4, 5, 6, 7, 8}, 8},
};

static void add_worlds(struct tuples *tuples, const int *objects, int worlds)
{
    for (int w = 0; w < worlds; w++)
        assert_int_equal(tuples_add_world(tuples, objects[w], NULL), NLM_OK);
}

static void for_all_batches(void (*check)(const struct tuples *tuples, const listing *list, int arity))
{
    for (size_t b = 0; b < COUNT(batches); b++) {
        struct tuples tuples = {0};
        add_worlds(&tuples, batches[b].objects, batches[b].worlds);
        for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
            listing list = list_tuples(batches[b].objects, batches[b].worlds, r);
            check(&tuples, &list, r);
            test_free(list.places);
        }
        tuples_free(&tuples);
    }
}

static void check_indices(const struct tuples *tuples, const listing *list, int arity)
{
    assert_int_equal(tuples_count(tuples, arity), list->count);
    for (size_t i = 0; i < list->count; i++)
        assert_int_equal(tuples_index(tuples, list->places[i].world, list->places[i].x, arity), i);
    size_t before = 0;
    for (int w = 0; w < tuples->worlds; w++) {
        assert_int_equal(tuples_offset(tuples, w, arity), before);
        while (before < list->count && list->places[before].world == w)
            before++;
    }
}

static void tuples_are_numbered_in_order(void **state)
{
    (void)state;
    for_all_batches(check_indices);
}

/* Every order of every tuple leads back to it. */
static void check_find(const struct tuples *tuples, const listing *list, int arity)
{
    static struct orders orders;
    orders_fill(&orders, arity);
    for (size_t i = 0; i < list->count; i++)
        for (int a = 0; a < orders.count; a++) {
            int tuple[NLM_MAX_BREADTH], order;
            for (int k = 0; k < arity; k++)
                tuple[k] = list->places[i].x[orders.order[a][k]];
            assert_int_equal(tuples_find(tuples, list->places[i].world, tuple, arity, &order), i);
            assert_int_equal(order, a);
        }
}

static void tuples_are_found_in_any_order(void **state)
{
    (void)state;
    for_all_batches(check_find);
}

/* A walk from `start` meets exactly the tuples from there on, in runs in which only x[0] grows, and as long
 * as that is so. */
static void assert_walk(const struct tuples *tuples, const listing *list, int arity, size_t start)
{
    size_t i = start;
    for (struct tuple_walk walk = tuple_walk_start(tuples, arity, start); walk.run;
         tuple_walk_next_run(&walk)) {
        assert_int_equal(walk.index, i);
        for (size_t e = 0; e < walk.run; e++, i++) {
            assert_true(i < list->count);
            assert_int_equal(walk.world, list->places[i].world);
            for (int k = 0; k < arity; k++)
                assert_int_equal(walk.x[k] + (k == 0 ? (int)e : 0), list->places[i].x[k]);
        }
        bool same = i < list->count && list->places[i].world == walk.world && arity > 0;
        for (int k = 1; k < arity && same; k++)
            same = list->places[i].x[k] == walk.x[k];
        assert_false(same);
    }
    assert_int_equal(i, start < list->count ? list->count : start);
}

static void check_walks(const struct tuples *tuples, const listing *list, int arity)
{
    for (size_t start = 0; start <= list->count + 1; start++)
        assert_walk(tuples, list, arity, start);
}

static void walks_start_anywhere(void **state)
{
    (void)state;
    for_all_batches(check_walks);
}

/* ---- the same memory for other worlds ---- */

static void no_worlds_have_no_tuples(void **state)
{
    (void)state;
    struct tuples tuples = {0}, copy = {0};
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        assert_int_equal(tuples_count(&tuples, r), 0);
        assert_int_equal(tuple_walk_start(&tuples, r, 0).run, 0);
    }
    assert_int_equal(tuples_copy(&copy, &tuples), NLM_OK);
    assert_int_equal(tuples_count(&copy, 1), 0);
    tuples_free(&copy);
    tuples_free(&tuples);
}

static void cleared_tuples_start_again(void **state)
{
    (void)state;
    struct tuples tuples = {0};
    for (size_t b = 0; b < COUNT(batches); b++) {
        tuples_clear(&tuples);
        assert_int_equal(tuples_count(&tuples, 2), 0);
        add_worlds(&tuples, batches[b].objects, batches[b].worlds);
        for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
            listing list = list_tuples(batches[b].objects, batches[b].worlds, r);
            check_indices(&tuples, &list, r);
            test_free(list.places);
        }
    }
    tuples_free(&tuples);
}

/* A copy is right whether it knew larger worlds or smaller ones, and stands alone. */
static void copies_are_the_same(void **state)
{
    (void)state;
    struct tuples copy = {0};
    for (size_t b = 0; b < COUNT(batches); b++) {
        struct tuples tuples = {0};
        add_worlds(&tuples, batches[b].objects, batches[b].worlds);
        assert_int_equal(tuples_copy(&copy, &tuples), NLM_OK);
        tuples_free(&tuples);
        assert_int_equal(copy.worlds, batches[b].worlds);
        for (int w = 0; w < copy.worlds; w++)
            assert_int_equal(tuples_objects(&copy, w), batches[b].objects[w]);
        for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
            listing list = list_tuples(batches[b].objects, batches[b].worlds, r);
            check_indices(&copy, &list, r);
            check_walks(&copy, &list, r);
            test_free(list.places);
        }
    }
    tuples_free(&copy);
}

/* ---- sizes ---- */

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    struct tuples tuples = {0};
    static const int bad[] = {0, -1, 1000001, INT32_MAX, INT32_MIN};
    nlm_error error;
    assert_int_equal(tuples_add_world(&tuples, 3, NULL), NLM_OK);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(tuples_add_world(&tuples, bad[i], &error), NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "objects"));
        assert_int_equal(tuples.worlds, 1);
    }
    assert_int_equal(tuples_count(&tuples, 2), 3);
    tuples_free(&tuples);
}

/* Counting stops instead of wrapping around, also when worlds are added up.  A size_t of 32 bits counts the
 * pairs of 10,000 objects, one of 64 bits the triples of 1,000,000. */
static void huge_worlds_do_not_overflow(void **state)
{
    (void)state;
    struct tuples tuples = {0};
    const int largest = SIZE_MAX > UINT32_MAX ? 3 : 2, n = largest == 3 ? 1000000 : 10000;
    const uint64_t pairs = (uint64_t)n * (uint64_t)(n - 1) / 2;
    for (int w = 0; w < 3; w++)
        assert_int_equal(tuples_add_world(&tuples, n, NULL), NLM_OK);
    assert_int_equal(tuples_count(&tuples, 0), 3);
    assert_int_equal(tuples_count(&tuples, 1), 3 * n);
    assert_true(tuples_count(&tuples, 2) == 3 * pairs);
    if (largest == 3)
        assert_true(tuples_count(&tuples, 3) == pairs * (uint64_t)(n - 2)); /* 3 worlds, each a third of it */
    for (int r = largest + 1; r <= NLM_MAX_BREADTH; r++)
        assert_int_equal(tuples_count(&tuples, r), TUPLES_TOO_MANY);
    /* the last tuple of the last world, which only a walk that starts there meets */
    const int objects[] = {n - 3, n - 2, n - 1}, *last = objects + 3 - largest;
    size_t index = tuples_index(&tuples, 2, last, largest);
    assert_int_equal(index, tuples_count(&tuples, largest) - 1);
    struct tuple_walk walk = tuple_walk_start(&tuples, largest, index);
    assert_int_equal(walk.run, 1);
    assert_memory_equal(walk.x, last, (size_t)largest * sizeof *last);
    tuple_walk_next_run(&walk);
    assert_int_equal(walk.run, 0);
    tuples_free(&tuples);
}

/* Numbers of dense results count all tuples in the order of the objects. */
static void tuples_have_numbers(void **state)
{
    (void)state;
    enum { OBJECTS = 4 };
    for (int arity = 0; arity <= NLM_MAX_BREADTH; arity++) {
        int counter[NLM_MAX_BREADTH] = {0}; /* as an odometer */
        const size_t count = nlm_tuple_count(OBJECTS, arity);
        size_t distinct = 0, expected = 1;
        for (int k = 0; k < arity; k++)
            expected *= (size_t)(OBJECTS - k > 0 ? OBJECTS - k : 0);
        for (size_t number = 0; number < count; number++) {
            int tuple[NLM_MAX_BREADTH];
            assert_int_equal(nlm_tuple_number(OBJECTS, arity, counter), number);
            if (nlm_tuple_at(OBJECTS, arity, number, tuple)) {
                assert_memory_equal(tuple, counter, (size_t)arity * sizeof *tuple);
                distinct++;
            }
            for (int k = arity - 1; k >= 0 && ++counter[k] == OBJECTS; k--)
                counter[k] = 0;
        }
        assert_int_equal(distinct, expected);
    }
    assert_int_equal(nlm_tuple_count(0, 2), 0);
    assert_int_equal(nlm_tuple_count(1000000, 4), SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuples_are_numbered_in_order), cmocka_unit_test(tuples_are_found_in_any_order),
        cmocka_unit_test(walks_start_anywhere),         cmocka_unit_test(no_worlds_have_no_tuples),
        cmocka_unit_test(cleared_tuples_start_again),   cmocka_unit_test(copies_are_the_same),
        cmocka_unit_test(impossible_sizes_are_refused), cmocka_unit_test(huge_worlds_do_not_overflow),
        cmocka_unit_test(tuples_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
