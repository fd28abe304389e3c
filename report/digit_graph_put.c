/* A graph whose nodes show digits as a figure: the digits with what is concluded beside them, and all of it
 * once more as a table. */
#include <math.h>
#include <stdio.h>
#include "report/digit_graph.h"
#include "report/pixels.h"
#include "report/svg.h"
#include "report/words.h"

#define PI 3.14159265358979323846

enum { WIDTH = 520, HEIGHT = 456, RING_X = 205, RING_Y = 165, TILE = 52, IMAGE = 44, LINE = 14, SAID = 256 };

static double node_x(const digit_graph *of, int node)
{
    return WIDTH / 2.0 + RING_X * sin(2 * PI * of->place[node] / of->nodes);
}

static double node_y(const digit_graph *of, int node)
{
    return HEIGHT / 2.0 - RING_Y * cos(2 * PI * of->place[node] / of->nodes);
}

static bool is_concluded(const digit_graph *of, int node)
{
    return of->probability[node] > 0.5f;
}

static const char *truth_word(const digit_graph *of, int node)
{
    return of->truth[node] == NLM_TRUE ? "yes" : of->truth[node] == NLM_FALSE ? "no" : "unknown";
}

static const char *probability_word(const digit_graph *of, int node, char text[WORD_SIZE])
{
    return word_mean((double)of->probability[node], text);
}

static bool is_taken(const digit_graph *of, const sightings *saw, int node)
{
    return seen_tells(saw) && seen_takes(saw, of->sensed + node * of->predicates);
}

/* ---- edges ---- */

/* An edge there and back is drawn once.  Those of nodes that are taken for the digit are drawn thick. */
static void put_edges(page *p, const digit_graph *of, const sightings *saw, bool taken)
{
    const int *edges;
    const size_t count = nlm_world_facts(of->world, digit_graph_edges(of), &edges, NULL);
    page_print(p, "<path class=\"%s\" d=\"", taken ? "edges taken" : "edges");
    for (size_t e = 0; e < count; e++) {
        const int x = edges[2 * e], y = edges[2 * e + 1];
        if (x < y && (is_taken(of, saw, x) || is_taken(of, saw, y)) == taken)
            page_print(p, "M%.1f %.1fL%.1f %.1f", node_x(of, x), node_y(of, x), node_x(of, y), node_y(of, y));
    }
    page_put(p, "\"/>\n");
}

/* ---- nodes ---- */

static void put_said(page *p, const digit_graph *of, int node)
{
    char number[WORD_SIZE];
    page_put(p, "<title>");
    page_text(p, nlm_world_object_name(of->world, node));
    page_print(p, ": truth %s, concluded %s, %s; outputs", truth_word(of, node),
               is_concluded(of, node) ? "yes" : "no", probability_word(of, node, number));
    for (int k = 0; k < of->predicates; k++)
        page_print(p, " %s", word_mean((double)of->sensed[node * of->predicates + k], number));
    page_put(p, "</title>\n");
}

/* Outside the ring: above the upper nodes, below the lower ones. */
static void put_words(page *p, const digit_graph *of, int node)
{
    char words[2 * WORD_SIZE], number[WORD_SIZE];
    const bool wrong = digit_graph_is_wrong(of, node), above = node_y(of, node) < HEIGHT / 2.0;
    const double x = node_x(of, node), edge = node_y(of, node) + (above ? -1 : 1) * TILE / 2.0;
    const double y = above ? edge - 6 - (wrong ? LINE : 0) : edge + LINE + 1;
    snprintf(words, sizeof words, "%s %s %s", wrong ? "\xe2\x9c\x97" : "\xe2\x9c\x93",
             is_concluded(of, node) ? "yes" : "no", probability_word(of, node, number));
    svg_text(p, wrong ? "bad" : NULL, x, y, "middle", words);
    if (wrong) {
        snprintf(words, sizeof words, "truth: %s", truth_word(of, node));
        svg_text(p, "bad", x, y + LINE, "middle", words);
    }
}

static void put_tag(page *p, int digit, double x, double y)
{
    char text[WORD_SIZE];
    snprintf(text, sizeof text, "%d", digit);
    svg_group(p, "tag", x, y);
    svg_circle(p, NULL, 0, 0, 8.5, NULL);
    svg_text(p, NULL, 0, 4, "middle", text);
    svg_group_end(p);
}

static void put_node(page *p, const digit_graph *of, const sightings *saw, int node)
{
    const double x = node_x(of, node), y = node_y(of, node);
    const bool wrong = digit_graph_is_wrong(of, node);
    int numbers;
    const float *pixels = nlm_world_percept(of->world, node, &numbers);
    page_print(p, "<g class=\"node%s%s\">", is_concluded(of, node) ? " yes" : "", wrong ? " wrong" : "");
    put_said(p, of, node);
    page_print(p, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"7\"/>\n", x - TILE / 2.0,
               y - TILE / 2.0, TILE, TILE);
    if (pixels)
        pixels_put(p, pixels, x - IMAGE / 2.0, y - IMAGE / 2.0, IMAGE);
    if (is_taken(of, saw, node))
        put_tag(p, saw->best.digit, x + TILE / 2.0 - 2, y + (y < HEIGHT / 2.0 ? 1 : -1) * (TILE / 2.0 - 2));
    put_words(p, of, node);
    page_put(p, "</g>\n");
}

/* ---- in words ---- */

static void put_key(page *p, const char *markup, const char *words)
{
    page_print(p, "<span><svg class=\"key\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">%s</svg> %s</span> ",
               markup, words);
}

static void put_keys(page *p, const sightings *saw)
{
    char words[64];
    page_put(p, "<p class=\"keys\">");
    put_key(p, "<g class=\"node yes\"><rect x=\"2\" y=\"2\" width=\"10\" height=\"10\" rx=\"2\"/></g>",
            "concluded: yes");
    put_key(p, "<g class=\"node\"><rect x=\"2\" y=\"2\" width=\"10\" height=\"10\" rx=\"2\"/></g>",
            "concluded: no");
    put_key(p, "<g class=\"node wrong\"><rect x=\"2\" y=\"2\" width=\"10\" height=\"10\" rx=\"2\"/></g>",
            "\xe2\x9c\x97 not the truth");
    if (seen_tells(saw)) {
        snprintf(words, sizeof words, "taken for a %d; its edges are thick", saw->best.digit);
        put_key(p, "<g class=\"tag\"><circle cx=\"7\" cy=\"7\" r=\"6.5\"/></g>", words);
    }
    page_put(p, "</p>\n");
}

static void put_neighbours(page *p, const digit_graph *of, int node)
{
    const int *edges;
    const size_t count = nlm_world_facts(of->world, digit_graph_edges(of), &edges, NULL);
    bool first = true;
    for (size_t e = 0; e < count; e++)
        if (edges[2 * e] == node) {
            page_put(p, first ? "" : ", ");
            page_text(p, nlm_world_object_name(of->world, edges[2 * e + 1]));
            first = false;
        }
}

static void put_table(page *p, const digit_graph *of, const sightings *saw)
{
    char number[WORD_SIZE];
    page_put(p, "<details><summary>As a table</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"the graph as a table\"><table>\n<thead><tr><th scope=\"col\">node</th>");
    if (seen_tells(saw))
        page_print(p, "<th scope=\"col\">taken for a %d</th>", saw->best.digit);
    page_put(p, "<th scope=\"col\">truth</th><th scope=\"col\">concluded</th><th scope=\"col\">probability"
                "</th><th scope=\"col\">edges to</th></tr></thead>\n<tbody>\n");
    for (int node = 0; node < of->nodes; node++) {
        page_put(p, "<tr><th scope=\"row\">");
        page_text(p, nlm_world_object_name(of->world, node));
        page_put(p, "</th>");
        if (seen_tells(saw))
            page_print(p, "<td>%s</td>", is_taken(of, saw, node) ? "yes" : "no");
        page_print(p, "<td>%s</td><td>%s%s</td><td>%s</td><td>", truth_word(of, node),
                   digit_graph_is_wrong(of, node) ? "\xe2\x9c\x97 " : "",
                   is_concluded(of, node) ? "yes" : "no", probability_word(of, node, number));
        put_neighbours(p, of, node);
        page_put(p, "</td></tr>\n");
    }
    page_put(p, "</tbody></table></div></details>\n");
}

/* ---- the figure ---- */

void digit_graph_put(page *p, const digit_graph *of, const sightings *saw, const char *title)
{
    char label[SAID], target[CUT_SIZE];
    word_cut(nlm_world_target_name(of->world, 0), 60, target);
    snprintf(label, sizeof label, "a graph of %d nodes that show digits, %d conclusions wrong", of->nodes,
             of->wrong);
    page_put(p, "<figure class=\"digit-graph\"><figcaption><code>");
    page_text(p, target);
    page_put(p, "</code>, ");
    page_text(p, title);
    if (of->wrong == 0)
        page_put(p, ": no error \xe2\x9c\x93");
    else
        page_print(p, ": %d error%s \xe2\x9c\x97", of->wrong, of->wrong == 1 ? "" : "s");
    page_print(p, "</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"the "
                  "graph\">\n");
    svg_begin_sized(p, WIDTH, HEIGHT, NULL, label);
    put_edges(p, of, saw, false);
    put_edges(p, of, saw, true);
    for (int node = 0; node < of->nodes; node++)
        put_node(p, of, saw, node);
    svg_end(p);
    page_put(p, "</div>\n");
    put_keys(p, saw);
    put_table(p, of, saw);
    page_put(p, "</figure>\n");
}
