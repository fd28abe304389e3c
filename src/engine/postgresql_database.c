/* PostgreSQL through its library libpq, which is loaded when a database is opened.
 *
 * Passwords do not pass through here: a connection text that has one is refused, since others see it in the
 * list of processes; libpq takes them from PGPASSWORD or from the file that PGPASSFILE names. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "engine/database.h"

/* What libpq-fe.h declares. */
typedef struct pg_conn pg_conn;
typedef struct pg_result pg_result;
typedef struct pg_option {
    char *keyword, *variable, *compiled, *value, *label, *shown;
    int size;
} pg_option;
enum { PG_CONNECTED = 0, PG_COMMAND_DONE = 1, PG_ROWS_DONE = 2 };

struct database {
    void *library;
    pg_conn *connection;
    pg_conn *(*connect)(const char *);
    int (*status)(const pg_conn *);
    char *(*connection_error)(const pg_conn *);
    void (*finish)(pg_conn *);
    pg_result *(*exec)(pg_conn *, const char *);
    int (*result_status)(const pg_result *);
    char *(*result_error)(const pg_result *);
    char *(*value)(const pg_result *, int, int);
    void (*clear)(pg_result *);
    pg_option *(*parse)(const char *, char **);
    void (*free_options)(pg_option *);
    void (*free_text)(void *);
    void *(*set_notices)(pg_conn *, void (*)(void *, const char *), void *);
};

static void ignore_notice(void *context, const char *text)
{
    (void)context;
    (void)text;
}

/* ---- the library ---- */

/* POSIX says that the address of a function survives the way through void *, C does not. */
static bool find_function(void *library, const char *name, void *place)
{
    void *address = dlsym(library, name);
    memcpy(place, &address, sizeof address);
    return address != NULL;
}

static nlm_status load_library(database *of, nlm_error *error)
{
    of->library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!of->library)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "PostgreSQL's library libpq is not installed (Debian: libpq5)");
    const struct {
        const char *name;
        void *place;
    } functions[] = {{"PQconnectdb", &of->connect},
                     {"PQstatus", &of->status},
                     {"PQerrorMessage", &of->connection_error},
                     {"PQfinish", &of->finish},
                     {"PQexec", &of->exec},
                     {"PQresultStatus", &of->result_status},
                     {"PQresultErrorMessage", &of->result_error},
                     {"PQgetvalue", &of->value},
                     {"PQclear", &of->clear},
                     {"PQconninfoParse", &of->parse},
                     {"PQconninfoFree", &of->free_options},
                     {"PQfreemem", &of->free_text},
                     {"PQsetNoticeProcessor", &of->set_notices}};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (!find_function(of->library, functions[f].name, functions[f].place))
            return error_set(error, NLM_BAD_ARGUMENT, "libpq.so.5 has no %s", functions[f].name);
    return NLM_OK;
}

/* ---- messages ---- */

/* The first line, without what libpq puts before it. */
static nlm_status refuse(const char *text, nlm_error *error)
{
    static const char prefix[] = "ERROR:";
    if (!strncmp(text, prefix, sizeof prefix - 1))
        text += sizeof prefix - 1;
    text += strspn(text, " \n");
    return error_set(error, NLM_BAD_ARGUMENT, "PostgreSQL: %.*s", (int)strcspn(text, "\n"),
                     *text ? text : "no answer");
}

/* ---- a connection ---- */

static nlm_status check_password(const database *of, const char *where, nlm_error *error)
{
    char *message = NULL;
    bool found = false;
    pg_option *options = of->parse(where, &message);
    for (const pg_option *o = options; o && o->keyword; o++)
        found |= !strcmp(o->keyword, "password") && o->value;
    nlm_status status = NLM_OK;
    if (!options) /* libpq's message may repeat the text */
        status = error_set(
            error, NLM_BAD_ARGUMENT,
            "this is no address of a database as PostgreSQL writes them: postgresql://USER@HOST/NAME");
    else if (found)
        status = error_set(
            error, NLM_BAD_ARGUMENT,
            "no password in the address, where others can read it: PGPASSWORD or the file ~/.pgpass "
            "tells it to PostgreSQL");
    of->free_options(options);
    if (message)
        of->free_text(message);
    return status;
}

static void close_database(database *of)
{
    if (of->connection)
        of->finish(of->connection);
    if (of->library)
        dlclose(of->library);
    memory_free(of);
}

static nlm_status connect_to(database *of, const char *where, nlm_error *error)
{
    nlm_status status = load_library(of, error);
    if (!status)
        status = check_password(of, where, error);
    if (status)
        return status;
    of->connection = of->connect(where);
    if (!of->connection)
        return error_no_memory(error);
    if (of->status(of->connection) != PG_CONNECTED)
        return refuse(of->connection_error(of->connection), error);
    of->set_notices(of->connection, ignore_notice, NULL);
    return NLM_OK;
}

static nlm_status open_database(const char *where, database **made, nlm_error *error)
{
    database *of = memory_new(1, sizeof *of);
    *made = NULL;
    if (!of)
        return error_no_memory(error);
    const nlm_status status = connect_to(of, where, error);
    if (status)
        close_database(of);
    else
        *made = of;
    return status;
}

static nlm_status run(database *of, const char *sql, size_t *number, nlm_error *error)
{
    pg_result *result = of->exec(of->connection, sql);
    if (!result)
        return refuse(of->connection_error(of->connection), error);
    const int outcome = of->result_status(result);
    nlm_status status = NLM_OK;
    if (outcome != PG_COMMAND_DONE && outcome != PG_ROWS_DONE)
        status = refuse(of->result_error(result), error);
    else if (number && outcome == PG_ROWS_DONE)
        *number = (size_t)strtoull(of->value(result, 0, 0), NULL, 10);
    of->clear(result);
    return status;
}

static const database_driver driver = {open_database, close_database, run, "BEGIN"};
const database_driver *const database_postgresql = &driver;
