/* safetensors: what is written is read again bit by bit; what is broken is refused, in one line that names
 * the file, the tensor and the cause. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "test.h"

#include "base/file.h"
#include "machine/safetensors.h"

/* ---- files made in memory ---- */

typedef struct image {
    unsigned char *bytes;
    size_t size;
} image;

/* A file with this header and `data` bytes 0, 1, 2, ... */
static image make_image(const char *header, size_t length, size_t data)
{
    image made = {test_malloc(8 + length + data), 8 + length + data};
    for (int i = 0; i < 8; i++)
        made.bytes[i] = (unsigned char)((uint64_t)length >> (8 * i));
    memcpy(made.bytes + 8, header, length);
    for (size_t i = 0; i < data; i++)
        made.bytes[8 + length + i] = (unsigned char)i;
    return made;
}

static void assert_refused(const void *bytes, size_t size, const char *tensor, const char *cause)
{
    safetensors *file = (safetensors *)&size;
    nlm_error error;
    assert_int_equal(safetensors_parse(bytes, size, "x.safetensors", &file, &error), NLM_BAD_FILE);
    assert_null(file);
    assert_int_equal(error.status, NLM_BAD_FILE);
    if (!strstr(error.message, cause))
        fail_msg("\"%s\" does not say \"%s\"", error.message, cause);
    char start[200];
    snprintf(start, sizeof start, tensor ? "x.safetensors: tensor '%s': " : "x.safetensors: ", tensor);
    if (strncmp(error.message, start, strlen(start)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", error.message, start);
    for (const char *c = error.message; *c; c++)
        assert_true((unsigned char)*c >= ' ');
    assert_int_equal(safetensors_parse(bytes, size, "x.safetensors", &file, NULL), NLM_BAD_FILE);
}

static void assert_header_refused(const char *header, size_t data, const char *tensor, const char *cause)
{
    image made = make_image(header, strlen(header), data);
    assert_refused(made.bytes, made.size, tensor, cause);
    test_free(made.bytes);
}

static safetensors *accept(const image *made)
{
    safetensors *file;
    nlm_error error = {0};
    if (safetensors_parse(made->bytes, made->size, "x.safetensors", &file, &error))
        fail_msg("%s", error.message);
    return file;
}

/* ---- reading ---- */

static void a_file_is_read(void **state)
{
    (void)state;
    const char *header = "{\"b\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]},"
                         "\"__metadata__\":{\"task\":\"uncle\",\"depth\":\"4\"},"
                         "\"a\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
                         "\"none\":{\"dtype\":\"F64\",\"shape\":[3,0],\"data_offsets\":[8,8]}}   ";
    image made = make_image(header, strlen(header), 16);
    safetensors *file = accept(&made);
    assert_int_equal(safetensors_count(file), 3);
    const safetensors_tensor *b = safetensors_at(file, 0), *a = safetensors_find(file, "a");
    assert_string_equal(b->name, "b");
    assert_int_equal(b->type, SAFETENSORS_F32);
    assert_int_equal(b->dimensions, 2);
    assert_int_equal(b->shape[0], 1);
    assert_int_equal(b->shape[1], 2);
    assert_int_equal(b->count, 2);
    assert_memory_equal(b->data, "\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 8);
    assert_ptr_equal(a, safetensors_at(file, 1));
    assert_int_equal(a->dimensions, 0);
    assert_int_equal(a->count, 1);
    assert_int_equal(safetensors_find(file, "none")->count, 0);
    assert_null(safetensors_find(file, "c"));
    assert_null(safetensors_find(file, "__metadata__"));
    safetensors_free(file);
    test_free(made.bytes);
}

static void metadata_is_read(void **state)
{
    (void)state;
    const char *header = "{\"__metadata__\":{\"task\":\"uncle\",\"depth\":\"4\",\"\":\"\"}}";
    image made = make_image(header, strlen(header), 0);
    safetensors *file = accept(&made);
    static const char *const expected[] = {"task", "uncle", "depth", "4", "", ""};
    int pairs;
    const char *const *found = safetensors_metadata_pairs(file, &pairs);
    assert_int_equal(pairs, 3);
    for (int i = 0; i < 6; i++)
        assert_string_equal(found[i], expected[i]);
    assert_string_equal(safetensors_metadata(file, "depth"), "4");
    assert_null(safetensors_metadata(file, "breadth"));
    safetensors_free(file);
    test_free(made.bytes);
}

static void an_empty_file_has_nothing(void **state)
{
    (void)state;
    image made = make_image("{}", 2, 0);
    safetensors *file = accept(&made);
    int pairs;
    assert_int_equal(safetensors_count(file), 0);
    assert_null(safetensors_find(file, ""));
    assert_null(safetensors_metadata(file, "depth"));
    safetensors_metadata_pairs(file, &pairs);
    assert_int_equal(pairs, 0);
    safetensors_free(file);
    safetensors_free(NULL);
    test_free(made.bytes);
}

static void only_floats_are_given_as_floats(void **state)
{
    (void)state;
    static const char *const names[] = {"F32", "F64", "I64", "I32", "U8"};
    static const size_t sizes[] = {4, 8, 8, 4, 1};
    for (int type = 0; type < 5; type++) {
        char header[100];
        assert_string_equal(safetensors_type_name((safetensors_type)type), names[type]);
        assert_int_equal(safetensors_type_size((safetensors_type)type), sizes[type]);
        /* An odd length, so that the data is not aligned. */
        int length = snprintf(header, sizeof header,
                              "{\"t\":{\"dtype\":\"%s\",\"shape\":[2],\"data_offsets\":[0,%zu]}}",
                              names[type], 2 * sizes[type]);
        header[length] = ' ';
        image made = make_image(header, (size_t)length | 1, 2 * sizes[type]);
        safetensors *file = accept(&made);
        float values[2] = {0};
        nlm_error error;
        nlm_status status = safetensors_floats(file, safetensors_at(file, 0), values, &error);
        assert_int_equal(status, type == SAFETENSORS_F32 ? NLM_OK : NLM_BAD_FILE);
        if (status)
            assert_non_null(strstr(error.message, names[type]));
        else
            assert_memory_equal(values, "\x00\x01\x02\x03\x04\x05\x06\x07", 8);
        safetensors_free(file);
        test_free(made.bytes);
    }
}

static void many_tensors_are_found_by_name(void **state)
{
    (void)state;
    char *header = test_malloc(200000);
    size_t length = 0;
    for (int i = 0; i < 1000; i++)
        length += (size_t)sprintf(header + length,
                                  "%c\"t%d\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%d,%d]}",
                                  i ? ',' : '{', i * 7919 % 1000, i, i + 1);
    header[length++] = '}';
    image made = make_image(header, length, 1000);
    safetensors *file = accept(&made);
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i * 7919 % 1000);
        assert_ptr_equal(safetensors_find(file, name), safetensors_at(file, i));
    }
    safetensors_free(file);
    test_free(made.bytes);
    test_free(header);
}

/* ---- broken files ---- */

static void a_broken_length_is_refused(void **state)
{
    (void)state;
    unsigned char bytes[16] = "\x08\0\0\0\0\0\0\0{}      ";
    assert_refused(NULL, 0, NULL, "0 bytes are too few");
    assert_refused(bytes, 7, NULL, "7 bytes are too few");
    assert_refused(bytes, 8, NULL, "header of 8 bytes in a file of 8");
    assert_refused(bytes, 15, NULL, "header of 8 bytes in a file of 15");
    bytes[0] = 0;
    assert_refused(bytes, 16, NULL, "header is not a JSON object");
    memcpy(bytes, "\x01\xe1\xf5\x05\0\0\0\0", 8);
    assert_refused(bytes, 16, NULL, "header of 100000001 bytes, at most 100000000");
    memset(bytes, 0xff, 8);
    assert_refused(bytes, 16, NULL, "header of 18446744073709551615 bytes");
}

static void a_broken_header_is_refused(void **state)
{
    (void)state;
    assert_header_refused("[]", 0, NULL, "header is not a JSON object");
    assert_header_refused(" {}", 0, NULL, "header is not a JSON object");
    assert_header_refused("null", 0, NULL, "header is not a JSON object");
    assert_header_refused("{", 0, NULL, "header: ");
    assert_header_refused("{}{}", 0, NULL, "header: ");
    assert_header_refused("{\"a\":\n}", 0, NULL, "header: ");
    assert_header_refused("{\"a\\u0000b\":{}}", 0, NULL, "header: ");
    assert_header_refused("{\"\xff\":{}}", 0, NULL, "header: unable to decode byte 0xff");
    assert_header_refused("{\"\xc0\xaf\":{}}", 0, NULL, "header: unable to decode byte 0xc0");
    assert_header_refused("{\"a\":99999999999999999999}", 0, NULL, "header: too big integer");
    image made = make_image("{}\0\0", 4, 0);
    assert_refused(made.bytes, made.size, NULL, "header: ");
    test_free(made.bytes);
}

static void a_name_given_twice_is_refused(void **state)
{
    (void)state;
#define EMPTY_U8 "{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}"
    assert_header_refused("{\"a\":" EMPTY_U8 ",\"a\":" EMPTY_U8 "}", 0, NULL, "duplicate object key");
    assert_header_refused("{\"a\":" EMPTY_U8 ",\"\\u0061\":" EMPTY_U8 "}", 0, NULL, "duplicate object key");
    assert_header_refused("{\"__metadata__\":{},\"__metadata__\":{}}", 0, NULL, "duplicate object key");
    assert_header_refused("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0, NULL, "duplicate object key");
}

/* A parser that descends without limit would overflow the stack here. */
static void deep_nesting_is_refused_quickly(void **state)
{
    (void)state;
    static const char *const starts[] = {"{\"a\":", "{\"__metadata__\":{\"a\":", "["};
    const size_t length = 10 << 20;
    char *header = test_malloc(length);
    for (size_t i = 0; i < 3; i++) {
        memset(header, '[', length);
        memcpy(header, starts[i], strlen(starts[i]));
        image made = make_image(header, length, 0);
        clock_t start = clock();
        assert_refused(made.bytes, made.size, NULL, "header");
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
        test_free(made.bytes);
    }
    for (size_t i = 0; i + 5 <= length; i += 5)
        memcpy(header + i, "{\"a\":", 5);
    image made = make_image(header, length, 0);
    assert_refused(made.bytes, made.size, NULL, "maximum parsing depth reached");
    test_free(made.bytes);
    test_free(header);
}

static void broken_metadata_is_refused(void **state)
{
    (void)state;
    assert_header_refused("{\"__metadata__\":[]}", 0, NULL, "__metadata__ is not a JSON object");
    assert_header_refused("{\"__metadata__\":\"x\"}", 0, NULL, "__metadata__ is not a JSON object");
    assert_header_refused("{\"__metadata__\":null}", 0, NULL, "__metadata__ is not a JSON object");
    assert_header_refused("{\"__metadata__\":{\"depth\":4}}", 0, NULL,
                          "__metadata__ 'depth' is not a string");
    assert_header_refused("{\"__metadata__\":{\"a\":\"\",\"b\":{}}}", 0, NULL, "'b' is not a string");
}

typedef struct broken_tensor {
    const char *entry; /* of tensor "t", in a file with 16 bytes of data */
    const char *cause;
} broken_tensor;

static void broken_tensors_are_refused(void **state)
{
    (void)state;
#define TENSOR(dtype, shape, offsets) "{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}"
    static const broken_tensor cases[] = {
        {"[]", "not an object"},
        {"1", "not an object"},
        {"{}", "dtype is missing"},
        {TENSOR("32", "[4]", "[0,16]"), "dtype is missing or not a string"},
        {TENSOR("\"BF16\"", "[8]", "[0,16]"), "dtype 'BF16' is not supported"},
        {TENSOR("\"f32\"", "[4]", "[0,16]"), "dtype 'f32' is not supported"},
        {"{\"dtype\":\"F32\",\"data_offsets\":[0,16]}", "shape is missing"},
        {TENSOR("\"F32\"", "4", "[0,16]"), "shape is missing or not an array"},
        {TENSOR("\"F32\"", "[4.0]", "[0,16]"), "shape[0] is not a whole number"},
        {TENSOR("\"F32\"", "[1,\"4\"]", "[0,16]"), "shape[1] is not a whole number"},
        {TENSOR("\"F32\"", "[-2,-2]", "[0,16]"), "shape[0] is not a whole number of at least 0"},
        {TENSOR("\"F32\"", "[1,1,1,1,1,1,1,1,4]", "[0,16]"), "9 dimensions, at most 8"},
        {TENSOR("\"F32\"", "[4611686018427387904]", "[0,0]"), "overflow"},
        {TENSOR("\"U8\"", "[4294967296,4294967296]", "[0,0]"), "overflow"},
        {TENSOR("\"F64\"", "[2305843009213693952,1]", "[0,0]"), "overflow"},
        {TENSOR("\"U8\"", "[9223372036854775807,9223372036854775807,0]", "[0,0]"), "overflow"},
        {TENSOR("\"F32\"", "[3]", "[0,16]"), "span 16 bytes, its shape needs 12"},
        {TENSOR("\"F64\"", "[4]", "[0,16]"), "span 16 bytes, its shape needs 32"},
        {TENSOR("\"F32\"", "[]", "[0,16]"), "span 16 bytes, its shape needs 4"},
        {"{\"dtype\":\"F32\",\"shape\":[4]}", "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "16"), "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "[16]"), "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "[0,8,16]"), "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "[0,16.0]"), "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "[\"0\",16]"), "data_offsets is not two"},
        {TENSOR("\"F32\"", "[4]", "[-16,0]"), "[-16, 0] are not in order"},
        {TENSOR("\"F32\"", "[4]", "[16,0]"), "[16, 0] are not in order"},
        {TENSOR("\"F32\"", "[4]", "[4,20]"), "data ends at 20, beyond the file's 16 bytes"},
        {TENSOR("\"U8\"", "[1]", "[9223372036854775806,9223372036854775807]"), "beyond the file's 16 bytes"},
        {TENSOR("\"F32\"", "[3]", "[2,14]"), "not a multiple of the 4 bytes of F32"},
        {TENSOR("\"F64\"", "[1]", "[4,12]"), "not a multiple of the 8 bytes of F64"},
        {TENSOR("\"F32\"", "[3]", "[4,16]"), "data begins at 4, after a hole of 4 bytes"},
        {TENSOR("\"F32\"", "[0]", "[16,16]"), "after a hole of 16 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char header[300];
        snprintf(header, sizeof header, "{\"t\":%s}", cases[i].entry);
        assert_header_refused(header, 16, "t", cases[i].cause);
    }
    assert_header_refused("{\"t\":" TENSOR("\"F32\"", "[3]", "[0,12]") "}", 16, NULL,
                          "4 bytes of data after the last tensor's");
    assert_header_refused("{}", 16, NULL, "16 bytes of data after the last tensor's");
}

static void tensors_that_do_not_tile_are_refused(void **state)
{
    (void)state;
#define BYTES(name, shape, offsets) "\"" name "\":" TENSOR("\"U8\"", shape, offsets)
    assert_header_refused("{" BYTES("b", "[4]", "[2,6]") "," BYTES("a", "[4]", "[0,4]") "}", 6, "b",
                          "overlaps that of tensor 'a'");
    assert_header_refused("{" BYTES("a", "[6]", "[0,6]") "," BYTES("b", "[2]", "[2,4]") "}", 6, "b",
                          "overlaps");
    assert_header_refused("{" BYTES("b", "[4]", "[0,4]") "," BYTES("a", "[4]", "[0,4]") "}", 4, "a",
                          "overlaps");
    assert_header_refused("{" BYTES("a", "[6]", "[0,6]") "," BYTES("b", "[0]", "[2,2]") "}", 6, "b",
                          "overlaps");
    assert_header_refused("{" BYTES("b", "[2]", "[4,6]") "," BYTES("a", "[2]", "[0,2]") "}", 6, "b",
                          "after a hole of 2 bytes");
}

static void hostile_names_stay_on_one_line(void **state)
{
    (void)state;
    assert_header_refused("{\"a\\nb\\u001b[2J\\u007f\":0}", 0, "a?b?[2J?", "not an object");
    assert_header_refused("{\"%s%n%d\":0}", 0, "%s%n%d", "not an object");
    /* A long name is cut between characters, and the cause stays visible. */
    char header[1000] = "{\"", shown[200];
    for (int i = 0; i < 300; i++)
        strcat(header, i == 0 ? "x" : "\xc3\xa9");
    strcat(header, "\":0}");
    snprintf(shown, sizeof shown, "%.99s...", header + 2);
    assert_header_refused(header, 0, shown, "not an object");
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    safetensors *file;
    nlm_error error;
    assert_int_equal(safetensors_read("/tmp/nlm-no-such-file", &file, &error), NLM_IO_ERROR);
    assert_null(file);
    assert_string_equal(error.message, "/tmp/nlm-no-such-file: No such file or directory");
    assert_int_equal(safetensors_read("/tmp", &file, &error), NLM_IO_ERROR);
    assert_int_equal(safetensors_read("/dev/null", &file, &error), NLM_BAD_FILE);
    assert_string_equal(error.message, "/dev/null: 0 bytes are too few for a safetensors file");
}

/* ---- writing ---- */

static int make_path(void **state)
{
    static char path[64];
    strcpy(path, "/tmp/nlm-test-safetensors-XXXXXX");
    if (!mkdtemp(path))
        return -1;
    strcat(path, "/model");
    *state = path;
    return 0;
}

static int remove_path(void **state)
{
    char *path = *state;
    unlink(path);
    *strrchr(path, '/') = '\0';
    return rmdir(path); /* fails when a temporary file was left behind */
}

static safetensors *read_back(const char *path)
{
    safetensors *file;
    nlm_error error = {0};
    if (safetensors_read(path, &file, &error))
        fail_msg("%s", error.message);
    return file;
}

static void what_is_written_is_read(void **state)
{
    const char *path = *state;
    const float weight[6] = {1, -2.5f, 0, -0.0f, 1e-45f, INFINITY}, bias[1] = {NAN};
    const safetensors_entry entries[] = {{"z.weight", 2, {2, 3}, weight},
                                         {"a \"quoted\"\n\xc3\xa9", 0, {0}, bias},
                                         {"none", 3, {2, 0, 5}, NULL}};
    static const char *const pairs[] = {"task", "uncle", "note", "line 1\nline 2"};
    nlm_error error;
    assert_int_equal(safetensors_write(path, entries, 3, pairs, 2, &error), NLM_OK);
    safetensors *file = read_back(path);
    assert_int_equal(safetensors_count(file), 3);
    for (int i = 0; i < 3; i++) {
        const safetensors_tensor *tensor = safetensors_at(file, i);
        float values[6];
        assert_string_equal(tensor->name, entries[i].name);
        assert_int_equal(tensor->type, SAFETENSORS_F32);
        assert_int_equal(tensor->dimensions, entries[i].dimensions);
        assert_memory_equal(tensor->shape, entries[i].shape, sizeof(int64_t) * (size_t)tensor->dimensions);
        assert_int_equal(safetensors_floats(file, tensor, values, &error), NLM_OK);
        if (tensor->count)
            assert_memory_equal(values, entries[i].values, tensor->count * sizeof(float));
    }
    int count;
    const char *const *found = safetensors_metadata_pairs(file, &count);
    assert_int_equal(count, 3);
    for (int i = 0; i < 4; i++)
        assert_string_equal(found[i], pairs[i]);
    assert_string_equal(found[4], "checksum");
    safetensors_free(file);
}

static void the_bytes_are_as_specified(void **state)
{
    const char *path = *state;
    const float value = 1;
    const safetensors_entry entry = {"b", 1, {1}, &value};
    static const char *const pairs[] = {"k", "v"};
    static const char expected[] = "{\"__metadata__\":{\"k\":\"v\",\"checksum\":\"crc32c:563d922a\"},"
                                   "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    assert_int_equal(safetensors_write(path, &entry, 1, pairs, 1, NULL), NLM_OK);
    buffer content = {0};
    size_t size, length = (sizeof expected - 1 + 7) / 8 * 8;
    assert_int_equal(file_read_all(path, 1000, &content, &size, NULL), NLM_OK);
    const unsigned char *bytes = content.data;
    assert_int_equal(size, 8 + length + 4);
    assert_int_equal(bytes[0], length);
    assert_memory_equal(bytes + 1, "\0\0\0\0\0\0\0", 7);
    assert_memory_equal(bytes + 8, expected, sizeof expected - 1);
    for (size_t i = sizeof expected - 1; i < length; i++)
        assert_int_equal(bytes[8 + i], ' ');
    assert_memory_equal(bytes + 8 + length, "\0\0\x80\x3f", 4);
    buffer_free(&content);
}

static void nothing_can_be_written(void **state)
{
    const char *path = *state;
    assert_int_equal(safetensors_write(path, NULL, 0, NULL, 0, NULL), NLM_OK);
    safetensors *file = read_back(path);
    assert_int_equal(safetensors_count(file), 0);
    safetensors_free(file);
}

static void assert_not_written(const char *path, const safetensors_entry *entries, int count,
                               const char *const *pairs, int pair_count, const char *cause)
{
    nlm_error error;
    assert_int_equal(safetensors_write(path, entries, count, pairs, pair_count, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, path));
    if (!strstr(error.message, cause))
        fail_msg("\"%s\" does not say \"%s\"", error.message, cause);
    assert_int_equal(access(path, F_OK), -1);
}

static void what_could_not_be_read_is_not_written(void **state)
{
    const char *path = *state;
    const float value = 1;
    const safetensors_entry twice[] = {{"a", 0, {0}, &value}, {"a", 0, {0}, &value}};
    const safetensors_entry reserved = {"__metadata__", 0, {0}, &value}, not_text = {"a\xff", 0, {0}, &value};
    const safetensors_entry deep = {"a", 9, {0}, &value}, negative = {"a", 2, {-1, -1}, &value};
    const safetensors_entry overflow = {"a", 2, {INT64_MAX, INT64_MAX}, &value};
    const safetensors_entry large = {"a", 2, {1 << 16, (1 << 14) - 1}, &value};
    static const char *const same_key[] = {"k", "1", "k", "2"}, *const bad_text[] = {"k", "\xff"};
    assert_not_written(path, twice, 2, NULL, 0, "tensor 'a': the name is taken");
    assert_not_written(path, &reserved, 1, NULL, 0, "tensor '__metadata__': the name is taken");
    assert_not_written(path, &not_text, 1, NULL, 0, "not valid UTF-8");
    assert_not_written(path, &deep, 1, NULL, 0, "tensor 'a': 9 dimensions");
    assert_not_written(path, &negative, 1, NULL, 0, "tensor 'a': the sizes of its shape");
    assert_not_written(path, &overflow, 1, NULL, 0, "tensor 'a': the sizes of its shape");
    assert_not_written(path, &large, 1, NULL, 0, "tensor 'a': the file would have more than");
    assert_not_written(path, NULL, 0, same_key, 2, "metadata 'k': the name is taken");
    assert_not_written(path, NULL, 0, bad_text, 1, "metadata 'k': not valid UTF-8");
}

static void writing_into_nowhere_is_an_error(void **state)
{
    (void)state;
    nlm_error error;
    assert_int_equal(safetensors_write("/tmp", NULL, 0, NULL, 0, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "/tmp: Is a directory");
    assert_int_equal(safetensors_write("/nlm-no-such-folder/m", NULL, 0, NULL, 0, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "/nlm-no-such-folder/m: No such file or directory");
}

/* ---- files of others ---- */

/* Write what was read and read it again: every F32 tensor, bit by bit. */
static void copy_and_compare(const char *source, const char *path)
{
    safetensors *file = read_back(source);
    int count = safetensors_count(file), pairs;
    const char *const *metadata = safetensors_metadata_pairs(file, &pairs);
    assert_true(count > 0);
    safetensors_entry *entries = test_calloc((size_t)count, sizeof *entries);
    int used = 0;
    for (int i = 0; i < count; i++) {
        const safetensors_tensor *tensor = safetensors_at(file, i);
        if (tensor->type != SAFETENSORS_F32)
            continue;
        float *values = test_malloc((tensor->count + 1) * sizeof *values);
        assert_int_equal(safetensors_floats(file, tensor, values, NULL), NLM_OK);
        safetensors_entry entry = {tensor->name, tensor->dimensions, {0}, values};
        memcpy(entry.shape, tensor->shape, sizeof entry.shape);
        entries[used++] = entry;
    }
    assert_int_equal(safetensors_write(path, entries, used, metadata, pairs, NULL), NLM_OK);
    safetensors *copy = read_back(path);
    assert_int_equal(safetensors_count(copy), used);
    for (int i = 0; i < used; i++) {
        const safetensors_tensor *before = safetensors_find(file, entries[i].name);
        const safetensors_tensor *after = safetensors_at(copy, i);
        assert_string_equal(after->name, before->name);
        assert_int_equal(after->count, before->count);
        assert_memory_equal(after->shape, before->shape, sizeof after->shape);
        assert_memory_equal(after->data, before->data, before->count * sizeof(float));
        test_free((float *)(uintptr_t)entries[i].values);
    }
    for (int i = 0; i < pairs; i++)
        assert_string_equal(safetensors_metadata(copy, metadata[2 * i]), metadata[2 * i + 1]);
    test_free(entries);
    safetensors_free(copy);
    safetensors_free(file);
}

static int copy_folder(const char *folder, const char *path)
{
    int copied = 0;
    DIR *listing = opendir(folder);
    if (!listing)
        return 0;
    for (struct dirent *entry; (entry = readdir(listing));) {
        char source[512];
        if (!strstr(entry->d_name, ".safetensors"))
            continue;
        snprintf(source, sizeof source, "%s/%s", folder, entry->d_name);
        copy_and_compare(source, path);
        copied++;
    }
    closedir(listing);
    return copied;
}

static void golden_files_survive_a_round_trip(void **state)
{
    const char *path = *state;
    int copied = copy_folder("tests/golden", path) + copy_folder("../shared/golden", path) +
                 copy_folder("../shared/pretrained", path);
    if (copied == 0) {
        print_message("no golden files: skipped\n");
        skip();
    }
    print_message("%d files\n", copied);
}

#define WITH_PATH(test) cmocka_unit_test_setup_teardown(test, make_path, remove_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(metadata_is_read),
        cmocka_unit_test(an_empty_file_has_nothing),
        cmocka_unit_test(only_floats_are_given_as_floats),
        cmocka_unit_test(many_tensors_are_found_by_name),
        cmocka_unit_test(a_broken_length_is_refused),
        cmocka_unit_test(a_broken_header_is_refused),
        cmocka_unit_test(a_name_given_twice_is_refused),
        cmocka_unit_test(deep_nesting_is_refused_quickly),
        cmocka_unit_test(broken_metadata_is_refused),
        cmocka_unit_test(broken_tensors_are_refused),
        cmocka_unit_test(tensors_that_do_not_tile_are_refused),
        cmocka_unit_test(hostile_names_stay_on_one_line),
        cmocka_unit_test(a_file_that_cannot_be_read_is_an_error),
        WITH_PATH(what_is_written_is_read),
        WITH_PATH(the_bytes_are_as_specified),
        WITH_PATH(nothing_can_be_written),
        WITH_PATH(what_could_not_be_read_is_not_written),
        cmocka_unit_test(writing_into_nowhere_is_an_error),
        WITH_PATH(golden_files_survive_a_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
