/* For the tests of learning by rewards: small courses, students that know sorting or do not, their exams. */
#ifndef TESTS_LEARN_COURSES_H
#define TESTS_LEARN_COURSES_H

#include "learn/agents.h"
#include "learn/settings.h"
#include "learn/run_parts.h"
#include "machine/models.h"

/* ---- courses ---- */

/* A run of moments: the paper's protocol, but small. */
static inline nlm_settings small_course(int g)
{
    nlm_settings made;
    CHECK(nlm_settings_of_game(nlm_game_at(g), NLM_PROTOCOL_PAPER, &made, &check_error));
    made.spec = agent_spec(made.game);
    made.first_lesson = 3;
    made.last_lesson = 5;
    made.episodes = 60;
    made.interval = 20;
    made.exam = 30;
    made.final_exam = 40;
    made.pool = 8;
    made.patience = 0;
    return made;
}

/* A course whose machine is that of write_sorter, and stays as it is. */
static inline nlm_settings sorting_course(void)
{
    nlm_settings made = small_course(SORT);
    made.spec = (nlm_spec){.depth = 1, .breadth = 2, .inputs = {0, 0, 6}, .width = 1, .outputs = 4};
    made.lr = 0;
    return made;
}

/* The rows of games, among all. */
#define course_table settings_table_of(&(const nlm_settings){.game = nlm_game_find("sort")})

static inline int setting_called(const char *name)
{
    for (int n = 0; n < course_table.count; n++)
        if ((course_table.rows[n].runs & course_table.runs) && !strcmp(name, course_table.rows[n].name))
            return n;
    fail_msg("no setting is called %s", name);
    return -1;
}

/* ---- students ---- */

static inline nlm_run *begin_course(const nlm_settings *course, int threads)
{
    nlm_run *student;
    const nlm_options options = {.threads = threads};
    CHECK(nlm_run_new(course, &options, &student, &check_error));
    return student;
}

/* Returns whether it was the last part of an exam. */
static inline bool step(nlm_run *student)
{
    bool ended;
    CHECK(nlm_run_step(student, &ended, &check_error));
    return ended;
}

/* To the end of the next exam. */
static inline const nlm_exam *run_exam(nlm_run *student)
{
    while (!step(student))
        ;
    return exam_of(student);
}

static inline void run_course(nlm_run *student)
{
    while (nlm_run_stage(student) == NLM_LEARNING)
        run_exam(student);
}

/* Swaps what is in the wrong order, and hardly ever anything else: instances of up to 5 numbers, which have
 * at most 10 such pairs and may take 10 moves, are all solved. */
static inline void write_sorter(nlm_machine *machine)
{
    nlm_machine *sorter = make_sorting_machine();
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor to = nlm_machine_tensor(machine, t), from = nlm_machine_tensor(sorter, t);
        assert_string_equal(to.name, from.name);
        for (size_t i = 0; i < to.count; i++)
            to.values[i] = !strcmp(to.name, "head.weight") ? 6 * from.values[i] : from.values[i];
    }
    nlm_machine_free(sorter);
}

/* All moves are equally probable. */
static inline void forget_all(nlm_machine *machine)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memset(tensor.values, 0, tensor.count * sizeof(float));
    }
}

static inline nlm_run *begin_knowing(const nlm_settings *course)
{
    nlm_run *student = begin_course(course, 1);
    write_sorter(nlm_run_machine(student));
    return student;
}

static inline nlm_run *begin_clueless(const nlm_settings *course)
{
    nlm_run *student = begin_course(course, 1);
    forget_all(nlm_run_machine(student));
    return student;
}

/* ---- parameters ---- */

static inline float *copy_values(const nlm_run *student)
{
    const size_t bytes = nlm_machine_parameters(student->machine) * sizeof(float);
    float *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, student->machine->values, bytes);
    return copy;
}

/* In all bits. */
static inline bool same_values(const nlm_run *student, const float *values)
{
    return !memcmp(student->machine->values, values,
                   nlm_machine_parameters(student->machine) * sizeof(float));
}

/* ---- numbers ---- */

/* cmocka's own assertion compares floats. */
static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

#endif
