/* nlm test on facts: one row per target, and the answers that are wrong. */
#include "test_facts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"
#include "read_facts.h"

enum { NAME_SIZE = 1024, PREDICATE_SIZE = 256 };

typedef struct error_printer {
    bool json;
    const char *world;
} error_printer;

static nlm_status print_error(void *context, const nlm_conclusion *wrong, nlm_error *error)
{
    (void)error;
    const error_printer *printer = context;
    const bool is_true = wrong->label == NLM_TRUE;
    if (printer->json) {
        json_print(stdout, "{\"world\": %s, \"fact\": %s, \"label\": %i, \"probability\": %.6g}\n",
                   printer->world, wrong->text, is_true, wrong->probability);
        return NLM_OK;
    }
    printf("%s.  %% ", wrong->text);
    for (const char *world = printer->world; *world != '\0'; world++)
        printf("%c%s", (unsigned char)*world < ' ' ? '?' : *world, world[1] == '\0' ? ": " : "");
    printf("is %s, concluded %s with %.2f\n", is_true ? "true" : "false", is_true ? "false" : "true",
           wrong->probability);
    return NLM_OK;
}

/* Below 0 there is none: "-" for people, null as JSON. */
static const char *share_text(double share)
{
    return share < 0 ? "-" : text_of_percent(share);
}

static double share_or_nan(double share)
{
    return share < 0 ? NAN : share;
}

static void print_target(const char *name, int width, const nlm_agreement *of)
{
    printf("%-*s %12s %8s %10s %10s %10s\n", width, name, text_of_count(of->tuples), text_of_count(of->wrong),
           share_text(nlm_agreement_accuracy(of)), share_text(nlm_agreement_precision(of)),
           share_text(nlm_agreement_recall(of)));
}

static void print_target_json(const test_request *request, const nlm_predicate *predicate, int worlds,
                              const nlm_agreement *of)
{
    char name[PREDICATE_SIZE];
    nlm_predicate_text(predicate, name, sizeof name);
    json_print(stdout,
               "{\"target\": %s, \"worlds\": %d, \"tuples\": %zu, \"wrong\": %zu, \"accuracy\": %.15g, "
               "\"precision\": %.15g, \"recall\": %.15g",
               name, worlds, of->tuples, of->wrong, share_or_nan(nlm_agreement_accuracy(of)),
               share_or_nan(nlm_agreement_precision(of)), share_or_nan(nlm_agreement_recall(of)));
    test_end_json(request);
}

static void print_table(const test_request *request, const nlm_signature *signature, int worlds,
                        const nlm_agreement *sums)
{
    nlm_agreement all = {0};
    int width = (int)strlen("target");
    char name[PREDICATE_SIZE];
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name);
        width = (int)fmax(width, (double)strlen(name));
    }
    printf("%s%s on %s, %d world%s\n", request->show_errors ? "\n" : "", request->model,
           problem_title(request->facts), worlds, plural(worlds));
    printf(request->has_program ? "%s\n\n" : "\n", request->proof);
    printf("%-*s %12s %8s %10s %10s %10s\n", width, "target", "tuples", "wrong", "accuracy", "precision",
           "recall");
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name);
        print_target(name, width, &sums[t]);
        all.tuples += sums[t].tuples;
        all.wrong += sums[t].wrong;
        all.positives += sums[t].positives;
        all.concluded += sums[t].concluded;
        all.both += sums[t].both;
    }
    if (nlm_signature_targets(signature) > 1)
        print_target("all", width, &all);
}

static bool test_world(const test_request *request, nlm_inference *inference, const nlm_problem *problem,
                       int world, nlm_agreement *sums)
{
    nlm_error error;
    char title[NAME_SIZE];
    error_printer printer = {request->json, nlm_problem_world_name(problem, world)};
    snprintf(title, sizeof title, "%s%s%s", problem_title(request->facts), *printer.world != '\0' ? ", " : "",
             printer.world);
    if (!inference_ask("test", inference, problem, world, title))
        return false;
    if (nlm_inference_compare(inference, sums, request->show_errors ? print_error : NULL, &printer, &error) ==
        NLM_OK)
        return true;
    message_error("test: %s: %s", title, error.message);
    return false;
}

static bool test_problem(const test_request *request, nlm_inference *inference, const nlm_problem *problem)
{
    nlm_agreement sums[NLM_MAX_HEADS] = {0};
    const nlm_signature *signature = nlm_inference_signature(inference);
    const int worlds = nlm_problem_worlds(problem);
    if (!nlm_problem_labelled(problem)) {
        message_error("test: %s has no labels to compare with; 'nlm infer %s %s' prints what the model "
                      "concludes",
                      problem_title(request->facts), request->model, request->facts);
        return false;
    }
    for (int w = 0; w < worlds; w++) {
        if (!test_world(request, inference, problem, w, sums))
            return false;
    }
    if (!request->json)
        print_table(request, signature, worlds, sums);
    for (int t = 0; t < nlm_signature_targets(signature) && request->json; t++)
        print_target_json(request, nlm_signature_target(signature, t), worlds, &sums[t]);
    return true;
}

int test_facts(test_request *request)
{
    nlm_inference *inference;
    nlm_problem *problem;
    const nlm_inference_options as = {.options = request->options, .images = request->images};
    if (!inference_begin("test", request->model, &as, &request->machine, &inference))
        return EXIT_FAILURE;
    bool good = test_find_proof(request) &&
                inference_load("test", inference, request->facts, request->worlds_by, NULL, &problem);
    if (good) {
        good = test_problem(request, inference, problem);
        nlm_problem_free(problem);
    }
    nlm_inference_free(inference);
    nlm_machine_free(request->machine);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
