/* Playing games: agents, and learning to play from rewards.
 *
 *     nlm_agent     a machine that chooses moves
 *     nlm_student   one run, which can be stopped and taken up again
 *
 * The probability of a move is the softmax of the scores that the machine's first head gives all moves. */
#ifndef NLM_PLAY_H
#define NLM_PLAY_H

#include "nlm/game.h"
#include "nlm/learn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- agents ---- */

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
/* The `most` most probable moves in a position, the first of equals first; *count of them, as there may be
 * fewer. */
nlm_status nlm_agent_choices(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                             int *count, nlm_error *error);

/* The same for the next move of an episode, but choices[0] is what the agent does, here and in tests: the
 * most probable move that it has not made in the same position before, so that it never goes round in a
 * circle. It remembers what it did; a position in which no move was made yet begins another episode. */
nlm_status nlm_agent_next(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                          int *count, nlm_error *error);

/* ---- students ---- */

typedef struct nlm_student nlm_student;

/* What an exam showed, and the episodes learned from before it. */
typedef struct nlm_exam {
    int exam;       /* its number, from 1; 0 before the first has ended */
    int lesson;     /* objects */
    bool candidate; /* the final exam */
    bool passed;
    long episodes; /* learned from since the run began */
    long drawn;    /* instances drawn since then, those of exams among them */
    int restarts;  /* since the run began */
    int asked, solved;
    double success, threshold; /* the share solved, and what is enough */
    double moves;              /* mean over the solved */
    double train_success;      /* share of the episodes since the exam before; so are the next two */
    double loss, entropy;
    double seconds; /* since the exam before */
    double elapsed; /* since the run began, pauses left out */
} nlm_exam;

/* Settings are copied. */
nlm_status nlm_student_new(const nlm_settings *course, const nlm_options *options, nlm_student **student,
                           nlm_error *error);
void nlm_student_free(nlm_student *student);
/* One update, or a part of an exam; *exam_ended (NULL will do) tells whether it was the last part.  Only
 * while the stage is NLM_LEARNING. */
nlm_status nlm_student_step(nlm_student *student, bool *exam_ended, nlm_error *error);

nlm_stage nlm_student_stage(const nlm_student *student);
const nlm_settings *nlm_student_settings(const nlm_student *student);
/* The last exam that ended, and what is going on since then: the lesson, episodes learned from since the run
 * began, instances of an exam asked. */
const nlm_exam *nlm_student_exam(const nlm_student *student);
int nlm_student_lesson(const nlm_student *student);
bool nlm_student_candidate(const nlm_student *student);
long nlm_student_episodes(const nlm_student *student);
int nlm_student_asked(const nlm_student *student);
nlm_machine *nlm_student_machine(nlm_student *student);

/* As for nlm_trainer; a checkpoint is written between an exam and what follows. */
nlm_status nlm_student_save_model(nlm_student *student, const char *path, nlm_error *error);
nlm_status nlm_student_save_checkpoint(nlm_student *student, const char *path, nlm_error *error);
nlm_status nlm_student_load(const char *path, const nlm_settings *course, const nlm_options *options,
                            nlm_student **student, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
