/* Memory of the whole engine: a training step whose sizes have been seen allocates nothing; and whichever
 * allocation fails, the call says so, everything can be freed or tried again, and then gives the same result.
 */
#include "failing_malloc.h"
#include "training.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- no allocation ---- */

static const course courses[] = {
    {
        .what = "family",
        .spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
        .head = {"head", 2, 1},
        .task = "grandparent",
        .objects = 10,
        .spread = 12,
        .worlds = 3,
    },
    {
        .what = "6-connectivity",
        .spec = {.depth = 8, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .residual = true, .outputs = 4},
        .head = {"head", 2, 1},
        .task = "6-connectivity",
        .objects = 5,
        .spread = 7,
        .worlds = 2,
    },
    {
        .what = "2-outdegree",
        .spec = {.depth = 5, .breadth = 4, .inputs = {0, 0, 1}, .width = 8, .residual = true, .outputs = 2},
        .head = {"head", 1, 1},
        .task = "2-outdegree",
        .objects = 1, /* less than the breadth, too */
        .spread = 10,
        .worlds = 1,
    },
    {
        .what = "hidden layers",
        .spec = {.depth = 3,
                 .breadth = 3,
                 .inputs = {0, 4, 1},
                 .width = 8,
                 .hidden_layers = 2,
                 .hidden = {16, 12},
                 .outputs = 2},
        .head = {"head", 1, 1},
        .task = "adjacent-to-red",
        .objects = 5,
        .spread = 10,
        .worlds = 2,
    },
    {
        .what = "random numbers",
        .spec = {.depth = 2, .breadth = 3, .inputs = {1, 2, 2, 1}, .width = 6, .outputs = 15},
        .head = {"head", 3, 2},
        .objects = 5,
        .spread = 17,
        .worlds = 1,
    },
    {
        .what = "digits to look at",
        .spec = {.depth = 2, .breadth = 2, .inputs = {0, 10, 1}, .width = 8, .outputs = 2, .sense = "lenet"},
        .head = {"head", 1, 1},
        .task = "adjacent-to-zero",
        .objects = 3,
        .spread = 8,
        .worlds = 2,
    },
};

enum { BATCHES = 20 };

/* The same batches again and again; the first time may allocate. */
static void train_twice(const course *of, nlm_world *const *worlds, int threads)
{
    learner pupil = make_learner(of, 1, threads);
    for (int cycle = 0; cycle < 2; cycle++)
        for (int b = 0; b < BATCHES; b++) {
            fail_allocation(-1);
            learn(&pupil, worlds + b * of->worlds, of->worlds);
            if (cycle > 0 && allocations > 0)
                fail_msg("%s, %d threads: batch %d made %d allocations", of->what, threads, b, allocations);
        }
    free_learner(&pupil);
}

static void a_step_whose_sizes_were_seen_allocates_nothing(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(courses); c++) {
        nlm_world *worlds[BATCHES * 3];
        int count = BATCHES * courses[c].worlds;
        for (int w = 0; w < count; w++)
            worlds[w] = make_world(&courses[c], w);
        for (int threads = 1; threads <= 2; threads++)
            train_twice(&courses[c], worlds, threads);
        for (int w = 0; w < count; w++)
            nlm_world_free(worlds[w]);
    }
}

/* ---- each allocation fails ---- */

/* In place of the C library's: to wait a thousand times for a disk would take minutes. */
int fsync(int file)
{
    (void)file;
    return 0;
}

enum { MOST_OBJECTS = 17, MOST_LOGITS = MOST_OBJECTS * MOST_OBJECTS, MOST_INPUTS = 4 * MOST_LOGITS };

typedef struct plot {
    const char *what;
    nlm_spec spec;
    nlm_head_spec heads[2]; /* for labels, for actions */
    const char *task;
    int objects[2];
    int threads;
} plot;

static const plot plots[] = {
    {
        .what = "family, 2 threads",
        .spec = {.depth = 2, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
        .heads = {{"head", 2, 2}, {"action", 2, 1}},
        .task = "uncle",
        .objects = {5, 17},
        .threads = 2,
    },
    {
        .what = "hidden layers, own widths, residual",
        .spec = {.depth = 2,
                 .breadth = 2,
                 .inputs = {0, 4, 1},
                 .own_widths = true,
                 .widths = {{0, 3, 4}, {0, 9, 0}},
                 .hidden_layers = 1,
                 .hidden = {6},
                 .residual = true,
                 .outputs = 2},
        .heads = {{"head", 1, 1}, {"action", 1, 1}},
        .task = "adjacent-to-red",
        .objects = {7, 3},
    },
};

/* What the story has so far, and what it found out. */
typedef struct story {
    const plot *plot;
    char folder[64], path[96];
    nlm_world *worlds[2];
    nlm_batch *batch;
    nlm_machine *machine, *loaded;
    nlm_structure *structure, *dense_structure;
    nlm_pass *pass, *loaded_pass;
    nlm_optimizer *adam;
    nlm_bce_result bce;
    nlm_policy_result policy;
    float logits[MOST_LOGITS], loaded_logits[MOST_LOGITS], input_gradient[MOST_INPUTS];
} story;

static nlm_status make_first_world(story *s, nlm_error *error)
{
    return nlm_world_new(&s->worlds[0], error);
}

static nlm_status make_second_world(story *s, nlm_error *error)
{
    return nlm_world_new(&s->worlds[1], error);
}

static nlm_status generate_first(story *s, nlm_error *error)
{
    return nlm_task_generate(nlm_task_find(s->plot->task), NLM_WORLDS_PAPER, 1, 0, s->plot->objects[0],
                             s->worlds[0], error);
}

static nlm_status generate_second(story *s, nlm_error *error)
{
    return nlm_task_generate(nlm_task_find(s->plot->task), NLM_WORLDS_PAPER, 1, 1, s->plot->objects[1],
                             s->worlds[1], error);
}

static nlm_status make_batch(story *s, nlm_error *error)
{
    return nlm_batch_new(s->plot->spec.inputs, s->plot->spec.breadth, &s->batch, error);
}

static nlm_status ground_first(story *s, nlm_error *error)
{
    return nlm_batch_add_world(s->batch, s->worlds[0], error);
}

static nlm_status ground_second(story *s, nlm_error *error)
{
    return nlm_batch_add_world(s->batch, s->worlds[1], error);
}

static nlm_status make_machine(story *s, nlm_error *error)
{
    nlm_status status = nlm_machine_new(&s->plot->spec, s->plot->heads, 2, &s->machine, error);
    if (!status)
        nlm_machine_initialise(s->machine, 5);
    return status;
}

static nlm_status make_structure(story *s, nlm_error *error)
{
    return nlm_structure_new(&s->structure, error);
}

static nlm_status build(story *s, nlm_error *error)
{
    nlm_options options = {.threads = s->plot->threads};
    return nlm_structure_build(s->structure, s->machine, s->batch, &options, error);
}

static nlm_status make_pass(story *s, nlm_error *error)
{
    return nlm_pass_new(s->machine, &s->pass, error);
}

static nlm_status make_adam(story *s, nlm_error *error)
{
    nlm_adam settings = {.rate = 0.05, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
    return nlm_adam_new(s->machine, settings, &s->adam, error);
}

static nlm_status forward(story *s, nlm_error *error)
{
    return nlm_pass_forward(s->pass, s->structure, true, error);
}

static nlm_status label_loss(story *s, nlm_error *error)
{
    return nlm_pass_bce(s->pass, 0, s->plot->heads[0].outputs - 1, 0, 1.0, &s->bce, error);
}

static nlm_status macro(story *s, nlm_error *error)
{
    double accuracy;
    return nlm_pass_macro(s->pass, 0, s->plot->heads[0].outputs - 1, 0, &accuracy, error);
}

static nlm_status action_loss(story *s, nlm_error *error)
{
    static const int actions[] = {0, 1, 2, 0};
    static const double advantages[] = {1.0, -0.5};
    return nlm_pass_policy(s->pass, 1, actions, advantages, 0.1, &s->policy, error);
}

static nlm_status backward(story *s, nlm_error *error)
{
    return nlm_pass_backward(s->pass, error);
}

static nlm_status step(story *s, nlm_error *error)
{
    (void)error;
    nlm_optimizer_step(s->adam);
    return NLM_OK;
}

static nlm_status save(story *s, nlm_error *error)
{
    return nlm_machine_save(s->machine, s->path, NULL, 0, error);
}

static nlm_status save_again(story *s, nlm_error *error)
{
    static const char *const note[] = {"note", "saved again"};
    return nlm_machine_save(s->machine, s->path, note, 1, error);
}

static nlm_status load(story *s, nlm_error *error)
{
    return nlm_machine_load(s->path, &s->loaded, error);
}

static nlm_status infer(story *s, nlm_error *error)
{
    nlm_status status = nlm_pass_forward(s->pass, s->structure, false, error);
    return status ? status : nlm_pass_logits(s->pass, 1, 1, s->logits, error);
}

static nlm_status make_loaded_pass(story *s, nlm_error *error)
{
    return nlm_pass_new(s->loaded, &s->loaded_pass, error);
}

static nlm_status infer_loaded(story *s, nlm_error *error)
{
    nlm_status status = nlm_pass_forward(s->loaded_pass, s->structure, false, error);
    return status ? status : nlm_pass_logits(s->loaded_pass, 1, 1, s->loaded_logits, error);
}

static nlm_status make_dense_structure(story *s, nlm_error *error)
{
    return nlm_structure_new(&s->dense_structure, error);
}

static nlm_status build_dense(story *s, nlm_error *error)
{
    nlm_options options = {.threads = s->plot->threads, .input_gradients = true};
    return nlm_structure_build(s->dense_structure, s->loaded, s->batch, &options, error);
}

static nlm_status dense_gradients(story *s, nlm_error *error)
{
    nlm_bce_result result;
    nlm_status status = nlm_pass_forward(s->loaded_pass, s->dense_structure, true, error);
    if (!status)
        status = nlm_pass_bce(s->loaded_pass, 0, 0, 0, 1.0, &result, error);
    if (!status)
        status = nlm_pass_backward(s->loaded_pass, error);
    return status ? status : nlm_pass_input_gradient(s->loaded_pass, 1, 2, s->input_gradient, error);
}

/* Where a step fails, it is tried again, or the story goes some steps back. */
static const struct scene {
    const char *what;
    nlm_status (*play)(story *s, nlm_error *error);
    int back;
    bool file; /* Jansson makes hundreds of allocations: these scenes have a test of their own */
} scenes[] = {
    {"make the first world", make_first_world, 0, false},
    {"make the second world", make_second_world, 0, false},
    {"generate the first world", generate_first, 0, false},
    {"generate the second world", generate_second, 0, false},
    {"make a batch", make_batch, 0, false},
    {"ground the first world", ground_first, 0, false},
    {"ground the second world", ground_second, 0, false},
    {"make a machine", make_machine, 0, false},
    {"make a structure", make_structure, 0, false},
    {"build the structure", build, 0, false},
    {"make a pass", make_pass, 0, false},
    {"make Adam", make_adam, 0, false},
    {"forward", forward, 0, false},
    {"loss of labels", label_loss, 0, false},
    {"macro accuracy", macro, 0, false},
    {"loss of actions", action_loss, 0, false},
    {"backward", backward, 4, false}, /* the gradients are used up */
    {"step", step, 0, false},
    {"save", save, 0, true},
    {"save again", save_again, 0, true},
    {"load", load, 0, true},
    {"infer", infer, 0, false},
    {"make a pass of the loaded machine", make_loaded_pass, 0, false},
    {"infer with the loaded machine", infer_loaded, 0, false},
    {"make a structure of all tuples", make_dense_structure, 0, false},
    {"build the structure of all tuples", build_dense, 0, false},
    {"gradients of inputs", dense_gradients, 0, false},
};

static void begin(story *s, const plot *of)
{
    memset(s, 0, sizeof *s);
    s->plot = of;
    strcpy(s->folder, "/tmp/nlm-test-alloc-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/model", s->folder);
}

/* Nothing but the model is in the folder. */
static void check_folder(const story *s)
{
    DIR *folder = opendir(s->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "model"))
            fail_msg("%s was left behind", entry->d_name);
    closedir(folder);
}

static void end(story *s)
{
    nlm_optimizer_free(s->adam);
    nlm_pass_free(s->pass);
    nlm_pass_free(s->loaded_pass);
    nlm_structure_free(s->structure);
    nlm_structure_free(s->dense_structure);
    nlm_machine_free(s->machine);
    nlm_machine_free(s->loaded);
    nlm_batch_free(s->batch);
    nlm_world_free(s->worlds[0]);
    nlm_world_free(s->worlds[1]);
    check_folder(s);
    unlink(s->path);
    assert_int_equal(rmdir(s->folder), 0);
}

/* A file that could not be written is not there; one that could not be replaced is. */
static void check_file(const story *s, const struct scene *scene)
{
    nlm_machine *earlier;
    check_folder(s);
    if (scene->play == save)
        assert_int_not_equal(access(s->path, F_OK), 0);
    if (scene->play != save_again)
        return;
    assert_int_equal(nlm_machine_load(s->path, &earlier, NULL), NLM_OK);
    assert_null(nlm_machine_metadata(earlier, "note"));
    nlm_machine_free(earlier);
}

/* What failed half way is not taken for whole. */
static void check_unfinished(story *s, const struct scene *scene)
{
    if (scene->play == build_dense)
        assert_int_equal(nlm_pass_forward(s->loaded_pass, s->dense_structure, true, NULL), NLM_BAD_ARGUMENT);
    if (scene->play == forward || scene->play == backward)
        assert_int_equal(nlm_pass_bce(s->pass, 0, 0, 0, 1.0, &s->bce, NULL), NLM_BAD_ARGUMENT);
    if (scene->play == infer)
        assert_int_equal(nlm_pass_logits(s->pass, 1, 1, s->logits, NULL), NLM_BAD_ARGUMENT);
    if (scene->play == backward)
        assert_true(nlm_machine_gradient_norm(s->machine) == 0.0);
}

/* Jansson does not always tell why it failed. */
static void check_failure(story *s, const struct scene *scene, nlm_status status, const nlm_error *error)
{
    if (!allocation_failed() || (status != NLM_NO_MEMORY && !scene->file))
        fail_msg("%s: %s: status %d, %s", s->plot->what, scene->what, status, error->message);
    assert_int_equal(error->status, status);
    assert_true(error->message[0]);
    assert_null(strchr(error->message, '\n'));
    fail_allocation(-1);
    check_file(s, scene);
    check_unfinished(s, scene);
}

/* A scene whose allocations do not count. */
static nlm_status play_apart(story *s, const struct scene *scene, nlm_error *error)
{
    int so_far = allocations, number = failing;
    fail_allocation(-1);
    nlm_status status = scene->play(s, error);
    allocations = so_far;
    failing = number;
    return status;
}

/* Play the whole story; the allocation of that number fails.  After the failure it ends there or goes on, as
 * told.  Returns whether there was a failure. */
static bool play(story *s, const plot *of, int number, bool go_on)
{
    bool failed = false;
    begin(s, of);
    fail_allocation(number);
    for (size_t i = 0; i < COUNT(scenes); i++) {
        nlm_error error = {NLM_OK, ""};
        nlm_status status = scenes[i].file ? play_apart(s, &scenes[i], &error) : scenes[i].play(s, &error);
        if (!status)
            continue;
        assert_false(failed);
        failed = true;
        check_failure(s, &scenes[i], status, &error);
        if (!go_on)
            break;
        i -= (size_t)scenes[i].back + 1;
    }
    if (!failed && allocation_failed())
        fail_msg("%s: allocation %d failed, and no call said so", of->what, number);
    fail_allocation(-1);
    return failed;
}

/* One scene, until it needs fewer allocations than the number of the failing one.  Returns that number. */
static int play_until_it_succeeds(story *s, const struct scene *scene)
{
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_error error = {NLM_OK, ""};
        fail_allocation(number);
        status = scene->play(s, &error);
        if (status)
            check_failure(s, scene, status, &error);
        else if (allocation_failed())
            fail_msg("%s: %s: allocation %d failed, and the call did not", s->plot->what, scene->what,
                     number);
    }
    fail_allocation(-1);
    return number;
}

static void assert_same_end(const story *s, const story *expected, int number)
{
    assert_string_equal(nlm_machine_metadata(s->loaded, "note"), "saved again");
    if (memcmp(&s->bce, &expected->bce, sizeof s->bce) ||
        memcmp(&s->policy, &expected->policy, sizeof s->policy) ||
        memcmp(s->logits, expected->logits, sizeof s->logits) ||
        memcmp(s->loaded_logits, expected->logits, sizeof s->logits) ||
        memcmp(s->input_gradient, expected->input_gradient, sizeof s->input_gradient))
        fail_msg("%s: another result after allocation %d failed", s->plot->what, number);
}

/* Something was computed. */
static bool some_differ(const float *values, int count)
{
    int differing = 0;
    for (int i = 1; i < count; i++)
        differing += values[i] != values[0];
    return differing > 0;
}

static void each_failing_allocation_is_survived(void **state)
{
    static story expected, tried;
    const plot *of = *state;
    assert_false(play(&expected, of, -1, true));
    assert_same_end(&expected, &expected, -1);
    assert_true(some_differ(expected.logits, MOST_LOGITS));
    assert_true(some_differ(expected.input_gradient, MOST_INPUTS));
    int number = 0;
    for (bool failed = true; failed; number++) {
        failed = play(&tried, of, number, false);
        end(&tried);
        play(&tried, of, number, true);
        assert_same_end(&tried, &expected, number);
        end(&tried);
    }
    end(&expected);
    assert_true(number > 100);
}

static void files_survive_each_failing_allocation(void **state)
{
    static story tried;
    begin(&tried, *state);
    for (size_t i = 0; i < COUNT(scenes); i++)
        if (scenes[i].file)
            assert_true(play_until_it_succeeds(&tried, &scenes[i]) > 100);
        else
            CHECK(scenes[i].play(&tried, &check_error));
    assert_same_end(&tried, &tried, -1);
    end(&tried);
}

#define PLAYED(test, index)                                                                                  \
    {                                                                                                        \
#test ": " #index, test, NULL, NULL, (void *)&plots[index]                                           \
    }

int main(void)
{
    fail_jansson_too();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_whose_sizes_were_seen_allocates_nothing),
        PLAYED(each_failing_allocation_is_survived, 0),
        PLAYED(each_failing_allocation_is_survived, 1),
        PLAYED(files_survive_each_failing_allocation, 0),
        PLAYED(files_survive_each_failing_allocation, 1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
