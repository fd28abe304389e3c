/* Memory of problems and signatures: whichever allocation fails, the call says so, leaves nothing behind, and
 * succeeds when it is repeated. */
#include "facts/files.h"
#include "failing_malloc.h"
#include "facts/signature.h"

static void make_files(void)
{
    files_write("w/bias.pl",
                "head_pred(lives,2). type(lives,(person,city)). body_pred(knows,2). max_vars(3).\n"
                "type(knows,(person,person)). body_pred(big,1). type(big,(city,)). body_pred(r,1).");
    files_write("w/1/bk.pl",
                ":- dynamic big/1.\nknows(a,b). big('C d'). knows(b,b). object(e,city). age(a,3).");
    files_write("w/1/exs.pl", "pos(lives(a,c)). neg(lives(a,c)). neg(lives(b,c)). pos(x(a)).");
    files_write("w/1/empty.csv", "");
    files_write("w/2/knows.csv", "a,\"b\"\nb,c\n");
    files_write("w/2/r.tsv", "a\n");
    files_write("w/2/empty.csv", "");
    files_write("w/2/exs.pl", "");
    files_write("w/2/README", "");
    files_write("w/3/README", "");
    files_write("closed/bias.pl", "head_pred(lives,2). type(lives,(person,city)). body_pred(big,1). "
                                  "type(big,city).");
    files_write("closed/bk.pl", "big(c). object(d,city). object(x,dog).");
    files_write("closed/exs.pl", "pos(lives(a,c)).");
    files_write("trains/bk.pl", "has(t,c). short(c). has(u,d). three(d,3). odd(3). has(v,e). dry.");
    files_write("people/people.csv", "id,boss,dep,age,ok\na,,x,1.5,yes\nb,a,x,2,no\nc,a,y,,no\nd,z,y,1,\n");
    files_write("people/knows.csv", "from,to,since\na,b,1\nb,c,2\nd,,3\n");
    files_write("numbers/bk.pl",
                "size(a,1.5). size(b,2.5). size(c,0.5). size(d,9.5). x(a,1.5). x(b,1.0). x(c,3.0). "
                "x(d,3.5). p(a). q(a,b). q(c,d).");
    files_write("numbers/exs.pl", "pos(f(a)). pos(f(b)). neg(f(c)). pos(g(d)). neg(g(c)). neg(f(d)).");
    files_write("trains/exs.pl", "pos(f(t)). neg(f(u)).");
    files_write("graph.dot", "graph { rankdir=LR a -- b -- c [label=on weight=2.5] d [colour=red] }");
    files_write("lines.jsonl",
                "{\"world\": \"w\", \"predicate\": \"p\", \"arguments\": [\"a\", 1.5], \"x\": 1}\n");
}

/* Read until no allocation fails; how many there are. */
static int fail_to_read(const char *path, const nlm_reading *reading)
{
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_problem *problem = (nlm_problem *)files_folder;
        nlm_error error = {0};
        fail_allocation(number);
        status = nlm_problem_read(path, reading, &problem, &error);
        fail_allocation(-1);
        assert_int_equal(error.status, status);
        if (status != NLM_OK && status != NLM_NO_MEMORY)
            fail_msg("%s", error.message);
        assert_true(status ? problem == NULL : problem != NULL);
        nlm_problem_free(problem);
    }
    return number;
}

static void a_problem_may_not_be_had(void **state)
{
    (void)state;
    make_files();
    assert_true(fail_to_read("w", NULL) > 40);
    assert_true(fail_to_read("closed", NULL) > 30);
    static const char *const columns[] = {"dep=constants"};
    assert_true(fail_to_read("people", &(nlm_reading){.columns = columns, .column_count = 1}) > 40);
    assert_true(fail_to_read("numbers", NULL) > 100);
    static const char *const knows[] = {"knows/2"};
    assert_true(fail_to_read("trains", &(nlm_reading){.worlds_by = "has"}) > 40);
    assert_true(fail_to_read("w", &(nlm_reading){.targets = knows, .target_count = 1}) > 40);
    assert_true(fail_to_read("lines.jsonl", NULL) > 20);
    assert_true(fail_to_read("graph.dot", NULL) > 20);
    static const char *const empty[] = {"empty/2"};
    assert_true(fail_to_read("w", &(nlm_reading){.targets = empty, .target_count = 1}) > 40);
}

static void a_problem_may_not_be_had_by_a_signature(void **state)
{
    (void)state;
    make_files();
    nlm_problem *problem = files_read("w", NULL);
    assert_true(fail_to_read("w", &(nlm_reading){.signature = nlm_problem_signature(problem)}) > 40);
    nlm_problem_free(problem);
    problem = files_read("numbers", NULL);
    assert_true(fail_to_read("numbers", &(nlm_reading){.signature = nlm_problem_signature(problem)}) > 40);
    nlm_problem_free(problem);
}

static void a_problem_may_not_be_generated(void **state)
{
    (void)state;
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_problem *problem = (nlm_problem *)files_folder;
        fail_allocation(number);
        status = nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 9, 3, &problem, NULL);
        fail_allocation(-1);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_true(status ? problem == NULL : problem != NULL);
        nlm_problem_free(problem);
    }
    assert_true(number > 20);
}

static void fail_to_write(const nlm_problem *problem, const char *folder, nlm_form form)
{
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_error error = {0};
        fail_allocation(number);
        status = nlm_problem_write(problem, folder, form, true, &error);
        fail_allocation(-1);
        assert_int_equal(error.status, status);
        if (status != NLM_OK && status != NLM_NO_MEMORY)
            fail_msg("%s", error.message);
    }
    assert_true(number > 20);
}

static void a_problem_may_not_be_written(void **state)
{
    (void)state;
    make_files();
    nlm_problem *problem = files_read("w", NULL);
    for (int form = NLM_FORM_FOLDER; form <= NLM_FORM_TSV; form++) {
        char folder[] = {'o', (char)('0' + form), '\0'};
        fail_to_write(problem, folder, (nlm_form)form);
        nlm_problem *again = files_read(folder, NULL);
        assert_true(nlm_problem_digest(problem) == nlm_problem_digest(again));
        nlm_problem_free(again);
    }
    nlm_problem_free(problem);
}

static void images_may_not_be_written(void **state)
{
    (void)state;
    nlm_problem *problem;
    float pixels[NLM_IMAGE_PIXELS];
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("adjacent-to-zero"), NLM_WORLDS_PAPER, 1, 0, 2, 1, &problem, NULL),
        NLM_OK);
    fail_to_write(problem, "o", NLM_FORM_FOLDER);
    assert_int_equal(nlm_image_read("o/images/node1.pgm", pixels, NULL), NLM_OK);
    assert_memory_equal(pixels, nlm_world_percept(nlm_problem_world(problem, 0), 1, NULL), sizeof pixels);
    nlm_problem_free(problem);
}

/* Jansson does not always tell why it failed, so the status may be another. */
static void a_signature_may_not_be_had(void **state)
{
    (void)state;
    static const char text[] =
        "{\"inputs\": [{\"name\": \"p\", \"arity\": 2, \"places\": [0, 0], \"types\": "
        "[\"a\", \"a\"]}, {\"type\": \"a\"}], \"targets\": [{\"name\": \"q\", \"arity\": "
        "0}]}";
    fail_jansson_too();
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_signature *signature = (nlm_signature *)files_folder;
        nlm_error error = {0};
        fail_allocation(number);
        status = signature_parse(text, "m", &signature, &error);
        fail_allocation(-1);
        assert_int_equal(error.status, status);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_FILE);
        assert_true(status ? signature == NULL : signature != NULL);
        nlm_signature_free(signature);
    }
    assert_true(number > 20);
    json_set_alloc_funcs(malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_problem_may_not_be_had),       files_test(a_problem_may_not_be_had_by_a_signature),
        files_test(a_problem_may_not_be_generated), files_test(a_problem_may_not_be_written),
        files_test(images_may_not_be_written),      files_test(a_signature_may_not_be_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
