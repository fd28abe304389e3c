/* A parser of maps by descent: maps, map, name. */
#include "engine/table_map.h"

#include <string.h>
#include "base/error.h"
#include "syntax/reading_message.h"

enum { LONGEST_NAME = 256 };

typedef struct map_reader {
    const char *at;
    table_maps *maps;
    nlm_error *error;
} map_reader;

static nlm_status refuse(const map_reader *in, const char *wanted)
{
    if (!*in->at)
        return message_argument(in->error, "the map ends where %s is missing: father=people(id,father_id)",
                                wanted);
    return message_argument(in->error, "in the map, %s is missing before '%s': father=people(id,father_id)",
                            wanted, message_cut_text(in->at).text);
}

static bool skip(map_reader *in, char character)
{
    in->at += strspn(in->at, " ");
    if (*in->at != character)
        return false;
    in->at++;
    return true;
}

static nlm_status read_quoted(map_reader *in, char *name, size_t *length)
{
    for (; *in->at; in->at++) {
        if (*in->at == '"' && *++in->at != '"')
            return NLM_OK;
        if (*length + 1 >= LONGEST_NAME)
            return message_argument(in->error, "a name of the map is longer than %d bytes", LONGEST_NAME - 1);
        name[(*length)++] = *in->at;
    }
    return refuse(in, "a quotation mark");
}

static nlm_status read_name(map_reader *in, const char *wanted, const char **kept)
{
    char name[LONGEST_NAME];
    size_t length = 0;
    nlm_status status = NLM_OK;
    if (skip(in, '"')) {
        status = read_quoted(in, name, &length);
    } else {
        length = strcspn(in->at, " =().,\"\t\n\r");
        if (length >= LONGEST_NAME)
            return message_argument(in->error, "a name of the map is longer than %d bytes", LONGEST_NAME - 1);
        memcpy(name, in->at, length);
        in->at += length;
    }
    if (status)
        return status;
    if (length == 0)
        return refuse(in, wanted);
    *kept = text_keep(&in->maps->texts, name, length);
    return *kept ? NLM_OK : error_no_memory(in->error);
}

static nlm_status read_columns(map_reader *in, table_map *map)
{
    if (!skip(in, '('))
        return refuse(in, "( and the columns");
    do {
        if (map->columns == FORMULA_MOST_ARITY)
            return message_argument(in->error, "%s has more than %d columns in the map",
                                    message_cut_text(map->table).text, FORMULA_MOST_ARITY);
        const nlm_status status = read_name(in, "a column", &map->column[map->columns]);
        if (status)
            return status;
        map->columns++;
    } while (skip(in, ','));
    return skip(in, ')') ? NLM_OK : refuse(in, ")");
}

static nlm_status read_map(map_reader *in)
{
    table_map map = {0};
    nlm_status status = read_name(in, "a predicate", &map.predicate);
    if (!status && !skip(in, '='))
        status = refuse(in, "=");
    if (!status)
        status = read_name(in, "a table", &map.table);
    if (!status && skip(in, '.')) {
        map.schema = map.table;
        status = read_name(in, "a table", &map.table);
    }
    if (!status)
        status = read_columns(in, &map);
    if (status)
        return status;
    if (table_maps_find(in->maps, map.predicate))
        return message_argument(in->error, "%s stands in the map twice",
                                message_cut_text(map.predicate).text);
    if (buffer_reserve(&in->maps->list, (size_t)in->maps->count + 1, sizeof map, true))
        return error_no_memory(in->error);
    ((table_map *)in->maps->list.data)[in->maps->count++] = map;
    return NLM_OK;
}

nlm_status table_maps_parse(const char *text, table_maps *maps, nlm_error *error)
{
    *maps = (table_maps){0};
    map_reader in = {.at = text, .maps = maps, .error = error};
    nlm_status status = NLM_OK;
    do
        status = read_map(&in);
    while (!status && skip(&in, ','));
    if (!status && (skip(&in, ' ') || *in.at))
        status = refuse(&in, "a comma");
    return status;
}

void table_maps_free(table_maps *maps)
{
    text_free(&maps->texts);
    buffer_free(&maps->list);
}

const table_map *table_maps_find(const table_maps *maps, const char *predicate)
{
    for (int m = 0; m < maps->count; m++)
        if (!strcmp(table_maps_at(maps, m)->predicate, predicate))
            return table_maps_at(maps, m);
    return NULL;
}
