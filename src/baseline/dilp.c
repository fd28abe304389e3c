/* Programs of differentiable ILP: predicates, definitions, and how they are read.
 *
 * A program is made from a template (nlm_program_template) in this order: givens, negations among them,
 * defined predicates, then the clauses of each definition, which need all predicates.  Everything that can be
 * refused is refused here, with the name of the predicate, so that passes need no checks.
 *
 * Example: grandparent(X,Y) with the helper parent.  givens: father/2, mother/2 (inputs 0 and 1 of arity 2);
 * definitions: grandparent, with a template of one extra variable over defined predicates, and parent, with
 * two templates over given ones.  Weights of parent are a matrix [clauses of the first][clauses of the
 * second]. */
#include "baseline/dilp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

/* ---- predicates ---- */

/* Two predicates of one name and arity: the message depends on how each came about. */
static nlm_status refuse_twice(const struct dilp_predicate *before, const struct dilp_predicate *next,
                               nlm_error *error)
{
    const char *why = next->negates >= 0 ? "is an input, so it cannot be what a negation is called"
                      : !next->defined   ? "is the name of two inputs"
                      : before->defined
                          ? "is defined twice"
                          : "is given, so it cannot have templates: a helper needs another name";
    return error_set(error, NLM_BAD_ARGUMENT, "%s/%d %s", before->name, before->arity, why);
}

/* Check a predicate and append it as `number`; the name is copied. */
static nlm_status add_predicate(struct dilp *dilp, int number, struct dilp_predicate predicate,
                                nlm_error *error)
{
    const char *name = predicate.name;
    if (!name || !*name)
        return error_set(error, NLM_BAD_ARGUMENT, "a predicate of differentiable ILP has no name");
    if (strlen(name) > DILP_MOST_NAME)
        return error_set(error, NLM_BAD_ARGUMENT, "%.40s...: names in differentiable ILP have up to %d bytes",
                         name, DILP_MOST_NAME);
    if (predicate.arity < 0 || predicate.arity > DILP_MOST_ARITY)
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: differentiable ILP has predicates of arity 0 to %d",
                         name, predicate.arity, DILP_MOST_ARITY);
    for (int p = 0; p < number; p++)
        if (dilp->predicates[p].arity == predicate.arity && strcmp(dilp->predicates[p].name, name) == 0)
            return refuse_twice(&dilp->predicates[p], &predicate, error);
    predicate.name = memory_copy_text(name);
    if (!predicate.name)
        return error_no_memory(error);
    dilp->predicates[number] = predicate;
    return NLM_OK;
}

/* Inputs come in the order in which worlds have them: by arity, then in the order of the world. */
static nlm_status add_given(struct dilp *dilp, int number, const nlm_given *given, nlm_error *error)
{
    /* `input` counts from 0 within an arity; it is the column of the predicate in a world's array */
    const struct dilp_predicate *before = number > 0 ? &dilp->predicates[number - 1] : NULL;
    struct dilp_predicate predicate = {.name = (char *)given->name, .arity = given->arity, .negates = -1};
    if (before && before->negates < 0 && before->arity == given->arity)
        predicate.input = before->input + 1;
    if (before && given->name && (before->negates >= 0 || before->arity > given->arity))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%s/%d is given after %s/%d; inputs come first, by arity, then negations",
                         given->name, given->arity, before->name, before->arity);
    return add_predicate(dilp, number, predicate, error);
}

/* The negation of an input, or of a helper.  The helper then has to be concluded completely before its
 * negation can be used, so it moves to a first stage, and the negation is known from the second on.  The
 * target, definition 0, cannot be negated: nothing would be left to conclude after it. */
static nlm_status add_negation(struct dilp *dilp, int number, const nlm_program_template *program,
                               nlm_error *error)
{
    const nlm_given *given = &program->given[number];
    char name[DILP_MOST_NAME + 2]; /* one that is cut is still too long */
    struct dilp_predicate predicate = {.arity = given->arity, .input = -1, .negates = -1};
    if (given->name) {
        nlm_given_text(given, name, sizeof name);
        predicate.name = name;
    }
    for (int p = 0; given->name && p < number; p++)
        if (dilp->predicates[p].negates < 0 && dilp->predicates[p].arity == given->arity &&
            strcmp(dilp->predicates[p].name, given->name) == 0)
            predicate.negates = p;
    for (int d = 1; given->name && d < program->definitions; d++)
        if (program->definition[d].arity == given->arity && program->definition[d].name &&
            strcmp(program->definition[d].name, given->name) == 0) {
            predicate.negates = dilp->givens + d;
            predicate.stage = 1;
            dilp->stages = 2;
        }
    if (given->name && predicate.negates < 0)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%s/%d is negated but is neither an input nor a helper of the target", given->name,
                         given->arity);
    return add_predicate(dilp, number, predicate, error);
}

/* The inputs of a world and the givens of a program that are no negations must be equally many of each
 * arity. */
static nlm_status check_inputs(const nlm_program_template *program, const int *inputs, nlm_error *error)
{
    for (int arity = 0; arity <= NLM_MAX_BREADTH; arity++) {
        int given = 0;
        for (int i = 0; i < program->givens; i++)
            given += program->given[i].arity == arity && !program->given[i].negated;
        if (given != inputs[arity])
            return error_set(error, NLM_BAD_ARGUMENT,
                             "the program is given %d predicates of arity %d, but there are %d inputs of it",
                             given, arity, inputs[arity]);
    }
    return NLM_OK;
}

/* Givens first: negations look up inputs among the predicates before them, and helpers in the template. */
static nlm_status add_predicates(struct dilp *dilp, const nlm_program_template *program, const int *inputs,
                                 nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < dilp->givens && !status; i++)
        status = program->given[i].negated ? add_negation(dilp, i, program, error)
                                           : add_given(dilp, i, &program->given[i], error);
    for (int i = 0; i < dilp->defined && !status; i++) {
        const nlm_definition *definition = &program->definition[i];
        struct dilp_predicate predicate = {
            (char *)definition->name, definition->arity, true, dilp->stages - 1, -1, -1};
        for (int p = 0; p < dilp->givens; p++)
            if (dilp->predicates[p].negates == dilp->givens + i)
                predicate.stage = 0; /* before its negation */
        status = add_predicate(dilp, dilp->givens + i, predicate, error);
    }
    return status ? status : check_inputs(program, inputs, error);
}

/* ---- definitions ---- */

/* The clauses of all templates of a definition; a template without any is a mistake of its author. */
static nlm_status make_clauses(struct dilp *dilp, struct dilp_definition *definition,
                               const nlm_template *form, nlm_error *error)
{
    const struct dilp_predicate *head = &dilp->predicates[definition->predicate];
    for (int t = 0; t < definition->templates; t++) {
        nlm_status status =
            dilp_clauses_make(&definition->clauses[t], dilp->predicates, dilp->givens + dilp->defined,
                              definition->predicate, form[t], error);
        if (status)
            return status;
        if (definition->clauses[t].count == 0)
            return error_set(error, NLM_BAD_ARGUMENT, "template(%s, %d, %d, %s) allows no clause%s",
                             head->name, head->arity, form[t].variables, nlm_body_name(form[t].body),
                             form[t].body < NLM_BODY_MIXED ? "" : "; its helpers must come after it");
    }
    return NLM_OK;
}

/* Sizes of W and of its folded form; offsets are those of all definitions before.
 *
 * Folding: clauses that never hold have equal rows of conclusions, all 0.  Their weights stay, as in the
 * paper, and take part in the softmax; but for computing, one row (or column) stands for all of them. */
static nlm_status define(struct dilp *dilp, int number, const nlm_definition *from, nlm_error *error)
{
    struct dilp_definition *definition = &dilp->definitions[number];
    if (from->templates < 1 || from->templates > 2)
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d has %d templates; 1 or 2 are possible", from->name,
                         from->arity, from->templates);
    /* dilp_free frees whatever clauses are made from here on */
    definition->predicate = dilp->givens + number;
    definition->templates = from->templates;
    nlm_status status = make_clauses(dilp, definition, from->form, error);
    if (status)
        return status;
    size_t counts[2] = {definition->clauses[0].count,
                        from->templates == 2 ? definition->clauses[1].count : 1};
    for (int t = 0; t < 2; t++) {
        size_t live = definition->clauses[t].live;
        /* a missing second template concludes nothing, at every step */
        definition->constant[t] = t >= from->templates || from->form[t].body == NLM_BODY_GIVEN;
        definition->folded[t] = live + (live < counts[t] ? 1 : 0);
    }
    definition->rows = counts[0];
    definition->columns = counts[1];
    definition->offset = dilp->weights;
    definition->folded_offset = dilp->folded;
    dilp->weights += counts[0] * counts[1];
    dilp->folded += definition->folded[0] * definition->folded[1];
    if (dilp->weights > DILP_MOST_PAIRS)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%s/%d: its templates allow %zu x %zu pairs of clauses; differentiable ILP takes up "
                         "to %d in all",
                         from->name, from->arity, counts[0], counts[1], DILP_MOST_PAIRS);
    return NLM_OK;
}

/* The memory is zeroed and counts are set first, so dilp_free copes with a program that is only partly
 * filled. */
nlm_status dilp_new(struct dilp **made, const nlm_program_template *program, const int *inputs, int steps,
                    nlm_error *error)
{
    *made = NULL;
    if (!program || program->definitions < 1 || program->givens < 0)
        return error_set(error, NLM_BAD_ARGUMENT, "differentiable ILP needs a program with a target");
    if (program->givens > DILP_MOST_PREDICATES ||
        program->definitions > DILP_MOST_PREDICATES - program->givens)
        return error_set(error, NLM_BAD_ARGUMENT, "differentiable ILP takes up to %d predicates",
                         DILP_MOST_PREDICATES);
    struct dilp *dilp = memory_new(1, sizeof *dilp);
    if (!dilp)
        return error_no_memory(error);
    dilp->givens = program->givens;
    dilp->defined = program->definitions;
    /* 0 steps stand for as many as there are objects (dilp_steps) */
    dilp->steps = program->steps_by_objects ? 0 : steps;
    dilp->stages = 1;
    dilp->most_bytes = DILP_MOST_BYTES;
    dilp->predicates = memory_new((size_t)(dilp->givens + dilp->defined), sizeof *dilp->predicates);
    dilp->definitions = memory_new((size_t)dilp->defined, sizeof *dilp->definitions);
    nlm_status status = dilp->predicates && dilp->definitions ? add_predicates(dilp, program, inputs, error)
                                                              : error_no_memory(error);
    for (int i = 0; i < dilp->defined && !status; i++) /* clauses need all predicates */
        status = define(dilp, i, &program->definition[i], error);
    if (status)
        dilp_free(dilp);
    else
        *made = dilp;
    return status;
}

/* Also of a program whose making failed: what was not made is NULL, or has no clauses. */
void dilp_free(void *freed)
{
    struct dilp *dilp = freed;
    if (!dilp)
        return;
    for (int p = 0; dilp->predicates && p < dilp->givens + dilp->defined; p++)
        memory_free(dilp->predicates[p].name);
    for (int d = 0; dilp->definitions && d < dilp->defined; d++)
        for (int t = 0; t < 2; t++)
            dilp_clauses_free(&dilp->definitions[d].clauses[t]);
    memory_free(dilp->predicates);
    memory_free(dilp->definitions);
    memory_free(dilp);
}

/* ---- sizes ---- */

/* n in the paper's measure, atoms p(x, x) included. */
double dilp_atoms(const struct dilp *dilp, int objects)
{
    double atoms = 0.0;
    for (int p = 0; p < dilp->givens + dilp->defined; p++)
        atoms += pow(objects, dilp->predicates[p].arity);
    return atoms;
}

/* 2 n T S + 3 n C S floats: n atoms, S pairs of clauses, C objects, T steps of all stages together. */
double dilp_estimate(const struct dilp *dilp, int objects)
{
    double n = dilp_atoms(dilp, objects), pairs = (double)dilp->weights;
    return (double)sizeof(float) * n * pairs *
           (2.0 * dilp_steps(dilp, objects) * dilp->stages + 3.0 * objects);
}

/* By the measure of the paper's implementation, on any computer: what can be learned is the same everywhere.
 * Bisection finds the number of objects that would fit; fitting <= answer < beyond always holds. */
nlm_status dilp_refuse_large(const struct dilp *dilp, int objects, nlm_error *error)
{
    double bytes = dilp_estimate(dilp, objects);
    if (bytes <= dilp->most_bytes)
        return NLM_OK;
    int fitting = 0, beyond = objects;
    while (beyond - fitting > 1) {
        int middle = fitting + (beyond - fitting) / 2;
        if (dilp_estimate(dilp, middle) <= dilp->most_bytes)
            fitting = middle;
        else
            beyond = middle;
    }
    return error_set(error, NLM_NO_MEMORY,
                     "differentiable ILP takes about %.3g GB to train with %d objects and %zu pairs of "
                     "clauses, by its paper's measure; the limit of %.3g GB allows %d objects",
                     bytes / 1e9, objects, dilp->weights, dilp->most_bytes / 1e9, fitting);
}

/* ---- learning ---- */

/* Some clause of the definition has a body of founded predicates, that is of given ones and of such as can be
 * concluded from them. */
static bool is_founded(const struct dilp_definition *definition, const bool *founded)
{
    for (int t = 0; t < definition->templates; t++)
        for (size_t c = 0; c < definition->clauses[t].live; c++) {
            const struct dilp_atom *body = definition->clauses[t].items[c].body;
            if (founded[body[0].predicate] && founded[body[1].predicate])
                return true;
        }
    return false;
}

/* Conclusions begin with given predicates.  A predicate that can only be concluded from itself, or from
 * others like it, is always false.  Founded ones are found as a least fixed point.  A program with a
 * predicate that is not founded would learn nothing, and its author would not know why. */
nlm_status dilp_admit(const void *model, int objects, nlm_error *error)
{
    const struct dilp *dilp = model;
    bool founded[DILP_MOST_PREDICATES], more = true;
    for (int p = 0; p < dilp->givens + dilp->defined; p++)
        founded[p] = p < dilp->givens;
    while (more) {
        more = false;
        for (int d = 0; d < dilp->defined; d++)
            if (!founded[dilp->givens + d] && is_founded(&dilp->definitions[d], founded))
                founded[dilp->givens + d] = more = true;
    }
    for (int d = 0; d < dilp->defined; d++) {
        const struct dilp_definition *definition = &dilp->definitions[d];
        const struct dilp_predicate *of = &dilp->predicates[definition->predicate];
        const bool live = definition->clauses[0].live + definition->clauses[1].live > 0;
        if (!founded[dilp->givens + d])
            return error_set(error, NLM_BAD_ARGUMENT,
                             "%s/%d could never be concluded: every clause that its templates allow %s",
                             of->name, of->arity,
                             live ? "needs itself, or a helper that cannot be concluded before it"
                                  : "has a given predicate of one object twice, p(X,X), which never holds; "
                                    "with more variables there are others");
    }
    return dilp_refuse_large(dilp, objects, error);
}

/* ---- reading ---- */

/* Probabilities are exp(w - *largest) / *sum.  Subtracting the largest weight keeps exp from overflowing. */
static void softmax_terms(const float *weight, size_t count, float *largest, double *sum)
{
    *largest = weight[0];
    for (size_t i = 1; i < count; i++)
        *largest = fmaxf(*largest, weight[i]);
    *sum = 0.0;
    for (size_t i = 0; i < count; i++)
        *sum += exp((double)weight[i] - *largest);
}

/* One softmax over the whole matrix. */
void dilp_probabilities(const struct dilp *dilp, const float *weights, int number, float *probability)
{
    const struct dilp_definition *definition = &dilp->definitions[number];
    const float *weight = weights + definition->offset;
    size_t count = definition->rows * definition->columns;
    float largest;
    double sum;
    softmax_terms(weight, count, &largest, &sum);
    for (size_t i = 0; i < count; i++)
        probability[i] = (float)(exp((double)weight[i] - largest) / sum);
}

/* The probability of clause c of template t: the sum of its row, or of its column. */
static double clause_probability(const struct dilp_definition *definition, const float *weight, int t,
                                 size_t c, float largest, double sum)
{
    size_t others = t == 0 ? definition->columns : definition->rows;
    size_t first = t == 0 ? c * definition->columns : c, step = t == 0 ? 1 : definition->columns;
    double probability = 0.0;
    for (size_t i = 0; i < others; i++)
        probability += exp((double)weight[first + i * step] - largest) / sum;
    return probability;
}

/* Report all clauses of a definition that are more probable than `least`, template by template.  The text
 * holds until the listener returns. */
static nlm_status read_definition(const struct dilp *dilp, const struct dilp_definition *definition,
                                  const float *weight, double least, nlm_clause_listener listener,
                                  void *context, nlm_error *error)
{
    const struct dilp_predicate *head = &dilp->predicates[definition->predicate];
    char text[3 * (DILP_MOST_NAME + 8)];
    float largest;
    double sum;
    softmax_terms(weight, definition->rows * definition->columns, &largest, &sum);
    for (int t = 0; t < definition->templates; t++) {
        for (size_t c = 0; c < definition->clauses[t].count; c++) {
            double probability = clause_probability(definition, weight, t, c, largest, sum);
            if (probability <= least)
                continue;
            dilp_clause_text(&definition->clauses[t].items[c], dilp->predicates, text, sizeof text);
            nlm_clause rule = {text, head->name, head->arity, t, probability};
            nlm_status status = listener(context, &rule, error);
            if (status)
                return status;
        }
    }
    return NLM_OK;
}

/* Definitions in their order, the target first.  The listener may end the reading by a status. */
nlm_status dilp_read(const void *model, const float *weights, double least, nlm_clause_listener listener,
                     void *context, nlm_error *error)
{
    const struct dilp *dilp = model;
    nlm_status status = NLM_OK;
    for (int d = 0; d < dilp->defined && !status; d++)
        status = read_definition(dilp, &dilp->definitions[d], weights + dilp->definitions[d].offset, least,
                                 listener, context, error);
    return status;
}
