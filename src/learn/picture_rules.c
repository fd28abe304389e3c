#include "learn/picture_rules.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "facts/signature.h"
#include "learn/clause_program.h"
#include "logic/program.h"
#include "logic/truth.h"
#include "machine/evaluator.h"
#include "machine/machine.h"
#include "nlm/gallery.h"
#include "nlm/rules.h"

enum {
    PICTURE_USER = RULE_MOST_USERS - 2, /* of worlds; the one before it draws pictures for bounds */
    LEARNED = 200,                      /* worlds */
    CHECKED = 200,
    DRAWN = 1000, /* digits that are drawn where the task has no gallery */
    AT_A_TIME = 100,
    HOPELESS = 4, /* of a machine that errs in more than one of so many labels nothing is asked */
    MOST_SIGHTS = 64,
    MOST_SEEN = 4000, /* pictures that bounds are found from */
    SIDE_SHARE = 50,  /* of these at least one in so many is on either side of a bound */
    SIGHT_TEXT = 128  /* of one output */
};

#define ASIDE 0.002 /* share of the labels in which a program may err more often than its machine */
#define MOST_LOGIT 30.0

/* The worlds of both parts, with sights in the place of pictures; owned. */
typedef struct sighted {
    nlm_world *world[LEARNED + CHECKED];
    size_t machine_errors, labels; /* of the machine, in the worlds that are checked */
} sighted;

bool picture_rules_meant(const nlm_settings *settings)
{
    return settings->task && settings->task->sense && !settings->spec.model;
}

/* ---- what is seen ---- */

/* As a logit; what is 0 or 1 in floats has one, too. */
static float logit_of(float output)
{
    const double p = (double)output, logit = log(p / (1 - p));
    return (float)(logit > MOST_LOGIT ? MOST_LOGIT : logit < -MOST_LOGIT ? -MOST_LOGIT : logit);
}

static bool is_seen(const float *bound, const float *outputs, int k)
{
    return logit_of(outputs[k]) > bound[k];
}

static int by_size(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* The middle of the widest gap between logits, of which few are left on either side. */
static float widest_gap(float *logits, int count)
{
    const int few = count / SIDE_SHARE;
    float middle = 0, widest = 0;
    qsort(logits, (size_t)count, sizeof *logits, by_size);
    for (int i = few; i + 1 < count - few; i++)
        if (logits[i + 1] - logits[i] > widest) {
            widest = logits[i + 1] - logits[i];
            middle = (logits[i + 1] + logits[i]) / 2;
        }
    return middle;
}

/* The bounds of all outputs, from the pictures of some worlds. */
static nlm_status find_bounds(nlm_machine *machine, const nlm_settings *settings, int sights, float *bound,
                              nlm_error *error)
{
    struct rule_worlds worlds = {0};
    float *logits = memory_new((size_t)MOST_SEEN * (size_t)sights, sizeof *logits);
    int seen = 0;
    nlm_status status =
        logits ? rule_worlds_init(&worlds, settings, PICTURE_USER - 1, error) : error_no_memory(error);
    for (int w = 0; w < LEARNED && !status; w++) {
        const nlm_world *world;
        uint64_t number;
        int objects, numbers;
        status = rule_worlds_example(&worlds, w, &number, &objects, &world, error);
        for (int object = 0; !status && object < nlm_world_objects(world) && seen < MOST_SEEN; object++) {
            float outputs[MOST_SIGHTS];
            const float *percept = nlm_world_percept(world, object, &numbers);
            if (percept)
                status = nlm_machine_perceive(machine, percept, 1, outputs, error);
            for (int k = 0; k < sights && percept && !status; k++)
                logits[k * MOST_SEEN + seen] = logit_of(outputs[k]);
            seen += percept != NULL;
        }
    }
    for (int k = 0; k < sights && !status; k++)
        bound[k] = widest_gap(logits + (size_t)k * MOST_SEEN, seen);
    rule_worlds_release(&worlds);
    memory_free(logits);
    return status;
}

/* ---- worlds ---- */

/* One picture after the other: sees_k of the object. */
static nlm_status add_sights(nlm_machine *machine, const float *bound, const nlm_world *world, int sights,
                             nlm_world *to, nlm_error *error)
{
    float outputs[MOST_SIGHTS];
    nlm_status status = NLM_OK;
    for (int object = 0; object < nlm_world_objects(world) && !status; object++) {
        int numbers;
        const float *percept = nlm_world_percept(world, object, &numbers);
        if (percept)
            status = nlm_machine_perceive(machine, percept, 1, outputs, error);
        for (int k = 0; k < sights && percept && !status; k++)
            if (is_seen(bound, outputs, k))
                status = nlm_world_add_fact(to, k, &object, 1, error);
    }
    return status;
}

static nlm_status copy_facts(const nlm_world *world, int sights, nlm_world *to, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < nlm_world_predicates(world) && !status; p++) {
        const int *tuples, arity = nlm_world_predicate_arity(world, p);
        const float *values;
        const size_t count = nlm_world_facts(world, p, &tuples, &values);
        status = nlm_world_add_predicate(to, nlm_world_predicate_name(world, p), arity, NULL, error);
        for (size_t f = 0; f < count && !status; f++)
            status = nlm_world_add_fact(to, sights + p, tuples + f * (size_t)arity, values[f], error);
    }
    return status;
}

static nlm_status copy_labels(const nlm_world *world, nlm_world *to, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int t = 0; t < nlm_world_targets(world) && !status; t++) {
        const int *tuples, arity = nlm_world_target_arity(world, t);
        const signed char *labels;
        nlm_label by_default;
        const size_t count = nlm_world_labels(world, t, &tuples, &labels, &by_default);
        status = nlm_world_add_target(to, nlm_world_target_name(world, t), arity, by_default, NULL, error);
        for (size_t l = 0; l < count && !status; l++)
            status = nlm_world_add_label(to, t, tuples + l * (size_t)arity, (nlm_label)labels[l], error);
    }
    return status;
}

static nlm_status see_world(nlm_machine *machine, const float *bound, const nlm_world *world, int sights,
                            nlm_world **made, nlm_error *error)
{
    nlm_status status = nlm_world_new(made, error);
    for (int i = 0; i < nlm_world_objects(world) && !status; i++)
        status = nlm_world_add_object(*made, nlm_world_object_name(world, i), NULL, error);
    for (int k = 0; k < sights && !status; k++) {
        char name[SIGNATURE_SIGHT_NAME];
        status = nlm_world_add_predicate(*made, signature_sight_name(k, name), 1, NULL, error);
    }
    if (!status)
        status = copy_facts(world, sights, *made, error);
    if (!status)
        status = copy_labels(world, *made, error);
    return status ? status : add_sights(machine, bound, world, sights, *made, error);
}

static nlm_status make_worlds(nlm_machine *machine, const float *bound, const nlm_settings *settings,
                              int sights, sighted *of, nlm_error *error)
{
    struct rule_worlds worlds = {0};
    nlm_evaluator *evaluator = NULL;
    nlm_status status = rule_worlds_init(&worlds, settings, PICTURE_USER, error);
    if (!status)
        status = nlm_evaluator_new(machine, NULL, &evaluator, error);
    for (int w = 0; w < LEARNED + CHECKED && !status; w++) {
        const nlm_world *world;
        nlm_bce_result result = {0};
        uint64_t number;
        int objects;
        status = rule_worlds_example(&worlds, w, &number, &objects, &world, error);
        if (!status)
            status = see_world(machine, bound, world, sights, &of->world[w], error);
        if (!status && w >= LEARNED) {
            nlm_evaluator_clear(evaluator);
            status = nlm_evaluator_add(evaluator, world, error);
            if (!status)
                status = evaluator_compare(evaluator, false, &result, error);
            of->machine_errors += result.labelled - result.correct;
            of->labels += result.labelled;
        }
    }
    nlm_evaluator_free(evaluator);
    rule_worlds_release(&worlds);
    return status;
}

/* ---- the program ---- */

/* Its wrong answers in the worlds that it was not found from. */
static nlm_status count_errors(const nlm_program *program, const sighted *of, size_t *errors,
                               nlm_error *error)
{
    nlm_status status = NLM_OK;
    *errors = 0;
    for (int w = LEARNED; w < LEARNED + CHECKED && !status; w++)
        for (int t = 0; t < program->target_count && !status; t++) {
            const program_predicate *target = program_at(program, program->target[t]);
            const size_t tuples = nlm_tuple_count(nlm_world_objects(of->world[w]), target->arity);
            signed char *labels = memory_new(tuples + 1, 1);
            truth *group = NULL;
            size_t wrong = 0;
            status = labels ? truth_new(program, 1 << 20, &group, error) : error_no_memory(error);
            if (!status)
                status = truth_add_world(group, of->world[w], error);
            if (!status) {
                nlm_world_all_labels(of->world[w], t, labels);
                status = truth_errors(group, target->body, target->arity, labels, &wrong, error);
            }
            *errors += wrong;
            truth_free(group);
            memory_free(labels);
        }
    return status;
}

/* A network that has learned little: no clauses fit what it sees, and looking for them takes long. */
static bool is_hopeless(const sighted *of, picture_rules *found)
{
    const bool hopeless = of->machine_errors * HOPELESS > of->labels;
    if (hopeless)
        snprintf(found->reason, sizeof found->reason, "the machine itself has %zu of %zu answers wrong",
                 of->machine_errors, of->labels);
    return hopeless;
}

static nlm_status find_program(const sighted *of, const nlm_signature *signature, struct team *team,
                               picture_rules *found, nlm_error *error)
{
    clause_program made = {0};
    size_t errors = 0;
    nlm_status status =
        clause_program_of_worlds((const nlm_world *const *)of->world, LEARNED, signature, team, &made, error);
    if (!status && made.program && clause_program_is_supported(&made))
        status = count_errors(made.program, of, &errors, error);
    else if (!status && !*made.reason)
        snprintf(made.reason, sizeof made.reason, "no clauses over what the network sees fit the labels");
    if (!status && !*made.reason && (double)errors > (double)of->machine_errors + ASIDE * (double)of->labels)
        snprintf(made.reason, sizeof made.reason,
                 "the rules over what the network sees have %zu of %zu answers wrong, the machine %zu",
                 errors, of->labels, of->machine_errors);
    snprintf(found->reason, sizeof found->reason, "%s", made.reason);
    found->errors = made.errors;
    if (!status && !*made.reason)
        found->program = made.program;
    else
        nlm_program_free(made.program);
    return status;
}

/* ---- digits ---- */

/* Lines "NUMBER SHARE ... SHARE", of the ten digits, for each output that the program reads. */
static nlm_status describe(nlm_machine *machine, const nlm_gallery *gallery, int sights,
                           const picture_rules *found, char **text, nlm_error *error)
{
    const int images = nlm_gallery_images(gallery, true), most = images < DRAWN ? images : DRAWN;
    int count[NLM_DIGITS] = {0}, (*seen)[NLM_DIGITS] = memory_new((size_t)sights, sizeof *seen);
    float *pixels = memory_new((size_t)AT_A_TIME * NLM_IMAGE_PIXELS, sizeof *pixels);
    float *outputs = memory_new((size_t)AT_A_TIME * (size_t)sights, sizeof *outputs);
    const nlm_program *program = found->program;
    char *made = malloc((size_t)sights * SIGHT_TEXT + 1);
    size_t length = 0;
    nlm_status status = seen && pixels && outputs && made ? NLM_OK : error_no_memory(error);
    for (int first = 0; first < most && !status; first += AT_A_TIME) {
        const int here = most - first < AT_A_TIME ? most - first : AT_A_TIME;
        int digit[AT_A_TIME];
        for (int i = 0; i < here; i++)
            digit[i] = nlm_gallery_image(gallery, true, first + i, pixels + (size_t)i * NLM_IMAGE_PIXELS);
        status = nlm_machine_perceive(machine, pixels, here, outputs, error);
        for (int i = 0; i < here && !status; i++) {
            count[digit[i]]++;
            for (int k = 0; k < sights; k++)
                seen[k][digit[i]] += is_seen(found->bound, outputs + (size_t)i * (size_t)sights, k);
        }
    }
    for (int k = 0; k < sights && !status; k++) {
        bool used = false;
        for (int t = 0; t < program->target_count; t++)
            used |= formula_has(&program->store, program_at(program, program->target[t])->body, k);
        if (used)
            length += (size_t)sprintf(made + length, "%s%d", length ? "\n" : "", k + 1);
        for (int d = 0; d < NLM_DIGITS && used; d++)
            length += (size_t)sprintf(made + length, " %.4f",
                                      count[d] ? (double)seen[k][d] / (double)count[d] : 0.0);
    }
    memory_free(seen);
    memory_free(pixels);
    memory_free(outputs);
    if (status)
        free(made);
    else
        *text = made;
    return status;
}

static nlm_status find_sights(nlm_machine *machine, const nlm_settings *settings, int sights,
                              picture_rules *found, nlm_error *error)
{
    nlm_gallery *drawn = NULL;
    const nlm_gallery *gallery = settings->task->gallery;
    nlm_status status = gallery ? NLM_OK : nlm_gallery_draw(1, DRAWN, &drawn, error);
    if (!status)
        status = describe(machine, gallery ? gallery : drawn, sights, found, &found->sights, error);
    nlm_gallery_free(drawn);
    return status;
}

nlm_status picture_rules_find(const nlm_machine *machine, const nlm_settings *settings, struct team *team,
                              picture_rules *found, nlm_error *error)
{
    nlm_machine *own = (nlm_machine *)machine; /* perceiving changes nothing */
    nlm_signature *facts = NULL, *signature = NULL;
    int numbers, sights = 0;
    sighted *of = memory_new(1, sizeof *of);
    *found = (picture_rules){0};
    nlm_sense_find(settings->task->sense, &numbers, &sights);
    nlm_status status = of ? nlm_signature_of_task(settings->task, &facts, error) : error_no_memory(error);
    if (!status)
        status = signature_with_sights(facts, sights, &signature, error);
    found->bound = memory_new((size_t)MOST_SIGHTS, sizeof *found->bound);
    if (!status && !found->bound)
        status = error_no_memory(error);
    if (!status && sights > MOST_SIGHTS)
        status = error_set(error, NLM_BAD_ARGUMENT, "the network has %d outputs; at most %d are read", sights,
                           MOST_SIGHTS);
    if (!status)
        status = find_bounds(own, settings, sights, found->bound, error);
    if (!status)
        status = make_worlds(own, found->bound, settings, sights, of, error);
    if (!status && !is_hopeless(of, found))
        status = find_program(of, signature, team, found, error);
    if (!status && found->program)
        status = find_sights(own, settings, sights, found, error);
    for (int w = 0; of && w < LEARNED + CHECKED; w++)
        nlm_world_free(of->world[w]);
    memory_free(of);
    nlm_signature_free(facts);
    nlm_signature_free(signature);
    return status;
}

void picture_rules_release(picture_rules *found)
{
    nlm_program_free(found->program);
    memory_free(found->bound);
    free(found->sights);
    *found = (picture_rules){0};
}

/* ---- in model files ---- */

bool nlm_machine_sight(const nlm_machine *machine, int number, double share[NLM_DIGITS])
{
    const char *line = machine && share ? nlm_machine_metadata(machine, SIGHTS_KEY) : NULL;
    while (line && *line) {
        char *end;
        const long at = strtol(line, &end, 10);
        bool good = end != line && at == number;
        for (int d = 0; d < NLM_DIGITS && good; d++) {
            const char *from = end;
            share[d] = strtod(from, &end);
            good = *from == ' ' && end != from && share[d] >= 0 && share[d] <= 1;
        }
        if (good && (*end == '\0' || *end == '\n'))
            return true;
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return false;
}
