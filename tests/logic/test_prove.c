/* Proofs: hard units against forward passes, programs of machines proved, changed ones refuted by a world on
 * which a forward pass and the program do differ; soft units named. */
#include <unistd.h>
#include "hard_machines.h"
#include "logic/program.h"
#include "nlm/prove.h"

enum { MACHINES = 300, MOST_TUPLES = 64 };

static nlm_proof *prove(nlm_machine *machine, const nlm_signature *signature, const nlm_program *rules)
{
    nlm_proof *proof;
    CHECK(nlm_prove(machine, signature, rules, &proof, &check_error));
    return proof;
}

/* Whether the forward pass says 0 or 1 for every tuple, and the same as the program. */
static void check_world(nlm_machine *machine, const nlm_program *program, const nlm_world *world, int arity)
{
    float logits[MOST_TUPLES];
    signed char truth[MOST_TUPLES];
    const int objects = nlm_world_objects(world);
    int tuple[NLM_MAX_BREADTH];
    ask_machine(machine, world, logits);
    CHECK(nlm_program_evaluate(program, world, 0, truth, &check_error));
    for (size_t t = 0; t < nlm_tuple_count(objects, arity); t++)
        if (nlm_tuple_at(objects, arity, t, tuple)) {
            assert_true(logits[t] >= 17 || logits[t] <= -104);
            assert_int_equal(logits[t] > 0, truth[t]);
        }
}

/* Machines whose program is known are proved, and a forward pass agrees. */
static void programs_of_machines(void **context)
{
    (void)context;
    for (uint32_t seed = 1; seed <= MACHINES; seed++) {
        nlm_signature *signature;
        nlm_program *program;
        state = seed;
        nlm_machine *machine = make_machine(&signature);
        CHECK(nlm_program_of(machine, signature, &program, &check_error));
        nlm_proof *proof = prove(machine, signature, program);
        assert_int_equal(proof->verdict, NLM_PROVED);
        assert_int_equal(proof->soft, 0);
        assert_true(proof->units > 0 && proof->margin > 127);
        assert_non_null(strstr(proof->definitions, " = "));
        for (int objects = 1; objects <= 4; objects++) {
            nlm_world *world = make_world(signature, objects);
            check_world(machine, program, world, nlm_machine_head(machine, 0)->arity);
            nlm_world_free(world);
        }
        nlm_proof_free(proof);
        nlm_program_free(program);
        nlm_signature_free(signature);
        nlm_machine_free(machine);
    }
}

/* The world of a proof, read as facts are; its atom is t(a), t(a, b), ... */
static void check_refutation(nlm_machine *machine, const nlm_signature *signature, const nlm_program *rules,
                             const nlm_proof *proof)
{
    char path[] = "/tmp/nlm-test-prove-XXXXXX";
    const int arity = nlm_machine_head(machine, 0)->arity, file = mkstemp(path);
    const char *const atoms[] = {"t", "t(a)", "t(a, b)", "t(a, b, c)"};
    nlm_problem *problem;
    float logits[MOST_TUPLES];
    signed char truth[MOST_TUPLES];
    int tuple[NLM_MAX_BREADTH] = {0};
    assert_true(file >= 0);
    assert_int_equal(write(file, proof->world, strlen(proof->world)), (ssize_t)strlen(proof->world));
    close(file);
    CHECK(nlm_problem_read(path, &(nlm_reading){.signature = signature}, &problem, &check_error));
    unlink(path);
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_int_equal(nlm_world_objects(world), proof->objects);
    ask_machine(machine, world, logits);
    CHECK(nlm_program_evaluate(rules, world, 0, truth, &check_error));
    assert_string_equal(proof->atom, atoms[arity]);
    for (int i = 0; i < arity; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        tuple[i] = nlm_world_find_object(world, name);
    }
    size_t number = 0;
    for (int i = 0; i < arity; i++)
        number = number * (size_t)proof->objects + (size_t)tuple[i];
    assert_int_equal(logits[number] > 0, proof->machine_concludes);
    assert_int_equal(truth[number], !proof->machine_concludes);
    nlm_problem_free(problem);
}

/* A weight changes its sign: if the machine is another one now, a world shows it. */
static void changed_weights(void **context)
{
    (void)context;
    int refuted = 0;
    for (uint32_t seed = 1; seed <= MACHINES; seed++) {
        nlm_signature *signature;
        nlm_program *program;
        state = seed;
        nlm_machine *machine = make_machine(&signature);
        CHECK(nlm_program_of(machine, signature, &program, &check_error));
        const nlm_tensor tensor = nlm_machine_tensor(machine, draw(nlm_machine_tensors(machine)));
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] = -tensor.values[i];
        nlm_proof *proof = prove(machine, signature, program);
        if (proof->verdict == NLM_REFUTED) {
            refuted++;
            check_refutation(machine, signature, program, proof);
        } else {
            assert_int_equal(proof->verdict, NLM_PROVED);
            nlm_world *world = make_world(signature, 4);
            check_world(machine, program, world, nlm_machine_head(machine, 0)->arity);
            nlm_world_free(world);
        }
        nlm_proof_free(proof);
        nlm_program_free(program);
        nlm_signature_free(signature);
        nlm_machine_free(machine);
    }
    assert_in_range(refuted, MACHINES / 4, MACHINES);
}

/* Sums that are not far enough from 0, and machines that were never hard. */
static void soft_units(void **context)
{
    (void)context;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        nlm_signature *signature;
        state = seed;
        nlm_machine *machine = make_machine(&signature);
        nlm_proof *proof = prove(machine, signature, NULL);
        assert_int_equal(proof->verdict, NLM_PROVED);
        nlm_proof_free(proof);
        for (int i = 0; i < nlm_machine_tensors(machine); i++) {
            const nlm_tensor tensor = nlm_machine_tensor(machine, i);
            for (size_t k = 0; k < tensor.count; k++)
                tensor.values[k] *= 0.1f;
        }
        proof = prove(machine, signature, NULL);
        assert_int_equal(proof->verdict, NLM_SOFT);
        assert_true(proof->soft > 0 && proof->soft <= proof->units);
        assert_non_null(strstr(proof->reason, "adds up to"));
        assert_string_equal(proof->definitions, "");
        nlm_proof_free(proof);
        nlm_machine_initialise(machine, seed);
        proof = prove(machine, signature, NULL);
        assert_int_equal(proof->verdict, NLM_SOFT);
        assert_int_equal(proof->soft, proof->units);
        nlm_proof_free(proof);
        nlm_signature_free(signature);
        nlm_machine_free(machine);
    }
}

/* One unit that reads p(X) with this weight and bias. */
static nlm_machine *one_unit(float weight, float bias, nlm_signature **signature)
{
    const nlm_spec spec = {.depth = 1, .breadth = 1, .inputs = {0, 1}, .width = 1, .outputs = 2};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, &(nlm_head_spec){.name = "t", .arity = 1, .outputs = 1}, 1, &machine,
                          &check_error));
    nlm_machine_tensor(machine, 0).values[0] = weight;
    nlm_machine_tensor(machine, 1).values[0] = bias;
    nlm_machine_tensor(machine, 2).values[0] = 400;
    nlm_machine_tensor(machine, 3).values[0] = -200;
    *signature = make_signature(&spec, 1);
    return machine;
}

static void check_one(float weight, float bias, nlm_verdict verdict, const char *reason)
{
    nlm_signature *signature;
    nlm_machine *machine = one_unit(weight, bias, &signature);
    nlm_proof *proof = prove(machine, signature, NULL);
    assert_string_equal(proof->reason, reason);
    assert_int_equal(proof->verdict, verdict);
    if (verdict == NLM_PROVED)
        assert_string_equal(proof->definitions, "t(X) = p0_1(X)\n");
    nlm_proof_free(proof);
    nlm_signature_free(signature);
    nlm_machine_free(machine);
}

static void margins(void **context)
{
    (void)context;
    check_one(121, -104.02f, NLM_SOFT,
              "predicate 0 of layer 1, arity 1, adds up to 16.98, not 17 or more, where p0_1(X) is true");
    check_one(121.1f, -104.01f, NLM_PROVED, "");
    check_one(200, -103.9f, NLM_SOFT,
              "predicate 0 of layer 1, arity 1, adds up to -103.9, not -104 or less, where p0_1(X) is false");
    check_one(0.5f, 0, NLM_SOFT,
              "predicate 0 of layer 1, arity 1, adds up to 0, not -104 or less, where p0_1(X) is false");
}

/* An order without a last element: true in no world, as worlds are finite, but no proof says so. */
static void endless_order(void **context)
{
    (void)context;
    const nlm_spec spec = {.depth = 1, .breadth = 2, .inputs = {0, 0, 1}, .width = 1, .outputs = 2};
    nlm_machine *machine;
    nlm_program *rules;
    CHECK(nlm_machine_new(&spec, &(nlm_head_spec){.name = "t", .arity = 1, .outputs = 1}, 1, &machine,
                          &check_error));
    nlm_machine_tensor(machine, nlm_machine_tensors(machine) - 1).values[0] = -200;
    nlm_signature *signature = make_signature(&spec, 1);
    CHECK(program_new(&rules, &check_error));
    CHECK(program_add_signature(rules, signature, &check_error));
    formula_store *store = &rules->store;
    const formula xy = program_atom(rules, 0, (const int[]){1, 2}),
                  yz = program_atom(rules, 0, (const int[]){2, 3}),
                  xz = program_atom(rules, 0, (const int[]){1, 3});
    const formula transitive = formula_forall(
        store, 1,
        formula_forall(
            store, 2,
            formula_forall(store, 3,
                           formula_or(store,
                                      (const formula[]){formula_not(store, xy), formula_not(store, yz), xz},
                                      3))));
    const formula endless = formula_forall(store, 1, formula_exists(store, 2, xy));
    rules->target[rules->target_count++] =
        program_add_definition(rules, "t", 1, formula_and2(store, transitive, endless));
    nlm_proof *proof = prove(machine, signature, rules);
    assert_int_equal(proof->verdict, NLM_UNDECIDED);
    assert_in_range(proof->objects, 4, 8);
    nlm_proof_free(proof);
    nlm_program_free(rules);
    nlm_signature_free(signature);
    nlm_machine_free(machine);
}

/* Rules about other predicates than the model's, and models that proofs do not cover. */
static void refused(void **context)
{
    (void)context;
    nlm_error error;
    nlm_signature *signature;
    nlm_program *rules;
    nlm_proof *proof;
    nlm_machine *machine = one_unit(400, -200, &signature);
    CHECK(program_new(&rules, &check_error));
    assert_int_equal(program_add_input(rules, "p0_1", 1), 0);
    assert_int_equal(nlm_prove(machine, signature, rules, &proof, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the rules do not define t/1, which the model concludes");
    assert_null(proof);
    assert_int_equal(nlm_prove(machine, NULL, rules, &proof, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(program_add_input(rules, "q", 1), 1);
    assert_int_equal(nlm_prove(machine, signature, rules, &proof, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the rules use q/1, which the model does not read");
    nlm_program_free(rules);
    nlm_machine_tensor(machine, 0).values[0] = 3e38f;
    assert_int_equal(nlm_prove(machine, signature, NULL, &proof, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "layer.0.arity.1.mlp.0.weight has a number of 3e+38"));
    nlm_machine_free(machine);
    const nlm_spec hidden = {.depth = 1,
                             .breadth = 1,
                             .inputs = {0, 1},
                             .width = 1,
                             .outputs = 2,
                             .hidden_layers = 1,
                             .hidden = {2}};
    CHECK(nlm_machine_new(&hidden, &(nlm_head_spec){.name = "t", .arity = 1, .outputs = 1}, 1, &machine,
                          &check_error));
    assert_int_equal(nlm_prove(machine, signature, NULL, &proof, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "hidden layers"));
    nlm_machine_free(machine);
    nlm_signature_free(signature);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_of_machines), cmocka_unit_test(changed_weights),
        cmocka_unit_test(soft_units),           cmocka_unit_test(margins),
        cmocka_unit_test(endless_order),        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
