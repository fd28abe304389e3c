/* Model files that are broken: each is refused in one line that names the file and the cause. */
#define _GNU_SOURCE /* memmem */
#include <sys/resource.h>
#include "machine/checksum.h"
#include "machine/models.h"

static const struct {
    const char *key, *text, *cause;
} bad_specs[] = {
    {"depth", NULL, "metadata 'depth' is missing"},
    {"depth", "", "metadata 'depth': "},
    {"depth", "four", "metadata 'depth': "},
    {"depth", "4 4", "metadata 'depth': "},
    {"depth", "4\n\n]", "metadata 'depth': "},
    {"depth", "4.0", "metadata 'depth' is not a small integer"},
    {"depth", "[4]", "metadata 'depth' is not a small integer"},
    {"depth", "null", "metadata 'depth' is not a small integer"},
    {"depth", "10000000000", "metadata 'depth' is not a small integer"},
    {"depth", "99999999999999999999999", "metadata 'depth': too big integer"},
    {"depth", "1000000000", "depth 1000000000 is not in 1..64"},
    {"depth", "0", "depth 0 is not in 1..64"},
    {"depth", "-4", "depth -4 is not in 1..64"},
    {"breadth", NULL, "metadata 'breadth' is missing"},
    {"breadth", "\"3\"", "metadata 'breadth' is not a small integer"},
    {"breadth", "6", "breadth 6 is not in 1..5"},
    {"breadth", "2147483647", "breadth 2147483647 is not in 1..5"},
    {"breadth", "1", "input predicates of arity 2 need breadth 2, not 1"},
    {"inputs", NULL, "metadata 'inputs' is missing"},
    {"inputs", "4", "metadata 'inputs' is not a JSON list of at most 6 small integers"},
    {"inputs", "{\"2\": 4}", "metadata 'inputs' is not a JSON list"},
    {"inputs", "[0, 0, 4", "metadata 'inputs': "},
    {"inputs", "[0, 0, \"4\"]", "metadata 'inputs' is not a JSON list"},
    {"inputs", "[0, 0, 4, 0, 0, 0, 0]", "metadata 'inputs' is not a JSON list"},
    {"inputs", "[0, 0, -4]", "-4 input predicates of arity 2"},
    {"inputs", "[]", "no input predicates"},
    {"width", NULL, "metadata 'width' is missing"},
    {"width", "1000000000", "width 1000000000 is not in 1..4096"},
    {"width", "0", "width 0 is not in 1..4096"},
    {"hidden", NULL, "metadata 'hidden' is missing"},
    {"hidden", "8", "metadata 'hidden' is not a JSON list of at most 4 small integers"},
    {"hidden", "[1, 1, 1, 1, 1]", "metadata 'hidden' is not a JSON list"},
    {"hidden", "[1000000000]", "hidden layer size 1000000000 is not in 1..4096"},
    {"residual", NULL, "metadata 'residual' is missing"},
    {"residual", "yes", "metadata 'residual': "},
    {"residual", "2", "metadata 'residual' is not 0 or 1"},
    {"residual", "-1", "metadata 'residual' is not 0 or 1"},
    {"residual", "\"1\"", "metadata 'residual' is not 0 or 1"},
    {"residual", "null", "metadata 'residual' is not 0 or 1"},
    {"residual", "1.0", "metadata 'residual' is not 0 or 1"},
    {"outputs", "2", "metadata 'outputs' is not a JSON list"},
    {"outputs", "[]", "no output arity is wanted"},
    {"outputs", "[4]", "an output arity is above breadth 3"},
    {"outputs", "[-1]", "metadata 'outputs': arity -1 is not in 0..5"},
    {"outputs", "[32]", "metadata 'outputs': arity 32 is not in 0..5"},
    {"widths", "8", "metadata 'widths' is not a JSON table"},
    {"widths", "[]", "metadata 'widths' is not a JSON table"},
    {"widths", "[[8, 8, 8, 8]]", "metadata 'widths' is not a JSON table"},
    {"widths", "[[8, 8, 8, 8], [8, 8, 8, 8], [8, 8, 8], [8, 8, 8, 8]]", "metadata 'widths' is not"},
    {"widths", "[[8, 8, 8, 8], [8, 8, 8, 8], [8, 8, 8, 8, 8], [8, 8, 8, 8]]", "metadata 'widths' is not"},
    {"widths", "[[8, 8, 8, 8], [8, 8, 8, 8], [8, 8, 8, 8], [8, 8, 8, -8]]", "width -8 of layer 4, arity 3"},
    {"widths", "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]", "arity 2 has no predicates"},
    {"format", "nlm 2", "metadata 'format' is 'nlm 2', this version of nlm reads 'nlm 1'"},
    {"format", "", "metadata 'format' is ''"},
    {"format", "\x1b[31mnlm\n", "metadata 'format' is '?[31mnlm?'"},
};

static void bad_spec_is_refused(void **state)
{
    folder *made = *state;
    save_model(&models[FAMILY], made->file);
    for (size_t i = 0; i < COUNT(bad_specs); i++)
        assert_change_refused(made, (change){.key = bad_specs[i].key, .text = bad_specs[i].text},
                              bad_specs[i].cause);
}

static void bad_heads_are_refused(void **state)
{
    folder *made = *state;
    static const struct {
        const char *text, *cause;
    } bad[] = {
        {"1", "metadata 'heads' is not a JSON list"},
        {"[", "metadata 'heads': "},
        {"[1]", "metadata 'heads' is not a JSON list"},
        {"[{}]", "metadata 'heads' is not a JSON list"},
        {"[{\"arity\": 2, \"outputs\": 1}]", "metadata 'heads' is not"},
        {"[{\"name\": 5, \"arity\": 2, \"outputs\": 1}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"outputs\": 1}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"arity\": 2}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"arity\": 2.5, \"outputs\": 1}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"name\": \"b\", \"arity\": 2, \"outputs\": 1}]",
         "metadata 'heads': duplicate"},
        {"[{}, {}, {}, {}, {}, {}, {}, {}, {}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1}]", "head 'head' reads outputs of arity 1"},
        {"[{\"name\": \"head\", \"arity\": -1, \"outputs\": 1}]", "head 'head' reads outputs of arity -1"},
        {"[{\"name\": \"head\", \"arity\": 999, \"outputs\": 1}]", "head 'head' reads outputs of arity 999"},
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": 2}]",
         "tensor 'head.weight' has shape [1, 8], its machine needs [2, 8]"},
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": 2000000000}]", "tensor 'head.weight' has shape"},
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": -1}]", "tensor 'head.weight' has shape"},
        {"[{\"name\": \"other\", \"arity\": 2, \"outputs\": 1}]", "tensor 'other.weight' is missing"},
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1}, {\"name\": \"head\", \"arity\": 2, "
         "\"outputs\": 1}]",
         "two heads are called 'head'"},
        {"[{\"name\": \"layer.0.arity.2.mlp.0\", \"arity\": 2, \"outputs\": 8}]", "no usable name"},
        {"[{\"name\": \"\", \"arity\": 2, \"outputs\": 1}]", "tensor '.weight' is missing"},
    };
    save_model(&models[FAMILY], made->file);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_change_refused(made, (change){.key = "heads", .text = bad[i].text}, bad[i].cause);
}

static void a_very_long_head_name_is_refused(void **state)
{
    folder *made = *state;
    char text[1100];
    strcpy(text, "[{\"arity\": 2, \"outputs\": 1, \"name\": \"");
    size_t length = strlen(text);
    memset(text + length, 'x', 1000);
    strcpy(text + length + 1000, "\"}]");
    save_model(&models[FAMILY], made->file);
    assert_change_refused(made, (change){.key = "heads", .text = text}, "xxx");
}

static void bad_tensors_are_refused(void **state)
{
    folder *made = *state;
    static const struct {
        const char *tensor;
        enum damage damage;
        const char *cause;
    } bad[] = {
        {"layer.0.arity.3.mlp.0.weight", DROPPED, "is missing"},
        {"layer.3.arity.2.mlp.0.bias", DROPPED, "is missing"},
        {"head.weight", DROPPED, "is missing"},
        {"head.bias", DROPPED, "is missing"},
        {"layer.0.arity.3.mlp.0.weight", TRANSPOSED, "has shape [24, 8], its machine needs [8, 24]"},
        {"layer.0.arity.3.mlp.0.weight", LONGER, "has shape [9, 24], its machine needs [8, 24]"},
        {"layer.0.arity.3.mlp.0.weight", FLAT, "has shape [192], its machine needs [8, 24]"},
        {"layer.0.arity.3.mlp.0.bias", LONGER, "has shape [9], its machine needs [8]"},
        {"head.bias", LONGER, "has shape [2], its machine needs [1]"},
        {"layer.0.arity.3.mlp.0.weight", NOT_A_NUMBER, "holds NaN or infinity"},
        {"layer.2.arity.1.mlp.0.bias", INFINITE, "holds NaN or infinity"},
        {"head.bias", INFINITE, "holds NaN or infinity"},
    };
    save_model(&models[FAMILY], made->file);
    for (size_t i = 0; i < COUNT(bad); i++) {
        char cause[200];
        snprintf(cause, sizeof cause, "tensor '%s' %s", bad[i].tensor, bad[i].cause);
        assert_change_refused(made, (change){.tensor = bad[i].tensor, .damage = bad[i].damage}, cause);
    }
}

/* A type of the same size, so that only its name in the header has to change. */
static void another_type_is_refused(void **state)
{
    folder *made = *state;
    save_model(&models[FAMILY], made->file);
    buffer bytes = {0};
    size_t size = read_bytes(made->file, &bytes);
    forget_checksum(&bytes, size);
    char *place = memmem(bytes.data, size, "\"head.bias\":{\"dtype\":\"F32\"", 26);
    assert_non_null(place);
    memcpy(place + 22, "I32", 3);
    file_writer writer;
    assert_int_equal(file_writer_open(&writer, made->other, NULL), NLM_OK);
    assert_int_equal(file_writer_write(&writer, bytes.data, size, NULL), NLM_OK);
    assert_int_equal(file_writer_commit(&writer, NULL), NLM_OK);
    assert_refused(made->other, NLM_BAD_FILE, "tensor 'head.bias': dtype is I32");
    assert_int_equal(truncate(made->other, (off_t)size - 1), 0);
    assert_refused(made->other, NLM_BAD_FILE, "");
    buffer_free(&bytes);
}

static void a_file_of_something_else_is_refused(void **state)
{
    folder *made = *state;
    assert_int_equal(safetensors_write(made->file, NULL, 0, NULL, 0, NULL), NLM_OK);
    assert_refused(made->file, NLM_BAD_FILE, "metadata 'depth' is missing");
}

static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss; /* kilobytes */
}

/* A few kilobytes that describe a machine of gigabytes. */
static void a_small_file_cannot_ask_for_much_memory(void **state)
{
    folder *made = *state;
    static const char *const pairs[] = {"depth",    "64",
                                        "breadth",  "5",
                                        "inputs",   "[9, 9, 9, 9, 9, 9]",
                                        "width",    "4096",
                                        "hidden",   "[4096, 4096, 4096, 4096]",
                                        "residual", "1"};
    assert_int_equal(safetensors_write(made->file, NULL, 0, pairs, 6, NULL), NLM_OK);
    long before = most_memory();
    assert_refused(made->file, NLM_BAD_FILE, "tensor 'layer.0.arity.0.mlp.0.weight' is missing");
    save_model(&models[FAMILY], made->file);
    assert_change_refused(made, (change){.key = "width", .text = "4096"}, "its machine needs [4096, 8]");
    assert_true(most_memory() - before < 100000);
}

/* ---- checksums ---- */

static void the_checksum_is_a_known_one(void **state)
{
    (void)state;
    checksum sum;
    checksum_start(&sum);
    assert_int_equal(checksum_crc(&sum, 0, "123456789", 9), 0xE3069283u);
    assert_int_equal(checksum_crc(&sum, checksum_crc(&sum, 0, "1234", 4), "56789", 5), 0xE3069283u);
}

/* Tensors and metadata are those of the whole file; only the checksum may be none any more. */
static void assert_same_content(const safetensors *whole, const safetensors *found)
{
    int pairs, found_pairs;
    const char *const *pair = safetensors_metadata_pairs(whole, &pairs);
    safetensors_metadata_pairs(found, &found_pairs);
    assert_int_equal(found_pairs, pairs);
    for (int i = 0; i < pairs; i++)
        if (strcmp(pair[2 * i], "checksum"))
            assert_string_equal(safetensors_metadata(found, pair[2 * i]), pair[2 * i + 1]);
    assert_int_equal(safetensors_count(found), safetensors_count(whole));
    for (int i = 0; i < safetensors_count(whole); i++) {
        const safetensors_tensor *before = safetensors_at(whole, i);
        const safetensors_tensor *after = safetensors_find(found, before->name);
        assert_non_null(after);
        assert_int_equal(after->type, before->type);
        assert_memory_equal(after->shape, before->shape, sizeof after->shape);
        assert_memory_equal(after->data, before->data, before->count * sizeof(float));
    }
}

static void a_flipped_bit_is_noticed(void **state)
{
    folder *made = *state;
    static const char *const pairs[] = {"task", "uncle", "note", "\u00e9"};
    nlm_machine *machine = make(&models[PLAIN]);
    save(machine, made->file, pairs, 2);
    nlm_machine_free(machine);
    buffer bytes = {0}, copy = {0};
    size_t size = read_bytes(made->file, &bytes), accepted = 0;
    assert_int_equal(read_bytes(made->file, &copy), size);
    safetensors *whole, *found;
    CHECK(safetensors_parse(copy.data, size, "whole", &whole, &check_error));
    assert_non_null(safetensors_metadata(whole, "checksum"));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        ((unsigned char *)bytes.data)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (!safetensors_parse(bytes.data, size, "flipped", &found, NULL)) {
            assert_same_content(whole, found);
            safetensors_free(found);
            accepted++;
        }
        ((unsigned char *)bytes.data)[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    assert_true(accepted < 8 * strlen("checksumcrc32c:"));
    ((unsigned char *)bytes.data)[size - 1] ^= 1;
    FILE *file = fopen(made->file, "wb");
    assert_int_equal(fwrite(bytes.data, 1, size, file), size);
    fclose(file);
    assert_refused(made->file, NLM_BAD_FILE, "damaged: the checksum of its content is crc32c:");
    safetensors_free(whole);
    buffer_free(&bytes);
    buffer_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(bad_spec_is_refused),
        IN_FOLDER(bad_heads_are_refused),
        IN_FOLDER(a_very_long_head_name_is_refused),
        IN_FOLDER(bad_tensors_are_refused),
        IN_FOLDER(another_type_is_refused),
        IN_FOLDER(a_file_of_something_else_is_refused),
        IN_FOLDER(a_small_file_cannot_ask_for_much_memory),
        cmocka_unit_test(the_checksum_is_a_known_one),
        IN_FOLDER(a_flipped_bit_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
