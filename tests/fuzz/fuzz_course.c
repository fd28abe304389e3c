/* Any bytes as a checkpoint of a course: refused with a message of one line, or a run that can be asked
 * about, and go on for a step, without harm. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "learn/settings.h"
#include "learn/student.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_refusal(const nlm_error *error, const char *path)
{
    require(error->status == NLM_BAD_FILE || error->status == NLM_NO_MEMORY);
    require(error->status == NLM_NO_MEMORY || !strncmp(error->message, path, strlen(path)));
    for (const char *c = error->message; *c; c++)
        require((unsigned char)*c >= ' ');
}

/* A step of a run so small that it takes no time. */
static void try_step(nlm_student *student)
{
    const nlm_settings *settings = nlm_student_settings(student);
    nlm_error error = {0};
    if (nlm_student_stage(student) != NLM_LEARNING) {
        require(nlm_student_step(student, NULL, &error) == NLM_BAD_ARGUMENT);
        return;
    }
    if (nlm_student_lesson(student) > 6 || student->validity.objects > 6 || settings->batch > 4 ||
        settings->passes > 2 || settings->final_objects > 6 || settings->deepest > 8 ||
        nlm_machine_parameters(nlm_student_machine(student)) > 10000)
        return;
    if (nlm_student_step(student, NULL, &error))
        require(error.status != NLM_OK && error.message[0] && !strchr(error.message, '\n'));
}

static void check_pool(const nlm_student *student, const struct pool *pool)
{
    const struct instance *items = pool->items.data;
    require(pool->count >= 0 && pool->next == 0);
    for (int i = 0; i < pool->count; i++) {
        require(items[i].number < student->state.next_instance);
        require(items[i].objects >= student->settings.first_lesson);
        require(items[i].objects <= student->settings.last_lesson);
    }
}

static void check_run(nlm_student *student)
{
    const nlm_settings *settings = nlm_student_settings(student);
    const nlm_exam *exam = nlm_student_exam(student);
    const nlm_machine *machine = nlm_student_machine(student);
    require(settings_check_game(settings, NULL) == NLM_OK);
    require(exam->exam >= 0 && exam->episodes >= 0 && exam->drawn >= 0 && exam->restarts >= 0);
    require(exam->success >= 0 && exam->success <= 1 && isfinite(exam->moves) && isfinite(exam->elapsed));
    require(nlm_student_lesson(student) >= settings->first_lesson);
    require(nlm_student_lesson(student) <= settings->last_lesson);
    require(nlm_student_asked(student) == 0);
    require(nlm_student_stage(student) != NLM_LEARNING || student->state.exam_due ||
            nlm_student_episodes(student) < settings->episodes);
    check_pool(student, &student->solved);
    check_pool(student, &student->failed);
    require(student->validity.objects == 0 || validity_check(&student->validity, NULL) == NLM_OK);
    for (size_t i = 0; i < nlm_machine_parameters(machine); i++) {
        require(isfinite(student->machine->values[i]) && isfinite(student->average[i]));
        require(isfinite(student->optimizer->mean[i]) && student->optimizer->square[i] >= 0);
    }
    try_step(student);
}

/* A file in memory that has a path. */
static int write_file(const uint8_t *data, size_t size, char path[32])
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    require(file >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, data + done, size - done);
        require(written > 0);
        done += (size_t)written;
    }
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    nlm_student *student = (nlm_student *)path;
    nlm_error error = {0};
    int file = write_file(data, size, path);
    if (nlm_student_load(path, NULL, NULL, &student, &error)) {
        require(student == NULL);
        check_refusal(&error, path);
    } else {
        check_run(student);
    }
    nlm_student_free(student);
    close(file);
    return 0;
}
