/* nlm-parity FOLDER: the engine against golden vectors.
 *
 * Each *.safetensors in the folder holds a machine (spec, weights), inputs, and what PyTorch made of them:
 * the outputs out.R, and the gradients grad.* of loss = sum over R of sum(out.R * coef.R).  The engine must
 * agree with every kernel, with and without lifting, with one thread and two; with all outputs wanted, and
 * with each output wanted alone, which leaves other units to compute.  The exit status is the verdict. */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/safetensors.h"
#include "nlm/nlm.h"

enum { ARITIES = NLM_MAX_BREADTH + 1, NAME_SIZE = 128, PLACE_SIZE = 256 };

/* ---- what is equal ---- */

/* An error is taken relative to the wanted value, or to a floor where that is smaller: a value near 0 is the
 * difference of larger ones and carries their rounding.  Outputs are sigmoids, of the order of 1; gradients
 * have the size of the tensor's largest entry. */
#define OUTPUT_TOLERANCE 1e-5
#define OUTPUT_FLOOR 1e-2
#define GRADIENT_TOLERANCE 1e-4
#define GRADIENT_FLOOR_SHARE 0.1 /* of the largest entry */
#define GRADIENT_FLOOR 1e-6      /* where all entries are wanted to be 0 */

/* The largest error of all entries; infinite when one is not a number. */
static double worst_error(const float *found, const float *wanted, size_t count, double floor)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const double difference = fabs((double)found[i] - (double)wanted[i]);
        if (isnan(difference))
            return INFINITY;
        worst = fmax(worst, difference / fmax(fabs((double)wanted[i]), floor));
    }
    return worst;
}

static double largest(const float *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)values[i]));
    return most;
}

static double gradient_floor(const float *wanted, size_t count)
{
    return fmax(GRADIENT_FLOOR_SHARE * largest(wanted, count), GRADIENT_FLOOR);
}

/* The worst errors of one file, and the first place that is wrong. */
struct verdict {
    double output, gradient;
    bool mismatch;
    char place[PLACE_SIZE];
};

static void judge(struct verdict *verdict, double *worst, double error, double tolerance, const char *run,
                  const char *tensor)
{
    *worst = fmax(*worst, error);
    if (error <= tolerance || verdict->mismatch)
        return;
    verdict->mismatch = true;
    snprintf(verdict->place, PLACE_SIZE, "%s off by %.1e (%s)", tensor, error, run);
}

/* ---- golden files ---- */

/* A tensor over objects, [worlds, objects, ..., objects, width]; values are NULL where the file has none. */
struct group {
    float *values;
    size_t per_world;
};

struct golden {
    const char *path;
    safetensors *file;
    nlm_spec spec;
    int objects, worlds;
    struct group inputs[ARITIES], input_gradients[ARITIES], outputs[ARITIES], coefficients[ARITIES];
};

static nlm_status read_metadata(const struct golden *golden, const char *key, json_t **value,
                                nlm_error *error)
{
    const char *text = safetensors_metadata(golden->file, key);
    *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    return *value ? NLM_OK : error_set(error, NLM_BAD_FILE, "%s: no usable metadata '%s'", golden->path, key);
}

static nlm_status read_number(const struct golden *golden, const char *key, int *number, nlm_error *error)
{
    json_t *value;
    nlm_status status = read_metadata(golden, key, &value, error);
    const json_int_t read = json_integer_value(value);
    if (!status && (!json_is_integer(value) || read < 0 || read > NLM_MAX_WIDTH))
        status = error_set(error, NLM_BAD_FILE, "%s: metadata '%s' is not a number in 0..%d", golden->path,
                           key, NLM_MAX_WIDTH);
    *number = (int)read;
    json_decref(value);
    return status;
}

/* A list of up to `most` numbers. */
static nlm_status read_numbers(const struct golden *golden, const char *key, int most, int *numbers,
                               int *count, nlm_error *error)
{
    json_t *value;
    nlm_status status = read_metadata(golden, key, &value, error);
    *count = (int)json_array_size(value);
    if (!status && (!json_is_array(value) || json_array_size(value) > (size_t)most))
        status = error_set(error, NLM_BAD_FILE, "%s: metadata '%s' is not a list of at most %d numbers",
                           golden->path, key, most);
    for (int i = 0; !status && i < *count; i++)
        numbers[i] = (int)json_integer_value(json_array_get(value, (size_t)i));
    json_decref(value);
    return status;
}

static nlm_status read_spec(struct golden *golden, nlm_error *error)
{
    nlm_spec *spec = &golden->spec;
    int arities, residual = 0;
    nlm_status status = read_number(golden, "depth", &spec->depth, error);
    if (!status)
        status = read_number(golden, "breadth", &spec->breadth, error);
    if (!status)
        status = read_numbers(golden, "inputs", ARITIES, spec->inputs, &arities, error);
    if (!status)
        status = read_number(golden, "width", &spec->width, error);
    if (!status)
        status = read_numbers(golden, "hidden", NLM_MAX_HIDDEN, spec->hidden, &spec->hidden_layers, error);
    if (!status)
        status = read_number(golden, "residual", &residual, error);
    if (!status)
        status = read_number(golden, "objects", &golden->objects, error);
    if (!status)
        status = read_number(golden, "batch", &golden->worlds, error);
    spec->residual = residual != 0;
    return status;
}

/* The values of a tensor, which the caller frees. */
static nlm_status read_values(const struct golden *golden, const safetensors_tensor *tensor, float **values,
                              nlm_error *error)
{
    *values = memory_new(tensor->count > 0 ? tensor->count : 1, sizeof **values);
    if (!*values)
        return error_no_memory(error);
    return safetensors_floats(golden->file, tensor, *values, error);
}

/* The tensor `prefix`R, if the file has it. */
static nlm_status read_group(const struct golden *golden, const char *prefix, int arity, struct group *group,
                             nlm_error *error)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%d", prefix, arity);
    const safetensors_tensor *tensor = safetensors_find(golden->file, name);
    if (!tensor)
        return NLM_OK;
    bool fits = golden->worlds > 0 && tensor->dimensions == arity + 2 && tensor->shape[0] == golden->worlds;
    for (int k = 1; fits && k <= arity; k++)
        fits = tensor->shape[k] == golden->objects;
    if (!fits)
        return error_set(error, NLM_BAD_FILE,
                         "%s: tensor '%s' is not [%d worlds, %d objects for each place, width]", golden->path,
                         name, golden->worlds, golden->objects);
    group->per_world = tensor->count / (size_t)golden->worlds;
    return read_values(golden, tensor, &group->values, error);
}

static nlm_status golden_read(struct golden *golden, const char *path, nlm_error *error)
{
    *golden = (struct golden){.path = path};
    nlm_status status = safetensors_read(path, &golden->file, error);
    if (!status)
        status = read_spec(golden, error);
    for (int r = 0; !status && r < ARITIES; r++) {
        status = read_group(golden, "in.", r, &golden->inputs[r], error);
        if (!status)
            status = read_group(golden, "grad.in.", r, &golden->input_gradients[r], error);
        if (!status)
            status = read_group(golden, "out.", r, &golden->outputs[r], error);
        if (!status)
            status = read_group(golden, "coef.", r, &golden->coefficients[r], error);
        if (golden->outputs[r].values)
            golden->spec.outputs |= 1u << r;
        if (!status && golden->outputs[r].per_world != golden->coefficients[r].per_world)
            status = error_set(error, NLM_BAD_FILE, "%s: 'out.%d' and 'coef.%d' differ in shape", path, r, r);
    }
    return status;
}

static void golden_free(struct golden *golden)
{
    for (int r = 0; r < ARITIES; r++) {
        memory_free(golden->inputs[r].values);
        memory_free(golden->input_gradients[r].values);
        memory_free(golden->outputs[r].values);
        memory_free(golden->coefficients[r].values);
    }
    safetensors_free(golden->file);
}

/* ---- one run: the engine on a golden file, in one of its ways ---- */

struct run {
    const struct golden *golden;
    nlm_options options;
    unsigned outputs; /* wanted; with all of them, gradients are compared too */
    char name[NAME_SIZE];
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
};

/* The file's tensor `prefix`NAME for a parameter of the machine; NULL after an error. */
static const safetensors_tensor *find_wanted(const struct golden *golden, const char *prefix,
                                             const nlm_tensor *parameter, nlm_error *error)
{
    char name[2 * NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, parameter->name);
    const safetensors_tensor *wanted = safetensors_find(golden->file, name);
    bool fits = wanted && wanted->dimensions == parameter->dimensions;
    for (int k = 0; fits && k < parameter->dimensions; k++)
        fits = wanted->shape[k] == parameter->shape[k];
    if (!fits)
        (void)error_set(error, NLM_BAD_FILE,
                        "%s: tensor '%s' is missing or has not the shape of the machine's", golden->path,
                        name);
    return fits ? wanted : NULL;
}

/* Copy the file's weights into the machine. */
static nlm_status set_parameters(const struct run *run, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; !status && i < nlm_machine_tensors(run->machine); i++) {
        const nlm_tensor parameter = nlm_machine_tensor(run->machine, i);
        const safetensors_tensor *wanted = find_wanted(run->golden, "", &parameter, error);
        status =
            wanted ? safetensors_floats(run->golden->file, wanted, parameter.values, error) : NLM_BAD_FILE;
    }
    return status;
}

/* What is read and compared has the widths of the machine. */
static nlm_status check_width(const struct golden *golden, const struct group *group, const char *name,
                              int arity, int width, nlm_error *error)
{
    size_t needed = (size_t)width;
    for (int k = 0; k < arity; k++)
        needed *= (size_t)golden->objects;
    if (group->per_world == needed)
        return NLM_OK;
    return error_set(error, NLM_BAD_FILE, "%s: tensor '%s.%d' does not hold %d predicates", golden->path,
                     name, arity, width);
}

static nlm_status check_widths(const struct run *run, nlm_error *error)
{
    const struct golden *golden = run->golden;
    nlm_status status = NLM_OK;
    for (int r = 0; !status && r <= golden->spec.breadth; r++) {
        const int inputs = golden->spec.inputs[r], outputs = nlm_machine_output_width(run->machine, r);
        status = check_width(golden, &golden->inputs[r], "in", r, inputs, error);
        if (!status)
            status = check_width(golden, &golden->input_gradients[r], "grad.in", r, inputs, error);
        if (!status && outputs > 0)
            status = check_width(golden, &golden->outputs[r], "out", r, outputs, error);
    }
    return status;
}

static nlm_status fill_batch(const struct run *run, nlm_error *error)
{
    const struct golden *golden = run->golden;
    nlm_status status = NLM_OK;
    for (int w = 0; !status && w < golden->worlds; w++) {
        const float *tensors[ARITIES] = {NULL};
        for (int r = 0; r <= golden->spec.breadth; r++) {
            if (golden->spec.inputs[r] > 0)
                tensors[r] = golden->inputs[r].values + (size_t)w * golden->inputs[r].per_world;
        }
        status = nlm_batch_add_tensors(run->batch, golden->objects, tensors, error);
    }
    return status;
}

static nlm_status prepare(struct run *run, nlm_error *error)
{
    nlm_spec spec = run->golden->spec;
    spec.outputs = run->outputs;
    nlm_status status = nlm_machine_new(&spec, NULL, 0, &run->machine, error);
    if (!status)
        status = check_widths(run, error);
    if (!status)
        status = set_parameters(run, error);
    if (!status)
        status = nlm_batch_new(spec.inputs, spec.breadth, &run->batch, error);
    if (!status)
        status = fill_batch(run, error);
    if (!status)
        status = nlm_structure_new(&run->structure, error);
    if (!status)
        status = nlm_structure_build(run->structure, run->machine, run->batch, &run->options, error);
    if (!status)
        status = nlm_pass_new(run->machine, &run->pass, error);
    return status;
}

static void run_free(struct run *run)
{
    nlm_pass_free(run->pass);
    nlm_structure_free(run->structure);
    nlm_batch_free(run->batch);
    nlm_machine_free(run->machine);
}

typedef nlm_status (*world_reader)(const nlm_pass *pass, int world, int arity, float *values,
                                   nlm_error *error);

/* What the pass holds of one arity, all worlds, as a tensor of the file's shape; the caller frees it. */
static nlm_status collect(const struct run *run, world_reader read, const struct group *shape, int arity,
                          float **values, nlm_error *error)
{
    const size_t count = shape->per_world * (size_t)run->golden->worlds;
    *values = memory_new(count > 0 ? count : 1, sizeof **values);
    nlm_status status = *values ? NLM_OK : error_no_memory(error);
    for (int w = 0; !status && w < run->golden->worlds; w++)
        status = read(run->pass, w, arity, *values + (size_t)w * shape->per_world, error);
    return status;
}

static nlm_status compare_outputs(const struct run *run, struct verdict *verdict, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int r = 0; !status && r <= run->golden->spec.breadth; r++) {
        if (!(run->outputs >> r & 1))
            continue;
        const struct group *wanted = &run->golden->outputs[r];
        const size_t count = wanted->per_world * (size_t)run->golden->worlds;
        float *found;
        status = collect(run, nlm_pass_output, wanted, r, &found, error);
        if (!status) {
            char name[NAME_SIZE];
            snprintf(name, sizeof name, "out.%d", r);
            judge(verdict, &verdict->output, worst_error(found, wanted->values, count, OUTPUT_FLOOR),
                  OUTPUT_TOLERANCE, run->name, name);
        }
        memory_free(found);
    }
    return status;
}

static void compare_gradient(const struct run *run, struct verdict *verdict, const char *name,
                             const float *found, const float *wanted, size_t count)
{
    judge(verdict, &verdict->gradient, worst_error(found, wanted, count, gradient_floor(wanted, count)),
          GRADIENT_TOLERANCE, run->name, name);
}

static nlm_status compare_parameter_gradients(const struct run *run, struct verdict *verdict,
                                              nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; !status && i < nlm_machine_tensors(run->machine); i++) {
        const nlm_tensor parameter = nlm_machine_tensor(run->machine, i);
        const safetensors_tensor *tensor = find_wanted(run->golden, "grad.", &parameter, error);
        if (!tensor)
            return NLM_BAD_FILE;
        float *wanted;
        status = read_values(run->golden, tensor, &wanted, error);
        if (!status)
            compare_gradient(run, verdict, tensor->name, parameter.gradients, wanted, tensor->count);
        memory_free(wanted);
    }
    return status;
}

static bool has_parameter(nlm_machine *machine, const char *name)
{
    for (int i = 0; i < nlm_machine_tensors(machine); i++) {
        if (strcmp(nlm_machine_tensor(machine, i).name, name) == 0)
            return true;
    }
    return false;
}

/* A unit that reaches no output is not in the machine: the file's gradients of it must be 0. */
static nlm_status compare_dead_gradients(const struct run *run, struct verdict *verdict, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; !status && i < safetensors_count(run->golden->file); i++) {
        const safetensors_tensor *tensor = safetensors_at(run->golden->file, i);
        if (strncmp(tensor->name, "grad.layer.", 11) != 0 ||
            has_parameter(run->machine, tensor->name + strlen("grad.")))
            continue;
        float *wanted;
        status = read_values(run->golden, tensor, &wanted, error);
        if (!status)
            judge(verdict, &verdict->gradient, largest(wanted, tensor->count), 0, run->name, tensor->name);
        memory_free(wanted);
    }
    return status;
}

static nlm_status compare_input_gradients(const struct run *run, struct verdict *verdict, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int r = 0; !status && r <= run->golden->spec.breadth; r++) {
        const struct group *wanted = &run->golden->input_gradients[r];
        if (!wanted->values)
            continue;
        float *found;
        status = collect(run, nlm_pass_input_gradient, wanted, r, &found, error);
        if (!status) {
            char name[NAME_SIZE];
            snprintf(name, sizeof name, "grad.in.%d", r);
            compare_gradient(run, verdict, name, found, wanted->values,
                             wanted->per_world * (size_t)run->golden->worlds);
        }
        memory_free(found);
    }
    return status;
}

/* The gradient of the loss with respect to the outputs is coef.R. */
static nlm_status backward(const struct run *run, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int r = 0; !status && r <= run->golden->spec.breadth; r++) {
        const struct group *coefficients = &run->golden->coefficients[r];
        for (int w = 0; !status && coefficients->values && w < run->golden->worlds; w++)
            status = nlm_pass_add_output_gradient(
                run->pass, w, r, coefficients->values + (size_t)w * coefficients->per_world, error);
    }
    return status ? status : nlm_pass_backward(run->pass, error);
}

static nlm_status run_once(const struct golden *golden, nlm_options options, unsigned outputs,
                           struct verdict *verdict, nlm_error *error)
{
    struct run run = {.golden = golden, .options = options, .outputs = outputs};
    const bool training = outputs == golden->spec.outputs;
    snprintf(run.name, sizeof run.name, "%s, %s, threads %d%s%s", nlm_kernel_name(options.kernel),
             options.lifting == NLM_LIFT ? "lift" : "identity", options.threads,
             options.input_gradients ? ", input gradients" : "", training ? "" : ", wanted alone");
    nlm_status status = prepare(&run, error);
    if (!status)
        status = nlm_pass_forward(run.pass, run.structure, training, error);
    if (!status)
        status = compare_outputs(&run, verdict, error);
    if (!status && training)
        status = backward(&run, error);
    if (!status && training)
        status = compare_parameter_gradients(&run, verdict, error);
    if (!status && training)
        status = compare_dead_gradients(&run, verdict, error);
    if (!status && training && options.input_gradients)
        status = compare_input_gradients(&run, verdict, error);
    run_free(&run);
    return status;
}

/* ---- all runs of a file, all files of a folder ---- */

/* All outputs, with gradients; then each output alone, values only. */
static nlm_status run_options(const struct golden *golden, nlm_options options, struct verdict *verdict,
                              nlm_error *error)
{
    nlm_status status = run_once(golden, options, golden->spec.outputs, verdict, error);
    options.input_gradients = true;
    if (!status)
        status = run_once(golden, options, golden->spec.outputs, verdict, error);
    options.input_gradients = false;
    for (int r = 0; !status && r <= golden->spec.breadth; r++) {
        const unsigned alone = 1u << r;
        if ((golden->spec.outputs & alone) && golden->spec.outputs != alone)
            status = run_once(golden, options, alone, verdict, error);
    }
    return status;
}

static nlm_status run_all(const struct golden *golden, struct verdict *verdict, nlm_error *error)
{
    static const nlm_kernel kernels[] = {NLM_KERNEL_REFERENCE, NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2,
                                         NLM_KERNEL_AVX512};
    nlm_status status = NLM_OK;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        if (!nlm_kernel_available(kernels[k]))
            continue;
        for (int way = 0; !status && way < 4; way++) {
            const nlm_options options = {.kernel = kernels[k],
                                         .lifting = way & 1 ? NLM_IDENTITY : NLM_LIFT,
                                         .threads = way & 2 ? 2 : 1};
            status = run_options(golden, options, verdict, error);
        }
    }
    return status;
}

/* Whether a file agrees, after a line that says so. */
static bool check_file(const char *folder, const char *file)
{
    char path[4096];
    struct golden golden;
    struct verdict verdict = {0};
    nlm_error error;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    nlm_status status = golden_read(&golden, path, &error);
    if (!status)
        status = run_all(&golden, &verdict, &error);
    golden_free(&golden);
    const int stem = (int)(strlen(file) - strlen(".safetensors"));
    if (status)
        printf("%-20.*s failed: %s\n", stem, file, error.message);
    else
        printf("%-20.*s output %.1e  gradient %.1e  %s%s\n", stem, file, verdict.output, verdict.gradient,
               verdict.mismatch ? "MISMATCH: " : "ok", verdict.place);
    return !status && !verdict.mismatch;
}

static int is_safetensors(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".safetensors") == 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: nlm-parity FOLDER\n", stderr);
        return 2;
    }
    struct dirent **entries;
    const int count = scandir(argv[1], &entries, is_safetensors, alphasort);
    if (count < 0)
        perror(argv[1]);
    if (count == 0)
        fprintf(stderr, "%s: no *.safetensors here\n", argv[1]);
    if (count <= 0)
        return EXIT_FAILURE;
    int passed = 0;
    for (int i = 0; i < count; i++) {
        passed += check_file(argv[1], entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    printf("%d passed, %d failed\n", passed, count - passed);
    return passed == count ? EXIT_SUCCESS : EXIT_FAILURE;
}
