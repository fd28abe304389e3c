/* What data needs: small worlds whose answer is known, random worlds against the classes of the definition
 * (structure/definition.h), the paper's tasks. */
#include "structure/definition.h"

#include <stdio.h>
#include "learn/needs.h"

/* ---- worlds ---- */

static nlm_world *make_world(int objects)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    return world;
}

/* Symmetric edges from every object to the next of its circle: circles of `length` objects. */
static nlm_world *make_circles(int objects, int length, nlm_label label)
{
    nlm_world *world = make_world(objects);
    assert_int_equal(nlm_world_add_predicate(world, "edge", 2, NULL, NULL), NLM_OK);
    for (int x = 0; x < objects; x++) {
        int y = x / length * length + (x + 1) % length;
        assert_int_equal(nlm_world_add_fact(world, 0, (int[]){x, y}, 1.0f, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_fact(world, 0, (int[]){y, x}, 1.0f, NULL), NLM_OK);
    }
    assert_int_equal(nlm_world_add_target(world, "round", 1, label, NULL, NULL), NLM_OK);
    return world;
}

/* A line 0 -> 1 -> ... with no target yet. */
static nlm_world *make_line(int objects)
{
    nlm_world *world = make_world(objects);
    assert_int_equal(nlm_world_add_predicate(world, "next", 2, NULL, NULL), NLM_OK);
    for (int x = 0; x + 1 < objects; x++)
        assert_int_equal(nlm_world_add_fact(world, 0, (int[]){x, x + 1}, 1.0f, NULL), NLM_OK);
    return world;
}

static void add_target(nlm_world *world, int arity, nlm_label by_default)
{
    char name[16];
    snprintf(name, sizeof name, "t%d", nlm_world_targets(world));
    assert_int_equal(nlm_world_add_target(world, name, arity, by_default, NULL, NULL), NLM_OK);
}

static void label(nlm_world *world, int target, const int *tuple, nlm_label to)
{
    assert_int_equal(nlm_world_add_label(world, target, tuple, to, NULL), NLM_OK);
}

static nlm_needs needs_of(nlm_world **worlds, int count, int most_breadth)
{
    nlm_needs needs;
    nlm_error error;
    if (needs_of_worlds((const nlm_world *const *)worlds, count, most_breadth, 0, NULL, &needs, &error))
        fail_msg("%s", error.message);
    return needs;
}

static void free_worlds(nlm_world **worlds, int count)
{
    for (int w = 0; w < count; w++)
        nlm_world_free(worlds[w]);
}

/* ---- known answers ---- */

/* Every object of a circle has two neighbours and others, whatever the circle's length: only who sees three
 * objects at a time sees triangles. */
static void triangles_and_a_hexagon_need_three_objects(void **state)
{
    (void)state;
    nlm_world *worlds[] = {make_circles(6, 3, NLM_TRUE), make_circles(6, 6, NLM_FALSE)};
    nlm_needs needs = needs_of(worlds, 2, 4);
    assert_int_equal(needs.true_labels, 6);
    assert_int_equal(needs.false_labels, 6);
    const nlm_need *two = &needs.breadth[2], *three = &needs.breadth[3];
    assert_int_equal(needs.breadth[1].separation, NLM_NOT_TRIED);
    assert_int_equal(two->separation, NLM_INSEPARABLE);
    assert_int_equal(two->classes, 1);
    assert_int_equal(two->mixed, 1);
    assert_int_equal(two->target, 0);
    assert_true(two->yes.world == 0 && two->yes.tuple[0] == 0);
    assert_true(two->no.world == 1 && two->no.tuple[0] == 0);
    assert_int_equal(three->separation, NLM_SEPARATED);
    assert_int_equal(three->depth, 3); /* triples, pairs in a triangle, objects of such a pair */
    assert_int_equal(three->classes, 2);
    assert_int_equal(three->mixed, 0);
    assert_int_equal(needs.best_breadth, 3);
    assert_int_equal(needs.best_depth, 3);
    free_worlds(worlds, 2);
}

/* 0 -> 2 <- 1 and 3 alone: 0 and 1 are alike for everyone. */
static void twins_with_different_labels_are_never_told_apart(void **state)
{
    (void)state;
    nlm_world *world = make_world(4);
    assert_int_equal(nlm_world_add_predicate(world, "edge", 2, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, 0, (int[]){0, 2}, 1.0f, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, 0, (int[]){1, 2}, 1.0f, NULL), NLM_OK);
    add_target(world, 1, NLM_FALSE);
    label(world, 0, (int[]){1}, NLM_TRUE);
    add_target(world, 2, NLM_FALSE); /* (3, 1) but not (3, 0) */
    label(world, 1, (int[]){3, 1}, NLM_TRUE);
    nlm_needs needs = needs_of(&world, 1, NLM_MAX_BREADTH);
    for (int b = 2; b <= NLM_MAX_BREADTH; b++) {
        const nlm_need *need = &needs.breadth[b];
        assert_int_equal(need->separation, NLM_INSEPARABLE);
        assert_int_equal(need->mixed, 2);
        assert_int_equal(need->classes, 3 + 7);
        assert_int_equal(need->target, 0);
        assert_true(need->yes.tuple[0] == 1 && need->no.tuple[0] == 0);
    }
    assert_true(needs.best_breadth == 0 && needs.best_depth == 0);
    free_worlds(&world, 1);
}

/* The example is an ordered tuple of the target that is mixed, here the second. */
static void examples_are_tuples_of_their_target(void **state)
{
    (void)state;
    nlm_world *worlds[] = {make_line(3), make_line(3)};
    for (int w = 0; w < 2; w++) {
        add_target(worlds[w], 1, NLM_UNLABELLED);
        add_target(worlds[w], 2, NLM_UNLABELLED);
        label(worlds[w], 0, (int[]){w}, w ? NLM_TRUE : NLM_FALSE);
        label(worlds[w], 1, (int[]){2, 0}, w ? NLM_FALSE : NLM_TRUE);
        label(worlds[w], 1, (int[]){0, 1}, NLM_TRUE);
    }
    nlm_needs needs = needs_of(worlds, 2, 3);
    assert_int_equal(needs.true_labels, 4);
    assert_int_equal(needs.false_labels, 2);
    for (int b = 2; b <= 3; b++) {
        const nlm_need *need = &needs.breadth[b];
        assert_int_equal(need->separation, NLM_INSEPARABLE);
        assert_int_equal(need->classes, 2 + 2);
        assert_int_equal(need->mixed, 1);
        assert_int_equal(need->target, 1);
        assert_true(need->yes.world == 0 && need->yes.tuple[0] == 2 && need->yes.tuple[1] == 0);
        assert_true(need->no.world == 1 && need->no.tuple[0] == 2 && need->no.tuple[1] == 0);
    }
    free_worlds(worlds, 2);
}

/* On a line of twelve the first object is known to have nobody before it after one layer; each step further
 * takes two, one for the pairs and one for the objects.  Unlabelled objects do not count. */
static void a_line_needs_two_layers_a_step(void **state)
{
    (void)state;
    nlm_world *world = make_line(12);
    add_target(world, 1, NLM_FALSE);
    for (int x = 0; x < 5; x++) {
        if (x > 0)
            label(world, 0, (int[]){x - 1}, NLM_UNLABELLED);
        label(world, 0, (int[]){x}, NLM_TRUE);
        nlm_needs needs = needs_of(&world, 1, 2);
        assert_int_equal(needs.false_labels, 11 - x);
        assert_int_equal(needs.breadth[2].separation, x < 4 ? NLM_SEPARATED : NLM_UNSEPARATED);
        assert_int_equal(needs.breadth[2].depth, x < 4 ? 2 * x + 1 : NLM_NEEDS_DEPTH);
    }
    free_worlds(&world, 1);
}

/* What holds for a whole world is known when facts about pairs have come down to it. */
static void a_whole_world_needs_two_layers(void **state)
{
    (void)state;
    nlm_world *worlds[] = {make_line(2), make_line(2)};
    add_target(worlds[0], 0, NLM_TRUE);
    add_target(worlds[1], 0, NLM_TRUE);
    nlm_needs needs = needs_of(worlds, 2, 2);
    assert_int_equal(needs.breadth[2].separation, NLM_SEPARATED);
    assert_int_equal(needs.breadth[2].depth, 2);
    assert_int_equal(needs.breadth[2].classes, 1);
    free_worlds(worlds, 2);
}

/* Two objects cannot fill a fact about five, and no such tuple has a class: the world is not given up before
 * the layers have come down to what it has. */
static void facts_that_nobody_fits_are_waited_for(void **state)
{
    (void)state;
    nlm_world *world = make_world(2);
    assert_int_equal(nlm_world_add_predicate(world, "five", 5, NULL, NULL), NLM_OK);
    add_target(world, 1, NLM_TRUE);
    nlm_needs needs = needs_of(&world, 1, 5);
    assert_int_equal(needs.breadth[5].separation, NLM_SEPARATED);
    assert_int_equal(needs.breadth[5].depth, 4);
    assert_int_equal(needs.breadth[5].classes, 1);
    free_worlds(&world, 1);
}

/* ---- random worlds ---- */

static random_stream draws;

static int below(int n)
{
    return (int)random_below(&draws, (uint32_t)n);
}

static nlm_world *draw_world(int objects, int targets)
{
    nlm_world *world = make_world(objects);
    assert_int_equal(nlm_world_add_predicate(world, "p", 1, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "q", 2, NULL, NULL), NLM_OK);
    for (int t = 0; t < targets; t++)
        add_target(world, 1 + t % 2, NLM_FALSE);
    for (int x = 0; x < objects; x++) {
        if (below(8) == 0)
            assert_int_equal(nlm_world_add_fact(world, 0, &x, 1.0f, NULL), NLM_OK);
        if (below(3) == 0)
            label(world, 0, &x, (nlm_label)(below(3) - 1));
        for (int y = 0; y < objects; y++) {
            if (y != x && below(objects) == 0)
                assert_int_equal(nlm_world_add_fact(world, 1, (int[]){x, y}, 1.0f, NULL), NLM_OK);
            if (y != x && targets > 1 && below(12) == 0)
                label(world, 1, (int[]){x, y}, (nlm_label)(below(3) - 1));
        }
    }
    return world;
}

/* The labels of a class, by the definition. */
static void count_mixed(const nlm_batch *batch, int layer, size_t *classes, size_t *mixed)
{
    static int marks[MOST_TUPLES];
    *classes = *mixed = 0;
    for (int t = 0; t < batch->targets; t++) {
        int arity = batch->target_arity[t];
        memset(marks, 0, sizeof marks);
        for (int n = 0; n < definition.count[arity]; n++) {
            const struct ordered *tuple = &definition.tuples[arity][n];
            int order;
            size_t index = tuples_find(&batch->tuples, tuple->world, tuple->x, arity, &order);
            int is = ((const signed char *)batch->labels[t]
                          .data)[index * (size_t)batch_orders(arity) + (size_t)order];
            if (is >= 0)
                marks[definition.classes[layer][arity][n]] |= 1 << is;
        }
        for (int c = 0; c < definition.distinct[layer][arity]; c++) {
            *classes += marks[c] != 0;
            *mixed += marks[c] == 3;
        }
    }
}

/* A labelled tuple has that label and, by the definition, the given class. */
static int class_of_example(const nlm_batch *batch, int target, const nlm_labelled_tuple *example, int layer,
                            nlm_label is)
{
    int arity = batch->target_arity[target], order;
    size_t index = tuples_find(&batch->tuples, example->world, example->tuple, arity, &order);
    const signed char *labels = batch->labels[target].data;
    assert_int_equal(labels[index * (size_t)batch_orders(arity) + (size_t)order], is);
    return definition.classes[layer][arity][*number_of(example->world, example->tuple, arity)];
}

static void compare_with_definition(const nlm_batch *batch, const nlm_need *need)
{
    size_t classes, mixed;
    if (need->depth > MOST_LAYERS)
        return;
    for (int d = 1; d < need->depth; d++) {
        count_mixed(batch, d, &classes, &mixed);
        assert_true(mixed > 0);
    }
    count_mixed(batch, need->depth, &classes, &mixed);
    assert_int_equal(need->classes, classes);
    assert_int_equal(need->mixed, mixed);
    assert_int_equal(need->separation == NLM_SEPARATED, mixed == 0);
    if (mixed)
        assert_int_equal(class_of_example(batch, need->target, &need->yes, need->depth, NLM_TRUE),
                         class_of_example(batch, need->target, &need->no, need->depth, NLM_FALSE));
    if (need->separation != NLM_INSEPARABLE)
        return;
    count_mixed(batch, MOST_LAYERS, &classes, &mixed); /* nothing more to come */
    assert_int_equal(need->classes, classes);
    assert_int_equal(need->mixed, mixed);
}

static void random_worlds_need_what_the_definition_says(void **state)
{
    (void)state;
    int seen[4] = {0};
    for (int round = 0; round < 150; round++) {
        random_start(&draws, 21, (uint64_t)round);
        nlm_world *worlds[4];
        int count = 1 + below(4), targets = 1 + below(3);
        for (int w = 0; w < count; w++)
            worlds[w] = draw_world(1 + below(6), targets);
        nlm_needs needs = needs_of(worlds, count, 3);
        for (int b = 2; b <= 3; b++) {
            nlm_spec spec = {.depth = MOST_LAYERS, .breadth = b, .inputs = {0, 1, 1}, .width = 1};
            spec.outputs = (2u << b) - 1;
            nlm_machine *machine;
            nlm_batch *batch;
            assert_int_equal(nlm_machine_new(&spec, NULL, 0, &machine, NULL), NLM_OK);
            assert_int_equal(nlm_batch_new(spec.inputs, b, &batch, NULL), NLM_OK);
            for (int w = 0; w < count; w++)
                assert_int_equal(nlm_batch_add_world(batch, worlds[w], NULL), NLM_OK);
            define(machine, batch, NULL);
            compare_with_definition(batch, &needs.breadth[b]);
            seen[needs.breadth[b].separation]++;
            nlm_batch_free(batch);
            nlm_machine_free(machine);
        }
        free_worlds(worlds, count);
    }
    assert_true(seen[NLM_SEPARATED] > 20 && seen[NLM_INSEPARABLE] > 20 && seen[NLM_NOT_TRIED] == 0);
}

/* ---- tasks ---- */

static void assert_same_need(const nlm_need *a, const nlm_need *b)
{
    assert_int_equal(a->separation, b->separation);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->mixed, b->mixed);
    assert_int_equal(a->target, b->target);
    assert_memory_equal(&a->yes, &b->yes, sizeof a->yes);
    assert_memory_equal(&a->no, &b->no, sizeof a->no);
}

/* The depth that each task needs at breadth 3, and what is best up to breadth 4, which is the paper's own
 * breadth.  Any number of threads gives the same. */
static void tasks_need_what_the_paper_gave_them(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int three, breadth, depth;
    } expected[] = {{"has-father", 1, 2, 1},     {"has-sister", 3, 3, 3},     {"grandparent", 2, 3, 2},
                    {"uncle", 4, 3, 4},          {"mg-uncle", 4, 3, 4},       {"adjacent-to-red", 2, 2, 2},
                    {"4-connectivity", 4, 3, 4}, {"6-connectivity", 6, 3, 6}, {"1-outdegree", 3, 3, 3},
                    {"2-outdegree", 7, 4, 5}};
    for (size_t k = 0; k < COUNT(expected); k++) {
        nlm_problem *problem;
        nlm_needs needs[2];
        const nlm_task *task = nlm_task_find(expected[k].name);
        assert_int_equal(
            nlm_problem_generate(task, NLM_WORLDS_PAPER, 1, 0, task->train_objects, 100, &problem, NULL),
            NLM_OK);
        for (int threads = 1; threads <= 2; threads++) {
            nlm_options options = {.threads = threads};
            assert_int_equal(nlm_problem_needs(problem, 4, 0, &options, &needs[threads - 1], NULL), NLM_OK);
        }
        for (int b = 1; b <= NLM_MAX_BREADTH; b++)
            assert_same_need(&needs[0].breadth[b], &needs[1].breadth[b]);
        assert_int_equal(needs[0].breadth[3].separation, NLM_SEPARATED);
        assert_int_equal(needs[0].breadth[3].depth, expected[k].three);
        assert_int_equal(needs[0].best_breadth, expected[k].breadth);
        assert_int_equal(needs[0].best_depth, expected[k].depth);
        nlm_problem_free(problem);
    }
}

/* ---- limits ---- */

static void what_would_take_too_much_is_not_tried(void **state)
{
    (void)state;
    nlm_world *world = make_line(60);
    const nlm_world *const given[] = {world};
    nlm_needs needs;
    add_target(world, 2, NLM_FALSE);
    assert_int_equal(needs_of_worlds(given, 1, 4, 1000, NULL, &needs, NULL), NLM_OK);
    for (int b = 1; b <= NLM_MAX_BREADTH; b++)
        assert_int_equal(needs.breadth[b].separation, NLM_NOT_TRIED);
    assert_int_equal(needs.best_breadth, 0);
    assert_int_equal(needs_of_worlds(given, 1, 4, 4000000, NULL, &needs, NULL), NLM_OK);
    assert_int_equal(needs.breadth[2].separation, NLM_SEPARATED);
    assert_int_equal(needs.breadth[3].separation, NLM_NOT_TRIED);
    assert_int_equal(needs_of_worlds(given, 1, 1, 0, NULL, &needs, NULL), NLM_OK);
    assert_int_equal(needs.breadth[1].separation, NLM_NOT_TRIED); /* facts about pairs */
    free_worlds(&world, 1);
    /* more triples than there are codes */
    world = make_line(1300);
    const nlm_world *const large[] = {world};
    add_target(world, 1, NLM_UNLABELLED);
    assert_int_equal(needs_of_worlds(large, 1, 3, 0, NULL, &needs, NULL), NLM_OK);
    assert_int_equal(needs.breadth[2].separation, NLM_SEPARATED);
    assert_int_equal(needs.breadth[3].separation, NLM_NOT_TRIED);
    free_worlds(&world, 1);
}

/* Twenty times two triangles, which are round, and twenty hexagons, which are not. */
static void where_all_worlds_are_too_many_some_are_looked_at(void **state)
{
    (void)state;
    enum { WORLDS = 40 };
    nlm_world *worlds[WORLDS];
    for (int w = 0; w < WORLDS; w++)
        worlds[w] = w < WORLDS / 2 ? make_circles(6, 3, NLM_TRUE) : make_circles(6, 6, NLM_FALSE);
    const nlm_needs all = needs_of(worlds, WORLDS, 3);
    assert_int_equal(all.breadth[3].worlds, WORLDS);
    nlm_needs some;
    size_t bytes = 1 << 24; /* the most, of powers of two, that is too little for breadth 3 */
    do {
        bytes /= 2;
        assert_int_equal(
            needs_of_worlds((const nlm_world *const *)worlds, WORLDS, 3, bytes, NULL, &some, NULL), NLM_OK);
    } while (some.breadth[3].worlds == WORLDS);
    assert_int_equal(some.breadth[2].worlds, WORLDS);
    assert_int_equal(some.breadth[2].separation, NLM_INSEPARABLE);
    assert_in_range(some.breadth[2].no.world, WORLDS / 2, WORLDS - 1);
    assert_in_range(some.breadth[3].worlds, 2, WORLDS - 1);
    assert_int_equal(some.breadth[3].separation, NLM_SEPARATED);
    assert_int_equal(some.breadth[3].depth, all.breadth[3].depth);
    assert_int_equal(some.best_breadth, 3);
    assert_int_equal(some.true_labels, all.true_labels);
    /* less: not all of breadth 2 either, and the tuples that are alike are of the worlds that they are said
     * to be of */
    assert_int_equal(
        needs_of_worlds((const nlm_world *const *)worlds, WORLDS, 2, bytes / 8, NULL, &some, NULL), NLM_OK);
    assert_in_range(some.breadth[2].worlds, 2, WORLDS - 1);
    assert_in_range(some.breadth[2].yes.world, 0, WORLDS / 2 - 1);
    assert_in_range(some.breadth[2].no.world, WORLDS / 2, WORLDS - 1);
    free_worlds(worlds, WORLDS);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    nlm_needs needs;
    nlm_error error;
    nlm_world *line = make_line(3), *circle = make_circles(3, 3, NLM_TRUE), *empty = make_world(2);
    const nlm_world *const untold[] = {line}, *const nothing[] = {empty}, *const fine[] = {circle};
    assert_int_equal(needs_of_worlds(fine, 0, 3, 0, NULL, &needs, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(needs_of_worlds(fine, 1, 0, 0, NULL, &needs, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(needs_of_worlds(fine, 1, 6, 0, NULL, &needs, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(needs_of_worlds(untold, 1, 3, 0, NULL, &needs, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the worlds have no target");
    add_target(empty, 1, NLM_TRUE);
    assert_int_equal(needs_of_worlds(nothing, 1, 3, 0, NULL, &needs, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the worlds have no predicate");
    const nlm_world *const different[] = {circle, empty};
    assert_int_equal(needs_of_worlds(different, 2, 3, 0, NULL, &needs, &error), NLM_BAD_SHAPE);
    nlm_options options = {.threads = -1};
    assert_int_equal(needs_of_worlds(fine, 1, 3, 0, &options, &needs, &error), NLM_BAD_ARGUMENT);
    nlm_world_free(line);
    nlm_world_free(circle);
    nlm_world_free(empty);
}

/* In small families pairs tell everybody apart by their surroundings, with fewer classes than triples do;
 * that is no rule, and not what is taken. */
static void coincidences_of_small_worlds_are_not_taken(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_needs needs;
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 12, 50, &problem, NULL), NLM_OK);
    assert_int_equal(nlm_problem_needs(problem, 4, 0, NULL, &needs, NULL), NLM_OK);
    assert_int_equal(needs.breadth[2].separation, NLM_SEPARATED);
    assert_true(needs.breadth[2].classes < needs.breadth[3].classes);
    assert_int_equal(needs.best_breadth, 3);
    assert_int_equal(needs.best_depth, 4);
    nlm_problem_free(problem);
}

/* Where every label is a class of its own, and where classes are shared. */
static void labels_that_would_be_learned_by_heart_are_recognised(void **state)
{
    (void)state;
    nlm_problem *problem;
    nlm_needs needs;
    size_t classes;
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("has-father"), NLM_WORLDS_PAPER, 1, 0, 10, 20, &problem, NULL),
        NLM_OK);
    assert_int_equal(nlm_problem_needs(problem, 4, 0, NULL, &needs, NULL), NLM_OK);
    assert_false(nlm_needs_by_heart(&needs, &classes));
    assert_true(classes > 0 && classes < 100); /* of 200 labels */
    needs.breadth[needs.best_breadth].classes = 100;
    assert_true(nlm_needs_by_heart(&needs, &classes));
    assert_int_equal(classes, 100);
    needs.best_breadth = 0;
    assert_false(nlm_needs_by_heart(&needs, &classes));
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_and_a_hexagon_need_three_objects),
        cmocka_unit_test(twins_with_different_labels_are_never_told_apart),
        cmocka_unit_test(examples_are_tuples_of_their_target),
        cmocka_unit_test(a_line_needs_two_layers_a_step),
        cmocka_unit_test(a_whole_world_needs_two_layers),
        cmocka_unit_test(facts_that_nobody_fits_are_waited_for),
        cmocka_unit_test(random_worlds_need_what_the_definition_says),
        cmocka_unit_test(tasks_need_what_the_paper_gave_them),
        cmocka_unit_test(what_would_take_too_much_is_not_tried),
        cmocka_unit_test(where_all_worlds_are_too_many_some_are_looked_at),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(coincidences_of_small_worlds_are_not_taken),
        cmocka_unit_test(labels_that_would_be_learned_by_heart_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
