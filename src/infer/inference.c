/* Inference: an evaluator that is asked about one world at a time, and its answers as conclusions.
 *
 * A world that cannot fit into the memory that may be used is refused before anything is computed.  Of the
 * answers, the logits of one target at a time are laid out, [objects]^arity of them; a conclusion is put
 * together when it is handed over. */
#include "infer/inference_parts.h"

#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "infer/object_images.h"
#include "nlm/gallery.h"
#include "nlm/game.h"

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

static nlm_status check_engine(const nlm_inference_options *options, nlm_error *error)
{
    if (!nlm_engine_is_built(options->engine))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "this nlm was built without SQLite: install libsqlite3-dev and build it again");
    if (options->database && options->engine == NLM_ENGINE_MACHINE)
        return error_set(error, NLM_BAD_ARGUMENT, "a machine has no database");
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
    if (!status)
        status = check_engine(options, error);
    if (status)
        return status;
    nlm_inference *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->machine = machine;
    made->memory = options->memory > 0 ? options->memory : (double)INFINITY;
    made->name = memory_copy_text(name);
    made->images = options->images ? memory_copy_text(options->images) : NULL;
    made->database = options->database ? memory_copy_text(options->database) : NULL;
    made->wanted = options->engine;
    made->listener = (engine_listener){options->progress, options->progress_context};
    if (!made->name || (options->images && !made->images) || (options->database && !made->database))
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
    answers_drop(inference);
    nlm_program_free(inference->program);
    coverage_free(inference->coverage);
    seen_classes_free(inference->classes);
    nlm_signature_free(inference->signature);
    nlm_world_free(inference->shown);
    memory_free(inference->name);
    memory_free(inference->images);
    memory_free(inference->database);
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
            return status == NLM_NO_MEMORY ? answers_no_memory(world, title, error) : status;
    }
    inference->world = inference->images ? inference->shown : world;
    status = answers_choose(inference, title, error);
    if (!status && inference->coverage)
        status = coverage_ask(inference->coverage, inference->world, inference->memory, error);
    if (!status && inference->classes)
        status = seen_classes_ask(inference->classes, inference->evaluator, inference->memory, error);
    if (status)
        inference->world = NULL;
    return status;
}

/* ---- its conclusions ---- */

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
    answer next = {0};
    nlm_status status = answers_begin(of, target, least, error);
    while (!status && !(status = answers_next(of, &next, error)) && next.found)
        if (nlm_signature_fits(of->signature, predicate, of->world, next.tuple))
            status = tell(of, target, next.number, next.tuple, next.logit, NLM_UNLABELLED, listener, context,
                          error);
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
        status = answers_lay_out(inference, target, false, &count, error);
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

/* Whether some tuple may be beyond the examples. */
static bool may_differ(const nlm_inference *of)
{
    return seen_classes_is_known(of->classes) ||
           (coverage_is_known(of->coverage) && !coverage_is_trivial(of->coverage));
}

static nlm_status count_target(nlm_inference *of, int target, nlm_coverage_count *sum, size_t *first,
                               nlm_error *error)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    answer next = {0};
    nlm_status status = answers_begin(of, target, may_differ(of) ? -(double)INFINITY : 0, error);
    while (!status && !(status = answers_next(of, &next, error)) && next.found) {
        if (!nlm_signature_fits(of->signature, predicate, of->world, next.tuple))
            continue;
        const uint64_t others = differ(of, target, next.number, next.logit);
        const int other = first_of(of, target, others);
        *(next.logit > 0 ? &sum->concluded : &sum->not_concluded) += 1;
        if (coverage_of(of, target, next.number, others) != NLM_BEYOND)
            continue;
        *(next.logit > 0 ? &sum->beyond : &sum->not_beyond) += 1;
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
    for (int target = 0; count->known && target < nlm_signature_targets(inference->signature) && !status;
         target++)
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
    const nlm_status status = answers_lay_out(of, target, false, &count, error);
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
    nlm_status status = answers_lay_out(of, target, true, &count, error);
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
