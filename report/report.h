/* Inside of reports: what they are made of, and their sections.
 *
 *     runs.c             what there is: runs, their logs and results
 *     summary.c          all of it in a few tables
 *     section.c          what learned the same: curves, machine, conclusions or episodes
 *     derivations.c      the program of a model, and how conclusions follow from it
 *     perceived.c        digits, what is concluded from them, and what the machine came to see in them
 *     run_table.c        a row for each run */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "nlm/report.h"
#include "report/page.h"
#include "nlm/study.h"
#include "report/remarks.h"

struct nlm_report {
    nlm_found_runs *runs;
    remarks noted;
    char *facts;          /* path; NULL if none was given */
    bool images;          /* which images objects show was said: */
    nlm_gallery *gallery; /* those of files; NULL for drawn ones */
    bool for_all;         /* also for models that learned from drawn ones */
    int figures;          /* of conclusions, on the page that is written */
};

/* Numbers of a group of runs.  Those that nobody knows are NaN. */
typedef struct tally {
    int runs, graduated, learned, going, failed;
    int tested, exact;            /* graduated, and without any error in both tests */
    int sought, programs;         /* looked for one, and found one */
    double share[NLM_TEST_SIZES]; /* means over the tested that graduated, or whose task has no goal */
    double moves[NLM_TEST_SIZES];
    double amount, seconds; /* medians */
} tally;

nlm_status tally_make(const nlm_found_runs *list, int first, int end, tally *made);

/* The setting, and the paper's tables with what was reached beside them. */
nlm_status summary_put(page *p, const nlm_report *report);
/* The section of runs first..end-1, which are alike.  What could not be shown is noted. */
nlm_status section_put(page *p, nlm_report *report, int first, int end, nlm_error *error);
/* "seed 3", or its name; returns the text. */
enum { RUN_LABEL = 64 };
const char *run_label(const nlm_found_run *run, char text[RUN_LABEL]);
void run_table_put(page *p, const nlm_found_runs *list);

/* What it learns, and how unless that is the usual protocol. */
void run_title_put(page *p, const nlm_found_run *run);
/* The anchor of the section that begins with run `first`. */
enum { ANCHOR_SIZE = 32 };
const char *section_anchor(int first, char text[ANCHOR_SIZE]);

/* ---- curves.c ---- */

/* Of the runs first..end-1, which are alike: loss, accuracy or success, entropy, and for games when which
 * lesson was learned and which exams were passed; nothing if none has a log.  Fails for want of memory only.
 */
nlm_status curves_put(page *p, const nlm_found_runs *list, int first, int end);

/* ---- episodes.c ---- */

/* Replays of the group's agents: one of each size of the paper's tests, and the first failure of any. */
nlm_status episodes_put(page *p, nlm_report *report, int first, int end, nlm_error *error);

/* ---- perceived.c ---- */

/* Of a machine with a sense: a test graph of its task, the first one with an error, and what the sense came
 * to see.  `label` names the run. */
nlm_status perceived_put(page *p, nlm_machine *machine, const nlm_task *task, uint64_t seed,
                         const char *label, nlm_error *error);

#endif
