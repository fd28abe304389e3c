/* What is near what in a large world. */
#include "learn/neighbourhood_parts.h"

#include <stdlib.h>
#include "base/error.h"

/* Counts become places: first[i] is where the entries of i begin. */
static void begin_lists(size_t *first, int count)
{
    size_t sum = 0;
    for (int i = 0; i <= count; i++) {
        const size_t own = i < count ? first[i] : 0;
        first[i] = sum;
        sum += own;
    }
}

/* Filling in moved each beginning to that of the next list. */
static void end_lists(size_t *first, int count)
{
    for (int i = count; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

/* Facts or numbers by the first object. */
static nlm_status list_by_first(const int *tuples, size_t count, int arity, int objects, size_t **first,
                                size_t **list, nlm_error *error)
{
    *first = memory_new((size_t)objects + 2, sizeof **first);
    *list = memory_new(count + 1, sizeof **list);
    if (!*first || !*list)
        return error_no_memory(error);
    for (size_t f = 0; f < count && arity > 0; f++)
        (*first)[tuples[f * (size_t)arity]]++;
    begin_lists(*first, objects);
    for (size_t f = 0; f < count && arity > 0; f++)
        (*list)[(*first)[tuples[f * (size_t)arity]]++] = f;
    end_lists(*first, objects);
    return NLM_OK;
}

/* Every two objects of a tuple, in both directions: counted while there is no room for them. */
static void add_pairs(struct graph *graph, const int *tuple, int arity)
{
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < arity; k++)
            if (i != k && graph->other)
                graph->other[graph->first[tuple[i]]++] = tuple[k];
            else if (i != k)
                graph->first[tuple[i]]++;
}

/* Pairs of objects that a fact is about. */
static void add_facts_to(const struct neighbourhoods *of, struct graph *graph)
{
    for (int p = 0; p < nlm_world_predicates(of->world); p++) {
        const int *tuples, arity = nlm_world_predicate_arity(of->world, p);
        const size_t count = nlm_world_facts(of->world, p, &tuples, NULL);
        for (size_t f = 0; f < count; f++)
            add_pairs(graph, tuples + f * (size_t)arity, arity);
    }
}

/* Pairs of objects that a label that is true is about. */
static void add_labels_to(const struct neighbourhoods *of, struct graph *graph)
{
    for (int t = 0; t < nlm_world_targets(of->world); t++) {
        const struct label_table *labels = &of->labels[t];
        int tuple[NLM_MAX_BREADTH];
        for (size_t i = 0; i < labels->count; i++)
            if (labels->list[i].label == NLM_TRUE &&
                nlm_tuple_at(of->objects, labels->arity, labels->list[i].number, tuple))
                add_pairs(graph, tuple, labels->arity);
    }
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Each object once in a list. */
static void drop_repeated(const struct neighbourhoods *of, struct graph *graph)
{
    size_t kept = 0, begin = 0;
    for (int o = 0; o < of->objects; o++) {
        const size_t end = graph->first[o + 1];
        qsort(graph->other + begin, end - begin, sizeof *graph->other, by_number);
        graph->first[o] = kept;
        for (size_t i = begin; i < end; i++)
            if (i == begin || graph->other[i] != graph->other[i - 1])
                graph->other[kept++] = graph->other[i];
        begin = end;
    }
    graph->first[of->objects] = kept;
}

/* `add` is asked twice: to count, and to fill in. */
static nlm_status make_graph(const struct neighbourhoods *of, struct graph *graph,
                             void (*add)(const struct neighbourhoods *of, struct graph *graph),
                             nlm_error *error)
{
    graph->first = memory_new((size_t)of->objects + 2, sizeof *graph->first);
    if (!graph->first)
        return error_no_memory(error);
    add(of, graph);
    begin_lists(graph->first, of->objects);
    graph->other = memory_new(graph->first[of->objects] + 1, sizeof *graph->other);
    if (!graph->other)
        return error_no_memory(error);
    add(of, graph);
    end_lists(graph->first, of->objects);
    drop_repeated(of, graph);
    return NLM_OK;
}

static nlm_status make_lists(struct neighbourhoods *of, nlm_error *error)
{
    const int predicates = nlm_world_predicates(of->world), attributes = nlm_world_attributes(of->world);
    of->fact_first = memory_new((size_t)predicates + 1, sizeof *of->fact_first);
    of->fact = memory_new((size_t)predicates + 1, sizeof *of->fact);
    of->number_first = memory_new((size_t)attributes + 1, sizeof *of->number_first);
    of->number = memory_new((size_t)attributes + 1, sizeof *of->number);
    if (!of->fact_first || !of->fact || !of->number_first || !of->number)
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    const int *tuples;
    for (int p = 0; p < predicates && !status; p++) {
        const size_t count = nlm_world_facts(of->world, p, &tuples, NULL);
        status = list_by_first(tuples, count, nlm_world_predicate_arity(of->world, p), of->objects,
                               &of->fact_first[p], &of->fact[p], error);
    }
    for (int a = 0; a < attributes && !status; a++) {
        const size_t count = nlm_world_numbers(of->world, a, &tuples, NULL);
        status = list_by_first(tuples, count, nlm_world_attribute_arity(of->world, a), of->objects,
                               &of->number_first[a], &of->number[a], error);
    }
    return status;
}

/* Objects within `radius` steps of the given ones into of->found, nearest first; ends at more than `most`. */
int neighbourhood_ball(struct neighbourhoods *of, const int *from, int count, int radius, int most)
{
    int found = 0, layer_end;
    of->stamp++;
    for (int i = 0; i < count; i++)
        if (of->met[from[i]] != of->stamp) {
            of->met[from[i]] = of->stamp;
            of->found[found++] = from[i];
        }
    for (int step = 0, next = 0; step < radius && next < found; step++)
        for (layer_end = found; next < layer_end; next++) {
            const int object = of->found[next];
            for (size_t i = of->adjacent.first[object]; i < of->adjacent.first[object + 1]; i++) {
                const int other = of->adjacent.other[i];
                if (of->met[other] == of->stamp)
                    continue;
                if (found > most)
                    return found;
                of->met[other] = of->stamp;
                of->found[found++] = other;
            }
        }
    return found;
}

nlm_status neighbourhood_index(struct neighbourhoods *of, nlm_error *error)
{
    nlm_status status = make_lists(of, error);
    if (!status)
        status = make_graph(of, &of->adjacent, add_facts_to, error);
    if (!status)
        status = make_graph(of, &of->partners, add_labels_to, error);
    return status;
}
