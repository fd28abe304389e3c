/* Programs: their predicates, copies, and the truth of their targets in a world. */
#include "logic/program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "facts/comparison.h"
#include "facts/signature.h"
#include "logic/truth.h"

enum { EVALUATION_BYTES = 1 << 28 };

nlm_status program_new(nlm_program **program, nlm_error *error)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return error_no_memory(error);
    formula_store_start(&(*program)->store);
    if (!(*program)->store.failed)
        return NLM_OK;
    nlm_program_free(*program);
    *program = NULL;
    return error_no_memory(error);
}

void nlm_program_free(nlm_program *program)
{
    if (!program)
        return;
    for (int i = 0; i < program->predicate_count; i++)
        free(program_at(program, i)->name);
    for (int a = 0; a < program->attribute_count; a++)
        free((char *)program_attribute_at(program, a)->name);
    buffer_free(&program->attributes);
    buffer_free(&program->predicates);
    formula_store_free(&program->store);
    free(program);
}

static int add_predicate(nlm_program *program, const char *name, int arity, bool is_input, formula body)
{
    char *copy = memory_copy_text(name);
    if (!copy || buffer_reserve(&program->predicates, (size_t)program->predicate_count + 1,
                                sizeof(program_predicate), true) != NLM_OK) {
        free(copy);
        return -1;
    }
    program_predicate *made = program_at(program, program->predicate_count);
    *made = (program_predicate){
        .name = copy, .arity = arity, .written = arity, .is_input = is_input, .body = body};
    for (int i = 0; i < arity; i++)
        made->place[i] = i;
    return program->predicate_count++;
}

int program_add_input(nlm_program *program, const char *name, int arity)
{
    const int number = add_predicate(program, name, arity, true, FORMULA_FALSE);
    if (number >= 0)
        program->store.inputs = program->input_count = program->predicate_count;
    return number;
}

int program_add_definition(nlm_program *program, const char *name, int arity, formula body)
{
    return add_predicate(program, name, arity, false, body);
}

int program_add_attribute(nlm_program *program, const nlm_attribute *attribute)
{
    char *name = memory_copy_text(attribute->name);
    if (!name || buffer_reserve(&program->attributes, (size_t)program->attribute_count + 1, sizeof *attribute,
                                true) != NLM_OK) {
        free(name);
        return -1;
    }
    nlm_attribute *made = (nlm_attribute *)program->attributes.data + program->attribute_count;
    *made = *attribute;
    made->name = name;
    for (int k = 0; k < NLM_MAX_FACT_ARITY; k++)
        made->type[k] = "";
    return program->attribute_count++;
}

int program_add_comparison(nlm_program *program, const nlm_comparison *of)
{
    char *name = comparison_name(program->attributes.data, of);
    if (!name)
        return -1;
    const int arity = comparison_objects(program->attributes.data, of);
    int number = program_find(program, name, arity);
    if (number < 0 && (number = program_add_input(program, name, arity)) >= 0)
        program_at(program, number)->comparison = *of;
    memory_free(name);
    return number;
}

int program_find(const nlm_program *program, const char *name, int arity)
{
    for (int i = 0; i < program->predicate_count; i++)
        if (program_at(program, i)->arity == arity && strcmp(program_at(program, i)->name, name) == 0)
            return i;
    return -1;
}

formula program_atom(nlm_program *program, int predicate, const int *variables)
{
    return formula_atom(&program->store, predicate, program_at(program, predicate)->arity, variables);
}

nlm_status program_add_signature(nlm_program *program, const nlm_signature *signature, nlm_error *error)
{
    for (int a = 0; a < nlm_signature_attributes(signature); a++)
        if (program_add_attribute(program, nlm_signature_attribute(signature, a)) < 0)
            return error_no_memory(error);
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const nlm_predicate *input = nlm_signature_input(signature, i);
        const int number = program_add_input(program, input->name, input->objects);
        if (number < 0)
            return error_no_memory(error);
        program_predicate *made = program_at(program, number);
        made->is_type = input->is_type;
        made->comparison = input->comparison;
        made->written = input->is_type ? 1 : input->arity;
        for (int k = 0; k < made->written && !input->is_type; k++)
            made->place[k] = input->place[k];
    }
    return NLM_OK;
}

nlm_status nlm_program_signature(const nlm_program *program, nlm_signature **signature, nlm_error *error)
{
    REQUIRE(program && signature, error);
    nlm_status status = signature_new(signature, error);
    for (int a = 0; a < program->attribute_count && !status; a++)
        if (program_attribute_at(program, a)->place == program_attribute_at(program, a)->objects)
            status = signature_add_attributes(*signature, program_attribute_at(program, a), error);
    for (int i = 0; i < program->input_count + program->target_count && !status; i++) {
        const bool input = i < program->input_count;
        const program_predicate *of =
            program_at(program, input ? i : program->target[i - program->input_count]);
        nlm_predicate added = {
            .name = of->name, .arity = of->written, .objects = of->arity, .is_type = of->is_type};
        added.comparison = of->comparison;
        if (of->written > NLM_MAX_FACT_ARITY) {
            status = error_set(error, NLM_BAD_ARGUMENT, "%.100s/%d: facts have at most %d arguments",
                               of->name, of->written, NLM_MAX_FACT_ARITY);
            break;
        }
        for (int k = 0; k < of->written; k++)
            added.place[k] = of->place[k];
        status = signature_add(*signature, input ? SIGNATURE_INPUTS : SIGNATURE_TARGETS, &added, error);
    }
    if (!status)
        status = signature_finish(*signature, error);
    if (status) {
        nlm_signature_free(*signature);
        *signature = NULL;
    }
    return status;
}

char *program_written_name(const nlm_program *program, int predicate)
{
    const program_predicate *of = program_at(program, predicate);
    bool shared = false;
    for (int i = 0; i < program->input_count && of->is_type; i++)
        shared |= !program_at(program, i)->is_type && program_at(program, i)->written == 1 &&
                  !strcmp(program_at(program, i)->name, of->name);
    const size_t size = strlen(of->name) + sizeof "type_";
    char *text = memory_new(size, 1);
    if (text)
        snprintf(text, size, "%s%s", shared ? "type_" : "", of->name);
    return text;
}

char *program_world_name(const program_predicate *input)
{
    const size_t size = strlen(input->name) + sizeof "type()" + 2 * FORMULA_MOST_ARITY;
    char *text = memory_new(size, 1);
    if (!text)
        return NULL;
    size_t used = (size_t)snprintf(text, size, input->is_type ? "type(%s)" : "%s", input->name);
    for (int i = 0; i < input->written && input->arity < input->written; i++) {
        text[used++] = i ? ',' : '(';
        text[used++] = (char)('A' + input->place[i]);
    }
    if (input->arity < input->written)
        text[used] = ')';
    return text;
}

nlm_status program_copy(const nlm_program *from, nlm_program **program, nlm_error *error)
{
    nlm_program *made;
    const nlm_status status = program_new(&made, error);
    if (status != NLM_OK)
        return status;
    made->store.inputs = from->store.inputs;
    for (int a = 0; a < from->attribute_count; a++)
        if (program_add_attribute(made, program_attribute_at(from, a)) < 0) {
            nlm_program_free(made);
            return error_no_memory(error);
        }
    for (int i = 0; i < from->predicate_count; i++) {
        const program_predicate *predicate = program_at(from, i);
        const formula body = formula_copy(&made->store, &from->store, predicate->body, NULL);
        if (add_predicate(made, predicate->name, predicate->arity, predicate->is_input, body) < 0)
            made->store.failed = true;
        if (made->store.failed) {
            nlm_program_free(made);
            return error_no_memory(error);
        }
        char *name = program_at(made, i)->name;
        *program_at(made, i) = *predicate;
        program_at(made, i)->name = name;
        program_at(made, i)->body = body;
    }
    made->input_count = from->input_count;
    memcpy(made->target, from->target, sizeof made->target);
    made->target_count = from->target_count;
    made->is_policy = from->is_policy;
    *program = made;
    return NLM_OK;
}

formula program_inlined(nlm_program *program, int definition, int most, bool *fits)
{
    formula f = program_at(program, definition)->body;
    int atoms = 0, equalities = 0;
    for (int d = definition - 1; d >= program->input_count; d--)
        if (formula_has(&program->store, f, d)) {
            f = formula_expand(&program->store, f, d, program_at(program, d)->body);
            formula_count(&program->store, f, &atoms, &equalities);
            if (atoms + equalities > most)
                break;
        }
    *fits = atoms + equalities <= most && !program->store.failed;
    return f;
}

nlm_status nlm_program_evaluate(const nlm_program *program, const nlm_world *world, int target,
                                signed char *values, nlm_error *error)
{
    REQUIRE(program && world && values, error);
    if (target < 0 || target >= program->target_count)
        return error_set(error, NLM_BAD_ARGUMENT, "the program has no target number %d", target);
    const program_predicate *of = program_at(program, program->target[target]);
    truth *group;
    nlm_status status = truth_new(program, EVALUATION_BYTES, &group, error);
    if (status != NLM_OK)
        return status;
    status = truth_add_world(group, world, error);
    if (status == NLM_OK)
        status = truth_values(group, of->body, of->arity, 0, values, error);
    truth_free(group);
    return status;
}
