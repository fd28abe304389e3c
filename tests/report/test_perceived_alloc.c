/* The part of a report about digits when memory runs out, at each allocation in turn: it is all there, or
 * nothing of it. */
#include "facts/files.h"
#include "failing_malloc.h"
#include "report/report.h"

static nlm_machine *new_machine(const nlm_task *task)
{
    nlm_settings training;
    nlm_machine *machine;
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    nlm_error error = {0};
    assert_int_equal(nlm_settings_of_task(task, NLM_PROTOCOL_PAPER, &training, &error), NLM_OK);
    training.spec.outputs = 1u << 1;
    assert_int_equal(nlm_machine_new(&training.spec, &head, 1, &machine, &error), NLM_OK);
    nlm_machine_initialise(machine, 5);
    return machine;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    nlm_gallery *gallery;
    nlm_error error = {0};
    nlm_task task = *nlm_task_find("adjacent-to-zero");
    assert_int_equal(nlm_gallery_draw(1, 8, &gallery, &error), NLM_OK);
    nlm_machine *machine = new_machine(&task);
    task.gallery = gallery;
    bool whole = false;
    int number = 0;
    for (; !whole; number += number < 60 ? 1 : 5) {
        page p = {0};
        fail_allocation(number);
        const nlm_status status = perceived_put(&p, machine, &task, 1, "seed 1", &error);
        whole = !allocation_failed();
        failing = -1;
        if (status != (whole ? NLM_OK : NLM_NO_MEMORY) && !p.failed)
            fail_msg("allocation %d: status %d, %s", number, (int)status, error.message);
        if (status)
            assert_int_equal(p.length, 0);
        page_release(&p);
    }
    assert_true(number > 60);
    nlm_machine_free(machine);
    nlm_gallery_free(gallery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
