/* Lifting changes nothing: with one row per class and the best kernels a machine computes the outputs and the
 * gradients that it computes with one row per tuple and the reference kernels.
 *
 * A thousand random worlds of each kind, in batches of several sizes, through machines of all shapes.
 *
 * Ties.  Where a maximum is attained by two classes, the gradient goes to one of them, and the two ways need
 * not choose the same.  Exact ties do no harm here: classes of equal values differ in sets of which only the
 * extremes were seen, and those are the same rows; or all their hidden units are dead, and then no gradient
 * passes.  Near ties are decided by rounding.  They belong to the weights, whereas an error in the structure
 * stays when the weights change: so a batch whose gradients disagree is tried again with other weights.  It
 * must agree then, and few batches may need it.
 *
 * Threads, and memory that was used before, change no bit at all. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"

enum { MOST_WORLDS = 5, MOST_OBJECTS = 14, ATTEMPTS = 3 };
#ifdef __SANITIZE_ADDRESS__
enum { WORLDS = 300 }; /* each takes ten times as long */
#else
enum { WORLDS = 1000 };
#endif

static random_stream draws;

static int below(int n)
{
    return (int)random_below(&draws, (uint32_t)n);
}

/* ---- machines ---- */

/* The spec of a machine that reads `inputs`; false if such a machine does not exist. */
static bool draw_machine(const int *inputs, nlm_machine **machine)
{
    static nlm_spec spec;
    int least = 1;
    for (int r = 2; r <= NLM_MAX_BREADTH; r++)
        least = inputs[r] ? r : least;
    memset(&spec, 0, sizeof spec);
    memcpy(spec.inputs, inputs, sizeof spec.inputs);
    spec.breadth = least + below(NLM_MAX_BREADTH + 1 - least);
    spec.depth = 1 + below(spec.breadth > 3 ? 4 : 6);
    spec.width = 1 + below(10);
    spec.residual = below(2);
    spec.outputs =
        below(3) ? 1u << below(spec.breadth + 1) : 1 + random_below(&draws, (2u << spec.breadth) - 1);
    spec.hidden_layers = below(4) ? 0 : 1 + below(2);
    spec.hidden[0] = 3 + below(8);
    spec.hidden[1] = 5;
    spec.own_widths = below(6) == 0;
    for (int i = 0; i < spec.depth; i++)
        for (int r = 0; r <= spec.breadth; r++)
            spec.widths[i][r] = below(9);
    return nlm_machine_new(&spec, NULL, 0, machine, NULL) == NLM_OK;
}

/* Weights three times as large as usual: values that differ, differ visibly, through all layers. */
static void draw_weights(nlm_machine *machine)
{
    nlm_machine_initialise(machine, random_u64(&draws));
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= 3.0f;
    }
}

/* ---- worlds ---- */

/* Predicates of arities 0 to 3, true now and then. */
static void add_random_tensors(nlm_batch *batch, const int *inputs, int objects)
{
    static float values[4][MOST_OBJECTS * MOST_OBJECTS * MOST_OBJECTS * 3];
    const float *tensors[NLM_MAX_BREADTH + 1] = {NULL};
    uint32_t rarity = 1 + random_below(&draws, 12);
    for (int r = 0, cells = 1; r <= 3; r++, cells *= objects) {
        for (int i = 0; i < cells * inputs[r]; i++)
            values[r][i] = random_below(&draws, rarity + 1) ? 0.0f : 1.0f;
        tensors[r] = inputs[r] ? values[r] : NULL;
    }
    assert_int_equal(nlm_batch_add_tensors(batch, objects, tensors, NULL), NLM_OK);
}

static void add_world(nlm_batch *batch, const nlm_task *task, const int *inputs, int objects)
{
    static nlm_world *world;
    if (!task) {
        add_random_tensors(batch, inputs, objects);
        return;
    }
    if (!world)
        assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_task_generate(task, NLM_WORLDS_PAPER, random_u64(&draws), 0, objects, world, NULL),
                     NLM_OK);
    assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
}

/* Several worlds of different sizes, not so large that the reference takes long.  Every fourth world is one
 * that the batch has already. */
static nlm_batch *draw_batch(const nlm_machine *machine, const nlm_task *task)
{
    static const int most[] = {0, MOST_OBJECTS, MOST_OBJECTS, 10, 7, 5};
    const nlm_spec *spec = nlm_machine_spec(machine);
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(spec->inputs, spec->breadth, &batch, NULL), NLM_OK);
    int limit = below(12) || spec->breadth > 3 || spec->residual ? most[spec->breadth] : MOST_OBJECTS;
    for (int worlds = 1 + below(MOST_WORLDS); worlds > 0; worlds--) {
        random_stream before = draws;
        int objects = 1 + below(limit);
        add_world(batch, task, spec->inputs, objects);
        if (worlds > 1 && below(4) == 0) {
            random_stream after = draws;
            draws = before;
            add_world(batch, task, spec->inputs, 1 + below(limit));
            draws = after;
            worlds--;
        }
    }
    return batch;
}

/* ---- the two ways ---- */

struct way {
    nlm_structure *structure;
    nlm_pass *pass; /* or NULL: a new one every time */
    nlm_options options;
    float *outputs, *gradients;
};

struct count {
    int worlds, batches, retries, lifted, identity, streamed;
};

/* All wanted outputs of all worlds: how many numbers. */
static size_t count_outputs(const nlm_machine *machine, const nlm_batch *batch)
{
    size_t count = 0;
    for (int w = 0; w < nlm_batch_worlds(batch); w++)
        for (int r = 0; r <= nlm_machine_spec(machine)->breadth; r++) {
            size_t cells = (size_t)nlm_machine_output_width(machine, r);
            for (int k = 0; k < r; k++)
                cells *= (size_t)nlm_batch_objects(batch, w);
            count += cells;
        }
    return count;
}

/* Outputs, and gradients of the parameters where the loss is <outputs, coefficients>. */
static void run(struct way *way, nlm_machine *machine, const nlm_batch *batch, const float *coefficients)
{
    nlm_pass *pass = way->pass;
    nlm_error error;
    if (!pass)
        assert_int_equal(nlm_pass_new(machine, &pass, NULL), NLM_OK);
    if (nlm_structure_build(way->structure, machine, batch, &way->options, &error) ||
        nlm_pass_forward(pass, way->structure, true, &error))
        fail_msg("%s", error.message);
    size_t at = 0;
    for (int w = 0; w < nlm_batch_worlds(batch); w++)
        for (int r = 0; r <= nlm_machine_spec(machine)->breadth; r++) {
            size_t cells = (size_t)nlm_machine_output_width(machine, r);
            if (cells == 0)
                continue;
            assert_int_equal(nlm_pass_output(pass, w, r, way->outputs + at, NULL), NLM_OK);
            assert_int_equal(nlm_pass_add_output_gradient(pass, w, r, coefficients + at, NULL), NLM_OK);
            for (int k = 0; k < r; k++)
                cells *= (size_t)nlm_batch_objects(batch, w);
            at += cells;
        }
    nlm_machine_zero_gradients(machine);
    assert_int_equal(nlm_pass_backward(pass, NULL), NLM_OK);
    size_t parameters = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memcpy(way->gradients + parameters, tensor.gradients, tensor.count * sizeof(float));
        parameters += tensor.count;
    }
    if (!way->pass)
        nlm_pass_free(pass);
}

static double largest(const float *x, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)x[i]));
    return most;
}

static double largest_difference(const float *x, const float *y, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, isfinite(x[i]) && isfinite(y[i]) ? fabs((double)x[i] - (double)y[i]) : INFINITY);
    return most;
}

static void report_machine(const nlm_machine *machine, const nlm_batch *batch, const char *what,
                           double difference)
{
    const nlm_spec *s = nlm_machine_spec(machine);
    fail_msg("%s differ by %g: depth %d, breadth %d, inputs %d %d %d %d, width %d%s, residual %d, hidden %d, "
             "outputs %u, %d worlds, the first of %d objects",
             what, difference, s->depth, s->breadth, s->inputs[0], s->inputs[1], s->inputs[2], s->inputs[3],
             s->width, s->own_widths ? " (own)" : "", s->residual, s->hidden_layers, s->outputs,
             nlm_batch_worlds(batch), nlm_batch_objects(batch, 0));
}

/* Outputs must agree; whether the gradients do. */
static bool ways_agree(struct way *ways, nlm_machine *machine, const nlm_batch *batch,
                       const float *coefficients, double *difference)
{
    size_t outputs = count_outputs(machine, batch), parameters = nlm_machine_parameters(machine);
    draw_weights(machine);
    for (int w = 0; w < 2; w++)
        run(&ways[w], machine, batch, coefficients);
    *difference = largest_difference(ways[0].outputs, ways[1].outputs, outputs);
    if (!(*difference <= 1e-5))
        report_machine(machine, batch, "outputs", *difference);
    *difference = largest_difference(ways[0].gradients, ways[1].gradients, parameters);
    return *difference <= 1e-4 * largest(ways[1].gradients, parameters) + 1e-7;
}

static float *allocate(size_t count)
{
    float *x = malloc((count + 1) * sizeof *x);
    assert_non_null(x);
    return x;
}

/* Room for the results of both ways, and what the loss weighs the outputs with. */
static float *allocate_results(struct way *ways, const nlm_machine *machine, const nlm_batch *batch)
{
    size_t outputs = count_outputs(machine, batch);
    float *coefficients = allocate(outputs);
    for (size_t i = 0; i < outputs; i++)
        coefficients[i] = random_uniform(&draws, -0.5f, 0.5f);
    for (int w = 0; w < 2; w++) {
        ways[w].outputs = allocate(outputs);
        ways[w].gradients = allocate(nlm_machine_parameters(machine));
    }
    return coefficients;
}

static void free_results(struct way *ways, float *coefficients)
{
    for (int w = 0; w < 2; w++) {
        free(ways[w].outputs);
        free(ways[w].gradients);
    }
    free(coefficients);
}

static void compare_ways(struct way *ways, nlm_machine *machine, const nlm_batch *batch, struct count *count)
{
    float *coefficients = allocate_results(ways, machine, batch);
    ways[0].options.threads = 1 + below(2);
    double difference = 0.0;
    int attempt = 0;
    while (attempt < ATTEMPTS && !ways_agree(ways, machine, batch, coefficients, &difference))
        attempt++;
    if (attempt == ATTEMPTS)
        report_machine(machine, batch, "gradients", difference);
    count->retries += attempt;
    free_results(ways, coefficients);
}

static void count_levels(const nlm_structure *structure, const nlm_spec *spec, struct count *count)
{
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            nlm_structure_level level = nlm_structure_level_at(structure, i, r);
            count->streamed += level.streamed;
            count->identity += level.identity;
            count->lifted += level.live && !level.streamed && !level.identity;
        }
}

static void free_ways(struct way *ways)
{
    for (int w = 0; w < 2; w++)
        nlm_structure_free(ways[w].structure);
}

/* Batches of one kind of worlds; a task of NULL stands for random predicates. */
static void lifting_changes_nothing(const nlm_task *task, uint64_t seed, nlm_lifting lifting)
{
    struct way ways[2] = {{.options = {.lifting = lifting, .kernel = NLM_KERNEL_BEST}},
                          {.options = {.lifting = NLM_IDENTITY, .kernel = NLM_KERNEL_REFERENCE}}};
    struct count count = {0};
    for (int w = 0; w < 2; w++)
        assert_int_equal(nlm_structure_new(&ways[w].structure, NULL), NLM_OK);
    random_start(&draws, seed, 0);
    while (count.worlds < WORLDS) {
        int inputs[NLM_MAX_BREADTH + 1] = {below(2), below(3), below(3), below(2)};
        nlm_machine *machine;
        if (!draw_machine(task ? task->inputs : inputs, &machine))
            continue;
        nlm_batch *batch = draw_batch(machine, task);
        compare_ways(ways, machine, batch, &count);
        count_levels(ways[0].structure, nlm_machine_spec(machine), &count);
        count.worlds += nlm_batch_worlds(batch);
        count.batches++;
        nlm_batch_free(batch);
        nlm_machine_free(machine);
    }
    free_ways(ways);
    assert_true(count.lifted > WORLDS / 10);
    assert_true(lifting == NLM_CLASSES ? count.identity == 0 : count.identity > WORLDS / 10);
    assert_true(lifting == NLM_CLASSES ? count.streamed == 0 : count.streamed > WORLDS / 20);
    assert_true(count.retries * 50 <= count.batches);
}

/* ---- threads and memory that was used before ---- */

/* Batches of very different sizes through one pass and one structure, on one to three threads, and each
 * through new ones on one thread. */
static void compare_bits(const nlm_spec *spec, nlm_lifting lifting)
{
    static const int sizes[][3] = {{3, 1, 2}, {24, 20, 9}, {1, 1, 1}, {12, 12, 2}, {30, 2, 1}, {2, 4, 2}};
    const nlm_task *task = nlm_task_find("grandparent");
    struct way ways[2] = {{.options = {.lifting = lifting}}, {.options = {.lifting = lifting, .threads = 1}}};
    nlm_machine *machine;
    assert_int_equal(nlm_machine_new(spec, NULL, 0, &machine, NULL), NLM_OK);
    assert_int_equal(nlm_pass_new(machine, &ways[0].pass, NULL), NLM_OK);
    assert_int_equal(nlm_structure_new(&ways[0].structure, NULL), NLM_OK);
    for (size_t n = 0; n < COUNT(sizes); n++) {
        nlm_batch *batch;
        assert_int_equal(nlm_batch_new(spec->inputs, spec->breadth, &batch, NULL), NLM_OK);
        for (size_t w = 0; w < COUNT(sizes[n]); w++)
            add_world(batch, task, spec->inputs, sizes[n][w]);
        float *coefficients = allocate_results(ways, machine, batch);
        draw_weights(machine);
        assert_int_equal(nlm_structure_new(&ways[1].structure, NULL), NLM_OK);
        run(&ways[1], machine, batch, coefficients);
        for (int threads = 1; threads <= 3; threads++) {
            ways[0].options.threads = threads;
            run(&ways[0], machine, batch, coefficients);
            assert_memory_equal(ways[0].outputs, ways[1].outputs,
                                count_outputs(machine, batch) * sizeof(float));
            assert_memory_equal(ways[0].gradients, ways[1].gradients,
                                nlm_machine_parameters(machine) * sizeof(float));
        }
        nlm_structure_free(ways[1].structure);
        free_results(ways, coefficients);
        nlm_batch_free(batch);
    }
    nlm_pass_free(ways[0].pass);
    nlm_structure_free(ways[0].structure);
    nlm_machine_free(machine);
}

static void threads_and_used_memory_change_no_bit(void **state)
{
    (void)state;
    random_start(&draws, 6, 0);
    for (int residual = 0; residual < 2; residual++)
        for (unsigned outputs = 1; outputs <= 4; outputs *= 2) {
            nlm_spec spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = outputs};
            spec.residual = residual;
            compare_bits(&spec, NLM_LIFT);
            if (outputs == 4)
                compare_bits(&spec, NLM_IDENTITY);
            if (outputs == 2)
                compare_bits(&spec, NLM_CLASSES);
            spec.hidden_layers = 2;
            spec.hidden[0] = 5, spec.hidden[1] = 11;
            if (outputs == 2)
                compare_bits(&spec, NLM_LIFT);
        }
}

/* ---- the kinds of worlds ---- */

static void families(void **state)
{
    (void)state;
    lifting_changes_nothing(nlm_task_find("grandparent"), 1, NLM_LIFT);
}

static void edge_graphs(void **state)
{
    (void)state;
    lifting_changes_nothing(nlm_task_find("4-connectivity"), 2, NLM_LIFT);
}

static void coloured_graphs(void **state)
{
    (void)state;
    lifting_changes_nothing(nlm_task_find("adjacent-to-red"), 3, NLM_LIFT);
}

static void nearest_graphs(void **state)
{
    (void)state;
    lifting_changes_nothing(nlm_task_find("6-connectivity"), 4, NLM_LIFT);
}

static void random_predicates(void **state)
{
    (void)state;
    lifting_changes_nothing(NULL, 5, NLM_LIFT);
}

static void families_by_exact_classes(void **state)
{
    (void)state;
    lifting_changes_nothing(nlm_task_find("grandparent"), 7, NLM_CLASSES);
}

static void random_predicates_by_exact_classes(void **state)
{
    (void)state;
    lifting_changes_nothing(NULL, 8, NLM_CLASSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families),
        cmocka_unit_test(edge_graphs),
        cmocka_unit_test(coloured_graphs),
        cmocka_unit_test(nearest_graphs),
        cmocka_unit_test(random_predicates),
        cmocka_unit_test(families_by_exact_classes),
        cmocka_unit_test(random_predicates_by_exact_classes),
        cmocka_unit_test(threads_and_used_memory_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
