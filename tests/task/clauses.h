/* Programs of two-atom clauses, run by naive forward chaining over the facts of a world: the second oracle of
 * the tasks of differentiable ILP, and what their programs look like as templates.
 *
 * A program is text: "even(X) :- zero(X). even(X) :- even(Y), plus2(Y,X)."  A body of one atom stands for
 * that atom twice.  Variables are X, Y and Z. */
#ifndef TESTS_TASK_CLAUSES_H
#define TESTS_TASK_CLAUSES_H

#include <stdio.h>

#include "worlds.h"

enum {
    MAX_CLAUSES = 6,
    MAX_VARIABLES = 3,
    MAX_RELATIONS = 8,
    NAME_SIZE = 24,
    TEMPLATES_SIZE = 80,
    TEMPLATE_SIZE = 16
};

typedef struct atom {
    char name[NAME_SIZE];
    int arity;
    int variables[2];
} atom;

typedef struct clause {
    atom head, body[2];
} clause;

typedef struct program {
    int count;
    clause clauses[MAX_CLAUSES];
} program;

/* ---- reading ---- */

static inline const char *past(const char *at, const char *what)
{
    while (*at == ' ')
        at++;
    if (strncmp(at, what, strlen(what)) != 0)
        fail_msg("'%s' is expected at '%s'", what, at);
    return at + strlen(what);
}

static inline const char *read_atom(const char *at, atom *read)
{
    while (*at == ' ')
        at++;
    size_t length = strcspn(at, "(");
    assert_true(length > 0 && length < NAME_SIZE);
    memcpy(read->name, at, length);
    read->name[length] = '\0';
    at += length + 1;
    for (read->arity = 0; read->arity < 2; at++) {
        assert_in_range(*at, 'X', 'X' + MAX_VARIABLES - 1);
        read->variables[read->arity++] = *at++ - 'X';
        if (*at != ',')
            break;
    }
    return past(at, ")");
}

static inline void read_program(const char *text, program *read)
{
    memset(read, 0, sizeof *read);
    while (*text) {
        assert_true(read->count < MAX_CLAUSES);
        clause *next = &read->clauses[read->count++];
        text = read_atom(text, &next->head);
        text = read_atom(past(text, ":-"), &next->body[0]);
        next->body[1] = next->body[0];
        if (*text == ',')
            text = read_atom(text + 1, &next->body[1]);
        text = past(text, ".");
    }
}

/* ---- templates ---- */

static inline bool is_head(const program *of, const atom *a)
{
    for (int c = 0; c < of->count; c++)
        if (strcmp(of->clauses[c].head.name, a->name) == 0)
            return true;
    return false;
}

static inline bool occurs(const atom *a, int variable)
{
    return a->variables[0] == variable || (a->arity == 2 && a->variables[1] == variable);
}

/* "(1,T)": the variables of the body that are not in the head, and whether an invented predicate is used.
 * Every variable of the head must be in the body, and the head must not be. */
static inline void template_of(const program *of, const clause *c, char text[TEMPLATE_SIZE])
{
    int existential = 0;
    bool invented = false;
    for (int v = 0; v < MAX_VARIABLES; v++) {
        bool in_body = occurs(&c->body[0], v) || occurs(&c->body[1], v);
        assert_true(in_body || !occurs(&c->head, v));
        existential += in_body && !occurs(&c->head, v);
    }
    for (int b = 0; b < 2; b++) {
        invented |= is_head(of, &c->body[b]);
        assert_true(memcmp(&c->body[b], &c->head, sizeof c->head) != 0);
    }
    snprintf(text, TEMPLATE_SIZE, "(%d,%c)", existential, invented ? 'T' : 'F');
}

/* "t/1:(0,F),(1,T) p/2:(1,F)": the target's clauses, then those of the predicates that it needs; p and q are
 * their names in the order of the program. */
static inline void templates_of(const program *of, char text[TEMPLATES_SIZE])
{
    static const char names[] = "tpq";
    int predicate = -1;
    size_t used = 0;
    for (int c = 0; c < of->count; c++) {
        const atom *head = &of->clauses[c].head;
        bool goes_on = c > 0 && strcmp(head->name, of->clauses[c - 1].head.name) == 0;
        char template[TEMPLATE_SIZE];
        template_of(of, &of->clauses[c], template);
        if (goes_on)
            used += (size_t)snprintf(text + used, TEMPLATES_SIZE - used, ",%s", template);
        else
            used += (size_t)snprintf(text + used, TEMPLATES_SIZE - used, "%s%c/%d:%s", c ? " " : "",
                                     names[++predicate], head->arity, template);
        assert_true(used < TEMPLATES_SIZE);
    }
}

/* ---- running ---- */

/* The relations of a world and of a program, each with a table of what is true. */
typedef struct model {
    int objects, count;
    struct {
        char name[NAME_SIZE];
        int arity;
        table holds;
    } relations[MAX_RELATIONS];
} model;

/* The table of that name and arity, with a new one if there is none. */
static inline table *model_table(model *of, const char *name, int arity)
{
    for (int r = 0; r < of->count; r++)
        if (strcmp(of->relations[r].name, name) == 0 && of->relations[r].arity == arity)
            return &of->relations[r].holds;
    assert_true(of->count < MAX_RELATIONS);
    snprintf(of->relations[of->count].name, NAME_SIZE, "%s", name);
    of->relations[of->count].arity = arity;
    memset(&of->relations[of->count].holds, 0, sizeof(table));
    return &of->relations[of->count++].holds;
}

static inline bool *place(table *holds, const atom *a, const int *values)
{
    return &holds->at[values[a->variables[0]]][a->arity == 2 ? values[a->variables[1]] : 0];
}

/* All consequences of one clause; whether one of them is new. */
static inline bool apply(model *of, const clause *c)
{
    table *head = model_table(of, c->head.name, c->head.arity);
    table *body[2];
    int limits[MAX_VARIABLES], values[MAX_VARIABLES];
    bool news = false;
    for (int b = 0; b < 2; b++)
        body[b] = model_table(of, c->body[b].name, c->body[b].arity);
    for (int v = 0; v < MAX_VARIABLES; v++)
        limits[v] = occurs(&c->body[0], v) || occurs(&c->body[1], v) ? of->objects : 1;
    for (values[0] = 0; values[0] < limits[0]; values[0]++)
        for (values[1] = 0; values[1] < limits[1]; values[1]++)
            for (values[2] = 0; values[2] < limits[2]; values[2]++) {
                bool *conclusion = place(head, &c->head, values);
                if (*conclusion || !*place(body[0], &c->body[0], values) ||
                    !*place(body[1], &c->body[1], values))
                    continue;
                *conclusion = news = true;
            }
    return news;
}

/* The least model of the world's facts and the program.  It may have p(a, a) of what a program concludes. */
static inline void run_program(const program *of, const nlm_world *world, model *made)
{
    made->objects = nlm_world_objects(world);
    made->count = 0;
    for (int p = 0; p < nlm_world_predicates(world); p++) {
        const char *name = nlm_world_predicate_name(world, p);
        int arity = nlm_world_predicate_arity(world, p);
        read_facts(world, name, arity, model_table(made, name, arity));
    }
    for (bool news = true; news;) {
        news = false;
        for (int c = 0; c < of->count; c++)
            news |= apply(made, &of->clauses[c]);
    }
}

#endif
