/* Any bytes as choices of a random program: its machine, if it has one, concludes what evaluating its
 * formulas does, in worlds of 1 to 4 objects that the bytes choose too. */
#include "fuzz.h"
#include "../random_program.h"
#include "nlm/evaluator.h"

enum { MOST_TUPLES = 4 * 4 * 4 };

static void compare(nlm_machine *machine, const nlm_program *program, const nlm_world *world)
{
    nlm_evaluator *evaluator;
    nlm_error error;
    const int objects = nlm_world_objects(world);
    require(nlm_evaluator_new(machine, NULL, &evaluator, &error) == NLM_OK);
    require(nlm_evaluator_add(evaluator, world, &error) == NLM_OK);
    require(nlm_evaluator_run(evaluator, false, &error) == NLM_OK);
    for (int t = 0; t < program->target_count; t++) {
        const int arity = program_at(program, program->target[t])->arity;
        signed char truth[MOST_TUPLES];
        float logits[MOST_TUPLES];
        int tuple[FORMULA_MOST_ARITY];
        require(nlm_program_evaluate(program, world, t, truth, &error) == NLM_OK);
        require(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, t, logits, &error) == NLM_OK);
        for (size_t n = 0; n < nlm_tuple_count(objects, arity); n++)
            if (nlm_tuple_at(objects, arity, n, tuple))
                require(truth[n] ? logits[n] >= 128 : logits[n] <= -128);
    }
    nlm_evaluator_free(evaluator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    random_choices from = {
        .bytes = data + 2, .size = size - 2, .variables = 1 + data[0] % 5, .depth = data[1] % 6};
    nlm_program *program = random_program(&from);
    nlm_machine *machine;
    nlm_error error;
    if (!program)
        return 0;
    if (nlm_program_compile(program, 3, &machine, &error) == NLM_OK) {
        for (int objects = 1; objects <= 4; objects++) {
            nlm_world *world = random_world(&from, program, objects, 50);
            require(world != NULL);
            compare(machine, program, world);
            nlm_world_free(world);
        }
        nlm_machine_free(machine);
    } else
        require(machine == NULL && error.status == NLM_BAD_ARGUMENT && error.message[0]);
    nlm_program_free(program);
    return 0;
}
