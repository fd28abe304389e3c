/* A draft: names are interned, statements appended to the log of their world. */
#include "facts/draft.h"

#include <string.h>
#include "base/error.h"
#include "facts/datalog.h"
#include "facts/sheet.h"
#include "syntax/number.h"

nlm_status draft_start(draft *in, nlm_error *error)
{
    *in = (draft){0};
    return names_add(&in->types, &in->texts, "", 0, 0) ? error_no_memory(error) : NLM_OK;
}

void draft_free(draft *in)
{
    for (int w = 0; w < in->world_count; w++) {
        buffer_free(&draft_world_at(in, w)->tables);
        buffer_free(&draft_world_at(in, w)->log);
        buffer_free(&draft_world_at(in, w)->origins);
    }
    names_free(&in->atoms);
    names_free(&in->types);
    names_free(&in->predicates);
    names_free(&in->tables);
    buffer_free(&in->predicate);
    buffer_free(&in->heads);
    buffer_free(&in->bodies);
    buffer_free(&in->worlds);
    buffer_free(&in->columns);
    if (in->table)
        sheet_free(in->table);
    memory_free(in->table);
    text_free(&in->texts);
    datalog_free(in->rules);
    notes_free(&in->notes);
}

nlm_status draft_begin_world(draft *in, const char *name, nlm_error *error)
{
    const char *copy = text_keep(&in->texts, name, strlen(name));
    if (!copy || buffer_reserve(&in->worlds, (size_t)in->world_count + 1, sizeof(draft_world), true))
        return error_no_memory(error);
    *draft_world_at(in, in->world_count++) = (draft_world){.name = copy};
    return NLM_OK;
}

nlm_status draft_expect(draft *in, const char *text, nlm_error *error)
{
    enum { USUAL_ARITY = 2 };
    draft_world *world = draft_world_at(in, in->world_count - 1);
    size_t lines = 1;
    while ((text = strchr(text, '\n'))) {
        lines++;
        text++;
    }
    return buffer_reserve(&world->log, world->length + lines * (1 + USUAL_ARITY), sizeof(int), true)
               ? error_no_memory(error)
               : NLM_OK;
}

int draft_number(draft *in, const char *name, size_t length, int arity)
{
    int before = in->predicates.count;
    if (in->last < before) {
        const name_entry *last = names_at(&in->predicates, in->last);
        if (last->arity == arity && last->length == length && !memcmp(last->text, name, length))
            return in->last;
    }
    if (buffer_reserve(&in->predicate, (size_t)before + 1, sizeof(draft_predicate), true))
        return -1;
    int number = names_intern(&in->predicates, &in->texts, name, length, arity);
    if (number == before)
        *draft_at(in, number) = (draft_predicate){.numbers = DRAFT_UNDECIDED, .base = -1};
    if (number >= 0)
        in->last = number;
    return number;
}

nlm_status draft_append(buffer *list, int *count, int number, nlm_error *error)
{
    if (buffer_reserve(list, (size_t)*count + 1, sizeof(int), true))
        return error_no_memory(error);
    ((int *)list->data)[(*count)++] = number;
    return NLM_OK;
}

static nlm_status add_origin(draft_world *world, draft_origin origin, nlm_error *error)
{
    if (buffer_reserve(&world->origins, world->origin_count + 1, sizeof origin, true))
        return error_no_memory(error);
    ((draft_origin *)world->origins.data)[world->origin_count++] = origin;
    return NLM_OK;
}

/* Count the numbers among the arguments of a fact, and keep where it was read if it ends in one. */
static nlm_status note_numbers(draft *in, draft_world *world, const int *statement, int arity,
                               draft_predicate *predicate, const draft_origin *origin, nlm_error *error)
{
    for (int k = 0; k < arity; k++) {
        number_kind kind = number_of(names_at(&in->atoms, statement[1 + k])->text);
        predicate->integers[k] += kind == NUMBER_INTEGER;
        predicate->reals[k] += kind == NUMBER_REAL;
    }
    if (arity == 0)
        return NLM_OK;
    if (number_of(names_at(&in->atoms, statement[arity])->text) == NUMBER_NONE) {
        if (!predicate->other.file)
            predicate->other = *origin;
        return NLM_OK;
    }
    return add_origin(world, *origin, error);
}

const draft_origin *draft_origin_of(const draft_world *world, size_t at)
{
    const draft_origin *origins = world->origins.data;
    size_t low = 0, high = world->origin_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (origins[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->origin_count && origins[low].at == at ? &origins[low] : NULL;
}

nlm_status draft_copy_origin(const draft_world *from, size_t at, draft_world *to, nlm_error *error)
{
    const draft_origin *origin = draft_origin_of(from, at);
    return origin ? add_origin(to, (draft_origin){to->length, origin->file, origin->line}, error) : NLM_OK;
}

int draft_atom(draft *in, const char *name, size_t length)
{
    return names_intern(&in->atoms, &in->texts, name, length, 0);
}

nlm_status draft_copy(draft_world *to, const draft_world *from, size_t at, int arity, nlm_error *error)
{
    size_t count = 1 + (size_t)arity;
    if (buffer_reserve(&to->log, to->length + count, sizeof(int), true))
        return error_no_memory(error);
    memcpy((int *)to->log.data + to->length, (const int *)from->log.data + at, count * sizeof(int));
    to->length += count;
    return NLM_OK;
}

nlm_status draft_add_known(draft *in, draft_world *world, draft_kind kind, int predicate, const int *atoms,
                           const char *file, size_t line, nlm_error *error)
{
    int arity = names_at(&in->predicates, predicate)->arity;
    size_t length = world->length + 1 + (size_t)arity;
    if (buffer_reserve(&world->log, length, sizeof(int), true))
        return error_no_memory(error);
    int *statement = (int *)world->log.data + world->length;
    statement[0] = predicate * DRAFT_KINDS + (int)kind;
    if (arity > 0)
        memcpy(statement + 1, atoms, (size_t)arity * sizeof *atoms);
    const draft_origin origin = {world->length, file, line};
    world->length = length;
    draft_predicate *about = draft_at(in, predicate);
    if (about->count[kind]++ == 0)
        about->first_file[kind] = file;
    return kind == DRAFT_FACT ? note_numbers(in, world, statement, arity, about, &origin, error) : NLM_OK;
}

nlm_status draft_add(draft *in, draft_kind kind, const prolog_fact *fact, const char *file, nlm_error *error)
{
    draft_world *world = draft_world_at(in, in->world_count - 1);
    int number = draft_number(in, fact->name.text, fact->name.length, fact->arity);
    int atoms[PROLOG_MOST_ARGUMENTS];
    if (number < 0)
        return error_no_memory(error);
    for (int k = 0; k < fact->arity; k++) {
        atoms[k] = draft_atom(in, fact->argument[k].text, fact->argument[k].length);
        if (atoms[k] < 0)
            return error_no_memory(error);
    }
    return draft_add_known(in, world, kind, number, atoms, file, fact->line, error);
}
