/* The tasks of differentiable ILP: which there are, what their worlds look like at every size, how deep they
 * are, and the labels of worlds made by hand.  Their programs are in test_ilp_programs.c. */
#include <stdio.h>

#include "task/task.h"
#include "worlds.h"

enum { MAX_GIVEN = 4, FIRST = 11 };

/* As published: what is given, what is asked, the share of runs that solved it. */
static const struct {
    const char *name, *target;
    int arity;
    const char *given[MAX_GIVEN]; /* zero, red and green are unary, all others binary */
    double solved;
} KNOWN[] = {
    {"ilp-predecessor", "predecessor", 2, {"zero", "succ"}, 1},
    {"ilp-even-odd", "even", 1, {"zero", "succ"}, 1},
    {"ilp-even-succ2", "even", 1, {"zero", "succ"}, 0.485},
    {"ilp-less-than", "less_than", 2, {"zero", "succ"}, 1},
    {"ilp-fizz", "fizz", 1, {"zero", "succ"}, 0.1},
    {"ilp-buzz", "buzz", 1, {"zero", "succ", "plus2", "plus3"}, 0.14},
    {"ilp-member", "member", 2, {"cons", "value"}, 1},
    {"ilp-length", "length", 2, {"cons", "value", "zero", "succ"}, 0.925},
    {"ilp-son", "son", 2, {"father", "brother", "sister"}, 1},
    {"ilp-grandparent", "grandparent", 2, {"father", "mother"}, 0.965},
    {"ilp-husband", "husband", 2, {"father", "daughter", "brother"}, 1},
    {"ilp-uncle", "uncle", 2, {"father", "mother", "brother"}, 0.7},
    {"ilp-relatedness", "related", 2, {"parent"}, 1},
    {"ilp-father", "father", 2, {"husband", "mother", "brother", "aunt"}, 1},
    {"ilp-undirected-edge", "undirected_edge", 2, {"edge"}, 1},
    {"ilp-adjacent-to-red", "adjacent_to_red", 1, {"edge", "colour", "red", "green"}, 0.505},
    {"ilp-two-children", "two_children", 1, {"edge", "neq"}, 0.95},
    {"ilp-graph-colouring", "same_colour_neighbour", 1, {"edge", "colour"}, 0.945},
    {"ilp-connectedness", "connected", 2, {"edge"}, 1},
    {"ilp-cyclic", "cyclic", 1, {"edge"}, 1},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

static int arity_of(const char *given)
{
    return strcmp(given, "zero") == 0 || strcmp(given, "red") == 0 || strcmp(given, "green") == 0 ? 1 : 2;
}

static void the_tasks_follow_those_of_the_paper(void **state)
{
    (void)state;
    assert_int_equal(nlm_tasks(), FIRST + KNOWN_COUNT);
    for (int k = 0; k < KNOWN_COUNT; k++) {
        const nlm_task *task = nlm_task_at(FIRST + k);
        assert_string_equal(task->name, KNOWN[k].name);
        assert_ptr_equal(nlm_task_find(KNOWN[k].name), task);
        assert_string_equal(task->target, KNOWN[k].target);
        assert_int_equal(task->arity, KNOWN[k].arity);
        assert_string_equal(task->origin, "ilp");
        assert_true(task->solved == KNOWN[k].solved);
        assert_true(task->graduation == 0 && task->threshold > 0 && task->sense == NULL);
        assert_true(task->test_objects >= 2 * task->train_objects && strlen(task->description) > 0);
        int inputs[NLM_MAX_BREADTH + 1] = {0};
        for (int p = 0; p < MAX_GIVEN && KNOWN[k].given[p]; p++)
            inputs[arity_of(KNOWN[k].given[p])]++;
        assert_memory_equal(task->inputs, inputs, sizeof inputs);
    }
}

/* Of every size from 1 on. */
static void worlds_have_the_published_predicates(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++)
        for (int objects = 1; objects <= 30; objects++) {
            generate(KNOWN[k].name, 3, (uint64_t)objects, objects, world);
            assert_int_equal(nlm_world_objects(world), objects);
            assert_int_equal(nlm_world_targets(world), 1);
            int given = 0;
            for (; given < MAX_GIVEN && KNOWN[k].given[given]; given++) {
                assert_string_equal(nlm_world_predicate_name(world, given), KNOWN[k].given[given]);
                assert_int_equal(nlm_world_predicate_arity(world, given), arity_of(KNOWN[k].given[given]));
            }
            assert_int_equal(nlm_world_predicates(world), given);
        }
    nlm_world_free(world);
}

/* There is but one number line of each size; all other worlds differ. */
static void a_world_depends_on_seed_and_index_alone(void **state)
{
    (void)state;
    enum { WORLDS = 20 };
    nlm_world *world = new_world(), *fresh = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        const bool line = strcmp(KNOWN[k].given[0], "zero") == 0;
        uint64_t first[WORLDS];
        for (uint64_t index = 0; index < WORLDS; index++) {
            generate(KNOWN[k].name, 42, index, 30, world);
            first[index] = fingerprint(world);
            for (uint64_t earlier = 0; earlier < index; earlier++)
                assert_int_equal(first[earlier] == first[index], line);
        }
        for (uint64_t index = WORLDS; index-- > 0;) {
            generate(KNOWN[k].name, 42, index, 30, fresh);
            assert_true(fingerprint(fresh) == first[index]);
            generate(KNOWN[k].name, 43, index, 30, fresh);
            assert_int_equal(fingerprint(fresh) == first[index], line);
        }
    }
    nlm_world_free(world);
    nlm_world_free(fresh);
}

/* Seeds in papers and bug reports must go on meaning the same worlds: these never change. */
static void worlds_stay_what_they_were(void **state)
{
    (void)state;
    static const uint64_t known[KNOWN_COUNT] = {
        0xae00dab2e282270c, 0xfd7173ef00b0d318, 0xfd7173ef00b0d318, 0x72c2954d2f49e066, 0x9d47a51804d7d0a8,
        0x60b7ede370f09d00, 0x7571fa008c327615, 0x9ef1a7d13bbb09cd, 0xc60ea6cde716ad15, 0x448165d6b9552803,
        0x350540ca6ec8eb7a, 0x6867033de69077f1, 0x74f9d28f8d573151, 0x6c8b7b236487decf, 0xfe52692b8a247dc3,
        0xc90cf124362c6859, 0xddc9a1ca36ef63db, 0xbe8e04ddf81a5ef5, 0xe1983c42addadfaf, 0x1af6838905c0a685,
    };
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        generate(KNOWN[k].name, 1, 2, 12, world);
        if (fingerprint(world) != known[k])
            fail_msg("%s: world 2 of seed 1 is now 0x%016llx", KNOWN[k].name,
                     (unsigned long long)fingerprint(world));
    }
    nlm_world_free(world);
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    static const int absurd[] = {0, -1, 10001, 100000000};
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++)
        for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
            assert_int_equal(
                nlm_task_generate(task_called(KNOWN[k].name), NLM_WORLDS_PAPER, 1, 1, absurd[i], world, NULL),
                NLM_BAD_ARGUMENT);
    nlm_world_free(world);
}

/* ---- what worlds look like ---- */

static void numbers_are_called_what_they_are(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table zero, plus3, buzz;
    generate("ilp-buzz", 1, 1, 11, world);
    read_facts(world, "zero", 1, &zero);
    read_facts(world, "plus3", 2, &plus3);
    read_labels(world, "ilp-buzz", &buzz);
    for (int x = 0; x < 11; x++) {
        char name[16];
        snprintf(name, sizeof name, "%d", x);
        assert_string_equal(nlm_world_object_name(world, x), name);
        assert_int_equal(zero.at[x][0], x == 0);
        assert_int_equal(buzz.at[x][0], x % 5 == 0);
        for (int y = 0; y < 11; y++)
            assert_int_equal(plus3.at[x][y], y == x + 3);
    }
    nlm_world_free(world);
}

/* Every node has one that follows and one value; both lists end, and neither is much longer.  Lists that are
 * measured end in the last object, which is a zero as the number is. */
static void lists_are_lists(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table cons, value, zero;
    for (int measured = 0; measured < 2; measured++)
        for (uint64_t index = 0; index < 50; index++) {
            generate(measured ? "ilp-length" : "ilp-member", 2, index, 24, world);
            read_facts(world, "cons", 2, &cons);
            read_facts(world, "value", 2, &value);
            const int first = measured ? 12 : 7, nodes = measured ? 11 : 17, nil = measured ? 23 : 0;
            int ends = 0, depth;
            assert_string_equal(nlm_world_object_name(world, 0), measured ? "0" : "nil");
            assert_string_equal(nlm_world_object_name(world, first), "node0");
            assert_string_equal(nlm_world_object_name(world, nil), "nil");
            if (measured)
                read_facts(world, "zero", 1, &zero);
            for (int x = 0; x < 24; x++) {
                int next = 0, values = 0;
                for (int y = 0; y < 24; y++) {
                    next += cons.at[x][y];
                    values += value.at[x][y];
                    assert_true(!value.at[x][y] || (y > 0 && y < (measured ? 4 : first)));
                    assert_true(!cons.at[x][y] || y == nil || y == x + 1);
                }
                ends += cons.at[x][nil];
                assert_int_equal(next, x >= first && x < first + nodes);
                assert_int_equal(values, x >= first && x < first + nodes);
                assert_true(!measured || zero.at[x][0] == (x == 0 || x == nil));
            }
            assert_int_equal(ends, 2);
            assert_int_equal(task_depth(task_called("ilp-member"), world, &depth, NULL), NLM_OK);
            assert_in_range(depth, (nodes + 1) / 2, nodes - nodes / 3);
        }
    nlm_world_free(world);
}

/* Of a family with husbands and mothers: a husband has one wife, a child one mother who is somebody's wife.
 */
static void families_are_families(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table husband, mother, father;
    for (uint64_t index = 0; index < 50; index++) {
        generate("ilp-father", 2, index, 20, world);
        read_facts(world, "husband", 2, &husband);
        read_facts(world, "mother", 2, &mother);
        read_labels(world, "ilp-father", &father);
        for (int x = 0; x < 20; x++) {
            int wives = 0, husbands = 0, mothers = 0, fathers = 0;
            for (int y = 0; y < 20; y++) {
                wives += husband.at[x][y];
                husbands += husband.at[y][x];
                mothers += mother.at[y][x];
                fathers += father.at[y][x];
            }
            assert_true(wives + husbands <= 1);
            assert_true(mothers <= 1 && fathers == mothers);
        }
    }
    nlm_world_free(world);
}

/* One family whose people are all related, and another one. */
static void related_people_are_of_two_families(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table related;
    int largest_two = 0;
    for (uint64_t index = 0; index < 50; index++) {
        generate("ilp-relatedness", 2, index, 20, world);
        read_labels(world, "ilp-relatedness", &related);
        int sizes = 0; /* of a person's relatives, summed over all people */
        for (int x = 0; x < 20; x++)
            for (int y = 0; y < 20; y++) {
                assert_int_equal(related.at[x][y], related.at[y][x]);
                sizes += related.at[x][y];
            }
        largest_two += sizes >= 20 * 6; /* of 20 people, most have more than a few */
    }
    assert_true(largest_two > 25);
    nlm_world_free(world);
}

/* ---- depth ---- */

static int generations(const table *father, const table *mother, int people, int x)
{
    int longest = 0;
    for (int y = 0; y < people; y++)
        if (father->at[x][y] || mother->at[x][y]) {
            int line = 1 + generations(father, mother, people, y);
            longest = line > longest ? line : longest;
        }
    return longest;
}

static void depth_is_that_of_lines_and_families(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table father, mother;
    int depth, most = 0;
    for (int objects = 1; objects < 20; objects++) {
        generate("ilp-fizz", 1, 1, objects, world);
        assert_int_equal(task_depth(task_called("ilp-fizz"), world, &depth, NULL), NLM_OK);
        assert_int_equal(depth, objects - 1);
    }
    for (uint64_t index = 0; index < 50; index++) {
        generate("ilp-uncle", 1, index, 20, world);
        read_facts(world, "father", 2, &father);
        read_facts(world, "mother", 2, &mother);
        int longest = 0;
        for (int x = 0; x < 20; x++) {
            int line = generations(&father, &mother, 20, x);
            longest = line > longest ? line : longest;
        }
        assert_int_equal(task_depth(task_called("ilp-uncle"), world, &depth, NULL), NLM_OK);
        assert_int_equal(depth, longest);
        most = depth > most ? depth : most;
    }
    assert_true(most >= 3);
    for (int k = 0; k < KNOWN_COUNT; k++) {
        generate(KNOWN[k].name, 1, 1, 1, world);
        assert_int_equal(task_depth(task_called(KNOWN[k].name), world, &depth, NULL), NLM_OK);
        assert_int_equal(depth, 0);
    }
    nlm_world_free(world);
}

/* ---- worlds by hand ---- */

/* "father ab father ac": facts, each a predicate and its objects by one letter. */
static void add_facts(nlm_world *world, const char *facts)
{
    char name[16], objects[3];
    for (int length; sscanf(facts, " %15s %2s%n", name, objects, &length) == 2; facts += length) {
        const char x[] = {objects[0], '\0'}, y[] = {objects[1], '\0'};
        add_fact(world, name, objects[1] ? 2 : 1, x, y, 1);
    }
}

static void assert_labelled(const char *task_name, const char *facts, const char *ought)
{
    nlm_world *world = new_world();
    nlm_error error = {0};
    char text[256] = "";
    static table labels;
    add_facts(world, facts);
    if (nlm_task_label(task_called(task_name), world, &error))
        fail_msg("%s", error.message);
    read_labels(world, task_name, &labels);
    for (int x = 0; x < nlm_world_objects(world); x++)
        for (int y = 0; y < nlm_world_objects(world); y++) {
            const size_t used = strlen(text);
            if (labels.at[x][y])
                snprintf(text + used, sizeof text - used, " %s%s", nlm_world_object_name(world, x),
                         task_called(task_name)->arity == 2 ? nlm_world_object_name(world, y) : "");
        }
    assert_string_equal(text, ought);
    nlm_world_free(world);
}

/* The families are those of the publication. */
static void worlds_made_by_hand_are_labelled(void **state)
{
    (void)state;
    assert_labelled("ilp-son",
                    "father ab father ac father de father df father gh father gi brother bc brother cb "
                    "brother ef sister fe sister hi sister ih",
                    " ba ca ed");
    assert_labelled("ilp-grandparent",
                    "mother ia father ab father ac father bd father be mother cf mother cg mother fh",
                    " ib ic ad ae af ag ch");
    assert_labelled("ilp-husband", "father ac daughter cb daughter ca brother dc father ad", " ab");
    assert_labelled("ilp-uncle", "brother ab brother ba father bc mother dc brother ed", " ac ec");
    assert_labelled("ilp-relatedness", "parent ac parent bc parent cd parent ef",
                    " ac ab ad ca cb cd ba bc bd "
                    "da dc db ef fe");
    assert_labelled("ilp-member", "cons ab cons bn value ax value by value cx cons cn", " xa xc ya yb");
    assert_labelled("ilp-length", "cons ab cons b0 cons c0 value ax zero 0 succ 01 succ 12 succ 23",
                    " a2 b1 c1");
    assert_labelled("ilp-less-than", "zero 0 succ 01 succ 12", " 01 02 12");
    assert_labelled("ilp-two-children", "edge ab edge ac edge bc neq ab neq ba neq ac neq ca neq bc neq cb",
                    " a");
    assert_labelled("ilp-graph-colouring", "edge ab edge bc colour ar colour br colour cg", " a");
    assert_labelled("ilp-adjacent-to-red",
                    "edge ab edge bc edge cd colour br colour cg colour dr red r green g", " a c");
    assert_labelled("ilp-connectedness", "edge ab edge bc edge ca edge cd", " ab ac ad ba bc bd ca cb cd");
    assert_labelled("ilp-cyclic", "edge ab edge bc edge cb edge cd", " b c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tasks_follow_those_of_the_paper),
        cmocka_unit_test(worlds_have_the_published_predicates),
        cmocka_unit_test(a_world_depends_on_seed_and_index_alone),
        cmocka_unit_test(worlds_stay_what_they_were),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(numbers_are_called_what_they_are),
        cmocka_unit_test(lists_are_lists),
        cmocka_unit_test(families_are_families),
        cmocka_unit_test(related_people_are_of_two_families),
        cmocka_unit_test(depth_is_that_of_lines_and_families),
        cmocka_unit_test(worlds_made_by_hand_are_labelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
