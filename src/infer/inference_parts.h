/* An inference, inside src/infer: its parts, and where its answers come from.
 *
 * Answers about the world that was asked about are computed in one of three ways: by the machine for all
 * tuples at once, by the model's program tuple by tuple (logic/tuple_truth.h), or by joins (engine/engine.h),
 * which find the tuples that are concluded and no others. */
#ifndef INFER_INFERENCE_PARTS_H
#define INFER_INFERENCE_PARTS_H

#include "engine/engine.h"
#include "infer/coverage.h"
#include "infer/object_images.h"
#include "infer/seen_classes.h"
#include "logic/tuple_truth.h"
#include "nlm/infer.h"

/* One tuple after the other of a target. */
struct asking {
    int target, arity, objects;
    double least;       /* tuples with greater logits */
    size_t next, count; /* tuples by number; joins: where all are wanted */
    bool every;         /* joins: not only those that are concluded */
    bool waits, ended;  /* joins: `row` is the next conclusion; there is none */
    int row[NLM_MAX_BREADTH];
};

typedef struct answer {
    bool found;
    size_t number;
    int tuple[NLM_MAX_BREADTH];
    float logit;
} answer;

struct nlm_inference {
    nlm_machine *machine;
    char *name, *images; /* images: NULL for a model without a sense */
    double memory;       /* infinite: no limit */
    nlm_signature *signature;
    nlm_engine wanted;
    char *database;
    engine_listener listener;
    nlm_evaluator *evaluator;
    nlm_program *program;   /* of a model that computes it, once a large world was asked about */
    bool looked;            /* for a program */
    bool near;              /* it asks about near objects only (logic/guarded.h) */
    tuple_truth *truth;     /* of the program in the world that was asked about last, or NULL; */
    join_engine *engine;    /* or its joins; the machine has answered where both are NULL */
    coverage *coverage;     /* of a program; NULL: not known */
    seen_classes *classes;  /* of a machine that has none; NULL: not known */
    const nlm_world *world; /* that was asked about last: the caller's or, with images, `shown`; or NULL */
    nlm_world *shown;
    char note[OBJECT_IMAGES_NOTE];
    buffer logits; /* float [objects]^arity */
    buffer labels; /* signed char, the same */
    buffer values; /* signed char, the same: of a program */
    buffer text;   /* of the last conclusion */
    struct asking asking;
};

/* Decide what answers about the world, and compute what it needs.  `title` stands for the world in messages.
 */
nlm_status answers_choose(nlm_inference *of, const char *title, nlm_error *error);
/* Forget the answers. */
void answers_drop(nlm_inference *of);
/* Logits of all tuples of a target and, if they are wanted, its labels; `count` of each. */
nlm_status answers_lay_out(nlm_inference *of, int target, bool labelled, size_t *count, nlm_error *error);
/* Then: the tuples of a target whose logits are above `least`, in their order. */
nlm_status answers_begin(nlm_inference *of, int target, double least, nlm_error *error);
nlm_status answers_next(nlm_inference *of, answer *next, nlm_error *error);
nlm_status answers_no_memory(const nlm_world *world, const char *title, nlm_error *error);

#endif
