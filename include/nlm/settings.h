/* Settings: all that a run depends on, whatever is learned (a task, facts or a game).
 *
 * The same settings give the same bits.  Numbers that do not belong to a kind of run are 0 and are neither
 * checked, written nor compared for it. */
#ifndef NLM_SETTINGS_H
#define NLM_SETTINGS_H

#include "nlm/game.h"
#include "nlm/needs.h"
#include "nlm/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nlm_protocol {
    NLM_PROTOCOL_BEST, /* ours: within the paper's budget, and hardly ever without success */
    NLM_PROTOCOL_PAPER /* the paper's own */
} nlm_protocol;

/* "best", and the protocol of that name; false if there is none. */
const char *nlm_protocol_name(nlm_protocol protocol);
bool nlm_protocol_find(const char *name, nlm_protocol *protocol);

/* Learning from examples, of a task or of facts: a step draws `batch` worlds and follows the gradient of
 * their mean cross-entropy with Adam (RMSProp if the model is "dilp").  An epoch has `batches` steps.  A run
 * ends when it graduates, or after `epochs`.  The worlds are those of a task, which makes them, or those of a
 * problem, which has them.  Part of a problem is held out: worlds, or of a single world labels.  An exam on
 * that part ends every epoch; a run graduates when it finds no error, and the training data has none either.
 * The model of a run that does not graduate is that of the epoch with the best held-out score.
 *
 * Learning from rewards, of a game: an update plays `batch` episodes, moves drawn by their probability, and
 * follows the gradient of
 *
 *     mean over all steps t of  (return[t] - baseline) log p(move[t]) + entropy H(p)
 *
 * where a return is the sum of the rewards from t on, each step discounted.  Every `interval` episodes there
 * is an exam: instances of the three most recent lessons (a lesson is a number of objects), solved with
 * moves drawn by probability.  Solved and failed instances fill two pools, from which the next episodes take
 * their instances.  An exam that solves enough is followed by the exam of the next lesson, with a lower rate
 * and entropy; the one after the last lesson by the final exam, which is greedy and allows no failure. */
typedef struct nlm_settings {
    /* One of the three; of facts, settings that were read from a file have none. */
    const nlm_task *task;
    const nlm_problem *problem; /* must outlive whoever has the settings */
    const nlm_game *game;
    nlm_protocol protocol; /* the source of the values below, which alone count */
    nlm_spec spec;

    /* of every run */
    uint64_t seed; /* of the initial weights, and of the worlds, or of the instances and the moves */
    int batch;
    int exam; /* a task: graduation needs no error on this many fresh worlds; 0: no exam.  A game: instances
                 of each exam */
    int patience; /* examples: after this many epochs in a row with errors (of pictures, and with a threshold
                     of 0: near chance), begin again with new weights.  A game: the run is dropped when it has
                     used more than this many episodes per lesson passed plus one.  0: never */
    double gain;  /* factor of the first weights, relative to nlm_machine_initialise */
    double rate, beta2; /* of Adam, whose beta1 is 0.9 */
    double rate_decay;  /* factor of the rate after each epoch or lesson */

    /* of learning from examples */
    uint64_t data;   /* nlm_problem_digest of the problem, nlm_gallery_digest of a task's gallery; else 0 */
    double held_out; /* fraction of a problem that is held out */
    int objects;     /* of every world; of a problem: the most of any */
    int batches, epochs;
    double threshold;    /* graduation needs an epoch's mean loss below this; 0: the budget is always used */
    int positive_worlds; /* worlds of a batch that are drawn until they have a true tuple */
    int deep_worlds; /* worlds that are each the deepest of 16: with the most generations, the longest paths
                      */
    int replay;      /* worlds of a batch that had errors before */
    int shift;       /* pictures to learn from are moved by up to this many pixels each way */
    double labels;   /* fraction of the labels, drawn at random, used in a step; 0: all */

    /* of games */
    int first_lesson, last_lesson;
    int episodes; /* the budget */
    int interval, final_exam, pool;
    int final_objects; /* objects in one of every eight instances of a final exam, which are not learned from;
                          0: all are as in other exams */
    int deepest;  /* half of the instances are each the deepest of this many, with the tallest towers; 0: none
                   */
    int rollouts; /* episodes of a batch that share an instance; the mean of their returns is the baseline;
                     0: there is none */
    int passes;   /* updates from each batch, the later ones weighted by how probable the moves still are */
    int greedy_rollouts; /* rollouts that make their most probable moves, as in tests */
    int greedy_exams;    /* 1: all exams do so too, and in the final one no move is made twice in the same
                            position, as in tests; 0: only the final one is greedy */
    int optimal_exams;   /* 1: an instance counts as solved in the least number of moves only, where that is
                            known */
    int keep_failures;   /* 1: failures of earlier exams stay in the pool while there is room, not only those
                            that still fail; a final exam then ends with its first failure, once the pool of
                            solved instances is full */
    int restart;         /* begin again with new weights after this many episodes; 0: never */
    double final_decay;  /* of the rate, after each final exam that was not passed; 1: none */
    double entropy, entropy_decay;
    double discount;
    double average; /* exams see a running average of the weights, whose memory this is; 0: the weights */
    double solved_share; /* fraction of episodes with instances from the pool of solved ones */
    double slack;        /* an exam may fail this fraction of its instances for each lesson before the last */
    double validity;     /* weight of the cross-entropy of predicting which moves are legal, by a head of its
                            own; only blocks has it */
} nlm_settings;

/* The settings of a protocol for a task or a game, with seed 1. */
nlm_status nlm_settings_of_task(const nlm_task *task, nlm_protocol protocol, nlm_settings *settings,
                                nlm_error *error);
nlm_status nlm_settings_of_game(const nlm_game *game, nlm_protocol protocol, nlm_settings *settings,
                                nlm_error *error);
/* The same for a problem, for a machine of the size that it needs (NULL: of depth 4, and one breadth more
 * than its arities). */
nlm_status nlm_settings_of_problem(const nlm_problem *problem, const nlm_needs *needs, nlm_protocol protocol,
                                   nlm_settings *settings, nlm_error *error);

/* Learn the same with another model, "memnn" ("nlm": the machine itself), at the size that the paper gives
 * it.  All else stays, so begin with the settings of the paper's protocol to compare as the paper does; only
 * sort has other settings for a memory network. */
nlm_status nlm_settings_use_model(nlm_settings *settings, const char *model, nlm_error *error);

/* Templates: what differentiable ILP, the model "dilp", may define its target by.  From a file
 * (docs/formats.md, templates.pl), or those that the library has for a task; NLM_BAD_ARGUMENT if it has none.
 */
typedef struct nlm_templates nlm_templates;
nlm_status nlm_templates_read(const char *path, nlm_templates **templates, nlm_error *error);
nlm_status nlm_templates_of_task(const nlm_task *task, nlm_templates **templates, nlm_error *error);
void nlm_templates_free(nlm_templates *templates);
/* Learn the same with the model "dilp", as its authors do: 6,000 steps of RMSProp, each on a part of the
 * labels of one world.  All of them are made; the run has graduated if the last epoch's mean loss is below
 * the threshold, here 1e-4.  The settings point into the templates, which serve one run at a time. */
nlm_status nlm_settings_use_templates(nlm_settings *settings, nlm_templates *templates, nlm_error *error);

/* The settings that a model or checkpoint was trained with, from its metadata; NLM_BAD_FILE if it has none,
 * or not of a task or game that this version knows.  `name` stands for the model in messages.  A problem is
 * not in the file: of one trained on facts, task, problem and game are NULL, and `data` tells which facts.
 * Nor are pictures: where `data` tells of some, the task wants its gallery before a run can begin.  The spec
 * points into the machine. */
nlm_status nlm_settings_of_machine(const nlm_machine *machine, const char *name, nlm_settings *settings,
                                   nlm_error *error);
/* Whether a run with one is a run with the other: all settings are equal, the budget left out.  If not, the
 * error tells the difference; `name` stands for the file that has the first. */
nlm_status nlm_settings_compare(const nlm_settings *found, const nlm_settings *wanted, const char *name,
                                nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
