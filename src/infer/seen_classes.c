#include "infer/seen_classes.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "machine/evaluator.h"
#include "nlm/world.h"
#include "structure/tuple_names.h"

enum { DIGITS = 16, MOST_COUNTED = 1 << 22 /* of a target, before equal ones are joined */ };

typedef struct seen_class {
    uint64_t name;
    uint32_t count;
    bool wrong; /* the machine answers otherwise than some label */
} seen_class;

typedef struct class_list {
    buffer list;          /* seen_class */
    size_t count, joined; /* the first `joined` are in ascending order, all different */
    int arity;
} class_list;

struct seen_classes {
    tuple_names *names;
    const struct plan *plan; /* the machine's */
    class_list target[NLM_MAX_HEADS];
    int targets;
    long worlds;
    bool is_known;
    bool was_parsed;
    buffer logits, labels; /* of one target */
};

static seen_class *classes_of(const class_list *of)
{
    return of->list.data;
}

nlm_status seen_classes_new(const nlm_machine *machine, seen_classes **made, nlm_error *error)
{
    *made = NULL;
    bool twins = false;
    for (int t = 0; t < machine->head_count; t++)
        twins |= machine->heads[t].twins;
    if (machine->plan.sense || machine->plan.baseline || twins)
        return NLM_OK;
    seen_classes *of = memory_new(1, sizeof *of);
    if (!of)
        return error_no_memory(error);
    of->plan = &machine->plan;
    of->targets = machine->head_count;
    for (int t = 0; t < of->targets; t++)
        of->target[t].arity = machine->heads[t].arity;
    const nlm_status status = tuple_names_new(of->plan, &of->names, error);
    if (status)
        seen_classes_free(of);
    else
        *made = of;
    return status;
}

void seen_classes_free(seen_classes *of)
{
    if (!of)
        return;
    for (int t = 0; t < NLM_MAX_HEADS; t++)
        buffer_free(&of->target[t].list);
    tuple_names_free(of->names);
    buffer_free(&of->logits);
    buffer_free(&of->labels);
    memory_free(of);
}

/* ---- counting ---- */

static int by_name(const void *a, const void *b)
{
    const seen_class *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

static int by_count(const void *a, const void *b)
{
    const seen_class *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return by_name(a, b);
}

/* Equal classes become one, and the list is in ascending order. */
static void join_equal(class_list *of)
{
    seen_class *list = classes_of(of);
    size_t kept = 0;
    if (of->count == of->joined)
        return;
    qsort(list, of->count, sizeof *list, by_name);
    for (size_t i = 0; i < of->count; i++) {
        if (kept == 0 || list[kept - 1].name != list[i].name) {
            list[kept++] = list[i];
            continue;
        }
        seen_class *same = &list[kept - 1];
        same->wrong |= list[i].wrong;
        same->count += same->count > UINT32_MAX - list[i].count ? 0 : list[i].count;
    }
    of->count = of->joined = kept;
}

static nlm_status add_class(class_list *to, uint64_t name, bool wrong, nlm_error *error)
{
    if (to->count >= 2 * to->joined + 4096)
        join_equal(to);
    if (to->count >= MOST_COUNTED) /* more than that cannot repeat often */
        return NLM_OK;
    if (buffer_reserve(&to->list, to->count + 1, sizeof(seen_class), true))
        return error_no_memory(error);
    classes_of(to)[to->count++] = (seen_class){name, 1, wrong};
    return NLM_OK;
}

static nlm_status count_target(seen_classes *of, int target, nlm_pass *pass, const nlm_world *world,
                               nlm_error *error)
{
    class_list *to = &of->target[target];
    const int objects = nlm_world_objects(world);
    const size_t count = nlm_tuple_count(objects, to->arity);
    if (buffer_reserve(&of->logits, count + 1, sizeof(float), false) ||
        buffer_reserve(&of->labels, count + 1, 1, false))
        return error_no_memory(error);
    const signed char *labels = of->labels.data;
    const float *logits = of->logits.data;
    const uint64_t *names = tuple_names_at(of->names, to->arity);
    nlm_world_all_labels(world, target, of->labels.data);
    nlm_status status = nlm_pass_logits(pass, 0, target, of->logits.data, error);
    for (size_t t = 0; t < count && !status; t++) {
        int tuple[NLM_MAX_BREADTH];
        if (labels[t] != NLM_UNLABELLED && nlm_tuple_at(objects, to->arity, t, tuple))
            status = add_class(to, names[t], (logits[t] > 0) != (labels[t] == NLM_TRUE), error);
    }
    return status;
}

nlm_status seen_classes_count(seen_classes *of, nlm_evaluator *evaluator, const nlm_world *world,
                              nlm_error *error)
{
    nlm_status status = tuple_names_ask(of->names, evaluator->batch, error);
    of->worlds++;
    for (int t = 0; t < of->targets && t < nlm_world_targets(world) && !status; t++)
        status = count_target(of, t, nlm_evaluator_pass(evaluator), world, error);
    return status;
}

/* ---- as text ---- */

/* Whether less than half of the tuples of another such world would be of a class that was seen, by Good and
 * Turing's estimate: as large as the share of classes that occurred once is that of tuples of other classes.
 */
static bool hardly_repeat(seen_classes *of)
{
    double tuples = 0, once = 0;
    for (int t = 0; t < of->targets; t++) {
        join_equal(&of->target[t]);
        for (size_t i = 0; i < of->target[t].count; i++) {
            tuples += classes_of(&of->target[t])[i].count;
            once += classes_of(&of->target[t])[i].count == 1;
        }
    }
    return once > tuples / 2;
}

/* The most frequent of those that are answered right, in ascending order; returns their number. */
static size_t choose_classes(class_list *of)
{
    seen_class *list = classes_of(of);
    size_t right = 0;
    for (size_t i = 0; i < of->count; i++)
        if (!list[i].wrong)
            list[right++] = list[i];
    of->count = of->joined = right;
    if (right > CLASSES_MOST) {
        qsort(list, right, sizeof *list, by_count);
        of->count = of->joined = CLASSES_MOST;
        qsort(list, CLASSES_MOST, sizeof *list, by_name);
    }
    return of->count;
}

nlm_status seen_classes_text(seen_classes *of, char **text, nlm_error *error)
{
    *text = NULL;
    if (!of->was_parsed && hardly_repeat(of))
        return NLM_OK;
    json_t *classes = json_array();
    nlm_status status = classes ? NLM_OK : error_no_memory(error);
    for (int t = 0; t < of->targets && !status; t++) {
        const size_t count = choose_classes(&of->target[t]);
        char *digits = memory_new(DIGITS * count + 1, 1);
        for (size_t i = 0; i < count && digits; i++)
            snprintf(digits + DIGITS * i, DIGITS + 1, "%016" PRIx64, classes_of(&of->target[t])[i].name);
        if (!digits || json_array_append_new(classes, json_string(digits)))
            status = error_no_memory(error);
        memory_free(digits);
    }
    json_t *all =
        status ? NULL : json_pack("{s:I, s:O}", "worlds", (json_int_t)of->worlds, "classes", classes);
    if (all)
        *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    json_decref(classes);
    return status || *text ? status : error_no_memory(error);
}

/* ---- and back ---- */

#define REFUSE(...) error_in_file(error, NLM_BAD_FILE, name, "metadata '" CLASSES_KEY "': " __VA_ARGS__)

static bool take_name(const char *digits, uint64_t *value)
{
    *value = 0;
    for (int i = 0; i < DIGITS; i++) {
        const char *all = "0123456789abcdef", *at = digits[i] ? strchr(all, digits[i]) : NULL;
        if (!at)
            return false;
        *value = *value << 4 | (uint64_t)(at - all);
    }
    return true;
}

static nlm_status parse_target(class_list *to, const json_t *digits, const char *name, nlm_error *error)
{
    const size_t length = json_string_length(digits), count = length / DIGITS;
    const char *text = json_string_value(digits);
    if (!text || length % DIGITS || count > CLASSES_MOST)
        return REFUSE("the classes of a target are no text of at most %d names", CLASSES_MOST);
    if (buffer_reserve(&to->list, count + 1, sizeof(seen_class), false))
        return error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        seen_class *one = &classes_of(to)[i];
        *one = (seen_class){.count = 1};
        if (!take_name(text + DIGITS * i, &one->name) || (i > 0 && one[-1].name >= one->name))
            return REFUSE("name %zu of a target is no number, or not larger than the one before", i + 1);
    }
    to->count = to->joined = count;
    return NLM_OK;
}

nlm_status seen_classes_parse(const char *text, const char *name, const nlm_machine *machine,
                              seen_classes **made, nlm_error *error)
{
    json_error_t cause;
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &cause);
    const json_t *classes = json_object_get(all, "classes"), *worlds = json_object_get(all, "worlds");
    seen_classes *of = NULL;
    *made = NULL;
    nlm_status status = seen_classes_new(machine, &of, error);
    if (!status && of) {
        if (!json_is_array(classes) || !json_is_integer(worlds) || json_integer_value(worlds) < 0 ||
            json_array_size(classes) != (size_t)of->targets)
            status = REFUSE("it has no list of classes for each of %d targets", of->targets);
        for (int t = 0; t < of->targets && !status; t++)
            status = parse_target(&of->target[t], json_array_get(classes, (size_t)t), name, error);
        of->was_parsed = true;
        of->worlds = status ? 0 : (long)json_integer_value(worlds);
    }
    json_decref(all);
    if (status)
        seen_classes_free(of);
    else
        *made = of;
    return status;
}

/* ---- asking ---- */

nlm_status seen_classes_ask(seen_classes *of, nlm_evaluator *evaluator, double memory, nlm_error *error)
{
    const int objects = nlm_batch_objects(evaluator->batch, 0);
    of->is_known = tuple_names_memory(of->plan, objects) <= memory;
    return of->is_known ? tuple_names_ask(of->names, evaluator->batch, error) : NLM_OK;
}

bool seen_classes_is_known(const seen_classes *of)
{
    return of && of->is_known;
}

bool seen_classes_have(const seen_classes *of, int target, size_t tuple)
{
    const class_list *in = &of->target[target];
    const seen_class key = {.name = tuple_names_at(of->names, in->arity)[tuple]};
    return in->count > 0 && bsearch(&key, in->list.data, in->count, sizeof key, by_name) != NULL;
}
