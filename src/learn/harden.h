/* Hardening: a machine whose units compute steps, 0 or 1, with the same answers.
 *
 * Learning goes on while all weights and biases of the units are multiplied, little by little: by k in all.
 * Noise on the biases keeps pre-activations away from 0, where a step would jump.  Every few hundred steps
 * the machine is asked with its units as steps; a machine without an error in many fresh worlds is hard.
 * There are several attempts with different noise, each from the same soft weights.
 *
 *     hardening_begin(&hardening, machine, &settings, NULL, 1, &options, &error);
 *     while (hardening.stage == HARDENING && hardening_step(&hardening, &error) == NLM_OK)
 *         continue;
 *     hardening_end(&hardening);
 *
 * The same machine, settings and seed give the same bits, for any number of threads. */
#ifndef LEARN_HARDEN_H
#define LEARN_HARDEN_H

#include "base/random.h"
#include "learn/rule_worlds.h"

/* So much all weights of the units of a hard machine are multiplied: sigmoid is then a step.  A power of 2,
 * so that dividing by it gives the same bits. */
#define HARD_SCALE 0x1p20f

/* Weights and biases of all units times a factor, so that the sign of every pre-activation stays the same. */
void hardening_scale(nlm_machine *machine, float factor);
/* Normal noise of a size on the biases of units. */
void hardening_add_noise(nlm_machine *machine, double size, random_stream *random);

/* An attempt; a ladder is a list of them that ends with one of 0 steps. */
struct hardening_attempt {
    int steps;
    double noise;  /* standard deviation, in units of k */
    double anneal; /* factor of noise and rate at every test once k is at its largest */
};

enum hardening_stage {
    HARDENING,
    HARDENED,
    NEARLY_HARDENED, /* errors in few worlds */
    NOT_HARDENED
};

enum { HARDENING_POOL = 64 };

struct hardening {
    /* progress */
    enum hardening_stage stage;
    int attempt, step; /* from 0 */
    double k, loss;    /* the loss is a running mean */
    int asked;         /* worlds of the last test with units as steps ... */
    size_t errors;     /* ... and wrong answers in them */

    /* work */
    nlm_machine *machine;
    const struct hardening_attempt *ladder;
    struct rule_worlds worlds;
    nlm_evaluator *evaluator;
    nlm_optimizer *optimizer;
    random_stream random;
    double rate, noise;
    float *soft;  /* the weights at the beginning */
    float *clean; /* those without noise, during a step */
    float *best;  /* those of the test with the smallest share of worlds with errors ... */
    double best_share;
    bool filled; /* the batch has all worlds that there are, and stays */
    int pooled;  /* worlds with errors ever put into the pool, which keeps the newest */
    uint64_t pool[HARDENING_POOL];
};

/* Whether a machine can be made hard: its units have one layer, and it has no sense. */
nlm_status hardening_check(const nlm_machine *machine, nlm_error *error);
/* Of a machine that a run with these settings has trained: with units of one layer, and without a sense;
 * others are NLM_BAD_ARGUMENT.  NULL for `ladder`: our own. */
nlm_status hardening_begin(struct hardening *hardening, nlm_machine *machine, const nlm_settings *settings,
                           const struct hardening_attempt *ladder, uint64_t seed, const nlm_options *options,
                           nlm_error *error);
/* One step of learning, now and then with a test.  When the stage becomes HARDENED or
 * NEARLY_HARDENED, the machine is hard; when it becomes NOT_HARDENED, it has its soft weights again. */
nlm_status hardening_step(struct hardening *hardening, nlm_error *error);
/* May be called at any time; the machine then has whatever weights it has. */
void hardening_end(struct hardening *hardening);

#endif
