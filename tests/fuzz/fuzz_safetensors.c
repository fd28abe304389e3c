/* Any bytes as a safetensors file: refused with a message of one line, or accepted with every promise kept,
 * of which the sanitizers check that each tensor's bytes can be read. */
#include "fuzz.h"
#include "machine/safetensors.h"

static void check_metadata(const safetensors *file)
{
    int pairs;
    const char *const *texts = safetensors_metadata_pairs(file, &pairs);
    for (int i = 0; i < pairs; i++)
        require(safetensors_metadata(file, texts[2 * i]) == texts[2 * i + 1]);
}

/* Returns the tensor's size in bytes; the sum over all of its bytes keeps the reads from being left out. */
static size_t check_tensor(const safetensors *file, const safetensors_tensor *tensor, volatile unsigned *sum)
{
    require(safetensors_find(file, tensor->name) == tensor);
    require(tensor->dimensions >= 0 && tensor->dimensions <= SAFETENSORS_MAX_DIMENSIONS);
    size_t count = 1;
    for (int i = 0; i < tensor->dimensions; i++)
        count *= (size_t)tensor->shape[i];
    require(count == tensor->count);
    size_t bytes = count * safetensors_type_size(tensor->type);
    const unsigned char *values = tensor->data;
    for (size_t i = 0; i < bytes; i++)
        *sum += values[i];
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    safetensors *file;
    nlm_error error = {0};
    if (safetensors_parse(data, size, "fuzz", &file, &error)) {
        require(file == NULL);
        check_refusal(&error, "fuzz: ");
        return 0;
    }
    volatile unsigned sum = 0;
    size_t bytes = 0;
    for (int i = 0; i < safetensors_count(file); i++)
        bytes += check_tensor(file, safetensors_at(file, i), &sum);
    require(bytes <= size);
    check_metadata(file);
    safetensors_free(file);
    return 0;
}
