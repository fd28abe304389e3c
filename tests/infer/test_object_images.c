/* Worlds whose objects show images, from files: as they were generated; and a model concludes from them what
 * it concludes from the worlds in memory. */
#include "facts/files.h"

#include <math.h>
#include "infer/object_images.h"
#include "nlm/nlm.h"

enum { WORLDS = 2, OBJECTS = 9, SEED = 3 };

static const nlm_task *task(void)
{
    return nlm_task_find("adjacent-to-zero");
}

static void generate(nlm_form form, nlm_problem **problem)
{
    nlm_error error = {0};
    if (nlm_problem_generate(task(), NLM_WORLDS_PAPER, SEED, NLM_TEST_WORLDS, OBJECTS, WORLDS, problem,
                             &error) ||
        nlm_problem_write(*problem, "worlds", form, true, &error))
        fail_msg("%s", error.message);
}

/* ---- worlds ---- */

static int count_facts(const nlm_world *world)
{
    return (int)nlm_world_facts(world, 0, NULL, NULL);
}

/* Whether the fact or the label holds of objects with these names. */
static bool holds(const nlm_world *world, bool label, const char *first, const char *second)
{
    const int *tuples;
    const int wanted[] = {nlm_world_find_object(world, first), nlm_world_find_object(world, second)};
    const int arity = label ? 1 : 2;
    const size_t count =
        label ? nlm_world_labels(world, 0, &tuples, NULL, NULL) : nlm_world_facts(world, 0, &tuples, NULL);
    for (size_t i = 0; i < count; i++)
        if (!memcmp(tuples + i * (size_t)arity, wanted, (size_t)arity * sizeof *wanted))
            return true;
    return false;
}

static void check_same(const nlm_world *shown, const nlm_world *world)
{
    assert_int_equal(nlm_world_objects(shown), OBJECTS);
    assert_int_equal(count_facts(shown), count_facts(world));
    for (int object = 0; object < OBJECTS; object++) {
        const char *name = nlm_world_object_name(world, object);
        int numbers = 0;
        const float *pixels = nlm_world_percept(shown, nlm_world_find_object(shown, name), &numbers);
        assert_non_null(pixels);
        assert_int_equal(numbers, NLM_IMAGE_PIXELS);
        assert_memory_equal(pixels, nlm_world_percept(world, object, NULL), NLM_IMAGE_PIXELS * sizeof(float));
        assert_int_equal(holds(shown, true, name, name), holds(world, true, name, name));
        for (int other = 0; other < OBJECTS; other++)
            assert_int_equal(holds(shown, false, name, nlm_world_object_name(world, other)),
                             holds(world, false, name, nlm_world_object_name(world, other)));
    }
}

static void worlds_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (int form = NLM_FORM_FOLDER; form <= NLM_FORM_TSV; form++) {
        size_t labels = 0;
        nlm_problem *problem, *read;
        nlm_signature *signature;
        generate((nlm_form)form, &problem);
        CHECK(nlm_signature_of_task(task(), &signature, &check_error));
        CHECK(nlm_problem_read("worlds", &(nlm_reading){.signature = signature}, &read, &check_error));
        assert_int_equal(nlm_problem_worlds(read), WORLDS);
        assert_int_equal(nlm_problem_notes(read), 0);
        for (int w = 0; w < WORLDS; w++) {
            nlm_world *shown;
            char note[OBJECT_IMAGES_NOTE];
            CHECK(nlm_world_new(&shown, &check_error));
            CHECK(object_images_show("worlds", nlm_problem_world_name(read, w), "w",
                                     nlm_problem_world(read, w), shown, note, &check_error));
            assert_string_equal(note, "");
            check_same(shown, nlm_problem_world(problem, w));
            labels += nlm_world_labels(shown, 0, NULL, NULL, NULL);
            nlm_world_free(shown);
        }
        assert_true(labels > 0);
        nlm_problem_free(read);
        nlm_problem_free(problem);
        nlm_signature_free(signature);
        files_teardown(NULL);
        files_setup(NULL);
    }
}

/* An image without facts is an object, after the others. */
static void images_alone_are_objects(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_world *shown;
    float pixels[NLM_IMAGE_PIXELS] = {[5] = 1};
    generate(NLM_FORM_FOLDER, &problem);
    CHECK(nlm_image_write("worlds/0001/images/a.PgM", pixels, &check_error));
    CHECK(nlm_image_write("worlds/0001/images/Z.b.png", pixels,
                          &check_error)); /* what it is, its content tells */
    char note[OBJECT_IMAGES_NOTE];
    CHECK(nlm_world_new(&shown, &check_error));
    CHECK(
        object_images_show("worlds/", "0001", "w", nlm_problem_world(problem, 0), shown, note, &check_error));
    assert_int_equal(nlm_world_objects(shown), OBJECTS + 2);
    assert_string_equal(nlm_world_object_name(shown, OBJECTS), "Z.b");
    assert_string_equal(nlm_world_object_name(shown, OBJECTS + 1), "a");
    assert_memory_equal(nlm_world_percept(shown, OBJECTS, NULL), pixels, sizeof pixels);
    assert_int_equal(count_facts(shown), count_facts(nlm_problem_world(problem, 0)));
    nlm_world_free(shown);
    nlm_problem_free(problem);
}

/* ---- conclusions ---- */

/* A machine that has learned nothing, but whose answers differ. */
static void make_model(nlm_machine **machine)
{
    const nlm_spec spec = {.depth = 2,
                           .breadth = 2,
                           .inputs = {0, 10, 1},
                           .width = 16,
                           .residual = true,
                           .outputs = 1u << 1,
                           .sense = task()->sense};
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    const char *metadata[] = {"task", task()->name};
    CHECK(nlm_machine_new(&spec, &head, 1, machine, &check_error));
    nlm_machine_initialise(*machine, 1);
    for (int t = 0; t < nlm_machine_tensors(*machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(*machine, t);
        for (size_t i = 0; i < tensor.count && strncmp(tensor.name, "sense.", 6); i++)
            tensor.values[i] *= 20;
    }
    CHECK(nlm_machine_save(*machine, "m.nlm", metadata, 1, &check_error));
}

/* Logits of a world in memory. */
static void ask(nlm_machine *machine, const nlm_world *world, float *logits)
{
    nlm_evaluator *evaluator;
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, 0, logits, &check_error));
    nlm_evaluator_free(evaluator);
}

struct comparison {
    const nlm_world *world;
    float expected[OBJECTS]; /* logits */
    int heard;
};

static nlm_status compare(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    (void)error;
    struct comparison *with = context;
    const int object = nlm_world_find_object(with->world, conclusion->arguments[0]);
    assert_in_range(object, 0, OBJECTS - 1);
    const double logit = log(conclusion->probability / (1 - conclusion->probability));
    assert_true(fabs(logit - (double)with->expected[object]) <= 1e-4);
    with->heard++;
    return NLM_OK;
}

static void conclusions_are_those_of_the_worlds_in_memory(void **state)
{
    (void)state;
    nlm_problem *problem, *read;
    nlm_machine *machine;
    nlm_inference *inference;
    double least = INFINITY, most = -INFINITY;
    generate(NLM_FORM_FOLDER, &problem);
    make_model(&machine);
    nlm_machine_free(machine);
    CHECK(nlm_machine_load("m.nlm", &machine, &check_error));
    CHECK(nlm_inference_new(machine, "m.nlm", &(nlm_inference_options){.images = "worlds"}, &inference,
                            &check_error));
    read = files_read("worlds", &(nlm_reading){.signature = nlm_inference_signature(inference)});
    for (int w = 0; w < WORLDS; w++) {
        struct comparison with = {.world = nlm_problem_world(problem, w)};
        ask(machine, with.world, with.expected);
        CHECK(nlm_inference_ask(inference, nlm_problem_world(read, w), nlm_problem_world_name(read, w), "w",
                                &check_error));
        CHECK(nlm_inference_conclude(inference, -1, compare, &with, &check_error));
        assert_int_equal(with.heard, OBJECTS);
        for (int object = 0; object < OBJECTS; object++) {
            least = fmin(least, (double)with.expected[object]);
            most = fmax(most, (double)with.expected[object]);
        }
    }
    assert_true(most > least + 0.1); /* or nothing was compared */
    nlm_inference_free(inference);
    nlm_problem_free(read);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(worlds_are_read_as_they_were_written, files_setup, files_teardown),
        cmocka_unit_test_setup_teardown(images_alone_are_objects, files_setup, files_teardown),
        cmocka_unit_test_setup_teardown(conclusions_are_those_of_the_worlds_in_memory, files_setup,
                                        files_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
