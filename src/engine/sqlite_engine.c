/* The engine of joins on SQLite.
 *
 * Facts are sorted arrays that SQLite looks rows up in (facts_table.h).  In a file they are tables with their
 * rows in the order of the primary key, which are the columns in their order: sorted, each is appended.  A
 * set of columns that is looked up there and is no beginning of that order gets an index with all columns.
 * The file is written once, without journal, and renamed when it is whole. */
#include "engine/engine.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "engine/facts_table.h"
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
    facts_table *facts; /* of each input, where they are in memory */
    sqlite3 *database;
    engine_listener listener;
    double all; /* facts that will be stored */
    /* The target that is asked for. */
    sqlite3_stmt *asked;
    int now, first, size;   /* the slice: objects from `first` on */
    buffer answers;         /* int: the rows of a slice, sorted */
    size_t read, found, at; /* rows that came, that are different, the next */
    bool is_read;
    size_t rows; /* in all slices */
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
    for (int i = 0; of->facts && i < of->program->input_count; i++)
        facts_table_free(&of->facts[i]);
    memory_free(of->facts);
    for (int t = 0; t < of->program->target_count; t++)
        free(of->target[t].query.sql);
    joins_close(&of->joins);
    buffer_free(&of->answers);
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

static nlm_status store_input(join_engine *of, int input, const int *tuples, size_t count, size_t *loaded,
                              nlm_error *error)
{
    const program_predicate *predicate = program_at(of->program, input);
    sqlite3_stmt *insert = NULL;
    nlm_status status = make_table(of, input, &insert, error);
    for (size_t f = 0; f < count && !status; f++) {
        status = insert_row(of, insert, tuples + f * (size_t)predicate->arity, predicate->arity, error);
        if (++*loaded % ROWS_HEARD == 0)
            tell(of, "storing facts", (double)*loaded, of->all, *loaded);
    }
    sqlite3_finalize(insert);
    return status ? status : make_indexes(of, input, error);
}

/* Without a file the facts stay where they are. */
static nlm_status keep_input(join_engine *of, int input, int *tuples, size_t count, nlm_error *error)
{
    char sql[STATEMENT];
    uint32_t columns = 0;
    const int arity = program_at(of->program, input)->arity;
    for (uint32_t set = 0; set < 32; set++)
        columns |= of->joins.table[input].lookups >> set & 1 ? set : 0;
    nlm_status status =
        facts_table_make(&of->facts[input], tuples, count, arity, of->objects, columns, error);
    snprintf(sql, sizeof sql, "CREATE VIRTUAL TABLE f%d USING nlm_facts(%d)", input, input);
    return status ? status : run(of, sql, error);
}

static nlm_status load_input(join_engine *of, int input, size_t *loaded, nlm_error *error)
{
    int *tuples = NULL;
    size_t count = 0;
    nlm_status status = sorted_facts(of->world, program_at(of->program, input), &tuples, &count, error);
    if (!status && of->facts)
        return keep_input(of, input, tuples, count, error);
    if (!status)
        status = store_input(of, input, tuples, count, loaded, error);
    memory_free(tuples);
    return status;
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
    size_t loaded = 0;
    of->all = 0;
    for (int i = 0; i < of->program->input_count; i++)
        of->all += of->joins.table[i].used ? of->joins.table[i].rows : 0;
    snprintf(sql, sizeof sql,
             "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -%d; BEGIN",
             CACHE_KILOBYTES);
    nlm_status status = run(of, sql, error);
    for (int i = 0; i < of->program->input_count && !status; i++)
        if (of->joins.table[i].used)
            status = load_input(of, i, &loaded, error);
    if (!status && of->joins.uses_objects)
        status = load_objects(of, error);
    return status ? status : run(of, "COMMIT", error);
}

/* Without a name the file is a temporary one, for what SQLite sorts. */
nlm_status engine_load(join_engine *of, const char *database, const engine_listener *listener,
                       nlm_error *error)
{
    file_writer file = {0};
    of->listener = listener ? *listener : (engine_listener){0};
    nlm_status status = database ? file_writer_open(&file, database, error) : NLM_OK;
    if (!status) {
        const int code =
            sqlite3_open_v2(database ? file.temporary : "", &of->database,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
        status = code == SQLITE_OK ? NLM_OK : engine_error(of, code, error);
    }
    if (!status && !database) {
        of->facts = memory_new((size_t)of->program->input_count + 1, sizeof *of->facts);
        if (!of->facts || facts_table_register(of->database, of->facts) != SQLITE_OK)
            status = error_no_memory(error);
    }
    if (!status)
        status = load_all(of, error);
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
    of->found = of->at = 0;
    of->is_read = false;
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

/* ---- the rows of a slice ---- */

#define COMPARE(arity)                                                                                       \
    static int compare_##arity(const void *a, const void *b)                                                 \
    {                                                                                                        \
        return tuple_compare(a, b, arity);                                                                   \
    }
COMPARE(1)
COMPARE(2)
COMPARE(3)
COMPARE(4)
COMPARE(5)

/* Sorted, and each once. */
static void sort_rows(int *rows, size_t *count, int arity)
{
    static int (*const compare[])(const void *, const void *) = {NULL,      compare_1, compare_2,
                                                                 compare_3, compare_4, compare_5};
    const size_t width = (size_t)arity;
    size_t kept = 0;
    if (arity > 0 && *count > 1)
        qsort(rows, *count, width * sizeof *rows, compare[arity]);
    for (size_t r = 0; r < *count; r++)
        if (kept == 0 || tuple_compare(rows + (kept - 1) * width, rows + r * width, arity) != 0)
            memmove(rows + kept++ * width, rows + r * width, width * sizeof *rows);
    *count = kept;
}

static nlm_status read_slice(join_engine *of, nlm_error *error)
{
    const int arity = asked_target(of)->arity;
    int code;
    while ((code = sqlite3_step(of->asked)) == SQLITE_ROW) {
        if (buffer_reserve(&of->answers, (of->found + 1) * (size_t)arity + 1, sizeof(int), true))
            return error_no_memory(error);
        int *row = (int *)of->answers.data + of->found++ * (size_t)arity;
        for (int k = 0; k < arity; k++)
            row[k] = sqlite3_column_int(of->asked, k);
    }
    if (code != SQLITE_DONE)
        return engine_error(of, code, error);
    of->read = of->found;
    sort_rows(of->answers.data, &of->found, arity);
    return NLM_OK;
}

/* Whether there is another slice. */
static bool next_slice(join_engine *of)
{
    if (of->objects - of->first <= of->size)
        return false;
    of->first += of->size;
    if (of->read < FEW_ROWS && of->size < of->objects)
        of->size *= 2;
    else if (of->read > MANY_ROWS && of->size > 1)
        of->size /= 2;
    tell(of, "joining", of->first, of->objects, of->rows);
    begin_slice(of);
    return true;
}

/* Rows that SQLite has sorted. */
static nlm_status next_row(join_engine *of, int *tuple, bool *found, nlm_error *error)
{
    const int code = sqlite3_step(of->asked);
    *found = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return engine_error(of, code, error);
    for (int k = 0; k < asked_target(of)->arity && *found; k++)
        tuple[k] = sqlite3_column_int(of->asked, k);
    return NLM_OK;
}

nlm_status engine_next(join_engine *of, int *tuple, bool *found, nlm_error *error)
{
    const size_t arity = (size_t)asked_target(of)->arity;
    nlm_status status = NLM_OK;
    if (!asked_target(of)->query.sliced)
        return next_row(of, tuple, found, error);
    if (!of->is_read) {
        status = read_slice(of, error);
        of->is_read = true;
    }
    while (!status && of->at == of->found && next_slice(of)) {
        status = read_slice(of, error);
        of->is_read = true;
    }
    *found = !status && of->at < of->found;
    if (*found) {
        memcpy(tuple, (const int *)of->answers.data + of->at++ * arity, arity * sizeof *tuple);
        of->rows++;
    }
    return status;
}
