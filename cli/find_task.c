/* The task or game that a command line names, or else the names it may have meant; what a model records. */
#include "find_task.h"

#include <stdio.h>
#include <string.h>
#include "message.h"
#include "nlm/nlm.h"

enum { SUGGESTIONS = 3, SUGGESTIONS_SIZE = 256, RECORDED_SIZE = 64 };

/* ---- by name ---- */

/* The games come after the tasks. */
static const char *name_at(const void *context, int index)
{
    (void)context;
    const nlm_task *task = nlm_task_at(index);
    const nlm_game *game = nlm_game_at(index - nlm_tasks());
    return task != NULL ? task->name : game != NULL ? game->name : NULL;
}

/* "'a', 'b' or 'c'" */
static void join(const char *const *names, int count, char text[SUGGESTIONS_SIZE])
{
    size_t used = 0;
    for (int i = 0; i < count && used < SUGGESTIONS_SIZE; i++) {
        const char *parted = i == 0 ? "" : i < count - 1 ? ", " : " or ";
        used += (size_t)snprintf(text + used, SUGGESTIONS_SIZE - used, "%s'%s'", parted, names[i]);
    }
}

static void say_unknown(const char *command, const char *name)
{
    const char *nearest[SUGGESTIONS];
    char suggestions[SUGGESTIONS_SIZE];
    const int count = nlm_nearest_names(name, (nlm_name_list){name_at, NULL}, nearest, SUGGESTIONS);
    join(nearest, count, suggestions);
    if (count > 0)
        message_error("%s: unknown task '%s'; did you mean %s?", command, name, suggestions);
    else
        message_error("%s: unknown task '%s'; 'nlm tasks' lists them", command, name);
}

task_or_game task_or_game_of(const char *name)
{
    if (name == NULL)
        return (task_or_game){NULL, NULL};
    return (task_or_game){nlm_task_find(name), nlm_game_find(name)};
}

static bool is_neither(task_or_game found)
{
    return found.task == NULL && found.game == NULL;
}

bool find_task_or_game(const char *command, const char *name, task_or_game *found)
{
    *found = task_or_game_of(name);
    if (is_neither(*found))
        say_unknown(command, name);
    return !is_neither(*found);
}

/* ---- by model ---- */

/* What a file says, fit for a terminal and not too long. */
static const char *printable(const char *said, char text[RECORDED_SIZE])
{
    snprintf(text, RECORDED_SIZE, "%s", said);
    nlm_clean_text(text);
    return text;
}

/* The model is of a version that knows more. */
static void say_unknown_record(const char *command, const char *path, const nlm_machine *machine,
                               const char *recorded)
{
    char task[RECORDED_SIZE], version[RECORDED_SIZE];
    const char *writer = nlm_machine_metadata(machine, "version");
    printable(recorded, task);
    if (writer != NULL)
        message_error("%s: %s was trained for '%s' by nlm %s; this is nlm %s, which has no such task",
                      command, path, task, printable(writer, version), nlm_version());
    else
        message_error("%s: %s was trained for '%s'; this is nlm %s, which has no such task", command, path,
                      task, nlm_version());
}

bool find_recorded(const char *command, const char *path, const nlm_machine *machine, const char *named,
                   task_or_game *found)
{
    char text[RECORDED_SIZE];
    const char *recorded = nlm_machine_metadata(machine, "task");
    if (recorded == NULL) {
        if (named == NULL)
            message_error("%s: %s does not say for which task it was trained; name it with --task", command,
                          path);
        *found = task_or_game_of(named);
        return !is_neither(*found);
    }
    *found = (task_or_game){NULL, NULL};
    if (named != NULL && strcmp(named, recorded) != 0) {
        message_error("%s: %s was trained for %s, not %s", command, path, printable(recorded, text), named);
        return false;
    }
    *found = task_or_game_of(recorded);
    if (is_neither(*found))
        say_unknown_record(command, path, machine, recorded);
    return !is_neither(*found);
}

/* ---- texts ---- */

const char *task_target_text(const nlm_task *task, char text[TASK_TARGET_SIZE])
{
    static const char *const variables[NLM_MAX_BREADTH + 1] = {
        "", "(x)", "(x, y)", "(x, y, z)", "(x, y, z, u)", "(x, y, z, u, v)"};
    snprintf(text, TASK_TARGET_SIZE, "%s%s", task->target, variables[task->arity]);
    return text;
}

nlm_settings paper_settings(const nlm_game *game)
{
    nlm_settings made;
    if (nlm_settings_of_game(game, NLM_PROTOCOL_PAPER, &made, NULL) != NLM_OK)
        made = (nlm_settings){.game = game}; /* of a game without recipes */
    return made;
}
