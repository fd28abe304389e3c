/* Printing comparisons of numbers.
 *
 * Prolog, English and JSON have them among the literals: size(Y, V), V >= 3.76; what a literal before has
 * told is not told again, so an interval is size(Y, V), V >= 3, V < 5.  The other languages get a predicate
 * for each comparison, which is defined before the clauses (print_comparison_rules); numbers of clingo are
 * integers, so they are multiplied by a power of ten there. */
#ifndef LOGIC_PRINT_NUMBERS_H
#define LOGIC_PRINT_NUMBERS_H

#include "logic/print.h"

/* The comparison that a literal is; NULL for others. */
const nlm_comparison *print_comparison_of(const printing *to, const clause_literal *literal);
/* Literal number l of the clause as goals, after `not_` ("": it is negated elsewhere); returns their length.
 */
size_t print_comparison(const printing *to, const print_clause *in, int l, const char *not_);

/* A text of comparison_text with a space after each comma; returns its length. */
size_t print_spaced(FILE *stream, const char *text);

/* Whether the attribute is the first of its predicate, and the program's clauses compare it. */
bool print_reads_attribute(const printing *to, int attribute);
/* size_at_least_3_76(A) :- size(A, V), V >= 3.76. */
void print_comparison_rules(const printing *to);
/* SELECT a FROM size WHERE b >= 3.76 */
void print_comparison_query(const printing *to, int input);
/* A name for the predicate of a comparison; to be freed, NULL without memory. */
char *print_comparison_name(const printing *to, int input);
/* clingo: what the facts have to look like. */
void print_number_scale(const printing *to);

#endif
