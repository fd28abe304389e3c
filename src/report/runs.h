/* Runs of training, found in folders and files.
 *
 * A run is what files of the same name tell: NAME.nlm (model), NAME.nlm.checkpoint (to go on from),
 * NAME.jsonl (log) and NAME.json (result), one or all of them.  results.json tells about all runs of its
 * folder.  Of what cannot be read a note is taken; the rest is used. */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include "nlm/play.h"
#include "nlm/log.h"
#include "report/remarks.h"
#include "report/result.h"
#include "world/names.h"

typedef enum run_state {
    RUN_GRADUATED,
    RUN_NOT_GRADUATED, /* its budget is used up */
    RUN_LEARNED,       /* the same, of a task that none graduates from */
    RUN_GOING,         /* it still goes on, or was stopped */
    RUN_FAILED,        /* it ended with an error */
    RUN_UNKNOWN        /* there is a log and nothing else */
} run_state;

/* Texts are in the list's store.  Numbers that are not known are NaN. */
typedef struct report_run {
    const char *key;                /* where it is: the same for the same run */
    const char *folder, *name;      /* as given */
    const char *model, *checkpoint; /* paths; NULL if not there, or no good */
    const char *title;              /* what it learns: a task's name, or what stands for it */
    const char *by;                 /* the model that learns: "" for the machine, "memnn", "dilp" */
    const char *protocol;           /* "" if not known */
    const nlm_task *task;
    const nlm_game *game;
    bool of_facts;
    bool drawn;    /* it learned from drawn images, */
    uint64_t data; /* and else from those that are told by this */
    bool usual;    /* the settings are those of the protocol, apart from seed and budget */
    int budget;    /* epochs or episodes, where they are not the usual ones; else 0 */
    bool seed_known;
    uint64_t seed;
    bool has_goal; /* a file of the machine says that one can graduate from it ... */
    bool has_none; /* ... or not; without a file it is as usual for the task */
    run_state state;
    nlm_log log;
    run_result result;
    double rounds, amount, restarts, seconds;
} report_run;

/* A results.json and where it lies. */
typedef struct run_setting {
    const char *key, *folder; /* the same for the same folder; as given */
    folder_result result;
} run_setting;

typedef struct run_list {
    text_store texts;
    buffer runs; /* report_run */
    int count;
    bool full;       /* there are more than a report can show, or more files than it looks at */
    int entries;     /* files and folders looked at */
    bool deep;       /* there are folders too far down */
    buffer settings; /* run_setting */
    int setting_count;
    remarks noted;
} run_list;

static inline report_run *runs_at(const run_list *list, int index)
{
    return (report_run *)list->runs.data + index;
}

static inline const run_setting *runs_setting(const run_list *list, int index)
{
    return (const run_setting *)list->settings.data + index;
}

void runs_release(run_list *list);
/* All runs of a folder, down to its subfolders' subfolders and of not too many files (both are noted), or the
 * one that a file belongs to; those that are in the list already are not added again.  NLM_BAD_FILE if
 * nothing there is a run. */
nlm_status runs_add(run_list *list, const char *path, nlm_error *error);
/* In the order of the registries, then by title, model, protocol and seed. */
void runs_sort(run_list *list);
/* Whether two runs learn the same; and whether they do so the same way. */
bool runs_of_one_task(const report_run *a, const report_run *b);
bool runs_alike(const report_run *a, const report_run *b);
/* The end of the group of runs that begins with number `first`. */
int runs_group_end(const run_list *list, int first);
/* "seed 3", or its name; returns the text. */
enum { RUN_LABEL = 64 };
const char *run_label(const report_run *run, char text[RUN_LABEL]);

/* ---- run_files.c ---- */

/* "FOLDER/NAME.ending", without the folder where that is "."; false if it is too long. */
enum { RUN_PATH = 4096 };
bool run_path(const char *folder, const char *name, const char *ending, char path[RUN_PATH]);
/* Read the files of a run whose folder and name are set; `log` and `model` are their paths, which may not
 * exist. *found: something could be read.  Fails for want of memory only. */
nlm_status run_read(run_list *list, report_run *run, const char *log, const char *model, bool *found);
/* The file's text; false if there is none, which is noted unless there is no regular file of that name. */
bool run_read_text(run_list *list, const char *path, size_t most, buffer *text, size_t *size);
/* Whether a result can be, and is about the run's model, if there is one; if not, that is noted. */
bool run_is_meant(run_list *list, const report_run *run, const run_result *result, const char *path);
/* What it learns, from its result. */
nlm_status run_take_result(run_list *list, report_run *run);

#endif
