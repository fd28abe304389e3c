/* Tokens of Prolog's syntax, and clauses skipped to their end.
 *
 * Invariant: `at` never passes the 0 that ends the text, and `line` is that of `at`.  After a token that
 * could not be read, `at` is where skipping can go on. */
#include "syntax/prolog.h"

#include <string.h>
#include "base/text.h"
#include "syntax/atom.h"
#include "syntax/reading_message.h"

/* ---- characters ---- */

enum { OTHER, SPACE, LOWER, UPPER, DIGIT, SYMBOL, MARK, BEYOND };

static const unsigned char CLASS[256] = {[' '] = SPACE,         ['\t'] = SPACE,
                                         ['\n'] = SPACE,        ['\r'] = SPACE,
                                         ['\f'] = SPACE,        ['\v'] = SPACE,
                                         ['a' ... 'z'] = LOWER, ['A' ... 'Z'] = UPPER,
                                         ['_'] = UPPER,         ['0' ... '9'] = DIGIT,
                                         ['+'] = SYMBOL,        ['-'] = SYMBOL,
                                         ['*'] = SYMBOL,        ['/'] = SYMBOL,
                                         ['\\'] = SYMBOL,       ['^'] = SYMBOL,
                                         ['<'] = SYMBOL,        ['>'] = SYMBOL,
                                         ['='] = SYMBOL,        ['~'] = SYMBOL,
                                         [':'] = SYMBOL,        ['.'] = SYMBOL,
                                         ['?'] = SYMBOL,        ['@'] = SYMBOL,
                                         ['#'] = SYMBOL,        ['&'] = SYMBOL,
                                         ['$'] = SYMBOL,        ['('] = MARK,
                                         [')'] = MARK,          ['['] = MARK,
                                         [']'] = MARK,          ['{'] = MARK,
                                         ['}'] = MARK,          [','] = MARK,
                                         ['|'] = MARK,          ['!'] = MARK,
                                         [';'] = MARK,          [0x80 ... 0xFF] = BEYOND};

static int class_of(char c)
{
    return CLASS[(unsigned char)c];
}

/* Behind the letters, digits and "_" that begin at `at`. */
static char *word_end(char *at)
{
    for (;; at++) {
        int kind = class_of(*at);
        if (kind == LOWER || kind == UPPER || kind == DIGIT)
            continue;
        size_t length;
        if (kind != BEYOND || !atom_is_letter(utf8_decode(at, &length)))
            return at;
        at += length - 1;
    }
}

static char *symbol_end(char *at)
{
    while (class_of(*at) == SYMBOL)
        at++;
    return at;
}

/* Whether the symbols are a "." that ends a clause. */
static bool is_stop(const char *begin, const char *end)
{
    return end == begin + 1 && *begin == '.' && (*end == '\0' || *end == '%' || class_of(*end) == SPACE);
}

/* ---- skipping ---- */

/* To the next token; false for a comment without an end. */
static bool skip_space(prolog *in)
{
    for (;;) {
        while (class_of(*in->at) == SPACE)
            in->line += *in->at++ == '\n';
        if (*in->at == '%') {
            in->at += strcspn(in->at, "\n");
        } else if (in->at[0] == '/' && in->at[1] == '*') {
            char *end = strstr(in->at + 2, "*/");
            if (!end)
                return false;
            for (; in->at < end; in->at++)
                in->line += *in->at == '\n';
            in->at += 2;
        } else {
            return true;
        }
    }
}

/* The last byte of the escape that begins at `at`: codes such as \x41\ end in a backslash of their own. */
static char *escape_last(char *at)
{
    size_t digits = at[1] == 'x' ? 1 + strspn(at + 2, "0123456789abcdefABCDEF") : strspn(at + 1, "01234567");
    if (digits > 0 && at[1 + digits] == '\\')
        return at + 1 + digits;
    return at[1] ? at + 1 : at;
}

/* Behind a quoted text of any kind; false if it does not end. */
static bool skip_quoted(prolog *in)
{
    char quote = *in->at;
    for (char *c = in->at + 1; *c; c++) {
        in->line += *c == '\n';
        if (*c == quote) {
            in->at = c + 1;
            return true;
        }
        if (*c == '\\') {
            c = escape_last(c);
            in->line += *c == '\n';
        }
    }
    return false;
}

/* Behind a word or number, and behind the character of one such as 0'a, 0''' or 0'\n. */
static void skip_word(prolog *in)
{
    char *begin = in->at;
    in->at = word_end(begin);
    if (in->at != begin + 1 || *begin != '0' || *in->at != '\'')
        return;
    char *code = in->at + 1;
    if (*code == '\\') {
        in->at = escape_last(code) + 1;
    } else if (*code == '\'' && code[1] == '\'') {
        in->at = code + 2;
    } else if (*code && *code != '\n') {
        in->at = code + 1;
    }
}

/* Behind one token of any kind; false at the end of the text. */
static bool skip_token(prolog *in, bool *stop)
{
    *stop = false;
    if (!skip_space(in) || !*in->at)
        return false;
    char *begin = in->at;
    switch (class_of(*begin)) {
    case LOWER:
    case UPPER:
    case DIGIT:
        skip_word(in);
        return true;
    case SYMBOL:
        in->at = symbol_end(begin);
        *stop = is_stop(begin, in->at);
        return true;
    default:
        if (*begin == '\'' || *begin == '"' || *begin == '`')
            return skip_quoted(in);
        in->at++;
        return true;
    }
}

nlm_status prolog_skip(prolog *in, size_t line, nlm_error *error)
{
    bool stop = in->token.kind == PROLOG_STOP;
    while (!stop)
        if (!skip_token(in, &stop))
            return message_refuse(error, in->file, line,
                                  "the clause that begins here does not end: is its '.', a quote or the end "
                                  "of a comment missing?");
    return NLM_OK;
}

/* ---- quoted texts ---- */

/* The character of an escape \xHH\ or \OOO\, whose digits begin at *at; 0 if it is none. */
static uint32_t coded(const char **at, unsigned base)
{
    uint32_t code = 0;
    const char *c = *at;
    for (; *c != '\\'; c++) {
        unsigned digit = *c >= '0' && *c <= '9'   ? (unsigned)(*c - '0')
                         : *c >= 'a' && *c <= 'f' ? (unsigned)(*c - 'a') + 10
                         : *c >= 'A' && *c <= 'F' ? (unsigned)(*c - 'A') + 10
                                                  : base;
        if (digit >= base || code > 0x10FFFF)
            return 0;
        code = code * base + digit;
    }
    *at = c + 1;
    return code;
}

/* The character of \uXXXX or \UXXXXXXXX; 0 if it is none. */
static uint32_t coded_unicode(const char **at, int digits)
{
    char text[10];
    for (int k = 0; k < digits; k++) {
        text[k] = (*at)[k];
        if (!text[k] || text[k] == '\\')
            return 0;
    }
    text[digits] = '\\';
    const char *c = text;
    uint32_t code = coded(&c, 16);
    *at += digits;
    return code;
}

/* The character that an escape stands for, `*at` being behind its "\"; 0 if it is none. */
static uint32_t escaped(const char **at)
{
    static const char letters[] = "abfnrtves", codes[] = "\a\b\f\n\r\t\v\033 ";
    char c = *(*at)++;
    const char *simple = strchr("\\'\"`", c);
    if (simple && c)
        return (uint32_t)c;
    if (c == 'x')
        return coded(at, 16);
    if (c == 'u' || c == 'U')
        return coded_unicode(at, c == 'u' ? 4 : 8);
    if (c >= '0' && c <= '7') {
        --*at;
        return coded(at, 8);
    }
    const char *letter = c ? strchr(letters, c) : NULL;
    return letter ? (uint32_t)codes[letter - letters] : 0;
}

/* Decode the inside of a quoted text in place; false for an escape that is none.  The result is never longer
 * than its source: the shortest code, \1\, has three bytes for one, \u four bytes more than its character. */
static bool decode(char *text, size_t length, size_t *decoded)
{
    char *out = text;
    for (const char *at = text, *end = text + length; at < end;) {
        char c = *at++;
        if (c == '\\' && *at == '\n') {
            at++;
        } else if (c == '\\') {
            size_t bytes = utf8_encode(escaped(&at), out);
            if (bytes == 0 || at > end)
                return false;
            out += bytes;
        } else {
            at += c == *end && *at == c; /* a doubled quote */
            *out++ = c;
        }
    }
    *decoded = (size_t)(out - text);
    return true;
}

/* The end of the quoted text that begins at `at`, "" inside being part of it; NULL if there is none in the
 * line. */
static char *quoted_end(prolog *in, size_t *lines)
{
    char quote = *in->at;
    for (char *c = in->at + 1; *c && *c != '\n'; c++) {
        if (*c == '\\') {
            c = escape_last(c);
            *lines += *c == '\n';
        } else if (*c == quote && c[1] == quote)
            c++;
        else if (*c == quote)
            return c;
    }
    return NULL;
}

static nlm_status read_quoted(prolog *in, nlm_error *error)
{
    size_t lines = 0;
    char *begin = in->at + 1, *end = quoted_end(in, &lines);
    if (!end)
        return message_refuse(error, in->file, in->line, "a quoted name that does not end in this line");
    in->token.kind = *end == '\'' ? PROLOG_ATOM : PROLOG_STRING;
    in->token.text = begin;
    in->token.length = (size_t)(end - begin);
    in->at = end + 1;
    in->line += lines;
    bool plain = !memchr(begin, '\\', in->token.length) && !memchr(begin, *end, in->token.length);
    if (plain || decode(begin, in->token.length, &in->token.length))
        return NLM_OK;
    in->token.kind = PROLOG_BROKEN;
    return message_refuse(error, in->file, in->token.line,
                          "an escape in a quoted name that is not known: write a backslash as \\\\");
}

/* ---- tokens ---- */

static void take(prolog *in, prolog_kind kind, char *end)
{
    in->token.kind = kind;
    in->token.text = in->at;
    in->token.length = (size_t)(end - in->at);
    in->at = end;
}

static nlm_status read_number(prolog *in, nlm_error *error)
{
    char *begin = in->at, *end = begin + atom_number(begin);
    int next = class_of(*end);
    if (next != LOWER && next != UPPER && next != BEYOND && *end != '\'') {
        take(in, PROLOG_NUMBER, end);
        return NLM_OK;
    }
    skip_word(in);
    return message_refuse(error, in->file, in->token.line,
                          "%s... is no number of a kind that is supported here: quote it if it is a name",
                          message_cut(begin, (size_t)(end + 1 - begin)).text);
}

static nlm_status refuse_character(prolog *in, nlm_error *error)
{
    size_t length = 1;
    uint32_t c = utf8_decode(in->at, &length);
    in->at += length;
    if (length == 1 && c > ' ' && c < 0x7F)
        return message_refuse(error, in->file, in->token.line,
                              "%c is not supported here: put the name in single quotes", (char)c);
    return message_refuse(error, in->file, in->token.line,
                          "character U+%04X outside of quotes: put the name in single quotes", c);
}

static nlm_status read_token(prolog *in, nlm_error *error)
{
    char *end;
    if (*in->at == '\0') {
        take(in, PROLOG_END, in->at);
        return NLM_OK;
    }
    if (*in->at == '\'' || *in->at == '"')
        return read_quoted(in, error);
    switch (class_of(*in->at)) {
    case LOWER:
        take(in, PROLOG_ATOM, word_end(in->at));
        return NLM_OK;
    case UPPER:
        take(in, PROLOG_VARIABLE, word_end(in->at));
        return NLM_OK;
    case DIGIT:
        return read_number(in, error);
    case SYMBOL:
        end = symbol_end(in->at);
        if (end == in->at + 1 && *in->at == '-' && class_of(*end) == DIGIT)
            return read_number(in, error);
        take(in, is_stop(in->at, end) ? PROLOG_STOP : PROLOG_OPERATOR, end);
        return NLM_OK;
    case MARK:
        take(in, PROLOG_MARK, in->at + 1);
        return NLM_OK;
    case BEYOND:
        end = word_end(in->at);
        if (end == in->at)
            return refuse_character(in, error);
        take(in, PROLOG_ATOM, end);
        return NLM_OK;
    default:
        return refuse_character(in, error);
    }
}

nlm_status prolog_advance(prolog *in, nlm_error *error)
{
    in->token.kind = PROLOG_BROKEN;
    bool closed = skip_space(in);
    in->token.line = in->line;
    if (!closed)
        return message_refuse(error, in->file, in->line,
                              "the comment that begins here does not end: its '*/' is missing");
    nlm_status status = read_token(in, error);
    in->token.opens = *in->at == '(';
    return status;
}
