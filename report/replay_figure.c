/* The figure of a replay: pictures and words for readers without scripts, and the data of assets/replay.js.
 *
 * The data is an object: game, objects, limit, outcome, solved, what the game's positions have in common
 * (target; or start, target, edges as a row of pairs, points as a row of thousandths), and steps.  A step is
 * a state, the numbers of a position, and top, the choices: [move, probability, 1 if it is legal].
 *
 * In pictures, what is in place is filled, and has a class of its own; all else is outlined. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/replay.h"
#include "report/svg.h"

/* ---- where the nodes of a graph are drawn ----
 *
 * Nodes push each other away, edges pull (Fruchterman and Reingold, 1991), and everything is drawn to the
 * middle a little, so that what is not connected does not fly off.  With d the distance of two nodes and
 * k = 1 / sqrt(nodes): a push is k^2 / d, a pull d^2 / k.  No step is longer than the temperature, which
 * falls to 0. */

#define PI 3.14159265358979323846
#define GRAVITY 0.6
#define FIRST_TEMPERATURE 0.15
#define NEAREST 0.65 /* two nodes, in units of k */

enum { ROUNDS_MOST = 400, ROUNDS_LEAST = 10, SEPARATIONS = 20 };
static const double PAIRS_MOST = 4e7; /* of nodes, in all rounds */

typedef struct layout {
    int nodes, edge_count;
    const int *edges;
    replay_point *points, *forces;
    double k;
} layout;

/* Moves two points, or adds to two forces, by the same way in opposite directions. */
static void part(replay_point *a, replay_point *b, double dx, double dy)
{
    a->x += dx;
    a->y += dy;
    b->x -= dx;
    b->y -= dy;
}

static void step(const layout *l, double temperature)
{
    for (int x = 0; x < l->nodes; x++)
        l->forces[x] = (replay_point){-GRAVITY * l->points[x].x, -GRAVITY * l->points[x].y};
    for (int x = 0; x < l->nodes; x++)
        for (int y = 0; y < x; y++) {
            const double dx = l->points[x].x - l->points[y].x, dy = l->points[x].y - l->points[y].y;
            const double push = l->k * l->k / (dx * dx + dy * dy + 1e-9);
            part(&l->forces[x], &l->forces[y], dx * push, dy * push);
        }
    for (int e = 0; e < l->edge_count; e++) {
        const int x = l->edges[2 * e], y = l->edges[2 * e + 1];
        const double dx = l->points[x].x - l->points[y].x, dy = l->points[x].y - l->points[y].y;
        const double pull = sqrt(dx * dx + dy * dy) / l->k;
        part(&l->forces[x], &l->forces[y], -dx * pull, -dy * pull);
    }
    for (int x = 0; x < l->nodes; x++) {
        const replay_point force = l->forces[x];
        const double length = sqrt(force.x * force.x + force.y * force.y) + 1e-12;
        const double allowed = length < temperature ? 1 : temperature / length;
        l->points[x].x += force.x * allowed;
        l->points[x].y += force.y * allowed;
    }
}

/* Turn all so that the way from start to target leads to the right. */
static void turn(const layout *l, int start, int target)
{
    const double dx = l->points[target].x - l->points[start].x, dy = l->points[target].y - l->points[start].y;
    const double length = sqrt(dx * dx + dy * dy) + 1e-12;
    for (int x = 0; x < l->nodes; x++) {
        const replay_point p = l->points[x];
        l->points[x].x = (p.x * dx + p.y * dy) / length;
        l->points[x].y = (p.y * dx - p.x * dy) / length;
    }
}

static void fit(const layout *l)
{
    replay_point least = l->points[0], most = l->points[0];
    for (int x = 1; x < l->nodes; x++) {
        least = (replay_point){fmin(least.x, l->points[x].x), fmin(least.y, l->points[x].y)};
        most = (replay_point){fmax(most.x, l->points[x].x), fmax(most.y, l->points[x].y)};
    }
    for (int x = 0; x < l->nodes; x++) {
        l->points[x].x = most.x > least.x ? (l->points[x].x - least.x) / (most.x - least.x) : 0.5;
        l->points[x].y = most.y > least.y ? (l->points[x].y - least.y) / (most.y - least.y) : 0.5;
    }
}

/* Push apart what is so near that it would be drawn on top of each other. */
static void separate(const layout *l)
{
    const double least = NEAREST * l->k;
    for (int x = 0; x < l->nodes; x++)
        for (int y = 0; y < x; y++) {
            replay_point *a = &l->points[x], *b = &l->points[y];
            const double dx = a->x - b->x, dy = a->y - b->y, distance = sqrt(dx * dx + dy * dy) + 1e-9;
            const double share = distance < least ? (least - distance) / distance / 2 : 0;
            part(a, b, dx * share, dy * share);
        }
}

nlm_status replay_layout(int nodes, const int *edges, int edge_count, int start, int target,
                         replay_point *points, nlm_error *error)
{
    layout l = {.nodes = nodes, .edge_count = edge_count, .edges = edges, .points = points};
    l.forces = storage_new((size_t)nodes, sizeof *l.forces);
    if (!l.forces)
        return report_no_memory(error);
    l.k = 1 / sqrt(nodes);
    for (int x = 0; x < nodes; x++) /* a spiral: no two in the same place, none in line */
        points[x] = (replay_point){sqrt((x + 0.5) / nodes) * cos(x * PI * (3 - sqrt(5))) / 2,
                                   sqrt((x + 0.5) / nodes) * sin(x * PI * (3 - sqrt(5))) / 2};
    const double affordable = PAIRS_MOST / ((double)nodes * nodes + 1);
    const int rounds = affordable > ROUNDS_MOST    ? ROUNDS_MOST
                       : affordable < ROUNDS_LEAST ? ROUNDS_LEAST
                                                   : (int)affordable;
    for (int round = 0; round < rounds; round++)
        step(&l, FIRST_TEMPERATURE * (1 - (double)round / rounds));
    turn(&l, start, target);
    fit(&l);
    for (int round = 0; round < SEPARATIONS; round++)
        separate(&l);
    fit(&l);
    free(l.forces);
    return NLM_OK;
}

/* ---- pictures ---- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* A picture no wider than it is drawn, with a line above it. */
static void begin_still(page *p, double width, double height, const char *label)
{
    page_print(p, "<div class=\"replay-still\"><p>%s</p>\n", label);
    svg_begin(p, width, height, true, "replay-picture", label);
}

static void end_still(page *p)
{
    svg_end(p);
    page_put(p, "</div>\n");
}

static const char *item_class(bool in_place)
{
    return in_place ? "replay-item in-place" : "replay-item";
}

/* ---- sort: rows of bars ---- */

enum { BARS_ABREAST = 14, BAR_STEP = 24, BAR_HEIGHT = 80, BAR_ROW = BAR_HEIGHT + 34, BAR_LEAST = 4 };

static void draw_sort(const nlm_replay *replay, int position, const char *label, page *p)
{
    const int *values = replay_state(replay, position);
    const int abreast = replay->objects < BARS_ABREAST ? replay->objects : BARS_ABREAST;
    const int rows = (replay->objects + abreast - 1) / abreast;
    begin_still(p, larger(abreast, 4) * BAR_STEP, rows * BAR_ROW, label);
    for (int slot = 0; slot < replay->objects; slot++) {
        const int value = values[slot];
        const double left = slot % BARS_ABREAST * BAR_STEP;
        const double bottom = slot / BARS_ABREAST * BAR_ROW + BAR_ROW - 18;
        const double height = BAR_LEAST + (double)(BAR_HEIGHT - BAR_LEAST) * (value + 1) / replay->objects;
        svg_group(p, item_class(slot == value), left, bottom);
        svg_rectangle(p, NULL, 3, -height, BAR_STEP - 6, height, NULL);
        svg_integer(p, NULL, BAR_STEP / 2.0, -height - 3, value);
        svg_group_end(p);
        svg_integer(p, "replay-dim", left + BAR_STEP / 2.0, bottom + 13, slot);
    }
    end_still(p);
}

/* ---- path: the graph, and the way walked ---- */

enum { GRAPH_SMALL = 340, GRAPH_LARGE = 520, GRAPH_MANY = 20, NODE_RADIUS = 11, GRAPH_EDGE = 18 };

static double graph_width(const nlm_replay *replay)
{
    return replay->objects < GRAPH_MANY ? GRAPH_SMALL : GRAPH_LARGE;
}

static replay_point point_of(const nlm_replay *replay, int node)
{
    const replay_point point = replay->points[node];
    const double width = graph_width(replay), height = width * 0.8;
    return (replay_point){GRAPH_EDGE + point.x * (width - 2 * GRAPH_EDGE),
                          GRAPH_EDGE + point.y * (height - 2 * GRAPH_EDGE)};
}

static void draw_edge(const nlm_replay *replay, const char *class, int x, int y, page *p)
{
    const replay_point from = point_of(replay, x), to = point_of(replay, y);
    svg_line(p, class, from.x, from.y, to.x, to.y);
}

/* The start is a square, the target a diamond, the current node is filled. */
static void draw_node(const nlm_replay *replay, int node, int current, page *p)
{
    const bool start = node == replay->start, target = node == replay->target;
    const replay_point at = point_of(replay, node);
    const double r = NODE_RADIUS, wide = 1.4 * r;
    char class[64];
    snprintf(class, sizeof class, "replay-node%s%s",
             start    ? " start"
             : target ? " target"
                      : "",
             node == current ? " current" : "");
    svg_group(p, class, at.x, at.y);
    if (start) {
        svg_rectangle(p, NULL, -r, -r, 2 * r, 2 * r, "start");
    } else if (target) {
        const replay_point corners[] = {{0, -wide}, {wide, 0}, {0, wide}, {-wide, 0}};
        svg_path_begin(p, NULL);
        for (int i = 0; i < 4; i++)
            svg_path_point(p, corners[i].x, corners[i].y);
        svg_path_end(p, true);
    } else {
        svg_circle(p, NULL, 0, 0, r);
    }
    svg_integer(p, NULL, 0, 4, node);
    svg_group_end(p);
}

static void draw_path(const nlm_replay *replay, int position, const char *label, page *p)
{
    const int *edges = replay->edges.data;
    begin_still(p, graph_width(replay), graph_width(replay) * 0.8, label);
    for (int e = 0; e < replay->edge_count; e++)
        draw_edge(replay, "replay-edge", edges[2 * e], edges[2 * e + 1], p);
    for (int i = 1; i <= position; i++)
        if (*replay_state(replay, i) != *replay_state(replay, i - 1))
            draw_edge(replay, "replay-way", *replay_state(replay, i - 1), *replay_state(replay, i), p);
    for (int node = 0; node < replay->objects; node++)
        draw_node(replay, node, *replay_state(replay, position), p);
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

/* Position -1 is the target. */
static void draw_blocks(const nlm_replay *replay, int position, const char *label, page *p)
{
    const int *below = position < 0 ? replay->below : replay_state(replay, position);
    int *above = storage_new((size_t)replay->objects + 1, sizeof *above), highest;
    if (!above) {
        p->failed = true;
        return;
    }
    const int towers = find_above(below, replay->objects, above, &highest);
    const double width = larger(towers, 3) * BLOCK_STEP, ground = highest * BLOCK_HEIGHT + 4;
    double left = 0;
    begin_still(p, width, ground + 4, label);
    for (int base = 1; base <= replay->objects; base++) {
        bool in_place = true;
        double top = ground;
        for (int block = below[base - 1] == 0 ? base : 0; block > 0; block = above[block]) {
            in_place = in_place && below[block - 1] == replay->below[block - 1];
            top -= BLOCK_HEIGHT;
            svg_group(p, item_class(in_place), left, top);
            svg_rectangle(p, NULL, (BLOCK_STEP - BLOCK_WIDTH) / 2.0, 1, BLOCK_WIDTH, BLOCK_HEIGHT - 2, NULL);
            svg_integer(p, NULL, BLOCK_STEP / 2.0, BLOCK_HEIGHT / 2.0 + 4, block);
            svg_group_end(p);
        }
        left += below[base - 1] == 0 ? BLOCK_STEP : 0;
    }
    svg_line(p, "replay-ground", 0, ground, width, ground);
    end_still(p);
    free(above);
}

enum { MOVE_WORDS = 64 };

/* ---- words ---- */

/* "block 3 onto block 7", "swap slots 2 and 5", "go to node 4". */
static const char *move_words(const nlm_game *game, const int *move, char words[MOVE_WORDS])
{
    char names[2][24] = {"the ground", "the ground"};
    if (strcmp(game->name, "sort") == 0) {
        snprintf(words, MOVE_WORDS, "swap slots %d and %d", move[0], move[1]);
    } else if (strcmp(game->name, "path") == 0) {
        snprintf(words, MOVE_WORDS, "go to node %d", move[0]);
    } else {
        for (int k = 0; k < 2; k++)
            if (move[k] > 0)
                snprintf(names[k], sizeof names[k], "block %d", move[k]);
        snprintf(words, MOVE_WORDS, "%s onto %s", names[0], names[1]);
    }
    return words;
}

/* ", by move_2" */
static const char *rule_words(const replay_choice *made, char words[MOVE_WORDS])
{
    *words = '\0';
    if (made->rule > 0)
        snprintf(words, MOVE_WORDS, ", by move_%d", made->rule);
    else if (made->rule == 0)
        snprintf(words, MOVE_WORDS, ", as no rule holds");
    return words;
}

static void put_moves(const nlm_replay *replay, page *p)
{
    char words[MOVE_WORDS], rule[MOVE_WORDS];
    page_put(p, "<details class=\"replay-moves\"><summary>All moves</summary>\n<ol>\n");
    for (int i = 0; i < replay->positions; i++) {
        int count;
        const replay_choice *made = replay_choices(replay, i, &count);
        if (count == 0)
            continue;
        const double probability = made->choice.probability;
        const bool small = probability >= 0.0005 && probability < 0.0995; /* two digits would say little */
        page_print(p, "<li>%s, probability %.*f%s%s</li>\n",
                   move_words(replay->game, made->choice.move, words), small ? 3 : 2, probability,
                   rule_words(made, rule), made->legal ? "" : ", illegal: it changes nothing");
    }
    page_put(p, "</ol>\n</details>\n");
}

/* ---- data ---- */

static void put_numbers(const int *numbers, int count, page *p)
{
    page_put(p, "[");
    for (int i = 0; i < count; i++)
        page_print(p, i > 0 ? ",%d" : "%d", numbers[i]);
    page_put(p, "]");
}

static void put_step(const nlm_replay *replay, int position, page *p)
{
    int count;
    const replay_choice *choices = replay_choices(replay, position, &count);
    page_put(p, position > 0 ? ",\n{\"state\":" : "\n{\"state\":");
    put_numbers(replay_state(replay, position), replay->width, p);
    page_put(p, ",\"top\":[");
    for (int i = 0; i < count; i++) {
        page_put(p, i > 0 ? ",[" : "[");
        put_numbers(choices[i].choice.move, replay->game->arity, p);
        page_print(p, ",%.4g,%d]", choices[i].choice.probability, choices[i].legal);
    }
    page_put(p, "]");
    if (count > 0 && choices->rule >= 0)
        page_print(p, ",\"rule\":%d", choices->rule);
    page_put(p, "}");
}

static void put_data(const nlm_replay *replay, page *p)
{
    char words[REPLAY_WORDS];
    page_print(p,
               "<script type=\"application/json\" class=\"replay-data\">\n{\"game\":\"%s\",\"objects\":%d,"
               "\"limit\":%d,\"solved\":%s,\"outcome\":",
               replay->game->name, replay->objects, replay->limit, replay->solved ? "true" : "false");
    page_json(p, replay_outcome(replay, words));
    if (replay->points) {
        page_print(p, ",\"start\":%d,\"target\":%d,\"edges\":", replay->start, replay->target);
        put_numbers(replay->edges.data, 2 * replay->edge_count, p);
        page_put(p, ",\"points\":[");
        for (int node = 0; node < replay->objects; node++)
            page_print(p, "%s%.0f,%.0f", node > 0 ? "," : "", 1000 * replay->points[node].x,
                       1000 * replay->points[node].y);
        page_put(p, "]");
    }
    if (replay->below) {
        page_put(p, ",\"target\":");
        put_numbers(replay->below, replay->objects, p);
    }
    page_put(p, ",\"steps\":[");
    for (int i = 0; i < replay->positions; i++)
        put_step(replay, i, p);
    page_put(p, "]}\n</script>\n");
}

/* ---- the figure ---- */

/* Pictures of the first position, the last and, where there is one to draw, the target. */
static void put_stills(const nlm_replay *replay, page *p)
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

void replay_put(const nlm_replay *replay, page *p)
{
    char words[REPLAY_WORDS];
    if (replay->positions == 0)
        return;
    page_wrap(p, "<figure class=\"replay\" tabindex=\"0\" role=\"group\" aria-label=\"", replay->title,
              "\" data-step=\"0\" data-state=\"");
    put_numbers(replay_state(replay, 0), replay->width, p);
    page_print(p, "\" data-solved=\"%s\">\n<div class=\"replay-stage\">\n",
               replay->solved && replay->positions == 1 ? "true" : "false");
    put_stills(replay, p);
    page_print(p, "</div>\n<p class=\"replay-status\" aria-live=\"polite\">%s</p>\n",
               replay_outcome(replay, words));
    put_moves(replay, p);
    put_data(replay, p);
    page_put(p, "</figure>\n");
}
