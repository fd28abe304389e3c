/* nlm compile: the machine of a program of rules, as a model file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "options.h"
#include "read_facts.h"
#include "system.h"

enum { NOTES_MOST = 200 }; /* predicates whose names are compared */

typedef struct compile_request {
    const char *rules, *output;
    int breadth; /* 0: as large as a machine can have */
    bool force;
} compile_request;

/* Whether the model may be written there; false after an error line. */
static bool check_output(const compile_request *request)
{
    if (request->output == NULL || *request->output == '\0') {
        message_error("compile: no file for the model; name it with -o MODEL.nlm");
        return false;
    }
    if (nlm_file_same(request->rules, request->output)) {
        message_error("compile: %s is the file of rules: name another for the model", request->output);
        return false;
    }
    FILE *there = request->force ? NULL : fopen(request->output, "rb");
    if (there == NULL)
        return true;
    fclose(there);
    message_error("compile: %s exists; --force replaces it", request->output);
    return false;
}

/* "  layer 1      2 predicates of arity 1, 1 of arity 2" */
static void print_layers(const nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int layer = 1; layer <= spec->depth; layer++) {
        const char *before = "";
        printf("  %-12s ", text_of("layer %d", layer));
        for (int arity = 0; arity <= spec->breadth; arity++) {
            const int width = nlm_unit_width(machine, layer, arity);
            if (width == 0)
                continue;
            printf("%s%d%s of arity %d", before, width,
                   *before != '\0' ? "" : text_of(" predicate%s", plural(width)), arity);
            before = ", ";
        }
        putchar('\n');
    }
}

static void print_predicates(const nlm_signature *signature, bool inputs)
{
    const int count = inputs ? nlm_signature_inputs(signature) : nlm_signature_targets(signature);
    printf("  %-12s", inputs ? "reads" : "concludes");
    for (int i = 0; i < count; i++) {
        char text[256];
        nlm_predicate_text(inputs ? nlm_signature_input(signature, i) : nlm_signature_target(signature, i),
                           text, sizeof text);
        printf("%s %s", i == 0 ? "" : ",", text);
    }
    putchar('\n');
}

static void print_machine(const char *path, nlm_machine *machine, const nlm_signature *signature)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    size_t weights = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count && tensor.dimensions == 2; i++)
            weights += tensor.values[i] != 0;
    }
    printf("%s: depth %d, breadth %d, %s parameter%s, %s weight%s not 0\n", path, spec->depth, spec->breadth,
           text_of_count(nlm_machine_parameters(machine)), plural(nlm_machine_parameters(machine)),
           text_of_count(weights), weights == 1 ? " is" : "s are");
    print_predicates(signature, true);
    print_predicates(signature, false);
    print_layers(machine);
}

static nlm_status save(const compile_request *request, const nlm_program *program, nlm_machine *machine,
                       const nlm_signature *signature, nlm_error *error)
{
    const char *text;
    char *rules = NULL;
    nlm_status status = nlm_signature_text(signature, &text, error);
    if (status == NLM_OK)
        status = nlm_program_text(program, NLM_PROLOG, &rules, error);
    const char *const metadata[] = {
        "signature", text,          "compiled_from", problem_title(request->rules),
        "version",   nlm_version(), "rules",         rules};
    if (status == NLM_OK)
        status = nlm_machine_save(machine, request->output, metadata, 4, error);
    free(rules);
    return status;
}

/* The library knows the line, not the file. */
static void print_refusal(const compile_request *request, const char *message)
{
    unsigned long line;
    int begins = 0;
    if (sscanf(message, "line %lu: %n", &line, &begins) == 1 && begins > 0)
        message_error("compile: %s:%lu: %s", problem_title(request->rules), line, message + begins);
    else
        message_error("compile: %s: %s", problem_title(request->rules), message);
}

static const nlm_predicate *predicate_at(const nlm_signature *signature, int number)
{
    const int inputs = nlm_signature_inputs(signature);
    return number < inputs ? nlm_signature_input(signature, number)
                           : nlm_signature_target(signature, number - inputs);
}

/* One name with several numbers of arguments is allowed, and often a slip. */
static void note_arities(const compile_request *request, const nlm_signature *signature)
{
    const int count = nlm_signature_inputs(signature) + nlm_signature_targets(signature);
    for (int i = 0; i < count && count <= NOTES_MOST; i++)
        for (int k = 0; k < i; k++) {
            const nlm_predicate *a = predicate_at(signature, k), *b = predicate_at(signature, i);
            if (a->arity != b->arity && strcmp(a->name, b->name) == 0)
                message_note("%s: %s/%d and %s/%d are two predicates", problem_title(request->rules), a->name,
                             a->arity, b->name, b->arity);
        }
}

static bool compile(const compile_request *request, const nlm_program *program)
{
    nlm_machine *machine = NULL;
    nlm_signature *signature = NULL;
    nlm_error error;
    nlm_status status = nlm_program_compile(program, request->breadth, &machine, &error);
    if (status == NLM_OK)
        status = nlm_program_signature(program, &signature, &error);
    if (status != NLM_OK)
        print_refusal(request, error.message);
    else if (message_ok("compile", status = save(request, program, machine, signature, &error), &error))
        print_machine(request->output, machine, signature);
    if (status == NLM_OK)
        note_arities(request, signature);
    nlm_signature_free(signature);
    nlm_machine_free(machine);
    return status == NLM_OK;
}

static const char help[] =
    "Makes the machine of a program of rules, clauses in Prolog's syntax (docs/formats.md): in every\n"
    "world of true and false facts it concludes what the rules say, with probabilities of exactly 0\n"
    "and 1.  It has the fewest layers that the rules allow, and the predicates of each are printed.\n"
    "'nlm infer MODEL FACTS' applies it.  RULES - is standard input.";

int command_compile(int argc, char **argv)
{
    compile_request request = {0};
    char *targets = NULL;
    target_list list;
    nlm_program *program;
    nlm_error error;
    const option_row rows[] = {
        {"output", "MODEL", "file for the model", OPTION_TEXT, &request.output, .letter = 'o'},
        {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt", OPTION_TEXT, .value = &targets},
        {"breadth", "N", "most variables at once (5)", OPTION_INT, &request.breadth, .least = 1,
         .most = NLM_MAX_BREADTH},
        {"force", NULL, "replace an existing file", OPTION_FLAG, .value = &request.force},
    };
    const command_usage usage = {"compile", "RULES", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.rules = argv[first];
    if (!target_list_read("compile", targets, false, NULL, &list))
        return EXIT_USAGE;
    if (!check_output(&request))
        return request.output == NULL ? EXIT_USAGE : EXIT_FAILURE;
    const nlm_program_reading reading = {.targets = list.reading.targets,
                                         .target_count = list.reading.target_count};
    if (!message_ok("compile", nlm_program_read(request.rules, &reading, &program, &error), &error))
        return EXIT_FAILURE;
    waiting_begin("compile: %s", problem_title(request.rules));
    const bool good = compile(&request, program);
    waiting_end();
    nlm_program_free(program);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
