/* Tasks as subjects of `nlm train`: learned from examples, epoch by epoch. */
#include <math.h>
#include <string.h>
#include "learner.h"
#include "metrics.h"
#include "numbers.h"

enum { TEST_SLICE = 10 }; /* worlds between two looks at whether to stop */

/* ---- subjects ---- */

static nlm_status recorded(const nlm_machine *machine, const char *path, subject *found, nlm_error *error)
{
    return nlm_training_of(machine, path, &found->training, error);
}

static nlm_status compare(const subject *found, const subject *wanted, const char *path, nlm_error *error)
{
    return nlm_training_compare(&found->training, &wanted->training, path, error);
}

/* ---- runs ---- */

static nlm_status begin(const subject *of, const nlm_options *options, learner *made, nlm_error *error)
{
    made->kind = &learner_of_tasks;
    return nlm_trainer_new(&of->training, options, &made->trainer, error);
}

static nlm_status load(const char *path, const subject *of, const nlm_options *options, learner *made,
                       nlm_error *error)
{
    made->kind = &learner_of_tasks;
    return nlm_trainer_load(path, of != NULL ? &of->training : NULL, options, &made->trainer, error);
}

static void end(learner *run)
{
    nlm_trainer_free(run->trainer);
}

static nlm_status step(learner *run, bool *round_ended, nlm_error *error)
{
    return nlm_trainer_step(run->trainer, round_ended, error);
}

static nlm_stage stage(const learner *run)
{
    return nlm_trainer_stage(run->trainer);
}

static void settings(const learner *run, subject *settings)
{
    settings->kind = &learner_of_tasks;
    settings->training = *nlm_trainer_settings(run->trainer);
}

static nlm_status save_model(learner *run, const char *path, nlm_error *error)
{
    return nlm_trainer_save_model(run->trainer, path, error);
}

static nlm_status save_checkpoint(learner *run, const char *path, nlm_error *error)
{
    return nlm_trainer_save_checkpoint(run->trainer, path, error);
}

/* ---- reports ---- */

static void record(const learner *run, report *to)
{
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    if (epoch->epoch == to->rounds + 1)
        curve_add(&to->curve, epoch->loss);
    if (epoch->restarts != to->epoch.restarts)
        to->curve = (curve){0}; /* new weights, new curve */
    to->stage = nlm_trainer_stage(run->trainer);
    to->rounds = epoch->epoch;
    to->epoch = *epoch;
}

static void recall(const nlm_machine *machine, report *to)
{
    to->rounds = (int)learner_metadata(machine, "epoch");
    to->epoch = (nlm_epoch){.epoch = to->rounds,
                            .examples = (long)learner_metadata(machine, "examples"),
                            .restarts = (int)learner_metadata(machine, "restarts"),
                            .loss = learner_metadata(machine, "loss")};
}

static nlm_status log_epoch(const report *of, const subject *settings, FILE *log, const char *path,
                            nlm_error *error)
{
    return metrics_write_epoch(log, path, &of->epoch,
                               (long)settings->training.batch * settings->training.batches, error);
}

/* ---- texts ---- */

static double fraction(const learner *run)
{
    const nlm_training *training = nlm_trainer_settings(run->trainer);
    const double part = (double)nlm_trainer_steps(run->trainer) / training->batches;
    return (nlm_trainer_epoch(run->trainer)->epoch + fmin(part, 1.0)) / training->epochs;
}

/* "epoch 12/100  loss 3.2e-05  accuracy 100 %  5,900 examples/s" */
static void facts(const learner *run, char text[LEARNER_FACTS_SIZE])
{
    const nlm_training *training = nlm_trainer_settings(run->trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    char accuracy[NUMBER_TEXT], speed[NUMBER_TEXT], exam[NUMBER_TEXT];
    const int examined = nlm_trainer_examined(run->trainer);
    if (examined > 0)
        snprintf(text, LEARNER_FACTS_SIZE, "exam after epoch %d  %s worlds", epoch->epoch + 1,
                 number_count_text((size_t)examined, exam));
    else if (epoch->seconds > 0)
        snprintf(
            text, LEARNER_FACTS_SIZE, "epoch %d/%d  loss %.1e  accuracy %s  %s examples/s", epoch->epoch,
            training->epochs, epoch->loss, number_percent_text(epoch->accuracy, accuracy),
            number_count_text((size_t)((double)training->batch * training->batches / epoch->seconds), speed));
    else /* at the beginning, or just taken up again */
        snprintf(text, LEARNER_FACTS_SIZE, "epoch %d/%d", epoch->epoch + 1, training->epochs);
}

static void say_graduated(const subject *of, const char *model, const report *result)
{
    const nlm_epoch *epoch = &result->epoch;
    char examples[NUMBER_TEXT];
    number_count_text((size_t)epoch->examples, examples);
    printf("%s: graduated after %d epoch%s, %s examples", of->training.task->name, epoch->epoch,
           epoch->epoch == 1 ? "" : "s", examples);
    learner_print_time(result, epoch->elapsed);
    learner_print_restarts(epoch->restarts);
    printf("; loss %.1e\n", epoch->loss);
    printf("%s%s; try it: nlm test %s\n", model, result->was_done ? " was there already" : "", model);
}

/* What the curve asks for. */
static void say_what_to_try(const nlm_training *training, curve_shape shape)
{
    if (shape == CURVE_FALLING || shape == CURVE_SHORT)
        printf("  - more epochs, going on from here: the same command with --resume --epochs %d\n",
               2 * training->epochs);
    if (shape == CURVE_JUMPED || shape == CURVE_FLAT)
        printf("  - a lower learning rate: --lr %g\n", training->rate / 2);
    if (training->protocol == NLM_PROTOCOL_PAPER)
        puts("  - our own protocol, which begins again by itself when it gets stuck: --protocol best");
    learner_print_other_seeds(training->seed);
    if (shape == CURVE_STUCK)
        printf("  - a larger machine: --depth %d or --width %d\n", training->spec.depth + 1,
               2 * training->spec.width);
}

static void say_exhausted(const subject *of, const report *result)
{
    const nlm_training *training = &of->training;
    const nlm_epoch *epoch = &result->epoch;
    const curve_shape shape = curve_shape_of(&result->curve);
    char examples[NUMBER_TEXT], wrong[NUMBER_TEXT], tuples[NUMBER_TEXT];
    const bool low = epoch->loss < training->threshold;
    printf("%s: not graduated after %d epoch%s, %s examples and %.1f s; loss %.1e, %s %.0e%s\n",
           training->task->name, epoch->epoch, epoch->epoch == 1 ? "" : "s",
           number_count_text((size_t)epoch->examples, examples), epoch->elapsed, epoch->loss,
           low ? "below" : "not below", training->threshold, low ? ", but the exam found errors" : "");
    if (epoch->tuples > 0)
        printf("the loss %s; in the last epoch %s of %s answers were wrong\n", curve_shape_text(shape),
               number_count_text(epoch->wrong, wrong), number_count_text(epoch->tuples, tuples));
    puts("what to try:");
    say_what_to_try(training, shape);
}

/* ---- tests ---- */

static void sizes(const subject *of, int sizes[LEARNER_SIZES])
{
    sizes[0] = of->training.task->train_objects;
    sizes[1] = of->training.task->test_objects;
}

static nlm_status test(nlm_machine *machine, const subject *of, int objects, int count,
                       const nlm_options *options, int (*stop)(void), mark *result, nlm_error *error)
{
    nlm_tester *tester;
    nlm_status status =
        nlm_tester_new(machine, of->training.task, objects, of->training.seed, options, &tester, error);
    for (int left = count; status == NLM_OK && left > 0 && stop() == 0; left -= TEST_SLICE)
        status = nlm_tester_run(tester, left < TEST_SLICE ? left : TEST_SLICE, error);
    if (status == NLM_OK) {
        const nlm_test_result seen = nlm_tester_result(tester);
        *result = (mark){.asked = seen.worlds, .share = seen.accuracy, .flawless = seen.wrong == 0};
    }
    nlm_tester_free(tester);
    return status;
}

static void print_head(const int sizes[LEARNER_SIZES])
{
    char heads[LEARNER_SIZES][NUMBER_TEXT];
    for (int size = 0; size < LEARNER_SIZES; size++)
        snprintf(heads[size], NUMBER_TEXT, "right at %d", sizes[size]);
    printf("%6s  %-9s  %6s  %8s  %9s  %7s  %12s  %12s\n", "seed", "graduated", "epochs", "restarts",
           "examples", "seconds", heads[0], heads[1]);
}

static void print_row(uint64_t seed, const report *result, const mark marks[LEARNER_SIZES])
{
    const nlm_epoch *epoch = &result->epoch;
    char examples[NUMBER_TEXT], seconds[NUMBER_TEXT] = "-", right[LEARNER_SIZES][NUMBER_TEXT];
    if (!result->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", epoch->elapsed);
    for (int size = 0; size < LEARNER_SIZES; size++)
        number_percent_text(marks[size].share, right[size]);
    printf("%6llu  %-9s  %6d  %8d  %9s  %7s  %12s  %12s\n", (unsigned long long)seed,
           result->stage == NLM_GRADUATED ? "yes" : "no", epoch->epoch, epoch->restarts,
           number_count_text((size_t)epoch->examples, examples), seconds, right[0], right[1]);
}

const learner_kind learner_of_tasks = {
    .round = "epoch",
    .flawless = "without any error on",
    .instances = "worlds",
    .recorded = recorded,
    .compare = compare,
    .begin = begin,
    .load = load,
    .end = end,
    .step = step,
    .stage = stage,
    .settings = settings,
    .save_model = save_model,
    .save_checkpoint = save_checkpoint,
    .record = record,
    .recall = recall,
    .log = log_epoch,
    .fraction = fraction,
    .facts = facts,
    .say_graduated = say_graduated,
    .say_exhausted = say_exhausted,
    .sizes = sizes,
    .test = test,
    .print_head = print_head,
    .print_row = print_row,
};
