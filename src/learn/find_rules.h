/* From a trained machine to a program: hardening, elimination in several orders, reading, simplifying.
 *
 *     rule_search_begin(&search, machine, &settings, signature, orders, seed, &options, &error);
 *     while (search.stage < RULES_FOUND && rule_search_step(&search, &error) == NLM_OK)
 *         continue;
 *     ... search.program ...
 *     rule_search_end(&search);
 *
 * Each order of elimination gives a program; the smallest is kept.  The same machine, settings and seed give
 * the same program. */
#ifndef LEARN_FIND_RULES_H
#define LEARN_FIND_RULES_H

#include "learn/eliminate.h"
#include "learn/harden.h"
#include "learn/rule_judge.h"
#include "nlm/program.h"

enum rule_stage { RULES_HARDENING, RULES_ELIMINATING, RULES_SIMPLIFYING, RULES_FOUND, RULES_NOT_FOUND };

struct rule_search {
    /* progress */
    enum rule_stage stage;
    int order, orders;     /* of elimination, from 0 */
    size_t weights;        /* left in the present order */
    nlm_program_size size; /* of the smallest program so far; 0 literals: none */
    char reason[200];      /* why none was found */
    struct hardening hardening;
    struct elimination elimination;
    nlm_program *program; /* the result; owned */

    /* work */
    nlm_machine *machine; /* a copy, hard once hardening has ended */
    const nlm_settings *settings;
    const nlm_signature *signature;
    nlm_options options;
    uint64_t seed;
    struct rule_worlds worlds;
    struct rule_judge judge[NLM_MAX_HEADS];
    int judges;
    bool is_hardening, is_eliminating, has_worlds;
};

nlm_status rule_search_begin(struct rule_search *search, const nlm_machine *machine,
                             const nlm_settings *settings, const nlm_signature *signature, int orders,
                             uint64_t seed, const nlm_options *options, nlm_error *error);
nlm_status rule_search_step(struct rule_search *search, nlm_error *error);
void rule_search_end(struct rule_search *search);

#endif
