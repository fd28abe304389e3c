/* Measuring one machine: what a training step and an inference take. */
#include "bench_measure.h"
#include "message.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "nlm/tools.h"

enum {
    WORLDS = 100,     /* enough that their mean is that of the task */
    RANDOM_CYCLE = 4, /* inferences timed together if all worlds cost the same */
    CYCLES_LEAST = 3,
    SEED = 1,
};

/* All that a step needs.  Every part is used again from step to step. */
struct rig {
    const measure_machine *about;
    const nlm_options *options;
    nlm_world *worlds[WORLDS];
    int world_count;
    int first; /* world of the next cycle */
    nlm_machine *machine;
    nlm_optimizer *adam;
    nlm_evaluator *evaluator;
    float *logits;
    double structure_seconds; /* spent in nlm_evaluator_prepare since it was last set to 0 */
};

static nlm_status no_memory(nlm_error *error)
{
    error->status = NLM_NO_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    return NLM_NO_MEMORY;
}

/* ---- worlds ---- */

/* All pairs of a predicate get a random value. */
static nlm_status add_random_facts(nlm_world *world, int predicate, int objects, unsigned short state[3],
                                   nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int x = 0; !status && x < objects; x++) {
        for (int y = 0; !status && y < objects; y++) {
            if (x != y)
                status = nlm_world_add_fact(world, predicate, (int[]){x, y}, (float)erand48(state), error);
        }
    }
    return status;
}

/* A world of binary predicates whose values are random reals; every other pair of the target is true. */
static nlm_status random_world(const measure_machine *about, int number, int objects, nlm_world *world,
                               nlm_error *error)
{
    unsigned short state[3] = {SEED, 0, (unsigned short)number};
    nlm_status status = nlm_world_add_objects(world, "x", objects, error);
    for (int p = 0; !status && p < about->inputs[2]; p++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", p);
        status = nlm_world_add_predicate(world, name, 2, NULL, error);
        if (!status)
            status = add_random_facts(world, p, objects, state, error);
    }
    if (!status)
        status = nlm_world_add_target(world, "target", about->arity, NLM_FALSE, NULL, error);
    for (int pair = 0; !status && pair < objects * objects; pair += 2) {
        const int tuple[] = {pair / objects, pair % objects};
        if (tuple[0] != tuple[1])
            status = nlm_world_add_label(world, 0, tuple, NLM_TRUE, error);
    }
    return status;
}

static void free_worlds(struct rig *rig)
{
    for (int i = 0; i < rig->world_count; i++)
        nlm_world_free(rig->worlds[i]);
    rig->world_count = 0;
}

/* Replace the worlds by `most` new ones of that many objects. */
static nlm_status make_worlds(struct rig *rig, int objects, int most, nlm_error *error)
{
    const measure_machine *about = rig->about;
    const nlm_task *task = about->task != NULL ? nlm_task_find(about->task) : NULL;
    nlm_status status = NLM_OK;
    free_worlds(rig);
    rig->first = 0;
    for (int i = 0; !status && i < most; i++) {
        status = nlm_world_new(&rig->worlds[i], error);
        if (status)
            break;
        rig->world_count++;
        status = task != NULL ? nlm_task_generate(task, SEED, (uint64_t)i, objects, rig->worlds[i], error)
                              : random_world(about, i, objects, rig->worlds[i], error);
    }
    return status;
}

/* ---- steps ---- */

static nlm_status rig_new(struct rig *rig, nlm_error *error)
{
    const measure_machine *about = rig->about;
    nlm_spec spec = {.depth = about->depth,
                     .breadth = about->breadth,
                     .width = about->width,
                     .sense = about->sense,
                     .residual = about->residual,
                     .outputs = 1u << about->arity};
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        spec.inputs[r] = about->inputs[r];
    const nlm_head_spec head = {.name = "head", .arity = about->arity, .outputs = 1};
    nlm_status status = nlm_machine_new(&spec, &head, 1, &rig->machine, error);
    if (status)
        return status;
    nlm_machine_initialise(rig->machine, SEED);
    status = nlm_adam_new(rig->machine, (nlm_adam){0.005, 0.9, 0.999, 1e-8}, &rig->adam, error);
    if (!status)
        status = nlm_evaluator_new(rig->machine, rig->options, &rig->evaluator, error);
    return status;
}

static void rig_free(struct rig *rig)
{
    free(rig->logits);
    nlm_evaluator_free(rig->evaluator);
    nlm_optimizer_free(rig->adam);
    nlm_machine_free(rig->machine);
    free_worlds(rig);
}

/* Worlds `first` .. `first` + count - 1 of the cycle into the batch, and its structure. */
static nlm_status take_worlds(struct rig *rig, int first, int count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    nlm_evaluator_clear(rig->evaluator);
    for (int i = first; !status && i < first + count; i++)
        status = nlm_evaluator_add(rig->evaluator, rig->worlds[(rig->first + i) % rig->world_count], error);
    if (status)
        return status;
    const double start = nlm_clock();
    status = nlm_evaluator_prepare(rig->evaluator, error);
    rig->structure_seconds += nlm_clock() - start;
    return status;
}

static nlm_status train_step(struct rig *rig, int step, nlm_error *error)
{
    nlm_bce_result loss;
    nlm_status status = take_worlds(rig, step * MEASURE_BATCH, MEASURE_BATCH, error);
    if (!status)
        status = nlm_evaluator_run(rig->evaluator, true, error);
    if (!status)
        status = nlm_pass_bce(nlm_evaluator_pass(rig->evaluator), 0, 0, 0, 1.0, &loss, error);
    if (!status) {
        nlm_machine_zero_gradients(rig->machine);
        status = nlm_pass_backward(nlm_evaluator_pass(rig->evaluator), error);
    }
    if (!status)
        nlm_optimizer_step(rig->adam);
    return status;
}

static nlm_status infer_step(struct rig *rig, int step, nlm_error *error)
{
    nlm_status status = take_worlds(rig, step, 1, error);
    if (!status)
        status = nlm_evaluator_run(rig->evaluator, false, error);
    if (!status)
        status = nlm_pass_logits(nlm_evaluator_pass(rig->evaluator), 0, 0, rig->logits, error);
    return status;
}

/* ---- timing ---- */

typedef nlm_status (*step_function)(struct rig *rig, int step, nlm_error *error);

/* The best cycle: milliseconds per step, and the structure's share. */
typedef struct timing {
    double ms, structure_share;
} timing;

static nlm_status run_cycle(struct rig *rig, step_function step, int steps, double *elapsed, nlm_error *error)
{
    nlm_status status = NLM_OK;
    rig->structure_seconds = 0;
    const double start = nlm_clock();
    for (int i = 0; !status && i < steps; i++)
        status = step(rig, i, error);
    *elapsed = nlm_clock() - start;
    return status;
}

/* A cycle is `steps` steps on `worlds` worlds; the next one begins where it ended. */
static nlm_status time_cycles(struct rig *rig, step_function step, int steps, int worlds, double seconds,
                              timing *best, nlm_error *error)
{
    double elapsed, least = DBL_MAX;
    nlm_status status = run_cycle(rig, step, steps, &elapsed, error); /* memory grows to the sizes met */
    const double end = nlm_clock() + seconds;
    for (int cycle = 0; !status && (cycle < CYCLES_LEAST || nlm_clock() < end); cycle++) {
        status = run_cycle(rig, step, steps, &elapsed, error);
        rig->first = (rig->first + worlds) % rig->world_count;
        if (elapsed < least) {
            least = elapsed;
            best->ms = 1e3 * elapsed / steps;
            best->structure_share = rig->structure_seconds / elapsed;
        }
    }
    return status;
}

static double max_rss_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static nlm_status time_both(struct rig *rig, double seconds, measure_result *result, nlm_error *error)
{
    const measure_machine *about = rig->about;
    const int cycle = about->task != NULL ? WORLDS : RANDOM_CYCLE;
    timing train = {0}, infer = {0};
    nlm_status status = make_worlds(rig, about->train_objects, WORLDS, error);
    if (!status)
        status = time_cycles(rig, train_step, WORLDS / MEASURE_BATCH, WORLDS, seconds, &train, error);
    if (!status)
        status = make_worlds(rig, about->infer_objects, WORLDS, error);
    if (!status)
        status = time_cycles(rig, infer_step, cycle, cycle, seconds, &infer, error);
    *result = (measure_result){.train_ms = train.ms,
                               .structure_share = train.structure_share,
                               .infer_ms = infer.ms,
                               .max_rss_mb = max_rss_mb()};
    return status;
}

nlm_status measure_run(const measure_machine *machine, const nlm_options *options, double seconds,
                       measure_result *result, nlm_error *error)
{
    struct rig rig = {.about = machine, .options = options};
    size_t tuples = 1;
    for (int k = 0; k < machine->arity; k++)
        tuples *= (size_t)machine->infer_objects;
    rig.logits = malloc(tuples * sizeof *rig.logits);
    nlm_status status = rig.logits != NULL ? rig_new(&rig, error) : no_memory(error);
    if (!status)
        status = time_both(&rig, seconds, result, error);
    rig_free(&rig);
    return status;
}

/* ---- summary ---- */

static void print_levels(const struct rig *rig, int worlds, int objects)
{
    printf("%s, %d world%s of %d objects\n", rig->about->name, worlds, plural(worlds), objects);
    printf("  %5s %5s %12s %12s %12s  %s\n", "layer", "arity", "tuples", "classes", "sets", "rows");
    for (int layer = 0; layer <= rig->about->depth; layer++) {
        for (int arity = 0; arity <= rig->about->breadth; arity++) {
            const nlm_structure_level level =
                nlm_structure_level_at(nlm_evaluator_structure(rig->evaluator), layer, arity);
            if (!level.live)
                continue;
            printf("  %5d %5d %12zu %12zu %12zu  %s\n", layer, arity, level.tuples, level.classes, level.sets,
                   level.streamed   ? "streamed"
                   : level.identity ? "identity"
                                    : "lifted");
        }
    }
}

nlm_status measure_summary(const measure_machine *machine, const nlm_options *options, nlm_error *error)
{
    struct rig rig = {.about = machine, .options = options};
    nlm_status status = rig_new(&rig, error);
    if (!status)
        status = make_worlds(&rig, machine->train_objects, MEASURE_BATCH, error);
    if (!status)
        status = take_worlds(&rig, 0, MEASURE_BATCH, error);
    if (!status) {
        print_levels(&rig, MEASURE_BATCH, machine->train_objects);
        status = make_worlds(&rig, machine->infer_objects, 1, error);
    }
    if (!status)
        status = take_worlds(&rig, 0, 1, error);
    if (!status)
        print_levels(&rig, 1, machine->infer_objects);
    rig_free(&rig);
    return status;
}
