/* Lists of rules as machines: agents that make the first move, by number, of the first rule that holds.
 *
 * The machine of a list of n rules p_1, ..., p_n has a last layer of n predicates
 *
 *     c_k = p_1 or ... or p_k
 *
 * and a head that gives each of them the weight POLICY_WEIGHT.  So a move whose first rule is number k has
 * the score (n - k + 1) POLICY_WEIGHT, and one without a rule 0: the highest score is that of the first rule
 * that holds for any move. */
#ifndef LOGIC_POLICY_H
#define LOGIC_POLICY_H

#include "logic/program.h"

#define POLICY_WEIGHT 2.0f

/* The targets of the program are the rules, in their order.  As nlm_program_compile. */
nlm_status policy_compile(const nlm_program *program, nlm_machine **machine, nlm_error *error);
/* The program whose targets are c_1, ..., c_n. */
nlm_status policy_cumulative(const nlm_program *program, nlm_program **made, nlm_error *error);
/* Rules of a machine that was made of a list, and the rule of a score, 1 ... n, or 0: none. */
int policy_rules(const nlm_machine *machine);
int policy_rule_of_score(const nlm_machine *machine, double score);

#endif
