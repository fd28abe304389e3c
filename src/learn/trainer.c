/* A run of training: batches of fresh worlds, epochs, exams, restarts. */
#include "learn/trainer.h"

#include <math.h>
#include <string.h>
#include "nlm/tools.h"
#include "base/error.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "task/task.h"
#include "world/batch.h"

enum {
    CANDIDATES = 16,  /* for a deep world */
    MOST_DRAWS = 100, /* of a world that should have a true tuple: sizes may allow none */
    EXAM_BATCH = 16   /* worlds per part of an exam */
};

#define RARE_ERRORS 0.999 /* accuracy of an epoch above which each world with an error is kept */
#define NEAR_CHANCE 0.75  /* balanced accuracy; 0.5 is chance */
#define RESTART_SEEDS 0x9e3779b97f4a7c15u /* apart from each other and from what people choose */

#define THINNING_STREAMS 0x6c6162656c000000u /* "label": random streams of steps, apart from all others */

/* ---- life ---- */

static nlm_status new_optimizer(const nlm_settings *training, nlm_machine *machine, nlm_optimizer **optimizer,
                                nlm_error *error)
{
    const nlm_adam adam = {.rate = training->lr, .beta1 = 0.9, .beta2 = training->beta2, .epsilon = 1e-8};
    const nlm_rmsprop rmsprop = {.rate = training->lr, .decay = 0.9, .epsilon = 1e-10};
    return training->spec.program ? nlm_rmsprop_new(machine, rmsprop, optimizer, error)
                                  : nlm_adam_new(machine, adam, optimizer, error);
}

nlm_status nlm_trainer_new(const nlm_settings *training, const nlm_options *options, nlm_trainer **trainer,
                           nlm_error *error)
{
    *trainer = NULL;
    nlm_status status = settings_check_examples(training, error);
    if (status)
        return status;
    nlm_trainer *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->settings = *training;
    nlm_head_spec heads[NLM_MAX_HEADS];
    const int head_count = settings_heads(training, heads);
    const nlm_options plain = {.threads = 1};
    status = nlm_machine_new(&training->spec, heads, head_count, &made->machine, error);
    if (!status)
        status = machine_admit(made->machine, training->objects, error);
    if (!status)
        status = new_optimizer(training, made->machine, &made->optimizer, error);
    if (!status)
        status = world_source_init(&made->source, training, error);
    if (!status)
        status =
            examiner_init(&made->examiner, made->machine, &made->source, options ? options : &plain, error);
    if (!status && training->problem) {
        made->best = memory_new(nlm_machine_parameters(made->machine), sizeof *made->best);
        status = made->best ? NLM_OK : error_no_memory(error);
    }
    if (status) {
        nlm_trainer_free(made);
        return status;
    }
    made->settings.spec = *nlm_machine_spec(made->machine); /* the caller's may point to what does not last */
    machine_initialise_with(made->machine, training->seed, training->gain);
    *trainer = made;
    return NLM_OK;
}

void nlm_trainer_free(nlm_trainer *trainer)
{
    if (!trainer)
        return;
    examiner_release(&trainer->examiner);
    world_source_release(&trainer->source);
    memory_free(trainer->best);
    nlm_optimizer_free(trainer->optimizer);
    nlm_machine_free(trainer->machine);
    memory_free(trainer);
}

/* ---- worlds ---- */

static bool has_true_tuple(const nlm_world *world)
{
    for (int target = 0; target < nlm_world_targets(world); target++) {
        const signed char *labels;
        nlm_label by_default;
        size_t count = nlm_world_labels(world, target, NULL, &labels, &by_default);
        for (size_t i = 0; i < count; i++)
            if (labels[i] == NLM_TRUE)
                return true;
        if (by_default == NLM_TRUE)
            return true;
    }
    return false;
}

static nlm_status fetch_world(nlm_trainer *t, uint64_t number, const nlm_world **world, nlm_error *error)
{
    return examiner_fetch(&t->examiner, t->settings.seed, number, t->settings.objects, world, error);
}

static nlm_status add_world(nlm_trainer *t, uint64_t number, nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = fetch_world(t, number, &world, error);
    return status ? status : nlm_evaluator_add(t->examiner.evaluator, world, error);
}

/* The next world, drawn again until it has a true tuple if `positive` asks for one. */
static nlm_status draw_candidate(nlm_trainer *t, bool positive, uint64_t *number, const nlm_world **world,
                                 nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int draw = 0; draw < MOST_DRAWS && !status; draw++) {
        *number = t->state.next_world++;
        status = fetch_world(t, *number, world, error);
        if (!status && (!positive || has_true_tuple(*world)))
            break;
    }
    return status;
}

/* The deepest of several candidates, the first of them if there are more. */
static nlm_status draw_deep(nlm_trainer *t, bool positive, uint64_t *number, const nlm_world **world,
                            nlm_error *error)
{
    int deepest = -1;
    for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        uint64_t drawn;
        int depth;
        nlm_status status = draw_candidate(t, positive, &drawn, world, error);
        if (!status)
            status = task_depth(t->settings.task, t->examiner.scratch, &depth, error);
        if (status)
            return status;
        if (depth <= deepest)
            continue;
        deepest = depth;
        *number = drawn;
    }
    return fetch_world(t, *number, world, error);
}

/* Worlds of a batch: a problem may have fewer. */
static int batch_size(const nlm_trainer *t)
{
    const int learned = t->settings.problem ? t->source.learned : t->settings.batch;
    return learned < t->settings.batch ? learned : t->settings.batch;
}

/* Where a batch is all that there is to learn from, an epoch fills it once, and its structure is kept. */
static bool has_one_batch(const nlm_trainer *t)
{
    /* other models see a world under other names each time, or other labels of it */
    return world_source_is_fixed(&t->source, batch_size(t)) && !t->settings.spec.model &&
           t->settings.labels <= 0;
}

/* A fresh world for place `slot` of a batch; *number is its number. */
static nlm_status draw_world(nlm_trainer *t, int slot, uint64_t *number, nlm_error *error)
{
    const bool positive = slot < t->settings.positives && !has_one_batch(t);
    const nlm_world *world;
    nlm_status status = slot < t->settings.deep ? draw_deep(t, positive, number, &world, error)
                                                : draw_candidate(t, positive, number, &world, error);
    return status ? status : nlm_evaluator_add(t->examiner.evaluator, world, error);
}

/* The first worlds of a batch are ones that had errors, while there are such; the others are fresh. */
static int replayed_worlds(const nlm_trainer *t)
{
    return t->state.failures > 0 && !has_one_batch(t) ? t->settings.replay : 0;
}

static nlm_status draw_failure(nlm_trainer *t, uint64_t *number, nlm_error *error)
{
    struct trainer_state *state = &t->state;
    INVARIANT(state->next_failure < state->failures && state->failures <= MOST_FAILURES);
    *number = state->failure[state->next_failure];
    state->next_failure = (state->next_failure + 1) % state->failures;
    return add_world(t, *number, error);
}

static nlm_status draw_batch(nlm_trainer *t, uint64_t *numbers, nlm_error *error)
{
    if (t->learning && has_one_batch(t))
        return NLM_OK;
    nlm_evaluator_clear(t->examiner.evaluator);
    nlm_status status = NLM_OK;
    const int replayed = replayed_worlds(t);
    for (int slot = 0; slot < batch_size(t) && !status; slot++)
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
    epoch->examples += (long)running->steps * batch_size(t);
    epoch->drawn = (long)t->state.next_world;
    epoch->failures = running->failed;
    epoch->asked = running->asked;
    epoch->failed = running->wrong_answers;
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
    const int learned = state->epoch.epoch - state->begun; /* epochs with these weights */
    nlm_optimizer_set_rate(t->optimizer, t->settings.lr * pow(t->settings.lr_decay, learned));
}

/* The machine of this epoch, if it made fewer errors in the exam than any before, or as many with less loss.
 * Without an exam the errors are those of the epoch itself. */
static void keep_best(nlm_trainer *t)
{
    struct trainer_state *state = &t->state;
    const nlm_epoch *epoch = &state->epoch;
    const size_t failed = epoch->asked > 0 ? epoch->failed : epoch->wrong;
    if (state->best_epoch > 0 &&
        (failed > state->best_failed || (failed == state->best_failed && epoch->loss >= state->best_loss)))
        return;
    state->best_epoch = epoch->epoch;
    state->best_failed = failed;
    state->best_loss = epoch->loss;
    memcpy(t->best, t->machine->values, nlm_machine_parameters(t->machine) * sizeof *t->best);
}

/* Whether an epoch should try one's patience: it had errors or, where nobody ever is without, it told true
 * from false hardly better than by chance. */
static bool is_stuck(const nlm_trainer *t)
{
    const nlm_epoch *epoch = &t->state.epoch;
    if (t->settings.threshold <= 0 || (t->settings.task && t->settings.task->sense))
        return epoch->balanced_accuracy < NEAR_CHANCE;
    return epoch->wrong > 0 || (t->settings.problem && epoch->failed > 0);
}

static nlm_status end_epoch(nlm_trainer *t, bool passed, nlm_error *error)
{
    struct trainer_state *state = &t->state;
    sum_up_epoch(t);
    if (!isfinite(state->epoch.loss)) {
        state->stage = NLM_EXHAUSTED;
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the loss of epoch %d is not a number: the learning rate %g is too high",
                         state->epoch.epoch, t->settings.lr);
    }
    state->patient = is_stuck(t) ? state->patient + 1 : 0;
    if (t->best)
        keep_best(t);
    if (passed && (!t->settings.spec.program || state->epoch.epoch >= t->settings.epochs))
        state->stage = NLM_GRADUATED;
    trainer_go_on(t);
    t->running = (struct trainer_running){0};
    t->learning = false; /* a run that is taken up again has no batch either */
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

static bool loss_is_low(const nlm_trainer *t)
{
    return t->running.loss / t->running.steps < t->settings.threshold;
}

/* Worlds of the exam after this epoch.  Of a problem: what is held out, and once the loss is low enough to
 * graduate also all that is learned from, since an epoch need not have met each of them. */
static int exam_size(const nlm_trainer *t)
{
    if (!t->settings.problem)
        return loss_is_low(t) ? t->settings.exam : 0;
    return t->source.held_out + (loss_is_low(t) ? t->source.learned : 0);
}

/* Part of an exam on fresh worlds; those with errors are kept to learn from. */
static nlm_status examine_fresh(nlm_trainer *t, int count, nlm_bce_result *r, int *failed, nlm_error *error)
{
    uint64_t numbers[EXAM_BATCH];
    nlm_status status = NLM_OK;
    for (int w = 0; w < count && !status; w++)
        status = draw_world(t, w % t->settings.batch, &numbers[w], error);
    if (!status)
        status = evaluator_compare(t->examiner.evaluator, false, r, error);
    if (!status && r->correct != r->labelled)
        status = find_failures(t, numbers, count, failed, error);
    return status;
}

/* Part of an exam on a world of a problem.  Only answers on those held out are counted, and nothing is
 * learned from them. */
static nlm_status examine_own(nlm_trainer *t, nlm_bce_result *r, int *failed, nlm_error *error)
{
    const int learned = t->running.examined - t->source.held_out;
    if (learned >= 0) {
        const uint64_t number = (uint64_t)learned;
        return find_failures(t, &number, 1, failed, error);
    }
    nlm_status status = add_world(t, WORLD_SOURCE_HELD_OUT + (uint64_t)t->running.examined, error);
    if (!status)
        status = evaluator_compare(t->examiner.evaluator, false, r, error);
    *failed = !status && r->correct != r->labelled;
    return status;
}

static nlm_status examine_part(nlm_trainer *t, nlm_error *error)
{
    const int left = exam_size(t) - t->running.examined;
    const int count = t->settings.problem ? 1 : left < EXAM_BATCH ? left : EXAM_BATCH;
    int failed = 0;
    nlm_bce_result r = {0};
    t->learning = false;
    nlm_evaluator_clear(t->examiner.evaluator);
    nlm_status status = t->settings.problem ? examine_own(t, &r, &failed, error)
                                            : examine_fresh(t, count, &r, &failed, error);
    t->running.failed += failed;
    t->running.examined += count;
    t->running.asked += r.labelled;
    t->running.wrong_answers += r.labelled - r.correct;
    return status;
}

static bool errors_are_rare(const struct trainer_state *state)
{
    return state->epoch.epoch > state->begun && state->epoch.accuracy > RARE_ERRORS;
}

/* What is different each time that a world is presented: names of objects, and the labels looked at. */
static void vary_batch(nlm_trainer *t)
{
    const uint64_t step =
        (uint64_t)t->state.epoch.epoch * (uint64_t)t->settings.batches + (uint64_t)t->running.steps + 1;
    for (int w = 0; w < nlm_batch_worlds(t->examiner.evaluator->batch); w++)
        nlm_batch_present(t->examiner.evaluator->batch, w, step);
    if (t->settings.labels > 0 && t->settings.labels < 1) {
        random_stream random;
        random_start(&random, t->settings.seed, THINNING_STREAMS + step);
        batch_thin_labels(t->examiner.evaluator->batch, &random, t->settings.labels);
    }
}

static nlm_status learn_step(nlm_trainer *t, nlm_error *error)
{
    uint64_t numbers[NLM_MAX_BATCH];
    const int replayed = replayed_worlds(t);
    nlm_bce_result r;
    nlm_status status = draw_batch(t, numbers, error);
    t->learning = !status;
    if (!status) {
        vary_batch(t);
        status = evaluator_compare(t->examiner.evaluator, true, &r, error);
    }
    if (status)
        return status;
    nlm_machine_zero_gradients(t->machine);
    status = nlm_pass_backward(t->examiner.evaluator->pass, error);
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
    if (r.correct == r.labelled || !t->settings.replay || has_one_batch(t) || !errors_are_rare(&t->state))
        return NLM_OK;
    int failed;
    t->learning = false;
    return find_failures(t, numbers + replayed, batch_size(t) - replayed, &failed, error);
}

nlm_status nlm_trainer_step(nlm_trainer *t, bool *epoch_ended, nlm_error *error)
{
    bool ended = false;
    if (t->state.stage != NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has ended");
    double start = nlm_clock();
    struct trainer_running *running = &t->running;
    const struct trainer_state state = t->state;
    const struct trainer_running before = *running;
    nlm_status status = NLM_OK;
    if (running->exam)
        status = examine_part(t, error);
    else if (running->steps < t->settings.batches)
        status = learn_step(t, error);
    if (status && running->steps == before.steps) { /* nothing was learned: the next call tries it again */
        t->state = state;
        *running = before;
    }
    running->seconds += nlm_clock() - start;
    if (!status && running->steps >= t->settings.batches) {
        running->exam = exam_size(t) > 0;
        ended = running->examined >= exam_size(t);
        if (ended)
            status = end_epoch(t, loss_is_low(t) && running->failed == 0, error);
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

const nlm_settings *nlm_trainer_settings(const nlm_trainer *trainer)
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

int nlm_trainer_best_epoch(const nlm_trainer *trainer)
{
    const bool other = trainer->best && trainer->state.stage != NLM_GRADUATED;
    return other ? trainer->state.best_epoch : trainer->state.epoch.epoch;
}

nlm_machine *nlm_trainer_machine(nlm_trainer *trainer)
{
    return trainer->machine;
}
