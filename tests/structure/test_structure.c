/* Structure: the classes of tuples are those of the definition (definition.h).
 *
 * The library may decline to lift a level (one row per tuple), which then tells apart what the definition
 * does not.  So every level is compared twice: equal codes must mean equal classes of the definition; and
 * equal codes must be the same thing as equal classes if the definition starts from the levels that were not
 * lifted as they are. */
#include "structure/definition.h"

/* ---- machines, batches, structures ---- */

static nlm_machine *make_machine(const nlm_spec *spec)
{
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_new(spec, NULL, 0, &machine, &error))
        fail_msg("%s", error.message);
    return machine;
}

static nlm_batch *make_batch(const nlm_spec *spec)
{
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(spec->inputs, spec->breadth, &batch, NULL), NLM_OK);
    return batch;
}

static nlm_structure *make_structure(void)
{
    nlm_structure *structure;
    assert_int_equal(nlm_structure_new(&structure, NULL), NLM_OK);
    return structure;
}

static void build(nlm_structure *structure, const nlm_machine *machine, const nlm_batch *batch,
                  nlm_options options)
{
    nlm_error error;
    if (nlm_structure_build(structure, machine, batch, &options, &error))
        fail_msg("%s", error.message);
}

struct trio {
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
};

static struct trio make_trio(const nlm_spec *spec)
{
    return (struct trio){make_machine(spec), make_batch(spec), make_structure()};
}

static void free_trio(struct trio *trio)
{
    nlm_structure_free(trio->structure);
    nlm_batch_free(trio->batch);
    nlm_machine_free(trio->machine);
}

/* A graph given by its edges; `names` says which object stands for each node. */
static void add_graph(nlm_batch *batch, int objects, const int (*edges)[2], int count, const int *names)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "edge", 2, NULL, NULL), NLM_OK);
    for (int e = 0; e < count; e++) {
        int pair[2] = {names ? names[edges[e][0]] : edges[e][0], names ? names[edges[e][1]] : edges[e][1]};
        assert_int_equal(nlm_world_add_fact(world, 0, pair, 1.0f, NULL), NLM_OK);
    }
    assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
    nlm_world_free(world);
}

/* The class of an ordered tuple, as a number: its code in the smallest order that is the same. */
static int32_t code_of(const nlm_structure *s, const nlm_machine *machine, int layer, const int *tuple,
                       int arity, int world)
{
    const struct partition *part = s->levels[layer][arity].part;
    const struct orders *orders = &machine->plan.orders[arity];
    int order;
    size_t index = tuples_find(&s->tuples, world, tuple, arity, &order);
    int32_t code = orders_then(orders, part->codes[index], order);
    if (part->same)
        code = (code & ~orders->mask) | part->same[orders_row(orders, code)];
    return code;
}

/* ---- codes and classes ---- */

/* Equal codes mean equal classes; `both`: and equal classes mean equal codes. */
static void compare_level(const nlm_structure *s, int layer, int arity, bool both)
{
    static int32_t code[MOST_TUPLES];
    const int *classes = definition.classes[layer][arity];
    int count = definition.count[arity];
    for (int n = 0; n < count; n++) {
        const struct ordered *t = &definition.tuples[arity][n];
        code[n] = code_of(s, definition.machine, layer, t->x, arity, t->world);
    }
    for (int n = 0; n < count; n++)
        for (int o = 0; o < n; o++) {
            if (code[n] == code[o] && classes[n] != classes[o])
                fail_msg("layer %d, arity %d: ordered tuples %d and %d must not share a code", layer, arity,
                         n, o);
            if (both && code[n] != code[o] && classes[n] == classes[o])
                fail_msg("layer %d, arity %d: ordered tuples %d and %d are alike", layer, arity, n, o);
        }
}

/* Levels lifted, not lifted and streamed, over all comparisons. */
struct seen {
    int lifted[MOST_LAYERS + 1][MOST_ARITY + 1], identity, streamed;
};

static void compare(const nlm_structure *s, const nlm_machine *machine, const nlm_batch *batch,
                    struct seen *seen)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int as_given = 0; as_given < 2; as_given++) {
        define(machine, batch, as_given ? s : NULL);
        for (int i = 0; i <= spec->depth; i++)
            for (int r = 0; r <= spec->breadth; r++) {
                nlm_structure_level level = nlm_structure_level_at(s, i, r);
                assert_int_equal(level.live, machine->plan.live[i][r]);
                assert_true(!level.streamed || nlm_machine_unit_live(machine, i, r));
                seen->streamed += level.streamed;
                if (!level.live || level.streamed)
                    continue;
                assert_int_equal(level.tuples, definition.count[r]);
                compare_level(s, i, r, as_given);
                if (as_given)
                    assert_int_equal(level.classes, definition.distinct[i][r]);
                seen->lifted[i][r] += !level.identity;
                seen->identity += level.identity;
            }
    }
}

/* ---- two structures are the same ---- */

static void assert_same_words(const void *a, const void *b, size_t count)
{
    if (count == 0)
        return;
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_memory_equal(a, b, count * sizeof(int32_t));
}

static void assert_same_partition(const struct partition *a, const struct partition *b, size_t tuples)
{
    assert_int_equal(a == NULL, b == NULL);
    if (!a)
        return;
    assert_int_equal(a->identity, b->identity);
    assert_int_equal(a->orbits, b->orbits);
    assert_int_equal(a->classes, b->classes);
    assert_same_words(a->codes, b->codes, tuples);
}

static void assert_same_structure(const nlm_structure *a, const nlm_structure *b, const nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            const struct level *one = &a->levels[i][r], *other = &b->levels[i][r];
            assert_int_equal(one->streamed, other->streamed);
            assert_same_partition(one->part, other->part, tuples_count(&a->tuples, r));
            if (i > 0 && one->part && plan_unit_live(&machine->plan, i, r)) {
                assert_same_words(one->own, other->own, one->part->orbits);
                assert_same_words(one->sub, other->sub, one->part->orbits * (size_t)r);
                assert_same_words(one->range, other->range, one->part->orbits);
            }
            const struct range *range = &a->ranges[i][r], *twin = &b->ranges[i][r];
            assert_same_partition(range->part, twin->part, tuples_count(&a->tuples, r));
            if (!range->part || range->streamed)
                continue;
            assert_same_words(range->start, twin->start, range->part->orbits + 1);
            assert_same_words(range->elements, twin->elements, (size_t)range->start[range->part->orbits]);
        }
}

/* ---- worlds with known classes ---- */

static const nlm_spec graph_spec = {.depth = 3, .breadth = 3, .inputs = {0, 0, 1}, .width = 2, .outputs = 15};

static void assert_classes(const nlm_structure *s, const int (*classes)[4], int layers)
{
    for (int i = 0; i <= layers; i++)
        for (int r = 0; r <= 3; r++) {
            nlm_structure_level level = nlm_structure_level_at(s, i, r);
            assert_int_equal(level.layer, i);
            assert_int_equal(level.arity, r);
            assert_int_equal(level.live, classes[i][r] > 0);
            if ((int)level.classes != classes[i][r])
                fail_msg("layer %d, arity %d: %zu classes instead of %d", i, r, level.classes, classes[i][r]);
        }
}

/* 0 -> 1 -> 2.  Pairs: along an edge, against it, neither.  Objects, one layer up: first, middle, last.
 * Triples know all pairs in them, so all six orders differ.  Three copies, two of them renamed: the copies
 * share all classes. */
static void a_path_has_the_classes_counted_by_hand(void **state)
{
    (void)state;
    static const int edges[][2] = {{0, 1}, {1, 2}}, names[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 0, 2}};
    static const int classes[][4] = {{0, 0, 3, 0}, {0, 3, 3, 6}, {1, 3, 6, 6}, {1, 3, 6, 6}};
    struct trio t = make_trio(&graph_spec);
    for (int w = 0; w < 3; w++)
        for (int copy = 0; copy < 2; copy++)
            add_graph(t.batch, 3, edges, 2, names[w]);
    build(t.structure, t.machine, t.batch, (nlm_options){.threads = 1});
    assert_classes(t.structure, classes, 3);
    for (int i = 1; i <= 3; i++)
        for (int node = 0; node < 3; node++)
            for (int w = 0; w < 6; w++) /* the same node of every copy, and of the first */
                assert_int_equal(code_of(t.structure, t.machine, i, &names[w / 2][node], 1, w),
                                 code_of(t.structure, t.machine, i, &names[0][node], 1, 0));
    assert_int_equal(nlm_structure_level_at(t.structure, 0, 2).sets, 3);
    assert_int_equal(nlm_structure_level_at(t.structure, 3, 1).sets, 0);
    assert_int_equal(nlm_structure_level_at(t.structure, 2, 2).tuples, 36);
    free_trio(&t);
}

/* A square: all objects are alike, pairs are neighbours or opposite, triples differ by which is the middle.
 */
static void a_square_stays_symmetric(void **state)
{
    (void)state;
    static const int edges[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {3, 0}, {0, 3}};
    static const int classes[][4] = {{0, 0, 2, 0}, {0, 1, 2, 3}, {1, 1, 2, 3}, {1, 1, 2, 3}};
    struct trio t = make_trio(&graph_spec);
    for (int w = 0; w < 2; w++)
        add_graph(t.batch, 4, edges, COUNT(edges), NULL);
    build(t.structure, t.machine, t.batch, (nlm_options){.threads = 1});
    assert_classes(t.structure, classes, 3);
    free_trio(&t);
}

/* Without facts nothing differs; as numbers, even worlds of different sizes have one class together. */
static void a_world_without_facts_has_one_class(void **state)
{
    (void)state;
    static const int classes[][4] = {{0, 0, 1, 0}, {0, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
    struct trio t = make_trio(&graph_spec);
    for (int w = 0; w < 4; w++)
        add_graph(t.batch, 4 + w, NULL, 0, NULL);
    build(t.structure, t.machine, t.batch, (nlm_options){.threads = 1});
    assert_classes(t.structure, classes, 3);
    nlm_options options = {.threads = 1, .lifting = NLM_IDENTITY};
    build(t.structure, t.machine, t.batch, options);
    for (int i = 0; i <= 3; i++)
        for (int r = 0; r <= 3; r++) {
            nlm_structure_level level = nlm_structure_level_at(t.structure, i, r);
            assert_int_equal(level.live, classes[i][r] > 0);
            assert_int_equal(level.identity, level.live);
            if (level.live)
                assert_int_equal(level.classes, level.tuples);
        }
    assert_int_equal(nlm_structure_level_at(t.structure, 3, 3).tuples, 24 + 60 + 120 + 210);
    free_trio(&t);
}

/* ---- random worlds ---- */

static int below(random_stream *random, int n)
{
    return (int)random_below(random, (uint32_t)n);
}

/* The same seed gives the same world, with its objects renamed as `renaming` says. */
static void add_random_world(nlm_batch *batch, int objects, uint64_t seed, uint64_t renaming)
{
    static float values[MOST_ARITY + 1][MOST_OBJECTS * MOST_OBJECTS * MOST_OBJECTS * MOST_OBJECTS * 2];
    const float *tensors[NLM_MAX_BREADTH + 1] = {NULL};
    int names[MOST_OBJECTS] = {0, 1, 2, 3, 4, 5, 6};
    random_stream random;
    random_start(&random, renaming, 7);
    if (renaming)
        random_shuffle(&random, names, objects);
    random_start(&random, seed, 8);
    uint32_t density = 1 + random_below(&random, 9);
    for (int r = 0; r <= batch->breadth; r++) {
        size_t inputs = (size_t)batch->inputs[r], cells = 1;
        for (int k = 0; k < r; k++)
            cells *= (size_t)objects;
        for (size_t cell = 0; cell < cells; cell++) {
            size_t place = 0,
                   rest = cell; /* the digits of a cell, renamed; their order does not matter here */
            for (int k = 0; k < r; k++, rest /= (size_t)objects)
                place = place * (size_t)objects + (size_t)names[rest % (size_t)objects];
            for (size_t c = 0; c < inputs; c++)
                values[r][place * inputs + c] = random_below(&random, 20) < density ? 1.0f : 0.0f;
        }
        tensors[r] = inputs ? values[r] : NULL;
    }
    assert_int_equal(nlm_batch_add_tensors(batch, objects, tensors, NULL), NLM_OK);
}

/* A spec of any kind; outputs that have no predicates make it one that no machine has. */
static nlm_machine *draw_machine(random_stream *random)
{
    nlm_machine *machine = NULL;
    nlm_spec spec;
    do {
        spec =
            (nlm_spec){.depth = 1 + below(random, 5), .breadth = 1 + below(random, MOST_ARITY), .width = 2};
        for (int r = 0; r <= spec.breadth; r++)
            spec.inputs[r] = below(random, 2) ? below(random, 3) : 0;
        spec.residual = below(random, 2);
        spec.hidden_layers = below(random, 3) == 0;
        spec.hidden[0] = 3;
        spec.outputs = 1 + random_below(random, (1u << (spec.breadth + 1)) - 1);
        spec.own_widths = below(random, 3) == 0;
        for (int i = 0; i < spec.depth; i++)
            for (int r = 0; r <= spec.breadth; r++)
                spec.widths[i][r] = below(random, 4);
    } while (nlm_machine_new(&spec, NULL, 0, &machine, NULL));
    return machine;
}

/* Worlds in several copies, some renamed, among others: enough are alike for lifting to pay. */
static nlm_batch *draw_batch(random_stream *random, const nlm_spec *spec)
{
    nlm_batch *batch = make_batch(spec);
    int worlds = 1 + below(random, MOST_WORLDS), most = spec->breadth == 4   ? 5
                                                        : spec->breadth == 3 ? 6
                                                                             : MOST_OBJECTS;
    uint64_t seed = random_u64(random);
    for (int w = 0; w < worlds; w++) {
        uint64_t kind = seed + random_below(random, 2);
        add_random_world(batch, 1 + (int)(kind % (uint64_t)most), kind,
                         below(random, 2) ? random_u64(random) : 0);
    }
    return batch;
}

static void random_worlds_have_the_classes_of_the_definition(void **state)
{
    (void)state;
    static struct seen seen;
    nlm_structure *reused = make_structure();
    for (int round = 0; round < 1000; round++) {
        random_stream random;
        random_start(&random, 11, (uint64_t)round);
        nlm_machine *machine = draw_machine(&random);
        nlm_batch *batch = draw_batch(&random, nlm_machine_spec(machine));
        nlm_structure *fresh = make_structure();
        build(fresh, machine, batch, (nlm_options){.threads = 1});
        compare(fresh, machine, batch, &seen);
        build(reused, machine, batch, (nlm_options){.threads = 1 + round % 3});
        assert_same_structure(fresh, reused, machine);
        free_trio(&(struct trio){machine, batch, fresh});
    }
    nlm_structure_free(reused);
    assert_true(seen.identity > 100);
    assert_true(seen.streamed > 20);
    for (int i = 0; i <= 4; i++)
        for (int r = 0; r <= MOST_ARITY; r++)
            if (seen.lifted[i][r] < 10)
                fail_msg("only %d lifted levels at layer %d, arity %d", seen.lifted[i][r], i, r);
}

/* ---- exact classes ---- */

/* Every live level has the classes of the definition, no more and no fewer. */
static void compare_exactly(const nlm_structure *s, const nlm_machine *machine, const nlm_batch *batch)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    define(machine, batch, NULL);
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            nlm_structure_level level = nlm_structure_level_at(s, i, r);
            assert_int_equal(level.live, machine->plan.live[i][r]);
            assert_false(level.identity || level.streamed);
            if (!level.live)
                continue;
            compare_level(s, i, r, true);
            assert_int_equal(level.classes, definition.distinct[i][r]);
        }
}

static void exact_classes_are_those_of_the_definition(void **state)
{
    (void)state;
    nlm_structure *reused = make_structure();
    for (int round = 0; round < 500; round++) {
        random_stream random;
        random_start(&random, 12, (uint64_t)round);
        nlm_machine *machine = draw_machine(&random);
        nlm_batch *batch = draw_batch(&random, nlm_machine_spec(machine));
        nlm_structure *fresh = make_structure();
        build(fresh, machine, batch, (nlm_options){.lifting = NLM_CLASSES});
        compare_exactly(fresh, machine, batch);
        build(reused, machine, batch, (nlm_options){.threads = 1 + round % 3, .lifting = NLM_CLASSES});
        assert_same_structure(fresh, reused, machine);
        free_trio(&(struct trio){machine, batch, fresh});
    }
    nlm_structure_free(reused);
}

/* A world of pairs and triples in which objects from 5 on are all alike: how many of them there are must not
 * matter to the others. */
static void add_world_of_twins(nlm_batch *batch, int objects)
{
    static float values[MOST_OBJECTS * MOST_OBJECTS * (MOST_OBJECTS + 1)];
    const float *tensors[NLM_MAX_BREADTH + 1] = {NULL, NULL, values, values + MOST_OBJECTS * MOST_OBJECTS};
    for (int r = 2, cells = objects * objects; r <= 3; r++, cells *= objects)
        for (int cell = 0; cell < cells; cell++) {
            uint32_t seed = 0;
            for (int k = 0, rest = cell; k < r; k++, rest /= objects)
                seed = seed * 6 + (uint32_t)(rest % objects > 5 ? 5 : rest % objects);
            ((float *)tensors[r])[cell] = seed * 2654435761u >> 16 & 1 ? 1.0f : 0.0f;
        }
    assert_int_equal(nlm_batch_add_tensors(batch, objects, tensors, NULL), NLM_OK);
}

/* So many rows that sets are no longer kept as bits: worlds that all differ, but for two that differ in the
 * number of twins alone. */
static void sets_over_many_rows_are_exact(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 3, .breadth = 4, .inputs = {0, 0, 1, 1}, .width = 1, .outputs = 8};
    for (uint64_t round = 0; round < 2; round++) {
        struct trio t = make_trio(&spec);
        for (uint64_t w = 0; w < MOST_WORLDS - 2; w++)
            add_random_world(t.batch, MOST_OBJECTS, 100 * round + w, w);
        add_world_of_twins(t.batch, MOST_OBJECTS - 1);
        add_world_of_twins(t.batch, MOST_OBJECTS);
        build(t.structure, t.machine, t.batch, (nlm_options){.lifting = NLM_CLASSES});
        assert_true(t.structure->levels[1][4].part->orbits * 24 > 4096);
        compare_exactly(t.structure, t.machine, t.batch);
        free_trio(&t);
    }
}

/* Level (d, r) of a machine of depth d that only has the output r is level (d, r) of every deeper machine
 * that reads the same: residual, widths and hidden layers do not matter. */
static void classes_do_not_depend_on_the_layers_above(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        random_stream random;
        random_start(&random, 13, (uint64_t)round);
        nlm_spec spec = {.depth = 8, .breadth = 2 + below(&random, 2), .width = 1};
        spec.inputs[below(&random, spec.breadth + 1)] = 1;
        spec.inputs[2] = 1;
        spec.outputs = (2u << spec.breadth) - 1;
        struct trio deep = {make_machine(&spec), draw_batch(&random, &spec), make_structure()};
        build(deep.structure, deep.machine, deep.batch, (nlm_options){.lifting = NLM_CLASSES});
        int arity = below(&random, spec.breadth + 1);
        for (spec.depth = 2; spec.depth < 6; spec.depth++) {
            spec.outputs = 1u << arity;
            spec.width = 1 + below(&random, 3);
            spec.residual = below(&random, 2);
            spec.hidden_layers = below(&random, 2);
            spec.hidden[0] = 2;
            struct trio cut = {make_machine(&spec), NULL, make_structure()};
            build(cut.structure, cut.machine, deep.batch, (nlm_options){.lifting = NLM_CLASSES});
            assert_same_partition(cut.structure->levels[spec.depth][arity].part,
                                  deep.structure->levels[spec.depth][arity].part,
                                  tuples_count(&deep.batch->tuples, arity));
            free_trio(&cut);
        }
        free_trio(&deep);
    }
}

/* ---- threads, sizes, errors ---- */

/* Families. */
static nlm_batch *task_batch(const nlm_spec *spec, const int *sizes, int worlds)
{
    const nlm_task *task = nlm_task_find("grandparent");
    nlm_batch *batch = make_batch(spec);
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    for (int w = 0; w < worlds; w++) {
        assert_int_equal(nlm_task_generate(task, NLM_WORLDS_PAPER, 5, (uint64_t)w, sizes[w], world, NULL),
                         NLM_OK);
        assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
    }
    nlm_world_free(world);
    return batch;
}

/* Sizes far apart, so that work is cut into one chunk and into many, and memory grows and is used again. */
static void threads_and_earlier_batches_change_nothing(void **state)
{
    (void)state;
    static const int sizes[][4] = {{1, 1, 2, 1}, {24, 30, 5, 17}, {2, 3, 1, 2}, {40, 1, 1, 2}, {6, 6, 6, 6}};
    nlm_structure *reused[3] = {make_structure(), make_structure(), make_structure()};
    for (size_t n = 0; n < COUNT(sizes); n++)
        for (unsigned outputs = 1; outputs <= 8; outputs *= 2) {
            nlm_spec spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = outputs};
            nlm_machine *machine = make_machine(&spec);
            nlm_batch *batch = task_batch(&spec, sizes[n], 4);
            nlm_structure *fresh = make_structure();
            build(fresh, machine, batch, (nlm_options){0});
            for (int t = 0; t < 3; t++) {
                build(reused[t], machine, batch, (nlm_options){.threads = t + 1});
                assert_same_structure(fresh, reused[t], machine);
            }
            free_trio(&(struct trio){machine, batch, fresh});
        }
    for (int t = 0; t < 3; t++)
        nlm_structure_free(reused[t]);
}

static void what_cannot_be_built_is_refused(void **state)
{
    (void)state;
    static const int edges[][2] = {{0, 1}};
    nlm_spec other_spec = graph_spec;
    other_spec.inputs[1] = 1;
    nlm_machine *machine = make_machine(&graph_spec), *other = make_machine(&other_spec);
    nlm_batch *batch = make_batch(&graph_spec);
    nlm_structure *s = make_structure();
    nlm_options options = {.threads = 1};
    nlm_error error;
    assert_int_equal(nlm_structure_build(s, machine, batch, &options, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the batch holds no world");
    add_graph(batch, 3, edges, 1, NULL);
    assert_int_equal(nlm_structure_build(s, other, batch, &options, &error), NLM_BAD_SHAPE);
    assert_non_null(strstr(error.message, "arity 1"));
    options.threads = -1;
    assert_int_equal(nlm_structure_build(s, machine, batch, &options, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "-1 threads"));
    options.threads = 1;
    options.kernel = (nlm_kernel)99;
    assert_int_equal(nlm_structure_build(s, machine, batch, &options, &error), NLM_BAD_ARGUMENT);
    assert_false(nlm_structure_level_at(s, 0, 2).live);
    assert_int_equal(nlm_structure_build(s, machine, batch, NULL, NULL), NLM_OK);
    assert_true(nlm_structure_level_at(s, 0, 2).live);
    assert_false(nlm_structure_level_at(s, -1, 2).live);
    assert_false(nlm_structure_level_at(s, 4, 2).live);
    assert_false(nlm_structure_level_at(s, 0, 4).live);
    assert_int_equal(nlm_structure_build(s, other, batch, NULL, NULL), NLM_BAD_SHAPE);
    free_trio(&(struct trio){machine, batch, s});
    nlm_machine_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_the_classes_counted_by_hand),
        cmocka_unit_test(a_square_stays_symmetric),
        cmocka_unit_test(a_world_without_facts_has_one_class),
        cmocka_unit_test(random_worlds_have_the_classes_of_the_definition),
        cmocka_unit_test(exact_classes_are_those_of_the_definition),
        cmocka_unit_test(sets_over_many_rows_are_exact),
        cmocka_unit_test(classes_do_not_depend_on_the_layers_above),
        cmocka_unit_test(threads_and_earlier_batches_change_nothing),
        cmocka_unit_test(what_cannot_be_built_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
