/* Finding the program that a trained machine computes.
 *
 * Hardening makes the units of the machine compute with 0 and 1 only; elimination removes weights as long as
 * the machine makes no error in its examples, in several orders; what is left is read as formulas, which are
 * made smaller as long as they agree with the examples.  The smallest program is compiled: that machine is
 * equal to the program in every world.  Last, other programs that agree with the examples too are looked for
 * (nlm/alternatives.h).
 *
 *     status = nlm_rule_search_new(machine, &settings, &options, &search, &error);
 *     while (!status && nlm_rule_search_stage(search) < NLM_RULES_FOUND)
 *         status = nlm_rule_search_step(search, &error);
 *     nlm_rule_search_free(search);
 *
 * Of facts whose labels may be wrong another program may be chosen: where none is without errors, or such a
 * one is longer than the literals and errors of another together (nlm_contradicted_labels).
 *
 * The same machine and settings give the same program, for any number of threads. */
#ifndef NLM_RULES_H
#define NLM_RULES_H

#include "nlm/infer.h"
#include "nlm/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_rule_search nlm_rule_search;

typedef enum nlm_rule_stage {
    NLM_RULES_HARDENING,   /* units become true or false */
    NLM_RULES_ELIMINATING, /* weights are removed; of tasks and facts, formulas are made smaller here too */
    NLM_RULES_SIMPLIFYING, /* of agents: the rules are made smaller */
    NLM_RULES_FITTING,     /* of facts: clauses that contradict few labels are looked for; of agents: rules
                              of their choices */
    NLM_RULES_COMPARING,   /* of tasks and facts: there is a program, and others are compared with it */
    NLM_RULES_FOUND,
    NLM_RULES_NOT_FOUND
} nlm_rule_stage;

/* A search for the program of a machine that was trained with these settings, which of facts must have their
 * problem.  Machine and settings must outlive the search; the machine stays as it is.  NULL for `options`:
 * one thread.  NLM_BAD_ARGUMENT, with the reason, of machines with hidden layers, of blocks, of pictures
 * whose task has not the images that were learned from, and of other models.
 *
 * The program of an agent is fitted to its choices or, where that gives none, found as that of a task.  It
 * has a target for each of its rules, move_1, move_2, ..., in their order: it makes a move of the first that
 * holds for any, and solves instances in no more moves than the machine. */
nlm_status nlm_rule_search_new(const nlm_machine *machine, const nlm_settings *settings,
                               const nlm_options *options, nlm_rule_search **search, nlm_error *error);
void nlm_rule_search_free(nlm_rule_search *search);
nlm_status nlm_rule_search_step(nlm_rule_search *search, nlm_error *error);
nlm_rule_stage nlm_rule_search_stage(const nlm_rule_search *search);
/* "making units true or false: step 1250, 3 errors in 400 worlds"; returns the text. */
enum { NLM_RULE_LINE = 120 };
const char *nlm_rule_search_line(const nlm_rule_search *search, char text[NLM_RULE_LINE]);
/* Why there is no program; "" as long as that is not known. */
const char *nlm_rule_search_reason(const nlm_rule_search *search);
/* What was found, until the search is freed; NULL if nothing was. */
const nlm_program *nlm_rule_search_program(const nlm_rule_search *search);

/* The compiled program as a model file, which keeps the metadata (pairs of texts; without any those that the
 * machine was loaded with), and beside them the program's clauses and the weights of the trained machine. */
nlm_status nlm_rule_search_save(nlm_rule_search *search, const char *path, const char *const *metadata,
                                int pairs, nlm_error *error);

/* On which digits an output of a model's network, from 1 on, is true: the share of labelled images of each
 * digit, measured when its rules were found.  False where the model's file does not say so. */
enum { NLM_DIGITS = 10 };
bool nlm_machine_sight(const nlm_machine *machine, int number, double share[NLM_DIGITS]);

/* Labels that the program of a model contradicts, of those that it was learned from: it was chosen by
 * literals and errors together.  -1 of a model that is no such program. */
int nlm_contradicted_labels(const nlm_machine *machine);

/* The trained machine that a program was made of, whose weights the program's file keeps; NLM_BAD_ARGUMENT if
 * it keeps none.  `path` is where the program was loaded from. */
nlm_status nlm_machine_trained(const nlm_machine *program, const char *path, nlm_machine **trained,
                               nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
