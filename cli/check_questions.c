#include "check_questions.h"
#include <stdio.h>
#include "doubts.h"
#include "message.h"
#include "read_facts.h"

enum { QUESTIONS = 10, TITLE_SIZE = 1024 }; /* of a world */

typedef struct listing {
    const char *path, *world;
    bool json, several;
    int count, in_world;
} listing;

static nlm_status print_question(void *context, const nlm_question *question, nlm_error *error)
{
    listing *to = context;
    const char *words = question->other->words;
    (void)error;
    if (to->json) {
        json_print(stdout, to->count > 0 ? ", {\"world\": %s, \"atom\": %s" : "{\"world\": %s, \"atom\": %s",
                   to->world, question->text);
        json_print(stdout,
                   ", \"answer\": %i, \"alternatives\": %d, \"otherwise\": %d, \"no_example_had\": %s}",
                   question->concluded, question->alternatives, question->others, words);
    } else {
        if (to->several && to->in_world == 0)
            printf("%% %s\n", to->world);
        printf("%s  is %s for the model, and %s for %d of %d other programs", question->text,
               question->concluded ? "true" : "false", question->concluded ? "false" : "true",
               question->others, question->alternatives);
        printf(*words ? "; no example had %s\n" : "\n", words);
    }
    to->count++;
    to->in_world++;
    return NLM_OK;
}

static bool ask_world(nlm_inference *inference, const nlm_problem *problem, int world, listing *to)
{
    char title[TITLE_SIZE];
    nlm_error error;
    to->world = nlm_problem_world_name(problem, world);
    to->in_world = 0;
    snprintf(title, sizeof title, "%s%s%s", to->path, *to->world != '\0' ? "/" : "", to->world);
    return inference_ask("check", inference, problem, world, title) &&
           message_ok("check", nlm_inference_questions(inference, QUESTIONS, print_question, to, &error),
                      &error);
}

static bool ask_all(nlm_inference *inference, const nlm_problem *problem, const char *model, listing *to)
{
    bool good = true;
    if (to->json)
        fputs("\"questions\": [", stdout);
    for (int w = 0; w < nlm_problem_worlds(problem) && good; w++)
        good = ask_world(inference, problem, w, to);
    if (to->json)
        fputs("]", stdout);
    else if (good && to->count == 0)
        printf("%s: no atom of these facts would tell %s from another program\n", to->path, model);
    return good;
}

/* Labels that look wrong, if there are labels; then the questions.  A program that contradicts labels has no
 * others that agree with them. */
static bool print_all(nlm_machine *machine, nlm_inference *inference, const nlm_problem *problem,
                      const char *model, const nlm_options *options, listing *to)
{
    const bool labelled = nlm_problem_labelled(problem), noisy = nlm_contradicted_labels(machine) >= 0;
    const bool asks = nlm_inference_alternatives(inference) != NULL && !noisy;
    bool good = labelled || asks;
    if (!good)
        message_error("check: %s: what the examples of the model leave open is not known: it has no "
                      "alternatives (nlm train and nlm rules --find look for them)",
                      model);
    if (good && to->json)
        json_print(stdout, "{\"path\": %s, \"model\": %s, ", to->path, model);
    if (good && labelled)
        good = doubts_print_all(machine, model, problem, options, to->json);
    if (good && labelled && asks && to->json)
        fputs(", ", stdout);
    if (good && asks)
        good = ask_all(inference, problem, model, to);
    if (good && to->json)
        puts("}");
    return good;
}

bool check_questions(const char *path, const char *model, const nlm_options *options, bool json)
{
    const nlm_inference_options as = {.options = *options, .coverage = true};
    nlm_machine *machine;
    nlm_inference *inference;
    nlm_problem *problem;
    if (!inference_begin("check", model, &as, &machine, &inference))
        return false;
    bool good = inference_load("check", inference, path, NULL, NULL, &problem);
    if (good) {
        listing to = {.path = problem_title(path), .json = json, .several = nlm_problem_worlds(problem) > 1};
        good = print_all(machine, inference, problem, model, options, &to);
        nlm_problem_free(problem);
    }
    nlm_inference_free(inference);
    nlm_machine_free(machine);
    return good;
}
