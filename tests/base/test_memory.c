/* Memory: sizes that overflow are refused before anything is allocated, blocks are aligned and zeroed,
 * buffers grow, keep what they should and never promise more room than they have. */
#include "test.h"

#include "base/memory.h"

static void assert_aligned(const void *block)
{
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % MEMORY_ALIGNMENT, 0);
}

static void products_are_checked(void **state)
{
    (void)state;
    size_t product = 1;
    assert_true(memory_multiply(6, 7, &product));
    assert_int_equal(product, 42);
    assert_true(memory_multiply(SIZE_MAX, 1, &product));
    assert_true(product == SIZE_MAX);
    assert_true(memory_multiply(SIZE_MAX, 0, &product));
    assert_int_equal(product, 0);
    assert_false(memory_multiply(SIZE_MAX, 2, &product));
    assert_false(memory_multiply(SIZE_MAX / 2 + 1, 2, &product));
}

static void blocks_are_aligned_and_zeroed(void **state)
{
    (void)state;
    for (size_t count = 0; count < 200; count += 13) {
        char *block = memory_new(count, 3);
        assert_aligned(block);
        for (size_t i = 0; i < 3 * count; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0x55, 3 * count);
        memory_free(block);
    }
    memory_free(NULL);
}

static void blocks_of_overflowing_size_are_refused(void **state)
{
    (void)state;
    assert_null(memory_new(SIZE_MAX, 2));
    assert_null(memory_new(SIZE_MAX / 4 + 1, 4));
    assert_null(memory_new(SIZE_MAX, 1));
    assert_null(memory_new(SIZE_MAX / 2 + 1, 1));
}

static void text_is_copied(void **state)
{
    (void)state;
    char text[] = "parent";
    char *copy = memory_copy_text(text);
    text[0] = 'P';
    assert_string_equal(copy, "parent");
    memory_free(copy);
    copy = memory_copy_text("");
    assert_string_equal(copy, "");
    memory_free(copy);
}

static void a_buffer_grows_and_keeps(void **state)
{
    (void)state;
    buffer numbers = {0};
    for (size_t count = 1; count <= 1000; count++) {
        assert_int_equal(buffer_reserve(&numbers, count, sizeof(int), true), NLM_OK);
        assert_aligned(numbers.data);
        assert_true(numbers.capacity >= count * sizeof(int));
        ((int *)numbers.data)[count - 1] = (int)count;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(((int *)numbers.data)[i], i + 1);
    buffer_free(&numbers);
    assert_null(numbers.data);
    assert_int_equal(numbers.capacity, 0);
    buffer_free(&numbers);
}

static void a_size_seen_before_allocates_nothing(void **state)
{
    (void)state;
    buffer room = {0};
    assert_int_equal(buffer_reserve(&room, 100, 8, false), NLM_OK);
    void *data = room.data;
    size_t capacity = room.capacity;
    for (size_t count = 0; count <= 100; count += 10)
        assert_int_equal(buffer_reserve(&room, count, 8, count % 20 == 0), NLM_OK);
    assert_ptr_equal(room.data, data);
    assert_int_equal(room.capacity, capacity);
    buffer_free(&room);
}

static void an_empty_buffer_takes_no_room(void **state)
{
    (void)state;
    buffer room = {0};
    assert_int_equal(buffer_reserve(&room, 0, 8, true), NLM_OK);
    assert_int_equal(room.capacity, 0);
    buffer_free(&room);
}

/* The sizes around 4/5 of SIZE_MAX are those where adding a quarter as slack wraps around to a few bytes. */
static void a_buffer_of_overflowing_size_is_refused_and_kept(void **state)
{
    (void)state;
    static const struct {
        size_t count, size;
    } sizes[] = {
        {SIZE_MAX, 2},
        {SIZE_MAX / 8 + 1, 8},
        {SIZE_MAX, 1},
        {SIZE_MAX / 2 + 1, 1},
        {SIZE_MAX / 5 * 4 + 1, 1},
        {SIZE_MAX / 5 * 4 + 2, 1},
        {SIZE_MAX / 5 * 4 + 100, 1},
        {SIZE_MAX / 5 + 30, 4},
    };
    buffer room = {0};
    assert_int_equal(buffer_reserve(&room, 5, 1, false), NLM_OK);
    memcpy(room.data, "kept", 5);
    void *data = room.data;
    size_t capacity = room.capacity;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_int_equal(buffer_reserve(&room, sizes[i].count, sizes[i].size, true), NLM_NO_MEMORY);
        assert_int_equal(buffer_reserve(&room, sizes[i].count, sizes[i].size, false), NLM_NO_MEMORY);
        assert_ptr_equal(room.data, data);
        assert_int_equal(room.capacity, capacity);
        assert_string_equal(room.data, "kept");
    }
    buffer_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_checked),
        cmocka_unit_test(blocks_are_aligned_and_zeroed),
        cmocka_unit_test(blocks_of_overflowing_size_are_refused),
        cmocka_unit_test(text_is_copied),
        cmocka_unit_test(a_buffer_grows_and_keeps),
        cmocka_unit_test(a_size_seen_before_allocates_nothing),
        cmocka_unit_test(an_empty_buffer_takes_no_room),
        cmocka_unit_test(a_buffer_of_overflowing_size_is_refused_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
