/* Proofs about models: what a machine computes in every world, of any size.
 *
 * The checker reads the model alone (spec and tensors) and shares no code with what finds or compiles
 * programs.  First it shows that every predicate the answers depend on is exactly 0 or 1 wherever facts are
 * (docs/maths.md, section 15).  Then, if rules are given, it shows that these are what the machine computes,
 * or a world on which they differ. */
#ifndef NLM_PROVE_H
#define NLM_PROVE_H

#include "nlm/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nlm_verdict {
    NLM_PROVED,   /* all units are exactly 0 or 1 and, with rules, these are what the machine computes */
    NLM_SOFT,     /* some unit may be neither 0 nor 1 */
    NLM_REFUTED,  /* there is a world on which machine and rules differ */
    NLM_UNDECIDED /* neither a proof nor such a world was found within the bounds */
} nlm_verdict;

typedef struct nlm_proof {
    nlm_verdict verdict;
    int units;         /* predicates of units, and heads, that the answers depend on */
    int soft;          /* of these, not always 0 or 1 */
    double margin;     /* the least distance of a sum of weights from 0, of units that are hard */
    int objects;       /* of NLM_UNDECIDED: in no world of up to this number of objects they differ */
    char *definitions; /* what the machine computes, a line each; "" of NLM_SOFT */
    char *reason;      /* of NLM_SOFT: the first such unit, and the inputs for which it is not */
    /* Of NLM_REFUTED: the smallest world that was found, as facts in Prolog's syntax, a line each; the atom
     * on which they differ, and whether the machine concludes it (then the rules do not). */
    char *world, *atom;
    bool machine_concludes;
} nlm_proof;

/* The signature is the model's (nlm_program_names); NULL for an agent without rules.  With NULL for `rules`,
 * which must be so without a signature, the proof is about units only.  The rules of an agent are a list, a
 * target for each: it is proved that the agent chooses by that list.
 *
 * NLM_BAD_ARGUMENT: the rules are about predicates that the model does not have, or the model is one that
 * proofs do not cover: with hidden layers in its units, with a head for twins, or no machine.  Inputs that a
 * network makes of pictures are taken as facts.  The number of steps is bounded, and the same everywhere. */
nlm_status nlm_prove(nlm_machine *machine, const nlm_signature *signature, const nlm_program *rules,
                     nlm_proof **proof, nlm_error *error);
void nlm_proof_free(nlm_proof *proof);

#ifdef __cplusplus
}
#endif
#endif
