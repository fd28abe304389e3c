#include "infer/coverage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "logic/alternatives.h"
#include "logic/neighbours.h"
#include "logic/seen_rows.h"
#include "logic/scopes.h"
#include "logic/truth.h"
#include "nlm/infer.h"

enum { TABLES = 32 /* of the largest size that a formula may need at a time */, KEPT_BYTES = 1 << 29 };

/* What no example had, of the rows of a target. */
typedef struct unseen_case {
    int target;
    formula f; /* without free variables */
    char *words;
    bool is_here; /* in the world */
} unseen_case;

/* A definition of the program. */
typedef struct answerer {
    int target, bit;
} answerer;

struct coverage {
    nlm_alternatives *alternatives; /* or NULL */
    rows *rows;                     /* or NULL */
    nlm_program *program;           /* a definition for each answerer, in their order */
    int width;                      /* most free variables of a part */
    int first[NLM_MAX_HEADS + 1];   /* alternative of each target of the model; the last is the end */
    buffer answerers;               /* answerer: the alternatives, then the bounds of each target */
    int count;
    uint64_t bits[NLM_MAX_HEADS]; /* that a target has */
    buffer cases;                 /* unseen_case */
    int case_count;
    bool is_known;
    buffer says[NLM_MAX_HEADS]; /* uint64_t for each tuple */
    buffer values;              /* signed char, of one answerer */
};

static answerer *answerer_at(const coverage *of, int number)
{
    return (answerer *)of->answerers.data + number;
}

static unseen_case *case_at(const coverage *of, int number)
{
    return (unseen_case *)of->cases.data + number;
}

static program_predicate *definition_at(const coverage *of, int number)
{
    return program_at(of->program, of->program->input_count + number);
}

/* ---- what is asked ---- */

static nlm_status add_answerer(coverage *of, int target, int bit, nlm_error *error)
{
    if (buffer_reserve(&of->answerers, (size_t)of->count + 1, sizeof(answerer), true) != NLM_OK)
        return error_no_memory(error);
    *answerer_at(of, of->count++) = (answerer){target, bit};
    of->bits[target] |= (uint64_t)1 << bit;
    return NLM_OK;
}

static nlm_status add_alternatives(coverage *of, nlm_error *error)
{
    const int count = nlm_alternatives_count(of->alternatives);
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++) {
        const int target = nlm_alternatives_at(of->alternatives, i)->target;
        status = add_answerer(of, target, i - of->first[target], error);
        for (int later = target + 1; later <= NLM_MAX_HEADS; later++)
            of->first[later] = i + 1;
    }
    return status;
}

/* One of the two programs of a target; the inputs have the same numbers in both programs. */
static nlm_status add_bound(coverage *of, int target, int bit, formula f, nlm_error *error)
{
    nlm_program *own = rows_program(of->rows);
    const program_predicate *as = program_at(own, own->target[target]);
    const formula body = formula_copy(&of->program->store, &own->store, f, NULL);
    if (of->program->store.failed || program_add_definition(of->program, as->name, as->arity, body) < 0)
        return error_no_memory(error);
    return add_answerer(of, target, bit, error);
}

/* The sentence in words; those that take more than a few words are left out. */
static nlm_status add_case(coverage *of, int target, formula f, nlm_error *error)
{
    nlm_program *own = rows_program(of->rows), *program = NULL;
    char *words = NULL;
    nlm_status status = alternatives_program(own, NULL, f, &program, error);
    if (!status)
        status = alternatives_words(program, &words, error);
    nlm_program_free(program);
    if (!status &&
        buffer_reserve(&of->cases, (size_t)of->case_count + 1, sizeof(unseen_case), true) != NLM_OK)
        status = error_no_memory(error);
    if (status || *words == '\0') {
        free(words);
        return status;
    }
    *case_at(of, of->case_count++) =
        (unseen_case){target, formula_copy(&of->program->store, &own->store, f, NULL), words, false};
    return of->program->store.failed ? error_no_memory(error) : NLM_OK;
}

static nlm_status add_rows(coverage *of, int target, nlm_error *error)
{
    formula least, most, cases[ROWS_MOST_CASES];
    int count = 0;
    nlm_status status = rows_bounds(of->rows, target, &least, &most, error);
    if (status || (least == rows_own(of->rows, target) && least == most))
        return status;
    status = add_bound(of, target, COVERAGE_LEAST, least, error);
    if (!status)
        status = add_bound(of, target, COVERAGE_MOST, most, error);
    if (!status)
        status = rows_cases(of->rows, target, cases, &count, error);
    for (int i = 0; i < count && !status; i++)
        status = add_case(of, target, cases[i], error);
    return status;
}

/* Tables have a place for each value of all variables that a part relates: fewer at once, smaller tables. */
static nlm_status order_all(coverage *of, nlm_error *error)
{
    scopes orders;
    nlm_status status = scopes_start(&orders, of->program, error);
    for (int i = 0; i < of->count && !status; i++) {
        program_predicate *definition = definition_at(of, i);
        definition->body = scopes_order_all(&orders, definition->body);
        const int width = formula_width(&of->program->store, definition->body);
        of->width = width > of->width ? width : of->width;
    }
    for (int i = 0; i < of->case_count && !status;
         i++) { /* those that need larger tables are not looked for */
        unseen_case *one = case_at(of, i);
        one->f = scopes_order_all(&orders, one->f);
        if (formula_width(&of->program->store, one->f) > of->width)
            one->f = FORMULA_FALSE;
    }
    if (!status && (orders.failed || of->program->store.failed))
        status = error_no_memory(error);
    scopes_free(&orders);
    return status;
}

static nlm_status make(coverage *of, nlm_error *error)
{
    const nlm_program *own = of->rows ? rows_program(of->rows)
                             : nlm_alternatives_count(of->alternatives) > 0
                                 ? nlm_alternatives_at(of->alternatives, 0)->rules
                                 : NULL;
    if (!own)
        return NLM_OK;
    nlm_status status = alternatives_joined(of->alternatives, own, &of->program, error);
    if (!status)
        status = add_alternatives(of, error);
    for (int t = 0; of->rows && t < rows_program(of->rows)->target_count && !status; t++)
        status = add_rows(of, t, error);
    return status ? status : order_all(of, error);
}

/* Whoever asks about tuples knows their number from the signature: the program must have its targets. */
static bool has_targets(const nlm_program *program, const nlm_signature *signature)
{
    bool same = program->target_count == nlm_signature_targets(signature);
    for (int t = 0; t < program->target_count && same; t++)
        same = program_at(program, program->target[t])->arity == nlm_signature_target(signature, t)->objects;
    return same;
}

static nlm_status read_rows(const nlm_machine *machine, const char *name, rows **made, nlm_error *error)
{
    const char *text = nlm_machine_metadata(machine, ROWS_KEY);
    nlm_signature *signature = NULL;
    nlm_program *program = NULL;
    *made = NULL;
    if (!text || !nlm_machine_has_program(machine))
        return NLM_OK;
    nlm_status status = nlm_signature_of_model(machine, name, &signature, error);
    if (!status)
        status = nlm_program_in(machine, name, &program, error);
    if (!status && !has_targets(program, signature))
        status =
            error_in_file(error, NLM_BAD_FILE, name, "the model's rules have other targets than the model");
    if (!status)
        status = rows_parse(text, name, program, made, error);
    nlm_program_free(program);
    nlm_signature_free(signature);
    return status;
}

nlm_status coverage_new(const nlm_machine *machine, const char *name, coverage **made, nlm_error *error)
{
    coverage *of = *made = memory_new(1, sizeof *of);
    if (!of)
        return error_no_memory(error);
    nlm_status status = nlm_alternatives_in(machine, name, &of->alternatives, error);
    if (!status)
        status = read_rows(machine, name, &of->rows, error);
    if (!status)
        status = make(of, error);
    if (!status && (of->alternatives || of->rows))
        return NLM_OK;
    coverage_free(of);
    *made = NULL;
    return status;
}

void coverage_free(coverage *of)
{
    if (!of)
        return;
    for (int target = 0; target < NLM_MAX_HEADS; target++)
        buffer_free(&of->says[target]);
    for (int i = 0; i < of->case_count; i++)
        free(case_at(of, i)->words);
    buffer_free(&of->cases);
    buffer_free(&of->answerers);
    buffer_free(&of->values);
    nlm_program_free(of->program);
    rows_free(of->rows);
    nlm_alternatives_free(of->alternatives);
    memory_free(of);
}

/* ---- a world ---- */

/* One answerer: its bit for each tuple.  The first of a target clears the others. */
static nlm_status take_answers(coverage *of, truth *group, int number, int objects, nlm_error *error)
{
    const answerer one = *answerer_at(of, number);
    const program_predicate *definition = definition_at(of, number);
    const size_t tuples = nlm_tuple_count(objects, definition->arity);
    buffer *says = &of->says[one.target];
    if (buffer_reserve(says, tuples, sizeof(uint64_t), true) || buffer_reserve(&of->values, tuples, 1, false))
        return error_no_memory(error);
    if ((of->bits[one.target] & (((uint64_t)1 << one.bit) - 1)) == 0)
        memset(says->data, 0, tuples * sizeof(uint64_t));
    const nlm_status status =
        truth_values(group, definition->body, definition->arity, 0, of->values.data, error);
    const signed char *values = of->values.data;
    for (size_t t = 0; t < tuples && !status; t++)
        ((uint64_t *)says->data)[t] |= (uint64_t)(values[t] == 1) << one.bit;
    return status;
}

/* Whether some tuple of a target rests on rows that were never seen. */
static bool is_open(const coverage *of, int target, int objects)
{
    const uint64_t both = (uint64_t)1 << COVERAGE_LEAST | (uint64_t)1 << COVERAGE_MOST;
    const program_predicate *as = program_at(rows_program(of->rows), rows_program(of->rows)->target[target]);
    const size_t tuples = nlm_tuple_count(objects, as->arity);
    const uint64_t *says = of->says[target].data;
    for (size_t t = 0; t < tuples; t++)
        if ((says[t] & both) != 0 && (says[t] & both) != both)
            return true;
    return false;
}

static nlm_status find_cases(coverage *of, truth *group, int objects, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < of->case_count && !status; i++) {
        size_t count = 0;
        case_at(of, i)->is_here = false;
        if (!is_open(of, case_at(of, i)->target, objects))
            continue;
        status = truth_count(group, case_at(of, i)->f, &count, error);
        case_at(of, i)->is_here = count > 0;
    }
    return status;
}

/* Tables that are too large, or more than there is memory for, leave it unknown. */
nlm_status coverage_ask(coverage *of, const nlm_world *world, double memory, nlm_error *error)
{
    const int objects = nlm_world_objects(world);
    truth *group = NULL;
    nlm_error cause;
    of->is_known = objects > 0 && of->count == 0; /* all agree where there is no other */
    if (objects == 0 || of->count == 0 ||
        TABLES * pow(objects, of->width - 1) * (objects + 63.0) / 8 > memory)
        return NLM_OK;
    nlm_status status = truth_new(of->program, KEPT_BYTES, &group, &cause);
    if (!status)
        status = truth_add_world(group, world, &cause);
    for (int i = 0; i < of->count && !status; i++)
        status = take_answers(of, group, i, objects, &cause);
    if (!status)
        status = find_cases(of, group, objects, &cause);
    truth_free(group);
    of->is_known = status == NLM_OK;
    return status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_ARGUMENT
               ? NLM_OK
               : error_set(error, status, "%s", cause.message);
}

bool coverage_is_known(const coverage *of)
{
    return of && of->is_known;
}

bool coverage_is_trivial(const coverage *of)
{
    return of->count == 0;
}

const nlm_alternatives *coverage_alternatives(const coverage *of)
{
    return of ? of->alternatives : NULL;
}

void coverage_range(const coverage *of, int target, int *first, int *count)
{
    *first = of->first[target];
    *count = of->first[target + 1] - *first;
}

uint64_t coverage_differ(const coverage *of, int target, size_t tuple, bool concluded)
{
    if (of->bits[target] == 0)
        return 0;
    const uint64_t says = ((const uint64_t *)of->says[target].data)[tuple];
    return (concluded ? ~says : says) & of->bits[target];
}

const char *coverage_case(const coverage *of, int target, int number)
{
    for (int i = 0; i < of->case_count; i++)
        if (case_at(of, i)->target == target && case_at(of, i)->is_here && number-- == 0)
            return case_at(of, i)->words;
    return NULL;
}
