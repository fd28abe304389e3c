/* nlm bench --moves: what one move of an agent takes, from the position to the probabilities of all moves.
 *
 * The machines are the paper's, untrained: time does not depend on the weights.  The positions are instances
 * as tests draw them; they differ in cost, so whole cycles over all of them are timed, and a move's time is
 * the mean over the best cycle. */
#include <float.h>
#include <stdio.h>
#include <string.h>
#include "bench.h"
#include "message.h"
#include "nlm/tools.h"

enum { POSITIONS = 20, CYCLES_LEAST = 3, SEED = 1 };

static nlm_status make_machine(const nlm_game *game, nlm_machine **machine, nlm_error *error)
{
    nlm_settings course;
    nlm_status status = nlm_settings_of_game(game, NLM_PROTOCOL_BEST, &course, error);
    const nlm_head_spec head = {.name = "head", .arity = game->arity, .outputs = 1, .twins = game->twins};
    if (!status)
        status = nlm_machine_new(&course.spec, &head, 1, machine, error);
    if (!status)
        nlm_machine_initialise(*machine, SEED);
    return status;
}

static nlm_status time_cycles(nlm_agent *agent, nlm_position *const *positions, double seconds, double *ms,
                              nlm_error *error)
{
    double least = DBL_MAX;
    const double end = nlm_clock() + seconds;
    nlm_status status = NLM_OK;
    for (int cycle = 0; !status && (cycle < CYCLES_LEAST || nlm_clock() < end); cycle++) {
        const double start = nlm_clock();
        for (int i = 0; i < POSITIONS && !status; i++) {
            nlm_choice choice;
            int count;
            status = nlm_agent_choices(agent, positions[i], &choice, 1, &count, error);
        }
        const double elapsed = nlm_clock() - start;
        least = elapsed < least ? elapsed : least;
    }
    *ms = 1e3 * least / POSITIONS;
    return status;
}

static nlm_status time_moves(const nlm_game *game, int objects, const bench_request *request, double *ms,
                             nlm_error *error)
{
    nlm_machine *machine = NULL;
    nlm_agent *agent = NULL;
    nlm_position *positions[POSITIONS] = {NULL};
    nlm_status status = make_machine(game, &machine, error);
    if (!status)
        status = nlm_agent_new(machine, game, &request->options, &agent, error);
    for (int i = 0; i < POSITIONS && !status; i++) {
        status = nlm_position_new(game, &positions[i], error);
        if (!status)
            status = nlm_position_draw(positions[i], SEED, (uint64_t)i, objects, true, error);
    }
    if (!status)
        status = time_cycles(agent, positions, request->seconds, ms, error);
    for (int i = 0; i < POSITIONS; i++)
        nlm_position_free(positions[i]);
    nlm_agent_free(agent);
    nlm_machine_free(machine);
    return status;
}

bool bench_moves(const bench_request *request)
{
    if (!request->json)
        printf("%d thread%s\n\n%-14s %8s %12s\n", request->options.threads, plural(request->options.threads),
               "game", "objects", "one move");
    for (int g = 0; g < nlm_games(); g++) {
        const nlm_game *game = nlm_game_at(g);
        const int objects = request->objects > 0 ? request->objects : game->test_objects[1];
        double ms = 0;
        nlm_error error;
        if (request->only != NULL && strcmp(request->only, game->name) != 0)
            continue;
        if (time_moves(game, objects, request, &ms, &error) != NLM_OK) {
            message_error("bench: %s: %s", game->name, error.message);
            return false;
        }
        if (request->json)
            printf("{\"name\": \"%s\", \"threads\": %d, \"objects\": %d, \"move_ms\": %.5f}\n", game->name,
                   request->options.threads, objects, ms);
        else
            printf("%-14s %8d %9.3f ms\n", game->name, objects, ms);
        fflush(stdout);
    }
    return true;
}
