/* The picture of conclusions about pairs (a matrix, first object down, second across) or single objects (a
 * strip).
 *
 * What is false and not concluded is the ground; equal neighbours are one shape.  Errors are elements of
 * their own and say what they are; so is what is true, unless there is very much of it.  Of smaller worlds
 * the script knows every cell. */
#include "report/matrix.h"

#include <stdio.h>
#include <string.h>
#include "report/svg.h"

enum {
    OBJECTS_MOST = 150,
    NAMED_MOST = 40, /* objects with names beside the picture and in the script */
    OWN_MOST = 1500, /* elements of their own, of a kind */
    NAMED_OWN = 100,
    SAID_SIZE = 480,
    NAME_SIZE = 64,
    NAME_SHOWN = 14
};

typedef struct layout {
    const confusion *of;
    int rows, columns;
    double cell, left, top;
    bool named;
} layout;

bool matrix_fits(const confusion *of)
{
    return (of->arity == 1 || of->arity == 2) && of->objects <= OBJECTS_MOST;
}

static size_t number_at(const layout *in, int row, int column)
{
    return (size_t)row * (size_t)in->columns + (size_t)column;
}

/* ---- names ---- */

/* The object's atom, cut between characters to what has room. */
static void object_name(const layout *in, int object, size_t shown, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%s", nlm_signature_atom(in->of->signature, in->of->world, object));
    size_t characters = 0;
    for (char *c = name; *c; c++) {
        if (((unsigned char)*c & 0xc0) == 0x80)
            continue;
        if (characters++ == shown) {
            *c = '\0';
            return;
        }
    }
}

static size_t longest_name(const layout *in)
{
    size_t longest = 0;
    for (int object = 0; object < in->of->objects; object++) {
        char name[NAME_SIZE];
        object_name(in, object, NAME_SHOWN, name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    return longest < NAME_SHOWN ? longest : NAME_SHOWN;
}

static void put_names(page *p, const layout *in)
{
    char name[NAME_SIZE];
    svg_group(p, "names", 0, 0);
    for (int object = 0; object < in->of->objects; object++) {
        object_name(in, object, NAME_SHOWN, name);
        const double at = (object + 0.5) * in->cell;
        if (in->rows > 1)
            svg_text(p, NULL, in->left - 4, in->top + at + 3, "end", name);
        page_print(p, "<text transform=\"translate(%.1f %.1f) rotate(-90)\">", in->left + at + 3,
                   in->top - 4);
        page_text(p, name);
        page_put(p, "</text>\n");
    }
    svg_group_end(p);
}

/* ---- cells ---- */

/* All cells of a kind from a number on, neighbours in a row together, as one path. */
static void put_together(page *p, const layout *in, char kind, size_t from, const char *class)
{
    page_print(p, "<path class=\"%s\" d=\"", class);
    for (int row = 0; row < in->rows; row++)
        for (int column = 0; column < in->columns;) {
            if (number_at(in, row, column) < from) {
                column++;
                continue;
            }
            int end = column;
            while (end < in->columns && in->of->kind[number_at(in, row, end)] == kind)
                end++;
            if (end > column)
                page_print(p, "M%.1f %.1fh%.1fv%.1fh-%.1fz", in->left + column * in->cell,
                           in->top + row * in->cell, (end - column) * in->cell, in->cell,
                           (end - column) * in->cell);
            column = end > column ? end : column + 1;
        }
    page_put(p, "\"/>\n");
}

/* True and concluded: filled; missed: hollow; invented: a cross. */
static void put_own(page *p, const layout *in, int row, int column, char kind)
{
    const size_t number = number_at(in, row, column);
    const double x = in->left + column * in->cell + 1, y = in->top + row * in->cell + 1, s = in->cell - 2;
    char said[SAID_SIZE];
    confusion_said(in->of, number, said, sizeof said);
    if (kind == CELL_INVENTED)
        page_print(p, "<path class=\"invented\" d=\"M%.1f %.1fl%.1f %.1fm0-%.1fl-%.1f %.1f\"><title>", x, y,
                   s, s, s, s, s);
    else
        page_print(p, "<path class=\"%s\" d=\"M%.1f %.1fh%.1fv%.1fh-%.1fz\"><title>",
                   kind == CELL_TRUE ? "true" : "missed", x, y, s, s, s);
    page_text(p, said);
    page_put(p, "</title></path>\n");
}

/* Each by itself as long as these are not too many; returns the number of the cell to go on from. */
static size_t put_each(page *p, const layout *in, char kind)
{
    int count = 0;
    for (int row = 0; row < in->rows; row++)
        for (int column = 0; column < in->columns; column++)
            if (in->of->kind[number_at(in, row, column)] == kind) {
                if (count++ == OWN_MOST)
                    return number_at(in, row, column);
                put_own(p, in, row, column, kind);
            }
    return in->of->count;
}

/* Errors beyond those are told by their colour alone. */
static void put_errors(page *p, const layout *in, char kind, const char *class)
{
    const size_t rest = put_each(p, in, kind);
    if (rest < in->of->count)
        put_together(p, in, kind, rest, class);
}

/* Lines between the columns, so that a row can be counted. */
static void put_grid(page *p, const layout *in)
{
    page_put(p, "<path class=\"grid\" d=\"");
    for (int column = 1; column < in->columns; column++)
        page_print(p, "M%.1f %.1fv%.1f", in->left + column * in->cell, in->top, in->rows * in->cell);
    page_put(p, "\"/>\n");
}

static void put_cells(page *p, const layout *in)
{
    const size_t positives = in->of->counts[strchr(CELL_KINDS, CELL_TRUE) - CELL_KINDS];
    put_together(p, in, CELL_FALSE, 0, "false");
    put_together(p, in, CELL_NONE, 0, "none");
    put_grid(p, in);
    if (positives > (in->named ? NAMED_OWN : OWN_MOST)) /* of named ones the script tells */
        put_together(p, in, CELL_TRUE, 0, "true");
    else
        put_each(p, in, CELL_TRUE);
    put_errors(p, in, CELL_MISSED, "missed many");
    put_errors(p, in, CELL_INVENTED, "invented many");
}

/* ---- for the script ---- */

static void put_data(page *p, const layout *in)
{
    const confusion *of = in->of;
    char name[NAME_SIZE];
    page_put(p, "<script type=\"application/json\">{\"predicate\":");
    page_json(p, nlm_signature_target(of->signature, of->target)->name);
    page_print(p, ",\"rows\":%d,\"columns\":%d,\"left\":%.1f,\"top\":%.1f,\"cell\":%.1f,\"names\":[",
               in->rows, in->columns, in->left, in->top, in->cell);
    for (int object = 0; object < of->objects; object++) {
        object_name(in, object, NAME_SIZE, name);
        page_put(p, object ? "," : "");
        page_json(p, name);
    }
    page_put(p, "],\"kinds\":\"");
    for (size_t i = 0; i < of->count; i++) { /* "!": concluded, and nobody knows */
        const bool guessed = of->kind[i] == CELL_UNLABELLED && of->probability[i] > 0.5f;
        page_print(p, "%c", guessed ? '!' : of->kind[i]);
    }
    page_put(p, "\",\"hundredths\":\""); /* of the probabilities, two digits each, 99 at most */
    for (size_t i = 0; i < of->count; i++) {
        const float hundredths = of->probability[i] * 100 + 0.5f;
        page_print(p, "%02d", hundredths >= 99 ? 99 : hundredths >= 0 ? (int)hundredths : 0);
    }
    page_put(p, "\"}</script>\n");
}

/* ---- the picture ---- */

void matrix_put(page *p, const confusion *of)
{
    layout in = {
        .of = of, .rows = of->arity == 1 ? 1 : of->objects, .columns = of->objects, .left = 4, .top = 4};
    /* Types may give two objects the same atom; and a fact may name an object twice: then no script. */
    const nlm_predicate *target = nlm_signature_target(of->signature, of->target);
    in.named = of->objects <= NAMED_MOST;
    in.cell = in.named ? 15 : 6;
    if (in.named) {
        const double room = 8 + 6.2 * (double)longest_name(&in);
        in.left = in.rows > 1 ? room : 8;
        in.top = room;
    }
    const char *label =
        of->arity == 1 ? "conclusions about each object" : "conclusions about each pair of objects";
    const double width = in.left + in.columns * in.cell + 4, height = in.top + in.rows * in.cell + 4;
    page_print(p,
               "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><div "
               "class=\"matrix\" tabindex=\"-1\">\n",
               label);
    svg_begin_sized(p, width, height, NULL, label);
    svg_rectangle(p, "ground", in.left, in.top, in.columns * in.cell, in.rows * in.cell, NULL);
    if (in.named)
        put_names(p, &in);
    put_cells(p, &in);
    svg_end(p);
    if (in.named && target->arity == target->objects)
        put_data(p, &in);
    page_put(p, "</div></div>\n");
}
