/* Settings of a training: defaults of both protocols, and checks. */
#include "learn/training.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

#define PLACE(field) offsetof(nlm_training, field)
#define MOST_STEPS 1000000000 /* so that counts of examples stay far from overflow */

static const struct setting rows[] = {
    {"seed", SETTING_SEED, PLACE(seed), 0, 0, false},
    {"objects", SETTING_WHOLE, PLACE(objects), 1, INT_MAX, false},
    {"batch", SETTING_WHOLE, PLACE(batch), 1, TRAINING_MOST_BATCH, false},
    {"batches", SETTING_WHOLE, PLACE(batches), 1, 1000000, false},
    {"epochs", SETTING_WHOLE, PLACE(epochs), 1, 1000000, true},
    {"gain", SETTING_REAL, PLACE(gain), 0, 1000, false},
    {"lr", SETTING_REAL, PLACE(rate), 0, 1000, false},
    {"beta2", SETTING_REAL, PLACE(beta2), 0, 0.9999999, false},
    {"threshold", SETTING_REAL, PLACE(threshold), 0, 1000, false},
    {"exam", SETTING_WHOLE, PLACE(exam), 0, 100000000, false},
    {"positives", SETTING_WHOLE, PLACE(positive_worlds), 0, 4096, false},
    {"deep", SETTING_WHOLE, PLACE(deep_worlds), 0, 4096, false},
    {"replay", SETTING_WHOLE, PLACE(replay), 0, 4096, false},
    {"patience", SETTING_WHOLE, PLACE(patience), 0, 1000000, false},
    {"width", SETTING_WHOLE, PLACE(spec.width), 0, NLM_MAX_WIDTH, false},
};

const struct settings_table training_table = {rows, sizeof rows / sizeof *rows};

/* ---- protocols ---- */

static const char *const protocols[] = {[NLM_PROTOCOL_BEST] = "best", [NLM_PROTOCOL_PAPER] = "paper"};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

const char *nlm_protocol_name(nlm_protocol protocol)
{
    return (int)protocol >= 0 && (int)protocol < PROTOCOLS ? protocols[protocol] : "unknown";
}

bool nlm_protocol_find(const char *name, nlm_protocol *protocol)
{
    for (int p = 0; name && p < PROTOCOLS; p++)
        if (!strcmp(name, protocols[p])) {
            *protocol = (nlm_protocol)p;
            return true;
        }
    return false;
}

nlm_status nlm_training_default(const nlm_task *task, nlm_protocol protocol, nlm_training *training,
                                nlm_error *error)
{
    if (!task || !nlm_task_find(task->name))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no task '%s'", task ? task->name : "");
    if (protocol != NLM_PROTOCOL_BEST && protocol != NLM_PROTOCOL_PAPER)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no protocol %d", (int)protocol);
    nlm_training t = {
        .task = task,
        .protocol = protocol,
        .spec = {.depth = task->depth,
                 .breadth = task->breadth,
                 .width = 8,
                 .residual = task->residual,
                 .outputs = 1u << task->arity},
        .seed = 1,
        .objects = task->train_objects,
        .batch = 4,
        .batches = 250,
        .gain = 1,
        .rate = 0.005,
        .beta2 = 0.999,
        .threshold = task->threshold,
    };
    memcpy(t.spec.inputs, task->inputs, sizeof t.spec.inputs);
    t.epochs = task->examples / (t.batch * t.batches);
    if (protocol == NLM_PROTOCOL_BEST) {
        t.gain = task->gain;
        t.beta2 = 0.99;
        t.exam = 10000;
        t.positive_worlds = 3;
        t.deep_worlds = 2;
        t.replay = 1;
        t.patience = t.epochs / 5;
    }
    *training = t;
    return NLM_OK;
}

/* ---- checks ---- */

nlm_status training_check(const nlm_training *training, nlm_error *error)
{
    if (!training || !training->task || !nlm_task_find(training->task->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a training needs a task");
    nlm_status status = settings_check(training_table, training, error);
    if (status)
        return status;
    if (training->positive_worlds > training->batch || training->deep_worlds > training->batch)
        return error_set(error, NLM_BAD_ARGUMENT, "%s is more than the batch of %d worlds",
                         training->positive_worlds > training->batch ? "positives" : "deep", training->batch);
    if (training->replay >= training->batch && training->replay > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "replay %d leaves no fresh worlds in a batch of %d",
                         training->replay, training->batch);
    if ((double)training->epochs * training->batches > MOST_STEPS)
        return error_set(error, NLM_BAD_ARGUMENT, "%d epochs of %d batches are more than %d steps",
                         training->epochs, training->batches, MOST_STEPS);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        if (training->spec.inputs[r] != training->task->inputs[r])
            return error_set(error, NLM_BAD_SHAPE, "the spec has %d inputs of arity %d, %s has %d",
                             training->spec.inputs[r], r, training->task->name, training->task->inputs[r]);
    if (!(training->spec.outputs >> training->task->arity & 1))
        return error_set(error, NLM_BAD_SHAPE, "the spec has no outputs of arity %d, the arity of %s",
                         training->task->arity, training->task->target);
    return NLM_OK;
}

/* ---- comparing ---- */

nlm_status nlm_training_compare(const nlm_training *found, const nlm_training *wanted, const char *name,
                                nlm_error *error)
{
    if (strcmp(wanted->task->name, found->task->name) != 0)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of %s, not of %s", found->task->name,
                          wanted->task->name);
    return settings_compare(training_table, found, &found->spec, wanted, &wanted->spec, name, error);
}
