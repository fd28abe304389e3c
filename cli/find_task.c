/* The task that a command line names, or else the names it may have meant; the text of a target. */
#include "find_task.h"

#include <stdio.h>
#include "message.h"
#include "nearest.h"

enum { SUGGESTIONS = 3, SUGGESTIONS_SIZE = 256 };

static const char *task_name(const void *context, int index)
{
    (void)context;
    const nlm_task *task = nlm_task_at(index);
    return task != NULL ? task->name : NULL;
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

const nlm_task *find_task(const char *command, const char *name)
{
    const nlm_task *task = nlm_task_find(name);
    if (task != NULL)
        return task;
    const char *nearest[SUGGESTIONS];
    char suggestions[SUGGESTIONS_SIZE];
    const int count = nearest_names(name, (name_list){task_name, NULL}, nearest, SUGGESTIONS);
    join(nearest, count, suggestions);
    if (count > 0)
        message_error("%s: unknown task '%s'; did you mean %s?", command, name, suggestions);
    else
        message_error("%s: unknown task '%s'; 'nlm tasks' lists them", command, name);
    return NULL;
}

const char *task_target_text(const nlm_task *task, char text[TASK_TARGET_SIZE])
{
    static const char *const variables[NLM_MAX_BREADTH + 1] = {
        "", "(x)", "(x, y)", "(x, y, z)", "(x, y, z, u)", "(x, y, z, u, v)"};
    snprintf(text, TASK_TARGET_SIZE, "%s%s", task->target, variables[task->arity]);
    return text;
}
