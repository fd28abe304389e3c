#include "learn/clause_data.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

/* Facts that share an object make relations (RELATION_SECOND, RELATION_FIRST) of all pairs of the others: of
 * an object with very many facts none are made. */
enum { MOST_SHARING = 300, MOST_LABELS = 10000 }; /* the search takes half a minute with so many */

/* ---- facts ---- */

static nlm_status add_facts(clause_facts *to, const nlm_world *world, const program_predicate *input,
                            int first, nlm_error *error)
{
    char *name = program_world_name(input);
    if (!name)
        return error_no_memory(error);
    const int number = nlm_world_find_predicate(world, name, input->arity);
    memory_free(name);
    const int *tuples;
    const float *values;
    const size_t facts = number < 0 ? 0 : nlm_world_facts(world, number, &tuples, &values);
    if (to->count + (int)facts > to->room) {
        const int room = 2 * to->room + (int)facts;
        int *more = memory_new((size_t)room * (size_t)to->arity + 1, sizeof *more);
        if (!more)
            return error_no_memory(error);
        if (to->argument)
            memcpy(more, to->argument, (size_t)to->count * (size_t)to->arity * sizeof *more);
        memory_free(to->argument);
        to->argument = more;
        to->room = room;
    }
    for (size_t f = 0; f < facts; f++) {
        if (values[f] <= 0.5f)
            continue;
        for (int i = 0; i < to->arity; i++)
            to->argument[to->count * to->arity + i] = first + tuples[f * (size_t)to->arity + (size_t)i];
        to->count++;
    }
    return NLM_OK;
}

/* Facts by the object at each place. */
static nlm_status sort_facts(clause_facts *facts, int objects, nlm_error *error)
{
    for (int place = 0; place < facts->arity; place++) {
        int *start = facts->start[place] = memory_new((size_t)objects + 2, sizeof *start);
        int *at = facts->at[place] = memory_new((size_t)facts->count + 1, sizeof *at);
        if (!start || !at)
            return error_no_memory(error);
        for (int f = 0; f < facts->count; f++)
            start[facts->argument[f * facts->arity + place] + 1]++;
        for (int o = 0; o < objects; o++)
            start[o + 1] += start[o];
        for (int f = 0; f < facts->count; f++) /* start[o] becomes start[o + 1] ... */
            at[start[facts->argument[f * facts->arity + place]]++] = f;
        for (int o = objects; o > 0; o--) /* ... and goes back */
            start[o] = start[o - 1];
        start[0] = 0;
    }
    return NLM_OK;
}

/* ---- properties ---- */

static bool has_fact(const clause_facts *facts, int place, int object)
{
    return facts->start[place][object + 1] > facts->start[place][object];
}

static bool has_property(const clause_data *data, const clause_property *property, int object)
{
    const clause_facts *facts = &data->facts[property->input];
    if (property->inner < 0)
        return has_fact(facts, property->place, object);
    for (int i = facts->start[property->place][object]; i < facts->start[property->place][object + 1]; i++) {
        const int other = facts->argument[facts->at[property->place][i] * 2 + 1 - property->place];
        if (has_fact(&data->facts[property->inner], 0, other))
            return true;
    }
    return false;
}

/* Kept if some objects have it and others have not, and no earlier one says the same. */
static void try_property(clause_data *data, clause_property property)
{
    const int number = data->properties;
    int count = 0;
    if (number == CLAUSE_PROPERTIES)
        return;
    uint64_t same[CLAUSE_WORDS];
    memset(same, 0xff, sizeof same);
    for (int o = 0; o < data->objects; o++) {
        uint64_t *mask = data->mask + (size_t)o * CLAUSE_WORDS;
        const bool has = has_property(data, &property, o);
        count += has;
        mask[number / 64] |= (uint64_t)has << (number % 64);
        for (int w = 0; w < CLAUSE_WORDS; w++)
            same[w] &= has ? mask[w] : ~mask[w];
    }
    bool is_new = count > 0 && count < data->objects;
    for (int p = 0; p < number; p++)
        is_new &= !(same[p / 64] >> (p % 64) & 1);
    if (is_new) {
        data->property[data->properties++] = property;
        return;
    }
    for (int o = 0; o < data->objects; o++)
        data->mask[(size_t)o * CLAUSE_WORDS + (size_t)(number / 64)] &= ~((uint64_t)1 << (number % 64));
}

/* Types say nothing that the facts about an object do not say. */
static bool is_property(const nlm_program *program, int input)
{
    return program_at(program, input)->arity == 1 && !program_at(program, input)->is_type;
}

static void find_properties(clause_data *data, const nlm_program *program)
{
    for (int p = 0; p < data->inputs; p++)
        if (is_property(program, p))
            try_property(data, (clause_property){p, 0, -1});
    for (int p = 0; p < data->inputs; p++)
        for (int place = 0; place < data->facts[p].arity && data->facts[p].arity > 1; place++)
            try_property(data, (clause_property){p, place, -1});
    for (int p = 0; p < data->inputs; p++)
        for (int place = 0; place < 2 && data->facts[p].arity == 2; place++)
            for (int q = 0; q < data->inputs; q++)
                if (is_property(program, q))
                    try_property(data, (clause_property){p, place, q});
    data->words = data->properties > 0 ? (data->properties + 63) / 64 : 1;
}

/* ---- relations ---- */

static void list_relations(clause_data *data)
{
    for (int p = 0; p < data->inputs; p++)
        for (int kind = RELATION_FORWARD; kind <= RELATION_FIRST && data->facts[p].arity == 2; kind++)
            if (data->relations < CLAUSE_RELATIONS)
                data->relation[data->relations++] = (clause_relation){p, (clause_relation_kind)kind};
}

/* Others that an object is related to, and how. */
typedef struct related {
    uint64_t *bits; /* by object; 0 */
    int *other, count;
} related;

static void relate(related *to, int other, int relation)
{
    if (!to->bits[other])
        to->other[to->count++] = other;
    to->bits[other] |= (uint64_t)1 << relation;
}

/* All that share the object at `place` of a fact with this one, which is at the other. */
static void relate_sharing(const clause_facts *facts, int place, int object, int relation, related *to)
{
    const int own = 1 - place;
    for (int i = facts->start[own][object]; i < facts->start[own][object + 1]; i++) {
        const int shared = facts->argument[facts->at[own][i] * 2 + place];
        const int *start = facts->start[place];
        if (start[shared + 1] - start[shared] > MOST_SHARING)
            continue;
        for (int k = start[shared]; k < start[shared + 1]; k++)
            relate(to, facts->argument[facts->at[place][k] * 2 + own], relation);
    }
}

static void relate_all(const clause_data *data, int object, related *to)
{
    for (int r = 0; r < data->relations; r++) {
        const clause_facts *facts = &data->facts[data->relation[r].input];
        const clause_relation_kind kind = data->relation[r].kind;
        if (kind == RELATION_SECOND || kind == RELATION_FIRST) {
            relate_sharing(facts, kind == RELATION_SECOND, object, r, to);
            continue;
        }
        const int own = kind == RELATION_BACK;
        for (int i = facts->start[own][object]; i < facts->start[own][object + 1]; i++)
            relate(to, facts->argument[facts->at[own][i] * 2 + 1 - own], r);
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static nlm_status find_relations(clause_data *data, nlm_error *error)
{
    related to = {memory_new((size_t)data->objects + 1, sizeof *to.bits),
                  memory_new((size_t)data->objects + 1, sizeof *to.other), 0};
    size_t count = 0;
    data->pairs = memory_new((size_t)data->objects + 1, sizeof *data->pairs);
    nlm_status status = to.bits && to.other && data->pairs ? NLM_OK : error_no_memory(error);
    for (int o = 0; o < data->objects && !status; o++) {
        to.count = 0;
        relate_all(data, o, &to);
        qsort(to.other, (size_t)to.count, sizeof *to.other, by_number);
        if (buffer_reserve(&data->other, count + (size_t)to.count, sizeof(int), true) ||
            buffer_reserve(&data->joined, count + (size_t)to.count, sizeof(uint64_t), true))
            status = error_no_memory(error);
        for (int i = 0; i < to.count && !status; i++, count++) {
            ((int *)data->other.data)[count] = to.other[i];
            ((uint64_t *)data->joined.data)[count] = to.bits[to.other[i]];
            to.bits[to.other[i]] = 0;
        }
        data->pairs[o + 1] = count;
    }
    memory_free(to.bits);
    memory_free(to.other);
    return status;
}

uint64_t clause_relations(const clause_data *data, int object, int other)
{
    const int *list = data->other.data;
    size_t low = data->pairs[object], high = data->pairs[object + 1];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (list[middle] < other)
            low = middle + 1;
        else
            high = middle;
    }
    return low < data->pairs[object + 1] && list[low] == other ? ((const uint64_t *)data->joined.data)[low]
                                                               : 0;
}

/* ---- labels ---- */

static nlm_status add_labels(clause_data *data, const nlm_world *world, int target, int first,
                             nlm_error *error)
{
    const int objects = nlm_world_objects(world), arity = data->arity;
    const size_t tuples = nlm_tuple_count(objects, arity);
    signed char *labels = memory_new(tuples + 1, 1);
    nlm_status status = labels ? NLM_OK : error_no_memory(error);
    if (!status)
        nlm_world_all_labels(world, target, labels);
    for (size_t t = 0; t < tuples && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        if (labels[t] == NLM_UNLABELLED || !nlm_tuple_at(objects, arity, t, tuple))
            continue;
        const size_t count = (size_t)data->labels;
        if (count >= MOST_LABELS) {
            status = error_set(error, NLM_BAD_ARGUMENT,
                               "there are more than %d labels, too many to look for wrong ones", MOST_LABELS);
        } else if (buffer_reserve(&data->tuple, (count + 1) * (size_t)arity + 1, sizeof(int), true) ||
                   buffer_reserve(&data->truth, count + 1, sizeof(bool), true)) {
            status = error_no_memory(error);
        } else {
            for (int i = 0; i < arity; i++)
                ((int *)data->tuple.data)[count * (size_t)arity + (size_t)i] = first + tuple[i];
            ((bool *)data->truth.data)[count] = labels[t] == NLM_TRUE;
            data->positives += labels[t] == NLM_TRUE;
            data->labels++;
        }
    }
    memory_free(labels);
    return status;
}

/* ---- all of it ---- */

nlm_status clause_data_make(const nlm_program *program, const nlm_world *const *worlds, int count, int target,
                            clause_data *data, nlm_error *error)
{
    *data = (clause_data){.inputs = program->input_count,
                          .arity = count > 0 ? nlm_world_target_arity(worlds[0], target) : 0};
    data->facts = memory_new((size_t)data->inputs + 1, sizeof *data->facts);
    nlm_status status = data->facts ? NLM_OK : error_no_memory(error);
    for (int p = 0; p < data->inputs && !status; p++) {
        data->facts[p].arity = program_at(program, p)->arity;
        if (data->facts[p].arity > CLAUSE_ARITY)
            status = error_set(error, NLM_BAD_ARGUMENT, "%.80s has more than %d arguments",
                               program_at(program, p)->name, CLAUSE_ARITY);
    }
    for (int w = 0; w < count && !status; w++) {
        for (int p = 0; p < data->inputs && !status; p++)
            status = add_facts(&data->facts[p], worlds[w], program_at(program, p), data->objects, error);
        if (!status)
            status = add_labels(data, worlds[w], target, data->objects, error);
        if (!status && buffer_reserve(&data->until, (size_t)w + 1, sizeof(int), true))
            status = error_no_memory(error);
        if (!status)
            ((int *)data->until.data)[w] = data->labels;
        data->objects += nlm_world_objects(worlds[w]);
    }
    for (int p = 0; p < data->inputs && !status; p++)
        status = sort_facts(&data->facts[p], data->objects, error);
    if (!status && !(data->mask = memory_new((size_t)data->objects * CLAUSE_WORDS + 1, sizeof *data->mask)))
        status = error_no_memory(error);
    if (!status) {
        find_properties(data, program);
        list_relations(data);
        status = find_relations(data, error);
    }
    if (status)
        clause_data_free(data);
    return status;
}

void clause_data_free(clause_data *data)
{
    for (int p = 0; p < data->inputs && data->facts; p++) {
        for (int place = 0; place < CLAUSE_ARITY; place++) {
            memory_free(data->facts[p].start[place]);
            memory_free(data->facts[p].at[place]);
        }
        memory_free(data->facts[p].argument);
    }
    memory_free(data->facts);
    memory_free(data->mask);
    memory_free(data->pairs);
    buffer_free(&data->other);
    buffer_free(&data->joined);
    buffer_free(&data->tuple);
    buffer_free(&data->truth);
    buffer_free(&data->until);
    *data = (clause_data){0};
}
