/* Model files: what is saved is loaded bit by bit, files of others are understood, and a save that fails
 * leaves the old file. */
#include <dirent.h>
#include <errno.h>
#include "machine/model_file.h"
#include "machine/models.h"

/* ---- round trips ---- */

static void every_machine_comes_back_bit_by_bit(void **state)
{
    folder *made = *state;
    for (size_t i = 0; i < COUNT(models); i++) {
        nlm_machine *machine = make(&models[i]);
        save(machine, made->file, NULL, 0);
        nlm_machine *loaded = load(made->file);
        assert_same_machine(machine, loaded);
        save(loaded, made->other, NULL, 0);
        assert_same_files(made->file, made->other);
        nlm_machine_free(machine);
        nlm_machine_free(loaded);
    }
}

static void unusual_numbers_come_back(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make(&models[PLAIN]);
    const float unusual[] = {-0.0f, 1e-45f, 3.4028235e38f, -1.17549435e-38f};
    memcpy(nlm_machine_tensor(machine, 0).values, unusual, sizeof unusual);
    save(machine, made->file, NULL, 0);
    nlm_machine *loaded = load(made->file);
    assert_same_machine(machine, loaded);
    nlm_machine_free(machine);
    nlm_machine_free(loaded);
}

static void the_file_says_what_the_machine_is(void **state)
{
    folder *made = *state;
    static const char *const expected[] = {"format",   "nlm 1",     "depth",   "3",        "breadth", "2",
                                           "inputs",   "[0, 1, 3]", "width",   "8",        "hidden",  "[]",
                                           "residual", "1",         "outputs", "[0, 1, 2]"};
    save_model(&models[GROUPS], made->file);
    safetensors *file;
    assert_int_equal(safetensors_read(made->file, &file, NULL), NLM_OK);
    for (size_t i = 0; i < COUNT(expected); i += 2)
        assert_string_equal(safetensors_metadata(file, expected[i]), expected[i + 1]);
    assert_non_null(
        strstr(safetensors_metadata(file, "heads"), "{\"name\": \"head\", \"arity\": 2, \"outputs\": 2}"));
    assert_null(safetensors_metadata(file, "widths"));
    const safetensors_tensor *weight = safetensors_find(file, "layer.1.arity.2.mlp.0.weight");
    assert_int_equal(weight->shape[0], 8);
    assert_int_equal(weight->shape[1], 2 * (9 + 11));
    safetensors_free(file);
}

/* ---- metadata ---- */

static void metadata_is_given_back(void **state)
{
    folder *made = *state;
    static const char *const pairs[] = {"task", "uncle", "note", "l\u00f6sung\n\"2\"", "", ""};
    nlm_machine *machine = make(&models[FAMILY]);
    assert_null(nlm_machine_metadata(machine, "task"));
    save(machine, made->file, pairs, 3);
    nlm_machine *loaded = load(made->file);
    assert_string_equal(nlm_machine_metadata(loaded, "task"), "uncle");
    assert_string_equal(nlm_machine_metadata(loaded, "note"), pairs[3]);
    assert_string_equal(nlm_machine_metadata(loaded, ""), "");
    assert_string_equal(nlm_machine_metadata(loaded, "depth"), "4");
    assert_null(nlm_machine_metadata(loaded, "Task"));
    nlm_machine_free(machine);
    nlm_machine_free(loaded);
}

static void metadata_is_kept_until_replaced(void **state)
{
    folder *made = *state;
    static const char *const first[] = {"task", "uncle", "seed", "7"}, *const second[] = {"note", "new"};
    nlm_machine *machine = make(&models[FAMILY]);
    save(machine, made->file, first, 2);
    nlm_machine *loaded = load(made->file);
    save(loaded, made->other, NULL, 0);
    assert_same_files(made->file, made->other);
    save(loaded, made->other, second, 1);
    nlm_machine *replaced = load(made->other);
    assert_string_equal(nlm_machine_metadata(replaced, "note"), "new");
    assert_null(nlm_machine_metadata(replaced, "task"));
    assert_null(nlm_machine_metadata(replaced, "seed"));
    nlm_machine_free(machine);
    nlm_machine_free(loaded);
    nlm_machine_free(replaced);
}

/* Saving fails with the cause, and the old file stays. */
static void assert_not_saved(const folder *made, nlm_machine *machine, const char *const *pairs, int count,
                             const char *cause)
{
    nlm_error error;
    assert_int_equal(nlm_machine_save(machine, made->file, pairs, count, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(error.status, NLM_BAD_ARGUMENT);
    if (!strstr(error.message, cause) || strncmp(error.message, made->file, strlen(made->file)))
        fail_msg("\"%s\" does not say \"%s\"", error.message, cause);
    assert_null(strchr(error.message, '\n'));
    assert_int_equal(nlm_machine_save(machine, made->file, pairs, count, NULL), NLM_BAD_ARGUMENT);
    assert_same_files(made->file, made->other);
}

static void bad_metadata_is_not_saved(void **state)
{
    folder *made = *state;
    static const char *const own[] = {"format", "depth",    "breadth", "inputs", "width",
                                      "hidden", "residual", "outputs", "heads",  "widths"};
    nlm_machine *machine = make(&models[FAMILY]);
    save(machine, made->file, NULL, 0);
    save(machine, made->other, NULL, 0);
    for (size_t i = 0; i < COUNT(own); i++) {
        const char *pairs[] = {"task", "uncle", own[i], "1"};
        assert_not_saved(made, machine, pairs, 2, own[i]);
    }
    static const char *const twice[] = {"a", "1", "b", "2", "a", "3"};
    assert_not_saved(made, machine, twice, 3, "metadata 'a'");
    static const char *const no_text[] = {"a", NULL}, *const no_key[] = {NULL, "a"};
    assert_not_saved(made, machine, no_text, 1, "metadata pair 0");
    assert_not_saved(made, machine, no_key, 1, "metadata pair 0");
    static const char *const not_utf8[] = {"a", "\xff\xfe"};
    assert_not_saved(made, machine, not_utf8, 1, "UTF-8");
    assert_not_saved(made, machine, NULL, 1, "1 pairs");
    assert_not_saved(made, machine, twice, -1, "-1 pairs");
    nlm_machine_free(machine);
}

/* ---- saving that fails ---- */

static void a_ruined_machine_does_not_replace_a_good_file(void **state)
{
    folder *made = *state;
    nlm_machine *machine = make(&models[FAMILY]);
    save(machine, made->file, NULL, 0);
    save(machine, made->other, NULL, 0);
    nlm_tensor last = nlm_machine_tensor(machine, nlm_machine_tensors(machine) - 1);
    last.values[0] = NAN;
    assert_not_saved(made, machine, NULL, 0, "tensor 'head.bias' holds NaN or infinity");
    last.values[0] = INFINITY;
    assert_not_saved(made, machine, NULL, 0, "tensor 'head.bias' holds NaN or infinity");
    nlm_machine_free(machine);
}

static void a_head_that_is_not_utf8_is_not_saved(void **state)
{
    folder *made = *state;
    model odd = models[FAMILY];
    odd.heads[0].name = "\xc3(";
    save_model(&models[FAMILY], made->file);
    save_model(&models[FAMILY], made->other);
    nlm_machine *machine = make(&odd);
    assert_not_saved(made, machine, NULL, 0, "head 0 is not valid UTF-8");
    nlm_machine_free(machine);
}

static void a_missing_folder_is_an_error(void **state)
{
    folder *made = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/missing/model", made->path);
    nlm_machine *machine = make(&models[FAMILY]);
    nlm_error error;
    assert_int_equal(nlm_machine_save(machine, path, NULL, 0, &error), NLM_IO_ERROR);
    assert_non_null(strstr(error.message, path));
    nlm_machine_free(machine);
    assert_refused(path, NLM_IO_ERROR, strerror(ENOENT));
}

/* ---- files of others ---- */

static void residual_may_be_a_truth_value(void **state)
{
    folder *made = *state;
    save_model(&models[GROUPS], made->file);
    rewrite(made->file, made->other, &(change){.key = "residual", .text = "true"});
    nlm_machine *machine = load(made->other);
    assert_true(nlm_machine_spec(machine)->residual);
    nlm_machine_free(machine);
    save_model(&models[FAMILY], made->file);
    rewrite(made->file, made->other, &(change){.key = "residual", .text = "false"});
    machine = load(made->other);
    assert_false(nlm_machine_spec(machine)->residual);
    nlm_machine_free(machine);
}

/* Only what reaches the wanted outputs is read; the other units' tensors and unknown ones are ignored. */
static void tensors_that_are_not_needed_are_ignored(void **state)
{
    folder *made = *state;
    save_model(&models[GROUPS], made->file);
    rewrite(made->file, made->other, &(change){.key = "heads", .text = "[]"});
    rewrite(made->other, made->other, &(change){.key = "outputs", .text = "[0]"});
    rewrite(made->other, made->other,
            &(change){.tensor = "layer.2.arity.2.mlp.0.weight", .damage = NOT_A_NUMBER});
    nlm_machine *machine = load(made->other);
    assert_int_equal(nlm_machine_heads(machine), 0);
    assert_true(nlm_machine_unit_live(machine, 3, 0));
    assert_false(nlm_machine_unit_live(machine, 3, 2));
    assert_int_equal(nlm_machine_tensors(machine), 2 * (3 + 2 + 1));
    nlm_machine_free(machine);
}

/* A file as others write it: without format, outputs and heads. */
static nlm_machine *load_bare(const folder *made, const model *from, change changed)
{
    save_model(from, made->file);
    static const char *const ours[] = {"format", "outputs", "heads"};
    for (size_t i = 0; i < COUNT(ours); i++)
        rewrite(made->file, made->file, &(change){.key = ours[i]});
    rewrite(made->file, made->other, &changed);
    return load(made->other);
}

static void outputs_and_heads_are_found_without_metadata(void **state)
{
    folder *made = *state;
    nlm_machine *machine = load_bare(made, &models[GROUPS], (change){0});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 6); /* what the heads read */
    assert_int_equal(nlm_machine_heads(machine), 2);         /* the third is called neither head nor valid */
    assert_string_equal(nlm_machine_head(machine, 0)->name, "head");
    assert_int_equal(nlm_machine_head(machine, 0)->arity, 2);
    assert_int_equal(nlm_machine_head(machine, 0)->outputs, 2);
    assert_string_equal(nlm_machine_head(machine, 1)->name, "valid");
    assert_int_equal(nlm_machine_head(machine, 1)->arity, 1);
    nlm_machine *original = make(&models[GROUPS]);
    nlm_tensor found = nlm_machine_tensor(machine, machine->head_tensor[0]);
    nlm_tensor saved = nlm_machine_tensor(original, original->head_tensor[0]);
    assert_string_equal(found.name, "head.weight");
    assert_memory_equal(found.values, saved.values, saved.count * sizeof(float));
    nlm_machine_free(machine);
    nlm_machine_free(original);
}

static void only_existing_outputs_are_wanted_by_default(void **state)
{
    folder *made = *state;
    /* nothing of arity 0 yet after one layer that reads arity 2 */
    static const model shallow = {
        "shallow", {.depth = 1, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 14}, 0, {{0}}};
    nlm_machine *machine = load_bare(made, &shallow, (change){0});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 14);
    nlm_machine_free(machine);
    assert_change_refused(made, (change){.key = "width", .text = "0"}, "width 0 is not in 1..4096");
}

static void a_head_that_does_not_fit_is_ignored(void **state)
{
    folder *made = *state;
    static const change misfits[] = {
        {.tensor = "head.weight", .damage = TRANSPOSED}, {.tensor = "head.weight", .damage = FLAT},
        {.tensor = "head.weight", .damage = LONGER},     {.tensor = "head.weight", .damage = DROPPED},
        {.tensor = "head.bias", .damage = LONGER},       {.tensor = "head.bias", .damage = DROPPED},
    };
    for (size_t i = 0; i < COUNT(misfits); i++) {
        nlm_machine *machine = load_bare(made, &models[GROUPS], misfits[i]);
        assert_int_equal(nlm_machine_heads(machine), 1);
        assert_string_equal(nlm_machine_head(machine, 0)->name, "valid");
        nlm_machine_free(machine);
    }
    /* without any head that fits, all outputs are wanted */
    nlm_machine *machine = load_bare(made, &models[HIDDEN], misfits[0]);
    assert_int_equal(nlm_machine_spec(machine)->outputs, 7);
    assert_int_equal(nlm_machine_heads(machine), 0);
    nlm_machine_free(machine);
}

/* All outputs have 3 predicates: the head is taken to read those of objects. */
static void a_head_that_fits_often_reads_the_lowest_arity(void **state)
{
    folder *made = *state;
    nlm_machine *machine = load_bare(made, &models[HIDDEN], (change){0});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 2);
    assert_int_equal(nlm_machine_heads(machine), 1);
    assert_int_equal(nlm_machine_head(machine, 0)->arity, 1);
    assert_int_equal(nlm_machine_head(machine, 0)->outputs, 4);
    nlm_machine_free(machine);
}

static void a_head_on_the_last_arity_that_fits_is_found(void **state)
{
    folder *made = *state;
    static const model nullary = {
        "nullary",
        {.depth = 1, .breadth = 1, .inputs = {1, 1}, .own_widths = true, .widths = {{5, 3}}, .outputs = 3},
        1,
        {{"head", 0, 2, false}}};
    nlm_machine *machine = load_bare(made, &nullary, (change){0});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 1);
    assert_int_equal(nlm_machine_head(machine, 0)->arity, 0);
    nlm_machine_free(machine);
}

/* Of listed heads, too, only what they read is wanted; a head that reads nothing is refused as ever. */
static void listed_heads_tell_the_outputs(void **state)
{
    folder *made = *state;
    save_model(&models[GROUPS], made->file);
    rewrite(made->file, made->file, &(change){.key = "outputs"});
    nlm_machine *machine = load(made->file);
    assert_int_equal(nlm_machine_spec(machine)->outputs, 7);
    nlm_machine_free(machine);
    rewrite(made->file, made->other,
            &(change){.key = "heads", .text = "[{\"name\": \"valid\", \"arity\": 1, \"outputs\": 1}]"});
    machine = load(made->other);
    assert_int_equal(nlm_machine_spec(machine)->outputs, 2);
    nlm_machine_free(machine);
    assert_change_refused(
        made, (change){.key = "heads", .text = "[{\"name\": \"valid\", \"arity\": 7, \"outputs\": 1}]"},
        "head 'valid' reads outputs of arity 7");
}

static void twin_heads_are_found_without_metadata(void **state)
{
    folder *made = *state;
    nlm_machine *machine = load_bare(made, &models[TWINS], (change){0});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 6);
    assert_int_equal(nlm_machine_heads(machine), 2);
    assert_true(nlm_machine_head(machine, 0)->twins);
    assert_int_equal(nlm_machine_head(machine, 0)->arity, 2);
    assert_false(nlm_machine_head(machine, 1)->twins);
    nlm_machine_free(machine);
    machine = load_bare(made, &models[TWINS], (change){.tensor = "valid.bias", .damage = DROPPED});
    assert_int_equal(nlm_machine_spec(machine)->outputs, 2);
    assert_int_equal(nlm_machine_heads(machine), 1);
    assert_false(nlm_machine_unit_live(machine, 2, 2));
    nlm_machine_free(machine);
}

static void twin_heads_are_listed(void **state)
{
    folder *made = *state;
    save_model(&models[TWINS], made->file);
    safetensors *file;
    assert_int_equal(safetensors_read(made->file, &file, NULL), NLM_OK);
    assert_string_equal(safetensors_metadata(file, "heads"),
                        "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1, \"twins\": true}, "
                        "{\"name\": \"valid\", \"arity\": 2, \"outputs\": 2}]");
    safetensors_free(file);
    static const struct {
        const char *heads, *cause;
    } bad[] = {
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1, \"twins\": 1}]", "metadata 'heads' is not"},
        {"[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1, \"twins\": true}]", "its arity is 2, not 1"},
        {"[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1, \"twins\": false}]",
         "tensor 'head.weight' has shape [1, 40], its machine needs [1, 12]"},
        {"[{\"name\": \"valid\", \"arity\": 2, \"outputs\": 2, \"twins\": true}]",
         "tensor 'valid.weight' has shape [2, 12], its machine needs [2, 40]"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_change_refused(made, (change){.key = "heads", .text = bad[i].heads}, bad[i].cause);
    assert_change_refused(made, (change){.key = "outputs", .text = "[2]"},
                          "head 'head' reads outputs of arity 1, which are not wanted");
}

static void a_file_in_memory_is_loaded(void **state)
{
    folder *made = *state;
    save_model(&models[FAMILY], made->file);
    buffer bytes = {0};
    size_t size = read_bytes(made->file, &bytes);
    safetensors *file;
    nlm_machine *machine, *same = make(&models[FAMILY]);
    assert_int_equal(safetensors_parse(bytes.data, size, "bytes", &file, NULL), NLM_OK);
    assert_int_equal(machine_from_safetensors(file, "bytes", &machine, NULL), NLM_OK);
    safetensors_free(file);
    buffer_free(&bytes);
    assert_same_machine(machine, same); /* keeps nothing of the file */
    nlm_machine_free(machine);
    nlm_machine_free(same);
}

/* ---- files that may not be at hand ---- */

static void the_pretrained_agent_is_loaded(void **state)
{
    (void)state;
    const char *path = "../shared/pretrained/blocksworld.safetensors";
    if (access(path, R_OK)) {
        print_message("%s is not there\n", path);
        skip();
    }
    nlm_machine *machine = load(path);
    assert_int_equal(nlm_machine_spec(machine)->depth, 7);
    assert_int_equal(nlm_machine_spec(machine)->outputs, 2);
    assert_int_equal(nlm_machine_output_width(machine, 1), 56);
    assert_int_equal(nlm_machine_heads(machine), 2); /* they read 4 * 56 + 2 * 12 numbers */
    assert_string_equal(nlm_machine_head(machine, 0)->name, "head");
    assert_string_equal(nlm_machine_head(machine, 1)->name, "valid");
    for (int h = 0; h < 2; h++) {
        assert_true(nlm_machine_head(machine, h)->twins);
        assert_int_equal(nlm_machine_head(machine, h)->arity, 2);
        assert_int_equal(nlm_machine_head(machine, h)->outputs, 1);
    }
    assert_int_equal(nlm_machine_tensors(machine), 2 * (2 + 5 * 3 + 1 + 2));
    assert_string_equal(nlm_machine_metadata(machine, "task"), "blocks");
    nlm_machine_free(machine);
}

/* All units of these files exist and, as all outputs are wanted, live. */
static void assert_golden(const char *path)
{
    safetensors *file;
    nlm_machine *machine = load(path);
    assert_int_equal(safetensors_read(path, &file, NULL), NLM_OK);
    int layers = 0;
    for (int t = 0; t < safetensors_count(file); t++) {
        const safetensors_tensor *tensor = safetensors_at(file, t);
        if (strncmp(tensor->name, "layer.", 6))
            continue;
        layers++;
        int mine = 0;
        while (mine < nlm_machine_tensors(machine) &&
               strcmp(nlm_machine_tensor(machine, mine).name, tensor->name))
            mine++;
        assert_true(mine < nlm_machine_tensors(machine));
        assert_memory_equal(nlm_machine_tensor(machine, mine).values, tensor->data,
                            tensor->count * sizeof(float));
    }
    assert_int_equal(nlm_machine_tensors(machine), layers);
    safetensors_free(file);
    nlm_machine_free(machine);
}

static void golden_machines_are_loaded(void **state)
{
    (void)state;
    const char *path = access("tests/golden", R_OK) ? "../shared/golden" : "tests/golden";
    DIR *listing = opendir(path);
    if (!listing) {
        print_message("%s is not there\n", path);
        skip();
    }
    int files = 0;
    for (struct dirent *entry; (entry = readdir(listing));) {
        const char *end = strstr(entry->d_name, ".safetensors");
        if (!end)
            continue;
        char full[600];
        snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        assert_golden(full);
        files++;
    }
    closedir(listing);
    assert_true(files > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_machine_comes_back_bit_by_bit),
        IN_FOLDER(unusual_numbers_come_back),
        IN_FOLDER(the_file_says_what_the_machine_is),
        IN_FOLDER(metadata_is_given_back),
        IN_FOLDER(metadata_is_kept_until_replaced),
        IN_FOLDER(bad_metadata_is_not_saved),
        IN_FOLDER(a_ruined_machine_does_not_replace_a_good_file),
        IN_FOLDER(a_head_that_is_not_utf8_is_not_saved),
        IN_FOLDER(a_missing_folder_is_an_error),
        IN_FOLDER(residual_may_be_a_truth_value),
        IN_FOLDER(tensors_that_are_not_needed_are_ignored),
        IN_FOLDER(outputs_and_heads_are_found_without_metadata),
        IN_FOLDER(only_existing_outputs_are_wanted_by_default),
        IN_FOLDER(a_head_that_does_not_fit_is_ignored),
        IN_FOLDER(a_head_that_fits_often_reads_the_lowest_arity),
        IN_FOLDER(a_head_on_the_last_arity_that_fits_is_found),
        IN_FOLDER(listed_heads_tell_the_outputs),
        IN_FOLDER(twin_heads_are_found_without_metadata),
        IN_FOLDER(twin_heads_are_listed),
        IN_FOLDER(a_file_in_memory_is_loaded),
        cmocka_unit_test(the_pretrained_agent_is_loaded),
        cmocka_unit_test(golden_machines_are_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
