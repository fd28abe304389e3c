/* What a run on facts has shown: its answers, and what they say about labels that nobody has asked. */
#include "nlm/evidence.h"

#include <math.h>
#include <stdio.h>
#include "infer/model_program.h"
#include "learn/validation.h"
#include "logic/tuple_truth.h"
#include "nlm/infer.h"
#include "nlm/rules.h"

enum { DOUBT_TEXT = 300 };

const char *nlm_outcome_text(nlm_outcome outcome)
{
    static const char *const texts[] = {
        [NLM_LEARNED] = "learned",
        [NLM_TOO_LITTLE] = "too little to tell",
        [NLM_CONTRADICTORY] = "contradictory",
        [NLM_NOT_LEARNED] = "not learned",
    };
    return outcome >= NLM_LEARNED && outcome <= NLM_NOT_LEARNED ? texts[outcome] : "";
}

/* The probability of at most `wrong` of `asked`, each with probability p, 0 < p < 1. */
static double at_most(size_t asked, size_t wrong, double p)
{
    const double n = (double)asked;
    double sum = 0, term = n * log1p(-p); /* logarithm of the binomial term */
    for (size_t k = 0; k <= wrong; k++) {
        sum += exp(term);
        term += log((n - (double)k) / (double)(k + 1)) + log(p) - log1p(-p);
    }
    return sum;
}

double nlm_share_bound(size_t asked, size_t wrong, double confidence)
{
    double low = 0, high = 1;
    if (wrong >= asked)
        return 1;
    for (int i = 0; i < 60; i++) {
        const double p = (low + high) / 2;
        if (at_most(asked, wrong, p) > 1 - confidence)
            low = p;
        else
            high = p;
    }
    return high;
}

/* How many more labels, all of them right, would be enough. */
static size_t missing(size_t asked, size_t wrong, double allowed)
{
    size_t more = 0;
    while (nlm_share_bound(asked + more, wrong, NLM_EVIDENCE_CONFIDENCE) > allowed)
        more++;
    return more;
}

static bool all_right(nlm_answers answers)
{
    return answers.wrong_positives + answers.wrong_negatives == 0;
}

/* Whether more wrong answers than are allowed must be expected, by these alone. */
static bool are_too_many(size_t asked, size_t wrong, double allowed)
{
    return asked > 0 && 1 - nlm_share_bound(asked, asked - wrong, NLM_EVIDENCE_CONFIDENCE) > allowed;
}

/* The share of labels that a program contradicts which was chosen by literals and errors. */
static double noise_of(const nlm_evidence *e)
{
    const double labels = (double)(e->learned.positives + e->learned.negatives);
    const double wrong = (double)(e->learned.wrong_positives + e->learned.wrong_negatives);
    return e->noisy && labels > 0 ? wrong / labels : 0;
}

/* By the answers, of a run that has graduated or not.
 *
 *     labels that are listed as true and as false       contradictory
 *     a program contradicts too many labels             not learned
 *     few errors could be expected about other labels   learned
 *     many must be expected, or it does not fit its own not learned
 *     anything may be expected                          too little to tell */
void evidence_conclude(nlm_evidence *e, bool graduated, bool contradictory)
{
    const bool crossed =
        e->validated.positives + e->validated.negatives > e->held_out.positives + e->held_out.negatives;
    const nlm_answers *by = crossed ? &e->validated : &e->held_out;
    e->most_wrong_positives = nlm_share_bound(by->positives, by->wrong_positives, NLM_EVIDENCE_CONFIDENCE);
    e->most_wrong_negatives = nlm_share_bound(by->negatives, by->wrong_negatives, NLM_EVIDENCE_CONFIDENCE);
    /* a program that contradicts labels will contradict others too */
    const double noise = noise_of(e), allowed = NLM_EVIDENCE_WRONG + noise;
    const bool enough = e->most_wrong_positives <= allowed && e->most_wrong_negatives <= allowed;
    const bool refuted = are_too_many(by->positives, by->wrong_positives, allowed) ||
                         are_too_many(by->negatives, by->wrong_negatives, allowed);
    const bool fits = e->noisy || all_right(e->learned);
    e->is_too_noisy = noise > NLM_EVIDENCE_NOISE;
    e->outcome = contradictory                   ? NLM_CONTRADICTORY
                 : e->is_too_noisy               ? NLM_NOT_LEARNED
                 : graduated && enough           ? NLM_LEARNED
                 : graduated && fits && !refuted ? NLM_TOO_LITTLE
                                                 : NLM_NOT_LEARNED;
    if (e->outcome == NLM_TOO_LITTLE) {
        e->more_positives = missing(by->positives, by->wrong_positives, allowed);
        e->more_negatives = missing(by->negatives, by->wrong_negatives, allowed);
    }
}

/* Answers of a program about the labels of one target of a large world. */
struct label_count {
    nlm_evidence *evidence;
    tuple_truth *truth;
    formula f;
    nlm_status status;
    nlm_error *error;
};

static bool count_label(void *context, int side, const int *tuple, bool is_true)
{
    struct label_count *in = context;
    nlm_answers *to = side == SIDE_LEARNED ? &in->evidence->learned : &in->evidence->held_out;
    bool holds;
    in->status = tuple_truth_ask(in->truth, in->f, tuple, &holds, in->error);
    if (in->status || side == SIDE_HIDDEN)
        return !in->status;
    *(is_true ? &to->positives : &to->negatives) += 1;
    *(is_true ? &to->wrong_positives : &to->wrong_negatives) += holds != is_true;
    return true;
}

/* A program answers about the whole world, and so about every label. */
static nlm_status ask_program(const nlm_machine *machine, const char *name, const struct world_source *source,
                              nlm_evidence *evidence, nlm_error *error)
{
    nlm_program *program;
    tuple_truth *truth = NULL;
    nlm_status status = nlm_program_in(machine, name, &program, error);
    if (!status)
        status = tuple_truth_new(program, nlm_problem_world(source->problem, 0), &truth, error);
    for (int t = 0; !status && t < program->target_count; t++) {
        struct label_count count = {evidence, truth, program_at(program, program->target[t])->body, NLM_OK,
                                    error};
        neighbourhoods_labels(source->near, t, count_label, &count);
        status = count.status;
    }
    tuple_truth_free(truth);
    nlm_program_free(program);
    return status;
}

/* All that was learned from, and what was held out; of one large world without a program, its neighbourhoods.
 */
static nlm_status ask(const nlm_run *run, nlm_machine *machine, struct world_source *source,
                      nlm_evidence *evidence, nlm_error *error)
{
    if (source->near && nlm_machine_has_program(machine))
        return ask_program(machine, run->files.model, source, evidence, error);
    const nlm_status status =
        answers_about(machine, source, 0, source->learned, &run->options, &evidence->learned, error);
    return status ? status
                  : answers_about(machine, source, WORLD_SOURCE_HELD_OUT, source->held_out, &run->options,
                                  &evidence->held_out, error);
}

nlm_status nlm_run_evidence(const nlm_run *run, nlm_evidence *evidence, nlm_error *error)
{
    REQUIRE(run && evidence && run->settings.problem && run->checkpoint, error);
    struct world_source source;
    nlm_machine *machine;
    *evidence = (nlm_evidence){.validated = run->validated};
    if (run->stage == NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has not ended");
    nlm_status status = nlm_machine_load(run->files.model, &machine, error);
    if (status)
        return status;
    evidence->noisy = nlm_contradicted_labels(machine) >= 0;
    evidence->clauses = nlm_machine_metadata(machine, CLAUSES_KEY) != NULL;
    status = world_source_init(&source, &run->settings, error);
    if (!status) {
        status = ask(run, machine, &source, evidence, error);
        if (!status && evidence->noisy) { /* a program that contradicts labels was learned from all of them */
            add_answers(&evidence->learned, evidence->held_out);
            evidence->held_out = (nlm_answers){0};
        }
        world_source_release(&source);
    }
    nlm_machine_free(machine);
    if (!status)
        evidence_conclude(evidence, run->stage == NLM_GRADUATED,
                          nlm_problem_contradictions(run->settings.problem) > 0);
    return status;
}

/* ---- labels that look wrong ---- */

typedef struct doubts {
    nlm_doubt_listener listener;
    void *context;
    const char *world;
} doubts;

static nlm_status hear_doubt(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    const doubts *of = context;
    char text[DOUBT_TEXT];
    snprintf(text, sizeof text, "%s%s%s", conclusion->text, *of->world ? " of " : "", of->world);
    return of->listener(of->context, text, conclusion->label == NLM_TRUE, error);
}

nlm_status nlm_doubted_labels(nlm_machine *machine, const char *name, const nlm_problem *problem,
                              const nlm_options *options, nlm_doubt_listener listener, void *context,
                              size_t *doubted, size_t *labels, nlm_error *error)
{
    REQUIRE(machine && name && problem && doubted && labels, error);
    const nlm_inference_options how = {.options = options ? *options : (nlm_options){.threads = 1}};
    nlm_inference *inference = NULL;
    nlm_status status = nlm_inference_new(machine, name, &how, &inference, error);
    *doubted = *labels = 0;
    for (int w = 0; w < nlm_problem_worlds(problem) && !status; w++) {
        nlm_agreement counts[NLM_MAX_HEADS] = {0};
        doubts of = {listener, context, nlm_problem_split(problem) ? "" : nlm_problem_world_name(problem, w)};
        status = nlm_inference_ask(inference, nlm_problem_world(problem, w), of.world, name, error);
        if (!status)
            status = nlm_inference_compare(inference, counts, listener ? hear_doubt : NULL, &of, error);
        for (int t = 0; t < nlm_signature_targets(nlm_problem_signature(problem)); t++) {
            *doubted += counts[t].wrong;
            *labels += counts[t].tuples;
        }
    }
    nlm_inference_free(inference);
    return status;
}
