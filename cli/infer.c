/* nlm infer: what a model concludes from facts, written as facts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "conclude.h"
#include "engine.h"
#include "nlm/tools.h"
#include "message.h"
#include "options.h"

enum { THREADS_MOST = 1024, OPERANDS_MOST = 100000, NAME_SIZE = 1024 };

typedef struct infer_request {
    nlm_options options;
    const char *model, *images;
    double threshold;
    bool probability, all, json, csv;
    bool several; /* worlds: each conclusion tells its own */
} infer_request;

/* ---- one conclusion ---- */

/* Object number k of a fact as it is written. */
static const char *argument(const concluder *of, const nlm_predicate *predicate, const int *tuple, int k)
{
    return nlm_signature_atom(of->signature, of->world, tuple[predicate->place[k]]);
}

static void print_json(const concluder *of, const char *world, const nlm_predicate *predicate,
                       const int *tuple, double probability)
{
    fputs("{\"world\": ", stdout);
    nlm_json_text(stdout, world);
    fputs(", \"target\": ", stdout);
    nlm_json_text(stdout, predicate->name);
    fputs(", \"arguments\": [", stdout);
    for (int k = 0; k < predicate->arity; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        nlm_json_text(stdout, argument(of, predicate, tuple, k));
    }
    printf("], \"probability\": %.6g}\n", probability);
}

/* A cell of a table, in quotes where it needs them. */
static void print_cell(const char *text)
{
    const size_t length = strlen(text);
    const bool spaced = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (text[strcspn(text, ",\"\r\n")] == '\0' && !spaced) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static int widest_target(const nlm_signature *signature)
{
    int widest = 0;
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        if (nlm_signature_target(signature, t)->arity > widest)
            widest = nlm_signature_target(signature, t)->arity;
    }
    return widest;
}

static void print_csv_heading(const infer_request *request, const nlm_signature *signature)
{
    printf(request->several ? "world,target" : "target");
    for (int k = 0; k < widest_target(signature); k++)
        printf(",argument_%d", k + 1);
    puts(request->probability ? ",probability" : "");
}

static void print_csv(const infer_request *request, const concluder *of, const char *world,
                      const nlm_predicate *predicate, const int *tuple, double probability)
{
    if (request->several) {
        print_cell(world);
        putchar(',');
    }
    print_cell(predicate->name);
    for (int k = 0; k < widest_target(of->signature); k++) {
        putchar(',');
        if (k < predicate->arity)
            print_cell(argument(of, predicate, tuple, k));
    }
    if (request->probability)
        printf(",%.6g", probability);
    putchar('\n');
}

static void print_conclusion(const infer_request *request, concluder *of, const char *world, int target,
                             const int *tuple, double probability)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    if (request->json)
        print_json(of, world, predicate, tuple, probability);
    else if (request->csv)
        print_csv(request, of, world, predicate, tuple, probability);
    else if (request->probability)
        printf("%.3f::%s.\n", probability, concluder_fact(of, target, tuple));
    else
        printf("%s.\n", concluder_fact(of, target, tuple));
}

/* ---- all of them ---- */

/* A probability is above the threshold where the logit is above this. */
static double least_logit(const infer_request *request)
{
    return request->all ? -INFINITY : log(request->threshold / (1 - request->threshold));
}

static bool infer_target(const infer_request *request, concluder *of, const char *world, int target)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    const int objects = nlm_world_objects(of->world);
    const double least = least_logit(request);
    const float *logits;
    if (!concluder_logits(of, target, &logits))
        return false;
    const size_t tuples = tuple_count(objects, predicate->objects);
    for (size_t t = 0; t < tuples; t++) {
        int tuple[NLM_MAX_FACT_ARITY];
        if ((double)logits[t] > least && tuple_at(objects, predicate->objects, t, tuple) &&
            nlm_signature_fits(of->signature, predicate, of->world, tuple))
            print_conclusion(request, of, world, target, tuple, probability_of(logits[t]));
    }
    return true;
}

/* A line of comment, whatever the name is. */
static void print_comment(const char *name)
{
    fputs("% ", stdout);
    for (; *name != '\0'; name++)
        putchar((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name);
    putchar('\n');
}

/* The name of a world in the output, and in messages. */
static void name_world(const nlm_problem *problem, int world, const char *path, bool with_path,
                       char name[NAME_SIZE])
{
    const char *own = nlm_problem_world_name(problem, world);
    if (!with_path || *own == '\0')
        snprintf(name, NAME_SIZE, "%s", with_path ? path : own);
    else
        snprintf(name, NAME_SIZE, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", own);
}

static bool infer_world(const infer_request *request, concluder *of, const nlm_problem *problem, int world,
                        const char *name, const char *name_in_messages)
{
    if (!concluder_ask(of, problem, world, name_in_messages))
        return false;
    if (request->several && !request->json && !request->csv)
        print_comment(name);
    for (int target = 0; target < nlm_signature_targets(of->signature); target++) {
        if (!infer_target(request, of, name, target))
            return false;
    }
    return true;
}

/* One of `paths`, the first of which brings the heading of a table. */
static bool infer_path(infer_request *request, concluder *of, const char *path, bool first, bool only)
{
    nlm_problem *problem;
    bool good = true;
    if (!concluder_load(of, path, &problem))
        return false;
    const int worlds = nlm_problem_worlds(problem);
    request->several = !only || worlds > 1;
    if (request->csv && first)
        print_csv_heading(request, of->signature);
    for (int w = 0; w < worlds && good; w++) {
        char name[NAME_SIZE], in_messages[NAME_SIZE];
        name_world(problem, w, path, !only, name);
        name_world(problem, w, path, true, in_messages);
        good = infer_world(request, of, problem, w, name, in_messages);
    }
    nlm_problem_free(problem);
    fflush(stdout); /* before messages about the next */
    return good;
}

/* ---- the command ---- */

static bool makes_sense(const infer_request *request, bool threshold_given)
{
    const char *what = NULL;
    if (request->json && request->csv)
        what = "--json and --csv do not go together";
    else if (request->all && threshold_given)
        what = "--all and --threshold do not go together: every tuple is printed";
    if (what != NULL)
        message_error("infer: %s", what);
    return what == NULL;
}

int command_infer(int argc, char **argv)
{
    infer_request request = {.options = {.threads = engine_processors()}, .threshold = 0.5};
    bool threshold_given = false;
    const option_row rows[] = {
        {"images", "DIR", "images of the objects, OBJECT.pgm or .png, for models with a sense", OPTION_TEXT,
         .value = &request.images},
        {"probability", NULL, "print probabilities: 0.998::uncle(a, b).", OPTION_FLAG,
         .value = &request.probability},
        {"threshold", "P", "least probability of a conclusion (0.5)", OPTION_REAL, &request.threshold,
         .least = 0, .most = 1, .given = &threshold_given},
        {"all", NULL, "print every tuple with its probability", OPTION_FLAG, .value = &request.all},
        {"json", NULL, "print JSON, one object per line", OPTION_FLAG, .value = &request.json},
        {"csv", NULL, "comma-separated values", OPTION_FLAG, .value = &request.csv},
        {"threads", "N", "number of threads (one per processor)", OPTION_INT, &request.options.threads,
         .least = 1, .most = THREADS_MOST},
    };
    const command_usage usage = {
        "infer",
        "MODEL PATH...",
        "Prints the conclusions of a trained model from facts, as facts in the same syntax.  PATH is a file\n"
        "of facts, a folder (docs/formats.md), or - for standard input; with several worlds, a comment line\n"
        "names each.  The model's predicates are found by name and number of arguments.",
        rows,
        sizeof rows / sizeof rows[0],
        2,
        OPERANDS_MOST};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first++];
    request.probability |= request.all;
    if (!makes_sense(&request, threshold_given) || !engine_from_environment(&request.options))
        return EXIT_USAGE;
    concluder of;
    bool good = concluder_begin(&of, "infer", request.model, request.images, &request.options);
    for (int i = first; i < argc && good; i++)
        good = infer_path(&request, &of, argv[i], i == first, argc - first == 1);
    concluder_end(&of);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
