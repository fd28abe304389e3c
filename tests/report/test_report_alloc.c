/* A report when memory runs out, at each allocation in turn: refused or whole, and nothing is lost. */
#include "facts/files.h"
#include "failing_malloc.h"
#include "nlm/report.h"
#include "nlm/rules.h"
#include "nlm/run.h"

static const char epochs[] = "{\"epoch\": 1, \"loss\": 0.5, \"accuracy\": 0.9, \"examples\": 100}\n"
                             "{\"epoch\": 2, \"loss\": 0.1, \"accuracy\": 0.99, \"examples\": 200}\n";

static void write_model(const char *path)
{
    nlm_settings training;
    nlm_run *trainer;
    nlm_error error = {0};
    assert_int_equal(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_BEST, &training, &error),
                     0);
    assert_int_equal(nlm_run_new(&training, NULL, &trainer, &error), 0);
    assert_int_equal(nlm_run_save_model(trainer, path, &error), 0);
    nlm_run_free(trainer);
}

/* A model that is a program. */
static void write_program(const char *path)
{
    static const char rules[] = "has_father(X) :- father(X, Y).\n";
    static const char *const pairs[] = {"task", "has-father", "rules", rules};
    nlm_signature *signature;
    nlm_program *program;
    nlm_machine *machine;
    CHECK(nlm_signature_of_task(nlm_task_find("has-father"), &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(rules, sizeof rules - 1, "rules", &reading, &program, &check_error));
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    CHECK(nlm_machine_save(machine, path, pairs, 2, &check_error));
    nlm_machine_free(machine);
    nlm_program_free(program);
    nlm_signature_free(signature);
}

static nlm_status make_report(nlm_error *error)
{
    nlm_report *report;
    nlm_status status = nlm_report_new(&report, error);
    if (!status)
        status = nlm_report_add(report, "r", error);
    if (!status)
        status = nlm_report_save(report, "r.html", error);
    nlm_report_free(report);
    return status;
}

/* Not there, or there up to its end. */
static void assert_whole_or_absent(int number)
{
    static const char end[] = "</html>\n";
    char last[sizeof end] = "";
    FILE *file = fopen("r.html", "rb");
    if (!file)
        return;
    assert_int_equal(fseek(file, 1 - (long)sizeof end, SEEK_END), 0);
    assert_int_equal(fread(last, 1, sizeof end - 1, file), sizeof end - 1);
    fclose(file);
    if (strcmp(last, end))
        fail_msg("allocation %d: the page ends with %s", number, last);
}

/* What is lost while reading a file is noted; anything later ends the report. */
static void check_each_allocation(void)
{
    failing = -1;
    const int before = atomic_load(&allocations);
    nlm_error error = {0};
    assert_int_equal(make_report(&error), NLM_OK);
    const int all = atomic_load(&allocations) - before;
    assert_true(all > 100);
    for (int number = 0; number < all; number += number < 60 ? 1 : 7) {
        remove("r.html");
        atomic_store(&allocations, 0);
        failing = number;
        error = (nlm_error){0};
        const nlm_status status = make_report(&error);
        failing = -1;
        if (status != NLM_OK && status != NLM_NO_MEMORY && status != NLM_BAD_FILE && status != NLM_IO_ERROR)
            fail_msg("allocation %d: %s", number, error.message);
        assert_whole_or_absent(number);
    }
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    files_write("r/seed-1.jsonl", epochs);
    files_write("r/seed-2.jsonl", epochs);
    write_model("r/seed-1.nlm");
    check_each_allocation();
}

static void memory_may_run_out_for_programs(void **state)
{
    (void)state;
    files_write("r/seed-1.jsonl", epochs);
    write_program("r/seed-1.nlm");
    check_each_allocation();
}

int main(void)
{
    const struct CMUnitTest tests[] = {files_test(memory_may_run_out_anywhere),
                                       files_test(memory_may_run_out_for_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
