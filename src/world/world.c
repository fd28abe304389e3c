/* Worlds: named objects, predicates with facts, attributes with numbers, targets with labels.
 *
 * Four name tables (objects, predicates, attributes, targets) number names in the order they are added.
 * Facts, numbers and labels are appended to flat lists, one per predicate or target; nothing is sorted or
 * made unique here, that is for grounding.
 *
 * Invariants: every tuple in a list has distinct objects that exist, every value is finite, every label is
 * one of nlm_label.  A call that fails leaves the world as it was.  Clearing keeps every block. */
#include "world/world.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "world/names.h"
#include "world/tuples.h"

#define FIRST_TUPLES 16 /* room in a list that gets its first tuple */
#define NUMBER_SIZE 12  /* digits of an int, sign, end of text */

/* ---- tuple lists: the facts of a predicate, the numbers of an attribute, the labels of a target ---- */

typedef struct tuple_list {
    buffer tuples; /* int: count * arity objects */
    buffer values; /* float for facts, double for attributes, signed char for labels */
    size_t count;
    nlm_label by_default; /* targets only */
} tuple_list;

/* Predicates, attributes or targets: a list for every name.  Lists that were once made keep their memory. */
typedef struct tuple_lists {
    name_table names;
    buffer lists; /* tuple_list */
    int made;     /* lists with initialised buffers, at least names.count */
} tuple_lists;

static tuple_list *list_at(const tuple_lists *lists, int number)
{
    return (tuple_list *)lists->lists.data + number;
}

/* A value slot for one more tuple, or NULL without memory. */
static void *list_append(tuple_list *list, int arity, const int *tuple, size_t value_size)
{
    size_t room = list->count < FIRST_TUPLES ? FIRST_TUPLES : list->count + 1;
    if (buffer_reserve(&list->tuples, room, (size_t)arity * sizeof(int), true) ||
        buffer_reserve(&list->values, room, value_size, true))
        return NULL;
    if (arity > 0) {
        int *end = (int *)list->tuples.data + list->count * (size_t)arity;
        for (int k = 0; k < arity; k++)
            end[k] = tuple[k];
    }
    return (char *)list->values.data + list->count++ * value_size;
}

static void lists_free(tuple_lists *lists)
{
    for (int number = 0; number < lists->made; number++) {
        buffer_free(&list_at(lists, number)->tuples);
        buffer_free(&list_at(lists, number)->values);
    }
    buffer_free(&lists->lists);
    names_free(&lists->names);
}

/* ---- the world ---- */

struct nlm_world {
    text_store texts;
    name_table objects;
    tuple_lists predicates, attributes, targets;
    int named;            /* 1 + the object that tells it from others of its file, or 0 */
    buffer numbered_name; /* where nlm_world_add_objects puts a name together */
    buffer scratch;       /* see world_scratch */
    int percept_numbers;  /* of every percept; 0: there is none */
    int percept_objects;  /* objects that the two below have room for */
    buffer percepts;      /* float: numbers of each object, undefined for those that have none */
    buffer perceived;     /* bool, per object: it has a percept */
};

nlm_status nlm_world_new(nlm_world **world, nlm_error *error)
{
    if (!world)
        return error_set(error, NLM_BAD_ARGUMENT, "no place for the new world (NULL)");
    *world = memory_new(1, sizeof **world);
    return *world ? NLM_OK : error_no_memory(error);
}

void nlm_world_free(nlm_world *world)
{
    if (!world)
        return;
    text_free(&world->texts);
    names_free(&world->objects);
    lists_free(&world->predicates);
    lists_free(&world->attributes);
    lists_free(&world->targets);
    buffer_free(&world->numbered_name);
    buffer_free(&world->scratch);
    buffer_free(&world->percepts);
    buffer_free(&world->perceived);
    memory_free(world);
}

void nlm_world_clear(nlm_world *world)
{
    if (!world)
        return;
    text_clear(&world->texts);
    names_clear(&world->objects);
    names_clear(&world->predicates.names);
    names_clear(&world->attributes.names);
    names_clear(&world->targets.names);
    world->percept_numbers = world->percept_objects = 0;
    world->named = 0;
}

void world_set_named(nlm_world *world, int object)
{
    world->named = object + 1;
}

int world_named(const nlm_world *world)
{
    return world->named - 1;
}

nlm_status world_scratch(nlm_world *world, size_t bytes, void **block, nlm_error *error)
{
    if (buffer_reserve(&world->scratch, bytes, 1, false))
        return error_no_memory(error);
    *block = world->scratch.data;
    return NLM_OK;
}

void world_drop_target(nlm_world *world)
{
    names_drop_last(&world->targets.names);
}

void world_drop_predicate(nlm_world *world)
{
    names_drop_last(&world->predicates.names);
}

/* ---- adding ---- */

static nlm_status check_name(const nlm_world *world, const char *kind, const char *name, nlm_error *error)
{
    if (!world)
        return error_set(error, NLM_BAD_ARGUMENT, "no world for a new %s (NULL)", kind);
    if (!name)
        return error_set(error, NLM_BAD_ARGUMENT, "%s without a name (NULL)", kind);
    if (!*name)
        return error_set(error, NLM_BAD_ARGUMENT, "%s with an empty name", kind);
    return NLM_OK;
}

nlm_status nlm_world_add_object(nlm_world *world, const char *name, int *object, nlm_error *error)
{
    nlm_status status = check_name(world, "object", name, error);
    if (status)
        return status;
    size_t length = strlen(name);
    if (names_find(&world->objects, name, length, 0) >= 0)
        return error_set(error, NLM_BAD_ARGUMENT, "object '%s' is added twice", name);
    if (names_add(&world->objects, &world->texts, name, length, 0))
        return error_no_memory(error);
    if (object)
        *object = world->objects.count - 1;
    return NLM_OK;
}

/* A whole number without a sign; returns where it ends. */
static char *write_number(char *text, int number)
{
    char reversed[NUMBER_SIZE];
    int digits = 0;
    do {
        reversed[digits++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (digits > 0)
        *text++ = reversed[--digits];
    return text;
}

/* Generators name all objects of every world they make, so names are written without the help of stdio. */
nlm_status nlm_world_add_objects(nlm_world *world, const char *prefix, int count, nlm_error *error)
{
    if (!world)
        return error_set(error, NLM_BAD_ARGUMENT, "no world to add objects to (NULL)");
    if (!prefix)
        return error_set(error, NLM_BAD_ARGUMENT, "objects without a prefix for their names (NULL)");
    if (count < 0)
        return error_set(error, NLM_BAD_ARGUMENT, "cannot add %d objects", count);
    const size_t length = strlen(prefix);
    if (buffer_reserve(&world->numbered_name, length + NUMBER_SIZE, 1, false))
        return error_no_memory(error);
    char *name = world->numbered_name.data, *number_at = name + length;
    memcpy(name, prefix, length);
    int before = world->objects.count;
    for (int number = 0; number < count; number++) {
        *write_number(number_at, number) = '\0';
        nlm_status status = nlm_world_add_object(world, name, NULL, error);
        if (status) {
            while (world->objects.count > before)
                names_drop_last(&world->objects);
            return status;
        }
    }
    return NLM_OK;
}

nlm_status nlm_world_set_percept(nlm_world *world, int object, const float *numbers, int count,
                                 nlm_error *error)
{
    if (!world || !numbers)
        return error_set(error, NLM_BAD_ARGUMENT, "a percept needs a world and numbers (NULL)");
    if (object < 0 || object >= world->objects.count)
        return error_set(error, NLM_BAD_ARGUMENT, "a percept for object %d of %d", object,
                         world->objects.count);
    if (count < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "a percept of %d numbers", count);
    if (world->percept_numbers > 0 && count != world->percept_numbers)
        return error_set(error, NLM_BAD_ARGUMENT, "a percept of %d numbers, where others have %d", count,
                         world->percept_numbers);
    for (int n = 0; n < count; n++)
        if (!isfinite(numbers[n]))
            return error_set(error, NLM_BAD_ARGUMENT, "the percept of object '%s' holds NaN or infinity",
                             nlm_world_object_name(world, object));
    /* The numbers may be those of another object of this world, which can move. */
    const uintptr_t offset = (uintptr_t)numbers - (uintptr_t)world->percepts.data;
    const bool own = world->percepts.data && offset < world->percepts.capacity;
    /* room for all objects there are; new ones have no percept */
    const size_t objects = (size_t)world->objects.count;
    if (buffer_reserve(&world->percepts, objects, (size_t)count * sizeof(float), true) ||
        buffer_reserve(&world->perceived, objects, sizeof(bool), true))
        return error_no_memory(error);
    for (; world->percept_objects < world->objects.count; world->percept_objects++)
        ((bool *)world->perceived.data)[world->percept_objects] = false;
    world->percept_numbers = count;
    if (own)
        numbers = (const float *)((const char *)world->percepts.data + offset);
    memmove((float *)world->percepts.data + (size_t)object * (size_t)count, numbers,
            (size_t)count * sizeof *numbers);
    ((bool *)world->perceived.data)[object] = true;
    return NLM_OK;
}

enum { PREDICATES, ATTRIBUTES, TARGETS };

static const char *const KIND[] = {"predicate", "attribute", "target"}, *const ITEM[] = {"fact", "number",
                                                                                         "label"};

static tuple_lists *lists_of(nlm_world *world, int kind)
{
    return kind == PREDICATES   ? &world->predicates
           : kind == ATTRIBUTES ? &world->attributes
                                : &world->targets;
}

/* A predicate, attribute or target, whose number is *number unless that is NULL. */
static nlm_status add_list(nlm_world *world, int of, const char *name, int arity, int *number,
                           nlm_error *error)
{
    const char *kind = KIND[of];
    nlm_status status = check_name(world, kind, name, error);
    if (status)
        return status;
    tuple_lists *lists = lists_of(world, of);
    const int next = lists->names.count;
    if (arity < 0 || arity > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "%s %s/%d: the arity must be 0 to %d", kind, name, arity,
                         NLM_MAX_BREADTH);
    if (names_find(&lists->names, name, strlen(name), arity) >= 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%s %s/%d is added twice", kind, name, arity);
    if (buffer_reserve(&lists->lists, (size_t)next + 1, sizeof(tuple_list), true))
        return error_no_memory(error);
    if (lists->made == next)
        *list_at(lists, lists->made++) = (tuple_list){0};
    list_at(lists, next)->count = 0;
    if (names_add(&lists->names, &world->texts, name, strlen(name), arity))
        return error_no_memory(error);
    if (number)
        *number = next;
    return NLM_OK;
}

nlm_status nlm_world_add_predicate(nlm_world *world, const char *name, int arity, int *predicate,
                                   nlm_error *error)
{
    return add_list(world, PREDICATES, name, arity, predicate, error);
}

nlm_status nlm_world_add_attribute(nlm_world *world, const char *name, int arity, int *attribute,
                                   nlm_error *error)
{
    return add_list(world, ATTRIBUTES, name, arity, attribute, error);
}

static bool is_label(nlm_label label)
{
    return label == NLM_UNLABELLED || label == NLM_FALSE || label == NLM_TRUE;
}

nlm_status nlm_world_add_target(nlm_world *world, const char *name, int arity, nlm_label by_default,
                                int *target, nlm_error *error)
{
    if (name && !is_label(by_default))
        return error_set(error, NLM_BAD_ARGUMENT, "target %s/%d: %d is no label", name, arity,
                         (int)by_default);
    nlm_status status = add_list(world, TARGETS, name, arity, target, error);
    if (!status)
        list_at(&world->targets, world->targets.names.count - 1)->by_default = by_default;
    return status;
}

/* ---- facts and labels ---- */

/* The predicate of a fact, the attribute of a number or the target of a label, and a copy of the tuple: it
 * may point into a list of this world, which can move. */
static nlm_status check_tuple(nlm_world *world, int of, int number, const int *tuple, int *copy,
                              const name_entry **found, nlm_error *error)
{
    if (!world)
        return error_set(error, NLM_BAD_ARGUMENT, "no world to add to (NULL)");
    const name_table *names = &lists_of(world, of)->names;
    if (number < 0 || number >= names->count)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no %s number %d, the world has %d", KIND[of],
                         number, names->count);
    const name_entry *entry = *found = names_at(names, number);
    const char *what = ITEM[of];
    int objects = world->objects.count;
    if (!tuple && entry->arity > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: %s without objects (NULL)", entry->text,
                         entry->arity, what);
    for (int k = 0; k < entry->arity; k++) {
        int object = tuple[k];
        if (object < 0 || object >= objects)
            return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: %s with object number %d, the world has %d",
                             entry->text, entry->arity, what, object, objects);
        for (int earlier = 0; earlier < k; earlier++)
            if (copy[earlier] == object)
                return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: %s repeats object '%s'", entry->text,
                                 entry->arity, what, names_at(&world->objects, object)->text);
        copy[k] = object;
    }
    return NLM_OK;
}

nlm_status nlm_world_add_fact(nlm_world *world, int predicate, const int *tuple, float value,
                              nlm_error *error)
{
    const name_entry *entry = NULL;
    int objects[NLM_MAX_BREADTH];
    nlm_status status = check_tuple(world, PREDICATES, predicate, tuple, objects, &entry, error);
    if (status)
        return status;
    if (!isfinite(value))
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: fact with value %f, which is not finite",
                         entry->text, entry->arity, (double)value);
    float *place = list_append(list_at(&world->predicates, predicate), entry->arity, objects, sizeof *place);
    if (!place)
        return error_no_memory(error);
    *place = value;
    return NLM_OK;
}

nlm_status nlm_world_add_number(nlm_world *world, int attribute, const int *tuple, double number,
                                nlm_error *error)
{
    const name_entry *entry = NULL;
    int objects[NLM_MAX_BREADTH];
    nlm_status status = check_tuple(world, ATTRIBUTES, attribute, tuple, objects, &entry, error);
    if (status)
        return status;
    if (!isfinite(number))
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: number %f, which is not finite", entry->text,
                         entry->arity, number);
    double *place = list_append(list_at(&world->attributes, attribute), entry->arity, objects, sizeof *place);
    if (!place)
        return error_no_memory(error);
    *place = number;
    return NLM_OK;
}

nlm_status world_expect_facts(nlm_world *world, int predicate, size_t count, nlm_error *error)
{
    tuple_list *list = list_at(&world->predicates, predicate);
    size_t arity = (size_t)names_at(&world->predicates.names, predicate)->arity;
    return buffer_reserve(&list->tuples, count, arity * sizeof(int), true) ||
                   buffer_reserve(&list->values, count, sizeof(float), true)
               ? error_no_memory(error)
               : NLM_OK;
}

nlm_status nlm_world_add_label(nlm_world *world, int target, const int *tuple, nlm_label label,
                               nlm_error *error)
{
    const name_entry *entry = NULL;
    int objects[NLM_MAX_BREADTH];
    nlm_status status = check_tuple(world, TARGETS, target, tuple, objects, &entry, error);
    if (status)
        return status;
    if (!is_label(label))
        return error_set(error, NLM_BAD_ARGUMENT, "%s/%d: %d is no label", entry->text, entry->arity,
                         (int)label);
    signed char *place = list_append(list_at(&world->targets, target), entry->arity, objects, sizeof *place);
    if (!place)
        return error_no_memory(error);
    *place = (signed char)label;
    return NLM_OK;
}

/* ---- reading ---- */

static const name_entry *entry_or_null(const name_table *names, int number)
{
    return number >= 0 && number < names->count ? names_at(names, number) : NULL;
}

static const char *name_or_null(const name_table *names, int number)
{
    const name_entry *entry = entry_or_null(names, number);
    return entry ? entry->text : NULL;
}

static int arity_or_minus_one(const name_table *names, int number)
{
    const name_entry *entry = entry_or_null(names, number);
    return entry ? entry->arity : -1;
}

const float *nlm_world_percept(const nlm_world *world, int object, int *count)
{
    if (count)
        *count = world ? world->percept_numbers : 0;
    if (!world || object < 0 || object >= world->percept_objects || !((bool *)world->perceived.data)[object])
        return NULL;
    return (const float *)world->percepts.data + (size_t)object * (size_t)world->percept_numbers;
}

int nlm_world_objects(const nlm_world *world)
{
    return world->objects.count;
}

int nlm_world_predicates(const nlm_world *world)
{
    return world->predicates.names.count;
}

int nlm_world_attributes(const nlm_world *world)
{
    return world->attributes.names.count;
}

int nlm_world_targets(const nlm_world *world)
{
    return world->targets.names.count;
}

const char *nlm_world_object_name(const nlm_world *world, int object)
{
    return name_or_null(&world->objects, object);
}

const char *nlm_world_predicate_name(const nlm_world *world, int predicate)
{
    return name_or_null(&world->predicates.names, predicate);
}

const char *nlm_world_attribute_name(const nlm_world *world, int attribute)
{
    return name_or_null(&world->attributes.names, attribute);
}

const char *nlm_world_target_name(const nlm_world *world, int target)
{
    return name_or_null(&world->targets.names, target);
}

int nlm_world_predicate_arity(const nlm_world *world, int predicate)
{
    return arity_or_minus_one(&world->predicates.names, predicate);
}

int nlm_world_attribute_arity(const nlm_world *world, int attribute)
{
    return arity_or_minus_one(&world->attributes.names, attribute);
}

int nlm_world_target_arity(const nlm_world *world, int target)
{
    return arity_or_minus_one(&world->targets.names, target);
}

static int find_name(const name_table *names, const char *name, int arity)
{
    return name ? names_find(names, name, strlen(name), arity) : -1;
}

int nlm_world_find_object(const nlm_world *world, const char *name)
{
    return find_name(&world->objects, name, 0);
}

int nlm_world_find_predicate(const nlm_world *world, const char *name, int arity)
{
    return find_name(&world->predicates.names, name, arity);
}

int nlm_world_find_target(const nlm_world *world, const char *name, int arity)
{
    return find_name(&world->targets.names, name, arity);
}

size_t nlm_world_facts(const nlm_world *world, int predicate, const int **tuples, const float **values)
{
    bool known = predicate >= 0 && predicate < world->predicates.names.count;
    const tuple_list *list = known ? list_at(&world->predicates, predicate) : NULL;
    if (tuples)
        *tuples = list ? list->tuples.data : NULL;
    if (values)
        *values = list ? list->values.data : NULL;
    return list ? list->count : 0;
}

size_t nlm_world_numbers(const nlm_world *world, int attribute, const int **tuples, const double **numbers)
{
    bool known = attribute >= 0 && attribute < world->attributes.names.count;
    const tuple_list *list = known ? list_at(&world->attributes, attribute) : NULL;
    if (tuples)
        *tuples = list ? list->tuples.data : NULL;
    if (numbers)
        *numbers = list ? list->values.data : NULL;
    return list ? list->count : 0;
}

size_t nlm_world_labels(const nlm_world *world, int target, const int **tuples, const signed char **labels,
                        nlm_label *by_default)
{
    bool known = target >= 0 && target < world->targets.names.count;
    const tuple_list *list = known ? list_at(&world->targets, target) : NULL;
    if (tuples)
        *tuples = list ? list->tuples.data : NULL;
    if (labels)
        *labels = list ? list->values.data : NULL;
    if (by_default)
        *by_default = list ? list->by_default : NLM_UNLABELLED;
    return list ? list->count : 0;
}

void nlm_world_all_labels(const nlm_world *world, int target, signed char *labels)
{
    const int *tuples;
    const signed char *listed;
    nlm_label by_default;
    const int objects = nlm_world_objects(world), arity = nlm_world_target_arity(world, target);
    const size_t count = nlm_world_labels(world, target, &tuples, &listed, &by_default);
    memset(labels, (int)by_default, nlm_tuple_count(objects, arity));
    for (size_t i = 0; i < count; i++)
        labels[arity ? nlm_tuple_number(objects, arity, tuples + i * (size_t)arity) : 0] = listed[i];
}

/* ---- copies ---- */

nlm_status world_copy(nlm_world *to, const nlm_world *from, bool labelled, nlm_error *error)
{
    nlm_status status = NLM_OK;
    to->named = from->named;
    for (int object = 0; object < nlm_world_objects(from) && !status; object++)
        status = nlm_world_add_object(to, nlm_world_object_name(from, object), NULL, error);
    for (int p = 0; p < nlm_world_predicates(from) && !status; p++) {
        const int *tuples;
        const float *values;
        const int arity = nlm_world_predicate_arity(from, p);
        const size_t facts = nlm_world_facts(from, p, &tuples, &values);
        status = nlm_world_add_predicate(to, nlm_world_predicate_name(from, p), arity, NULL, error);
        for (size_t i = 0; i < facts && !status; i++)
            status = nlm_world_add_fact(to, p, tuple_listed(tuples, i, arity), values[i], error);
    }
    for (int a = 0; a < nlm_world_attributes(from) && !status; a++) {
        const int *tuples;
        const double *numbers;
        const int arity = nlm_world_attribute_arity(from, a);
        const size_t count = nlm_world_numbers(from, a, &tuples, &numbers);
        status = nlm_world_add_attribute(to, nlm_world_attribute_name(from, a), arity, NULL, error);
        for (size_t i = 0; i < count && !status; i++)
            status = nlm_world_add_number(to, a, tuple_listed(tuples, i, arity), numbers[i], error);
    }
    for (int t = 0; t < nlm_world_targets(from) && !status; t++) {
        const int *tuples;
        const signed char *labels;
        nlm_label by_default;
        const int arity = nlm_world_target_arity(from, t);
        const size_t count = nlm_world_labels(from, t, &tuples, &labels, &by_default);
        status = nlm_world_add_target(to, nlm_world_target_name(from, t), arity,
                                      labelled ? by_default : NLM_UNLABELLED, NULL, error);
        for (size_t i = 0; i < count && labelled && !status; i++)
            status = nlm_world_add_label(to, t, tuple_listed(tuples, i, arity), (nlm_label)labels[i], error);
    }
    return status;
}
