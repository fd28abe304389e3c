/* A text file being written. */
#include "facts/output.h"

#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/reading_message.h"

#define FIRST_SPACE 256

void output_open(output *out, file_writer *writer, const char *path, nlm_error *error)
{
    *out = (output){.writer = writer, .path = path, .error = error};
    if (buffer_reserve(&out->space, FIRST_SPACE, 1, false))
        out->status = error_no_memory(error);
    else
        out->status = file_writer_open(out->writer, path, error);
}

nlm_status output_close(output *out)
{
    if (!out->status)
        out->status = file_writer_close(out->writer, out->error);
    else
        file_writer_abort(out->writer);
    buffer_free(&out->space);
    return out->status;
}

static void put(output *out, const char *text, size_t length)
{
    if (!out->status)
        out->status = file_writer_write(out->writer, text, length, out->error);
}

void output_text(output *out, const char *text)
{
    put(out, text, strlen(text));
}

/* Whether a text of that length fits; otherwise it is to be made again. */
static bool fits(output *out, size_t length)
{
    if (length < out->space.capacity)
        return true;
    if (!out->status && buffer_reserve(&out->space, length + 1, 1, false))
        out->status = error_no_memory(out->error);
    return false;
}

static void put_name(output *out, const char *name, size_t (*write)(const char *, char *, size_t))
{
    if (out->status)
        return;
    size_t length = write(name, out->space.data, out->space.capacity);
    if (!fits(out, length) && !out->status)
        write(name, out->space.data, out->space.capacity);
    put(out, out->space.data, length);
}

void output_part(output *out, prolog_name part)
{
    put(out, part.text, part.length);
}

void output_atom(output *out, const char *atom)
{
    put_name(out, atom, atom_text);
}

void output_predicate(output *out, const char *name)
{
    put_name(out, name, atom_predicate_text);
}

void output_fact(output *out, const nlm_signature *signature, const nlm_predicate *predicate,
                 const nlm_world *world, const int *tuple)
{
    if (out->status)
        return;
    size_t length = nlm_fact_text(signature, predicate, world, tuple, out->space.data, out->space.capacity);
    if (!fits(out, length) && !out->status)
        nlm_fact_text(signature, predicate, world, tuple, out->space.data, out->space.capacity);
    put(out, out->space.data, length);
}

void output_field(output *out, const char *text, bool tabs)
{
    size_t length = strlen(text);
    bool is_marked = !strncmp(text, "\xEF\xBB\xBF", 3); /* where a byte order mark would be */
    bool is_special = strpbrk(text, tabs ? "\t\r\n" : ",\"\r\n") || is_marked ||
                      (!tabs && (*text == ' ' || text[length - 1] == ' '));
    if (tabs && is_special && !out->status)
        out->status = message_argument(
            out->error, "%.200s: '%s' has a tab or an end of line, which TSV cannot hold: write CSV",
            out->path, message_cut(text, length).text);
    if (tabs || !is_special) {
        put(out, text, length);
        return;
    }
    put(out, "\"", 1);
    for (; *text; text++) {
        put(out, "\"", *text == '"');
        put(out, text, 1);
    }
    put(out, "\"", 1);
}
