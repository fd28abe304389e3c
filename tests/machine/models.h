/* For the tests of model files: small machines of every kind, a folder for every test, and files changed in
 * one place. */
#ifndef TESTS_MACHINE_MODELS_H
#define TESTS_MACHINE_MODELS_H

#include <math.h>
#include <unistd.h>
#include "test.h"

#include "base/file.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "machine/safetensors.h"

/* ---- a folder of its own for every test ---- */

typedef struct folder {
    char path[64];
    char file[96];  /* path/model */
    char other[96]; /* path/other */
} folder;

static inline int make_folder(void **state)
{
    static folder made;
    strcpy(made.path, "/tmp/nlm-test-model-XXXXXX");
    if (!mkdtemp(made.path))
        return -1;
    snprintf(made.file, sizeof made.file, "%s/model", made.path);
    snprintf(made.other, sizeof made.other, "%s/other", made.path);
    *state = &made;
    return 0;
}

static inline int remove_folder(void **state)
{
    folder *made = *state;
    unlink(made->file);
    unlink(made->other);
    return rmdir(made->path); /* fails, and so does the test, when anything else was left behind */
}

static inline size_t read_bytes(const char *path, buffer *bytes)
{
    size_t size;
    assert_int_equal(file_read_all(path, SIZE_MAX, bytes, &size, NULL), NLM_OK);
    return size;
}

static inline void assert_same_files(const char *left, const char *right)
{
    buffer a = {0}, b = {0};
    size_t a_size = read_bytes(left, &a), b_size = read_bytes(right, &b);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a.data, b.data, a_size);
    buffer_free(&a);
    buffer_free(&b);
}

/* Makes the checksum of a file in memory an unknown text, so that what was changed is not found by it. */
static inline void forget_checksum(buffer *bytes, size_t size)
{
    static const char key[] = "\"checksum\"";
    char *at = bytes->data;
    for (size_t i = 0; i + sizeof key <= size; i++)
        if (!memcmp(at + i, key, sizeof key - 1))
            memcpy(at + i, "\"noticing\"", sizeof key - 1);
}

/* ---- machines ---- */

typedef struct model {
    const char *what;
    nlm_spec spec;
    int head_count;
    nlm_head_spec heads[NLM_MAX_HEADS];
} model;

/* Group widths of `groups` are 24, 25, 27: a head of a file that lists none can be told from its width. */
static const model models[] = {
    {"plain", {.depth = 2, .breadth = 2, .inputs = {0, 1, 3}, .width = 4, .outputs = 4}, 0, {{0}}},
    {"family",
     {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
     1,
     {{"head", 2, 1, false}}},
    {"hidden",
     {.depth = 2,
      .breadth = 2,
      .inputs = {0, 2, 1},
      .width = 3,
      .hidden_layers = 2,
      .hidden = {5, 7},
      .outputs = 7},
     2,
     {{"value", 0, 1, false}, {"head", 1, 4, false}}},
    {"groups",
     {.depth = 3, .breadth = 2, .inputs = {0, 1, 3}, .width = 8, .residual = true, .outputs = 7},
     3,
     {{"head", 2, 2, false}, {"valid", 1, 1, false}, {"h\u00e9ad \"3\"", 0, 3, false}}},
    {"twins",
     {.depth = 2, .breadth = 2, .inputs = {0, 1, 6}, .width = 3, .residual = true, .outputs = 6},
     2,
     {{"head", 2, 1, true}, {"valid", 2, 2, false}}},
    {"own widths",
     {.depth = 3,
      .breadth = 3,
      .inputs = {1, 2, 3, 1},
      .width = -7,
      .own_widths = true,
      .widths = {{2, 3, 4, 5}, {0, 6, 7, 0}, {1, 1, 9, 2}},
      .outputs = 15},
     1,
     {{"head", 3, 1, false}}},
    {"own widths, residual",
     {.depth = 2,
      .breadth = 1,
      .inputs = {2, 3},
      .own_widths = true,
      .widths = {{0, 3}, {2, 0}},
      .hidden_layers = 1,
      .hidden = {4},
      .residual = true,
      .outputs = 3},
     0,
     {{0}}},
    {"no unit at all",
     {.depth = 1, .breadth = 1, .inputs = {0, 3}, .own_widths = true, .residual = true, .outputs = 2},
     1,
     {{"head", 1, 1, false}}},
};
enum { PLAIN, FAMILY, HIDDEN, GROUPS, TWINS };

static inline nlm_machine *make(const model *from)
{
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_new(&from->spec, from->heads, from->head_count, &machine, &error))
        fail_msg("%s: %s", from->what, error.message);
    nlm_machine_initialise(machine, 42);
    return machine;
}

static inline void save(nlm_machine *machine, const char *path, const char *const *metadata, int pairs)
{
    nlm_error error;
    if (nlm_machine_save(machine, path, metadata, pairs, &error))
        fail_msg("%s", error.message);
}

static inline nlm_machine *load(const char *path)
{
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_load(path, &machine, &error))
        fail_msg("%s", error.message);
    return machine;
}

static inline void save_model(const model *from, const char *path)
{
    nlm_machine *machine = make(from);
    save(machine, path, NULL, 0);
    nlm_machine_free(machine);
}

static inline void assert_same_spec(const nlm_spec *a, const nlm_spec *b)
{
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->breadth, b->breadth);
    assert_memory_equal(a->inputs, b->inputs, sizeof a->inputs);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->own_widths, b->own_widths);
    assert_memory_equal(a->widths, b->widths, sizeof a->widths);
    assert_int_equal(a->hidden_layers, b->hidden_layers);
    assert_memory_equal(a->hidden, b->hidden, sizeof a->hidden);
    assert_int_equal(a->residual, b->residual);
    assert_int_equal(a->outputs, b->outputs);
}

static inline void assert_same_machine(nlm_machine *a, nlm_machine *b)
{
    assert_same_spec(nlm_machine_spec(a), nlm_machine_spec(b));
    assert_int_equal(nlm_machine_heads(a), nlm_machine_heads(b));
    for (int h = 0; h < nlm_machine_heads(a); h++) {
        const nlm_head_spec *left = nlm_machine_head(a, h), *right = nlm_machine_head(b, h);
        assert_string_equal(left->name, right->name);
        assert_int_equal(left->arity, right->arity);
        assert_int_equal(left->outputs, right->outputs);
        assert_int_equal(left->twins, right->twins);
    }
    assert_int_equal(nlm_machine_tensors(a), nlm_machine_tensors(b));
    for (int t = 0; t < nlm_machine_tensors(a); t++) {
        nlm_tensor left = nlm_machine_tensor(a, t), right = nlm_machine_tensor(b, t);
        assert_string_equal(left.name, right.name);
        assert_int_equal(left.count, right.count);
        assert_memory_equal(left.values, right.values, left.count * sizeof(float));
    }
}

/* ---- files changed in one place ---- */

enum damage { UNHARMED, DROPPED, TRANSPOSED, LONGER, FLAT, NOT_A_NUMBER, INFINITE };

typedef struct change {
    const char *key, *text; /* this metadata's text becomes `text`, or is left out when that is NULL */
    const char *tensor;     /* this tensor is harmed */
    enum damage damage;
} change;

static inline void harm(safetensors_entry *entry, float *values, enum damage damage)
{
    int64_t rows = entry->shape[0];
    if (damage == TRANSPOSED) {
        entry->shape[0] = entry->shape[1];
        entry->shape[1] = rows;
    } else if (damage == LONGER) {
        entry->shape[0]++;
    } else if (damage == FLAT) {
        entry->shape[0] *= entry->shape[1];
        entry->dimensions = 1;
    } else if (damage == NOT_A_NUMBER) {
        values[1] = NAN;
    } else if (damage == INFINITE) {
        values[0] = -INFINITY;
    }
}

/* The metadata of a file with a change; returns the number of pairs. */
static inline int change_pairs(const safetensors *file, const change *changed, const char **pairs)
{
    int count = 0, old_count;
    const char *const *old = safetensors_metadata_pairs(file, &old_count);
    for (int i = 0; i < old_count; i++) {
        if (changed->key && !strcmp(old[2 * i], changed->key))
            continue;
        pairs[2 * count] = old[2 * i];
        pairs[2 * count++ + 1] = old[2 * i + 1];
    }
    if (changed->key && changed->text) {
        pairs[2 * count] = changed->key;
        pairs[2 * count++ + 1] = changed->text;
    }
    return count;
}

static inline void rewrite(const char *from, const char *to, const change *changed)
{
    enum { MOST_TENSORS = 200, MOST_PAIRS = 20, ROOM = 1 << 14 };
    static safetensors_entry entries[MOST_TENSORS];
    static float values[MOST_TENSORS][ROOM];
    const char *pairs[2 * MOST_PAIRS];
    safetensors *file;
    int count = 0;
    assert_int_equal(safetensors_read(from, &file, NULL), NLM_OK);
    assert_true(safetensors_count(file) < MOST_TENSORS);
    bool found = !changed->tensor;
    for (int t = 0; t < safetensors_count(file); t++) {
        const safetensors_tensor *tensor = safetensors_at(file, t);
        bool harmed = changed->tensor && !strcmp(tensor->name, changed->tensor);
        found = found || harmed;
        if (harmed && changed->damage == DROPPED)
            continue;
        assert_true(tensor->count + 64 < ROOM);
        assert_int_equal(safetensors_floats(file, tensor, values[count], NULL), NLM_OK);
        entries[count] = (safetensors_entry){tensor->name, tensor->dimensions, {0}, values[count]};
        memcpy(entries[count].shape, tensor->shape, sizeof tensor->shape);
        if (harmed)
            harm(&entries[count], values[count], changed->damage);
        count++;
    }
    assert_true(found);
    int pair_count = change_pairs(file, changed, pairs);
    assert_int_equal(safetensors_write(to, entries, count, pairs, pair_count, NULL), NLM_OK);
    safetensors_free(file);
}

/* Loading fails with a message that is one line and names the file and the cause. */
static inline void assert_refused(const char *path, nlm_status status, const char *cause)
{
    nlm_machine *machine = (nlm_machine *)&status;
    nlm_error error;
    nlm_status got = nlm_machine_load(path, &machine, &error);
    if (got != status)
        fail_msg("status %d instead of %d for \"%s\"", got, status, cause);
    assert_null(machine);
    assert_int_equal(error.status, status);
    if (!strstr(error.message, cause))
        fail_msg("\"%s\" does not say \"%s\"", error.message, cause);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    for (const char *c = error.message; *c; c++)
        assert_true((unsigned char)*c >= ' ');
    assert_int_equal(nlm_machine_load(path, &machine, NULL), status);
}

static inline void assert_change_refused(const folder *made, change changed, const char *cause)
{
    rewrite(made->file, made->other, &changed);
    assert_refused(made->other, NLM_BAD_FILE, cause);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

#endif
