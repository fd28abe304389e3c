/* Models in memory: life, bytes, and what they are made of. */
#include "model/model.h"

#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "machine/safetensors.h"
#include "nlm/file.h"

#define MOST_BYTES (SIZE_MAX / 4) /* of a file */

/* ---- life ---- */

static nlm_status read_machine(nlm_model *model, nlm_error *error)
{
    safetensors *file;
    nlm_status status = safetensors_parse(model->bytes.data, model->size, model->name, &file, error);
    if (!status)
        status = machine_from_safetensors(file, model->name, &model->machine, error);
    safetensors_free(file);
    return status;
}

nlm_status model_of_bytes(buffer *bytes, size_t size, const char *name, nlm_model **model, nlm_error *error)
{
    nlm_model *made = memory_new(1, sizeof *made);
    *model = NULL;
    if (!made) {
        buffer_free(bytes);
        return error_no_memory(error);
    }
    made->bytes = *bytes;
    made->size = size;
    *bytes = (buffer){0};
    made->name = memory_copy_text(name);
    const nlm_status status = made->name ? read_machine(made, error) : error_no_memory(error);
    if (status)
        nlm_model_free(made);
    else
        *model = made;
    return status;
}

nlm_status model_of_file(const char *path, const char *name, nlm_model **model, nlm_error *error)
{
    buffer bytes = {0};
    size_t size = 0;
    const nlm_status status = file_read_all(path, MOST_BYTES, &bytes, &size, error);
    if (!status)
        return model_of_bytes(&bytes, size, name, model, error);
    buffer_free(&bytes);
    *model = NULL;
    return status;
}

nlm_status nlm_model_load(const char *path, nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    *model = NULL;
    REQUIRE(path, error);
    return model_of_file(path, path, model, error);
}

nlm_status nlm_model_parse(const void *bytes, size_t size, nlm_model **model, nlm_error *error)
{
    REQUIRE(model, error);
    *model = NULL;
    REQUIRE(bytes, error);
    buffer copy = {0};
    if (buffer_reserve(&copy, size, 1, false))
        return error_no_memory(error);
    memcpy(copy.data, bytes, size);
    return model_of_bytes(&copy, size, "the model", model, error);
}

void nlm_model_free(nlm_model *model)
{
    if (!model)
        return;
    nlm_inference_free(model->inference);
    nlm_program_free(model->program);
    nlm_signature_free(model->signature);
    nlm_machine_free(model->machine);
    buffer_free(&model->bytes);
    memory_free(model->name);
    memory_free(model);
}

/* ---- what it is ---- */

const void *nlm_model_bytes(const nlm_model *model, size_t *size)
{
    if (size)
        *size = model ? model->size : 0;
    return model ? model->bytes.data : NULL;
}

static void write_bytes(FILE *stream, const void *context)
{
    const nlm_model *model = context;
    fwrite(model->bytes.data, 1, model->size, stream);
}

nlm_status nlm_model_save(const nlm_model *model, const char *path, nlm_error *error)
{
    REQUIRE(model && path, error);
    return nlm_file_write(path, write_bytes, model, error);
}

bool nlm_model_graduated(const nlm_model *model)
{
    const char *graduated = model ? nlm_machine_metadata(model->machine, "graduated") : NULL;
    return graduated && !strcmp(graduated, "yes");
}

const char *nlm_model_line(const nlm_model *model)
{
    return model ? model->line : "";
}

nlm_machine *nlm_model_machine(nlm_model *model)
{
    return model ? model->machine : NULL;
}

nlm_status nlm_model_signature(nlm_model *model, const nlm_signature **signature, nlm_error *error)
{
    REQUIRE(signature, error);
    *signature = NULL;
    REQUIRE(model, error);
    nlm_status status = NLM_OK;
    if (!model->signature)
        status = nlm_signature_of_model(model->machine, model->name, &model->signature, error);
    *signature = model->signature;
    return status;
}
