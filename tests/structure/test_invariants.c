/* Broken invariants end the program where they are checked (base/invariant.h), and cost nothing elsewhere. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"

#include "base/invariant.h"
#include "nlm/nlm.h"
#include "structure/structure.h"

static int evaluated;

static bool holds(bool condition)
{
    evaluated++;
    return condition;
}

/* Whether a function ends by abort; what that says is not shown. */
static bool aborts(void (*function)(void *), void *context)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        if (setrlimit(RLIMIT_CORE, &none) || !freopen("/dev/null", "w", stderr))
            _exit(1);
        signal(SIGABRT, SIG_DFL);
        function(context);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void break_one(void *context)
{
    (void)context;
    INVARIANT(holds(false));
}

static void broken_ones_are_noticed_where_they_are_checked(void **state)
{
    (void)state;
    INVARIANT(holds(true));
    assert_int_equal(evaluated, INVARIANTS_CHECKED);
    assert_int_equal(aborts(break_one, NULL), INVARIANTS_CHECKED);
}

static void check(void *structure)
{
    structure_check(structure);
}

/* Three objects; 0 is the father of 1 and of 2, as in structure.h. */
static void broken_structures_are_noticed(void **state)
{
    (void)state;
    const nlm_spec spec = {.depth = 2, .breadth = 2, .inputs = {0, 0, 1}, .width = 2, .outputs = 6};
    const float father[9] = {0, 1, 1}, *const tensors[NLM_MAX_BREADTH + 1] = {[2] = father};
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    CHECK(nlm_machine_new(&spec, NULL, 0, &machine, &check_error));
    CHECK(nlm_batch_new(spec.inputs, spec.breadth, &batch, &check_error));
    CHECK(nlm_batch_add_tensors(batch, 3, tensors, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(
        nlm_structure_build(structure, machine, batch, &(nlm_options){.lifting = NLM_CLASSES}, &check_error));
    assert_false(aborts(check, structure));
    /* in turn: an orbit that is none, a larger one of two equal orders, an element that is none, a set that
     * ends before it begins */
    int32_t *const codes = structure->levels[0][2].store.code_store.data;
    int32_t *const elements = structure->ranges[0][1].element_store.data;
    int32_t *const start = structure->ranges[0][1].start_store.data;
    int32_t *const places[] = {&codes[0], &codes[2], &elements[0], &start[1]};
    const int32_t broken[] = {1 << 20, codes[2] | 1, 1 << 20, -1};
    for (size_t i = 0; i < COUNT(places); i++) {
        const int32_t right = *places[i];
        *places[i] = broken[i];
        assert_int_equal(aborts(check, structure), INVARIANTS_CHECKED);
        *places[i] = right;
    }
    assert_false(aborts(check, structure));
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_ones_are_noticed_where_they_are_checked),
        cmocka_unit_test(broken_structures_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
