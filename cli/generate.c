/* nlm generate: worlds of a task as files, in the form that facts of one's own have. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "find_task.h"
#include "task_images.h"
#include "message.h"
#include "nlm/tools.h"
#include "options.h"
#include "read_facts.h"
#include "system.h"

enum { OBJECTS_MOST = 10000000, WORLDS_MOST = 1000000, DEEP_MOST = 1000 };

typedef struct generate_request {
    const nlm_task *task;
    const char *folder;
    int objects, worlds, kind, deep, form;
    uint64_t seed, first;
    bool force;
} generate_request;

static const char *const world_kinds[] = {NLM_WORLD_KIND_NAMES, NULL};

static int generate(const generate_request *request)
{
    nlm_problem *problem;
    nlm_error error;
    const char *worlds = text_of_count(request->worlds);
    waiting_begin("generate: %s world%s of %d objects", worlds, plural(request->worlds), request->objects);
    nlm_status status =
        nlm_problem_generate_deep(request->task, (nlm_world_kind)request->kind, request->seed, request->first,
                                  request->deep, request->objects, request->worlds, &problem, &error);
    if (status == NLM_OK) {
        status = nlm_problem_write(problem, request->folder, (nlm_form)request->form, request->force, &error);
        nlm_problem_free(problem);
    }
    waiting_end();
    if (!message_ok("generate", status, &error))
        return EXIT_FAILURE;
    printf("%s: %s %sworld%s of %d object%s with %s, seed %" PRIu64 "; ", request->folder, worlds,
           request->kind == NLM_WORLDS_RICH ? "rich " : "", plural(request->worlds), request->objects,
           plural(request->objects), request->task->name, request->seed);
    if (request->task->sense != NULL)
        printf("ask a model about it: nlm infer MODEL %s --images %s\n", request->folder, request->folder);
    else
        printf("learn from it: nlm train %s\n", request->folder);
    return EXIT_SUCCESS;
}

static const char help[] =
    "Writes random worlds of a built-in task, facts and labels, as files in the format of your own\n"
    "facts: for 'nlm train FOLDER', for reading, or for other programs.";

int command_generate(int argc, char **argv)
{
    generate_request request = {.objects = -1, .worlds = 1, .deep = 1, .seed = 1};
    const char *images = NULL;
    bool first_given = false;
    const option_row rows[] = {
        {"output", "FOLDER", "folder for the files; created if missing", OPTION_TEXT, &request.folder,
         .letter = 'o'},
        {"objects", "N", "objects in each world (the task's training size, e.g. 20)", OPTION_INT,
         &request.objects, .least = 1, .most = OBJECTS_MOST},
        {"worlds", "N", "number of worlds (1); paper or rich: the same as --kind", OPTION_INT,
         &request.worlds, .least = 1, .most = WORLDS_MOST, .words = world_kinds, .word = &request.kind},
        {"kind", NULL, "the paper's worlds (the default), or richer ones of families and graphs", OPTION_WORD,
         &request.kind, .words = world_kinds},
        {"deep", "N", "keep the deepest of N drawn: most generations, longest paths (1)", OPTION_INT,
         &request.deep, .least = 1, .most = DEEP_MOST},
        {"seed", "N", "random seed (1)", OPTION_U64, .value = &request.seed},
        {"first", "N", "number of the first world of that seed (0; adjacent-to-zero: 2^40)", OPTION_U64,
         .value = &request.first, .given = &first_given},
        {"images", "DIR", "folder with MNIST for adjacent-to-zero, or 'drawn' (default)", OPTION_TEXT,
         .value = &images},
        {"form", NULL, "file format (folder: bias.pl, bk.pl, exs.pl)", OPTION_WORD, &request.form,
         .words = problem_forms},
        {"force", NULL, "replace existing files", OPTION_FLAG, .value = &request.force},
    };
    const command_usage usage = {"generate", "TASK", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    task_or_game found;
    if (!find_task_or_game("generate", argv[first], &found))
        return EXIT_USAGE;
    if (found.game != NULL)
        message_error("generate: %s is a game: it has moves, not labelled facts", argv[first]);
    if (found.game != NULL || !problem_check_output("generate", request.folder))
        return EXIT_USAGE;
    request.task = found.task;
    if (request.task->sense != NULL) { /* images drawn unless a folder of MNIST is named, and as in tests */
        images = images != NULL ? images : "drawn";
        request.first = first_given ? request.first : NLM_TEST_WORLDS;
    }
    if (!images_find("generate", images, &request.task))
        return EXIT_FAILURE;
    if (request.objects < 0)
        request.objects = request.task->train_objects;
    status = generate(&request);
    images_release();
    return status;
}
