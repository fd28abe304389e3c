/* Inference: an evaluator that is asked about one world at a time, and its answers as conclusions.
 *
 * A world that cannot fit into the memory that may be used is refused before anything is computed.  Of the
 * answers, the logits of one target at a time are laid out, [objects]^arity of them; a conclusion is put
 * together when it is handed over. */
#include "nlm/infer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/memory.h"
#include "infer/coverage.h"
#include "infer/object_images.h"
#include "infer/seen_classes.h"
#include "logic/guarded.h"
#include "logic/tuple_truth.h"
#include "nlm/game.h"
#include "nlm/gallery.h"
#include "nlm/tools.h"

#define SURE 128.0f /* logit of what a program says */

struct nlm_inference {
    nlm_machine *machine;
    char *name, *images; /* images: NULL for a model without a sense */
    double memory;       /* infinite: no limit */
    nlm_signature *signature;
    nlm_evaluator *evaluator;
    nlm_program *program;   /* of a model that computes it, once a large world was asked about */
    bool looked;            /* for a program */
    tuple_truth *truth;     /* of the program in a large world that was asked about last, or NULL */
    coverage *coverage;     /* of a program; NULL: not known */
    seen_classes *classes;  /* of a machine that has none; NULL: not known */
    const nlm_world *world; /* that was asked about last: the caller's or, with images, `shown`; or NULL */
    nlm_world *shown;
    char note[OBJECT_IMAGES_NOTE];
    buffer logits; /* float [objects]^arity */
    buffer labels; /* signed char, the same */
    buffer values; /* signed char, the same: of a program */
    buffer text;   /* of the last conclusion */
};

/* ---- life ---- */

/* Whether the model concludes at all, and has images if it needs them. */
static nlm_status check(const nlm_machine *machine, const char *name, const char *images, nlm_error *error)
{
    const char *task = nlm_machine_metadata(machine, "task"), *sense = nlm_machine_spec(machine)->sense;
    const nlm_game *game = task ? nlm_game_find(task) : NULL;
    if (game)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%s plays a game, %s: it has moves, not conclusions; 'nlm play %s' shows them", name,
                         game->name, name);
    if (sense && !images)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "%s looks at objects (%s): name the folder of their images, OBJECT.pgm or OBJECT.png "
            "of %d x %d pixels, with --images DIR",
            name, sense, NLM_IMAGE_SIDE, NLM_IMAGE_SIDE);
    if (!sense && images)
        return error_set(error, NLM_BAD_ARGUMENT, "%s reads facts only: --images is for models with a sense",
                         name);
    return NLM_OK;
}

nlm_status nlm_inference_new(nlm_machine *machine, const char *name, const nlm_inference_options *options,
                             nlm_inference **inference, nlm_error *error)
{
    REQUIRE(inference, error);
    static const nlm_inference_options usual = {0};
    *inference = NULL;
    REQUIRE(machine && name, error);
    options = options ? options : &usual;
    nlm_status status = check(machine, name, options->images, error);
    if (status)
        return status;
    nlm_inference *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->machine = machine;
    made->memory = options->memory > 0 ? options->memory : (double)INFINITY;
    made->name = memory_copy_text(name);
    made->images = options->images ? memory_copy_text(options->images) : NULL;
    if (!made->name || (options->images && !made->images))
        status = error_no_memory(error);
    if (!status)
        status = nlm_signature_of_model(machine, name, &made->signature, error);
    if (!status)
        status = nlm_world_new(&made->shown, error);
    if (!status)
        status = nlm_evaluator_new(machine, &options->options, &made->evaluator, error);
    if (!status && options->coverage)
        status = coverage_new(machine, name, &made->coverage, error);
    const char *classes = nlm_machine_metadata(machine, CLASSES_KEY);
    if (!status && options->coverage && !made->coverage && classes)
        status = seen_classes_parse(classes, name, machine, &made->classes, error);
    if (status)
        nlm_inference_free(made);
    else
        *inference = made;
    return status;
}

void nlm_inference_free(nlm_inference *inference)
{
    if (!inference)
        return;
    nlm_evaluator_free(inference->evaluator);
    tuple_truth_free(inference->truth);
    nlm_program_free(inference->program);
    coverage_free(inference->coverage);
    seen_classes_free(inference->classes);
    nlm_signature_free(inference->signature);
    nlm_world_free(inference->shown);
    memory_free(inference->name);
    memory_free(inference->images);
    buffer_free(&inference->logits);
    buffer_free(&inference->labels);
    buffer_free(&inference->values);
    buffer_free(&inference->text);
    memory_free(inference);
}

const nlm_signature *nlm_inference_signature(const nlm_inference *inference)
{
    return inference->signature;
}

const char *nlm_inference_note(const nlm_inference *inference)
{
    return inference->note;
}

/* ---- a world ---- */

#define INSTEAD "split the facts into smaller worlds, or train with a smaller --breadth"

/* Of the tuples of the largest target, so many bytes each. */
static double memory_of_tuples(const nlm_inference *of, int objects, double bytes)
{
    double largest = 0;
    for (int target = 0; target < nlm_signature_targets(of->signature); target++)
        largest = fmax(largest, pow(objects, nlm_signature_target(of->signature, target)->objects));
    return bytes * largest;
}

/* The least memory that a world of so many objects takes, with the logits of its largest target. */
static double memory_of(const nlm_inference *of, int objects)
{
    return nlm_structure_memory(of->machine, objects) + memory_of_tuples(of, objects, sizeof(float));
}

static nlm_status check_memory(const nlm_inference *of, const char *title, nlm_error *error)
{
    const int objects = nlm_world_objects(of->world);
    const double needed = memory_of(of, objects);
    if (needed <= of->memory && !isinf(needed))
        return NLM_OK;
    int fits = nlm_structure_largest(of->machine, of->memory);
    while (fits > 0 && memory_of(of, fits) > of->memory)
        fits--;
    char text[2][NLM_NUMBER_TEXT];
    if (isinf(of->memory))
        return error_set(error, NLM_NO_MEMORY,
                         "%.100s has %d objects: with %.100s a world can have %d at most; " INSTEAD, title,
                         objects, of->name, fits);
    return error_set(
        error, NLM_NO_MEMORY,
        "%.100s has %d objects: with %.100s that takes %s, and %s are free, enough for %d objects "
        "at most; " INSTEAD,
        title, objects, of->name, isinf(needed) ? "more than any memory" : nlm_memory_text(needed, text[0]),
        nlm_memory_text(of->memory, text[1]), fits);
}

static nlm_status no_memory(const nlm_world *world, const char *title, nlm_error *error)
{
    return error_set(error, NLM_NO_MEMORY, "%.200s: not enough memory for its %d objects; " INSTEAD, title,
                     nlm_world_objects(world));
}

/* The program of the file, if a proof shows that the machine computes it, and it asks about near objects
 * only: such programs take little time in a world of any size.  What is wrong with the rules is of no matter
 * here: the machine answers then. */
static nlm_status look_for_program(nlm_inference *of, nlm_error *error)
{
    nlm_proof *proof = NULL;
    nlm_error cause;
    of->looked = true;
    if (of->images || !nlm_machine_has_program(of->machine))
        return NLM_OK;
    nlm_status status = nlm_prove_model(of->machine, of->name, &proof, &cause);
    if (!status && proof->verdict == NLM_PROVED)
        status = nlm_program_in(of->machine, of->name, &of->program, &cause);
    bool near = !status;
    for (int t = 0; of->program && t < of->program->target_count; t++)
        near &= formula_reach(of->program, program_at(of->program, of->program->target[t])->body) >= 0;
    if (!near) {
        nlm_program_free(of->program);
        of->program = NULL;
    }
    nlm_proof_free(proof);
    return status == NLM_NO_MEMORY ? error_no_memory(error) : NLM_OK;
}

/* In large worlds a program is quicker than its machine, and gives the same answers. */
static nlm_status ask_program(nlm_inference *of, nlm_error *error)
{
    const int objects = nlm_world_objects(of->world);
    const double values = memory_of_tuples(of, objects, sizeof(float) + 2);
    nlm_status status = NLM_OK;
    tuple_truth_free(of->truth);
    of->truth = NULL;
    if (objects < TUPLE_TRUTH_OBJECTS || values > of->memory)
        return NLM_OK;
    if (!of->looked)
        status = look_for_program(of, error);
    return status || !of->program ? status : tuple_truth_new(of->program, of->world, &of->truth, error);
}

static nlm_status evaluate(nlm_inference *of, const char *title, nlm_error *error)
{
    nlm_error cause;
    nlm_evaluator_clear(of->evaluator);
    nlm_status status = nlm_evaluator_add(of->evaluator, of->world, &cause);
    if (!status)
        status = nlm_evaluator_run(of->evaluator, false, &cause);
    if (status == NLM_NO_MEMORY)
        return no_memory(of->world, title, error);
    return status ? error_set(error, status, "%.200s: %.300s", title, cause.message) : NLM_OK;
}

nlm_status nlm_inference_ask(nlm_inference *inference, const nlm_world *world, const char *name,
                             const char *title, nlm_error *error)
{
    REQUIRE(inference && world && name && title, error);
    nlm_status status = NLM_OK;
    inference->world = NULL;
    inference->note[0] = '\0';
    if (inference->images) {
        nlm_world_clear(inference->shown);
        status = object_images_show(inference->images, name, title, world, inference->shown, inference->note,
                                    error);
        if (status)
            return status == NLM_NO_MEMORY ? no_memory(world, title, error) : status;
    }
    inference->world = inference->images ? inference->shown : world;
    status = ask_program(inference, error);
    if (!status && !inference->truth)
        status = check_memory(inference, title, error);
    if (!status && !inference->truth)
        status = evaluate(inference, title, error);
    if (!status && inference->coverage)
        status = coverage_ask(inference->coverage, inference->world, inference->memory, error);
    if (!status && inference->classes)
        status = seen_classes_ask(inference->classes, inference->evaluator, inference->memory, error);
    if (status)
        inference->world = NULL;
    return status;
}

/* ---- its conclusions ---- */

/* Those of a program are as sure as can be. */
static nlm_status program_logits(nlm_inference *of, int target, size_t count, nlm_error *error)
{
    const program_predicate *definition = program_at(of->program, of->program->target[target]);
    if (buffer_reserve(&of->values, count, 1, false))
        return error_no_memory(error);
    const nlm_status status =
        tuple_truth_values(of->truth, definition->body, definition->arity, of->values.data, error);
    const signed char *values = of->values.data;
    for (size_t t = 0; t < count && !status; t++)
        ((float *)of->logits.data)[t] = values[t] ? SURE : -SURE;
    return status;
}

/* Logits of a target and, if they are wanted, its labels; `count` of each. */
static nlm_status lay_out(nlm_inference *of, int target, bool labelled, size_t *count, nlm_error *error)
{
    const int arity = nlm_signature_target(of->signature, target)->objects;
    *count = nlm_tuple_count(nlm_world_objects(of->world), arity);
    if (buffer_reserve(&of->logits, *count, sizeof(float), false) ||
        (labelled && buffer_reserve(&of->labels, *count, 1, false)))
        return no_memory(of->world, nlm_signature_target(of->signature, target)->name, error);
    if (labelled)
        nlm_world_all_labels(of->world, target, of->labels.data);
    return of->truth ? program_logits(of, target, *count, error)
                     : nlm_pass_logits(nlm_evaluator_pass(of->evaluator), 0, target, of->logits.data, error);
}

/* The atom of a tuple, in `text`. */
static nlm_status write_atom(nlm_inference *of, const nlm_predicate *predicate, const int *tuple,
                             nlm_error *error)
{
    size_t length;
    while ((length = nlm_fact_text(of->signature, predicate, of->world, tuple, of->text.data,
                                   of->text.capacity)) >= of->text.capacity)
        if (buffer_reserve(&of->text, length + 1, 1, false))
            return error_no_memory(error);
    return NLM_OK;
}

/* Bits of the target's alternatives, and of the bounds by its rows, that answer otherwise. */
static uint64_t differ(const nlm_inference *of, int target, size_t number, float logit)
{
    return coverage_is_known(of->coverage) ? coverage_differ(of->coverage, target, number, logit > 0) : 0;
}

/* The first alternative of these, as a number of all; -1: there is none. */
static int first_of(const nlm_inference *of, int target, uint64_t others)
{
    int first, count;
    if (!(uint32_t)others)
        return -1;
    coverage_range(of->coverage, target, &first, &count);
    return first + __builtin_ctz((uint32_t)others);
}

/* What no example had, by which others answer otherwise. */
static const char *words_of(const nlm_inference *of, int target, uint64_t others)
{
    const nlm_alternative *first =
        nlm_alternatives_at(coverage_alternatives(of->coverage), first_of(of, target, others));
    const char *unseen = others >> COVERAGE_LEAST ? coverage_case(of->coverage, target, 0) : NULL;
    return first && (*first->words || !unseen) ? first->words : unseen ? unseen : "";
}

/* Whether examples decide the answer about a tuple; `others` are the bits of differ(). */
static nlm_coverage coverage_of(const nlm_inference *of, int target, size_t number, uint64_t others)
{
    if (seen_classes_is_known(of->classes))
        return seen_classes_have(of->classes, target, number) ? NLM_COVERED : NLM_BEYOND;
    return !coverage_is_known(of->coverage) ? NLM_COVERAGE_UNKNOWN : others ? NLM_BEYOND : NLM_COVERED;
}

/* `number` is that of the tuple. */
static nlm_status tell(nlm_inference *of, int target, size_t number, const int *tuple, float logit,
                       nlm_label label, nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    const char *arguments[NLM_MAX_FACT_ARITY];
    for (int k = 0; k < predicate->arity; k++)
        arguments[k] = nlm_signature_atom(of->signature, of->world, tuple[predicate->place[k]]);
    const nlm_status status = write_atom(of, predicate, tuple, error);
    const uint64_t others = differ(of, target, number, logit);
    const nlm_conclusion conclusion = {.text = of->text.data,
                                       .target = target,
                                       .tuple = tuple,
                                       .arguments = arguments,
                                       .probability = 1 / (1 + exp(-(double)logit)),
                                       .label = label,
                                       .coverage = coverage_of(of, target, number, others),
                                       .alternative = first_of(of, target, others),
                                       .no_example_had = words_of(of, target, others)};
    return status ? status : listener(context, &conclusion, error);
}

/* Conclusions of one target whose logits are above `least`. */
static nlm_status conclude_target(nlm_inference *of, int target, double least,
                                  nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    const int objects = nlm_world_objects(of->world);
    size_t count;
    nlm_status status = lay_out(of, target, false, &count, error);
    const float *logits = of->logits.data;
    for (size_t t = 0; t < count && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        if ((double)logits[t] > least && nlm_tuple_at(objects, predicate->objects, t, tuple) &&
            nlm_signature_fits(of->signature, predicate, of->world, tuple))
            status = tell(of, target, t, tuple, logits[t], NLM_UNLABELLED, listener, context, error);
    }
    return status;
}

static nlm_status check_asked(const nlm_inference *inference, nlm_error *error)
{
    return inference->world ? NLM_OK : error_set(error, NLM_BAD_ARGUMENT, "no world has been asked about");
}

/* A probability is above `least` where the logit is above the logarithm of its odds. */
nlm_status nlm_inference_conclude(nlm_inference *inference, double least, nlm_conclusion_listener listener,
                                  void *context, nlm_error *error)
{
    REQUIRE(inference && listener, error);
    const double least_logit = least < 0 ? -(double)INFINITY : log(least / (1 - least));
    nlm_status status = check_asked(inference, error);
    for (int target = 0; target < nlm_signature_targets(inference->signature) && !status; target++)
        status = conclude_target(inference, target, least_logit, listener, context, error);
    return status;
}

nlm_status nlm_inference_probabilities(nlm_inference *inference, int target, float *probabilities,
                                       nlm_error *error)
{
    REQUIRE(inference && probabilities, error);
    const nlm_predicate *predicate = nlm_signature_target(inference->signature, target);
    size_t count;
    nlm_status status = check_asked(inference, error);
    if (!status && !predicate)
        status = error_set(error, NLM_BAD_ARGUMENT, "no target %d", target);
    if (!status)
        status = lay_out(inference, target, false, &count, error);
    for (size_t t = 0; !status && t < count; t++) {
        int tuple[NLM_MAX_BREADTH];
        const bool counts = nlm_tuple_at(nlm_world_objects(inference->world), predicate->objects, t, tuple) &&
                            nlm_signature_fits(inference->signature, predicate, inference->world, tuple);
        const double logit = ((const float *)inference->logits.data)[t];
        probabilities[t] = counts ? (float)(1 / (1 + exp(-logit))) : 0;
    }
    return status;
}

/* ---- beyond the examples ---- */

nlm_coverage_basis nlm_inference_coverage(const nlm_inference *inference)
{
    if (!inference)
        return NLM_COVERAGE_NONE;
    return inference->coverage  ? NLM_COVERAGE_RULES
           : inference->classes ? NLM_COVERAGE_CLASSES
                                : NLM_COVERAGE_NONE;
}

const char *nlm_inference_never_seen(const nlm_inference *inference, int target, int number)
{
    return inference && coverage_is_known(inference->coverage)
               ? coverage_case(inference->coverage, target, number)
               : NULL;
}

const nlm_alternatives *nlm_inference_alternatives(const nlm_inference *inference)
{
    return inference ? coverage_alternatives(inference->coverage) : NULL;
}

static nlm_status count_target(nlm_inference *of, int target, nlm_coverage_count *sum, size_t *first,
                               nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    const int objects = nlm_world_objects(of->world);
    size_t count;
    const nlm_status status = lay_out(of, target, false, &count, error);
    const float *logits = of->logits.data;
    for (size_t t = 0; t < count && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        if (!nlm_tuple_at(objects, predicate->objects, t, tuple) ||
            !nlm_signature_fits(of->signature, predicate, of->world, tuple))
            continue;
        const uint64_t others = differ(of, target, t, logits[t]);
        const int other = first_of(of, target, others);
        *(logits[t] > 0 ? &sum->concluded : &sum->not_concluded) += 1;
        if (coverage_of(of, target, t, others) != NLM_BEYOND)
            continue;
        *(logits[t] > 0 ? &sum->beyond : &sum->not_beyond) += 1;
        if (first && other >= 0)
            first[other]++;
    }
    return status;
}

nlm_status nlm_inference_count_coverage(nlm_inference *inference, nlm_coverage_count *count, size_t *first,
                                        nlm_error *error)
{
    REQUIRE(inference && count, error);
    nlm_status status = check_asked(inference, error);
    count->known = coverage_is_known(inference->coverage) || seen_classes_is_known(inference->classes);
    for (int target = 0; target < nlm_signature_targets(inference->signature) && !status; target++)
        status = count_target(inference, target, count, first, error);
    return status;
}

/* A tuple that tells programs apart. */
typedef struct telling {
    int target, score;
    size_t tuple;
    uint32_t others;
    bool concluded;
} telling;

enum { MOST_TELLING = 4096 }; /* different sets of alternatives that are remembered */

static int by_score(const void *a, const void *b)
{
    const telling *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->target != y->target)
        return x->target - y->target;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

/* The first tuple of each set of alternatives.  Whatever the answer is, at least `score` of the programs
 * (the model's is one) are refuted. */
static nlm_status find_telling(nlm_inference *of, int target, telling *list, int *found, nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    int first, alternatives;
    size_t count;
    const nlm_status status = lay_out(of, target, false, &count, error);
    const float *logits = of->logits.data;
    const int before = *found;
    coverage_range(of->coverage, target, &first, &alternatives);
    for (size_t t = 0; t < count && !status; t++) {
        int tuple[NLM_MAX_BREADTH], at = before;
        const uint32_t others = (uint32_t)differ(of, target, t, logits[t]);
        if (!others || !nlm_tuple_at(nlm_world_objects(of->world), predicate->objects, t, tuple) ||
            !nlm_signature_fits(of->signature, predicate, of->world, tuple))
            continue;
        while (at < *found && list[at].others != others)
            at++;
        if (at < *found || *found == MOST_TELLING)
            continue;
        const int against = __builtin_popcount(others), with = 1 + alternatives - against;
        list[(*found)++] = (telling){target, against < with ? against : with, t, others, logits[t] > 0};
    }
    return status;
}

static nlm_status ask_listener(nlm_inference *of, const telling *one, nlm_question_listener listener,
                               void *context, nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, one->target);
    int tuple[NLM_MAX_BREADTH], first, alternatives;
    nlm_tuple_at(nlm_world_objects(of->world), predicate->objects, one->tuple, tuple);
    coverage_range(of->coverage, one->target, &first, &alternatives);
    const nlm_status status = write_atom(of, predicate, tuple, error);
    const nlm_question question = {.text = of->text.data,
                                   .target = one->target,
                                   .tuple = tuple,
                                   .concluded = one->concluded,
                                   .alternatives = alternatives,
                                   .others = __builtin_popcount(one->others),
                                   .other = nlm_alternatives_at(coverage_alternatives(of->coverage),
                                                                first_of(of, one->target, one->others))};
    return status ? status : listener(context, &question, error);
}

nlm_status nlm_inference_questions(nlm_inference *inference, int most, nlm_question_listener listener,
                                   void *context, nlm_error *error)
{
    REQUIRE(inference && listener, error);
    nlm_status status = check_asked(inference, error);
    if (status || !coverage_is_known(inference->coverage))
        return status;
    telling *list = memory_new(MOST_TELLING, sizeof *list);
    int found = 0;
    if (!list)
        return error_no_memory(error);
    for (int target = 0; target < nlm_signature_targets(inference->signature) && !status; target++)
        status = find_telling(inference, target, list, &found, error);
    qsort(list, (size_t)found, sizeof *list, by_score);
    for (int i = 0; i < found && i < most && !status; i++)
        status = ask_listener(inference, &list[i], listener, context, error);
    memory_free(list);
    return status;
}

/* ---- against labels ---- */

static nlm_status compare_target(nlm_inference *of, int target, nlm_agreement *sum,
                                 nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    const int objects = nlm_world_objects(of->world);
    const int arity = nlm_signature_target(of->signature, target)->objects;
    size_t count;
    nlm_status status = lay_out(of, target, true, &count, error);
    const float *logits = of->logits.data;
    const signed char *labels = of->labels.data;
    for (size_t t = 0; t < count && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        if (labels[t] == NLM_UNLABELLED || !nlm_tuple_at(objects, arity, t, tuple))
            continue;
        const bool is_true = labels[t] == NLM_TRUE, concluded = logits[t] > 0;
        sum->tuples++;
        sum->wrong += is_true != concluded;
        sum->positives += is_true;
        sum->concluded += concluded;
        sum->both += is_true && concluded;
        if (is_true != concluded && listener)
            status = tell(of, target, t, tuple, logits[t], (nlm_label)labels[t], listener, context, error);
    }
    return status;
}

nlm_status nlm_inference_compare(nlm_inference *inference, nlm_agreement *agreements,
                                 nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    REQUIRE(inference && agreements, error);
    nlm_status status = check_asked(inference, error);
    for (int target = 0; target < nlm_signature_targets(inference->signature) && !status; target++)
        status = compare_target(inference, target, &agreements[target], listener, context, error);
    return status;
}
