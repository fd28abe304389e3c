/* Examples, measures and conditions.
 *
 * All lists are cut at limits, which are counts, so that the same facts give the same thresholds. */
#include "facts/threshold_view.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "facts/tuple_set.h"
#include "world/tuples.h"
#include "world/world.h"

enum {
    MOST_EXAMPLES = 2000,  /* of each kind of label */
    MOST_MEASURED = 8,     /* attributes that are added and subtracted */
    MOST_CASES = 200000,   /* of a sum or difference */
    MOST_PROPERTIES = 160, /* of objects */
    MOST_CONDITIONS = 200, /* of cases */
    MOST_BYTES = 1 << 26,  /* of all conditions of a measure */
    MOST_WITHIN = 40000,   /* cases within the reach of all examples */
    FEWEST_WORLDS = 8,     /* for what is true anywhere in a world to tell examples apart */
    MOST_TUPLES = 4000000  /* of a target in a world */
};

static int world_count(const threshold_view *view)
{
    return nlm_problem_worlds(view->problem);
}

static nlm_status grow(const threshold_view *view, buffer *list, size_t count, size_t size)
{
    return buffer_reserve(list, count, size, true) ? error_no_memory(view->error) : NLM_OK;
}

/* ---- measures ---- */

struct measuring {
    threshold_view *view;
    measure *to;
};

static nlm_status add_case(void *context, const int *tuple, double value, nlm_error *error)
{
    measure *to = ((struct measuring *)context)->to;
    const size_t objects = (size_t)to->objects;
    if (buffer_reserve(&to->tuples, (to->count + 1) * objects, sizeof(int), true) ||
        buffer_reserve(&to->values, to->count + 1, sizeof value, true))
        return error_no_memory(error);
    if (objects > 0)
        memcpy((int *)to->tuples.data + to->count * objects, tuple, objects * sizeof *tuple);
    ((double *)to->values.data)[to->count++] = value;
    to->whole &= value == floor(value);
    return NLM_OK;
}

/* At most so many cases has a sum or difference of the numbers of two objects. */
static double count_pairs(const threshold_view *view, const nlm_comparison *form)
{
    double sum = 0;
    for (int w = 0; w < world_count(view); w++) {
        const nlm_world *world = nlm_problem_world(view->problem, w);
        sum += (double)nlm_world_numbers(world, form->attribute[0], NULL, NULL) *
               (double)nlm_world_numbers(world, form->attribute[1], NULL, NULL);
    }
    return sum;
}

static nlm_status add_measure(threshold_view *view, const nlm_comparison *form)
{
    const nlm_signature *signature = nlm_problem_signature(view->problem);
    const size_t worlds = (size_t)world_count(view);
    nlm_status status = grow(view, &view->measures, (size_t)view->measure_count + 1, sizeof(measure));
    if (status)
        return status;
    measure *made = measure_at(view, view->measure_count++);
    *made = (measure){.form = *form, .whole = true};
    made->objects = comparison_objects(signature->attributes.data, form);
    status = grow(view, &made->start, worlds + 1, sizeof(size_t));
    for (size_t w = 0; w <= worlds && !status; w++) {
        ((size_t *)made->start.data)[w] = made->count;
        if (w < worlds)
            status = comparison_values(signature, form, nlm_problem_world(view->problem, (int)w), add_case,
                                       &(struct measuring){view, made}, view->error);
    }
    return status;
}

static nlm_comparison form_of(const threshold_view *view, int first, int second, bool minus, bool apart)
{
    nlm_comparison form = {.terms = second < 0 ? 1 : 2, .attribute = {first, second < 0 ? 0 : second}};
    form.minus = minus;
    memset(form.object, -1, sizeof form.object);
    for (int t = 0; t < form.terms; t++) {
        const int objects =
            nlm_signature_attribute(nlm_problem_signature(view->problem), form.attribute[t])->objects;
        for (int k = 0; k < objects; k++)
            form.object[t][k] = apart ? t : k;
    }
    return form;
}

/* Attributes; sums and differences of two numbers of the same objects; of one number of two objects. */
static nlm_status add_measures(threshold_view *view)
{
    const nlm_signature *signature = nlm_problem_signature(view->problem);
    const int attributes = nlm_signature_attributes(signature);
    nlm_status status = NLM_OK;
    for (int a = 0; a < attributes && !status; a++) {
        const nlm_comparison form = form_of(view, a, -1, false, false);
        status = add_measure(view, &form);
    }
    for (int a = 0; a < attributes && attributes <= MOST_MEASURED; a++)
        for (int b = a; b < attributes; b++) {
            const int objects = nlm_signature_attribute(signature, a)->objects;
            const bool apart = a == b;
            if (apart ? objects != 1 : nlm_signature_attribute(signature, b)->objects != objects)
                continue;
            for (int minus = 0; minus < 2 && !status; minus++) {
                const nlm_comparison form = form_of(view, a, b, minus, apart);
                if (!apart || count_pairs(view, &form) <= MOST_CASES)
                    status = add_measure(view, &form);
            }
        }
    return status;
}

/* ---- predicates and properties ---- */

static size_t facts_of(const threshold_view *view, int predicate, int world, const int **tuples)
{
    const view_predicate *of = view_predicate_at(view, predicate);
    if (of->input >= 0)
        return nlm_world_facts(nlm_problem_world(view->problem, world), of->input, tuples, NULL);
    const size_t *start = (const size_t *)of->start.data + world;
    *tuples = (const int *)of->tuples.data + start[0] * (size_t)of->arity;
    return start[1] - start[0];
}

static nlm_status add_predicate(threshold_view *view, view_predicate made)
{
    const nlm_status status = grow(view, &view->predicates, (size_t)view->predicate_count + 1, sizeof made);
    if (!status)
        *view_predicate_at(view, view->predicate_count++) = made;
    return status;
}

struct holding {
    const nlm_comparison *of;
    view_predicate *to;
};

static nlm_status add_holding(void *context, const int *tuple, double value, nlm_error *error)
{
    const struct holding *in = context;
    const size_t arity = (size_t)in->to->arity;
    if (!comparison_holds(in->of, value))
        return NLM_OK;
    if (buffer_reserve(&in->to->tuples, (in->to->count + 1) * arity, sizeof(int), true))
        return error_no_memory(error);
    memcpy((int *)in->to->tuples.data + in->to->count++ * arity, tuple, arity * sizeof *tuple);
    return NLM_OK;
}

nlm_status threshold_view_add(threshold_view *view, const nlm_comparison *of, int chosen)
{
    const nlm_signature *signature = nlm_problem_signature(view->problem);
    const size_t worlds = (size_t)world_count(view);
    const int arity = comparison_objects(signature->attributes.data, of);
    if (arity < 1 || arity > 2)
        return NLM_OK;
    nlm_status status = add_predicate(view, (view_predicate){.arity = arity, .input = -1, .chosen = chosen});
    if (status)
        return status;
    view_predicate *made = view_predicate_at(view, view->predicate_count - 1);
    status = grow(view, &made->start, worlds + 1, sizeof(size_t));
    for (size_t w = 0; w <= worlds && !status; w++) {
        ((size_t *)made->start.data)[w] = made->count;
        if (w < worlds)
            status = comparison_values(signature, of, nlm_problem_world(view->problem, (int)w), add_holding,
                                       &(struct holding){of, made}, view->error);
    }
    return status;
}

static nlm_status add_property(threshold_view *view, property made)
{
    if (view->property_count == MOST_PROPERTIES)
        return NLM_OK;
    const nlm_status status = grow(view, &view->properties, (size_t)view->property_count + 1, sizeof made);
    if (!status)
        ((property *)view->properties.data)[view->property_count++] = made;
    return status;
}

/* The plain ones first. */
static nlm_status list_properties(threshold_view *view)
{
    nlm_status status = NLM_OK;
    view->property_count = 0;
    for (int p = 0; p < view->predicate_count && !status; p++)
        if (view_predicate_at(view, p)->arity == 1)
            status = add_property(view, (property){p, 0, -1});
    for (int inner = -1; inner < view->predicate_count; inner++) {
        if (inner >= 0 && view_predicate_at(view, inner)->arity != 1)
            continue;
        for (int p = 0; p < view->predicate_count; p++)
            for (int direction = 0; direction < 2 && view_predicate_at(view, p)->arity == 2 && !status;
                 direction++)
                status = add_property(view, (property){p, direction, inner});
    }
    return status;
}

/* Of which objects of a world it is true. */
static void mark_property(const threshold_view *view, const property *of, int world, uint8_t *holds,
                          uint8_t *inner)
{
    const size_t objects = (size_t)nlm_world_objects(nlm_problem_world(view->problem, world));
    const size_t arity = (size_t)view_predicate_at(view, of->predicate)->arity;
    const int *tuples;
    size_t count;
    memset(holds, 0, objects);
    memset(inner, of->inner < 0, objects);
    if (of->inner >= 0) {
        count = facts_of(view, of->inner, world, &tuples);
        for (size_t i = 0; i < count; i++)
            inner[tuples[i]] = 1;
    }
    count = facts_of(view, of->predicate, world, &tuples);
    for (size_t i = 0; i < count; i++) {
        const int *tuple = tuples + i * arity;
        if (arity == 1)
            holds[tuple[0]] = 1;
        else
            holds[tuple[of->direction]] |= inner[tuple[1 - of->direction]];
    }
}

/* ---- conditions ---- */

static nlm_status add_condition(threshold_view *view, int objects, condition made)
{
    int *count = &view->condition_count[objects];
    if (*count == MOST_CONDITIONS)
        return NLM_OK;
    const nlm_status status = grow(view, &view->conditions[objects], (size_t)*count + 1, sizeof made);
    if (!status)
        ((condition *)view->conditions[objects].data)[(*count)++] = made;
    return status;
}

static nlm_status list_conditions(threshold_view *view)
{
    nlm_status status = list_properties(view);
    view->condition_count[1] = view->condition_count[2] = 0;
    for (int p = 0; p < view->property_count && !status; p++)
        status = add_condition(view, 1, (condition){CONDITION_OBJECT, 0, p});
    for (int p = 0; p < view->predicate_count; p++)
        for (int direction = 0; direction < 2 && view_predicate_at(view, p)->arity == 2 && !status;
             direction++)
            status = add_condition(view, 2, (condition){CONDITION_PAIR, direction, p});
    for (int p = 0; p < view->property_count; p++)
        for (int place = 0; place < 2 && property_at(view, p)->inner < 0 && !status; place++)
            status = add_condition(view, 2, (condition){CONDITION_OBJECT, place, p});
    return status;
}

static nlm_status evaluate_pair(const threshold_view *view, const measure *of, const condition *what,
                                int world, uint8_t *truth)
{
    tuple_set facts = {0};
    const int *tuples, *cases = of->tuples.data;
    const size_t *start = (const size_t *)of->start.data + world;
    const size_t count = facts_of(view, what->property, world, &tuples);
    nlm_status status = NLM_OK;
    tuple_set_clear(&facts, 2);
    for (size_t i = 0; i < count && !status; i++)
        if (tuple_set_add(&facts, tuples + 2 * i, 1))
            status = error_no_memory(view->error);
    for (size_t i = start[0]; i < start[1] && !status; i++) {
        const int pair[2] = {cases[2 * i + (what->place == 1)], cases[2 * i + (what->place == 0)]};
        truth[i] = tuple_set_marks(&facts, pair) != 0;
    }
    tuple_set_free(&facts);
    return status;
}

/* Those of one measure, which has objects 1 or 2. */
static nlm_status evaluate_conditions(threshold_view *view, measure *of)
{
    const int count = view->condition_count[of->objects];
    size_t bytes;
    of->condition_count = 0;
    if (!memory_multiply((size_t)count, of->count, &bytes) || bytes > MOST_BYTES)
        return NLM_OK;
    nlm_status status = grow(view, &of->conditions, bytes, 1);
    for (int w = 0; w < world_count(view) && !status; w++) {
        const size_t objects = (size_t)nlm_world_objects(nlm_problem_world(view->problem, w));
        const size_t *start = (const size_t *)of->start.data + w;
        status = grow(view, &view->marked, 2 * objects, 1);
        uint8_t *holds = view->marked.data;
        for (int c = 0; c < count && !status; c++) {
            const condition *what = condition_at(view, of->objects, c);
            uint8_t *truth = (uint8_t *)of->conditions.data + (size_t)c * of->count;
            if (what->kind == CONDITION_PAIR) {
                status = evaluate_pair(view, of, what, w, truth);
                continue;
            }
            mark_property(view, property_at(view, what->property), w, holds, holds + objects);
            for (size_t i = start[0]; i < start[1]; i++)
                truth[i] =
                    holds[((const int *)of->tuples.data)[i * (size_t)of->objects + (size_t)what->place]];
        }
    }
    of->condition_count = status ? 0 : count;
    return status;
}

nlm_status threshold_view_conditions(threshold_view *view)
{
    nlm_status status = list_conditions(view);
    for (int m = 0; m < view->measure_count && !status; m++)
        if (measure_at(view, m)->objects == 1 || measure_at(view, m)->objects == 2)
            status = evaluate_conditions(view, measure_at(view, m));
    return status;
}

/* ---- examples ---- */

static nlm_status add_reach(threshold_view *view, reach made)
{
    const nlm_status status = grow(view, &view->reaches, (size_t)view->reach_count + 1, sizeof made);
    if (!status)
        ((reach *)view->reaches.data)[view->reach_count++] = made;
    return status;
}

/* Own objects; an example's object with any other; objects linked to it; all of its world. */
static nlm_status list_reaches(threshold_view *view, int worlds)
{
    const int objects = view->example_objects;
    nlm_status status = add_reach(view, (reach){REACH_OWN, {0, 1}, -1, 0});
    for (int i = 0; i < objects && !status; i++)
        for (int k = 0; k < objects && !status; k++)
            if (i != k && (i > 0 || k > 1))
                status = add_reach(view, (reach){REACH_OWN, {i, k}, -1, 0});
    for (int k = 0; k < 2 * objects && !status; k++)
        status = add_reach(view, (reach){REACH_WITH, {k / 2, k % 2}, -1, 0});
    for (int p = 0; p < view->predicate_count; p++)
        for (int k = 0; k < 2 * objects && view_predicate_at(view, p)->arity == 2 && !status; k++)
            status = add_reach(view, (reach){REACH_LINKED, {k / 2, 0}, p, k % 2});
    if (worlds >= FEWEST_WORLDS && !status)
        status = add_reach(view, (reach){REACH_ALL, {0, 0}, -1, 0});
    return status;
}

static nlm_status add_example(threshold_view *view, const example *made)
{
    const nlm_status status = grow(view, &view->examples, (size_t)view->example_count + 1, sizeof *made);
    if (!status)
        *example_at(view, view->example_count++) = *made;
    return status;
}

/* All labels of a world; of many, evenly spread ones of each kind. */
static nlm_status add_examples(threshold_view *view, int target, int w, const double step[2], double due[2])
{
    const nlm_world *world = view->labels ? view->labels[w] : nlm_problem_world(view->problem, w);
    if (!world)
        return NLM_OK;
    const nlm_predicate *of = nlm_signature_target(nlm_problem_signature(view->problem), target);
    const int objects = nlm_world_objects(world);
    const size_t tuples = nlm_tuple_count(objects, of->objects);
    if (tuples > MOST_TUPLES)
        return NLM_OK;
    signed char *labels = memory_new(tuples + 1, 1);
    if (!labels)
        return error_no_memory(view->error);
    nlm_world_all_labels(world, target, labels);
    nlm_status status = NLM_OK;
    example made = {.world = w};
    for (size_t i = 0; i < tuples && !status; i++) {
        if (labels[i] == NLM_UNLABELLED || !nlm_tuple_at(objects, of->objects, i, made.tuple))
            continue;
        made.positive = labels[i] == NLM_TRUE;
        if ((due[made.positive] += step[made.positive]) < 1)
            continue;
        due[made.positive] -= 1;
        status = add_example(view, &made);
    }
    memory_free(labels);
    return status;
}

nlm_status threshold_view_target(threshold_view *view, int target)
{
    const nlm_label_count count = nlm_problem_count_labels(view->problem, target);
    const double labels[2] = {count.negative, count.positive};
    double step[2], due[2] = {0};
    int worlds = 0;
    view->example_count = view->reach_count = 0;
    view->example_objects = nlm_signature_target(nlm_problem_signature(view->problem), target)->objects;
    for (int k = 0; k < 2; k++)
        step[k] = labels[k] > MOST_EXAMPLES ? MOST_EXAMPLES / labels[k] : 1;
    nlm_status status = grow(view, &view->first, (size_t)world_count(view) + 1, sizeof(int));
    for (int w = 0; w <= world_count(view) && !status; w++) {
        ((int *)view->first.data)[w] = view->example_count;
        if (w == world_count(view))
            break;
        status = add_examples(view, target, w, step, due);
        worlds += view->example_count > ((int *)view->first.data)[w];
    }
    return status ? status : list_reaches(view, worlds);
}

/* ---- what is within reach ---- */

static bool add_within(buffer *list, size_t *count, double value, int number, size_t at)
{
    if (buffer_reserve(list, *count + 1, sizeof(within), true))
        return false;
    ((within *)list->data)[(*count)++] = (within){value, number, at};
    return true;
}

/* Whether the case's objects are those that the example has there. */
static bool is_within(const measure *of, const reach *by, const example *one, const int *objects,
                      const uint8_t *linked)
{
    switch (by->kind) {
    case REACH_OWN:
        for (int k = 0; k < of->objects; k++)
            if (objects[k] != one->tuple[by->place[k]])
                return false;
        return true;
    case REACH_WITH:
        return objects[by->place[1]] == one->tuple[by->place[0]];
    case REACH_LINKED:
        return linked[objects[0]];
    case REACH_ALL:
        break;
    }
    return true;
}

/* Whether the reach makes sense for cases of so many objects. */
static bool fits(const threshold_view *view, const measure *of, const reach *by)
{
    switch (by->kind) {
    case REACH_OWN:
        return of->objects <= 2 && of->objects <= view->example_objects &&
               (of->objects == 2 || by->place[1] == (by->place[0] == 0)) &&
               (of->objects > 0 || by->place[0] == 0);
    case REACH_WITH:
        return of->objects == 2;
    case REACH_LINKED:
        return of->objects == 1;
    case REACH_ALL:
        break;
    }
    return of->objects == 1 || of->objects == 2;
}

static void mark_linked(const threshold_view *view, const reach *by, const example *one, uint8_t *linked)
{
    const int *tuples;
    const size_t count = facts_of(view, by->predicate, one->world, &tuples);
    memset(linked, 0, (size_t)nlm_world_objects(nlm_problem_world(view->problem, one->world)));
    for (size_t i = 0; i < count; i++)
        if (tuples[2 * i + (size_t)by->direction] == one->tuple[by->place[0]])
            linked[tuples[2 * i + 1 - (size_t)by->direction]] = 1;
}

nlm_status threshold_view_within(const threshold_view *view, const measure *of, const reach *by, buffer *list,
                                 size_t *count)
{
    double work = 0;
    *count = 0;
    if (!fits(view, of, by))
        return NLM_OK;
    buffer linked = {0};
    nlm_status status = NLM_OK;
    for (int e = 0; e < view->example_count && !status; e++) {
        const example *one = example_at(view, e);
        const size_t *start = (const size_t *)of->start.data + one->world;
        const size_t objects = (size_t)nlm_world_objects(nlm_problem_world(view->problem, one->world));
        work += (double)(start[1] - start[0]) + (double)objects;
        if (by->kind == REACH_LINKED) {
            status = grow(view, &linked, objects, 1);
            if (!status)
                mark_linked(view, by, one, linked.data);
        }
        for (size_t i = start[0]; i < start[1] && !status; i++)
            if (is_within(of, by, one, (const int *)of->tuples.data + i * (size_t)of->objects, linked.data) &&
                !add_within(list, count, ((const double *)of->values.data)[i], e, i))
                status = error_no_memory(view->error);
        if (*count > MOST_WITHIN || work > 4e7) {
            *count = 0;
            break;
        }
    }
    buffer_free(&linked);
    return status;
}

/* ---- life ---- */

nlm_status threshold_view_open(threshold_view *view, const nlm_problem *problem,
                               const nlm_world *const *labels, nlm_error *error)
{
    *view = (threshold_view){.problem = problem, .labels = labels, .error = error};
    const nlm_signature *signature = nlm_problem_signature(problem);
    nlm_status status = add_measures(view);
    for (int i = 0; i < nlm_signature_inputs(signature) && !status; i++) {
        const int arity = nlm_signature_input(signature, i)->objects;
        if (arity == 1 || arity == 2)
            status = add_predicate(view, (view_predicate){.arity = arity, .input = i, .chosen = -1});
    }
    return status;
}

void threshold_view_free(threshold_view *view)
{
    for (int m = 0; m < view->measure_count; m++) {
        buffer_free(&measure_at(view, m)->start);
        buffer_free(&measure_at(view, m)->tuples);
        buffer_free(&measure_at(view, m)->values);
        buffer_free(&measure_at(view, m)->conditions);
    }
    for (int p = 0; p < view->predicate_count; p++) {
        buffer_free(&view_predicate_at(view, p)->start);
        buffer_free(&view_predicate_at(view, p)->tuples);
    }
    buffer *const lists[] = {&view->examples,      &view->measures,      &view->predicates,
                             &view->properties,    &view->conditions[0], &view->conditions[1],
                             &view->conditions[2], &view->reaches,       &view->first,
                             &view->marked};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        buffer_free(lists[i]);
}
