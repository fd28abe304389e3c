/* A task of a program's own: which numbers are three more than another, learned from worlds of 6 numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

/* The numbers 0, 1, 2, ... in a random order; next(x, y) says that y follows x. */
static nlm_status generate(const nlm_task *task, nlm_random *random, int objects, nlm_world *world,
                           nlm_error *error)
{
    int *at = malloc((size_t)objects * sizeof *at);
    nlm_status status = at ? NLM_OK : NLM_NO_MEMORY;
    (void)task;
    for (int i = 0; i < objects && !status; i++) {
        const int other = (int)nlm_random_below(random, (uint32_t)i + 1);
        at[i] = at[other];
        at[other] = i;
    }
    for (int i = 0; i + 1 < objects && !status; i++)
        status = nlm_world_add_fact(world, 0, (int[]){at[i], at[i + 1]}, 1, error);
    for (int i = 0; i + 3 < objects && !status; i++)
        status = nlm_world_add_label(world, 0, (int[]){at[i], at[i + 3]}, NLM_TRUE, error);
    free(at);
    return status;
}

static const nlm_declaration predicates[] = {{"next", 2}, {NULL, 0}};
static const nlm_task task = {.name = "three-more",
                              .description = "y is three more than x",
                              .target = "three_more",
                              .arity = 2,
                              .train_objects = 6,
                              .predicates = predicates,
                              .generate = generate};

int main(void)
{
    const nlm_learning how = {.size = sizeof how, .settings = "exam=200 batches=100"};
    nlm_model *model = NULL;
    nlm_error error = {0};
    char *rules = NULL;
    nlm_status status = nlm_learn_task(&task, &how, &model, &error);
    if (!status)
        status = nlm_model_rules(model, NLM_CLAUSES, &rules, &error);
    fputs(status ? error.message : rules, status ? stderr : stdout);
    free(rules);
    nlm_model_free(model);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
