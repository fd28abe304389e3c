/* Sheets as facts and labels of a draft. */
#include "facts/table_columns.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/line.h"
#include "syntax/atom.h"

enum { SHOWN_VALUES = 3, FACTS_SIZE = 240 };

/* The objects that a row is about. */
typedef struct subject {
    int count;
    int column[PROLOG_MOST_ARGUMENTS];
} subject;

static prolog_name text_name(const char *text)
{
    return (prolog_name){text, strlen(text)};
}

static subject subject_of(const columned *of)
{
    subject about = {0};
    if (of->key >= 0)
        return (subject){1, {of->key}};
    for (int c = 0; c < of->sheet.columns && about.count < PROLOG_MOST_ARGUMENTS; c++)
        if (columns_at(of, c)->kind == NLM_COLUMN_OBJECTS)
            about.column[about.count++] = c;
    return about;
}

/* ---- predicates ---- */

/* The predicate of an arity, with the types of the first places. */
static nlm_status declare(columns *in, const columned *of, const subject *about, const char *name, int arity,
                          const char *last, draft_predicate **predicate)
{
    draft *to = in->draft;
    const int number = draft_number(to, name, strlen(name), arity);
    if (number < 0)
        return error_no_memory(in->error);
    *predicate = draft_at(to, number);
    for (int k = 0; k < arity && in->typed; k++) {
        const char *type = k < about->count ? columns_at(of, about->column[k])->type : last;
        if (!type) /* a constant or a number */
            type = columns_at(of, about->column[0])->type;
        const int known = names_intern(&to->types, &to->texts, type, strlen(type), 0);
        if (known < 0)
            return error_no_memory(in->error);
        (*predicate)->typed = true;
        (*predicate)->type[k] = known;
    }
    return NLM_OK;
}

/* Everything that facts of a column need to be understood. */
static nlm_status declare_column(columns *in, const columned *of, const subject *about, int c)
{
    const column *at = columns_at(of, c);
    const int arity = about->count + (at->kind != NLM_COLUMN_TRUTH);
    draft_predicate *predicate;
    if (arity > NLM_MAX_FACT_ARITY)
        return message_refuse(in->error, of->sheet.path, sheet_line(&of->sheet, 0),
                              "%s is about %d objects in a row: at most %d columns of objects are supported "
                              "beside it; leave some out with --columns NAME=ignore",
                              message_cut_text(at->title).text, about->count, NLM_MAX_FACT_ARITY - 1);
    nlm_status status = declare(in, of, about, at->predicate, arity, at->type, &predicate);
    if (status)
        return status;
    if (at->kind == NLM_COLUMN_CONSTANTS)
        predicate->constants |= 1u << about->count;
    if (at->kind == NLM_COLUMN_NUMBER)
        predicate->numbers = 1;
    if (at->is_target && !in->reading->target_count && !in->reading->signature && !predicate->head) {
        predicate->head = true;
        status =
            draft_append(&in->draft->heads, &in->draft->head_count,
                         draft_number(in->draft, at->predicate, strlen(at->predicate), arity), in->error);
    }
    return status;
}

/* ---- rows ---- */

static nlm_status add_object(columns *in, const columned *of, size_t row)
{
    const column *key = columns_at(of, of->key);
    prolog_fact fact = {.name = text_name("object"),
                        .arity = in->typed ? 2 : 1,
                        .argument = {sheet_cell(&of->sheet, row, of->key)},
                        .line = sheet_line(&of->sheet, row)};
    if (in->typed)
        fact.argument[1] = text_name(key->type);
    return draft_add(in->draft, DRAFT_FACT, &fact, columns_part_of(of, row)->path, in->error);
}

/* A value that is one of few; of a target, the others are false. */
static nlm_status add_value(columns *in, const char *path, const column *at, prolog_fact *fact)
{
    const int last = fact->arity - 1;
    const prolog_name value = fact->argument[last];
    nlm_status status = draft_add(in->draft, DRAFT_FACT, fact, path, in->error);
    for (int v = 0; v < at->values.count && at->is_target && !status; v++) {
        const name_entry *other = names_at(&at->values, v);
        if (other->length == value.length && !memcmp(other->text, value.text, value.length))
            continue;
        fact->argument[last] = (prolog_name){other->text, other->length};
        status = draft_add(in->draft, DRAFT_FALSE, fact, path, in->error);
    }
    return status;
}

static nlm_status add_cell(columns *in, const columned *of, const prolog_fact *about, size_t row, int c)
{
    const column *at = columns_at(of, c);
    const char *path = columns_part_of(of, row)->path;
    char space[COLUMNS_CELL];
    const prolog_name cell = columns_value(of, row, c, space);
    prolog_fact fact = *about;
    fact.name = text_name(at->predicate);
    if (cell.length == 0)
        return NLM_OK;
    if (at->kind != NLM_COLUMN_TRUTH) {
        fact.argument[fact.arity++] = cell;
        return at->kind == NLM_COLUMN_CONSTANTS ? add_value(in, path, at, &fact)
                                                : draft_add(in->draft, DRAFT_FACT, &fact, path, in->error);
    }
    if (columns_truth(cell) == 1)
        return draft_add(in->draft, DRAFT_FACT, &fact, path, in->error);
    return at->is_target ? draft_add(in->draft, DRAFT_FALSE, &fact, path, in->error) : NLM_OK;
}

/* Whether a column has facts of its own. */
static bool has_facts(const columned *of, int c)
{
    const nlm_column_kind kind = columns_at(of, c)->kind;
    return kind != NLM_COLUMN_IGNORED && kind != NLM_COLUMN_KEY &&
           (of->key >= 0 || kind != NLM_COLUMN_OBJECTS);
}

static nlm_status add_row(columns *in, const columned *of, const subject *about, size_t row, size_t *skipped)
{
    prolog_fact fact = {.arity = about->count, .line = sheet_line(&of->sheet, row)};
    char space[COLUMNS_CELL]; /* names are not changed, and stay in the sheet */
    for (int k = 0; k < about->count; k++) {
        fact.argument[k] = columns_value(of, row, about->column[k], space);
        if (fact.argument[k].length == 0) {
            ++*skipped;
            return NLM_OK;
        }
    }
    nlm_status status = NLM_OK;
    if (of->key >= 0) {
        status = add_object(in, of, row);
    } else {
        fact.name = text_name(of->relation);
        status = draft_add(in->draft, DRAFT_FACT, &fact, columns_part_of(of, row)->path, in->error);
    }
    for (int c = 0; c < of->sheet.columns && !status; c++)
        if (has_facts(of, c))
            status = add_cell(in, of, &fact, row, c);
    return status;
}

/* ---- what a person is told ---- */

/* "department(person,it), department(person,hr), ..." */
static nlm_status describe(columns *in, const columned *of, const subject *about, int c)
{
    const column *at = columns_at(of, c);
    char text[FACTS_SIZE], about_text[FACTS_SIZE];
    line_space subjects = line_start(about_text, sizeof about_text), out = line_start(text, sizeof text);
    for (int k = 0; k < about->count; k++) {
        line_add_text(&subjects, k ? "," : "");
        line_add_text(&subjects, columns_at(of, about->column[k])->predicate);
    }
    line_end(&subjects);
    const bool one = at->kind == NLM_COLUMN_CONSTANTS;
    for (int v = 0; v < at->values.count && v <= SHOWN_VALUES && one; v++) {
        char value[FACTS_SIZE];
        const message_name cut = message_cut_text(names_at(&at->values, v)->text);
        atom_text(cut.text, value, sizeof value);
        line_add_text(&out, v ? ", " : "");
        line_add_text(&out, v == SHOWN_VALUES ? "..." : at->predicate);
        if (v == SHOWN_VALUES)
            break;
        line_add_text(&out, "(");
        line_add_text(&out, about_text);
        line_add_text(&out, ",");
        line_add_text(&out, value);
        line_add_text(&out, ")");
    }
    if (at->kind == NLM_COLUMN_IGNORED) {
        line_add_text(&out, at->reason);
    } else if (at->kind == NLM_COLUMN_KEY) {
        line_add_text(&out, "the objects");
    } else if (!one) {
        const bool pair = of->key < 0 && at->kind == NLM_COLUMN_OBJECTS;
        line_add_text(&out, pair ? of->relation : at->predicate);
        line_add_text(&out, "(");
        line_add_text(&out, about_text);
        line_add_text(&out, at->kind == NLM_COLUMN_NUMBER          ? ",V"
                            : at->kind == NLM_COLUMN_TRUTH || pair ? ""
                                                                   : ",");
        line_add_text(&out, at->kind == NLM_COLUMN_OBJECTS && !pair ? at->title : "");
        line_add_text(&out, ")");
        line_add_text(&out, at->kind == NLM_COLUMN_NUMBER ? columns_form_text(at->form) : "");
    }
    line_end(&out);
    draft *to = in->draft;
    const char *kept = text_keep(&to->texts, text, strlen(text));
    const char *shown = of->sheet.path;
    if (of->part_count > 1) {
        snprintf(text, sizeof text, "%.180s and %d more", shown, of->part_count - 1);
        shown = text_keep(&to->texts, text, strlen(text));
    }
    if (!kept || !shown ||
        buffer_reserve(&to->columns, (size_t)to->column_count + 1, sizeof(nlm_table_column), true))
        return error_no_memory(in->error);
    ((nlm_table_column *)to->columns.data)[to->column_count++] =
        (nlm_table_column){.table = shown,
                           .name = at->title,
                           .kind = at->kind,
                           .word = columns_word(at->kind),
                           .facts = kept,
                           .rows = of->sheet.rows - 1,
                           .blanks = at->blanks,
                           .values = (size_t)at->values.count,
                           .is_target = at->is_target,
                           .may_be_target = at->kind == NLM_COLUMN_TRUTH || at->kind == NLM_COLUMN_CONSTANTS};
    return NLM_OK;
}

/* Names of rows that are not there: objects of which nothing else is known. */
static nlm_status note_strangers(columns *in, const columned *of, int c)
{
    const column *at = columns_at(of, c);
    if (at->kind != NLM_COLUMN_OBJECTS || at->refers < 0)
        return NLM_OK;
    const columned *to = columns_sheet(in, at->refers);
    int count = 0, first = 0;
    for (int v = at->values.count - 1; v >= 0; v--) {
        const name_entry *value = names_at(&at->values, v);
        if (names_find(&columns_at(to, to->key)->values, value->text, value->length, 0) < 0) {
            count++;
            first = v;
        }
    }
    return count == 0
               ? NLM_OK
               : notes_add(
                     &in->draft->notes, in->error,
                     "%.200s: %s names %d that %s no row, the first is %s: nothing else is known of "
                     "%s",
                     of->sheet.path, message_cut_text(at->title).text, count, count == 1 ? "has" : "have",
                     message_cut_text(names_at(&at->values, first)->text).text, count == 1 ? "it" : "them");
}

/* Words that say that a value is not known. */
static nlm_status note_missing(columns *in, const columned *of)
{
    size_t count = 0;
    char shown[COLUMNS_CELL] = "";
    for (int c = 0; c < of->sheet.columns; c++) {
        const column *at = columns_at(of, c);
        char space[COLUMNS_CELL];
        count += at->missing;
        for (size_t row = 1; row < of->sheet.rows && at->missing > 0 && !*shown; row++) {
            const prolog_name cell = sheet_cell(&of->sheet, row, c);
            if (cell.length > 0 && columns_value(of, row, c, space).length == 0)
                snprintf(shown, sizeof shown, "%.8s", message_cut(cell.text, cell.length).text);
        }
    }
    return count == 0
               ? NLM_OK
               : notes_add(&in->draft->notes, in->error,
                           "%.200s: %zu field%s such as %s %s read as empty: not known; a word in double "
                           "quotes is a value",
                           of->sheet.path, count, count == 1 ? "" : "s", shown, count == 1 ? "is" : "are");
}

/* ---- all of it ---- */

/* What all worlds have in common. */
static nlm_status write_columns(columns *in, const columned *of, const subject *about)
{
    draft_predicate *relation;
    nlm_status status = NLM_OK;
    if (about->count == 0)
        return message_refuse(
            in->error, of->sheet.path, sheet_line(&of->sheet, 0),
            "no column names the rows, or objects: add one with a name for each row, or say "
            "which it is with --columns NAME=key");
    if (of->key < 0)
        status = declare(in, of, about, of->relation, about->count, NULL, &relation);
    for (int c = 0; c < of->sheet.columns && !status; c++)
        if (has_facts(of, c))
            status = declare_column(in, of, about, c);
    for (int c = 0; c < of->sheet.columns && !status; c++) {
        status = describe(in, of, about, c);
        if (!status)
            status = note_strangers(in, of, c);
    }
    return status ? status : note_missing(in, of);
}

static nlm_status write_part(columns *in, const columned *of, const columns_part *part)
{
    const subject about = subject_of(of);
    size_t skipped = 0;
    nlm_status status = NLM_OK;
    for (size_t row = part->begin; row < part->end && !status; row++)
        status = add_row(in, of, &about, row, &skipped);
    if (!status && skipped > 0)
        status = notes_add(&in->draft->notes, in->error,
                           "%.200s: %zu row%s, in which an object is missing, %s ignored", part->path,
                           skipped, skipped == 1 ? "" : "s", skipped == 1 ? "is" : "are");
    return status;
}

nlm_status columns_write(columns *in, int world)
{
    nlm_status status = NLM_OK;
    for (int s = 0; s < in->count && !status; s++) {
        const columned *of = columns_sheet(in, s);
        const subject about = subject_of(of);
        if (world == 0)
            status = write_columns(in, of, &about);
        for (int p = 0; p < of->part_count && !status; p++)
            if (columns_part_at(of, p)->world == world)
                status = write_part(in, of, columns_part_at(of, p));
    }
    return status;
}
