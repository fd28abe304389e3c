/* Pictures of a position that stand still.  What is in place is filled, and has a class of its own; all else
 * is outlined. */
#include <stdio.h>
#include <string.h>
#include "report/replay.h"
#include "report/svg.h"

enum { NUMBER_SIZE = 16 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* A picture no wider than it is drawn, with a line above it. */
static void begin_still(page *p, double width, double height, const char *label)
{
    page_print(p, "<div class=\"replay-still\"><p>%s</p>\n", label);
    svg_begin_sized(p, width, height, "replay-picture", label);
}

static void end_still(page *p)
{
    svg_end(p);
    page_put(p, "</div>\n");
}

static void put_number(page *p, const char *class, double x, double y, int number)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%d", number);
    svg_text(p, class, x, y, "middle", text);
}

static const char *item_class(bool in_place)
{
    return in_place ? "replay-item in-place" : "replay-item";
}

/* ---- sort: rows of bars ---- */

enum { BARS_ABREAST = 14, BAR_STEP = 24, BAR_HEIGHT = 80, BAR_ROW = BAR_HEIGHT + 34, BAR_LEAST = 4 };

static void draw_bar(const nlm_replay *replay, int slot, int value, page *p)
{
    const double left = slot % BARS_ABREAST * BAR_STEP, bottom = slot / BARS_ABREAST * BAR_ROW + BAR_ROW - 18;
    const double height = BAR_LEAST + (double)(BAR_HEIGHT - BAR_LEAST) * (value + 1) / replay->objects;
    svg_group(p, item_class(slot == value), left, bottom);
    svg_rectangle(p, NULL, 3, -height, BAR_STEP - 6, height, NULL);
    put_number(p, NULL, BAR_STEP / 2.0, -height - 3, value);
    svg_group_end(p);
    put_number(p, "replay-dim", left + BAR_STEP / 2.0, bottom + 13, slot);
}

static void draw_sort(const nlm_replay *replay, int position, const char *label, page *p)
{
    const int *values = replay_state(replay, position);
    const int abreast = replay->objects < BARS_ABREAST ? replay->objects : BARS_ABREAST;
    const int rows = (replay->objects + abreast - 1) / abreast;
    begin_still(p, larger(abreast, 4) * BAR_STEP, rows * BAR_ROW, label);
    for (int slot = 0; slot < replay->objects; slot++)
        draw_bar(replay, slot, values[slot], p);
    end_still(p);
}

/* ---- path: the graph, and the way walked ---- */

enum { GRAPH_SMALL = 340, GRAPH_LARGE = 520, GRAPH_MANY = 20, NODE_RADIUS = 11, GRAPH_EDGE = 18 };

typedef struct drawn_graph {
    const nlm_replay *replay;
    double width, height;
} drawn_graph;

static replay_point point_of(const drawn_graph *graph, int node)
{
    const replay_point point = graph->replay->points[node];
    return (replay_point){GRAPH_EDGE + point.x * (graph->width - 2 * GRAPH_EDGE),
                          GRAPH_EDGE + point.y * (graph->height - 2 * GRAPH_EDGE)};
}

static void draw_edge(const drawn_graph *graph, const char *class, int x, int y, page *p)
{
    const replay_point from = point_of(graph, x), to = point_of(graph, y);
    svg_line(p, class, from.x, from.y, to.x, to.y);
}

static void draw_diamond(double r, page *p)
{
    svg_path_begin(p, NULL);
    svg_path_point(p, 0, -r);
    svg_path_point(p, r, 0);
    svg_path_point(p, 0, r);
    svg_path_point(p, -r, 0);
    svg_path_end(p, true);
}

/* The start is a square, the target a diamond, the current node is filled. */
static void draw_node(const drawn_graph *graph, int node, int current, page *p)
{
    const nlm_replay *replay = graph->replay;
    const replay_point at = point_of(graph, node);
    const double r = NODE_RADIUS;
    char class[64];
    snprintf(class, sizeof class, "replay-node%s%s",
             node == replay->start    ? " start"
             : node == replay->target ? " target"
                                      : "",
             node == current ? " current" : "");
    svg_group(p, class, at.x, at.y);
    if (node == replay->start)
        svg_rectangle(p, NULL, -r, -r, 2 * r, 2 * r, "start");
    else if (node == replay->target)
        draw_diamond(1.4 * r, p);
    else
        svg_circle(p, NULL, 0, 0, r, NULL);
    put_number(p, NULL, 0, 4, node);
    svg_group_end(p);
}

static void draw_path(const nlm_replay *replay, int position, const char *label, page *p)
{
    const double width = replay->objects < GRAPH_MANY ? GRAPH_SMALL : GRAPH_LARGE;
    const drawn_graph graph = {.replay = replay, .width = width, .height = width * 0.8};
    const int *edges = replay->edges.data;
    begin_still(p, graph.width, graph.height, label);
    for (int e = 0; e < replay->edge_count; e++)
        draw_edge(&graph, "replay-edge", edges[2 * e], edges[2 * e + 1], p);
    for (int i = 1; i <= position; i++)
        if (*replay_state(replay, i) != *replay_state(replay, i - 1))
            draw_edge(&graph, "replay-way", *replay_state(replay, i - 1), *replay_state(replay, i), p);
    for (int node = 0; node < replay->objects; node++)
        draw_node(&graph, node, *replay_state(replay, position), p);
    end_still(p);
}

/* ---- blocks: towers ---- */

enum { BLOCK_STEP = 34, BLOCK_WIDTH = 30, BLOCK_HEIGHT = 22 };

/* above[b] is what stands on block b, above[0] on nothing.  Returns the number of towers. */
static int find_above(const int *below, int objects, int *above, int *highest)
{
    int towers = 0;
    for (int block = 1; block <= objects; block++) {
        if (below[block - 1] > 0)
            above[below[block - 1]] = block;
        else
            towers++;
    }
    *highest = 0;
    for (int base = 1; base <= objects; base++) {
        int height = 0;
        for (int block = below[base - 1] == 0 ? base : 0; block > 0; block = above[block])
            height++;
        *highest = larger(*highest, height);
    }
    return towers;
}

static void draw_tower(const nlm_replay *replay, const int *below, const int *above, int base, double left,
                       double bottom, page *p)
{
    bool in_place = true;
    for (int block = base; block > 0; block = above[block]) {
        in_place = in_place && below[block - 1] == replay->below[block - 1];
        bottom -= BLOCK_HEIGHT;
        svg_group(p, item_class(in_place), left, bottom);
        svg_rectangle(p, NULL, (BLOCK_STEP - BLOCK_WIDTH) / 2.0, 1, BLOCK_WIDTH, BLOCK_HEIGHT - 2, NULL);
        put_number(p, NULL, BLOCK_STEP / 2.0, BLOCK_HEIGHT / 2.0 + 4, block);
        svg_group_end(p);
    }
}

/* Position -1 is the target. */
static void draw_blocks(const nlm_replay *replay, int position, const char *label, page *p)
{
    const int *below = position < 0 ? replay->below : replay_state(replay, position);
    int *above = storage_new((size_t)replay->objects + 1, sizeof *above), highest, place = 0;
    if (!above) {
        p->failed = true;
        return;
    }
    const int towers = find_above(below, replay->objects, above, &highest);
    const double width = larger(towers, 3) * BLOCK_STEP, bottom = highest * BLOCK_HEIGHT + 4;
    begin_still(p, width, bottom + 4, label);
    for (int base = 1; base <= replay->objects; base++)
        if (below[base - 1] == 0)
            draw_tower(replay, below, above, base, BLOCK_STEP * place++, bottom, p);
    svg_line(p, "replay-ground", 0, bottom, width, bottom);
    end_still(p);
    free(above);
}

/* ---- */

void replay_draw(const nlm_replay *replay, page *p)
{
    static const struct {
        const char *name;
        void (*draw)(const nlm_replay *replay, int position, const char *label, page *p);
    } games[] = {{"sort", draw_sort}, {"path", draw_path}, {"blocks", draw_blocks}};
    int i = 0;
    while (strcmp(games[i].name, replay->game->name) != 0)
        i++;
    games[i].draw(replay, 0, "first position", p);
    if (replay->positions > 1)
        games[i].draw(replay, replay->positions - 1, "last position", p);
    if (replay->below)
        games[i].draw(replay, -1, "target", p);
}
