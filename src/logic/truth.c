#include "logic/truth.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

enum { MOST_TABLE_WORDS = 1 << 24 }; /* 128 MiB, in all worlds of a group */

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

typedef uint64_t word;

static int objects_at(const truth *group, int world)
{
    return ((const int *)group->objects.data)[world];
}

static size_t row_words(int objects)
{
    return ((size_t)objects + 63) / 64;
}

/* Words of a table of k variables in a world; 0 if they are too many. */
static size_t table_words(int objects, int k)
{
    size_t words = k ? row_words(objects) : 1;
    for (int i = 1; i < k; i++) {
        if (words > MOST_TABLE_WORDS / (size_t)objects)
            return 0;
        words *= (size_t)objects;
    }
    return words;
}

/* Words of a table in all worlds; 0 if they are too many. */
static size_t group_words(const truth *group, int k)
{
    size_t words = 0;
    for (int w = 0; w < group->world_count; w++) {
        const size_t own = table_words(objects_at(group, w), k);
        if (own == 0 || (words += own) > MOST_TABLE_WORDS)
            return 0;
    }
    return words;
}

static int bits_in(uint32_t set)
{
    return __builtin_popcount(set);
}

/* The bits of a row that stand for objects, in word number `i` of it. */
static word row_mask(int objects, size_t i)
{
    const size_t left = (size_t)objects - i * 64;
    return left >= 64 ? ~(word)0 : ((word)1 << left) - 1;
}

static bool bit_at(const word *row, int object)
{
    return row[object / 64] >> (object % 64) & 1;
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
    const size_t words = n ? table_words(n, input->arity) : 0;
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
        word *at = *table + row * (input->arity ? row_words(n) : 1) + last / 64;
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

/* The variables of a set, in ascending order. */
static int variables_of(uint32_t set, int *variable)
{
    int count = 0;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (set >> v & 1)
            variable[count++] = v;
    return count;
}

/* Where an entry of one table stands in another whose variables are among the first one's: as the digits of
 * the first count up, `row` follows; `bit` is the digit that is the other's last variable, -1 if the other
 * has no variables. */
typedef struct placing {
    int k;                            /* variables of the first table */
    size_t stride[FORMULA_VARIABLES]; /* words in the other table for a step of digit i */
    int bit;                          /* digit of the other's last variable */
} placing;

static placing place(uint32_t of, uint32_t other, int objects)
{
    int first[FORMULA_VARIABLES], second[FORMULA_VARIABLES];
    placing p = {.k = variables_of(of, first), .bit = -1};
    const int k = variables_of(other, second);
    for (int i = 0; i < p.k; i++) {
        for (int j = 0; j < k; j++)
            if (first[i] == second[j]) {
                if (j == k - 1) {
                    p.bit = i;
                    continue;
                }
                p.stride[i] = row_words(objects);
                for (int later = j + 1; later < k - 1; later++)
                    p.stride[i] *= (size_t)objects;
            }
    }
    return p;
}

/* A row and the words of `other`: each itself (aligned), or a bit of one of them for the whole row. */
static void merge_row(word *to, const word *from, size_t width, int n, bool is_and, bool aligned, bool bit)
{
    for (size_t i = 0; i < width; i++) {
        const word other = aligned ? from[i] : bit ? row_mask(n, i) : 0;
        to[i] = is_and ? to[i] & other : to[i] | other;
    }
}

/* The rows of the last digit but one, of which each is a word: most worlds have at most 64 objects, and most
 * of the work is here. */
static void merge_words(word *to, const word *from, size_t stride, int n, bool is_and, bool aligned,
                        int shift, int step)
{
    const word full = row_mask(n, 0);
    for (int d = 0; d < n; d++, from += stride, shift += step) {
        const word other = aligned ? *from : (0 - (*from >> shift & 1)) & full;
        to[d] = is_and ? to[d] & other : to[d] | other;
    }
}

/* to[...] = to op from, where from has fewer variables; from one world's table to another's. */
static void merge(word *to, uint32_t to_free, const word *from, uint32_t from_free, int n, bool is_and)
{
    const placing p = place(to_free, from_free, n);
    const size_t width = p.k ? row_words(n) : 1, rows = table_words(n, p.k) / width;
    const bool aligned = p.k == 0 || p.bit == p.k - 1;
    const int inner = width == 1 && p.k > 1 ? n : 1; /* rows at once */
    int digit[FORMULA_VARIABLES] = {0};
    for (size_t row = 0; row < rows; row += (size_t)inner, to += width * (size_t)inner) {
        const word *source = from;
        for (int i = 0; i + 1 < p.k; i++)
            source += (size_t)digit[i] * p.stride[i];
        if (inner > 1) {
            const bool runs = p.bit == p.k - 2; /* the digit that runs is the bit's */
            merge_words(to, source, p.stride[p.k - 2], n, is_and, aligned,
                        runs || p.bit < 0 ? 0 : digit[p.bit], runs);
        } else {
            merge_row(to, source, width, n, is_and, aligned,
                      aligned || (p.bit < 0 ? (bool)(*source & 1) : bit_at(source, digit[p.bit])));
        }
        for (int i = p.k - (inner > 1 ? 3 : 2); i >= 0 && ++digit[i] == n; i--)
            digit[i] = 0;
    }
}

/* All true: rows of `width` words for n objects. */
static void fill_rows(word *to, size_t words, size_t width, int n)
{
    for (size_t i = 0; i < width; i++) {
        const word mask = row_mask(n, i);
        for (size_t at = i; at < words; at += width)
            to[at] = mask;
    }
}

static nlm_status fill_parts(truth *group, formula f, word *to, nlm_error *error)
{
    const formula_store *store = &group->program->store;
    const formula_node node = *formula_at(store, f);
    const int k = bits_in(node.free);
    word *at = to;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        const size_t words = table_words(n, k), width = k ? row_words(n) : 1;
        if (node.kind == FORMULA_AND)
            fill_rows(at, words, width, k ? n : 1);
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
            merge(at, node.free, from, part_free, n, node.kind == FORMULA_AND);
            at += table_words(n, k);
            from += table_words(n, bits_in(part_free));
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
        const size_t words = table_words(n, k), width = k ? row_words(n) : 1;
        fill_rows(to, words, width, k ? n : 1);
        for (size_t i = 0; i < words; i++)
            to[i] &= ~from[i];
        to += words;
        from += words;
    }
    return NLM_OK;
}

/* exists over the variable at place j of the k that the part has. */
static void reduce(word *to, const word *from, int n, int k, int j)
{
    const size_t width = row_words(n), rows = table_words(n, k) / width;
    if (j == k - 1 && width == 1 && k > 1) { /* rows of one word become bits */
        for (size_t row = 0; row < rows; row += (size_t)n, from += n) {
            word bits = 0;
            for (int d = 0; d < n; d++)
                bits |= (word)(from[d] != 0) << d;
            *to++ = bits;
        }
        return;
    }
    if (j == k - 1) { /* a row becomes a bit */
        const size_t result = table_words(n, k - 1);
        memset(to, 0, result * sizeof *to);
        for (size_t row = 0; row < rows; row++) {
            word any = 0;
            for (size_t i = 0; i < width; i++)
                any |= from[row * width + i];
            const size_t digit = k == 1 ? 0 : row % (size_t)n;
            word *target = k == 1 ? to : to + row / (size_t)n * width + digit / 64;
            *target |= (word)(any != 0) << (digit % 64);
        }
        return;
    }
    size_t inner = width; /* words of what follows place j */
    for (int i = j + 1; i < k - 1; i++)
        inner *= (size_t)n;
    const size_t outer = rows * width / (inner * (size_t)n);
    for (size_t o = 0; o < outer; o++, to += inner) {
        memcpy(to, from, inner * sizeof *to);
        from += inner;
        for (size_t d = 1; d < (size_t)n; d++, from += inner)
            for (size_t i = 0; i < inner; i++)
                to[i] |= from[i];
    }
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
        reduce(to, from, n, k, j);
        to += table_words(n, k - 1);
        from += table_words(n, k);
    }
    return NLM_OK;
}

/* An atom from the table of its predicate, whose arguments are in order: arguments may be permuted and, of
 * definitions, repeated. */
static void gather(word *to, const formula_node *node, const word *from, int n)
{
    int variable[FORMULA_VARIABLES], digit[FORMULA_VARIABLES] = {0};
    const int k = variables_of(node->free, variable);
    if (node->arity == 0) {
        *to = *from;
        return;
    }
    int place_of[FORMULA_MOST_ARITY];
    for (int i = 0; i < node->arity; i++)
        for (int j = 0; j < k; j++)
            if (variable[j] == node->variable[i])
                place_of[i] = j;
    const size_t width = row_words(n), rows = table_words(n, k) / width;
    for (size_t row = 0; row < rows; row++, to += width) {
        for (digit[k - 1] = 0; digit[k - 1] < n; digit[k - 1]++) {
            size_t source = 0;
            for (int i = 0; i + 1 < node->arity; i++)
                source = source * (size_t)n + (size_t)digit[place_of[i]];
            if (bit_at(from + source * width, digit[place_of[node->arity - 1]]))
                to[digit[k - 1] / 64] |= (word)1 << (digit[k - 1] % 64);
        }
        digit[k - 1] = 0;
        for (int i = k - 2; i >= 0 && ++digit[i] == n; i--)
            digit[i] = 0;
    }
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
            merge(at, all, from, own, n, false);
            at += table_words(n, of->arity);
            from += table_words(n, bits_in(own));
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
        gather(to, &node,
               defined ? defined : slots(&group->inputs)[w * program->input_count + node.predicate], n);
        to += table_words(n, bits_in(node.free));
        if (defined)
            defined += table_words(n, node.arity);
    }
    return NLM_OK;
}

static void fill_equal(const truth *group, word *to)
{
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        for (int i = 0; i < n; i++)
            to[(size_t)i * row_words(n) + (size_t)i / 64] |= (word)1 << (i % 64);
        to += table_words(n, 2);
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

/* Calls for each tuple of different objects of a world. */
static bool value_at(const word *table, const placing *p, const int *tuple)
{
    const word *row = table;
    for (int i = 0; i < p->k; i++)
        row += (size_t)tuple[i] * p->stride[i];
    return p->bit < 0 ? (bool)(*row & 1) : bit_at(row, tuple[p->bit]);
}

nlm_status truth_compare(truth *group, formula f, int arity, const signed char *labels, int *wrong,
                         nlm_error *error)
{
    const uint32_t own = formula_free(&group->program->store, f);
    const word *table;
    const nlm_status status = asked(group, f, &table, error);
    if (status != NLM_OK)
        return status;
    *wrong = -1;
    for (int w = 0; w < group->world_count; w++) {
        const int n = objects_at(group, w);
        const placing p = place(((uint32_t)1 << arity) - 1, own, n);
        const size_t tuples = nlm_tuple_count(n, arity);
        int tuple[FORMULA_MOST_ARITY];
        for (size_t t = 0; t < tuples; t++)
            if (labels[t] != NLM_UNLABELLED && nlm_tuple_at(n, arity, t, tuple) &&
                value_at(table, &p, tuple) != (labels[t] == NLM_TRUE)) {
                *wrong = w;
                return NLM_OK;
            }
        labels += tuples;
        table += table_words(n, bits_in(own));
    }
    return NLM_OK;
}

nlm_status truth_values(truth *group, formula f, int arity, int world, signed char *values, nlm_error *error)
{
    const uint32_t own = formula_free(&group->program->store, f);
    const word *table;
    const nlm_status status = asked(group, f, &table, error);
    if (status != NLM_OK)
        return status;
    for (int w = 0; w < world; w++)
        table += table_words(objects_at(group, w), bits_in(own));
    const int n = objects_at(group, world);
    const placing p = place(((uint32_t)1 << arity) - 1, own, n);
    const size_t tuples = nlm_tuple_count(n, arity);
    int tuple[FORMULA_MOST_ARITY];
    for (size_t t = 0; t < tuples; t++)
        values[t] = nlm_tuple_at(n, arity, t, tuple) && value_at(table, &p, tuple);
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
