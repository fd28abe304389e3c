/* The log of a run: one JSON object per epoch or exam, and each of them once, however often the run was
 * stopped.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <jansson.h>
#include "test.h"
#include "nlm/log.h"

/* ---- a folder for every test ---- */

typedef struct folder {
    char path[64], log[96];
} folder;

static int make_folder(void **state)
{
    static folder made;
    strcpy(made.path, "/tmp/nlm-test-run-log-XXXXXX");
    if (mkdtemp(made.path) == NULL)
        return -1;
    snprintf(made.log, sizeof made.log, "%s/log", made.path);
    *state = &made;
    return 0;
}

static int remove_folder(void **state)
{
    folder *made = *state;
    unlink(made->log);
    return rmdir(made->path);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *read_text(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static FILE *open_log_of(const char *path, const char *round, int rounds)
{
    FILE *log;
    nlm_error error = {0};
    if (nlm_log_open(path, round, rounds, &log, &error))
        fail_msg("%s", error.message);
    assert_non_null(log);
    return log;
}

static FILE *open_log(const char *path, int epochs)
{
    return open_log_of(path, "epoch", epochs);
}

/* ---- opening ---- */

#define LINE(epoch) "{\"epoch\": " #epoch ", \"loss\": 1}\n"
#define EXAM(exam) "{\"exam\": " #exam ", \"lesson\": 4}\n"

/* What is kept of a log when a run goes on that has so many epochs behind it. */
static void a_log_keeps_the_epochs_of_the_run(void **state)
{
    const folder *made = *state;
    static const struct {
        const char *before;
        int epochs;
        const char *kept;
    } cases[] = {
        {"", 0, ""},
        {LINE(1) LINE(2) LINE(3), 0, ""},                      /* a new run */
        {LINE(1) LINE(2) LINE(3), 3, LINE(1) LINE(2) LINE(3)}, /* all of them */
        {LINE(1) LINE(2) LINE(3), 2, LINE(1) LINE(2)},         /* stopped between log and checkpoint */
        {LINE(1) LINE(2) LINE(3) LINE(4), 1, LINE(1)},         /* another run's */
        {LINE(1) LINE(2) "{\"epoch\": 3", 2, LINE(1) LINE(2)}, /* torn */
        {LINE(1) LINE(2) "{\"epoch\": 3", 3, LINE(1) LINE(2)}, /* torn, though it should be whole */
        {LINE(1) LINE(2), 5, LINE(1) LINE(2)},                 /* too few: it cannot be helped */
        {LINE(6) LINE(7) LINE(8) LINE(9), 7, LINE(6) LINE(7)}, /* begun in the middle of the run */
        {"no log\n", 2, ""},
        {"", 4, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(made->log, cases[i].before);
        FILE *log = open_log(made->log, cases[i].epochs);
        assert_string_equal(read_text(made->log), cases[i].kept);
        fputs("next\n", log);
        assert_int_equal(fclose(log), 0);
        char expected[256];
        snprintf(expected, sizeof expected, "%snext\n", cases[i].kept);
        assert_string_equal(read_text(made->log), expected);
    }
}

/* A game's log is kept in the same way, and what is none of it is not taken for one. */
static void a_log_keeps_the_exams_of_the_run(void **state)
{
    const folder *made = *state;
    static const struct {
        const char *before;
        int exams;
        const char *kept;
    } cases[] = {
        {EXAM(1) EXAM(2) EXAM(3), 2, EXAM(1) EXAM(2)},
        {EXAM(1) EXAM(2) "{\"exam\": 3", 3, EXAM(1) EXAM(2)},
        {EXAM(1) LINE(2), 2, EXAM(1)},
        {LINE(1) LINE(2), 2, ""},
        {"{\"examination\": 1}\n", 2, ""},
        {"{\"abcdefghijklmnopqrstuvwxyz\": 1}\n", 2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(made->log, cases[i].before);
        assert_int_equal(fclose(open_log_of(made->log, "exam", cases[i].exams)), 0);
        assert_string_equal(read_text(made->log), cases[i].kept);
    }
}

static void a_missing_log_is_begun(void **state)
{
    const folder *made = *state;
    for (int epochs = 0; epochs <= 3; epochs += 3) {
        assert_int_equal(fclose(open_log(made->log, epochs)), 0);
        assert_string_equal(read_text(made->log), "");
        assert_int_equal(unlink(made->log), 0);
    }
}

static void a_log_that_cannot_be_opened_is_named(void **state)
{
    const folder *made = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/missing/log", made->path);
    for (int epochs = 0; epochs <= 3; epochs += 3) {
        FILE *log = stdout;
        nlm_error error = {0};
        assert_int_equal(nlm_log_open(path, "epoch", epochs, &log, &error), NLM_IO_ERROR);
        assert_null(log);
        assert_int_equal(error.status, NLM_IO_ERROR);
        assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
        assert_int_equal(nlm_log_open(made->path, "epoch", epochs, &log, &error), NLM_IO_ERROR);
        assert_null(log);
    }
}

/* What is no regular file has nothing to be kept: a device, even one that never ends, and a pipe. */
static void devices_and_pipes_serve_as_logs(void **state)
{
    const folder *made = *state;
    alarm(20); /* an endless device must not be read to its end */
    assert_int_equal(fclose(open_log("/dev/null", 0)), 0);
    assert_int_equal(fclose(open_log("/dev/null", 3)), 0);
    assert_int_equal(fclose(open_log("/dev/full", 0)), 0);
    assert_int_equal(fclose(open_log("/dev/full", 3)), 0);
    assert_int_equal(mkfifo(made->log, 0600), 0);
    int reader = open(made->log, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    FILE *log = open_log(made->log, 3);
    fputs("next\n", log);
    assert_int_equal(fclose(log), 0);
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_string_equal(text, "next\n");
    close(reader);
    alarm(0);
}

/* ---- writing ---- */

static const nlm_epoch example = {.epoch = 12,
                                  .examples = 12000,
                                  .restarts = 1,
                                  .failures = 3,
                                  .loss = 1.25e-9,
                                  .tuples = 40000,
                                  .wrong = 7,
                                  .accuracy = 0.999825,
                                  .balanced_accuracy = 0.75,
                                  .gradient_norm = 0.0625,
                                  .seconds = 0.5,
                                  .elapsed = 6.25};

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static void an_epoch_is_one_line_of_json(void **state)
{
    const folder *made = *state;
    nlm_error error;
    FILE *log = open_log(made->log, 0);
    assert_int_equal(nlm_log_write_epoch(log, made->log, &example, 1000, &error), NLM_OK);
    const char *line = read_text(made->log); /* it is there at once */
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_object(object));
    assert_true(number_at(object, "epoch") == 12);
    assert_true(number_at(object, "loss") == 1.25e-9);
    assert_true(number_at(object, "accuracy") == 0.999825);
    assert_true(number_at(object, "balanced_accuracy") == 0.75);
    assert_true(number_at(object, "examples_per_second") == 2000);
    assert_true(number_at(object, "gradient_norm") == 0.0625);
    assert_true(number_at(object, "elapsed") == 6.25);
    assert_true(number_at(object, "wrong") == 7);
    assert_true(number_at(object, "tuples") == 40000);
    assert_true(number_at(object, "examples") == 12000);
    assert_true(number_at(object, "restarts") == 1);
    assert_true(number_at(object, "failures") == 3);
    json_decref(object);
    fclose(log);
}

/* Even an epoch that took no time gives numbers, not "inf", which is no JSON. */
static void any_epoch_is_json(void **state)
{
    const folder *made = *state;
    nlm_error error;
    nlm_epoch epoch = {.epoch = 1};
    FILE *log = open_log(made->log, 0);
    assert_int_equal(nlm_log_write_epoch(log, made->log, &epoch, 1000, &error), NLM_OK);
    json_t *object = json_loads(read_text(made->log), 0, NULL);
    assert_true(json_is_object(object));
    json_decref(object);
    fclose(log);
}

static void an_exam_is_one_line_of_json(void **state)
{
    const folder *made = *state;
    static const nlm_exam exam = {.exam = 7,
                                  .lesson = 12,
                                  .passed = true,
                                  .episodes = 3000,
                                  .drawn = 4200,
                                  .restarts = 2,
                                  .asked = 200,
                                  .solved = 199,
                                  .success = 0.995,
                                  .threshold = 0.99,
                                  .moves = 8.25,
                                  .train_success = 0.875,
                                  .loss = -0.5,
                                  .entropy = 1.5,
                                  .seconds = 0.5,
                                  .elapsed = 6.25};
    static const char *const keys[] = {"exam",          "lesson", "episodes", "drawn",     "restarts",
                                       "asked",         "solved", "success",  "threshold", "moves",
                                       "train_success", "loss",   "entropy",  "elapsed"};
    static const double values[] = {7,     12,   3000, 4200,  2,    200, 199,
                                    0.995, 0.99, 8.25, 0.875, -0.5, 1.5, 6.25};
    nlm_error error;
    FILE *log = open_log_of(made->log, "exam", 0);
    assert_int_equal(nlm_log_write_exam(log, made->log, &exam, &error), NLM_OK);
    const char *line = read_text(made->log);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(json_object_size(object), sizeof keys / sizeof *keys + 2);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(number_at(object, keys[i]) == values[i]);
    assert_true(json_is_true(json_object_get(object, "passed")));
    assert_true(json_is_false(json_object_get(object, "candidate")));
    json_decref(object);
    fclose(log);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    FILE *log = open_log("/dev/full", 0);
    nlm_error error = {0};
    assert_int_equal(nlm_log_write_epoch(log, "/dev/full", &example, 1000, &error), NLM_IO_ERROR);
    assert_int_equal(error.status, NLM_IO_ERROR);
    assert_int_equal(strncmp(error.message, "/dev/full: ", 11), 0);
    assert_non_null(strstr(error.message, "space"));
    fclose(log);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_log_keeps_the_epochs_of_the_run),
        IN_FOLDER(a_log_keeps_the_exams_of_the_run),
        IN_FOLDER(a_missing_log_is_begun),
        IN_FOLDER(a_log_that_cannot_be_opened_is_named),
        IN_FOLDER(an_epoch_is_one_line_of_json),
        IN_FOLDER(any_epoch_is_json),
        IN_FOLDER(an_exam_is_one_line_of_json),
        cmocka_unit_test(a_full_disk_is_reported),
        IN_FOLDER(devices_and_pipes_serve_as_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
