/* nlm bench: the speed of the library on this machine, for the machines of the paper.
 *
 * Each machine is measured in a process of its own, so that its peak memory is its own; the process is
 * started before any thread exists and sends its result through a pipe. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"
#include "commands.h"
#include "system.h"
#include "bench_measure.h"
#include "message.h"
#include "options.h"

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

/* ---- one machine in a process of its own ---- */

/* In the child: measure, send the result, end. */
static _Noreturn void measure_and_exit(const measure_machine *machine, const bench_request *request,
                                       int pipe_end)
{
    measure_result result;
    nlm_error error;
    if (measure_run(machine, &request->options, request->seconds, &result, &error) != NLM_OK) {
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
    printf("batch of %d worlds, %d thread%s\n\n", MEASURE_BATCH, request->options.threads,
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
            machine->name, request->options.threads, MEASURE_BATCH, machine->train_objects, result->train_ms,
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
    if (request->json && request->summary) {
        message_error("bench: --json and --summary do not go together");
        return false;
    }
    if (request->moves && request->summary) {
        message_error("bench: --moves and --summary do not go together");
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
    "image per object, 40 images in a training step: digits.";

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
    const command_usage usage = {"bench", "", help, rows, sizeof rows / sizeof rows[0], 0, 0};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (!request_makes_sense(&request) || !system_options(&request.options))
        return EXIT_USAGE;
    if (request.moves)
        return bench_moves(&request) ? EXIT_SUCCESS : EXIT_FAILURE;
    return bench_all(&request);
}
