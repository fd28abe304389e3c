/* Memory of files of one image: whichever allocation fails, libpng's included, the call says so and leaves
 * nothing behind. */
#include "failing_malloc.h"
#include "picture_files.h"

#include <unistd.h>

static struct picture_file file;
static float pixels[IMAGES_PIXELS];
static char path[] = "/tmp/nlm-picture-XXXXXX";

static nlm_status parse_file(nlm_error *error)
{
    return picture_parse(file.bytes, file.size, "f", pixels, error);
}

static nlm_status write_file(nlm_error *error)
{
    file_writer writer;
    nlm_status status = picture_write(&writer, path, pixels, error);
    return status ? status : file_writer_commit(&writer, error);
}

static nlm_status read_file(nlm_error *error)
{
    return picture_read(path, pixels, error);
}

/* Lets each allocation fail in turn, until there is none left to fail. */
static void fail_each(nlm_status (*attempt)(nlm_error *), bool allocates)
{
    nlm_error error = {0};
    for (int number = 0;; number++) {
        fail_allocation(number);
        nlm_status status = attempt(&error);
        bool failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (!failed) {
            assert_int_equal(number > 0, allocates);
            return;
        }
        assert_string_equal(error.message, "out of memory");
    }
}

static void failing_parsers_say_so(void **state)
{
    (void)state;
    file = picture_pgm("P5 28 28 255 ", false, 255);
    fail_each(parse_file, false);
    file = picture_png((struct picture_kind){PALETTE, 4, true, true});
    fail_each(parse_file, true);
    file = picture_png((struct picture_kind){COLOURED, 16, false, true});
    fail_each(parse_file, true);
}

static void failing_files_say_so(void **state)
{
    (void)state;
    const int made = mkstemp(path);
    assert_true(made >= 0);
    close(made);
    fail_each(write_file, true);
    fail_each(read_file, true);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_parsers_say_so),
        cmocka_unit_test(failing_files_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
