/* The machine of a program: formulas to gates of different objects, gates to predicates of layers, and those
 * to weights.
 *
 * Every sum of weights and bias is an odd multiple of MARGIN, at which sigmoid is exactly 0 or 1 in every
 * kernel; all sums are whole multiples of it and exact in floats. */
#include "base/error.h"
#include "logic/distinct.h"
#include "logic/schedule.h"
#include "machine/machine.h"

#define MARGIN 128.0f
enum { MOST_WEIGHTS = 1 << 27 };

static const char *const head_names[NLM_MAX_HEADS] = {"head",  "head2", "head3", "head4",
                                                      "head5", "head6", "head7", "head8"};

/* Predicates that a layer offers; layer 0 has the inputs. */
static int width_of(const schedule *of, int layer, int arity)
{
    if (arity < 0 || arity > of->breadth)
        return 0;
    return layer == 0 ? of->inputs[arity] : of->width[layer][arity];
}

static int columns_of(const schedule *of, int layer, int arity)
{
    return width_of(of, layer - 1, arity - 1) + width_of(of, layer - 1, arity) +
           2 * width_of(of, layer - 1, arity + 1);
}

static nlm_status new_machine(const schedule *of, nlm_machine **machine, nlm_error *error)
{
    static const int orders[NLM_MAX_BREADTH + 1] = {1, 1, 2, 6, 24, 120};
    nlm_spec spec = {.depth = of->depth, .breadth = of->breadth, .own_widths = true};
    nlm_head_spec heads[NLM_MAX_HEADS];
    double weights = 0;
    for (int r = 0; r <= of->breadth; r++) {
        spec.inputs[r] = of->inputs[r];
        for (int i = 1; i <= of->depth; i++) {
            spec.widths[i - 1][r] = of->width[i][r];
            weights += (double)of->width[i][r] * orders[r] * columns_of(of, i, r);
        }
    }
    if (weights > MOST_WEIGHTS)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the machine of the program would have %.0f weights; at most %d are made", weights,
                         MOST_WEIGHTS);
    for (int t = 0; t < of->program->target_count; t++) {
        const int arity = program_at(of->program, of->program->target[t])->arity;
        heads[t] = (nlm_head_spec){.name = head_names[t], .arity = arity, .outputs = 1};
        spec.outputs |= 1u << arity;
    }
    return nlm_machine_new(&spec, heads, of->program->target_count, machine, error);
}

/* The column of a unit that a read is about (machine/columns.c has the way back). */
static int column_of(const schedule *of, const struct plan *plan, int layer, int arity,
                     const schedule_read *read)
{
    const int expand = width_of(of, layer - 1, arity - 1), own = width_of(of, layer - 1, arity);
    int column = plan->orders[arity].inverse[read->order] * columns_of(of, layer, arity);
    if (read->operation == NLM_EXPAND)
        column += read->predicate;
    else if (read->operation == NLM_OWN)
        column += expand + read->predicate;
    else
        column += expand + own + 2 * read->predicate + (read->operation == NLM_FORALL);
    return column;
}

/* Row `row` of a weight and of the bias that follows it. */
static void write_row(const schedule *of, nlm_machine *machine, int tensor, int row, int layer,
                      const schedule_cell *cell)
{
    const nlm_tensor weight = nlm_machine_tensor(machine, tensor);
    const bool head = layer > of->depth;
    nlm_machine_tensor(machine, tensor + 1).values[row] = MARGIN * (float)cell->bias;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        const schedule_read *read = &schedule_reads(of)[i];
        const int column = head ? read->predicate : column_of(of, &machine->plan, layer, cell->arity, read);
        INVARIANT(column < weight.shape[1]);
        weight.values[(size_t)row * (size_t)weight.shape[1] + (size_t)column] += MARGIN * (float)read->weight;
    }
}

static void write_weights(const schedule *of, nlm_machine *machine)
{
    const schedule_cell *cells = schedule_cells(of);
    for (int layer = 1; layer <= of->depth; layer++)
        for (uint32_t i = of->first_cell[layer]; i < of->end_cell[layer]; i++)
            write_row(of, machine, nlm_unit_tensor(machine, layer, cells[i].arity), cells[i].number, layer,
                      &cells[i]);
    for (int t = 0; t < of->program->target_count; t++)
        write_row(of, machine, nlm_head_tensor(machine, t), 0, of->depth + 1, &cells[t]);
}

static nlm_status compile(nlm_program *copy, int breadth, nlm_machine **machine, nlm_error *error)
{
    gate_store gates;
    schedule made = {0};
    gate_wire targets[NLM_MAX_HEADS];
    gate_store_start(&gates);
    nlm_status status =
        gates.failed ? error_no_memory(error) : distinct_gates(copy, breadth, &gates, targets, error);
    if (!status)
        status = schedule_make(&made, copy, &gates, targets, breadth, error);
    if (!status)
        status = new_machine(&made, machine, error);
    if (!status)
        write_weights(&made, *machine);
    schedule_free(&made);
    gate_store_free(&gates);
    return status;
}

nlm_status nlm_program_compile(const nlm_program *program, int breadth, nlm_machine **machine,
                               nlm_error *error)
{
    REQUIRE(program && machine, error);
    *machine = NULL;
    if (breadth < 0 || breadth > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "breadth %d is not in 1..%d", breadth, NLM_MAX_BREADTH);
    if (program->target_count < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "the program has no target");
    if (program->input_count < 1)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the program has no input predicates: a machine needs one at least");
    nlm_program *copy;
    nlm_status status = program_copy(program, &copy, error);
    if (status)
        return status;
    status = compile(copy, breadth ? breadth : NLM_MAX_BREADTH, machine, error);
    nlm_program_free(copy);
    return status;
}
