/* What a run on facts has shown, and what it has not.
 *
 * Fitting labels shows little: with few of them many rules fit.  What counts are answers about labels that a
 * machine did not learn from: those held out or, where these are few, those of cross-validation, in which the
 * labels are dealt out to five parts and each part is asked of a machine that learned from the four others
 * and never saw it. */
#ifndef NLM_EVIDENCE_H
#define NLM_EVIDENCE_H

#include "nlm/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers about labels, all targets together. */
typedef struct nlm_answers {
    size_t positives, wrong_positives; /* labels that are true */
    size_t negatives, wrong_negatives; /* labels that are false */
} nlm_answers;

typedef enum nlm_outcome {
    NLM_LEARNED,       /* with NLM_EVIDENCE_CONFIDENCE few of other labels will be wrong */
    NLM_TOO_LITTLE,    /* it fits what it was given, and that is too little to tell */
    NLM_CONTRADICTORY, /* labels contradict each other */
    NLM_NOT_LEARNED
} nlm_outcome;

/* Learned is what at most so many of other true labels, and of other false ones, contradict: 20 labels of a
 * kind, all of them right, are just enough to tell.  Where the program was chosen by literals and errors
 * (nlm_contradicted_labels), the share of labels that it contradicts is added: as many others will be wrong.
 */
#define NLM_EVIDENCE_CONFIDENCE 0.95
#define NLM_EVIDENCE_WRONG 0.15
/* The largest share of labels that are taken for mistakes: a program that contradicts more is not learned. */
#define NLM_EVIDENCE_NOISE 0.25

typedef struct nlm_evidence {
    nlm_outcome outcome;
    bool noisy;                    /* the program was chosen by literals and errors */
    bool clauses;                  /* the program was found without the machine, and without errors */
    bool is_too_noisy;             /* and contradicts more labels than NLM_EVIDENCE_NOISE */
    nlm_answers learned, held_out; /* of the model's file */
    nlm_answers validated;         /* of cross-validation; all 0: there was none */
    /* By the one of the two that has more labels: the largest share of wrong answers about other true and
     * false labels that could be, with that confidence. */
    double most_wrong_positives, most_wrong_negatives;
    /* Labels that are missing, if the next ones are all right; 0 unless the outcome is NLM_TOO_LITTLE. */
    size_t more_positives, more_negatives;
} nlm_evidence;

/* Of a run on facts with files, which has ended: its model is read and asked. */
nlm_status nlm_run_evidence(const nlm_run *run, nlm_evidence *evidence, nlm_error *error);

/* Labels that a model contradicts, those that look wrong first of all: world by world, in the order of the
 * objects.   The listener gets each as text, "uncle(a, b)" or
 * "uncle(a, b) of w1", and whether the label is true; it may be NULL.  *labels is the number of all labels.
 */
typedef nlm_status (*nlm_doubt_listener)(void *context, const char *text, bool is_true, nlm_error *error);
nlm_status nlm_doubted_labels(nlm_machine *machine, const char *name, const nlm_problem *problem,
                              const nlm_options *options, nlm_doubt_listener listener, void *context,
                              size_t *doubted, size_t *labels, nlm_error *error);

/* "learned", "too little to tell", "contradictory", "not learned". */
const char *nlm_outcome_text(nlm_outcome outcome);

/* The largest share p of which `wrong` of `asked` or fewer would be wrong with a probability of
 * 1 - confidence: an exact bound (Clopper and Pearson).  1 if nothing was asked. */
double nlm_share_bound(size_t asked, size_t wrong, double confidence);

#ifdef __cplusplus
}
#endif
#endif
