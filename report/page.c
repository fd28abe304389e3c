/* A page being written. */
#include "report/page.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"
#include "nlm/file.h"
#include "nlm/tools.h"

void page_release(page *p)
{
    storage_free(&p->text);
    *p = (page){0};
}

static void put_bytes(page *p, const char *bytes, size_t count)
{
    if (p->failed || storage_reserve(&p->text, p->length + count + 1, 1, true)) {
        p->failed = true;
        return;
    }
    memcpy((char *)p->text.data + p->length, bytes, count);
    p->length += count;
}

void page_put(page *p, const char *markup)
{
    put_bytes(p, markup, strlen(markup));
}

void page_append(page *p, const page *other)
{
    p->failed |= other->failed;
    if (other->length > 0)
        put_bytes(p, other->text.data, other->length);
}

void page_print(page *p, const char *format, ...)
{
    enum { LINE = 1024 }; /* of numbers and our own words */
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, LINE, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= LINE)
        p->failed = true;
    else
        put_bytes(p, line, (size_t)length);
}

/* ---- texts of others ---- */

/* Bytes of the UTF-8 character that begins here; 0 if none does, if it is a control character, or one that
 * turns the direction of the text. */
static size_t character_length(const unsigned char *text)
{
    const unsigned char c = text[0];
    if (c < 0x80)
        return c >= ' ' && c != 0x7f;
    const size_t length = nlm_character_length((const char *)text, SIZE_MAX);
    const bool control = c == 0xc2 && text[1] < 0xa0;
    const bool turns = length == 3 && c == 0xe2 &&
                       ((text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae) ||
                        (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9));
    return control || turns ? 0 : length;
}

/* What stands for a character in markup and in JSON, NULL for itself: in JSON, what could end a script or a
 * string is written by number. */
static const char *const in_markup[UCHAR_MAX + 1] = {
    ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;",
};
static const char *const in_json[UCHAR_MAX + 1] = {
    ['<'] = "\\u003c", ['>'] = "\\u003e",  ['&'] = "\\u0026",
    ['"'] = "\\\"",    ['\''] = "\\u0027", ['\\'] = "\\\\",
};

static void put_text(page *p, const char *text, const char *const instead[], const char *unknown)
{
    for (const char *at = text; *at;) {
        const size_t length = character_length((const unsigned char *)at);
        const char *replaced = length == 0 ? unknown : instead[(unsigned char)*at];
        if (replaced)
            page_put(p, replaced);
        else
            put_bytes(p, at, length);
        at += length > 0 ? length : 1;
    }
}

void page_text(page *p, const char *text)
{
    put_text(p, text, in_markup, "\xef\xbf\xbd");
}

void page_wrap(page *p, const char *before, const char *text, const char *after)
{
    page_put(p, before);
    page_text(p, text);
    page_put(p, after);
}

void page_json(page *p, const char *text)
{
    page_put(p, "\"");
    put_text(p, text, in_json, "\\ufffd");
    page_put(p, "\"");
}

void page_table(page *p, const char *label, const char *class, const char *caption,
                const char *const *columns)
{
    page_print(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table%s>\n", label,
               class);
    if (caption)
        page_print(p, "<caption>%s</caption>\n", caption);
    page_put(p, "<thead><tr>");
    for (; *columns; columns++)
        page_print(p, "<th scope=\"col\">%s</th>", *columns);
    page_put(p, "</tr></thead>\n<tbody>\n");
}

/* ---- the document ---- */

void page_begin(page *p, const char *title, const asset *const *scripts)
{
    p->scripts = scripts;
    page_put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "base-uri 'none'; form-action 'none'; style-src");
    page_print(p, " '%s'%s", asset_style.hash, *scripts ? "; script-src" : "");
    for (; *scripts; scripts++)
        page_print(p, " '%s'", (*scripts)->hash);
    page_wrap(p, "\">\n<title>", title, "</title>\n<style>");
    page_put(p, asset_style.text);
    page_wrap(p, "</style>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
}

void page_end(page *p)
{
    page_put(p, "</main>\n");
    for (const asset *const *script = p->scripts; *script; script++) {
        page_put(p, "<script>");
        page_put(p, (*script)->text);
        page_put(p, "</script>\n");
    }
    page_put(p, "</body>\n</html>\n");
}

static void write_text(FILE *stream, const void *context)
{
    const page *p = context;
    fwrite(p->text.data, 1, p->length, stream);
}

nlm_status page_save(const page *p, const char *path, nlm_error *error)
{
    return p->failed ? report_no_memory(error) : nlm_file_write(path, write_text, p, error);
}
