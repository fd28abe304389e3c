/* Inference: conclusions and agreement with labels against plain counts over dense logits; what is refused;
 * whichever allocation fails, the inference can be freed or asked again, and then concludes the same. */
#include "facts/files.h"
#include "failing_malloc.h"

#include <math.h>
#include "nlm/nlm.h"

enum { OBJECTS = 7, TARGETS = 2, MOST = 256 };

/* A typed signature and a target that repeats an object, so that not every tuple is a conclusion. */
static const char *const facts[] = {
    "bias.pl",
    "head_pred(works,2).\nhead_pred(happy,1).\nbody_pred(knows,2).\n"
    "type(works,(person,place)).\ntype(happy,(person,)).\ntype(knows,(person,person)).\n",
    "bk.pl",
    "knows(a, b). knows(b, c). knows(c, a). knows(d, a).\n",
    "exs.pl",
    "pos(works(a, mill)). pos(works(b, 'Old shop')). neg(works(c, mill)). pos(happy(a)).\n"
    "neg(happy(d)).\n"};

/* A machine that has learned nothing, but whose answers differ. */
static nlm_machine *new_model(nlm_problem **problem)
{
    for (size_t i = 0; i < COUNT(facts); i += 2)
        files_write(facts[i], facts[i + 1]);
    *problem = files_read(".", NULL);
    const nlm_signature *signature = nlm_problem_signature(*problem);
    nlm_spec spec = {.depth = 2, .breadth = 2, .width = 8, .outputs = 6};
    nlm_head_spec heads[TARGETS] = {{.name = "head0", .outputs = 1}, {.name = "head1", .outputs = 1}};
    for (int i = 0; i < nlm_signature_inputs(signature); i++)
        spec.inputs[nlm_signature_input(signature, i)->objects]++;
    assert_int_equal(nlm_signature_targets(signature), TARGETS);
    for (int t = 0; t < TARGETS; t++)
        heads[t].arity = nlm_signature_target(signature, t)->objects;
    const char *metadata[] = {"signature", NULL};
    nlm_machine *machine;
    CHECK(nlm_signature_text(signature, &metadata[1], &check_error));
    CHECK(nlm_machine_new(&spec, heads, TARGETS, &machine, &check_error));
    nlm_machine_initialise(machine, 1);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= 9;
    }
    CHECK(nlm_machine_save(machine, "m.nlm", metadata, 1, &check_error));
    nlm_machine_free(machine);
    CHECK(nlm_machine_load("m.nlm", &machine, &check_error));
    return machine;
}

/* ---- the definition ---- */

struct listing {
    char text[MOST][64];
    double probability[MOST];
    nlm_label label[MOST];
    int target[MOST], count;
};

/* Every tuple that may be concluded, in order. */
static void list_all(nlm_machine *machine, const nlm_problem *problem, struct listing *list)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    const int objects = nlm_world_objects(world);
    nlm_evaluator *evaluator;
    list->count = 0;
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    for (int t = 0; t < TARGETS; t++) {
        const nlm_predicate *target = nlm_signature_target(signature, t);
        float logits[OBJECTS * OBJECTS];
        signed char labels[OBJECTS * OBJECTS];
        assert_true(objects <= OBJECTS && target->objects <= 2);
        CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, t, logits, &check_error));
        nlm_world_all_labels(world, t, labels);
        for (int x = 0; x < objects; x++)
            for (int y = 0; y < (target->objects == 2 ? objects : 1); y++) {
                const int tuple[] = {x, y}, place = target->objects == 2 ? x * objects + y : x;
                if ((target->objects == 2 && x == y) || !nlm_signature_fits(signature, target, world, tuple))
                    continue;
                nlm_fact_text(signature, target, world, tuple, list->text[list->count], sizeof list->text[0]);
                list->probability[list->count] = 1 / (1 + exp(-(double)logits[place]));
                list->label[list->count] = (nlm_label)labels[place];
                list->target[list->count++] = t;
            }
    }
    nlm_evaluator_free(evaluator);
}

/* ---- listeners ---- */

struct hearing {
    const struct listing *list;
    double above;    /* conclusions that are not, are left out */
    bool wrong;      /* only wrong answers are heard */
    int next, heard; /* in the list; so far */
    int fails_after; /* so many; -1: never */
};

static nlm_status hear(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    struct hearing *of = context;
    const struct listing *list = of->list;
    if (of->heard == of->fails_after) {
        snprintf(error->message, sizeof error->message, "enough");
        return NLM_IO_ERROR;
    }
    for (;; of->next++) {
        assert_true(of->next < list->count);
        const bool concluded = list->probability[of->next] > 0.5, is_true = list->label[of->next] == NLM_TRUE;
        if (of->wrong ? list->label[of->next] != NLM_UNLABELLED && concluded != is_true
                      : list->probability[of->next] > of->above)
            break;
    }
    assert_string_equal(conclusion->text, list->text[of->next]);
    assert_int_equal(conclusion->target, list->target[of->next]);
    assert_true(conclusion->probability == list->probability[of->next]);
    assert_int_equal(conclusion->label, of->wrong ? list->label[of->next] : NLM_UNLABELLED);
    assert_non_null(strstr(conclusion->text, conclusion->arguments[0]));
    of->next++;
    of->heard++;
    return NLM_OK;
}

static int count_above(const struct listing *list, double least)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->probability[i] > least;
    return count;
}

/* ---- tests ---- */

static void conclusions_are_those_above_the_threshold(void **state)
{
    (void)state;
    static struct listing list;
    static const double thresholds[] = {-1, 0, 0.2, 0.5, 0.9, 1};
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem);
    nlm_inference *inference;
    nlm_error error;
    list_all(machine, problem, &list);
    assert_true(count_above(&list, 0.5) > 0 && count_above(&list, 0.5) < list.count);
    CHECK(nlm_inference_new(machine, "m.nlm", NULL, &inference, &check_error));
    struct hearing hearing = {.list = &list, .fails_after = -1};
    assert_int_equal(nlm_inference_conclude(inference, 0, hear, &hearing, &error), NLM_BAD_ARGUMENT);
    CHECK(nlm_inference_ask(inference, nlm_problem_world(problem, 0), "", "w", &check_error));
    assert_string_equal(nlm_inference_note(inference), "");
    for (size_t i = 0; i < COUNT(thresholds); i++) {
        hearing = (struct hearing){.list = &list, .above = thresholds[i], .fails_after = -1};
        CHECK(nlm_inference_conclude(inference, thresholds[i], hear, &hearing, &check_error));
        assert_int_equal(hearing.heard, count_above(&list, thresholds[i]));
    }
    hearing = (struct hearing){.list = &list, .above = -1, .fails_after = 3};
    assert_int_equal(nlm_inference_conclude(inference, -1, hear, &hearing, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "enough");
    assert_int_equal(hearing.heard, 3);
    nlm_inference_free(inference);
    nlm_inference_free(NULL);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

/* Dense answers are those of the listener, and 0 where there is no conclusion. */
static void probabilities_are_those_of_the_conclusions(void **state)
{
    (void)state;
    static struct listing list;
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem);
    nlm_inference *inference;
    nlm_error error;
    float probabilities[OBJECTS * OBJECTS];
    list_all(machine, problem, &list);
    CHECK(nlm_inference_new(machine, "m.nlm", NULL, &inference, &check_error));
    assert_int_equal(nlm_inference_probabilities(inference, 0, probabilities, &error), NLM_BAD_ARGUMENT);
    CHECK(nlm_inference_ask(inference, nlm_problem_world(problem, 0), "", "w", &check_error));
    assert_int_equal(nlm_inference_probabilities(inference, TARGETS, probabilities, &error),
                     NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_inference_probabilities(inference, -1, probabilities, &error), NLM_BAD_ARGUMENT);
    int heard = 0;
    for (int target = 0; target < TARGETS; target++) {
        const int arity = nlm_signature_target(nlm_problem_signature(problem), target)->objects;
        const size_t count = nlm_tuple_count(nlm_world_objects(nlm_problem_world(problem, 0)), arity);
        CHECK(nlm_inference_probabilities(inference, target, probabilities, &check_error));
        for (size_t t = 0; t < count; t++) {
            if (probabilities[t] == 0)
                continue;
            assert_int_equal(list.target[heard], target);
            assert_true(probabilities[t] == (float)list.probability[heard]);
            heard++;
        }
    }
    assert_int_equal(heard, list.count);
    nlm_inference_free(inference);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

static void agreement_is_counted(void **state)
{
    (void)state;
    static struct listing list;
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem);
    nlm_inference *inference;
    nlm_agreement expected[TARGETS] = {0}, counted[TARGETS] = {0};
    int wrong = 0;
    list_all(machine, problem, &list);
    for (int i = 0; i < list.count; i++) {
        const bool is_true = list.label[i] == NLM_TRUE, concluded = list.probability[i] > 0.5;
        if (list.label[i] == NLM_UNLABELLED)
            continue;
        nlm_agreement *of = &expected[list.target[i]];
        of->tuples += 2; /* asked twice */
        of->wrong += is_true != concluded ? 2 : 0;
        of->positives += is_true ? 2 : 0;
        of->concluded += concluded ? 2 : 0;
        of->both += is_true && concluded ? 2 : 0;
        wrong += is_true != concluded;
    }
    assert_true(wrong > 0);
    CHECK(nlm_inference_new(machine, "m.nlm", NULL, &inference, &check_error));
    CHECK(nlm_inference_ask(inference, nlm_problem_world(problem, 0), "", "w", &check_error));
    struct hearing hearing = {.list = &list, .wrong = true, .fails_after = -1};
    CHECK(nlm_inference_compare(inference, counted, hear, &hearing, &check_error));
    CHECK(nlm_inference_compare(inference, counted, NULL, NULL, &check_error));
    assert_int_equal(hearing.heard, wrong);
    assert_memory_equal(counted, expected, sizeof counted);
    const nlm_agreement none = {0},
                        some = {.tuples = 8, .wrong = 2, .positives = 4, .concluded = 2, .both = 2};
    assert_true(nlm_agreement_accuracy(&none) == -1 && nlm_agreement_precision(&none) == -1 &&
                nlm_agreement_recall(&none) == -1);
    assert_true(nlm_agreement_accuracy(&some) == 0.75 && nlm_agreement_precision(&some) == 1 &&
                nlm_agreement_recall(&some) == 0.5);
    nlm_inference_free(inference);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

static void assert_ask_fails(nlm_machine *machine, double memory, const nlm_world *world, const char *message)
{
    nlm_inference *inference;
    nlm_error error;
    CHECK(nlm_inference_new(machine, "m.nlm", &(nlm_inference_options){.memory = memory}, &inference,
                            &check_error));
    assert_int_equal(nlm_inference_ask(inference, world, "", "big", &error), NLM_NO_MEMORY);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(nlm_inference_conclude(inference, 0, hear, NULL, &error), NLM_BAD_ARGUMENT);
    nlm_inference_free(inference);
}

/* The logits of a target may take more than all else. */
static void worlds_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    const int objects = nlm_world_objects(world);
    const double without_logits = nlm_structure_memory(machine, objects);
    assert_ask_fails(machine, 1, world, "big has 6 objects: with m.nlm that takes");
    assert_ask_fails(machine, 1, world, "enough for 0 objects at most");
    assert_ask_fails(machine, without_logits + 1, world, "enough for 5 objects at most");
    nlm_world *large;
    CHECK(nlm_world_new(&large, &check_error));
    CHECK(nlm_world_add_objects(large, "x", 100000, &check_error));
    assert_ask_fails(machine, 1e9, large, "at most can be numbered, and 954 MB are free");
    assert_ask_fails(machine, 0, large, "big has 100000 objects: with m.nlm a world can have ");
    nlm_world_free(large);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

static void models_without_conclusions_are_refused(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem), *game;
    nlm_inference *inference = NULL;
    nlm_error error;
    const char *metadata[] = {"task", "sort"};
    assert_int_equal(
        nlm_inference_new(machine, "m", &(nlm_inference_options){.images = "."}, &inference, &error),
        NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "m reads facts only: --images is for models with a sense");
    assert_int_equal(nlm_inference_new(NULL, "m", NULL, &inference, &error), NLM_BAD_ARGUMENT);
    CHECK(nlm_machine_save(machine, "game.nlm", metadata, 1, &check_error));
    CHECK(nlm_machine_load("game.nlm", &game, &check_error));
    assert_int_equal(nlm_inference_new(game, "game.nlm", NULL, &inference, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "game.nlm plays a game, sort"));
    assert_null(inference);
    nlm_machine_free(game);
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    static struct listing list;
    nlm_problem *problem;
    nlm_machine *machine = new_model(&problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    list_all(machine, problem, &list);
    bool failed = true;
    for (int number = 0; failed; number++) {
        nlm_inference *inference = NULL;
        nlm_agreement agreements[TARGETS] = {0};
        float probabilities[OBJECTS * OBJECTS];
        struct hearing hearing = {.list = &list, .above = -1, .fails_after = -1};
        nlm_error error;
        fail_allocation(number);
        nlm_status status = nlm_inference_new(machine, "m.nlm", NULL, &inference, &error);
        if (!status)
            status = nlm_inference_ask(inference, world, "", "w", &error);
        if (!status)
            status = nlm_inference_conclude(inference, -1, hear, &hearing, &error);
        if (!status)
            status = nlm_inference_compare(inference, agreements, NULL, NULL, &error);
        if (!status)
            status = nlm_inference_probabilities(inference, 0, probabilities, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (inference) { /* asked again */
            hearing = (struct hearing){.list = &list, .above = -1, .fails_after = -1};
            CHECK(nlm_inference_ask(inference, world, "", "w", &check_error));
            CHECK(nlm_inference_conclude(inference, -1, hear, &hearing, &check_error));
            assert_int_equal(hearing.heard, list.count);
        }
        nlm_inference_free(inference);
    }
    nlm_problem_free(problem);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(conclusions_are_those_above_the_threshold),
        files_test(probabilities_are_those_of_the_conclusions),
        files_test(agreement_is_counted),
        files_test(worlds_that_do_not_fit_are_refused),
        files_test(models_without_conclusions_are_refused),
        files_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
