/* nlm infer: what a model concludes from facts, written as facts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "infer_coverage.h"
#include "infer_database.h"
#include "infer_table.h"
#include "infer_why.h"
#include "system.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "read_facts.h"

enum { THREADS_MOST = 1024, OPERANDS_MOST = 100000, NAME_SIZE = 1024 };

typedef struct infer_request {
    nlm_options options;
    const char *model, *images, *worlds_by;
    target_list list; /* what was asked about reading */
    double threshold;
    bool probability, all, json, csv, why;
    derivations derived; /* with --why */
    coverage_report coverage;
    progress line; /* of an engine of joins */
    bool several;  /* worlds: each conclusion tells its own */
    const nlm_signature *signature;
    const char *world; /* that is asked about, as the output names it */
} infer_request;

/* Conclusions that were printed belong before the line of progress. */
static void show_progress(void *context, const char *what, double fraction, size_t rows)
{
    infer_request *request = context;
    if (!progress_due(&request->line))
        return;
    fflush(stdout);
    progress_show(&request->line, fraction, "%s  %s", what, text_of_count(rows));
}

/* ---- one conclusion ---- */

static nlm_status print_json(const infer_request *request, const nlm_predicate *target,
                             const nlm_conclusion *conclusion, nlm_error *error)
{
    nlm_status status = NLM_OK;
    json_print(stdout, "{\"world\": %s, \"target\": %s, \"arguments\": [", request->world, target->name);
    for (int k = 0; k < target->arity; k++)
        json_print(stdout, k > 0 ? ", %s" : "%s", conclusion->arguments[k]);
    printf("], \"probability\": %.6g", conclusion->probability);
    coverage_json(&request->coverage, conclusion);
    if (request->why)
        status = derivations_json(&request->derived, conclusion, error);
    puts("}");
    return status;
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

static void print_csv_heading(const infer_request *request)
{
    printf(request->several ? "world,target" : "target");
    for (int k = 0; k < widest_target(request->signature); k++)
        printf(",argument_%d", k + 1);
    fputs(request->probability ? ",probability" : "", stdout);
    puts(request->coverage.basis != NLM_COVERAGE_NONE ? ",coverage" : "");
}

static void print_csv(const infer_request *request, const nlm_predicate *target,
                      const nlm_conclusion *conclusion)
{
    if (request->several) {
        print_cell(request->world);
        putchar(',');
    }
    print_cell(target->name);
    for (int k = 0; k < widest_target(request->signature); k++) {
        putchar(',');
        if (k < target->arity)
            print_cell(conclusion->arguments[k]);
    }
    if (request->probability)
        printf(",%.6g", conclusion->probability);
    if (request->coverage.basis != NLM_COVERAGE_NONE)
        printf(",%s", coverage_name(conclusion));
    putchar('\n');
}

static nlm_status print_conclusion(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    infer_request *request = context;
    progress_end(&request->line);
    const nlm_predicate *target = nlm_signature_target(request->signature, conclusion->target);
    if (request->json)
        return print_json(request, target, conclusion, error);
    if (request->csv)
        print_csv(request, target, conclusion);
    else if (request->probability)
        printf("%.3f::%s.%s\n", conclusion->probability, conclusion->text, coverage_comment(conclusion));
    else
        printf("%s.%s\n", conclusion->text, coverage_comment(conclusion));
    return request->why ? derivations_comment(&request->derived, conclusion, error) : NLM_OK;
}

/* ---- all of them ---- */

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

static bool infer_world(infer_request *request, nlm_inference *inference, const nlm_problem *problem,
                        int world, const char *title)
{
    nlm_error error;
    if (!inference_ask("infer", inference, problem, world, title) ||
        (request->why && !derivations_world("infer", &request->derived, nlm_problem_world(problem, world))))
        return false;
    if (request->several && !request->json && !request->csv) { /* a line of comment, whatever the name is */
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%s", request->world);
        nlm_clean_text(name);
        printf("%% %s\n", name);
    }
    if (nlm_inference_conclude(inference, request->all ? -1 : request->threshold, print_conclusion, request,
                               &error) == NLM_OK &&
        coverage_add(&request->coverage, inference, &error) == NLM_OK)
        return true;
    message_error("infer: %s: %s", title, error.message);
    return false;
}

/* A table is answered as a table, unless another form was asked for. */
static bool is_table(const infer_request *request, const nlm_problem *problem)
{
    return !request->json && !request->csv && !request->why && !request->all &&
           table_is_asked(problem, request->signature);
}

static bool infer_table(infer_request *request, nlm_inference *inference, const nlm_problem *problem,
                        const char *path)
{
    nlm_error error;
    return inference_ask("infer", inference, problem, 0, path) &&
           table_print(problem, inference, request->threshold, request->probability) &&
           message_ok("infer", coverage_add(&request->coverage, inference, &error), &error);
}

/* One of the paths, the first of which brings the heading of a table. */
static bool infer_path(infer_request *request, nlm_inference *inference, const char *path, bool first,
                       bool only)
{
    nlm_problem *problem;
    bool good = true;
    if (!inference_load("infer", inference, path, request->worlds_by, &request->list.reading, &problem))
        return false;
    const int worlds = nlm_problem_worlds(problem);
    request->several = !only || (worlds > 1 && !nlm_problem_split(problem));
    if (request->csv && first)
        print_csv_heading(request);
    const bool table = is_table(request, problem);
    if (table)
        good = infer_table(request, inference, problem, path);
    for (int w = 0; w < worlds && good && !table; w++) {
        char name[NAME_SIZE], title[NAME_SIZE];
        name_world(problem, w, path, !only, name);
        name_world(problem, w, path, true, title);
        request->world = name;
        good = infer_world(request, inference, problem, w, title);
    }
    nlm_problem_free(problem);
    fflush(stdout); /* before messages about the next */
    return good;
}

static bool infer_paths(infer_request *request, const nlm_inference_options *as, char **paths, int count)
{
    nlm_machine *machine;
    nlm_inference *inference;
    progress_begin(&request->line, "infer", false);
    if (!inference_begin("infer", request->model, as, &machine, &inference))
        return false;
    request->signature = nlm_inference_signature(inference);
    bool good = coverage_begin("infer", request->model, inference, &request->coverage) &&
                (!request->why ||
                 derivations_begin("infer", request->model, machine, request->signature, &request->derived));
    for (int i = 0; i < count && good; i++)
        good = infer_path(request, inference, paths[i], i == 0, count == 1);
    progress_end(&request->line);
    if (good)
        coverage_note(&request->coverage);
    coverage_end(&request->coverage);
    derivations_end(&request->derived);
    nlm_inference_free(inference);
    nlm_machine_free(machine);
    return good;
}

/* ---- the command ---- */

/* Options that do not go together; NULL: all do. */
static const char *what_is_wrong(const infer_request *request, bool threshold_given,
                                 const nlm_database_request *database, int engine, bool in_database)
{
    if (request->json && request->csv)
        return "--json and --csv do not go together";
    if (request->why && request->csv)
        return "--why and --csv do not go together";
    if (request->all && threshold_given)
        return "--all and --threshold do not go together: every tuple is printed";
    if (database->where != NULL && engine == 0)
        return "--database is for joins: a machine has none";
    if (!in_database && database->where != NULL && nlm_database_is_remote(database->where))
        return "the facts are in the database: no PATH";
    if (!in_database && (database->map != NULL || database->into != NULL))
        return "--map and --into are for facts in a database, with --database and without PATH";
    if (in_database &&
        (request->json || request->csv || request->why || request->probability || threshold_given))
        return "in a database conclusions become a table: nothing is printed of each";
    return NULL;
}

static const char help[] =
    "Prints the conclusions of a trained model from facts, as facts in the same syntax.  PATH is a file\n"
    "of facts, a folder (docs/formats.md), or - for standard input; with several worlds, a comment line\n"
    "names each.  The model's predicates are found by name and number of arguments.  A table with a row\n"
    "of titles is printed with the conclusions about its rows as columns added.";

int command_infer(int argc, char **argv)
{
    infer_request request = {.options = {.threads = system_processors()}, .threshold = 0.5};
    bool threshold_given = false, no_coverage = false;
    static const char *const engines[] = {"machine", "sqlite", NULL}; /* as NLM_ENGINE_MACHINE ... */
    int engine = -1;                                                  /* the cheapest */
    nlm_database_request database = {0};
    fact_lists lists = {0};
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
        {"why", NULL, "below each conclusion, as comments: how it follows from the facts", OPTION_FLAG,
         .value = &request.why},
        WORLDS_BY_OPTION(&request.worlds_by),
        COLUMNS_OPTION(&lists.columns),
        {"no-coverage", NULL, "do not look which conclusions the model's examples cover: faster", OPTION_FLAG,
         .value = &no_coverage},
        {"engine", NULL, "what computes (the cheapest, by an estimate)", OPTION_WORD, .value = &engine,
         .words = engines},
        {"database", "NAME", "file of SQLite for the facts; without PATH: where they are", OPTION_TEXT,
         .value = &database.where},
        {"map", "LIST", "tables of a database, as father=people(id,father_id)", OPTION_TEXT,
         .value = &database.map},
        {"into", "TABLE", "table for the conclusions in a database (the target's name)", OPTION_TEXT,
         .value = &database.into},
        {"threads", "N", "number of threads (one per processor)", OPTION_INT, &request.options.threads,
         .least = 1, .most = THREADS_MOST},
    };
    const command_usage usage = {"infer", "MODEL [PATH...]", help, rows, sizeof rows / sizeof rows[0],
                                 1,       OPERANDS_MOST};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.model = argv[first++];
    request.probability |= request.all;
    const bool in_database = first == argc && database.where != NULL;
    const char *wrong = what_is_wrong(&request, threshold_given, &database, engine, in_database);
    if (first == argc && !in_database)
        wrong = "missing argument 'PATH...'; see 'nlm infer --help'";
    if (wrong != NULL)
        message_error("infer: %s", wrong);
    if (wrong != NULL || !target_list_more("infer", &lists, &request.list) ||
        !system_options(&request.options))
        return EXIT_USAGE;
    const nlm_inference_options as = {.options = request.options,
                                      .images = request.images,
                                      .coverage = !no_coverage,
                                      .engine = engine < 0 ? NLM_ENGINE_BEST
                                                           : (nlm_engine)(NLM_ENGINE_MACHINE + engine),
                                      .database = database.where,
                                      .progress = show_progress,
                                      .progress_context = &request};
    const bool good = in_database ? infer_in_database(request.model, &database)
                                  : infer_paths(&request, &as, argv + first, argc - first);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
