/* Checkpoints that are broken: each is refused in one line that names the file. */
#define _GNU_SOURCE /* memmem */
#include <fcntl.h>
#include <sys/stat.h>
#include "learn/runs.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* ---- a checkpoint to break ---- */

/* A small machine in the middle of its run, which has failed exams and begun again. */
static void save_checkpoint(const char *path)
{
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_BEST, 5);
    training.spec.depth = 1;
    training.spec.width = 2;
    training.batches = 2;
    training.epochs = 8;
    training.threshold = 1000;
    training.exam = 8;
    training.patience = 2;
    nlm_run *trainer = begin_run(&training, 1);
    for (int e = 0; e < 3; e++)
        run_epoch(trainer);
    assert_int_equal(epoch_of(trainer)->restarts, 1);
    assert_true(epoch_of(trainer)->failures > 1);
    CHECK(nlm_run_save_checkpoint(trainer, path, &check_error));
    nlm_run_free(trainer);
}

/* With one change that makes sense it still loads, so that what is refused is refused for its change. */
static void assert_accepted(const folder *made, change changed)
{
    nlm_run *trainer;
    rewrite_checkpoint(made->file, made->other, &changed);
    CHECK(nlm_run_load(made->other, NULL, NULL, &trainer, &check_error));
    nlm_run_free(trainer);
}

static void assert_load_refused(const char *path, const char *cause)
{
    nlm_run *trainer = (nlm_run *)&cause;
    nlm_error error = {0};
    if (nlm_run_load(path, NULL, NULL, &trainer, &error) == NLM_OK) {
        nlm_run_free(trainer);
        fail_msg("accepted: %s", cause);
    }
    assert_null(trainer);
    assert_said(&error, NLM_BAD_FILE, "");
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    assert_int_equal(nlm_run_load(path, NULL, NULL, &trainer, NULL), NLM_BAD_FILE);
}

static void assert_refused_with(const folder *made, change changed)
{
    char cause[200];
    snprintf(cause, sizeof cause, "%s '%.60s', tensor %s, damage %d", changed.key ? changed.key : "",
             changed.text ? changed.text : "(none)", changed.tensor ? changed.tensor : "", changed.damage);
    rewrite_checkpoint(made->file, made->other, &changed);
    assert_load_refused(made->other, cause);
}

/* ---- bytes ---- */

static void a_checkpoint_cut_short_is_refused(void **state)
{
    const folder *made = *state;
    buffer bytes = {0};
    save_checkpoint(made->file);
    size_t size = read_bytes(made->file, &bytes);
    int file = open(made->other, O_WRONLY | O_CREAT, 0666);
    assert_true(file >= 0 && write(file, bytes.data, size) == (ssize_t)size);
    close(file);
    buffer_free(&bytes);
    nlm_run *trainer;
    CHECK(nlm_run_load(made->other, NULL, NULL, &trainer, &check_error));
    nlm_run_free(trainer);
    for (size_t length = size; length-- > 0;) {
        assert_int_equal(truncate(made->other, (off_t)length), 0);
        assert_load_refused(made->other, "cut short");
    }
}

/* Every byte of the header, made another: refused or accepted, but no harm is done. */
static void a_byte_changed_does_no_harm(void **state)
{
    const folder *made = *state;
    buffer bytes = {0};
    save_checkpoint(made->file);
    size_t size = read_bytes(made->file, &bytes);
    forget_checksum(&bytes, size);
    int file = open(made->other, O_RDWR | O_CREAT, 0666);
    assert_true(file >= 0 && write(file, bytes.data, size) == (ssize_t)size);
    int refused = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char was = ((unsigned char *)bytes.data)[i], is = (unsigned char)(was ^ 1u << i % 7);
        nlm_run *trainer;
        nlm_error error = {0};
        assert_int_equal(pwrite(file, &is, 1, (off_t)i), 1);
        if (nlm_run_load(made->other, NULL, NULL, &trainer, &error)) {
            assert_said(&error, NLM_BAD_FILE, made->other);
            refused++;
        }
        nlm_run_free(trainer);
        assert_int_equal(pwrite(file, &was, 1, (off_t)i), 1);
    }
    assert_true(refused > 100);
    close(file);
    buffer_free(&bytes);
}

static void files_of_something_else_are_refused(void **state)
{
    const folder *made = *state;
    save_model(&models[FAMILY], made->file);
    assert_load_refused(made->file, "a model without training");
    assert_int_equal(safetensors_write(made->file, NULL, 0, NULL, 0, NULL), NLM_OK);
    assert_load_refused(made->file, "nothing in it");
}

/* ---- metadata ---- */

/* Notes for people: nothing is done with them. */
static bool is_note(const char *key)
{
    return !strcmp(key, "version") || !strcmp(key, "kernel") || !strcmp(key, "graduated") ||
           !strcmp(key, "checksum"); /* which is written anew */
}

/* What old or foreign model files may lack. */
static bool may_be_missing(const char *key)
{
    return is_note(key) || !strcmp(key, "format") || !strcmp(key, "outputs") || !strcmp(key, "heads") ||
           !strcmp(key, "lr_decay") || !strcmp(key, "shift") || !strcmp(key, "labels") ||
           !strcmp(key, "kind");
}

static void nonsense_in_any_metadata_is_refused(void **state)
{
    const folder *made = *state;
    static const char *const nonsense[] = {"x",          "",   "-1",  "nan",  "-nan",     "1e400",
                                           "12 monkeys", "{}", "1,5", "[[[[", "\xc3\xa9", "\x1b[31m\n"};
    save_checkpoint(made->file);
    assert_accepted(made, (change){0});
    safetensors *file;
    CHECK(safetensors_read(made->file, &file, &check_error));
    int pairs;
    const char *const *pair = safetensors_metadata_pairs(file, &pairs);
    assert_true(pairs > 30);
    for (int i = 0; i < pairs; i++) {
        const char *key = pair[2 * i];
        if (!may_be_missing(key))
            assert_refused_with(made, (change){.key = key});
        for (size_t n = 0; n < COUNT(nonsense); n++) {
            if (!strcmp(key, "failures") && !nonsense[n][0])
                continue; /* there may be none */
            if (!is_note(key))
                assert_refused_with(made, (change){.key = key, .text = nonsense[n]});
            else
                assert_accepted(made, (change){.key = key, .text = nonsense[n]});
        }
    }
    safetensors_free(file);
}

/* Values that no run has. */
static const struct {
    const char *key, *text;
} impossible[] = {
    {"state", "checkpoint 2"},
    {"state", "checkpoint"},
    {"stage", "asleep"},
    {"stage", "Learning"},
    {"task", "walk"},
    {"task", "uncle"},          /* other inputs */
    {"task", "6-connectivity"}, /* another arity */
    {"protocol", "fast"},
    {"seed", "18446744073709551616"},
    {"seed", "1.0"},
    {"objects", "0"},
    {"objects", "5.5"},
    {"batch", "0"},
    {"batch", "4097"},
    {"positives", "5"}, /* of a batch of 4 */
    {"replay", "4"},
    {"epochs", "0"},
    {"epochs", "1000001"},
    {"batches", "1000001"},
    {"lr", "inf"},
    {"beta2", "1"},
    {"threshold", "-0.001"},
    {"exam", "0.5"},
    {"patience", "-2"},
    {"epoch", "1000001"},
    {"epoch", "1.5"},
    {"examples", "1e300"},
    {"restarts", "1000001"},
    {"steps", "9007199254740994"},
    {"steps", "0.1"},
    {"next_world", "18446744073709551615"},
    {"patient", "1e9"},
    {"next_failure", "256"},
    {"next_failure", "255"},
    {"failures", "1 2 x"},
    {"failures", " 1 2"},
    {"failures", "1,2"},
    {"failures", "1  2"},
    {"failures", "-1"},
    {"failures", "0x10"},
    {"loss", "inf"},
    {"loss", "-0.5"},
    {"elapsed", "inf"},
    {"elapsed", "now"},
    {"depth", "2"},
    {"width", "3"},
    {"inputs", "[0, 0, 2]"},
    {"heads", "[]"},
    {"heads", "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 2}]"},
};

static void values_that_cannot_be_are_refused(void **state)
{
    const folder *made = *state;
    save_checkpoint(made->file);
    for (size_t i = 0; i < COUNT(impossible); i++)
        assert_refused_with(made, (change){.key = impossible[i].key, .text = impossible[i].text});
}

static void numbers_beyond_their_range_are_refused(void **state)
{
    const folder *made = *state;
    save_checkpoint(made->file);
    assert_refused_with(made, (change){.key = "failures", .text = "18446744073709551616"});
    assert_refused_with(made, (change){.key = "failures", .text = "1 99999999999999999999999999 2"});
    assert_refused_with(made, (change){.key = "accuracy", .text = "1.5"});
}

static void too_many_failures_are_refused(void **state)
{
    const folder *made = *state;
    static char text[257 * 2 + 1];
    for (int i = 0; i < 257; i++)
        memcpy(text + 2 * i, i < 256 ? "7 " : "7", i < 256 ? 3 : 2);
    save_checkpoint(made->file);
    assert_refused_with(made, (change){.key = "failures", .text = text});
    assert_accepted(made, (change){.key = "failures", .text = text + 2}); /* 256 of them */
}

/* ---- moments ---- */

static void broken_moments_are_refused(void **state)
{
    const folder *made = *state;
    static const enum damage damages[] = {DROPPED, LONGER, NOT_A_NUMBER, INFINITE};
    static const char *const tensors[] = {"adam.mean", "adam.square", "head.weight"};
    save_checkpoint(made->file);
    for (size_t t = 0; t < COUNT(tensors); t++)
        for (size_t d = 0; d < COUNT(damages); d++)
            assert_refused_with(made, (change){.tensor = tensors[t], .damage = damages[d]});
}

/* The same bytes under another header. */
static void write_replaced(const folder *made, const char *from, const char *to)
{
    buffer bytes = {0};
    size_t size = read_bytes(made->file, &bytes);
    forget_checksum(&bytes, size);
    char *place = memmem(bytes.data, size, from, strlen(from));
    assert_non_null(place);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(place, to, strlen(to));
    int file = open(made->other, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0 && write(file, bytes.data, size) == (ssize_t)size);
    close(file);
    buffer_free(&bytes);
}

static void moments_of_another_type_are_refused(void **state)
{
    const folder *made = *state;
    save_checkpoint(made->file);
    write_replaced(made, "\"adam.mean\":{\"dtype\":\"F32\"", "\"adam.mean\":{\"dtype\":\"I32\"");
    assert_load_refused(made->other, "mean of integers");
    write_replaced(made, "\"adam.square\":{\"dtype\":\"F32\"", "\"adam.square\":{\"dtype\":\"I32\"");
    assert_load_refused(made->other, "square of integers");
    write_replaced(made, "\"adam.square\"", "\"adam.squirt\"");
    assert_load_refused(made->other, "another name");
}

/* A mean of squares is not negative; its root would be no number. */
static void negative_squares_are_refused(void **state)
{
    const folder *made = *state;
    const float negative = -1;
    struct stat about;
    save_checkpoint(made->file);
    write_replaced(made, "\"adam.square\"", "\"adam.square\""); /* the last tensor of the file */
    assert_int_equal(stat(made->other, &about), 0);
    int file = open(made->other, O_WRONLY);
    assert_int_equal(pwrite(file, &negative, sizeof negative, about.st_size - (off_t)sizeof negative),
                     sizeof negative);
    close(file);
    assert_load_refused(made->other, "negative square");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_checkpoint_cut_short_is_refused),   IN_FOLDER(a_byte_changed_does_no_harm),
        IN_FOLDER(files_of_something_else_are_refused), IN_FOLDER(nonsense_in_any_metadata_is_refused),
        IN_FOLDER(values_that_cannot_be_are_refused),   IN_FOLDER(numbers_beyond_their_range_are_refused),
        IN_FOLDER(too_many_failures_are_refused),       IN_FOLDER(broken_moments_are_refused),
        IN_FOLDER(moments_of_another_type_are_refused), IN_FOLDER(negative_squares_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
