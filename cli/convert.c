/* nlm convert: facts from one form of files to another.
 *
 * What was written is read again and compared: a form may not be able to say all that another does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "nlm/tools.h"
#include "options.h"
#include "read_facts.h"
#include "system.h"

typedef struct convert_request {
    const char *path, *folder;
    char *targets;
    int form;
    bool closed_world, force;
} convert_request;

static void print_count(const char *before, size_t count, const char *thing)
{
    char text[NLM_NUMBER_TEXT];
    printf("%s%s %s%s", before, nlm_count_text(count, text), thing, count == 1 ? "" : "s");
}

static nlm_status print_loss(void *context, const char *text, nlm_error *error)
{
    (void)context, (void)error;
    message_note("%s", text);
    return NLM_OK;
}

static bool convert_problem(const convert_request *request, const nlm_problem *problem)
{
    const nlm_content all = nlm_problem_content(problem, -1);
    nlm_error error;
    if (nlm_problem_write(problem, request->folder, (nlm_form)request->form, request->force, &error) !=
            NLM_OK ||
        nlm_problem_losses(problem, request->folder, print_loss, NULL, &error) != NLM_OK) {
        message_error("convert: %s", error.message);
        return false;
    }
    printf("%s: ", request->folder);
    print_count("", (size_t)nlm_problem_worlds(problem), "world");
    print_count(", ", all.objects, "object");
    print_count(", ", all.facts, "fact");
    if (nlm_problem_labelled(problem))
        print_count(", ", all.labels, "label");
    putchar('\n');
    return true;
}

static int convert(const convert_request *request)
{
    target_list targets = {0};
    nlm_problem *problem;
    if (request->targets != NULL && !target_list_read("convert", request->targets, &targets))
        return EXIT_USAGE;
    const nlm_reading reading = {
        .targets = targets.targets, .target_count = targets.count, .closed_world = request->closed_world};
    if (!problem_load("convert", request->path, &reading, false, &problem))
        return EXIT_FAILURE;
    waiting_begin("convert: %s", request->path);
    const bool good = convert_problem(request, problem);
    waiting_end();
    nlm_problem_free(problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int command_convert(int argc, char **argv)
{
    convert_request request = {0};
    const option_row rows[] = {
        {"output", "FOLDER", "folder for the files; created if missing", OPTION_TEXT, &request.folder,
         .letter = 'o'},
        {"form", NULL, "file format (folder: bias.pl, bk.pl, exs.pl)", OPTION_WORD, &request.form,
         .words = problem_forms},
        {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt", OPTION_TEXT,
         .value = &request.targets},
        {"closed-world", NULL, "unlisted tuples of a target are false", OPTION_FLAG,
         .value = &request.closed_world},
        {"force", NULL, "replace existing files", OPTION_FLAG, .value = &request.force},
    };
    const command_usage usage = {
        "convert",
        "PATH",
        "Reads facts in any format, from a file, a folder or standard input (-), and writes them in\n"
        "another (docs/formats.md).  Reports what the format cannot represent.",
        rows,
        sizeof rows / sizeof rows[0],
        1,
        1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.path = argv[first];
    return problem_check_output("convert", request.folder) ? convert(&request) : EXIT_USAGE;
}
