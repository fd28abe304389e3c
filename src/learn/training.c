/* Settings of a training: defaults of both protocols, checks, and their form as texts.
 *
 * The numbers are described once, in a table: name, place, kind and range serve the checks and the files. */
#include "learn/training.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

enum kind { WHOLE, REAL, SEED };

struct number {
    const char *name;
    enum kind kind;
    size_t place; /* in nlm_training */
    double least, most;
};

#define PLACE(field) offsetof(nlm_training, field)
#define MOST_STEPS 1000000000 /* so that counts of examples stay far from overflow */

static const struct number numbers[TRAINING_NUMBERS] = {
    {"seed", SEED, PLACE(seed), 0, 0},
    {"objects", WHOLE, PLACE(objects), 1, INT_MAX},
    {"batch", WHOLE, PLACE(batch), 1, TRAINING_MOST_BATCH},
    {"batches", WHOLE, PLACE(batches), 1, 1000000},
    {"epochs", WHOLE, PLACE(epochs), 1, 1000000},
    {"gain", REAL, PLACE(gain), 0, 1000},
    {"lr", REAL, PLACE(rate), 0, 1000},
    {"beta2", REAL, PLACE(beta2), 0, 0.9999999},
    {"threshold", REAL, PLACE(threshold), 0, 1000},
    {"exam", WHOLE, PLACE(exam), 0, 100000000},
    {"positives", WHOLE, PLACE(positive_worlds), 0, 4096},
    {"deep", WHOLE, PLACE(deep_worlds), 0, 4096},
    {"replay", WHOLE, PLACE(replay), 0, 4096},
    {"patience", WHOLE, PLACE(patience), 0, 1000000},
    {"width", WHOLE, PLACE(spec.width), 0, NLM_MAX_WIDTH},
};

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

static double number_value(const nlm_training *training, const struct number *number)
{
    const char *place = (const char *)training + number->place;
    return number->kind == WHOLE ? (double)*(const int *)place : *(const double *)place;
}

nlm_status training_check(const nlm_training *training, nlm_error *error)
{
    if (!training || !training->task || !nlm_task_find(training->task->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a training needs a task");
    for (int n = 0; n < TRAINING_NUMBERS; n++) {
        const struct number *number = &numbers[n];
        if (number->kind == SEED)
            continue;
        double value = number_value(training, number);
        if (!(value >= number->least && value <= number->most))
            return error_set(error, NLM_BAD_ARGUMENT, "%s %g is not between %g and %g", number->name, value,
                             number->least, number->most);
    }
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

/* ---- texts ---- */

const char *training_number_name(int number)
{
    return numbers[number].name;
}

bool training_number_may_change(int number)
{
    return numbers[number].place == PLACE(epochs);
}

/* As many digits as it takes to read the same number. */
static void print_real(double value, char text[TRAINING_TEXT_SIZE])
{
    int digits = 6;
    do
        snprintf(text, TRAINING_TEXT_SIZE, "%.*g", digits++, value);
    while (digits <= 17 && strtod(text, NULL) != value);
}

void training_print_number(const nlm_training *training, int number, char text[TRAINING_TEXT_SIZE])
{
    const void *place = (const char *)training + numbers[number].place;
    switch (numbers[number].kind) {
    case WHOLE:
        snprintf(text, TRAINING_TEXT_SIZE, "%d", *(const int *)place);
        break;
    case REAL:
        print_real(*(const double *)place, text);
        break;
    case SEED:
        snprintf(text, TRAINING_TEXT_SIZE, "%" PRIu64, *(const uint64_t *)place);
        break;
    }
}

static bool set_seed(void *place, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || text[0] < '0' || text[0] > '9')
        return false;
    *(uint64_t *)place = value;
    return true;
}

bool training_set_number(nlm_training *training, int number, const char *text)
{
    const struct number *n = &numbers[number];
    void *place = (char *)training + n->place;
    if (n->kind == SEED)
        return set_seed(place, text);
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= n->least && value <= n->most))
        return false;
    if (n->kind == WHOLE && value != floor(value))
        return false;
    if (n->kind == WHOLE)
        *(int *)place = (int)value;
    else
        *(double *)place = value;
    return true;
}

bool training_number_equal(const nlm_training *a, const nlm_training *b, int number)
{
    char text_a[TRAINING_TEXT_SIZE], text_b[TRAINING_TEXT_SIZE];
    training_print_number(a, number, text_a);
    training_print_number(b, number, text_b);
    return !strcmp(text_a, text_b);
}

/* ---- comparing ---- */

/* What differs between two specs, or NULL. */
static const char *spec_difference(const nlm_spec *a, const nlm_spec *b)
{
    if (a->depth != b->depth)
        return "depth";
    if (a->breadth != b->breadth)
        return "breadth";
    if (a->residual != b->residual)
        return "residual";
    if (a->hidden_layers != b->hidden_layers)
        return "hidden";
    for (int k = 0; k < a->hidden_layers; k++)
        if (a->hidden[k] != b->hidden[k])
            return "hidden";
    if (a->own_widths != b->own_widths || (a->own_widths && memcmp(a->widths, b->widths, sizeof a->widths)))
        return "widths";
    return a->outputs != b->outputs ? "outputs" : NULL;
}

nlm_status nlm_training_compare(const nlm_training *found, const nlm_training *wanted, const char *name,
                                nlm_error *error)
{
    if (strcmp(wanted->task->name, found->task->name) != 0)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of %s, not of %s", found->task->name,
                          wanted->task->name);
    const char *what = spec_difference(&found->spec, &wanted->spec);
    if (what)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of a machine with other settings: %s", what);
    for (int n = 0; n < TRAINING_NUMBERS; n++) {
        if (training_number_may_change(n) || training_number_equal(wanted, found, n))
            continue;
        char there[TRAINING_TEXT_SIZE], here[TRAINING_TEXT_SIZE];
        training_print_number(found, n, there);
        training_print_number(wanted, n, here);
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run with %s %s, not %s", training_number_name(n),
                          there, here);
    }
    return NLM_OK;
}
