/* Learning from examples: batches of fresh worlds, epochs, exams, restarts.
 *
 * Tasks generate as many worlds as are asked for, so no world is learned from twice unless it is replayed;
 * facts have a fixed set of worlds, which is gone through again and again (world_source.h).
 *
 * A batch is mixed on purpose.  Its first worlds had errors before (`replay`), some must have a true tuple
 * (`positives`), some are the deepest of several (`deep`): random worlds are mostly easy, and late in a run
 * nearly all of them are answered without error and teach nothing.
 *
 * Example: the best protocol has batch 4, positives 3, deep 2, replay 1.  Without failures, slots 0 and 1 are
 * the deepest of 16 worlds with a true tuple, slot 2 is a world with a true tuple, slot 3 any world: 34
 * worlds are drawn, or more if some have no true tuple.  Once there are failures, one takes slot 0. */
#include "learn/from_examples.h"

#include <math.h>
#include <string.h>
#include "nlm/tools.h"
#include "base/error.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "world/batch.h"

enum { EXAM_BATCH = 16 }; /* worlds per part of an exam */

#define RARE_ERRORS 0.999 /* accuracy of an epoch above which each world with an error is kept */
#define NEAR_CHANCE 0.75  /* balanced accuracy; 0.5 is chance */
#define THINNING_STREAMS 0x6c6162656c000000u /* "label": random streams of steps, apart from all others */

/* ---- life ---- */

/* Only models with a program, that is differentiable ILP, use RMSProp, as their authors do.  Weights are set
 * last: nothing that could fail comes after them. */
static nlm_status init(nlm_run *run, const nlm_options *options, nlm_error *error)
{
    struct examples_run *t = (struct examples_run *)run;
    const nlm_settings *settings = &run->settings;
    nlm_head_spec heads[NLM_MAX_HEADS];
    const int head_count = settings_heads(settings, heads);
    nlm_status status = nlm_machine_new(&settings->spec, heads, head_count, &run->machine, error);
    if (!status)
        status = machine_admit(run->machine, settings->objects, error);
    const nlm_adam adam = {.rate = settings->lr, .beta1 = 0.9, .beta2 = settings->beta2, .epsilon = 1e-8};
    const nlm_rmsprop rmsprop = {.rate = settings->lr, .decay = 0.9, .epsilon = 1e-10};
    if (!status)
        status = settings->spec.program ? nlm_rmsprop_new(run->machine, rmsprop, &run->optimizer, error)
                                        : nlm_adam_new(run->machine, adam, &run->optimizer, error);
    if (!status)
        status = world_source_init(&t->source, settings, error);
    if (!status)
        status = nlm_world_new(&t->scratch, error);
    if (!status)
        status = nlm_evaluator_new(run->machine, options, &t->evaluator, error);
    if (!status && settings->problem) {
        t->best = memory_new(nlm_machine_parameters(run->machine), sizeof *t->best);
        status = t->best ? NLM_OK : error_no_memory(error);
    }
    if (!status)
        machine_initialise_with(run->machine, settings->seed, settings->gain);
    return status;
}

/* What nlm_run_free does not know of; also after an init that failed. */
static void release(nlm_run *run)
{
    struct examples_run *t = (struct examples_run *)run;
    nlm_evaluator_free(t->evaluator);
    nlm_world_free(t->scratch);
    world_source_release(&t->source);
    memory_free(t->best);
}

/* ---- worlds ---- */

/* A task's world is in t->scratch until the next call; a problem's is the source's own. */
static nlm_status add_world(struct examples_run *t, uint64_t number, nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = world_source_world(&t->source, t->run.settings.seed, number, t->run.settings.objects,
                                           t->scratch, &world, error);
    return status ? status : nlm_evaluator_add(t->evaluator, world, error);
}

/* Worlds of a batch: a problem may have fewer. */
static int batch_size(const struct examples_run *t)
{
    const int learned = t->run.settings.problem ? t->source.learned : t->run.settings.batch;
    return learned < t->run.settings.batch ? learned : t->run.settings.batch;
}

/* Where a batch is all that there is to learn from, an epoch fills it once, and its structure is kept: the
 * tuples are not classified again in each step. */
static bool has_one_batch(const struct examples_run *t)
{
    /* other models see a world under other names each time, or other labels of it */
    return world_source_is_fixed(&t->source, batch_size(t)) && !t->run.settings.spec.model &&
           t->run.settings.labels <= 0;
}

/* A fresh world for place `slot` of a batch; *number is its number. */
static nlm_status draw_world(struct examples_run *t, int slot, uint64_t *number, nlm_error *error)
{
    const bool positive = slot < t->run.settings.positives && !has_one_batch(t);
    const nlm_world *world;
    nlm_status status =
        world_source_draw(&t->source, t->run.settings.seed, &t->state.next_world, t->run.settings.objects,
                          positive, slot < t->run.settings.deep, t->scratch, number, &world, error);
    return status ? status : nlm_evaluator_add(t->evaluator, world, error);
}

/* The first worlds of a batch are ones that had errors, while there are such; the others are fresh. */
static int replayed_worlds(const struct examples_run *t)
{
    return t->state.failures > 0 && !has_one_batch(t) ? t->run.settings.replay : 0;
}

/* The worlds of a step into the evaluator; numbers[slot] is for find_failures.  Nothing is done if the batch
 * that is there is the only one; then `numbers` stays unset, and nobody reads it. */
static nlm_status draw_batch(struct examples_run *t, uint64_t *numbers, nlm_error *error)
{
    if (t->learning && has_one_batch(t))
        return NLM_OK;
    nlm_evaluator_clear(t->evaluator);
    nlm_status status = NLM_OK;
    const int replayed = replayed_worlds(t);
    struct examples_state *state = &t->state;
    for (int slot = 0; slot < batch_size(t) && !status; slot++) {
        if (slot >= replayed) {
            status = draw_world(t, slot, &numbers[slot], error);
            continue;
        }
        INVARIANT(state->next_failure < state->failures && state->failures <= MOST_FAILURES);
        numbers[slot] = state->failure[state->next_failure];
        state->next_failure = (state->next_failure + 1) % state->failures;
        status = add_world(t, numbers[slot], error);
    }
    return status;
}

/* ---- steps and epochs ---- */

/* The sums of the epoch become its result.  The accuracies are those of answers given while the machine was
 * changing, before each step; an exam is the only measure of the machine as it is now. */
static void sum_up_epoch(struct examples_run *t)
{
    const struct examples_running *running = &t->running;
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

/* Stage, restart, learning rate: what an epoch, or a checkpoint, leads to (from_examples.h). */
void examples_go_on(struct examples_run *t)
{
    struct examples_state *state = &t->state;
    if (t->run.stage == NLM_GRADUATED)
        return;
    t->run.stage = state->epoch.epoch < t->run.settings.epochs ? NLM_LEARNING : NLM_EXHAUSTED;
    /* The numbers of worlds go on across a restart: new weights also see new worlds.  The failures of the old
     * weights say nothing about the new ones. */
    if (t->run.stage == NLM_LEARNING && t->run.settings.patience > 0 &&
        state->patient >= t->run.settings.patience) { /* new weights */
        state->epoch.restarts++;
        state->begun = state->epoch.epoch;
        state->patient = state->failures = state->next_failure = 0;
        machine_initialise_with(t->run.machine,
                                t->run.settings.seed + (uint64_t)state->epoch.restarts * RESTART_SEEDS,
                                t->run.settings.gain);
        optimizer_reset(t->run.optimizer);
    }
    /* a function of the epoch alone, so a resumed run needs no rate in its file */
    const int learned = state->epoch.epoch - state->begun; /* epochs with these weights */
    nlm_optimizer_set_rate(t->run.optimizer, t->run.settings.lr * pow(t->run.settings.lr_decay, learned));
}

/* The machine of this epoch, if it made fewer errors in the exam than any before, or as many with less loss.
 * Without an exam the errors are those of the epoch itself. */
static void keep_best(struct examples_run *t)
{
    struct examples_state *state = &t->state;
    const nlm_epoch *epoch = &state->epoch;
    const size_t failed = epoch->asked > 0 ? epoch->failed : epoch->wrong;
    if (state->best_epoch > 0 &&
        (failed > state->best_failed || (failed == state->best_failed && epoch->loss >= state->best_loss)))
        return;
    state->best_epoch = epoch->epoch;
    state->best_failed = failed;
    state->best_loss = epoch->loss;
    memcpy(t->best, t->run.machine->values, nlm_machine_parameters(t->run.machine) * sizeof *t->best);
}

/* What an epoch leads to.  A loss that is not finite ends the run: Adam's moments are spoilt, and no later
 * step could mend them. */
static nlm_status end_epoch(struct examples_run *t, bool passed, nlm_error *error)
{
    struct examples_state *state = &t->state;
    sum_up_epoch(t);
    if (!isfinite(state->epoch.loss)) {
        t->run.stage = NLM_EXHAUSTED;
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the loss of epoch %d is not a number: the learning rate %g is too high",
                         state->epoch.epoch, t->run.settings.lr);
    }
    /* Patience counts epochs in a row without success.  Success is an epoch without errors.  Where no run is
     * ever without errors (pictures, or no threshold to reach), it is one that does better than chance. */
    const nlm_settings *settings = &t->run.settings;
    const bool never_right = settings->threshold <= 0 || (settings->task && settings->task->sense);
    const bool stuck = never_right ? state->epoch.balanced_accuracy < NEAR_CHANCE
                                   : state->epoch.wrong > 0 || (settings->problem && state->epoch.failed > 0);
    state->patient = stuck ? state->patient + 1 : 0;
    if (t->best)
        keep_best(t);
    /* differentiable ILP uses its whole budget, as its authors do, and is judged by the last epoch */
    if (passed && (!t->run.settings.spec.program || state->epoch.epoch >= t->run.settings.epochs))
        t->run.stage = NLM_GRADUATED;
    examples_go_on(t);
    t->running = (struct examples_running){0};
    t->learning = false; /* a run that is taken up again has no batch either */
    return NLM_OK;
}

/* ---- exams ---- */

/* Which of these worlds have errors.  They are kept to learn from; the oldest makes room.  Each is asked
 * alone, with the weights of now.  The evaluator's batch is lost. */
static nlm_status find_failures(struct examples_run *t, const uint64_t *numbers, int count, int *failed,
                                nlm_error *error)
{
    *failed = 0;
    for (int w = 0; w < count; w++) {
        nlm_bce_result r;
        nlm_status status =
            world_source_compare(&t->source, t->run.settings.seed, numbers[w], t->run.settings.objects,
                                 t->scratch, t->evaluator, &r, error);
        if (status)
            return status;
        if (r.correct == r.labelled)
            continue;
        (*failed)++;
        struct examples_state *state = &t->state;
        if (state->failures == MOST_FAILURES) {
            state->failures--;
            memmove(state->failure, state->failure + 1, (MOST_FAILURES - 1) * sizeof *state->failure);
        }
        state->failure[state->failures++] = numbers[w];
    }
    return NLM_OK;
}

/* Whether the epoch meets the paper's criterion of graduation; its steps must be complete. */
static bool loss_is_low(const struct examples_run *t)
{
    return t->running.loss / t->running.steps < t->run.settings.threshold;
}

/* Worlds of the exam after this epoch; 0: there is none.  Of a problem: what is held out, and once the loss
 * is low enough to graduate also all that is learned from, since an epoch need not have met each of them. */
static int exam_size(const struct examples_run *t)
{
    if (!t->run.settings.problem)
        return loss_is_low(t) ? t->run.settings.exam : 0;
    return t->source.held_out + (loss_is_low(t) ? t->source.learned : 0);
}

/* Part of an exam on fresh worlds; those with errors are kept to learn from.  They are mixed as batches are:
 * an exam that is harder than random worlds finds errors that random worlds would show too rarely.  One pass
 * answers all of them; only if there is an error are they asked one by one. */
static nlm_status examine_fresh(struct examples_run *t, int count, nlm_bce_result *r, int *failed,
                                nlm_error *error)
{
    uint64_t numbers[EXAM_BATCH];
    nlm_status status = NLM_OK;
    for (int w = 0; w < count && !status; w++)
        status = draw_world(t, w % t->run.settings.batch, &numbers[w], error);
    if (!status)
        status = evaluator_compare(t->evaluator, false, r, error);
    if (!status && r->correct != r->labelled)
        status = find_failures(t, numbers, count, failed, error);
    return status;
}

/* Part of an exam on a world of a problem.  Only answers on those held out are counted, and nothing is
 * learned from them. */
static nlm_status examine_own(struct examples_run *t, nlm_bce_result *r, int *failed, nlm_error *error)
{
    /* first what is held out, then, if the loss is low, what is learned from */
    const int learned = t->running.examined - t->source.held_out;
    if (learned >= 0) {
        const uint64_t number = (uint64_t)learned;
        return find_failures(t, &number, 1, failed, error);
    }
    nlm_status status = add_world(t, WORLD_SOURCE_HELD_OUT + (uint64_t)t->running.examined, error);
    if (!status)
        status = evaluator_compare(t->evaluator, false, r, error);
    *failed = !status && r->correct != r->labelled;
    return status;
}

/* An exam of 10,000 worlds takes seconds, so it is done in parts, between which the caller may stop.  Worlds
 * of a problem may be large, so they are taken one at a time. */
static nlm_status examine_part(struct examples_run *t, nlm_error *error)
{
    const int left = exam_size(t) - t->running.examined;
    const int count = t->run.settings.problem ? 1 : left < EXAM_BATCH ? left : EXAM_BATCH;
    int failed = 0;
    nlm_bce_result r = {0};
    /* the batch of the steps is lost: the next one is drawn anew */
    t->learning = false;
    nlm_evaluator_clear(t->evaluator);
    nlm_status status = t->run.settings.problem ? examine_own(t, &r, &failed, error)
                                                : examine_fresh(t, count, &r, &failed, error);
    t->running.failed += failed;
    t->running.examined += count;
    t->running.asked += r.labelled;
    t->running.wrong_answers += r.labelled - r.correct;
    return status;
}

/* What is different each time that a world is presented: names of objects, and the labels looked at.  Both
 * are functions of the seed and of the number of the step in the run, not of earlier random numbers: a
 * resumed run gets the same. */
static void vary_batch(struct examples_run *t)
{
    const uint64_t step =
        (uint64_t)t->state.epoch.epoch * (uint64_t)t->run.settings.batches + (uint64_t)t->running.steps + 1;
    /* not by nlm_evaluator_batch, which would make a structure stale that is to be kept (has_one_batch): a
     * machine's does not depend on presentations, and for other models the batch is new in every step */
    for (int w = 0; w < nlm_batch_worlds(t->evaluator->batch); w++)
        nlm_batch_present(t->evaluator->batch, w, step);
    if (t->run.settings.labels > 0 && t->run.settings.labels < 1) {
        random_stream random;
        random_start(&random, t->run.settings.seed, THINNING_STREAMS + step);
        batch_thin_labels(t->evaluator->batch, &random, t->run.settings.labels);
    }
}

/* One update.  The counts are of the answers before it.  While errors are common, worlds that had some are
 * not kept: there would be hundreds, and fresh worlds show the same errors. */
static nlm_status learn_step(struct examples_run *t, nlm_error *error)
{
    uint64_t numbers[NLM_MAX_BATCH];
    /* replayed worlds are in the list of failures already: only the fresh ones are looked at below */
    const int replayed = replayed_worlds(t);
    nlm_bce_result r;
    nlm_status status = draw_batch(t, numbers, error);
    t->learning = !status;
    if (!status) {
        vary_batch(t);
        status = evaluator_compare(t->evaluator, true, &r, error);
    }
    if (status)
        return status;
    /* gradients of an earlier step are still in the machine */
    nlm_machine_zero_gradients(t->run.machine);
    status = nlm_pass_backward(t->evaluator->pass, error);
    if (status)
        return status;
    struct examples_running *running = &t->running;
    running->steps++;
    running->gradient_norm += nlm_machine_gradient_norm(t->run.machine);
    running->loss += r.loss;
    running->tuples += r.labelled;
    running->wrong += r.labelled - r.correct;
    running->positives += r.positives;
    running->wrong_positives += r.positives - r.correct_positives;
    nlm_optimizer_step(t->run.optimizer);
    /* the accuracy of the last epoch with these weights; in their first epoch nothing is known yet */
    const bool errors_are_rare =
        t->state.epoch.epoch > t->state.begun && t->state.epoch.accuracy > RARE_ERRORS;
    if (r.correct == r.labelled || !t->run.settings.replay || has_one_batch(t) || !errors_are_rare)
        return NLM_OK;
    int failed;
    t->learning = false;
    return find_failures(t, numbers + replayed, batch_size(t) - replayed, &failed, error);
}

/* A step that fails before it has changed the weights leaves no trace: counters are put back, so the same
 * worlds come again if the caller tries once more (after freeing memory, say).  Once the weights have changed
 * the step counts, even if looking for failures failed afterwards. */
static nlm_status step(nlm_run *run, bool *epoch_ended, nlm_error *error)
{
    struct examples_run *t = (struct examples_run *)run;
    double start = nlm_clock();
    struct examples_running *running = &t->running;
    /* copies to go back to; the state is 2 kB, little beside a step */
    const struct examples_state state = t->state;
    const struct examples_running before = *running;
    nlm_status status = NLM_OK;
    if (running->exam)
        status = examine_part(t, error);
    else if (running->steps < t->run.settings.batches)
        status = learn_step(t, error);
    if (status && running->steps == before.steps) { /* nothing was learned: the next call tries it again */
        t->state = state;
        *running = before;
    }
    running->seconds += nlm_clock() - start;
    if (!status && running->steps >= t->run.settings.batches) {
        /* the loss of the epoch is complete now, and exam_size stays the same until the epoch has ended */
        running->exam = exam_size(t) > 0;
        *epoch_ended = running->examined >= exam_size(t);
        if (*epoch_ended)
            status = end_epoch(t, loss_is_low(t) && running->failed == 0, error);
    }
    return status;
}

/* ---- progress ---- */

int examples_best_epoch(const struct examples_run *t)
{
    return t->best && t->run.stage != NLM_GRADUATED ? t->state.best_epoch : t->state.epoch.epoch;
}

static void progress(const nlm_run *run, nlm_progress *progress)
{
    const struct examples_run *t = (const struct examples_run *)run;
    /* an exam does not count towards the budget */
    const double part = (double)t->running.steps / run->settings.batches;
    progress->rounds = t->state.epoch.epoch;
    progress->fraction = (progress->rounds + fmin(part, 1)) / run->settings.epochs;
    progress->elapsed = t->state.epoch.elapsed;
    progress->epoch = t->state.epoch;
    progress->kept = examples_best_epoch(t);
    progress->steps = t->running.steps;
    progress->asked = t->running.examined;
}

/* The last part is the accuracy on what is held out, if anything is, or else the speed. */
static void line(const nlm_run *run, const nlm_progress *progress, char text[NLM_PROGRESS_LINE])
{
    const nlm_settings *settings = &run->settings;
    const nlm_epoch *epoch = &progress->epoch;
    char accuracy[NLM_NUMBER_TEXT], number[NLM_NUMBER_TEXT];
    const bool held_out = settings->problem && epoch->asked > 0;
    if (progress->asked > 0 && !held_out) {
        snprintf(text, NLM_PROGRESS_LINE, "exam after epoch %d  %s worlds", epoch->epoch + 1,
                 nlm_count_text((size_t)progress->asked, number));
    } else if (epoch->seconds > 0) {
        const int used =
            snprintf(text, NLM_PROGRESS_LINE, "epoch %d/%d  loss %.1e  accuracy %s", epoch->epoch,
                     settings->epochs, epoch->loss, nlm_percent_text(epoch->accuracy, accuracy));
        if (held_out)
            snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  held out %s",
                     nlm_percent_text((double)(epoch->asked - epoch->failed) / (double)epoch->asked, number));
        else
            snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  %s examples/s",
                     nlm_count_text((size_t)((double)settings->batch * settings->batches / epoch->seconds),
                                    number));
    } else { /* at the beginning, or just taken up again */
        snprintf(text, NLM_PROGRESS_LINE, "epoch %d/%d", epoch->epoch + 1, settings->epochs);
    }
}

const struct run_type run_from_examples = {
    .round = "epoch",
    .file_state = "checkpoint 1",
    .size = sizeof(struct examples_run),
    .check = settings_check_examples,
    .init = init,
    .release = release,
    .step = step,
    .progress = progress,
    .line = line,
    .describe = examples_describe,
    .save = examples_save,
    .read = examples_read,
    .exchange = examples_exchange,
    .recall = examples_recall,
};
