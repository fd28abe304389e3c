/* The task that a command line names, and how its target is written. */
#ifndef CLI_FIND_TASK_H
#define CLI_FIND_TASK_H

#include "nlm/task.h"

/* NULL after an error line, which suggests what may have been meant; `command` is the command that asks. */
const nlm_task *find_task(const char *command, const char *name);

#define TASK_TARGET_SIZE 64

/* "grandparent(x, y)"; returns the text. */
const char *task_target_text(const nlm_task *task, char text[TASK_TARGET_SIZE]);

#endif
