/* PDDL, as planning competitions (IPC) write it: problems, plans, and their check (docs/formats.md).
 *
 *     nlm_pddl        a problem with its domain
 *     nlm_pddl_plan   the actions that moves of a game stand for
 *
 * What is read of PDDL: actions with conditions and effects of literals, conditional effects, types,
 * equality. nlm_pddl_validate knows nothing of games: any such problem will do.  Problems of blocks worlds
 * are also positions of the game blocks, whatever their actions are called: a block is moved by one action,
 * or by two that take it and put it down. */
#ifndef NLM_PDDL_H
#define NLM_PDDL_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/game.h"
#include "nlm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_pddl nlm_pddl;
typedef struct nlm_pddl_plan nlm_pddl_plan;

/* A text, and the name of its file in messages. */
typedef struct nlm_pddl_text {
    const char *text;
    size_t length;
    const char *name;
} nlm_pddl_text;

/* A problem and its domain; NULL: one of the known ones, by the name that the problem says. */
nlm_status nlm_pddl_read(const nlm_pddl_text *problem, const nlm_pddl_text *domain, nlm_pddl **pddl,
                         nlm_error *error);
/* The same of files; without a domain (NULL) that of the file domain.pddl beside the problem, if there is
 * one. */
nlm_status nlm_pddl_read_file(const char *problem, const char *domain, nlm_pddl **pddl, nlm_error *error);
void nlm_pddl_free(nlm_pddl *pddl);
/* The name of the domain, and of the file that it comes from; of a known one a name without a slash. */
const char *nlm_pddl_domain(const nlm_pddl *pddl);
const char *nlm_pddl_domain_file(const nlm_pddl *pddl);
/* Whether a file of a folder is to be read as a problem: it is no domain. */
bool nlm_pddl_is_problem(const char *path);

/* Whether a plan, one action a line, leads from the facts to the goal: each action is one of the domain, with
 * objects of the right types, and its preconditions hold when its turn comes.  If not, NLM_BAD_FILE with the
 * line and what does not hold.  *actions (may be NULL) is the number of actions. */
nlm_status nlm_pddl_validate(const nlm_pddl *pddl, const nlm_pddl_text *plan, int *actions, nlm_error *error);
nlm_status nlm_pddl_validate_file(const nlm_pddl *pddl, const char *plan, int *actions, nlm_error *error);

/* ---- blocks worlds ---- */

/* The facts as a position of blocks, and the goal as its target.  A goal that does not say where each block
 * ends is completed: a block that it leaves free stays where it is if all below it stays and the goal wants
 * nothing else on what it stands on, and goes onto the table if not.  So whatever reaches the target has
 * reached the goal.  A goal that holds already gives a position that is solved. */
nlm_status nlm_pddl_position(const nlm_pddl *pddl, nlm_position *position, nlm_error *error);
/* The game of these positions, and the name of a block, 1 up to their number: the objects in their order. */
const nlm_game *nlm_pddl_game(void);
const char *nlm_pddl_block(const nlm_pddl *pddl, int block);
/* How many blocks the goal leaves free, of a problem that nlm_pddl_position accepts; -1 of others. */
int nlm_pddl_free_blocks(const nlm_pddl *pddl);

/* A plan without actions.  The problem must outlive it. */
nlm_status nlm_pddl_plan_new(const nlm_pddl *pddl, nlm_pddl_plan **plan, nlm_error *error);
void nlm_pddl_plan_free(nlm_pddl_plan *plan);
/* Add the actions of a move that is about to be made.  A move that changes nothing adds none, nor does any
 * once the goal holds. */
nlm_status nlm_pddl_plan_move(nlm_pddl_plan *plan, const nlm_position *position, const int *move,
                              nlm_error *error);
bool nlm_pddl_plan_done(const nlm_pddl_plan *plan);   /* the goal holds */
int nlm_pddl_plan_actions(const nlm_pddl_plan *plan); /* so far */
int nlm_pddl_plan_moves(const nlm_pddl_plan *plan);   /* that were added */
/* The plan in the form of IPC, "(stack a b)", one action a line, and at last "; cost = 6 (unit cost)".  It
 * was validated; a plan that does not reach the goal is refused.  The text holds as long as the plan stays.
 */
nlm_status nlm_pddl_plan_text(nlm_pddl_plan *plan, const char **text, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
