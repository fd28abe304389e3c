/* What a machine concludes about the nodes of a graph that show digits, and the figure: the digits with what
 * is concluded beside them, and all of it once more as a table.
 *
 * Nodes stand in a ring: then no edge passes behind a node or the words outside the ring.  Nodes change
 * places as long as that makes the edges shorter in all. */
#include "report/digit_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "nlm/gallery.h"
#include "report/evaluate.h"
#include "report/pixels.h"
#include "report/storage.h"
#include "report/svg.h"
#include "report/words.h"

#define PI 3.14159265358979323846

enum { NODES_MOST = 24, ROUNDS_MOST = 50 };
enum { WIDTH = 520, HEIGHT = 456, RING_X = 205, RING_Y = 165, TILE = 52, IMAGE = 44, LINE = 14, SAID = 256 };

/* The facts of the predicate, two objects each. */
static size_t edges_of(const digit_graph *of, const int **edges)
{
    return nlm_world_facts(of->world, of->edges, edges, NULL);
}

static bool is_wrong(const digit_graph *of, int node)
{
    if (of->truth[node] == NLM_UNLABELLED)
        return false;
    return (of->probability[node] > 0.5f) != (of->truth[node] == NLM_TRUE);
}

/* ---- conclusions ---- */

static bool fits(const nlm_machine *machine, const nlm_world *world)
{
    int numbers = 0;
    int predicates;
    if (!nlm_sense_find(nlm_machine_spec(machine)->sense, &numbers, &predicates) ||
        nlm_machine_heads(machine) < 1 || nlm_world_targets(world) < 1)
        return false;
    const nlm_head_spec *head = nlm_machine_head(machine, 0);
    return head->arity == 1 && head->outputs == 1 && nlm_world_target_arity(world, 0) == 1 &&
           nlm_world_objects(world) >= 1 && nlm_world_objects(world) <= NODES_MOST &&
           nlm_world_percept(world, 0, &numbers) && numbers == NLM_IMAGE_PIXELS;
}

static nlm_status conclude(digit_graph *of, const nlm_pass *pass, nlm_error *error)
{
    nlm_status status = nlm_pass_logits(pass, 0, 0, of->probability, error);
    if (!status)
        status = nlm_pass_values(pass, 0, 0, 1, of->sensed, error);
    if (status)
        return status;
    nlm_world_all_labels(of->world, 0, of->truth);
    for (int node = 0; node < of->nodes; node++) {
        of->probability[node] = (float)(1 / (1 + exp(-(double)of->probability[node])));
        of->wrong += is_wrong(of, node);
    }
    return NLM_OK;
}

/* ---- places ---- */

static double length_of_edges(const digit_graph *of)
{
    const int *edges;
    const size_t count = edges_of(of, &edges);
    double sum = 0;
    for (size_t e = 0; e < count; e++)
        sum += fabs(sin(PI * (of->place[edges[2 * e]] - of->place[edges[2 * e + 1]]) / of->nodes));
    return sum;
}

static void exchange(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

static void find_places(digit_graph *of)
{
    for (int node = 0; node < of->nodes; node++)
        of->place[node] = node;
    double shortest = length_of_edges(of);
    bool better = true;
    for (int round = 0; round < ROUNDS_MOST && better; round++) {
        better = false;
        for (int a = 0; a < of->nodes; a++)
            for (int b = 0; b < a; b++) {
                exchange(&of->place[a], &of->place[b]);
                const double length = length_of_edges(of);
                if (length < shortest - 1e-9) {
                    shortest = length;
                    better = true;
                } else {
                    exchange(&of->place[a], &of->place[b]);
                }
            }
    }
}

nlm_status digit_graph_find(digit_graph *found, nlm_machine *machine, const nlm_world *world,
                            nlm_error *error)
{
    nlm_evaluator *evaluator = NULL;
    *found = (digit_graph){.world = world, .nodes = nlm_world_objects(world)};
    while (found->edges < nlm_world_predicates(world) && nlm_world_predicate_arity(world, found->edges) != 2)
        found->edges++;
    if (!fits(machine, world) || found->edges == nlm_world_predicates(world))
        return report_fail(error, NLM_BAD_SHAPE, "the machine has other targets than the world");
    const size_t nodes = (size_t)found->nodes;
    found->predicates = nlm_unit_width(machine, 0, 1);
    found->probability = storage_new(nodes, sizeof *found->probability);
    found->truth = storage_new(nodes, sizeof *found->truth);
    found->sensed = storage_new(nodes * (size_t)found->predicates, sizeof *found->sensed);
    found->place = storage_new(nodes, sizeof *found->place);
    if (!found->probability || !found->truth || !found->sensed || !found->place)
        return report_no_memory(error);
    nlm_status status = evaluate_world(machine, world, &evaluator, error);
    if (!status)
        status = conclude(found, nlm_evaluator_pass(evaluator), error);
    nlm_evaluator_free(evaluator);
    if (!status)
        find_places(found);
    return status;
}

void digit_graph_release(digit_graph *of)
{
    free(of->probability);
    free(of->truth);
    free(of->sensed);
    free(of->place);
    *of = (digit_graph){0};
}

/* ---- in the ring ---- */

static double node_x(const digit_graph *of, int node)
{
    return WIDTH / 2.0 + RING_X * sin(2 * PI * of->place[node] / of->nodes);
}

static double node_y(const digit_graph *of, int node)
{
    return HEIGHT / 2.0 - RING_Y * cos(2 * PI * of->place[node] / of->nodes);
}

static const char *concluded_word(const digit_graph *of, int node)
{
    return of->probability[node] > 0.5f ? "yes" : "no";
}

static const char *truth_word(const digit_graph *of, int node)
{
    return of->truth[node] == NLM_TRUE ? "yes" : of->truth[node] == NLM_FALSE ? "no" : "unknown";
}

static bool is_taken(const digit_graph *of, const sense_outputs *outputs, int node)
{
    return sense_outputs_reliable(outputs) &&
           sense_outputs_accept(outputs, of->sensed + node * of->predicates);
}

/* ---- edges ---- */

/* An edge there and back is drawn once.  Those of nodes that are taken for the digit are drawn thick. */
static void put_edges(page *p, const digit_graph *of, const sense_outputs *outputs, bool taken)
{
    const int *edges;
    const size_t count = edges_of(of, &edges);
    page_print(p, "<path class=\"%s\" d=\"", taken ? "edges taken" : "edges");
    for (size_t e = 0; e < count; e++) {
        const int x = edges[2 * e], y = edges[2 * e + 1];
        if (x < y && (is_taken(of, outputs, x) || is_taken(of, outputs, y)) == taken)
            page_print(p, "M%.1f %.1fL%.1f %.1f", node_x(of, x), node_y(of, x), node_x(of, y), node_y(of, y));
    }
    page_put(p, "\"/>\n");
}

/* ---- nodes ---- */

/* Outside the ring: above the upper nodes, below the lower ones. */
static void put_words(page *p, const digit_graph *of, int node)
{
    char words[2 * WORD_SIZE], number[WORD_SIZE];
    const bool wrong = is_wrong(of, node), above = node_y(of, node) < HEIGHT / 2.0;
    const double x = node_x(of, node), edge = node_y(of, node) + (above ? -1 : 1) * TILE / 2.0;
    const double y = above ? edge - 6 - (wrong ? LINE : 0) : edge + LINE + 1;
    snprintf(words, sizeof words, "%s %s %s", wrong ? "\xe2\x9c\x97" : "\xe2\x9c\x93",
             concluded_word(of, node), word_mean((double)of->probability[node], number));
    svg_text(p, wrong ? "bad" : NULL, x, y, "middle", words);
    if (wrong) {
        snprintf(words, sizeof words, "truth: %s", truth_word(of, node));
        svg_text(p, "bad", x, y + LINE, "middle", words);
    }
}

static void put_node(page *p, const digit_graph *of, const sense_outputs *outputs, int node)
{
    const double x = node_x(of, node), y = node_y(of, node);
    const bool wrong = is_wrong(of, node);
    char number[WORD_SIZE];
    int numbers;
    const float *pixels = nlm_world_percept(of->world, node, &numbers);
    page_print(p, "<g class=\"node%s%s\">", of->probability[node] > 0.5f ? " yes" : "",
               wrong ? " wrong" : "");
    page_wrap(p, "<title>", nlm_world_object_name(of->world, node), ": truth ");
    page_print(p, "%s, concluded %s, %s; outputs", truth_word(of, node), concluded_word(of, node),
               word_mean((double)of->probability[node], number));
    for (int k = 0; k < of->predicates; k++)
        page_print(p, " %s", word_mean((double)of->sensed[node * of->predicates + k], number));
    page_put(p, "</title>\n");
    page_print(p, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"7\"/>\n", x - TILE / 2.0,
               y - TILE / 2.0, TILE, TILE);
    if (pixels)
        pixels_put(p, pixels, x - IMAGE / 2.0, y - IMAGE / 2.0, IMAGE);
    if (is_taken(of, outputs, node)) {
        svg_group(p, "tag", x + TILE / 2.0 - 2, y + (y < HEIGHT / 2.0 ? 1 : -1) * (TILE / 2.0 - 2));
        svg_circle(p, NULL, 0, 0, 8.5);
        svg_integer(p, NULL, 0, 4, outputs->best.digit);
        svg_group_end(p);
    }
    put_words(p, of, node);
    page_put(p, "</g>\n");
}

/* ---- in words ---- */

static void put_key(page *p, const char *markup, const char *words)
{
    page_print(p, "<span><svg class=\"key\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">%s</svg> %s</span> ",
               markup, words);
}

static void put_keys(page *p, const sense_outputs *outputs)
{
    static const char *const nodes[][2] = {
        {" yes", "concluded: yes"}, {"", "concluded: no"}, {" wrong", "\xe2\x9c\x97 wrong"}};
    char text[128];
    page_put(p, "<p class=\"keys\">");
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        snprintf(text, sizeof text,
                 "<g class=\"node%s\"><rect x=\"2\" y=\"2\" width=\"10\" height=\"10\" rx=\"2\"/></g>",
                 nodes[i][0]);
        put_key(p, text, nodes[i][1]);
    }
    if (sense_outputs_reliable(outputs)) {
        snprintf(text, sizeof text, "classified as %d; its edges are thick", outputs->best.digit);
        put_key(p, "<g class=\"tag\"><circle cx=\"7\" cy=\"7\" r=\"6.5\"/></g>", text);
    }
    page_put(p, "</p>\n");
}

static void put_neighbours(page *p, const digit_graph *of, int node)
{
    const int *edges;
    const size_t count = edges_of(of, &edges);
    bool first = true;
    for (size_t e = 0; e < count; e++)
        if (edges[2 * e] == node) {
            page_put(p, first ? "" : ", ");
            page_text(p, nlm_world_object_name(of->world, edges[2 * e + 1]));
            first = false;
        }
}

static void put_table(page *p, const digit_graph *of, const sense_outputs *outputs)
{
    char number[WORD_SIZE], taken[WORD_SIZE];
    snprintf(taken, sizeof taken, "classified as %d", outputs->best.digit);
    const char *const columns[] = {"node", taken, "truth", "concluded", "probability", "edges to", NULL};
    const char *const fewer[] = {"node", "truth", "concluded", "probability", "edges to", NULL};
    page_put(p, "<details><summary>As a table</summary>");
    page_table(p, "the graph as a table", "", NULL, sense_outputs_reliable(outputs) ? columns : fewer);
    for (int node = 0; node < of->nodes; node++) {
        page_wrap(p, "<tr><th scope=\"row\">", nlm_world_object_name(of->world, node), "</th>");
        if (sense_outputs_reliable(outputs))
            page_print(p, "<td>%s</td>", is_taken(of, outputs, node) ? "yes" : "no");
        page_print(p, "<td>%s</td><td>%s%s</td><td>%s</td><td>", truth_word(of, node),
                   is_wrong(of, node) ? "\xe2\x9c\x97 " : "", concluded_word(of, node),
                   word_mean((double)of->probability[node], number));
        put_neighbours(p, of, node);
        page_put(p, "</td></tr>\n");
    }
    page_put(p, "</tbody></table></div></details>\n");
}

/* ---- the figure ---- */

void digit_graph_put(page *p, const digit_graph *of, const sense_outputs *outputs, const char *title)
{
    char label[SAID], target[CUT_SIZE];
    word_cut(nlm_world_target_name(of->world, 0), 60, target);
    snprintf(label, sizeof label, "a graph of %d nodes with images of digits, %d conclusions wrong",
             of->nodes, of->wrong);
    page_wrap(p, "<figure class=\"digit-graph\"><figcaption><code>", target, "</code>, ");
    page_text(p, title);
    if (of->wrong == 0)
        page_put(p, ": no error \xe2\x9c\x93");
    else
        page_print(p, ": %d error%s \xe2\x9c\x97", of->wrong, of->wrong == 1 ? "" : "s");
    page_put(p, "</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"the "
                "graph\">\n");
    svg_begin(p, WIDTH, HEIGHT, true, NULL, label);
    put_edges(p, of, outputs, false);
    put_edges(p, of, outputs, true);
    for (int node = 0; node < of->nodes; node++)
        put_node(p, of, outputs, node);
    svg_end(p);
    page_put(p, "</div>\n");
    put_keys(p, outputs);
    put_table(p, of, outputs);
    page_put(p, "</figure>\n");
}
