/* Pictures: SVG within a page. */
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 32 };

/* Without digits that say nothing; what is no number is 0. */
static const char *number(double value, char text[NUMBER_SIZE])
{
    snprintf(text, NUMBER_SIZE, "%.2f", isfinite(value) && fabs(value) < 1e9 ? value : 0.0);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
    return strcmp(text, "-0") ? text : "0";
}

static void put_number(page *p, const char *name, double value)
{
    char text[NUMBER_SIZE];
    page_print(p, " %s=\"%s\"", name, number(value, text));
}

static void put_element(page *p, const char *element, const char *class)
{
    page_print(p, "<%s", element);
    if (class)
        page_print(p, " class=\"%s\"", class);
}

static void put_end(page *p, const char *element, const char *said)
{
    if (!said) {
        page_put(p, "/>\n");
        return;
    }
    page_put(p, "><title>");
    page_text(p, said);
    page_print(p, "</title></%s>\n", element);
}

static void begin(page *p, double width, double height, bool sized, const char *class, const char *label)
{
    char w[NUMBER_SIZE], h[NUMBER_SIZE];
    put_element(p, "svg", class);
    if (sized)
        put_number(p, "width", width);
    page_print(p, " viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"", number(width, w), number(height, h));
    page_text(p, label);
    page_put(p, "\">\n");
}

void svg_begin(page *p, double width, double height, const char *class, const char *label)
{
    begin(p, width, height, false, class, label);
}

void svg_begin_sized(page *p, double width, double height, const char *class, const char *label)
{
    begin(p, width, height, true, class, label);
}

void svg_end(page *p)
{
    page_put(p, "</svg>\n");
}

void svg_group(page *p, const char *class, double x, double y)
{
    char a[NUMBER_SIZE], b[NUMBER_SIZE];
    put_element(p, "g", class);
    if (x != 0 || y != 0)
        page_print(p, " transform=\"translate(%s %s)\"", number(x, a), number(y, b));
    page_put(p, ">\n");
}

void svg_group_end(page *p)
{
    page_put(p, "</g>\n");
}

void svg_line(page *p, const char *class, double x1, double y1, double x2, double y2)
{
    put_element(p, "line", class);
    put_number(p, "x1", x1);
    put_number(p, "y1", y1);
    put_number(p, "x2", x2);
    put_number(p, "y2", y2);
    put_end(p, "line", NULL);
}

void svg_rectangle(page *p, const char *class, double x, double y, double width, double height,
                   const char *said)
{
    put_element(p, "rect", class);
    put_number(p, "x", x);
    put_number(p, "y", y);
    put_number(p, "width", width);
    put_number(p, "height", height);
    put_end(p, "rect", said);
}

void svg_circle(page *p, const char *class, double x, double y, double radius, const char *said)
{
    put_element(p, "circle", class);
    put_number(p, "cx", x);
    put_number(p, "cy", y);
    put_number(p, "r", radius);
    put_end(p, "circle", said);
}

void svg_text(page *p, const char *class, double x, double y, const char *anchor, const char *text)
{
    put_element(p, "text", class);
    put_number(p, "x", x);
    put_number(p, "y", y);
    page_print(p, " text-anchor=\"%s\">", anchor);
    page_text(p, text);
    page_put(p, "</text>\n");
}

void svg_path_begin(page *p, const char *class)
{
    put_element(p, "path", class);
    page_put(p, " d=\"");
}

void svg_path_point(page *p, double x, double y)
{
    char a[NUMBER_SIZE], b[NUMBER_SIZE];
    const char last = p->failed || p->length == 0 ? '"' : ((const char *)p->text.data)[p->length - 1];
    page_print(p, "%s%s %s", last == '"' ? "M" : "L", number(x, a), number(y, b));
}

void svg_path_end(page *p, bool closed)
{
    page_put(p, closed ? "Z\"/>\n" : "\"/>\n");
}
