/* The figure of a replay: pictures and words for readers without scripts, and the data of assets/replay.js.
 *
 * The data is an object: game, objects, limit, outcome, solved, what the game's positions have in common
 * (target; or start, target, edges as a row of pairs, points as a row of thousandths), and steps.  A step is
 * a state, the numbers of a position, and top, the choices: [move, probability, 1 if it is legal]. */
#include <stdio.h>
#include <string.h>
#include "report/replay.h"

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

/* Two after the point; a third where two would say little. */
static int digits(double probability)
{
    return probability >= 0.0005 && probability < 0.0995 ? 3 : 2;
}

static void put_moves(const nlm_replay *replay, page *p)
{
    char words[MOVE_WORDS];
    page_put(p, "<details class=\"replay-moves\"><summary>All moves</summary>\n<ol>\n");
    for (int i = 0; i < replay->positions; i++) {
        int count;
        const replay_choice *made = replay_choices(replay, i, &count);
        if (count > 0)
            page_print(p, "<li>%s, probability %.*f%s</li>\n",
                       move_words(replay->game, made->choice.move, words), digits(made->choice.probability),
                       made->choice.probability, made->legal ? "" : ", illegal: it changes nothing");
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
    page_put(p, "]}");
}

static void put_graph(const nlm_replay *replay, page *p)
{
    page_print(p, ",\"start\":%d,\"target\":%d,\"edges\":", replay->start, replay->target);
    put_numbers(replay->edges.data, 2 * replay->edge_count, p);
    page_put(p, ",\"points\":[");
    for (int node = 0; node < replay->objects; node++)
        page_print(p, "%s%.0f,%.0f", node > 0 ? "," : "", 1000 * replay->points[node].x,
                   1000 * replay->points[node].y);
    page_put(p, "]");
}

static void put_data(const nlm_replay *replay, page *p)
{
    char words[REPLAY_WORDS];
    page_print(p,
               "<script type=\"application/json\" class=\"replay-data\">\n{\"game\":\"%s\",\"objects\":%d,"
               "\"limit\":%d,\"solved\":%s,\"outcome\":",
               replay->game->name, replay->objects, replay->limit, replay->solved ? "true" : "false");
    page_json(p, replay_outcome(replay, words));
    if (replay->points)
        put_graph(replay, p);
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

void replay_put(const nlm_replay *replay, page *p)
{
    char words[REPLAY_WORDS];
    if (replay->positions == 0)
        return;
    page_put(p, "<figure class=\"replay\" tabindex=\"0\" role=\"group\" aria-label=\"");
    page_text(p, replay->title);
    page_put(p, "\" data-step=\"0\" data-state=\"");
    put_numbers(replay_state(replay, 0), replay->width, p);
    page_print(p, "\" data-solved=\"%s\">\n<div class=\"replay-stage\">\n",
               replay->solved && replay->positions == 1 ? "true" : "false");
    replay_draw(replay, p);
    page_print(p, "</div>\n<p class=\"replay-status\" aria-live=\"polite\">%s</p>\n",
               replay_outcome(replay, words));
    put_moves(replay, p);
    put_data(replay, p);
    page_put(p, "</figure>\n");
}
