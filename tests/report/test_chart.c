/* Charts: scales, ticks, fewer points, values between points; and words for numbers. */
#include "pages.h"
#include <math.h>
#include "report/chart.h"
#include "report/words.h"

static void a_scale_places_its_ends(void **state)
{
    (void)state;
    axis linear = axis_make(0, 200, false, 50, 250);
    assert_true(axis_place(&linear, 0) == 50 && axis_place(&linear, 200) == 250);
    assert_true(axis_place(&linear, 50) == 100);
    axis logarithmic = axis_make(2e-5, 0.5, true, 0, 5);
    assert_true(logarithmic.from == -5 && logarithmic.to == 0);
    assert_true(fabs(axis_place(&logarithmic, 1e-3) - 2) < 1e-9);
    axis point = axis_make(3, 3, false, 0, 1); /* all values are the same */
    assert_true(axis_place(&point, 3) == 0.5);
    point = axis_make(0, 0, false, 0, 1);
    assert_true(axis_place(&point, 0) == 0.5);
    point = axis_make(0.1, 0.1, true, 0, 1);
    assert_true(isfinite(axis_place(&point, 0.1)));
}

static void assert_ticks(axis of, int most, int count, double first, double last)
{
    double ticks[TICKS_MOST];
    assert_int_equal(axis_ticks(&of, most, ticks), count);
    assert_true(fabs(ticks[0] - first) < 1e-9 && fabs(ticks[count - 1] - last) < 1e-9 * fabs(last) + 1e-12);
}

static void ticks_are_easy_to_count_in(void **state)
{
    (void)state;
    assert_ticks(axis_make(0, 20000, false, 0, 1), 6, 5, 0, 20000);
    assert_ticks(axis_make(0, 7, false, 0, 1), 6, 4, 0, 6);
    assert_ticks(axis_make(0.953, 1, false, 0, 1), 6, 5, 0.96, 1);
    assert_ticks(axis_make(-3, -1, false, 0, 1), 6, 5, -3, -1);
    assert_ticks(axis_make(1e-6, 1, true, 0, 1), 6, 4, 1e-6, 1);
    assert_ticks(axis_make(0, 1e15, false, 0, 1), 6, 6, 0, 1e15);
    assert_ticks(axis_make(1e-300, 1e15, true, 0, 1), 6, 5, 1e-256, 1);
}

static void ticks_are_short(void **state)
{
    (void)state;
    char text[TICK_SIZE];
    assert_string_equal(tick_text(20000, 5000, false, false, text), "20k");
    assert_string_equal(tick_text(2500000, 500000, false, false, text), "2.5M");
    assert_string_equal(tick_text(1e-6, 1, true, false, text), "1e-6");
    assert_string_equal(tick_text(0.5, 0.1, false, true, text), "50 %");
    assert_string_equal(tick_text(1, 0.2, false, true, text), "100 %");
    assert_string_equal(tick_text(0, 0.2, false, true, text), "0 %");
    assert_string_equal(tick_text(-0.01, 0.01, false, false, text), "-0.01");
    assert_string_equal(tick_text(1e-20, 1, false, false, text), "0");
    assert_string_equal(tick_text(1e15, 2e14, false, false, text), "1000000000M");
}

static void ticks_have_digits_enough(void **state)
{
    (void)state;
    const axis narrow[] = {axis_make(0.99991, 1, false, 0, 1), axis_make(1234567, 1234570, false, 0, 1),
                           axis_make(0.5000001, 0.5000002, false, 0, 1)};
    for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++) {
        double ticks[TICKS_MOST];
        char text[TICK_SIZE], before[TICK_SIZE] = "";
        const int count = axis_ticks(&narrow[k], 6, ticks);
        assert_true(count > 2);
        for (int i = 0; i < count; i++) {
            tick_text(ticks[i], axis_step(&narrow[k], 6), false, k == 0, text);
            assert_string_not_equal(text, before);
            strcpy(before, text);
        }
    }
}

static void few_points_keep_ends_and_peaks(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static double x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i == 1234 ? 100 : i == 4321 ? -100 : sin(i);
    }
    const double last = y[COUNT - 1];
    const int count = chart_thin(x, y, COUNT, CHART_POINTS);
    bool high = false, low = false;
    assert_true(count <= CHART_POINTS && count > CHART_POINTS / 2);
    for (int i = 0; i < count; i++) {
        high |= y[i] == 100;
        low |= y[i] == -100;
        assert_true(i == 0 || x[i] > x[i - 1]);
    }
    assert_true(high && low);
    assert_true(x[0] == 0 && x[count - 1] == COUNT - 1 && y[count - 1] == last);
    assert_int_equal(chart_thin(x, y, 7, CHART_POINTS), 7);
    assert_int_equal(chart_thin(x, y, 0, CHART_POINTS), 0);
}

static void a_run_has_values_between_its_points(void **state)
{
    (void)state;
    double x[] = {10, 20, 20, 40}, y[] = {1, 2, 5, 3};
    const chart_run run = {.name = "a", .count = 4, .x = x, .y = y};
    assert_true(isnan(chart_value(&run, 9)));
    assert_true(chart_value(&run, 10) == 1);
    assert_true(chart_value(&run, 15) == 1.5);
    assert_true(chart_value(&run, 20) == 5); /* the later of two at the same place */
    assert_true(chart_value(&run, 30) == 4);
    assert_true(chart_value(&run, 1000) == 3); /* it has ended */
    assert_true(isnan(chart_value(&(chart_run){.name = "b"}, 1)));
}

static void a_chart_tells_its_numbers(void **state)
{
    (void)state;
    page p = {0};
    double x[2][2] = {{1000, 2000}, {1000, 2000}}, y[2][2] = {{0.5, 0.25}, {0.1, 0.05}}, restart = 1000;
    const chart_run runs[] = {{"seed 1", 2, x[0], y[0], 1, &restart},
                              {"</script><b>", 2, x[1], y[1], 0, NULL}};
    const chart shown = {.title = "loss", .across = "examples", .logarithmic = true, .runs = 2, .run = runs};
    assert_int_equal(chart_put(&p, &shown), NLM_OK);
    const char *text = text_of(&p);
    assert_non_null(strstr(text, "\"x\":[1000,2000]"));
    assert_non_null(strstr(text, "{\"name\":\"seed 1\",\"y\":[0.5,0.25]}"));
    assert_int_equal(count_of(text, "class=\"single\""), 2);
    assert_int_equal(count_of(text, "class=\"median\""), 1);
    assert_int_equal(count_of(text, "class=\"band\""), 1);
    assert_int_equal(count_of(text, "class=\"restart\""), 1);
    assert_int_equal(count_of(text, "</script>"), 1);
    assert_int_equal(count_of(text, "<b>"), 0);
    page_release(&p);
}

static void a_chart_without_values_is_none(void **state)
{
    (void)state;
    page p = {0};
    const chart_run run = {.name = "a"};
    const chart shown = {.title = "loss", .across = "examples", .runs = 1, .run = &run};
    assert_int_equal(chart_put(&p, &shown), NLM_OK);
    assert_int_equal(p.length, 0);
}

static void a_loss_below_zero_has_no_logarithm(void **state)
{
    (void)state;
    page p = {0};
    double x[] = {1}, y[] = {-0.5};
    const chart_run run = {.name = "a", .count = 1, .x = x, .y = y};
    const chart shown = {.title = "loss", .across = "episodes", .logarithmic = true, .runs = 1, .run = &run};
    assert_int_equal(chart_put(&p, &shown), NLM_OK);
    assert_null(strstr(text_of(&p), "(logarithmic)"));
    assert_null(strstr(text_of(&p), "nan"));
    page_release(&p);
}

static void shares_lie_between_nothing_and_all(void **state)
{
    (void)state;
    double x[] = {1, 2}, y[] = {0, 0};
    const chart_run run = {.name = "a", .count = 2, .x = x, .y = y};
    const chart shown = {.title = "success", .across = "episodes", .shares = true, .runs = 1, .run = &run};
    page p = {0};
    assert_int_equal(chart_put(&p, &shown), NLM_OK);
    assert_null(strstr(text_of(&p), ">-"));
    assert_non_null(strstr(text_of(&p), ">0 %<"));
    assert_non_null(strstr(text_of(&p), ">100 %<"));
    page_release(&p);
}

/* However often a run began again, what would lie on one another is drawn once. */
static void marks_are_limited(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static double x[COUNT], y[COUNT], restart[COUNT];
    static chart_mark marks[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = restart[i] = marks[i].x = i;
        marks[i].number = i;
    }
    const chart_run run = {
        .name = "a", .count = COUNT, .x = x, .y = y, .restarts = COUNT, .restart = restart};
    const chart shown = {.title = "loss",
                         .across = "episodes",
                         .of_marks = "lessons",
                         .runs = 1,
                         .run = &run,
                         .marks = COUNT,
                         .mark = marks};
    page p = {0};
    assert_int_equal(chart_put(&p, &shown), NLM_OK);
    const int restarts = count_of(text_of(&p), "class=\"restart\"");
    assert_true(restarts > 100 && restarts < 250);
    assert_true(count_of(text_of(&p), "<line class=\"lesson\"") < 250);
    page_release(&p);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char text[CUT_SIZE], name[300];
    assert_string_equal(word_cut("seed 12", 7, text), "seed 12");
    assert_string_equal(word_cut("seed 123", 7, text), "seed 1\xe2\x80\xa6");
    assert_string_equal(word_cut("\xc3\xa4\xc3\xb6\xc3\xbc", 3, text), "\xc3\xa4\xc3\xb6\xc3\xbc");
    assert_string_equal(word_cut("\xc3\xa4\xc3\xb6\xc3\xbc", 2, text), "\xc3\xa4\xe2\x80\xa6");
    assert_string_equal(word_cut("", 2, text), "");
    memset(name, 0x80, sizeof name - 1); /* no character at all */
    name[sizeof name - 1] = '\0';
    assert_true(strlen(word_cut(name, 9, text)) < CUT_SIZE);
}

static void numbers_are_words(void **state)
{
    (void)state;
    char text[WORD_SIZE];
    assert_string_equal(word_count(1234567, text), "1,234,567");
    assert_string_equal(word_count(NAN, text), "\xe2\x80\x93");
    assert_string_equal(word_share(1, text), "100 %");
    assert_string_equal(word_share(0.99995, text), "99.995 %");
    assert_string_equal(word_share(0.5, text), "50.0 %");
    assert_string_equal(word_share(0, text), "0.0 %");
    assert_string_equal(word_share(2, text), "\xe2\x80\x93");
    assert_string_equal(word_seconds(0.831, text), "0.83 s");
    assert_string_equal(word_seconds(250, text), "4 min 10 s");
    assert_string_equal(word_seconds(7500, text), "2 h 5 min");
    assert_string_equal(word_mean(7.067, text), "7.07");
    double values[] = {5, 1, 3, 2};
    assert_true(sorted_share(values, 4, 0.5) == 2.5);
    assert_true(sorted_share(values, 4, 1) == 5 && sorted_share(values, 4, 0) == 1);
    assert_true(isnan(sorted_share(values, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scale_places_its_ends),
        cmocka_unit_test(ticks_are_easy_to_count_in),
        cmocka_unit_test(ticks_are_short),
        cmocka_unit_test(ticks_have_digits_enough),
        cmocka_unit_test(few_points_keep_ends_and_peaks),
        cmocka_unit_test(a_run_has_values_between_its_points),
        cmocka_unit_test(a_chart_tells_its_numbers),
        cmocka_unit_test(a_chart_without_values_is_none),
        cmocka_unit_test(a_loss_below_zero_has_no_logarithm),
        cmocka_unit_test(shares_lie_between_nothing_and_all),
        cmocka_unit_test(marks_are_limited),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(numbers_are_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
