/* A game of a program's own: lamps in a row are switched on one by one, by an agent that learned it from
 * rewards. */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

static int state_size(const nlm_game *game, int objects)
{
    (void)game;
    return objects;
}

static bool draw(const nlm_game *game, int *state, int objects, nlm_random *random, bool test)
{
    (void)game, (void)test;
    for (int lamp = 0; lamp < objects; lamp++)
        state[lamp] = (int)nlm_random_below(random, 2);
    return true;
}

/* A move switches a lamp on, or off again. */
static void move(const nlm_game *game, int *state, int objects, const int *move)
{
    (void)game, (void)objects;
    state[*move] = !state[*move];
}

static bool solved(const nlm_game *game, const int *state, int objects)
{
    (void)game;
    for (int lamp = 0; lamp < objects; lamp++)
        if (!state[lamp])
            return false;
    return true;
}

static void see(const nlm_game *game, const int *state, int objects, float *const *values)
{
    (void)game;
    for (int lamp = 0; lamp < objects; lamp++)
        values[1][lamp] = (float)state[lamp];
}

static const char *const predicates[] = {"on"};
static const nlm_game lamps = {.name = "lamps",
                               .description = "switch all lamps on",
                               .arity = 1,
                               .inputs = {0, 1},
                               .predicates = predicates,
                               .least_objects = 2,
                               .test_objects = {10, 50},
                               .state_size = state_size,
                               .draw = draw,
                               .move = move,
                               .solved = solved,
                               .see = see};

int main(void)
{
    const nlm_learning how = {.size = sizeof how, .settings = "episodes=4000 depth=2 final_exam=200"};
    nlm_model *model = NULL;
    nlm_test *test = NULL;
    nlm_error error = {0};
    nlm_status status = nlm_learn_game(&lamps, &how, &model, &error);
    if (!status)
        status = nlm_test_of_game(nlm_model_machine(model), &lamps, 50, 1, NULL, &test, &error);
    if (!status)
        status = nlm_test_run(test, 100, NULL, NULL, &error);
    if (!status)
        printf("of 100 rows of 50 lamps, %d could not be switched on\n", nlm_test_score(test).failed);
    else
        fprintf(stderr, "%s\n", error.message);
    nlm_test_free(test);
    nlm_model_free(model);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
