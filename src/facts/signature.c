/* Signatures: lists of predicates, and what follows from one for objects and tuples.
 *
 * Invariants: names are without "(" and "/"; place is a pattern; a predicate's types are all "" or all plain
 * names; with types the objects of worlds are called type:atom. */
#include "facts/signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/constant.h"
#include "base/line.h"
#include "facts/comparison.h"
#include "facts/pattern.h"
#include "world/world.h"

nlm_status signature_new(nlm_signature **signature, nlm_error *error)
{
    *signature = memory_new(1, sizeof **signature);
    return *signature ? NLM_OK : error_no_memory(error);
}

void nlm_signature_free(nlm_signature *signature)
{
    if (!signature)
        return;
    text_free(&signature->texts);
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        buffer_free(&signature->predicates[side]);
    buffer_free(&signature->attributes);
    free(signature->text);
    memory_free(signature);
}

const nlm_predicate *signature_at(const nlm_signature *signature, int side, int number)
{
    return (const nlm_predicate *)signature->predicates[side].data + number;
}

static const char *keep(nlm_signature *signature, const char *text)
{
    return *text ? text_keep(&signature->texts, text, strlen(text)) : "";
}

nlm_status signature_add(nlm_signature *signature, int side, const nlm_predicate *predicate, nlm_error *error)
{
    buffer *list = &signature->predicates[side];
    size_t number = (size_t)signature->count[side];
    if (buffer_reserve(list, number + 1, sizeof(nlm_predicate), true))
        return error_no_memory(error);
    nlm_predicate *added = (nlm_predicate *)list->data + number;
    *added = *predicate;
    added->name = keep(signature, predicate->name);
    bool kept = added->name != NULL;
    for (int k = 0; k < NLM_MAX_FACT_ARITY; k++) {
        const char *type = k < predicate->arity && predicate->type[k] ? predicate->type[k] : "";
        added->type[k] = keep(signature, type);
        kept = kept && added->type[k];
        signature->typed |= *type != '\0';
    }
    if (!kept)
        return error_no_memory(error);
    signature->count[side]++;
    return NLM_OK;
}

static nlm_status add_attribute(nlm_signature *signature, const nlm_attribute *attribute, nlm_error *error)
{
    size_t number = (size_t)signature->attribute_count;
    if (buffer_reserve(&signature->attributes, number + 1, sizeof *attribute, true))
        return error_no_memory(error);
    nlm_attribute *added = (nlm_attribute *)signature->attributes.data + number;
    *added = *attribute;
    added->name = keep(signature, attribute->name);
    bool kept = added->name != NULL;
    for (int k = 0; k < NLM_MAX_FACT_ARITY; k++) {
        const char *type = k < attribute->objects && attribute->type[k] ? attribute->type[k] : "";
        added->type[k] = keep(signature, type);
        kept = kept && added->type[k];
        signature->typed |= *type != '\0';
    }
    signature->attribute_count += kept;
    return kept ? NLM_OK : error_no_memory(error);
}

nlm_status signature_add_attributes(nlm_signature *signature, const nlm_attribute *first, nlm_error *error)
{
    nlm_attribute attribute = *first;
    nlm_status status = NLM_OK;
    for (attribute.place = first->objects; attribute.place < first->arity && !status; attribute.place++)
        status = add_attribute(signature, &attribute, error);
    return status;
}

int signature_find_attribute(const nlm_signature *signature, const char *name, int arity)
{
    for (int a = 0; a < signature->attribute_count; a++) {
        const nlm_attribute *attribute = signature_attribute_at(signature, a);
        if (attribute->arity == arity && !strcmp(attribute->name, name))
            return a;
    }
    return -1;
}

nlm_status signature_copy(const nlm_signature *from, nlm_signature **copy, nlm_error *error)
{
    nlm_status status = signature_new(copy, error);
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < from->count[side] && !status; i++)
            status = signature_add(*copy, side, signature_at(from, side, i), error);
    for (int a = 0; a < from->attribute_count && !status; a++)
        status = add_attribute(*copy, signature_attribute_at(from, a), error);
    if (!status)
        status = signature_finish(*copy, error);
    if (status) {
        nlm_signature_free(*copy);
        *copy = NULL;
    }
    return status;
}

int signature_code(const nlm_predicate *predicate)
{
    return pattern_code(predicate->place, predicate->arity);
}

int signature_find(const nlm_signature *signature, int side, const char *name, int arity, int code)
{
    for (int i = 0; i < signature->count[side]; i++) {
        const nlm_predicate *predicate = signature_at(signature, side, i);
        if (predicate->arity == arity && !predicate->is_type && signature_code(predicate) == code &&
            !strcmp(predicate->name, name))
            return i;
    }
    return -1;
}

const char *signature_object_type(const nlm_predicate *predicate, int object)
{
    for (int k = 0; k < predicate->arity; k++)
        if (predicate->place[k] == object)
            return predicate->type[k];
    return "";
}

bool signature_tells_world(const nlm_predicate *predicate, int object)
{
    for (int k = 0; k < predicate->arity; k++)
        if (predicate->place[k] == object && predicate->share[k] == NLM_SHARE_WORLD)
            return true;
    return false;
}

/* ---- worlds ---- */

/* likes(A,A): the pattern after the name, which is written by the caller. */
static void add_pattern(line_space *out, const nlm_predicate *predicate)
{
    for (int k = 0; k < predicate->arity; k++) {
        char place[] = {k ? ',' : '(', (char)('A' + predicate->place[k])};
        line_add(out, place, 2);
    }
    line_add_text(out, ")");
}

static nlm_status add_name(const nlm_predicate *predicate, int side, nlm_label by_default, buffer *space,
                           nlm_world *world, nlm_error *error)
{
    size_t size = strlen(predicate->name) + SIGNATURE_NAME_SPACE;
    if (buffer_reserve(space, size, 1, false))
        return error_no_memory(error);
    line_space out = line_start(space->data, size);
    line_add_text(&out, predicate->is_type ? "type(" : "");
    line_add_text(&out, predicate->name);
    if (predicate->objects < predicate->arity)
        add_pattern(&out, predicate);
    line_add_text(&out, predicate->is_type ? ")" : "");
    line_end(&out);
    return side == SIGNATURE_INPUTS
               ? nlm_world_add_predicate(world, space->data, predicate->objects, NULL, error)
               : nlm_world_add_target(world, space->data, predicate->objects, by_default, NULL, error);
}

nlm_status signature_start_world(const nlm_signature *signature, unsigned closed, nlm_world *world,
                                 nlm_error *error)
{
    buffer space = {0};
    nlm_status status = NLM_OK;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side] && !status; i++)
            status = add_name(signature_at(signature, side, i), side,
                              side == SIGNATURE_TARGETS && closed >> i & 1 ? NLM_FALSE : NLM_UNLABELLED,
                              &space, world, error);
    for (int a = 0; a < signature->attribute_count && !status; a++) {
        const nlm_attribute *attribute = signature_attribute_at(signature, a);
        size_t size = nlm_attribute_text(attribute, NULL, 0) + 1;
        if (buffer_reserve(&space, size, 1, false))
            status = error_no_memory(error);
        else {
            nlm_attribute_text(attribute, space.data, size);
            status = nlm_world_add_attribute(world, space.data, attribute->objects, NULL, error);
        }
    }
    buffer_free(&space);
    return status;
}

/* ---- questions ---- */

int nlm_signature_inputs(const nlm_signature *signature)
{
    return signature->count[SIGNATURE_INPUTS];
}

int nlm_signature_targets(const nlm_signature *signature)
{
    return signature->count[SIGNATURE_TARGETS];
}

const nlm_predicate *nlm_signature_input(const nlm_signature *signature, int input)
{
    return input >= 0 && input < signature->count[SIGNATURE_INPUTS]
               ? signature_at(signature, SIGNATURE_INPUTS, input)
               : NULL;
}

const nlm_predicate *nlm_signature_target(const nlm_signature *signature, int target)
{
    return target >= 0 && target < signature->count[SIGNATURE_TARGETS]
               ? signature_at(signature, SIGNATURE_TARGETS, target)
               : NULL;
}

int nlm_signature_attributes(const nlm_signature *signature)
{
    return signature->attribute_count;
}

const nlm_attribute *nlm_signature_attribute(const nlm_signature *signature, int attribute)
{
    return attribute >= 0 && attribute < signature->attribute_count
               ? signature_attribute_at(signature, attribute)
               : NULL;
}

bool nlm_signature_typed(const nlm_signature *signature)
{
    return signature->typed;
}

/* Where the atom begins in the name of an object; types have no ":". */
static const char *atom_of(const nlm_signature *signature, const char *name)
{
    const char *colon = signature->typed ? strchr(name, ':') : NULL;
    return colon ? colon + 1 : name;
}

const char *nlm_signature_atom(const nlm_signature *signature, const nlm_world *world, int object)
{
    const char *name = nlm_world_object_name(world, object);
    return name ? atom_of(signature, name) : NULL;
}

void nlm_signature_type(const nlm_signature *signature, const nlm_world *world, int object, char *type,
                        size_t size)
{
    const char *name = nlm_world_object_name(world, object);
    const char *atom = name ? atom_of(signature, name) : NULL;
    line_space out = line_start(type, size);
    if (atom > name)
        line_add(&out, name, (size_t)(atom - name) - 1);
    line_end(&out);
}

bool nlm_signature_fits(const nlm_signature *signature, const nlm_predicate *predicate,
                        const nlm_world *world, const int *tuple)
{
    const int named = world_named(world);
    for (int k = 0; named >= 0 && k < predicate->arity; k++)
        if (predicate->share[k] == NLM_SHARE_WORLD && tuple[predicate->place[k]] != named)
            return false;
    for (int k = 0; signature->typed && k < predicate->arity; k++) {
        const char *name = nlm_world_object_name(world, tuple[predicate->place[k]]);
        size_t length = name ? (size_t)(atom_of(signature, name) - name) : 0;
        if (length != strlen(predicate->type[k]) + 1 || memcmp(name, predicate->type[k], length - 1))
            return false;
    }
    return true;
}

/* ---- texts ---- */

/* A name as `write` puts it down: atom_text or atom_predicate_text. */
static void add_quoted(line_space *out, const char *name, size_t (*write)(const char *, char *, size_t))
{
    size_t size;
    char *rest = line_rest(out, &size);
    out->length += write(name, rest, size);
}

static void add_atom(line_space *out, const nlm_signature *signature, const nlm_world *world, int object)
{
    const char *atom = nlm_signature_atom(signature, world, object);
    add_quoted(out, atom ? atom : "?", atom_text);
}

/* size(p1,V), V >= 3.76 */
static size_t add_comparison(line_space *out, const nlm_signature *signature, const nlm_predicate *predicate,
                             const nlm_world *world, const int *tuple)
{
    enum { SPACE = 200 };
    char atoms[NLM_MAX_FACT_ARITY][SPACE];
    const char *objects[NLM_MAX_FACT_ARITY];
    for (int k = 0; k < predicate->objects; k++) {
        const char *atom = nlm_signature_atom(signature, world, tuple[k]);
        atom_text(atom ? atom : "?", atoms[k], SPACE);
        objects[k] = atoms[k];
    }
    size_t room;
    char *rest = line_rest(out, &room);
    out->length += comparison_about(signature, predicate, objects, rest, room);
    return line_end(out);
}

size_t nlm_fact_text(const nlm_signature *signature, const nlm_predicate *predicate, const nlm_world *world,
                     const int *tuple, char *text, size_t size)
{
    line_space out = line_start(text, size);
    if (predicate->comparison.terms > 0)
        return add_comparison(&out, signature, predicate, world, tuple);
    constant_parts parts;
    if (constant_parts_read(predicate->name, &parts)) {
        line_add(&out, parts.name.text, parts.name.length);
        for (int k = 0; k < parts.arity; k++) {
            line_add_text(&out, k ? ", " : "(");
            if (parts.object[k] < 0)
                line_add(&out, parts.text[k].text, parts.text[k].length);
            else
                add_atom(&out, signature, world, tuple[predicate->place[parts.object[k]]]);
        }
        line_add_text(&out, ")");
        return line_end(&out);
    }
    if (predicate->is_type)
        line_add_text(&out, "type(");
    add_quoted(&out, predicate->name, atom_predicate_text);
    for (int k = 0; k < predicate->arity; k++) {
        line_add_text(&out, k ? ", " : predicate->is_type ? ")(" : "(");
        add_atom(&out, signature, world, tuple[predicate->place[k]]);
    }
    line_add_text(&out, predicate->arity > 0 ? ")" : "");
    return line_end(&out);
}

/* department(A,it), or likes(A,it,A) where objects repeat. */
static void add_constants(line_space *out, const nlm_predicate *predicate, const constant_parts *parts)
{
    line_add(out, parts->name.text, parts->name.length);
    for (int k = 0; k < parts->arity; k++) {
        const int object = parts->object[k];
        const char letter = object < 0 ? '\0' : (char)('A' + predicate->place[object]);
        line_add_text(out, k ? "," : "(");
        if (object < 0)
            line_add(out, parts->text[k].text, parts->text[k].length);
        else
            line_add(out, &letter, 1);
    }
    line_add_text(out, ")");
}

size_t nlm_predicate_text(const nlm_predicate *predicate, char *text, size_t size)
{
    line_space out = line_start(text, size);
    if (predicate->comparison.terms > 0) {
        line_add_text(&out, predicate->name);
        return line_end(&out);
    }
    char arity[] = {'/', (char)('0' + predicate->arity), '\0'};
    constant_parts parts;
    if (constant_parts_read(predicate->name, &parts)) {
        add_constants(&out, predicate, &parts);
        return line_end(&out);
    }
    if (predicate->is_type)
        line_add_text(&out, "type(");
    add_quoted(&out, predicate->name, atom_predicate_text);
    if (predicate->is_type)
        line_add_text(&out, ")");
    else if (predicate->objects < predicate->arity)
        add_pattern(&out, predicate);
    else
        line_add_text(&out, arity);
    return line_end(&out);
}

bool nlm_predicate_constant(const nlm_predicate *predicate, char *name, size_t name_size, char *constant,
                            size_t constant_size)
{
    constant_parts parts;
    if (predicate->is_type || !constant_parts_read(predicate->name, &parts) ||
        parts.arity - parts.objects != 1)
        return false;
    constant_plain(parts.name, name, name_size);
    for (int k = 0; k < parts.arity; k++)
        if (parts.object[k] < 0)
            constant_plain(parts.text[k], constant, constant_size);
    return true;
}

size_t nlm_attribute_text(const nlm_attribute *attribute, char *text, size_t size)
{
    line_space out = line_start(text, size);
    add_quoted(&out, attribute->name, atom_predicate_text);
    for (int k = 0; k < attribute->arity; k++) {
        char object = k < attribute->objects ? (char)('A' + k) : k == attribute->place ? 'V' : '_';
        char place[] = {k ? ',' : '(', object, '\0'};
        line_add_text(&out, place);
    }
    line_add_text(&out, ")");
    return line_end(&out);
}

/* ---- of tasks ---- */

static nlm_status add_of_world(nlm_signature *signature, const nlm_world *world, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int side = 0; side < SIGNATURE_SIDES; side++) {
        bool inputs = side == SIGNATURE_INPUTS;
        int count = inputs ? nlm_world_predicates(world) : nlm_world_targets(world);
        for (int i = 0; i < count && !status; i++) {
            nlm_predicate predicate = {
                .name = inputs ? nlm_world_predicate_name(world, i) : nlm_world_target_name(world, i),
                .arity = inputs ? nlm_world_predicate_arity(world, i) : nlm_world_target_arity(world, i)};
            predicate.objects =
                pattern_places(pattern_plain(predicate.arity), predicate.arity, predicate.place);
            status = signature_add(signature, side, &predicate, error);
        }
    }
    return status;
}

nlm_status nlm_signature_of_task(const nlm_task *task, nlm_signature **signature, nlm_error *error)
{
    REQUIRE(signature, error);
    *signature = NULL;
    REQUIRE(task, error);
    nlm_world *world = NULL;
    nlm_signature *made = NULL;
    nlm_status status = nlm_world_new(&world, error);
    if (!status)
        status = nlm_task_generate(task, NLM_WORLDS_PAPER, 0, 0, task->train_objects, world, error);
    if (!status)
        status = signature_new(&made, error);
    if (!status)
        status = add_of_world(made, world, error);
    if (!status)
        status = signature_finish(made, error);
    nlm_world_free(world);
    if (status)
        nlm_signature_free(made);
    else
        *signature = made;
    return status;
}

/* ---- of games ---- */

static nlm_status add_plain(nlm_signature *signature, int side, const char *name, int arity, nlm_error *error)
{
    nlm_predicate predicate = {.name = name, .arity = arity};
    predicate.objects = pattern_places(pattern_plain(arity), arity, predicate.place);
    return signature_add(signature, side, &predicate, error);
}

nlm_status nlm_signature_of_game(const nlm_game *game, int rules, nlm_signature **signature, nlm_error *error)
{
    REQUIRE(signature, error);
    *signature = NULL;
    REQUIRE(game && rules >= 0, error);
    nlm_signature *made = NULL;
    int number = 0;
    nlm_status status = signature_new(&made, error);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        for (int k = 0; k < game->inputs[r] && !status; k++)
            status = add_plain(made, SIGNATURE_INPUTS, game->predicates[number++], r, error);
    for (int rule = 1; rule <= rules && !status; rule++) {
        char name[32];
        snprintf(name, sizeof name, "move_%d", rule);
        status = add_plain(made, SIGNATURE_TARGETS, name, game->arity, error);
    }
    if (!status)
        status = signature_finish(made, error);
    if (status)
        nlm_signature_free(made);
    else
        *signature = made;
    return status;
}

/* ---- of machines that see pictures ---- */

const char *signature_sight_name(int number, char name[SIGNATURE_SIGHT_NAME])
{
    snprintf(name, SIGNATURE_SIGHT_NAME, "sees_%d", number + 1);
    return name;
}

nlm_status signature_with_sights(const nlm_signature *from, int sights, nlm_signature **made,
                                 nlm_error *error)
{
    nlm_signature *signature = NULL;
    char name[SIGNATURE_SIGHT_NAME];
    *made = NULL;
    nlm_status status = signature_new(&signature, error);
    for (int k = 0; k < sights && !status; k++)
        status = add_plain(signature, SIGNATURE_INPUTS, signature_sight_name(k, name), 1, error);
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < from->count[side] && !status; i++)
            status = signature_add(signature, side, signature_at(from, side, i), error);
    if (!status)
        status = signature_finish(signature, error);
    if (status)
        nlm_signature_free(signature);
    else
        *made = signature;
    return status;
}
