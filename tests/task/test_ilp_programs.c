/* The tasks of differentiable ILP have the programs that they are meant to have: each fits the templates that
 * were published for its task, and its conclusions are the labels, on many worlds and on nonsense. */
#include "clauses.h"

static const struct {
    const char *task, *program, *templates;
} KNOWN[] = {
    {"ilp-predecessor", "predecessor(X,Y) :- succ(Y,X).", "t/2:(0,F)"},
    {"ilp-even-odd",
     "even(X) :- zero(X). even(X) :- succ(Y,X), odd(Y)."
     "odd(X) :- succ(Y,X), even(Y).",
     "t/1:(0,F),(1,T) p/1:(1,T)"},
    {"ilp-even-succ2",
     "even(X) :- zero(X). even(X) :- even(Y), plus_two(Y,X)."
     "plus_two(X,Y) :- succ(X,Z), succ(Z,Y).",
     "t/1:(0,F),(1,T) p/2:(1,F)"},
    {"ilp-less-than", "less_than(X,Y) :- succ(X,Y). less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).",
     "t/2:(0,F),(1,T)"},
    {"ilp-fizz",
     "fizz(X) :- zero(X). fizz(X) :- fizz(Y), plus_three(Y,X)."
     "plus_three(X,Y) :- succ(X,Z), plus_two(Z,Y)."
     "plus_two(X,Y) :- succ(X,Z), succ(Z,Y).",
     "t/1:(0,F),(1,T) p/2:(1,T) q/2:(1,F)"},
    {"ilp-buzz",
     "buzz(X) :- zero(X). buzz(X) :- buzz(Y), plus_five(Y,X)."
     "plus_five(X,Y) :- plus2(X,Z), plus3(Z,Y).",
     "t/1:(0,F),(1,T) p/2:(1,F)"},
    {"ilp-member", "member(X,Y) :- value(Y,X). member(X,Y) :- cons(Y,Z), member(X,Z).", "t/2:(0,F),(1,T)"},
    {"ilp-length",
     "length(X,Y) :- zero(X), zero(Y). length(X,Y) :- cons(X,Z), one_more(Z,Y)."
     "one_more(X,Y) :- length(X,Z), succ(Z,Y).",
     "t/2:(0,F),(1,T) p/2:(1,T)"},
    {"ilp-son", "son(X,Y) :- father(Y,X), male(X). male(X) :- brother(X,Z). male(X) :- father(X,Z).",
     "t/2:(0,T) p/1:(1,F),(1,F)"},
    {"ilp-grandparent",
     "grandparent(X,Y) :- parent(X,Z), parent(Z,Y)."
     "parent(X,Y) :- father(X,Y). parent(X,Y) :- mother(X,Y).",
     "t/2:(1,T) p/2:(0,F),(0,F)"},
    {"ilp-husband", "husband(X,Y) :- father(X,Z), daughter(Z,Y).", "t/2:(1,F)"},
    {"ilp-uncle",
     "uncle(X,Y) :- brother(X,Z), parent(Z,Y)."
     "parent(X,Y) :- father(X,Y). parent(X,Y) :- mother(X,Y).",
     "t/2:(1,T) p/2:(0,F),(0,F)"},
    {"ilp-relatedness",
     "related(X,Y) :- link(X,Y). related(X,Y) :- related(X,Z), related(Z,Y)."
     "link(X,Y) :- parent(X,Y). link(X,Y) :- parent(Y,X).",
     "t/2:(0,T),(1,T) p/2:(0,F),(0,F)"},
    {"ilp-father", "father(X,Y) :- husband(X,Z), mother(Z,Y).", "t/2:(1,F)"},
    {"ilp-undirected-edge", "undirected_edge(X,Y) :- edge(X,Y). undirected_edge(X,Y) :- edge(Y,X).",
     "t/2:(0,F),(0,F)"},
    {"ilp-adjacent-to-red",
     "adjacent_to_red(X) :- edge(X,Y), is_red(Y)."
     "is_red(X) :- colour(X,Y), red(Y).",
     "t/1:(1,T) p/1:(1,F)"},
    {"ilp-two-children",
     "two_children(X) :- edge(X,Y), has_other(X,Y)."
     "has_other(X,Y) :- edge(X,Z), neq(Z,Y).",
     "t/1:(1,T) p/2:(1,F)"},
    {"ilp-graph-colouring",
     "same_colour_neighbour(X) :- edge(X,Y), alike(X,Y)."
     "alike(X,Y) :- colour(X,Z), colour(Y,Z).",
     "t/1:(1,T) p/2:(1,F)"},
    {"ilp-connectedness", "connected(X,Y) :- edge(X,Y). connected(X,Y) :- edge(X,Z), connected(Z,Y).",
     "t/2:(0,F),(1,T)"},
    {"ilp-cyclic", "cyclic(X) :- path(X,X). path(X,Y) :- edge(X,Y). path(X,Y) :- edge(X,Z), path(Z,Y).",
     "t/1:(0,T) p/2:(0,F),(1,T)"},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

static void programs_fit_the_published_templates(void **state)
{
    (void)state;
    assert_int_equal(KNOWN_COUNT, 20);
    for (int k = 0; k < KNOWN_COUNT; k++) {
        program of;
        char templates[TEMPLATES_SIZE];
        read_program(KNOWN[k].program, &of);
        templates_of(&of, templates);
        assert_string_equal(templates, KNOWN[k].templates);
        assert_string_equal(of.clauses[0].head.name, task_called(KNOWN[k].task)->target);
        assert_int_equal(of.clauses[0].head.arity, task_called(KNOWN[k].task)->arity);
    }
}

/* The labels of a world are what its task's program concludes, p(a, a) apart; how many are true. */
static int assert_concluded(int k, const program *of, const nlm_world *world)
{
    static model made;
    static table labels;
    const nlm_task *task = task_called(KNOWN[k].task);
    const int objects = nlm_world_objects(world);
    run_program(of, world, &made);
    table *ought = model_table(&made, task->target, task->arity);
    for (int x = 0; x < objects && task->arity == 2; x++)
        ought->at[x][x] = false;
    read_labels(world, KNOWN[k].task, &labels);
    assert_same(KNOWN[k].task, objects, task->arity, &labels, ought);
    int positives = 0;
    for (int x = 0; x < objects; x++)
        for (int y = 0; y < (task->arity == 2 ? objects : 1); y++)
            positives += labels.at[x][y];
    return positives;
}

static void labels_are_what_the_programs_conclude(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        program of;
        read_program(KNOWN[k].program, &of);
        for (uint64_t index = 0; index < 200; index++) {
            generate(KNOWN[k].task, 5, index, 1 + (int)(index % 26), world);
            assert_concluded(k, &of, world);
        }
    }
    nlm_world_free(world);
}

/* Worlds to learn from and worlds to test with have something true in them, and something false. */
static void labels_are_of_both_kinds(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        const nlm_task *task = task_called(KNOWN[k].task);
        program of;
        read_program(KNOWN[k].program, &of);
        for (uint64_t index = 0; index < 200; index++) {
            const int objects = index < 100 ? task->train_objects : task->test_objects;
            const int tuples = task->arity == 2 ? objects * (objects - 1) : objects;
            generate(KNOWN[k].task, 6, index, objects, world);
            const int positives = assert_concluded(k, &of, world);
            if (positives == 0 || positives == tuples)
                fail_msg("%s: %d of %d tuples are true in world %d", KNOWN[k].task, positives, tuples,
                         (int)index);
        }
    }
    nlm_world_free(world);
}

/* Facts that no generator would make: cycles of successors, several zeros, people who are their own aunt's
 * mother. */
static void labels_follow_the_facts_alone(void **state)
{
    (void)state;
    nlm_world *world = new_world(), *like = new_world();
    random_stream random;
    random_start(&random, 9, 0);
    for (int k = 0; k < KNOWN_COUNT; k++) {
        program of;
        read_program(KNOWN[k].program, &of);
        generate(KNOWN[k].task, 1, 1, 5, like);
        int some = 0;
        for (int round = 0; round < 200; round++) {
            nlm_world_clear(world);
            assert_int_equal(nlm_world_add_objects(world, "o", 1 + round % 9, NULL), NLM_OK);
            for (int p = 0; p < nlm_world_predicates(like); p++)
                add_nonsense(world, &random, nlm_world_predicate_name(like, p),
                             nlm_world_predicate_arity(like, p));
            assert_int_equal(nlm_task_label(task_called(KNOWN[k].task), world, NULL), NLM_OK);
            some += assert_concluded(k, &of, world);
        }
        if (some <= 20)
            fail_msg("%s: only %d labels were true", KNOWN[k].task, some);
    }
    nlm_world_free(world);
    nlm_world_free(like);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_fit_the_published_templates),
        cmocka_unit_test(labels_are_what_the_programs_conclude),
        cmocka_unit_test(labels_are_of_both_kinds),
        cmocka_unit_test(labels_follow_the_facts_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
