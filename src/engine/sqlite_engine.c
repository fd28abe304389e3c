/* The engine of joins on SQLite.
 *
 * Tables have their rows in the order of the primary key, which are the columns in their order; facts arrive
 * sorted, so each is appended.  A set of columns that is looked up and is no beginning of that order gets an
 * index with all columns.  The database is written once, in a file of its own: without journal, and renamed
 * when it is whole. */
#include "engine/engine.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "engine/joins.h"
#include "logic/sorted_facts.h"

bool nlm_engine_is_built(nlm_engine engine)
{
    (void)engine;
    return true;
}

enum {
    STATEMENT = 2048, /* bytes of one that makes or fills a table */
    CACHE_KILOBYTES = 262144,
    FIRST_SLICE = 256,    /* objects */
    FEW_ROWS = 20000,     /* of a slice, after which the next is larger */
    MANY_ROWS = 100000,   /* and smaller */
    ROWS_HEARD = 1 << 17, /* between two calls of the listener */
};

typedef struct engine_target {
    join_query query;
    int arity;
} engine_target;

struct join_engine {
    joins joins;
    const nlm_program *program;
    const nlm_world *world;
    int objects;
    engine_target target[NLM_MAX_HEADS];
    sqlite3 *database;
    engine_listener listener;
    /* The target that is asked for. */
    sqlite3_stmt *asked;
    int now, first, size; /* the slice: objects from `first` on */
    size_t found, rows;   /* in this slice, in all */
};

/* ---- what went wrong ---- */

static nlm_status engine_error(const join_engine *of, int code, nlm_error *error)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_no_memory(error);
    if ((code & 0xff) == SQLITE_FULL)
        return error_set(error, NLM_IO_ERROR,
                         "SQLite: the disk is full, or there is no room for temporary files");
    return error_set(error, (code & 0xff) == SQLITE_IOERR ? NLM_IO_ERROR : NLM_BAD_ARGUMENT, "SQLite: %.300s",
                     of->database ? sqlite3_errmsg(of->database) : sqlite3_errstr(code));
}

static nlm_status run(join_engine *of, const char *sql, nlm_error *error)
{
    const int code = sqlite3_exec(of->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? NLM_OK : engine_error(of, code, error);
}

/* ---- life ---- */

nlm_status engine_new(const nlm_program *program, const nlm_world *world, join_engine **made,
                      nlm_error *error)
{
    join_engine *of = memory_new(1, sizeof *of);
    *made = NULL;
    if (!of)
        return error_no_memory(error);
    of->program = program;
    of->world = world;
    of->objects = nlm_world_objects(world);
    nlm_status status = joins_open(&of->joins, program, error);
    if (!status)
        status = joins_measure(&of->joins, world, error);
    for (int t = 0; t < program->target_count && !status; t++) {
        of->target[t].arity = program_at(program, program->target[t])->arity;
        status = joins_query(&of->joins, t, &of->target[t].query, error);
    }
    if (status)
        engine_free(of);
    else
        *made = of;
    return status;
}

void engine_free(join_engine *of)
{
    if (!of)
        return;
    sqlite3_finalize(of->asked);
    sqlite3_close(of->database);
    for (int t = 0; t < of->program->target_count; t++)
        free(of->target[t].query.sql);
    joins_close(&of->joins);
    memory_free(of);
}

double engine_rows(const join_engine *of, const char **worst)
{
    double rows = 0, most = -1;
    for (int t = 0; t < of->program->target_count; t++) {
        const join_query *query = &of->target[t].query;
        rows += query->cost;
        if (query->cost > most) {
            most = query->cost;
            *worst = query->clause;
        }
    }
    return rows;
}

/* ---- loading ---- */

static void tell(const join_engine *of, const char *what, double done, double all, size_t rows)
{
    if (of->listener.call)
        of->listener.call(of->listener.context, what, all > 0 ? done / all : 1, rows);
}

/* "a, b", of the columns of a set, or of those that are not in it. */
static int put_columns(char *text, size_t room, int arity, uint32_t set, bool in, int used)
{
    char column[PRINT_NAME];
    for (int k = 0; k < arity; k++)
        if ((set >> k & 1) == in)
            used +=
                snprintf(text + used, room - (size_t)used, "%s%s", used ? ", " : "", print_column(k, column));
    return used;
}

/* Tables without arguments have a column that says nothing. */
static nlm_status make_table(join_engine *of, int input, sqlite3_stmt **insert, nlm_error *error)
{
    char sql[STATEMENT], columns[STATEMENT / 4], places[64] = "";
    const int arity = program_at(of->program, input)->arity, width = arity ? arity : 1;
    put_columns(columns, sizeof columns, width, 0, false, 0);
    for (int k = 0; k < width; k++)
        strcat(places, k ? ", ?" : "?");
    snprintf(sql, sizeof sql, "CREATE TABLE f%d(%s, PRIMARY KEY (%s)) WITHOUT ROWID", input, columns,
             columns);
    const nlm_status status = run(of, sql, error);
    if (status)
        return status;
    snprintf(sql, sizeof sql, "INSERT INTO f%d VALUES (%s)", input, places);
    const int code = sqlite3_prepare_v2(of->database, sql, -1, insert, NULL);
    return code == SQLITE_OK ? NLM_OK : engine_error(of, code, error);
}

static nlm_status insert_row(join_engine *of, sqlite3_stmt *insert, const int *row, int arity,
                             nlm_error *error)
{
    for (int k = 0; k < arity; k++)
        sqlite3_bind_int(insert, k + 1, row[k]);
    if (arity == 0)
        sqlite3_bind_int(insert, 1, 1);
    const int code = sqlite3_step(insert);
    sqlite3_reset(insert);
    return code == SQLITE_DONE ? NLM_OK : engine_error(of, code, error);
}

/* The sets that no key or index begins with. */
static nlm_status make_indexes(join_engine *of, int input, nlm_error *error)
{
    const int arity = program_at(of->program, input)->arity;
    nlm_status status = NLM_OK;
    for (uint32_t set = 1; set < 1u << arity && !status; set++) {
        if (!(of->joins.table[input].lookups >> set & 1) || !(set & (set + 1)))
            continue;
        char sql[STATEMENT], columns[STATEMENT / 4];
        const int used = put_columns(columns, sizeof columns, arity, set, true, 0);
        put_columns(columns, sizeof columns, arity, set, false, used);
        snprintf(sql, sizeof sql, "CREATE INDEX i%d_%u ON f%d(%s)", input, set, input, columns);
        status = run(of, sql, error);
    }
    return status;
}

static nlm_status load_input(join_engine *of, int input, double all, size_t *loaded, nlm_error *error)
{
    const program_predicate *predicate = program_at(of->program, input);
    sqlite3_stmt *insert = NULL;
    int *tuples = NULL;
    size_t count = 0;
    nlm_status status = make_table(of, input, &insert, error);
    if (!status)
        status = sorted_facts(of->world, predicate, &tuples, &count, error);
    for (size_t f = 0; f < count && !status; f++) {
        status = insert_row(of, insert, tuples + f * (size_t)predicate->arity, predicate->arity, error);
        if (++*loaded % ROWS_HEARD == 0)
            tell(of, "storing facts", (double)*loaded, all, *loaded);
    }
    sqlite3_finalize(insert);
    memory_free(tuples);
    return status ? status : make_indexes(of, input, error);
}

static nlm_status load_objects(join_engine *of, nlm_error *error)
{
    sqlite3_stmt *insert = NULL;
    nlm_status status = run(of, "CREATE TABLE o(a INTEGER PRIMARY KEY)", error);
    if (!status &&
        sqlite3_prepare_v2(of->database, "INSERT INTO o VALUES (?)", -1, &insert, NULL) != SQLITE_OK)
        status = engine_error(of, SQLITE_ERROR, error);
    for (int object = 0; object < of->objects && !status; object++)
        status = insert_row(of, insert, &object, 1, error);
    sqlite3_finalize(insert);
    return status;
}

static nlm_status load_all(join_engine *of, nlm_error *error)
{
    char sql[STATEMENT];
    double all = 0;
    size_t loaded = 0;
    for (int i = 0; i < of->program->input_count; i++)
        all += of->joins.table[i].used ? of->joins.table[i].rows : 0;
    snprintf(sql, sizeof sql,
             "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -%d; BEGIN",
             CACHE_KILOBYTES);
    nlm_status status = run(of, sql, error);
    for (int i = 0; i < of->program->input_count && !status; i++)
        if (of->joins.table[i].used)
            status = load_input(of, i, all, &loaded, error);
    if (!status && of->joins.uses_objects)
        status = load_objects(of, error);
    return status ? status : run(of, "COMMIT", error);
}

/* Without a name the file is a temporary one of SQLite's. */
nlm_status engine_load(join_engine *of, const char *database, const engine_listener *listener,
                       nlm_error *error)
{
    file_writer file = {0};
    of->listener = listener ? *listener : (engine_listener){0};
    nlm_status status = database ? file_writer_open(&file, database, error) : NLM_OK;
    if (!status) {
        const int code = sqlite3_open(database ? file.temporary : "", &of->database);
        status = code == SQLITE_OK ? load_all(of, error) : engine_error(of, code, error);
    }
    if (!status && database)
        status = file_writer_commit(&file, error);
    file_writer_abort(&file);
    return status;
}

/* ---- asking ---- */

static const engine_target *asked_target(const join_engine *of)
{
    return &of->target[of->now];
}

/* The rows of the slice that begins at `first`, all if some clause has no slices. */
static void begin_slice(join_engine *of)
{
    const int left = of->objects - of->first;
    const int size = asked_target(of)->query.sliced && of->size < left ? of->size : left;
    sqlite3_reset(of->asked);
    of->found = 0;
    sqlite3_bind_int(of->asked, 1, of->first);
    sqlite3_bind_int(of->asked, 2, of->first + size - 1);
}

nlm_status engine_begin(join_engine *of, int target, nlm_error *error)
{
    sqlite3_finalize(of->asked);
    of->asked = NULL;
    of->now = target;
    of->first = 0;
    of->size = FIRST_SLICE;
    of->rows = 0;
    const int code = sqlite3_prepare_v2(of->database, of->target[target].query.sql, -1, &of->asked, NULL);
    if (code != SQLITE_OK)
        return engine_error(of, code, error);
    begin_slice(of);
    return NLM_OK;
}

/* Whether there is another slice. */
static bool next_slice(join_engine *of)
{
    if (!asked_target(of)->query.sliced || of->objects - of->first <= of->size)
        return false;
    of->first += of->size;
    if (of->found < FEW_ROWS && of->size < of->objects)
        of->size *= 2;
    else if (of->found > MANY_ROWS && of->size > 1)
        of->size /= 2;
    tell(of, "joining", of->first, of->objects, of->rows);
    begin_slice(of);
    return true;
}

nlm_status engine_next(join_engine *of, int *tuple, bool *found, nlm_error *error)
{
    int code;
    do
        code = sqlite3_step(of->asked);
    while (code == SQLITE_DONE && next_slice(of));
    *found = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return engine_error(of, code, error);
    for (int k = 0; k < asked_target(of)->arity && *found; k++)
        tuple[k] = sqlite3_column_int(of->asked, k);
    of->found += *found;
    of->rows += *found;
    return NLM_OK;
}
