/* Memory networks against PyTorch: logits and gradients of all tensors.  tools/make-memnn-golden.py made the
 * files. */
#include "memnns.h"

#include "machine/safetensors.h"

#define FOLDER "tests/golden/baseline/"
#define TOLERANCE 1e-5 /* of the largest number of a tensor */

static safetensors *file;

/* A tensor of the file; exactly so many floats. */
static void read_tensor(const char *name, float *values, size_t count)
{
    const safetensors_tensor *tensor = safetensors_find(file, name);
    if (!tensor || tensor->count != count)
        fail_msg("no tensor %s of %zu numbers", name, count);
    assert_int_equal(safetensors_floats(file, tensor, values, NULL), NLM_OK);
}

static void read_part(int world, const char *part, float *values, size_t count)
{
    char name[128];
    snprintf(name, sizeof name, "%d.%s", world, part);
    read_tensor(name, values, count);
}

static void read_world(struct fixture *f, int number, int *names)
{
    struct baseline_world *w = &f->world[number];
    size_t n = (size_t)w->objects, things = f->model->twins ? n / 2 : n;
    float numbers[MEMNN_MOST_THINGS];
    read_part(number, "names", numbers, things);
    for (size_t i = 0; i < things; i++)
        names[i] = (int)numbers[i];
    if (f->model->properties)
        read_part(number, "input.1", f->input[number][1], n * (size_t)f->model->properties);
    if (f->model->relations)
        read_part(number, "input.2", f->input[number][2], n * n * (size_t)f->model->relations);
    for (int h = 0; h < f->model->heads; h++) {
        char name[64];
        size_t numbers_of = head_numbers(&f->model->head[h], w->objects);
        snprintf(name, sizeof name, "d%s", f->model->head[h].name);
        read_part(number, name, f->dlogits[number][h], numbers_of);
        memset(f->logits[number][h], 0, numbers_of * sizeof(float));
    }
}

/* Relative to the largest number, or to `least` if that is larger; returns the largest. */
static double assert_close(const char *name, const float *values, size_t count, double least)
{
    float *expected = malloc((count + 1) * sizeof *expected);
    double largest = least, error = 0.0;
    read_tensor(name, expected, count);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs((double)expected[i]));
        error = fmax(error, fabs((double)values[i] - (double)expected[i]));
    }
    free(expected);
    if (!(error <= TOLERANCE * largest))
        fail_msg("%s: off by %g, the largest is %g", name, error, largest);
    return largest;
}

/* A bias is held against the scale of its weight: that of the keys has gradient 0 in theory. */
static void compare_gradients(const struct fixture *f)
{
    const float *gradient = f->gradients;
    double scale = 0.0;
    for (int t = 0; t < f->model->tensors; t++) {
        const struct baseline_tensor *tensor = &f->model->tensor[t];
        size_t count = (size_t)(tensor->shape[0] * (tensor->dimensions == 2 ? tensor->shape[1] : 1));
        char name[BASELINE_NAME_SIZE + 1];
        snprintf(name, sizeof name, "d%s", tensor->name);
        scale = assert_close(name, gradient, count, tensor->dimensions == 2 ? 0.0 : scale);
        gradient += count;
    }
}

static void compare_logits(const struct fixture *f)
{
    for (int w = 0; w < f->count; w++)
        for (int h = 0; h < f->model->heads; h++) {
            char name[64];
            snprintf(name, sizeof name, "%d.%s", w, f->model->head[h].name);
            assert_close(name, f->logits[w][h], head_numbers(&f->model->head[h], f->world[w].objects), 0.0);
        }
}

/* The step of the file, and then its forward as in a test. */
static void compare(const char *path, const nlm_spec *spec, const nlm_head_spec *heads, int head_count,
                    const int *objects, int worlds)
{
    static int names[MOST_WORLDS][MEMNN_MOST_THINGS];
    const int *given[MOST_WORLDS];
    struct fixture *f = fixture_new(spec, heads, head_count);
    float *value = f->values;
    assert_int_equal(safetensors_read(path, &file, NULL), NLM_OK);
    for (int t = 0; t < f->model->tensors; t++) {
        const struct baseline_tensor *tensor = &f->model->tensor[t];
        size_t count = (size_t)(tensor->shape[0] * (tensor->dimensions == 2 ? tensor->shape[1] : 1));
        read_tensor(tensor->name, value, count);
        value += count;
    }
    for (int w = 0; w < worlds; w++) {
        fixture_add(f, objects[w], 1);
        read_world(f, w, names[w]);
        given[w] = names[w];
    }
    assert_int_equal(memnn_forward(f->work, NULL, f->values, f->world, f->count, given, true, NULL), NLM_OK);
    compare_logits(f);
    assert_int_equal(
        memnn_baseline.backward(f->work, NULL, f->values, f->world, f->count, f->gradients, NULL), NLM_OK);
    compare_gradients(f);
    assert_int_equal(memnn_forward(f->work, NULL, f->values, f->world, f->count, given, false, NULL), NLM_OK);
    compare_logits(f);
    safetensors_free(file);
    fixture_free(f);
}

static void four_rounds_about_pairs(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(4, 16, 0, 4, 1);
    nlm_head_spec heads[] = {{.name = "grandparent", .arity = 2, .outputs = 1}};
    spec.hidden[0] = 8;
    compare(FOLDER "memnn.safetensors", &spec, heads, 1, (int[]){5, 3}, 2);
}

static void objects_and_pairs_without_hidden_layers(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 12, 2, 3, 0);
    nlm_head_spec heads[] = {{.name = "one", .arity = 1, .outputs = 2},
                             {.name = "two", .arity = 2, .outputs = 1}};
    compare(FOLDER "memnn_plain.safetensors", &spec, heads, 2, (int[]){4, 1, 6}, 3);
}

static void twins_in_one_round(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 9, 0, 3, 2);
    nlm_head_spec heads[] = {{.name = "move", .arity = 2, .outputs = 2, .twins = true}};
    spec.hidden[0] = 7;
    spec.hidden[1] = 6;
    compare(FOLDER "memnn_twins.safetensors", &spec, heads, 1, (int[]){8}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_rounds_about_pairs),
        cmocka_unit_test(objects_and_pairs_without_hidden_layers),
        cmocka_unit_test(twins_in_one_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
