/* A run of training: batches of fresh worlds, epochs, exams, restarts. */
#include "learn/trainer.h"

#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/training.h"
#include "machine/machine.h"
#include "task/task.h"

enum {
    CANDIDATES = 16,  /* for a deep world */
    MOST_DRAWS = 100, /* of a world that should have a true tuple: sizes may allow none */
    EXAM_BATCH = 16   /* worlds per part of an exam */
};

#define RARE_ERRORS 0.999 /* accuracy of an epoch above which each world with an error is kept */
#define RESTART_SEEDS 0x9e3779b97f4a7c15u /* apart from each other and from what people choose */

/* ---- life ---- */

nlm_status nlm_trainer_new(const nlm_training *training, const nlm_options *options, nlm_trainer **trainer,
                           nlm_error *error)
{
    *trainer = NULL;
    nlm_status status = training_check(training, error);
    if (status)
        return status;
    nlm_trainer *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->settings = *training;
    const nlm_head_spec head = {.name = "head", .arity = training->task->arity, .outputs = 1};
    const nlm_adam adam = {.rate = training->rate, .beta1 = 0.9, .beta2 = training->beta2, .epsilon = 1e-8};
    const nlm_options plain = {.threads = 1};
    status = nlm_machine_new(&training->spec, &head, 1, &made->machine, error);
    if (!status)
        status = nlm_adam_new(made->machine, adam, &made->optimizer, error);
    if (!status)
        status =
            examiner_init(&made->examiner, made->machine, training->task, options ? options : &plain, error);
    if (status) {
        nlm_trainer_free(made);
        return status;
    }
    machine_initialise_with(made->machine, training->seed, training->gain);
    *trainer = made;
    return NLM_OK;
}

void nlm_trainer_free(nlm_trainer *trainer)
{
    if (!trainer)
        return;
    examiner_release(&trainer->examiner);
    nlm_optimizer_free(trainer->optimizer);
    nlm_machine_free(trainer->machine);
    memory_free(trainer);
}

/* ---- worlds ---- */

static bool has_true_tuple(const nlm_world *world)
{
    const signed char *labels;
    nlm_label by_default;
    size_t count = nlm_world_labels(world, 0, NULL, &labels, &by_default);
    for (size_t i = 0; i < count; i++)
        if (labels[i] == NLM_TRUE)
            return true;
    return by_default == NLM_TRUE;
}

static nlm_status make_world(nlm_trainer *t, uint64_t number, nlm_error *error)
{
    return nlm_task_generate(t->examiner.task, t->settings.seed, number, t->settings.objects,
                             t->examiner.world, error);
}

static nlm_status add_world(nlm_trainer *t, nlm_error *error)
{
    return nlm_batch_add_world(t->examiner.batch, t->examiner.world, error);
}

/* The next world, drawn again until it has a true tuple if `positive` asks for one. */
static nlm_status draw_candidate(nlm_trainer *t, bool positive, uint64_t *number, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int draw = 0; draw < MOST_DRAWS && !status; draw++) {
        *number = t->state.next_world++;
        status = make_world(t, *number, error);
        if (!status && (!positive || has_true_tuple(t->examiner.world)))
            break;
    }
    return status;
}

/* The deepest of several candidates, the first of them if there are more. */
static nlm_status draw_deep(nlm_trainer *t, bool positive, uint64_t *number, nlm_error *error)
{
    int deepest = -1;
    for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        uint64_t drawn;
        int depth;
        nlm_status status = draw_candidate(t, positive, &drawn, error);
        if (!status)
            status = task_depth(t->examiner.task, t->examiner.world, &depth, error);
        if (status)
            return status;
        if (depth <= deepest)
            continue;
        deepest = depth;
        *number = drawn;
    }
    return make_world(t, *number, error);
}

/* A fresh world for place `slot` of a batch; *number is its number. */
static nlm_status draw_world(nlm_trainer *t, int slot, uint64_t *number, nlm_error *error)
{
    const bool positive = slot < t->settings.positive_worlds;
    nlm_status status = slot < t->settings.deep_worlds ? draw_deep(t, positive, number, error)
                                                       : draw_candidate(t, positive, number, error);
    return status ? status : add_world(t, error);
}

/* The first worlds of a batch are ones that had errors, while there are such; the others are fresh. */
static int replayed_worlds(const nlm_trainer *t)
{
    return t->state.failures > 0 ? t->settings.replay : 0;
}

static nlm_status draw_failure(nlm_trainer *t, uint64_t *number, nlm_error *error)
{
    struct trainer_state *state = &t->state;
    *number = state->failure[state->next_failure];
    state->next_failure = (state->next_failure + 1) % state->failures;
    nlm_status status = make_world(t, *number, error);
    return status ? status : add_world(t, error);
}

static nlm_status draw_batch(nlm_trainer *t, uint64_t *numbers, nlm_error *error)
{
    nlm_batch_clear(t->examiner.batch);
    nlm_status status = NLM_OK;
    const int replayed = replayed_worlds(t);
    for (int slot = 0; slot < t->settings.batch && !status; slot++)
        status = slot < replayed ? draw_failure(t, &numbers[slot], error)
                                 : draw_world(t, slot, &numbers[slot], error);
    return status;
}

/* ---- steps and epochs ---- */

static void sum_up_epoch(nlm_trainer *t)
{
    const struct trainer_running *running = &t->running;
    nlm_epoch *epoch = &t->state.epoch;
    epoch->epoch++;
    epoch->examples += (long)running->steps * t->settings.batch;
    epoch->drawn = (long)t->state.next_world;
    epoch->failures = running->failed;
    epoch->loss = running->loss / running->steps;
    epoch->tuples = running->tuples;
    epoch->wrong = running->wrong;
    epoch->accuracy =
        running->tuples ? (double)(running->tuples - running->wrong) / (double)running->tuples : 1.0;
    epoch->balanced_accuracy =
        balanced_accuracy(running->tuples, running->wrong, running->positives, running->wrong_positives);
    epoch->gradient_norm = running->gradient_norm / running->steps;
    epoch->seconds = running->seconds;
    epoch->elapsed += running->seconds;
}

static void begin_again(nlm_trainer *t)
{
    struct trainer_state *state = &t->state;
    state->epoch.restarts++;
    state->begun = state->epoch.epoch;
    state->patient = 0;
    state->failures = state->next_failure = 0;
    machine_initialise_with(t->machine, t->settings.seed + (uint64_t)state->epoch.restarts * RESTART_SEEDS,
                            t->settings.gain);
    optimizer_reset(t->optimizer);
}

void trainer_go_on(nlm_trainer *t)
{
    struct trainer_state *state = &t->state;
    if (state->stage == NLM_GRADUATED)
        return;
    state->stage = state->epoch.epoch < t->settings.epochs ? NLM_LEARNING : NLM_EXHAUSTED;
    if (state->stage == NLM_LEARNING && t->settings.patience > 0 && state->patient >= t->settings.patience)
        begin_again(t);
}

static nlm_status end_epoch(nlm_trainer *t, bool passed, nlm_error *error)
{
    struct trainer_state *state = &t->state;
    sum_up_epoch(t);
    if (!isfinite(state->epoch.loss)) {
        state->stage = NLM_EXHAUSTED;
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the loss of epoch %d is not a number: the learning rate %g is too high",
                         state->epoch.epoch, t->settings.rate);
    }
    state->patient = state->epoch.wrong > 0 ? state->patient + 1 : 0;
    if (passed)
        state->stage = NLM_GRADUATED;
    trainer_go_on(t);
    t->running = (struct trainer_running){0};
    return NLM_OK;
}

/* ---- exams ---- */

/* Keep a world with errors to learn from; the oldest makes room. */
static void keep_failure(struct trainer_state *state, uint64_t number)
{
    if (state->failures == MOST_FAILURES) {
        state->failures--;
        memmove(state->failure, state->failure + 1, (MOST_FAILURES - 1) * sizeof *state->failure);
    }
    state->failure[state->failures++] = number;
}

/* Which of these worlds have errors. */
static nlm_status find_failures(nlm_trainer *t, const uint64_t *numbers, int count, int *failed,
                                nlm_error *error)
{
    *failed = 0;
    for (int w = 0; w < count; w++) {
        nlm_bce_result r;
        nlm_status status =
            examiner_ask(&t->examiner, t->settings.seed, numbers[w], t->settings.objects, &r, error);
        if (status)
            return status;
        if (r.correct == r.labelled)
            continue;
        (*failed)++;
        keep_failure(&t->state, numbers[w]);
    }
    return NLM_OK;
}

static nlm_status examine_batch(nlm_trainer *t, nlm_error *error)
{
    uint64_t numbers[EXAM_BATCH];
    int left = t->settings.exam - t->running.examined, count = left < EXAM_BATCH ? left : EXAM_BATCH;
    nlm_batch_clear(t->examiner.batch);
    nlm_bce_result r;
    nlm_status status = NLM_OK;
    for (int w = 0; w < count && !status; w++)
        status = draw_world(t, w % t->settings.batch, &numbers[w], error);
    if (!status)
        status = examiner_ask_batch(&t->examiner, false, &r, error);
    int failed = 0;
    if (!status && r.correct != r.labelled)
        status = find_failures(t, numbers, count, &failed, error);
    t->running.failed += failed;
    t->running.examined += count;
    return status;
}

static bool errors_are_rare(const struct trainer_state *state)
{
    return state->epoch.epoch > state->begun && state->epoch.accuracy > RARE_ERRORS;
}

static nlm_status learn_step(nlm_trainer *t, nlm_error *error)
{
    uint64_t numbers[TRAINING_MOST_BATCH];
    const int replayed = replayed_worlds(t);
    nlm_bce_result r;
    nlm_status status = draw_batch(t, numbers, error);
    if (!status)
        status = examiner_ask_batch(&t->examiner, true, &r, error);
    if (status)
        return status;
    nlm_machine_zero_gradients(t->machine);
    status = nlm_pass_backward(t->examiner.pass, error);
    if (status)
        return status;
    struct trainer_running *running = &t->running;
    running->steps++;
    running->gradient_norm += nlm_machine_gradient_norm(t->machine);
    running->loss += r.loss;
    running->tuples += r.labelled;
    running->wrong += r.labelled - r.correct;
    running->positives += r.positives;
    running->wrong_positives += r.positives - r.correct_positives;
    nlm_optimizer_step(t->optimizer);
    if (r.correct == r.labelled || !t->settings.replay || !errors_are_rare(&t->state))
        return NLM_OK;
    int failed;
    return find_failures(t, numbers + replayed, t->settings.batch - replayed, &failed, error);
}

nlm_status nlm_trainer_step(nlm_trainer *t, bool *epoch_ended, nlm_error *error)
{
    bool ended = false;
    if (t->state.stage != NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has ended");
    double start = clock_seconds();
    struct trainer_running *running = &t->running;
    const struct trainer_state state = t->state;
    const struct trainer_running before = *running;
    nlm_status status = NLM_OK;
    if (running->exam)
        status = examine_batch(t, error);
    else if (running->steps < t->settings.batches)
        status = learn_step(t, error);
    if (status && running->steps == before.steps) { /* nothing was learned: the next call tries it again */
        t->state = state;
        *running = before;
    }
    running->seconds += clock_seconds() - start;
    if (!status && running->steps >= t->settings.batches) {
        bool low = running->loss / running->steps < t->settings.threshold;
        running->exam = low && t->settings.exam > 0;
        ended = !running->exam || running->examined >= t->settings.exam;
        if (ended)
            status = end_epoch(t, low && running->failed == 0, error);
    }
    if (epoch_ended)
        *epoch_ended = ended;
    return status;
}

/* ---- what it shows ---- */

nlm_stage nlm_trainer_stage(const nlm_trainer *trainer)
{
    return trainer->state.stage;
}

const nlm_training *nlm_trainer_settings(const nlm_trainer *trainer)
{
    return &trainer->settings;
}

const nlm_epoch *nlm_trainer_epoch(const nlm_trainer *trainer)
{
    return &trainer->state.epoch;
}

int nlm_trainer_steps(const nlm_trainer *trainer)
{
    return trainer->running.steps;
}

int nlm_trainer_examined(const nlm_trainer *trainer)
{
    return trainer->running.examined;
}

nlm_machine *nlm_trainer_machine(nlm_trainer *trainer)
{
    return trainer->machine;
}
