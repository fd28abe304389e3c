/* The proof.  Units first; then, target by target, machine and rules: worlds of one to three objects in
 * search of a difference, a proof without a bound on objects, and where there is none larger worlds. */
#include "nlm/prove.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/hard_text.h"
#include "logic/small_world.h"

enum { FIRST_OBJECTS = 3 };

void nlm_proof_free(nlm_proof *proof)
{
    if (!proof)
        return;
    free(proof->definitions);
    free(proof->reason);
    free(proof->world);
    free(proof->atom);
    free(proof);
}

/* ---- predicates by name ---- */

static bool same_predicate(const program_predicate *ours, const nlm_predicate *theirs)
{
    const int written = theirs->is_type ? 1 : theirs->arity;
    bool same = strcmp(ours->name, theirs->name) == 0 && ours->arity == theirs->objects &&
                ours->written == written && ours->is_type == theirs->is_type;
    for (int k = 0; k < written && same && !theirs->is_type; k++)
        same = ours->place[k] == theirs->place[k];
    return same;
}

/* The machine's predicate for each input of the program. */
static nlm_status match_inputs(const hard_units *units, const nlm_program *rules, int *input,
                               nlm_error *error)
{
    const nlm_signature *signature = units->signature;
    for (int i = 0; i < rules->input_count; i++) {
        const program_predicate *ours = program_at(rules, i);
        int seen[NLM_MAX_BREADTH + 1] = {0};
        input[i] = -1;
        for (int k = 0; k < nlm_signature_inputs(signature); k++) {
            const nlm_predicate *theirs = nlm_signature_input(signature, k);
            if (same_predicate(ours, theirs))
                input[i] = units->first[0][theirs->objects] + seen[theirs->objects];
            seen[theirs->objects]++;
        }
        if (input[i] < 0)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "the rules use %.100s/%d, which the model does not read", ours->name,
                             ours->written);
    }
    return NLM_OK;
}

/* The definition of a target, or -1. */
static int find_target(const nlm_program *rules, const nlm_predicate *target)
{
    for (int i = rules->input_count; i < rules->predicate_count; i++)
        if (same_predicate(program_at(rules, i), target))
            return i;
    return -1;
}

/* ---- worlds on which machine and rules differ ---- */

static const char *const object_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void write_facts(FILE *file, const small_world *world)
{
    const hard_units *units = world->question->units;
    bool named[SMALL_WORLD_OBJECTS] = {false};
    for (int p = 0; p < units->predicate_count && unit_predicate_at(units, p)->layer == 0; p++) {
        const int arity = unit_predicate_at(units, p)->arity;
        const size_t count = nlm_tuple_count(world->objects, arity);
        for (size_t t = 0; t < count; t++) {
            int tuple[NLM_MAX_BREADTH];
            const char *names[NLM_MAX_BREADTH];
            if (!nlm_tuple_at(world->objects, arity, t, tuple) || !small_world_fact(world, p, tuple))
                continue;
            for (int i = 0; i < arity; i++) {
                names[i] = object_names[tuple[i]];
                named[tuple[i]] = true;
            }
            hard_atom_write(file, units, p, names);
            fputs(".\n", file);
        }
    }
    for (int o = 0; o < world->objects; o++)
        if (!named[o])
            fprintf(file, "object(%s).\n", object_names[o]);
}

static nlm_status note_world(nlm_proof *proof, const small_world *world, nlm_error *error)
{
    const ground_question *question = world->question;
    size_t size;
    FILE *file = open_memstream(&proof->world, &size);
    if (!file)
        return error_no_memory(error);
    write_facts(file, world);
    fclose(file);
    file = open_memstream(&proof->atom, &size);
    if (!file)
        return error_no_memory(error);
    hard_head_write(file, question->units, question->head, object_names);
    fclose(file);
    proof->verdict = NLM_REFUTED;
    proof->objects = world->objects;
    proof->machine_concludes = question->machine;
    return proof->world && proof->atom ? NLM_OK : error_no_memory(error);
}

/* A world of n objects on which they differ, as the question says.  *answer says whether there is one. */
static nlm_status search(const ground_question *question, int objects, nlm_proof *proof, sat_answer *answer,
                         nlm_error *error)
{
    ground *of = ground_new(question, objects);
    small_world world = {0};
    nlm_status status = NLM_OK;
    if (!of)
        return error_no_memory(error);
    *answer = ground_answer(of);
    if (*answer == SAT_SATISFIABLE && objects) {
        if (!small_world_take(&world, question, of))
            status = error_no_memory(error);
        else if (small_world_differs(&world)) {
            small_world_shrink(&world);
            status = note_world(proof, &world, error);
        } else
            *answer = SAT_STOPPED; /* too large to be looked at again */
    }
    small_world_free(&world);
    ground_free(of);
    return status;
}

/* Both directions in worlds of n objects.  *none: they agree in all of these. */
static nlm_status search_worlds(ground_question *question, int objects, nlm_proof *proof, bool *none,
                                nlm_error *error)
{
    nlm_status status = NLM_OK;
    *none = true;
    for (int turn = 0; turn < 2 && status == NLM_OK && proof->verdict != NLM_REFUTED; turn++) {
        sat_answer answer = SAT_STOPPED;
        question->machine = turn == 0;
        status = search(question, objects, proof, &answer, error);
        *none &= answer == SAT_UNSATISFIABLE;
    }
    return status;
}

/* One target.  The verdict becomes NLM_REFUTED or NLM_UNDECIDED, or stays. */
static nlm_status compare_target(ground_question *question, nlm_proof *proof, nlm_error *error)
{
    const int arity = unit_predicate_at(question->units, question->units->head[question->head])->arity;
    int objects = arity > 1 ? arity : 1;
    bool none = true, proved = false;
    nlm_status status = NLM_OK;
    for (; objects <= FIRST_OBJECTS && none && status == NLM_OK; objects++)
        status = search_worlds(question, objects, proof, &none, error);
    if (status == NLM_OK && proof->verdict != NLM_REFUTED)
        status = search_worlds(question, 0, proof, &proved, error);
    for (; objects <= SMALL_WORLD_OBJECTS && none && !proved && status == NLM_OK &&
           proof->verdict != NLM_REFUTED;
         objects++)
        status = search_worlds(question, objects, proof, &none, error);
    if (status == NLM_OK && proof->verdict != NLM_REFUTED && !proved) {
        const int most = objects - 1 - !none;
        proof->objects = proof->verdict == NLM_UNDECIDED && proof->objects < most ? proof->objects : most;
        proof->verdict = NLM_UNDECIDED;
    }
    return status;
}

static nlm_status compare(const hard_units *units, const nlm_program *rules, nlm_proof *proof,
                          nlm_error *error)
{
    int *input = malloc(((size_t)rules->input_count + 1) * sizeof *input);
    if (!input)
        return error_no_memory(error);
    nlm_status status = match_inputs(units, rules, input, error);
    for (int h = 0; h < units->head_count && status == NLM_OK && proof->verdict != NLM_REFUTED; h++) {
        const nlm_predicate *target = nlm_signature_target(units->signature, h);
        ground_question question = {.units = units,
                                    .head = h,
                                    .program = rules,
                                    .definition = find_target(rules, target),
                                    .input = input};
        if (question.definition < 0)
            status = error_set(error, NLM_BAD_ARGUMENT,
                               "the rules do not define %.100s/%d, which the model concludes", target->name,
                               target->arity);
        else
            status = compare_target(&question, proof, error);
    }
    free(input);
    return status;
}

/* ---- agents ---- */

/* Predicate number k of an agent's last layer holds where one of its first k rules does: the rules' program
 * with such definitions in their places. */
static nlm_status add_up_rules(const hard_units *units, const nlm_program *rules, nlm_program **made,
                               nlm_error *error)
{
    formula any = FORMULA_FALSE;
    const nlm_status status = program_copy(rules, made, error);
    for (int h = 0; h < units->head_count && status == NLM_OK; h++) {
        const int number = find_target(*made, nlm_signature_target(units->signature, h));
        if (number < 0)
            continue; /* compare() says so */
        any = formula_or2(&(*made)->store, any, program_at(*made, number)->body);
        program_at(*made, number)->body = any;
    }
    return status == NLM_OK && (*made)->store.failed ? error_no_memory(error) : status;
}

static nlm_status compare_agent(const hard_units *units, const nlm_program *rules, nlm_proof *proof,
                                nlm_error *error)
{
    nlm_program *made = NULL;
    nlm_status status = add_up_rules(units, rules, &made, error);
    if (status == NLM_OK)
        status = compare(units, made, proof, error);
    nlm_program_free(made);
    return status;
}

/* ---- the whole ---- */

static nlm_status note_units(nlm_proof *proof, const hard_units *units, nlm_error *error)
{
    size_t size;
    FILE *file = open_memstream(&proof->definitions, &size);
    if (!file)
        return error_no_memory(error);
    if (units->soft == 0)
        hard_definitions_write(file, units);
    fclose(file);
    proof->units = units->reached;
    proof->soft = units->soft;
    proof->margin = units->margin;
    proof->verdict = units->soft ? NLM_SOFT : NLM_PROVED;
    proof->reason = memory_copy_text(units->complaint);
    return proof->definitions && proof->reason ? NLM_OK : error_no_memory(error);
}

nlm_status nlm_prove(nlm_machine *machine, const nlm_signature *signature, const nlm_program *rules,
                     nlm_proof **proof, nlm_error *error)
{
    REQUIRE(machine && proof, error);
    hard_units units;
    *proof = NULL;
    if (rules && !signature)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "rules are about predicates: the model has no names for its own");
    nlm_status status = hard_units_read(&units, machine, signature, error);
    if (status != NLM_OK)
        return status;
    nlm_proof *made = calloc(1, sizeof *made);
    status = made ? note_units(made, &units, error) : error_no_memory(error);
    if (status == NLM_OK && rules && made->verdict == NLM_PROVED)
        status =
            units.ranks ? compare_agent(&units, rules, made, error) : compare(&units, rules, made, error);
    hard_units_free(&units);
    if (status == NLM_OK)
        *proof = made;
    else
        nlm_proof_free(made);
    return status;
}
