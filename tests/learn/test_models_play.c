/* Games with other models: a memory network learns by playing, and is taken up again; no other does. */
#include "learn/courses.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

static void models_that_do_not_play_are_refused(void **state)
{
    (void)state;
    nlm_course course, before;
    nlm_error error = {0};
    CHECK(nlm_course_default(nlm_game_find("sort"), NLM_PROTOCOL_PAPER, &course, &check_error));
    before = course;
    assert_int_equal(nlm_course_use_model(&course, "lstm", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "there is no model 'lstm'");
    assert_int_equal(nlm_course_use_model(&course, NULL, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_course_use_model(&course, "dilp", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "differentiable ILP does not play");
    CHECK(nlm_course_use_model(&course, "nlm", &check_error));
    assert_memory_equal(&before, &course, sizeof course);
}

static void a_memory_network_plays(void **state)
{
    const folder *made = *state;
    for (int g = 0; g < 3; g++) {
        nlm_course course = small_course(g);
        CHECK(nlm_course_use_model(&course, "memnn", &check_error));
        assert_int_equal(course.spec.depth, g == SORT ? 1 : 4);
        assert_int_equal(course.spec.width, 64);
        course.spec.depth = g == SORT ? 1 : 2;
        course.spec.width = 6;
        course.spec.hidden[0] = 5;
        if (g == SORT) {
            course.episodes = 300;
            course.interval = 100;
        }
        nlm_student *whole = begin_course(&course, 1), *paused = begin_course(&course, 2);
        run_course(whole);
        while (nlm_student_stage(paused) == NLM_LEARNING) {
            run_exam(paused);
            const nlm_options options = {.threads = 1 + nlm_student_exam(paused)->exam % 2};
            CHECK(nlm_student_save_checkpoint(paused, made->other, &check_error));
            nlm_student_free(paused);
            CHECK(nlm_student_load(made->other, &course, &options, &paused, &check_error));
        }
        assert_true(nlm_student_exam(whole)->exam >= 2);
        CHECK(nlm_student_save_model(whole, made->file, &check_error));
        CHECK(nlm_student_save_model(paused, made->other, &check_error));
        assert_same_files(made->file, made->other);
        assert_int_equal(nlm_agent_moves(nlm_student_machine(whole)), NLM_MODEL_MOVES);
        nlm_student_free(whole);
        nlm_student_free(paused);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_do_not_play_are_refused),
        IN_FOLDER(a_memory_network_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
