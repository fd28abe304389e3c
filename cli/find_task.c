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
    if (!is_neither(*found))
        return true;
    if (strpbrk(name, "./") != NULL) { /* which no task has */
        message_error("%s: %s: no such file or folder", command, name);
        return false;
    }
    const char *nearest[SUGGESTIONS];
    char names[SUGGESTIONS_SIZE] = ""; /* "'a', 'b' or 'c'" */
    const int count = nlm_nearest_names(name, (nlm_name_list){name_at, NULL}, nearest, SUGGESTIONS);
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s'%s'",
                 i == 0          ? ""
                 : i < count - 1 ? ", "
                                 : " or ",
                 nearest[i]);
    }
    if (count > 0)
        message_error("%s: unknown task '%s'; did you mean %s?", command, name, names);
    else
        message_error("%s: unknown task '%s'; 'nlm tasks' lists them", command, name);
    return false;
}

/* ---- by model ---- */

/* What a file says, fit for a terminal and not too long. */
static const char *printable(const char *said, char text[RECORDED_SIZE])
{
    snprintf(text, RECORDED_SIZE, "%s", said);
    nlm_clean_text(text);
    return text;
}

bool find_recorded(const char *command, const char *path, const nlm_machine *machine, const char *named,
                   task_or_game *found)
{
    char text[RECORDED_SIZE], version[RECORDED_SIZE];
    const char *recorded = nlm_machine_metadata(machine, "task");
    const char *writer = nlm_machine_metadata(machine, "version");
    const bool differs = recorded != NULL && named != NULL && strcmp(named, recorded) != 0;
    *found = task_or_game_of(differs ? NULL : recorded != NULL ? recorded : named);
    if (recorded == NULL && named == NULL)
        message_error("%s: %s does not say for which task it was trained; name it with --task", command,
                      path);
    else if (differs)
        message_error("%s: %s was trained for %s, not %s", command, path, printable(recorded, text), named);
    else if (recorded != NULL && is_neither(*found)) /* the model is of a version that knows more */
        message_error("%s: %s was trained for '%s'%s%s; this is nlm %s, which has no such task", command,
                      path, printable(recorded, text), writer != NULL ? " by nlm " : "",
                      writer != NULL ? printable(writer, version) : "", nlm_version());
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
