/* Problems for commands: reading them, and looking at what they need. */
#include "read_facts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "find_task.h"
#include "message.h"
#include "system.h"

enum { LIST_SIZE = 400, NAME_SIZE = 256 };

bool problem_is_path(const char *word)
{
    struct stat about;
    const task_or_game named = task_or_game_of(word);
    if (named.task != NULL || named.game != NULL)
        return false;
    return strchr(word, '/') != NULL || strcmp(word, "-") == 0 || stat(word, &about) == 0;
}

void problem_templates(const char *path, char *templates, size_t size)
{
    struct stat about;
    const char *slash = strrchr(path, '/');
    const bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    size_t folder = is_folder ? strlen(path) : slash != NULL ? (size_t)(slash - path) : 0;
    while (is_folder && folder > 1 && path[folder - 1] == '/')
        folder--;
    snprintf(templates, size, "%.*s%stemplates.pl", (int)folder, path, is_folder || slash != NULL ? "/" : "");
}

/* The last component of the first `end` bytes of a path, without what ends a file's name; where it begins. */
static size_t last_name(const char *path, size_t end, char name[NAME_SIZE])
{
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    snprintf(name, NAME_SIZE, "%.*s", (int)(end - begin), path + begin);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name && strcmp(name, "..") != 0)
        *dot = '\0';
    return begin;
}

static bool names_nothing(const char *name)
{
    return name[0] == '\0' || name[0] == '.' || name[0] == '/' || name[0] == '-';
}

const char *problem_name(const char *path)
{
    static char name[NAME_SIZE], above[NAME_SIZE];
    const size_t begin = last_name(path, strlen(path), name);
    if (strcmp(name, "learn") == 0 || strcmp(name, "train") == 0) {
        last_name(path, begin, above);
        return names_nothing(above) ? name : above;
    }
    return names_nothing(name) ? "facts" : name;
}

const char *problem_title(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* The names in a text, with commas between them, which is overwritten; how many, or -1 after an error line.
 */
static int names_read(const char *command, const char *option, const char *what, char *text,
                      const char **names, int most)
{
    int count = 0;
    for (char *at = text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (*at == '\0' || count == most) {
            if (*at == '\0')
                message_error("%s: %s: a name is empty", command, option);
            else
                message_error("%s: %s: at most %d %s", command, option, most, what);
            return -1;
        }
        names[count++] = at;
        at = comma;
    }
    return count;
}

bool target_list_read(const char *command, char *text, bool closed_world, const char *worlds_by,
                      target_list *list)
{
    int count = names_read(command, "--target", "targets", text, list->targets, PROBLEM_MOST_TARGETS);
    list->reading = (nlm_reading){.targets = list->targets,
                                  .target_count = count,
                                  .closed_world = closed_world,
                                  .worlds_by = worlds_by};
    return count >= 0;
}

bool target_list_more(const char *command, const fact_lists *texts, target_list *list)
{
    nlm_reading *reading = &list->reading;
    reading->numbers = list->numbers;
    reading->constants = list->constants;
    reading->columns = list->columns;
    reading->number_count =
        names_read(command, "--numbers", "predicates", texts->numbers, list->numbers, PROBLEM_MOST_NAMES);
    reading->constant_count = names_read(command, "--constants", "predicates", texts->constants,
                                         list->constants, PROBLEM_MOST_NAMES);
    reading->column_count =
        names_read(command, "--columns", "columns", texts->columns, list->columns, PROBLEM_MOST_NAMES);
    return reading->number_count >= 0 && reading->constant_count >= 0 && reading->column_count >= 0;
}

const char *problem_candidates(const nlm_problem *problem, int *count)
{
    static char list[LIST_SIZE];
    size_t used = 0;
    *count = 0;
    list[0] = '\0';
    const nlm_table_column *column;
    for (int c = 0; (column = nlm_problem_column(problem, c)) != NULL; c++) {
        if (!column->may_be_target)
            continue;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", *count > 0 ? ", " : "",
                                     column->name);
        ++*count;
    }
    return list;
}

bool problem_load(const char *command, const char *path, const nlm_reading *reading, bool quiet,
                  nlm_problem **problem)
{
    nlm_error error;
    if (!message_ok(command, nlm_problem_read(path, reading, problem, &error), &error))
        return false;
    for (int n = 0; n < nlm_problem_notes(*problem) && !quiet; n++)
        message_note("%s", nlm_problem_note(*problem, n));
    return true;
}

/* ---- asking a model ---- */

bool inference_begin(const char *command, const char *model, const nlm_inference_options *as,
                     nlm_machine **machine, nlm_inference **inference)
{
    nlm_error error;
    nlm_status status = nlm_machine_load(model, machine, &error);
    if (status == NLM_OK) {
        system_limit_memory();
        nlm_inference_options all = *as;
        all.memory = system_free_memory();
        status = nlm_inference_new(*machine, model, &all, inference, &error);
        if (status != NLM_OK)
            nlm_machine_free(*machine);
    }
    return message_ok(command, status, &error);
}

bool inference_load(const char *command, const nlm_inference *inference, const char *path,
                    const char *worlds_by, const nlm_reading *reading, nlm_problem **problem)
{
    nlm_reading wanted = {.signature = nlm_inference_signature(inference), .worlds_by = worlds_by};
    if (reading != NULL) {
        wanted.columns = reading->columns;
        wanted.column_count = reading->column_count;
    }
    return problem_load(command, path, &wanted, false, problem);
}

bool inference_ask(const char *command, nlm_inference *inference, const nlm_problem *problem, int world,
                   const char *title)
{
    nlm_error error;
    const nlm_status status = nlm_inference_ask(inference, nlm_problem_world(problem, world),
                                                nlm_problem_world_name(problem, world), title, &error);
    if (*nlm_inference_note(inference) != '\0')
        message_note("%s", nlm_inference_note(inference));
    return message_ok(command, status, &error);
}

/* ---- output ---- */

const char *const problem_forms[] = {"folder", "csv", "tsv", NULL};

bool problem_check_output(const char *command, const char *folder)
{
    if (folder != NULL && *folder != '\0')
        return true;
    message_error("%s: no folder to write to; name it with -o FOLDER", command);
    return false;
}

/* ---- needs ---- */

bool problem_find_needs(const char *command, const nlm_problem *problem, const nlm_options *options,
                        nlm_needs *needs)
{
    const double share = system_free_memory() / 4;
    nlm_error error;
    return message_ok(command,
                      nlm_problem_needs(problem, PROBLEM_MOST_BREADTH, (size_t)share, options, needs, &error),
                      &error);
}
