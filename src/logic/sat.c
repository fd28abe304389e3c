/* The search.  A clause in `arena` is its size, the next clause in the lists of its two watched literals, and
 * the literals, the watched ones first.  A clause is visited when a watched literal becomes false: it then
 * watches another one, or has one literal left (which becomes true), or none (a conflict). */
#include "logic/sat.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

enum { UNKNOWN = -1, HEAD = 3, FIRST_RESTART = 100, NO_PLACE = -1 };
#define NO_REASON 0u
#define BUMP_MOST 1e100
#define BUMP_GROWTH (1 / 0.95)

typedef struct variable {
    signed char value; /* UNKNOWN, 0, 1 */
    bool seen;
    int level;
    uint32_t reason; /* clause that made it what it is */
    double activity;
    int place; /* in the heap */
} variable;

struct sat {
    buffer arena, variables, watches, trail, levels, heap, learned;
    uint32_t words, most_words, variable_count, trail_count, propagated, heap_count;
    int level;
    uint64_t steps, most_steps;
    double bump;
    bool contradiction, failed;
};

static variable *at(const sat *s, uint32_t v)
{
    return (variable *)s->variables.data + v;
}

static uint32_t *clause_at(const sat *s, uint32_t clause)
{
    return (uint32_t *)s->arena.data + clause;
}

static uint32_t *watch_of(const sat *s, sat_literal literal)
{
    return (uint32_t *)s->watches.data + literal;
}

/* Of a literal: 1, 0 or UNKNOWN. */
static int value_of(const sat *s, sat_literal literal)
{
    const int value = at(s, literal / 2)->value;
    return value == UNKNOWN ? UNKNOWN : value ^ (int)(literal & 1);
}

/* ---- the heap of variables by activity ---- */

static uint32_t *heap_at(const sat *s, int place)
{
    return (uint32_t *)s->heap.data + place;
}

static void heap_put(sat *s, int place, uint32_t v)
{
    *heap_at(s, place) = v;
    at(s, v)->place = place;
}

static void heap_up(sat *s, int place)
{
    const uint32_t v = *heap_at(s, place);
    while (place > 0 && at(s, *heap_at(s, (place - 1) / 2))->activity < at(s, v)->activity) {
        heap_put(s, place, *heap_at(s, (place - 1) / 2));
        place = (place - 1) / 2;
    }
    heap_put(s, place, v);
}

static void heap_down(sat *s, int place)
{
    const uint32_t v = *heap_at(s, place);
    for (;;) {
        int child = 2 * place + 1;
        if (child >= (int)s->heap_count)
            break;
        if (child + 1 < (int)s->heap_count &&
            at(s, *heap_at(s, child + 1))->activity > at(s, *heap_at(s, child))->activity)
            child++;
        if (at(s, *heap_at(s, child))->activity <= at(s, v)->activity)
            break;
        heap_put(s, place, *heap_at(s, child));
        place = child;
    }
    heap_put(s, place, v);
}

static void heap_insert(sat *s, uint32_t v)
{
    if (at(s, v)->place != NO_PLACE)
        return;
    heap_put(s, (int)s->heap_count++, v);
    heap_up(s, at(s, v)->place);
}

static uint32_t heap_take(sat *s)
{
    const uint32_t v = *heap_at(s, 0), last = *heap_at(s, (int)--s->heap_count);
    at(s, v)->place = NO_PLACE;
    if (s->heap_count > 0) {
        heap_put(s, 0, last);
        heap_down(s, 0);
    }
    return v;
}

static void bump(sat *s, uint32_t v)
{
    if ((at(s, v)->activity += s->bump) > BUMP_MOST) {
        for (uint32_t i = 0; i < s->variable_count; i++)
            at(s, i)->activity /= BUMP_MOST;
        s->bump /= BUMP_MOST;
    }
    if (at(s, v)->place != NO_PLACE)
        heap_up(s, at(s, v)->place);
}

/* ---- variables and clauses ---- */

sat *sat_new(uint32_t most_words, uint64_t most_steps)
{
    sat *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->most_words = most_words;
    s->most_steps = most_steps;
    s->words = 1; /* 0 is no clause */
    s->bump = 1;
    const sat_literal yes = sat_variable(s);
    sat_add(s, &yes, 1);
    return s;
}

void sat_free(sat *s)
{
    if (!s)
        return;
    buffer_free(&s->arena);
    buffer_free(&s->variables);
    buffer_free(&s->watches);
    buffer_free(&s->trail);
    buffer_free(&s->levels);
    buffer_free(&s->heap);
    buffer_free(&s->learned);
    free(s);
}

bool sat_failed(const sat *s)
{
    return s->failed;
}

bool sat_true(const sat *s, sat_literal literal)
{
    return value_of(s, literal) == 1;
}

sat_literal sat_variable(sat *s)
{
    const size_t count = (size_t)s->variable_count + 1;
    if (s->failed || count > INT32_MAX / 4 ||
        buffer_reserve(&s->variables, count, sizeof(variable), true) != NLM_OK ||
        buffer_reserve(&s->watches, 2 * count, sizeof(uint32_t), true) != NLM_OK ||
        buffer_reserve(&s->trail, count, sizeof(uint32_t), true) != NLM_OK ||
        buffer_reserve(&s->levels, count + 1, sizeof(uint32_t), true) != NLM_OK ||
        buffer_reserve(&s->learned, count + 1, sizeof(sat_literal), true) != NLM_OK ||
        buffer_reserve(&s->heap, count, sizeof(uint32_t), true) != NLM_OK) {
        s->failed = true;
        return SAT_NO;
    }
    const uint32_t v = s->variable_count++;
    *at(s, v) = (variable){.value = UNKNOWN, .place = NO_PLACE};
    *watch_of(s, 2 * v) = *watch_of(s, 2 * v + 1) = 0;
    heap_insert(s, v);
    return 2 * v;
}

static void assign(sat *s, sat_literal literal, uint32_t reason)
{
    variable *v = at(s, literal / 2);
    v->value = (signed char)!(literal & 1);
    v->level = s->level;
    v->reason = reason;
    ((sat_literal *)s->trail.data)[s->trail_count++] = literal;
}

static void back_to(sat *s, int level)
{
    if (s->level <= level)
        return;
    const uint32_t kept = ((uint32_t *)s->levels.data)[level];
    while (s->trail_count > kept) {
        const uint32_t v = ((sat_literal *)s->trail.data)[--s->trail_count] / 2;
        at(s, v)->value = UNKNOWN;
        heap_insert(s, v);
    }
    s->propagated = kept;
    s->level = level;
}

/* A clause of at least two literals, the first two watched; 0 without memory. */
static uint32_t store_clause(sat *s, const sat_literal *literals, size_t count)
{
    if (count + HEAD > s->most_words - s->words ||
        buffer_reserve(&s->arena, s->words + HEAD + count, sizeof(uint32_t), true) != NLM_OK) {
        s->failed = true;
        return 0;
    }
    const uint32_t clause = s->words;
    uint32_t *c = clause_at(s, clause);
    c[0] = (uint32_t)count;
    memcpy(c + HEAD, literals, count * sizeof *literals);
    for (int side = 0; side < 2; side++) {
        c[1 + side] = *watch_of(s, literals[side]);
        *watch_of(s, literals[side]) = clause;
    }
    s->words += HEAD + (uint32_t)count;
    return clause;
}

void sat_add(sat *s, const sat_literal *literals, size_t count)
{
    enum { FEW = 64 };
    sat_literal few[FEW], *kept = count <= FEW ? few : malloc(count * sizeof *kept);
    size_t n = 0;
    bool holds = s->contradiction || s->failed;
    if (!kept) {
        s->failed = true;
        return;
    }
    back_to(s, 0);
    for (size_t i = 0; i < count && !holds; i++) {
        const int value = value_of(s, literals[i]);
        bool again = value == 0;
        for (size_t k = 0; k < n; k++) {
            again |= kept[k] == literals[i];
            holds |= kept[k] == SAT_NOT(literals[i]);
        }
        holds |= value == 1;
        if (!again)
            kept[n++] = literals[i];
    }
    if (!holds && n == 0)
        s->contradiction = true;
    else if (!holds && n == 1)
        assign(s, kept[0], NO_REASON);
    else if (!holds)
        store_clause(s, kept, n);
    if (kept != few)
        free(kept);
}

/* ---- search ---- */

/* The clause without a literal that could be true, or 0. */
static uint32_t propagate(sat *s)
{
    while (s->propagated < s->trail_count) {
        const sat_literal gone = SAT_NOT(((sat_literal *)s->trail.data)[s->propagated++]);
        uint32_t *link = watch_of(s, gone);
        while (*link) {
            uint32_t *c = clause_at(s, *link);
            const int side = c[HEAD] == gone ? 0 : 1;
            const sat_literal other = c[HEAD + 1 - side];
            s->steps++;
            if (value_of(s, other) == 1) {
                link = &c[1 + side];
                continue;
            }
            uint32_t k = 2;
            while (k < c[0] && value_of(s, c[HEAD + k]) == 0)
                k++;
            if (k < c[0]) { /* watch literal k instead */
                const uint32_t clause = *link;
                const sat_literal next = c[HEAD + k];
                *link = c[1 + side];
                c[HEAD + k] = gone;
                c[HEAD + side] = next;
                c[1 + side] = *watch_of(s, next);
                *watch_of(s, next) = clause;
                continue;
            }
            if (value_of(s, other) == 0)
                return *link;
            assign(s, other, *link);
            link = &c[1 + side];
        }
    }
    return 0;
}

/* Marks the literals of a clause that were decided below; returns how many of the present level. */
static int mark(sat *s, uint32_t clause, sat_literal but, uint32_t *count)
{
    sat_literal *learned = s->learned.data;
    int open = 0;
    const uint32_t *c = clause_at(s, clause);
    for (uint32_t i = 0; i < c[0]; i++) {
        const sat_literal literal = c[HEAD + i];
        variable *v = at(s, literal / 2);
        if (literal == but || v->seen || v->level == 0)
            continue;
        v->seen = true;
        bump(s, literal / 2);
        if (v->level == s->level)
            open++;
        else
            learned[(*count)++] = literal;
    }
    return open;
}

/* Learns the clause of the first unique implication point, goes back, and makes its first literal true. */
static void learn(sat *s, uint32_t conflict)
{
    sat_literal *learned = s->learned.data;
    uint32_t count = 1, place = s->trail_count;
    int open = mark(s, conflict, UINT32_MAX, &count);
    sat_literal literal;
    for (;;) {
        do
            literal = ((sat_literal *)s->trail.data)[--place];
        while (!at(s, literal / 2)->seen);
        at(s, literal / 2)->seen = false;
        if (--open == 0)
            break;
        open += mark(s, at(s, literal / 2)->reason, literal, &count);
    }
    learned[0] = SAT_NOT(literal);
    int level = 0;
    for (uint32_t i = 1; i < count; i++) {
        at(s, learned[i] / 2)->seen = false;
        if (at(s, learned[i] / 2)->level > level) { /* the highest level second: it is watched */
            const sat_literal swapped = learned[1];
            level = at(s, learned[i] / 2)->level;
            learned[1] = learned[i];
            learned[i] = swapped;
        }
    }
    back_to(s, level);
    const uint32_t clause = count > 1 ? store_clause(s, learned, count) : NO_REASON;
    if (!s->failed)
        assign(s, learned[0], clause);
    s->bump *= BUMP_GROWTH;
}

/* False if all variables have values. */
static bool decide(sat *s)
{
    while (s->heap_count > 0) {
        const uint32_t v = heap_take(s);
        if (at(s, v)->value != UNKNOWN)
            continue;
        ((uint32_t *)s->levels.data)[s->level++] = s->trail_count;
        assign(s, 2 * v + 1, NO_REASON);
        return true;
    }
    return false;
}

sat_answer sat_solve(sat *s)
{
    uint64_t conflicts = 0, restart = FIRST_RESTART;
    back_to(s, 0);
    s->propagated = 0; /* clauses may have come since */
    while (!s->contradiction && !s->failed && s->steps < s->most_steps) {
        const uint32_t conflict = propagate(s);
        if (conflict && s->level == 0)
            s->contradiction = true;
        else if (conflict) {
            learn(s, conflict);
            if (++conflicts == restart) {
                restart += restart / 2;
                back_to(s, 0);
            }
        } else if (!decide(s))
            return SAT_SATISFIABLE;
    }
    return s->contradiction && !s->failed ? SAT_UNSATISFIABLE : SAT_STOPPED;
}
