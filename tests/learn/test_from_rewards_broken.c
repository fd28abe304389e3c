/* Checkpoints of courses that are broken: each is refused in one line that names the file. */
#include <fcntl.h>
#include "learn/courses.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* ---- a checkpoint to break ---- */

/* Begun again, with both pools, an average, and moves of both kinds to remember. */
static void save_checkpoint(const char *path)
{
    nlm_settings course = small_course(BLOCKS);
    course.spec.depth = 1;
    course.spec.width = 2;
    course.batch = 4;
    course.rollouts = 2;
    course.interval = 8;
    course.restart = 16;
    course.average = 0.9;
    course.slack = 0; /* it stays in the first lesson */
    nlm_run *s = begin_course(&course, 1);
    while (exam_of(s)->restarts < 1 || rewards_of(s)->solved.count < 2 || rewards_of(s)->failed.count < 2)
        run_exam(s);
    assert_int_equal(exam_of(s)->restarts, 1);
    assert_int_equal(rewards_of(s)->validity.objects, 3);
    assert_true(rewards_of(s)->validity.count[0] > 2 && rewards_of(s)->validity.count[1] > 2);
    CHECK(nlm_run_save_checkpoint(s, path, &check_error));
    nlm_run_free(s);
}

/* A change of one place: metadata, a tensor, or a number of one. */
typedef struct wrong {
    change change;
    int place;
    float value; /* at that place of the tensor, if it is unharmed otherwise */
} wrong;

static void rewrite_course(const char *from, const char *to, const wrong *with)
{
    enum { MOST_TENSORS = 20, MOST_PAIRS = 100, ROOM = 1 << 13 };
    static safetensors_entry entries[MOST_TENSORS];
    static float values[MOST_TENSORS][ROOM];
    const char *pairs[2 * MOST_PAIRS];
    safetensors *file;
    int count = 0;
    CHECK(safetensors_read(from, &file, &check_error));
    assert_true(safetensors_count(file) <= MOST_TENSORS);
    for (int t = 0; t < safetensors_count(file); t++) {
        const safetensors_tensor *tensor = safetensors_at(file, t);
        const bool harmed = with->change.tensor && !strcmp(tensor->name, with->change.tensor);
        if (harmed && with->change.damage == DROPPED)
            continue;
        assert_true(tensor->count + 1 < ROOM);
        CHECK(safetensors_floats(file, tensor, values[count], &check_error));
        entries[count] = (safetensors_entry){tensor->name, tensor->dimensions, {0}, values[count]};
        memcpy(entries[count].shape, tensor->shape, sizeof tensor->shape);
        if (harmed && with->change.damage != UNHARMED)
            harm(&entries[count], values[count], with->change.damage);
        else if (harmed)
            values[count][with->place < 0 ? (int)tensor->count + with->place : with->place] = with->value;
        count++;
    }
    int pair_count;
    safetensors_metadata_pairs(file, &pair_count);
    assert_true(pair_count < MOST_PAIRS);
    pair_count = change_pairs(file, &with->change, pairs);
    CHECK(safetensors_write(to, entries, count, pairs, pair_count, &check_error));
    safetensors_free(file);
}

/* With one change that makes sense it still loads, so that what is refused is refused for its change. */
static void assert_accepted(const folder *made, wrong with)
{
    nlm_run *s;
    rewrite_course(made->file, made->other, &with);
    CHECK(nlm_run_load(made->other, NULL, NULL, &s, &check_error));
    nlm_run_free(s);
}

static void assert_load_refused(const char *path, const char *cause)
{
    nlm_run *s = (nlm_run *)&cause;
    nlm_error error = {NLM_OK, ""};
    if (nlm_run_load(path, NULL, NULL, &s, &error) == NLM_OK) {
        nlm_run_free(s);
        fail_msg("accepted: %s", cause);
    }
    assert_null(s);
    assert_said(&error, NLM_BAD_FILE, "");
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
}

static void assert_refused_with(const folder *made, wrong with)
{
    char cause[200];
    snprintf(cause, sizeof cause, "%s '%.60s', tensor %s, damage %d, %g at %d",
             with.change.key ? with.change.key : "", with.change.text ? with.change.text : "(none)",
             with.change.tensor ? with.change.tensor : "", with.change.damage, (double)with.value,
             with.place);
    rewrite_course(made->file, made->other, &with);
    assert_load_refused(made->other, cause);
}

static wrong text(const char *key, const char *value)
{
    return (wrong){.change = {.key = key, .text = value}};
}

static wrong number(const char *tensor, int place, float value)
{
    return (wrong){.change = {.tensor = tensor}, .place = place, .value = value};
}

/* ---- bytes ---- */

static int copy_file(const folder *made, buffer *bytes, size_t *size)
{
    *size = read_bytes(made->file, bytes);
    forget_checksum(bytes, *size);
    const int file = open(made->other, O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0 && write(file, bytes->data, *size) == (ssize_t)*size);
    return file;
}

static void a_checkpoint_cut_short_is_refused(void **state)
{
    const folder *made = *state;
    buffer bytes = {0};
    size_t size;
    save_checkpoint(made->file);
    close(copy_file(made, &bytes, &size));
    for (size_t length = size - 1; length > 0; length -= length > 100 ? 19 : 1) {
        assert_int_equal(truncate(made->other, (off_t)length), 0);
        assert_load_refused(made->other, "cut short");
    }
    buffer_free(&bytes);
}

/* Bytes made others: refused or accepted, but no harm is done, and what was accepted goes on. */
static void a_byte_changed_does_no_harm(void **state)
{
    const folder *made = *state;
    buffer bytes = {0};
    size_t size;
    int refused = 0;
    save_checkpoint(made->file);
    const int file = copy_file(made, &bytes, &size);
    for (size_t i = 0; i < size; i += 5) {
        const unsigned char was = ((unsigned char *)bytes.data)[i], is = (unsigned char)(was ^ 1u << i % 7);
        nlm_run *s;
        nlm_error error = {NLM_OK, ""};
        assert_int_equal(pwrite(file, &is, 1, (off_t)i), 1);
        if (nlm_run_load(made->other, NULL, NULL, &s, &error)) {
            assert_said(&error, NLM_BAD_FILE, made->other);
            refused++;
        } else if (nlm_run_stage(s) == NLM_LEARNING && s->settings.batch == 4 && i % 3 == 0) {
            (void)nlm_run_step(s, NULL, NULL);
        }
        nlm_run_free(s);
        assert_int_equal(pwrite(file, &was, 1, (off_t)i), 1);
    }
    assert_true(refused > 100);
    close(file);
    buffer_free(&bytes);
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
    for (int i = 0; i < nlm_setting_count(); i++)
        if (nlm_setting_at(i)->absent && !strcmp(key, nlm_setting_at(i)->name))
            return true;
    return is_note(key) || !strcmp(key, "format") || !strcmp(key, "outputs") || !strcmp(key, "heads");
}

static void nonsense_in_any_metadata_is_refused(void **state)
{
    const folder *made = *state;
    static const char *const nonsense[] = {"x",          "",   "-1",  "nan",  "-nan",     "1e400",
                                           "12 monkeys", "{}", "1,5", "[[[[", "\xc3\xa9", "\x1b[31m\n"};
    save_checkpoint(made->file);
    assert_accepted(made, (wrong){.place = 0});
    safetensors *file;
    CHECK(safetensors_read(made->file, &file, &check_error));
    int pairs;
    const char *const *pair = safetensors_metadata_pairs(file, &pairs);
    assert_true(pairs > 60);
    for (int i = 0; i < pairs; i++) {
        const char *key = pair[2 * i];
        if (!may_be_missing(key))
            assert_refused_with(made, text(key, NULL));
        for (size_t n = 0; n < COUNT(nonsense); n++)
            if (is_note(key) || (!nonsense[n][0] && strstr(key, "_pool"))) /* which may be empty */
                assert_accepted(made, text(key, nonsense[n]));
            else
                assert_refused_with(made, text(key, nonsense[n]));
    }
    safetensors_free(file);
}

/* Values that no run has. */
static const char *const impossible[][2] = {
    {"state", "course checkpoint 2"},
    {"state", "course checkpoint"},
    {"state", "checkpoint 1"},
    {"stage", "asleep"},
    {"stage", "Learning"},
    {"stage", "graduated"}, /* without being a candidate */
    {"task", "uncle"},
    {"task", "sort"}, /* other inputs */
    {"task", "Blocks"},
    {"protocol", "fast"},
    {"seed", "18446744073709551616"},
    {"seed", "1.0"},
    {"first_lesson", "1"},
    {"first_lesson", "6"}, /* after the last */
    {"last_lesson", "2"},
    {"last_lesson", "1001"},
    {"episodes", "0"},
    {"interval", "0"},
    {"exam", "0.5"},
    {"pool", "10001"},
    {"final_objects", "5"}, /* not beyond the last lesson */
    {"final_objects", "1001"},
    {"final_decay", "1.5"},
    {"batch", "1025"},
    {"batch", "5"}, /* of rollouts of 2 */
    {"rollouts", "3"},
    {"passes", "0"},
    {"greedy_rollouts", "3"},
    {"greedy_exams", "2"},
    {"optimal_exams", "0.5"},
    {"lr", "inf"},
    {"lr_decay", "1.1"},
    {"beta2", "1"},
    {"discount", "1.5"},
    {"average", "1"},
    {"validity", "0"}, /* the machine has a head for it */
    {"exams", "1e9"},
    {"lesson", "1001"},
    {"learned_episodes", "1e300"},
    {"learned_episodes", "15"}, /* before the weights were new */
    {"drawn", "0.5"},
    {"success", "1.0000001"},
    {"moves", "inf"},
    {"restarts", "1e9"},
    {"steps", "9007199254740994"},
    {"steps", "0.1"},
    {"current_lesson", "2"},
    {"current_lesson", "6"},
    {"candidate", "maybe"},
    {"candidate", "yes"}, /* not in the first lesson */
    {"exam_due", "1"},
    {"passed", "1"}, /* in the first lesson */
    {"passed", "1e9"},
    {"begun", "1000"},
    {"current_lr", "0.0051"}, /* it only decays */
    {"current_lr", "1e30"},
    {"current_entropy", "0.21"},
    {"next_instance", "18446744073709551615"},
    {"next_instance", "20"}, /* the pools have later ones */
    {"next_episode", "-1"},
    {"next_round", "0.5"},
    {"elapsed", "inf"},
    {"memory_objects", "2"},
    {"memory_objects", "6"},
    {"memory_objects", "3.5"},
    {"legal", "0"}, /* and where is the next one? */
    {"legal", "3"},
    {"illegal", "5001"},
    {"next_legal", "0"},
    {"next_legal", "4999"},
    {"next_illegal", "5000"},
    {"depth", "2"},
    {"width", "3"},
    {"inputs", "[0, 0, 11]"},
    {"heads", "[]"},
    {"heads", "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1, \"twins\": true}]"},
};

static void values_that_cannot_be_are_refused(void **state)
{
    const folder *made = *state;
    save_checkpoint(made->file);
    for (size_t i = 0; i < COUNT(impossible); i++)
        assert_refused_with(made, text(impossible[i][0], impossible[i][1]));
}

/* ---- pools ---- */

static void instances_beyond_the_run_are_refused(void **state)
{
    const folder *made = *state;
    static const char *const keys[] = {"solved_pool", "failed_pool"};
    static const char *const lists[] = {
        "3",
        ":3",
        "3:",
        "3:3:3",
        "3:2",
        "3:4",
        "3:6",
        "3,3",
        "3:3,",
        " 3:3",
        "3:3 ",
        "3:3  4:3",
        "3:3 4",
        "-3:3",
        "3:-3",
        "3: 3",
        "3:+3",
        "+3:3",
        "3 :3",
        "0x3:3",
        "3:0x3",
        "3:3x",
        "3.0:3",
        "3:3.0",
        "3;3",
        "3:3\t4:3",
        "100000:3",
        "3:3 100000:3",
        "3:99999999999999999999",
        "99999999999999999999:3",
        "18446744073709551616:3",
    };
    save_checkpoint(made->file);
    for (size_t k = 0; k < COUNT(keys); k++) {
        for (size_t i = 0; i < COUNT(lists); i++)
            assert_refused_with(made, text(keys[k], lists[i]));
        assert_accepted(made, text(keys[k], "3:3 0:3"));
        assert_accepted(made, text(keys[k], ""));
    }
}

/* No exam leaves more than twice the largest pool. */
static void pools_that_are_too_large_are_refused(void **state)
{
    const folder *made = *state;
    enum { MOST = 3 * NLM_MAX_POOL };
    static char list[4 * MOST + 1];
    for (int i = 0; i < MOST; i++)
        memcpy(list + 4 * i, "1:3 ", 4);
    list[4 * MOST - 1] = 0;
    save_checkpoint(made->file);
    assert_refused_with(made, text("failed_pool", list));
}

/* ---- tensors ---- */

static void broken_tensors_are_refused(void **state)
{
    const folder *made = *state;
    static const enum damage damages[] = {DROPPED, LONGER, NOT_A_NUMBER, INFINITE};
    static const char *const tensors[] = {"adam.mean",        "adam.square",  "average",    "validity.legal",
                                          "validity.illegal", "valid.weight", "head.weight"};
    save_checkpoint(made->file);
    for (size_t t = 0; t < COUNT(tensors); t++)
        for (size_t d = 0; d < COUNT(damages); d++)
            assert_refused_with(made, (wrong){.change = {.tensor = tensors[t], .damage = damages[d]}});
}

static void negative_squares_are_refused(void **state)
{
    const folder *made = *state;
    save_checkpoint(made->file);
    assert_refused_with(made, number("adam.square", 3, -1e-9f));
    assert_accepted(made, number("adam.mean", 3, -1e-9f));
}

/* A pair is what blocks 1 to 3 stand on, in both worlds, and the move. */
static void nonsense_in_the_memory_is_refused(void **state)
{
    const folder *made = *state;
    static const char *const tensors[] = {"validity.legal", "validity.illegal"};
    static const struct {
        int place; /* in the last pair */
        float value;
    } bad[] = {{-8, -1}, {-8, 1},     {-7, 2},  {-6, 4}, {-6, 1e30f}, {-5, 0.5f}, {-4, 2},
               {-3, 3},  {-3, -0.5f}, {-2, -1}, {-2, 4}, {-2, 0.5f},  {-1, 4},    {-1, -1}};
    save_checkpoint(made->file);
    for (size_t t = 0; t < COUNT(tensors); t++)
        for (size_t i = 0; i < COUNT(bad); i++)
            assert_refused_with(made, number(tensors[t], bad[i].place, bad[i].value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_checkpoint_cut_short_is_refused),    IN_FOLDER(a_byte_changed_does_no_harm),
        IN_FOLDER(nonsense_in_any_metadata_is_refused),  IN_FOLDER(values_that_cannot_be_are_refused),
        IN_FOLDER(instances_beyond_the_run_are_refused), IN_FOLDER(pools_that_are_too_large_are_refused),
        IN_FOLDER(broken_tensors_are_refused),           IN_FOLDER(negative_squares_are_refused),
        IN_FOLDER(nonsense_in_the_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
