/* Where the nodes of a graph are drawn: nodes push each other away, edges pull (Fruchterman and Reingold,
 * 1991), and everything is drawn to the middle a little, so that what is not connected does not fly off.
 *
 * With d the distance of two nodes and k = 1 / sqrt(nodes): a push is k^2 / d, a pull d^2 / k.  No step is
 * longer than the temperature, which falls to 0. */
#include <math.h>
#include "report/storage.h"
#include "report/replay.h"

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

static void push_apart(const layout *l)
{
    for (int x = 0; x < l->nodes; x++)
        for (int y = 0; y < x; y++) {
            const double dx = l->points[x].x - l->points[y].x, dy = l->points[x].y - l->points[y].y;
            const double share = l->k * l->k / (dx * dx + dy * dy + 1e-9);
            l->forces[x].x += dx * share;
            l->forces[x].y += dy * share;
            l->forces[y].x -= dx * share;
            l->forces[y].y -= dy * share;
        }
}

static void pull_edges(const layout *l)
{
    for (int e = 0; e < l->edge_count; e++) {
        const int x = l->edges[2 * e], y = l->edges[2 * e + 1];
        const double dx = l->points[x].x - l->points[y].x, dy = l->points[x].y - l->points[y].y;
        const double share = sqrt(dx * dx + dy * dy) / l->k;
        l->forces[x].x -= dx * share;
        l->forces[x].y -= dy * share;
        l->forces[y].x += dx * share;
        l->forces[y].y += dy * share;
    }
}

static void step(const layout *l, double temperature)
{
    for (int x = 0; x < l->nodes; x++)
        l->forces[x] = (replay_point){-GRAVITY * l->points[x].x, -GRAVITY * l->points[x].y};
    push_apart(l);
    pull_edges(l);
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
            a->x += dx * share;
            a->y += dy * share;
            b->x -= dx * share;
            b->y -= dy * share;
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
