/* Inside of formulas: the parts of one `and` or `or` while it is built. */
#ifndef LOGIC_FORMULA_PARTS_H
#define LOGIC_FORMULA_PARTS_H

#include "logic/formula.h"

enum { SOME_PARTS = 64 };

/* On the stack, or of long ones in memory of their own. */
typedef struct part_list {
    formula few[SOME_PARTS];
    formula *at;
    size_t count, room;
} part_list;

void part_list_start(part_list *list);
void part_list_free(part_list *list);
/* False where there is no room: then the store has failed. */
bool part_list_add(formula_store *store, part_list *list, formula f);

/* `and` or `or` of the parts, in any order; they must not be the store's own. */
formula formula_combine(formula_store *store, formula_kind kind, const formula *parts, size_t count);
/* The lowest number of a variable that is not among those used. */
int formula_unused_variable(uint32_t used);
/* to[v] = v for all variables. */
void formula_same_variables(int *to);

#endif
