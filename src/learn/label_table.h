/* The labels of one target of a large world, by tuple: sorted, so that nothing has the size of all tuples. */
#ifndef LEARN_LABEL_TABLE_H
#define LEARN_LABEL_TABLE_H

#include <stdint.h>
#include "nlm/world.h"

struct listed_label {
    size_t number; /* of the tuple (nlm_tuple_number) */
    nlm_label label;
};

struct label_table {
    int objects, arity;
    nlm_label by_default;
    struct listed_label *list; /* each tuple once, in the order of the numbers */
    size_t count;
    bool few_true; /* so few that none of them is held out */
};

nlm_status label_table_init(struct label_table *table, const nlm_world *world, int target, nlm_error *error);
void label_table_release(struct label_table *table);

size_t label_table_number(const struct label_table *table, const int *tuple);
nlm_label label_table_find(const struct label_table *table, const int *tuple);
bool label_table_is_listed(const struct label_table *table, const int *tuple);
/* Whether the tuple has an object twice: then it has no label. */
bool label_table_repeats(const int *tuple, int arity);

/* Numbers that were met. */
struct label_set {
    size_t *slots, mask; /* a slot has the number + 1, or 0 */
};

/* For at most 8 * most numbers. */
nlm_status label_set_init(struct label_set *set, size_t most, nlm_error *error);
void label_set_release(struct label_set *set);
/* Whether it is new. */
bool label_set_add(struct label_set *set, size_t number);

#endif
