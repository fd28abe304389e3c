/* Images with the page's ink.
 *
 * A shade is one path of horizontal lines as thick as a pixel, a line for each run of pixels in a row. */
#include "report/pixels.h"

#include "nlm/gallery.h"

enum { SIDE = NLM_IMAGE_SIDE, SHADES = 4 };

/* 0 is paper, SHADES is ink; what is no number is paper. */
static int shade_of(float pixel)
{
    const float shade = pixel * SHADES + 0.5f;
    return shade >= SHADES ? SHADES : shade >= 1 ? (int)shade : 0;
}

static void put_shades(page *p, const float *pixels)
{
    for (int shade = 1; shade <= SHADES; shade++) {
        bool begun = false;
        for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++) {
                int end = column; /* of the run of pixels of this shade that begins here */
                while (end < SIDE && shade_of(pixels[row * SIDE + end]) == shade)
                    end++;
                if (end == column)
                    continue;
                if (!begun)
                    page_print(p, "<path class=\"shade-%d\" d=\"", shade);
                begun = true;
                page_print(p, "M%d %dh%d", column, row, end - column);
                column = end;
            }
        if (begun)
            page_put(p, "\"/>\n");
    }
}

void pixels_put(page *p, const float *pixels, double x, double y, double side)
{
    const double scale = side / SIDE;
    page_print(p, "<g class=\"pixels\" transform=\"translate(%.2f %.2f) scale(%.4f)\">\n", x, y + scale / 2,
               scale);
    put_shades(p, pixels);
    page_put(p, "</g>\n");
}

void pixels_picture(page *p, const float *pixels, const char *label)
{
    page_print(p, "<svg class=\"pixels\" viewBox=\"0 -0.5 %d %d\" role=\"img\" aria-label=\"", SIDE, SIDE);
    page_text(p, label);
    page_wrap(p, "\"><title>", label, "</title>\n");
    put_shades(p, pixels);
    page_put(p, "</svg>");
}
