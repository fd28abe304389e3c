/* Disks that fail: whichever call fails while a file or folder is written, the error names file and cause,
 * the earlier file is whole, or the new one is, and no temporary file stays. */
#include "facts/files.h"

#include <dirent.h>
#include "failing_io.h"
#include "base/file.h"
#include "nlm/file.h"
#include "nlm/gallery.h"
#include "nlm/run.h"
#include "nlm/report.h"

/* ---- what is written ---- */

static nlm_machine *machines[2];
static nlm_run *trainers[2];
static nlm_problem *problems[2];

static nlm_status write_model(int version, const char *path, nlm_error *error)
{
    return nlm_machine_save(machines[version], path, NULL, 0, error);
}

static nlm_status write_checkpoint(int version, const char *path, nlm_error *error)
{
    return nlm_run_save_checkpoint(trainers[version], path, error);
}

static nlm_status write_report(int version, const char *path, nlm_error *error)
{
    nlm_report *report;
    int number = io_failing;
    fail_io(-1);
    CHECK(nlm_report_new(&report, &check_error));
    CHECK(nlm_report_add(report, version ? "model-1" : "model-0", &check_error));
    fail_io(number);
    nlm_status status = nlm_report_save(report, path, error);
    nlm_report_free(report);
    return status;
}

static nlm_status write_image(int version, const char *path, nlm_error *error)
{
    float pixels[NLM_IMAGE_PIXELS] = {(float)version};
    return nlm_image_write(path, pixels, error);
}

static void print_version(FILE *stream, const void *context)
{
    fprintf(stream, "version %d\n", *(const int *)context);
}

static nlm_status write_text(int version, const char *path, nlm_error *error)
{
    return nlm_file_write(path, print_version, &version, error);
}

/* ---- files ---- */

typedef nlm_status (*writer_of)(int version, const char *path, nlm_error *error);

static int entries_of(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(folder);
    return count;
}

static bool same_content(const char *path, const buffer *content, size_t size)
{
    buffer found = {0};
    size_t found_size;
    bool same = !file_read_all(path, 1 << 24, &found, &found_size, NULL) && found_size == size &&
                !memcmp(found.data, content->data, size);
    buffer_free(&found);
    return same;
}

static void assert_names(const nlm_error *error, const char *path)
{
    assert_int_equal(error->status, NLM_IO_ERROR);
    if (!strstr(error->message, path) || !strstr(error->message, strerror(EIO)))
        fail_msg("%s", error->message);
}

/* A file of version 0 is replaced by version 1, with each call failing in turn. */
static void fail_each(writer_of write)
{
    buffer content[2] = {{0}, {0}};
    size_t size[2];
    nlm_error error;
    for (int version = 1; version >= 0; version--) {
        CHECK(write(version, "file", &check_error));
        CHECK(file_read_all("file", 1 << 24, &content[version], &size[version], &check_error));
    }
    bool failed = true;
    int entries = entries_of(".");
    for (int number = 0; failed; number++) {
        fail_io(number);
        nlm_status status = write(1, "file", &error);
        failed = io_failed();
        fail_io(-1);
        if (status)
            assert_names(&error, "file");
        bool is_new = same_content("file", &content[1], size[1]);
        bool is_old = same_content("file", &content[0], size[0]);
        /* a report that could not read its model is another one */
        assert_true(is_new || (is_old && status) || (!status && write == write_report));
        assert_int_equal(entries_of("."), entries);
        assert_true(failed || number > 4);
        if (!is_old && failed) /* only the folder could not be opened, or not be flushed */
            CHECK(write(0, "file", &check_error));
    }
    buffer_free(&content[0]);
    buffer_free(&content[1]);
}

static void files_are_whole(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 2, .breadth = 2, .inputs = {0, 1, 3}, .width = 4, .outputs = 4};
    for (int version = 0; version < 2; version++) {
        CHECK(nlm_machine_new(&spec, NULL, 0, &machines[version], &check_error));
        nlm_machine_initialise(machines[version], (uint64_t)version);
        nlm_settings settings;
        CHECK(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_PAPER, &settings, &check_error));
        settings.seed = (uint64_t)version;
        CHECK(nlm_run_new(&settings, NULL, &trainers[version], &check_error));
    }
    fail_each(write_model);
    fail_each(write_checkpoint);
    fail_each(write_image);
    fail_each(write_text);
    CHECK(write_model(0, "model-0", &check_error));
    CHECK(write_model(1, "model-1", &check_error));
    fail_each(write_report);
    for (int version = 0; version < 2; version++) {
        nlm_machine_free(machines[version]);
        nlm_run_free(trainers[version]);
    }
}

/* ---- runs ---- */

enum { EPOCHS = 3 };

/* With its files, up to an epoch; one that was begun is taken up again. */
static nlm_status learn(int epochs, bool resume, nlm_error *error)
{
    const nlm_run_files files = {.model = "run.nlm", .log = "run.jsonl", .resume = resume};
    nlm_settings settings;
    nlm_progress progress = {0};
    nlm_run *run;
    CHECK(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_PAPER, &settings, &check_error));
    settings.objects = 4;
    settings.batches = 2;
    settings.epochs = EPOCHS;
    settings.threshold = 1e-9;
    nlm_status status = nlm_run_open(&settings, NULL, &files, &run, error);
    while (!status && nlm_run_stage(run) == NLM_LEARNING && progress.rounds < epochs) {
        status = nlm_run_step(run, NULL, error);
        nlm_run_progress(run, &progress);
    }
    nlm_run_free(run);
    return status;
}

/* The log has every epoch once, in order, in whole lines. */
static void check_log(void)
{
    FILE *file = fopen("run.jsonl", "r");
    char line[1000], beginning[32];
    assert_non_null(file);
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        assert_non_null(fgets(line, sizeof line, file));
        snprintf(beginning, sizeof beginning, "{\"epoch\": %d, ", epoch);
        assert_ptr_equal(strstr(line, beginning), line);
        assert_string_equal(line + strlen(line) - 2, "}\n");
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

/* A run that is begun, or taken up again, ends with an error that names file and cause, or in spite of the
 * failure; what it has written is enough to take it up once more, and to end as if nothing had failed. */
static void runs_lose_nothing(void **state)
{
    (void)state;
    buffer model = {0};
    size_t size;
    nlm_error error;
    CHECK(learn(EPOCHS, false, &check_error));
    CHECK(file_read_all("run.nlm", 1 << 24, &model, &size, &check_error));
    for (int begun = 0; begun < 2; begun++) {
        bool failed = true;
        for (int number = 0; failed; number++) {
            unlink("run.nlm");
            unlink("run.nlm.checkpoint");
            unlink("run.jsonl");
            if (begun)
                CHECK(learn(1, false, &check_error));
            fail_io(number);
            const nlm_status status = learn(EPOCHS, begun, &error);
            failed = io_failed();
            fail_io(-1);
            if (status)
                assert_names(&error, "run.");
            CHECK(learn(EPOCHS, true, &check_error));
            assert_true(same_content("run.nlm", &model, size));
            check_log();
            assert_int_equal(entries_of("."), 3);
            assert_true(failed || number > 20);
        }
    }
    buffer_free(&model);
}

/* ---- folders ---- */

static uint64_t digest_of(const char *folder)
{
    nlm_problem *problem = files_read(folder, NULL);
    uint64_t digest = nlm_problem_digest(problem);
    nlm_problem_free(problem);
    return digest;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* After a failure: nothing, the earlier content, or a folder that says that it is not complete. */
static void check_folder_after(bool replaced)
{
    nlm_problem *read;
    nlm_error error;
    if (!is_there("folder")) {
        assert_false(replaced);
    } else if (is_there("folder/INCOMPLETE")) {
        assert_int_equal(nlm_problem_read("folder", NULL, &read, &error), NLM_BAD_FILE);
    } else {
        assert_true(replaced);
        assert_true(digest_of("folder") == nlm_problem_digest(problems[0]));
        assert_int_equal(entries_of("folder"), 4);
        assert_int_equal(entries_of("folder/0001"), 2);
    }
}

static void fail_each_in_folder(bool replaced)
{
    bool failed = true;
    nlm_error error;
    for (int number = 0; failed; number++) {
        if (replaced)
            CHECK(nlm_problem_write(problems[0], "folder", NLM_FORM_FOLDER, true, &check_error));
        fail_io(number);
        nlm_status status = nlm_problem_write(problems[1], "folder", NLM_FORM_FOLDER, replaced, &error);
        failed = io_failed() && status; /* a folder that cannot be locked is written all the same */
        bool ended = !io_failed();
        fail_io(-1);
        if (failed) {
            assert_names(&error, "folder");
            check_folder_after(replaced);
        } else {
            assert_int_equal(status, NLM_OK);
            assert_true(digest_of("folder") == nlm_problem_digest(problems[1]));
            failed = !ended;
        }
        if (!ended)
            nftw("folder", files_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        assert_true(failed || number > 40);
    }
    nftw("folder", files_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void folders_are_whole(void **state)
{
    (void)state;
    for (int version = 0; version < 2; version++)
        CHECK(nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, (uint64_t)version, 0, 6, 3,
                                   &problems[version], &check_error));
    fail_each_in_folder(false);
    fail_each_in_folder(true);
    nlm_problem_free(problems[0]);
    nlm_problem_free(problems[1]);
}

/* What an unfinished attempt has left is replaced without being asked for; nothing finished is. */
static void an_unfinished_folder_is_written_again(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_error error;
    CHECK(nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 6, 2, &problem, &check_error));
    files_write("folder/INCOMPLETE", "");
    files_write("folder/bias.pl", "head_pred(");
    files_write("folder/0001/bk.pl.tmp-0a1b2c", "father(");
    CHECK(nlm_problem_write(problem, "folder", NLM_FORM_FOLDER, false, &check_error));
    assert_true(digest_of("folder") == nlm_problem_digest(problem));
    assert_int_equal(entries_of("folder"), 3);
    assert_int_equal(entries_of("folder/0001"), 2);
    assert_int_equal(nlm_problem_write(problem, "folder", NLM_FORM_FOLDER, false, &error), NLM_BAD_ARGUMENT);
    nlm_lock *lock;
    CHECK(nlm_lock_take("folder", &lock, &check_error));
    assert_int_equal(nlm_problem_write(problem, "folder", NLM_FORM_FOLDER, true, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "folder: another nlm is at work here");
    nlm_lock_release(lock);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(files_are_whole),
        files_test(runs_lose_nothing),
        files_test(folders_are_whole),
        files_test(an_unfinished_folder_is_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
