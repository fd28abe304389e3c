/* Where an episode is shown: frames in place on a terminal, blocks of lines elsewhere. */
#include "play_screen.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "nlm/tools.h"

#define NAP_SECONDS 0.1

enum { FILE_COLUMNS = 80, FILE_ROWS = 24 };

#define HIDE_CURSOR "\033[?25l"
#define SHOW_CURSOR "\033[?25h"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

/* ---- signals ---- */

static atomic_int signal_seen;

static bool write_all(const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return true;
}

/* The cursor is back before anything else, even if a second signal ends the process right away. */
static void note_signal(int number)
{
    const int kept = errno;
    write_all(SHOW_CURSOR, strlen(SHOW_CURSOR));
    atomic_store(&signal_seen, number);
    errno = kept;
}

/* Ctrl-Z: stop with a cursor to be seen; the next frame draws all again. */
static void stop_for_now(int number)
{
    (void)number;
    const int kept = errno;
    write_all(SHOW_CURSOR, strlen(SHOW_CURSOR));
    raise(SIGSTOP);
    write_all(HIDE_CURSOR, strlen(HIDE_CURSOR));
    errno = kept;
}

static void set_signals(bool ours)
{
    struct sigaction ending = {.sa_handler = ours ? note_signal : SIG_DFL,
                               .sa_flags = ours ? (int)(SA_RESETHAND | SA_RESTART) : 0};
    struct sigaction stopping = {.sa_handler = ours ? stop_for_now : SIG_DFL, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &ending, NULL);
    sigaction(SIGTERM, &ending, NULL);
    sigaction(SIGTSTP, &stopping, NULL);
}

int screen_interrupted(void)
{
    return atomic_load(&signal_seen);
}

/* ---- time ---- */

/* In naps, as a signal may come just before one. */
void screen_wait(screen *shown)
{
    double left;
    while (shown->live && !screen_interrupted() && (left = shown->due - nlm_clock()) > 0) {
        const struct timespec nap = {.tv_nsec = (long)(1e9 * (left < NAP_SECONDS ? left : NAP_SECONDS))};
        nanosleep(&nap, NULL);
    }
}

/* ---- frames ---- */

bool screen_is_terminal(void)
{
    const char *terminal = getenv("TERM");
    return terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO);
}

void screen_begin(screen *shown, double fps)
{
    *shown = (screen){.live = screen_is_terminal(), .interval = 1 / fps};
    atomic_store(&signal_seen, 0);
    if (!shown->live)
        return;
    int columns, rows;
    screen_size(shown, &columns, &rows);
    set_signals(true);
    for (int row = 0; row < rows; row++) /* what was there moves up, and can be scrolled back to */
        putchar('\n');
    fputs(HIDE_CURSOR, stdout);
    fflush(stdout);
}

void screen_size(const screen *shown, int *columns, int *rows)
{
    struct winsize size = {0};
    *columns = FILE_COLUMNS;
    *rows = FILE_ROWS;
    if (!shown->live || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return;
    if (size.ws_col > 0)
        *columns = size.ws_col - 1; /* after writing into the last, some terminals go on in the next line */
    if (size.ws_row > 0)
        *rows = size.ws_row;
}

char *screen_text(const nlm_sheet *frame, bool live, size_t *length)
{
    static const char line_end[] = CLEAR_LINE "\n";
    const size_t line = (size_t)frame->width + sizeof line_end;
    char *text = malloc(sizeof HOME + (size_t)frame->rows * line + sizeof CLEAR_BELOW);
    if (text == NULL)
        return NULL;
    char *end = stpcpy(text, live ? HOME : "");
    for (int row = 0; row < frame->rows; row++) {
        int columns;
        const char *from = nlm_sheet_row(frame, row, &columns);
        memcpy(end, from, (size_t)columns);
        end = stpcpy(end + columns, live ? line_end : "\n");
    }
    end = stpcpy(end, live ? CLEAR_BELOW : "\n");
    *length = (size_t)(end - text);
    return text;
}

bool screen_show(screen *shown, const nlm_sheet *frame)
{
    size_t length;
    char *text = screen_text(frame, shown->live, &length);
    if (text == NULL)
        return false;
    bool written = true;
    if (shown->live)
        written = write_all(text, length);
    else
        fwrite(text, 1, length, stdout); /* what goes wrong is reported when the command ends */
    free(text);
    const double time = nlm_clock();
    shown->due = (shown->due + shown->interval > time ? shown->due : time) + shown->interval;
    return written;
}

void screen_end(screen *shown)
{
    if (!shown->live)
        return;
    write_all(SHOW_CURSOR, strlen(SHOW_CURSOR));
    set_signals(false);
}
