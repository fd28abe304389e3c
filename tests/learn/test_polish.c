/* Polishing: after graduation, fewer moves; how long it goes on, what it compares, which agent stays, and
 * that a run may be stopped in the middle of it. */
#include "learn/courses.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

enum { POLISH = 40, LARGEST = 6 };

static nlm_settings polished_course(void)
{
    nlm_settings made = sorting_course();
    made.batch = made.rollouts = 4;
    made.polish = POLISH;
    made.polish_objects = LARGEST;
    made.polish_lr = 0;
    made.average = 0.9;
    return made;
}

/* Averages begin with the sorter, as exams are about them. */
static nlm_run *begin_averaged(const nlm_settings *course)
{
    nlm_run *s = begin_knowing(course);
    memcpy(rewards_of(s)->average, s->machine->values, nlm_machine_parameters(s->machine) * sizeof(float));
    return s;
}

/* To the exam that would have been the last. */
static nlm_run *begin_polishing(const nlm_settings *course)
{
    nlm_run *s = begin_averaged(course);
    while (!rewards_of(s)->state.polishing) {
        assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
        run_exam(s);
    }
    return s;
}

/* ---- the course ---- */

static void polishing_follows_the_final_exam(void **state)
{
    (void)state;
    const nlm_settings course = polished_course();
    nlm_run *s = begin_polishing(&course);
    const struct rewards_state *now = &rewards_of(s)->state;
    const long begun = now->episodes;
    assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
    assert_true(now->candidate && exam_of(s)->candidate && exam_of(s)->passed);
    assert_true(now->polish_moves == exam_of(s)->moves);
    assert_int_equal(now->polish_begun, begun);
    /* 16 episodes an update, 4 instances of 4: the first exam after 3 updates */
    for (int update = 1; update <= 3; update++) {
        assert_false(step(s));
        assert_int_equal(now->episodes, begun + 16 * update);
        for (int e = 0; e < 16; e++) {
            const struct episode *first = &rewards_of(s)->episode[e - e % 4],
                                 *own = &rewards_of(s)->episode[e];
            const int objects = nlm_position_objects(own->start);
            assert_true(objects >= course.first_lesson && objects <= LARGEST);
            if (own != first)
                assert_string_equal(written(first->start), written(own->start));
        }
    }
    assert_true(run_exam(s)->asked > 0);
    assert_int_equal(now->episodes, begun + 48);
    nlm_run_free(s);
}

/* With a rate of 0 nothing is learned; whether one exam has fewer moves than another is chance. */
static void polishing_ends(void **state)
{
    (void)state;
    const nlm_settings course = polished_course();
    nlm_run *s = begin_polishing(&course);
    float *graduate = copy_values(s);
    const int exams = exam_of(s)->exam;
    const double moves = exam_of(s)->moves;
    run_course(s);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    assert_in_range(exam_of(s)->exam, exams + 1, exams + 2);
    assert_true(exam_of(s)->passed && exam_of(s)->moves <= moves);
    assert_int_equal(exam_of(s)->solved, course.final_exam);
    assert_true(same_values(s, graduate));
    free(graduate);
    nlm_run_free(s);
}

/* Exams that are failed, to half as many episodes more: the graduate stays, with the figures of its exam. */
static void a_graduate_that_is_spoilt_stays(void **state)
{
    (void)state;
    const nlm_settings course = polished_course();
    nlm_run *s = begin_polishing(&course);
    float *graduate = copy_values(s);
    const struct rewards_state *now = &rewards_of(s)->state;
    const nlm_exam before = *exam_of(s);
    for (int exam = 1; exam <= 2; exam++) {
        assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
        forget_all(s->machine);
        memcpy(rewards_of(s)->average, s->machine->values,
               nlm_machine_parameters(s->machine) * sizeof(float));
        run_exam(s);
        /* 40 episodes, then at least 10 more, in updates of 16, to at least 60 */
        assert_int_equal(now->episodes - now->polish_begun, 48 + 16 * (exam - 1));
        assert_int_equal(exam_of(s)->exam, before.exam + exam);
        assert_int_equal(exam_of(s)->passed, exam == 2);
    }
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    assert_true(same_values(s, graduate));
    assert_true(exam_of(s)->moves == before.moves && exam_of(s)->success == 1);
    assert_int_equal(exam_of(s)->solved, before.solved);
    assert_int_equal(exam_of(s)->asked, before.asked);
    free(graduate);
    nlm_run_free(s);
}

/* ---- what is compared ---- */

static double moves_of(const struct episode *episode)
{
    return episode_solved(episode) ? episode_moves(episode) : nlm_position_limit(episode->start);
}

/* All steps of an episode have the same advantage; those of one instance add up to 0 where none is cut. */
static void advantages_compare_episodes_of_an_instance(void **state)
{
    (void)state;
    const nlm_settings course = polished_course();
    nlm_run *s = begin_polishing(&course);
    int differ = 0;
    for (int update = 0; update < 2; update++) {
        forget_all(s->machine); /* moves at random take longer or shorter */
        assert_false(step(s));
        for (int first = 0; first < 16; first += 4) {
            const struct episode *episode = &rewards_of(s)->episode[first];
            double mean = 0, variance = 0;
            for (int e = 0; e < 4; e++)
                mean += moves_of(&episode[e]) / 4;
            for (int e = 0; e < 4; e++)
                variance += (moves_of(&episode[e]) - mean) * (moves_of(&episode[e]) - mean) / 4;
            for (int e = 0; e < 4; e++) {
                const double expected = (mean - moves_of(&episode[e])) / fmax(sqrt(variance), 0.5);
                differ += fabs(expected) > 0.1;
                for (int t = 0; t < episode_moves(&episode[e]); t++)
                    assert_near(episode[e].advantages[t], fmax(expected, -3), 1e-9);
            }
        }
    }
    assert_true(differ > 4);
    nlm_run_free(s);
}

/* ---- files ---- */

static nlm_run *paused(nlm_run *s, const nlm_settings *course, const char *path)
{
    nlm_run *loaded;
    CHECK(nlm_run_save_checkpoint(s, path, &check_error));
    CHECK(nlm_run_load(path, course, NULL, &loaded, &check_error));
    const struct rewards_state *a = &rewards_of(s)->state, *b = &rewards_of(loaded)->state;
    assert_int_equal(a->polishing, b->polishing);
    assert_int_equal(a->polish_begun, b->polish_begun);
    assert_true(a->polish_moves == b->polish_moves);
    nlm_run_free(s);
    return loaded;
}

static void a_run_that_is_paused_while_polishing_ends_with_the_same_file(void **state)
{
    const folder *made = *state;
    nlm_settings course = polished_course();
    course.polish_lr = 1e-3;
    nlm_run *whole = begin_averaged(&course), *other = begin_averaged(&course);
    int polishing = 0;
    run_course(whole);
    while (nlm_run_stage(other) == NLM_LEARNING) {
        run_exam(other);
        polishing += rewards_of(other)->state.polishing && nlm_run_stage(other) == NLM_LEARNING;
        other = paused(other, &course, made->other);
    }
    assert_true(polishing > 0);
    assert_int_equal(nlm_run_stage(whole), NLM_GRADUATED);
    CHECK(nlm_run_save_model(whole, made->file, &check_error));
    CHECK(nlm_run_save_model(other, made->other, &check_error));
    assert_same_files(made->file, made->other);
    nlm_run_free(whole);
    nlm_run_free(other);
}

/* Older versions had no such settings: their runs go on, to be polished in the end. */
static void a_run_of_an_older_version_goes_on_to_be_polished(void **state)
{
    (void)state;
    nlm_settings course;
    nlm_run *s;
    CHECK(nlm_settings_of_game(nlm_game_find("blocks"), NLM_PROTOCOL_BEST, &course, &check_error));
    assert_true(course.polish > 0);
    course.spec.width = 4;
    CHECK(nlm_run_load("tests/golden/runs/blocks.nlm.checkpoint", &course, NULL, &s, &check_error));
    assert_int_equal(nlm_run_settings(s)->polish, course.polish);
    assert_int_equal(nlm_run_settings(s)->polish_objects, course.polish_objects);
    nlm_run_free(s);
    CHECK(nlm_run_load("tests/golden/runs/blocks.nlm.checkpoint", NULL, NULL, &s, &check_error));
    assert_int_equal(nlm_run_settings(s)->polish, 0);
    nlm_run_free(s);
}

static void settings_that_cannot_polish_are_refused(void **state)
{
    (void)state;
    nlm_settings course = polished_course();
    nlm_run *s;
    nlm_error error;
    course.polish_objects = course.last_lesson - 1;
    assert_int_equal(nlm_run_new(&course, NULL, &s, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "polish_objects 4 is below the last lesson");
    course = polished_course();
    course.rollouts = course.batch = 1;
    assert_int_equal(nlm_run_new(&course, NULL, &s, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "rollouts 1 are too few");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polishing_follows_the_final_exam),
        cmocka_unit_test(polishing_ends),
        cmocka_unit_test(a_graduate_that_is_spoilt_stays),
        cmocka_unit_test(advantages_compare_episodes_of_an_instance),
        IN_FOLDER(a_run_that_is_paused_while_polishing_ends_with_the_same_file),
        cmocka_unit_test(a_run_of_an_older_version_goes_on_to_be_polished),
        cmocka_unit_test(settings_that_cannot_polish_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
