/* What a person is told about predicates: which do not count and why, which are missing, what a name that is
 * not there may have meant. */
#include "facts/meaning.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/atom.h"
#include "facts/line.h"

enum { PREDICATE_SIZE = 80, LISTED = 5, MOST_LETTERS = 60 };

typedef struct shown {
    char text[PREDICATE_SIZE];
} shown;

/* father/2 */
static shown show(const draft *in, int predicate)
{
    const name_entry *entry = names_at(&in->predicates, predicate);
    shown result;
    snprintf(result.text, sizeof result.text, "%s/%d", message_cut(entry->text, entry->length).text,
             entry->arity);
    return result;
}

/* ---- targets by name ---- */

/* How many letters must be changed, added or left out to make one text of the other. */
static size_t distance(const char *a, const char *b)
{
    size_t row[MOST_LETTERS + 1], rows = strlen(a), columns = strlen(b);
    if (rows > MOST_LETTERS || columns > MOST_LETTERS)
        return MOST_LETTERS;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = corner + (a[i - 1] != b[j - 1]),
                   other = row[j] < row[j - 1] ? row[j] : row[j - 1];
            corner = row[j];
            row[j] = change < other + 1 ? change : other + 1;
        }
    }
    return row[columns];
}

/* A list of the predicates whose names are at most so far from `name`, up to LISTED of them. */
static int list_near(const draft *in, const char *name, size_t most, char *list, size_t size)
{
    line_space out = line_start(list, size);
    int count = 0;
    for (int p = 0; p < in->predicates.count && count <= LISTED; p++) {
        if (distance(names_at(&in->predicates, p)->text, name) > most)
            continue;
        line_add_text(&out, count ? ", " : "");
        line_add_text(&out, count < LISTED ? show(in, p).text : "...");
        count++;
    }
    line_end(&out);
    return count;
}

static nlm_status refuse_unknown(const draft *in, const char *text, const char *name, const char *path,
                                 nlm_error *error)
{
    char list[(LISTED + 1) * (PREDICATE_SIZE + 2)];
    enum { NEAR = 2 };
    bool near = list_near(in, name, NEAR, list, sizeof list) > 0;
    if (near || list_near(in, name, MOST_LETTERS, list, sizeof list) > 0)
        return message_argument(error, "%.150s has no predicate %s%s %s%s", path, message_cut_text(text).text,
                                near ? "; did you mean" : "; it has", list, near ? "?" : "");
    return message_argument(error, "%.150s has no predicate %s, nor any other", path,
                            message_cut_text(text).text);
}

nlm_status meaning_target(const draft *in, const char *text, const char *path, int *predicate,
                          nlm_error *error)
{
    if (!text)
        return error_set(error, NLM_BAD_ARGUMENT, "a target without a name (NULL)");
    const char *slash = strrchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : strlen(text);
    bool has_arity = slash && slash[1] >= '0' && slash[1] <= '0' + NLM_MAX_FACT_ARITY && !slash[2];
    int found[NLM_MAX_FACT_ARITY + 1], count = 0;
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++) {
        int number = names_find(&in->predicates, text, length, arity);
        if (number >= 0 && (!slash || (has_arity && slash[1] == '0' + arity)))
            found[count++] = number;
    }
    char name[MOST_LETTERS + 1];
    snprintf(name, sizeof name, "%.*s", (int)(length < MOST_LETTERS ? length : MOST_LETTERS), text);
    if (count == 0)
        return refuse_unknown(in, text, name, path, error);
    if (count > 1)
        return message_argument(error, "%s can be %s or %s in %.200s: say which", name,
                                show(in, found[0]).text, show(in, found[1]).text, path);
    *predicate = found[0];
    return NLM_OK;
}

/* ---- what does not count ---- */

struct telling {
    const meaning *found;
    draft *draft;
    bool is_model;
    const char *path;
    nlm_error *error;
};

static nlm_status note_ignored(struct telling *in, int predicate, draft_kind kind, size_t count,
                               const char *why, const char *what)
{
    const char *file = draft_at(in->draft, predicate)->first_file[kind];
    return notes_add(&in->draft->notes, in->error, "%s %s: %zu %s%s ignored, the first in %.200s",
                     show(in->draft, predicate).text, why, count, what, count == 1 ? " is" : "s are", file);
}

static nlm_status note_facts(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    const draft_predicate *about = draft_at(in->draft, predicate);
    size_t facts = about->count[DRAFT_FACT], examples = about->count[DRAFT_TRUE] + about->count[DRAFT_FALSE];
    nlm_status status = NLM_OK;
    if (facts > 0 && meaning_side(role, DRAFT_FACT) < 0 && !role->declares)
        status = note_ignored(in, predicate, DRAFT_FACT, facts,
                              role->is_target ? "is to be concluded, and exs.pl has the examples"
                              : in->is_model  ? "is not what the model reads"
                                              : "is no body_pred of bias.pl",
                              "fact");
    if (examples > 0 && !role->is_target && !status)
        status = note_ignored(in, predicate, about->count[DRAFT_TRUE] ? DRAFT_TRUE : DRAFT_FALSE, examples,
                              "is not to be concluded", "example");
    return status;
}

/* Facts that repeat an object where the model knows no such facts. */
static nlm_status note_patterns(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    const name_entry *entry = names_at(&in->draft->predicates, predicate);
    nlm_status status = NLM_OK;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int code = 0; code < PATTERN_CODES && !status; code++) {
            if (!(role->seen[side] & 1u << code) || role->number[side][code] >= 0)
                continue;
            char text[PREDICATE_SIZE];
            message_name name = message_cut(entry->text, entry->length);
            nlm_predicate pattern = {.name = name.text, .arity = entry->arity};
            pattern.objects = pattern_places(code, entry->arity, pattern.place);
            nlm_predicate_text(&pattern, text, sizeof text);
            status =
                notes_add(&in->draft->notes, in->error,
                          "%s is not what the model knows: such facts in %.200s are ignored", text, in->path);
        }
    return status;
}

/* Objects under a type of their own, because the predicate has none. */
static nlm_status note_untyped(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    bool counts = role->is_input || role->is_target;
    if (!counts || names_at(&in->draft->predicates, predicate)->arity == 0 || role->type[0] != 0)
        return NLM_OK;
    return notes_add(&in->draft->notes, in->error,
                     "%s has no types: its objects are not those of the same name that have a type",
                     show(in->draft, predicate).text);
}

/* An object that is declared under a type that nothing has, if there is one. */
static nlm_status note_unknown_type(struct telling *in, int predicate)
{
    for (int w = 0; w < in->draft->world_count; w++) {
        draft_statement statement;
        for (size_t at = 0; draft_next(in->draft, draft_world_at(in->draft, w), &at, &statement);) {
            if (statement.predicate != predicate)
                continue;
            const name_entry *type = names_at(&in->draft->atoms, statement.atoms[1]);
            const name_entry *object = names_at(&in->draft->atoms, statement.atoms[0]);
            if (names_find(&in->draft->types, type->text, type->length, 0) < 0)
                return notes_add(
                    &in->draft->notes, in->error,
                    "object(%s, %s) is ignored, and others of this kind: no predicate has the type",
                    message_cut(object->text, object->length).text,
                    message_cut(type->text, type->length).text);
        }
    }
    return NLM_OK;
}

static nlm_status note_declarations(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    bool typed = in->found->signature->typed;
    int arity = names_at(&in->draft->predicates, predicate)->arity;
    if (!role->declares || draft_at(in->draft, predicate)->count[DRAFT_FACT] == 0)
        return NLM_OK;
    if (typed && arity == 2)
        return note_unknown_type(in, predicate);
    if (!typed && arity == 1)
        return NLM_OK;
    return notes_add(&in->draft->notes, in->error, "%s",
                     typed ? "object/1 declares objects without a type, while predicates have types: write "
                             "object(name, type)"
                           : "the types that object/2 declares are ignored: no predicate has types");
}

/* ---- what is missing ---- */

static bool has_name(const struct telling *in, const char *name)
{
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++)
        if (names_find(&in->draft->predicates, name, strlen(name), arity) >= 0)
            return true;
    const nlm_signature *signature = in->found->signature;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++)
            if (!strcmp(signature_at(signature, side, i)->name, name))
                return true;
    return false;
}

static nlm_status note_empty_tables(struct telling *in)
{
    nlm_status status = NLM_OK;
    for (int t = 0; t < in->draft->tables.count && !status; t++) {
        const char *name = names_at(&in->draft->tables, t)->text;
        if (!has_name(in, name))
            status = notes_add(&in->draft->notes, in->error,
                               "the table of %s has no rows, which leaves its arity open, and is ignored",
                               message_cut_text(name).text);
    }
    return status;
}

static nlm_status note_missing(struct telling *in)
{
    const nlm_signature *signature = in->found->signature;
    nlm_status status = NLM_OK;
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS] && !status; i++) {
        const nlm_predicate *input = signature_at(signature, SIGNATURE_INPUTS, i);
        size_t length = strlen(input->name);
        int number = names_find(&in->draft->predicates, input->name, length, input->arity);
        bool there = (number >= 0 && draft_at(in->draft, number)->count[DRAFT_FACT] > 0) ||
                     names_find(&in->draft->tables, input->name, length, 0) >= 0;
        if (!there && !input->is_type && input->objects == input->arity)
            status = notes_add(&in->draft->notes, in->error, "%s/%d is not in %.200s: taken as empty",
                               message_cut_text(input->name).text, input->arity, in->path);
    }
    return status;
}

/* Worlds without examples, where others have some. */
static nlm_status note_unlabelled(struct telling *in)
{
    int count = 0, first = 0;
    for (int w = in->draft->world_count - 1; w >= 0; w--)
        if (!draft_world_at(in->draft, w)->examples) {
            first = w;
            count++;
        }
    if (count == 0 || !in->draft->examples || in->found->signature->count[SIGNATURE_TARGETS] == 0)
        return NLM_OK;
    message_name name = message_cut_text(draft_world_at(in->draft, first)->name);
    if (count == 1)
        return notes_add(&in->draft->notes, in->error, "%.200s: %s has no exs.pl: %s", in->path, name.text,
                         in->found->closed ? "there nothing is true" : "it has no labels");
    return notes_add(&in->draft->notes, in->error, "%.200s: %s and %d other world%s have no exs.pl: %s",
                     in->path, name.text, count - 1, count == 2 ? "" : "s",
                     in->found->closed ? "there nothing is true" : "they have no labels");
}

nlm_status meaning_notes(const meaning *found, draft *in, const nlm_reading *reading, const char *path,
                         nlm_error *error)
{
    struct telling telling = {found, in, reading->signature != NULL, path, error};
    nlm_status status = NLM_OK;
    for (int p = 0; p < in->predicates.count && !status; p++) {
        status = note_facts(&telling, p);
        if (!status)
            status = note_patterns(&telling, p);
        if (!status && found->signature->typed)
            status = note_untyped(&telling, p);
        if (!status)
            status = note_declarations(&telling, p);
    }
    if (!status)
        status = note_empty_tables(&telling);
    if (!status)
        status = note_unlabelled(&telling);
    return status || !reading->signature ? status : note_missing(&telling);
}
