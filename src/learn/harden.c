/* Hardening: learning with growing weights and noise on biases, and tests with units as steps.
 *
 * Multiplying (w, b) of a unit by k makes sigmoid(k (w x + b)) steeper.  As k grows the machine must do
 * without values between 0 and 1; learning goes on at a rate that grows with k, so that weights can still
 * change relative to their size.  k waits while the loss is high.
 *
 *     attempt    soft weights, k = 1
 *                steps: noise on biases, gradient, noise away, Adam; every 10th step k grows by 2 %
 *                every 250th step a test: units as steps (times 2^20) on 1,000 worlds
 *                no error and k large enough: hard; else the worlds with errors are learned from
 *     k = 50     is reached after 1,980 steps at the earliest; from then on noise and rate may fall
 *     the end    no error; or, after 3,000 steps, errors in few worlds, which elimination removes
 *
 * Heads stay as they are: logits need not be steps, only the predicates that they read. */
#include "learn/harden.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/evaluator.h"
#include "machine/machine.h"
#include "machine/optimizer.h"

#define RATE 0.002
#define GROWTH 1.02 /* of k, each time */
#define MOST_K 50.0 /* k grows up to here */
#define LEAST_K 5.0 /* below, a machine is not accepted as hard */
#define NEARLY 0.3  /* largest share of worlds with errors of a machine that is nearly hard ... */
#define ENOUGH                                                                                               \
    0.1           /* ... and of one that learning ends with after PATIENT steps: elimination does the rest   \
                   */
#define GATE 1e-3 /* k grows while the running loss is below */
#define FORGETTING 0.02                  /* of the running loss */
#define NOISE_STREAM 0x6861726400000000u /* "hard": of the random numbers, apart from those of worlds */

/* Worlds of a batch; steps between two growths, and between two tests. */
enum {
    BATCH = 4,
    REPLAY = 2, /* worlds of a batch that had errors before */
    GROW_EVERY = 10,
    TEST_EVERY = 250,
    PATIENT = 3000,
    TEST_WORLDS = 1000 /* without an error make a machine hard */
};

/* Little noise that dies away first; if that fails, more noise, which stays. */
static const struct hardening_attempt own_ladder[] = {
    {.steps = 10000, .noise = 0.1, .anneal = 0.93},
    {.steps = 15000, .noise = 0.3, .anneal = 1.0},
    {0},
};

/* ---- weights of units ---- */

/* Weights and biases of units come first among the parameters, before those of heads. */
static size_t unit_parameters(const nlm_machine *machine)
{
    return machine->tensors[machine->head_tensor[0]].offset;
}

void hardening_scale(nlm_machine *machine, float factor)
{
    const size_t count = unit_parameters(machine);
    for (size_t i = 0; i < count; i++)
        machine->values[i] *= factor;
}

/* Near to normal, with mean 0 and variance 1: the sum of four uniform numbers. */
static double draw_normal(random_stream *random)
{
    double sum = -2.0;
    for (int i = 0; i < 4; i++)
        sum += random_u32(random) * 0x1p-32;
    return sum * sqrt(3.0);
}

/* On biases of units alone: a step jumps where w x + b changes its sign, and noise on b punishes a margin
 * that is too small.  Biases are k times their size at the beginning, so the noise is too. */
void hardening_add_noise(nlm_machine *machine, double size, random_stream *random)
{
    const int last = machine->head_tensor[0];
    for (int t = 0; t < last; t++) {
        const struct machine_tensor *tensor = &machine->tensors[t];
        float *values = machine->values + tensor->offset;
        for (size_t i = 0; i < tensor->count && tensor->dimensions == 1; i++)
            values[i] += (float)(size * draw_normal(random));
    }
}

/* ---- life ---- */

/* Units must be one linear layer and a sigmoid: otherwise scaling does not make them steps. */
nlm_status hardening_check(const nlm_machine *machine, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    if (spec->model)
        return error_set(error, NLM_BAD_ARGUMENT, "a model of type %s cannot be made hard", spec->model);
    if (spec->hidden_layers > 0)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "a machine whose units have hidden layers cannot be made hard");
    if (spec->sense)
        return error_set(error, NLM_BAD_ARGUMENT, "a machine that reads images cannot be made hard");
    return NLM_OK;
}

/* The best hard weights are taken, or the soft ones again if these made too many errors. */
static void give_up(struct hardening *h)
{
    const bool nearly = h->best_share <= NEARLY;
    memcpy(h->machine->values, nearly ? h->best : h->soft, h->machine->parameters * sizeof *h->soft);
    h->stage = nearly ? NEARLY_HARDENED : NOT_HARDENED;
}

/* Every attempt begins with the soft weights; the last in the list has no steps. */
static void begin_attempt(struct hardening *h)
{
    const struct hardening_attempt *attempt = &h->ladder[h->attempt];
    if (attempt->steps == 0) {
        give_up(h);
        return;
    }
    memcpy(h->machine->values, h->soft, h->machine->parameters * sizeof *h->soft);
    optimizer_reset(h->optimizer);
    h->stage = HARDENING;
    h->step = 0;
    h->k = 1;
    h->loss = 0;
    h->rate = RATE;
    h->noise = attempt->noise;
}

/* Nothing is changed in the machine before all memory is there; whatever fails, hardening_end releases the
 * rest. */
nlm_status hardening_begin(struct hardening *h, nlm_machine *machine, const nlm_settings *settings,
                           const struct hardening_attempt *ladder, uint64_t seed, const nlm_options *options,
                           nlm_error *error)
{
    *h = (struct hardening){.machine = machine, .ladder = ladder ? ladder : own_ladder};
    const nlm_adam adam = {.rate = RATE, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8};
    nlm_status status = hardening_check(machine, error);
    if (!status)
        status = rule_worlds_init(&h->worlds, settings, 0, error);
    if (!status)
        status = nlm_evaluator_new(machine, options, &h->evaluator, error);
    if (!status)
        status = nlm_adam_new(machine, adam, &h->optimizer, error);
    h->soft = memory_new(nlm_machine_parameters(machine), sizeof *h->soft);
    h->clean = memory_new(nlm_machine_parameters(machine), sizeof *h->clean);
    h->best = memory_new(nlm_machine_parameters(machine), sizeof *h->best);
    h->best_share = 1;
    if (!status && (!h->soft || !h->clean || !h->best))
        status = error_no_memory(error);
    if (status) {
        hardening_end(h);
        return status;
    }
    memcpy(h->soft, machine->values, machine->parameters * sizeof *h->soft);
    random_start(&h->random, seed, NOISE_STREAM);
    begin_attempt(h);
    return NLM_OK;
}

void hardening_end(struct hardening *h)
{
    nlm_optimizer_free(h->optimizer);
    nlm_evaluator_free(h->evaluator);
    rule_worlds_release(&h->worlds);
    memory_free(h->soft);
    memory_free(h->clean);
    memory_free(h->best);
    *h = (struct hardening){.stage = h->stage};
}

/* ---- steps ---- */

/* Some worlds of a batch had errors before, if there are such; the others are fresh.  A problem with no more
 * worlds than a batch has one batch. */
static nlm_status fill_batch(struct hardening *h, nlm_error *error)
{
    const int all = rule_worlds_count(&h->worlds),
              kept = h->pooled < HARDENING_POOL ? h->pooled : HARDENING_POOL;
    nlm_status status = NLM_OK;
    if (h->filled)
        return NLM_OK;
    nlm_evaluator_clear(h->evaluator);
    for (int slot = 0; slot < BATCH && slot < all && !status; slot++) {
        uint64_t number = (uint64_t)slot;
        if (all > BATCH && (slot >= REPLAY || kept == 0))
            status = rule_worlds_draw(&h->worlds, slot, h->evaluator, &number, error);
        else
            status = rule_worlds_add(&h->worlds,
                                     all > BATCH ? h->pool[random_below(&h->random, (uint32_t)kept)] : number,
                                     h->evaluator, error);
    }
    h->filled = !status && all <= BATCH;
    return status;
}

/* One step: the gradient is taken at weights with noise, and used at those without.  Adam's steps do not
 * depend on the size of gradients, so the rate is what has to grow with k. */
static nlm_status learn(struct hardening *h, nlm_error *error)
{
    nlm_bce_result result;
    nlm_machine *machine = h->machine;
    nlm_status status = fill_batch(h, error);
    if (status)
        return status;
    memcpy(h->clean, machine->values, machine->parameters * sizeof *h->clean);
    /* biases are k times their size at the beginning, so the noise is too */
    hardening_add_noise(machine, h->noise * h->k, &h->random);
    status = evaluator_compare(h->evaluator, true, &result, error);
    nlm_machine_zero_gradients(machine);
    if (!status)
        status = nlm_pass_backward(h->evaluator->pass, error);
    /* also after an error: noise never stays in the machine */
    memcpy(machine->values, h->clean, machine->parameters * sizeof *h->clean);
    if (status)
        return status;
    nlm_optimizer_set_rate(h->optimizer, h->rate * h->k);
    nlm_optimizer_step(h->optimizer);
    h->loss = h->step > 0 ? (1 - FORGETTING) * h->loss + FORGETTING * result.loss : result.loss;
    h->step++;
    if (h->step % GROW_EVERY == 0 && h->loss < GATE && h->k < MOST_K) {
        hardening_scale(machine, (float)GROWTH);
        h->k *= GROWTH;
    }
    return NLM_OK;
}

/* Units as steps on fresh worlds; those with errors are learned from. */
static nlm_status test(struct hardening *h, nlm_error *error)
{
    struct rule_failures failures;
    h->filled = false;
    hardening_scale(h->machine, HARD_SCALE);
    nlm_status status = rule_worlds_verify(&h->worlds, TEST_WORLDS, h->evaluator, &failures, error);
    h->asked = failures.asked;
    h->errors = failures.errors;
    const double share = (double)failures.count / failures.asked;
    if (!status && h->k >= LEAST_K && share < h->best_share) {
        h->best_share = share;
        memcpy(h->best, h->machine->values, h->machine->parameters * sizeof *h->best);
    }
    if (!status && failures.errors == 0 && h->k >= LEAST_K) {
        h->stage = HARDENED;
        return NLM_OK;
    }
    /* a power of two, so these are the very weights of before */
    hardening_scale(h->machine, 1 / HARD_SCALE);
    for (int f = 0; f < failures.count; f++)
        h->pool[h->pooled++ % HARDENING_POOL] = failures.number[f];
    if (h->k >= MOST_K) {
        h->rate *= h->ladder[h->attempt].anneal;
        h->noise *= h->ladder[h->attempt].anneal;
    }
    return status;
}

/* Nothing to do once the stage is decided.  A loss that is not a number ends the attempt, as its last step
 * does. */
nlm_status hardening_step(struct hardening *h, nlm_error *error)
{
    if (h->stage != HARDENING)
        return NLM_OK;
    nlm_status status = learn(h, error);
    const bool lost = !status && !isfinite(h->loss);
    if (!status && !lost && h->step % TEST_EVERY == 0)
        status = test(h, error);
    if (status || h->stage != HARDENING)
        return status;
    const bool ended = lost || h->step >= h->ladder[h->attempt].steps;
    if ((ended || h->step >= PATIENT) && h->best_share <= ENOUGH) {
        give_up(h);
    } else if (ended) {
        h->attempt++;
        begin_attempt(h);
    }
    return NLM_OK;
}
