/* Families: the oracles on families made by hand and against a second oracle written from the definitions. */
#include "families.h"

/* ---- the second oracle ---- */

static bool has_father(const family_tables *family, int x, int unused)
{
    (void)unused;
    for (int y = 0; y < family->people; y++)
        if (family->father.at[x][y])
            return true;
    return false;
}

static bool has_sister(const family_tables *family, int x, int unused)
{
    (void)unused;
    for (int sister = 0; sister < family->people; sister++)
        for (int father = 0; father < family->people; father++)
            if (sister != x && family->father.at[x][father] && family->daughter.at[father][sister])
                return true;
    return false;
}

static bool is_grandparent(const family_tables *family, int x, int y)
{
    for (int z = 0; z < family->people; z++)
        if (is_parent(family, x, z) && is_parent(family, z, y))
            return true;
    return false;
}

static bool is_uncle(const family_tables *family, int x, int y)
{
    if (family->father.at[x][y])
        return false;
    for (int grandparent = 0; grandparent < family->people; grandparent++)
        if (family->son.at[grandparent][y] && is_grandparent(family, x, grandparent))
            return true;
    return false;
}

static bool is_grandmother(const family_tables *family, int x, int y)
{
    for (int z = 0; z < family->people; z++)
        if (is_parent(family, x, z) && family->mother.at[z][y])
            return true;
    return false;
}

static bool is_mg_uncle(const family_tables *family, int x, int y)
{
    for (int great = 0; great < family->people; great++)
        for (int grand = 0; family->son.at[great][y] && grand < family->people; grand++)
            if (family->mother.at[grand][great] && is_grandmother(family, x, grand))
                return true;
    return false;
}

static const struct question {
    const char *task;
    int arity;
    bool (*holds)(const family_tables *family, int x, int y);
} QUESTIONS[] = {
    {"has-father", 1, has_father}, {"has-sister", 1, has_sister}, {"grandparent", 2, is_grandparent},
    {"uncle", 2, is_uncle},        {"mg-uncle", 2, is_mg_uncle},
};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS };

static void compare_oracles(const nlm_world *world, const struct question *question)
{
    static family_tables family;
    static table labels, expected;
    read_family(world, &family);
    read_labels(world, question->task, &labels);
    memset(&expected, 0, sizeof expected);
    for (int x = 0; x < family.people; x++)
        for (int y = 0; y < (question->arity == 2 ? family.people : 1); y++)
            expected.at[x][y] = (question->arity == 1 || x != y) && question->holds(&family, x, y);
    assert_same(question->task, family.people, question->arity, &labels, &expected);
}

static void labels_follow_from_the_definitions(void **state)
{
    (void)state;
    static const struct {
        int people, worlds;
    } sizes[] = {{1, 10}, {2, 20}, {5, 200}, {20, 200}, {100, 50}};
    nlm_world *world = new_world();
    for (int q = 0; q < QUESTION_COUNT * NLM_WORLD_KINDS; q++)
        for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
            for (int index = 0; index < sizes[size].worlds; index++) {
                generate_kind(QUESTIONS[q % QUESTION_COUNT].task, (nlm_world_kind)(q / QUESTION_COUNT), 11,
                              (uint64_t)index, sizes[size].people, world);
                assert_int_equal(nlm_world_objects(world), sizes[size].people);
                compare_oracles(world, &QUESTIONS[q % QUESTION_COUNT]);
            }
    nlm_world_free(world);
}

static void labels_follow_from_senseless_facts_too(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    random_stream random;
    random_start(&random, 5, 0);
    for (int i = 0; i < 200; i++) {
        nlm_world_clear(world);
        assert_int_equal(nlm_world_add_objects(world, "who", 1 + i % 12, NULL), NLM_OK);
        add_nonsense(world, &random, "daughter", 2);
        add_nonsense(world, &random, "mother", 2);
        add_nonsense(world, &random, "likes", 2);
        add_nonsense(world, &random, "son", 2);
        add_nonsense(world, &random, "father", 2);
        for (int q = 0; q < QUESTION_COUNT; q++) {
            assert_int_equal(nlm_task_label(task_called(QUESTIONS[q].task), world, NULL), NLM_OK);
            compare_oracles(world, &QUESTIONS[q]);
        }
    }
    nlm_world_free(world);
}

/* ---- families made by hand ---- */

static void add_child(nlm_world *world, const char *child, const char *predicate, const char *father,
                      const char *mother)
{
    if (father) {
        add_fact(world, "father", 2, child, father, 1);
        add_fact(world, predicate, 2, father, child, 1);
    }
    if (mother) {
        add_fact(world, "mother", 2, child, mother, 1);
        add_fact(world, predicate, 2, mother, child, 1);
    }
}

static nlm_world *new_family(void)
{
    nlm_world *world = new_world();
    const char *predicates[] = {"father", "mother", "son", "daughter"};
    for (int k = 0; k < 4; k++)
        assert_int_equal(nlm_world_add_predicate(world, predicates[k], 2, NULL, NULL), NLM_OK);
    return world;
}

static void label_all(nlm_world *world)
{
    for (int q = 0; q < QUESTION_COUNT; q++)
        assert_int_equal(nlm_task_label(task_called(QUESTIONS[q].task), world, NULL), NLM_OK);
}

/* The label of (x, y), or of x when y is NULL. */
static bool label_of(const nlm_world *world, const char *task, const char *x, const char *y)
{
    static table labels;
    read_labels(world, task, &labels);
    return labels.at[nlm_world_find_object(world, x)][y ? nlm_world_find_object(world, y) : 0];
}

/* Abe and Mona have Homer and Herb; Clancy and Jackie have Marge, Patty and Selma; Homer and Marge have Bart,
 * Lisa and Maggie; Selma alone has Ling. */
static nlm_world *new_simpsons(void)
{
    nlm_world *world = new_family();
    add_child(world, "homer", "son", "abe", "mona");
    add_child(world, "herb", "son", "abe", "mona");
    add_child(world, "marge", "daughter", "clancy", "jackie");
    add_child(world, "patty", "daughter", "clancy", "jackie");
    add_child(world, "selma", "daughter", "clancy", "jackie");
    add_child(world, "bart", "son", "homer", "marge");
    add_child(world, "lisa", "daughter", "homer", "marge");
    add_child(world, "maggie", "daughter", "homer", "marge");
    add_child(world, "ling", "daughter", NULL, "selma");
    label_all(world);
    return world;
}

static void fathers_and_sisters_of_the_simpsons(void **state)
{
    (void)state;
    nlm_world *world = new_simpsons();
    assert_int_equal(count_labels(world, "has-father"), 8);
    assert_true(label_of(world, "has-father", "bart", NULL));
    assert_false(label_of(world, "has-father", "abe", NULL));
    assert_false(label_of(world, "has-father", "ling", NULL));

    assert_int_equal(count_labels(world, "has-sister"), 6);
    assert_true(label_of(world, "has-sister", "bart", NULL));
    assert_true(label_of(world, "has-sister", "marge", NULL));
    assert_false(label_of(world, "has-sister", "homer", NULL));
    nlm_world_free(world);
}

static void grandparents_and_uncles_of_the_simpsons(void **state)
{
    (void)state;
    nlm_world *world = new_simpsons();
    assert_int_equal(count_labels(world, "grandparent"), 3 * 4 + 2);
    assert_true(label_of(world, "grandparent", "lisa", "jackie"));
    assert_true(label_of(world, "grandparent", "ling", "clancy"));
    assert_false(label_of(world, "grandparent", "abe", "lisa"));

    /* Herb is the only uncle: Homer is the children's father, Marge's siblings are women. */
    assert_int_equal(count_labels(world, "uncle"), 3);
    assert_true(label_of(world, "uncle", "bart", "herb"));
    assert_false(label_of(world, "uncle", "bart", "homer"));
    assert_int_equal(count_labels(world, "mg-uncle"), 0);
    nlm_world_free(world);
}

static void nobody_is_her_own_sister(void **state)
{
    (void)state;
    nlm_world *world = new_family();
    add_child(world, "only", "daughter", "father", "mother");
    /* A sister through the mother does not count: the definition asks the father. */
    add_child(world, "one", "son", NULL, "widow");
    add_child(world, "two", "daughter", NULL, "widow");
    /* Half-sisters by the father do. */
    add_child(world, "first", "son", "man", "wife");
    add_child(world, "second", "daughter", "man", "other wife");
    label_all(world);
    assert_int_equal(count_labels(world, "has-sister"), 1);
    assert_true(label_of(world, "has-sister", "first", NULL));
    nlm_world_free(world);
}

static void a_father_is_no_uncle_of_his_own_but_of_others(void **state)
{
    (void)state;
    nlm_world *world = new_family();
    add_child(world, "hans", "son", "opa", "oma");
    add_child(world, "fritz", "son", "opa", "oma");
    add_child(world, "grete", "daughter", "opa", "oma");
    add_child(world, "ida", "daughter", "hans", NULL);
    add_child(world, "karl", "son", "fritz", NULL);
    add_child(world, "lena", "daughter", NULL, "grete");
    label_all(world);
    assert_true(label_of(world, "uncle", "ida", "fritz"));
    assert_true(label_of(world, "uncle", "karl", "hans"));
    assert_true(label_of(world, "uncle", "lena", "hans"));
    assert_true(label_of(world, "uncle", "lena", "fritz"));
    assert_int_equal(count_labels(world, "uncle"), 4);
    nlm_world_free(world);
}

/* Great-grandmother's sons: by either parent, but only from grandmother to her mother. */
static void maternal_great_uncles(void **state)
{
    (void)state;
    nlm_world *world = new_family();
    add_child(world, "gran", "daughter", "gg", "ggm");
    add_child(world, "great", "son", "gg", "ggm");
    add_child(world, "grandpa", "son", "hh", "hhm");
    add_child(world, "wrong", "son", "hh", "hhm");
    add_child(world, "half", "son", "gg", "other");
    add_child(world, "dad", "son", "grandpa", "gran");
    add_child(world, "aunt", "daughter", "grandpa", "gran");
    add_child(world, "kid", "son", "dad", NULL);
    add_child(world, "cousin", "daughter", NULL, "aunt");
    label_all(world);
    assert_true(label_of(world, "mg-uncle", "kid", "great"));
    assert_true(label_of(world, "mg-uncle", "cousin", "great"));
    assert_false(label_of(world, "mg-uncle", "kid", "wrong"));
    assert_false(label_of(world, "mg-uncle", "kid", "half"));
    assert_int_equal(count_labels(world, "mg-uncle"), 2);
    nlm_world_free(world);
}

static void facts_count_above_one_half_and_the_last_one_wins(void **state)
{
    (void)state;
    nlm_world *world = new_family();
    add_fact(world, "father", 2, "low", "a", 0.5f);
    add_fact(world, "father", 2, "high", "a", 0.75f);
    add_fact(world, "father", 2, "taken back", "a", 1);
    add_fact(world, "father", 2, "taken back", "a", 0);
    add_fact(world, "father", 2, "given", "a", 0);
    add_fact(world, "father", 2, "given", "a", 1);
    label_all(world);
    assert_false(label_of(world, "has-father", "low", NULL));
    assert_true(label_of(world, "has-father", "high", NULL));
    assert_false(label_of(world, "has-father", "taken back", NULL));
    assert_true(label_of(world, "has-father", "given", NULL));
    assert_int_equal(count_labels(world, "has-father"), 2);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_follow_from_the_definitions),
        cmocka_unit_test(labels_follow_from_senseless_facts_too),
        cmocka_unit_test(fathers_and_sisters_of_the_simpsons),
        cmocka_unit_test(grandparents_and_uncles_of_the_simpsons),
        cmocka_unit_test(nobody_is_her_own_sister),
        cmocka_unit_test(a_father_is_no_uncle_of_his_own_but_of_others),
        cmocka_unit_test(maternal_great_uncles),
        cmocka_unit_test(facts_count_above_one_half_and_the_last_one_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
