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
    const char *folder;
    int form;
    bool force;
} convert_request;

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
    nlm_status status =
        nlm_problem_write(problem, request->folder, (nlm_form)request->form, request->force, &error);
    if (status == NLM_OK)
        status = nlm_problem_losses(problem, request->folder, print_loss, NULL, &error);
    if (!message_ok("convert", status, &error))
        return false;
    const int worlds = nlm_problem_worlds(problem);
    printf("%s: %s world%s, %s object%s, %s fact%s", request->folder, text_of_count(worlds), plural(worlds),
           text_of_count(all.objects), plural(all.objects), text_of_count(all.facts), plural(all.facts));
    if (nlm_problem_labelled(problem))
        printf(", %s label%s", text_of_count(all.labels), plural(all.labels));
    putchar('\n');
    return true;
}

static const char help[] =
    "Reads facts in any format, from a file, a folder or standard input (-), and writes them in\n"
    "another (docs/formats.md).  Reports what the format cannot represent.";

int command_convert(int argc, char **argv)
{
    convert_request request = {0};
    char *targets = NULL;
    fact_lists lists = {0};
    const char *worlds_by = "none";
    bool closed_world = false;
    target_list list;
    nlm_problem *problem;
    const option_row rows[] = {
        {"output", "FOLDER", "folder for the files; created if missing", OPTION_TEXT, &request.folder,
         .letter = 'o'},
        {"form", NULL, "file format (folder: bias.pl, bk.pl, exs.pl)", OPTION_WORD, &request.form,
         .words = problem_forms},
        {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt", OPTION_TEXT, .value = &targets},
        {"closed-world", NULL, "unlisted tuples of a target are false", OPTION_FLAG, .value = &closed_world},
        WORLDS_BY_OPTION(&worlds_by),
        NUMBERS_OPTION(&lists.numbers),
        CONSTANTS_OPTION(&lists.constants),
        COLUMNS_OPTION(&lists.columns),
        {"force", NULL, "replace existing files", OPTION_FLAG, .value = &request.force},
    };
    const command_usage usage = {"convert", "PATH", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (!problem_check_output("convert", request.folder) ||
        !target_list_read("convert", targets, closed_world, worlds_by, &list) ||
        !target_list_more("convert", &lists, &list))
        return EXIT_USAGE;
    if (!problem_load("convert", argv[first], &list.reading, false, &problem))
        return EXIT_FAILURE;
    waiting_begin("convert: %s", argv[first]);
    const bool good = convert_problem(&request, problem);
    waiting_end();
    nlm_problem_free(problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
