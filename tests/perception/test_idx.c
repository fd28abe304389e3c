/* IDX files: read whole, plain and gzipped, under all their names; and what is broken is refused, with a
 * message that names the file. */
#include "idx_files.h"

#include <unistd.h>
#include "base/memory.h"

/* ---- content ---- */

static void check_images(struct idx_file file, int expected)
{
    uint8_t *pixels;
    int count;
    nlm_error error = {0};
    if (idx_parse_images(file.bytes, file.size, "i", &pixels, &count, &error))
        fail_msg("%s", error.message);
    assert_int_equal(count, expected);
    for (int i = 0; i < count * IMAGES_PIXELS; i++)
        assert_int_equal(pixels[i], (uint8_t)(i / IMAGES_PIXELS + i % IMAGES_PIXELS));
    memory_free(pixels);
}

static void check_labels(struct idx_file file, int expected)
{
    uint8_t *labels;
    int count;
    nlm_error error = {0};
    if (idx_parse_labels(file.bytes, file.size, "l", &labels, &count, &error))
        fail_msg("%s", error.message);
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++)
        assert_int_equal(labels[i], i % 10);
    memory_free(labels);
}

static void good_files_are_read(void **state)
{
    (void)state;
    check_images(idx_images(1), 1);
    check_images(idx_images(7), 7);
    check_images(idx_gzip(idx_images(7)), 7);
    check_labels(idx_labels(1), 1);
    check_labels(idx_labels(123), 123);
    check_labels(idx_gzip(idx_labels(123)), 123);
}

typedef nlm_status (*parser)(const void *, size_t, const char *, uint8_t **, int *, nlm_error *);

/* A copy of the exact size, so that a sanitizer sees any read beyond it. */
static void refuse(parser parse, struct idx_file file, const char *message)
{
    uint8_t *bytes = malloc(file.size), *items = file.bytes;
    int count = 1;
    nlm_error error = {0};
    memcpy(bytes, file.bytes, file.size);
    assert_int_equal(parse(bytes, file.size, "f", &items, &count, &error), NLM_BAD_FILE);
    assert_int_equal(error.status, NLM_BAD_FILE);
    if (message)
        assert_string_equal(error.message, message);
    else
        assert_memory_equal(error.message, "f: ", 3);
    assert_null(items);
    assert_int_equal(count, 0);
    free(bytes);
}

/* A good file with one byte changed. */
static struct idx_file with_byte(struct idx_file file, size_t at, uint8_t byte)
{
    file.bytes[at] = byte;
    return file;
}

static struct idx_file cut(struct idx_file file, size_t size)
{
    file.size = size;
    return file;
}

static void broken_headers_are_refused(void **state)
{
    (void)state;
    refuse(idx_parse_images, idx_labels(3), "f: begins with 0x00000801; images begin with 0x00000803");
    refuse(idx_parse_labels, idx_images(1), "f: begins with 0x00000803; labels begin with 0x00000801");
    refuse(idx_parse_images, with_byte(idx_images(1), 7, 0),
           "f: says that it has 0 images; 1 to 1000000 can be read");
    refuse(idx_parse_images, with_byte(idx_images(1), 4, 0xff),
           "f: says that it has 4278190081 images; 1 to 1000000 can be read");
    refuse(idx_parse_labels, with_byte(idx_labels(3), 4, 1),
           "f: says that it has 16777219 labels; 1 to 1000000 can be read");
    refuse(idx_parse_images, with_byte(idx_images(1), 11, 32),
           "f: has images of 32 x 28 pixels, not of 28 x 28");
    refuse(idx_parse_images, with_byte(idx_images(1), 12, 128),
           "f: has images of 28 x 2147483676 pixels, not of 28 x 28");
}

static void wrong_labels_are_refused(void **state)
{
    (void)state;
    refuse(idx_parse_labels, with_byte(idx_labels(30), 8, 10), "f: label 0 is 10; labels are 0 to 9");
    refuse(idx_parse_labels, idx_gzip(with_byte(idx_labels(30), 37, 255)),
           "f: label 29 is 255; labels are 0 to 9");
}

/* Every length but the right one. */
static void files_cut_off_are_refused(void **state)
{
    (void)state;
    const struct idx_file images = idx_images(2), labels = idx_labels(9), gzipped = idx_gzip(labels);
    for (size_t size = 0; size < images.size; size += size < 20 ? 1 : 97)
        refuse(idx_parse_images, cut(images, size), NULL);
    for (size_t size = 0; size < labels.size; size++)
        refuse(idx_parse_labels, cut(labels, size), NULL);
    for (size_t size = 0; size < gzipped.size; size++)
        refuse(idx_parse_labels, cut(gzipped, size), NULL);
    refuse(idx_parse_labels, cut(labels, 3), "f: cut off");
    refuse(idx_parse_labels, cut(gzipped, 15), "f: cut off");
    refuse(idx_parse_labels, cut(gzipped, gzipped.size - 1), "f: cut off");
    refuse(idx_parse_images, cut(images, images.size - 1),
           "f: cut off: too short for the 2 images that it should have");
}

static void files_that_go_on_are_refused(void **state)
{
    (void)state;
    const char *message = "f: has more data than its header says";
    struct idx_file plain = idx_labels(9), gzipped = idx_gzip(plain);
    refuse(idx_parse_labels, cut(plain, plain.size + 1), message);
    refuse(idx_parse_labels, idx_gzip(cut(plain, plain.size + 1)), message);
    refuse(idx_parse_labels, cut(gzipped, gzipped.size + 1), message);
}

/* A small file that claims many images: memory for them is not even asked for. */
static void false_promises_are_refused(void **state)
{
    (void)state;
    struct idx_file file = {0};
    idx_put_word(&file, 0x803);
    idx_put_word(&file, IDX_MOST);
    idx_put_word(&file, IMAGES_SIDE);
    idx_put_word(&file, IMAGES_SIDE);
    const char *message = "f: cut off: too short for the 1000000 images that it should have";
    refuse(idx_parse_images, file, message);
    refuse(idx_parse_images, idx_gzip(file), message);
}

static void broken_gzip_is_refused(void **state)
{
    (void)state;
    const struct idx_file gzipped = idx_gzip(idx_labels(200));
    refuse(idx_parse_labels, with_byte(gzipped, 2, 9), "f: broken gzip: unknown compression method");
    refuse(idx_parse_labels, with_byte(gzipped, gzipped.size - 8, (uint8_t)~gzipped.bytes[gzipped.size - 8]),
           "f: broken gzip: incorrect data check");
    refuse(idx_parse_labels, with_byte(gzipped, gzipped.size - 1, 1),
           "f: broken gzip: incorrect length check");
    refuse(idx_parse_labels, with_byte(gzipped, 10, 0x07), "f: broken gzip: invalid block type");
}

/* ---- folders ---- */

static char folder[] = "/tmp/nlm-idx-XXXXXX";

static const char *const names[] = {
    "train-images-idx3-ubyte", "train-labels-idx1-ubyte.gz", "t10k-images.idx3-ubyte.gz",
    "t10k-labels.idx1-ubyte",  "train-labels-idx1-ubyte",
};

static int setup(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void check_set(enum idx_set set, int expected)
{
    struct images images;
    nlm_error error = {0};
    if (idx_read(folder, set, &images, &error))
        fail_msg("%s", error.message);
    assert_int_equal(images.count, expected);
    for (int i = 0; i < expected; i++) {
        assert_int_equal(images.labels[i], i % 10);
        assert_int_equal(images.pixels[i * IMAGES_PIXELS + 3], i + 3);
    }
    images_free(&images);
}

static void folders_are_read_under_all_names(void **state)
{
    (void)state;
    idx_write(folder, names[0], idx_images(5));
    idx_write(folder, names[1], idx_gzip(idx_labels(5)));
    idx_write(folder, names[2], idx_gzip(idx_images(3)));
    idx_write(folder, names[3], idx_labels(3));
    check_set(IDX_TRAIN, 5);
    check_set(IDX_TEST, 3);
}

/* Reading fails with the folder's name followed by this. */
static void refuse_set(enum idx_set set, nlm_status status, const char *format)
{
    struct images images = {.count = 1};
    nlm_error error = {0};
    char message[NLM_ERROR_SIZE];
    snprintf(message, sizeof message, format, folder, folder);
    assert_int_equal(idx_read(folder, set, &images, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(images.count, 0);
    assert_null(images.pixels);
    assert_null(images.labels);
}

static void incomplete_folders_are_refused(void **state)
{
    (void)state;
    refuse_set(IDX_TEST, NLM_IO_ERROR, "%s: has no t10k-images-idx3-ubyte, plain or .gz");
    idx_write(folder, names[0], idx_images(5));
    refuse_set(IDX_TRAIN, NLM_IO_ERROR, "%s: has no train-labels-idx1-ubyte, plain or .gz");
    idx_write(folder, names[4], idx_labels(6));
    refuse_set(IDX_TRAIN, NLM_BAD_FILE,
               "%s/train-labels-idx1-ubyte: has 6 labels for the 5 images of %s/train-images-idx3-ubyte");
    idx_write(folder, names[4], cut(idx_labels(6), 9));
    refuse_set(IDX_TRAIN, NLM_BAD_FILE,
               "%s/train-labels-idx1-ubyte: cut off: too short for the 6 labels that it should have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_are_read),
        cmocka_unit_test(broken_headers_are_refused),
        cmocka_unit_test(wrong_labels_are_refused),
        cmocka_unit_test(files_cut_off_are_refused),
        cmocka_unit_test(files_that_go_on_are_refused),
        cmocka_unit_test(false_promises_are_refused),
        cmocka_unit_test(broken_gzip_is_refused),
        cmocka_unit_test_setup_teardown(folders_are_read_under_all_names, setup, teardown),
        cmocka_unit_test_setup_teardown(incomplete_folders_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
