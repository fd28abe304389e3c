/* nlm test: a trained machine against its task's oracle, on worlds that it has never seen.
 *
 * One row per size of the worlds, or of the instances of a game; then, for each, what the result says about
 * all others.  Facts of the user's own are in test_facts.c. */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "system.h"
#include "find_task.h"
#include "task_images.h"
#include "message.h"
#include "read_facts.h"
#include "progress.h"

#define TEST_CONFIDENCE 0.997 /* the paper's */

enum { THREADS_MOST = 1024, OBJECTS_MOST = 10000, WORLDS_MOST = 1000000000, MOVES_MOST = 10000 };

/* ---- games: sizes and moves ---- */

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

/* Moves that an episode may take for each object; 0: as the game says. */
static int moves_allowed(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    return request->moves > 0 ? request->moves : nlm_agent_moves(nlm_machine_spec(machine), game);
}

/* ---- the test of one size ---- */

typedef struct watcher {
    progress line;
    int worlds; /* or instances, of the whole test */
    bool game;
} watcher;

static bool show_progress(void *context, const nlm_score *score)
{
    watcher *watching = context;
    char done[NLM_NUMBER_TEXT], all[NLM_NUMBER_TEXT], bad[NLM_NUMBER_TEXT];
    if (score->asked >= watching->worlds || !progress_due(&watching->line))
        return true;
    nlm_count_text(watching->game ? (size_t)score->failed : score->wrong, bad);
    progress_show(&watching->line, (double)score->asked / watching->worlds, "%d objects  %s %s/%s  %s %s",
                  score->objects, watching->game ? "episode" : "world",
                  nlm_count_text((size_t)score->asked, done), nlm_count_text((size_t)watching->worlds, all),
                  bad, watching->game ? "not solved" : "wrong");
    return true;
}

static nlm_status begin(const test_request *request, nlm_machine *machine, task_or_game what, int objects,
                        nlm_test **test, nlm_error *error)
{
    if (what.game == NULL)
        return nlm_test_of_task(machine, what.task, objects, request->seed, &request->options, test, error);
    const nlm_status status =
        nlm_test_of_game(machine, what.game, objects, request->seed, &request->options, test, error);
    if (status == NLM_OK)
        nlm_test_allow(*test, moves_allowed(request, machine, what.game) * objects);
    if (status == NLM_OK)
        nlm_test_use(*test, &request->at_work);
    return status;
}

/* False after an error line. */
static bool test_size(const test_request *request, nlm_machine *machine, task_or_game what, int objects,
                      nlm_score *score)
{
    nlm_error error;
    nlm_test *test;
    watcher watching = {.worlds = request->worlds, .game = what.game != NULL};
    nlm_status status = begin(request, machine, what, objects, &test, &error);
    if (status == NLM_OK) {
        progress_begin(&watching.line, watching.game ? what.game->name : what.task->name, false);
        status = nlm_test_run(test, request->worlds, show_progress, &watching, &error);
        progress_end(&watching.line);
        *score = nlm_test_score(test);
        nlm_test_free(test);
    }
    if (status == NLM_NO_MEMORY)
        message_error("test: %s: not enough memory for %s of %d objects, %d%s at a time; fewer --threads or "
                      "--objects need less",
                      request->model, watching.game ? "instances" : "worlds", objects,
                      request->options.threads, watching.game ? " times 8" : "");
    else if (status != NLM_OK)
        message_error("test: %s: %s", request->model, error.message);
    return status == NLM_OK;
}

/* ---- output ---- */

static void print_json(const nlm_task *task, const nlm_score *score)
{
    printf("{\"task\": \"%s\", \"objects\": %d, \"worlds\": %d, \"tuples\": %zu, \"wrong\": %zu, "
           "\"worlds_with_errors\": %d, \"accuracy\": %.15g, \"balanced_accuracy\": %.15g, "
           "\"macro_accuracy\": %.15g, \"squared_error\": %.6g, \"seconds\": %.3f}\n",
           task->name, score->objects, score->asked, score->tuples, score->wrong, score->failed, score->right,
           score->balanced, score->macro, score->squared_error, score->seconds);
}

static void print_heading(const test_request *request, const nlm_task *task)
{
    printf("%s: %s, %s; worlds of seed %" PRIu64 "\n\n", request->model, task->name, task->description,
           request->seed);
    printf("%7s %8s %12s %8s %11s %10s %10s\n", "", "", "", "", "worlds with", "", "balanced");
    printf("%7s %8s %12s %8s %11s %10s %10s %7s\n", "objects", "worlds", "tuples", "wrong", "errors",
           "accuracy", "accuracy", "seconds");
}

static void print_row(const nlm_score *score)
{
    char worlds[NLM_NUMBER_TEXT], tuples[NLM_NUMBER_TEXT], wrong[NLM_NUMBER_TEXT], bad[NLM_NUMBER_TEXT];
    char accuracy[NLM_NUMBER_TEXT], balanced[NLM_NUMBER_TEXT];
    printf("%7d %8s %12s %8s %11s %10s %10s %7.2f\n", score->objects,
           nlm_count_text((size_t)score->asked, worlds), nlm_count_text(score->tuples, tuples),
           nlm_count_text(score->wrong, wrong), nlm_count_text((size_t)score->failed, bad),
           nlm_percent_text(score->right, accuracy), nlm_percent_text(score->balanced, balanced),
           score->seconds);
}

/* ---- output for games ---- */

static void print_game_json(const test_request *request, const nlm_game *game, const nlm_score *score,
                            int allowed)
{
    char optimal[NLM_NUMBER_TEXT] = "null", limit[NLM_NUMBER_TEXT] = "null";
    if (allowed > 0)
        snprintf(limit, sizeof limit, "%d", allowed);
    if (score->optimal_moves >= 0)
        snprintf(optimal, sizeof optimal, "%.15g", score->optimal_moves);
    printf("{\"task\": \"%s\", \"objects\": %d, \"episodes\": %d, \"success\": %.15g, \"moves\": %.15g, "
           "\"optimal_moves\": %s, \"allowed_for_each\": %s, ",
           game->name, score->objects, score->asked, score->right, score->moves, optimal, limit);
    for (int i = 0; i < nlm_setting_count(); i++) {
        char value[NLM_SETTING_TEXT];
        const nlm_setting *setting = nlm_setting_at(i);
        if (setting->at_work && nlm_settings_get(&request->at_work, setting->name, value))
            printf("\"%s\": %s, ", setting->name, value);
    }
    printf("\"seconds\": %.3f}\n", score->seconds);
}

static void print_game_heading(const test_request *request, const nlm_machine *machine, const nlm_game *game)
{
    const int moves = moves_allowed(request, machine, game);
    printf("%s: %s, %s; instances of seed %" PRIu64, request->model, game->name, game->description,
           request->seed);
    if (moves > 0)
        printf("; up to %d move%s for each object", moves, plural(moves));
    char rule[NLM_WORK_TEXT];
    printf("\n%s\n\n", nlm_work_text(&request->at_work, rule));
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

static void print_game_row(const nlm_game *game, const nlm_score *score)
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

/* How often an agent might have gone round in a circle. */
static void print_returned(const nlm_score *score)
{
    char episodes[NLM_NUMBER_TEXT];
    if (score->returned > 0)
        printf("%d objects: %s episode%s came back to a position.\n", score->objects,
               nlm_count_text((size_t)score->returned, episodes), plural(score->returned));
}

/* ---- all other worlds or instances of the size ---- */

static void print_bound(const nlm_score *score, bool game)
{
    char asked[NLM_NUMBER_TEXT], bad[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT];
    nlm_count_text((size_t)score->asked, asked);
    nlm_count_text((size_t)score->failed, bad);
    const double bound = nlm_test_bound(score->asked, score->failed, TEST_CONFIDENCE);
    if (game)
        print_returned(score);
    if (bound < 1)
        printf(
            "With %g %% confidence, at least %s of all %s of %d object%s are %s (Chernoff; %s of %s %s).\n",
            100 * TEST_CONFIDENCE, nlm_percent_text(1 - bound, share), game ? "instances" : "worlds",
            score->objects, plural(score->objects), game ? "solved" : "without error", bad, asked,
            game ? "were not" : "worlds had one");
    else
        printf(
            "This says nothing about all %s of %d object%s: too few were %s, or too many %s (Chernoff; %s of "
            "%s).\n",
            game ? "instances" : "worlds", score->objects, plural(score->objects), game ? "played" : "tested",
            game ? "were not solved" : "had an error", bad, asked);
}

/* ---- the command ---- */

/* Those that are named; else drawn ones for a machine that learned from such. */
static const char *images_for(const test_request *request, const nlm_machine *machine, const nlm_task *task)
{
    const char *data = nlm_machine_metadata(machine, "data");
    const bool drawn = task->sense != NULL && data != NULL && strcmp(data, "0") == 0;
    return request->images == NULL && drawn ? "drawn" : request->images;
}

static void print_size(const test_request *request, const nlm_machine *machine, task_or_game what, bool first,
                       const nlm_score *score)
{
    if (request->json && what.game != NULL) {
        print_game_json(request, what.game, score, moves_allowed(request, machine, what.game));
    } else if (request->json) {
        print_json(what.task, score);
    } else if (what.game != NULL) {
        if (first)
            print_game_heading(request, machine, what.game);
        print_game_row(what.game, score);
    } else {
        if (first)
            print_heading(request, what.task);
        print_row(score);
    }
    fflush(stdout); /* the next size may take long */
}

static int test_sizes(const test_request *request, nlm_machine *machine, task_or_game what)
{
    const int *of_game = what.game != NULL ? what.game->test_objects : NULL;
    const option_list own = {2,
                             {of_game != NULL ? of_game[0] : what.task->train_objects,
                              of_game != NULL ? of_game[1] : what.task->test_objects}};
    const option_list *sizes = request->objects.count > 0 ? &request->objects : &own;
    nlm_score scores[OPTION_LIST_MOST];
    const int trouble = what.game != NULL ? check_sizes(what.game, sizes, request->seed) : EXIT_SUCCESS;
    if (trouble != EXIT_SUCCESS)
        return trouble;
    for (int i = 0; i < sizes->count; i++) {
        if (!test_size(request, machine, what, sizes->values[i], &scores[i]))
            return EXIT_FAILURE;
        print_size(request, machine, what, i == 0, &scores[i]);
    }
    if (!request->json)
        putchar('\n');
    for (int i = 0; i < sizes->count && !request->json; i++)
        print_bound(&scores[i], what.game != NULL);
    return EXIT_SUCCESS;
}

static int test_machine(const test_request *request, nlm_machine *machine, task_or_game what)
{
    const bool images =
        what.game != NULL || images_find("test", images_for(request, machine, what.task), &what.task);
    return images ? test_sizes(request, machine, what) : EXIT_FAILURE;
}

/* Options that are for tasks only, or for games only; true after an error line. */
static bool refuses(const test_request *request, bool game)
{
    const bool images = game && request->images != NULL;
    const char *of_games = game ? NULL : request->moves > 0 ? "moves" : work_options_given(&request->work);
    if (images)
        message_error("test: --images is for tasks with images, not for games");
    if (of_games != NULL)
        message_error("test: --%s is for games", of_games);
    return images || of_games != NULL;
}

static int test_model(test_request *request)
{
    nlm_machine *machine;
    nlm_error error;
    if (!message_ok("test", nlm_machine_load(request->model, &machine, &error), &error))
        return EXIT_FAILURE;
    task_or_game found;
    int status = EXIT_FAILURE;
    if (request->task_name == NULL && nlm_machine_metadata(machine, "signature") != NULL)
        message_error("test: %s was trained on facts: give it facts with labels, nlm test %s PATH",
                      request->model, request->model);
    else if (find_recorded("test", request->model, machine, request->task_name, &found) &&
             !refuses(request, found.game != NULL) &&
             (found.game == NULL || work_options_apply("test", request->model, &request->work, machine,
                                                       found.game, &request->at_work)))
        status = test_machine(request, machine, found);
    images_release();
    nlm_machine_free(machine);
    return status;
}

/* Options that are for random worlds only, or for facts only; false after an error line. */
static bool makes_sense(const test_request *request, bool worlds_given, bool seed_given)
{
    const char *wrong = request->objects.count > 0   ? "objects"
                        : worlds_given               ? "worlds"
                        : seed_given                 ? "seed"
                        : request->task_name != NULL ? "task"
                        : request->moves > 0         ? "moves"
                                                     : work_options_given(&request->work);
    if (request->facts != NULL && wrong != NULL)
        message_error("test: --%s is for tests on random worlds, not for the facts of %s", wrong,
                      problem_title(request->facts));
    else if (request->facts == NULL && request->show_errors)
        message_error("test: --show-errors is for tests on facts of your own: nlm test MODEL PATH");
    else
        return true;
    return false;
}

int command_test(int argc, char **argv)
{
    test_request request = {.options = {.threads = system_processors()}, .worlds = 1000, .seed = 1};
    bool worlds_given = false, seed_given = false;
    option_row rows[OPTIONS_MOST] = {
        {"objects", "N,...", "sizes of the worlds or instances (the paper's, e.g. 20,100)", OPTION_LIST,
         &request.objects, .least = 1, .most = OBJECTS_MOST},
        {"worlds", "N", "worlds or instances of each size (1000)", OPTION_INT, &request.worlds, .least = 1,
         .most = WORLDS_MOST, .given = &worlds_given},
        {"seed", "N", "random seed of the worlds or instances (1)", OPTION_U64, .value = &request.seed,
         .given = &seed_given},
        {"images", "DIR", "folder with MNIST (~/.cache/nlm/mnist), or 'drawn', for adjacent-to-zero",
         OPTION_TEXT, .value = &request.images},
        {"task", "NAME", "the task, for models that do not record it", OPTION_TEXT,
         .value = &request.task_name},
        {"threads", "N", "worlds, or groups of episodes, in parallel (one per processor)", OPTION_INT,
         &request.options.threads, .least = 1, .most = THREADS_MOST},
        {"moves", "N", "games: limit of moves per object (the game's own; memnn 4)", OPTION_INT,
         &request.moves, .least = 1, .most = MOVES_MOST},
        {"show-errors", NULL, "with PATH: print the tuples with wrong answers", OPTION_FLAG,
         .value = &request.show_errors},
        {"json", NULL, "print JSON, one object per line", OPTION_FLAG, .value = &request.json},
    };
    const command_usage usage = {
        "test",
        "MODEL [PATH]",
        "Compares the conclusions of a trained model with the truth, on random worlds that are never used\n"
        "in training.  A model of a game (sort, path, blocks) plays random instances and is judged by the\n"
        "share solved and the number of moves.  With PATH, a file or folder of facts, the labels there are\n"
        "the truth.",
        rows,
        work_options_add(&request.work, rows),
        1,
        2};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first];
    request.facts = argc - first > 1 ? argv[first + 1] : NULL;
    task_or_game named;
    if (!work_options_check("test", &request.work) || !makes_sense(&request, worlds_given, seed_given) ||
        (request.task_name != NULL && !find_task_or_game("test", request.task_name, &named)) ||
        !system_options(&request.options))
        return EXIT_USAGE;
    return request.facts != NULL ? test_facts(&request) : test_model(&request);
}
