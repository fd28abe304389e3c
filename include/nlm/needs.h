/* What data needs of a machine, before any training.
 *
 * Tuples of one class carry the same values in every machine of that depth and breadth, whatever its weights
 * (docs/maths.md).  So if a class holds a true and a false label, no such machine can learn both. */
#ifndef NLM_NEEDS_H
#define NLM_NEEDS_H

#include "nlm/facts.h"
#include "nlm/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_NEEDS_DEPTH 8 /* the deepest machine that is looked at */

typedef enum nlm_separation {
    NLM_SEPARATED,   /* from some depth on no class holds both labels */
    NLM_INSEPARABLE, /* at no depth whatever: the classes stopped dividing */
    NLM_UNSEPARATED, /* not up to NLM_NEEDS_DEPTH, and the classes still divide */
    NLM_NOT_TRIED    /* it would take too much memory or time, or arities above the breadth are needed */
} nlm_separation;

typedef struct nlm_labelled_tuple {
    int world;
    int tuple[NLM_MAX_BREADTH];
} nlm_labelled_tuple;

/* One breadth. */
typedef struct nlm_need {
    nlm_separation separation;
    int worlds;     /* that were looked at: fewer than there are, evenly spread, where all are too many */
    int depth;      /* the smallest that separates, or the deepest that was looked at */
    size_t classes; /* of labelled tuples, at that depth: the fewer, the more general what is learned */
    size_t mixed;   /* of these, how many hold both labels; 0 when separated */
    /* The first mixed class, if there is one: a target, a tuple of it that is true and one that is false. */
    int target;
    nlm_labelled_tuple yes, no;
} nlm_need;

typedef struct nlm_needs {
    size_t true_labels, false_labels;
    /* Of one large world: objects of the neighbourhoods that were looked at, and their radius; else 0. */
    int neighbourhood, radius;
    nlm_need breadth[NLM_MAX_BREADTH + 1]; /* [0] is not used */
    /* What to take: of the breadths that separate with the fewest classes, give or take a tenth, the one
     * whose breadth times depth is least; of several the shallowest.  A breadth below 3 is taken if depth 2
     * is enough for it, or if no other separates.  0 if none does. */
    int best_breadth, best_depth;
} nlm_needs;

/* All worlds of the problem together, for breadths from the largest arity of a predicate or target up to
 * `most_breadth`.  Where their structure would take more than `most_bytes` (0: no limit), as many worlds are
 * looked at as fit, unless a smaller breadth will do; a breadth is not tried if that is not even a hundredth.
 * Of one large world, neighbourhoods are looked at: those of the smallest radius with which the labels are
 * separated. */
nlm_status nlm_problem_needs(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                             const nlm_options *options, nlm_needs *needs, nlm_error *error);

/* Whether nearly every label is a class of its own at the size to take: half as many classes as labels, or
 * more.  Whatever fits such labels learned most of them by heart.  *classes is their number. */
bool nlm_needs_by_heart(const nlm_needs *needs, size_t *classes);

/* Of a need that no depth meets: the facts that hold for both of its tuples, over their own objects, as
 * "parent(B, A)" where A is the first object of each. */
nlm_status nlm_need_common_facts(const nlm_problem *problem, const nlm_need *need, nlm_text_listener listener,
                                 void *context, nlm_error *error);
/* Facts of the user's own that an object is in. */
size_t nlm_problem_facts_about(const nlm_problem *problem, int world, int object);

#ifdef __cplusplus
}
#endif
#endif
