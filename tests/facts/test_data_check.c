/* A look at data: counts against what the files say, warnings in their order, and a listener that fails. */
#include "facts/files.h"

enum { MOST = 8, TEXT_SIZE = 400 };

struct heard {
    int count, most; /* fails when it has heard more */
    char text[MOST][TEXT_SIZE];
};

static nlm_status hear(void *context, const char *text, nlm_error *error)
{
    struct heard *to = context;
    (void)error;
    if (to->count >= to->most)
        return NLM_IO_ERROR;
    snprintf(to->text[to->count++], TEXT_SIZE, "%s", text);
    return NLM_OK;
}

static nlm_problem *read_family(void)
{
    files_write("f/bias.pl",
                "head_pred(uncle,2).\nbody_pred(parent,2).\nbody_pred(parents,2).\nbody_pred(male,1).\n");
    files_write("f/bk.pl",
                "parent(ann, bob).\nparent(bob, cid).\nparents(ann, dora).\nparent(lonely_bob, cid).\n");
    files_write(
        "f/exs.pl",
        "pos(uncle(bob, cid)).\nneg(uncle(cid, bob)).\npos(uncle(cid, bob)).\nneg(uncle(eve, ann)).\n");
    return files_read("f", NULL);
}

static void facts_and_labels_are_counted(void **state)
{
    (void)state;
    nlm_problem *problem = read_family();
    assert_int_equal(nlm_problem_count_facts(problem, 0), 3);
    assert_int_equal(nlm_problem_count_facts(problem, 1), 1);
    assert_int_equal(nlm_problem_count_facts(problem, 2), 0);
    const nlm_label_count count = nlm_problem_count_labels(problem, 0);
    assert_true(count.positive == 2 && count.negative == 1);
    assert_true(count.unlabelled == 6 * 5 - 3); /* pairs of six people */
    nlm_problem_free(problem);
}

static void warnings_come_in_their_order(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "no facts of male/1",
        "parent/2 and parents/2 look alike: are they the same predicate?",
        "1 object is in no fact: eve",
        "1 label is listed as true and as false, and taken to be true: uncle(cid, bob)",
    };
    struct heard heard = {.most = MOST};
    nlm_problem *problem = read_family();
    CHECK(nlm_problem_warnings(problem, hear, &heard, &check_error));
    for (int i = 0; i < heard.count && i < (int)COUNT(expected); i++)
        assert_string_equal(heard.text[i], expected[i]);
    assert_int_equal(heard.count, COUNT(expected));
    nlm_problem_free(problem);
}

static void a_listener_that_fails_hears_no_more(void **state)
{
    (void)state;
    struct heard heard = {.most = 1};
    nlm_problem *problem = read_family();
    assert_int_equal(nlm_problem_warnings(problem, hear, &heard, NULL), NLM_IO_ERROR);
    assert_int_equal(heard.count, 1);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(facts_and_labels_are_counted, files_setup, files_teardown),
        cmocka_unit_test_setup_teardown(warnings_come_in_their_order, files_setup, files_teardown),
        cmocka_unit_test_setup_teardown(a_listener_that_fails_hears_no_more, files_setup, files_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
