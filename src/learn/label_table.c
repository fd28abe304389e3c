#include "learn/label_table.h"

#include <stdlib.h>
#include "base/error.h"
#include "base/memory.h"

enum { FEW_TRUE = 5 }; /* of fewer, none is held out */

bool label_table_repeats(const int *tuple, int arity)
{
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < i; k++)
            if (tuple[i] == tuple[k])
                return true;
    return false;
}

size_t label_table_number(const struct label_table *table, const int *tuple)
{
    return nlm_tuple_number(table->objects, table->arity, tuple);
}

/* By number, and of one tuple in the order in which they were added. */
struct added_label {
    struct listed_label label;
    size_t place;
};

static int by_tuple(const void *a, const void *b)
{
    const struct added_label *x = a, *y = b;
    if (x->label.number != y->label.number)
        return x->label.number < y->label.number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

nlm_status label_table_init(struct label_table *table, const nlm_world *world, int target, nlm_error *error)
{
    const int *tuples;
    const signed char *labels;
    *table = (struct label_table){.objects = nlm_world_objects(world),
                                  .arity = nlm_world_target_arity(world, target)};
    if (nlm_tuple_count(table->objects, table->arity) == SIZE_MAX)
        return error_set(error, NLM_BAD_ARGUMENT, "a world of %d objects has too many tuples of %d",
                         table->objects, table->arity);
    const size_t count = nlm_world_labels(world, target, &tuples, &labels, &table->by_default);
    struct added_label *added = memory_new(count + 1, sizeof *added);
    table->list = memory_new(count + 1, sizeof *table->list);
    if (!added || !table->list) {
        memory_free(added);
        return error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        added[i] = (struct added_label){
            {label_table_number(table, tuples + i * (size_t)table->arity), (nlm_label)labels[i]}, i};
    qsort(added, count, sizeof *added, by_tuple);
    size_t positives = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && added[i + 1].label.number == added[i].label.number)
            continue; /* the last counts */
        table->list[table->count++] = added[i].label;
        positives += added[i].label.label == NLM_TRUE;
    }
    table->few_true = table->by_default != NLM_TRUE && positives < FEW_TRUE;
    memory_free(added);
    return NLM_OK;
}

void label_table_release(struct label_table *table)
{
    memory_free(table->list);
    *table = (struct label_table){0};
}

static const struct listed_label *find(const struct label_table *table, const int *tuple)
{
    const size_t number = label_table_number(table, tuple);
    size_t low = 0, high = table->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->list[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->count && table->list[low].number == number ? &table->list[low] : NULL;
}

nlm_label label_table_find(const struct label_table *table, const int *tuple)
{
    const struct listed_label *label = find(table, tuple);
    return label ? label->label : table->by_default;
}

bool label_table_is_listed(const struct label_table *table, const int *tuple)
{
    return find(table, tuple) != NULL;
}

nlm_status label_set_init(struct label_set *set, size_t most, nlm_error *error)
{
    size_t slots = 64;
    while (slots < 16 * most)
        slots *= 2;
    set->mask = slots - 1;
    set->slots = memory_new(slots, sizeof *set->slots);
    return set->slots ? NLM_OK : error_no_memory(error);
}

void label_set_release(struct label_set *set)
{
    memory_free(set->slots);
    *set = (struct label_set){0};
}

bool label_set_add(struct label_set *set, size_t number)
{
    size_t at = (size_t)(number * 0x9e3779b97f4a7c15u >> 17) & set->mask;
    for (; set->slots[at]; at = (at + 1) & set->mask)
        if (set->slots[at] == number + 1)
            return false;
    set->slots[at] = number + 1;
    return true;
}
