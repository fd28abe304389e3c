/* Worlds from the draft: statements become facts and labels about numbered objects.
 *
 * An object is an atom under a type.  The objects of an atom are linked: first[atom] is the newest, next[]
 * leads to the others; both hold 1 + the object's number, and 0 for none.  Facts and labels are collected in
 * sets, then the world is filled, each tuple once; the numbers of attributes are added at the end. */
#include <limits.h>
#include <string.h>
#include "base/error.h"
#include "facts/attributes.h"
#include "facts/comparison.h"
#include "facts/problem.h"
#include "facts/tuple_set.h"
#include "syntax/number.h"
#include "world/world.h"

enum { MARK_FALSE = 1, MARK_TRUE = 2 };

#define MOST_LABELS ((size_t)1 << 28) /* that are made false one by one */

typedef struct build_object {
    int atom, type, next;
} build_object;

struct build {
    nlm_problem *problem;
    const draft *draft;
    const meaning *what;
    const char *path;
    buffer first;                 /* int for each atom */
    buffer objects;               /* build_object */
    int object_count, named;      /* the object that tells worlds of one file apart, or -1 */
    buffer sets[SIGNATURE_SIDES]; /* tuple_set for each predicate of the signature */
    buffer name;                  /* where an object's name is put together */
    buffer measured;              /* tuple_set for each attribute, and measured_at for its tuples */
    buffer values; /* buffer of double for each attribute, by the number of the tuple in its set */
    nlm_error *error;
};

/* ---- life ---- */

static tuple_set *set_at(const struct build *in, int side, int number)
{
    return (tuple_set *)in->sets[side].data + number;
}

static tuple_set *measured_at(const struct build *in, int attribute)
{
    return (tuple_set *)in->measured.data + attribute;
}

static buffer *values_at(const struct build *in, int attribute)
{
    return (buffer *)in->values.data + attribute;
}

/* Before the next world: empty sets, with room for the facts that a world of so many has on average. */
static nlm_status clear(struct build *in)
{
    for (int object = 0; object < in->object_count; object++)
        ((int *)in->first.data)[((build_object *)in->objects.data)[object].atom] = 0;
    in->object_count = 0;
    in->named = -1;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < in->problem->signature->count[side]; i++)
            tuple_set_clear(set_at(in, side, i), signature_at(in->problem->signature, side, i)->objects);
    for (int a = 0; a < in->problem->signature->attribute_count; a++)
        tuple_set_clear(measured_at(in, a), signature_attribute_at(in->problem->signature, a)->objects);
    for (int p = 0; p < in->draft->predicates.count; p++) {
        const meaning_role *role = meaning_at(in->what, p);
        int side = meaning_side(role, DRAFT_FACT);
        int plain = pattern_plain(names_at(&in->draft->predicates, p)->arity);
        size_t count = draft_at(in->draft, p)->count[DRAFT_FACT] / (size_t)in->draft->world_count;
        if (side >= 0 && role->number[side][plain] >= 0 &&
            tuple_set_expect(set_at(in, side, role->number[side][plain]), count))
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

/* ---- collecting ---- */

/* The number of an object, which is added if it is not there; -1 without memory. */
static int object_number(struct build *in, int atom, int type)
{
    int *first = (int *)in->first.data + atom;
    const build_object *objects = in->objects.data;
    for (int link = *first; link; link = objects[link - 1].next)
        if (objects[link - 1].type == type)
            return link - 1;
    if (in->object_count == INT_MAX - 1 ||
        buffer_reserve(&in->objects, (size_t)in->object_count + 1, sizeof(build_object), true))
        return -1;
    ((build_object *)in->objects.data)[in->object_count] = (build_object){atom, type, *first};
    *first = ++in->object_count;
    return in->object_count - 1;
}

static nlm_status collect(struct build *in, const draft_statement *statement)
{
    const meaning_role *role = meaning_at(in->what, statement->predicate);
    if (role->declares && statement->kind == DRAFT_FACT) { /* object(a) or object(a, person) */
        int type = 0;
        if (statement->arity == 2 && in->problem->signature->typed) {
            const name_entry *named = names_at(&in->draft->atoms, statement->atoms[1]);
            type = names_find(&in->draft->types, named->text, named->length, 0);
        }
        if (type < 0) /* of a kind that does not count, which a note has told */
            return NLM_OK;
        return object_number(in, statement->atoms[0], type) < 0 ? error_no_memory(in->error) : NLM_OK;
    }
    int side = meaning_side(role, statement->kind);
    if (side < 0)
        return NLM_OK;
    int first[NLM_MAX_FACT_ARITY], tuple[NLM_MAX_FACT_ARITY], objects;
    int code = pattern_of(statement->atoms, role->type, statement->arity, first, &objects);
    int number = role->number[side][code];
    if (number < 0)
        return NLM_OK;
    const nlm_predicate *predicate = signature_at(in->problem->signature, side, number);
    for (int k = 0; k < objects; k++) {
        tuple[k] = object_number(in, statement->atoms[first[k]], role->type[first[k]]);
        if (tuple[k] < 0)
            return error_no_memory(in->error);
        if (in->problem->split && predicate->share[first[k]] == NLM_SHARE_WORLD)
            in->named = tuple[k];
    }
    uint8_t mark = statement->kind == DRAFT_FALSE ? MARK_FALSE : MARK_TRUE;
    return tuple_set_add(set_at(in, side, number), tuple, mark) ? error_no_memory(in->error) : NLM_OK;
}

/* ---- attributes ---- */

/* One number of a tuple; `at` is its fact in the log of the world. */
static nlm_status collect_number(struct build *in, int attribute, const int *tuple, const char *text,
                                 const draft_world *world, size_t at)
{
    tuple_set *set = measured_at(in, attribute);
    buffer *values = values_at(in, attribute);
    size_t before = set->count, number;
    double value = 0;
    number_read(text, &value);
    if (tuple_set_add(set, tuple, 1) || buffer_reserve(values, set->count, sizeof value, true))
        return error_no_memory(in->error);
    number = tuple_set_number(set, tuple);
    double *place = (double *)values->data + number;
    if (number < before && *place != value) {
        char other[NUMBER_SIZE];
        number_text(*place, other);
        return attributes_refuse(
            in->draft, world, at, in->path, in->error,
            "another fact says %s: an attribute has one number for an object; facts of several "
            "need an object each",
            other);
    }
    *place = value;
    return NLM_OK;
}

static nlm_status collect_numbers(struct build *in, const draft_world *world, size_t at,
                                  const draft_statement *statement)
{
    const meaning_role *role = meaning_at(in->what, statement->predicate);
    int objects = statement->arity - role->numbers, different, first[NLM_MAX_FACT_ARITY],
        tuple[NLM_MAX_FACT_ARITY];
    pattern_of(statement->atoms, role->type, objects, first, &different);
    for (int k = 0; k < objects; k++) {
        tuple[k] = object_number(in, statement->atoms[k], role->type[k]);
        if (tuple[k] < 0)
            return error_no_memory(in->error);
    }
    if (different < objects) /* the engine's tuples have different objects */
        return NLM_OK;
    nlm_status status = NLM_OK;
    for (int n = 0; n < role->numbers && !status; n++)
        status = collect_number(in, role->attribute + n, tuple,
                                names_at(&in->draft->atoms, statement->atoms[objects + n])->text, world, at);
    return status;
}

static nlm_status add_numbers(struct build *in, nlm_world *world, int attribute)
{
    const tuple_set *set = measured_at(in, attribute);
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < set->count && !status; i++)
        status = nlm_world_add_number(world, attribute, tuple_set_at(set, i),
                                      ((const double *)values_at(in, attribute)->data)[i], in->error);
    return status;
}

/* ---- filling ---- */

static const char *type_of(const struct build *in, int object)
{
    return names_at(&in->draft->types, ((const build_object *)in->objects.data)[object].type)->text;
}

static nlm_status add_object(struct build *in, nlm_world *world, int object)
{
    const name_entry *atom =
        names_at(&in->draft->atoms, ((const build_object *)in->objects.data)[object].atom);
    if (!in->problem->signature->typed)
        return nlm_world_add_object(world, atom->text, NULL, in->error);
    const char *type = type_of(in, object);
    size_t length = strlen(type);
    if (buffer_reserve(&in->name, length + atom->length + 2, 1, false))
        return error_no_memory(in->error);
    char *name = in->name.data;
    memcpy(name, type, length);
    name[length] = ':';
    memcpy(name + length + 1, atom->text, atom->length + 1);
    return nlm_world_add_object(world, name, NULL, in->error);
}

static nlm_status add_facts(struct build *in, nlm_world *world, int input)
{
    const nlm_predicate *predicate = signature_at(in->problem->signature, SIGNATURE_INPUTS, input);
    const tuple_set *set = set_at(in, SIGNATURE_INPUTS, input);
    nlm_status status = world_expect_facts(world, input, set->count, in->error);
    for (size_t i = 0; i < set->count && !status; i++)
        status = nlm_world_add_fact(world, input, tuple_set_at(set, i), 1, in->error);
    for (int object = 0; object < in->object_count && predicate->is_type && !status; object++)
        if (!strcmp(type_of(in, object), predicate->name))
            status = nlm_world_add_fact(world, input, &object, 1, in->error);
    return status;
}

static nlm_status add_contradiction(struct build *in, int target, const int *tuple, int arity)
{
    nlm_problem *problem = in->problem;
    if (problem->contradiction_count == INT_MAX ||
        buffer_reserve(&problem->contradictions, (size_t)problem->contradiction_count + 1,
                       sizeof(nlm_contradiction), true))
        return error_no_memory(in->error);
    nlm_contradiction *added =
        (nlm_contradiction *)problem->contradictions.data + problem->contradiction_count++;
    *added = (nlm_contradiction){.world = problem->world_count - 1, .target = target};
    for (int k = 0; k < arity; k++)
        added->tuple[k] = tuple[k];
    return NLM_OK;
}

/* Those that were listed, but for `except`, which others say as well. */
static nlm_status add_labels(struct build *in, nlm_world *world, int target, nlm_label except)
{
    const tuple_set *set = set_at(in, SIGNATURE_TARGETS, target);
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < set->count && !status; i++) {
        const int *tuple = tuple_set_at(set, i);
        uint8_t marks = tuple_set_marks_at(set, i);
        nlm_label label = marks & MARK_TRUE ? NLM_TRUE : NLM_FALSE;
        if (marks == (MARK_TRUE | MARK_FALSE))
            status = add_contradiction(in, target, tuple, set->arity);
        if (label != except && !status)
            status = nlm_world_add_label(world, target, tuple, label, in->error);
    }
    return status;
}

/* ---- a closed world with types ---- */

static bool is_distinct(const int *tuple, int arity)
{
    for (int k = 1; k < arity; k++)
        for (int l = 0; l < k; l++)
            if (tuple[k] == tuple[l])
                return false;
    return true;
}

/* All tuples of objects that have the types of a target: choice[k] of the list of place k. */
struct candidates {
    int arity;
    buffer objects; /* int: the lists, each with room for all objects */
    const int *list[NLM_MAX_FACT_ARITY];
    int count[NLM_MAX_FACT_ARITY], choice[NLM_MAX_FACT_ARITY];
    size_t tuples; /* how many there are */
};

static nlm_status find_candidates(const struct build *in, const nlm_predicate *target,
                                  struct candidates *found)
{
    size_t room = (size_t)in->object_count;
    *found = (struct candidates){.arity = target->objects, .tuples = 1};
    if (buffer_reserve(&found->objects, room * (size_t)target->objects, sizeof(int), false))
        return error_no_memory(in->error);
    for (int k = 0; k < target->objects; k++) {
        int *list = (int *)found->objects.data + (size_t)k * room;
        const char *type = signature_object_type(target, k);
        for (int object = 0; object < in->object_count; object++)
            if (!strcmp(type_of(in, object), type) &&
                (in->named < 0 || signature_tells_world(target, k) == (object == in->named)))
                list[found->count[k]++] = object;
        found->list[k] = list;
        if (!memory_multiply(found->tuples, (size_t)found->count[k], &found->tuples) ||
            found->tuples > MOST_LABELS)
            return message_refuse(
                in->error, in->path, 0,
                "more than %zu tuples of %s would be false: list some in exs.pl as neg(...)", MOST_LABELS,
                message_cut_text(target->name).text);
    }
    return NLM_OK;
}

/* The choice after this one, the last place fastest. */
static void next_choice(struct candidates *in)
{
    for (int k = in->arity - 1; k >= 0; k--) {
        if (++in->choice[k] < in->count[k])
            return;
        in->choice[k] = 0;
    }
}

/* Every tuple that has the types of the target and was not listed as true is false. */
static nlm_status add_false_labels(struct build *in, nlm_world *world, int target)
{
    const tuple_set *set = set_at(in, SIGNATURE_TARGETS, target);
    struct candidates all;
    nlm_status status =
        find_candidates(in, signature_at(in->problem->signature, SIGNATURE_TARGETS, target), &all);
    for (size_t i = 0; i < all.tuples && !status; i++, next_choice(&all)) {
        int tuple[NLM_MAX_FACT_ARITY] = {0};
        for (int k = 0; k < all.arity; k++)
            tuple[k] = all.list[k][all.choice[k]];
        if (is_distinct(tuple, all.arity) && !(tuple_set_marks(set, tuple) & MARK_TRUE))
            status = nlm_world_add_label(world, target, tuple, NLM_FALSE, in->error);
    }
    buffer_free(&all.objects);
    return status;
}

/* Whether every tuple of the world fits every target, so that labels by default say all. */
static bool all_fit(const struct build *in)
{
    const nlm_signature *signature = in->problem->signature;
    if (in->named >= 0)
        return false;
    for (int t = 0; t < signature->count[SIGNATURE_TARGETS] && signature->typed; t++) {
        const nlm_predicate *target = signature_at(signature, SIGNATURE_TARGETS, t);
        for (int k = 0; k < target->arity; k++)
            for (int object = 0; object < in->object_count; object++)
                if (strcmp(type_of(in, object), target->type[k]))
                    return false;
    }
    return true;
}

/* ---- worlds ---- */

static nlm_status fill(struct build *in, const draft_world *from, nlm_world *world)
{
    const nlm_signature *signature = in->problem->signature;
    bool closed = in->problem->closed, by_default = closed && all_fit(in);
    unsigned labelled = in->problem->labelled & ~meaning_missing(in->what, in->draft, from);
    nlm_status status = signature_start_world(signature, by_default ? labelled : 0, world, in->error);
    for (int object = 0; object < in->object_count && !status; object++)
        status = add_object(in, world, object);
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS] && !status; i++)
        status = add_facts(in, world, i);
    for (int a = 0; a < signature->attribute_count && !status; a++)
        status = add_numbers(in, world, a);
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS] && !status; i++)
        if (signature_at(signature, SIGNATURE_INPUTS, i)->comparison.terms > 0)
            status = comparison_add_facts(signature, i, world, in->error);
    for (int t = 0; t < signature->count[SIGNATURE_TARGETS] && !status; t++) {
        status = add_labels(in, world, t, closed ? NLM_FALSE : NLM_UNLABELLED);
        if (closed && !by_default && labelled >> t & 1 && !status)
            status = add_false_labels(in, world, t);
    }
    return status;
}

static nlm_status build_world(struct build *in, const draft_world *from)
{
    nlm_world *world;
    draft_statement statement;
    nlm_status status = clear(in);
    if (!status)
        status = problem_add_world(in->problem, from->name, &world, in->error);
    for (size_t at = 0, next = 0; !status && draft_next(in->draft, from, &next, &statement); at = next)
        status = statement.kind == DRAFT_FACT && meaning_at(in->what, statement.predicate)->attribute >= 0
                     ? collect_numbers(in, from, at, &statement)
                     : collect(in, &statement);
    if (!status)
        world_set_named(world, in->named);
    if (!status && in->object_count == 0)
        status = meaning_refuse_empty(in->what, in->draft, from->name, in->path, in->error);
    return status ? status : fill(in, from, world);
}

nlm_status problem_build(nlm_problem *problem, const draft *from, const meaning *what, const char *path,
                         nlm_error *error)
{
    struct build in = {.problem = problem, .draft = from, .what = what, .path = path, .error = error};
    size_t atoms = (size_t)from->atoms.count;
    nlm_status status = buffer_reserve(&in.first, atoms, sizeof(int), false);
    if (!status)
        memset(in.first.data, 0, atoms * sizeof(int));
    for (int side = 0; side < SIGNATURE_SIDES && !status; side++) {
        size_t count = (size_t)problem->signature->count[side];
        status = buffer_reserve(&in.sets[side], count, sizeof(tuple_set), false);
        if (!status)
            memset(in.sets[side].data, 0, count * sizeof(tuple_set));
    }
    size_t attributes = (size_t)problem->signature->attribute_count;
    if (!status)
        status = buffer_reserve(&in.measured, attributes, sizeof(tuple_set), false);
    if (!status)
        status = buffer_reserve(&in.values, attributes, sizeof(buffer), false);
    if (status)
        (void)error_no_memory(error);
    else if (attributes) {
        memset(in.measured.data, 0, attributes * sizeof(tuple_set));
        memset(in.values.data, 0, attributes * sizeof(buffer));
    }
    for (int w = 0; w < from->world_count && !status; w++)
        status = build_world(&in, draft_world_at(from, w));
    for (int side = 0; side < SIGNATURE_SIDES; side++) {
        for (int i = 0; in.sets[side].data && i < problem->signature->count[side]; i++)
            tuple_set_free(set_at(&in, side, i));
        buffer_free(&in.sets[side]);
    }
    for (int a = 0; in.values.data && a < problem->signature->attribute_count; a++) {
        tuple_set_free(measured_at(&in, a));
        buffer_free(values_at(&in, a));
    }
    buffer_free(&in.measured);
    buffer_free(&in.values);
    buffer_free(&in.first);
    buffer_free(&in.objects);
    buffer_free(&in.name);
    return status;
}
