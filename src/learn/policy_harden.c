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
#define SHARPNESS 300.0 /* by which the teacher's scores are multiplied */
#define NEARLY 0.005    /* largest share of failures of a machine that is nearly hard */
#define FORGETTING 0.02
#define LIKELY 0.02f               /* a move of less probability is not asked about */
#define STREAM 0x706f6c6900000000u /* "poli" */

enum {
    GROW_EVERY = 10,
    TEST_EVERY = 250,
    TEST_INSTANCES = 1000,
    ENOUGH_FAILURES = 10,
    REPLAYED = 4,
    LIKELIEST = 4,
    MOST_MOVES = 2
};

/* What the pupil learns: the teacher's move, or any move that is as good, of which there may be several.  The
 * first is quick, and enough where good moves differ in what they are; the second asks the teacher how it
 * would go on. */
static const struct policy_attempt {
    struct hardening_attempt as;
    bool any;
    double gate; /* weights grow while the loss is below it */
} ladder[] = {
    {{.steps = 10000, .noise = 0.1, .anneal = 0.93}, false, 0.05},
    {{.steps = 10000, .noise = 0.1, .anneal = 0.93}, true, 0.3},
    {{.steps = 10000, .noise = 0.3, .anneal = 0.93}, true, 0.3},
    {{0}, false, 0},
};

static void begin_attempt(struct policy_hardening *of)
{
    const struct hardening_attempt *attempt = &ladder[of->attempt].as;
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
                                  struct policy_fresh *fresh, uint64_t seed, const nlm_options *options,
                                  nlm_error *error)
{
    struct policy_teacher *teacher = fresh->teacher;
    *of = (struct policy_hardening){.machine = machine, .teacher = teacher, .fresh = fresh, .best_share = 1};
    const nlm_adam adam = {.rate = RATE, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8};
    nlm_status status = policy_machine_init(&of->pupil, machine, options, error);
    if (!status)
        status = policy_machine_init(&of->model, teacher->machine.machine, options, error);
    if (!status)
        status = nlm_adam_new(machine, adam, &of->optimizer, error);
    for (int i = 0; i < POLICY_BATCH && !status; i++)
        status = nlm_position_new(teacher->game, &of->live[i], error);
    for (int i = 0; i < POLICY_POOL && !status; i++)
        status = nlm_position_new(teacher->game, &of->failed[i], error);
    of->soft = memory_new(machine->parameters, sizeof *of->soft);
    of->clean = memory_new(machine->parameters, sizeof *of->clean);
    of->best = memory_new(machine->parameters, sizeof *of->best);
    if (!status && (!of->soft || !of->clean || !of->best))
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
    if (of->model.machine)
        policy_machine_release(&of->model);
    nlm_optimizer_free(of->optimizer);
    memory_free(of->soft);
    memory_free(of->clean);
    memory_free(of->best);
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
    nlm_evaluator *batch[] = {of->pupil.evaluator, of->model.evaluator};
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

/* Probabilities of a teacher that is so many times as sure, in place of its scores. */
static void sharpen(const nlm_position *position, float *scores)
{
    const size_t cells = policy_cells(position);
    float most = -INFINITY;
    double sum = 0;
    for (size_t c = 0; c < cells; c++)
        if (policy_is_move(position, c) && scores[c] > most)
            most = scores[c];
    for (size_t c = 0; c < cells; c++) {
        scores[c] = policy_is_move(position, c) ? (float)exp(SHARPNESS * (double)(scores[c] - most)) : 0.0f;
        sum += (double)scores[c];
    }
    for (size_t c = 0; c < cells; c++)
        scores[c] = (float)((double)scores[c] / sum);
}

/* The moves that the teacher takes to the end after a move of a position, or -1. */
static nlm_status moves_after(struct policy_hardening *of, const nlm_position *position, size_t cell,
                              int *moves, nlm_error *error)
{
    int move[NLM_MAX_MOVE];
    nlm_position *after = of->teacher->position;
    policy_move_of(position, cell, move);
    *moves = -1;
    if (!nlm_position_legal(position, move))
        return NLM_OK;
    nlm_status status = nlm_position_copy(after, position, error);
    nlm_position_allow(after, nlm_position_moves(position) + MOST_MOVES * nlm_position_objects(position));
    if (!status)
        status = nlm_position_move(after, move, NULL, error);
    return status ? status : policy_play_on(&of->teacher->machine.player, after, moves, error);
}

/* wanted: the pupil's probabilities, of good moves alone.  Good are the teacher's choice, the largest entry
 * of `wanted` so far, and of the pupil's likeliest moves those after which the teacher needs no more moves.
 * The gradient of the cross-entropy is then that of minus the logarithm of the probability of a good move. */
static nlm_status want_any(struct policy_hardening *of, const nlm_position *position, const float *given,
                           float *wanted, nlm_error *error)
{
    const size_t cells = policy_cells(position);
    size_t good[LIKELIEST + 1] = {0}, tried[LIKELIEST], count = 1;
    int best = -1, moves;
    double sum = 0;
    for (size_t c = 1; c < cells; c++)
        if (wanted[c] > wanted[good[0]])
            good[0] = c;
    nlm_status status = moves_after(of, position, good[0], &best, error);
    for (int i = 0; i < LIKELIEST && best >= 0 && !status; i++) {
        tried[i] = cells;
        for (size_t c = 0; c < cells; c++) {
            bool again = c == good[0] || !policy_is_move(position, c);
            for (int k = 0; k < i; k++)
                again |= tried[k] == c;
            if (!again && (tried[i] == cells || given[c] > given[tried[i]]))
                tried[i] = c;
        }
        if (tried[i] == cells || given[tried[i]] < LIKELY)
            break;
        status = moves_after(of, position, tried[i], &moves, error);
        if (!status && moves >= 0 && moves <= best)
            good[count++] = tried[i];
    }
    for (size_t i = 0; i < count; i++)
        sum += (double)given[good[i]];
    if (!(sum > 1e-20) || status)
        return status;
    memset(wanted, 0, cells * sizeof *wanted);
    for (size_t i = 0; i < count; i++)
        wanted[good[i]] = (float)((double)given[good[i]] / sum);
    return NLM_OK;
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
    nlm_status status = nlm_pass_logits(of->model.evaluator->pass, i, 0, wanted, error);
    if (!status)
        status = nlm_pass_probabilities(pass, i, 0, given, error);
    if (status)
        return status;
    sharpen(position, wanted);
    if (ladder[of->attempt].any && !nlm_position_over(position))
        status = want_any(of, position, given, wanted, error);
    for (size_t c = 0; c < cells; c++)
        if ((double)wanted[c] > 1e-9)
            *loss += (double)wanted[c] * log((double)wanted[c] / ((double)given[c] + 1e-12)) / POLICY_BATCH;
    if (!status && isfinite(*loss) && !nlm_position_over(position))
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
        status = nlm_evaluator_run(of->model.evaluator, false, error);
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
    if (of->step % GROW_EVERY == 0 && of->loss < ladder[of->attempt].gate && of->k < MOST_K) {
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
    if (ladder[of->attempt].any && instance.objects >= of->teacher->large)
        return NLM_OK; /* asking the teacher about all moves of the largest takes too long */
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

/* Instances that nobody has seen, as long as the teacher solves them. */
static nlm_status test_unseen(struct policy_hardening *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    of->errors = 0;
    for (of->asked = 0; of->asked < TEST_INSTANCES && of->errors < ENOUGH_FAILURES && !status; of->asked++) {
        struct policy_instance instance;
        int moves;
        status = policy_teacher_instance(of->teacher, 0, of->next++, &instance, error);
        if (status || instance.moves < 0)
            continue;
        status = policy_play(&of->pupil.player, of->live[0], of->teacher->seed, instance, instance.moves,
                             &moves, error);
        if (!status && moves < 0) {
            of->errors++;
            status = replay_failure(of, instance, error);
        }
    }
    return status;
}

/* Those that verify what is made of the machine afterwards: none of them must be beyond it from the start. */
static nlm_status test_fresh(struct policy_hardening *of, nlm_error *error)
{
    int failure[ENOUGH_FAILURES], asked, count;
    nlm_status status = policy_fresh_verify(of->fresh, &of->pupil.player, of->live[0], NULL, ENOUGH_FAILURES,
                                            failure, &asked, &count, error);
    for (int f = 0; f < count && !status; f++) {
        struct policy_instance instance;
        status = policy_fresh_instance(of->fresh, failure[f], &instance, error);
        if (!status)
            status = replay_failure(of, instance, error);
    }
    of->asked += asked;
    of->errors += (size_t)count;
    return status;
}

/* Units as steps. */
static nlm_status test(struct policy_hardening *of, nlm_error *error)
{
    nlm_machine *machine = of->machine;
    memcpy(of->clean, machine->values, machine->parameters * sizeof *of->clean);
    hardening_scale(machine, HARD_SCALE);
    policy_machine_round(machine);
    nlm_status status = test_unseen(of, error);
    if (!status && of->errors == 0)
        status = test_fresh(of, error);
    of->is_live[0] = false; /* a scratch position meanwhile */
    if (status)
        return status;
    const double share = (double)of->errors / of->asked;
    if (of->k >= LEAST_K && share < of->best_share) {
        of->best_share = share;
        memcpy(of->best, machine->values, machine->parameters * sizeof *of->best);
    }
    if (of->k >= LEAST_K && of->errors == 0) {
        of->stage = HARDENED;
        return NLM_OK;
    }
    memcpy(machine->values, of->clean, machine->parameters * sizeof *of->clean);
    if (of->k >= MOST_K) {
        of->rate *= ladder[of->attempt].as.anneal;
        of->noise *= ladder[of->attempt].as.anneal;
    }
    return NLM_OK;
}

nlm_status policy_hardening_step(struct policy_hardening *of, nlm_error *error)
{
    if (of->stage != HARDENING)
        return NLM_OK;
    nlm_status status = learn(of, error);
    const bool lost = !status && !isfinite(of->loss);
    if (!status && !lost && of->step % TEST_EVERY == 0)
        status = test(of, error);
    if (status || of->stage != HARDENING)
        return status;
    const bool ended = lost || of->step >= ladder[of->attempt].as.steps;
    if (ended && of->best_share <= NEARLY) {
        memcpy(of->machine->values, of->best, of->machine->parameters * sizeof *of->best);
        of->stage = NEARLY_HARDENED;
    } else if (ended) {
        of->attempt++;
        begin_attempt(of);
    }
    return NLM_OK;
}
