/* A machine learns from small families what a grandparent is, and applies it to a large one.
 *
 * The only relation given is parent(x, y): y is a parent of x.  The rule to be found is
 *     grandparent(x, y) <- there is a z with parent(x, z) and parent(z, y). */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

enum { SMALL = 8, LARGE = 60, BATCH = 4, STEPS = 2000 };

/* Every call below may fail; then the library has written one line that says why. */
static nlm_error error;

static void check(nlm_status status)
{
    if (status != NLM_OK) {
        fprintf(stderr, "grandparent: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
}

/* A random world: person i has up to two parents among those before.  `truth` gets the grandparents. */
static void make_world(nlm_world *world, int people, bool truth[LARGE][LARGE])
{
    int parents[LARGE][2];
    nlm_world_clear(world);
    check(nlm_world_add_objects(world, "person", people, &error));
    check(nlm_world_add_predicate(world, "parent", 2, NULL, &error));
    check(nlm_world_add_target(world, "grandparent", 2, NLM_FALSE, NULL, &error));
    for (int x = 0; x < people; x++) {
        for (int y = 0; y < people; y++)
            truth[x][y] = false;
        for (int k = 0; k < 2; k++) {
            const int y = rand() % (x + 1);
            parents[x][k] = y < x ? y : -1; /* -1: not known */
            if (y == x)
                continue;
            check(nlm_world_add_fact(world, 0, (int[]){x, y}, 1, &error));
            for (int j = 0; j < 2; j++) {
                const int z = parents[y][j];
                if (z < 0)
                    continue;
                truth[x][z] = true;
                check(nlm_world_add_label(world, 0, (int[]){x, z}, NLM_TRUE, &error));
            }
        }
    }
}

int main(void)
{
    static bool truth[LARGE][LARGE];
    static float logits[LARGE * LARGE];
    nlm_world *world;
    nlm_machine *machine;
    nlm_optimizer *adam;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;

    /* Two layers of units of up to three variables; one binary relation in, one number for each pair out. */
    const nlm_spec spec = {.depth = 2, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .outputs = 1u << 2};
    const nlm_head_spec head = {"head", 2, 1};
    const nlm_options options = {.threads = 1};
    check(nlm_world_new(&world, &error));
    check(nlm_machine_new(&spec, &head, 1, &machine, &error));
    check(nlm_adam_new(machine, (nlm_adam){0.005, 0.9, 0.999, 1e-8}, &adam, &error));
    check(nlm_batch_new(spec.inputs, spec.breadth, &batch, &error));
    check(nlm_structure_new(&structure, &error));
    check(nlm_pass_new(machine, &pass, &error));

    /* Learn: new small worlds at every step. */
    srand(1);
    nlm_machine_initialise(machine, 1);
    for (int step = 1; step <= STEPS; step++) {
        nlm_bce_result result;
        nlm_batch_clear(batch);
        for (int i = 0; i < BATCH; i++) {
            make_world(world, SMALL, truth);
            check(nlm_batch_add_world(batch, world, &error));
        }
        check(nlm_structure_build(structure, machine, batch, &options, &error));
        check(nlm_pass_forward(pass, structure, true, &error));
        check(nlm_pass_bce(pass, 0, 0, 0, 1, &result, &error));
        nlm_machine_zero_gradients(machine);
        check(nlm_pass_backward(pass, &error));
        nlm_optimizer_step(adam);
        if (step % 400 == 0)
            printf("step %4d  %d people  loss %.6f\n", step, SMALL, result.loss);
    }

    /* Apply: one large world, every pair.  A logit above 0 says yes. */
    make_world(world, LARGE, truth);
    nlm_batch_clear(batch);
    check(nlm_batch_add_world(batch, world, &error));
    check(nlm_structure_build(structure, machine, batch, &options, &error));
    check(nlm_pass_forward(pass, structure, false, &error));
    check(nlm_pass_logits(pass, 0, 0, logits, &error));
    int found = 0, mistakes = 0;
    for (int x = 0; x < LARGE; x++) {
        for (int y = 0; y < LARGE; y++) {
            const bool answer = x != y && logits[x * LARGE + y] > 0;
            found += answer;
            mistakes += answer != truth[x][y];
        }
    }
    printf("%d people: %d pairs, %d grandparents found, %d mistakes\n", LARGE, LARGE * (LARGE - 1), found,
           mistakes);

    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_optimizer_free(adam);
    nlm_machine_free(machine);
    nlm_world_free(world);
    return mistakes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
