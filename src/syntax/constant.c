/* Names of predicates with constants, put together and taken apart. */
#include "syntax/constant.h"

#include <stdlib.h>
#include <string.h>
#include "base/line.h"
#include "base/memory.h"
#include "base/text.h"
#include "syntax/atom.h"

/* ---- taking apart ---- */

/* The end of the part at `at`, at one of the marks: behind a quoted text, or the first mark. */
static const char *part_end(const char *at, const char *marks)
{
    if (*at != '\'')
        return at + strcspn(at, marks);
    for (at++; *at; at += *at != '\0') {
        if (*at == '\\' && at[1] == 'x') /* a code, which ends in another one */
            at += 1 + strcspn(at + 1, "\\");
        else if (*at == '\\' && at[1])
            at++;
        else if (*at == '\'' && *++at != '\'')
            return at;
    }
    return at;
}

/* Whether the part is a name in quotes, or one that needs none. */
static bool is_written(prolog_name part)
{
    if (part.length == 0 || part.length > 2000)
        return false;
    char plain[2001], again[8192];
    return constant_plain(part, plain, sizeof plain) > 0 &&
           atom_text(plain, again, sizeof again) == part.length && !memcmp(again, part.text, part.length);
}

bool constant_parts_read(const char *name, constant_parts *parts)
{
    *parts = (constant_parts){0};
    const char *at = part_end(name, "("), *end;
    if (*at != '(')
        return false;
    parts->name = (prolog_name){name, (size_t)(at - name)};
    for (bool more = true; more; at = end) {
        if (parts->arity == PROLOG_MOST_ARGUMENTS)
            return false;
        at++;
        end = part_end(at, ",)");
        const prolog_name part = {at, (size_t)(end - at)};
        const bool is_object = part.length == 1 && *at == 'A' + parts->objects;
        if (!is_object && !is_written(part))
            return false;
        parts->object[parts->arity] = is_object ? parts->objects++ : -1;
        parts->text[parts->arity++] = part;
        more = *end == ',';
    }
    return at[0] == ')' && at[1] == '\0' && parts->objects < parts->arity && parts->name.length > 0;
}

/* A character of a quoted text, behind a backslash. */
static const char *add_escaped(line_space *out, const char *at)
{
    if (*at == 'x') {
        char bytes[8], *end;
        const size_t count = utf8_encode((uint32_t)strtoul(at + 1, &end, 16), bytes);
        line_add(out, bytes, count);
        return *end == '\\' ? end + 1 : end;
    }
    line_add(out, *at == 'n' ? "\n" : at, 1);
    return at + 1;
}

size_t constant_plain(prolog_name part, char *text, size_t size)
{
    line_space out = line_start(text, size);
    const char *at = part.text, *end = at + part.length;
    if (part.length < 2 || *at != '\'' || end[-1] != '\'') {
        line_add(&out, at, part.length);
        return line_end(&out);
    }
    for (at++, end--; at < end;) {
        if (*at == '\\' && at + 1 < end) {
            at = add_escaped(&out, at + 1);
            continue;
        }
        line_add(&out, at, 1);
        at += at[0] == '\'' && at[1] == '\'' ? 2 : 1;
    }
    return line_end(&out);
}

/* ---- putting together ---- */

/* A name as Prolog writes it; names of files and facts are not ended by 0. */
static void add_name(line_space *out, prolog_name name, size_t (*write)(const char *, char *, size_t))
{
    char *copy = memory_new(name.length + 1, 1);
    if (!copy) {
        out->length = (size_t)-1 / 2; /* fits nowhere */
        return;
    }
    memcpy(copy, name.text, name.length);
    size_t size;
    char *rest = line_rest(out, &size);
    out->length += write(copy, rest, size);
    memory_free(copy);
}

size_t constant_name(prolog_name name, const prolog_name *constants, int arity, char *text, size_t size)
{
    line_space out = line_start(text, size);
    char letter = 'A';
    add_name(&out, name, atom_predicate_text);
    for (int k = 0; k < arity; k++) {
        line_add_text(&out, k ? "," : "(");
        if (constants[k].text)
            add_name(&out, constants[k], atom_text);
        else
            line_add(&out, &letter, 1);
        letter = (char)(letter + !constants[k].text);
    }
    line_add_text(&out, ")");
    return line_end(&out);
}
