/* Losses on a head's logits, and their gradients (docs/maths.md, section 7).
 *
 *     bce      binary cross-entropy over labelled tuples, by rows: tuples of a row share their logit
 *     policy   policy gradient with an entropy term, by worlds: a softmax over all tuples of a world
 *
 * Gradients are added to those of the logits, so several losses can be combined before one backward.
 *
 * Sums are in double.  Parts of a batch are cut by the number of rows, and their sums added in order, so the
 * loss has the same bits for any number of threads.
 *
 * With P true and N false labels on a row with logit x, n labels in all, p = sigmoid(x):
 *
 *     loss    = 1/n sum over rows of (P + N) log(1 + exp(-|x|)) + (N x if x > 0, else -P x)
 *     dx     += weight / n ((P + N) p - P)
 *
 * The form with |x| neither overflows nor cancels: for a right and sure answer the loss is about exp(-|x|),
 * where -log(p) in floats would be 0 from x = 17 on.  Thresholds of graduation are as low as 1e-8.
 *
 * Example: a row stands for 40 tuples, 3 labelled true, 30 false, 7 unknown.  P = 3, N = 30; the row adds 33
 * to n, and one logistic function does for all of them. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/invariant.h"
#include "machine/pass.h"

/* The last level of the head's arity: all tuples of one of its rows have the same logit. */
const struct partition *pass_head_part(const struct nlm_pass *pass, int head)
{
    return pass->structure->levels[pass->machine->plan.spec.depth][pass->machine->heads[head].arity].part;
}

/* ---- binary cross-entropy ---- */

/* Labels of all tuples that share a row. */
struct label_count {
    int32_t negative, positive;
};

/* Labels per row.  Tuples of one row share their logit, so only the number of labels of each kind matters,
 * and the loss then costs one logistic function per row, not per tuple. */
static nlm_status count_labels(struct nlm_pass *pass, const struct partition *part, const signed char *labels,
                               size_t rows, struct label_count **counts)
{
    const struct orders *orders = &pass->machine->plan.orders[part->arity];
    size_t tuples = tuples_count(&pass->structure->tuples, part->arity), count = (size_t)orders->count;
    if (buffer_reserve(&pass->scratch.counts, rows, sizeof **counts, false))
        return NLM_NO_MEMORY;
    *counts = pass->scratch.counts.data;
    memset(*counts, 0, rows * sizeof **counts);
    for (size_t t = 0; t < tuples; t++)
        for (size_t b = 0; b < count; b++) {
            signed char label = labels[t * count + b];
            size_t row = orders_row(orders, orders_then(orders, part->codes[t], (int)b));
            INVARIANT(row < rows);
            (*counts)[row].positive += label == NLM_TRUE;
            (*counts)[row].negative += label == NLM_FALSE;
        }
    return NLM_OK;
}

/* Rows are shared out in at most 16 parts, blocks of 128 within a part. */
enum { BCE_PARTS = 16, BCE_PART_ROWS = 128 };

/* One loss.  Each part has its own result; results are added up in order. */
struct bce_job {
    const struct kernel_table *kernels;
    struct value_table *logits;
    float *gradients; /* NULL if not training */
    const struct label_count *counts;
    /* the output of the head that is compared with the labels */
    int output, parts;
    double scale; /* of the gradients */
    nlm_bce_result results[BCE_PARTS];
};

/* The rows of one part.  Logits are gathered into blocks of BCE_PART_ROWS, so that the vector kernel sees
 * them side by side. */
static void bce_rows(void *context, int part, int thread)
{
    (void)thread;
    struct bce_job *job = context;
    size_t rows = job->logits->rows, stride = (size_t)job->logits->stride;
    size_t last = rows * ((size_t)part + 1) / (size_t)job->parts;
    nlm_bce_result r = {0};
    for (size_t first = rows * (size_t)part / (size_t)job->parts; first < last; first += BCE_PART_ROWS) {
        size_t block = last - first < BCE_PART_ROWS ? last - first : BCE_PART_ROWS;
        float logits[BCE_PART_ROWS], softplus[BCE_PART_ROWS], probability[BCE_PART_ROWS];
        const float *values = job->logits->values + first * stride + (size_t)job->output;
        for (size_t i = 0; i < block; i++)
            logits[i] = values[i * stride];
        job->kernels->logistic(logits, softplus, probability, block);
        for (size_t i = 0; i < block; i++) {
            struct label_count count = job->counts[first + i];
            bool holds = logits[i] > 0.0f;
            double all = count.positive + count.negative, logit = (double)logits[i];
            /* log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)) for x = logit and x = -logit */
            r.loss += all * (double)softplus[i] + (holds ? count.negative * logit : -count.positive * logit);
            r.correct += (size_t)(holds ? count.positive : count.negative);
            r.correct_positives += holds ? (size_t)count.positive : 0;
            /* of the Brier score: false labels miss by p, true ones by 1 - p */
            const double p = (double)probability[i], q = 1.0 - p;
            r.squared_error += count.negative * p * p + count.positive * q * q;
            if (job->gradients)
                job->gradients[(first + i) * stride + (size_t)job->output] +=
                    (float)(job->scale * (all * (double)probability[i] - count.positive));
        }
    }
    job->results[part] = r;
}

/* Labels are per tuple; a twin head has logits for pairs of the first half, for which there are none. */
nlm_status pass_check_target(const struct nlm_pass *pass, int head, int output, int target, nlm_error *error)
{
    nlm_status status = pass_check_head(pass, head, error);
    if (status)
        return status;
    const struct nlm_structure *s = pass->structure;
    const nlm_head_spec *spec = &pass->machine->heads[head];
    if (spec->twins)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "head '%s' is a twin head, whose pairs have no labels: use its logits' gradients",
                         spec->name);
    if (output < 0 || output >= spec->outputs)
        return error_set(error, NLM_BAD_ARGUMENT, "output %d of head '%s' is not in 0..%d", output,
                         spec->name, spec->outputs - 1);
    if (target < 0 || target >= s->targets)
        return error_set(error, NLM_BAD_ARGUMENT, "target %d: the batch has %d targets", target, s->targets);
    if (s->target_arity[target] != spec->arity)
        return error_set(error, NLM_BAD_SHAPE, "target %d has arity %d, head '%s' has %d", target,
                         s->target_arity[target], spec->name, spec->arity);
    return NLM_OK;
}

/* The mean is over labelled tuples, not rows.  Without any label loss and gradient are 0.  The gradient is
 * added only after a forward for training; exams and tests call this for the counts alone. */
nlm_status nlm_pass_bce(nlm_pass *pass, int head, int output, int target, double weight,
                        nlm_bce_result *result, nlm_error *error)
{
    REQUIRE(pass && result, error);
    nlm_status status = pass_check_target(pass, head, output, target, error);
    if (status)
        return status;
    struct bce_job job = {.kernels = pass->kernels, .logits = &pass->logits[head], .output = output};
    size_t rows = job.logits->rows;
    struct label_count *counts;
    if (count_labels(pass, pass_head_part(pass, head), pass->structure->labels[target].data, rows, &counts))
        return error_no_memory(error);
    nlm_bce_result r = {0};
    for (size_t row = 0; row < rows; row++) {
        r.positives += (size_t)counts[row].positive;
        r.labelled += (size_t)counts[row].positive + (size_t)counts[row].negative;
    }
    /* two sweeps: the mean needs the number of labels before gradients can be scaled */
    if (r.labelled) {
        size_t parts = rows / BCE_PART_ROWS + 1;
        job.counts = counts;
        job.parts = parts < BCE_PARTS ? (int)parts : BCE_PARTS;
        job.scale = weight / (double)r.labelled;
        job.gradients = pass->training ? value_table_gradients(job.logits) : NULL;
        team_run(pass->structure->team, job.parts, bce_rows, &job);
        for (int part = 0; part < job.parts; part++) {
            r.loss += job.results[part].loss / (double)r.labelled;
            r.correct += job.results[part].correct;
            r.correct_positives += job.results[part].correct_positives;
            r.squared_error += job.results[part].squared_error;
        }
    }
    *result = r;
    return NLM_OK;
}

/* ---- policy gradient ---- */

/* The softmax of one world's logits, with the largest logit subtracted before exp: no overflow. */
struct softmax {
    double log_sum; /* log of the sum of exp(logit) */
    double scale;   /* a chance times this is a probability */
    double entropy;
};

/* Chances of the places of a dense tensor, which may be the logits themselves.  Places of no tuple hold
 * -INFINITY and have no chance; some place is a tuple.  A NaN among the logits is a NaN in the sum, and so in
 * all probabilities: callers notice (actor.c). */
static struct softmax softmax(const float *logits, float *chances, size_t places)
{
    /* with y = x - most:  H = log(sum exp y) - sum p y, in which `most` cancels out */
    float most = -INFINITY;
    for (size_t i = 0; i < places; i++)
        most = logits[i] > most ? logits[i] : most;
    double sum = 0.0, mean = 0.0;
    for (size_t i = 0; i < places; i++) {
        double above = (double)logits[i] - (double)most, chance = exp(above);
        sum += chance;
        mean += chance > 0.0 ? chance * above : 0.0;
        chances[i] = (float)chance;
    }
    return (struct softmax){
        .log_sum = (double)most + log(sum),
        .scale = 1.0 / sum,
        .entropy = log(sum) - mean / sum,
    };
}

/* Dense logits of a world's actions; -INFINITY where there is none, which gives probability 0. */
static void action_logits(const struct nlm_pass *pass, int world, int head, float *logits, size_t places)
{
    for (size_t i = 0; i < places; i++)
        logits[i] = -INFINITY;
    dense_logits(pass, world, head, 1, logits);
}

/* The place of an action in a dense tensor; false if it is no tuple of distinct objects of the world. */
static bool find_action(const int *action, int arity, int objects, size_t *place)
{
    *place = 0;
    for (int k = 0; k < arity; k++) {
        if (action[k] < 0 || action[k] >= objects)
            return false;
        for (int l = 0; l < k; l++)
            if (action[k] == action[l])
                return false;
        *place = *place * (size_t)objects + (size_t)action[k];
    }
    return true;
}

/* From logits x and chances to the gradient, in the place of the logits.  With p the softmax, H its entropy:
 *     d(-v log p(a)) / dx_t = v (p_t - [t = a])        d(-beta H) / dx_t = beta p_t (log p_t + H) */
static void policy_gradient(float *logits, const float *chances, size_t places, struct softmax s,
                            size_t action, double advantage, double beta)
{
    for (size_t i = 0; i < places; i++) {
        double p = (double)chances[i] * s.scale, log_p = (double)logits[i] - s.log_sum;
        logits[i] = p > 0.0 ? (float)(p * (advantage + beta * (log_p + s.entropy))) : 0.0f;
    }
    /* the term [t = a] of the formula */
    logits[action] -= (float)advantage;
}

/* All actions are possible; *most is the largest number of places.  Checked before the first gradient is
 * added, so that a refused call leaves no trace. */
static nlm_status check_actions(const struct nlm_pass *pass, int head, const int *actions, size_t *most,
                                nlm_error *error)
{
    const nlm_head_spec *spec = &pass->machine->heads[head];
    *most = 0;
    for (int w = 0; w < pass->structure->tuples.worlds; w++) {
        size_t places = dense_places(pass, w, head), place;
        if (!find_action(actions + w * spec->arity, spec->arity, dense_objects(pass, w, head), &place))
            return error_set(error, NLM_BAD_ARGUMENT,
                             "the action of world %d is no tuple of distinct objects%s", w,
                             spec->twins ? " of the first half" : "");
        *most = places > *most ? places : *most;
    }
    return NLM_OK;
}

/* One action per world.  Worlds are visited one by one: their logits are gathered into one dense tensor. */
nlm_status nlm_pass_policy(nlm_pass *pass, int head, const int *actions, const double *advantages,
                           double beta, nlm_policy_result *result, nlm_error *error)
{
    REQUIRE(pass && actions && advantages && result, error);
    size_t most, action;
    nlm_status status = pass_check_head(pass, head, error);
    if (!status)
        status = check_actions(pass, head, actions, &most, error);
    if (status)
        return status;
    if (buffer_reserve(&pass->scratch.policy, most, 2 * sizeof(float), false))
        return error_no_memory(error);
    /* one dense tensor of logits, one of unnormalised probabilities, for the largest world */
    float *logits = pass->scratch.policy.data, *chances = logits + most;
    int arity = pass->machine->heads[head].arity, worlds = pass->structure->tuples.worlds;
    nlm_policy_result r = {0};
    for (int w = 0; w < worlds; w++) {
        size_t places = dense_places(pass, w, head);
        action_logits(pass, w, head, logits, places);
        struct softmax s = softmax(logits, chances, places);
        find_action(actions + w * arity, arity, dense_objects(pass, w, head), &action);
        r.loss -= advantages[w] * ((double)logits[action] - s.log_sum) + beta * s.entropy;
        r.entropy += s.entropy / worlds;
        if (pass->training) {
            policy_gradient(logits, chances, places, s, action, advantages[w], beta);
            dense_add_gradient(pass, w, head, 1, logits);
        }
    }
    *result = r;
    return NLM_OK;
}

/* A world with fewer objects than the head's arity has no tuple, and all its probabilities are 0. */
nlm_status nlm_pass_probabilities(const nlm_pass *pass, int world, int head, float *probabilities,
                                  nlm_error *error)
{
    REQUIRE(pass && probabilities, error);
    nlm_status status = pass_check_world(pass, world, error);
    if (!status)
        status = pass_check_head(pass, head, error);
    if (status)
        return status;
    size_t places = dense_places(pass, world, head);
    bool none = dense_objects(pass, world, head) < pass->machine->heads[head].arity;
    action_logits(pass, world, head, probabilities, places);
    double scale = none ? 0.0 : softmax(probabilities, probabilities, places).scale;
    for (size_t i = 0; i < places; i++)
        probabilities[i] = none ? 0.0f : (float)((double)probabilities[i] * scale);
    return NLM_OK;
}
