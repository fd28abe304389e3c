/* What the predicates of a draft mean: which are read, which are concluded, in which form each statement goes
 * into a world; by the files and what was asked for, or by the signature of a model. */
#ifndef FACTS_MEANING_H
#define FACTS_MEANING_H

#include "facts/draft.h"
#include "facts/pattern.h"
#include "facts/signature.h"

typedef struct meaning_role {
    bool is_input, is_target;
    bool facts_label; /* its facts are true labels */
    bool declares;    /* object/1 or object/2, whose facts declare objects */
    int type[NLM_MAX_FACT_ARITY];
    int numbers;   /* so many last arguments of its facts are numbers; then it is no input, */
    int attribute; /* but has attributes in the signature, from this one on; or -1 */
    /* Patterns that occur, as bits, and the number that each has in the signature, or -1; by side. */
    unsigned seen[SIGNATURE_SIDES];
    int number[SIGNATURE_SIDES][PATTERN_CODES];
} meaning_role;

typedef struct meaning {
    buffer roles; /* meaning_role for each predicate of the draft */
    nlm_signature *signature;
    bool is_model; /* the signature is a model's */
    /* Targets of the signature as bits: those that have labels, and those that have them in files of their
     * own, exs.pl or tables, which no world may lack. */
    unsigned labelled, by_examples, by_table;
    bool closed;
} meaning;

/* Find it, and add notes to the draft on all that does not count.  To be freed whatever the status. */
nlm_status meaning_find(meaning *found, draft *in, const nlm_reading *reading, const char *path,
                        nlm_error *error);
void meaning_free(meaning *found);

static inline meaning_role *meaning_at(const meaning *in, int predicate)
{
    return (meaning_role *)in->roles.data + predicate;
}

/* The side of the signature that a statement belongs to, or -1. */
static inline int meaning_side(const meaning_role *role, draft_kind kind)
{
    if (kind != DRAFT_FACT || role->facts_label)
        return role->is_target ? SIGNATURE_TARGETS : -1;
    return role->is_input ? SIGNATURE_INPUTS : -1;
}

/* Targets whose labels are in files that a world does not have, as bits.  Only with a model there are any:
 * elsewhere these worlds are refused. */
unsigned meaning_missing(const meaning *found, const draft *in, const draft_world *world);

/* The refusal of a world that has no objects. */
nlm_status meaning_refuse_empty(const meaning *found, const draft *in, const char *world, const char *path,
                                nlm_error *error);

/* ---- parts, each in its file ---- */

/* Whether a predicate's facts declare objects, unless it is to be concluded. */
bool meaning_declares(const draft *in, int predicate);
/* A table without rows becomes a predicate of the arity that the text of a target, "near/2", tells. */
nlm_status meaning_use_table(draft *in, const char *text, nlm_error *error);
/* The predicate that a text such as "uncle/2" or "uncle" asks for. */
nlm_status meaning_target(const draft *in, const char *text, const char *path, int *predicate,
                          nlm_error *error);
/* Notes on what does not count, or is not there. */
nlm_status meaning_notes(const meaning *found, draft *in, const char *path, nlm_error *error);

#endif
