/* The task or game that a command line or a model names, and how a target is written. */
#ifndef CLI_FIND_TASK_H
#define CLI_FIND_TASK_H

#include <stdbool.h>
#include "nlm/settings.h"

/* What a name stands for: one of the two, or neither. */
typedef struct task_or_game {
    const nlm_task *task;
    const nlm_game *game;
} task_or_game;

/* Neither if there is none of that name, or if it is NULL. */
task_or_game task_or_game_of(const char *name);

/* The same for commands: false after an error line, which suggests what may have been meant; `command` is the
 * command that asks. */
bool find_task_or_game(const char *command, const char *name, task_or_game *found);

/* What a model was trained for, as it records.  `named` is what the command line says, or NULL: it must be
 * the same, or stand for what is not recorded.  `path` is the model's in messages; false after one. */
bool find_recorded(const char *command, const char *path, const nlm_machine *machine, const char *named,
                   task_or_game *found);

#define TASK_TARGET_SIZE 64

/* "grandparent(x, y)"; returns the text. */
const char *task_target_text(const nlm_task *task, char text[TASK_TARGET_SIZE]);

/* The settings with which the paper learns a game. */
nlm_settings paper_settings(const nlm_game *game);

#endif
