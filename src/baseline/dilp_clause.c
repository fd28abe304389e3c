/* Clauses of a template: all pairs of atoms over its variables, of which some are left out.
 *
 * Atoms are enumerated first, by predicate and variables; a body is then a pair (i, j), i <= j, so that of
 * two bodies that differ in the order of their atoms only one is made.  The order of clauses is part of the
 * model file: weights are stored by it.
 *
 * For r variables of the head and v more there are sum over predicates of (r + v)^arity atoms, and about half
 * the square of that many bodies before any is left out. */
#include "baseline/dilp_clause.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

/* Bytes of a name that need no quotes once "not_" stands before them. */
static size_t plain_bytes(const char *name)
{
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
}

/* 'Friend' is in quotes, not_Friend is not: to Prolog both ways to write it are one name. */
size_t nlm_given_text(const nlm_given *given, char *text, size_t size)
{
    const char *name = given->name;
    const size_t plain = name[0] == '\'' ? plain_bytes(name + 1) : 0;
    if (!given->negated)
        return (size_t)snprintf(text, size, "%s", name);
    if (plain > 0 && strcmp(name + 1 + plain, "'") == 0)
        return (size_t)snprintf(text, size, "not_%.*s", (int)plain, name + 1);
    return (size_t)snprintf(text, size, "%snot_%s", name[0] == '\'' ? "'" : "", name + (name[0] == '\''));
}

/* NULL for what is no kind of body: it also serves as a check. */
const char *nlm_body_name(nlm_body body)
{
    static const char *const names[] = {
        [NLM_BODY_GIVEN] = "given",
        [NLM_BODY_DEFINED] = "defined",
        [NLM_BODY_MIXED] = "mixed",
        [NLM_BODY_HELPERS] = "helpers",
    };
    return (unsigned)body < sizeof names / sizeof *names ? names[body] : NULL;
}

/* ---- generation ---- */

/* Example: the template (p/2, one more variable, given) with one input e/2 has the variables X, Y, Z and nine
 * atoms e(X,X) ... e(Z,Z), hence 45 bodies.  Bodies without X or without Y are left out; of the rest, those
 * with e(X,X), e(Y,Y) or e(Z,Z) never hold and come last. */
/* The template at hand and the atoms that its bodies may have. */
struct maker {
    const struct dilp_predicate *predicates;
    int count;
    int head;
    nlm_template form;
    struct dilp_atom *atoms; /* that a body may have, in the order in which they are enumerated */
    size_t atom_count;
};

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* p(X1, ..., Xr) itself: as an atom of the body it would make the clause say nothing. */
static bool is_head(const struct maker *maker, const struct dilp_atom *atom)
{
    if (atom->predicate != maker->head)
        return false;
    for (int i = 0; i < maker->predicates[maker->head].arity; i++)
        if (atom->variables[i] != i)
            return false;
    return true;
}

/* Stages: a body cannot use what is concluded later.  Mixed and helper bodies use defined predicates after
 * the head only, which keeps them free of recursion. */
static bool may_be_used(const struct maker *maker, int predicate)
{
    const struct dilp_predicate *used = &maker->predicates[predicate];
    const nlm_body body = maker->form.body;
    if (used->stage > maker->predicates[maker->head].stage)
        return false;
    return !used->defined || body == NLM_BODY_DEFINED || (body != NLM_BODY_GIVEN && predicate > maker->head);
}

/* All atoms that a body may have: predicates in their order, for each all choices of variables.  Number
 * `number` written in base `variables` gives the variables of an atom. */
static nlm_status make_atoms(struct maker *maker)
{
    int variables = maker->predicates[maker->head].arity + maker->form.variables;
    size_t most = (size_t)maker->count * (DILP_MOST_VARIABLES * DILP_MOST_VARIABLES);
    maker->atoms = memory_new(most, sizeof *maker->atoms);
    if (!maker->atoms)
        return NLM_NO_MEMORY;
    for (int p = 0; p < maker->count; p++) {
        int arity = maker->predicates[p].arity;
        if (!may_be_used(maker, p))
            continue;
        for (int number = 0; number < power(variables, arity); number++) {
            struct dilp_atom atom = {.predicate = p};
            for (int i = arity - 1, rest = number; i >= 0; i--, rest /= variables)
                atom.variables[i] = rest % variables;
            if (!is_head(maker, &atom))
                maker->atoms[maker->atom_count++] = atom;
        }
    }
    return NLM_OK;
}

/* The variables of an atom as a set of bits. */
static unsigned variables_of(const struct maker *maker, const struct dilp_atom *atom)
{
    unsigned set = 0;
    for (int i = 0; i < maker->predicates[atom->predicate].arity; i++)
        set |= 1u << atom->variables[i];
    return set;
}

/* The kind of the body says how many of its two atoms are of defined predicates; together they must have all
 * variables of the head. */
static bool may_be_body(const struct maker *maker, const struct dilp_atom *a, const struct dilp_atom *b)
{
    static const struct {
        int least, most; /* atoms of defined predicates */
    } defined[] = {
        [NLM_BODY_GIVEN] = {0, 0},
        [NLM_BODY_DEFINED] = {1, 2},
        [NLM_BODY_MIXED] = {1, 1},
        [NLM_BODY_HELPERS] = {2, 2},
    };
    /* variables of the head are numbered from 0, so they are the lowest bits */
    unsigned needed = (1u << maker->predicates[maker->head].arity) - 1;
    int count = maker->predicates[a->predicate].defined + maker->predicates[b->predicate].defined;
    return count >= defined[maker->form.body].least && count <= defined[maker->form.body].most &&
           (needed & ~(variables_of(maker, a) | variables_of(maker, b))) == 0;
}

/* Worlds have no facts about tuples that repeat an object. */
static bool never_holds(const struct maker *maker, const struct dilp_atom *atom)
{
    const struct dilp_predicate *predicate = &maker->predicates[atom->predicate];
    return !predicate->defined && predicate->arity == 2 && atom->variables[0] == atom->variables[1];
}

/* Counts the clauses that may hold, or those that never do, and writes them unless `items` is NULL.  The same
 * loop counts and writes, so that the counts cannot be wrong. */
static size_t make_clauses(const struct maker *maker, bool never, struct dilp_clause *items)
{
    size_t count = 0;
    for (size_t i = 0; i < maker->atom_count; i++) {
        for (size_t j = i; j < maker->atom_count; j++) {
            const struct dilp_atom *a = &maker->atoms[i], *b = &maker->atoms[j];
            if (!may_be_body(maker, a, b) || (never_holds(maker, a) || never_holds(maker, b)) != never)
                continue;
            if (items)
                items[count] = (struct dilp_clause){maker->head, maker->form.variables, {*a, *b}};
            count++;
        }
    }
    return count;
}

/* Count, then write; clauses that never hold come last.  After a failure the clauses are empty and need not
 * be freed. */
nlm_status dilp_clauses_make(struct dilp_clauses *clauses, const struct dilp_predicate *predicates, int count,
                             int head, nlm_template form, nlm_error *error)
{
    const struct dilp_predicate *of = &predicates[head];
    struct maker maker = {predicates, count, head, form, NULL, 0};
    *clauses = (struct dilp_clauses){NULL, 0, 0};
    if (form.variables < 0 || form.variables > DILP_MOST_EXISTENTIAL)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "%s/%d: a template has 0 to %d variables beside the head's, not %d", of->name,
                         of->arity, DILP_MOST_EXISTENTIAL, form.variables);
    if (!nlm_body_name(form.body))
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: a template has no body of kind %d", of->name,
                         of->arity, (int)form.body);
    if (make_atoms(&maker))
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    const size_t live = make_clauses(&maker, false, NULL), all = live + make_clauses(&maker, true, NULL);
    if (all > DILP_MOST_PAIRS)
        status = error_set(error, NLM_BAD_ARGUMENT,
                           "%s/%d: a template of its allows %zu clauses; differentiable ILP takes up to %d",
                           of->name, of->arity, all, DILP_MOST_PAIRS);
    struct dilp_clause *items = status ? NULL : memory_new(all + 1, sizeof *items);
    if (items) {
        make_clauses(&maker, false, items);
        make_clauses(&maker, true, items + live);
        *clauses = (struct dilp_clauses){items, all, live};
    } else if (!status) {
        status = error_no_memory(error);
    }
    memory_free(maker.atoms);
    return status;
}

void dilp_clauses_free(struct dilp_clauses *clauses)
{
    memory_free(clauses->items);
    *clauses = (struct dilp_clauses){NULL, 0, 0};
}

/* ---- text ---- */

/* A text of a limited size, as snprintf has it. */
struct text {
    char *bytes;
    size_t size, length; /* the length goes on where the bytes end */
};

/* As snprintf: bytes that do not fit are counted, not written. */
static void put(struct text *text, const char *part)
{
    for (; *part; part++, text->length++)
        if (text->length + 1 < text->size)
            text->bytes[text->length] = *part;
}

/* p(X,Y), or p alone without arguments. */
static void put_atom(struct text *text, const struct dilp_predicate *predicate, const int *variables)
{
    static const char *const names[DILP_MOST_VARIABLES] = {"X", "Y", "Z", "W"};
    put(text, predicate->name);
    for (int i = 0; i < predicate->arity; i++) {
        put(text, i == 0 ? "(" : ",");
        put(text, names[variables[i]]);
    }
    if (predicate->arity > 0)
        put(text, ")");
}

/* Variables are X, Y of the head, then Z, W; a head of arity 1 has Y as its first existential variable. */
size_t dilp_clause_text(const struct dilp_clause *clause, const struct dilp_predicate *predicates,
                        char *bytes, size_t size)
{
    static const int in_order[DILP_MOST_ARITY] = {0, 1};
    const struct dilp_atom *a = &clause->body[0], *b = &clause->body[1];
    struct text text = {bytes, size, 0};
    put_atom(&text, &predicates[clause->head], in_order);
    put(&text, " :- ");
    put_atom(&text, &predicates[a->predicate], a->variables);
    /* unused variables are 0 in both, so comparing all of them is enough */
    if (a->predicate != b->predicate || memcmp(a->variables, b->variables, sizeof a->variables) != 0) {
        put(&text, ", ");
        put_atom(&text, &predicates[b->predicate], b->variables);
    }
    put(&text, ".");
    if (size > 0)
        bytes[text.length < size ? text.length : size - 1] = '\0';
    return text.length;
}
