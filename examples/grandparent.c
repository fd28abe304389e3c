/* A machine learns from small families what a grandparent is, and applies it to a large one.
 *
 * The only relation given is parent(x, y): y is a parent of x.  The rule to be found is
 *     grandparent(x, y) <- there is a z with parent(x, z) and parent(z, y). */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

enum { SMALL = 8, LARGE = 60, BATCH = 4, STEPS = 5000 };

static nlm_world *world;
static bool truth[LARGE][LARGE]; /* the grandparents of the last world */
static nlm_machine *machine;
static nlm_batch *batch;         /* worlds as numbers */
static nlm_structure *structure; /* which of their tuples are alike */
static nlm_pass *pass;           /* the machine's values on them */
static nlm_error error;

/* Every call that may fail returns a status, and leaves a line that says why. */
static void check(nlm_status status)
{
    if (status != NLM_OK) {
        fprintf(stderr, "grandparent: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
}

/* Add a random world to the batch: a person has up to two parents, among the people before. */
static void add_world(int people)
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
            const int y = parents[x][k] = rand() % (x + 1); /* x itself stands for "not known" */
            if (y == x)
                continue;
            check(nlm_world_add_fact(world, 0, (int[]){x, y}, 1, &error));
            for (int j = 0; j < 2; j++) {
                const int z = parents[y][j];
                if (z == y)
                    continue;
                truth[x][z] = true;
                check(nlm_world_add_label(world, 0, (int[]){x, z}, NLM_TRUE, &error));
            }
        }
    }
    check(nlm_batch_add_world(batch, world, &error));
}

/* The machine's values on the worlds of the batch. */
static void forward(bool training)
{
    const nlm_options options = {.threads = 1};
    check(nlm_structure_build(structure, machine, batch, &options, &error));
    check(nlm_pass_forward(pass, structure, training, &error));
}

/* Adam, with new small worlds at every step. */
static void learn(void)
{
    nlm_optimizer *adam;
    check(nlm_adam_new(machine, (nlm_adam){0.005, 0.9, 0.999, 1e-8}, &adam, &error));
    for (int step = 1; step <= STEPS; step++) {
        nlm_bce_result result;
        nlm_batch_clear(batch);
        for (int i = 0; i < BATCH; i++)
            add_world(SMALL);
        forward(true);
        check(nlm_pass_bce(pass, 0, 0, 0, 1, &result, &error));
        nlm_machine_zero_gradients(machine);
        check(nlm_pass_backward(pass, &error));
        nlm_optimizer_step(adam);
        if (step % 1000 == 0)
            printf("step %4d: %d people, loss %.6f\n", step, SMALL, result.loss);
    }
    nlm_optimizer_free(adam);
}

/* Ask for every pair of a large world; a logit above 0 says yes.  Returns the number of mistakes. */
static int apply(void)
{
    static float logits[LARGE][LARGE];
    int found = 0, mistakes = 0;
    nlm_batch_clear(batch);
    add_world(LARGE);
    forward(false);
    check(nlm_pass_logits(pass, 0, 0, &logits[0][0], &error));
    for (int x = 0; x < LARGE; x++) {
        for (int y = 0; y < LARGE; y++) {
            const bool answer = x != y && logits[x][y] > 0;
            found += answer;
            mistakes += answer != truth[x][y];
        }
    }
    printf("%d people, %d pairs: %d grandparents found, %d mistakes\n", LARGE, LARGE * (LARGE - 1), found,
           mistakes);
    return mistakes;
}

int main(void)
{
    /* Two layers of units of up to three variables; one binary relation in, one number for each pair out. */
    const nlm_spec spec = {.depth = 2, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .outputs = 1u << 2};
    const nlm_head_spec head = {"head", 2, 1};
    check(nlm_world_new(&world, &error));
    check(nlm_machine_new(&spec, &head, 1, &machine, &error));
    check(nlm_batch_new(spec.inputs, spec.breadth, &batch, &error));
    check(nlm_structure_new(&structure, &error));
    check(nlm_pass_new(machine, &pass, &error));

    srand(1);
    nlm_machine_initialise(machine, 1);
    learn();
    const int mistakes = apply();

    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
    nlm_world_free(world);
    return mistakes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
