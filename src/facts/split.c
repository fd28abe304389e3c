/* One file, many worlds.
 *
 * A *column* is a place of a predicate, a *sort* the columns that hold the same objects: those of one type,
 * or without types those that have an object in common.  A sort tells worlds apart if every label names one
 * of its objects and no statement names two.  Objects are then reached from these, along statements:
 *
 *     train t1 ── has_car(t1, c1) ── car c1 ── has_load(c1, l1) ── load l1        all of world t1
 *     piece p1 ── size(p1, 3) ── 3 ── size(p7, 3) ── piece p7 of another world    the sort of 3 is for all
 *
 * A sort of which several worlds reach one object is for all worlds, and nothing is reached through it.  The
 * first such sort is found, those nearest to the labelled objects first, and all is begun anew without it; so
 * each round leaves one sort less.
 *
 * Invariant after assign(): no statement has own objects of two worlds. */
#include "facts/split.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/problem.h"
#include "facts/split_parts.h"
#include "nlm/tools.h"

enum {
    LEAST_WORLDS = 8, /* with labels; fewer are not taken for worlds unless that is asked for */
    REACHED = 1 << 4  /* beside nlm_share */
};

static int column_of(int predicate, int place)
{
    return predicate * NLM_MAX_FACT_ARITY + place;
}

static int columns(const struct split *in)
{
    return in->draft->predicates.count * NLM_MAX_FACT_ARITY;
}

static int *share_at(const struct split *in, int column)
{
    return (int *)in->share.data + column;
}

static int share_of(const struct split *in, int object)
{
    return *share_at(in, object_at(in, object)->column);
}

static void release(struct split *in)
{
    buffer *const all[] = {&in->first, &in->objects, &in->statements, &in->places, &in->parent,  &in->share,
                           &in->start, &in->uses,    &in->queue,      &in->named,  &in->labelled};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buffer_free(all[i]);
}

/* ---- sorts ---- */

static int sort_of(const struct split *in, int column)
{
    int *parent = in->parent.data;
    while (parent[column] != column)
        column = parent[column] = parent[parent[column]];
    return column;
}

static void unite(const struct split *in, int a, int b)
{
    ((int *)in->parent.data)[sort_of(in, a)] = sort_of(in, b);
}

/* Columns of one type hold the same objects, even if none of them does so far. */
static nlm_status unite_types(struct split *in)
{
    const size_t types = (size_t)in->draft->types.count;
    if (buffer_reserve(&in->queue, types, sizeof(int), false))
        return error_no_memory(in->error);
    int *first = in->queue.data;
    memset(first, -1, types * sizeof *first);
    for (int column = 0; column < columns(in); column++) {
        const int type = meaning_at(in->what, column / NLM_MAX_FACT_ARITY)->type[column % NLM_MAX_FACT_ARITY];
        if (type > 0 && first[type] >= 0)
            unite(in, column, first[type]);
        else if (type > 0)
            first[type] = column;
    }
    return NLM_OK;
}

/* ---- statements and their objects ---- */

/* The object of an atom under a type, or NOWHERE. */
static int find_object(const struct split *in, int atom, int type)
{
    int object = ((const int *)in->first.data)[atom] - 1;
    while (object >= 0 && object_at(in, object)->type != type)
        object = object_at(in, object)->next - 1;
    return object;
}

static nlm_status add_place(struct split *in, int atom, int type, int column)
{
    int object = find_object(in, atom, type);
    if (in->object_count == INT_MAX - 1 || in->place_count == INT_MAX - 1 ||
        buffer_reserve(&in->objects, (size_t)in->object_count + 1, sizeof(split_object), true) ||
        buffer_reserve(&in->places, (size_t)in->place_count + 1, sizeof(int), true))
        return error_no_memory(in->error);
    if (object < 0) {
        int *first = (int *)in->first.data + atom;
        object = in->object_count++;
        *object_at(in, object) = (split_object){.atom = atom, .type = type, .next = *first, .column = column};
        *first = object + 1;
    } else {
        unite(in, column, object_at(in, object)->column);
    }
    ((int *)in->places.data)[in->place_count++] = object;
    return NLM_OK;
}

static nlm_status add_statement(struct split *in, const draft_statement *statement, size_t at, bool label)
{
    if (buffer_reserve(&in->statements, (size_t)in->statement_count + 1, sizeof(split_statement), true))
        return error_no_memory(in->error);
    const int arity = statement->arity - meaning_at(in->what, statement->predicate)->numbers;
    *statement_at(in, in->statement_count++) = (split_statement){.at = at,
                                                                 .places = in->place_count,
                                                                 .predicate = statement->predicate,
                                                                 .arity = arity,
                                                                 .length = 1 + statement->arity,
                                                                 .label = label};
    const int *type = meaning_at(in->what, statement->predicate)->type;
    nlm_status status = NLM_OK;
    for (int k = 0; k < arity && !status; k++)
        status = add_place(in, statement->atoms[k], type[k], column_of(statement->predicate, k));
    return status;
}

/* The statements that count. */
static nlm_status collect(struct split *in)
{
    draft_statement statement;
    nlm_status status = NLM_OK;
    for (size_t at = 0, before = 0; !status; before = at) {
        if (!draft_next(in->draft, draft_world_at(in->draft, 0), &at, &statement))
            break;
        const meaning_role *role = meaning_at(in->what, statement.predicate);
        const int side = meaning_side(role, statement.kind);
        if (side >= 0 || (role->attribute >= 0 && statement.kind == DRAFT_FACT))
            status = add_statement(in, &statement, before, side == SIGNATURE_TARGETS);
    }
    return status ? status : unite_types(in);
}

/* Which statements each object is in. */
static nlm_status index_uses(struct split *in)
{
    const size_t objects = (size_t)in->object_count;
    if (buffer_reserve(&in->start, objects + 2, sizeof(int), false) ||
        buffer_reserve(&in->uses, (size_t)in->place_count, sizeof(int), false) ||
        buffer_reserve(&in->queue, objects, sizeof(int), false) ||
        buffer_reserve(&in->named, objects, sizeof(int), false) ||
        buffer_reserve(&in->labelled, objects, sizeof(bool), false))
        return error_no_memory(in->error);
    int *start = in->start.data, *uses = in->uses.data;
    const int *places = in->places.data;
    memset(start, 0, (objects + 2) * sizeof *start);
    for (int i = 0; i < in->place_count; i++)
        start[places[i] + 2]++;
    for (size_t o = 2; o < objects + 2; o++)
        start[o] += start[o - 1];
    for (int s = 0; s < in->statement_count; s++)
        for (int k = 0; k < statement_at(in, s)->arity; k++)
            uses[start[objects_of(in, statement_at(in, s))[k] + 1]++] = s;
    return NLM_OK;
}

static nlm_status prepare(struct split *in)
{
    const size_t atoms = (size_t)in->draft->atoms.count;
    if (buffer_reserve(&in->first, atoms, sizeof(int), false) ||
        buffer_reserve(&in->parent, (size_t)columns(in), sizeof(int), false) ||
        buffer_reserve(&in->share, (size_t)columns(in), sizeof(int), false))
        return error_no_memory(in->error);
    memset(in->first.data, 0, atoms * sizeof(int));
    for (int column = 0; column < columns(in); column++) {
        ((int *)in->parent.data)[column] = column;
        *share_at(in, column) = NLM_SHARE_NONE;
    }
    nlm_status status = collect(in);
    return status ? status : index_uses(in);
}

/* ---- which world reaches an object ---- */

/* The column of the sort that is to blame for two objects of different worlds in one statement: that of the
 * one farther away; NOWHERE if both name worlds. */
static int blame(const struct split *in, int reached, int from)
{
    const split_object *a = object_at(in, reached), *b = object_at(in, from);
    if (a->level == 0 && b->level == 0)
        return NOWHERE;
    return a->level >= b->level ? a->column : b->column;
}

/* Give each object the world that reaches it.  *clash becomes a statement with own objects of two worlds, and
 * *column the sort to blame; or both NOWHERE. */
static void assign(struct split *in, int *clash, int *column)
{
    int *queue = in->queue.data, *named = in->named.data, reached = 0;
    in->worlds = 0;
    *clash = *column = NOWHERE;
    for (int o = 0; o < in->object_count; o++) {
        split_object *object = object_at(in, o);
        object->world = NOWHERE;
        object->level = 0;
        if (share_of(in, o) != NLM_SHARE_WORLD)
            continue;
        object->world = in->worlds;
        named[in->worlds++] = queue[reached++] = o;
    }
    const int *start = in->start.data, *uses = in->uses.data;
    for (int next = 0; next < reached; next++) {
        const int from = queue[next];
        for (int u = start[from]; u < start[from + 1]; u++) {
            const split_statement *statement = statement_at(in, uses[u]);
            for (int k = 0; k < statement->arity; k++) {
                const int to = objects_of(in, statement)[k];
                split_object *object = object_at(in, to);
                if (share_of(in, to) == NLM_SHARE_ALL || object->world == object_at(in, from)->world)
                    continue;
                if (object->world != NOWHERE) {
                    *clash = uses[u];
                    *column = blame(in, to, from);
                    return;
                }
                object->world = object_at(in, from)->world;
                object->level = object_at(in, from)->level + 1;
                queue[reached++] = to;
            }
        }
    }
}

static void set_share(const struct split *in, int sort, nlm_share share)
{
    for (int column = 0; column < columns(in); column++)
        if (sort_of(in, column) == sort)
            *share_at(in, column) = share;
}

/* Tell worlds apart by a sort; false if one statement names two of them, which is *clash. */
static bool assign_by(struct split *in, int sort, int *clash)
{
    for (int column = 0; column < columns(in); column++)
        *share_at(in, column) = NLM_SHARE_OWN;
    set_share(in, sort, NLM_SHARE_WORLD);
    for (;;) {
        int column;
        assign(in, clash, &column);
        if (*clash == NOWHERE || column == NOWHERE)
            return *clash == NOWHERE;
        set_share(in, sort_of(in, column), NLM_SHARE_ALL);
    }
}

/* Which worlds have a label. */
static void count_labels(struct split *in)
{
    bool *labelled = in->labelled.data;
    memset(labelled, 0, (size_t)in->worlds * sizeof *labelled);
    in->labelled_worlds = 0;
    for (int s = 0; s < in->statement_count; s++) {
        const split_statement *statement = statement_at(in, s);
        for (int k = 0; k < statement->arity && statement->label; k++) {
            const int world = object_at(in, objects_of(in, statement)[k])->world;
            if (world == NOWHERE || labelled[world])
                continue;
            labelled[world] = true;
            in->labelled_worlds++;
        }
    }
}

/* ---- which sort ---- */

/* Places of a predicate that are of a sort. */
static int count_places(const struct split *in, int predicate, int sort)
{
    int count = 0;
    for (int k = 0; k < names_at(&in->draft->predicates, predicate)->arity; k++)
        count += sort_of(in, column_of(predicate, k)) == sort;
    return count;
}

/* The first predicate that does not fit worlds of this sort, since it names none or two; NOWHERE if all do.
 */
static int find_misfit(const struct split *in, int sort)
{
    for (int p = 0; p < in->draft->predicates.count; p++) {
        const meaning_role *role = meaning_at(in->what, p);
        const int count = count_places(in, p, sort);
        if ((role->is_target && count != 1) || (role->is_input && count > 1))
            return p;
    }
    return NOWHERE;
}

/* Whether this is what many small worlds look like: many have labels, and either there are objects of their
 * own in them or, as examples are often written, each label tells its world beside what it is about. */
static bool looks_right(const struct split *in)
{
    bool beside = in->draft->examples;
    for (int p = 0; p < in->draft->predicates.count; p++)
        if (meaning_at(in->what, p)->is_target)
            beside = beside && names_at(&in->draft->predicates, p)->arity > 1;
    int own = 0;
    for (int o = 0; o < in->object_count; o++)
        own += object_at(in, o)->world != NOWHERE && object_at(in, o)->level > 0;
    return in->labelled_worlds >= LEAST_WORLDS && (beside || own >= in->worlds);
}

/* The sorts of a target's places are tried in their order. */
static bool find_worlds(struct split *in)
{
    int target = 0, clash;
    while (target < in->draft->predicates.count && !meaning_at(in->what, target)->is_target)
        target++;
    if (target == in->draft->predicates.count)
        return false;
    for (int k = 0; k < names_at(&in->draft->predicates, target)->arity; k++) {
        const int sort = sort_of(in, column_of(target, k));
        if (find_misfit(in, sort) != NOWHERE || !assign_by(in, sort, &clash))
            continue;
        count_labels(in);
        if (looks_right(in))
            return true;
    }
    return false;
}

/* ---- messages ---- */

static const char *const ORDINALS[NLM_MAX_FACT_ARITY] = {"first", "second", "third", "fourth"};

typedef struct argument_name {
    char text[120];
} argument_name;

/* "the first argument of has_car" */
static argument_name name_argument(const struct split *in, int column)
{
    argument_name name;
    snprintf(name.text, sizeof name.text, "the %s argument of %s", ORDINALS[column % NLM_MAX_FACT_ARITY],
             message_cut_text(names_at(&in->draft->predicates, column / NLM_MAX_FACT_ARITY)->text).text);
    return name;
}

/* The argument that the worlds are told by: of an input that says more than one thing about them, if any. */
static int telling_column(const struct split *in)
{
    int found = NOWHERE;
    for (int column = 0; column < columns(in); column++) {
        const int predicate = column / NLM_MAX_FACT_ARITY;
        const bool relates = meaning_at(in->what, predicate)->is_input &&
                             names_at(&in->draft->predicates, predicate)->arity > 1;
        if (*share_at(in, column) == NLM_SHARE_WORLD &&
            column % NLM_MAX_FACT_ARITY < names_at(&in->draft->predicates, predicate)->arity &&
            (found == NOWHERE || relates)) {
            found = column;
            if (relates)
                break;
        }
    }
    return found;
}

/* A statement as it is written, such as near(t1, t2). */
static void write_statement(const struct split *in, const split_statement *statement, char *text, size_t size)
{
    int used = snprintf(text, size, "%s(",
                        message_cut_text(names_at(&in->draft->predicates, statement->predicate)->text).text);
    for (int k = 0; k < statement->arity && used < (int)size; k++) {
        const int atom = object_at(in, objects_of(in, statement)[k])->atom;
        used += snprintf(text + used, size - (size_t)used, "%s%s", k ? ", " : "",
                         message_cut_text(names_at(&in->draft->atoms, atom)->text).text);
    }
    if (used < (int)size)
        snprintf(text + used, size - (size_t)used, ")");
}

static nlm_status refuse_clash(const struct split *in, int column, int clash)
{
    char text[200];
    write_statement(in, statement_at(in, clash), text, sizeof text);
    return message_argument(in->error,
                            "%.150s: no worlds by %s: %s belongs to two of them; --worlds-by none reads one "
                            "world",
                            in->path, name_argument(in, column).text, text);
}

/* ---- what was asked for ---- */

/* "has_car", "has_car/2", "has_car:1" or "has_car/2:1" as a column. */
static nlm_status find_asked(const struct split *in, const char *text, int *column)
{
    const char *colon = strrchr(text, ':');
    char name[80];
    int place = 1, predicate;
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (colon)
        place = colon[1] >= '1' && colon[1] <= '0' + NLM_MAX_FACT_ARITY && !colon[2] ? colon[1] - '0' : 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    nlm_status status = meaning_target(in->draft, name, in->path, &predicate, in->error);
    if (status)
        return status;
    if (place < 1 || place > names_at(&in->draft->predicates, predicate)->arity)
        return message_argument(in->error,
                                "%s tells no argument: write has_car for the first of has_car, "
                                "has_car:2 for the second",
                                message_cut_text(text).text);
    *column = column_of(predicate, place - 1);
    return NLM_OK;
}

static nlm_status take_asked(struct split *in)
{
    int column = 0, clash;
    nlm_status status = find_asked(in, in->reading->worlds_by, &column);
    if (status)
        return status;
    const int sort = sort_of(in, column), misfit = find_misfit(in, sort);
    if (misfit != NOWHERE)
        return message_argument(in->error, "%.150s: no worlds by %s: %s/%d names %s of them", in->path,
                                name_argument(in, column).text,
                                message_cut_text(names_at(&in->draft->predicates, misfit)->text).text,
                                names_at(&in->draft->predicates, misfit)->arity,
                                count_places(in, misfit, sort) ? "two" : "none");
    if (!assign_by(in, sort, &clash))
        return refuse_clash(in, column, clash);
    count_labels(in);
    return NLM_OK;
}

/* The objects of attributes are those of other places. */
static void share_attributes(struct split *in)
{
    for (int column = 0; column < columns(in); column++)
        for (int other = 0;
             other < columns(in) && meaning_at(in->what, column / NLM_MAX_FACT_ARITY)->attribute >= 0;
             other++)
            if (sort_of(in, other) == sort_of(in, column) && *share_at(in, other) != NLM_SHARE_NONE)
                *share_at(in, column) = *share_at(in, other);
}

/* As the worlds of a model were told apart. */
static nlm_status take_model(struct split *in, bool *found)
{
    const nlm_signature *signature = in->what->signature;
    int clash, column;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++) {
            const nlm_predicate *predicate = signature_at(signature, side, i);
            const int number = signature_is_derived(predicate)
                                   ? -1
                                   : names_find(&in->draft->predicates, predicate->name,
                                                strlen(predicate->name), predicate->arity);
            for (int k = 0; k < predicate->arity && number >= 0; k++)
                *share_at(in, column_of(number, k)) = (int)predicate->share[k];
        }
    share_attributes(in);
    assign(in, &clash, &column);
    *found = in->worlds > 0;
    if (clash != NOWHERE)
        return refuse_clash(in, telling_column(in), clash);
    count_labels(in);
    return NLM_OK;
}

static bool model_has_worlds(const nlm_signature *signature)
{
    for (int side = 0; side < SIGNATURE_SIDES && signature; side++)
        for (int i = 0; i < signature->count[side]; i++)
            if (signature_at(signature, side, i)->share[0] != NLM_SHARE_NONE)
                return true;
    return false;
}

/* ---- all of it ---- */

/* Sorts that no world reaches are for all. */
static void share_unreached(struct split *in)
{
    for (int o = 0; o < in->object_count; o++) /* a mark at the sort's own column */
        if (object_at(in, o)->world != NOWHERE)
            *share_at(in, sort_of(in, object_at(in, o)->column)) |= REACHED;
    for (int column = 0; column < columns(in); column++)
        if (!(*share_at(in, sort_of(in, column)) & REACHED))
            *share_at(in, column) = NLM_SHARE_ALL;
    for (int column = 0; column < columns(in); column++)
        *share_at(in, column) &= ~REACHED;
}

/* What the places hold becomes part of the signature. */
static nlm_status tell_signature(struct split *in)
{
    share_unreached(in);
    nlm_signature *signature = in->what->signature;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++) {
            nlm_predicate *predicate = (nlm_predicate *)signature->predicates[side].data + i;
            const int number = names_find(&in->draft->predicates, predicate->name, strlen(predicate->name),
                                          predicate->arity);
            for (int k = 0; k < predicate->arity && number >= 0 && !signature_is_derived(predicate); k++)
                predicate->share[k] = (nlm_share)*share_at(in, column_of(number, k));
        }
    return signature_finish(signature, in->error);
}

static nlm_status tell(struct split *in)
{
    char count[NLM_NUMBER_TEXT];
    const int left = in->draft->world_count;
    const bool asked = in->reading->worlds_by != NULL;
    nlm_status status = NLM_OK;
    if (!asked)
        status =
            notes_add(&in->draft->notes, in->error,
                      "%.200s: this looks like %s worlds by %s; --worlds-by none reads it as one", in->path,
                      nlm_count_text((size_t)in->worlds, count), name_argument(in, telling_column(in)).text);
    if (!status && left < in->worlds)
        status = notes_add(&in->draft->notes, in->error, "%.200s: %s of these worlds ha%s no label", in->path,
                           nlm_count_text((size_t)(in->worlds - left), count),
                           in->worlds - left == 1 ? "s" : "ve");
    return status ? status : tell_signature(in);
}

static nlm_status find_and_make(struct split *in, bool *found)
{
    const bool is_model = in->what->is_model;
    nlm_status status = prepare(in);
    if (!status && in->reading->worlds_by)
        status = take_asked(in);
    else if (!status && is_model)
        status = take_model(in, found);
    else if (!status)
        *found = find_worlds(in);
    if (status || !*found)
        return status;
    status = split_make(in);
    return status || is_model ? status : tell(in);
}

nlm_status split_worlds_of(draft *in, meaning *what, const nlm_reading *reading, const char *path,
                           bool *is_split, nlm_error *error)
{
    const char *by = reading->worlds_by;
    *is_split = false;
    if ((by && !strcmp(by, "none")) || (!by && reading->signature && !model_has_worlds(reading->signature)) ||
        (!by && in->world_count != 1))
        return NLM_OK;
    if (in->world_count != 1)
        return message_argument(error, "%.200s has %d worlds already: --worlds-by is for one file of many",
                                path, in->world_count);
    struct split all = {.draft = in, .what = what, .reading = reading, .path = path, .error = error};
    bool found = by != NULL;
    nlm_status status = find_and_make(&all, &found);
    release(&all);
    *is_split = !status && found;
    return status;
}
