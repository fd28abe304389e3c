/* Drawing sort: a bar for every slot, as high as its number.
 *
 *           ##
 *        ## ##
 *     ## ## ##
 *     value 1  0  2
 *     slot  0  1  2
 *           ^  ^
 *
 * Arrays that are too long for this have narrow bars, and their numbers in rows below; still longer ones have
 * the rows only. */
#include "draw.h"

enum { LABEL = 6, MARKS = 3 }; /* columns of "value ", rows below the bars */

static bool is_moved(const int *move, int slot)
{
    return move != NULL && (move[0] == slot || move[1] == slot);
}

/* Bars of `bar` columns, one every `step`, in `height` rows; the largest number has them all. */
static void draw_bars(const nlm_position *position, int height, int left, int step, int bar, sheet *paper)
{
    static const char filled[] = "##########";
    const int count = nlm_position_objects(position);
    for (int slot = 0; slot < count; slot++) {
        const int rows = ((nlm_sort_value(position, slot) + 1) * height + count - 1) / count;
        for (int row = height - rows; row < height; row++)
            sheet_put(paper, row, left + slot * step, "%.*s", bar, filled);
    }
}

static void draw_labelled(const nlm_position *position, const int *move, int rows, int bar, sheet *paper)
{
    const int count = nlm_position_objects(position);
    const int height = rows - MARKS < 1 ? 1 : rows - MARKS < count ? rows - MARKS : count;
    draw_bars(position, height, LABEL, bar + 1, bar, paper);
    sheet_put(paper, height, 0, "value");
    sheet_put(paper, height + 1, 0, "slot");
    sheet_put(paper, height + 2, 0, "%s", "");
    for (int slot = 0; slot < count; slot++) {
        const int column = LABEL + slot * (bar + 1);
        sheet_put(paper, height, column, "%d", nlm_sort_value(position, slot));
        sheet_put(paper, height + 1, column, "%d", slot);
        if (is_moved(move, slot))
            sheet_put(paper, height + 2, column, "^");
    }
}

/* "slots 20..39: 7 [3] 12 ...", the numbers to be swapped in brackets. */
static void draw_rows(const nlm_position *position, const int *move, int digits, int in_row, sheet *paper)
{
    const int count = nlm_position_objects(position);
    for (int first = 0; first < count; first += in_row) {
        const int row = paper->rows, last = first + in_row < count ? first + in_row - 1 : count - 1;
        sheet_put(paper, row, 0, "slots %*d..%*d:", digits, first, digits, last);
        for (int slot = first; slot <= last; slot++) {
            const bool moved = is_moved(move, slot);
            sheet_put(paper, row, 10 + 2 * digits + (slot - first) * (digits + 2), "%c%*d%c",
                      moved ? '[' : ' ', digits, nlm_sort_value(position, slot), moved ? ']' : ' ');
        }
    }
}

void draw_sort(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper)
{
    const int count = drawn->objects, digits = draw_digits(count - 1);
    const int bar = digits < 2 ? 2 : digits;
    if (LABEL + count * (bar + 1) - 1 <= paper->width) {
        draw_labelled(position, move, rows, bar, paper);
        return;
    }
    const int fitting = (paper->width - 10 - 2 * digits) / (digits + 2), in_row = fitting < 1 ? 1 : fitting;
    const int height = rows - (count + in_row - 1) / in_row;
    if (count <= paper->width && height > 1)
        draw_bars(position, height, 0, 1, 1, paper);
    draw_rows(position, move, digits, in_row, paper);
}
