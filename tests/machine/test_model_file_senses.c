/* Model files of machines with a sense: they come back bit by bit, averages included; broken ones are
 * refused in one line that names the file and the cause. */
#include "machine/models.h"

#include "base/random.h"
#include "perception/lenet.h"

static const model seeing = {
    "seeing",
    {.depth = 2,
     .breadth = 2,
     .inputs = {0, 12, 1},
     .width = 4,
     .residual = true,
     .outputs = 2,
     .sense = "lenet"},
    1,
    {{"head", 1, 1, false}},
};

/* With averages that a run would leave. */
static nlm_machine *make_experienced(void)
{
    nlm_machine *machine = make(&seeing);
    random_stream random;
    random_start(&random, 1, 0);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count && strstr(tensor.name, "running_"); i++)
            tensor.values[i] = random_uniform(&random, 0.1f, 3.0f);
    }
    return machine;
}

static void a_seeing_machine_comes_back_bit_by_bit(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make_experienced();
    static const char *const pairs[] = {"note", "a b"};
    save(machine, made->file, pairs, 1);
    nlm_machine *back = load(made->file);
    assert_same_machine(machine, back);
    assert_string_equal(nlm_machine_spec(back)->sense, "lenet");
    assert_string_equal(nlm_machine_metadata(back, "sense"), "lenet");
    assert_string_equal(nlm_machine_metadata(back, "note"), "a b");
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor a = nlm_machine_tensor(machine, t), b = nlm_machine_tensor(back, t);
        assert_int_equal(a.dimensions, b.dimensions);
        assert_memory_equal(a.shape, b.shape, sizeof a.shape);
    }
    save(back, made->other, NULL, 0);
    assert_same_files(made->file, made->other);
    nlm_machine_free(machine);
    nlm_machine_free(back);
}

/* Names and shapes are PyTorch's, under the machine's prefix. */
static void the_file_holds_the_tensors_of_the_sense(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make_experienced();
    save(machine, made->file, NULL, 0);
    safetensors *file;
    assert_int_equal(safetensors_read(made->file, &file, NULL), NLM_OK);
    const safetensors_tensor *weight = safetensors_find(file, "sense.conv2.weight");
    assert_non_null(weight);
    assert_int_equal(weight->dimensions, 4);
    static const int64_t shape[] = {20, 10, 5, 5};
    assert_memory_equal(weight->shape, shape, sizeof shape);
    assert_int_equal(safetensors_count(file), nlm_machine_tensors(machine));
    assert_string_equal(safetensors_metadata(file, "sense"), "lenet");
    safetensors_free(file);
    nlm_machine_free(machine);
}

static void a_machine_without_a_sense_does_not_mention_one(void **state)
{
    folder *made = *state;
    save_model(&models[FAMILY], made->file);
    nlm_machine *machine = load(made->file);
    assert_null(nlm_machine_spec(machine)->sense);
    assert_null(nlm_machine_metadata(machine, "sense"));
    static const char *const pairs[] = {"sense", "lenet"};
    nlm_error error;
    assert_int_equal(nlm_machine_save(machine, made->file, pairs, 1, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "metadata 'sense': the machine's spec has this key"));
    nlm_machine_free(machine);
}

static const struct {
    const char *key, *text, *tensor;
    enum damage damage;
    const char *cause;
} broken[] = {
    {"sense", "nose", NULL, UNHARMED, "there is no sense 'nose'"},
    {"sense", "", NULL, UNHARMED, "there is no sense ''"},
    {"sense", "\"lenet\"", NULL, UNHARMED, "there is no sense '\"lenet\"'"},
    {"sense", "\x1b[31mlenet\n", NULL, UNHARMED, "there is no sense '?[31mlenet?'"},
    {"inputs", "[0, 9, 1]", NULL, UNHARMED,
     "the sense 'lenet' makes 10 input predicates of arity 1, the machine reads 9"},
    {"inputs", "[0, 0, 1]", NULL, UNHARMED, "the sense 'lenet' makes 10 input predicates of arity 1"},
    {NULL, NULL, "sense.conv1.weight", DROPPED, "tensor 'sense.conv1.weight' is missing"},
    {NULL, NULL, "sense.linear2.bias", DROPPED, "tensor 'sense.linear2.bias' is missing"},
    {NULL, NULL, "sense.norm2.running_var", DROPPED, "tensor 'sense.norm2.running_var' is missing"},
    {NULL, NULL, "sense.linear2.weight", TRANSPOSED,
     "tensor 'sense.linear2.weight' has shape [50, 10], its machine needs [10, 50]"},
    {NULL, NULL, "sense.conv2.weight", TRANSPOSED,
     "tensor 'sense.conv2.weight' has shape [10, 20, 5, 5], its machine needs [20, 10, 5, 5]"},
    {NULL, NULL, "sense.norm1.running_mean", LONGER,
     "tensor 'sense.norm1.running_mean' has shape [11], its machine needs [10]"},
    {NULL, NULL, "sense.conv1.bias", NOT_A_NUMBER, "tensor 'sense.conv1.bias' holds NaN or infinity"},
    {NULL, NULL, "sense.norm1.running_var", INFINITE,
     "tensor 'sense.norm1.running_var' holds NaN or infinity"},
    {"heads", "[{\"name\": \"sense.linear2\", \"arity\": 1, \"outputs\": 10}]", NULL, UNHARMED,
     "tensor 'sense.linear2.weight' has shape"},
};

static void broken_senses_are_refused(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make_experienced();
    save(machine, made->file, NULL, 0);
    for (size_t i = 0; i < COUNT(broken); i++)
        assert_change_refused(made,
                              (change){broken[i].key, broken[i].text, broken[i].tensor, broken[i].damage},
                              broken[i].cause);
    nlm_machine_free(machine);
}

/* What says nothing of a sense reads numbers, whatever tensors there are. */
static void a_file_that_names_no_sense_has_none(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make_experienced();
    save(machine, made->file, NULL, 0);
    rewrite(made->file, made->other, &(change){.key = "sense"});
    nlm_machine *back = load(made->other);
    assert_null(nlm_machine_spec(back)->sense);
    assert_int_equal(nlm_machine_tensors(back), nlm_machine_tensors(machine) - LENET_TENSORS);
    nlm_machine_free(machine);
    nlm_machine_free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_seeing_machine_comes_back_bit_by_bit),
        IN_FOLDER(the_file_holds_the_tensors_of_the_sense),
        IN_FOLDER(a_machine_without_a_sense_does_not_mention_one),
        IN_FOLDER(broken_senses_are_refused),
        IN_FOLDER(a_file_that_names_no_sense_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
