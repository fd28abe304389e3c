/* A run that learns from rewards: a course of lessons and exams in a game (docs/maths.md, section 8).
 *
 * All that a run consists of between an exam and what follows is: parameters, their average, Adam's moments,
 * the memory of legal and illegal moves, and the numbers of `state`.  Instances are functions of the seed and
 * their number, random choices of the seed and the number of the episode or round.
 *
 *     from_rewards.c   episodes and updates, when an exam is due, restarts
 *     actor.c          a machine that plays and learns from what it played
 *     exam.c           exams, pools, lessons, graduation
 *     polish.c         fewer moves, after graduation
 *     validity.c       the auxiliary loss of the blocks world
 *     rewards_file.c   checkpoints
 *
 * Threads.  Episodes are played by several players at a time, each with a pass of its own on the one machine,
 * which nobody changes meanwhile.  Which player gets which group of episodes does not matter: an episode
 * depends on its own random stream and on the machine.  Learning uses one actor with all threads. */
#ifndef LEARN_FROM_REWARDS_H
#define LEARN_FROM_REWARDS_H

#include "base/team.h"
#include "learn/actor.h"
#include "learn/run.h"
#include "learn/validity.h"

enum { EPISODE_GROUP = 8, EXAM_WAVE = 64 }; /* episodes side by side; in one part of an exam */

/* An instance by name: with the seed of the run, nlm_position_draw makes the position of it. */
struct instance {
    uint64_t number;
    int objects;
};

/* Instances to learn from, taken in turn; shuffled before each turn. */
struct pool {
    int count, next;
    buffer items; /* struct instance */
};

/* What a checkpoint holds beside tensors and pools.  The three counters at the end are never set back, so no
 * random number and no instance is used twice, restarts included. */
struct rewards_state {
    nlm_exam exam; /* the last that ended */
    int lesson;
    bool candidate;      /* all lessons are passed, the final exam is not */
    bool exam_due;       /* at once: an exam was passed */
    int passed;          /* exams since the present weights were new */
    long begun;          /* episodes when they were */
    long episodes;       /* learned from */
    bool polishing;      /* the final exam is passed: fewer moves are learned */
    long polish_begun;   /* episodes when that began */
    double polish_moves; /* mean in the exam that the graduate passed */
    double rate, entropy;
    uint64_t next_instance, next_episode, next_round;
};

/* Since the last exam ended. */
struct rewards_running {
    int updates, episodes, solved;
    double loss, entropy, seconds;
};

/* The exam that is going on.  Its pools are filled while those of the run serve as they are; end_exam
 * exchanges them. */
struct exam_running {
    bool going;
    int asked, solved;
    int again; /* failures of the last exam that were tried again */
    long moves;
    struct pool solved_pool, failed_pool;
};

/* One thread's part in playing. */
struct player {
    struct actor actor;
    nlm_status status;
    nlm_error error;
};

/* The run.  It owns everything here.  `episode` is shared by training and exams, which take turns; `wave` is
 * the part of an exam that is being played, in the order of the episodes. */
struct rewards_run {
    struct nlm_run run;
    float *average;  /* of the parameters; while an exam is going on, it and the machine's have changed
                        places */
    float *graduate; /* with polishing: the parameters that passed the final exam */
    struct actor learner;
    int players;
    struct player *player;
    struct team *team;
    int episode_count; /* allocated */
    struct episode *episode;
    int playing; /* episodes of the present job */
    struct instance wave[EXAM_WAVE];
    struct pool solved, failed;
    struct validity validity;
    struct rewards_state state;
    struct rewards_running running;
    struct exam_running exam;
};

/* ---- from_rewards.c ---- */

/* Random numbers for the choices of one update, or of a part of an exam. */
random_stream rewards_round(struct rewards_run *s);
/* An instance that was not drawn before, of one of the recent lessons. */
nlm_status rewards_fresh(struct rewards_run *s, random_stream *random, struct instance *instance,
                         nlm_error *error);
/* Begin episode number `slot` of the next job, at an instance. */
nlm_status rewards_begin(struct rewards_run *s, int slot, struct instance instance, bool greedy,
                         nlm_error *error);
/* Play the first so many to their end, shared out over the players.  An error of any of them is returned. */
nlm_status rewards_play(struct rewards_run *s, int count, nlm_error *error);
/* Let the average and the machine's parameters change places; nothing without averages. */
void rewards_exchange(struct rewards_run *s);
/* What follows from the last exam: the end of the budget, new weights, or just the next episodes.  Also
 * called for a run that was read from a file. */
void rewards_go_on(struct rewards_run *s);

/* ---- exam.c ---- */

nlm_status pool_add(struct pool *pool, struct instance instance, nlm_error *error);
void pool_shuffle(struct pool *pool, random_stream *random);

/* One part of an exam; *ended tells whether it was the last. */
nlm_status exam_step(struct rewards_run *s, bool *ended, nlm_error *error);

/* ---- polish.c ---- */

/* The agent that has just passed the final exam, as the machine is now, is to be improved. */
void polish_begin(struct rewards_run *s);
/* An instance to polish with; episodes of an update; advantages of those of one instance. */
struct instance polish_instance(struct rewards_run *s, random_stream *random);
int polish_batch(const struct rewards_run *s);
void polish_advantages(struct episode *episodes, int count);
/* Whether it is time for an exam, and what follows from one that has ended. */
bool polish_exam_is_due(const struct rewards_run *s);
void polish_judge(struct rewards_run *s, bool passed);

/* ---- rewards_file.c: as in struct run_type ---- */

nlm_status rewards_describe(const nlm_run *run, struct run_pairs *to, nlm_error *error);
nlm_status rewards_save(nlm_run *run, const char *path, struct run_pairs *to, nlm_error *error);
nlm_status rewards_read(nlm_run *run, const struct run_reader *in);
void rewards_recall(nlm_run *run, const nlm_machine *model);

#endif
