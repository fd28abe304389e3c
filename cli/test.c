/* nlm test: a trained machine against its task's oracle, on worlds that it has never seen, or against the
 * labels of facts.
 *
 * One row per kind and size of the worlds, or per size of the instances of a game; then, for each, what the
 * result says about all others.  Of facts, one row per target. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "system.h"
#include "find_task.h"
#include "task_images.h"
#include "message.h"
#include "options.h"
#include "pddl_files.h"
#include "read_facts.h"
#include "progress.h"
#include "setting_options.h"
#include "test_facts.h"

#define TEST_CONFIDENCE 0.997 /* the paper's */

enum {
    THREADS_MOST = 1024,
    OBJECTS_MOST = 10000,
    WORLDS_MOST = 1000000000,
    MOVES_MOST = 10000,
};

/* ---- program and machine ---- */

bool test_find_proof(test_request *of)
{
    nlm_proof *proof = NULL;
    nlm_error error;
    of->has_program = of->what.game == NULL && nlm_machine_has_program(of->machine);
    if (!of->has_program)
        return true;
    if (!message_ok("test", nlm_prove_model(of->machine, of->model, &proof, &error), &error))
        return false;
    of->proved = proof->verdict == NLM_PROVED;
    if (of->proved)
        snprintf(of->proof, PROOF_SIZE, "proved: the model computes its program in every world");
    else
        snprintf(of->proof, PROOF_SIZE, "not proved that the model computes its program: %s",
                 proof->verdict == NLM_SOFT      ? proof->reason
                 : proof->verdict == NLM_REFUTED ? "nlm prove shows a world where they differ"
                                                 : "nothing was found within the bounds of nlm prove");
    nlm_proof_free(proof);
    return true;
}

void test_end_json(const test_request *of)
{
    if (of->has_program)
        json_print(stdout, ", \"proved\": %i", of->proved);
    puts("}");
}

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
    return message_ok("test", status, &error) ? EXIT_SUCCESS
           : status == NLM_BAD_ARGUMENT       ? EXIT_USAGE
                                              : EXIT_FAILURE;
}

typedef struct watcher {
    progress line;
    int worlds; /* or instances, of the whole test */
    bool game;
} watcher;

static bool show_progress(void *context, const nlm_score *score)
{
    watcher *watching = context;
    if (score->asked >= watching->worlds || !progress_due(&watching->line))
        return true;
    const size_t bad = watching->game ? (size_t)score->failed : score->wrong;
    progress_show(&watching->line, (double)score->asked / watching->worlds, "%d objects  %s %s/%s  %s %s",
                  score->objects, watching->game ? "episode" : "world", text_of_count(score->asked),
                  text_of_count(watching->worlds), text_of_count(bad),
                  watching->game ? "not solved" : "wrong");
    return true;
}

static nlm_status begin(const test_request *of, nlm_world_kind kind, int objects, nlm_test **test,
                        nlm_error *error)
{
    const nlm_game *game = of->what.game;
    if (game == NULL)
        return nlm_test_of_task(of->machine, of->what.task, kind, objects, of->seed, &of->options, test,
                                error);
    const nlm_status status =
        nlm_test_of_game(of->machine, game, objects, of->seed, &of->options, test, error);
    if (status == NLM_OK) {
        nlm_test_allow(*test, of->moves * objects);
        nlm_test_use(*test, &of->at_work);
    }
    return status;
}

/* False after an error line. */
static bool test_size(const test_request *of, nlm_world_kind kind, int objects, nlm_score *score)
{
    nlm_error error;
    nlm_test *test;
    watcher watching = {.worlds = of->worlds, .game = of->what.game != NULL};
    nlm_status status = begin(of, kind, objects, &test, &error);
    if (status == NLM_OK) {
        progress_begin(&watching.line, watching.game ? of->what.game->name : of->what.task->name, false);
        status = nlm_test_run(test, of->worlds, show_progress, &watching, &error);
        progress_end(&watching.line);
        *score = nlm_test_score(test);
        nlm_test_free(test);
    }
    if (status == NLM_NO_MEMORY)
        message_error("test: %s: not enough memory for %s of %d objects, %d%s at a time; fewer --threads or "
                      "--objects need less",
                      of->model, watching.game ? "instances" : "worlds", objects, of->options.threads,
                      watching.game ? " times 8" : "");
    else if (status != NLM_OK)
        message_error("test: %s: %s", of->model, error.message);
    return status == NLM_OK;
}

/* ---- output ---- */

static void print_task_json(const test_request *of, nlm_world_kind kind, const nlm_score *score)
{
    json_print(
        stdout,
        "{\"task\": %s, \"kind\": %s, \"objects\": %d, \"worlds\": %d, \"tuples\": %zu, \"wrong\": %zu, "
        "\"worlds_with_errors\": %d, \"accuracy\": %.15g, \"balanced_accuracy\": %.15g, "
        "\"macro_accuracy\": %.15g, \"squared_error\": %.6g, \"seconds\": %.3f",
        of->what.task->name, nlm_world_kind_name(kind), score->objects, score->asked, score->tuples,
        score->wrong, score->failed, score->right, score->balanced, score->macro, score->squared_error,
        score->seconds);
    test_end_json(of);
}

/* The kind stands first where the task has several. */
static void print_task_row(const nlm_task *task, nlm_world_kind kind, const nlm_score *score)
{
    if (nlm_task_has_worlds(task, NLM_WORLDS_RICH))
        printf("%-5s ", nlm_world_kind_name(kind));
    printf("%7d %8s %12s %8s %11s %10s %10s %7.2f\n", score->objects, text_of_count(score->asked),
           text_of_count(score->tuples), text_of_count(score->wrong), text_of_count(score->failed),
           text_of_percent(score->right), text_of_percent(score->balanced), score->seconds);
}

static void print_game_json(const test_request *of, const nlm_score *score)
{
    json_print(stdout,
               "{\"task\": %s, \"objects\": %d, \"episodes\": %d, \"success\": %.15g, \"moves\": %.15g, "
               "\"optimal_moves\": %.15g, \"baseline_moves\": %.15g, \"below_baseline\": %.15g, "
               "\"allowed_for_each\": %.0f, ",
               of->what.game->name, score->objects, score->asked, score->right, score->moves,
               score->optimal_moves >= 0 ? score->optimal_moves : NAN,
               score->baseline_moves >= 0 ? score->baseline_moves : NAN,
               score->baseline_moves >= 0 ? (double)score->below_baseline / fmax(score->asked, 1) : NAN,
               of->moves > 0 ? (double)of->moves : NAN);
    for (int i = 0; i < nlm_setting_count(); i++) {
        char value[NLM_SETTING_TEXT];
        const nlm_setting *setting = nlm_setting_at(i);
        if (setting->at_work && nlm_settings_get(&of->at_work, setting->name, value))
            printf("\"%s\": %s, ", setting->name, value);
    }
    printf("\"seconds\": %.3f}\n", score->seconds);
}

static void print_game_row(const nlm_game *game, const nlm_score *score)
{
    const char *paper = "-"; /* its mean number of moves, at the sizes that it tests */
    for (int i = 0; i < 2; i++)
        if (game->test_objects[i] == score->objects)
            paper = text_of("%g", game->test_moves[i]);
    const bool solved = score->right > 0, known = solved && score->optimal_moves > 0;
    printf("%7d %9s %10s %9s %9s %9s %9s %8.2f\n", score->objects, text_of_count(score->asked),
           text_of_percent(score->right), solved ? text_of("%.2f", score->moves) : "-",
           known ? text_of("%.2f", score->optimal_moves) : "-",
           known ? text_of("%.3f", score->moves / score->optimal_moves) : "-", paper, score->seconds);
}

/* "worlds"; where a task has both kinds "the paper's worlds", "rich worlds"; of a game "instances". */
static const char *worlds_text(const task_or_game *what, nlm_world_kind kind)
{
    if (what->game != NULL || !nlm_task_has_worlds(what->task, NLM_WORLDS_RICH))
        return what->game != NULL ? "instances" : "worlds";
    return kind == NLM_WORLDS_RICH ? "rich worlds" : "the paper's worlds";
}

static void print_heading(const test_request *of)
{
    const nlm_game *game = of->what.game;
    const bool kinds = game == NULL && nlm_task_has_worlds(of->what.task, NLM_WORLDS_RICH);
    printf("%s: %s, %s; %s of seed %" PRIu64, of->model, game != NULL ? game->name : of->what.task->name,
           game != NULL ? game->description : of->what.task->description,
           kinds && of->kind < 0 ? "the paper's worlds and rich worlds"
                                 : worlds_text(&of->what, (nlm_world_kind)(of->kind > 0)),
           of->seed);
    if (game == NULL) {
        const char *first = kinds ? "kind  " : "";
        printf(of->has_program ? "\n%s\n\n" : "\n\n", of->proof);
        printf("%*s%7s %8s %12s %8s %11s %10s %10s\n", (int)strlen(first), "", "", "", "", "", "worlds with",
               "", "balanced");
        printf("%s%7s %8s %12s %8s %11s %10s %10s %7s\n", first, "objects", "worlds", "tuples", "wrong",
               "errors", "accuracy", "accuracy", "seconds");
        return;
    }
    if (of->moves > 0)
        printf("; up to %d move%s for each object", of->moves, plural(of->moves));
    char rule[NLM_WORK_TEXT];
    printf("\n%s\n\n", nlm_work_text(&of->at_work, rule));
    printf("%7s %9s %10s %9s %9s %9s %9s\n", "", "", "", "", "", "moves /", "paper's");
    printf("%7s %9s %10s %9s %9s %9s %9s %8s\n", "objects", "episodes", "success", "moves", "optimum",
           "optimum", "moves", "seconds");
}

/* All other worlds or instances of the size; of a game, also how often an agent might have gone round in a
 * circle.  `all` is "worlds", "rich worlds" or "instances". */
static void print_bound(const nlm_score *score, bool game, const char *all)
{
    const char *asked = text_of_count(score->asked), *bad = text_of_count(score->failed);
    const double bound = nlm_test_bound(score->asked, score->failed, TEST_CONFIDENCE);
    if (game && score->returned > 0)
        printf("%d objects: %s episode%s came back to a position.\n", score->objects,
               text_of_count(score->returned), plural(score->returned));
    if (bound < 1)
        printf(
            "With %g %% confidence, at least %s of all %s of %d object%s are %s (Chernoff; %s of %s %s).\n",
            100 * TEST_CONFIDENCE, text_of_percent(1 - bound), all, score->objects, plural(score->objects),
            game ? "solved" : "without error", bad, asked, game ? "were not" : "worlds had one");
    else
        printf(
            "This says nothing about all %s of %d object%s: too few were %s, or too many %s (Chernoff; %s of "
            "%s).\n",
            all, score->objects, plural(score->objects), game ? "played" : "tested",
            game ? "were not solved" : "had an error", bad, asked);
}

static void print_baseline(const nlm_game *game, const nlm_score *score)
{
    if (score->baseline_moves >= 0 && score->asked > score->failed)
        printf("%d objects: %s takes %.2f moves; the agent takes fewer in %s of the instances.\n",
               score->objects, game->baseline, score->baseline_moves,
               text_of_percent((double)score->below_baseline / score->asked));
}

/* ---- a task or a game ---- */

static bool is_tested(const test_request *of, nlm_world_kind kind)
{
    if (of->what.game != NULL)
        return kind == NLM_WORLDS_PAPER;
    return nlm_task_has_worlds(of->what.task, kind) && (of->kind < 0 || of->kind == (int)kind);
}

static void print_score(const test_request *of, nlm_world_kind kind, const nlm_score *score)
{
    const nlm_game *game = of->what.game;
    if (of->json && game != NULL)
        print_game_json(of, score);
    else if (of->json)
        print_task_json(of, kind, score);
    else if (game != NULL)
        print_game_row(game, score);
    else
        print_task_row(of->what.task, kind, score);
    fflush(stdout); /* the next size may take long */
}

static int test_sizes(const test_request *of)
{
    const nlm_game *game = of->what.game;
    const option_list own = {2,
                             {game != NULL ? game->test_objects[0] : of->what.task->train_objects,
                              game != NULL ? game->test_objects[1] : of->what.task->test_objects}};
    const option_list *sizes = of->objects.count > 0 ? &of->objects : &own;
    nlm_score scores[NLM_WORLD_KINDS][OPTION_LIST_MOST];
    const int trouble = game != NULL ? check_sizes(game, sizes, of->seed) : EXIT_SUCCESS;
    bool begun = false;
    if (trouble != EXIT_SUCCESS)
        return trouble;
    for (nlm_world_kind kind = NLM_WORLDS_PAPER; kind < NLM_WORLD_KINDS; kind++)
        for (int i = 0; i < sizes->count && is_tested(of, kind); i++) {
            if (!test_size(of, kind, sizes->values[i], &scores[kind][i]))
                return EXIT_FAILURE;
            if (!begun && !of->json)
                print_heading(of);
            begun = true;
            print_score(of, kind, &scores[kind][i]);
        }
    fputs(of->json ? "" : "\n", stdout);
    for (nlm_world_kind kind = NLM_WORLDS_PAPER; kind < NLM_WORLD_KINDS && !of->json; kind++)
        for (int i = 0; i < sizes->count && is_tested(of, kind); i++) {
            if (game != NULL)
                print_baseline(game, &scores[kind][i]);
            print_bound(&scores[kind][i], game != NULL, worlds_text(&of->what, kind));
        }
    return EXIT_SUCCESS;
}

static int test_task(test_request *of)
{
    /* Images that are named; else drawn ones for a machine that learned from such. */
    const char *data = nlm_machine_metadata(of->machine, "data"), *images = of->images;
    if (images == NULL && of->what.task->sense != NULL && data != NULL && strcmp(data, "0") == 0)
        images = "drawn";
    const char *of_games = of->moves > 0 ? "moves" : setting_options_given(&of->work);
    const bool has_kind = of->kind < 0 || nlm_task_has_worlds(of->what.task, (nlm_world_kind)of->kind);
    if (of_games != NULL)
        message_error("test: --%s is for games", of_games);
    else if (!has_kind)
        message_error("test: %s has no %s worlds", of->what.task->name,
                      nlm_world_kind_name((nlm_world_kind)of->kind));
    const bool good =
        of_games == NULL && has_kind && test_find_proof(of) && images_find("test", images, &of->what.task);
    const int status = good ? test_sizes(of) : EXIT_FAILURE;
    images_release();
    return status;
}

static int test_game(test_request *of)
{
    if (of->images != NULL || of->kind >= 0)
        message_error("test: --%s, not for games",
                      of->images != NULL ? "images is for tasks with images" : "kind is for tasks");
    if (of->images != NULL || of->kind >= 0 ||
        !work_options_apply("test", of->model, &of->work, of->machine, of->what.game, &of->at_work))
        return EXIT_FAILURE;
    if (of->moves == 0)
        of->moves = nlm_agent_moves(nlm_machine_spec(of->machine), of->what.game);
    return test_sizes(of);
}

/* Problems in PDDL, in place of random instances. */
static int test_problems(test_request *of)
{
    const pddl_test asked = {.model = of->model,
                             .path = of->facts,
                             .domain = of->domain,
                             .plans = of->plans,
                             .force = of->force,
                             .json = of->json};
    nlm_agent *agent;
    nlm_error error;
    if (!work_options_apply("test", of->model, &of->work, of->machine, of->what.game, &of->at_work) ||
        !message_ok("test", nlm_agent_new(of->machine, of->what.game, &of->options, &agent, &error), &error))
        return EXIT_FAILURE;
    nlm_agent_use(agent, &of->at_work);
    const bool good = pddl_test_agent(&asked, agent);
    nlm_agent_free(agent);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int test_model(test_request *of)
{
    nlm_error error;
    int status = EXIT_FAILURE;
    if (!message_ok("test", nlm_machine_load(of->model, &of->machine, &error), &error))
        return EXIT_FAILURE;
    if (of->task_name == NULL && nlm_machine_metadata(of->machine, "signature") != NULL)
        message_error("test: %s was trained on facts: give it facts with labels, nlm test %s PATH", of->model,
                      of->model);
    else if (find_recorded("test", of->model, of->machine, of->task_name, &of->what))
        status = of->facts != NULL       ? test_problems(of)
                 : of->what.game != NULL ? test_game(of)
                                         : test_task(of);
    nlm_machine_free(of->machine);
    return status;
}

/* ---- the command ---- */

/* Whether a model plays a game, so that PATH has problems for it, not facts; other errors come later. */
static bool is_agent(const char *model)
{
    nlm_machine *machine;
    if (nlm_machine_load(model, &machine, NULL) != NLM_OK)
        return false;
    const char *task = nlm_machine_metadata(machine, "task");
    const bool plays = task != NULL && task_or_game_of(task).game != NULL;
    nlm_machine_free(machine);
    return plays;
}

/* Options of one kind of PATH, or of none; false after an error line. */
static bool fits_path(const test_request *request)
{
    const char *of_problems = request->domain != NULL  ? "domain"
                              : request->plans != NULL ? "plan"
                              : request->force         ? "force"
                                                       : NULL;
    const char *of_facts = request->worlds_by != NULL ? "worlds-by"
                           : request->show_errors     ? "show-errors"
                           : request->images != NULL  ? "images"
                                                      : NULL;
    if (request->plays && of_facts != NULL)
        message_error("test: --%s is for facts, not for problems in PDDL", of_facts);
    else if (!request->plays && of_problems != NULL)
        message_error("test: --%s is for problems in PDDL: nlm test AGENT PATH", of_problems);
    else
        return true;
    return false;
}

/* Options that are for random worlds only, or for a PATH only; false after an error line. */
static bool makes_sense(const test_request *request, bool worlds_given, bool seed_given)
{
    const char *at_work = setting_options_given(&request->work);
    const char *wrong = request->objects.count > 0   ? "objects"
                        : worlds_given               ? "worlds"
                        : request->kind >= 0         ? "kind"
                        : seed_given                 ? "seed"
                        : request->plays             ? request->moves > 0 ? "moves" : NULL
                        : request->task_name != NULL ? "task"
                        : request->moves > 0         ? "moves"
                                                     : at_work;
    if (request->facts != NULL && wrong != NULL)
        message_error("test: --%s is for tests on random worlds, not for the %s of %s", wrong,
                      request->plays ? "problems" : "facts", problem_title(request->facts));
    else if (request->facts == NULL && request->worlds_by != NULL)
        message_error("test: --worlds-by is for tests on facts of your own: nlm test MODEL PATH");
    else if (request->facts == NULL && request->show_errors)
        message_error("test: --show-errors is for tests on facts of your own: nlm test MODEL PATH");
    else
        return fits_path(request);
    return false;
}

static const char help[] =
    "Compares the conclusions of a trained model with the truth, on random worlds that are never used\n"
    "in training.  A model of a game (sort, path, blocks) plays random instances and is judged by the\n"
    "share solved and the number of moves.  With PATH, a file or folder of facts, the labels there are\n"
    "the truth.  For an agent of blocks PATH is a PDDL problem or a folder of them.";

static const char *const world_kinds[] = {NLM_WORLD_KIND_NAMES, NULL};

int command_test(int argc, char **argv)
{
    test_request request = {
        .options = {.threads = system_processors()}, .worlds = 1000, .kind = -1, .seed = 1};
    bool worlds_given = false, seed_given = false;
    option_row rows[OPTIONS_MOST] = {
        {"objects", "N,...", "sizes of the worlds or instances (the paper's, e.g. 20,100)", OPTION_LIST,
         &request.objects, .least = 1, .most = OBJECTS_MOST},
        {"worlds", "N", "worlds or instances of each size (1000); paper or rich: the same as --kind",
         OPTION_INT, &request.worlds, .least = 1, .most = WORLDS_MOST, .words = world_kinds,
         .word = &request.kind, .given = &worlds_given},
        {"kind", NULL, "only worlds of this kind (both, where the task has both)", OPTION_WORD, &request.kind,
         .words = world_kinds},
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
        WORLDS_BY_OPTION(&request.worlds_by),
        DOMAIN_OPTION(&request.domain),
        {"plan", "FOLDER", "PDDL: write plans there, as PROBLEM.plan", OPTION_TEXT, .value = &request.plans},
        {"force", NULL, "PDDL: replace existing plans", OPTION_FLAG, .value = &request.force},
        {"json", NULL, "print JSON, one object per line", OPTION_FLAG, .value = &request.json},
    };
    const command_usage usage = {"test", "MODEL [PATH]", help, rows, work_options_add(&request.work, rows), 1,
                                 2};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first];
    request.facts = argc - first > 1 ? argv[first + 1] : NULL;
    request.plays = request.facts != NULL && is_agent(request.model);
    task_or_game named;
    if (!setting_options_check("test", &request.work) || !makes_sense(&request, worlds_given, seed_given) ||
        (request.task_name != NULL && !find_task_or_game("test", request.task_name, &named)) ||
        !system_options(&request.options))
        return EXIT_USAGE;
    return request.facts != NULL && !request.plays ? test_facts(&request) : test_model(&request);
}
