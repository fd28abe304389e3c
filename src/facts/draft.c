/* A draft: names are interned, statements appended to the log of their world. */
#include "facts/draft.h"

#include <string.h>
#include "base/error.h"

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
    }
    names_free(&in->atoms);
    names_free(&in->types);
    names_free(&in->predicates);
    names_free(&in->tables);
    buffer_free(&in->predicate);
    buffer_free(&in->heads);
    buffer_free(&in->bodies);
    buffer_free(&in->worlds);
    text_free(&in->texts);
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
        *draft_at(in, number) = (draft_predicate){0};
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

nlm_status draft_add(draft *in, draft_kind kind, const prolog_fact *fact, const char *file, nlm_error *error)
{
    draft_world *world = draft_world_at(in, in->world_count - 1);
    int number = draft_number(in, fact->name.text, fact->name.length, fact->arity);
    size_t length = world->length + 1 + (size_t)fact->arity;
    if (number < 0 || buffer_reserve(&world->log, length, sizeof(int), true))
        return error_no_memory(error);
    int *statement = (int *)world->log.data + world->length;
    statement[0] = number * DRAFT_KINDS + (int)kind;
    for (int k = 0; k < fact->arity; k++) {
        statement[1 + k] =
            names_intern(&in->atoms, &in->texts, fact->argument[k].text, fact->argument[k].length, 0);
        if (statement[1 + k] < 0)
            return error_no_memory(error);
    }
    world->length = length;
    draft_predicate *predicate = draft_at(in, number);
    if (predicate->count[kind]++ == 0)
        predicate->first_file[kind] = file;
    return NLM_OK;
}
