/* nlm play: the agent at work, move by move, in the terminal, and as files: a page for a browser, or JSON
 * (docs/formats.md), {"task", "model", ..., "instance": {...}, "steps": [...], "final": {...}}.  Steps are
 * noted as they are made; a file is written at the end, whole or not at all. */
#include "play_screen.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "commands.h"
#include "system.h"
#include "find_task.h"
#include "message.h"
#include "options.h"
#include "pddl_files.h"
#include "setting_options.h"
#include "nlm/report.h"

enum { OBJECTS_MOST = 10000, TITLE_SIZE = 256 };

typedef struct play_request {
    nlm_options options;
    const char *model, *task_name;
    const char *instance; /* a file, "-" for standard input, or NULL: then one is drawn */
    const char *pddl;     /* a problem, or NULL */
    const char *domain;   /* its domain, or NULL */
    const char *plan;     /* where its plan goes, or NULL */
    bool force;           /* the plan replaces a file */
    const char *json;     /* where the episode goes, "-" for standard output, or NULL */
    const char *html;     /* where its page goes, or NULL */
    int objects;          /* of the instance to draw; 0 for the paper's smaller size */
    uint64_t seed;
    double fps;
    setting_options work;
} play_request;

/* An episode, and who is looking on. */
typedef struct episode {
    const play_request *request;
    nlm_agent *agent;
    play_moment now;
    char title[TITLE_SIZE];
    bool is_shown;
    screen shown;
    frame_maker maker;
    /* with --json */
    char *instance; /* the position at the beginning */
    FILE *steps;    /* of the text below */
    char *text;
    size_t size;
    const char *final; /* the position at the end */
    /* with --html */
    nlm_replay *replay;
    /* with --pddl */
    nlm_pddl_plan *plan;
} episode;

/* ---- the instance ---- */

/* What is not plain ASCII becomes '?'. */
static void make_plain(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~')
            *text = '?';
    }
}

/* Read or drawn; the exit status.  The instance that is drawn is the first of those that `nlm test` has for
 * this seed. */
static int begin_instance(const play_request *request, const nlm_pddl *pddl, nlm_position *position)
{
    nlm_error error = {0};
    const int own = nlm_position_game(position)->test_objects[0];
    if (pddl != NULL)
        return message_ok("play", nlm_pddl_position(pddl, position, &error), &error) ? EXIT_SUCCESS
                                                                                     : EXIT_FAILURE;
    if (request->instance != NULL) {
        const nlm_status status = nlm_position_read_file(position, request->instance, &error);
        make_plain(error.message); /* a file must not steer the terminal */
        return message_ok("play", status, &error) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const nlm_status status = nlm_position_draw(position, request->seed, NLM_TEST_INSTANCES,
                                                request->objects > 0 ? request->objects : own, true, &error);
    return message_ok("play", status, &error) ? EXIT_SUCCESS
           : status == NLM_BAD_ARGUMENT       ? EXIT_USAGE
                                              : EXIT_FAILURE;
}

/* "sort.nlm plays sort: 10 objects, instance of seed 1". */
static void make_title(const play_request *request, const nlm_position *position, char title[TITLE_SIZE])
{
    const char *slash = strrchr(request->model, '/');
    const int used = snprintf(title, TITLE_SIZE, "%.100s plays %s: %d objects, instance of ",
                              slash != NULL ? slash + 1 : request->model, nlm_position_game(position)->name,
                              nlm_position_objects(position));
    if (request->pddl != NULL)
        snprintf(title + used, TITLE_SIZE - (size_t)used, "%.100s", request->pddl);
    else if (request->instance == NULL)
        snprintf(title + used, TITLE_SIZE - (size_t)used, "seed %" PRIu64, request->seed);
    else
        snprintf(title + used, TITLE_SIZE - (size_t)used, "%.100s",
                 strcmp(request->instance, "-") == 0 ? "standard input" : request->instance);
}

/* ---- the episode as JSON ---- */

static void write_move(FILE *file, const nlm_game *game, const nlm_choice *choice)
{
    for (int k = 0; k < game->arity; k++)
        fprintf(file, "%s%d", k == 0 ? "\"move\": [" : ", ", choice->move[k]);
    fprintf(file, "], \"probability\": %.9g", choice->probability);
}

/* The move that is about to be made, the first of the choices. */
static nlm_status note_step(const episode *of, nlm_error *error)
{
    const play_moment *now = &of->now;
    const nlm_game *game = nlm_position_game(now->position);
    const char *state;
    const nlm_status status = nlm_position_write(now->position, &state, error);
    if (status)
        return status;
    fprintf(of->steps, "%s\n  {\"state\": %s,\n   ", nlm_position_moves(now->position) > 0 ? "," : "", state);
    write_move(of->steps, game, &now->choices[0]);
    json_print(of->steps, ", \"legal\": %i", nlm_position_legal(now->position, now->choices[0].move));
    if (now->rule >= 0)
        fprintf(of->steps, ", \"rule\": %d", now->rule);
    fputs(", \"top\": [", of->steps);
    for (int i = 0; i < now->count; i++) {
        fputs(i > 0 ? ", {" : "{", of->steps);
        write_move(of->steps, game, &now->choices[i]);
        putc('}', of->steps);
    }
    fputs("]}", of->steps);
    return NLM_OK;
}

static void write_record(FILE *file, const void *context)
{
    const episode *of = context;
    const nlm_position *position = of->now.position;
    const int optimum = nlm_position_optimum(position);
    json_print(file, "{\"task\": %s, \"model\": %s, \"objects\": %d", nlm_position_game(position)->name,
               of->request->model, nlm_position_objects(position));
    if (of->request->instance == NULL && of->request->pddl == NULL) {
        /* Larger numbers than 2^63 - 1 are more than readers of JSON can be asked for. */
        const char *quote = of->request->seed > INT64_MAX ? "\"" : "";
        fprintf(file, ", \"seed\": %s%" PRIu64 "%s", quote, of->request->seed, quote);
    }
    json_print(file, ", \"limit\": %d, \"optimal_moves\": %.0f, \"solved\": %i, \"moves\": %d",
               nlm_position_limit(position), optimum >= 0 ? (double)optimum : NAN,
               nlm_position_solved(position), nlm_position_moves(position));
    fprintf(file, ",\n \"instance\": %s,\n \"steps\": [", of->instance);
    fwrite(of->text, 1, of->size, file);
    fprintf(file, "],\n \"final\": %s}\n", of->final);
}

/* To request->json, by way of a temporary file in the same folder, or to standard output. */
static nlm_status save_record(episode *of, nlm_error *error)
{
    const nlm_status status = nlm_position_write(of->now.position, &of->final, error);
    if (status)
        return status;
    if (fflush(of->steps) != 0 || ferror(of->steps))
        return message_fill(error, NLM_NO_MEMORY, "not enough memory to record the episode");
    if (strcmp(of->request->json, "-") != 0)
        return nlm_file_write(of->request->json, write_record, of, error);
    write_record(stdout, of);
    return NLM_OK;
}

/* ---- the episode ---- */

static nlm_status fail_to_show(nlm_error *error)
{
    return message_fill(error, NLM_IO_ERROR, "cannot show the episode: %s", strerror(errno));
}

static nlm_status show_moment(episode *of, nlm_error *error)
{
    int columns, rows;
    nlm_sheet frame;
    if (!of->is_shown)
        return NLM_OK;
    screen_size(&of->shown, &columns, &rows);
    nlm_sheet_begin(&frame, columns);
    if (of->shown.live)
        frame_for_screen(&of->maker, &of->now, rows, &frame);
    else
        frame_for_file(&of->maker, &of->now, &frame);
    errno = ENOMEM;
    const bool shown = !frame.failed && screen_show(&of->shown, &frame);
    nlm_sheet_free(&frame);
    return shown ? NLM_OK : fail_to_show(error);
}

static nlm_status play_move(episode *of, nlm_error *error)
{
    play_moment *now = &of->now;
    nlm_status status =
        nlm_agent_next(of->agent, now->position, now->choices, PLAY_CHOICES, &now->count, error);
    now->rule = nlm_agent_rule(of->agent);
    if (!status && of->steps != NULL)
        status = note_step(of, error);
    if (!status && of->replay != NULL)
        status = nlm_replay_add(of->replay, now->position, now->choices, now->count, error);
    if (!status && of->replay != NULL)
        nlm_replay_rule(of->replay, now->rule);
    if (!status)
        status = show_moment(of, error);
    if (!status && of->is_shown)
        screen_wait(&of->shown);
    if (status || screen_interrupted())
        return status;
    if (of->plan != NULL)
        status = nlm_pddl_plan_move(of->plan, now->position, now->choices[0].move, error);
    return status ? status : nlm_position_move(now->position, now->choices[0].move, NULL, error);
}

/* To the end, or until a signal comes. */
static nlm_status play_episode(episode *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    while (!status && !nlm_position_over(of->now.position) && !screen_interrupted())
        status = play_move(of, error);
    of->now.count = 0;
    if (!status && !screen_interrupted())
        status = show_moment(of, error);
    if (!status && of->replay != NULL)
        status = nlm_replay_add(of->replay, of->now.position, NULL, 0, error);
    return status;
}

static bool only_json(const play_request *request)
{
    return request->json != NULL && strcmp(request->json, "-") == 0;
}

/* Play with a screen to look on where one is wanted: a page in its place is for people to look at, so that
 * only a terminal, where frames take no room, has both. */
static nlm_status show_episode(episode *of, nlm_error *error)
{
    const play_request *request = of->request;
    of->is_shown = !only_json(request) && (request->html == NULL || system_is_terminal(STDOUT_FILENO));
    if (!of->is_shown)
        return play_episode(of, error);
    make_plain(of->title); /* a sheet has a column for each character */
    errno = ENOMEM;
    if (!frame_begin(&of->maker, of->title, of->now.position))
        return fail_to_show(error);
    screen_begin(&of->shown, request->fps);
    if (!of->shown.live)
        printf("%s\n\n", of->title);
    const nlm_status status = play_episode(of, error);
    screen_end(&of->shown);
    frame_end(&of->maker);
    return status;
}

/* The exit status, after the result or an error line. */
static int end_episode(const play_request *request, const nlm_position *position, nlm_status status,
                       const nlm_error *error)
{
    const int moves = nlm_position_moves(position), limit = nlm_position_limit(position);
    if (status == NLM_NO_MEMORY)
        message_error("play: %s: not enough memory for an instance of %d objects", request->model,
                      nlm_position_objects(position));
    else if (status)
        message_error("play: %s: %s", request->model, error->message);
    else if (screen_interrupted())
        message_error("play: stopped after move %d", moves);
    else if (!only_json(request) && !nlm_position_solved(position))
        printf("not solved within %d move%s\n", limit, plural(limit));
    else if (!only_json(request))
        printf("solved in %d move%s (limit %d%s)\n", moves, plural(moves), limit,
               nlm_position_optimum(position) < 0 ? ""
                                                  : text_of(", optimum %d", nlm_position_optimum(position)));
    return status ? EXIT_FAILURE : screen_interrupted() ? EXIT_SIGNAL + screen_interrupted() : EXIT_SUCCESS;
}

/* Begin what the files need. */
static nlm_status begin_files(episode *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (of->request->json != NULL) {
        const char *text;
        status = nlm_position_write(of->now.position, &text, error);
        of->instance = status ? NULL : strdup(text);
        of->steps = open_memstream(&of->text, &of->size);
        if (!status && (of->instance == NULL || of->steps == NULL))
            return message_fill(error, NLM_NO_MEMORY, "not enough memory to record the episode");
    }
    if (!status && of->request->html != NULL)
        status = nlm_replay_new(nlm_position_game(of->now.position), of->title, &of->replay, error);
    return status;
}

static nlm_status save_files(episode *of, nlm_error *error)
{
    const play_request *request = of->request;
    nlm_status status = request->json != NULL ? save_record(of, error) : NLM_OK;
    if (!status && request->html != NULL) {
        status = nlm_replay_save(of->replay, request->html, error);
        if (!status && !only_json(request))
            printf("%s: the episode, as a page for a browser\n", request->html);
    }
    return status;
}

/* The plan of a problem, which is there once its goal holds; false after an error line. */
static bool save_plan(const episode *of)
{
    const play_request *request = of->request;
    if (of->plan == NULL || request->plan == NULL)
        return true;
    if (!nlm_pddl_plan_done(of->plan)) {
        message_error("play: %s is not written: the goal of %s was not reached", request->plan,
                      request->pddl);
        return false;
    }
    if (!pddl_write_plan("play", of->plan, request->plan))
        return false;
    const int actions = nlm_pddl_plan_actions(of->plan);
    if (!only_json(request))
        printf("%s: a valid plan of %d action%s\n", request->plan, actions, plural(actions));
    return true;
}

/* The whole episode, on the screen and in the files. */
static int watch_episode(const play_request *request, nlm_agent *agent, nlm_position *position,
                         nlm_pddl_plan *plan)
{
    episode of = {.request = request, .agent = agent, .now = {.position = position}, .plan = plan};
    nlm_error error;
    make_title(request, position, of.title);
    nlm_status status = begin_files(&of, &error);
    if (!status)
        status = show_episode(&of, &error);
    int end = end_episode(request, position, status, &error);
    if (end == EXIT_SUCCESS && (!message_ok("play", save_files(&of, &error), &error) || !save_plan(&of)))
        end = EXIT_FAILURE;
    if (of.steps != NULL)
        fclose(of.steps);
    free(of.text);
    free(of.instance);
    nlm_replay_free(of.replay);
    return end;
}

/* ---- the command ---- */

/* Refuse a file that could not be written later: before the episode is played. */
static nlm_status check_file(const char *path, nlm_error *error)
{
    struct stat about;
    if (path == NULL || strcmp(path, "-") == 0)
        return NLM_OK;
    if (path[0] == '\0')
        return message_fill(error, NLM_BAD_ARGUMENT, "the episode's file needs a name");
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return message_fill(error, NLM_BAD_ARGUMENT, "%.300s: not a file that an episode can replace", path);
    return nlm_file_check(path, error);
}

static int play_machine(const play_request *request, nlm_machine *machine, const nlm_game *game)
{
    nlm_agent *agent = NULL;
    nlm_position *position = NULL;
    nlm_pddl *pddl = NULL;
    nlm_pddl_plan *plan = NULL;
    nlm_error error;
    nlm_settings at_work;
    if (!work_options_apply("play", request->model, &request->work, machine, game, &at_work))
        return EXIT_FAILURE;
    if (request->pddl != NULL && !pddl_load("play", request->pddl, request->domain, &pddl))
        return EXIT_FAILURE;
    nlm_status status = nlm_agent_new(machine, game, &request->options, &agent, &error);
    if (!status) {
        nlm_agent_use(agent, &at_work);
        status = nlm_position_new(game, &position, &error);
    }
    int end = EXIT_FAILURE;
    if (status)
        message_error("play: %s: %s", request->model, error.message);
    else
        end = begin_instance(request, pddl, position);
    const int moves = nlm_agent_moves(nlm_machine_spec(machine), game);
    if (end == EXIT_SUCCESS && moves > 0)
        nlm_position_allow(position, moves * nlm_position_objects(position));
    if (end == EXIT_SUCCESS && pddl != NULL &&
        !message_ok("play", nlm_pddl_plan_new(pddl, &plan, &error), &error))
        end = EXIT_FAILURE;
    if (end == EXIT_SUCCESS)
        end = watch_episode(request, agent, position, plan);
    nlm_pddl_plan_free(plan);
    nlm_pddl_free(pddl);
    nlm_position_free(position);
    nlm_agent_free(agent);
    return end;
}

static int play_model(const play_request *request)
{
    nlm_machine *machine;
    nlm_error error;
    task_or_game found;
    if (!pddl_may_write("play", request->plan, request->force) ||
        !message_ok("play", check_file(request->json, &error), &error) ||
        !message_ok("play", check_file(request->html, &error), &error) ||
        !message_ok("play", nlm_machine_load(request->model, &machine, &error), &error))
        return EXIT_FAILURE;
    int status = EXIT_FAILURE;
    if (nlm_machine_metadata(machine, "signature") != NULL)
        message_error(
            "play: %s was trained on facts: it has conclusions, not moves; nlm infer %s PATH prints them",
            request->model, request->model);
    else if (!find_recorded("play", request->model, machine, request->task_name, &found))
        status = EXIT_FAILURE;
    else if (found.game != NULL)
        status = play_machine(request, machine, found.game);
    else
        message_error("play: %s: a model of %s does not play; nlm test %s tests it", request->model,
                      found.task->name, request->model);
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
    } files[] = {{"MODEL", request->model},     {"--instance", request->instance}, {"--pddl", request->pddl},
                 {"--domain", request->domain}, {"--plan", request->plan},         {"--json", request->json},
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
        {"pddl", "FILE", "instance to play, a problem in PDDL", OPTION_TEXT, .value = &request.pddl},
        DOMAIN_OPTION(&request.domain),
        {"plan", "FILE", "PDDL: write the plan, one action a line", OPTION_TEXT, .value = &request.plan},
        {"force", NULL, "PDDL: the plan replaces an existing file", OPTION_FLAG, .value = &request.force},
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
    const char *file = request.instance != NULL ? "instance" : request.pddl != NULL ? "pddl" : NULL;
    const char *other = objects_given                                      ? "objects"
                        : seed_given                                       ? "seed"
                        : request.instance != NULL && request.pddl != NULL ? "pddl"
                                                                           : NULL;
    if (file != NULL && other != NULL) {
        message_error("play: --%s and --%s do not go together: the file says which instance it is", file,
                      other);
        return EXIT_USAGE;
    }
    if (request.pddl == NULL && (request.domain != NULL || request.plan != NULL || request.force)) {
        message_error("play: --%s goes with --pddl PROBLEM", request.domain != NULL ? "domain"
                                                             : request.plan != NULL ? "plan"
                                                                                    : "force");
        return EXIT_USAGE;
    }
    if (!setting_options_check("play", &request.work) || !files_are_apart(&request) ||
        (request.task_name != NULL && !task_is_game(request.task_name)) || !system_options(&request.options))
        return EXIT_USAGE;
    return play_model(&request);
}
