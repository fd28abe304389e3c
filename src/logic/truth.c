#include "logic/truth.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/bit_tables.h"

struct truth {
    const nlm_program *program;
    int input_count; /* of the program, which may be gone when the group is freed */
    size_t most_bytes, kept_bytes;
    int world_count;
    buffer objects; /* int for each world */
    buffer inputs;  /* uint64_t *, [world][input]: the table of an input's arguments in order */
    buffer tables;  /* uint64_t *, by formula; NULL: not known */
    size_t table_count;
    buffer defined; /* uint64_t *, by predicate: tables of definitions, all arguments in order */
};

static int objects_at(const truth *group, int world)
{
    return ((const int *)group->objects.data)[world];
}

/* Words of a table in all worlds; 0 if they are too many. */
static size_t group_words(const truth *group, int k)
{
    size_t words = 0;
    for (int w = 0; w < group->world_count; w++) {
        const size_t own = bits_words(objects_at(group, w), k);
        if (own == 0 || (words += own) > BITS_MOST_WORDS)
            return 0;
    }
    return words;
}

nlm_status truth_new(const nlm_program *program, size_t most_bytes, truth **group, nlm_error *error)
{
    truth *made = calloc(1, sizeof *made);
    *group = NULL;
    if (!made)
        return error_no_memory(error);
    made->program = program;
    made->input_count = program->input_count;
    made->most_bytes = most_bytes;
    *group = made;
    return NLM_OK;
}

static word **slots(buffer *of)
{
    return of->data;
}

void truth_forget(truth *group)
{
    for (size_t i = 0; i < group->table_count; i++)
        free(slots(&group->tables)[i]);
    group->table_count = 0;
    if (group->defined.data)
        for (size_t i = 0; i < group->defined.capacity / sizeof(word *); i++)
            free(slots(&group->defined)[i]);
    buffer_free(&group->defined);
    group->defined = (buffer){0};
    group->kept_bytes = 0;
}

void truth_free(truth *group)
{
    if (!group)
        return;
    truth_forget(group);
    for (int i = 0; i < group->world_count * group->input_count; i++)
        free(slots(&group->inputs)[i]);
    buffer_free(&group->objects);
    buffer_free(&group->inputs);
    buffer_free(&group->tables);
    free(group);
}

/* The table of one input in one world. */
static nlm_status input_table(const program_predicate *input, const nlm_world *world, word **table,
                              nlm_error *error)
{
    const int n = nlm_world_objects(world);
    const size_t words = n ? bits_words(n, input->arity) : 0;
    *table = words ? calloc(words, sizeof **table) : NULL;
    if (!*table)
        return words ? error_no_memory(error)
                     : error_set(error, NLM_BAD_ARGUMENT,
                                 "a world of %d objects is too large for a table of %s/%d", n, input->name,
                                 input->arity);
    char *name = program_world_name(input);
    if (!name) {
        free(*table);
        return error_no_memory(error);
    }
    const int number = nlm_world_find_predicate(world, name, input->arity);
    memory_free(name);
    const int *tuples;
    const float *values;
    const size_t facts = number < 0 ? 0 : nlm_world_facts(world, number, &tuples, &values);
    for (size_t f = 0; f < facts; f++) {
        const int *tuple = tuples + f * (size_t)input->arity;
        size_t row = 0;
        for (int i = 0; i + 1 < input->arity; i++)
            row = row * (size_t)n + (size_t)tuple[i];
        const int last = input->arity ? tuple[input->arity - 1] : 0;
        word *at = *table + row * (input->arity ? bits_row_words(n) : 1) + last / 64;
        const word bit = (word)1 << (last % 64);
        *at = values[f] > 0.5f ? *at | bit : *at & ~bit; /* a fact added again replaces the earlier one */
    }
    return NLM_OK;
}

nlm_status truth_add_world(truth *group, const nlm_world *world, nlm_error *error)
{
    const int inputs = group->program->input_count;
    const size_t worlds = (size_t)group->world_count;
    truth_forget(group);
    if (buffer_reserve(&group->objects, worlds + 1, sizeof(int), true) != NLM_OK ||
        buffer_reserve(&group->inputs, (worlds + 1) * (size_t)inputs, sizeof(word *), true) != NLM_OK)
        return error_no_memory(error);
    ((int *)group->objects.data)[worlds] = nlm_world_objects(world);
    word **own = slots(&group->inputs) + worlds * (size_t)inputs;
    for (int i = 0; i < inputs; i++) {
        const nlm_status status = input_table(program_at(group->program, i), world, &own[i], error);
        if (status != NLM_OK) {
            while (i-- > 0)
                free(own[i]);
            return status;
        }
    }
    group->world_count++;
    return NLM_OK;
}

/* ---- tables of formulas ---- */

static nlm_status table_of(truth *group, formula f, const word **table, nlm_error *error);

static nlm_status fill_parts(truth *group, formula f, word *to, nlm_error *error)
{
    const formula_store *store = &group->program->store;
    const formula_node node = *formula_at(store, f);
    const int k = bits_in(node.free);
    word *at = to;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        const size_t words = bits_words(n, k), width = k ? bits_row_words(n) : 1;
        if (node.kind == FORMULA_AND)
            bits_fill(at, words, width, k ? n : 1);
        else
            memset(at, 0, words * sizeof *at);
        at += words;
    }
    for (uint32_t p = 0; p < node.count; p++) {
        const formula part = formula_parts(store, f)[p];
        const uint32_t part_free = formula_free(store, part);
        const word *from;
        const nlm_status status = table_of(group, part, &from, error);
        if (status != NLM_OK)
            return status;
        at = to;
        for (int w = 0; w < group->world_count; w++) {
            const int n = objects_at(group, w);
            bits_merge(at, node.free, from, part_free, n, node.kind == FORMULA_AND);
            at += bits_words(n, k);
            from += bits_words(n, bits_in(part_free));
        }
    }
    return NLM_OK;
}

static nlm_status fill_not(truth *group, formula f, word *to, nlm_error *error)
{
    const formula_node node = *formula_at(&group->program->store, f);
    const int k = bits_in(node.free);
    const word *from;
    const nlm_status status = table_of(group, node.part, &from, error);
    if (status != NLM_OK)
        return status;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        const size_t words = bits_words(n, k), width = k ? bits_row_words(n) : 1;
        bits_fill(to, words, width, k ? n : 1);
        for (size_t i = 0; i < words; i++)
            to[i] &= ~from[i];
        to += words;
        from += words;
    }
    return NLM_OK;
}

static nlm_status fill_exists(truth *group, formula f, word *to, nlm_error *error)
{
    const formula_store *store = &group->program->store;
    const formula_node node = *formula_at(store, f);
    const uint32_t part_free = formula_free(store, node.part);
    const int k = bits_in(part_free), j = bits_in(part_free & (((uint32_t)1 << node.bound) - 1));
    const word *from;
    const nlm_status status = table_of(group, node.part, &from, error);
    if (status != NLM_OK)
        return status;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        bits_exists(to, from, n, k, j);
        to += bits_words(n, k - 1);
        from += bits_words(n, k);
    }
    return NLM_OK;
}

/* The table of a definition, with all its arguments in order. */
static nlm_status defined_table(truth *group, int predicate, const word **table, nlm_error *error)
{
    const nlm_program *program = group->program;
    const program_predicate *of = program_at(program, predicate);
    if (!group->defined.data) {
        if (buffer_reserve(&group->defined, (size_t)program->predicate_count, sizeof(word *), false) !=
            NLM_OK)
            return error_no_memory(error);
        memset(group->defined.data, 0, group->defined.capacity);
    }
    word **slot = slots(&group->defined) + predicate;
    if (!*slot) {
        const word *from;
        nlm_status status = table_of(group, of->body, &from, error);
        if (status != NLM_OK)
            return status;
        const size_t words = group_words(group, of->arity);
        word *made = words ? calloc(words, sizeof *made) : NULL;
        if (!made)
            return error_no_memory(error);
        const uint32_t all = ((uint32_t)1 << of->arity) - 1, own = formula_free(&program->store, of->body);
        word *at = made;
        for (int w = 0; w < group->world_count; w++) {
            const int n = objects_at(group, w);
            bits_merge(at, all, from, own, n, false);
            at += bits_words(n, of->arity);
            from += bits_words(n, bits_in(own));
        }
        slots(&group->defined)[predicate] = made;
        slot = slots(&group->defined) + predicate;
    }
    *table = *slot;
    return NLM_OK;
}

static nlm_status fill_atom(truth *group, formula f, word *to, nlm_error *error)
{
    const nlm_program *program = group->program;
    const formula_node node = *formula_at(&program->store, f);
    const word *defined = NULL;
    if (node.predicate >= program->input_count) {
        const nlm_status status = defined_table(group, node.predicate, &defined, error);
        if (status != NLM_OK)
            return status;
    }
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        bits_atom(to, &node,
                  defined ? defined : slots(&group->inputs)[w * program->input_count + node.predicate], n);
        to += bits_words(n, bits_in(node.free));
        if (defined)
            defined += bits_words(n, node.arity);
    }
    return NLM_OK;
}

static void fill_equal(const truth *group, word *to)
{
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        for (int i = 0; i < n; i++)
            to[(size_t)i * bits_row_words(n) + (size_t)i / 64] |= (word)1 << (i % 64);
        to += bits_words(n, 2);
    }
}

static nlm_status fill(truth *group, formula f, word *to, nlm_error *error)
{
    switch ((formula_kind)formula_at(&group->program->store, f)->kind) {
    case FORMULA_CONSTANT:
        for (int w = 0; w < group->world_count; w++)
            to[w] = f == FORMULA_TRUE;
        return NLM_OK;
    case FORMULA_ATOM:
        return fill_atom(group, f, to, error);
    case FORMULA_EQUAL:
        fill_equal(group, to);
        return NLM_OK;
    case FORMULA_NOT:
        return fill_not(group, f, to, error);
    case FORMULA_EXISTS:
        return fill_exists(group, f, to, error);
    case FORMULA_AND:
    case FORMULA_OR:
        break;
    }
    return fill_parts(group, f, to, error);
}

static nlm_status table_of(truth *group, formula f, const word **table, nlm_error *error)
{
    if (f >= group->table_count) {
        const size_t count = group->program->store.node_count;
        if (buffer_reserve(&group->tables, count, sizeof(word *), true) != NLM_OK)
            return error_no_memory(error);
        memset(slots(&group->tables) + group->table_count, 0, (count - group->table_count) * sizeof(word *));
        group->table_count = count;
    }
    if (!slots(&group->tables)[f]) {
        const size_t words = group_words(group, bits_in(formula_free(&group->program->store, f)));
        word *made = words ? calloc(words, sizeof *made) : NULL;
        if (!made)
            return words ? error_no_memory(error)
                         : error_set(error, NLM_BAD_ARGUMENT,
                                     "a world is too large for tables of a formula "
                                     "with so many variables");
        const nlm_status status = fill(group, f, made, error);
        if (status != NLM_OK) {
            free(made);
            return status;
        }
        slots(&group->tables)[f] = made;
        group->kept_bytes += words * sizeof(word);
    }
    *table = slots(&group->tables)[f];
    return NLM_OK;
}

/* The table of a formula that was asked for from outside: only then may tables be forgotten. */
static nlm_status asked(truth *group, formula f, const word **table, nlm_error *error)
{
    if (group->kept_bytes > group->most_bytes)
        truth_forget(group);
    return table_of(group, f, table, error);
}

/* ---- answers ---- */

/* Differences in one world: all of them, or only whether there is one. */
static size_t differences(const word *table, uint32_t own, int n, int arity, const signed char *labels,
                          bool all)
{
    const bits_placing p = bits_place(((uint32_t)1 << arity) - 1, own, n);
    const size_t tuples = nlm_tuple_count(n, arity);
    int tuple[FORMULA_MOST_ARITY];
    size_t count = 0;
    for (size_t t = 0; t < tuples && (all || count == 0); t++)
        count += labels[t] != NLM_UNLABELLED && nlm_tuple_at(n, arity, t, tuple) &&
                 bits_value(table, &p, tuple) != (labels[t] == NLM_TRUE);
    return count;
}

/* In all worlds or, for `wrong`, up to the first with a difference. */
static nlm_status compare(truth *group, formula f, int arity, const signed char *labels, int *wrong,
                          size_t *errors, nlm_error *error)
{
    const uint32_t own = formula_free(&group->program->store, f);
    const word *table;
    if (group->world_count == 0) /* there would be no table */
        return NLM_OK;
    const nlm_status status = asked(group, f, &table, error);
    if (status != NLM_OK)
        return status;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        const size_t count = differences(table, own, n, arity, labels, errors != NULL);
        if (errors)
            *errors += count;
        if (wrong && count > 0) {
            *wrong = w;
            return NLM_OK;
        }
        labels += nlm_tuple_count(n, arity);
        table += bits_words(n, bits_in(own));
    }
    return NLM_OK;
}

nlm_status truth_compare(truth *group, formula f, int arity, const signed char *labels, int *wrong,
                         nlm_error *error)
{
    *wrong = -1;
    return compare(group, f, arity, labels, wrong, NULL, error);
}

nlm_status truth_errors(truth *group, formula f, int arity, const signed char *labels, size_t *errors,
                        nlm_error *error)
{
    *errors = 0;
    return compare(group, f, arity, labels, NULL, errors, error);
}

nlm_status truth_values(truth *group, formula f, int arity, int world, signed char *values, nlm_error *error)
{
    const uint32_t own = formula_free(&group->program->store, f);
    const word *table;
    const nlm_status status = asked(group, f, &table, error);
    if (status != NLM_OK)
        return status;
    for (int w = 0; w < world; w++)
        table += bits_words(objects_at(group, w), bits_in(own));
    const int n = objects_at(group, world);
    const bits_placing p = bits_place(((uint32_t)1 << arity) - 1, own, n);
    const size_t tuples = nlm_tuple_count(n, arity);
    int tuple[FORMULA_MOST_ARITY];
    for (size_t t = 0; t < tuples; t++)
        values[t] = nlm_tuple_at(n, arity, t, tuple) && bits_value(table, &p, tuple);
    return NLM_OK;
}

nlm_status truth_count(truth *group, formula f, size_t *count, nlm_error *error)
{
    const int k = bits_in(formula_free(&group->program->store, f));
    const word *table;
    const nlm_status status = asked(group, f, &table, error);
    if (status != NLM_OK)
        return status;
    const size_t words = group_words(group, k);
    *count = 0;
    for (size_t i = 0; i < words; i++)
        *count += (size_t)__builtin_popcountll(table[i]);
    return NLM_OK;
}

/* ---- rows ---- */

/* The table of f as one of all variables in `set`, to be freed. */
static nlm_status widened(truth *group, formula f, uint32_t set, size_t words, word **made, nlm_error *error)
{
    const uint32_t own = formula_free(&group->program->store, f);
    const word *from;
    const nlm_status status = table_of(group, f, &from, error);
    *made = NULL;
    if (status != NLM_OK)
        return status;
    word *at = *made = calloc(words, sizeof **made);
    if (!at)
        return error_no_memory(error);
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        bits_merge(at, set, from, own, n, false);
        at += bits_words(n, bits_in(set));
        from += bits_words(n, bits_in(own));
    }
    return NLM_OK;
}

/* The tuples of `some` by the values of the parts from number i on; `row` has those before. */
static void add_rows(word *const *tables, size_t at, int i, int count, word some, size_t row,
                     uint64_t *counts)
{
    if (some == 0)
        return;
    if (i == count) {
        counts[row] += (uint64_t)__builtin_popcountll(some);
        return;
    }
    add_rows(tables, at, i + 1, count, some & ~tables[i][at], row, counts);
    add_rows(tables, at, i + 1, count, some & tables[i][at], row | (size_t)1 << i, counts);
}

nlm_status truth_rows(truth *group, formula domain, const formula *parts, int count, uint64_t *counts,
                      nlm_error *error)
{
    const formula_store *store = &group->program->store;
    word *tables[TRUTH_MOST_PARTS + 1] = {NULL};
    uint32_t set = formula_free(store, domain);
    nlm_status status =
        count <= TRUTH_MOST_PARTS ? NLM_OK : error_set(error, NLM_BAD_ARGUMENT, "too many parts");
    if (group->kept_bytes > group->most_bytes)
        truth_forget(group);
    for (int i = 0; i < count && !status; i++)
        set |= formula_free(store, parts[i]);
    const size_t words = group_words(group, bits_in(set));
    if (words == 0 && !status && group->world_count > 0)
        status = error_set(error, NLM_BAD_ARGUMENT, "a world is too large for rows of so many variables");
    for (int i = 0; i <= count && !status; i++)
        status = widened(group, i < count ? parts[i] : domain, set, words, &tables[i], error);
    for (size_t at = 0; at < words && !status; at++)
        add_rows(tables, at, 0, count, tables[count][at], 0, counts);
    for (int i = 0; i <= TRUTH_MOST_PARTS; i++)
        free(tables[i]);
    return status;
}
