/* Models in one call each: what is learned is what the long way learns, texts and worlds mean what files
 * mean, and what is cancelled, cut off or wrong is said. */
#include "test.h"
#include <unistd.h>

#include "nlm/nlm.h"

/* Two families: everybody of the first generation is a grandparent of the third. */
static const nlm_world_text families[] = {
    {"a", "parent(a1, a2). parent(a2, a3). parent(a3, a4).", "pos(grand(a1, a3)). pos(grand(a2, a4))."},
    {"b", "parent(b1, b2). parent(b1, b3). parent(b2, b4). parent(b3, b5).",
     "pos(grand(b1, b4)). pos(grand(b1, b5))."},
    {"c", "parent(c1, c2). parent(c3, c2). parent(c2, c4).", "pos(grand(c1, c4)). pos(grand(c3, c4))."},
    {"d", "parent(d1, d2). parent(d3, d4). parent(d4, d5).", "pos(grand(d3, d5))."},
};

static nlm_problem *read_families(int count)
{
    nlm_problem *problem;
    CHECK(nlm_problem_parse(families, count, NULL, &problem, &check_error));
    return problem;
}

static nlm_model *learn(const char *settings)
{
    const nlm_learning how = {.size = sizeof how, .settings = settings};
    nlm_problem *problem = read_families((int)COUNT(families));
    nlm_model *model;
    CHECK(nlm_learn_problem(problem, &how, &model, &check_error));
    nlm_problem_free(problem);
    return model;
}

struct heard {
    int count;
    char text[400];
};

static nlm_status hear(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    struct heard *to = context;
    (void)error;
    to->count++;
    const size_t used = strlen(to->text);
    snprintf(to->text + used, sizeof to->text - used, "%s:%s ", conclusion->world, conclusion->text);
    return conclusion->probability > 0.5 ? NLM_OK : NLM_BAD_ARGUMENT;
}

/* ---- problems in memory ---- */

static void texts_mean_what_files_mean(void **state)
{
    (void)state;
    nlm_problem *problem = read_families(2);
    assert_int_equal(nlm_problem_worlds(problem), 2);
    assert_string_equal(nlm_problem_world_name(problem, 1), "b");
    assert_true(nlm_problem_closed(problem));
    assert_int_equal(nlm_world_objects(nlm_problem_world(problem, 0)), 4);
    assert_true(nlm_problem_count_labels(problem, 0).positive == 4);
    nlm_problem_free(problem);
    nlm_error error;
    const nlm_world_text broken = {"w", "parent(a, b", NULL};
    assert_int_equal(nlm_problem_parse(&broken, 1, NULL, &problem, &error), NLM_BAD_FILE);
    assert_null(problem);
    assert_non_null(strstr(error.message, "w: facts:1"));
}

static nlm_world *make_world(float value)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", 4, &check_error));
    CHECK(nlm_world_add_predicate(world, "parent", 2, NULL, &check_error));
    CHECK(nlm_world_add_target(world, "grand", 2, NLM_FALSE, NULL, &check_error));
    for (int i = 0; i < 3; i++)
        CHECK(nlm_world_add_fact(world, 0, (int[]){i, i + 1}, value, &check_error));
    CHECK(nlm_world_add_label(world, 0, (int[]){0, 2}, NLM_TRUE, &check_error));
    return world;
}

static void worlds_mean_what_texts_mean(void **state)
{
    (void)state;
    nlm_world *world = make_world(1);
    nlm_problem *problem;
    CHECK(nlm_problem_of_worlds((const nlm_world *const[]){world, world}, 2, NULL, &problem, &check_error));
    assert_int_equal(nlm_problem_worlds(problem), 2);
    assert_int_equal(nlm_world_objects(nlm_problem_world(problem, 0)), 4);
    const nlm_label_count labels = nlm_problem_count_labels(problem, 0);
    assert_true(labels.positive == 2 && labels.negative == 22 && labels.unlabelled == 0);
    nlm_problem_free(problem);
    nlm_world_free(world);
    nlm_error error;
    world = make_world(0.5f);
    assert_int_equal(nlm_problem_of_worlds((const nlm_world *const[]){world}, 1, NULL, &problem, &error),
                     NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "facts are true"));
    nlm_world_free(world);
}

/* ---- models ---- */

static void a_model_is_asked_explained_and_proved(void **state)
{
    (void)state;
    nlm_model *model = learn("seed=1, held-out=0 epochs=60");
    nlm_world *world = make_world(1);
    struct heard heard = {0};
    char *text;
    nlm_proof *proof;
    assert_true(nlm_model_graduated(model));
    assert_true(strlen(nlm_model_line(model)) > 0);
    CHECK(nlm_conclude_worlds(model, (const nlm_world *const[]){world}, 1, 0.5, hear, &heard, &check_error));
    assert_string_equal(heard.text, ":grand(o0, o2) :grand(o1, o3) ");
    CHECK(nlm_model_rules(model, NLM_CLAUSES, &text, &check_error));
    assert_string_equal(text, "grand(X, Y) :- parent(X, Z), parent(Z, Y).\n");
    free(text);
    CHECK(nlm_model_prove(model, &proof, &check_error));
    assert_int_equal(proof->verdict, NLM_PROVED);
    nlm_proof_free(proof);
    nlm_problem *problem;
    nlm_reading reading = {0};
    CHECK(nlm_model_signature(model, &reading.signature, &check_error));
    CHECK(nlm_problem_of_worlds((const nlm_world *const[]){world}, 1, &reading, &problem, &check_error));
    CHECK(nlm_model_why_problem(model, problem, "grand(o0, o2)", &text, &check_error));
    assert_non_null(strstr(text, "parent(o0, o1)"));
    free(text);
    nlm_error error;
    assert_int_equal(nlm_model_why_problem(model, problem, "grand(o0, nobody)", &text, &error),
                     NLM_BAD_ARGUMENT);
    assert_null(text);
    nlm_problem_free(problem);
    nlm_world_free(world);
    nlm_model_free(model);
}

static void bytes_are_the_model(void **state)
{
    (void)state;
    nlm_model *model = learn("held_out=0 epochs=1 batches=2"), *copy, *loaded;
    size_t size, again;
    const void *bytes = nlm_model_bytes(model, &size);
    CHECK(nlm_model_parse(bytes, size, &copy, &check_error));
    assert_memory_equal(nlm_model_bytes(copy, &again), bytes, size);
    assert_int_equal(again, size);
    char path[] = "/tmp/nlm-test-XXXXXX";
    close(mkstemp(path));
    CHECK(nlm_model_save(copy, path, &check_error));
    CHECK(nlm_model_load(path, &loaded, &check_error));
    assert_memory_equal(nlm_model_bytes(loaded, &again), bytes, size);
    unlink(path);
    nlm_error error;
    nlm_model *none;
    for (size_t cut = 0; cut < size; cut += 1 + size / 50)
        assert_int_equal(nlm_model_parse(bytes, cut, &none, &error), NLM_BAD_FILE);
    assert_null(none);
    nlm_model_free(model);
    nlm_model_free(copy);
    nlm_model_free(loaded);
}

static bool stop(void *context, const nlm_progress *progress, const char *line)
{
    ++*(int *)context;
    return progress->rounds < 2 && strlen(line) > 0;
}

/* The model of a run that was stopped is the machine as it is, and what is left of the run is its checkpoint.
 */
static void a_watch_stops_a_run(void **state)
{
    (void)state;
    int calls = 0;
    char path[] = "/tmp/nlm-test-XXXXXX", checkpoint[64];
    close(mkstemp(path));
    unlink(path);
    nlm_learning how = {.size = sizeof how,
                        .settings = "threshold=1e-9 epochs=5 batches=2",
                        .output = path,
                        .without_rules = true, /* clauses would end it early */
                        .watch = stop,
                        .context = &calls};
    nlm_problem *problem = read_families((int)COUNT(families));
    nlm_model *model;
    CHECK(nlm_learn_problem(problem, &how, &model, &check_error));
    assert_false(nlm_model_graduated(model));
    assert_string_equal(nlm_machine_metadata(nlm_model_machine(model), "epoch"), "2");
    assert_true(calls >= 2);
    assert_int_equal(access(path, F_OK), -1);
    nlm_model_free(model);
    how.resume = true;
    how.watch = NULL;
    CHECK(nlm_learn_problem(problem, &how, &model, &check_error));
    assert_string_equal(nlm_machine_metadata(nlm_model_machine(model), "epoch"), "5");
    nlm_model_free(model);
    assert_int_equal(unlink(path), 0);
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    unlink(checkpoint);
    nlm_problem_free(problem);
}

static void wrong_settings_are_named(void **state)
{
    (void)state;
    static const struct {
        nlm_learning how;
        const char *said;
    } cases[] = {
        {{.size = sizeof(nlm_learning), .settings = "sed=3"}, "there is no setting 'sed'"},
        {{.size = sizeof(nlm_learning), .settings = "seed"}, "'seed' is not NAME=VALUE"},
        {{.size = sizeof(nlm_learning), .settings = "epochs=many"}, "epochs"},
        {{.size = sizeof(nlm_learning), .protocol = "worst"}, "no protocol 'worst'"},
        {{.size = sizeof(nlm_learning), .model = "tree"}, "no model 'tree'"},
        {{.size = 0}, "size is not set"},
    };
    nlm_problem *problem = read_families((int)COUNT(families));
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_model *model;
        nlm_error error = {0};
        assert_int_equal(nlm_learn_problem(problem, &cases[i].how, &model, &error), NLM_BAD_ARGUMENT);
        assert_null(model);
        assert_non_null(strstr(error.message, cases[i].said));
    }
    nlm_problem_free(problem);
}

static void versions_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", NLM_VERSION_MAJOR, NLM_VERSION_MINOR, NLM_VERSION_PATCH);
    assert_string_equal(text, NLM_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_mean_what_files_mean),
        cmocka_unit_test(worlds_mean_what_texts_mean),
        cmocka_unit_test(a_model_is_asked_explained_and_proved),
        cmocka_unit_test(bytes_are_the_model),
        cmocka_unit_test(a_watch_stops_a_run),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(versions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
