/* Any bytes as a model file: refused with a message of one line, or a machine whose parameters are all finite
 * and all come from the file. */
#include <math.h>

#include "fuzz.h"
#include "machine/model_file.h"

static void check_machine(nlm_machine *machine, const safetensors *file, size_t size)
{
    require(nlm_machine_parameters(machine) <= size / sizeof(float));
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        const safetensors_tensor *from = safetensors_find(file, tensor.name);
        require(from && from->count == tensor.count);
        require(!memcmp(from->data, tensor.values, tensor.count * sizeof(float)));
        for (size_t i = 0; i < tensor.count; i++)
            require(isfinite(tensor.values[i]) && tensor.gradients[i] == 0.0f);
    }
    for (int h = 0; h < nlm_machine_heads(machine) && !nlm_machine_spec(machine)->model; h++)
        require(nlm_machine_output_width(machine, nlm_machine_head(machine, h)->arity) > 0);
    require(nlm_machine_metadata(machine, "depth") != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    safetensors *file;
    nlm_machine *machine = NULL;
    nlm_error error = {0};
    if (safetensors_parse(data, size, "fuzz", &file, NULL))
        return 0; /* fuzz_safetensors looks at these */
    if (machine_from_safetensors(file, "fuzz", &machine, &error)) {
        require(machine == NULL);
        check_refusal_or_memory(&error, "fuzz: ");
    } else {
        check_machine(machine, file, size);
    }
    nlm_machine_free(machine);
    safetensors_free(file);
    return 0;
}
