/* Orders of quantifiers.
 *
 * An `exists` is opened: the conjunctions and positive quantifiers inside become one list of parts and a set
 * of bound variables, and so do atoms of definitions of one clause, if that helps.  Then one bound variable
 * after the other goes, always one whose parts have the fewest variables together (greedy), which puts a
 * quantifier around these parts. */
#include "logic/scopes.h"
#include <string.h>
#include "base/error.h"

enum {
    MOST_PARTS = 256,         /* of an opened quantifier; larger ones stay as they are */
    MOST_DISTRIBUTIONS = 1000 /* of a program */
};

typedef struct opened {
    scopes *of;
    bool definitions; /* also atoms of definitions */
    formula part[MOST_PARTS];
    int count;
    uint32_t used, bound; /* variables, as bits */
    bool failed;
} opened;

nlm_status scopes_start(scopes *of, nlm_program *program, nlm_error *error)
{
    *of = (scopes){.program = program, .distributions = MOST_DISTRIBUTIONS};
    const size_t count = (size_t)program->predicate_count;
    if (buffer_reserve(&of->definitions, count, 1, false) != NLM_OK)
        return error_no_memory(error);
    uint8_t *known = of->definitions.data;
    for (size_t i = 0; i < count; i++) { /* a definition uses those before it only */
        const program_predicate *predicate = program_at(program, (int)i);
        const int inside = predicate->is_input ? 0 : scopes_measure(of, predicate->body);
        known[i] = (uint8_t)(inside > predicate->arity ? inside : predicate->arity);
    }
    return of->failed ? error_no_memory(error) : NLM_OK;
}

void scopes_free(scopes *of)
{
    buffer_free(&of->measured);
    buffer_free(&of->definitions);
}

static bool room_for(scopes *of)
{
    const uint32_t count = of->program->store.node_count;
    if (count <= of->count)
        return true;
    if (buffer_reserve(&of->measured, count, 1, true) != NLM_OK) {
        of->failed = true;
        return false;
    }
    memset((uint8_t *)of->measured.data + of->count, 0, count - of->count);
    of->count = count;
    return true;
}

int scopes_measure(scopes *of, formula f)
{
    const formula_store *store = &of->program->store;
    if (of->failed || !room_for(of))
        return 0;
    if (((uint8_t *)of->measured.data)[f])
        return ((uint8_t *)of->measured.data)[f] - 1;
    const formula_node *node = formula_at(store, f);
    int most = __builtin_popcount(node->free);
    if (node->kind == FORMULA_ATOM && ((uint8_t *)of->definitions.data)[node->predicate] > most)
        most = ((uint8_t *)of->definitions.data)[node->predicate];
    for (uint32_t i = 0; i < node->count + (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS); i++) {
        const int inside = scopes_measure(of, node->count ? formula_parts(store, f)[i] : node->part);
        most = inside > most ? inside : most;
    }
    if (!of->failed)
        ((uint8_t *)of->measured.data)[f] = (uint8_t)(most + 1);
    return most;
}

static int lowest_unused(uint32_t used)
{
    int variable = 0;
    while (variable < FORMULA_VARIABLES && used >> variable & 1)
        variable++;
    return variable;
}

/* The body of a definition of one clause that is a conjunction or a quantifier can be opened. */
static bool can_open(const opened *list, const formula_node *atom)
{
    const nlm_program *program = list->of->program;
    if (!list->definitions || atom->predicate < program->input_count)
        return false;
    const formula_kind kind =
        (formula_kind)formula_at(&program->store, program_at(program, atom->predicate)->body)->kind;
    return kind == FORMULA_AND || kind == FORMULA_EXISTS || kind == FORMULA_ATOM;
}

/* Adds the parts of f, whose variable v is to[v]. */
static void open_parts(opened *list, formula f, const int *to)
{
    formula_store *store = &list->of->program->store;
    const formula_node node = *formula_at(store, f);
    int inside[FORMULA_VARIABLES];
    memcpy(inside, to, sizeof inside);
    if (list->failed)
        return;
    if (node.kind == FORMULA_AND) {
        for (uint32_t i = 0; i < node.count; i++)
            open_parts(list, formula_parts(store, f)[i], to);
    } else if (node.kind == FORMULA_EXISTS) {
        const int variable = lowest_unused(list->used);
        if (variable == FORMULA_VARIABLES) {
            list->failed = true;
            return;
        }
        list->used |= (uint32_t)1 << variable;
        list->bound |= (uint32_t)1 << variable;
        inside[node.bound] = variable;
        open_parts(list, node.part, inside);
    } else if (node.kind == FORMULA_ATOM && can_open(list, &node)) {
        for (int i = 0; i < node.arity; i++)
            inside[i] = to[node.variable[i]];
        open_parts(list, program_at(list->of->program, node.predicate)->body, inside);
    } else if (list->count == MOST_PARTS)
        list->failed = true;
    else
        list->part[list->count++] = formula_rename(store, f, to);
}

/* The variables of the parts that have `variable`. */
static uint32_t scope_of(const opened *list, int variable)
{
    uint32_t scope = 0;
    for (int i = 0; i < list->count; i++) {
        const uint32_t free = formula_free(&list->of->program->store, list->part[i]);
        scope |= free >> variable & 1 ? free : 0;
    }
    return scope;
}

/* Puts a quantifier around the parts that have `variable`. */
static void eliminate(opened *list, int variable)
{
    formula_store *store = &list->of->program->store;
    formula taken[MOST_PARTS];
    int kept = 0;
    size_t count = 0;
    for (int i = 0; i < list->count; i++)
        if (formula_free(store, list->part[i]) >> variable & 1)
            taken[count++] = list->part[i];
        else
            list->part[kept++] = list->part[i];
    list->count = kept;
    if (count)
        list->part[list->count++] = formula_exists(store, variable, formula_and(store, taken, count));
}

static formula reorder(scopes *of, formula f, bool definitions)
{
    formula_store *store = &of->program->store;
    opened list = {.of = of, .definitions = definitions, .used = formula_free(store, f)};
    int to[FORMULA_VARIABLES];
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
    open_parts(&list, f, to);
    if (list.failed)
        return f;
    while (list.bound) {
        int best = 0, least = FORMULA_VARIABLES + 1;
        for (int v = 0; v < FORMULA_VARIABLES; v++)
            if (list.bound >> v & 1 && __builtin_popcount(scope_of(&list, v)) < least) {
                best = v;
                least = __builtin_popcount(scope_of(&list, v));
            }
        list.bound &= ~((uint32_t)1 << best);
        eliminate(&list, best);
    }
    return formula_and(store, list.part, (size_t)list.count);
}

formula scopes_order(scopes *of, formula f)
{
    int least = scopes_measure(of, f);
    formula best = f;
    for (int definitions = 0; definitions < 2 && least > 2; definitions++) {
        const formula other = reorder(of, f, definitions);
        if (scopes_measure(of, other) < least) {
            least = scopes_measure(of, other);
            best = other;
        }
    }
    return best;
}

static formula order_parts(scopes *of, formula f)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f);
    formula part[MOST_PARTS];
    if (node.count > MOST_PARTS)
        return f;
    for (uint32_t i = 0; i < node.count; i++)
        part[i] = scopes_order_all(of, formula_parts(store, f)[i]);
    return node.kind == FORMULA_AND ? formula_and(store, part, node.count)
                                    : formula_or(store, part, node.count);
}

/* From outside to inside: an order of the outer quantifiers decides what the inner ones are. */
formula scopes_order_all(scopes *of, formula f)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_NOT:
        return formula_not(store, scopes_order_all(of, node.part));
    case FORMULA_AND:
    case FORMULA_OR:
        return order_parts(of, f);
    case FORMULA_EXISTS: {
        const formula other = scopes_order(of, f);
        return other != f ? scopes_order_all(of, other)
                          : formula_exists(store, node.bound, scopes_order_all(of, node.part));
    }
    case FORMULA_CONSTANT:
    case FORMULA_ATOM:
    case FORMULA_EQUAL:
        break;
    }
    return f;
}

formula scopes_distribute(scopes *of, formula f)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f), body = *formula_at(store, node.part);
    if (body.kind != FORMULA_AND || body.count > MOST_PARTS || of->distributions <= 0)
        return f;
    formula part[MOST_PARTS];
    for (uint32_t i = 0; i < body.count; i++)
        part[i] = formula_parts(store, node.part)[i];
    for (uint32_t i = 0; i < body.count; i++) {
        const formula_node choice = *formula_at(store, part[i]);
        if (choice.kind != FORMULA_OR)
            continue;
        const formula whole = part[i];
        formula result = FORMULA_FALSE;
        of->distributions -= (int)choice.count;
        for (uint32_t k = 0; k < choice.count; k++) {
            part[i] = formula_parts(store, whole)[k];
            result = formula_or2(store, result,
                                 formula_exists(store, node.bound, formula_and(store, part, body.count)));
        }
        return result;
    }
    return f;
}
