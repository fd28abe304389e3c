#include "logic/shapes.h"
#include <stdio.h>
#include <string.h>
#include "syntax/atom.h"

enum { MOST_LENGTH = 32, MOST_NESTING = 6 };

/* A formula about so many variables, in the order of its arguments. */
typedef struct shape {
    const nlm_program *program;
    int arity, variable[2];
    int nesting;
} shape;

static void name_of(const shape *in, formula f, char name[SHAPE_NAME]);

static bool has(const char *name, const char *beginning)
{
    return !strncmp(name, beginning, strlen(beginning));
}

/* Prints a name; one that is too long is none. */
static void put(char name[SHAPE_NAME], const char *a, const char *b, const char *c, const char *d)
{
    char text[4 * SHAPE_NAME];
    snprintf(text, sizeof text, "%s%s%s%s", a, b, c, d);
    snprintf(name, SHAPE_NAME, "%.*s", MOST_LENGTH, strlen(text) > MOST_LENGTH ? "" : text);
}

/* ---- atoms ---- */

static bool is_plain(const nlm_program *program, int predicate)
{
    const program_predicate *of = program_at(program, predicate);
    return !of->unnamed && of->written == of->arity && atom_is_plain(of->name) && strlen(of->name) < 24;
}

static void name_of_atom(const shape *in, const formula_node *node, char name[SHAPE_NAME])
{
    if (node->arity != in->arity || !is_plain(in->program, node->predicate))
        return;
    bool straight = true;
    for (int i = 0; i < node->arity; i++)
        straight &= node->variable[i] == in->variable[i];
    const bool inverse =
        node->arity == 2 && node->variable[0] == in->variable[1] && node->variable[1] == in->variable[0];
    if (straight || inverse)
        put(name, straight ? "" : "inverse_of_", program_at(in->program, node->predicate)->name, "", "");
}

/* ---- or ---- */

/* What two names are called together, or NULL. */
static const char *together(const char *a, const char *b)
{
    static const char *const pairs[][3] = {{"father", "mother", "parent"},
                                           {"son", "daughter", "child"},
                                           {"brother", "sister", "sibling"},
                                           {"husband", "wife", "spouse"},
                                           {"grandfather", "grandmother", "grandparent"},
                                           {"grandson", "granddaughter", "grandchild"},
                                           {"stepfather", "stepmother", "stepparent"},
                                           {"uncle", "aunt", "uncle_or_aunt"},
                                           {"nephew", "niece", "nephew_or_niece"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if ((!strcmp(a, pairs[i][0]) && !strcmp(b, pairs[i][1])) ||
            (!strcmp(a, pairs[i][1]) && !strcmp(b, pairs[i][0])))
            return pairs[i][2];
    return NULL;
}

static bool is_one_word(const char *name)
{
    return !strchr(name, '_');
}

/* a or b: their common beginning, such as has_, stands once. */
static void name_of_either(const char *a, const char *b, char name[SHAPE_NAME])
{
    static const char *const beginnings[] = {"has_", "shares_", "inverse_of_", ""};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const char *begin = beginnings[i];
        const size_t length = strlen(begin);
        if (!has(a, begin) || !has(b, begin))
            continue;
        const char *both = together(a + length, b + length);
        if (both)
            put(name, begin, both, "", "");
        else if (is_one_word(a + length) && is_one_word(b + length))
            put(name, a, "_or_", b + length, "");
        return;
    }
}

static void name_of_or(const shape *in, formula f, char name[SHAPE_NAME])
{
    const formula *parts = formula_parts(&in->program->store, f);
    const uint32_t count = formula_at(&in->program->store, f)->count;
    char part[3][SHAPE_NAME] = {"", "", ""};
    for (uint32_t i = 0; i < count && count <= 3; i++)
        name_of(in, parts[i], part[i]);
    if (count == 3 && *part[0] && *part[1] && *part[2] && is_one_word(part[0]) && is_one_word(part[1]) &&
        is_one_word(part[2])) {
        char two[SHAPE_NAME];
        put(two, part[0], "_or_", part[1], "");
        put(name, two, *two ? "_or_" : "", *two ? part[2] : "", "");
    }
    if (count != 2 || !*part[0] || !*part[1])
        return;
    for (int i = 0; i < 2; i++)
        if (has(part[i], "inverse_of_") && !strcmp(part[i] + strlen("inverse_of_"), part[1 - i])) {
            put(name, "symmetric_", part[1 - i], "", "");
            return;
        }
    name_of_either(part[0], part[1], name);
}

/* ---- and ---- */

static void name_of_and(const shape *in, formula f, char name[SHAPE_NAME])
{
    const formula *parts = formula_parts(&in->program->store, f);
    char a[SHAPE_NAME], b[SHAPE_NAME];
    if (formula_at(&in->program->store, f)->count != 2)
        return;
    name_of(in, parts[0], a);
    name_of(in, parts[1], b);
    const bool later = has(a, "no") && !has(b, "no"); /* what is not so stands last */
    if (*a && *b)
        put(name, later ? b : a, "_and_", later ? a : b, "");
}

/* ---- exists ---- */

/* What the formula says about these variables. */
static void name_about(const shape *in, formula f, int arity, int a, int b, char name[SHAPE_NAME])
{
    const shape inner = {in->program, arity, {a, b}, in->nesting};
    name_of(&inner, f, name);
}

/* There is Z with P(X, Z) and Q(Z, Y). */
static void name_of_composition(const char *p, const char *q, char name[SHAPE_NAME])
{
    static const char inverse[] = "inverse_of_";
    const size_t length = strlen(inverse);
    if (has(q, inverse) && !strcmp(q + length, p))
        put(name, "shares_", p, "", "");
    else if (has(p, inverse) && !strcmp(p + length, q))
        put(name, "shares_inverse_of_", q, "", "");
    else if (!strcmp(p, q) && (!strcmp(p, "parent") || !strcmp(p, "child")))
        put(name, "grand", p, "", "");
    else
        put(name, p, "_then_", q, "");
}

/* The parts of `inside`, one of which may relate the object to v, and the other say something of v. */
static void name_of_link(const shape *in, formula inside, int v, char name[SHAPE_NAME])
{
    const formula *parts = formula_parts(&in->program->store, inside);
    char p[SHAPE_NAME], q[SHAPE_NAME];
    for (int i = 0; i < 2 && !*name; i++) {
        name_about(in, parts[i], 2, in->variable[0], v, p);
        if (in->arity == 2)
            name_about(in, parts[1 - i], 2, v, in->variable[1], q);
        else
            name_about(in, parts[1 - i], 1, v, 0, q);
        if (!*p || !*q)
            continue;
        if (in->arity == 2)
            name_of_composition(p, q, name);
        else if (is_one_word(q))
            put(name, "has_", q, "_", p);
        else
            put(name, "has_", p, "_that_", q);
    }
}

static void name_of_exists(const shape *in, formula f, char name[SHAPE_NAME])
{
    const formula_node *node = formula_at(&in->program->store, f);
    const formula_node *inside = formula_at(&in->program->store, node->part);
    char part[SHAPE_NAME] = "";
    if (in->arity == 0) {
        name_about(in, node->part, 1, node->bound, 0, part);
        put(name, *part ? "some_" : "", part, "", "");
    } else if (inside->kind == FORMULA_AND && inside->count == 2) {
        name_of_link(in, node->part, node->bound, name);
    } else if (in->arity == 1) {
        static const char inverse[] = "inverse_of_";
        name_about(in, node->part, 2, in->variable[0], node->bound, part);
        if (has(part, inverse))
            put(name, part + strlen(inverse), "_of_some", "", "");
        else
            put(name, *part ? "has_" : "", part, "", "");
    }
}

/* ---- all of them ---- */

static void name_of(const shape *in, formula f, char name[SHAPE_NAME])
{
    const formula_node *node = formula_at(&in->program->store, f);
    shape inner = *in;
    char part[SHAPE_NAME];
    *name = '\0';
    if (++inner.nesting > MOST_NESTING || in->arity > 2)
        return;
    if (node->kind == FORMULA_ATOM)
        name_of_atom(in, node, name);
    else if (node->kind == FORMULA_OR)
        name_of_or(&inner, f, name);
    else if (node->kind == FORMULA_AND)
        name_of_and(&inner, f, name);
    else if (node->kind == FORMULA_EXISTS)
        name_of_exists(&inner, f, name);
    else if (node->kind == FORMULA_NOT) {
        name_of(&inner, node->part, part);
        if (*part)
            put(name, has(part, "has_") ? "no_" : "not_", has(part, "has_") ? part + 4 : part, "", "");
    }
}

void shape_name(const nlm_program *program, formula body, int arity, char name[SHAPE_NAME])
{
    const shape all = {program, arity, {0, 1}, 0};
    name_of(&all, body, name);
}
