/* What a run on facts has shown: bounds, parts of cross-validation, and outcomes. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "learn/runs.h"
#include "learn/validation.h"

/* ---- bounds ---- */

/* Where nothing is wrong the bound has a closed form: (1 - p)^n = 1 - confidence. */
static void the_bound_is_exact_without_errors(void **state)
{
    (void)state;
    for (size_t asked = 1; asked < 2000; asked += 37)
        assert_true(fabs(nlm_share_bound(asked, 0, 0.95) - (1 - pow(0.05, 1 / (double)asked))) < 1e-9);
    assert_true(nlm_share_bound(20, 0, 0.95) < NLM_EVIDENCE_WRONG);
    assert_true(nlm_share_bound(18, 0, 0.95) > NLM_EVIDENCE_WRONG);
}

/* One of two, counted by hand: (1 - p)^2 + 2 p (1 - p) = 1 - p^2. */
static void the_bound_counts_errors(void **state)
{
    (void)state;
    assert_true(fabs(nlm_share_bound(2, 1, 0.95) - sqrt(0.95)) < 1e-9);
    for (size_t wrong = 1; wrong < 50; wrong++)
        assert_true(nlm_share_bound(50, wrong, 0.95) > nlm_share_bound(50, wrong - 1, 0.95));
    assert_true(nlm_share_bound(50, 50, 0.95) >= 1);
    assert_true(nlm_share_bound(0, 0, 0.95) >= 1);
    const double many = nlm_share_bound(1000000, 100000, 0.95);
    assert_true(many > 0.1 && many < 0.101);
}

/* ---- outcomes ---- */

static void outcomes_follow_from_answers(void **state)
{
    (void)state;
    const nlm_answers none = {0}, right = {.positives = 20, .negatives = 20};
    const nlm_answers few = {.positives = 18, .negatives = 40};
    const nlm_answers half = {.positives = 20, .wrong_positives = 10, .negatives = 20};
    const nlm_answers tenth = {
        .positives = 100, .wrong_positives = 10, .negatives = 100, .wrong_negatives = 10};
    const nlm_answers third = {
        .positives = 100, .wrong_positives = 30, .negatives = 100, .wrong_negatives = 30};
    const struct {
        nlm_answers learned, held_out, validated;
        bool noisy, graduated, contradictory;
        nlm_outcome outcome;
    } cases[] = {
        {right, right, none, false, true, false, NLM_LEARNED},
        {right, few, none, false, true, false, NLM_TOO_LITTLE},
        {right, right, none, false, true, true, NLM_CONTRADICTORY},
        {right, right, none, false, false, false, NLM_NOT_LEARNED},
        {right, half, none, false, true, false, NLM_NOT_LEARNED},
        {half, few, none, false, true, false, NLM_NOT_LEARNED}, /* does not fit what it learned from */
        {tenth, none, tenth, true, true, false, NLM_LEARNED},
        {tenth, none, half, true, true, false, NLM_NOT_LEARNED},
        {third, none, third, true, true, false, NLM_NOT_LEARNED}, /* as many are wrong as it contradicts */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_evidence evidence = {.learned = cases[i].learned,
                                 .held_out = cases[i].held_out,
                                 .validated = cases[i].validated,
                                 .noisy = cases[i].noisy};
        evidence_conclude(&evidence, cases[i].graduated, cases[i].contradictory);
        assert_int_equal(evidence.outcome, cases[i].outcome);
        assert_int_equal(evidence.more_positives, cases[i].outcome == NLM_TOO_LITTLE);
        assert_int_equal(evidence.more_negatives, 0);
        assert_int_equal(evidence.is_too_noisy, cases[i].noisy && cases[i].learned.wrong_positives == 30);
    }
}

/* ---- parts ---- */

static nlm_problem *make_problem(const char *task, int objects, int worlds)
{
    nlm_problem *problem;
    CHECK(nlm_problem_generate(nlm_task_find(task), NLM_WORLDS_PAPER, 7, 0, objects, worlds, &problem,
                               &check_error));
    return problem;
}

static nlm_settings settings_of(const nlm_problem *problem)
{
    nlm_settings made;
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &made, &check_error));
    made.epochs = 60;
    return made;
}

static struct world_source source_of(const nlm_settings *settings, int part, int parts)
{
    struct world_source source;
    nlm_settings part_of = *settings;
    part_of.parts = parts;
    part_of.hidden_part = part;
    CHECK(world_source_init(&source, &part_of, &check_error));
    return source;
}

static void every_world_is_hidden_once(void **state)
{
    (void)state;
    enum { WORLDS = 23, PARTS = 5 };
    nlm_problem *problem = make_problem("has-father", 5, WORLDS);
    const nlm_settings settings = settings_of(problem);
    int hidden[WORLDS] = {0};
    for (int part = 1; part <= PARTS; part++) {
        struct world_source source = source_of(&settings, part, PARTS);
        int seen[WORLDS] = {0};
        assert_int_equal(source.learned + source.held_out + source.hidden, WORLDS);
        assert_true(source.hidden == WORLDS / PARTS || source.hidden == WORLDS / PARTS + 1);
        assert_true(source.held_out > 0);
        for (int i = 0; i < WORLDS; i++)
            for (int w = 0; w < WORLDS; w++)
                if (source.worlds[i] == nlm_problem_world(problem, w)) {
                    seen[w]++;
                    hidden[w] += i >= source.learned + source.held_out;
                }
        for (int w = 0; w < WORLDS; w++)
            assert_int_equal(seen[w], 1);
        world_source_release(&source);
    }
    for (int w = 0; w < WORLDS; w++)
        assert_int_equal(hidden[w], 1);
    nlm_problem_free(problem);
}

static void every_label_is_hidden_once(void **state)
{
    (void)state;
    enum { OBJECTS = 9, PARTS = 4, PLACES = OBJECTS * OBJECTS };
    nlm_problem *problem = make_problem("grandparent", OBJECTS, 1);
    const nlm_settings settings = settings_of(problem);
    signed char whole[PLACES], labels[PLACES];
    int hidden[PLACES] = {0};
    write_labels(nlm_problem_world(problem, 0), 2, whole);
    for (int part = 1; part <= PARTS; part++) {
        struct world_source source = source_of(&settings, part, PARTS);
        int seen[PLACES] = {0};
        assert_int_equal(source.hidden, 1);
        for (int i = 0; i < 3; i++) {
            write_labels(source.worlds[i], 2, labels);
            for (int place = 0; place < PLACES; place++) {
                if (place % (OBJECTS + 1) == 0 || labels[place] == NLM_UNLABELLED)
                    continue; /* the first repeats an object */
                assert_int_equal(labels[place], whole[place]);
                seen[place]++;
                hidden[place] += i == 2;
            }
        }
        for (int place = 0; place < PLACES; place++)
            assert_int_equal(seen[place], place % (OBJECTS + 1) != 0);
        world_source_release(&source);
    }
    for (int place = 0; place < PLACES; place++)
        assert_int_equal(hidden[place], place % (OBJECTS + 1) != 0);
    nlm_problem_free(problem);
}

/* ---- runs ---- */

static nlm_evidence learn_and_ask(const nlm_settings *settings, int threads, const char *path)
{
    const nlm_run_files files = {.model = path, .force = true, .rules = true, .validate = true};
    const nlm_options options = {.threads = threads};
    nlm_evidence evidence;
    nlm_run *run;
    CHECK(nlm_run_open(settings, &options, &files, &run, &check_error));
    nlm_error error;
    assert_int_equal(nlm_run_evidence(run, &evidence, &error), NLM_BAD_ARGUMENT); /* it has not ended */
    while (nlm_run_stage(run) == NLM_LEARNING)
        CHECK(nlm_run_step(run, NULL, &check_error));
    CHECK(nlm_run_evidence(run, &evidence, &check_error));
    nlm_run_free(run);
    return evidence;
}

static void assert_same_answers(nlm_answers a, nlm_answers b)
{
    assert_int_equal(a.positives, b.positives);
    assert_int_equal(a.wrong_positives, b.wrong_positives);
    assert_int_equal(a.negatives, b.negatives);
    assert_int_equal(a.wrong_negatives, b.wrong_negatives);
}

/* Ten worlds of 8: one is held out, with fewer than 20 labels of a kind; all together have enough. */
static void few_held_out_labels_are_validated(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 8, 10);
    const nlm_settings settings = settings_of(problem);
    const nlm_evidence one = learn_and_ask(&settings, 1, "evidence-1.nlm"),
                       three = learn_and_ask(&settings, 3, "evidence-3.nlm");
    assert_int_equal(one.held_out.positives + one.held_out.negatives, 8);
    assert_int_equal(one.learned.positives + one.learned.negatives, 72);
    assert_int_equal(one.validated.positives + one.validated.negatives, 80);
    assert_int_equal(one.learned.wrong_positives + one.learned.wrong_negatives, 0);
    assert_same_answers(one.validated, three.validated);
    assert_int_equal(one.outcome, NLM_LEARNED);
    assert_true(one.most_wrong_positives <= NLM_EVIDENCE_WRONG);
    /* taken up again, the run has nothing to do and says the same */
    const nlm_run_files files = {.model = "evidence-1.nlm", .resume = true, .rules = true, .validate = true};
    nlm_evidence again;
    nlm_run *run;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    assert_int_equal(nlm_run_stage(run), NLM_GRADUATED);
    CHECK(nlm_run_evidence(run, &again, &check_error));
    assert_same_answers(one.validated, again.validated);
    assert_int_equal(again.outcome, NLM_LEARNED);
    nlm_run_free(run);
    unlink("evidence-1.nlm");
    unlink("evidence-3.nlm");
    nlm_problem_free(problem);
}

static void few_labels_are_too_little_to_tell(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 5, 3);
    const nlm_settings settings = settings_of(problem);
    const nlm_evidence evidence = learn_and_ask(&settings, 1, "evidence-few.nlm");
    assert_int_equal(evidence.validated.positives + evidence.validated.negatives, 0);
    assert_int_equal(evidence.outcome, NLM_TOO_LITTLE);
    assert_int_equal(evidence.more_positives + evidence.held_out.positives, 19);
    assert_int_equal(evidence.more_negatives + evidence.held_out.negatives, 19);
    unlink("evidence-few.nlm");
    nlm_problem_free(problem);
}

static void a_run_that_did_not_graduate_has_not_learned(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("grandparent", 8, 4);
    nlm_settings settings = settings_of(problem);
    settings.epochs = 1;
    settings.batches = 1;
    const nlm_evidence evidence = learn_and_ask(&settings, 1, "evidence-none.nlm");
    assert_int_equal(evidence.outcome, NLM_NOT_LEARNED);
    assert_string_equal(nlm_outcome_text(evidence.outcome), "not learned");
    unlink("evidence-none.nlm");
    unlink("evidence-none.nlm.checkpoint");
    nlm_problem_free(problem);
}

/* Models are written to a folder of their own. */
int main(void)
{
    char own_folder[] = "/tmp/nlm-evidence-XXXXXX";
    if (!mkdtemp(own_folder) || chdir(own_folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_exact_without_errors),
        cmocka_unit_test(the_bound_counts_errors),
        cmocka_unit_test(outcomes_follow_from_answers),
        cmocka_unit_test(every_world_is_hidden_once),
        cmocka_unit_test(every_label_is_hidden_once),
        cmocka_unit_test(few_held_out_labels_are_validated),
        cmocka_unit_test(few_labels_are_too_little_to_tell),
        cmocka_unit_test(a_run_that_did_not_graduate_has_not_learned),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(own_folder);
    return failed;
}
