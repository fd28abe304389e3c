/* The trained machine that a program was made of, from the file that keeps both. */
#include "base/error.h"
#include "machine/machine.h"
#include "machine/safetensors.h"
#include "nlm/rules.h"

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
