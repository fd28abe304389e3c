/* Playing games: agents, and learning to play from rewards.
 *
 *     nlm_agent     a machine that chooses moves
 *     nlm_course    what is learned and how: lessons, exams, rewards, optimiser
 *     nlm_student   one run of it, which can be stopped and taken up again
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

/* ---- courses ---- */

/* An update plays `batch` episodes, moves drawn by their probability, and follows the gradient of
 *
 *     mean over all steps t of  (return[t] - baseline) log p(move[t]) + entropy H(p)
 *
 * where a return is the sum of the rewards from t on, each step discounted.  Every `interval` episodes there
 * is an exam: instances of the three most recent lessons (a lesson is a number of objects), solved with
 * moves drawn by probability.  What it solves and fails fills two pools, from which the next episodes take
 * their instances.  An exam that solves enough is followed by the exam of the next lesson, with a lower rate
 * and entropy; the one after the last lesson by the final exam, which is greedy and allows no failure. */
typedef struct nlm_course {
    const nlm_game *game;
    nlm_protocol protocol; /* where the settings come from; what counts is below */
    nlm_spec spec;
    uint64_t seed; /* of the initial weights, the instances and the moves */
    int first_lesson, last_lesson;
    int episodes; /* the budget */
    int interval, exam, final_exam, pool;
    int final_objects; /* every eighth instance of a final exam has so many objects, and is not learned from;
                          0: all are as in other exams */
    int deepest; /* half of the instances are each the deepest of so many, with the tallest towers; 0: none */
    int batch;
    int rollouts; /* so many episodes of a batch share an instance, and the mean of their returns is the
                     baseline; 0: there is none */
    int passes;   /* updates from each batch, the later ones weighted by how probable the moves still are */
    int greedy_rollouts; /* so many of them make their most probable moves, as in tests */
    int greedy_exams;    /* 1: exams do so too, all of them, and in the final one no move is made twice in the
                            same position, as in tests; 0: only the final one is greedy */
    int optimal_exams;   /* 1: an instance counts as solved in the least number of moves only, where it is
                            known */
    int keep_failures;   /* 1: failures of earlier exams stay in the pool while there is room, not only those
                            that still fail; a final exam then ends with its first failure, once the pool of
                            solved instances is full */
    int patience; /* a run is dropped when it has used more than this many episodes per lesson passed plus
                     one; 0: never */
    int restart;  /* begin again with new weights when so many episodes did not suffice; 0: never */
    double gain;  /* the first weights are so many times larger than nlm_machine_initialise has them */
    double rate, rate_decay, beta2;
    double final_decay; /* of the rate, after each final exam that was not passed; 1: none */
    double entropy, entropy_decay;
    double discount;
    double average; /* exams see a running average of the weights, whose memory this is; 0: the weights */
    double solved_share; /* of episodes with instances from the pool of solved ones */
    double slack;        /* an exam may fail this share of its instances for each lesson before the last */
    double validity;     /* weight of the cross-entropy of predicting which moves are legal, by a head of its
                            own; only blocks has it */
} nlm_course;

/* The settings of a protocol for a game, with seed 1. */
nlm_status nlm_course_default(const nlm_game *game, nlm_protocol protocol, nlm_course *course,
                              nlm_error *error);
/* nlm_training_use_model for a game.  A memory network has other settings than the machine in sort. */
nlm_status nlm_course_use_model(nlm_course *course, const char *model, nlm_error *error);
/* The settings that a model or checkpoint was trained with, from its metadata. */
nlm_status nlm_course_of(const nlm_machine *machine, const char *name, nlm_course *course, nlm_error *error);
/* Whether a run with one is a run with the other, the budget left out; if not, the error tells why. */
nlm_status nlm_course_compare(const nlm_course *found, const nlm_course *wanted, const char *name,
                              nlm_error *error);

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
nlm_status nlm_student_new(const nlm_course *course, const nlm_options *options, nlm_student **student,
                           nlm_error *error);
void nlm_student_free(nlm_student *student);
/* One update, or a part of an exam; *exam_ended (NULL will do) tells whether it was the last part.  Only
 * while the stage is NLM_LEARNING. */
nlm_status nlm_student_step(nlm_student *student, bool *exam_ended, nlm_error *error);

nlm_stage nlm_student_stage(const nlm_student *student);
const nlm_course *nlm_student_settings(const nlm_student *student);
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
nlm_status nlm_student_load(const char *path, const nlm_course *course, const nlm_options *options,
                            nlm_student **student, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
