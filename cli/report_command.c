/* nlm report: runs of training as one page to look at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "commands.h"
#include "task_images.h"
#include "message.h"
#include "options.h"
#include "system.h"
#include "nlm/report.h"
#include "nlm/nlm.h"

enum { OPERANDS_MOST = 100000 };

/* What the command line asks for; NULL for what it does not. */
struct request {
    const char *output, *facts, *images;
    char **paths;
    int count;
};

/* Whether the page would take the place of something it is made from. */
static bool is_read(const struct request *request)
{
    bool same = request->facts != NULL && nlm_file_same(request->output, request->facts);
    for (int i = 0; i < request->count && !same; i++)
        same = nlm_file_same(request->output, request->paths[i]);
    return same;
}

/* Folders are looked through for files that are called so: those of runs, those of facts. */
static bool is_named_as_an_input(const char *path)
{
    static const char *const endings[] = {".nlm", ".jsonl", ".checkpoint", ".json", ".pl", ".csv", ".tsv"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        if (length >= ending && strcmp(path + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* A report takes the place of a file, and of nothing else; false after an error line. */
static bool may_write(const struct request *request)
{
    const char *path = request->output;
    struct stat about;
    const bool exists = stat(path, &about) == 0;
    if (path[0] == '\0')
        message_error("report: the report needs a name");
    else if (exists && !S_ISREG(about.st_mode))
        message_error("report: %s: not a file that a report can replace", path);
    else if (exists && is_read(request))
        message_error("report: %s: the report is made from it, and cannot replace it", path);
    else if (is_named_as_an_input(path))
        message_error("report: %s: this ending belongs to files of runs or facts; name the report FILE.html",
                      path);
    else
        return true;
    return false;
}

/* MNIST's files where they usually are.  Without them the report is made all the same: then *missing says
 * why. */
static nlm_status add_usual_images(nlm_report *report, nlm_error *missing, nlm_error *error)
{
    char folder[IMAGES_FOLDER];
    if (!nlm_report_needs_images(report) || !images_usual_folder(folder))
        return NLM_OK;
    const nlm_status status = nlm_report_add_images(report, folder, false, missing);
    if (status == NLM_NO_MEMORY)
        *error = *missing;
    return status == NLM_NO_MEMORY ? status : NLM_OK;
}

static nlm_status add_all(nlm_report *report, const struct request *request, nlm_error *missing,
                          nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < request->count && !status; i++)
        status = nlm_report_add(report, request->paths[i], error);
    if (!status && request->facts != NULL)
        status = nlm_report_add_facts(report, request->facts, error);
    if (status)
        return status;
    if (request->images == NULL)
        return add_usual_images(report, missing, error);
    const bool drawn = strcmp(request->images, "drawn") == 0;
    return nlm_report_add_images(report, drawn ? NULL : request->images, true, error);
}

/* "report.html: 130 runs of 13 tasks, 1.2 MB" */
static void say_done(const nlm_report *report, const char *path)
{
    struct stat about;
    const int runs = nlm_report_runs(report), tasks = nlm_report_tasks(report);
    const double bytes = stat(path, &about) == 0 ? (double)about.st_size : 0;
    printf("%s: %d run%s of %d task%s, ", path, runs, plural(runs), tasks, plural(tasks));
    if (bytes < 1e6)
        printf("%.0f kB\n", bytes / 1e3);
    else
        printf("%.1f MB\n", bytes / 1e6);
}

static int make_report(const struct request *request)
{
    nlm_report *report;
    nlm_error error, missing = {.status = NLM_OK};
    nlm_status status = nlm_report_new(&report, &error);
    waiting_begin("report: running the machines and writing %.200s", request->output);
    if (status == NLM_OK)
        status = add_all(report, request, &missing, &error);
    if (status == NLM_OK)
        status = nlm_report_save(report, request->output, &error);
    waiting_end();
    if (status == NLM_OK) {
        if (missing.status != NLM_OK)
            message_note("%s", missing.message);
        for (int i = 0; i < nlm_report_notes(report); i++)
            message_note("%s", nlm_report_note(report, i));
        say_done(report, request->output);
    } else {
        message_error("report: %s", error.message);
    }
    nlm_report_free(report);
    return status == NLM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const char help[] =
    "Writes one HTML page about runs of training: results, learning curves, the machines, their\n"
    "conclusions or episodes.  PATH is a folder of 'nlm reproduce' or 'nlm train --seeds', the log of a\n"
    "run or its model.  The page is a single file and needs no network.";

int command_report(int argc, char **argv)
{
    struct request request = {.output = "report.html"};
    const option_row rows[] = {
        {"output", "FILE", "file to write (report.html)", OPTION_TEXT, &request.output, .letter = 'o'},
        {"facts", "PATH", "facts with labels, to test models trained on facts", OPTION_TEXT,
         .value = &request.facts},
        {"images", "DIR", "folder with MNIST (~/.cache/nlm/mnist), or 'drawn', for adjacent-to-zero",
         OPTION_TEXT, .value = &request.images},
    };
    const command_usage usage = {"report", "PATH...",    help, rows, sizeof rows / sizeof rows[0],
                                 1,        OPERANDS_MOST};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    request.paths = argv + first;
    request.count = argc - first;
    if (!may_write(&request))
        return EXIT_USAGE;
    return make_report(&request);
}
