/* Settings of the models that the machine is compared with: the same worlds and budgets, their own sizes.
 *
 * Each function begins with complete settings for the machine, makes a copy, changes what the model changes,
 * and replaces the caller's only if nothing was refused.
 *
 * Differentiable ILP also needs a program: the predicates that it reads and defines, with the templates of
 * their clauses (docs/maths.md, section 14).  Templates come from a file or from the library; the inputs come
 * from the task or the facts.  nlm_templates puts both together and owns the result, names included.
 *
 * Example, grandparent in families:
 *
 *     inputs       father/2, mother/2, son/2, daughter/2          of the task's signature
 *     templates    template(grandparent, 2, 1, defined).          the target: one more variable
 *                  template(parent, 2, 0, given).                 a helper with two clauses
 *                  template(parent, 2, 0, given).
 *     program      givens: the four inputs; definitions: grandparent, parent */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "baseline/baseline.h"
#include "syntax/atom.h"
#include "facts/templates.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "nlm/play.h"

/* The largest arity of what is read and of what is answered. */
static int largest_arity(const nlm_spec *spec, int answered)
{
    int largest = answered > 1 ? answered : 1;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        if (r > largest && (spec->inputs[r] > 0 || spec->outputs >> r & 1))
            largest = r;
    return largest;
}

/* ---- all models ---- */

const char *nlm_model_name(int index)
{
    const struct baseline *other = index > 0 ? baseline_at(index - 1) : NULL;
    return index == 0 ? "nlm" : other ? other->name : NULL;
}

bool nlm_model_has_templates(const char *model)
{
    const struct baseline *other = baseline_find(model);
    return other && other->has_program;
}

/* ---- memory networks ---- */

/* A memory network has another spec: depth, width and hidden mean rounds, state and MLPs, and there is no
 * residual.  Inputs and outputs stay; the breadth is that of what is read and answered. */
nlm_status nlm_settings_use_model(nlm_settings *settings, const char *model, nlm_error *error)
{
    REQUIRE(settings && model, error);
    const nlm_game *game = settings->game;
    const struct baseline *other = baseline_find(model);
    if (!strcmp(model, nlm_model_name(0)))
        return NLM_OK;
    if (!other)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no model '%.40s'", model);
    if (other->has_program)
        return error_set(error, NLM_BAD_ARGUMENT,
                         game ? "differentiable ILP does not play: games are for the models nlm and memnn"
                              : "differentiable ILP needs templates (nlm_settings_use_templates)");
    if (settings->spec.sense)
        return error_set(error, NLM_BAD_ARGUMENT, "a memory network has no senses, and the task needs one");
    nlm_settings made = *settings;
    made.spec = (nlm_spec){.model = other->name,
                           .breadth = largest_arity(&settings->spec, game ? game->arity : 0),
                           .outputs = settings->spec.outputs};
    memcpy(made.spec.inputs, settings->spec.inputs, sizeof made.spec.inputs);
    nlm_status status = settings_apply(&made, other->presets, error);
    if (!status && game)
        status = settings_apply(
            &made, recipe_find(game->recipes, nlm_protocol_name(settings->protocol), other->name), error);
    if (!status)
        *settings = made;
    return status;
}

/* ---- differentiable ILP ---- */

enum {
    DILP_STEPS = 6,   /* of inference, where the templates do not say */
    INPUT_NAME = 300, /* bytes, as Prolog writes it */
    TARGET_TEXT = 80
};

/* As its authors do: 6,000 steps, each on one world.  RMSProp has no beta2: the same for all protocols, which
 * are the same then. */
static const nlm_preset dilp_presets[] = {
    {"lr", "0.5"},         {"labels", "0.5"}, /* of a world, in each step */
    {"threshold", "1e-4"}, {"batch", "1"},    {"batches", "250"}, {"epochs", "24"}, {"exam", "0"},
    {"positives", "0"},    {"replay", "0"},   {"patience", "0"},  {NULL, NULL},
};

/* Templates and the program made of them.  The program points into the buffers and into `read`; it is made
 * anew, and the old one lost, when the templates are used with other inputs. */
struct nlm_templates {
    struct templates read;
    nlm_program_template
        program;   /* of the inputs that they were last used with, all its names as Prolog writes them */
    buffer inputs; /* nlm_given */
    buffer names;  /* INPUT_NAME bytes for each input, then for each predicate of the program */
    buffer given, definition;
};

/* From a file, or without a path those of a task. */
static nlm_status new_templates(const char *path, const nlm_task *task, nlm_templates **templates,
                                nlm_error *error)
{
    *templates = memory_new(1, sizeof **templates);
    if (!*templates)
        return error_no_memory(error);
    nlm_status status = path ? templates_read(path, &(*templates)->read, error)
                             : templates_of_task(task->name, &(*templates)->read, error);
    if (status) {
        nlm_templates_free(*templates);
        *templates = NULL;
    }
    return status;
}

nlm_status nlm_templates_read(const char *path, nlm_templates **templates, nlm_error *error)
{
    REQUIRE(path && templates, error);
    return new_templates(path, NULL, templates, error);
}

nlm_status nlm_templates_of_task(const nlm_task *task, nlm_templates **templates, nlm_error *error)
{
    REQUIRE(templates, error);
    *templates = NULL;
    REQUIRE(task, error);
    if (task->sense)
        return error_set(error, NLM_BAD_ARGUMENT, "differentiable ILP has no senses, and the task needs one");
    return new_templates(NULL, task, templates, error);
}

/* Settings that were made with them must not be used any more: they point in here. */
void nlm_templates_free(nlm_templates *templates)
{
    if (!templates)
        return;
    templates_free(&templates->read);
    buffer_free(&templates->inputs);
    buffer_free(&templates->names);
    buffer_free(&templates->given);
    buffer_free(&templates->definition);
    memory_free(templates);
}

/* The room for a name: inputs first, then predicates of the program. */
static char *name_place(const nlm_templates *templates, int number)
{
    return (char *)templates->names.data + (size_t)number * INPUT_NAME;
}

/* The inputs of a signature by arity, with the names that clauses have for them: likes/2, and likes_aa/1 for
 * who likes themselves; is_person/1 for a type.  Within an arity the order is the signature's, which is that
 * of the columns of a batch: the program reads its inputs by number. */
static void list_inputs(nlm_templates *templates, const nlm_signature *signature)
{
    nlm_given *inputs = templates->inputs.data;
    int listed = 0;
    for (int i = 0; i < (NLM_MAX_BREADTH + 1) * nlm_signature_inputs(signature); i++) {
        const int arity = i / nlm_signature_inputs(signature);
        const nlm_predicate *predicate = nlm_signature_input(signature, i % nlm_signature_inputs(signature));
        if (predicate->objects != arity)
            continue;
        char *name = name_place(templates, listed);
        size_t used =
            (size_t)snprintf(name, INPUT_NAME, "%s%s", predicate->is_type ? "is_" : "", predicate->name);
        const bool plain = predicate->objects == predicate->arity || predicate->is_type;
        for (int k = 0; !plain && k < predicate->arity && used + 3 < INPUT_NAME; k++)
            used += (size_t)snprintf(name + used, INPUT_NAME - used, "%s%c", k == 0 ? "_" : "",
                                     'a' + predicate->place[k]);
        inputs[listed++] = (nlm_given){.name = name, .arity = arity};
    }
}

/* The program with its names as Prolog writes them, for people to read its clauses. */
static nlm_status quote_names(nlm_templates *templates, const nlm_program_template *plain, int inputs,
                              nlm_error *error)
{
    nlm_given *given = templates->given.data;
    nlm_definition *definition = templates->definition.data;
    memcpy(definition, plain->definition, (size_t)plain->definitions * sizeof *definition);
    for (int p = 0; p < plain->givens + plain->definitions; p++) {
        const bool is_given = p < plain->givens;
        if (is_given)
            given[p] = plain->given[p];
        const char **name = is_given ? &given[p].name : &definition[p - plain->givens].name;
        char *quoted = name_place(templates, inputs + p);
        if (atom_predicate_text(*name, quoted, INPUT_NAME) >= INPUT_NAME)
            return error_set(error, NLM_BAD_ARGUMENT, "the name '%.40s...' of a predicate is too long",
                             *name);
        *name = quoted;
    }
    templates->program =
        (nlm_program_template){plain->givens, plain->definitions, given, definition, plain->steps_by_objects};
    return NLM_OK;
}

/* That differentiable ILP can learn from such facts.  Its predicates have at most two arguments, and it
 * learns one target.  What is wrong with facts has another status than what is wrong with templates, so that
 * nlm_settings_choose_model blames the right file. */
static nlm_status check_facts(const nlm_signature *signature, nlm_error *error)
{
    char text[TARGET_TEXT], first[TARGET_TEXT], second[TARGET_TEXT];
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const nlm_predicate *input = nlm_signature_input(signature, p);
        nlm_predicate_text(input, text, sizeof text);
        if (input->objects > BASELINE_MOST_ARITY)
            return error_set(error, NLM_BAD_SHAPE,
                             "differentiable ILP reads predicates with up to %d arguments, not %s",
                             BASELINE_MOST_ARITY, text);
    }
    const int targets = nlm_signature_targets(signature);
    if (targets == 0)
        return error_set(error, NLM_BAD_SHAPE, "there is no target to learn");
    if (targets == 1)
        return NLM_OK;
    /* two of them are named: "q/2" and "q(A,A)" are two as well, and to choose one of them would not do */
    const nlm_predicate *one = nlm_signature_target(signature, 0),
                        *other = nlm_signature_target(signature, 1);
    nlm_predicate_text(one, first, sizeof first);
    nlm_predicate_text(other, second, sizeof second);
    if (strcmp(one->name, other->name) == 0 && one->arity == other->arity)
        return error_set(
            error, NLM_BAD_SHAPE,
            "differentiable ILP learns nothing about one object twice, and there are labels for %s",
            one->objects < one->arity ? first : second);
    return error_set(error, NLM_BAD_SHAPE,
                     "differentiable ILP learns one target, not %d (%s, %s%s): choose one of them", targets,
                     first, second, targets > 2 ? ", ..." : "");
}

/* The first definition of the templates must be the target.  All room is taken before anything points into
 * it: a buffer that grew later would move the names. */
static nlm_status make_program(nlm_templates *templates, const nlm_signature *signature, nlm_error *error)
{
    nlm_status status = check_facts(signature, error);
    if (status)
        return status;
    const nlm_definition *first = templates->read.definition.data;
    const nlm_predicate *target = nlm_signature_target(signature, 0);
    if (strcmp(first->name, target->name) != 0 || first->arity != target->objects)
        return error_set(error, NLM_BAD_ARGUMENT, "the templates are for %s/%d, the target is %s/%d",
                         first->name, first->arity, target->name, target->objects);
    const int inputs = nlm_signature_inputs(signature), negations = templates->read.negations;
    const int definitions = templates->read.definitions;
    /* plain names of the inputs, then quoted names of all predicates: inputs, negations, definitions */
    const size_t names = (size_t)(2 * inputs + negations + definitions);
    if (buffer_reserve(&templates->inputs, (size_t)inputs, sizeof(nlm_given), false) ||
        buffer_reserve(&templates->given, (size_t)(inputs + negations), sizeof(nlm_given), false) ||
        buffer_reserve(&templates->definition, (size_t)definitions, sizeof(nlm_definition), false) ||
        buffer_reserve(&templates->names, names, INPUT_NAME, false))
        return error_no_memory(error);
    nlm_program_template plain;
    list_inputs(templates, signature);
    status = templates_program(&templates->read, templates->inputs.data, inputs, &plain, error);
    return status ? status : quote_names(templates, &plain, inputs, error);
}

/* Settings for a program.  Steps, share of labels and objects may be in the templates; the rest is what the
 * authors of differentiable ILP used.  Settings that mean nothing to it get fixed values, so that two runs
 * that are the same have the same settings. */
static nlm_status use_program(nlm_settings *training, const nlm_templates *templates, nlm_error *error)
{
    const int steps = templates->read.steps, percent = templates->read.labels;
    nlm_settings made = *training;
    made.spec = (nlm_spec){.model = "dilp",
                           .program = &templates->program,
                           .depth = steps > 0 ? steps : DILP_STEPS,
                           .breadth = largest_arity(&training->spec, 0),
                           .width = 1,
                           .outputs = training->spec.outputs};
    memcpy(made.spec.inputs, training->spec.inputs, sizeof made.spec.inputs);
    if (made.task && templates->read.objects > 0)
        made.objects = templates->read.objects;
    /* these three mean nothing to the model, so they get the values of the paper's protocol */
    made.gain = 1;
    made.beta2 = 0.999;
    made.deep = 0;
    nlm_status status = settings_apply(&made, dilp_presets, error);
    /* 0 stands for all labels: no random numbers are drawn then */
    if (percent > 0)
        made.labels = percent == 100 ? 0 : percent / 100.0;
    /* that there is such a model: what is wrong with templates is said while it is known whose they are */
    nlm_head_spec heads[NLM_MAX_HEADS];
    nlm_machine *machine = NULL;
    const int count = settings_heads(&made, heads);
    if (!status)
        status = nlm_machine_new(&made.spec, heads, count, &machine, error);
    if (!status) /* with one object: more may be too many, which is not the fault of templates alone */
        status = machine_admit(machine, 1, error);
    nlm_machine_free(machine);
    if (!status)
        *training = made;
    return status;
}

/* The signature says which inputs there are and what is to be learned; a task has one as well as facts. First
 * the program of templates and inputs, then the settings that point to it. */
nlm_status nlm_settings_use_templates(nlm_settings *training, nlm_templates *templates, nlm_error *error)
{
    REQUIRE(training && templates, error);
    nlm_signature *of_task = NULL;
    if (!training->task && !training->problem)
        return error_set(error, NLM_BAD_ARGUMENT, "a run needs a task, a game or facts");
    nlm_status status = training->task ? nlm_signature_of_task(training->task, &of_task, error) : NLM_OK;
    if (!status)
        status = make_program(templates, training->task ? of_task : nlm_problem_signature(training->problem),
                              error);
    nlm_signature_free(of_task);
    return status ? status : use_program(training, templates, error);
}

/* The caller owns *templates, which the settings point into; NULL after an error, and for other models.
 * Facts without templates of their own are refused by nlm_settings_use_model, which says so. */
nlm_status nlm_settings_choose_model(nlm_settings *settings, const char *model, const char *path,
                                     nlm_templates **templates, nlm_error *error)
{
    REQUIRE(templates, error);
    *templates = NULL;
    REQUIRE(settings, error);
    if (settings->game || !nlm_model_has_templates(model))
        return nlm_settings_use_model(settings, model, error);
    nlm_status status = path             ? nlm_templates_read(path, templates, error)
                        : settings->task ? nlm_templates_of_task(settings->task, templates, error)
                                         : nlm_settings_use_model(settings, model, error);
    if (status)
        return status;
    nlm_error cause;
    status = nlm_settings_use_templates(settings, *templates, &cause);
    const bool names_file = path && status != NLM_BAD_SHAPE; /* which is what facts have wrong */
    if (!status)
        return NLM_OK;
    nlm_templates_free(*templates);
    *templates = NULL;
    return error_set(error, status, "%.200s%s%.300s", names_file ? path : "", names_file ? ": " : "",
                     cause.message);
}
