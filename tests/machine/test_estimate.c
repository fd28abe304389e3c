/* Memory before it is taken: the estimate is never above what is really kept for the tuples, and is all of it
 * where there are no facts. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "machine/machine.h"
#include "machine/pass.h"
#include "nlm/nlm.h"

static random_stream draws;

static int below(int n)
{
    return (int)random_below(&draws, (uint32_t)n);
}

static nlm_machine *make_machine(const nlm_spec *spec)
{
    nlm_machine *machine;
    return nlm_machine_new(spec, NULL, 0, &machine, NULL) ? NULL : machine;
}

static nlm_machine *draw_machine(void)
{
    nlm_machine *machine = NULL;
    while (!machine) {
        nlm_spec spec = {.depth = 1 + below(5), .breadth = 2 + below(2), .width = 1 + below(9)};
        for (int r = 0; r <= spec.breadth; r++)
            spec.inputs[r] = below(2) ? below(4) : 0;
        spec.residual = below(2);
        spec.hidden_layers = below(4) == 0;
        spec.hidden[0] = 5;
        spec.outputs =
            below(2) ? 1u << below(spec.breadth + 1) : 1 + random_below(&draws, (2u << spec.breadth) - 1);
        machine = make_machine(&spec);
    }
    return machine;
}

/* A world of truth values, a share of `often` in 20 of them true. */
static void add_world(nlm_batch *batch, int objects, uint32_t often)
{
    float *values[NLM_MAX_BREADTH + 1];
    assert_int_equal(batch_add_values(batch, objects, values, NULL), NLM_OK);
    for (int r = 0; r <= batch->breadth; r++) {
        size_t count = tuples_count(&batch->tuples, r) * (size_t)(batch_orders(r) * batch->inputs[r]);
        for (size_t i = 0; i < count; i++)
            values[r][i] = random_below(&draws, 20) < often ? 1.0f : 0.0f;
    }
}

static size_t codes_bytes(const struct partition *part, size_t tuples)
{
    return part->code_store.data ? tuples * sizeof(int32_t) : 0;
}

static size_t table_bytes(const struct value_table *table)
{
    return table->rows * (size_t)table->stride * sizeof(float);
}

/* What new objects have really kept per tuple; ranges apart, since the estimate leaves them out. */
static double kept_bytes(const nlm_batch *batch, const nlm_structure *s, const nlm_pass *pass, double *ranges)
{
    size_t bytes = 2 * sizeof(size_t) * (NLM_MAX_BREADTH + 1) * ((size_t)batch->tuples.most_objects + 1);
    size_t apart = 0;
    for (int r = 0; r <= s->breadth; r++) {
        size_t tuples = tuples_count(&s->tuples, r);
        bytes +=
            tuples * (size_t)(batch_orders(r) * (r <= batch->breadth ? batch->inputs[r] : 0)) * sizeof(float);
        bytes += codes_bytes(&s->identity[r], tuples);
        for (int i = 0; i <= s->depth; i++) {
            bytes += codes_bytes(&s->levels[i][r].store, tuples) + table_bytes(&pass->blocks[i][r]) +
                     table_bytes(&pass->pools[i][r]);
            apart += codes_bytes(&s->ranges[i][r].store, tuples);
        }
    }
    *ranges = (double)apart;
    return (double)bytes;
}

/* One world through new objects: what it kept. */
static double run(nlm_machine *machine, int objects, uint32_t often, double *ranges)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    assert_int_equal(nlm_batch_new(spec->inputs, spec->breadth, &batch, NULL), NLM_OK);
    assert_int_equal(nlm_structure_new(&structure, NULL), NLM_OK);
    assert_int_equal(nlm_pass_new(machine, &pass, NULL), NLM_OK);
    add_world(batch, objects, often);
    assert_int_equal(nlm_structure_build(structure, machine, batch, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_pass_forward(pass, structure, false, NULL), NLM_OK);
    double bytes = kept_bytes(batch, structure, pass, ranges);
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    return bytes;
}

static void it_is_a_lower_bound_and_reached(void **state)
{
    (void)state;
    int tight = 0;
    for (int round = 0; round < 300; round++) {
        random_start(&draws, 31, (uint64_t)round);
        nlm_machine *machine = draw_machine();
        int objects = nlm_machine_spec(machine)->breadth == 3 ? 1 + below(40) : 1 + below(300);
        double least = nlm_structure_memory(machine, objects), ranges;
        for (uint32_t often = 0; often < 3; often++) {
            double kept = run(machine, objects, often * often, &ranges);
            if (least > kept)
                fail_msg("round %d: %g bytes at least, %g kept", round, least, kept);
            if (often == 0 && objects > 20) {
                const nlm_spec *spec = nlm_machine_spec(machine);
                if (least + ranges + 4096.0 < 0.8 * kept)
                    fail_msg("round %d: %g bytes at least, %g kept without facts: depth %d, breadth %d, "
                             "inputs %d %d %d %d, residual %d, hidden %d, outputs %u, %d objects",
                             round, least, kept, spec->depth, spec->breadth, spec->inputs[0], spec->inputs[1],
                             spec->inputs[2], spec->inputs[3], spec->residual, spec->hidden_layers,
                             spec->outputs, objects);
                tight++;
            }
        }
        nlm_machine_free(machine);
    }
    assert_true(tight > 100);
}

/* Pairs: two inputs in two orders, codes at layers 0 and 1.  Objects: one input, codes at layers 0 and 1, and
 * at layer 2, the first that reads the whole world. */
static void it_is_what_one_counts_by_hand(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 4, .breadth = 2, .inputs = {0, 1, 2}, .width = 8, .outputs = 4};
    nlm_machine *machine = make_machine(&spec);
    double pairs = 3000.0 * 2999.0 / 2.0;
    double expected = pairs * (2 * 2 * 4 + 2 * 4) + 3000.0 * (4 + 3 * 4) + 3000.0 * 12.0 * sizeof(size_t);
    double least = nlm_structure_memory(machine, 3000);
    assert_true(fabs(least - expected) < 100.0); /* the only tuple of arity 0 */
    assert_true(nlm_structure_memory(machine, 0) == 0.0);
    nlm_machine_free(machine);
}

static void the_largest_world_fits_and_no_larger_one(void **state)
{
    (void)state;
    for (int round = 0; round < 100; round++) {
        random_start(&draws, 32, (uint64_t)round);
        nlm_machine *machine = draw_machine();
        double bytes = pow(10.0, 3.0 + below(9));
        int largest = nlm_structure_largest(machine, bytes);
        assert_true(nlm_structure_memory(machine, largest) <= bytes);
        assert_true(largest == 1000000 || nlm_structure_memory(machine, largest + 1) > bytes);
        assert_true(nlm_structure_largest(machine, 0.0) == 0);
        nlm_machine_free(machine);
    }
}

/* Numbers of tuples have 31 bits; codes too, three of which are for the order of a triple, but triples are of
 * few classes. */
static void more_tuples_than_codes_fit_nowhere(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 3, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .outputs = 8};
    nlm_machine *machine = make_machine(&spec);
    int largest = nlm_structure_largest(machine, 1e30);
    double most = INT32_MAX, n = largest;
    assert_true(n * (n - 1) * (n - 2) / 6 <= most && (n + 1) * n * (n - 1) / 6 > most);
    assert_true(isinf(nlm_structure_memory(machine, largest + 1)));
    assert_true(isinf(nlm_structure_memory(machine, INT32_MAX)));
    nlm_machine_free(machine);
}

/* Triples that only a reduction reads are streamed: they have no numbers, and pairs decide. */
static void streamed_tuples_need_no_numbers(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 2, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .outputs = 4};
    nlm_machine *machine = make_machine(&spec);
    assert_true(structure_may_stream(&machine->plan, 1, 3) && !structure_numbers(&machine->plan, 3));
    assert_true(nlm_structure_memory(machine, 3010) < 1e10);
    const double n = nlm_structure_largest(machine, 1e30);
    assert_true(n * (n - 1) / 2 <= INT32_MAX >> 1 && (n + 1) * n / 2 > INT32_MAX >> 1);
    nlm_machine_free(machine);
}

/* Refused with the reason, before memory is taken: the batch itself has the numbers of its pairs only. */
static void a_world_beyond_numbers_is_refused_with_the_reason(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 3, .breadth = 3, .inputs = {0, 1, 0}, .width = 8, .outputs = 8};
    nlm_machine *machine = make_machine(&spec);
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_error error;
    assert_int_equal(nlm_batch_for(machine, &batch, NULL), NLM_OK);
    assert_int_equal(nlm_structure_new(&structure, NULL), NLM_OK);
    add_world(batch, 2346, 1);
    assert_int_equal(nlm_structure_build(structure, machine, batch, NULL, &error), NLM_NO_MEMORY);
    if (SIZE_MAX > UINT32_MAX) /* where addresses have 32 bits, memory ends before */
        assert_string_equal(error.message, "more than 2147483647 tuples of 3 objects cannot be numbered");
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_lower_bound_and_reached),
        cmocka_unit_test(it_is_what_one_counts_by_hand),
        cmocka_unit_test(the_largest_world_fits_and_no_larger_one),
        cmocka_unit_test(more_tuples_than_codes_fit_nowhere),
        cmocka_unit_test(streamed_tuples_need_no_numbers),
        cmocka_unit_test(a_world_beyond_numbers_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
