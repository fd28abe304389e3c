/* Hardening and elimination: a small machine learns, becomes hard, and keeps few of its weights. */
#include "learn/eliminate.h"
#include "learn/harden.h"
#include "learn/runs.h"
#include "learn/weight_map.h"
#include "machine/pass.h"

/* ---- a trained machine ---- */

static nlm_settings task_settings(const char *task, int depth, int objects)
{
    nlm_settings made;
    CHECK(nlm_settings_of_task(nlm_task_find(task), NLM_PROTOCOL_BEST, &made, &check_error));
    made.spec.depth = depth;
    made.spec.width = 4;
    made.objects = objects;
    made.exam = 100;
    return made;
}

static nlm_run *trained(const nlm_settings *settings)
{
    nlm_run *run = begin_run(settings, 1);
    run_to_end(run);
    assert_int_equal(nlm_run_stage(run), NLM_GRADUATED);
    return run;
}

static enum hardening_stage harden(nlm_machine *machine, const nlm_settings *settings,
                                   const struct hardening_attempt *ladder, int threads)
{
    struct hardening hardening;
    const nlm_options options = {.threads = threads};
    CHECK(hardening_begin(&hardening, machine, settings, ladder, 1, &options, &check_error));
    while (hardening.stage == HARDENING)
        CHECK(hardening_step(&hardening, &check_error));
    const enum hardening_stage stage = hardening.stage;
    if (stage == HARDENED)
        assert_int_equal(hardening.errors, 0);
    hardening_end(&hardening);
    return stage;
}

static void eliminate(struct elimination *elimination, nlm_machine *hard, const nlm_settings *settings,
                      int order, int threads)
{
    const nlm_options options = {.threads = threads};
    CHECK(elimination_begin(elimination, hard, settings, order, &options, &check_error));
    while (elimination->stage < ELIMINATED)
        CHECK(elimination_step(elimination, &check_error));
    assert_int_equal(elimination->stage, ELIMINATED);
    assert_int_equal(elimination->errors, 0);
}

/* Every value of every unit is 0 or 1, in worlds that nothing was learned from. */
static void assert_hard(nlm_machine *machine, const nlm_settings *settings)
{
    const nlm_options options = {.lifting = NLM_CLASSES};
    nlm_evaluator *evaluator;
    nlm_world *world;
    CHECK(nlm_evaluator_new(machine, &options, &evaluator, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    for (uint64_t number = 0; number < 20; number++) {
        CHECK(nlm_task_generate(settings->task, settings->kind, 77, number, settings->objects, world,
                                &check_error));
        CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    }
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    for (int t = 0; t < machine->plan.spec.depth; t++)
        for (int r = 0; r <= machine->plan.spec.breadth; r++) {
            const struct value_table *block = &nlm_evaluator_pass(evaluator)->blocks[t + 1][r];
            for (size_t row = 0; row < block->rows; row++)
                for (int k = 0; k < nlm_unit_width(machine, t + 1, r); k++) {
                    const float value = block->values[row * (size_t)block->stride + (size_t)k];
                    assert_true(value < 1e-6f || value > 1 - 1e-6f);
                }
        }
    nlm_evaluator_free(evaluator);
    nlm_world_free(world);
}

static void assert_no_error(nlm_machine *machine, const nlm_settings *settings, int objects)
{
    nlm_test *test;
    CHECK(nlm_test_of_task(machine, settings->task, settings->kind, objects, 5, NULL, &test, &check_error));
    CHECK(nlm_test_run(test, 100, NULL, NULL, &check_error));
    assert_int_equal(nlm_test_score(test).wrong, 0);
    nlm_test_free(test);
}

static size_t weights_of(nlm_machine *machine)
{
    struct weight_map *map;
    CHECK(weight_map_new(machine, &map, &check_error));
    const size_t left = weight_map_left(map);
    weight_map_free(map);
    return left;
}

/* ---- tests ---- */

static void a_task_becomes_hard_and_small(void **state)
{
    (void)state;
    const nlm_settings settings = task_settings("grandparent", 3, 8);
    nlm_run *run = trained(&settings);
    nlm_machine *machine = nlm_run_machine(run);
    assert_int_equal(harden(machine, &settings, NULL, 1), HARDENED);
    assert_hard(machine, &settings);
    assert_no_error(machine, &settings, 8);
    struct elimination small;
    eliminate(&small, machine, &settings, 0, 1);
    assert_int_equal(small.weights, weights_of(small.machine));
    assert_true(small.weights >= 4 && small.weights < weights_of(machine) / 10);
    assert_hard(small.machine, &settings);
    assert_no_error(small.machine, &settings, 8);
    assert_no_error(small.machine, &settings, 20);
    elimination_end(&small);
    nlm_run_free(run);
}

static void the_same_seed_gives_the_same_bits(void **state)
{
    (void)state;
    const nlm_settings settings = task_settings("has-father", 2, 6);
    nlm_run *runs[2];
    struct elimination small[2], other;
    for (int i = 0; i < 2; i++) {
        runs[i] = trained(&settings);
        assert_int_equal(harden(nlm_run_machine(runs[i]), &settings, NULL, i + 1), HARDENED);
        eliminate(&small[i], nlm_run_machine(runs[i]), &settings, 0, i + 1);
    }
    assert_int_equal(count_different_parameters(nlm_run_machine(runs[0]), nlm_run_machine(runs[1])), 0);
    assert_int_equal(count_different_parameters(small[0].machine, small[1].machine), 0);
    assert_int_equal(small[0].tests, small[1].tests);
    eliminate(&other, nlm_run_machine(runs[0]), &settings, 1, 1);
    assert_true(count_different_parameters(small[0].machine, other.machine) > 0);
    elimination_end(&other);
    for (int i = 0; i < 2; i++) {
        elimination_end(&small[i]);
        nlm_run_free(runs[i]);
    }
}

static void too_few_steps_leave_the_soft_machine(void **state)
{
    (void)state;
    const nlm_settings settings = task_settings("has-father", 2, 6);
    static const struct hardening_attempt ladder[] = {{.steps = 20, .noise = 0.1}, {.steps = 10}, {0}};
    nlm_machine *machine = make_beginner(&settings, 1), *same = make_beginner(&settings, 1);
    assert_int_equal(harden(machine, &settings, ladder, 1), NOT_HARDENED);
    assert_int_equal(count_different_parameters(machine, same), 0);
    nlm_machine_free(machine);
    nlm_machine_free(same);
}

/* Facts: nothing but the worlds that were learned from. */
static void facts_become_hard_and_small(void **state)
{
    (void)state;
    nlm_problem *problem;
    CHECK(nlm_problem_generate(nlm_task_find("has-father"), NLM_WORLDS_PAPER, 7, 0, 6, 30, &problem,
                               &check_error));
    nlm_settings settings;
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.spec.depth = 2;
    settings.spec.width = 4;
    nlm_run *run = trained(&settings);
    nlm_machine *machine = nlm_run_machine(run);
    assert_int_equal(harden(machine, &settings, NULL, 1), HARDENED);
    struct elimination small;
    eliminate(&small, machine, &settings, 0, 1);
    assert_int_equal(small.asked, 27);
    assert_true(small.weights < 20);
    elimination_end(&small);
    nlm_run_free(run);
    nlm_problem_free(problem);
}

static void other_machines_are_refused(void **state)
{
    (void)state;
    nlm_settings settings = task_settings("has-father", 2, 6);
    struct hardening hardening;
    nlm_error error;
    settings.spec.hidden_layers = 1;
    settings.spec.hidden[0] = 4;
    nlm_machine *machine = make_beginner(&settings, 1);
    assert_int_equal(hardening_begin(&hardening, machine, &settings, NULL, 1, NULL, &error),
                     NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "hidden layers");
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_becomes_hard_and_small),
        cmocka_unit_test(the_same_seed_gives_the_same_bits),
        cmocka_unit_test(too_few_steps_leave_the_soft_machine),
        cmocka_unit_test(facts_become_hard_and_small),
        cmocka_unit_test(other_machines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
