/* Texts: characters of UTF-8, numbers as people read them, JSON that is what was meant and can be read. */
#include "test.h"
#include <jansson.h>
#include <math.h>
#include "base/text.h"

static void characters_are_coded_and_decoded(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x10000 ? 1 : 17) {
        char text[5] = "";
        size_t length = utf8_encode(c, text), decoded;
        if (c >= 0xD800 && c <= 0xDFFF) {
            assert_int_equal(length, 0);
            continue;
        }
        assert_int_equal(utf8_decode(text, &decoded), c);
        assert_int_equal(decoded, length);
        assert_int_equal(nlm_character_length(text, length), length);
        assert_int_equal(nlm_character_length(text, SIZE_MAX), length);
        if (length > 1)
            assert_int_equal(nlm_character_length(text, length - 1), 0);
    }
    char text[5];
    assert_int_equal(utf8_encode(0x110000, text), 0);
    assert_int_equal(utf8_encode(0, text), 0);
}

static void texts_are_made_fit_for_terminals(void **state)
{
    (void)state;
    char text[] = "a\n\033[1m\x7f\xc2\x9b\xc3\xa9\xc2\xa0";
    nlm_clean_text(text);
    assert_string_equal(text, "a??[1m???\xc3\xa9\xc2\xa0");
    assert_int_equal(text_cut("abc", 3, 3), 3);
    assert_int_equal(text_cut("abc", 3, 2), 2);
    assert_int_equal(text_cut("a\xc3\xa9", 3, 2), 1);
    assert_int_equal(text_cut("\xc3\xa9", 2, 1), 0);
}

static void counts_are_grouped_by_thousands(void **state)
{
    (void)state;
    char text[NLM_NUMBER_TEXT];
    assert_string_equal(nlm_count_text(0, text), "0");
    assert_string_equal(nlm_count_text(999, text), "999");
    assert_string_equal(nlm_count_text(1000, text), "1,000");
    assert_string_equal(nlm_count_text(38000000, text), "38,000,000");
    assert_string_equal(nlm_count_text(SIZE_MAX, text),
                        SIZE_MAX > UINT32_MAX ? "18,446,744,073,709,551,615" : "4,294,967,295");
}

static void percentages_are_100_only_when_nothing_is_missing(void **state)
{
    (void)state;
    char text[NLM_NUMBER_TEXT];
    assert_string_equal(nlm_percent_text(1, text), "100 %");
    assert_string_equal(nlm_percent_text(0, text), "0.00 %");
    assert_string_equal(nlm_percent_text(0.5, text), "50.00 %");
    assert_string_equal(nlm_percent_text(2.0 / 3, text), "66.66 %");
    assert_string_equal(nlm_percent_text(1 - 0.0195069, text), "98.04 %");
    assert_string_equal(nlm_percent_text(0.999, text), "99.90 %");
    assert_string_equal(nlm_percent_text(1 - 1e-4, text), "99.990 %");
    assert_string_equal(nlm_percent_text(1 - 1e-6, text), "99.99990 %");
    for (double wrong = 0.5; wrong > 1e-13; wrong *= 0.9) {
        nlm_percent_text(1 - wrong, text);
        assert_true(strncmp(text, "100", 3) != 0);
    }
    assert_string_equal(nlm_percent_text(nextafter(1, 0), text), "99.999999999999 %");
    for (int right = 0; right < 10000; right++) { /* two digits that are exact stay as they are */
        char exact[NLM_NUMBER_TEXT];
        snprintf(exact, sizeof exact, "%d.%02d", right / 100, right % 100);
        nlm_percent_text(right / 1e4, text);
        assert_memory_equal(text, exact, strlen(exact));
    }
}

static void memory_has_a_unit(void **state)
{
    (void)state;
    char text[NLM_NUMBER_TEXT];
    assert_string_equal(nlm_memory_text(0, text), "0.0 KB");
    assert_string_equal(nlm_memory_text(1536, text), "1.5 KB");
    assert_string_equal(nlm_memory_text(999.6 * 1024, text), "1.0 MB");
    assert_string_equal(nlm_memory_text(16.0 * (1 << 30), text), "16 GB");
    assert_string_equal(nlm_memory_text(1e30, text), "9e+11 EB");
}

static void assert_json(const char *text, const char *wanted)
{
    char *written = NULL;
    size_t size;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    nlm_json_text(file, text);
    fclose(file);
    assert_string_equal(written, wanted);
    json_t *read = json_loads(written, JSON_DECODE_ANY, NULL);
    assert_non_null(read);
    json_decref(read);
    free(written);
}

static void texts_become_json(void **state)
{
    (void)state;
    assert_json("", "\"\"");
    assert_json("plain", "\"plain\"");
    assert_json("\"\\/", "\"\\\"\\\\/\"");
    assert_json("\n\033\177", "\"\\u000a\\u001b\\u007f\"");
    assert_json("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_json("\xff", "\"\\ufffd\"");
    assert_json("\xc3", "\"\\ufffd\"");                                  /* cut short */
    assert_json("\xc3(", "\"\\ufffd(\"");                                /* no continuation */
    assert_json("\xc0\x80", "\"\\ufffd\\ufffd\"");                       /* longer than need be */
    assert_json("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* the same */
    assert_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* half a pair of UTF-16 */
    assert_json("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* beyond U+10FFFF */
}

static void times_are_as_on_a_clock(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0:00"},          {0.4, "0:00"},           {14, "0:14"},
                 {59.6, "1:00"},       {725, "12:05"},          {3599.4, "59:59"},
                 {3600, "1:00:00"},    {3723, "1:02:03"},       {360000, "100:00:00"},
                 {1e300, "999:59:59"}, {INFINITY, "999:59:59"}, {-3, "0:00"},
                 {NAN, "0:00"}};
    char text[NLM_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(nlm_time_text(cases[i].seconds, text), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_coded_and_decoded),
        cmocka_unit_test(texts_are_made_fit_for_terminals),
        cmocka_unit_test(counts_are_grouped_by_thousands),
        cmocka_unit_test(percentages_are_100_only_when_nothing_is_missing),
        cmocka_unit_test(memory_has_a_unit),
        cmocka_unit_test(times_are_as_on_a_clock),
        cmocka_unit_test(texts_become_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
