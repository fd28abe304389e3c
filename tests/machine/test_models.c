/* Machines of other models, through the machine's own door: what they answer, their gradients against
 * differences, and what is refused. */
#include "machine/others.h"

static fixture f, g;

/* ---- gradients ---- */

typedef enum loss { BCE, POLICY } loss;

/* An action per world, of as many objects as the head's arity. */
static const int pairs[2 * WORLDS] = {0, 1, 2, 1, 0, 1}, singles[WORLDS] = {3, 0, 1};
static const double advantages[WORLDS] = {1.5, -0.7, 0.4};

/* Worlds of 2 objects have no pair in their first half. */
static double evaluate(loss what, int head, bool training)
{
    nlm_bce_result bce;
    nlm_policy_result policy;
    forward(&f, training);
    if (what == BCE) {
        CHECK(nlm_pass_bce(f.pass, head, 0, 0, 1.5, &bce, &check_error));
        return 1.5 * bce.loss;
    }
    const int *actions = f.of->heads[head].arity == 2 ? pairs : singles;
    CHECK(nlm_pass_policy(f.pass, head, actions, advantages, 0.3, &policy, &check_error));
    return policy.loss;
}

/* A step may cross a tie or the bend of a ReLU: then a smaller one is tried. */
static void assert_slope(const char *name, loss what, int head, float *x, double gradient)
{
    static const float steps[] = {1.0f / 16, 1.0f / 64, 1.0f / 256};
    const float kept = *x;
    double slope = 0.0;
    for (size_t s = 0; s < COUNT(steps); s++) {
        double side[2];
        for (int k = 0; k < 2; k++) {
            *x = kept + (k ? steps[s] : -steps[s]);
            side[k] = evaluate(what, head, false);
        }
        *x = kept;
        slope = (side[1] - side[0]) / (2.0 * (double)steps[s]);
        if (fabs(slope - gradient) <= 3e-3 * fabs(gradient) + 5e-6 / (double)steps[s])
            return;
    }
    fail_msg("%s, %s: the gradient of loss %d is %g, the slope %g", f.of->what, name, what, gradient, slope);
}

static void assert_slopes(loss what, int head)
{
    enum { TRIES = 10 };
    nlm_machine_zero_gradients(f.machine);
    evaluate(what, head, true);
    CHECK(nlm_pass_backward(f.pass, &check_error));
    assert_true(nlm_machine_gradient_norm(f.machine) > 1e-3);
    for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(f.machine, t);
        size_t largest = 0, tries = tensor.count < TRIES ? tensor.count : TRIES;
        for (size_t i = 0; i < tensor.count; i++)
            if (fabsf(tensor.gradients[i]) > fabsf(tensor.gradients[largest]))
                largest = i;
        assert_slope(tensor.name, what, head, &tensor.values[largest], (double)tensor.gradients[largest]);
        for (size_t n = 0; n < tries; n++) {
            const size_t i = (3 + n * (tensor.count / tries)) % tensor.count;
            assert_slope(tensor.name, what, head, &tensor.values[i], (double)tensor.gradients[i]);
        }
    }
}

/* Weights that make a difference: the softmax of differentiable ILP is far from flat. */
static void sharpen(nlm_machine *machine, float factor)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= factor;
    }
}

static void labels_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    for (int m = 0; m < OTHERS; m++) {
        start(&f, &others[m], 0, WORLDS, (nlm_options){0});
        sharpen(f.machine, m == DILP ? 2.0f : 1.5f);
        assert_slopes(BCE, others[m].judged);
        finish(&f);
    }
}

static void actions_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    for (int head = 0; head < others[TWINS].head_count; head++) {
        start(&f, &others[TWINS], 0, others[TWINS].heads[head].twins ? 2 : WORLDS, (nlm_options){0});
        sharpen(f.machine, 1.5f);
        assert_slopes(POLICY, head);
        finish(&f);
    }
}

/* Two losses of one pass add up, and so do the gradients of two passes. */
static void gradients_add_up(void **state)
{
    (void)state;
    static float once[4000];
    nlm_policy_result policy;
    start(&f, &others[TWINS], 0, 2, (nlm_options){0});
    for (int way = 0; way < 2; way++) {
        size_t at = 0;
        nlm_machine_zero_gradients(f.machine);
        evaluate(BCE, 2, true);
        if (way) {
            CHECK(nlm_pass_backward(f.pass, &check_error));
            forward(&f, true);
        }
        CHECK(nlm_pass_policy(f.pass, 0, pairs, advantages, 0.3, &policy, &check_error));
        CHECK(nlm_pass_backward(f.pass, &check_error));
        for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
            const nlm_tensor tensor = nlm_machine_tensor(f.machine, t);
            for (size_t i = 0; i < tensor.count; i++, at++) {
                assert_true(at < COUNT(once));
                if (way == 0)
                    once[at] = tensor.gradients[i];
                else if (fabsf(tensor.gradients[i] - once[at]) > 1e-5f)
                    fail_msg("%s: %g, together %g", tensor.name, (double)tensor.gradients[i],
                             (double)once[at]);
            }
        }
    }
    assert_int_equal(nlm_pass_backward(f.pass, NULL), NLM_BAD_ARGUMENT); /* they are used up */
    finish(&f);
}

/* ---- what they answer ---- */

/* World `b` of one pass and world `a` of another, bit by bit. */
static void assert_same_logits(fixture *left, int a, fixture *right, int b)
{
    static float logits[2][MOST_NUMBERS];
    for (int h = 0; h < left->of->head_count; h++) {
        const int count = logit_count(&left->of->heads[h], left->world[a].objects);
        CHECK(nlm_pass_logits(left->pass, a, h, logits[0], &check_error));
        CHECK(nlm_pass_logits(right->pass, b, h, logits[1], &check_error));
        assert_memory_equal(logits[0], logits[1], (size_t)count * sizeof(float));
    }
}

static void worlds_do_not_meet(void **state)
{
    (void)state;
    for (int m = 0; m < OTHERS; m++)
        for (int training = 0; training < 2; training++) {
            start(&f, &others[m], 0, WORLDS, (nlm_options){0});
            forward(&f, training);
            for (int w = 0; w < WORLDS; w++) {
                start(&g, &others[m], w, 1, (nlm_options){0});
                forward(&g, training);
                assert_same_logits(&f, w, &g, 0);
                finish(&g);
            }
            finish(&f);
        }
}

/* Answers differ from tuple to tuple, and are 0 where an object is repeated. */
static void each_tuple_has_an_answer(void **state)
{
    (void)state;
    float logits[MOST_NUMBERS];
    int tuple[NLM_MAX_BREADTH];
    for (int m = 0; m < OTHERS; m++) {
        start(&f, &others[m], 0, WORLDS, (nlm_options){0});
        forward(&f, false);
        for (int h = 0; h < others[m].head_count; h++) {
            const nlm_head_spec *head = &others[m].heads[h];
            const int objects = head->twins ? 3 : 6;
            float first = 0.0f;
            int distinct = 0;
            CHECK(nlm_pass_logits(f.pass, 1, h, logits, &check_error));
            for (int p = 0; p < places(head->arity, objects); p++)
                for (int c = 0; c < head->outputs; c++) {
                    const float logit = logits[p * head->outputs + c];
                    assert_true(tuple_at(p, head->arity, objects, tuple) == (logit != 0.0f));
                    assert_true(isfinite(logit));
                    distinct += logit != 0.0f && logit != first;
                    first = logit;
                }
            assert_true(distinct >= 5);
        }
        finish(&f);
    }
}

/* Facts of a world are the numbers of a tensor. */
static void a_world_of_facts_is_one_of_numbers(void **state)
{
    (void)state;
    static float logits[2][MOST_NUMBERS];
    for (int m = 0; m < OTHERS; m++) {
        nlm_world *world;
        int tuple[NLM_MAX_BREADTH], predicate;
        start(&f, &others[m], 0, 1, (nlm_options){0});
        forward(&f, false);
        CHECK(nlm_pass_logits(f.pass, 0, others[m].judged, logits[0], &check_error));
        CHECK(nlm_world_new(&world, &check_error));
        CHECK(nlm_world_add_objects(world, "o", f.world[0].objects, &check_error));
        for (int r = 0; r <= MOST_ARITY; r++)
            for (int p = 0; p < others[m].spec.inputs[r]; p++) {
                const char name[] = {'p', (char)('0' + p), 0};
                CHECK(nlm_world_add_predicate(world, name, r, &predicate, &check_error));
                for (int i = 0; i < places(r, f.world[0].objects); i++)
                    if (tuple_at(i, r, f.world[0].objects, tuple))
                        CHECK(nlm_world_add_fact(world, predicate, tuple,
                                                 f.world[0].inputs[r][i * others[m].spec.inputs[r] + p],
                                                 &check_error));
            }
        nlm_batch_clear(f.batch);
        CHECK(nlm_batch_add_world(f.batch, world, &check_error));
        CHECK(nlm_structure_build(f.structure, f.machine, f.batch, &f.options, &check_error));
        forward(&f, false);
        CHECK(nlm_pass_logits(f.pass, 0, others[m].judged, logits[1], &check_error));
        assert_memory_equal(logits[0], logits[1],
                            (size_t)logit_count(&others[m].heads[others[m].judged], f.world[0].objects) *
                                sizeof(float));
        nlm_world_free(world);
        finish(&f);
    }
}

/* Bits of a step: the loss, all gradients. */
static void assert_same_step(nlm_options options)
{
    nlm_bce_result results[2];
    nlm_bce_result *result = results;
    for (fixture *x = &f; x; x = x == &f ? &g : NULL, result++) {
        forward(x, true);
        CHECK(nlm_pass_bce(x->pass, x->of->judged, 0, 0, 1.0, result, &check_error));
        CHECK(nlm_pass_backward(x->pass, &check_error));
    }
    assert_memory_equal(&results[0], &results[1], sizeof results[0]);
    for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
        const nlm_tensor a = nlm_machine_tensor(f.machine, t), b = nlm_machine_tensor(g.machine, t);
        if (memcmp(a.gradients, b.gradients, a.count * sizeof(float)) != 0)
            fail_msg("%s, %s: other gradients with %d threads, lifting %d", f.of->what, a.name,
                     options.threads, options.lifting);
    }
    for (int w = 0; w < WORLDS; w++)
        assert_same_logits(&f, w, &g, w);
}

static void threads_and_lifting_do_not_matter(void **state)
{
    (void)state;
    static const nlm_options options[] = {
        {.threads = 2}, {.threads = 3}, {.lifting = NLM_IDENTITY}, {.lifting = NLM_CLASSES}};
    for (int m = 0; m < OTHERS; m++)
        for (size_t o = 0; o < COUNT(options); o++) {
            start(&f, &others[m], 0, WORLDS, (nlm_options){.threads = 1});
            start(&g, &others[m], 0, WORLDS, options[o]);
            assert_same_step(options[o]);
            finish(&f);
            finish(&g);
        }
}

/* Names are drawn for each presentation; clauses know no names. */
static void another_presentation_has_other_names(void **state)
{
    (void)state;
    static const uint64_t presentations[] = {1, 2, 3, 4, 1};
    float logits[2][MOST_NUMBERS];
    for (int m = 0; m < OTHERS; m++) {
        const nlm_head_spec *head = &others[m].heads[others[m].judged];
        start(&f, &others[m], 1, 1, (nlm_options){0});
        for (size_t n = 0; n < COUNT(presentations); n++) {
            nlm_batch_present(f.batch, 0, presentations[n]);
            CHECK(nlm_structure_build(f.structure, f.machine, f.batch, &f.options, &check_error));
            forward(&f, false);
            CHECK(nlm_pass_logits(f.pass, 0, others[m].judged, logits[n > 0], &check_error));
            const bool same = !memcmp(logits[0], logits[1], (size_t)logit_count(head, 6) * sizeof(float));
            assert_true(n == 0 || same == (m == DILP || presentations[n] == 1));
        }
        nlm_batch_present(f.batch, 1, 2); /* there is no such world, and nothing happens */
        nlm_batch_present(f.batch, -1, 2);
        finish(&f);
    }
}

/* A pass keeps its memory from larger worlds, and nothing else. */
static void a_pass_used_again_shows_the_new_worlds(void **state)
{
    (void)state;
    for (int m = 0; m < OTHERS; m++) {
        start(&f, &others[m], 0, WORLDS, (nlm_options){0});
        for (int round = 0; round < 2; round++)
            for (int w = 0; w < WORLDS; w++) {
                forward(&f, round);
                start(&g, &others[m], w, 1, (nlm_options){0});
                CHECK(nlm_structure_build(f.structure, f.machine, g.batch, NULL, &check_error));
                forward(&f, false);
                forward(&g, false);
                f.world[0].objects = g.world[0].objects;
                assert_same_logits(&f, 0, &g, 0);
                finish(&g);
                f.world[0].objects = world_objects[0];
                build(&f);
            }
        finish(&f);
    }
}

static void worlds_of_one_object_have_answers(void **state)
{
    (void)state;
    float logits[4];
    nlm_bce_result bce;
    for (int m = 0; m < OTHERS; m++) {
        if (m == TWINS)
            continue;
        start(&f, &others[m], 0, 2, (nlm_options){0});
        f.world[1].objects = 1;
        build(&f);
        forward(&f, true);
        for (int h = 0; h < others[m].head_count; h++) {
            CHECK(nlm_pass_logits(f.pass, 1, h, logits, &check_error));
            assert_true(isfinite(logits[0]));
            assert_true((logits[0] != 0.0f) == (others[m].heads[h].arity == 1));
        }
        CHECK(nlm_pass_bce(f.pass, others[m].judged, 0, 0, 1.0, &bce, &check_error));
        CHECK(nlm_pass_backward(f.pass, &check_error));
        finish(&f);
    }
}

/* ---- first values ---- */

static void first_values_are_drawn_as_the_model_says(void **state)
{
    (void)state;
    for (int m = 0; m < OTHERS; m++) {
        nlm_machine *machine = make_other(&others[m]), *same = make_other(&others[m]);
        double sum = 0.0, squares = 0.0, largest = 0.0;
        size_t count = 0;
        for (int t = 0; t < nlm_machine_tensors(machine); t++) {
            const nlm_tensor tensor = nlm_machine_tensor(machine, t);
            assert_memory_equal(tensor.values, nlm_machine_tensor(same, t).values,
                                tensor.count * sizeof(float));
            for (size_t i = 0; i < tensor.count; i++) {
                const double value = (double)tensor.values[i];
                sum += value;
                squares += value * value;
                largest = fabs(value) > largest ? fabs(value) : largest;
            }
            count += tensor.count;
        }
        assert_int_equal(count, nlm_machine_parameters(machine));
        if (m == DILP) { /* from N(0, 1) */
            assert_true(fabs(sum / (double)count) < 0.2);
            assert_true(fabs(squares / (double)count - 1.0) < 0.25);
            assert_true(largest > 2.0 && largest < 6.0);
        } else {
            assert_true(largest <= 1.0 / sqrt(2.0) && largest > 0.3);
        }
        nlm_machine_free(machine);
        nlm_machine_free(same);
    }
}

/* The spec of a machine outlives what it was made of. */
static void a_machine_keeps_its_program(void **state)
{
    (void)state;
    char names[2][8] = {"edge", "joined"};
    nlm_given own_given = {names[0], 2, false};
    nlm_definition own_defined = {names[1], 2, 1, {{0, NLM_BODY_GIVEN}, {0, NLM_BODY_GIVEN}}};
    nlm_program_template own = {1, 1, &own_given, &own_defined, false};
    nlm_spec spec = {.model = "dilp",
                     .program = &own,
                     .depth = 1,
                     .breadth = 2,
                     .inputs = {0, 0, 1},
                     .width = 1,
                     .outputs = 4};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, others[DILP].heads, 1, &machine, &check_error));
    memset(names, 'x', sizeof names);
    memset(&own_given, 0, sizeof own_given);
    memset(&own_defined, 0, sizeof own_defined);
    own = (nlm_program_template){0};
    const nlm_program_template *kept = nlm_machine_spec(machine)->program;
    assert_ptr_not_equal(kept, &own);
    assert_int_equal(kept->givens, 1);
    assert_string_equal(kept->given[0].name, "edge");
    assert_int_equal(kept->given[0].arity, 2);
    assert_int_equal(kept->definitions, 1);
    assert_string_equal(kept->definition[0].name, "joined");
    assert_int_equal(kept->definition[0].templates, 1);
    nlm_machine_free(machine);
}

/* ---- rules ---- */

typedef struct listened {
    int rules, stop;
    double sum[2][2]; /* by definition and template */
    char last[200];
} listened;

static nlm_status listen(void *context, const nlm_clause *rule, nlm_error *error)
{
    listened *heard = context;
    const bool is_target = !strcmp(rule->predicate, "joined");
    assert_true(is_target || !strcmp(rule->predicate, "hop"));
    assert_int_equal(rule->arity, is_target ? 2 : 1);
    assert_in_range(rule->template_number, 0, is_target ? 1 : 0);
    assert_true(!strncmp(rule->text, rule->predicate, strlen(rule->predicate)));
    assert_non_null(strstr(rule->text, " :- "));
    heard->sum[is_target ? 0 : 1][rule->template_number] += rule->probability;
    snprintf(heard->last, sizeof heard->last, "%s", rule->text);
    if (++heard->rules == heard->stop) {
        if (error)
            *error = (nlm_error){NLM_IO_ERROR, "enough"};
        return NLM_IO_ERROR;
    }
    return NLM_OK;
}

static void rules_are_told_until_the_listener_fails(void **state)
{
    (void)state;
    nlm_machine *machine = make_other(&others[DILP]);
    listened all = {0}, some = {.stop = 3}, none = {0}, one = {0};
    CHECK(nlm_machine_clauses(machine, 0.0, listen, &all, &check_error));
    const nlm_tensor joined = nlm_machine_tensor(machine, 0), hop = nlm_machine_tensor(machine, 1);
    assert_string_equal(joined.name, "dilp.joined");
    assert_int_equal(all.rules, joined.shape[0] + joined.shape[1] + hop.shape[0]);
    assert_true(fabs(all.sum[0][0] - 1) < 1e-6 && fabs(all.sum[0][1] - 1) < 1e-6);
    assert_true(fabs(all.sum[1][0] - 1) < 1e-6);
    nlm_error error;
    assert_int_equal(nlm_machine_clauses(machine, 0.0, listen, &some, &error), NLM_IO_ERROR);
    assert_string_equal(error.message, "enough");
    assert_int_equal(some.rules, 3);
    CHECK(nlm_machine_clauses(machine, 1.0, listen, &none, &check_error));
    assert_int_equal(none.rules, 0);
    hop.values[hop.count - 1] = 20.0f;
    CHECK(nlm_machine_clauses(machine, 0.9, listen, &one, &check_error));
    assert_int_equal(one.rules, 1);
    assert_string_equal(one.last, all.last);
    nlm_machine_free(machine);
}

static void machines_without_clauses_have_no_rules(void **state)
{
    (void)state;
    static const nlm_spec plain = {.depth = 1, .breadth = 1, .inputs = {0, 1}, .width = 1, .outputs = 2};
    nlm_machine *machine = make_other(&others[MEMNN]);
    nlm_error error;
    assert_int_equal(nlm_machine_clauses(machine, 0.1, listen, NULL, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message,
                        "a machine of the model 'memnn' has no clauses to print: only those of 'dilp' have");
    nlm_machine_free(machine);
    CHECK(nlm_machine_new(&plain, NULL, 0, &machine, &check_error));
    assert_int_equal(nlm_machine_clauses(machine, 0.1, listen, NULL, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "the model 'nlm'"));
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_have_the_slopes_of_the_loss),
        cmocka_unit_test(actions_have_the_slopes_of_the_loss),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(worlds_do_not_meet),
        cmocka_unit_test(each_tuple_has_an_answer),
        cmocka_unit_test(a_world_of_facts_is_one_of_numbers),
        cmocka_unit_test(threads_and_lifting_do_not_matter),
        cmocka_unit_test(another_presentation_has_other_names),
        cmocka_unit_test(a_pass_used_again_shows_the_new_worlds),
        cmocka_unit_test(worlds_of_one_object_have_answers),
        cmocka_unit_test(first_values_are_drawn_as_the_model_says),
        cmocka_unit_test(a_machine_keeps_its_program),
        cmocka_unit_test(rules_are_told_until_the_listener_fails),
        cmocka_unit_test(machines_without_clauses_have_no_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
