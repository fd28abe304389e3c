/* Where an episode is shown: frames in place on a terminal, blocks of lines elsewhere; and what is in a
 * frame. */
#include "play_screen.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "message.h"
#include "system.h"

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

/* ---- the screen ---- */

void screen_begin(screen *shown, double fps)
{
    *shown = (screen){.live = system_is_terminal(STDOUT_FILENO), .interval = 1 / fps};
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
    *columns = FILE_COLUMNS;
    *rows = FILE_ROWS;
    if (shown->live)
        system_terminal_size(STDOUT_FILENO, columns, rows);
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

/* ---- frames ---- */

enum {
    AROUND = 3 + FRAME_MOVES, /* rows of a frame beside the drawing: title, two empty ones, moves */
    BELOW = 2,                /* rows that stay free: for the last words, and the cursor */
    DRAWING_ROWS = 20         /* for a drawing that can choose */
};

bool frame_begin(frame_maker *maker, const char *title, const nlm_position *position)
{
    *maker = (frame_maker){.title = title};
    return nlm_scene_new(position, &maker->scene, NULL) == NLM_OK;
}

void frame_end(frame_maker *maker)
{
    nlm_scene_free(maker->scene);
}

/* " 3/40  move 7 onto 3           81.23 %" and, below it, what else came into question. */
static void add_moves(const play_moment *moment, nlm_sheet *frame)
{
    const nlm_game *game = nlm_position_game(moment->position);
    const int number = nlm_position_moves(moment->position) + 1, limit = nlm_position_limit(moment->position);
    for (int i = 0; i < moment->count && i < FRAME_MOVES; i++) {
        const nlm_choice *choice = &moment->choices[i];
        char words[NLM_MOVE_TEXT];
        nlm_sheet_line(frame, "%9s  %-26s %10s%s%s", i == 0 ? text_of("%d/%d", number, limit) : "or",
                       nlm_move_text(game, choice->move, words), text_of_percent(choice->probability),
                       nlm_position_legal(moment->position, choice->move) ? ""
                       : i == 0                                           ? "  illegal: it changes nothing"
                                                                          : "  illegal",
                       i > 0 || moment->rule < 0 ? ""
                       : moment->rule == 0       ? "  no rule holds"
                                                 : text_of("  move_%d", moment->rule));
    }
}

static void copy_rows(const nlm_sheet *from, int count, nlm_sheet *to)
{
    for (int row = 0; row < count; row++) {
        int length;
        const char *text = nlm_sheet_row(from, row, &length);
        nlm_sheet_line(to, "%.*s", length, text);
    }
}

/* The line below a drawing: empty, unless something is missing at the right. */
static void say_cut(const nlm_sheet *drawing, nlm_sheet *frame)
{
    if (drawing->wanted > drawing->width)
        nlm_sheet_line(frame, "(needs %d columns)", drawing->wanted);
    else
        nlm_sheet_line(frame, "%s", "");
}

/* Rows up to the last that is not empty. */
static int rows_in_use(const nlm_sheet *drawing)
{
    int rows = drawing->rows;
    for (int length = 0; rows > 0; rows--) {
        nlm_sheet_row(drawing, rows - 1, &length);
        if (length > 0)
            break;
    }
    return rows;
}

void frame_for_screen(frame_maker *maker, const play_moment *moment, int rows, nlm_sheet *frame)
{
    nlm_sheet drawing;
    const int room = rows - BELOW - AROUND;
    nlm_sheet_begin(&drawing, frame->width);
    nlm_scene_show(maker->scene, moment->position, moment->count > 0 ? moment->choices[0].move : NULL, room,
                   &drawing);
    nlm_sheet_line(frame, "%s", maker->title);
    nlm_sheet_line(frame, "%s", "");
    if (drawing.rows > maker->tallest)
        maker->tallest = drawing.rows;
    for (int row = drawing.rows; row < maker->tallest && row < room; row++)
        nlm_sheet_line(frame, "%s", "");
    if (drawing.rows <= room) {
        copy_rows(&drawing, drawing.rows, frame);
    } else {
        const int fitting = room > 1 ? room - 1 : 0;
        copy_rows(&drawing, fitting, frame);
        nlm_sheet_line(frame, "(and %d more rows)", drawing.rows - fitting);
    }
    say_cut(&drawing, frame);
    add_moves(moment, frame);
    if (frame->rows > rows - BELOW)
        frame->rows = rows > BELOW ? rows - BELOW : 1;
    frame->failed |= drawing.failed;
    nlm_sheet_free(&drawing);
}

void frame_for_file(frame_maker *maker, const play_moment *moment, nlm_sheet *frame)
{
    nlm_sheet drawing;
    nlm_sheet_begin(&drawing, frame->width);
    nlm_scene_show(maker->scene, moment->position, moment->count > 0 ? moment->choices[0].move : NULL,
                   DRAWING_ROWS, &drawing);
    copy_rows(&drawing, rows_in_use(&drawing), frame);
    if (moment->count > 0 || drawing.wanted > drawing.width)
        say_cut(&drawing, frame);
    add_moves(moment, frame);
    frame->failed |= drawing.failed;
    nlm_sheet_free(&drawing);
}
