#include "logic/ground.h"
#include <stdlib.h>
#include <string.h>
#include "logic/slots.h"

enum {
    MOST_WORDS = 1 << 24, /* of clauses */
    MOST_STEPS = 100 * 1000 * 1000,
    MOST_PARTS = 4096 /* of an `and` or `or` */
};

typedef enum part_kind { PART_INPUT, PART_EQUAL, PART_FORMULA, PART_NODE, PART_REDUCED } part_kind;

/* What a variable stands for: part `number` of a kind at a tuple.  PART_REDUCED: exists z, none of the tuple,
 * with predicate number / 2 true or, for an odd number, false at (tuple, z). */
typedef struct part_key {
    uint32_t number;
    uint8_t kind, count, object[GROUND_TUPLE];
} part_key;

typedef struct part {
    part_key key;
    sat_literal literal;
    bool said[2];   /* what makes it true; what follows from it */
    bool witnessed; /* an object for which it holds has been named */
} part;

struct ground {
    ground_question question;
    sat *solver;
    bool is_proof, failed;
    int objects;
    int asked;    /* of proofs: the target's arguments, which are different */
    buffer parts; /* part */
    slot_table slots;
    uint32_t part_count;
    uint32_t equal_done[GROUND_OBJECTS][GROUND_OBJECTS]; /* parts to which an equality has been applied */
};

static sat_literal formula_literal(ground *of, formula f, const uint8_t *value, bool positive);
static sat_literal predicate_literal(ground *of, int predicate, const uint8_t *tuple, bool positive);
static void quantifier_begin(ground *of, uint32_t number, bool positive);

static part *part_at(const ground *of, uint32_t number)
{
    return (part *)of->parts.data + number;
}

static uint32_t hash_of(const part_key *key)
{
    uint32_t hash = key->number * 0x9e3779b9u ^ key->kind * 0x85ebca6bu;
    for (int i = 0; i < key->count; i++)
        hash = (hash ^ key->object[i]) * 0x01000193u + (hash >> 15);
    return hash ^ hash >> 13;
}

static bool same_key(const part_key *a, const part_key *b)
{
    return a->number == b->number && a->kind == b->kind && a->count == b->count &&
           memcmp(a->object, b->object, a->count) == 0;
}

static uint32_t part_hash(const void *of, uint32_t number)
{
    return hash_of(&part_at(of, number)->key);
}

/* The slot that has the number of a part, or an empty one. */
static uint32_t *find_part(const ground *of, const part_key *key)
{
    uint32_t *slot = slots_first(&of->slots, hash_of(key));
    while (*slot && !same_key(&part_at(of, *slot - 1)->key, key))
        slot = slots_next(&of->slots, slot);
    return slot;
}

static uint32_t part_of(ground *of, part_key key)
{
    if (!slots_reserve(&of->slots, of->part_count, part_hash, of)) {
        of->failed = true;
        return 0;
    }
    uint32_t *slot = find_part(of, &key);
    if (*slot)
        return *slot - 1;
    if (buffer_reserve(&of->parts, (size_t)of->part_count + 1, sizeof(part), true) != NLM_OK) {
        of->failed = true;
        return 0;
    }
    *part_at(of, of->part_count) = (part){.key = key, .literal = sat_variable(of->solver)};
    *slot = of->part_count + 1;
    return of->part_count++;
}

static void say(ground *of, const sat_literal *literals, size_t count)
{
    sat_add(of->solver, literals, count);
    of->failed |= sat_failed(of->solver);
}

#define SAY(of, ...)                                                                                         \
    say((of), (const sat_literal[]){__VA_ARGS__}, sizeof((sat_literal[]){__VA_ARGS__}) / sizeof(sat_literal))

/* ---- equal objects and inputs ---- */

static sat_literal equal_literal(ground *of, uint8_t a, uint8_t b)
{
    if (a == b)
        return SAT_YES;
    if (!of->is_proof || (a < of->asked && b < of->asked))
        return SAT_NO;
    part_key key = {.kind = PART_EQUAL, .count = 2, .object = {a < b ? a : b, a < b ? b : a}};
    return part_at(of, part_of(of, key))->literal;
}

static sat_literal input_literal(ground *of, int predicate, const uint8_t *tuple)
{
    part_key key = {.number = (uint32_t)predicate, .kind = PART_INPUT};
    key.count = (uint8_t)unit_predicate_at(of->question.units, predicate)->arity;
    memcpy(key.object, tuple, key.count);
    for (int i = 0; i < key.count; i++)
        for (int k = 0; k < i; k++)
            if (tuple[i] == tuple[k])
                return SAT_NO; /* facts are about different objects */
    const uint32_t before = of->part_count, number = part_of(of, key);
    const sat_literal literal = part_at(of, number)->literal;
    for (int i = 0; i < key.count && number == before; i++)
        for (int k = 0; k < i; k++)
            SAY(of, SAT_NOT(literal), SAT_NOT(equal_literal(of, tuple[i], tuple[k])));
    return literal;
}

/* ---- formulas ---- */

static part_key formula_key(const ground *of, formula f, const uint8_t *value)
{
    const uint32_t variables = formula_free(&of->question.program->store, f);
    part_key key = {.number = f, .kind = PART_FORMULA};
    for (int v = 0; v < FORMULA_VARIABLES && key.count < GROUND_TUPLE; v++)
        if (variables >> v & 1)
            key.object[key.count++] = value[v];
    return key;
}

static void formula_values(const ground *of, const part_key *key, uint8_t *value)
{
    const uint32_t variables = formula_free(&of->question.program->store, key->number);
    int next = 0;
    for (int v = 0; v < FORMULA_VARIABLES && next < key->count; v++)
        if (variables >> v & 1)
            value[v] = key->object[next++];
}

static sat_literal atom_literal(ground *of, const formula_node *node, const uint8_t *value, bool positive)
{
    const nlm_program *program = of->question.program;
    uint8_t arguments[FORMULA_VARIABLES] = {0};
    for (int i = 0; i < node->arity; i++)
        arguments[i] = value[node->variable[i]];
    return node->predicate < program->input_count
               ? input_literal(of, of->question.input[node->predicate], arguments)
               : formula_literal(of, program_at(program, node->predicate)->body, arguments, positive);
}

/* `and`: true makes all parts true; all parts true make it true.  `or`: the same of the negations. */
static void say_parts(ground *of, formula f, sat_literal literal, const uint8_t *value, bool positive)
{
    const formula_store *store = &of->question.program->store;
    const formula_node *node = formula_at(store, f);
    const sat_literal flip = node->kind == FORMULA_OR;
    if (node->count > MOST_PARTS) {
        of->failed = true;
        return;
    }
    sat_literal *all = malloc(((size_t)node->count + 1) * sizeof *all);
    if (!all) {
        of->failed = true;
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const sat_literal own = formula_literal(of, formula_parts(store, f)[i], value, positive);
        all[i] = SAT_NOT(own) ^ flip;
        if (positive != (node->kind == FORMULA_OR))
            SAY(of, SAT_NOT(literal) ^ flip, own ^ flip);
    }
    all[node->count] = literal ^ flip;
    if (positive == (node->kind == FORMULA_OR))
        say(of, all, (size_t)node->count + 1);
    free(all);
}

static sat_literal formula_literal(ground *of, formula f, const uint8_t *value, bool positive)
{
    const formula_store *store = &of->question.program->store;
    const formula_node *node = formula_at(store, f);
    switch ((formula_kind)node->kind) {
    case FORMULA_CONSTANT:
        return f == FORMULA_TRUE ? SAT_YES : SAT_NO;
    case FORMULA_ATOM:
        return atom_literal(of, node, value, positive);
    case FORMULA_EQUAL:
        return equal_literal(of, value[node->variable[0]], value[node->variable[1]]);
    case FORMULA_NOT:
        return SAT_NOT(formula_literal(of, node->part, value, !positive));
    case FORMULA_AND:
    case FORMULA_OR:
    case FORMULA_EXISTS:
        break;
    }
    const part_key key = formula_key(of, f, value);
    const uint32_t number = part_of(of, key);
    const sat_literal literal = part_at(of, number)->literal;
    if (key.count == GROUND_TUPLE || of->failed)
        of->failed = true;
    else if (!part_at(of, number)->said[positive]) {
        part_at(of, number)->said[positive] = true;
        if (node->kind != FORMULA_EXISTS)
            say_parts(of, f, literal, value, positive);
        else
            quantifier_begin(of, number, positive);
    }
    return literal;
}

/* ---- the machine ---- */

/* Exists z, none of the tuple, at which the predicate is true or, for `is_false`, false. */
static sat_literal reduced_literal(ground *of, int predicate, bool is_false, const uint8_t *tuple, int count,
                                   bool positive)
{
    part_key key = {
        .number = 2 * (uint32_t)predicate + is_false, .kind = PART_REDUCED, .count = (uint8_t)count};
    memcpy(key.object, tuple, (size_t)count);
    const uint32_t number = part_of(of, key);
    const sat_literal literal = part_at(of, number)->literal;
    if (!of->failed && !part_at(of, number)->said[positive]) {
        part_at(of, number)->said[positive] = true;
        quantifier_begin(of, number, positive);
    }
    return literal;
}

static sat_literal column_literal(ground *of, const unit_input *input, const uint8_t *tuple, bool positive)
{
    uint8_t read[NLM_MAX_BREADTH];
    for (int k = 0; k < input->arity; k++)
        read[k] = tuple[input->place[k]];
    switch (input->operation) {
    case NLM_EXISTS:
        return reduced_literal(of, input->source, false, read, input->arity, positive);
    case NLM_FORALL:
        return SAT_NOT(reduced_literal(of, input->source, true, read, input->arity, !positive));
    case NLM_OWN:
    case NLM_EXPAND:
        break;
    }
    return predicate_literal(of, input->source, read, positive);
}

/* A node is  rest or (literal and more)  with rest implying more: see unit_node. */
static sat_literal node_literal(ground *of, int number, const uint8_t *tuple, int arity, bool positive)
{
    if (number <= UNITS_YES)
        return number == UNITS_YES ? SAT_YES : SAT_NO;
    const unit_node *node = unit_node_at(of->question.units, number);
    const unit_input *input = unit_input_at(of->question.units, node->input);
    const bool grows = input->weight > 0;
    const int rest = grows ? node->low : node->high, more = grows ? node->high : node->low;
    const sat_literal literal = column_literal(of, input, tuple, positive == grows) ^ (sat_literal)!grows;
    if (rest == UNITS_NO && more == UNITS_YES)
        return literal;
    part_key key = {.number = (uint32_t)number, .kind = PART_NODE, .count = (uint8_t)arity};
    memcpy(key.object, tuple, (size_t)arity);
    const uint32_t at = part_of(of, key);
    const sat_literal whole = part_at(of, at)->literal;
    if (of->failed || part_at(of, at)->said[positive])
        return whole;
    part_at(of, at)->said[positive] = true;
    const sat_literal a = node_literal(of, rest, tuple, arity, positive),
                      b = node_literal(of, more, tuple, arity, positive);
    if (positive) {
        SAY(of, SAT_NOT(whole), a, literal);
        SAY(of, SAT_NOT(whole), b);
    } else {
        SAY(of, whole, SAT_NOT(a));
        SAY(of, whole, SAT_NOT(literal), SAT_NOT(b));
    }
    return whole;
}

static sat_literal predicate_literal(ground *of, int predicate, const uint8_t *tuple, bool positive)
{
    const unit_predicate *p = unit_predicate_at(of->question.units, predicate);
    return p->layer == 0 ? input_literal(of, predicate, tuple)
                         : node_literal(of, p->root, tuple, p->arity, positive);
}

/* ---- quantifiers ---- */

static bool is_quantifier(const ground *of, const part_key *key)
{
    return key->kind == PART_REDUCED ||
           (key->kind == PART_FORMULA &&
            formula_at(&of->question.program->store, key->number)->kind == FORMULA_EXISTS);
}

/* What is said to exist, of one object. */
static sat_literal instance(ground *of, const part_key *key, uint8_t object, bool positive)
{
    if (key->kind == PART_FORMULA) {
        const formula_node *node = formula_at(&of->question.program->store, key->number);
        uint8_t value[FORMULA_VARIABLES] = {0};
        formula_values(of, key, value);
        value[node->bound] = object;
        return formula_literal(of, node->part, value, positive);
    }
    uint8_t tuple[NLM_MAX_BREADTH + 1];
    const bool is_false = key->number & 1;
    memcpy(tuple, key->object, key->count);
    if (memchr(tuple, object, key->count))
        return SAT_NO;
    tuple[key->count] = object;
    return predicate_literal(of, (int)(key->number / 2), tuple, positive != is_false) ^ (sat_literal)is_false;
}

/* If it holds for the object, it exists. */
static void say_instance(ground *of, uint32_t number, uint8_t object)
{
    const part_key key = part_at(of, number)->key;
    sat_literal clause[GROUND_TUPLE + 2];
    size_t count = 0;
    clause[count++] = SAT_NOT(instance(of, &key, object, false));
    clause[count++] = part_at(of, number)->literal;
    for (int i = 0; key.kind == PART_REDUCED && i < key.count; i++)
        clause[count++] = equal_literal(of, key.object[i], object);
    if (!of->failed)
        say(of, clause, count);
}

static void quantifier_begin(ground *of, uint32_t number, bool positive)
{
    if (!positive) {
        for (int o = 0; o < of->objects && !of->failed; o++)
            say_instance(of, number, (uint8_t)o);
        return;
    }
    if (of->is_proof)
        return; /* a witness, once it is needed */
    const part_key key = part_at(of, number)->key;
    sat_literal clause[GROUND_OBJECTS + 1];
    for (int o = 0; o < of->objects; o++)
        clause[o] = instance(of, &key, (uint8_t)o, true);
    clause[of->objects] = SAT_NOT(part_at(of, number)->literal);
    say(of, clause, (size_t)of->objects + 1);
}

/* The oldest part that is said to exist, in the present answer, and has no witness; UINT32_MAX if all have.
 */
static uint32_t without_witness(const ground *of)
{
    for (uint32_t i = 0; i < of->part_count; i++) {
        const part *p = part_at(of, i);
        if (p->said[true] && !p->witnessed && is_quantifier(of, &p->key) && sat_true(of->solver, p->literal))
            return i;
    }
    return UINT32_MAX;
}

static void name_witness(ground *of, uint32_t number)
{
    const part_key key = part_at(of, number)->key;
    const uint32_t before = of->part_count;
    const uint8_t witness = (uint8_t)of->objects++;
    const sat_literal literal = part_at(of, number)->literal;
    part_at(of, number)->witnessed = true;
    for (uint32_t i = 0; i < before && !of->failed; i++)
        if (part_at(of, i)->said[false] && is_quantifier(of, &part_at(of, i)->key))
            say_instance(of, i, witness);
    SAY(of, SAT_NOT(literal), instance(of, &key, witness, true));
    for (int i = 0; key.kind == PART_REDUCED && i < key.count; i++)
        SAY(of, SAT_NOT(literal), SAT_NOT(equal_literal(of, key.object[i], witness)));
}

/* ---- equality ---- */

/* The part with b in the place of a, if it is known or an input. */
static bool exchanged(ground *of, const part_key *key, uint8_t a, uint8_t b, sat_literal *literal)
{
    part_key other = *key;
    for (int i = 0; i < other.count; i++)
        if (other.object[i] == a)
            other.object[i] = b;
    if (key->kind == PART_INPUT)
        *literal = input_literal(of, (int)key->number, other.object);
    else if (key->kind == PART_EQUAL)
        *literal = equal_literal(of, other.object[0], other.object[1]);
    else {
        const uint32_t *found = find_part(of, &other);
        if (!*found)
            return false;
        *literal = part_at(of, *found - 1)->literal;
    }
    return true;
}

/* a = b makes a part equal to the one with b in the place of a. */
static void say_equality(ground *of, sat_literal equal, uint8_t a, uint8_t b)
{
    for (uint32_t i = of->equal_done[a][b]; i < of->part_count && !of->failed; i++) {
        const part_key key = part_at(of, i)->key;
        const sat_literal literal = part_at(of, i)->literal;
        sat_literal other;
        for (int turn = 0; turn < 2; turn++)
            if (literal != equal && memchr(key.object, turn ? a : b, key.count) &&
                exchanged(of, &key, turn ? a : b, turn ? b : a, &other)) {
                SAY(of, SAT_NOT(equal), SAT_NOT(literal), other);
                SAY(of, SAT_NOT(equal), literal, SAT_NOT(other));
            }
    }
    of->equal_done[a][b] = of->part_count;
}

/* What follows from the equalities of the present answer; false if nothing new does. */
static bool say_equalities(ground *of)
{
    struct pair {
        sat_literal literal;
        uint8_t a, b;
    } pairs[GROUND_OBJECTS * GROUND_OBJECTS];
    int count = 0;
    for (uint32_t i = 0; i < of->part_count; i++) {
        const part *p = part_at(of, i);
        if (p->key.kind == PART_EQUAL && sat_true(of->solver, p->literal) &&
            of->equal_done[p->key.object[0]][p->key.object[1]] < of->part_count)
            pairs[count++] = (struct pair){p->literal, p->key.object[0], p->key.object[1]};
    }
    for (int i = 0; i < count; i++)
        say_equality(of, pairs[i].literal, pairs[i].a, pairs[i].b);
    return count > 0;
}

/* ---- the question ---- */

ground *ground_new(const ground_question *question, int objects)
{
    ground *of = calloc(1, sizeof *of);
    const unit_predicate *head = unit_predicate_at(question->units, question->units->head[question->head]);
    uint8_t tuple[FORMULA_VARIABLES] = {0};
    if (!of)
        return NULL;
    of->question = *question;
    of->solver = sat_new(MOST_WORDS, MOST_STEPS);
    /* part 0 can be looked at also when part_of had no room for any */
    if (!of->solver || buffer_reserve(&of->parts, 1, sizeof(part), false) != NLM_OK) {
        ground_free(of);
        return NULL;
    }
    *part_at(of, 0) = (part){0};
    of->is_proof = objects == 0;
    of->asked = head->arity;
    /* worlds have an object, also if nothing is asked about one */
    of->objects = objects ? objects : head->arity ? head->arity : 1;
    for (int i = 0; i < head->arity; i++)
        tuple[i] = (uint8_t)i;
    const sat_literal machine =
        predicate_literal(of, question->units->head[question->head], tuple, question->machine);
    const sat_literal program = formula_literal(of, program_at(question->program, question->definition)->body,
                                                tuple, !question->machine);
    SAY(of, machine ^ (sat_literal)!question->machine);
    SAY(of, program ^ (sat_literal)question->machine);
    return of;
}

void ground_free(ground *of)
{
    if (!of)
        return;
    sat_free(of->solver);
    buffer_free(&of->parts);
    slots_free(&of->slots);
    free(of);
}

sat_answer ground_answer(ground *of)
{
    for (;;) {
        const sat_answer answer = of->failed ? SAT_STOPPED : sat_solve(of->solver);
        if (answer != SAT_SATISFIABLE || !of->is_proof)
            return answer;
        if (say_equalities(of))
            continue;
        const uint32_t next = without_witness(of);
        if (next == UINT32_MAX)
            return SAT_SATISFIABLE;
        if (of->objects == GROUND_OBJECTS)
            return SAT_STOPPED;
        name_witness(of, next);
    }
}

bool ground_fact(const ground *of, int predicate, const int *tuple)
{
    part_key key = {.number = (uint32_t)predicate, .kind = PART_INPUT};
    key.count = (uint8_t)unit_predicate_at(of->question.units, predicate)->arity;
    for (int i = 0; i < key.count; i++)
        key.object[i] = (uint8_t)tuple[i];
    const uint32_t *found = of->slots.count ? find_part(of, &key) : NULL;
    return found && *found && sat_true(of->solver, part_at(of, *found - 1)->literal);
}

int ground_objects(const ground *of)
{
    return of->objects;
}
