/* Files of one image: PGM and PNG of every kind are read as their formats define them; what is broken is
 * refused, with a message that names the file; what is written is read again. */
#include "picture_files.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include "nlm/gallery.h"

/* A copy of the exact size, so that a sanitizer sees any read beyond it. */
static nlm_status parse(struct picture_file file, float *pixels, nlm_error *error)
{
    uint8_t *bytes = malloc(file.size + !file.size);
    memcpy(bytes, file.bytes, file.size);
    *error = (nlm_error){0};
    nlm_status status = picture_parse(bytes, file.size, "f", pixels, error);
    free(bytes);
    return status;
}

static void accept(struct picture_file file, float *pixels)
{
    nlm_error error;
    if (parse(file, pixels, &error))
        fail_msg("%s", error.message);
}

static void refuse(struct picture_file file, const char *message)
{
    float pixels[IMAGES_PIXELS];
    nlm_error error;
    assert_int_equal(parse(file, pixels, &error), NLM_BAD_FILE);
    assert_int_equal(error.status, NLM_BAD_FILE);
    assert_string_equal(error.message, message);
}

static struct picture_file text_file(const char *text)
{
    struct picture_file file = {0};
    picture_put_text(&file, text);
    return file;
}

static struct picture_file cut(struct picture_file file, size_t size)
{
    file.size = size;
    return file;
}

static struct picture_file with_byte(struct picture_file file, size_t at, uint8_t byte)
{
    file.bytes[at] = byte;
    return file;
}

/* ---- PGM ---- */

static void check_pgm(const char *header, bool text, unsigned largest)
{
    float pixels[IMAGES_PIXELS];
    accept(picture_pgm(header, text, largest), pixels);
    for (int i = 0; i < IMAGES_PIXELS; i++) {
        const unsigned value = picture_sample(i % SIDE, i / SIDE, 0, 16) % (largest + 1);
        assert_true(pixels[i] == (float)((double)value / largest));
    }
}

static void pgm_files_are_read(void **state)
{
    (void)state;
    check_pgm("P5\n28 28\n255\n", false, 255);
    check_pgm("P5 28 28 1 ", false, 1);
    check_pgm("P5\n28 28\n200\n", false, 200);
    check_pgm("P5\n28 28\n256\n", false, 256);
    check_pgm("P5\n28 28\n65535\n", false, 65535);
    check_pgm("P5#one\n # two 3\n28#three\r028\t\v\f\r\n#four\n#\n255\n", false, 255);
    check_pgm("P5\n28 28\n255# five\n", false, 255);
    check_pgm("P2\n28 28\n255\n", true, 255);
    check_pgm("P2 28 28 # six\n 1000\n", true, 1000);
    check_pgm("P2\n28\n28\n65535\n", true, 65535);
}

static void broken_pgm_files_are_refused(void **state)
{
    (void)state;
    refuse(text_file(""), "f: is neither PGM (P5, P2) nor PNG");
    refuse(text_file("P"), "f: is neither PGM (P5, P2) nor PNG");
    refuse(text_file("P6\n28 28\n255\n"), "f: is neither PGM (P5, P2) nor PNG");
    refuse(text_file("\xff\xd8\xff\xe0 JFIF"), "f: is neither PGM (P5, P2) nor PNG");
    refuse(picture_pgm("P5\n32 30\n255\n", false, 255), "f: is 32 x 30 pixels, not 28 x 28");
    refuse(text_file("P2 99999999 0 "), "f: is 99999999 x 0 pixels, not 28 x 28");
    refuse(text_file("P5 100000000 28 255 "), "f: broken PGM: a number is too large");
    refuse(text_file("P5 4294967324 28 255 "), "f: broken PGM: a number is too large");
    refuse(text_file("P5\n-28 28\n255\n"), "f: broken PGM: a number is missing");
    refuse(text_file("P5\n28 28\nx"), "f: broken PGM: a number is missing");
    refuse(picture_pgm("P5\n28 28\n0\n", false, 255),
           "f: broken PGM: the largest value is not in 1 to 65535");
    refuse(picture_pgm("P5\n28 28\n65536\n", false, 255),
           "f: broken PGM: the largest value is not in 1 to 65535");
    refuse(picture_pgm("P5\n28 28\n255x", false, 255), "f: broken PGM: no space after the largest value");
    refuse(picture_pgm("P5\n28 28\n254\n", false, 255), "f: broken PGM: a pixel is above the largest value");
    refuse(picture_pgm("P2\n28 28\n254\n", true, 255), "f: broken PGM: a pixel is above the largest value");
    refuse(text_file("P2 28 28 255 12 3.5"), "f: broken PGM: a number is missing");
}

static void pgm_files_of_another_length_are_refused(void **state)
{
    (void)state;
    const struct picture_file bytes = picture_pgm("P5\n28 28\n255\n", false, 255),
                              words = picture_pgm("P5\n28 28\n999\n", false, 999),
                              text = picture_pgm("P2\n28 28\n255\n", true, 255);
    for (size_t size = 2; size < bytes.size; size++)
        refuse(cut(bytes, size), "f: cut off");
    for (size_t size = 2; size < words.size; size++)
        refuse(cut(words, size), "f: cut off");
    size_t end = text.size; /* of the digit of the last pixel that could not be missed */
    for (int spaces = 0; spaces < 2 && end > 0; end--)
        spaces += text.bytes[end - 1] == '\n';
    for (size_t size = 2; size <= end; size++)
        refuse(cut(text, size), "f: cut off");
    refuse(cut(bytes, bytes.size + 1), "f: has more data than its header says");
    refuse(cut(words, words.size + 1), "f: has more data than its header says");
    refuse(with_byte(cut(text, text.size + 1), text.size, '0'), "f: has more data than its header says");
}

/* ---- PNG ---- */

static double luma(const double colour[3])
{
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
}

/* Pixel (x, y) as PNG defines it, on black. */
static double expected(struct picture_kind kind, int x, int y)
{
    const int channels = picture_channels(kind.colour);
    const double largest = (1 << kind.depth) - 1;
    unsigned sample[4];
    double part[4], alpha = 1;
    bool is_key = kind.transparent && kind.colour <= COLOURED;
    for (int c = 0; c < channels; c++) {
        sample[c] = picture_sample(x, y, c, kind.depth);
        part[c] = sample[c] / largest;
        is_key &= sample[c] == picture_sample(3, 5, c, kind.depth);
    }
    if (kind.colour == PALETTE) {
        const int entry = (int)sample[0];
        for (int c = 0; c < 3; c++)
            part[c] = picture_sample(entry, SIDE, c, 8) / 255.0;
        alpha = kind.transparent ? picture_sample(entry, SIDE + 1, 0, 8) / 255.0 : 1;
    } else if (kind.colour >= GREY_ALPHA) {
        alpha = part[channels - 1];
    }
    const bool grey = kind.colour == GREY || kind.colour == GREY_ALPHA;
    return is_key ? 0 : alpha * (grey ? part[0] : luma(part));
}

static void check_png(struct picture_kind kind)
{
    float pixels[IMAGES_PIXELS];
    accept(picture_png(kind), pixels);
    for (int i = 0; i < IMAGES_PIXELS; i++) {
        const double right = expected(kind, i % SIDE, i / SIDE);
        if (!(fabs(pixels[i] - right) < 1e-6))
            fail_msg("colour type %d, depth %d%s%s: pixel %d is %.8f, not %.8f", kind.colour, kind.depth,
                     kind.interlaced ? ", interlaced" : "", kind.transparent ? ", transparent" : "", i,
                     (double)pixels[i], right);
        if (kind.colour == GREY)
            assert_true(pixels[i] == (float)right);
    }
}

static void png_files_of_every_kind_are_read(void **state)
{
    (void)state;
    static const struct picture_kind kinds[] = {
        {GREY, 1, 0, 0},        {GREY, 2, 0, 0},           {GREY, 4, 0, 0},
        {GREY, 8, 0, 0},        {GREY, 16, 0, 0},          {COLOURED, 8, 0, 0},
        {COLOURED, 16, 0, 0},   {PALETTE, 1, 0, 0},        {PALETTE, 2, 0, 0},
        {PALETTE, 4, 0, 0},     {PALETTE, 8, 0, 0},        {GREY_ALPHA, 8, 0, 0},
        {GREY_ALPHA, 16, 0, 0}, {COLOURED_ALPHA, 8, 0, 0}, {COLOURED_ALPHA, 16, 0, 0},
    };
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int variant = 0; variant < 4; variant++) {
            struct picture_kind kind = kinds[k];
            kind.interlaced = variant & 1;
            kind.transparent = variant & 2 && kind.colour <= PALETTE;
            check_png(kind);
        }
}

static const struct picture_kind plain = {GREY, 8, false, false};

static void png_files_of_another_size_are_refused(void **state)
{
    (void)state;
    struct picture_file huge = {0};
    picture_put_size(&huge, plain, 0x7fffffff, 0x7fffffff);
    picture_put_chunk(&huge, "IDAT", "x", 1);
    refuse(picture_png_of(plain, 32, 30), "f: is 32 x 30 pixels, not 28 x 28");
    refuse(picture_png_of(plain, 28, 27), "f: is 28 x 27 pixels, not 28 x 28");
    refuse(huge, "f: is 2147483647 x 2147483647 pixels, not 28 x 28");
}

static void png_files_cut_off_are_refused(void **state)
{
    (void)state;
    const struct picture_kind palette = {PALETTE, 4, true, true};
    const struct picture_file files[] = {picture_png(plain), picture_png(palette)};
    for (size_t f = 0; f < COUNT(files); f++)
        for (size_t size = 1; size < files[f].size; size++)
            refuse(cut(files[f], size), "f: cut off");
}

enum { HEADER = 8, IDAT = HEADER + 25 }; /* where these chunks begin in plain files */

static void broken_png_files_are_refused(void **state)
{
    (void)state;
    const struct picture_file good = picture_png(plain);
    struct picture_file empty = {0}, short_data = {0}, unknown = {0};
    refuse(with_byte(good, 1, 'p'), "f: is neither PGM (P5, P2) nor PNG");
    refuse(with_byte(good, HEADER + 12, 1), "f: broken PNG: IHDR: CRC error");
    refuse(with_byte(good, IDAT + 20, (uint8_t)~good.bytes[IDAT + 20]),
           "f: broken PNG: IDAT: invalid literal/lengths set");
    picture_put_size(&empty, plain, SIDE, SIDE);
    picture_put_chunk(&empty, "IEND", "", 0);
    refuse(empty, "f: broken PNG: IEND: out of place");
    picture_put_size(&short_data, plain, SIDE, SIDE);
    picture_put_chunk(&short_data, "IDAT", "\x78\x9c\x03\0\0\0\0\1", 8); /* nothing, compressed */
    picture_put_chunk(&short_data, "IEND", "", 0);
    refuse(short_data, "f: broken PNG: Not enough image data");
    picture_put_size(&unknown, plain, SIDE, SIDE);
    picture_put_chunk(&unknown, "WHAT", "", 0);
    refuse(unknown, "f: broken PNG: WHAT: unhandled critical chunk");
    refuse(picture_png((struct picture_kind){.colour = 5, .depth = 8}), "f: broken PNG: Invalid IHDR data");
}

/* Whichever bytes are wrong, the result is an image or a message of one line, and nothing is printed. */
static void any_wrong_byte_is_survived(void **state)
{
    (void)state;
    char name[] = "/tmp/nlm-printed-XXXXXX";
    const int printed = mkstemp(name), was = dup(STDERR_FILENO);
    const struct picture_file good = picture_png((struct picture_kind){PALETTE, 8, false, true});
    struct stat about;
    assert_true(printed >= 0 && was >= 0 && dup2(printed, STDERR_FILENO) >= 0);
    int refused = 0;
    bool sound = true;
    for (size_t at = 0; at < good.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            float pixels[IMAGES_PIXELS];
            nlm_error error;
            if (parse(with_byte(good, at, good.bytes[at] ^ (uint8_t)(1 << bit)), pixels, &error)) {
                sound &= error.status == NLM_BAD_FILE && !strncmp(error.message, "f: ", 3);
                refused++;
            }
        }
    const bool silent = !fstat(printed, &about) && about.st_size == 0;
    dup2(was, STDERR_FILENO);
    close(was);
    close(printed);
    unlink(name);
    assert_true(sound);
    assert_true(silent);
    assert_true(refused > 1000);
}

/* ---- files ---- */

static char folder[] = "/tmp/nlm-picture-XXXXXX";
static char path[64];

static int setup(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/p", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void written_images_are_read_again(void **state)
{
    (void)state;
    float pixels[IMAGES_PIXELS], again[IMAGES_PIXELS];
    nlm_error error = {0};
    for (int i = 0; i < IMAGES_PIXELS; i++)
        pixels[i] = (float)(i % 256) / 255.0f;
    assert_int_equal(nlm_image_write(path, pixels, &error), NLM_OK);
    assert_int_equal(nlm_image_read(path, again, &error), NLM_OK);
    assert_memory_equal(again, pixels, sizeof pixels);
}

static void wrong_pixels_are_not_written(void **state)
{
    (void)state;
    static const float wrong[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        float pixels[IMAGES_PIXELS] = {[7] = wrong[k]};
        nlm_error error = {0};
        assert_int_equal(nlm_image_write(path, pixels, &error), NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "/p: pixel 7 is "));
        assert_int_equal(access(path, F_OK), -1);
    }
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    float pixels[IMAGES_PIXELS] = {0};
    nlm_error error = {0};
    char message[NLM_ERROR_SIZE];
    snprintf(message, sizeof message, "%s: No such file or directory", path);
    assert_int_equal(nlm_image_read(path, pixels, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, message);
    snprintf(message, sizeof message, "%s: Is a directory", folder);
    assert_int_equal(nlm_image_write(folder, pixels, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, message);
    assert_int_equal(nlm_image_read(NULL, pixels, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_image_write(path, NULL, &error), NLM_BAD_ARGUMENT);
    const int file = open(path, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(ftruncate(file, (1 << 20) + 1), 0);
    close(file);
    snprintf(message, sizeof message, "%s: file has more than the 1048576 bytes that are allowed", path);
    assert_int_equal(nlm_image_read(path, pixels, &error), NLM_BAD_FILE);
    assert_string_equal(error.message, message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pgm_files_are_read),
        cmocka_unit_test(broken_pgm_files_are_refused),
        cmocka_unit_test(pgm_files_of_another_length_are_refused),
        cmocka_unit_test(png_files_of_every_kind_are_read),
        cmocka_unit_test(png_files_of_another_size_are_refused),
        cmocka_unit_test(png_files_cut_off_are_refused),
        cmocka_unit_test(broken_png_files_are_refused),
        cmocka_unit_test(any_wrong_byte_is_survived),
        cmocka_unit_test_setup_teardown(written_images_are_read_again, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_pixels_are_not_written, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
