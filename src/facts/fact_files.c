/* Sources: files of facts, problem folders, folders of worlds, folders of tables.
 *
 * A folder is a world if it has bk.pl or a table; exs.pl goes with it.  A folder that is none may have worlds
 * as its subfolders, in the order of their names.  bias.pl lies in the folder that was asked for.  In each
 * world bk.pl is read first, then the tables in the order of their names, then exs.pl.  A folder `images`
 * beside these is for models with a sense; whoever asks one reads it. */
#include "facts/fact_files.h"

#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "syntax/atom.h"
#include "facts/bias.h"
#include "facts/datalog.h"
#include "facts/dot.h"
#include "facts/table_columns.h"
#include "facts/folder.h"
#include "facts/json_facts.h"
#include "facts/staging.h"
#include "facts/table.h"

#define MOST_BYTES ((size_t)2 << 30) /* of a file */

/* ---- one file ---- */

static nlm_status read_examples(draft *to, prolog *in, const char *file, nlm_error *error)
{
    prolog_fact fact;
    bool found = true, is_true = true;
    nlm_status status = NLM_OK;
    to->examples = draft_world_at(to, to->world_count - 1)->examples = true;
    while (!status && !(status = prolog_next_example(in, &fact, &is_true, &found, error)) && found) {
        status = draft_add(to, is_true ? DRAFT_TRUE : DRAFT_FALSE, &fact, file, error);
        if (!status)
            draft_at(to, to->last)->example = true;
    }
    return status;
}

static nlm_status read_facts(draft *to, prolog *in, const char *file, nlm_error *error)
{
    prolog_fact head;
    unsigned variables;
    bool found = true;
    nlm_status status = NLM_OK;
    while (!status && !(status = prolog_next_head(in, &head, &variables, &found, error)) && found)
        status = prolog_is(in, ":-") ? datalog_read(to, in, &head, variables, error)
                                     : draft_add(to, DRAFT_FACT, &head, file, error);
    return status;
}

nlm_status fact_files_text(draft *to, bool examples, char *text, size_t size, const char *file,
                           nlm_error *error)
{
    prolog in;
    nlm_status status = prolog_start(&in, text, size, file, error);
    if (!status)
        status = draft_expect(to, in.at, error);
    if (!status)
        status = examples ? read_examples(to, &in, file, error) : read_facts(to, &in, file, error);
    if (!status && in.directives > 0)
        status = notes_add(&to->notes, error, "%.200s:%zu: directives (:- ...) are ignored, there %s %zu",
                           file, in.directive_line, in.directives == 1 ? "is" : "are", in.directives);
    return status;
}

/* A table of facts of a predicate, which the last world has. */
static nlm_status begin_table(draft *to, const char *predicate, size_t length, const char *file,
                              nlm_error *error)
{
    if (atom_check_text(predicate, length, file, NULL) || !atom_is_predicate(predicate, length))
        return message_refuse(error, file, 0,
                              "a predicate cannot have this name: it has '(', '/', a control character, or "
                              "is not UTF-8");
    draft_world *world = draft_world_at(to, to->world_count - 1);
    int number = names_intern(&to->tables, &to->texts, predicate, length, 0);
    return number < 0 ? error_no_memory(error)
                      : draft_append(&world->tables, &world->table_count, number, error);
}

static nlm_status read_table(draft *to, const char *predicate, size_t length, draft_kind kind, bool tabs,
                             char *text, size_t size, const char *file, nlm_error *error)
{
    table in = {0};
    prolog_fact row = {.name = {predicate, length}};
    bool found = true;
    nlm_status status = begin_table(to, predicate, length, file, error);
    if (!status)
        status = table_start(&in, text, size, file, tabs, error);
    if (!status)
        status = draft_expect(to, in.at, error);
    while (!status && !(status = table_next(&in, &row, &found, error)) && found)
        status = draft_add(to, kind, &row, file, error);
    table_free(&in);
    return status;
}

/* A sheet without titles is a table of facts. */
static nlm_status add_sheet_facts(draft *to, const sheet *from, nlm_error *error)
{
    const size_t length = strlen(from->name);
    prolog_fact row = {.name = {from->name, length}};
    nlm_status status = begin_table(to, from->name, length, from->path, error);
    for (size_t r = 0; r < from->rows && !status; r++) {
        status = sheet_fact(from, r, &row, error);
        if (!status)
            status = draft_add(to, DRAFT_FACT, &row, from->path, error);
    }
    return status;
}

/* ---- names of files ---- */

typedef enum entry_kind {
    ENTRY_OTHER,
    ENTRY_FACTS, /* what a world has, in the order in which it is read */
    ENTRY_TABLE,
    ENTRY_EXAMPLES,
    ENTRY_BIAS,
    ENTRY_TEMPLATES, /* for nlm_templates_read */
    ENTRY_IMAGES,    /* a folder of that name */
    ENTRY_FOLDER
} entry_kind;

/* What stands in the folder that a path names, for all its worlds; bits of entry_kind. */
#define BESIDE_WORLDS (1u << ENTRY_BIAS | 1u << ENTRY_TEMPLATES)

/* Whether the first `*length` bytes of a name end so, and are more than that; then they get fewer. */
static bool strip(const char *name, size_t *length, const char *ending)
{
    size_t less = strlen(ending);
    if (*length <= less || memcmp(name + *length - less, ending, less))
        return false;
    *length -= less;
    return true;
}

static entry_kind entry_of(const char *path, const char *name)
{
    static const char *const names[] = {[ENTRY_FACTS] = "bk.pl",
                                        [ENTRY_EXAMPLES] = "exs.pl",
                                        [ENTRY_BIAS] = "bias.pl",
                                        [ENTRY_TEMPLATES] = "templates.pl"};
    size_t length = strlen(name);
    for (entry_kind kind = ENTRY_FACTS; kind <= ENTRY_TEMPLATES; kind++)
        if (names[kind] && !strcmp(name, names[kind]))
            return kind;
    if (name[0] == '.')
        return ENTRY_OTHER;
    if (strip(name, &length, ".csv") || strip(name, &length, ".tsv"))
        return ENTRY_TABLE;
    if (!folder_is(path))
        return ENTRY_OTHER;
    return strcmp(name, "images") ? ENTRY_FOLDER : ENTRY_IMAGES;
}

/* ---- folders ---- */

struct fact_source {
    draft *draft;
    buffer content;      /* of the file that is being read */
    bool for_model;      /* not to learn from */
    columns sheets;      /* of the world that is being read */
    name_table declared; /* predicates of bias.pl, whose tables have no titles */
    bool in_folder;
    nlm_error *error;
};

/* The whole file into `content`, ended by 0. */
static nlm_status read_content(struct fact_source *in, const char *file, bool in_folder, size_t *size)
{
    nlm_status status = in_folder ? file_read_all(file, MOST_BYTES, &in->content, size, in->error)
                                  : file_read_input(file, MOST_BYTES, &in->content, size, in->error);
    if (status)
        return status;
    if (buffer_reserve(&in->content, *size + 1, 1, true))
        return error_no_memory(in->error);
    ((char *)in->content.data)[*size] = '\0';
    return NLM_OK;
}

/* A table whose first row may be titles.  Those that have them wait until all of the world are there. */
static nlm_status read_sheet(struct fact_source *in, const char *name, size_t length, bool tabs, size_t size,
                             const char *file)
{
    const char *copy = text_keep(&in->draft->texts, name, length);
    sheet added;
    if (!copy)
        return error_no_memory(in->error);
    nlm_status status = sheet_read(&added, &in->content, size, file, copy, tabs, in->error);
    const sheet_start start = status ? SHEET_DATA : sheet_starts_with(&added);
    const bool many = added.columns > 2;
    added.has_titles = start == SHEET_TITLES || (start == SHEET_OPEN && !in->in_folder && many);
    if (!status && added.has_titles)
        return columns_add(&in->sheets, &added);
    if (!status && added.rows > 0 && many && !in->in_folder)
        status = message_refuse(in->error, file, sheet_line(&added, 0),
                                "the first row has no titles: a name of it stands in its column again, is a "
                                "number, or is missing; add a row that names the columns");
    if (!status && start == SHEET_OPEN && added.rows > 1 && added.columns > 1)
        status =
            notes_add(&in->draft->notes, in->error,
                      "%.200s:%zu: the first row is read as a fact, like the others; if it is the titles "
                      "of the columns, call the first of them id",
                      file, sheet_line(&added, 0));
    if (!status)
        status = add_sheet_facts(in->draft, &added, in->error);
    sheet_free(&added);
    return status;
}

static nlm_status read_entry(struct fact_source *in, const char *folder_path, const char *name,
                             entry_kind kind)
{
    size_t size, length = strlen(name);
    const char *file = folder_join(&in->draft->texts, folder_path, name);
    if (!file)
        return error_no_memory(in->error);
    nlm_status status = read_content(in, file, true, &size);
    if (status)
        return status;
    char *text = in->content.data;
    if (kind == ENTRY_FACTS || kind == ENTRY_EXAMPLES)
        return fact_files_text(in->draft, kind == ENTRY_EXAMPLES, text, size, file, in->error);
    if (kind == ENTRY_BIAS)
        return bias_read(in->draft, text, size, file, in->error);
    bool tabs = strip(name, &length, ".tsv");
    if (!tabs)
        strip(name, &length, ".csv");
    draft_kind rows = strip(name, &length, ".neg") ? DRAFT_FALSE : DRAFT_FACT;
    if (rows == DRAFT_FALSE || (length == 6 && !memcmp(name, "object", 6)) ||
        names_find(&in->declared, name, length, 0) >= 0)
        return read_table(in->draft, name, length, rows, tabs, text, size, file, in->error);
    return read_sheet(in, name, length, tabs, size, file);
}

/* A folder's entries with what they are. */
struct listing {
    const char *path;
    folder_list folder;
    buffer kinds; /* entry_kind */
};

static entry_kind listing_kind(const struct listing *list, int entry)
{
    return ((const entry_kind *)list->kinds.data)[entry];
}

static void listing_free(struct listing *list)
{
    folder_free(&list->folder);
    buffer_free(&list->kinds);
}

static nlm_status listing_read(struct fact_source *in, struct listing *list, const char *path)
{
    *list = (struct listing){.path = path};
    nlm_status status = folder_read(&list->folder, path, in->error);
    if (!status && buffer_reserve(&list->kinds, (size_t)list->folder.count, sizeof(entry_kind), false))
        status = error_no_memory(in->error);
    for (int i = 0; i < list->folder.count && !status; i++) {
        const char *file = folder_join(&list->folder.texts, path, folder_at(&list->folder, i));
        if (!file)
            status = error_no_memory(in->error);
        else
            ((entry_kind *)list->kinds.data)[i] = entry_of(file, folder_at(&list->folder, i));
    }
    return status;
}

static bool is_world(const struct listing *list)
{
    for (int i = 0; i < list->folder.count; i++)
        if (listing_kind(list, i) == ENTRY_FACTS || listing_kind(list, i) == ENTRY_TABLE)
            return true;
    return false;
}

static nlm_status read_all_of(struct fact_source *in, const struct listing *list, entry_kind kind)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->folder.count && !status; i++)
        if (listing_kind(list, i) == kind)
            status = read_entry(in, list->path, folder_at(&list->folder, i), kind);
    return status;
}

/* One note for all entries that were not read: the kinds that are not among `read`, bits of entry_kind. */
static nlm_status note_others(struct fact_source *in, const struct listing *list, unsigned read)
{
    int count = 0, first = 0;
    for (int i = list->folder.count - 1; i >= 0; i--)
        if (!(read & 1u << listing_kind(list, i))) {
            count++;
            first = i;
        }
    if (count == 0)
        return NLM_OK;
    message_name name = message_cut_text(folder_at(&list->folder, first));
    if (count == 1)
        return notes_add(&in->draft->notes, in->error, "%.200s: %s is ignored", list->path, name.text);
    return notes_add(&in->draft->notes, in->error, "%.200s: %s and %d other entr%s ignored", list->path,
                     name.text, count - 1, count == 2 ? "y are" : "ies are");
}

/* The tables with titles, once they are all there. */
static nlm_status add_sheets(struct fact_source *in)
{
    if (in->sheets.count == 0)
        return NLM_OK;
    if (in->draft->world_count > 1)
        return message_refuse(
            in->error, columns_sheet(&in->sheets, 0)->sheet.path, 1,
            "a table with titles, in one of several worlds: give the folder of each world by "
            "itself, or tables without titles");
    nlm_status status = columns_find(&in->sheets);
    return status ? status : columns_write(&in->sheets);
}

/* `more` are kinds of entries that the caller reads. */
static nlm_status read_world(struct fact_source *in, const struct listing *list, const char *name,
                             unsigned more)
{
    nlm_status status = draft_begin_world(in->draft, name, in->error);
    unsigned read = more | (in->for_model ? 1u << ENTRY_IMAGES : 0);
    for (entry_kind kind = ENTRY_FACTS; kind <= ENTRY_EXAMPLES && !status; kind++) {
        status = read_all_of(in, list, kind);
        if (!status && kind == ENTRY_TABLE)
            status = add_sheets(in);
        read |= 1u << kind;
    }
    if (!status)
        status = datalog_evaluate(in->draft, in->error);
    return status ? status : note_others(in, list, read);
}

/* The subfolders that are worlds. */
static nlm_status read_subfolders(struct fact_source *in, const struct listing *list)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->folder.count && !status; i++) {
        if (listing_kind(list, i) != ENTRY_FOLDER && listing_kind(list, i) != ENTRY_IMAGES)
            continue;
        struct listing below = {0};
        const char *name = folder_at(&list->folder, i);
        const char *path = folder_join(&in->draft->texts, list->path, name);
        status = path ? listing_read(in, &below, path) : error_no_memory(in->error);
        if (!status)
            status = is_world(&below) ? read_world(in, &below, name, 0)
                                      : notes_add(&in->draft->notes, in->error,
                                                  "%.200s has neither bk.pl nor tables and is ignored", path);
        listing_free(&below);
    }
    if (!status && in->draft->world_count == 0)
        return message_refuse(in->error, list->path, 0,
                              "no facts: there is neither bk.pl, nor a table (NAME.csv or NAME.tsv), nor a "
                              "subfolder with one of these");
    return status ? status : note_others(in, list, BESIDE_WORLDS | 1u << ENTRY_FOLDER | 1u << ENTRY_IMAGES);
}

/* The predicates that a bias.pl mentions. */
static nlm_status note_declared(struct fact_source *in, const draft *bias)
{
    for (int p = 0; p < bias->predicates.count; p++) {
        const name_entry *entry = names_at(&bias->predicates, p);
        if (names_intern(&in->declared, &in->draft->texts, entry->text, entry->length, 0) < 0)
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

/* What bias.pl says is concluded, and nothing else of it, not even what is wrong with it. */
static nlm_status read_heads(struct fact_source *in, const struct listing *list)
{
    draft bias;
    struct fact_source from = {.draft = &bias};
    nlm_status status = draft_start(&bias, NULL);
    if (!status)
        status = read_all_of(&from, list, ENTRY_BIAS);
    for (int h = 0; h < bias.head_count && !status; h++) {
        const name_entry *head = names_at(&bias.predicates, ((const int *)bias.heads.data)[h]);
        int number = draft_number(in->draft, head->text, head->length, head->arity);
        if (number < 0)
            status = NLM_NO_MEMORY;
        else
            draft_at(in->draft, number)->head = true;
    }
    if (status != NLM_NO_MEMORY)
        status = note_declared(in, &bias);
    draft_free(&bias);
    buffer_free(&from.content);
    return status == NLM_NO_MEMORY ? error_no_memory(in->error) : NLM_OK;
}

static nlm_status read_folder(struct fact_source *in, const char *path)
{
    struct listing list = {0};
    nlm_status status = staging_check(path, in->error);
    if (!status)
        status = listing_read(in, &list, path);
    if (!status)
        status = in->for_model ? read_heads(in, &list) : read_all_of(in, &list, ENTRY_BIAS);
    if (!status && !in->for_model)
        status = note_declared(in, in->draft);
    if (!status)
        status = is_world(&list) ? read_world(in, &list, "", BESIDE_WORLDS) : read_subfolders(in, &list);
    listing_free(&list);
    return status;
}

/* The name of a path's last component without the ending. */
static const char *name_in(const char *path, size_t *length, bool *tabs)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    *length = strlen(name);
    *tabs = strip(name, length, ".tsv");
    if (!*tabs)
        strip(name, length, ".csv");
    return name;
}

/* What reads a file of facts by its ending; NULL: it is Prolog or a table. */
typedef nlm_status (*text_reader)(draft *, char *, size_t, const char *, nlm_error *);

static text_reader reader_of(const char *name)
{
    static const struct {
        const char *ending;
        text_reader read;
    } forms[] = {
        {".jsonl", json_facts_read},
        {".dot", dot_read},
        {".gv", dot_read},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t length = strlen(name);
        if (strip(name, &length, forms[f].ending))
            return forms[f].read;
    }
    return NULL;
}

static nlm_status read_file(struct fact_source *in, const char *path)
{
    size_t size, length;
    bool standard = !strcmp(path, "-"), tabs;
    const char *file = text_keep(&in->draft->texts, standard ? "<stdin>" : path, standard ? 7 : strlen(path));
    nlm_status status = file ? NLM_OK : error_no_memory(in->error);
    if (!status)
        status = read_content(in, standard ? "/dev/stdin" : path, false, &size);
    if (!status)
        status = draft_begin_world(in->draft, "", in->error);
    if (status)
        return status;
    const char *name = name_in(path, &length, &tabs);
    const text_reader read = reader_of(name);
    if (read)
        return read(in->draft, in->content.data, size, file, in->error);
    if (standard || !name[length]) {
        status = fact_files_text(in->draft, false, in->content.data, size, file, in->error);
        return status ? status : datalog_evaluate(in->draft, in->error);
    }
    status = read_sheet(in, name, length, tabs, size, file);
    return status ? status : add_sheets(in);
}

nlm_status fact_files_read(draft *to, const char *path, const nlm_reading *reading, nlm_error *error)
{
    struct fact_source in = {.draft = to,
                             .for_model = reading->signature,
                             .sheets = {.draft = to, .reading = reading, .error = error},
                             .error = error};
    in.in_folder = strcmp(path, "-") && folder_is(path);
    nlm_status status = in.in_folder ? read_folder(&in, path) : read_file(&in, path);
    columns_free(&in.sheets);
    names_free(&in.declared);
    buffer_free(&in.content);
    return status;
}
