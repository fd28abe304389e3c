/* Atoms: UTF-8, and how Prolog writes names. */
#include "facts/atom.h"

#include <stdio.h>
#include <string.h>
#include "facts/line.h"
#include "facts/reading_message.h"

/* ---- UTF-8 ---- */

uint32_t atom_decode(const char *text, size_t *length)
{
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80) {
        *length = 1;
        return b[0];
    }
    if (b[0] < 0xE0) {
        *length = 2;
        return (uint32_t)(b[0] & 0x1F) << 6 | (b[1] & 0x3Fu);
    }
    if (b[0] < 0xF0) {
        *length = 3;
        return (uint32_t)(b[0] & 0x0F) << 12 | (b[1] & 0x3Fu) << 6 | (b[2] & 0x3Fu);
    }
    *length = 4;
    return (uint32_t)(b[0] & 0x07) << 18 | (b[1] & 0x3Fu) << 12 | (b[2] & 0x3Fu) << 6 | (b[3] & 0x3Fu);
}

size_t atom_encode(uint32_t c, char *text)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t k = length - 1; k > 0; k--, c >>= 6)
        text[k] = (char)(0x80 | (c & 0x3F));
    text[0] = (char)(first[length] | c);
    return length;
}

/* Bytes of the character at `text`, of which `size` are there; 0 if it is not UTF-8. */
static size_t valid_character(const unsigned char *text, size_t size)
{
    size_t length = text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : text[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((text[k] & 0xC0) != 0x80)
            return 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t same;
    uint32_t c = atom_decode((const char *)text, &same);
    return c >= least[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) ? length : 0;
}

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
        size_t length = byte < 0x80 ? 1 : valid_character((const unsigned char *)at, (size_t)(end - at));
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

static bool is_word(char c)
{
    return is_lower(c) || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool atom_is_plain(const char *text)
{
    if (!is_lower(*text) && !((unsigned char)*text & 0x80))
        return false;
    while (*text) {
        size_t length;
        uint32_t c = atom_decode(text, &length);
        if (length == 1 ? !is_word(*text) : !atom_is_letter(c))
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

static bool is_number(const char *atom)
{
    size_t number = atom_number(atom);
    return number > 0 && !atom[number];
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
    return write_atom(atom, is_unquoted_name(atom) || is_number(atom), text, size);
}

size_t atom_predicate_text(const char *atom, char *text, size_t size)
{
    return write_atom(atom, is_unquoted_name(atom), text, size);
}
