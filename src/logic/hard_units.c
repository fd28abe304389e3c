#include "logic/hard_units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/hard_text.h"

#define MOST_WEIGHT 1e30f

enum { INPUTS_NAMED = 4 }; /* in a complaint */

/* ---- the places of predicates and columns ---- */

static int group_size(const hard_units *units, int layer, int arity)
{
    const nlm_spec *spec = nlm_machine_spec(units->machine);
    int size = 0;
    if (arity < 0 || arity > spec->breadth)
        return 0;
    for (int i = spec->residual ? 0 : layer; i <= layer; i++)
        size += units->block[i][arity];
    return size;
}

/* The predicate at a place of group (layer, arity): with residual the blocks of all layers follow each other.
 */
static int group_predicate(const hard_units *units, int layer, int arity, int place)
{
    int i = nlm_machine_spec(units->machine)->residual ? 0 : layer;
    while (place >= units->block[i][arity])
        place -= units->block[i++][arity];
    return units->first[i][arity] + place;
}

static nlm_status lay_out(hard_units *units, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(units->machine);
    int count = 0;
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            const int width = i == 0             ? spec->inputs[r]
                              : spec->own_widths ? spec->widths[i - 1][r]
                                                 : spec->width;
            const bool reads = i == 0 || group_size(units, i - 1, r - 1) + group_size(units, i - 1, r) +
                                                 group_size(units, i - 1, r + 1) >
                                             0;
            units->block[i][r] = reads ? width : 0;
            units->first[i][r] = count;
            count += units->block[i][r];
        }
    units->head_count = nlm_machine_heads(units->machine);
    if (buffer_reserve(&units->predicates, (size_t)(count + units->head_count), sizeof(unit_predicate),
                       false) != NLM_OK)
        return error_no_memory(error);
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            for (int c = 0; c < units->block[i][r]; c++)
                *unit_predicate_at(units, units->first[i][r] + c) =
                    (unit_predicate){.layer = i, .arity = r, .number = c};
    for (int h = 0; h < units->head_count; h++) {
        units->head[h] = count + h;
        *unit_predicate_at(units, count + h) = (unit_predicate){
            .layer = spec->depth + 1, .arity = nlm_machine_head(units->machine, h)->arity, .number = h};
    }
    units->predicate_count = count + units->head_count;
    if (units->ranks) { /* the head itself, which is the last one, is no longer looked at */
        const int arity = nlm_machine_head(units->machine, 0)->arity;
        units->predicate_count = count;
        units->head_count = units->block[spec->depth][arity];
        if (units->head_count > NLM_MAX_HEADS)
            units->head_count = NLM_MAX_HEADS; /* and refused by check_ranks */
        for (int h = 0; h < units->head_count; h++)
            units->head[h] = units->first[spec->depth][arity] + h;
    }
    return NLM_OK;
}

/* Permutation number `number` of 0..r-1 in lexicographic order, and its inverse. */
static void inverse_permutation(int r, int number, int *inverse)
{
    int left[NLM_MAX_BREADTH], count = 1;
    for (int k = 0; k < r; k++) {
        left[k] = k;
        count *= k + 1;
    }
    for (int k = 0; k < r; k++) {
        count /= r - k;
        const int at = number / count, value = left[at];
        number %= count;
        memmove(left + at, left + at + 1, (size_t)(r - k - at - 1) * sizeof *left);
        inverse[value] = k;
    }
}

/* Column `number` of unit (layer, r): blocks by permutation, in each Expand, Own and Reduce.  Block pi reads
 * t in the order that is inverse to pi. */
static unit_input column(const hard_units *units, int layer, int r, int number)
{
    const int below = group_size(units, layer - 1, r - 1), own = group_size(units, layer - 1, r),
              above = group_size(units, layer - 1, r + 1), size = below + own + 2 * above;
    int order[NLM_MAX_BREADTH], at = number % size;
    unit_input input = {.operation = NLM_OWN, .arity = r};
    inverse_permutation(r, number / size, order);
    for (int k = 0; k < r; k++)
        input.place[k] = (unsigned char)order[k];
    if (at < below) {
        input.operation = NLM_EXPAND;
        input.arity = r - 1;
        input.source = group_predicate(units, layer - 1, r - 1, at);
    } else if ((at -= below) < own)
        input.source = group_predicate(units, layer - 1, r, at);
    else {
        at -= own;
        input.operation = at % 2 ? NLM_FORALL : NLM_EXISTS;
        input.source = group_predicate(units, layer - 1, r + 1, at / 2);
    }
    return input;
}

/* ---- weights ---- */

static bool find_tensor(const hard_units *units, const char *name, nlm_tensor *tensor)
{
    for (int i = 0; i < nlm_machine_tensors(units->machine); i++) {
        *tensor = nlm_machine_tensor(units->machine, i);
        if (strcmp(tensor->name, name) == 0)
            return true;
    }
    return false;
}

/* Weight [out, in] and bias [out] of a predicate's unit or head. */
static nlm_status find_weights(const hard_units *units, const unit_predicate *p, nlm_tensor *weight,
                               nlm_tensor *bias, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(units->machine);
    const bool is_head = p->layer > spec->depth;
    char name[160], full[200];
    if (is_head)
        snprintf(name, sizeof name, "%.140s", nlm_machine_head(units->machine, p->number)->name);
    else
        snprintf(name, sizeof name, "layer.%d.arity.%d.mlp.0", p->layer - 1, p->arity);
    int in = group_size(units, p->layer - 1, p->arity);
    if (!is_head) {
        in = group_size(units, p->layer - 1, p->arity - 1) + in +
             2 * group_size(units, p->layer - 1, p->arity + 1);
        for (int k = 2; k <= p->arity; k++)
            in *= k;
    }
    const int out =
        is_head ? nlm_machine_head(units->machine, p->number)->outputs : units->block[p->layer][p->arity];
    snprintf(full, sizeof full, "%s.weight", name);
    if (!find_tensor(units, full, weight) || weight->dimensions != 2 || weight->shape[0] != out ||
        weight->shape[1] != in)
        return error_set(error, NLM_BAD_SHAPE, "%s is not there, or is not [%d, %d]", full, out, in);
    snprintf(full, sizeof full, "%s.bias", name);
    if (!find_tensor(units, full, bias) || bias->dimensions != 1 || bias->shape[0] != out)
        return error_set(error, NLM_BAD_SHAPE, "%s is not there, or is not [%d]", full, out);
    return NLM_OK;
}

static int by_weight(const void *a, const void *b)
{
    const double x = fabs(((const unit_input *)a)->weight), y = fabs(((const unit_input *)b)->weight);
    return (x < y) - (x > y);
}

/* The inputs of a predicate, heaviest first; of more than UNITS_MOST_INPUTS the others are counted only. What
 * they read counts. */
static nlm_status gather_inputs(hard_units *units, unit_predicate *p, const float *weights, int columns,
                                nlm_error *error)
{
    const bool is_head = p->layer > nlm_machine_spec(units->machine)->depth;
    p->first = units->input_count;
    p->count = 0;
    for (int c = 0; c < columns; c++) {
        if (weights[c] == 0)
            continue;
        unit_input input =
            is_head ? (unit_input){.operation = NLM_OWN, .arity = p->arity, .place = {0, 1, 2, 3, 4}}
                    : column(units, p->layer, p->arity, c);
        if (is_head)
            input.source = group_predicate(units, p->layer - 1, p->arity, c);
        input.weight = (double)weights[c];
        unit_predicate_at(units, input.source)->reached = true;
        if (p->count++ >= UNITS_MOST_INPUTS)
            continue;
        if (buffer_reserve(&units->inputs, (size_t)units->input_count + 1, sizeof input, true) != NLM_OK)
            return error_no_memory(error);
        ((unit_input *)units->inputs.data)[units->input_count++] = input;
    }
    if (p->count <= UNITS_MOST_INPUTS && p->count > 0)
        qsort((unit_input *)units->inputs.data + p->first, (size_t)p->count, sizeof(unit_input), by_weight);
    return NLM_OK;
}

/* ---- functions ---- */

/* The walk over all combinations of a predicate's inputs, heaviest first.  below[i], above[i]: the least and
 * the largest sum of the weights from input i on. */
typedef struct combinations {
    hard_units *units;
    const unit_predicate *predicate;
    double below[UNITS_MOST_INPUTS + 1], above[UNITS_MOST_INPUTS + 1];
    double rounding; /* most by which a sum of floats, in any order, differs from the exact one */
    double margin;
    int first_node, visits;
    bool chosen[UNITS_MOST_INPUTS], soft, intricate;
    double sum; /* of the combination that is not hard */
} combinations;

static int make_node(combinations *of, int input, int low, int high)
{
    hard_units *units = of->units;
    if (low == high)
        return low;
    for (int n = of->first_node; n < units->node_count; n++) {
        const unit_node *node = unit_node_at(units, n);
        if (node->input == input && node->low == low && node->high == high)
            return n;
    }
    if (units->node_count - of->first_node >= UNITS_MOST_NODES ||
        buffer_reserve(&units->nodes, (size_t)units->node_count + 1, sizeof(unit_node), true) != NLM_OK) {
        of->intricate = true;
        return UNITS_NO;
    }
    ((unit_node *)units->nodes.data)[units->node_count] = (unit_node){input, low, high};
    return units->node_count++;
}

static void note_margin(combinations *of, double margin)
{
    if (margin < of->margin)
        of->margin = margin;
}

/* The function of the inputs from number i on, those before being chosen and adding up to `sum`. */
static int function_from(combinations *of, int i, double sum)
{
    const double least = sum + of->below[i] - of->rounding, most = sum + of->above[i] + of->rounding;
    if (of->soft || of->intricate)
        return UNITS_NO;
    if (++of->visits > UNITS_MOST_VISITS)
        of->intricate = true;
    if (least >= UNITS_TRUE) {
        note_margin(of, least);
        return UNITS_YES;
    }
    if (most <= -UNITS_FALSE) {
        note_margin(of, -most);
        return UNITS_NO;
    }
    if (i == of->predicate->count) {
        of->soft = true;
        of->sum = sum;
        return UNITS_NO;
    }
    const unit_input *input = unit_input_at(of->units, of->predicate->first + i);
    const double weight = input->weight;
    of->chosen[i] = false;
    const int low = function_from(of, i + 1, sum);
    if (of->soft)
        return UNITS_NO;
    of->chosen[i] = true;
    const int high = function_from(of, i + 1, sum + weight);
    return make_node(of, of->predicate->first + i, low, high);
}

/* Floats: k + 1 terms, added in any order, have an error of at most k 2^-24 (to first order) of the sum of
 * their absolute values; twice that covers the higher orders, and the last term numbers that are flushed
 * to 0. */
static double rounding_of(const hard_units *units, const unit_predicate *p, double bias)
{
    double size = fabs(bias);
    for (int i = 0; i < p->count; i++)
        size += fabs(unit_input_at(units, p->first + i)->weight);
    return (p->count + 1) * (ldexp(size, -23) + ldexp(1, -126));
}

static void complain(hard_units *units, const combinations *of)
{
    const unit_predicate *p = of->predicate;
    char *text = units->complaint;
    const size_t size = sizeof units->complaint;
    if (units->soft++)
        return;
    size_t length = hard_place_text(units, p, text, size);
    if (p->count > UNITS_MOST_INPUTS) {
        snprintf(text + length, size - length, " reads %d inputs, and %d can be checked", p->count,
                 UNITS_MOST_INPUTS);
        return;
    }
    if (of->intricate) {
        snprintf(text + length, size - length, " has too many cases to be checked");
        return;
    }
    const bool positive = of->sum > 0;
    length += (size_t)snprintf(text + length, size - length, " adds up to %.4g, not %g or %s", of->sum,
                               positive ? UNITS_TRUE : -UNITS_FALSE, positive ? "more" : "less");
    for (int i = 0; i < p->count && i < INPUTS_NAMED && length + 8 < size; i++) {
        length += (size_t)snprintf(text + length, size - length, i ? ", " : ", where ");
        length += hard_input_text(units, unit_input_at(units, p->first + i), of->chosen[i], text + length,
                                  size - length);
    }
    if (p->count > INPUTS_NAMED && length < size)
        snprintf(text + length, size - length, ", ... (%d inputs)", p->count);
}

static nlm_status read_predicate(hard_units *units, unit_predicate *p, nlm_error *error)
{
    nlm_tensor weight = {0}, bias = {0};
    nlm_status status = find_weights(units, p, &weight, &bias, error);
    const bool is_head = p->layer > nlm_machine_spec(units->machine)->depth;
    const size_t row = is_head ? 0 : (size_t)p->number;
    if (status == NLM_OK)
        status =
            gather_inputs(units, p, weight.values + row * (size_t)weight.shape[1], weight.shape[1], error);
    if (status != NLM_OK)
        return status;
    const double constant = (double)bias.values[row];
    combinations of = {
        .units = units, .predicate = p, .margin = (double)INFINITY, .first_node = units->node_count};
    if (p->count <= UNITS_MOST_INPUTS) {
        of.rounding = rounding_of(units, p, constant);
        for (int i = p->count - 1; i >= 0; i--) {
            const double w = unit_input_at(units, p->first + i)->weight;
            of.below[i] = of.below[i + 1] + fmin(w, 0);
            of.above[i] = of.above[i + 1] + fmax(w, 0);
        }
        p->root = function_from(&of, 0, constant);
    }
    units->reached++;
    if (p->count > UNITS_MOST_INPUTS || of.soft || of.intricate)
        complain(units, &of);
    else if (of.margin < units->margin)
        units->margin = of.margin;
    return NLM_OK;
}

/* ---- the whole ---- */

/* The head of a game scores moves: a sum of predicates, which need not be 0 or 1 itself. */
static nlm_status read_scores(hard_units *units, const unit_predicate *p, nlm_error *error)
{
    nlm_tensor weight = {0}, bias = {0};
    const nlm_status status = find_weights(units, p, &weight, &bias, error);
    for (size_t c = 0; c < weight.count && status == NLM_OK; c++)
        if (weight.values[c] != 0) {
            const int place = (int)c % weight.shape[1];
            unit_predicate_at(units, group_predicate(units, p->layer - 1, p->arity, place))->reached = true;
        }
    return status;
}

/* From the heads down: a predicate counts if one that counts has a weight for it.  Those of higher layers
 * have higher numbers, so one walk is enough. */
static nlm_status read_reached(hard_units *units, nlm_error *error)
{
    const int depth = nlm_machine_spec(units->machine)->depth;
    nlm_status status = NLM_OK;
    for (int h = 0; h < units->head_count; h++)
        unit_predicate_at(units, units->head[h])->reached = true;
    for (int number = units->predicate_count - 1; number >= 0 && status == NLM_OK; number--) {
        unit_predicate *p = unit_predicate_at(units, number);
        if (!p->reached || p->layer == 0)
            continue;
        if (p->layer > depth && !units->signature) {
            status = read_scores(units, p, error);
            p->reached = false;
            continue;
        }
        status = read_predicate(units, p, error);
    }
    return status;
}

/* What proofs cover.  Weights are bounded so that no sum becomes infinite, also of predicates that do not
 * count: 0 times their values is 0. */
static nlm_status check_covered(nlm_machine *machine, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    if (spec->program)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "differentiable ILP weighs its clauses by probabilities, and so concludes with values "
            "near 0 and 1, not equal to them; its most probable clauses can be compared with rules");
    if (spec->model)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "a model of another kind (%s): proofs are about machines whose units are 0 or 1",
                         spec->model);
    if (spec->hidden_layers)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "units with hidden layers: proofs are about units without (--hidden 0)");
    for (int h = 0; h < nlm_machine_heads(machine); h++)
        if (nlm_machine_head(machine, h)->twins)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "a head for pairs of twins, as in blocks: proofs are about heads that read "
                             "one tuple");
    for (int i = 0; i < nlm_machine_tensors(machine); i++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, i);
        for (size_t k = 0; k < tensor.count; k++)
            if (!(fabsf(tensor.values[k]) <= MOST_WEIGHT))
                return error_set(error, NLM_BAD_ARGUMENT,
                                 "%s has a number of %g: sums of such numbers may be no numbers", tensor.name,
                                 (double)tensor.values[k]);
    }
    return NLM_OK;
}

/* That the score of a move is a positive multiple of the number of predicates of the last layer that hold. */
static nlm_status check_ranks(const hard_units *units, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(units->machine);
    const nlm_head_spec *head = nlm_machine_head(units->machine, 0);
    const int rules = units->block[spec->depth][head->arity];
    nlm_tensor weight = {0};
    char name[160];
    snprintf(name, sizeof name, "%.140s.weight", head->name);
    bool good = find_tensor(units, name, &weight) && weight.dimensions == 2 && weight.shape[0] == 1 &&
                !spec->residual && weight.shape[1] == rules && rules <= NLM_MAX_HEADS &&
                rules == nlm_signature_targets(units->signature);
    for (int k = 0; k < rules && good; k++)
        good = weight.values[k] > 0 && weight.values[k] == weight.values[0] &&
               weight.values[k] == rintf(weight.values[k]) && weight.values[k] <= 1024;
    return good ? NLM_OK
                : error_set(error, NLM_BAD_ARGUMENT,
                            "the scores of moves do not count the rules that hold: %d rules of %d", rules,
                            nlm_signature_targets(units->signature));
}

nlm_status hard_units_read(hard_units *units, nlm_machine *machine, const nlm_signature *signature,
                           nlm_error *error)
{
    const char *task = nlm_machine_metadata(machine, "task");
    memset(units, 0, sizeof *units);
    units->machine = machine;
    units->signature = signature;
    units->margin = (double)INFINITY;
    units->ranks = signature && task && nlm_game_find(task);
    nlm_status status = check_covered(machine, error);
    if (status == NLM_OK)
        status = lay_out(units, error);
    if (status == NLM_OK && units->ranks)
        status = check_ranks(units, error);
    if (status == NLM_OK && buffer_reserve(&units->nodes, 2, sizeof(unit_node), false) != NLM_OK)
        status = error_no_memory(error);
    if (status == NLM_OK) {
        units->node_count = 2; /* the constants */
        status = read_reached(units, error);
    }
    if (status != NLM_OK)
        hard_units_free(units);
    return status;
}

void hard_units_free(hard_units *units)
{
    buffer_free(&units->predicates);
    buffer_free(&units->inputs);
    buffer_free(&units->nodes);
}
