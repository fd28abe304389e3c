/* Hardening of an agent: a machine whose units are 0 or 1 and that solves every instance in no more moves
 * than the trained one.
 *
 * The trained machine, greedy, is the teacher.  The pupil, which begins as its copy, learns to imitate it
 * while its weights grow and noise is on its biases (learn/harden.h).  An agent's scores differ little among
 * good moves, and softmax would not show which it makes: the teacher's probabilities are those of many times
 * its scores.  Positions are those that the pupil comes to, and half of them those where it
 * failed as a hard machine. */
#ifndef LEARN_POLICY_HARDEN_H
#define LEARN_POLICY_HARDEN_H

#include "learn/harden.h"
#include "learn/policy_fresh.h"

enum { POLICY_BATCH = 8, POLICY_POOL = 64 };

struct policy_hardening {
    /* progress */
    enum hardening_stage stage;
    int attempt, step;
    double k, loss;
    int asked;
    size_t errors; /* instances of the last test that were not solved as well as by the teacher */

    /* work */
    nlm_machine *machine;
    struct policy_teacher *teacher;
    struct policy_fresh *fresh;
    struct policy_machine pupil, model; /* model: the teacher on the batch; it plays meanwhile */
    nlm_optimizer *optimizer;
    random_stream random;
    double rate, noise;
    float *soft, *clean, *best; /* best: of the test with the smallest share of failures, hard */
    double best_share;
    uint64_t next; /* instance */
    nlm_position *live[POLICY_BATCH], *failed[POLICY_POOL];
    bool is_live[POLICY_BATCH];
    int failures; /* ever put into the pool */
    buffer wanted, given;
};

/* The machine becomes hard, with head weights that are rounded (policy_machine_round).  It solves the fresh
 * instances too, or is NEARLY_HARDENED. */
nlm_status policy_hardening_begin(struct policy_hardening *of, nlm_machine *machine,
                                  struct policy_fresh *fresh, uint64_t seed, const nlm_options *options,
                                  nlm_error *error);
nlm_status policy_hardening_step(struct policy_hardening *of, nlm_error *error);
void policy_hardening_end(struct policy_hardening *of);

#endif
