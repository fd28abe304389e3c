/* Memory of templates and of the settings made with them: every allocation in turn fails, which is said; the
 * templates can then be used again, or freed. */
#include <unistd.h>
#include "test.h"

#include "failing_malloc.h"
#include "nlm/run.h"

/* Templates of uncle, which have negations, helpers and two templates of one; from a file if there is one. */
static nlm_status make(const char *path, nlm_templates **templates, nlm_settings *training, nlm_error *error)
{
    const nlm_task *task = nlm_task_find("uncle");
    nlm_status status =
        path ? nlm_templates_read(path, templates, error) : nlm_templates_of_task(task, templates, error);
    if (status)
        assert_null(*templates);
    return status ? status : nlm_settings_use_templates(training, *templates, error);
}

/* How many allocations can fail. */
static int fail_each(const char *path)
{
    nlm_error error;
    for (int number = 0;; number++) {
        nlm_templates *templates = NULL;
        nlm_settings training;
        assert_int_equal(nlm_settings_of_task(nlm_task_find("uncle"), NLM_PROTOCOL_PAPER, &training, &error),
                         NLM_OK);
        fail_allocation(number);
        nlm_status status = make(path, &templates, &training, &error);
        bool failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (failed) {
            assert_int_equal(error.status, NLM_NO_MEMORY);
            assert_null(training.spec.model); /* as it was */
        }
        if (templates) {
            assert_int_equal(nlm_settings_use_templates(&training, templates, &error), NLM_OK);
            assert_string_equal(training.spec.program->definition[1].name, "candidate");
        }
        nlm_templates_free(templates);
        if (!failed)
            return number;
    }
}

static void templates_of_tasks(void **state)
{
    (void)state;
    assert_true(fail_each(NULL) > 15);
}

static void templates_of_files(void **state)
{
    (void)state;
    char path[] = "/tmp/nlm-test-templates-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs("negated(father, 2). template(uncle, 2, 0, mixed). template(candidate, 2, 1, given).", out);
    assert_int_equal(fclose(out), 0);
    assert_true(fail_each(path) > 15);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_of_tasks),
        cmocka_unit_test(templates_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
