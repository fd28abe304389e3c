/* Finding the program of a trained machine: the same one twice, a model file that is the program, and reasons
 * where there is none. */
#include "learn/runs.h"
#include "learn/rule_searches.h"

static nlm_settings small(const char *task)
{
    nlm_settings made;
    CHECK(nlm_settings_of_task(nlm_task_find(task), NLM_PROTOCOL_BEST, &made, &check_error));
    made.spec.depth = 2;
    made.spec.width = 4;
    made.objects = 8;
    made.exam = 100;
    return made;
}

static void found(void **context)
{
    (void)context;
    const nlm_settings settings = small("has-father");
    nlm_run *run = begin_run(&settings, 1);
    run_to_end(run);
    nlm_machine *learned = nlm_run_machine(run);
    nlm_rule_search *one = search_to_end(learned, nlm_run_settings(run), 1);
    nlm_rule_search *two = search_to_end(learned, nlm_run_settings(run), 2);
    char line[NLM_RULE_LINE];
    assert_string_equal(nlm_rule_search_line(one, line), "rules: a program of 2 literals");
    char *first = found_text(one, NLM_CLAUSES), *second = found_text(two, NLM_CLAUSES);
    assert_string_equal(first, "has_father(X) :- father(X, _).\n");
    assert_string_equal(first, second);
    assert_false(nlm_machine_has_program(learned));
    nlm_machine_free(found_machine(one, "has-father"));
    free(first);
    free(second);
    nlm_rule_search_free(one);
    nlm_rule_search_free(two);
    nlm_run_free(run);
}

/* Every stage that tasks have, in order; the program is known when others are compared with it. */
static void stages(void **context)
{
    (void)context;
    const nlm_settings settings = small("has-father");
    nlm_run *run = begin_run(&settings, 1);
    nlm_rule_search *search;
    char line[NLM_RULE_LINE];
    bool compared = false;
    run_to_end(run);
    CHECK(nlm_rule_search_new(nlm_run_machine(run), nlm_run_settings(run), NULL, &search, &check_error));
    assert_int_equal(nlm_rule_search_stage(search), NLM_RULES_HARDENING);
    for (nlm_rule_stage stage; (stage = nlm_rule_search_stage(search)) < NLM_RULES_FOUND;) {
        assert_int_not_equal(stage, NLM_RULES_SIMPLIFYING);
        if (stage == NLM_RULES_COMPARING) {
            compared = true;
            assert_string_equal(nlm_rule_search_line(search, line),
                                "rules: 2 literals, comparing with other programs");
        }
        CHECK(nlm_rule_search_step(search, &check_error));
        assert_true(nlm_rule_search_stage(search) >= stage);
    }
    assert_true(compared);
    assert_int_equal(nlm_rule_search_stage(search), NLM_RULES_FOUND);
    nlm_rule_search_free(search);
    nlm_run_free(run);
}

/* The trained machine is in the file beside the program, weight for weight. */
static void trained_weights_are_kept(void **context)
{
    (void)context;
    const nlm_settings settings = small("has-father");
    char path[] = "/tmp/nlm-rules-XXXXXX";
    nlm_run *run = begin_run(&settings, 1);
    nlm_machine *learned, *machine, *trained;
    nlm_error error;
    run_to_end(run);
    close(mkstemp(path));
    CHECK(nlm_run_save_model(run, path, &check_error));
    CHECK(nlm_machine_load(path, &learned, &check_error));
    assert_int_equal(nlm_machine_trained(learned, path, &trained, &error), NLM_BAD_ARGUMENT);
    assert_null(trained);
    nlm_rule_search *search = search_to_end(learned, &settings, 0);
    CHECK(nlm_rule_search_save(search, path, NULL, 0, &check_error));
    CHECK(nlm_machine_load(path, &machine, &check_error));
    CHECK(nlm_machine_trained(machine, path, &trained, &check_error));
    assert_int_equal(nlm_machine_tensors(trained), nlm_machine_tensors(learned));
    for (int t = 0; t < nlm_machine_tensors(trained); t++) {
        const nlm_tensor kept = nlm_machine_tensor(trained, t), before = nlm_machine_tensor(learned, t);
        assert_int_equal(kept.count, before.count);
        assert_memory_equal(kept.values, before.values, kept.count * sizeof *kept.values);
    }
    unlink(path);
    nlm_rule_search_free(search);
    nlm_machine_free(trained);
    nlm_machine_free(machine);
    nlm_machine_free(learned);
    nlm_run_free(run);
}

/* Facts of one world, of which some labels are held out. */
static void found_from_one_world(void **context)
{
    (void)context;
    static const char facts[] = "parent(a, b). parent(b, c). parent(b, d). parent(c, e). parent(e, f).\n"
                                "grand(a, c). grand(a, d). grand(b, e). grand(c, f).\n";
    char path[] = "/tmp/nlm-facts-XXXXXX";
    const int file = mkstemp(path);
    assert_int_equal(write(file, facts, sizeof facts - 1), sizeof facts - 1);
    close(file);
    const nlm_reading reading = {.targets = (const char *const[]){"grand"}, .target_count = 1};
    nlm_problem *problem;
    nlm_settings settings;
    CHECK(nlm_problem_read(path, &reading, &problem, &check_error));
    unlink(path);
    assert_int_equal(nlm_problem_worlds(problem), 1);
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.spec.depth = settings.spec.breadth = 3;
    assert_true(settings.held_out > 0);
    nlm_run *run = begin_run(&settings, 1);
    run_to_end(run);
    nlm_rule_search *search = search_to_end(nlm_run_machine(run), nlm_run_settings(run), 1);
    assert_string_equal(nlm_rule_search_reason(search), "");
    free(found_text(search, NLM_CLAUSES));
    nlm_rule_search_free(search);
    nlm_run_free(run);
    nlm_problem_free(problem);
}

static void refused(void **context)
{
    (void)context;
    nlm_settings settings;
    nlm_rule_search *search;
    nlm_error error;
    CHECK(nlm_settings_of_game(nlm_game_find("blocks"), NLM_PROTOCOL_BEST, &settings, &check_error));
    nlm_run *run = begin_run(&settings, 1);
    assert_int_equal(nlm_rule_search_new(nlm_run_machine(run), &settings, NULL, &search, &error),
                     NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "blocks"));
    assert_null(search);
    nlm_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(stages),
                                       cmocka_unit_test(trained_weights_are_kept),
                                       cmocka_unit_test(found_from_one_world), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
