/* Pages to look at, by the library nlm-report: each a single HTML file that needs nothing else, neither
 * network nor other files.
 *
 *     nlm_replay   an episode of a game, move by move
 *     nlm_report   runs of training: what they reached, how they got there, what the machines look like */
#ifndef NLM_REPORT_H
#define NLM_REPORT_H

#include "nlm/play.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- replays ---- */

typedef struct nlm_replay nlm_replay;

/* Of an episode of the game; the title heads the page and may be any text. */
nlm_status nlm_replay_new(const nlm_game *game, const char *title, nlm_replay **replay, nlm_error *error);
void nlm_replay_free(nlm_replay *replay);
/* The next position and what the agent thinks of it: the first choice is the move that it makes.  At the end
 * the last position, without choices. */
nlm_status nlm_replay_add(nlm_replay *replay, const nlm_position *position, const nlm_choice *choices,
                          int count, nlm_error *error);
/* The rule that chose the move of the position that was added last (nlm_agent_rule); below 0: the agent has
 * none. */
void nlm_replay_rule(nlm_replay *replay, int rule);
/* To a file, whole or not at all. */
nlm_status nlm_replay_save(const nlm_replay *replay, const char *path, nlm_error *error);

/* ---- reports ---- */

typedef struct nlm_report nlm_report;

nlm_status nlm_report_new(nlm_report **report, nlm_error *error);
void nlm_report_free(nlm_report *report);
/* A folder that `nlm reproduce` or `nlm train --seeds` wrote, a log or a model.  Of what is damaged or
 * unfinished it takes what is there, and notes the rest.  NLM_BAD_FILE: nothing to show there. */
nlm_status nlm_report_add(nlm_report *report, const char *path, nlm_error *error);
/* Worlds with labels (nlm/facts.h) to judge a model trained on facts with. */
nlm_status nlm_report_add_facts(nlm_report *report, const char *path, nlm_error *error);
/* What objects show, to judge models of tasks with a sense (nlm/task.h): MNIST's files of a folder or, with
 * NULL, digits drawn by the library.  Models that learned from drawn digits are judged with such, unless
 * `for_all` says that these images are for them, too.  Of others all that needs images is left out, and
 * noted, if there are none. */
nlm_status nlm_report_add_images(nlm_report *report, const char *folder, bool for_all, nlm_error *error);
/* Whether there is a model that needs them, and there are none yet. */
bool nlm_report_needs_images(const nlm_report *report);
/* How many runs it has so far, and how many tasks or other things these learn. */
int nlm_report_runs(const nlm_report *report);
int nlm_report_tasks(const nlm_report *report);
/* What was noted so far: lines for the reader, which are in the report too. */
int nlm_report_notes(const nlm_report *report);
const char *nlm_report_note(const nlm_report *report, int index);
/* To a file, whole or not at all.  Machines are run for it: a world or an episode each. */
nlm_status nlm_report_save(nlm_report *report, const char *path, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
