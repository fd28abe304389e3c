#include "learn/validation.h"

#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/team.h"
#include "facts/thresholds.h"
#include "learn/settings.h"
#include "machine/evaluator.h"

enum {
    PARTS = 5,
    STEPS = 8,        /* of each part at a time */
    SPARE_ROUNDS = 8, /* epochs of a part: so many, and so many times as many as the run took */
    ROUND_FACTOR = 2,
    FEW = 20 /* labels of a kind: with fewer even no error tells nothing (NLM_EVIDENCE_WRONG) */
};

/* Tuples of all worlds, as many objects each as the breadth: up to which parts look for programs, which takes
 * some seconds with so many, and up to which there is a cross-validation at all. */
#define MOST_FOR_PROGRAMS 1e5
#define MOST_TUPLES 2e6

struct part {
    nlm_settings settings;
    nlm_problem *problem; /* where there are numbers: its thresholds know nothing of the hidden labels */
    bool programs;
    nlm_run *run;
    nlm_rule_search *search;
    nlm_answers answers;
    bool ended;
    nlm_status status;
    nlm_error error;
};

struct validation {
    struct part part[PARTS];
    struct team *team;
};

/* ---- answers ---- */

void add_answers(nlm_answers *to, nlm_answers more)
{
    to->positives += more.positives;
    to->wrong_positives += more.wrong_positives;
    to->negatives += more.negatives;
    to->wrong_negatives += more.wrong_negatives;
}

nlm_status answers_about(nlm_machine *machine, struct world_source *source, uint64_t first, int count,
                         const nlm_options *options, nlm_answers *answers, nlm_error *error)
{
    nlm_evaluator *evaluator;
    *answers = (nlm_answers){0};
    nlm_status status = nlm_evaluator_new(machine, options, &evaluator, error);
    for (int w = 0; w < count && !status; w++) {
        nlm_bce_result r;
        status = world_source_compare(source, 0, first + (uint64_t)w, 0, NULL, evaluator, &r, error);
        const size_t wrong_positives = status ? 0 : r.positives - r.correct_positives;
        if (!status)
            add_answers(answers, (nlm_answers){r.positives, wrong_positives, r.labelled - r.positives,
                                               r.labelled - r.correct - wrong_positives});
    }
    nlm_evaluator_free(evaluator);
    return status;
}

/* Labels of a world, counted as answers that are all right. */
static nlm_status count_labels(const nlm_world *world, nlm_answers *answers, nlm_error *error)
{
    for (int target = 0; target < nlm_world_targets(world); target++) {
        const size_t tuples =
            nlm_tuple_count(nlm_world_objects(world), nlm_world_target_arity(world, target));
        signed char *labels = memory_new(tuples + 1, 1);
        if (!labels)
            return error_no_memory(error);
        nlm_world_all_labels(world, target, labels);
        for (size_t i = 0; i < tuples; i++) {
            answers->positives += labels[i] == NLM_TRUE;
            answers->negatives += labels[i] == NLM_FALSE;
        }
        memory_free(labels);
    }
    return NLM_OK;
}

static bool are_enough(nlm_answers answers)
{
    return answers.positives >= FEW && answers.negatives >= FEW;
}

/* Of all worlds. */
static double tuples_of(const nlm_settings *settings)
{
    double sum = 0;
    for (int w = 0; w < nlm_problem_worlds(settings->problem); w++)
        sum += pow(nlm_world_objects(nlm_problem_world(settings->problem, w)), settings->spec.breadth);
    return sum;
}

nlm_status validation_is_useful(const nlm_settings *settings, bool *useful, nlm_error *error)
{
    struct world_source source;
    nlm_answers all = {0}, held_out = {0};
    *useful = false;
    if (settings->neighbourhood > 0 || tuples_of(settings) > MOST_TUPLES)
        return NLM_OK;
    nlm_status status = world_source_init(&source, settings, error);
    for (int w = 0; w < source.learned + source.held_out && !status; w++) {
        nlm_answers labels = {0};
        status = count_labels(source.worlds[w], &labels, error);
        add_answers(&all, labels);
        if (w >= source.learned)
            add_answers(&held_out, labels);
    }
    world_source_release(&source);
    *useful = !status && are_enough(all) && !are_enough(held_out);
    return status;
}

/* ---- parts ---- */

static nlm_status judge(struct part *part, nlm_error *error)
{
    const nlm_options options = {.threads = 1};
    struct world_source source;
    nlm_machine *compiled = NULL;
    const nlm_program *program = part->search ? nlm_rule_search_program(part->search) : NULL;
    nlm_status status = world_source_init(&source, &part->settings, error);
    if (status)
        return status;
    if (program)
        status = nlm_program_compile(program, 0, &compiled, error);
    if (!status)
        status = answers_about(compiled ? compiled : part->run->machine, &source, WORLD_SOURCE_HIDDEN,
                               source.hidden, &options, &part->answers, error);
    nlm_machine_free(compiled);
    world_source_release(&source);
    part->ended = !status;
    return status;
}

/* A machine that cannot have a program answers itself. */
static nlm_status end_learning(struct part *part, nlm_error *error)
{
    const nlm_options options = {.threads = 1};
    nlm_error cause;
    part->run->type->exchange(part->run); /* the parameters of its model, from now on */
    if (part->run->stage != NLM_GRADUATED || !part->programs)
        return judge(part, error);
    const nlm_status status =
        nlm_rule_search_new(part->run->machine, &part->settings, &options, &part->search, &cause);
    if (status == NLM_NO_MEMORY)
        return error_no_memory(error);
    return status ? judge(part, error) : NLM_OK;
}

static nlm_status step_part(struct part *part, nlm_error *error)
{
    const nlm_options options = {.threads = 1};
    if (!part->run)
        return nlm_run_new(&part->settings, &options, &part->run, error);
    if (part->search) {
        nlm_status status = nlm_rule_search_step(part->search, error);
        return status || nlm_rule_search_stage(part->search) < NLM_RULES_FOUND ? status : judge(part, error);
    }
    const nlm_status status = nlm_run_step(part->run, NULL, error);
    if (part->run->stage == NLM_LEARNING)
        return status;
    /* a loss that ran away ends a run with an error, and it has a best machine all the same */
    return status && status != NLM_BAD_ARGUMENT ? status : end_learning(part, error);
}

static void run_part(void *context, int number, int thread)
{
    (void)thread;
    struct part *part = &((struct validation *)context)->part[number];
    for (int i = 0; i < STEPS && !part->ended && !part->status; i++)
        part->status = step_part(part, &part->error);
}

/* ---- thresholds ---- */

/* The world that has the labels of world w that are not hidden; NULL if all are. */
static const nlm_world *labels_of(const struct world_source *source, int w)
{
    const nlm_world *world = nlm_problem_world(source->problem, w);
    if (source->split[0])
        return source->split[0];
    for (int h = 0; h < source->hidden; h++)
        if (source->worlds[source->learned + source->held_out + h] == world)
            return NULL;
    return world;
}

/* Comparisons of numbers are chosen by labels, so each part chooses its own. */
static nlm_status choose_thresholds(struct part *part, nlm_error *error)
{
    const nlm_problem *problem = part->settings.problem;
    struct world_source source;
    if (nlm_signature_attributes(nlm_problem_signature(problem)) == 0)
        return NLM_OK;
    const int worlds = nlm_problem_worlds(problem);
    nlm_status status = world_source_init(&source, &part->settings, error);
    if (status)
        return status;
    const nlm_world **labels = memory_new((size_t)worlds, sizeof(nlm_world *));
    status = labels ? NLM_OK : error_no_memory(error);
    for (int w = 0; w < worlds && !status; w++)
        labels[w] = labels_of(&source, w);
    if (!status)
        status = thresholds_choose_again(problem, labels, &part->problem, error);
    if (!status) {
        part->settings.problem = part->problem;
        settings_take_inputs(&part->settings);
    }
    memory_free(labels);
    world_source_release(&source);
    return status;
}

/* ---- all of them ---- */

nlm_status validation_new(const nlm_settings *settings, int rounds, const nlm_options *options,
                          struct validation **validation, nlm_error *error)
{
    *validation = NULL;
    struct validation *made = memory_new(1, sizeof *made);
    if (!made || team_new(options->threads, &made->team)) {
        memory_free(made);
        return error_no_memory(error);
    }
    for (int p = 0; p < PARTS; p++) {
        nlm_settings *part = &made->part[p].settings;
        const int most = ROUND_FACTOR * rounds + SPARE_ROUNDS;
        *part = *settings;
        part->parts = PARTS;
        part->hidden_part = p + 1;
        made->part[p].programs = tuples_of(settings) <= MOST_FOR_PROGRAMS;
        if (part->epochs > most)
            part->epochs = most;
    }
    nlm_status status = NLM_OK;
    for (int p = 0; p < PARTS && !status; p++)
        status = choose_thresholds(&made->part[p], error);
    if (status) {
        validation_free(made);
        return status;
    }
    *validation = made;
    return NLM_OK;
}

void validation_free(struct validation *validation)
{
    if (!validation)
        return;
    for (int p = 0; p < PARTS; p++) {
        nlm_rule_search_free(validation->part[p].search);
        nlm_run_free(validation->part[p].run);
        nlm_problem_free(validation->part[p].problem);
    }
    team_free(validation->team);
    memory_free(validation);
}

nlm_status validation_step(struct validation *validation, nlm_error *error)
{
    team_run(validation->team, PARTS, run_part, validation);
    for (int p = 0; p < PARTS; p++)
        if (validation->part[p].status)
            return error_set(error, validation->part[p].status, "%s", validation->part[p].error.message);
    return NLM_OK;
}

static int ended(const struct validation *validation)
{
    int count = 0;
    for (int p = 0; p < PARTS; p++)
        count += validation->part[p].ended;
    return count;
}

bool validation_ended(const struct validation *validation)
{
    return ended(validation) == PARTS;
}

nlm_answers validation_answers(const struct validation *validation)
{
    nlm_answers sum = {0};
    for (int p = 0; p < PARTS; p++)
        add_answers(&sum, validation->part[p].answers);
    return sum;
}

const char *validation_line(const struct validation *validation, char text[NLM_RULE_LINE])
{
    snprintf(text, NLM_RULE_LINE, "cross-validation: %d of %d parts", ended(validation), PARTS);
    return text;
}
