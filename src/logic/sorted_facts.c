/* Tuples sorted by one place after the other. */
#include "logic/sorted_facts.h"

#include <string.h>
#include "base/error.h"

int tuple_compare(const int *a, const int *b, int arity)
{
    for (int i = 0; i < arity; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Facts in the order of their tuples, by sorting their numbers by one place after the other, the last first;
 * facts about the same tuple keep their order. */
static nlm_status sort_facts(const int *tuples, size_t count, int arity, int objects, size_t *order,
                             nlm_error *error)
{
    size_t *other = memory_new(count + 1, sizeof *other),
           *place = memory_new((size_t)objects + 2, sizeof *place);
    if (!other || !place) {
        memory_free(other);
        memory_free(place);
        return error_no_memory(error);
    }
    for (size_t f = 0; f < count; f++)
        order[f] = f;
    for (int k = arity - 1; k >= 0; k--) {
        memset(place, 0, ((size_t)objects + 2) * sizeof *place);
        for (size_t f = 0; f < count; f++)
            place[tuples[f * (size_t)arity + (size_t)k] + 1]++;
        for (int o = 0; o < objects; o++)
            place[o + 1] += place[o];
        for (size_t i = 0; i < count; i++)
            other[place[tuples[order[i] * (size_t)arity + (size_t)k]]++] = order[i];
        memcpy(order, other, count * sizeof *order);
    }
    memory_free(other);
    memory_free(place);
    return NLM_OK;
}

/* A fact added again replaces the earlier one. */
nlm_status sorted_facts(const nlm_world *world, const program_predicate *input, int **tuples, size_t *count,
                        nlm_error *error)
{
    char *name = program_world_name(input);
    *tuples = NULL;
    *count = 0;
    if (!name)
        return error_no_memory(error);
    const int number = nlm_world_find_predicate(world, name, input->arity), *from = NULL;
    memory_free(name);
    const float *values = NULL;
    const size_t facts = number < 0 ? 0 : nlm_world_facts(world, number, &from, &values);
    const size_t arity = (size_t)input->arity;
    int *kept = *tuples = memory_new(facts * arity + 1, sizeof *kept);
    size_t *order = memory_new(facts + 1, sizeof *order);
    const nlm_status status =
        kept && order ? sort_facts(from, facts, input->arity, nlm_world_objects(world), order, error)
                      : error_no_memory(error);
    for (size_t i = 0; i < facts && !status; i++) {
        const int *tuple = from + order[i] * arity;
        const bool last =
            i + 1 == facts || tuple_compare(tuple, from + order[i + 1] * arity, input->arity) != 0;
        if (last && values[order[i]] > 0.5f)
            memcpy(kept + (*count)++ * arity, tuple, arity * sizeof *tuple);
    }
    memory_free(order);
    return status;
}
