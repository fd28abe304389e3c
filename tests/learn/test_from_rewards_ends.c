/* How runs end, or begin again: budget, patience, new weights; and whose weights exams and graduates have. */
#include "learn/courses.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* ---- budget and patience ---- */

/* The last episodes of the budget are followed by an exam, even within an interval. */
static void the_budget_ends_a_run(void **state)
{
    (void)state;
    static const int budgets[] = {1, 19, 20, 21, 30, 40, 59};
    for (size_t i = 0; i < COUNT(budgets); i++) {
        nlm_settings course = sorting_course();
        course.episodes = budgets[i];
        nlm_run *s = begin_clueless(&course);
        run_course(s);
        assert_int_equal(nlm_run_stage(s), NLM_EXHAUSTED);
        assert_int_equal(exam_of(s)->episodes, budgets[i]);
        assert_int_equal(exam_of(s)->exam, (budgets[i] + course.interval - 1) / course.interval);
        nlm_run_free(s);
    }
}

/* An exam that was passed is followed by the next one, budget or not. */
static void exams_may_follow_the_budget(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.episodes = course.interval;
    nlm_run *s = begin_knowing(&course);
    run_exam(s);
    assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
    forget_all(nlm_run_machine(s));
    run_exam(s);
    assert_int_equal(nlm_run_stage(s), NLM_EXHAUSTED);
    assert_int_equal(exam_of(s)->exam, 2);
    assert_int_equal(exam_of(s)->episodes, course.interval);
    nlm_run_free(s);
    s = begin_knowing(&course);
    run_course(s);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    nlm_run_free(s);
}

/* So many episodes per lesson passed plus one: 25 are over at the exam after 30. */
static void patience_ends_a_run(void **state)
{
    (void)state;
    for (int passed = 0; passed <= 3; passed++) {
        nlm_settings course = sorting_course();
        course.episodes = 1000;
        course.interval = 10;
        course.patience = 25;
        nlm_run *s = begin_knowing(&course);
        for (int n = 0; n < passed; n++)
            assert_true(run_exam(s)->passed);
        forget_all(nlm_run_machine(s));
        run_course(s);
        assert_int_equal(nlm_run_stage(s), NLM_EXHAUSTED);
        const int most = course.patience * (passed + 1);
        assert_int_equal(exam_of(s)->episodes, (most + 9) / 10 * 10);
        nlm_run_free(s);
    }
}

static void no_patience_is_endless(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.episodes = 300;
    course.patience = 0;
    nlm_run *s = begin_clueless(&course);
    run_course(s);
    assert_int_equal(exam_of(s)->episodes, 300);
    nlm_run_free(s);
}

/* ---- beginning again ---- */

/* As a student is before its first step. */
static void assert_new(const nlm_run *s)
{
    const nlm_settings *course = &s->settings;
    const size_t parameters = nlm_machine_parameters(s->machine);
    assert_int_equal(lesson_of(s), course->first_lesson);
    assert_false(candidate_of(s));
    assert_true(rewards_of(s)->state.rate == course->lr && s->optimizer->settings.rate == course->lr);
    assert_true(rewards_of(s)->state.entropy == course->entropy);
    assert_int_equal(rewards_of(s)->state.passed, 0);
    assert_int_equal(rewards_of(s)->state.begun, rewards_of(s)->state.episodes);
    assert_int_equal(rewards_of(s)->solved.count + rewards_of(s)->failed.count, 0);
    assert_int_equal(rewards_of(s)->validity.objects, 0);
    assert_int_equal(s->optimizer->steps, 0);
    for (size_t i = 0; i < parameters; i++)
        assert_true(s->optimizer->mean[i] == 0 && s->optimizer->square[i] == 0);
    assert_true(same_values(s, rewards_of(s)->average));
}

/* Initial weights are at most 1/sqrt(columns), and come near that. */
static void assert_initial(nlm_machine *machine, double gain)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (tensor.dimensions < 2)
            continue;
        const double most = gain / sqrt(tensor.shape[1]);
        double largest = 0;
        for (size_t i = 0; i < tensor.count; i++)
            largest = fmax(largest, fabs((double)tensor.values[i]));
        assert_true(largest <= most * 1.0001 && largest > most / 4);
    }
}

static void a_run_without_success_begins_again(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_settings course = small_course(g);
        course.episodes = 110;
        course.interval = 20;
        course.restart = 30; /* so after 40, 80 */
        course.gain = 2;
        course.slack = 1; /* which lets it pass two lessons at once */
        course.average = 0.5;
        nlm_run *s = begin_course(&course, 1);
        float *seen[3] = {copy_values(s)};
        assert_new(s);
        for (int restarts = 1; restarts < 3; restarts++) {
            while (exam_of(s)->restarts < restarts)
                run_exam(s);
            assert_int_equal(exam_of(s)->episodes, 40 * restarts);
            assert_int_equal(episodes_of(s), 40 * restarts);
            assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
            assert_true(exam_of(s)->lesson > course.first_lesson);
            assert_new(s);
            assert_initial(s->machine, course.gain);
            for (int before = 0; before < restarts; before++)
                assert_false(same_values(s, seen[before]));
            seen[restarts] = copy_values(s);
        }
        run_course(s);
        assert_int_equal(exam_of(s)->restarts, 2); /* the end is no beginning */
        assert_int_equal(exam_of(s)->episodes, 110);
        for (int i = 0; i < 3; i++)
            free(seen[i]);
        nlm_run_free(s);
    }
}

/* Instances and moves are others than before. */
static void a_run_that_began_again_draws_new_instances(void **state)
{
    (void)state;
    nlm_settings course = small_course(SORT);
    course.restart = course.interval;
    nlm_run *s = begin_course(&course, 1);
    run_exam(s);
    assert_int_equal(exam_of(s)->restarts, 1);
    const uint64_t instance = rewards_of(s)->state.next_instance, episode = rewards_of(s)->state.next_episode;
    assert_int_equal(instance, exam_of(s)->drawn);
    step(s);
    assert_int_equal(rewards_of(s)->state.next_instance, instance + 1);
    assert_int_equal(rewards_of(s)->state.next_episode, episode + 1);
    nlm_run_free(s);
}

/* A lesson that was passed at the last moment is not thrown away: its exam comes first. */
static void success_puts_off_a_beginning(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.restart = course.interval;
    nlm_run *s = begin_knowing(&course);
    assert_true(run_exam(s)->passed);
    assert_int_equal(exam_of(s)->restarts, 0);
    forget_all(nlm_run_machine(s));
    assert_false(run_exam(s)->passed);
    assert_int_equal(exam_of(s)->restarts, 1);
    assert_new(s);
    nlm_run_free(s);
    s = begin_knowing(&course);
    run_course(s);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    assert_int_equal(exam_of(s)->restarts, 0);
    nlm_run_free(s);
}

/* Patience counts from the last beginning. */
static void patience_begins_again_too(void **state)
{
    (void)state;
    nlm_settings course = small_course(SORT);
    course.episodes = 1000;
    course.interval = 10;
    course.restart = 20;
    course.patience = 35;
    course.slack = 0;
    nlm_run *s = begin_course(&course, 1);
    for (int n = 0; n < 12; n++)
        run_exam(s);
    assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
    assert_int_equal(exam_of(s)->restarts, 6);
    nlm_run_free(s);
}

/* ---- averages ---- */

/* Weights that know a little, and move a little with every update. */
static nlm_settings averaged_course(void)
{
    nlm_settings course = sorting_course();
    course.lr = 1e-3;
    course.average = 0.9;
    return course;
}

/* Exams see the average; when they have failed, learning goes on with the weights. */
static void exams_see_the_average(void **state)
{
    (void)state;
    nlm_settings course = averaged_course();
    course.exam = course.pool = 100; /* of two parts */
    nlm_run *s = begin_clueless(&course);
    for (int n = 0; n < 3; n++) {
        while (rewards_of(s)->running.episodes < course.interval)
            step(s);
        float *weights = copy_values(s);
        rewards_exchange(rewards_of(s));
        float *average = copy_values(s);
        rewards_exchange(rewards_of(s));
        assert_true(same_values(s, weights) && !same_values(s, average));
        assert_false(step(s)); /* the first part of the exam */
        assert_true(same_values(s, average));
        run_exam(s);
        assert_true(same_values(s, weights));
        free(weights);
        free(average);
    }
    nlm_run_free(s);
}

/* Between the first exam and the last there are no updates here. */
static void graduates_keep_the_average(void **state)
{
    const folder *made = *state;
    const nlm_settings course = averaged_course();
    nlm_run *s = begin_knowing(&course);
    memcpy(rewards_of(s)->average, s->machine->values, nlm_machine_parameters(s->machine) * sizeof(float));
    while (rewards_of(s)->running.episodes < course.interval)
        step(s);
    float *weights = copy_values(s);
    rewards_exchange(rewards_of(s));
    float *average = copy_values(s);
    rewards_exchange(rewards_of(s));
    assert_true(run_exam(s)->passed);
    assert_true(same_values(s, weights)); /* not yet */
    run_course(s);
    assert_int_equal(exam_of(s)->exam, 4);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    assert_true(same_values(s, average) && !same_values(s, weights));
    CHECK(nlm_run_save_model(s, made->file, &check_error));
    nlm_machine *saved = load(made->file);
    assert_true(same_values(s, saved->values));
    nlm_machine_free(saved);
    free(weights);
    free(average);
    nlm_run_free(s);
}

/* Whenever it is saved, and nothing changes by that. */
static void models_are_what_exams_see(void **state)
{
    const folder *made = *state;
    nlm_settings course = averaged_course();
    for (int averaged = 0; averaged < 2; averaged++) {
        course.average = averaged ? 0.9 : 0;
        course.exam = 200; /* of several parts */
        nlm_run *s = begin_clueless(&course);
        for (int calls = 0; calls < 50 && nlm_run_stage(s) == NLM_LEARNING; calls++) {
            step(s);
            float *weights = copy_values(s);
            const bool as_is = !averaged || rewards_of(s)->exam.going;
            CHECK(nlm_run_save_model(s, made->file, &check_error));
            nlm_machine *saved = load(made->file);
            assert_true(same_values(s, weights));
            assert_int_equal(same_values(s, saved->values), as_is);
            const size_t bytes = nlm_machine_parameters(saved) * sizeof(float);
            assert_true(as_is || !memcmp(saved->values, rewards_of(s)->average, bytes));
            nlm_machine_free(saved);
            free(weights);
        }
        assert_true(exam_of(s)->exam > 1);
        nlm_run_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_ends_a_run),
        cmocka_unit_test(exams_may_follow_the_budget),
        cmocka_unit_test(patience_ends_a_run),
        cmocka_unit_test(no_patience_is_endless),
        cmocka_unit_test(a_run_without_success_begins_again),
        cmocka_unit_test(a_run_that_began_again_draws_new_instances),
        cmocka_unit_test(success_puts_off_a_beginning),
        cmocka_unit_test(patience_begins_again_too),
        cmocka_unit_test(exams_see_the_average),
        IN_FOLDER(graduates_keep_the_average),
        IN_FOLDER(models_are_what_exams_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
