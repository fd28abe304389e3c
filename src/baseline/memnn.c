/* Memory network: its shape and its tensors, and the table of functions by which machines use it.
 *
 * A network is only a description: values and gradients are the machine's.  The order of add_tensor calls is
 * the order of the parameters, and with the names it is the file format.
 *
 *     slot        -> key MLP -> 16,  -> value MLP -> 32
 *     question    -> question MLP -> 16, the first query
 *     round       attention (16 -> 32), LSTM (32 -> width), query layer (width -> 16)
 *     head        width -> outputs
 *
 * Sizes 16 and 32 (ATTENTION_KEY, ATTENTION_VALUE) are fixed; rounds, width and hidden layers are the spec's
 * depth, width and hidden. */
#include "baseline/memnn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

/* ---- making ---- */

/* Slots have room for properties of an object and relations of two; questions are about one object or two. */
static nlm_status check(const nlm_spec *spec, const nlm_head_spec *heads, int count, nlm_error *error)
{
    if (spec->sense)
        return error_set(error, NLM_BAD_ARGUMENT, "a memory network cannot have a sense (%s)", spec->sense);
    if (spec->inputs[0])
        return error_set(error, NLM_BAD_ARGUMENT,
                         "a memory network has no place for predicates without arguments, and there %s %d",
                         spec->inputs[0] == 1 ? "is" : "are", spec->inputs[0]);
    for (int r = BASELINE_MOST_ARITY + 1; r <= NLM_MAX_BREADTH; r++)
        if (spec->inputs[r])
            return error_set(error, NLM_BAD_ARGUMENT,
                             "a memory network takes predicates of arity 1 and 2, not %d", r);
    for (int h = 0; h < count; h++) {
        if (heads[h].arity < 1 || heads[h].arity > 2)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "a memory network learns targets of arity 1 and 2, not %d", heads[h].arity);
        if (heads[h].twins && heads[h].arity != 2)
            return error_set(error, NLM_BAD_ARGUMENT, "head %s: a twin head is of arity 2", heads[h].name);
    }
    if (spec->own_widths)
        return error_set(error, NLM_BAD_ARGUMENT, "a memory network has one width, not one per unit");
    if (spec->width < 1 || spec->width > NLM_MAX_WIDTH)
        return error_set(error, NLM_BAD_ARGUMENT, "a memory network of width %d: from 1 to %d", spec->width,
                         NLM_MAX_WIDTH);
    return NLM_OK;
}

/* One more tensor, called memnn.NAME or, for a head, PREFIX.NAME; columns 0 for a bias.  Its place. */
static size_t add_tensor(struct memnn *m, const char *prefix, const char *name, int rows, int columns,
                         int fan_in)
{
    struct baseline_tensor *t = &m->tensor[m->tensors++];
    size_t place = m->parameters;
    *t = (struct baseline_tensor){.dimensions = columns ? 2 : 1, .shape = {rows, columns}, .fan_in = fan_in};
    snprintf(t->name, sizeof t->name, "%s.%s", prefix, name);
    m->parameters += (size_t)rows * (columns ? (size_t)columns : 1);
    return place;
}

/* Hidden layers are those of the spec, the same for all three MLPs. */
static void add_mlp(struct memnn *m, struct mlp *mlp, const char *name, const nlm_spec *spec, int in, int out)
{
    mlp->layers = spec->hidden_layers + 1;
    mlp->size[0] = in;
    for (int l = 0; l < spec->hidden_layers; l++)
        mlp->size[l + 1] = spec->hidden[l];
    mlp->size[mlp->layers] = out;
    for (int l = 0; l < mlp->layers; l++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "memnn.%s.%d", name, l);
        mlp->weight[l] = add_tensor(m, prefix, "weight", mlp->size[l + 1], mlp->size[l], mlp->size[l]);
        mlp->bias[l] = add_tensor(m, prefix, "bias", mlp->size[l + 1], 0, mlp->size[l]);
    }
}

/* All tensors in their order; initial values of the LSTM are uniform by its width, as PyTorch's are. */
static void add_tensors(struct memnn *m, const nlm_spec *spec)
{
    /* two names, properties, relations: see memnn_world.c */
    int slot = 2 * m->bits + m->properties + m->relations, gates = 4 * m->width;
    add_mlp(m, &m->key, "key", spec, slot, ATTENTION_KEY);
    add_mlp(m, &m->value, "value", spec, slot, ATTENTION_VALUE);
    add_mlp(m, &m->question, "question", spec, 2 * m->bits, ATTENTION_KEY);
    m->lstm = (struct lstm){.in = ATTENTION_VALUE, .width = m->width};
    m->lstm.weight_input = add_tensor(m, "memnn.lstm", "weight_input", gates, ATTENTION_VALUE, m->width);
    m->lstm.weight_hidden = add_tensor(m, "memnn.lstm", "weight_hidden", gates, m->width, m->width);
    m->lstm.bias = add_tensor(m, "memnn.lstm", "bias", gates, 0, m->width);
    if (m->rounds > 1) {
        m->query_weight = add_tensor(m, "memnn.query", "weight", ATTENTION_KEY, m->width, m->width);
        m->query_bias = add_tensor(m, "memnn.query", "bias", ATTENTION_KEY, 0, m->width);
    }
    for (int h = 0; h < m->heads; h++) {
        struct memnn_head *head = &m->head[h];
        head->weight = add_tensor(m, head->name, "weight", head->outputs, m->width, m->width);
        head->bias = add_tensor(m, head->name, "bias", head->outputs, 0, m->width);
    }
}

/* Also of a model whose making failed; heads counts those whose names were asked for. */
static void free_model(void *model)
{
    struct memnn *m = model;
    for (int h = 0; m && h < m->heads; h++)
        memory_free(m->head[h].name);
    memory_free(m);
}

/* Kinds of questions that no head asks are never computed. */
static nlm_status copy_heads(struct memnn *m, const nlm_head_spec *heads, int count)
{
    for (int h = 0; h < count; h++) {
        enum memnn_kind kind = heads[h].twins        ? MEMNN_TWINS
                               : heads[h].arity == 1 ? MEMNN_UNARY
                                                     : MEMNN_BINARY;
        m->head[h] = (struct memnn_head){
            .name = memory_copy_text(heads[h].name), .kind = kind, .outputs = heads[h].outputs};
        m->heads++;
        if (!m->head[h].name)
            return NLM_NO_MEMORY;
        m->asked[kind] = true;
        m->twins = m->twins || heads[h].twins;
    }
    return NLM_OK;
}

/* Products go to BLAS from several threads of our own, so BLAS itself is told to use one. */
static nlm_status make(const nlm_spec *spec, const nlm_head_spec *heads, int head_count, void **model,
                       nlm_error *error)
{
    *model = NULL;
    nlm_status status = check(spec, heads, head_count, error);
    if (status)
        return status;
    /* nothing below copy_heads can fail: tensors are listed in an array with room for all */
    struct memnn *m = memory_new(1, sizeof *m);
    if (!m || copy_heads(m, heads, head_count)) {
        free_model(m);
        return error_no_memory(error);
    }
    m->rounds = spec->depth;
    m->width = spec->width;
    m->bits = MEMNN_BITS + (m->twins ? 1 : 0);
    m->properties = spec->inputs[1];
    m->relations = spec->inputs[2];
    add_tensors(m, spec);
    *model = m;
    return NLM_OK;
}

/* ---- description ---- */

static int tensors(const void *model)
{
    const struct memnn *m = model;
    return m->tensors;
}

static void tensor(const void *model, int index, struct baseline_tensor *t)
{
    const struct memnn *m = model;
    *t = m->tensor[index];
}

/* Names are the numbers 1..255; 0 stands for "no object" in a slot. */
nlm_status memnn_admit(const void *model, int objects, nlm_error *error)
{
    const struct memnn *m = model;
    int things = m->twins ? objects / 2 : objects;
    if (m->twins && objects % 2)
        return error_set(error, NLM_BAD_SHAPE, "%d objects do not come in two halves", objects);
    if (things > MEMNN_MOST_THINGS)
        return error_set(
            error, NLM_BAD_SHAPE,
            "a world has %d objects; a memory network calls each by a name of %d bits, so it can "
            "have at most %d",
            things, MEMNN_BITS, MEMNN_MOST_THINGS);
    return NLM_OK;
}

/* Keys and values of all slots; beside them one thread works on some questions at a time.  This is for
 * inference, where no trace is kept; keys are columns, padded to full tiles. */
static double memory(const void *model, int objects)
{
    const struct memnn *m = model;
    double n = objects, slots = n * (n - 1.0) + (m->properties ? n : 0.0);
    double padded = ceil(slots / ATTENTION_SLOTS) * ATTENTION_SLOTS;
    return sizeof(float) *
           (slots * ATTENTION_VALUE + padded * ATTENTION_KEY + (double)memnn_forward_scratch(m));
}

static nlm_status forward(void *work, struct team *team, const float *values,
                          const struct baseline_world *worlds, int count, bool training, nlm_error *error)
{
    return memnn_forward(work, team, values, worlds, count, NULL, training, error);
}

/* The size that the paper gives its memory networks, and one rule of play. */
static const nlm_preset presets[] = {
    {"depth", "4"},          /* rounds */
    {"width", "64"},         /* numbers of a state */
    {"hidden", "32"},        /* of the MLPs that make keys, values and questions, which have two layers */
    {"repeat_penalty", "1"}, /* it sorts in many small steps, and needs the same swap again and again */
    {NULL, NULL},
};

const struct baseline memnn_baseline = {
    .name = "memnn",
    .presets = presets,
    .make = make,
    .free = free_model,
    .tensors = tensors,
    .tensor = tensor,
    .memory = memory,
    .admit = memnn_admit,
    .open = memnn_open,
    .close = memnn_close,
    .forward = forward,
    .backward = memnn_backward,
};
