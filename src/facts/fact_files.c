/* Files of facts: each form has a reader, which the name of a file tells, or its text. */
#include "facts/fact_files.h"

#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "facts/datalog.h"
#include "facts/dot.h"
#include "facts/fact_source.h"
#include "facts/folder.h"
#include "facts/graphml.h"
#include "facts/json_facts.h"
#include "syntax/atom.h"
#include "syntax/utf16.h"

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

nlm_status fact_source_begin_table(fact_source *in, const char *predicate, size_t length, const char *file)
{
    draft *to = in->draft;
    nlm_error *error = in->error;
    if (atom_check_text(predicate, length, file, NULL) || !atom_is_predicate(predicate, length))
        return message_refuse(error, file, 0,
                              "a predicate cannot have this name: it has '(', '/', a control character, or "
                              "is not UTF-8");
    draft_world *world = draft_world_at(to, to->world_count - 1);
    int number = names_intern(&to->tables, &to->texts, predicate, length, 0);
    return number < 0 ? error_no_memory(error)
                      : draft_append(&world->tables, &world->table_count, number, error);
}

nlm_status fact_source_table(fact_source *in, const char *predicate, size_t length, draft_kind kind,
                             bool tabs, size_t size, const char *file)
{
    table rows = {0};
    prolog_fact row = {.name = {predicate, length}};
    bool found = true;
    nlm_status status = fact_source_begin_table(in, predicate, length, file);
    if (!status)
        status = table_start(&rows, in->content.data, size, file, tabs, in->error);
    if (!status)
        status = draft_expect(in->draft, rows.at, in->error);
    while (!status && !(status = table_next(&rows, &row, &found, in->error)) && found)
        status = draft_add(in->draft, kind, &row, file, in->error);
    table_free(&rows);
    return status;
}

/* ---- forms ---- */

bool fact_name_strip(const char *name, size_t *length, const char *ending)
{
    size_t less = strlen(ending);
    if (*length <= less || memcmp(name + *length - less, ending, less))
        return false;
    *length -= less;
    return true;
}

fact_reader fact_reader_of(const char *name)
{
    static const struct {
        const char *ending;
        fact_reader read;
    } forms[] = {
        {".jsonl", json_facts_read},
        {".dot", dot_read},
        {".gv", dot_read},
        {".graphml", graphml_read},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t length = strlen(name);
        if (fact_name_strip(name, &length, forms[f].ending))
            return forms[f].read;
    }
    return NULL;
}

/* The first line with anything in it. */
static const char *first_line(const char *text, size_t *length)
{
    if (!strncmp(text, "\xEF\xBB\xBF", 3))
        text += 3;
    text += strspn(text, " \t\r\n");
    *length = strcspn(text, "\r\n");
    return text;
}

/* Whether a text without an ending that says so is a table: a separator stands before anything that facts in
 * Prolog's syntax have, a `(` behind a name, a rule, a comment or quotes. */
static bool looks_like_table(const char *text)
{
    size_t length;
    const char *line = first_line(text, &length);
    if (*line == '"')
        return true;
    if (strchr("%':\\", *line) || !strncmp(line, "/*", 2))
        return false;
    for (size_t k = 0; k < length; k++) {
        const bool ends = k + 1 == length || line[k + 1] == ' ';
        if ((line[k] == '(' && k > 0 && line[k - 1] != ' ') || !strncmp(line + k, ":-", 2) ||
            (line[k] == '.' && ends))
            return false;
        if (strchr(",;\t", line[k]))
            return true;
    }
    return false;
}

/* What reads a text without an ending that says so; NULL: Prolog. */
static fact_reader reader_of_text(const char *text)
{
    static const char *const words[] = {"digraph", "graph", "strict"};
    size_t length;
    const char *line = first_line(text, &length);
    if (*line == '{')
        return json_facts_read;
    if (*line == '<')
        return graphml_read;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t word = strlen(words[w]);
        if (!strncmp(line, words[w], word) && strchr(" \t\r\n{\"", line[word]) && line[word])
            return dot_read;
    }
    return NULL;
}

nlm_status fact_source_content(fact_source *in, const char *file, bool in_folder, size_t *size)
{
    nlm_status status = in_folder ? file_read_all(file, MOST_BYTES, &in->content, size, in->error)
                                  : file_read_input(file, MOST_BYTES, &in->content, size, in->error);
    if (!status)
        status = utf16_decode(&in->content, size, file, in->error);
    if (status)
        return status;
    if (buffer_reserve(&in->content, *size + 1, 1, true))
        return error_no_memory(in->error);
    ((char *)in->content.data)[*size] = '\0';
    return NLM_OK;
}

/* ---- a single file ---- */

/* Of a single file: where it was read, what its predicate is called, and how it is read. */
struct single {
    const char *file, *name;
    size_t length; /* of the name */
    bool tabs;
    fact_reader read; /* NULL: a table or Prolog */
    bool is_table;
};

/* The ending of the name says what a file is; without one, as of standard input, its text. */
static void find_form(struct single *of, const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    size_t other;
    of->name = slash ? slash + 1 : path;
    of->length = other = strlen(of->name);
    of->read = fact_reader_of(of->name);
    of->tabs = fact_name_strip(of->name, &of->length, ".tsv");
    of->is_table = of->tabs || fact_name_strip(of->name, &of->length, ".csv");
    if (of->read || of->is_table || fact_name_strip(of->name, &other, ".pl"))
        return;
    of->read = reader_of_text(text);
    of->is_table = !of->read && looks_like_table(text);
    if (!strcmp(path, "-")) {
        of->name = "table";
        of->length = strlen(of->name);
    } else if (strchr(of->name, '.') > of->name) {
        of->length = strcspn(of->name, ".");
    }
}

static nlm_status read_file(fact_source *in, const char *path)
{
    const bool standard = !strcmp(path, "-");
    const char *shown = standard ? "<stdin>" : path;
    struct single of = {.file = text_keep(&in->draft->texts, shown, strlen(shown))};
    size_t size;
    nlm_status status = of.file ? NLM_OK : error_no_memory(in->error);
    if (!status)
        status = fact_source_content(in, standard ? "/dev/stdin" : path, false, &size);
    if (!status)
        status = draft_begin_world(in->draft, "", in->error);
    if (status)
        return status;
    find_form(&of, path, in->content.data);
    if (of.read)
        return of.read(in->draft, in->content.data, size, of.file, in->error);
    if (!of.is_table) {
        status = fact_files_text(in->draft, false, in->content.data, size, of.file, in->error);
        return status ? status : datalog_evaluate(in->draft, in->error);
    }
    status = fact_sheets_add(in, of.name, of.length, of.tabs, size, of.file, 0);
    if (!status)
        status = fact_sheets_find(in, false, false);
    if (!status)
        status = fact_sheets_write_next(in);
    if (!status)
        status = fact_sheets_write_titled(in, 0);
    return status ? status : columns_keep_table(&in->sheets);
}

nlm_status fact_files_read(draft *to, const char *path, const nlm_reading *reading, nlm_error *error)
{
    fact_source in = {.draft = to,
                      .for_model = reading->signature,
                      .sheets = {.draft = to, .reading = reading, .error = error},
                      .error = error};
    in.in_folder = strcmp(path, "-") && folder_is(path);
    nlm_status status = in.in_folder ? fact_folder_read(&in, path) : read_file(&in, path);
    fact_sheets_free(&in);
    names_free(&in.declared);
    buffer_free(&in.content);
    return status;
}
