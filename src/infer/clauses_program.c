/* The program of differentiable ILP, whose clauses have probabilities: the most probable clause of each
 * template, and a definition of each negation, read as any file of rules.  Inputs have the names that
 * templates give them, is_person for a type and likes_aa for likes(A,A), until they get those of the
 * signature. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "infer/clauses_write.h"
#include "logic/program.h"
#include "logic/rules.h"
#include "nlm/infer.h"

enum { TEMPLATES = 2, NAME_SIZE = 400 };

typedef struct choice {
    char *text; /* NULL: none */
    double probability;
} choice;

typedef struct choosing {
    const nlm_program_template *program;
    choice *choices; /* of each definition, TEMPLATES */
} choosing;

/* ---- the most probable clauses ---- */

static int definition_of(const nlm_program_template *program, const char *name, int arity)
{
    for (int d = 0; d < program->definitions; d++)
        if (program->definition[d].arity == arity && !strcmp(program->definition[d].name, name))
            return d;
    return -1;
}

static nlm_status keep_better(void *context, const nlm_clause *clause, nlm_error *error)
{
    const choosing *of = context;
    const int d = definition_of(of->program, clause->predicate, clause->arity);
    choice *best = d < 0 ? NULL : &of->choices[d * TEMPLATES + clause->template_number];
    if (!best || (best->text && best->probability >= clause->probability))
        return NLM_OK;
    char *text = memory_copy_text(clause->text);
    if (!text)
        return error_no_memory(error);
    free(best->text);
    *best = (choice){text, clause->probability};
    return NLM_OK;
}

/* ---- as rules ---- */

static nlm_status rules_text_of(const choosing *chosen, char **text, nlm_error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(error);
    clauses_write_negations(stream, chosen->program);
    for (int i = 0; i < TEMPLATES * chosen->program->definitions; i++)
        if (chosen->choices[i].text)
            fprintf(stream, "%s\n", chosen->choices[i].text);
    const bool failed = ferror(stream);
    return (fclose(stream) || failed) ? error_no_memory(error) : NLM_OK;
}

/* What no program can say is refused by the reader of rules; of recursion only the cycle is the reason. */
static nlm_status read_rules(const char *text, const char *name, const nlm_signature *signature,
                             nlm_program **program, nlm_error *error)
{
    char target[NAME_SIZE];
    const char *const targets[] = {target};
    const nlm_program_reading reading = {.targets = targets, .target_count = 1};
    nlm_error cause;
    const nlm_predicate *of = nlm_signature_target(signature, 0);
    snprintf(target, sizeof target, "%.300s/%d", of->name, of->arity);
    const nlm_status status = nlm_program_parse(text, strlen(text), name, &reading, program, &cause);
    const char *cycle = status == NLM_BAD_FILE ? strstr(cause.message, RULES_CYCLE) : NULL;
    if (cycle)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "%.200s: its clauses are recursive (%.*s), which programs of logic are not: only 'nlm "
            "rules' without --format prints them, as Prolog",
            name, (int)strcspn(cycle + strlen(RULES_CYCLE), ";"), cycle + strlen(RULES_CYCLE));
    return status == NLM_OK ? status : error_set(error, status, "%s", cause.message);
}

/* The input of the signature that a program's input is, by the name that templates have for it; -1: none. */
static int signature_input(const struct clause_list *list, const program_predicate *input)
{
    for (int g = 0; g < list->program->givens; g++)
        for (int p = 0; p < nlm_signature_inputs(list->signature); p++)
            if (list->program->given[g].arity == input->arity &&
                !strcmp(list->program->given[g].name, input->name) &&
                nlm_signature_input(list->signature, p) == clauses_input(list, g))
                return p;
    return -1;
}

/* The same definitions about the inputs of the signature, all of them: facts that repeat an object are no
 * facts of an input that has a pattern for these. */
static nlm_status use_signature(const struct clause_list *list, const nlm_program *from,
                                nlm_program **program, nlm_error *error)
{
    nlm_program *made;
    nlm_status status = program_new(&made, error);
    if (status != NLM_OK)
        return status;
    int *to = memory_new((size_t)from->predicate_count, sizeof *to);
    status = to ? program_add_signature(made, list->signature, error) : error_no_memory(error);
    for (int i = 0; i < from->input_count && status == NLM_OK; i++) {
        to[i] = signature_input(list, program_at(from, i));
        if (to[i] < 0)
            status = error_set(error, NLM_BAD_ARGUMENT, "its input %.100s is none of its signature",
                               program_at(from, i)->name);
    }
    for (int d = from->input_count; d < from->predicate_count && status == NLM_OK; d++) {
        const program_predicate *of = program_at(from, d);
        const formula body = formula_copy(&made->store, &from->store, of->body, to);
        to[d] = program_add_definition(made, of->name, of->arity, body);
        if (to[d] < 0 || made->store.failed)
            status = error_no_memory(error);
    }
    if (status == NLM_OK)
        made->target[made->target_count++] = to[from->target[0]];
    memory_free(to);
    if (status == NLM_OK)
        *program = made;
    else
        nlm_program_free(made);
    return status;
}

/* ---- what the model computes ---- */

static nlm_status check_decided(const choosing *chosen, const char *name, const nlm_program *program,
                                nlm_error *error)
{
    int undecided = 0, templates = 0;
    for (int d = 0; d < chosen->program->definitions; d++) {
        const nlm_definition *of = &chosen->program->definition[d];
        if (program_find(program, of->name, of->arity) < program->input_count)
            continue; /* no target needs it */
        for (int t = 0; t < of->templates; t++) {
            templates++;
            undecided += chosen->choices[d * TEMPLATES + t].probability < CLAUSE_DECIDED;
        }
    }
    return undecided == 0
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT,
                           "%.200s: %d of %d templates have no clause with a probability above %g: the model "
                           "weighs several, and is no program",
                           name, undecided, templates, CLAUSE_DECIDED);
}

/* A step concludes from what the step before did, so that definitions that use each other need several. */
static int steps_needed(const nlm_program *program, const nlm_program_template *of, int predicate)
{
    int most = 0;
    const program_predicate *at = program_at(program, predicate);
    for (int p = program->input_count; p < predicate; p++)
        if (formula_has(&program->store, at->body, p)) {
            const int steps = steps_needed(program, of, p);
            most = steps > most ? steps : most;
        }
    return most + (definition_of(of, at->name, at->arity) >= 0);
}

static nlm_status check_steps(const nlm_spec *spec, const char *name, const nlm_program *program,
                              nlm_error *error)
{
    const nlm_program_template *of = spec->program;
    for (int g = 0; g < of->givens; g++) /* stages, each with its own steps */
        if (of->given[g].negated && definition_of(of, of->given[g].name, of->given[g].arity) >= 0)
            return NLM_OK;
    const int steps = steps_needed(program, of, program->target[0]);
    return of->steps_by_objects || steps <= spec->depth
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT,
                           "%.200s: it applies its clauses %d time%s, and these need %d", name, spec->depth,
                           spec->depth == 1 ? "" : "s", steps);
}

nlm_status nlm_clauses_program(const nlm_machine *machine, const char *name, nlm_program **program,
                               nlm_error *error)
{
    REQUIRE(machine && name && program, error);
    const nlm_spec *spec = nlm_machine_spec(machine);
    choosing chosen = {.program = spec->program};
    nlm_signature *signature = NULL;
    nlm_program *parsed = NULL, *made = NULL;
    char *text = NULL;
    *program = NULL;
    if (!chosen.program) /* says that there are none */
        return nlm_machine_clauses(machine, 0, keep_better, &chosen, error);
    const size_t choices = TEMPLATES * (size_t)chosen.program->definitions;
    chosen.choices = memory_new(choices, sizeof *chosen.choices);
    nlm_status status = chosen.choices ? NLM_OK : error_no_memory(error);
    if (status == NLM_OK)
        status = nlm_signature_of_model(machine, name, &signature, error);
    if (status == NLM_OK)
        status = nlm_machine_clauses(machine, 0, keep_better, &chosen, error);
    if (status == NLM_OK)
        status = rules_text_of(&chosen, &text, error);
    if (status == NLM_OK)
        status = read_rules(text, name, signature, &parsed, error);
    if (status == NLM_OK)
        status = use_signature(&(const struct clause_list){.program = spec->program, .signature = signature},
                               parsed, &made, error);
    if (status == NLM_OK)
        status = check_decided(&chosen, name, made, error);
    if (status == NLM_OK)
        status = check_steps(spec, name, made, error);
    if (status == NLM_OK)
        *program = made;
    else
        nlm_program_free(made);
    nlm_program_free(parsed);
    for (size_t i = 0; i < choices && chosen.choices; i++)
        free(chosen.choices[i].text);
    memory_free(chosen.choices);
    nlm_signature_free(signature);
    free(text);
    return status;
}
