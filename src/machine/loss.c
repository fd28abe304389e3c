/* Losses on a head's logits, and their gradients. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

static nlm_status check(const struct nlm_pass *pass, int head, nlm_error *error)
{
    nlm_status status = pass_check(pass, error);
    if (status)
        return status;
    if (head < 0 || head >= pass->machine->head_count)
        return error_set(error, NLM_BAD_ARGUMENT, "head %d is not in 0..%d", head,
                         pass->machine->head_count - 1);
    return NLM_OK;
}

static const struct partition *head_part(const struct nlm_pass *pass, int head)
{
    return pass->structure->levels[pass->machine->plan.spec.depth][pass->machine->heads[head].arity].part;
}

/* ---- binary cross-entropy ---- */

struct label_count {
    int32_t negative, positive;
};

/* Tuples of one row share their logit, so only the number of labels of each kind per row matters. */
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
            (*counts)[row].positive += label == NLM_TRUE;
            (*counts)[row].negative += label == NLM_FALSE;
        }
    return NLM_OK;
}

enum { BCE_PARTS = 16, BCE_PART_ROWS = 128 };

struct bce_job {
    const struct kernel_table *kernels;
    struct table *logits;
    float *gradients; /* NULL if not training */
    const struct label_count *counts;
    int output, parts;
    double scale; /* of the gradients */
    nlm_bce_result results[BCE_PARTS];
};

/* The logits of one part are gathered in blocks for the vector kernel. */
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
            if (job->gradients)
                job->gradients[(first + i) * stride + (size_t)job->output] +=
                    (float)(job->scale * (all * (double)probability[i] - count.positive));
        }
    }
    job->results[part] = r;
}

static nlm_status check_target(const struct nlm_pass *pass, int head, int output, int target,
                               nlm_error *error)
{
    const struct nlm_structure *s = pass->structure;
    const nlm_head_spec *spec = &pass->machine->heads[head];
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

nlm_status nlm_pass_bce(nlm_pass *pass, int head, int output, int target, double weight,
                        nlm_bce_result *result, nlm_error *error)
{
    nlm_status status = check(pass, head, error);
    if (!status)
        status = check_target(pass, head, output, target, error);
    if (status)
        return status;
    struct bce_job job = {.kernels = pass->kernels, .logits = &pass->logits[head], .output = output};
    size_t rows = job.logits->rows;
    struct label_count *counts;
    if (count_labels(pass, head_part(pass, head), pass->structure->labels[target].data, rows, &counts))
        return error_no_memory(error);
    nlm_bce_result r = {0};
    for (size_t row = 0; row < rows; row++) {
        r.positives += (size_t)counts[row].positive;
        r.labelled += (size_t)counts[row].positive + (size_t)counts[row].negative;
    }
    if (r.labelled) {
        size_t parts = rows / BCE_PART_ROWS + 1;
        job.counts = counts;
        job.parts = parts < BCE_PARTS ? (int)parts : BCE_PARTS;
        job.scale = weight / (double)r.labelled;
        job.gradients = pass->training ? table_gradients(job.logits) : NULL;
        team_run(pass->structure->team, job.parts, bce_rows, &job);
        for (int part = 0; part < job.parts; part++) {
            r.loss += job.results[part].loss / (double)r.labelled;
            r.correct += job.results[part].correct;
            r.correct_positives += job.results[part].correct_positives;
        }
    }
    *result = r;
    return NLM_OK;
}

/* ---- policy gradient ---- */

/* The softmax over one world's tuples, as sums over them. */
struct softmax {
    double most, sum;  /* of logits; of exp(logit - most) */
    double mean_logit; /* expectation of the logit */
};

/* The logit of tuple number t in order b. */
static size_t logit_place(const struct nlm_pass *pass, const struct partition *part,
                          const struct table *logits, size_t t, int b)
{
    const struct orders *orders = &pass->machine->plan.orders[part->arity];
    return orders_row(orders, orders_then(orders, part->codes[t], b)) * (size_t)logits->stride;
}

static struct softmax world_softmax(const struct nlm_pass *pass, const struct partition *part,
                                    const struct table *logits, size_t first, size_t last)
{
    int count = pass->machine->plan.orders[part->arity].count;
    struct softmax s = {.most = -INFINITY};
    for (size_t t = first; t < last; t++)
        for (int b = 0; b < count; b++)
            s.most = fmax(s.most, (double)logits->values[logit_place(pass, part, logits, t, b)]);
    for (size_t t = first; t < last; t++)
        for (int b = 0; b < count; b++) {
            double logit = (double)logits->values[logit_place(pass, part, logits, t, b)];
            s.sum += exp(logit - s.most);
            s.mean_logit += logit * exp(logit - s.most);
        }
    s.mean_logit /= s.sum;
    return s;
}

/* A tuple of distinct objects of the world. */
static bool action_fits(const int *action, int arity, int objects)
{
    for (int k = 0; k < arity; k++) {
        if (action[k] < 0 || action[k] >= objects)
            return false;
        for (int l = 0; l < k; l++)
            if (action[k] == action[l])
                return false;
    }
    return true;
}

/* With p the softmax, H its entropy, log Z = most + log sum:
 *     d(-v log p(a)) / dz_t = v (p_t - [t = a])        d(-beta H) / dz_t = beta p_t (log p_t + H) */
static void add_policy_gradient(struct nlm_pass *pass, const struct partition *part, struct table *logits,
                                size_t first, size_t last, struct softmax s, double advantage, double beta,
                                double entropy)
{
    int count = pass->machine->plan.orders[part->arity].count;
    float *gradients = table_gradients(logits);
    for (size_t t = first; t < last; t++)
        for (int b = 0; b < count; b++) {
            size_t place = logit_place(pass, part, logits, t, b);
            double log_p = (double)logits->values[place] - s.most - log(s.sum), p = exp(log_p);
            gradients[place] += (float)(advantage * p + beta * p * (log_p + entropy));
        }
}

nlm_status nlm_pass_policy(nlm_pass *pass, int head, const int *actions, const double *advantages,
                           double beta, nlm_policy_result *result, nlm_error *error)
{
    nlm_status status = check(pass, head, error);
    if (status)
        return status;
    const struct tuples *tuples = &pass->structure->tuples;
    const struct partition *part = head_part(pass, head);
    int arity = part->arity;
    for (int w = 0; w < tuples->worlds; w++)
        if (!action_fits(actions + w * arity, arity, tuples_objects(tuples, w)))
            return error_set(error, NLM_BAD_ARGUMENT,
                             "the action of world %d is no tuple of distinct objects", w);
    struct table *logits = &pass->logits[head];
    nlm_policy_result r = {0};
    for (int w = 0; w < tuples->worlds; w++) {
        size_t first = tuples_offset(tuples, w, arity), last = tuples_offset(tuples, w + 1, arity);
        struct softmax s = world_softmax(pass, part, logits, first, last);
        double log_z = s.most + log(s.sum), entropy = log_z - s.mean_logit;
        int order;
        size_t tuple = tuples_find(tuples, w, actions + w * arity, arity, &order);
        size_t place = logit_place(pass, part, logits, tuple, order);
        double log_p = (double)logits->values[place] - log_z;
        r.loss -= advantages[w] * log_p + beta * entropy;
        r.entropy += entropy / tuples->worlds;
        if (pass->training) {
            add_policy_gradient(pass, part, logits, first, last, s, advantages[w], beta, entropy);
            table_gradients(logits)[place] -= (float)advantages[w];
        }
    }
    *result = r;
    return NLM_OK;
}
