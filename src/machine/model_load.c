/* Reading model files.
 *
 * Reading trusts nothing.  Spec and heads are parsed from metadata; every tensor is looked up and its shape
 * compared before parameters are allocated, so a small file cannot ask for a large machine.  Tensors that the
 * machine does not need are ignored, so checkpoints are models too.
 *
 * Files of other programs may lack the keys that only this library writes.  Defaults: outputs are all arities
 * that exist, heads are the linear layers called "head" and "valid" as far as their shapes fit.
 *
 * The metadata of a small model, each value a text with JSON in it:
 *
 *     "depth": "2"   "breadth": "2"   "inputs": "[0, 0, 4]"   "width": "8"   "hidden": "[]"   "residual": "0"
 *     "outputs": "[2]"   "heads": "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1}]"   "format": "nlm 1"
 *
 * Order of work: spec, heads, outputs that no head reads dropped, shapes of all tensors, and only then a
 * machine.
 *
 * Every refusal is one line with the file, the key or tensor, and what is wrong with it:
 *
 *     m.nlm: metadata 'depth' is not a small integer
 *     m.nlm: tensor 'layer.0.arity.2.mlp.0.weight' has shape [8, 60], its machine needs [8, 64] */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "machine/program_template.h"

/* A linear layer's name and those of its tensors, or enough of it to tell that the tensor is missing. */
enum { NAME_SIZE = 256, TENSOR_NAME_SIZE = NAME_SIZE + 16, SHAPE_SIZE = 256 };

/* The message with which a spec or a head was refused, after the file's name. */
static nlm_status fail_as(nlm_error *error, const nlm_error *cause, const char *file)
{
    if (cause->status == NLM_NO_MEMORY)
        return error_no_memory(error);
    return error_in_file(error, NLM_BAD_FILE, file, "%s", cause->message);
}

/* ---- reading: metadata ---- */

/* The state of reading one file.  `outline` is a machine with a plan and without parameters: it answers which
 * units are live and what shapes their tensors have. */
struct reader {
    const safetensors *file;
    const char *name;
    nlm_spec spec;
    int head_count;
    nlm_head_spec heads[NLM_MAX_HEADS];
    json_t *values[KEYS];          /* the metadata that is JSON, where it is there; holds the heads' names */
    nlm_program_template *program; /* of the spec */
    nlm_machine *outline;          /* the plan, and no parameters yet */
    nlm_error *error;
};

/* "file: cause", as NLM_BAD_FILE. */
#define REFUSE(in, ...) error_in_file((in)->error, NLM_BAD_FILE, (in)->name, __VA_ARGS__)

/* The JSON behind all own keys that have it.  What only this library writes may be missing.  All are parsed
 * before any is used, so that a damaged one is reported whatever the others say. */
static nlm_status parse_values(struct reader *in)
{
    static const bool plain[KEYS] = {
        [KEY_FORMAT] = true, [KEY_SENSE] = true, [KEY_MODEL] = true, [KEY_CHECKSUM] = true};
    for (int key = 0; key < KEYS; key++) {
        const char *text = safetensors_metadata(in->file, model_own_keys[key]);
        /* keys up to `residual` are in files of other programs too, and required */
        if (plain[key] || (!text && key > KEY_RESIDUAL))
            continue;
        if (!text)
            return REFUSE(in, "metadata '%s' is missing", model_own_keys[key]);
        json_error_t cause;
        in->values[key] = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &cause);
        if (!in->values[key] && !cause.text[0]) /* that is how Jansson reports that it got no memory */
            return error_no_memory(in->error);
        if (!in->values[key])
            return REFUSE(in, "metadata '%s': %s", model_own_keys[key], cause.text);
    }
    return NLM_OK;
}

/* Jansson's integers are wider than int. */
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

/* A required key with one number; its limits are checked by the plan. */
static nlm_status parse_integer(const struct reader *in, int key, int *number)
{
    return read_integer(in->values[key], number)
               ? NLM_OK
               : REFUSE(in, "metadata '%s' is not a small integer", model_own_keys[key]);
}

/* A required key with a list. */
static nlm_status parse_list(const struct reader *in, int key, int *numbers, int most, int *count)
{
    return read_list(in->values[key], numbers, most, count)
               ? NLM_OK
               : REFUSE(in, "metadata '%s' is not a JSON list of at most %d small integers",
                        model_own_keys[key], most);
}

/* 0, 1, false or true: files of other programs have either. */
static nlm_status parse_residual(struct reader *in)
{
    const json_t *value = in->values[KEY_RESIDUAL];
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : json_is_true(value);
    in->spec.residual = number == 1;
    return (json_is_boolean(value) || json_is_integer(value)) && number >= 0 && number <= 1
               ? NLM_OK
               : REFUSE(in, "metadata 'residual' is not 0 or 1");
}

/* depth rows of breadth + 1 numbers, both of which were read before; only where units have widths of their
 * own.  Absent, all have `width`. */
static nlm_status parse_widths(struct reader *in)
{
    nlm_spec *spec = &in->spec;
    const json_t *table = in->values[KEY_WIDTHS];
    spec->own_widths = table;
    bool good = !table || (json_is_array(table) && spec->depth <= NLM_MAX_DEPTH &&
                           json_array_size(table) == (size_t)spec->depth);
    for (int i = 0, count; table && good && i < spec->depth; i++)
        good = read_list(json_array_get(table, (size_t)i), spec->widths[i], NLM_MAX_BREADTH + 1, &count) &&
               count - 1 == spec->breadth;
    return good ? NLM_OK
                : REFUSE(in, "metadata 'widths' is not a JSON table of depth rows with breadth + 1 small "
                             "integers");
}

/* A list of arities becomes a set of bits.  The default are all arities that exist at the last layer.  Arity
 * 0 is tried last: it is never above the breadth, so that what a plan without any output was refused for is
 * the fault of the rest of the spec. */
static nlm_status parse_outputs(struct reader *in)
{
    unsigned outputs = 0;
    if (!in->values[KEY_OUTPUTS]) {
        nlm_error cause = {0};
        for (int r = NLM_MAX_BREADTH; r >= 0; r--) {
            /* a plan with this output alone: refused if no unit of the last layer has it */
            in->spec.outputs = 1u << r;
            outputs |= plan_make(&in->spec, &in->outline->plan, &cause) ? 0 : 1u << r;
        }
        in->spec.outputs = outputs;
        return outputs ? NLM_OK : fail_as(in->error, &cause, in->name);
    }
    int arities[NLM_MAX_BREADTH + 1], count = 0;
    nlm_status status = parse_list(in, KEY_OUTPUTS, arities, NLM_MAX_BREADTH + 1, &count);
    for (int i = 0; i < count && !status; i++) {
        if (arities[i] < 0 || arities[i] > NLM_MAX_BREADTH)
            return REFUSE(in, "metadata 'outputs': arity %d is not in 0..%d", arities[i], NLM_MAX_BREADTH);
        in->spec.outputs |= 1u << arities[i];
    }
    return status;
}

/* Only for a model that is compared with the machine; `model` is a plain name, `program` is JSON. */
static nlm_status parse_program(struct reader *in)
{
    in->spec.model = safetensors_metadata(in->file, model_own_keys[KEY_MODEL]);
    if (!in->values[KEY_PROGRAM])
        return NLM_OK;
    nlm_status status = program_from_json(in->values[KEY_PROGRAM], &in->program);
    in->spec.program = in->program;
    if (status == NLM_NO_MEMORY)
        return error_no_memory(in->error);
    return status ? REFUSE(in, "metadata 'program' is not {given: [...], defined: [...]}") : NLM_OK;
}

/* All of the spec, then its plan, which checks the limits.  The order matters: widths need depth and breadth,
 * and the default of outputs tries plans of all the rest. */
static nlm_status parse_spec(struct reader *in)
{
    const char *format = safetensors_metadata(in->file, model_own_keys[KEY_FORMAT]);
    if (format && strcmp(format, MODEL_FORMAT_TEXT))
        return REFUSE(in, "metadata 'format' is '%.40s', this version of nlm reads '%s'", format,
                      MODEL_FORMAT_TEXT);
    int inputs;
    nlm_spec *spec = &in->spec;
    nlm_status status;
    spec->sense = safetensors_metadata(in->file, model_own_keys[KEY_SENSE]);
    if ((status = parse_values(in)) || (status = parse_integer(in, KEY_DEPTH, &spec->depth)) ||
        (status = parse_integer(in, KEY_BREADTH, &spec->breadth)) ||
        (status = parse_list(in, KEY_INPUTS, spec->inputs, NLM_MAX_BREADTH + 1, &inputs)) ||
        (status = parse_integer(in, KEY_WIDTH, &spec->width)) ||
        (status = parse_list(in, KEY_HIDDEN, spec->hidden, NLM_MAX_HIDDEN, &spec->hidden_layers)) ||
        (status = parse_residual(in)) || (status = parse_widths(in)) || (status = parse_program(in)) ||
        (status = parse_outputs(in)))
        return status;
    nlm_error cause;
    return plan_make(spec, &in->outline->plan, &cause) ? fail_as(in->error, &cause, in->name) : NLM_OK;
}

/* ---- reading: heads ---- */

/* In a file that does not list its heads, a linear layer of that name is one if its shape fits: it reads the
 * output group of the lowest arity that has its number of columns, but 0 only if no other does, or is a twin
 * head.  Otherwise it is ignored, as any tensor that the machine does not need. */
static void guess_head(struct reader *in, const char *name)
{
    char full[TENSOR_NAME_SIZE];
    snprintf(full, sizeof full, "%s.weight", name);
    const safetensors_tensor *weight = safetensors_find(in->file, full);
    snprintf(full, sizeof full, "%s.bias", name);
    const safetensors_tensor *bias = safetensors_find(in->file, full);
    if (!weight || !bias || weight->dimensions != 2 || bias->dimensions != 1 ||
        weight->shape[0] != bias->shape[0] || weight->shape[0] < 1 || weight->shape[0] > NLM_MAX_WIDTH ||
        weight->shape[1] < 1)
        return;
    nlm_head_spec head = {.name = name, .outputs = (int)weight->shape[0]};
    for (int k = 1; k <= in->spec.breadth + 2; k++) {
        /* candidates in this order: arities 1 .. breadth, arity 0, twins */
        head.twins = k == in->spec.breadth + 2;
        head.arity = head.twins ? 2 : k <= in->spec.breadth ? k : 0;
        if (machine_head_columns(in->outline, &head) == weight->shape[1]) {
            in->heads[in->head_count++] = head;
            return;
        }
    }
}

/* {"name": ..., "arity": ..., "outputs": ...} and perhaps "twins". */
static bool read_head(const json_t *object, nlm_head_spec *head)
{
    const json_t *twins = json_object_get(object, "twins");
    head->name = json_string_value(json_object_get(object, "name"));
    head->twins = json_is_true(twins);
    return head->name && read_integer(json_object_get(object, "arity"), &head->arity) &&
           read_integer(json_object_get(object, "outputs"), &head->outputs) &&
           (!twins || json_is_boolean(twins));
}

/* Limits of arities and outputs are left to nlm_machine_new, which checks them for all callers. */
static nlm_status parse_heads(struct reader *in)
{
    const json_t *list = in->values[KEY_HEADS];
    /* no list: only 'head' and 'valid', the validity of moves, are looked for */
    if (!list) {
        guess_head(in, "head");
        guess_head(in, "valid");
        return NLM_OK;
    }
    size_t count = json_array_size(list);
    bool good = json_is_array(list) && count <= NLM_MAX_HEADS;
    for (size_t h = 0; good && h < count; h++)
        good = read_head(json_array_get(list, h), &in->heads[h]);
    if (!good)
        return REFUSE(in,
                      "metadata 'heads' is not a JSON list of at most %d {name, arity, outputs} "
                      "(twin heads with \"twins\": true)",
                      NLM_MAX_HEADS);
    in->head_count = (int)count;
    return NLM_OK;
}

/* In a file that does not list its outputs, those that its heads read are enough.  If no head was found
 * either, all outputs stay: the file is then good for its outputs. */
static nlm_status drop_unread_outputs(struct reader *in)
{
    unsigned read = 0;
    for (int h = 0; h < in->head_count; h++) {
        int group = machine_head_group(&in->heads[h]);
        if (group >= 0 && group <= in->spec.breadth)
            read |= 1u << group;
    }
    if (in->values[KEY_OUTPUTS] || !(read & in->spec.outputs))
        return NLM_OK;
    /* fewer outputs make fewer units live: tensors that only the others need may be missing in the file */
    in->spec.outputs &= read;
    nlm_error cause;
    return plan_make(&in->spec, &in->outline->plan, &cause) ? fail_as(in->error, &cause, in->name) : NLM_OK;
}

/* ---- reading: tensors ---- */

/* "[2, 3]", for messages. */
static void print_shape(const int64_t *shape, int dimensions, char *text)
{
    size_t used = (size_t)snprintf(text, SHAPE_SIZE, "[");
    for (int i = 0; i < dimensions; i++)
        used += (size_t)snprintf(text + used, SHAPE_SIZE - used, i ? ", %lld" : "%lld", (long long)shape[i]);
    snprintf(text + used, SHAPE_SIZE - used, "]");
}

/* The tensor of that name, which must have that shape. */
static nlm_status find_tensor(const struct reader *in, const char *name, int dimensions, const int *shape,
                              const safetensors_tensor **found)
{
    const safetensors_tensor *tensor = safetensors_find(in->file, name);
    if (!tensor)
        return REFUSE(in, "tensor '%s' is missing", name);
    int64_t wanted[NLM_MAX_DIMENSIONS];
    for (int d = 0; d < dimensions; d++)
        wanted[d] = shape[d];
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

/* Only that the tensors are there with these shapes; values are copied when the machine is made.  A tensor
 * that is there has its bytes in the file (safetensors.h), so the machine cannot be larger than the file. */
static nlm_status check_linear(const struct reader *in, const char *name, int out, int columns)
{
    const safetensors_tensor *found;
    char full[TENSOR_NAME_SIZE];
    snprintf(full, sizeof full, "%s.weight", name);
    nlm_status status = find_tensor(in, full, 2, (const int[]){out, columns}, &found);
    snprintf(full, sizeof full, "%s.bias", name);
    return status ? status : find_tensor(in, full, 1, &out, &found);
}

/* The baseline says which tensors it needs. */
static nlm_status check_model(const struct reader *in)
{
    nlm_machine *m = in->outline;
    nlm_error cause;
    if (machine_make_model(m, in->heads, in->head_count, &cause))
        return fail_as(in->error, &cause, in->name);
    nlm_status status = NLM_OK;
    for (int t = 0; t < m->plan.baseline->tensors(m->model) && !status; t++) {
        struct baseline_tensor tensor;
        const safetensors_tensor *found;
        m->plan.baseline->tensor(m->model, t, &tensor);
        status = find_tensor(in, tensor.name, tensor.dimensions, tensor.shape, &found);
    }
    return status;
}

/* All tensors are there, with the right shapes.  A head that reads no group is refused by nlm_machine_new. */
static nlm_status check_tensors(const struct reader *in)
{
    const nlm_machine *m = in->outline;
    nlm_status status = NLM_OK;
    if (m->plan.baseline)
        return check_model(in);
    for (int i = 1; i <= in->spec.depth; i++)
        for (int r = 0; r <= in->spec.breadth; r++)
            for (int k = 0; k < machine_mlp_layers(m) && plan_unit_live(&m->plan, i, r) && !status; k++) {
                char name[NAME_SIZE];
                snprintf(name, sizeof name, "layer.%d.arity.%d.mlp.%d", i - 1, r, k);
                status =
                    check_linear(in, name, machine_mlp_size(m, i, r, k), machine_mlp_size(m, i, r, k - 1));
            }
    for (int h = 0; h < in->head_count && !status; h++) {
        int columns = machine_head_columns(m, &in->heads[h]);
        if (columns > 0)
            status = check_linear(in, in->heads[h].name, in->heads[h].outputs, columns);
    }
    const struct sense *sense = m->plan.sense;
    for (int t = 0; sense && t < sense->tensor_count && !status; t++) {
        const struct sense_tensor *tensor = &sense->tensors[t];
        const safetensors_tensor *found;
        char name[TENSOR_NAME_SIZE];
        snprintf(name, sizeof name, MACHINE_SENSE_PREFIX "%s", tensor->name);
        status = find_tensor(in, name, tensor->dimensions, tensor->shape, &found);
    }
    return status;
}

/* All tensors of the new machine from the file, refusing numbers that no model can have: one NaN would make
 * every answer a NaN, and nobody would know why. */
static nlm_status copy_tensors(const struct reader *in, nlm_machine *m)
{
    for (int t = 0; t < m->tensor_count; t++) {
        const struct machine_tensor *to = &m->tensors[t];
        const safetensors_tensor *from;
        nlm_status status = find_tensor(in, to->name, to->dimensions, to->shape, &from);
        if (!status)
            status = safetensors_floats(in->file, from, m->values + to->offset, in->error);
        if (status)
            return status;
        if (!model_all_finite(m->values + to->offset, to->count))
            return REFUSE(in, "tensor '%s' holds NaN or infinity", to->name);
        /* variances of batch normalisation: their roots are taken */
        const bool positive = t >= m->sense_tensor && m->plan.sense->tensors[t - m->sense_tensor].positive;
        for (size_t i = 0; positive && i < to->count; i++)
            if (m->values[to->offset + i] < 0)
                return REFUSE(in, "tensor '%s' holds a number below 0", to->name);
    }
    return NLM_OK;
}

/* All pairs, the library's own included: nlm_machine_metadata finds both. */
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

/* The steps of reading, in the order in which each relies on those before. */
nlm_status machine_from_safetensors(const safetensors *file, const char *name, nlm_machine **machine,
                                    nlm_error *error)
{
    *machine = NULL;
    /* everything in `in` is temporary; the machine copies what it keeps */
    struct reader in = {.file = file, .name = name, .error = error};
    in.outline = memory_new(1, sizeof *in.outline);
    if (!in.outline)
        return error_no_memory(error);
    /* the outline's plan is made by parse_spec and made again when outputs are dropped */
    nlm_status status = parse_spec(&in);
    if (!status)
        status = parse_heads(&in);
    if (!status)
        status = drop_unread_outputs(&in);
    if (!status)
        status = check_tensors(&in);
    /* heads are checked by nlm_machine_new, values as they are copied */
    nlm_error cause;
    nlm_machine *made = NULL;
    if (!status && nlm_machine_new(&in.spec, in.heads, in.head_count, &made, &cause))
        status = fail_as(error, &cause, name);
    if (!status)
        status = copy_tensors(&in, made);
    if (!status)
        status = copy_metadata(&in, made);
    if (status)
        nlm_machine_free(made);
    else
        *machine = made;
    for (int key = 0; key < KEYS; key++)
        json_decref(in.values[key]);
    nlm_machine_free(in.outline);
    memory_free(in.program);
    return status;
}

nlm_status nlm_machine_load(const char *path, nlm_machine **machine, nlm_error *error)
{
    REQUIRE(machine, error);
    *machine = NULL;
    REQUIRE(path, error);
    safetensors *file;
    nlm_status status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, machine, error);
    /* the machine has copies of everything */
    safetensors_free(file);
    return status;
}

/* Few pairs, so a linear search is enough.  The text is the machine's. */
const char *nlm_machine_metadata(const nlm_machine *m, const char *key)
{
    for (int i = 0; i < m->metadata_pairs; i++)
        if (!strcmp(m->metadata[2 * i], key))
            return m->metadata[2 * i + 1];
    return NULL;
}
