/* Pictures: SVG within a page.
 *
 * Colours and strokes come from classes of assets/style.css, so that they follow the reader's light or dark
 * mode. Coordinates are printed with at most two digits after the point. */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include "report/page.h"

/* A picture that scales to the width it is given; if it is sized, as wide as its own units are pixels, or
 * where the style says so no wider than the room for it.  The label is what a screen reader says in its
 * place. */
void svg_begin(page *p, double width, double height, bool sized, const char *class, const char *label);
void svg_end(page *p);

/* A group of shapes with a class, moved by (x, y). */
void svg_group(page *p, const char *class, double x, double y);
void svg_group_end(page *p);

void svg_line(page *p, const char *class, double x1, double y1, double x2, double y2);
/* A rectangle with what is said of it under the pointer, or NULL. */
void svg_rectangle(page *p, const char *class, double x, double y, double width, double height,
                   const char *said);
void svg_circle(page *p, const char *class, double x, double y, double radius);
/* Anchored at "start", "middle" or "end". */
void svg_text(page *p, const char *class, double x, double y, const char *anchor, const char *text);

/* A whole number, anchored in its middle. */
void svg_integer(page *p, const char *class, double x, double y, int value);

/* A line through points, closed and filled if its class says so; from begin to end only points. */
void svg_path_begin(page *p, const char *class);
void svg_path_point(page *p, double x, double y);
void svg_path_end(page *p, bool closed);

#endif
