/* nlm bench MODEL: a program as a machine, and the trained machine that it was made of, on the same worlds in
 * one run. */
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "find_task.h"
#include "message.h"

enum { WORLDS = 10, SEED = 1 };

/* One of the two. */
typedef struct side {
    nlm_machine *machine;
    nlm_evaluator *evaluator;
    nlm_world *const *worlds;
    float *logits; /* of all tuples of a world */
    double ms;
} side;

static nlm_status infer_step(void *context, int step, nlm_error *error)
{
    const side *of = context;
    nlm_evaluator_clear(of->evaluator);
    nlm_status status = nlm_evaluator_add(of->evaluator, of->worlds[step], error);
    if (status == NLM_OK)
        status = nlm_evaluator_run(of->evaluator, false, error);
    return status == NLM_OK ? nlm_pass_logits(nlm_evaluator_pass(of->evaluator), 0, 0, of->logits, error)
                            : status;
}

static nlm_status measure_side(const bench_request *request, const nlm_task *task, int objects, side *of,
                               nlm_error *error)
{
    size_t tuples = 1;
    double inner, share;
    for (int k = 0; k < task->arity; k++)
        tuples *= (size_t)objects;
    of->logits = malloc(tuples * sizeof *of->logits);
    if (of->logits == NULL)
        return message_fill(error, NLM_NO_MEMORY, "out of memory");
    nlm_status status = nlm_evaluator_new(of->machine, &request->options, &of->evaluator, error);
    if (status == NLM_OK)
        status = time_cycles(infer_step, of, WORLDS, request->seconds, &inner, &of->ms, &share, error);
    nlm_evaluator_free(of->evaluator);
    free(of->logits);
    return status;
}

static void print_sides(const bench_request *request, int objects, const side *program, const side *trained)
{
    const double ratio = program->ms / trained->ms;
    if (request->json)
        json_print(stdout,
                   "{\"name\": %s, \"threads\": %d, \"infer_objects\": %d, \"program_ms\": %.5f, "
                   "\"trained_ms\": %.5f, \"ratio\": %.4f}\n",
                   request->model, request->options.threads, objects, program->ms, trained->ms, ratio);
    else
        printf("inference, %d thread%s\n\n%-24s %8s %12s %12s %8s\n%-24s %8d %9.3f ms %9.3f ms %8.3f\n",
               request->options.threads, plural(request->options.threads), "model", "objects", "program",
               "trained", "ratio", request->model, objects, program->ms, trained->ms, ratio);
}

static nlm_status measure_both(const bench_request *request, const nlm_task *task, side *program,
                               side *trained, nlm_error *error)
{
    nlm_world *worlds[WORLDS] = {NULL};
    const int objects = request->objects > 0 ? request->objects : task->test_objects;
    nlm_status status = NLM_OK;
    for (int i = 0; i < WORLDS && status == NLM_OK; i++) {
        status = nlm_world_new(&worlds[i], error);
        if (status == NLM_OK)
            status = nlm_task_generate(task, NLM_WORLDS_PAPER, SEED, NLM_TEST_WORLDS + (uint64_t)i, objects,
                                       worlds[i], error);
    }
    program->worlds = trained->worlds = worlds;
    if (status == NLM_OK)
        status = measure_side(request, task, objects, program, error);
    if (status == NLM_OK)
        status = measure_side(request, task, objects, trained, error);
    if (status == NLM_OK)
        print_sides(request, objects, program, trained);
    for (int i = 0; i < WORLDS; i++)
        nlm_world_free(worlds[i]);
    return status;
}

bool bench_program(const bench_request *request)
{
    side program = {0}, trained = {0};
    task_or_game what = {0};
    nlm_error error;
    if (!message_ok("bench", nlm_machine_load(request->model, &program.machine, &error), &error))
        return false;
    bool good = message_ok(
        "bench", nlm_machine_trained(program.machine, request->model, &trained.machine, &error), &error);
    if (good && nlm_machine_metadata(program.machine, "task") == NULL) {
        message_error("bench: %s: worlds to measure on are those of a task, and it was trained on facts",
                      request->model);
        good = false;
    }
    good = good && find_recorded("bench", request->model, program.machine, NULL, &what);
    if (good && what.task == NULL) {
        message_error("bench: %s: worlds to measure on are those of a task, and it plays %s", request->model,
                      what.game->name);
        good = false;
    }
    good = good && message_ok("bench", measure_both(request, what.task, &program, &trained, &error), &error);
    nlm_machine_free(program.machine);
    nlm_machine_free(trained.machine);
    return good;
}
