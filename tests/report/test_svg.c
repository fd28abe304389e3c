/* Pictures: numbers without idle digits, shapes, texts that can do no harm. */
#include "report/svg.h"
#include "pages.h"

static void assert_line(double x, const char *wanted)
{
    page p = {0};
    char text[128];
    svg_line(&p, NULL, x, 0, 0, 0);
    snprintf(text, sizeof text, "<line x1=\"%s\" y1=\"0\" x2=\"0\" y2=\"0\"/>\n", wanted);
    assert_page(&p, text);
}

static void numbers_are_short(void **state)
{
    (void)state;
    assert_line(0, "0");
    assert_line(-0.0, "0");
    assert_line(-0.001, "0");
    assert_line(100, "100");
    assert_line(1.5, "1.5");
    assert_line(-2.25, "-2.25");
    assert_line(1.0 / 3, "0.33");
    assert_line(0.999, "1");
    assert_line(123456789, "123456789");
}

static void what_is_no_number_is_zero(void **state)
{
    (void)state;
    assert_line(NAN, "0");
    assert_line(INFINITY, "0");
    assert_line(-INFINITY, "0");
    assert_line(1e300, "0");
    assert_line(-1e9, "0");
}

static void shapes_are_elements(void **state)
{
    (void)state;
    page p = {0};
    svg_begin(&p, 10, 2.5, false, "chart", "a \"label\"");
    svg_group(&p, "bar", 1, 0);
    svg_rectangle(&p, "one", 1, 2, 3, 4, "<said>");
    svg_circle(&p, NULL, 1, 2, 3);
    svg_group_end(&p);
    svg_group(&p, NULL, 0, 0);
    svg_text(&p, NULL, 1, 2, "middle", "a < b");
    svg_group_end(&p);
    svg_end(&p);
    assert_page(
        &p,
        "<svg class=\"chart\" viewBox=\"0 0 10 2.5\" role=\"img\" aria-label=\"a &quot;label&quot;\">\n"
        "<g class=\"bar\" transform=\"translate(1 0)\">\n"
        "<rect class=\"one\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"><title>&lt;said&gt;</title></rect>\n"
        "<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n"
        "</g>\n<g>\n<text x=\"1\" y=\"2\" text-anchor=\"middle\">a &lt; b</text>\n</g>\n</svg>\n");
}

static void paths_go_from_point_to_point(void **state)
{
    (void)state;
    page p = {0};
    svg_path_begin(&p, "line");
    svg_path_point(&p, 1, 2);
    svg_path_point(&p, 3, NAN);
    svg_path_end(&p, false);
    svg_path_begin(&p, NULL);
    svg_path_point(&p, 0, 0);
    svg_path_point(&p, 1, 0);
    svg_path_end(&p, true);
    assert_page(&p, "<path class=\"line\" d=\"M1 2L3 0\"/>\n<path d=\"M0 0L1 0Z\"/>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(what_is_no_number_is_zero),
        cmocka_unit_test(shapes_are_elements),
        cmocka_unit_test(paths_go_from_point_to_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
