/* Runs found in folders, inside: the list, and what the files of one run tell. */
#ifndef STUDY_FOUND_H
#define STUDY_FOUND_H

#include "base/memory.h"
#include "study/study.h"
#include "world/names.h"

enum { FOUND_PATH = 4096, FOUND_NOTE = 600 };

struct nlm_found_runs {
    nlm_note note;
    void *context;
    char first_note[FOUND_NOTE]; /* since nlm_found_add began */
    text_store texts;
    buffer runs; /* nlm_found_run */
    int count;
    bool full;       /* there are more than a report can show, or more files than it looks at */
    int entries;     /* files and folders looked at */
    bool deep;       /* there are folders too far down */
    buffer settings; /* nlm_found_setting */
    int setting_count;
};

static inline nlm_found_run *found_at(const nlm_found_runs *list, int index)
{
    return (nlm_found_run *)list->runs.data + index;
}

/* A note for whoever made the list. */
void found_say(nlm_found_runs *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- found_files.c ---- */

/* "FOLDER/NAME.ending", without the folder where that is "."; false if it is too long. */
bool found_path(const char *folder, const char *name, const char *ending, char path[FOUND_PATH]);
/* A run of which nothing is known yet. */
nlm_found_run found_nothing(const char *key, const char *folder, const char *name);
/* Read the files of a run that is named; `log` and `model` are their paths, which may not exist.  *found:
 * something could be read.  Fails for want of memory only. */
nlm_status found_read(nlm_found_runs *list, nlm_found_run *run, const char *log, const char *model,
                      bool *found);
/* The file as a value of JSON, to be given back; NULL if there is no regular file of that name, or one that
 * cannot be read, which is noted.  *there: there is text in it. */
json_t *found_read_json(nlm_found_runs *list, const char *path, size_t most, bool *there);
/* Whether a result is about the run's model, if there is one; if not, that is noted. */
bool found_is_meant(nlm_found_runs *list, const nlm_found_run *run, const nlm_result *result,
                    const char *path);
/* What it learns, from its result. */
nlm_status found_take_result(nlm_found_runs *list, nlm_found_run *run);

#endif
