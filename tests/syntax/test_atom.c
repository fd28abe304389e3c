/* Atoms: which are plain, how they are written, and that what is written is read as the same atom. */
#include "facts/files.h"
#include "syntax/atom.h"
#include "syntax/prolog.h"
#include "base/random.h"
#include "base/text.h"

static void only_what_needs_quotes_gets_them(void **state)
{
    (void)state;
    static const struct {
        const char *atom, *text;
    } cases[] = {
        {"bart", "bart"},
        {"x_Y9", "x_Y9"},
        {"12", "12"},
        {"-3", "-3"},
        {"1.5e-7", "1.5e-7"},
        {"Bart", "'Bart'"},
        {"_x", "'_x'"},
        {"1a", "'1a'"},
        {"-", "'-'"},
        {"a b", "'a b'"},
        {"it's", "'it''s'"},
        {"a\\b", "'a\\\\b'"},
        {"a\nb", "'a\\nb'"},
        {"\t", "'\\x9\\'"},
        {"\x7F", "'\\x7f\\'"},
        {"a\xC3\xA9", "a\xC3\xA9"},
        {"\xC3\xA9", "'\xC3\xA9'"},
        {"a\xC2\xA0", "'a\xC2\xA0'"},
        {"", "''"},
        {"[]", "'[]'"},
        {"1.", "'1.'"},
        {"1e5x", "'1e5x'"},
        {"--1", "'--1'"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(atom_text(cases[i].atom, text, sizeof text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(atom_text("it's", text, 4), 7);
    assert_string_equal(text, "'it");
    assert_int_equal(atom_text("it's", NULL, 0), 7);
}

/* In Prolog a number is no name of a predicate. */
static void predicates_that_are_numbers_have_quotes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"p", "p"}, {"1", "'1'"}, {"-3", "'-3'"}, {"P", "'P'"}};
    char text[8];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(atom_predicate_text(cases[i][0], text, sizeof text), strlen(cases[i][1]));
        assert_string_equal(text, cases[i][1]);
    }
}

static void plain_atoms_are_known(void **state)
{
    (void)state;
    static const char *const plain[] = {"a", "person", "x_Y1", "\xC3\xA9t\xC3\xA9"};
    static const char *const others[] = {"", "A", "_a", "1", "a b", "a:b", "a\xE2\x80\xA8", "'a'", "-"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_true(atom_is_plain(plain[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(atom_is_plain(others[i]));
}

static void texts_of_whole_characters_are_accepted(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x10000 ? 1 : 17) {
        char text[5] = "";
        const size_t length = utf8_encode(c, text);
        if (length == 0)
            continue;
        assert_int_equal(atom_check_text(text, length, "f", NULL), NLM_OK);
        assert_int_equal(atom_check_text(text, length - 1, "f", NULL), length > 1 ? NLM_BAD_FILE : NLM_OK);
    }
}

static void check_round_trip(const char *atom)
{
    char text[512], source[600];
    prolog in;
    prolog_fact fact;
    bool found;
    nlm_error error = {0};
    atom_text(atom, text, sizeof text);
    int size = snprintf(source, sizeof source, "p(%s, b).", text);
    assert_int_equal(prolog_start(&in, source, (size_t)size, "f", &error), NLM_OK);
    if (prolog_next_fact(&in, &fact, &found, &error))
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(fact.arity, 2);
    assert_int_equal(fact.argument[0].length, strlen(atom));
    assert_memory_equal(fact.argument[0].text, atom, strlen(atom));
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const uint32_t characters[] = {'a',  'Z',  '_',  '0',  '9',  '-',    '.',    'e',     '\'',  '"',
                                          '\\', '\n', '\t', ' ',  '%',  '/',    '*',    '(',     ')',   ',',
                                          '`',  1,    0x7F, 0xA0, 0xE9, 0x2028, 0x65E5, 0x1F600, 0xFEFF};
    random_stream random;
    random_start(&random, 1, 0);
    for (int round = 0; round < 20000; round++) {
        char atom[64];
        size_t used = 0;
        uint32_t length = 1 + random_below(&random, 6);
        for (uint32_t k = 0; k < length; k++)
            used += utf8_encode(characters[random_below(&random, sizeof characters / sizeof *characters)],
                                atom + used);
        atom[used] = '\0';
        check_round_trip(atom);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_needs_quotes_gets_them),
        cmocka_unit_test(predicates_that_are_numbers_have_quotes),
        cmocka_unit_test(plain_atoms_are_known),
        cmocka_unit_test(texts_of_whole_characters_are_accepted),
        cmocka_unit_test(what_is_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
