/* Learning with other models: their settings, runs that are stopped and taken up again, and tests. */
#include "learn/others.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* ---- settings ---- */

static void a_memory_network_has_the_size_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        int breadth;
    } tasks[] = {{"has-father", 2}, {"grandparent", 2}, {"1-outdegree", 2}, {"adjacent-to-red", 2}};
    for (size_t i = 0; i < COUNT(tasks); i++) {
        nlm_settings before, after;
        CHECK(nlm_settings_of_task(nlm_task_find(tasks[i].task), NLM_PROTOCOL_PAPER, &before, &check_error));
        after = before;
        CHECK(nlm_settings_use_model(&after, "nlm", &check_error));
        assert_memory_equal(&before, &after, sizeof after);
        CHECK(nlm_settings_use_model(&after, "memnn", &check_error));
        assert_string_equal(after.spec.model, "memnn");
        assert_int_equal(after.spec.depth, 4);
        assert_int_equal(after.spec.breadth, tasks[i].breadth);
        assert_int_equal(after.spec.width, 64);
        assert_int_equal(after.spec.hidden_layers, 1);
        assert_int_equal(after.spec.hidden[0], 32);
        assert_false(after.spec.residual);
        assert_int_equal(after.spec.outputs, before.spec.outputs);
        assert_memory_equal(after.spec.inputs, before.spec.inputs, sizeof before.spec.inputs);
        after.spec = before.spec; /* all else stays */
        assert_memory_equal(&before, &after, sizeof after);
    }
}

static void templates_make_settings_of_differentiable_ilp(void **state)
{
    (void)state;
    const nlm_task *task = nlm_task_find("ilp-predecessor");
    nlm_settings training;
    nlm_templates *templates;
    CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_BEST, &training, &check_error));
    CHECK(nlm_templates_of_task(task, &templates, &check_error));
    CHECK(nlm_settings_use_templates(&training, templates, &check_error));
    assert_string_equal(training.spec.model, "dilp");
    assert_int_equal(training.batch * training.batches * training.epochs, 6000);
    assert_int_equal(training.spec.depth, 1);
    assert_true(training.labels > 0 && training.labels < 1);
    assert_int_equal(training.exam + training.positives + training.deep, 0);
    assert_int_equal(training.replay + training.patience, 0);
    const nlm_program_template *program = training.spec.program;
    assert_non_null(program);
    assert_int_equal(program->givens, 2); /* zero/1 and succ/2 */
    assert_string_equal(program->given[0].name, "zero");
    assert_string_equal(program->given[1].name, "succ");
    assert_int_equal(program->definitions, 1);
    assert_string_equal(program->definition[0].name, "predecessor");
    CHECK(nlm_settings_use_templates(&training, templates, &check_error)); /* and again */
    assert_int_equal(training.spec.program->givens, 2);
    nlm_templates_free(templates);
    nlm_templates_free(NULL);
}

/* What templates say about learning, and what follows where they say nothing. */
static void templates_tell_steps_objects_and_labels(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        bool by_objects;
        int objects;
        double labels;
    } cases[] = {{"ilp-even-odd", true, 10, 0.5}, {"has-father", false, 10, 0.5}, {"uncle", false, 12, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const nlm_task *task = nlm_task_find(cases[i].task);
        nlm_settings training;
        nlm_templates *templates;
        CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_PAPER, &training, &check_error));
        CHECK(nlm_templates_of_task(task, &templates, &check_error));
        CHECK(nlm_settings_use_templates(&training, templates, &check_error));
        assert_int_equal(training.spec.program->steps_by_objects, cases[i].by_objects);
        assert_int_equal(training.objects, cases[i].objects);
        assert_true(training.labels == cases[i].labels);
        nlm_templates_free(templates);
    }
}

/* It does not stop when the loss is low, as the machine does, and graduates at the end. */
static void differentiable_ilp_uses_its_budget(void **state)
{
    (void)state;
    const nlm_task *task = nlm_task_find("ilp-predecessor");
    nlm_settings training;
    nlm_templates *templates;
    CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_PAPER, &training, &check_error));
    CHECK(nlm_templates_of_task(task, &templates, &check_error));
    CHECK(nlm_settings_use_templates(&training, templates, &check_error));
    training.batches = 2;
    training.epochs = 2;
    training.threshold = 1000;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    assert_int_equal(nlm_run_stage(trainer), NLM_LEARNING);
    run_epoch(trainer);
    assert_int_equal(nlm_run_stage(trainer), NLM_GRADUATED);
    nlm_run_free(trainer);
    nlm_templates_free(templates);
}

static void all_tasks_with_templates_can_begin(void **state)
{
    (void)state;
    int with = 0;
    for (int t = 0; nlm_task_at(t); t++) {
        const nlm_task *task = nlm_task_at(t);
        nlm_settings training;
        nlm_templates *templates = (nlm_templates *)&training;
        nlm_run *trainer;
        nlm_error error = {0};
        if (nlm_templates_of_task(task, &templates, &error)) {
            assert_non_null(task->sense);
            assert_said(&error, NLM_BAD_ARGUMENT, "has no senses");
            assert_null(templates);
            continue;
        }
        CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_BEST, &training, &check_error));
        CHECK(nlm_settings_use_templates(&training, templates, &check_error));
        training.objects = 3; /* which fit any machine; a thousand fit none, and that is said beforehand */
        CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
        training.objects = 1000;
        nlm_run *refused;
        if (task->arity == 2) {
            assert_int_equal(nlm_run_new(&training, NULL, &refused, &error), NLM_BAD_ARGUMENT);
            assert_said(&error, NLM_BAD_ARGUMENT, " GB to train with 1000 objects");
            assert_null(refused);
        }
        nlm_templates_free(templates); /* the trainer has what it needs */
        assert_non_null(nlm_run_settings(trainer)->spec.program);
        nlm_run_free(trainer);
        with++;
    }
    assert_true(with >= 30);
}

static void models_that_are_not_there_are_refused(void **state)
{
    (void)state;
    nlm_settings training, before;
    nlm_error error = {0};
    CHECK(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_PAPER, &training, &check_error));
    before = training;
    assert_int_equal(nlm_settings_use_model(&training, "lstm", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "there is no model 'lstm'");
    assert_int_equal(nlm_settings_use_model(&training, NULL, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a required argument is NULL");
    assert_int_equal(nlm_settings_use_model(&training, "dilp", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "needs templates");
    assert_memory_equal(&before, &training, sizeof training);
    CHECK(
        nlm_settings_of_task(nlm_task_find("adjacent-to-zero"), NLM_PROTOCOL_PAPER, &training, &check_error));
    assert_int_equal(nlm_settings_use_model(&training, "memnn", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a memory network has no senses, and the task needs one");
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* What is wrong with the facts has another status than what is wrong with templates. */
static void assert_refused_with(nlm_status status, const folder *made, const char *text,
                                nlm_settings training, const char *cause)
{
    nlm_templates *templates;
    nlm_error error = {0};
    write_file(made->other, text);
    CHECK(nlm_templates_read(made->other, &templates, &check_error));
    assert_int_equal(nlm_settings_use_templates(&training, templates, &error), status);
    assert_said(&error, status, cause);
    assert_null(training.spec.program);
    nlm_templates_free(templates);
}

static void assert_templates_refused(const folder *made, const char *text, nlm_settings training,
                                     const char *cause)
{
    assert_refused_with(NLM_BAD_ARGUMENT, made, text, training, cause);
}

static void assert_facts_refused(const folder *made, const char *facts, const nlm_reading *reading,
                                 const char *cause)
{
    nlm_problem *problem;
    nlm_settings training;
    write_file(made->file, facts);
    CHECK(nlm_problem_read(made->file, reading, &problem, &check_error));
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_PAPER, &training, &check_error));
    assert_refused_with(NLM_BAD_SHAPE, made, "template(q, 1, 1, given).", training, cause);
    nlm_problem_free(problem);
}

static void templates_for_something_else_are_refused(void **state)
{
    const folder *made = *state;
    static const char *const targets[] = {"q/1", "r/2"}, *const pairs[] = {"q/2"};
    const nlm_reading both = {.targets = targets, .target_count = 2};
    const nlm_reading one = {.targets = targets, .target_count = 1};
    const nlm_reading twice = {.targets = pairs, .target_count = 1};
    nlm_settings training, none = {0};
    nlm_templates *templates;
    nlm_error error = {0};
    CHECK(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_PAPER, &training, &check_error));
    assert_templates_refused(made, "template(has_mother, 1, 1, given).", training,
                             "the templates are for has_mother/1, the target is has_father/1");
    assert_templates_refused(made, "template(has_father, 2, 1, given).", training,
                             "the templates are for has_father/2, the target is has_father/1");
    assert_templates_refused(made, "template(has_father, 1, 1, given).", none,
                             "a run needs a task, a game or facts");
    assert_facts_refused(made, "p(a). p(b). e(a, b). q(a). r(a, b).", &both,
                         "differentiable ILP learns one target, not 2 (q/1, r/2): choose one of them");
    assert_facts_refused(made, "p(a). e(a, b, c). q(a).", &one,
                         "differentiable ILP reads predicates with up to 2 arguments, not e/3");
    assert_facts_refused(made, "p(a). e(a, b). q(a, a). q(a, b).", &twice,
                         "learns nothing about one object twice, and there are labels for q(A,A)");
    write_file(made->other, "template(q, 3, 1, given).");
    assert_int_equal(nlm_templates_read(made->other, &templates, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, made->other);
    assert_null(templates);
    assert_int_equal(unlink(made->other), 0);
    assert_int_equal(nlm_templates_read(made->other, &templates, &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, made->other);
}

/* What only the program tells; the training stays as it was. */
static void programs_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"negated(nobody, 1). template(has_father, 1, 1, given).",
         "nobody/1 is negated but is neither an input nor a helper"},
        {"template(has_father, 1, 1, given). template(mother, 2, 0, given).",
         "mother/2 is given, so it cannot have templates"},
        {"template(has_father, 1, 1, defined).",
         "has_father/1 could never be concluded: every clause that its templates allow needs itself"},
        {"template(has_father, 1, 1, defined). template(h, 2, 1, defined).",
         "has_father/1 could never be concluded"},
        {"template(has_father, 1, 0, given).", "of one object twice, p(X,X), which never holds"},
        {"template(has_father, 1, 1, given). template(h, 2, 1, mixed).", "allows no clause"},
    };
    const folder *made = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_settings training, before;
        nlm_templates *templates;
        nlm_error error = {0};
        CHECK(nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_PAPER, &training, &check_error));
        before = training;
        write_file(made->other, cases[i].text);
        CHECK(nlm_templates_read(made->other, &templates, &check_error));
        assert_int_equal(nlm_settings_use_templates(&training, templates, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, cases[i].message);
        assert_memory_equal(&training, &before, sizeof training);
        nlm_templates_free(templates);
    }
}

/* ---- runs ---- */

/* Save it, load it, forget it: with other threads, and with or without the settings. */
static nlm_run *pause_run(nlm_run *trainer, const nlm_settings *training, const char *path)
{
    const int epoch = epoch_of(trainer)->epoch;
    const nlm_options options = {.threads = 1 + epoch % 2};
    nlm_run *loaded;
    CHECK(nlm_run_save_checkpoint(trainer, path, &check_error));
    CHECK(nlm_run_load(path, training->problem || epoch % 2 ? training : NULL, &options, &loaded,
                       &check_error));
    CHECK(nlm_settings_compare(nlm_run_settings(loaded), training, path, &check_error));
    nlm_run_free(trainer);
    return loaded;
}

static void assert_pausing_changes_nothing(const folder *made, const nlm_settings *training)
{
    nlm_run *whole = begin_run(training, 1), *paused = begin_run(training, 2);
    run_to_end(whole);
    paused = pause_run(paused, training, made->other);
    while (nlm_run_stage(paused) == NLM_LEARNING) {
        run_epoch(paused);
        paused = pause_run(paused, training, made->other);
    }
    assert_int_equal(epoch_of(whole)->epoch, training->epochs);
    assert_true(epoch_of(whole)->loss == epoch_of(paused)->loss);
    assert_true(epoch_of(whole)->gradient_norm > 0);
    assert_int_equal(count_different_parameters(nlm_run_machine(whole), nlm_run_machine(paused)), 0);
    CHECK(nlm_run_save_model(whole, made->file, &check_error));
    CHECK(nlm_run_save_model(paused, made->other, &check_error));
    assert_same_files(made->file, made->other);
    nlm_run_free(whole);
    nlm_run_free(paused);
}

static void a_run_that_is_paused_ends_with_the_same_file(void **state)
{
    static const struct {
        int kind;
        const char *task;
        int objects, worlds;
    } runs[] = {
        {MEMNN, "has-father", 6, 0}, {MEMNN, "grandparent", 5, 4},    {MEMNN, "has-father", 6, 1},
        {DILP, "has-father", 6, 0},  {DILP, "ilp-predecessor", 6, 0}, {DILP, "ilp-predecessor", 6, 3},
        {DILP, "has-father", 30, 1},
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        other_run made = small_other(runs[i].kind, runs[i].task, runs[i].objects, runs[i].worlds);
        assert_pausing_changes_nothing(*state, &made.training);
        free_other(&made);
    }
}

/* What differs from step to step, and between seeds: names of objects, and labels that are looked at. */
static void every_step_is_another_presentation(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        other_run made = small_other(m, "has-father", 12, 1);
        made.training.held_out = 0;
        made.training.lr = 0;
        made.training.batch = made.training.batches = 1;
        made.training.labels = m == DILP ? 0.5 : 0;
        made.training.epochs = 6;
        nlm_run *trainer = begin_run(&made.training, 1);
        double last = -1;
        int changes = 0;
        while (nlm_run_stage(trainer) == NLM_LEARNING) {
            run_epoch(trainer);
            changes += epoch_of(trainer)->loss != last;
            last = epoch_of(trainer)->loss;
            assert_true(m == MEMNN ? epoch_of(trainer)->tuples == 12 : epoch_of(trainer)->tuples < 12);
        }
        assert_true(changes >= 5);
        nlm_run_free(trainer);
        free_other(&made);
    }
}

static void a_run_with_another_model_is_refused(void **state)
{
    const folder *made = *state;
    static const char *const texts[] = {
        "template(has_father, 1, 2, given).",
        "template(has_father, 1, 1, given). template(has_father, 1, 1, defined).",
        "template(has_father, 1, 1, given). template(has_father, 1, 1, given).",
        "template(has_father, 1, 1, given). template(help, 2, 1, given).",
        "negated(son, 2). template(has_father, 1, 1, given)."};
    nlm_settings plain = small_run("has-father", NLM_PROTOCOL_PAPER, 6);
    other_run runs[MODELS];
    nlm_run *trainer;
    nlm_error error = {0};
    for (int m = 0; m < MODELS; m++)
        runs[m] = small_other(m, "has-father", 6, 0);
    for (int m = 0; m <= MODELS; m++) {
        trainer = begin_run(m < MODELS ? &runs[m].training : &plain, 1);
        run_epoch(trainer);
        CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
        nlm_run_free(trainer);
        for (int w = 0; w <= MODELS; w++) {
            const nlm_settings *wanted = w < MODELS ? &runs[w].training : &plain;
            if (w == m)
                continue;
            assert_int_equal(nlm_run_load(made->file, wanted, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
            assert_said(&error, NLM_BAD_ARGUMENT, "a run of the model ");
            assert_int_equal(strncmp(error.message, made->file, strlen(made->file)), 0);
            assert_null(trainer);
        }
    }
    trainer = begin_run(&runs[DILP].training, 1);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    for (size_t i = 0; i < COUNT(texts); i++) {
        nlm_settings other = runs[DILP].training;
        nlm_templates *templates;
        write_file(made->other, texts[i]);
        CHECK(nlm_templates_read(made->other, &templates, &check_error));
        CHECK(nlm_settings_use_templates(&other, templates, &check_error));
        make_small(&other);
        other.spec.depth = runs[DILP].training.spec.depth;
        assert_int_equal(nlm_run_load(made->file, &other, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "other settings: templates");
        nlm_templates_free(templates);
    }
    nlm_settings fewer = runs[DILP].training;
    fewer.labels = 0.2;
    assert_int_equal(nlm_run_load(made->file, &fewer, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a run with labels 0.5, not 0.2");
    for (int m = 0; m < MODELS; m++)
        free_other(&runs[m]);
}

/* ---- tests ---- */

#define FIRST_TEST_WORLD (UINT64_C(1) << 40)

typedef struct measured {
    double macro, squares;
    answers sum;
} measured;

/* A world of a test, from its logits. */
static void measure(nlm_pass *pass, const nlm_world *world, int arity, measured *all)
{
    static float logits[1 << 10];
    static signed char labels[1 << 10];
    const int objects = nlm_world_objects(world);
    int tuple[NLM_MAX_BREADTH];
    double macro;
    count_answers(pass, 0, world, arity, &all->sum);
    CHECK(nlm_pass_macro(pass, 0, 0, 0, &macro, &check_error));
    all->macro += macro;
    CHECK(nlm_pass_logits(pass, 0, 0, logits, &check_error));
    write_labels(world, arity, labels);
    for (int p = 0; p < places(arity, objects); p++)
        if (tuple_at(p, arity, objects, tuple) && labels[p] != NLM_UNLABELLED) {
            const double probability = 1.0 / (1.0 + exp(-(double)logits[p]));
            all->squares += (probability - labels[p]) * (probability - labels[p]);
        }
}

static measured measure_all(nlm_machine *machine, const nlm_task *task, int objects, int worlds)
{
    measured all = {0};
    nlm_world *world;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_batch_for(machine, &batch, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    for (int w = 0; w < worlds; w++) {
        CHECK(nlm_task_generate(task, NLM_WORLDS_PAPER, 7, FIRST_TEST_WORLD + (uint64_t)w, objects, world,
                                &check_error));
        nlm_batch_clear(batch);
        CHECK(nlm_batch_add_world(batch, world, &check_error));
        CHECK(nlm_structure_build(structure, machine, batch, NULL, &check_error));
        CHECK(nlm_pass_forward(pass, structure, false, &check_error));
        measure(pass, world, task->arity, &all);
    }
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_world_free(world);
    return all;
}

static void tests_measure_what_logits_say(void **state)
{
    (void)state;
    enum { TEST_WORLDS = 9 };
    static const char *const tasks[] = {"grandparent", "has-father"};
    for (int m = 0; m <= MODELS; m++)
        for (size_t t = 0; t < COUNT(tasks); t++) {
            const nlm_task *task = nlm_task_find(tasks[t]);
            other_run made = {.training = small_run(tasks[t], NLM_PROTOCOL_PAPER, 8)};
            if (m < MODELS)
                made = small_other(m, tasks[t], 8, 0);
            nlm_run *trainer = begin_run(&made.training, 1);
            run_epoch(trainer);
            nlm_machine *machine = nlm_run_machine(trainer);
            const measured wanted = measure_all(machine, task, 9, TEST_WORLDS);
            for (int threads = 1; threads <= 3; threads++) {
                nlm_test *tester;
                const nlm_options options = {.threads = threads};
                CHECK(
                    nlm_test_of_task(machine, task, NLM_WORLDS_PAPER, 9, 7, &options, &tester, &check_error));
                CHECK(nlm_test_run(tester, 4, NULL, NULL, &check_error));
                CHECK(nlm_test_run(tester, TEST_WORLDS - 4, NULL, NULL, &check_error));
                const nlm_score result = nlm_test_score(tester);
                assert_int_equal(result.asked, TEST_WORLDS);
                assert_int_equal(result.tuples, wanted.sum.tuples);
                assert_int_equal(result.wrong, wanted.sum.wrong);
                assert_int_equal(result.positives, wanted.sum.positives);
                assert_near(result.macro, wanted.macro / TEST_WORLDS, 1e-6);
                assert_near(result.squared_error, wanted.squares / (double)wanted.sum.tuples, 1e-6);
                nlm_test_free(tester);
            }
            assert_true(wanted.squares > 0);
            nlm_run_free(trainer);
            free_other(&made);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_memory_network_has_the_size_of_the_paper),
        cmocka_unit_test(templates_make_settings_of_differentiable_ilp),
        cmocka_unit_test(templates_tell_steps_objects_and_labels),
        cmocka_unit_test(differentiable_ilp_uses_its_budget),
        cmocka_unit_test(all_tasks_with_templates_can_begin),
        cmocka_unit_test(models_that_are_not_there_are_refused),
        IN_FOLDER(templates_for_something_else_are_refused),
        IN_FOLDER(programs_that_cannot_be_are_refused),
        IN_FOLDER(a_run_that_is_paused_ends_with_the_same_file),
        cmocka_unit_test(every_step_is_another_presentation),
        IN_FOLDER(a_run_with_another_model_is_refused),
        cmocka_unit_test(tests_measure_what_logits_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
