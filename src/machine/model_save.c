/* Writing model files: the spec as metadata, the user's pairs after it, the parameters as tensors.
 *
 * model_load.c reads the file back and gives the same machine.  Texts are checked for UTF-8
 * here, where a message can still name them: JSON has no other texts.
 *
 * Keys are written in the order of model_own_keys, numbers in JSON's shortest form, tensors in the order of
 * the parameters: the same machine gives the same bytes.
 *
 * Callers: nlm_machine_save for models, and machine_save_with for checkpoints, which have further tensors
 * (moments, averages).  The machine is not changed. */
#include <jansson.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "machine/program_template.h"

/* JSON as text in memory of our own allocator, to be freed; NULL without memory.  Takes over the value. */
static char *print_json(json_t *value)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_PRESERVE_ORDER;
    size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size ? memory_new(size + 1, 1) : NULL;
    if (text && json_dumpb(value, text, size, flags) != size) {
        memory_free(text);
        text = NULL;
    }
    json_decref(value);
    return text;
}

/* Takes over both, so that calls can be chained without checks; NULL when either is. */
static json_t *appended(json_t *list, json_t *item)
{
    if (!json_array_append_new(list, item))
        return list;
    json_decref(list);
    return NULL;
}

/* NULL without memory. */
static json_t *json_list(const int *numbers, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        list = appended(list, json_integer(numbers[i]));
    return list;
}

/* [{"name", "arity", "outputs"}, ...], twin heads with "twins": true. */
static nlm_status print_heads(const nlm_machine *m, const char *path, char **text, nlm_error *error)
{
    json_t *list = json_array();
    for (int h = 0; h < m->head_count; h++) {
        json_error_t cause;
        const nlm_head_spec *head = &m->heads[h];
        json_t *object = json_pack_ex(&cause, 0, "{s:s, s:i, s:i}", "name", head->name, "arity", head->arity,
                                      "outputs", head->outputs);
        if (!object && json_error_code(&cause) == json_error_invalid_utf8) {
            json_decref(list);
            return error_in_file(error, NLM_BAD_ARGUMENT, path, "the name of head %d is not valid UTF-8", h);
        }
        if (object && head->twins && json_object_set_new(object, "twins", json_true())) {
            json_decref(object);
            object = NULL;
        }
        list = appended(list, object);
    }
    *text = print_json(list);
    return *text ? NLM_OK : error_no_memory(error);
}

/* json_pack says why it failed, unlike json_string. */
static nlm_status check_name(const char *name, const char *path, nlm_error *error)
{
    json_error_t cause;
    json_t *text = json_pack_ex(&cause, 0, "s", name);
    if (!text && json_error_code(&cause) == json_error_invalid_utf8)
        return error_in_file(error, NLM_BAD_ARGUMENT, path,
                             "the name '%.40s' of a predicate is not valid UTF-8", name);
    json_decref(text);
    return text ? NLM_OK : error_no_memory(error);
}

/* The texts of the own keys, to be freed; those that are not written stay NULL.  All are made before any is
 * checked: functions of Jansson pass NULL on, so a lack of memory shows as a missing text at the end. */
static nlm_status print_spec(const nlm_machine *m, const char *path, char *texts[KEYS], nlm_error *error)
{
    /* lists that failed to grow are NULL, and print_json(NULL) is NULL: one check at the end finds all */
    const nlm_spec *spec = &m->plan.spec;
    const nlm_program_template *program = spec->program;
    json_t *outputs = json_array(), *widths = spec->own_widths ? json_array() : NULL;
    for (int r = 0; r <= spec->breadth; r++)
        if (spec->outputs >> r & 1)
            outputs = appended(outputs, json_integer(r));
    for (int i = 0; i < spec->depth && spec->own_widths; i++)
        widths = appended(widths, json_list(spec->widths[i], spec->breadth + 1));
    texts[KEY_FORMAT] = memory_copy_text(MODEL_FORMAT_TEXT);
    texts[KEY_DEPTH] = print_json(json_integer(spec->depth));
    texts[KEY_BREADTH] = print_json(json_integer(spec->breadth));
    texts[KEY_INPUTS] = print_json(json_list(spec->inputs, spec->breadth + 1));
    texts[KEY_WIDTH] = print_json(json_integer(spec->width));
    texts[KEY_HIDDEN] = print_json(json_list(spec->hidden, spec->hidden_layers));
    texts[KEY_RESIDUAL] = print_json(json_integer(spec->residual));
    texts[KEY_OUTPUTS] = print_json(outputs);
    texts[KEY_WIDTHS] = print_json(widths);
    texts[KEY_SENSE] = spec->sense ? memory_copy_text(spec->sense) : NULL;
    texts[KEY_MODEL] = spec->model ? memory_copy_text(spec->model) : NULL;
    /* names are checked one by one: program_to_json could not say which was wrong */
    nlm_status status = print_heads(m, path, &texts[KEY_HEADS], error);
    for (int g = 0; program && g < program->givens && !status; g++)
        status = check_name(program->given[g].name, path, error);
    for (int d = 0; program && d < program->definitions && !status; d++)
        status = check_name(program->definition[d].name, path, error);
    if (program && !status)
        texts[KEY_PROGRAM] = print_json(program_to_json(program));
    /* a text that is NULL means either that the key is not written, or that memory is out */
    const bool wanted[KEYS] = {[KEY_WIDTHS] = spec->own_widths,
                               [KEY_SENSE] = spec->sense != NULL,
                               [KEY_MODEL] = spec->model != NULL,
                               [KEY_PROGRAM] = program != NULL};
    for (int k = 0; k < KEYS && !status; k++)
        if (!texts[k] && (k < KEY_WIDTHS || wanted[k]))
            status = error_no_memory(error);
    return status;
}

/* Keys of the spec are the library's own: a user's pair of that name would contradict the machine. */
static nlm_status check_metadata(const char *path, const char *const *metadata, int pairs, nlm_error *error)
{
    if (pairs < 0 || (pairs > 0 && !metadata))
        return error_in_file(error, NLM_BAD_ARGUMENT, path, "%d pairs of metadata are no metadata", pairs);
    for (int i = 0; i < pairs; i++) {
        if (!metadata[2 * i] || !metadata[2 * i + 1])
            return error_in_file(error, NLM_BAD_ARGUMENT, path,
                                 "metadata pair %d has no key or no text (NULL)", i);
        if (model_is_own_key(metadata[2 * i]))
            return error_in_file(error, NLM_BAD_ARGUMENT, path,
                                 "metadata '%s': the machine's spec has this key", metadata[2 * i]);
    }
    return NLM_OK;
}

/* The machine's own pairs, then the user's: those given or, without any, those it was loaded with.  Texts are
 * not copied: they live until the file is written. */
static int join_pairs(const nlm_machine *m, char *const texts[KEYS], const char *const *metadata, int pairs,
                      const char **joined)
{
    int count = 0;
    for (int k = 0; k < KEYS; k++) {
        if (!texts[k])
            continue;
        joined[2 * count] = model_own_keys[k];
        joined[2 * count++ + 1] = texts[k];
    }
    /* a model that is loaded and saved keeps its metadata */
    const char *const *users = pairs > 0 ? metadata : (const char *const *)m->metadata;
    int users_count = pairs > 0 ? pairs : m->metadata_pairs;
    for (int i = 0; i < users_count; i++) {
        if (model_is_own_key(users[2 * i]))
            continue;
        joined[2 * count] = users[2 * i];
        joined[2 * count++ + 1] = users[2 * i + 1];
    }
    return count;
}

/* The parameters as tensors.  NaN and infinity are refused: a machine that training has ruined must not
 * replace a good file by one that cannot be loaded. */
static nlm_status fill_entries(const nlm_machine *m, const char *path, safetensors_entry *entries,
                               nlm_error *error)
{
    for (int t = 0; t < m->tensor_count; t++) {
        const struct machine_tensor *tensor = &m->tensors[t];
        entries[t] = (safetensors_entry){
            .name = tensor->name, .dimensions = tensor->dimensions, .values = m->values + tensor->offset};
        for (int d = 0; d < tensor->dimensions; d++)
            entries[t].shape[d] = tensor->shape[d];
        if (!model_all_finite(entries[t].values, tensor->count))
            return error_in_file(error, NLM_BAD_ARGUMENT, path, "tensor '%s' holds NaN or infinity",
                                 tensor->name);
    }
    return NLM_OK;
}

/* Everything is prepared in memory first; safetensors_write makes the file appear whole or not at all. */
nlm_status machine_save_with(nlm_machine *m, const char *path, const char *const *metadata, int pairs,
                             const safetensors_entry *more, int more_count, nlm_error *error)
{
    nlm_status status = check_metadata(path, metadata, pairs, error);
    if (status)
        return status;
    char *texts[KEYS] = {0};
    /* room for both kinds of user pairs, of which one is written */
    size_t most_pairs = (size_t)KEYS + (size_t)pairs + (size_t)m->metadata_pairs;
    const char **joined = memory_new(most_pairs, 2 * sizeof *joined);
    safetensors_entry *entries = memory_new((size_t)(m->tensor_count + more_count), sizeof *entries);
    status = joined && entries ? print_spec(m, path, texts, error) : error_no_memory(error);
    if (!status)
        status = fill_entries(m, path, entries, error);
    if (!status) {
        for (int k = 0; k < more_count; k++)
            entries[m->tensor_count + k] = more[k];
        int count = join_pairs(m, texts, metadata, pairs, joined);
        status = safetensors_write(path, entries, m->tensor_count + more_count, joined, count, error);
    }
    for (int k = 0; k < KEYS; k++)
        memory_free(texts[k]);
    memory_free(joined);
    memory_free(entries);
    return status;
}

/* A plain model: no tensors beside the parameters. */
nlm_status nlm_machine_save(nlm_machine *m, const char *path, const char *const *metadata, int pairs,
                            nlm_error *error)
{
    REQUIRE(m && path, error);
    return machine_save_with(m, path, metadata, pairs, NULL, 0, error);
}
