/* What the tests of tasks share: a world's facts and labels as square tables, and worlds made by hand.
 *
 * The tables are filled from the public interface alone, so that a second oracle can be written over them
 * straight from a definition. */
#ifndef TESTS_TASK_WORLDS_H
#define TESTS_TASK_WORLDS_H

#include "test.h"

#include "base/random.h"
#include "nlm/task.h"

enum { TABLE_SIZE = 100 };

/* at[x][y] for binary predicates, at[x][0] for unary ones. */
typedef struct value_table {
    bool at[TABLE_SIZE][TABLE_SIZE];
} table;

static inline nlm_world *new_world(void)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    return world;
}

static inline const nlm_task *task_called(const char *name)
{
    const nlm_task *task = nlm_task_find(name);
    assert_non_null(task);
    return task;
}

static inline void generate_kind(const char *task, nlm_world_kind kind, uint64_t seed, uint64_t index,
                                 int objects, nlm_world *world)
{
    nlm_error error = {NLM_OK, ""};
    nlm_status status = nlm_task_generate(task_called(task), kind, seed, index, objects, world, &error);
    if (status)
        fail_msg("%s", error.message);
}

static inline void generate(const char *task, uint64_t seed, uint64_t index, int objects, nlm_world *world)
{
    generate_kind(task, NLM_WORLDS_PAPER, seed, index, objects, world);
}

/* The true facts; of a fact added again the last one counts. */
static inline void read_facts(const nlm_world *world, const char *name, int arity, table *facts)
{
    int predicate = nlm_world_find_predicate(world, name, arity);
    assert_true(predicate >= 0);
    assert_true(nlm_world_objects(world) <= TABLE_SIZE);
    const int *tuples;
    const float *values;
    size_t count = nlm_world_facts(world, predicate, &tuples, &values);
    memset(facts, 0, sizeof *facts);
    for (size_t i = 0; i < count; i++, tuples += arity)
        facts->at[tuples[0]][arity == 2 ? tuples[1] : 0] = values[i] > 0.5f;
}

/* The labels of the task's target: all others false, each true one given once. */
static inline void read_labels(const nlm_world *world, const char *task_name, table *labels)
{
    const nlm_task *task = task_called(task_name);
    int target = nlm_world_find_target(world, task->target, task->arity);
    assert_true(target >= 0);
    const int *tuples;
    const signed char *values;
    nlm_label by_default;
    size_t count = nlm_world_labels(world, target, &tuples, &values, &by_default);
    assert_int_equal(by_default, NLM_FALSE);
    memset(labels, 0, sizeof *labels);
    for (size_t i = 0; i < count; i++, tuples += task->arity) {
        bool *place = &labels->at[tuples[0]][task->arity == 2 ? tuples[1] : 0];
        assert_int_equal(values[i], NLM_TRUE);
        assert_false(*place);
        *place = true;
    }
}

/* Tables that ought to be equal, with the first difference in the message. */
static inline void assert_same(const char *what, int objects, int arity, const table *is, const table *ought)
{
    for (int x = 0; x < objects; x++)
        for (int y = 0; y < (arity == 2 ? objects : 1); y++)
            if (is->at[x][y] != ought->at[x][y])
                fail_msg("%s: with %d objects, (%d, %d) is %d", what, objects, x, y, is->at[x][y]);
}

/* The object of that name, added if it is new. */
static inline int object_called(nlm_world *world, const char *name)
{
    int object = nlm_world_find_object(world, name);
    if (object < 0)
        assert_int_equal(nlm_world_add_object(world, name, &object, NULL), NLM_OK);
    return object;
}

static inline void add_fact(nlm_world *world, const char *name, int arity, const char *x, const char *y,
                            float value)
{
    int predicate = nlm_world_find_predicate(world, name, arity);
    if (predicate < 0)
        assert_int_equal(nlm_world_add_predicate(world, name, arity, &predicate, NULL), NLM_OK);
    int tuple[2] = {object_called(world, x), arity == 2 ? object_called(world, y) : 0};
    assert_int_equal(nlm_world_add_fact(world, predicate, tuple, value, NULL), NLM_OK);
}

/* A number for all facts and labels in their order, and for what objects show (FNV-1a). */
static inline uint64_t fingerprint(const nlm_world *world)
{
    uint64_t hash = 14695981039346656037u;
    for (int p = -1; p < nlm_world_predicates(world); p++) {
        const int *tuples;
        size_t count = p < 0 ? nlm_world_labels(world, 0, &tuples, NULL, NULL)
                             : nlm_world_facts(world, p, &tuples, NULL);
        int arity = p < 0 ? nlm_world_target_arity(world, 0) : nlm_world_predicate_arity(world, p);
        hash = (hash ^ count) * 1099511628211u;
        for (size_t i = 0; i < count * (size_t)arity; i++)
            hash = (hash ^ (uint64_t)tuples[i]) * 1099511628211u;
    }
    for (int x = 0; x < nlm_world_objects(world); x++) {
        int count;
        const float *shown = nlm_world_percept(world, x, &count);
        for (int n = 0; shown && n < count; n++) /* 0 to 255 */
            hash = (hash ^ (uint64_t)(shown[n] * 255.0f + 0.5f)) * 1099511628211u;
    }
    return hash;
}

/* Facts that make no sense at all, some of them added again: an oracle must follow the facts, not what the
 * generator would have done. */
static inline void add_nonsense(nlm_world *world, random_stream *random, const char *name, int arity)
{
    int predicate;
    int objects = nlm_world_objects(world);
    assert_int_equal(nlm_world_add_predicate(world, name, arity, &predicate, NULL), NLM_OK);
    for (int i = 0; i < 2 * objects; i++) {
        int tuple[2] = {(int)random_below(random, (uint32_t)objects),
                        (int)random_below(random, (uint32_t)objects)};
        float value = (float)random_below(random, 4) / 3;
        if (arity == 1 || tuple[0] != tuple[1])
            assert_int_equal(nlm_world_add_fact(world, predicate, tuple, value, NULL), NLM_OK);
    }
}

#endif
