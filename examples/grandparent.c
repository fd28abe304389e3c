/* A machine learns from families of 8 what a grandparent is, and applies it to a family of 60.
 *
 * The only relation given is parent(x, y): y is a parent of x.  The rule to be found is
 *     grandparent(x, y) <- there is a z with parent(x, z) and parent(z, y). */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

enum { SMALL = 8, LARGE = 60, BATCH = 4, STEPS = 5000 };

static nlm_error error;

static void check(nlm_status status)
{
    if (status != NLM_OK) {
        fprintf(stderr, "grandparent: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
}

/* A random family: two parents each, among the people before, x itself standing for "not known". */
static void make_family(nlm_world *world, int people)
{
    int parent[LARGE][2];
    nlm_world_clear(world);
    check(nlm_world_add_objects(world, "person", people, &error));
    check(nlm_world_add_predicate(world, "parent", 2, NULL, &error));
    check(nlm_world_add_target(world, "grandparent", 2, NLM_FALSE, NULL, &error));
    for (int x = 0; x < people; x++)
        for (int k = 0; k < 2; k++) {
            int y = parent[x][k] = rand() % (x + 1);
            if (y != x)
                check(nlm_world_add_fact(world, 0, (int[]){x, y}, 1, &error));
            for (int j = 0; y != x && j < 2; j++)
                if (parent[y][j] != y)
                    check(nlm_world_add_label(world, 0, (int[]){x, parent[y][j]}, NLM_TRUE, &error));
        }
}

int main(void)
{
    /* Two layers of units of up to three variables; one binary relation in, one number for each pair out. */
    nlm_spec spec = {.depth = 2, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .outputs = 1u << 2};
    nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    nlm_world *world;
    nlm_machine *machine;
    nlm_batch *batch;         /* worlds as numbers */
    nlm_structure *structure; /* which of their tuples are alike */
    nlm_pass *pass;           /* the machine's values on them */
    nlm_optimizer *adam;
    nlm_bce_result result;
    check(nlm_world_new(&world, &error));
    check(nlm_machine_new(&spec, &head, 1, &machine, &error));
    check(nlm_batch_new(spec.inputs, spec.breadth, &batch, &error));
    check(nlm_structure_new(&structure, &error));
    check(nlm_pass_new(machine, &pass, &error));
    check(nlm_adam_new(machine, (nlm_adam){0.005, 0.9, 0.999, 1e-8}, &adam, &error));
    nlm_machine_initialise(machine, 1);

    /* New families at every step, and at last a large one, on which the machine only answers. */
    for (int step = 1; step <= STEPS + 1; step++) {
        bool learning = step <= STEPS;
        nlm_batch_clear(batch);
        for (int i = 0; i < (learning ? BATCH : 1); i++) {
            make_family(world, learning ? SMALL : LARGE);
            check(nlm_batch_add_world(batch, world, &error));
        }
        check(nlm_structure_build(structure, machine, batch, NULL, &error));
        check(nlm_pass_forward(pass, structure, learning, &error));
        check(nlm_pass_bce(pass, 0, 0, 0, 1, &result, &error));
        if (learning) {
            nlm_machine_zero_gradients(machine);
            check(nlm_pass_backward(pass, &error));
            nlm_optimizer_step(adam);
        }
        if (learning && step % 1000 == 0)
            printf("step %4d: %d people, loss %.6f\n", step, SMALL, result.loss);
    }
    printf("%d people, %zu pairs: %zu of %zu grandparents found, %zu mistakes\n", LARGE, result.labelled,
           result.correct_positives, result.positives, result.labelled - result.correct);

    nlm_optimizer_free(adam);
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
    nlm_world_free(world);
    return result.correct == result.labelled ? EXIT_SUCCESS : EXIT_FAILURE;
}
