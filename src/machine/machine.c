/* Machines: their tensors, initial values and gradients.
 *
 * A machine is made in two steps: the plan and all checks first, then tensors and memory.  Streams of random
 * numbers are numbered by the role of a tensor: units from (8 i + r) 16 on, heads from 2^32, senses from
 * 2^33, baselines from 2^34.  Changing these numbers changes the initial weights of every seed.
 *
 * Names of tensors, which files use too (i from 1, layer i is written as i - 1):
 *
 *     layer.<i-1>.arity.<r>.mlp.<k>.weight   [out, in]      unit (i, r), linear layer k
 *     layer.<i-1>.arity.<r>.mlp.<k>.bias     [out]
 *     <head>.weight, <head>.bias             [outputs, columns], [outputs]
 *     sense.<name>                           as the sense says
 *
 * The columns of a unit's first weight are [order][expand | own | reduce], reduce with exists and forall of
 * each predicate side by side: the paper's layout.
 *
 * Example: unit (2, 2) of a machine of breadth 3 and width 8, not residual.  It reads 8 unary, 8 binary and 8
 * ternary predicates: 8 + 8 + 2 * 8 = 32 channels, in 2 orders: 64 columns.  layer.1.arity.2.mlp.0.weight is
 * [8, 64]; columns 0..31 meet (x, y), columns 32..63 meet (y, x).
 *
 * Ownership: a machine owns its tensors, names, heads, the copy of its program, the model made by a baseline,
 * and its metadata.  Passes, optimisers and evaluators refer to it and must be freed before it. */
#include "machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "machine/program_template.h"

/* Bytes of a layer's name with its end. */
enum { NAME_SIZE = 256 };
#define MOST_PARAMETERS ((size_t)INT32_MAX) /* pack.c numbers them, and one more, in 32 bits */

int machine_mlp_layers(const struct nlm_machine *machine)
{
    return machine->plan.spec.hidden_layers + 1;
}

/* The first layer reads I(t) in all r! orders of the tuple (Permute), and I has expand + own + 2 reduce
 * channels. */
int machine_mlp_size(const struct nlm_machine *machine, int layer, int arity, int k)
{
    const struct plan *plan = &machine->plan;
    if (k < 0)
        return plan->orders[arity].count *
               (plan_expand_width(plan, layer, arity) + plan_own_width(plan, layer, arity) +
                2 * plan_reduce_width(plan, layer, arity));
    return k < plan->spec.hidden_layers ? plan->spec.hidden[k] : plan->block[layer][arity];
}

/* A twin head is of arity 2 but reads the unary group: u(i), u(i+n), u(j), u(j+n). */
int machine_head_group(const nlm_head_spec *head)
{
    return head->twins ? 1 : head->arity;
}

int machine_head_parts(const nlm_head_spec *head)
{
    return head->twins ? TWIN_PARTS : 1;
}

/* A twin head reads four objects and two pairs; its binary inputs must be three relations of equal size. */
int machine_head_columns(const struct nlm_machine *machine, const nlm_head_spec *head)
{
    int width = nlm_machine_output_width(machine, machine_head_group(head));
    int inputs = machine->plan.spec.inputs[2];
    if (!head->twins || width == 0)
        return width;
    return inputs > 0 && inputs % TWIN_RELATIONS == 0 ? TWIN_PARTS * width + TWIN_HALVES * inputs : 0;
}

/* Append a tensor after the last one.  MOST_PARAMETERS is refused as a lack of memory.  A tensor is counted
 * only when its name is there, so that nlm_machine_free can release any state in between. */
static nlm_status add_tensor(struct nlm_machine *m, const char *name, int dimensions, const int *shape,
                             uint64_t stream)
{
    /* tensors are few: the list doubles, and moves */
    if (m->tensor_count == m->tensor_room) {
        int room = 2 * m->tensor_room + 16;
        struct machine_tensor *grown = memory_new((size_t)room, sizeof *grown);
        if (!grown)
            return NLM_NO_MEMORY;
        if (m->tensors)
            memcpy(grown, m->tensors, (size_t)m->tensor_count * sizeof *grown);
        memory_free(m->tensors);
        m->tensors = grown;
        m->tensor_room = room;
    }
    struct machine_tensor *tensor = &m->tensors[m->tensor_count];
    *tensor = (struct machine_tensor){
        .name = memory_copy_text(name),
        .dimensions = dimensions,
        .offset = m->parameters,
        .count = 1,
        .stream = stream,
    };
    for (int d = 0; d < dimensions; d++) {
        tensor->shape[d] = shape[d];
        tensor->count *= (size_t)shape[d];
    }
    if (!tensor->name)
        return NLM_NO_MEMORY;
    m->tensor_count++;
    m->parameters += tensor->count;
    return m->parameters >= MOST_PARAMETERS ? NLM_NO_MEMORY : NLM_OK;
}

/* A linear layer: <name>.weight [out, in] and <name>.bias [out].  Its two tensors have neighbouring
 * streams. */
static nlm_status add_linear(struct nlm_machine *m, const char *name, int out, int in, uint64_t stream)
{
    char full[NAME_SIZE + 16];
    snprintf(full, sizeof full, "%s.weight", name);
    nlm_status status = add_tensor(m, full, 2, (const int[]){out, in}, stream);
    snprintf(full, sizeof full, "%s.bias", name);
    return status ? status : add_tensor(m, full, 1, &out, stream + 1);
}

/* The tensors of all live units.  Names count layers from 0. */
static nlm_status add_units(struct nlm_machine *m)
{
    const struct plan *plan = &m->plan;
    for (int i = 1; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            if (!plan_unit_live(plan, i, r))
                continue;
            m->unit_tensor[i][r] = m->tensor_count;
            /* a unit's tensors follow each other: weight and bias of each layer (pack.c and model_load.c rely
             * on it) */
            for (int k = 0; k < machine_mlp_layers(m); k++) {
                char name[NAME_SIZE];
                snprintf(name, sizeof name, "layer.%d.arity.%d.mlp.%d", i - 1, r, k);
                /* 8 > NLM_MAX_BREADTH + 1 arities, and 16 > 2 (NLM_MAX_HIDDEN + 1) tensors: no two units
                 * share a stream */
                uint64_t stream = ((uint64_t)i * 8 + (uint64_t)r) * 16 + (uint64_t)k * 2;
                if (add_linear(m, name, machine_mlp_size(m, i, r, k), machine_mlp_size(m, i, r, k - 1),
                               stream))
                    return NLM_NO_MEMORY;
            }
        }
    return NLM_OK;
}

/* Names of heads become names of tensors in files, so they must not collide with those of units or of a
 * sense. */
static nlm_status check_names(const nlm_head_spec *heads, int count, nlm_error *error)
{
    if (count < 0 || count > NLM_MAX_HEADS)
        return error_set(error, NLM_BAD_ARGUMENT, "%d heads are not in 0..%d", count, NLM_MAX_HEADS);
    if (count > 0 && !heads)
        return error_set(error, NLM_BAD_ARGUMENT, "%d heads are not given (NULL)", count);
    for (int h = 0; h < count; h++) {
        const char *name = heads[h].name;
        if (!name || !*name || strlen(name) >= NAME_SIZE || !strncmp(name, "layer.", 6) ||
            !strncmp(name, MACHINE_SENSE_PREFIX, strlen(MACHINE_SENSE_PREFIX)))
            return error_set(error, NLM_BAD_ARGUMENT, "head %d has no usable name", h);
        for (int other = 0; other < h; other++)
            if (!strcmp(name, heads[other].name))
                return error_set(error, NLM_BAD_ARGUMENT, "two heads are called '%s'", name);
        if (heads[h].outputs < 1 || heads[h].outputs > NLM_MAX_WIDTH)
            return error_set(error, NLM_BAD_ARGUMENT, "head '%s': %d outputs are not in 1..%d", name,
                             heads[h].outputs, NLM_MAX_WIDTH);
        if (heads[h].twins && heads[h].arity != 2)
            return error_set(error, NLM_BAD_ARGUMENT, "head '%s' is a twin head: its arity is 2, not %d",
                             name, heads[h].arity);
    }
    return NLM_OK;
}

/* Heads of the machine's own units: the group that a head reads must be a wanted output. */
static nlm_status check_heads(const struct nlm_machine *m, const nlm_head_spec *heads, int count,
                              nlm_error *error)
{
    nlm_status status = check_names(heads, count, error);
    for (int h = 0; h < count && !status; h++) {
        const char *name = heads[h].name;
        if (nlm_machine_output_width(m, machine_head_group(&heads[h])) == 0)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "head '%s' reads outputs of arity %d, which are not wanted", name,
                             machine_head_group(&heads[h]));
        if (machine_head_columns(m, &heads[h]) == 0)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "head '%s' is a twin head: the %d inputs of arity 2 are not three relations",
                             name, m->plan.spec.inputs[2]);
    }
    return status;
}

/* The answers of a baseline must be among the outputs; all other limits are for the baseline to check. */
nlm_status machine_make_model(nlm_machine *m, const nlm_head_spec *heads, int count, nlm_error *error)
{
    const nlm_spec *spec = &m->plan.spec;
    nlm_status status = check_names(heads, count, error);
    const size_t own = strlen(spec->model); /* its tensors are called memnn... */
    for (int h = 0; h < count && !status; h++)
        if (!strncmp(heads[h].name, spec->model, own) && heads[h].name[own] == '.')
            status = error_set(error, NLM_BAD_ARGUMENT, "head %d has no usable name", h);
    for (int h = 0; h < count && !status; h++)
        if (heads[h].arity < 0 || heads[h].arity > spec->breadth ||
            !(spec->outputs >> machine_head_group(&heads[h]) & 1))
            status =
                error_set(error, NLM_BAD_ARGUMENT, "head '%s' answers about %d objects, which is not wanted",
                          heads[h].name, heads[h].arity);
    if (!status)
        status = m->plan.baseline->make(spec, heads, count, &m->model, error);
    return status;
}

/* The machine itself learns from worlds of any size; a baseline may have a limit. */
nlm_status machine_admit(const nlm_machine *m, int objects, nlm_error *error)
{
    const struct baseline *baseline = m->plan.baseline;
    /* a baseline may refuse for lack of memory by its own measure: to the caller it is a wrong argument */
    nlm_error cause = {0};
    if (!baseline || baseline->admit(m->model, objects, &cause) == NLM_OK)
        return NLM_OK;
    return error_set(error, NLM_BAD_ARGUMENT, "%s", cause.message);
}

/* Head `head_count` begins at the next tensor; its name is copied, as the caller's may be on a stack or in a
 * file. */
static nlm_status keep_head(struct nlm_machine *m, const nlm_head_spec *head)
{
    m->heads[m->head_count] = *head;
    m->heads[m->head_count].name = memory_copy_text(head->name);
    if (!m->heads[m->head_count].name)
        return NLM_NO_MEMORY;
    m->head_tensor[m->head_count++] = m->tensor_count;
    return NLM_OK;
}

/* The tensors of a baseline, heads included: it lists them itself.  There is no sense. */
static nlm_status add_model(struct nlm_machine *m, const nlm_head_spec *heads, int count)
{
    const struct baseline *baseline = m->plan.baseline;
    nlm_status status = NLM_OK;
    for (int h = 0; h < count && !status; h++)
        status = keep_head(m, &heads[h]);
    for (int t = 0; t < baseline->tensors(m->model) && !status; t++) {
        struct baseline_tensor tensor;
        baseline->tensor(m->model, t, &tensor);
        status =
            add_tensor(m, tensor.name, tensor.dimensions, tensor.shape, ((uint64_t)1 << 34) + (uint64_t)t);
    }
    m->sense_tensor = m->tensor_count;
    return status;
}

/* Heads after units.  A twin head reads inputs of arity 2 directly, which makes them live. */
static nlm_status add_heads(struct nlm_machine *m, const nlm_head_spec *heads, int count)
{
    for (int h = 0; h < count; h++) {
        if (keep_head(m, &heads[h]))
            return NLM_NO_MEMORY;
        m->plan.live[0][2] |= heads[h].twins; /* it reads these inputs, whether or not a unit does */
        uint64_t stream = ((uint64_t)1 << 32) + (uint64_t)h * 2;
        if (add_linear(m, heads[h].name, heads[h].outputs, machine_head_columns(m, &heads[h]), stream))
            return NLM_NO_MEMORY;
    }
    return NLM_OK;
}

/* Tensors of the sense come last, so that all before `sense_tensor` are linear layers. */
static nlm_status add_sense(struct nlm_machine *m)
{
    const struct sense *sense = m->plan.sense;
    m->sense_tensor = m->tensor_count;
    for (int t = 0; sense && t < sense->tensor_count; t++) {
        const struct sense_tensor *tensor = &sense->tensors[t];
        char name[NAME_SIZE];
        snprintf(name, sizeof name, MACHINE_SENSE_PREFIX "%s", tensor->name);
        uint64_t stream = ((uint64_t)1 << 33) + (uint64_t)t;
        if (add_tensor(m, name, tensor->dimensions, tensor->shape, stream))
            return NLM_NO_MEMORY;
    }
    return NLM_OK;
}

/* The plan's spec points to the machine's own copy of the program, never to the caller's. */
nlm_status machine_plan(nlm_machine *m, const nlm_spec *spec, nlm_error *error)
{
    nlm_program_template *program = NULL;
    nlm_status status = spec->program ? program_template_copy(spec->program, &program) : NLM_OK;
    if (status == NLM_BAD_ARGUMENT)
        return error_set(error, status, "differentiable ILP needs a program with a target");
    if (status)
        return error_no_memory(error);
    memory_free(m->program); /* of an earlier plan */
    m->program = program;
    status = plan_make(spec, &m->plan, error);
    m->plan.spec.program = program;
    return status;
}

/* Arguments are checked before memory is taken, so a message about a spec is never "out of memory".
 * Everything that the spec and heads point to is copied: names, the program.  Parameters are 0 until they are
 * set. */
nlm_status nlm_machine_new(const nlm_spec *spec, const nlm_head_spec *heads, int head_count,
                           nlm_machine **machine, nlm_error *error)
{
    REQUIRE(machine, error);
    *machine = NULL;
    REQUIRE(spec, error);
    nlm_machine *m = memory_new(1, sizeof *m);
    if (!m)
        return error_no_memory(error);
    m->kernels = kernel_choose(NLM_KERNEL_BEST);
    nlm_status status = machine_plan(m, spec, error);
    if (!status)
        status = m->plan.baseline ? machine_make_model(m, heads, head_count, error)
                                  : check_heads(m, heads, head_count, error);
    if (status) {
        nlm_machine_free(m);
        return status;
    }
    /* units, heads, sense: the order of tensors that machine.h promises */
    if (m->plan.baseline)
        status = add_model(m, heads, head_count);
    else if (add_units(m) || add_heads(m, heads, head_count) || add_sense(m))
        status = NLM_NO_MEMORY;
    if (!status) {
        m->values = memory_new(m->parameters + 1, sizeof(float));
        m->gradients = memory_new(m->parameters + 1, sizeof(float));
    }
    /* nothing was wrong with the arguments: only memory can be out here */
    if (status || !m->values || !m->gradients) {
        nlm_machine_free(m);
        return error_no_memory(error);
    }
    *machine = m;
    return NLM_OK;
}

/* A machine that was only partly made can be freed: missing parts are NULL or counted as 0. */
void nlm_machine_free(nlm_machine *m)
{
    if (!m)
        return;
    for (int t = 0; t < m->tensor_count; t++)
        memory_free(m->tensors[t].name);
    memory_free(m->tensors);
    for (int h = 0; h < m->head_count; h++)
        memory_free((char *)m->heads[h].name);
    for (int k = 0; m->metadata && k < 2 * m->metadata_pairs; k++)
        memory_free(m->metadata[k]);
    memory_free(m->metadata);
    if (m->model)
        m->plan.baseline->free(m->model);
    memory_free(m->program);
    memory_free(m->values);
    memory_free(m->gradients);
    memory_free(m);
}

/* Uniform in +-1 / sqrt(fan_in): the bound that keeps the variance of a layer's output independent of its
 * inputs' number, as PyTorch's linear layers have it.  Without a fan-in (0) from N(0, 1), by the method of
 * Box and Muller; of its two numbers only one is used. */
static void draw_values(nlm_machine *m, uint64_t seed, const struct machine_tensor *tensor, int fan_in)
{
    static const double turn = 6.283185307179586;
    float bound = fan_in > 0 ? (float)(1.0 / sqrt((double)fan_in)) : 0.0f,
          *values = m->values + tensor->offset;
    random_stream random;
    random_start(&random, seed, tensor->stream);
    for (size_t i = 0; i < tensor->count; i++) {
        if (fan_in > 0) {
            values[i] = random_uniform(&random, -bound, bound);
        } else {
            const double radius = sqrt(-2.0 * log(1.0 - random_unit(&random)));
            values[i] = (float)(radius * cos(turn * random_unit(&random)));
        }
    }
}

/* Each tensor from its own stream: adding a head or a layer leaves the initial values of the others as they
 * are.  A baseline says for each tensor how it begins.  Gradients are left alone. */
void nlm_machine_initialise(nlm_machine *m, uint64_t seed)
{
    /* another model has no units and no sense: its own list says how each tensor begins */
    for (int t = 0; m->model && t < m->tensor_count; t++) {
        struct baseline_tensor tensor;
        m->plan.baseline->tensor(m->model, t, &tensor);
        draw_values(m, seed, &m->tensors[t], tensor.fan_in > 0 ? tensor.fan_in : 0);
    }
    if (m->model)
        return;
    for (int t = 0; t < m->sense_tensor; t++) {
        const struct machine_tensor *tensor = &m->tensors[t];
        /* a bias has the fan-in of the weight before it */
        draw_values(m, seed, tensor, tensor->dimensions == 2 ? tensor->shape[1] : m->tensors[t - 1].shape[1]);
    }
    /* tensors without fan-in are constants: averages and scales of batch normalisation */
    for (int t = m->sense_tensor; t < m->tensor_count; t++) {
        const struct machine_tensor *tensor = &m->tensors[t];
        const struct sense_tensor *from = &m->plan.sense->tensors[t - m->sense_tensor];
        if (from->fan_in > 0)
            draw_values(m, seed, tensor, from->fan_in);
        for (size_t i = 0; from->fan_in == 0 && i < tensor->count; i++)
            m->values[tensor->offset + i] = from->first;
    }
}

/* Weights only: they are the tensors of two dimensions before the sense.  The random numbers are those of
 * nlm_machine_initialise, so with gain 1 the machine is the same. */
void machine_initialise_with(nlm_machine *m, uint64_t seed, double gain)
{
    nlm_machine_initialise(m, seed);
    for (int t = 0; t < m->sense_tensor; t++) {
        const struct machine_tensor *tensor = &m->tensors[t];
        for (size_t i = 0; tensor->dimensions == 2 && i < tensor->count; i++)
            m->values[tensor->offset + i] *= (float)gain;
    }
}

/* The sense sees its parameters as one array of its own, which is the end of the machine's. */
float *machine_sense_values(nlm_machine *m)
{
    return m->plan.sense ? m->values + m->tensors[m->sense_tensor].offset : NULL;
}

float *machine_sense_gradients(nlm_machine *m)
{
    return m->plan.sense ? m->gradients + m->tensors[m->sense_tensor].offset : NULL;
}

/* The sizes that a caller needs before it makes worlds for a sense. */
bool nlm_sense_find(const char *name, int *numbers, int *predicates)
{
    const struct sense *sense = sense_find(name);
    if (!sense)
        return false;
    *numbers = sense->numbers;
    *predicates = sense->predicates;
    return true;
}

const nlm_spec *nlm_machine_spec(const nlm_machine *m)
{
    return &m->plan.spec;
}

int nlm_machine_heads(const nlm_machine *m)
{
    return m->head_count;
}

const nlm_head_spec *nlm_machine_head(const nlm_machine *m, int head)
{
    return head >= 0 && head < m->head_count ? &m->heads[head] : NULL;
}

/* With residual the group has more predicates than the last layer's units compute. */
int nlm_machine_output_width(const nlm_machine *m, int arity)
{
    const nlm_spec *spec = &m->plan.spec;
    if (arity < 0 || arity > spec->breadth || !(spec->outputs >> arity & 1))
        return 0;
    return m->plan.group[spec->depth][arity];
}

bool nlm_machine_unit_live(const nlm_machine *m, int layer, int arity)
{
    const nlm_spec *spec = &m->plan.spec;
    return layer >= 1 && layer <= spec->depth && arity >= 0 && arity <= spec->breadth &&
           plan_unit_live(&m->plan, layer, arity);
}

int nlm_machine_tensors(const nlm_machine *m)
{
    return m->tensor_count;
}

/* Windows into the flat arrays: writing through them changes the machine. */
nlm_tensor nlm_machine_tensor(nlm_machine *m, int index)
{
    if (index < 0 || index >= m->tensor_count)
        return (nlm_tensor){0};
    const struct machine_tensor *t = &m->tensors[index];
    return (nlm_tensor){
        .name = t->name,
        .dimensions = t->dimensions,
        .shape = {t->shape[0], t->shape[1], t->shape[2], t->shape[3]},
        .count = t->count,
        .values = m->values + t->offset,
        .gradients = m->gradients + t->offset,
    };
}

size_t nlm_machine_parameters(const nlm_machine *m)
{
    return m->parameters;
}

void nlm_machine_zero_gradients(nlm_machine *m)
{
    memset(m->gradients, 0, m->parameters * sizeof(float));
}

/* In double: millions of squares of very different size are added. */
double nlm_machine_gradient_norm(const nlm_machine *m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->parameters; i++)
        sum += (double)m->gradients[i] * (double)m->gradients[i];
    return sqrt(sum);
}
