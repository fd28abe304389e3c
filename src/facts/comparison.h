/* Comparisons of numbers: their texts, and where they hold.
 *
 *     size(A,V), V >= 3.76                     a threshold of one attribute
 *     size(A,V), size(B,W), V + W < 7          the sum, or difference, of two
 *     size(A,V), size(B,W), V < W              the same as V - W < 0
 *     size(A,_)                                the number is known
 *
 * A text with A, B, ... for the objects is the name of the predicate: equal names are equal comparisons, to
 * the last bit of their numbers. */
#ifndef FACTS_COMPARISON_H
#define FACTS_COMPARISON_H

#include "facts/signature.h"

/* What stands for objects and for numbers in a text; `told`: the number's fact stands before it already. */
typedef struct comparison_words {
    const char *object[NLM_MAX_FACT_ARITY];
    const char *value[2];
    bool told[2];
} comparison_words;

/* That name, to be freed; NULL without memory. */
char *comparison_name(const nlm_attribute *attributes, const nlm_comparison *of);
/* The goals, with these words; the length of the whole. */
size_t comparison_text(const nlm_attribute *attributes, const nlm_comparison *of,
                       const comparison_words *words, char *text, size_t size);
/* The goals of an input about objects, size(p1,V), V >= 3.76; the length of the whole. */
size_t comparison_about(const nlm_signature *signature, const nlm_predicate *input,
                        const char *const *objects, char *text, size_t size);
/* "V >= 3.76" alone; nothing where it is only known. */
size_t comparison_test_text(const nlm_comparison *of, const char *const value[2], char *text, size_t size);
/* A number as programs write it: as short as it is read back, without a needless point. */
void comparison_number_text(double number, char *text);

/* The same comparison in the one form that has a name: its first object is A, ... ; x > y is y < x.  Returns
 * the permutation in `order`: object order[k] of before is object k of after. */
void comparison_normalise(nlm_comparison *of, int order[NLM_MAX_FACT_ARITY]);
int comparison_objects(const nlm_attribute *attributes, const nlm_comparison *of);
/* Whether it holds for numbers that are known. */
bool comparison_holds(const nlm_comparison *of, double value);

/* Called for one tuple after the other until it fails: its objects, and the number, sum or difference. */
typedef nlm_status (*comparison_listener)(void *context, const int *tuple, double value, nlm_error *error);
/* All tuples of different objects of which the number is known, or both numbers are. */
nlm_status comparison_values(const nlm_signature *signature, const nlm_comparison *of, const nlm_world *world,
                             comparison_listener listener, void *context, nlm_error *error);

/* The input that a comparison is, at the end of the signature. */
nlm_status comparison_add_input(nlm_signature *signature, const nlm_comparison *of, nlm_error *error);
/* The facts of such an input, from the numbers of a world. */
nlm_status comparison_add_facts(const nlm_signature *signature, int input, nlm_world *world,
                                nlm_error *error);

#endif
