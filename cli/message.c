/* Messages to the person at the terminal, and texts for lines of output. */
#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void print_line(const char *begin, const char *format, va_list arguments)
{
    fputs(begin, stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("nlm: ", format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("nlm: note: ", format, arguments);
    va_end(arguments);
}

bool message_ok(const char *command, nlm_status status, const nlm_error *error)
{
    if (status != NLM_OK)
        message_error("%s: %s", command, error->message);
    return status == NLM_OK;
}

nlm_status message_fill(nlm_error *error, nlm_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- short texts ---- */

static char *next_text(void)
{
    enum { TEXTS = 16 };
    static char texts[TEXTS][TEXT_SIZE];
    static unsigned made;
    return texts[made++ % TEXTS];
}

const char *text_of(const char *format, ...)
{
    char *text = next_text();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_SIZE, format, arguments);
    va_end(arguments);
    return text;
}

const char *text_of_number(double count)
{
    return count < 1e15 ? nlm_count_text((size_t)count, next_text()) : text_of("%.1e", count);
}

const char *text_of_percent(double share)
{
    return nlm_percent_text(share, next_text());
}

/* ---- JSON ---- */

static void print_real(FILE *file, const char *format, double number)
{
    if (isnan(number))
        fputs("null", file);
    else
        fprintf(file, format, number);
}

void json_print(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format != '\0') {
        const size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, file);
        format += plain;
        char one[16] = "";
        const size_t length = strcspn(format, "sidufg") + (*format != '\0');
        snprintf(one, sizeof one, "%.*s", (int)length, format);
        format += length;
        switch (length > 0 ? one[length - 1] : '\0') {
        case 's':
            nlm_json_text(file, va_arg(arguments, const char *));
            break;
        case 'i':
            fputs(va_arg(arguments, int) != 0 ? "true" : "false", file);
            break;
        case 'd':
            fprintf(file, "%d", va_arg(arguments, int));
            break;
        case 'u':
            fprintf(file, "%zu", va_arg(arguments, size_t));
            break;
        case 'f':
        case 'g':
            print_real(file, one, va_arg(arguments, double));
            break;
        default:
            break;
        }
    }
    va_end(arguments);
}
