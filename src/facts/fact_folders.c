/* Folders of a problem.
 *
 * A folder is a world if it has bk.pl, a table, JSON Lines or a graph; exs.pl goes with it.  A folder that
 * has neither bk.pl nor a table may have worlds as its subfolders, in the order of their names.  bias.pl lies
 * in the folder that was asked for.  In each world bk.pl is read first, then JSON Lines and graphs, then
 * tables, each in the order of their names, then exs.pl.  A folder `images` beside these is for models with a
 * sense; whoever asks one reads it.
 *
 * Tables are read twice over: first those of all worlds, to find what their columns mean; their facts join
 * the draft in their turn. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "facts/bias.h"
#include "facts/datalog.h"
#include "facts/fact_files.h"
#include "facts/fact_source.h"
#include "facts/folder.h"
#include "facts/staging.h"

/* ---- names of files ---- */

typedef enum entry_kind {
    ENTRY_OTHER,
    ENTRY_FACTS, /* what a world has, in the order in which it is read */
    ENTRY_FORM,  /* JSON Lines, or a graph */
    ENTRY_TABLE,
    ENTRY_EXAMPLES,
    ENTRY_BIAS,
    ENTRY_TEMPLATES, /* for nlm_templates_read */
    ENTRY_IMAGES,    /* a folder of that name */
    ENTRY_FOLDER
} entry_kind;

/* What stands in the folder that a path names, for all its worlds; bits of entry_kind. */
#define BESIDE_WORLDS (1u << ENTRY_BIAS | 1u << ENTRY_TEMPLATES)

/* Whether JSON Lines are no facts but the log of a run, which may lie beside what it learned from. */
static bool is_log(const char *path, const char *name)
{
    static const char *const begins[] = {"{\"epoch\":", "{\"exam\":"};
    char text[16] = "";
    size_t length = strlen(name);
    if (!fact_name_strip(name, &length, ".jsonl"))
        return false;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    bool found = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins && got > 0; i++)
        found |= !strncmp(text, begins[i], strlen(begins[i]));
    return found;
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
    if (fact_name_strip(name, &length, ".csv") || fact_name_strip(name, &length, ".tsv"))
        return ENTRY_TABLE;
    if (fact_reader_of(name))
        return is_log(path, name) ? ENTRY_OTHER : ENTRY_FORM;
    if (!folder_is(path))
        return ENTRY_OTHER;
    return strcmp(name, "images") ? ENTRY_FOLDER : ENTRY_IMAGES;
}

/* A folder's entries with what they are. */
struct listing {
    const char *path, *name; /* its name as a world */
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

static nlm_status listing_read(fact_source *in, struct listing *list, const char *path)
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

static bool has(const struct listing *list, entry_kind kind)
{
    for (int i = 0; i < list->folder.count; i++)
        if (listing_kind(list, i) == kind)
            return true;
    return false;
}

static bool is_world(const struct listing *list)
{
    return has(list, ENTRY_FACTS) || has(list, ENTRY_TABLE) || has(list, ENTRY_FORM);
}

/* ---- entries ---- */

/* What a table is called, and of which kind its rows are. */
struct table_name {
    size_t length;
    bool tabs, has_titles; /* perhaps */
    draft_kind rows;
};

static struct table_name table_name_of(const fact_source *in, const char *name)
{
    struct table_name of = {.length = strlen(name)};
    of.tabs = fact_name_strip(name, &of.length, ".tsv");
    if (!of.tabs)
        fact_name_strip(name, &of.length, ".csv");
    of.rows = fact_name_strip(name, &of.length, ".neg") ? DRAFT_FALSE : DRAFT_FACT;
    of.has_titles = of.rows == DRAFT_FACT && !(of.length == 6 && !memcmp(name, "object", 6)) &&
                    names_find(&in->declared, name, of.length, 0) < 0;
    return of;
}

static nlm_status read_entry(fact_source *in, const char *folder_path, const char *name, entry_kind kind)
{
    const struct table_name of = table_name_of(in, name);
    size_t size;
    if (kind == ENTRY_TABLE && of.has_titles)
        return fact_sheets_write_next(in); /* in the order in which they were kept */
    const char *file = folder_join(&in->draft->texts, folder_path, name);
    nlm_status status = file ? fact_source_content(in, file, true, &size) : error_no_memory(in->error);
    if (status)
        return status;
    char *text = in->content.data;
    if (kind == ENTRY_FACTS || kind == ENTRY_EXAMPLES)
        return fact_files_text(in->draft, kind == ENTRY_EXAMPLES, text, size, file, in->error);
    if (kind == ENTRY_BIAS)
        return bias_read(in->draft, text, size, file, in->error);
    if (kind == ENTRY_FORM)
        return fact_reader_of(name)(in->draft, text, size, file, in->error);
    return fact_source_table(in, name, of.length, of.rows, of.tabs, size, file);
}

static nlm_status read_all_of(fact_source *in, const struct listing *list, entry_kind kind)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->folder.count && !status; i++)
        if (listing_kind(list, i) == kind)
            status = read_entry(in, list->path, folder_at(&list->folder, i), kind);
    return status;
}

/* One note for all entries that were not read: the kinds that are not among `read`, bits of entry_kind. */
static nlm_status note_others(fact_source *in, const struct listing *list, unsigned read)
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

/* ---- bias.pl ---- */

/* The predicates that a bias.pl mentions. */
static nlm_status note_declared(fact_source *in, const draft *bias)
{
    for (int p = 0; p < bias->predicates.count; p++) {
        const name_entry *entry = names_at(&bias->predicates, p);
        if (names_intern(&in->declared, &in->draft->texts, entry->text, entry->length, 0) < 0)
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

/* What bias.pl says is concluded, and nothing else of it, not even what is wrong with it. */
static nlm_status read_heads(fact_source *in, const struct listing *list)
{
    draft bias;
    fact_source from = {.draft = &bias};
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

/* ---- worlds ---- */

/* The folders that are worlds. */
struct worlds {
    buffer lists; /* struct listing */
    int count;
};

static struct listing *world_at(const struct worlds *of, int world)
{
    return (struct listing *)of->lists.data + world;
}

/* Takes the listing, whatever the status. */
static nlm_status add_world(fact_source *in, struct worlds *to, struct listing *list)
{
    if (buffer_reserve(&to->lists, (size_t)to->count + 1, sizeof *list, true)) {
        listing_free(list);
        return error_no_memory(in->error);
    }
    *world_at(to, to->count++) = *list;
    *list = (struct listing){0};
    return NLM_OK;
}

static void worlds_free(struct worlds *of)
{
    for (int w = 0; w < of->count; w++)
        listing_free(world_at(of, w));
    buffer_free(&of->lists);
}

/* The subfolders that are worlds. */
static nlm_status find_subfolders(fact_source *in, const struct listing *list, struct worlds *found)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->folder.count && !status; i++) {
        if (listing_kind(list, i) != ENTRY_FOLDER && listing_kind(list, i) != ENTRY_IMAGES)
            continue;
        struct listing below = {0};
        const char *path = folder_join(&in->draft->texts, list->path, folder_at(&list->folder, i));
        status = path ? listing_read(in, &below, path) : error_no_memory(in->error);
        below.name = folder_at(&list->folder, i);
        if (!status && is_world(&below))
            status = add_world(in, found, &below);
        else if (!status)
            status = notes_add(&in->draft->notes, in->error,
                               "%.200s has neither bk.pl, nor a table, JSON Lines or a graph, and is ignored",
                               path);
        listing_free(&below);
    }
    return status;
}

/* The tables of all worlds that may have titles. */
static nlm_status find_sheets(fact_source *in, const struct worlds *of)
{
    bool others = false, examples = false;
    nlm_status status = NLM_OK;
    for (int w = 0; w < of->count && !status; w++) {
        const struct listing *list = world_at(of, w);
        others |= has(list, ENTRY_FACTS) || has(list, ENTRY_FORM);
        examples |= has(list, ENTRY_EXAMPLES);
        for (int i = 0; i < list->folder.count && !status; i++) {
            const char *name = folder_at(&list->folder, i);
            const struct table_name of_table = table_name_of(in, name);
            size_t size;
            if (listing_kind(list, i) != ENTRY_TABLE || !of_table.has_titles)
                continue;
            const char *file = folder_join(&in->draft->texts, list->path, name);
            status = file ? fact_source_content(in, file, true, &size) : error_no_memory(in->error);
            if (!status)
                status = fact_sheets_add(in, name, of_table.length, of_table.tabs, size, file, w);
        }
    }
    return status ? status : fact_sheets_find(in, others, examples);
}

/* `more` are kinds of entries that the caller reads. */
static nlm_status read_world(fact_source *in, const struct listing *list, int world, unsigned more)
{
    nlm_status status = draft_begin_world(in->draft, list->name, in->error);
    unsigned read = more | (in->for_model ? 1u << ENTRY_IMAGES : 0);
    for (entry_kind kind = ENTRY_FACTS; kind <= ENTRY_EXAMPLES && !status; kind++) {
        status = read_all_of(in, list, kind);
        if (!status && kind == ENTRY_TABLE)
            status = fact_sheets_write_titled(in, world);
        read |= 1u << kind;
    }
    if (!status)
        status = datalog_evaluate(in->draft, in->error);
    return status ? status : note_others(in, list, read);
}

static nlm_status read_worlds(fact_source *in, const struct worlds *of, unsigned more)
{
    nlm_status status = find_sheets(in, of);
    for (int w = 0; w < of->count && !status; w++)
        status = read_world(in, world_at(of, w), w, more);
    return status;
}

/* Graphs and JSON Lines beside subfolders that are worlds are read only if there is no such subfolder. */
static nlm_status find_worlds(fact_source *in, struct listing *list, struct worlds *found, bool *below)
{
    *below = !has(list, ENTRY_FACTS) && !has(list, ENTRY_TABLE);
    nlm_status status = *below ? find_subfolders(in, list, found) : NLM_OK;
    if (status || found->count > 0)
        return status;
    *below = false;
    list->name = "";
    return is_world(list) ? NLM_OK
                          : message_refuse(in->error, list->path, 0,
                                           "no facts: there is neither bk.pl, nor a table (NAME.csv or "
                                           "NAME.tsv), JSON Lines (NAME.jsonl), a graph (NAME.dot or "
                                           "NAME.graphml), nor a subfolder with one of these");
}

nlm_status fact_folder_read(fact_source *in, const char *path)
{
    struct listing list = {0};
    struct worlds worlds = {0};
    bool below = false;
    nlm_status status = staging_check(path, in->error);
    if (!status)
        status = listing_read(in, &list, path);
    if (!status)
        status = in->for_model ? read_heads(in, &list) : read_all_of(in, &list, ENTRY_BIAS);
    if (!status && !in->for_model)
        status = note_declared(in, in->draft);
    if (!status)
        status = find_worlds(in, &list, &worlds, &below);
    if (!status && below) {
        status = read_worlds(in, &worlds, 0);
        if (!status)
            status = note_others(in, &list, BESIDE_WORLDS | 1u << ENTRY_FOLDER | 1u << ENTRY_IMAGES);
    } else if (!status && !(status = add_world(in, &worlds, &list)))
        status = read_worlds(in, &worlds, BESIDE_WORLDS);
    worlds_free(&worlds);
    listing_free(&list);
    return status;
}
