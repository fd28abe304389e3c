/* The rules of a machine that sees pictures, over what its network sees: the search of nlm/rules.h for such
 * machines.
 *
 *     sights      output k of the network for an object, above a bound: sees_k(X), a fact like any other.
 *                 The bound of an output is the middle of the widest gap between logits that it has
 *     worlds      some of the task, with the sights of the objects in the place of their pictures
 *     program     chosen for these by literals and errors, as for labels of which some are wrong
 *                 (clause_program.h): the network misreads some pictures
 *     accepted    if it makes no more errors than the machine, in other worlds; 0.2 % of the labels aside
 *
 * The model of the program has the network, with outputs that are steps at their bounds (machine/sensing.h).
 */
#ifndef LEARN_PICTURE_RULES_H
#define LEARN_PICTURE_RULES_H

#include "base/team.h"
#include "nlm/program.h"
#include "nlm/settings.h"

#define SIGHTS_KEY "sights" /* metadata: the digits on which outputs are true (nlm_machine_sight) */

typedef struct picture_rules {
    nlm_program *program; /* owned; NULL: none */
    int errors;           /* labels that it contradicts, of those it was found from */
    float *bound;         /* logits, of each output; memory_free it */
    char *sights;         /* the text of SIGHTS_KEY; free it */
    char reason[200];     /* why there is none */
} picture_rules;

/* Whether these settings learn from pictures. */
bool picture_rules_meant(const nlm_settings *settings);
/* The machine was trained with the settings, whose task has the pictures. */
nlm_status picture_rules_find(const nlm_machine *machine, const nlm_settings *settings, struct team *team,
                              picture_rules *found, nlm_error *error);
/* Of a search that failed: all that it has found so far. */
void picture_rules_release(picture_rules *found);

#endif
