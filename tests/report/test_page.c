/* Pages: texts of others do no harm, documents are whole, files are written whole or not at all. */
#include "pages.h"

static void assert_text(const char *text, const char *wanted)
{
    page p = {0};
    page_text(&p, text);
    assert_page(&p, wanted);
}

static void assert_json(const char *text, const char *wanted)
{
    page p = {0};
    page_json(&p, text);
    assert_page(&p, wanted);
}

static void markup_in_texts_is_shown(void **state)
{
    (void)state;
    assert_text("", "");
    assert_text("plain", "plain");
    assert_text("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
    assert_text("\" onclick='x' &amp;", "&quot; onclick=&#39;x&#39; &amp;amp;");
    assert_text("<!-- -->", "&lt;!-- --&gt;");
    assert_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

#define UNKNOWN "\xef\xbf\xbd"

static void what_is_no_text_is_replaced(void **state)
{
    (void)state;
    assert_text("a\tb\nc\rd\x1b[31m", "a" UNKNOWN "b" UNKNOWN "c" UNKNOWN "d" UNKNOWN "[31m");
    assert_text("\x7f\x01", UNKNOWN UNKNOWN);
    assert_text("\xff", UNKNOWN);
    assert_text("\xc3", UNKNOWN);                                     /* cut short */
    assert_text("\xc3<", UNKNOWN "&lt;");                             /* no continuation */
    assert_text("\xc0\xbc", UNKNOWN UNKNOWN);                         /* '<', longer than need be */
    assert_text("\xe0\x80\xbc", UNKNOWN UNKNOWN UNKNOWN);             /* the same */
    assert_text("\xed\xa0\x80", UNKNOWN UNKNOWN UNKNOWN);             /* half a pair of UTF-16 */
    assert_text("\xf4\x90\x80\x80", UNKNOWN UNKNOWN UNKNOWN UNKNOWN); /* beyond U+10FFFF */
    assert_text("\xc2\x85", UNKNOWN UNKNOWN);                         /* a control character */
    assert_text("a\xe2\x80\xae"
                "b",
                "a" UNKNOWN UNKNOWN UNKNOWN "b"); /* turns the text around */
}

static void json_can_stand_in_a_script(void **state)
{
    (void)state;
    assert_json("", "\"\"");
    assert_json("</script><!--", "\"\\u003c/script\\u003e\\u003c!--\"");
    assert_json("\"\\'&", "\"\\\"\\\\\\u0027\\u0026\"");
    assert_json("a\nb\xff", "\"a\\ufffdb\\ufffd\"");
    assert_json("\xc3\xa9", "\"\xc3\xa9\"");
}

static void markup_is_left_as_it_is(void **state)
{
    (void)state;
    page p = {0}, other = {0};
    page_put(&p, "<p>");
    page_print(&p, "%d of %s", 3, "many");
    page_append(&p, &other);
    page_put(&other, "</p>");
    page_append(&p, &other);
    page_release(&other);
    assert_page(&p, "<p>3 of many</p>");
}

/* What does not fit is not cut: the page is given up. */
static void too_long_a_line_fails(void **state)
{
    (void)state;
    nlm_error error;
    page p = {0}, other = {0};
    page_print(&p, "%2000d", 1);
    assert_true(p.failed);
    page_append(&other, &p);
    assert_true(other.failed);
    assert_int_equal(page_save(&p, "page.html", &error), NLM_NO_MEMORY);
    assert_int_equal(access("page.html", F_OK), -1);
    page_release(&p);
    page_release(&other);
}

static void documents_are_whole(void **state)
{
    (void)state;
    const asset script = {"run();\n", "sha256-of-run"};
    page p = {0};
    page_begin(&p, "<b>\"title\"</b>", (const asset *const[]){&script, NULL});
    page_end(&p);
    const char *text = text_of(&p);
    assert_int_equal(strncmp(text, "<!DOCTYPE html>\n", 16), 0);
    assert_int_equal(count_of(text, "&lt;b&gt;&quot;title&quot;&lt;/b&gt;"), 2);
    assert_int_equal(count_of(text, "<b>"), 0);
    assert_int_equal(count_of(text, "<script>run();\n</script>\n"), 1);
    assert_int_equal(count_of(text, "default-src 'none'"), 1);
    assert_int_equal(count_of(text, "script-src 'sha256-of-run'\""), 1);
    assert_int_equal(count_of(text, "style-src 'sha256-"), 1);
    assert_int_equal(count_of(text, "unsafe"), 0);
    assert_int_equal(count_of(text, "http://") + count_of(text, "https://") + count_of(text, "src="), 0);
    assert_string_equal(text + strlen(text) - 8, "</html>\n");
    page_release(&p);
    page_begin(&p, "", (const asset *const[]){NULL});
    page_end(&p);
    assert_int_equal(count_of(text_of(&p), "<script"), 0);
    page_release(&p);
}

static void files_are_replaced_as_a_whole(void **state)
{
    (void)state;
    char path[] = "/tmp/nlm-page-XXXXXX";
    nlm_error error;
    page p = {0};
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    page_put(&p, "content");
    CHECK(page_save(&p, path, &check_error));
    char *text = take_file(path);
    assert_string_equal(text, "content");
    free(text);
    assert_int_equal(page_save(&p, "/tmp/nlm-no-such-folder/page.html", &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, "/tmp/nlm-no-such-folder/page.html: No such file or directory");
    page_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_in_texts_is_shown),      cmocka_unit_test(what_is_no_text_is_replaced),
        cmocka_unit_test(json_can_stand_in_a_script),    cmocka_unit_test(markup_is_left_as_it_is),
        cmocka_unit_test(too_long_a_line_fails),         cmocka_unit_test(documents_are_whole),
        cmocka_unit_test(files_are_replaced_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
