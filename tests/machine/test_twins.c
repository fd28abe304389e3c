/* Twin heads: their definition written out, policies, probabilities, what is refused, and the authors' agent
 * for the blocks world. */
#include "twins.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "machine/safetensors.h"

static fixture f;

/* ---- the definition ---- */

/* What a twin head reads at (i, j) of a world, in order; returns how many numbers that is. */
static size_t concatenate(int world, int i, int j, const float *unary, float *row)
{
    int n = objects[world] / 2, all = objects[world], width = nlm_machine_output_width(f.machine, 1);
    int inputs = nlm_machine_spec(f.machine)->inputs[2], properties = inputs / 3;
    const int parts[] = {i, i + n, j, j + n};
    size_t count = 0;
    for (int part = 0; part < 4; part++)
        for (int c = 0; c < width; c++)
            row[count++] = unary[parts[part] * width + c];
    for (int relation = 0; relation < 3; relation++)
        for (int half = 0; half < 2; half++)
            for (int p = 0; p < properties; p++) {
                int pair = (i + half * n) * all + j + half * n;
                row[count++] = f.inputs[world][2][pair * inputs + relation * properties + p];
            }
    return count;
}

/* Logits of all pairs, [n][n][outputs]. */
static void define_logits(int world, int head, double *logits)
{
    static float unary[MOST_OBJECTS * 64], row[4 * 64 + 2 * MOST_INPUTS];
    char name[32];
    snprintf(name, sizeof name, "%s.weight", heads[head].name);
    nlm_tensor weight = tensor_called(f.machine, name);
    snprintf(name, sizeof name, "%s.bias", heads[head].name);
    nlm_tensor bias = tensor_called(f.machine, name);
    int n = objects[world] / 2, outputs = heads[head].outputs;
    CHECK(nlm_pass_output(f.pass, world, 1, unary, &check_error));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t count = concatenate(world, i, j, unary, row);
            assert_int_equal(weight.shape[1], count);
            for (int h = 0; h < outputs; h++) {
                double sum = (double)bias.values[h];
                for (size_t c = 0; c < count; c++)
                    sum += (double)weight.values[(size_t)h * count + c] * (double)row[c];
                logits[(i * n + j) * outputs + h] = i == j ? 0.0 : sum;
            }
        }
}

static void assert_defined(const char *what, int head)
{
    static double expected[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS];
    static float logits[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS];
    for (int w = 0; w < WORLDS; w++) {
        size_t count = cells(objects[w] / 2, 2) * (size_t)heads[head].outputs;
        define_logits(w, head, expected);
        logits[count] = 12345.0f;
        CHECK(nlm_pass_logits(f.pass, w, head, logits, &check_error));
        assert_true(logits[count] == 12345.0f);
        for (size_t i = 0; i < count; i++)
            if (!(fabs((double)logits[i] - expected[i]) <= 1e-5) || (expected[i] == 0.0 && logits[i] != 0.0f))
                fail_msg("%s, head %s, world %d: logit %zu is %g, not %g", what, heads[head].name, w, i,
                         (double)logits[i], expected[i]);
    }
}

static void logits_are_what_the_definition_says(void **state)
{
    (void)state;
    static const nlm_kernel kernels[] = {NLM_KERNEL_REFERENCE, NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2,
                                         NLM_KERNEL_AVX512};
    for (size_t m = 0; m < COUNT(machines); m++)
        for (size_t k = 0; k < COUNT(kernels); k++)
            for (int way = 0; way < 4 && nlm_kernel_available(kernels[k]); way++) {
                nlm_options options = {
                    .kernel = kernels[k], .lifting = way % 2 ? NLM_IDENTITY : NLM_LIFT, .threads = way + 1};
                start(&f, &machines[m].spec, options, way < 2);
                CHECK(nlm_pass_forward(f.pass, f.structure, way > 1, &check_error));
                assert_defined(machines[m].what, MOVE);
                assert_defined(machines[m].what, VALID);
                finish(&f);
            }
}

/* Pairs whose inputs are alike share a row, or the tests above would say nothing of lifting. */
static void the_inputs_of_pairs_are_lifted(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(machines); m++) {
        start(&f, &machines[m].spec, (nlm_options){0}, true);
        nlm_structure_level level = nlm_structure_level_at(f.structure, 0, 2);
        assert_true(level.live);
        assert_true(level.classes < level.tuples);
        finish(&f);
    }
}

/* ---- policies and probabilities ---- */

/* The softmax of logit 0 over tuples of different objects; returns -sum p log p. */
static double define_softmax(const float *logits, int count, int arity, int outputs, double *p)
{
    double sum = 0.0, entropy = 0.0;
    for (int i = 0; i < (int)cells(count, arity); i++) {
        bool repeats = arity == 2 && i / count == i % count;
        p[i] = repeats ? 0.0 : exp((double)logits[i * outputs]);
        sum += p[i];
    }
    for (int i = 0; i < (int)cells(count, arity); i++) {
        p[i] /= sum;
        entropy -= p[i] > 0.0 ? p[i] * log(p[i]) : 0.0;
    }
    return entropy;
}

static void probabilities_are_the_softmax(void **state)
{
    (void)state;
    float logits[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS], got[MOST_OBJECTS * MOST_OBJECTS];
    double expected[MOST_OBJECTS * MOST_OBJECTS];
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    nlm_tensor weight = tensor_called(f.machine, "move.weight");
    for (size_t i = 0; i < weight.count; i++)
        weight.values[i] *= 20.0f;
    CHECK(nlm_pass_forward(f.pass, f.structure, false, &check_error));
    for (int w = 0; w < WORLDS; w++)
        for (int h = 0; h < HEADS; h++) {
            int count = heads[h].twins ? objects[w] / 2 : objects[w];
            double sum = 0.0;
            CHECK(nlm_pass_logits(f.pass, w, h, logits, &check_error));
            define_softmax(logits, count, heads[h].arity, heads[h].outputs, expected);
            CHECK(nlm_pass_probabilities(f.pass, w, h, got, &check_error));
            for (size_t i = 0; i < cells(count, heads[h].arity); i++) {
                assert_true(fabs((double)got[i] - expected[i]) <= 1e-6);
                assert_true(expected[i] > 0.0 || got[i] == 0.0f);
                sum += (double)got[i];
            }
            assert_true(fabs(sum - 1.0) <= 1e-6);
        }
    nlm_error error;
    assert_int_equal(nlm_pass_probabilities(f.pass, WORLDS, 0, got, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_probabilities(f.pass, 0, HEADS, got, &error), NLM_BAD_ARGUMENT);
    finish(&f);
}

static void the_policy_loss_is_what_the_definition_says(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(machines); m++) {
        nlm_policy_result result;
        double loss = 0.0, mean = 0.0;
        start(&f, &machines[m].spec, (nlm_options){0}, true);
        CHECK(nlm_pass_forward(f.pass, f.structure, false, &check_error));
        CHECK(nlm_pass_policy(f.pass, VALID, actions, advantages, 0.3, &result, &check_error));
        for (int w = 0; w < WORLDS; w++) {
            float logits[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS];
            double p[MOST_OBJECTS * MOST_OBJECTS];
            int n = objects[w] / 2;
            CHECK(nlm_pass_logits(f.pass, w, VALID, logits, &check_error));
            double entropy = define_softmax(logits, n, 2, MOST_OUTPUTS, p);
            loss -= advantages[w] * log(p[actions[2 * w] * n + actions[2 * w + 1]]) + 0.3 * entropy;
            mean += entropy / WORLDS;
        }
        assert_true(fabs(result.loss - loss) <= 1e-5);
        assert_true(fabs(result.entropy - mean) <= 1e-5);
        finish(&f);
    }
}

static void bad_actions_are_refused(void **state)
{
    (void)state;
    static const int bad[][2] = {{0, 0}, {3, 0}, {0, 3}, {-1, 0}, {5, 2}};
    nlm_policy_result result;
    nlm_error error;
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    CHECK(nlm_pass_forward(f.pass, f.structure, true, &check_error));
    for (size_t i = 0; i < COUNT(bad); i++) {
        int taken[2 * WORLDS];
        memcpy(taken, actions, sizeof taken);
        memcpy(taken, bad[i], sizeof bad[i]);
        assert_int_equal(nlm_pass_policy(f.pass, MOVE, taken, advantages, 0.0, &result, &error),
                         NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "world 0 is no tuple of distinct objects of the first half"));
    }
    finish(&f);
}

/* ---- what is refused ---- */

static void twins_without_what_they_read_are_refused(void **state)
{
    (void)state;
    static const struct {
        nlm_head_spec head;
        int inputs;
        unsigned outputs;
        const char *cause;
    } bad[] = {
        {{"h", 1, 1, true}, 3, 6, "head 'h' is a twin head: its arity is 2, not 1"},
        {{"h", 0, 1, true}, 3, 7, "head 'h' is a twin head: its arity is 2, not 0"},
        {{"h", 2, 1, true}, 3, 4, "head 'h' reads outputs of arity 1, which are not wanted"},
        {{"h", 2, 1, true}, 4, 2, "the 4 inputs of arity 2 are not three relations"},
        {{"h", 2, 1, true}, 0, 2, "the 0 inputs of arity 2 are not three relations"},
        {{"h", 2, 0, true}, 3, 2, "0 outputs are not in 1..4096"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_machine *machine;
        nlm_error error;
        nlm_spec spec = {.depth = 2, .breadth = 2, .inputs = {0, 1, bad[i].inputs}, .width = 3};
        spec.outputs = bad[i].outputs;
        assert_int_equal(nlm_machine_new(&spec, &bad[i].head, 1, &machine, &error), NLM_BAD_ARGUMENT);
        assert_null(machine);
        if (!strstr(error.message, bad[i].cause))
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[i].cause);
    }
}

/* A batch with one world of so many objects, and its structure. */
static void build_single(int count)
{
    static const float zeros[MOST_OBJECTS * MOST_OBJECTS * MOST_INPUTS];
    const float *tensors[] = {NULL, NULL, zeros};
    nlm_batch_clear(f.batch);
    CHECK(nlm_batch_add_tensors(f.batch, count, tensors, &check_error));
    CHECK(nlm_structure_build(f.structure, f.machine, f.batch, &f.options, &check_error));
}

static void objects_without_twins_are_refused(void **state)
{
    (void)state;
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    for (int count = 1; count <= 9; count += 2) {
        nlm_error error;
        float logits[MOST_OBJECTS * MOST_OBJECTS];
        char cause[64];
        snprintf(cause, sizeof cause, "world 0 has %d objects", count);
        build_single(count);
        assert_int_equal(nlm_pass_forward(f.pass, f.structure, true, &error), NLM_BAD_SHAPE);
        assert_non_null(strstr(error.message, cause));
        assert_int_equal(nlm_pass_logits(f.pass, 0, MOVE, logits, &error), NLM_BAD_ARGUMENT);
    }
    finish(&f);
}

/* Two objects are one pair of twins, and no move. */
static void a_pair_of_twins_has_no_action(void **state)
{
    (void)state;
    nlm_policy_result result;
    float got[2] = {7.0f, 7.0f};
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    build_single(2);
    CHECK(nlm_pass_forward(f.pass, f.structure, true, &check_error));
    CHECK(nlm_pass_logits(f.pass, 0, MOVE, got, &check_error));
    assert_true(got[0] == 0.0f && got[1] == 7.0f);
    got[0] = 7.0f;
    CHECK(nlm_pass_probabilities(f.pass, 0, MOVE, got, &check_error));
    assert_true(got[0] == 0.0f && got[1] == 7.0f);
    assert_int_equal(nlm_pass_policy(f.pass, MOVE, actions, advantages, 0.0, &result, NULL),
                     NLM_BAD_ARGUMENT);
    CHECK(nlm_pass_backward(f.pass, &check_error));
    finish(&f);
}

static void pairs_of_twins_have_no_labels(void **state)
{
    (void)state;
    nlm_bce_result result;
    nlm_error error;
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    CHECK(nlm_pass_forward(f.pass, f.structure, true, &check_error));
    assert_int_equal(nlm_pass_bce(f.pass, MOVE, 0, 0, 1.0, &result, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "head 'move' is a twin head"));
    finish(&f);
}

/* ---- files ---- */

static void a_saved_machine_has_the_same_logits(void **state)
{
    (void)state;
    char path[] = "/tmp/nlm-test-twins-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t m = 0; m < COUNT(machines); m++) {
        float logits[2][MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS] = {{0}};
        start(&f, &machines[m].spec, (nlm_options){0}, true);
        CHECK(nlm_machine_save(f.machine, path, NULL, 0, &check_error));
        nlm_machine *loaded;
        nlm_pass *pass;
        CHECK(nlm_machine_load(path, &loaded, &check_error));
        CHECK(nlm_pass_new(loaded, &pass, &check_error));
        for (int h = 0; h < HEADS; h++) {
            assert_int_equal(nlm_machine_head(loaded, h)->twins, heads[h].twins);
            CHECK(nlm_pass_forward(f.pass, f.structure, false, &check_error));
            CHECK(nlm_pass_logits(f.pass, 2, h, logits[0], &check_error));
            CHECK(nlm_pass_forward(pass, f.structure, false, &check_error));
            CHECK(nlm_pass_logits(pass, 2, h, logits[1], &check_error));
            assert_memory_equal(logits[0], logits[1], sizeof logits[0]);
        }
        nlm_pass_free(pass);
        nlm_machine_free(loaded);
        finish(&f);
    }
    unlink(path);
}

/* ---- the authors' agent ---- */

#define PRETRAINED "../shared/pretrained/"

/* A tensor of a file; NULL if there is none. */
static float *read_tensor(const safetensors *file, int number, const char *what, int64_t *rows)
{
    char name[64];
    snprintf(name, sizeof name, "case.%d.%s", number, what);
    const safetensors_tensor *tensor = safetensors_find(file, name);
    if (!tensor)
        return NULL;
    float *values = memory_new(tensor->count, sizeof *values);
    assert_non_null(values);
    CHECK(safetensors_floats(file, tensor, values, &check_error));
    *rows = tensor->shape[0];
    return values;
}

/* Comparisons <, =, > of the four properties of a state, [count][count][12]. */
static float *compare(const float *state, int64_t count)
{
    float *pairs = memory_new((size_t)(count * count), 12 * sizeof *pairs);
    assert_non_null(pairs);
    for (int64_t x = 0; x < count; x++)
        for (int64_t y = 0; y < count; y++)
            for (int64_t p = 0; p < 4; p++) {
                float a = state[x * 4 + p], b = state[y * 4 + p];
                float *pair = pairs + (x * count + y) * 12;
                pair[p] = a < b ? 1.0f : 0.0f;
                pair[4 + p] = a == b ? 1.0f : 0.0f;
                pair[8 + p] = a > b ? 1.0f : 0.0f;
            }
    return pairs;
}

/* The score of every move of one case, lifted and not. */
static void check_case(const safetensors *file, int number, float *state, int64_t count)
{
    int64_t n;
    float *expected = read_tensor(file, number, "logits", &n), *pairs = compare(state, count);
    float *logits = memory_new((size_t)(n * n), sizeof *logits);
    const float *tensors[] = {NULL, NULL, pairs};
    assert_int_equal(count, 2 * n);
    nlm_batch_clear(f.batch);
    CHECK(nlm_batch_add_tensors(f.batch, (int)count, tensors, &check_error));
    for (int way = 0; way < 2; way++) {
        nlm_options options = {.lifting = way ? NLM_IDENTITY : NLM_LIFT};
        CHECK(nlm_structure_build(f.structure, f.machine, f.batch, &options, &check_error));
        CHECK(nlm_pass_forward(f.pass, f.structure, false, &check_error));
        CHECK(nlm_pass_logits(f.pass, 0, 0, logits, &check_error));
        for (int64_t i = 0; i < n * n; i++)
            if (i / n != i % n && !(fabsf(logits[i] - expected[i]) <= 1e-4f))
                fail_msg("case %d: move %d has %g, not %g", number, (int)i, (double)logits[i],
                         (double)expected[i]);
    }
    memory_free(logits);
    memory_free(pairs);
    memory_free(expected);
}

static void the_pretrained_agent_scores_moves_as_its_authors_saw(void **state)
{
    (void)state;
    if (access(PRETRAINED "blocksworld_cases.safetensors", R_OK)) {
        print_message("%s is not there\n", PRETRAINED);
        skip();
    }
    safetensors *file;
    CHECK(safetensors_read(PRETRAINED "blocksworld_cases.safetensors", &file, &check_error));
    CHECK(nlm_machine_load(PRETRAINED "blocksworld.safetensors", &f.machine, &check_error));
    assert_int_equal(nlm_machine_heads(f.machine), 2);
    CHECK(nlm_batch_new(nlm_machine_spec(f.machine)->inputs, 2, &f.batch, &check_error));
    CHECK(nlm_structure_new(&f.structure, &check_error));
    CHECK(nlm_pass_new(f.machine, &f.pass, &check_error));
    int number = 0;
    int64_t count;
    for (float *rows; (rows = read_tensor(file, number, "state", &count)); number++) {
        check_case(file, number, rows, count);
        memory_free(rows);
    }
    assert_true(number > 0);
    safetensors_free(file);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_what_the_definition_says),
        cmocka_unit_test(the_inputs_of_pairs_are_lifted),
        cmocka_unit_test(probabilities_are_the_softmax),
        cmocka_unit_test(the_policy_loss_is_what_the_definition_says),
        cmocka_unit_test(bad_actions_are_refused),
        cmocka_unit_test(twins_without_what_they_read_are_refused),
        cmocka_unit_test(objects_without_twins_are_refused),
        cmocka_unit_test(a_pair_of_twins_has_no_action),
        cmocka_unit_test(pairs_of_twins_have_no_labels),
        cmocka_unit_test(a_saved_machine_has_the_same_logits),
        cmocka_unit_test(the_pretrained_agent_scores_moves_as_its_authors_saw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
