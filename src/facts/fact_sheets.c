/* Tables of a problem whose first row may be titles: they wait until those of all worlds are there, since a
 * column means the same in each. */
#include <string.h>
#include "base/error.h"
#include "facts/fact_source.h"
#include "syntax/atom.h"

static waiting_sheet *waiting_at(const fact_source *in, int number)
{
    return (waiting_sheet *)in->waiting.data + number;
}

nlm_status fact_sheets_add(fact_source *in, const char *name, size_t length, bool tabs, size_t size,
                           const char *file, int world)
{
    const char *copy = text_keep(&in->draft->texts, name, length);
    if (!copy || buffer_reserve(&in->waiting, (size_t)in->waiting_count + 1, sizeof(waiting_sheet), true))
        return error_no_memory(in->error);
    waiting_sheet *added = waiting_at(in, in->waiting_count++);
    *added = (waiting_sheet){.world = world};
    return sheet_read(&added->sheet, &in->content, size, file, copy, tabs, in->error);
}

/* ---- titles ---- */

/* Whether two tables begin with the same row. */
static bool begins_as(const sheet *one, const sheet *other)
{
    if (one->rows == 0 || other->rows == 0 || one->columns != other->columns)
        return false;
    for (int c = 0; c < one->columns; c++) {
        const prolog_name a = sheet_cell(one, 0, c), b = sheet_cell(other, 0, c);
        if (a.length != b.length || memcmp(a.text, b.text, a.length))
            return false;
    }
    return true;
}

/* The first table of each name that has titles by itself. */
struct titled {
    name_table names;
    buffer first; /* int: its number among those that wait */
};

static nlm_status find_titled(const fact_source *in, struct titled *found)
{
    for (int w = 0; w < in->waiting_count; w++) {
        const waiting_sheet *of = waiting_at(in, w);
        const int before = found->names.count;
        if (of->starts != SHEET_TITLES)
            continue;
        if (names_intern(&found->names, &in->draft->texts, of->sheet.name, strlen(of->sheet.name), 0) < 0 ||
            buffer_reserve(&found->first, (size_t)before + 1, sizeof(int), true))
            return error_no_memory(in->error);
        if (found->names.count > before)
            ((int *)found->first.data)[before] = w;
    }
    return NLM_OK;
}

/* Whether the first row is titles: by itself, or since the table of another world begins with it and has
 * titles.  What may be either is noted or refused. */
static nlm_status decide(fact_source *in, waiting_sheet *of, const struct titled *titled)
{
    const sheet *from = &of->sheet;
    const int known = names_find(&titled->names, from->name, strlen(from->name), 0);
    const waiting_sheet *other = known < 0 ? NULL : waiting_at(in, ((const int *)titled->first.data)[known]);
    const bool many = from->columns > 2, alike = other && begins_as(from, &other->sheet);
    of->has_titles =
        of->starts == SHEET_TITLES || (of->starts == SHEET_OPEN && (in->in_folder ? alike : many));
    if (!in->in_folder && from->rows <= (size_t)of->has_titles)
        return message_refuse(in->error, from->path, 0,
                              of->has_titles
                                  ? "no row stands below the titles: add a row for each object"
                                  : "the table is empty: it has a row that names the columns, and a "
                                    "row for each object");
    if (of->has_titles || from->rows == 0)
        return NLM_OK;
    if (other && other->world != of->world)
        return message_refuse(in->error, from->path, sheet_line(from, 0),
                              "the first row names no columns, as that of %.200s does: the tables of several "
                              "worlds have the same columns; add the row",
                              other->sheet.path);
    if (many && !in->in_folder)
        return message_refuse(in->error, from->path, sheet_line(from, 0),
                              "the first row has no titles: a name of it stands in its column again, is a "
                              "number, or most are missing; add a row that names the columns, or remove "
                              "what stands above it");
    return of->starts == SHEET_OPEN && from->rows > 1 && from->columns > 1
               ? notes_add(&in->draft->notes, in->error,
                           "%.200s:%zu: the first row is read as a fact, like the others; if it is the "
                           "titles of the columns, call the first of them id",
                           from->path, sheet_line(from, 0))
               : NLM_OK;
}

static nlm_status find_titles(fact_source *in)
{
    struct titled titled = {0};
    for (int w = 0; w < in->waiting_count; w++)
        waiting_at(in, w)->starts = sheet_starts_with(&waiting_at(in, w)->sheet);
    nlm_status status = find_titled(in, &titled);
    for (int w = 0; w < in->waiting_count && !status; w++)
        status = decide(in, waiting_at(in, w), &titled);
    names_free(&titled.names);
    buffer_free(&titled.first);
    return status;
}

nlm_status fact_sheets_find(fact_source *in, bool others, bool examples)
{
    nlm_status status = find_titles(in);
    for (int w = 0; w < in->waiting_count && !status; w++) {
        waiting_sheet *of = waiting_at(in, w);
        others |= !of->has_titles && of->sheet.rows > 0;
        if (of->has_titles)
            status = columns_add(&in->sheets, &of->sheet, of->world);
    }
    in->sheets.others = others;
    in->sheets.examples = examples;
    return status || in->sheets.count == 0 ? status : columns_find(&in->sheets);
}

/* ---- facts ---- */

/* A table without titles. */
static nlm_status add_facts(fact_source *in, const sheet *from)
{
    const size_t length = strlen(from->name);
    prolog_fact row = {.name = {from->name, length}};
    nlm_status status = fact_source_begin_table(in, from->name, length, from->path);
    for (size_t r = 0; r < from->rows && !status; r++) {
        status = sheet_fact(from, r, &row, in->error);
        if (!status)
            status = draft_add(in->draft, DRAFT_FACT, &row, from->path, in->error);
    }
    return status;
}

nlm_status fact_sheets_write_next(fact_source *in)
{
    waiting_sheet *of = waiting_at(in, in->written_count++);
    nlm_status status = of->has_titles ? NLM_OK : add_facts(in, &of->sheet);
    sheet_free(&of->sheet);
    return status;
}

nlm_status fact_sheets_write_titled(fact_source *in, int world)
{
    return columns_write(&in->sheets, world);
}

void fact_sheets_free(fact_source *in)
{
    for (int w = 0; w < in->waiting_count; w++)
        sheet_free(&waiting_at(in, w)->sheet);
    buffer_free(&in->waiting);
    in->waiting_count = 0;
    columns_free(&in->sheets);
}
