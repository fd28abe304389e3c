/* A run of a course, between its files.
 *
 * All that a run consists of between an exam and what follows is: parameters, their average, Adam's moments,
 * the memory of legal and illegal moves, and the numbers of `state`.  Instances are functions of the seed and
 * their number, random choices of the seed and the number of the episode or round. */
#ifndef LEARN_STUDENT_H
#define LEARN_STUDENT_H

#include "base/team.h"
#include "learn/actor.h"
#include "learn/validity.h"
#include "machine/optimizer.h"
#include "nlm/play.h"

enum { STUDENT_GROUP = 8, STUDENT_WAVE = 64 }; /* episodes side by side; in one part of an exam */

struct instance {
    uint64_t number;
    int objects;
};

/* Instances to learn from, taken in turn; shuffled before each turn. */
struct pool {
    int count, next;
    buffer items; /* struct instance */
};

struct student_state {
    nlm_stage stage;
    nlm_exam exam; /* the last that ended */
    int lesson;
    bool candidate; /* all lessons are passed, the final exam is not */
    bool exam_due;  /* at once: an exam was passed */
    int passed;     /* exams since the present weights were new */
    long begun;     /* episodes when they were */
    long episodes;  /* learned from */
    double rate, entropy;
    uint64_t next_instance, next_episode, next_round;
};

/* Since the last exam ended. */
struct student_running {
    int updates, episodes, solved;
    double loss, entropy, seconds;
};

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

struct nlm_student {
    nlm_settings settings;
    nlm_machine *machine;
    nlm_optimizer *optimizer;
    float
        *average; /* of the parameters; while an exam is going on, it and the machine's have changed places */
    struct actor learner;
    int players;
    struct player *player;
    struct team *team;
    int episode_count; /* allocated */
    struct episode *episode;
    int playing; /* episodes of the present job */
    struct instance wave[STUDENT_WAVE];
    struct pool solved, failed;
    struct validity validity;
    struct student_state state;
    struct student_running running;
    struct exam_running exam;
};

/* ---- student.c ---- */

/* Random numbers for the choices of one update, or of a part of an exam. */
random_stream student_round(nlm_student *student);
nlm_status student_fresh(nlm_student *student, random_stream *random, struct instance *instance,
                         nlm_error *error);
/* Begin episode number `slot` of the next job, at an instance. */
nlm_status student_begin(nlm_student *student, int slot, struct instance instance, bool greedy,
                         nlm_error *error);
/* Play the first so many to their end. */
nlm_status student_play(nlm_student *student, int count, nlm_error *error);
/* Let the average and the machine's parameters change places. */
void student_exchange(nlm_student *student);
/* What follows from the last exam: the end of the budget, or just the next episodes. */
void student_go_on(nlm_student *student);

/* ---- exam.c ---- */

nlm_status pool_add(struct pool *pool, struct instance instance, nlm_error *error);
void pool_shuffle(struct pool *pool, random_stream *random);

/* One part of an exam; *ended tells whether it was the last. */
nlm_status exam_step(nlm_student *student, bool *ended, nlm_error *error);

#endif
