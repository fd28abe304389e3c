/* Texts in JSON: what is written is what was meant, and can be read. */
#include "test.h"
#include <jansson.h>
#include "json_text.h"

static void assert_json(const char *text, const char *wanted)
{
    char *written = NULL;
    size_t size;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    json_text(file, text);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_become_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
