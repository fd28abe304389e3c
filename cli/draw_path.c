/* Drawing path: the way so far, and the graph around the current node, one row per node.
 *
 *     start 3, target 7, 2 edges walked: 3 - 5 - 9
 *
 *       node  to go  edges lead to
 *     >    9      2  2 5 8
 *          8      1  7* 9
 *     *    7      0  8
 *
 * Nodes come in the order of their distance from the current one, marked >; the target is marked *. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { HEADING = 3, ROWS_MOST = 24 };

/* Distances from a node, -1 where no path leads; returns how many nodes are in `order`, the nearest first. */
static int search(const nlm_position *position, int from, int *distance, int *order)
{
    const int count = nlm_position_objects(position);
    int found = 0;
    for (int x = 0; x < count; x++)
        distance[x] = -1;
    distance[from] = 0;
    order[found++] = from;
    for (int done = 0; done < found; done++) {
        for (int y = 0; y < count; y++) {
            if (distance[y] < 0 && nlm_path_edge(position, order[done], y)) {
                distance[y] = distance[order[done]] + 1;
                order[found++] = y;
            }
        }
    }
    return found;
}

/* "3 - 5 - 9"; a way that is too long loses its beginning: "... - 9". */
static void draw_way(const scene *drawn, int column, sheet *paper)
{
    static const char missing[] = "... - ", parted[] = " - ";
    int first = 0, length = -(int)strlen(parted);
    for (int i = 0; i < drawn->count; i++)
        length += draw_digits(drawn->notes[i]) + (int)strlen(parted);
    while (first < drawn->count - 1 &&
           column + length + (first > 0 ? (int)strlen(missing) : 0) > paper->width) {
        length -= draw_digits(drawn->notes[first]) + (int)strlen(parted);
        first++;
    }
    if (first > 0) {
        sheet_put(paper, 0, column, "%s", missing);
        column += (int)strlen(missing);
    }
    for (int i = first; i < drawn->count; i++) {
        const int digits = draw_digits(drawn->notes[i]);
        sheet_put(paper, 0, column, "%d%s", drawn->notes[i], i < drawn->count - 1 ? parted : "");
        column += digits + (int)strlen(parted);
    }
}

static void draw_walk(scene *drawn, const nlm_position *position, sheet *paper)
{
    char heading[80];
    const int current = nlm_path_current(position);
    if (drawn->count == 0 || drawn->notes[drawn->count - 1] != current)
        drawn->notes[drawn->count++] = current;
    const int edges = drawn->count - 1;
    snprintf(heading, sizeof heading, "start %d, target %d, %d edge%s walked: ", nlm_path_start(position),
             nlm_path_target(position), edges, edges == 1 ? "" : "s");
    sheet_line(paper, "%s", heading);
    draw_way(drawn, (int)strlen(heading), paper);
    sheet_line(paper, "%s", "");
}

/* The neighbours of a node, as many as fit. */
static void draw_edges(const nlm_position *position, int node, int row, int column, sheet *paper)
{
    const int count = nlm_position_objects(position);
    const int cell = draw_digits(count - 1) + 2;
    int left = 0;
    for (int y = 0; y < count; y++)
        left += nlm_path_edge(position, node, y);
    for (int y = 0; y < count && left > 0; y++) {
        if (!nlm_path_edge(position, node, y))
            continue;
        if (left > 1 && column + cell + (int)sizeof "and 1000 more" > paper->width) {
            sheet_put(paper, row, column, "and %d more", left);
            return;
        }
        char text[16];
        const int length = snprintf(text, sizeof text, "%d%s ", y, nlm_path_target(position) == y ? "*" : "");
        sheet_put(paper, row, column, "%s", text);
        column += length;
        left--;
    }
}

static void draw_node(const nlm_position *position, int node, int to_go, sheet *paper)
{
    const int row = paper->rows;
    sheet_put(paper, row, 0, "%c%c", node == nlm_path_current(position) ? '>' : ' ',
              node == nlm_path_target(position) ? '*' : ' ');
    sheet_put(paper, row, 2, "%5d", node);
    if (to_go >= 0)
        sheet_put(paper, row, 7, "%7d", to_go);
    else
        sheet_put(paper, row, 7, "%7s", "-");
    draw_edges(position, node, row, 16, paper);
}

void draw_path(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper)
{
    (void)move;
    const int target = nlm_path_target(position);
    int *to_go = drawn->spare, *order = drawn->spare + drawn->objects, *away = order + drawn->objects;
    draw_walk(drawn, position, paper);
    sheet_line(paper, "%7s%7s  %s", "node", "to go", "edges lead to");
    search(position, target, to_go, order);
    const int found = search(position, nlm_path_current(position), away, order);
    int room = rows - HEADING < ROWS_MOST ? rows - HEADING : ROWS_MOST;
    if (room < drawn->objects)
        room -= 2; /* the target may come last, and a line tells what is missing */
    int shown = 0;
    bool target_shown = false;
    for (int i = 0; i < found && (shown < room || shown == 0); i++, shown++) {
        draw_node(position, order[i], to_go[order[i]], paper);
        target_shown |= order[i] == target;
    }
    if (!target_shown) {
        draw_node(position, target, to_go[target], paper);
        shown++;
    }
    if (shown < drawn->objects)
        sheet_line(paper, "not shown: %d farther away", drawn->objects - shown);
}
