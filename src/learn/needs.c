/* The machine size that data needs: the smallest depth, per breadth, at which no class of tuples holds a true
 * and a false label (docs/maths.md, section 10).
 *
 * The classes of level (d, r) depend on the levels below it alone, not on how many layers follow.  So one
 * structure, built layer by layer with exact classes (NLM_CLASSES), has those of the machines of every depth,
 * and building stops at the first layer that answers the question.  All arities are live in it: when none of
 * them divides any further from one layer to the next, none ever will.
 *
 * Breadths are tried in turn.  Where all worlds would take too much memory, only every second, third, ... is
 * looked at.
 *
 * Words: a class is *mixed* if it has a true and a false label; labels are *separated* at a depth if no class
 * is mixed; they are *inseparable* if no depth would help.  A breadth is *credible* if its depth is likely to
 * be that of a rule and not of a coincidence.
 *
 * Example: grandparent(x, y) from parent, at breadth 3.  By its own facts, parent(x, y) and parent(y, x), a
 * pair of grandparent and grandchild is like a pair of strangers: mixed.  At layer 1 triples (x, y, z) know
 * the facts of their pairs, and at layer 2 a pair reads the set of its triples, in which one has parent(x, z)
 * and parent(z, y), or none has: separated at depth 2. */
#include "learn/needs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/comparison.h"
#include "facts/problem.h"
#include "learn/neighbourhoods.h"
#include "structure/structure.h"
#include "syntax/constant.h"

/* Kept from breadth to breadth: the batch stays while the stride does. */
struct work {
    int largest; /* arity of a predicate or target */
    int inputs[NLM_MAX_BREADTH + 1];
    nlm_options options;
    struct plan *plan; /* of the breadth at hand */
    nlm_batch *batch;
    nlm_structure *structure;
    int stride;   /* every stride-th world is in the batch */
    buffer marks; /* bytes, one per row: which labels its tuples have */
};

/* Bits: a class with both is mixed. */
enum { MARK_FALSE = 1, MARK_TRUE = 2, MARK_BOTH = 3 };

/* ---- labels and classes ---- */

/* The labels of one target, and the classes of its tuples. */
struct target {
    const struct partition *part;
    const struct orders *orders;
    const signed char *labels; /* per tuple and order */
    size_t tuples;
    uint8_t *marks;
};

/* A number for the class of tuple `index` in an order: its row in the smallest order that is the same. */
static size_t class_of(const struct target *target, size_t index, int order)
{
    const struct orders *orders = target->orders;
    int32_t code = orders_then(orders, target->part->codes[index], order);
    size_t row = orders_row(orders, code);
    return row - (size_t)(code & orders->mask) + target->part->same[row];
}

/* Unknown labels leave no mark. */
static uint8_t mark_of(signed char label)
{
    return label == NLM_TRUE ? MARK_TRUE : label == NLM_FALSE ? MARK_FALSE : 0;
}

/* Set the marks of all classes; count those with a label into `need`.  Whether one has both. */
static bool mark_classes(const struct target *target, nlm_need *need)
{
    size_t count = (size_t)target->orders->count, rows = target->part->orbits * count, mixed = 0;
    if (rows)
        memset(target->marks, 0, rows);
    for (size_t t = 0; t < target->tuples; t++)
        for (int b = 0; b < target->orders->count; b++) {
            uint8_t mark = mark_of(target->labels[t * count + (size_t)b]);
            if (mark)
                target->marks[class_of(target, t, b)] |= mark;
        }
    /* rows of orders that are not the smallest of their class stay 0 */
    for (size_t row = 0; row < rows; row++) {
        need->classes += target->marks[row] != 0;
        mixed += target->marks[row] == MARK_BOTH;
    }
    need->mixed += mixed;
    return mixed > 0;
}

/* The first labelled tuple of a mixed class, and the first of that class with the other label. */
static void find_example(const struct work *work, const struct target *target, nlm_need *need)
{
    size_t count = (size_t)target->orders->count, class = SIZE_MAX;
    uint8_t found = 0;
    for (size_t t = 0; t < target->tuples && found != MARK_BOTH; t++)
        for (int b = 0; b < target->orders->count; b++) {
            uint8_t mark = mark_of(target->labels[t * count + (size_t)b]);
            if (!mark || found & mark)
                continue;
            /* the first tuple decides the class; the search then waits for its other label */
            size_t here = class_of(target, t, b);
            if (class == SIZE_MAX && target->marks[here] == MARK_BOTH)
                class = here;
            if (here != class)
                continue;
            struct tuple_walk walk = tuple_walk_start(&work->batch->tuples, target->orders->arity, t);
            nlm_labelled_tuple *example = mark == MARK_TRUE ? &need->yes : &need->no;
            *example = (nlm_labelled_tuple){.world = walk.world};
            for (int k = 0; k < target->orders->arity; k++)
                example->tuple[k] = walk.x[target->orders->order[b][k]];
            found |= mark;
        }
}

/* Whether the classes of a layer separate the labels of all targets; the counts go into `need`.  Classes are
 * counted per target: a class that two targets label counts twice.  The example is of the first target that
 * has a mixed class. */
static nlm_status check_layer(struct work *work, int layer, nlm_need *need, bool *separated)
{
    bool example = false;
    *separated = true;
    *need = (nlm_need){.separation = NLM_UNSEPARATED, .depth = layer};
    for (int t = 0; t < work->batch->targets; t++) {
        int arity = work->batch->target_arity[t];
        struct target target = {
            .part = work->structure->levels[layer][arity].part,
            .orders = &work->plan->orders[arity],
            .labels = work->batch->labels[t].data,
            .tuples = tuples_count(&work->batch->tuples, arity),
        };
        if (!target.part) { /* no fact reaches this arity in so few layers: a machine of this depth lacks the
                               output */
            *separated = false;
            continue;
        }
        if (buffer_reserve(&work->marks, target.part->orbits * (size_t)target.orders->count, 1, false))
            return NLM_NO_MEMORY;
        target.marks = work->marks.data;
        if (!mark_classes(&target, need))
            continue;
        *separated = false;
        if (!example) {
            need->target = t;
            find_example(work, &target, need);
            example = true;
        }
    }
    return NLM_OK;
}

/* Of the first batch, which has as many worlds as fit. */
static void count_labels(const nlm_batch *batch, nlm_needs *needs)
{
    for (int t = 0; t < batch->targets; t++) {
        int arity = batch->target_arity[t];
        size_t count = tuples_count(&batch->tuples, arity) * (size_t)batch_orders(arity);
        const signed char *labels = batch->labels[t].data;
        for (size_t i = 0; i < count; i++) {
            needs->true_labels += labels[i] == NLM_TRUE;
            needs->false_labels += labels[i] == NLM_FALSE;
        }
    }
}

/* ---- one breadth ---- */

/* The levels of a layer that are not there yet: only those of the targets, or all.  Each reads ranges and
 * levels of the layer below, all of which must be there. */
static nlm_status add_levels(struct work *work, int layer, bool all)
{
    bool wanted[NLM_MAX_BREADTH + 1];
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        wanted[r] = all;
    for (int t = 0; t < work->batch->targets; t++)
        wanted[work->batch->target_arity[t]] = true;
    nlm_status status = NLM_OK;
    for (int r = 0; r <= work->plan->spec.breadth && !status; r++)
        if (wanted[r] && !work->structure->levels[layer][r].part)
            status = structure_add_level(work->structure, work->batch, layer, r);
    return status;
}

/* All arities exist, and each has as many classes as one layer below: then no later layer divides them
 * further (docs/maths.md, section 10, "Inseparable").  An arity that does not exist yet may still appear. */
static bool has_settled(const struct work *work, int layer)
{
    for (int r = 0; r <= work->plan->spec.breadth; r++) {
        const struct partition *now = work->structure->levels[layer][r].part;
        const struct partition *before = work->structure->levels[layer - 1][r].part;
        if (!now || !before || now->classes != before->classes)
            return false;
    }
    return true;
}

/* A machine of the largest depth, of which only the layers that are needed are built.  Widths do not matter.
 * Targets first: often their levels answer, and the other arities of the layer need not be classified. */
static nlm_status try_breadth(struct work *work, int breadth, nlm_need *need, nlm_error *error)
{
    nlm_spec spec = {
        .depth = NLM_NEEDS_DEPTH, .breadth = breadth, .width = 1, .outputs = (2u << breadth) - 1};
    memcpy(spec.inputs, work->inputs, sizeof spec.inputs);
    nlm_status status = plan_make(&spec, work->plan, error);
    if (!status)
        status = structure_begin(work->structure, work->plan, work->batch, &work->options, error);
    if (status)
        return status;
    /* layer by layer: the ranges over layer d-1, the targets' levels of layer d, and, only if these do not
     * separate, the other levels, which the next layer reads */
    bool separated = false, settled = false;
    status = add_levels(work, 0, true);
    for (int d = 1; d <= NLM_NEEDS_DEPTH && !status && !separated && !settled; d++) {
        status = structure_add_ranges(work->structure, d - 1);
        if (!status)
            status = add_levels(work, d, false);
        if (!status)
            status = check_layer(work, d, need, &separated);
        if (!status && !separated)
            status = add_levels(work, d, true);
        settled = !status && !separated && has_settled(work, d);
    }
    if (status)
        return error_no_memory(error);
    if (separated || settled)
        need->separation = separated ? NLM_SEPARATED : NLM_INSEPARABLE;
    return NLM_OK;
}

/* ---- memory ---- */

/* Layers whose stores are large: before them tuples are alike, after them nothing divides any more. */
enum { FINE_LAYERS = 3 };

/* Bytes for one arity, if no two of its `tuples` are alike; structure.h and classify.c have the buffers.  An
 * estimate from above, in 32-bit words, with a quarter to spare, as buffers have when they grow. */
static double arity_bytes(double tuples, int arity, int inputs, int breadth, double most_objects)
{
    double orders = batch_orders(arity), level = arity + 2, set = arity < breadth ? most_objects : 0.0;
    /* levels and ranges are classified in turn with the same scratch: the larger key counts */
    double key = level > set ? level : set;
    double codes = (NLM_NEEDS_DEPTH + 1) * (arity < breadth ? 2.0 : 1.0);
    double fine = level + 2 + orders / 4 + orders + set; /* links, first, same, dense rows, elements */
    double scratch = key + 2 + orders * (key + 5);       /* keys of chunks, merged keys and their slots */
    return 1.25 * tuples * sizeof(int32_t) * (2.0 * inputs * orders + codes + FINE_LAYERS * fine + scratch);
}

/* ---- worlds ---- */

/* The batch of every `stride`-th world, so that those looked at are spread evenly over all. */
static nlm_status ground(struct work *work, const nlm_world *const *worlds, int count, int stride,
                         nlm_error *error)
{
    nlm_status status = NLM_OK;
    /* made once and kept for all breadths */
    if (!work->batch)
        status = nlm_batch_new(work->inputs, work->largest, &work->batch, error);
    if (!status && !work->structure)
        status = nlm_structure_new(&work->structure, error);
    if (!status && !work->plan && !(work->plan = memory_new(1, sizeof *work->plan)))
        status = error_no_memory(error);
    if (!status)
        nlm_batch_clear(work->batch);
    for (int w = 0; w < count && !status; w += stride)
        status = nlm_batch_add_world(work->batch, worlds[w], error);
    work->stride = stride;
    return status;
}

/* Pairs alone can separate tuples by their distant surroundings, which in small worlds differ for almost all
 * objects: that is memorising, not a rule.  So a breadth below 3 counts only if little depth is enough for
 * it. */
static bool is_credible(const nlm_needs *needs, int breadth)
{
    enum { TRIPLES = 3, LITTLE_DEPTH = 2 };
    const nlm_need *need = &needs->breadth[breadth];
    return need->separation == NLM_SEPARATED && (breadth >= TRIPLES || need->depth <= LITTLE_DEPTH);
}

/* Of credible breadths whose classes are at most a tenth more than the fewest, the smallest breadth x depth;
 * of equal ones the less deep.  More classes than needed are a sign of learning by heart. */
static void choose_best(nlm_needs *needs)
{
    /* see docs/maths.md, section 10: why few classes, and why breadth times depth */
    size_t fewest = SIZE_MAX;
    for (int b = 1; b <= NLM_MAX_BREADTH; b++)
        if (is_credible(needs, b) && needs->breadth[b].classes < fewest)
            fewest = needs->breadth[b].classes;
    for (int b = 1; b <= NLM_MAX_BREADTH; b++) {
        const nlm_need *need = &needs->breadth[b];
        if (!is_credible(needs, b) || need->classes > fewest + fewest / 10)
            continue;
        const int size = b * need->depth, best = needs->best_breadth * needs->best_depth;
        if (!best || size < best || (size == best && need->depth < needs->best_depth)) {
            needs->best_breadth = b;
            needs->best_depth = need->depth;
        }
    }
    for (int b = 1; b <= NLM_MAX_BREADTH && !needs->best_breadth; b++) /* rather that than nothing */
        if (needs->breadth[b].separation == NLM_SEPARATED) {
            needs->best_breadth = b;
            needs->best_depth = needs->breadth[b].depth;
        }
}

/* The smallest stride with which a breadth takes no more than `most_bytes`; 0 if too few worlds are left.
 * Only sizes are added up here; nothing of the structure is built. */
static nlm_status choose_stride(const struct work *work, const nlm_world *const *worlds, int count,
                                int breadth, double most_bytes, int *stride, nlm_error *error)
{
    enum { MOST_STRIDE = 100 };
    struct tuples tuples = {0};
    nlm_status status = NLM_OK;
    *stride = 0;
    /* a plain search: at most a hundred strides, and adding up sizes is cheap */
    for (int s = 1; !status && !*stride && s <= MOST_STRIDE && s <= count; s++) {
        double bytes = 0;
        bool codes_suffice = true; /* a code names a tuple and its order in 31 bits */
        tuples_clear(&tuples);
        for (int w = 0; w < count && !status; w += s)
            status = tuples_add_world(&tuples, nlm_world_objects(worlds[w]), error);
        for (int r = 0; r <= breadth && !status; r++) {
            struct orders orders;
            orders_fill(&orders, r);
            bytes += arity_bytes((double)tuples_count(&tuples, r), r, work->inputs[r], breadth,
                                 tuples.most_objects);
            codes_suffice &= tuples_count(&tuples, r) <= (size_t)(INT32_MAX >> orders.shift);
        }
        if (!status && bytes <= most_bytes && codes_suffice)
            *stride = s;
    }
    tuples_free(&tuples);
    return status;
}

/* Breadths are tried one by one; those that would take too much are left as they are. */
static nlm_status try_breadths(struct work *work, const nlm_world *const *worlds, int count, int most_breadth,
                               double most_bytes, nlm_needs *needs, nlm_error *error)
{
    nlm_status status = NLM_OK;
    bool enough = false; /* a smaller breadth is credible */
    for (int b = work->largest; b <= most_breadth && !status; b++) {
        nlm_need *need = &needs->breadth[b];
        int stride;
        status = choose_stride(work, worlds, count, b, most_bytes, &stride, error);
        /* Larger breadths take still more memory, so they are not tried either.  If a smaller breadth is
         * enough, a larger one is not tried on a part of the worlds: its classes could not be compared with
         * those of all worlds. */
        if (status || !stride || (stride > 1 && enough))
            break;
        /* labels are counted once, of the first batch: later breadths may see fewer worlds */
        const bool first = !work->batch;
        if (stride != work->stride)
            status = ground(work, worlds, count, stride, error);
        if (!status && first)
            count_labels(work->batch, needs);
        if (!status)
            status = try_breadth(work, b, need, error);
        need->worlds = (count + stride - 1) / stride;
        /* worlds of the batch are every stride-th of the caller's */
        need->yes.world *= stride;
        need->no.world *= stride;
        enough |= is_credible(needs, b);
    }
    return status;
}

/* No limit of bytes means no limit; NLM_CLASSES makes all classes exact. */
nlm_status needs_of_worlds(const nlm_world *const *worlds, int count, int most_breadth, size_t most_bytes,
                           const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    struct work work = {.largest = 1,
                        .options = {.threads = options ? options->threads : 1, .lifting = NLM_CLASSES}};
    memset(needs, 0, sizeof *needs);
    for (int b = 0; b <= NLM_MAX_BREADTH; b++)
        needs->breadth[b].separation = NLM_NOT_TRIED;
    if (most_breadth < 1 || most_breadth > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "breadth %d is not in 1..%d", most_breadth,
                         NLM_MAX_BREADTH);
    if (count < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no world to look at");
    const int predicates = nlm_world_predicates(worlds[0]), targets = nlm_world_targets(worlds[0]);
    if (predicates == 0 || targets == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the worlds have no %s", targets ? "predicate" : "target");
    /* inputs and the largest arity, from the first world: grounding checks that all others agree */
    for (int p = 0; p < predicates + targets; p++) {
        const int arity = p < predicates ? nlm_world_predicate_arity(worlds[0], p)
                                         : nlm_world_target_arity(worlds[0], p - predicates);
        work.inputs[arity] += p < predicates;
        work.largest = arity > work.largest ? arity : work.largest;
    }
    nlm_status status = try_breadths(&work, worlds, count, most_breadth,
                                     most_bytes ? (double)most_bytes : (double)INFINITY, needs, error);
    if (!status)
        choose_best(needs);
    buffer_free(&work.marks);
    memory_free(work.plan);
    nlm_structure_free(work.structure);
    nlm_batch_free(work.batch);
    return status;
}

/* The public form, for all worlds of a problem. */
nlm_status nlm_problem_needs(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                             const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    REQUIRE(problem && needs, error);
    nlm_status status = problem_check_learnable(problem, error);
    if (status)
        return status;
    if (neighbourhood_usual(problem) > 0)
        return needs_of_large_world(problem, most_breadth, most_bytes, options, needs, error);
    int count = nlm_problem_worlds(problem);
    const nlm_world **worlds = memory_new((size_t)count, sizeof *worlds);
    if (!worlds)
        return error_no_memory(error);
    for (int w = 0; w < count; w++)
        worlds[w] = nlm_problem_world(problem, w);
    status = needs_of_worlds(worlds, count, most_breadth, most_bytes, options, needs, error);
    memory_free(worlds);
    return status;
}

/* ---- two tuples that no machine can tell apart: which facts hold for both ---- */

/* Bytes of a fact in words. */
enum { ATOM_SIZE = 200 };

/* Whether a fact of input p about these places of a labelled tuple is there.  Objects of the tuple take the
 * places, so that the same question can be asked about two tuples. */
static bool holds_for(const nlm_problem *problem, int p, const nlm_labelled_tuple *of, const int *places)
{
    const size_t arity = (size_t)nlm_signature_input(nlm_problem_signature(problem), p)->objects;
    int tuple[NLM_MAX_BREADTH];
    const int *tuples;
    const float *values;
    for (size_t k = 0; k < arity; k++)
        tuple[k] = of->tuple[places[k]];
    for (size_t f = nlm_world_facts(nlm_problem_world(problem, of->world), p, &tuples, &values); f-- > 0;)
        if (arity == 0 || memcmp(tuples + f * arity, tuple, arity * sizeof *tuple) == 0)
            return values[f] > 0.5F; /* the last counts */
    return false;
}

/* "parent(B, A)", "department(A, it)"; returns the text. */
static const char *atom_text(const nlm_signature *signature, const nlm_predicate *input, const int *places,
                             char text[ATOM_SIZE])
{
    enum { ARGUMENTS = 4 * NLM_MAX_FACT_ARITY };
    static const char *const letters[] = {"A", "B", "C", "D", "E"};
    const char *objects[NLM_MAX_FACT_ARITY];
    for (int k = 0; k < input->arity; k++)
        objects[k] = letters[places[input->place[k]]];
    if (input->comparison.terms > 0) {
        comparison_about(signature, input, objects, text, ATOM_SIZE);
        return text;
    }
    nlm_predicate plain = *input;
    constant_parts parts;
    const bool constants = constant_parts_read(input->name, &parts);
    plain.objects = plain.arity;
    nlm_predicate_text(&plain, text, ATOM_SIZE - ARGUMENTS);
    const char *slash = input->is_type || constants ? NULL : strrchr(text, '/');
    size_t used = slash != NULL ? (size_t)(slash - text) : strlen(text); /* no arity, or it was cut off */
    if (constants)
        used = (size_t)snprintf(text, ATOM_SIZE, "%.*s", (int)parts.name.length, parts.name.text);
    const int arguments = constants ? parts.arity : input->arity;
    for (int k = 0; k < arguments && used < ATOM_SIZE; k++) {
        const int object = constants ? parts.object[k] : k;
        used += (size_t)snprintf(text + used, ATOM_SIZE - used, "%s%.*s", k == 0 ? "(" : ", ",
                                 object < 0 ? (int)parts.text[k].length : 1,
                                 object < 0 ? parts.text[k].text : objects[object]);
    }
    if (used < ATOM_SIZE)
        snprintf(text + used, ATOM_SIZE - used, arguments > 0 ? ")" : "");
    return text;
}

/* All inputs over all choices of different places among the target's objects: few, as arities are small.  For
 * people who wonder why two tuples cannot be told apart. */
nlm_status nlm_need_common_facts(const nlm_problem *problem, const nlm_need *need, nlm_text_listener listener,
                                 void *context, nlm_error *error)
{
    REQUIRE(problem && need && listener, error);
    const nlm_signature *signature = nlm_problem_signature(problem);
    const int objects = nlm_signature_target(signature, need->target)->objects;
    nlm_status status = NLM_OK;
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const nlm_predicate *input = nlm_signature_input(signature, p);
        int choices = 1, places[NLM_MAX_BREADTH];
        for (int k = 0; k < input->objects; k++)
            choices *= objects;
        for (int c = 0; c < choices && !status; c++) {
            char text[ATOM_SIZE];
            unsigned chosen = 0; /* places, each at most once */
            bool differ = true;
            for (int k = 0, rest = c; k < input->objects; k++, rest /= objects) {
                places[k] = rest % objects;
                differ &= !(chosen >> places[k] & 1);
                chosen |= 1u << places[k];
            }
            if (differ && holds_for(problem, p, &need->yes, places) &&
                holds_for(problem, p, &need->no, places))
                status = listener(context, atom_text(signature, input, places, text), error);
        }
    }
    return status;
}

/* Types are left out: they are facts that the library added. */
size_t nlm_problem_facts_about(const nlm_problem *problem, int world, int object)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    size_t count = 0;
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const int *tuples;
        const size_t facts = nlm_world_facts(nlm_problem_world(problem, world), p, &tuples, NULL);
        const int arity = nlm_signature_input(signature, p)->objects;
        for (size_t f = 0; f < facts && !signature_is_derived(nlm_signature_input(signature, p)); f++) {
            bool about = false;
            for (int k = 0; k < arity; k++)
                about |= tuples[f * (size_t)arity + (size_t)k] == object;
            count += about;
        }
    }
    return count;
}

bool nlm_needs_by_heart(const nlm_needs *needs, size_t *classes)
{
    enum { FEW_LABELS = 10 }; /* of fewer nothing can be said */
    const size_t labels = needs->true_labels + needs->false_labels;
    *classes = needs->breadth[needs->best_breadth].classes;
    return needs->best_breadth > 0 && labels >= FEW_LABELS && 2 * *classes >= labels;
}
