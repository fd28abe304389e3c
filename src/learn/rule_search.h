/* A search for a program (nlm/rules.h): its state, and what runs ask of it beside what everybody may. */
#ifndef LEARN_RULE_SEARCH_H
#define LEARN_RULE_SEARCH_H

#include "learn/clause_program.h"
#include "learn/harden.h"
#include "learn/rule_order.h"
#include "logic/seen_rows.h"
#include "nlm/evidence.h"
#include "nlm/rules.h"

/* Orders of elimination of a round; those of all rounds together are fewer than RULE_MOST_USERS / 2. */
enum { RULE_ORDERS = 4 };

struct nlm_rule_search {
    nlm_rule_stage stage;
    int round; /* of hardening and its orders, from 0 */
    struct hardening hardening;
    struct rule_order order[RULE_ORDERS];
    nlm_program *program; /* the smallest so far; owned */
    nlm_program_size size;
    char reason[200]; /* why none was found */
    bool is_hardening;
    rule_clauses clauses;           /* whether only clauses are looked for */
    bool is_noisy;                  /* the program contradicts labels: it was chosen by literals and errors */
    int contradicted;               /* so many */
    nlm_answers validated;          /* of programs chosen so */
    nlm_alternatives *alternatives; /* of the program; NULL: not known yet */
    rows *rows;                     /* of its units that examples have; NULL: not known */

    const nlm_machine *soft; /* the trained machine, the caller's */
    nlm_machine *machine;    /* a copy, hard once hardening has ended */
    const nlm_settings *settings;
    const nlm_signature *signature;
    nlm_signature *own_signature; /* of a task */
    nlm_options options;
    struct team *team;
    bool sees_pictures;           /* then rules are fitted only (picture_rules.h), ... */
    char *sights;                 /* ... and this is a text about what the network sees; owned */
    float *bound;                 /* of each of its outputs; owned */
    struct policy_search *policy; /* of a game: does all of the above itself */
};

/* Of a machine that has not learned its labels: only clauses are looked for (clause_program.h). */
nlm_status rule_search_new_clauses(const nlm_machine *machine, const nlm_settings *settings,
                                   rule_clauses clauses, const nlm_options *options, nlm_rule_search **search,
                                   nlm_error *error);
/* Whether the program that was found was chosen by literals and errors; and of a search for clauses alone
 * what cross-validation says of programs chosen so. */
bool rule_search_is_noisy(const nlm_rule_search *search, nlm_answers *validated);

#endif
