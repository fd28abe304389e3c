/* Memory of students: whichever allocation fails, the call says so; everything can be freed, or tried again
 * and then ends as it must. */
#include "failing_malloc.h"
#include "learn/courses.h"
#include "learn/failing_files.h"

/* ---- a run, from the beginning or from where it failed ---- */

typedef struct story {
    nlm_settings course;
    int threads;
    nlm_run *student;
    int calls; /* of nlm_run_step */
} story;

enum { MOST_CALLS = 200 };

/* Two exams, a beginning between them, and all that takes memory. */
static story story_of(int g, int threads)
{
    story made = {.course = small_course(g), .threads = threads};
    made.course.spec.depth = 1;
    made.course.spec.width = 2;
    made.course.episodes = 8;
    made.course.batch = 4;
    made.course.rollouts = 2;
    made.course.passes = 2;
    made.course.interval = 4;
    made.course.restart = 4;
    made.course.exam = g == SORT ? 40 : 16; /* too many to be solved by chance */
    made.course.pool = 40;
    made.course.average = 0.9;
    made.course.last_lesson = 4;
    return made;
}

static nlm_status begin_or_go_on(story *s, nlm_error *error)
{
    const nlm_options options = {.threads = s->threads};
    nlm_status status = NLM_OK;
    if (!s->student)
        status = nlm_run_new(&s->course, &options, &s->student, error);
    while (!status && nlm_run_stage(s->student) == NLM_LEARNING) {
        if (s->calls++ == MOST_CALLS)
            fail_msg("the run does not come to its end");
        status = nlm_run_step(s->student, NULL, error);
    }
    return status;
}

static void end(story *s)
{
    nlm_run_free(s->student);
    s->student = NULL;
    s->calls = 0;
}

/* The story with this allocation failing; returns whether it did. */
static bool play(story *s, int number)
{
    nlm_error error = {NLM_OK, ""};
    fail_allocation(number);
    const nlm_status status = begin_or_go_on(s, &error);
    const bool failed = allocation_failed();
    fail_allocation(-1);
    if (status != (failed ? NLM_NO_MEMORY : NLM_OK))
        fail_msg("allocation %d: status %d, %s", number, status, error.message);
    assert_int_equal(error.status, status);
    assert_true(!failed || (error.message[0] && !strchr(error.message, '\n')));
    if (failed && !s->student)
        assert_int_equal(s->calls, 0);
    return failed;
}

/* All of it fails once at each allocation, then is freed, or goes on. */
static void assert_survives(story *s)
{
    int number = 0;
    for (bool failed = true; failed; number++) {
        failed = play(s, number);
        if (number % 3 || !s->student) { /* nothing is left to go on with */
            end(s);
            continue;
        }
        play(s, -1);
        assert_int_equal(nlm_run_stage(s->student), NLM_EXHAUSTED);
        assert_int_equal(exam_of(s->student)->exam, 2);
        assert_int_equal(exam_of(s->student)->episodes, s->course.episodes);
        assert_int_equal(exam_of(s->student)->restarts, 1);
        assert_in_range(exam_of(s->student)->asked, 1, s->course.exam);
        end(s);
    }
    assert_true(number > 200);
}

static void runs_survive_each_failing_allocation(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        story s = story_of(g, 1);
        assert_survives(&s);
    }
}

static void a_run_with_threads_survives_each_failing_allocation(void **state)
{
    (void)state;
    story s = story_of(SORT, 2);
    s.course.batch = 16; /* of two groups */
    s.course.interval = s.course.restart = 16;
    s.course.episodes = 32;
    assert_survives(&s);
}

/* Once it has met all sizes, a student of sorting takes no memory any more. */
static void a_student_stops_allocating(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.episodes = 400;
    nlm_run *s = begin_clueless(&course);
    for (int n = 0; n < 5; n++)
        run_exam(s);
    fail_allocation(-1);
    while (episodes_of(s) < course.interval * 6)
        step(s);
    assert_int_equal(allocations, 0);
    nlm_run_free(s);
}

/* ---- files ---- */

static void files_survive_each_failing_allocation(void **state)
{
    const folder *made = *state;
    for (int g = 0; g < GAMES; g++) {
        story s = story_of(g, 1);
        s.course.restart = 0;
        nlm_run *student = begin_course(&s.course, 1), *loaded = NULL;
        run_exam(student);
        call_until_it_succeeds(made, save_checkpoint, &student, made->file);
        call_until_it_succeeds(made, save_model_file, &student, made->other);
        call_until_it_succeeds(made, load_checkpoint, &loaded, made->file);
        run_course(student);
        run_course(loaded);
        assert_true(same_values(student, loaded->machine->values));
        nlm_run_free(student);
        nlm_run_free(loaded);
    }
}

/* A checkpoint that could not be replaced is still the earlier one. */
static void an_earlier_checkpoint_survives_each_failing_allocation(void **state)
{
    const folder *made = *state;
    story s = story_of(BLOCKS, 1);
    nlm_run *student = begin_course(&s.course, 1);
    run_exam(student);
    CHECK(nlm_run_save_checkpoint(student, made->file, &check_error));
    CHECK(nlm_run_save_checkpoint(student, made->other, &check_error));
    run_exam(student);
    float *values = copy_values(student);
    for (int number = 0; number < 1000; number += 1 + number / 20) {
        fail_allocation(number);
        const nlm_status status = nlm_run_save_checkpoint(student, made->file, NULL);
        fail_allocation(-1);
        assert_true(same_values(student, values));
        if (!status)
            break;
        assert_same_files(made->file, made->other);
    }
    free(values);
    nlm_run_free(student);
}

int main(void)
{
    fail_jansson_too();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_survive_each_failing_allocation),
        cmocka_unit_test(a_run_with_threads_survives_each_failing_allocation),
        cmocka_unit_test(a_student_stops_allocating),
        IN_FOLDER(files_survive_each_failing_allocation),
        IN_FOLDER(an_earlier_checkpoint_survives_each_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
