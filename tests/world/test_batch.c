/* Batches: worlds and dense tensors become the same numbers, tuple by tuple and order by order; labels have
 * their defaults; what does not fit is refused and leaves the worlds that are there. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "world/batch.h"

enum { MOST_OBJECTS = 6, MOST_ENTRIES = 6 * 6 * 6 * 6 };

static nlm_batch *new_batch(const int *inputs, int breadth)
{
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(inputs, breadth, &batch, NULL), NLM_OK);
    return batch;
}

static nlm_world *new_world(int objects)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    return world;
}

static void add_predicate(nlm_world *world, const char *name, int arity)
{
    assert_int_equal(nlm_world_add_predicate(world, name, arity, NULL, NULL), NLM_OK);
}

static void add_fact(nlm_world *world, int predicate, const int *tuple, float value)
{
    assert_int_equal(nlm_world_add_fact(world, predicate, tuple, value, NULL), NLM_OK);
}

static void add_target(nlm_world *world, const char *name, int arity, nlm_label label)
{
    assert_int_equal(nlm_world_add_target(world, name, arity, label, NULL, NULL), NLM_OK);
}

static void add_world(nlm_batch *batch, const nlm_world *world)
{
    nlm_error error;
    if (nlm_batch_add_world(batch, world, &error))
        fail_msg("%s", error.message);
}

/* ---- what a batch holds, by tuple ---- */

static float value_of(const nlm_batch *batch, int world, const int *tuple, int arity, int channel)
{
    int order;
    size_t index = tuples_find(&batch->tuples, world, tuple, arity, &order);
    size_t row = index * (size_t)batch_orders(arity) + (size_t)order;
    return ((const float *)batch->values[arity].data)[row * (size_t)batch->inputs[arity] + (size_t)channel];
}

static int label_of(const nlm_batch *batch, int world, int target, const int *tuple)
{
    int order, arity = batch->target_arity[target];
    size_t index = tuples_find(&batch->tuples, world, tuple, arity, &order);
    return (
        (const signed char *)batch->labels[target].data)[index * (size_t)batch_orders(arity) + (size_t)order];
}

/* The tuple at a place of a dense tensor; false if it repeats an object. */
static bool tuple_at(size_t place, int arity, int objects, int *tuple)
{
    for (int k = arity - 1; k >= 0; k--) {
        tuple[k] = (int)(place % (size_t)objects);
        place /= (size_t)objects;
    }
    for (int k = 0; k < arity; k++)
        for (int l = 0; l < k; l++)
            if (tuple[k] == tuple[l])
                return false;
    return true;
}

static size_t entries_of(int arity, int objects)
{
    size_t entries = 1;
    for (int k = 0; k < arity; k++)
        entries *= (size_t)objects;
    return entries;
}

/* The tensor of one arity, [objects]^arity x inputs, is what the batch holds. */
static void assert_holds(const nlm_batch *batch, int world, int arity, const float *tensor)
{
    int objects = nlm_batch_objects(batch, world), inputs = batch->inputs[arity], tuple[NLM_MAX_BREADTH];
    for (size_t place = 0; place < entries_of(arity, objects); place++)
        for (int c = 0; c < inputs && tuple_at(place, arity, objects, tuple); c++)
            assert_true(value_of(batch, world, tuple, arity, c) ==
                        tensor[place * (size_t)inputs + (size_t)c]);
}

/* ---- facts ---- */

/* Predicates of one arity are its inputs, in the order in which the world has them. */
static void facts_are_grounded(void **state)
{
    (void)state;
    static const int inputs[] = {1, 2, 2};
    nlm_world *world = new_world(3);
    static const struct {
        const char *name;
        int arity;
    } predicates[] = {{"edge", 2}, {"red", 1}, {"rain", 0}, {"likes", 2}, {"blue", 1}};
    for (size_t p = 0; p < COUNT(predicates); p++)
        add_predicate(world, predicates[p].name, predicates[p].arity);
    add_fact(world, 0, (int[]){0, 2}, 1.0f);
    add_fact(world, 0, (int[]){2, 1}, 0.5f);
    add_fact(world, 3, (int[]){2, 0}, 1.0f);
    add_fact(world, 1, (int[]){1}, 1.0f);
    add_fact(world, 4, (int[]){2}, -3.0f);
    add_fact(world, 2, NULL, 1.0f);
    nlm_batch *batch = new_batch(inputs, 2);
    add_world(batch, world);
    static const float nullary[] = {1};
    static const float unary[] = {0, 0, 1, 0, 0, -3};
    static const float binary[] = {9, 9, 0, 0, 1, 0, 0, 0, 9, 9, 0, 0, 0, 1, 0.5f, 0, 9, 9}; /* 9: not read */
    assert_holds(batch, 0, 0, nullary);
    assert_holds(batch, 0, 1, unary);
    assert_holds(batch, 0, 2, binary);
    nlm_batch_free(batch);
    nlm_world_free(world);
}

static void the_last_fact_counts(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    nlm_world *world = new_world(2);
    add_predicate(world, "p", 1);
    add_fact(world, 0, (int[]){0}, 1.0f);
    add_fact(world, 0, (int[]){0}, 2.0f);
    add_fact(world, 0, (int[]){1}, 1.0f);
    add_fact(world, 0, (int[]){1}, -0.0f);
    nlm_batch *batch = new_batch(inputs, 1);
    add_world(batch, world);
    assert_true(value_of(batch, 0, (int[]){0}, 1, 0) == 2.0f);
    assert_true(value_of(batch, 0, (int[]){1}, 1, 0) == 0.0f);
    assert_false(signbit(value_of(batch, 0, (int[]){1}, 1, 0))); /* classes of tuples compare bits */
    nlm_batch_free(batch);
    nlm_world_free(world);
}

/* ---- worlds and tensors alike ---- */

typedef struct dense {
    int objects;
    float values[NLM_MAX_BREADTH + 1][2 * MOST_ENTRIES];
    const float *tensors[NLM_MAX_BREADTH + 1];
} dense;

/* Random numbers; NaN where a tuple repeats an object, which nobody may read. */
static void fill_dense(dense *made, const int *inputs, int breadth, int objects, random_stream *random)
{
    made->objects = objects;
    for (int r = 0; r <= breadth; r++) {
        int tuple[NLM_MAX_BREADTH];
        made->tensors[r] = inputs[r] ? made->values[r] : NULL;
        assert_true(entries_of(r, objects) * (size_t)inputs[r] <= COUNT(made->values[r]));
        for (size_t place = 0; place < entries_of(r, objects); place++)
            for (int c = 0; c < inputs[r]; c++) {
                bool valid = tuple_at(place, r, objects, tuple);
                made->values[r][place * (size_t)inputs[r] + (size_t)c] =
                    valid ? random_uniform(random, -1.0f, 1.0f) : NAN;
            }
    }
}

/* The same numbers as facts of a world. */
static nlm_world *world_of(const dense *made, const int *inputs, int breadth)
{
    nlm_world *world = new_world(made->objects);
    int predicate = 0;
    for (int r = 0; r <= breadth; r++)
        for (int c = 0; c < inputs[r]; c++, predicate++) {
            char name[] = {'p', (char)('0' + c), 0};
            int tuple[NLM_MAX_BREADTH];
            add_predicate(world, name, r);
            for (size_t place = 0; place < entries_of(r, made->objects); place++)
                if (tuple_at(place, r, made->objects, tuple))
                    add_fact(world, predicate, tuple, made->values[r][place * (size_t)inputs[r] + (size_t)c]);
        }
    return world;
}

/* Worlds of many sizes, some with fewer objects than the arity, given both ways. */
static void tensors_and_worlds_give_the_same_batch(void **state)
{
    (void)state;
    static const int inputs[] = {2, 1, 2, 0, 1}, sizes[] = {4, 1, 6, 2, 3, 5, 1};
    static dense made[COUNT(sizes)];
    random_stream random;
    random_start(&random, 9, 0);
    nlm_batch *by_tensors = new_batch(inputs, 4), *by_worlds = new_batch(inputs, 4);
    for (int round = 0; round < 2; round++) {
        nlm_batch_clear(by_tensors);
        nlm_batch_clear(by_worlds);
        for (size_t w = 0; w < COUNT(sizes); w++) {
            fill_dense(&made[w], inputs, 4, sizes[w], &random);
            assert_int_equal(nlm_batch_add_tensors(by_tensors, sizes[w], made[w].tensors, NULL), NLM_OK);
            nlm_world *world = world_of(&made[w], inputs, 4);
            add_world(by_worlds, world);
            nlm_world_free(world);
        }
        assert_int_equal(nlm_batch_worlds(by_tensors), COUNT(sizes));
        for (size_t w = 0; w < COUNT(sizes); w++) {
            assert_int_equal(nlm_batch_objects(by_tensors, (int)w), sizes[w]);
            for (int r = 0; r <= 4; r++) {
                assert_holds(by_tensors, (int)w, r, made[w].values[r]);
                assert_holds(by_worlds, (int)w, r, made[w].values[r]);
            }
        }
    }
    nlm_batch_free(by_tensors);
    nlm_batch_free(by_worlds);
}

/* The only tuple of arity 0, and none of arity 2. */
static void a_world_smaller_than_the_arity_is_grounded(void **state)
{
    (void)state;
    static const int inputs[] = {1, 0, 2};
    nlm_world *world = new_world(1);
    add_predicate(world, "p", 2);
    add_predicate(world, "q", 2);
    add_predicate(world, "rain", 0);
    add_target(world, "t", 2, NLM_TRUE);
    add_fact(world, 2, NULL, 1.0f);
    nlm_batch *batch = new_batch(inputs, 2);
    add_world(batch, world);
    assert_true(value_of(batch, 0, NULL, 0, 0) == 1.0f);
    assert_int_equal(tuples_count(&batch->tuples, 2), 0);
    nlm_batch_free(batch);
    nlm_world_free(world);
}

/* The same as numbers: no tuple, so no label is read, but the target is there for the world after it. */
static void a_world_smaller_than_the_arity_is_labelled(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1, 1};
    static const float numbers[] = {1, 2, 3, 4};
    static const signed char none[] = {99}, binary[] = {99, 1, 0, 99};
    const float *tensors[] = {NULL, numbers, numbers};
    nlm_batch *batch = new_batch(inputs, 2);
    assert_int_equal(nlm_batch_add_tensors(batch, 1, tensors, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, none, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 1, 5, none, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, binary, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_tensors(batch, 1, tensors, NULL), NLM_OK);
    assert_int_equal(tuples_count(&batch->tuples, 2), 1);
    assert_int_equal(tuples_count(&batch->tuples, 5), 0);
    assert_holds(batch, 1, 2, numbers);
    assert_int_equal(label_of(batch, 1, 0, (int[]){0, 1}), NLM_TRUE);
    assert_int_equal(label_of(batch, 1, 0, (int[]){1, 0}), NLM_FALSE);
    nlm_batch_free(batch);
}

/* ---- labels ---- */

static void labels_have_defaults(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const nlm_label defaults[] = {NLM_FALSE, NLM_TRUE, NLM_UNLABELLED};
    nlm_batch *batch = new_batch(inputs, 1);
    for (int w = 0; w < 3; w++) {
        nlm_world *world = new_world(w + 2);
        add_predicate(world, "p", 1);
        add_target(world, "t", 2, defaults[w]);
        add_target(world, "u", 0, defaults[w]);
        add_target(world, "v", 1, NLM_FALSE);
        assert_int_equal(nlm_world_add_label(world, 0, (int[]){1, 0}, NLM_TRUE, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_label(world, 0, (int[]){0, 1}, NLM_TRUE, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_label(world, 0, (int[]){0, 1}, NLM_UNLABELLED, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_label(world, 2, (int[]){w}, NLM_TRUE, NULL), NLM_OK);
        add_world(batch, world);
        nlm_world_free(world);
    }
    for (int w = 0; w < 3; w++) {
        int tuple[2], objects = w + 2;
        for (size_t place = 0; place < entries_of(2, objects); place++) {
            if (!tuple_at(place, 2, objects, tuple))
                continue;
            int label = tuple[0] == 1 && tuple[1] == 0   ? NLM_TRUE
                        : tuple[0] == 0 && tuple[1] == 1 ? NLM_UNLABELLED
                                                         : (int)defaults[w];
            assert_int_equal(label_of(batch, w, 0, tuple), label);
        }
        assert_int_equal(label_of(batch, w, 1, NULL), defaults[w]);
        for (int object = 0; object < objects; object++)
            assert_int_equal(label_of(batch, w, 2, &object), object == w);
    }
    nlm_batch_free(batch);
}

/* Dense labels, of which those at repeated objects are not read; a world without has unlabelled tuples. */
static void dense_labels_are_read(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const float zeros[3] = {0};
    const float *tensors[] = {NULL, zeros};
    static const signed char binary[] = {99, 1, 0, -1, 99, 1, 0, 0, 99}, unary[] = {1, -1, 0};
    nlm_batch *batch = new_batch(inputs, 1);
    assert_int_equal(nlm_batch_add_tensors(batch, 3, tensors, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, binary, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 1, 1, unary, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    int tuple[2];
    for (size_t place = 0; place < 9; place++)
        if (tuple_at(place, 2, 3, tuple))
            assert_int_equal(label_of(batch, 0, 0, tuple), binary[place]);
    for (int object = 0; object < 3; object++)
        assert_int_equal(label_of(batch, 0, 1, &object), unary[object]);
    assert_int_equal(label_of(batch, 1, 0, (int[]){0, 1}), NLM_UNLABELLED);
    assert_int_equal(label_of(batch, 1, 1, (int[]){1}), NLM_UNLABELLED);
    assert_int_equal(nlm_batch_add_labels(batch, 1, 1, unary, NULL), NLM_OK);
    assert_int_equal(label_of(batch, 1, 1, (int[]){0}), NLM_TRUE);
    assert_int_equal(label_of(batch, 0, 1, (int[]){2}), NLM_FALSE);
    nlm_batch_free(batch);
}

/* ---- errors ---- */

static void assert_says(nlm_status status, nlm_status expected, const nlm_error *error, const char *cause)
{
    assert_int_equal(status, expected);
    assert_int_equal(error->status, expected);
    if (!strstr(error->message, cause))
        fail_msg("\"%s\" does not say \"%s\"", error->message, cause);
    assert_null(strchr(error->message, '\n'));
}

static void bad_batches_are_refused(void **state)
{
    (void)state;
    static const int fine[] = {0, 1, 1, 1, 1, 1, 1}, negative[] = {0, -1}, many[] = {0, NLM_MAX_WIDTH + 1};
    nlm_batch *batch;
    nlm_error error;
    assert_says(nlm_batch_new(fine, 0, &batch, &error), NLM_BAD_ARGUMENT, &error, "breadth 0");
    assert_null(batch);
    assert_says(nlm_batch_new(fine, 6, &batch, &error), NLM_BAD_ARGUMENT, &error, "breadth 6");
    assert_says(nlm_batch_new(negative, 1, &batch, &error), NLM_BAD_ARGUMENT, &error, "-1 input predicates");
    assert_says(nlm_batch_new(many, 1, &batch, &error), NLM_BAD_ARGUMENT, &error, "4097 input predicates");
    assert_null(batch);
    nlm_batch_free(NULL);
}

static void worlds_of_another_signature_are_refused(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1, 1};
    static const struct {
        int unary, binary, ternary;
        const char *cause;
    } bad[] = {
        {0, 1, 0, "0 predicates of arity 1, the machine reads 1"},
        {2, 1, 0, "2 predicates of arity 1, the machine reads 1"},
        {1, 0, 0, "0 predicates of arity 2, the machine reads 1"},
        {1, 1, 1, "1 predicates of arity 3, the machine reads 0"},
    };
    nlm_batch *batch = new_batch(inputs, 2);
    nlm_error error;
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_world *world = new_world(2);
        for (int p = 0; p < bad[i].unary; p++)
            add_predicate(world, p ? "a" : "b", 1);
        for (int p = 0; p < bad[i].binary; p++)
            add_predicate(world, "c", 2);
        for (int p = 0; p < bad[i].ternary; p++)
            add_predicate(world, "d", 3);
        assert_says(nlm_batch_add_world(batch, world, &error), NLM_BAD_SHAPE, &error, bad[i].cause);
        assert_int_equal(nlm_batch_worlds(batch), 0);
        nlm_world_free(world);
    }
    nlm_world *empty = new_world(0);
    add_predicate(empty, "p", 1);
    add_predicate(empty, "p", 2);
    assert_says(nlm_batch_add_world(batch, empty, &error), NLM_BAD_ARGUMENT, &error, "0 objects");
    assert_int_equal(nlm_batch_worlds(batch), 0);
    nlm_world_free(empty);
    nlm_batch_free(batch);
}

static nlm_world *world_with_targets(const int *arities, int count)
{
    nlm_world *world = new_world(3);
    add_predicate(world, "p", 1);
    for (int t = 0; t < count; t++)
        add_target(world, (char[]){'t', (char)('a' + t), 0}, arities[t], NLM_TRUE);
    return world;
}

/* A world that fails leaves those before it as they were. */
static void worlds_of_other_targets_are_refused(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const int first[] = {1, 2}, other_arity[] = {1, 1}, third[] = {1, 2, 2};
    static const int many[BATCH_MAX_TARGETS + 1] = {0};
    nlm_batch *batch = new_batch(inputs, 1);
    nlm_error error;
    nlm_world *too_many = world_with_targets(many, BATCH_MAX_TARGETS + 1);
    assert_says(nlm_batch_add_world(batch, too_many, &error), NLM_BAD_SHAPE, &error, "17 targets");
    nlm_world *good = world_with_targets(first, 2), *fewer = world_with_targets(first, 1);
    nlm_world *more = world_with_targets(third, 3), *other = world_with_targets(other_arity, 2);
    add_world(batch, good);
    assert_says(nlm_batch_add_world(batch, fewer, &error), NLM_BAD_SHAPE, &error,
                "1 targets, the batch holds 2");
    assert_says(nlm_batch_add_world(batch, more, &error), NLM_BAD_SHAPE, &error,
                "3 targets, the batch holds 2");
    assert_says(nlm_batch_add_world(batch, other, &error), NLM_BAD_SHAPE, &error,
                "target 1 has arity 1 here");
    assert_int_equal(nlm_batch_worlds(batch), 1);
    add_world(batch, good);
    assert_int_equal(nlm_batch_worlds(batch), 2);
    for (int w = 0; w < 2; w++)
        assert_int_equal(label_of(batch, w, 1, (int[]){2, 0}), NLM_TRUE);
    nlm_batch_clear(batch); /* after which other targets are fine */
    add_world(batch, other);
    assert_int_equal(batch->target_arity[1], 1);
    nlm_world *const worlds[] = {too_many, good, fewer, more, other};
    for (size_t i = 0; i < COUNT(worlds); i++)
        nlm_world_free(worlds[i]);
    nlm_batch_free(batch);
}

static void bad_tensors_are_refused(void **state)
{
    (void)state;
    static const int inputs[] = {0, 2, 1};
    static float unary[] = {1, 2, 3, 4}, binary[] = {0, 5, 6, 0};
    const float *tensors[] = {NULL, unary, binary}, *missing[] = {NULL, unary, NULL};
    nlm_batch *batch = new_batch(inputs, 2);
    nlm_error error;
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_says(nlm_batch_add_tensors(batch, 2, missing, &error), NLM_BAD_ARGUMENT, &error,
                "the tensor of arity 2 is missing");
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(bad); i++) {
        unary[3] = bad[i];
        assert_says(nlm_batch_add_tensors(batch, 2, tensors, &error), NLM_BAD_ARGUMENT, &error,
                    "the tensor of arity 1 holds NaN or infinity");
        unary[3] = 4;
        binary[2] = bad[i];
        assert_says(nlm_batch_add_tensors(batch, 2, tensors, &error), NLM_BAD_ARGUMENT, &error,
                    "the tensor of arity 2 holds NaN or infinity");
        binary[2] = 6;
    }
    assert_says(nlm_batch_add_tensors(batch, 0, tensors, &error), NLM_BAD_ARGUMENT, &error, "0 objects");
    assert_says(nlm_batch_add_tensors(batch, -1, tensors, &error), NLM_BAD_ARGUMENT, &error, "-1 objects");
    assert_int_equal(nlm_batch_worlds(batch), 1);
    assert_holds(batch, 0, 1, unary);
    assert_holds(batch, 0, 2, binary);
    nlm_batch_free(batch);
}

/* 10^6 objects have more pairs than any memory holds; that is said before anything is read. */
static void too_large_worlds_are_refused(void **state)
{
    (void)state;
    static const int inputs[] = {0, 0, 4};
    static const float few[4] = {0};
    const float *tensors[] = {NULL, NULL, few};
    nlm_batch *batch = new_batch(inputs, 2);
    nlm_error error;
    assert_says(nlm_batch_add_tensors(batch, 1000000, tensors, &error), NLM_NO_MEMORY, &error,
                "1000000 objects");
    assert_int_equal(nlm_batch_worlds(batch), 0);
    nlm_batch_free(batch);
}

static void bad_labels_are_refused(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const float zeros[2] = {0};
    static const signed char good[] = {0, 1, 1, 0}, high[] = {0, 2}, low[] = {-2, 0};
    const float *tensors[] = {NULL, zeros};
    nlm_batch *batch = new_batch(inputs, 1);
    nlm_error error;
    assert_says(nlm_batch_add_labels(batch, 0, 1, good, &error), NLM_BAD_ARGUMENT, &error, "without worlds");
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_says(nlm_batch_add_labels(batch, 0, -1, good, &error), NLM_BAD_ARGUMENT, &error, "arity -1");
    assert_says(nlm_batch_add_labels(batch, 0, 6, good, &error), NLM_BAD_ARGUMENT, &error, "arity 6");
    assert_says(nlm_batch_add_labels(batch, 1, 1, good, &error), NLM_BAD_SHAPE, &error, "target 1");
    assert_says(nlm_batch_add_labels(batch, -1, 1, good, &error), NLM_BAD_SHAPE, &error, "target -1");
    assert_int_equal(nlm_batch_add_labels(batch, 0, 1, good, NULL), NLM_OK);
    assert_says(nlm_batch_add_labels(batch, 0, 2, good, &error), NLM_BAD_SHAPE, &error,
                "target 0 has arity 2 here");
    assert_says(nlm_batch_add_labels(batch, 0, 1, high, &error), NLM_BAD_ARGUMENT, &error, "not -1, 0 or 1");
    assert_says(nlm_batch_add_labels(batch, 0, 1, low, &error), NLM_BAD_ARGUMENT, &error, "not -1, 0 or 1");
    /* a later world cannot have more targets than the first */
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_says(nlm_batch_add_labels(batch, 1, 1, good, &error), NLM_BAD_SHAPE, &error, "target 1");
    nlm_batch_free(batch);
}

/* Neither a new target nor the labels of an old one come of labels that are refused. */
static void bad_labels_leave_the_batch_as_it_was(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const float zeros[2] = {0};
    static const signed char unary[] = {1, 0}, bad_unary[] = {0, 2}, binary[] = {99, 1, 0, 99},
                             bad_binary[] = {99, 0, -2, 99};
    const float *tensors[] = {NULL, zeros};
    nlm_batch *batch = new_batch(inputs, 1);
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 1, bad_unary, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(batch->targets, 0);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, binary, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, bad_binary, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_batch_add_labels(batch, 1, 1, bad_unary, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(batch->targets, 1);
    assert_int_equal(label_of(batch, 0, 0, (int[]){0, 1}), NLM_TRUE);
    assert_int_equal(label_of(batch, 0, 0, (int[]){1, 0}), NLM_FALSE);
    assert_int_equal(nlm_batch_add_labels(batch, 1, 1, unary, NULL), NLM_OK);
    assert_int_equal(label_of(batch, 0, 1, (int[]){0}), NLM_TRUE);
    nlm_batch_free(batch);
}

static void a_world_that_is_not_there_has_no_objects(void **state)
{
    (void)state;
    static const int inputs[] = {0, 1};
    static const float zeros[2] = {0};
    const float *tensors[] = {NULL, zeros};
    nlm_batch *batch = new_batch(inputs, 1);
    assert_int_equal(nlm_batch_objects(batch, 0), 0);
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, NULL), NLM_OK);
    assert_int_equal(nlm_batch_objects(batch, 0), 2);
    assert_int_equal(nlm_batch_objects(batch, 1), 0);
    assert_int_equal(nlm_batch_objects(batch, -1), 0);
    nlm_batch_clear(batch);
    assert_int_equal(nlm_batch_objects(batch, 0), 0);
    nlm_batch_free(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_grounded),
        cmocka_unit_test(the_last_fact_counts),
        cmocka_unit_test(tensors_and_worlds_give_the_same_batch),
        cmocka_unit_test(a_world_smaller_than_the_arity_is_grounded),
        cmocka_unit_test(a_world_smaller_than_the_arity_is_labelled),
        cmocka_unit_test(labels_have_defaults),
        cmocka_unit_test(dense_labels_are_read),
        cmocka_unit_test(bad_batches_are_refused),
        cmocka_unit_test(worlds_of_another_signature_are_refused),
        cmocka_unit_test(worlds_of_other_targets_are_refused),
        cmocka_unit_test(bad_tensors_are_refused),
        cmocka_unit_test(too_large_worlds_are_refused),
        cmocka_unit_test(bad_labels_are_refused),
        cmocka_unit_test(bad_labels_leave_the_batch_as_it_was),
        cmocka_unit_test(a_world_that_is_not_there_has_no_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
