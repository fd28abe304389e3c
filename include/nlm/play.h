/* Playing games: agents.
 *
 *     nlm_agent   a machine that chooses moves
 *
 * The probability of a move is the softmax of the scores that the machine's first head gives all moves. */
#ifndef NLM_PLAY_H
#define NLM_PLAY_H

#include "nlm/pddl.h"
#include "nlm/settings.h"
#include "nlm/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_agent nlm_agent;

typedef struct nlm_choice {
    int move[NLM_MAX_MOVE];
    double probability;
} nlm_choice;

/* How many moves an episode may have for each object, in tests; 0: as the game says.  More for other models
 * (nlm_spec.model): the games' own limits are below what the paper's memory networks took. */
int nlm_agent_moves(const nlm_spec *spec, const nlm_game *game);

/* A machine whose first head scores the game's moves; it must outlive the agent. */
nlm_status nlm_agent_new(nlm_machine *machine, const nlm_game *game, const nlm_options *options,
                         nlm_agent **agent, nlm_error *error);
void nlm_agent_free(nlm_agent *agent);
/* Work as the settings say from now on, in place of the machine's own (nlm_settings_at_work). */
void nlm_agent_use(nlm_agent *agent, const nlm_settings *settings);
/* The rule that chose the move of the last nlm_agent_next, counted from 1 in the order of the program's rules
 * (nlm/rules.h); 0 if none holds for any move, -1 of a model that has no rules. */
int nlm_agent_rule(const nlm_agent *agent);
/* The `most` most probable moves in a position, the first of equals first; *count of them, as there may be
 * fewer. */
nlm_status nlm_agent_choices(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                             int *count, nlm_error *error);

/* The same for the next move of an episode, but choices[0] is what the agent does, here and in tests.  With
 * the setting no_repeat it is the most probable move that it has not made in the same position before, so
 * that it never goes round in a circle; repeat_penalty makes it turn away from moves made in others.  It
 * remembers what it did; a position in which no move was made yet begins another episode. */
nlm_status nlm_agent_next(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                          int *count, nlm_error *error);

/* Play a position that nlm_pddl_position made to its end: until the problem's goal holds, or no move is left.
 * nlm_pddl_plan_done tells which. */
nlm_status nlm_agent_plan(nlm_agent *agent, const nlm_pddl *pddl, nlm_position *position,
                          nlm_pddl_plan **plan, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
