/* Model files: a machine's spec as metadata, its parameters as tensors.
 *
 * Metadata values are JSON in texts: depth, breadth, inputs, width, hidden, residual, and what only this
 * library writes: format, outputs, heads, widths (with own widths).  All other pairs are the user's.  Those
 * given to nlm_machine_save replace the ones that the machine was loaded with; without any, these are written
 * again.
 *
 * Reading trusts nothing: every tensor is looked up and its shape compared before parameters are allocated,
 * so a small file cannot ask for a large machine.  Tensors that the machine does not need are ignored. */
#include "machine/model_file.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/machine.h"

#define FORMAT_TEXT "nlm 1"

enum { FORMAT, DEPTH, BREADTH, INPUTS, WIDTH, HIDDEN, RESIDUAL, OUTPUTS, HEADS, WIDTHS, OWN_KEYS };
static const char *const own_keys[OWN_KEYS] = {"format", "depth",    "breadth", "inputs", "width",
                                               "hidden", "residual", "outputs", "heads",  "widths"};

/* A linear layer's name and those of its tensors, or as much of it as tells that there is no such tensor. */
enum { NAME_SIZE = 256, TENSOR_NAME_SIZE = NAME_SIZE + 16, SHAPE_SIZE = 256 };

static bool is_own_key(const char *key)
{
    for (int k = 0; k < OWN_KEYS; k++)
        if (!strcmp(key, own_keys[k]))
            return true;
    return false;
}

/* ---- messages ---- */

/* "file: cause".  The cause may quote the file, which may hold what is not for a terminal. */
__attribute__((format(printf, 4, 5))) static nlm_status fail(nlm_error *error, nlm_status status,
                                                             const char *file, const char *format, ...)
{
    if (!error)
        return status;
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    for (char *c = cause; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';
    return error_set(error, status, "%.120s: %s", file, cause);
}

/* What the spec or the heads of a file have been refused for, with the file's name before it. */
static nlm_status fail_as(nlm_error *error, const nlm_error *cause, const char *file)
{
    if (cause->status == NLM_NO_MEMORY)
        return error_no_memory(error);
    return fail(error, NLM_BAD_FILE, file, "%s", cause->message);
}

/* ---- reading: metadata ---- */

struct reader {
    const safetensors *file;
    const char *name;
    nlm_spec spec;
    int head_count;
    nlm_head_spec heads[NLM_MAX_HEADS];
    json_t *heads_json;   /* holds the heads' names */
    nlm_machine *outline; /* the plan, and no parameters yet */
    nlm_error *error;
};

#define REFUSE(in, ...) fail((in)->error, NLM_BAD_FILE, (in)->name, __VA_ARGS__)

static nlm_status parse_value(const struct reader *in, int key, json_t **value)
{
    *value = NULL;
    const char *text = safetensors_metadata(in->file, own_keys[key]);
    if (!text)
        return REFUSE(in, "metadata '%s' is missing", own_keys[key]);
    json_error_t cause;
    *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &cause);
    if (!*value && !cause.text[0]) /* that is how Jansson reports that it got no memory */
        return error_no_memory(in->error);
    if (!*value)
        return REFUSE(in, "metadata '%s': %s", own_keys[key], cause.text);
    return NLM_OK;
}

static bool read_integer(const json_t *value, int *number)
{
    json_int_t wide = json_integer_value(value);
    *number = (int)wide;
    return json_is_integer(value) && wide >= INT_MIN && wide <= INT_MAX;
}

/* At most `most` integers. */
static bool read_list(const json_t *list, int *numbers, int most, int *count)
{
    size_t size = json_array_size(list);
    if (!json_is_array(list) || size > (size_t)most)
        return false;
    *count = (int)size;
    for (int i = 0; i < *count; i++)
        if (!read_integer(json_array_get(list, (size_t)i), &numbers[i]))
            return false;
    return true;
}

static nlm_status parse_integer(const struct reader *in, int key, int *number)
{
    json_t *value;
    nlm_status status = parse_value(in, key, &value);
    if (!status && !read_integer(value, number))
        status = REFUSE(in, "metadata '%s' is not a small integer", own_keys[key]);
    json_decref(value);
    return status;
}

static nlm_status parse_list(const struct reader *in, int key, int *numbers, int most, int *count)
{
    json_t *value;
    nlm_status status = parse_value(in, key, &value);
    if (!status && !read_list(value, numbers, most, count))
        status =
            REFUSE(in, "metadata '%s' is not a JSON list of at most %d small integers", own_keys[key], most);
    json_decref(value);
    return status;
}

static nlm_status parse_residual(struct reader *in)
{
    json_t *value;
    nlm_status status = parse_value(in, RESIDUAL, &value);
    json_int_t number = json_is_boolean(value) ? json_boolean_value(value) : json_integer_value(value);
    if (!status && ((!json_is_boolean(value) && !json_is_integer(value)) || number < 0 || number > 1))
        status = REFUSE(in, "metadata 'residual' is not 0 or 1");
    in->spec.residual = number == 1;
    json_decref(value);
    return status;
}

static bool read_widths(const json_t *table, nlm_spec *spec)
{
    if (!json_is_array(table) || spec->depth > NLM_MAX_DEPTH || json_array_size(table) != (size_t)spec->depth)
        return false;
    for (int i = 0; i < spec->depth; i++) {
        int count;
        if (!read_list(json_array_get(table, (size_t)i), spec->widths[i], NLM_MAX_BREADTH + 1, &count) ||
            count - 1 != spec->breadth)
            return false;
    }
    return true;
}

static nlm_status parse_widths(struct reader *in)
{
    if (!safetensors_metadata(in->file, own_keys[WIDTHS]))
        return NLM_OK;
    json_t *value;
    nlm_status status = parse_value(in, WIDTHS, &value);
    in->spec.own_widths = true;
    if (!status && !read_widths(value, &in->spec))
        status =
            REFUSE(in, "metadata 'widths' is not a JSON table of depth rows with breadth + 1 small integers");
    json_decref(value);
    return status;
}

/* All arities that exist at the last layer.  Arity 0 is tried last: it is never above the breadth, so that
 * what a plan without any output was refused for is the fault of the rest of the spec. */
static nlm_status default_outputs(struct reader *in)
{
    unsigned existing = 0;
    nlm_error cause = {0};
    for (int r = NLM_MAX_BREADTH; r >= 0; r--) {
        in->spec.outputs = 1u << r;
        if (!plan_make(&in->spec, &in->outline->plan, &cause))
            existing |= 1u << r;
    }
    in->spec.outputs = existing;
    return existing ? NLM_OK : fail_as(in->error, &cause, in->name);
}

static nlm_status parse_outputs(struct reader *in)
{
    if (!safetensors_metadata(in->file, own_keys[OUTPUTS]))
        return default_outputs(in);
    int arities[NLM_MAX_BREADTH + 1], count = 0;
    nlm_status status = parse_list(in, OUTPUTS, arities, NLM_MAX_BREADTH + 1, &count);
    for (int i = 0; i < count && !status; i++) {
        if (arities[i] < 0 || arities[i] > NLM_MAX_BREADTH)
            return REFUSE(in, "metadata 'outputs': arity %d is not in 0..%d", arities[i], NLM_MAX_BREADTH);
        in->spec.outputs |= 1u << arities[i];
    }
    return status;
}

static nlm_status parse_spec(struct reader *in)
{
    const char *format = safetensors_metadata(in->file, own_keys[FORMAT]);
    if (format && strcmp(format, FORMAT_TEXT))
        return REFUSE(in, "metadata 'format' is '%.40s', this version of nlm reads '%s'", format,
                      FORMAT_TEXT);
    int inputs;
    nlm_spec *spec = &in->spec;
    nlm_status status;
    if ((status = parse_integer(in, DEPTH, &spec->depth)) ||
        (status = parse_integer(in, BREADTH, &spec->breadth)) ||
        (status = parse_list(in, INPUTS, spec->inputs, NLM_MAX_BREADTH + 1, &inputs)) ||
        (status = parse_integer(in, WIDTH, &spec->width)) ||
        (status = parse_list(in, HIDDEN, spec->hidden, NLM_MAX_HIDDEN, &spec->hidden_layers)) ||
        (status = parse_residual(in)) || (status = parse_widths(in)) || (status = parse_outputs(in)))
        return status;
    nlm_error cause;
    return plan_make(spec, &in->outline->plan, &cause) ? fail_as(in->error, &cause, in->name) : NLM_OK;
}

/* ---- reading: heads ---- */

/* In a file that does not list its heads: a linear layer of that name is one if it fits exactly one output
 * group. Others, such as the blocks world's, read something that this library calls no head. */
static void guess_head(struct reader *in, const char *name)
{
    char full[TENSOR_NAME_SIZE];
    snprintf(full, sizeof full, "%s.weight", name);
    const safetensors_tensor *weight = safetensors_find(in->file, full);
    snprintf(full, sizeof full, "%s.bias", name);
    const safetensors_tensor *bias = safetensors_find(in->file, full);
    if (!weight || !bias || weight->dimensions != 2 || bias->dimensions != 1 ||
        weight->shape[0] != bias->shape[0] || weight->shape[0] < 1 || weight->shape[0] > NLM_MAX_WIDTH)
        return;
    int arity = 0, fitting = 0;
    for (int r = 0; r <= in->spec.breadth; r++) {
        int width = nlm_machine_output_width(in->outline, r);
        if (width > 0 && width == weight->shape[1]) {
            arity = r;
            fitting++;
        }
    }
    if (fitting == 1)
        in->heads[in->head_count++] =
            (nlm_head_spec){.name = name, .arity = arity, .outputs = (int)weight->shape[0]};
}

static bool read_head(const json_t *object, nlm_head_spec *head)
{
    head->name = json_string_value(json_object_get(object, "name"));
    return head->name && read_integer(json_object_get(object, "arity"), &head->arity) &&
           read_integer(json_object_get(object, "outputs"), &head->outputs);
}

static nlm_status parse_heads(struct reader *in)
{
    if (!safetensors_metadata(in->file, own_keys[HEADS])) {
        guess_head(in, "head");
        guess_head(in, "valid");
        return NLM_OK;
    }
    nlm_status status = parse_value(in, HEADS, &in->heads_json);
    if (status)
        return status;
    size_t count = json_array_size(in->heads_json);
    bool good = json_is_array(in->heads_json) && count <= NLM_MAX_HEADS;
    for (size_t h = 0; good && h < count; h++)
        good = read_head(json_array_get(in->heads_json, h), &in->heads[h]);
    if (!good)
        return REFUSE(in, "metadata 'heads' is not a JSON list of at most %d {name, arity, outputs}",
                      NLM_MAX_HEADS);
    in->head_count = (int)count;
    return NLM_OK;
}

/* ---- reading: tensors ---- */

static void print_shape(const int64_t *shape, int dimensions, char *text)
{
    size_t used = (size_t)snprintf(text, SHAPE_SIZE, "[");
    for (int i = 0; i < dimensions; i++)
        used += (size_t)snprintf(text + used, SHAPE_SIZE - used, i ? ", %lld" : "%lld", (long long)shape[i]);
    snprintf(text + used, SHAPE_SIZE - used, "]");
}

/* The tensor of that name, which must be [rows, columns], or [rows] when columns is 0. */
static nlm_status find_tensor(const struct reader *in, const char *name, int rows, int columns,
                              const safetensors_tensor **found)
{
    const safetensors_tensor *tensor = safetensors_find(in->file, name);
    if (!tensor)
        return REFUSE(in, "tensor '%s' is missing", name);
    const int64_t wanted[] = {rows, columns};
    int dimensions = columns > 0 ? 2 : 1;
    if (tensor->dimensions != dimensions ||
        memcmp(tensor->shape, wanted, (size_t)dimensions * sizeof *wanted)) {
        char there[SHAPE_SIZE], needed[SHAPE_SIZE];
        print_shape(tensor->shape, tensor->dimensions, there);
        print_shape(wanted, dimensions, needed);
        return REFUSE(in, "tensor '%s' has shape %s, its machine needs %s", name, there, needed);
    }
    *found = tensor;
    return NLM_OK;
}

static nlm_status check_linear(const struct reader *in, const char *name, int out, int columns)
{
    const safetensors_tensor *found;
    char full[TENSOR_NAME_SIZE];
    snprintf(full, sizeof full, "%s.weight", name);
    nlm_status status = find_tensor(in, full, out, columns, &found);
    snprintf(full, sizeof full, "%s.bias", name);
    return status ? status : find_tensor(in, full, out, 0, &found);
}

/* All tensors are there, of the right shape.  A head on nothing is left to nlm_machine_new. */
static nlm_status check_tensors(const struct reader *in)
{
    const nlm_machine *m = in->outline;
    nlm_status status = NLM_OK;
    for (int i = 1; i <= in->spec.depth; i++)
        for (int r = 0; r <= in->spec.breadth; r++)
            for (int k = 0; k < machine_mlp_layers(m) && plan_unit_live(&m->plan, i, r) && !status; k++) {
                char name[NAME_SIZE];
                snprintf(name, sizeof name, "layer.%d.arity.%d.mlp.%d", i - 1, r, k);
                status =
                    check_linear(in, name, machine_mlp_size(m, i, r, k), machine_mlp_size(m, i, r, k - 1));
            }
    for (int h = 0; h < in->head_count && !status; h++) {
        int width = nlm_machine_output_width(m, in->heads[h].arity);
        if (width > 0)
            status = check_linear(in, in->heads[h].name, in->heads[h].outputs, width);
    }
    return status;
}

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static nlm_status copy_tensors(const struct reader *in, nlm_machine *m)
{
    for (int t = 0; t < m->tensor_count; t++) {
        const struct machine_tensor *to = &m->tensors[t];
        const safetensors_tensor *from;
        nlm_status status = find_tensor(in, to->name, to->shape[0], to->shape[1], &from);
        if (!status)
            status = safetensors_floats(in->file, from, m->values + to->offset, in->error);
        if (status)
            return status;
        if (!all_finite(m->values + to->offset, to->count))
            return REFUSE(in, "tensor '%s' holds NaN or infinity", to->name);
    }
    return NLM_OK;
}

static nlm_status copy_metadata(const struct reader *in, nlm_machine *m)
{
    int pairs;
    const char *const *texts = safetensors_metadata_pairs(in->file, &pairs);
    m->metadata = memory_new((size_t)pairs, 2 * sizeof *m->metadata);
    if (!m->metadata)
        return error_no_memory(in->error);
    m->metadata_pairs = pairs;
    for (int i = 0; i < 2 * pairs; i++) {
        m->metadata[i] = memory_copy_text(texts[i]);
        if (!m->metadata[i])
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

static nlm_status make_machine(const struct reader *in, nlm_machine **machine)
{
    nlm_error cause;
    nlm_machine *made;
    if (nlm_machine_new(&in->spec, in->heads, in->head_count, &made, &cause))
        return fail_as(in->error, &cause, in->name);
    nlm_status status = copy_tensors(in, made);
    if (!status)
        status = copy_metadata(in, made);
    if (status)
        nlm_machine_free(made);
    else
        *machine = made;
    return status;
}

nlm_status machine_from_safetensors(const safetensors *file, const char *name, nlm_machine **machine,
                                    nlm_error *error)
{
    *machine = NULL;
    struct reader in = {.file = file, .name = name, .error = error};
    in.outline = memory_new(1, sizeof *in.outline);
    if (!in.outline)
        return error_no_memory(error);
    nlm_status status = parse_spec(&in);
    if (!status)
        status = parse_heads(&in);
    if (!status)
        status = check_tensors(&in);
    if (!status)
        status = make_machine(&in, machine);
    json_decref(in.heads_json);
    nlm_machine_free(in.outline);
    return status;
}

nlm_status nlm_machine_load(const char *path, nlm_machine **machine, nlm_error *error)
{
    *machine = NULL;
    safetensors *file;
    nlm_status status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, machine, error);
    safetensors_free(file);
    return status;
}

const char *nlm_machine_metadata(const nlm_machine *m, const char *key)
{
    for (int i = 0; i < m->metadata_pairs; i++)
        if (!strcmp(m->metadata[2 * i], key))
            return m->metadata[2 * i + 1];
    return NULL;
}

/* ---- writing ---- */

/* JSON as text, to be freed; NULL without memory.  Takes over the value. */
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

/* Takes over both; NULL when either is. */
static json_t *appended(json_t *list, json_t *item)
{
    if (!json_array_append_new(list, item))
        return list;
    json_decref(list);
    return NULL;
}

static json_t *json_list(const int *numbers, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        list = appended(list, json_integer(numbers[i]));
    return list;
}

static json_t *json_outputs(const nlm_spec *spec)
{
    int arities[NLM_MAX_BREADTH + 1], count = 0;
    for (int r = 0; r <= spec->breadth; r++)
        if (spec->outputs >> r & 1)
            arities[count++] = r;
    return json_list(arities, count);
}

static json_t *json_widths(const nlm_spec *spec)
{
    json_t *table = json_array();
    for (int i = 0; i < spec->depth; i++)
        table = appended(table, json_list(spec->widths[i], spec->breadth + 1));
    return table;
}

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
            return fail(error, NLM_BAD_ARGUMENT, path, "the name of head %d is not valid UTF-8", h);
        }
        list = appended(list, object);
    }
    *text = print_json(list);
    return *text ? NLM_OK : error_no_memory(error);
}

/* The texts of the own keys, to be freed; those that are not written stay NULL. */
static nlm_status print_spec(const nlm_machine *m, const char *path, char *texts[OWN_KEYS], nlm_error *error)
{
    const nlm_spec *spec = &m->plan.spec;
    texts[FORMAT] = memory_copy_text(FORMAT_TEXT);
    texts[DEPTH] = print_json(json_integer(spec->depth));
    texts[BREADTH] = print_json(json_integer(spec->breadth));
    texts[INPUTS] = print_json(json_list(spec->inputs, spec->breadth + 1));
    texts[WIDTH] = print_json(json_integer(spec->width));
    texts[HIDDEN] = print_json(json_list(spec->hidden, spec->hidden_layers));
    texts[RESIDUAL] = print_json(json_integer(spec->residual));
    texts[OUTPUTS] = print_json(json_outputs(spec));
    if (spec->own_widths)
        texts[WIDTHS] = print_json(json_widths(spec));
    for (int k = 0; k < OWN_KEYS; k++)
        if (!texts[k] && k != HEADS && (k != WIDTHS || spec->own_widths))
            return error_no_memory(error);
    return print_heads(m, path, &texts[HEADS], error);
}

static nlm_status check_metadata(const char *path, const char *const *metadata, int pairs, nlm_error *error)
{
    if (pairs < 0 || (pairs > 0 && !metadata))
        return fail(error, NLM_BAD_ARGUMENT, path, "%d pairs of metadata are no metadata", pairs);
    for (int i = 0; i < pairs; i++) {
        if (!metadata[2 * i] || !metadata[2 * i + 1])
            return fail(error, NLM_BAD_ARGUMENT, path, "metadata pair %d has no key or no text (NULL)", i);
        if (is_own_key(metadata[2 * i]))
            return fail(error, NLM_BAD_ARGUMENT, path, "metadata '%s': the machine's spec has this key",
                        metadata[2 * i]);
    }
    return NLM_OK;
}

/* The machine's own pairs, then the user's: those given or, without any, those it was loaded with. */
static int join_pairs(const nlm_machine *m, char *const texts[OWN_KEYS], const char *const *metadata,
                      int pairs, const char **joined)
{
    int count = 0;
    for (int k = 0; k < OWN_KEYS; k++) {
        if (!texts[k])
            continue;
        joined[2 * count] = own_keys[k];
        joined[2 * count++ + 1] = texts[k];
    }
    const char *const *users = pairs > 0 ? metadata : (const char *const *)m->metadata;
    int users_count = pairs > 0 ? pairs : m->metadata_pairs;
    for (int i = 0; i < users_count; i++) {
        if (is_own_key(users[2 * i]))
            continue;
        joined[2 * count] = users[2 * i];
        joined[2 * count++ + 1] = users[2 * i + 1];
    }
    return count;
}

/* A machine that training has ruined must not replace a good file by one that cannot be loaded. */
static nlm_status fill_entries(const nlm_machine *m, const char *path, safetensors_entry *entries,
                               nlm_error *error)
{
    for (int t = 0; t < m->tensor_count; t++) {
        const struct machine_tensor *tensor = &m->tensors[t];
        entries[t] = (safetensors_entry){.name = tensor->name,
                                         .dimensions = tensor->dimensions,
                                         .shape = {tensor->shape[0], tensor->shape[1]},
                                         .values = m->values + tensor->offset};
        if (!all_finite(entries[t].values, tensor->count))
            return fail(error, NLM_BAD_ARGUMENT, path, "tensor '%s' holds NaN or infinity", tensor->name);
    }
    return NLM_OK;
}

nlm_status nlm_machine_save(nlm_machine *m, const char *path, const char *const *metadata, int pairs,
                            nlm_error *error)
{
    nlm_status status = check_metadata(path, metadata, pairs, error);
    if (status)
        return status;
    char *texts[OWN_KEYS] = {0};
    size_t most_pairs = (size_t)OWN_KEYS + (size_t)pairs + (size_t)m->metadata_pairs;
    const char **joined = memory_new(most_pairs, 2 * sizeof *joined);
    safetensors_entry *entries = memory_new((size_t)m->tensor_count, sizeof *entries);
    status = joined && entries ? print_spec(m, path, texts, error) : error_no_memory(error);
    if (!status)
        status = fill_entries(m, path, entries, error);
    if (!status) {
        int count = join_pairs(m, texts, metadata, pairs, joined);
        status = safetensors_write(path, entries, m->tensor_count, joined, count, error);
    }
    for (int k = 0; k < OWN_KEYS; k++)
        memory_free(texts[k]);
    memory_free(joined);
    memory_free(entries);
    return status;
}
