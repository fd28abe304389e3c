/* JSON Lines of facts: what is read, and what is refused. */
#include "facts/files.h"

static void lines_are_facts(void **state)
{
    (void)state;
    files_write(
        "family.jsonl",
        "\xEF\xBB\xBF{\"predicate\": \"father\", \"arguments\": [\"homer\", \"Bart S.\"]}\r\n"
        "\n  \t\n"
        "{\"world\": \"\", \"target\": \"age\", \"arguments\": [\"homer\", 39], \"probability\": 0.5}\n"
        "{\"arguments\": [], \"predicate\": \"dry\"}");
    nlm_problem *problem = files_expect("family.jsonl", NULL,
                                        "homer Bart S. 39; father/2: father(homer, 'Bart S.'); "
                                        "age/2: age(homer, 39); dry/0: dry");
    files_notes(problem, NULL);
    nlm_problem_free(problem);
}

static void targets_and_numbers_are_found(void **state)
{
    (void)state;
    static const char *const target[] = {"heavy"};
    files_write("w.jsonl", "{\"predicate\": \"weight\", \"arguments\": [\"a\", 1.50]}\n"
                           "{\"predicate\": \"weight\", \"arguments\": [\"b\", 2]}\n"
                           "{\"predicate\": \"weight\", \"arguments\": [\"c\", \"-3.5\"]}\n"
                           "{\"predicate\": \"heavy\", \"arguments\": [\"b\"], \"by\": \"me\"}\n"
                           "{\"predicate\": \"p\", \"arguments\": [\"b\"], \"at\": null}\n");
    nlm_problem *problem = files_read("w.jsonl", &(nlm_reading){.targets = target, .target_count = 1});
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_int_equal(nlm_world_objects(world), 3);
    assert_int_equal(nlm_world_numbers(world, 0, NULL, NULL), 3);
    assert_int_equal(nlm_problem_count_labels(problem, 0).positive, 1);
    assert_string_equal(nlm_problem_note(problem, 0),
                        "w.jsonl:4: \"by\" has no meaning in a fact and is ignored");
    nlm_problem_free(problem);
}

/* After a line that is right, so that the number of the line is seen to count. */
static void refused(const char *line, const char *message)
{
    char text[512], expected[512];
    snprintf(text, sizeof text, "{\"world\": \"one\", \"predicate\": \"p\", \"arguments\": [\"a\"]}\n\n%s\n",
             line);
    snprintf(expected, sizeof expected, "bad.jsonl:3: %s", message);
    files_write("bad.jsonl", text);
    files_refused("bad.jsonl", NULL, NLM_BAD_FILE, expected);
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    static const char form[] =
        "no predicate: a line is {\"predicate\": \"father\", \"arguments\": [\"homer\", \"bart\"]}";
    refused("{}", form);
    refused("{\"predicate\": 1, \"arguments\": []}", form);
    refused("[]", "a list, not an object: a line is {\"predicate\": \"father\", \"arguments\": [\"homer\", "
                  "\"bart\"]}");
    refused("{\"predicate\": \"p\", \"arguments\": [\"a\"",
            "no JSON object in one line: ']' expected near end of file");
    refused("{\"predicate\": \"p\", \"target\": \"p\", \"arguments\": [\"a\"]}",
            "\"predicate\" and \"target\" mean the same: leave out one of them");
    refused("{\"predicate\": \"p(x)\", \"arguments\": [\"a\"]}",
            "a predicate cannot have this name: it is empty, or has '(', '/' or a control character");
    refused("{\"predicate\": \"p\"}", "no \"arguments\": they are a list, [] if there are none");
    refused(
        "{\"predicate\": \"p\", \"arguments\": [\"a\", true]}",
        "argument 2 is neither a string nor a number: put names in quotes, and leave out facts of what is "
        "not known");
    refused("{\"predicate\": \"p\", \"arguments\": [1, 2, 3, 4, 5]}",
            "5 arguments: at most 4 are supported; write several facts");
    refused("{\"world\": \"two\", \"predicate\": \"p\", \"arguments\": [\"a\"]}",
            "world \"two\" after world \"one\": a file has the facts of one world; write a folder with a "
            "subfolder for each world");
    refused("{\"world\": 2, \"predicate\": \"p\", \"arguments\": [\"a\"]}", "\"world\" is no string");
    refused("{\"predicate\": \"p\", \"arguments\": [\"a\"], \"probability\": 0.49}",
            "a fact with a \"probability\" below 0.5, or that is no number: facts are true; leave out such "
            "lines");
    refused("\xFF", "byte 0xFF is not UTF-8: convert the file to UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(lines_are_facts),
        files_test(targets_and_numbers_are_found),
        files_test(bad_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
