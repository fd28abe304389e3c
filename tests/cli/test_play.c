/* nlm play on a terminal: frames in place, the cursor, signals. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"
#include "commands.h"
#include "nlm/nlm.h"
#include "play_screen.h"

#define HIDE "\033[?25l"
#define SHOW "\033[?25h"
#define HOME "\033[H"

/* ---- what a frame is ---- */

static void frames_are_redrawn_in_place(void **state)
{
    (void)state;
    nlm_sheet frame;
    size_t length;
    nlm_sheet_begin(&frame, 10);
    nlm_sheet_line(&frame, "%s", "one  ");
    nlm_sheet_line(&frame, "%s", "");
    nlm_sheet_line(&frame, "%s", "0123456789");
    char *text = screen_text(&frame, true, &length);
    assert_non_null(text);
    assert_string_equal(text, HOME "one\033[K\n\033[K\n0123456789\033[K\n\033[J");
    assert_int_equal(length, strlen(text));
    free(text);
    text = screen_text(&frame, false, &length);
    assert_non_null(text);
    assert_string_equal(text, "one\n\n0123456789\n\n");
    free(text);
    nlm_sheet_free(&frame);
}

/* ---- a terminal ---- */

enum { SEEN_MOST = 1 << 20, PATIENCE_MS = 60000 };

static char folder[] = "/tmp/nlm-test-play-XXXXXX";
static char model[64];

/* A machine that has learned nothing yet. */
static int make_model(void **state)
{
    (void)state;
    const nlm_spec spec = {.depth = 1, .breadth = 2, .inputs = {0, 0, 6}, .width = 2, .outputs = 1u << 2};
    const nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    const char *const metadata[] = {"task", "sort"};
    nlm_machine *machine;
    if (mkdtemp(folder) == NULL || nlm_machine_new(&spec, &head, 1, &machine, NULL) != NLM_OK)
        return -1;
    snprintf(model, sizeof model, "%s/m.nlm", folder);
    nlm_machine_initialise(machine, 1);
    const nlm_status status = nlm_machine_save(machine, model, metadata, 1, NULL);
    nlm_machine_free(machine);
    return status == NLM_OK ? 0 : -1;
}

static int remove_model(void **state)
{
    (void)state;
    return unlink(model) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

typedef struct session {
    pid_t child;
    int terminal;
    char *seen; /* SEEN_MOST bytes, a text */
    size_t length;
} session;

/* `nlm play` in a process and on a terminal of its own. */
static session begin_session(const char *kind, int rows, int columns, const char *fps, const char *objects)
{
    session made = {.seen = calloc(1, SEEN_MOST)};
    const struct winsize window = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    assert_non_null(made.seen);
    made.child = forkpty(&made.terminal, NULL, NULL, &window);
    assert_true(made.child >= 0);
    if (made.child == 0) {
        setenv("TERM", kind, 1);
        char *arguments[] = {(char *)(uintptr_t) "play",
                             model,
                             (char *)(uintptr_t) "--fps",
                             (char *)(uintptr_t)fps,
                             (char *)(uintptr_t) "--objects",
                             (char *)(uintptr_t)objects,
                             NULL};
        const int status = command_play(6, arguments);
        fflush(stdout);
        _exit(status);
    }
    return made;
}

/* Read until there is such a text, or with NULL until the end; false if that was not to be. */
static bool read_until(session *held, const char *text)
{
    for (;;) {
        if (text != NULL && strstr(held->seen, text) != NULL)
            return true;
        struct pollfd waiting = {.fd = held->terminal, .events = POLLIN};
        if (held->length == SEEN_MOST - 1 || poll(&waiting, 1, PATIENCE_MS) <= 0)
            return false;
        const ssize_t got = read(held->terminal, held->seen + held->length, SEEN_MOST - 1 - held->length);
        if (got <= 0) /* the other side has closed */
            return text == NULL;
        held->length += (size_t)got;
    }
}

/* The exit status; what was written stays in `seen`. */
static int end_session(session *held)
{
    int status = 0;
    const bool ended = read_until(held, NULL);
    if (!ended)
        kill(held->child, SIGKILL);
    assert_int_equal(waitpid(held->child, &status, 0), held->child);
    close(held->terminal);
    assert_true(ended);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void episodes_end_with_the_cursor_shown(void **state)
{
    (void)state;
    session held = begin_session("xterm", 24, 80, "60", "4");
    assert_int_equal(end_session(&held), EXIT_SUCCESS);
    const char *hidden = strstr(held.seen, HIDE), *last = strstr(held.seen, SHOW);
    assert_non_null(hidden);
    assert_non_null(last);
    assert_int_equal(count(held.seen, HIDE), 1);
    assert_int_equal(count(held.seen, SHOW), 1);
    assert_true(hidden < strstr(held.seen, HOME) && strstr(last, HOME) == NULL);
    assert_true(strncmp(last, SHOW "solved in ", strlen(SHOW "solved in ")) == 0 ||
                strcmp(last, SHOW "not solved within 8 moves\r\n") == 0);
    assert_null(strstr(held.seen, "\033[?1049h")); /* the last frame stays */
    free(held.seen);
}

static void signals_bring_the_cursor_back(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        session held = begin_session("xterm", 24, 80, "0.01", "10");
        assert_true(read_until(&held, "\033[J")); /* one frame, and a long sleep */
        assert_int_equal(count(held.seen, SHOW), 0);
        kill(held.child, signals[i]);
        assert_int_equal(end_session(&held), EXIT_SIGNAL + signals[i]);
        assert_true(count(held.seen, SHOW) >= 1);
        assert_int_equal(count(held.seen, HIDE), 1);
        assert_int_equal(count(held.seen, HOME), 1);
        assert_true(ends_with(held.seen, "nlm: play: stopped after move 0\r\n"));
        free(held.seen);
    }
}

/* Ctrl-Z, and back again. */
static void a_stop_brings_the_cursor_back_for_a_while(void **state)
{
    (void)state;
    session held = begin_session("xterm", 24, 80, "0.01", "10");
    int status = 0;
    assert_true(read_until(&held, "\033[J"));
    kill(held.child, SIGTSTP);
    assert_int_equal(waitpid(held.child, &status, WUNTRACED), held.child);
    assert_true(WIFSTOPPED(status));
    assert_true(read_until(&held, SHOW));
    kill(held.child, SIGCONT);
    assert_true(read_until(&held, SHOW HIDE));
    kill(held.child, SIGINT);
    assert_int_equal(end_session(&held), EXIT_SIGNAL + SIGINT);
    assert_true(strstr(strstr(held.seen, SHOW HIDE), HIDE SHOW) != NULL);
    free(held.seen);
}

static void small_terminals_are_not_overrun(void **state)
{
    (void)state;
    session held = begin_session("xterm", 6, 20, "60", "10");
    assert_int_equal(end_session(&held), EXIT_SUCCESS);
    const char *frame = strstr(held.seen, HOME);
    assert_non_null(frame);
    for (; frame != NULL; frame = strstr(frame + 1, HOME)) {
        const char *end = strstr(frame, "\033[J");
        assert_non_null(end);
        int lines = 0;
        for (const char *line = frame + strlen(HOME); line < end; lines++) {
            const char *next = strstr(line, "\033[K\r\n"); /* the terminal adds \r */
            assert_true(next != NULL && next - line < 20);
            line = next + strlen("\033[K\r\n");
        }
        assert_true(lines <= 4);
    }
    free(held.seen);
}

static void simple_terminals_get_plain_lines(void **state)
{
    (void)state;
    session held = begin_session("dumb", 24, 80, "0.01", "4");
    assert_int_equal(end_session(&held), EXIT_SUCCESS);
    assert_null(strchr(held.seen, '\033'));
    assert_non_null(strstr(held.seen, "m.nlm plays sort: 4 objects, instance of seed 1"));
    free(held.seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_redrawn_in_place),
        cmocka_unit_test(episodes_end_with_the_cursor_shown),
        cmocka_unit_test(signals_bring_the_cursor_back),
        cmocka_unit_test(a_stop_brings_the_cursor_back_for_a_while),
        cmocka_unit_test(small_terminals_are_not_overrun),
        cmocka_unit_test(simple_terminals_get_plain_lines),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
