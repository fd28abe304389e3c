/* Generated families: the rules that every one keeps, and how often things happen in them. */
#include "families.h"

/* The first of at most so many, or -1. */
static int first_of(const table *facts, int people, int x, int most)
{
    int first = -1, count = 0;
    for (int y = people - 1; y >= 0; y--)
        if (facts->at[x][y]) {
            count++;
            first = y;
        }
    assert_in_range(count, 0, most);
    return first;
}

typedef struct parent_table {
    int father[TABLE_SIZE], mother[TABLE_SIZE];
} parent_table;

/* At most one father and one mother, in the paper's families both or neither, in rich ones two of each; sons
 * and daughters are the reverse of these, in rich families of some of them; nobody is both a son and a
 * daughter, a father and a mother, or a son and a mother. */
static void check_kinship(const family_tables *family, bool rich, parent_table *parents)
{
    bool man[TABLE_SIZE] = {0}, woman[TABLE_SIZE] = {0};
    for (int x = 0; x < family->people; x++) {
        parents->father[x] = first_of(&family->father, family->people, x, rich ? 2 : 1);
        parents->mother[x] = first_of(&family->mother, family->people, x, rich ? 2 : 1);
        if (!rich)
            assert_int_equal(parents->father[x] < 0, parents->mother[x] < 0);
        for (int y = 0; y < family->people; y++) {
            bool child = family->son.at[y][x] || family->daughter.at[y][x];
            assert_true(rich ? !child || is_parent(family, x, y) : child == is_parent(family, x, y));
            man[x] |= family->son.at[y][x] || family->father.at[y][x];
            woman[x] |= family->daughter.at[y][x] || family->mother.at[y][x];
        }
        assert_false(man[x] && woman[x]);
    }
}

static bool share_father(const parent_table *parents, int a, int b)
{
    return a >= 0 && b >= 0 && parents->father[a] >= 0 && parents->father[a] == parents->father[b];
}

static void check_couples(const family_tables *family, const parent_table *parents)
{
    for (int x = 0; x < family->people; x++) {
        int f = parents->father[x], m = parents->mother[x];
        if (f < 0)
            continue;
        for (int y = 0; y < family->people; y++) /* couples are for life */
            assert_int_equal(parents->father[y] == f, parents->mother[y] == m);
        int ff = parents->father[f], fm = parents->mother[f], mf = parents->father[m],
            mm = parents->mother[m];
        assert_false(share_father(parents, f, m));
        assert_false(share_father(parents, f, mf) || share_father(parents, f, mm));
        assert_false(share_father(parents, ff, m) || share_father(parents, fm, m));
        assert_false(share_father(parents, ff, mf) || share_father(parents, ff, mm));
        assert_false(share_father(parents, fm, mf) || share_father(parents, fm, mm));
    }
}

/* Whoever walks up the tree comes to an end: by the generation after which nobody is left. */
static void check_no_cycles(const family_tables *family)
{
    int generation[TABLE_SIZE] = {0};
    for (int round = 0; round <= family->people; round++) {
        bool changed = false;
        for (int x = 0; x < family->people; x++) {
            int next = 0;
            for (int y = 0; y < family->people; y++)
                if (is_parent(family, x, y) && generation[y] >= next)
                    next = generation[y] + 1;
            changed |= next != generation[x];
            generation[x] = next;
        }
        if (!changed)
            return;
    }
    fail_msg("somebody is their own ancestor");
}

static void families_keep_the_rules(void **state)
{
    (void)state;
    static family_tables family;
    static parent_table parents;
    nlm_world *world = new_world();
    static const int sizes[] = {1, 2, 5, 20, 100};
    for (size_t size = 0; size < 5; size++)
        for (int index = 0; index < 100; index++) {
            generate("uncle", 3, (uint64_t)index, sizes[size], world);
            read_family(world, &family);
            check_kinship(&family, false, &parents);
            check_couples(&family, &parents);
            check_no_cycles(&family);
        }
    nlm_world_free(world);
}

/* What no family of the paper has, so that a rule may rest on it. */
enum {
    FATHER_ONLY,
    MOTHER_ONLY,
    HALF_BY_FATHER,
    HALF_BY_MOTHER,
    UNKNOWN_SEX,
    RELATED_PARENTS,
    FATHER_AND_UNCLE,
    PARENT_OF_UNKNOWN_SEX,
    CHILD_OF_ONE,
    TWO_FATHERS,
    TWO_MOTHERS,
    LONE,
    CASES
};

static bool is_mentioned(const family_tables *family, int x)
{
    for (int y = 0; y < family->people; y++)
        if (is_parent(family, x, y) || is_parent(family, y, x))
            return true;
    return false;
}

static bool has_child(const family_tables *family, int x)
{
    for (int y = 0; y < family->people; y++)
        if (is_parent(family, y, x))
            return true;
    return false;
}

static void count_pair(const family_tables *family, const parent_table *parents, int x, int y,
                       int found[CASES])
{
    const bool same_father = parents->father[x] >= 0 && parents->father[x] == parents->father[y],
               same_mother = parents->mother[x] >= 0 && parents->mother[x] == parents->mother[y];
    found[HALF_BY_FATHER] += same_father && !same_mother;
    found[HALF_BY_MOTHER] += same_mother && !same_father;
    const bool unknown = is_parent(family, x, y) && !family->son.at[y][x] && !family->daughter.at[y][x];
    found[UNKNOWN_SEX] += unknown;
    found[PARENT_OF_UNKNOWN_SEX] += unknown && has_child(family, x);
    if (unknown)
        for (int z = 0; z < family->people; z++)
            found[CHILD_OF_ONE] += family->son.at[z][x] || family->daughter.at[z][x];
    found[TWO_FATHERS] += family->father.at[x][y] && parents->father[x] != y;
    found[TWO_MOTHERS] += family->mother.at[x][y] && parents->mother[x] != y;
    if (parents->father[x] != y || parents->mother[x] < 0)
        return;
    const int mother = parents->mother[x];
    const bool siblings = share_father(parents, y, mother) ||
                          (parents->mother[y] >= 0 && parents->mother[y] == parents->mother[mother]);
    found[FATHER_AND_UNCLE] += siblings;
    found[RELATED_PARENTS] += siblings || share_father(parents, parents->father[y], mother) ||
                              share_father(parents, y, parents->father[mother]);
}

static void count_cases(const family_tables *family, const parent_table *parents, int found[CASES])
{
    for (int x = 0; x < family->people; x++) {
        found[FATHER_ONLY] += parents->father[x] >= 0 && parents->mother[x] < 0;
        found[MOTHER_ONLY] += parents->mother[x] >= 0 && parents->father[x] < 0;
        found[LONE] += !is_mentioned(family, x);
        for (int y = 0; y < family->people; y++)
            if (x != y)
                count_pair(family, parents, x, y, found);
    }
}

/* Rich families keep the rules that any records keep, and have all that the paper's lack; some are the
 * paper's. */
static void rich_families_leave_no_choice(void **state)
{
    (void)state;
    static family_tables family;
    static parent_table parents;
    nlm_world *world = new_world();
    static const int sizes[] = {1, 2, 5, 20, 100};
    for (size_t size = 0; size < 5; size++) {
        int found[CASES] = {0}, complete = 0;
        for (int index = 0; index < 200; index++) {
            generate_kind("uncle", NLM_WORLDS_RICH, 3, (uint64_t)index, sizes[size], world);
            read_family(world, &family);
            check_kinship(&family, true, &parents);
            check_no_cycles(&family);
            int here[CASES] = {0};
            count_cases(&family, &parents, here);
            bool odd = false;
            for (int k = 0; k < CASES; k++) {
                odd = odd || (k != LONE && here[k] > 0);
                found[k] += here[k];
            }
            complete += !odd;
        }
        for (int k = 0; k < CASES && sizes[size] >= 20; k++)
            assert_in_range(found[k], 20, 1000000);
        assert_in_range(complete, 20, 200);
    }
    nlm_world_free(world);
}

/* How often out of `worlds` a family of that size has a child in it, and how many sons and daughters. */
typedef struct family_counts {
    int with_children, fathers_earlier, children, sons;
} family_counts;

static family_counts count_families(int people, int worlds)
{
    family_counts counts = {0};
    nlm_world *world = new_world();
    for (int index = 0; index < worlds; index++) {
        generate("has-father", 17, (uint64_t)index, people, world);
        const int *tuples;
        size_t children = nlm_world_facts(world, 0, &tuples, NULL);
        counts.with_children += children > 0;
        counts.children += (int)children;
        for (size_t i = 0; i < children; i++)
            counts.fathers_earlier += tuples[2 * i + 1] < tuples[2 * i];
        counts.sons += (int)nlm_world_facts(world, 2, NULL, NULL) / 2;
    }
    nlm_world_free(world);
    return counts;
}

/* Two people can only marry; of three the last is the couple's child if the first two are a couple (1/2) and
 * the parents drawn are not `none` (1/2). */
static void the_smallest_families_are_as_likely_as_they_should_be(void **state)
{
    (void)state;
    assert_int_equal(count_families(2, 1000).with_children, 0);
    assert_in_range(count_families(3, 4000).with_children, 900, 1100);
}

static void genders_are_fair_and_numbers_say_nothing(void **state)
{
    (void)state;
    family_counts counts = count_families(20, 1000);
    assert_in_range(counts.sons * 1000 / counts.children, 480, 520);
    assert_in_range(counts.fathers_earlier * 1000 / counts.children, 480, 520);
}

/* Shares of true tuples at the sizes of the paper, per 10,000. */
static void truths_are_as_frequent_as_they_should_be(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        int people;
        size_t low, high;
    } known[] = {{"has-father", 20, 5900, 6500}, {"has-father", 100, 8600, 8900},
                 {"has-sister", 20, 4200, 4800}, {"grandparent", 20, 320, 420},
                 {"grandparent", 100, 210, 245}, {"uncle", 20, 250, 350},
                 {"mg-uncle", 20, 20, 50},       {"mg-uncle", 100, 130, 190}};
    nlm_world *world = new_world();
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t labels = 0;
        for (int index = 0; index < 500; index++) {
            generate(known[k].task, 23, (uint64_t)index, known[k].people, world);
            labels += count_labels(world, known[k].task);
        }
        size_t people = (size_t)known[k].people;
        size_t tuples = 500 * (task_called(known[k].task)->arity == 1 ? people : people * (people - 1));
        assert_in_range(labels * 10000 / tuples, known[k].low, known[k].high);
    }
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_keep_the_rules),
        cmocka_unit_test(rich_families_leave_no_choice),
        cmocka_unit_test(the_smallest_families_are_as_likely_as_they_should_be),
        cmocka_unit_test(genders_are_fair_and_numbers_say_nothing),
        cmocka_unit_test(truths_are_as_frequent_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
