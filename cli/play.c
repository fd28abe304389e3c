/* nlm play: the agent at work, move by move, in the terminal. */
#include "play.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "system.h"
#include "find_task.h"
#include "message.h"
#include "options.h"
#include "play_frame.h"
#include "play_record.h"
#include "play_screen.h"
#include "nlm/report.h"

/* The instance that is drawn is the first of those that `nlm test` has for this seed. */
#define FIRST_INSTANCE ((uint64_t)1 << 40)

enum { OBJECTS_MOST = 10000, TITLE_SIZE = 256 };

/* ---- the instance ---- */

/* What is not plain ASCII becomes '?'. */
static void make_plain(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~')
            *text = '?';
    }
}

static int read_instance(const play_request *request, nlm_position *position)
{
    nlm_error error;
    if (nlm_position_read_file(position, request->instance, &error) == NLM_OK)
        return EXIT_SUCCESS;
    make_plain(error.message); /* a file must not steer the terminal */
    message_error("play: %s", error.message);
    return EXIT_FAILURE;
}

static int draw_instance(const play_request *request, nlm_position *position)
{
    nlm_error error;
    const int objects =
        request->objects > 0 ? request->objects : nlm_position_game(position)->test_objects[0];
    const nlm_status status =
        nlm_position_draw(position, request->seed, FIRST_INSTANCE, objects, true, &error);
    if (status)
        message_error("play: %s", error.message);
    return !status ? EXIT_SUCCESS : status == NLM_BAD_ARGUMENT ? EXIT_USAGE : EXIT_FAILURE;
}

/* ---- the episode ---- */

/* Who is looking on; a part that is not wanted is NULL. */
typedef struct watchers {
    screen *shown;
    frame_maker *maker;
    record *taken;
    nlm_replay *replay;
} watchers;

static nlm_status fail_to_show(nlm_error *error)
{
    error->status = NLM_IO_ERROR;
    snprintf(error->message, sizeof error->message, "cannot show the episode: %s", strerror(errno));
    return error->status;
}

static nlm_status show_moment(const watchers *watching, const play_moment *moment, nlm_error *error)
{
    int columns, rows;
    nlm_sheet frame;
    if (watching->shown == NULL)
        return NLM_OK;
    screen_size(watching->shown, &columns, &rows);
    nlm_sheet_begin(&frame, columns);
    if (watching->shown->live)
        frame_for_screen(watching->maker, moment, rows, &frame);
    else
        frame_for_file(watching->maker, moment, &frame);
    errno = ENOMEM;
    const bool shown = !frame.failed && screen_show(watching->shown, &frame);
    nlm_sheet_free(&frame);
    return shown ? NLM_OK : fail_to_show(error);
}

static nlm_status play_move(nlm_agent *agent, const watchers *watching, play_moment *moment, nlm_error *error)
{
    nlm_status status =
        nlm_agent_next(agent, moment->position, moment->choices, PLAY_CHOICES, &moment->count, error);
    if (!status && watching->taken != NULL)
        status = record_step(watching->taken, moment, error);
    if (!status && watching->replay != NULL)
        status = nlm_replay_add(watching->replay, moment->position, moment->choices, moment->count, error);
    if (!status)
        status = show_moment(watching, moment, error);
    if (!status && watching->shown != NULL)
        screen_wait(watching->shown);
    if (status || screen_interrupted())
        return status;
    return nlm_position_move(moment->position, moment->choices[0].move, NULL, error);
}

/* To the end, or until a signal comes. */
static nlm_status play_episode(nlm_agent *agent, const watchers *watching, nlm_position *position,
                               nlm_error *error)
{
    play_moment moment = {.position = position};
    nlm_status status = NLM_OK;
    while (!status && !nlm_position_over(position) && !screen_interrupted())
        status = play_move(agent, watching, &moment, error);
    moment.count = 0;
    if (!status && !screen_interrupted())
        status = show_moment(watching, &moment, error);
    if (!status && watching->replay != NULL)
        status = nlm_replay_add(watching->replay, position, NULL, 0, error);
    return status;
}

static void say_end(const nlm_position *position)
{
    const int moves = nlm_position_moves(position), limit = nlm_position_limit(position);
    if (!nlm_position_solved(position)) {
        printf("not solved within %d move%s\n", limit, plural(limit));
        return;
    }
    printf("solved in %d move%s (limit %d", moves, plural(moves), limit);
    if (nlm_position_optimum(position) >= 0)
        printf(", optimum %d", nlm_position_optimum(position));
    puts(")");
}

/* "sort.nlm plays sort: 10 objects, instance of seed 1". */
static void make_title(const play_request *request, const nlm_position *position, char title[TITLE_SIZE])
{
    const char *slash = strrchr(request->model, '/');
    const int used = snprintf(title, TITLE_SIZE, "%.100s plays %s: %d objects, ",
                              slash != NULL ? slash + 1 : request->model, nlm_position_game(position)->name,
                              nlm_position_objects(position));
    if (request->instance == NULL)
        snprintf(title + used, TITLE_SIZE - (size_t)used, "instance of seed %" PRIu64, request->seed);
    else if (strcmp(request->instance, "-") == 0)
        snprintf(title + used, TITLE_SIZE - (size_t)used, "instance of standard input");
    else
        snprintf(title + used, TITLE_SIZE - (size_t)used, "instance of %.100s", request->instance);
}

/* ---- those who look on ---- */

static bool only_json(const play_request *request)
{
    return request->json != NULL && strcmp(request->json, "-") == 0;
}

static nlm_status begin_showing(const play_request *request, const nlm_position *position, const char *title,
                                watchers *watching, nlm_error *error)
{
    errno = ENOMEM;
    if (!frame_begin(watching->maker, title, position))
        return fail_to_show(error);
    screen_begin(watching->shown, request->fps);
    if (!watching->shown->live)
        printf("%s\n\n", title);
    return NLM_OK;
}

/* Whether frames are wanted: a page in their place is for people to look at, so that only a terminal, where
 * frames take no room, has both. */
static bool is_shown(const play_request *request)
{
    return !only_json(request) && (request->html == NULL || screen_is_terminal());
}

/* Play with a screen to look on where one is wanted. */
static nlm_status show_episode(const play_request *request, nlm_agent *agent, nlm_position *position,
                               const watchers *files, nlm_error *error)
{
    char title[TITLE_SIZE];
    screen shown;
    frame_maker maker;
    if (!is_shown(request))
        return play_episode(agent, files, position, error);
    watchers watching = {.shown = &shown, .maker = &maker, .taken = files->taken, .replay = files->replay};
    make_title(request, position, title);
    make_plain(title); /* a sheet has a column for each character */
    nlm_status status = begin_showing(request, position, title, &watching, error);
    if (status)
        return status;
    status = play_episode(agent, &watching, position, error);
    screen_end(&shown);
    frame_end(&maker);
    return status;
}

/* The exit status, after an error line if that is called for. */
static int end_episode(const play_request *request, const nlm_position *position, nlm_status status,
                       const nlm_error *error)
{
    if (status == NLM_NO_MEMORY)
        message_error("play: %s: not enough memory for an instance of %d objects", request->model,
                      nlm_position_objects(position));
    else if (status)
        message_error("play: %s: %s", request->model, error->message);
    else if (screen_interrupted())
        message_error("play: stopped after move %d", nlm_position_moves(position));
    else if (!only_json(request))
        say_end(position);
    return status ? EXIT_FAILURE : screen_interrupted() ? EXIT_SIGNAL + screen_interrupted() : EXIT_SUCCESS;
}

/* Begin what the files need. */
static nlm_status begin_files(const play_request *request, nlm_position *position, watchers *files,
                              record *taken, nlm_error *error)
{
    char title[TITLE_SIZE];
    nlm_status status = NLM_OK;
    if (request->json != NULL) {
        status = record_begin(taken, position, error);
        files->taken = taken;
    }
    if (!status && request->html != NULL) {
        make_title(request, position, title);
        status = nlm_replay_new(nlm_position_game(position), title, &files->replay, error);
    }
    return status;
}

static nlm_status save_files(const play_request *request, nlm_position *position, const watchers *files,
                             nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (request->json != NULL)
        status = record_save(files->taken, request, position, error);
    if (!status && request->html != NULL) {
        status = nlm_replay_save(files->replay, request->html, error);
        if (!status && !only_json(request))
            printf("%s: the episode, as a page for a browser\n", request->html);
    }
    return status;
}

/* The whole episode, on the screen and in the files. */
static int watch_episode(const play_request *request, nlm_agent *agent, nlm_position *position)
{
    record taken = {0};
    watchers files = {0};
    nlm_error error;
    nlm_status status = begin_files(request, position, &files, &taken, &error);
    if (!status)
        status = show_episode(request, agent, position, &files, &error);
    int end = end_episode(request, position, status, &error);
    if (end == EXIT_SUCCESS && save_files(request, position, &files, &error) != NLM_OK) {
        message_error("play: %s", error.message);
        end = EXIT_FAILURE;
    }
    record_free(&taken);
    nlm_replay_free(files.replay);
    return end;
}

/* ---- the command ---- */

static int play_machine(const play_request *request, nlm_machine *machine, const nlm_game *game)
{
    nlm_agent *agent = NULL;
    nlm_position *position = NULL;
    nlm_error error;
    nlm_settings at_work;
    if (!work_options_apply("play", request->model, &request->work, machine, game, &at_work))
        return EXIT_FAILURE;
    nlm_status status = nlm_agent_new(machine, game, &request->options, &agent, &error);
    if (!status)
        nlm_agent_use(agent, &at_work);
    if (!status)
        status = nlm_position_new(game, &position, &error);
    int end = EXIT_FAILURE;
    if (status)
        message_error("play: %s: %s", request->model, error.message);
    else
        end = request->instance != NULL ? read_instance(request, position) : draw_instance(request, position);
    const int moves = nlm_agent_moves(nlm_machine_spec(machine), game);
    if (end == EXIT_SUCCESS && moves > 0)
        nlm_position_allow(position, moves * nlm_position_objects(position));
    if (end == EXIT_SUCCESS)
        end = watch_episode(request, agent, position);
    nlm_position_free(position);
    nlm_agent_free(agent);
    return end;
}

static int play_model(const play_request *request)
{
    nlm_machine *machine;
    nlm_error error;
    task_or_game found;
    if ((request->json != NULL && record_check(request->json, &error) != NLM_OK) ||
        (request->html != NULL && record_check(request->html, &error) != NLM_OK) ||
        nlm_machine_load(request->model, &machine, &error) != NLM_OK) {
        message_error("play: %s", error.message);
        return EXIT_FAILURE;
    }
    int status = EXIT_FAILURE;
    if (nlm_machine_metadata(machine, "signature") != NULL)
        message_error(
            "play: %s was trained on facts: it has conclusions, not moves; nlm infer %s PATH prints them",
            request->model, request->model);
    else if (find_recorded("play", request->model, machine, request->task_name, &found)) {
        if (found.game != NULL)
            status = play_machine(request, machine, found.game);
        else
            message_error("play: %s: a model of %s does not play; nlm test %s tests it", request->model,
                          found.task->name, request->model);
    }
    nlm_machine_free(machine);
    return status;
}

static bool task_is_game(const char *name)
{
    task_or_game named;
    if (!find_task_or_game("play", name, &named))
        return false;
    if (named.game == NULL)
        message_error("play: %s is not played move by move; 'nlm tasks' lists the games", name);
    return named.game != NULL;
}

static bool is_file(const char *path)
{
    return path != NULL && path[0] != '\0' && strcmp(path, "-") != 0;
}

/* What goes where: nothing that is read is overwritten; false after an error line. */
static bool files_are_apart(const play_request *request)
{
    const struct {
        const char *name, *path;
    } files[] = {{"MODEL", request->model},
                 {"--instance", request->instance},
                 {"--json", request->json},
                 {"--html", request->html}};
    if (request->html != NULL && strcmp(request->html, "-") == 0) {
        message_error("play: --html wants the name of a file: a page is not for standard output");
        return false;
    }
    for (size_t b = 1; b < sizeof files / sizeof *files; b++) {
        for (size_t a = 0; a < b; a++) {
            if (is_file(files[a].path) && is_file(files[b].path) &&
                nlm_file_same(files[a].path, files[b].path)) {
                message_error("play: %s and %s name the same file, %s", files[a].name, files[b].name,
                              files[b].path);
                return false;
            }
        }
    }
    return true;
}

static const char help[] =
    "Plays an instance of a game (sort, path, blocks) with a trained model and shows every position,\n"
    "the chosen move, its probability and the next best moves.  On a terminal the picture is redrawn\n"
    "in place; a file or pipe gets plain text, one block per move.";

int command_play(int argc, char **argv)
{
    play_request request = {.options = {.threads = system_processors()}, .seed = 1, .fps = 4};
    bool objects_given = false, seed_given = false;
    option_row rows[OPTIONS_MOST] = {
        {"objects", "N", "size of the instance (the paper's smaller one, 10)", OPTION_INT, &request.objects,
         .least = 1, .most = OBJECTS_MOST, .given = &objects_given},
        {"seed", "N", "random seed of the instance (1)", OPTION_U64, .value = &request.seed,
         .given = &seed_given},
        {"instance", "FILE", "instance to play, JSON as written by --json (-: standard input)", OPTION_TEXT,
         .value = &request.instance},
        {"fps", "F", "moves per second on a terminal (4)", OPTION_REAL, &request.fps, .least = 0.01,
         .most = 60},
        {"json", "FILE", "write the episode as JSON (-: to standard output, without the text)", OPTION_TEXT,
         .value = &request.json},
        {"html", "FILE", "write the episode as an animated HTML page", OPTION_TEXT, .value = &request.html},
        {"task", "NAME", "the game, for models that do not record it", OPTION_TEXT,
         .value = &request.task_name},
    };
    const command_usage usage = {"play", "MODEL", help, rows, work_options_add(&request.work, rows), 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first];
    if (request.instance != NULL && (objects_given || seed_given)) {
        message_error("play: --instance and --%s do not go together: the file says which instance it is",
                      objects_given ? "objects" : "seed");
        return EXIT_USAGE;
    }
    if (!work_options_check("play", &request.work) || !files_are_apart(&request) ||
        (request.task_name != NULL && !task_is_game(request.task_name)) || !system_options(&request.options))
        return EXIT_USAGE;
    return play_model(&request);
}
