/* Attributes: which predicates end in numbers.
 *
 * In this order: what is declared (--numbers, a reader of tables, the types real, float, number, double); a
 * type of another name, which makes objects; facts with a decimal point, which make a number of a place where
 * every fact has one; integers that may be names and are taken for numbers if no other place has any of them,
 * there are at least KINDS_LEAST or another number follows, and no tuple has two.  Numbers are the last
 * arguments of a fact, one or several. */
#include "facts/attributes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/tuple_set.h"
#include "syntax/number.h"

enum { KINDS_LEAST = 8, REASON_SIZE = 400, FACT_SIZE = 200, LISTED_MOST = 6 };

struct search {
    meaning *found;
    draft *draft;
    const char *path;
    buffer named; /* bool per atom: it stands where only objects stand */
    buffer seen;  /* int per atom: 1 + the last place that it was counted for */
    bool has_named;
    tuple_set objects, facts; /* of one place in one world */
    nlm_error *error;
};

/* ---- refusals ---- */

static void fact_text(const draft *in, const draft_statement *statement, char text[FACT_SIZE])
{
    const name_entry *entry = names_at(&in->predicates, statement->predicate);
    int length = snprintf(text, FACT_SIZE, "%s", message_cut(entry->text, entry->length).text);
    for (int k = 0; k < statement->arity && length < FACT_SIZE; k++) {
        const name_entry *atom = names_at(&in->atoms, statement->atoms[k]);
        message_name name = message_cut(atom->text, atom->length < 40 ? atom->length : 40);
        length += snprintf(text + length, (size_t)(FACT_SIZE - length), "%s%s%s", k ? ", " : "(", name.text,
                           k == statement->arity - 1 ? ")" : "");
    }
}

nlm_status attributes_refuse(const draft *in, const draft_world *world, size_t at, const char *path,
                             nlm_error *error, const char *reason, ...)
{
    draft_statement statement = {0};
    size_t next = at;
    draft_next(in, world, &next, &statement);
    const draft_predicate *predicate = draft_at(in, statement.predicate);
    const draft_origin *origin = draft_origin_of(world, at);
    if (!origin && predicate->other.file && predicate->other.at == at)
        origin = &predicate->other;
    char fact[FACT_SIZE], text[REASON_SIZE];
    fact_text(in, &statement, fact);
    va_list values;
    va_start(values, reason);
    vsnprintf(text, sizeof text, reason, values);
    va_end(values);
    return message_refuse(error, origin ? origin->file : path, origin ? origin->line : 0, "%s: %s", fact,
                          text);
}

/* ---- what is declared ---- */

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* What the type of a place says: NUMBER_REAL for a number, NUMBER_INTEGER for an integer that may be a name,
 * NUMBER_NONE for objects. */
static number_kind kind_of_type(const draft *in, int type)
{
    static const char *const numbers[] = {"real", "float", "number", "numeric", "double", NULL};
    static const char *const open[] = {"", "int", "integer", NULL};
    const char *name = names_at(&in->types, type)->text;
    return is_one_of(name, numbers) ? NUMBER_REAL : is_one_of(name, open) ? NUMBER_INTEGER : NUMBER_NONE;
}

/* Whether facts are about the numbers of a type: small(real) says of several that they are small, so that
 * they are objects. Predicates with no other type have one number in each world, or are such facts. */
static bool type_names_objects(const draft *in, int type)
{
    for (int p = 0; p < in->predicates.count; p++) {
        const draft_predicate *about = draft_at(in, p);
        const int arity = names_at(&in->predicates, p)->arity;
        bool alone = about->typed && arity > 0 && about->count[DRAFT_FACT] > (size_t)in->world_count;
        for (int k = 0; k < arity && alone; k++)
            alone = about->type[k] == type;
        if (alone)
            return true;
    }
    return false;
}

static nlm_status find_asked(struct search *in, const nlm_reading *reading)
{
    nlm_status status = NLM_OK;
    for (int n = 0; n < reading->number_count && !status; n++) {
        int predicate;
        status = meaning_target(in->draft, reading->numbers[n], in->path, &predicate, in->error);
        if (status)
            return status;
        draft_predicate *about = draft_at(in->draft, predicate);
        int arity = names_at(&in->draft->predicates, predicate)->arity, last = arity - 1;
        if (arity == 0)
            return message_argument(in->error, "%s has no argument that could be a number",
                                    reading->numbers[n]);
        while (last > 1 && about->integers[last - 1] + about->reals[last - 1] == about->count[DRAFT_FACT])
            last--;
        about->numbers = arity - last;
    }
    return status;
}

/* ---- what the facts say ---- */

static bool all_numbers(const draft_predicate *about, int place)
{
    return about->integers[place] + about->reals[place] == about->count[DRAFT_FACT];
}

/* Whether a place, not the first, has numbers alone, which may be names. */
static bool is_open(const struct search *in, int predicate, draft_kind kind, int place)
{
    return kind == DRAFT_FACT && place > 0 && all_numbers(draft_at(in->draft, predicate), place);
}

/* Find the atoms that stand where only objects stand. */
static nlm_status find_named(struct search *in)
{
    size_t atoms = (size_t)in->draft->atoms.count;
    if (in->has_named)
        return NLM_OK;
    if (buffer_reserve(&in->named, atoms, sizeof(bool), false) ||
        buffer_reserve(&in->seen, atoms, sizeof(int), false))
        return error_no_memory(in->error);
    bool *named = memset(in->named.data, 0, atoms * sizeof(bool));
    memset(in->seen.data, 0, atoms * sizeof(int));
    for (int w = 0; w < in->draft->world_count; w++) {
        draft_statement statement;
        for (size_t at = 0; draft_next(in->draft, draft_world_at(in->draft, w), &at, &statement);)
            for (int k = 0; k < statement.arity; k++)
                if (!is_open(in, statement.predicate, statement.kind, k))
                    named[statement.atoms[k]] = true;
    }
    in->has_named = true;
    return NLM_OK;
}

/* Whether no tuple of objects before a place has two numbers there, in a world. */
static nlm_status is_function(struct search *in, const draft_world *world, int predicate, int place,
                              bool *result)
{
    tuple_set_clear(&in->objects, place);
    tuple_set_clear(&in->facts, place + 1);
    draft_statement statement;
    for (size_t at = 0; draft_next(in->draft, world, &at, &statement);)
        if (statement.kind == DRAFT_FACT && statement.predicate == predicate &&
            (tuple_set_add(&in->objects, statement.atoms, 1) ||
             tuple_set_add(&in->facts, statement.atoms, 1)))
            return error_no_memory(in->error);
    *result = in->objects.count == in->facts.count;
    return NLM_OK;
}

/* Whether the integers of an open place are numbers, and how many kinds there are. */
static nlm_status find_kinds(struct search *in, int predicate, int place, bool *result)
{
    nlm_status status = find_named(in);
    int kinds = 0, mark = predicate * NLM_MAX_FACT_ARITY + place + 1;
    *result = !status;
    for (int w = 0; w < in->draft->world_count && *result; w++) {
        draft_statement statement;
        for (size_t at = 0;
             *result && draft_next(in->draft, draft_world_at(in->draft, w), &at, &statement);) {
            if (statement.kind != DRAFT_FACT || statement.predicate != predicate)
                continue;
            int atom = statement.atoms[place], *seen = (int *)in->seen.data + atom;
            *result = !((const bool *)in->named.data)[atom];
            kinds += *seen != mark;
            *seen = mark;
        }
    }
    *result = *result && (kinds >= KINDS_LEAST || meaning_at(in->found, predicate)->numbers > 0);
    for (int w = 0; w < in->draft->world_count && *result && !status; w++)
        status = is_function(in, draft_world_at(in->draft, w), predicate, place, result);
    return status;
}

static nlm_status place_is_number(struct search *in, int predicate, int place, bool *result)
{
    const draft_predicate *about = draft_at(in->draft, predicate);
    const meaning_role *role = meaning_at(in->found, predicate);
    number_kind type = kind_of_type(in->draft, role->type[place]);
    if (type == NUMBER_REAL && type_names_objects(in->draft, role->type[place]))
        type = NUMBER_NONE;
    *result = type == NUMBER_REAL;
    if (*result || type == NUMBER_NONE || about->count[DRAFT_FACT] == 0)
        return NLM_OK;
    int arity = names_at(&in->draft->predicates, predicate)->arity;
    if (place == 0 && arity > 1)
        return NLM_OK;
    if (about->reals[place] == 0 && is_open(in, predicate, DRAFT_FACT, place))
        return find_kinds(in, predicate, place, result);
    /* where half are numbers, a name is a mistake, which the check of the facts names */
    *result = about->reals[place] > 0 &&
              2 * (about->integers[place] + about->reals[place]) >= about->count[DRAFT_FACT];
    return NLM_OK;
}

static nlm_status find_numbers(struct search *in, int predicate)
{
    meaning_role *role = meaning_at(in->found, predicate);
    int arity = names_at(&in->draft->predicates, predicate)->arity;
    int declared = draft_at(in->draft, predicate)->numbers;
    bool more = declared == DRAFT_UNDECIDED && !role->is_target;
    role->numbers = declared > 0 && !role->is_target ? declared : 0;
    nlm_status status = NLM_OK;
    for (int k = arity - 1; k >= 0 && more && !status; k--) {
        status = place_is_number(in, predicate, k, &more);
        role->numbers += more && !status;
    }
    return status;
}

/* ---- the facts of attributes ---- */

static nlm_status check_fact(const meaning *found, const draft *in, const draft_world *world, size_t at,
                             const char *path, nlm_error *error)
{
    draft_statement statement = {0};
    size_t next = at;
    draft_next(in, world, &next, &statement);
    int numbers = meaning_at(found, statement.predicate)->numbers;
    for (int k = statement.arity - numbers; k < statement.arity; k++) {
        const name_entry *atom = names_at(&in->atoms, statement.atoms[k]);
        double value;
        if (number_of(atom->text) == NUMBER_NONE)
            return attributes_refuse(
                in, world, at, path, error,
                "%s is no number, while other facts of %s have one there: leave the fact out if "
                "the number is not known",
                message_cut(atom->text, atom->length).text,
                message_cut_text(names_at(&in->predicates, statement.predicate)->text).text);
        if (!number_read(atom->text, &value))
            return attributes_refuse(
                in, world, at, path, error,
                "%s is beyond the numbers that can be read, at most 1.79e308: use another unit",
                message_cut(atom->text, atom->length).text);
    }
    return NLM_OK;
}

/* size(p1, 1,5): a decimal comma makes two numbers of one. */
static nlm_status check_commas(const meaning *found, const draft *in, int predicate, const char *path,
                               nlm_error *error)
{
    const name_entry *entry = names_at(&in->predicates, predicate);
    const draft_predicate *about = draft_at(in, predicate);
    int shorter =
        entry->arity < 2 ? -1 : names_find(&in->predicates, entry->text, entry->length, entry->arity - 1);
    if (shorter < 0 || meaning_at(found, shorter)->numbers == 0 || about->reals[entry->arity - 1] > 0 ||
        about->integers[entry->arity - 1] == 0)
        return NLM_OK;
    for (int w = 0; w < in->world_count; w++) {
        const draft_world *world = draft_world_at(in, w);
        draft_statement statement;
        for (size_t at = 0, next = 0; draft_next(in, world, &next, &statement); at = next) {
            if (statement.predicate != predicate || statement.kind != DRAFT_FACT)
                continue;
            const char *whole = names_at(&in->atoms, statement.atoms[entry->arity - 2])->text;
            const char *rest = names_at(&in->atoms, statement.atoms[entry->arity - 1])->text;
            if (number_of(whole) == NUMBER_INTEGER && number_of(rest) == NUMBER_INTEGER && *rest != '-')
                return attributes_refuse(
                    in, world, at, path, error,
                    "%d arguments, where other facts of %s end in a number and have %d: a decimal "
                    "point is written %.40s.%.40s",
                    entry->arity, message_cut_text(entry->text).text, entry->arity - 1, whole, rest);
        }
    }
    return NLM_OK;
}

nlm_status attributes_check(const meaning *found, const draft *in, const char *path, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < in->predicates.count && !status; p++)
        status = check_commas(found, in, p, path, error);
    for (int w = 0; w < in->world_count; w++) {
        const draft_world *world = draft_world_at(in, w);
        draft_statement statement;
        for (size_t at = 0, next = 0; !status && draft_next(in, world, &next, &statement); at = next)
            if (statement.kind == DRAFT_FACT && meaning_at(found, statement.predicate)->numbers > 0)
                status = check_fact(found, in, world, at, path, error);
    }
    return status;
}

/* ---- all of it ---- */

/* One note: which predicates end in numbers. */
static nlm_status note_found(struct search *in)
{
    char list[LISTED_MOST * 90 + 8] = "";
    size_t used = 0;
    int count = 0;
    for (int p = 0; p < in->draft->predicates.count; p++) {
        const name_entry *entry = names_at(&in->draft->predicates, p);
        int numbers = meaning_at(in->found, p)->numbers;
        if (numbers == 0 || draft_at(in->draft, p)->count[DRAFT_FACT] == 0 || ++count > LISTED_MOST)
            continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s/%d%s", count > 1 ? ", " : "",
                                 message_cut(entry->text, entry->length).text, entry->arity,
                                 numbers == 3   ? " (the last 3 arguments)"
                                 : numbers == 2 ? " (the last 2 arguments)"
                                                : "");
    }
    return count == 0
               ? NLM_OK
               : notes_add(
                     &in->draft->notes, in->error,
                     "numbers, not names of objects, end the facts of %s%s; a type of another name than real "
                     "makes them names",
                     list, count > LISTED_MOST ? ", ..." : "");
}

nlm_status attributes_find(meaning *found, draft *in, const nlm_reading *reading, const char *path,
                           nlm_error *error)
{
    struct search search = {.found = found, .draft = in, .path = path, .error = error};
    nlm_status status = find_asked(&search, reading);
    for (int p = 0; p < in->predicates.count && !status; p++)
        status = find_numbers(&search, p);
    if (!status)
        status = attributes_check(found, in, path, error);
    if (!status)
        status = note_found(&search);
    buffer_free(&search.named);
    buffer_free(&search.seen);
    tuple_set_free(&search.objects);
    tuple_set_free(&search.facts);
    return status;
}
