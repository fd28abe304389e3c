/* The part of a report about a machine that looks at digits: graphs whose nodes show some, and what its sense
 * came to see. */
#include <stdio.h>
#include "report/storage.h"
#include "report/digit_graph.h"
#include "report/report.h"
#include "report/sense_outputs.h"

/* Worlds among which one with an error is looked for; nodes that are true in one that is shown in any case;
 * digits that are drawn to look at. */
enum { WORLDS_MOST = 500, LIVELY = 3, DIGITS_DRAWN = 1000, TITLE_SIZE = 200 };

/* Whether there is something to see: graphs with few edges or without the digit in question are dull. */
static bool is_lively(const digit_graph *graph)
{
    int count = 0;
    for (int node = 0; node < graph->nodes; node++)
        count += graph->truth[node] == NLM_TRUE;
    return count >= LIVELY;
}

/* The first graph where some conclusions are true, and the first one with an error, which may be the same. */
static nlm_status put_graphs(page *p, nlm_machine *machine, const nlm_task *task, uint64_t seed,
                             const char *label, const sense_outputs *outputs, nlm_error *error)
{
    bool usual = false, failed = false;
    nlm_world *world = NULL;
    nlm_status status = nlm_world_new(&world, error);
    page_put(p, "<div class=\"charts\">\n");
    for (int number = 0; number < WORLDS_MOST && !(usual && failed) && !status; number++) {
        digit_graph graph = {0};
        status = nlm_task_generate(task, NLM_WORLDS_PAPER, seed, NLM_TEST_WORLDS + (uint64_t)number,
                                   task->train_objects, world, error);
        if (!status)
            status = digit_graph_find(&graph, machine, world, error);
        const bool shows_usual = !status && !usual && is_lively(&graph);
        const bool shows_failed = !status && !failed && graph.wrong > 0;
        if (shows_usual || shows_failed) {
            char title[TITLE_SIZE];
            snprintf(title, sizeof title, "test world %d of %d objects, %s", number, task->train_objects,
                     label);
            digit_graph_put(p, &graph, outputs, title);
        }
        usual |= shows_usual;
        failed |= shows_failed;
        digit_graph_release(&graph);
    }
    page_put(p, "</div>\n");
    if (!failed && !status)
        page_print(p, "<p>All conclusions about the first %d test worlds are right.</p>\n", WORLDS_MOST);
    nlm_world_free(world);
    return status;
}

nlm_status perceived_put(page *p, nlm_machine *machine, const nlm_task *task, uint64_t seed,
                         const char *label, nlm_error *error)
{
    nlm_gallery *drawn = NULL;
    sense_outputs outputs = {0};
    page made = {0};
    nlm_status status = task->gallery ? NLM_OK : nlm_gallery_draw(1, DIGITS_DRAWN, &drawn, error);
    if (!status)
        status = sense_outputs_find(&outputs, machine, task->gallery ? task->gallery : drawn, error);
    if (!status) {
        page_put(&made, "<section class=\"perceived\">\n<h3>Conclusions from images of digits</h3>\n");
        status = put_graphs(&made, machine, task, seed, label, &outputs, error);
    }
    if (!status) {
        page_wrap(&made, "<h3>Outputs of ", sense_title(task->sense), "</h3>\n");
        sense_outputs_put(&made, &outputs, task->sense,
                          task->gallery ? "test images of MNIST" : "drawn digits");
        page_put(&made, "</section>\n");
        page_append(p, &made);
    }
    page_release(&made);
    sense_outputs_release(&outputs);
    nlm_gallery_free(drawn);
    return status;
}
