/* Programs as SQL: a query for each target, on tables that are called as the inputs, with columns a, b, ...
 *
 *     WITH "parent"(a, b) AS (SELECT ... UNION SELECT ...) SELECT DISTINCT ...;
 *
 * A clause is a SELECT: its positive literals are tables that are joined, its negations NOT EXISTS.  Only
 * what SQLite and PostgreSQL both have is used.  A predicate without arguments holds if its table has a row.
 * Objects are those that stand in the tables.  Queries leave out rows that have an object twice, for which
 * targets are not asked. */
#include "logic/print_numbers.h"
#include <string.h>

/* Where a variable stands: column `column` of table t`table`; table 0: nowhere yet. */
typedef struct place {
    int table, column;
} place;

typedef struct selecting {
    printing *to;
    const print_clause *in;
    place of[CLAUSE_VARIABLES];
    bool has_condition;
} selecting;

static void put_place(const selecting *s, int variable)
{
    char column[PRINT_NAME];
    fprintf(s->to->stream, "t%d.%s", s->of[variable].table, print_column(s->of[variable].column, column));
}

static void put_and(selecting *s)
{
    fputs(s->has_condition ? " AND " : " WHERE ", s->to->stream);
    s->has_condition = true;
}

static void put_comparison(selecting *s, int a, int b, bool differ)
{
    put_and(s);
    put_place(s, a);
    fputs(differ ? " <> " : " = ", s->to->stream);
    put_place(s, b);
}

static const char *table_name(const printing *to, int predicate)
{
    return predicate == PRINT_OBJECT ? to->object : to->name[predicate];
}

static bool is_table(const clause_literal *literal)
{
    return !literal->negated && literal->predicate != CLAUSE_EQUAL && literal->arity > 0;
}

/* The column at which a literal's variable number i stands: constants stand between them. */
static int column_of(const selecting *s, const clause_literal *literal, int i)
{
    prolog_name constant;
    const int arguments = print_arguments(s->to, literal->predicate, literal->arity);
    for (int k = 0; k < arguments; k++)
        if (print_argument(s->to, literal->predicate, k, &constant) == i)
            return k;
    return i;
}

/* The conditions that its constants are, each behind `between`: t1.b = 'it' */
static bool put_constants(const selecting *s, const clause_literal *literal, const char *table, bool more)
{
    char column[PRINT_NAME];
    prolog_name constant;
    const int arguments = print_arguments(s->to, literal->predicate, literal->arity);
    for (int k = 0; k < arguments; k++) {
        if (print_argument(s->to, literal->predicate, k, &constant) >= 0)
            continue;
        fprintf(s->to->stream, "%s%s.%s = ", more ? " AND " : " WHERE ", table, print_column(k, column));
        print_constant(s->to, constant);
        more = true;
    }
    return more;
}

/* The tables of positive literals; each variable stands where it is first. */
static void put_tables(selecting *s)
{
    int table = 0;
    for (int l = 0; l < s->in->count; l++) {
        const clause_literal *literal = &s->in->literals[l];
        if (literal->predicate == CLAUSE_EQUAL && !literal->negated) {
            const int a = literal->variable[0], b = literal->variable[1];
            if (s->of[a].table == 0)
                s->of[a] = s->of[b];
            else if (s->of[b].table == 0)
                s->of[b] = s->of[a];
        }
        if (!is_table(literal))
            continue;
        table++;
        for (int i = 0; i < literal->arity; i++)
            if (s->of[literal->variable[i]].table == 0)
                s->of[literal->variable[i]] = (place){table, column_of(s, literal, i)};
    }
}

/* Conditions of a positive literal: its variables that stand in a table before it, or twice in it. */
static void put_joins(selecting *s, const clause_literal *literal, int table)
{
    char column[PRINT_NAME], name[PRINT_NAME];
    for (int i = 0; i < literal->arity; i++) {
        const place at = s->of[literal->variable[i]];
        const int own = column_of(s, literal, i);
        if (at.table == table && at.column == own)
            continue;
        put_and(s);
        fprintf(s->to->stream, "t%d.%s = ", table, print_column(own, column));
        put_place(s, literal->variable[i]);
    }
    snprintf(name, sizeof name, "t%d", table);
    s->has_condition = put_constants(s, literal, name, s->has_condition);
}

/* [NOT] EXISTS (SELECT 1 FROM p AS n WHERE n.a = t1.b) */
static void put_exists(selecting *s, const clause_literal *literal)
{
    char column[PRINT_NAME];
    bool more = false;
    put_and(s);
    fprintf(s->to->stream, "%sEXISTS (SELECT 1 FROM %s AS n", literal->negated ? "NOT " : "",
            table_name(s->to, literal->predicate));
    for (int i = 0; i < literal->arity; i++) {
        if (literal->variable[i] == CLAUSE_ANONYMOUS)
            continue;
        fprintf(s->to->stream, "%sn.%s = ", more ? " AND " : " WHERE ",
                print_column(column_of(s, literal, i), column));
        put_place(s, literal->variable[i]);
        more = true;
    }
    put_constants(s, literal, "n", more);
    fputs(")", s->to->stream);
}

static void put_columns(const selecting *s)
{
    char column[PRINT_NAME];
    for (int i = 0; i < s->in->arity; i++) {
        fputs(i ? ", " : "", s->to->stream);
        put_place(s, i);
        fprintf(s->to->stream, " AS %s", print_column(i, column));
    }
    if (s->in->arity == 0)
        fputs("1 AS a", s->to->stream);
    int table = 0;
    for (int l = 0; l < s->in->count; l++)
        if (is_table(&s->in->literals[l])) {
            table++;
            fprintf(s->to->stream, "%s%s AS t%d", table == 1 ? " FROM " : ", ",
                    table_name(s->to, s->in->literals[l].predicate), table);
        }
}

/* The clause after SELECT; `apart`: the head's variables stand for different objects. */
static void put_select(printing *to, const print_clause *in, bool apart)
{
    selecting s = {.to = to, .in = in};
    int table = 0;
    uint64_t differ[FORMULA_VARIABLES] = {0};
    put_tables(&s);
    put_columns(&s);
    for (int l = 0; l < in->count; l++) {
        const clause_literal *literal = &in->literals[l];
        const int a = literal->variable[0], b = literal->variable[1];
        if (is_table(literal))
            put_joins(&s, literal, ++table);
        else if (literal->predicate != CLAUSE_EQUAL)
            put_exists(&s, literal);
        else if (literal->negated || s.of[a].table != s.of[b].table || s.of[a].column != s.of[b].column)
            put_comparison(&s, a, b, literal->negated);
        if (literal->predicate == CLAUSE_EQUAL && literal->negated && a < in->arity && b < in->arity)
            differ[a] |= (uint64_t)1 << b, differ[b] |= (uint64_t)1 << a;
    }
    for (int a = 0; a < in->arity && apart; a++)
        for (int b = a + 1; b < in->arity; b++)
            if (!(differ[a] >> b & 1))
                put_comparison(&s, a, b, true);
}

/* All clauses of a predicate; none: a query without rows. */
static nlm_status put_query(printing *to, int predicate, bool is_target, const char *between)
{
    char column[PRINT_NAME];
    const int arity = clauses_arity(&to->made, predicate), first = to->first[predicate];
    for (int c = first; c >= 0; c = to->next[c]) {
        print_clause prepared;
        if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
            return NLM_NO_MEMORY;
        if (c != first)
            fprintf(to->stream, "%sUNION ", between);
        fputs(is_target && to->next[first] < 0 ? "SELECT DISTINCT " : "SELECT ", to->stream);
        put_select(to, &prepared, is_target);
    }
    if (first < 0) {
        for (int i = 0; i < arity || i == 0; i++)
            fprintf(to->stream, "%sNULL AS %s", i ? ", " : "SELECT ", print_column(i, column));
        fputs(" WHERE 1 = 0", to->stream);
    }
    return NLM_OK;
}

/* "NAME"(a, b) AS (, after WITH or a comma. */
static void open_table(printing *to, const char *name, int arity, int *opened)
{
    char column[PRINT_NAME];
    fprintf(to->stream, "%s\n  %s(", (*opened)++ ? "," : "WITH", name);
    for (int i = 0; i < arity || i == 0; i++)
        fprintf(to->stream, "%s%s", i ? ", " : "", print_column(i, column));
    fputs(") AS (\n    ", to->stream);
}

/* Whether the facts of an input, which is the first that has them, are read. */
static bool reads_facts(const printing *to, int input, const bool *needed, bool needs_object)
{
    bool reads = needs_object && !program_at(to->program, input)->is_type;
    for (int i = input; i < to->program->input_count; i++)
        reads |= needed[i] && to->facts[i] == input;
    return reads && print_has_facts(to, input);
}

/* Facts that are no table of their name. */
static void put_facts(printing *to, const bool *needed, bool needs_object, int *opened)
{
    for (int i = 0; i < to->program->input_count && to->facts_query; i++) {
        if (!reads_facts(to, i, needed, needs_object) || !to->facts_query[i])
            continue;
        open_table(to, to->fact_name[i], print_written(to, i), opened);
        fprintf(to->stream, "%s)", to->facts_query[i]);
    }
}

/* The objects, and inputs that repeat one. */
static void put_inputs(printing *to, const bool *needed, bool needs_object, int *opened)
{
    const nlm_program *program = to->program;
    char column[PRINT_NAME];
    prolog_name constant;
    bool more = false;
    if (needs_object) {
        open_table(to, to->object, 1, opened);
        for (int i = 0; i < program->input_count; i++) {
            if (program_at(program, i)->is_type || !print_has_facts(to, i))
                continue;
            for (int k = 0; k < print_written(to, i); k++) {
                if (print_place(to, i, k, &constant) < 0)
                    continue;
                fprintf(to->stream, "%sSELECT %s FROM %s", more ? " UNION " : "", print_column(k, column),
                        to->fact_name[i]);
                more = true;
            }
        }
        for (int a = 0; a < program->attribute_count; a++) {
            const nlm_attribute *of = program_attribute_at(program, a);
            for (int k = 0; k < of->objects && of->place == of->objects; k++, more = true)
                fprintf(to->stream, "%sSELECT %s FROM %s", more ? " UNION " : "", print_column(k, column),
                        to->attribute_name[a]);
        }
        fputs(more ? ")" : "SELECT NULL AS a WHERE 1 = 0)", to->stream);
    }
    for (int i = 0; i < program->input_count; i++) {
        const program_predicate *of = program_at(program, i);
        if (!needed[i] || !print_is_alias(to, i))
            continue;
        open_table(to, to->name[i], of->arity, opened);
        if (of->comparison.terms > 0) {
            print_comparison_query(to, i);
            fputs(")", to->stream);
            continue;
        }
        int next = 0;
        more = false;
        for (int k = 0; k < print_written(to, i); k++)
            if (print_place(to, i, k, &constant) == next)
                fprintf(to->stream, "%s%s", next++ ? ", " : "SELECT ", print_column(k, column));
        fprintf(to->stream, " FROM %s", to->fact_name[i]);
        for (int a = 0; a < print_written(to, i); a++) {
            const int one = print_place(to, i, a, &constant);
            if (one < 0) {
                fprintf(to->stream, "%s%s = ", more ? " AND " : " WHERE ", print_column(a, column));
                print_constant(to, constant);
                more = true;
            }
            for (int b = a + 1; b < print_written(to, i) && one >= 0; b++) {
                const int other = print_place(to, i, b, &constant);
                if (other < 0)
                    continue;
                fprintf(to->stream, "%s%c %s %c", more ? " AND " : " WHERE ", 'a' + a,
                        one == other ? "=" : "<>", 'a' + b);
                more = true;
            }
        }
        fputs(")", to->stream);
    }
}

/* needed[p]: whether the target's query uses it; `list` has room for all predicates. */
static nlm_status find_needed(printing *to, int target, bool *needed, int *list, bool *needs_object)
{
    int count = 0;
    *needs_object = false;
    memset(needed, 0, (size_t)to->predicates * sizeof *needed);
    needed[target] = true;
    list[count++] = target;
    for (int i = 0; i < count; i++)
        for (int c = to->first[list[i]]; c >= 0; c = to->next[c]) {
            print_clause prepared;
            if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
                return NLM_NO_MEMORY;
            for (int l = 0; l < prepared.count; l++) {
                const int p = prepared.literals[l].predicate;
                *needs_object |= p == PRINT_OBJECT;
                if (p >= 0 && !needed[p]) {
                    needed[p] = true;
                    list[count++] = p;
                }
            }
        }
    return NLM_OK;
}

/* What a predicate uses has its last clause before that of the predicate. */
static nlm_status put_target(printing *to, int target, bool *needed, int *list)
{
    int opened = 0;
    bool needs_object;
    nlm_status status = find_needed(to, target, needed, list, &needs_object);
    if (status)
        return status;
    put_facts(to, needed, needs_object, &opened);
    put_inputs(to, needed, needs_object, &opened);
    for (int i = 0; i < to->ordered && !status; i++)
        if (needed[to->order[i]] && to->first[to->order[i]] < 0 && to->order[i] != target) {
            open_table(to, to->name[to->order[i]], clauses_arity(&to->made, to->order[i]), &opened);
            status = put_query(to, to->order[i], false, "");
            fputs(")", to->stream);
        }
    for (uint32_t c = 0; c < to->made.count && !status; c++) {
        const int head = clauses_at(&to->made, c)->head;
        if (to->next[c] >= 0 || !needed[head] || head == target)
            continue;
        open_table(to, to->name[head], clauses_arity(&to->made, head), &opened);
        status = put_query(to, head, false, "\n    ");
        fputs(")", to->stream);
    }
    fputs(opened ? "\n" : "", to->stream);
    if (!status)
        status = put_query(to, target, true, "\n");
    return status;
}

typedef struct needs {
    bool *predicate;
    int *list; /* room for all predicates */
} needs;

static bool needs_open(const printing *to, needs *room)
{
    *room = (needs){memory_new((size_t)to->predicates, sizeof(bool)),
                    memory_new((size_t)to->predicates, sizeof(int))};
    return room->predicate && room->list;
}

static void needs_close(needs *room)
{
    memory_free(room->predicate);
    memory_free(room->list);
}

/* "father"(a, b): what a table has to have.  Separated from the one before. */
static void put_expected(const printing *to, const char *name, int arity, bool *more)
{
    char column[PRINT_NAME];
    fprintf(to->stream, "%s%s(", *more ? ", " : "", name);
    for (int k = 0; k < arity || k == 0; k++)
        fprintf(to->stream, "%s%s", k ? ", " : "", print_column(k, column));
    fputs(")", to->stream);
    *more = true;
}

/* A comment for whoever has to provide the tables. */
static nlm_status put_tables_comment(printing *to, needs *room)
{
    const nlm_program *program = to->program;
    bool *read = memory_new((size_t)program->input_count + 1, sizeof *read), more = false, objects = false;
    nlm_status status = read ? NLM_OK : NLM_NO_MEMORY;
    for (int t = 0; t < program->target_count && !status; t++) {
        bool needs_object;
        status = find_needed(to, program->target[t], room->predicate, room->list, &needs_object);
        objects |= needs_object;
        for (int i = 0; i < program->input_count && !status; i++)
            read[i] |= reads_facts(to, i, room->predicate, needs_object);
    }
    fputs("-- reads ", to->stream);
    for (int i = 0; i < program->input_count && !status; i++)
        if (read[i])
            put_expected(to, to->fact_name[i], print_written(to, i), &more);
    for (int a = 0; a < program->attribute_count && !status; a++)
        if (program_attribute_at(program, a)->place == program_attribute_at(program, a)->objects &&
            (objects || print_reads_attribute(to, a)))
            put_expected(to, to->attribute_name[a], program_attribute_at(program, a)->arity, &more);
    fputs(more ? ": a row for each fact; an empty table where there are none\n" : "no tables\n", to->stream);
    fputs(
        "-- runs as it is in SQLite, PostgreSQL and DuckDB; PostgreSQL and DuckDB want columns of one type\n",
        to->stream);
    memory_free(read);
    return status;
}

nlm_status print_sql_query(printing *to, int target)
{
    needs room;
    const nlm_status status = needs_open(to, &room)
                                  ? put_target(to, to->program->target[target], room.predicate, room.list)
                                  : NLM_NO_MEMORY;
    needs_close(&room);
    return status;
}

nlm_status print_sql(printing *to)
{
    needs room;
    nlm_status status = needs_open(to, &room) ? put_tables_comment(to, &room) : NLM_NO_MEMORY;
    for (int t = 0; t < to->program->target_count && !status; t++) {
        fprintf(to->stream, "-- %s\n", program_at(to->program, to->program->target[t])->name);
        status = put_target(to, to->program->target[t], room.predicate, room.list);
        fputs(";\n", to->stream);
    }
    needs_close(&room);
    return status;
}
