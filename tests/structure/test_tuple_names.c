/* Names of tuples, of one world at a time, are equal where the definition's classes of all worlds are. */
#include "structure/definition.h"
#include "structure/tuple_names.h"

static random_stream draws;

static int below(int n)
{
    return (int)random_below(&draws, (uint32_t)n);
}

/* Worlds of few facts, so that many tuples are alike; every third is one that was there already. */
static nlm_world *draw_world(const nlm_spec *spec)
{
    static const int most[] = {0, 7, 7, 6, 5};
    nlm_world *world;
    const int objects = 1 + below(most[spec->breadth]), rarity = 2 + below(8);
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    for (int r = 0; r <= spec->breadth; r++)
        for (int p = 0; p < spec->inputs[r]; p++) {
            char name[16];
            int number;
            snprintf(name, sizeof name, "p%d_%d", r, p);
            CHECK(nlm_world_add_predicate(world, name, r, &number, &check_error));
            for (size_t t = 0; t < nlm_tuple_count(objects, r); t++) {
                int tuple[NLM_MAX_BREADTH];
                if (below(rarity) == 0 && nlm_tuple_at(objects, r, t, tuple))
                    CHECK(nlm_world_add_fact(world, number, tuple, 1.0f, &check_error));
            }
        }
    return world;
}

static nlm_machine *draw_machine(nlm_spec *spec)
{
    nlm_machine *machine = NULL;
    while (!machine) {
        memset(spec, 0, sizeof *spec);
        spec->breadth = 1 + below(MOST_ARITY);
        for (int r = 0; r <= spec->breadth && r < 4; r++)
            spec->inputs[r] = below(3);
        spec->depth = 1 + below(4);
        spec->width = 2;
        spec->residual = below(2);
        spec->outputs = 1u << below(spec->breadth + 1);
        nlm_error error;
        if (nlm_machine_new(spec, NULL, 0, &machine, &error))
            machine = NULL;
    }
    return machine;
}

static size_t compared, alike;

/* All pairs of tuples of the wanted output, of all worlds. */
static void compare(int layer, int arity, const uint64_t *name)
{
    const int *classes = definition.classes[layer][arity];
    for (int n = 0; n < definition.count[arity]; n++)
        for (int o = 0; o < n; o++, compared++) {
            alike += classes[n] == classes[o];
            if ((name[n] == name[o]) != (classes[n] == classes[o]))
                fail_msg("layer %d, arity %d: tuples %d and %d are %s", layer, arity, n, o,
                         classes[n] == classes[o] ? "alike" : "different");
        }
}

static void names_are_classes(void **state)
{
    (void)state;
    static uint64_t name[MOST_TUPLES];
    random_start(&draws, 3, 0);
    for (int run = 0; run < 150; run++) {
        nlm_spec spec;
        nlm_machine *machine = draw_machine(&spec);
        nlm_batch *all, *one;
        nlm_world *worlds[4];
        tuple_names *names;
        int arity = 0;
        while (!(spec.outputs >> arity & 1))
            arity++;
        CHECK(nlm_batch_new(spec.inputs, spec.breadth, &all, &check_error));
        CHECK(nlm_batch_new(spec.inputs, spec.breadth, &one, &check_error));
        for (int w = 0; w < 4; w++) {
            worlds[w] = draw_world(&spec);
            CHECK(nlm_batch_add_world(all, worlds[w], &check_error));
        }
        define(machine, all, NULL);
        CHECK(tuple_names_new(&machine->plan, &names, &check_error));
        for (int w = 0; w < 4; w++) {
            nlm_batch_clear(one);
            CHECK(nlm_batch_add_world(one, worlds[w], &check_error));
            CHECK(tuple_names_ask(names, one, &check_error));
            const int objects = nlm_world_objects(worlds[w]);
            for (int n = 0; n < definition.count[arity]; n++) {
                const struct ordered *t = &definition.tuples[arity][n];
                if (t->world == w)
                    name[n] = tuple_names_at(names, arity)[nlm_tuple_number(objects, arity, t->x)];
            }
            nlm_world_free(worlds[w]);
        }
        compare(spec.depth, arity, name);
        tuple_names_free(names);
        nlm_batch_free(one);
        nlm_batch_free(all);
        nlm_machine_free(machine);
    }
    assert_true(alike > 10000 && compared - alike > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
