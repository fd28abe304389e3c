/* Maps of predicates to tables of a database: what is read has names, and written again it reads the same. */
#include "fuzz.h"
#include "engine/table_map.h"

static void put_name(FILE *to, const char *name)
{
    fputc('"', to);
    for (; *name; name++)
        fprintf(to, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', to);
}

static char *written(const table_maps *maps)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    require(to != NULL);
    for (int m = 0; m < maps->count; m++) {
        const table_map *map = table_maps_at(maps, m);
        fputs(m ? "," : "", to);
        put_name(to, map->predicate);
        fputc('=', to);
        if (map->schema) {
            put_name(to, map->schema);
            fputc('.', to);
        }
        put_name(to, map->table);
        for (int k = 0; k < map->columns; k++) {
            fputc(k ? ',' : '(', to);
            put_name(to, map->column[k]);
        }
        fputc(')', to);
    }
    fclose(to);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    table_maps maps, again;
    nlm_error error = {0};
    if (table_maps_parse(text, &maps, &error) == NLM_OK) {
        char *first = written(&maps);
        require(maps.count > 0);
        require(table_maps_parse(first, &again, &error) == NLM_OK);
        char *second = written(&again);
        require(strcmp(first, second) == 0);
        free(first);
        free(second);
        table_maps_free(&again);
    } else {
        require(*error.message);
        check_line(error.message);
    }
    table_maps_free(&maps);
    free(text);
    return 0;
}
