/* Where answers come from.
 *
 * A world that cannot fit into the memory that may be used is refused before anything is computed.  Of the
 * answers of machines the logits of one target at a time are laid out, [objects]^arity of them. */
#include "infer/inference_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "logic/guarded.h"
#include "nlm/tools.h"

#define SURE 128.0f /* logit of what a program says */

/* ---- the machine ---- */

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
    nlm_memory_text(of->memory, text[1]);
    if (isinf(needed))
        return error_set(
            error, NLM_NO_MEMORY,
            "%.100s has %d objects: with %.100s the tuples of %d at most can be numbered, and %s are "
            "free, enough for %d objects; " INSTEAD,
            title, objects, of->name, nlm_structure_largest(of->machine, DBL_MAX), text[1], fits);
    return error_set(
        error, NLM_NO_MEMORY,
        "%.100s has %d objects: with %.100s that takes %s, and %s are free, enough for %d objects "
        "at most; " INSTEAD,
        title, objects, of->name, nlm_memory_text(needed, text[0]), text[1], fits);
}

nlm_status answers_no_memory(const nlm_world *world, const char *title, nlm_error *error)
{
    return error_set(error, NLM_NO_MEMORY, "%.200s: not enough memory for its %d objects; " INSTEAD, title,
                     nlm_world_objects(world));
}

static nlm_status evaluate(nlm_inference *of, const char *title, nlm_error *error)
{
    nlm_error cause;
    nlm_evaluator_clear(of->evaluator);
    nlm_status status = nlm_evaluator_add(of->evaluator, of->world, &cause);
    if (!status)
        status = nlm_evaluator_run(of->evaluator, false, &cause);
    if (status == NLM_NO_MEMORY)
        return answers_no_memory(of->world, title, error);
    return status ? error_set(error, status, "%.200s: %.300s", title, cause.message) : NLM_OK;
}

/* ---- the program ---- */

/* The program of the file, if a proof shows that the machine computes it.  What is wrong with the rules is of
 * no matter here: the machine answers then. */
static nlm_status look_for_program(nlm_inference *of, nlm_error *error)
{
    nlm_proof *proof = NULL;
    nlm_error cause;
    if (of->looked || of->images || !nlm_machine_has_program(of->machine))
        return NLM_OK;
    of->looked = true;
    nlm_status status = nlm_prove_model(of->machine, of->name, &proof, &cause);
    if (!status && proof->verdict == NLM_PROVED)
        status = nlm_program_in(of->machine, of->name, &of->program, &cause);
    of->near = of->program;
    for (int t = 0; of->program && t < of->program->target_count; t++)
        of->near &= formula_reach(of->program, program_at(of->program, of->program->target[t])->body) >= 0;
    nlm_proof_free(proof);
    return status == NLM_NO_MEMORY ? error_no_memory(error) : NLM_OK;
}

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

static nlm_status engine_logits(nlm_inference *of, int target, size_t count, nlm_error *error)
{
    const int arity = nlm_signature_target(of->signature, target)->objects;
    float *logits = of->logits.data;
    int tuple[NLM_MAX_BREADTH];
    bool found = true;
    for (size_t t = 0; t < count; t++)
        logits[t] = -SURE;
    nlm_status status = engine_begin(of->engine, target, error);
    while (!status && !(status = engine_next(of->engine, tuple, &found, error)) && found)
        logits[nlm_tuple_number(nlm_world_objects(of->world), arity, tuple)] = SURE;
    return status;
}

/* ---- the choice ---- */

/* Tuples that the way without joins would compute: by a program those of the targets, by the machine those of
 * the largest arity. */
static double tuples_without(const nlm_inference *of, int objects, bool truth)
{
    return truth ? memory_of_tuples(of, objects, 1) : pow(objects, nlm_machine_spec(of->machine)->breadth);
}

static nlm_status refuse_engine(const nlm_inference *of, const char *title, double rows, const char *worst,
                                nlm_error *error)
{
    return error_set(
        error, NLM_BAD_ARGUMENT,
        "%.100s has %d objects: joins would read about %.0e rows, too many (at most %.0e), most of them "
        "for %.180s",
        title, nlm_world_objects(of->world), rows, ENGINE_MOST_ROWS, worst);
}

/* The joins of the program, if they are wanted or cheaper. */
static nlm_status choose_engine(nlm_inference *of, const char *title, bool truth, bool fits, nlm_error *error)
{
    const bool wanted = of->wanted == NLM_ENGINE_SQLITE || of->database;
    nlm_error cause;
    join_engine *made = NULL;
    const char *worst = "";
    if (wanted && !of->program)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "%.200s: joins need rules that are proved to be what the model computes; 'nlm prove' says "
            "what is missing",
            of->name);
    if (!of->program || !nlm_engine_is_built(NLM_ENGINE_SQLITE) || (of->classes && !wanted))
        return NLM_OK;
    nlm_status status = engine_new(of->program, of->world, &made, &cause);
    if (status)
        return status == NLM_NO_MEMORY ? error_no_memory(error)
               : wanted                ? error_set(error, status, "%.300s", cause.message)
                                       : NLM_OK;
    const double rows = engine_rows(made, &worst);
    const double other = fits ? tuples_without(of, nlm_world_objects(of->world), truth) : (double)INFINITY;
    if (rows > ENGINE_MOST_ROWS && (wanted || !fits))
        status = refuse_engine(of, title, rows, worst, error);
    else if (wanted || rows < other) {
        status = engine_load(made, of->database, &of->listener, error);
        of->engine = status ? NULL : made;
    }
    if (!of->engine)
        engine_free(made);
    return status;
}

/* In large worlds a program is quicker than its machine, and gives the same answers. */
nlm_status answers_choose(nlm_inference *of, const char *title, nlm_error *error)
{
    const int objects = nlm_world_objects(of->world);
    const bool large = objects >= TUPLE_TRUTH_OBJECTS && of->wanted == NLM_ENGINE_BEST;
    const bool joins = of->wanted == NLM_ENGINE_SQLITE || of->database;
    nlm_status status = NLM_OK;
    answers_drop(of);
    if (large || joins)
        status = look_for_program(of, error);
    const bool truth = large && of->near && memory_of_tuples(of, objects, sizeof(float) + 2) <= of->memory;
    const double needed = memory_of(of, objects);
    if (!status && (large || joins))
        status = choose_engine(of, title, truth, truth || (needed <= of->memory && !isinf(needed)), error);
    if (status || of->engine)
        return status;
    if (truth)
        return tuple_truth_new(of->program, of->world, &of->truth, error);
    status = check_memory(of, title, error);
    return status ? status : evaluate(of, title, error);
}

void answers_drop(nlm_inference *of)
{
    tuple_truth_free(of->truth);
    engine_free(of->engine);
    of->truth = NULL;
    of->engine = NULL;
}

/* ---- answers ---- */

/* Logits of a target and, if they are wanted, its labels; `count` of each. */
nlm_status answers_lay_out(nlm_inference *of, int target, bool labelled, size_t *count, nlm_error *error)
{
    const int arity = nlm_signature_target(of->signature, target)->objects;
    *count = nlm_tuple_count(nlm_world_objects(of->world), arity);
    if (buffer_reserve(&of->logits, *count, sizeof(float), false) ||
        (labelled && buffer_reserve(&of->labels, *count, 1, false)))
        return answers_no_memory(of->world, nlm_signature_target(of->signature, target)->name, error);
    if (labelled)
        nlm_world_all_labels(of->world, target, of->labels.data);
    return of->truth ? program_logits(of, target, *count, error)
           : of->engine
               ? engine_logits(of, target, *count, error)
               : nlm_pass_logits(nlm_evaluator_pass(of->evaluator), 0, target, of->logits.data, error);
}

nlm_status answers_begin(nlm_inference *of, int target, double least, nlm_error *error)
{
    struct asking *in = &of->asking;
    *in = (struct asking){.target = target,
                          .arity = nlm_signature_target(of->signature, target)->objects,
                          .objects = nlm_world_objects(of->world),
                          .least = least,
                          .every = least < -(double)SURE,
                          .ended = least >= (double)SURE};
    if (!of->engine)
        return answers_lay_out(of, target, false, &in->count, error);
    in->count = nlm_tuple_count(in->objects, in->arity);
    return engine_begin(of->engine, target, error);
}

/* The next conclusion of the joins waits in `row`. */
static nlm_status wait_for_row(nlm_inference *of, nlm_error *error)
{
    struct asking *in = &of->asking;
    if (in->waits || in->ended)
        return NLM_OK;
    const nlm_status status = engine_next(of->engine, in->row, &in->waits, error);
    in->ended = !in->waits;
    return status;
}

static nlm_status next_joined(nlm_inference *of, answer *next, nlm_error *error)
{
    struct asking *in = &of->asking;
    const nlm_status status = wait_for_row(of, error);
    if (status)
        return status;
    if (!in->every) {
        next->found = in->waits;
        next->logit = SURE;
        memcpy(next->tuple, in->row, sizeof in->row);
        next->number = in->waits ? nlm_tuple_number(in->objects, in->arity, in->row) : 0;
        in->waits = false;
        return NLM_OK;
    }
    while (in->next < in->count && !nlm_tuple_at(in->objects, in->arity, in->next, next->tuple))
        in->next++;
    next->found = in->next < in->count;
    next->number = in->next++;
    const bool concluded = in->waits && !memcmp(next->tuple, in->row, (size_t)in->arity * sizeof(int));
    next->logit = concluded ? SURE : -SURE;
    in->waits &= !concluded;
    return NLM_OK;
}

nlm_status answers_next(nlm_inference *of, answer *next, nlm_error *error)
{
    struct asking *in = &of->asking;
    if (of->engine)
        return next_joined(of, next, error);
    const float *logits = of->logits.data;
    while (in->next < in->count && !((double)logits[in->next] > in->least &&
                                     nlm_tuple_at(in->objects, in->arity, in->next, next->tuple)))
        in->next++;
    next->found = in->next < in->count;
    if (next->found) {
        next->number = in->next;
        next->logit = logits[in->next++];
    }
    return NLM_OK;
}
