/* Galleries: images as they are in MNIST's files, or drawn; what tells two of them apart; what is refused. */
#include <unistd.h>

#include "perception/idx_files.h"

#include "nlm/gallery.h"

enum { TRAIN = 12, TEST = 7, FILES = 4 };
static const char *const names[FILES] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                         "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/nlm-test-gallery-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (int f = 0; f < FILES; f++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[f]);
        unlink(path);
    }
    return rmdir(folder);
}

/* So many images, and the files as they should be but for one byte, which is one more. */
static void write_files(uint32_t train, uint32_t test, int file, size_t byte)
{
    struct idx_file files[FILES] = {idx_images(train), idx_labels(train), idx_images(test), idx_labels(test)};
    if (file >= 0)
        files[file].bytes[byte]++;
    for (int f = 0; f < FILES; f++)
        idx_write(folder, names[f], files[f]);
}

static nlm_gallery *read_gallery(void)
{
    nlm_gallery *gallery;
    nlm_error error;
    if (nlm_gallery_read(folder, &gallery, &error))
        fail_msg("%s", error.message);
    return gallery;
}

static nlm_gallery *draw_gallery(int train, int test)
{
    nlm_gallery *gallery;
    nlm_error error;
    if (nlm_gallery_draw(train, test, &gallery, &error))
        fail_msg("%s", error.message);
    return gallery;
}

/* ---- images ---- */

static void images_are_those_of_the_files(void **state)
{
    (void)state;
    write_files(TRAIN, TEST, 2, 16); /* the first pixel of the test images is 1 */
    nlm_gallery *gallery = read_gallery();
    float pixels[NLM_IMAGE_PIXELS];
    for (int test = 0; test < 2; test++) {
        assert_int_equal(nlm_gallery_images(gallery, test), test ? TEST : TRAIN);
        for (int i = 0; i < (test ? TEST : TRAIN); i++) {
            assert_int_equal(nlm_gallery_image(gallery, test, i, pixels), i % 10);
            for (int k = test && i == 0; k < NLM_IMAGE_PIXELS; k++)
                assert_true(pixels[k] == (float)((i + k) % 256) / 255.0f);
        }
    }
    assert_int_equal(nlm_gallery_image(gallery, true, 0, pixels), 0);
    assert_true(pixels[0] == 1.0f / 255.0f);
    nlm_gallery_free(gallery);
}

static void an_image_that_is_not_there_is_no_digit(void **state)
{
    (void)state;
    nlm_gallery *gallery = draw_gallery(3, 2);
    float pixels[NLM_IMAGE_PIXELS] = {7};
    assert_int_equal(nlm_gallery_image(gallery, false, 3, pixels), -1);
    assert_int_equal(nlm_gallery_image(gallery, true, 2, pixels), -1);
    assert_int_equal(nlm_gallery_image(gallery, false, -1, pixels), -1);
    assert_true(pixels[0] == 7);
    nlm_gallery_free(gallery);
    nlm_gallery_free(NULL);
}

/* In [0, 1]; a larger gallery begins as a smaller one; those to test with are others. */
static void drawn_images_are_digits(void **state)
{
    (void)state;
    enum { DRAWN = 200 };
    nlm_gallery *gallery = draw_gallery(DRAWN, DRAWN), *smaller = draw_gallery(5, 4);
    static float pixels[2][DRAWN][NLM_IMAGE_PIXELS];
    int seen[2][10] = {0};
    for (int test = 0; test < 2; test++)
        for (int i = 0; i < DRAWN; i++) {
            const int digit = nlm_gallery_image(gallery, test, i, pixels[test][i]);
            assert_true(digit >= 0 && digit < 10);
            seen[test][digit]++;
            float least = 1, most = 0;
            for (int k = 0; k < NLM_IMAGE_PIXELS; k++) {
                least = pixels[test][i][k] < least ? pixels[test][i][k] : least;
                most = pixels[test][i][k] > most ? pixels[test][i][k] : most;
            }
            assert_true(least >= 0 && least < 0.2f && most > 0.6f && most <= 1);
        }
    for (int digit = 0; digit < 10; digit++)
        assert_true(seen[0][digit] >= 5 && seen[1][digit] >= 5);
    for (int i = 0; i < DRAWN; i++)
        for (int k = 0; k < DRAWN; k++)
            assert_memory_not_equal(pixels[0][i], pixels[1][k], sizeof pixels[0][i]);
    for (int i = 0; i < 4; i++) {
        float again[NLM_IMAGE_PIXELS];
        nlm_gallery_image(smaller, true, i, again);
        assert_memory_equal(again, pixels[1][i], sizeof again);
    }
    nlm_gallery_free(gallery);
    nlm_gallery_free(smaller);
}

/* ---- digests ---- */

static uint64_t digest_of_files(uint32_t train, uint32_t test, int file, size_t byte)
{
    write_files(train, test, file, byte);
    nlm_gallery *gallery = read_gallery();
    const uint64_t digest = nlm_gallery_digest(gallery);
    assert_true(digest != 0);
    nlm_gallery_free(gallery);
    return digest;
}

static void galleries_that_differ_have_other_digests(void **state)
{
    (void)state;
    enum { IMAGES_HEAD = 16, LABELS_HEAD = 8, DIFFERENT = 11 };
    const uint64_t digests[DIFFERENT] = {
        digest_of_files(TRAIN, TEST, -1, 0),
        digest_of_files(TRAIN, TEST, 0, IMAGES_HEAD), /* first and last pixels, and labels */
        digest_of_files(TRAIN, TEST, 0, IMAGES_HEAD + TRAIN * NLM_IMAGE_PIXELS - 1),
        digest_of_files(TRAIN, TEST, 1, LABELS_HEAD),
        digest_of_files(TRAIN, TEST, 1, LABELS_HEAD + TRAIN - 1),
        digest_of_files(TRAIN, TEST, 2, IMAGES_HEAD),
        digest_of_files(TRAIN, TEST, 2, IMAGES_HEAD + TEST * NLM_IMAGE_PIXELS - 1),
        digest_of_files(TRAIN, TEST, 3, LABELS_HEAD),
        digest_of_files(TRAIN, TEST, 3, LABELS_HEAD + TEST - 1),
        digest_of_files(TRAIN + 1, TEST - 1, -1, 0),
        digest_of_files(TEST, TRAIN, -1, 0),
    };
    for (int a = 0; a < DIFFERENT; a++)
        for (int b = 0; b < a; b++)
            if (digests[a] == digests[b])
                fail_msg("galleries %d and %d have the same digest", a, b);
    assert_true(digest_of_files(TRAIN, TEST, -1, 0) == digests[0]);
}

static void drawn_galleries_have_a_digest_each(void **state)
{
    (void)state;
    nlm_gallery *a = draw_gallery(9, 5), *b = draw_gallery(9, 6), *c = draw_gallery(9, 5);
    assert_true(nlm_gallery_digest(a) == nlm_gallery_digest(c));
    assert_true(nlm_gallery_digest(a) != nlm_gallery_digest(b));
    nlm_gallery_free(a);
    nlm_gallery_free(b);
    nlm_gallery_free(c);
}

/* ---- refused ---- */

static void impossible_numbers_of_images_are_refused(void **state)
{
    (void)state;
    static const int bad[][2] = {{0, 5}, {5, 0}, {-1, 5}, {5, -1}, {1000001, 1}, {1, 1000001}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        nlm_gallery *gallery = (nlm_gallery *)&folder;
        nlm_error error;
        assert_int_equal(nlm_gallery_draw(bad[i][0], bad[i][1], &gallery, &error), NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "a gallery has 1 to 1000000 images of each kind, not "));
        assert_null(gallery);
    }
}

static void assert_unreadable(nlm_status status, const char *file)
{
    nlm_gallery *gallery = (nlm_gallery *)&folder;
    nlm_error error;
    assert_int_equal(nlm_gallery_read(folder, &gallery, &error), status);
    assert_int_equal(error.status, status);
    assert_null(gallery);
    if (!strstr(error.message, file))
        fail_msg("\"%s\" does not name %s", error.message, file);
    assert_null(strchr(error.message, '\n'));
}

static void folders_without_all_files_are_refused(void **state)
{
    (void)state;
    assert_unreadable(NLM_IO_ERROR, "train-images");
    for (int f = 0; f < FILES; f++) {
        char path[128];
        write_files(TRAIN, TEST, -1, 0);
        snprintf(path, sizeof path, "%s/%s", folder, names[f]);
        assert_int_equal(unlink(path), 0);
        assert_unreadable(NLM_IO_ERROR, names[f]);
    }
    nlm_gallery *gallery;
    assert_int_equal(nlm_gallery_read("/nowhere/at/all", &gallery, NULL), NLM_IO_ERROR);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    for (int f = 0; f < FILES; f++) {
        write_files(TRAIN, TEST, f, 3); /* the kind of the file */
        assert_unreadable(NLM_BAD_FILE, names[f]);
        write_files(TRAIN, TEST, f, 7); /* one more than there are */
        assert_unreadable(NLM_BAD_FILE, names[f]);
    }
    write_files(TRAIN, TEST, -1, 0);
    idx_write(folder, names[3], idx_labels(TEST - 1)); /* as many labels as images */
    assert_unreadable(NLM_BAD_FILE, "t10k");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(images_are_those_of_the_files),
        cmocka_unit_test(an_image_that_is_not_there_is_no_digit),
        cmocka_unit_test(drawn_images_are_digits),
        IN_FOLDER(galleries_that_differ_have_other_digests),
        cmocka_unit_test(drawn_galleries_have_a_digest_each),
        cmocka_unit_test(impossible_numbers_of_images_are_refused),
        IN_FOLDER(folders_without_all_files_are_refused),
        IN_FOLDER(broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
