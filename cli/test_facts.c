/* nlm test on facts of one's own: what a model concludes against the labels that the files have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "read_facts.h"
#include "test.h"

enum { NAME_SIZE = 1024, PREDICATE_SIZE = 256 };

/* ---- wrong answers ---- */

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
        fputs("{\"world\": ", stdout);
        nlm_json_text(stdout, printer->world);
        fputs(", \"fact\": ", stdout);
        nlm_json_text(stdout, wrong->text);
        printf(", \"label\": %s, \"probability\": %.6g}\n", is_true ? "true" : "false", wrong->probability);
        return NLM_OK;
    }
    printf("%s.  %% ", wrong->text);
    for (const char *world = printer->world; *world != '\0'; world++)
        printf("%c%s", (unsigned char)*world < ' ' ? '?' : *world, world[1] == '\0' ? ": " : "");
    printf("is %s, concluded %s with %.2f\n", is_true ? "true" : "false", is_true ? "false" : "true",
           wrong->probability);
    return NLM_OK;
}

/* ---- output ---- */

static const char *share_text(double of, char text[NLM_NUMBER_TEXT])
{
    return of < 0 ? strcpy(text, "-") : nlm_percent_text(of, text);
}

static void print_row(const char *name, int width, const nlm_agreement *of)
{
    char numbers[2][NLM_NUMBER_TEXT], shares[3][NLM_NUMBER_TEXT];
    printf("%-*s %12s %8s %10s %10s %10s\n", width, name, nlm_count_text(of->tuples, numbers[0]),
           nlm_count_text(of->wrong, numbers[1]), share_text(nlm_agreement_accuracy(of), shares[0]),
           share_text(nlm_agreement_precision(of), shares[1]),
           share_text(nlm_agreement_recall(of), shares[2]));
}

static void print_share(const char *name, double of)
{
    if (of < 0)
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %.15g", name, of);
}

static void print_json(const nlm_predicate *predicate, int worlds, const nlm_agreement *of)
{
    char name[PREDICATE_SIZE];
    nlm_predicate_text(predicate, name, sizeof name);
    fputs("{\"target\": ", stdout);
    nlm_json_text(stdout, name);
    printf(", \"worlds\": %d, \"tuples\": %zu, \"wrong\": %zu", worlds, of->tuples, of->wrong);
    print_share("accuracy", nlm_agreement_accuracy(of));
    print_share("precision", nlm_agreement_precision(of));
    print_share("recall", nlm_agreement_recall(of));
    puts("}");
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
    printf("%s%s on %s, %d world%s\n\n", request->show_errors ? "\n" : "", request->model,
           problem_title(request->facts), worlds, plural(worlds));
    printf("%-*s %12s %8s %10s %10s %10s\n", width, "target", "tuples", "wrong", "accuracy", "precision",
           "recall");
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name);
        print_row(name, width, &sums[t]);
        all.tuples += sums[t].tuples;
        all.wrong += sums[t].wrong;
        all.positives += sums[t].positives;
        all.concluded += sums[t].concluded;
        all.both += sums[t].both;
    }
    if (nlm_signature_targets(signature) > 1)
        print_row("all", width, &all);
}

/* ---- the test ---- */

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
        print_json(nlm_signature_target(signature, t), worlds, &sums[t]);
    return true;
}

int test_facts(const test_request *request)
{
    nlm_machine *machine;
    nlm_inference *inference;
    nlm_problem *problem;
    if (!inference_begin("test", request->model, request->images, &request->options, &machine, &inference))
        return EXIT_FAILURE;
    bool good = inference_load("test", inference, request->facts, &problem);
    if (good) {
        good = test_problem(request, inference, problem);
        nlm_problem_free(problem);
    }
    nlm_inference_free(inference);
    nlm_machine_free(machine);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
