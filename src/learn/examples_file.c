/* Files of runs that learn from examples: their metadata and tensors.
 *
 * Rows are written and read by run.c; here are the rows, the list of failures (numbers of worlds as one
 * text), and the tensor of the best parameters.  The order of the rows is that of the keys in the file:
 *
 *     task, epoch, examples, drawn, restarts, loss, version, kernel          models and checkpoints
 *     state, stage, steps                                                    checkpoints of any run (run.c)
 *     failures, next_world, begun, patient, next_failure, accuracy, elapsed  these checkpoints */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/from_examples.h"
#include "machine/model_file.h"

/* Ranges of what is read; and room for each failure: 20 digits and a blank. */
enum { MOST_EPOCHS = 1000000, FAILURE_TEXT_SIZE = MOST_FAILURES * 21 + 1 };

#define PLACE(field) offsetof(struct examples_state, field)

/* Of models and checkpoints: nothing here depends on the clock. */
static const struct state_row epoch_rows[] = {
    {"epoch", STATE_INT, PLACE(epoch.epoch), MOST_EPOCHS},
    {"examples", STATE_LONG, PLACE(epoch.examples), STATE_MOST},
    {"drawn", STATE_LONG, PLACE(epoch.drawn), STATE_MOST},
    {"restarts", STATE_INT, PLACE(epoch.restarts), MOST_EPOCHS},
    {"loss", STATE_REAL, PLACE(epoch.loss), INFINITY},
    {0},
};

/* Of checkpoints. */
static const struct state_row state_rows[] = {
    {"next_world", STATE_NUMBER, PLACE(next_world), STATE_MOST},
    {"begun", STATE_INT, PLACE(begun), MOST_EPOCHS},
    {"patient", STATE_INT, PLACE(patient), MOST_EPOCHS},
    {"next_failure", STATE_INT, PLACE(next_failure), MOST_FAILURES},
    {"accuracy", STATE_REAL, PLACE(epoch.accuracy), 1},
    {"elapsed", STATE_REAL, PLACE(epoch.elapsed), INFINITY},
    {0},
};

/* Of checkpoints of runs on facts; models have the first, too. */
static const struct state_row best_rows[] = {
    {"best_epoch", STATE_INT, PLACE(best_epoch), MOST_EPOCHS},
    {"best_failed", STATE_COUNT, PLACE(best_failed), STATE_MOST},
    {"best_loss", STATE_REAL, PLACE(best_loss), INFINITY},
    {0},
};

/* Others do not know a task of a program's own: its signature lets them ask the model. */
static nlm_status describe_own(nlm_run *run, struct run_pairs *to, nlm_error *error)
{
    const char *signature;
    nlm_status status = NLM_OK;
    if (!run->own_signature)
        status = nlm_signature_of_task(run->settings.task, &run->own_signature, error);
    if (!status)
        status = nlm_signature_text(run->own_signature, &signature, error);
    if (!status)
        run_add_text(to, "signature", signature);
    return status;
}

/* A task is named; facts are not in the file, so it has their signature (by which other facts can be read for
 * the model) and a digest, by which a resumed run knows them again. */
nlm_status examples_describe(const nlm_run *run, struct run_pairs *to, nlm_error *error)
{
    const struct examples_run *t = (const struct examples_run *)run;
    const nlm_settings *settings = &run->settings;
    const char *signature;
    if (settings->task) {
        run_add_text(to, "task", settings->task->name);
        if (settings->task->generate) {
            nlm_status status = describe_own((nlm_run *)run, to, error);
            if (status)
                return status;
        }
    } else {
        nlm_status status = nlm_signature_text(nlm_problem_signature(settings->problem), &signature, error);
        if (status)
            return status;
        run_add_text(to, "signature", signature);
        run_add_printed(to, "best_epoch", "%d", examples_best_epoch(t));
    }
    /* facts, and pictures of a gallery, are known again by their digest; generated worlds need none */
    if (!settings->task || settings->task->sense)
        run_add_printed(to, "data", "%" PRIu64, settings->data);
    run_add_state(to, epoch_rows, &t->state);
    run_add_maker(to, &t->evaluator->options);
    return NLM_OK;
}

/* A run on facts that did not graduate gives away its best epoch, not its last.  Exchanging twice restores
 * both arrays, so no third one is needed. */
void examples_exchange(nlm_run *run)
{
    struct examples_run *t = (struct examples_run *)run;
    if (!t->best || examples_best_epoch(t) == t->state.epoch.epoch)
        return;
    for (size_t i = 0; i < nlm_machine_parameters(run->machine); i++) {
        const float value = run->machine->values[i];
        run->machine->values[i] = t->best[i];
        t->best[i] = value;
    }
}

/* best_epoch itself is in `to` already: models have it too (examples_describe). */
nlm_status examples_save(nlm_run *run, const char *path, struct run_pairs *to, nlm_error *error)
{
    const struct examples_run *t = (const struct examples_run *)run;
    char failures[FAILURE_TEXT_SIZE] = "";
    for (int f = 0, length = 0; f < t->state.failures; f++)
        length += sprintf(failures + length, f ? " %" PRIu64 : "%" PRIu64, t->state.failure[f]);
    run_add_text(to, "failures", failures);
    run_add_state(to, state_rows, &t->state);
    if (t->best)
        run_add_state(to, best_rows + 1, &t->state);
    /* `best` without values is not written: the count says so */
    const safetensors_entry best = run_tensor("best", nlm_machine_parameters(run->machine), t->best);
    return run_save(run->machine, run->optimizer, run->settings.lr, path, to, &best, t->best ? 1 : 0, error);
}

/* Numbers with one blank between them, or nothing.  A number may be any: worlds are functions of it. */
static nlm_status read_failures(const struct run_reader *in, struct examples_state *state)
{
    const char *text;
    nlm_status status = run_get_text(in, "failures", &text);
    while (!status && *text) {
        uint64_t number;
        if (!run_get_digits(&text, &number) || (*text && *text != ' ') || state->failures == MOST_FAILURES)
            return RUN_REFUSE(in, "metadata 'failures' is no list of up to %d numbers", MOST_FAILURES);
        state->failure[state->failures++] = number;
        text += *text == ' ';
    }
    return status;
}

/* The state of a checkpoint, then what follows from it (rate of learning, stage under the present budget). */
nlm_status examples_read(nlm_run *run, const struct run_reader *in)
{
    struct examples_run *t = (struct examples_run *)run;
    struct examples_state *state = &t->state;
    nlm_status status = run_get_state(in, epoch_rows, state);
    if (!status)
        status = run_get_state(in, state_rows, state);
    if (!status)
        status = read_failures(in, state);
    /* the invariant of struct examples_state, which draw_batch relies on */
    if (!status && (state->failures ? state->next_failure >= state->failures : state->next_failure > 0))
        return RUN_REFUSE(in, "metadata 'next_failure' is beyond the failures");
    if (!status && t->best)
        status = run_get_state(in, best_rows, state);
    if (!status && t->best)
        status = run_get_tensor(in, "best", nlm_machine_parameters(run->machine), t->best);
    if (!status)
        examples_go_on(t);
    return status;
}

void examples_recall(nlm_run *run, const nlm_machine *model)
{
    run_recall_state(model, epoch_rows, &((struct examples_run *)run)->state);
}
