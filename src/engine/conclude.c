/* Conclusions written into a database: the program's SQL over the tables that the map names.
 *
 * Facts are read through queries of their own, so that the tables may be called anything and have other
 * columns, empty fields are no facts, and facts that repeat an object are left out as machines leave them
 * out.  All names are quoted. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "engine/database.h"
#include "engine/table_map.h"
#include "logic/print.h"
#include "nlm/database.h"
#include "syntax/reading_message.h"

typedef struct concluding {
    const database_driver *driver;
    database *database;
    table_maps maps;
    printing print;
    const char **query; /* of each input: what its facts are */
    text_store texts;
    nlm_error *error;
} concluding;

/* ---- texts ---- */

/* A stream into a text that is kept with all others. */
typedef struct sql_text {
    FILE *stream;
    char *text;
    size_t size;
} sql_text;

static bool open_text(sql_text *to)
{
    *to = (sql_text){0};
    to->stream = open_memstream(&to->text, &to->size);
    return to->stream != NULL;
}

static const char *keep_text(concluding *in, sql_text *from)
{
    const bool good = fclose(from->stream) == 0 && from->text;
    const char *kept = good ? text_keep(&in->texts, from->text, from->size) : NULL;
    free(from->text);
    return kept;
}

static void put_name(FILE *stream, const char *name)
{
    fputc('"', stream);
    for (; *name; name++)
        fprintf(stream, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', stream);
}

/* ---- facts ---- */

static void put_column(FILE *stream, const table_map *map, int k)
{
    char column[PRINT_NAME];
    put_name(stream, map ? map->column[k] : print_column(k, column));
}

/* The name by which facts are called: without constants. */
static void put_table(const concluding *in, FILE *stream, const table_map *map, int input)
{
    if (map && map->schema) {
        put_name(stream, map->schema);
        fputc('.', stream);
    }
    put_name(stream, map ? map->table : in->print.base[input]);
}

/* SELECT "id", "father_id" FROM "people" WHERE "id" IS NOT NULL AND ... */
static nlm_status make_query(concluding *in, int input)
{
    const printing *print = &in->print;
    const table_map *map = table_maps_find(&in->maps, print->base[input]);
    const int written = print_written(print, input);
    sql_text to;
    if (map && map->columns != written)
        return message_argument(in->error, "the map has %d column%s for %s/%d", map->columns,
                                map->columns == 1 ? "" : "s", message_cut_text(map->predicate).text, written);
    if (!open_text(&to))
        return error_no_memory(in->error);
    for (int k = 0; k < written || k == 0; k++) {
        fputs(k ? ", " : "SELECT ", to.stream);
        put_column(to.stream, map, k);
    }
    fputs(" FROM ", to.stream);
    put_table(in, to.stream, map, input);
    for (int k = 0; k < written; k++) {
        fputs(k ? " AND " : " WHERE ", to.stream);
        put_column(to.stream, map, k);
        fputs(" IS NOT NULL", to.stream);
    }
    for (int k = 0; k < written && !print_is_alias(print, input); k++)
        for (int l = 0; l < k; l++) {
            fputs(" AND ", to.stream);
            put_column(to.stream, map, l);
            fputs(" <> ", to.stream);
            put_column(to.stream, map, k);
        }
    in->query[input] = keep_text(in, &to);
    return in->query[input] ? NLM_OK : error_no_memory(in->error);
}

/* The facts of an input get a name that no table is likely to have: in SQLite a query cannot have the name of
 * what it reads. */
static nlm_status rename_facts(concluding *in, int input)
{
    sql_text to;
    char name[64];
    if (!open_text(&to))
        return error_no_memory(in->error);
    snprintf(name, sizeof name, "facts of input %d", input);
    put_name(to.stream, name);
    const char *renamed = keep_text(in, &to), *before = in->print.fact_name[input];
    if (!renamed)
        return error_no_memory(in->error);
    for (int i = input; i < in->print.program->input_count; i++) {
        if (in->print.name[i] == before)
            in->print.name[i] = renamed;
        if (in->print.facts[i] == input)
            in->print.fact_name[i] = renamed;
    }
    return NLM_OK;
}

static nlm_status check_maps(const concluding *in)
{
    for (int m = 0; m < in->maps.count; m++) {
        bool found = false;
        for (int i = 0; i < in->print.program->input_count; i++)
            found |= print_has_facts(&in->print, i) &&
                     !strcmp(in->print.base[i], table_maps_at(&in->maps, m)->predicate);
        if (!found)
            return message_argument(in->error, "the map names %s, which is no predicate that the model reads",
                                    message_cut_text(table_maps_at(&in->maps, m)->predicate).text);
    }
    return NLM_OK;
}

static nlm_status make_queries(concluding *in)
{
    const int inputs = in->print.program->input_count;
    in->query = memory_new((size_t)inputs + 1, sizeof *in->query);
    nlm_status status = in->query ? check_maps(in) : error_no_memory(in->error);
    for (int i = 0; i < inputs && !status; i++)
        if (print_has_facts(&in->print, i))
            status = make_query(in, i);
    for (int i = 0; i < inputs && !status; i++)
        if (in->query[i])
            status = rename_facts(in, i);
    in->print.facts_query = in->query;
    return status;
}

/* Each table has to be there with its columns, before anything is computed. */
static nlm_status check_tables(concluding *in)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < in->print.program->input_count && !status; i++) {
        sql_text to;
        nlm_error cause;
        if (!in->query[i] || !in->print.listed[i])
            continue;
        if (!open_text(&to))
            return error_no_memory(in->error);
        fprintf(to.stream, "%s%s1 = 0", in->query[i], print_written(&in->print, i) ? " AND " : " WHERE ");
        const char *sql = keep_text(in, &to);
        if (!sql)
            return error_no_memory(in->error);
        status = in->driver->run(in->database, sql, NULL, &cause);
        if (status)
            (void)error_set(in->error, status,
                            "%.60s/%d: %.250s; --map says where facts are: father=people(id,father_id)",
                            in->print.base[i], print_written(&in->print, i), cause.message);
    }
    return status;
}

/* ---- conclusions ---- */

static nlm_status run_with_table(concluding *in, const char *before, const char *table, int target,
                                 size_t *number)
{
    sql_text to;
    if (!open_text(&to))
        return error_no_memory(in->error);
    fputs(before, to.stream);
    put_name(to.stream, table);
    nlm_status status = NLM_OK;
    if (target >= 0) {
        fputs(" AS ", to.stream);
        in->print.stream = to.stream;
        status = print_sql_query(&in->print, target);
    }
    const char *sql = keep_text(in, &to);
    if (status || !sql)
        return error_no_memory(in->error);
    return in->driver->run(in->database, sql, number, in->error);
}

static const char *table_of(const concluding *in, const nlm_database_request *request, int target)
{
    return request->into ? request->into
                         : program_at(in->print.program, in->print.program->target[target])->name;
}

static nlm_status write_target(concluding *in, const char *table, int target, size_t *rows)
{
    nlm_status status = run_with_table(in, "CREATE TABLE ", table, target, NULL);
    return status ? status : run_with_table(in, "SELECT COUNT(*) FROM ", table, -1, rows);
}

static nlm_status write_all(concluding *in, const nlm_database_request *request, size_t *rows)
{
    nlm_status status = in->driver->run(in->database, in->driver->begin, NULL, in->error);
    if (!status)
        status = check_tables(in);
    for (int t = 0; t < in->print.program->target_count && !status; t++)
        status = write_target(in, table_of(in, request, t), t, &rows[t]);
    return status ? status : in->driver->run(in->database, "COMMIT", NULL, in->error);
}

/* ---- databases ---- */

bool nlm_database_is_remote(const char *where)
{
    return !strncmp(where, "postgresql://", 13) || !strncmp(where, "postgres://", 11);
}

static nlm_status find_driver(const char *where, const database_driver **driver, nlm_error *error)
{
    const bool remote = nlm_database_is_remote(where);
    *driver = remote ? database_postgresql : database_sqlite;
    if (*driver)
        return NLM_OK;
    return error_set(error, NLM_BAD_ARGUMENT, "this nlm was built without %s",
                     remote ? "PostgreSQL" : "SQLite");
}

nlm_status nlm_database_conclude(const nlm_program *program, const nlm_database_request *request,
                                 nlm_database_listener listener, void *context, nlm_error *error)
{
    REQUIRE(program && request && request->where, error);
    concluding in = {.error = error};
    size_t rows[NLM_MAX_HEADS] = {0};
    nlm_status status = find_driver(request->where, &in.driver, error);
    if (status)
        return status;
    if (request->into && program->target_count > 1)
        return error_set(error, NLM_BAD_ARGUMENT, "%d targets do not fit into one table",
                         program->target_count);
    if (request->map)
        status = table_maps_parse(request->map, &in.maps, error);
    if (!status) {
        status = print_open(&in.print, program, NLM_SQL, error);
        if (!status)
            status = make_queries(&in);
        if (!status)
            status = in.driver->open(request->where, &in.database, error);
        if (!status)
            status = write_all(&in, request, rows);
        if (in.database)
            in.driver->close(in.database);
        for (int t = 0; t < program->target_count && !status && listener; t++)
            listener(context, program_at(program, program->target[t])->name, table_of(&in, request, t),
                     rows[t]);
        print_close(&in.print);
    }
    memory_free(in.query);
    table_maps_free(&in.maps);
    text_free(&in.texts);
    return status;
}
