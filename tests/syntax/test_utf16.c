/* UTF-16 becomes UTF-8, in both orders of bytes; what is no text is refused. */
#include "test.h"

#include "syntax/utf16.h"

/* The text that some bytes are decoded to; "" and a message if they are refused. */
static const char *decoded(const char *bytes, size_t size, nlm_error *error)
{
    static char text[64];
    buffer content = {0};
    *error = (nlm_error){0};
    assert_int_equal(buffer_reserve(&content, size + 1, 1, false), 0);
    memcpy(content.data, bytes, size);
    const nlm_status status = utf16_decode(&content, &size, "f", error);
    assert_true(size < sizeof text);
    memcpy(text, content.data, status ? 0 : size);
    text[status ? 0 : size] = '\0';
    buffer_free(&content);
    return text;
}

#define DECODED(bytes) decoded(bytes, sizeof(bytes) - 1, &error)

static void characters_of_all_lengths(void **state)
{
    (void)state;
    nlm_error error;
    assert_string_equal(DECODED("\xFF\xFE"
                                "a\0\xE9\0\xAC\x20\x3D\xD8\x00\xDE"),
                        "aé€\U0001F600");
    assert_string_equal(DECODED("\xFE\xFF"
                                "\0a\0\xE9\x20\xAC\xD8\x3D\xDE\x00"),
                        "aé€\U0001F600");
    assert_string_equal(DECODED("\xFF\xFE"), "");
    assert_int_equal(error.status, NLM_OK);
}

static void other_texts_stay(void **state)
{
    (void)state;
    nlm_error error;
    assert_string_equal(DECODED("ab"), "ab");
    assert_string_equal(DECODED("\xFF"), "\xFF");
    assert_string_equal(DECODED("\xEF\xBB\xBF"
                                "a"),
                        "\xEF\xBB\xBF"
                        "a");
    assert_string_equal(DECODED("\xFE\xFE"), "\xFE\xFE");
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    nlm_error error;
    DECODED("\xFF\xFE"
            "a\0\n\0\0\xDC");
    assert_string_equal(error.message,
                        "f:2: a zero or half of a character in UTF-16: save the file as UTF-8");
    DECODED("\xFF\xFE\0\xD8");
    assert_string_equal(error.message,
                        "f:1: a zero or half of a character in UTF-16: save the file as UTF-8");
    DECODED("\xFF\xFE\0\xD8"
            "a\0");
    assert_int_equal(error.status, NLM_BAD_FILE);
    DECODED("\xFF\xFE\0\0");
    assert_int_equal(error.status, NLM_BAD_FILE);
    DECODED("\xFF\xFE"
            "a");
    assert_string_equal(error.message, "f: a text in UTF-16 of an odd number of bytes: it was cut");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_all_lengths),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(what_is_no_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
