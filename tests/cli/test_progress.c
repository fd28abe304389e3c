/* The progress line: its texts, and what reaches a terminal, a pipe, and nobody. */
#include <math.h>
#include <pty.h>
#include <unistd.h>
#include "test.h"
#include "progress.h"

/* ---- numbers ---- */

static void time_left_is_known_after_a_second(void **state)
{
    (void)state;
    assert_true(progress_time_left(0.9, 0, 0.5) < 0);
    assert_true(progress_time_left(10, 0, 0) < 0);
    assert_true(progress_time_left(10, 0.5, 0.5) < 0);
    assert_true(progress_time_left(10, 0, NAN) < 0);
    assert_true(progress_time_left(10, 0, 0.25) == 30);
    assert_true(progress_time_left(10, 0.5, 0.75) == 10); /* a quarter in ten seconds */
    assert_true(progress_time_left(10, 0, 1) == 0);
}

/* ---- lines and bars ---- */

static const progress_facts learning = {"grandparent", 0.375, "epoch 12/100  loss 3.2e-05  5,900 examples/s",
                                        14};

static void lines_hold_all_facts(void **state)
{
    (void)state;
    char text[PROGRESS_TEXT];
    assert_string_equal(progress_line_text(&learning, text),
                        "grandparent  37%  epoch 12/100  loss 3.2e-05  5,900 examples/s  0:14 left");
    assert_string_equal(progress_line_text(&(progress_facts){"uncle", 2, "", -1}, text), "uncle  100%");
}

static void bars_lose_details_before_they_are_cut(void **state)
{
    (void)state;
    char text[PROGRESS_TEXT];
    static const struct {
        int width;
        const char *text;
    } cases[] = {
        {120,
         "grandparent  [=======>            ]  37%  epoch 12/100  loss 3.2e-05  5,900 examples/s  0:14 left"},
        {97,
         "grandparent  [=======>            ]  37%  epoch 12/100  loss 3.2e-05  5,900 examples/s  0:14 left"},
        {90, "grandparent  [====>        ]  37%  epoch 12/100  loss 3.2e-05  5,900 examples/s  0:14 left"},
        {87, "grandparent  [===>      ]  37%  epoch 12/100  loss 3.2e-05  5,900 examples/s  0:14 left"},
        {86, "grandparent  [=======>            ]  37%  epoch 12/100  loss 3.2e-05  0:14 left"},
        {69, "grandparent  [===>      ]  37%  epoch 12/100  loss 3.2e-05  0:14 left"},
        {68, "grandparent  [=======>            ]  37%  epoch 12/100  0:14 left"},
        {54, "grandparent  [=======>            ]  37%  0:14 left"},
        {41, "grandparent  [===>      ]  37%  0:14 left"},
        {36, "grandparent  [===>      ]  37%  0:14"},
        {5, "grand"},
        {0, ""},
        {-1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(progress_bar_text(&learning, cases[i].width, text), cases[i].text);
}

static void bars_fit_any_width(void **state)
{
    (void)state;
    char text[PROGRESS_TEXT];
    progress_facts facts = learning;
    for (int width = 0; width <= PROGRESS_TEXT + 10; width++) {
        for (facts.fraction = 0; facts.fraction <= 1; facts.fraction += 0.01) {
            const size_t length = strlen(progress_bar_text(&facts, width, text));
            assert_true(length <= (size_t)width && length < PROGRESS_TEXT);
        }
    }
}

static void bars_fill_up(void **state)
{
    (void)state;
    char text[PROGRESS_TEXT];
    assert_string_equal(progress_bar_text(&(progress_facts){"t", 0, "", -1}, 40, text),
                        "t  [>                   ]   0%");
    assert_string_equal(progress_bar_text(&(progress_facts){"t", NAN, "", -1}, 40, text),
                        "t  [>                   ]   0%");
    assert_string_equal(progress_bar_text(&(progress_facts){"t", 0.999, "", -1}, 40, text),
                        "t  [===================>]  99%");
    assert_string_equal(progress_bar_text(&(progress_facts){"t", 1, "", -1}, 40, text),
                        "t  [====================] 100%");
    assert_string_equal(progress_bar_text(&(progress_facts){"t", 0.29, "", -1}, 40, text),
                        "t  [=====>              ]  29%");
}

/* ---- what is written ---- */

/* Send standard error to `writer`; afterwards what came out at `reader` is in `seen`. */
static void watch(int reader, int writer, void (*write_something)(void), char *seen, size_t size)
{
    const int kept = dup(STDERR_FILENO);
    dup2(writer, STDERR_FILENO);
    write_something();
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(writer);
    size_t length = 0;
    for (ssize_t more;
         (more = read(reader, seen + length, size - 1 - length)) > 0;) /* a terminal has parts */
        length += (size_t)more;
    seen[length] = '\0';
    close(reader);
}

static void watch_pipe(void (*write_something)(void), char *seen, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    watch(ends[0], ends[1], write_something, seen, size);
}

static void watch_terminal(const char *kind, int columns, void (*write_something)(void), char *seen,
                           size_t size)
{
    int terminal, user;
    const struct winsize window = {.ws_row = 24, .ws_col = (unsigned short)columns};
    assert_int_equal(openpty(&terminal, &user, NULL, NULL, &window), 0);
    setenv("TERM", kind, 1);
    watch(terminal, user, write_something, seen, size);
}

/* Three quarters of which two were done by earlier runs; `due` is set back so that nobody has to wait. */
static void show_three_quarters(void)
{
    progress line;
    progress_begin(&line, "uncle", false);
    progress_resume(&line, 0.5);
    progress_show(&line, 0.6, "too early");
    assert_false(progress_due(&line));
    line.begun -= 10;
    line.due = 0;
    assert_true(progress_due(&line));
    progress_show(&line, 0.75, "epoch %d", 3);
    progress_show(&line, 0.76, "too early again");
    progress_end(&line);
    progress_end(&line);
}

static void show_quietly(void)
{
    progress line;
    progress_begin(&line, "uncle", true);
    line.due = 0;
    assert_false(progress_due(&line));
    progress_show(&line, 0.5, "half");
    progress_end(&line);
}

static void terminals_get_a_bar_that_is_cleared(void **state)
{
    (void)state;
    char seen[1024];
    watch_terminal("xterm", 200, show_three_quarters, seen, sizeof seen);
    assert_string_equal(seen, "\runcle  [===============>    ]  75%  epoch 3  0:10 left\033[K\r\033[K");
    watch_terminal("xterm", 20, show_three_quarters, seen, sizeof seen);
    assert_string_equal(seen, "\runcle  [=======>  ]\033[K\r\033[K"); /* the last column stays free */
    watch_terminal("xterm", 0, show_three_quarters, seen, sizeof seen);
    assert_non_null(strstr(seen, "0:10 left"));
}

static void others_get_lines(void **state)
{
    (void)state;
    char seen[1024];
    watch_pipe(show_three_quarters, seen, sizeof seen);
    assert_string_equal(seen, "uncle  75%  epoch 3  0:10 left\n");
    watch_terminal("dumb", 80, show_three_quarters, seen, sizeof seen);
    assert_string_equal(seen, "uncle  75%  epoch 3  0:10 left\r\n"); /* the terminal adds \r */
}

static void quiet_is_quiet(void **state)
{
    (void)state;
    char seen[1024];
    watch_pipe(show_quietly, seen, sizeof seen);
    assert_string_equal(seen, "");
    watch_terminal("xterm", 80, show_quietly, seen, sizeof seen);
    assert_string_equal(seen, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left_is_known_after_a_second),
        cmocka_unit_test(lines_hold_all_facts),
        cmocka_unit_test(bars_lose_details_before_they_are_cut),
        cmocka_unit_test(bars_fit_any_width),
        cmocka_unit_test(bars_fill_up),
        cmocka_unit_test(terminals_get_a_bar_that_is_cleared),
        cmocka_unit_test(others_get_lines),
        cmocka_unit_test(quiet_is_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
