/* Losses on hand-made logits against their formulas in double; dense outputs and logits; and that calls out
 * of order are refused. */
#include "hand_logits.h"

/* ---- outputs and logits ---- */

static void logits_are_dense_and_zero_at_repeated_objects(void **state)
{
    (void)state;
    struct fixture *f = make(1);
    load(f, true);
    forward(f, false);
    for (int w = 0; w < WORLDS; w++)
        for (int h = 0; h < HEADS; h++) {
            float logits[CELLS * 3 + BEYOND];
            size_t outputs = (size_t)nlm_machine_head(f->machine, h)->outputs,
                   count = cells(w, h + 1) * outputs;
            for (size_t i = 0; i < COUNT(logits); i++)
                logits[i] = 77.0f;
            assert_int_equal(nlm_pass_logits(f->pass, w, h, logits, NULL), NLM_OK);
            for (size_t i = 0; i < cells(w, h + 1); i++) {
                float want = repeats(w, h + 1, i) ? 0.0f : f->logits[w][h][i];
                assert_near((double)logits[i * outputs + 1], (double)want, 1e-6);
                for (size_t c = 0; c < outputs && repeats(w, h + 1, i); c++)
                    assert_true(logits[i * outputs + c] == 0.0f);
            }
            for (size_t i = count; i < COUNT(logits); i++)
                assert_true(logits[i] == 77.0f);
        }
    free_fixture(f);
}

static void outputs_are_dense_and_zero_at_repeated_objects(void **state)
{
    (void)state;
    struct fixture *f = make(2);
    load(f, true);
    forward(f, true);
    for (int w = 0; w < WORLDS; w++)
        for (int r = 1; r <= 2; r++) {
            float output[CELLS * 8 + BEYOND];
            size_t width = (size_t)nlm_machine_output_width(f->machine, r), inputs = (size_t)spec.inputs[r];
            assert_int_equal(width, inputs + 2 * 3);
            for (size_t i = 0; i < COUNT(output); i++)
                output[i] = 77.0f;
            assert_int_equal(nlm_pass_output(f->pass, w, r, output, NULL), NLM_OK);
            for (size_t i = 0; i < cells(w, r) * width; i++) {
                bool zero = repeats(w, r, i / width);
                if (i % width < inputs) /* the inputs come first */
                    assert_true(i % width + 1 < inputs ||
                                output[i] == (zero ? 0.0f : f->logits[w][r - 1][i / width] / 2));
                else
                    assert_true(zero ? output[i] == 0.0f : output[i] > 0.0f && output[i] < 1.0f);
            }
            for (size_t i = cells(w, r) * width; i < COUNT(output); i++)
                assert_true(output[i] == 77.0f);
        }
    free_fixture(f);
}

/* ---- binary cross-entropy ---- */

struct bce {
    nlm_bce_result result;
    float gradient[WORLDS][CELLS]; /* with respect to the logit */
};

static struct bce bce_by_formula(const struct fixture *f, int head)
{
    struct bce want = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int w = 0; w < WORLDS; w++)
            for (size_t i = 0; i < cells(w, head + 1); i++) {
                int label = f->labels[w][head][i];
                if (repeats(w, head + 1, i) || label == NLM_UNLABELLED)
                    continue;
                double p = 1.0 / (1.0 + exp(-(double)f->logits[w][head][i]));
                if (pass == 1) { /* the number of labels is known */
                    want.result.loss -= log(label == NLM_TRUE ? p : 1.0 - p) / (double)want.result.labelled;
                    want.gradient[w][i] = (float)((p - label) / (double)want.result.labelled);
                    continue;
                }
                want.result.labelled++;
                want.result.positives += label == NLM_TRUE;
                want.result.correct += (p > 0.5) == (label == NLM_TRUE);
                want.result.correct_positives += label == NLM_TRUE && p > 0.5;
            }
    return want;
}

static void assert_bce(const nlm_bce_result *got, const nlm_bce_result *want)
{
    assert_near(got->loss, want->loss, 1e-6 * want->loss + 1e-9);
    assert_int_equal(got->labelled, want->labelled);
    assert_int_equal(got->correct, want->correct);
    assert_int_equal(got->positives, want->positives);
    assert_int_equal(got->correct_positives, want->correct_positives);
}

/* Gradients given by tuple for output `output` of a head. */
static void add_gradients(struct fixture *f, int head, int output, float factor, float (*gradient)[CELLS])
{
    int outputs = nlm_machine_head(f->machine, head)->outputs;
    for (int w = 0; w < WORLDS; w++) {
        float dense[CELLS * 3] = {0};
        for (size_t i = 0; i < cells(w, head + 1); i++)
            dense[i * (size_t)outputs + (size_t)output] = factor * gradient[w][i];
        assert_int_equal(nlm_pass_add_logit_gradient(f->pass, w, head, dense, NULL), NLM_OK);
    }
}

static void bce_follows_its_formula(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int head = 0; head < HEADS; head++) {
            struct fixture *f = make(seed);
            load(f, true);
            struct bce want = bce_by_formula(f, head);
            nlm_bce_result got;
            forward(f, false);
            assert_int_equal(nlm_pass_bce(f->pass, head, 1, head, 3.0, &got, NULL), NLM_OK);
            assert_bce(&got, &want.result);
            forward(f, true);
            assert_int_equal(nlm_pass_bce(f->pass, head, 1, head, 3.0, &got, NULL), NLM_OK);
            assert_bce(&got, &want.result);
            float *gradients = backward(f);
            forward(f, true);
            add_gradients(f, head, 1, 3.0f, want.gradient);
            assert_same_gradients(f, gradients, backward(f));
            free_fixture(f);
        }
}

static void set_labels(struct fixture *f, int target, nlm_label label)
{
    for (int w = 0; w < WORLDS; w++)
        memset(f->labels[w][target], label, CELLS);
}

static void without_labels_there_is_no_loss(void **state)
{
    (void)state;
    struct fixture *f = make(3);
    nlm_bce_result got;
    set_labels(f, TWO, NLM_UNLABELLED);
    load(f, true);
    forward(f, true);
    assert_int_equal(nlm_pass_bce(f->pass, TWO, 1, TWO, 1.0, &got, NULL), NLM_OK);
    assert_true(got.loss == 0.0);
    assert_int_equal(got.labelled + got.correct + got.positives + got.correct_positives, 0);
    free(backward(f));
    assert_true(nlm_machine_gradient_norm(f->machine) == 0.0);
    free_fixture(f);
}

/* Nothing overflows, and a logit of 0 counts as false. */
static void bce_holds_at_extremes(void **state)
{
    (void)state;
    static const struct {
        float logit;
        nlm_label label;
        double loss;
        bool correct;
    } cases[] = {
        {2000.0f, NLM_TRUE, 0.0, true},      {2000.0f, NLM_FALSE, 2000.0, false},
        {-2000.0f, NLM_TRUE, 2000.0, false}, {-2000.0f, NLM_FALSE, 0.0, true},
        {0.0f, NLM_TRUE, M_LN2, false},      {0.0f, NLM_FALSE, M_LN2, true},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct fixture *f = make(4);
        nlm_bce_result got;
        for (int w = 0; w < WORLDS; w++)
            for (int i = 0; i < CELLS; i++)
                f->logits[w][ONE][i] = cases[c].logit;
        set_labels(f, ONE, cases[c].label);
        load(f, true);
        forward(f, true);
        assert_int_equal(nlm_pass_bce(f->pass, ONE, 1, ONE, 1.0, &got, NULL), NLM_OK);
        assert_near(got.loss, cases[c].loss, 1e-6 * cases[c].loss + 1e-37); /* exp stops at -87 */
        assert_int_equal(got.labelled, 9);
        assert_int_equal(got.correct, cases[c].correct ? 9 : 0);
        assert_int_equal(got.positives, cases[c].label == NLM_TRUE ? 9 : 0);
        free(backward(f));
        assert_true(isfinite(nlm_machine_gradient_norm(f->machine)));
        free_fixture(f);
    }
}

static void bce_refuses_what_does_not_fit(void **state)
{
    (void)state;
    struct fixture *f = make(5);
    nlm_bce_result got;
    nlm_error error;
    load(f, true);
    forward(f, true);
    assert_int_equal(nlm_pass_bce(f->pass, -1, 0, 0, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_bce(f->pass, HEADS, 0, 0, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "head 2"));
    assert_int_equal(nlm_pass_bce(f->pass, ONE, 2, ONE, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'one'"));
    assert_int_equal(nlm_pass_bce(f->pass, ONE, -1, ONE, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_bce(f->pass, ONE, 0, 2, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_bce(f->pass, ONE, 0, -1, 1.0, &got, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_bce(f->pass, ONE, 0, TWO, 1.0, &got, &error), NLM_BAD_SHAPE);
    load(f, false);
    forward(f, true);
    assert_int_equal(nlm_pass_bce(f->pass, ONE, 0, ONE, 1.0, &got, NULL), NLM_BAD_ARGUMENT);
    free_fixture(f);
}

/* ---- policy gradient, on logit 0 ---- */

struct policy {
    nlm_policy_result result;
    float gradient[WORLDS][CELLS];
};

/* d(-v log p(a) - beta H) / dz = v (p - [a]) + beta p (log p + H), one world. */
static void add_policy(struct policy *want, int world, int arity, const float *logits, size_t stride,
                       size_t action, double advantage, double beta)
{
    double p[CELLS] = {0}, sum = 0.0, entropy = 0.0;
    for (size_t i = 0; i < cells(world, arity); i++)
        sum += p[i] = repeats(world, arity, i) ? 0.0 : exp((double)logits[i * stride]);
    for (size_t i = 0; i < cells(world, arity); i++) {
        p[i] /= sum;
        entropy -= p[i] > 0.0 ? p[i] * log(p[i]) : 0.0;
    }
    for (size_t i = 0; i < cells(world, arity); i++) {
        double gradient =
            advantage * (p[i] - (i == action)) + (p[i] > 0.0 ? beta * p[i] * (log(p[i]) + entropy) : 0.0);
        want->gradient[world][i] = (float)gradient;
    }
    want->result.loss -= advantage * log(p[action]) + beta * entropy;
    want->result.entropy += entropy / WORLDS;
}

static void policy_follows_its_formula(void **state)
{
    (void)state;
    const double advantages[] = {1.0, -2.0, 0.5}, beta = 0.7;
    const int actions[] = {0, 2, 3, 1, 1, 0};
    for (uint64_t seed = 0; seed < 10; seed++)
        for (int head = 0; head < HEADS; head++) {
            struct fixture *f = make(seed);
            struct policy want = {0};
            nlm_policy_result got;
            load(f, true);
            forward(f, true);
            int arity = head + 1, taken[2 * WORLDS];
            for (int w = 0; w < WORLDS; w++) {
                float logits[CELLS * 3];
                memcpy(taken + w * arity, actions + 2 * w, (size_t)arity * sizeof *taken);
                size_t action = (size_t)actions[2 * w];
                if (arity == 2)
                    action = action * (size_t)objects[w] + (size_t)actions[2 * w + 1];
                assert_int_equal(nlm_pass_logits(f->pass, w, head, logits, NULL), NLM_OK);
                add_policy(&want, w, arity, logits, (size_t)nlm_machine_head(f->machine, head)->outputs,
                           action, advantages[w], beta);
            }
            assert_int_equal(nlm_pass_policy(f->pass, head, taken, advantages, beta, &got, NULL), NLM_OK);
            assert_near(got.loss, want.result.loss, 1e-6);
            assert_near(got.entropy, want.result.entropy, 1e-6);
            float *gradients = backward(f);
            forward(f, true);
            add_gradients(f, head, 0, 1.0f, want.gradient);
            assert_same_gradients(f, gradients, backward(f));
            free_fixture(f);
        }
}

static void policy_refuses_what_does_not_fit(void **state)
{
    (void)state;
    static const int fine[] = {0, 1, 3, 2, 1, 0};
    static const struct {
        int place, object;
    } changes[] = {{0, 1}, {0, -1}, {1, 3}, {3, 4}, {5, 1}, {4, 2}};
    const double advantages[WORLDS] = {1.0, 1.0, 1.0};
    struct fixture *f = make(6);
    nlm_policy_result got;
    nlm_error error;
    load(f, true);
    forward(f, true);
    for (size_t c = 0; c < COUNT(changes); c++) {
        int actions[COUNT(fine)];
        memcpy(actions, fine, sizeof fine);
        actions[changes[c].place] = changes[c].object;
        assert_int_equal(nlm_pass_policy(f->pass, TWO, actions, advantages, 0.0, &got, &error),
                         NLM_BAD_ARGUMENT);
        char world[16] = "world 0";
        world[6] = (char)('0' + changes[c].place / 2);
        assert_non_null(strstr(error.message, world));
    }
    assert_int_equal(nlm_pass_policy(f->pass, HEADS, fine, advantages, 0.0, &got, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_policy(f->pass, -1, fine, advantages, 0.0, &got, NULL), NLM_BAD_ARGUMENT);
    free(backward(f)); /* what was refused has added nothing */
    assert_true(nlm_machine_gradient_norm(f->machine) == 0.0);
    free_fixture(f);
}

/* ---- calls out of order ---- */

static void before_a_forward_pass_everything_is_refused(void **state)
{
    (void)state;
    static const double advantages[WORLDS] = {0};
    static const int actions[2 * WORLDS] = {0};
    struct fixture *f = make(7);
    float numbers[CELLS * 8] = {0};
    nlm_bce_result bce;
    nlm_policy_result policy;
    assert_int_equal(nlm_pass_forward(f->pass, f->structure, true, NULL), NLM_BAD_ARGUMENT);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_output(f->pass, 0, 1, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_logits(f->pass, 0, ONE, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_add_output_gradient(f->pass, 0, 1, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_add_logit_gradient(f->pass, 0, ONE, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 1, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_bce(f->pass, ONE, 0, ONE, 1.0, &bce, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_policy(f->pass, ONE, actions, advantages, 0.0, &policy, NULL),
                         NLM_BAD_ARGUMENT);
        if (round == 1)
            break;
        nlm_structure *unbuilt; /* a forward pass that fails is none, even after one that did not */
        load(f, true);
        forward(f, true);
        assert_int_equal(nlm_structure_new(&unbuilt, NULL), NLM_OK);
        assert_int_equal(nlm_pass_forward(f->pass, unbuilt, true, NULL), NLM_BAD_ARGUMENT);
        nlm_structure_free(unbuilt);
    }
    free_fixture(f);
}

static void gradients_need_a_forward_pass_for_training(void **state)
{
    (void)state;
    struct fixture *f = make(8);
    float numbers[CELLS * 8] = {0};
    load(f, true);
    forward(f, false);
    assert_int_equal(nlm_pass_add_output_gradient(f->pass, 0, 1, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_add_logit_gradient(f->pass, 0, ONE, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_BAD_ARGUMENT);
    forward(f, true);
    assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
    assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_BAD_ARGUMENT); /* used up */
    assert_int_equal(nlm_pass_add_logit_gradient(f->pass, 0, ONE, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_logits(f->pass, 0, ONE, numbers, NULL), NLM_OK);
    assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 1, numbers, NULL), NLM_BAD_ARGUMENT);
    free_fixture(f);
}

static void what_does_not_exist_is_refused(void **state)
{
    (void)state;
    struct fixture *f = make(9);
    float numbers[CELLS * 8] = {0};
    nlm_error error;
    load(f, true);
    forward(f, true);
    static const int not_wanted[] = {-1, 0, 3, 4, 6};
    for (size_t a = 0; a < COUNT(not_wanted); a++) {
        assert_int_equal(nlm_pass_output(f->pass, 0, not_wanted[a], numbers, &error), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_add_output_gradient(f->pass, 0, not_wanted[a], numbers, NULL),
                         NLM_BAD_ARGUMENT);
    }
    for (int world = -1; world <= WORLDS; world += WORLDS + 1) {
        assert_int_equal(nlm_pass_output(f->pass, world, 1, numbers, &error), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_logits(f->pass, world, ONE, numbers, &error), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_add_output_gradient(f->pass, world, 1, numbers, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_pass_add_logit_gradient(f->pass, world, ONE, numbers, NULL), NLM_BAD_ARGUMENT);
    }
    assert_int_equal(nlm_pass_logits(f->pass, 0, HEADS, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_add_logit_gradient(f->pass, 0, -1, numbers, NULL), NLM_BAD_ARGUMENT);
    nlm_options options = {.input_gradients = true};
    assert_int_equal(nlm_structure_build(f->structure, f->machine, f->batch, &options, NULL), NLM_OK);
    forward(f, true);
    assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 2, numbers, NULL), NLM_BAD_ARGUMENT); /* too early */
    assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
    assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 2, numbers, NULL), NLM_OK);
    assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 0, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_input_gradient(f->pass, 0, 7, numbers, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_input_gradient(f->pass, WORLDS, 2, numbers, NULL), NLM_BAD_ARGUMENT);
    free_fixture(f);
}

static void a_structure_for_another_spec_is_refused(void **state)
{
    (void)state;
    nlm_spec others[] = {spec, spec, spec, spec, spec};
    others[0].depth = 3;
    others[1].residual = false;
    others[2].outputs = 2;
    others[3].breadth = 2;
    others[4].hidden_layers = 1, others[4].hidden[0] = 4;
    struct fixture *f = make(10);
    nlm_error error;
    load(f, true);
    for (size_t o = 0; o < COUNT(others); o++) {
        nlm_machine *other;
        nlm_pass *pass;
        assert_int_equal(nlm_machine_new(&others[o], NULL, 0, &other, NULL), NLM_OK);
        assert_int_equal(nlm_pass_new(other, &pass, NULL), NLM_OK);
        assert_int_equal(nlm_pass_forward(pass, f->structure, false, &error), NLM_BAD_SHAPE);
        assert_string_equal(error.message, "the structure was built for a machine of another spec");
        nlm_pass_free(pass);
        nlm_machine_free(other);
    }
    free_fixture(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_dense_and_zero_at_repeated_objects),
        cmocka_unit_test(outputs_are_dense_and_zero_at_repeated_objects),
        cmocka_unit_test(bce_follows_its_formula),
        cmocka_unit_test(without_labels_there_is_no_loss),
        cmocka_unit_test(bce_holds_at_extremes),
        cmocka_unit_test(bce_refuses_what_does_not_fit),
        cmocka_unit_test(policy_follows_its_formula),
        cmocka_unit_test(policy_refuses_what_does_not_fit),
        cmocka_unit_test(before_a_forward_pass_everything_is_refused),
        cmocka_unit_test(gradients_need_a_forward_pass_for_training),
        cmocka_unit_test(what_does_not_exist_is_refused),
        cmocka_unit_test(a_structure_for_another_spec_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
