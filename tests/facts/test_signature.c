/* Signatures: of tasks and models, as text and back, texts of predicates, and reading by a signature. */
#include "facts/files.h"
#include "facts/signature.h"

static nlm_signature *parse(const char *text)
{
    nlm_signature *signature;
    nlm_error error = {0};
    if (signature_parse(text, "m", &signature, &error))
        fail_msg("%s", error.message);
    return signature;
}

static void tasks_have_signatures(void **state)
{
    (void)state;
    for (int t = 0; t < nlm_tasks(); t++) {
        const nlm_task *task = nlm_task_at(t);
        nlm_signature *signature;
        assert_int_equal(nlm_signature_of_task(task, &signature, NULL), NLM_OK);
        assert_int_equal(nlm_signature_targets(signature), 1);
        assert_string_equal(nlm_signature_target(signature, 0)->name, task->target);
        assert_int_equal(nlm_signature_target(signature, 0)->objects, task->arity);
        int counted[NLM_MAX_BREADTH + 1] = {0}, numbers;
        if (task->sense)
            assert_true(nlm_sense_find(task->sense, &numbers, &counted[1])); /* these are no facts */
        for (int i = 0; i < nlm_signature_inputs(signature); i++)
            counted[nlm_signature_input(signature, i)->objects]++;
        assert_memory_equal(counted, task->inputs, sizeof counted);
        assert_false(nlm_signature_typed(signature));
        assert_null(nlm_signature_input(signature, -1));
        assert_null(nlm_signature_target(signature, 1));
        nlm_signature_free(signature);
    }
    nlm_signature *none;
    assert_int_equal(nlm_signature_of_task(NULL, &none, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_signature_of_task(&(nlm_task){.name = "no such", .train_objects = 5}, &none, NULL),
                     NLM_BAD_ARGUMENT);
    assert_null(none);
    nlm_signature_free(NULL);
}

static const char full[] =
    "{\"inputs\": [{\"name\": \"likes\", \"arity\": 2, \"types\": [\"person\", \"person\"]}, {\"name\": "
    "\"likes\", \"arity\": 2, \"places\": [0, 0], \"types\": [\"person\", \"person\"]}, {\"name\": \"Big "
    "one\", \"arity\": 1, \"types\": [\"city\"]}, {\"name\": \"raining\", \"arity\": 0}, {\"type\": "
    "\"person\"}, {\"type\": \"city\"}], \"targets\": [{\"name\": \"lives\", \"arity\": 2, \"types\": "
    "[\"person\", \"city\"]}]}";

static void a_text_is_read_back(void **state)
{
    (void)state;
    nlm_signature *signature = parse(full), *copy;
    const char *text;
    assert_int_equal(nlm_signature_text(signature, &text, NULL), NLM_OK);
    assert_string_equal(text, full);
    assert_int_equal(signature_copy(signature, &copy, NULL), NLM_OK);
    nlm_signature_free(signature);
    assert_int_equal(nlm_signature_text(copy, &text, NULL), NLM_OK);
    assert_string_equal(text, full);
    assert_true(nlm_signature_typed(copy));
    nlm_signature_free(copy);
}

static void predicates_have_texts(void **state)
{
    (void)state;
    nlm_signature *signature = parse(full);
    static const char *const texts[] = {"likes/2",   "likes(A,A)",   "'Big one'/1",
                                        "raining/0", "type(person)", "type(city)"};
    char text[32];
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        assert_int_equal(nlm_predicate_text(nlm_signature_input(signature, i), text, sizeof text),
                         strlen(texts[i]));
        assert_string_equal(text, texts[i]);
    }
    assert_int_equal(nlm_predicate_text(nlm_signature_input(signature, 1), text, 6), 10);
    assert_string_equal(text, "likes");
    assert_int_equal(nlm_predicate_text(nlm_signature_input(signature, 1), NULL, 0), 10);
    nlm_signature_free(signature);
}

static void broken_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "m: metadata 'signature': '[' or '{' expected near end of file"},
        {"[]", "m: metadata 'signature' has no list of inputs, or too long a one"},
        {"{\"inputs\": []}", "m: metadata 'signature' has no list of targets, or too long a one"},
        {"{\"inputs\": [1], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has no name that "
         "a predicate can have"},
        {"{\"inputs\": [{\"name\": \"a/b\", \"arity\": 1}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has no name that a predicate can have"},
        {"{\"inputs\": [{\"name\": \"\", \"arity\": 1}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has no name that a predicate can have"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 5}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has no arity, 0 to 4"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": \"1\"}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has no arity, 0 to 4"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 2, \"places\": [1, 0]}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has places that are no pattern"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 3, \"places\": [0, 0, 2]}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has places that are no pattern"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 2, \"worlds\": \"wx\"}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has worlds that are no text of w, o and a"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 2, \"worlds\": \"w\"}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has worlds that are no text of w, o and a"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 2, \"places\": [0]}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has places that are no pattern"},
        {"{\"inputs\": [], \"targets\": [{\"name\": \"a\", \"arity\": 1, \"types\": [\"A\"]}]}",
         "m: metadata 'signature': number 1 of its targets has types that do not fit"},
        {"{\"inputs\": [], \"targets\": [{\"name\": \"a\", \"arity\": 1, \"types\": [\"\"]}]}",
         "m: metadata 'signature': number 1 of its targets has types that do not fit"},
        {"{\"inputs\": [], \"targets\": [{\"name\": \"a\", \"arity\": 2, \"types\": [\"b\"]}]}",
         "m: metadata 'signature': number 1 of its targets has types that do not fit"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 2, \"places\": [0, 0], \"types\": [\"b\", \"c\"]}], "
         "\"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs has types that do not fit"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 1, \"types\": [\"b\"]}], \"targets\": [{\"name\": "
         "\"a\", "
         "\"arity\": 1}]}",
         "m: metadata 'signature': number 1 of its targets has types that do not fit"},
        {"{\"inputs\": [{\"name\": \"a\", \"arity\": 1}, {\"name\": \"a\", \"arity\": 1}], \"targets\": []}",
         "m: metadata 'signature': number 2 of its inputs is there twice"},
        {"{\"inputs\": [{\"type\": \"a\"}, {\"type\": \"a\"}], \"targets\": []}",
         "m: metadata 'signature': number 2 of its inputs is there twice"},
        {"{\"inputs\": [{\"type\": \"A\"}], \"targets\": []}",
         "m: metadata 'signature': number 1 of its inputs "
         "is no type"},
        {"{\"inputs\": [], \"targets\": [{\"type\": \"a\"}]}",
         "m: metadata 'signature': number 1 of its targets "
         "is no type"},
        {"{\"inputs\": [], \"targets\": [1,2,3,4,5,6,7,8,9]}",
         "m: metadata 'signature' has no list of targets, or too long a one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nlm_signature *signature;
        nlm_error error = {0};
        assert_int_equal(signature_parse(cases[i].text, "m", &signature, &error), NLM_BAD_FILE);
        assert_string_equal(error.message, cases[i].message);
        assert_null(signature);
    }
}

/* ---- models ---- */

/* A machine with these inputs and one head, saved with a key and loaded again. */
static nlm_machine *make_model(int unary, int binary, int head_arity, int outputs, const char *key,
                               const char *value)
{
    nlm_spec spec = {
        .depth = 2, .breadth = 2, .inputs = {0, unary, binary}, .width = 2, .outputs = 1u << head_arity};
    nlm_head_spec head = {.name = "head", .arity = head_arity, .outputs = outputs};
    const char *metadata[] = {key, value};
    nlm_machine *machine, *loaded;
    nlm_error error = {0};
    if (nlm_machine_new(&spec, &head, 1, &machine, &error) ||
        nlm_machine_save(machine, "m.nlm", metadata, 1, &error) || nlm_machine_load("m.nlm", &loaded, &error))
        fail_msg("%s", error.message);
    nlm_machine_free(machine);
    return loaded;
}

static void check_model(nlm_machine *machine, const char *message)
{
    nlm_signature *signature;
    nlm_error error = {0};
    nlm_status status = nlm_signature_of_model(machine, "m.nlm", &signature, &error);
    assert_int_equal(status, message ? NLM_BAD_FILE : NLM_OK);
    if (message)
        assert_string_equal(error.message, message);
    assert_true(message ? !signature : signature != NULL);
    nlm_signature_free(signature);
    nlm_machine_free(machine);
}

static void models_have_signatures(void **state)
{
    (void)state;
    static const char text[] =
        "{\"inputs\": [{\"name\": \"p\", \"arity\": 2}, {\"name\": \"p\", \"arity\": 2, "
        "\"places\": [0, 0]}], \"targets\": [{\"name\": \"q\", \"arity\": 1}]}";
    check_model(make_model(1, 1, 1, 1, "signature", text), NULL);
    check_model(make_model(0, 4, 2, 1, "task", "uncle"), NULL);
    check_model(make_model(2, 1, 1, 1, "signature", text),
                "m.nlm: inputs of arity 1: the signature has 1, the machine reads 2");
    check_model(make_model(1, 1, 2, 1, "signature", text),
                "m.nlm: target q needs a head of arity 1 with 1 output, not of arity 2 with 1");
    check_model(make_model(1, 1, 1, 2, "signature", text),
                "m.nlm: target q needs a head of arity 1 with 1 output, not of arity 1 with 2");
    check_model(make_model(1, 1, 1, 1, "signature",
                           "{\"inputs\": [{\"name\": \"p\", \"arity\": 2}, {\"name\": "
                           "\"q\", \"arity\": 1}], \"targets\": []}"),
                "m.nlm: targets: the signature has 0, the machine has 1 heads");
    check_model(make_model(0, 1, 2, 1, "task", "uncle"),
                "m.nlm: inputs of arity 2: the signature has 4, the machine reads 1");
    check_model(make_model(0, 4, 2, 1, "task", "sort"),
                "m.nlm: the model does not say which predicates it reads and concludes");
    check_model(make_model(0, 4, 2, 1, "signature", "{"),
                "m.nlm: metadata 'signature': string or '}' expected near end of file");
}

/* ---- reading by a signature ---- */

static const char known[] = "{\"inputs\": [{\"name\": \"q\", \"arity\": 2}, {\"name\": \"p\", \"arity\": 1}, "
                            "{\"name\": \"likes\", \"arity\": 2}, {\"name\": \"likes\", \"arity\": 2, "
                            "\"places\": [0, 0]}], \"targets\": [{\"name\": \"r\", \"arity\": 2}]}";

static void facts_are_read_by_a_signature(void **state)
{
    (void)state;
    nlm_signature *signature = parse(known);
    nlm_reading reading = {.signature = signature, .closed_world = true};
    files_write("a.pl", "p(a). q(a,b). q(b,b). likes(a,a). age(c,d). p(e,f). object(g).");
    nlm_problem *problem = files_expect(
        "a.pl", &reading, "a b g; q/2: q(a, b); p/1: p(a); likes/2:; likes(A,A)/1: likes(a, a); r/2 ?");
    files_notes(problem, "the model does not know q(A,A): its facts in a.pl are ignored",
                "age/2 is not read by the model: 1 fact is ignored, the first in a.pl",
                "p/2 is not read by the model: 1 fact is ignored, the first in a.pl", NULL);
    assert_false(nlm_problem_labelled(problem) || nlm_problem_closed(problem));
    nlm_problem_free(problem);
    files_write("b.pl", "q(a,b). r(b,a). r(a,a).");
    problem =
        files_expect("b.pl", &reading, "a b; q/2: q(a, b); p/1:; likes/2:; likes(A,A)/1:; r/2 - r(b, a)+");
    files_notes(problem, "the model does not know r(A,A): its facts in b.pl are ignored",
                "p/1 is not in b.pl: taken as empty", "likes/2 is not in b.pl: taken as empty", NULL);
    assert_true(nlm_problem_labelled(problem) && nlm_problem_closed(problem));
    nlm_problem_free(problem);
    nlm_signature_free(signature);
}

static void what_may_be_meant_is_told(void **state)
{
    (void)state;
    nlm_signature *signature =
        parse("{\"inputs\": [{\"name\": \"father\", \"arity\": 2}, {\"name\": \"is_old\", \"arity\": 1}], "
              "\"targets\": [{\"name\": \"r\", \"arity\": 1}]}");
    nlm_reading reading = {.signature = signature};
    files_write("a.pl", "likes(a,b). 'Father'(a,b). father(a,b,c). isold(a). is_odd(a).");
    files_refused("a.pl", &reading, NLM_BAD_FILE,
                  "a.pl: no fact counts: the model reads father/2, is_old/1, and none of these is there, but "
                  "'Father'/2, father/3, isold/1, is_odd/1, likes/2: names and numbers of arguments must be "
                  "the same");
    files_write("b.pl", "likes(a,b). fath(a,b). r.");
    files_refused("b.pl", &reading, NLM_BAD_FILE,
                  "b.pl: no fact counts: the model reads father/2, is_old/1, and none of these is there, but "
                  "likes/2, fath/2, r/0");
    files_write("c.pl", "");
    files_refused("c.pl", &reading, NLM_BAD_FILE,
                  "c.pl: no fact counts: the model reads father/2, is_old/1, and none of these is there");
    files_write("d.pl", "is_old(a). fathers(a,b).");
    nlm_problem *problem = files_expect("d.pl", &reading, "a; father/2:; is_old/1: is_old(a); r/1 ?");
    files_notes(problem, "fathers/2 is not read by the model: 1 fact is ignored, the first in d.pl",
                "father/2 is not in d.pl: taken as empty; is fathers/2 meant?", NULL);
    nlm_problem_free(problem);
    files_write("w/1/bk.pl", "is_old(a).");
    files_write("w/2/bk.pl", "likes(a,b).");
    files_refused("w", &reading, NLM_BAD_FILE,
                  "w: 2 has no objects: no fact counts; objects without facts are declared by object(name)");
    nlm_signature_free(signature);
}

static void labels_are_read_by_a_signature(void **state)
{
    (void)state;
    nlm_signature *signature = parse(known);
    nlm_reading reading = {.signature = signature};
    files_write("f/bias.pl", "head_pred(x,1). body_pred("); /* does not count, and is not even read */
    files_write("f/bk.pl", "p(a). q(a,b). r(a,b).");
    files_write("f/likes.csv", "");
    files_write("f/exs.pl", "pos(r(b,a)). neg(r(a,b)). pos(s(a,b)).");
    nlm_problem *problem = files_expect(
        "f", &reading, "a b; q/2: q(a, b); p/1: p(a); likes/2:; likes(A,A)/1:; r/2 ? r(b, a)+ r(a, b)-");
    files_notes(
        problem,
        "r/2 is to be concluded, and exs.pl has the examples: 1 fact is ignored, the first in f/bk.pl",
        "s/2 is not to be concluded: 1 example is ignored, the first in f/exs.pl", NULL);
    nlm_problem_free(problem);
    nlm_signature_free(signature);
}

static void what_a_model_reads_and_concludes_is_read(void **state)
{
    (void)state;
    nlm_signature *signature =
        parse("{\"inputs\": [{\"name\": \"r\", \"arity\": 2}], \"targets\": [{\"name\": "
              "\"r\", \"arity\": 2}]}");
    files_write("a.pl", "r(a,b).");
    nlm_problem *problem =
        files_expect("a.pl", &(nlm_reading){.signature = signature}, "a b; r/2: r(a, b); r/2 ?");
    assert_false(nlm_problem_labelled(problem));
    nlm_problem_free(problem);
    nlm_signature_free(signature);
}

static void types_come_from_the_signature(void **state)
{
    (void)state;
    nlm_signature *signature = parse(full);
    files_write("a.pl", "likes(a,b). 'Big one'(a). raining. lives(a,a). object(c, city). object(d, dog).");
    nlm_problem *problem = files_expect(
        "a.pl", &(nlm_reading){.signature = signature},
        "person:a person:b city:a city:c; likes/2: likes(a, b); likes(A,A)/1:; Big one/1: 'Big one'(a); "
        "raining/0: raining; type(person)/1: type(person)(a) type(person)(b); type(city)/1: type(city)(a) "
        "type(city)(c); lives/2 ? lives(a, a)+ lives(a, c)- lives(b, a)- lives(b, c)-");
    files_notes(problem, "object(d, dog) is ignored, and others of this kind: no predicate has the type",
                NULL);
    nlm_problem_free(problem);
    nlm_signature_free(signature);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_have_signatures),
        cmocka_unit_test(a_text_is_read_back),
        cmocka_unit_test(predicates_have_texts),
        cmocka_unit_test(broken_texts_are_refused),
        files_test(models_have_signatures),
        files_test(facts_are_read_by_a_signature),
        files_test(what_may_be_meant_is_told),
        files_test(labels_are_read_by_a_signature),
        files_test(what_a_model_reads_and_concludes_is_read),
        files_test(types_come_from_the_signature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
