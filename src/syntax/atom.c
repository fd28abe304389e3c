/* Atoms: valid texts, and how Prolog writes names. */
#include "syntax/atom.h"

#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "base/line.h"
#include "syntax/reading_message.h"

/* ---- texts ---- */

static size_t line_of(const char *text, const char *place)
{
    size_t line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

nlm_status atom_check_text(const char *text, size_t size, const char *file, nlm_error *error)
{
    const char *end = text + size;
    for (const char *at = text; at < end;) {
        uint64_t eight;
        if (end - at >= 8) { /* eight bytes of ASCII at once, unless one is 0 */
            memcpy(&eight, at, 8);
            if (!((eight | (eight - 0x0101010101010101u)) & 0x8080808080808080u)) {
                at += 8;
                continue;
            }
        }
        unsigned char byte = (unsigned char)*at;
        if (byte == 0)
            return message_refuse(error, file, line_of(text, at), "a zero byte: this is not a text file");
        size_t length = nlm_character_length(at, (size_t)(end - at));
        if (length == 0)
            return message_refuse(error, file, line_of(text, at),
                                  "byte 0x%02X is not UTF-8: convert the file to UTF-8", byte);
        at += length;
    }
    return NLM_OK;
}

/* Without tables of all letters: spaces, controls, punctuation and symbols that one meets are none. */
bool atom_is_letter(uint32_t c)
{
    if (c < 0xC0)
        return c == 0xAA || c == 0xB5 || c == 0xBA;
    bool punctuation = (c >= 0x2000 && c <= 0x206F) || (c >= 0x20A0 && c <= 0x20CF) ||
                       (c >= 0x2190 && c <= 0x2BFF) || (c >= 0x2E00 && c <= 0x2E7F) ||
                       (c >= 0x3000 && c <= 0x3004) || (c >= 0x3008 && c <= 0x3020) ||
                       (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFE00 && c <= 0xFE6F) || c >= 0xE0000;
    return c != 0xD7 && c != 0xF7 && c != 0x1680 && c != 0x180E && c != 0xFEFF && !punctuation &&
           !(c >= 0xFF00 && c <= 0xFF0F) && !(c >= 0xFFE0 && c <= 0xFFFF);
}

/* ---- names ---- */

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool atom_is_plain(const char *text)
{
    if (!is_lower(*text) && !((unsigned char)*text & 0x80))
        return false;
    while (*text) {
        size_t length;
        uint32_t c = utf8_decode(text, &length);
        bool word = is_lower(*text) || (*text >= 'A' && *text <= 'Z') || is_digit(*text) || *text == '_';
        if (length == 1 ? !word : !atom_is_letter(c))
            return false;
        text += length;
    }
    return true;
}

bool atom_is_predicate(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '(' || text[i] == '/' || (unsigned char)text[i] < ' ' || text[i] == 0x7F)
            return false;
    return length > 0;
}

static size_t digits(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count]))
        count++;
    return count;
}

size_t atom_number(const char *text)
{
    size_t length = *text == '-';
    size_t whole = digits(text + length);
    if (whole == 0)
        return 0;
    length += whole;
    if (text[length] == '.' && is_digit(text[length + 1]))
        length += 1 + digits(text + length + 1);
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t exponent = digits(text + length + 1 + sign);
        if (exponent > 0)
            length += 1 + sign + exponent;
    }
    return length;
}

/* Names that begin with a letter beyond ASCII get quotes: to Prolog some of these are capitals. */
static bool is_unquoted_name(const char *atom)
{
    return is_lower(*atom) && atom_is_plain(atom);
}

static void add_quoted(line_space *out, const char *atom)
{
    line_add_text(out, "'");
    for (; *atom; atom++) {
        unsigned char c = (unsigned char)*atom;
        char code[8];
        if (c == '\'')
            line_add_text(out, "''");
        else if (c == '\\')
            line_add_text(out, "\\\\");
        else if (c == '\n')
            line_add_text(out, "\\n");
        else if (c < ' ' || c == 0x7F) {
            snprintf(code, sizeof code, "\\x%x\\", (unsigned)c);
            line_add_text(out, code);
        } else
            line_add(out, atom, 1);
    }
    line_add_text(out, "'");
}

static size_t write_atom(const char *atom, bool plain, char *text, size_t size)
{
    line_space out = line_start(text, size);
    if (plain)
        line_add_text(&out, atom);
    else
        add_quoted(&out, atom);
    return line_end(&out);
}

size_t atom_text(const char *atom, char *text, size_t size)
{
    size_t number = atom_number(atom);
    return write_atom(atom, is_unquoted_name(atom) || (number > 0 && !atom[number]), text, size);
}

size_t atom_predicate_text(const char *atom, char *text, size_t size)
{
    return write_atom(atom, is_unquoted_name(atom), text, size);
}
