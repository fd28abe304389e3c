/* The steps of hardening an agent.
 *
 *     batch      8 positions; of these 4 where a hard machine failed, as soon as there are such
 *     gradient   of the mean cross-entropy between the teacher's sharpened choice and the pupil's, at weights
 *                with noise
 *     then       the pupil moves, at random by its own probabilities, and is at the next positions
 *     a test     every 250 steps: units as steps, rounded head, 1,000 fresh instances */
#include "learn/policy_harden.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "machine/machine.h"
#include "machine/optimizer.h"

#define RATE 0.002
#define GROWTH 1.02
#define MOST_K 50.0
#define LEAST_K 3.0
#define GATE 0.05
#define FORGETTING 0.02
#define SHARPENED 300.0
#define STREAM 0x706f6c6900000000u /* "poli" */

enum { GROW_EVERY = 10, TEST_EVERY = 250, TEST_INSTANCES = 1000, ENOUGH_FAILURES = 10, REPLAYED = 4 };

static const struct hardening_attempt ladder[] = {
    {.steps = 10000, .noise = 0.1, .anneal = 0.93},
    {.steps = 15000, .noise = 0.3, .anneal = 1.0},
    {0},
};

static void begin_attempt(struct policy_hardening *of)
{
    const struct hardening_attempt *attempt = &ladder[of->attempt];
    nlm_machine *machine = of->machine;
    memcpy(machine->values, of->soft, machine->parameters * sizeof *of->soft);
    if (attempt->steps == 0) {
        of->stage = NOT_HARDENED;
        return;
    }
    optimizer_reset(of->optimizer);
    of->stage = HARDENING;
    of->step = 0;
    of->k = 1;
    of->loss = 0;
    of->rate = RATE;
    of->noise = attempt->noise;
}

nlm_status policy_hardening_begin(struct policy_hardening *of, nlm_machine *machine,
                                  struct policy_teacher *teacher, uint64_t seed, const nlm_options *options,
                                  nlm_error *error)
{
    *of = (struct policy_hardening){.machine = machine, .teacher = teacher};
    const nlm_adam adam = {.rate = RATE, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8};
    nlm_status status = policy_machine_init(&of->pupil, machine, options, error);
    if (!status)
        status = nlm_adam_new(machine, adam, &of->optimizer, error);
    for (int i = 0; i < POLICY_BATCH && !status; i++)
        status = nlm_position_new(teacher->game, &of->live[i], error);
    for (int i = 0; i < POLICY_POOL && !status; i++)
        status = nlm_position_new(teacher->game, &of->failed[i], error);
    of->soft = memory_new(machine->parameters, sizeof *of->soft);
    of->clean = memory_new(machine->parameters, sizeof *of->clean);
    if (!status && (!of->soft || !of->clean))
        status = error_no_memory(error);
    if (status) {
        policy_hardening_end(of);
        return status;
    }
    memcpy(of->soft, machine->values, machine->parameters * sizeof *of->soft);
    random_start(&of->random, seed, STREAM);
    begin_attempt(of);
    return NLM_OK;
}

void policy_hardening_end(struct policy_hardening *of)
{
    for (int i = 0; i < POLICY_BATCH; i++)
        nlm_position_free(of->live[i]);
    for (int i = 0; i < POLICY_POOL; i++)
        nlm_position_free(of->failed[i]);
    if (of->pupil.machine)
        policy_machine_release(&of->pupil);
    nlm_optimizer_free(of->optimizer);
    memory_free(of->soft);
    memory_free(of->clean);
    buffer_free(&of->wanted);
    buffer_free(&of->given);
    *of = (struct policy_hardening){.stage = of->stage};
}

/* ---- learning ---- */

/* Positions of the batch: where the pupil has come to, or failed; or the beginning of an instance. */
static nlm_status fill_batch(struct policy_hardening *of, nlm_error *error)
{
    const struct policy_teacher *teacher = of->teacher;
    const uint32_t kept = (uint32_t)(of->failures < POLICY_POOL ? of->failures : POLICY_POOL);
    const int sizes = teacher->most - teacher->least + 1;
    nlm_evaluator *batch[] = {of->pupil.evaluator, teacher->machine.evaluator};
    nlm_status status = NLM_OK;
    for (int b = 0; b < 2; b++)
        nlm_evaluator_clear(batch[b]);
    for (int i = 0; i < POLICY_BATCH && !status; i++) {
        nlm_position *position = of->live[i];
        if (kept > 0 && i < REPLAYED)
            status = nlm_position_copy(position, of->failed[random_below(&of->random, kept)], error);
        else if (!of->is_live[i] || nlm_position_over(position))
            status = nlm_position_draw(position, teacher->seed, ((uint64_t)1 << 37) + of->next++,
                                       teacher->least + (int)random_below(&of->random, (uint32_t)sizes),
                                       false, error);
        of->is_live[i] = !status;
        for (int b = 0; b < 2 && !status; b++)
            status = nlm_batch_add_position(nlm_evaluator_batch(batch[b]), position, error);
    }
    return status;
}

/* Probabilities of a teacher that is SHARPENED times as sure, in place of its scores. */
static void sharpen(const nlm_position *position, float *scores)
{
    const size_t cells = policy_cells(position);
    float most = -INFINITY;
    double sum = 0;
    for (size_t c = 0; c < cells; c++)
        if (policy_is_move(position, c) && scores[c] > most)
            most = scores[c];
    for (size_t c = 0; c < cells; c++) {
        scores[c] = policy_is_move(position, c) ? (float)exp(SHARPENED * (double)(scores[c] - most)) : 0.0f;
        sum += (double)scores[c];
    }
    for (size_t c = 0; c < cells; c++)
        scores[c] = (float)((double)scores[c] / sum);
}

/* A random move of the pupil. */
static nlm_status move_on(struct policy_hardening *of, nlm_position *position, const float *probabilities,
                          nlm_error *error)
{
    const size_t cells = policy_cells(position);
    double left = random_unit(&of->random);
    size_t cell = 0;
    int move[NLM_MAX_MOVE];
    for (size_t c = 0; c < cells && left >= 0; c++)
        if (policy_is_move(position, c) && probabilities[c] > 0) {
            cell = c;
            left -= (double)probabilities[c];
        }
    policy_move_of(position, cell, move);
    return nlm_position_move(position, move, NULL, error);
}

/* One position of the batch: the gradient of its cross-entropy, and the pupil's move. */
static nlm_status learn_position(struct policy_hardening *of, int i, double *loss, nlm_error *error)
{
    nlm_position *position = of->live[i];
    const size_t cells = policy_cells(position);
    if (buffer_reserve(&of->wanted, cells, sizeof(float), false) ||
        buffer_reserve(&of->given, cells, sizeof(float), false))
        return error_no_memory(error);
    float *wanted = of->wanted.data, *given = of->given.data;
    nlm_pass *pass = of->pupil.evaluator->pass;
    nlm_status status = nlm_pass_logits(of->teacher->machine.evaluator->pass, i, 0, wanted, error);
    if (!status)
        status = nlm_pass_probabilities(pass, i, 0, given, error);
    if (status)
        return status;
    sharpen(position, wanted);
    for (size_t c = 0; c < cells; c++)
        if ((double)wanted[c] > 1e-9)
            *loss += (double)wanted[c] * log((double)wanted[c] / ((double)given[c] + 1e-12)) / POLICY_BATCH;
    if (isfinite(*loss) && !nlm_position_over(position))
        status = move_on(of, position, given, error);
    for (size_t c = 0; c < cells; c++)
        given[c] = (given[c] - wanted[c]) / POLICY_BATCH;
    return status ? status : nlm_pass_add_logit_gradient(pass, i, 0, given, error);
}

static nlm_status learn(struct policy_hardening *of, nlm_error *error)
{
    nlm_machine *machine = of->machine;
    double loss = 0;
    nlm_status status = fill_batch(of, error);
    if (!status)
        status = nlm_evaluator_run(of->teacher->machine.evaluator, false, error);
    if (status)
        return status;
    memcpy(of->clean, machine->values, machine->parameters * sizeof *of->clean);
    hardening_add_noise(machine, of->noise * of->k, &of->random);
    status = nlm_evaluator_run(of->pupil.evaluator, true, error);
    for (int i = 0; i < POLICY_BATCH && !status; i++)
        status = learn_position(of, i, &loss, error);
    nlm_machine_zero_gradients(machine);
    if (!status)
        status = nlm_pass_backward(of->pupil.evaluator->pass, error);
    memcpy(machine->values, of->clean, machine->parameters * sizeof *of->clean);
    if (status)
        return status;
    nlm_optimizer_set_rate(of->optimizer, of->rate * of->k);
    nlm_optimizer_step(of->optimizer);
    of->loss = of->step > 0 ? (1 - FORGETTING) * of->loss + FORGETTING * loss : loss;
    of->step++;
    if (of->step % GROW_EVERY == 0 && of->loss < GATE && of->k < MOST_K) {
        hardening_scale(machine, (float)GROWTH);
        of->k *= GROWTH;
    }
    return NLM_OK;
}

/* ---- tests ---- */

/* A position along the way of a failure becomes one to learn from: every one of them at random. */
static nlm_status replay_failure(struct policy_hardening *of, struct policy_instance instance,
                                 nlm_error *error)
{
    nlm_position *position = of->failed[of->failures % POLICY_POOL];
    const uint32_t back = random_below(&of->random, (uint32_t)instance.moves);
    bool legal = true;
    nlm_status status =
        nlm_position_draw(position, of->teacher->seed, instance.index, instance.objects, false, error);
    for (uint32_t t = 0; t < back && legal && !status && !nlm_position_over(position); t++) {
        int move[NLM_MAX_MOVE];
        size_t cell;
        status = of->pupil.player.choose(of->pupil.player.context, position, &cell, error);
        policy_move_of(position, cell, move);
        legal = nlm_position_legal(position, move);
        if (!status && legal)
            status = nlm_position_move(position, move, NULL, error);
    }
    of->failures += !status && !nlm_position_over(position);
    return status;
}

/* Fresh instances that the teacher solves. */
static nlm_status test(struct policy_hardening *of, nlm_error *error)
{
    nlm_machine *machine = of->machine;
    nlm_status status = NLM_OK;
    memcpy(of->clean, machine->values, machine->parameters * sizeof *of->clean);
    hardening_scale(machine, HARD_SCALE);
    policy_machine_round(machine);
    of->errors = 0;
    for (of->asked = 0; of->asked < TEST_INSTANCES && of->errors < ENOUGH_FAILURES && !status; of->asked++) {
        struct policy_instance instance;
        int moves;
        status = policy_teacher_instance(of->teacher, 0, of->next++, &instance, error);
        if (status || instance.moves < 0)
            continue;
        status = policy_play(&of->pupil.player, of->live[0], of->teacher->seed, instance, instance.moves,
                             &moves, error);
        of->is_live[0] = false;
        if (!status && moves < 0) {
            of->errors++;
            status = replay_failure(of, instance, error);
        }
    }
    if (!status && of->errors == 0 && of->k >= LEAST_K) {
        of->stage = HARDENED;
        return NLM_OK;
    }
    memcpy(machine->values, of->clean, machine->parameters * sizeof *of->clean);
    if (of->k >= MOST_K) {
        of->rate *= ladder[of->attempt].anneal;
        of->noise *= ladder[of->attempt].anneal;
    }
    return status;
}

nlm_status policy_hardening_step(struct policy_hardening *of, nlm_error *error)
{
    if (of->stage != HARDENING)
        return NLM_OK;
    nlm_status status = learn(of, error);
    const bool lost = !status && !isfinite(of->loss);
    if (!status && !lost && of->step % TEST_EVERY == 0)
        status = test(of, error);
    if (!status && of->stage == HARDENING && (lost || of->step >= ladder[of->attempt].steps)) {
        of->attempt++;
        begin_attempt(of);
    }
    return status;
}
