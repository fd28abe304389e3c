/* nlm bench: the speed of the library on this machine, for the machines of the paper.
 *
 *     training step   ground 4 worlds, structure, forward, loss, backward, Adam
 *     inference       ground 1 world, structure, forward, logits of all tuples
 *     one move        of an agent, from the position to the probabilities of all moves
 *
 * No hidden layer, one head with one output.  Worlds and positions are made beforehand; their structure is
 * computed anew in every step.  They differ in cost, so whole cycles over all of them are timed, and a step's
 * time is the mean over the best cycle.
 *
 * Each machine is measured in a process of its own, so that its peak memory is its own; the process is
 * started before any thread exists and sends its result through a pipe. */
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"
#include "commands.h"
#include "system.h"
#include "message.h"
#include "options.h"

enum {
    BATCH = 4,
    WORLDS = 100,     /* enough that their mean is that of the task */
    RANDOM_CYCLE = 4, /* inferences timed together if all worlds cost the same */
    POSITIONS = 20,
    CYCLES_LEAST = 3,
    SEED = 1,
};

typedef struct measure_machine {
    const char *name;
    const char *task; /* whose worlds; NULL: of random real numbers, in which no two tuples are alike */
    int depth, breadth;
    bool residual;
    int inputs[NLM_MAX_BREADTH + 1];
    int arity; /* of the output */
    int train_objects, infer_objects;
    int width;
    const char *sense;
} measure_machine;

static const measure_machine machines[] = {
    {"family_unary", "has-father", 4, 3, false, {0, 0, 4}, 1, 20, 100, 8, NULL},
    {"family_binary", "grandparent", 4, 3, false, {0, 0, 4}, 2, 20, 100, 8, NULL},
    {"adjacent", "adjacent-to-red", 4, 3, false, {0, 4, 1}, 1, 10, 50, 8, NULL},
    {"connect4", "4-connectivity", 4, 3, false, {0, 0, 1}, 2, 10, 50, 8, NULL},
    {"connect6", "6-connectivity", 8, 3, true, {0, 0, 1}, 2, 10, 50, 8, NULL},
    {"outdegree1", "1-outdegree", 4, 3, false, {0, 0, 1}, 1, 10, 50, 8, NULL},
    {"outdegree2", "2-outdegree", 5, 4, true, {0, 0, 1}, 1, 10, 20, 8, NULL},
    {"dense", NULL, 4, 3, false, {0, 0, 4}, 2, 20, 100, 8, NULL},
    {"digits", "adjacent-to-zero", 2, 2, true, {0, 10, 1}, 1, 10, 50, 16, "lenet"},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

typedef struct measure_result {
    double train_ms;        /* one step */
    double structure_share; /* the part of it that the structure takes, 0..1 */
    double infer_ms;
    double max_rss_mb; /* of the process, so measure one machine per process */
} measure_result;

/* ---- timing ---- */

nlm_status time_cycles(step_function step, void *context, int steps, double seconds, double *inner,
                       double *ms, double *share, nlm_error *error)
{
    double least = DBL_MAX, end = 0;
    nlm_status status = NLM_OK;
    for (int cycle = -1; !status && (cycle < CYCLES_LEAST || nlm_clock() < end); cycle++) {
        const double start = nlm_clock();
        *inner = 0;
        for (int i = 0; !status && i < steps; i++)
            status = step(context, i, error);
        const double elapsed = nlm_clock() - start;
        if (cycle < 0) { /* memory grows to the sizes met */
            end = nlm_clock() + seconds;
        } else if (elapsed < least) {
            least = elapsed;
            *ms = 1e3 * elapsed / steps;
            *share = *inner / elapsed;
        }
    }
    return status;
}

/* ---- worlds ---- */

/* All that a step needs.  Every part is used again from step to step. */
struct rig {
    const measure_machine *about;
    const nlm_options *options;
    nlm_world *worlds[WORLDS];
    int world_count;
    nlm_machine *machine;
    nlm_optimizer *adam;
    nlm_evaluator *evaluator;
    float *logits;
    double structure_seconds; /* spent in nlm_evaluator_prepare since it was last set to 0 */
};

/* All pairs of a predicate get a random value. */
static nlm_status add_random_facts(nlm_world *world, int predicate, int objects, unsigned short state[3],
                                   nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int x = 0; !status && x < objects; x++) {
        for (int y = 0; !status && y < objects; y++) {
            if (x != y)
                status = nlm_world_add_fact(world, predicate, (int[]){x, y}, (float)erand48(state), error);
        }
    }
    return status;
}

/* A world of binary predicates whose values are random reals; every other pair of the target is true. */
static nlm_status random_world(const measure_machine *about, int number, int objects, nlm_world *world,
                               nlm_error *error)
{
    unsigned short state[3] = {SEED, 0, (unsigned short)number};
    nlm_status status = nlm_world_add_objects(world, "x", objects, error);
    for (int p = 0; !status && p < about->inputs[2]; p++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", p);
        status = nlm_world_add_predicate(world, name, 2, NULL, error);
        if (!status)
            status = add_random_facts(world, p, objects, state, error);
    }
    if (!status)
        status = nlm_world_add_target(world, "target", about->arity, NLM_FALSE, NULL, error);
    for (int pair = 0; !status && pair < objects * objects; pair += 2) {
        const int tuple[] = {pair / objects, pair % objects};
        if (tuple[0] != tuple[1])
            status = nlm_world_add_label(world, 0, tuple, NLM_TRUE, error);
    }
    return status;
}

static void free_worlds(struct rig *rig)
{
    for (int i = 0; i < rig->world_count; i++)
        nlm_world_free(rig->worlds[i]);
    rig->world_count = 0;
}

/* Replace the worlds by `most` new ones of that many objects. */
static nlm_status make_worlds(struct rig *rig, int objects, int most, nlm_error *error)
{
    const measure_machine *about = rig->about;
    const nlm_task *task = about->task != NULL ? nlm_task_find(about->task) : NULL;
    nlm_status status = NLM_OK;
    free_worlds(rig);
    for (int i = 0; !status && i < most; i++) {
        status = nlm_world_new(&rig->worlds[i], error);
        if (status)
            break;
        rig->world_count++;
        status = task != NULL ? nlm_task_generate(task, NLM_WORLDS_PAPER, SEED, (uint64_t)i, objects,
                                                  rig->worlds[i], error)
                              : random_world(about, i, objects, rig->worlds[i], error);
    }
    return status;
}

/* ---- steps ---- */

static nlm_status rig_new(struct rig *rig, nlm_error *error)
{
    const measure_machine *about = rig->about;
    nlm_spec spec = {.depth = about->depth,
                     .breadth = about->breadth,
                     .width = about->width,
                     .sense = about->sense,
                     .residual = about->residual,
                     .outputs = 1u << about->arity};
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        spec.inputs[r] = about->inputs[r];
    const nlm_head_spec head = {.name = "head", .arity = about->arity, .outputs = 1};
    nlm_status status = nlm_machine_new(&spec, &head, 1, &rig->machine, error);
    if (status)
        return status;
    nlm_machine_initialise(rig->machine, SEED);
    status = nlm_adam_new(rig->machine, (nlm_adam){0.005, 0.9, 0.999, 1e-8}, &rig->adam, error);
    if (!status)
        status = nlm_evaluator_new(rig->machine, rig->options, &rig->evaluator, error);
    return status;
}

static void rig_free(struct rig *rig)
{
    free(rig->logits);
    nlm_evaluator_free(rig->evaluator);
    nlm_optimizer_free(rig->adam);
    nlm_machine_free(rig->machine);
    free_worlds(rig);
}

/* Worlds `first` .. `first` + count - 1 into the batch, and its structure. */
static nlm_status take_worlds(struct rig *rig, int first, int count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    nlm_evaluator_clear(rig->evaluator);
    for (int i = first; !status && i < first + count; i++)
        status = nlm_evaluator_add(rig->evaluator, rig->worlds[i], error);
    if (status)
        return status;
    const double start = nlm_clock();
    status = nlm_evaluator_prepare(rig->evaluator, error);
    rig->structure_seconds += nlm_clock() - start;
    return status;
}

static nlm_status train_step(void *context, int step, nlm_error *error)
{
    struct rig *rig = context;
    nlm_bce_result loss;
    nlm_status status = take_worlds(rig, step * BATCH, BATCH, error);
    if (!status)
        status = nlm_evaluator_run(rig->evaluator, true, error);
    if (!status)
        status = nlm_pass_bce(nlm_evaluator_pass(rig->evaluator), 0, 0, 0, 1.0, &loss, error);
    if (!status) {
        nlm_machine_zero_gradients(rig->machine);
        status = nlm_pass_backward(nlm_evaluator_pass(rig->evaluator), error);
    }
    if (!status)
        nlm_optimizer_step(rig->adam);
    return status;
}

static nlm_status infer_step(void *context, int step, nlm_error *error)
{
    struct rig *rig = context;
    nlm_status status = take_worlds(rig, step, 1, error);
    if (!status)
        status = nlm_evaluator_run(rig->evaluator, false, error);
    if (!status)
        status = nlm_pass_logits(nlm_evaluator_pass(rig->evaluator), 0, 0, rig->logits, error);
    return status;
}

/* Time a machine, each of the two measurements for at least `seconds`. */
static nlm_status measure(const measure_machine *machine, const nlm_options *options, double seconds,
                          measure_result *result, nlm_error *error)
{
    struct rig rig = {.about = machine, .options = options};
    struct rusage usage;
    double unused;
    size_t tuples = 1;
    for (int k = 0; k < machine->arity; k++)
        tuples *= (size_t)machine->infer_objects;
    rig.logits = malloc(tuples * sizeof *rig.logits);
    nlm_status status =
        rig.logits != NULL ? rig_new(&rig, error) : message_fill(error, NLM_NO_MEMORY, "out of memory");
    if (!status)
        status = make_worlds(&rig, machine->train_objects, WORLDS, error);
    if (!status)
        status = time_cycles(train_step, &rig, WORLDS / BATCH, seconds, &rig.structure_seconds,
                             &result->train_ms, &result->structure_share, error);
    if (!status)
        status = make_worlds(&rig, machine->infer_objects, WORLDS, error);
    if (!status)
        status = time_cycles(infer_step, &rig, machine->task != NULL ? WORLDS : RANDOM_CYCLE, seconds,
                             &rig.structure_seconds, &result->infer_ms, &unused, error);
    rig_free(&rig);
    getrusage(RUSAGE_SELF, &usage);
    result->max_rss_mb = (double)usage.ru_maxrss / 1024;
    return status;
}

/* ---- summary ---- */

static void print_levels(const struct rig *rig, int worlds, int objects)
{
    printf("%s, %d world%s of %d objects\n", rig->about->name, worlds, plural(worlds), objects);
    printf("  %5s %5s %12s %12s %12s  %s\n", "layer", "arity", "tuples", "classes", "sets", "rows");
    for (int layer = 0; layer <= rig->about->depth; layer++) {
        for (int arity = 0; arity <= rig->about->breadth; arity++) {
            const nlm_structure_level level =
                nlm_structure_level_at(nlm_evaluator_structure(rig->evaluator), layer, arity);
            if (!level.live)
                continue;
            printf("  %5d %5d %12zu %12zu %12zu  %s\n", layer, arity, level.tuples, level.classes, level.sets,
                   level.streamed   ? "streamed"
                   : level.identity ? "identity"
                                    : "lifted");
        }
    }
}

/* Print the levels of the structure of a batch of training worlds, and of one world to infer from. */
static nlm_status measure_summary(const measure_machine *machine, const nlm_options *options,
                                  nlm_error *error)
{
    struct rig rig = {.about = machine, .options = options};
    nlm_status status = rig_new(&rig, error);
    if (!status)
        status = make_worlds(&rig, machine->train_objects, BATCH, error);
    if (!status)
        status = take_worlds(&rig, 0, BATCH, error);
    if (!status) {
        print_levels(&rig, BATCH, machine->train_objects);
        status = make_worlds(&rig, machine->infer_objects, 1, error);
    }
    if (!status)
        status = take_worlds(&rig, 0, 1, error);
    if (!status)
        print_levels(&rig, 1, machine->infer_objects);
    rig_free(&rig);
    return status;
}

/* ---- one move; the machines are untrained: time does not depend on the weights ---- */

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

/* Positions as tests draw them. */
typedef struct move_rig {
    nlm_agent *agent;
    nlm_position *positions[POSITIONS];
} move_rig;

static nlm_status move_step(void *context, int step, nlm_error *error)
{
    const move_rig *rig = context;
    nlm_choice choice;
    int count;
    return nlm_agent_choices(rig->agent, rig->positions[step], &choice, 1, &count, error);
}

static nlm_status time_moves(const nlm_game *game, int objects, const bench_request *request, double *ms,
                             nlm_error *error)
{
    nlm_machine *machine = NULL;
    move_rig rig = {0};
    double unused[2];
    nlm_status status = make_machine(game, &machine, error);
    if (!status)
        status = nlm_agent_new(machine, game, &request->options, &rig.agent, error);
    for (int i = 0; i < POSITIONS && !status; i++) {
        status = nlm_position_new(game, &rig.positions[i], error);
        if (!status)
            status = nlm_position_draw(rig.positions[i], SEED, (uint64_t)i, objects, true, error);
    }
    if (!status)
        status = time_cycles(move_step, &rig, POSITIONS, request->seconds, &unused[0], ms, &unused[1], error);
    for (int i = 0; i < POSITIONS; i++)
        nlm_position_free(rig.positions[i]);
    nlm_agent_free(rig.agent);
    nlm_machine_free(machine);
    return status;
}

/* False after an error line. */
static bool bench_moves(const bench_request *request)
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

/* ---- one machine in a process of its own ---- */

/* In the child: measure, send the result, end. */
static _Noreturn void measure_and_exit(const measure_machine *machine, const bench_request *request,
                                       int pipe_end)
{
    measure_result result;
    nlm_error error;
    if (measure(machine, &request->options, request->seconds, &result, &error) != NLM_OK) {
        message_error("bench: %s: %s", machine->name, error.message);
        _exit(EXIT_FAILURE);
    }
    _exit(write(pipe_end, &result, sizeof result) == (ssize_t)sizeof result ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* In the parent: wait for the child; false after an error line. */
static bool receive(const char *name, pid_t child, int pipe_end, measure_result *result)
{
    int status;
    const ssize_t received = read(pipe_end, result, sizeof *result);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status)) {
        message_error("bench: %s: the measuring process was ended by signal %d (%s)", name, WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
        return false;
    }
    if (WEXITSTATUS(status) != EXIT_SUCCESS)
        return false; /* it has said why */
    if (received != (ssize_t)sizeof *result) {
        message_error("bench: %s: the measuring process sent no result", name);
        return false;
    }
    return true;
}

static bool measure_apart(const measure_machine *machine, const bench_request *request,
                          measure_result *result)
{
    int ends[2];
    if (pipe(ends) != 0) {
        message_error("bench: cannot make a pipe: %s", strerror(errno));
        return false;
    }
    fflush(stdout); /* or the child would have a copy of what waits to be printed */
    const pid_t child = fork();
    if (child == 0)
        measure_and_exit(machine, request, ends[1]);
    const int cause = errno;
    close(ends[1]);
    if (child < 0)
        message_error("bench: cannot start a process: %s", strerror(cause));
    const bool measured = child > 0 && receive(machine->name, child, ends[0], result);
    close(ends[0]);
    return measured;
}

/* ---- output ---- */

static void print_heading(const bench_request *request)
{
    printf("batch of %d worlds, %d thread%s\n\n", BATCH, request->options.threads,
           plural(request->options.threads));
    printf("%-14s %8s %12s %10s %8s %12s %10s\n", "machine", "objects", "train step", "structure", "objects",
           "inference", "memory");
}

static void print_row(const measure_machine *machine, const bench_request *request,
                      const measure_result *result)
{
    if (request->json)
        printf(
            "{\"name\": \"%s\", \"threads\": %d, \"batch\": %d, \"objects\": %d, \"train_step_ms\": %.5f, "
            "\"infer_objects\": %d, \"infer_ms\": %.5f, \"structure_share\": %.4f, \"max_rss_mb\": %.1f}\n",
            machine->name, request->options.threads, BATCH, machine->train_objects, result->train_ms,
            machine->infer_objects, result->infer_ms, result->structure_share, result->max_rss_mb);
    else
        printf("%-14s %8d %9.3f ms %8.0f %% %8d %9.3f ms %7.0f MB\n", machine->name, machine->train_objects,
               result->train_ms, 100 * result->structure_share, machine->infer_objects, result->infer_ms,
               result->max_rss_mb);
    fflush(stdout);
}

/* What is being measured, on a terminal only; an empty name clears the line. */
static void show_progress(const char *name)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, name[0] != '\0' ? "\rmeasuring %s ..." : "\r\033[K", name);
}

/* ---- the command ---- */

static bool bench_machine(const measure_machine *machine, const bench_request *request)
{
    measure_result result;
    nlm_error error;
    if (request->summary) {
        if (measure_summary(machine, &request->options, &error) == NLM_OK)
            return true;
        message_error("bench: %s: %s", machine->name, error.message);
        return false;
    }
    show_progress(machine->name);
    const bool measured = measure_apart(machine, request, &result);
    show_progress("");
    if (measured)
        print_row(machine, request, &result);
    return measured;
}

static int bench_all(const bench_request *request)
{
    if (!request->json && !request->summary)
        print_heading(request);
    for (int i = 0; i < MACHINES; i++) {
        measure_machine machine = machines[i];
        if (request->only != NULL && strcmp(request->only, machine.name) != 0)
            continue;
        if (request->objects > 0)
            machine.infer_objects = request->objects;
        if (!bench_machine(&machine, request))
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

static bool request_makes_sense(const bench_request *request)
{
    if (request->summary && (request->json || request->moves)) {
        message_error("bench: --%s and --summary do not go together", request->json ? "json" : "moves");
        return false;
    }
    if (request->model != NULL && (request->summary || request->moves || request->only)) {
        message_error("bench: --%s does not go with a model", request->summary ? "summary"
                                                              : request->moves ? "moves"
                                                                               : "only");
        return false;
    }
    if (request->moves && nlm_game_find(request->only) != NULL)
        return true;
    for (int i = 0; request->only != NULL && !request->moves && i < MACHINES; i++) {
        if (strcmp(machines[i].name, request->only) == 0)
            return true;
    }
    if (request->only != NULL)
        message_error("bench: no %s '%s'; 'nlm bench --help' lists them", request->moves ? "game" : "machine",
                      request->only);
    return request->only == NULL;
}

static const char help[] =
    "Measures the speed of the library on this computer: a training step on 4 worlds and inference\n"
    "on one.  Machines of the paper: family_unary, family_binary, adjacent, connect4, connect6,\n"
    "outdegree1, outdegree2.  Worlds in which no two tuples are equivalent: dense.  Worlds with an\n"
    "image per object, 40 images in a training step: digits.  With MODEL, a program that was found by\n"
    "training: inference by the program, and by the machine that it was made of, on the same worlds.";

int command_bench(int argc, char **argv)
{
    bench_request request = {.options = {.threads = 1}, .seconds = 1};
    const option_row rows[] = {
        {"threads", "N", "number of threads (1)", OPTION_INT, &request.options.threads, .least = 1,
         .most = 1024},
        {"moves", NULL, "measure one move of an agent: sort, path, blocks", OPTION_FLAG,
         .value = &request.moves},
        {"only", "NAME", "measure one machine or game", OPTION_TEXT, .value = &request.only},
        {"seconds", "S", "minimum time per measurement in seconds (1)", OPTION_REAL, &request.seconds,
         .least = 0.001, .most = 3600},
        {"objects", "N", "objects in the world of the inference", OPTION_INT, &request.objects, .least = 1,
         .most = 10000},
        {"json", NULL, "print JSON, one object per line", OPTION_FLAG, .value = &request.json},
        {"summary", NULL, "count tuples and classes, measure nothing", OPTION_FLAG,
         .value = &request.summary},
    };
    const command_usage usage = {"bench", "[MODEL]", help, rows, sizeof rows / sizeof rows[0], 0, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = first < argc ? argv[first] : NULL;
    if (!request_makes_sense(&request) || !system_options(&request.options))
        return EXIT_USAGE;
    if (request.model != NULL)
        return bench_program(&request) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (request.moves)
        return bench_moves(&request) ? EXIT_SUCCESS : EXIT_FAILURE;
    return bench_all(&request);
}
