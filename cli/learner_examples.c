/* Learning from examples, epoch by epoch: what the subjects of a task and of facts have in common. */
#include "learner_examples.h"

#include <math.h>
#include "nlm/tools.h"

/* ---- subjects ---- */

nlm_status examples_recorded(const nlm_machine *machine, const char *path, subject *found, nlm_error *error)
{
    return nlm_settings_of_machine(machine, path, &found->training, error);
}

nlm_status examples_compare(const subject *found, const subject *wanted, const char *path, nlm_error *error)
{
    return nlm_settings_compare(&found->training, &wanted->training, path, error);
}

/* ---- runs ---- */

nlm_status examples_begin(const subject *of, const nlm_options *options, learner *made, nlm_error *error)
{
    made->kind = of->kind;
    return nlm_trainer_new(&of->training, options, &made->trainer, error);
}

nlm_status examples_load(const char *path, const subject *of, const nlm_options *options, learner *made,
                         nlm_error *error)
{
    made->kind = of != NULL ? of->kind : &learner_of_tasks;
    return nlm_trainer_load(path, of != NULL ? &of->training : NULL, options, &made->trainer, error);
}

void examples_end(learner *run)
{
    nlm_trainer_free(run->trainer);
}

nlm_status examples_step(learner *run, bool *round_ended, nlm_error *error)
{
    return nlm_trainer_step(run->trainer, round_ended, error);
}

nlm_stage examples_stage(const learner *run)
{
    return nlm_trainer_stage(run->trainer);
}

void examples_settings(const learner *run, subject *settings)
{
    *settings = (subject){.kind = run->kind};
    settings->training = *nlm_trainer_settings(run->trainer);
}

nlm_status examples_save_model(learner *run, const char *path, nlm_error *error)
{
    return nlm_trainer_save_model(run->trainer, path, error);
}

nlm_status examples_save_checkpoint(learner *run, const char *path, nlm_error *error)
{
    return nlm_trainer_save_checkpoint(run->trainer, path, error);
}

/* ---- reports ---- */

void examples_record(const learner *run, report *to)
{
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    if (epoch->epoch == to->rounds + 1)
        curve_add(&to->curve, epoch->loss);
    if (epoch->restarts != to->epoch.restarts)
        to->curve = (curve){0}; /* new weights, new curve */
    to->stage = nlm_trainer_stage(run->trainer);
    to->rounds = epoch->epoch;
    to->epoch = *epoch;
    to->kept = nlm_trainer_best_epoch(run->trainer);
    to->endless = nlm_trainer_settings(run->trainer)->threshold <= 0;
}

void examples_recall(const nlm_machine *machine, report *to)
{
    to->rounds = (int)learner_metadata(machine, "epoch");
    to->endless = learner_metadata(machine, "threshold") <= 0;
    to->epoch = (nlm_epoch){.epoch = to->rounds,
                            .examples = (long)learner_metadata(machine, "examples"),
                            .restarts = (int)learner_metadata(machine, "restarts"),
                            .loss = learner_metadata(machine, "loss")};
}

nlm_status examples_log_epoch(const report *of, const subject *settings, FILE *log, const char *path,
                              nlm_error *error)
{
    return nlm_log_write_epoch(log, path, &of->epoch,
                               (long)settings->training.batch * settings->training.batches, error);
}

/* ---- texts ---- */

double examples_fraction(const learner *run)
{
    const nlm_settings *training = nlm_trainer_settings(run->trainer);
    const double part = (double)nlm_trainer_steps(run->trainer) / training->batches;
    return (nlm_trainer_epoch(run->trainer)->epoch + fmin(part, 1.0)) / training->epochs;
}

/* "epoch 12/100  loss 3.2e-05  accuracy 100 %  5,900 examples/s" */
void examples_facts(const learner *run, char text[LEARNER_FACTS_SIZE])
{
    const nlm_settings *training = nlm_trainer_settings(run->trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    char accuracy[NLM_NUMBER_TEXT], speed[NLM_NUMBER_TEXT], exam[NLM_NUMBER_TEXT];
    const int examined = nlm_trainer_examined(run->trainer);
    if (examined > 0)
        snprintf(text, LEARNER_FACTS_SIZE, "exam after epoch %d  %s worlds", epoch->epoch + 1,
                 nlm_count_text((size_t)examined, exam));
    else if (epoch->seconds > 0)
        snprintf(
            text, LEARNER_FACTS_SIZE, "epoch %d/%d  loss %.1e  accuracy %s  %s examples/s", epoch->epoch,
            training->epochs, epoch->loss, nlm_percent_text(epoch->accuracy, accuracy),
            nlm_count_text((size_t)((double)training->batch * training->batches / epoch->seconds), speed));
    else /* at the beginning, or just taken up again */
        snprintf(text, LEARNER_FACTS_SIZE, "epoch %d/%d", epoch->epoch + 1, training->epochs);
}

/* Templates decide what differentiable ILP can find; of a memory network there can be more. */
static void say_larger(const nlm_spec *spec)
{
    if (spec->program != NULL)
        puts("  - other templates: more variables, helpers or steps, or other kinds of bodies");
    else
        printf("  - a larger %s: --depth %d or --width %d\n",
               spec->model != NULL ? "memory network" : "machine", spec->depth + 1, 2 * spec->width);
}

void examples_say_what_to_try(const nlm_settings *training, int epochs, curve_shape shape, bool larger)
{
    if (shape == CURVE_FALLING || shape == CURVE_SHORT)
        printf("  - more epochs, going on from here: the same command with --resume --epochs %d\n",
               2 * (epochs > training->epochs ? epochs : training->epochs));
    if (shape == CURVE_JUMPED || shape == CURVE_FLAT)
        printf("  - a lower learning rate: --lr %g\n", training->lr / 2);
    if (training->protocol == NLM_PROTOCOL_PAPER && training->spec.program == NULL)
        puts("  - our own protocol, which begins again by itself when it gets stuck: --protocol best");
    learner_print_other_seeds(training->seed);
    if (larger)
        say_larger(&training->spec);
}
