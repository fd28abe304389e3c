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

typedef struct attribute {
    const char *name;
    double value;
} attribute;

/* The beginning of an element, with attributes up to one without a name. */
static void put_element(page *p, const char *element, const char *class, const attribute *of)
{
    char text[NUMBER_SIZE];
    page_print(p, "<%s", element);
    if (class)
        page_print(p, " class=\"%s\"", class);
    for (; of && of->name; of++)
        page_print(p, " %s=\"%s\"", of->name, number(of->value, text));
}

static void put_shape(page *p, const char *element, const char *class, const attribute *of, const char *said)
{
    put_element(p, element, class, of);
    if (said) {
        page_wrap(p, "><title>", said, "</title>");
        page_print(p, "</%s>\n", element);
    } else {
        page_put(p, "/>\n");
    }
}

void svg_begin(page *p, double width, double height, bool sized, const char *class, const char *label)
{
    char w[NUMBER_SIZE], h[NUMBER_SIZE];
    put_element(p, "svg", class, sized ? (const attribute[]){{"width", width}, {0}} : NULL);
    page_print(p, " viewBox=\"0 0 %s %s\" role=\"img\"", number(width, w), number(height, h));
    page_wrap(p, " aria-label=\"", label, "\">\n");
}

void svg_end(page *p)
{
    page_put(p, "</svg>\n");
}

void svg_group(page *p, const char *class, double x, double y)
{
    char a[NUMBER_SIZE], b[NUMBER_SIZE];
    put_element(p, "g", class, NULL);
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
    put_shape(p, "line", class, (const attribute[]){{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {0}},
              NULL);
}

void svg_rectangle(page *p, const char *class, double x, double y, double width, double height,
                   const char *said)
{
    put_shape(p, "rect", class,
              (const attribute[]){{"x", x}, {"y", y}, {"width", width}, {"height", height}, {0}}, said);
}

void svg_circle(page *p, const char *class, double x, double y, double radius)
{
    put_shape(p, "circle", class, (const attribute[]){{"cx", x}, {"cy", y}, {"r", radius}, {0}}, NULL);
}

void svg_text(page *p, const char *class, double x, double y, const char *anchor, const char *text)
{
    put_element(p, "text", class, (const attribute[]){{"x", x}, {"y", y}, {0}});
    page_print(p, " text-anchor=\"%s\"", anchor);
    page_wrap(p, ">", text, "</text>\n");
}

void svg_integer(page *p, const char *class, double x, double y, int value)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%d", value);
    svg_text(p, class, x, y, "middle", text);
}

void svg_path_begin(page *p, const char *class)
{
    put_element(p, "path", class, NULL);
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
