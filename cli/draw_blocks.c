/* Drawing blocks: the towers of the operating world, and beside them, or below, those of the target.
 *
 *     now: 1 of 3 in place      target
 *
 *                               [3]
 *         (3)                   [2]
 *     [1] (2)                   [1]
 *     -------                   ---
 *
 * A block in brackets is in place: it and all below it stand as in the target.  A tower keeps its place as
 * long as its lowest block stands; a new one takes the first place that is free.  Where a row of towers is
 * too wide, it goes on in a row below. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 4, TITLE = 48, HALF_LEAST = 4 };

/* One of the two worlds, in the scene's spare rows. */
typedef struct world {
    const nlm_position *position;
    bool target;
    int digits; /* of the largest number */
    int cell;   /* columns from tower to tower: the digits, brackets, and a space if there is room */
    int places; /* some may be empty */
    int *above; /* of each block, 0 for none */
    int *at;    /* the lowest block of the tower at each place, 0 for none */
} world;

/* ---- where towers stand ---- */

/* Keep the places of towers that still stand; others get the first that is free. */
static void update_places(scene *drawn, const nlm_position *position)
{
    int *place = drawn->notes, *taken = drawn->spare;
    const bool first = drawn->count == 0;
    memset(taken, 0, ((size_t)drawn->objects + 1) * sizeof *taken);
    for (int block = 1; block <= drawn->objects; block++) {
        const bool lowest = nlm_blocks_below(position, false, block) == 0;
        if (first || !lowest)
            place[block] = -1;
        if (place[block] >= 0)
            taken[place[block]] = 1;
    }
    drawn->count = 1;
    for (int block = 1, free = 0; block <= drawn->objects; block++) {
        if (nlm_blocks_below(position, false, block) != 0)
            continue;
        while (place[block] < 0 && taken[free])
            free++;
        if (place[block] < 0)
            place[block] = free++;
        if (place[block] >= drawn->count)
            drawn->count = place[block] + 1;
    }
}

static world look_at(const scene *drawn, const nlm_position *position, bool target, int cell)
{
    world seen = {.position = position,
                  .target = target,
                  .digits = draw_digits(drawn->objects),
                  .cell = cell,
                  .above = drawn->spare,
                  .at = drawn->spare + drawn->objects + 1};
    const size_t size = ((size_t)drawn->objects + 1) * sizeof *seen.above;
    memset(seen.above, 0, size);
    memset(seen.at, 0, size);
    for (int block = 1; block <= drawn->objects; block++) {
        const int below = nlm_blocks_below(position, target, block);
        if (below > 0)
            seen.above[below] = block;
        else
            seen.at[target ? seen.places++ : drawn->notes[block]] = block;
    }
    if (!target)
        seen.places = drawn->count;
    return seen;
}

/* ---- one world ---- */

static int tower_height(const world *seen, int place)
{
    int height = 0;
    for (int block = seen->at[place]; block > 0; block = seen->above[block])
        height++;
    return height;
}

/* Blocks of the highest tower among some places. */
static int highest(const world *seen, int first, int count)
{
    int height = 0;
    for (int place = first; place < first + count && place < seen->places; place++) {
        const int here = tower_height(seen, place);
        height = here > height ? here : height;
    }
    return height;
}

/* Rows of the whole world with so many towers side by side: blocks and ground. */
static int world_rows(const world *seen, int abreast)
{
    int rows = 0;
    for (int first = 0; first < seen->places; first += abreast) {
        const int height = highest(seen, first, abreast);
        rows += height > 0 ? height + 1 : 0;
    }
    return rows;
}

/* Columns of so many towers side by side. */
static int row_width(int towers, int cell, int digits)
{
    return (towers - 1) * cell + digits + 2;
}

/* From the ground, which is at `row`, upwards. */
static void draw_tower(const world *seen, int place, int row, int column, sheet *paper)
{
    bool right = true;
    for (int block = seen->at[place]; block > 0; block = seen->above[block]) {
        right = right && nlm_blocks_below(seen->position, !seen->target, block) ==
                             nlm_blocks_below(seen->position, seen->target, block);
        const bool solid = right || seen->target;
        sheet_put(paper, --row, column, "%c%*d%c", solid ? '[' : '(', seen->digits, block, solid ? ']' : ')');
    }
}

/* Returns the row after the last. */
static int draw_world(const world *seen, int abreast, int row, int left, sheet *paper)
{
    for (int first = 0; first < seen->places; first += abreast) {
        const int height = highest(seen, first, abreast);
        const int last = first + abreast < seen->places ? first + abreast : seen->places;
        if (height == 0)
            continue;
        row += height;
        for (int place = first; place < last; place++)
            draw_tower(seen, place, row, left + (place - first) * seen->cell, paper);
        for (int column = 0; column < row_width(last - first, seen->cell, seen->digits); column++)
            sheet_put(paper, row, left + column, "-");
        row++;
    }
    return row;
}

/* ---- both ---- */

static int count_in_place(const world *seen)
{
    int count = 0;
    for (int place = 0; place < seen->places; place++) {
        bool right = true;
        for (int block = seen->at[place]; block > 0 && right; block = seen->above[block]) {
            right = nlm_blocks_below(seen->position, true, block) ==
                    nlm_blocks_below(seen->position, false, block);
            count += right;
        }
    }
    return count;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Both in the same rows, `left` is where the target begins, with so many towers side by side in each. */
static void draw_beside(const scene *drawn, const nlm_position *position, int cell, int left, int abreast,
                        sheet *paper)
{
    world seen = look_at(drawn, position, true, cell);
    const int target_rows = world_rows(&seen, abreast);
    seen = look_at(drawn, position, false, cell);
    const int now_rows = world_rows(&seen, abreast), most = larger(now_rows, target_rows);
    draw_world(&seen, abreast, 1 + most - now_rows, 0, paper);
    sheet_put(paper, 0, left, "target");
    seen = look_at(drawn, position, true, cell);
    draw_world(&seen, abreast, 1 + most - target_rows, left, paper);
}

static void draw_below(const scene *drawn, const nlm_position *position, int cell, int abreast, sheet *paper)
{
    world seen = look_at(drawn, position, false, cell);
    const int end = draw_world(&seen, abreast, 1, 0, paper);
    seen = look_at(drawn, position, true, cell);
    sheet_put(paper, end + 1, 0, "target");
    draw_world(&seen, abreast, end + 2, 0, paper);
}

/* Beside each other, each world in one row of towers; else in as many as fit into half the width; else, where
 * that is too narrow, below each other. */
void draw_blocks(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper)
{
    (void)move;
    (void)rows;
    char title[TITLE];
    update_places(drawn, position);
    const int digits = draw_digits(drawn->objects), narrow = digits + 2;
    const int target_places = look_at(drawn, position, true, narrow).places;
    const world now = look_at(drawn, position, false, narrow);
    snprintf(title, sizeof title, "now: %d of %d in place", count_in_place(&now), drawn->objects);
    sheet_put(paper, 0, 0, "%s", title);
    drawn->widest = larger(drawn->widest, now.places);
    for (int cell = narrow + 1; cell >= narrow; cell--) {
        const int left = larger(row_width(drawn->widest, cell, digits), (int)strlen(title)) + GAP;
        if (left + row_width(target_places, cell, digits) <= paper->width) {
            draw_beside(drawn, position, cell, left, drawn->objects, paper);
            return;
        }
    }
    const int half = (paper->width - GAP) / 2;
    if (half >= (int)strlen(title) && half >= HALF_LEAST * narrow)
        draw_beside(drawn, position, narrow, half + GAP, half / narrow, paper);
    else
        draw_below(drawn, position, narrow, larger(paper->width / narrow, 1), paper);
}
