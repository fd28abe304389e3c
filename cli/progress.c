/* The progress line: when to draw, how, and the texts. */
#include "progress.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "system.h"

#define BAR_SECONDS 0.1
#define LINE_SECONDS 2.0
#define ESTIMATE_SECONDS 1.0 /* before that, the speed is not known well enough */

enum { BAR_LEAST = 10, BAR_MOST = 20 };

/* ---- texts ---- */

static double between_0_and_1(double fraction)
{
    return fraction > 0 ? fmin(fraction, 1) : 0; /* 0 for what is no number, too */
}

/* Rounded down: 100 is for what is done. */
static int percent(double fraction)
{
    return (int)(100 * between_0_and_1(fraction) + 1e-9);
}

double progress_time_left(double elapsed, double from, double fraction)
{
    if (!(elapsed >= ESTIMATE_SECONDS && fraction > from))
        return -1;
    return elapsed * fmax(1 - fraction, 0) / (fraction - from);
}

/* "  0:14 left", or nothing. */
static const char *left_text(double left, char text[NLM_NUMBER_TEXT])
{
    char time[NLM_NUMBER_TEXT];
    text[0] = '\0';
    if (left >= 0)
        snprintf(text, NLM_NUMBER_TEXT, "  %.16s left", nlm_time_text(left, time));
    return text;
}

const char *progress_line_text(const progress_facts *facts, char text[PROGRESS_TEXT])
{
    char left[NLM_NUMBER_TEXT];
    snprintf(text, PROGRESS_TEXT, "%.40s  %d%%%s%.150s%s", facts->title, percent(facts->fraction),
             facts->details[0] ? "  " : "", facts->details, left_text(facts->left, left));
    return text;
}

/* How many characters of the details fit into `room`, whole facts only. */
static int details_that_fit(const char *details, int room)
{
    int fit = 0;
    for (const char *end = details; *end != '\0';) {
        const char *next = strstr(end, "  ");
        const int length = (int)((next != NULL ? next : end + strlen(end)) - details);
        if (length > room)
            break;
        fit = length;
        end = details + length + strspn(details + length, " ");
    }
    return fit;
}

const char *progress_bar_text(const progress_facts *facts, int width, char text[PROGRESS_TEXT])
{
    char left[NLM_NUMBER_TEXT], bar[BAR_MOST + 1] = "";
    left_text(facts->left, left);
    /* Beside the title and the shortest bar stand "  [" and "] 100%"; two spaces go before the details. */
    const int spare =
        width - (int)strlen(facts->title) - BAR_LEAST - (int)sizeof "  [] 100%" - (int)strlen(left) + 1;
    const int fit = details_that_fit(facts->details, spare - 2);
    const int room = spare - (fit > 0 ? fit + 2 : 0) + BAR_LEAST;
    const int cells = room < BAR_LEAST ? BAR_LEAST : room > BAR_MOST ? BAR_MOST : room;
    const int done = (int)(cells * between_0_and_1(facts->fraction));
    for (int i = 0; i < cells; i++)
        bar[i] = "=> "[(i >= done) + (i > done)];
    const size_t size = width < 0 ? 1 : width < PROGRESS_TEXT ? (size_t)width + 1 : PROGRESS_TEXT;
    snprintf(text, size, "%s  [%s] %3d%%%s%.*s%s", facts->title, bar, percent(facts->fraction),
             fit > 0 ? "  " : "", fit, facts->details, left);
    return text;
}

/* ---- drawing ---- */

void progress_begin(progress *line, const char *title, bool quiet)
{
    *line = (progress){.form = PROGRESS_NONE, .title = title};
    if (!quiet)
        line->form = system_is_terminal(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_LINES;
    line->begun = nlm_clock();
    line->interval = line->form == PROGRESS_BAR ? BAR_SECONDS : LINE_SECONDS;
    line->due = line->begun + line->interval;
}

void progress_resume(progress *line, double from)
{
    line->from = from;
}

bool progress_due(const progress *line)
{
    return line->form != PROGRESS_NONE && nlm_clock() >= line->due;
}

void progress_show(progress *line, double fraction, const char *format, ...)
{
    if (!progress_due(line))
        return;
    char details[PROGRESS_TEXT], text[PROGRESS_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(details, sizeof details, format, arguments);
    va_end(arguments);
    const double time = nlm_clock();
    const progress_facts facts = {line->title, fraction, details,
                                  progress_time_left(time - line->begun, line->from, fraction)};
    if (line->form == PROGRESS_BAR) {
        int columns, rows;
        system_terminal_size(STDERR_FILENO, &columns, &rows);
        const int width = columns < PROGRESS_WIDEST ? columns : PROGRESS_WIDEST;
        fprintf(stderr, "\r%s\033[K", progress_bar_text(&facts, width, text));
    } else {
        fprintf(stderr, "%s\n", progress_line_text(&facts, text));
    }
    line->drawn = line->form == PROGRESS_BAR;
    line->due = time + line->interval;
}

void progress_end(progress *line)
{
    if (line->drawn)
        fputs("\r\033[K", stderr);
    line->drawn = false;
}
