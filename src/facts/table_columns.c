/* What the columns of sheets mean.
 *
 * A sheet's key is the column that names its rows: the first one without blanks and repetitions.  A sheet
 * without a key is about relations between objects: its rows are facts of a predicate of the file's name.
 * The other columns are decided by their values, in this order: true and false; names of rows, of this sheet
 * or another; numbers; few values, constants; values that stand in many rows, objects of another kind; what
 * else there is does not count.  With a model's signature the predicates say what the columns are. */
#include "facts/table_columns.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/constant.h"

enum { TITLE_SIZE = 64 };

static const char *const words[] = {
    [NLM_COLUMN_KEY] = "key",       [NLM_COLUMN_OBJECTS] = "objects", [NLM_COLUMN_CONSTANTS] = "constants",
    [NLM_COLUMN_NUMBER] = "number", [NLM_COLUMN_TRUTH] = "truth",     [NLM_COLUMN_IGNORED] = "ignore"};

const char *columns_word(nlm_column_kind kind)
{
    return words[kind];
}

/* ---- what was asked for ---- */

static bool is_called(const column *of, const char *name, size_t length)
{
    return (strlen(of->title) == length && !memcmp(of->title, name, length)) ||
           (strlen(of->predicate) == length && !memcmp(of->predicate, name, length));
}

/* "department=constants", or with the file's name, "people.department=constants". */
static nlm_status take_asked(columns *in, const char *asked)
{
    const char *equals = asked ? strrchr(asked, '=') : NULL;
    nlm_column_kind kind = NLM_COLUMN_KEY;
    if (!equals)
        return message_argument(in->error, "--columns %.100s: write NAME=KIND, such as department=constants",
                                asked ? asked : "");
    while (kind <= NLM_COLUMN_IGNORED && strcmp(words[kind], equals + 1))
        kind++;
    if (kind > NLM_COLUMN_IGNORED)
        return message_argument(
            in->error,
            "--columns %.100s: a column is one of key, objects, constants, number, truth and ignore", asked);
    int found = 0;
    for (int s = 0; s < in->count; s++) {
        columned *of = columns_sheet(in, s);
        const size_t name = strlen(of->sheet.name);
        const bool prefixed = !strncmp(asked, of->sheet.name, name) && asked[name] == '.';
        for (int c = 0; c < of->sheet.columns; c++) {
            column *to = columns_at(of, c);
            if (!is_called(to, asked, (size_t)(equals - asked)) &&
                !(prefixed && is_called(to, asked + name + 1, (size_t)(equals - asked) - name - 1)))
                continue;
            to->kind = kind;
            to->is_asked = true;
            found++;
            if (kind == NLM_COLUMN_KEY)
                of->key = c;
        }
    }
    return found ? NLM_OK
                 : message_argument(in->error, "--columns %.100s: no table has a column of that name", asked);
}

/* ---- keys ---- */

static bool is_unique(const columned *of, int c)
{
    const column *at = columns_at(of, c);
    return at->blanks == 0 && at->distinct == columns_rows(of) && at->reals == 0;
}

bool columns_is_usual_key(const char *name)
{
    static const char *const keys[] = {"id", "name", "key", "nr", "number", "code"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const size_t length = strlen(name), end = strlen(keys[k]);
        if (length >= end && !strcmp(name + length - end, keys[k]) &&
            (length == end || name[length - end - 1] == '_'))
            return true;
    }
    return false;
}

/* The row that has the same name as an earlier one of its world, and that row. */
static bool find_twin(const columned *of, int c, size_t *row, size_t *earlier)
{
    for (*row = 2; *row < of->sheet.rows; ++*row)
        for (*earlier = columns_part_of(of, *row)->begin; *earlier < *row; ++*earlier) {
            const prolog_name a = sheet_cell(&of->sheet, *row, c), b = sheet_cell(&of->sheet, *earlier, c);
            if (a.length == b.length && !memcmp(a.text, b.text, a.length))
                return true;
        }
    return false;
}

static nlm_status refuse_key(const columns *in, const columned *of, int c)
{
    size_t row, earlier;
    const column *at = columns_at(of, c);
    for (row = 1; row < of->sheet.rows && at->blanks > 0; row++)
        if (sheet_cell(&of->sheet, row, c).length == 0)
            return COLUMNS_REFUSE(in, of, row,
                                  "the row has no %s, which names the rows: fill it in, or remove the row",
                                  at->title);
    if (find_twin(of, c, &row, &earlier))
        return COLUMNS_REFUSE(
            in, of, row,
            "%s is the %s of line %zu already: a row for each %s, or --columns %s=objects if "
            "the rows are about several",
            SHEET_SHOWN(sheet_cell(&of->sheet, row, c)), at->title, sheet_line(&of->sheet, earlier),
            at->title, at->title);
    return NLM_OK;
}

nlm_status columns_check_key(const columns *in, const columned *of)
{
    return is_unique(of, of->key) ? NLM_OK : refuse_key(in, of, of->key);
}

/* Whether the rows are about one object each, though some name is there twice or missing. */
static bool is_nearly_key(const columned *of, int c)
{
    const column *at = columns_at(of, c);
    const size_t rows = columns_rows(of);
    return of->sheet.columns > 2 && rows >= 5 && at->reals == 0 &&
           10 * (at->distinct + at->blanks) >= 9 * rows && 10 * at->blanks <= rows;
}

/* Whether the first two columns are the ends of edges, by their titles. */
static bool is_edge_list(const columned *of)
{
    static const char *const pairs[][2] = {{"from", "to"},        {"source", "target"}, {"src", "dst"},
                                           {"start", "end"},      {"parent", "child"},  {"node1", "node2"},
                                           {"subject", "object"}, {"head", "tail"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs && of->sheet.columns >= 2; p++) {
        bool all = true;
        for (int c = 0; c < 2; c++) {
            const prolog_name title = sheet_cell(&of->sheet, 0, c);
            const size_t length = strlen(pairs[p][c]); /* from_id too */
            all = all && title.length >= length &&
                  columns_is_word((prolog_name){title.text, length}, pairs[p][c]) &&
                  (title.length == length || !isalnum((unsigned char)title.text[length])) &&
                  !columns_at(of, c)->is_asked;
        }
        if (all)
            return true;
    }
    return false;
}

static nlm_status find_key(columns *in, columned *of)
{
    if (of->key >= 0)
        return columns_check_key(in, of);
    int found = -1;
    if (of->sheet.columns == 1) { /* a list, of which the file's name is true */
        columns_at(of, 0)->kind = NLM_COLUMN_OBJECTS;
        return NLM_OK;
    }
    if (is_edge_list(of))
        return NLM_OK;
    for (int c = of->sheet.columns - 1; c >= 0; c--)
        if (!columns_at(of, c)->is_asked && is_unique(of, c) &&
            (c == 0 || columns_is_usual_key(columns_at(of, c)->predicate)))
            found = c;
    if (found < 0 && !columns_at(of, 0)->is_asked && is_nearly_key(of, 0))
        return refuse_key(in, of, 0);
    of->key = found;
    if (found >= 0)
        columns_at(of, found)->kind = NLM_COLUMN_KEY;
    return NLM_OK;
}

/* ---- types ---- */

/* The kinds of objects: one for each sheet with a key, and one for each column of others. */
static void find_types(columns *in)
{
    const char *first = NULL;
    bool several = false;
    for (int s = 0; s < in->count; s++) {
        columned *of = columns_sheet(in, s);
        for (int c = 0; c < of->sheet.columns; c++) {
            column *at = columns_at(of, c);
            if (at->kind != NLM_COLUMN_KEY && at->kind != NLM_COLUMN_OBJECTS)
                continue;
            const columned *to = at->refers >= 0 ? columns_sheet(in, at->refers) : NULL;
            at->type = to && to->key >= 0 ? columns_at(to, to->key)->predicate : at->predicate;
            for (int b = 0; b < c && of->key < 0 && at->refers < 0; b++) { /* from and to of an edge */
                const column *other = columns_at(of, b);
                int shared = 0;
                for (int v = 0; v < at->values.count && other->kind == NLM_COLUMN_OBJECTS; v++)
                    shared += names_find(&other->values, names_at(&at->values, v)->text,
                                         names_at(&at->values, v)->length, 0) >= 0;
                if (shared > 0)
                    at->type = other->type;
            }
            several |= first && strcmp(first, at->type);
            first = at->type;
        }
    }
    in->typed = in->reading->signature
                    ? in->reading->signature->typed
                    : several && !in->others && in->draft->predicates.count == in->draft->head_count;
}

/* ---- targets ---- */

static bool is_asked_for(const columns *in, const column *at)
{
    for (int t = 0; t < in->reading->target_count; t++) {
        const char *text = in->reading->targets[t];
        if (text && is_called(at, text, strcspn(text, "/")))
            return true;
    }
    for (int h = 0; h < in->draft->head_count; h++)
        if (!strcmp(names_at(&in->draft->predicates, ((const int *)in->draft->heads.data)[h])->text,
                    at->predicate))
            return true;
    const nlm_signature *model = in->reading->signature;
    for (int t = 0; model && t < model->count[SIGNATURE_TARGETS]; t++) {
        constant_parts parts;
        const char *name = signature_at(model, SIGNATURE_TARGETS, t)->name;
        const size_t length = strlen(at->predicate);
        if (!strcmp(name, at->predicate) ||
            (constant_parts_read(name, &parts) && parts.name.length == length &&
             !memcmp(parts.name.text, at->predicate, length)))
            return true;
    }
    return false;
}

/* Those asked for, or else the only column of true and false. */
static nlm_status find_targets(columns *in)
{
    column *only = NULL;
    int truths = 0, asked = 0;
    for (int s = 0; s < in->count; s++)
        for (int c = 0; c < columns_sheet(in, s)->sheet.columns; c++) {
            column *at = columns_at(columns_sheet(in, s), c);
            at->is_target = is_asked_for(in, at);
            asked += at->is_target;
            if (at->is_target &&
                (at->kind == NLM_COLUMN_KEY || at->kind == NLM_COLUMN_NUMBER ||
                 at->kind == NLM_COLUMN_IGNORED) &&
                !in->reading->signature)
                return message_argument(
                    in->error, "%.200s: %s %s: a target is true or false, has few values, or names rows",
                    columns_sheet(in, s)->sheet.path, message_cut_text(at->title).text,
                    at->kind == NLM_COLUMN_KEY      ? "names the rows"
                    : at->kind == NLM_COLUMN_NUMBER ? "has numbers"
                                                    : "has another text in nearly every row");
            if (at->kind != NLM_COLUMN_TRUTH)
                continue;
            truths++;
            only = at;
        }
    if (truths == 1 && asked == 0 && in->reading->target_count == 0 && in->draft->head_count == 0 &&
        !in->examples && !in->reading->signature)
        only->is_target = true;
    return NLM_OK;
}

/* ---- all of it ---- */

/* A sheet whose rows are pairs of other sheets' rows has no key, though no first one of a pair is there
 * twice: knows.csv with from and to. */
static void drop_key_of_pairs(columns *in, int number)
{
    columned *of = columns_sheet(in, number);
    column *key = of->key == 0 ? columns_at(of, 0) : NULL;
    if (!key || key->is_asked || of->sheet.columns < 2 || columns_referred(in, number, columns_at(of, 1)) < 0)
        return;
    of->key = -1; /* its own names do not count */
    const int to = columns_referred(in, number, key);
    if (to >= 0 && columns_referred(in, number, columns_at(of, 1)) >= 0)
        key->kind = NLM_COLUMN_IGNORED;
    else
        of->key = 0;
}

/* A predicate that two sheets have is of the second one by its name; first columns name rows or objects. */
static nlm_status rename_doubles(columns *in, int number)
{
    columned *of = columns_sheet(in, number);
    for (int c = 0; c < of->sheet.columns; c++)
        for (int s = 0; s < number; s++)
            for (int d = 0; d < columns_sheet(in, s)->sheet.columns; d++) {
                column *at = columns_at(of, c);
                const column *other = columns_at(columns_sheet(in, s), d);
                char name[2 * TITLE_SIZE + 2];
                if (c == 0 || d == 0 || strcmp(at->predicate, other->predicate))
                    continue;
                const int length = snprintf(name, sizeof name, "%.60s_%.60s", of->sheet.name, at->predicate);
                at->predicate = columns_name(&in->draft->texts, (prolog_name){name, (size_t)length}, c);
                if (!at->predicate)
                    return error_no_memory(in->error);
            }
    return NLM_OK;
}

nlm_status columns_find(columns *in)
{
    nlm_status status = NLM_OK;
    for (int s = 0; s < in->count && !status; s++)
        status = rename_doubles(in, s);
    for (int a = 0; a < in->reading->column_count && !status; a++)
        status = take_asked(in, in->reading->columns[a]);
    if (!status)
        status = columns_count(in);
    for (int s = 0; s < in->count && !status; s++)
        status = in->reading->signature ? columns_find_by_model(in, columns_sheet(in, s))
                                        : find_key(in, columns_sheet(in, s));
    for (int s = 0; s < in->count && !status && !in->reading->signature; s++)
        drop_key_of_pairs(in, s);
    for (int s = 0; s < in->count && !status; s++)
        for (int c = 0; c < columns_sheet(in, s)->sheet.columns && !status; c++) {
            column *at = columns_at(columns_sheet(in, s), c);
            if (in->reading->signature || at->is_asked)
                at->refers = columns_referred(in, s, at);
            else if (at->kind == NLM_COLUMN_IGNORED)
                columns_find_kind(in, s, c);
            status = columns_check(in, s, c);
        }
    if (status)
        return status;
    find_types(in);
    return find_targets(in);
}
