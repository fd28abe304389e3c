/* Images of 28 x 28 pixels, drawn with the page's ink: they follow the reader's light or dark mode, and no
 * picture file is needed. */
#ifndef REPORT_PIXELS_H
#define REPORT_PIXELS_H

#include "report/page.h"

/* Within a picture (svg.h), as a square with its upper left corner at (x, y).  Pixels are in [0, 1], rounded
 * to five shades from paper to ink. */
void pixels_put(page *p, const float *pixels, double x, double y, double side);
/* A picture of its own for a line of text; the label is what is said of it under the pointer and by screen
 * readers. */
void pixels_picture(page *p, const float *pixels, const char *label);

#endif
