/* The program of a hard machine: a definition for each predicate that a target needs.
 *
 * A predicate of a unit is true where w.x + b > 0.  With few weights left, the sign is a Boolean function of
 * few literals: atoms of the layer below with permuted arguments, or exists or for all over one more object,
 * different from those of the tuple.  Prime implicants write it as a formula.
 *
 * A machine's "for all" is the minimum, and 1 where there is no further object. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/cover.h"
#include "logic/program.h"

typedef struct reader {
    nlm_machine *machine;
    nlm_program *program;
    /* The place of a predicate among those of all units and inputs: of the first of a unit. */
    int first[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
    /* by place */
    bool *needed;
    int *number; /* in the program */
} reader;

static int place(const reader *of, int layer, int arity, int predicate)
{
    return of->first[layer][arity] + predicate;
}

typedef struct row {
    int arity, inputs;
    nlm_column column[COVER_INPUTS];
    double weight[COVER_INPUTS], bias;
} row;

/* The weights of one row that are not 0; false if they are too many. */
static bool read_row(const reader *of, int tensor, int head, int layer, int arity, int predicate, row *into)
{
    const nlm_tensor weight = nlm_machine_tensor(of->machine, tensor);
    const nlm_tensor bias = nlm_machine_tensor(of->machine, tensor + 1);
    const int columns = weight.shape[1];
    *into = (row){.arity = arity, .bias = bias.values[predicate]};
    for (int c = 0; c < columns; c++) {
        const float w = weight.values[(size_t)predicate * (size_t)columns + (size_t)c];
        if (w == 0)
            continue;
        if (into->inputs == COVER_INPUTS)
            return false;
        into->weight[into->inputs] = w;
        if (head >= 0)
            nlm_head_column(of->machine, head, c, &into->column[into->inputs++]);
        else
            nlm_unit_column(of->machine, layer, arity, c, &into->column[into->inputs++]);
    }
    return true;
}

/* The number of the predicate that a column reads. */
static int column_predicate(const reader *of, const nlm_column *column)
{
    return of->number[place(of, column->layer, column->arity, column->predicate)];
}

/* Permutation `number`, in lexicographic order, of 0 ... arity - 1. */
static void permutation(int arity, int number, int *order)
{
    int left[FORMULA_MOST_ARITY], block = 1;
    for (int i = 0; i < arity; i++) {
        left[i] = i;
        block *= i + 1;
    }
    for (int i = 0; i < arity; i++) {
        block /= arity - i;
        const int at = number / block;
        number %= block;
        order[i] = left[at];
        memmove(left + at, left + at + 1, (size_t)(arity - i - 1 - at) * sizeof *left);
    }
}

/* What a column reads, as a formula of the tuple's variables 0 ... arity - 1. */
static formula literal_of(const reader *of, const nlm_column *column, int arity)
{
    formula_store *store = &of->program->store;
    int order[FORMULA_MOST_ARITY + 1];
    permutation(arity, column->order, order);
    order[arity] = arity; /* the one more object */
    const formula atom = program_atom(of->program, column_predicate(of, column), order);
    if (column->operation != NLM_EXISTS && column->operation != NLM_FORALL)
        return atom;
    formula part[FORMULA_MOST_ARITY + 1];
    for (int i = 0; i < arity; i++)
        part[i] = formula_not(store, formula_equal(store, i, arity));
    part[arity] = column->operation == NLM_EXISTS ? atom : formula_not(store, atom);
    const formula some = formula_exists(store, arity, formula_and(store, part, (size_t)arity + 1));
    return column->operation == NLM_EXISTS ? some : formula_not(store, some);
}

/* The formula of a row's Boolean function: true where the sum is above `threshold`. */
static nlm_status row_formula(const reader *of, const row *from, double threshold, formula *result,
                              nlm_error *error)
{
    formula_store *store = &of->program->store;
    const uint32_t rows = (uint32_t)1 << from->inputs;
    bool *truth = malloc(rows * sizeof *truth);
    buffer terms = {0};
    if (!truth)
        return error_no_memory(error);
    for (uint32_t r = 0; r < rows; r++) {
        double sum = from->bias;
        for (int i = 0; i < from->inputs; i++)
            sum += r >> i & 1 ? from->weight[i] : 0;
        truth[r] = sum > threshold;
    }
    const int count = cover_find(truth, from->inputs, &terms);
    formula sum = FORMULA_FALSE;
    for (int t = 0; t < count; t++) {
        const cover_term term = ((const cover_term *)terms.data)[t];
        formula product = FORMULA_TRUE;
        for (int i = 0; i < from->inputs; i++)
            if (term.care >> i & 1) {
                const formula literal = literal_of(of, &from->column[i], from->arity);
                product =
                    formula_and2(store, product, term.value >> i & 1 ? literal : formula_not(store, literal));
            }
        sum = formula_or2(store, sum, product);
    }
    free(truth);
    buffer_free(&terms);
    *result = sum;
    return count < 0 || store->failed ? error_no_memory(error) : NLM_OK;
}

static nlm_status too_many(int layer, int arity, int predicate, nlm_error *error)
{
    return error_set(error, NLM_BAD_ARGUMENT,
                     "predicate %d of layer %d, arity %d, reads more than %d predicates: the machine has to "
                     "be hard and small to be a program",
                     predicate, layer, arity, COVER_INPUTS);
}

/* Marks what the rows of needed predicates read, from the head down. */
static nlm_status mark(reader *of, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    row from;
    for (int layer = spec->depth + 1; layer > 0; layer--)
        for (int arity = 0; arity <= spec->breadth; arity++) {
            const bool heads = layer == spec->depth + 1;
            const int count = heads ? arity == 0 ? nlm_machine_heads(of->machine) : 0
                                    : nlm_unit_width(of->machine, layer, arity);
            for (int k = 0; k < count; k++) {
                if (!heads && !of->needed[place(of, layer, arity, k)])
                    continue;
                const int tensor =
                    heads ? nlm_head_tensor(of->machine, k) : nlm_unit_tensor(of->machine, layer, arity);
                if (!read_row(of, tensor, heads ? k : -1, layer, arity, heads ? 0 : k, &from))
                    return too_many(layer, arity, k, error);
                for (int i = 0; i < from.inputs; i++)
                    of->needed[place(of, from.column[i].layer, from.column[i].arity,
                                     from.column[i].predicate)] = true;
            }
        }
    return NLM_OK;
}

static nlm_status define_units(reader *of, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    row from;
    for (int layer = 1; layer <= spec->depth; layer++)
        for (int arity = 0; arity <= spec->breadth; arity++)
            for (int k = 0; k < nlm_unit_width(of->machine, layer, arity); k++) {
                if (!of->needed[place(of, layer, arity, k)])
                    continue;
                char name[48];
                formula body;
                snprintf(name, sizeof name, "u%d_%d_%d", layer, arity, k + 1);
                read_row(of, nlm_unit_tensor(of->machine, layer, arity), -1, layer, arity, k, &from);
                const nlm_status status = row_formula(of, &from, 0, &body, error);
                if (status != NLM_OK)
                    return status;
                const int number = program_add_definition(of->program, name, arity, body);
                if (number < 0)
                    return error_no_memory(error);
                program_at(of->program, number)->unnamed = true;
                of->number[place(of, layer, arity, k)] = number;
            }
    return NLM_OK;
}

static nlm_status define_targets(reader *of, const nlm_signature *signature, nlm_error *error)
{
    row from;
    for (int h = 0; h < nlm_machine_heads(of->machine); h++) {
        const nlm_predicate *target = nlm_signature_target(signature, h);
        formula body;
        read_row(of, nlm_head_tensor(of->machine, h), h, 0, 0, 0, &from);
        from.arity = nlm_machine_head(of->machine, h)->arity;
        const nlm_status status = row_formula(of, &from, 0, &body, error);
        if (status != NLM_OK)
            return status;
        const int number = program_add_definition(of->program, target->name, target->objects, body);
        if (number < 0)
            return error_no_memory(error);
        program_predicate *made = program_at(of->program, number);
        made->written = target->arity;
        memcpy(made->place, target->place, sizeof target->place);
        of->program->target[of->program->target_count++] = number;
    }
    return NLM_OK;
}

/* A definition for each score: that a tuple has it, or a higher one. */
static nlm_status define_scores(reader *of, const double *thresholds, int count, nlm_error *error)
{
    row from;
    read_row(of, nlm_head_tensor(of->machine, 0), 0, 0, 0, 0, &from);
    from.arity = nlm_machine_head(of->machine, 0)->arity;
    for (int i = 0; i < count; i++) {
        char name[32];
        formula body;
        snprintf(name, sizeof name, "move_%d", i + 1);
        const nlm_status status = row_formula(of, &from, thresholds[i], &body, error);
        if (status != NLM_OK)
            return status;
        if (program_add_definition(of->program, name, from.arity, body) < 0)
            return error_no_memory(error);
    }
    return NLM_OK;
}

/* Numbers of predicates by place; inputs of a signature stand in the machine's order among their arity. */
static nlm_status number_predicates(reader *of, const nlm_signature *signature, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    int places = 0;
    for (int layer = 0; layer <= spec->depth; layer++)
        for (int arity = 0; arity <= spec->breadth; arity++) {
            of->first[layer][arity] = places;
            places += nlm_unit_width(of->machine, layer, arity);
        }
    of->needed = calloc((size_t)places + 1, sizeof *of->needed);
    of->number = calloc((size_t)places + 1, sizeof *of->number);
    if (!of->needed || !of->number)
        return error_no_memory(error);
    int seen[NLM_MAX_BREADTH + 1] = {0};
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const int arity = nlm_signature_input(signature, i)->objects;
        of->number[place(of, 0, arity, seen[arity]++)] = i;
    }
    return NLM_OK;
}

/* What a program can be read from. */
static nlm_status check_kind(const nlm_machine *machine, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    if (spec->model || spec->hidden_layers || spec->sense)
        return error_set(error, NLM_BAD_ARGUMENT, "a machine with %s is no program",
                         spec->model           ? "another model's units"
                         : spec->hidden_layers ? "hidden layers in its units"
                                               : "a network that sees pictures");
    for (int h = 0; h < nlm_machine_heads(machine); h++)
        if (nlm_machine_head(machine, h)->twins)
            return error_set(error, NLM_BAD_ARGUMENT, "a machine with a twin head is no program");
    return NLM_OK;
}

/* The units of a machine as definitions; targets are not yet defined. */
static nlm_status read_units(reader *of, const nlm_signature *signature, nlm_error *error)
{
    nlm_status status = check_kind(of->machine, error);
    if (status == NLM_OK)
        status = program_new(&of->program, error);
    if (status == NLM_OK)
        status = program_add_signature(of->program, signature, error);
    if (status == NLM_OK)
        status = number_predicates(of, signature, error);
    if (status == NLM_OK)
        status = mark(of, error);
    return status == NLM_OK ? define_units(of, error) : status;
}

static nlm_status finish(reader *of, nlm_status status, nlm_program **program)
{
    free(of->needed);
    free(of->number);
    if (status == NLM_OK)
        *program = of->program;
    else
        nlm_program_free(of->program);
    return status;
}

nlm_status nlm_program_of(const nlm_machine *machine, const nlm_signature *signature, nlm_program **program,
                          nlm_error *error)
{
    REQUIRE(machine && signature && program, error);
    *program = NULL;
    reader of = {.machine = (nlm_machine *)machine}; /* tensors are read only */
    nlm_status status = read_units(&of, signature, error);
    if (status == NLM_OK)
        status = define_targets(&of, signature, error);
    return finish(&of, status, program);
}

nlm_status program_of_scores(const nlm_machine *machine, const nlm_signature *signature,
                             const double *thresholds, int count, nlm_program **program, nlm_error *error)
{
    *program = NULL;
    reader of = {.machine = (nlm_machine *)machine};
    nlm_status status = read_units(&of, signature, error);
    if (status == NLM_OK)
        status = define_scores(&of, thresholds, count, error);
    return finish(&of, status, program);
}
