/* The program by which a model concludes, wherever it comes from, and the proof that it does. */
#include "infer/model_program.h"

#include <string.h>
#include "base/error.h"
#include "facts/signature.h"
#include "logic/policy.h"
#include "logic/program.h"
#include "nlm/game.h"
#include "nlm/infer.h"

/* ---- the program of its file ---- */

bool nlm_machine_has_program(const nlm_machine *machine)
{
    return machine && nlm_machine_metadata(machine, RULES_KEY) != NULL;
}

static const nlm_game *game_of(const nlm_machine *machine)
{
    const char *task = nlm_machine_metadata(machine, "task");
    return task ? nlm_game_find(task) : NULL;
}

nlm_status nlm_program_names(const nlm_machine *machine, const char *name, nlm_signature **signature,
                             nlm_error *error)
{
    REQUIRE(machine && name && signature, error);
    const nlm_game *game = game_of(machine);
    int numbers, sights;
    if (game)
        return nlm_signature_of_game(game, policy_rules(machine), signature, error);
    nlm_status status = nlm_signature_of_model(machine, name, signature, error);
    if (status != NLM_OK || !nlm_sense_find(nlm_machine_spec(machine)->sense, &numbers, &sights))
        return status;
    nlm_signature *facts = *signature;
    status = signature_with_sights(facts, sights, signature, error);
    nlm_signature_free(facts);
    return status;
}

/* The clauses are parsed again, with the model's inputs in their order: the file is read without trust, as
 * any file of rules. */
nlm_status nlm_program_in(const nlm_machine *machine, const char *name, nlm_program **program,
                          nlm_error *error)
{
    REQUIRE(machine && name && program, error);
    *program = NULL;
    const char *clauses = nlm_machine_metadata(machine, RULES_KEY);
    if (!clauses)
        return error_set(error, NLM_BAD_ARGUMENT, "%.200s: the model has no rules", name);
    nlm_signature *signature = NULL;
    nlm_status status = nlm_program_names(machine, name, &signature, error);
    if (status == NLM_OK) {
        const nlm_program_reading reading = {.signature = signature, .false_targets = true};
        status = nlm_program_parse(clauses, strlen(clauses), name, &reading, program, error);
        if (status == NLM_OK)
            (*program)->is_policy = game_of(machine) != NULL;
    }
    nlm_signature_free(signature);
    return status;
}

/* ---- of any model ---- */

/* The definitions of a machine without rules, whose units then must be 0 or 1 in every world. */
static nlm_status program_of_units(nlm_machine *machine, const char *name, nlm_program **program,
                                   nlm_error *error)
{
    nlm_signature *signature = NULL;
    nlm_proof *proof = NULL;
    nlm_status status = nlm_program_names(machine, name, &signature, error);
    if (status == NLM_OK)
        status = nlm_prove(machine, signature, NULL, &proof, error);
    if (status == NLM_OK && proof->verdict != NLM_PROVED)
        status = error_set(
            error, NLM_BAD_ARGUMENT,
            "%.100s has no rules: %d of %d units may be neither 0 nor 1; nlm rules --find looks for some",
            name, proof->soft, proof->units);
    if (status == NLM_OK)
        status = nlm_program_of(machine, signature, program, error);
    nlm_proof_free(proof);
    nlm_signature_free(signature);
    return status;
}

nlm_status nlm_program_of_model(nlm_machine *machine, const char *name, nlm_program **program,
                                nlm_error *error)
{
    REQUIRE(machine && name && program, error);
    *program = NULL;
    if (nlm_machine_spec(machine)->program)
        return nlm_clauses_program(machine, name, program, error);
    return nlm_machine_has_program(machine) ? nlm_program_in(machine, name, program, error)
                                            : program_of_units(machine, name, program, error);
}

nlm_status nlm_prove_model(nlm_machine *machine, const char *name, nlm_proof **proof, nlm_error *error)
{
    REQUIRE(machine && name && proof, error);
    nlm_signature *signature = NULL;
    nlm_program *program = NULL;
    *proof = NULL;
    nlm_status status = nlm_program_in(machine, name, &program, error);
    if (status == NLM_OK)
        status = nlm_program_names(machine, name, &signature, error);
    if (status == NLM_OK)
        status = nlm_prove(machine, signature, program, proof, error);
    nlm_signature_free(signature);
    nlm_program_free(program);
    return status;
}
