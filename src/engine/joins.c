/* Queries of SQL from expanded clauses.
 *
 * A clause is written level by level.  The first level has the tables that bind the variables of the head;
 * what is left stands in EXISTS, which ends at the first row.  A condition stands in the first level that has
 * all its variables.  Rows are estimated on the way: a look-up gives rows / (objects that stand in its
 * columns). */
#include "engine/joins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "engine/flat_clauses.h"

/* Where a variable stands: column `column` of table t`table`; table 0: nowhere yet. */
typedef struct join_place {
    int table, column;
} join_place;

typedef struct join_literal {
    clause_literal is;
    int table; /* its number, if it is one of the tables that are joined */
    bool done;
} join_literal;

typedef struct join_clause {
    joins *in;
    join_literal *literals;
    int count, arity, first_table;
    join_place of[CLAUSE_VARIABLES];
    bool has_condition;
    nlm_error *error;
} join_clause;

/* ---- places ---- */

static void put_place(const join_clause *c, join_place place)
{
    char column[PRINT_NAME];
    fprintf(c->in->to, "t%d.%s", place.table, print_column(place.column, column));
}

static void put_and(join_clause *c)
{
    fputs(c->has_condition ? " AND " : " WHERE ", c->in->to);
    c->has_condition = true;
}

static bool is_placed(const join_clause *c, int variable)
{
    return c->of[variable].table > 0;
}

static bool all_placed(const join_clause *c, const clause_literal *literal)
{
    for (int i = 0; i < literal->arity; i++)
        if (literal->variable[i] != CLAUSE_ANONYMOUS && !is_placed(c, literal->variable[i]))
            return false;
    return true;
}

static bool head_placed(const join_clause *c)
{
    for (int v = 0; v < c->arity; v++)
        if (!is_placed(c, v))
            return false;
    return true;
}

static bool is_joined(const clause_literal *literal)
{
    return !literal->negated && literal->predicate != CLAUSE_EQUAL && literal->arity > 0;
}

static void put_table(const joins *in, int predicate)
{
    if (predicate == PRINT_OBJECT)
        fputs("o", in->to);
    else
        fprintf(in->to, "f%d", predicate);
}

/* Rows that a look-up by these columns gives, which is noted. */
static double look_up(joins *in, int predicate, uint32_t columns)
{
    if (predicate == PRINT_OBJECT) {
        in->uses_objects = true;
        return columns ? 1 : in->objects;
    }
    join_table *table = &in->table[predicate];
    double rows = table->rows;
    table->used = true;
    table->lookups |= (uint32_t)1 << columns;
    for (int k = 0; k < FORMULA_MOST_ARITY; k++)
        if (columns >> k & 1)
            rows /= fmax(table->distinct[k], 1);
    return rows;
}

/* ---- conditions ---- */

/* t2.a = t1.b, for variables that stand before, or twice in the table. */
static void put_joins(join_clause *c, const join_literal *literal)
{
    for (int i = 0; i < literal->is.arity; i++) {
        const join_place at = c->of[literal->is.variable[i]], own = {literal->table, i};
        if (at.table == own.table && at.column == own.column)
            continue;
        put_and(c);
        put_place(c, own);
        fputs(" = ", c->in->to);
        put_place(c, at);
    }
}

static void put_comparison(join_clause *c, int a, int b, bool differ)
{
    const join_place x = c->of[a], y = c->of[b];
    if (!differ && x.table == y.table && x.column == y.column)
        return;
    put_and(c);
    put_place(c, x);
    fputs(differ ? " <> " : " = ", c->in->to);
    put_place(c, y);
}

/* [NOT] EXISTS (SELECT 1 FROM f0 AS t3 WHERE t3.a = t1.b) */
static void put_fact(join_clause *c, const clause_literal *literal, double rows)
{
    char column[PRINT_NAME];
    uint32_t columns = 0;
    const int table = ++c->in->tables;
    put_and(c);
    fprintf(c->in->to, "%sEXISTS (SELECT 1 FROM ", literal->negated ? "NOT " : "");
    put_table(c->in, literal->predicate);
    fprintf(c->in->to, " AS t%d", table);
    for (int i = 0; i < literal->arity; i++) {
        if (literal->variable[i] == CLAUSE_ANONYMOUS)
            continue;
        fprintf(c->in->to, "%st%d.%s = ", columns ? " AND " : " WHERE ", table, print_column(i, column));
        put_place(c, c->of[literal->variable[i]]);
        columns |= (uint32_t)1 << i;
    }
    fputs(")", c->in->to);
    look_up(c->in, literal->predicate, columns);
    c->in->cost += rows;
}

static nlm_status put_body(joins *in, const clause *of, const join_place *outer, double rows,
                           nlm_error *error);

/* NOT EXISTS (...) for each clause of a definition, about objects that are known. */
static nlm_status put_none(join_clause *c, const clause_literal *literal, double rows)
{
    flat_range range;
    join_place outer[FORMULA_VARIABLES] = {{0}};
    nlm_status status = flat_clauses(c->in, literal->predicate, &range, c->error);
    for (int i = 0; i < literal->arity; i++)
        if (literal->variable[i] != CLAUSE_ANONYMOUS)
            outer[i] = c->of[literal->variable[i]];
    for (int k = 0; k < range.count && !status; k++) {
        const clause of = *flat_at(c->in, range.first + k);
        put_and(c);
        fputs("NOT EXISTS (SELECT 1", c->in->to);
        status = put_body(c->in, &of, outer, rows, c->error);
        fputs(")", c->in->to);
    }
    return status;
}

static nlm_status put_condition(join_clause *c, join_literal *literal, double rows)
{
    const clause_literal *is = &literal->is;
    literal->done = true;
    if (is->predicate == CLAUSE_EQUAL) {
        put_comparison(c, is->variable[0], is->variable[1], is->negated);
        return NLM_OK;
    }
    if (is->predicate < c->in->print.program->input_count) {
        put_fact(c, is, rows);
        return NLM_OK;
    }
    return put_none(c, is, rows);
}

/* ---- levels ---- */

/* Give the tables from literal `at` on a number, and variables places, until all of the head have one if
 * `until_head`; returns the literal after the last, and the rows that are joined. */
static int place_tables(join_clause *c, int at, bool until_head, double *rows)
{
    for (; at < c->count && !(until_head && head_placed(c)); at++) {
        join_literal *literal = &c->literals[at];
        const uint8_t *variable = literal->is.variable;
        if (literal->is.predicate == CLAUSE_EQUAL && !literal->is.negated) {
            if (!is_placed(c, variable[0]))
                c->of[variable[0]] = c->of[variable[1]];
            else if (!is_placed(c, variable[1]))
                c->of[variable[1]] = c->of[variable[0]];
        }
        if (!is_joined(&literal->is))
            continue;
        literal->done = true;
        if (literal->is.predicate == PRINT_OBJECT && is_placed(c, variable[0]))
            continue;
        literal->table = ++c->in->tables;
        uint32_t columns = 0;
        for (int i = 0; i < literal->is.arity; i++)
            if (is_placed(c, variable[i]))
                columns |= (uint32_t)1 << i;
            else
                c->of[variable[i]] = (join_place){literal->table, i};
        *rows *= look_up(c->in, literal->is.predicate, columns);
        c->in->cost += *rows;
    }
    return at;
}

static void put_from(const join_clause *c, int begin, int end)
{
    bool more = false;
    for (int l = begin; l < end; l++) {
        if (!c->literals[l].table)
            continue;
        fputs(more ? " CROSS JOIN " : " FROM ", c->in->to);
        put_table(c->in, c->literals[l].is.predicate);
        fprintf(c->in->to, " AS t%d", c->literals[l].table);
        more = true;
    }
}

/* The tables from `begin` to `end`, which have their places, and all conditions that can be decided. */
static nlm_status put_level(join_clause *c, int begin, int end, double rows)
{
    nlm_status status = NLM_OK;
    for (int l = begin; l < end; l++)
        if (c->literals[l].table)
            put_joins(c, &c->literals[l]);
    for (int l = 0; l < c->count && !status; l++)
        if (!c->literals[l].done && !is_joined(&c->literals[l].is) && all_placed(c, &c->literals[l].is))
            status = put_condition(c, &c->literals[l], rows);
    return status;
}

/* What is left after the first level, in EXISTS. */
static nlm_status put_rest(join_clause *c, int begin, double rows)
{
    bool left = false;
    for (int l = begin; l < c->count; l++)
        left |= !c->literals[l].done;
    if (!left)
        return NLM_OK;
    put_and(c);
    fputs("EXISTS (SELECT 1", c->in->to);
    place_tables(c, begin, false, &rows);
    put_from(c, begin, c->count);
    c->has_condition = false;
    const nlm_status status = put_level(c, begin, c->count, rows);
    fputs(")", c->in->to);
    c->has_condition = true;
    return status;
}

static nlm_status open_clause(join_clause *c, joins *in, const clause *of, nlm_error *error)
{
    print_clause prepared;
    *c = (join_clause){.in = in, .error = error};
    if (!print_prepare(&in->print, of, &prepared))
        return error_no_memory(error);
    c->arity = prepared.arity;
    c->count = prepared.count;
    c->literals = memory_new((size_t)prepared.count + 1, sizeof *c->literals);
    for (int l = 0; c->literals && l < prepared.count; l++)
        c->literals[l].is = prepared.literals[l];
    return c->literals ? NLM_OK : error_no_memory(error);
}

/* FROM ... WHERE ... of a clause whose head stands for known objects, or for any where the place is none. */
static nlm_status put_body(joins *in, const clause *of, const join_place *outer, double rows,
                           nlm_error *error)
{
    join_clause c;
    nlm_status status = open_clause(&c, in, of, error);
    if (!status) {
        memcpy(c.of, outer, (size_t)c.arity * sizeof *outer);
        place_tables(&c, 0, false, &rows);
        put_from(&c, 0, c.count);
        status = put_level(&c, 0, c.count, rows);
    }
    memory_free(c.literals);
    return status;
}

/* ---- a target ---- */

/* Only rows whose first object lies in the slice, if the first table says which it is. */
static void put_slice(join_clause *c, int end, bool *sliced)
{
    int first = 0;
    while (first < end && !c->literals[first].table)
        first++;
    if (c->arity == 0 || first == end || c->of[0].table != c->literals[first].table) {
        *sliced = false;
        return;
    }
    put_and(c);
    put_place(c, c->of[0]);
    fputs(" BETWEEN ?1 AND ?2", c->in->to);
    look_up(c->in, c->literals[first].is.predicate, (uint32_t)1 << c->of[0].column);
}

/* Where only its being an object binds the first variable, that comes first. */
static void begin_with_objects(join_clause *c)
{
    for (int l = 1; l < c->count; l++) {
        const join_literal literal = c->literals[l];
        if (literal.is.predicate != PRINT_OBJECT || literal.is.variable[0] != 0)
            continue;
        memmove(c->literals + 1, c->literals, (size_t)l * sizeof literal);
        c->literals[0] = literal;
        return;
    }
}

static nlm_status put_select(joins *in, const clause *of, bool *sliced, nlm_error *error)
{
    join_clause c;
    double rows = 1;
    nlm_status status = open_clause(&c, in, of, error);
    if (!status) {
        begin_with_objects(&c);
        const int end = place_tables(&c, 0, true, &rows);
        fputs("SELECT ", in->to);
        for (int v = 0; v < c.arity; v++) {
            fputs(v ? ", " : "", in->to);
            put_place(&c, c.of[v]);
        }
        fputs(c.arity == 0 ? "1" : "", in->to);
        put_from(&c, 0, end);
        bool can_slice = true;
        put_slice(&c, end, &can_slice);
        *sliced &= can_slice;
        status = put_level(&c, 0, end, rows);
        for (int a = 0; a < c.arity && !status; a++)
            for (int b = a + 1; b < c.arity; b++)
                put_comparison(&c, a, b, true);
        if (!status)
            status = put_rest(&c, end, rows);
    }
    memory_free(c.literals);
    return status;
}

/* The clause as Prolog, cut to fit. */
static nlm_status keep_clause(joins *in, const clause *of, join_query *made, nlm_error *error)
{
    char *text = NULL;
    size_t size;
    print_clause prepared;
    in->print.stream = open_memstream(&text, &size);
    if (!in->print.stream || !print_prepare(&in->print, of, &prepared)) {
        if (in->print.stream)
            fclose(in->print.stream);
        free(text);
        return error_no_memory(error);
    }
    print_one_clause(&in->print, &prepared);
    fclose(in->print.stream);
    if (!text)
        return error_no_memory(error);
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < sizeof made->clause; at++) /* one line, single spaces */
        if (*at != '\n' && !(*at == ' ' && used && made->clause[used - 1] == ' '))
            made->clause[used++] = *at;
    made->clause[used] = '\0';
    free(text);
    return NLM_OK;
}

static nlm_status put_target(joins *in, int predicate, join_query *made, nlm_error *error)
{
    flat_range range;
    double most = -1;
    nlm_status status = flat_clauses(in, predicate, &range, error);
    for (int k = 0; k < range.count && !status; k++) {
        const clause of = *flat_at(in, range.first + k);
        const double before = in->cost;
        fputs(k ? " UNION ALL " : "", in->to);
        status = put_select(in, &of, &made->sliced, error);
        if (!status && in->cost - before > most) {
            most = in->cost - before;
            status = keep_clause(in, &of, made, error);
        }
    }
    if (range.count == 0)
        fputs("SELECT 1 WHERE 0", in->to);
    return status;
}

/* Without slices the engine of SQL makes the rows different and sorts them, which it does in files. */
static nlm_status put_order(join_query *made, int arity, nlm_error *error)
{
    char *inner = made->sql;
    size_t size;
    FILE *to = open_memstream(&made->sql, &size);
    if (!to) {
        made->sql = inner;
        return error_no_memory(error);
    }
    fprintf(to, "SELECT DISTINCT * FROM (%s)", inner);
    for (int v = 0; v < arity; v++)
        fprintf(to, "%s%d", v ? ", " : " ORDER BY ", v + 1);
    free(inner);
    return fclose(to) || !made->sql ? error_no_memory(error) : NLM_OK;
}

nlm_status joins_query(joins *in, int target, join_query *made, nlm_error *error)
{
    size_t size;
    *made = (join_query){.sliced = true};
    in->to = open_memstream(&made->sql, &size);
    if (!in->to)
        return error_no_memory(error);
    in->cost = 0;
    in->tables = 0;
    const int predicate = in->print.program->target[target];
    nlm_status status = put_target(in, predicate, made, error);
    made->cost = in->cost;
    if ((fclose(in->to) || !made->sql) && !status)
        status = error_no_memory(error);
    in->to = NULL;
    if (!status && !made->sliced)
        status = put_order(made, clauses_arity(&in->print.made, predicate), error);
    if (status) {
        free(made->sql);
        made->sql = NULL;
    }
    return status;
}

/* ---- life ---- */

nlm_status joins_open(joins *in, const nlm_program *program, nlm_error *error)
{
    *in = (joins){0};
    nlm_status status = print_open(&in->print, program, NLM_PROLOG, error);
    if (status)
        return status;
    in->table = memory_new((size_t)program->input_count + 1, sizeof *in->table);
    in->flat_of = memory_new((size_t)in->print.predicates + 1, sizeof *in->flat_of);
    return in->table && in->flat_of ? NLM_OK : error_no_memory(error);
}

void joins_close(joins *in)
{
    print_close(&in->print);
    buffer_free(&in->flat);
    memory_free(in->flat_of);
    memory_free(in->table);
}

nlm_status joins_measure(joins *in, const nlm_world *world, nlm_error *error)
{
    const int objects = nlm_world_objects(world);
    const nlm_program *program = in->print.program;
    int *seen =
        memory_new((size_t)objects + 1, sizeof *seen); /* 1 + the column that an object was last seen in */
    int column = 0;
    in->objects = objects;
    for (int i = 0; i < program->input_count && seen; i++) {
        const program_predicate *input = program_at(program, i);
        char *name = program_world_name(input);
        const int *tuples, number = name ? nlm_world_find_predicate(world, name, input->arity) : -1;
        const size_t count = number < 0 ? 0 : nlm_world_facts(world, number, &tuples, NULL);
        join_table *table = &in->table[i];
        *table = (join_table){.rows = (double)count};
        for (int k = 0; k < input->arity; k++) {
            column++;
            for (size_t f = 0; f < count; f++) {
                int *last = &seen[tuples[f * (size_t)input->arity + (size_t)k]];
                table->distinct[k] += *last != column;
                *last = column;
            }
        }
        if (!name) {
            memory_free(seen);
            return error_no_memory(error);
        }
        memory_free(name);
    }
    const bool good = seen != NULL;
    memory_free(seen);
    return good ? NLM_OK : error_no_memory(error);
}
