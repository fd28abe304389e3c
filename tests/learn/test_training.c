/* Settings: the defaults of both protocols, what is refused, what makes two runs different, and texts. */
#include "learn/settings.h"

#include "learn/runs.h"

/* The paper's runs, as its tables and the reference have them. */
static const struct row {
    const char *task;
    int arity, depth, breadth;
    bool residual;
    int objects;
    double threshold;
    int examples;
} paper[] = {
    {"has-father", 1, 4, 3, false, 20, 1e-5, 50000},
    {"has-sister", 1, 4, 3, false, 20, 1e-5, 50000},
    {"grandparent", 2, 4, 3, false, 20, 1e-7, 100000},
    {"uncle", 2, 4, 3, false, 20, 1e-8, 100000},
    {"mg-uncle", 2, 4, 3, false, 20, 1e-8, 200000},
    {"adjacent-to-red", 1, 4, 3, false, 10, 1e-5, 100000},
    {"4-connectivity", 2, 4, 3, false, 10, 1e-5, 50000},
    {"6-connectivity", 2, 8, 3, true, 10, 1e-6, 50000},
    {"1-outdegree", 1, 4, 3, false, 10, 1e-5, 50000},
    {"2-outdegree", 1, 5, 4, true, 10, 1e-5, 100000},
};

/* The settings that both protocols have; the best one adds others. */
static bool is_basic(const char *name)
{
    static const char *const basic[] = {"seed",  "objects", "batch",    "batches",  "epochs",
                                        "gain",  "lr",      "lr_decay", "beta2",    "threshold",
                                        "width", "depth",   "breadth",  "residual", "kind"};
    for (size_t i = 0; i < COUNT(basic); i++)
        if (!strcmp(name, basic[i]))
            return true;
    return false;
}

/* The rows of tasks, among all. */
#define training_table settings_table_of(&(const nlm_settings){.task = nlm_task_find("uncle")})

static int number_of(const char *name)
{
    for (int n = 0; n < training_table.count; n++)
        if ((training_table.rows[n].runs & training_table.runs) && !strcmp(name, training_table.rows[n].name))
            return n;
    fail_msg("no setting is called %s", name);
    return -1;
}

/* ---- defaults ---- */

static void assert_machine_of(const nlm_settings *training, const struct row *row)
{
    const nlm_spec *spec = &training->spec;
    assert_int_equal(spec->depth, row->depth);
    assert_int_equal(spec->breadth, row->breadth);
    assert_int_equal(spec->residual, row->residual);
    assert_int_equal(spec->width, 8);
    assert_int_equal(spec->hidden_layers, 0);
    assert_false(spec->own_widths);
    assert_int_equal(spec->outputs, 1u << row->arity);
    assert_memory_equal(spec->inputs, training->task->inputs, sizeof spec->inputs);
}

static void the_papers_protocol_is_the_papers(void **state)
{
    (void)state;
    int tasks = 0;
    for (int i = 0; i < nlm_tasks(); i++)
        tasks += nlm_task_at(i)->origin == NULL;
    assert_int_equal(tasks, COUNT(paper) + 1); /* and adjacent-to-zero, below */
    for (size_t i = 0; i < COUNT(paper); i++) {
        nlm_settings made;
        char text[NLM_SETTING_TEXT];
        const nlm_task *task = nlm_task_find(paper[i].task);
        CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_PAPER, &made, &check_error));
        assert_ptr_equal(made.task, task);
        assert_int_equal(made.protocol, NLM_PROTOCOL_PAPER);
        assert_machine_of(&made, &paper[i]);
        assert_int_equal(made.seed, 1);
        assert_int_equal(made.objects, paper[i].objects);
        assert_int_equal(made.batch, 4);
        assert_int_equal(made.batches, 250);
        assert_int_equal(made.epochs, paper[i].examples / 1000);
        assert_true(made.gain == 1);
        assert_true(made.lr == 0.005);
        assert_true(made.lr_decay == 1);
        assert_true(made.beta2 == 0.999);
        assert_true(made.threshold == paper[i].threshold);
        assert_int_equal(made.kind, NLM_WORLDS_PAPER);
        for (int n = 0; n < training_table.count; n++)
            if ((training_table.rows[n].runs & training_table.runs) &&
                !is_basic(training_table.rows[n].name)) {
                setting_print(&training_table.rows[n], &made, text);
                assert_string_equal(text, "0");
            }
    }
}

static void the_best_protocol_learns_within_the_same_budget(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(paper); i++) {
        nlm_settings made;
        CHECK(nlm_settings_of_task(nlm_task_find(paper[i].task), NLM_PROTOCOL_BEST, &made, &check_error));
        assert_int_equal(made.protocol, NLM_PROTOCOL_BEST);
        assert_machine_of(&made, &paper[i]);
        assert_int_equal(made.seed, 1);
        assert_int_equal(made.objects, paper[i].objects);
        assert_true((long)made.batch * made.batches * made.epochs <= paper[i].examples);
        assert_true(made.exam > 0);
        assert_int_equal(made.kind, NLM_WORLDS_RICH);
        CHECK(settings_check_examples(&made, &check_error));
    }
}

/* The machine is the task's, its sense included.  What no one can read goes on being read wrongly: the best
 * protocol lets the rate fall. */
static void a_task_with_pictures_has_a_machine_that_sees(void **state)
{
    (void)state;
    const nlm_task *task = nlm_task_find("adjacent-to-zero");
    for (nlm_protocol protocol = NLM_PROTOCOL_BEST; protocol <= NLM_PROTOCOL_PAPER; protocol++) {
        nlm_settings made;
        CHECK(nlm_settings_of_task(task, protocol, &made, &check_error));
        assert_string_equal(made.spec.sense, task->sense);
        assert_int_equal(made.spec.width, task->width);
        assert_int_equal(made.spec.depth, task->depth);
        assert_int_equal(made.spec.breadth, task->breadth);
        assert_int_equal(made.spec.residual, task->residual);
        assert_int_equal(made.spec.outputs, 1u << 1);
        assert_memory_equal(made.spec.inputs, task->inputs, sizeof made.spec.inputs);
        assert_true((long)made.batch * made.batches * made.epochs <= task->examples);
        assert_true(made.data == 0);
        assert_true(protocol == NLM_PROTOCOL_PAPER ? made.lr_decay == 1 : made.lr_decay < 1);
        assert_true(protocol == NLM_PROTOCOL_PAPER ? made.shift == 0 : made.shift > 0);
        CHECK(settings_check_examples(&made, &check_error));
        nlm_settings blind;
        CHECK(nlm_settings_of_task(nlm_task_find("uncle"), protocol, &blind, &check_error));
        blind.shift = 1;
        assert_int_equal(settings_check_examples(&blind, NULL), NLM_BAD_ARGUMENT);
    }
}

static void unknown_tasks_and_protocols_have_no_defaults(void **state)
{
    (void)state;
    nlm_settings made;
    nlm_error error;
    nlm_task unknown = *nlm_task_find("uncle"), copied = unknown;
    unknown.name = "aunt";
    assert_int_equal(nlm_settings_of_task(NULL, NLM_PROTOCOL_BEST, &made, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_settings_of_task(&unknown, NLM_PROTOCOL_BEST, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "aunt");
    assert_int_equal(nlm_settings_of_task(&copied, (nlm_protocol)7, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "7");
    assert_int_equal(nlm_settings_of_task(NULL, NLM_PROTOCOL_PAPER, &made, NULL), NLM_BAD_ARGUMENT);
    CHECK(nlm_settings_of_task(&copied, NLM_PROTOCOL_BEST, &made, &check_error));
}

static void protocols_have_names(void **state)
{
    (void)state;
    nlm_protocol found = (nlm_protocol)-1;
    assert_string_equal(nlm_protocol_name(NLM_PROTOCOL_BEST), "best");
    assert_string_equal(nlm_protocol_name(NLM_PROTOCOL_PAPER), "paper");
    assert_string_equal(nlm_protocol_name((nlm_protocol)-1), "unknown");
    assert_string_equal(nlm_protocol_name((nlm_protocol)2), "unknown");
    assert_true(nlm_protocol_find("paper", &found));
    assert_int_equal(found, NLM_PROTOCOL_PAPER);
    assert_true(nlm_protocol_find("best", &found));
    assert_int_equal(found, NLM_PROTOCOL_BEST);
    static const char *const others[] = {"", "Best", "best ", "pape", "unknown", NULL};
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_false(nlm_protocol_find(others[i], &found));
        assert_int_equal(found, NLM_PROTOCOL_BEST);
    }
}

/* ---- what is refused ---- */

static void assert_check_refuses(nlm_settings training, nlm_status status, const char *part)
{
    nlm_error error = {0};
    nlm_run *trainer = (nlm_run *)&training;
    assert_int_equal(settings_check_examples(&training, &error), status);
    assert_said(&error, status, part);
    assert_int_equal(settings_check_examples(&training, NULL), status);
    assert_int_equal(nlm_run_new(&training, NULL, &trainer, &error), status);
    assert_null(trainer);
}

#define WHOLE(name) offsetof(nlm_settings, name), true
#define REAL(name) offsetof(nlm_settings, name), false

/* Two values of each that are out of range. */
static const struct {
    const char *name;
    size_t place;
    bool whole;
    double bad[2];
} ranges[] = {
    {"objects", WHOLE(objects), {0, -7}},
    {"batch", WHOLE(batch), {0, 4097}},
    {"batches", WHOLE(batches), {0, 1000001}},
    {"epochs", WHOLE(epochs), {0, 1000001}},
    {"gain", REAL(gain), {-1, INFINITY}},
    {"lr", REAL(lr), {-1e-300, NAN}},
    {"beta2", REAL(beta2), {-0.1, 1}},
    {"threshold", REAL(threshold), {-1e-300, INFINITY}},
    {"exam", WHOLE(exam), {-1, INT32_MAX}},
    {"patience", WHOLE(patience), {-1, INT32_MAX}},
    {"width", WHOLE(spec.width), {-1, NLM_MAX_WIDTH + 1}},
};

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    const nlm_settings good = small_run("has-father", NLM_PROTOCOL_BEST, 8);
    CHECK(settings_check_examples(&good, &check_error));
    for (size_t i = 0; i < 2 * COUNT(ranges); i++) {
        nlm_settings bad = good;
        char *place = (char *)&bad + ranges[i / 2].place;
        if (ranges[i / 2].whole)
            *(int *)place = (int)ranges[i / 2].bad[i % 2];
        else
            *(double *)place = ranges[i / 2].bad[i % 2];
        assert_check_refuses(bad, NLM_BAD_ARGUMENT, ranges[i / 2].name);
    }
}

static void numbers_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    nlm_settings bad = small_run("has-father", NLM_PROTOCOL_BEST, 8);
    bad.positives = bad.batch + 1;
    assert_check_refuses(bad, NLM_BAD_ARGUMENT, "positives");
    bad = small_run("has-father", NLM_PROTOCOL_BEST, 8);
    bad.epochs = bad.batches = 1000000;
    assert_check_refuses(bad, NLM_BAD_ARGUMENT, "steps");
}

static void a_training_needs_its_task(void **state)
{
    (void)state;
    nlm_settings bad = small_run("has-father", NLM_PROTOCOL_BEST, 8);
    nlm_task unknown = *bad.task;
    nlm_error error;
    nlm_run *trainer;
    unknown.name = "walk";
    bad.task = &unknown;
    assert_check_refuses(bad, NLM_BAD_ARGUMENT, "task");
    bad.task = NULL;
    assert_check_refuses(bad, NLM_BAD_ARGUMENT, "task");
    assert_int_equal(settings_check_examples(NULL, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_run_new(NULL, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
    assert_null(trainer);
}

static void a_machine_that_cannot_learn_the_task_is_refused(void **state)
{
    (void)state;
    const nlm_settings good = small_run("adjacent-to-red", NLM_PROTOCOL_PAPER, 8);
    nlm_settings bad = good;
    nlm_error error;
    nlm_run *trainer;
    bad.spec.inputs[1]--;
    assert_check_refuses(bad, NLM_BAD_SHAPE, "inputs of arity 1");
    bad = good;
    bad.spec.inputs[3] = 2;
    assert_check_refuses(bad, NLM_BAD_SHAPE, "inputs of arity 3");
    bad = good;
    bad.spec.outputs = 4;
    assert_check_refuses(bad, NLM_BAD_SHAPE, "adjacent_to_red");
    bad = good;
    bad.spec.depth = 0;
    assert_int_not_equal(nlm_run_new(&bad, NULL, &trainer, &error), NLM_OK);
    assert_said(&error, error.status, "depth");
    bad = good;
    bad.spec.breadth = 1;
    assert_int_not_equal(nlm_run_new(&bad, NULL, &trainer, &error), NLM_OK);
    assert_said(&error, error.status, "breadth");
    assert_null(trainer);
}

/* ---- comparing ---- */

static void assert_differ(const nlm_settings *found, const nlm_settings *wanted, const char *what)
{
    nlm_error error = {0};
    assert_int_equal(nlm_settings_compare(found, wanted, "some.file", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, what);
    assert_said(&error, NLM_BAD_ARGUMENT, "some.file: ");
    assert_int_equal(nlm_settings_compare(wanted, found, "some.file", NULL), NLM_BAD_ARGUMENT);
}

/* Another value of that number, such as a run may have. */
static nlm_settings with_another(const nlm_settings *one, int number)
{
    static const char *const texts[] = {"1", "2", "3", "0.5", "paper", "rich"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        nlm_settings other = *one;
        if (!setting_set(&training_table.rows[number], &other, texts[i], NULL) &&
            !setting_equal(&training_table.rows[number], one, &other))
            return other;
    }
    fail_msg("%s has but one value", training_table.rows[number].name);
    return *one;
}

static void every_number_but_the_budget_makes_another_run(void **state)
{
    (void)state;
    const nlm_settings one = small_run("uncle", NLM_PROTOCOL_BEST, 8);
    CHECK(nlm_settings_compare(&one, &one, "some.file", &check_error));
    for (int n = 0; n < training_table.count; n++) {
        if (!(training_table.rows[n].runs & training_table.runs))
            continue;
        const nlm_settings other = with_another(&one, n);
        char text[NLM_SETTING_TEXT];
        assert_true(setting_equal(&training_table.rows[n], &one, &one));
        assert_int_equal(training_table.rows[n].may_change, !strcmp(training_table.rows[n].name, "epochs"));
        if (training_table.rows[n].may_change) {
            CHECK(nlm_settings_compare(&one, &other, "some.file", &check_error));
            continue;
        }
        assert_differ(&one, &other, training_table.rows[n].name);
        setting_print(&training_table.rows[n], &one, text);
        assert_differ(&one, &other, text);
        setting_print(&training_table.rows[n], &other, text);
        assert_differ(&one, &other, text);
    }
}

static void another_task_or_machine_makes_another_run(void **state)
{
    (void)state;
    const nlm_settings one = small_run("uncle", NLM_PROTOCOL_BEST, 8);
    nlm_settings other = one;
    other.task = nlm_task_find("mg-uncle");
    assert_differ(&one, &other, "a run of uncle, not of mg-uncle");
    other = one;
    other.spec.depth++;
    assert_differ(&one, &other, "depth");
    other = one;
    other.spec.breadth++;
    assert_differ(&one, &other, "breadth");
    other = one;
    other.spec.residual = true;
    assert_differ(&one, &other, "residual");
    other = one;
    other.spec.own_widths = true;
    assert_differ(&one, &other, "width");
    other = one;
    other.spec.hidden_layers = 1;
    other.spec.hidden[0] = 5;
    assert_differ(&one, &other, "hidden");
    nlm_settings third = other;
    third.spec.hidden[0] = 6;
    assert_differ(&other, &third, "hidden");
    third = other;
    third.spec.hidden[1] = 6; /* of a layer that does not exist */
    CHECK(nlm_settings_compare(&other, &third, "some.file", &check_error));
    other = one;
    other.protocol = NLM_PROTOCOL_PAPER; /* only says where the settings come from */
    CHECK(nlm_settings_compare(&one, &other, "some.file", &check_error));
}

/* Units that only the further output needs are live, too: the machine has more parameters. */
static void another_output_makes_another_run(void **state)
{
    (void)state;
    const nlm_settings one = small_run("uncle", NLM_PROTOCOL_BEST, 8);
    nlm_settings other = one;
    other.spec.outputs |= 2;
    assert_differ(&one, &other, "output");
}

/* ---- texts ---- */

static void numbers_survive_as_texts(void **state)
{
    (void)state;
    static const double reals[] = {
        0.1, 1.0 / 3, 1e-300, 5e-324, 0.005, 0, 1000, 1e-8, 999.9999999999999, 2.2250738585072014e-308};
    static const uint64_t seeds[] = {0,         1, UINT64_C(1) << 53, (UINT64_C(1) << 53) + 1, UINT64_MAX - 1,
                                     UINT64_MAX};
    nlm_settings from = small_run("uncle", NLM_PROTOCOL_BEST, 8), to = from;
    char text[NLM_SETTING_TEXT];
    for (size_t i = 0; i < COUNT(reals); i++) {
        from.lr = reals[i];
        setting_print(&training_table.rows[number_of("lr")], &from, text);
        CHECK(setting_set(&training_table.rows[number_of("lr")], &to, text, &check_error));
        assert_memory_equal(&from.lr, &to.lr, sizeof from.lr);
    }
    for (size_t i = 0; i < COUNT(seeds); i++) {
        from.seed = seeds[i];
        setting_print(&training_table.rows[number_of("seed")], &from, text);
        CHECK(setting_set(&training_table.rows[number_of("seed")], &to, text, &check_error));
        assert_true(from.seed == to.seed);
    }
    from.exam = 100000000;
    setting_print(&training_table.rows[number_of("exam")], &from, text);
    assert_string_equal(text, "100000000");
    CHECK(setting_set(&training_table.rows[number_of("exam")], &to, text, &check_error));
    assert_int_equal(to.exam, 100000000);
}

static void texts_that_are_no_such_number_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } bad[] = {
        {"seed", ""},
        {"seed", "-1"},
        {"seed", "+1"},
        {"seed", " 1"},
        {"seed", "1 "},
        {"seed", "1.0"},
        {"seed", "1e3"},
        {"seed", "x"},
        {"seed", "18446744073709551616"},
        {"objects", ""},
        {"objects", "0"},
        {"objects", "1.5"},
        {"objects", "-3"},
        {"objects", "nan"},
        {"objects", "2147483648"},
        {"objects", "1 000"},
        {"batch", "4097"},
        {"batch", "0"},
        {"batches", "1e7"},
        {"epochs", "0"},
        {"epochs", "twelve"},
        {"lr", ""},
        {"lr", "-0.1"},
        {"lr", "nan"},
        {"lr", "inf"},
        {"lr", "1e400"},
        {"lr", "0.1x"},
        {"lr", "0.1, 0.2"},
        {"threshold", "nan"},
        {"threshold", "-1e-9"},
        {"exam", "100000001"},
        {"exam", "-1"},
        {"width", "4097"},
    };
    const nlm_settings before = small_run("uncle", NLM_PROTOCOL_BEST, 8);
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_settings after = before;
        if (!setting_set(&training_table.rows[number_of(bad[i].name)], &after, bad[i].text, NULL))
            fail_msg("%s '%s' is taken for a number", bad[i].name, bad[i].text);
        assert_memory_equal(&before, &after, sizeof before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_protocol_is_the_papers),
        cmocka_unit_test(the_best_protocol_learns_within_the_same_budget),
        cmocka_unit_test(a_task_with_pictures_has_a_machine_that_sees),
        cmocka_unit_test(unknown_tasks_and_protocols_have_no_defaults),
        cmocka_unit_test(protocols_have_names),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(numbers_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_training_needs_its_task),
        cmocka_unit_test(a_machine_that_cannot_learn_the_task_is_refused),
        cmocka_unit_test(every_number_but_the_budget_makes_another_run),
        cmocka_unit_test(another_task_or_machine_makes_another_run),
        cmocka_unit_test(another_output_makes_another_run),
        cmocka_unit_test(numbers_survive_as_texts),
        cmocka_unit_test(texts_that_are_no_such_number_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
