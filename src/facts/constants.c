/* Constants: statements of a draft become statements of predicates with constants. */
#include "facts/constants.h"

#include <string.h>
#include "base/error.h"
#include "facts/meaning.h"
#include "facts/signature.h"
#include "nlm/tools.h"
#include "syntax/atom.h"
#include "syntax/constant.h"
#include "syntax/number.h"

enum { MOST_VALUES = 256, ASKED_SIZE = 200 };

struct dividing {
    draft *draft;
    const nlm_signature *model; /* NULL: all values count */
    const char *path;
    buffer text; /* a name */
    bool any;
    nlm_error *error;
};

/* ---- which arguments ---- */

static nlm_status declare(struct dividing *in, int predicate, int place, const char *text)
{
    int arity = names_at(&in->draft->predicates, predicate)->arity;
    if (place < 0 || place >= arity)
        return message_argument(in->error, "--constants %.100s: %s has no argument %d", text,
                                message_cut_text(names_at(&in->draft->predicates, predicate)->text).text,
                                place + 1);
    draft_at(in->draft, predicate)->constants |= 1u << place;
    return NLM_OK;
}

/* A type: all arguments that have it. */
static bool declare_type(struct dividing *in, const char *name)
{
    int type = names_find(&in->draft->types, name, strlen(name), 0);
    for (int p = 0; type > 0 && p < in->draft->predicates.count; p++) {
        draft_predicate *about = draft_at(in->draft, p);
        for (int k = 0; k < names_at(&in->draft->predicates, p)->arity && about->typed; k++)
            about->constants |= about->type[k] == type ? 1u << k : 0;
    }
    return type > 0;
}

/* "department", "department/2", "works:3", "works/3:3", or a type. */
static nlm_status take_asked(struct dividing *in, const char *asked)
{
    char name[ASKED_SIZE];
    int predicate, place = -1;
    if (!asked)
        return message_argument(in->error, "a constant without a name (NULL)");
    if (declare_type(in, asked))
        return NLM_OK;
    size_t length = strlen(asked);
    const char *colon = strrchr(asked, ':');
    if (colon && colon[1] >= '1' && colon[1] <= '0' + NLM_MAX_FACT_ARITY && !colon[2]) {
        place = colon[1] - '1';
        length = (size_t)(colon - asked);
    }
    if (length >= sizeof name)
        return message_argument(in->error, "--constants: the name is too long");
    memcpy(name, asked, length);
    name[length] = '\0';
    nlm_status status = meaning_target(in->draft, name, in->path, &predicate, in->error);
    if (!status)
        status = declare(in, predicate,
                         place >= 0 ? place : names_at(&in->draft->predicates, predicate)->arity - 1, asked);
    return status;
}

/* The predicates that a model has with constants. */
static nlm_status take_model(struct dividing *in)
{
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < in->model->count[side]; i++) {
            constant_parts parts;
            const nlm_predicate *predicate = signature_at(in->model, side, i);
            if (predicate->is_type || !constant_parts_read(predicate->name, &parts))
                continue;
            size_t size = parts.name.length + 1;
            if (buffer_reserve(&in->text, size, 1, false))
                return error_no_memory(in->error);
            size_t length = constant_plain(parts.name, in->text.data, size);
            int base = names_find(&in->draft->predicates, in->text.data, length, parts.arity);
            for (int k = 0; k < parts.arity && base >= 0; k++)
                draft_at(in->draft, base)->constants |= parts.object[k] < 0 ? 1u << k : 0;
        }
    return NLM_OK;
}

static bool model_has(const struct dividing *in, const char *name, int arity)
{
    for (int side = 0; side < SIGNATURE_SIDES && in->model; side++)
        for (int i = 0; i < in->model->count[side]; i++) {
            const nlm_predicate *predicate = signature_at(in->model, side, i);
            if (predicate->arity == arity && !predicate->is_type && !strcmp(predicate->name, name))
                return true;
        }
    return !in->model;
}

/* Facts end in constants or objects: numbers beside constants are not supported. */
static nlm_status check_numbers(const struct dividing *in)
{
    for (int p = 0; p < in->draft->predicates.count; p++) {
        const draft_predicate *about = draft_at(in->draft, p);
        const name_entry *entry = names_at(&in->draft->predicates, p);
        const int last = entry->arity - 1;
        if (!about->constants || about->constants >> last & 1 ||
            (about->numbers <= 0 && about->reals[last] == 0))
            continue;
        const message_name name = message_cut(entry->text, entry->length);
        return message_refuse(
            in->error, in->path, 0,
            "facts of %s end in numbers, and another argument cannot be a constant then: write "
            "a predicate for each constant, or leave %s out of the constants",
            name.text, name.text);
    }
    return NLM_OK;
}

/* ---- statements ---- */

/* What a new predicate has of the one that its facts are written with. */
static void inherit(draft *in, int number, int base)
{
    const draft_predicate *from = draft_at(in, base);
    draft_predicate *to = draft_at(in, number);
    *to = (draft_predicate){
        .base = base, .head = from->head, .body = from->body, .example = from->example, .typed = from->typed};
    int objects = 0;
    for (int k = 0; k < names_at(&in->predicates, base)->arity; k++)
        if (!(from->constants >> k & 1))
            to->type[objects++] = from->type[k];
}

/* The predicate of a statement's constants; -1 if the model has none. */
static nlm_status find_divided(struct dividing *in, const draft_statement *from, int *number)
{
    draft *files = in->draft;
    const name_entry base = *names_at(&files->predicates, from->predicate);
    unsigned constants = draft_at(files, from->predicate)->constants;
    prolog_name value[NLM_MAX_FACT_ARITY] = {0};
    int objects = 0;
    for (int k = 0; k < base.arity; k++) {
        const name_entry *atom = names_at(&files->atoms, from->atoms[k]);
        if (constants >> k & 1)
            value[k] = (prolog_name){atom->text, atom->length};
        objects += !(constants >> k & 1);
    }
    const prolog_name name = {base.text, base.length};
    size_t length = constant_name(name, value, base.arity, in->text.data, in->text.capacity);
    if (length >= in->text.capacity) {
        if (length > NAMES_MOST || buffer_reserve(&in->text, length + 1, 1, false))
            return error_no_memory(in->error);
        length = constant_name(name, value, base.arity, in->text.data, in->text.capacity);
        if (length >= in->text.capacity)
            return error_no_memory(in->error);
    }
    int before = files->predicates.count;
    *number = -1;
    if (!model_has(in, in->text.data, objects))
        return NLM_OK;
    *number = draft_number(files, in->text.data, length, objects);
    if (*number < 0)
        return error_no_memory(in->error);
    if (*number == before)
        inherit(files, *number, from->predicate);
    return NLM_OK;
}

/* The statement leaves its predicate. */
static void uncount(draft *in, const draft_statement *statement)
{
    draft_predicate *from = draft_at(in, statement->predicate);
    from->count[statement->kind]--;
    for (int k = 0; k < statement->arity && statement->kind == DRAFT_FACT; k++) {
        number_kind kind = number_of(names_at(&in->atoms, statement->atoms[k])->text);
        from->integers[k] -= kind == NUMBER_INTEGER;
        from->reals[k] -= kind == NUMBER_REAL;
    }
}

/* The statement at `at`, as it is or divided. */
static nlm_status divide_statement(struct dividing *in, const draft_world *world, size_t at,
                                   const draft_statement *statement, draft_world *to)
{
    draft_predicate *about = draft_at(in->draft, statement->predicate);
    const unsigned constants = about->constants;
    int predicate = -1, atoms[NLM_MAX_FACT_ARITY], count = 0;
    nlm_status status = constants ? find_divided(in, statement, &predicate) : NLM_OK;
    if (status)
        return status;
    if (predicate < 0) { /* no constants, or some that the model does not read, which a note tells */
        if (about->other.file && about->other.at == at)
            about->other.at = to->length;
        status = draft_copy_origin(world, at, to, in->error);
        return status ? status : draft_copy(to, world, at, statement->arity, in->error);
    }
    for (int k = 0; k < statement->arity; k++)
        if (!(constants >> k & 1))
            atoms[count++] = statement->atoms[k];
    const draft_origin *origin = draft_origin_of(world, at);
    const char *file =
        origin ? origin->file : draft_at(in->draft, statement->predicate)->first_file[statement->kind];
    uncount(in->draft, statement);
    return draft_add_known(in->draft, to, statement->kind, predicate, atoms, file, origin ? origin->line : 0,
                           in->error);
}

/* The log of a world, written anew. */
static nlm_status divide_world(struct dividing *in, draft_world *world)
{
    draft_world to = *world;
    to.log = to.origins = (buffer){0};
    to.length = to.origin_count = 0;
    draft_statement statement;
    nlm_status status = NLM_OK;
    for (size_t at = 0, next = 0; !status && draft_next(in->draft, world, &next, &statement); at = next)
        status = divide_statement(in, world, at, &statement, &to);
    draft_world old = status ? to : *world;
    buffer_free(&old.log);
    buffer_free(&old.origins);
    if (!status)
        *world = to;
    return status;
}

/* ---- what a person should know ---- */

/* How many predicates a base has become: too many are no constants. */
static nlm_status check_counts(const struct dividing *in)
{
    for (int p = 0; p < in->draft->predicates.count; p++) {
        int values = 0;
        for (int d = p + 1; d < in->draft->predicates.count && draft_at(in->draft, p)->constants; d++)
            values += draft_at(in->draft, d)->base == p;
        if (values > MOST_VALUES)
            return message_refuse(
                in->error, in->path, 0,
                "%s has %d different constants, each a predicate of its own: at most %d are "
                "supported; leave it out of --constants, and they are objects",
                message_cut_text(names_at(&in->draft->predicates, p)->text).text, values, MOST_VALUES);
    }
    return NLM_OK;
}

/* The first object of a world that has the name of a constant. */
static nlm_status note_clash(struct dividing *in)
{
    draft *files = in->draft;
    size_t atoms = (size_t)files->atoms.count;
    int *use = memory_new(atoms + 1, sizeof *use); /* 1 + the first predicate with it as an object */
    if (!use)
        return error_no_memory(in->error);
    for (int w = 0; w < files->world_count; w++) {
        draft_statement statement;
        for (size_t at = 0; draft_next(files, draft_world_at(files, w), &at, &statement);)
            for (int k = 0; k < statement.arity; k++)
                if (!use[statement.atoms[k]])
                    use[statement.atoms[k]] = 1 + statement.predicate;
    }
    nlm_status status = NLM_OK;
    bool found = false;
    for (int p = 0; p < files->predicates.count && !found && !status; p++) {
        constant_parts parts;
        const int base = draft_at(files, p)->base;
        if (base < 0 || !constant_parts_read(names_at(&files->predicates, p)->text, &parts))
            continue;
        for (int k = 0; k < parts.arity && !found && !status; k++) {
            char value[72];
            if (parts.object[k] >= 0 || constant_plain(parts.text[k], value, sizeof value) >= sizeof value)
                continue;
            const int atom = names_find(&files->atoms, value, strlen(value), 0);
            found = atom >= 0 && use[atom] > 0;
            if (!found)
                continue;
            const name_entry *object = names_at(&files->predicates, use[atom] - 1);
            const draft_predicate *about = draft_at(files, p);
            const char *file = about->first_file[DRAFT_FACT] ? about->first_file[DRAFT_FACT] : in->path;
            status =
                notes_add(&files->notes, in->error,
                          "%.200s: %s is a constant of %s and an object of %s: they are two things; if they "
                          "should be one, leave %s out of the constants, else give one another name",
                          file, message_cut_text(value).text,
                          message_cut_text(names_at(&files->predicates, base)->text).text,
                          message_cut_text(object->text).text,
                          message_cut_text(names_at(&files->predicates, base)->text).text);
        }
    }
    memory_free(use);
    return status;
}

/* ---- all of it ---- */

nlm_status constants_divide(draft *in, const nlm_reading *reading, const char *path, nlm_error *error)
{
    struct dividing of = {.draft = in, .model = reading->signature, .path = path, .error = error};
    nlm_status status = NLM_OK;
    if (of.model) {
        for (int p = 0; p < in->predicates.count; p++)
            draft_at(in, p)->constants = 0;
        status = take_model(&of);
    } else {
        declare_type(&of, "constant");
        for (int c = 0; c < reading->constant_count && !status; c++)
            status = take_asked(&of, reading->constants[c]);
    }
    for (int p = 0; p < in->predicates.count; p++)
        of.any |= draft_at(in, p)->constants != 0;
    if (of.any && !status)
        status = check_numbers(&of);
    for (int w = 0; w < in->world_count && of.any && !status; w++)
        status = divide_world(&of, draft_world_at(in, w));
    if (of.any && !status)
        status = check_counts(&of);
    if (of.any && !status)
        status = note_clash(&of);
    buffer_free(&of.text);
    return status;
}
