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
#include "waiting.h"

typedef struct convert_request {
    const char *path, *folder;
    char *targets;
    int form;
    bool closed_world, force;
} convert_request;

/* ---- what there is in a problem ---- */

typedef struct content {
    size_t worlds, objects, facts, labels;
} content;

/* Those that a file lists: in a closed world, the true ones. */
static size_t labels_of(const nlm_world *world, int target, bool closed)
{
    const signed char *labels;
    const size_t count = nlm_world_labels(world, target, NULL, &labels, NULL);
    size_t listed = 0;
    for (size_t l = 0; l < count; l++)
        listed += labels[l] == NLM_TRUE || (labels[l] == NLM_FALSE && !closed);
    return listed;
}

static content content_of(const nlm_problem *problem)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    content sum = {.worlds = (size_t)nlm_problem_worlds(problem)};
    for (int w = 0; w < nlm_problem_worlds(problem); w++) {
        const nlm_world *world = nlm_problem_world(problem, w);
        sum.objects += (size_t)nlm_world_objects(world);
        for (int p = 0; p < nlm_signature_inputs(signature); p++) {
            if (!nlm_signature_input(signature, p)->is_type)
                sum.facts += nlm_world_facts(world, p, NULL, NULL);
        }
        for (int t = 0; t < nlm_signature_targets(signature); t++)
            sum.labels += labels_of(world, t, nlm_problem_closed(problem));
    }
    return sum;
}

static void print_count(const char *before, size_t count, const char *thing)
{
    char text[NLM_NUMBER_TEXT];
    printf("%s%s %s%s", before, nlm_count_text(count, text), thing, count == 1 ? "" : "s");
}

static void print_content(const char *folder, const content *of, bool labelled)
{
    printf("%s: ", folder);
    print_count("", of->worlds, "world");
    print_count(", ", of->objects, "object");
    print_count(", ", of->facts, "fact");
    if (labelled)
        print_count(", ", of->labels, "label");
    putchar('\n');
}

/* ---- what was lost ---- */

static bool say_lost(size_t before, size_t after, const char *things)
{
    if (after != before)
        message_note("%zu of %zu %s were carried over", after, before, things);
    return after != before;
}

static void compare(const nlm_problem *problem, const nlm_problem *written, const char *folder)
{
    const nlm_signature *from = nlm_problem_signature(problem), *to = nlm_problem_signature(written);
    const content before = content_of(problem), after = content_of(written);
    bool said = say_lost(before.worlds, after.worlds, "worlds");
    said |= say_lost(before.objects, after.objects, "objects");
    said |= say_lost(before.facts, after.facts, "facts");
    if (nlm_problem_closed(problem) == nlm_problem_closed(written))
        said |= say_lost(before.labels, after.labels, "labels");
    else if (nlm_problem_labelled(problem)) {
        message_note(nlm_problem_closed(problem)
                         ? "this format does not record that unlisted tuples are false: use --closed-world"
                         : "in this format unlisted tuples are false");
        said = true;
    }
    if (nlm_problem_contradictions(problem) != nlm_problem_contradictions(written)) {
        message_note("labels that are listed as true and as false were carried over as true");
        said = true;
    }
    said |= say_lost((size_t)nlm_signature_inputs(from), (size_t)nlm_signature_inputs(to), "predicates");
    said |= say_lost((size_t)nlm_signature_targets(from), (size_t)nlm_signature_targets(to), "targets");
    if (nlm_signature_typed(from) && !nlm_signature_typed(to)) {
        message_note("this format has no types");
        said = true;
    }
    if (!said && nlm_problem_digest(problem) != nlm_problem_digest(written))
        message_note("%s has the same content in another order", folder);
}

/* ---- the command ---- */

static bool read_back(const nlm_problem *problem, const char *folder)
{
    nlm_problem *written;
    nlm_error error;
    if (nlm_problem_read(folder, NULL, &written, &error) != NLM_OK) {
        message_error("convert: what was written cannot be read: %s", error.message);
        return false;
    }
    compare(problem, written, folder);
    nlm_problem_free(written);
    return true;
}

static bool convert_problem(const convert_request *request, const nlm_problem *problem)
{
    nlm_error error;
    if (nlm_problem_write(problem, request->folder, (nlm_form)request->form, request->force, &error) !=
        NLM_OK) {
        message_error("convert: %s", error.message);
        return false;
    }
    const content all = content_of(problem);
    if (!read_back(problem, request->folder))
        return false;
    print_content(request->folder, &all, nlm_problem_labelled(problem));
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
