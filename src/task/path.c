/* Path: from node to node along edges, to the target by the shortest way.
 *
 * Predicates: is-current and is-target of nodes; edge(i, j) and edge(j, i) of pairs.  As many moves are
 * allowed as the distance has edges, so there is no room for a detour. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "task/scene.h"
#include "task/graph.h"

enum { LEAST_DISTANCE = 1, MOST_DISTANCE = 5, TEST_DISTANCE = 4 };
#define NEAREST_P 0.3

struct path_state {
    int start, current, target;
};

/* After the struct: three rows of numbers to search with, then a byte for every pair of nodes. */
static struct path_state *state(const nlm_position *position)
{
    return position->state.data;
}

static int *spare(const nlm_position *position, int number)
{
    return (int *)(state(position) + 1) + (size_t)number * (size_t)position->objects;
}

static unsigned char *edges_of(const nlm_position *position, int node)
{
    return (unsigned char *)spare(position, 3) + (size_t)node * (size_t)position->objects;
}

static size_t state_size(int objects)
{
    size_t count = (size_t)objects;
    return sizeof(struct path_state) + 3 * count * sizeof(int) + count * count;
}

/* ---- distances ---- */

/* distance[y] of all nodes from x by breadth-first search, -1 where no path leads; returns how many nodes are
 * in the queue, the nearest first. */
static int search(const nlm_position *position, int x, int *distance, int *queue)
{
    int count = 0;
    for (int y = 0; y < position->objects; y++)
        distance[y] = -1;
    distance[x] = 0;
    queue[count++] = x;
    for (int done = 0; done < count; done++) {
        const unsigned char *edges = edges_of(position, queue[done]);
        for (int y = 0; y < position->objects; y++)
            if (edges[y] && distance[y] < 0) {
                distance[y] = distance[queue[done]] + 1;
                queue[count++] = y;
            }
    }
    return count;
}

/* ---- instances ---- */

static nlm_status grow_graph(nlm_position *position, random_stream *random, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!position->world)
        status = nlm_world_new(&position->world, error);
    nlm_world *world = position->world;
    if (!status) {
        nlm_world_clear(world);
        status = nlm_world_add_objects(world, "node", position->objects, error);
    }
    if (!status)
        status = nlm_world_add_predicate(world, "has_edge", 2, NULL, error);
    if (!status)
        status = graph_add_nearest(world, random, NEAREST_P, error);
    if (status)
        return status;
    const int *tuples;
    size_t facts = nlm_world_facts(world, GRAPH_EDGE, &tuples, NULL);
    memset(edges_of(position, 0), 0, (size_t)position->objects * (size_t)position->objects);
    for (size_t f = 0; f < facts; f++)
        edges_of(position, tuples[2 * f])[tuples[2 * f + 1]] = 1;
    return NLM_OK;
}

/* A pair of nodes so far apart, all such pairs equally likely; false if there is none. */
static bool draw_ends(nlm_position *position, random_stream *random, int distance)
{
    int *found = spare(position, 0), *queue = spare(position, 1), *pairs = spare(position, 2);
    int all = 0;
    for (int x = 0; x < position->objects; x++) {
        search(position, x, found, queue);
        pairs[x] = 0;
        for (int y = 0; y < position->objects; y++)
            pairs[x] += found[y] == distance;
        all += pairs[x];
    }
    if (all == 0)
        return false;
    int chosen = (int)random_below(random, (uint32_t)all), x = 0, y = 0;
    for (; chosen >= pairs[x]; x++)
        chosen -= pairs[x];
    search(position, x, found, queue);
    for (;; y++)
        if (found[y] == distance && chosen-- == 0)
            break;
    *state(position) = (struct path_state){.start = x, .current = x, .target = y};
    return true;
}

static nlm_status draw(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error)
{
    enum { MOST_GRAPHS = 10000 };
    int most = position->objects - 1 < MOST_DISTANCE ? position->objects - 1 : MOST_DISTANCE;
    int distance = test ? TEST_DISTANCE
                        : LEAST_DISTANCE + (int)random_below(random, (uint32_t)(most - LEAST_DISTANCE + 1));
    *drawn = false;
    if (distance > position->objects - 1)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "path: tests have paths of %d edges, which %d nodes cannot have", TEST_DISTANCE,
                         position->objects);
    for (int graph = 0; graph < MOST_GRAPHS && !*drawn; graph++) {
        nlm_status status = grow_graph(position, random, error);
        if (status)
            return status;
        *drawn = draw_ends(position, random, distance);
    }
    return *drawn ? NLM_OK
                  : error_set(error, NLM_BAD_ARGUMENT,
                              "path: no graph of %d nodes with two of them %d edges apart was found",
                              position->objects, distance);
}

static void begin(nlm_position *position)
{
    struct path_state *s = state(position);
    search(position, s->start, spare(position, 0), spare(position, 1));
    position->limit = position->optimum = spare(position, 0)[s->target];
    position->solved = s->current == s->target;
}

/* ---- moves ---- */

static bool legal(const nlm_position *position, const int *move)
{
    return edges_of(position, state(position)->current)[move[0]];
}

static void go(nlm_position *position, const int *move)
{
    state(position)->current = move[0];
    position->solved = move[0] == state(position)->target;
}

/* ---- what a machine sees ---- */

static void see(const nlm_position *position, float *const *values)
{
    const struct path_state *s = state(position);
    for (int x = 0; x < position->objects; x++) {
        values[1][2 * x] = x == s->current;
        values[1][2 * x + 1] = x == s->target;
    }
    float *to = values[2];
    for (int y = 1; y < position->objects; y++)
        for (int x = 0; x < y; x++, to += 4) {
            float there = edges_of(position, x)[y], back = edges_of(position, y)[x];
            to[0] = to[3] = there;
            to[1] = to[2] = back;
        }
}

static bool is_path(const nlm_position *position, int x)
{
    return position->rules == &path_rules && x >= 0 && x < position->objects;
}

bool nlm_path_edge(const nlm_position *position, int x, int y)
{
    return is_path(position, x) && is_path(position, y) && edges_of(position, x)[y];
}

int nlm_path_start(const nlm_position *position)
{
    return is_path(position, 0) ? state(position)->start : -1;
}

int nlm_path_current(const nlm_position *position)
{
    return is_path(position, 0) ? state(position)->current : -1;
}

int nlm_path_target(const nlm_position *position)
{
    return is_path(position, 0) ? state(position)->target : -1;
}

/* ---- files ---- */

static nlm_status read_size(const json_t *instance, const char *name, int *objects, nlm_error *error)
{
    return game_read_int(json_object_get(instance, "nodes"), "\"nodes\"", path_rules.game.least_objects,
                         path_rules.most_objects, name, objects, error);
}

static nlm_status read_edges(nlm_position *position, const json_t *edges, const char *name, nlm_error *error)
{
    if (!json_is_array(edges))
        return error_in_file(error, NLM_BAD_FILE, name,
                             "an instance of path has \"edges\", a list of pairs of nodes");
    memset(edges_of(position, 0), 0, (size_t)position->objects * (size_t)position->objects);
    for (size_t e = 0; e < json_array_size(edges); e++) {
        const json_t *pair = json_array_get(edges, e);
        int ends[2] = {0, 0};
        if (json_array_size(pair) != 2)
            return error_in_file(error, NLM_BAD_FILE, name, "edge %zu is no pair of nodes", e + 1);
        for (int k = 0; k < 2; k++) {
            nlm_status status = game_read_int(json_array_get(pair, (size_t)k), "a node of an edge", 0,
                                              position->objects - 1, name, &ends[k], error);
            if (status)
                return status;
        }
        if (ends[0] == ends[1])
            return error_in_file(error, NLM_BAD_FILE, name, "edge %zu leads from node %d to itself", e + 1,
                                 ends[0]);
        edges_of(position, ends[0])[ends[1]] = edges_of(position, ends[1])[ends[0]] = 1;
    }
    return NLM_OK;
}

static nlm_status read_graph(nlm_position *position, const json_t *instance, const char *name,
                             nlm_error *error)
{
    struct path_state s;
    const int last = position->objects - 1;
    nlm_status status =
        game_read_int(json_object_get(instance, "start"), "\"start\"", 0, last, name, &s.start, error);
    if (!status)
        status =
            game_read_int(json_object_get(instance, "target"), "\"target\"", 0, last, name, &s.target, error);
    if (!status)
        status = read_edges(position, json_object_get(instance, "edges"), name, error);
    if (status)
        return status;
    s.current = s.start;
    *state(position) = s;
    search(position, s.start, spare(position, 0), spare(position, 1));
    if (spare(position, 0)[s.target] < 0)
        return error_in_file(error, NLM_BAD_FILE, name, "no path leads from node %d to node %d", s.start,
                             s.target);
    return NLM_OK;
}

static json_t *write_graph(const nlm_position *position)
{
    const struct path_state *s = state(position);
    json_t *edges = json_array();
    for (int x = 0; x < position->objects; x++)
        for (int y = x + 1; y < position->objects; y++)
            if (edges_of(position, x)[y])
                edges = game_append(edges, json_pack("[i, i]", x, y));
    return json_pack("{s:s, s:i, s:o, s:i, s:i}", "task", "path", "nodes", position->objects, "edges", edges,
                     "start", s->current, "target", s->target);
}

static size_t changing(const nlm_position *position, const void **bytes)
{
    *bytes = &state(position)->current;
    return sizeof state(position)->current;
}

/* ---- as text ----
 *
 * The way so far, and the graph around the current node, one row per node.
 *
 *     start 3, target 7, 2 edges walked: 3 - 5 - 9
 *
 *       node  to go  edges lead to
 *     >    9      2  2 5 8
 *          8      1  7* 9
 *     *    7      0  8
 *
 * Nodes come in the order of their distance from the current one, marked >; the target is marked *. */

enum { HEADING = 3, ROWS_MOST = 24 };

/* "3 - 5 - 9"; a way that is too long loses its beginning: "... - 9". */
static void show_way(const nlm_scene *scene, int column, nlm_sheet *sheet)
{
    static const char missing[] = "... - ", parted[] = " - ";
    int first = 0, length = -(int)strlen(parted);
    for (int i = 0; i < scene->count; i++)
        length += scene_digits(scene->notes[i]) + (int)strlen(parted);
    while (first < scene->count - 1 &&
           column + length + (first > 0 ? (int)strlen(missing) : 0) > sheet->width) {
        length -= scene_digits(scene->notes[first]) + (int)strlen(parted);
        first++;
    }
    if (first > 0) {
        nlm_sheet_put(sheet, 0, column, "%s", missing);
        column += (int)strlen(missing);
    }
    for (int i = first; i < scene->count; i++) {
        const int digits = scene_digits(scene->notes[i]);
        nlm_sheet_put(sheet, 0, column, "%d%s", scene->notes[i], i < scene->count - 1 ? parted : "");
        column += digits + (int)strlen(parted);
    }
}

static void show_walk(nlm_scene *scene, const nlm_position *position, nlm_sheet *sheet)
{
    char heading[80];
    const int current = nlm_path_current(position);
    if (scene->count == 0 || scene->notes[scene->count - 1] != current)
        scene->notes[scene->count++] = current;
    const int edges = scene->count - 1;
    snprintf(heading, sizeof heading, "start %d, target %d, %d edge%s walked: ", nlm_path_start(position),
             nlm_path_target(position), edges, edges == 1 ? "" : "s");
    nlm_sheet_line(sheet, "%s", heading);
    show_way(scene, (int)strlen(heading), sheet);
    nlm_sheet_line(sheet, "%s", "");
}

/* The neighbours of a node, as many as fit. */
static void show_edges(const nlm_position *position, int node, int row, int column, nlm_sheet *sheet)
{
    const int count = nlm_position_objects(position);
    const int cell = scene_digits(count - 1) + 2;
    int left = 0;
    for (int y = 0; y < count; y++)
        left += nlm_path_edge(position, node, y);
    for (int y = 0; y < count && left > 0; y++) {
        if (!nlm_path_edge(position, node, y))
            continue;
        if (left > 1 && column + cell + (int)sizeof "and 1000 more" > sheet->width) {
            nlm_sheet_put(sheet, row, column, "and %d more", left);
            return;
        }
        char text[16];
        const int length = snprintf(text, sizeof text, "%d%s ", y, nlm_path_target(position) == y ? "*" : "");
        nlm_sheet_put(sheet, row, column, "%s", text);
        column += length;
        left--;
    }
}

static void show_node(const nlm_position *position, int node, int to_go, nlm_sheet *sheet)
{
    const int row = sheet->rows;
    nlm_sheet_put(sheet, row, 0, "%c%c", node == nlm_path_current(position) ? '>' : ' ',
                  node == nlm_path_target(position) ? '*' : ' ');
    nlm_sheet_put(sheet, row, 2, "%5d", node);
    if (to_go >= 0)
        nlm_sheet_put(sheet, row, 7, "%7d", to_go);
    else
        nlm_sheet_put(sheet, row, 7, "%7s", "-");
    show_edges(position, node, row, 16, sheet);
}

static void show(nlm_scene *scene, const nlm_position *position, const int *move, int rows, nlm_sheet *sheet)
{
    (void)move;
    const int target = nlm_path_target(position);
    int *to_go = scene->spare, *order = scene->spare + scene->objects, *away = order + scene->objects;
    show_walk(scene, position, sheet);
    nlm_sheet_line(sheet, "%7s%7s  %s", "node", "to go", "edges lead to");
    search(position, target, to_go, order);
    const int found = search(position, nlm_path_current(position), away, order);
    int room = rows - HEADING < ROWS_MOST ? rows - HEADING : ROWS_MOST;
    if (room < scene->objects)
        room -= 2; /* the target may come last, and a line tells what is missing */
    int shown = 0;
    bool target_shown = false;
    for (int i = 0; i < found && (shown < room || shown == 0); i++, shown++) {
        show_node(position, order[i], to_go[order[i]], sheet);
        target_shown |= order[i] == target;
    }
    if (!target_shown) {
        show_node(position, target, to_go[target], sheet);
        shown++;
    }
    if (shown < scene->objects)
        nlm_sheet_line(sheet, "not shown: %d farther away", scene->objects - shown);
}

static void move_text(const int *move, char text[NLM_MOVE_TEXT])
{
    snprintf(text, NLM_MOVE_TEXT, "go to node %d", move[0]);
}

/* ---- recipes ---- */

static const nlm_preset paper[] = {{"depth", "5"},          {"breadth", "3"},      {"residual", "1"},
                                   {"first_lesson", "3"},   {"last_lesson", "12"}, {"entropy", "0.1"},
                                   {"solved_share", "0.5"}, {"interval", "600"},   {"exam", "3000"},
                                   {"final_exam", "6000"},  {"pool", "300"},       {"episodes", "24000"},
                                   {"patience", "4000"},    {NULL, NULL}};

/* Moves are either right or not: most is learned from many instances. */
static const nlm_preset best[] = {{"gain", "5"},           {"passes", "2"},         {"interval", "200"},
                                  {"exam", "1000"},        {"final_exam", "20000"}, {"average", "0.998"},
                                  {"final_decay", "0.97"}, {"restart", "12000"},    {NULL, NULL}};

static const nlm_recipe recipes[] = {{"paper", NULL, paper}, {"best", NULL, best}, {NULL, NULL, NULL}};

static const char *const predicates[] = {"current", "target", "edge", "edge_back"};

const struct game_rules path_rules = {
    .game = {.name = "path",
             .description = "go to a target node by the shortest path, one edge at a time",
             .arity = 1,
             .inputs = {0, 2, 2},
             .predicates = predicates,
             .least_objects = 2,
             .recipes = recipes,
             .moves_of_models = 4, /* as the paper allows in blocks */
             .test_objects = {10, 50},
             .test_moves = {4, 4},
             .graduation = 0.6},
    .most_objects = 1000,
    .state_size = state_size,
    .draw = draw,
    .read_size = read_size,
    .read = read_graph,
    .write = write_graph,
    .begin = begin,
    .legal = legal,
    .move = go,
    .changing = changing,
    .see = see,
    .show = show,
    .move_text = move_text,
};
