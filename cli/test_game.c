/* nlm test, what it prints for games: one row per size with how many instances are solved, in how many moves,
 * and how many would do; then, for each, what the result says about all other instances. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "nlm/tools.h"
#include "test.h"

int test_check_sizes(const nlm_game *game, const option_list *sizes, uint64_t seed)
{
    nlm_position *position;
    nlm_error error;
    nlm_status status = nlm_position_new(game, &position, &error);
    for (int i = 0; i < sizes->count && !status; i++)
        status = nlm_position_draw(position, seed, 0, sizes->values[i], true, &error);
    nlm_position_free(position);
    if (status)
        message_error("test: %s", error.message);
    return !status ? EXIT_SUCCESS : status == NLM_BAD_ARGUMENT ? EXIT_USAGE : EXIT_FAILURE;
}

int test_moves_allowed(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    return request->moves > 0 ? request->moves : nlm_agent_moves(nlm_machine_spec(machine), game);
}

static void print_json(const nlm_game *game, const nlm_score *score, int allowed)
{
    char optimal[NLM_NUMBER_TEXT] = "null", limit[NLM_NUMBER_TEXT] = "null";
    if (allowed > 0)
        snprintf(limit, sizeof limit, "%d", allowed);
    if (score->optimal_moves >= 0)
        snprintf(optimal, sizeof optimal, "%.15g", score->optimal_moves);
    printf("{\"task\": \"%s\", \"objects\": %d, \"episodes\": %d, \"success\": %.15g, \"moves\": %.15g, "
           "\"optimal_moves\": %s, \"allowed_for_each\": %s, \"seconds\": %.3f}\n",
           game->name, score->objects, score->asked, score->right, score->moves, optimal, limit,
           score->seconds);
}

static void print_heading(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    const int moves = test_moves_allowed(request, machine, game);
    printf("%s: %s, %s; instances of seed %" PRIu64, request->model, game->name, game->description,
           request->seed);
    if (moves > 0)
        printf("; up to %d move%s for each object", moves, moves == 1 ? "" : "s");
    printf("\n\n");
    printf("%7s %9s %10s %9s %9s %9s %9s\n", "", "", "", "", "", "moves /", "paper's");
    printf("%7s %9s %10s %9s %9s %9s %9s %8s\n", "objects", "episodes", "success", "moves", "optimum",
           "optimum", "moves", "seconds");
}

/* The paper's mean number of moves; "-" for sizes that it does not test. */
static const char *paper_text(const nlm_game *game, int objects, char text[NLM_NUMBER_TEXT])
{
    snprintf(text, NLM_NUMBER_TEXT, "-");
    for (int i = 0; i < 2; i++) {
        if (game->test_objects[i] == objects)
            snprintf(text, NLM_NUMBER_TEXT, "%g", game->test_moves[i]);
    }
    return text;
}

static void print_row(const nlm_game *game, const nlm_score *score)
{
    char episodes[NLM_NUMBER_TEXT], success[NLM_NUMBER_TEXT], paper[NLM_NUMBER_TEXT];
    char moves[NLM_NUMBER_TEXT] = "-", optimum[NLM_NUMBER_TEXT] = "-", ratio[NLM_NUMBER_TEXT] = "-";
    if (score->right > 0)
        snprintf(moves, sizeof moves, "%.2f", score->moves);
    if (score->right > 0 && score->optimal_moves > 0) {
        snprintf(optimum, sizeof optimum, "%.2f", score->optimal_moves);
        snprintf(ratio, sizeof ratio, "%.3f", score->moves / score->optimal_moves);
    }
    printf("%7d %9s %10s %9s %9s %9s %9s %8.2f\n", score->objects,
           nlm_count_text((size_t)score->asked, episodes), nlm_percent_text(score->right, success), moves,
           optimum, ratio, paper_text(game, score->objects, paper), score->seconds);
}

/* Going round in circles was avoided, and how often. */
static void print_returned(const nlm_score *score)
{
    char episodes[NLM_NUMBER_TEXT];
    if (score->returned > 0)
        printf("%d objects: %s episode%s came back to a position, where another move was made.\n",
               score->objects, nlm_count_text((size_t)score->returned, episodes),
               score->returned == 1 ? "" : "s");
}

void test_print_game(const test_request *request, const nlm_machine *machine, const nlm_game *game,
                     bool first, const nlm_score *score)
{
    if (request->json) {
        print_json(game, score, test_moves_allowed(request, machine, game));
        return;
    }
    if (first)
        print_heading(request, machine, game);
    print_row(game, score);
}

void test_print_game_bound(const nlm_score *score)
{
    char episodes[NLM_NUMBER_TEXT], failed[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT];
    print_returned(score);
    nlm_count_text((size_t)score->asked, episodes);
    nlm_count_text((size_t)score->failed, failed);
    const double bound = nlm_test_bound(score->asked, score->failed, TEST_CONFIDENCE);
    if (bound < 1)
        printf("With %g %% confidence, at least %s of all instances of %d objects are solved "
               "(Chernoff; %s of %s were not).\n",
               100 * TEST_CONFIDENCE, nlm_percent_text(1 - bound, share), score->objects, failed, episodes);
    else
        printf("This says nothing about all instances of %d objects: too few were played, or too many were "
               "not solved (Chernoff; %s of %s).\n",
               score->objects, failed, episodes);
}
