/* The paper's nine rules of the blocks world (examples/should_move.pl) as a machine, on random blocks worlds,
 * against what they say: a clear block of the initial world that stands on something which is not where the
 * target has it. */
#include "test.h"
#include "logic/program.h"
#include "nlm/evaluator.h"

enum { MOST_BLOCKS = 8, MOST_OBJECTS = 2 * (MOST_BLOCKS + 1) };

/* Objects: the ground and the blocks of the initial world, then those of the target. */
typedef struct thing {
    int world, id, x, y, onto; /* onto: what it stands on, -1 for the ground */
} thing;

static uint32_t state = 1;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

static bool is_clear(const thing *things, int objects, int of)
{
    for (int i = 0; i < objects; i++)
        if (things[i].onto == of && things[i].y > 1)
            return false;
    return true;
}

/* A block goes on the ground, at its own x, or on a clear block of its world. */
static void stack(thing *things, int blocks, int world)
{
    const int first = world * (blocks + 1);
    things[first] = (thing){.world = world, .onto = -1};
    for (int id = 1; id <= blocks; id++) {
        const int onto = first + draw(id);
        const bool on_block = onto > first && is_clear(things, first + id, onto);
        things[first + id] = (thing){.world = world,
                                     .id = id,
                                     .x = on_block ? things[onto].x : id,
                                     .y = on_block ? things[onto].y + 1 : 1,
                                     .onto = on_block ? onto : first};
    }
}

/* An input of the rules, by its name. */
static bool compare(const char *name, const thing *a, const thing *b)
{
    if (!strcmp(name, "above"))
        return a->y > b->y;
    if (!strcmp(name, "smaller_world_id"))
        return a->world < b->world;
    if (!strcmp(name, "same_world_id"))
        return a->world == b->world;
    if (!strcmp(name, "same_id"))
        return a->id == b->id;
    if (!strcmp(name, "same_x"))
        return a->x == b->x;
    assert_string_equal(name, "same_y");
    return a->y == b->y;
}

static void add_facts(nlm_world *world, const nlm_program *program, const thing *things, int objects)
{
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    for (int i = 0; i < program->input_count; i++) {
        const char *name = program_at(program, i)->name;
        CHECK(nlm_world_add_predicate(world, name, 2, NULL, &check_error));
        for (int a = 0; a < objects; a++)
            for (int b = 0; b < objects; b++)
                if (a != b && compare(name, &things[a], &things[b]))
                    CHECK(nlm_world_add_fact(world, i, (const int[]){a, b}, 1, &check_error));
    }
}

static bool should_move(const thing *things, int blocks, int of)
{
    const int objects = 2 * (blocks + 1);
    if (things[of].world != 0 || things[of].id == 0 || !is_clear(things, objects, of))
        return false;
    /* the ground has another x than all blocks, so that it does not count as below them */
    for (int below = things[of].onto; things[below].id != 0; below = things[below].onto) {
        const thing *goal = &things[below + blocks + 1];
        if (goal->x != things[below].x || goal->y != things[below].y)
            return true;
    }
    return false;
}

static void paper_rules(void **context)
{
    (void)context;
    nlm_program *program;
    nlm_machine *machine;
    nlm_evaluator *evaluator;
    nlm_world *world;
    int moves = 0;
    CHECK(nlm_program_read("examples/should_move.pl", NULL, &program, &check_error));
    assert_int_equal(program->target_count, 1);
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    assert_int_equal(nlm_machine_spec(machine)->depth, 4);
    assert_int_equal(nlm_machine_spec(machine)->breadth, 2);
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    for (int n = 0; n < 500; n++) {
        thing things[MOST_OBJECTS];
        float logits[MOST_OBJECTS];
        signed char truth[MOST_OBJECTS];
        const int blocks = 1 + draw(MOST_BLOCKS), objects = 2 * (blocks + 1);
        stack(things, blocks, 0);
        stack(things, blocks, 1);
        nlm_world_clear(world);
        add_facts(world, program, things, objects);
        nlm_evaluator_clear(evaluator);
        CHECK(nlm_evaluator_add(evaluator, world, &check_error));
        CHECK(nlm_evaluator_run(evaluator, false, &check_error));
        CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, 0, logits, &check_error));
        CHECK(nlm_program_evaluate(program, world, 0, truth, &check_error));
        for (int i = 0; i < objects; i++) {
            const bool expected = should_move(things, blocks, i);
            assert_int_equal(truth[i], expected);
            assert_int_equal(logits[i] > 0, expected);
            moves += expected;
        }
    }
    assert_true(moves > 200);
    nlm_world_free(world);
    nlm_evaluator_free(evaluator);
    nlm_machine_free(machine);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paper_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
