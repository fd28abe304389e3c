/* One file, many worlds: each gets its statements.
 *
 * Those about its own objects, those without arguments, and those about shared objects alone, as far as
 * these lie within SHARED_STEPS steps of what the world mentions. */
#include "facts/split_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"

enum { SHARED_STEPS = 2, LONGEST_NAME = 60, NUMBER_SIZE = 24 };

struct dealing {
    buffer start, own; /* int: own[start[w] .. start[w + 1]) are the statements of world w */
    buffer all;        /* int: statements without own objects */
    int all_count;
};

/* The world of a statement, or NOWHERE. */
static int world_of(const struct split *in, const split_statement *statement)
{
    for (int k = 0; k < statement->arity; k++) {
        const int world = object_at(in, objects_of(in, statement)[k])->world;
        if (world != NOWHERE)
            return world;
    }
    return NOWHERE;
}

static nlm_status deal(struct split *in, struct dealing *out)
{
    const size_t worlds = (size_t)in->worlds, statements = (size_t)in->statement_count;
    if (buffer_reserve(&out->start, worlds + 2, sizeof(int), false) ||
        buffer_reserve(&out->own, statements, sizeof(int), false) ||
        buffer_reserve(&out->all, statements, sizeof(int), false))
        return error_no_memory(in->error);
    int *start = out->start.data, *own = out->own.data, *all = out->all.data;
    memset(start, 0, (worlds + 2) * sizeof *start);
    for (int s = 0; s < in->statement_count; s++) {
        const int world = world_of(in, statement_at(in, s));
        if (world != NOWHERE)
            start[world + 2]++;
        else
            all[out->all_count++] = s;
    }
    for (size_t w = 2; w < worlds + 2; w++)
        start[w] += start[w - 1];
    for (int s = 0; s < in->statement_count; s++) {
        const int world = world_of(in, statement_at(in, s));
        if (world != NOWHERE)
            own[start[world + 1]++] = s;
    }
    return NLM_OK;
}

static nlm_status append(struct split *in, split_statement *statement, int world)
{
    const draft_world *from = draft_world_at(in->draft, 0);
    draft_world *to = draft_world_at(in->draft, in->draft->world_count - 1);
    const size_t length = (size_t)statement->length;
    if (buffer_reserve(&to->log, to->length + length, sizeof(int), true))
        return error_no_memory(in->error);
    memcpy((int *)to->log.data + to->length, (const int *)from->log.data + statement->at,
           length * sizeof(int));
    nlm_status status = draft_copy_origin(from, statement->at, to, in->error);
    to->length += length;
    statement->stamp = world + 1;
    return status;
}

/* Stamp the objects of a statement; those that are new are queued. */
static void mention(struct split *in, const split_statement *statement, int world, int *queued)
{
    for (int k = 0; k < statement->arity; k++) {
        split_object *object = object_at(in, objects_of(in, statement)[k]);
        if (object->stamp == world + 1)
            continue;
        object->stamp = world + 1;
        ((int *)in->queue.data)[(*queued)++] = objects_of(in, statement)[k];
    }
}

static bool is_within(const struct split *in, const split_statement *statement, int world)
{
    for (int k = 0; k < statement->arity; k++)
        if (object_at(in, objects_of(in, statement)[k])->stamp != world + 1)
            return false;
    return true;
}

/* What is known about shared objects, a few steps from those that the world mentions, of which there are
 * `queued`: first the objects, then all statements about nothing but them. */
static nlm_status append_shared(struct split *in, int world, int queued)
{
    const int *queue = in->queue.data, *start = in->start.data, *uses = in->uses.data;
    int next = 0;
    for (int step = 0; step < SHARED_STEPS; step++)
        for (const int end = queued; next < end; next++)
            for (int u = start[queue[next]]; u < start[queue[next] + 1]; u++)
                if (world_of(in, statement_at(in, uses[u])) == NOWHERE)
                    mention(in, statement_at(in, uses[u]), world, &queued);
    nlm_status status = NLM_OK;
    for (int q = 0; q < queued; q++)
        for (int u = start[queue[q]]; u < start[queue[q] + 1] && !status; u++) {
            split_statement *statement = statement_at(in, uses[u]);
            if (statement->stamp != world + 1 && world_of(in, statement) == NOWHERE &&
                is_within(in, statement, world))
                status = append(in, statement, world);
        }
    return status;
}

/* The object that names the world, if a folder may be called so; or else a number. */
static const char *name_world(const struct split *in, int world, char number[NUMBER_SIZE])
{
    const split_object *named = object_at(in, ((const int *)in->named.data)[world]);
    const char *name = names_at(&in->draft->atoms, named->atom)->text;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || (name[length] && strchr("_-", name[length])))
        length++;
    if (!name[length] && length <= LONGEST_NAME && strcmp(name, "images") != 0)
        return name;
    snprintf(number, NUMBER_SIZE, "world-%d", world + 1);
    return number;
}

static nlm_status begin_world(struct split *in, int world)
{
    char number[NUMBER_SIZE];
    nlm_status status = draft_begin_world(in->draft, name_world(in, world, number), in->error);
    if (status)
        return status;
    const draft_world *from = draft_world_at(in->draft, 0);
    draft_world *to = draft_world_at(in->draft, in->draft->world_count - 1);
    to->examples = from->examples;
    for (int t = 0; t < from->table_count && !status; t++)
        status = draft_append(&to->tables, &to->table_count, ((const int *)from->tables.data)[t], in->error);
    return status;
}

static nlm_status make_world(struct split *in, const struct dealing *from, int world)
{
    const int *start = from->start.data, *own = from->own.data, *all = from->all.data;
    int queued = 0;
    nlm_status status = begin_world(in, world);
    for (int i = start[world]; i < start[world + 1] && !status; i++) {
        status = append(in, statement_at(in, own[i]), world);
        mention(in, statement_at(in, own[i]), world, &queued);
    }
    for (int i = 0; i < from->all_count && !status; i++)
        if (statement_at(in, all[i])->arity == 0)
            status = append(in, statement_at(in, all[i]), world);
    return status ? status : append_shared(in, world, queued);
}

/* Worlds without labels are of no use to learn from. */
static bool is_wanted(const struct split *in, int world)
{
    return in->what->is_model || in->what->closed || in->labelled_worlds == 0 ||
           ((const bool *)in->labelled.data)[world];
}

/* The new worlds take the place of the first. */
static void drop_first_world(draft *in)
{
    draft_world *worlds = in->worlds.data;
    buffer_free(&worlds[0].log);
    buffer_free(&worlds[0].tables);
    buffer_free(&worlds[0].origins);
    memmove(worlds, worlds + 1, (size_t)--in->world_count * sizeof *worlds);
}

nlm_status split_make(struct split *in)
{
    struct dealing dealt = {0};
    nlm_status status = deal(in, &dealt);
    for (int w = 0; w < in->worlds && !status; w++)
        if (is_wanted(in, w))
            status = make_world(in, &dealt, w);
    if (!status)
        drop_first_world(in->draft);
    buffer_free(&dealt.start);
    buffer_free(&dealt.own);
    buffer_free(&dealt.all);
    return status;
}
