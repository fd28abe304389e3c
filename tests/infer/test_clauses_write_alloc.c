/* Clauses as a program of Prolog: what stands before them, which are written, what other models say;
 * whichever allocation fails is reported. */
#include "test.h"
#include "failing_malloc.h"

#include <unistd.h>

#include "nlm/nlm.h"

/* p(X) holds where not_q(X) does: one template, one clause that is certain; the helper has none. */
static nlm_machine *new_model(bool dilp)
{
    static const nlm_given given[] = {{"q", 1, false}, {"length", 2, false}, {"q", 1, true}};
    static const nlm_definition definition[] = {{"p", 1, 1, {{0, NLM_BODY_GIVEN}}},
                                                {"sort", 2, 1, {{0, NLM_BODY_GIVEN}}}};
    static const nlm_program_template program = {3, 2, given, definition, false};
    nlm_spec spec = {.depth = 2, .breadth = 2, .inputs = {0, 1, 1}, .width = 2, .outputs = 2};
    if (dilp) {
        spec.model = "dilp";
        spec.program = &program;
    }
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, 1);
    if (dilp)
        nlm_machine_tensor(machine, 0).values[0] = 30;
    return machine;
}

static nlm_status write_clauses(const nlm_machine *machine, double least, int *clauses, char *text,
                                size_t size, nlm_error *error)
{
    FILE *stream = fmemopen(text, size, "w");
    assert_non_null(stream);
    const nlm_status status = nlm_clauses_write(stream, machine, "m.nlm", least, clauses, error);
    fclose(stream);
    return status;
}

static void programs_are_whole(void **state)
{
    (void)state;
    char text[4096];
    int clauses;
    nlm_machine *machine = new_model(true);
    CHECK(write_clauses(machine, 0.5, &clauses, text, sizeof text, &check_error));
    assert_int_equal(clauses, 1);
    static const char head[] =
        "% m.nlm: learned by differentiable ILP; clauses with a probability above 0.5, "
        "printed after each\n"
        "% the model applies the rules 2 times; Prolog until nothing new follows\n"
        ":- redefine_system_predicate(sort(_,_)).\n"
        ":- table p/1, sort/2.\n"
        ":- dynamic q/1, length/2.\n"
        "not_q(X) :- object(X), \\+ q(X).\n"
        "p(X) :- ";
    static const char end[] =
        " % 1.0000\n"
        ":- dynamic sort/2.\n"
        "% undecided, 1 of 2: several clauses share the probability there, so the conclusions "
        "of Prolog,\n% which has no weights, may differ from the model's\n";
    text[sizeof head - 1 + 1000] = '\0';
    assert_memory_equal(text, head, sizeof head - 1);
    assert_non_null(strstr(text, end));
    CHECK(write_clauses(machine, 1, &clauses, text, sizeof text, &check_error));
    assert_int_equal(clauses, 0);
    nlm_machine_free(machine);
}

static void other_models_have_no_clauses(void **state)
{
    (void)state;
    char text[64];
    int clauses;
    nlm_machine *machine = new_model(false);
    nlm_error error;
    assert_int_equal(write_clauses(machine, 0.5, &clauses, text, sizeof text, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(clauses, 0);
    nlm_machine_free(machine);
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    nlm_machine *machine = new_model(true);
    bool failed = true;
    for (int number = 0; failed; number++) {
        static char text[4096];
        int clauses;
        nlm_error error;
        FILE *stream = fmemopen(text, sizeof text, "w");
        fail_allocation(number);
        const nlm_status status = nlm_clauses_write(stream, machine, "m.nlm", 0.5, &clauses, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        fclose(stream);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
    }
    nlm_machine_free(machine);
}

/* The model of ilp-predecessor as a file has it; the weight of its first clause. */
static nlm_machine *load_model(float weight)
{
    static const nlm_given given[] = {{"zero", 1, false}, {"succ", 2, false}, {"zero", 1, true}};
    static const nlm_definition definition[] = {{"predecessor", 2, 1, {{0, NLM_BODY_GIVEN}}}};
    static const nlm_program_template program = {3, 1, given, definition, false};
    const nlm_spec spec = {.depth = 1,
                           .breadth = 2,
                           .inputs = {0, 1, 1},
                           .width = 1,
                           .outputs = 4,
                           .model = "dilp",
                           .program = &program};
    const nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    static const char *const task[] = {"task", "ilp-predecessor"};
    char path[] = "/tmp/nlm-clauses-XXXXXX";
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    nlm_machine_tensor(machine, 0).values[0] = weight;
    close(mkstemp(path));
    CHECK(nlm_machine_save(machine, path, task, 1, &check_error));
    nlm_machine_free(machine);
    CHECK(nlm_machine_load(path, &machine, &check_error));
    unlink(path);
    return machine;
}

static void decided_clauses_are_a_program(void **state)
{
    (void)state;
    nlm_machine *machine = load_model(30);
    nlm_program *program = NULL;
    bool failed = true;
    for (int number = 0; failed; number++) {
        nlm_error error;
        fail_allocation(number);
        const nlm_status status = nlm_clauses_program(machine, "m.nlm", &program, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status == NLM_OK, !failed);
        assert_true(status == NLM_OK || !program);
    }
    char *text;
    CHECK(nlm_program_text(program, NLM_CLAUSES, &text, &check_error));
    if (strncmp(text, "predecessor(X, Y) :- ", strlen("predecessor(X, Y) :- ")) != 0)
        fail_msg("%s", text);
    free(text);
    nlm_program_free(program);
    nlm_machine_free(machine);
}

static void undecided_clauses_are_none(void **state)
{
    (void)state;
    nlm_machine *machine = load_model(0), *other = new_model(false);
    nlm_program *program;
    nlm_error error;
    assert_int_equal(nlm_clauses_program(machine, "m.nlm", &program, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "m.nlm: 1 of 1 templates have no clause with a probability above 0.9: "
                                       "the model weighs several, and is no program");
    assert_int_equal(nlm_clauses_program(other, "m.nlm", &program, &error), NLM_BAD_ARGUMENT);
    assert_null(program);
    nlm_machine_free(machine);
    nlm_machine_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_whole),          cmocka_unit_test(other_models_have_no_clauses),
        cmocka_unit_test(every_allocation_fails_once), cmocka_unit_test(decided_clauses_are_a_program),
        cmocka_unit_test(undecided_clauses_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
