/* The memory network as a whole: its tensors, its names, what it refuses, tiny worlds, and the same bits for
 * any number of threads. */
#include "memnns.h"

#include "base/team.h"

static const nlm_head_spec pairs[] = {{.name = "pairs", .arity = 2, .outputs = 1}};
static const nlm_head_spec both[] = {{.name = "one", .arity = 1, .outputs = 2},
                                     {.name = "two", .arity = 2, .outputs = 1}};
static const nlm_head_spec twin[] = {{.name = "move", .arity = 2, .outputs = 2, .twins = true}};

/* ---- tensors ---- */

static void assert_tensor(const struct fixture *f, const char *name, int rows, int columns, int fan_in)
{
    struct baseline_tensor t;
    for (int i = 0; i < memnn_baseline.tensors(f->model); i++) {
        memnn_baseline.tensor(f->model, i, &t);
        if (strcmp(t.name, name))
            continue;
        assert_int_equal(t.dimensions, columns ? 2 : 1);
        assert_int_equal(t.shape[0], rows);
        assert_true(!columns || t.shape[1] == columns);
        assert_int_equal(t.fan_in, fan_in);
        return;
    }
    fail_msg("no tensor %s", name);
}

static void tensors_have_names_and_shapes(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(4, 64, 3, 5, 1);
    struct fixture *f = fixture_new(&spec, both, 2);
    assert_int_equal(memnn_baseline.tensors(f->model), 3 * 4 + 3 + 2 + 4);
    assert_tensor(f, "memnn.key.0.weight", 6, 24, 24);
    assert_tensor(f, "memnn.key.0.bias", 6, 0, 24);
    assert_tensor(f, "memnn.key.1.weight", 16, 6, 6);
    assert_tensor(f, "memnn.value.1.weight", 32, 6, 6);
    assert_tensor(f, "memnn.question.0.weight", 6, 16, 16);
    assert_tensor(f, "memnn.question.1.bias", 16, 0, 6);
    assert_tensor(f, "memnn.lstm.weight_input", 256, 32, 64);
    assert_tensor(f, "memnn.lstm.weight_hidden", 256, 64, 64);
    assert_tensor(f, "memnn.lstm.bias", 256, 0, 64);
    assert_tensor(f, "memnn.query.weight", 16, 64, 64);
    assert_tensor(f, "one.weight", 2, 64, 64);
    assert_tensor(f, "two.bias", 1, 0, 64);
    fixture_free(f);
}

/* One round has no next query; names of twins have one more bit. */
static void tensors_are_those_that_are_needed(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 8, 0, 3, 0);
    struct fixture *f = fixture_new(&spec, twin, 1);
    assert_int_equal(memnn_baseline.tensors(f->model), 3 * 2 + 3 + 2);
    assert_tensor(f, "memnn.key.0.weight", 16, 2 * 9 + 3, 21);
    assert_tensor(f, "memnn.question.0.weight", 16, 18, 18);
    fixture_free(f);
}

static void it_is_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(baseline_find("memnn"), &memnn_baseline);
    assert_null(baseline_find("memn"));
    assert_null(baseline_find(NULL));
}

/* ---- names ---- */

static void names_are_distinct_and_repeatable(void **state)
{
    (void)state;
    int names[MEMNN_MOST_THINGS], again[MEMNN_MOST_THINGS], others[MEMNN_MOST_THINGS];
    bool seen[MEMNN_MOST_THINGS + 1] = {false};
    memnn_draw_names(5, names);
    memnn_draw_names(5, again);
    memnn_draw_names(6, others);
    assert_memory_equal(names, again, sizeof names);
    assert_memory_not_equal(names, others, 4 * sizeof *names);
    for (int i = 0; i < MEMNN_MOST_THINGS; i++) {
        assert_true(names[i] >= 1 && names[i] <= 255 && !seen[names[i]]);
        seen[names[i]] = true;
    }
}

static void slots_hold_names_and_facts(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 8, 2, 3, 0);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    int names[] = {1, 128, 6}, size = 16 + 2 + 3;
    float rows[9][21];
    fixture_add(f, 3, 1);
    assert_int_equal(memnn_slots(f->model, 3), 9);
    memnn_put_slots(f->model, f->world, names, 0, 9, &rows[0][0]);
    const float *pair = rows[4], *object = rows[6 + 1]; /* (2, 0), after (0, 1) (0, 2) (1, 0) (1, 2) */
    const float first[] = {0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const float second[16] = {0, 0, 0, 0, 0, 0, 0, 1};
    assert_memory_equal(pair, first, sizeof first);
    assert_memory_equal(pair + 18, f->world[0].inputs[2] + 6 * 3, 3 * sizeof(float));
    assert_memory_equal(object, second, sizeof second);
    assert_memory_equal(object + 16, f->world[0].inputs[1] + 2, 2 * sizeof(float));
    for (int k = 18; k < size; k++)
        assert_true(object[k] == 0.0f);
    fixture_free(f);
}

static void twins_share_a_name_but_for_one_bit(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 8, 1, 3, 0);
    struct fixture *f = fixture_new(&spec, twin, 1);
    int names[] = {9, 77};
    float rows[16][22];
    fixture_add(f, 4, 1);
    memnn_put_slots(f->model, f->world, names, 0, 16, &rows[0][0]);
    for (int x = 0; x < 2; x++) {
        const float *here = rows[12 + x], *there = rows[12 + x + 2];
        assert_memory_equal(here, there, 8 * sizeof(float));
        assert_true(here[8] == 0.0f && there[8] == 1.0f);
    }
    assert_memory_not_equal(rows[12], rows[13], 8 * sizeof(float));
    assert_int_equal(memnn_questions(f->model, MEMNN_TWINS, 4), 2);
    fixture_free(f);
}

/* Names are all that tells objects apart: other names, other logits; the same seed, the same. */
static void logits_depend_on_the_seed_of_names(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 8, 0, 1, 1);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    float before[16];
    fixture_add(f, 4, 3);
    fixture_forward(f, NULL, false);
    memcpy(before, f->logits[0][0], sizeof before);
    f->world[0].names = 4;
    fixture_forward(f, NULL, false);
    assert_memory_not_equal(before, f->logits[0][0], sizeof before);
    f->world[0].names = 3;
    fixture_forward(f, NULL, false);
    assert_memory_equal(before, f->logits[0][0], sizeof before);
    fixture_free(f);
}

/* ---- worlds ---- */

/* Without slots nothing is read; without questions nothing is asked. */
static void tiny_worlds_work(void **state)
{
    (void)state;
    for (int properties = 0; properties < 2; properties++)
        for (int objects = 0; objects < 3; objects++) {
            nlm_spec spec = small_spec(3, 8, properties, 1, 1);
            struct fixture *f = fixture_new(&spec, both, 2);
            fixture_add(f, objects, 1);
            fixture_step(f, NULL);
            for (int i = 0; i < 2 * objects; i++)
                assert_true(isfinite(f->logits[0][0][i]) && f->logits[0][0][i] != 7.0f);
            for (size_t i = 0; i < f->model->parameters; i++)
                assert_true(isfinite(f->gradients[i]) && (objects > 0 || f->gradients[i] == 0.0f));
            assert_true(objects < 2 || f->logits[0][1][1] != 7.0f);
            fixture_free(f);
        }
}

static void no_worlds_at_all_work(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 8, 0, 1, 1);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    fixture_step(f, NULL);
    fixture_free(f);
}

/* What a world's logits are does not depend on the others of the batch. */
static void worlds_are_apart(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(3, 8, 1, 2, 1);
    struct fixture *many = fixture_new(&spec, both, 2), *alone = fixture_new(&spec, both, 2);
    fixture_add(many, 5, 1);
    fixture_add(many, 13, 2);
    fixture_add(many, 1, 3);
    fixture_add(alone, 13, 2);
    fixture_forward(many, NULL, false);
    fixture_forward(alone, NULL, true);
    for (int h = 0; h < 2; h++)
        assert_memory_equal(many->logits[1][h], alone->logits[0][h],
                            head_numbers(&alone->model->head[h], 13) * sizeof(float));
    fixture_free(many);
    fixture_free(alone);
}

static void gradients_are_added_up(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 8, 0, 2, 1);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    size_t count = f->model->parameters;
    float *once = malloc(count * sizeof *once);
    fixture_add(f, 6, 1);
    fixture_step(f, NULL);
    memcpy(once, f->gradients, count * sizeof *once);
    assert_int_equal(
        memnn_baseline.backward(f->work, NULL, f->values, f->world, f->count, f->gradients, NULL), NLM_OK);
    for (size_t i = 0; i < count; i++)
        assert_true(fabsf(f->gradients[i] - 2.0f * once[i]) <= 1e-6f * fabsf(once[i]));
    free(once);
    fixture_free(f);
}

static void not_a_number_is_seen(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 8, 0, 2, 0);
    for (int t = 0; t < 11; t++) {
        struct fixture *f = fixture_new(&spec, pairs, 1);
        size_t place = 0;
        fixture_add(f, 4, 1);
        for (int i = 0; i < t; i++) {
            const struct baseline_tensor *tensor = &f->model->tensor[i];
            place += (size_t)(tensor->shape[0] * (tensor->dimensions == 2 ? tensor->shape[1] : 1));
        }
        f->values[place] = NAN;
        fixture_forward(f, NULL, false);
        bool seen = false;
        for (int i = 0; i < 16; i++)
            seen = seen || isnan(f->logits[0][0][i]);
        if (!seen)
            fail_msg("a NaN in %s goes unseen", f->model->tensor[t].name);
        fixture_free(f);
    }
}

/* ---- threads ---- */

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(3, 16, 1, 2, 1);
    struct fixture *one = fixture_new(&spec, both, 2);
    for (int w = 0; w < 3; w++)
        fixture_add(one, (int[]){21, 2, 34}[w], (uint64_t)w);
    fixture_step(one, NULL);
    for (int threads = 2; threads <= 3; threads++) {
        struct fixture *f = fixture_new(&spec, both, 2);
        struct team *team;
        assert_int_equal(team_new(threads, &team), NLM_OK);
        for (int w = 0; w < 3; w++)
            fixture_add(f, one->world[w].objects, (uint64_t)w);
        fixture_step(f, team);
        assert_memory_equal(f->gradients, one->gradients, f->model->parameters * sizeof(float));
        for (int w = 0; w < 3; w++)
            for (int h = 0; h < 2; h++)
                assert_memory_equal(f->logits[w][h], one->logits[w][h],
                                    head_numbers(&f->model->head[h], f->world[w].objects) * sizeof(float));
        team_free(team);
        fixture_free(f);
    }
    fixture_free(one);
}

/* ---- memory and refusals ---- */

static void memory_grows_with_the_slots(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(4, 64, 0, 4, 1);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    double small = memnn_baseline.memory(f->model, 50), large = memnn_baseline.memory(f->model, 100);
    assert_true(fabs(large - small - (9900.0 - 2450.0) * 48.0 * 4.0) < 192.0 * 48.0 * 4.0);
    assert_true(large < 8e6);
    assert_true(memnn_baseline.memory(f->model, 0) > 0.0);
    assert_true(memnn_baseline.memory(f->model, 100000) > 1e12);
    fixture_free(f);
}

static void assert_refused(nlm_spec spec, nlm_head_spec head, const char *message)
{
    void *model = &spec;
    nlm_error error = {0};
    assert_int_equal(memnn_baseline.make(&spec, &head, 1, &model, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(model);
}

static void what_it_cannot_be_is_refused(void **state)
{
    (void)state;
    nlm_spec fine = small_spec(2, 8, 1, 1, 1), spec = fine;
    spec.inputs[0] = 2;
    assert_refused(spec, pairs[0],
                   "a memory network has no place for predicates without arguments, and there are 2");
    spec = fine;
    spec.inputs[3] = 1;
    assert_refused(spec, pairs[0], "a memory network takes predicates of arity 1 and 2, not 3");
    spec = fine;
    spec.sense = "lenet";
    assert_refused(spec, pairs[0], "a memory network cannot have a sense (lenet)");
    spec = fine;
    spec.own_widths = true;
    assert_refused(spec, pairs[0], "a memory network has one width, not one per unit");
    spec = fine;
    spec.width = 0;
    assert_refused(spec, pairs[0], "a memory network of width 0: from 1 to 4096");
    assert_refused(fine, (nlm_head_spec){.name = "h", .arity = 0, .outputs = 1},
                   "a memory network learns targets of arity 1 and 2, not 0");
    assert_refused(fine, (nlm_head_spec){.name = "h", .arity = 3, .outputs = 1},
                   "a memory network learns targets of arity 1 and 2, not 3");
    assert_refused(fine, (nlm_head_spec){.name = "h", .arity = 1, .outputs = 1, .twins = true},
                   "head h: a twin head is of arity 2");
}

static void assert_bad_world(const nlm_head_spec *head, int objects, const char *message)
{
    nlm_spec spec = small_spec(1, 8, 0, 1, 0);
    struct fixture *f = fixture_new(&spec, head, 1);
    struct baseline_world world = {.objects = objects};
    nlm_error error = {0};
    assert_int_equal(memnn_baseline.forward(f->work, NULL, f->values, &world, 1, false, &error),
                     NLM_BAD_SHAPE);
    assert_string_equal(error.message, message);
    error = (nlm_error){0};
    assert_int_equal(memnn_baseline.admit(f->model, objects, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, message);
    assert_int_equal(memnn_baseline.admit(f->model, 2, &error), NLM_OK);
    fixture_free(f);
}

static void worlds_without_names_or_halves_are_refused(void **state)
{
    (void)state;
    static const char *const crowd = "a world has 256 objects; a memory network calls each by a name of 8 "
                                     "bits, so it can have at most 255";
    assert_bad_world(pairs, 256, crowd);
    assert_bad_world(twin, 512, crowd);
    assert_bad_world(twin, 7, "7 objects do not come in two halves");
}

static void backward_needs_a_forward_for_training(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 8, 0, 1, 0);
    struct fixture *f = fixture_new(&spec, pairs, 1);
    nlm_error error = {0};
    fixture_add(f, 3, 1);
    fixture_step(f, NULL);
    fixture_forward(f, NULL, false);
    assert_int_equal(
        memnn_baseline.backward(f->work, NULL, f->values, f->world, f->count, f->gradients, &error),
        NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "backward without a forward for training before it");
    fixture_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_have_names_and_shapes),
        cmocka_unit_test(tensors_are_those_that_are_needed),
        cmocka_unit_test(it_is_found_by_name),
        cmocka_unit_test(names_are_distinct_and_repeatable),
        cmocka_unit_test(slots_hold_names_and_facts),
        cmocka_unit_test(twins_share_a_name_but_for_one_bit),
        cmocka_unit_test(logits_depend_on_the_seed_of_names),
        cmocka_unit_test(tiny_worlds_work),
        cmocka_unit_test(no_worlds_at_all_work),
        cmocka_unit_test(worlds_are_apart),
        cmocka_unit_test(gradients_are_added_up),
        cmocka_unit_test(not_a_number_is_seen),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(memory_grows_with_the_slots),
        cmocka_unit_test(what_it_cannot_be_is_refused),
        cmocka_unit_test(worlds_without_names_or_halves_are_refused),
        cmocka_unit_test(backward_needs_a_forward_for_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
