/* Facts and examples in Prolog's syntax: what is read, and what is refused with which words. */
#include "facts/files.h"
#include "syntax/prolog.h"

/* Read all facts of a text; each as name(argument|argument) in one line, or the error's message. */
static const char *read_text(const char *text, size_t size)
{
    static char result[2048];
    char *copy = malloc(size + 1); /* of that size, so that a sanitizer sees any read beyond */
    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    prolog in;
    prolog_fact fact;
    bool found = true;
    nlm_error error = {0};
    size_t used = 0;
    result[0] = '\0';
    nlm_status status = prolog_start(&in, copy, size, "f", &error);
    while (!status && !(status = prolog_next_fact(&in, &fact, &found, &error)) && found) {
        used += (size_t)snprintf(result + used, sizeof result - used, "%s%zu:%.*s", used ? " " : "",
                                 fact.line, (int)fact.name.length, fact.name.text);
        for (int k = 0; k < fact.arity; k++)
            used += (size_t)snprintf(result + used, sizeof result - used, "%s%.*s", k ? "|" : "(",
                                     (int)fact.argument[k].length, fact.argument[k].text);
        used += (size_t)snprintf(result + used, sizeof result - used, "%s", fact.arity ? ")" : "");
    }
    if (status)
        snprintf(result, sizeof result, "%s", error.message);
    free(copy);
    return result;
}

struct text {
    const char *text, *result;
};

static void check(const struct text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_string_equal(read_text(texts[i].text, strlen(texts[i].text)), texts[i].result);
}

#define CHECK_ALL(texts) check(texts, sizeof texts / sizeof *texts)

static void facts_are_read(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"", ""},
        {"  % nothing\n/* nor\nhere */ ", ""},
        {"raining.", "1:raining"},
        {"father(homer, bart).\n\nmother( marge ,bart ) .\n", "1:father(homer|bart) 3:mother(marge|bart)"},
        {"p(a,b,c,d).q.", "f:1: the '.' after a fact must be followed by a space or a new line"},
        {"p(a,b,c,d). q.% end", "1:p(a|b|c|d) 1:q"},
        {"p(a)\n  .%\nq(b).", "1:p(a) 3:q(b)"},
        {"p(\n a,\n b\n).\nq(c).", "1:p(a|b) 5:q(c)"},
        {"\xEF\xBB\xBFp(a).\r\nq(b).\r\n", "1:p(a) 2:q(b)"},
        {"p(aB_9, x__).", "1:p(aB_9|x__)"},
        {"p(1, -2, 3.25, -1.5e-7).", "1:p(1|-2|3.25|-1.5e-7)"},
        {"p(007, 1e10, 2E+3).", "1:p(007|1e10|2E+3)"},
        {"'My pred'('Bart S.', 'it''s', 'a\\'b').", "1:My pred(Bart S.|it's|a'b)"},
        {"p('\\\\ \\x41\\\\u00e9\\101\\').", "1:p(\\ A\xC3\xA9"
                                             "A)"},
        {"p('a\\\nb').q", "f:2: the '.' after a fact must be followed by a space or a new line"},
        {"p('a\\\nb').\nq.", "1:p(ab) 3:q"},
        {"p('%', '/*').", "1:p(%|/*)"},
        {"p(\xC3\xA9t\xC3\xA9, \xE6\x97\xA5\xE6\x9C\xAC, x\xC3\x9F).",
         "1:p(\xC3\xA9t\xC3\xA9|\xE6\x97\xA5\xE6\x9C\xAC|x\xC3\x9F)"},
        {"/* a */ p(/* b */ a % c\n , b).", "1:p(a|b)"},
        {"p(object).", "1:p(object)"},
    };
    CHECK_ALL(texts);
}

static void directives_are_skipped(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {":- style_check(-discontiguous).\n:- dynamic father/2.\np(a).", "3:p(a)"},
        {":- X = 'a. b', Y = \"c. d\", Z = `e. f`.\np(a).", "2:p(a)"},
        {":- X =.. [a, 0'., 0'\\n, 0''', 0'a, 0'\\x2e\\, 1.5].\np(a).", "2:p(a)"},
        {":- a, % b. \n c /* . */.\np(a).", "3:p(a)"},
        {"?- p(X).\np(a).", "2:p(a)"},
        {":- \"a\n\nb\".\np(a).", "4:p(a)"},
        {":- 'it''s. '.\np(a).", "2:p(a)"},
        {"p(a).\n:- x\n",
         "f:2: the clause that begins here does not end: is its '.', a quote or the end of a "
         "comment missing?"},
        {":- 'x.\n", "f:1: the clause that begins here does not end: is its '.', a quote or the end of a "
                     "comment missing?"},
        {":- 0'", "f:1: the clause that begins here does not end: is its '.', a quote or the end of a "
                  "comment missing?"},
    };
    CHECK_ALL(texts);
}

static void what_is_not_supported_is_refused(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"p(a).\nq(X).", "f:2: X is a variable: facts are about named objects; a name that begins with "
                         "a capital or _ needs single quotes, 'X'"},
        {"p(_).",
         "f:1: _ is a variable: facts are about named objects; a name that begins with a capital or _ "
         "needs single quotes, '_'"},
        {"q(a) :- p(a).", "f:1: rules are not supported here; `nlm compile` reads them"},
        {"q(X) :- p(X).", "f:1: rules are not supported here; `nlm compile` reads them"},
        {"p(a).\nq(X,\n  Y) % a. b\n :- p(X, Y).",
         "f:2: rules are not supported here; `nlm compile` reads them"},
        {"q('a. b', X) /* . */ :- p(X).", "f:1: rules are not supported here; `nlm compile` reads them"},
        {"q([X]) :- p(X).", "f:1: rules are not supported here; `nlm compile` reads them"},
        {"q(X). r(Y) :- p(Y).",
         "f:1: X is a variable: facts are about named objects; a name that begins with a capital or _ needs "
         "single quotes, 'X'"},
        {"q('a :- b', X).",
         "f:1: X is a variable: facts are about named objects; a name that begins with a capital or _ needs "
         "single quotes, 'X'"},
        {"q(a)\n --> p(a).", "f:2: rules are not supported here; `nlm compile` reads them"},
        {"p([a, b]).", "f:1: lists and terms in braces are not supported here: give the thing a name"},
        {"[a].", "f:1: lists and terms in braces are not supported here: give the thing a name"},
        {"p({a}).", "f:1: lists and terms in braces are not supported here: give the thing a name"},
        {"p(a,\nf(x)).",
         "f:2: f(...) as an argument: terms inside terms are not supported here; give the thing "
         "a name"},
        {"p(\"a\").", "f:1: a string in double quotes is not supported here: put the name in single quotes"},
        {"p(a + b).", "f:1: operator + is not supported here: put a name that holds it in single quotes"},
        {"p(- 1).", "f:1: operator - is not supported here: put a name that holds it in single quotes"},
        {"p(a-1).", "f:1: ',' or ')' is expected, not -1"},
        {"a = b.", "f:1: operator = is not supported here: put a name that holds it in single quotes"},
        {"m:p(a).", "f:1: operator : is not supported here: put a name that holds it in single quotes"},
        {"p(`a`).", "f:1: ` is not supported here: put the name in single quotes"},
        {"p(0x1F).", "f:1: 0x... is no number of a kind that is supported here: quote it if it is a name"},
        {"p(0'a).", "f:1: 0'... is no number of a kind that is supported here: quote it if it is a name"},
        {"p(1_000).", "f:1: 1_... is no number of a kind that is supported here: quote it if it is a name"},
        {"p(a,b,c,d,e).", "f:1: p with 5 arguments: at most 4 are supported"},
        {"raining().", "f:1: raining(): without arguments it is written raining"},
        {"pos(p(a)).", "f:1: pos(...) and neg(...) are read from exs.pl, beside the facts in bk.pl"},
        {"neg(p(a)).", "f:1: pos(...) and neg(...) are read from exs.pl, beside the facts in bk.pl"},
        {"12.", "f:1: the name of a predicate is expected, not 12"},
        {"!.", "f:1: the name of a predicate is expected, not !"},
        {"'a/b'(c).", "f:1: 'a/b' cannot be the name of a predicate here: it is empty, or has '(', '/' or a "
                      "control character"},
        {"''(c).",
         "f:1: '' cannot be the name of a predicate here: it is empty, or has '(', '/' or a control "
         "character"},
        {"'a\\n'(c).", "f:1: 'a?' cannot be the name of a predicate here: it is empty, or has '(', '/' or a "
                       "control character"},
        {"p('').", "f:1: an empty name, ''"},
    };
    CHECK_ALL(texts);
}

static void broken_syntax_is_refused(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"p(a)\nq(b).", "f:1: the '.' that ends this fact is missing"},
        {"\n\np(a)", "f:3: the '.' that ends this fact is missing"},
        {"p(a)).", "f:1: '.' is expected, not )"},
        {"p (a).", "f:1: there is a space between p and its '('"},
        {"p(a,).", "f:1: a name is expected, not )"},
        {"p(,a).", "f:1: a name is expected, not ,"},
        {"p(a b).", "f:1: ',' or ')' is expected, not b"},
        {"p(a", "f:1: ',' or ')' is expected, but the file ends here"},
        {"p(", "f:1: a name is expected, but the file ends here"},
        {"p(a,\n'b).\nq(c).", "f:2: a quoted name that does not end in this line"},
        {"p('a\nb').", "f:1: a quoted name that does not end in this line"},
        {"p('a", "f:1: a quoted name that does not end in this line"},
        {"p('a\\", "f:1: a quoted name that does not end in this line"},
        {"p('\\q').", "f:1: an escape in a quoted name that is not known: write a backslash as \\\\"},
        {"p('\\x').", "f:1: an escape in a quoted name that is not known: write a backslash as \\\\"},
        {"p('\\u12').", "f:1: an escape in a quoted name that is not known: write a backslash as \\\\"},
        {"p('\\xD800\\').", "f:1: an escape in a quoted name that is not known: write a backslash as \\\\"},
        {"p('\\0\\').", "f:1: an escape in a quoted name that is not known: write a backslash as \\\\"},
        {"\np(a). /* b\n\n", "f:2: the comment that begins here does not end: its '*/' is missing"},
        {"p(\xC2\xA0"
         "a).",
         "f:1: character U+00A0 outside of quotes: put the name in single quotes"},
        {"p(\x01).", "f:1: character U+0001 outside of quotes: put the name in single quotes"},
    };
    CHECK_ALL(texts);
}

static void bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"p(a).\n% caf\xE9", "f:2: byte 0xE9 is not UTF-8: convert the file to UTF-8"},
        {"\xC0\x80", "f:1: byte 0xC0 is not UTF-8: convert the file to UTF-8"},
        {"\xED\xA0\x80", "f:1: byte 0xED is not UTF-8: convert the file to UTF-8"},
        {"\xF4\x90\x80\x80", "f:1: byte 0xF4 is not UTF-8: convert the file to UTF-8"},
        {"\xE0\x80\x80", "f:1: byte 0xE0 is not UTF-8: convert the file to UTF-8"},
        {"a\xE6\x97", "f:1: byte 0xE6 is not UTF-8: convert the file to UTF-8"},
        {"\xBF", "f:1: byte 0xBF is not UTF-8: convert the file to UTF-8"},
    };
    CHECK_ALL(texts);
    assert_string_equal(read_text("p(a).\np(\0).", 12), "f:2: a zero byte: this is not a text file");
    assert_string_equal(read_text("p(aaaaaaaaaaaaaaaaaaaaaaa\0).", 28),
                        "f:1: a zero byte: this is not a text file");
}

static void long_names_are_cut_in_messages(void **state)
{
    (void)state;
    char text[400] = "p(", result[400];
    memset(text + 2, 'x', 300);
    strcpy(text + 302, "(y)).");
    snprintf(result, sizeof result,
             "f:1: %.60s...(...) as an argument: terms inside terms are not supported here; give the thing a "
             "name",
             text + 2);
    assert_string_equal(read_text(text, strlen(text)), result);
    for (int i = 0; i < 100; i++)
        memcpy(text + 1 + 2 * i, "\xC3\xA9", 2); /* an e with accent, of two bytes, from an odd place on */
    strcpy(text + 201, "(f(y)).");
    assert_non_null(strstr(read_text(text, strlen(text)), "f:1: f(...)"));
    strcpy(text + 201, " (y).");
    snprintf(result, sizeof result, "f:1: there is a space between %.59s... and its '('", text);
    assert_string_equal(read_text(text, strlen(text)), result);
}

static void thousands_of_arguments_are_counted_only_so_far(void **state)
{
    (void)state;
    static char text[20000] = "p(a";
    for (size_t at = 3; at < 10000; at += 2)
        memcpy(text + at, ",a", 2);
    assert_string_equal(read_text(text, strlen(text)), "f:1: p with 256 arguments: at most 4 are supported");
}

/* ---- examples ---- */

static const char *read_examples(const char *text)
{
    static char result[1024];
    char *copy = strdup(text);
    prolog in;
    prolog_fact fact;
    bool found = true, is_true;
    nlm_error error = {0};
    size_t used = 0;
    result[0] = '\0';
    nlm_status status = prolog_start(&in, copy, strlen(copy), "exs.pl", &error);
    while (!status && !(status = prolog_next_example(&in, &fact, &is_true, &found, &error)) && found)
        used += (size_t)snprintf(result + used, sizeof result - used, "%zu%c%.*s/%d ", fact.line,
                                 is_true ? '+' : '-', (int)fact.name.length, fact.name.text, fact.arity);
    if (status)
        snprintf(result, sizeof result, "%s", error.message);
    free(copy);
    return result;
}

static void examples_are_read(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"pos(uncle(a,b)).\nneg(uncle(b,a)).\n:- x.\n pos( raining ).", "1+uncle/2 2-uncle/2 4+raining/0 "},
        {"uncle(a,b).", "exs.pl:1: only pos(...) and neg(...), with one fact each, are read here"},
        {"pos.", "exs.pl:1: only pos(...) and neg(...), with one fact each, are read here"},
        {"pos (p(a)).", "exs.pl:1: only pos(...) and neg(...), with one fact each, are read here"},
        {"\npos(p(a), p(b)).", "exs.pl:2: ')' is expected, not ,"},
        {"pos(X).", "exs.pl:1: X is a variable: facts are about named objects; a name that begins with a "
                    "capital or _ needs single quotes, 'X'"},
        {"pos(p(a))\npos(p(b)).", "exs.pl:1: the '.' that ends this fact is missing"},
        {"p(X) :- q(X).", "exs.pl:1: rules are not supported here; `nlm compile` reads them"},
        {"pos(p(X)) :- q(X).", "exs.pl:1: rules are not supported here; `nlm compile` reads them"},
        {"pos(p(a)) :- q.", "exs.pl:1: rules are not supported here; `nlm compile` reads them"},
        {"pos(p(f(a))).", "exs.pl:1: f(...) as an argument: terms inside terms are not supported here; give "
                          "the thing a name"},
        {"pos(", "exs.pl:1: the name of a predicate is expected, but the file ends here"},
        {"pos(p(a)", "exs.pl:1: ')' is expected, but the file ends here"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_examples(texts[i].text), texts[i].result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_read),
        cmocka_unit_test(directives_are_skipped),
        cmocka_unit_test(what_is_not_supported_is_refused),
        cmocka_unit_test(broken_syntax_is_refused),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(long_names_are_cut_in_messages),
        cmocka_unit_test(thousands_of_arguments_are_counted_only_so_far),
        cmocka_unit_test(examples_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
