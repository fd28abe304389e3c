/* The program by which a model concludes, wherever it comes from, and the proof that it does. */
#include "base/error.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "machine/safetensors.h"
#include "nlm/infer.h"
#include "nlm/rules.h"

/* The definitions of a machine without rules, whose units then must be 0 or 1 in every world. */
static nlm_status program_of_units(nlm_machine *machine, const char *name, nlm_program **program,
                                   nlm_error *error)
{
    nlm_signature *signature = NULL;
    nlm_proof *proof = NULL;
    nlm_status status = nlm_signature_of_model(machine, name, &signature, error);
    if (status == NLM_OK)
        status = nlm_prove(machine, signature, NULL, &proof, error);
    if (status == NLM_OK && proof->verdict != NLM_PROVED)
        status =
            error_set(error, NLM_BAD_ARGUMENT, "%.100s has no rules: %d of %d units may be neither 0 nor 1",
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
        status = nlm_signature_of_model(machine, name, &signature, error);
    if (status == NLM_OK)
        status = nlm_prove(machine, signature, program, proof, error);
    nlm_signature_free(signature);
    nlm_program_free(program);
    return status;
}

/* ---- the machine that it was made of ---- */

#define SOFT_TENSOR "soft" /* as nlm_rule_search_save writes it */

nlm_status nlm_machine_trained(const nlm_machine *program, const char *path, nlm_machine **trained,
                               nlm_error *error)
{
    REQUIRE(program && path && trained, error);
    nlm_head_spec heads[NLM_MAX_HEADS];
    nlm_settings settings;
    safetensors *file = NULL;
    nlm_machine *made = NULL;
    *trained = NULL;
    for (int h = 0; h < nlm_machine_heads(program); h++)
        heads[h] = *nlm_machine_head(program, h);
    nlm_status status = safetensors_read(path, &file, error);
    const safetensors_tensor *weights = status == NLM_OK ? safetensors_find(file, SOFT_TENSOR) : NULL;
    if (status == NLM_OK && !weights)
        status =
            error_set(error, NLM_BAD_ARGUMENT,
                      "%.200s has no trained weights beside a program: only models that nlm train or nlm "
                      "rules --find made programs have",
                      path);
    if (status == NLM_OK)
        status = nlm_settings_of_machine(program, path, &settings, error);
    if (status == NLM_OK)
        status = nlm_machine_new(&settings.spec, heads, nlm_machine_heads(program), &made, error);
    if (status == NLM_OK && weights->count != made->parameters)
        status = error_set(error, NLM_BAD_FILE, "%.200s: %zu trained weights, and the machine has %zu", path,
                           weights->count, made->parameters);
    if (status == NLM_OK)
        status = safetensors_floats(file, weights, made->values, error);
    safetensors_free(file);
    if (status == NLM_OK)
        *trained = made;
    else
        nlm_machine_free(made);
    return status;
}
