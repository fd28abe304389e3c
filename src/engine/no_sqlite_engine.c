/* In place of the engine of joins, where the library is built without SQLite. */
#include "base/error.h"
#include "engine/engine.h"

bool nlm_engine_is_built(nlm_engine engine)
{
    return engine != NLM_ENGINE_SQLITE;
}

nlm_status engine_new(const nlm_program *program, const nlm_world *world, join_engine **made,
                      nlm_error *error)
{
    (void)program;
    (void)world;
    *made = NULL;
    return error_set(error, NLM_BAD_ARGUMENT,
                     "this build has no engine of joins: it was made without SQLite");
}

void engine_free(join_engine *of)
{
    (void)of;
}

double engine_rows(const join_engine *of, const char **worst)
{
    (void)of;
    *worst = "";
    return 0;
}

nlm_status engine_load(join_engine *of, const char *database, const engine_listener *listener,
                       nlm_error *error)
{
    (void)database;
    (void)listener;
    return engine_begin(of, 0, error);
}

nlm_status engine_begin(join_engine *of, int target, nlm_error *error)
{
    (void)target;
    return engine_next(of, NULL, NULL, error);
}

nlm_status engine_next(join_engine *of, int *tuple, bool *found, nlm_error *error)
{
    join_engine *none;
    (void)of;
    (void)tuple;
    (void)found;
    return engine_new(NULL, NULL, &none, error);
}
