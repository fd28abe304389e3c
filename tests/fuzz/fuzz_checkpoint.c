/* Any bytes as a checkpoint: refused with a message of one line, or a run that can be asked about, and go on
 * for a step, without harm. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "../learn/run_parts.h"

/* Whether a step of the run takes no time. */
static bool is_small(const nlm_run *run)
{
    const nlm_settings *settings = &run->settings;
    if (settings->batch > 4 || nlm_machine_parameters(run->machine) > 10000)
        return false;
    return settings->game
               ? lesson_of(run) <= 6 && rewards_of(run)->validity.objects <= 6 && settings->passes <= 2 &&
                     settings->final_objects <= 6 && settings->deepest <= 8
               : settings->objects <= 6;
}

static void try_step(nlm_run *run)
{
    nlm_error error = {0};
    if (nlm_run_stage(run) != NLM_LEARNING)
        require(nlm_run_step(run, NULL, &error) == NLM_BAD_ARGUMENT);
    else if (is_small(run) && nlm_run_step(run, NULL, &error))
        require(error.status != NLM_OK && error.message[0] && !strchr(error.message, '\n'));
}

static void check_pool(const struct rewards_run *s, const struct pool *pool)
{
    const struct instance *items = pool->items.data;
    require(pool->count >= 0 && pool->next == 0);
    for (int i = 0; i < pool->count; i++) {
        require(items[i].number < s->state.next_instance);
        require(items[i].objects >= s->run.settings.first_lesson);
        require(items[i].objects <= s->run.settings.last_lesson);
    }
}

static void check_game(const struct rewards_run *s)
{
    const nlm_settings *settings = &s->run.settings;
    const nlm_exam *exam = &s->state.exam;
    require(settings_check_game(settings, NULL) == NLM_OK);
    require(exam->exam >= 0 && exam->episodes >= 0 && exam->drawn >= 0 && exam->restarts >= 0);
    require(exam->success >= 0 && exam->success <= 1 && isfinite(exam->moves) && isfinite(exam->elapsed));
    require(s->state.lesson >= settings->first_lesson && s->state.lesson <= settings->last_lesson);
    require(s->run.stage != NLM_LEARNING || s->state.exam_due || s->state.episodes < settings->episodes);
    check_pool(s, &s->solved);
    check_pool(s, &s->failed);
    require(s->validity.objects == 0 || validity_check((struct validity *)&s->validity, NULL) == NLM_OK);
    for (size_t i = 0; i < nlm_machine_parameters(s->run.machine); i++)
        require(isfinite(s->average[i]));
}

static void check_examples(const nlm_run *run)
{
    const nlm_epoch *epoch = epoch_of(run);
    require(settings_check_examples(&run->settings, NULL) == NLM_OK);
    require(epoch->epoch >= 0 && epoch->examples >= 0 && epoch->restarts >= 0);
    require(isfinite(epoch->loss) && isfinite(epoch->elapsed) && isfinite(epoch->accuracy));
    require(run->stage != NLM_LEARNING || epoch->epoch < run->settings.epochs);
}

static void check_run(nlm_run *run)
{
    require(steps_of(run) == 0 && asked_of(run) == 0);
    for (size_t i = 0; i < nlm_machine_parameters(run->machine); i++) {
        require(isfinite(run->machine->values[i]));
        require(isfinite(run->optimizer->mean[i]) && run->optimizer->square[i] >= 0);
    }
    if (run->settings.game)
        check_game(rewards_of(run));
    else
        check_examples(run);
    try_step(run);
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

/* Settings of small facts, which a run on them is taken up with; made once, and never freed. */
static const nlm_settings *facts_settings(void)
{
    static nlm_settings settings;
    static nlm_problem *problem;
    if (problem)
        return &settings;
    require(nlm_problem_generate(nlm_task_find("1-outdegree"), NLM_WORLDS_PAPER, 1, 0, 4, 6, &problem,
                                 NULL) == NLM_OK);
    require(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &settings, NULL) == NLM_OK);
    settings.spec.depth = settings.spec.width = 1;
    settings.spec.breadth = 2;
    settings.batches = 2;
    settings.epochs = 9;
    return &settings;
}

/* Whatever it is of; and as a run on the facts above. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    int file = write_file(data, size, path);
    for (int with_facts = 0; with_facts < 2; with_facts++) {
        nlm_run *run = (nlm_run *)path;
        nlm_error error = {0};
        if (nlm_run_load(path, with_facts ? facts_settings() : NULL, NULL, &run, &error)) {
            require(run == NULL);
            if (error.status == NLM_BAD_ARGUMENT) /* a run of something else */
                error.status = with_facts ? NLM_BAD_FILE : NLM_OK;
            check_refusal_or_memory(&error, path);
        } else {
            check_run(run);
        }
        nlm_run_free(run);
    }
    close(file);
    return 0;
}
