/* Users' facts as subjects of `nlm train`: learned from the worlds of a problem, judged by what is held out.
 */
#include <string.h>
#include "learner_examples.h"
#include "nlm/tools.h"

enum { FEW_POSITIVES = 10, MOST_NAMED = 3, FACT_SIZE = 200 };
enum { DEPTH_TO_SPARE = 1 }; /* more than the labels need, as 'nlm train' takes by itself */

/* ---- texts ---- */

static double held_out_accuracy(const nlm_epoch *epoch)
{
    return epoch->asked > 0 ? (double)(epoch->asked - epoch->failed) / (double)epoch->asked : 1;
}

/* "epoch 12/200  loss 3.2e-05  accuracy 100 %  held out 99.9 %" */
static void facts(const learner *run, char text[LEARNER_FACTS_SIZE])
{
    const nlm_settings *training = nlm_trainer_settings(run->trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(run->trainer);
    char accuracy[NLM_NUMBER_TEXT], held_out[NLM_NUMBER_TEXT];
    if (epoch->seconds > 0 && epoch->asked > 0)
        snprintf(text, LEARNER_FACTS_SIZE, "epoch %d/%d  loss %.1e  accuracy %s  held out %s", epoch->epoch,
                 training->epochs, epoch->loss, nlm_percent_text(epoch->accuracy, accuracy),
                 nlm_percent_text(held_out_accuracy(epoch), held_out));
    else
        examples_facts(run, text);
}

static void print_accuracies(const nlm_epoch *epoch)
{
    char wrong[NLM_NUMBER_TEXT], tuples[NLM_NUMBER_TEXT], failed[NLM_NUMBER_TEXT], asked[NLM_NUMBER_TEXT];
    if (epoch->tuples == 0)
        return;
    printf("learned from: %s of %s answers wrong in the last epoch; ", nlm_count_text(epoch->wrong, wrong),
           nlm_count_text(epoch->tuples, tuples));
    if (epoch->asked > 0)
        printf("held out: %s of %s answers wrong\n", nlm_count_text(epoch->failed, failed),
               nlm_count_text(epoch->asked, asked));
    else
        puts("nothing was held out");
}

static void say_graduated(const subject *of, const char *model, const report *result)
{
    const nlm_epoch *epoch = &result->epoch;
    printf("%s: graduated after %d epoch%s", subject_name(of), epoch->epoch, epoch->epoch == 1 ? "" : "s");
    learner_print_time(result, epoch->elapsed);
    learner_print_restarts(epoch->restarts);
    printf("; loss %.1e", epoch->loss);
    if (of->training.spec.model == NULL)
        printf(", depth %d, breadth %d", of->training.spec.depth, of->training.spec.breadth);
    putchar('\n');
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

/* Why a run did not graduate, as far as the labels tell; what they need is known for machines only. */
typedef struct reasons {
    bool contradictory;
    bool too_shallow;
    const nlm_need *alike; /* two tuples that no machine of this size can tell apart */
    bool few_positives;
} reasons;

static reasons find_reasons(const nlm_settings *training, const nlm_needs *needs)
{
    reasons found = {.contradictory = nlm_problem_contradictions(training->problem) > 0,
                     .few_positives = needs != NULL && needs->true_labels < FEW_POSITIVES};
    if (needs == NULL || training->spec.model != NULL)
        return found;
    const nlm_need *need = &needs->breadth[training->spec.breadth];
    const bool too_small = training->spec.depth <= need->depth; /* as far as was looked */
    found.too_shallow = need->separation == NLM_SEPARATED && training->spec.depth < need->depth;
    if (need->mixed > 0 &&
        (need->separation == NLM_INSEPARABLE || (need->separation == NLM_UNSEPARATED && too_small)))
        found.alike = need;
    return found;
}

static void say_contradictions(const nlm_problem *problem)
{
    const int count = nlm_problem_contradictions(problem);
    printf("why: %d label%s listed as true and as false, and taken to be true:", count,
           count == 1 ? " is" : "s are");
    for (int c = 0; c < count && c < MOST_NAMED; c++) {
        const nlm_contradiction of = nlm_problem_contradiction(problem, c);
        printf(c > 0 ? ", " : " ");
        print_tuple(problem, of.world, of.target, of.tuple);
    }
    puts(count > MOST_NAMED ? ", ..." : "");
}

static void say_alike(const nlm_settings *training, const nlm_need *need)
{
    printf("why: no machine of breadth %d", training->spec.breadth);
    if (need->separation == NLM_UNSEPARATED)
        printf(" and a depth up to %d", need->depth);
    printf(" can tell apart ");
    print_tuple(training->problem, need->yes.world, need->target, need->yes.tuple);
    printf(", which is true, and ");
    print_tuple(training->problem, need->no.world, need->target, need->no.tuple);
    puts(", which is false; 'nlm check' shows what makes them alike");
}

/* Where the labels do not tell.  Of a run that was taken up with nothing left to do, nobody knows. */
static const char *other_reason(const nlm_spec *spec, const nlm_epoch *epoch)
{
    if (epoch->failed > 0 && epoch->wrong == 0)
        return "what was learned does not hold for all that was held out";
    if (epoch->wrong == 0)
        return "the answers are right, but not yet sure enough";
    if (spec->program != NULL)
        return "the templates allow no such program, or these weights did not find it";
    return spec->model != NULL
               ? "this memory network did not; whether a larger one could is not known beforehand"
               : "a machine of this size could, but this one did not";
}

static void say_why(const subject *of, const nlm_epoch *epoch, const reasons *found)
{
    const nlm_settings *training = &of->training;
    if (found->contradictory)
        say_contradictions(training->problem);
    if (found->too_shallow)
        printf("why: with breadth %d the labels need depth %d at least; this machine has %d\n",
               training->spec.breadth, of->needs->breadth[training->spec.breadth].depth,
               training->spec.depth);
    if (found->alike != NULL)
        say_alike(training, found->alike);
    if (found->few_positives)
        printf("why: there %s only %zu true label%s to learn from\n",
               of->needs->true_labels == 1 ? "is" : "are", of->needs->true_labels,
               of->needs->true_labels == 1 ? "" : "s");
    if (!found->contradictory && !found->too_shallow && found->alike == NULL && !found->few_positives &&
        epoch->tuples > 0)
        printf("why: %s\n", other_reason(&training->spec, epoch));
}

/* The next larger breadth that separates the labels, or else a smaller one; 0 if there is none. */
static int other_breadth(const nlm_needs *needs, int breadth)
{
    int other = 0;
    for (int b = NLM_MAX_BREADTH; b > 0 && needs != NULL; b--) {
        if (b != breadth && needs->breadth[b].separation == NLM_SEPARATED && (b > breadth || other == 0))
            other = b;
    }
    return other;
}

static void say_what_to_try(const subject *of, const report *result, const reasons *found)
{
    const nlm_settings *training = &of->training;
    const bool hopeless = found->alike != NULL || found->too_shallow; /* no weights are right */
    int other = other_breadth(of->needs, training->spec.breadth);
    if (training->spec.model != NULL || found->too_shallow || (found->few_positives && !hopeless))
        other = 0; /* there is something better to try */
    puts("what to try:");
    if (found->contradictory)
        puts("  - correct the labels that are listed as true and as false");
    if (found->few_positives)
        puts("  - more true labels");
    else if (result->epoch.failed > 0 && result->epoch.wrong == 0 && !hopeless)
        puts("  - more worlds or labels to learn from");
    if (found->too_shallow)
        printf("  - a deeper machine: --depth %d\n",
               of->needs->breadth[training->spec.breadth].depth + DEPTH_TO_SPARE);
    if (other > 0)
        printf("  - another breadth: --breadth %d --depth %d\n", other,
               of->needs->breadth[other].depth + DEPTH_TO_SPARE);
    if (found->alike != NULL && other == 0)
        puts("  - facts or predicates that tell the two apart, or labels that are the same for both");
    if (found->alike != NULL && found->alike->separation == NLM_UNSEPARATED)
        printf("  - a deeper machine, which may: --depth %d\n", found->alike->depth + 1);
    if (!hopeless)
        examples_say_what_to_try(training, result->epoch.epoch, curve_shape_of(&result->curve),
                                 !found->few_positives);
}

static void say_exhausted(const subject *of, const report *result)
{
    const nlm_epoch *epoch = &result->epoch;
    const reasons found = find_reasons(&of->training, of->needs);
    printf("%s: not graduated after %d epoch%s and %.1f s; loss %.1e, the loss %s\n", subject_name(of),
           epoch->epoch, epoch->epoch == 1 ? "" : "s", epoch->elapsed, epoch->loss,
           curve_shape_text(curve_shape_of(&result->curve)));
    print_accuracies(epoch);
    say_why(of, epoch, &found);
    say_what_to_try(of, result, &found);
}

/* ---- tests ---- */

static void sizes(const subject *of, int sizes[LEARNER_SIZES])
{
    (void)of;
    sizes[0] = false; /* not held out */
    sizes[1] = true;
}

static nlm_status test(nlm_machine *machine, const subject *of, int held_out, int count,
                       const nlm_options *options, int (*stop)(void), nlm_score *result, nlm_error *error)
{
    (void)count;
    nlm_test *going;
    const nlm_status status =
        nlm_test_of_problem(machine, &of->training, held_out != 0, options, &going, error);
    return learner_test(status, going, nlm_problem_worlds(of->training.problem), stop, result, error);
}

static void print_head(const int sizes[LEARNER_SIZES])
{
    (void)sizes;
    printf("%6s  %-9s  %6s  %8s  %7s  %12s  %14s\n", "seed", "graduated", "epochs", "restarts", "seconds",
           "right learned", "right held out");
}

static void print_row(uint64_t seed, const report *result, const nlm_score scores[LEARNER_SIZES])
{
    const nlm_epoch *epoch = &result->epoch;
    char seconds[NLM_NUMBER_TEXT] = "-", right[LEARNER_SIZES][NLM_NUMBER_TEXT];
    if (!result->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", epoch->elapsed);
    for (int size = 0; size < LEARNER_SIZES; size++)
        nlm_percent_text(scores[size].right, right[size]);
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
