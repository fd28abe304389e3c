/* How well models know what they were never shown: nlm-coverage [--worlds N] [--objects N] MODEL...
 *
 * Models of tasks are asked about worlds of the paper's kind and about rich ones; the task's oracle says
 * which answers are wrong.  A line for each model and kind: wrong conclusions and how many of them are beyond
 * the examples, the same of what is wrongly not concluded, and right answers beyond the examples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nlm/nlm.h"

typedef struct tally {
    size_t count[2][2], beyond[2][2]; /* [right][concluded] */
} tally;

typedef struct hearing {
    const signed char *labels;
    int objects, arity;
    tally *sum;
} hearing;

static nlm_status hear(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    hearing *to = context;
    size_t number = 0;
    (void)error;
    for (int i = 0; i < to->arity; i++)
        number = number * (size_t)to->objects + (size_t)conclusion->tuple[i];
    const bool concluded = conclusion->probability > 0.5;
    const bool right = concluded == (to->labels[number] == NLM_TRUE);
    if (conclusion->target != 0 || to->labels[number] == NLM_UNLABELLED)
        return NLM_OK;
    to->sum->count[right][concluded]++;
    to->sum->beyond[right][concluded] += conclusion->coverage == NLM_BEYOND;
    return NLM_OK;
}

/* Worlds from here on are those of tests. */
static nlm_status ask(nlm_inference *inference, const nlm_task *task, nlm_world_kind kind, int objects,
                      int worlds, tally *sum, nlm_error *error)
{
    nlm_world *world = NULL;
    signed char *labels = malloc((size_t)objects * (size_t)objects + 1);
    nlm_status status = labels ? nlm_world_new(&world, error) : NLM_NO_MEMORY;
    for (int w = 0; w < worlds && status == NLM_OK; w++) {
        status = nlm_task_generate(task, kind, 1, NLM_TEST_WORLDS + (uint64_t)w, objects, world, error);
        if (status != NLM_OK)
            break;
        hearing to = {labels, objects, nlm_world_target_arity(world, 0), sum};
        nlm_world_all_labels(world, 0, labels);
        status = nlm_inference_ask(inference, world, "", "world", error);
        if (status == NLM_OK)
            status = nlm_inference_conclude(inference, -1, hear, &to, error);
    }
    nlm_world_free(world);
    free(labels);
    return status;
}

static void print(const char *model, nlm_world_kind kind, const tally *sum)
{
    const size_t right = sum->count[1][0] + sum->count[1][1];
    printf("%-32s %-5s  %7zu %7zu   %7zu %7zu   %9zu %8zu %6.2f %%  %9zu %8zu %6.2f %%\n", model,
           nlm_world_kind_name(kind), sum->count[0][1], sum->beyond[0][1], sum->count[0][0],
           sum->beyond[0][0], sum->count[1][1], sum->beyond[1][1],
           sum->count[1][1] ? 100.0 * (double)sum->beyond[1][1] / (double)sum->count[1][1] : 0, right,
           sum->beyond[1][0] + sum->beyond[1][1],
           right ? 100.0 * (double)(sum->beyond[1][0] + sum->beyond[1][1]) / (double)right : 0);
    fflush(stdout);
}

static nlm_status measure(const char *model, int objects, int worlds, nlm_error *error)
{
    nlm_machine *machine = NULL;
    nlm_inference *inference = NULL;
    nlm_settings settings;
    const nlm_inference_options options = {.coverage = true};
    nlm_status status = nlm_machine_load(model, &machine, error);
    if (status == NLM_OK)
        status = nlm_settings_of_machine(machine, model, &settings, error);
    if (status == NLM_OK && settings.task)
        status = nlm_inference_new(machine, model, &options, &inference, error);
    const bool known = status == NLM_OK && nlm_inference_coverage(inference) != NLM_COVERAGE_NONE;
    if (status == NLM_OK && !known)
        printf("%-32s does not keep what its examples had\n", model);
    for (int kind = 0; kind < NLM_WORLD_KINDS && status == NLM_OK && known; kind++) {
        tally sum = {0};
        status = ask(inference, settings.task, (nlm_world_kind)kind, objects ? objects : settings.objects,
                     worlds, &sum, error);
        if (status == NLM_OK)
            print(model, (nlm_world_kind)kind, &sum);
    }
    nlm_inference_free(inference);
    nlm_machine_free(machine);
    return status;
}

int main(int argc, char **argv)
{
    int objects = 0, worlds = 1000, status = EXIT_SUCCESS;
    printf("%-32s %-5s  %15s   %15s   %28s  %28s\n", "", "", "wrong, true", "wrong, false", "right, true",
           "right");
    printf("%-32s %-5s  %7s %7s   %7s %7s   %9s %8s %8s  %9s %8s\n", "model", "kind", "all", "beyond", "all",
           "beyond", "all", "beyond", "", "all", "beyond");
    for (int i = 1; i < argc; i++) {
        nlm_error error;
        if (strcmp(argv[i], "--worlds") == 0 && i + 1 < argc)
            worlds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--objects") == 0 && i + 1 < argc)
            objects = atoi(argv[++i]);
        else if (measure(argv[i], objects, worlds, &error) != NLM_OK) {
            fprintf(stderr, "%s\n", error.message);
            status = EXIT_FAILURE;
        }
    }
    return status;
}
