/* Plan: check a spec, count predicates forwards, find live groups backwards.
 *
 * The order matters.  A unit exists if it has something to read, so the predicates of layer i are counted
 * after those of layer i-1.  A group is live if something later reads it, so liveness is found from the last
 * layer down.  A group that is not live costs nothing: it has no classes, no values and no parameters. */
#include "plan/plan.h"

#include <string.h>
#include "base/error.h"

/* Sizes of units.  With `own_widths` each unit has its own width and 0 leaves the unit out; without, all
 * units share `width`. */
static nlm_status check_widths(const nlm_spec *spec, nlm_error *error)
{
    if (!spec->own_widths && (spec->width < 1 || spec->width > NLM_MAX_WIDTH))
        return error_set(error, NLM_BAD_ARGUMENT, "width %d is not in 1..%d", spec->width, NLM_MAX_WIDTH);
    for (int i = 0; spec->own_widths && i < spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            if (spec->widths[i][r] < 0 || spec->widths[i][r] > NLM_MAX_WIDTH)
                return error_set(error, NLM_BAD_ARGUMENT, "width %d of layer %d, arity %d is not in 0..%d",
                                 spec->widths[i][r], i + 1, r, NLM_MAX_WIDTH);
    if (spec->hidden_layers < 0 || spec->hidden_layers > NLM_MAX_HIDDEN)
        return error_set(error, NLM_BAD_ARGUMENT, "%d hidden layers are not in 0..%d", spec->hidden_layers,
                         NLM_MAX_HIDDEN);
    for (int k = 0; k < spec->hidden_layers; k++)
        if (spec->hidden[k] < 1 || spec->hidden[k] > NLM_MAX_WIDTH)
            return error_set(error, NLM_BAD_ARGUMENT, "hidden layer size %d is not in 1..%d", spec->hidden[k],
                             NLM_MAX_WIDTH);
    return NLM_OK;
}

/* A sense writes the first inputs of arity 1, so the machine must read at least that number of them. */
static nlm_status check_sense(const nlm_spec *spec, nlm_error *error)
{
    const struct sense *sense = sense_find(spec->sense);
    if (!spec->sense)
        return NLM_OK;
    if (!sense)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no sense '%.40s'", spec->sense);
    if (spec->inputs[1] < sense->predicates)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the sense '%s' makes %d input predicates of arity 1, the machine reads %d",
                         spec->sense, sense->predicates, spec->inputs[1]);
    return NLM_OK;
}

/* Only models that are compared with the machine have a name; NULL is the machine itself. */
static nlm_status check_model(const nlm_spec *spec, nlm_error *error)
{
    const struct baseline *other = baseline_find(spec->model);
    if (spec->model && !other)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no model '%.40s'", spec->model);
    if (spec->model && spec->sense)
        return error_set(error, NLM_BAD_ARGUMENT, "the model '%s' has no senses", spec->model);
    if (spec->program && (!other || !other->has_program))
        return error_set(error, NLM_BAD_ARGUMENT, "a program is for the model 'dilp', not for '%s'",
                         spec->model ? spec->model : "nlm");
    return NLM_OK;
}

/* All limits of a spec.  The later parts of the plan rely on them: arrays are sized by NLM_MAX_DEPTH and
 * NLM_MAX_BREADTH, and `outputs` has one bit per arity 0..breadth. */
static nlm_status check_spec(const nlm_spec *spec, nlm_error *error)
{
    if (spec->depth < 1 || spec->depth > NLM_MAX_DEPTH)
        return error_set(error, NLM_BAD_ARGUMENT, "depth %d is not in 1..%d", spec->depth, NLM_MAX_DEPTH);
    if (spec->breadth < 1 || spec->breadth > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "breadth %d is not in 1..%d", spec->breadth,
                         NLM_MAX_BREADTH);
    int inputs = 0;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        if (spec->inputs[r] < 0 || spec->inputs[r] > NLM_MAX_WIDTH)
            return error_set(error, NLM_BAD_ARGUMENT, "%d input predicates of arity %d are not in 0..%d",
                             spec->inputs[r], r, NLM_MAX_WIDTH);
        if (spec->inputs[r] > 0 && r > spec->breadth)
            return error_set(error, NLM_BAD_ARGUMENT, "input predicates of arity %d need breadth %d, not %d",
                             r, r, spec->breadth);
        inputs += spec->inputs[r];
    }
    if (inputs == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the machine has no input predicates");
    /* a bit above the breadth would ask for a group that no layer has */
    if (spec->outputs == 0 || spec->outputs >> (spec->breadth + 1) != 0)
        return error_set(error, NLM_BAD_ARGUMENT,
                         spec->outputs ? "an output arity is above breadth %d"
                                       : "no output arity is wanted (breadth %d)",
                         spec->breadth);
    nlm_status status = check_widths(spec, error);
    if (!status)
        status = check_sense(spec, error);
    return status ? status : check_model(spec, error);
}

/* Predicates of every block and group, from the inputs on.  A unit that reads nothing does not exist,
 * whatever width was asked for.  A residual group also carries the group below, so it may exist without a
 * unit. */
static void count_predicates(struct plan *plan)
{
    const nlm_spec *spec = &plan->spec;
    for (int r = 0; r <= spec->breadth; r++)
        plan->block[0][r] = plan->group[0][r] = spec->inputs[r];
    for (int i = 1; i <= spec->depth; i++) {
        for (int r = 0; r <= spec->breadth; r++) {
            int read =
                plan_expand_width(plan, i, r) + plan_own_width(plan, i, r) + plan_reduce_width(plan, i, r);
            int width = spec->own_widths ? spec->widths[i - 1][r] : spec->width;
            plan->block[i][r] = read > 0 ? width : 0;
            plan->group[i][r] = plan->block[i][r] + (spec->residual ? plan->group[i - 1][r] : 0);
        }
    }
}

/* A model other than the machine has no layers of its own here: it reads all inputs and answers at the last
 * layer.  Nothing is live in between. */
static void mark_baseline_live(struct plan *plan)
{
    const nlm_spec *spec = &plan->spec;
    for (int r = 0; r <= spec->breadth; r++) {
        plan->block[0][r] = plan->group[0][r] = spec->inputs[r];
        plan->live[0][r] = spec->inputs[r] > 0;
        plan->live[spec->depth][r] = spec->outputs >> r & 1;
    }
}

/* Mark, from the last layer down, each group that a live group reads.  A live unit reads three groups of the
 * layer below (arities r-1, r, r+1); residual reads the group of the same arity, even without a unit. */
static void find_live(struct plan *plan)
{
    const nlm_spec *spec = &plan->spec;
    for (int r = 0; r <= spec->breadth; r++)
        plan->live[spec->depth][r] = (spec->outputs >> r & 1) && plan->group[spec->depth][r] > 0;
    for (int i = spec->depth; i >= 1; i--) {
        for (int r = 0; r <= spec->breadth; r++) {
            if (!plan->live[i][r])
                continue;
            /* a group without a unit is only carried on: it reads nothing but itself, one layer below */
            bool unit = plan->block[i][r] > 0;
            for (int s = r - 1; s <= r + 1; s++) {
                bool read = unit || (spec->residual && s == r);
                if (s >= 0 && s <= spec->breadth && read && plan->group[i - 1][s] > 0)
                    plan->live[i - 1][s] = true;
            }
        }
    }
}

/* The plan keeps no pointer into the caller's spec but `program`: names are replaced by those of the
 * tables. */
nlm_status plan_make(const nlm_spec *spec, struct plan *plan, nlm_error *error)
{
    nlm_status status = check_spec(spec, error);
    if (status)
        return status;
    memset(plan, 0, sizeof *plan);
    plan->spec = *spec;
    plan->sense = sense_find(spec->sense);
    plan->perceived = plan->sense ? plan->sense->predicates : 0;
    if (plan->sense)
        plan->spec.sense = plan->sense->name; /* the caller's may not last */
    plan->baseline = baseline_find(spec->model);
    if (plan->baseline)
        plan->spec.model = plan->baseline->name;
    for (int r = 0; r <= spec->breadth; r++)
        orders_fill(&plan->orders[r], r);
    if (plan->baseline) {
        mark_baseline_live(plan);
        return NLM_OK;
    }
    count_predicates(plan);
    find_live(plan);
    for (int r = 0; r <= spec->breadth; r++)
        if ((spec->outputs >> r & 1) && !plan->live[spec->depth][r])
            return error_set(error, NLM_BAD_ARGUMENT, "the output of arity %d has no predicates", r);
    return NLM_OK;
}

bool plan_unit_live(const struct plan *plan, int layer, int arity)
{
    return plan->live[layer][arity] && plan->block[layer][arity] > 0;
}

int plan_expand_width(const struct plan *plan, int layer, int arity)
{
    return arity > 0 ? plan->group[layer - 1][arity - 1] : 0;
}

int plan_own_width(const struct plan *plan, int layer, int arity)
{
    return plan->group[layer - 1][arity];
}

int plan_reduce_width(const struct plan *plan, int layer, int arity)
{
    return arity < plan->spec.breadth ? plan->group[layer - 1][arity + 1] : 0;
}

/* Such a unit need not be stored: the reduction can compute its values on the fly (structure_may_stream). */
bool plan_only_reduced(const struct plan *plan, int layer, int arity)
{
    int depth = plan->spec.depth, breadth = plan->spec.breadth;
    if (layer == depth || arity == 0 || !plan_unit_live(plan, layer, arity))
        return false;
    /* with residual every later layer of the group reads it again; a live group there means own or output */
    return !plan->live[layer + 1][arity] &&
           (arity == breadth || !plan_unit_live(plan, layer + 1, arity + 1)) &&
           plan_unit_live(plan, layer + 1, arity - 1);
}

/* With residual, every later layer reads block (layer, arity + 1) again as a part of its group. */
bool plan_range_live(const struct plan *plan, int layer, int arity)
{
    if (arity == plan->spec.breadth || plan->group[layer][arity + 1] == 0)
        return false;
    int last = plan->spec.residual ? plan->spec.depth : layer + 1;
    for (int i = layer + 1; i <= last && i <= plan->spec.depth; i++)
        if (plan_unit_live(plan, i, arity))
            return true;
    return false;
}

/* Two plans with equal signatures make the same structure of a batch.  Widths of units above layer 0 do not
 * count, only whether they exist; never 0, which stands for "not built". */
uint64_t plan_signature(const struct plan *plan)
{
    uint64_t hash = (uint64_t)plan->spec.depth * 64 + (uint64_t)plan->spec.breadth * 4 +
                    (uint64_t)plan->spec.residual * 2 + (plan->spec.hidden_layers > 0) +
                    ((uint64_t)plan->perceived << 32) + ((uint64_t)(plan->baseline != NULL) << 48);
    for (int i = 0; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            uint64_t cell = (uint64_t)(plan->live[i][r] ? 1 : 0) + (plan->block[i][r] > 0 ? 2u : 0u);
            if (i == 0)
                cell += (uint64_t)plan->block[0][r] * 4;
            hash = (hash ^ cell) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
    return hash | 1;
}

int plan_first_block(const struct plan *plan, int layer)
{
    return plan->spec.residual ? 0 : layer;
}

/* Blocks of a residual group follow each other, oldest first. */
int plan_block_offset(const struct plan *plan, int layer, int arity, int first)
{
    int offset = 0;
    for (int j = plan_first_block(plan, layer); j < first; j++)
        offset += plan->block[j][arity];
    return offset;
}
