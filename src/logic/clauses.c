#include "logic/clauses.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

/* The clause that is being made: its literals are kept apart until it is whole, since its helpers' clauses
 * come first. */
typedef struct drafting {
    clauses *made;
    formula_store *store;
    bool failed;
} drafting;

typedef struct draft_clause {
    clause_literal *literals;
    uint32_t count, room;
    int variables;
} draft_clause;

enum { MOST_CLAUSES = 1 << 20 };

static void write_definition(drafting *of, int head, int arity, formula body);

static clause_literal *new_literal(drafting *of, draft_clause *draft)
{
    if (draft->count == draft->room) {
        const uint32_t room = draft->room ? draft->room * 2 : 16;
        clause_literal *more = realloc(draft->literals, room * sizeof *more);
        if (!more) {
            of->failed = true;
            return NULL;
        }
        draft->literals = more;
        draft->room = room;
    }
    draft->literals[draft->count] = (clause_literal){0};
    return &draft->literals[draft->count++];
}

/* The literal of a helper for f: a new predicate, or that of an equal formula. */
static void add_helper(drafting *of, draft_clause *draft, formula f, const uint8_t *map, bool negated)
{
    int best[FORMULA_VARIABLES], count;
    const formula body = formula_canonical(of->store, f, best, &count);
    clauses *made = of->made;
    uint32_t number = 0;
    while (number < made->helper_count && ((clause_helper *)made->helpers.data)[number].body != body)
        number++;
    const int predicate = made->program->predicate_count + (int)number;
    if (number == made->helper_count) {
        if (buffer_reserve(&made->helpers, number + 1, sizeof(clause_helper), true) != NLM_OK) {
            of->failed = true;
            return;
        }
        ((clause_helper *)made->helpers.data)[made->helper_count++] = (clause_helper){body, count};
        write_definition(of, predicate, count, body);
    }
    clause_literal *literal = new_literal(of, draft);
    if (!literal)
        return;
    literal->predicate = predicate;
    literal->negated = negated;
    literal->arity = (uint8_t)count;
    for (int i = 0; i < count; i++)
        literal->variable[i] = map[best[i]];
}

static void add_plain(drafting *of, draft_clause *draft, const formula_node *node, const uint8_t *map,
                      bool negated)
{
    clause_literal *literal = new_literal(of, draft);
    if (!literal)
        return;
    literal->predicate = node->kind == FORMULA_EQUAL ? CLAUSE_EQUAL : node->predicate;
    literal->negated = negated;
    literal->arity = node->arity;
    for (int i = 0; i < node->arity; i++)
        literal->variable[i] = map[node->variable[i]];
}

/* not exists: one atom with anonymous variables, where each bound variable stands in it once; or a helper. */
static void add_none(drafting *of, draft_clause *draft, formula f, const uint8_t *map)
{
    uint8_t inside[FORMULA_VARIABLES];
    memcpy(inside, map, sizeof inside);
    uint32_t bound = 0;
    const formula_node *node = formula_at(of->store, f);
    for (; node->kind == FORMULA_EXISTS; node = formula_at(of->store, node->part)) {
        inside[node->bound] = CLAUSE_ANONYMOUS;
        bound |= (uint32_t)1 << node->bound;
    }
    bool once = node->kind == FORMULA_ATOM;
    for (int i = 0; once && i < node->arity; i++)
        for (int j = 0; j < i; j++)
            once &= node->variable[i] != node->variable[j] || !(bound >> node->variable[i] & 1);
    if (once)
        add_plain(of, draft, node, inside, true);
    else
        add_helper(of, draft, f, map, true);
}

static void add_body(drafting *of, draft_clause *draft, formula f, const uint8_t *map)
{
    if (of->failed)
        return;
    const formula_node node = *formula_at(of->store, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_CONSTANT:
        return; /* true: no literal; false has no clause */
    case FORMULA_ATOM:
    case FORMULA_EQUAL:
        add_plain(of, draft, &node, map, false);
        return;
    case FORMULA_AND:
        for (uint32_t i = 0; i < node.count; i++)
            add_body(of, draft, formula_parts(of->store, f)[i], map);
        return;
    case FORMULA_OR:
        add_helper(of, draft, f, map, false);
        return;
    case FORMULA_EXISTS: {
        uint8_t inside[FORMULA_VARIABLES];
        memcpy(inside, map, sizeof inside);
        if (draft->variables == CLAUSE_VARIABLES) {
            of->failed = true;
            return;
        }
        inside[node.bound] = (uint8_t)draft->variables++;
        add_body(of, draft, node.part, inside);
        return;
    }
    case FORMULA_NOT:
        break;
    }
    const formula_node part = *formula_at(of->store, node.part);
    if (part.kind == FORMULA_EXISTS)
        add_none(of, draft, node.part, map);
    else
        add_plain(of, draft, &part, map, true);
}

static void write_clause(drafting *of, int head, int arity, formula body)
{
    uint8_t map[FORMULA_VARIABLES];
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        map[v] = (uint8_t)v;
    draft_clause draft = {.variables = arity};
    add_body(of, &draft, body, map);
    clauses *made = of->made;
    if (made->count >= MOST_CLAUSES ||
        buffer_reserve(&made->list, made->count + 1, sizeof(clause), true) != NLM_OK ||
        buffer_reserve(&made->literals, made->literal_count + draft.count, sizeof(clause_literal), true) !=
            NLM_OK)
        of->failed = true;
    if (!of->failed) {
        ((clause *)made->list.data)[made->count++] =
            (clause){head, made->literal_count, draft.count, draft.variables};
        if (draft.count)
            memcpy((clause_literal *)made->literals.data + made->literal_count, draft.literals,
                   draft.count * sizeof *draft.literals);
        made->literal_count += draft.count;
    }
    free(draft.literals);
}

static void write_definition(drafting *of, int head, int arity, formula body)
{
    const formula_node node = *formula_at(of->store, body);
    if (node.kind != FORMULA_OR)
        write_clause(of, head, arity, body);
    else
        for (uint32_t i = 0; i < node.count && !of->failed; i++)
            write_clause(of, head, arity, formula_parts(of->store, body)[i]);
}

nlm_status clauses_of(const nlm_program *program, clauses *made, nlm_error *error)
{
    *made = (clauses){0};
    nlm_status status = program_copy(program, &made->program, error);
    if (status != NLM_OK)
        return status;
    drafting of = {.made = made, .store = &made->program->store};
    for (int i = program->input_count; i < program->predicate_count && !of.failed; i++) {
        const program_predicate *defined = program_at(made->program, i);
        if (defined->body != FORMULA_FALSE)
            write_definition(&of, i, defined->arity, defined->body);
    }
    if (of.failed || of.store->failed) {
        clauses_free(made);
        return error_set(error, NLM_NO_MEMORY, "the program has too many clauses to be written");
    }
    return NLM_OK;
}

void clauses_free(clauses *of)
{
    nlm_program_free(of->program);
    buffer_free(&of->list);
    buffer_free(&of->literals);
    buffer_free(&of->helpers);
    *of = (clauses){0};
}

int clauses_arity(const clauses *of, int predicate)
{
    const int helper = predicate - of->program->predicate_count;
    return helper >= 0 ? ((const clause_helper *)of->helpers.data)[helper].arity
                       : program_at(of->program, predicate)->arity;
}

static nlm_program_size size_of(const clauses *made)
{
    nlm_program_size size = {.clauses = (int)made->count,
                             .literals = (int)(made->count + made->literal_count)};
    for (uint32_t i = 0; i < made->literal_count; i++)
        size.inequalities += ((const clause_literal *)made->literals.data)[i].predicate == CLAUSE_EQUAL;
    return size;
}

nlm_program_size clauses_measure(nlm_program *program, formula body, int arity)
{
    clauses made = {.program = program};
    drafting of = {.made = &made, .store = &program->store};
    if (body != FORMULA_FALSE)
        write_definition(&of, program->predicate_count - 1, arity, body);
    const nlm_program_size size = of.failed ? (nlm_program_size){INT32_MAX, INT32_MAX, 0} : size_of(&made);
    made.program = NULL;
    clauses_free(&made);
    return size;
}

nlm_program_size nlm_program_measure(const nlm_program *program)
{
    clauses made;
    nlm_error error;
    if (!program || clauses_of(program, &made, &error) != NLM_OK)
        return (nlm_program_size){0};
    const nlm_program_size size = size_of(&made);
    clauses_free(&made);
    return size;
}
