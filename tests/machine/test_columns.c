/* What weights read: every unit and head, computed tuple by tuple from what nlm_unit_column says that its
 * columns read, is what the pass computed; and its values, dense and as ranges. */
#include <math.h>
#include "nlm/evaluator.h"
#include "nlm/task.h"
#include "test.h"

enum { OBJECTS = 4, WIDTH = 3, MOST_CELLS = 64 * 16 };

typedef struct looked_at {
    nlm_machine *machine;
    nlm_world *world;
    nlm_evaluator *evaluator;
} looked_at;

static looked_at look_at(bool residual)
{
    const nlm_task *task = nlm_task_find("grandparent");
    nlm_spec spec = {
        .depth = 3, .breadth = 3, .width = WIDTH, .residual = residual, .outputs = 1 << 1 | 1 << 2};
    const nlm_head_spec heads[] = {{.name = "pairs", .arity = 2, .outputs = 1},
                                   {.name = "ones", .arity = 1, .outputs = 2}};
    const nlm_options options = {.lifting = NLM_CLASSES};
    looked_at of;
    memcpy(spec.inputs, task->inputs, sizeof spec.inputs);
    CHECK(nlm_machine_new(&spec, heads, 2, &of.machine, &check_error));
    nlm_machine_initialise(of.machine, 7);
    CHECK(nlm_world_new(&of.world, &check_error));
    CHECK(nlm_task_generate(task, NLM_WORLDS_PAPER, 1, 3, OBJECTS, of.world, &check_error));
    CHECK(nlm_evaluator_new(of.machine, &options, &of.evaluator, &check_error));
    CHECK(nlm_evaluator_add(of.evaluator, of.world, &check_error));
    CHECK(nlm_evaluator_run(of.evaluator, false, &check_error));
    return of;
}

static void end(looked_at *of)
{
    nlm_evaluator_free(of->evaluator);
    nlm_world_free(of->world);
    nlm_machine_free(of->machine);
}

static int power(int exponent)
{
    return exponent == 0 ? 1 : OBJECTS * power(exponent - 1);
}

/* The tuple of a place, in the order of a number; false if it repeats an object. */
static bool tuple_at(int arity, int place, int order, int tuple[4])
{
    int plain[4], rest = order, left[4] = {0, 1, 2, 3};
    for (int k = arity - 1; k >= 0; k--, place /= OBJECTS)
        plain[k] = place % OBJECTS;
    for (int k = 0; k < arity; k++) {
        int factorial = 1;
        for (int f = 2; f < arity - k; f++)
            factorial *= f;
        const int chosen = rest / factorial;
        rest %= factorial;
        tuple[k] = plain[left[chosen]];
        memmove(left + chosen, left + chosen + 1, sizeof(int) * (size_t)(3 - chosen));
        for (int j = 0; j < k; j++) {
            if (tuple[j] == tuple[k])
                return false;
        }
    }
    return true;
}

static double value_at(const looked_at *of, const nlm_column *read, const int *tuple)
{
    static float values[MOST_CELLS];
    int place = 0;
    CHECK(nlm_pass_values(nlm_evaluator_pass(of->evaluator), 0, read->layer, read->arity, values,
                          &check_error));
    for (int k = 0; k < read->arity; k++)
        place = place * OBJECTS + tuple[k];
    return (double)values[place * nlm_unit_width(of->machine, read->layer, read->arity) + read->predicate];
}

/* The number that a column reads at a tuple of `arity` objects. */
static double read_at(const looked_at *of, const nlm_column *read, int arity, int *tuple)
{
    if (read->operation == NLM_OWN || read->operation == NLM_EXPAND) {
        assert_int_equal(read->arity, read->operation == NLM_OWN ? arity : arity - 1);
        return value_at(of, read, tuple);
    }
    const bool exists = read->operation == NLM_EXISTS;
    double found = exists ? 0 : 1;
    assert_int_equal(read->arity, arity + 1);
    for (int z = 0; z < OBJECTS; z++) {
        bool inside = false;
        for (int k = 0; k < arity; k++)
            inside = inside || tuple[k] == z;
        tuple[arity] = z;
        const double value = inside ? found : value_at(of, read, tuple);
        found = exists ? fmax(found, value) : fmin(found, value);
    }
    return found;
}

static void check_unit(looked_at *of, int layer, int arity)
{
    static float values[MOST_CELLS];
    const int number = nlm_unit_tensor(of->machine, layer, arity);
    const nlm_tensor weight = nlm_machine_tensor(of->machine, number);
    const nlm_tensor bias = nlm_machine_tensor(of->machine, number + 1);
    float least[WIDTH], most[WIDTH];
    CHECK(nlm_pass_range(nlm_evaluator_pass(of->evaluator), layer, arity, least, most, &check_error));
    for (int place = 0; place < power(arity); place++) {
        int tuple[4];
        if (!tuple_at(arity, place, 0, tuple))
            continue;
        double sum[WIDTH];
        for (int n = 0; n < WIDTH; n++)
            sum[n] = (double)bias.values[n];
        nlm_column read;
        for (int c = 0; nlm_unit_column(of->machine, layer, arity, c, &read); c++) {
            tuple_at(arity, place, read.order, tuple);
            const double value = read_at(of, &read, arity, tuple);
            for (int n = 0; n < WIDTH; n++)
                sum[n] += value * (double)weight.values[n * weight.shape[1] + c];
        }
        CHECK(nlm_pass_values(nlm_evaluator_pass(of->evaluator), 0, layer, arity, values, &check_error));
        for (int n = 0; n < WIDTH; n++) {
            const float value = values[place * WIDTH + n];
            assert_true(fabs(1 / (1 + exp(-sum[n])) - (double)value) < 1e-5);
            assert_true(value >= least[n] && value <= most[n]);
        }
    }
}

static void units_are_what_their_columns_read(void **state)
{
    (void)state;
    for (int residual = 0; residual < 2; residual++) {
        looked_at of = look_at(residual);
        nlm_column read;
        int units = 0;
        for (int layer = 1; layer <= 3; layer++) {
            for (int arity = 0; arity <= 3; arity++) {
                if (!nlm_machine_unit_live(of.machine, layer, arity))
                    continue;
                check_unit(&of, layer, arity);
                units++;
            }
        }
        assert_true(units >= 8);
        assert_false(nlm_unit_column(of.machine, 0, 2, 0, &read));
        assert_false(nlm_unit_column(of.machine, 4, 2, 0, &read));
        assert_false(nlm_unit_column(of.machine, 1, 2, -1, &read));
        assert_false(nlm_unit_column(of.machine, 1, 4, 0, &read));
        assert_int_equal(nlm_unit_tensor(of.machine, 3, 3), -1); /* nothing reads it */
        assert_int_equal(nlm_unit_width(of.machine, 4, 0), 0);
        end(&of);
    }
}

static void heads_are_what_their_columns_read(void **state)
{
    (void)state;
    for (int residual = 0; residual < 2; residual++) {
        looked_at of = look_at(residual);
        for (int head = 0; head < 2; head++) {
            const nlm_head_spec *spec = nlm_machine_head(of.machine, head);
            const nlm_tensor weight = nlm_machine_tensor(of.machine, nlm_head_tensor(of.machine, head));
            const nlm_tensor bias = nlm_machine_tensor(of.machine, nlm_head_tensor(of.machine, head) + 1);
            float logits[2 * OBJECTS * OBJECTS];
            CHECK(nlm_pass_logits(nlm_evaluator_pass(of.evaluator), 0, head, logits, &check_error));
            for (int place = 0; place < power(spec->arity); place++) {
                int tuple[4];
                nlm_column read;
                double sum = (double)bias.values[0];
                if (!tuple_at(spec->arity, place, 0, tuple))
                    continue;
                for (int c = 0; nlm_head_column(of.machine, head, c, &read); c++)
                    sum += (double)weight.values[c] * read_at(&of, &read, spec->arity, tuple);
                assert_true(fabs(sum - (double)logits[place * spec->outputs]) < 1e-5);
            }
        }
        assert_int_equal(nlm_head_tensor(of.machine, 2), -1);
        end(&of);
    }
}

/* A twin head reads four objects and two pairs; all inputs of pairs are read, each twice. */
static void twin_heads_read_objects_and_pairs(void **state)
{
    (void)state;
    enum { PAIRS = 6 };
    const nlm_spec spec = {
        .depth = 1, .breadth = 2, .inputs = {0, 1, PAIRS}, .width = WIDTH, .outputs = 1 << 1};
    const nlm_head_spec head = {.name = "moves", .arity = 2, .outputs = 1, .twins = true};
    nlm_machine *machine;
    nlm_column read;
    int seen[PAIRS][2] = {{0}};
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    int c = 0;
    for (; c < 4 * WIDTH; c++) {
        assert_true(nlm_head_column(machine, 0, c, &read));
        assert_true(read.order == c / WIDTH && read.layer == 1 && read.arity == 1 &&
                    read.predicate == c % WIDTH);
    }
    for (; nlm_head_column(machine, 0, c, &read); c++) {
        const int at = c - 4 * WIDTH; /* relation, then pair or twins, then property */
        assert_true(read.layer == 0 && read.arity == 2);
        assert_int_equal(read.predicate, at / 4 * 2 + at % 2);
        seen[read.predicate][read.order - 4]++;
    }
    assert_int_equal(c, 4 * WIDTH + 2 * PAIRS);
    for (int k = 0; k < PAIRS; k++)
        assert_true(seen[k][0] == 1 && seen[k][1] == 1);
    nlm_machine_free(machine);
}

static void values_that_are_not_kept_are_refused(void **state)
{
    (void)state;
    looked_at of = look_at(false);
    nlm_pass *pass = nlm_evaluator_pass(of.evaluator);
    float values[MOST_CELLS];
    nlm_error error;
    assert_int_equal(nlm_pass_values(pass, 1, 1, 1, values, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_values(pass, 0, 4, 1, values, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_values(pass, 0, 1, -1, values, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_values(pass, 0, 3, 3, values, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_range(pass, 0, 1, values, values, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_machine_perceive(of.machine, values, 1, values, &error), NLM_BAD_ARGUMENT);
    end(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_what_their_columns_read),
        cmocka_unit_test(heads_are_what_their_columns_read),
        cmocka_unit_test(twin_heads_read_objects_and_pairs),
        cmocka_unit_test(values_that_are_not_kept_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
