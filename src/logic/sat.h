/* Satisfiability of clauses: conflict-driven search with two watched literals and learned clauses.
 *
 * A literal is 2 v for variable v and 2 v + 1 for its negation.  Variable 0 is true from the start, so that
 * SAT_YES and SAT_NO are literals like others.  Decisions make variables false: answers have few that are
 * true.  Work is bounded by a number of steps, not by time, so that results are the same everywhere. */
#ifndef LOGIC_SAT_H
#define LOGIC_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sat sat;
typedef uint32_t sat_literal;

#define SAT_YES ((sat_literal)0)
#define SAT_NO ((sat_literal)1)
#define SAT_NOT(literal) ((literal) ^ 1u)

typedef enum sat_answer { SAT_SATISFIABLE, SAT_UNSATISFIABLE, SAT_STOPPED } sat_answer;

/* `most_words` bounds the memory of clauses, `most_steps` the visits to clauses of all calls together. */
sat *sat_new(uint32_t most_words, uint64_t most_steps); /* NULL without memory */
void sat_free(sat *solver);
/* The positive literal of a new variable; after a failure SAT_NO. */
sat_literal sat_variable(sat *solver);
void sat_add(sat *solver, const sat_literal *literals, size_t count);
/* Clauses may be added afterwards, and the question asked again.  SAT_STOPPED: too many steps, or a failure.
 */
sat_answer sat_solve(sat *solver);
/* In the last answer. */
bool sat_true(const sat *solver, sat_literal literal);
/* No memory, or more than most_words: clauses are missing, and answers are SAT_STOPPED. */
bool sat_failed(const sat *solver);

#endif
