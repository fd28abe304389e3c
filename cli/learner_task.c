/* Tasks as subjects of `nlm train`: learned from examples that they generate. */
#include "learner_examples.h"
#include "nlm/tools.h"

/* ---- texts ---- */

static void say_graduated(const subject *of, const char *model, const report *result)
{
    const nlm_epoch *epoch = &result->epoch;
    char examples[NLM_NUMBER_TEXT], right[NLM_NUMBER_TEXT];
    nlm_count_text((size_t)epoch->examples, examples);
    printf("%s: %s %d epoch%s, %s examples", of->training.task->name,
           subject_has_goal(of) ? "graduated after" : "learned for", epoch->epoch,
           epoch->epoch == 1 ? "" : "s", examples);
    learner_print_time(result, epoch->elapsed);
    learner_print_restarts(epoch->restarts);
    printf("; loss %.1e", epoch->loss);
    if (!subject_has_goal(of) && epoch->tuples > 0)
        printf(", and in the last epoch %s of the answers were right",
               nlm_percent_text(epoch->accuracy, right));
    putchar('\n');
    printf("%s%s; try it: nlm test %s\n", model, result->was_done ? " was there already" : "", model);
}

static void say_exhausted(const subject *of, const report *result)
{
    const nlm_settings *training = &of->training;
    const nlm_epoch *epoch = &result->epoch;
    const curve_shape shape = curve_shape_of(&result->curve);
    char examples[NLM_NUMBER_TEXT], wrong[NLM_NUMBER_TEXT], tuples[NLM_NUMBER_TEXT];
    const bool low = epoch->loss < training->threshold;
    printf("%s: not graduated after %d epoch%s, %s examples and %.1f s; loss %.1e, %s %.0e%s\n",
           training->task->name, epoch->epoch, epoch->epoch == 1 ? "" : "s",
           nlm_count_text((size_t)epoch->examples, examples), epoch->elapsed, epoch->loss,
           low ? "below" : "not below", training->threshold, low ? ", but the exam found errors" : "");
    if (epoch->tuples > 0)
        printf("the loss %s; in the last epoch %s of %s answers were wrong\n", curve_shape_text(shape),
               nlm_count_text(epoch->wrong, wrong), nlm_count_text(epoch->tuples, tuples));
    puts("what to try:");
    examples_say_what_to_try(training, epoch->epoch, shape, shape == CURVE_STUCK);
}

/* ---- tests ---- */

static void sizes(const subject *of, int sizes[LEARNER_SIZES])
{
    sizes[0] = of->training.task->train_objects;
    sizes[1] = of->training.task->test_objects;
}

static nlm_status test(nlm_machine *machine, const subject *of, int objects, int count,
                       const nlm_options *options, int (*stop)(void), nlm_score *result, nlm_error *error)
{
    nlm_test *going;
    const nlm_status status =
        nlm_test_of_task(machine, of->training.task, objects, of->training.seed, options, &going, error);
    return learner_test(status, going, count, stop, result, error);
}

static void print_head(const int sizes[LEARNER_SIZES])
{
    char heads[LEARNER_SIZES][NLM_NUMBER_TEXT];
    for (int size = 0; size < LEARNER_SIZES; size++)
        snprintf(heads[size], NLM_NUMBER_TEXT, "right at %d", sizes[size]);
    printf("%6s  %-9s  %6s  %8s  %9s  %7s  %12s  %12s\n", "seed", "graduated", "epochs", "restarts",
           "examples", "seconds", heads[0], heads[1]);
}

static void print_row(uint64_t seed, const report *result, const nlm_score scores[LEARNER_SIZES])
{
    const nlm_epoch *epoch = &result->epoch;
    char examples[NLM_NUMBER_TEXT], seconds[NLM_NUMBER_TEXT] = "-", right[LEARNER_SIZES][NLM_NUMBER_TEXT];
    if (!result->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", epoch->elapsed);
    for (int size = 0; size < LEARNER_SIZES; size++)
        nlm_percent_text(scores[size].right, right[size]);
    printf("%6llu  %-9s  %6d  %8d  %9s  %7s  %12s  %12s\n", (unsigned long long)seed,
           result->stage == NLM_GRADUATED ? "yes"
           : result->endless              ? "-"
                                          : "no",
           epoch->epoch, epoch->restarts, nlm_count_text((size_t)epoch->examples, examples), seconds,
           right[0], right[1]);
}

static void print_sum(const subject *of, int seeds, int graduated, int flawless, int asked)
{
    char worlds[NLM_NUMBER_TEXT];
    if (!subject_has_goal(of))
        printf("%s: %d seeds, tested on %s worlds of each size\n", subject_name(of), seeds,
               nlm_count_text((size_t)asked, worlds));
    else
        printf("%s: %d of %d graduated, %d of them without any error on %s worlds of each size\n",
               subject_name(of), graduated, seeds, flawless, nlm_count_text((size_t)asked, worlds));
}

const learner_kind learner_of_tasks = {
    .round = "epoch",
    .recorded = examples_recorded,
    .compare = examples_compare,
    .begin = examples_begin,
    .load = examples_load,
    .end = examples_end,
    .step = examples_step,
    .stage = examples_stage,
    .settings = examples_settings,
    .save_model = examples_save_model,
    .save_checkpoint = examples_save_checkpoint,
    .record = examples_record,
    .recall = examples_recall,
    .log = examples_log_epoch,
    .fraction = examples_fraction,
    .facts = examples_facts,
    .say_graduated = say_graduated,
    .say_exhausted = say_exhausted,
    .sizes = sizes,
    .test = test,
    .print_head = print_head,
    .print_row = print_row,
    .print_sum = print_sum,
};
