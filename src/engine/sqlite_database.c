/* A file of SQLite as somebody else's database. */
#include <sqlite3.h>
#include "base/error.h"
#include "engine/database.h"
#include "base/memory.h"

struct database {
    sqlite3 *handle;
};

enum { BUSY_MILLISECONDS = 5000 };

static nlm_status refuse(sqlite3 *handle, int code, nlm_error *error)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_no_memory(error);
    const nlm_status status =
        (code & 0xff) == SQLITE_FULL || (code & 0xff) == SQLITE_IOERR ? NLM_IO_ERROR : NLM_BAD_ARGUMENT;
    return error_set(error, status, "SQLite: %.300s", handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

static void close_database(database *of)
{
    sqlite3_close(of->handle);
    memory_free(of);
}

/* The file has to be there. */
static nlm_status open_database(const char *where, database **made, nlm_error *error)
{
    database *of = memory_new(1, sizeof *of);
    *made = NULL;
    if (!of)
        return error_no_memory(error);
    const int code = sqlite3_open_v2(where, &of->handle, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK) {
        nlm_error cause;
        const nlm_status status = refuse(of->handle, code, &cause);
        (void)error_set(error, status, "%.200s: %.250s", where, cause.message);
        close_database(of);
        return status;
    }
    sqlite3_busy_timeout(of->handle, BUSY_MILLISECONDS);
    /* Else a column that is not there would be a text. */
    sqlite3_db_config(of->handle, SQLITE_DBCONFIG_DQS_DML, 0, (int *)NULL);
    sqlite3_db_config(of->handle, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)NULL);
    *made = of;
    return NLM_OK;
}

static nlm_status run(database *of, const char *sql, size_t *number, nlm_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(of->handle, sql, -1, &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW && number)
            *number = (size_t)sqlite3_column_int64(statement, 0);
    }
    const nlm_status status = code == SQLITE_DONE ? NLM_OK : refuse(of->handle, code, error);
    sqlite3_finalize(statement);
    return status;
}

static const database_driver driver = {open_database, close_database, run, "BEGIN IMMEDIATE"};
const database_driver *const database_sqlite = &driver;
