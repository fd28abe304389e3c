/* Compiled programs: the checker proves that the machine of a random program is that program, and finds a
 * world where it is another one. */
#include "test.h"
#include "facts/signature.h"
#include "nlm/prove.h"
#include "random_program.h"

enum { PROGRAMS = 1000 };

/* Of the inputs and targets of a program. */
static nlm_signature *signature_of(const nlm_program *program)
{
    nlm_signature *signature;
    CHECK(signature_new(&signature, &check_error));
    for (int i = 0; i < program->input_count + program->target_count; i++) {
        const bool is_input = i < program->input_count;
        const program_predicate *of =
            program_at(program, is_input ? i : program->target[i - program->input_count]);
        nlm_predicate predicate = {.name = of->name, .arity = of->arity, .objects = of->arity};
        for (int k = 0; k < of->arity; k++)
            predicate.place[k] = k;
        CHECK(signature_add(signature, is_input ? SIGNATURE_INPUTS : SIGNATURE_TARGETS, &predicate,
                            &check_error));
    }
    CHECK(signature_finish(signature, &check_error));
    return signature;
}

static void random_programs(void **context)
{
    (void)context;
    int count[2][4] = {{0}}, compiled = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        random_choices from = {
            .state = seed * 7919, .variables = 2 + (int)seed % 3, .depth = (int)(seed % 7)};
        nlm_program *program = random_program(&from);
        nlm_machine *machine;
        nlm_error error;
        assert_non_null(program);
        if (nlm_program_compile(program, 3, &machine, &error) == NLM_OK) {
            nlm_signature *signature = signature_of(program);
            nlm_proof *proof;
            compiled++;
            for (int turn = 0; turn < 2; turn++) {
                CHECK(nlm_prove(machine, signature, program, &proof, &check_error));
                assert_true(proof->verdict != NLM_SOFT && (turn || proof->verdict != NLM_REFUTED));
                count[turn][proof->verdict]++;
                nlm_proof_free(proof);
                const nlm_tensor tensor =
                    nlm_machine_tensor(machine, random_below(&from, nlm_machine_tensors(machine)));
                for (size_t i = 0; i < tensor.count; i++)
                    tensor.values[i] = -tensor.values[i];
            }
            nlm_signature_free(signature);
            nlm_machine_free(machine);
        }
        nlm_program_free(program);
    }
    assert_true(compiled > PROGRAMS * 9 / 10);
    assert_true(count[0][NLM_PROVED] >= compiled * 99 / 100);
    assert_true(count[1][NLM_REFUTED] >= compiled / 2);
    assert_true(count[1][NLM_UNDECIDED] <= compiled / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
