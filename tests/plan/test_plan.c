/* Plans: which units are live and what they read, against the definition followed block by block, for many
 * random specs. */
#include "test.h"

#include "base/random.h"
#include "plan/plan.h"

enum { DEPTH = 6, ARITIES = NLM_MAX_BREADTH + 1, BLOCKS = (DEPTH + 1) * ARITIES, RANDOM_SPECS = 2000 };

/* ---- the definition ---- */

typedef struct truth {
    int block[DEPTH + 1][ARITIES];
    bool reads[BLOCKS][BLOCKS]; /* [unit][block], whether the unit is live or not */
    bool wanted[BLOCKS];        /* the block is part of a wanted output */
    bool live[BLOCKS];          /* a path of reads leads from the block to a wanted output */
} truth;

static int number(int layer, int arity)
{
    return layer * ARITIES + arity;
}

/* Does the group (layer, arity) contain block (from, arity)? */
static bool contains(const nlm_spec *spec, int layer, int from)
{
    return spec->residual ? from <= layer : from == layer;
}

/* Which blocks unit (i, r) reads; returns how many predicates that are. */
static int find_reads(const nlm_spec *spec, truth *t, int i, int r)
{
    int predicates = 0;
    for (int s = r - 1; s <= r + 1; s++)
        for (int j = 0; j < i && s >= 0 && s <= spec->breadth; j++)
            if (contains(spec, i - 1, j) && t->block[j][s] > 0) {
                t->reads[number(i, r)][number(j, s)] = true;
                predicates += t->block[j][s];
            }
    return predicates;
}

static void find_truth(const nlm_spec *spec, truth *t)
{
    memset(t, 0, sizeof *t);
    for (int r = 0; r <= spec->breadth; r++)
        t->block[0][r] = spec->inputs[r];
    for (int i = 1; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            int width = spec->own_widths ? spec->widths[i - 1][r] : spec->width;
            t->block[i][r] = find_reads(spec, t, i, r) > 0 ? width : 0;
        }
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            bool wanted = (spec->outputs >> r & 1) && contains(spec, spec->depth, i) && t->block[i][r] > 0;
            t->wanted[number(i, r)] = t->live[number(i, r)] = wanted;
        }
    /* what a live unit reads is live, until nothing changes; a unit without predicates is none */
    for (bool changed = true; changed;) {
        changed = false;
        for (int unit = 0; unit < BLOCKS; unit++)
            for (int b = 0; b < BLOCKS && t->live[unit] && t->block[unit / ARITIES][unit % ARITIES] > 0; b++)
                if (t->reads[unit][b] && !t->live[b])
                    changed = t->live[b] = true;
    }
}

/* ---- random specs ---- */

static nlm_spec random_spec(random_stream *random)
{
    nlm_spec spec = {0};
    spec.depth = 1 + (int)random_below(random, DEPTH);
    spec.breadth = 1 + (int)random_below(random, NLM_MAX_BREADTH);
    for (int r = 0; r <= spec.breadth; r++)
        spec.inputs[r] = random_below(random, 3) ? 0 : (int)random_below(random, 5);
    spec.width = 1 + (int)random_below(random, 9);
    spec.own_widths = random_below(random, 2);
    for (int i = 0; i < spec.depth; i++)
        for (int r = 0; r <= spec.breadth; r++)
            spec.widths[i][r] = random_below(random, 3) ? 1 + (int)random_below(random, 9) : 0;
    spec.residual = random_below(random, 2);
    spec.outputs = 1 + random_below(random, (2u << spec.breadth) - 1);
    return spec;
}

/* A spec is refused exactly if it has no inputs or a wanted output is empty. */
static bool should_be_refused(const nlm_spec *spec, const truth *t)
{
    int inputs = 0;
    for (int r = 0; r <= spec->breadth; r++)
        inputs += spec->inputs[r];
    for (int r = 0; r <= spec->breadth; r++) {
        bool any = false;
        for (int i = 0; i <= spec->depth; i++)
            any = any || t->wanted[number(i, r)];
        if ((spec->outputs >> r & 1) && !any)
            return true;
    }
    return inputs == 0;
}

/* Calls a check for many random specs that describe a machine. */
static void for_random_plans(void (*check)(const struct plan *plan, const truth *t))
{
    static struct plan plan;
    static truth t;
    random_stream random;
    random_start(&random, 1, 0);
    int made = 0;
    for (int n = 0; n < RANDOM_SPECS; n++) {
        nlm_spec spec = random_spec(&random);
        find_truth(&spec, &t);
        bool refused = plan_make(&spec, &plan, NULL) != NLM_OK;
        assert_int_equal(refused, should_be_refused(&spec, &t));
        if (refused)
            continue;
        check(&plan, &t);
        made++;
    }
    assert_true(made > RANDOM_SPECS / 5);
}

/* ---- against the definition ---- */

static void check_live(const struct plan *plan, const truth *t)
{
    for (int i = 0; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            assert_int_equal(plan->block[i][r], t->block[i][r]);
            if (i > 0)
                assert_int_equal(plan_unit_live(plan, i, r), t->live[number(i, r)]);
        }
}

static void units_are_live_that_reach_an_output(void **state)
{
    (void)state;
    for_random_plans(check_live);
}

static int group_width(const nlm_spec *spec, const truth *t, int layer, int arity)
{
    int width = 0;
    for (int j = 0; j <= layer && arity >= 0 && arity <= spec->breadth; j++)
        width += contains(spec, layer, j) ? t->block[j][arity] : 0;
    return width;
}

static void check_widths(const struct plan *plan, const truth *t)
{
    for (int i = 1; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            assert_int_equal(plan_expand_width(plan, i, r), group_width(&plan->spec, t, i - 1, r - 1));
            assert_int_equal(plan_own_width(plan, i, r), group_width(&plan->spec, t, i - 1, r));
            assert_int_equal(plan_reduce_width(plan, i, r), group_width(&plan->spec, t, i - 1, r + 1));
        }
}

static void units_read_three_groups(void **state)
{
    (void)state;
    for_random_plans(check_widths);
}

/* Is block (i, r) read by no live unit but (i + 1, r - 1), and by that one, and no part of an output? */
static bool only_reduced(const truth *t, int i, int r)
{
    int reader = r > 0 ? number(i + 1, r - 1) : -1;
    bool read = false;
    for (int unit = 0; unit < BLOCKS; unit++) {
        if (!t->live[unit] || !t->reads[unit][number(i, r)])
            continue;
        if (unit != reader)
            return false;
        read = true;
    }
    return read && !t->wanted[number(i, r)];
}

static int found_only_reduced;

static void check_only_reduced(const struct plan *plan, const truth *t)
{
    for (int i = 1; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            if (!plan_unit_live(plan, i, r))
                continue;
            assert_int_equal(plan_only_reduced(plan, i, r), only_reduced(t, i, r));
            found_only_reduced += only_reduced(t, i, r);
        }
}

static void units_that_are_only_reduced_are_known(void **state)
{
    (void)state;
    for_random_plans(check_only_reduced);
    assert_true(found_only_reduced > 20);
}

static void check_range_live(const struct plan *plan, const truth *t)
{
    for (int i = 0; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            if (r < plan->spec.breadth && t->block[i][r + 1] == 0)
                continue; /* a block without predicates: nobody asks */
            bool live = false;
            for (int j = i + 1; j <= plan->spec.depth && r < plan->spec.breadth; j++)
                live = live || (t->live[number(j, r)] && t->reads[number(j, r)][number(i, r + 1)]);
            assert_int_equal(plan_range_live(plan, i, r), live);
        }
}

static void ranges_are_live_that_a_live_unit_reduces(void **state)
{
    (void)state;
    for_random_plans(check_range_live);
}

/* A group is its blocks in the order of their layers, without gaps. */
static void check_offsets(const struct plan *plan, const truth *t)
{
    for (int i = 0; i <= plan->spec.depth; i++) {
        int first = plan_first_block(plan, i);
        assert_true(contains(&plan->spec, i, first));
        assert_false(first > 0 && contains(&plan->spec, i, first - 1));
        for (int r = 0; r <= plan->spec.breadth; r++) {
            int end = 0;
            for (int j = first; j <= i; j++) {
                assert_int_equal(plan_block_offset(plan, i, r, j), end);
                end += t->block[j][r];
            }
            assert_int_equal(end, plan->group[i][r]);
        }
    }
}

static void blocks_follow_each_other_in_a_group(void **state)
{
    (void)state;
    for_random_plans(check_offsets);
}

/* ---- by hand ---- */

/* The last layer is wanted at arity 2 only.  At layer 3, arity 3 is read by the reduction into (4, 2) alone.
 */
static void the_family_machine_by_hand(void **state)
{
    (void)state;
    static const nlm_spec spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4};
    static struct plan plan;
    assert_int_equal(plan_make(&spec, &plan, NULL), NLM_OK);
    static const bool live[5][4] = {{0, 0, 1, 0}, {0, 1, 1, 1}, {1, 1, 1, 1}, {0, 1, 1, 1}, {0, 0, 1, 0}};
    for (int i = 0; i <= 4; i++)
        for (int r = 0; r <= 3; r++)
            assert_int_equal(plan.live[i][r], live[i][r]);
    for (int i = 1; i <= 4; i++)
        for (int r = 0; r <= 3; r++)
            assert_int_equal(plan_only_reduced(&plan, i, r), i == 3 && r == 3);
}

static void plans_that_differ_have_different_signatures(void **state)
{
    (void)state;
    static const nlm_spec specs[] = {
        {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
        {.depth = 5, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
        {.depth = 4, .breadth = 2, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
        {.depth = 4, .breadth = 3, .inputs = {0, 1, 4}, .width = 8, .outputs = 4},
        {.depth = 4, .breadth = 3, .inputs = {0, 0, 5}, .width = 8, .outputs = 4},
        {.depth = 4, .breadth = 3, .inputs = {0, 4, 0}, .width = 8, .outputs = 4},
        {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 2},
        {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 6},
        {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .residual = true, .outputs = 4},
        {.depth = 4,
         .breadth = 3,
         .inputs = {0, 0, 4},
         .own_widths = true,
         .widths = {{8, 8, 8, 0}, {8, 8, 8, 8}, {8, 8, 8, 8}, {8, 8, 8, 8}},
         .outputs = 4},
        {.depth = 4, .breadth = 3, .inputs = {0, 10, 1}, .width = 8, .outputs = 2},
        {.depth = 4, .breadth = 3, .inputs = {0, 10, 1}, .width = 8, .outputs = 2, .sense = "lenet"},
    };
    uint64_t signatures[COUNT(specs)];
    static struct plan plan;
    for (size_t i = 0; i < COUNT(specs); i++) {
        assert_int_equal(plan_make(&specs[i], &plan, NULL), NLM_OK);
        signatures[i] = plan_signature(&plan);
        assert_true(signatures[i] != 0);
        for (size_t j = 0; j < i; j++)
            assert_true(signatures[i] != signatures[j]);
        assert_int_equal(plan_make(&specs[i], &plan, NULL), NLM_OK);
        assert_true(plan_signature(&plan) == signatures[i]);
    }
}

/* A sense makes the first unary inputs; of which more may be facts. */
static void a_plan_knows_its_sense(void **state)
{
    (void)state;
    nlm_spec spec = {
        .depth = 2, .breadth = 2, .inputs = {0, 12, 1}, .width = 4, .outputs = 2, .sense = "lenet"};
    static struct plan plan;
    nlm_error error;
    assert_int_equal(plan_make(&spec, &plan, NULL), NLM_OK);
    assert_ptr_equal(plan.sense, sense_find("lenet"));
    assert_int_equal(plan.perceived, 10);
    assert_int_equal(plan.block[0][1], 12);
    spec.sense = NULL;
    assert_int_equal(plan_make(&spec, &plan, NULL), NLM_OK);
    assert_null(plan.sense);
    assert_int_equal(plan.perceived, 0);
    spec.sense = "Lenet";
    assert_int_equal(plan_make(&spec, &plan, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "there is no sense 'Lenet'");
    spec.sense = "lenet";
    spec.inputs[1] = 9;
    assert_int_equal(plan_make(&spec, &plan, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "makes 10 input predicates of arity 1, the machine reads 9"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_live_that_reach_an_output),
        cmocka_unit_test(units_read_three_groups),
        cmocka_unit_test(units_that_are_only_reduced_are_known),
        cmocka_unit_test(ranges_are_live_that_a_live_unit_reduces),
        cmocka_unit_test(blocks_follow_each_other_in_a_group),
        cmocka_unit_test(the_family_machine_by_hand),
        cmocka_unit_test(plans_that_differ_have_different_signatures),
        cmocka_unit_test(a_plan_knows_its_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
