/* Users' facts as subjects of `nlm train`: learned from the worlds of a problem, judged by what is held out.
 */
#include <string.h>
#include "learner_examples.h"
#include "numbers.h"

enum { FEW_POSITIVES = 10, MOST_NAMED = 3, FACT_SIZE = 200 };

/* ---- texts ---- */

static double held_out_accuracy(const nlm_epoch *epoch)
{
    return epoch->asked > 0 ? (double)(epoch->asked - epoch->failed) / (double)epoch->asked : 1;
}

/* "epoch 12/200  loss 3.2e-05  accuracy 100 %  held out 99.9 %" */
static void facts(const learner *run, char text[LEARNER_FACTS_SIZE])
{
    const nlm_training *training = nlm_trainer_settings(run->trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    char accuracy[NUMBER_TEXT], held_out[NUMBER_TEXT];
    if (epoch->seconds > 0 && epoch->asked > 0)
        snprintf(text, LEARNER_FACTS_SIZE, "epoch %d/%d  loss %.1e  accuracy %s  held out %s", epoch->epoch,
                 training->epochs, epoch->loss, number_percent_text(epoch->accuracy, accuracy),
                 number_percent_text(held_out_accuracy(epoch), held_out));
    else
        examples_facts(run, text);
}

static void print_accuracies(const nlm_epoch *epoch)
{
    char wrong[NUMBER_TEXT], tuples[NUMBER_TEXT], failed[NUMBER_TEXT], asked[NUMBER_TEXT];
    if (epoch->tuples == 0)
        return;
    printf("learned from: %s of %s answers wrong in the last epoch; ", number_count_text(epoch->wrong, wrong),
           number_count_text(epoch->tuples, tuples));
    if (epoch->asked > 0)
        printf("held out: %s of %s answers wrong\n", number_count_text(epoch->failed, failed),
               number_count_text(epoch->asked, asked));
    else
        puts("nothing was held out");
}

static void say_graduated(const subject *of, const char *model, const report *result)
{
    const nlm_epoch *epoch = &result->epoch;
    printf("%s: graduated after %d epoch%s", subject_name(of), epoch->epoch, epoch->epoch == 1 ? "" : "s");
    learner_print_time(result, epoch->elapsed);
    learner_print_restarts(epoch->restarts);
    printf("; loss %.1e, depth %d, breadth %d\n", epoch->loss, of->training.spec.depth,
           of->training.spec.breadth);
    print_accuracies(epoch);
    printf("%s%s; use it: nlm infer %s FACTS\n", model, result->was_done ? " was there already" : "", model);
}

/* ---- why it did not graduate ---- */

static void print_tuple(const nlm_problem *problem, int world, int target, const int *tuple)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const char *name = nlm_problem_world_name(problem, world);
    char text[FACT_SIZE];
    nlm_fact_text(signature, nlm_signature_target(signature, target), nlm_problem_world(problem, world),
                  tuple, text, sizeof text);
    printf("%s", text);
    if (*name != '\0')
        printf(" of %s", name);
}

static bool say_contradictions(const nlm_problem *problem)
{
    const int count = nlm_problem_contradictions(problem);
    if (count == 0)
        return false;
    printf("why: %d label%s contradictory, listed as true and as false:", count,
           count == 1 ? " is" : "s are");
    for (int c = 0; c < count && c < MOST_NAMED; c++) {
        const nlm_contradiction of = nlm_problem_contradiction(problem, c);
        printf(c > 0 ? ", " : " ");
        print_tuple(problem, of.world, of.target, of.tuple);
    }
    puts(count > MOST_NAMED ? ", ..." : "");
    return true;
}

/* What no machine of this size can tell apart. */
static bool say_inseparable(const nlm_training *training, const nlm_needs *needs)
{
    const nlm_spec *spec = &training->spec;
    const nlm_need *need = &needs->breadth[spec->breadth];
    if (need->separation == NLM_SEPARATED && need->depth <= spec->depth)
        return false;
    if (need->separation == NLM_SEPARATED) {
        printf("why: with breadth %d the labels need depth %d at least; this machine has %d\n", spec->breadth,
               need->depth, spec->depth);
        return true;
    }
    if (need->separation == NLM_NOT_TRIED || need->mixed == 0)
        return false;
    printf("why: no machine of breadth %d%s can tell apart ", spec->breadth,
           need->separation == NLM_INSEPARABLE ? "" : " and a depth up to 8");
    print_tuple(training->problem, need->yes.world, need->target, need->yes.tuple);
    printf(", which is true, and ");
    print_tuple(training->problem, need->no.world, need->target, need->no.tuple);
    puts(", which is false; 'nlm check' shows what makes them alike");
    if (needs->best_breadth > spec->breadth)
        printf("  - breadth %d can: --breadth %d --depth %d\n", needs->best_breadth, needs->best_breadth,
               needs->best_depth + 1);
    return true;
}

static bool say_few_positives(const nlm_needs *needs)
{
    if (needs->true_labels >= FEW_POSITIVES)
        return false;
    printf("why: there %s only %zu true label%s to learn from\n", needs->true_labels == 1 ? "is" : "are",
           needs->true_labels, needs->true_labels == 1 ? "" : "s");
    return true;
}

static void say_exhausted(const subject *of, const report *result)
{
    const nlm_training *training = &of->training;
    const nlm_epoch *epoch = &result->epoch;
    const curve_shape shape = curve_shape_of(&result->curve);
    printf("%s: not graduated after %d epochs and %.1f s; loss %.1e, the loss %s\n", subject_name(of),
           epoch->epoch, epoch->elapsed, epoch->loss, curve_shape_text(shape));
    print_accuracies(epoch);
    bool explained = say_contradictions(training->problem);
    if (of->needs != NULL) {
        explained |= say_inseparable(training, of->needs);
        explained |= say_few_positives(of->needs);
    }
    if (!explained)
        puts(epoch->wrong == 0 ? "why: what was learned does not hold for all that was held out"
                               : "why: a machine of this size could, but this one did not");
    puts("what to try:");
    examples_say_what_to_try(training, shape, !explained);
    if (epoch->wrong == 0)
        puts("  - more worlds or labels to learn from");
}

/* ---- tests ---- */

static void sizes(const subject *of, int sizes[LEARNER_SIZES])
{
    (void)of;
    sizes[0] = false; /* not held out */
    sizes[1] = true;
}

static nlm_status test(nlm_machine *machine, const subject *of, int held_out, int count,
                       const nlm_options *options, int (*stop)(void), mark *result, nlm_error *error)
{
    (void)count, (void)stop;
    nlm_test_result seen;
    const nlm_status status = nlm_training_test(&of->training, machine, held_out != 0, options, &seen, error);
    if (status == NLM_OK)
        *result =
            (mark){.asked = seen.worlds, .share = seen.accuracy, .flawless = seen.wrong == 0, .whole = true};
    return status;
}

static void print_head(const int sizes[LEARNER_SIZES])
{
    (void)sizes;
    printf("%6s  %-9s  %6s  %8s  %7s  %12s  %14s\n", "seed", "graduated", "epochs", "restarts", "seconds",
           "right learned", "right held out");
}

static void print_row(uint64_t seed, const report *result, const mark marks[LEARNER_SIZES])
{
    const nlm_epoch *epoch = &result->epoch;
    char seconds[NUMBER_TEXT] = "-", right[LEARNER_SIZES][NUMBER_TEXT];
    if (!result->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", epoch->elapsed);
    for (int size = 0; size < LEARNER_SIZES; size++)
        number_percent_text(marks[size].share, right[size]);
    printf("%6llu  %-9s  %6d  %8d  %7s  %13s  %14s\n", (unsigned long long)seed,
           result->stage == NLM_GRADUATED ? "yes" : "no", epoch->epoch, epoch->restarts, seconds, right[0],
           right[1]);
}

static void print_sum(const subject *of, int seeds, int graduated, int flawless, int asked)
{
    (void)asked;
    printf("%s: %d of %d graduated, %d of them without any error\n", subject_name(of), graduated, seeds,
           flawless);
}

const learner_kind learner_of_facts = {
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
    .facts = facts,
    .say_graduated = say_graduated,
    .say_exhausted = say_exhausted,
    .sizes = sizes,
    .test = test,
    .print_head = print_head,
    .print_row = print_row,
    .print_sum = print_sum,
};
