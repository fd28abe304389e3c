/* nlm test: a trained machine against its task's oracle, on worlds that it has never seen.
 *
 * One row per size of the worlds; then, for each, what the result says about all other worlds.  Games are in
 * test_game.c, facts of the user's own in test_facts.c. */
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

enum { THREADS_MOST = 1024, OBJECTS_MOST = 10000, WORLDS_MOST = 1000000000, MOVES_MOST = 10000 };

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
        nlm_test_allow(*test, test_moves_allowed(request, machine, what.game) * objects);
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

/* What was seen says this about all other worlds of the size. */
static void print_bound(const nlm_score *score)
{
    char worlds[NLM_NUMBER_TEXT], bad[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT];
    nlm_count_text((size_t)score->asked, worlds);
    nlm_count_text((size_t)score->failed, bad);
    const char *plural = score->objects == 1 ? "" : "s";
    const double bound = nlm_test_bound(score->asked, score->failed, TEST_CONFIDENCE);
    if (bound < 1)
        printf("With %g %% confidence, at least %s of all worlds of %d object%s are without error "
               "(Chernoff; %s of %s worlds had one).\n",
               100 * TEST_CONFIDENCE, nlm_percent_text(1 - bound, share), score->objects, plural, bad,
               worlds);
    else
        printf("This says nothing about all worlds of %d object%s: too few were tested, or too many had an "
               "error (Chernoff; %s of %s).\n",
               score->objects, plural, bad, worlds);
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
    if (what.game != NULL)
        test_print_game(request, machine, what.game, first, score);
    else if (request->json)
        print_json(what.task, score);
    else {
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
    const int trouble = what.game != NULL ? test_check_sizes(what.game, sizes, request->seed) : EXIT_SUCCESS;
    if (trouble != EXIT_SUCCESS)
        return trouble;
    for (int i = 0; i < sizes->count; i++) {
        if (!test_size(request, machine, what, sizes->values[i], &scores[i]))
            return EXIT_FAILURE;
        print_size(request, machine, what, i == 0, &scores[i]);
    }
    if (!request->json)
        putchar('\n');
    for (int i = 0; i < sizes->count && !request->json; i++) {
        if (what.game != NULL)
            test_print_game_bound(&scores[i]);
        else
            print_bound(&scores[i]);
    }
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
    const bool images = game && request->images != NULL, moves = !game && request->moves > 0;
    if (images)
        message_error("test: --images is for tasks with images, not for games");
    if (moves)
        message_error("test: --moves is for games (sort, path, blocks)");
    return images || moves;
}

static int test_model(const test_request *request)
{
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_load(request->model, &machine, &error) != NLM_OK) {
        message_error("test: %s", error.message);
        return EXIT_FAILURE;
    }
    task_or_game found;
    int status = EXIT_FAILURE;
    if (request->task_name == NULL && nlm_machine_metadata(machine, "signature") != NULL)
        message_error("test: %s was trained on facts: give it facts with labels, nlm test %s PATH",
                      request->model, request->model);
    else if (find_recorded("test", request->model, machine, request->task_name, &found) &&
             !refuses(request, found.game != NULL))
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
                                                     : NULL;
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
    const option_row rows[] = {
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
        sizeof rows / sizeof rows[0],
        1,
        2};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first];
    request.facts = argc - first > 1 ? argv[first + 1] : NULL;
    task_or_game named;
    if (!makes_sense(&request, worlds_given, seed_given) ||
        (request.task_name != NULL && !find_task_or_game("test", request.task_name, &named)) ||
        !system_options(&request.options))
        return EXIT_USAGE;
    return request.facts != NULL ? test_facts(&request) : test_model(&request);
}
