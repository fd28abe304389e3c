/* nlm test, for games: a trained machine plays instances that it has never seen.
 *
 * One row per size: how many are solved, in how many moves, and how many would do.  Then, for each, what the
 * result says about all other instances. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "progress.h"
#include "test.h"

enum { SIDE_BY_SIDE = 8 }; /* episodes that a thread plays at once */

/* ---- the test of one size ---- */

/* The exit status after an error line if the game has no such instances; to be known before the first size,
 * which may take long. */
static int check_sizes(const nlm_game *game, const option_list *sizes, uint64_t seed)
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

static void show_progress(progress *line, const nlm_trials_result *result, int episodes)
{
    char done[NUMBER_TEXT], all[NUMBER_TEXT], failed[NUMBER_TEXT];
    if (result->episodes < episodes && progress_due(line))
        progress_show(line, (double)result->episodes / episodes, "%d objects  episode %s/%s  %s not solved",
                      result->objects, number_count_text((size_t)result->episodes, done),
                      number_count_text((size_t)episodes, all),
                      number_count_text((size_t)(result->episodes - result->solved), failed));
}

static nlm_status run_in_slices(const test_request *request, nlm_trials *trials, progress *line,
                                nlm_error *error)
{
    nlm_status status = NLM_OK;
    const int least = SIDE_BY_SIDE * request->options.threads;
    nlm_trials_result result = nlm_trials_result_of(trials);
    for (int slice = least; !status && result.episodes < request->worlds;) {
        const double before = result.seconds;
        const int rest = request->worlds - result.episodes;
        status = nlm_trials_run(trials, slice < rest ? slice : rest, error);
        result = nlm_trials_result_of(trials);
        if (!status)
            show_progress(line, &result, request->worlds);
        slice = test_next_slice(slice, result.seconds - before, least);
    }
    return status;
}

/* That an episode may take for each object; 0: as the game says. */
static int moves_allowed(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    return request->moves > 0 ? request->moves : nlm_agent_moves(nlm_machine_spec(machine), game);
}

/* False after an error line. */
static bool test_size(const test_request *request, nlm_machine *machine, const nlm_game *game, int objects,
                      nlm_trials_result *result)
{
    nlm_error error;
    nlm_trials *trials;
    progress line;
    nlm_status status =
        nlm_trials_new(machine, game, objects, request->seed, &request->options, &trials, &error);
    if (!status) {
        nlm_trials_allow(trials, moves_allowed(request, machine, game) * objects);
        progress_begin(&line, game->name, false);
        status = run_in_slices(request, trials, &line, &error);
        progress_end(&line);
        *result = nlm_trials_result_of(trials);
        nlm_trials_free(trials);
    }
    if (status == NLM_NO_MEMORY)
        message_error("test: %s: not enough memory for instances of %d objects, %d times %d at a time; "
                      "fewer --threads or --objects need less",
                      request->model, objects, request->options.threads, SIDE_BY_SIDE);
    else if (status)
        message_error("test: %s: %s", request->model, error.message);
    return status == NLM_OK;
}

/* ---- output ---- */

static double success_of(const nlm_trials_result *result)
{
    return (double)result->solved / result->episodes;
}

static void print_json(const nlm_game *game, const nlm_trials_result *result, int allowed)
{
    char optimal[NUMBER_TEXT] = "null", limit[NUMBER_TEXT] = "null";
    if (allowed > 0)
        snprintf(limit, sizeof limit, "%d", allowed);
    if (result->optimal_moves >= 0)
        snprintf(optimal, sizeof optimal, "%.15g", result->optimal_moves);
    printf("{\"task\": \"%s\", \"objects\": %d, \"episodes\": %d, \"success\": %.15g, \"moves\": %.15g, "
           "\"optimal_moves\": %s, \"allowed_for_each\": %s, \"seconds\": %.3f}\n",
           game->name, result->objects, result->episodes, success_of(result), result->moves, optimal, limit,
           result->seconds);
}

static void print_heading(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    const int moves = moves_allowed(request, machine, game);
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
static const char *paper_text(const nlm_game *game, int objects, char text[NUMBER_TEXT])
{
    snprintf(text, NUMBER_TEXT, "-");
    for (int i = 0; i < 2; i++) {
        if (game->test_objects[i] == objects)
            snprintf(text, NUMBER_TEXT, "%g", game->test_moves[i]);
    }
    return text;
}

static void print_row(const nlm_game *game, const nlm_trials_result *result)
{
    char episodes[NUMBER_TEXT], success[NUMBER_TEXT], paper[NUMBER_TEXT];
    char moves[NUMBER_TEXT] = "-", optimum[NUMBER_TEXT] = "-", ratio[NUMBER_TEXT] = "-";
    if (result->solved > 0)
        snprintf(moves, sizeof moves, "%.2f", result->moves);
    if (result->solved > 0 && result->optimal_moves > 0) {
        snprintf(optimum, sizeof optimum, "%.2f", result->optimal_moves);
        snprintf(ratio, sizeof ratio, "%.3f", result->moves / result->optimal_moves);
    }
    printf("%7d %9s %10s %9s %9s %9s %9s %8.2f\n", result->objects,
           number_count_text((size_t)result->episodes, episodes),
           number_percent_text(success_of(result), success), moves, optimum, ratio,
           paper_text(game, result->objects, paper), result->seconds);
}

/* What was seen says this about all other instances of the size. */
static void print_bound(const nlm_trials_result *result)
{
    char episodes[NUMBER_TEXT], failed[NUMBER_TEXT], share[NUMBER_TEXT];
    const int failures = result->episodes - result->solved;
    number_count_text((size_t)result->episodes, episodes);
    number_count_text((size_t)failures, failed);
    const double bound = nlm_test_bound(result->episodes, failures, TEST_CONFIDENCE);
    if (bound < 1)
        printf("With %g %% confidence, at least %s of all instances of %d objects are solved "
               "(Chernoff; %s of %s were not).\n",
               100 * TEST_CONFIDENCE, number_percent_text(1 - bound, share), result->objects, failed,
               episodes);
    else
        printf("This says nothing about all instances of %d objects: too few were played, or too many were "
               "not solved (Chernoff; %s of %s).\n",
               result->objects, failed, episodes);
}

/* Going round in circles was avoided, and how often. */
static void print_returned(const nlm_trials_result *result)
{
    char episodes[NUMBER_TEXT];
    if (result->returned > 0)
        printf("%d objects: %s episode%s came back to a position, where another move was made.\n",
               result->objects, number_count_text((size_t)result->returned, episodes),
               result->returned == 1 ? "" : "s");
}

int test_game(const test_request *request, nlm_machine *machine, const nlm_game *game)
{
    const option_list own = {2, {game->test_objects[0], game->test_objects[1]}};
    const option_list *sizes = request->objects.count > 0 ? &request->objects : &own;
    nlm_trials_result results[OPTION_LIST_MOST];
    const int trouble = check_sizes(game, sizes, request->seed);
    if (trouble != EXIT_SUCCESS)
        return trouble;
    for (int i = 0; i < sizes->count; i++) {
        if (!test_size(request, machine, game, sizes->values[i], &results[i]))
            return EXIT_FAILURE;
        if (request->json)
            print_json(game, &results[i], moves_allowed(request, machine, game));
        else {
            if (i == 0)
                print_heading(request, machine, game);
            print_row(game, &results[i]);
        }
        fflush(stdout); /* the next size may take long */
    }
    if (!request->json) {
        putchar('\n');
        for (int i = 0; i < sizes->count; i++) {
            print_returned(&results[i]);
            print_bound(&results[i]);
        }
    }
    return EXIT_SUCCESS;
}
