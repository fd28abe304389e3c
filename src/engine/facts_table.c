/* A module of virtual tables.
 *
 * A look-up is by the values that some columns have and the least and greatest that one column may have. What
 * is asked is in a number, see enum; the values come in the order of the columns, then the bounds.  A cursor
 * walks over the facts of the column that leaves fewest, and passes over those that differ in other columns.
 */
#include "engine/facts_table.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

/* In the number of a look-up: bits of columns with a value; the column of the bounds, plus 1; which bounds
 * there are. */
enum { BOUND_SHIFT = 8, BOUND_MASK = 15, HAS_LEAST = 1 << 12, HAS_GREATEST = 1 << 13 };

enum { FEW_FACTS = 4 }; /* that are looked through rather than looked up by another column */

typedef struct facts_of_table {
    sqlite3_vtab base;
    const facts_table *facts;
} facts_of_table;

typedef struct facts_cursor {
    sqlite3_vtab_cursor base;
    const facts_table *facts;
    const uint32_t *list; /* numbers of facts; NULL: the facts themselves */
    size_t at, end;
    int columns; /* bits of those that have a value */
    int value[FORMULA_MOST_ARITY];
} facts_cursor;

/* ---- facts ---- */

static nlm_status index_column(facts_table *of, int k, nlm_error *error)
{
    uint32_t *first = of->first[k] = memory_new((size_t)of->objects + 2, sizeof *first);
    uint32_t *fact = of->fact[k] = k > 0 ? memory_new(of->count + 1, sizeof *fact) : NULL;
    if (!first || (k > 0 && !fact))
        return error_no_memory(error);
    for (size_t f = 0; f < of->count; f++)
        first[of->tuples[f * (size_t)of->arity + (size_t)k] + 1]++;
    for (int o = 0; o < of->objects; o++)
        first[o + 1] += first[o];
    for (size_t f = of->count; k > 0 && f-- > 0;) /* from the last: first[o + 1] moves to where o begins */
        fact[--first[of->tuples[f * (size_t)of->arity + (size_t)k] + 1]] = (uint32_t)f;
    for (int o = 0; k > 0 && o < of->objects; o++)
        first[o] = first[o + 1];
    first[of->objects] = (uint32_t)of->count;
    return NLM_OK;
}

nlm_status facts_table_make(facts_table *made, int *tuples, size_t count, int arity, int objects,
                            uint32_t columns, nlm_error *error)
{
    *made = (facts_table){.arity = arity, .objects = objects, .count = count, .tuples = tuples};
    nlm_status status = count < UINT32_MAX ? NLM_OK : error_no_memory(error);
    for (int k = 0; k < arity && !status; k++)
        if (columns >> k & 1)
            status = index_column(made, k, error);
    return status;
}

void facts_table_free(facts_table *of)
{
    memory_free(of->tuples);
    for (int k = 0; k < FORMULA_MOST_ARITY; k++) {
        memory_free(of->first[k]);
        memory_free(of->fact[k]);
    }
}

/* ---- tables ---- */

static int table_connect(sqlite3 *database, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **made, char **message)
{
    static const char *const declarations[] = {"CREATE TABLE t(a)",          "CREATE TABLE t(a)",
                                               "CREATE TABLE t(a, b)",       "CREATE TABLE t(a, b, c)",
                                               "CREATE TABLE t(a, b, c, d)", "CREATE TABLE t(a, b, c, d, e)"};
    (void)message;
    facts_of_table *table = count > 3 ? memory_new(1, sizeof *table) : NULL;
    if (!table)
        return SQLITE_NOMEM;
    table->facts = (const facts_table *)context + atoi(arguments[3]);
    const int code = sqlite3_declare_vtab(database, declarations[table->facts->arity]);
    if (code == SQLITE_OK)
        *made = &table->base;
    else
        memory_free(table);
    return code;
}

static int table_disconnect(sqlite3_vtab *table)
{
    memory_free(table);
    return SQLITE_OK;
}

/* Values and bounds of columns that have an index; everything else SQLite checks itself. */
static int table_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const facts_table *facts = ((facts_of_table *)base)->facts;
    int by_value[FORMULA_MOST_ARITY], least = -1, greatest = -1, bounded = -1, arguments = 0;
    for (int k = 0; k < FORMULA_MOST_ARITY; k++)
        by_value[k] = -1;
    for (int c = 0; c < info->nConstraint; c++) {
        const int column = info->aConstraint[c].iColumn, kind = info->aConstraint[c].op;
        if (!info->aConstraint[c].usable || column < 0 || column >= facts->arity || !facts->first[column])
            continue;
        if (kind == SQLITE_INDEX_CONSTRAINT_EQ)
            by_value[column] = c;
        else if ((kind == SQLITE_INDEX_CONSTRAINT_GE || kind == SQLITE_INDEX_CONSTRAINT_LE) &&
                 (bounded < 0 || bounded == column)) {
            *(kind == SQLITE_INDEX_CONSTRAINT_GE ? &least : &greatest) = c;
            bounded = column;
        }
    }
    double rows = (double)facts->count + 1;
    for (int k = 0; k < FORMULA_MOST_ARITY; k++)
        if (by_value[k] >= 0) {
            info->aConstraintUsage[by_value[k]] = (struct sqlite3_index_constraint_usage){++arguments, 1};
            info->idxNum |= 1 << k;
            rows /= (double)facts->objects + 1;
        }
    const bool wants_bounds = arguments == 0;
    if (least >= 0 && wants_bounds) {
        info->aConstraintUsage[least].argvIndex = ++arguments;
        info->idxNum |= HAS_LEAST | (bounded + 1) << BOUND_SHIFT;
        rows /= 4;
    }
    if (greatest >= 0 && wants_bounds) {
        info->aConstraintUsage[greatest].argvIndex = ++arguments;
        info->idxNum |= HAS_GREATEST | (bounded + 1) << BOUND_SHIFT;
        rows /= 4;
    }
    info->estimatedRows = (sqlite3_int64)rows + 1;
    info->estimatedCost = rows + 1;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
    facts_cursor *cursor = memory_new(1, sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    cursor->facts = ((facts_of_table *)table)->facts;
    *made = &cursor->base;
    return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
    memory_free(cursor);
    return SQLITE_OK;
}

static const int *tuple_of(const facts_cursor *in)
{
    const size_t number = in->list ? in->list[in->at] : in->at;
    return in->facts->tuples + number * (size_t)in->facts->arity;
}

/* On to the next fact that has all values, from the current one on. */
static void settle(facts_cursor *in)
{
    for (; in->at < in->end; in->at++) {
        const int *tuple = tuple_of(in);
        int fits = in->columns;
        for (int k = 0; fits >> k; k++)
            if ((fits >> k & 1) && tuple[k] != in->value[k])
                fits = 0;
        if (fits == in->columns)
            return;
    }
}

static int clamp(sqlite3_value *value, int least, int greatest)
{
    const sqlite3_int64 number = sqlite3_value_int64(value);
    return number < least ? least : number > greatest ? greatest : (int)number;
}

/* The facts of objects `least` to `greatest` at a column, if they are fewer. */
static void narrow(facts_cursor *in, int column, int least, int greatest)
{
    const uint32_t *first = in->facts->first[column];
    const size_t begin = least <= greatest ? first[least] : 0,
                 end = least <= greatest ? first[greatest + 1] : 0;
    if (end - begin >= in->end - in->at)
        return;
    in->at = begin;
    in->end = end;
    in->list = in->facts->fact[column];
}

static int cursor_filter(sqlite3_vtab_cursor *base, int plan, const char *name, int count,
                         sqlite3_value **arguments)
{
    facts_cursor *in = (facts_cursor *)base;
    const int last = in->facts->objects - 1;
    int argument = 0;
    (void)name;
    (void)count;
    in->list = NULL;
    in->at = 0;
    in->end = in->facts->count;
    in->columns = plan & 0xff;
    for (int k = 0; in->columns >> k; k++) {
        if (!(in->columns >> k & 1))
            continue;
        in->value[k] = clamp(arguments[argument++], -1, last + 1);
        if (in->value[k] < 0 || in->value[k] > last)
            in->end = in->at = 0;
    }
    for (int k = 0; in->columns >> k && in->end - in->at > FEW_FACTS; k++)
        if (in->columns >> k & 1)
            narrow(in, k, in->value[k], in->value[k]);
    const int bounded = (plan >> BOUND_SHIFT & BOUND_MASK) - 1;
    if (bounded >= 0) {
        const int least = plan & HAS_LEAST ? clamp(arguments[argument++], 0, last + 1) : 0;
        narrow(in, bounded, least, plan & HAS_GREATEST ? clamp(arguments[argument], -1, last) : last);
    }
    settle(in);
    return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
    facts_cursor *in = (facts_cursor *)base;
    in->at++;
    settle(in);
    return SQLITE_OK;
}

static int cursor_eof(sqlite3_vtab_cursor *base)
{
    const facts_cursor *in = (const facts_cursor *)base;
    return in->at >= in->end;
}

/* Tables without arguments have a column that says nothing. */
static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    const facts_cursor *in = (const facts_cursor *)base;
    sqlite3_result_int(result, in->facts->arity > 0 ? tuple_of(in)[column] : 1);
    return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
    const facts_cursor *in = (const facts_cursor *)base;
    *number = (sqlite3_int64)(in->list ? in->list[in->at] : in->at);
    return SQLITE_OK;
}

int facts_table_register(sqlite3 *database, facts_table *tables)
{
    static const sqlite3_module module = {.xCreate = table_connect,
                                          .xConnect = table_connect,
                                          .xBestIndex = table_plan,
                                          .xDisconnect = table_disconnect,
                                          .xDestroy = table_disconnect,
                                          .xOpen = cursor_open,
                                          .xClose = cursor_close,
                                          .xFilter = cursor_filter,
                                          .xNext = cursor_next,
                                          .xEof = cursor_eof,
                                          .xColumn = cursor_column,
                                          .xRowid = cursor_rowid};
    return sqlite3_create_module(database, "nlm_facts", &module, tables);
}
