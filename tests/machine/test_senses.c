/* Machines with a sense: they compute what a machine without one does that is told the outputs of a LeNet;
 * only training changes them; what does not fit together is refused. */
#include "machine/senses.h"

/* ---- the machine ---- */

static void the_tensors_of_a_sense_are_the_machines(void **state)
{
    (void)state;
    seer blind = make_seer(&seeing_specs[1], seen_images() /* any numbers will do */, (nlm_options){0});
    seer made = make_seer(&seeing_specs[1], NULL, (nlm_options){0});
    const int own = nlm_machine_tensors(blind.machine);
    size_t count = nlm_machine_parameters(blind.machine);
    assert_int_equal(nlm_machine_tensors(made.machine), own + LENET_TENSORS);
    for (int t = 0; t < own; t++) { /* the same first values, with or without a sense */
        nlm_tensor a = nlm_machine_tensor(made.machine, t), b = nlm_machine_tensor(blind.machine, t);
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.values, b.values, a.count * sizeof(float));
    }
    for (int t = 0; t < LENET_TENSORS; t++) {
        nlm_tensor tensor = nlm_machine_tensor(made.machine, own + t);
        char name[64];
        snprintf(name, sizeof name, "sense.%s", lenet_tensors[t].name);
        assert_string_equal(tensor.name, name);
        assert_int_equal(tensor.dimensions, lenet_tensors[t].dimensions);
        size_t places_of = 1;
        for (int d = 0; d < tensor.dimensions; d++) {
            assert_int_equal(tensor.shape[d], lenet_tensors[t].shape[d]);
            places_of *= (size_t)tensor.shape[d];
        }
        assert_int_equal(tensor.count, places_of);
        count += tensor.count;
    }
    assert_int_equal(nlm_machine_parameters(made.machine), count);
    assert_string_equal(nlm_machine_spec(made.machine)->sense, "lenet");
    assert_null(nlm_machine_spec(blind.machine)->sense);
    free_seer(&blind);
    free_seer(&made);
}

/* PyTorch's: uniform by the fan-in; 1 and 0 for what normalises. */
static void first_values_are_within_their_bounds(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    for (int t = 0; t < LENET_TENSORS; t++) {
        nlm_tensor tensor = lenet_tensor_of(made.machine, t);
        const double bound = lenet_tensors[t].fan_in ? 1 / sqrt(lenet_tensors[t].fan_in) : 0;
        double most = 0;
        for (size_t i = 0; i < tensor.count; i++) {
            if (lenet_tensors[t].fan_in == 0)
                assert_true(tensor.values[i] == lenet_tensors[t].first);
            most = fmax(most, fabs((double)tensor.values[i]));
        }
        if (bound > 0 && !(most <= bound && most > 0.7 * bound))
            fail_msg("%s: up to %g, bound %g", tensor.name, most, bound);
    }
    nlm_tensor first = lenet_tensor_of(made.machine, CONV1_WEIGHT);
    const float before = first.values[0];
    nlm_machine_initialise(made.machine, 6);
    assert_true(first.values[0] != before);
    nlm_machine_initialise(made.machine, 5);
    assert_true(first.values[0] == before);
    free_seer(&made);
}

static void senses_are_found_by_name(void **state)
{
    (void)state;
    int numbers = -1, predicates = -1;
    assert_false(nlm_sense_find("nose", &numbers, &predicates));
    assert_false(nlm_sense_find(NULL, &numbers, &predicates));
    assert_false(nlm_sense_find("", &numbers, &predicates));
    assert_true(numbers == -1 && predicates == -1);
    assert_true(nlm_sense_find("lenet", &numbers, &predicates));
    assert_true(numbers == 28 * 28 && predicates == 10);
}

static void assert_spec_refused(nlm_spec spec, const char *head, const char *message)
{
    nlm_machine *machine = (nlm_machine *)&spec;
    const nlm_head_spec heads[] = {{head, 1, 1, false}};
    nlm_error error;
    assert_int_equal(nlm_machine_new(&spec, heads, 1, &machine, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(machine);
}

static void machines_whose_sense_does_not_fit_are_refused(void **state)
{
    (void)state;
    nlm_spec spec = seeing_specs[0];
    spec.sense = "nose";
    assert_spec_refused(spec, "head", "there is no sense 'nose'");
    spec.sense = "";
    assert_spec_refused(spec, "head", "there is no sense ''");
    spec = seeing_specs[0];
    spec.inputs[1] = 9;
    assert_spec_refused(spec, "head",
                        "the sense 'lenet' makes 10 input predicates of arity 1, the machine reads 9");
    spec.inputs[1] = 0;
    assert_spec_refused(spec, "head",
                        "the sense 'lenet' makes 10 input predicates of arity 1, the machine reads 0");
}

/* Its tensors would be taken for those of a sense. */
static void a_head_with_the_name_of_a_sense_is_refused(void **state)
{
    (void)state;
    nlm_spec spec = seeing_specs[0];
    assert_spec_refused(spec, "sense.x", "head 0 has no usable name");
    assert_spec_refused(spec, "sense.conv1", "head 0 has no usable name");
    spec.sense = NULL;
    assert_spec_refused(spec, "sense.x", "head 0 has no usable name");
    spec = seeing_specs[0];
    const nlm_head_spec heads[] = {{"sense", 1, 1, false}, {"sensible", 1, 1, false}};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, heads, 2, &machine, &check_error));
    nlm_machine_free(machine);
}

/* The spec's text need not last. */
static void the_name_of_the_sense_is_kept(void **state)
{
    (void)state;
    char name[] = "lenet";
    nlm_spec spec = seeing_specs[0];
    nlm_machine *machine;
    spec.sense = name;
    CHECK(nlm_machine_new(&spec, &seeing_head, 1, &machine, &check_error));
    strcpy(name, "xxxxx");
    assert_string_equal(nlm_machine_spec(machine)->sense, "lenet");
    nlm_machine_free(machine);
}

/* ---- values ---- */

/* All results of the two, number by number. */
static void assert_same_results(seer *a, seer *b)
{
    static float left[MOST_SEEN], right[MOST_SEEN];
    for (int w = 0; w < SEEN_WORLDS; w++)
        for (int r = -1; r <= nlm_machine_spec(a->machine)->breadth; r++) {
            size_t count = r < 0 ? (size_t)seen_objects[w] : seen_numbers(a, w, r);
            if (count == 0)
                continue;
            if (r < 0) {
                CHECK(nlm_pass_logits(a->pass, w, 0, left, &check_error));
                CHECK(nlm_pass_logits(b->pass, w, 0, right, &check_error));
            } else {
                CHECK(nlm_pass_output(a->pass, w, r, left, &check_error));
                CHECK(nlm_pass_output(b->pass, w, r, right, &check_error));
            }
            double spread = 0;
            for (size_t i = 0; i < count; i++) {
                spread = fmax(spread, fabs((double)left[i] - (double)left[0]));
                if (!(fabs((double)left[i] - (double)right[i]) <= 2e-6))
                    fail_msg("world %d, arity %d, number %zu: %g, not %g", w, r, i, (double)left[i],
                             (double)right[i]);
            }
            assert_true(spread > 1e-4 || r == 0); /* what objects show makes a difference */
        }
}

/* What the LeNet alone makes of the images, when the machine would be run next. */
static const float *tell(nlm_machine *machine, bool training)
{
    static float told[SEEN_OBJECTS * LENET_OUTPUTS];
    struct lenet *lenet = lenet_of(machine);
    struct lenet_pass *pass;
    CHECK(lenet_pass_new(&pass, &check_error));
    CHECK(lenet_forward(pass, lenet, NULL, seen_images(), SEEN_OBJECTS, training, &check_error));
    memcpy(told, lenet_outputs(pass), sizeof told);
    lenet_pass_free(pass);
    lenet_free(lenet);
    return told;
}

static void a_sense_tells_what_a_lenet_would(void **state)
{
    (void)state;
    static const nlm_lifting liftings[] = {NLM_LIFT, NLM_IDENTITY, NLM_CLASSES};
    for (size_t s = 0; s < COUNT(seeing_specs); s++)
        for (int training = 0; training < 2; training++)
            for (size_t l = 0; l < COUNT(liftings); l++) {
                seer made = make_seer(&seeing_specs[s], NULL, (nlm_options){.lifting = liftings[l]});
                for (int step = 0; step < 3; step++) /* averages that are not the first ones */
                    see(&made, true);
                const float *told = tell(made.machine, training);
                seer twin = make_seer(&seeing_specs[s], told, (nlm_options){.lifting = NLM_IDENTITY});
                see(&made, training);
                see(&twin, training);
                assert_same_results(&made, &twin);
                free_seer(&made);
                free_seer(&twin);
            }
}

/* The same worlds one by one: in tests a world does not depend on its neighbours, in training it does. */
static void worlds_meet_in_training_only(void **state)
{
    (void)state;
    static float alone[SEEN_MOST], together[SEEN_MOST];
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    see(&made, true);
    for (int training = 0; training < 2; training++)
        for (int w = 0; w < SEEN_WORLDS; w++) {
            see(&made, training);
            CHECK(nlm_pass_logits(made.pass, w, 0, together, &check_error));
            nlm_world *world = seen_world(&seeing_specs[0], w, NULL);
            nlm_batch *batch;
            nlm_structure *structure;
            CHECK(nlm_batch_for(made.machine, &batch, &check_error));
            CHECK(nlm_batch_add_world(batch, world, &check_error));
            CHECK(nlm_structure_new(&structure, &check_error));
            CHECK(nlm_structure_build(structure, made.machine, batch, NULL, &check_error));
            CHECK(nlm_pass_forward(made.pass, structure, training, &check_error));
            CHECK(nlm_pass_logits(made.pass, 0, 0, alone, &check_error));
            double difference = 0;
            for (int x = 0; x < seen_objects[w]; x++)
                difference = fmax(difference, fabs((double)alone[x] - (double)together[x]));
            assert_true(training ? difference > 1e-6 : difference < 2e-6);
            nlm_structure_free(structure);
            nlm_batch_free(batch);
            nlm_world_free(world);
        }
    free_seer(&made);
}

/* Objects that are alike but for what they show have rows of their own, whatever the lifting. */
static void what_objects_show_is_not_lifted(void **state)
{
    (void)state;
    static const nlm_lifting liftings[] = {NLM_LIFT, NLM_CLASSES};
    for (size_t l = 0; l < COUNT(liftings); l++) {
        seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){.lifting = liftings[l]});
        const nlm_structure_level level = nlm_structure_level_at(made.structure, 0, 1);
        assert_true(level.live && level.identity);
        assert_int_equal(level.tuples, SEEN_OBJECTS);
        assert_int_equal(level.classes, SEEN_OBJECTS);
        free_seer(&made);
    }
}

/* The structure has copied the percepts: batch and worlds may go. */
static void percepts_outlive_the_batch(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[1], NULL, (nlm_options){0});
    see(&made, false);
    const double before = seen_loss(&made, false);
    nlm_batch_free(made.batch);
    made.batch = NULL;
    see(&made, false);
    assert_true(seen_loss(&made, false) == before);
    free_seer(&made);
}

/* After larger batches and smaller ones. */
static void a_structure_used_again_shows_the_new_worlds(void **state)
{
    (void)state;
    static float fresh[SEEN_MOST], again[SEEN_MOST];
    seer made = make_seer(&seeing_specs[1], NULL, (nlm_options){0});
    for (int w = 0; w < 2 * SEEN_WORLDS; w++) {
        nlm_world *world = seen_world(&seeing_specs[1], w % SEEN_WORLDS, NULL);
        nlm_batch *batch;
        see(&made, false);
        CHECK(nlm_batch_for(made.machine, &batch, &check_error));
        CHECK(nlm_batch_add_world(batch, world, &check_error));
        nlm_structure *structure;
        CHECK(nlm_structure_new(&structure, &check_error));
        CHECK(nlm_structure_build(structure, made.machine, batch, NULL, &check_error));
        CHECK(nlm_pass_forward(made.pass, structure, false, &check_error));
        CHECK(nlm_pass_logits(made.pass, 0, 0, fresh, &check_error));
        CHECK(nlm_structure_build(made.structure, made.machine, batch, NULL, &check_error));
        see(&made, false);
        CHECK(nlm_pass_logits(made.pass, 0, 0, again, &check_error));
        assert_memory_equal(fresh, again, (size_t)seen_objects[w % SEEN_WORLDS] * sizeof(float));
        nlm_structure_free(structure);
        nlm_batch_free(batch);
        nlm_world_free(world);
    }
    free_seer(&made);
}

/* ---- what changes a machine ---- */

static float *copy_values(nlm_machine *machine)
{
    float *copy = malloc(nlm_machine_parameters(machine) * sizeof *copy), *to = copy;
    assert_non_null(copy);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memcpy(to, tensor.values, tensor.count * sizeof *to);
        to += tensor.count;
    }
    return copy;
}

/* The values that are not those of the copy, tensor by tensor. */
static void count_changes(nlm_machine *machine, const float *copy, size_t *changes)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        changes[t] = 0;
        for (size_t i = 0; i < tensor.count; i++, copy++)
            changes[t] += memcmp(copy, &tensor.values[i], sizeof *copy) != 0;
    }
}

static bool is_average(const nlm_tensor *tensor)
{
    return strstr(tensor->name, "running_") != NULL;
}

/* A bias before normalisation has no effect in training, and no gradient. */
static bool has_no_effect(const nlm_tensor *tensor)
{
    return strstr(tensor->name, "conv") && strstr(tensor->name, "bias");
}

static void only_training_moves_the_running_averages(void **state)
{
    (void)state;
    size_t changes[100];
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    float *copy = copy_values(made.machine);
    see(&made, false);
    count_changes(made.machine, copy, changes);
    for (int t = 0; t < nlm_machine_tensors(made.machine); t++)
        assert_int_equal(changes[t], 0);
    see_and_go_back(&made);
    count_changes(made.machine, copy, changes);
    for (int t = 0; t < nlm_machine_tensors(made.machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(made.machine, t);
        assert_int_equal(changes[t], is_average(&tensor) ? tensor.count : 0);
    }
    free(copy);
    free_seer(&made);
}

/* Adam moves all that is learned, and of the averages not a bit. */
static void adam_leaves_the_running_averages_alone(void **state)
{
    (void)state;
    size_t changes[100];
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    nlm_optimizer *adam;
    CHECK(nlm_adam_new(made.machine, (nlm_adam){.rate = 0.01, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8},
                       &adam, &check_error));
    for (int step = 0; step < 3; step++) {
        see_and_go_back(&made);
        float *copy = copy_values(made.machine);
        nlm_optimizer_step(adam);
        count_changes(made.machine, copy, changes);
        for (int t = 0; t < nlm_machine_tensors(made.machine); t++) {
            nlm_tensor tensor = nlm_machine_tensor(made.machine, t);
            if (is_average(&tensor) ? changes[t] > 0 : changes[t] == 0 && !has_no_effect(&tensor))
                fail_msg("step %d changes %zu of %zu of %s", step, changes[t], tensor.count, tensor.name);
            for (size_t i = 0; i < tensor.count && is_average(&tensor); i++)
                assert_true(tensor.gradients[i] == 0.0f);
        }
        free(copy);
    }
    nlm_optimizer_free(adam);
    free_seer(&made);
}

/* ---- what does not fit together ---- */

static void batches_for_other_machines_are_refused(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    seer twin = make_seer(&seeing_specs[0], tell(made.machine, false), (nlm_options){0});
    nlm_error error;
    assert_int_equal(nlm_structure_build(made.structure, made.machine, twin.batch, NULL, &error),
                     NLM_BAD_SHAPE);
    assert_string_equal(error.message, "the batch is not for a machine with a sense");
    assert_int_equal(nlm_structure_build(twin.structure, twin.machine, made.batch, NULL, &error),
                     NLM_BAD_SHAPE);
    assert_string_equal(error.message, "the batch is not for a machine without a sense");
    free_seer(&made);
    free_seer(&twin);
}

static void structures_for_other_machines_are_refused(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    seer twin = make_seer(&seeing_specs[0], tell(made.machine, false), (nlm_options){0});
    nlm_error error;
    assert_int_equal(nlm_pass_forward(made.pass, twin.structure, false, &error), NLM_BAD_SHAPE);
    assert_int_equal(nlm_pass_forward(twin.pass, made.structure, false, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, "the structure was built for a machine of another spec");
    see(&made, false);
    free_seer(&made);
    free_seer(&twin);
}

static void worlds_that_show_nothing_are_refused(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    nlm_world *blind = seen_world(&seeing_specs[0], 0, seen_images()), *dark;
    nlm_error error;
    assert_int_equal(nlm_batch_add_world(made.batch, blind, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, "the world has 10 predicates of arity 1, the machine reads 0");
    CHECK(nlm_world_new(&dark, &check_error));
    CHECK(nlm_world_add_objects(dark, "o", 3, &check_error));
    CHECK(nlm_world_add_predicate(dark, "edge", 2, NULL, &check_error));
    CHECK(nlm_world_add_target(dark, "t", 1, NLM_FALSE, NULL, &check_error));
    assert_int_equal(nlm_batch_add_world(made.batch, dark, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, "object 'o0' has no percept, and the machine reads it");
    for (int x = 0; x < 3; x++)
        CHECK(nlm_world_set_percept(dark, x, seen_images(), 10, &check_error));
    assert_int_equal(nlm_batch_add_world(made.batch, dark, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, "percepts have 10 numbers, the machine reads 784");
    CHECK(nlm_structure_build(made.structure, made.machine, made.batch, NULL, &check_error));
    see(&made, false); /* the worlds before them are still there */
    nlm_world_free(blind);
    nlm_world_free(dark);
    free_seer(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tensors_of_a_sense_are_the_machines),
        cmocka_unit_test(first_values_are_within_their_bounds),
        cmocka_unit_test(senses_are_found_by_name),
        cmocka_unit_test(machines_whose_sense_does_not_fit_are_refused),
        cmocka_unit_test(a_head_with_the_name_of_a_sense_is_refused),
        cmocka_unit_test(the_name_of_the_sense_is_kept),
        cmocka_unit_test(a_sense_tells_what_a_lenet_would),
        cmocka_unit_test(worlds_meet_in_training_only),
        cmocka_unit_test(what_objects_show_is_not_lifted),
        cmocka_unit_test(percepts_outlive_the_batch),
        cmocka_unit_test(a_structure_used_again_shows_the_new_worlds),
        cmocka_unit_test(only_training_moves_the_running_averages),
        cmocka_unit_test(adam_leaves_the_running_averages_alone),
        cmocka_unit_test(batches_for_other_machines_are_refused),
        cmocka_unit_test(structures_for_other_machines_are_refused),
        cmocka_unit_test(worlds_that_show_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
