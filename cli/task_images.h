/* The pictures that objects of a task show: MNIST's files in a folder, or digits drawn by nlm itself. */
#ifndef CLI_TASK_IMAGES_H
#define CLI_TASK_IMAGES_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* For a task with a sense, *task becomes one with pictures: those of the folder `named` by --images, or of
 * the usual folder if that is NULL; `named` "drawn" stands for drawn digits.  For other tasks `named` must be
 * NULL.  False after an error line, which says how to get the files where they are missing. */
bool images_find(const char *command, const char *named, const nlm_task **task);
/* Where tools/get-mnist puts MNIST's files; false if the environment names no home. */
enum { IMAGES_FOLDER = 4000 };
bool images_usual_folder(char folder[IMAGES_FOLDER]);
/* The task is of no use any more. */
void images_release(void);

#endif
