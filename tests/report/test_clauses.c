/* The table of clauses: those that are likely enough, with any names, and what is said where there is none.
 */
#include "test.h"

#include "report/machine_picture.h"

/* A page has no zero at its end. */
static void assert_page(const page *p, const char *expected)
{
    assert_int_equal(p->length, strlen(expected));
    assert_memory_equal(p->text.data, expected, p->length);
}

/* p(X) from two inputs of arity 1, with so many other variables: without, there are three clauses. */
static nlm_machine *machine_with(int variables)
{
    static const nlm_given given[] = {{.name = "a", .arity = 1}, {.name = "'<i>'", .arity = 1}};
    const nlm_definition definition[] = {{"p", 1, 1, {{variables, NLM_BODY_GIVEN}}}};
    const nlm_program_template program = {2, 1, given, definition, false};
    const nlm_spec spec = {.depth = 1,
                           .breadth = 1,
                           .width = 1,
                           .inputs = {0, 2},
                           .outputs = 2,
                           .model = "dilp",
                           .program = &program};
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_new(&spec, &head, 1, &machine, &error))
        fail_msg("%s", error.message);
    return machine;
}

static void likely_clauses_are_rows(void **state)
{
    (void)state;
    static const float weights[] = {1.0f, -9.0f, 1.0f};
    nlm_machine *machine = machine_with(0);
    page p = {0};
    const nlm_tensor tensor = nlm_machine_tensor(machine, 0);
    assert_int_equal(tensor.count, 3);
    memcpy(tensor.values, weights, sizeof weights);
    assert_int_equal(clauses_put(&p, machine, "<seed> 1", NULL), NLM_OK);
    assert_page(
        &p,
        "<h3>The program of &lt;seed&gt; 1</h3>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"clauses\"><table>\n"
        "<thead><tr><th scope=\"col\">clause</th><th scope=\"col\">probability</th></tr></thead>\n<tbody>\n"
        "<tr><td><code>p(X) :- a(X).</code></td><td>0.5000</td></tr>\n"
        "<tr><td><code>p(X) :- &#39;&lt;i&gt;&#39;(X).</code></td><td>0.5000</td></tr>\n"
        "</tbody></table></div>\n");
    page_release(&p);
    nlm_machine_free(machine);
}

static void there_may_be_none(void **state)
{
    (void)state;
    nlm_machine *machine = machine_with(2); /* all its weights are 0 */
    page p = {0};
    assert_true(nlm_machine_parameters(machine) > 10);
    assert_int_equal(clauses_put(&p, machine, "seed 1", NULL), NLM_OK);
    assert_page(&p, "<h3>The program of seed 1</h3>\n<p>No clause has a probability above 0.1.</p>\n");
    page_release(&p);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likely_clauses_are_rows),
        cmocka_unit_test(there_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
